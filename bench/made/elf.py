# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The contents of a linked program, and what one routine of it needs.

How code is counted. The program is linked with its relocations kept. From a routine they lead to every function and
constant that it needs, directly or through others. Each of these is a symbol with a size. The code of an operation is
the sum of these sizes: the routine, its subroutines and the compiler's helper functions, its constants in flash, and
the image in flash from which start-up code fills its tables in RAM. What two operations share counts in both.
Relocations do not show a call through a pointer, such as those of core to kernels; the caller of needs() names both
functions.

How tables in RAM are counted. A routine that needs a table also needs the padding of the section that contains the
table in this program. sections.py counts what a linker takes for a routine.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from bench.declared.model import BenchError

IMAGE_SECTION, RAM_SECTIONS = ".data", (".data", ".bss", ".noinit")
R_ARM_ABS32 = 2
BEFORE = 8  # bytes


@dataclass(frozen=True)
class Symbol:
    name: str
    address: int  # as the linker has it; on AVR, RAM begins at 0x800000
    size: int  # bytes
    function: bool
    section: str


@dataclass(frozen=True)
class Needs:
    """The needs of a set of routines, in bytes. code is all bytes in flash; constants are those of them that are data,
    and image those that are initial values of tables. tables is RAM with padding, and alignment is the largest among
    the sections of RAM."""

    symbols: tuple[Symbol, ...]
    code: int
    constants: int
    image: int
    tables: int
    alignment: int


