# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Single instructions on given states, as qemu executes them in a program beside the test and as the proof's machine does."""

import struct
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT
from bench.made import build
from proof.abi import Abi
from proof.bits import Graph, Unproved, number
from proof.hosts import HostFrame
from proof.machine import Machine

WINDOW, MOST = 16384, 64  # as in the programs
START = 0x1000  # the address of the first instruction
FREE = ["-O1", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-Wl,-N"]


@dataclass(frozen=True, order=True)
class Code:
    """An instruction, with IT before it if it stands in such a block."""

    raw: bytes
    behind: bytes = b""  # instructions that do nothing, so that there are 8 bytes, if the program executes as many
    state: int = 0  # a bit of the flags, by which the program knows in which state of the processor to execute it


@dataclass(frozen=True)
class Processor:
    """What the program for one architecture takes and gives: the registers, the flags in the uppermost bits of a word, and the vectors."""

    frame: type[HostFrame]
    abi: Abi
    program: str  # in test/proof
    qemu: str
    compiler: str
    flags: tuple[str, ...]  # of the compiler
    registers: tuple[str, ...]  # the stack pointer among them
    vectors: tuple[str, ...]
    unused: int = 0  # words behind the flags

    @property
    def words(self) -> str:
        return f"<{len(self.registers) + 1}{'Q' if self.abi.width == 8 else 'I'}{self.unused * self.abi.width}x"

    @property
    def vector(self) -> int:
        """The bytes of a vector."""
        return 2 * self.abi.width


Prepare = Callable[[HostFrame, Code], None]  # what a machine needs besides registers and memory before it executes code


def machine(processor: Processor) -> HostFrame:
    """A machine outside of any function."""
    abi = processor.abi
    m = processor.frame.__new__(processor.frame)
    Machine.__init__(m, Graph(), abi.language, {}, abi.data, abi.flash, strict=abi.strict)
    m.library, m.abi, m.back = None, abi, 0
    return m


class Step:
    """Code on concrete states, by its lifted operations."""

    def __init__(self, processor: Processor, window: int, content: bytes, prepare: Prepare):
        self.processor, self.window, self.content, self.prepare = processor, window, content, prepare
        self.m = machine(processor)
        self.m.region("window", window, content, write=True)
        self.base, self.at = self.m.memory, START

    def draw(self, random: Random, code: Code) -> bytes:
        """A state before this code. In half of the states all registers are pointers or small."""
        p, bits = self.processor, 8 * self.processor.abi.width
        pointer = lambda: self.window + random.randrange(4096, 4224)  # noqa: E731
        some = [pointer, lambda: random.randrange(64)]
        if random.random() < 0.5:
            some += [lambda: random.getrandbits(bits), lambda: random.getrandbits(bits // 2), lambda: (1 << bits) - 1, lambda: 0]
        n = p.vector
        lanes = [lambda: random.randbytes(n), lambda: bytes([random.choice([0, 1, 127, 128, 255]) for _ in range(n)])]
        lanes += [lambda: bytes(random.randrange(20) for _ in range(n))]  # among which look-ups in tables find entries
        vectors = b"".join(random.choice(lanes)() for _ in p.vectors)
        values = [pointer() & -p.abi.alignment if name == p.abi.pointer else random.choice(some)() for name in p.registers]
        return struct.pack(p.words, *values, random.getrandbits(4) << 28 | code.state) + vectors

    def lifted(self, code: Code, state: bytes) -> bytes:
        """What the program should write: the state afterwards, and where the window has changed."""
        m, p = self.m, self.processor
        *values, flags = struct.unpack_from(p.words, state)
        m.memory, m.code, m.pc = dict(self.base), dict(enumerate(code.raw, self.at)), self.at
        self.prepare(m, code)
        for name, value in zip(p.registers, values, strict=True):
            m.set_register(name, value)
        vectors = state[struct.calcsize(p.words) :]
        for i, name in enumerate(p.vectors):
            m.set_register(name, int.from_bytes(vectors[p.vector * i :][: p.vector], "little"))
        for bit, name in enumerate(p.abi.flags[::-1]):
            m.set_register(name, flags >> 28 + bit & 1)
        written = False
        while m.pc < self.at + len(code.raw):
            m.pc = Machine.step(m)
            written |= bool(m.fresh)
        assert m.pc == self.at + len(code.raw)
        flags = sum(m.register(name)[0] << 28 + bit for bit, name in enumerate(p.abi.flags[::-1]))
        words = struct.pack(p.words, *(number(m.register(name)) for name in p.registers), flags)
        vectors = b"".join(number(m.register(name)).to_bytes(p.vector, "little") for name in p.vectors)
        after = bytes(number(m.get(p.abi.data, self.window + i, 1)) for i in range(WINDOW)) if written else self.content
        first = next((i for i in range(WINDOW) if after[i] != self.content[i]), WINDOW)
        return words + vectors + struct.pack("<q", first) + after[first:][:MOST].ljust(MOST, b"\0")


def differing(
    processor: Processor, codes: Iterable[Code], states: int, tmp_path: Path, prepare: Prepare = lambda m, code: None
) -> tuple[set[str], set[str]]:
    """Two sets of code: what differs from qemu, and what a proof refuses in nearly all states, so that it was not compared. Code that the
    machine does not define is in neither set: every proof refuses it."""
    flags = [*FREE, *processor.flags]
    program = build.link(processor.compiler, [build.compile(processor.compiler, ROOT / "test/proof" / processor.program, flags)], flags, tmp_path / "states")
    with program.open("rb") as file:
        window = next(s["st_value"] for s in ELFFile(file).get_section_by_name(".symtab").iter_symbols() if s.name == "window")
    content = Random(1).randbytes(WINDOW)
    step = Step(processor, window, content, prepare)
    given, wanted, idle = [content], [], set()
    for code in sorted(codes):
        random, agreed, step.at = Random(code.raw), 0, step.at + 16  # SLEIGH remembers what IT has said about addresses
        for _ in range(400):
            state = step.draw(random, code)
            try:
                wanted.append((code, step.lifted(code, state)))
            except Unproved as error:
                if "no semantics" in str(error):
                    agreed = states
                    break
                continue
            given += [(code.raw + code.behind).ljust(8, b"\0"), state]
            agreed += 1
            if agreed == states:
                break
        idle |= set() if agreed == states else {code.raw.hex()}
    done = subprocess.run([processor.qemu, program], input=b"".join(given), capture_output=True, check=True).stdout
    size = len(wanted[0][1])
    assert len(done) == size * len(wanted)
    return {code.raw.hex() for i, (code, after) in enumerate(wanted) if after != done[size * i :][:size]}, idle
