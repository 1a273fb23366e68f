# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesis: maps a core to a library by yosys, and takes the best result of a few abc scripts."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError
from bench.made.cache import BUILD, kept, note, once, write
from bench.made.liberty import Library, prepare

RTL = ROOT / "rtl"
CELLS = RTL / "cells/haechi_cells.v"

# Scripts for abc that map for area. Each finds the smallest netlist of some core in some library.
SCRIPTS = {
    "amap": "strash;ifraig;dch;amap -m",
    "amapf": "strash;ifraig;dch -f;amap",
    "amapfm": "strash;ifraig;dch -f;amap -m",
    "bamapf": "strash;ifraig;balance -x;dch -f;amap",
    "bamapfm": "strash;ifraig;balance -x;dch -f;amap -m",
}
# Removes from a mapped netlist what don't-cares make redundant; in narrow windows where whole cones, with S-boxes in
# them or with 32-bit adders one behind the other, would take minutes.
FINISH = {"mfs3": "mfs3 -ae", "mfs3_narrow": "mfs3 -ae -I 4 -O 2 -C 100"}
NARROW = ("ARIA", "lea_both D32")  # a family, or a core with its parameter
# The cells that haechi_cells.v takes from the library: module, its ports, the field of the library that names the cell.
HAND = {
    "haechi_or": ("a_i b_i y_o", "or_"),
    "haechi_nor": ("a_i b_i y_o", "nor"),
    "haechi_latch": ("d_i open_i q_o", "latch"),
    "haechi_add": ("a_i b_i c_i s_o c_o", "add"),
}


class Netlist(msgspec.Struct, frozen=True):
    """A mapped core."""

    path: str
    area: float  # gate equivalents
    cells: int
    flipflops: int
    latches: int
    script: str


def _hand_map(library: Library) -> tuple[list[str], str]:
    """The modules of haechi_cells.v for which this library has a cell, and Verilog that uses these cells."""
    names, text = [], []
    for module, (ports, field) in HAND.items():
        if not getattr(library, field):
            continue
        cell, *pins = getattr(library, field).split()
        names.append(module)
        joined = ", ".join(f".{pin}({port})" for pin, port in zip(pins, ports.split(), strict=True))
        text.append(f"module {module} ({', '.join(ports.split())});")
        *inputs, output = ports.split() if len(pins) < 5 else (*ports.split()[:3], " ".join(ports.split()[3:]))
        text.append(f"  input {', '.join(inputs)}; output {', '.join(output.split())};")
        text.append(f"  {cell} cell ({joined});\nendmodule")
    return names, "\n".join(text) + "\n"


def sources(family: str) -> list[Path]:
    """The Verilog files of a cipher's cores (HIGHT, LEA, ARIA)."""
    return [CELLS, *sorted((RTL / family.lower()).glob("*.v"))]


def yosys(script: str, what: str) -> str:
    """Runs a yosys script and returns what it printed."""
    run = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, cwd=ROOT)
    if run.returncode:
        raise BenchError(f"yosys, {what}: {(run.stderr + run.stdout).strip()[-800:]}")
    return run.stdout


@once
def version(tool: str) -> str:
    """A tool's name and version, as results/rtl.csv names it."""
    option = {"nextpnr-ice40": "--version", "sta": "-version"}.get(tool, "-V")
    run = subprocess.run([tool, option], capture_output=True, text=True)
    return f"{tool} {re.search(r'[0-9]+[.][0-9]+', run.stdout + run.stderr)[0]}"


@kept
def synthesise(
    family: str, top: str, parameters: dict[str, int], library: Library, folder: Path | None = None
) -> Netlist:
    """The smallest netlist of a core that any of the scripts finds."""
    note(*sources(family))
    rtl = RTL / family.lower()
    lib, unit, areas = prepare(library)
    name = "_".join([top, *(f"{k}{v}" for k, v in parameters.items()), library.name])
    out = (folder or BUILD / "rtl" / "netlists") / name
    out.parent.mkdir(parents=True, exist_ok=True)
    hand, text = _hand_map(library)
    mapping = out.with_suffix(".hand.v")
    mapping.write_text(text)
    chparam = "".join(f" -chparam {k} {v}" for k, v in parameters.items())
    head = f"""
        read_verilog {CELLS} {rtl}/{top}.v
        hierarchy -libdir {rtl} -top {top}{chparam}
        blackbox {' '.join(f'={m}' for m in hand)}
        synth -flatten -top {top} -run begin:fine
        flatten; opt -full; memory; opt -full; techmap; opt -full; opt_clean -purge
        dfflegalize -cell $_DFF_P_ x; opt -full; dfflibmap -liberty {lib}
        write_rtlil {out}.il
    """
    yosys(head, name)

    def mapped(script: str, commands: str) -> tuple[float, str, Counter]:
        """Maps with this script: the area, the name of the script and the cells."""
        file = write(BUILD / "rtl" / f"{script}.abc", f"{commands};topo\n".replace(";", "\n"))
        tail = f"""
            read_rtlil {out}.il
            abc -liberty {lib} -script {file}
            opt_clean -purge; techmap -map {mapping}; clean -purge; rename -top {top}
            write_verilog -noattr -noexpr {out}.{script}.v
            tee -q -o {out}.{script}.stat stat
        """
        yosys(tail, name)
        cells = Counter()
        for cell, count in re.findall(r"^ {5,}(\S+) +(\d+)$", Path(f"{out}.{script}.stat").read_text(), re.M):
            if cell in areas:
                cells[cell] += int(count)
            elif cell.startswith("$") or cell.startswith("haechi_"):
                raise BenchError(f"{name}: {cell} was not mapped")
        return sum(areas[c] * n for c, n in cells.items()) / unit, script, cells

    _, best, _ = min((mapped(*item) for item in SCRIPTS.items()), key=lambda found: found[0])
    windows = ["mfs3_narrow"] if {family, f"{top} D{parameters.get('D')}"} & {*NARROW} else ["mfs3", "mfs3_narrow"]
    for finish in windows:
        try:
            area, script, cells = mapped(f"{best}_{finish}", f"{SCRIPTS[best]};{FINISH[finish]}")
            break
        except BenchError:  # an assertion of abc fails in the wide windows of some netlists
            if finish == windows[-1]:
                raise
    return Netlist(
        path=f"{out}.{script}.v", area=round(area, 1), cells=sum(cells.values()),
        flipflops=sum(n for c, n in cells.items() if re.search(r"(?i)df", c)),
        latches=sum(n for c, n in cells.items() if c == library.latch.split()[0]), script=best,
    )  # fmt: skip
