# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages of results/ and their plots: one for each target, for FELICS and for the cores in hardware. Those of the bindings
are in doors.py.

Every function returns file names below results/ with their texts.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from bench.declared.model import Target
from bench.reported import compare, cores, domination, doors, plot
from bench.measured import felics, felics_arm
from bench.measured.lengths import Length
from bench.reported.book import BULK, LENGTHS, Book
from bench.reported.cells import Pages, amount, filled, host_lines, length, number, peers, ratio, size, table, what
from bench.reported.compare import OURS, Beside, Figure, Published

CLAIMS = {
    "addresses": "addresses and cycles",
    "cycles": "cycles",
    "no": "nothing",
}
OURS_SIDE = "Haechi"  # in the triathlon


def pages(book: Book) -> Pages:
    """All pages and plots."""
    found: Pages = {}
    for target in book.targets.values():
        if book.figures[target.name]:
            found |= (_host if target.machine == "host" else _machine)(book, target)
    if book.scenarios:
        found |= _felics(book)
    found |= domination.page(book)
    found |= doors.pages(book)
    hardware = cores.page(book.papers)
    if hardware:
        found[Path("rtl.md")] = filled("rtl.md.j2", **hardware)
        found |= {Path("plots") / name: svg for name, svg in cores.plots(book.papers).items()}
    return found


# ---- For both kinds of targets.


def _conditions(target: Target, figures: Sequence[Figure]) -> str:
    """The tools with which the figures were measured."""
    compilers = dict.fromkeys(x for f in figures for x in f.compiler.split(" + ") if x)
    rows = [
        ("Chip", target.chip),
        ("Compilers", ", ".join(c for c in compilers if c != "assembly")),
        ("Flags", f"`{' '.join(target.flags)}`" if target.flags else ""),
        ("How cycles are counted", "; ".join(dict.fromkeys(f.counter for f in figures))),
        ("Processor", figures[0].note if target.machine == "host" else ""),
        ("How to measure again", f"`make report TARGET={target.name}`"),
    ]
    return table(("<Condition", "<Value"), [row for row in rows if row[1]])


def _kernels(book: Book, target: Target) -> str:
    """A description of each kernel and its claims, in the words of its card."""
    rows = []
    for cipher in OURS:
        for kernel in book.kernels(target.name, cipher):
            card = book.card(kernel)
            default = " (default)" if kernel == book.default(target.name, cipher) else ""
            claim = CLAIMS[card.constant_time]
            rows.append([f"`{kernel}`{default}", *map(_line, (card.summary, claim, card.because))])
    return table(
        ("<Kernel", "<What it is", "<What does not depend on key and data", "<Why"),
        list({row[0]: row for row in rows}.values()),
    )


def _line(text: str) -> str:
    """A text of a card as one line of a table."""
    return " ".join(text.split()).replace("|", "\\|")


# ---- Microcontrollers and estimates.


def _machine(book: Book, target: Target) -> Pages:
    rows = book.published(target.name)
    waiting = compare.unanswered(book.cards, rows)
    shown, found = [], {}
    for cipher in OURS:
        mine = book.of(target.name, cipher)
        lines = [line for f in mine for line in compare.beside(f, target.name, book.cards, rows)]
        unanswered = [row for row in waiting if row.row.cipher == cipher]
        if not lines and not unanswered:
            continue
        file = f"{target.name}-{cipher.lower()}.svg"
        chart = _against_size(target, cipher, mine, rows)
        if chart:
            found[Path("plots") / file] = chart
        shown.append({
            "name": cipher, "plot": file if chart else "",
            "lines": _figures(lines) if lines else "", "open": _unanswered(unanswered) if unanswered else "",
        })  # fmt: skip
    modes, ways, generators = book.modes(target.name), book.ways(target.name), book.generators(target.name)
    counters = _by_blocks(target, ways)
    found |= {Path("plots") / name: chart for name, (_, chart) in counters.items()}
    proofs = [p for p in book.proofs if p.target == target.name]
    others = compare.others(rows)
    found[Path(f"{target.name}.md")] = filled(
        "machine.md.j2", title=target.title, conditions=_conditions(target, book.figures[target.name]), ciphers=shown,
        estimates=target.machine == "neon", kernels=_kernels(book, target),
        proofs=_proofs(proofs) if proofs else "",
        modes=_modes(modes) if modes else "", modes_compiler=modes[0].compiler if modes else "",
        ways=_ways(ways) if ways else "", ways_plots={name: cipher for name, (cipher, _) in counters.items()},
        generators=_generators(generators) if generators else "",
        generators_compiler=generators[0].compiler if generators else "",
        sources=" and ".join(dict.fromkeys(g.plain_from.partition(",")[0] for g in generators)),
        others=_others(others) if others else "",
        scaled=_scaled(book, target, rows),
    )  # fmt: skip
    return found


