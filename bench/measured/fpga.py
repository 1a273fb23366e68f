# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in FPGAs, in the version whose flip-flops have enables: look-up tables, flip-flops and, in an iCE40, logic
cells and the clock rate. Debian 12 has no place-and-route tool for the other FPGAs, so that they have no clock rate."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import msgspec

from bench.declared.cores import Core
from bench.declared.model import ROOT, BenchError
from bench.made.cache import BUILD, digest
from bench.made.synth import CELLS, sources, version, yosys
from bench.measured.gates import need


class Fpga(msgspec.Struct, frozen=True, kw_only=True):
    """A family of FPGAs, and how yosys maps a core to its cells.

    luts: how many look-up tables a cell takes; a kind of cell that neither this nor the patterns know is an error
    flipflops, others: patterns of the cells that are flip-flops, and of those that are neither
    """

    name: str
    title: str
    synth: str
    luts: dict[str, int]
    flipflops: str
    others: str
    note: str = ""


# No memories and multipliers, of which the cores have none. Multiplexers that join look-up tables make a core faster and
# larger; where no clock rate is measured, none are used. A shift register in a look-up table counts as one.
ICE40 = Fpga(
    name="ice40", title="iCE40 HX8K", synth="synth_ice40 -abc2", luts={"SB_LUT4": 1}, flipflops="SB_DFF",
    others="SB_CARRY", note="logic cells",
)  # fmt: skip
ECP5 = Fpga(
    name="ecp5", title="ECP5", synth="synth_ecp5 -abc2 -nobram -nolutram -nodsp -nowidelut", luts={"LUT4": 1, "CCU2C": 2},
    flipflops="TRELLIS_FF", others="(?!)",
)  # fmt: skip
XC7 = Fpga(
    name="xc7", title="Xilinx 7 series",
    synth="synth_xilinx -flatten -abc9 -nobram -nolutram -nodsp -nowidelut -noiopad -noclkbuf",
    luts={"INV": 1, **{f"LUT{n}": 1 for n in range(1, 7)}, "SRL16E": 1, "SRLC32E": 1}, flipflops="FD[RS]E",
    others="CARRY4",
)  # fmt: skip
FPGAS = {fpga.name: fpga for fpga in (ICE40, ECP5, XC7)}
PLACE = ("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained", "--freq", "60", "--seed", "1")


class Used(msgspec.Struct, frozen=True):
    """What a core takes of an FPGA."""

    luts: int
    flipflops: int
    cells: int


def files(core: Core) -> list[Path]:
    """The Verilog files of a core: that of its top, and those of all modules that a file among them names."""
    known = {path.stem: path for path in sources(core.family)}
    found, todo = {CELLS}, [known[core.top]]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += [known[name] for name in known.keys() & set(re.findall(r"\w+", re.sub(r"//.*", "", path.read_text())))]
    return sorted(found)


def _script(core: Core, fpga: Fpga) -> str:
    """What yosys does before it writes the netlist, with the files relative to the project, where yosys runs."""
    chparam = "".join(f" -chparam {k} {v}" for k, v in core.parameters.items())
    read = " ".join(os.path.relpath(path, ROOT) for path in files(core))
    return f"read_verilog -DHAECHI_FPGA {read}; hierarchy -top {core.top}{chparam}; {fpga.synth} -top {core.top}"


def state(core: Core, fpga: Fpga) -> str:
    """A digest of all that decides about the figures of a core in this FPGA: the Verilog, what the tools do with it, their
    versions, and this module, which counts."""
    tools = [version("yosys"), *([version("nextpnr-ice40"), *PLACE] if fpga == ICE40 else [])]
    return digest(Path(__file__), _script(core, fpga), *files(core), *tools)


def mapped(core: Core, fpga: Fpga) -> Used:
    """Maps a core to this FPGA. The netlist is left for place-and-route."""
    need("yosys", "yosys")
    out = BUILD / "rtl" / f"{core.name}_{fpga.name}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    yosys(f"{_script(core, fpga)}; write_json {out}", f"{core.name} in {fpga.title}")
    cells = json.loads(out.read_text())["modules"][core.top]["cells"].values()
    luts = flipflops = 0
    for kind, count in Counter(cell["type"] for cell in cells).items():
        if kind in fpga.luts:
            luts += fpga.luts[kind] * count
        elif re.match(fpga.flipflops, kind):
            flipflops += count
        elif not re.match(fpga.others, kind):
            raise BenchError(f"{core.name} in {fpga.title}: {kind} is not known")
    return Used(luts, flipflops, len(cells))


def placed(core: Core) -> tuple[int, float]:
    """Logic cells and MHz of a core that was mapped to an iCE40, in an HX8K."""
    need("nextpnr-ice40", "nextpnr-ice40")
    run = subprocess.run(
        ["nextpnr-ice40", *PLACE, "--json", BUILD / "rtl" / f"{core.name}_ice40.json"],
        capture_output=True, text=True,
    )  # fmt: skip
    cells = re.findall(r"ICESTORM_LC:\s+(\d+)/", run.stderr)
    clocks = re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", run.stderr)
    if not cells or not clocks:
        raise BenchError(f"nextpnr, {core.name}: {run.stderr.strip()[-300:]}")
    return int(cells[-1]), float(clocks[-1])
