# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which published rows about microcontrollers are dominated: ONE kernel of ours is no worse in every column that the row
prints, and better in one.

The columns are speeds, bytes of code and bytes of RAM. Our figures are those of one block, as all these rows have it; where
a row has a speed of counter mode, ours is that of encrypting one counter block. A figure of ours is rounded as the row
rounds its own.
Tables that a row leaves out of its code are added to it, so that both sides count them. Rows that nothing may be
compared with (`differs`) get no verdict, but the two kernels that come nearest.
"""

from dataclasses import dataclass
from pathlib import Path

from bench.declared.model import VARIANTS, Kernel, Software, Variant
from bench.reported.book import Book
from bench.reported.cells import Pages, filled, number, table
from bench.reported.compare import COMPARED, OURS, Figure, Published, published

YES, NO, UNCLEAR = "yes", "no", "counted otherwise"
NEAREST = 2
KEPT = "kept"  # what a kernel keeps in RAM between blocks: round keys and tables

# Why a row is not dominated: what it would take, in cycles and bytes. Every row of which the answer is no has its entry.
WHY_NOT: dict[str, str] = {}


@dataclass(frozen=True)
class Column:
    """A column of a row: what it is, and the operation and figure of ours that belong to it."""

    title: str
    theirs: float
    operation: str
    what: str
    left_out: int = 0  # bytes of tables that the row leaves out

    @property
    def counted_alike(self) -> float:
        return self.theirs + self.left_out

    def ours(self, figures: dict[str, Figure], card: Kernel, variant: Variant) -> float | None:
        """Our figure, rounded as theirs is; None if there is none."""
        figure = figures.get(self.operation)
        if figure is None:
            return None
        found = _kept(figure, card, variant) if self.what == KEPT else getattr(figure, self.what)
        decimals = len(str(self.theirs).partition(".")[2])
        return None if found is None else round(found, decimals) if decimals else round(found)

    def beside(self, ours: float | None) -> str:
        """Our figure beside theirs."""
        theirs = number(self.theirs) + (f" + {self.left_out}" if self.left_out else "")
        return f"{self.title} {'none' if ours is None else number(ours)} / {theirs}"


def _kept(figure: Figure, card: Kernel, variant: Variant) -> int | None:
    """Bytes of RAM but for the block and the stack; 0 if that is no more than a key."""
    stack = card.stack.get("enc")
    if stack is None or figure.ram_bytes is None:
        return None
    kept = figure.ram_bytes - variant.block - stack
    return 0 if kept <= variant.key else kept


@dataclass(frozen=True)
class Rival:
    """A kernel beside a row: the columns with our figures, and what fails."""

    kernel: str
    cells: list[tuple[Column, float | None]]

    @property
    def fails(self) -> list[tuple[Column, float | None]]:
        return [(column, ours) for column, ours in self.cells if ours is None or ours > column.counted_alike]

    @property
    def wins(self) -> bool:
        return not self.fails and any(ours < column.counted_alike for column, ours in self.cells)

    @property
    def distance(self) -> tuple[int, float]:
        """How many columns fail, and by how much in all."""
        excess = [100.0 if ours is None else ours / (column.counted_alike or 1) - 1 for column, ours in self.fails]
        return len(excess), sum(excess)


@dataclass(frozen=True)
class Verdict:
    row: Published
    target: str  # the name of ours
    verdict: str
    nearest: list[Rival]  # the kernel that dominates, or those that come nearest


# The heads of columns, in fewer words than COMPARED has.
_HEADS = {"cpb": "", "code_bytes": "code of ", "ram_bytes": "RAM of "}


def columns(row: Software) -> list[Column]:
    """The columns that the row prints."""
    found = []
    for field, (operation, what, _) in COMPARED.items():
        theirs = getattr(row, field)
        if theirs is not None:
            tables = row.tables_left_out if what == "code_bytes" and operation != "eks" else 0
            head = _HEADS[what] + ("both" if operation == "both" else operation.upper())
            found.append(Column(head, theirs, "enc" if operation == "ctr" else operation, what, tables))
    both = "both" if row.rom_holds == "both" or row.code_sum is not None else "enc"
    if row.rom is not None:
        found.append(Column("ROM", row.rom, both, "code_bytes", row.tables_left_out))
    if row.ram is not None:
        kept = row.ram_holds == "keys"
        found.append(Column("RAM", row.ram, "enc" if kept else both, KEPT if kept else "ram_bytes"))
    return found


def of_kernel(book: Book, target: str, cipher: str, kernel: str) -> dict[str, Figure]:
    """The figures of a kernel for one block, by operation."""
    return {figure.operation: figure for figure in book.of(target, cipher, kernel) if figure.blocks == 1}


def verdict(book: Book, target: str, row: Published) -> Verdict:
    wanted = columns(row.row)
    variant = next(v for variants in VARIANTS.values() for v in variants if v.cipher == row.row.cipher)
    rivals = []
    for kernel in book.kernels(target, row.row.cipher):
        figures, card = of_kernel(book, target, row.row.cipher, kernel), book.card(kernel)
        rivals.append(Rival(kernel, [(column, column.ours(figures, card, variant)) for column in wanted]))
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


def page(book: Book) -> Pages:
    """The page of all rows, by target."""
    found = verdicts(book)
    shown = {
        book.targets[name].title: _table([v for v in found if v.target == name])
        for name in dict.fromkeys(v.target for v in found)
    }
    count = {kind: sum(v.verdict == kind for v in found) for kind in (YES, NO, UNCLEAR)}
    text = filled("domination.md.j2", tables=shown, yes=count[YES], no=count[NO], unclear=count[UNCLEAR], all=len(found))
    return {Path("domination.md"): text}


def _table(rows: list[Verdict]) -> str:
    """A line for each kernel that dominates a row or comes nearest."""
    lines = []
    for v in rows:
        for n, rival in enumerate(v.nearest):
            cells = "; ".join(column.beside(ours) for column, ours in rival.cells)
            worse = "; ".join(column.beside(ours) for column, ours in rival.fails)
            first = [f"[{v.row.name}](../papers/{v.row.paper}.toml)", v.verdict] if n == 0 else ["", ""]
            why = "" if n else v.row.row.differs or (WHY_NOT.get(v.row.name, "") if v.verdict == NO else "")
            lines.append([*first, f"`{rival.kernel}`", worse, cells, why])
    return table(("<Row", "<Dominated", "<Kernel", "<Worse, ours / theirs", "<All columns, ours / theirs", "<Why not"), lines)
