# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is claimed of kernels for hosts, which are taken from a shared library.

The library holds the objects of libhaechi that a kernel needs: those of its folder, of the cipher's portable kernels
and, out of an archive, those of core that they call. It is compiled as libhaechi is. A loader has to relocate it; here
its first address is 0. The descriptors in it name the functions.

The claims of expand, crypt, bulk and ctr are those of claims.py. Those of bulk and ctr are proved by induction over the number of blocks
(turns.py), but for some kernels only for the numbers in `counts`, each of which has a run of its own. All keys, round keys, blocks and
counters are unknown, and so are the addresses of buffers and of the stack.

A function may call memcpy, memmove and memset of the C library. They are taken to do what the C standard says, and to
leave unknown values in all registers that the calling convention lets them change.
"""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

import spec
from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Variant, load_cards
from bench.made import build
from bench.made.cache import BUILD
from bench.simulated.simulator import Descriptor
from proof.abi import Abi, Buffer, Frame
from proof.bits import Bits, Engine, Graph, Unproved, Word, constant, is_constant, number
from proof.bytewise import ByteGraph
from proof.claims import INVERSE, SLOTS, Claim, Fact, Runs, alignment, gap
from proof.engines import abc
from proof.forms import form_of
from proof.loops import Conditions
from proof.machine import STACK
from proof.turns import Turns, number_of_blocks
from proof.x86_kernels import Counters

FIELDS = "<HHBBB"  # struct haechi_kernel on hosts, up to its pointers
POINTERS = ("expand", "crypt", "bulk", "ctr", "ctr_bytes", "cbc", "xex")
COUNTER = "counter"  # the name of the input
ROUND_KEYS = 4  # to which multiple they are aligned: core/kernel.h
INSTRUCTIONS = 2, 4  # the bytes that one has on Arm
OUTSIDE = {8: 1 << 36, 4: 0xF000_0000}  # from here on, addresses stand for functions of the C library, by the bytes of an address
# Those that the Arm ABI names, and the functions of the C library that do the same.
AEABI = {f"__aeabi_{name}{alignment}": name for name in ("memcpy", "memmove", "memset", "memclr") for alignment in ("", "4", "8")}


@dataclass(frozen=True)
class HostDescriptor(Descriptor):
    """struct haechi_kernel with the slots that hosts have besides."""

    ctr_bytes: int = 0
    cbc: int = 0
    xex: int = 0
    stack: int = 0  # the bytes of stack that core overwrites after bulk, ctr and so on; 0 stands for 8192
    few_stack: int = 0  # and after crypt; 0 stands for 1024
    lanes: int = 0


@dataclass(frozen=True)
class Compiled:
    """One way to make the library."""

    name: str  # in the column `chip` of results/proofs.csv
    compiler: str
    flags: tuple[str, ...]


class Library:
    """A relocated shared library. Frame takes it for the image of a simulator's program."""

    def __init__(self, path: Path, return_bytes: int):
        self.path, self.image, self.return_bytes = path, self, return_bytes
        with path.open("rb") as file:
            elf = ELFFile(file)
            self.width = elf.elfclass // 8  # bytes of an address
            self.even = ~1 if elf["e_machine"] == "EM_ARM" else ~0  # bit 0 of a function's address says there that the code is Thumb
            loaded = [(s["p_vaddr"], bytearray(s.data())) for s in elf.iter_segments("PT_LOAD")]
            table = elf.get_section_by_name(".symtab")
            self.symbols = {s.name: (s["st_value"], s["st_size"]) for s in table.iter_symbols() if s.name and s["st_shndx"] != "SHN_UNDEF"}
            self.functions = [
                (s["st_value"] & self.even, s["st_size"], s.name)
                for s in table.iter_symbols() if s["st_info"]["type"] == "STT_FUNC" and s["st_size"]
            ]  # fmt: skip
            # Where code in Arm state begins, code in Thumb state, and data, as the Arm ABI marks them.
            self.marks = sorted((s["st_value"] & self.even, s.name[1]) for s in table.iter_symbols() if s.name[:2] in ("$a", "$t", "$d"))
            self.outside: dict[int, str] = {}  # functions of other libraries, by the addresses that stand for them
            for section in elf.iter_sections():
                if isinstance(section, RelocationSection) and section["sh_flags"] & 2:  # SHF_ALLOC: those for the loader
                    self._relocate(elf, section, loaded)
            # What a loader makes read-only after it has relocated it is constant; the rest of the data is not.
            self.constants = {
                s.name: (s["sh_addr"], s["sh_size"]) for s in elf.iter_sections()
                if s["sh_size"] and s.name.startswith((".text", ".rodata", ".data.rel.ro", ".got"))
            }  # fmt: skip
        self.segments = [(at, at, bytes(data)) for at, data in loaded]

    def _relocate(self, elf: ELFFile, section: RelocationSection, loaded: list) -> None:
        symbols = elf.get_section(section["sh_link"])
        known = {"EM_AARCH64": {1027: "base", 257: "symbol", 1025: "symbol", 1026: "symbol"},
                 "EM_ARM": {23: "base", 2: "symbol", 21: "symbol", 22: "symbol"},
                 "EM_X86_64": {8: "base", 1: "symbol", 6: "symbol", 7: "symbol"}}[elf["e_machine"]]  # fmt: skip
        for r in section.iter_relocations():
            kind = known.get(r["r_info_type"])
            if kind is None:
                raise BenchError(f"{self.path.name}: relocation {r['r_info_type']}")
            start, data = next((at, data) for at, data in loaded if at <= r["r_offset"] < at + len(data))
            place = slice(r["r_offset"] - start, r["r_offset"] - start + self.width)
            value = r["r_addend"] if section.is_RELA() else int.from_bytes(data[place], "little") if kind == "base" else 0
            if kind == "symbol":
                symbol = symbols.get_symbol(r["r_info_sym"])
                if symbol["st_shndx"] == "SHN_UNDEF":
                    value = OUTSIDE[self.width] + 16 * r["r_info_sym"]
                    self.outside[value] = symbol.name
                else:
                    value += symbol["st_value"]
            data[place] = value.to_bytes(self.width, "little")

    def read(self, address: int, size: int) -> bytes:
        for at, _, data in self.segments:
            if at <= address and address + size <= at + len(data):
                return data[address - at :][:size]
        raise BenchError(f"{self.path.name}: nothing at {address:#x}")

    def descriptor(self, name: str) -> HostDescriptor:
        """The descriptor haechi_<name>."""
        if f"haechi_{name}" not in self.symbols:
            raise BenchError(f"{self.path.name}: no descriptor haechi_{name}")
        at, _ = self.symbols[f"haechi_{name}"]
        rk, needs, block, key, flags = struct.unpack(FIELDS, self.read(at, 7))
        pointer = "Q" if self.width == 8 else "I"
        slots = struct.unpack(f"<{len(POINTERS)}{pointer}", self.read(at + 8, self.width * len(POINTERS)))
        behind = at + 8 + self.width * (len(POINTERS) + 1)  # the name
        *stack, lanes = struct.unpack(f"<HHB3x{pointer}", self.read(behind, 8 + self.width))
        return HostDescriptor(rk, needs, block, key, flags, *(at & self.even for at in slots), *stack[:2], lanes)

    @cached_property
    def bytes(self) -> dict[int, tuple[str, Bits]]:
        """All constants, code included: by address the section and the byte."""
        return {
            at + i: (name, constant(byte, 8))
            for name, (at, size) in self.constants.items() for i, byte in enumerate(self.read(at, size))
        }  # fmt: skip

    @cached_property
    def digest(self) -> str:
        """A hash of everything that is loaded, and of its addresses."""
        h = hashlib.sha256()
        for at, _, data in self.segments:
            h.update(at.to_bytes(8, "little") + data)
        return h.hexdigest()[:16]


