# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in hardware, from results/rtl.csv, beside the published cores of papers/*.toml."""

from pathlib import Path

import msgspec

from bench.declared.cores import CORES
from bench.declared.model import Paper
from bench.made.liberty import libraries
from bench.measured.fpga import FPGAS, ICE40
from bench.measured.rtl import ALWAYS, IN_HARDWARE, WIDE, Row
from bench.measured.measurement import RESULTS, read_rows
from bench.reported import plot
from bench.reported.cells import number, ratio, size, table

ALONE = ("latch_enc", "pipe_enc", "lea_latch")  # nothing like them is published
# The libraries nearest to those of the published cores, and the fields of papers/*.toml.
NEAREST = {
    "osu018": ("area_250nm", "power_250nm", "area_350nm", "area_130nm"),
    "nangate45": ("area_65nm", "power_65nm"),
}
STEPS = {
    "replica_enc": "the same architecture in our library with newer tools",
    "plain_enc_1": "two lanes behind the same port, no register for F, control in Johnson counters",
    "serial_enc_1": "a port of two lanes",
    "latch_enc": "the key in latches",
}


class Proved(msgspec.Struct, frozen=True, order=True):
    """A line of results/rtl-proofs.csv: in this direction the core was proved for all keys and blocks."""

    core: str
    cipher: str
    operation: str
    code: str  # digest of the Verilog


PROVED = RESULTS / "rtl-proofs.csv"


def published(papers: dict[str, Paper]) -> list[dict]:
    """The published cores, with the paper's key."""
    return [{**row, "paper": key} for key, paper in sorted(papers.items(), reverse=True) for row in paper.form.hardware]


def beside(row: Row, papers: dict[str, Paper]) -> tuple[dict, float, float | None] | None:
    """The first published core of a row's mode and width: core, area, power as printed."""
    mode = {"both": "encdec", "enc": "enc"}[row.mode]
    if row.core in ALONE or row.library not in NEAREST:
        return None
    for core in published(papers):
        if (core["cipher"], core["mode"], core["datapath_bits"]) == (row.cipher, mode, row.datapath_bits):
            fields = NEAREST[row.library]
            area = next((core[f] for f in fields if f.startswith("area") and f in core), None)
            power = next((core[f] for f in fields if f.startswith("power") and f in core), None)
            if area:
                return core, area, power
    return None


def gained(rows: list[Row]) -> dict[tuple[str, str], tuple[float, float]]:
    """By core and library: the area, and area times clocks from block to block, of the replica of a published core
    divided by ours. Both are mapped to the same library, and have the same port and function."""
    found = {(row.core, row.library): row for row in rows if row.area_ge}
    ratios = {}
    for (name, library), row in found.items():
        old = found.get((CORES[name].like, library)) if name in CORES else None
        if old:
            ratios[name, library] = old.area_ge / row.area_ge, product(old) / product(row)
    return ratios


def product(row: Row) -> float:
    """Area times clocks from block to block, in thousands of gate equivalents times clocks."""
    return row.area_ge * row.period_cycles / 1000


def summary(papers: dict[str, Paper]) -> str:
    """A line for each core: its area in the two libraries of NEAREST, its clocks, the published core beside it."""
    found = {(row.core, row.library): row for row in IN_HARDWARE.read("rtl")}
    proved = {(proof.core, proof.operation) for proof in read_rows(PROVED, Proved)}
    lines = []
    for name in dict.fromkeys(core for core, _ in found):
        old, new = (found.get((name, library)) for library in NEAREST)
        row = old or new
        if row is None:
            continue
        near = beside(row, papers)
        core = near[0] if near else {}
        cited = _cited(core) if core else ""
        lines.append([
            f"`{name}`", row.cipher, _module(name), number(old and old.area_ge), number(new and new.area_ge), _clocks(row),
            number(product(row), 0), ", ".join(way for way in ("enc", "dec") if (name, way) in proved), cited,
            *(str(core.get(field, "")) for field in ("area_250nm", "area_130nm", "area_65nm", "latency")),
        ])  # fmt: skip
    return table(
        ("<Core", "<Cipher", "<Module and parameters", "GE in OSU 0.18 µm", "GE in Nangate 45 nm", "Clocks for a block (from block to block)",
         "Thousands of GE × clocks from block to block, OSU 0.18 µm", "<Proved", "<Published core", "GE in 250 nm", "GE in 130 nm",
         "GE in 65 nm", "Clocks for a block"),
        lines,
    ) if lines else ""  # fmt: skip


def steps(papers: dict[str, Paper]) -> list[tuple[str, float, float, int]]:
    """From the published bit-serial core to ours: the name, the area in the two libraries of NEAREST and the clocks
    from block to block; none where a core was not measured."""
    found = {(row.core, row.library): row for row in IN_HARDWARE.read("rtl")}
    rows = {name: [found.get((name, library)) for library in NEAREST] for name in STEPS}
    if not all(all(both) for both in rows.values()):
        return []
    core = beside(rows["replica_enc"][0], papers)[0]
    first = (f"published, {core['paper']}/{core['id']}", core["area_250nm"], core["area_65nm"], core["latency"])
    return [first, *((f"`{n}`: {STEPS[n]}", a.area_ge, b.area_ge, a.period_cycles) for n, (a, b) in rows.items())]


