# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site of the results: it is the same every time, its links lead to something, it has every published row once, and
headless Chromium finds neither errors nor barriers in it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from bench.declared.model import ROOT, BenchError
from bench.measured.lengths import Length
from bench.reported import literature, render, website
from bench.reported import pages as host_pages
from bench.reported.book import Book
from bench.simulated.simulators import UNTIMED
from browser import Browser
from plots import collisions


@pytest.fixture(scope="module")
def book():
    return Book()


@pytest.fixture(scope="module")
def site(book):
    return website.site(book, render.render(book))


@pytest.fixture(scope="module")
def folder(site, tmp_path_factory):
    where = tmp_path_factory.mktemp("site")
    website.write(site, where)
    return where


class Page(HTMLParser):
    """The links of a page, the names that links can lead to, and the texts of images and tables."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.images, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given[name] for name in ("href", "src") if given.get(name)]
        self.ids += [given["id"]] if "id" in given else []
        self.images += [given.get("alt", "")] if tag == "img" else []
        if tag not in ("meta", "link", "img", "hr", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def pages(site):
    return {place: Page(text) for place, text in site.items() if place.suffix == ".html"}


@pytest.mark.slow
@pytest.mark.ci
def test_the_same_commit_gives_the_same_site(site, tmp_path):
    """Byte for byte, in another process, folder, time zone, language and order of sets, with an empty cache."""
    clone = tmp_path / "another folder"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], check=True)
    for path in subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "-m", "-o", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout.split("\0")[:-1]:  # what has not been committed yet
        (clone / path).unlink(missing_ok=True)
        if (ROOT / path).exists():
            (clone / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, clone / path)
    program = (
        "from bench.reported import render, website; from bench.reported.book import Book; book = Book(); "
        "website.write(website.site(book, render.render(book)))"
    )
    other = {"TZ": "Asia/Seoul", "LC_ALL": "C", "LANG": "ko_KR", "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", program], cwd=clone, env={**os.environ, **other}, check=True)
    made = clone / "build/site"
    assert {PurePosixPath(p.relative_to(made)): p.read_bytes() for p in made.rglob("*") if p.is_file()} == {
        place: text.encode() for place, text in site.items()
    }


def test_every_page_is_whole(pages):
    assert {"index", "kernels", "avr", "host", "rtl", "papers", "proof", "data"} <= {place.stem for place in pages}
    for place, page in pages.items():
        assert not page.open, place
        assert all(page.images), f"{place}: an image without a text"


def test_every_link_leads_somewhere(site, pages):
    for place, page in pages.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            if re.match(r"https?:|data:", link):
                continue
            target = PurePosixPath(normpath(str(place.parent / path))) if path else place
            assert target in site, f"{place}: {link}"
            assert not anchor or anchor in pages[target].ids, f"{place}: {link}"


def test_every_file_is_linked(site, pages):
    linked = {
        normpath(str(place.parent / link.partition("#")[0])) for place, page in pages.items() for link in page.links
    }
    assert not {str(place) for place in site} - linked


def test_no_label_of_a_plot_lies_over_another_or_outside(site):
    plots = {place: text for place, text in site.items() if place.suffix == ".svg"}
    assert len(plots) > 40 and not {place: found for place, text in plots.items() if (found := collisions(text))}


def test_conditions_stand_on_top_of_each_machine(site, book):
    for name, target in book.targets.items():
        if target.machine in UNTIMED:  # docs/defaults.md alone is about it
            continue
        text = site[PurePosixPath(f"{name}.html")]
        head = text[: text.index("<h2 ")]
        words = [*target.flags, "commit", "version", book.figures[name][0].counter, f"TARGET={name}"]
        assert not [word for word in words if word not in head]


def test_no_page_needs_the_network(site):
    for place, text in site.items():
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//|@import|url\(", text), place


def test_every_published_row_stands_on_its_papers_page_once(book, pages):
    for key, paper in book.papers.items():
        named = Counter(pages[PurePosixPath(f"papers/{key}.html")].ids)
        rows = literature.rows(paper)
        assert rows and {row: named[row] for row in rows} == dict.fromkeys(rows, 1)


def test_every_published_figure_stands_on_its_papers_page(book):
    """Every number of every row is the text of a cell, or a part of it."""
    for paper in book.papers.values():
        tables = literature.tables(book, paper)
        cells = {line.id: " ".join(cell.theirs for cell in line.cells) for table in tables for line in table.lines}
        for row in (*paper.form.hardware, *paper.form.relative, *paper.form.drbg, *paper.form.operation_counts):
            values = [v for value in row.values() for v in (value.values() if isinstance(value, dict) else [value])]
            for value in values:
                assert re.search(rf"(?<![\d.]){re.escape(str(value))}(?![\d.])", cells[row["id"]]), (row["id"], value)
        for row in paper.form.software:
            for field in (*literature.COMPARED, *literature.PRINTED):
                value = getattr(row, field)
                for number in value if isinstance(value, list) else [value] if isinstance(value, int | float) else []:
                    assert re.search(rf"(?<![\d.]){re.escape(str(number))}(?![\d.])", cells[row.id]), (row.id, field)


def test_a_cell_shows_ours_and_who_wins(book):
    """HIGHT on AVR by SCN 2019: 157 cycles per byte, which is 1.29 times what the fastest kernel that answers it takes,
    but AES has no counterpart."""
    tables = literature.tables(book, book.papers["scn19"])
    lines = {line.id: dict(zip(table.columns, line.cells, strict=True)) for table in tables for line in table.lines}
    hight, aes = lines["hight-avr-speed"], lines["aes-128-avr-speed"]
    enc = hight["ENC, cycles per byte"]
    best = min(
        next(f.cpb for f in book.of("avr", "HIGHT", kernel) if f.operation == "enc" and f.blocks == 1)
        for kernel in ("hight_avr_ram", "hight_avr_ram_t", "hight_avr_compact")
        if any(answer.row == "scn19/hight-avr-speed" for answer in book.card(kernel).answers)
    )
    assert (enc.theirs, enc.ours, enc.ratio, enc.wins) == ("157", f"{best:.1f}", f"{157 / best:.2f} ×", True)
    assert not aes["ENC, cycles per byte"].ours and "no such cipher" in aes["Remarks"].theirs


def test_every_flag_names_a_kernel_of_the_library(site, book):
    """A default on each microcontroller, and no kernel that was measured for comparison only."""
    rows = website._choices(book)
    kernels = {name for card in book.cards if card.path.is_relative_to(ROOT / "src") for name in card.kernels}
    assert {row["flag"].partition("_KERNEL=")[2] for row in rows} <= kernels
    for machine in dict.fromkeys(row["machine"] for row in rows if row["code"]):
        ciphers = [row["cipher"] for row in rows if row["machine"] == machine and row["default"] == "yes"]
        assert sorted(ciphers) == sorted({row["cipher"] for row in rows})


def test_a_relative_row_shows_our_per_cent(book):
    """LEA's counter mode on AVR: 6.3 % faster than code of 167 cycles per byte; ours by more."""
    table, _ = literature.tables(book, book.papers["arx20"])
    line = next(line for line in table.lines if line.id == "lea-avr-ctr")
    best = min(f.cpb for f in book.of("avr", "LEA-128") if f.operation == "ctr")
    assert line.cells[-1].theirs.startswith(f"{100 * (1 - best / 167):.1f} % over wisa18/lea-128-avr-speed")


