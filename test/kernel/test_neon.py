# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels in NEON under emulation, each by name, and the estimates of results/neon.csv."""

import re
import subprocess
from functools import cache
from random import Random

import builds
import cases
from marks import LATER
import native
import pytest
import slots

from bench.declared import model
from bench.made import build
from bench.measured import neon
from bench.measured.measurement import differences

TARGET = model.load_targets()["neon"]
KERNELS = [
    (card, kernel, architecture)
    for card, kernel in model.kernels(TARGET)
    if card.machine == "neon"
    for architecture in neon.architectures(card, kernel)
]
NEON, AES = 0x200, 0x400  # src/haechi_cpu.h
ADDRESS = re.compile(r"\[([a-z][^][]*)\]|^v?(?:ldm|stm)\w*\t(\w+)")
CLANG = {
    "armv7": ["--target=arm-linux-gnueabihf", "-march=armv7-a", "-mfpu=neon"],
    "aarch64": ["--target=aarch64-linux-gnu", "-march=armv8-a+aes"],
}
IDS = [f"{kernel}-{machine}" for _, kernel, machine in KERNELS]
QUICK = ["lea_neon-armv7", "aria_neon_aes-aarch64"]  # estimates that make test repeats


def once() -> list:
    """Each kernel in make test on one architecture, the last that it is written for; on others later."""
    last = {kernel: machine for _, kernel, machine in KERNELS}
    return [pytest.param(*k, id=i, marks=pytest.mark.full if last[k[1]] == k[2] else LATER) for k, i in zip(KERNELS, IDS, strict=True)]


PICKED = """
#include "core/kernel.h"
extern const struct haechi_kernel haechi_lea_neon_128, haechi_HIGHT, haechi_ARIA_128_inv;
static int picks(haechi_cipher *cipher, const struct haechi_kernel *kernel)
{
    haechi_any_key k;
    return haechi_init(&k.key, sizeof k, cipher, "0123456789abcdef", 16) == HAECHI_OK && haechi_kernel_of(&k.key) == kernel;
}
int main(void)
{
    return !(picks(&haechi_lea128, &haechi_lea_neon_128) && picks(&haechi_hight, &haechi_HIGHT) &&
             picks(&haechi_aria128_inv, &haechi_ARIA_128_inv));
}
"""


def with_library(machine, program):
    """A program with the whole library, in the builds of builds.py."""
    flags, compiler, _ = builds.BUILDS[machine]
    return native.build("runner", [program, *native.sources()], [*native.USUAL, *flags], compiler)


def answer(machine, lines, *options):
    command = [neon.ARCHITECTURES[machine].qemu, *options, with_library(machine, builds.RUNNER)]
    done = subprocess.run(command, input="".join(lines), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{len(lines)} ok\n"), done.stderr[-1000:]


def addresses(program, machine, blocks, given):
    """The trace of a call of bulk: program counters, and the registers of addresses."""
    text, found = neon.disassembly(program), []
    for pc, registers in neon.executed(program, machine, "bulk", blocks, given, ",cpu"):
        names = ADDRESS.search(text[pc])
        numbers = re.findall(r"\b[rwx](\d+)", names[1] or names[2]) if names else []
        values = dict(re.findall(r"\b[RX](\d\d)=([0-9a-f]+)", registers))
        found.append((pc, [values[n.zfill(2)] for n in numbers]))
    return found


@pytest.mark.guards("constant_time", sample="one architecture of those that a kernel is written for")
@pytest.mark.parametrize("card, kernel, machine", once())
def test_no_branch_or_address_depends_on_secrets(card, kernel, machine):
    """Where the card says so, two keys and messages lead to the same instructions and addresses."""
    form, variant = card.kernels[kernel], model.VARIANTS[card.cipher][-1]
    assert form.constant_time == "addresses"
    program = neon.link(TARGET, card, kernel + variant.suffix, machine)
    blocks = form.lanes + 6
    r = Random(kernel)
    one, other = (addresses(program, machine, blocks, r.randbytes(variant.key + blocks * variant.block)) for _ in range(2))
    assert one == other and sum(len(registers) > 0 for _, registers in one) > 100


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("machine", neon.ARCHITECTURES)
def test_all_lengths(machine):
    """The library with its NEON kernels: every length up to 300 and some beyond, batches, incomplete batches, counters
    that carry, odd addresses, in place and from one buffer to another."""
    lengths = [*range(301), 511, 512, 520, 1024, 1040, 1100]
    answer(machine, (cases.known()[0] + cases.drawn(lengths, seed=3)[0]).splitlines(keepends=True))


@pytest.mark.full
@pytest.mark.parametrize(
    "machine, hight, aria", [("armv7", "hight_neon_pmull", "aria_neon_tower"), ("aarch64", "hight_neon_table", "aria_neon_aes")]
)
def test_haechi_init_picks(machine, hight, aria):
    source = build.BUILD / f"test/picked-{machine}.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(PICKED.replace("HIGHT", hight).replace("ARIA", aria))
    native.run([neon.ARCHITECTURES[machine].qemu, with_library(machine, source)])


@cache
def bare() -> list[str]:
    """qemu's options for a CPU without NEON. Newer editions refuse one that has the second half of the registers
    nevertheless; older ones cannot take it away."""
    known = subprocess.run([neon.ARCHITECTURES["armv7"].qemu, "-cpu", "cortex-a9,vfp-d32=off", "/dev/null"], capture_output=True)
    return ["-cpu", "cortex-a9,neon=off" + ",vfp-d32=off" * (b"not found" not in known.stderr)]


@pytest.mark.full
def test_a_cpu_without_neon():
    """Without the features the library uses portable C, and no illegal instruction is executed."""
    answer("armv7", cases.drawn([16, 64, 300, 1024], seed=4)[0].splitlines(keepends=True), *bare())


def features(machine, *options):
    m = neon.ARCHITECTURES[machine]
    files = [native.ROOT / "src/core/features.c", native.ROOT / "test/core/features.c"]
    program = native.build("features", files, [*native.USUAL, "-static"], m.compiler)
    return int(native.run([m.qemu, *options, program]).stdout)


def test_what_the_cpu_tells():
    """The library asks hwcap, not the compiler's flags."""
    assert features("armv7") == NEON and features("armv7", *bare()) == 0
    assert features("aarch64") == NEON | AES


def run(kernel, machine, compiler, *arguments):
    """test/kernel/kernel_runner.c under qemu."""
    m = neon.ARCHITECTURES[machine]
    flags = {m.compiler: m.flags, "clang": CLANG[machine]}[compiler]
    slots.run(kernel, arguments, [*flags, "-static"], compiler, [m.qemu])


@pytest.mark.guards("result", "lanes")
@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=LATER)])
@pytest.mark.parametrize("card, kernel, machine", KERNELS, ids=IDS)
def test_every_slot(card, kernel, machine, compiler):
    """Calls bulk and ctr themselves, in place and from one buffer to another; nothing around the buffers is written."""
    compiler = neon.ARCHITECTURES[machine].compiler if compiler == "gcc" else compiler
    run(kernel, machine, compiler, "lengths", 0, 3 * card.kernels[kernel].lanes + 1, 1)


