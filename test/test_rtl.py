# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in rtl/hight: lint, the cocotb bench (rtl/bench_cores.py) in Icarus and Verilator, mapped netlists through it."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest
from cocotb.runner import Verilator, get_runner

from bench.build import BUILD
from bench.model import ROOT
from bench.rtl.cores import CORES, Core, bench
from bench.rtl.liberty import libraries
from bench.rtl.measure import models
from bench.rtl.synth import synthesise

RTL = ROOT / "rtl/hight"
HERE = Path(__file__).parent / "rtl"
sys.path.append(str(HERE))  # whence the runner takes the simulator's PYTHONPATH


def _needs(*tools: str) -> None:
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


class Verilated(Verilator):
    """With nothing public but what rtl/public.vlt names: half the time."""

    def _build_command(self):
        translate, make = super()._build_command()
        return [[word for word in translate if word != "--public-flat-rw"], [*make, "OPT_FAST=-O1", "OPT_SLOW=-O0"]]


def _bench(
    simulator: str, cores: list[Core], blocks: int, name: str, defines: tuple[str, ...] = (),
    sources: tuple[Path, ...] = (), testcase: str = "",
) -> None:
    """Builds the bench with these cores and runs every test in it."""
    _needs("iverilog" if simulator == "icarus" else simulator)
    folder = BUILD / "rtl/bench" / f"{simulator}_{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.v").write_text(bench())
    with_them = [f"-DWITH_{core.name}" for core in cores] + [f"-D{d}" for d in defines]
    arguments = (
        ["-g2005", *with_them] if simulator == "icarus"
        else ["--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN", *with_them, str(HERE / "public.vlt")]
    )  # fmt: skip
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # else the runner chooses a name for the results
    runner = get_runner("icarus") if simulator == "icarus" else Verilated()
    runner.build(
        verilog_sources=[folder / "bench.v", ROOT / "bench/rtl/lane.v", *(sources or sorted(RTL.glob("*.v")))],
        hdl_toplevel="bench", build_dir=folder, build_args=arguments, always=True,
    )  # fmt: skip
    results = runner.test(
        hdl_toplevel="bench", test_module="bench_cores", build_dir=folder, test_dir=folder, testcase=testcase or None,
        extra_env={
            "HAECHI_CORES": ",".join(core.name for core in cores), "HAECHI_BLOCKS": str(blocks),
            "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"),
        },
    )  # fmt: skip
    cases = list(Tree.parse(results).iter("testcase"))
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    assert cases and not failed, failed


@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.name)
def test_lint(core):
    """verilator -Wall has nothing to say, for chips and for FPGAs."""
    _needs("verilator")
    parameters = [f"-G{k}=1'b{v}" if k == "BOTH" else f"-G{k}={v}" for k, v in core.parameters.items()]
    for variant in ([], ["-DHIGHT_FPGA"]):
        command = ["verilator", "--lint-only", "-Wall", "-y", RTL, RTL / "hight_cells.v", *variant, *parameters]
        run = subprocess.run([*command, RTL / f"{core.top}.v", "--top-module", core.top], capture_output=True, text=True)
        assert run.returncode == 0 and not run.stderr, run.stderr


@pytest.mark.full
def test_icarus():
    """Every core, a few blocks."""
    _bench("icarus", list(CORES.values()), 8, "chip")


@pytest.mark.full
def test_verilator():
    """Every core with gated clocks, 1,000 random blocks."""
    _bench("verilator", list(CORES.values()), 1_000, "chip")


@pytest.mark.full
@pytest.mark.parametrize("top", ["hight_serial", "others"])
def test_verilator_fpga(top):
    """Every core with enables, which Verilator runs faster: 10,000 random blocks."""
    cores = [core for core in CORES.values() if (core.top == "hight_serial") == (top == "hight_serial")]
    _bench("verilator", cores, 10_000, f"fpga_{top}", ("HIGHT_FPGA",))


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.name)
def test_many_blocks(core):
    """A million random blocks each."""
    _bench("verilator", [core], 1_000_000, f"many_{core.name}", testcase="random_blocks")