def _against_size(target: Target, cipher: str, figures: list[Figure], rows: list[Published]) -> str:
    """The plot of the speed of one block against code, ours and the published; none if no code is counted."""
    points = [
        (f.kernel, f.code_bytes, f.cpb, True, False)
        for f in figures
        if f.operation == "enc" and f.blocks == 1 and f.code_bytes
    ]
    points += [
        (p.short, p.code("enc") or p.row.rom, p.cpb("enc"), False, bool(p.row.differs))
        for p in rows
        if p.row.cipher == cipher and p.cpb("enc") and (p.code("enc") or p.row.rom) and p.row.scenario == "one block"
    ]
    if not points:
        return ""
    return plot.against_size(
        points, [], f"{cipher} on {target.title}, one block",
        [
            "Ours are coloured, published ones grey; those counted in another way are hollow.",
            "The line is the Pareto front of the filled points.",
        ],
        "cycles per byte, encryption",
    )  # fmt: skip


def _figures(lines: list[Beside]) -> str:
    rows = []
    for line in lines:
        f = line.figure
        ram = size(f.ram_bytes)
        if f.ram_with_return_bytes is not None:
            ram += f" ({f.ram_with_return_bytes})"
        remark = "; ".join(filter(None, (line.reason and f"no ratio: {line.reason}", f.note)))
        rows.append([
            f.kernel, what(f), number(f.cycles, 0), number(f.cpb), size(f.code_bytes), size(f.linked_code_bytes),
            ram, size(f.linked_ram_bytes),
            _cited(line.published) if line.published else "", number(line.cpb), size(line.code), size(line.ram),
            ratio(line.ratio), remark,
        ])  # fmt: skip
    return table(
        ("<Kernel", "<Operation", "Cycles", "c/B", "Code", "Linked code", "RAM", "Linked RAM", "<Published", "c/B",
         "Code", "RAM", "Ratio", "<Remark"),
        rows,
    )  # fmt: skip


def _cited(row: Published) -> str:
    """The name of a published row, with a link to its paper."""
    return f"[{row.name}](../papers/{row.paper}.toml)"


def _unanswered(rows: list[Published]) -> str:
    lines = []
    for p in rows:
        r = p.row
        code = ", ".join(size(x) or "–" for x in (r.code_eks, p.code("enc") or r.rom, r.code_dec))
        ram = ", ".join(size(x) or "–" for x in (r.ram_eks, p.ram("enc"), r.ram_dec))
        remark = "; ".join(filter(None, (r.differs, r.note)))
        lines.append([_cited(p), r.variant, *map(number, (r.eks, r.enc, r.dec, r.ctr)), code, ram, remark])
    return table(
        ("<Row", "<Variant", "EKS, c/B", "ENC, c/B", "DEC, c/B", "CTR, c/B", "<Code of EKS, ENC, DEC",
         "<RAM of EKS, ENC, DEC", "<Remark"),
        lines,
    )  # fmt: skip


def _proofs(rows: list[compare.Proof]) -> str:
    return table(
        ("<Chip", "<Cipher", "<Kernel", "<Operation", "Instructions", "Look-ups", "<In", "<Reads", "<Writes", "Stack"),
        [[p.chip, p.cipher, p.kernel, p.operation, str(p.instructions), str(p.lookups), p.tables, p.reads, p.writes,
          str(p.stack)] for p in rows],
    )  # fmt: skip