@pytest.mark.parametrize("card, kernel, machine", once())
def test_carries_up_to_every_byte(card, kernel, machine):
    lanes = card.kernels[kernel].lanes
    for n in (1, lanes - 1, 2 * lanes + 3):
        run(kernel, machine, neon.ARCHITECTURES[machine].compiler, "carries", n)


@pytest.mark.parametrize("card, kernel, machine", once())
def test_every_place_in_a_cache_line(card, kernel, machine):
    run(kernel, machine, neon.ARCHITECTURES[machine].compiler, "places", card.kernels[kernel].lanes + 3)


def test_instructions_as_the_models_take_them():
    assert neon.plain("push\t{r4, lr}") == ["str r4, [sp]", "str lr, [sp]"]
    assert neon.plain("vldmia\tr1!, {d8, d9}") == ["vldr d8, [r1]", "vldr d9, [r1]"]
    assert neon.plain("pop\t{r4, pc}") == ["ldr r4, [sp]", "b #8"]
    assert neon.plain("bne\t0x10448") == ["bne #8"] and neon.plain("bl\t0x10448") == ["b #8"]
    assert neon.plain("cbz\tx2, 0x4008e4") == ["cbz x2, #8"]
    assert neon.plain("bic\tr0, r0, #1") == ["bic\tr0, r0, #1"]
    assert neon.plain("bx\tlr") == neon.plain("bxeq\tlr") == neon.plain("ret") == ["b #8"]


def test_loads_and_stores_that_cortex_a9_is_charged_for():
    assert neon.counted("vld1.8\t{d0[], d1[]}, [r3]!") == ["vdup.8 q0, r3", "add r3, r3, #8"]
    assert neon.counted("vld1.32\t{d3, d4, d5}, [r3:128], r2") == ["vdup.8 q2, r3", "vdup.8 d3, r3", "add r3, r3, #8"]
    assert neon.counted("vld4.32\t{d16, d18, d20, d22}, [r1]") == [f"vdup.8 d{n}, r1" for n in (16, 18, 20, 22)]
    assert neon.counted("vst1.8\t{d0, d1}, [r1]") == ["vstr d0, [r1]", "vstr d1, [r1]"]
    assert neon.counted("veor\tq0, q1, q2") == ["veor\tq0, q1, q2"]
    assert neon.simulate(["vld1.8\t{d0[], d1[]}, [r3]!"] * 100, "cortex-a9") >= 100


def test_a_wrong_kernel_is_not_estimated(monkeypatch):
    card = KERNELS[0][0]
    variant = model.VARIANTS[card.cipher][0]
    monkeypatch.setattr(neon, "run", lambda *a: bytes(16))
    with pytest.raises(model.BenchError, match="wrong answer"):
        neon.estimates(TARGET, card, KERNELS[0][1], variant, KERNELS[0][2])


def rows():
    return neon.ESTIMATES.read("neon")


def test_every_figure_is_called_an_estimate():
    assert rows() and all(r.note == "estimate" and r.counter.startswith("estimate") for r in rows())
    assert {(r.kernel, r.core) for r in rows()} == {
        (kernel, core) for _, kernel, machine in KERNELS for core, on in neon.CORES.items() if on == machine
    }


@pytest.mark.guards("figures", sample="LEA on one core, and HIGHT on another")
@pytest.mark.parametrize(
    "card, kernel, machine",
    [pytest.param(*k, id=i, marks=pytest.mark.full if i in QUICK else LATER) for k, i in zip(KERNELS, IDS, strict=True)],
)
def test_results_are_what_is_estimated(card, kernel, machine):
    build.check(TARGET)
    variant = model.VARIANTS[card.cipher][0]
    fresh = neon.estimates(TARGET, card, kernel, variant, machine)
    mine = [r for r in rows() if (r.cipher, r.kernel) == (variant.cipher, kernel) and neon.CORES[r.core] == machine]
    assert not differences(mine, fresh)
