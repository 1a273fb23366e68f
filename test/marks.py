# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Marks that several tests give to some of their parameters."""

import pytest

LATER = [pytest.mark.slow, pytest.mark.ci]  # not for make test, but for make test-ci and make test-all
