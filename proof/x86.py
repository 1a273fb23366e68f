# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs code for x86-64 with SSSE3, AVX2, AVX-512, AES-NI, VAES and GFNI on symbolic bits. SLEIGH does not decode all instructions of these kernels, so
capstone decodes them, and what each of them does is defined here, by the name that Intel's manual gives it ("Intel 64 and
IA-32 Architectures Software Developer's Manual", volume 2). An instruction that is not defined here is an error, and so is
one of which capstone and objdump read another length.

The program counter is concrete. An address is a known distance from the unknown base of a buffer or of the stack
(places.py), or lies in the constants of the library. A branch may depend on the number of blocks and on addresses, and on
nothing else.
"""

import operator
import re
from collections.abc import Callable, Container, Iterator
from copy import copy
from functools import lru_cache, reduce
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

import capstone
from capstone import x86 as cs
from elftools.elf.elffile import ELFFile

from bench.made import build
from proof.bits import Bits, Graph, Unproved, Word, constant, inverted, is_constant, number, split
from proof.places import Places
from spec import field
from spec.aria import SB

WIDTH = 64
VECTOR = 512  # bits of a vector register
RED_ZONE = 128  # bytes below the stack pointer that belong to a function: System V ABI, AMD64 supplement
STACK, GUARD = "stack", "guard of the stack"  # names of regions
ROOM = 1 << 14  # bytes of stack that a function may use at most
GUARD_AT = 0x28  # where glibc keeps the value of the stack protector, from the address in FS on
KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")  # what a function must leave as it was
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
LIMIT = 1_000_000  # instructions, after which a run counts as endless
R_X86_64_RELATIVE = 8
ZEROS = (0,) * 8
EVEX = 0x62  # the first byte of an instruction of AVX-512

NAMES = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16)))


def _registers() -> dict[str, tuple[str, int, int]]:
    """By name: "r" for general registers, "h" for their second bytes, "v" for vectors, "k" for masks; the number; the bits."""
    found = {}
    for i, name in enumerate(NAMES):
        low = name[1:] if i < 8 else name
        short = {"ax": "al", "cx": "cl", "dx": "dl", "bx": "bl"}.get(low, f"{low}l")
        parts = (name, f"{name}d", f"{name}w", f"{name}b") if i >= 8 else (name, f"e{low}", low, short)
        found.update((part, ("r", i, 64 >> k)) for k, part in enumerate(parts))
    found.update((f"{name[1]}h", ("h", i, 8)) for i, name in enumerate(NAMES[:4]))
    for i in range(32):
        found.update({f"{letter}mm{i}": ("v", i, bits) for letter, bits in (("x", 128), ("y", 256), ("z", 512))})
    return found | {f"k{i}": ("k", i, 64) for i in range(8)}


REGISTERS = _registers()
# Which instructions trap at addresses that are not aligned: these with a VEX or EVEX prefix, and those of SSE but for these.
ALIGNED = "vmovdqa", "vmovdqa32", "vmovdqa64", "vmovaps", "vmovapd", "vmovntdq", "vmovntdqa", "vmovntps", "vmovntpd"
UNALIGNED = "movdqu", "movups", "movupd", "lddqu"


class Fork(Exception):
    """A branch that may go both ways. The argument is the literal that it depends on; nothing has changed yet."""


class Operand(NamedTuple):
    kind: str  # r, h, v and k as above, m for memory, i for a number
    bits: int
    at: int = 0  # the register, or the number
    base: str = ""
    index: str = ""
    scale: int = 1
    disp: int = 0
    segment: str = ""
    copies: int = 1  # how often an element in memory is broadcast


class Instruction(NamedTuple):
    name: str
    size: int
    operands: tuple[Operand, ...]
    mask: int = 0  # the mask register; 0 if there is none
    zeroing: bool = False  # whether elements without a bit in the mask become zero, and do not stay
    aligned: bool = False  # whether a vector in memory must lie at a multiple of its size


class Library:
    """A linked shared library."""

    def __init__(self, path: Path):
        self.path = path
        with path.open("rb") as file:
            elf = ELFFile(file)
            self.data: dict[int, int] = {}  # bytes that no program writes, by address
            relro = [range(s["p_vaddr"], s["p_vaddr"] + s["p_memsz"]) for s in elf.iter_segments("PT_GNU_RELRO")]
            self.code = [range(s["p_vaddr"], s["p_vaddr"] + s["p_memsz"]) for s in elf.iter_segments("PT_LOAD") if s["p_flags"] & 1]
            for s in elf.iter_segments("PT_LOAD"):
                at = range(s["p_vaddr"], s["p_vaddr"] + s["p_filesz"])
                kept = (lambda a: True) if not s["p_flags"] & 2 else lambda a: any(a in r for r in relro)
                self.data.update((a, byte) for a, byte in zip(at, s.data()) if kept(a))
            self.imports: dict[int, str] = {}  # the names of other libraries' functions, by where their addresses stand
            for section in elf.iter_sections("SHT_RELA"):
                names = elf.get_section(section["sh_link"])
                for r in section.iter_relocations():
                    if r["r_info_type"] != R_X86_64_RELATIVE:
                        self.imports[r["r_offset"]] = names.get_symbol(r["r_info_sym"]).name
                    for i in range(r["r_offset"], r["r_offset"] + 8):
                        if r["r_offset"] in self.imports:
                            self.data.pop(i, None)
                        elif i in self.data:
                            self.data[i] = r["r_addend"] >> 8 * (i - r["r_offset"]) & 255
            symbols = [s for s in elf.get_section_by_name(".symtab").iter_symbols() if s["st_size"]]
        self.objects = [s for s in symbols if s["st_info"]["type"] == "STT_OBJECT"]
        self.functions = [s for s in symbols if s["st_info"]["type"] == "STT_FUNC"]
        self.symbols = {s.name: s["st_value"] for s in symbols}
        self.sizes = {s["st_value"]: s["st_size"] for s in self.functions}
        self.names = {s["st_value"]: s.name for s in self.functions}
        self._decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._decoder.detail = True
        self.decoded: dict[int, Instruction] = {}

    def read(self, at: int, size: int) -> bytes:
        return bytes(self.data[at + i] for i in range(size))

    def imported(self, at: int) -> str | None:
        """The name of the other library's function to which the code at this address jumps at once, if it does."""
        if at in self.sizes or not any(at in code for code in self.code):
            return None
        i = self.instruction(at)
        if i.name == "endbr64":
            return self.imported(at + i.size)
        slots = [at + i.size + o.disp for o in i.operands if o.kind == "m" and o.base == "rip"]
        return self.imports.get(slots[0]) if i.name == "jmp" and slots else None

    def instruction(self, pc: int) -> Instruction:
        if pc not in self.decoded:
            self.decoded[pc] = self._decode(pc)
        return self.decoded[pc]

    def _decode(self, pc: int) -> Instruction:
        raw = bytes(self.data.get(pc + i, 0) for i in range(15))
        i = next(self._decoder.disasm(raw, pc, 1), None)
        out = decoded(i) if i is not None else None
        places = {o.disp for o in out.operands if o.kind == "m" and not o.segment} if out else set()
        size, place = _read_by_objdump(self.path).get(pc, (0, None))
        if i is None or size != i.size or places and place is not None and places != {place}:
            raise Unproved(f"capstone and objdump read the instruction at {pc:#x} differently")
        return out


def decoded(i: capstone.CsInsn) -> Instruction:
    """What capstone says of an instruction, in our terms."""
    # i.insn_name() would be VPCMPEQB for all comparisons of bytes, and MOVSQ for repeated ones
    name, mask, zeroing, operands = i.mnemonic.removeprefix("notrack "), 0, False, []
    if i.prefix[0] and name not in ("endbr64", *REPEATED) and "nop" not in name:
        raise Unproved(f"no semantics of the prefix of {i.mnemonic}")
    for n, o in enumerate(i.operands):
        zeroing |= bool(o.avx_zero_opmask)
        if o.type == cs.X86_OP_REG:
            kind, at, bits = _register(i, o.reg)
            if kind == "k" and n and name not in READS_MASKS:
                mask = at
            else:
                operands.append(Operand(kind, bits, at))
        elif o.type == cs.X86_OP_IMM:
            operands.append(Operand("i", 8 * o.size, o.imm))
        else:
            named = [i.reg_name(r) if r else "" for r in (o.mem.base, o.mem.index, o.mem.segment)]
            said = re.search(r"\{1to(\d+)\}", i.op_str)  # capstone has no field of its own for it
            copies, disp = int(said[1]) if said else 1, o.mem.disp
            if name == "vmovq" and i.bytes[0] == EVEX and i.encoding.disp_size == 1:
                disp = 8 * ((i.bytes[-1] ^ 128) - 128)  # capstone takes it 16 times where VMOVQ writes
            operands.append(Operand("m", 8 * o.size, 0, named[0], named[1], o.mem.scale, disp, named[2], copies))
    vector = any(o.kind == "m" and o.bits >= 128 for o in operands)
    aligned = vector and (name in ALIGNED or not name.startswith("v") and name not in UNALIGNED)
    return Instruction(name, i.size, tuple(operands), mask, zeroing, aligned)


