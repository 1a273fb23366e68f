# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MSP430 simulator (bench/simulated/msp430.c) beside mspdebug: every form of every instruction, and every kernel.

mspdebug shows what an instruction does. The tables of TI's family guide (SLAU049, chapter 3), which this file repeats,
say what it costs. mspdebug follows these tables too, but version 0.22 charges for constants of the constant generator
what their mode bits stand for: x(Rn) for #1, @Rn for #2 and #4, @Rn+ for #-1 and #8. Version 0.25 does not where there
is a destination other than PC, but takes &ADDR for a constant there. Either count is wrong by an amount that can be
computed exactly, for an instruction and for a kernel.
"""

from itertools import product
from random import Random

from marks import LATER
import pytest
from kernels import TARGETS, answers_of, drives, everywhere, machine_for
from mspdebug import Mspdebug, version

from bench.simulated.simulator import Fault
from bench.simulated.msp430 import CG, FLAGS, PC, SP, SR, Msp430, length

TARGET = TARGETS["msp430"]

# ---- SLAU049, tables 3-15 and 3-16. Cycles by the mode of the source ...
TWO_OPERANDS = {  # ... into a register, into PC, into x(Rm), ADDR or &ADDR
    "Rn": (1, 2, 4),
    "@Rn": (2, 2, 5),
    "@Rn+": (2, 3, 5),
    "#N": (2, 3, 5),
    "x(Rn)": (3, 3, 6),
    "ADDR": (3, 3, 6),
    "&ADDR": (3, 3, 6),
}
ONE_OPERAND = {  # ... RRA, RRC, SWPB and SXT; PUSH; CALL
    "Rn": (1, 3, 4),
    "@Rn": (3, 4, 4),
    "@Rn+": (3, 5, 5),
    "#N": (None, 4, 5),
    "x(Rn)": (4, 5, 5),
    "ADDR": (4, 5, 5),
    "&ADDR": (4, 5, 5),
}
JUMP, RETURN_FROM_INTERRUPT, CALL_IMMEDIATE = 2, 5, 5
TWO = ["mov", "add", "addc", "subc", "sub", "cmp", "dadd", "bit", "bic", "bis", "xor", "and"]
ONE = ["rrc", "swpb", "rra", "sxt", "push", "call", "reti"]
BITS = ["Rn", "x(Rn)", "@Rn", "@Rn+"]  # what the two mode bits of a source stand for, if the register is not special


def of_word(op: int) -> tuple[dict, int, str, str]:
    """The table of the instruction, its column, and its row: as it is, and as mspdebug takes it."""
    if op >= 0x4000:
        register, table = op >> 8 & 15, TWO_OPERANDS
        column = 2 if op >> 7 & 1 else op & 15 == PC
    else:
        register, table = op & 15, ONE_OPERAND
        column = {4: 1, 5: 2}.get(op >> 7 & 7, 0)
    said = BITS[op >> 4 & 3]
    constant = register == CG or (register == SR and op >> 4 & 2)
    if register == PC and said == "@Rn+":
        said = "#N"
    return table, column, "Rn" if constant else said, said


def cycles(op: int) -> int:
    if op == 0x1300:
        return RETURN_FROM_INTERRUPT
    if 0x2000 <= op < 0x4000:
        return JUMP
    table, column, row, _ = of_word(op)
    return table[row][column]


def overcount(op: int) -> int:
    """By how many cycles mspdebug's count of an instruction is too high."""
    if op == 0x1300 or 0x2000 <= op < 0x4000:
        return 0
    table, column, row, said = of_word(op)
    if version() > (0, 22) and table is TWO_OPERANDS and column != 1:
        said = "Rn" if (op >> 8 & 15, said) == (SR, "x(Rn)") else row
    return table[said][column] - (table[row][column] or 0)


# ---- One instruction.

CODE, DATA = 0xF000, 0x1200  # free flash; operands: the source at DATA, the destination 16 bytes above it
SIZE = 48
STACK = DATA + 32
CONSTANTS = {"#0": (CG, 0), "#1": (CG, 1), "#2": (CG, 2), "#-1": (CG, 3), "#4": (SR, 2), "#8": (SR, 3)}
MODES = {  # register and mode bits; Rn is r5
    "Rn": (5, 0), "PC": (PC, 0), "SP": (SP, 0), "SR": (SR, 0), **CONSTANTS, "#N": (PC, 3), "@Rn": (5, 2),
    "@Rn+": (5, 3), "x(Rn)": (5, 1), "ADDR": (PC, 1), "&ADDR": (SR, 1), "@SP": (SP, 2), "@SP+": (SP, 3),
    "x(SP)": (SP, 1),
}  # fmt: skip
INTO = {  # likewise; Rm is r6
    "Rm": (6, 0), "Rn": (5, 0), "PC": (PC, 0), "SP": (SP, 0), "SR": (SR, 0), "R3": (CG, 0), "x(Rm)": (6, 1),
    "x(Rn)": (5, 1), "ADDR": (PC, 1), "&ADDR": (SR, 1), "x(SP)": (SP, 1),
}  # fmt: skip
CORNERS = [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF]


