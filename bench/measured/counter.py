# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ways to counter mode on AVR: where what the counter leaves alone is worked out, and what it costs.

    separately   the slot ctr: apart from the blocks, before the first and where the last byte wraps
    apart        computed, not measured: `separately` and one ENC more, for a table that an encryption of its own makes
    inside       the same kernel built with HAECHI_CTR_INSIDE: while the first block is enciphered
    fixed        nothing is worked out: key and nonce are known at build time (tools/fixed_key.py)

Key stream alone, from a counter that does not wrap meanwhile. `less`: per cent below `separately`. `ahead_from`: from
so many blocks on one call takes less than as many single ENC, in which nobody has counted yet. Stack: bytes of the
call, without its return address.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from random import Random
from typing import NamedTuple

import msgspec

from bench.declared.model import VARIANTS, BenchError, Card, Target, Variant, kernels
from bench.made import build
from bench.made.cache import digest, kept
from bench.measured.measurement import Measurement
from bench.simulated.drive import Drive, Layout
from bench.simulated.machine import Call, Machine
from bench.simulated.simulators import open_machine
from tools import fixed_key

SIZES = 1, 4, 16, 64  # blocks
INSIDE = "-DHAECHI_CTR_INSIDE"


class CounterRow(msgspec.Struct):
    """One call."""

    cipher: str
    kernel: str
    way: str
    blocks: int
    cycles: int
    cpb: float
    less: float
    ahead_from: int
    code_bytes: int
    stack_bytes: int
    counter: str


class Fixed:
    """haechi_<cipher>_fixed in a machine."""

    def __init__(self, machine: Machine, variant: Variant):
        self.machine, self.variant = machine, variant
        self.function = machine.image.address(f"haechi_{variant.cipher.partition('-')[0].lower()}_fixed")

    def __call__(
        self, first: int, n: int, data: bytes | None = None, apart: bool = False, asked: int | None = None, **how
    ) -> tuple[bytes, Call]:
        """n blocks from the counter block that ends in `first` on; the key stream where there is no data. asked: how
        many the call is told, where that is not what buffers have."""
        layout = Layout(self.machine)
        size = n * self.variant.block
        out = layout.room(size) if data is None or apart else layout.place(data, writable=True)
        given = 0 if data is None else layout.place(data) if apart else out
        call = layout.call(self.function, out, given, first, n if asked is None else asked, **how)
        return self.machine.read(out, size), call


@contextmanager
def fixed_machine(
    target: Target, card: Card, kernel: str, variant: Variant, key: bytes, nonce: bytes, chip: str = ""
) -> Iterator[Fixed]:
    """A program that has key and nonce built in, as somebody would who follows docs/fixed.md."""
    text = fixed_key.include(variant.cipher, key, nonce)
    header = card.folder / card.kernels[kernel].fixed
    folder = build.BUILD / target.name / "fixed" / digest(text, str(header))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fixed.h").write_text(text)
    program = folder / "fixed.S"
    program.write_text(f'#include "fixed.h"\n#include "{header}"\n')
    chip = chip or target.chip
    with open_machine(target, chip, build.elf(target, chip, card, kernel, [program])) as machine:
        yield Fixed(machine, variant)


def fixed_kernels(target: Target, ciphers: list[str] | None = None) -> list[tuple[Card, str]]:
    """The kernels whose cards name a header for keys that are known at build time."""
    return [(card, kernel) for card, kernel in kernels(target, ciphers) if card.kernels[kernel].fixed]


# ---- Rows.


class Timed(NamedTuple):
    """One way: output and call for each number of blocks in SIZES, and from how many blocks on it is ahead."""

    calls: dict[int, tuple[bytes, Call]]
    ahead: int
    code: int  # bytes


def timed(call: Callable[[int], tuple[bytes, Call]], one: int, code: int) -> Timed:
    """call: gives n blocks of key stream. one: cycles of a single ENC."""
    ahead = next(n for n in count(1) if call(n)[1].cycles < n * one)
    return Timed({n: call(n) for n in SIZES}, ahead, code)


def by_way(target: Target, card: Card, kernel: str, variant: Variant) -> dict[str, Timed]:
    """All ways of one kernel and key size, under one key and nonce."""
    random, ways = Random(variant.cipher), {}
    key, nonce = random.randbytes(variant.key), random.randbytes(variant.block - 1)
    for way, flags in (("separately", []), ("inside", [INSIDE])):
        if way == "inside" and not card.kernels[kernel].ctr_inside:
            continue
        program = build.elf(target, target.chip, card, kernel, more_flags=flags)
        with open_machine(target, target.chip, program) as machine:
            drive = Drive(machine, kernel, variant, False)
            rk, _ = drive.expand(key)

            def slot(n: int, drive=drive, rk=rk) -> tuple[bytes, Call]:
                out, _, call = drive.keystream(rk, nonce + b"\0", n)
                return out, call

            def apart(n: int, slot=slot) -> tuple[bytes, Call]:
                out, call = slot(n)
                return out, replace(call, cycles=call.cycles + one)

            code = machine.image.needs([drive.d.ctr]).code
            if way == "separately":
                one = drive.crypt(rk, nonce + b"\0")[1].cycles
                ways["apart"] = timed(apart, one, code)
            ways[way] = timed(slot, one, code)
    with fixed_machine(target, card, kernel, variant, key, nonce) as fixed:
        code = fixed.machine.image.needs([fixed.function]).code
        ways["fixed"] = timed(lambda n: fixed(0, n), one, code)
    return {way: ways[way] for way in ("separately", "apart", "inside", "fixed") if way in ways}


@kept
def measured(target: Target, card: Card, kernel: str) -> list[CounterRow]:
    """The rows of one kernel."""
    found = []
    for v in VARIANTS[card.cipher]:
        ways = by_way(target, card, kernel, v)
        for way, (calls, ahead, code) in ways.items():
            for n, (out, call) in calls.items():
                stream, beside = ways["separately"].calls[n]
                if call.violations:
                    raise BenchError(f"{kernel}, {way}: {'; '.join(call.violations)}")
                if out != stream:
                    raise BenchError(f"{kernel}, {way}: not the same key stream")
                found.append(
                    CounterRow(
                        cipher=v.cipher, kernel=kernel, way=way, blocks=n, cycles=call.cycles,
                        cpb=round(call.cycles / n / v.block, 2), less=round(100 * (1 - call.cycles / beside.cycles), 2),
                        ahead_from=ahead, code_bytes=code, stack_bytes=call.stack, counter=target.counter,
                    )
                )  # fmt: skip
    return found


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str]]:
    build.check(target)
    return {f"counter mode of {kernel}": (card, kernel) for card, kernel in fixed_kernels(target, ciphers)}


def rows(target: Target, part: tuple[Card, str]) -> list[CounterRow]:
    return measured(target, *part)


WAYS = Measurement(name="ctr", row=CounterRow, machines=("avr",), parts=parts, rows=rows)
