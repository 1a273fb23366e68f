# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages of the papers: every row that a paper printed, in its own order, with our figure beside each cell."""

import re
from dataclasses import dataclass

import msgspec

from bench.declared.model import VARIANTS, Paper, Software
from bench.measured.rtl import IN_HARDWARE
from bench.reported import compare, cores, domination
from bench.reported.book import Book
from bench.reported.cells import number, ratio
from bench.reported.compare import COMPARED, OURS, Beside, Published

# Further figures that papers print, with what they mean.
PRINTED = {
    "rom": "ROM, bytes", "ram": "RAM, bytes", "ctr_faster": "CTR faster by, per cent", "enc_scaled": "ENC scaled",
    "enc_by_threads": "ENC with 1, 2, 3 ... threads, cycles per byte", "enc_by_key": "ENC by key size, cycles per byte",
}  # fmt: skip
_KINDS = {
    "hardware": "Cores in hardware: areas in gate equivalents, powers in µW, latencies in clocks for a block",
    "relative": "Relative figures: per cent faster than what is named",
    "drbg": "CTR_DRBG: per cent faster than a plain generator",
    "operation_counts": "Operation counts",
}
_REASONS = {
    "hardware": "there is no core of ours of this kind in a library of this size",
    "relative": "nothing of ours was measured that is like this",
    "operation_counts": "these are operations of the cipher, not of an implementation",
}


@dataclass(frozen=True)
class Cell:
    """What the paper printed, and our figure with the ratio theirs / ours."""

    theirs: str
    ours: str = ""
    ratio: str = ""
    wins: bool = False


@dataclass(frozen=True)
class Line:
    id: str
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    title: str
    columns: list[str]
    lines: list[Line]


def tables(book: Book, paper: Paper) -> list[Table]:
    """All that the paper printed, each row once."""
    found = []
    by_table: dict[str, list[Software]] = {}
    for row in paper.form.software:
        by_table.setdefault(row.table, []).append(row)
    for name, rows in by_table.items():
        found.append(_software(book, paper, f"Table {name}: software" if name else "Software", rows))
    for kind, title in _KINDS.items():
        rows = getattr(paper.form, kind)
        if rows:
            found.append(_generators(book, title, rows) if kind == "drbg" else _generic(book, kind, title, rows))
    return found


