# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slaves of rtl/bus: lint, the register map, and the example of the driver, which talks to them through Verilator."""

import subprocess
from pathlib import Path

import native
import pytest
from planted import plant
from test_rtl import needs, unnamed

from bench.made import registers
from bench.made.build import BUILD
from bench.made.synth import CELLS

BUS = native.ROOT / "rtl/bus"
SEARCH = [f"-I{BUS}", "-y", BUS, "-y", native.ROOT / "rtl/lea", CELLS]
SLAVES = ["apb", "wishbone"]


@pytest.mark.parametrize("slave", SLAVES)
def test_lint(slave):
    needs("verilator")
    for variant in ([], ["-DHAECHI_FPGA"], ["-DHAECHI_ICG"]):
        command = ["verilator", "--lint-only", "-Wall", *unnamed(), *variant, *SEARCH]
        command += [BUS / f"haechi_ctr_{slave}.v", "--top-module", f"haechi_ctr_{slave}"]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == 0 and not run.stderr, run.stderr


def test_the_map_stands_in_one_table():
    for path, text in registers.files().items():
        assert path.read_text() == text, f"python -m bench.made.registers writes {path.name} again"


def _example(slave: str, folder: Path, search: list) -> subprocess.CompletedProcess:
    """Builds the example with a simulated slave and runs it."""
    needs("verilator")
    bus = f"{folder}/bus.so"
    wishbone = " -DWISHBONE" if slave == "wishbone" else ""
    native.run([
        "verilator", "--cc", "--exe", "--build", "-j", "1", "--top-module", f"haechi_ctr_{slave}", "--prefix",
        f"Vhaechi_ctr_{slave}", "--Mdir", folder / "made", "-DHAECHI_FPGA", "-Wno-fatal", *search,
        "--x-initial", "unique", BUS / f"haechi_ctr_{slave}.v", BUS / "driver/bus.cc",
        "-CFLAGS", f"-fPIC -O1{wishbone}", "-LDFLAGS", "-shared", "-o", bus,
    ])  # fmt: skip
    sources = [BUS / "driver/example.c", *native.sources()]
    program = native.build("bus_example", sources, [*native.USUAL, f"-Wl,-rpath,{folder}"], libs=[bus])
    return subprocess.run([program], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("slave", SLAVES)
def test_the_driver_agrees_with_the_library(slave):
    folder = BUILD / "rtl/bus" / slave
    folder.mkdir(parents=True, exist_ok=True)
    run = _example(slave, folder, SEARCH)
    assert run.returncode == 0 and run.stdout.startswith("the slave and the library agree"), run.stdout + run.stderr


FAULTS = {  # the file, and what to replace in it by what
    "the counter is little-endian": ("haechi_ctr.v", "count_q[8*(15-i)+:8];", "count_q[8*i+:8];"),
    "a key may be written in the middle of a block": (
        "haechi_ctr_registers.v", "wire write_refused = busy & (at_key |", "wire write_refused = busy & ("
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("fault", FAULTS)
def test_the_example_sees(fault, tmp_path):
    plant(tmp_path, *FAULTS[fault], files=BUS.glob("*.v*"))
    search = [f"-I{tmp_path}", "-y", tmp_path, "-y", native.ROOT / "rtl/lea", CELLS]
    run = _example("apb", tmp_path, search)
    assert run.returncode and "FAILED" in run.stdout, run.stdout + run.stderr
