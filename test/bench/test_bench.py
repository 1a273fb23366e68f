# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parts of the bench: declarations are checked, unchanged things are not built again, sizes add up."""

import re
import shlex
import shutil
from pathlib import Path

import msgspec
import pytest

from bench.declared import model
from bench.declared.model import BenchError, MissingTool
from bench.made import build, cache
from bench.made.elf import Image
from bench.measured import gateway, host, java, kernels as measure, measurement, openssl, python, threads
from bench.simulated.msp430 import leaves

CARD = """
cipher: HIGHT
machine: any
kernels:
  hight_c: {summary: s, constant_time: no, because: b, wipes: false, on: [host], lanes: 8}
"""
PAPER = """
year = 2019
[[software]]
id = "a"
cipher = "HIGHT"
target = "avr"
enc = 157
"""
TARGETS = model.load_targets()


@pytest.fixture
def tree(tmp_path):
    """A project of one card, one paper and the real targets."""
    for folder in ("src/hight/c", "papers", "bench/declared"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "bench/declared/targets").symlink_to(model.ROOT / "bench/declared/targets")
    (tmp_path / "src/hight/c/hight_c.c").touch()
    (tmp_path / "src/hight/c/card.yml").write_text(CARD)
    (tmp_path / "papers/p.toml").write_text(PAPER)
    return tmp_path


def test_rooms_import_from_those_before_them():
    """Before all of them stands setup.py, which imports nothing of the project."""
    rooms = ["setup", "declared", "made", "simulated", "measured", "reported"]
    for path in (model.ROOT / "bench").glob("*/*.py"):
        imported = re.findall(r"^\s*(?:from|import) bench\.(\w+)", path.read_text(), re.M)
        assert all(rooms.index(room) <= rooms.index(path.parent.name) for room in imported), path


def test_all_that_is_declared_loads():
    assert {"avr", "msp430", "host"} <= set(TARGETS) and model.load_papers() and model.load_cards()


def test_words_of_yaml_are_words(tree):
    kernel = model.load_cards(tree)[0].kernels["hight_c"]
    assert (kernel.constant_time, kernel.on, kernel.wipes) == ("no", ["host"], False)


@pytest.mark.guards("answers")
@pytest.mark.parametrize(
    "old, new, named",
    [
        ("lanes: 8", "lanes: many", ["kernels.hight_c", "lanes"]),
        ("lanes: 8", "lane: 8", ["kernels.hight_c", "lane"]),
        ("because: b, ", "", ["kernels.hight_c", "because"]),
        ("constant_time: no", "constant_time: yes", ["kernels.hight_c", "constant_time"]),
        ("cipher: HIGHT", "cipher: AES", ["cipher"]),
        ("machine: any", "machine: pdp11", ["machine", "pdp11"]),
        ("on: [host]", "on: [pdp11]", ["kernels.hight_c.on[0]", "pdp11"]),
        ("  hight_c:", "  hight_d:", ["kernels.hight_d", "hight_d.S"]),
        ("lanes: 8", "answers: [{row: p/b}]", ["kernels.hight_c.answers[0].row", "papers/p.toml"]),
        ("lanes: 8", "answers: [{row: q/a}]", ["kernels.hight_c.answers[0].row", "papers/q.toml"]),
        ("lanes: 8", "lanes: 8, survivors: [{at: x}]", ["kernels.hight_c", "survivors", "why"]),
        ("lanes: 8", "stack: {enc: 2, foo: 3}", ["kernels.hight_c", "stack"]),
        ("kernels:", "kernels: [", ["card.yml"]),
    ],
)
def test_wrong_card_is_named(tree, old, new, named):
    (tree / "src/hight/c/card.yml").write_text(CARD.replace(old, new))
    with pytest.raises(BenchError) as error:
        model.load_cards(tree)
    assert all(word in str(error.value) for word in ["src/hight/c/card.yml", *named])