class HostFrame(Frame):
    """A machine at the entry of a function of a library. A class for each architecture says which registers a call of
    another function may change; those that the calling convention preserves keep their values all the same."""

    lost: ClassVar[tuple[str, ...]] = ()

    def __init__(self, g: Graph, abi: Abi, library: Library, function: int, arguments: list[Buffer | Bits | int]):
        self.library = library
        # Of the calls of other functions from which none has returned yet: to where each one will, and the stack pointer there.
        self.calls: tuple[tuple[int, Bits], ...] = ()
        super().__init__(g, abi, library, function, arguments)

    def _constants(self, simulator, function: int) -> None:
        for name, (at, size) in self.library.constants.items():
            self.regions[name] = self.data, at, size
            self.alignments[name] = at & -at
            self.tables.add(name)
            self.g.places.constants.append(range(at, at + size))
        for at, (name, byte) in self.library.bytes.items():
            self.readable[self.data, at], self.memory[self.data, at] = name, byte

    def assign(self, place: tuple[str, int, int], word: Bits) -> None:
        super().assign(place, self.g.recognize(word) if place[0] == "register" else word)

    # ---- Functions of the C library.

    def advance(self) -> None:
        before = self.pc
        if before in self.library.outside:
            try:
                self._outside(self.library.outside[before])
            except Unproved as error:
                raise Unproved(f"{self.library.outside[before]}: {error}") from None
        else:
            super().advance()
        if self.abi.link and self.pc is not None and self.pc - before not in INSTRUCTIONS:
            self._jumped(before)

    def _jumped(self, before: int) -> None:
        """Notes a call or a return. before: the address of the instruction that jumped."""
        here, link = (self.pc, self.register(self.pointer)), self.register(self.abi.link)
        if here in self.calls[-1:]:
            self.calls = self.calls[:-1]
        elif is_constant(link) and (behind := number(link) & self.library.even) - before in INSTRUCTIONS:
            self.calls += ((behind, here[1]),)

    def _outside(self, name: str) -> None:
        to, other, size = (self.register(r) for r in self.abi.arguments[:3])
        returns = name not in AEABI
        if not returns:
            name = AEABI[name]
            if name == "memclr":
                name, other, size = "memset", constant(0, len(to)), other
            elif name == "memset":
                other, size = size, other
        if name not in ("memcpy", "memmove", "memset"):
            raise Unproved("is not known")
        if not is_constant(size):
            raise Unproved("a length that is not known")
        self.before, self.fresh, size = self.register(self.pointer), set(), number(size)
        if size and name == "memset":
            self.store(self.data, to, other[:8] * size)
        elif size:
            first, second = self._address(to), self._address(other)
            if name == "memcpy" and None not in (first, second) and abs(first - second) < size:
                raise Unproved("the buffers overlap")
            self.store(self.data, to, self.load(self.data, other, size))
        if any(self.writable[at] == STACK and at < self._floor(self.before) for at in self.fresh):
            raise Unproved("writes below the stack pointer")
        self.written |= self.fresh
        preserved = {r: self.register(r) for r in (*self.abi.kept, self.pointer)}
        then = self._return()
        preserved[self.pointer] = self.register(self.pointer)
        for register in self.lost:
            width = 8 * self.registers[register].size
            self.set_register(register, self.g.input(f"what {name} leaves in {register}, {len(self.trace)}", width))
        for register, word in preserved.items():
            self.set_register(register, word)
        if returns:
            self.set_register(self.abi.result, to)
        if is_constant(then):
            self.pc = number(then) & self.library.even
        else:
            self.pc, self.returned = None, then

    def _return(self) -> Bits:
        """Returns from a function of the C library; says to where."""
        if self.abi.link:
            return self.register(self.abi.link)
        at, width = self.register(self.pointer), self.abi.width
        self.set_register(self.pointer, self.g.places.sum(at, constant(width, 8 * width)))
        return self.get(self.data, self._address(at), width)


