# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages and plots of the bindings and of the example from node to lake. Every function returns file names below results/ with their texts."""

from collections.abc import Callable, Iterable
from pathlib import Path

from bench.declared.model import Target
from bench.measured import java, openssl, python, rust, telemetry
from bench.reported import plot
from bench.reported.book import Book
from bench.reported.cells import Pages, filled, length, table

COLUMNS = {"algorithm": "Algorithm", "operation": "Operation", "side": "Side"}  # what lines of tables show, for _speeds


def _measured(book: Book) -> list[tuple[Target, list, Callable[[list], Pages]]]:
    """The bindings that were measured, each with its rows and the function that writes its page."""
    doors = [
        (openssl.TARGET, book.provider, _provider), (python.TARGET, book.package, _package),
        (java.TARGET, book.jce, _jce), (rust.TARGET, book.crate, _crate),
        (telemetry.TARGET, book.telemetry_gateway, lambda rows: _telemetry(book.telemetry_nodes, rows)),
    ]  # fmt: skip
    return [(target, rows, page) for target, rows, page in doors if rows]


def pages(book: Book) -> Pages:
    """Those of the bindings that were measured."""
    return {path: text for _, rows, page in _measured(book) for path, text in page(rows).items()}


def links(book: Book) -> list[str]:
    """The pages of the bindings that were measured, as links from beside them."""
    return [f"[{target.title}]({target.name}.md)" for target, _, _ in _measured(book)]


def _once(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))


def _conditions(target: Target, rows: list, *further: tuple[str, str]) -> str:
    """The table on top of a page."""
    lines = [
        ("Processor", rows[0].note), ("Compilers", _once(row.compiler for row in rows)), *further,
        ("How to measure again", f"`make report TARGET={target.name}`"),
    ]  # fmt: skip
    return table(("<Condition", "<Value"), lines)


def _short(algorithm: str) -> str:
    """An algorithm or suite by its cipher: AES-128, ARIA-128, LEA-128, HIGHT."""
    name = next(name for name in ("AES", "ARIA", "LEA", "HIGHT") if name in algorithm)
    return name if name == "HIGHT" else f"{name}-128"


def _plot(rows: list, ns: Callable, title: str, below: str, y: str = "ns of CPU time per byte") -> str:
    """The time of ciphers with keys of 128 bits by the length of the message; `ns` gives that of a byte."""
    curves = []
    for algorithm, side in dict.fromkeys((row.algorithm, row.side) for row in rows):
        points = [(row.bytes, ns(row)) for row in rows if (row.algorithm, row.side) == (algorithm, side)]
        curves.append((f"{_short(algorithm)}, {side}", side == "haechi", points))
    return plot.by_length(curves, title, [below], y)


def _speeds(rows: list, **names: str) -> str:
    """A line for each side, a column for each length; empty where nothing was measured. `names` are the columns of the rows that say what
    a line shows, with their headings."""
    sizes = sorted({row.bytes for row in rows})
    lines: dict[tuple, dict[int, float]] = {}
    for row in rows:
        lines.setdefault(tuple(getattr(row, name) for name in names), {})[row.bytes] = row.mb_per_s
    cells = [[*line, *(_rate(speed.get(n)) for n in sizes)] for line, speed in lines.items()]
    return table((*(f"<{heading}" for heading in names.values()), *map(length, sizes)), cells) if cells else ""


def _rate(speed: float | None) -> str:
    """Two digits at least."""
    return "" if speed is None else f"{speed:.{0 if speed >= 10 else 1}f}"


def _ns(row: openssl.Row | java.Row | rust.Row) -> float:
    return 1000 / row.mb_per_s


# ---- The OpenSSL provider.


def _provider(rows: list[openssl.Row]) -> Pages:
    plots = {}
    for way, shows in (("messages", "GCM messages through EVP"), ("tls", "records of TLS 1.2 with GCM")):
        gcm = [row for row in rows if row.way == way and "128" in row.algorithm and "GCM" in row.algorithm]
        if gcm:
            below = f"{gcm[0].note}, {gcm[0].openssl}. The provider is coloured, OpenSSL's own code is grey."
            plots[Path(f"plots/openssl-{way}.svg")] = _plot(gcm, _ns, f"OpenSSL: {shows} by length", below)
    text = filled(
        "openssl.md.j2", conditions=_conditions(openssl.TARGET, rows, ("OpenSSL", _once(row.openssl for row in rows))),
        plots=[path.name for path in plots],
        **{way: _speeds([row for row in rows if row.way == way], **COLUMNS) for way in openssl.WAYS},
    )  # fmt: skip
    return {Path("openssl.md"): text} | plots


