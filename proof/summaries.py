# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a mode of operation with a block cipher of which nothing is known but that equal blocks give equal results.

Where the code enters a slot of the kernel's descriptor, the machine does what that slot is proved to do (claims.py), and
afterwards knows nothing of the registers and the stack that the slot may have used.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import spec
from bench.declared.model import Target, Variant
from bench.made.elf import Symbol
from bench.simulated.simulator import Simulator
from proof.abi import ARGUMENTS, STACK_ROOM, Buffer, Frame
from proof.bits import ONES, Bits, Graph, Unproved, Word, constant, is_constant, number
from proof.claims import alignment
from proof.machine import POISON, Fork

RETURNS = {"avr": 0x9508, "msp430": 0x4130, "armv6m": 0x4770, "armv7m": 0x4770, "rv32": 0x8082}  # the instruction, of two bytes


class BlockCipher:
    """A function of blocks of which nothing is known but that equal blocks give equal results."""

    def __init__(self, g: Graph, name: str):
        self.g, self.name = g, name
        self.results: dict[Bits, Bits] = {}
        self._values: dict[int, int] = {0: 0}  # of nodes, for random inputs
        self._alike: dict[tuple[int, ...], list[Bits]] = {}  # the blocks by their values for random inputs

    def __call__(self, block: list[Word]) -> list[Word]:
        return Word(self.g, self.of(spec.join(block).bits)).split(8)

    def of(self, block: Bits) -> Bits:
        if block not in self.results:
            self.g.patterns(self.g.cone(block, self._values), self._values)
            alike = self._alike.setdefault(tuple(self._values[x >> 1] ^ (-(x & 1) & ONES) for x in block), [])
            known = (self.results[other] for other in alike if self.g.differ(other, block) is None)
            result = next(known, None)
            if result is None:
                result = self.g.input(f"{self.name} {len(self.results)}", len(block))
                alike.append(block)
            self.results[block] = result
        return self.results[block]


@dataclass
class Program:
    """A linked program with a kernel and all modes, in a simulator."""

    target: Target
    simulator: Simulator
    kernel: str
    variant: Variant

    def __post_init__(self):
        self.descriptors = [self.simulator.descriptor(f"{self.kernel}{self.variant.suffix}{d}") for d in ("", "_inv")]
        self.at = [self.image.address(f"haechi_{self.kernel}{self.variant.suffix}{d}") for d in ("", "_inv")]

    @property
    def image(self):
        return self.simulator.image

    @property
    def object_alignment(self) -> int:
        """The power of two that divides the addresses of key objects, whose first word is a pointer."""
        return max(self.simulator.alignment, self.simulator.pointer if self.target.machine != "avr" else 1)

    @property
    def alignment(self) -> int:
        """The power of two that divides the addresses of the kernel's buffers."""
        return max(alignment(d.flags) for d in self.descriptors)

    @property
    def block(self) -> int:
        return self.variant.block

    def constants(self, function: int) -> list[int]:
        """The function, and what it reaches through pointers alone."""
        ciphers = (f"{self.variant.constant}{direction}" for direction in ("", "_inv"))
        return [function, *(self.image.address(f"haechi_{name}") for name in ("ccm", "eax", *ciphers))]


