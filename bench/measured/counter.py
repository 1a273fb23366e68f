# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ways to compute counter mode on AVR: when a kernel computes the part of a block that does not depend on the counter,
and what that costs. These are the rows of results/<target>-ctr.csv.

    separately   the slot ctr computes it before the first block, and again where the last byte of the counter wraps
    apart        computed, not measured: `separately` and one more ENC, as if an encryption of its own filled the cache
    inside       the same kernel, built with HAECHI_CTR_INSIDE, computes it during the first encryption
    fixed        nothing is computed: key and nonce are known at build time (tools/fixed_key.py)

A call computes key stream alone, from a counter whose last byte is 0 and does not wrap. `less` says by how many per
cent a way is faster than `separately`. `ahead_from` is the least number of blocks for which one call takes less time
than as many single ENC calls. Stack is in bytes, without the return address of the call.
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
from bench.simulated.simulator import Call, Simulator
from bench.simulated.simulators import open_simulator
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
    """haechi_<cipher>_fixed in a simulator."""

    def __init__(self, simulator: Simulator, variant: Variant):
        self.simulator, self.variant = simulator, variant
        self.function = simulator.image.address(f"haechi_{variant.cipher.partition('-')[0].lower()}_fixed")

    def __call__(
        self, first: int, n: int, data: bytes | None = None, apart: bool = False, asked: int | None = None, **how
    ) -> tuple[bytes, Call]:
        """n blocks from the counter block that ends in `first` on; the key stream where there is no data. asked: how
        many the call is told, where that is not what buffers have."""
        layout = Layout(self.simulator)
        size = n * self.variant.block
        out = layout.room(size) if data is None or apart else layout.place(data, writable=True)
        given = 0 if data is None else layout.place(data) if apart else out
        call = layout.call(self.function, out, given, first, n if asked is None else asked, **how)
        return self.simulator.read(out, size), call


@contextmanager
def fixed_simulator(
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
    with open_simulator(target, chip, build.elf(target, chip, card, kernel, [program])) as simulator:
        yield Fixed(simulator, variant)


def fixed_kernels(target: Target, ciphers: list[str] | None = None) -> list[tuple[Card, str]]:
    """The kernels whose cards name a header for keys that are known at build time."""
    return [(card, kernel) for card, kernel in kernels(target, ciphers) if card.kernels[kernel].fixed]


# ---- Rows.


class Timed(NamedTuple):
    """One way: output and call for each number of blocks in SIZES; ahead is `ahead_from` as above."""

    calls: dict[int, tuple[bytes, Call]]
    ahead: int
    code: int  # bytes


def timed(call: Callable[[int], tuple[bytes, Call]], one: int, code: int) -> Timed:
    """call returns n blocks of key stream. one is the number of cycles of a single ENC."""
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
        with open_simulator(target, target.chip, program) as simulator:
            drive = Drive(simulator, kernel, variant, False)
            rk, _ = drive.expand(key)

            def slot(n: int, drive=drive, rk=rk) -> tuple[bytes, Call]:
                out, _, call = drive.keystream(rk, nonce + b"\0", n)
                return out, call

            def apart(n: int, slot=slot) -> tuple[bytes, Call]:
                out, call = slot(n)
                return out, replace(call, cycles=call.cycles + one)

            code = simulator.image.needs([drive.d.ctr]).code
            if way == "separately":
                one = drive.crypt(rk, nonce + b"\0")[1].cycles
                ways["apart"] = timed(apart, one, code)
            ways[way] = timed(slot, one, code)
    with fixed_simulator(target, card, kernel, variant, key, nonce) as fixed:
        code = fixed.simulator.image.needs([fixed.function]).code
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
