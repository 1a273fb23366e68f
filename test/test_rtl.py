# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in rtl/hight: lint, the cocotb bench (rtl/bench.py) in Icarus and Verilator, mapped netlists through it."""

import os
import re
import shutil
import subprocess

import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest



from cocotb.runner import get_runner


from bench.build import BUILD
from bench.model import ROOT
from bench.rtl.cores import CORES, Core, bench

RTL = ROOT / "rtl/hight"
HERE = Path(__file__).parent / "rtl"
SERIAL = [c for c in CORES.values() if c.top == "hight_serial"]


def _needs(*tools: str) -> None:
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


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
        else ["--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN", "-O3", *with_them]
    )  # fmt: skip
    runner = get_runner(simulator)
    runner.build(
        verilog_sources=[folder / "bench.v", ROOT / "bench/rtl/lane.v", *(sources or sorted(RTL.glob("*.v")))],
        hdl_toplevel="bench", build_dir=folder, build_args=arguments, always=True,
    )  # fmt: skip
    results = runner.test(
        hdl_toplevel="bench", test_module="bench_cores", build_dir=folder, test_dir=folder, testcase=testcase or None,
        extra_env={
            "HAECHI_CORES": ",".join(core.name for core in cores), "HAECHI_BLOCKS": str(blocks),
            "PYTHONPATH": f"{HERE}:{ROOT}", "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"),
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
@pytest.mark.parametrize("variant", ["chip", "fpga"])
def test_icarus(variant):
    """Every core, a few blocks."""
    _bench("icarus", list(CORES.values()), 8, variant, ("HIGHT_FPGA",) if variant == "fpga" else ())


@pytest.mark.full
def test_verilator():
    """Every core, 10,000 random blocks."""
    _bench("verilator", list(CORES.values()), 10_000, "chip")
