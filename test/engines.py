# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which engines of rtl/bus tests take: `make test` one of them behind one bus, `make test-ci` all of them behind both."""

import pytest
from marks import LATER

from bench.declared.engines import ENGINES, SLAVES

FIRST = "lea_enc_32"  # the engine of make test
EACH_ENGINE = pytest.mark.parametrize("engine", [pytest.param(name, marks=LATER if name != FIRST else ()) for name in ENGINES])
EACH_SLAVE = pytest.mark.parametrize("slave", [pytest.param(name, marks=LATER if name != SLAVES[0] else ()) for name in SLAVES])
