# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Everything that is written from results/*.csv, cards and papers: the pages and plots of results/, and the parts of
other documents between markers. The module measures nothing, and equal inputs give equal bytes."""

from pathlib import Path

from bench.declared.model import ROOT
from bench.reported import documents, pages, plot
from bench.reported.book import Book
from bench.reported.sections import SMALL

PICTURE = Path("results/plots/summary.svg")  # in the README


def render(book: Book) -> dict[Path, str]:
    """All files with their texts."""
    results = book.root / "results"
    found = {results / name: text for name, text in pages.pages(book).items()}
    picture = _picture(book)
    if picture:
        found[book.root / PICTURE] = picture
    return found | documents.render(book, book.root)


def write(files: dict[Path, str], root: Path = ROOT) -> list[Path]:
    """Writes the files whose bytes change, and returns them. It removes pages and plots in results/ that nothing writes
    any more, and returns those too."""
    changed = []
    for path, text in files.items():
        if not path.exists() or path.read_bytes() != text.encode():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            changed.append(path)
    for path in left_over(files, root):
        path.unlink()
        changed.append(path)
    return changed


def left_over(files: dict[Path, str], root: Path = ROOT) -> list[Path]:
    """Pages and plots in results/ that are not among the files."""
    folder = root / "results"
    return sorted(path for path in (*folder.glob("*.md"), *folder.glob("plots/*.svg")) if path not in files)


def _picture(book: Book) -> str:
    """Our fastest kernel beside the best published one, or the fastest other library, for each machine."""
    groups = []
    for target in (*SMALL, "host"):
        lines = []
        for family in ("LEA", "HIGHT", "ARIA"):
            cipher = book.ciphers(family)[0]
            best = next((c for c in book.choices(target, cipher) if "fastest" in c.which), None)
            if best:
                lines.append((cipher, best.cpb, best.rival_cpb))
        if lines:
            machine = book.targets[target].title if target in SMALL else f"Server ({book.figures[target][0].note})"
            groups.append((machine, lines))
    if not groups:
        return ""
    return plot.beside_published(
        groups, "Haechi's fastest kernels beside the best published ones",
        ["Haechi is coloured. Grey is the fastest published kernel, and on the server the fastest other library."],
        "cycles per byte: one block on microcontrollers, CTR of 16 KiB on the server (logarithmic)",
    )  # fmt: skip
