# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HIGHT for Cortex-M: all pairs of a byte and a subkey that F0 and F1 can meet, in both lanes, beside the worst
neighbours; and that the tests notice a missing mask, anywhere in the rounds."""

from functools import cache
from random import Random

import lanes
from marks import LATER
import pytest
from kernels import TARGETS, after, drives, machine_for
from kernels import everywhere as kernels_of

from bench.simulated.cortexm3 import decode
from bench.simulated.simulator import Fault
from spec import hight
from spec.word import in_bytes, words

FUNCTIONS = [
    ("hight_armv7m", "enc"), ("hight_armv7m", "dec"), ("hight_armv7m", "enc_bulk"), ("hight_armv7m", "dec_bulk"),
    ("hight_armv7m", "ctr"), ("hight_armv7m_small", "enc"), ("hight_armv7m_small", "dec"),
    ("hight_armv7m_loop", "enc"), ("hight_armv7m_loop", "dec"), ("hight_armv6m", "enc"), ("hight_armv6m", "dec"),
]  # fmt: skip
SAMPLE = [("hight_armv7m", "enc"), ("hight_armv7m_small", "enc")]
NOP = bytes.fromhex("00bf")


def target_of(kernel: str):
    return TARGETS["armv6m" if "armv6m" in kernel else "armv7m"]


def vector(block: bytes, after: bytes, sk: bytes, first: bytes, last: bytes) -> tuple[bytes, bytes, bytes]:
    """A block, its encryption, and the round keys that lead from one to the other."""
    return lanes.unwhiten(block, first), lanes.whiten(after, last), first + sk + last


def negated(rk: bytes) -> bytes:
    """The round keys with -SK_n where n is odd; SK_0 is byte 4."""
    return rk[:4] + bytes(-k & 255 if n % 2 else k for n, k in enumerate(rk[4:-4])) + rk[-4:]


@cache
def cases() -> list[tuple[bytes, bytes, bytes]]:
    random, found = Random(1), []
    for tests in (lanes.tests_of_F1, lanes.tests_of_F0):
        for block, after, sk in lanes.calls(tests(random), random):
            found.append(vector(block, after, sk, random.randbytes(4), random.randbytes(4)))
    return found


@cache
def few() -> list[tuple[bytes, bytes, bytes]]:
    """Some calls of the tests in even and in odd rounds, some in which whitening carries into ones, and some whose
    encryption has ones in bytes 1 and 4, from which whitening subtracts 0 in byte 0."""
    found, random = cases()[::63], Random(2)
    for made in [0, 255] * 64:
        x = bytearray(random.randbytes(8))
        x[1] = x[4] = 255
        first, last = (bytes([random.randrange(256), 255, *random.randbytes(2)]) for _ in range(2))
        first = first[:2] + b"\0" + first[3:]
        sk = random.randbytes(4 * hight.ROUNDS - 4)
        before = bytes(x)
        for i in range(0, len(sk), 4):
            before = lanes.one_round(before, sk[i : i + 4])
        sk += lanes.leading_to((0, made, 0, 0), before)[:1] + random.randbytes(3)  # makes byte 1 become what is wanted
        if made:
            last = bytes([0, last[1], 255 - before[4], last[3]])
        found.append(vector(bytes(x), lanes.rounds(bytes(x), sk), sk, first, last))
    return found


def test_quick_rounds_are_the_specification_s():
    """Among 64 random blocks of 32 rounds, F0 and F1 take each value of each byte, and carries come both ways."""
    random = Random(3)
    for _ in range(64):
        x, sk = random.randbytes(8), random.randbytes(4 * hight.ROUNDS)
        assert lanes.rounds(x, sk) == in_bytes(hight.rounds(words(x), words(sk)))


class Rounds:
    """One function of a kernel. In bulk both blocks of a pair are the same; in counter mode the block is the first and
    then the second of two counters."""

    def __init__(self, machine, kernel: str, operation: str):
        self.machine, self.inverse = machine, operation.startswith("dec")
        card = kernels_of(target_of(kernel))[kernel]
        drive = drives(machine, kernel, card)[self.inverse]
        self.bulk, self.counts = operation.endswith("bulk"), operation == "ctr"
        self.function = drive.d.bulk if self.bulk else drive.d.ctr if self.counts else drive.d.crypt
        self.rk = machine.ram.start + 3 & ~3
        self.buf = self.rk + drive.d.rk
        self.limit = 10_000
        self.stored = {"standard": bytes, "odd subkeys negated": negated}[card.kernels[kernel].round_keys]

    def right(self, case: tuple[bytes, bytes, bytes]) -> bool:
        given, wanted, rk = case
        if self.inverse:
            given, wanted = wanted, given
        n = 2 if self.bulk else 1
        self.machine.write(self.rk, self.stored(rk))
        if self.counts:
            return all(self.stream(after(given, -i))[8 * i : 8 * i + 8] == wanted for i in (0, 1))
        self.machine.write(self.buf, given * n)
        self.machine.call(self.function, self.rk, *[self.buf] * n, n, limit=self.limit)
        return self.machine.read(self.buf, 8 * n) == wanted * n

    def stream(self, counter: bytes) -> bytes:
        """The key stream of this counter and of the next one."""
        self.machine.write(self.buf, counter)
        self.machine.call(self.function, self.rk, self.buf, self.buf + 8, 0, 2, limit=self.limit)
        return self.machine.read(self.buf + 8, 16)


@pytest.fixture(
    scope="module",
    params=[pytest.param(f, id="-".join(f), marks=pytest.mark.full if f in SAMPLE else LATER) for f in FUNCTIONS],
)
def here(request):
    kernel, operation = request.param
    with machine_for(target_of(kernel), kernel) as machine:
        yield Rounds(machine, kernel, operation)


@pytest.mark.guards("lane_masks", sample="encryption of single blocks")
def test_all_pairs(here):
    assert all(here.right(case) for case in cases())


def unmasked(code: bytes) -> bytes:
    """The instruction without its AND, and with its complement if it has one: a MOV or MVN of the same operand."""
    if len(code) == 2:
        return NOP
    first = {0xEA0: 0xEA4F, 0xEA1: 0xEA4F, 0xEA2: 0xEA6F}[int.from_bytes(code[:2], "little") >> 4]
    return first.to_bytes(2, "little") + code[2:]


@pytest.mark.guards("lane_masks", sample="encryption of single blocks")
def test_every_mask_is_needed(here):
    """A round has five masks: before and after each addition, and for the subkeys."""
    machine, masks = here.machine, []
    symbol = next(s for s in machine.image.needs([here.function]).symbols if s.address == here.function & ~1)
    for address, size in machine.instructions(symbol.address, symbol.size):
        if decode(machine.code(address, size) + bytes(2), address).text.split()[0].split(".")[0] in ("and", "ands", "bic"):
            masks.append((address, size))
    survivors = []
    for address, size in masks:
        machine.patch(address, unmasked(machine.code(address, size)))
        try:
            if all(here.right(case) for case in few()):
                survivors.append(hex(address - symbol.address))
        except Fault:
            pass
        machine.reset()
    assert len(masks) >= 5 and survivors == []
