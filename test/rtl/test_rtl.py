# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores in rtl/: lint, the cocotb bench (rtl/bench_cores.py), netlists through it, proofs (rtl/formal.v)."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Tree
from functools import cache
from pathlib import Path

import msgspec
from marks import LATER
from planted import plant
import pytest
import yaml
from cocotb.runner import Verilator, get_runner

from bench.declared.cores import CORES, Core, bench
from bench.declared.model import ROOT, BenchError
from bench.made.build import BUILD
from bench.made.liberty import Library, libraries, like, prepare
from bench.made.synth import CELLS, sources as files, synthesise, version, yosys
from bench.measured.gates import models
from bench.measured import fpga as fpgas, rtl
from bench.measured.fpga import ECP5, FPGAS, ICE40, mapped
from bench.measured.rtl import ALWAYS, IN_HARDWARE, WIDE, made_of

FAMILIES = sorted({core.family for core in CORES.values()})
ALL = [CELLS, *(path for family in FAMILIES for path in files(family) if path != CELLS)]
HERE = Path(__file__).parent
sys.path.append(str(HERE))  # whence the runner takes the simulator's PYTHONPATH


def needs(*tools: str) -> None:
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


SAMPLE = ("serial_enc_8", "latch_enc", "round_both", "lea_latch")  # a core of each kind that gates clocks
KINDS = (  # cores that make test runs every test of the bench on
    "serial_enc_1", "serial_both_8", "plain_enc_8", "latch_enc", "round_both", "replica_enc", "lea_enc_32",
)
ALIKE = ("aria_enc_8_1", "aria_enc_32", "aria_enc_128", "aria_both_8", "lea256_both_32")  # make test-ci has another core of the kind
# ARIA's cores would take the simulators as long as all others do. make test-all has benches of their own for them.
ARIA = [core for core in CORES.values() if core.family == "ARIA"]
LIGHT = [core for core in CORES.values() if core not in ARIA]
GROUPS = {"light": LIGHT, "aria": ARIA}
EACH_GROUP = pytest.mark.parametrize("group", [pytest.param("light", marks=LATER), pytest.param("aria", marks=pytest.mark.slow)])


class Verilated(Verilator):
    """With nothing public but what rtl/public.vlt names: half the time."""

    def _build_command(self):
        translate, make = super()._build_command()
        return [[word for word in translate if word != "--public-flat-rw"], [*make, "OPT_FAST=-O1", "OPT_SLOW=-O0"]]