def _modes(rows: list) -> str:
    return table(
        ("<Cipher", "<Kernel", "<Mode", "c/B", "Code", "RAM"),
        [[m.cipher, m.kernel, m.mode.upper(), number(m.cpb), f"{m.code_bytes} ({m.code_with_cipher})", str(m.ram_bytes)]
         for m in rows],
    )  # fmt: skip


def _ways(rows: list) -> str:
    return table(
        ("<Cipher", "<Kernel", "<Way", "Blocks", "Cycles", "c/B", "Less", "Ahead from", "Code", "Stack"),
        [[w.cipher, w.kernel, w.way, str(w.blocks), str(w.cycles), number(w.cpb),
          f"{number(w.less)} %" if w.way != "separately" else "", str(w.ahead_from), str(w.code_bytes),
          str(w.stack_bytes)] for w in rows],
    )  # fmt: skip


def _by_blocks(target: Target, rows: list) -> dict[str, tuple[str, str]]:
    """The plots of counter mode by the number of blocks that share what is computed once: for each cipher the name of its plot, the
    cipher, and the plot. Grey is the way of the published implementations."""
    found = {}
    for cipher in dict.fromkeys(w.cipher for w in rows):
        curves: dict[tuple, list] = {}
        for w in rows:
            if w.cipher == cipher:
                curves.setdefault((f"{w.kernel}, {w.way}", w.way != "apart"), []).append((w.blocks, w.cpb))
        found[f"{target.name}-ctr-{cipher.lower()}.svg"] = cipher, plot.by_length(
            [(*names, points) for names, points in curves.items()], f"{cipher} on {target.title}: counter mode by blocks",
            ["Key stream of one call. Grey: a whole block is encrypted to fill the cache, as the published implementations do."],
            "cycles per byte", "blocks of the call",
        )  # fmt: skip
    return found


def _generators(rows: list) -> str:
    return table(
        ("<Cipher", "<Kernel", "<Operation", "Bytes", "Cycles", "c/B", "No cache, cycles", "c/B", "Plain, cycles",
         "c/B", "Faster", "Published"),
        [[d.cipher, d.kernel, d.operation, str(d.bytes), str(d.cycles), number(d.cpb), str(d.no_cache_cycles),
          number(d.no_cache_cpb), str(d.plain_cycles), number(d.plain_cpb), f"{number(d.faster)} %",
          f"{number(d.published_faster)} %" if d.published_faster is not None else ""] for d in rows],
    )  # fmt: skip


def _others(rows: list[Published]) -> str:
    return table(
        ("<Row", "<Cipher", "EKS, c/B", "ENC, c/B", "DEC, c/B", "CTR, c/B", "Code", "RAM"),
        [[_cited(p), p.row.cipher, *map(number, (p.row.eks, p.row.enc, p.row.dec, p.row.ctr)),
          size(p.code("enc") or p.row.rom), size(p.ram("enc"))] for p in rows],
    )  # fmt: skip


def _scaled(book: Book, target: Target, rows: list[Published]) -> str:
    """Encryption of one block by operation count: all published rows of ciphers whose operations a paper counts, and our
    kernels of these. A cipher that has twice the operations of HIGHT may take twice the time."""
    speeds = {c["cipher"]: c["speed"] for paper in book.papers.values() for c in paper.form.operation_counts}
    theirs = [p for p in rows if p.row.cipher in speeds and p.row.enc and p.row.scenario == "one block"]
    if not any(p.row.enc_scaled for p in theirs):
        return ""
    ours = [f for cipher in speeds if cipher in OURS for f in book.of(target.name, cipher) if (f.operation, f.blocks) == ("enc", 1)]
    lines = [(_cited(p), p.row.cipher, p.row.enc, p.row.enc_scaled) for p in theirs]
    lines += [(f"`{f.kernel}`", f.cipher, f.cpb, None) for f in ours]
    lines = [(*line, line[2] * speeds["HIGHT"] / speeds[line[1]]) for line in lines]
    return table(
        ("<Row or kernel", "<Cipher", "Operations", "ENC, c/B", "ENC scaled, as printed", "ENC scaled, by the operations"),
        [[name, cipher, str(speeds[cipher]), number(enc), number(printed), number(scaled)]
         for name, cipher, enc, printed, scaled in sorted(lines, key=lambda line: line[4])],
    )  # fmt: skip


