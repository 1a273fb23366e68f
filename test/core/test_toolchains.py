# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every toolchain compiles every file of src/ without a warning; what the objects need from outside; and that they
link."""

import re

from marks import LATER
import native
import pytest
from toolchains import ANYWHERE, EMITTED, NM, TOOLCHAINS

from bench.made.build import compile
from bench.made.cache import tool

HEADER = """
#include "haechi.h"
haechi_any_key key;
haechi_stream stream;
int use(void *p, size_t n) { return haechi_init(&key.key, sizeof key, &haechi_hight, p, n); }
"""
# make test passes over these, because they differ little from others, or because test_builds.py and test_x86.py compile all
# for them too.
ALIKE = ["clang", "avr2560", "avr-no-mul", "cortex-m0", "cortex-m4", "aarch64", "aarch64-plain", "armv7", "s390x", "xtensa-O2"]


def compile_all(toolchain):
    """One object for each file, built from the tree as it is. For this host they are the objects of other tests."""
    compiler, *flags = TOOLCHAINS[toolchain]
    if toolchain in ("gcc", "clang"):
        return native.objects(native.sources(), native.USUAL, toolchain)
    strict = ["-Wa,--fatal-warnings"] if "gcc" in compiler else []
    return [compile(compiler, p, [*flags, *(native.WARNINGS if p.suffix == ".c" else strict)]) for p in native.sources()]


# Flags with which firmware is linked. The linker keeps every kernel, and its warnings are errors.
BARE_METAL = {
    "avr2560": ["-Wl,--fatal-warnings"],
    "cortex-m0": ["-nostdlib", "-Wl,--fatal-warnings,-e,main"],
    "cortex-m3": ["-nostdlib", "-Wl,--fatal-warnings,-e,main"],
    "cortex-m4": ["-nostdlib", "-Wl,--fatal-warnings,-e,main"],
}
PROGRAM = """
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int main(void);
void *memcpy(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }
void *memset(void *to, int c, size_t n) { (void)c; (void)n; return to; }
int main(void) { return 0; }
"""


def link_all(toolchain, objects, folder):
    """One program of all objects. Without a C library it has stand-ins for the functions that compilers call in one."""
    source = folder / "program.c"
    source.write_text(PROGRAM)
    command = [*TOOLCHAINS[toolchain], "-fno-builtin", source, *objects, *BARE_METAL[toolchain], "-lgcc"]
    native.run([*command, "-o", folder / "program.elf"])


@pytest.mark.parametrize(
    "toolchain", [pytest.param(t, marks=LATER if t in ALIKE else pytest.mark.full) for t in TOOLCHAINS]
)
def test_no_warning_and_no_call_out(toolchain, tmp_path):
    defined, undefined = set(), set()
    objects = compile_all(toolchain)
    if toolchain in BARE_METAL:
        link_all(toolchain, objects, tmp_path)
    for obj in objects:
        for line in native.run([NM.get(toolchain, "nm"), obj]).stdout.splitlines():
            kind, symbol = line.split()[-2:]
            (undefined if kind in "Uvw" else defined).add(symbol) if kind.isupper() or kind in "vw" else None
    public = {s for s in defined if not s.startswith("haechi_")}
    assert not public, f"symbols that are not ours to define: {public}"
    foreign = undefined - defined - ANYWHERE - EMITTED.get(toolchain, set())
    foreign = {s for s in foreign if not re.fullmatch(HELPERS.get(toolchain, "-"), s)}
    assert not foreign, f"the library calls out: {foreign}"


# Arithmetic helpers of the compilers' run-time libraries: multiplication, division and shifts of long integers.
AVR = r"__(u?mul|u?div|u?mod|u?divmod|ashl|lshr|ashr|prologue_saves|epilogue_restores|add|sub|cmp|neg|xload|movmem|tablejump)\w*"
# Debian's libgcc for this core lacks the first four, which an ESP8266 has in ROM: docs/platforms.md says so.
XTENSA = r"__(divsi3|udivsi3|umodsi3|muldi3|modsi3|ashldi3|lshrdi3)"
HELPERS = {
    "avr": AVR + r"|__(tablejump2__|load_3|load_4)",
    "avr2560": AVR,
    "avr-no-mul": AVR,
    "msp430": r"__mspabi_(mpy|sll|srl|sra|slll|srll|sllll|srlll|mpyi|mpyl|mpyll|divu|remu|divul|remul|func_epilog)\w*",
    "cortex-m0": r"__aeabi_(lmul|llsl|llsr|lasr|uidiv|uidivmod|idiv|idivmod|memcpy|memset|memclr|memmove)\w*|__gnu_thumb1_case\w*",
    "armv7": r"__aeabi_(lmul|llsl|llsr|lasr|uidiv|uidivmod|idiv|idivmod)\w*",
    "cortex-m3": r"__aeabi_(lmul|llsl|llsr|lasr|memcpy|memset|memclr|memmove)\w*",
    "cortex-m4": r"__aeabi_(lmul|llsl|llsr|lasr|memcpy|memset|memclr|memmove)\w*",
    "xtensa": XTENSA,
    "xtensa-O2": XTENSA,
}


@pytest.mark.parametrize("section", ["", '.section .note.GNU-stack, "", %progbits'], ids=["kept", "planted"])
def test_a_stack_note_on_bare_metal_would_be_noticed(section, tmp_path):
    """Of two objects one has the note that asks for no executable stack; the linker warns about the other one."""
    planted = tmp_path / "planted.S"
    planted.write_text(f".text\n.global planted\nplanted: nop\n{section}\n")
    native.run([*TOOLCHAINS["cortex-m3"], "-c", planted, "-o", tmp_path / "planted.o"])
    if section:
        with pytest.raises(RuntimeError, match="GNU-stack"):
            link_all("cortex-m3", [tmp_path / "planted.o"], tmp_path)
    else:
        link_all("cortex-m3", [tmp_path / "planted.o"], tmp_path)


@pytest.mark.full
def test_vectors_compile_without_optimization(tmp_path):
    """gcc -O0 made 6 MB of this kernel, 200 times as much as -O1, and with sanitizers compiling took many minutes."""
    sizes = []
    for level in ("-O0", "-O1"):
        obj = tmp_path / f"kernel{level}.o"
        native.run(["gcc", "-std=c99", level, "-c", native.ROOT / "src/hight/x86/hight_x86_ssse3.c", "-o", obj])
        sizes.append(int(native.run(["size", obj]).stdout.split("\n")[1].split()[0]))
    assert sizes[0] < 2 * sizes[1]


# The files that call a multiplication there multiply lengths and numbers of jobs and lanes, which are no secrets.
LENGTHS = {
    "blocks.c", "cbc.c", "ccm.c", "cfb.c", "ctr.c", "cts.c", "eax.c", "ecb.c", "gcm.c", "jobs.c", "jobs_cmac.c", "jobs_ctr.c", "lanes.c",
    "wrap.c", "ctr_drbg.c",
}  # fmt: skip


@pytest.mark.parametrize(
    "machine, arch, abi, levels",
    [
        pytest.param("riscv32", "rv32i", "ilp32", ["-Os"], marks=pytest.mark.full),
        pytest.param("riscv32", "rv32i", "ilp32", ["-O3"], marks=LATER),
        pytest.param("riscv64", "rv64i", "lp64", ["-Os", "-O3"], marks=LATER),
    ],
)
def test_secrets_are_not_multiplied_where_that_takes_a_routine(machine, arch, abi, levels, tmp_path):
    """RISC-V without M: the multiplication in libgcc branches on its operand. It has no library for atomic words
    either."""
    target = [f"--target={machine}", f"-march={arch}", f"-mabi={abi}", "-ffreestanding", "-std=c99"]
    for path in [p for p in native.sources() if p.suffix == ".c"]:
        for level in ["-O2"] if path.name in LENGTHS else levels:
            native.run([TOOLCHAINS["clang"][0], *target, level, *native.WARNINGS, "-c", path, "-o", tmp_path / "o"])
            called = re.findall(rb"__(?:mul|atomic_)\w+", (tmp_path / "o").read_bytes())
            assert set(called) <= ({b"__mulsi3", b"__muldi3"} if path.name in LENGTHS else set()), (path, level)


@pytest.mark.parametrize("toolchain", [pytest.param(t, marks=LATER) for t in ("xtensa", "xtensa-O2")])
def test_secrets_are_not_multiplied_by_a_routine_on_xtensa(toolchain):
    """Its core multiplies 32 bits by itself, and 64 bits in libgcc or in ROM."""
    found = zip(native.sources(), compile_all(toolchain), strict=True)
    assert {path.name for path, obj in found if "__mul" in native.run([NM[toolchain], obj]).stdout} <= LENGTHS


def test_a_call_out_would_be_noticed(tmp_path):
    planted = tmp_path / "planted.c"
    planted.write_text("#include <stdio.h>\nvoid haechi_planted(void);\nvoid haechi_planted(void) { puts(\"\"); }\n")
    native.run([*TOOLCHAINS["gcc"], "-c", planted, "-o", tmp_path / "planted.o"])
    assert "U puts" in native.run(["nm", tmp_path / "planted.o"]).stdout
    assert "puts" not in ANYWHERE | EMITTED["gcc"]


@pytest.mark.parametrize(
    "compiler",
    [
        ["gcc", "-std=c99"],
        [tool("clang"), "-std=c11"],
        ["g++", "-std=c++17", "-x", "c++"],
        [tool("clang++"), "-std=c++17", "-x", "c++"],
        ["avr-gcc", "-std=c99", "-mmcu=atmega128"],
        ["avr-g++", "-std=c++11", "-mmcu=atmega128", "-x", "c++"],
        [tool("clang"), "--target=msp430", "-ffreestanding", "-std=c99"],
        ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-ffreestanding", "-std=c99"],
        ["arm-none-eabi-g++", "-mcpu=cortex-m3", "-mthumb", "-ffreestanding", "-std=c++17", "-x", "c++"],
    ],
    ids=lambda c: "-".join(c[:2]),
)
def test_header(compiler, tmp_path):
    source = tmp_path / "use.c"
    prototype = "int use(void *p, size_t n);\nint use(" if "c++" not in compiler else "int use("
    source.write_text(HEADER.replace("int use(", prototype))
    native.run([*compiler, *native.WARNINGS, f"-I{native.ROOT / 'src'}", "-c", source, "-o", tmp_path / "use.o"])
