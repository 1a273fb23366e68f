# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulator of Cortex-M: each rule of the timing model, what Unicorn must execute correctly, and what the bench
must notice.

The numbers of cycles are the manual's (Arm DDI 0337I, 3.3). Where it gives none, the test says what the model decides.
"""

import os
import subprocess
from pathlib import Path
from random import Random

import pytest

from bench.declared.model import ROOT, VARIANTS, BenchError, kernels, load_targets
from bench.made import build
from bench.declared.rsp import single_blocks
from bench.measured.kernels import check
from bench.simulated import cortexm3
from bench.simulated.armv7m import FLASH, CortexM
from bench.simulated.cortexm3 import IMMEDIATE, LOADED, REGISTER, Instruction, Step, cycles, decode, unaligned
from bench.simulated.simulator import EVERY, Fault

TARGET = load_targets()["armv7m"]
EVERYWHERE = {kernel: card for card, kernel in kernels(TARGET)}
HOST = "lea_c"  # any kernel, for a machine
BASE = 0x08000100


@pytest.fixture(scope="module")
def assemble(tmp_path_factory):
    """Instructions of Thumb-2 code at BASE, all of them executed."""
    folder = tmp_path_factory.mktemp("thumb")

    def assembled(text: str, chip: str = "cortex-m3", base: int = BASE) -> list[Instruction]:
        source, code = folder / "a.s", folder / "a.bin"
        source.write_text(".syntax unified\n.thumb\n" + text.replace(";", "\n") + "\n")
        subprocess.run(["arm-none-eabi-as", f"-mcpu={chip}", source, "-o", folder / "a.o"], check=True)
        subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", folder / "a.o", code], check=True)
        data, found, block = code.read_bytes(), [], 0
        while len(data) > (at := sum(i.size for i in found)):
            found.append(decode(data[at : at + 4], base + at, block > 0))
            block = found[-1].block or max(0, block - 1)
        return found

    return assembled


@pytest.fixture
def count(assemble):
    """The cycles of code in a full pipeline: those with four NOPs of 16 bits before it, less those of the NOPs."""

    def counted(text: str) -> int:
        before = "nop; nop; nop; nop;"
        return cycles([Step(i) for i in assemble(before + text)]) - cycles([Step(i) for i in assemble(before)])

    return counted


# ---- 3.3.1, the table.


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("add r0, r1, r2", 1),
        ("add r0, r1, r2, ror #7", 1),
        ("mul r0, r1, r2", 1),
        ("mla r0, r1, r2, r3", 2),
        ("mls r0, r1, r2, r3", 2),
        ("umull r0, r1, r2, r3", 5),
        ("smull r0, r1, r2, r3", 5),
        ("umlal r0, r1, r2, r3", 7),
        ("udiv r0, r1, r2", 12),
        ("movw r0, #1234", 1),
        ("ubfx r0, r1, #3, #8", 1),
        ("uxtb r0, r1, ror #16", 1),
        ("rev r0, r1", 1),
        ("nop", 1),
        ("ldr r0, [r1]", 2),
        ("ldrb r0, [r1, r2]", 2),
        ("ldrh r0, [r1, #2]!", 2),
        ("ldr r0, [r1, r2, lsl #2]", 2),
        ("str r0, [r1]", 1),  # 3.3.2: always one cycle with an immediate offset
        ("strb r0, [r1], #1", 1),
        ("str r0, [r1, r2]", 2),
        ("ldrd r0, r1, [r2]", 3),
        ("strd r0, r1, [r2]", 3),
        ("ldm r0, {r1, r2, r3}", 4),
        ("ldm r0!, {r1, r2, r3}", 4),
        ("stm r0!, {r1, r2, r3, r4, r5, r6, r7, r8}", 9),  # "an eight element store takes nine"
        ("push {r4, r5, lr}", 4),
        ("pop {r4, r5}", 3),
    ],
)
def test_by_itself(count, code, wanted):
    assert count(code) == wanted


# ---- 3.3.2, loads and stores.


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("ldr r0, [r1]; ldr r1, [r2]", 3),  # the manual's four examples
        ("ldr r0, [r1, r2]; str r0, [r3, #20]", 3),
        ("ldr r0, [r1, r2]; str r1, [r3, r2]", 3),
        ("ldr r0, [r1, r5]; ldr r1, [r2]; ldr r2, [r3, #4]", 4),
        ("ldr r0, [r1]; ldr r2, [r0]", 4),  # "the destination of the first" makes the next address
        ("ldr r0, [r1], #4; ldr r2, [r1]", 4),
        ("ldr r0, [r1]; ldr r2, [r1], #4", 4),  # the model: only the first of a chain may write back
        ("ldr r0, [r1]; add r2, r2, r0; ldr r3, [r4]", 5),  # the loads do not follow one another
        ("ldr r0, [r1]; ldr.w r2, [r3]", 4),  # the model: one that straddles words is no neighbour either
        ("ldr.w r0, [r1]; ldr.w r2, [r3]", 3),
        ("ldr r0, [r1]; ldm r2, {r3, r4}", 5),  # LDM, LDRD: not "with preceding or following instructions"
        ("ldm r2, {r3, r4}; ldr r0, [r1]", 5),
        ("ldrd r2, r3, [r4]; ldr r0, [r1]", 5),
        ("str r0, [r1, r2]; ldr r3, [r4]", 4),  # "nothing can be pipelined after the store"
        ("str r0, [r1]; str r2, [r3]", 2),
        ("str r0, [r1]; ldr r2, [r3]", 4),  # the model: the data of the store come first
        ("str r0, [r1]; add r2, r3; ldr r2, [r3]", 4),
        ("ldr r0, [r1]; str r2, [r3]", 2),  # the model: hidden behind the load
        ("add r0, r1, #4; ldr r2, [r0]", 4),  # an address "dependent on the result of a preceding data processing"
        ("add r0, r1, #4; ldr r2, [r3, r0]", 4),
        ("add r0, r1, #4; str r2, [r0]", 3),
        ("add r0, r1, #4; str r0, [r2]", 2),  # data are no address
        ("add r0, r1, #4; ldm r0, {r1, r2}", 5),
        ("add r0, r1, #4; mov r1, r1; ldr r2, [r0]", 4),
        ("ldr r0, [r1]; add r0, r0, #1", 3),  # no stall on the use of loaded data
    ],
)
def test_neighbours(count, code, wanted):
    assert count(code) == wanted


@pytest.mark.parametrize(
    "address, size, extra",
    [(0, 4, 0), (2, 4, 1), (1, 4, 2), (3, 4, 2), (0, 2, 0), (1, 2, 1), (3, 2, 1), (3, 1, 0)],
)
def test_unaligned_accesses(assemble, address, size, extra):
    """3.3.2: halfwords at odd addresses and words at other even addresses take one cycle more, words at odd addresses
    two."""
    assert unaligned(0x20000000 + address, size) == extra
    load = assemble("ldr r0, [r1]")
    assert cycles([Step(load[0], extra=extra)]) == cycles([Step(load[0])]) + extra


# ---- 3.3.1, P: the refill of the pipeline.


@pytest.mark.parametrize(
    "asked, target, at, refill",
    [
        (IMMEDIATE, "nop", 0, 1),
        (IMMEDIATE, "nop", 2, 1),
        (IMMEDIATE, "nop.w", 0, 1),
        (IMMEDIATE, "nop.w", 2, 2),  # straddles two words
        (REGISTER, "nop", 0, 2),
        (REGISTER, "nop.w", 2, 3),
        (LOADED, "nop", 0, 3),
    ],
)
def test_refill(assemble, asked, target, at, refill):
    assert cycles([Step(i) for i in assemble(target, base=BASE + at)], asked) == refill + 1


def test_how_branches_ask(assemble):
    """LDR PC takes at least five cycles, TBB six: 3.3.2."""
    asks = {"b .": (1, IMMEDIATE), "bl .": (1, IMMEDIATE), "cbz r0, .+8": (1, IMMEDIATE), "bne .": (1, IMMEDIATE),
            "bx lr": (1, REGISTER), "blx r3": (1, REGISTER), "mov pc, r3": (1, REGISTER),
            "ldr pc, [r0]": (2, LOADED), "pop {r4, pc}": (3, LOADED), "tbb [pc, r0]": (3, LOADED)}  # fmt: skip
    for text, (own, asked) in asks.items():
        branch = assemble(text)[0]
        assert (branch.cycles, branch.asked) == (own, asked), text
        assert branch.always == (text.split()[0] not in ("cbz", "bne")), text


def test_wide_instructions_keep_up_with_fetch(count):
    """The bus fetches a word a cycle. Aligned or not, successive 32-bit instructions take a cycle each once the buffer
    is full."""
    assert count("nop.w;" * 40) == 40
    assert count("nop;" + "nop.w;" * 40) == 41


def test_straddling_at_once_after_a_branch_costs_once(assemble):
    code = "nop.w;" * 10
    aligned = cycles([Step(i) for i in assemble(code)])
    assert cycles([Step(i) for i in assemble(code, base=BASE + 2)]) == aligned + 1


# ---- IT.


def test_it_is_folded_into_an_instruction_of_16_bits(count):
    assert count("cmp r0, #0; it eq; addeq r1, r2") == 2
    assert count("cmp.w r0, #0; it eq; addeq r1, r2") == 3


def test_what_is_skipped_takes_a_cycle(assemble):
    code = assemble("cmp r0, #0; itt eq; ldreq r1, [r2]; ldmeq r3, {r4, r5}")
    skipped = [Step(i, skipped=i.conditional) for i in code]
    assert cycles(skipped) - cycles(skipped[:2]) == 2


# ---- Wait states, which show a trend.


@pytest.mark.parametrize("code", ["nop;" * 30, "nop.w;" * 30, "ldr r0, [r1];" * 30, "ldr r0, [pc, #8]; nop; nop; nop;"])
def test_wait_states_never_help(assemble, code):
    steps = [Step(i) for i in assemble(code)]
    counts = [cycles(steps, wait_states=w) for w in range(6)]
    assert counts == sorted(counts) and counts[0] < counts[5]


# ---- In Unicorn: functions planted in a program.

PLANTED = f'#define ALIGNMENT 2\n#include "{ROOT}/test/bench/planted.h"\n' + """
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
PLANT p_fifth
    ldr r0, [sp]
    bx lr