@dataclass(frozen=True)
class HostDrive:
    """The descriptor of a key size and direction, as Claim wants it."""

    simulator: Library
    variant: Variant
    inverse: bool
    d: HostDescriptor

    def function(self, slot: str) -> int:
        return getattr(self.d, slot)


@dataclass(frozen=True)
class Host:
    """A target that is a host."""

    name: str  # the column `target` of results/proofs.csv
    abi: Abi
    frame: type[HostFrame]
    compiled: tuple[Compiled, ...]
    kernels: tuple[str, ...]  # those that have claims
    counted: tuple[str, ...] = ()  # kernels of which bulk and ctr are proved for some numbers of blocks only


@dataclass
class HostClaim(Claim):
    """What is claimed of one slot of one descriptor in a library."""

    host: Host = field(kw_only=True)
    counts: tuple[int, ...] = field(kw_only=True)  # if there are any: numbers of blocks, none of which is proved by induction

    def __post_init__(self):
        self.form = form_of(self.card, self.kernel, 8 * self.drive.variant.key, self.drive.inverse)

    def digest(self) -> str:
        return self.image.digest

    def prove(self, engine: Engine = abc, graph=Graph) -> Fact:
        """Core overwrites the stack below a call as far as the descriptor says, so that no call may reach further."""
        fact, d = super().prove(engine, graph), self.drive.d
        room = (d.few_stack or 1024) if self.slot in ("crypt", "expand") else (d.stack or 8192)
        if fact.stack > room:
            fact.faults.append(f"{fact.stack} bytes of stack, where the descriptor says {room}")
        return fact

    def aligned(self, name: str, content: Bits | int, write=False, done: int = 0) -> Buffer:
        """A buffer of which core makes sure that it is aligned as the kernel wants it."""
        return Buffer(name, content, write, alignment=alignment(self.drive.d.flags), done=done)

    def frame(self, g: Graph, *arguments: Buffer | Bits | int) -> HostFrame:
        return self.host.frame(g, self.host.abi, self.image, self.function, list(arguments))

    def runs(self, engine: Engine, graph=Graph) -> Iterator[Runs]:
        if self.card.cipher == "ARIA" and self.slot in ("bulk", "ctr"):
            graph = ByteGraph
        g = graph(engine)
        g.most_terms, g.sees_sums = 1000, True
        asked: set[Bits] = set()
        for frame, got, wanted in getattr(self, f"_{self.slot}")(g):
            # Bits about which no question has been asked yet. Many questions about few blocks take less time than one about all.
            pairs = {pair: None for pair in zip(got, wanted, strict=True) if pair[0] != pair[1] and pair not in asked}
            asked.update(pairs)
            yield [(frame, *([*zip(*pairs)] or ((), ())))]

    def ways(self, g: Graph, *arguments: Buffer | Bits | int) -> Iterator[HostFrame]:
        """Runs the function on all ways that it may take by how the buffers lie to each other."""
        frame = self.frame(g, *arguments)
        frame.pc, frame.public = self.function, frozenset(f"the address of {name}" for name in g.places.bases)
        conditions, assumed = Conditions(g), g.places.assumptions()
        frame.possible = lambda literals: conditions.possible((*assumed, *literals))
        yield from frame.ways()

    def _expand(self, g: Graph) -> Runs:
        keys, form = self.keys(g)
        rk = Buffer("rk", spec.join(keys.before).bits, True, alignment=ROUND_KEYS)
        for frame in self.ways(g, rk, self.aligned("key", spec.join(keys.master).bits)):
            yield frame, frame.content("rk"), form

    def _crypt(self, g: Graph) -> Runs:
        keys, form = self.keys(g)
        block = Word(g, g.input("block", 8 * self.drive.d.block))
        for frame in self.ways(g, Buffer("rk", form, alignment=ROUND_KEYS), self.aligned("buf", block.bits, True)):
            yield frame, frame.content("buf"), self.crypted(keys, block).bits

    def _bulk(self, g: Graph) -> Runs:
        return Calls(self, g, ("apart", "in place")).runs()

    def _ctr(self, g: Graph) -> Runs:
        return Calls(self, g, ("apart", "in place", "stream")).runs()


