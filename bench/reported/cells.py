# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What stands in the cells of tables, tables in Markdown, and pages from templates."""

from collections.abc import Sequence
from pathlib import Path

import jinja2

from bench.declared.model import VARIANTS
from bench.reported.compare import Figure

Pages = dict[Path, str]  # file names below results/ with their texts
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def filled(template: str, **values) -> str:
    """The text of a template of bench/reported/templates with these values."""
    return _TEMPLATES.get_template(template).render(values)


def number(value: float | None, digits: int = 1) -> str:
    """A speed; whole numbers, which is how papers print them, without a point."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def size(value: int | None) -> str:
    """Bytes."""
    return "" if value is None else str(value)


def ratio(value: float | None) -> str:
    """Theirs / ours, in three digits."""
    if value is None:
        return ""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} ×"


def what(figure: Figure) -> str:
    """The operation and how much of it: enc, 64 blocks."""
    if figure.operation == "wrap":
        return "wrap of the counter's last byte"
    if figure.operation in ("eks", "dks") or figure.blocks <= 1:
        return figure.operation
    blocks = f"{figure.operation}, {figure.blocks} blocks"
    return f"{blocks}, est. {figure.core}" if figure.core else blocks


def amount(figure: Figure) -> str:
    """On the host bulk goes by bytes: ctr, 16 KiB."""
    if figure.operation in ("eks", "dks") or figure.blocks <= 1:
        return figure.operation
    block = next(v.block for sizes in VARIANTS.values() for v in sizes if v.cipher == figure.cipher)
    return f"{figure.operation}, {length(figure.blocks * block)}"


def length(count: int) -> str:
    """A number of bytes, in KiB where it is a whole number of them."""
    if count % 1024 == 0:
        return f"{count // 1024} KiB"
    return f"{count} byte{'' if count == 1 else 's'}"


def peers(figures: Sequence[Figure]) -> list[str]:
    """The other libraries' names, in the order in which they appear."""
    return list(dict.fromkeys(f.peer for f in figures if f.peer))


def host_lines(figures: Sequence[Figure]) -> list[tuple[Figure, dict[str, Figure]]]:
    """Each measurement once, with its lines by the other library."""
    groups: dict[tuple, list[Figure]] = {}
    for f in figures:
        groups.setdefault((f.cipher, f.kernel, f.operation, f.blocks), []).append(f)
    return [(same[0], {f.peer: f for f in same if f.peer}) for same in groups.values()]


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown. A column whose name begins with < holds text, all others are numbers, set to the right.
    Columns that are empty in every row are left out."""
    kept = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    names = [columns[n].removeprefix("<") for n in kept]
    rules = ["---" if columns[n].startswith("<") else "--:" for n in kept]
    lines = [f"| {' | '.join(names)} |", f"|{'|'.join(rules)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row[n] for n in kept)} |" for row in rows)])