# ---- Mapped netlists.


@pytest.mark.slow
@pytest.mark.parametrize("core", [c for c in CORES.values() if c.name != "pipe_enc"], ids=lambda core: core.name)
def test_netlist(core, tmp_path):
    """What synthesis made of a core passes the same bench."""
    _needs("yosys")
    library = next(x for x in libraries() if x.name == "osu018")
    if not library.path():
        pytest.skip(f"{library.package} is not installed")
    netlist = synthesise(core.top, core.parameters, library)
    mapped = tmp_path / "core.v"
    text = Path(netlist.path).read_text()
    mapped.write_text(re.sub(rf"\bmodule {core.top}\b", f"module {core.name}", text))
    _bench("icarus", [core], 16, f"netlist_{core.name}", ("NETLIST",), (mapped, models(library)))


# ---- Proofs, by induction over the rounds: rtl/formal.v.

KEYS = "lower_q=lower_{} upper_q=upper_{} delta_q=delta_{} count_q=count_{}"


def _prove(define: str, clocks: int, start: str, more: str, prove: str) -> None:
    """From the state `start` at one clock, `prove` holds `clocks` later, for whatever is left open."""
    _needs("yosys")

    def sets(option: str, text: str) -> str:
        return " ".join(f"{option} {'core.' * ('_q' in left)}{left} {right}" for left, right in (
            pair.split("=") for pair in text.split()))  # fmt: skip

    sources = " ".join(str(p) for p in sorted(RTL.glob("*.v")))
    script = (
        f"read_verilog -sv -formal -DHIGHT_FPGA -D{define} {HERE / 'formal.v'}; read_verilog -DHIGHT_FPGA {sources}; "
        "hierarchy -top formal; proc; flatten; dffunmap; setattr -set keep 1 w:*_q w:*_i w:*_k w:*_x w:*_y; "
        f"sat -seq {clocks + 1} -prove-skip {clocks} -set-assumes {sets('-set-at 1', start + ' ' + more)} "
        f"{sets('-prove', prove)} formal"
    )
    run = subprocess.run(["yosys", "-p", script], capture_output=True, text=True, timeout=600)
    assert "no model found: SUCCESS" in run.stdout, (run.stdout + run.stderr)[-1500:]


ROUND = "a_q=even_x b_q=odd_x rounds_q=ones " + KEYS.replace("{}", "i")


@pytest.mark.full
def test_round_is_the_specification():
    """Any state, key and round but the last."""
    _prove("ROUND", 1, ROUND, "last=0", "a_q=even_y b_q=odd_y rounds_q=ones " + KEYS.replace("{}", "k"))


@pytest.mark.full
def test_last_round_is_the_specification():
    """The last round and the way out."""
    _prove("ROUND", 1, ROUND, "last=1", "valid=ones result=cipher")


@pytest.mark.full
def test_proofs_can_fail():
    with pytest.raises(AssertionError):
        _prove("ROUND", 1, ROUND, "last=0", "a_q=even_x")


TEXT = "e_q=e_{} f_q=f_{} o_q=o_{} o_top_q=top_{}"
SLOT = "g_clocks.clock_q=0 g_carry.carry_q=0 g_carry.sk_carry_q=0"


@pytest.mark.slow
@pytest.mark.parametrize(("d", "rounds"), [(8, range(31)), (4, (0, 13, 30)), (2, (0, 13, 30)), (1, (0, 13, 30))])
def test_serial_is_the_specification(d, rounds):
    """One full round of 32 / D clocks, for any text and key; every round at 8 bits, three of them at fewer."""
    before = f"{TEXT.format(*'xxxx')} {KEYS.format(*'iiii')} rounds_q=ones slot_q=0 {SLOT if d < 8 else ''}"
    for i in rounds:
        _prove(f"SERIAL={d}", 32 // d, before, f"i=5'd{i}", f"{TEXT.format(*'yyyy')} {KEYS.format(*'kkkk')} rounds_q=ones")
