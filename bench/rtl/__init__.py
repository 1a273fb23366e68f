# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in rtl/: libraries, synthesis, measurement, report."""
