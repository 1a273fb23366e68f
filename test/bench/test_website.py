# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site of the results: it is the same every time, its links lead to something, it has every published row once, and
headless Chromium finds neither errors nor barriers in it."""

import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from bench.declared.model import BenchError
from bench.reported import literature, render, website
from bench.reported.book import Book


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
def test_the_same_results_give_the_same_site(book, site):
    assert website.site(book, render.render(book)) == site


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
PROBE = """
<script>window.problems = []; addEventListener("error", (e) => problems.push(e.message));</script>
<script>%s</script>
<script>addEventListener("load", async () => {
  if (document.documentElement.scrollWidth > innerWidth) problems.push("the page is wider than the window");
  for (const row of document.querySelectorAll("tbody tr:nth-child(n+20)")) row.remove();  // more of the same
  const found = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "best-practice"] });
  for (const v of found.violations) problems.push(v.id + ": " + v.nodes[0].html);
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(problems);
  document.body.append(out);
});</script>
"""


CHOOSE = """
<script>addEventListener("load", () => {
  const labels = [...document.querySelectorAll("#filters label")];
  const select = labels.find((label) => label.textContent.startsWith("Cipher")).querySelector("select");
  select.value = "HIGHT";
  select.dispatchEvent(new Event("change"));
  [...document.querySelectorAll("th button")].find((b) => b.textContent === "Code, bytes").click();
  const shown = [...document.querySelectorAll("#kernels tbody tr")].filter((row) => !row.hidden);
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(shown.map((row) => [row.cells[1].textContent, row.cells[4].textContent]));
  document.body.append(out);
});</script>
"""


def browse(path, width, dark=False, probe=PROBE % AXE):
    """The report of a page in headless Chromium by the probe. The usual probe reports errors of scripts, findings of
    axe, and a page that is too wide."""
    chromium = shutil.which("chromium")
    assert chromium, "chromium is missing: apt-get install chromium"
    probed = path.with_name(f"probe-{path.name}")
    probed.write_text(path.read_text().replace("</head>", f"{probe}</head>"))
    command = [
        chromium, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={path.parent / 'chromium'}",
        f"--window-size={width},1200", "--virtual-time-budget=20000", "--dump-dom",
    ]  # fmt: skip
    command += ["--blink-settings=preferredColorScheme=0"] if dark else []
    said = subprocess.run([*command, probed.as_uri()], capture_output=True, text=True, timeout=120).stdout
    probed.unlink()
    found = re.search(r'<pre id="probe">(.*?)</pre>', said, re.S)
    assert found, said[-500:]
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.mark.full
@pytest.mark.parametrize("place", ["index.html", "papers/scn19.html"])
def test_browser_finds_nothing_wrong(folder, place):
    assert not browse(folder / place, 1200)


@pytest.mark.full
def test_the_table_of_kernels_filters_and_sorts(folder, book):
    """The script sorts rows; those without a code size come last."""
    shown = browse(folder / "kernels.html", 1200, probe=CHOOSE)
    assert {cipher for cipher, _ in shown} == {"HIGHT"}
    assert len(shown) == sum(len(book.kernels(name, "HIGHT")) for name in book.targets)
    sizes = [int(code) for _, code in shown if code]
    assert sizes == sorted(sizes) and len(set(sizes)) > 5 and not any(code for _, code in shown[len(sizes) :])


@pytest.mark.slow
def test_browser_finds_nothing_wrong_with_any_page_on_a_phone(folder):
    found = {str(path.relative_to(folder)): browse(path, 500) for path in sorted(folder.rglob("*.html"))}
    assert not {place: problems for place, problems in found.items() if problems}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["index.html", "kernels.html", "avr.html", "papers/scn19.html"])
def test_browser_finds_nothing_wrong_at_night(folder, place):
    assert not browse(folder / place, 1200, dark=True)


@pytest.mark.slow
def test_the_browser_finds_planted_errors(folder):
    """It finds an error of a script, an image without a text, grey on white, and a page that is too wide."""
    path = folder / "planted.html"
    path.write_text(
        (folder / "papers.html").read_text().replace(
            "<h1>", '<script>nothing.at.all</script><img src="plots/summary.svg">'
            '<p style="color: #bbb; background: #fff">grey</p><div style="width: 3000px">wide</div><h1>'
        )
    )  # fmt: skip
    found = " ".join(browse(path, 1200))
    path.unlink()
    for problem in ("nothing is not defined", "image-alt", "color-contrast", "wider"):
        assert problem in found