class ModeFrame(Frame):
    """A machine at the entry of a mode's function. The kernel's functions are summaries: each does what it is proved to do."""

    chooses = True

    def __init__(self, g: Graph, program: Program, function: int, arguments: list, ciphers: list[BlockCipher], verdict: int = 0):
        self.program, self.ciphers, self.verdict = program, ciphers, verdict
        self.below: dict[int, Bits] = {}  # bytes below the stack pointer at a call of the kernel, which may or may not remain
        super().__init__(g, program.target.name, program.simulator, function, arguments)
        self.writable.update((at, name) for (_, at), name in self.readable.items() if name == ARGUMENTS)  # they are the callee's
        self.public = frozenset(f"the address of {name}" for name in g.places.bases)
        self.summaries: dict[int, tuple[str, int]] = {}
        for inverse, d in enumerate(program.descriptors):
            for slot in ("expand", "crypt", "bulk", "ctr"):
                if getattr(d, slot):
                    self.summaries[getattr(d, slot)] = f"_{slot}", inverse
        back = RETURNS[program.target.machine]
        for at in self.summaries:
            self.code[at], self.code[at + 1] = back & 255, back >> 8

    def _reached(self, simulator: Simulator, function: int) -> tuple[Symbol, ...]:
        return simulator.image.needs(self.program.constants(function)).symbols

    def copy(self) -> "ModeFrame":
        other = super().copy()
        other.below = dict(self.below)
        return other

    # ---- The kernel.

    def advance(self) -> None:
        entered = self.summaries.get(self.pc)
        if entered:
            try:
                self._enter(*entered)
            except Unproved as error:
                raise self.stop(str(error)) from None
        super().advance()
        if entered:
            self._forget()

    def _enter(self, summary: str, inverse: int) -> None:
        self.before, self.whole, self.fresh = self.register(self.pointer), 0, set()
        getattr(self, summary)(self.ciphers[inverse])
        self.written |= self.fresh
        floor = self._floor(self.before)
        for at in range(self.top - STACK_ROOM, floor):
            byte = self.memory[self.data, at]
            if byte is not POISON:
                self.below[at] = byte
                self.memory[self.data, at] = POISON

    def _forget(self) -> None:
        """Makes unknown what the kernel need not leave as it was, once it has returned."""
        a = self.abi
        for name in (*a.registers, *a.flags, *([a.link] if a.link else [])):
            if name not in (*a.kept, *a.zero):
                self.set_register(name, self.g.input("poison", 1 if name in a.flags else 8 * self.registers[name].size))
        for name, free in a.free.items():
            unknown = self.g.input("poison", 8 * self.registers[name].size)
            self.set_register(name, tuple(y if free >> i & 1 else x for i, (x, y) in enumerate(zip(self.register(name), unknown))))

    def _passed(self, i: int) -> Bits:
        """The i-th argument of the function that is entered."""
        a = self.abi
        if i < len(a.arguments):
            return self.register(a.arguments[i])[: 8 * a.width]
        at = self._address(self.before) + self.post + self.program.simulator.return_bytes + (i - len(a.arguments)) * a.width
        self._check(self.data, at, a.width)
        return self.get(self.data, at, a.width)

    def _block_at(self, at: int) -> Bits:
        return self._content(at, self.program.block, self.program.alignment)

    def _content(self, at: int, size: int, alignment: int) -> Bits:
        """What lies in memory that the kernel may read, at a multiple of the alignment."""
        for byte in range(at, at + size):
            self._check(self.data, byte, 1)
        self._check_multiple(at, alignment)
        return self.get(self.data, at, size)

    def _check_multiple(self, at: int, of: int) -> None:
        for bit in self.g.places.word(at)[: of.bit_length() - 1]:
            if bit and self.possible((*self.path, bit)):
                raise Unproved(f"the kernel gets {self.text(self.data, at)}, which need not be a multiple of {of}")

    def _pointer(self, i: int) -> int:
        at = self._address(self._passed(i))
        if at is None:
            raise Unproved(f"argument {i} of the kernel is no known address")
        return at

    def _keys(self) -> None:
        """Checks the first argument."""
        at, d = self._pointer(0), self.program.descriptors[0]
        if self._content(at, d.rk, self.program.simulator.alignment) != self.g.words["round keys"]:
            raise Unproved("the kernel gets other round keys")

    def _expand(self, cipher: BlockCipher) -> None:
        if self._content(self._pointer(1), self.program.variant.key, self.program.alignment) != self.g.words["key"]:
            raise Unproved("the kernel gets another key")
        self._store(self._pointer(0), self.g.input("round keys", 8 * self.program.descriptors[0].rk), self.program.simulator.alignment)

    def _crypt(self, cipher: BlockCipher) -> None:
        self._keys()
        at = self._pointer(1)
        self._store(at, cipher.of(self._block_at(at)))

    def _store(self, at: int, word: Bits, alignment: int = 0) -> None:
        for byte in range(at, at + len(word) // 8):
            self._mark(self.data, byte, 1)
        self._check_multiple(at, alignment or self.program.alignment)
        self.put(self.data, at, word)

    def _number(self, i: int) -> int:
        word = self._passed(i)
        if not is_constant(word):
            raise Unproved(f"argument {i} of the kernel depends on inputs")
        return number(word)

    def _bulk(self, cipher: BlockCipher) -> None:
        self._keys()
        out, into, n = self._pointer(1), self._pointer(2), self._number(3)
        self._blocks(out, into, n, lambda i, block: cipher.of(block))

    def _ctr(self, cipher: BlockCipher) -> None:
        self._keys()
        counter, out, into, n = self._pointer(1), self._pointer(2), self._pointer(3), self._number(4)
        first = Word(self.g, self._block_at(counter))
        stream = [cipher.of(spec.counter_plus(first, i).bits) for i in range(n)]
        self._blocks(out, into, n, lambda i, block: tuple(map(self.g.xor, block, stream[i])))
        self._store(counter, spec.counter_plus(first, n).bits)

    def _blocks(self, out: int, into: int, n: int, result: Callable[[int, Bits], Bits]) -> None:
        size = self.program.block
        if out != into and abs(out - into) < n * size:
            raise Unproved("the kernel gets buffers that overlap")
        for i in range(n):
            self._store(out + i * size, result(i, self._block_at(into + i * size)))

    # ---- Branches.

    def _taken(self, condition: int, before: list) -> bool:
        try:
            return super()._taken(condition, before)
        except Unproved:
            flip = self._verdict_is(condition)
            if flip is None:
                raise
        if self.verdict in self.path or self.verdict ^ 1 in self.path:
            return self.verdict ^ flip in self.path
        raise Fork(self.verdict)

    def _verdict_is(self, condition: int) -> int | None:
        """0 if a literal is the verdict, 1 if it is the opposite."""
        if self.verdict:
            for flip in (0, 1):
                if self.g.differ((condition,), (self.verdict ^ flip,)) is None:
                    return flip
        return None

    def leftover(self) -> Iterator[tuple[int, Bits]]:
        """The bytes of the stack that the call wrote and that may remain below the stack pointer."""
        for at in self._stacked():
            byte = self.memory[self.data, at]
            if byte is not POISON:
                yield at, byte
            elif at in self.below:
                yield at, self.below[at]


