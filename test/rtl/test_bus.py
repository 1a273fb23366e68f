# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slaves of rtl/bus: lint, the register map, and the example of the driver, which talks to them through Verilator."""

import subprocess
from pathlib import Path

import native
import pytest
import yaml
from engines import EACH_ENGINE, EACH_SLAVE, EVERY_ENGINE, FIRST, LONG
from planted import plant
from test_rtl import needs, unnamed

from bench.declared.engines import ENGINES, SLAVES
from bench.made import registers
from bench.made.build import BUILD
from bench.made.synth import CELLS

BUS = native.ROOT / "rtl/bus"
CORES = [word for cipher in ("lea", "hight", "aria") for word in ("-y", native.ROOT / "rtl" / cipher)]
SEARCH = [f"-I{BUS}", "-y", BUS, *CORES, CELLS]
OTHERS = [  # with every D that no engine of the table has
    *(("lea_serial", 128, d) for d in (2, 4, 16, 32)), *(("lea_long", key, d) for key in (192, 256) for d in (1, 2, 4, 16, 32)),
    *(("hight_serial", 128, d) for d in (2, 4)), *(("aria_wide", 128, d) for d in (8, 16, 64)), *(("aria_serial", 128, d) for d in (2, 4, 8)),
]  # fmt: skip


def _set(parameters: dict) -> list[str]:
    """Parameters of a slave, as Verilator takes them."""
    return [f'-G{name}="{value}"' if isinstance(value, str) else f"-G{name}={value}" for name, value in parameters.items()]


@EVERY_ENGINE
@pytest.mark.parametrize("slave", SLAVES)
def test_lint(slave, engine):
    needs("verilator")
    for variant in ([], ["-DHAECHI_FPGA"], ["-DHAECHI_ICG"]):
        command = ["verilator", "--lint-only", "-Wall", *unnamed(), *variant, *SEARCH, *_set(ENGINES[engine].parameters)]
        command += [BUS / f"haechi_ctr_{slave}.v", "--top-module", f"haechi_ctr_{slave}"]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == 0 and not run.stderr, run.stderr


