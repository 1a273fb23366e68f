# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No public call leaves a secret on the stack, with the compilers and flags for which haechi.h promises it."""

import platform
import re
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


@pytest.mark.slow
@pytest.mark.parametrize("compiler, level", sorted({(compiler, level) for compiler, level, _ in LIST}))
@pytest.mark.parametrize("kernel", ["aesni", "avx2_vaes", "avx2_gfni", "avx512_gfni"])
def test_the_frames_of_aria_fit_in_what_core_overwrites(kernel, compiler, level, tmp_path):
    """By the compiler's own account, for CPUs that this machine is not: a wrapper, one of the functions that it calls,
    and of few blocks the rounds. A return address and the alignment of vectors come on top of each."""
    folder = native.ROOT / "src/aria/x86"
    width = int(re.search(r"WIDTH (\d+)", (folder / f"aria_x86_{kernel}.c").read_text())[1])
    claims = {
        name: int(of_256 if width == 256 else of_others)
        for name, of_256, of_others in re.findall(r"define (\w*STACK) \(WIDTH == 256 \? (\d+) : (\d+)\)", (folder / "aria_x86_slots.h").read_text())
    }
    assert set(claims) == {"STACK", "FEW_STACK"}
    native.run([COMPILERS[compiler], "-std=c99", level, "-fPIC", "-fstack-usage", "-c", folder / f"aria_x86_{kernel}.c", "-o", tmp_path / "kernel.o"])
    lines = (line.split("\t") for line in (tmp_path / "kernel.su").read_text().splitlines())
    frames = {name.rpartition(":")[2].partition(".")[0]: int(size) + 8 + width // 8 for name, size, _ in lines}

    def most(pattern: str) -> int:
        return max((size for name, size in frames.items() if re.fullmatch(pattern, name)), default=0)

    wrapper, few, batches = most(r"(bulk|cbc|ctr|ctr_bytes)_\d+"), most(r"\w+_few"), most(r"\w+_batches")
    assert wrapper and few and batches
    assert wrapper + few + most(r"crypt_\d") <= claims["FEW_STACK"] and most(r"crypt_\d+") <= 1024
    assert wrapper + batches <= claims["STACK"]
