# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The figures of RISC-V kernels on several cores: results/rv32-processors.csv against other ways to count the same."""

import pytest
from kernels import TARGETS, written_for

from bench.declared.model import VARIANTS
from bench.made import build
from bench.measured.kernels import KERNELS
from bench.measured.processors import ON_PROCESSORS, ProcessorRow, measured
from bench.simulated.drive import Drive
from bench.simulated.rtl import PROCESSORS
from bench.simulated.rv32 import Rv32

pytestmark = pytest.mark.full

RV32 = TARGETS["rv32"]
ROWS = ON_PROCESSORS.read("rv32")


def test_every_kernel_stands_on_every_processor():
    there = {(row.kernel, row.cipher, row.processor, row.isa) for row in ROWS}
    assert there == {
        (kernel, v.cipher, p.title, p.isa)
        for kernel, card in written_for(RV32).items() for v in VARIANTS[card.cipher] for p in PROCESSORS
    }  # fmt: skip


def test_rows_of_ibex_are_those_of_its_own_page():
    page = {(r.kernel, r.cipher, r.operation, r.blocks): r.cycles for r in KERNELS.read("rv32")}
    rows = [row for row in ROWS if (row.processor, row.isa) == (PROCESSORS[0].title, PROCESSORS[0].isa)]
    slots = [row for row in rows if row.blocks == 1 or row.operation == "keystream"]
    assert slots and all(page[r.kernel, r.cipher, r.operation, r.blocks] == r.cycles for r in slots)


@pytest.mark.parametrize("kernel", written_for(RV32))
def test_rows_with_zbb_are_what_the_model_predicts(kernel):
    """Without RTL: bench/simulated/rv32.c predicts the cycles of Ibex with RV32BBalanced."""
    card, processor = written_for(RV32)[kernel], PROCESSORS[1]
    variant = VARIANTS[card.cipher][0]
    with Rv32(build.elf(RV32, processor.isa, card, kernel), processor.isa) as simulator:
        drive = Drive(simulator, kernel, variant, False)
        rk, expanded = drive.expand(bytes(variant.key))
        cycles = {"eks": expanded.cycles, "enc": drive.crypt(rk, bytes(variant.block))[1].cycles}
    rows = {r.operation: r.cycles for r in ROWS if (r.kernel, r.cipher, r.processor, r.blocks) == (kernel, variant.cipher, processor.title, 1)}
    assert {operation: rows[operation] for operation in cycles} == cycles


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, len(PROCESSORS)))
def test_rows_are_what_the_rtl_counts(number):
    """Anew, for the kernels of LEA."""
    for kernel, card in written_for(RV32).items():
        if card.cipher == "LEA":
            fresh: list[ProcessorRow] = measured(RV32, card, kernel, card.kernels[kernel], PROCESSORS[number])
            assert all(row in ROWS for row in fresh), kernel
