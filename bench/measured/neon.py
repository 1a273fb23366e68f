# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Estimates for Arm cores: the rows of results/neon.csv. No figure here was measured on a core.

bench/made/harness/neon.c runs one call of a kernel under qemu-user, which logs every instruction that it executes.
llvm-mca times these instructions with its model of a core, as one straight line with transposition, whitening, loops,
call and return. The model assumes that all data is in the first-level cache and that all branches are predicted. For
the model, branches are written without targets, calls and returns as branches, and a push, pop, vldm or vstm as single
loads and stores.

The cycles are those until the last instruction is done. For a core that the models call in-order (Cortex-A53) that
number is far too high; there the figure is the cycles of the busiest unit (Block RThroughput). The model of Cortex-A9
takes most forms of vld1, vld4 and vst4 as free, which they are not on real cores. LLVM's older description of that core
(itineraries, for its own scheduler) has one cycle of the vector unit for up to two registers, and three cycles for the
four of vld4. For Cortex-A9 the bench therefore replaces each of them by instructions that the model does count and that
cost at least as much: a load of a q register by a vdup from a core register, which takes a cycle; a vld4 by one of
these for each d register; a store of a d register by a vstr.
"""

import os
import re
import subprocess
from pathlib import Path

import msgspec

from bench.declared import rsp
from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Target, Variant, kernels
from bench.made import build
from bench.made.cache import kept, once, tool
from bench.measured.measurement import Measurement

BYTES = 2048  # of a bulk row


class Architecture(msgspec.Struct, frozen=True):
    """A kind of Arm: how to build for it, run it, and call it in llvm-mca."""

    compiler: str
    flags: list[str]
    qemu: str
    triple: str
    features: str


ARCHITECTURES = {
    "armv7": Architecture("arm-linux-gnueabihf-gcc", ["-marm"], "qemu-arm", "armv7-linux-gnueabihf", "+neon"),
    "aarch64": Architecture("aarch64-linux-gnu-gcc", [], "qemu-aarch64", "aarch64-linux-gnu", "+aes"),
}
CORES = {"cortex-a9": "armv7", "swift": "armv7", "cortex-a53": "aarch64", "neoverse-n1": "aarch64"}
IN_ORDER = ("cortex-a53",)


class Estimate(msgspec.Struct):
    """The cycles of one call of a kernel on one core."""

    cipher: str
    kernel: str
    operation: str  # enc, dec, ctr, transposition
    blocks: int
    cycles: int
    cpb: float
    core: str
    instructions: int  # that were executed
    compiler: str
    counter: str
    note: str = "estimate"


def architectures(card: Card, kernel: str) -> list[str]:
    """The architectures on which a kernel in NEON runs."""
    return [name for name in ARCHITECTURES if card.kernels[kernel].architecture in ("", name)]


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str, Variant, str]]:
    """The kernels in NEON, each with every key size on every architecture. There are no estimates for portable C."""
    build.check(target)
    return {
        f"{kernel}{variant.suffix}, {architecture}": (card, kernel, variant, architecture)
        for card, kernel in kernels(target, ciphers) if card.machine == target.machine
        for variant in VARIANTS[card.cipher] for architecture in architectures(card, kernel)
    }  # fmt: skip


def rows(target: Target, part: tuple[Card, str, Variant, str]) -> list[Estimate]:
    """The rows of one part. Raises BenchError if the kernel computes wrong results."""
    return estimates(target, *part)


def estimates(target: Target, card: Card, kernel: str, variant: Variant, architecture: str) -> list[Estimate]:
    """The rows of one key size on the cores of one architecture."""
    rows = []
    for operation in ("enc", "dec"):
        program = link(target, card, kernel + variant.suffix + ("_inv" if operation == "dec" else ""), architecture)
        _verify(program, architecture, variant, operation)
        sizes = [16] if variant.cipher == "HIGHT" else []
        for blocks in [*sizes, BYTES // variant.block]:
            rows += _estimate(target, kernel, variant, architecture, program, operation, blocks)
        if operation == "enc":
            _verify_ctr(program, architecture, variant)
            rows += _estimate(target, kernel, variant, architecture, program, "ctr", BYTES // variant.block)
        if variant.cipher == "HIGHT" and operation == "enc":
            rows += _estimate(target, kernel, variant, architecture, program, "transposition", 16)
    return rows


# ---- Building and running.


def link(target: Target, card: Card, descriptor: str, architecture: str) -> Path:
    """The program with one descriptor."""
    m = ARCHITECTURES[architecture]
    flags = [*target.flags, *m.flags]
    sources = [*sorted((ROOT / "src/core").glob("*.c")), card.source_of(descriptor), ROOT / f"src/{card.cipher.lower()}/c/{card.cipher.lower()}_c.c"]
    objects = [build.compile(m.compiler, path, flags) for path in sources]
    objects.append(build.compile(m.compiler, ROOT / "bench/made/harness/neon.c", [*flags, f"-DKERNEL={descriptor}", f"-DBENCH_{card.cipher}"]))
    return build.link(m.compiler, objects, [*flags, *target.link], build.BUILD / f"neon/{architecture}/{descriptor}")


def run(program: Path, architecture: str, operation: str, blocks: int, given: bytes, *options: str) -> bytes:
    """The output of the harness for key and input."""
    command = [ARCHITECTURES[architecture].qemu, *options, program, operation, str(blocks)]
    done = subprocess.run(command, input=given, capture_output=True)
    if done.returncode:
        raise BenchError(f"{' '.join(map(str, command))}: exit code {done.returncode} {done.stderr.decode()[-300:]}")
    return done.stdout


def _verify(program: Path, architecture: str, variant: Variant, operation: str) -> None:
    """Checks every known answer as the first and the last block of a batch and of an incomplete batch."""
    for answer in (a for a in rsp.own() if a.cipher == variant.constant and a.mode == "ecb"):
        given, wanted = (answer.pt, answer.ct) if operation == "enc" else (answer.ct, answer.pt)
        blocks = 37 * (len(given) // variant.block)
        if run(program, architecture, "bulk", blocks, answer.key + 37 * given) != 37 * wanted:
            raise BenchError(f"{program.name} on {architecture}: wrong answer to {answer.source}")


def _verify_ctr(program: Path, architecture: str, variant: Variant) -> None:
    """Compares counter mode of whole and incomplete batches with counters that bulk encrypts."""
    blocks, size = 293, variant.block
    key, text = bytes(range(variant.key)), bytes(i * 5 & 255 for i in range(blocks * size))
    counters = b"".join(i.to_bytes(size, "big") for i in range(blocks))
    stream = run(program, architecture, "bulk", blocks, key + counters)
    if run(program, architecture, "ctr", blocks, key + text) != bytes(a ^ b for a, b in zip(text, stream, strict=True)):
        raise BenchError(f"{program.name} on {architecture}: counter mode differs from the counters that bulk encrypts")


# ---- Estimating.


def _estimate(
    target: Target, kernel: str, variant: Variant, architecture: str, program: Path, operation: str, blocks: int
) -> list[Estimate]:
    """The rows of one call on the cores of one architecture."""
    size = blocks * variant.block
    compiler = f"{build.version(ARCHITECTURES[architecture].compiler)} {target.label}"
    return [
        Estimate(
            variant.cipher, kernel, operation, blocks, cycles, round(cycles / size, 2), core, count, compiler,
            f"estimate: {_version()}, {'busiest unit' if core in IN_ORDER else 'all cycles'}",
        )
        for core, (cycles, count) in simulated(program, architecture, operation, blocks, variant).items()
    ]  # fmt: skip


@kept
def simulated(
    program: Path, architecture: str, operation: str, blocks: int, variant: Variant
) -> dict[str, tuple[int, int]]:
    """For each core the cycles of one call, and how many instructions the call executes."""
    slot = {"transposition": "slices", "ctr": "ctr"}.get(operation, "bulk")
    line = trace(program, architecture, slot, blocks, variant)
    return {core: (simulate(line, core), len(line)) for core, on in CORES.items() if on == architecture}


def trace(program: Path, architecture: str, operation: str, blocks: int, variant: Variant) -> list[str]:
    """The instructions of `measured` or `measured_ctr` and of the functions that it calls, in the order of their execution."""
    given = bytes(i * 7 & 255 for i in range(variant.key + blocks * variant.block))
    text = disassembly(program)
    return [line for pc, _ in executed(program, architecture, operation, blocks, given) for line in plain(text[pc])]


def executed(
    program: Path, architecture: str, operation: str, blocks: int, given: bytes, more: str = ""
) -> list[tuple[int, str]]:
    """Program counters in the measured function and those that it calls, each with what else qemu logs at that moment."""
    log = build.BUILD / "neon" / f".{os.getpid()}.log"
    options = [_one_at_a_time(ARCHITECTURES[architecture].qemu), "-d", f"exec,nochain{more}", "-D", str(log)]
    if architecture == "aarch64":
        options += ["-R", "0x40000000"]  # a space of addresses of its own, so that the stack is where it was in every run
    run(program, architecture, operation, blocks, given, *options)
    moments = re.findall(r"^Trace [^[]*\[[0-9a-f]+/([0-9a-f]+)/.*\n((?:(?!Trace ).*\n)*)", log.read_text(), re.M)
    log.unlink()
    at = [int(pc, 16) for pc, _ in moments]
    sizes = subprocess.run([tool("llvm-nm"), "-S", program], capture_output=True, text=True, check=True).stdout
    symbol = {name: (int(a, 16), int(n, 16)) for a, n, name in re.findall(r"^(\w+) (\w+) [Tt] (measured|measured_ctr|main)$", sizes, re.M)}
    first = at.index(symbol["measured_ctr" if operation == "ctr" else "measured"][0])
    main, size = symbol["main"]
    last = next(i for i in range(first, len(at)) if main <= at[i] < main + size)
    return [(at[i], moments[i][1]) for i in range(first, last)]


@once
def _one_at_a_time(qemu: str) -> str:
    """The option by which qemu translates, and so logs, single instructions. Version 8.1 renamed it."""
    said = subprocess.run([qemu, "-help"], capture_output=True, text=True).stdout
    return "-one-insn-per-tb" if "one-insn-per-tb" in said else "-singlestep"


@once
def disassembly(program: Path) -> dict[int, str]:
    """The instructions by their addresses."""
    listed = subprocess.run([tool("llvm-objdump"), "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True)
    return {
        int(a, 16): re.sub(r"\s*(<[^>]*>|//.*|@.*)", "", instruction)
        for a, instruction in re.findall(r"^\s*([0-9a-f]+):\s+(.*)$", listed.stdout, re.M)
    }


def plain(instruction: str) -> list[str]:
    """An instruction in the form that the models take."""
    name, _, operands = instruction.partition("\t")
    several = re.fullmatch(r"(?:(\w+)!?, )?\{(.*)\}", operands.strip())
    if re.fullmatch(r"blx?|bx\w*|ret|blr?|br", name):
        return ["b #8"]
    if re.fullmatch(r"b|b\.\w\w|b(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z|tbn?z", name):
        return [f"{name} {re.sub(r'0x[0-9a-f]+$', '#8', operands)}"]
    if several and (many := re.fullmatch(r"(v?)(push|pop|ldm|stm)\w*", name)):
        one = many[1] + ("str" if many[2] in ("push", "stm") else "ldr")
        names = [register.strip() for register in several[2].split(",")]
        return ["b #8" if r == "pc" else f"{one} {r}, [{several[1] or 'sp'}]" for r in names]
    return [instruction]


def counted(instruction: str) -> list[str]:
    """Replaces a vld or vst of Cortex-A9 by what its model counts; returns others as they are."""
    form = re.fullmatch(r"v(ld|st)(\d)\.\d+\t\{(.*)\}, \[(\w+)[^]]*\](!|, \w+)?", instruction)
    if not form:
        return [instruction]
    what, elements, names, base, step = form.groups()
    registers = [int(n) for n in re.findall(r"d(\d+)", names)]
    if what == "st":
        found = [f"vstr d{n}, [{base}]" for n in registers]
    elif elements == "1":
        pairs = [n for n in registers if n % 2 == 0 and n + 1 in registers]
        alone = [n for n in registers if n - n % 2 not in pairs]
        found = [f"vdup.8 q{n // 2}, {base}" for n in pairs] + [f"vdup.8 d{n}, {base}" for n in alone]
    else:
        found = [f"vdup.8 d{n}, {base}" for n in registers]
    return found + ([f"add {base}, {base}, #8"] if step else [])


def simulate(line: list[str], core: str) -> int:
    """The cycles that llvm-mca's model of the core takes for a straight line."""
    m = ARCHITECTURES[CORES[core]]
    if core == "cortex-a9":
        line = [each for instruction in line for each in counted(instruction)]
    command = [
        tool("llvm-mca"), f"-mtriple={m.triple}", f"-mattr={m.features}", f"-mcpu={core}", "-iterations=1",
        "-resource-pressure=false", "-instruction-info=false",
    ]  # fmt: skip
    done = subprocess.run(command, input="\n".join(line), capture_output=True, text=True)
    wanted = r"Block RThroughput:\s+([\d.]+)" if core in IN_ORDER else r"Total Cycles:\s+(\d+)"
    found = re.search(wanted, done.stdout)
    if done.returncode or "warning" in done.stderr or not found:
        raise BenchError(f"llvm-mca for {core}: {done.stderr.strip()[:500]}")
    return round(float(found[1]))


@once
def _version() -> str:
    said = subprocess.run([tool("llvm-mca"), "--version"], capture_output=True, text=True).stdout
    return f"llvm-mca {re.search(r'LLVM version ([0-9.]+)', said)[1]}"


ESTIMATES = Measurement(name="", row=Estimate, machines=("neon",), parts=parts, rows=rows)