def _bench(
    simulator: str, cores: list[Core], blocks: int, name: str, defines: tuple[str, ...] = (),
    sources: tuple[Path, ...] = (), testcase: str = "", top: str = "",
) -> None:
    """Builds the bench, or the text `top` in its place, with these cores and runs every test in it."""
    needs("iverilog" if simulator == "icarus" else simulator)
    folder = BUILD / "rtl/bench" / f"{simulator}_{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.v").write_text(top or bench())
    with_them = [f"-DWITH_{core.name}" for core in cores] + [f"-D{d}" for d in defines]
    arguments = (
        ["-g2005", *with_them] if simulator == "icarus"
        else ["--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN", *with_them,
              str(HERE / "public.vlt")]
    )  # fmt: skip
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # else the runner chooses a name for the results
    runner = get_runner("icarus") if simulator == "icarus" else Verilated()
    runner.build(
        verilog_sources=[folder / "bench.v", ROOT / "bench/made/lane.v", *(sources or ALL)],
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


@cache
def unnamed() -> list[str]:
    """Later editions of Verilator want a name for each generate block. A name would change those of cells, and
    therefore areas."""
    said = subprocess.run(["verilator", "--version"], capture_output=True, text=True, check=True).stdout
    return ["-Wno-GENUNNAMED"] if float(re.search(r"[0-9]+[.][0-9]+", said)[0]) > 5.03 else []


LINTED = ("lea_enc_32", "lea_both_32", "lea192_enc_32", "lea_latch", "aria_enc_8_1", "aria_both_8")  # one of each module


@pytest.mark.parametrize("core", [
    pytest.param(core, id=core.name, marks=() if core.family == "HIGHT" or core.name in LINTED else LATER) for core in CORES.values()
])  # fmt: skip
def test_lint(core):
    """verilator -Wall has nothing to say, for chips with each kind of clock gate and for FPGAs."""
    needs("verilator")
    parameters = [f"-G{k}={v}" for k, v in core.parameters.items()]
    folder = ROOT / "rtl" / core.family.lower()
    for variant in ([], ["-DHAECHI_FPGA"], *[["-DHAECHI_ICG"]] * (core.name in SAMPLE)):
        command = ["verilator", "--lint-only", "-Wall", *unnamed(), "-y", folder, CELLS, *variant, *parameters]
        run = subprocess.run([*command, folder / f"{core.top}.v", "--top-module", core.top], capture_output=True, text=True)
        assert run.returncode == 0 and not run.stderr, run.stderr


@pytest.mark.parametrize(
    "core, only",
    [
        *[
            pytest.param(core, "", id=core.name, marks=pytest.mark.full if core.name in KINDS else
                         pytest.mark.slow if core.name in ALIKE else LATER)
            for core in CORES.values()
        ],
        *[
            pytest.param(CORES[name], "random_blocks", id=f"{name}-blocks", marks=pytest.mark.full)
            for name in ("pipe_enc", "lea_latch", "lea_both_32", "aria_both_32")
        ],
    ],
)
def test_icarus(core, only):
    """A few blocks. In a bench of its own, because the clock turns in all cores of a bench. Cores that are large, or take many
    clocks, need up to ten seconds for all tests, so that make test gives them random blocks alone."""
    _bench("icarus", [core], 8, f"chip_{core.name}_{only}", testcase=only)


# Verilator computes the logic of all cores of a bench at each step, so that ARIA's cores, which are large, are faster one by one.
@pytest.mark.parametrize("group", [pytest.param("light", marks=LATER), *(pytest.param(c.name, marks=pytest.mark.slow) for c in ARIA)])
def test_verilator(group):
    """Cores with gated clocks, 1,000 random blocks."""
    _bench("verilator", LIGHT if group == "light" else [CORES[group]], 1_000, f"chip_{group}")


TOPS = ("hight_serial", "lea_serial")  # their cores share a bench each, and all others but ARIA's a third one
BENCHES = {top: [core for core in LIGHT if core.top == top] for top in TOPS}
BENCHES["others"] = [core for core in LIGHT if core.top not in TOPS]


@pytest.mark.parametrize("group, blocks", [
    *(pytest.param(g, 2_000, id=g, marks=LATER) for g in BENCHES),
    *(pytest.param(g, 10_000, id=f"{g}-many", marks=pytest.mark.slow) for g in (*BENCHES, *(core.name for core in ARIA))),
])  # fmt: skip
def test_verilator_fpga(group, blocks):
    """Every core with enables, which Verilator runs faster: 10,000 random blocks, and in make test-ci 2,000."""
    _bench("verilator", BENCHES.get(group) or [CORES[group]], blocks, f"fpga_{group}_{blocks}", ("HAECHI_FPGA",))


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.name)
def test_many_blocks(core):
    """100,000 random blocks each, with gated clocks."""
    _bench("verilator", [core], 100_000, f"many_{core.name}", testcase="random_blocks")


# ---- Inputs that change after the falling edge of the clock.

@pytest.mark.parametrize(
    "core",
    [
        pytest.param(core, id=core.name, marks=LATER if core.name == "lea_latch" else
                     pytest.mark.full if core.name in SAMPLE else pytest.mark.slow)
        for core in CORES.values()
    ],
)
def test_all_inputs_after_the_falling_edge(core):
    """With integrated clock gates no input needs to wait for the rising edge."""
    _bench("icarus", [core], 8, f"icg_{core.name}", ("HAECHI_ICG", "ALL_AFTER_FALL"))