def test_counter_mode_shows_how_much_faster_ours_is(book):
    """ARIA on MSP430: the paper says 6.6 %. Ours is the key stream against ENC of one block."""
    (table,) = literature.tables(book, book.papers["electronics21"])
    line = next(line for line in table.lines if line.id == "aria-128-msp430-speed")
    cpb = {f.operation: f.cpb for f in book.of("msp430", "ARIA-128", "aria_msp430") if f.operation == "keystream" or f.blocks == 1}
    cell = line.cells[table.columns.index(literature.PRINTED["ctr_faster"])]
    assert (cell.theirs, cell.ours) == ("6.6 %", f"{100 * (1 - cpb['keystream'] / cpb['enc']):.1f} %, key stream against ENC")


def test_each_processor_has_plots_of_its_own():
    """Those of two processors once had the same names, and one page showed the same plots twice."""
    of = lambda note: [Length("HIGHT", "hight_c", False, "gcm", n, 10.0 * n, 10.0, 9.5, 11.25, note) for n in (16, 64)]  # noqa: E731
    one, other = (host_pages._host_modes(of(note), "cycles").keys() for note in ("A CPU with AVX2", "A CPU with AVX-512"))
    assert len(one) == len(other) == 1 and one != other


def test_modes_by_length_show_quartiles():
    rows = [
        Length("HIGHT", "hight_c", False, mode, n, 10.0 * n, 10.0, 9.5, 11.25, "") for mode in ("ctr", "ecb") for n in (16, 64)
    ]  # fmt: skip
    shown = host_pages._lengths(rows)
    assert shown.count("10.00 (9.50 to 11.25)") == 4 and "| HIGHT | ECB | hight_c |" in shown
    assert "(" not in host_pages._lengths([Length("HIGHT", "hight_c", False, "ctr", 16, 160.0, 10.0, None, None, "")])