def _text(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {number(v) if isinstance(v, float) else v}" for key, v in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


# ---- Software.


def _software(book: Book, paper: Paper, title: str, rows: list[Software]) -> Table:
    has = lambda field: any(getattr(row, field) not in (None, [], {}) for row in rows)  # noqa: E731
    compared, printed = [f for f in COMPARED if has(f)], [f for f in PRINTED if has(f)]
    columns = ["Row", "Cipher", "Machine", "Variant", *(COMPARED[f][2] for f in compared),
               *(PRINTED[f] for f in printed), "Our kernel", "Remarks"]  # fmt: skip
    lines = []
    for row in rows:
        kernel, beside, reason = _ours(book, Published(paper.key, row))
        cells = [Cell(row.id), Cell(row.cipher), Cell(row.target), Cell(row.variant)]
        cells += [_compared(row, field, beside, reason) for field in compared]
        cells += [_printed(book, row, f, kernel) for f in printed]
        of = f"The paper measured {row.of}." if row.of else ""
        quoted = f"Quoted by {', '.join(row.quoted_by)}." if row.quoted_by else ""
        why = f"Not compared: {reason}." if reason else ""
        lines.append(Line(row.id, [*cells, Cell(kernel), Cell(" ".join(filter(None, (why, of, quoted, row.note))))]))
    return Table(title, columns, lines)


def _ours(book: Book, row: Published) -> tuple[str, dict[str, Beside], str]:
    """The fastest kernel that answers a row, its figures by operation, and why there is no ratio if there is none."""
    if row.row.cipher not in OURS:
        return "", {}, "Haechi has no such cipher"
    names = [name for name, target in book.targets.items() if (target.published or name) == row.row.target]
    answers = [
        name for card in book.cards for name, kernel in card.kernels.items()
        if any(answer.row == row.name for answer in kernel.answers)
    ]  # fmt: skip
    best: tuple[str, dict[str, Beside]] = ("", {})
    for kernel in answers:
        for name in names[:1]:
            found: dict[str, Beside] = {}
            for figure in book.of(name, row.row.cipher, kernel):
                for line in compare.beside(figure, name, book.cards, [row]):
                    if line.published:
                        found.setdefault(figure.operation, line)
            if found and (not best[1] or _speed(found) < _speed(best[1])):
                best = kernel, found
    if not best[1]:
        return "", {}, row.row.differs or "no kernel answers this row"
    return *best, next((line.reason for line in best[1].values() if line.reason), "")


def _speed(found: dict[str, Beside]) -> float:
    """Cycles per byte of encryption, or of what the paper has instead."""
    return next(found[name].figure.cpb for name in ("enc", "dec", "ctr", "keystream", "eks", "both") if name in found)


def _compared(row: Software, field: str, beside: dict[str, Beside], reason: str) -> Cell:
    theirs = getattr(row, field)
    operation, what, _ = COMPARED[field]
    line = beside.get(operation)
    if theirs is None:
        return Cell("")
    ours = getattr(line.figure, what) if line else None
    if ours is None:
        return Cell(number(theirs))
    if reason or line.reason:
        return Cell(number(theirs), number(ours))
    return Cell(number(theirs), number(ours), ratio(theirs / ours), theirs > ours)


def _printed(book: Book, row: Software, field: str, kernel: str) -> Cell:
    """A further figure. Beside ROM and RAM stand ours, counted as the row counts them, with tables that it leaves out on
    both sides; beside what counter mode gains, our key stream of many blocks against our encryption of one."""
    theirs = getattr(row, field)
    if theirs in (None, [], {}):
        return Cell("")
    name = next((name for name, target in book.targets.items() if (target.published or name) == row.target), "")
    mine = {(f.operation, f.blocks == 1): f for f in book.of(name, row.cipher, kernel)} if kernel else {}
    if field in ("rom", "ram") and mine:
        variant = next(v for variants in VARIANTS.values() for v in variants if v.cipher == row.cipher)
        column = next(column for column in domination.columns(row) if column.title == field.upper())
        ours = column.ours({what: f for (what, one), f in mine.items() if one}, book.card(kernel), variant)
        same = f" + {column.left_out} of tables" if column.left_out else ""
        if ours is not None:
            than = ratio(column.counted_alike / ours) if ours and column.counted_alike else ""
            return Cell(number(theirs) + same, number(ours), than, ours < column.counted_alike)
    if field == "ctr_faster" and {("keystream", False), ("enc", True)} <= set(mine):
        faster = 100 * (1 - mine["keystream", False].cpb / mine["enc", True].cpb)
        return Cell(f"{_text(theirs)} %", f"{number(faster)} %, key stream against ENC")
    return Cell(_text(theirs))


# ---- The other kinds.


def _generic(book: Book, kind: str, title: str, rows: list[dict]) -> Table:
    """Every field of every row as it was printed, and ours beside, or why there is none."""
    fields = list(dict.fromkeys(field for row in rows for field in row if field != "id"))
    lines = []
    for row in rows:
        cells = [Cell(_text(row.get(field, ""))) for field in fields]
        ours = _core(book, row) if kind == "hardware" else _relative(book, row) if kind == "relative" else ""
        lines.append(Line(row["id"], [Cell(row["id"]), *cells, Cell(ours or f"not compared: {_REASONS[kind]}")]))
    return Table(title, ["Row", *(field.replace("_", " ").capitalize() for field in fields), "Ours"], lines)


def _core(book: Book, row: dict) -> str:
    """Our core of the same mode and width, in the libraries nearest to the paper's."""
    found = []
    for mine in IN_HARDWARE.read("rtl"):
        near = cores.beside(mine, book.papers)
        same = near and all(near[0][field] == row[field] for field in ("cipher", "mode", "datapath_bits"))
        fields = cores.NEAREST.get(mine.library, ())
        area = next((row[f] for f in fields if f in row and f.startswith("area")), None)
        if same and area and mine.core != "replica_enc":
            found.append(f"{mine.core} in {mine.library}: {number(mine.area_ge)} GE")
    return "; ".join(found)


def _relative(book: Book, row: dict) -> str:
    """Our counter mode by how many per cent it is faster than the same: earlier code of one block a call, or counter mode
    that encrypts a block for its table."""
    variant = next((cipher for cipher in OURS if cipher.startswith(row["cipher"])), "")
    if row["operation"] == "ctr":
        keys = set(re.findall(r"\w+", row["than"].lower())) & set(book.papers)
        than = [p for p in book.published(row["target"]) if p.paper in keys and p.row.cipher == variant and p.row.enc]
        mine = [f for f in book.of(row["target"], variant) if f.operation == "ctr"]
        if not than or not mine:
            return ""
        base, best = min(than, key=lambda p: p.row.enc), min(mine, key=lambda f: f.cpb)
        return (
            f"{number(100 * (1 - best.cpb / base.row.enc))} % over {base.name} ({best.kernel}, {best.blocks} blocks a call; "
            "the paper does not say how many)"
        )
    ways = {(w.kernel, w.blocks, w.way): w.cycles for w in book.ways(row["target"]) if w.cipher == variant}
    found = [
        f"{number(100 * (1 - cycles / ways[kernel, blocks, 'apart']))} % in {blocks} block{'s' * (blocks > 1)}"
        for (kernel, blocks, way), cycles in ways.items() if way == "inside"
    ]  # fmt: skip
    kernels = dict.fromkeys(kernel for kernel, _, way in ways if way == "inside")
    return f"{', '.join(found)} ({', '.join(kernels)}; the paper does not say how many)" if found else ""


def _generators(book: Book, title: str, rows: list[dict]) -> Table:
    """CTR_DRBG: percentages beside ours over the reconstructed plain generator, of the kernel that comes first."""
    sizes = list(rows[0]["extract"])
    columns = ["Row", "Cipher", "Machine", "Derivation function", "First update",
               *(f"Extract {n} bytes" for n in sizes), "Whole", "Our kernel", "Remarks"]  # fmt: skip
    lines = []
    for row in rows:
        every = [mine for mine in book.generators(row["target"]) if mine.cipher == row["cipher"]]
        kernel = every[0].kernel if every else ""
        ours = {(m.operation, m.bytes): m.faster for m in every if m.kernel == kernel}

        def cell(theirs: float, operation: str, size: int | None = None, compared: bool = False, ours=ours) -> Cell:
            same = [faster for (name, n), faster in ours.items() if name == operation and size in (None, n)]
            found = same[0] if same else None
            mine = "" if found is None else f"{number(found)} %"
            return Cell(f"{theirs} %", mine, wins=compared and found is not None and found > theirs)

        lines.append(Line(row["id"], [
            Cell(row["id"]), Cell(row["cipher"]), Cell(row["target"]), cell(row["df"], "df", compared=True),
            cell(row["update"], "first update", compared=True),
            *(cell(row["extract"][n], "extract", int(n)) for n in sizes),
            cell(row["whole"], "whole", row["best_bytes"]), Cell(kernel),
            Cell(f"The whole is that of {row['best_bytes']} bytes. Extract and whole cannot be compared: the two plain "
                 "generators, over which the percentages are, do not spend the same time around the blocks."),
        ]))  # fmt: skip
    return Table(title, columns, lines)


def rows(paper: Paper) -> list[str]:
    """The names of all rows that the paper printed."""
    form = msgspec.structs.asdict(paper.form)
    return [row.id for row in paper.form.software] + [row["id"] for kind in _KINDS for row in form[kind]]
