# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ways in which the tests build the whole library for a program that tests it, and run the program."""

import subprocess

from marks import LATER
import native
import pytest

RUNNER = native.ROOT / "test/core/runner.c"
PORTABLE = [f"-DHAECHI_{c.upper()}_KERNEL={c}_c" for c in ("lea", "hight", "aria")]

BUILDS = {  # flags besides native.USUAL, the compiler, the command that runs the program
    "gcc-O2": ([], "gcc", []),
    "gcc-O3-lto": (["-O3", "-flto"], "gcc", []),
    "gcc-Os": (["-Os"], "gcc", []),
    "gcc-freestanding": (["-ffreestanding", "-fno-builtin"], "gcc", []),
    "clang-O2": ([], "clang", []),
    "clang-O3": (["-O3"], "clang", []),
    "asan-ubsan": (["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "gcc", []),
    "tsan": (["-O1", "-fsanitize=thread", "-DTHREADS", "-pthread"], "gcc", []),
    "s390x": (["-static"], "s390x-linux-gnu-gcc", ["qemu-s390x"]),
    "s390x-no-multiply": (["-static", "-DHAECHI_NO_MULTIPLY"], "s390x-linux-gnu-gcc", ["qemu-s390x"]),
    "aarch64": (["-static", "-march=armv8-a+crypto"], "aarch64-linux-gnu-gcc", ["qemu-aarch64"]),
    "armv7": (["-static"], "arm-linux-gnueabihf-gcc", ["qemu-arm"]),
    "valgrind": (["-DTAINT"], "gcc", ["valgrind", "-q", "--error-exitcode=9"]),
    "valgrind-O3": (["-O3", "-DTAINT"], "gcc", ["valgrind", "-q", "--error-exitcode=9"]),
    "valgrind-clang": (["-gdwarf-4", "-DTAINT"], "clang", ["valgrind", "-q", "--error-exitcode=9"]),
}
# The kernels for x86-64 take long to compile, so that sanitizers get the portable ones in make test,
# and clang in make test-ci.
BUILDS |= {f"{name}-portable": ([*BUILDS[name][0], *PORTABLE], *BUILDS[name][1:]) for name in ("clang-O2", "asan-ubsan", "tsan")}
# The build for small machines, as a chip has it for which there are no kernels: Xtensa, for instance.
SMALL = {
    "small-32": (["-static", "-DHAECHI_MICRO=1"], "arm-linux-gnueabihf-gcc", ["qemu-arm"]),
    "small-64": (["-static", "-DHAECHI_MICRO=1"], "aarch64-linux-gnu-gcc", ["qemu-aarch64"]),
    "small-big-endian": (["-static", "-DHAECHI_MICRO=1"], "s390x-linux-gnu-gcc", ["qemu-s390x"]),
    "small-x86-64": (["-DHAECHI_MICRO=1"], "gcc", []),
}
# What make test builds. make test-ci and make test-all build all of them.
TAKEN = ["gcc-O2", "asan-ubsan-portable", "s390x", "aarch64", "armv7", "valgrind"]


def parameters(names) -> list:
    """The names of builds, with marks that say which make target takes them."""
    return [pytest.param(n, marks=LATER if n not in TAKEN else [pytest.mark.full] if n != "gcc-O2" else []) for n in names]


def execute(name, text, *more):
    flags, compiler, prefix = (BUILDS | SMALL)[name]
    sources = [p for p in native.sources() if "x86" not in p.parts or PORTABLE[0] not in flags]
    program = native.build("runner", [RUNNER, *sources], [*native.USUAL, *flags, *more], compiler)
    return subprocess.run([*prefix, program], input=text, capture_output=True, text=True)
