# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GHASH's implementations for AArch64 against SP 800-38D. The claims, and the polynomials that prove them, are those of ghash.py; every
number of blocks is proved by turns.py."""

import gc
import time
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

from pypcode import OpCode as O

from bench.declared.model import ROOT
from bench.made.cache import kept
from proof import ghash
from proof.abi import Buffer
from proof.bits import FORMS, SOLVER, Bits, Graph, Unproved, constant, is_constant
from proof.claims import Fact
from proof.ghash import POWERS, Ring, Text
from proof.hosts import Compiled, Library, linked
from proof.machine import COMPUTE
from proof.neon import ABI, NEON, NeonFrame
from proof.turns import Turns, number_of_blocks
from proof.x86 import multiplied

BATCHES = {"ghash_c": 1, "ghash_pmull": POWERS}  # by implementation: the blocks between two reductions
OPERATIONS = "powers", "ghash"
FLAGS = ("-march=armv8-a+crypto",)  # without which there is no PMULL
SIZE = 16  # bytes of a block


def product(g: Graph, n: int, a: Bits, b: Bits) -> Bits:
    """The low bits of a product."""
    return COMPUTE[O.INT_MULT](g, n, a, b) if is_constant(a) or is_constant(b) else multiplied(g, a, b)


class HashFrame(NeonFrame):
    """A machine that knows products of words whose bits lie far apart. The blocks that it has read are those that it has processed."""

    begun = 0  # the number of the first block of the call

    def _lifted(self, pc: int, raw: bytes) -> tuple[int, list[list]]:
        length, ops = super()._lifted(pc, raw)
        for op in ops:
            if op[3] is COMPUTE[O.INT_MULT]:
                op[3] = product
        return length, ops


@cache
def library(compiled: Compiled, changed: tuple[tuple[Path, Path], ...] = ()) -> Path:
    """The library with GHASH. changed: sources that take the places of others, for tests."""
    folder = ROOT / "src/mode"
    own = ("-iquote", folder) if changed else ()
    return linked(NEON, compiled, "ghash", {*folder.glob("ghash*.c")}, [*FLAGS, *own], dict(changed))


class Claim:
    """What is claimed of one function of an implementation."""

    def __init__(self, path: Path, kernel: str, operation: str):
        self.library, self.kernel, self.operation = Library(path, 0), kernel, operation
        self.function, _ = self.library.symbols[f"haechi_{kernel}{'_init' if operation == 'powers' else ''}"]
        self.batch, self.g = BATCHES[kernel], Ring()

    def digest(self) -> str:
        return self.library.digest

    def prove(self) -> Fact:
        started = time.process_time()
        fact = Fact(self.kernel, "GHASH", self.operation, self.digest())
        try:
            if self.operation == "powers":
                self.powers(fact, range(1, POWERS + 1))
            else:
                self._every_number(fact)
        except Unproved as error:
            fact.faults.append(str(error))
        fact.decided = SOLVER if SOLVER in self.g.decided else FORMS
        fact.seconds = time.process_time() - started
        return fact

    def frame(self, *arguments: Buffer | Bits | int) -> HashFrame:
        m = HashFrame(self.g, ABI, self.library, self.function, list(arguments))
        m.pc = self.function
        return m

    def learn(self, fact: Fact, m: HashFrame) -> None:
        """Adds the facts that a run shows."""
        fact.stack = max(fact.stack, m.stack())
        fact.reads = sorted({*fact.reads, *m.read})
        fact.writes = sorted({*fact.writes, *(m.writable[at] for at in m.written)})
        if m.pc is None and (faults := m.faults()):
            raise Unproved(", ".join(faults))

    # ---- The powers of h.

    def powers(self, fact: Fact, numbers: Iterable[int]) -> None:
        """Proves calls for so many powers."""
        named = ghash.named_powers(self.g, POWERS, False)
        before = sum((self.g.input(f"before {n}", 128) for n in range(POWERS - 1)), ())
        for most in numbers:
            upper = self.g.input("upper half of a register", 32)  # of which the calling convention says nothing
            m = self.frame(Buffer("powers", before + named[1], True, alignment=8), constant(most, 32) + upper)
            m.run(m.pc)
            self.learn(fact, m)
            wanted = before[: 128 * (POWERS - most)] + sum((named[n] for n in range(most, 0, -1)), ())
            if m.content("powers") != wanted:
                raise Unproved(f"{most} powers differ from the specification")
        fact.instructions = len(m.trace)

    # ---- The text.

    def _every_number(self, fact: Fact) -> None:
        self.turns.explore()
        self.few(fact, (1, 0, *range(2, self.turns.most + 1)))
        for m in self.turns.ends:
            self.learn(fact, m)

    def few(self, fact: Fact, numbers: Iterable[int]) -> None:
        """Proves calls for so many blocks."""
        for n in numbers:
            for m in self.turns.few(n):
                self.learn(fact, m)
                fact.instructions = fact.instructions or len(m.trace)
                if not self.text.is_right(n, m.content("y")):
                    raise Unproved(f"{n} blocks: y differs from the specification")

    @cached_property
    def text(self) -> Text:
        return Text(self.g, self.batch)

    @cached_property
    def turns(self) -> Turns:
        """The calls for all numbers of blocks. What a turn leaves is y, of which the state at the head consists."""
        g, batch, text = self.g, self.batch, self.text
        count, most = number_of_blocks(g, 8 * ABI.width, SIZE), max(2, batch)

        def enter(n: int | None, k: int) -> HashFrame:
            if n is not None:
                g.forget()
            blocks = most + 1 if n is None else n
            for done in range(0, blocks, batch):
                text.after(done)
            content = sum((text.block(i) for i in range(blocks)), ())
            left = g.add(count, constant(-k % (1 << len(count)), len(count)))[0] if n is None else n
            into = Buffer("in", content, done=SIZE * k)
            m = self.frame(Buffer("powers", sum(text.powers, ()), alignment=8), Buffer("y", text.after(k), True), into, left)
            m.begun = k
            return m

        def done(m: HashFrame) -> int:
            blocks, part = divmod(m.reached["in"] + 1 - m.regions["in"][1], SIZE)
            return -1 if part else max(0, blocks - m.begun)

        return Turns(g, "in", SIZE, batch, most, enter, done, 3, ("y",))


# ---- All claims.


def claims(compiled: Compiled) -> Iterator[tuple[tuple[str, str, str, str, str], Claim]]:
    for kernel in BATCHES:
        for operation in OPERATIONS:
            yield (NEON.name, compiled.name, "GHASH", kernel, operation), Claim(library(compiled), kernel, operation)


def every(wanted: str = "") -> dict[tuple[str, str, str, str, str], str]:
    """All claims that `make prove TARGET=neon` takes besides those of hosts.py, with the digest of the library that each is about."""
    return {name: c.digest() for compiled in NEON.compiled for name, c in claims(compiled) if wanted in ("", c.kernel)}


@kept
def proved(path: Path, kernel: str, operation: str) -> Fact:
    """The proof of one claim, which the cache gives again as arm.proved is given."""
    gc.disable()  # a graph has millions of tuples and no cycles
    fact = Claim(path, kernel, operation).prove()
    gc.enable()
    return fact
