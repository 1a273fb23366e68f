# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ARMv7-A with NEON, as the kernels in src/*/neon use it, in Arm and in Thumb state.

SLEIGH lifts the instructions of the core. Of those of NEON and of the loads and stores of vectors it leaves most open, and takes
some for others. capstone decodes all of them, and this module says what they do, by the names of the Arm Architecture Reference
Manual (DDI 0406, chapter A8). An instruction that is not defined here ends a proof. A q register is two d registers, of which
the first one is its lower half, with lane 0 in the lowest bits.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import capstone

from proof import neon
from proof.abi import Abi
from proof.bits import Bits, Graph, Unproved, constant, is_constant, number, split
from proof.hosts import Compiled, Host, HostFrame
from proof.machine import COMPUTE, O, language

ABI = Abi(
    language="ARM:LE:32:v7", data="ram", flash="",
    registers=(*(f"r{i}" for i in range(13)), *(f"d{i}" for i in range(32))), flags=("NG", "ZR", "CY", "OV"),
    arguments=tuple(f"r{i}" for i in range(4)), kept=(*(f"r{i}" for i in range(4, 12)), *(f"d{i}" for i in range(8, 16))),
    pointer="sp", width=4, link="lr", result="r0", alignment=8, room=8192, strict=("ldm", "stm", "ldrd", "strd", "push", "pop"),
)  # fmt: skip
WIDTH, WORD = 32, 4  # the bits and the bytes of a word
THUMB = "ARM:LE:32:Cortex"  # SLEIGH's name of the language in Thumb state

# ---- Instructions, as capstone writes them.


@dataclass(frozen=True)
class Memory:
    """An operand [base:alignment, #offset], and what is added to the base after the access: "!" stands for the bytes."""

    base: str
    alignment: int  # bytes
    offset: int
    then: str


@dataclass(frozen=True)
class Vector:
    """An instruction whose name begins with v."""

    name: str  # without condition and type
    condition: str  # such as ne; nothing if it is always executed or stands in an IT block
    type: str  # of the lanes, such as i32
    operands: tuple[str | int | Memory, ...]  # registers, with [n] behind them for a lane; immediates; places in memory

    @property
    def size(self) -> int:
        """The bits of a lane."""
        return int(self.type.lstrip(KINDS) or 0)

    @property
    def kind(self) -> str:
        """What the lanes are, such as u for unsigned numbers; nothing where that makes no difference."""
        return self.type.rstrip("0123456789")


KINDS = "iusfp"  # integers, unsigned and signed ones, floating-point numbers, polynomials
IT = re.compile("it[te]{0,3}")
UNLESS = {"eq": "ne", "cs": "cc", "hs": "lo", "mi": "pl", "vs": "vc", "hi": "ls", "ge": "lt", "gt": "le"}  # a condition and its opposite
UNLESS |= {opposite: condition for condition, opposite in UNLESS.items()}
ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
OPERAND = re.compile(r"\[(?P<base>\w+)(?::(?P<alignment>\w+))?(?:, #(?P<offset>-?\w+))?\](?P<then>!|, \w+)?|#(?P<number>-?\w+)|(?P<register>[\w\[\]]+!?)")


def decoder(thumb: bool) -> capstone.Cs:
    return capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB if thumb else capstone.CS_MODE_ARM)


DECODERS = {thumb: decoder(thumb) for thumb in (False, True)}