@pytest.mark.parametrize(
    "old, new, named",
    [
        ("enc = 157", 'enc = "157"', ["software[0].enc"]),
        ("enc = 157", "encryption = 157", ["software[0]", "encryption"]),
        ("year = 2019", "", ["year"]),
        ("enc = 157", 'enc = 157\n[[software]]\nid = "a"\ncipher = "HIGHT"\ntarget = "avr"', ["software[1].id"]),
        ("year = 2019", "year =", ["line 2"]),
    ],
)
def test_wrong_paper_is_named(tree, old, new, named):
    (tree / "papers/p.toml").write_text(PAPER.replace(old, new))
    with pytest.raises(BenchError) as error:
        model.load_papers(tree)
    assert all(word in str(error.value) for word in ["papers/p.toml", *named])


@pytest.mark.parametrize(
    "old, new, named",
    [
        ('name = "avr"', 'name = "rva"', ["name"]),
        ('package = "gcc-avr"', 'package = "gcc-rva"', ["needs[1]", "gcc-rva"]),
        ('command = "avr-gcc"\n', "", ["needs[1]"]),
        ('machine = "avr"', 'machine = "sim"', ["machine"]),
    ],
)
def test_wrong_target_is_named(tmp_path, old, new, named):
    text = (model.ROOT / "bench/declared/targets/avr.toml").read_text()
    assert old in text
    (tmp_path / "avr.toml").write_text(text.replace(old, new))
    with pytest.raises(BenchError) as error:
        model.load_target(tmp_path / "avr.toml")
    assert all(word in str(error.value) for word in ["avr.toml", *named])


def test_missing_tools_are_named_with_their_packages():
    needs = [
        model.Need(package="nowhere", command="haechi-no-such-tool"),
        model.Need(package="elsewhere", header="haechi/no_such.h", compiler="gcc"),
    ]
    with pytest.raises(MissingTool) as error:
        build.check(msgspec.structs.replace(TARGETS["avr"], needs=needs))
    for word in ("haechi-no-such-tool", "nowhere", "no_such.h", "elsewhere"):
        assert word in str(error.value)


