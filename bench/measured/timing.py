# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The clock rate at which a mapped core closes: every set-up, hold and clock-gating check holds.

A net that drives more than FANOUT pins gets a tree of buffers. So does the clock: each flip-flop hangs at a leaf buffer
with at most FANOUT of them, and as many cells lie between the port and any leaf: gates, or buffers where there are fewer
gates. Latches hang at their pulse gates, which close before the flip-flops change. Then OpenSTA propagates the clock, and
a buffer is put before every register whose data would change too early. All these buffers are counted. Wires have no load
and no delay.

The ports: the clock arrives with a slew of SLEW, and so do all inputs, PORTS of a period after the edge. Outputs must be
there as long before the next edge. The hold of inputs is the business of what surrounds the core.
"""

import json
import re
from collections import defaultdict
from dataclasses import dataclass

import msgspec

from bench.declared.cores import Core
from bench.declared.model import BenchError
from bench.made import build
from bench.made.cache import BUILD, write
from bench.made.liberty import Library, blocks, prepare
from bench.made.synth import Netlist, yosys
from bench.measured.gates import need

FANOUT = 16
SLEW = 0.1  # ns
PORTS = 0.2  # of a period
ROUNDS = 8  # of buffers against hold violations
SHORTEST, LONGEST, STEPS = 0.05, 400.0, 4096  # periods in ns, and how many steps of equal ratio lie between them


class Closed(msgspec.Struct, frozen=True):
    """A core with a clock tree that meets all checks."""

    mhz: float
    area: float  # gate equivalents, with all buffers
    clock_buffers: int
    fanout_buffers: int
    hold_buffers: int


@dataclass
class Cell:
    kind: str
    pins: dict[str, str]  # net by pin


class Design:
    """A flat netlist that can be changed."""

    def __init__(self, core: Core, netlist: Netlist, library: Library):
        path = BUILD / "rtl" / f"{core.name}_{library.name}.json"
        yosys(f"read_verilog {netlist.path}; hierarchy -top {core.top}; write_json {path}", core.name)
        module = json.loads(path.read_text())["modules"][core.top]
        name = lambda bit: f"n{bit}" if isinstance(bit, int) else f"1'b{bit if bit in '01' else 0}"  # noqa: E731
        self.top, self.library = core.top, library
        self.ports = [(p, d["direction"], [name(bit) for bit in d["bits"]]) for p, d in module["ports"].items()]
        self.cells = {
            f"c{n}": Cell(cell["type"], {pin: name(bits[0]) for pin, bits in cell["connections"].items() if bits})
            for n, cell in enumerate(module["cells"].values())
        }
        self.made = 0

    def buffer(self, cell: str, net: str) -> str:
        """Puts a buffer behind this net, and returns the net behind the buffer."""
        kind, pin_in, pin_out = cell.split()
        self.made += 1
        self.cells[f"b{self.made}"] = Cell(kind, {pin_in: net, pin_out: f"m{self.made}"})
        return f"m{self.made}"

    def verilog(self) -> str:
        nets = {net for cell in self.cells.values() for net in cell.pins.values() if net[0] != "1"}
        lines = [f"module {self.top} ({', '.join(p for p, _, _ in self.ports)});"]
        for port, direction, bits in self.ports:
            lines.append(f"  {direction} [{len(bits) - 1}:0] {port};" if len(bits) > 1 else f"  {direction} {port};")
        lines += [f"  wire {net};" for net in sorted(nets | {b for _, _, bits in self.ports for b in bits if b[0] != "1"})]
        for port, direction, bits in self.ports:
            for n, bit in enumerate(bits):
                at = f"{port}[{n}]" if len(bits) > 1 else port
                lines.append(f"  assign {at} = {bit};" if direction == "output" else f"  assign {bit} = {at};")
        for name, cell in self.cells.items():
            lines.append(f"  {cell.kind} {name} ({', '.join(f'.{pin}({net})' for pin, net in cell.pins.items())});")
        return "\n".join([*lines, "endmodule", ""])


def _storage(library: Library) -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """By cell: the clock pin of flip-flops, that of latches, and the outputs."""
    text = prepare(library)[0].read_text()
    flops, latches, outputs = {}, {}, {}
    for name, start, end in blocks(text, "cell"):
        cell = text[start:end]
        clock = re.search(r"clocked_on\s*:\s*\"\s*\(?\s*!?(\w+)", cell)
        enable = re.search(r"\bff\b", cell) is None and re.search(r"\benable\s*:\s*\"\s*\(?\s*!?(\w+)", cell)
        if clock:
            flops[name] = clock[1]
        elif enable:
            latches[name] = enable[1]
        outputs[name] = [pin for pin, a, b in blocks(cell, "pin") if re.search(r"direction\s*:\s*\"?output", cell[a:b])]
    return flops, latches, outputs


def _trees(design: Design) -> tuple[int, int]:
    """Builds the clock tree and those of other nets that drive many pins. Returns how many buffers each takes."""
    flops, latches, outputs = _storage(design.library)
    loads = defaultdict(list)
    for name, cell in design.cells.items():
        for pin, net in cell.pins.items():
            if pin not in outputs.get(cell.kind, ()):
                loads[net].append((name, pin))
    root = next(bits[0] for port, _, bits in design.ports if port == "clk_i")

    # The flip-flops at each net of the clock, and how many gates lie before it.
    leaves: dict[str, list[tuple[str, str]]] = defaultdict(list)
    depth = {root: 0}
    nets = [root]
    for net in nets:
        for name, pin in loads[net]:
            cell = design.cells[name]
            if flops.get(cell.kind) == pin:
                leaves[net].append((name, pin))
            elif cell.kind not in latches and cell.kind not in flops:
                for out in outputs[cell.kind]:
                    depth[cell.pins[out]] = depth[net] + 1
                    nets.append(cell.pins[out])
    deepest = max((depth[net] for net in leaves), default=0)

    def hang(buffer: str, net: str, pins: list[tuple[str, str]], levels: int) -> None:
        """Hangs pins at a net, behind this many levels of buffers."""
        if not levels:
            for name, pin in pins:
                design.cells[name].pins[pin] = net
            return
        groups = -(-len(pins) // FANOUT**levels)
        for n in range(groups):
            hang(buffer, design.buffer(buffer, net), pins[n::groups], levels - 1)

    for net, pins in leaves.items():
        hang(design.library.clock_buffer, net, pins, deepest - depth[net] + 1)
    clock_buffers = design.made
    for net, pins in loads.items():
        levels, groups = 0, len(pins)
        while groups > FANOUT:
            levels, groups = levels + 1, -(-groups // FANOUT)
        if levels and net not in depth and net[0] != "1":
            hang(design.library.buffer, net, pins, levels)
    return clock_buffers, design.made - clock_buffers


def _sta(design: Design, name: str, commands: list[str]) -> str:
    need("sta", "opensta")
    lib, _, _ = prepare(design.library)
    flat = write(BUILD / "rtl" / f"{name}_closed.v", design.verilog())
    script = write(BUILD / "rtl" / f"{name}.tcl", "\n".join([
        f"read_liberty {lib}", f"read_verilog {flat}", f"link_design {design.top}", *commands, "exit", "",
    ]))  # fmt: skip
    said = build.run(["sta", "-no_splash", script])
    if "rror" in said:
        raise BenchError(f"OpenSTA, {name}: {said[-400:]}")
    return said


def _unit(design: Design) -> int:
    """How many units of the library's time a nanosecond has."""
    return 1000 if re.search(r"time_unit\s*:\s*\"1ps", prepare(design.library)[0].read_text()) else 1


