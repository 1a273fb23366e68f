# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in hardware: the rows of results/rtl.csv."""

import inspect
import shutil
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bench.declared.cores import CORES, Core, bench
from bench.declared.model import Need, Target
from bench.made import build, liberty, synth
from bench.made.cache import digest, kept, once
from bench.made.liberty import Library, libraries, like
from bench.made.synth import synthesise, version
from bench.measured import fpga as fpgas, gates, timing
from bench.measured.fpga import FPGAS, ICE40, Fpga, mapped, placed
from bench.measured.measurement import Measurement

ALWAYS = ("latch_enc",)  # measured by every report: it has latches, gated clocks and buffers of each kind
PINS = 206  # of an iCE40 HX8K in the package ct256
WIDE = tuple(c.name for c in CORES.values() if c.key_width + c.late + 2 * c.data_width + 6 > PINS)  # have more ports


class Row(msgspec.Struct):
    """A core in a library, or in an FPGA."""

    core: str
    cipher: str
    mode: str
    datapath_bits: int
    library: str
    area_ge: float | None
    flipflops: int | None
    latency_cycles: int
    energy_per_block_pj: float | None
    fmax_mhz: float | None
    tool: str
    note: str
    cells: int
    latches: int | None
    period_cycles: int
    energy_per_cycle_pj: float | None
    closed_area_ge: float | None
    clock_buffers: int | None
    fanout_buffers: int | None
    hold_buffers: int | None
    luts: int | None  # of an FPGA
    made_of: str  # the digest of made_of()

    @property
    def mbit(self) -> float | None:
        """Mbit/s where blocks follow one another without a pause."""
        return self.fmax_mhz and CORES[self.core].block_bits / self.period_cycles * self.fmax_mhz


@once
def _with(library: Library) -> str:
    """A digest of all but the core that decides about figures in this library: its cells, the modules that map, simulate and
    time a core, and the versions of their tools."""
    modules = [Path(module.__file__) for module in (synth, liberty, gates, timing)]
    tools = [version(tool) for tool in ("yosys", "iverilog", "sta")]
    return digest(repr(library), liberty.content(library), *modules, gates.LANE, inspect.getsource(bench), *tools)


def made_of(core: Core, where: Library | Fpga) -> str:
    """A digest of all that decides about the figures of a core in a library or in an FPGA, from its Verilog to the versions
    of the tools."""
    if isinstance(where, Fpga):
        return fpgas.state(core, where)
    return digest(repr(core), *fpgas.files(core), _with(where))


@kept
def in_cells(core: Core, library: Library) -> Row:
    netlist = synthesise(core.family, core.top, {**core.parameters, "STALL": 0}, like(library))
    cycle, block = gates.energy(core, netlist, library)
    timed = timing.closed(core, netlist, library)
    return Row(
        **_declared(core), core=core.name, library=library.name, area_ge=netlist.area, flipflops=netlist.flipflops,
        energy_per_block_pj=round(block, 1), fmax_mhz=timed.mhz, tool=f"{version('yosys')}, abc {netlist.script}",
        note=core.note, cells=netlist.cells, latches=netlist.latches, energy_per_cycle_pj=round(cycle, 3),
        closed_area_ge=timed.area, clock_buffers=timed.clock_buffers, fanout_buffers=timed.fanout_buffers,
        hold_buffers=timed.hold_buffers, luts=None, made_of=made_of(core, library),
    )  # fmt: skip


@kept
def in_fpga(core: Core, fpga: Fpga) -> Row:
    used, tool, cells, mhz = mapped(core, fpga), version("yosys"), None, None
    if fpga == ICE40:
        cells, mhz = placed(core)
        tool += f", {version('nextpnr-ice40')}"
    return Row(
        **_declared(core), core=core.name, library=fpga.name, area_ge=None, flipflops=used.flipflops,
        energy_per_block_pj=None, fmax_mhz=mhz and round(mhz, 1), tool=tool, note=fpga.note, cells=cells or used.cells,
        latches=None, energy_per_cycle_pj=None, closed_area_ge=None, clock_buffers=None, fanout_buffers=None,
        hold_buffers=None, luts=used.luts, made_of=made_of(core, fpga),
    )  # fmt: skip


# The cores need no target's compiler; their target only says what must be installed.
TARGET = Target(
    name="rtl", title="LEA, HIGHT and ARIA in hardware", chip="", machine="rtl", compiler="", flags=[], counter="", packages=[],
    needs=[Need(command=command, package=package) for command, package in
           (("yosys", "yosys"), ("iverilog", "iverilog"), ("sta", "opensta"))],
)  # fmt: skip


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Core, list[Library | Fpga]]]:
    """Each core in each library that this machine has, and in each FPGA. Libraries that are alike are one part, because they
    share the netlist and its simulation."""
    build.check(target)
    alike: dict[str, list[Library | Fpga]] = {}
    for library in libraries():
        if library.path():
            alike.setdefault(like(library).title, []).append(library)
    alike |= {fpga.title: [fpga] for fpga in FPGAS.values() if fpga != ICE40 or shutil.which("nextpnr-ice40")}
    return {
        f"{core.name} in {title}": (core, where)
        for title, where in alike.items() for core in CORES.values()
        if core.family in ciphers and (where != [ICE40] or core.name not in WIDE)
    }  # fmt: skip


def rows(target: Target, part: tuple[Core, list[Library | Fpga]]) -> list[Row]:
    # To measure every core takes most of an hour. A row that is of the present state is therefore not measured again.
    core, places = part
    known = {(row.core, row.library, row.made_of): row for row in IN_HARDWARE.read(target.name)}
    found = []
    for where in places:
        row = known.get((core.name, where.name, made_of(core, where)))
        if row and core.name not in ALWAYS:
            found.append(replace(row, **_declared(core)))
        else:
            found.append(in_fpga(core, where) if isinstance(where, Fpga) else in_cells(core, where))
    return found


def _declared(core: Core) -> dict:
    """The columns of a row that come from the core's declaration."""
    return {
        "cipher": core.cipher, "mode": "both" if core.both else "enc", "datapath_bits": core.bits,
        "latency_cycles": core.cycles, "period_cycles": core.period or core.cycles,
    }  # fmt: skip


def lacks(target: Target) -> list[str]:
    missing = [
        f"{x.title}: {f'install {x.package}' if x.package else f'{x.liberty} in HAECHI_LIBERTY'}; its rows stay"
        for x in libraries() if not x.path()
    ]  # fmt: skip
    return missing + ([] if shutil.which("nextpnr-ice40") else ["iCE40: install nextpnr-ice40; its rows stay"])


IN_HARDWARE = Measurement(
    name="", row=Row, machines=("rtl",), parts=parts, rows=rows, lacks=lacks, scope=("library", "cipher"),
    order={"core": list(CORES), "library": [*(library.name for library in libraries()), *FPGAS]},
)  # fmt: skip
