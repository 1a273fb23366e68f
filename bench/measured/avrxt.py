# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AVR kernels on AVRxt, the core of ATmega4809 and of AVR-DA, -DB and -DD: the rows of results/avr-xt.csv. They are derived,
not measured: no simulator of this core is at hand.

The core executes the same instructions as that of the ATmega128 (AVRe+ in the instruction set manual, Microchip DS40002198), and
some take other numbers of cycles. simavr traces a call on the ATmega128, and each executed instruction whose number differs
changes the count by the difference of the manual's columns AVRe and AVRxt, for program counters of 16 bits and internal RAM.
"""

from collections import Counter
from random import Random

import msgspec

from bench.declared.model import ROOT, VARIANTS, Card, Target, kernels
from bench.made import build
from bench.made.cache import kept
from bench.measured.measurement import Measurement
from bench.simulated.drive import Drive
from bench.simulated.simulator import Call, Simulator
from bench.simulated.simulators import open_simulator

# Mask and value of the first word, and the cycles that AVRxt takes more than AVRe. Everything else takes as many.
DIFFERENCES = [
    (0xFE0F, 0x920F, -1),  # PUSH
    (0xFE0F, 0x9000, +1),  # LDS
    (0xD200, 0x8200, -1),  # STD and ST with Y or Z
    (0xFE0F, 0x9201, -1),  # ST Z+
    (0xFE0F, 0x9202, -1),  # ST -Z
    (0xFE0F, 0x9209, -1),  # ST Y+
    (0xFE0F, 0x920A, -1),  # ST -Y
    (0xFE0F, 0x920C, -1),  # ST X
    (0xFE0F, 0x920D, -1),  # ST X+
    (0xFE0F, 0x920E, -1),  # ST -X
    (0xFE0E, 0x940E, -1),  # CALL
    (0xF000, 0xD000, -1),  # RCALL
    (0xFFFF, 0x9509, -1),  # ICALL
    (0xFD00, 0x9800, -1),  # CBI and SBI
]


class DerivedRow(msgspec.Struct):
    """One call."""

    cipher: str
    kernel: str
    operation: str  # eks, dks, enc, dec
    cycles: int  # derived for AVRxt
    cpb: float  # rounded to two decimals
    avre_cycles: int  # counted on the ATmega128
    counter: str = "derived from a trace by the columns AVRe and AVRxt of Microchip DS40002198"


def difference(word: int) -> int:
    """The cycles that the instruction which begins with this word takes more on AVRxt."""
    return next((more for mask, value, more in DIFFERENCES if word & mask == value), 0)


def derived(simulator: Simulator, call: Call) -> int:
    """The cycles of a traced call, with those of the CALL that the bench adds."""
    times = Counter(call.pcs)
    words = {pc: int.from_bytes(simulator.code(pc, 2), "little") for pc in times}
    return call.cycles + difference(0x940E) + sum(n * difference(words[pc]) for pc, n in times.items())


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str]]:
    build.check(target)
    return {f"{kernel} on AVRxt": (card, kernel) for card, kernel in kernels(target, ciphers) if card.path.is_relative_to(ROOT / "src")}


def rows(target: Target, part: tuple[Card, str]) -> list[DerivedRow]:
    return traced(target, *part)


@kept
def traced(target: Target, card: Card, kernel: str) -> list[DerivedRow]:
    found = []
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel)) as simulator:
        for variant in VARIANTS[card.cipher]:
            random = Random(variant.cipher)
            key, block = random.randbytes(variant.key), random.randbytes(variant.block)
            for inverse, schedule, crypt in ((False, "eks", "enc"), (True, "dks", "dec")):
                drive = Drive(simulator, kernel, variant, inverse)
                rk, call = drive.expand(key, trace=True)
                calls = [(schedule, call, variant.key), (crypt, drive.crypt(rk, block, trace=True)[1], variant.block)]
                for operation, call, size in calls:
                    cycles = derived(simulator, call)
                    found.append(
                        DerivedRow(
                            cipher=variant.cipher, kernel=kernel, operation=operation, cycles=cycles,
                            cpb=round(cycles / size, 2), avre_cycles=call.cycles,
                        )
                    )  # fmt: skip
    return found


AVRXT = Measurement(name="xt", row=DerivedRow, machines=("avr",), parts=parts, rows=rows)