def words(*values: int) -> bytes:
    return b"".join((value & 0xFFFF).to_bytes(2, "little") for value in values)


class Case:
    """One instruction with its registers, operands and flags."""

    def __init__(self, op: int, mode: str, into: str, byte: bool, random: Random):
        register, bits = MODES[mode]
        odd = random.randrange(2) if byte else 0  # the address of the source; the destination is 16 bytes above it
        value = lambda: random.choice([*CORNERS, random.randrange(1 << 16)])  # noqa: E731
        if op >> 12 == 10:  # decimal
            value = lambda: int(f"{random.randrange(10000):04}", 16)  # noqa: E731
        a, b = value(), value()
        if into == "PC":
            a, b = a & ~1, 0  # a word cannot be at an odd address
        self.flags = random.randrange(16) & 7 | random.randrange(2) << 8 & FLAGS
        if into == "SR":
            a &= FLAGS
        self.data = bytearray(random.randbytes(SIZE))
        if op >> 12 == 10:
            self.data = bytearray(int(f"{random.randrange(100):02}", 16) for _ in range(SIZE))
        self.data[odd : odd + 2], self.data[16 + odd : 18 + odd] = words(a), words(b)
        if into in ("PC", "SR"):
            self.data[0:2] = words(a)
            odd = 0
        self.registers = {5: a, 6: b, SR: self.flags, SP: STACK}
        if register == SP and bits:
            self.registers[SP] = DATA - 2 * (bits == 1)
        if bits and register == 5:
            self.registers[5] = DATA + odd - 4 * (bits == 1)
        ext = {"#N": a, "x(Rn)": 4, "ADDR": DATA + odd - CODE - 2, "&ADDR": DATA + odd, "x(SP)": 2 + odd}
        encoded = [op | register << (8 if into else 0) | bits << 4 | byte << 6]
        if mode in ext:
            encoded.append(ext[mode])
        if into:
            register, bits = INTO[into]
            encoded[0] |= bits << 7 | register
            at = DATA + 16 + odd
            if bits and register == 6:
                self.registers[6] = at - 6
            here = CODE + 2 * len(encoded)
            base = {5: self.registers[5] + (mode == "@Rn+") * (2 - byte), SP: self.registers[SP] + (mode == "@SP+") * 2}
            ext = {"x(Rm)": 6, "x(Rn)": at - base[5], "ADDR": at - here, "&ADDR": at, "x(SP)": at - base[SP]}
            if into in ext:
                encoded.append(ext[into])
        self.op, self.code = encoded[0], words(*encoded)
        self.name = f"{self.code.hex(' ', 2)} ({mode}{', ' if into else ''}{into}{', byte' if byte else ''})"

    def ask(self, other: Mspdebug) -> None:
        other.write(CODE, self.code)
        other.write(DATA, bytes(self.data))
        for register, value in {PC: CODE, **self.registers}.items():
            other.set(register, value)
        other.cycles()
        other.step()
        other.cycles()
        other.registers()
        other.read(DATA, SIZE)

    def check(self, machine: Msp430, before: int, after: int, registers: list[int], data: bytes) -> None:
        """Raises AssertionError unless our simulator does what mspdebug did."""
        machine.patch(CODE, self.code)
        machine.write(DATA, bytes(self.data))
        machine.registers[:] = [0] * 16
        for register, value in {PC: CODE, **self.registers}.items():
            machine.registers[register] = value
        assert machine.step() == cycles(self.op), self.name
        registers[CG] = 0  # mspdebug stores values there, and odd addresses in PC and SP, whose bit 0 is always 0
        registers[PC] &= ~1
        registers[SP] &= ~1
        assert list(machine.registers) == registers, self.name
        assert machine.read(DATA, SIZE) == data, self.name
        assert after - before == cycles(self.op) + overcount(self.op), self.name


@pytest.fixture(scope="module")
def machine():
    with machine_for(TARGET, "hight_c") as machine:
        yield machine


