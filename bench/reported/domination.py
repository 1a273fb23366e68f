# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which published rows about microcontrollers are dominated: ONE kernel of ours is no worse in every column that the row
prints, and better in one.

The columns are speeds, bytes of code and bytes of RAM. Our figures are those of one block; where a row has a speed of
counter mode, ours is that of the key stream, over many blocks. A figure of ours is rounded as the row rounds its own.
Rows whose paper does not say how it counted (`differs`) get no verdict, but the two kernels that come nearest.
"""

from dataclasses import dataclass

from bench.declared.model import Software
from bench.reported.book import Book
from bench.reported.compare import OURS, Figure, Published, published
from bench.reported.literature import COMPARED

YES, NO, UNCLEAR = "yes", "no", "counted otherwise"
NEAREST = 2


@dataclass(frozen=True)
class Column:
    """A column of a row: what it is, and the operation and figure of ours that belong to it."""

    title: str
    theirs: float
    operation: str
    what: str

    def ours(self, figures: dict[str, Figure]) -> float | None:
        """Our figure, rounded as theirs is."""
        figure = figures.get(self.operation)
        found = getattr(figure, self.what) if figure else None
        decimals = len(str(self.theirs).partition(".")[2])
        return None if found is None else round(found, decimals) if decimals else float(round(found))


@dataclass(frozen=True)
class Rival:
    """A kernel beside a row: the columns with our figures, and what fails."""

    kernel: str
    cells: list[tuple[Column, float | None]]

    @property
    def fails(self) -> list[tuple[Column, float | None]]:
        return [(column, ours) for column, ours in self.cells if ours is None or ours > column.theirs]

    @property
    def wins(self) -> bool:
        return not self.fails and any(ours < column.theirs for column, ours in self.cells)

    @property
    def distance(self) -> tuple[int, float]:
        """How many columns fail, and by how much in all."""
        excess = [100.0 if ours is None else ours / (column.theirs or 1) - 1 for column, ours in self.fails]
        return len(excess), sum(excess)


@dataclass(frozen=True)
class Verdict:
    row: Published
    target: str  # the name of ours
    verdict: str
    nearest: list[Rival]  # the kernel that dominates, or those that come nearest


def columns(row: Software) -> list[Column]:
    """The columns that the row prints."""
    found = [
        Column(title, theirs, "keystream" if operation == "ctr" else operation, what)
        for field, (operation, what, title) in COMPARED.items()
        if (theirs := getattr(row, field)) is not None
    ]
    both = "both" if row.rom_holds == "both" or row.code_sum is not None else "enc"
    if row.rom is not None:
        found.append(Column("ROM, bytes", row.rom, both, "code_bytes"))
    if row.ram is not None:
        found.append(Column("RAM, bytes", row.ram, both, "ram_bytes"))
    if row.ctr is not None:  # papers give counter mode's sizes in the columns of encryption
        at_ctr = {"enc": "keystream", "dec": "keystream"}
        found = [Column(c.title, c.theirs, at_ctr.get(c.operation, c.operation), c.what) for c in found if c.operation != "both"]
    return found


def of_kernel(book: Book, target: str, cipher: str, kernel: str) -> dict[str, Figure]:
    """The figures of a kernel by operation: of one block, and of the key stream of many."""
    return {
        figure.operation: figure
        for figure in book.of(target, cipher, kernel)
        if figure.blocks == 1 or figure.operation == "keystream"
    }


def verdict(book: Book, target: str, row: Published) -> Verdict:
    wanted = columns(row.row)
    rivals = []
    for kernel in book.kernels(target, row.row.cipher):
        figures = of_kernel(book, target, row.row.cipher, kernel)
        rivals.append(Rival(kernel, [(column, column.ours(figures)) for column in wanted]))
    rivals.sort(key=lambda rival: (not rival.wins, *rival.distance))
    if row.row.differs:
        return Verdict(row, target, UNCLEAR, rivals[:NEAREST])
    return Verdict(row, target, YES, rivals[:1]) if rivals[0].wins else Verdict(row, target, NO, rivals[:NEAREST])


def verdicts(book: Book) -> list[Verdict]:
    """Every published row of software for our ciphers on a microcontroller."""
    found = []
    for name, target in book.targets.items():
        if target.machine in ("host", "neon") or not book.figures[name]:
            continue
        found += [
            verdict(book, name, row)
            for row in published(book.papers, target.published or name)
            if row.row.cipher in OURS and columns(row.row)
        ]
    return found
