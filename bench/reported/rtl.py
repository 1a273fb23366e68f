# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in hardware: results/rtl.csv, results/rtl.md and two plots, with the published cores beside."""

import csv

import msgspec

from bench.declared.cores import CORES, Core
from bench.declared.model import ROOT, MissingTool, Paper
from bench.made.liberty import Library, libraries
from bench.made.synth import synthesise, version
from bench.measured import rtl as measure
from bench.measured.kernels import Progress
from bench.reported import plot, tables

RESULTS = ROOT / "results"
LARGE = ("pipe_enc",)  # mapped in the libraries of NEAREST alone
ALONE = ("latch_enc", "pipe_enc")  # nothing like them is published
# The libraries nearest to those of the published cores, and the fields of papers/*.toml.
NEAREST = {"osu018": ("area_250nm", "power_250nm", "area_350nm"), "nangate45": ("area_65nm", "power_65nm")}


class Row(msgspec.Struct):
    """One line of results/rtl.csv: a core in a library, or in an FPGA."""

    core: str
    mode: str
    datapath_bits: int
    library: str
    area_ge: float | None
    flipflops: int | None
    latency_cycles: int
    energy_per_block_pj: float | None
    fmax_mhz: float
    tool: str
    note: str
    cells: int
    latches: int | None
    period_cycles: int
    energy_per_cycle_pj: float | None

    @property
    def mbit(self) -> float:
        """A second, blocks back to back."""
        return 64 / self.period_cycles * self.fmax_mhz


def _row(core: Core, library: Library) -> Row:
    netlist = synthesise(core.top, {**core.parameters, "STALL": 0}, library)
    cycle, block = measure.energy(core, netlist, library)
    note = "replica of the published one" if core.name == "replica_enc" else ""
    return Row(
        core=core.name, mode="both" if core.both else "enc", datapath_bits=core.bits, library=library.name,
        area_ge=netlist.area, flipflops=netlist.flipflops, latency_cycles=core.cycles,
        energy_per_block_pj=round(block, 1), fmax_mhz=round(measure.fmax(core, netlist, library), 1),
        tool=f"{version('yosys')}, abc {netlist.script}", note=note, cells=netlist.cells,
        latches=netlist.latches, period_cycles=core.period or core.cycles,
        energy_per_cycle_pj=round(cycle, 3),
    )  # fmt: skip


def _fpga(core: Core) -> Row:
    cells, clock = measure.ice40(core)
    return Row(
        core=core.name, mode="both" if core.both else "enc", datapath_bits=core.bits, library="ice40", area_ge=None,
        flipflops=None, latency_cycles=core.cycles, energy_per_block_pj=None, fmax_mhz=round(clock, 1),
        tool=f"{version('yosys')}, {version('nextpnr-ice40')}", note="logic cells", cells=cells, latches=None,
        period_cycles=core.period or core.cycles, energy_per_cycle_pj=None,
    )  # fmt: skip


