# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The results as a static site: one folder that opens from the file system, without a network and without scripts.

It is made from the pages that render.py writes, from results/*.csv, cards and papers. A little script filters and sorts
one table. The same commit gives the same bytes.
"""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

import jinja2
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bench.declared.model import ROOT, BenchError, Target
from bench.measured.rtl import IN_HARDWARE
from bench.reported import compare, cores, literature, pages, plot, sections
from bench.reported.book import Book
from bench.reported.cells import number, ratio, size, table
from bench.reported.dictionary import meaning

FOLDER = ROOT / "build" / "site"
PARTS = Path(__file__).parent / "site"  # templates, style sheet, script
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PARTS), undefined=jinja2.StrictUndefined, autoescape=True,
    trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
)  # fmt: skip
CONDITIONS = "| Condition | Value |\n|---|---|\n"  # the head of the table on top of a machine's page
SECTIONS = 4  # so many make a list of contents
Site = dict[PurePosixPath, str]
_ORDER = [*sections.SMALL, "host", "openssl", "python", "java", "rust", "telemetry", "neon", "rtl", "felics", "domination"]


def _place(name: str) -> int:
    """The place of a machine's page in the menu."""
    return [*_ORDER, name].index(name)


def site(book: Book, rendered: dict[Path, str]) -> Site:
    """All files of the site with their texts, by their path in it. rendered is what render.render returned."""
    results = book.root / "results"
    texts = {path.relative_to(results): text for path, text in rendered.items() if path.is_relative_to(results)}
    found: Site = {PurePosixPath("plots") / path.name: text for path, text in texts.items() if path.suffix == ".svg"}
    for name in ("style.css", "table.js"):
        found[PurePosixPath(name)] = (PARTS / name).read_text()

    stems = sorted((path.stem for path in texts if path.suffix == ".md"), key=_place)
    machines = [(f"{stem}.html", texts[Path(f"{stem}.md")]) for stem in stems]
    titles = {place: re.search(r"^# (.*)$", text, re.M)[1] for place, text in machines}
    short = {place: re.split(r" \(|[:,]", title)[0] for place, title in titles.items()}
    menu = [("index.html", "Results"), ("kernels.html", "Which kernel?"), *short.items(), ("papers.html", "Papers"),
            ("proof.html", "Proof"), ("data.html", "Data")]  # fmt: skip

    stamp = _stamp(book.root)

    def add(place: str, template: str, title: str, wide: bool = False, **values) -> None:
        """wide: it is printed in landscape."""
        up = "../" * (len(PurePosixPath(place).parts) - 1)
        made = _TEMPLATES.get_template(template).render(
            title=title, menu=menu, here=place, up=up, stamp=stamp, wide=wide, **values
        )
        made = re.sub(r"<td>(?=[\w./×-]{1,40}</td>)", '<td class="whole">', made)  # so that names are not broken
        made = re.sub(r"<td>(?=[^<]{100,}</td>)", '<td class="text long">', made)
        found[PurePosixPath(place)] = re.sub(r"<td>(?=[^<]{25,}</td>)", '<td class="text">', made)

    for place, text in machines:
        target = book.targets.get(Path(place).stem)
        for name, chart, cipher in _against_ram(book, target) if target else ():
            found[PurePosixPath("plots") / name] = chart
            after = f"](plots/{target.name}-{cipher.lower()}.svg)"
            text = text.replace(after, f"{after}\n\n![{cipher}: cycles per byte against bytes of RAM](plots/{name})")
        text = text.replace(CONDITIONS, f"{CONDITIONS}| Haechi | {stamp} |\n", 1)
        add(place, "page.html.j2", titles[place], body=_html(text, f"results/{place}", place), wide=place == "rtl.html")
    summary = _html(sections.summary(book), "README.md", "index.html")
    kernels, proofs = (sections.count(book, what) for what in ("kernels", "proofs"))
    add("index.html", "index.html.j2", "Haechi: results", headlines=_headlines(book), kernels=kernels, proofs=proofs,
        papers=len(book.papers), summary=summary)  # fmt: skip
    add("kernels.html", "kernels.html.j2", "Which kernel for me?", choices=_choices(book))
    add("papers.html", "papers.html.j2", "Published figures", papers=list(book.papers.values()))
    for key, paper in book.papers.items():
        add(f"papers/{key}.html", "paper.html.j2", paper.form.title or paper.form.venue or key, paper=paper, wide=True,
            tables=literature.tables(book, paper))  # fmt: skip
    proof = (book.root / "docs/proof.md").read_text() + "\n## All proofs\n\n" + _proofs(book)
    add("proof.html", "page.html.j2", "Proof", body=_html(proof, "docs/proof.md", "proof.html"))
    files = sorted(results.glob("*.csv"))
    for path in files:
        found[PurePosixPath("data") / path.name] = path.read_text()
    add("data.html", "data.html.j2", "Raw data", files=[_described(path) for path in files])
    return found


def write(files: Site, folder: Path = FOLDER) -> Path:
    """Writes the site, removes what no longer belongs to it, and returns its first page."""
    for place, text in files.items():
        path = folder / place
        if not path.exists() or path.read_bytes() != text.encode():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    for path in folder.rglob("*"):
        if path.is_file() and PurePosixPath(path.relative_to(folder)) not in files:
            path.unlink()
    return folder / "index.html"


def _stamp(root: Path) -> str:
    """The version, and the commit where the project is in git."""
    version = re.search(r'#define HAECHI_VERSION "([\d.]+)"', (root / "src/haechi.h").read_text())[1]
    said = subprocess.run(["git", "-C", root, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    return f"version {version}" + (f", commit {said.stdout.strip()}" if said.returncode == 0 else "")


# ---- Markdown.


def _html(text: str, source: str, place: str) -> str:
    """A document of the project as HTML. source is its path in the project; place is that of the page in the site.
    Links to documents that the site has lead to them; other links of the project become plain text."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("table_open", lambda *_: '<div class="table" tabindex="0"><table>\n')
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    markdown.add_render_rule("image", _plot)
    tokens = markdown.parse(text)
    named = {}
    for n, token in enumerate(tokens):
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if token.type == "heading_open" and token.tag == "h2":
            title = tokens[n + 1].content
            token.attrSet("id", re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"))
            named[token.attrGet("id")] = title
        for n, child in enumerate(token.children or ()):
            if child.type == "link_open":
                _lead(token.children, n, source, place)
    made = markdown.renderer.render(tokens, markdown.options, {})
    return made.replace("<h2 ", _contents(named) + "<h2 ", 1) if len(named) >= SECTIONS else made


def _contents(named: dict[str, str]) -> str:
    """Links to the sections of a page, whose titles are given by their ids."""
    return _TEMPLATES.get_template("contents.html.j2").render(named=named)


def _plot(_, tokens: list[Token], n: int, *__) -> str:
    """A plot that leads to its file, where a reader can enlarge it."""
    return _TEMPLATES.from_string(
        '<a class="plot" href="{{ file }}"><img src="{{ file }}" alt="{{ text }}"></a>'
    ).render(file=tokens[n].attrGet("src"), text=tokens[n].content)  # fmt: skip


def _lead(children: list[Token], n: int, source: str, place: str) -> None:
    """Sets the target of the link that begins at children[n], or makes it plain text."""
    link = children[n]
    href, _, anchor = str(link.attrGet("href")).partition("#")
    if re.match(r"[a-z]+:", href) or not href:
        return
    path = normpath(str(PurePosixPath(source).parent / href))
    if paper := re.fullmatch(r"papers/(\w+)\.toml", path):
        target = f"papers/{paper[1]}.html"
        said = children[n + 1].content
        anchor = said.partition("/")[2] if said.startswith(f"{paper[1]}/") else ""
    elif page := re.fullmatch(r"results/(\w+)\.md", path):
        target = f"{page[1]}.html"
    elif path == "docs/proof.md":
        target = "proof.html"
    elif csv := re.fullmatch(r"results/([\w-]+\.csv)", path):
        target = f"data/{csv[1]}"
    else:
        link.type = "text"
        link.content, link.attrs, link.nesting = "", {}, 0
        close = next(k for k in range(n, len(children)) if children[k].type == "link_close")
        children[close].type, children[close].content, children[close].nesting = "text", "", 0
        return
    link.attrSet("href", relpath(target, str(PurePosixPath(place).parent)) + (f"#{anchor}" if anchor else ""))


# ---- The pages.


def _headlines(book: Book) -> list[dict[str, str]]:
    """The three main figures: against papers on microcontrollers, against libraries on servers, and against published
    cores."""

    def span(ratios: Sequence[float]) -> str:
        ends = dict.fromkeys(ratio(end).removesuffix(" ×") for end in (min(ratios), max(ratios)))
        return f"{' to '.join(ends)} ×"

    def fastest(targets: Sequence[str]) -> list[float]:
        every = [
            choice for target in targets for family in ("LEA", "HIGHT", "ARIA") for cipher in book.ciphers(family)[:1]
            for choice in book.choices(target, cipher) if "fastest" in choice.which
        ]  # fmt: skip
        return [choice.ratio for choice in every if choice.ratio]

    better = [both for _, both in cores.gained(IN_HARDWARE.read("rtl")).values()]
    lines = [
        (fastest(sections.SMALL), "faster than the fastest published kernel, on AVR, MSP430 and Cortex-M3",
         "kernels.html"),
        (fastest(["host"]), "faster than the fastest other library, in counter mode on a server", "host.html"),
        (better, "less area × clocks than the published bit-serial architecture in the same library, HIGHT in hardware",
         "rtl.html"),
    ]  # fmt: skip
    return [{"figure": span(ratios), "what": what, "page": page} for ratios, what, page in lines if ratios]


def _choices(book: Book) -> list[dict[str, str]]:
    """A line for each kernel of src/, machine and cipher, the fastest first."""
    found = []
    for name in sorted(book.targets, key=_place):
        for cipher in compare.OURS:
            defaults = {choice.kernel for choice in book.choices(name, cipher) if "default" in choice.which}
            fast = {kernel: _speed(book, name, cipher, kernel) for kernel in book.kernels(name, cipher)}
            for kernel in sorted((k for k in fast if fast[k] and not book.baseline(k)), key=lambda k: fast[k]):
                mine = book.of(name, cipher, kernel)
                both = next((f for f in mine if f.operation == "both"), None)
                found.append({
                    "machine": book.title(name).partition(" (")[0], "page": f"{name}.html", "cipher": cipher,
                    "flag": f"-DHAECHI_{cipher.partition('-')[0]}_KERNEL={kernel}", "cpb": number(fast[kernel], 2),
                    "code": size(both.linked_code_bytes) if both else "",
                    "ram": size(both.linked_ram_bytes) if both else "",
                    "constant": pages.CLAIMS[book.card(kernel).constant_time],
                    "proved": book.proved(name, cipher, kernel, "yes") or "no",
                    "tables": "yes" if any("tables in RAM" in f.note for f in mine) else "no",
                    "default": "" if name == "neon" else "yes" if kernel in defaults else "no",
                })  # fmt: skip
    return found


def _speed(book: Book, target: str, cipher: str, kernel: str) -> float | None:
    """Cycles per byte of encrypting one block on microcontrollers, and of the longest message on hosts and on NEON."""
    mine = [f for f in book.of(target, cipher, kernel) if f.operation in ("enc", "ctr")]
    if book.target(target).machine not in ("host", "neon"):
        mine = [f for f in mine if f.operation == "enc" and f.blocks == 1]
    return min((f.cpb for f in mine), default=None)


def _against_ram(book: Book, target: Target) -> list[tuple[str, str, str]]:
    """Speed of one block against RAM: file name, plot and cipher."""
    found = []
    rows = book.published(target.name)
    for cipher in (c for family in ("LEA", "HIGHT", "ARIA") for c in book.ciphers(family)):
        points = [
            (f.kernel, f.ram_bytes, f.cpb, True, False)
            for f in book.of(target.name, cipher)
            if f.operation == "enc" and f.blocks == 1 and f.ram_bytes and f.code_bytes and not f.peer
        ]
        if not points:
            continue
        points += [
            (p.short, p.row.ram_enc, p.row.enc, False, bool(p.row.differs))
            for p in rows
            if p.row.cipher == cipher and p.row.enc and p.row.ram_enc and p.row.scenario == "one block"
        ]
        chart = plot.against_size(
            points, [], f"{cipher} on {target.title}, one block",
            ["Ours are coloured, published ones grey. The line is the Pareto front."], "cycles per byte, encryption",
            "bytes of RAM for encryption, with round keys and stack",
        )  # fmt: skip
        found.append((f"{target.name}-{cipher.lower()}-ram.svg", chart, cipher))
    return found


def _proofs(book: Book) -> str:
    """Which operations of each kernel are proved, by chip and cipher."""
    every = dict.fromkeys((p.target, p.chip, p.cipher, p.kernel) for p in book.proofs)
    rows = []
    for key in every:
        mine = [p for p in book.proofs if (p.target, p.chip, p.cipher, p.kernel) == key]
        target, chip, cipher, kernel = key
        rows.append([
            book.title(target) if target in book.targets else "x86-64", chip, cipher, f"`{kernel}`", ", ".join(p.operation for p in mine),
            str(max(p.instructions for p in mine)), str(max(p.lookups for p in mine)), str(max(p.stack for p in mine)),
        ])  # fmt: skip
    return table(
        ("<Machine", "<Chip", "<Cipher", "<Kernel", "<Operations proved", "Most instructions of one call",
         "Most look-ups at secret addresses", "Deepest stack, bytes"),
        rows,
    )  # fmt: skip


def _described(path: Path) -> dict:
    """A CSV file, its number of rows, and what its columns mean."""
    lines = path.read_text().splitlines()
    columns = lines[0].split(",")
    unknown = [column for column in columns if not meaning(path.stem, column)]
    if unknown:
        raise BenchError(f"results/{path.name}: bench/reported/dictionary.py does not explain {', '.join(unknown)}")
    return {
        "name": path.name, "rows": len(lines) - 1,
        "columns": [(column, meaning(path.stem, column)) for column in columns],
    }  # fmt: skip
