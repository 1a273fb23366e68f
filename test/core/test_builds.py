# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The same cases under sanitizers, under valgrind, with threads, on a big-endian machine, and with the optimisers of
other compilers.

Each tool is also given a planted fault, which it must find.
"""

import cases
from marks import LATER
import pytest
from builds import BUILDS, SMALL, execute, parameters

SLOW = ("valgrind", "s390x", "aarch64", "armv7", "tsan", "asan", "small")


@pytest.mark.guards(
    "result", "constant_time",
    sample="gcc at -O2, two sanitizers with portable kernels, valgrind, Arm and a big-endian machine",
)
@pytest.mark.parametrize(
    "name", [*parameters(BUILDS), *(pytest.param(n, marks=LATER if n == "small-32" else [pytest.mark.slow]) for n in SMALL)]
)
def test_build(name):
    slow = name.startswith(SLOW)
    for text, count in (cases.known(), cases.drawn(cases.LENGTHS), cases.modes(cases.SHORT if slow else cases.LENGTHS)):
        if slow and count > 1000:
            lines = text.splitlines(keepends=True)[:: count // 400]
            text, count = "".join(lines), len(lines)
        done = execute(name, text)
        assert (done.returncode, done.stdout) == (0, f"{count} ok\n"), done.stderr[-2000:]


def test_runner_notices_a_wrong_answer():
    text, _ = cases.drawn([16])
    sealed, _ = cases.modes([16])
    last = sealed.rindex(" ") + 1
    for bad in (text.replace(" ecb ", " ctr ", 1), sealed[:last] + ("1" if sealed[last] == "0" else "0") + sealed[last + 1 :]):
        assert execute("gcc-O2", bad).returncode == 1


@pytest.mark.full
@pytest.mark.parametrize(
    "name, fault, says",
    [
        ("asan-ubsan-portable", "-DPLANT_OVERFLOW", "AddressSanitizer"),
        ("asan-ubsan-portable", "-DPLANT_SHIFT", "shift exponent"),
        pytest.param("tsan-portable", "-DPLANT_RACE", "data race", marks=LATER),
        ("valgrind", "-DPLANT_BRANCH", "uninitialised"),
    ],
)
def test_planted_fault_is_found(name, fault, says):
    done = execute(name, cases.drawn([16, 64])[0], fault)
    assert done.returncode and says in done.stderr


@pytest.mark.full
def test_table_look_ups_are_found():
    """ARIA by tables, which is right on a microcontroller, must fail this check."""
    flags = ["-DHAECHI_ARIA_KERNEL=aria_c_table"]
    done = execute("valgrind", cases.drawn([16])[0], *flags)
    assert done.returncode == 9 and "uninitialised" in done.stderr
