# SPDX-License-Identifier: Apache-2.0 OR MIT
"""docs/kernels.md: its table agrees with ladders and cards. `KERNELS_PAGE=write` in the environment writes it."""

import os
import re
import subprocess

import native
import pytest
import yaml
from toolchains import TOOLCHAINS

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
    "Cortex-M4, -M7 (STM32F4, STM32F7)": [*ARM, "-mcpu=cortex-m4"],
    "Cortex-M33": [*ARM, "-mcpu=cortex-m33"],
    "x86-64": ["gcc"],
    "ARMv7-A": ["arm-linux-gnueabihf-gcc"],
    "AArch64": ["aarch64-linux-gnu-gcc"],
    "RISC-V": [CLANG, "--target=riscv32", "-march=rv32imc", "-ffreestanding"],
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
