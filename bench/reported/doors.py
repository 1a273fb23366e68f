# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages and plots of the bindings. Every function returns file names below results/ with their texts."""

from collections.abc import Iterable
from pathlib import Path

from bench.measured import openssl, python
from bench.reported import plot
from bench.reported.book import Book
from bench.reported.cells import Pages, filled, length, table


def pages(book: Book) -> Pages:
    """Those of the bindings that were measured."""
    return (_provider(book) if book.provider else {}) | (_package(book) if book.package else {})


def _rate(speed: float | None) -> str:
    """Two digits at least."""
    return "" if speed is None else f"{speed:.{0 if speed >= 10 else 1}f}"


def _once(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))


# ---- The OpenSSL provider.


def _provider(book: Book) -> Pages:
    rows, plots = book.provider, {}
    for way, shows in (("messages", "GCM messages through EVP"), ("tls", "records of TLS 1.2 with GCM")):
        gcm = [row for row in rows if row.way == way and "128" in row.algorithm and "GCM" in row.algorithm]
        names = dict.fromkeys((row.algorithm, row.side) for row in gcm)
        if not names:
            continue
        curves = []
        for name in names:
            points = [(row.bytes, 1000 / row.mb_per_s) for row in gcm if (row.algorithm, row.side) == name]
            curves.append((f"{_short(name[0])}, {name[1]}", name[1] == openssl.OURS, points))
        plots[Path(f"plots/openssl-{way}.svg")] = plot.by_length(
            curves, f"OpenSSL: {shows} by length",
            [f"{gcm[0].note}, {gcm[0].openssl}. The provider is coloured, OpenSSL's own code is grey."],
            "ns of CPU time per byte",
        )  # fmt: skip
    conditions = [
        ("Processor", rows[0].note), ("Compilers", _once(row.compiler for row in rows)),
        ("OpenSSL", _once(row.openssl for row in rows)),
        ("How to measure again", f"`make report TARGET={openssl.TARGET.name}`"),
    ]  # fmt: skip
    text = filled(
        "openssl.md.j2", conditions=table(("<Condition", "<Value"), conditions), plots=[path.name for path in plots],
        **{way: _speeds([row for row in rows if row.way == way]) for way in openssl.WAYS},
    )  # fmt: skip
    return {Path("openssl.md"): text} | plots


def _short(algorithm: str) -> str:
    """An algorithm or suite by its cipher: AES-128, ARIA-128, LEA-128."""
    return next(f"{name}-128" for name in ("AES", "ARIA", "LEA") if name in algorithm)


def _speeds(rows: list[openssl.Row]) -> str:
    """A line for each side, a column for each length; empty where nothing was measured."""
    sizes = sorted({row.bytes for row in rows})
    speed = {(row.algorithm, row.operation, row.side, row.bytes): row.mb_per_s for row in rows}
    lines = [
        [algorithm, operation, side, *(_rate(speed.get((algorithm, operation, side, n))) for n in sizes)]
        for algorithm, operation, side in dict.fromkeys((row.algorithm, row.operation, row.side) for row in rows)
    ]  # fmt: skip
    return table(("<Algorithm", "<Operation", "<Side", *map(length, sizes)), lines) if lines else ""


# ---- The Python package.

BILLION = 1_000_000_000
WIRE = 1.25e9  # bytes a second of a network of 10 Gbit/s


def _package(book: Book) -> Pages:
    rows = book.package
    gcm = [row for row in rows if row.way == "messages" and "GCM" in row.algorithm and row.operation == "seal"]
    curves = []
    for name in dict.fromkeys((row.algorithm, row.side) for row in gcm):
        points = [(row.bytes, 1e9 / row.per_s / row.bytes) for row in gcm if (row.algorithm, row.side) == name]
        curves.append((f"{name[0].removesuffix('-GCM')}, {name[1]}", name[1] == "haechi", points))
    plots = {}
    if curves:
        plots[Path("plots/python.svg")] = plot.by_length(
            curves, "Python: messages by AES, ARIA and LEA in GCM",
            [f"{gcm[0].note}, {gcm[0].versions}. The package haechi is coloured, the package cryptography is grey."],
            "ns of CPU time per byte",
        )  # fmt: skip
    conditions = [
        ("Processor", rows[0].note), ("Compilers", _once(row.compiler for row in rows)),
        ("Versions", _once(name for row in rows for name in row.versions.split(", "))),
        ("How to measure again", f"`make report TARGET={python.TARGET.name}`"),
    ]  # fmt: skip
    tables = [row for row in rows if row.way != "messages"]
    text = filled(
        "python.md.j2", conditions=table(("<Condition", "<Value"), conditions), plots=[path.name for path in plots],
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
