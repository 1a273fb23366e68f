# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of cases with a goal, the processor whose figures pages show, and the fastest other library."""

from types import SimpleNamespace

import pytest

from bench.declared.model import load_targets
from bench.measured.host import HostRow
from bench.measured.lengths import Length
from bench.measured.measurement import write_rows
from bench.reported import cases, compare
from bench.reported.book import Book

HERE = "A CPU"


def row(size: int, cycles: float, *, side: str = "aria_c", peer: bool = False, mode: str = "ctr", note: str = HERE) -> Length:
    return Length("ARIA-128", side, peer, mode, size, cycles, cycles / size, None, None, note)


def book(*rows: Length):
    return SimpleNamespace(lengths=list(rows))


def test_the_dearest_message_over_a_longer_one():
    """Neither a message that costs more because it is longer, nor another mode, nor a peer, nor another processor counts."""
    rows = [row(1, 90), row(16, 120), row(32, 100), row(64, 200), row(64, 10, mode="ecb"), row(64, 1, peer=True, side="X"), row(64, 1, note="Other")]
    found = cases.longer(lambda row: True)(book(*rows))
    assert found.figure == pytest.approx(1.2) and "CTR of 16 bytes: 120 cycles" in found.measured and "32 bytes: 100 cycles" in found.beside
    assert cases.longer(lambda row: row.mode == "xts")(book(*rows)) is None


def test_the_fastest_library_with_and_without_libgcrypt_counts():
    beside = HERE + ", beside libgcrypt"
    rows = [row(16, 100), row(16, 300, peer=True, side="OpenSSL"), row(16, 110, note=beside), row(16, 165, peer=True, side="libgcrypt", note=beside)]
    assert cases.peer("ARIA-128", "ctr", 16)(book(*rows)) == cases.Found("110 cycles", "libgcrypt: 165 cycles", 1.5)
    assert cases.peer("ARIA-128", "ctr", 16)(book(*rows[:2])).figure == 3
    assert cases.peer("ARIA-128", "ctr", 16)(book()) is None


def test_a_case_shows_its_bound_where_the_goal_is_not_reached():
    at = book(row(16, 100), row(16, 130, peer=True, side="X"))
    find = cases.peer("ARIA-128", "ctr", 16)
    assert cases.Case("", find, 1.3, bound="a count").line(at)[-2:] == ["at least 1.30 ×", "reached"]
    assert cases.Case("", find, 1.4, bound="a count").line(at)[-1] == "a count"
    assert cases.Case("", find, 1.2, at_most=True, bound="a count").line(at)[-1] == "a count"
    assert cases.Case("", find, 1.2).line(book()) == []


def test_every_case_is_measured_and_reached_or_bounded():
    shown = Book()
    lines = {case.title: case.line(shown) for case in cases.CASES}
    assert not [title for title, line in lines.items() if not line or not line[-1]]


def test_pages_show_the_processor_that_was_measured_last(tmp_path):
    of = lambda cipher, note, cpb: HostRow(cipher, "k", "ctr", 1024, 1, cpb, None, "", "", note, "")  # noqa: E731
    path = tmp_path / "host.csv"
    write_rows(path, HostRow, [of("LEA-128", "new", 1.0), of("LEA-128", "old", 2.0), of("HIGHT", "old", 3.0)])
    found = compare.figures(load_targets()["host"], path)
    assert [(f.cipher, f.note, f.cpb) for f in found] == [("LEA-128", "new", 1.0), ("HIGHT", "old", 3.0)]


def test_the_summary_names_the_fastest_library_of_all_measurements():
    """libgcrypt is in the measurements by length alone."""
    (choice,) = Book().choices("host", "ARIA-128")
    assert choice.rival.startswith("libgcrypt")
