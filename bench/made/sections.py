# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bytes that the linker takes for a routine, computed from the objects: whole sections, aligned.

A linker that drops what nobody needs (--gc-sections) decides by sections. It takes the section of a routine, every
section to which relocations of that section lead, and so on. Each begins at an address that its alignment allows. A
routine therefore also costs the tables that share a section with the table that it needs, and the bytes between
sections.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from bench.declared.model import BenchError

WRITE, ALLOC, CODE = 1, 2, 4  # flags of sections
Place = tuple[Path, int]  # an object and the number of a section


class Section(msgspec.Struct, frozen=True):
    size: int
    alignment: int
    in_flash: bool  # it holds bytes, so that flash has these or their initial values
    in_ram: bool
    code: bool


class Linked(msgspec.Struct, frozen=True):
    """Bytes of flash and of static RAM, and the names that no object defines, which are the compiler's helpers."""

    flash: int
    ram: int
    elsewhere: tuple[str, ...]


class Sections:
    """The sections of some objects, and the references between them. constants_in_ram: the linker's script puts
    constants in RAM."""

    def __init__(self, objects: Iterable[Path], constants_in_ram: bool = False) -> None:
        self._constants_in_ram = constants_in_ram
        self._sections: dict[Place, Section] = {}
        self._uses: dict[Place, list[tuple[int, Place | str]]] = {}  # offset; section or global name
        self._home: dict[str, tuple[Place, int, int]] = {}  # for each global name its section, offset and size
        self._pointer = 0
        for path in objects:
            with path.open("rb") as file:
                self._read(path, ELFFile(file))

    def _read(self, path: Path, elf: ELFFile) -> None:
        self._pointer = {"EM_AVR": 2, "EM_MSP430": 2}.get(elf["e_machine"], elf.elfclass // 8)
        symbols = next(s for s in elf.iter_sections() if isinstance(s, SymbolTableSection))
        names: list[Place | str] = []
        for symbol in symbols.iter_symbols():
            index = symbol["st_shndx"]
            names.append((path, index) if isinstance(index, int) else symbol.name)
            if isinstance(index, int) and symbol["st_info"]["bind"] != "STB_LOCAL":
                self._home[symbol.name] = (path, index), symbol["st_value"], symbol["st_size"]
        for number, section in enumerate(elf.iter_sections()):
            if isinstance(section, RelocationSection):
                uses = [(r["r_offset"], names[r["r_info_sym"]]) for r in section.iter_relocations() if r["r_info_sym"]]
                self._uses[path, section["sh_info"]] = uses
            elif section["sh_flags"] & ALLOC:
                code = bool(section["sh_flags"] & CODE)
                self._sections[path, number] = Section(
                    section["sh_size"], max(1, section["sh_addralign"]), section["sh_type"] != "SHT_NOBITS",
                    bool(section["sh_flags"] & WRITE) or self._constants_in_ram and not code, code,
                )  # fmt: skip

    def slot(self, descriptor: str, number: int, slots: int) -> Place | None:
        """The section of the routine in one slot of a descriptor, whose last `slots` fields are pointers; None if the
        slot is empty."""
        if descriptor not in self._home:
            raise BenchError(f"no descriptor {descriptor} in the objects")
        place, offset, size = self._home[descriptor]
        wanted = offset + size - (slots - number) * self._pointer
        target = next((to for at, to in self._uses.get(place, []) if at == wanted), None)
        return self._home[target][0] if isinstance(target, str) else target

    def function(self, name: str) -> Place:
        return self._home[name][0]

    def linked(self, routines: Iterable[Place | None], constants_at: int = 0) -> Linked:
        """What these routines take together. constants_at is the address of the first constant in flash, if other code
        precedes it."""
        seen, elsewhere, todo = set(), set(), [place for place in routines if place]
        while todo:
            place = todo.pop()
            if isinstance(place, str):
                if place not in self._home:
                    elsewhere.add(place)
                    continue
                place = self._home[place][0]
            if place not in seen and place in self._sections:
                seen.add(place)
                todo += [to for _, to in self._uses.get(place, [])]
        found = [self._sections[place] for place in sorted(seen)]
        data = [s for s in found if s.in_ram]
        constants = [s for s in found if not s.code and not s.in_ram]
        flash = _laid_out(s for s in found if s.code) + _laid_out(s for s in data if s.in_flash)
        flash += _laid_out(constants, constants_at)
        return Linked(flash, _laid_out(data), tuple(sorted(elsewhere)))


def _laid_out(sections: Iterable[Section], start: int = 0) -> int:
    """The bytes that the sections take one after another from this address on, including those between them."""
    end = start
    for section in sections:
        end += -end % section.alignment + section.size
    return end - start
