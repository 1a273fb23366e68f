# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurements of the bindings: they measure every side, and their pages show all that was measured."""

import re
import shutil

import native
import pytest

from bench.made import build
from bench.measured import java, openssl, python, rust
from bench.measured.openssl import BUILT_IN, OURS, TARGET, Row
from bench.reported import doors
from bench.reported.book import Book
from bench.reported.dictionary import meaning
from bench.setup import cargo_lacks, maven_lacks


# ---- All of them.

all_doors = pytest.mark.parametrize("measured", [openssl, python, java, rust], ids=lambda module: module.TARGET.name)


@all_doors
def test_the_columns_are_explained(measured):
    assert all(meaning(measured.TARGET.name, column) for column in measured.Row.__struct_fields__)


@all_doors
def test_nothing_is_measured_without_aria(measured, monkeypatch):
    """The sides of a way belong to one run, so that LEA alone leaves all rows as they are."""
    monkeypatch.setattr(rust, "cargo_lacks", lambda: None)
    monkeypatch.setattr(build, "check", lambda target: None)
    assert measured.parts(measured.TARGET, ["LEA", "HIGHT"]) == {}
    assert measured.parts(measured.TARGET, ["LEA", "HIGHT", "ARIA"])


def test_the_page_of_the_host_links_to_what_was_measured():
    book = Book()
    book.provider, book.telemetry_gateway, book.package, book.jce, book.crate = [], [], of_python(), of_java(), of_rust()
    assert doors.links(book) == ["[the Python package](python.md)", "[the Java provider](java.md)", "[the Rust crate](rust.md)"]
    assert {"python.md", "java.md", "rust.md"} == {path.name for path in doors.pages(book) if path.suffix == ".md"}


# ---- OpenSSL.


def invented() -> list[Row]:
    """A row for every side, way and size, with a speed of its own."""
    sides = [("tls", "both", suite, side) for suite, side in openssl.SUITES]
    sides += [("node", "enc", name, side) for name, side in openssl.IN_NODE]
    sides += [(way, "enc", name, side) for way in ("pieces", "messages") for pairs in openssl.MODES.values() for name, side in pairs]
    cells = [(*cell, size) for cell in sides for size in openssl.SIZES]
    cells += [("curl", "dec", suite, side, openssl.DOWNLOAD) for suite, side in openssl.SUITES]
    return [Row(way, name, op, side, size, 1000.0 + n, "OpenSSL 3.9", "gcc 1 -O2", "a machine") for n, (way, op, name, side, size) in enumerate(cells)]


def test_the_page_shows_every_figure():
    rows = invented()
    found = {path.name: text for path, text in doors._provider(rows).items()}
    page = found["openssl.md"]
    for row in rows:
        assert f" {row.mb_per_s:.0f} " in page, row
    for way in ("messages", "tls"):
        assert f"plots/openssl-{way}.svg" in page and "ARIA-128, haechi" in found[f"openssl-{way}.svg"]


@pytest.mark.slow
def test_every_side_is_measured():
    """Small amounts, all ways that this machine has."""
    with openssl.place(TARGET) as here:
        found = [*openssl.in_evp(here, TARGET, [16]), *openssl.in_tls(here, TARGET, [64], 1)]
        if shutil.which("curl"):
            found += openssl.in_curl(here, TARGET, 1_000_000, 1)
        if shutil.which("node"):
            found += openssl.in_node(here, TARGET, [64], 1)
    assert all(speed > 0 for *_, speed in found)
    for way in {way for way, *_ in found}:
        assert {side for w, _, _, side, *_ in found if w == way} == {BUILT_IN, OURS}
        assert any("AES" in name.upper() for w, name, *_ in found if w == way)


# ---- Python.