def compare(machine: Msp430, cases: list[Case]) -> None:
    other = Mspdebug()
    for register in range(4, 16):
        other.set(register, 0)
    for case in cases:
        case.ask(other)
    said = iter(other.run())
    for case in cases:
        case.check(machine, next(said), next(said), next(said), next(said))


def left_out(op: str, mode: str, into: str, byte: bool) -> bool:
    """Forms that the guide leaves undefined, that stop the CPU, whose x(Rn) or decimal digits are invalid, or for which
    mspdebug differs from the guide (test_stack_moves_by_words)."""
    return (
        (into == "SR" and (op not in ("mov", "bic", "bis", "cmp", "bit") or mode == "#-1"))
        or (into == "x(Rn)" and mode not in ("@Rn", "@Rn+", "x(Rn)"))
        or (op == "dadd" and (mode in ("PC", "#-1") or into == "PC"))
        or (mode == "@SP+" and byte)
    )


@pytest.fixture(params=[1, pytest.param(5, marks=LATER)])
def times(request) -> int:
    """How many random values and flags a form of an instruction is tried with."""
    return request.param


@pytest.mark.parametrize("op", TWO)
def test_two_operands(machine, op, times):
    """Every mode of the source, every mode of the destination, bytes and words."""
    random, number = Random(op), TWO.index(op) + 4
    forms = [(m, i, b) for m, i, b in product(MODES, INTO, (False, True)) if not left_out(op, m, i, b)]
    compare(machine, [Case(number << 12, m, i, b, random) for m, i, b in forms for _ in range(times)])


# POP.B R6 and PUSH.B R6. The guide moves SP by two; mspdebug moves it by one in @SP+, and its PUSH.B writes two bytes.
@pytest.mark.parametrize("code, sp, r6, memory", [(0x4176, DATA + 2, 0x5A, 0x5A), (0x1246, DATA - 2, 0x1234, 0x34)])
def test_stack_moves_by_words(machine, code, sp, r6, memory):
    machine.write(DATA - 2, bytes([0x34 ^ 0xFF, 0xA5, 0x5A, 0xA5]))
    machine.patch(CODE, words(code))
    machine.registers[PC], machine.registers[SP], machine.registers[SR], machine.registers[6] = CODE, DATA, 0, 0x1234
    assert machine.step() == cycles(code)
    assert (machine.registers[SP], machine.registers[6]) == (sp, r6)
    assert machine.read(min(sp, DATA), 2) == bytes([memory, 0xA5])


@pytest.mark.parametrize("op", ONE[:6])
def test_one_operand(machine, op, times):
    random, code = Random(op), 0x1000 | ONE.index(op) << 7
    changes = op in ("rrc", "swpb", "rra", "sxt")
    doubt = (*CONSTANTS, "#N", "PC", "SR") if changes else [m for m in MODES if "SP" in m] if op == "push" else ()
    widths = (False, True) if op in ("rrc", "rra") else (False,)
    forms = [(m, b) for m, b in product(MODES, widths) if m not in doubt and not (m == "@SP+" and b)]
    compare(machine, [Case(code, m, "", b, random) for m, b in forms for _ in range(6 * times)])


def test_jumps(machine):
    """Every condition under all flags, forwards and backwards as far as jumps can go."""
    cases = []
    for condition, flags, distance in product(range(8), range(16), (-512, -1, 0, 1, 511)):
        case = Case(0x2000 | condition << 10 | distance & 0x3FF, "#0", "", False, Random(0))
        case.op = 0x2000 | condition << 10 | distance & 0x3FF
        case.code = words(case.op)
        case.registers[SR] = flags & 7 | flags >> 3 << 8
        cases.append(case)
    compare(machine, cases)


def test_return_from_interrupt(machine):
    case = Case(0x1300, "#0", "", False, Random(0))
    case.op, case.code, case.registers[SP] = 0x1300, words(0x1300), DATA
    case.data[:4] = words(0x0105, 0x5A5A)
    compare(machine, [case])


