# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the bench writes from results/*.csv, cards and papers: it is up to date, markers are checked, labels in plots do
not collide, and the summary fits on one screen."""

import csv
import io
import re
from itertools import combinations

import pytest
from rich.console import Console

from bench.__main__ import main
from bench.declared.model import ROOT, BenchError, load_targets
from bench.made import build
from bench.measured import TARGETS
from bench.reported import documents, labels, plot, render, report, screen
from bench.reported.book import Book
from bench.reported.cells import table
from bench.reported.labels import Box
from plots import collisions


@pytest.fixture(scope="module")
def book():
    return Book()


@pytest.fixture(scope="module")
def rendered(book):
    return render.render(book)


# ---- Up to date.


def test_what_is_written_from_the_results_is_up_to_date(rendered):
    """If it is not, `python -m bench render` writes it anew."""
    stale = [str(path.relative_to(ROOT)) for path, text in rendered.items() if path.read_bytes() != text.encode()]
    assert not stale
    assert not render.left_over(rendered)


def test_only_files_whose_bytes_change_are_written(tmp_path):
    same, other, new = (tmp_path / name for name in ("same.md", "other.md", "below/new.md"))
    same.write_text("a\n")
    other.write_text("b\n")
    before = same.stat().st_mtime_ns
    assert render.write({same: "a\n", other: "c\n", new: "d\n"}, tmp_path) == [other, new]
    assert (other.read_text(), new.read_text(), same.stat().st_mtime_ns) == ("c\n", "d\n", before)


def test_pages_that_nothing_writes_any_more_go(tmp_path):
    old, page, figures = (tmp_path / "results" / name for name in ("old.md", "page.md", "avr.csv"))
    old.parent.mkdir()
    old.touch()
    figures.touch()
    assert render.write({page: "a\n"}, tmp_path) == [page, old]
    assert page.exists() and figures.exists() and not old.exists()


def test_tables_of_measured_figures_are_not_typed_by_hand():
    """Cycles with cycles per byte in parentheses, as every generated table has them, stand between markers only."""
    for path in ROOT.glob("src/*/*/README.md"):
        by_hand = re.sub(r"<!-- begin:.*?<!-- end -->", "", path.read_text(), flags=re.S)
        assert not re.findall(r"^\|.*\d \(\d+\.\d\d?(?: per [a-z ]*)?\).*", by_hand, re.M), path


def test_sums_and_rates_are_not_typed_by_hand():
    """The sum of a table that counts a routine instruction by instruction is what was measured. Rates and times are
    measured too."""
    for path in documents.documents():
        by_hand = re.sub(r"<!-- begin:.*?<!-- end -->", "", path.read_text(), flags=re.S)
        assert not re.findall(r"^\| \*\*(?:ENC|EKS|ENC = DEC)\*\* \|.*\d.*", by_hand, re.M), path
        assert not re.findall(r"^\|.*\b(?:[KMG]B/s|Seconds)\b.*", by_hand, re.M), path


def test_default_kernels_are_those_of_the_ladders(book):
    """On a host the default is the first rung that its CPU can run; every such kernel was measured."""
    for name, target in load_targets().items():
        for family in ("LEA", "HIGHT", "ARIA"):
            cipher = book.ciphers(family)[0]
            if book.figures[name]:
                default = next(c.kernel for c in book.choices(name, cipher) if "default" in c.which)
                measured = book.kernels(name, cipher)
                assert default == next(rung for rung in build.ladder(target, family) if rung in measured), name


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 145


# ---- Markers.


def fill(text, book):
    return documents.fill(text, book, "page.md")


def test_markers_are_filled_inside_a_line_and_around_a_table(book):
    found = fill("It has <!-- begin: count proofs --><!-- end --> proofs.\n", book)
    assert re.fullmatch(r"It has <!-- begin: count proofs -->\d+<!-- end --> proofs.\n", found)
    found = fill("<!-- begin: kernels hight avr -->\nold\n<!-- end -->\n", book)
    assert "old" not in found and "\n\n| Kernel |" in found and found.endswith("|\n\n<!-- end -->\n")
    assert fill(found, book) == found


def test_single_figures_are_those_of_the_results(book):
    """The test computes each of them from the lines of the CSV."""
    with (ROOT / "results/avr.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["kernel"] in ("lea_avr", "lea_avr_small")]
    enc = next(row for row in rows if (row["kernel"], row["operation"], row["blocks"]) == ("lea_avr_small", "enc", "1"))
    kernel = "avr lea_avr_small LEA-128 enc"
    assert f"-->{enc['cycles']}<" in fill(f"It takes <!-- begin: cycles {kernel} --><!-- end --> cycles.", book)
    assert f"-->{float(enc['cpb']):.1f}<" in fill(f"It takes <!-- begin: speed {kernel} --><!-- end --> a byte.", book)
    wraps = sorted(int(row["cycles"]) for row in rows if row["operation"] == "wrap")
    assert f"-->{wraps[0]} to {wraps[-1]}<" in fill("It takes <!-- begin: wraps lea avr --><!-- end --> cycles.", book)
    with (ROOT / "results/avr-ctr.csv").open() as file:
        calls = {int(r["blocks"]): int(r["cycles"]) for r in csv.DictReader(file)
                 if (r["cipher"], r["kernel"], r["way"]) == ("LEA-128", "lea_avr", "separately")}  # fmt: skip
    block = (calls[64] - calls[16]) // 48
    text = "It takes <!-- begin: counter_block avr lea_avr LEA-128 separately --><!-- end --> cycles."
    assert f"-->{block}<" in fill(text, book)


@pytest.mark.parametrize(
    "text, named",
    [
        ("<!-- begin: kernels hight avr -->", "pairs"),
        ("<!-- end -->", "pairs"),
        ("<!-- begin: summary --><!-- begin: summary --><!-- end --><!-- end -->", "pairs"),
        ("<!-- begin: kernel hight avr --><!-- end -->", "names none of"),
        ("<!-- begin: --><!-- end -->", "names none of"),
        ("<!-- begin: kernels hight --><!-- end -->", "missing a required argument"),
        ("<!-- begin: kernels hight avr now --><!-- end -->", "too many"),
        ("<!-- begin: kernels hight pdp11 --><!-- end -->", "pdp11"),
        ("<!-- begin: kernels des avr --><!-- end -->", "des"),
        ("<!-- begin: count lines --><!-- end -->", "lines"),
        ("a\n<!-- begin: count proofs --><!-- end --> b", "begins a line"),
        ("<!-- begin: counter hight avr backwards --><!-- end -->", "no results"),
        ("<!-- begin: counter_block avr lea_avr LEA-128 backwards --><!-- end -->", "no results"),
        ("<!-- begin: cycles avr lea_avr LEA-128 bulk --><!-- end -->", "no results"),
        ("<!-- begin: speed avr lea_avr LEA-128 enc 65 --><!-- end -->", "no results"),
        ("<!-- begin: wraps hight neon --><!-- end -->", "no results"),
    ],
)
def test_wrong_markers_are_named(book, text, named):
    with pytest.raises(BenchError) as error:
        fill(text, book)
    assert "page.md" in str(error.value) and named in str(error.value)


def test_empty_columns_are_left_out():
    assert table(("<A", "B", "C"), [["a", "", "1"], ["b", "", ""]]) == "| A | C |\n|---|--:|\n| a | 1 |\n| b |  |"


# ---- Labels.


@pytest.mark.parametrize("path", sorted(ROOT.glob("results/plots/*.svg")), ids=lambda path: path.stem)
def test_no_label_lies_over_another_or_outside(path):
    assert not collisions(path.read_text())


def test_labels_that_collide_are_seen():
    """The check above finds a text that was moved onto another one, and a text that was moved out of the picture."""
    svg = (ROOT / "results/plots/avr-hight.svg").read_text()
    place = r'transform="translate\(([^"]*)\)"([^>]*>hight_avr_'
    first = re.search(place + "small<)", svg).group(1)
    assert "hight_avr_tiny" in str(collisions(re.sub(place + "tiny<)", rf'transform="translate({first})"\2', svg)))
    assert "hight_avr_tiny" in collisions(re.sub(place + "tiny<)", r'transform="translate(790,100)"\2', svg))


def test_every_point_of_a_crowd_has_a_label_of_its_own():
    points = [(300 + 14 * (n % 4), 200 + 12 * (n // 4), f"kernel_{n}") for n in range(16)]
    frame = Box(0, 0, 700, 440)
    found = labels.place(points, [], frame, 11)
    assert [box.text for box in found] == [text for _, _, text in points]
    assert not [pair for pair in combinations(found, 2) if pair[0].overlap(pair[1])]
    assert not [box for box in found if box.outside(frame)]
    assert not [box for box in found for x, y, _ in points if box.overlap(Box(x - 5, y - 5, x + 5, y + 5))]


def test_a_label_stands_beside_its_point():
    """Right of it where that is free, and never nearer to another point."""
    ((box),) = labels.place([(100, 100, "alone")], [], Box(0, 0, 700, 440), 11)
    assert box.left == pytest.approx(107) and box.top < 100 < box.bottom
    points = [(300.0, 200.0 + 12 * n, f"kernel_{n}") for n in range(6)]
    for box, (x, y, _) in zip(labels.place(points, [], Box(0, 0, 700, 440), 11), points, strict=True):
        assert all(box.distance(x, y) < box.distance(*other[:2]) for other in points if other[1] != y)


def test_plots_are_the_same_every_time_and_know_the_night():
    draw = lambda: plot.against_size([("a", 100, 10.0, True, False)], [("b", 5.0)], "t", ["s"], "y")  # noqa: E731
    assert draw() == draw() and "prefers-color-scheme:dark" in draw()


# ---- The command.


@pytest.mark.parametrize("words, measured", [([], False), (["--target", "openssl"], True)], ids=["all", "named"])
def test_bindings_are_measured_only_when_they_are_named(monkeypatch, words, measured):
    asked = []
    monkeypatch.setattr(report, "report", lambda names, ciphers: asked.extend(names))
    monkeypatch.setattr("sys.argv", ["bench", "report", *words])
    assert main() == 0 and ("openssl" in asked) == measured and ("avr" in asked) != measured


# ---- The screen.


def test_the_summary_fits_on_one_screen(book):
    """It does so even if everything changed and everything was left out."""
    out = io.StringIO()
    changed = [ROOT / f"results/{n}.csv" for n in range(60)]
    names = [*book.targets, *TARGETS]
    screen.show(Console(file=out, width=110), book, names, ["LEA", "HIGHT", "ARIA"], changed, ["x"] * 30)
    lines = out.getvalue().splitlines()
    assert len(lines) <= 48 and max(map(len, lines)) <= 110
    assert "and 54 more" in out.getvalue() and "hight_avr_ram_t" in out.getvalue()