# ---- Hosts.


def unit(figures: Sequence[Figure]) -> str:
    """What a cycle is: core cycles, or ns on machines whose cycles cannot be counted."""
    return figures[0].counter.partition(":")[0]


def _host(book: Book, target: Target) -> Pages:
    figures = book.figures[target.name]
    shown, found = [], {}
    for cipher in OURS:
        mine = book.of(target.name, cipher)
        if not mine:
            continue
        plots = []
        for kind, shows, chart in (
            ("host", "cycles per byte against bytes of code", _host_size(cipher, mine)),
            ("host-length", "cycles per byte by message length", _host_length(book, cipher, mine)),
        ):
            name = f"{kind}-{cipher.lower()}.svg"
            if chart:
                plots.append({"file": name, "shows": shows})
                found[Path("plots") / name] = chart
        shown.append({"name": cipher, "plots": plots, "lines": _host_figures(mine)})
    lengths = []
    for note in dict.fromkeys(row.note for row in book.lengths):
        mine = [row for row in book.lengths if row.note == note]
        plots = _host_modes(mine, unit(figures))
        found |= {Path("plots") / name: chart for name, (_, chart) in plots.items()}
        lengths.append({"processor": note, "plots": {name: mode for name, (mode, _) in plots.items()}, "lines": _lengths(mine)})
    found[Path(f"{target.name}.md")] = filled(
        "host.md.j2", title=book.title(target.name), conditions=_conditions(target, figures), unit=unit(figures), ciphers=shown,
        kernels=_kernels(book, target), lengths=lengths, doors=doors.links(book), threads=book.teams, teams=_teams(book.teams) if book.teams else "",
        gateway=book.gateway, gateway_kernels=", ".join(f"`{k}`" for k in dict.fromkeys(row.kernel for row in book.gateway)), many=_many(book.gateway) if book.gateway else "",
    )  # fmt: skip
    return found


def _host_size(cipher: str, figures: list[Figure]) -> str:
    bulk = [f for f in figures if amount(f) == BULK]
    points = list(dict.fromkeys((f.kernel, f.code_bytes, f.cpb, True, False) for f in bulk if f.code_bytes))
    rules = list({f.peer: (f"{f.peer}: {f.peer_cpb:.1f}", f.peer_cpb) for f in bulk if f.peer}.values())
    if not points:
        return ""
    return plot.against_size(
        points, rules, f"{cipher} on the host, CTR of 16 KiB",
        [f"{figures[0].note}, one thread. Ours are coloured, other libraries are dashed lines."],
        f"{unit(figures)} per byte",
    )  # fmt: skip


def _host_length(book: Book, cipher: str, figures: list[Figure]) -> str:
    mine = [x for x in book.lengths if (x.cipher, x.mode) == (cipher, "ctr")]
    mine = [x for x in mine if x.note == mine[0].note]
    sides = dict.fromkeys((x.side, x.peer) for x in mine)
    curves = [(side, not peer, [(x.bytes, x.cpb) for x in mine if x.side == side]) for side, peer in sides]
    if not curves:
        return ""
    return plot.by_length(
        curves, f"{cipher} on the host, CTR by message length",
        [f"{mine[0].note}, one thread. Our fastest kernel is coloured, the fastest other library is grey."],
        f"{unit(figures)} per byte",
    )  # fmt: skip


def _host_modes(rows: list[Length], what: str) -> dict[str, tuple[str, str]]:
    """For each mode but CTR, which has plots of its own: the name of its plot, the mode, and the plot. The rows are of one
    processor, which the names of the plots tell."""
    found, processor = {}, "-".join(re.findall(r"\w+", rows[0].note.lower()))
    for mode in dict.fromkeys(row.mode for row in rows if row.mode != "ctr"):
        mine = [row for row in rows if row.mode == mode and row.cipher in ("LEA-128", "HIGHT", "ARIA-128")]
        curves = [
            (f"{cipher}, {side}", not peer, [(row.bytes, row.cpb) for row in mine if (row.cipher, row.side) == (cipher, side)])
            for cipher, side, peer in dict.fromkeys((row.cipher, row.side, row.peer) for row in mine)
        ]
        below = f"{rows[0].note}, one thread. Our kernels are coloured, the fastest other libraries are grey."
        found[f"host-{mode}-{processor}.svg"] = mode.upper(), plot.by_length(curves, f"{mode.upper()} by message length", [below], f"{what} per byte")
    return found