@EACH_GROUP
@pytest.mark.parametrize(
    "defines", [("HAECHI_ICG",), ("DATA_AFTER_FALL",), ("HAECHI_ICG", "HAECHI_FPGA", "ALL_AFTER_FALL")], ids="-".join
)
def test_the_other_edges(defines, group):
    """Integrated clock gates take inputs after the rising edge too, gates of an OR take data after either edge, and
    enables take all inputs after either edge."""
    _bench("icarus", GROUPS[group], 8, f"edges_{group}_{'_'.join(defines)}", defines)


@pytest.mark.slow
@pytest.mark.ci
def test_gates_of_an_or_need_control_while_the_clock_is_high():
    """The reason for the constraint in haechi.sdc: a reset that ends after the falling edge makes this core useless."""
    with pytest.raises(AssertionError, match="random_blocks"):
        _bench("icarus", [CORES["serial_enc_8"]], 8, "or_after_fall", ("ALL_AFTER_FALL",), testcase="random_blocks")


# ---- Unknown values at the inputs of data and key, outside the clocks in which the core takes them.

def _unknown(core: Core) -> str:
    """The bench, in which no digit of data or key is known while the core does not take one."""
    name, text = core.name, bench()
    data, key, width = f"{name}_data_i", f"{name}_key_i", core.key_width
    takes = f"{name}_ready" if core.keyed else f"{key}[{width}]" if core.late else f"~{name}_rst_ni"
    known = f"{takes} ? {key}[{width - 1}:0] : {width}'bx"
    for port, was, now in (
        ("data_i", data, f"{name}_ready ? {data} : {core.data_width}'bx"),
        ("key_i", key, f"{{{key}[{width}], {known}}}" if core.late else known),
    ):
        assert text.count(f".{port}({was})") == 1
        text = text.replace(f".{port}({was})", f".{port}({now})")
    return text


@pytest.mark.parametrize("core", [
    pytest.param(core, id=core.name, marks=pytest.mark.full if core.name == "lea_enc_32" else
                 LATER if core.name in (*KINDS, "lea_latch", "aria_both_32") else pytest.mark.slow)
    for core in CORES.values()
])  # fmt: skip
def test_inputs_are_unknown_where_they_have_no_meaning(core):
    _bench("icarus", [core], 8, f"unknown_{core.name}", testcase="random_blocks", top=_unknown(core))


# ---- Faults.

FAULTS = {  # the core that a fault is planted in, the file, and what to replace in it by what
    "a rotation": ("serial_enc_2", "hight_serial_f.v", "pair[6+:D] : pair[4+:D]", "pair[5+:D] : pair[4+:D]"),
    "a tap of delta": ("serial_enc_2", "hight_serial_delta.v", "slot_end_i & delta_q[D+2]", "slot_end_i & delta_q[D+1]"),
    "the key is taken a clock late": (
        "serial_enc_2", "hight_serial_keys.v", "always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ?",
        "reg late_q; always @(posedge clk_i) late_q <= rst_ni; always @(posedge clk_upper) upper_q <= {late_q ?",
    ),
    "a ring does not rest": ("serial_enc_2", "hight_serial_keys.v", "wire hold_upper = pause_i", "wire hold_upper = 1'b0"),
    "the last round turns": ("serial_enc_2", "hight_serial_control.v", "pause_o & ~dec_i;", "pause_o & ~dec_i & ~last_i;"),
    "a carry goes on to the next byte": (
        "serial_enc_2", "hight_serial_adders.v", "carry[D] & mid_slot_i;\n        end", "carry[D];\n        end"
    ),
    "E does not hold": ("serial_enc_2", "hight_serial_text.v", ".hold_i(jump_i)", ".hold_i(1'b0)"),
    "LEA's key takes a constant in the pass between both directions": ("lea_both_4", "lea_both.v", "undo & ~back", "1'b0"),
    "words of LEA-256's key move on in that pass": ("lea256_both_128", "lea_both_keys.v", ".hold_i(undo_i & ~back_i)", ".hold_i(1'b0)"),
    "ARIA's core with one S-box does not stall": ("aria_enc_8_4", "aria_serial.v", ".STALL(STALL)", ".STALL(1'b0)"),
    "ARIA's wide core does not stall": ("aria_both_32", "aria_wide.v", ".STALL(STALL)", ".STALL(1'b0)"),
    "the words of ARIA's key move on while a block enters": (
        "aria_both_128", "aria_wide_keys.v", ".hold_i(stay_i & ~rst_i)", ".hold_i(1'b0)"
    ),
}  # fmt: skip


