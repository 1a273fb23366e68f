# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurement of the OpenSSL provider: it measures every side, and its page shows all that was measured."""

import shutil

import pytest

from bench.measured import openssl
from bench.measured.openssl import BUILT_IN, OURS, TARGET, Row
from bench.reported import pages
from bench.reported.book import Book
from bench.reported.dictionary import meaning


def invented() -> list[Row]:
    """A row for every side, way and size, with a speed of its own."""
    sides = [("tls", "both", suite, side) for suite, side in openssl.SUITES]
    sides += [("node", "enc", name, side) for name, side in openssl.IN_NODE]
    sides += [(way, "enc", name, side) for way in ("pieces", "messages") for pairs in openssl.MODES.values() for name, side in pairs]
    cells = [(*cell, size) for cell in sides for size in openssl.SIZES]
    cells += [("curl", "dec", suite, side, openssl.DOWNLOAD) for suite, side in openssl.SUITES]
    return [Row(way, name, op, side, size, 1000.0 + n, "OpenSSL 3.9", "gcc 1 -O2", "a machine") for n, (way, op, name, side, size) in enumerate(cells)]


def test_the_page_shows_every_figure():
    book, rows = Book(), invented()
    book.provider = rows
    found = {path.name: text for path, text in pages._provider(book).items()}
    page = found["openssl.md"]
    for row in rows:
        assert f" {row.mb_per_s:.0f} " in page, row
    for way in ("messages", "tls"):
        assert f"plots/openssl-{way}.svg" in page and "ARIA-128, haechi" in found[f"openssl-{way}.svg"]


def test_the_columns_are_explained():
    assert all(meaning("openssl", column) for column in Row.__struct_fields__)


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


def test_nothing_is_measured_without_aria():
    """The sides of a way belong to one run, so that LEA alone leaves all rows as they are."""
    assert openssl.parts(TARGET, ["LEA", "HIGHT"]) == {}
    assert openssl.parts(TARGET, ["LEA", "ARIA"])
