# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels for RISC-V on several cores, each in one configuration: the rows of results/rv32-processors.csv.

Every cycle is one of the core's RTL, with zero wait states. The programs are compiled for the instruction set that the row names.
A call of the RTL must leave the registers and the memory that bench/simulated/rv32.c leaves, whichever core it is, and the cycles
of a call must not depend on the key and the data where the card says so.
"""

from random import Random

import msgspec

from bench.declared.model import VARIANTS, BenchError, Card, Kernel, Target, kernels
from bench.declared.rsp import single_blocks
from bench.made import build
from bench.made.cache import kept
from bench.measured.kernels import BLOCKS, check
from bench.measured.measurement import Measurement
from bench.simulated.drive import Drive
from bench.simulated.rtl import PROCESSORS, Processor
from bench.simulated.rv32 import OnRtl, Rv32

KEYS = 2  # over which cycles must not vary


class ProcessorRow(msgspec.Struct):
    """One call."""

    cipher: str
    kernel: str
    processor: str  # the core and its configuration
    isa: str  # the instruction set of the program
    operation: str  # eks, enc, dec, keystream
    blocks: int
    cycles: int
    cpb: float  # rounded to two decimals


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str, Processor]]:
    """Each assembly kernel on each processor."""
    build.check(target)
    own = [(card, kernel) for card, kernel in kernels(target, ciphers) if card.machine == target.machine]
    return {f"{kernel} on {p.title}, {p.isa}": (card, kernel, p) for card, kernel in own for p in PROCESSORS}


def rows(target: Target, part: tuple[Card, str, Processor]) -> list[ProcessorRow]:
    card, kernel, processor = part
    return measured(target, card, kernel, card.kernels[kernel], processor)


@kept
def measured(target: Target, card: Card, kernel: str, form: Kernel, processor: Processor) -> list[ProcessorRow]:
    program = build.elf(target, processor.isa, card, kernel)
    found = []
    for variant in VARIANTS[card.cipher]:
        with Rv32(program, processor.isa) as simulator:
            check(simulator, kernel, variant, single_blocks(variant.constant))
        with OnRtl(program, processor) as simulator:
            random = Random(variant.cipher)
            keys = [random.randbytes(variant.key) for _ in range(KEYS)]
            forward, inverse = (Drive(simulator, kernel, variant, i) for i in (False, True))
            round_keys, calls = zip(*(forward.expand(key) for key in keys), strict=True)
            seen = {("eks", 1, variant.key): calls}
            for operation, drive in (("enc", forward), ("dec", inverse)):
                expanded = round_keys if forward.d.expand == inverse.d.expand else [inverse.expand(key)[0] for key in keys]
                seen[operation, 1, variant.block] = [drive.crypt(rk, random.randbytes(variant.block))[1] for rk in expanded]
                if drive.d.bulk:
                    size = BLOCKS * variant.block
                    seen[operation, BLOCKS, size] = [drive.bulk(rk, random.randbytes(size))[1] for rk in expanded]
            if forward.d.ctr:
                counter = random.randbytes(variant.block - 1) + b"\0"
                stream = [forward.keystream(rk, counter, BLOCKS)[2] for rk in round_keys]
                seen["keystream", BLOCKS, BLOCKS * variant.block] = stream
        for (operation, blocks, size), calls in seen.items():
            cycles = {call.cycles for call in calls}
            if len(cycles) > 1 and form.constant_time != "no":
                raise BenchError(f"{kernel} on {processor.title}: {operation} takes {sorted(cycles)} cycles, the card says otherwise")
            found.append(
                ProcessorRow(
                    cipher=variant.cipher, kernel=kernel, processor=processor.title, isa=processor.isa, operation=operation,
                    blocks=blocks, cycles=calls[0].cycles, cpb=round(calls[0].cycles / size, 2),
                )
            )  # fmt: skip
    return found


ON_PROCESSORS = Measurement(name="processors", row=ProcessorRow, machines=("rv32",), parts=parts, rows=rows)
