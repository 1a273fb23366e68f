# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64 with NEON, as the kernels in src/*/neon use it.

SLEIGH lifts most vector instructions lane by lane. Of some it only says that they exist; this module says what they do,
by the names of the Arm Architecture Reference Manual (DDI 0487, chapter C7). An instruction that is not defined there or
here ends a proof. A vector register is 128 bits here, lane 0 in the lowest ones.
"""

from collections.abc import Callable
from functools import cache

import pypcode
from pypcode import OpCode as O

import spec.aria
from proof.abi import Abi
from proof.bits import Bits, Graph, Unproved, Word, constant, is_constant, number, split
from proof.bytewise import ByteGraph
from proof.hosts import Compiled, Host, HostFrame
from proof.loops import BLOCKS
from proof.machine import COMPUTE

ABI = Abi(
    language="AARCH64:LE:64:v8A", data="ram", flash="",
    registers=(*(f"x{i}" for i in range(31)), *(f"q{i}" for i in range(32))), flags=("NG", "ZR", "CY", "OV"),
    arguments=tuple(f"x{i}" for i in range(8)), kept=(*(f"x{i}" for i in range(19, 30)), *(f"d{i}" for i in range(8, 16))),
    pointer="sp", width=8, link="x30", result="x0", alignment=16, room=8192,
)  # fmt: skip


def sri(g: Graph, n: int, d: Bits, m: Bits, shift: Bits, size: Bits) -> Bits:
    """SRI: each lane of m, shifted right, goes into that of d. As many upper bits of d as the shift says stay."""
    k, width = number(shift), 8 * number(size)
    return sum((y[k:] + x[width - k :] for x, y in zip(split(d, width), split(m, width), strict=True)), ())


def ushl(g: Graph, n: int, a: Bits, b: Bits, size: Bits) -> Bits:
    """USHL: each lane of a, shifted to the left by the low byte of b's lane or, if that is negative, to the right."""
    width, out = 8 * number(size), ()
    for x, by in zip(split(a, width), split(b, width), strict=True):
        if not is_constant(by[:8]):
            raise Unproved("a shift by a distance that depends on inputs")
        k = number(by[:8]) - (by[7] << 8)
        out += ((0,) * k + x)[:width] if k >= 0 else (x[-k:] + (0,) * width)[:width]
    return out


def ext(g: Graph, n: int, low: Bits, high: Bits, position: Bits, size: Bits) -> Bits:
    """EXT: the bytes of two registers one after another, from this position on."""
    return (low + high)[8 * number(position) :][: len(low)]


def rev32(g: Graph, n: int, m: Bits, size: Bits) -> Bits:
    """REV32: the lanes of this size in each word of 32 bits, in reverse order."""
    return sum((part for word in split(m, 32) for part in split(word, 8 * number(size))[::-1]), ())


def rev64(g: Graph, n: int, m: Bits, size: Bits) -> Bits:
    """REV64: the same in each word of 64 bits."""
    return sum((part for word in split(m, 64) for part in split(word, 8 * number(size))[::-1]), ())


def tbl(g: Graph, n: int, outside: Bits, *operands: Bits) -> Bits:
    """TBL: each byte of the last operand selects a byte of the others, which are the table. What lies outside of the
    table is that byte of `outside`, which SLEIGH gives: zero."""
    *table, index = operands
    entries, out = [byte for register in table for byte in split(register, 8)], ()
    constants, numbers = all(map(is_constant, (*table, outside))), {}
    for byte, other in zip(split(index, 8), split(outside, 8)):
        choices = [*entries, *[other] * (256 - len(entries))]
        if is_constant(byte):
            out += choices[number(byte)]
            continue
        if constants:
            if other not in numbers:
                numbers[other] = [number(x) for x in choices]
            out += Word(g, byte).looked_up(numbers[other]).bits
            continue
        for select in byte:  # the lowest bit of the index halves the choices first
            choices = [tuple(map(lambda one, zero: g.mux(select, one, zero), y, x)) for x, y in zip(choices[::2], choices[1::2])]
        out += choices[0]
    return out