class Image:
    """A linked program and its symbols by name. A symbol without a size serves only as an address. leaves returns the
    places to which a function jumps, from its address and code, for assemblers that leave no relocation for jumps
    inside a section."""

    def __init__(self, path: Path, leaves: Callable[[int, bytes], Iterable[int]] = lambda address, code: ()):
        self.path, self._leaves = path, leaves
        with path.open("rb") as file:
            elf = ELFFile(file)
            sections = list(elf.iter_sections())
            self.sections = {s.name: (s["sh_addr"], s["sh_size"], s["sh_addralign"]) for s in sections}
            self.segments = [
                (s["p_paddr"], s["p_vaddr"], s.data()) for s in elf.iter_segments("PT_LOAD") if s["p_filesz"]
            ]
            table = elf.get_section_by_name(".symtab")
            entries = list(table.iter_symbols())
            self._thumb = elf["e_machine"] == "EM_ARM"
            self._all = [self._symbol(e, sections) for e in entries]
            # a local name may belong to several symbols; a global one has precedence
            by_binding = sorted(
                zip(entries, self._all, strict=True), key=lambda p: p[0]["st_info"]["bind"] != "STB_LOCAL"
            )
            self.symbols = {symbol.name: symbol for _, symbol in by_binding if symbol.name}
            self._relocations = [
                (r["r_offset"], entries[r["r_info_sym"]], self._addend(r, entries[r["r_info_sym"]]))
                for s in sections
                if isinstance(s, RelocationSection) and sections[s["sh_info"]]["sh_flags"] & 2  # SHF_ALLOC
                for r in s.iter_relocations()
                if r["r_info_sym"]
            ]

    def _addend(self, relocation, entry) -> int:
        """The addend of a relocation. Where the relocation has none, it is in the place that the relocation is for: an
        absolute word, which the linker has filled."""
        if "r_addend" in relocation.entry:
            return relocation["r_addend"]
        if entry["st_info"]["type"] != "STT_SECTION":
            return 0
        if relocation["r_info_type"] != R_ARM_ABS32:
            raise BenchError(f"{self.path.name}: relocation {relocation['r_info_type']} by section at "
                             f"{relocation['r_offset']:#x}")  # fmt: skip
        return int.from_bytes(self.read(relocation["r_offset"], 4), "little") - entry["st_value"]

    def _symbol(self, entry, sections) -> Symbol:
        index = entry["st_shndx"]
        section = sections[index].name if isinstance(index, int) else ""
        function = entry["st_info"]["type"] == "STT_FUNC"
        address = entry["st_value"] & ~int(function and self._thumb)  # bit 0 of a function's address marks Thumb code
        return Symbol(entry.name, address, entry["st_size"], function, section)

    def address(self, name: str) -> int:
        if name not in self.symbols:
            raise BenchError(f"{self.path.name}: no symbol {name}")
        return self.symbols[name].address

    @property
    def constants_at(self) -> int:
        """Where constants in flash begin: on AVR after the vectors; 0 where they have memory of their own."""
        behind_vectors = self.symbols.get("__trampolines_start")
        return behind_vectors.address if behind_vectors else 0

    def read(self, address: int, size: int) -> bytes:
        """The initial bytes at a link-time address."""
        for _, start, data in self.segments:
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size]
        raise BenchError(f"{self.path.name}: nothing at {address:#x}")

    @cached_property
    def _sized(self) -> list[Symbol]:
        sized = {(s.address, s.size): s for s in [*self._all, *self._unsized_constants()] if s.size and s.section}
        return sorted(sized.values(), key=lambda s: s.address)

    def _unsized_constants(self) -> Iterable[Symbol]:
        """Constants that gcc for RISC-V puts in memory have a local name, but no size: each ends where the next symbol
        begins, or at the end of its section."""
        for s in self._all:
            if s.name.startswith(".LC") and not s.size:
                start, size, _ = self.sections[s.section]
                later = [other.address for other in self._all if other.section == s.section and other.address > s.address]
                yield replace(s, size=min([*later, start + size]) - s.address)

    def at(self, address: int) -> Symbol | None:
        """The symbol with a size that covers this address; the smallest one if there are several."""
        covering = [s for s in self._sized if s.address <= address < s.address + s.size]
        return min(covering, key=lambda s: s.size) if covering else None

    @cached_property
    def literals(self) -> list[range]:
        """The ranges of data among Arm code: from each mapping symbol $d to the next $t."""
        marks = sorted((s.address, s.name[:2]) for s in self._all if s.name[:2] in ("$d", "$t"))
        ends = [address for address, _ in marks[1:]] + [0xFFFFFFFF]
        return [range(at, end) for (at, kind), end in zip(marks, ends, strict=True) if kind == "$d"]

    @cached_property
    def _references(self) -> dict[Symbol, set[Symbol | str]]:
        """For each symbol the symbols to which its relocations refer, or their names if they have no size."""
        references = {}
        for offset, entry, addend in self._relocations:
            source = self.at(offset)
            section = entry["st_info"]["type"] == "STT_SECTION"
            if source is None or entry["st_shndx"] == "SHN_ABS":
                continue
            place = entry["st_value"] + (addend if section else 0)
            target = self.at(place) or (self._just_behind(place) if section else None)
            unknown = entry.name or f"{entry['st_value'] + addend:#x}"
            references.setdefault(source, set()).add(target or unknown)
        for source in (s for s in self._sized if s.function):
            for address in self._leaves(source.address, self.read(source.address, source.size)):
                references.setdefault(source, set()).add(self.at(address) or f"{address:#x}")
        return references

    def _just_behind(self, address: int) -> Symbol | None:
        """The table that a pointer refers to. Some loops begin with a pointer to one element before it. Bytes other than
        zero before the next symbol are a constant to which gcc for Cortex-M0 gives no name."""
        behind = next((s for s in self._sized if address < s.address <= address + BEFORE), None)
        inside = behind and address >= self.sections[behind.section][0]
        if inside and any(self.read(address, size := behind.address - address)):
            return Symbol(f"{address:#x}", address, size, False, behind.section)
        return behind

    def needs(self, addresses: list[int]) -> Needs:
        """Everything that the routines at these addresses need."""
        todo, found = [], set()
        for address in addresses:
            symbol = self.at(address)
            if symbol is None or symbol.address != address:
                raise BenchError(f"{self.path.name}: no function with a size begins at {address:#x}")
            todo.append(symbol)
        while todo:
            symbol = todo.pop()
            if symbol in found:
                continue
            found.add(symbol)
            for target in self._references.get(symbol, ()):
                if isinstance(target, str):
                    raise BenchError(f"{self.path.name}: {symbol.name} refers to {target}, which has no size")
                todo.append(target)
        flash = [s for s in found if s.section not in RAM_SECTIONS]
        sections = {s.section for s in found} & set(RAM_SECTIONS)
        ram = {name: self._with_padding(name, found) for name in sections}
        image = ram.get(IMAGE_SECTION, 0)
        return Needs(
            symbols=tuple(sorted(found, key=lambda s: s.address)),
            code=sum(s.size for s in flash) + image,
            constants=sum(s.size for s in flash if not s.function),
            image=image,
            tables=sum(ram.values()),
            alignment=max((self.sections[name][2] for name in sections), default=1),
        )

    def _with_padding(self, section: str, found: set[Symbol]) -> int:
        """The size of the section without what other objects placed in it."""
        others = sum(s.size for s in self._sized if s.section == section and s not in found)
        return self.sections[section][1] - others
