# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sketch, built as the Arduino builder builds it: every file by itself, with garbage collection. A small Arduino.h takes
the place of a board's core where the sketch runs in a simulator; Debian's core for AVR compiles it for an Uno and a Mega."""

import re
import shutil
from pathlib import Path

import library
import native
import pytest
from firmware import HERE
from kernels import TARGETS
from marks import LATER

from bench.made.elf import Image
from bench.simulated.simulators import open_simulator

pytestmark = pytest.mark.full

SKETCH = native.ROOT / "examples/arduino/SensorNode/SensorNode.ino"
CORE = Path("/usr/share/arduino/hardware/arduino/avr")  # of the Debian package arduino-core-avr
STANDARDS = {".c": ["-std=gnu11"], ".S": ["-x", "assembler-with-cpp"], ".cpp": ["-std=gnu++11"],
             ".ino": ["-std=gnu++11", "-fno-exceptions", "-x", "c++", "-include", "Arduino.h"]}  # fmt: skip


def objects(folder: Path, compiler: str, flags: list, files: list[Path]) -> list[Path]:
    """One object for each file; C++ is for what ends in .cpp or .ino."""
    made = []
    for path in files:
        program = compiler.replace("gcc", "g++") if path.suffix in (".cpp", ".ino") else compiler
        made.append(folder / f"{path.name}.o")
        native.run([program, *STANDARDS[path.suffix], *flags, "-Os", "-ffunction-sections", "-fdata-sections", "-c", path, "-o", made[-1]])
    return made


def sketch(folder: Path, target: str, way: str, *flags: str, src: Path = native.ROOT / "src") -> Path:
    """The ELF for a chip of the bench. "library": src belongs to a library, which the sketch finds by -I. "sketch": src was
    copied into the sketch's folder, which has no -I, and the sketch includes what the example's README says."""
    chip, text, include = TARGETS[target], SKETCH.read_text(), [f"-I{src}"]
    page = (native.ROOT / "examples/arduino/README.md").read_text()
    assert '#include "src/haechi.h"' in page and "#include <haechi.h>" in page
    if way == "sketch":
        include, text = [], text.replace("#include <haechi.h>", '#include "src/haechi.h"')
        src = shutil.copytree(src, folder / "src")
    (folder / SKETCH.name).write_text(text)
    common = [f"{chip.chip_flag}{chip.chip}", *(f for f in chip.flags if not f.startswith(("-std", "-O", "-W")))]
    told = [*common, f"-I{HERE / 'include'}", *include, *flags]
    files = [*sorted(p for p in src.rglob("*") if p.suffix in (".c", ".S")), folder / SKETCH.name]
    made = objects(folder, chip.compiler, told, [*files, *(native.ROOT / name for name in chip.sources)])
    keep = ["-Wl,--gc-sections", "-Wl,--undefined=loop", *chip.link]
    script = ["-T", native.ROOT / chip.script] if chip.script else []
    native.run([chip.compiler, *common, "-Os", *keep, *script, *made, "-lgcc", "-o", folder / "sketch.elf"])
    return folder / "sketch.elf"


def check_run(target: str, elf: Path, *flags: str) -> None:
    """The sketch's first two lines decrypt to what it measured. Only HIGHT is linked."""
    chip = TARGETS[target]
    with open_simulator(chip, chip.chip, elf) as machine:
        symbols = set(machine.image.symbols)
        assert "haechi_hight" in symbols and not {s for s in symbols if s.startswith(("haechi_lea", "haechi_aria"))}
        if flags:
            assert f"haechi_{flags[0].partition('=')[2]}" in symbols
        machine.call(machine.image.address("setup"))
        for _ in range(2):
            assert machine.call(machine.image.address("loop")).violations == []
        at = machine.image.address("serial_text") & (0xFFFF if target == "avr" else 0xFFFFFFFF)
        text = machine.read(at, 256).split(b"\0")[0].decode()
    key = bytes.fromhex("00112233445566778899aabbccddeeff")
    for number, line in enumerate(text.splitlines()):
        said, message = (bytes.fromhex(word) for word in line.split())
        assert int.from_bytes(said, "big") == number
        assert library.crypt("hight", "ctr", key, said + bytes(4), message).hex() == "0102030402a5"
    assert number == 1


@pytest.mark.parametrize(
    "target, way, flags",
    [("avr", "library", []), ("avr", "sketch", ["-DHAECHI_HIGHT_KERNEL=hight_c"]),
     *(pytest.param(*case, marks=LATER)
       for case in [("avr", "sketch", []), ("avr", "library", ["-DHAECHI_HIGHT_KERNEL=hight_avr_ram"])]),
     *(pytest.param(target, "library", [], marks=pytest.mark.slow) for target in ("armv6m", "rv32"))],
)  # fmt: skip
def test_arduino(tmp_path, target, way, flags):
    """On AVR, as SAMD boards with Cortex-M0+ have it, and as RISC-V boards such as those with ESP32-C3 have it."""
    check_run(target, sketch(tmp_path, target, way, *flags), *flags)


@pytest.mark.parametrize(
    "chip, variant, room", [("atmega328p", "standard", 32256), pytest.param("atmega2560", "mega", 253952, marks=pytest.mark.slow)]
)
def test_debians_core_compiles_the_sketch(tmp_path, chip, variant, room):
    """For an Uno and a Mega, with the core's own Arduino.h, Serial and main."""
    if not CORE.exists():
        pytest.skip("the Debian package arduino-core-avr is not there")
    shutil.copy(SKETCH, tmp_path)
    # The core asks for DECIMAL_DIG, which the header of Debian's compiler has for C alone.
    flags = [f"-mmcu={chip}", "-DDECIMAL_DIG=__DECIMAL_DIG__", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_ARCH_AVR", "-fno-exceptions", "-w",
             f"-I{CORE / 'cores/arduino'}", f"-I{CORE / 'variants' / variant}", f"-I{native.ROOT / 'src'}"]  # fmt: skip
    core = [path for path in sorted((CORE / "cores/arduino").iterdir()) if path.suffix in (".c", ".S", ".cpp")]
    made = objects(tmp_path, "avr-gcc", flags, [*native.sources(), *core, tmp_path / SKETCH.name])
    elf = tmp_path / "sketch.elf"
    native.run(["avr-gcc", f"-mmcu={chip}", "-Os", "-Wl,--gc-sections", *made, "-lm", "-o", elf])
    symbols = set(Image(elf).symbols)
    assert {"haechi_hight", "haechi_hight_avr_flash", "analogRead", "millis"} <= symbols
    assert sum(map(int, native.run(["avr-size", elf]).stdout.splitlines()[1].split()[:2])) < room


def test_library_properties():
    """The fields that Arduino's library manager demands, with values that it knows. A release fills in the address."""
    lines = (native.ROOT / "library.properties").read_text().splitlines()
    fields = dict(line.split("=", 1) for line in lines)
    assert {*fields} == {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures", "includes"}
    assert fields["category"] in ("Communication", "Data Processing", "Other") and fields["architectures"] == "*"
    assert re.fullmatch(r"[A-Za-z][\w .-]*", fields["name"]) and (native.ROOT / "src" / fields["includes"]).exists()
