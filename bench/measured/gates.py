# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The energy that a mapped core takes.

Icarus simulates the netlist with unit delays and counts the toggles of every net. Each toggle costs the
internal energy in the library's tables, at a slew of 0.1 ns and the load of the connected pins, plus the energy to
switch that load. Wires have no load. Supply and corner are the library's. Leakage is not counted.
"""

import os
import re
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

from bench.declared.cores import CORES, Core, bench
from bench.declared.model import ROOT, MissingTool
from bench.made import build
from bench.made.cache import BUILD, digest, kept, note, once, write
from bench.made.liberty import Library, blocks, like, prepare
from bench.made.synth import Netlist, yosys

BLOCKS = 4  # random data under one key, over which the energy of a block is averaged
SLEW = 0.1  # ns
LANE = ROOT / "bench/made/lane.v"


def need(name: str, package: str) -> None:
    """Raises MissingTool, naming the package, unless the tool is installed."""
    if not shutil.which(name):
        raise MissingTool(f"no {name}: install the Debian package {package}")


# ---- Gate-level simulation.


@once
def models(library: Library) -> Path:
    """Verilog models of a library's cells, with unit delays."""
    lib, _, _ = prepare(library)
    made = BUILD / "rtl" / f".{os.getpid()}.{library.name}.v"
    yosys(f"read_liberty -ignore_miss_func -ignore_miss_data_latch -ignore_miss_dir {lib}; write_verilog -noattr {made}",
          library.title)  # fmt: skip
    text = made.read_text()
    made.unlink()
    text = re.sub(r"assign (\w+) = ", r"assign #0.01 \1 = ", text)
    text = text.replace("<= ", "<= #0.5 ")
    return write(BUILD / "rtl" / f"{library.name}_cells.v", "`timescale 1ns / 1ps\n" + text)


