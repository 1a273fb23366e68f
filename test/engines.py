# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which engines of rtl/bus tests take: `make test` one of them behind one bus, `make test-ci` most of them behind both, and
`make test-all` all."""

import pytest
from marks import LATER

from bench.declared.engines import ENGINES, SLAVES

FIRST = "round_enc"  # the engine of make test
LONG = ("lea_latch", "pipe_enc", "aria_enc_128")  # those that only make test-all builds and proves, because they take longest


def _each(slow: tuple[str, ...]):
    return pytest.mark.parametrize("engine", [
        pytest.param(name, marks=() if name == FIRST else pytest.mark.slow if name in slow else LATER) for name in ENGINES
    ])  # fmt: skip


EVERY_ENGINE, EACH_ENGINE = _each(()), _each(LONG)
EACH_SLAVE = pytest.mark.parametrize("slave", [pytest.param(name, marks=LATER if name != SLAVES[0] else ()) for name in SLAVES])