# ---- The Python package.

BILLION = 1_000_000_000
WIRE = 1.25e9  # bytes a second of a network of 10 Gbit/s


def _package(rows: list[python.Row]) -> Pages:
    plots = {}
    gcm = [row for row in rows if row.way == "messages" and "GCM" in row.algorithm and row.operation == "seal"]
    if gcm:
        below = f"{gcm[0].note}, {gcm[0].versions}. The package haechi is coloured, the package cryptography is grey."
        plots[Path("plots/python.svg")] = _plot(
            gcm, lambda row: 1e9 / row.per_s / row.bytes, "Python: messages by AES, ARIA and LEA in GCM", below
        )  # fmt: skip
    versions = _once(name for row in rows for name in row.versions.split(", "))
    tables = [row for row in rows if row.way != "messages"]
    text = filled(
        "python.md.j2", conditions=_conditions(python.TARGET, rows, ("Versions", versions)), plots=[path.name for path in plots],
        messages=_calls([row for row in rows if row.way == "messages"]), tables=_tables(tables), plan=_plan(tables),
    )  # fmt: skip
    return {Path("python.md"): text} | plots


def _calls(rows: list[python.Row]) -> str:
    """A line for each side, a column for each length: microseconds."""
    sizes = sorted({row.bytes for row in rows})
    took = {(row.algorithm, row.operation, row.side, row.bytes): f"{1e6 / row.per_s:.2f}" for row in rows}
    names = sorted(dict.fromkeys((row.algorithm, row.operation, row.side) for row in rows), key=lambda name: name[1] == "open")
    lines = [[*name, *(took.get((*name, n), "") for n in sizes)] for name in names]
    return table(("<Algorithm", "<Operation", "<Package", *map(length, sizes)), lines) if lines else ""


def _tables(rows: list[python.Row]) -> str:
    """A line for each measurement of a table."""
    how = {
        "numpy": "columns of numpy", "Arrow": "columns of Arrow", "cryptography": "a loop over the package cryptography",
        "none": "Spark, with a function that hands its rows back",
    }  # fmt: skip
    ours = {"loop": "a loop over the class", "duckdb": "DuckDB", "spark": "Spark", "keys": "a column of wrapped keys"}
    lines = [
        [row.algorithm, row.operation, how.get(row.side) or ours[row.way], f"{row.rows:,}", str(row.threads), f"{row.per_s:,}"]
        for row in rows
    ]  # fmt: skip
    return table(("<Algorithm", "<Operation", "<By", "Rows", "Threads", "Rows a second"), lines) if lines else ""


def _plan(rows: list[python.Row]) -> dict[str, str]:
    """What a billion rows would take, by the figures of one processor; empty where they are not there."""
    speed = {(row.way, row.side, row.operation): row for row in rows if row.threads == 1 and row.algorithm in ("LEA-128-GCM", "ARIA-256-KW")}
    try:
        columns, spark = speed["columns", "numpy", "open"], speed["spark", "haechi", "open"]
        passed, keys = speed["spark", "none", "open"], speed["keys", "haechi", "open"]
    except KeyError:
        return {}
    row_bytes = 8 + 12 + spark.bytes + 16  # id, nonce, text, tag
    seconds = BILLION / spark.per_s
    return {
        "text": str(spark.bytes), "row": str(row_bytes), "gigabytes": f"{row_bytes * BILLION / 1e9:.0f}",
        "wire": f"{row_bytes * BILLION / WIRE:.0f}", "columns": f"{BILLION / columns.per_s / 60:.0f}",
        "spark": f"{seconds / 60:.0f}", "passed": f"{BILLION / passed.per_s / 60:.0f}", "per_core": f"{spark.per_s:,}",
        "ten_minutes": f"{-(-seconds // 600):.0f}", "one_minute": f"{-(-seconds // 60):.0f}",
        "link": f"{WIRE / row_bytes / spark.per_s:.0f}", "meters": f"{keys.rows:,}", "unwrap": f"{keys.rows / keys.per_s:.1f}",
        "broadcast": f"{keys.rows * (keys.bytes + 8) / 1e6:.0f}",
    }  # fmt: skip


