# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code, lifted to p-code by SLEIGH, run on symbolic bits.

The program counter and the addresses of stores are always concrete. A load may have a symbolic address: a look-up,
if all that it may reach is constant. A branch may have a symbolic condition only where the caller of `run` allows it
for the inputs that it depends on; both ways are then followed.
"""

from dataclasses import dataclass, field
from functools import reduce

import pypcode
from pypcode import OpCode as O

from proof.bits import Bits, Graph, Unproved, constant, inverted, is_constant, number

POISON = object()  # what is known to be lifted wrongly; a new unknown each time it is read
LIMIT = 200_000  # instructions
FORKS = 64
COMPARE = {O.INT_LESS, O.INT_SLESS, O.INT_LESSEQUAL, O.INT_SLESSEQUAL}


@dataclass(frozen=True)
class LookUp:
    """A load whose address depends on inputs."""

    pc: int
    places: frozenset[str]


@dataclass
class Path:
    """A way through the code: state and history."""

    pc: int
    memory: dict[tuple[str, int], Bits]  # bytes by space and address; registers and temporaries too
    conditions: Bits = ()  # that hold on this way
    trace: list[int] = field(default_factory=list)
    lookups: list[LookUp] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    returned: Bits = ()  # the address

    def copy(self, pc: int, condition: int) -> "Path":
        return Path(pc, dict(self.memory), (*self.conditions, condition), list(self.trace), list(self.lookups),
                    set(self.read), set(self.written))  # fmt: skip


class Machine:
    """code: bytes by address. data, flash: names of the spaces; flash is empty where there is one space for all.
