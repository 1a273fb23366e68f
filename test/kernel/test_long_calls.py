# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of the slots bulk and ctr over so many blocks that a counter of 8 or of 16 bits would wrap. The proofs cover
only calls of 0 to 3 blocks."""

from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from bench.declared.model import ROOT, VARIANTS
from bench.made import build
from bench.simulated.drive import Drive
from bench.simulated.simulators import open_simulator
from kernels import TARGETS, after, clean, expected, machine_for, written_for

pytestmark = pytest.mark.full  # too slow for make test-quick

COUNTS = [255, 256, 257, 300]
BEYOND = 65537
KERNELS = [
    pytest.param(target, kernel, card, id=kernel)
    for target in TARGETS.values()
    for kernel, card in written_for(target).items()
    if card.kernels[kernel].slots
]
FAR, FAR_SIZE = 0x30000000, 2 << 20  # more RAM than a Cortex-M of the bench has


def forms(card, kernel) -> list[tuple]:
    """Each slot that the card names, with each key size and direction for which it is there."""
    slots = card.kernels[kernel].slots
    return [(slot, v, inverse) for slot in slots for v in VARIANTS[card.cipher] for inverse in (False, True) if slot == "bulk" or not inverse]


def right(drive: Drive, slot: str, n: int, random: Random) -> bool:
    """Whether a call over n blocks in place gives the right result, and leaves the right counter."""
    v, key = drive.variant, random.randbytes(drive.variant.key)
    data, rk = random.randbytes(n * v.block), drive.expand(key)[0]
    if slot == "bulk":
        out, call = drive.bulk(rk, data)
        return out == expected(v.constant + "_inv" * drive.inverse, "ecb", key, b"", data) and not call.violations
    iv = random.randbytes(v.block)
    out, counter, call = drive.ctr_slot(rk, iv, data)
    return (out, counter) == (expected(v.constant, "ctr", key, iv, data), after(iv, n)) and not call.violations


def roomy(target, card) -> str:
    """A chip with RAM for so many blocks; an ATmega128 has only 4 KiB."""
    return "atmega2560" if target.machine == "avr" and card.cipher != "HIGHT" else ""


@pytest.mark.guards("result", "slots", sample="all counts with the shortest key, 257 blocks with the others")
@pytest.mark.parametrize("sample", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["sample", "all"])
@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_hundreds_of_blocks(target, kernel, card, sample):
    """All numbers of blocks with the shortest key, and 257 with the others. `make test-all` takes all numbers with all
    keys."""
    random = Random(kernel)
    with machine_for(target, kernel, roomy(target, card)) as machine:
        for (slot, v, inverse), n in product(forms(card, kernel), COUNTS):
            if not sample or n == 257 or v is VARIANTS[card.cipher][0]:
                assert right(Drive(machine, kernel, v, inverse), slot, n, random), (slot, v.cipher, n)


@contextmanager
def far(target, kernel: str):
    """A Cortex-M with 2 MiB of additional RAM."""
    with machine_for(target, kernel) as machine:
        machine._uc.mem_map(FAR, FAR_SIZE)
        yield machine


@pytest.mark.slow
@pytest.mark.parametrize("target, kernel, card", [p for p in KERNELS if p.values[0].machine in ("armv6m", "armv7m")])
def test_more_than_16_bits_of_blocks(target, kernel, card):
    """The test checks the first blocks, some around 2^8 and 2^16, and the last. On the other machines size_t has 16
    bits."""
    random = Random(kernel)
    with far(target, kernel) as machine:
        for slot, v, inverse in forms(card, kernel):
            drive = Drive(machine, kernel, v, inverse)
            key, iv, data = random.randbytes(v.key), random.randbytes(v.block), random.randbytes(BEYOND * v.block)
            rk, at = drive.expand(key)[0], machine.ram.start + 64
            machine.write(at, rk), machine.write(at + len(rk), iv)
            machine._uc.mem_write(FAR, data)
            counter = [at + len(rk)] if slot == "ctr" else []
            clean(machine.call(getattr(drive.d, slot), at, *counter, FAR, FAR, BEYOND, limit=1 << 28))
            out = bytes(machine._uc.mem_read(FAR, len(data)))
            for i in (0, 1, 2, 255, 256, 257, 65534, 65535, 65536):
                block = slice(i * v.block, (i + 1) * v.block)
                mode, start = ("ecb", b"") if slot == "bulk" else ("ctr", after(iv, i))
                assert out[block] == expected(v.constant + "_inv" * inverse, mode, key, start, data[block]), (slot, i)
            assert not counter or machine.read(counter[0], v.block) == after(iv, BEYOND)


def test_a_count_of_8_bits_is_noticed():
    """planted_short calls the right slot with the lower byte of the number of blocks."""
    target, kernel = TARGETS["avr"], "hight_avr_flash"
    card = written_for(target)[kernel]
    planted, define = ROOT / "test/kernel/planted_ctr.c", f"-DBROKEN=haechi_{kernel}"
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel, [planted], [define])) as machine:
        drive = Drive(machine, kernel, VARIANTS["HIGHT"][0], False)
        for name, noticed in (("nothing", []), ("short", [256, 257, 300])):
            drive.d = replace(drive.d, ctr=machine.image.address(f"planted_{name}"))
            assert [n for n in COUNTS if not right(drive, "ctr", n, Random(n))] == noticed