def run(progress: Progress) -> list[str]:
    """Measures every core; writes results/rtl.csv; answers what was left out."""
    measure.need("yosys", "yosys")
    here = [library for library in libraries() if library.path()]
    left = [
        f"{library.title}: {'install ' + library.package if library.package else library.liberty + ' in HAECHI_LIBERTY'}"
        "; its rows stay"
        for library in libraries() if not library.path()
    ]  # fmt: skip
    rows = []
    for n, core in enumerate(CORES.values()):
        for library in here:
            if core.name not in LARGE or library.name in NEAREST:
                progress(n, len(CORES), f"{core.name} in {library.title}")
                rows.append(_row(core, library))
        if core.name in LARGE:
            continue
        try:
            rows.append(_fpga(core))
        except MissingTool as missing:
            left.append(f"iCE40: {missing}")
    kept = [row for row in read() if row.library not in {r.library for r in rows}]
    places = [*CORES, *(library.name for library in libraries()), "ice40"]
    with (RESULTS / "rtl.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(Row.__struct_fields__)
        for row in sorted(rows + kept, key=lambda r: (places.index(r.core), places.index(r.library))):
            out.writerow(["" if v is None else v for v in msgspec.structs.astuple(row)])
    return left


def read() -> list[Row]:
    path = RESULTS / "rtl.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        lines = [{k: v or None for k, v in line.items()} for line in csv.DictReader(file)]
    return [msgspec.convert({**line, "note": line["note"] or ""}, Row, strict=False) for line in lines]


def published(papers: dict[str, Paper]) -> list[dict]:
    """The published cores, with the paper's key."""
    return [{**row, "paper": key} for key, paper in sorted(papers.items(), reverse=True) for row in paper.form.hardware]


def beside(row: Row, cores: list[dict]) -> list[tuple[dict, float, float | None]]:
    """Published cores of a row's mode and width: core, area, power as printed."""
    found = []
    mode = {"both": "encdec", "enc": "enc"}[row.mode]
    for core in cores:
        if core["mode"] == mode and core["datapath_bits"] == row.datapath_bits and row.library in NEAREST:
            fields = NEAREST[row.library]
            area = next((core[f] for f in fields if f.startswith("area") and f in core), None)
            power = next((core[f] for f in fields if f.startswith("power") and f in core), None)
            if area:
                found.append((core, area, power))
    return found


def summary(papers: dict[str, Paper]) -> list[dict]:
    """A line for each core: its area in the two libraries of NEAREST, its clocks, the published core beside it."""
    areas = {(row.core, row.library): row for row in read()}
    blank = dict.fromkeys(("paper", "id", "area_250nm", "area_65nm", "latency"), "")
    lines = []
    for name in dict.fromkeys(core for core, _ in areas):
        ours = {library: areas.get((name, library)) for library in NEAREST}
        row = ours["osu018"] or ours["nangate45"]
        if row is None:
            continue
        near = beside(row, published(papers)) if name not in ALONE else []
        lines.append({
            "core": name, "clocks": row.period_cycles, "near": near[0][0] if near else blank,
            **{library: found and found.area_ge for library, found in ours.items()},
        })  # fmt: skip
    return lines


def pages(papers: dict[str, Paper]) -> list[str]:
    """results/rtl.md and the plots, from results/rtl.csv; answers what changed."""
    rows, cores = read(), published(papers)
    if not rows:
        return []
    changed = []
    titles = {library.name: library.title for library in libraries()} | {"ice40": "iCE40 HX8K"}
    shown = []
    for library in dict.fromkeys(row.library for row in rows):
        lines = []
        for row in (r for r in rows if r.library == library):
            near = [] if row.core in ALONE else beside(row, cores)
            lines.append({"row": row, "near": near[0] if near else None})
        shown.append({"title": titles[library], "fpga": library == "ice40", "lines": lines})
    sources = [f"{x.title}: {x.source}" for x in libraries() if x.source]
    text = tables.render("rtl.md.j2", libraries=shown, sources=sources, published=cores)
    path = RESULTS / "rtl.md"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        changed.append("results/rtl.md")
    mine = [r for r in rows if r.library == "osu018" and r.core != "pipe_enc"]
    area = [(r.core, r.period_cycles, r.area_ge, r.core != "replica_enc", False) for r in mine]
    area += [
        (f"{c['paper']} {c['mode']} {c['datapath_bits']}", c["latency"], a, False, False)
        for c in cores for a in [c.get("area_250nm") or c.get("area_350nm")] if a
    ]  # fmt: skip
    energy = [(r.core, r.period_cycles, r.energy_per_block_pj, r.core != "replica_enc", False) for r in mine]
    energy += [
        (f"{c['paper']} {c['mode']} {c['datapath_bits']}", c["latency"], c["power_250nm"] * c["latency"] / 80,
         False, True)
        for c in cores if "power_250nm" in c
    ]  # fmt: skip
    charts = {
        "rtl-area.svg": plot.against_size(
            area, [], "HIGHT cores: area",
            ["ours in OSU 0.18 um, coloured; published in 250 and 350 nm and their replica, grey"],
            "gate equivalents", "clocks a block",
        ),
        "rtl-energy.svg": plot.against_size(
            energy, [], "HIGHT cores: energy of a block",
            ["ours in OSU 0.18 um, coloured; published hollow: the printed power at the printed 80 MHz, in pJ,",
             "which is far below what any 250 nm flip-flop takes: see the remark in rtl.md"],
            "pJ a block", "clocks a block",
        ),
    }  # fmt: skip
    drawn = sum(plot.draw(chart, RESULTS / "plots" / name) for name, chart in charts.items())
    return changed + ([f"{drawn} plots of the cores"] if drawn else [])


