# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels for x86-64: each kernel in a card is selected in turn and tested at every length, place and carry, and under
valgrind, by SIMDe where that is needed. What this CPU or machine cannot run is skipped, and the tests say so."""

import ctypes
import platform
import subprocess
from functools import cache
from random import Random

from marks import LATER
import native
import pytest
import slots
from library import BLOCK, KEY_SIZE, Descriptor, Key, Stream, crypt, features, library

from bench.declared import model

KERNELS = {name: card for name, card in slots.KERNELS.items() if card.machine == "x86_64"}
EVERY = pytest.mark.parametrize("kernel", KERNELS)
SIMDE = [f"-I{native.ROOT / 'test/kernel/simde'}", "-D__target__(x)=", "-DSIMDE", "-DTAINT", "-mssse3", "-O1", "-w", "-Werror=implicit-function-declaration"]
VALGRIND = ["valgrind", "-q", "--error-exitcode=9"]

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="not an x86-64 machine")


def run(kernel, arguments, *flags, compiler="gcc", prefix=()):
    for_valgrind = ["-gdwarf-4"] if compiler == "clang" and prefix else []
    slots.run(kernel, arguments, [*for_valgrind, *flags], compiler, prefix)


def blocks(kernel, size):
    return -(-size // model.VARIANTS[KERNELS[kernel].cipher][0].block)


def needs(kernel):
    """The CPU features that a kernel's descriptors name."""
    return Descriptor.in_dll(library(), f"haechi_{slots.descriptors(kernel)[0][0]}").needs


@cache
def valgrind_features():
    """The CPU features that programs under valgrind find."""
    files = [native.ROOT / "src/core/features.c", native.ROOT / "test/core/features.c"]
    program = native.build("features", files, native.USUAL)
    return int(native.run([*VALGRIND, program]).stdout)


@cache
def has_simde():
    probe = ["gcc", "-x", "c", "-E", "-o", "/dev/null", "-"]
    return subprocess.run(probe, input="#include <simde/x86/gfni.h>\n", text=True, capture_output=True).returncode == 0


# ---- On this CPU.


@pytest.mark.guards("result", "lanes")
@EVERY
@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=LATER)])
def test_every_length(kernel, compiler):
    run(kernel, ["lengths", 0, 3 * KERNELS[kernel].kernels[kernel].lanes + 1, 1], compiler=compiler)


@EVERY
def test_long_messages(kernel):
    run(kernel, ["lengths", 500, 1100, 37])


@EVERY
def test_every_place_in_a_cache_line(kernel):
    for n in (1, 2, blocks(kernel, 200)):
        run(kernel, ["places", n])


@pytest.mark.guards("result")
@EVERY
@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=LATER)])
def test_carries_up_to_every_byte(kernel, compiler):
    for n in (1, 2, 16, KERNELS[kernel].kernels[kernel].lanes, 3 * KERNELS[kernel].kernels[kernel].lanes):
        run(kernel, ["carries", n], compiler=compiler)


@EVERY
@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("flags", [["-O3"], ["-Os"], ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]], ids=" ".join)
def test_other_optimisers(kernel, flags):
    run(kernel, ["edges", 0, 2 * KERNELS[kernel].kernels[kernel].lanes, 1], *flags)


@pytest.mark.guards("result")
@EVERY
def test_forced_through_the_api(kernel):
    """haechi_init takes the kernel when the features are limited to those that it needs; every length from 0 to 1100
    bytes."""
    r = Random(kernel)
    try:
        for variant in model.VARIANTS[KERNELS[kernel].cipher]:
            cipher = variant.constant
            features()
            needs = Descriptor.in_dll(library(), f"haechi_{kernel}{variant.suffix}").needs
            if needs & ~features():
                pytest.skip(f"this CPU lacks what {kernel} needs: {needs & ~features():#06x}")
            key, iv = r.randbytes(KEY_SIZE[cipher]), b"\xff" * (BLOCK[cipher] - 1) + b"\xf0"
            data = r.randbytes(1100)
            features(0)
            ctr, ecb = crypt(cipher, "ctr", key, iv, data), crypt(cipher, "ecb", key, b"", data[: 1100 // 16 * 16])
            features(needs)
            forward, inverse = Key(cipher, key), Key(cipher + "_inv", key)
            for room, suffix in ((forward, ""), (inverse, "_inv")):
                kernel_at = ctypes.c_void_p.from_buffer(room.room).value
                wanted = Descriptor.in_dll(library(), f"haechi_{kernel}{variant.suffix}{suffix}")
                assert kernel_at == ctypes.addressof(wanted)
            for size in range(1101):
                assert forward.ctr(Stream(iv), data[:size]) == ctr[:size], size
                if size % BLOCK[cipher] == 0 and size <= len(ecb):
                    assert forward.ecb(data[:size]) == ecb[:size], size
                    assert inverse.ecb(ecb[:size]) == data[:size], size
    finally:
        features()


# ---- Whether branches or addresses depend on key, data or counter.


@pytest.mark.guards("constant_time", sample="the code that gcc makes")
@EVERY
@pytest.mark.parametrize("compiler", [pytest.param("gcc", marks=pytest.mark.full), pytest.param("clang", marks=LATER)])
def test_no_branch_or_address_depends_on_secrets(kernel, compiler):
    """Under valgrind. Kernels whose instructions valgrind (or some CPU) lacks run by SIMDe, which must compute the
    same."""
    lanes = KERNELS[kernel].kernels[kernel].lanes
    lengths = ["lengths", 1, lanes + 7, max(1, lanes // 3)]
    if not needs(kernel) & ~valgrind_features():
        run(kernel, lengths, "-DTAINT", compiler=compiler, prefix=VALGRIND)
    elif compiler == "clang":
        pytest.skip("SIMDe is compiled by gcc")
    elif has_simde():
        run(kernel, ["lengths", 0, 2 * lanes + 1, 1], *SIMDE)
        run(kernel, ["carries", lanes + 1], *SIMDE)
        run(kernel, lengths, *SIMDE, prefix=VALGRIND)
    else:
        pytest.skip(f"valgrind lacks what {kernel} needs, and there is no SIMDe (Debian package libsimde-dev)")


# ---- The test itself.


def test_difference_is_noticed():
    """LEA-192 takes the place of LEA-128, which the tests must notice."""
    first = next(k for k in KERNELS if k.startswith("lea"))
    pairs = [(f"{first}_128", "lea_c_128"), (f"{first}_192", "lea_c_256")]
    program = slots.runner(first, pairs, [], "gcc")
    done = subprocess.run([program, "lengths", "1", "9", "1"], capture_output=True, text=True)
    assert (done.returncode, "differs" in done.stderr) == (1, True) or f"{first}_192 skipped" in done.stdout