poisoned: registers to distrust. unit: what an address in a register that is jumped to counts, in bytes.
    skip: the register by which SLEIGH tells an instruction that it is to be skipped."""

    def __init__(self, g: Graph, language: str, code: dict[int, int], data: str, flash="", poisoned=(), unit=1, skip=""):
        self.g, self.code, self.data, self.flash, self.unit = g, code, data, flash, unit
        self.context = _context(language)
        self.registers = self.context.registers
        self.poisoned = {(self.registers[r].space.name, self.registers[r].offset) for r in poisoned}
        self.skip = skip and (self.registers[skip].space.name, self.registers[skip].offset, 1)
        self.readable: dict[tuple[str, int], str] = {}  # name of the region
        self.writable: dict[int, str] = {}
        self.path = Path(0, {})
        self.may_fork: set[str] = set()  # names of inputs
        self._translated = {}
        self._waiting: list[Path] = []

    # ---- State.

    def get(self, space: str, address: int, size: int) -> Bits:
        out = ()
        for at in range(address, address + size):
            byte = self.path.memory.get((space, at))
            if byte is None:
                raise self.stop(f"reads {space}[{at:#x}], which nobody wrote")
            out += self.g.input("poison", 8) if byte is POISON else byte
        return out

    def put(self, space: str, address: int, word: Bits) -> None:
        for i in range(0, len(word), 8):
            self.path.memory[space, address + i // 8] = word[i : i + 8]

    def register(self, name: str) -> Bits:
        r = self.registers[name]
        return self.get(r.space.name, r.offset, r.size)

    def set_register(self, name: str, word: Bits | int) -> None:
        r = self.registers[name]
        word = constant(word, 8 * r.size) if isinstance(word, int) else word
        self.put(r.space.name, r.offset, word + (0,) * (8 * r.size - len(word)))

    def poison(self, name: str) -> None:
        r = self.registers[name]
        self.path.memory[r.space.name, r.offset] = POISON

    def region(self, name: str, address: int, content: Bits | bytes | int, write: bool = False, space: str = "") -> None:
        """Memory that may be read, and written if so said: its bits, its bytes, or how many bytes there are."""
        if isinstance(content, bytes):
            content = sum((constant(b, 8) for b in content), ())
        size = content if isinstance(content, int) else len(content) // 8
        if not isinstance(content, int):
            self.put(space or self.data, address, content)
        for at in range(address, address + size):
            self.readable[space or self.data, at] = name
            if write:
                self.writable[at] = name

    def stop(self, why: str) -> Unproved:
        return Unproved(f"{self.path.pc:#x}: {why}")

    # ---- Memory.

    def load(self, space: str, address: Bits, size: int) -> Bits:
        if space == "code":  # AVR's LPM reads a word besides its byte, which comes from `codebyte`
            return self.g.input("poison", 8 * size)
        if is_constant(address):
            at = number(address)
            self._check(space, at, size)
            return self.get(space, at, size)
        try:
            leaves, where = self.g.values(address)
        except Unproved as error:
            raise self.stop(f"the address of a load {error}") from None
        for at in set(where):
            self._check(space, at, size)
        words = {at: self.get(space, at, size) for at in set(where)}
        if not all(map(is_constant, words.values())):
            raise self.stop("a look-up in what is not constant")
        places = frozenset(self.readable[space, at] for at in words)
        self.path.lookups.append(LookUp(self.path.pc, places))
        return self.g.select(leaves, [number(words[at]) for at in where], 8 * size)

    def _check(self, space: str, at: int, size: int) -> None:
        for byte in range(at, at + size):
            if (space, byte) not in self.readable:
                raise self.stop(f"reads {space}[{byte:#x}], which is not its own")
            if space == self.data:
                self.path.read.add(byte)

    def store(self, space: str, address: Bits, word: Bits) -> None:
        if not is_constant(address):
            raise self.stop("a store to an address that depends on secrets")
        at = number(address)
        for byte in range(at, at + len(word) // 8):
            if space != self.data or byte not in self.writable:
                raise self.stop(f"writes {space}[{byte:#x}], which is not its own")
            self.path.written.add(byte)
        self.put(space, at, word)

    # ---- Instructions.

    def translate(self, pc: int):
        """Length and operations."""
        if pc not in self._translated:
            raw = bytes(self.code.get(pc + i, 0) for i in range(8))
            ops = self.context.translate(raw, base_address=pc, max_instructions=1).ops
            length = sum(v.size for v in ops[0].inputs)  # IMARK
            place = lambda v: v and (v.space.name, v.offset, v.size)  # noqa: E731
            ops = [(op.opcode, place(op.output), [place(v) for v in op.inputs], op) for op in ops[1:]]
            # a context remembers what it translated before: whether this may be skipped is for `step` to tell
            self._translated[pc] = length, [op for op in ops if op[0] != O.CBRANCH or op[2][1] != self.skip]
        return self._translated[pc]

    def value(self, place: tuple[str, int, int]) -> Bits:
        space, offset, size = place
        return constant(offset, 8 * size) if space == "const" else self.get(space, offset, size)

    def step(self) -> int | Bits:
        """Runs the instruction at the program counter; the next one's address, or the word that is jumped to."""
        pc = self.path.pc
        length, ops = self.translate(pc)
        at, skips = 0, False
        while at < len(ops):
            opcode, out, ins, op = ops[at]
            at += 1
            if opcode == O.STORE:
                self.store(op.inputs[0].getSpaceFromConst().name, self.value(ins[1]), self.value(ins[2]))
            elif opcode in (O.BRANCH, O.CBRANCH, O.CALL):
                space, target, size = ins[0]
                if opcode == O.CBRANCH and not self._taken(self.value(ins[1])[0], space, target):
                    continue
                if space != "const":
                    return target
                at += (target ^ 1 << 8 * size - 1) - (1 << 8 * size - 1) - 1
            elif opcode in (O.RETURN, O.BRANCHIND, O.CALLIND):
                return self.value(ins[0])
            elif opcode == O.CALLOTHER:
                if pypcode.PcodePrettyPrinter.fmt_op(op) != "setISAMode()":
                    raise self.stop(f"no semantics of {pypcode.PcodePrettyPrinter.fmt_op(op)}")
            else:
                if opcode == O.LOAD:
                    result = self.load(op.inputs[0].getSpaceFromConst().name, self.value(ins[1]), out[2])
                else:
                    result = self.compute(opcode, [self.value(v) for v in ins], 8 * out[2])
                self.put(out[0], out[1], result)
                skips |= out == self.skip
                if out[:2] in self.poisoned:
                    self.path.memory[out[:2]] = POISON
        then = pc + length
        if skips:
            behind = then + self.translate(then)[0]
            return behind if self._taken(self.value(self.skip)[0], "", behind) else then
        return then

    def _taken(self, condition: int, space: str, target: int) -> bool:
        if condition > 1:
            inputs = {self.g.names[node][0] for node in self.g.support((condition,))}
            if not inputs <= self.may_fork:
                raise self.stop(f"a branch on {', '.join(sorted(inputs))}")
            conditions = self.path.conditions
            may = [self.g.care((*conditions, condition ^ flip))[1] != 0 for flip in (1, 0)]
            if all(may):
                if space == "const":
                    raise self.stop("a branch inside an instruction")
                self._waiting.append(self.path.copy(target, condition))
                self.path.conditions = (*conditions, condition ^ 1)
                return False
            condition = may.index(True)
        return condition == 1

    def compute(self, opcode, a: list[Bits], width: int) -> Bits:
        """a: operands, width: of the result, in bits."""
        g = self.g
        bit = lambda x: (x, *(0,) * (width - 1))  # noqa: E731
        if opcode == O.COPY:
            return a[0]
        if opcode == O.INT_ZEXT:
            return a[0] + (0,) * (width - len(a[0]))
        if opcode == O.INT_SEXT:
            return a[0] + a[0][-1:] * (width - len(a[0]))
        if opcode == O.SUBPIECE:
            return (a[0][8 * number(a[1]) :] + (0,) * width)[:width]
        if opcode == O.PIECE:
            return a[1] + a[0]
        if opcode in (O.INT_XOR, O.BOOL_XOR):
            return tuple(map(g.xor, *a))
        if opcode in (O.INT_AND, O.BOOL_AND):
            return tuple(map(g.and_, *a))
        if opcode == O.BOOL_OR:
            return bit(g.either(a[0][0], a[1][0]))
        if opcode == O.INT_OR:
            return tuple(map(g.or_, *a))
        if opcode == O.INT_NEGATE:
            return inverted(a[0])
        if opcode == O.BOOL_NEGATE:
            return bit(a[0][0] ^ 1)
        if opcode == O.INT_2COMP:
            return g.add(inverted(a[0]), (0,) * width, 1)[0]
        if opcode == O.INT_ADD:
            return g.sum(*a)
        if opcode == O.INT_SUB:
            return inverted(g.sum(inverted(a[0]), a[1]))
        if opcode == O.INT_CARRY:
            return bit(g.carry(*a))
        if opcode in (O.INT_SCARRY, O.INT_SBORROW):
            x, y = a[0], a[1] if opcode == O.INT_SCARRY else inverted(a[1])
            total, carry = g.add(x, y, int(opcode == O.INT_SBORROW))
            return bit(g.xor(g.xor(g.xor(x[-1], y[-1]), total[-1]), carry))
        if opcode in COMPARE:
            x, y = a
            if opcode in (O.INT_SLESS, O.INT_SLESSEQUAL):
                x, y = (w[:-1] + (w[-1] ^ 1,) for w in a)
            if opcode in (O.INT_LESSEQUAL, O.INT_SLESSEQUAL):
                return bit(g.add(inverted(y), x)[1] ^ 1)
            return bit(g.carry(inverted(x), y))
        if opcode in (O.INT_EQUAL, O.INT_NOTEQUAL):
            return bit(reduce(g.or_, map(g.xor, *a), 0) ^ (opcode == O.INT_EQUAL))
        if opcode in (O.INT_LEFT, O.INT_RIGHT, O.INT_SRIGHT):
            if not is_constant(a[1]):
                raise self.stop("a shift by a distance that depends on secrets")
            n = min(number(a[1]), width)
            if opcode == O.INT_LEFT:
                return ((0,) * n + a[0])[:width]
            return a[0][n:] + (a[0][-1] if opcode == O.INT_SRIGHT else 0,) * n
        if opcode == O.INT_MULT:
            x, y = a if is_constant(a[1]) else a[::-1]
            out = (0,) * width
            for i, b in enumerate(y):
                if b:
                    out = g.add(out, tuple(g.and_(b, z) for z in ((0,) * i + x)[:width]))[0]
            return out
        if opcode == O.POPCOUNT:
            return reduce(lambda total, x: g.add(total, bit(x))[0], a[0], (0,) * width)
        raise self.stop(f"no semantics of {opcode}")

    def run(self, pc: int, may_fork=()) -> list[Path]:
        """All ways from here to where the code returns to a symbolic address."""
        self.path.pc, self.may_fork, self._waiting = pc, set(may_fork), [self.path]
        done = []
        while self._waiting:
            self.path = self._waiting.pop()
            while not self.path.returned:
                self.path.trace.append(self.path.pc)
                then = self.step()
                if isinstance(then, int):
                    self.path.pc = then
                elif is_constant(then):
                    self.path.pc = number(then) * self.unit
                else:
                    self.path.returned = then
                if len(self.path.trace) > LIMIT:
                    raise self.stop("does not return")
            done.append(self.path)
            if len(done) + len(self._waiting) > FORKS:
                raise self.stop("too many ways")
        return done


_contexts: dict[str, pypcode.Context] = {}


def _context(language: str) -> pypcode.Context:
    if language not in _contexts:
        _contexts[language] = pypcode.Context(language)
    return _contexts[language]