def of_python() -> list[python.Row]:
    """A row for every way, with a speed of its own."""
    cells = [("messages", name, op, "haechi", size, 1, 1) for name in python.ALGORITHMS[:5] for op in ("seal", "open") for size in (16, 64)]
    cells += [("messages", "AES-128-GCM", "seal", "cryptography", size, 1, 1) for size in (16, 64)]
    cells += [("columns", "LEA-128-GCM", "open", side, 32, 1000, threads) for side in ("numpy", "Arrow") for threads in (1, 2)]
    cells += [("loop", "AES-128-GCM", "open", "cryptography", 32, 1000, 1), ("duckdb", "LEA-128-GCM", "open", "haechi", 32, 1000, 1)]
    cells += [("spark", "LEA-128-GCM", "open", side, 32, 1000, threads) for side in ("haechi", "none") for threads in (1, 2)]
    cells += [("keys", "ARIA-256-KW", "open", "haechi", 16, 1_000_000, 1)]
    return [python.Row(*cell, 1_000_000 // (n + 1), "Python 3.99", "gcc 1 -O3", "a machine") for n, cell in enumerate(cells)]


def test_the_page_of_python_shows_every_figure():
    rows = of_python()
    found = {path.name: text for path, text in doors._package(rows).items()}
    for row in rows:
        shown = f"{1e6 / row.per_s:.2f}" if row.way == "messages" else f"{row.per_s:,}"
        assert f" {shown} " in found["python.md"], row
    assert "ARIA-128, haechi" in found["python.svg"] and "AES-128, cryptography" in found["python.svg"]


def test_the_plan_for_a_billion_rows():
    """The arithmetic of the plan, and that it is left out where a figure of it is missing."""
    rows = [
        python.Row(way, name, "open", side, size, 1_000_000, 1, speed, "", "", "")
        for way, name, side, size, speed in (
            ("columns", "LEA-128-GCM", "numpy", 32, 2_000_000), ("spark", "LEA-128-GCM", "haechi", 32, 500_000),
            ("spark", "LEA-128-GCM", "none", 32, 1_000_000), ("keys", "ARIA-256-KW", "haechi", 16, 500_000),
        )
    ]  # fmt: skip
    assert doors._plan(rows) == {
        "text": "32", "row": "68", "gigabytes": "68", "wire": "54", "columns": "8", "spark": "33", "passed": "17",
        "per_core": "500,000", "ten_minutes": "4", "one_minute": "34", "link": "37", "meters": "1,000,000", "unwrap": "2.0",
        "broadcast": "24",
    }  # fmt: skip
    for n in range(4):
        assert doors._plan(rows[:n] + rows[n + 1 :]) == {}


@pytest.mark.slow
def test_every_way_of_python_is_measured():
    """A hundredth of the rows; Spark where there is Java."""
    built = python.package(python.module(python.TARGET))
    found = [figure for part in python.parts(python.TARGET, ["LEA", "HIGHT", "ARIA"]) for figure in python.figures(part, built, 100)]
    assert all(figure[-1] > 0 for figure in found)
    assert {way for way, *_ in found} == {*python.WAYS} - (set() if shutil.which("java") else {"keys", "spark"})
    assert {side for _, _, _, side, *_ in found} <= {*python.SIDES} and {name for _, name, *_ in found} <= {*python.ALGORITHMS}


# ---- Java.


def of_java() -> list[java.Row]:
    """A row for every mode, side and size, with a speed of its own."""
    cells = [(mode, *java.named(side), operation, size) for mode, (operation, sides) in java.MODES.items() for side in sides for size in java.SIZES]
    return [java.Row(mode, name, op, side, size, 1000.0 + n, "OpenJDK 99", "gcc 1 -O2", "a machine") for n, (mode, name, side, op, size) in enumerate(cells)]


def test_the_page_of_java_shows_every_figure():
    rows = of_java()
    found = {path.name: text for path, text in doors._jce(rows).items()}
    for row in rows:
        assert f" {row.mb_per_s:.0f} " in found["java.md"], row
    for mode in java.MODES:
        assert f"plots/java-{mode.lower()}.svg" in found["java.md"]
        assert {"ARIA-128, haechi", "ARIA-128, bouncycastle", "AES-128, jdk"} <= set(re.findall(r"\w+-128, \w+", found[f"java-{mode.lower()}.svg"]))


def test_a_report_of_jmh_becomes_rows(monkeypatch):
    """The fastest round counts. The rows can be written in their order."""
    params = {"side": "ARIA/GCM/NoPadding@BC", "operation": "encrypt", "bytes": "4096"}
    report = java.Report(params, "17.0.1", java.Report.Metric([[10_000.0, 12_000.0], [11_000.0]]))
    monkeypatch.setattr(java, "measured", lambda target, mode: [report])
    (row,) = java.rows(java.TARGET, "GCM")
    found = (row.mode, row.algorithm, row.operation, row.side, row.bytes, row.mb_per_s, row.java)
    assert found == ("GCM", "ARIA/GCM", "encrypt", "bouncycastle", 4096, 49.15, "OpenJDK 17.0.1")
    assert all(getattr(row, column) in values for column, values in java.PROVIDER.order.items())


def test_java_is_measured_with_the_peers_that_it_is_tested_with():
    """Both projects of Maven take the same versions of what they have in common."""
    texts = [path.read_text() for path in (java.DOOR / "pom.xml", java.HARNESS)]
    one, two = ({name: version for name, version in re.findall(r"<artifactId>([\w-]+)</artifactId>\s*<version>([\d.]+)<", text)} for text in texts)
    assert {"bcprov-jdk18on", "maven-compiler-plugin"} <= one.keys() & two.keys()
    assert all(one[name] == two[name] for name in one.keys() & two.keys())


@pytest.mark.slow
@pytest.mark.skipif(bool(maven_lacks()), reason=maven_lacks() or "")
def test_every_side_of_java_is_measured():
    """Small amounts. JMH comes from Maven's repository on the network, as when the bench runs."""
    with native.lock("java-bench"):
        found = java.measured(java.TARGET, "CTR", [16], ["-f", "1", "-wi", "1", "-w", "20ms", "-i", "1", "-r", "20ms"])
    assert {report.params["side"] for report in found} == set(java.MODES["CTR"][1])
    assert all(fork[0] > 0 for report in found for fork in report.primary_metric.raw_data)


# ---- Rust.


def of_rust() -> list[rust.Row]:
    """A row for every way, with a speed of its own."""
    cells = [(way, name, side, size) for way in rust.WAYS for name in ("AES-128", "ARIA-128") for side in (rust.THEIRS, rust.BOTH, rust.OURS) for size in rust.SIZES]
    return [rust.Row(*cell, 1000.0 + n, "aria 9.9", "rustc 9 -O3", "a machine") for n, cell in enumerate(cells)]


def test_the_page_of_rust_shows_every_figure():
    rows = of_rust()
    found = {path.name: text for path, text in doors._crate(rows).items()}
    for row in rows:
        assert f" {row.mb_per_s:.0f} " in found["rust.md"], row
    for way in ("ctr", "gcm"):
        assert f"plots/rust-{way}.svg" in found["rust.md"] and "ARIA-128, haechi" in found[f"rust-{way}.svg"]


def test_versions_of_the_crates_are_told():
    said = dict(word.split() for word in rust.crates().split(", "))
    assert said.keys() == set(rust.PEERS) and said["aria"].startswith("0.2.")


@pytest.mark.slow
@pytest.mark.skipif(bool(cargo_lacks()), reason=cargo_lacks() or "")
def test_every_side_of_rust_is_measured():
    """Small amounts."""
    found = rust.measured([16, 64], 1, 1)
    assert all(speed > 0 for *_, speed in found)
    for way in rust.WAYS:
        sides = {(name, side) for w, name, side, *_ in found if w == way}
        assert {("AES-128", rust.THEIRS), ("ARIA-128", rust.THEIRS), ("ARIA-128", rust.OURS), ("LEA-128", rust.OURS)} <= sides
        assert {size for w, *_, size, _ in found if w == way} == {16, 64}