@cache
def decoded(raw: bytes, thumb: bool) -> Vector | tuple[str, ...]:
    """The instruction of NEON or VFP that stands there. Of IT the conditions of the instructions behind it, and of any other one nothing."""
    text = next(((mnemonic, operands) for _, _, mnemonic, operands in DECODERS[thumb].disasm_lite(raw, 0)), ("", ""))
    if not text[0].startswith("v"):
        return tuple(text[1] if x == "t" else UNLESS[text[1]] for x in text[0][1:]) if IT.fullmatch(text[0]) else ()
    name, _, kind = text[0].partition(".")
    condition = "" if name in KNOWN or name[-2:] not in UNLESS else name[-2:]
    operands = []
    for found in OPERAND.finditer(text[1]):
        if found["base"]:
            bits = int(found["alignment"] or "0", 0)
            then = (found["then"] or "").removeprefix(", ")
            operands.append(Memory(ALIASES.get(found["base"], found["base"]), bits // 8, int(found["offset"] or "0", 0), ALIASES.get(then, then)))
        else:
            register = found["register"]
            operands.append(int(found["number"], 0) if register is None else ALIASES.get(register, register))
    return Vector(name.removesuffix(condition), condition, kind, tuple(operands))


# ---- What they compute.


def by_lanes(f: Callable[..., Bits]) -> Callable[..., Bits]:
    """An operation on the lanes of words, of which each one is the same."""
    return lambda g, size, *words: sum((f(g, *lanes) for lanes in zip(*(split(w, size) for w in words), strict=True)), ())


def by_bits(f: Callable[..., int]) -> Callable[..., Bits]:
    return lambda g, size, *words: tuple(f(g, *bits) for bits in zip(*words, strict=True))


def as_on_aarch64(f: Callable[..., Bits]) -> Callable[..., Bits]:
    """An operation that proof/neon.py defines. There numbers are words, and the bytes of a lane come last."""
    return lambda g, size, *operands: f(
        g, 2 * len(operands[0]), *(constant(x, 8) if isinstance(x, int) else x for x in operands), constant(size // 8, 8)
    )


def vcgt(g: Graph, a: Bits, b: Bits) -> Bits:
    return (COMPUTE[O.INT_LESS](g, 1, b, a)[0],) * len(a)


def vshl(g: Graph, size: int, a: Bits, by: int | Bits) -> Bits:
    """Each lane, shifted to the left by a number, or by the low byte of the lane of another register: to the right if that is negative."""
    return as_on_aarch64(neon.ushl)(g, size, a, constant(by, size) * (len(a) // size) if isinstance(by, int) else by)


def vshr(g: Graph, size: int, a: Bits, by: int) -> Bits:
    return sum((x[by:] + (0,) * by for x in split(a, size)), ())


def vmovl(g: Graph, size: int, a: Bits) -> Bits:
    """The lanes in lanes of twice the size, with zeros above them."""
    return sum((x + (0,) * size for x in split(a, size)), ())


def vmovn(g: Graph, size: int, a: Bits) -> Bits:
    """The lower halves of the lanes."""
    return sum((x[: size // 2] for x in split(a, size)), ())


def vtbl(g: Graph, size: int, *operands: Bits) -> Bits:
    """Each byte of the last operand selects a byte of the others, which are the table. What lies outside of it is zero."""
    return neon.tbl(g, 0, (0,) * len(operands[-1]), *operands)


@dataclass(frozen=True)
class Computed:
    """What becomes of the operands: a function of the graph, the bits of a lane, and their words."""

    kinds: str  # of lanes, for which this holds; nothing where they make no difference
    compute: Callable[..., Bits]
    old: bool = False  # whether the old value of the destination is the first operand


ADD, SUBTRACT = COMPUTE[O.INT_ADD], COMPUTE[O.INT_SUB]
COMPUTED = {
    "vadd": Computed("i", by_lanes(lambda g, a, b: ADD(g, len(a), a, b))),
    "vsub": Computed("i", by_lanes(lambda g, a, b: SUBTRACT(g, len(a), a, b))),
    "vneg": Computed("s", by_lanes(lambda g, a: SUBTRACT(g, len(a), (0,) * len(a), a))),
    "vcgt": Computed("u", by_lanes(vcgt)),
    "veor": Computed("", lambda g, size, a, b: neon.eor(g, len(a), a, b)),
    "vand": Computed("", by_bits(lambda g, a, b: g.and_(a, b))),
    "vorr": Computed("", by_bits(lambda g, a, b: g.or_(a, b))),
    "vbic": Computed("i", by_bits(lambda g, old, a: g.and_(old, a ^ 1)), old=True),
    "vbsl": Computed("", by_bits(lambda g, old, a, b: g.mux(old, a, b)), old=True),
    "vbit": Computed("", by_bits(lambda g, old, a, b: g.mux(b, a, old)), old=True),
    "vbif": Computed("", by_bits(lambda g, old, a, b: g.mux(b, old, a)), old=True),
    "vshl": Computed("iu", vshl), "vshr": Computed("u", vshr), "vsri": Computed("", as_on_aarch64(neon.sri), old=True),
    "vmull": Computed("p", as_on_aarch64(neon.pmull)), "vmovl": Computed("u", vmovl), "vmovn": Computed("i", vmovn), "vtbl": Computed("", vtbl),
    "vrev32": Computed("", as_on_aarch64(neon.rev32)), "vrev64": Computed("", as_on_aarch64(neon.rev64)),
}  # fmt: skip


def vzip(a: list[Bits], b: list[Bits]) -> list[Bits]:
    """The lanes of two registers in turn."""
    return [x for pair in zip(a, b) for x in pair]


def vuzp(a: list[Bits], b: list[Bits]) -> list[Bits]:
    """The lanes with even numbers of both, and then those with odd ones."""
    return (a + b)[::2] + (a + b)[1::2]


def vtrn(a: list[Bits], b: list[Bits]) -> list[Bits]:
    """The odd lanes of the first register and the even ones of the second one have changed places."""
    pairs = list(zip(a[::2], a[1::2], b[::2], b[1::2]))
    return [x for even, _, other, _ in pairs for x in (even, other)] + [x for _, odd, _, other in pairs for x in (odd, other)]


PERMUTED = {"vzip": vzip, "vuzp": vuzp, "vtrn": vtrn}  # two registers, both of which change


# ---- The machine.


class ArmFrame(HostFrame):
    """A core of ARMv7-A at the entry of a function. An instruction that only computes may depend on a secret condition: it takes as
    long where it is skipped."""

    lost = (*(f"r{i}" for i in range(4)), "r12", "lr", *(f"d{i}" for i in (*range(8), *range(16, 32))), *ABI.flags)
    chooses = True
    conditions: tuple[str, ...] = ()  # of the next instructions in an IT block

    def _return_address(self) -> None:
        """Bit 0 says in which state the caller is."""
        bits = self.g.input("register return", WIDTH)
        self.set_register(self.abi.link, bits)
        self._back = (0, *bits[1:])

    def _in_thumb(self, pc: int) -> bool:
        marks = self.library.marks
        return marks[bisect_right(marks, (pc, "z")) - 1][1] == "t"

    def translate(self, pc: int):
        self.language = language(THUMB if self._in_thumb(pc) else self.abi.language, str(self.library.path))
        return super().translate(pc)

    def _lifted(self, pc: int, raw: bytes) -> tuple[int, list[list]]:
        """What SLEIGH says, but for BLX to a known address: SLEIGH takes all code behind that address for code in the other state from then on."""
        thumb = self._in_thumb(pc)
        length, name, operands = next(((n, *text) for _, n, *text in DECODERS[thumb].disasm_lite(raw, pc)), (0, "", ""))
        if name != "blx" or not operands.startswith("#"):
            lifted = super()._lifted(pc, raw)
            if lifted[0] != length:
                raise Unproved(f"an instruction of {lifted[0]} bytes to SLEIGH, and of {length} to capstone")
            return lifted
        link = [O.COPY, self._place(self.abi.link), [("const", pc + length | thumb, self.abi.width)], COMPUTE[O.COPY]]
        return length, [link, [O.CALL, None, [(self.data, int(operands[1:], 0), self.abi.width)], None]]

    def _step(self) -> int | Bits:
        i = decoded(bytes(self.code.get(self.pc + k, 0) for k in range(4)), self._in_thumb(self.pc))
        if isinstance(i, tuple):
            then = super()._step()
            self.conditions = i or self.conditions[1:]
            return number(then) & ~1 if not isinstance(then, int) and is_constant(then) else then
        self.whole = 0
        condition = i.condition or next(iter(self.conditions), "")
        self.skipped = bool(condition) and not self._taken(self._holds(condition), [])
        self.conditions = self.conditions[1:]
        if not self.skipped:
            self._execute(i)
        return self.pc + 4

    def _holds(self, condition: str) -> int:
        """Whether a condition holds."""
        n, z, c, v = (self.register(name)[0] for name in self.abi.flags)
        g, true = self.g, min(condition, UNLESS[condition])
        found = {
            "eq": lambda: z, "cc": lambda: c ^ 1, "hs": lambda: c, "mi": lambda: n, "vc": lambda: v ^ 1,
            "hi": lambda: g.and_(c, z ^ 1), "ge": lambda: g.xor(n, v) ^ 1, "gt": lambda: g.and_(z ^ 1, g.xor(n, v) ^ 1),
        }  # fmt: skip
        return found[true]() ^ (condition != true)

    def _execute(self, i: Vector) -> None:
        if i.name in COMPUTED:
            self._compute(i)
        elif i.name in PERMUTED:
            a, b = i.operands
            lanes = PERMUTED[i.name](*(split(self.register(x), i.size or 8) for x in (a, b)))
            self.set_register(a, sum(lanes[: len(lanes) // 2], ()))
            self.set_register(b, sum(lanes[len(lanes) // 2 :], ()))
        elif i.name in MOVED:
            getattr(self, f"_{i.name}")(i)
        else:
            raise self._unknown(i)

    def _compute(self, i: Vector) -> None:
        known = COMPUTED[i.name]
        out, *operands = i.operands
        if i.kind not in known.kinds or not i.kind and known.kinds:
            raise self._unknown(i)
        width = 8 * self.registers[out].size
        if i.name == "vbic":  # the operand is a number that stands in each lane
            operands = [constant(x, i.size) * (width // i.size) for x in operands if isinstance(x, int)]
        words = [self.register(x) if isinstance(x, str) else x for x in ([out] * known.old + operands)]
        key = i.name, i.type, *words
        word = self.g.computed.get(key)
        if word is None:
            word = self.g.computed[key] = known.compute(self.g, i.size, *words)
        if width != len(word):
            raise self._unknown(i)
        self.set_register(out, self.g.recognize(word))

    # ---- Between registers.

    def _lane(self, operand: str) -> tuple[str, int]:
        register, _, lane = operand.rstrip("]").partition("[")
        return register, int(lane or 0)

    def _vdup(self, i: Vector) -> None:
        out, source = i.operands
        register, lane = self._lane(source)
        self.set_register(out, split(self.register(register), i.size)[lane] * (8 * self.registers[out].size // i.size))

    def _vmov(self, i: Vector) -> None:
        """Copies registers, whole or by lanes, or puts a number into each lane."""
        out, *sources = i.operands
        if isinstance(sources[0], int):
            if i.kind != "i":
                raise self._unknown(i)
            self.set_register(out, constant(sources[0], i.size) * (8 * self.registers[out].size // i.size))
        elif len(i.operands) == 3 and out in CORE:  # two registers of the core from a d register
            for register, half in zip((out, sources[0]), split(self.register(sources[1]), WIDTH), strict=True):
                self.set_register(register, half)
        elif out in CORE:
            register, lane = self._lane(sources[0])
            if i.size not in (0, WIDTH) and i.kind != "u":
                raise self._unknown(i)
            self.set_register(out, split(self.register(register), i.size or WIDTH)[lane])
        else:
            register, lane = self._lane(out)
            word = sum(map(self.register, sources), ())
            word = self._replaced(out, i.size, word) if "[" in out else word
            if len(word) != 8 * self.registers[register].size:
                raise self._unknown(i)
            self.set_register(register, word)

    def _replaced(self, operand: str, size: int, word: Bits) -> Bits:
        """A register of which one lane is another."""
        register, lane = self._lane(operand)
        lanes = split(self.register(register), size)
        lanes[lane] = word[:size]
        return sum(lanes, ())

    def _unknown(self, i: Vector) -> Unproved:
        return Unproved(f"no semantics of {i.name}.{i.type} {i.operands}")

    # ---- Loads and stores.

    def _access(self, place: Memory, size: int, whole: int = 0) -> Bits:
        """The address of so many bytes. whole: of which number it must be a multiple, besides what the place says. Moves the base on."""
        self.whole = max(place.alignment, whole)
        base = self.register(place.base)
        moved = lambda by: ADD(self.g, WIDTH, base, by)  # noqa: E731
        if place.then:
            self.set_register(place.base, moved(constant(size, WIDTH) if place.then == "!" else self.register(place.then)))
        return moved(constant(place.offset % (1 << WIDTH), WIDTH)) if place.offset else base

    def _structures(self, i: Vector) -> tuple[list[str], Memory, int]:
        """Registers, place and bytes of VLD1 and the like."""
        *registers, place = i.operands
        if not any("[" in r for r in registers):
            return registers, place, 8 * len(registers)
        if i.name in ("vld4", "vst4"):
            raise self._unknown(i)
        return registers, place, i.size // 8

    def _vld1(self, i: Vector) -> None:
        registers, place, size = self._structures(i)
        word = self.load(self.data, self._access(place, size), size)
        if all(r.endswith("[]") for r in registers):  # an element in all lanes
            for r in registers:
                self.set_register(r.removesuffix("[]"), word * (64 // i.size))
        elif any("[" in r for r in registers):
            self.set_register(self._lane(registers[0])[0], self._replaced(registers[0], i.size, word))
        else:
            for r, part in zip(registers, split(word, 64), strict=True):
                self.set_register(r, part)

    def _vst1(self, i: Vector) -> None:
        registers, place, size = self._structures(i)
        if any("[" in r for r in registers):
            register, lane = self._lane(registers[0])
            word = split(self.register(register), i.size)[lane]
        else:
            word = sum(map(self.register, registers), ())
        self.store(self.data, self._access(place, size), word)

    def _vld4(self, i: Vector) -> None:
        """Elements go to the registers in turn."""
        registers, place, size = self._structures(i)
        elements = split(self.load(self.data, self._access(place, size), size), i.size)
        for n, r in enumerate(registers):
            self.set_register(r, sum(elements[n :: len(registers)], ()))

    def _vst4(self, i: Vector) -> None:
        registers, place, size = self._structures(i)
        lanes = [split(self.register(r), i.size) for r in registers]
        self.store(self.data, self._access(place, size), sum((x for element in zip(*lanes) for x in element), ()))

    def _vldr(self, i: Vector) -> None:
        register, place = i.operands
        size = self.registers[register].size
        if place.base == "pc":
            address = constant((self.pc + (4 if self._in_thumb(self.pc) else 8) & ~3) + place.offset, WIDTH)
        else:
            address = self._access(place, size, WORD)
        self.set_register(register, self.load(self.data, address, size))

    def _vstr(self, i: Vector) -> None:
        register, place = i.operands
        self.store(self.data, self._access(place, self.registers[register].size, WORD), self.register(register))

    def _multiple(self, i: Vector) -> tuple[list[str], Bits, int]:
        """Registers, address and bytes of VLDM and VSTM."""
        base, *registers = i.operands
        size = sum(self.registers[r].size for r in registers)
        return registers, self._access(Memory(base.removesuffix("!"), 0, 0, "!" * base.endswith("!")), size, WORD), size

    def _vldmia(self, i: Vector) -> None:
        registers, address, size = self._multiple(i)
        word = self.load(self.data, address, size)
        for r in registers:
            bits = 8 * self.registers[r].size
            self.set_register(r, word[:bits])
            word = word[bits:]

    def _vstmia(self, i: Vector) -> None:
        registers, address, _ = self._multiple(i)
        self.store(self.data, address, sum(map(self.register, registers), ()))

    def _vpop(self, i: Vector) -> None:
        self._vldmia(replace(i, operands=("sp!", *i.operands)))

    def _vpush(self, i: Vector) -> None:
        size = sum(self.registers[r].size for r in i.operands)
        self.set_register("sp", SUBTRACT(self.g, WIDTH, self.register("sp"), constant(size, WIDTH)))
        self._vstmia(replace(i, operands=("sp", *i.operands)))


CORE = {*(f"r{i}" for i in range(13)), "sp", "lr"}
MOVED = {"vdup", "vmov", "vld1", "vst1", "vld4", "vst4", "vldr", "vstr", "vldmia", "vstmia", "vpop", "vpush"}  # methods of ArmFrame
KNOWN = {*COMPUTED, *PERMUTED, *MOVED}


GCC, CLANG = "arm-linux-gnueabihf-gcc", "clang"
FOR_CLANG = ("--target=arm-linux-gnueabihf", "-march=armv7-a", "-mfpu=neon", "-fuse-ld=lld")
ARMV7 = Host(
    "armv7", ABI, ArmFrame,
    tuple(
        Compiled(f"{compiler.split('-')[-1]} -{level} -{state}", compiler, ("-std=c99", f"-{level}", f"-{state}", *more))
        for compiler, more in ((GCC, ()), (CLANG, FOR_CLANG)) for level in ("O2", "O3") for state in ("marm", "mthumb")
    ),
    ("lea_neon", "hight_neon_table", "hight_neon_shift", "hight_neon_pmull", "aria_neon_tower", "lea_c", "hight_c", "aria_c", "aria_c_table"),
    ("aria_neon_tower",),
)  # fmt: skip
