# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels in NEON under emulation, each by name, and the estimates of results/neon.csv."""

import csv
import subprocess
from functools import cache
from random import Random

import cases
import msgspec
import native
import pytest
from library import KEY_SIZE, crypt

from bench import build, model, neon

TARGET = model.load_targets()["neon"]
KERNELS = [(card, kernel, machine) for card, kernel, machines in neon.kernels() for machine in machines]
IDS = [f"{kernel}-{machine}" for _, kernel, machine in KERNELS]


@cache
def runner(machine, cipher, kernel):
    """test/runner.c with one kernel for this cipher; of the library only <cipher>.c is compiled anew."""
    m = neon.MACHINES[machine]
    flags = ["-std=gnu99", "-O2", f"-I{native.ROOT / 'src'}", *m.flags]
    ladder = native.ROOT / f"src/{cipher.lower()}/{cipher.lower()}.c"
    pick = [f"-DHAECHI_{cipher}_KERNEL={kernel}"] if kernel else []
    sources = [native.ROOT / "test/runner.c", *(p for p in native.sources() if p.suffix == ".c")]
    objects = [build.compile(m.compiler, p, flags + (pick if p == ladder else [])) for p in sources]
    return build.link(m.compiler, objects, [*flags, "-static"], build.BUILD / f"test/{machine}/runner")


def answer(machine, program, lines, *options):
    command = [neon.MACHINES[machine].qemu, *options, program]
    return subprocess.run(command, input="".join(lines), capture_output=True, text=True)


def about(cipher, text):
    return [line for line in text.splitlines(keepends=True) if line.startswith(cipher.lower())]


@cache
def drawn():
    """All lengths up to 300, and some beyond: batches, rests, carries, odd addresses, in place and apart."""
    return cases.known()[0] + cases.drawn([*range(301), 511, 512, 520, 1024, 1040, 1100], seed=3)[0]


@pytest.mark.full
@pytest.mark.parametrize("card, kernel, machine", KERNELS, ids=IDS)
def test_all_lengths(card, kernel, machine):
    lines = about(card.cipher, drawn())
    done = answer(machine, runner(machine, card.cipher, kernel), lines)
    assert (done.returncode, done.stdout) == (0, f"{len(lines)} ok\n"), done.stderr[-1000:]


@pytest.mark.parametrize("card, kernel, machine", KERNELS, ids=IDS)
def test_bulk(card, kernel, machine):
    """The slot itself, where the program is as the bench traces it."""
    r = Random(kernel)
    for variant in model.VARIANTS[card.cipher]:
        for suffix in ("", "_inv"):
            program = neon.link(TARGET, card, kernel + variant.suffix + suffix, machine)
            for blocks in (1, 7, 16, 33):
                key, data = r.randbytes(KEY_SIZE[variant.constant]), r.randbytes(blocks * variant.block)
                wanted = crypt(variant.constant + suffix, "ecb", key, b"", data)
                assert neon.run(program, machine, "bulk", blocks, key + bytes(variant.block) + data) == wanted


@pytest.mark.full
def test_a_cpu_without_neon():
    """The ladder steps down to portable C, and nothing illegal is executed; the kernel by name would be."""
    lines, bare = about("HIGHT", cases.drawn([16, 64, 300, 1024], seed=4)[0]), ["-cpu", "cortex-a9,neon=off"]
    done = answer("armv7", runner("armv7", "HIGHT", ""), lines, *bare)
    assert (done.returncode, done.stdout) == (0, f"{len(lines)} ok\n"), done.stderr[-1000:]
    assert answer("armv7", runner("armv7", "HIGHT", "hight_neon_pmull"), lines, *bare).returncode != 0


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
    with (native.ROOT / "results/neon.csv").open(newline="") as file:
        return msgspec.convert(list(csv.DictReader(file)), list[neon.Estimate], strict=False)


def test_every_figure_is_called_an_estimate():
    assert rows() and all(r.note == "estimate" and r.counter.startswith("estimate") for r in rows())
    assert {(r.kernel, r.core) for r in rows()} == {
        (kernel, core) for _, kernel, machine in KERNELS for core, on in neon.CORES.items() if on == machine
    }


@pytest.mark.full
@pytest.mark.parametrize("card, kernel, machine", KERNELS, ids=IDS)
def test_results_are_what_is_estimated(card, kernel, machine):
    build.check(TARGET)
    variant = model.VARIANTS[card.cipher][0]
    fresh = neon.estimates(TARGET, card, kernel, variant, machine)
    assert [r for r in rows() if (r.cipher, r.kernel) == (variant.cipher, kernel) and neon.CORES[r.core] == machine] == fresh