END p_fifth
PLANT p_stack
    push {r4-r7, lr}
    sub sp, #12
    bl p_nothing
    add sp, #12
    pop {r4-r7, pc}
END p_stack
PLANT p_mixed                   @ r0: a table, r1: how often, r2: odd bits choose
    push {r4, lr}
    movs r3, #0
1:  tst r2, r1
    ite ne
    ldrne r4, [r0, #4]
    ldrheq r4, [r0, #2]
    it eq
    addeq r4, r4, r3, ror #5
    adds r3, r4, r3
    adc r3, r3, r1
    cbz r4, 2f
    eor r3, r4, r3, ror #27
2:  subs r1, #1
    bhs 1b
    mov r0, r3
    pop {r4, pc}
END p_mixed
PLANT p_word
    ldr r0, [r0]
    bx lr
END p_word
PLANT p_half
    ldrh r0, [r0]
    bx lr
END p_half
PLANT p_two
    ldm r0, {r0, r1}
    bx lr
END p_two
PLANT p_double
    ldrd r0, r1, [r0]
    bx lr
END p_double
PLANT p_store_two
    strd r0, r1, [r0]
    bx lr
END p_store_two
PLANT p_store
    str r1, [r0]
    bx lr
END p_store
PLANT p_kills
    mov r6, #1
    sub sp, #8
    bx lr
END p_kills
PLANT p_cpsid
    cpsid i
    bx lr
END p_cpsid
PLANT p_udf
    udf #1
END p_udf
PLANT p_hang
    b p_hang
END p_hang
PLANT p_jump
    bx r0
END p_jump
PLANT p_below                   @ wrong: an interrupt may spoil what is below the stack pointer
    str r0, [sp, #-8]
    nop
    ldr r0, [sp, #-8]
    bx lr
END p_below
PLANT p_uxtb
    uxtb r2, r0, ror #16
    uxtb r3, r1, ror #8
    add r0, r2, r3
    bx lr
END p_uxtb
PLANT p_bits
    ubfx r2, r0, #5, #9
    bfi r2, r1, #12, #7
    rev r0, r2
    rev16 r1, r1
    eor r0, r0, r1
    rbit r1, r0
    add r0, r0, r1, ror #31
    bx lr
END p_bits
PLANT p_carry                   @ the top of r0:r1 + r1:r0, and what the carry was
    adds r2, r1, r0
    adcs r0, r0, r1
    sbc r1, r2, r0
    rrx r2, r1
    orn r0, r0, r2
    bx lr
END p_carry
PLANT p_literal
    ldr r0, =0x12345678
    b 1f
    .word 0xffffffff
    .pool
1:  nop
    bx lr
END p_literal
PLANT p_masked                  @ as below, with interrupts off
    cpsid i
    str r0, [sp, #-8]
    ldr r0, [sp, #-8]
    cpsie i
    bx lr
END p_masked
PLANT p_same
    movs r0, #1
    bx lr
END p_same
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("planted") / "planted.S"
    path.write_text(PLANTED)
    return path


@pytest.fixture(scope="module", params=[TARGET.chip, *TARGET.test_chips])
def anywhere(request, source):
    with CortexM(build.elf(TARGET, request.param, EVERYWHERE[HOST], HOST, [source]), request.param) as machine:
        yield machine


@pytest.fixture(scope="module")
def machine(source):
    with CortexM(build.elf(TARGET, TARGET.chip, EVERYWHERE[HOST], HOST, [source]), TARGET.chip) as machine:
        yield machine


def call(machine, name, *arguments, **how):
    machine.reset()
    return machine.call(machine.image.address(f"p_{name}"), *arguments, **how)


def test_call_and_return_count(machine):
    """BL takes 1 cycle and 1 to refill, BX 1 and 2."""
    found = call(machine, "nothing")
    assert (found.cycles, found.instructions, found.stack, found.return_bytes) == (5, 1, 0, 0)
    assert found.violations == []


def test_delay_loop(machine):
    """3 cycles a turn, as published for hardware: delayMicroseconds of Arduino's SAM core (Cortex-M3) relies on it."""
    assert call(machine, "loop", 1001).cycles - call(machine, "loop", 1).cycles == 3000


def test_a_fifth_argument_stands_at_the_stack_pointer(machine):
    assert call(machine, "fifth", 1, 2, 3, 4, 0x1234).result == 0x1234
    with pytest.raises(BenchError, match="arguments"):
        call(machine, "fifth", *range(7))


def test_stack(machine):
    assert call(machine, "stack").stack == 20 + 12


def one_by_one(machine, pcs):
    """The cycles of the last call by the model without runs: one instruction with its accesses after another."""
    in_block, steps, total, asked = set(), [], 1, IMMEDIATE
    accesses = [(a.pc, a.address, a.size) for a in machine._call.accesses[: machine._call.n_accesses] if a.kind][::-1]
    for number, pc in enumerate(pcs):
        i = decode(machine.code(pc, 4), pc, pc in in_block)
        extra = 0
        while accesses and accesses[-1][0] == pc:
            extra += unaligned(*accesses.pop()[1:])
            if i.kind != cortexm3.MULTIPLE:
                break  # the next instruction belongs to the next turn of a loop
        steps.append(Step(i, extra=extra))
        hole = i.end
        for _ in range(i.block):
            in_block.add(hole)
            hole = decode(machine.code(hole, 4), hole).end
        hole, after = i.end, pcs[number + 1] if number + 1 < len(pcs) else 0
        while hole < after and hole in in_block:
            steps.append(Step(decode(machine.code(hole, 4), hole, True), skipped=True))
            hole = steps[-1].instruction.end
        if hole != after:
            total, steps, asked = total + cycles(steps, asked), [], i.asked
    assert not accesses
    return total + asked + cortexm3.FETCH + 1


@pytest.mark.parametrize("bits", [0, 5, 0xAAAAAAAA, 0xFFFFFFFF])
def test_runs_count_as_single_instructions_do(machine, bits):
    start = machine.ram.start + 8 & ~7
    machine.reset()
    machine.write(start, bytes(range(16)))
    quick = machine.call(machine.image.address("p_mixed"), start, 40, bits)
    traced = machine.call(machine.image.address("p_mixed"), start, 40, bits, trace=True)
    assert quick.cycles == traced.cycles == one_by_one(machine, traced.pcs)


@pytest.mark.parametrize("kernel", EVERYWHERE)
def test_runs_of_kernels_count_as_single_instructions_do(kernel):
    card = EVERYWHERE[kernel]
    with CortexM(build.elf(TARGET, TARGET.chip, card, kernel), TARGET.chip) as machine:
        variant = VARIANTS[card.cipher][0]
        d = machine.descriptor(f"{kernel}{variant.suffix}")
        rk = machine.ram.start + 64 & ~7
        for function, arguments in ((d.expand, (rk, rk + d.rk)), (d.crypt, (rk, rk + d.rk + 32))):
            traced = machine.call(function, *arguments, trace=True)
            assert traced.cycles == one_by_one(machine, traced.pcs)


def test_unaligned_loads_take_longer(machine):
    start = machine.ram.start + 4096 & ~4095
    base = call(machine, "word", start).cycles
    for at in (start - 4, start - 3, start - 2, start - 1, start + 1, start + 2):  # also across a page
        found = call(machine, "word", at, trace=True)
        assert found.cycles == base + unaligned(at, 4) and [a.address for a in found.accesses] == [at]
    assert call(machine, "half", start + 1).cycles == call(machine, "half", start).cycles + 1


@pytest.mark.parametrize("name", ["two", "double", "store_two"])
def test_unaligned_multiples_are_faults(machine, name):
    start = machine.ram.start + 64 & ~7
    call(machine, name, start)
    for off in (1, 2, 3):
        with pytest.raises(Fault) as fault:
            call(machine, name, start + off)
        assert fault.value.kind == "unaligned"


@pytest.mark.parametrize(
    "name, argument, kind",
    [
        ("word", 0, "data outside RAM"),
        ("word", 0x20000000 + (20 << 10), "data outside RAM"),
        ("store", 0x1FFFFFFC, "data outside RAM"),
        ("store", FLASH + 64, "write to flash"),
        ("udf", 0, "opcode"),
        ("hang", 0, "limit"),
        ("jump", 0x20000101, "pc outside flash"),
        ("jump", 0x101, "pc outside flash"),
    ],
)
def test_fault_is_noticed_and_over(machine, name, argument, kind):
    with pytest.raises(Fault) as fault:
        call(machine, name, argument, limit=10_000)
    assert fault.value.kind == kind
    assert call(machine, "same").result == 1


def test_breaches_of_the_convention_are_noticed(machine):
    assert call(machine, "kills").violations == ["r6 is not as it was", "the stack pointer is off by -8"]
    assert call(machine, "cpsid").violations == ["interrupts are off"]
    assert call(machine, "same").violations == []


def test_interrupts(machine):
    for boundary in range(4):
        found = call(machine, "below", 77, interrupt=boundary)
        assert found.interrupts == 1 and (found.result == 77) == (boundary in (0, 3))
    assert call(machine, "below", 77).result == 77
    masked = call(machine, "masked", 77, interrupt=EVERY)
    assert masked.result == 77 and 0 < masked.interrupts < masked.instructions
    quiet = call(machine, "stack")
    found = call(machine, "stack", interrupt=EVERY)
    assert found.interrupts == found.instructions and found.violations == []
    assert (found.cycles, found.stack) == (quiet.cycles, quiet.stack)


def test_patched_code_runs_and_is_whole_again(machine):
    address = machine.image.address("p_same")
    assert call(machine, "same").result == 1
    machine.patch(address, machine.nop(2))
    assert machine.call(address, 7).result == 7
    assert call(machine, "same").result == 1
    word = machine.image.address("p_uxtb")
    assert [size for _, size in machine.instructions(word, 8)] == [4, 4]
    machine.patch(word, machine.nop(4))
    machine.call(word, 7)


def test_literals_are_no_instructions(machine):
    first = machine.image.address("p_literal")
    assert [at - first for at, _ in machine.instructions(first, 16)] == [0, 2, 12, 14]
    assert call(machine, "literal").result == 0x12345678


def ror(x, n):
    return (x >> n | x << 32 - n) & 0xFFFFFFFF


def test_instructions_that_kernels_rely_on(anywhere):
    """On every chip: rotated bytes, bit fields, carries, IT."""
    random, mask = Random(1), 0xFFFFFFFF
    for _ in range(20):
        a, b = random.getrandbits(32), random.getrandbits(32)
        assert call(anywhere, "uxtb", a, b).result & mask == ((a >> 16 & 255) + (b >> 8 & 255)) & mask
        x = a >> 5 & 511
        x = x & ~(127 << 12) | (b & 127) << 12
        x = int.from_bytes(x.to_bytes(4, "little"), "big")
        x ^= (b & 0xFF00FF) << 8 | b >> 8 & 0xFF00FF
        x = x + ror(int(f"{x:032b}"[::-1], 2), 31) & mask
        assert call(anywhere, "bits", a, b).result & mask == x
        low = a + b
        high = a + b + (low >> 32)
        x = (low & mask) - (high & mask) - (1 - (high >> 32)) & mask
        x = high & mask | ~(x >> 1 | (high >> 32) << 31) & mask
        assert call(anywhere, "carry", a, b).result & mask == x
    start = anywhere.ram.start + 8 & ~7
    for bits in (0, 3, mask):
        anywhere.reset()
        table = random.randbytes(16)
        anywhere.write(start, table)
        found = anywhere.call(anywhere.image.address("p_mixed"), start, 20, bits, seed=2)
        assert found.result & mask == mixed(anywhere, table, 20, bits)


def mixed(machine, table, n, bits):
    """What p_mixed computes; r4 is set before it is used."""
    r3 = 0
    word, half = int.from_bytes(table[4:8], "little"), int.from_bytes(table[2:4], "little")
    for r1 in range(n, -1, -1):
        if bits & r1:
            r4 = word
        else:
            r4 = half + ror(r3, 5) & 0xFFFFFFFF
        total = r4 + r3
        r3 = (total & 0xFFFFFFFF) + r1 + (total >> 32) & 0xFFFFFFFF
        if r4:
            r3 = r4 ^ ror(r3, 27)
    return r3


@pytest.mark.parametrize("chip", TARGET.test_chips)
@pytest.mark.parametrize("kernel", EVERYWHERE)
def test_vectors_on_other_chips(kernel, chip):
    card = EVERYWHERE[kernel]
    with CortexM(build.elf(TARGET, chip, card, kernel), chip) as machine:
        for variant in VARIANTS[card.cipher]:
            check(machine, kernel, variant, single_blocks(variant.constant))


def test_chip_that_is_not_there():
    with pytest.raises(BenchError, match="cortex-m7"):
        CortexM(Path("x"), "cortex-m7")


# ---- Hardware: published figures of other people's code, from clones of two repositories, of which nothing is here.

CLONES = os.environ.get("HAECHI_CALIBRATION", "")  # holds aes-armcortexm (Ko-, public domain), cortexm-AES (jnk0le, MIT)
cloned = pytest.mark.skipif(not CLONES, reason="HAECHI_CALIBRATION does not name a folder with the clones")


def foreign(path, code):
    path.write_text(code)
    return CortexM(build.elf(TARGET, TARGET.chip, EVERYWHERE[HOST], HOST, [path]), TARGET.chip)


@cloned
def test_bitsliced_aes_as_published(tmp_path):
    """Schwabe and Stoffelen, SAC 2016: 1618.6 cycles a block over 4096 bytes in counter mode, on an STM32L100C without
    wait states. The code looks nothing up in flash."""
    code = (Path(CLONES) / "aes-armcortexm/aes128ctrbs/aes_128_ctr_bs.s").read_text()
    with foreign(tmp_path / "aes.S", code) as machine:
        state = machine.ram.start + 64 & ~7
        found = machine.call(machine.image.address("AES_128_encrypt_ctr"), state, state + 512, state + 5120, 4096)
    assert found.cycles / 256 == pytest.approx(1618.6, rel=0.001)


@cloned
@pytest.mark.parametrize(
    "name, last, published",
    [
        ("AES128_keyschedule_enc", 0, 302), ("AES256_keyschedule_enc", 0, 378), ("AES_encrypt", 10, 627),
        ("AES_encrypt", 14, 859), ("AES128_encrypt_unrolled", 0, 599), ("AES256_encrypt_unrolled", 0, 819),
        ("AES_keyschedule_dec", 10, 813), ("AES_keyschedule_dec", 14, 1163), ("AES_decrypt", 10, 629),
        ("AES_decrypt", 14, 861), ("AES128_decrypt_unrolled", 0, 600), ("AES256_decrypt_unrolled", 0, 820),
    ],
)  # fmt: skip
def test_aes_with_tables_in_ram_as_published(tmp_path, name, last, published):
    """cortexm-AES, doc/aes/CM3_CM4_details.md: STM32F1 without wait states. All but two are one cycle off."""
    folder = Path(CLONES).resolve() / "cortexm-AES"
    code = (folder / f"aes/target/CM3_1T/CM3_1T_{name}.S").read_text().replace('"aes/', f'"{folder}/aes/')
    tables = (f"{table}: .fill {size}" for table, size in
              {"AES_Te2": 1024, "AES_Td2": 1024, "AES_sbox": 256, "AES_inv_sbox": 256}.items())  # fmt: skip
    code += "\n.data\n.balign 4\n" + "\n".join(tables) + "\n"
    with foreign(tmp_path / "aes.S", code) as machine:
        at = machine.ram.start + 64 & ~7
        arguments = (at, last) if "schedule_dec" in name else (at, at + 512, at + 768, last)
        found = machine.call(machine.image.address(f"CM3_1T_{name}"), *arguments)
    assert found.cycles == pytest.approx(published, rel=0.004)