def test_a_column_that_nobody_explains_is_named(tmp_path):
    path = tmp_path / "avr.csv"
    path.write_text("cipher,colour\nHIGHT,green\n")
    with pytest.raises(BenchError, match="avr.csv: .* colour"):
        website._described(path)


def test_what_no_longer_belongs_to_the_site_goes(site, tmp_path):
    website.write(site, tmp_path)
    (tmp_path / "old.html").touch()
    website.write(site, tmp_path)
    assert not (tmp_path / "old.html").exists() and (tmp_path / "index.html").exists()


# ---- In the browser.

AXE = (files("axe_core_python") / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PROBE = """(async () => {
  const problems = [];
  if (document.documentElement.scrollWidth > innerWidth) problems.push("the page is wider than the window");
  for (const image of document.images) if (!image.naturalWidth) problems.push("no image: " + image.src);
  for (const row of document.querySelectorAll("tbody tr:nth-child(n+12)")) row.remove();  // more of the same
  const found = await axe.run({ runOnly: %s });
  for (const v of found.violations) problems.push(v.id + ": " + v.nodes[0].html);
  return problems;
})()"""
# Texts of a plot that lie over one another as Chromium draws them, and texts that stick out of the plot.
OVERLAPS = """(() => {
  const plot = document.documentElement.getBoundingClientRect(), found = [];
  const texts = [...document.querySelectorAll("text")].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  boxes.forEach(([name, a], n) => {
    if (a.left < plot.left || a.top < plot.top || a.right > plot.right || a.bottom > plot.bottom) found.push(name);
    for (const [other, b] of boxes.slice(n + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) found.push(name + " / " + other);  // a line's box has room above and below its letters
    }
  });
  return [boxes.length, found];
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


def problems(browser, path, width, **how):
    """Errors of scripts and missing files, findings of axe, and a page that is too wide."""
    browser.open(path, width, **how)
    browser.value(f"{AXE};0")
    return browser.value(PROBE % json.dumps(RULES)) + browser.problems


@pytest.mark.full
@pytest.mark.parametrize("place", ["index.html", "papers/scn19.html"])
def test_browser_finds_nothing_wrong(browser, folder, place):
    assert not problems(browser, folder / place, 360)


@pytest.mark.full
def test_the_table_of_kernels_filters_and_sorts(browser, folder, book):
    """The reader chooses HIGHT, constant time by addresses, proved and little flash. The rows are those, the smallest
    first, and those without a code size last."""
    choose = """(chosen) => {
      for (const [name, value] of Object.entries(chosen)) {
        const label = [...document.querySelectorAll("#choose label")].find((each) => each.textContent.startsWith(name));
        const select = label.querySelector("select");
        select.value = value;
        select.dispatchEvent(new Event("change"));
      }
      const shown = [...document.querySelectorAll("#kernels tbody tr")].filter((row) => !row.hidden);
      return shown.map((row) => [...row.cells].map((cell) => cell.textContent));
    }"""

    def rows(**chosen):
        named = {name.replace("_", " "): value for name, value in chosen.items()}
        return browser.value(f"({choose})({json.dumps(named)})")

    browser.open(folder / "kernels.html")
    every = rows()
    hight = [row for row in every if row[1] == "HIGHT"]
    assert rows(Cipher="HIGHT") == hight and 20 < len(hight) < len(every)
    assert rows(Constant_time="cycles") == [row for row in hight if "cycles" in row[6]]
    assert rows(Constant_time="cycles and addresses") == [row for row in hight if "addresses" in row[6]]
    assert rows(Proved="must be") == [row for row in hight if "addresses" in row[6] and row[7] == "yes"]
    browser.open(folder / "kernels.html")
    assert rows(Tables_in_RAM="none") == [row for row in every if row[8] == "no"]
    shown = rows(Cipher="HIGHT", Tables_in_RAM="any", What_is_short="flash")
    sizes = [int(row[4]) for row in shown if row[4]]
    assert sizes == sorted(sizes) and len(set(sizes)) > 5 and not any(row[4] for row in shown[len(sizes) :])
    assert sorted(shown) == sorted(hight)


@pytest.mark.slow
@pytest.mark.parametrize("width, how", [(360, {}), (1280, {}), (1280, {"dark": True}), (688, {"media": "print"})])
def test_browser_finds_nothing_wrong_with_any_page(browser, folder, width, how):
    """On a phone, at a desk, by night, and as it is printed on A4 between its margins, wide pages in landscape."""
    found = {}
    for path in sorted(folder.rglob("*.html")):
        wide = 1017 if how.get("media") and '<body class="wide">' in path.read_text() else width
        found[str(path.relative_to(folder))] = problems(browser, path, wide, **how)
    assert len(found) > 20 and not {place: problems for place, problems in found.items() if problems}


@pytest.mark.slow
def test_no_label_of_a_drawn_plot_lies_over_another(browser, folder):
    found = {}
    for path in sorted(folder.glob("plots/*.svg")):
        browser.open(path)
        count, found[path.name] = browser.value(OVERLAPS)
        assert count > 5, path
    assert len(found) > 40 and not {name: texts for name, texts in found.items() if texts}


@pytest.mark.slow
def test_the_browser_finds_planted_errors(browser, folder):
    """It finds an error of a script, a missing image, an image without a text, grey on white, a page that is too wide,
    and labels that lie over one another."""
    path = folder / "planted.html"
    path.write_text(
        (folder / "papers.html").read_text().replace(
            "<h1>", '<script>nothing.at.all</script><img src="plots/summary.svg"><img src="none.svg" alt="none">'
            '<p style="color: #bbb; background: #fff">grey</p><div style="width: 3000px">wide</div><h1>'
        )
    )  # fmt: skip
    found = " ".join(problems(browser, path, 1200))
    path.unlink()
    for problem in ("nothing is not defined", "none.svg", "image-alt", "color-contrast", "wider"):
        assert problem in found
    plot = folder / "planted.svg"
    place = r'transform="translate\(([^"]*)\)"([^>]*>hight_avr_'
    svg = (folder / "plots/avr-hight.svg").read_text()
    first = re.search(place + "small<)", svg)[1]
    plot.write_text(re.sub(place + "tiny<)", rf'transform="translate({first})"\2', svg))
    browser.open(plot)
    assert "hight_avr_tiny" in str(browser.value(OVERLAPS)[1])
    plot.unlink()
