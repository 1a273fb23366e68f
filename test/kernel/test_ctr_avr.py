# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counter mode on AVR that computes once what does not depend on the counter: faults that test_ctr_micro.py must find,
the places where the cache can be computed, and keys and nonces that are known at build time."""

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest
from kernels import TARGETS, after, clean, everywhere, expected
from test_ctr_micro import MOST, cache_bytes, forgets, forward

from bench.declared.model import ROOT, VARIANTS
from bench.made import build
from bench.measured import counter
from bench.measured.measurement import differences
from bench.simulated.drive import Drive
from bench.simulated.simulator import EVERY
from tools import fixed_key

pytestmark = pytest.mark.full  # too slow for make test-quick

AVR = TARGETS["avr"]
FIXED = counter.fixed_kernels(AVR)
NAMED = [(v, card, kernel) for card, kernel in FIXED for v in VARIANTS[card.cipher]]


# ---- Planted faults.


@contextmanager
def planted():
    """A function that returns a Drive of HIGHT whose slot ctr has a fault."""
    kernel = "hight_avr_flash"
    source = ROOT / "test/kernel/planted_ctr.c"
    define = [f"-DBROKEN=haechi_{kernel}"]
    with counter.open_simulator(
        AVR, AVR.chip, build.elf(AVR, AVR.chip, everywhere(AVR)[kernel], kernel, [source], define)
    ) as machine:

        def drive(name: str) -> Drive:
            machine.reset()
            drive = Drive(machine, kernel, VARIANTS["HIGHT"][0], False)
            drive.d = replace(drive.d, ctr=machine.image.address(f"planted_{name}"))
            return drive

        yield drive


def test_planted_faults_are_found():
    with planted() as plant:
        assert forgets(plant("nothing")) and cache_bytes(plant("nothing")) <= MOST["avr"]
        for name in ("stale_nonce", "stale_key", "no_wrap"):
            assert not forgets(plant(name)), name
        assert cache_bytes(plant("large")) > MOST["avr"]


# ---- Where the cache is computed.


@pytest.mark.guards("ctr_inside")
def test_built_inside_it_is_the_same():
    """The kernels that are built so: key streams over wraps, the calling convention, and no residue."""
    for card, kernel in FIXED:
        if card.kernels[kernel].ctr_inside:
            elf = build.elf(AVR, AVR.chip, card, kernel, more_flags=[counter.INSIDE])
            with counter.open_simulator(AVR, AVR.chip, elf) as machine:
                for drive in forward(machine, kernel, card):
                    v, random = drive.variant, Random(card.cipher)
                    assert forgets(drive) and 0 < cache_bytes(drive) <= MOST["avr"]
                    for last in (0, 253, 255):
                        key, text = random.randbytes(v.key), random.randbytes(5 * v.block)
                        iv = random.randbytes(v.block - 1) + bytes([last])
                        rk, _ = drive.expand(key)
                        out, at, call = drive.ctr_slot(rk, iv, text, apart=last == 0, interrupt=EVERY)
                        assert out == expected(v.constant, "ctr", key, iv, text) and at == after(iv, 5)
                        assert clean(call).interrupts


def test_rows_are_what_is_measured():
    fresh = counter.WAYS.measure(AVR, list(VARIANTS))
    assert not differences(counter.WAYS.read("avr"), fresh)
    assert all(row.less >= 2 for row in fresh if row.way == "fixed")
    assert all(row.less > 0 for row in fresh if row.way == "inside")
    assert {"separately", "apart", "inside", "fixed"} == {row.way for row in fresh}


# ---- Key and nonce fixed at build time.


@pytest.mark.guards("fixed")
@pytest.mark.parametrize("variant, card, kernel", [pytest.param(*x, id=f"{x[0].cipher}-{x[2]}") for x in NAMED])
def test_fixed(variant, card, kernel):
    """From any counter to the last one, in place and from one buffer to another, with interrupts; nothing remains below
    the stack."""
    random = Random()
    key, nonce = random.randbytes(variant.key), random.randbytes(variant.block - 1)
    told = f"key {key.hex()}, nonce {nonce.hex()}"
    chips = [AVR.chip, *AVR.test_chips][: 2 if variant.key == 16 else 1]
    for chip in chips:
        with counter.fixed_simulator(AVR, card, kernel, variant, key, nonce, chip) as call:
            left = []
            for first, n in ((0, 0), (0, 1), (7, 3), (253, 2), (253, 3), (250, 20), (255, 1), (255, 9), (0, 40)):
                text, done = random.randbytes(variant.block * n), min(n, 256 - first)
                whole = done * variant.block
                wanted = expected(variant.constant, "ctr", key, nonce + bytes([first]), text[:whole])
                for apart in (False, True):
                    out, c = call(first, n, text, apart, interrupt=EVERY if n < 4 else -1)
                    assert (clean(c).result, out[:whole]) == (done, wanted), told
                    assert apart or out[whole:] == text[whole:], told
                out, c = call(first, n)
                stream = expected(variant.constant, "ctr", key, nonce + bytes([first]), bytes(whole))
                assert (clean(c).result, out[:whole]) == (done, stream), told
            out, c = call(254, 2, asked=65535)
            two = expected(variant.constant, "ctr", key, nonce + b"\xfe", bytes(2 * variant.block))
            assert (clean(c).result, out) == (2, two)
            assert {call(first, 3)[1].pc_hash for first in (0, 9, 200)} == {call(5, 3)[1].pc_hash}
            for text in (bytes(variant.block), b"\xff" * variant.block):
                c = call(0, 1, text)[1]
                size = c.stack + c.return_bytes
                left.append(call.simulator.read(call.simulator.ram.stop - size, size))
            assert left[0] == left[1], "data is left below the stack pointer"


def test_fixed_notices_another_key():
    variant, card, kernel = NAMED[0]
    key, nonce = bytes(variant.key), bytes(variant.block - 1)
    with counter.fixed_simulator(AVR, card, kernel, variant, key, nonce) as call:
        out, _ = call(0, 2)
    for other, elsewhere in ((b"\1" + key[1:], nonce), (key, b"\1" + nonce[1:])):
        assert out != expected(variant.constant, "ctr", other, elsewhere + b"\0", bytes(len(out)))


def command(*arguments) -> subprocess.CompletedProcess:
    line = [sys.executable, "-S", "-m", "tools.fixed_key", *arguments]  # -S: no packages but Python's own
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True)


def test_fixed_as_a_command():
    key, nonce = bytes(range(16)), bytes(range(7))
    done = command("--cipher", "HIGHT", "--key", key.hex(), "--nonce", nonce.hex())
    assert (done.returncode, done.stdout) == (0, fixed_key.include("HIGHT", key, nonce))
    for cipher, key, nonce, said in (
        ("HIGHT", "00" * 15, "00" * 7, "key of 16 bytes, not 15"),
        ("LEA-128", "00" * 16, "00" * 16, "nonce of 15 bytes, not 16"),
        ("AES-128", "00" * 16, "00" * 15, "no cipher AES-128"), ("HIGHT", "0x", "00" * 7, "--key"),
    ):
        done = command("--cipher", cipher, "--key", key, "--nonce", nonce)
        assert (done.returncode, done.stdout) == (2, "") and said in done.stderr
