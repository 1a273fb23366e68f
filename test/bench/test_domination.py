# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of published rows that one kernel dominates: it says yes exactly where no column is worse, it counts both
sides alike, and it explains every no."""

import msgspec
import pytest

from bench.declared.model import VARIANTS, Software
from bench.reported import domination
from bench.reported.book import Book
from bench.reported.compare import Published
from bench.reported.domination import NO, UNCLEAR, WHY_NOT, YES, Column, Rival

HIGHT = VARIANTS["HIGHT"][0]


@pytest.fixture(scope="module")
def book():
    return Book()


@pytest.fixture(scope="module")
def rows(book):
    return {v.row.name: v for v in domination.verdicts(book)}


def test_every_published_row_of_ours_on_a_microcontroller_is_there(book, rows):
    wanted = {
        f"{key}/{row.id}" for key, paper in book.papers.items() for row in paper.form.software
        if row.target in ("avr", "msp430", "cortex-m3") and row.cipher.partition("-")[0] in ("LEA", "HIGHT", "ARIA")
        and domination.columns(row)
    }  # fmt: skip
    assert set(rows) == wanted


def test_every_no_is_explained_and_nothing_else_is(rows):
    assert set(WHY_NOT) == {name for name, v in rows.items() if v.verdict == NO}


def test_verdicts_are_those_of_their_columns(rows):
    for v in rows.values():
        assert (v.verdict == UNCLEAR) == bool(v.row.row.differs)
        if v.verdict == YES:
            (winner,) = v.nearest
            assert all(ours <= column.counted_alike for column, ours in winner.cells)
            assert any(ours < column.counted_alike for column, ours in winner.cells)
        elif v.verdict == NO:
            assert len(v.nearest) == 2 and all(rival.fails for rival in v.nearest)


@pytest.mark.parametrize(
    "ours, wins", [([10, 20], False), ([10, 19], True), ([11, 1], False), ([9, None], False), ([9, 20], True)]
)  # fmt: skip
def test_a_kernel_wins_if_nothing_is_worse_and_something_better(ours, wins):
    columns = [Column("EKS", 10, "eks", "cpb"), Column("ROM", 15, "enc", "code_bytes", 5)]
    assert Rival("kernel", list(zip(columns, ours, strict=True))).wins == wins


@pytest.mark.parametrize("field, change", [("enc", -1), ("dec", -1), ("code_enc", -1), ("ram_enc", -1)])
def test_a_row_that_is_better_in_one_column_is_not_dominated_by_that_kernel(book, field, change):
    """A row with the figures of a kernel of ours: all equal, then one a little better than ours."""
    found = domination.of_kernel(book, "avr", "HIGHT", "hight_avr_small")
    row = Software(
        id="row", cipher="HIGHT", target="avr", eks=found["eks"].cpb, enc=found["enc"].cpb + 1, dec=found["dec"].cpb,
        code_enc=found["enc"].code_bytes, ram_enc=found["enc"].ram_bytes,
    )  # fmt: skip
    kernel = lambda row: next(  # noqa: E731
        r for r in _rivals(book, row) if r.kernel == "hight_avr_small"
    )
    assert kernel(row).wins
    if field == "enc":
        change -= 1
    assert not kernel(msgspec.structs.replace(row, **{field: getattr(row, field) + change})).wins


def _rivals(book, row):
    wanted = domination.columns(row)
    for name in book.kernels("avr", "HIGHT"):
        figures = domination.of_kernel(book, "avr", "HIGHT", name)
        yield Rival(name, [(column, column.ours(figures, book.card(name), HIGHT)) for column in wanted])


def test_tables_that_a_row_leaves_out_count_for_both_sides():
    row = Software(id="row", cipher="HIGHT", target="avr", code_eks=90, code_enc=520, tables_left_out=512)
    assert [c.counted_alike for c in domination.columns(row)] == [90, 1032]


@pytest.mark.parametrize("kernel, kept", [("hight_avr_flash_tiny", 136), ("hight_avr_tiny", 136 + 512), ("hight_avr_fly_bare", 0)])
def test_what_a_kernel_keeps_is_round_keys_and_tables(book, kernel, kept):
    row = Software(id="row", cipher="HIGHT", target="avr", ram=1, ram_holds="keys")
    (column,) = domination.columns(row)
    assert column.ours(domination.of_kernel(book, "avr", "HIGHT", kernel), book.card(kernel), HIGHT) == kept


def test_a_figure_is_rounded_as_the_row_rounds_its_own(book):
    for theirs, wanted in ((250, 338), (250.0, 338.1), (250.25, 338.12)):
        (column,) = domination.columns(Software(id="row", cipher="HIGHT", target="avr", enc=theirs))
        figures = domination.of_kernel(book, "avr", "HIGHT", "hight_avr_fly_bare")
        assert column.ours(figures, book.card("hight_avr_fly_bare"), HIGHT) == wanted


def test_a_row_that_nothing_may_be_compared_with_has_no_verdict(book):
    row = Software(id="row", cipher="HIGHT", target="avr", enc=10_000, differs="it has another clock")
    assert domination.verdict(book, "avr", Published("paper", row)).verdict == UNCLEAR
