# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report: measures every target, writes results/, the README's table and the plots, and prints the tables.

A narrowed run measures less and leaves the rest of each file as it was; Markdown, plots and README are always made
from the whole of results/*.csv.
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

from bench.declared.model import (
    ROOT,
    VARIANTS,
    BenchError,
    MissingTool,
    Target,
    load_cards,
    load_papers,
    load_rows,
    load_targets,
)
from bench.measured import counter, drbg, host, kernels as measure, modes, neon, threads
from bench.reported import compare, plot, rtl, tables
from bench.reported.compare import OURS, Beside, Figure, Published

RESULTS = ROOT / "results"
WIDTH = 110  # columns where there is no terminal
MARKERS = ("<!-- results -->", "<!-- /results -->")
REMARK = (
    "Speeds are cycles per byte (EKS: of the key), code is bytes; a ratio is theirs / ours, above 1 we are faster. "
    "It stands only where target, scenario and what is counted agree."
)


def report(names: list[str], ciphers: list[str]) -> None:
    """Reports on targets and ciphers (LEA, HIGHT, ARIA) by name. Raises BenchError; a missing tool is only told."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    targets, cards, papers = load_targets(), load_cards(), load_papers()
    left_out: list[str] = []
    hardware = "rtl" in names and "HIGHT" in ciphers
    names = [name for name in names if name != "rtl"]
    for name in names:
        target = targets[name]
        try:
            with _progress(console, target.title) as progress:
                left_out += _measure(target, ciphers, progress)
        except MissingTool as missing:
            left_out.append(f"all of {target.title}: {missing}")
            continue
        _show(console, target, ciphers, cards, papers)

    written = []
    if hardware:
        try:
            with _progress(console, "HIGHT in hardware") as progress:
                left_out += rtl.run(progress)
        except MissingTool as missing:
            left_out.append(f"the cores in hardware: {missing}")
        written += rtl.pages(papers)
    with _progress(console, "tables and plots") as progress:
        for done, name in enumerate(names):
            progress(done, len(names), targets[name].title)
            figures = compare.read(RESULTS / f"{name}.csv")
            if figures:
                written += _write(targets[name], figures, cards, papers)
        written += _readme(targets, cards, papers)
        progress(len(names), len(names), "")
    console.print(Text("changed: " + (", ".join(written) if written else "no page, no plot"), "dim"))
    for line in left_out:
        console.print(Text(f"left out: {line}", "yellow"))


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


# ---- Showing.


@contextmanager
def _progress(console: Console, title: str) -> Iterator[measure.Progress]:
    """A function that is told how much is done and what comes now: a bar on a terminal, else a line each."""
    if not console.is_terminal:
        yield lambda done, total, text: text and console.print(Text(f"{title}: {text} ({done + 1} of {total})"))
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, now="")
        yield lambda done, total, text: bar.update(task, completed=done, total=total, now=text)


def _unit(figures: list[Figure]) -> str:
    """What a cycle is: core cycles, or ns on machines whose cycles cannot be counted."""
    return figures[0].counter.partition(":")[0]


def _show(console: Console, target: Target, ciphers: list[str], cards: list, papers: dict) -> None:
    figures = compare.read(RESULTS / f"{target.name}.csv")
    rows = compare.published(papers, target.published or target.name)
    for family in ciphers:
        members = [variant.cipher for variant in VARIANTS[family]]
        mine = [f for f in figures if f.cipher in members]
        title = f"{family} on {target.title}"
        if target.machine == "host":
            if mine:
                console.print(tables.host(f"{title}, {mine[0].note}", mine, _unit(mine)))
                teams = load_rows(RESULTS / "host-threads.csv", threads.Threads)
                rows = [row for row in teams if row.cipher in members]
                if rows:
                    console.print(tables.by_threads(f"{family} by threads", rows))
            continue
        lines = [line for f in mine for line in compare.beside(f, target.name, cards, rows)]
        waiting = [row for row in compare.unanswered(cards, rows) if row.row.cipher in members]
        if lines or waiting:
            console.print(tables.machine(title, lines, waiting))


# ---- Writing.


def _save(path: Path, text: str) -> list[str]:
    """The path, if the text was not there already."""
    if path.exists() and path.read_text() == text:
        return []
    path.write_text(text)
    return [str(path.relative_to(ROOT))]


def _settings(figures: list[Figure]) -> list[str]:
    """What the figures were measured with: compilers and counters."""
    return [
        "; ".join(values)
        for field in ("compiler", "counter")
        if (values := list(dict.fromkeys(x for f in figures for x in getattr(f, field).split(" + ") if x)))
    ]


def _write(target: Target, figures: list[Figure], cards: list, papers: dict) -> list[str]:
    """The Markdown table and the plots of one target; answers the files that changed."""
    make = _host_pages if target.machine == "host" else _machine_pages
    values, charts = make(target, figures, cards, papers)
    text = tables.render(
        "host.md.j2" if target.machine == "host" else "machine.md.j2",
        title=_title(target, figures), settings=_settings(figures),
        estimates=target.machine == "neon", **values,
    )  # fmt: skip
    changed = _save(RESULTS / f"{target.name}.md", text)
    drawn = sum(plot.draw(chart, RESULTS / "plots" / name) for name, chart in charts.items())
    return changed + ([f"{drawn} plots of {target.title}"] if drawn else [])


def _title(target: Target, figures: list[Figure]) -> str:
    return f"Host: {figures[0].note}" if target.machine == "host" else target.title


def _machine_pages(target: Target, figures: list[Figure], cards: list, papers: dict) -> tuple[dict, dict]:
    rows = compare.published(papers, target.published or target.name)
    waiting = compare.unanswered(cards, rows)
    pages, charts = [], {}
    for cipher in OURS:
        mine = [f for f in figures if f.cipher == cipher]
        lines = [line for f in mine for line in compare.beside(f, target.name, cards, rows)]
        open_rows = [row for row in waiting if row.row.cipher == cipher]
        if not lines and not open_rows:
            continue
        points = [
            (f.kernel, f.code_bytes, f.cpb, True, False)
            for f in mine
            if f.operation == "enc" and f.blocks == 1 and f.code_bytes
        ]
        points += [
            (p.short, p.code("enc") or p.row.rom, p.cpb("enc"), False, bool(p.row.differs))
            for p in rows
            if p.row.cipher == cipher and p.cpb("enc") and (p.code("enc") or p.row.rom) and p.row.scenario == "one block"
        ]
        file = f"{target.name}-{cipher.lower()}.svg" if points else ""
        if points:
            charts[file] = plot.against_size(
                points, [], f"{cipher} on {target.title}, one block",
                [
                    "ours coloured, published grey, hollow where counted otherwise;",
                    "the line is the Pareto front of the filled points",
                ],
                "cycles per byte, encryption",
            )  # fmt: skip
        pages.append({"name": cipher, "lines": lines, "open": open_rows, "plot": file})
    by_mode = load_rows(RESULTS / f"{target.name}-modes.csv", modes.ModeRow)
    generators = drbg.read(RESULTS / f"{target.name}-drbg.csv")
    ways = load_rows(RESULTS / f"{target.name}-ctr.csv", counter.CounterRow)
    sources = dict.fromkeys(row.plain_from.partition(",")[0] for row in generators)
    sections = {"modes": by_mode, "ways": ways, "drbg": generators, "sources": list(sources)}
    sections["proofs"] = [p for p in load_rows(RESULTS / "proofs.csv", compare.Proof) if p.target == target.name]
    return {"ciphers": pages, "others": compare.others(rows), **sections}, charts


def _host_pages(target: Target, figures: list[Figure], cards: list, papers: dict) -> tuple[dict, dict]:
    pages, charts = [], {}
    unit = _unit(figures)
    lengths = load_rows(RESULTS / "host-length.csv", host.Length)
    for cipher in OURS:
        mine = [f for f in figures if f.cipher == cipher]
        if not mine:
            continue
        plots = []
        bulk = [f for f in mine if tables.amount(f) == "ctr, 16 KiB"]
        points = list(dict.fromkeys((f.kernel, f.code_bytes, f.cpb, True, False) for f in bulk if f.code_bytes))
        rules = list({f.peer: (f"{f.peer} {f.peer_cpb:.1f}", f.peer_cpb) for f in bulk if f.peer}.values())
        if points:
            plots.append({"file": f"host-{cipher.lower()}.svg", "shows": "cycles per byte against bytes of code"})
            charts[plots[-1]["file"]] = plot.against_size(
                points, rules, f"{cipher} on the host, CTR over 16 KiB",
                [f"{mine[0].note}, one thread; ours coloured, other libraries dashed"], f"{unit} per byte",
            )  # fmt: skip
        sides = dict.fromkeys((x.side, x.peer) for x in lengths if x.cipher == cipher)
        curves = [
            (side, not peer, [(x.bytes, x.cpb) for x in lengths if (x.cipher, x.side) == (cipher, side)])
            for side, peer in sides
        ]
        if curves:
            plots.append({"file": f"host-length-{cipher.lower()}.svg", "shows": "cycles per byte by message length"})
            charts[plots[-1]["file"]] = plot.by_length(
                curves, f"{cipher} on the host, CTR by message length",
                [f"{mine[0].note}, one thread; our best kernel and the fastest other library"], f"{unit} per byte",
            )  # fmt: skip
        pages.append({"name": cipher, "figures": mine, "plots": plots})
    by_threads = load_rows(RESULTS / "host-threads.csv", threads.Threads)
    return {"ciphers": pages, "unit": unit, "threads": by_threads}, charts


# ---- The README.


def _readme(targets: dict[str, Target], cards: list, papers: dict) -> list[str]:
    """The result table between the markers, from all of results/*.csv."""
    path = ROOT / "README.md"
    if not path.exists():
        return []
    before, begin, rest = path.read_text().partition(MARKERS[0])
    _, end, after = rest.partition(MARKERS[1])
    if not begin or not end:
        raise BenchError(f"README.md: the markers {MARKERS[0]} and {MARKERS[1]} are missing")
    parts = []
    for name, target in targets.items():
        figures = compare.read(RESULTS / f"{name}.csv")
        if figures:
            on_host = target.machine == "host"
            lines = _host_summary(figures) if on_host else _machine_summary(target, figures, cards, papers)
            parts.append({
                "name": name, "title": _title(target, figures), "host": on_host, "lines": lines,
                "settings": "; ".join(_settings(figures)),
                "open": len(compare.unanswered(cards, compare.published(papers, target.published or name))),
            })  # fmt: skip
    table = tables.render("readme.md.j2", targets=parts, cores=rtl.summary(papers), remark=REMARK) if parts else "\n"
    return _save(path, before + begin + table + end + after)


def _machine_summary(target: Target, figures: list[Figure], cards: list, papers: dict) -> list[dict]:
    """One line a cipher and kernel: one block, beside the first published row that the card answers. Of estimates the
    best kernel for each core, in the longest message."""
    rows = compare.published(papers, target.published or target.name)
    proved, lines = {(p.cipher, p.kernel) for p in load_rows(RESULTS / "proofs.csv", compare.Proof)}, []
    for cipher, kernel, core in dict.fromkeys((f.cipher, f.kernel, f.core) for f in figures):
        same = [f for f in figures if (f.cipher, f.kernel, f.core) == (cipher, kernel, core)]
        mine = {f.operation: f for f in same if f.blocks <= 1 or core}  # of an estimate the longest message
        rivals = [f.cpb for f in figures if core and (f.cipher, f.core, f.operation) == (cipher, core, "enc")]
        if core and mine["enc"].cpb > min(rivals):
            continue  # of estimates the best for each core
        ours = {op: mine[op].cpb if op in mine else None for op in ("eks", "enc", "dec")}
        ways = [f for f in same if f.operation == "enc" and (f.blocks <= 1 or core)]
        besides = [line for f in ways for line in compare.beside(f, target.name, cards, rows)]
        found: Beside | None = next((line for line in besides if line.published), None)
        row: Published | None = found.published if found else None
        lines.append({
            "cipher": cipher, "kernel": f"{kernel}, estimate for {core}" if core else kernel, "ours": ours,
            "code": mine["enc"].code_bytes if "enc" in mine else None,
            "proved": (cipher, kernel) in proved,
            "published": row.name if row else "",
            "theirs": {op: row.cpb(op) if row else None for op in ours},
            "ratio": found.ratio if found else None,
            "reason": found.reason if found else "",
        })  # fmt: skip
    return lines


def _host_summary(figures: list[Figure]) -> list[dict]:
    """One line a cipher: the kernel that is fastest over 16 KiB, and the fastest peer."""
    lines = []
    for cipher in dict.fromkeys(f.cipher for f in figures):
        mine = [f for f in figures if f.cipher == cipher]
        long = [f for f in mine if tables.amount(f) == "ctr, 16 KiB"]
        if not long:
            continue
        best = min(long, key=lambda f: (f.cpb, f.ratio or 0))
        same = {tables.amount(f): f.cpb for f in mine if f.kernel == best.kernel}
        lines.append({
            "cipher": cipher, "kernel": best.kernel, "long": best.cpb, "short": same.get("ctr, 1 KiB"),
            "one": same.get("enc"), "peer": best.peer, "theirs": best.peer_cpb, "ratio": best.ratio,
        })  # fmt: skip
    return lines