class Calls:
    """The calls of bulk or ctr. hows: where the input may lie."""

    def __init__(self, claim: HostClaim, g: Graph, hows: tuple[str, ...]):
        self.claim, self.g, self.hows, self.size = claim, g, hows, claim.drive.d.block
        self.keys, self.form = claim.keys(g)
        self.count = number_of_blocks(g, 8 * claim.host.abi.width, self.size)
        self.lanes = claim.stated.lanes
        self.few = claim.counts  # so many blocks, or all numbers of blocks for which no turn of the loop is proved
        self.known = 2 * self.lanes  # so many blocks has a call for an unknown number in memory
        self.results: list[Bits] = []  # the blocks when they are encrypted, or the key stream
        self.counters: list[Bits] = []
        if claim.slot == "ctr":
            self.counters.append(g.input(COUNTER, 8 * self.size))
            self.counters += [spec.counter_plus(Word(g, self.counters[0]), i + 1).bits for i in range(self.known)]
            g.recognize = Counted(Conditions(g), self.counters).recognized

    def runs(self) -> Runs:
        """What calls leave and what they should leave: for each number of blocks in `few`, and, unless these are all that is
        claimed, for all larger numbers."""
        self._specify(max(self.few, default=self.known))  # first, so that what the code computes takes its form
        for how in self.hows:
            turns = self._turns(how)
            # The largest numbers come first: what a batch computes has the specification's form, and what single blocks do need not have it.
            for n in self.few or (1, 0, *range(turns.most, 1, -1)):
                for m in turns.few(n):
                    yield m, *self._left(m, how, n)
            for end in turns.ends:
                yield end, *self._left(end, how, self._done(end))

    def _turns(self, how: str) -> Turns:
        """The turns of the loop. Where the loop processes what is left behind the last batch, too, it goes on after each turn that leaves
        a block. Where it does not, the turn must leave a batch."""
        last = 4 if self.counters else 3  # the place of the number of blocks among the arguments
        enter = lambda n, k: self._enter(how, n, k)  # noqa: E731
        for most in (self.lanes, 2 * self.lanes - 1):
            turns = Turns(self.g, how, self.size, self.lanes, most, enter, self._done, last, ("ctr",))
            try:
                if not self.claim.counts:
                    turns.explore()
                return turns
            except Unproved:
                if most > self.lanes:
                    raise

    def _block(self, n: int) -> Bits:
        return self.g.input(f"block {n}", 8 * self.size)

    def _enter(self, how: str, n: int | None, k: int) -> HostFrame:
        blocks = self.known if n is None else n
        text = sum(map(self._block, range(blocks)), ())
        out = self.claim.aligned("out", text if how == "in place" else len(text) // 8, True, k * self.size)
        into = {"apart": self.claim.aligned("in", text, done=k * self.size), "in place": out, "stream": 0}[how]
        left = self.g.add(self.count, constant(-k % (1 << len(self.count)), len(self.count)))[0] if n is None else n
        counter = [self.claim.aligned("ctr", self.counters[k], True)] if self.counters else []
        m = self.claim.frame(self.g, Buffer("rk", self.form, alignment=ROUND_KEYS), *counter, out, into, left)
        m.pc = self.claim.function
        return m

    def _done(self, m: HostFrame) -> int:
        _, first, size = m.regions["out"]
        if m.reached["out"] < first:
            return 0
        blocks, part = divmod(len(m.written & set(range(first, first + size))), self.size)
        return -1 if part else blocks

    def _specify(self, n: int) -> None:
        """Computes the first n blocks by the specification."""
        while len(self.results) < n:
            text = self.counters[len(self.results)] if self.counters else self._block(len(self.results))
            self.results.append(self.claim.crypted(self.keys, Word(self.g, text)).bits)

    def _left(self, m: HostFrame, how: str, n: int) -> tuple[Bits, Bits]:
        """What the first n blocks have become, and the counter after a return; and what they should be."""
        g = self.g
        self._specify(n)
        space, first, _ = m.regions["out"]
        got, wanted = m.get(space, first, n * self.size), sum(self.results[:n], ())
        if self.counters and how != "stream":
            wanted = tuple(map(g.xor, wanted, sum(map(self._block, range(n)), ())))
        if self.counters and m.pc is None:
            got, wanted = got + m.content("ctr"), wanted + self.counters[n]
        return got, wanted


class Counted(Counters):
    """The same as x86_kernels.Counters, but for exclusive ors of what the specification's bits are exclusive ors of. They have their
    normal form already, and an equal sum of other bits would take it away from them."""

    def __init__(self, conditions: Conditions, counters: list[Bits]):
        super().__init__(conditions, counters)
        self.terms = frozenset().union(*(self.g.terms_of(x) for counter in counters for x in counter if x > 1))

    def recognized(self, word: Bits) -> Bits:
        for x in word:
            if x > 1 and x >> 1 not in self.known and self.g.terms_of(x) <= self.terms:
                self.known[x >> 1] = x & ~1
        return super().recognized(word)


# ---- Libraries.


def _undefined(path: Path) -> tuple[set[str], set[str]]:
    """The global symbols that an object wants, and those that it defines."""
    with path.open("rb") as file:
        symbols = [s for s in ELFFile(file).get_section_by_name(".symtab").iter_symbols() if s["st_info"]["bind"] != "STB_LOCAL"]
    wants = {s.name for s in symbols if s["st_shndx"] == "SHN_UNDEF"}
    return wants, {s.name for s in symbols} - wants


def link(host: Host, compiled: Compiled, card: Card, changed: dict[Path, Path] | None = None) -> Path:
    """The library with the kernels of a card. changed: sources that take the places of others, for tests."""
    own = ["-iquote", card.folder] if changed else []  # changed sources lie elsewhere and include what is here
    portable = ROOT / "src" / card.cipher.lower() / "c"
    return linked(host, compiled, card.cipher.lower(), {*card.folder.glob("*.c"), *portable.glob("*.c")}, own, changed)


def linked(
    host: Host, compiled: Compiled, name: str, sources: set[Path], more_flags: list[str] = (), changed: dict[Path, Path] | None = None
) -> Path:
    """The library of these sources and of what they need of core."""
    flags = [*compiled.flags, *more_flags, "-fPIC"]
    made = lambda path: build.compile(compiled.compiler, (changed or {}).get(path, path), flags)  # noqa: E731
    objects = [made(path) for path in sorted(sources)]
    core = {path: _undefined(path) for path in map(made, sorted((ROOT / "src/core").glob("*.c")))}
    defined: set[str] = set()
    wanted: set[str] = set()
    for path in objects:
        wants, has = _undefined(path)
        wanted, defined = wanted | wants, defined | has
    while more := [path for path, (_, has) in core.items() if path not in objects and has & (wanted - defined)]:
        objects.append(more[0])
        wanted, defined = wanted | core[more[0]][0], defined | core[more[0]][1]
    out = BUILD / "hosts" / host.name / f"{name}.so"
    return build.link(compiled.compiler, objects, [*flags, "-shared", "-nostdlib", "-Wl,-z,now"], out)


def kernels(host: Host) -> list[tuple[Card, str]]:
    """The kernels that have claims, with their cards."""
    return [(card, kernel) for card in load_cards() for kernel in card.kernels if kernel in host.kernels]


def counts(lanes: int) -> tuple[int, ...]:
    """The numbers of blocks that are proved: none, single blocks, incomplete batches, a batch, and a batch and one block. The
    first one is that of which results/proofs.csv counts the instructions."""
    return 1, 0, 2, 3, lanes - 1, lanes, lanes + 1


def claims(host: Host, card: Card, kernel: str, path: Path, numbers: tuple[int, ...] = ()) -> list[HostClaim]:
    """The claims of all slots of all descriptors of a kernel. numbers: those of blocks, in the place of what `make prove` takes."""
    library, found = Library(path, 0 if host.abi.link else host.abi.width), {}
    if kernel in host.counted and not numbers:
        numbers = counts(card.kernels[kernel].lanes)
    for variant in VARIANTS[card.cipher]:
        for inverse in (False, True):
            d = library.descriptor(f"{kernel}{variant.suffix}{'_inv' if inverse else ''}")
            if (d.block, d.key, d.flags & INVERSE) != (variant.block, variant.key, int(inverse)):
                raise BenchError(f"haechi_{kernel}{variant.suffix}: block, key or direction is not that of {variant.cipher}")
            for slot, operations in SLOTS.items():
                if getattr(d, slot):
                    drive = HostDrive(library, variant, inverse, d)
                    claim = HostClaim(None, card, kernel, operations[inverse], slot, drive, host=host, counts=numbers)
                    found.setdefault(claim.statement, claim)
    return list(found.values())


def every(host: Host, wanted: str = "") -> dict[tuple[str, str, str, str, str], str]:
    """All claims that `make prove` takes, with the digest of the library that each is about."""
    return {
        name: c.digest()
        for compiled in host.compiled for card, kernel in kernels(host) if wanted in ("", kernel)
        for c in claims(host, card, kernel, link(host, compiled, card))
        if not gap(*(name := (host.name, compiled.name, c.cipher, kernel, c.operation)))
    }  # fmt: skip


def find(host: Host, card: Card, kernel: str, cipher: str, operation: str, library: Path) -> HostClaim:
    return next(c for c in claims(host, card, kernel, library) if (c.cipher, c.operation) == (cipher, operation))


def program(host: Host, name: str, kernel: str) -> tuple[Card, Path]:
    """The card of a kernel with this kernel alone, and its library, by the name of the way to compile it."""
    card = next(card for card, k in kernels(host) if k == kernel)
    compiled = next(c for c in host.compiled if c.name == name)
    return msgspec.structs.replace(card, kernels={kernel: card.kernels[kernel]}), link(host, compiled, card)
