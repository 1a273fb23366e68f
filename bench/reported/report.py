# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report: measures targets, writes results/ and what documents repeat of it, and prints a summary.

A narrowed run measures less and leaves the rest of each CSV file as it was. Pages, plots and documents are always
written from the whole of results/*.csv.
"""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from bench.declared.model import ROOT, MissingTool, Target, load_targets
from bench.measured import counter, drbg, host, kernels as measure, modes, neon, threads
from bench.reported import render, rtl, screen
from bench.reported.book import Book
from bench.reported.compare import OURS

RESULTS = ROOT / "results"
WIDTH = 110  # columns where there is no terminal


def report(names: list[str], ciphers: list[str]) -> None:
    """Reports on targets and ciphers (LEA, HIGHT, ARIA) by name. Raises BenchError; a missing tool is only told."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    targets = load_targets()
    before = {path: path.read_bytes() for path in RESULTS.glob("*.csv")}
    left_out: list[str] = []
    measured = []
    for name in names:
        if name == "rtl" and "HIGHT" not in ciphers:
            continue
        title = "HIGHT in hardware" if name == "rtl" else targets[name].title
        try:
            with _progress(console, title) as progress:
                left_out += rtl.run(progress) if name == "rtl" else _measure(targets[name], ciphers, progress)
            measured.append(name)
        except MissingTool as missing:
            left_out.append(f"all of {title}: {missing}")
    book = Book()
    with _progress(console, "pages and plots"):
        changed = render.write(render.render(book))
    changed = [path for path in sorted(RESULTS.glob("*.csv")) if path.read_bytes() != before.get(path)] + changed
    screen.show(console, book, measured, ciphers, changed, left_out)


def show_render() -> None:
    """Writes pages, plots and documents anew from results/*.csv, and says which files changed."""
    changed = render.write(render.render())
    print("\n".join(str(path.relative_to(ROOT)) for path in changed) or "no file changed")


# ---- Measuring.


def _measure(target: Target, ciphers: list[str], progress: measure.Progress) -> list[str]:
    """Measures and writes results/<target>.csv; answers what was left out."""
    if target.machine == "neon":
        _merge(RESULTS / "neon.csv", neon.Estimate, neon.measure(target, ciphers, progress), ciphers)
        return []
    if target.machine != "host":
        rows = measure.measure(target, ciphers, progress)
        measure.write_csv(rows, RESULTS / f"{target.name}.csv", ciphers)
        rows = [row for cipher in ciphers for row in modes.rows(target, cipher)]
        _merge(RESULTS / f"{target.name}-modes.csv", modes.ModeRow, rows, ciphers)
        if target.name in counter.TARGETS:
            rows = [row for cipher in ciphers for row in counter.rows(target, cipher)]
            _merge(RESULTS / f"{target.name}-ctr.csv", counter.CounterRow, rows, ciphers)
        if target.name in drbg.TARGETS:
            rows = [row for cipher in ciphers for row in drbg.rows(target, cipher)]
            _merge(RESULTS / f"{target.name}-drbg.csv", drbg.DrbgRow, rows, ciphers)
        return []
    measured = host.measure(target, ciphers, progress)
    _merge(RESULTS / "host.csv", host.HostRow, measured.rows, ciphers)
    _merge(RESULTS / "host-length.csv", host.Length, measured.lengths, ciphers)
    _merge(RESULTS / "host-threads.csv", threads.Threads, threads.measure(target, ciphers), ciphers)
    return [f"{peer} beside our kernels on the host" for peer in measured.left_out]


def _merge(path: Path, form: type[msgspec.Struct], rows: list[msgspec.Struct], ciphers: list[str]) -> None:
    """Writes rows, and of what stood there the rows of other ciphers; in the order of the ciphers."""
    kept = []
    if path.exists():
        with path.open(newline="") as file:
            kept = [line for line in csv.DictReader(file) if line["cipher"].partition("-")[0] not in ciphers]
    fresh = [{k: "" if v is None else v for k, v in msgspec.to_builtins(row).items()} for row in rows]
    lines = sorted(kept + fresh, key=lambda line: OURS.index(line["cipher"]))
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        out = csv.DictWriter(file, form.__struct_fields__, lineterminator="\n")
        out.writeheader()
        out.writerows(lines)


# ---- Progress.


@contextmanager
def _progress(console: Console, title: str) -> Iterator[measure.Progress]:
    """A function that is told how much is done and what comes now: a bar on a terminal; elsewhere a line says only that
    it began."""
    if not console.is_terminal:
        console.print(Text(title, "dim"))
        yield lambda done, total, text: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, now="")
        yield lambda done, total, text: bar.update(task, completed=done, total=total, now=text)
