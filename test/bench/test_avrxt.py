# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AVRxt: every file is compiled for it, and its derived cycles follow from the instruction set manual."""

import native
import pytest
from kernels import TARGETS, everywhere

from bench.measured.avrxt import AVRXT, derived, difference, traced
from bench.simulated.simavr import Simavr
from bench.made import build
from bench.reported.book import Book

pytestmark = pytest.mark.full

AVR = TARGETS["avr"]
# Instructions with the cycles of AVRe and of AVRxt, from the manual's tables of each instruction and its section 5.
MANUAL = {
    "push r3": (2, 1), "pop r3": (2, 2), "lds r3, 0x200": (2, 3), "sts 0x200, r3": (2, 2), "ld r3, X": (2, 2), "ld r3, X+": (2, 2),
    "ld r3, -X": (2, 2), "ldd r3, Y+5": (2, 2), "ldd r3, Z+63": (2, 2), "ld r3, Y": (2, 2), "ld r3, -Z": (2, 2), "st X, r3": (2, 1),
    "st X+, r3": (2, 1), "st -X, r3": (2, 1), "st Y, r3": (2, 1), "st Y+, r3": (2, 1), "st -Y, r3": (2, 1), "st Z, r3": (2, 1),
    "st Z+, r3": (2, 1), "st -Z, r3": (2, 1), "std Y+5, r3": (2, 1), "std Z+63, r31": (2, 1), "std Y+32, r16": (2, 1), "call 0x200": (4, 3),
    "rcall .+2": (3, 2), "icall": (3, 2), "ret": (4, 4), "jmp 0x200": (3, 3), "rjmp .+2": (2, 2), "ijmp": (2, 2), "lpm r3, Z+": (3, 3),
    "lpm": (3, 3), "elpm r3, Z": (3, 3), "sbi 5, 1": (2, 1), "cbi 5, 1": (2, 1), "in r3, 5": (1, 1), "out 5, r3": (1, 1), "adiw r24, 1": (2, 2),
    "mul r3, r4": (2, 2), "add r3, r4": (1, 1), "movw r2, r4": (1, 1), "swap r3": (1, 1), "ldi r16, 0xff": (1, 1), "sbis 5, 1": (1, 1),
}  # fmt: skip


def test_differences_are_those_of_the_manual(tmp_path):
    (tmp_path / "all.s").write_text("".join(f"    {text}\n" for text in MANUAL))
    native.run(["avr-as", "-mmcu=atmega128", tmp_path / "all.s", "-o", tmp_path / "all.o"])
    native.run(["avr-objcopy", "-O", "binary", "-j", ".text", tmp_path / "all.o", tmp_path / "all.bin"])
    code, at = (tmp_path / "all.bin").read_bytes(), 0
    for text, (before, after) in MANUAL.items():
        assert difference(int.from_bytes(code[at : at + 2], "little")) == after - before, text
        at += 4 if text.split()[0] in ("lds", "sts", "call", "jmp") else 2
    assert at == len(code)


def test_a_trace_counts_each_executed_instruction(tmp_path):
    """Three times round a loop with two PUSH, two POP, a store and an RCALL: 3 * 4 cycles less, and one for the call."""
    program = tmp_path / "loop.S"
    program.write_text(
        ".global loop, main, haechi_bench_idle\nmain: haechi_bench_idle: rjmp .-2\n"
        "loop: ldi r24, 3\n ldi r26, 0\n ldi r27, 2\n1: push r24\n push r25\n st X, r24\n rcall 2f\n pop r25\n pop r24\n dec r24\n brne 1b\n2: ret\n"
    )
    native.run(["avr-gcc", f"-mmcu={AVR.chip}", program, "-o", tmp_path / "loop.elf"])
    with Simavr(tmp_path / "loop.elf", AVR.chip) as machine:
        call = machine.call(machine.image.address("loop"), trace=True)
        assert derived(machine, call) == call.cycles - 3 * 4 - 1


@pytest.mark.parametrize("kernel", ["lea_avr_small", "hight_avr_flash", "aria_avr_ram"])
def test_rows_are_what_is_derived_anew(kernel):
    assert [row for row in AVRXT.read("avr") if row.kernel == kernel] == traced(AVR, everywhere(AVR)[kernel], kernel)


def test_every_kernel_has_its_row():
    assert {row.kernel for row in AVRXT.read("avr")} == {k for k, card in everywhere(AVR).items() if card.path.is_relative_to(native.ROOT / "src")}


@pytest.mark.parametrize("chip", ["avrxmega3", pytest.param("avrxmega4", marks=pytest.mark.slow)])
def test_every_file_is_compiled_for_it(chip):
    """The default of each cipher is the one of the ATmega128."""
    symbols = {}
    for path in native.sources():
        made = build.compile("avr-gcc", path, [f"-mmcu={chip}", "-std=c99", "-Os", "-Wall", "-Werror", "-Wno-cpp"])
        symbols[path.stem] = set(native.run(["avr-nm", made]).stdout.split())
    book = Book()
    for cipher, suffix in (("LEA-128", "_128"), ("HIGHT", ""), ("ARIA-128", "_128")):
        name = book.default("avr", cipher)
        assert f"haechi_{name}{suffix}" in symbols[name] and f"haechi_{name}{suffix}" in symbols[cipher.partition("-")[0].lower()]