def _host_figures(figures: list[Figure]) -> str:
    names = peers(figures)
    rows = []
    for f, others in host_lines(figures):
        cells = []
        for name in names:
            other = others.get(name)
            cells += [number(other.peer_cpb, 2), ratio(other.ratio)] if other else ["", ""]
        rows.append([f.kernel, amount(f), number(f.cpb, 2), size(f.code_bytes), *cells])
    columns = [column for name in names for column in (f"{name}, c/B", "Ratio")]
    return table(("<Kernel", "<Operation", "c/B", "Code", *columns), rows)


def _lengths(rows: list[Length]) -> str:
    """Cycles per byte by message length: medians, with the quartiles where they were measured."""

    def cell(row: Length | None) -> str:
        if row is None:
            return ""
        spread = f" ({number(row.lower_cpb, 2)} to {number(row.upper_cpb, 2)})" if row.lower_cpb else ""
        return number(row.cpb, 2) + spread

    lines = []
    for cipher, mode, side in dict.fromkeys((row.cipher, row.mode, row.side) for row in rows):
        mine = {row.bytes: row for row in rows if (row.cipher, row.mode, row.side) == (cipher, mode, side)}
        lines.append([cipher, mode.upper(), side, *(cell(mine.get(n)) for n in LENGTHS)])
    return table(("<Cipher", "<Mode", "<Side", *map(length, LENGTHS)), lines) if lines else ""


def _many(rows: list) -> str:
    """A line for each cipher, kernel, mode and length, a column for each number of messages."""
    numbers = sorted({row.jobs for row in rows})
    lines: dict[tuple, dict[int, str]] = {}
    for row in rows:
        line = lines.setdefault((row.cipher, row.kernel, row.mode.upper(), row.bytes), {})
        line[row.jobs] = f"{row.ns:.0f} ({ratio(row.times)})"
    cells = [
        [cipher, f"`{kernel}`", mode, length(size), *(line.get(n, "") for n in numbers)] for (cipher, kernel, mode, size), line in lines.items()
    ]  # fmt: skip
    return table(("<Cipher", "<Kernel", "<Mode", "Message", *(f"{n} in a call" for n in numbers)), cells)


def _teams(rows: list) -> str:
    return table(
        ("<Cipher", "Threads", "MB/s", "Speed-up", "Share of copying"),
        [[t.cipher, str(t.threads), f"{t.mb_per_s:.0f}", f"{t.speedup:.2f}", f"{100 * t.of_memory:.0f} %"]
         for t in rows],
    )  # fmt: skip


# ---- FELICS.


def _felics(book: Book) -> Pages:
    shown, plots = [], {}
    for number, title in ((1, "CBC of 128 bytes"), (2, "counter mode of 16 bytes")):
        ranks = [row for row in book.triathlon if row.scenario == number]
        file = f"felics-{number}.svg"
        plots[Path("plots") / file] = plot.ranked(
            [(_ranked(row), row.two_devices, row.side == OURS_SIDE) for row in ranks],
            f"FELICS, scenario {number}: {title}",
            ["Ours are coloured, published ones grey. Smaller is better."],
            "figure of merit, mean over AVR and MSP430",
        )  # fmt: skip
        kernels = {
            book.targets[name].title: _scenario([r for r in book.scenarios if (r.scenario, r.target) == (number, name)])
            for name in dict.fromkeys(row.target for row in book.scenarios)
        }
        shown.append({"number": number, "plot": file, "ranks": _triathlon(ranks, _waiting(book, number)), "kernels": kernels})
    arm = _on_arm(book.published_on_arm)
    hight = {row.wrapper: row.fom for row in book.triathlon if (row.scenario, row.cipher, row.side) == (2, "HIGHT", OURS_SIDE)}
    text = filled("felics.md.j2", scenarios=shown, target=felics.TARGET.name, arm=arm, hight=hight, least=felics.least(2, "armv7m"))
    return {Path("felics.md"): text} | plots