# ---- The Java provider.


def _jce(rows: list[java.Row]) -> Pages:
    plots, tables = {}, {}
    for mode, (operation, _) in java.MODES.items():
        mine = [row for row in rows if row.mode == mode]
        if mine:
            tables[mode] = _speeds(mine, **COLUMNS)
            below = f"{mine[0].note}, {mine[0].java}. Our provider is coloured, Bouncy Castle and the JDK are grey."
            title = f"Java: messages with {mode} by length, {operation}ed"
            plots[Path(f"plots/java-{mode.lower()}.svg")] = _plot(mine, _ns, title, below, "ns per byte")
    conditions = _conditions(java.TARGET, rows, ("Java", _once(row.java for row in rows)))
    return {Path("java.md"): filled("java.md.j2", conditions=conditions, tables=tables)} | plots


# ---- The Rust crate.


def _crate(rows: list[rust.Row]) -> Pages:
    plots = {}
    for way, shows in (("ctr", "messages in counter mode"), ("gcm", "messages sealed by GCM")):
        shown = [row for row in rows if row.way == way and row.algorithm.endswith("-128")]
        if shown:
            below = f"{rows[0].note}. The crate haechi is coloured, RustCrypto is grey."
            plots[Path(f"plots/rust-{way}.svg")] = _plot(shown, _ns, f"Rust: {shows} by length", below)
    text = filled(
        "rust.md.j2", conditions=_conditions(rust.TARGET, rows, ("Crates", _once(row.crates for row in rows))),
        plots=[path.name for path in plots],
        **{way: _speeds([row for row in rows if row.way == way], algorithm="Algorithm", side="Side") for way in rust.WAYS},
    )  # fmt: skip
    return {Path("rust.md"): text} | plots


# ---- The example from node to lake.

OPENED_BY = {"jobs": "one call a batch", "one-by-one": "a call a frame", "openssl": "a call a frame, OpenSSL"}


def _telemetry(nodes: list[telemetry.Node], rows: list[telemetry.Frames]) -> Pages:
    counts = sorted({row.nodes for row in rows})
    speeds: dict[tuple, dict[int, int]] = {}
    for row in rows:
        speeds.setdefault((row.cipher, row.way, row.stores), {})[row.nodes] = row.frames_per_s
    lines = [
        (cipher, OPENED_BY[way], "yes" if stores else "no", *(f"{found[n]:,}" for n in counts))
        for (cipher, way, stores), found in speeds.items()
    ]
    heads = ("<Cipher", "<Opened by", "<Stored", *(f"{n:,} node{'s' * (n > 1)}" for n in counts))
    costs = [
        (row.chip, row.cipher, f"{row.flash:,}", f"{row.ram:,}", f"{row.cycles:,}", f"{row.open_cycles:,}",
         f"{row.microjoules:.1f}" if row.microjoules else "", f"{row.radio_microjoules:.1f}")
        for row in nodes
    ]  # fmt: skip
    costs_heads = ("<Chip", "<Cipher", "Flash", "RAM", "Cycles to seal", "Cycles to verify a command", "uJ to seal", "uJ to send")
    curves = [
        (f"{cipher}, {OPENED_BY[way]}", way != "openssl", [(n, 1e6 / found[n]) for n in counts])
        for (cipher, way, stores), found in speeds.items() if not stores
    ]  # fmt: skip
    below = f"{rows[0].note}, {rows[0].compiler}. Frames are checked and opened, and not stored."
    plots = {Path("plots/telemetry.svg"): plot.by_length(
        curves, "The gateway: time of a frame by the number of nodes", [below], "us of CPU time per frame", x="nodes", step=10,
    )}  # fmt: skip
    text = filled(
        "telemetry.md.j2", conditions=_conditions(telemetry.TARGET, rows), nodes=table(costs_heads, costs), gateway=table(heads, lines),
        plots=[path.name for path in plots],
    )  # fmt: skip
    return {Path("telemetry.md"): text} | plots