def chosen() -> str:
    """The core of each cipher that is first in what counts, in the first library of NEAREST. A replica is no choice."""
    rows = [row for row in IN_HARDWARE.read("rtl") if row.library == [*NEAREST][0] and not row.note]
    ciphers = list(dict.fromkeys(row.cipher for row in rows))
    counts = {
        "smallest area": (lambda row: row.area_ge, lambda row: True),
        "smallest area without latches": (lambda row: row.area_ge, lambda row: not row.latches),
        "smallest area with both directions": (lambda row: row.area_ge, lambda row: row.mode == "both"),
        "smallest area × clocks": (product, lambda row: True),
        "smallest area × clocks, with both directions": (product, lambda row: row.mode == "both"),
        "least energy for a block": (lambda row: row.energy_per_cycle_pj * row.period_cycles, lambda row: True),
    }
    lines = []
    for what, (figure, counted) in counts.items():
        best = [min((r for r in rows if r.cipher == cipher and counted(r)), key=figure, default=None) for cipher in ciphers]
        lines.append([what, *(f"`{row.core}`" if row else "none" for row in best)])
    return table(("<What counts", *(f"<{cipher}" for cipher in ciphers)), lines) if lines else ""


def decryption() -> str:
    """What decryption adds to the area of a serial core of HIGHT in the two libraries of NEAREST: the least and the most
    GE."""
    more = [more for (core, library), more in _added().items() if core.startswith("serial_") and library in NEAREST]
    return f"{min(more):.0f} to {max(more):.0f}" if more else ""


def lea_decryption() -> str:
    """What decryption adds to the areas of LEA's cores in the first library of NEAREST, a line for each D."""
    found = {
        (CORES[core].cipher, CORES[core].parameters["D"]): more
        for (core, library), more in _added().items() if core.startswith("lea") and library == [*NEAREST][0]
    }  # fmt: skip
    ciphers, digits = list(dict.fromkeys(c for c, _ in found)), sorted({d for _, d in found})
    lines = [[f"`D` = {d}", *(number(found.get((cipher, d))) for cipher in ciphers)] for d in digits]
    return table(("<Bits a clock of each word", *(f"{cipher}, GE" for cipher in ciphers)), lines) if lines else ""


def _added() -> dict[tuple[str, str], float]:
    """By core and library: by how many GE a core with both directions is larger than the one that only encrypts."""
    found = {(row.core, row.library): row.area_ge for row in IN_HARDWARE.read("rtl") if row.area_ge}
    return {
        (core, library): area - found[core.replace("both", "enc"), library]
        for (core, library), area in found.items() if "_both" in core and (core.replace("both", "enc"), library) in found
    }  # fmt: skip


def _cited(core: dict) -> str:
    """The name of a published core, with a link to its paper from rtl/ or results/."""
    return f"[{core['paper']}/{core['id']}](../papers/{core['paper']}.toml)"


def _module(name: str) -> str:
    """The top module of a core and its parameters."""
    core = CORES[name]
    return ", ".join([f"`{core.top}`", *(f"`{parameter}` = {value}" for parameter, value in core.parameters.items())])


def _clocks(row: Row) -> str:
    """Clocks of a block, and in parentheses from block to block where that differs; those of decryption where they
    differ."""
    apart = row.period_cycles != row.latency_cycles
    say = lambda more: f"{row.latency_cycles + more}" + (f" ({row.period_cycles + more})" if apart else "")  # noqa: E731
    undo = CORES[row.core].undo if row.core in CORES else 0
    return say(0) + (f", decryption {say(undo)}" if undo else "")


def _mapped(rows: list[Row], papers: dict[str, Paper]) -> str:
    lines, better = [], gained(rows)
    for r in rows:
        core, area, power = beside(r, papers) or ({}, "", "")
        ratios = better.get((r.core, r.library))
        lines.append([
            r.core, r.cipher, number(r.area_ge), str(r.cells), size(r.flipflops), size(r.latches or None), _clocks(r),
            number(product(r), 0), *(map(ratio, ratios) if ratios else ("", "")), number(r.energy_per_cycle_pj, 2),
            number(r.energy_per_block_pj, 0), number(r.fmax_mhz), number(r.closed_area_ge), size(r.clock_buffers),
            size(r.fanout_buffers), size(r.hold_buffers), number(r.mbit), number(r.mbit and 1000 * r.mbit / r.area_ge), _cited(core) if core else "",
            str(area), str(core.get("latency", "")), str(power or ""),
        ])  # fmt: skip
    return table(
        ("<Core", "<Cipher", "GE", "Cells", "Flip-flops", "Latches", "Clocks", "Thousands of GE × clocks",
         "Area of the replica / ours", "GE × clocks of the replica / ours", "pJ for a clock", "pJ for a block", "Fmax, MHz",
         "GE with buffers", "Clock buffers", "Fan-out buffers", "Hold buffers", "Mbit/s", "kbit/s for a GE", "<Published", "GE", "Clocks",
         "uW as printed"),
        lines,
    )  # fmt: skip


