# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No public call leaves a secret on the stack, with the compilers and flags for which haechi.h promises it."""

import platform
import subprocess

import native
import pytest
from toolchains import TOOLCHAINS

COMPILERS = {name: TOOLCHAINS[name][0] for name in ("gcc", "clang")}
SAMPLE = ("gcc", "-O2", "static")
LIST = [(compiler, level, kind) for compiler in COMPILERS for level in ("-O2", "-O3", "-Os") for kind in ("static", "shared")]

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the program changes stacks on x86-64 alone")


def run(compiler, level, kind, *flags):
    """What the program over the library found, or nothing."""
    usual = [*native.USUAL, *[level] * (level not in native.USUAL), f"-I{native.ROOT / 'host'}", "-pthread"]
    library = [*native.sources(), native.ROOT / "host/random.c"]
    program = native.ROOT / "test/core/stack_residue.c"
    if kind == "static":
        done = native.build("stack_residue", [program, *library], [*usual, *flags], COMPILERS[compiler])
    else:
        shared = native.build("libhaechi.so", library, [*usual, "-shared", "-Wl,-z,now"], COMPILERS[compiler])
        link = [shared, f"-Wl,-z,now,-rpath,{shared.parent}"]
        done = native.build("stack_residue", [program], [*usual, *flags], COMPILERS[compiler], link)
    found = subprocess.run([done], capture_output=True, text=True)
    assert found.returncode in (0, 1), found.stdout + found.stderr
    assert bool(found.returncode) == bool(found.stdout)
    return found.stdout


@pytest.mark.parametrize("compiler, level, kind", [pytest.param(*b, marks=pytest.mark.slow if b != SAMPLE else ()) for b in LIST])
def test_nothing_is_left_on_the_stack(compiler, level, kind):
    assert run(compiler, level, kind) == ""


def test_what_is_left_is_found():
    found = run(*SAMPLE, "-DPLANT")
    assert " plant " in found and all(" plant " in line and ": key at" in line for line in found.splitlines())