@kept
def _toggles(core: Core, netlist: Netlist, library: Library) -> tuple[dict[str, int], int]:
    """Toggles of every net of the netlist while BLOCKS blocks pass, and how many clocks this takes."""
    note(LANE)
    folder = BUILD / "rtl/energy" / f"{core.name}_{library.name}"
    folder.mkdir(parents=True, exist_ok=True)
    renamed = folder / "core.v"
    text = Path(netlist.path).read_text()
    renamed.write_text(re.sub(rf"\bmodule {core.top}\b", f"module {core.name}", text))
    lane = f"bench.{core.name}_lane"
    bits = BLOCKS * core.block_bits
    key = int.from_bytes(bytes((0x51 + 7 * n) % 256 for n in range(core.key_bits // 8)), "little")
    data = int.from_bytes(digest("blocks").encode() * 4, "little") % (1 << bits)
    (folder / "run.v").write_text(f"""`timescale 1ns / 1ps
module run;
  bench bench ();
  initial begin
    bench.selected = {list(CORES).index(core.name)};
    bench.key = {core.key_bits}'h{key:x};
    bench.blocks = {bits}'h{data:x};
    bench.count = {BLOCKS};
    bench.run = 1;
    #20 bench.key_go = 1;
    #20 {"" if core.late else f"wait (!{lane}.busy);"}
    #10 bench.go = 1;
    #20 $dumpfile("{folder}/run.vcd");
    $dumpvars(1, bench.{core.name}_core);
    wait (!{lane}.busy) $display("cycles %0d", {lane}.cycles);
    $finish;
  end
endmodule
""")
    (folder / "bench.v").write_text(bench())
    build.run(["iverilog", "-g2005", "-DNETLIST", f"-DWITH_{core.name}", "-s", "run", "-o", folder / "run.vvp",
               folder / "run.v", folder / "bench.v", LANE, renamed, models(library)])  # fmt: skip
    clocks = int(re.search(r"cycles (\d+)", build.run(["vvp", "-n", folder / "run.vvp"]))[1])
    counts = _count(folder / "run.vcd")
    (folder / "run.vcd").unlink()
    return counts, clocks


def _count(path: Path) -> dict[str, int]:
    """Toggles by net, for the nets of a dump of one module: how often each bit went from 0 to 1 or back."""
    head, dump = path.read_text().split("$dumpvars\n")
    first, changes = dump.split("$end\n", 1)
    nets = [line.split()[2:-1] for line in head.splitlines() if line.startswith("$var")]  # width, code, name, range
    first, changes = first.splitlines(), changes.splitlines()
    often = Counter(changes)
    counts: dict[tuple[str, int], int] = {}
    values: dict[str, list[str]] = {}  # of vectors, and of bits that become unknown
    for line in first:
        code = line[1:]
        if line[0] == "b":
            values[line.split()[1]] = []
        elif often[f"x{code}"] + often[f"z{code}"]:
            values[code] = []
        else:  # each change is a toggle, but for the first one if that is from x or z
            counts[code, 0] = max(often[f"0{code}"] + often[f"1{code}"] - (line[0] in "xz"), 0)
    for line in (*first, *changes):
        value, code = line[1:].split() if line[0] == "b" else (line[0], line[1:])
        if code in values:
            values[code].append(value)
    for size, code, *_ in nets:
        padded = [value.rjust(int(size), "0" if value[0] in "01" else value[0]) for value in values.get(code, ())]
        for bit, column in enumerate(reversed([*zip(*padded)])):
            counts[code, bit] = sum(old + new in ("01", "10") for old, new in pairwise(column))
    found: dict[str, int] = {}
    for size, code, name, *span in nets:
        low = int(re.findall(r"\d+", span[0])[-1]) if span else -1
        for bit in range(int(size)):
            index = f"[{bit + max(low, 0)}]" if int(size) > 1 or low >= 0 else ""
            found[name.lstrip("\\") + index] = counts.get((code, bit), 0)
    return found


# ---- Energy.

_NUMBERS = re.compile(r"[-\d.eE+]+")


def _number(pattern: str, text: str, default: str = "0") -> float:
    found = re.search(pattern, text)
    return float(found[1] if found else default)


class Energies:
    """A library's capacitances (F) and internal energies (J)."""

    def __init__(self, library: Library) -> None:
        text = prepare(library)[0].read_text()
        unit = re.search(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?(\w+)", text)
        self.farad = float(unit[1]) * {"pf": 1e-12, "ff": 1e-15}[unit[2].lower()]
        self.volt = _number(r"nom_voltage\s*:\s*([\d.]+)", text, "1")
        self.slew = SLEW * (1000 if re.search(r"time_unit\s*:\s*\"1ps", text) else 1)
        self.templates = {
            name: text[a:b] for kind in ("power_lut_template", "lu_table_template") for name, a, b in blocks(text, kind)
        }
        self.cells = {name: self._pins(text[a:b]) for name, a, b in blocks(text, "cell")}

    def _pins(self, cell: str) -> dict[str, tuple[str, float, list[str]]]:
        pins = {}
        for name, a, b in blocks(cell, "pin"):
            pin = cell[a:b]
            direction = re.search(r"direction\s*:\s*\"?(\w+)", pin)[1]
            tables = [pin[x:y] for kind in ("rise_power", "fall_power", "power") for _, x, y in blocks(pin, kind)]
            pins[name] = direction, _number(r"\bcapacitance\s*:\s*\"?([\d.eE+-]+)", pin), tables
        return pins

    def internal(self, cell: str, pin: str, load: float) -> float:
        """The internal energy of one toggle of a pin, averaged over its tables."""
        found = [self._look(table, load) for table in self.cells[cell][pin][2]]
        return sum(found) / len(found) * self.farad if found else 0.0

    def _look(self, table: str, load: float) -> float:
        template = self.templates.get(re.search(r"\(\s*\"?([^\")]*)", table)[1].strip(), "")

        def axis(n: int) -> list[float]:
            wanted = rf"index_{n}\s*\(\s*\"([^\"]*)\""
            found = re.search(wanted, table) or re.search(wanted, template)
            return [float(x) for x in _NUMBERS.findall(found[1])] if found else [0.0]

        values = re.search(r"values\s*\((.*?)\)\s*;", table, re.S)
        rows = re.findall(r"\"([^\"]*)\"", values[1]) if values else []
        rows = [[float(x) for x in _NUMBERS.findall(row)] for row in rows]
        if not rows:
            return 0.0
        slew_first = "input" in (re.search(r"variable_1\s*:\s*\"?(\w+)", template) or ["", "input"])[1]
        first, second = (self.slew, load) if slew_first else (load, self.slew)
        if len(rows) == 1:
            return _between(axis(1), rows[0], first) if len(rows[0]) == len(axis(1)) else rows[0][0]
        return _between(axis(1), [_between(axis(2), row, second) for row in rows], first)


def _between(xs: list[float], ys: list[float], x: float) -> float:
    """The linear interpolation of ys at x; beyond the ends of xs it is constant."""
    x = min(max(x, xs[0]), xs[-1])
    for k in range(min(len(xs), len(ys)) - 1):
        if x <= xs[k + 1]:
            return ys[k] + (ys[k + 1] - ys[k]) * (x - xs[k]) / (xs[k + 1] - xs[k])
    return ys[min(len(xs), len(ys)) - 1]


@once
def _energies(library: Library) -> Energies:
    return Energies(library)


_CELL = re.compile(r"^ +(\w+) (\\\S+ |\w+) \(\n(.*?)\);", re.S | re.M)
_PIN = re.compile(r"\.(\w+)\((\\\S+ (?:\[\d+\])?|[\w.]+(?:\[\d+\])?)\s*\)")


def energy(core: Core, netlist: Netlist, library: Library) -> tuple[float, float]:
    """pJ for each clock and for each block. Loading and unloading are included."""
    need("iverilog", "iverilog")
    toggles, clocks = _toggles(core, netlist, like(library))
    table = _energies(library)
    cells, loads = [], {}
    for cell, _, body in _CELL.findall(Path(netlist.path).read_text()):
        pins = {pin: net.strip().lstrip("\\").replace(" ", "") for pin, net in _PIN.findall(body)}
        cells.append((cell, pins))
        for pin, net in pins.items():
            direction, capacitance, _ = table.cells[cell][pin]
            if direction == "input":
                loads[net] = loads.get(net, 0.0) + capacitance
    total = sum(
        table.internal(cell, pin, loads.get(net, 0.0)) * toggles.get(net, 0)
        for cell, pins in cells
        for pin, net in pins.items()
    )
    total += sum(0.5 * load * table.farad * table.volt**2 * toggles.get(net, 0) for net, load in loads.items())
    pico = total * 1e12
    return pico / clocks, pico / BLOCKS