def _constraints(design: Design, period: str, ports_delay: str) -> list[str]:
    """The commands for a period and a delay of the ports, both as Tcl and in the library's unit of time."""
    unit = _unit(design)
    inputs = " ".join(port for port, direction, _ in design.ports if direction == "input" and port != "clk_i")
    ports = f"[get_ports {{{' '.join(f'{port}*' for port in inputs.split())}}}]"
    return [
        f"create_clock -name clk -period {period} [get_ports clk_i]", "set_propagated_clock [get_clocks clk]",
        f"set_input_transition {SLEW * unit} [get_ports *_i*]", "set_clock_gating_check -setup 0 -hold 0 [get_clocks clk]",
        f"set_input_delay -clock clk {ports_delay} {ports}", f"set_false_path -hold -from {ports}",
        f"set_output_delay -clock clk -max {ports_delay} [all_outputs]",
    ]  # fmt: skip


def _hold(design: Design, name: str) -> int:
    """Puts buffers before registers whose data change too early, and returns how many."""
    before = design.made
    for _ in range(ROUNDS):
        said = _sta(design, name, [
            *_constraints(design, *(f"{ns * _unit(design):.4f}" for ns in (1000, 1000 * PORTS))),
            "report_checks -path_delay min -format end -group_count 100000 -slack_max -0.0001",
        ])  # fmt: skip
        early = {(cell, pin) for cell, pin in re.findall(r"^(\w+)/(\w+) ", said, re.M) if cell in design.cells}
        if not early:
            return design.made - before
        nets = defaultdict(list)
        for cell, pin in early:
            nets[design.cells[cell].pins[pin]].append((cell, pin))
        for net, pins in sorted(nets.items()):
            delayed = design.buffer(design.library.buffer, net)
            for cell, pin in pins:
                design.cells[cell].pins[pin] = delayed
    raise BenchError(f"{name}: hold violations remain after {ROUNDS} rounds of buffers")


def closed(core: Core, netlist: Netlist, library: Library) -> Closed:
    """The core with a clock tree and without violations, and the highest frequency at which it has none."""
    name = f"{core.name}_{library.name}"
    design = Design(core, netlist, library)
    clock_buffers, fanout_buffers = _trees(design)
    hold_buffers = _hold(design, name)
    said = _sta(design, name, [
        "set low 0", f"set high {STEPS}",
        "while {$high - $low > 1} {",
        "set step [expr {($low + $high) / 2}]",
        f"set ns [expr {{{SHORTEST} * pow({LONGEST / SHORTEST}, double($step) / {STEPS})}}]",
        f"set period [format %.4f [expr {{$ns * {_unit(design)}}}]]",
        f"set delay [format %.4f [expr {{$ns * {_unit(design)} * {PORTS}}}]]",
        *_constraints(design, "$period", "$delay"),
        "with_output_to_variable said report_worst_slack",
        "regexp {worst slack (-?[0-9.]+)} $said -> slack",
        "if {$slack >= 0} {set high $step} else {set low $step}",
        "}",
        'puts "closes at step $high"',
    ])  # fmt: skip
    found = re.search(r"closes at step (\d+)", said)
    if not found:
        raise BenchError(f"OpenSTA, {name}: {said[-400:]}")
    shortest = SHORTEST * (LONGEST / SHORTEST) ** (int(found[1]) / STEPS)
    _, unit, areas = prepare(library)
    area = sum(areas[cell.kind] for cell in design.cells.values()) / unit
    return Closed(
        mhz=round(1000 / shortest, 1), area=round(area, 1), clock_buffers=clock_buffers, fanout_buffers=fanout_buffers,
        hold_buffers=hold_buffers,
    )  # fmt: skip