def _register(i: capstone.CsInsn, number: int) -> tuple[str, int, int]:
    name = i.reg_name(number)
    if name not in REGISTERS:
        raise Unproved(f"no semantics of the register {name}")
    return REGISTERS[name]


@lru_cache(8)
def _read_by_objdump(path: Path) -> dict[int, tuple[int, int | None]]:
    """What objdump reads at each address of a library: the length of the instruction, and the displacement of its operand in
    memory if it has one."""
    found = {}
    for line in build.run(["objdump", "-d", "-w", path]).splitlines():
        at, _, rest = line.partition(":\t")
        if rest:
            place = re.search(r"(-?0x[0-9a-f]+)?\(%", rest)
            found[int(at, 16)] = len(rest.split("\t")[0].split()), int(place[1] or "0", 16) if place else None
    return found


class Machine:
    """A processor at the entry of a function, whose registers hold anything. Buffers are regions of memory with an unknown
    base."""

    def __init__(self, g: Graph, library: Library):
        self.g, self.library = g, library
        g.places = g.places or Places(g, WIDTH, 0)
        self.r = [g.input(f"register {name}", WIDTH) for name in NAMES]
        self.v = [g.input(f"register zmm{i}", 512) for i in range(32)]
        self.k = [g.input(f"register k{i}", 64) for i in range(8)]
        self.flags: dict[str, Callable[[], int]] = {}  # C, Z, S and O; one that is not there is undefined
        self.memory: dict[int, Bits] = {}  # bytes that something is known of, by address
        # By address bytes behind what may be read. They stand for the zeros that masks put in their place, of whose value nothing is used then.
        self.beyond: dict[int, Bits] = {}
        self.forgotten = 0  # how often something has been forgotten
        self.wholes: dict[int, tuple[int, Bits]] = {}  # by a sixteenth of an address: where a vector in memory begins, and the vector
        self.steady: dict[tuple[int, int], Bits] = {}  # by address and size what has been read where nothing may be written
        self.regions: list[tuple[str, range, bool]] = []  # name, addresses, and whether they may be written
        self.latest: tuple[str, range, bool] = ("", range(0), False)  # the region of the latest access, where the next one mostly lies
        self.parts: list[tuple[str, int]] = []  # of the stack, the innermost last: the name, and how deep its base lies at most
        # For the stack pointer that the latest access to the stack has met: the word, the part that it lies in, the lowest address that may
        # be accessed there, and how far its addresses lie from depths.
        self.innermost: tuple[Bits, str, int, int] = ((), "", 0, 0)
        self.floors: dict[str, int] = {}  # by the name of a part that is not the innermost: the lowest address in use
        self.written: dict[str, set[int]] = {}  # addresses by the name of their region
        self.seen: set[tuple[int, Bits]] = set()  # program counters and stack pointers, as who runs the machine notes them
        self.read: set[str] = set()  # the names of regions
        self.reached: dict[str, int] = {}  # by the name of a region: the end of what was read or written
        self.public: frozenset[str] = frozenset()  # inputs on which branches may depend, besides addresses
        self.nullable: Bits | None = None  # the address of a buffer that need not be there
        self.every = self.left = 0  # as truth tables over the bits of `settle`, all values and those that branches have left
        self.tables: dict[int, int] = {}  # the truth tables of nodes over these bits, -1 where a node depends on others, too
        self.open: dict[Bits, bool] = {}  # whether a bit of a word has such a truth table
        self.narrow: set[int] = set()  # addresses of such bytes that were stored in words of at most 64 bits
        self.path: Bits = ()  # literals that are true on the way that this run took
        self.possible: Callable[[Bits], bool] = lambda literals: True  # whether such literals can be true together
        self.summaries: dict[int, Callable[[Machine], None]] = {}  # by the address of a function: what a call of it does
        self.trace: list[int] = []
        self.deepest = 0  # bytes of stack below the return address
        self.parts.append((STACK, 0))
        self.top = self.buffer(STACK, range(-ROOM - 8, 0), True, 16) - 8  # the base lies behind the return address
        self.back = g.input("register return", WIDTH)
        self.put(self.top, self.back)
        self.r[4] = g.places.word(self.top)
        self.pc: int | None = 0  # None after the return
        self.kept = {name: self.r[NAMES.index(name)] for name in KEPT}
        self.uppers = [v[128:] for v in self.v[:16]]
        thread = self.buffer(GUARD, range(GUARD_AT, GUARD_AT + 8), False, 8)
        self.put(thread + GUARD_AT, g.input("register guard", WIDTH))

    def buffer(self, name: str, offsets: range, write: bool, alignment: int = 1) -> int:
        """Makes a region at these offsets from an unknown base, and returns the number that stands for the base."""
        at = self.g.places.base(name, alignment, offsets)
        self.latest = name, range(at + offsets.start, at + offsets.stop), write
        self.regions = [x for x in self.regions if x[0] != name] + [self.latest]
        self.innermost = (), "", 0, 0
        return at

    def base(self, name: str) -> int:
        """Where a region begins."""
        return next(place.start for region, place, _ in self.regions if region == name)

    def argument(self, n: int, word: Bits | int) -> None:
        """Sets the n-th argument of a call. The seventh one stands on the stack, behind the return address."""
        word = constant(word, WIDTH) if isinstance(word, int) else word
        if n < len(ARGUMENTS):
            self.r[NAMES.index(ARGUMENTS[n])] = word
        else:
            self.buffer(STACK, range(-ROOM - 8, 8), True, 16)
            self.put(self.top + 8, word)

    def given(self, n: int) -> Bits:
        """The n-th argument, at the entry of a function."""
        return self.r[NAMES.index(ARGUMENTS[n])] if n < len(ARGUMENTS) else self.get(self.address(self.r[4]) + 8, 8)

    # ---- Memory.

    def put(self, at: int, word: Bits) -> None:
        self.steady = {}
        self._write(at, word)

    def _write(self, at: int, word: Bits) -> None:
        size = len(word) // 8
        self.memory.update(zip(range(at, at + size), split(word, 8) if size < 16 else self.g.in_bytes(word)))
        if size <= 8:
            self.narrow.update(place for place in range(at, at + size) if not self.tables or self._is_unsettled(self.memory[place]))
        whole = (at, word) if size in (16, 32, 64) and at % 16 == 0 else None
        for part in range(at // 16, (at + size + 15) // 16):
            if whole:
                self.wholes[part] = whole
            else:
                self.wholes.pop(part, None)

    def get(self, at: int, size: int) -> Bits:
        """What lies there. A vector that was written there in one piece is the same object, which `remembered` finds at once."""
        whole = self.wholes.get(at // 16)
        if whole and whole[0] == at and len(whole[1]) == 8 * size and all(self.wholes.get(part) is whole for part in range(at // 16, (at + size) // 16)):
            return whole[1]
        return tuple(chain.from_iterable(map(self._byte, range(at, at + size))))

    def forget(self, *places: int) -> None:
        """From now on nothing is known of these bytes."""
        for at in places:
            self.memory.pop(at, None)
            self.wholes.pop(at // 16, None)
        self.forgotten += 1
        self.steady = {}

    def forget_below(self, stack: int) -> None:
        self.forget(*(at for at in self.memory if stack - ROOM <= at < stack))

    def _byte(self, at: int) -> Bits:
        """What lies there. A byte of which nothing is known is an input of its own, the same one until something is forgotten: memory does
        not change by itself. Calls for other numbers of blocks begin with the same unknown bytes, which is one of the cases
        that they stand for. So what they compute from a part of a batch that holds no blocks has the same nodes."""
        byte = self.memory.get(at)
        if byte is None:
            return constant(self.library.data[at], 8) if at in self.library.data else self.g.input(f"poison at {at} after {self.forgotten}", 8)
        return byte

    def region(self, at: int, size: int) -> str:
        """The region in which these bytes lie."""
        for region in (self.latest, *self.regions):
            if at in region[1] and at + size - 1 in region[1]:
                self.latest = region
                return region[0]
        if at in self.library.data and at + size - 1 in self.library.data:
            return ""
        raise Unproved(f"accesses {size} bytes at {self.g.places.text(at) if at < 1 << 63 else at - (1 << 64)}, which are not its own")

    def load(self, at: int, size: int) -> Bits:
        if size:
            name = self.region(at, size)
            self._check_stack(name, at)
            self.read.add(name)
            self.reached[name] = max(self.reached.get(name, 0), at + size)
            if not (name and self.latest[2]):
                if (at, size) not in self.steady:
                    self.steady[at, size] = self.g.only(self.get(at, size))
                return self.steady[at, size]
        return self.get(at, size)

    def unread(self, at: int, size: int) -> Bits:
        """What an element of a vector becomes that a mask does not let an instruction read: zero."""
        return tuple(chain.from_iterable(self.beyond.get(place, ZEROS) for place in range(at, at + size)))

    def store(self, at: int, word: Bits) -> None:
        if word:
            name = self.region(at, len(word) // 8)
            if not (name and self.latest[2]):
                raise Unproved(f"writes {self.g.places.text(at)}, which is not its own")
            self._check_stack(name, at)
            self.written.setdefault(name, set()).update(range(at, at + len(word) // 8))
            self.reached[name] = max(self.reached.get(name, 0), at + len(word) // 8)
        self._write(at, word)

    def _check_stack(self, name: str, at: int) -> None:
        """Checks that a place in the stack does not lie too far below the stack pointer."""
        if not name.startswith(STACK):
            return
        pointer, part, lowest, deep = self.innermost
        if name == part == self.parts[-1][0] and self.r[4] is not pointer:
            here = self.g.places.address(self.r[4])
            if here is not None and here in self._span(part):  # it has moved within the part
                self.innermost = pointer, _, lowest, _ = self.r[4], part, here - RED_ZONE, deep
        if name == part and self.r[4] is pointer and at >= lowest:
            self.deepest = max(self.deepest, deep - at)
            return
        here = self.address(self.r[4])
        inner = next((n for n, (part, _) in enumerate(self.parts) if here in self._span(part)), -1)
        self.parts = self.parts[: inner + 1]  # what lies in a part ends when the stack pointer leaves it
        found = next((n for n, (part, _) in enumerate(self.parts) if part == name), None)
        if found is None or at < (here - RED_ZONE if found == inner else self.floors[name]):
            raise Unproved(f"accesses {self.g.places.text(at)}, which lies more than {RED_ZONE} bytes below the stack pointer")
        depth = self.depth(name, at)
        self.deepest = max(self.deepest, depth)
        if found == inner:
            self.innermost = self.r[4], name, here - RED_ZONE, depth + at

    def depth(self, part: str, at: int) -> int:
        """How many bytes below the return address a place in this part of the stack lies at most."""
        return dict(self.parts)[part] + self._span(part).start + ROOM - at

    def _span(self, part: str) -> range:
        """The addresses in a part of the stack, and the one behind them."""
        place = next(place for name, place, _ in self.regions if name == part)
        return range(place.start, place.stop + 1)

    def address(self, word: Bits) -> int:
        at = self.g.places.address(word)
        return number(self.known(word, "an address")) if at is None else at

    def known(self, word: Bits, what: str) -> Bits:
        """The value of a word that depends on the number of blocks alone and has one value on the way so far. Raises Fork where
        it has several."""
        if is_constant(word):
            return word
        if not all(map(self.is_public, word)):
            raise Unproved(f"{what} that depends on inputs")
        return tuple(map(self.decided, word))

    def count(self, word: Bits) -> int:
        """How far something is shifted."""
        return number(self.known(word, "a shift by a distance"))

    def place(self, o: Operand) -> int:
        """The address of an operand in memory."""
        if o.segment:
            if o.segment != "fs" or o.base or o.index or o.disp != GUARD_AT:
                raise Unproved(f"no semantics of the segment {o.segment}")
            return self.base(GUARD)
        if o.base and o.base != "rip" and not o.index:
            at = self.g.places.address(self.r[self._full(o.base)])
            if at is not None:
                return at + o.disp
        return self.address(self.effective(o))

    def effective(self, o: Operand) -> Bits:
        out = constant(o.disp % (1 << WIDTH), WIDTH)
        if o.base == "rip":
            return constant((self.pc + self.library.instruction(self.pc).size + o.disp) % (1 << WIDTH), WIDTH)
        if o.index:
            index = self.r[self._full(o.index)]
            shift = o.scale.bit_length() - 1
            out = self.sum((0,) * shift + index[: WIDTH - shift], out)
        return self.sum(self.r[self._full(o.base)], out) if o.base else out

    @staticmethod
    def _full(name: str) -> int:
        kind, at, bits = REGISTERS[name]
        if (kind, bits) != ("r", WIDTH):
            raise Unproved(f"no semantics of an address in {name}")
        return at

    # ---- Arithmetic with addresses.

    def sum(self, a: Bits, b: Bits) -> Bits:
        places = self.g.places
        if is_constant(a) and is_constant(b):
            return self.g.remembered(add, a, b)
        if (found := places.sum(a, b)) is not None:
            return found
        if len(a) == WIDTH and (places.address(a) is None) != (places.address(b) is None) and not is_constant(a + b):
            a, b = (self.known(x, "an address") if places.address(x) is None else x for x in (a, b))
            found = places.sum(a, b)
        return found or self.g.remembered(add, a, b)

    def difference(self, a: Bits, b: Bits) -> Bits:
        return self.g.places.difference(a, b) or self.g.remembered(subtract, a, b)

    def less(self, a: Bits, b: Bits) -> int:
        known = self.g.places.less(a, b)
        return self.g.carry(inverted(a), b) if known is None else known

    def zero(self, word: Bits) -> int:
        if word == self.nullable:
            raise Unproved("asks whether a buffer is there")
        if is_constant(word):
            return int(not any(word))
        return 0 if self.g.places.is_nonzero(word) else reduce(self.g.or_, word, 0) ^ 1

    def note_apart(self, a: Bits, b: Bits, difference: Bits) -> None:
        """Notes that a difference of addresses in two regions is not 0."""
        places = self.g.places
        if not is_constant(difference) and places.address(a) is not None and places.address(b) is not None:
            names = [self._inside(places.address(x)) for x in (a, b)]
            if all(names) and names[0] != names[1]:
                places.note_nonzero(difference)

    def _inside(self, at: int) -> str:
        return next((name for name, place, _ in self.regions if at in place), "")

    # ---- Operands.

    def value(self, o: Operand, bits: int = 0) -> Bits:
        """The value of an operand; a number, and an element that is broadcast, of so many bits."""
        bits = bits or o.bits
        if o.kind == "r":
            return self.r[o.at][: o.bits]
        if o.kind == "h":
            return self.r[o.at][8:16]
        if o.kind == "v":
            few = min(o.bits, bits)
            return self.v[o.at] if few == VECTOR else self.g.remembered(low, self.v[o.at], few)
        if o.kind == "k":
            return self.k[o.at][:bits]
        if o.kind == "i":
            return constant(o.at % (1 << bits), bits)
        if o.copies > 1:
            return self.g.remembered(times, self.load(self.place(o), bits // o.copies // 8), o.copies)
        return self.load(self.place(o), min(o.bits, bits) // 8)

    def assign(self, o: Operand, word: Bits) -> None:
        """Writes to a register or to memory. Of a general register, 32 bits set the others to zero, and fewer leave them. A
        vector's bits behind those that are written become zero."""
        if o.kind == "r":
            old = self.r[o.at]
            self.r[o.at] = word if len(word) == 64 else (*word, *(0,) * 32) if len(word) == 32 else (*word, *old[len(word) :])
        elif o.kind == "h":
            self.r[o.at] = (*self.r[o.at][:8], *word, *self.r[o.at][16:])
        elif o.kind == "v":
            self.v[o.at] = word if len(word) == VECTOR else self.g.remembered(padded, word)
        elif o.kind == "k":
            self.k[o.at] = (*word, *(0,) * (64 - len(word)))
        else:
            self.store(self.place(o), word)

    def mask(self, i: Instruction, elements: int) -> Bits:
        """For each element whether it takes part."""
        if not i.mask:
            return (1,) * elements
        bits = self.k[i.mask][:elements]
        if not is_constant(bits):
            raise Unproved("a mask that depends on inputs")
        return bits

    def assign_elements(self, i: Instruction, word: Bits, width: int) -> None:
        """Writes a vector's elements of this width, as the mask says."""
        to = i.operands[0]
        if not i.mask:
            return self.assign(to, word)
        mask = self.mask(i, len(word) // width)
        if to.kind == "m":
            at = self.place(to)
            for bit, first, behind in runs(mask, width):
                if bit:
                    self.store(at + first // 8, word[first:behind])
            return None
        old = (0,) * len(word) if i.zeroing else self.v[to.at]
        return self.assign(to, joined((word if bit else old)[first:behind] for bit, first, behind in runs(mask, width)))

    # ---- Flags and branches.

    def set_flags(self, result: Bits, carry: Callable[[], int], overflow: Callable[[], int]) -> None:
        self.flags = {"C": carry, "O": overflow, "Z": lambda: self.zero(result), "S": lambda: result[-1]}

    def flag(self, name: str) -> int:
        if name not in self.flags:
            raise Unproved(f"the flag {name} is undefined")
        return self.flags[name]()

    def condition(self, name: str) -> int:
        """The literal of a condition, by the letters that end the names of Jcc, SETcc and CMOVcc."""
        g, flag = self.g, self.flag
        if name in NEGATED:
            return self.condition(NEGATED[name]) ^ 1
        if name == "be":
            return g.or_(flag("C"), flag("Z"))
        if name == "l":
            return g.xor(flag("S"), flag("O"))
        if name == "le":
            return g.or_(flag("Z"), self.condition("l"))
        return flag({"b": "C", "e": "Z", "s": "S", "o": "O"}[name])

    def is_public(self, literal: int) -> bool:
        return all(name in self.public or name.startswith("the address of") for name in self.g.inputs(literal))

    def decided(self, literal: int) -> int:
        """Whether a public literal is true. Raises Fork where the way so far leaves that open."""
        if literal <= 1 or literal in self.path:
            return int(literal != 0)
        if self.tables and self._settled(literal) <= 1:
            return self._settled(literal)
        if literal ^ 1 in self.path or not self.possible((*self.path, literal)):
            return 0
        if not self.possible((*self.path, literal ^ 1)):
            return 1
        raise Fork(literal)

    def settle(self, word: Bits) -> None:
        """From now on bits of general registers and of words in memory become constants where they depend on this word of few bits alone
        and branches have left them one value."""
        rows = range(1 << len(word))
        first = {0: 0} | {x >> 1: sum((n >> k & 1) << n for n in rows) for k, x in enumerate(word)}
        self.tables, self.open = self.g.computed.setdefault((Machine.settle, word), (first, {}))
        self.every = self.left = (1 << len(rows)) - 1
        self.narrow = {at for at in self.narrow if self._is_unsettled(self.memory.get(at, ()))}

    def assume(self, literal: int) -> None:
        """From now on a literal is true."""
        self.path += (literal,)
        if not self.tables or self._table(literal >> 1) < 0:
            return
        self.left &= self._table(literal >> 1) ^ -(literal & 1)
        self.r = [tuple(map(self._settled, word)) if self._is_unsettled(word) else word for word in self.r]
        for at in self.narrow:
            if self._is_unsettled(self.memory.get(at, ())):
                self.memory[at] = tuple(map(self._settled, self.memory[at]))

    def _settled(self, literal: int) -> int:
        """The constant that a literal has become, or the literal."""
        table = self._table(literal >> 1)
        if literal <= 1 or table < 0:
            return literal
        true = (table ^ -(literal & 1)) & self.left
        return 0 if not true else 1 if true == self.left else literal

    def _is_unsettled(self, word: Bits) -> bool:
        """Whether a bit of a word has a truth table."""
        found = self.open.get(word)
        if found is None:
            found = self.open[word] = any(x > 1 and self._table(x >> 1) >= 0 for x in word)
        return found

    def _table(self, node: int) -> int:
        """The truth table of a node, or -1."""
        known, fanin, todo = self.tables, self.g.fanin, [node]
        while todo:
            here = todo.pop()
            if here in known:
                continue
            below = fanin[here]
            found = [known.get(x >> 1) for x in below or ()]
            if not below or -1 in found:
                known[here] = -1
            elif None in found:
                todo += [here, below[found.index(None)] >> 1]
            else:
                tables = (table ^ -(x & 1) for table, x in zip(found, below))
                known[here] = reduce(operator.and_ if len(below) == 2 else operator.xor, tables) & self.every
        return known[node]

    def taken(self, literal: int) -> int:
        if literal > 1 and not self.is_public(literal):
            raise Unproved(f"a branch on {', '.join(sorted(self.g.inputs(literal)))}")
        return self.decided(literal)

    # ---- Running.

    def stop(self, why: str) -> Unproved:
        at = next((s.name for s in self.library.functions if self.pc in range(s["st_value"], s["st_value"] + s["st_size"])), "?")
        return Unproved(f"{why} (at {self.pc:#x} in {at})")

    def advance(self) -> None:
        """Runs the instruction at the program counter, or a function that is known there."""
        if summary := self.summaries.get(self.pc):
            try:
                return summary(self)
            except Unproved as error:
                raise self.stop(str(error)) from None
        try:
            i = self.library.decoded.get(self.pc) or self.library.instruction(self.pc)
            do = SEMANTICS.get(i.name)
            if do is None:
                raise Unproved(f"no semantics of {i.name}")
            if len(self.trace) > LIMIT:
                raise Unproved("does not return")
            if i.aligned:
                self._check_alignment(i)
            to = do(self, i)
        except Unproved as error:
            raise self.stop(str(error)) from None
        except ValueError:  # another number of operands
            raise self.stop(f"no semantics of this form of {i.name}") from None
        self.trace.append(self.pc)
        if to is None:
            self.pc += i.size
        else:
            self.pc = None if to is self.back else self.address(to)

    def _check_alignment(self, i: Instruction) -> None:
        """Checks that the vector in memory lies at a multiple of its size, where the instruction traps otherwise."""
        for o in i.operands:
            zeros = (o.bits // 8).bit_length() - 1
            if o.kind == "m" and any(self.effective(o)[:zeros]):
                raise Unproved(f"{i.name} at an address that need not be a multiple of {o.bits // 8}")

    def copy(self) -> "Machine":
        other = copy(self)
        for name in ("r", "v", "k", "flags", "memory", "wholes", "regions", "parts", "floors", "read", "reached", "seen", "trace", "narrow"):
            setattr(other, name, getattr(self, name).copy())
        other.written = {name: places.copy() for name, places in self.written.items()}
        return other

    def return_from(self, depth: int) -> None:
        """Returns from a function at whose entry the machine is. depth: the bytes below the return address that it needs."""
        stack = self.address(self.r[4])
        self.deepest = max(self.deepest, depth + self.depth(self.region(stack, 8), stack))
        back, self.r[4] = self.get(stack, 8), self.sum(self.r[4], constant(8, WIDTH))
        self.pc = None if back == self.back else self.address(back)

    def changed_by_call(self, *results: int) -> None:
        """What a function may change is unknown after its return: registers but for those that it must keep and those with results,
        the stack below the pointer, and flags."""
        for at in (n for n, name in enumerate(NAMES) if name not in (*KEPT, "rsp") and n not in results):
            self.r[at] = self.g.input("poison", WIDTH)
        # Upper parts that are not in use before the call are not in use after it. The others may be what they were.
        clean = [not any(self.v[n][128:]) or self.v[n][128:] == upper for n, upper in enumerate(self.uppers)]
        pairs = zip(self.v, clean + [False] * 16, strict=True)
        self.v = [self.g.input("poison", 128) + v[128:] if ok else self.g.input("poison", 512) for v, ok in pairs]
        self.k = [self.g.input("poison", 64) for _ in self.k]
        self.flags = {}
        self.forget_below(self.address(self.r[4]))

    def align_stack(self, alignment: int) -> Bits:
        """The stack pointer after an AND with -alignment. It is the base of a part of the stack of its own: below it lies
        memory of which nothing is known, and the function does not access what lies below the old pointer by the old one."""
        old = self.address(self.r[4])
        where = next(n for n, (part, _) in enumerate(self.parts) if old in self._span(part))
        outer, depth = self.parts[where]
        name = f"{STACK} aligned to {alignment} at {self.g.places.text(old)}"
        at = self.buffer(name, range(-ROOM, 0), True, alignment)
        self.forget_below(at)
        self.floors[outer] = old
        self.parts = [*self.parts[: where + 1], (name, depth + self._span(outer).start + ROOM - old + alignment - 1)]
        return self.g.places.word(at)

    def aligned(self, a: Bits, alignment: int) -> Bits:
        """An address rounded down to a multiple of a power of two. Each remainder is a way of its own."""
        low = number(self.known(a[: alignment.bit_length() - 1], "an address"))
        return self.g.places.sum(a, constant(-low % (1 << WIDTH), WIDTH))

    def faults(self) -> list[str]:
        """The breaches of the calling convention, in words."""
        found = [f"{name} is not as it was" for name, word in self.kept.items() if self.r[NAMES.index(name)] != word]
        if self.r[4] != self.g.places.word(self.top + 8):
            found.append("the stack pointer is off")
        for n, upper in enumerate(self.uppers):
            if self.v[n][128:] != upper and any(self.v[n][128:]):
                found.append(f"the upper part of ymm{n} or zmm{n} is in use after the return")
        return found


# ---- What instructions compute from words.

NEGATED = {"a": "be", "ae": "b", "ne": "e", "ns": "s", "no": "o", "ge": "l", "g": "le"}
CONDITIONS = ("b", "e", "s", "o", "be", "l", "le", *NEGATED)
REPEATED = {f"rep {what}s{c}": 1 << n for what in ("mov", "sto") for n, c in enumerate("bwdq") if c != "d"}  # the bytes of a step
READS_MASKS = ("kmovb", "kmovw", "kmovd", "kmovq", "vpmovm2b")


def joined(words) -> Bits:
    return tuple(chain.from_iterable(words))


@lru_cache(1 << 12)
def runs(mask: Bits, width: int) -> list[tuple[int, int, int]]:
    """Where a mask for elements of this width has the same bits one after another: this bit, the first bit of the vector and the one behind
    the last."""
    found, at = [], 0
    for bit, same in groupby(mask):
        behind = at + width * len([*same])
        found.append((bit, at, behind))
        at = behind
    return found


def low(_: Graph, word: Bits, bits: int) -> Bits:
    return word[:bits]


def padded(_: Graph, word: Bits) -> Bits:
    return (*word, *(0,) * (VECTOR - len(word)))


def cleared(_: Graph, word: Bits) -> Bits:
    """A vector whose bits behind the lowest 128 are zero."""
    return word[:128] + (0,) * (VECTOR - 128)


def times(_: Graph, element: Bits, n: int) -> Bits:
    return element * n


def lowest(_: Graph, word: Bits, before: Bits) -> Bits:
    """A vector of which the lowest 128 bits are new."""
    return word[:128] + before[128:]


def xor(g: Graph, a: Bits, b: Bits) -> Bits:
    return g.xors(a, b)


def and_(g: Graph, a: Bits, b: Bits) -> Bits:
    return tuple(map(g.and_, a, b))


def and_not(g: Graph, a: Bits, b: Bits) -> Bits:
    return tuple(map(g.and_, inverted(a), b))


def or_(g: Graph, a: Bits, b: Bits) -> Bits:
    return tuple(map(g.or_, a, b))


def add(g: Graph, a: Bits, b: Bits, carry: int = 0) -> Bits:
    return g.add(a, b, carry)[0]


def subtract(g: Graph, a: Bits, b: Bits) -> Bits:
    return inverted(g.add(inverted(a), b)[0])


def subtract_saturated(g: Graph, a: Bits, b: Bits) -> Bits:
    """The difference of two unsigned numbers, or 0 if it is negative."""
    less = g.carry(inverted(a), b)
    return tuple(g.and_(less ^ 1, x) for x in subtract(g, a, b))


def minimum(g: Graph, a: Bits, b: Bits) -> Bits:
    less = g.carry(inverted(a), b)
    return tuple(g.mux(less, x, y) for x, y in zip(a, b))


def maximum(g: Graph, a: Bits, b: Bits) -> Bits:
    less = g.carry(inverted(a), b)
    return tuple(g.mux(less, y, x) for x, y in zip(a, b))


def equal(g: Graph, a: Bits, b: Bits) -> Bits:
    return (reduce(g.or_, map(g.xor, a, b), 0) ^ 1,) * len(a)


def greater(g: Graph, a: Bits, b: Bits) -> Bits:
    """Whether a signed number is greater than another one."""
    flip = lambda w: (*w[:-1], w[-1] ^ 1)  # noqa: E731
    return (g.carry(inverted(flip(b)), flip(a)),) * len(a)


def left(a: Bits, n: int) -> Bits:
    return ((0,) * min(n, len(a)) + a)[: len(a)]


def right(a: Bits, n: int) -> Bits:
    return a[n:] + (0,) * min(n, len(a))


def right_signed(a: Bits, n: int) -> Bits:
    n = min(n, len(a) - 1)
    return a[n:] + a[-1:] * n


def rotate_left(a: Bits, n: int) -> Bits:
    n = -n % len(a)
    return a[n:] + a[:n]


def rotate_right(a: Bits, n: int) -> Bits:
    return rotate_left(a, -n)


def ternary(g: Graph, table: int, a: Bits, b: Bits, c: Bits) -> Bits:
    words, at = (c, b, a), next((i for i in range(3) if _flips(table, i)), None)
    if at is None:
        return tuple(g.function(table, leaves) for leaves in zip(*words))
    # An exclusive or of this operand and of a function of the others, which is a conjunction where it is not linear, too.
    first, others = words[at], [words[i] for i in range(3) if i != at]
    part = sum((table >> sum((n >> k & 1) << i for k, i in enumerate(i for i in range(3) if i != at)) & 1) << n for n in range(4))
    flip = part & 1
    if part ^ 15 * flip == 6:
        total = g.xors(first, g.xors(*others))
        return inverted(total) if flip else total
    function = OF_TWO[part ^ 15 * flip]
    return tuple(g.xor(x, function(g, y, z)) ^ flip for x, y, z in zip(first, *others))


# By truth table the functions of two bits that are false where both are.
OF_TWO: dict[int, Callable[[Graph, int, int], int]] = {
    0: lambda g, y, z: 0, 2: lambda g, y, z: g.and_(y, z ^ 1), 4: lambda g, y, z: g.and_(y ^ 1, z), 6: lambda g, y, z: g.xor(y, z),
    8: lambda g, y, z: g.and_(y, z), 10: lambda g, y, z: y, 12: lambda g, y, z: z, 14: lambda g, y, z: g.or_(y, z),
}  # fmt: skip


def _flips(table: int, at: int) -> bool:
    """Whether a truth table over three bits changes wherever this bit does."""
    return all((table >> i ^ table >> (i ^ 1 << at)) & 1 for i in range(8))


def choose_bytes(g: Graph, a: Bits, b: Bits) -> Bits:
    """VPSHUFB within 128 bits: byte b[i] modulo 16 of a, or 0 where bit 7 of b[i] is set."""
    table, out = split(a, 8), []
    for index in split(b, 8):
        if is_constant(index):
            n = number(index)
            out.append((0,) * 8 if n & 128 else table[n % 16])
        else:
            key = choose_bytes, a, index[:4], index[7]
            if key not in g.computed:
                g.computed[key] = chosen_byte(g, table, index)
            out.append(g.computed[key])
    return joined(out)


def chosen_byte(g: Graph, chosen: list[Bits], index: Bits) -> Bits:
    for bit in index[:4]:
        chosen = [tuple(g.mux(bit, y, x) for x, y in zip(*pair)) for pair in zip(chosen[::2], chosen[1::2])]
    return tuple(g.and_(index[7] ^ 1, x) for x in chosen[0])


def affine(rows: int, added: int, x: int) -> int:
    """Bit i of the result is the parity of x in byte 7 - i of the matrix, plus bit i of a constant."""
    return sum(((rows >> 8 * (7 - i) & x).bit_count() & 1) << i for i in range(8)) ^ added


INVERSE = [field.power(x, 254) for x in range(256)]  # in the field of AES, with 0 as the inverse of 0


@lru_cache(64)
def affine_table(inverse: bool, rows: int, added: int) -> list[int]:
    """For each byte its image, or that of its inverse."""
    return [affine(rows, added, INVERSE[x] if inverse else x) for x in range(256)]


def mapped(g: Graph, byte: Bits, rows: int, added: int) -> Bits:
    """The image of a byte, as `affine` says."""
    return tuple(added >> i & 1 ^ g.total(x for k, x in enumerate(byte) if rows >> 8 * (7 - i) + k & 1) for i in range(8))


def looked_up(g: Graph, byte: Bits, table: list[int]) -> Bits:
    return Word(g, byte).looked_up(table).bits


# The last round of AES. A column of the state is four bytes, one after another; row r is turned by r columns.
SUBSTITUTED, SUBSTITUTED_BACK = SB[0], SB[2]
SHIFTED = [i % 4 + 4 * ((i // 4 + i % 4) % 4) for i in range(16)]
SHIFTED_BACK = [i % 4 + 4 * ((i // 4 - i % 4) % 4) for i in range(16)]


def last_round(g: Graph, table: list[int], places: list[int], state: Bits, key: Bits) -> Bits:
    """AESENCLAST and AESDECLAST: byte i is the image of the state's byte places[i], XORed with the key's byte."""
    parts, out, known = split(state, 8), [], g.computed
    for place in places:
        asked = last_round, table is SUBSTITUTED, parts[place]
        if asked not in known:
            known[asked] = looked_up(g, parts[place], table)
        out.append(known[asked])
    return xor(g, joined(out), key)


# ---- Semantics: what each instruction does with a machine. The result is the word that is jumped to, or None.

Semantics = Callable[[Machine, Instruction], Bits | None]


def elementwise(width: int, f: Callable, elements: int = 0) -> Semantics:
    """Two operands, the elements of which have this width. elements: of the mask, if they have another width."""

    def whole(g: Graph, a: Bits, b: Bits) -> Bits:
        known, out = g.computed, []
        for x, y in zip(split(a, width), split(b, width), strict=True):
            word = known.get((f, x, y))
            if word is None:
                word = known[f, x, y] = f(g, x, y)
            out.append(word)
        return joined(out)

    def do(m: Machine, i: Instruction) -> None:
        to, a, b = i.operands
        m.assign_elements(i, m.g.remembered(whole, m.value(a), m.value(b, to.bits)), elements or width)

    return do


def compare(width: int, f: Callable[[Graph, Bits, Bits], int]) -> Semantics:
    """Sets a bit of a mask for each pair of elements of which something is true."""

    def whole(g: Graph, a: Bits, b: Bits) -> Bits:
        return tuple(f(g, x, y) for x, y in zip(split(a, width), split(b, width), strict=True))

    def do(m: Machine, i: Instruction) -> None:
        to, a, b = i.operands
        found = m.g.remembered(whole, m.value(a), m.value(b, a.bits))
        m.assign(to, tuple(bit if known else 0 for bit, known in zip(found, m.mask(i, len(found)))))

    return do


def shift(width: int, f: Callable[[Bits, int], Bits]) -> Semantics:
    """A shift or rotation of elements by a number, or by the low 64 bits of a vector of 128."""

    def whole(_: Graph, word: Bits, n: int) -> Bits:
        return joined(f(x, n) for x in split(word, width))

    def do(m: Machine, i: Instruction) -> None:
        to, a, by = i.operands
        n = m.count(m.value(by, 64 if by.kind == "m" else 128)[:64] if by.kind != "i" else m.value(by, 8))
        m.assign_elements(i, m.g.remembered(whole, m.value(a, to.bits), n), width)

    return do


def move(width: int) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        if i.mask and source.kind == "m":  # elements without a bit in the mask are not read
            at, parts = m.place(source), runs(m.mask(i, to.bits // width), width)
            word = joined((m.load if bit else m.unread)(at + first // 8, (behind - first) // 8) for bit, first, behind in parts)
            if i.zeroing:
                m.assign(to, word)
            else:
                m.assign_elements(i, word, width)
        else:
            m.assign_elements(i, m.value(source), width)

    return do


def broadcast(width: int) -> Semantics:
    """The lowest element in all places."""

    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        element = m.value(source, max(width, source.bits))[:width]
        m.assign_elements(i, m.g.remembered(times, element, to.bits // width), 32 if width > 64 else width)

    return do


def vmovddup(m: Machine, i: Instruction) -> None:
    """Elements of 64 bits with even numbers, each of them twice. Memory has one element for a vector of 128 bits."""
    to, source = i.operands
    elements = split(m.value(source, source.bits), 64)
    m.assign_elements(i, joined(elements[n & ~1] for n in range(to.bits // 64)), 64)


def unpack(width: int, high: bool) -> Semantics:
    """The elements of the low or high halves of each 128 bits in turn."""

    def lane(a: Bits, b: Bits) -> Bits:
        half = slice(64, 128) if high else slice(0, 64)
        return joined(x + y for x, y in zip(split(a[half], width), split(b[half], width)))

    return lanes(lane, width)


NUMBERS = (*((n,) for n in range(256)), ())  # each of them is one object


def lanes(f: Callable[..., Bits], width: int) -> Semantics:
    """The same in each 128 bits of the operands. A number is the last operand."""

    def whole(_: Graph, n: tuple[int, ...], *words: Bits) -> Bits:
        return joined(f(*parts, *n) for parts in zip(*(split(word, 128) for word in words)))

    def do(m: Machine, i: Instruction) -> None:
        to, *sources = i.operands
        n = NUMBERS[next((o.at % 256 for o in sources if o.kind == "i"), 256)]
        words = [m.value(o, to.bits) for o in sources if o.kind != "i"]
        m.assign_elements(i, m.g.remembered(whole, n, *words), width)

    return do


def insert(width: int) -> Semantics:
    """width: of the elements that a mask takes."""

    def do(m: Machine, i: Instruction) -> None:
        to, a, b, n = i.operands
        parts = split(m.value(a, to.bits), b.bits)
        parts[n.at % len(parts)] = m.value(b)
        m.assign_elements(i, joined(parts), width)

    return do


def extract(m: Machine, i: Instruction) -> None:
    to, a, n = i.operands
    parts = split(m.value(a), to.bits)
    m.assign(to, parts[n.at % len(parts)])


def vpermute2i128(m: Machine, i: Instruction) -> None:
    to, a, b, n = i.operands
    four = split(m.value(a) + m.value(b), 128)
    pick = lambda x: (0,) * 128 if x & 8 else four[x & 3]  # noqa: E731
    m.assign(to, pick(n.at) + pick(n.at >> 4))


def shuffle_lanes(width: int) -> Semantics:
    """VSHUFI32X4 and VSHUFI64X2: the lower lanes of the result are lanes of the first operand, the upper ones of the second."""

    def do(m: Machine, i: Instruction) -> None:
        to, a, b, n = i.operands
        count = to.bits // 128
        bits = count.bit_length() - 1  # of the number of a lane
        words = [split(m.value(o, to.bits), 128) for o in (a, b)]
        picked = [words[k >= count // 2][n.at >> bits * k & count - 1] for k in range(count)]
        m.assign_elements(i, joined(picked), width)

    return do


def galois_affine(inverse: bool) -> Semantics:
    """GF2P8AFFINEQB, and GF2P8AFFINEINVQB, which takes the inverses of the bytes. 64 bits are the matrix of eight bytes."""

    def whole(g: Graph, a: Bits, matrices: Bits, added: int) -> Bits:
        if not is_constant(matrices):
            raise Unproved("a matrix that depends on inputs")
        out = []
        for eight, rows in zip(split(a, 64), split(matrices, 64), strict=True):
            rows = number(rows)
            known = g.images.setdefault((inverse, rows, added), {})
            for byte in split(eight, 8):
                image = known.get(byte)
                if image is None:
                    image = known[byte] = looked_up(g, byte, affine_table(True, rows, added)) if inverse else mapped(g, byte, rows, added)
                out.append(image)
        return joined(out)

    def do(m: Machine, i: Instruction) -> None:
        to, a, b, n = i.operands
        m.assign_elements(i, m.g.remembered(whole, m.value(a), m.value(b, to.bits), n.at % 256), 8)

    return do


def aes_last(table: list[int], places: list[int]) -> Semantics:
    def whole(g: Graph, a: Bits, b: Bits) -> Bits:
        parts = zip(split(a, 128), split(b, 128), strict=True)
        return joined(last_round(g, table, places, *part) for part in parts)

    def do(m: Machine, i: Instruction) -> None:
        to, a, b = i.operands
        m.assign(to, m.g.remembered(whole, m.value(a), m.value(b)))

    return do


def vpmaskmovq(m: Machine, i: Instruction) -> None:
    """Elements whose sign in the mask is not set are not accessed, and become zero in a register."""
    to, mask, source = i.operands
    signs = [number(m.known(word[-1:], "a mask")) for word in split(m.value(mask), 64)]
    at = m.place(source if source.kind == "m" else to)
    if source.kind == "m":
        m.assign(to, joined((m.load if sign else m.unread)(at + 8 * n, 8) for n, sign in enumerate(signs)))
        return
    for n, (sign, word) in enumerate(zip(signs, split(m.value(source), 64), strict=True)):
        if sign:
            m.store(at + 8 * n, word)


def vpmovm2(width: int) -> Semantics:
    """Elements of ones where a mask has a bit."""

    def do(m: Machine, i: Instruction) -> None:
        to, mask = i.operands
        m.assign(to, joined((bit,) * width for bit in m.value(mask, to.bits // width)))

    return do


def legacy(do: Semantics, twice: bool = False) -> Semantics:
    """An instruction of SSE by the one of AVX. It leaves the bits of a vector behind the first 128 as they are. twice: whether
    the destination is the first source too."""

    def changed(m: Machine, i: Instruction) -> None:
        to = i.operands[0]
        before = m.v[to.at] if to.kind == "v" else ()
        do(m, i._replace(operands=(to, *i.operands)) if twice else i)
        if to.kind == "v":
            m.v[to.at] = m.g.remembered(lowest, m.v[to.at], before)

    return changed


def move_scalar(m: Machine, i: Instruction) -> None:
    """MOVSS and MOVSD."""
    if i.operands[1].kind != "m" != i.operands[0].kind:
        raise Unproved(f"no semantics of {i.name} between registers")
    SEMANTICS[f"v{i.name}"](m, i)


def valign(width: int) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, a, b, n = i.operands
        at = n.at % (to.bits // width) * width
        m.assign_elements(i, (m.value(b, to.bits) + m.value(a))[at : at + to.bits], width)

    return do


def vpternlog(width: int) -> Semantics:
    def whole(g: Graph, table: int, *words: Bits) -> Bits:
        out, known = [], g.computed
        for x, y, z in zip(*(split(word, 32) for word in words), strict=True):
            key = ternary, table, x, y, z
            if key not in known:
                known[key] = ternary(g, *key[1:])
            out.append(known[key])
        return joined(out)

    def do(m: Machine, i: Instruction) -> None:
        to, b, c, n = i.operands
        m.assign_elements(i, m.g.remembered(whole, n.at % 256, *(m.value(o, to.bits) for o in (to, b, c))), width)

    return do


def choose_in_lanes(g: Graph, a: Bits, b: Bits) -> Bits:
    """The same in each 128 bits; what was chosen before is remembered."""
    out, known = [], g.computed
    for x, y in zip(split(a, 128), split(b, 128), strict=True):
        key = choose_bytes, x, y
        if key not in known:
            known[key] = choose_bytes(g, x, y)
        out.append(known[key])
    return joined(out)


def vpshufb(m: Machine, i: Instruction) -> None:
    to, a, b = i.operands
    m.assign_elements(i, m.g.remembered(choose_in_lanes, m.value(a, to.bits), m.value(b, to.bits)), 8)


def move_half(high: bool) -> Semantics:
    """MOVLPS and MOVHPS: 64 bits to or from the low or high half of a register, whose other half stays."""

    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        if to.kind == "m":
            m.assign(to, m.value(source)[64:] if high else m.value(source)[:64])
        else:
            old, new = m.v[to.at], m.value(source, 64)
            m.assign(to, old[:64] + new if high else new + old[64:128])

    return do


def movhlps(m: Machine, i: Instruction) -> None:
    to, source = i.operands
    m.assign(to, m.value(source)[64:128] + m.v[to.at][64:128])


def pmuludq(g: Graph, a: Bits, b: Bits) -> Bits:
    return multiplied(g, a[:32] + (0,) * 32, b[:32] + (0,) * 32)


def clmul(a: Bits, b: Bits, n: int, g: Graph) -> Bits:
    key = clmul, a[64:] if n & 1 else a[:64], b[64:] if n & 16 else b[:64]
    if key not in g.computed:
        g.computed[key] = g.carry_less(*key[1:])
    return g.computed[key]


def pclmulqdq(m: Machine, i: Instruction) -> None:
    """In each 128 bits the product of two words, which the number selects: bit 0 that of the first operand, bit 4 that of the
    second one."""
    to, a, b, n = i.operands
    pairs = zip(split(m.value(a, to.bits), 128), split(m.value(b, to.bits), 128), strict=True)
    m.assign(to, joined(clmul(x, y, n.at, m.g) for x, y in pairs))


def vmov_low(bits: int) -> Semantics:
    """VMOVD and VMOVQ: the low bits of a vector to or from memory or a register; the other bits become zero."""

    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        m.assign(to, m.value(source)[:bits])

    return do


def vzeroupper(m: Machine, i: Instruction) -> None:
    m.v[:16] = [m.g.remembered(cleared, v) for v in m.v[:16]]


def kmov(bits: int) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        m.assign(to, m.value(source)[:bits] if to.kind == "k" else (m.value(source, bits) + (0,) * 64)[: to.bits])

    return do


# ---- General registers.


def mov(m: Machine, i: Instruction) -> None:
    to, source = i.operands
    m.assign(to, m.value(source, to.bits))


def extend(signed: bool) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        word = m.value(source)
        m.assign(to, word + (word[-1:] if signed else (0,)) * (to.bits - len(word)))

    return do


def lea(m: Machine, i: Instruction) -> None:
    to, source = i.operands
    m.assign(to, m.effective(source)[: to.bits])


def adding(m: Machine, i: Instruction, carry: int) -> None:
    to, source = i.operands
    a, b, g = m.value(to), m.value(source, to.bits), m.g
    total = m.sum(a, b) if not carry else g.remembered(add, a, b, carry)
    sign = lambda: g.and_(g.xor(a[-1], b[-1]) ^ 1, g.xor(a[-1], total[-1]))  # noqa: E731
    m.set_flags(total, lambda: g.carry_out(a, b, carry), sign)
    m.assign(to, total)


def subtracting(m: Machine, i: Instruction, keep: bool) -> None:
    to, source = i.operands
    a, b, g = m.value(to), m.value(source, to.bits), m.g
    found = m.difference(a, b)
    m.note_apart(a, b, found)
    sign = lambda: g.and_(g.xor(a[-1], b[-1]), g.xor(a[-1], found[-1]))  # noqa: E731
    m.set_flags(found, lambda: m.less(a, b), sign)
    if keep:
        m.assign(to, found)


def sbb(m: Machine, i: Instruction) -> None:
    to, source = i.operands
    a, b, g, borrow = m.value(to), m.value(source, to.bits), m.g, m.flag("C")
    found, carry = g.add(a, inverted(b), borrow ^ 1)
    sign = lambda: g.and_(g.xor(a[-1], b[-1]), g.xor(a[-1], found[-1]))  # noqa: E731
    m.set_flags(found, lambda: carry ^ 1, sign)
    m.assign(to, found)


def logical(f: Callable, keep: bool = True) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        a, b = m.value(to), m.value(source, to.bits)
        if f is and_ and keep and (to.kind, to.at) == ("r", 4) and is_constant(b):
            word = m.align_stack((1 << to.bits) - number(b))
        elif f is and_ and m.g.places.address(a) is not None and is_constant(b) and b[-1]:
            word = m.aligned(a, (1 << to.bits) - number(b))
        elif f is xor and source == to:
            word = (0,) * to.bits
        else:
            word = a if a == b and f in (and_, or_) else m.g.remembered(f, a, b)
        m.set_flags(word, lambda: 0, lambda: 0)
        if keep:
            m.assign(to, word)

    return do


def unary(f: Callable[[Machine, Bits], Bits], flags: Callable | None = None) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        a = m.value(i.operands[0])
        word = f(m, a)
        if flags:
            flags(m, a, word)
        m.assign(i.operands[0], word)

    return do


def neg_flags(m: Machine, a: Bits, word: Bits) -> None:
    m.set_flags(word, lambda: reduce(m.g.or_, a, 0), lambda: m.g.and_(a[-1], word[-1]))


def step_flags(m: Machine, a: Bits, word: Bits) -> None:
    """INC and DEC leave the carry as it was."""
    carry = m.flags.get("C")
    m.set_flags(word, lambda: 0, lambda: 0)
    del m.flags["C"], m.flags["O"]
    if carry:
        m.flags["C"] = carry


def shifting(f: Callable[[Bits, int], Bits], rotates: bool = False) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, *by = i.operands
        a = m.value(to)
        n = m.count(m.value(by[0], 8)) % (64 if to.bits == 64 else 32) if by else 1
        word = f(a, n)
        if n:
            m.set_flags(word, lambda: 0, lambda: 0)
            if rotates:
                m.flags = {}
            else:
                del m.flags["O"], m.flags["C"]
                if n <= to.bits:
                    m.flags["C"] = lambda: a[to.bits - n] if f is left else a[n - 1]
        m.assign(to, word)

    return do


def multiplied(g: Graph, a: Bits, b: Bits) -> Bits:
    """The low bits of a product. Where both factors depend on inputs, their bits must lie so far apart that the sums of
    products of single bits do not meet; of each sum the lowest bit is known, and of the others nothing is said."""
    if is_constant(b):
        a, b = b, a
    if is_constant(a):
        out = (0,) * len(b)
        for n, x in enumerate(a):
            out = g.add(out, left(b, n))[0] if x else out
        return out
    sums: dict[int, list[int]] = {}
    for i, x in enumerate(a):
        for j, y in enumerate(b[: len(b) - i]):
            if x and y:
                sums.setdefault(i + j, []).append(g.and_(x, y))
    out = (0,) * len(a)
    places = [*sorted(sums), len(a)]
    for at, behind in zip(places, places[1:]):
        width = len(sums[at]).bit_length()
        if at + width > behind and behind < len(a):
            raise Unproved("a product whose carries depend on inputs")
        above = g.input("poison", min(at + width, len(a)) - at - 1) if width > 1 and at + 1 < len(a) else ()
        out = out[:at] + (g.total(sums[at]), *above) + out[at + 1 + len(above) :]
    return out


def imul(m: Machine, i: Instruction) -> None:
    """The low half of a product. Of the flags, C and O say whether more is left; nothing that is proved here reads them."""
    to, *factors = i.operands
    a, b = [m.value(o, to.bits) for o in (to, *factors)][-2:]
    m.assign(to, multiplied(m.g, a, b))
    m.flags = {}


def double_shift(f: Callable[[Bits, int], Bits]) -> Semantics:
    """SHLD and SHRD: what is shifted in comes from the second operand."""

    def do(m: Machine, i: Instruction) -> None:
        to, other, by = i.operands
        a, b, n = m.value(to), m.value(other), m.count(m.value(by, 8)) % (64 if to.bits == 64 else 32)
        if n > to.bits:
            raise Unproved("a shift by more than the bits of a word")
        if n:
            word = b[to.bits - n :] + a[: to.bits - n] if f is left else a[n:] + b[:n]
            m.set_flags(word, lambda: a[to.bits - n] if f is left else a[n - 1], lambda: 0)
            del m.flags["O"]
            m.assign(to, word)

    return do


def cdqe(m: Machine, i: Instruction) -> None:
    m.r[0] = m.r[0][:32] + m.r[0][31:32] * 32


def repeated(step: int, copies: bool) -> Semantics:
    """REP MOVS and REP STOS upwards: the calling convention says that the direction flag is clear."""

    def do(m: Machine, i: Instruction) -> None:
        size = step * number(m.known(m.r[1], "a length"))
        for at in range(0, size, step):
            to = m.address(m.sum(m.r[7], constant(at, 64)))
            m.store(to, m.load(m.address(m.sum(m.r[6], constant(at, 64))), step) if copies else m.r[0][: 8 * step])
        for at in (7, 6) if copies else (7,):
            m.r[at] = m.sum(m.r[at], constant(size, 64))
        m.r[1] = (0,) * 64

    return do


def bswap(m: Machine, a: Bits) -> Bits:
    return joined(split(a, 8)[::-1])


def xchg(m: Machine, i: Instruction) -> None:
    a, b = i.operands
    x, y = m.value(a), m.value(b)
    m.assign(a, y)
    m.assign(b, x)


def push(m: Machine, i: Instruction) -> None:
    word = m.value(i.operands[0], 64)
    m.r[4] = m.sum(m.r[4], constant(-8 % (1 << 64), 64))
    m.store(m.address(m.r[4]), word)


def pop(m: Machine, i: Instruction) -> None:
    word = m.load(m.address(m.r[4]), 8)
    m.r[4] = m.sum(m.r[4], constant(8, 64))
    m.assign(i.operands[0], word)


def leave(m: Machine, i: Instruction) -> None:
    m.r[4] = m.r[5]
    m.r[5] = m.load(m.address(m.r[4]), 8)
    m.r[4] = m.sum(m.r[4], constant(8, 64))


def jump(m: Machine, i: Instruction) -> Bits:
    to = i.operands[0]
    name = m.library.imports.get(m.place(to)) if to.kind == "m" and to.base == "rip" else None
    if name is None:
        return m.value(to, 64)
    if name not in ("memcpy", "memset"):
        raise Unproved(f"calls {name}")
    n = number(m.known(m.r[2], "a length"))
    m.store(m.address(m.r[7]), m.load(m.address(m.r[6]), n) if name == "memcpy" else m.r[6][:8] * n)
    m.r[0] = m.r[7]
    m.changed_by_call(0)
    return ret(m, i)


def call(m: Machine, i: Instruction) -> Bits:
    to = m.value(i.operands[0], 64)
    m.r[4] = m.sum(m.r[4], constant(-8 % (1 << 64), 64))
    m.store(m.address(m.r[4]), constant(m.pc + i.size, 64))
    return to


def ret(m: Machine, i: Instruction) -> Bits:
    word = m.load(m.address(m.r[4]), 8)
    m.r[4] = m.sum(m.r[4], constant(8, 64))
    return m.back if word == m.back else word


def jcc(name: str) -> Semantics:
    return lambda m, i: m.value(i.operands[0], 64) if m.taken(m.condition(name)) else None


def setcc(name: str) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        bit = m.condition(name)
        m.assign(i.operands[0], (m.decided(bit) if m.is_public(bit) else bit, *(0,) * 7))

    return do


def cmovcc(name: str) -> Semantics:
    def do(m: Machine, i: Instruction) -> None:
        to, source = i.operands
        bit = m.condition(name)
        a, b = m.value(source, to.bits), m.value(to)
        if m.is_public(bit):
            m.assign(to, a if m.decided(bit) else b)
        else:
            m.assign(to, tuple(m.g.mux(bit, x, y) for x, y in zip(a, b)))

    return do


def nothing(m: Machine, i: Instruction) -> None:
    pass


SEMANTICS: dict[str, Semantics] = {
    "mov": mov, "movabs": mov, "movzx": extend(False), "movsx": extend(True), "movsxd": extend(True), "lea": lea,
    "add": lambda m, i: adding(m, i, 0), "adc": lambda m, i: adding(m, i, m.flag("C")),
    "sub": lambda m, i: subtracting(m, i, True), "cmp": lambda m, i: subtracting(m, i, False), "sbb": sbb,
    "and": logical(and_), "or": logical(or_), "xor": logical(xor), "test": logical(and_, False),
    "not": unary(lambda m, a: inverted(a)), "bswap": unary(bswap),
    "neg": unary(lambda m, a: m.g.add(inverted(a), (0,) * len(a), 1)[0], neg_flags),
    "inc": unary(lambda m, a: m.sum(a, constant(1, len(a))), step_flags),
    "dec": unary(lambda m, a: m.difference(a, constant(1, len(a))), step_flags),
    "shl": shifting(left), "shr": shifting(right), "sar": shifting(right_signed),
    "rol": shifting(rotate_left, True), "ror": shifting(rotate_right, True),
    "imul": imul, "shld": double_shift(left), "shrd": double_shift(right), "cdqe": cdqe,
    **{name: repeated(step, "movs" in name) for name, step in REPEATED.items()},
    "push": push, "pop": pop, "xchg": xchg, "leave": leave, "jmp": jump, "call": call, "ret": ret, "nop": nothing, "endbr64": nothing,
    **{f"j{c}": jcc(c) for c in CONDITIONS}, **{f"set{c}": setcc(c) for c in CONDITIONS},
    **{f"cmov{c}": cmovcc(c) for c in CONDITIONS},
    # Vectors. Bitwise operations go by 32 bits, whatever the elements of the mask are.
    **{name: elementwise(32, xor) for name in ("vpxor", "vpxord", "vxorps")}, "vpxorq": elementwise(32, xor, 64),
    **{name: elementwise(32, and_) for name in ("vpand", "vpandd", "vandps")}, "vpandq": elementwise(32, and_, 64),
    **{name: elementwise(32, and_not) for name in ("vpandn", "vpandnd")}, "vpandnq": elementwise(32, and_not, 64),
    **{name: elementwise(32, or_) for name in ("vpor", "vpord", "vorps")}, "vporq": elementwise(32, or_, 64),
    "vpternlogd": vpternlog(32), "vpternlogq": vpternlog(64),
    **{f"vpadd{c}": elementwise(8 << n, add) for n, c in enumerate("bwdq")},
    **{f"vpsub{c}": elementwise(8 << n, subtract) for n, c in enumerate("bwdq")},
    "vpsubusb": elementwise(8, subtract_saturated), "vpminub": elementwise(8, minimum), "vpmaxub": elementwise(8, maximum),
    **{f"vpcmpeq{c}": elementwise(8 << n, equal) for n, c in enumerate("bwdq")}, "vpcmpgtq": elementwise(64, greater),
    "vpcmpleub": compare(8, lambda g, a, b: g.carry(inverted(b), a) ^ 1),
    **{f"vpsll{c}": shift(16 << n, left) for n, c in enumerate("wdq")},
    **{f"vpsrl{c}": shift(16 << n, right) for n, c in enumerate("wdq")},
    **{f"vpsra{c}": shift(16 << n, right_signed) for n, c in enumerate("wdq")},
    **{f"vprol{c}": shift(32 << n, rotate_left) for n, c in enumerate("dq")},
    **{f"vpror{c}": shift(32 << n, rotate_right) for n, c in enumerate("dq")},
    "vpslldq": lanes(lambda a, n: left(a, 8 * n), 8), "vpsrldq": lanes(lambda a, n: right(a, 8 * n), 8),
    "vpalignr": lanes(lambda a, b, n: (b + a + (0,) * 2048)[8 * n : 8 * n + 128], 8), "valignd": valign(32), "valignq": valign(64),
    "vshufps": lanes(lambda a, b, n: joined(split((a, b)[k // 2], 32)[n >> 2 * k & 3] for k in range(4)), 32),
    "vpshufb": vpshufb, "vpshufd": lanes(lambda a, n: joined(split(a, 32)[n >> 2 * k & 3] for k in range(4)), 32),
    "vpshuflw": lanes(lambda a, n: joined(split(a, 16)[n >> 2 * k & 3] for k in range(4)) + a[64:], 16),
    "vpshufhw": lanes(lambda a, n: a[:64] + joined(split(a, 16)[4 + (n >> 2 * k & 3)] for k in range(4)), 16),
    **{f"vpunpckl{c}": unpack(8 << n, False) for n, c in enumerate(("bw", "wd", "dq", "qdq"))},
    **{f"vpunpckh{c}": unpack(8 << n, True) for n, c in enumerate(("bw", "wd", "dq", "qdq"))},
    "vpmuludq": elementwise(64, pmuludq), "vpclmulqdq": pclmulqdq,
    **{f"vextracti{n}": extract for n in ("32x4", "64x2", "64x4")},
    "vperm2i128": vpermute2i128, "vinserti128": insert(32), "vinsertf128": insert(32), "vinserti32x4": insert(32),
    "vinserti64x4": insert(64), "vshufi32x4": shuffle_lanes(32), "vshufi64x2": shuffle_lanes(64), "vextracti128": extract,
    "vextractf128": extract, "vpextrq": extract, "vpextrd": extract,
    **{name: move(32) for name in ("vmovdqa", "vmovdqu", "vmovaps", "vmovups", "vmovdqa32", "vmovdqu32")},
    "vmovdqu8": move(8), "vmovdqu64": move(64), "vmovdqa64": move(64), "vmovd": vmov_low(32), "vmovq": vmov_low(64),
    "vmovsd": vmov_low(64), "vmovss": vmov_low(32), "vmovddup": vmovddup, "vpmaskmovq": vpmaskmovq, "vpmovm2b": vpmovm2(8), "vzeroupper": vzeroupper, **{f"kmov{c}": kmov(8 << n) for n, c in enumerate("bwdq")},
    **{name: broadcast(width) for name, width in (
        ("vpbroadcastb", 8), ("vpbroadcastw", 16), ("vpbroadcastd", 32), ("vpbroadcastq", 64), ("vbroadcastss", 32),
        ("vbroadcastsd", 64), ("vbroadcasti128", 128), ("vbroadcastf128", 128), ("vbroadcasti32x4", 128),
    )},
    # Bytes as elements of the field of AES.
    "vgf2p8affineqb": galois_affine(False), "vgf2p8affineinvqb": galois_affine(True),
    "vaesenclast": aes_last(SUBSTITUTED, SHIFTED), "vaesdeclast": aes_last(SUBSTITUTED_BACK, SHIFTED_BACK),
}  # fmt: skip
SSE_TWICE = (
    "pxor xorps pand andps pandn por orps paddb paddw paddd paddq psubb psubw psubd psubq psubusb pminub pmaxub pcmpeqb pcmpeqd "
    "psllw pslld psllq psrlw psrld psrlq psrad pslldq psrldq palignr pshufb punpcklbw punpcklwd punpckldq punpcklqdq "
    "punpckhbw punpckhwd punpckhdq punpckhqdq pmuludq pclmulqdq aesenclast aesdeclast shufps"
)
SSE_MOVES = "movdqa movdqu movaps movups movd movq movddup pshufd pshuflw pshufhw"
SEMANTICS |= {name: legacy(SEMANTICS[f"v{name}"], True) for name in SSE_TWICE.split()}
SEMANTICS |= {name: legacy(SEMANTICS[f"v{name}"]) for name in SSE_MOVES.split()}
SEMANTICS |= {"movhps": legacy(move_half(True)), "movlps": legacy(move_half(False)), "movhlps": legacy(movhlps), "movsd": legacy(move_scalar), "movss": legacy(move_scalar)}


def ways(machine: Machine, stop: Callable[[Machine], bool] | None = None, at: Container[int] | None = None) -> Iterator[Machine]:
    """Runs a machine until it returns or has to stop, on all ways that its branches leave open. at: where it may have to stop, if that is known."""
    todo = [(machine, False)]
    while todo:
        m, checked = todo.pop()
        while m.pc is not None and not (checked and stop and (at is None or m.pc in at) and stop(m)):
            try:
                m.advance()
                checked = True
            except Fork as fork:
                other = m.copy()
                m.assume(fork.args[0])
                other.assume(fork.args[0] ^ 1)
                todo.append((other, checked))
        yield m
