# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in hardware: results/rtl.csv."""

import csv

import msgspec

from bench.declared.cores import CORES, Core
from bench.declared.model import ROOT, MissingTool
from bench.made.liberty import Library, libraries
from bench.made.synth import synthesise, version
from bench.measured import rtl as measure
from bench.measured.kernels import Progress

RESULTS = ROOT / "results"
LARGE = ("pipe_enc",)  # mapped in the libraries of NEAREST alone
NEAREST = ("osu018", "nangate45")  # to those of the published cores


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
