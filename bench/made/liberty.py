# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Standard-cell libraries: the list of them, and their Liberty text with corrected areas and without unwanted cells."""

import gzip
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError
from bench.made.cache import BUILD, once, write

LIBRARIES = ROOT / "bench/declared/libraries.toml"


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of libraries.toml, which says what the fields mean."""

    name: str
    title: str
    liberty: str
    lef: str = ""
    package: str = ""
    source: str = ""
    skip: str = ""
    nand: str
    or_: str = msgspec.field(name="or")
    nor: str
    latch: str
    buffer: str
    clock_buffer: str
    add: str = ""

    def path(self) -> Path | None:
        """Where its Liberty file is, or None where this machine does not have it."""
        return _found(self.liberty)

    def lef_path(self) -> Path | None:
        return _found(self.lef) if self.lef else None


def _found(name: str) -> Path | None:
    """A file where its Debian package puts it or, as newer releases have no such package, the file of that name in the
    folder that HAECHI_LIBERTY names."""
    places, folder = [Path(name)], os.environ.get("HAECHI_LIBERTY", "")
    if folder:
        places += [p for suffix in ("", ".gz") for p in sorted(Path(folder).resolve().rglob(Path(name).name + suffix))]
    return next((p for p in places if p.is_absolute() and p.is_file()), None)


def libraries() -> list[Library]:
    """All libraries, including those that this machine does not have."""
    raw = tomllib.loads(LIBRARIES.read_text())["library"]
    return msgspec.convert(raw, list[Library])


def _read(path: Path) -> str:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return re.sub(r"/\*.*?\*/", "", raw.decode(errors="replace"), flags=re.S)


def content(library: Library) -> str:
    """The text of a library's files, without comments."""
    return "".join(_read(path) for path in (library.path(), library.lef_path()) if path)


def blocks(text: str, kind: str) -> Iterator[tuple[str, int, int]]:
    """The groups `kind (name) { ... }` of Liberty text: name, start and end of each."""
    at = 0
    for match in re.finditer(rf"\b{kind}\s*\(\s*\"?([^\")]*?)\"?\s*\)\s*\{{", text):
        if match.start() < at:
            continue
        depth, at = 1, match.end()
        for brace in re.compile(r"[{}]").finditer(text, match.end()):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                at = brace.end()
                break
        yield match[1], match.start(), at


def _lef_areas(path: Path) -> dict[str, float]:
    return {
        m[1]: float(m[2]) * float(m[3])
        for m in re.finditer(r"MACRO\s+(\w+).*?SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", _read(path), re.S)
    }


_AREA = re.compile(r"(\barea\s*:\s*\"?)([\d.eE+-]+)")


@once
def prepare(library: Library) -> tuple[Path, float, dict[str, float]]:
    """The Liberty file for mapping, the area of one gate equivalent, and the areas of cells by name."""
    path = library.path()
    if path is None:
        raise BenchError(f"{library.title}: {library.liberty} is not here")
    text, pieces, areas, at = _read(path), [], {}, 0
    lef_path = library.lef_path()
    lef = _lef_areas(lef_path) if lef_path else {}
    skip = re.compile(library.skip or "(?!)")
    unit = 1.0
    for name, start, end in blocks(text, "cell"):
        cell = text[start:end]
        area = float(_AREA.search(cell)[2])
        if name == library.nand and lef:
            unit = area / lef[name]
        areas[name] = (cell, area)
    for name, start, end in blocks(text, "cell"):
        cell, area = areas[name]
        pieces.append(text[at:start])
        at = end
        areas[name] = area
        if skip.search(name):
            continue
        if name in lef:
            areas[name] = round(lef[name] * unit, 4)
            cell = _AREA.sub(lambda m, a=areas[name]: f"{m[1]}{a}", cell, count=1)
        pieces.append(cell)
    pieces.append(text[at:])
    return write(BUILD / "rtl" / f"{library.name}.lib", "".join(pieces)), areas[library.nand], areas


@once
def _shape(library: Library) -> tuple:
    """What a core's mapping depends on: the cells, what they do, and their areas in gate equivalents."""
    lib, unit, areas = prepare(library)
    does = re.compile(r"\b(?:function|next_state|clocked_on|data_in|enable|clear|preset)\s*:\s*\"[^\"]*\"")
    text = lib.read_text()
    cells = [(name, round(areas[name] / unit, 3), *does.findall(text[a:b])) for name, a, b in blocks(text, "cell")]
    return library.nand, library.or_, library.nor, library.latch, library.add, sorted(cells)


@once
def like(library: Library) -> Library:
    """The first library to which a core maps as it does to this one. It is this one, unless one foundry's cells were
    drawn again in another size."""
    return next(x for x in libraries() if x.path() and _shape(x) == _shape(library))