@EVERY_ENGINE
@pytest.mark.parametrize("slave", SLAVES)
def test_icarus_reads_it(slave, engine):
    needs("iverilog")
    top = f"haechi_ctr_{slave}"
    set_to = [word.replace("-G", f"-P{top}.") for word in _set(ENGINES[engine].parameters)]
    run = subprocess.run(["iverilog", "-g2005", "-Wall", "-t", "null", *SEARCH, *set_to, "-s", top, BUS / f"{top}.v"],
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 0 and "error" not in run.stderr, run.stderr


def test_a_core_that_there_is_not_is_an_error():
    """The wrong name, or the wrong size of key for the core."""
    needs("verilator")
    for core, key in (("lea", 128), ("lea_serial", 256), ("lea_long", 128), ("hight_round", 256), ("aria_wide", 192)):
        command = ["verilator", "--lint-only", *SEARCH, f'-GCORE="{core}"', f"-GKEY={key}", BUS / "haechi_ctr_apb.v"]
        run = subprocess.run([*command, "--top-module", "haechi_ctr_apb"], capture_output=True, text=True)
        assert run.returncode and "haechi_ctr_has_no_such_core" in run.stderr


def test_the_map_stands_in_one_table():
    for path, text in registers.files().items():
        assert path.read_text() == text, f"python -m bench.made.registers writes {path.name} again"


def test_core_file_lists_every_file():
    """For FuseSoC, with targets for each slave."""
    content = yaml.safe_load((BUS / "haechi-bus.core").read_text().split("\n", 1)[1])
    listed = [name for file in content["filesets"]["rtl"]["files"] for name in ([file] if isinstance(file, str) else file)]
    assert sorted(listed) == sorted(path.name for path in BUS.glob("*.v*"))
    assert {target.partition("_")[2] for target in content["targets"] if "_" in target} == {f"haechi_ctr_{slave}" for slave in SLAVES}


def _example(slave: str, folder: Path, parameters: dict, search: list = SEARCH) -> subprocess.CompletedProcess:
    """Builds the example with a simulated slave and runs it."""
    needs("verilator")
    folder.mkdir(parents=True, exist_ok=True)
    bus = f"{folder}/bus.so"
    wishbone = " -DWISHBONE" if slave == "wishbone" else ""
    native.run([
        "verilator", "--cc", "--exe", "--build", "-j", "1", "--top-module", f"haechi_ctr_{slave}", "--prefix",
        f"Vhaechi_ctr_{slave}", "--Mdir", folder / "made", "-DHAECHI_FPGA", "-Wno-fatal", *search, *_set(parameters),
        "--x-initial", "unique", BUS / f"haechi_ctr_{slave}.v", BUS / "driver/bus.cc",
        "-CFLAGS", f"-fPIC{wishbone}", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "-LDFLAGS", "-shared", "-o", bus,
    ])  # fmt: skip
    sources = [BUS / "driver/example.c", *native.sources()]
    program = native.build("bus_example", sources, [*native.USUAL, f"-Wl,-rpath,{folder}"], libs=[bus])
    return subprocess.run([program], capture_output=True, text=True, timeout=60)


@EACH_ENGINE
@EACH_SLAVE
def test_the_driver_agrees_with_the_library(slave, engine):
    run = _example(slave, BUILD / "rtl/bus" / f"{slave}_{engine}", ENGINES[engine].parameters)
    agree = f"the slave and the library agree for {ENGINES[engine].core.cipher},"
    assert run.returncode == 0 and run.stdout.startswith(agree), run.stdout + run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("core, key, d", OTHERS)
def test_every_width_of_a_core(core, key, d):
    run = _example("apb", BUILD / "rtl/bus" / f"{core}_{key}_{d}", {"CORE": core, "KEY": key, "D": d})
    assert run.returncode == 0 and run.stdout.startswith("the slave and the library agree for"), run.stdout + run.stderr


FAULTS = {  # the engine, the file, and what to replace in it by what
    "the counter is little-endian": (FIRST, "haechi_ctr.v", "count_q[BLOCK-8*(i+1)+:8];", "count_q[8*i+:8];"),
    "a key may be written in the middle of a block": (
        FIRST, "haechi_ctr_registers.v", "wire write_refused = busy & (at_key |", "wire write_refused = busy & ("
    ),
    "the key has a word too many": (FIRST, "haechi_ctr_registers.v", "nth < kind", "nth <= kind"),
    "a new key does not end the key stream": (FIRST, "haechi_ctr.v", "run_q & ~changed", "run_q"),
    "old key stream stays behind a new key": (FIRST, "haechi_ctr.v", "restart = clear | start_i | changed", "restart = clear | start_i"),
    "the core does not wait": (FIRST, "haechi_ctr_pace.v", "valid_i & full_i |", ""),
    "a word of the key of LEA's smallest core enters in the wrong place": (
        "lea_latch", "haechi_ctr_lea.v", "{key_i[31:0], key_i[95:64],", "{key_i[95:64], key_i[31:0],"
    ),
    "the key enters a clock longer than the first block": ("latch_enc", "haechi_ctr_pace.v", "rst_q | late | enters", "rst_q | enters"),
    "the key enters in the wrong order": ("round_enc", "haechi_ctr_hight.v", "key_i[8*(15-i)+:8]", "key_i[8*i+:8]"),
    "the key is a digit late": ("aria_enc_32", "haechi_ctr_aria.v", ".digit_i(n), .lanes_i(key_i)", ".digit_i(n + 8'd1), .lanes_i(key_i)"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", [pytest.param(f, marks=pytest.mark.ci if FAULTS[f][0] not in LONG else ()) for f in FAULTS])
def test_the_example_sees(fault, tmp_path):
    engine, *what = FAULTS[fault]
    plant(tmp_path, *what, files=BUS.glob("*.v*"))
    run = _example("apb", tmp_path, ENGINES[engine].parameters, [f"-I{tmp_path}", "-y", tmp_path, *CORES, CELLS])
    assert run.returncode and "FAILED" in run.stdout, run.stdout + run.stderr
