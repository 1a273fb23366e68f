# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The output of `make report`: one screen. The long tables are in the pages of results/."""

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from bench.declared.model import ROOT
from bench.measured import TARGETS
from bench.reported.book import Book
from bench.reported.cells import number, ratio, size

MOST = 6  # lines of a list; further ones are counted


def show(
    console: Console, book: Book, names: Sequence[str], ciphers: Sequence[str], changed: Sequence[Path],
    left_out: Sequence[str],
) -> None:  # fmt: skip
    """What was measured (targets and ciphers), its headline figures, what changed, and what was left out."""
    titles = [(book.targets | TARGETS)[name].title.partition(" (")[0] for name in names]
    console.print(f"Measured: {', '.join(titles)}; {', '.join(ciphers)}.")
    console.print(_headlines(book, [name for name in names if name in book.targets], ciphers))
    files = [str(path.relative_to(ROOT)) for path in changed]
    console.print(_list("Changed:", files, "no file changed"))
    if left_out:
        console.print(_list("Left out:", left_out, ""), style="yellow")
    console.print("All figures: build/site/index.html, results/*.md. What they count: docs/measuring.md.", style="dim")


def _headlines(book: Book, names: Sequence[str], ciphers: Sequence[str]) -> Group:
    """A line for each target and cipher: the fastest and the smallest kernel beside the best published ones."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("machine", "cipher", "fastest kernel"):
        table.add_column(column, no_wrap=True)
    for column in ("c/B", "published", "ratio", "smallest", "published"):
        table.add_column(column, justify="right", no_wrap=True)
    for name in names:
        if not book.figures[name]:
            continue
        title = book.title(name).partition(" (")[0]
        for family in ciphers:
            cipher = book.ciphers(family)[0]
            choices = {which: choice for choice in book.choices(name, cipher) for which in choice.which}
            fast, small = choices.get("fastest"), choices.get("smallest")
            if not fast:
                continue
            style = "" if fast.ratio is None else "green" if fast.ratio > 1 else "red"
            table.add_row(
                title, cipher, fast.kernel, number(fast.cpb, 1 if fast.cpb >= 1 else 2), number(fast.rival_cpb),
                Text(ratio(fast.ratio), style), size(small.code) if small else "",
                size(small.rival_code) if small else "",
            )  # fmt: skip
            title = ""
    legend = "c/B: cycles per byte. smallest: bytes of code for both directions. ratio: published / ours."
    return Group(table, Text(legend, "dim"))


def _list(title: str, lines: Sequence[str], none: str) -> str:
    """A title and at most MOST lines under it."""
    shown = [f"  {line}" for line in lines[:MOST]]
    if len(lines) > MOST:
        shown.append(f"  and {len(lines) - MOST} more")
    return "\n".join([title, *shown]) if lines else f"{title} {none}"
