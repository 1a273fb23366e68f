# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ways of building the whole library for a program that tests it, and running the program there."""

import subprocess

import native

RUNNER = native.ROOT / "test/core/runner.c"

BUILDS = {  # flags beside native.USUAL, compiler, what runs the program
    "gcc-O2": ([], "gcc", []),
    "gcc-O3-lto": (["-O3", "-flto"], "gcc", []),
    "gcc-Os": (["-Os"], "gcc", []),
    "gcc-freestanding": (["-ffreestanding", "-fno-builtin"], "gcc", []),
    "clang-O2": ([], "clang-14", []),
    "clang-O3": (["-O3"], "clang-14", []),
    "asan-ubsan": (["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "gcc", []),
    "tsan": (["-O1", "-fsanitize=thread", "-DTHREADS", "-pthread"], "gcc", []),
    "s390x": (["-static"], "s390x-linux-gnu-gcc", ["qemu-s390x"]),
    "s390x-no-multiply": (["-static", "-DHAECHI_NO_MULTIPLY"], "s390x-linux-gnu-gcc", ["qemu-s390x"]),
    "aarch64": (["-static", "-march=armv8-a+crypto"], "aarch64-linux-gnu-gcc", ["qemu-aarch64"]),
    "armv7": (["-static"], "arm-linux-gnueabihf-gcc", ["qemu-arm"]),
    "valgrind": (["-DTAINT"], "gcc", ["valgrind", "-q", "--error-exitcode=9"]),
    "valgrind-O3": (["-O3", "-DTAINT"], "gcc", ["valgrind", "-q", "--error-exitcode=9"]),
    "valgrind-clang": (["-gdwarf-4", "-DTAINT"], "clang-14", ["valgrind", "-q", "--error-exitcode=9"]),
}


def execute(name, text, *more):
    flags, compiler, prefix = BUILDS[name]
    program = native.build("runner", [RUNNER, *native.sources()], [*native.USUAL, *flags, *more], compiler)
    return subprocess.run([*prefix, program], input=text, capture_output=True, text=True)
