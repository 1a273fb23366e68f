# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which builds are for small machines, and which kernels a program gets that names none."""

import re
import subprocess

import native
import pytest
from kernels import TARGETS
from toolchains import TOOLCHAINS

from bench.declared.model import VARIANTS
from bench.made import build
from bench.made.elf import Image
from bench.measured.choices import CHOICES

pytestmark = pytest.mark.full

CLANG = TOOLCHAINS["clang"][0]
ARM = ["arm-none-eabi-gcc", "-mthumb"]
RISCV = ["riscv64-unknown-elf-gcc", "-ffreestanding"]
BARE = ["s390x-linux-gnu-gcc", "-ffreestanding", "-U__unix__", "-U__linux__"]
XTENSA = ["xtensa-lx106-elf-gcc", "-ffreestanding"]
SMALL, LARGE = "1", "0"
BUILDS = {
    "AVR": (["avr-gcc", "-mmcu=atmega328p"], SMALL),
    "MSP430": ([CLANG, "--target=msp430", "-mmcu=msp430f1611", "-ffreestanding"], SMALL),
    **{core: ([*ARM, f"-mcpu={core}"], SMALL) for core in ("cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33")},
    "RISC-V": ([*RISCV, "-march=rv32imc", "-mabi=ilp32"], SMALL),
    "RISC-V of 64 bits": ([*RISCV, "-march=rv64imac", "-mabi=lp64"], SMALL),
    "RISC-V under Linux": ([CLANG, "--target=riscv32-linux", "-ffreestanding"], LARGE),
    "Xtensa": (XTENSA, SMALL),
    "Xtensa under Linux": ([*XTENSA, "-D__unix__"], LARGE),
    "another chip": (BARE, LARGE),
    "another chip that asks for it": ([*BARE, "-DHAECHI_MICRO=1"], SMALL),
    "this host": (["gcc"], LARGE),
    "this host that asks for it": (["gcc", "-DHAECHI_MICRO=1"], SMALL),
    "AArch64 that asks for it": (["aarch64-linux-gnu-gcc", "-DHAECHI_MICRO=1"], SMALL),
    "RISC-V that asks for the other": ([*RISCV, "-march=rv32imc", "-mabi=ilp32", "-DHAECHI_MICRO=0"], LARGE),
}
PORTABLE = ("Xtensa", "Xtensa under Linux", "RISC-V of 64 bits", "another chip", "RISC-V that asks for the other")


def preprocessed(command: list[str], text: str) -> str:
    return subprocess.run([*command, f"-I{native.ROOT / 'src'}", "-E", "-P", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True).stdout


def rungs(command: list[str], family: str) -> list[str]:
    text = f'#include "haechi.h"\n#include "{family.lower()}/kernels.h"\nHAECHI_{family}_LADDER(RUNG,)\n'
    return re.findall(r"RUNG\((\w+)", preprocessed(command, text))


@pytest.mark.parametrize("name", BUILDS)
def test_a_build_is_for_small_machines_or_not(name):
    """One for small machines has one kernel for each cipher, and the portable one where it has no other."""
    command, small = BUILDS[name]
    assert preprocessed(command, '#include "haechi.h"\nHAECHI_MICRO').split()[-1] == small
    for family in VARIANTS:
        found = rungs(command, family)
        assert len(found) == 1 or small == LARGE, found
        if name in PORTABLE or name.endswith("asks for it"):
            assert found == [f"{family.lower()}_c"]


def linked(target, chip: str, family: str, known: set[str], folder) -> set[str]:
    """Which of these kernels are in a program for the chip that names the cipher and nothing else."""
    flags = [f"{target.chip_flag}{chip}", *target.flags]
    variant = VARIANTS[family][0]
    main = folder / "main.c"
    main.write_text(
        "#include <haechi.h>\nint main(void);\nhaechi_any_key k;\n"
        f"int main(void) {{ return haechi_init(&k.key, sizeof k, &haechi_{variant.constant}, &k, 16); }}\n"
    )
    library = [build.compile(target.compiler, path, flags) for path in native.sources() if path.relative_to(native.ROOT / "src").parts[0] in ("core", family.lower())]
    start = [build.compile(target.compiler, native.ROOT / name, flags) for name in target.sources]
    native.run([build.tool(target.compiler), *flags, f"-I{native.ROOT / 'src'}", "-c", main, "-o", folder / "main.o"])
    elf = build.link_for(target, flags, [folder / "main.o", *library, *start], [], build.BUILD / target.name / chip / "default.elf")
    return {kernel for kernel in known if f"haechi_{kernel}{variant.suffix}" in Image(elf).symbols}


CHIPS = [(name, chip) for name, target in TARGETS.items() for chip in (target.chip, *target.choice_chips)]
SAMPLE = [("armv7m", "cortex-m4"), ("armv7m", "cortex-m33")]


@pytest.mark.parametrize("name, chip", [pytest.param(*c, marks=() if c in SAMPLE else pytest.mark.slow) for c in CHIPS])
def test_a_program_gets_the_default_of_docs_defaults(name, chip, tmp_path):
    for family, (variant, *_) in VARIANTS.items():
        rows = [row for row in CHOICES.read(name) if (row.cipher, row.chip) == (variant.cipher, chip)]
        defaults = {row.kernel for row in rows if row.default == "yes"}
        assert len(defaults) == 1
        assert linked(TARGETS[name], chip, family, {row.kernel for row in rows}, tmp_path) == defaults


def test_every_chip_has_every_choice():
    for name, target in TARGETS.items():
        rows = CHOICES.read(name)
        own = {(r.cipher, r.kernel, r.mode) for r in rows if r.chip == target.chip}
        assert own and all({(r.cipher, r.kernel, r.mode) for r in rows if r.chip == chip} == own for chip in target.choice_chips)
