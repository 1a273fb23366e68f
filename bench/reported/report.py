# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report: measures targets, writes results/, what documents repeat of it and a static site, and prints a summary.

A narrowed run measures less and leaves the rest of each CSV file as it was. Pages, plots and documents are always
written from the whole of results/*.csv.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from bench.declared.cores import CORES
from bench.declared.model import ROOT, MissingTool, Target, load_targets
from bench.measured import MEASUREMENTS, TARGETS
from bench.measured.measurement import RESULTS, Progress
from bench.reported import render, screen, website
from bench.reported.book import Book

WIDTH = 110  # columns where there is no terminal


def report(names: list[str], ciphers: list[str]) -> None:
    """Reports on targets and ciphers (LEA, HIGHT, ARIA) by name. Raises BenchError; only names a missing tool."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    targets = load_targets() | TARGETS
    before = {path: path.read_bytes() for path in RESULTS.glob("*.csv")}
    left_out: list[str] = []
    measured = []
    for name in names:
        if name == "rtl" and not {core.family for core in CORES.values()} & {*ciphers}:
            continue
        try:
            with _progress(console, targets[name].title) as progress:
                left_out += _measure(targets[name], ciphers, progress)
            measured.append(name)
        except MissingTool as missing:
            left_out.append(f"all of {targets[name].title}: {missing}")
    book = Book()
    with _progress(console, "pages, plots and the site"):
        changed = _written(book)
    changed = [path for path in sorted(RESULTS.glob("*.csv")) if path.read_bytes() != before.get(path)] + changed
    screen.show(console, book, measured, ciphers, changed, left_out)


def show_render() -> None:
    """Writes pages, plots, documents and the site anew from results/*.csv, and says which files changed."""
    print("\n".join(str(path.relative_to(ROOT)) for path in _written(Book())) or "no file changed")


def _written(book: Book) -> list[Path]:
    """Writes everything that is made from results/*.csv, and returns what changed of it, except in build/site."""
    files = render.render(book)
    website.write(website.site(book, files))
    return render.write(files)


# ---- Measuring.


def _measure(target: Target, ciphers: list[str], progress: Progress) -> list[str]:
    """Makes all measurements for this target and stores them in results/; returns what was left out."""
    left_out = []
    for measurement in MEASUREMENTS:
        if target.machine in measurement.machines:
            measurement.write(target.name, measurement.measure(target, ciphers, progress))
            left_out += measurement.lacks(target)
    return left_out


# ---- Progress.


@contextmanager
def _progress(console: Console, title: str) -> Iterator[Progress]:
    """A function that receives how much is done and what comes next. On a terminal it draws a bar; elsewhere it prints
    one line at the beginning."""
    if not console.is_terminal:
        console.print(Text(title, "dim"))
        yield lambda done, total, text: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[now]}"))
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, now="")
        yield lambda done, total, text: bar.update(task, completed=done, total=total, now=text)
