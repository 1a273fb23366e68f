# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code against the specification, for all inputs; docs/proof.md tells how."""