SLOW_FAULTS = ["a carry goes on to the next byte", "E does not hold", *[f for f in FAULTS if FAULTS[f][0] != "serial_enc_2"]]


@pytest.mark.parametrize(
    "fault", [pytest.param(f, marks=pytest.mark.slow if f in SLOW_FAULTS else pytest.mark.full) for f in FAULTS]
)
def test_bench_sees(fault, tmp_path):
    name, file, right, wrong = FAULTS[fault]
    faulty = plant(tmp_path, file, right, wrong, files(CORES[name].family))
    with pytest.raises(AssertionError, match="random_blocks"):
        _bench("icarus", [CORES[name]], 8, "fault", sources=faulty)


# ---- FuseSoC.


@pytest.mark.parametrize("family", [family.lower() for family in FAMILIES])
def test_core_file_lists_every_file(family):
    """And has lint and an FPGA for each core but the replica."""
    folder = ROOT / "rtl" / family
    content = yaml.safe_load((folder / f"haechi-{family}.core").read_text().split("\n", 1)[1])
    listed = content["filesets"]
    assert sorted(listed["rtl"]["files"]) == sorted(p.name for p in folder.glob("*.v"))
    assert listed["tb"]["files"] == [str(p.relative_to(folder)) for p in folder.glob("tb/*.v")]
    tops = {core.top for core in CORES.values() if core.family.lower() == family and core.name != "replica_enc"}
    assert {target.partition("_")[2] for target in content["targets"] if "_" in target} == tops
    for name, target in content["targets"].items():
        assert "default_tool" not in target and (name == "default" or target["flow"]), name


def test_core_file_lists_the_cells():
    listed = yaml.safe_load((CELLS.parent / "haechi-cells.core").read_text().split("\n", 1)[1])["filesets"]
    assert listed["rtl"]["files"] == [p.name for p in CELLS.parent.glob("*.v")]
    assert listed["constraints"]["files"] == [p.name for p in CELLS.parent.glob("*.sdc")]