@pytest.mark.parametrize(
    "code, kind",
    [
        ((0x0000,), "opcode"),
        ((0x1301,), "opcode"),
        ((0x1380,), "opcode"),
        ((0x10C5,), "opcode"),  # swpb.b
        ((0x1201,), "opcode"),  # push sp
        ((0x1113,), "opcode"),  # rra #1
        ((0x1130, 0x1234), "opcode"),  # rra #N
        ((0xE502,), "opcode"),  # xor r5, sr
        ((0x4583, 0x1200), "opcode"),  # mov r5, 0x1200(r3)
        ((0x4592, 0x0000, 0x1201), "access not aligned"),
        ((0x4582, 0x1201), "access not aligned"),
        ((0x4582, 0x0120), "device"),
        ((0x4582, 0x10FE), "data outside RAM"),
        ((0x4582, 0x3900), "data outside RAM"),
        ((0x4582, 0x4000), "data outside RAM"),  # flash can only be read
        ((0x4215, 0x3FFE), "data outside RAM"),
        ((0x4215, 0xFFE0), "data outside RAM"),
        ((0xD032, 0x0010), "asleep"),
    ],
)
def test_fault(machine, code, kind):
    before = bytes(machine.memory()[1])
    machine.patch(CODE, words(*code))
    machine.registers[PC], machine.registers[5], machine.registers[SR] = CODE, 0x1200, 0
    with pytest.raises(Fault) as fault:
        machine.step()
    assert fault.value.kind == kind and machine.registers[PC] == CODE
    assert machine.memory()[1] == before


@pytest.mark.parametrize("at", [0x0000, 0x1200, 0x3FFE, 0xFFE0])
def test_code_outside_flash(machine, at):
    machine.registers[PC] = at
    with pytest.raises(Fault, match="pc outside flash"):
        machine.step()


def test_edges_of_memory_are_there(machine):
    machine.registers[SR] = 0
    for code in [(0x4582, 0x1100), (0x4582, 0x38FE), (0x4215, 0x4000), (0x4215, 0xFFDE)]:
        machine.patch(CODE, words(*code))
        machine.registers[PC] = CODE
        assert machine.step() == cycles(code[0])


def test_arguments(machine):
    """Four arguments are in registers, the others above the return address; those are no part of the callee's stack."""
    # mov 2(r1), r12; add 4(r1), r12; add r13, r12; ret
    machine.patch(CODE, words(0x411C, 2, 0x511C, 4, 0x5D0C, 0x4130))
    call = machine.call(CODE, 1, 20, 3, 4, 500, 6000)
    assert (call.result, call.stack, call.violations) == (6520, 0, [])
    assert call.cycles == CALL_IMMEDIATE + 3 + 3 + 1 + 2 + 1  # RET is MOV @SP+, PC: 3


@pytest.mark.parametrize("mode, into", list(product(MODES, ["", *INTO])))
def test_length(mode, into):
    case = Case(0x4000 if into else 0x1200, mode, into, False, Random(0))
    assert length(case.code) == len(case.code)


# ---- Kernels.


ONE_EACH = ["lea_msp430_compact", "hight_msp430_small", "aria_msp430", "hight_c"]


@pytest.mark.parametrize(
    "kernel", [pytest.param(k, marks=() if k in ONE_EACH else LATER) for k in everywhere(TARGET)]
)
def test_kernel_in_mspdebug(kernel):
    """Key expansion and one block, in both directions and for all key sizes: the same memory, and the same cycles but
    for the constants."""
    with machine_for(TARGET, kernel) as machine:
        idle, calls = machine.image.address("haechi_bench_idle"), []
        other = Mspdebug(machine.image.path)

        def both(function: int, *arguments: int) -> None:
            """Makes the call in our simulator, and records it for mspdebug."""
            other.write(machine.memory()[0], machine.memory()[1])
            machine.load_registers(arguments, seed=1)
            other.write(machine.registers[SP] - 2, words(idle))
            for register, value in enumerate(machine.registers):
                other.set(register, {PC: function, SP: value - 2}.get(register, value))
            other.cycles()
            other.run_to(idle)
            other.cycles()
            other.registers()
            other.read(*(machine.memory()[0], len(machine.memory()[1])))
            call = machine.call(function, *arguments, seed=1, trace=True)
            over = sum(overcount(int.from_bytes(machine.code(pc, 2), "little")) for pc in call.pcs)
            calls.append((call, over, machine.memory()[1], list(machine.registers)))

        for drive in drives(machine, kernel, everywhere(TARGET)[kernel]):
            key, given, wanted = answers_of(drive)[0]
            k, rk, block = 0x1800, 0x1900, 0x1700
            machine.write(k, key)
            both(drive.d.expand, rk, k)
            machine.write(block, given)
            both(drive.d.crypt, rk, block)
            assert machine.read(block, len(given)) == wanted
        said = iter(other.run())
        for call, over, memory, registers in calls:
            before, after, theirs, dumped = next(said), next(said), next(said), next(said)
            assert dumped == memory
            assert theirs[4:] == registers[4:] and theirs[SP] == registers[SP]
            assert after - before == call.cycles - CALL_IMMEDIATE + over
