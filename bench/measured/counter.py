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

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from random import Random

import msgspec

from bench.declared.model import VARIANTS, BenchError, Card, Target, Variant, load_cards
from bench.made import build
from bench.simulated.drive import Drive, Layout
from bench.simulated.machine import Call, Machine
from bench.simulated.simulators import open_machine
from tools import fixed_key

TARGETS = ["avr"]
SIZES = 1, 4, 16, 64  # blocks
# Kernel, whether it can be built with HAECHI_CTR_INSIDE, and the end of the name of the header that has its tables
# where key and nonce are fixed.
KERNELS = {
    "LEA": [("lea_avr", True, "")],
    "HIGHT": [("hight_avr_ram_t", True, "_ram"), ("hight_avr_flash", False, "")],
    "ARIA": [("aria_avr_ram", False, "_ram"), ("aria_avr_flash", False, "")],
}
INSIDE = "-DHAECHI_CTR_INSIDE"


class CounterRow(msgspec.Struct):
    """One call, with the columns of results/<target>-ctr.csv in their order."""

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
    target: Target, kernel: str, variant: Variant, key: bytes, nonce: bytes, tables: str = "", chip: str = ""
) -> Iterator[Fixed]:
    """A program that has key and nonce built in, as somebody would who follows the README of src/<cipher>/avr."""
    card = _card(kernel)
    family = card.cipher.lower()
    text = fixed_key.include(variant.cipher, key, nonce)
    folder = build.BUILD / target.name / "fixed" / build.digest(text, tables)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fixed.h").write_text(text)
    program = folder / "fixed.S"
    header = f"../../../../src/{family}/avr/{family}_avr_fixed{tables}.h"
    program.write_text(f'#include "fixed.h"\n#include "{header}"\n')
    chip = chip or target.chip
    with open_machine(target, chip, build.elf(target, chip, card, kernel, [program])) as machine:
        yield Fixed(machine, variant)


def _card(kernel: str) -> Card:
    return next(card for card in load_cards() if kernel in card.kernels)


def _row(
    target: Target, variant: Variant, kernel: str, way: str, call: Call, n: int, beside: int, ahead: int, code: int
) -> CounterRow:
    if call.violations:
        raise BenchError(f"{kernel}, {way}: {'; '.join(call.violations)}")
    return CounterRow(
        cipher=variant.cipher, kernel=kernel, way=way, blocks=n, cycles=call.cycles,
        cpb=round(call.cycles / n / variant.block, 2), less=round(100 * (1 - call.cycles / beside), 2),
        ahead_from=ahead, code_bytes=code, stack_bytes=call.stack, counter=target.counter,
    )  # fmt: skip


def _separately(rows: list[CounterRow], n: int) -> int:
    """Cycles of n blocks; 0 where that is not measured yet."""
    return next((row.cycles for row in rows if (row.way, row.blocks) == ("separately", n)), 0)


def rows(target: Target, family: str) -> list[CounterRow]:
    """All rows of one cipher, key size by key size."""
    if target.name not in TARGETS:
        return []
    found = []
    for kernel, inside, tables in KERNELS[family]:
        card = _card(kernel)
        made: dict[str, list[CounterRow]] = {variant.cipher: [] for variant in VARIANTS[family]}
        streams, enc = {}, {}
        for way, flags in (("separately", []), ("inside", [INSIDE])):
            if way == "inside" and not inside:
                continue
            elf = build.elf(target, target.chip, card, kernel, more_flags=flags)
            with open_machine(target, target.chip, elf) as machine:
                for v in VARIANTS[family]:
                    random, drive = Random(v.cipher), Drive(machine, kernel, v, False)
                    key, nonce = random.randbytes(v.key), random.randbytes(v.block - 1)
                    rk, _ = drive.expand(key)
                    enc.setdefault(v.cipher, drive.crypt(rk, nonce + b"\0")[1].cycles)
                    call = lambda n: drive.keystream(rk, nonce + b"\0", n)  # noqa: B023, E731
                    ahead = next(n for n in count(1) if call(n)[2].cycles < n * enc[v.cipher])
                    for n in SIZES:
                        out, _, c = call(n)
                        if out != streams.setdefault((v.cipher, n), out):
                            raise BenchError(f"{kernel}, {way}: not the same key stream")
                        beside = _separately(made[v.cipher], n) or c.cycles
                        code = machine.image.needs([drive.d.ctr]).code
                        made[v.cipher].append(_row(target, v, kernel, way, c, n, beside, ahead, code))
                    if way == "separately":
                        one = enc[v.cipher]
                        ahead = next(n for n in count(1) if call(n)[2].cycles + one < n * one)
                        for row in made[v.cipher][:]:
                            cycles = row.cycles + one
                            c = replace(call(row.blocks)[2], cycles=cycles)
                            made[v.cipher].append(
                                _row(target, v, kernel, "apart", c, row.blocks, row.cycles, ahead, row.code_bytes)
                            )
        for v in VARIANTS[family]:
            random = Random(v.cipher)
            key, nonce = random.randbytes(v.key), random.randbytes(v.block - 1)
            with fixed_machine(target, kernel, v, key, nonce, tables) as call:
                ahead = next(n for n in count(1) if call(0, n)[1].cycles < n * enc[v.cipher])
                for n in SIZES:
                    out, c = call(0, n)
                    if out != streams[v.cipher, n]:
                        raise BenchError(f"{kernel}, fixed: not the same key stream")
                    beside = _separately(made[v.cipher], n)
                    code = call.machine.image.needs([call.function]).code
                    made[v.cipher].append(_row(target, v, kernel, "fixed", c, n, beside, ahead, code))
        found += [row for rows in made.values() for row in rows]
    return sorted(found, key=lambda row: [v.cipher for v in VARIANTS[family]].index(row.cipher))