@pytest.mark.parametrize(
    "family, d", [(family, d) for family, ds in (("hight", (1, 2, 4, 8)), ("lea", (1, 8, 32)), ("aria", (1, 8))) for d in ds]
)
def test_smallest_bench(family, d, tmp_path):
    """What the sim target runs."""
    needs("iverilog")
    out = tmp_path / "tb.vvp"
    sources = [ROOT / f"rtl/{family}/tb/{family}_tb.v", *files(family)]
    subprocess.run(["iverilog", "-g2001", f"-P{family}_tb.D={d}", "-s", f"{family}_tb", "-o", out, *sources], check=True)
    said = subprocess.run(["vvp", "-n", out], capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.split("\n")[:-1] == [f"{family}_tb: passed"] * (2 if family == "hight" else 1)


# ---- Mapped netlists.


def _library() -> Library:
    needs("yosys")
    library = next(x for x in libraries() if x.name == "osu018")
    if not library.path():
        pytest.skip(f"{library.package} is not installed, nor is its library in HAECHI_LIBERTY")
    return library


@pytest.mark.parametrize(
    "core",
    [
        pytest.param(core, id=core.name, marks=pytest.mark.full if core.name == "serial_enc_1" else pytest.mark.slow)
        for core in CORES.values()
    ],
)
def test_results_are_what_is_measured(core):
    row = next(r for r in IN_HARDWARE.read("rtl") if (r.core, r.library) == (core.name, "osu018"))
    netlist = synthesise(core.family, core.top, {**core.parameters, "STALL": 0}, _library())
    if not row.tool.startswith(f"{version('yosys')},"):
        pytest.skip(f"the row is of {row.tool}, this is {version('yosys')}")
    assert (row.area_ge, row.cells, row.flipflops) == (netlist.area, netlist.cells, netlist.flipflops)


def test_results_have_no_other_cores():
    assert {r.core for r in IN_HARDWARE.read("rtl")} == set(CORES)


@pytest.mark.parametrize(
    "core, fpga",
    [
        pytest.param(core, fpga, id=f"{core}-{fpga.name}",
                     marks=pytest.mark.full if (core, fpga) == ("serial_enc_1", ECP5) else pytest.mark.slow)
        for core in ("serial_enc_1", "lea_latch", "aria_enc_8_1") for fpga in FPGAS.values()
    ],
)  # fmt: skip
def test_results_of_fpgas_are_what_is_measured(core, fpga):
    needs("yosys")
    row = next(r for r in IN_HARDWARE.read("rtl") if (r.core, r.library) == (core, fpga.name))
    if row.tool.partition(",")[0] != version("yosys"):
        pytest.skip(f"the row is of {row.tool}, this is {version('yosys')}")
    used = mapped(CORES[core], fpga)
    assert (row.luts, row.flipflops) == (used.luts, used.flipflops)


def test_every_row_has_a_digest():
    """By whatever tools it was made."""
    assert not [(row.core, row.library) for row in IN_HARDWARE.read("rtl") if not re.fullmatch("[0-9a-f]{24}", row.made_of)]


def test_rows_are_of_the_present_state():
    """Those that were made with the tools that are installed here, in libraries that are here: make report keeps them."""
    needs("yosys", "nextpnr-ice40", "iverilog", "sta")
    where = {library.name: library for library in libraries() if library.path()} | FPGAS
    rows = [r for r in IN_HARDWARE.read("rtl") if r.library in where and r.tool.partition(",")[0] == version("yosys")]
    if not rows:
        pytest.skip(f"no row is of {version('yosys')}")
    old = [(row.core, row.library) for row in rows if row.made_of != made_of(CORES[row.core], where[row.library])]
    assert not old, "make report TARGET=rtl measures them again"


@pytest.mark.parametrize("where", [*FPGAS.values(), *libraries()], ids=lambda where: where.name)
def test_a_row_is_measured_again_when_its_core_has_changed(where, tmp_path, monkeypatch):
    needs("yosys", "nextpnr-ice40", "iverilog", "sta")
    if where.name not in FPGAS and not where.path():
        pytest.skip(f"{where.liberty} is not here")
    core = CORES["lea_enc_4"]
    row = next(r for r in IN_HARDWARE.read("rtl") if (r.core, r.library) == (core.name, where.name))
    copies = plant(tmp_path, "lea_add.v", "posedge", "posedge", files("LEA"))
    monkeypatch.setattr(fpgas, "sources", lambda family: copies)
    kept = msgspec.structs.replace(row, made_of=made_of(core, where))
    monkeypatch.setattr(type(IN_HARDWARE), "read", lambda self, target: [kept])
    for measure in ("in_fpga", "in_cells"):
        monkeypatch.setattr(rtl, measure, lambda core, where: "measured")
    assert rtl.rows(rtl.TARGET, (core, [where])) == [kept]
    plant(tmp_path, "lea_latch.v", "module lea_latch", "module  lea_latch")  # of another core
    assert rtl.rows(rtl.TARGET, (core, [where])) == [kept]
    plant(tmp_path, "lea_add.v", "carry[D] & more_i", "carry[D]")
    assert rtl.rows(rtl.TARGET, (core, [where])) == ["measured"]


def test_some_rows_are_measured_every_time(monkeypatch):
    """So that make report finds what no digest sees."""
    for measure in ("in_fpga", "in_cells"):
        monkeypatch.setattr(rtl, measure, lambda core, where: (core.name, where.name))
    parts = [part for part in rtl.parts(rtl.TARGET, FAMILIES).values() if part[0].name in ALWAYS]
    fresh = [row for part in parts for row in rtl.rows(rtl.TARGET, part)]
    assert fresh == [(core.name, where.name) for core, places in parts for where in places] != []


def test_two_processes_never_simulate_one_netlist():
    """They would write the same files."""
    parts = rtl.parts(rtl.TARGET, FAMILIES).values()
    netlists = [(core.name, name) for core, places in parts for name in {like(x).name for x in places if x.name not in FPGAS}]
    assert len(netlists) == len({*netlists}) > 0


def test_every_core_has_rows_of_fpgas():
    """But in the iCE40 for those with too many ports."""
    found = {(r.core, r.library) for r in IN_HARDWARE.read("rtl")}
    for fpga in FPGAS.values():
        assert {c for c, library in found if library == fpga.name} == {*CORES} - {*WIDE * (fpga == ICE40)}


def test_every_core_has_rows_of_every_library():
    """With its area, without and with the buffers, its energy and its clock rate."""
    measured = {
        (r.core, r.library) for r in IN_HARDWARE.read("rtl") if all((r.area_ge, r.closed_area_ge, r.energy_per_block_pj, r.fmax_mhz))
    }
    assert {(core, library.name) for core in CORES for library in libraries()} <= measured


def test_cells_that_an_fpga_does_not_have_are_an_error():
    needs("yosys")
    with pytest.raises(BenchError, match="TRELLIS_FF is not known"):
        mapped(CORES["serial_enc_1"], msgspec.structs.replace(ECP5, flipflops="(?!)"))



@pytest.mark.slow
@pytest.mark.parametrize("core", [c for c in CORES.values() if c.name != "pipe_enc"], ids=lambda core: core.name)
def test_netlist(core, tmp_path):
    """What synthesis made of a core passes the same bench."""
    library = _library()
    netlist = synthesise(core.family, core.top, core.parameters, library)
    mapped = tmp_path / "core.v"
    text = Path(netlist.path).read_text()
    mapped.write_text(re.sub(rf"\bmodule {core.top}\b", f"module {core.name}", text))
    _bench("icarus", [core], 16, f"netlist_{core.name}", ("NETLIST",), (mapped, models(library)))


@pytest.mark.parametrize(
    "core",
    [
        *[pytest.param(CORES[name], id=name, marks=LATER) for name in ("serial_both_8", "latch_enc", "round_both", "replica_enc")],
        *[pytest.param(core, id=core.name, marks=pytest.mark.slow) for core in ARIA],
    ],
)
def test_constraints(core, tmp_path):
    """haechi.sdc lets data and key arrive after the falling edge, so they reach no clock gate. Control may not do that
    where an OR gates the clock: static timing then finds a violated check of a gate."""
    needs("sta")
    library = _library()
    netlist = synthesise(core.family, core.top, core.parameters, library)
    flat = tmp_path / "flat.v"  # OpenSTA reads no assignment to parts
    yosys(f"read_verilog {netlist.path}; splitnets; clean -purge; write_verilog -noattr -noexpr {flat}", core.name)

    def slack(icg: int) -> float:
        script = tmp_path / "sta.tcl"
        script.write_text(
            f"read_liberty {prepare(library)[0]}\nread_verilog {flat}\nlink_design {core.top}\n"
            f"set haechi_period 1000.0\nset haechi_icg {icg}\nsource {ROOT / 'rtl/cells/haechi.sdc'}\nreport_worst_slack\nexit\n"
        )
        run = subprocess.run(["sta", "-no_splash", script], capture_output=True, text=True, check=True)
        assert "rror" not in run.stdout + run.stderr, run.stdout + run.stderr
        return float(re.search(r"worst slack (-?[\d.]+)", run.stdout)[1])

    assert slack(0) >= 0 > slack(1)  # paths through open latches have a slack of 0


# ---- Proofs, by induction over the rounds: rtl/formal.v. test_proof_rtl.py proves more, of whole cores, in make test.

def _prove(define: str, clocks: int, start: str, more: str, prove: str) -> None:
    """From the state `start` at one clock, `prove` holds `clocks` later, for whatever is left open."""
    needs("yosys")

    def sets(option: str, text: str) -> str:
        return " ".join(f"{option} {'core.' * ('_q' in left)}{left} {right}" for left, right in (
            pair.split("=") for pair in text.split()))  # fmt: skip

    sources = " ".join(map(str, files("HIGHT")))
    script = (
        f"read_verilog -sv -formal -DHAECHI_FPGA -D{define} {HERE / 'formal.v'}; read_verilog -DHAECHI_FPGA {sources}; "
        "hierarchy -top formal; proc; flatten; dffunmap; setattr -set keep 1 w:*_q w:*_i w:*_k w:*_x w:*_y; "
        f"sat -seq {clocks + 1} -prove-skip {clocks} -set-assumes {sets('-set-at 1', start + ' ' + more)} "
        f"{sets('-prove', prove)} formal"
    )
    run = subprocess.run(["yosys", "-p", script], capture_output=True, text=True, timeout=600)
    assert "no model found: SUCCESS" in run.stdout, (run.stdout + run.stderr)[-1500:]


# The registers of hight_round and hight_serial, and the words of formal.v that belong in them before or after a round.
ROUND = (
    "a_q=a_{0} b_q=b_{0} rounds_q=ones lower_q=lower_{0} upper_q=upper_{0} delta_q=delta_{0} count_q=count_{0}"
)
SERIAL = (
    "text.e_q=e_{0} text.f_q=f_{0} text.o_q=o_{0} text.o_top_q=top_{0} keys.lower_q=lower_{0} keys.upper_q=upper_{0} "
    "deltas.delta_q=delta_{0} control.count_q=count_{0} control.rounds_q=ones"
)


def wide(dec: bool, more: str, prove: str) -> None:
    """A round of the round-based core: one clock."""
    _prove(f"ROUND {'-DDEC' if dec else ''}", 1, ROUND.format("from"), more, prove)


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("dec", [False, True])
def test_round_is_the_specification(dec):
    """Any state, key and round but the last; then the last one and the output."""
    wide(dec, "last=0", ROUND.format("to"))
    wide(dec, "last=1", "valid=ones result=block")


@pytest.mark.slow
@pytest.mark.ci
def test_proofs_can_fail():
    with pytest.raises(AssertionError, match="model found"):
        wide(False, "last=0", "a_q=a_from")


def serial(d: int, dec: bool, i: int) -> None:
    """Round i of a serial core: 32 / d clocks."""
    start = SERIAL.format("from") + " control.slot_q=0"
    if d < 8:
        start += " control.g_clocks.clock_q=0 adders.g_carry.carry_q=0 adders.g_carry.sk_carry_q=0"
    end = SERIAL.format("to")
    _prove(f"SERIAL={d} {'-DDEC' if dec else ''}", 32 // d, start, f"i=5'd{i}", end)


def latch(i: int) -> None:
    """Round i of the core with the key in latches."""
    def state(at: str) -> str:
        rows = " ".join(
            f"g_row[{7 - n}].row_{half}.row_q={half}_{at}[{8 * n + 7}:{8 * n}]"
            for half in ("lower", "upper")
            for n in range(8)
        )
        text = "e_q=e_{0} f_q=f_{0} o_q=o_{0} s_q=s_{0} delta_q=delta_{0} count_q=window_{0} rounds_q=ones".format(at)
        return f"{text} {rows}"

    _prove("LATCH", 32, f"{state('from')} slot_q=0 clock_q=0 carry_q=0 sk_carry_q=0", f"i=5'd{i}", state("to"))


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("dec", [False, True])
def test_serial_round_is_the_specification(dec):
    """One round at 8 bits, for any text and key."""
    serial(8, dec, 13)


@pytest.mark.slow
@pytest.mark.parametrize("dec", [False, True])
@pytest.mark.parametrize(("d", "rounds"), [(8, range(31)), (4, (0, 13, 30)), (2, (0, 13, 30)), (1, (0, 13, 30))])
def test_serial_is_the_specification(d, rounds, dec):
    """Every round but the last at 8 bits, three of them at fewer."""
    for i in rounds:
        serial(d, dec, i + dec)


@pytest.mark.slow
@pytest.mark.parametrize("i", [0, 13, 30])
def test_latch_is_the_specification(i):
    latch(i)
