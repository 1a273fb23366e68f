# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulator of Cortex-M0 and Cortex-M0+: the tables of their manuals, what the bench must notice, and the same count
by a second way. Expected cycles are those of Arm DDI 0484C (Cortex-M0+) and DDI 0432C (Cortex-M0), section 3.3."""

import subprocess

import pytest
from kernels import TARGETS, everywhere, machine_for

from bench.declared.model import ROOT, VARIANTS, BenchError
from bench.simulated.cortexm0 import CORES, M0, M0PLUS, Core, cycles
from bench.simulated.cortexm3 import decode
from bench.simulated.drive import Drive
from bench.simulated.simulator import Fault

TARGET = TARGETS["armv6m"]
BASE = 0x08000100


@pytest.fixture(scope="module")
def assemble(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thumb1")

    def assembled(text: str, chip: str = "cortex-m0plus"):
        source, code = folder / "a.s", folder / "a.bin"
        source.write_text(f".syntax unified\n.thumb\n{text}\n")
        subprocess.run(["arm-none-eabi-as", f"-mcpu={chip}", source, "-o", folder / "a.o"], check=True)
        subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", folder / "a.o", code], check=True)
        return decode(code.read_bytes(), BASE)

    return assembled


@pytest.mark.parametrize(
    "text, m0plus, m0",
    [
        ("movs r0, #1", 1, 1), ("mov r0, r9", 1, 1), ("mov pc, lr", 2, 3), ("adds r0, r1, r2", 1, 1), ("add r0, r9", 1, 1),
        ("add pc, r1", 2, 3), ("adcs r0, r1", 1, 1), ("add r0, sp, #4", 1, 1), ("adr r0, .+8", 1, 1), ("sbcs r0, r1", 1, 1),
        ("negs r0, r1", 1, 1), ("muls r0, r1", 1, 1), ("cmp r0, r9", 1, 1), ("ands r0, r1", 1, 1), ("bics r0, r1", 1, 1),
        ("lsls r0, r1, #3", 1, 1), ("rors r0, r1", 1, 1), ("rev16 r0, r1", 1, 1), ("uxtb r0, r1", 1, 1),
        ("ldr r0, [r1, #4]", 2, 2), ("ldrb r0, [r1, r2]", 2, 2), ("ldr r0, [pc, #4]", 2, 2), ("ldr r0, [sp, #4]", 2, 2),
        ("ldm r0!, {r1, r2, r3}", 4, 4), ("ldm r0, {r0, r1}", 3, 3), ("str r0, [r1, #4]", 2, 2), ("strh r0, [r1, r2]", 2, 2),
        ("stm r0!, {r1, r2, r3, r4}", 5, 5), ("push {r4, r5}", 3, 3), ("push {r4-r7, lr}", 6, 6), ("pop {r4, r5}", 3, 3),
        ("pop {r4, r5, pc}", 6, 7), ("b .+8", 2, 3), ("bl .+8", 3, 4), ("bx lr", 2, 3), ("blx r1", 2, 3),
        ("cpsid i", 1, 1), ("mrs r0, apsr", 3, 4), ("dmb", 3, 4), ("nop", 1, 1),
    ],
)  # fmt: skip
def test_table(assemble, text, m0plus, m0):
    found = [cycles(core, assemble(text), taken=False) for core in (M0PLUS, M0)]
    assert found == [m0plus, m0]


def test_a_conditional_branch_counts_when_it_is_taken(assemble):
    branch = assemble("bne .+8")
    assert [cycles(core, branch, taken) for core in (M0PLUS, M0) for taken in (False, True)] == [1, 2, 1, 3]


def test_slow_multiplier(assemble):
    slow = Core("slow", branch=2, link=3, pop_pc=3, special=3, multiply=32)
    assert cycles(slow, assemble("muls r0, r1"), False) == 32


@pytest.mark.parametrize("text", ["eor.w r0, r1, r2", "ldrd r0, r1, [r2]", "cbz r0, .+8", "it eq\naddeq r0, r1"])
def test_other_architectures_are_refused(assemble, text):
    with pytest.raises(BenchError, match="ARMv6-M"):
        cycles(M0PLUS, assemble(text, "cortex-m3"), False)


# ---- In Unicorn.

PLANTED = f"""
#define ALIGNMENT 2
#include "{ROOT}/test/bench/planted.h"
    .syntax unified
    .thumb
PLANT p_nothing
    bx lr
END p_nothing
PLANT p_loop
1:  subs r0, #1
    bne 1b
    bx lr
END p_loop
PLANT p_microseconds
1:  subs r0, #1
    .rept 12
    nop
    .endr
    bne 1b
    bx lr
END p_microseconds
PLANT p_halfword
    ldrh r0, [r0]
    bx lr
END p_halfword
PLANT p_word
    str r1, [r0]
    bx lr
END p_word
"""


@pytest.fixture(scope="module", params=list(CORES))
def machine(request, tmp_path_factory):
    source = tmp_path_factory.mktemp("planted") / "planted.S"
    source.write_text(PLANTED)
    with machine_for(TARGET, "lea_c", request.param, [source]) as machine:
        yield machine


def call(machine, name, *arguments):
    machine.reset()
    return machine.call(machine.image.address(f"p_{name}"), *arguments)


def test_call_and_return_count(machine):
    assert call(machine, "nothing").cycles == {"cortex-m0plus": 3 + 2, "cortex-m0": 4 + 3}[machine.chip]


def test_delay_loops_take_what_is_published(machine):
    """On Cortex-M0+ a subtraction and a branch take 3 cycles, on which busy_wait_at_least_cycles of Raspberry Pi's pico-sdk
    relies. On Cortex-M0 a subtraction, 12 NOPs and a branch take 16, a microsecond at 16 MHz, on which nrf_delay_us of
    Nordic's SDK for nRF51 relies."""
    name, wanted = {"cortex-m0plus": ("loop", 3000), "cortex-m0": ("microseconds", 16000)}[machine.chip]
    assert call(machine, name, 1001).cycles - call(machine, name, 1).cycles == wanted


def test_unaligned_accesses_are_faults(machine):
    """Unicorn itself would execute them."""
    at = machine.ram.start + 64
    for name, bad in (("halfword", 1), ("word", 1), ("word", 2), ("word", 3)):
        call(machine, name, at)
        with pytest.raises(Fault, match="unaligned"):
            call(machine, name, at + bad)


@pytest.mark.parametrize("kernel", ["lea_armv6m", "hight_armv6m", "aria_armv6m"])
def test_runs_count_what_instructions_do(kernel):
    """The cycles of whole blocks, added up along the trace one instruction after another."""
    card = everywhere(TARGET)[kernel]
    for chip, core in CORES.items():
        with machine_for(TARGET, kernel, chip) as machine:
            drive = Drive(machine, kernel, VARIANTS[card.cipher][0], False)
            rk, _ = drive.expand(bytes(16))
            _, found = drive.crypt(rk, bytes(drive.variant.block), trace=True)
            steps = [decode(machine.code(pc, 4), pc) for pc in found.pcs]
            follows = [*(i.address for i in steps[1:]), None]
            added = sum(cycles(core, i, i.end != then) for i, then in zip(steps, follows, strict=True))
            assert found.cycles == core.link + added
