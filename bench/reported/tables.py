# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables of the report: for the terminal (rich, 100 columns) and in Markdown (bench/reported/templates).

Both kinds of target have their own: a machine whose figures stand beside the papers', and a host, whose figures
stand beside other libraries on the same host.
"""

from itertools import groupby
from pathlib import Path

import jinja2
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from bench.declared.model import VARIANTS
from bench.reported.compare import OURS, Beside, Figure, Published

_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def render(template: str, **values) -> str:
    """A file of bench/reported/templates, filled in."""
    return _TEMPLATES.get_template(template).render(
        number=number, size=size, ratio=ratio, what=what, peers=peers, host_lines=host_lines, amount=amount, **values
    )


# ---- Pieces.


def number(value: float | None, digits: int = 1) -> str:
    """A speed; whole numbers, which is how papers print them, without a point."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def size(value: int | None) -> str:
    return "" if value is None else str(value)


def ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} ×"


def what(figure: Figure) -> str:
    """The operation and how much of it: enc, 64 blocks."""
    if figure.operation in ("eks", "dks") or figure.blocks <= 1:
        return figure.operation
    blocks = f"{figure.operation}, {figure.blocks} blocks"
    return f"{blocks}, est. {figure.core}" if figure.core else blocks


def _coloured(value: float | None, before: str = "") -> Text:
    """Green where we are faster, red where we are not, yellow within 2 %."""
    if value is None:
        return Text(before)
    style = "yellow" if 0.98 <= value <= 1.02 else "bold green" if value > 1 else "bold red"
    return Text.assemble(before, (ratio(value), style))


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


def notes(lines: list[Beside]) -> list[str]:
    """The reasons why ratios are missing, each once."""
    return list(dict.fromkeys(line.reason for line in lines if line.reason))


# ---- Terminal: a machine beside the papers.


def machine(title: str, lines: list[Beside], open_rows: list[Published]) -> Group:
    """Our figures of one family beside the published rows they answer, then those that nobody answers yet."""
    reasons = notes(lines)
    table = _table(title)
    for name, justify in (
        ("kernel", "left"), ("operation", "left"), ("c/B", "right"), ("code", "right"), ("RAM", "right"),
        ("published", "left"), ("c/B", "right"), ("code", "right"), ("RAM", "right"), ("ratio", "right"),
    ):  # fmt: skip
        table.add_column(name, justify=justify, no_wrap=True)
    for cipher in OURS:
        ours = [line for line in lines if line.figure.cipher == cipher]
        theirs = [row for row in open_rows if row.row.cipher == cipher]
        if not ours and not theirs:
            continue
        if cipher != "HIGHT":
            table.add_row(Text(cipher, "bold"))
        above = ""
        for _, same in groupby(ours, key=lambda line: line.figure):
            for n, line in enumerate(same):
                f, p = line.figure, line.published
                name = "" if f.kernel == above else f.kernel
                above = f.kernel
                mine = [name, what(f), number(f.cpb), size(f.code_bytes), size(f.ram_bytes)]
                before = f"{reasons.index(line.reason) + 1})" if line.reason else ""
                table.add_row(
                    *(mine if n == 0 else [""] * 5),
                    p.short if p else "", number(line.cpb), size(line.code), size(line.ram),
                    _coloured(line.ratio, before),
                )  # fmt: skip
        for p in theirs:
            operation = "ctr" if p.row.enc is None and p.row.ctr is not None else "enc"
            table.add_row(
                "not answered yet", operation, "", "", "",
                p.short, number(p.cpb(operation)), size(p.code(operation)), size(p.ram(operation)),
                style="dim",
            )  # fmt: skip
    legend = ["c/B: cycles per byte (eks, dks: of the key). RAM leaves out the return address, as the papers do."]
    legend += [f"{n}) no ratio: {reason}" for n, reason in enumerate(reasons, 1)]
    return Group(table, Text("\n".join(legend) + "\n", "dim"))


# ---- Terminal: the host beside other libraries.


def peers(figures: list[Figure]) -> list[str]:
    """The peers' names, in the order in which they appear."""
    return list(dict.fromkeys(f.peer for f in figures if f.peer))


def host_lines(figures: list[Figure]) -> list[tuple[Figure, dict[str, Figure]]]:
    """Each measurement once, with its lines by peer."""
    groups: dict[tuple, list[Figure]] = {}
    for f in figures:
        groups.setdefault((f.cipher, f.kernel, f.operation, f.blocks), []).append(f)
    return [(same[0], {f.peer: f for f in same if f.peer}) for same in groups.values()]


def amount(figure: Figure) -> str:
    """On the host bulk goes by bytes: ctr, 16 KiB."""
    if figure.operation in ("eks", "dks") or figure.blocks <= 1:
        return figure.operation
    block = next(v.block for sizes in VARIANTS.values() for v in sizes if v.cipher == figure.cipher)
    size = figure.blocks * block
    return f"{figure.operation}, {f'{size // 1024} KiB' if size >= 1024 else f'{size} bytes'}"


def host(title: str, figures: list[Figure], unit: str) -> Group:
    """Our figures of one family, a column for each peer: its cycles per byte and the ratio."""
    table = _table(title)
    for name, justify in (("kernel", "left"), ("operation", "left"), ("c/B", "right"), ("code", "right")):
        table.add_column(name, justify=justify, no_wrap=True)
    names = peers(figures)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for cipher, lines in groupby(host_lines(figures), key=lambda line: line[0].cipher):
        if cipher != "HIGHT":
            table.add_row(Text(cipher, "bold"))
        above = ""
        for f, beside in lines:
            cells = [
                _coloured(beside[n].ratio, f"{number(beside[n].peer_cpb, 2)}  ") if n in beside else "" for n in names
            ]
            name, above = "" if f.kernel == above else f.kernel, f.kernel
            table.add_row(name, amount(f), number(f.cpb, 2), size(f.code_bytes), *cells)
    legend = f"c/B: {unit} per byte (eks, dks: of the key); then other libraries' and the ratio theirs / ours."
    return Group(table, Text(legend + "\n", "dim"))


def by_threads(title: str, rows: list) -> Table:
    """Counter mode over a large buffer, a line for each number of threads."""
    table = _table(f"{title}: {rows[0].note}, {rows[0].cores} cores")
    for name in ("cipher", "threads", "MB/s", "speed-up", "of memory's"):
        table.add_column(name, justify="left" if name == "cipher" else "right", no_wrap=True)
    for row in rows:
        table.add_row(
            row.cipher, str(row.threads), f"{row.mb_per_s:.0f}", f"{row.speedup:.2f}", f"{100 * row.of_memory:.0f} %"
        )
    return table
