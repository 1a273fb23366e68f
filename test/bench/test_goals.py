# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of many messages in one call, with a goal for each case."""

from types import SimpleNamespace

from bench.measured.gateway import Row
from bench.reported import goals
from bench.reported.book import Book


def row(ns: float, times: float, *, cipher: str = "LEA-128", mode: str = "ctr", kernel: str = "lea_x86_avx512", size: int = 16, jobs: int = 256) -> Row:
    return Row(cipher, kernel, mode, size, jobs, ns, ns * times, times, 4.0, "gcc", "A CPU")


def test_a_goal_that_is_reached_has_no_count():
    assert goals.cell(row(10, 8)) == "8.00 × of 8"
    assert goals.cell(row(10, 3, kernel="lea_x86_avx2")) == "3.00 × of 3"


def test_a_goal_that_is_missed_has_the_count():
    """12 + 10.1 + 17.3 cycles for LEA-128 in counter mode: 39.4."""
    assert goals.cell(row(10, 7.5)) == "7.50 × of 8, missed: 39 of 40 cycles by count, at most 7.61 ×"
    assert goals.cell(row(20, 7.5)) == "7.50 × of 8, missed: 39 of 80 cycles by count, the count allows 15.2 ×"
    assert goals.cell(row(10, 1, kernel="lea_x86_ssse3")) == "1.00 × of 3, missed"


def test_blocks_of_a_message():
    assert goals.blocks("LEA-128", "eax", 64) == (4, 9) and goals.blocks("HIGHT", "eax", 64) == (8, 14)
    assert goals.blocks("LEA-128", "ccm", 16) == (2, 2) and goals.blocks("HIGHT", "cmac", 16) == (0, 3)
    assert goals.blocks("ARIA-128", "ctr", 256) == (16, 0)


def test_hight_with_gfni_has_a_goal_of_its_own():
    assert [goals.goal("HIGHT", "ctr", f"hight_x86_{name}", 256) for name in ("avx512_gfni", "avx2_gfni", "avx2")] == [6, 3, 2]


def test_calls_of_other_numbers_of_messages_have_no_goal():
    rows = [row(10, 8), row(30, 2, jobs=64), row(10, 8, mode="gcm")]
    assert list(goals.lines(SimpleNamespace(gateway=rows))) == [["LEA-128", "ctr", "A CPU, `lea_x86_avx512`", "8.00 × of 8", "", ""]]


def test_every_goal_is_measured_and_reached_or_counted():
    """No cell is empty, and no message takes fewer cycles than were counted."""
    rows = [row for row in Book().gateway if row.jobs == goals.JOBS and (row.cipher, row.mode) in goals.GOALS]
    assert {(row.cipher, row.mode, row.bytes) for row in rows} == {(*key, size) for key in goals.GOALS for size in goals.SIZES}
    assert not [row for row in rows if goals.cell(row).endswith("missed")]
    counted = [(row.ns * row.ghz, goals.least(row.cipher, row.mode, row.kernel, row.bytes), row) for row in rows]
    assert not [row for cycles, least, row in counted if least and least > cycles]
