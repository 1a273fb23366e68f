# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Documents repeat parts of results/, cards and papers between markers. This module writes those parts:

    <!-- begin: kernels hight avr -->
    ...
    <!-- end -->

After `begin:` come the name of a function of sections.py and its arguments. A text of several lines is surrounded by
blank lines; a text of one line, such as a number, is directly between its markers inside a sentence.
"""

import inspect
import re
from pathlib import Path

from bench.declared.model import ROOT, BenchError
from bench.reported import sections
from bench.reported.book import Book

_SECTION = re.compile(r"(<!-- begin:([^>]*?)-->)(.*?)(<!-- end -->)", re.S)
_MARKER = re.compile(r"<!-- (?:begin:.*?|end) -->")
_ELSEWHERE = {"build", "results", "vectors", "papers"}  # these have no documents, or write their own


def documents(root: Path = ROOT) -> list[Path]:
    """Every Markdown file that people write."""
    folders = sorted(p for p in root.iterdir() if p.is_dir() and p.name not in _ELSEWHERE and p.name[0] != ".")
    return [*sorted(root.glob("*.md")), *(path for folder in folders for path in sorted(folder.rglob("*.md")))]


def fill(text: str, book: Book, name: str) -> str:
    """The text of a document, in which everything between markers is written again. BenchError names the document and
    what is wrong with its markers."""
    markers = _MARKER.findall(text)
    if [marker == "<!-- end -->" for marker in markers] != [False, True] * (len(markers) // 2):
        raise BenchError(f"{name}: the markers are not pairs of <!-- begin: ... --> and <!-- end -->")

    def write(found: re.Match) -> str:
        words = found[2].split()
        section = sections.SECTIONS.get(words[0]) if words else None
        if section is None:
            raise BenchError(f"{name}: {found[1]} names none of {', '.join(sections.SECTIONS)}")
        try:
            inspect.signature(section).bind(book, *words[1:])
            made = section(book, *words[1:])
        except (TypeError, BenchError) as error:
            raise BenchError(f"{name}: {found[1]}: {error}") from None
        if not made:
            raise BenchError(f"{name}: {found[1]}: there are no results of this")
        around = "\n\n" if "\n" in made else ""
        if not around and text[: found.start()].rpartition("\n")[2] == "":
            raise BenchError(f"{name}: {found[1]} begins a line, which Markdown then takes for HTML")
        return f"{found[1]}{around}{made}{around}{found[4]}"

    return _SECTION.sub(write, text)


def render(book: Book, root: Path = ROOT) -> dict[Path, str]:
    """The documents that have markers, with their new texts."""
    texts = {path: path.read_text() for path in documents(root)}
    return {
        path: fill(text, book, str(path.relative_to(root))) for path, text in texts.items() if _MARKER.search(text)
    }
