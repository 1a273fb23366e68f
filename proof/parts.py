# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The code that other parts than a target's chip run.

The proofs are about programs for the target's chip. Where a source asks what the part has, the assembler may make other code
of it for another part. A function whose text is the same needs no second proof, and one whose text differs has one. The text
of a function is what the assembler makes of its section: the bytes, and the relocations by which the linker completes them.
On AVR, CALL counts as RCALL and JMP as RJMP to the same place, because they differ in their reach alone. The number of bytes
that a call leaves on the stack is part of a text with calls.
"""

import hashlib
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from bench.declared.model import Card, Target
from bench.made import build

# Parts without JMP and CALL, for which no program of the bench is linked.
SMALL = {"avr": ["atmega8", "attiny85"]}
NEAR = {0x940E: 0xD000, 0x940C: 0xC000}  # CALL and JMP: RCALL and RJMP
NEAR_RELOCATION = {18: 3}  # R_AVR_CALL: R_AVR_13_PCREL
CALLS = [(0xF000, 0xD000), (0xFE0E, 0x940E), (0xFFEF, 0x9509)]  # masks and values: RCALL, CALL, ICALL and EICALL
WIDE = 6  # the number of the AVR architecture whose return addresses have three bytes
PROGBITS, ALLOCATED, EXECUTABLE = "SHT_PROGBITS", 2, 4


def others(target: Target) -> list[str]:
    """The parts that run the target's kernels beside its own chip."""
    return [*target.test_chips, *SMALL.get(target.name, ())]


def chips(target: Target, card: Card) -> list[str]:
    """The chips for which programs with a card's kernels are proved: the target's, and those where a text differs."""
    return [target.chip, *(chip for chip in target.test_chips if changed(target, chip, card))]


def texts(target: Target, chip: str, source: Path) -> dict[str, str]:
    """A digest of the text of each symbol that a source defines for a chip."""
    return _texts(target.compiler, (f"{target.chip_flag}{chip}", *target.flags), source)


@cache
def _texts(compiler: str, flags: tuple[str, ...], source: Path) -> dict[str, str]:
    with build.compile(compiler, source, list(flags)).open("rb") as file:
        elf = ELFFile(file)
        symbols = list(elf.get_section_by_name(".symtab").iter_symbols())
        relocations = {
            s["sh_info"]: [_relocation(symbols, r) for r in s.iter_relocations()]
            for s in elf.iter_sections() if s["sh_type"] in ("SHT_REL", "SHT_RELA")
        }  # fmt: skip
        sections = {
            i: (s.data(), relocations.get(i, []), elf["e_machine"] == "EM_AVR" and s["sh_flags"] & EXECUTABLE)
            for i, s in enumerate(elf.iter_sections()) if s["sh_type"] == PROGBITS and s["sh_flags"] & ALLOCATED
        }  # fmt: skip
        wide = elf["e_machine"] == "EM_AVR" and elf["e_flags"] & 0x7F == WIDE
        functions = {s["st_shndx"] for s in symbols if s["st_info"]["type"] == "STT_FUNC"}
        near = {i: _near(code, relocated) for i, (code, relocated, avr) in sections.items() if avr}
        digests = {}
        for i, (code, relocated, _) in sections.items():
            text, places = near.get(i, (code, {}))
            found = [
                (places.get(at, at), NEAR_RELOCATION.get(kind, kind), to, near[to][1].get(offset, offset) if to in near else offset)
                for at, kind, to, offset in relocated
            ]  # fmt: skip
            calls = wide and i in functions and any(map(_is_call, text))
            digests[i] = hashlib.sha256(repr((text, found, calls)).encode()).hexdigest()
        return {s.name: digests[s["st_shndx"]] for s in symbols if s.name and s["st_shndx"] in digests}


def _relocation(symbols: list, r) -> tuple[int, int, str | int, int]:
    """Its place and type, the symbol that it refers to, or the number of a section, and the offset there."""
    symbol = symbols[r["r_info_sym"]]
    return r["r_offset"], r["r_info_type"], symbol.name or symbol["st_shndx"], r.entry.get("r_addend", 0)


def _near(code: bytes, relocations: list) -> tuple[list[bytes], dict[int, int]]:
    """The instructions of a section of AVR with CALL and JMP as RCALL and RJMP, and the number of the instruction at each
    place."""
    at, places, instructions = 0, {}, []
    jumps = {place for place, kind, *_ in relocations if kind in NEAR_RELOCATION}
    while at < len(code):
        places[at] = len(instructions)
        word = int.from_bytes(code[at : at + 2], "little")
        size = 4 if word & 0xFC0F == 0x9000 or word & 0xFE0C == 0x940C else 2  # LDS, STS; JMP, CALL
        instructions.append(NEAR[word].to_bytes(2, "little") if at in jumps else code[at : at + size])
        at += size
    return instructions, places | {at: len(instructions)}


def _is_call(instruction: bytes) -> bool:
    word = int.from_bytes(instruction[:2], "little")
    return any(word & mask == value for mask, value in CALLS)


def changed(target: Target, chip: str, card: Card) -> set[str]:
    """The symbols of a folder's assembly sources whose text for a chip is not that for the target's chip. A kernel that this
    chip cannot run has no text for it."""
    found = set()
    for source in sorted(card.folder.glob("*.S")):
        here, there = texts(target, target.chip, source), texts(target, chip, source)
        found |= {name for name in here.keys() & there.keys() if here[name] != there[name]}
    return found