def _on_arm(rows: list[felics_arm.ArmRow]) -> str:
    """Published implementations on both scales."""
    return table(
        ("<Cipher", "Scenario", "Version", "<Options", "EKS", "ENC", "DEC", "Cycles in our model", "Cycles as published", "Published / model"),
        [[f"{r.cipher}-{r.block_bits}/{r.key_bits}", str(r.scenario), r.version, r.options,
          *(str(c) if c else "" for c in (r.eks_cycles, r.enc_cycles, r.dec_cycles)), str(r.cycles), str(r.published_cycles),
          f"{r.ratio:.2f}"] for r in rows],
    )  # fmt: skip


def _ranked(row: felics.Rank) -> str:
    return f"{row.cipher}, Haechi, in {row.wrapper}" if row.side == OURS_SIDE else row.cipher


def _waiting(book: Book, scenario: int) -> dict[tuple[str, str], str]:
    """What the mean of three devices would be if our cycles on Arm waited for flash as published code does, by cipher and
    wrapper: with the least and with the greatest of the measured ratios."""
    ratios = [row.ratio for row in book.published_on_arm if row.scenario == scenario]
    found = {}
    for row in book.triathlon if ratios else ():
        kernel = row.kernels.rpartition(", ")[2]
        mine = [r for r in book.scenarios if (r.scenario, r.target, r.kernel, r.wrapper) == (scenario, "armv7m", kernel, row.wrapper)]
        if row.scenario == scenario and row.side == OURS_SIDE and mine:
            more = [row.fom + mine[0].cycles_ratio * (factor - 1) / len(felics.DEVICES) for factor in (min(ratios), max(ratios))]
            found[row.cipher, row.wrapper] = f"{more[0]:.2f} to {more[1]:.2f}"
    return found


def _triathlon(rows: list[felics.Rank], waiting: dict[tuple[str, str], str]) -> str:
    """All ciphers. Ours have no place among the published ones, but a rank beside each of them."""
    place = lambda value, rank: f"{value:.2f} ({rank})"  # noqa: E731
    heads = ["<Cipher", "<Side", "<Wrapper", "AVR and MSP430 (rank)", "AVR (rank)", "MSP430 (rank)", "Arm", "Mean of three",
             "Mean if Arm waited", "<Kernels"]  # fmt: skip
    lines = []
    for r in rows:
        estimate = waiting.get((r.cipher, r.wrapper), "") if r.side == OURS_SIDE else f"{r.fom:.2f}"
        lines.append([
            r.cipher, r.side, r.wrapper, place(r.two_devices, r.two_devices_rank), place(r.avr, r.avr_rank),
            place(r.msp430, r.msp430_rank), f"{r.armv7m:.2f}", f"{r.fom:.2f}", estimate, r.kernels,
        ])  # fmt: skip
    return table(heads, lines)


def _scenario(rows: list[felics.FelicsRow]) -> str:
    lines = []
    for cipher in dict.fromkeys(r.cipher for r in rows):
        for r in sorted((r for r in rows if r.cipher == cipher), key=lambda r: r.fom):
            cycles = [r.eks_cycles, r.enc_cycles, r.dks_cycles, r.dec_cycles]
            lines.append([
                r.cipher, f"`{r.kernel}`", r.wrapper, f"{r.code_bytes} ({r.linked_code_bytes})",
                str(r.ram_data_bytes), str(r.stack_bytes), *(str(c) if c else "" for c in cycles), str(r.cycles),
                f"{r.code_ratio:.2f}", f"{r.ram_ratio:.2f}", f"{r.cycles_ratio:.2f}", f"{r.fom:.2f}", r.compiler,
            ])  # fmt: skip
    return table(
        ("<Cipher", "<Kernel", "<Wrapper", "Code (linked)", "RAM data", "Stack", "EKS", "ENC", "DKS", "DEC", "Cycles",
         "Code / least", "RAM / least", "Cycles / least", "Figure of merit", "<Compiler"),
        lines,
    )  # fmt: skip
