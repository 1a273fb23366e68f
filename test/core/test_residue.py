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
OTHER = ("clang", "-O2")  # what make test-ci runs besides
LIST = [(compiler, level, kind) for compiler in COMPILERS for level in ("-O2", "-O3", "-Os") for kind in ("static", "shared")]
NOW = ["-Wl,-z,now"]  # a linker that is called in the middle of a function leaves all vector registers on the stack

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the program changes stacks on x86-64 alone")


def run(compiler, level, kind, *flags):
    """What the program over the library found, or nothing."""
    usual = [*native.USUAL, *[level] * (level not in native.USUAL), f"-I{native.ROOT / 'host'}", "-pthread"]
    library = [*native.sources(), native.ROOT / "host/random.c"]
    program = native.ROOT / "test/core/stack_residue.c"
    if kind == "static":
        done = native.build("stack_residue", [program, *library], [*usual, *flags], COMPILERS[compiler], NOW)
    else:
        shared = native.build("libhaechi.so", library, [*usual, "-shared", *NOW], COMPILERS[compiler])
        link = [shared, *NOW, f"-Wl,-rpath,{shared.parent}"]
        done = native.build("stack_residue", [program], [*usual, *flags], COMPILERS[compiler], link)
    found = subprocess.run([done], capture_output=True, text=True)
    assert found.returncode in (0, 1), found.stdout + found.stderr
    assert bool(found.returncode) == bool(found.stdout)
    return found.stdout


def marked(*build):
    """The build as a parameter, with the marks of the commands that test it."""
    slow = [pytest.mark.slow] * (build != SAMPLE)
    return pytest.param(*build, marks=[*slow, *[pytest.mark.ci] * (build in (OTHER, (*OTHER, "static")))])


@pytest.mark.parametrize("compiler, level, kind", [marked(*build) for build in LIST])
def test_nothing_is_left_on_the_stack(compiler, level, kind):
    assert run(compiler, level, kind) == ""


def test_what_is_left_is_found():
    found = run(*SAMPLE, "-DPLANT")
    assert " plant " in found and all(" plant " in line and ": key at" in line for line in found.splitlines())


KERNELS = {
    "aria": ["aesni", "avx2_vaes", "avx2_gfni", "avx512_gfni"],
    "hight": ["ssse3", "avx2", "avx2_gfni", "avx512_gfni"],
    "lea": ["ssse3", "avx2", "avx512"],
}
# How the functions are called that a message goes through: a wrapper; one for few groups, and what that calls; one for
# more groups, and what that calls. Those that are missing in this list have no frame of their own.
FRAMES = {
    "aria": (r"(bulk|cbc|xex|ctr|ctr_bytes)_\d+", r"\w+_few", r"crypt_\d", r"\w+_batches", ""),
    "hight": (r"(enc|dec|cbc|xex|ctr|ctr_bytes)_hight", r"\w+_x[12]", r"(get|put)_some", r"\w+_x\d", r"(get|put)_some"),
    "lea": (r"(enc|dec|cbc|xex|xex_inv|ctr|ctr_bytes)_\d+", r"(enc|dec)\dx1", r"(get|put)_some", r"(enc|dec)\dx\d", r"(get|put)_some"),
}


@pytest.mark.parametrize("compiler, level", [marked(*build) for build in sorted({(compiler, level) for compiler, level, _ in LIST})])
@pytest.mark.parametrize("cipher, kernel", [(cipher, kernel) for cipher, kernels in KERNELS.items() for kernel in kernels])
def test_the_frames_fit_in_what_core_overwrites(cipher, kernel, compiler, level, tmp_path):
    """By the compiler's own account, for CPUs that this machine is not. The return address comes on top of each frame,
    and so does what gcc does not count of an aligned one."""
    folder, source = native.ROOT / f"src/{cipher}/x86", tmp_path / "claims.c"
    file = folder / f"{cipher}_x86_{kernel}.c"
    source.write_text(f'#include "{file}"\nint claims[] = {{ STACK, FEW_STACK }};\n')
    flags = ["-std=c99", level, "-fPIC", "-Wno-unused"]
    said = native.run([COMPILERS[compiler], *flags, "-S", source, "-o", "-"]).stdout
    claims = [int(n) for n in re.findall(r"\.long\s+(\d+)", said[re.search(r"^claims:", said, re.MULTILINE).start() :])[:2]]
    native.run([COMPILERS[compiler], *flags, "-fstack-usage", "-c", file, "-o", tmp_path / "kernel.o"])
    lines = (line.split("\t") for line in (tmp_path / "kernel.su").read_text().splitlines())
    frames = {}
    for name, size, _ in lines:
        name = name.rpartition(":")[2].partition(".")[0]
        frames[name] = max(frames.get(name, 0), int(size) + 8)

    def most(pattern: str) -> int:
        return max((size for name, size in frames.items() if re.fullmatch(pattern, name)), default=0)

    wrapper, few, in_few, many, in_many = map(most, FRAMES[cipher])
    assert wrapper and few and many
    width = int(re.search(r"WIDTH (\d+)", file.read_text())[1]) // 8
    assert claims == [max(claims), min(claims)]
    assert wrapper + few + in_few + width <= claims[1] and wrapper + many + in_many + width <= claims[0]