def pmull(g: Graph, n: int, a: Bits, b: Bits, size: Bits) -> Bits:
    """PMULL: the products of the lanes, as polynomials, in lanes of twice the size. It reads the lower halves."""
    width = 8 * number(size)
    pairs = zip(split(a[: n // 2], width), split(b[: n // 2], width), strict=True)
    return sum((g.carry_less(x, y) for x, y in pairs), ())


def pmull2(g: Graph, n: int, a: Bits, b: Bits, size: Bits) -> Bits:
    """PMULL2: the same of the upper halves."""
    return pmull(g, n, a[n // 2 :], b[n // 2 :], size)


# The byte of row r and column c of AES's state is the one of number r + 4c. ShiftRows turns row r by r columns.
ROWS = [i % 4 + 4 * ((i // 4 + i % 4) % 4) for i in range(16)]
S, S_INVERSE = spec.aria.SB[0], spec.aria.SB[2]  # AES's S-box is one of ARIA's


def aese(g: Graph, n: int, state: Bits, key: Bits) -> Bits:
    """AESE: AddRoundKey, then SubBytes and ShiftRows."""
    x = split(tuple(map(g.xor, state, key)), 8)
    return sum((Word(g, x[i]).looked_up(S).bits for i in ROWS), ())


def aesd(g: Graph, n: int, state: Bits, key: Bits) -> Bits:
    """AESD: AddRoundKey, then InvShiftRows and InvSubBytes."""
    x = split(tuple(map(g.xor, state, key)), 8)
    return sum((Word(g, x[ROWS.index(i)]).looked_up(S_INVERSE).bits for i in range(16)), ())


def eor(g: Graph, n: int, a: Bits, b: Bits) -> Bits:
    """EOR of a byte of vectors. The next instructions may look it up by halves."""
    out = tuple(map(g.xor, a, b))
    if isinstance(g, ByteGraph):
        g.note_bytes(out)
    return out


DEFINED = {
    "NEON_sri": sri, "NEON_ushl": ushl, "NEON_ext": ext, "NEON_rev32": rev32, "NEON_rev64": rev64, "a64_TBL": tbl, "NEON_pmull": pmull, "NEON_pmull2": pmull2,
    "NEON_aese": aese, "NEON_aesd": aesd,
}  # fmt: skip


@cache
def unless(computes: Callable) -> Callable:
    """An operation that computes unless the first operand is true; then the second operand, which is the old value, stays."""

    def chosen(g: Graph, n: int, condition: Bits, old: Bits, *operands: Bits) -> Bits:
        if computes is COMPUTE[O.INT_ADD] and operands == (old, constant(1, len(old))):
            return g.add(old, constant(0, len(old)), condition[0] ^ 1)[0]
        return tuple(g.mux(condition[0], x, y) for x, y in zip(old, computes(g, n, *operands), strict=True))

    return chosen


class Condition(tuple):
    """The place of a condition by which an instruction chooses between two values, and has not yet changed a register."""


class NeonFrame(HostFrame):
    """A core of AArch64 at the entry of a function. CSEL and the like choose between two values; SLEIGH lifts them to
    branches inside the instruction, but they take as long whatever they choose. Where they choose by the number of blocks, each
    choice is a way of its own."""

    lost = (*(f"x{i}" for i in range(19)), "x30", *(f"q{i}" for i in range(32)), *ABI.flags)

    def _lifted(self, pc: int, raw: bytes) -> tuple[int, list[list]]:
        length, ops = super()._lifted(pc, raw)
        for op in list(ops):
            if op[0] == O.CALLOTHER:
                name = pypcode.PcodePrettyPrinter.fmt_op(op[3]).split("= ")[-1].split("(")[0]
                if name in DEFINED:
                    op[0], op[2], op[3] = O.COPY, op[2][1:], DEFINED[name]
                    space, at, size = op[1]
                    if size == 8:  # the upper half of the vector becomes zero
                        ops.append([O.COPY, (space, at + 8, 8), [("const", 0, 8)], COMPUTE[O.COPY]])
            elif op[3] is COMPUTE[O.INT_XOR] and op[1][2] == 1:
                op[3] = eor
        return length, self._without_branches(ops)

    def value(self, place: tuple[str, int, int]) -> Bits:
        word = super().value(place)
        if isinstance(place, Condition) and word[0] > 1 and BLOCKS in self.public and self.g.inputs(word[0]) <= self.public:
            return constant(self._taken(word[0], []), len(word))
        return word

    @staticmethod
    def _without_branches(ops: list[list]) -> list[list]:
        """The same operations, where a branch inside the instruction that skips computations became their condition."""
        out, written, todo = [], set(), list(ops)
        while todo:
            op = todo.pop(0)
            code, result, operands, _ = op
            skipped = todo[: operands[0][1] - 1] if code == O.CBRANCH and operands[0][0] == "const" else []
            if not skipped or any(other[0] is not O.COPY for other in skipped):
                out.append(op)
                written.add(result)
                continue
            for other in skipped:
                _, place, ins, computes = other
                fresh = place[0] == "unique" and place not in written  # a temporary that nothing reads behind the branch
                condition = Condition(operands[1]) if all(p[0] == "unique" for p in written if p) else operands[1]
                out.append(other if fresh else [O.COPY, place, [condition, place, *ins], unless(computes)])
                written.add(place)
            todo = todo[len(skipped) :]
        return out


GCC, CLANG = "aarch64-linux-gnu-gcc", "clang"
FOR_CLANG = ("--target=aarch64-linux-gnu", "-march=armv8-a+aes", "-fuse-ld=lld")
NEON = Host(
    "neon", ABI, NeonFrame,
    tuple(
        Compiled(f"{compiler.split('-')[-1]} -{level}", compiler, ("-std=c99", f"-{level}", *more))
        for compiler, more in ((GCC, ()), (CLANG, FOR_CLANG)) for level in ("O2", "O3")
    ),
    ("lea_neon", "hight_neon_table", "hight_neon_shift", "hight_neon_pmull", "aria_neon_aes", "aria_neon_tower", "lea_c", "hight_c", "aria_c", "aria_c_table"),
    ("aria_neon_tower",),
)  # fmt: skip