def _fpga(rows: list[Row], placed: bool) -> str:
    """The table of an FPGA, with the figures of place-and-route where there are any."""
    lines = [
        [r.core, r.cipher, size(r.luts), size(r.flipflops), _clocks(r), *((str(r.cells), number(r.fmax_mhz)) if placed else ())]
        for r in rows
    ]
    return table(
        ("<Core", "<Cipher", "LUTs", "Flip-flops", "Clocks", *(("Logic cells", "Fmax, MHz") if placed else ())), lines
    )


def _printed(papers: dict[str, Paper]) -> str:
    fields = ("area_350nm", "area_250nm", "area_180nm", "area_130nm", "area_65nm", "latency", "power_250nm", "power_65nm", "power_350nm_at_100kHz")
    lines = [
        [_cited(p), p["cipher"], p["mode"], str(p["datapath_bits"]), *(str(p.get(field, "")) for field in fields)]
        for p in published(papers)
    ]
    return table(
        ("<Core", "<Cipher", "<Mode", "Bits a clock", "GE in 350 nm", "GE in 250 nm", "GE in 180 nm", "GE in 130 nm", "GE in 65 nm", "Clocks",
         "uW in 250 nm at 80 MHz", "uW in 65 nm at 80 MHz", "uW in 350 nm at 100 kHz"),
        lines,
    )  # fmt: skip


def page(papers: dict[str, Paper]) -> dict:
    """What the template rtl.md.j2 is filled with; nothing where there are no results."""
    rows = IN_HARDWARE.read("rtl")
    titles = {library.name: library.title for library in libraries()} | {fpga.name: fpga.title for fpga in FPGAS.values()}
    shown = []
    for library in dict.fromkeys(row.library for row in rows):
        mine = [row for row in rows if row.library == library]
        fpga, placed = library in FPGAS, library == ICE40.name
        lines = _fpga(mine, placed) if fpga else _mapped(mine, papers)
        shown.append({"title": titles[library], "fpga": library if fpga else "", "lines": lines})
    sources = [f"{x.title}: {x.source}" for x in libraries() if x.source]
    return {
        "libraries": shown, "sources": sources, "ciphers": list(dict.fromkeys(row.cipher for row in rows)),
        "published": _printed(papers), "wide": ", ".join(f"`{core}`" for core in WIDE),
        "always": ", ".join(f"`{core}`" for core in ALWAYS),
        "clock_pj": {row.core: number(row.energy_per_cycle_pj) for row in rows if row.library == "osu018"},
    } if rows else {}  # fmt: skip


def plots(papers: dict[str, Paper]) -> dict[Path, str]:
    """Area and energy against clocks for each cipher, by file name."""
    rows = [r for r in IN_HARDWARE.read("rtl") if r.library == "osu018" and r.core != "pipe_enc"]
    drawn = {}
    for cipher in dict.fromkeys(row.cipher for row in rows):
        mine = [row for row in rows if row.cipher == cipher]
        cores = [core for core in published(papers) if core["cipher"] == cipher and "latency" in core]
        area = [(r.core, r.period_cycles, r.area_ge, r.core != "replica_enc", False) for r in mine]
        area += [
            (f"{c['paper']} {c['mode']} {c['datapath_bits']}", c["latency"], a, False, False)
            for c in cores for a in [c.get("area_250nm") or c.get("area_350nm")] if a
        ]  # fmt: skip
        energy = [(r.core, r.period_cycles, r.energy_per_block_pj, r.core != "replica_enc", False) for r in mine]
        powers = [c for c in cores if "power_250nm" in c]
        energy += [
            (f"{c['paper']} {c['mode']} {c['datapath_bits']}", c["latency"],
             1000 * c["power_250nm"] * c["latency"] / 80, False, True)
            for c in powers
        ]  # fmt: skip
        others = ["Published cores, in 250 and 350 nm, and our replica of one are grey."] if cores else []
        printed = ["Hollow: the published power, read in mW at 80 MHz, in pJ (see rtl.md)."] if powers else []
        drawn |= {
            Path(f"rtl-{cipher.lower()}-area.svg"): plot.against_size(
                area, [], f"{cipher} cores: area", ["Ours, in OSU 0.18 µm, are coloured.", *others],
                "gate equivalents", "clocks for a block",
            ),
            Path(f"rtl-{cipher.lower()}-energy.svg"): plot.against_size(
                energy, [], f"{cipher} cores: energy of a block", ["Ours, in OSU 0.18 µm, are coloured.", *printed],
                "pJ for a block", "clocks for a block",
            ),
        }  # fmt: skip
    return drawn