def test_only_changes_are_built(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    monkeypatch.setattr(cache, "KEPT", tmp_path / "kept")
    ran = []
    monkeypatch.setattr(build, "run", lambda command, run=build.run: ran.append(command) or run(command))
    (tmp_path / "a.h").write_text("enum { A = 1 };\n")
    (tmp_path / "b.h").write_text('#include "a.h"\n')
    source = tmp_path / "c.c"
    source.write_text('#include "b.h"\nint c(void);\nint c(void) { return A; }\n')

    def made() -> Path:
        return build.compile("gcc", source, ["-O1"])

    first = made()
    source.touch()
    assert made() == first and len(ran) == 1
    (tmp_path / "a.h").write_text("enum { A = 2 };\n")
    second = made()
    assert second != first and len(ran) == 2
    assert build.compile("gcc", source, ["-O2"]) not in (first, second)
    (tmp_path / "a.h").write_text("enum { A = 1 };\n")
    assert made() == first


def test_what_does_not_compile_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    (tmp_path / "c.c").write_text("int c(void) { return x; }\n")
    with pytest.raises(BenchError, match="c.c"):
        build.compile("gcc", tmp_path / "c.c", [])
    assert not list((tmp_path / "build").rglob("*.o"))


SIZES = """
    .macro DEF name, type
    .type \\name, \\type
    .global \\name
\\name:
    .endm
    .section .text.sizes, "ax"
    DEF sizes_start, %function
    rcall sizes_helper
    ldi r30, lo8(sizes_constants)
    ldi r26, lo8(sizes_table)
    ret
    .size sizes_start, . - sizes_start
    .section .text.sizes_helper, "ax"
    DEF sizes_helper, %function
    rcall .Lpart
    ret
.Lpart:
    ret
    .size sizes_helper, . - sizes_helper
    .section .progmem.data.sizes, "a"
    DEF sizes_constants, %object
    .byte 1, 2, 3
    .size sizes_constants, 3
    .section .data.sizes, "aw"
    .global __do_copy_data
    DEF sizes_other, %object
    .byte 0
    .size sizes_other, 1
    .balign 16
    DEF sizes_table, %object
    .fill 16
    .size sizes_table, 16
"""


def test_sizes_follow_references(tmp_path):
    """8 bytes of code call 6 more bytes, and refer to 3 bytes of constants and to a table of 16 bytes after 15 bytes of
    padding."""
    (tmp_path / "sizes.S").write_text(SIZES)
    card = next(c for c in model.load_cards() if "hight_c" in c.kernels)
    image = Image(build.elf(TARGETS["avr"], "atmega128", card, "hight_c", [tmp_path / "sizes.S"]))
    needs = image.needs([image.address("sizes_start")])
    assert {s.name for s in needs.symbols} == {"sizes_start", "sizes_helper", "sizes_constants", "sizes_table"}
    assert (needs.constants, needs.tables, needs.image, needs.alignment) == (3, 31, 31, 16)
    assert needs.code == 8 + 6 + 3 + 31
    alone = image.needs([image.address("sizes_helper")])
    assert (alone.code, alone.tables) == (6, 0)
    with pytest.raises(BenchError, match="no function"):
        image.needs([image.address("sizes_start") + 2])


JUMPS = """
    .macro DEF name
    .type \\name, %function
    .global \\name
\\name:
    .endm
    .section .text.jumps, "ax"
    DEF jumps_runs_on
    inc r12
    .size jumps_runs_on, . - jumps_runs_on
    DEF jumps_middle
    jz .Lend
    ret
    .size jumps_middle, . - jumps_middle
    DEF jumps_end
.Lend:
    jz .Lend
    br #jumps_middle
    .size jumps_end, . - jumps_end
"""


def test_sizes_follow_jumps_without_relocations(tmp_path):
    """On MSP430 the assembler resolves jumps inside a section."""
    (tmp_path / "jumps.S").write_text(JUMPS)
    target, card = TARGETS["msp430"], next(c for c in model.load_cards() if "hight_c" in c.kernels)
    image = Image(build.elf(target, target.chip, card, "hight_c", [tmp_path / "jumps.S"]), leaves)
    sizes = [image.needs([image.address(f"jumps_{name}")]).code for name in ("runs_on", "middle", "end")]
    assert sizes == [2 + 4 + 6, 4 + 6, 4 + 6]


def test_csv_comes_back_and_narrow_runs_keep_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr(measurement, "RESULTS", tmp_path / "r")
    row = measure.Row("HIGHT", "k", "enc", 1, 974, 121.75, 1878, 1880, 658, 660, 662, "assembly", "a, b", "n; m")
    lea = msgspec.structs.replace(row, cipher="LEA-128", cpb=10.0)
    path = tmp_path / "r/avr.csv"
    measure.KERNELS.write("avr", [row, lea])
    assert measure.KERNELS.read("avr") == [lea, row]
    assert path.read_text().splitlines()[0].split(",") == list(measure.Row.__struct_fields__)
    faster = msgspec.structs.replace(row, cycles=900)
    measure.KERNELS.write("avr", [faster])
    assert measure.KERNELS.read("avr") == [lea, faster]
    path.write_text(path.read_text().replace("900", "many"))
    with pytest.raises(BenchError, match="line 3.*cycles"):
        measure.KERNELS.read("avr")
    path.write_text(path.read_text().replace("cpb", "cycles per byte"))
    with pytest.raises(BenchError, match="no column cpb"):
        measure.KERNELS.read("avr")


def test_slots_are_those_of_the_header():
    """Sizes belong to operations by the place of a pointer in the descriptor."""
    text = (model.ROOT / "src/core/kernel.h").read_text().partition("struct haechi_kernel {")[2].partition("\n};")[0]
    small = text.partition("#if !HAECHI_MICRO")[0]
    for fields, slots in ((small, measure.SLOTS), (text, host.SLOTS)):
        assert tuple(a or b for a, b in re.findall(r"void \(\*(\w+)\)|char \*(\w+);", fields)) == slots


def test_rows_of_another_compiler_are_not_compared():
    stored = measure.Row("HIGHT", "k", "enc", 1, 974, 121.75, 1878, 1900, 658, 660, 662, "gcc 5", "a")
    changed = msgspec.structs.replace(stored, cycles=975)
    assert measurement.differences([stored], [changed]) == [stored, changed]
    assert measurement.differences([stored], [msgspec.structs.replace(changed, compiler="gcc 14")]) == []
    assert measurement.differences([stored], [stored]) == []


def test_every_slot_is_measured_and_checked():
    """A kernel that has all slots: rows of many blocks go through bulk, and key stream is not counter mode."""
    kernel = model.Kernel(summary="toy", constant_time="addresses", because="toy", wipes=False)
    card = model.Card(model.ROOT / "test/bench/toy/card.yml", "HIGHT", "avr", {"hight_toy": kernel})
    rows = measure.rows(TARGETS["avr"], (card, "hight_toy"))
    by_operation = {(row.operation, row.blocks): row for row in rows}
    assert set(by_operation) == {("eks", 1), ("dks", 1), ("enc", 1), ("dec", 1), ("both", 1), ("enc", 64), ("dec", 64),
                                 ("keystream", 64), ("ctr", 64), ("wrap", 256)}  # fmt: skip
    assert "haechi_ecb" not in by_operation["enc", 64].note
    assert by_operation["both", 1].cycles == by_operation["eks", 1].cycles  # HIGHT's round keys serve both directions
    assert by_operation["both", 1].code_bytes < sum(by_operation[x, 1].code_bytes for x in ("eks", "enc", "dec")) + 1
    one, keystream, ctr = (by_operation[x].cycles for x in (("enc", 1), ("keystream", 64), ("ctr", 64)))
    assert 64 * one < keystream < ctr


# ---- Hosts: what is measured is what CMake ships.


@pytest.fixture(scope="module")
def cmake_flags(tmp_path_factory):
    """The flags of each file of the library in a build for which nothing was chosen."""
    folder = tmp_path_factory.mktemp("cmake")
    build.run(["cmake", "-S", model.ROOT, "-B", folder, "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
    commands = msgspec.json.decode((folder / "compile_commands.json").read_bytes())
    words = {Path(c["file"]): shlex.split(c["command"]) for c in commands if "haechi_objects.dir" in c["command"]}
    return {path: found[1 : found.index("-o")] for path, found in words.items()}


with_jdk = pytest.mark.skipif(not shutil.which("javac"), reason="there is no JDK")


@pytest.mark.full
@pytest.mark.parametrize(
    "program", [host.built, threads.program, gateway.program, openssl.module, python.module, pytest.param(java.library, marks=with_jdk)], ids=lambda f: f.__module__
)
def test_hosts_measure_what_cmake_ships(program, cmake_flags, monkeypatch):
    """Every file of the library is compiled with CMake's flags. Those that a benchmark adds do not make it faster."""
    used = {}
    monkeypatch.setattr(build, "compile_all", lambda compiler, paths, flags: [used.setdefault(path, flags) for path in paths])
    monkeypatch.setattr(build, "link", lambda *_: None)
    monkeypatch.setattr(host, "linked", lambda *_: None)
    program(TARGETS["host"])
    library = {path: flags for path, flags in used.items() if model.ROOT / "src" in path.parents}
    assert len(library) > 50
    for path, flags in library.items():
        shipped = cmake_flags[path]
        assert "-O3" in shipped and flags[: len(shipped)] == shipped, path
        assert not [flag for flag in flags[len(shipped) :] if flag.startswith(("-O", "-f", "-m")) and flag != "-fopenmp"], path
