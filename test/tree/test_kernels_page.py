# SPDX-License-Identifier: Apache-2.0 OR MIT
"""docs/kernels.md: its table agrees with ladders and cards. `KERNELS_PAGE=write` in the environment writes it."""

import os
import re
import subprocess

import native
import pytest
import yaml
from toolchains import TOOLCHAINS

from bench.measured.kernels import Row
from bench.measured.measurement import RESULTS, read_rows

PAGE = native.ROOT / "docs/kernels.md"
CARDS = {name: card for path in native.ROOT.glob("src/*/*/card.yml") for name, card in yaml.safe_load(path.read_text())["kernels"].items()}
CLANG = TOOLCHAINS["clang"][0]
ARM = ["arm-none-eabi-gcc", "-mthumb"]
MACHINES = {
    "AVR with MUL (ATmega128, ATmega328P)": ["avr-gcc", "-mmcu=atmega128"],
    "AVR without MUL (ATtiny)": ["avr-gcc", "-mmcu=attiny1634"],
    "MSP430": [CLANG, "--target=msp430", "-mmcu=msp430f1611", "-ffreestanding"],
    "Cortex-M0, -M0+": [*ARM, "-mcpu=cortex-m0"],
    "Cortex-M3 (STM32F1, STM32F2)": [*ARM, "-mcpu=cortex-m3"],
    "Cortex-M4 (STM32F4, nRF52)": [*ARM, "-mcpu=cortex-m4"],
    "Cortex-M7 (STM32F7, STM32H7)": [*ARM, "-mcpu=cortex-m7"],
    "Cortex-M33": [*ARM, "-mcpu=cortex-m33"],
    "x86-64": ["gcc"],
    "ARMv7-A": ["arm-linux-gnueabihf-gcc"],
    "AArch64": ["aarch64-linux-gnu-gcc"],
    "RISC-V": [CLANG, "--target=riscv32", "-march=rv32imc", "-ffreestanding"],
    "Xtensa (ESP8266, ESP32)": ["xtensa-lx106-elf-gcc", "-ffreestanding"],
    "any other": ["s390x-linux-gnu-gcc"],
}


def rungs(command, cipher):
    """The kernels that a build for this machine has, best first."""
    text = f'#include "{native.ROOT}/src/{cipher.lower()}/kernels.h"\nHAECHI_{cipher}_LADDER(RUNG,)\n'
    done = subprocess.run([*command, "-E", "-P", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True)
    return re.findall(r"RUNG\((\w+)", done.stdout)


def table():
    lines = ["| Machine | Cipher | Kernels, best first | Constant time: by the card |", "|---|---|---|---|"]
    for machine, command in MACHINES.items():
        for cipher in ("LEA", "HIGHT", "ARIA"):
            names = rungs(command, cipher)
            promises = dict.fromkeys(CARDS[name]["constant_time"] for name in names)
            lines.append(f"| {machine} | {cipher} | {', '.join(f'`{name}`' for name in names)} | {', '.join(map(str, promises))} |")
    return "\n".join(lines)


@pytest.mark.full
def test_the_page_says_what_ladders_and_cards_say():
    before, start, rest = PAGE.read_text().partition("<!-- kernels -->\n")
    _, end, after = rest.partition("\n<!-- /kernels -->")
    if os.environ.get("KERNELS_PAGE") == "write":
        PAGE.write_text(before + start + table() + end + after)
    assert PAGE.read_text() == before + start + table() + end + after


@pytest.mark.full
def test_aria_on_cortex_m_keeps_its_promise(tmp_path):
    """Cortex-M3 looks up 1 KB in RAM, because parts cache flash. The other cores, of which some cache RAM, look up
    nothing at secret addresses, and a block still takes fewer than 6000 cycles."""
    for core in ("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"):
        (kernel,) = rungs([*ARM, f"-mcpu={core}"], "ARIA")
        assert CARDS[kernel]["constant_time"] == "addresses", core
        blocks = [row for row in read_rows(RESULTS / "armv7m.csv", Row) if row.kernel == kernel and row.operation in ("enc", "dec")]
        assert len(blocks) == 12 and all(row.cycles < 6000 for row in blocks if row.blocks == 1)

    (kernel,) = rungs([*ARM, "-mcpu=cortex-m3"], "ARIA")
    source = native.ROOT / f"src/aria/armv7m/{kernel}.S"
    native.run([*ARM, "-mcpu=cortex-m3", "-c", source, "-o", tmp_path / "kernel.o"])
    listed = native.run(["arm-none-eabi-nm", "--print-size", tmp_path / "kernel.o"]).stdout
    tables = re.findall(rf"(\w+) (\w) haechi_{kernel}_T$", listed, re.M)
    assert [(int(size, 16), kind) for size, kind in tables] == [(1024, "D")]  # initialised data
