# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs machine code on symbolic bits. SLEIGH lifts each instruction to operations of its p-code.

The program counter must be concrete, and the addresses of stores concrete or a known distance from an unknown base
(places.py): the proof stops where a value that depends on an input would decide them. The address of a load may depend on
inputs if everything that it can reach is constant; such a load is called a look-up.

Every access to memory is checked, whether p-code has it as a load, as a store or as an operand at a fixed address.
"""

from collections.abc import Callable, Iterator
from copy import copy
from functools import lru_cache, reduce
from itertools import chain

import pypcode
from pypcode import OpCode as O

from proof.bits import Bits, Graph, Unproved, constant, inverted, is_constant, number

POISON = object()  # a byte of which nothing is known: each time it is read, it is another unknown
STACK = "stack"  # the name of the region
AVR_REGISTERS = range(32)  # their addresses in the data space; SLEIGH has names for I/O registers above, too
# The upper bytes of AVR's instructions that only compute and take two cycles: MULS, MULSU and FMUL, ADIW, SBIW, MUL.
TWO_CYCLES = {0x02, 0x03, 0x96, 0x97, *range(0x9C, 0xA0)}
LIMIT = 200_000  # instructions, after which a run counts as endless


class Fork(Exception):
    """A branch that may go both ways. The argument is the literal that it depends on; nothing has changed yet."""


def _bit(x: int, width: int) -> Bits:
    return (x, *(0,) * (width - 1))


def _signed(word: Bits) -> Bits:
    """A word whose order as an unsigned number is the order of this one as a signed number."""
    return (*word[:-1], word[-1] ^ 1)


def _sum(g: Graph, n: int, a: Bits, b: Bits) -> Bits:
    if not g.places:
        return g.sum(a, b)
    return g.places.sum(a, b) or g.places.byte(g.sum(a, b))


def _difference(g: Graph, n: int, a: Bits, b: Bits) -> Bits:
    if not g.places:
        return inverted(g.sum(inverted(a), b))
    found = g.places.difference(a, b) or g.places.byte(inverted(g.sum(inverted(a), b)))
    g.places.note_difference(a, b, found)
    return found


def _less(g: Graph, a: Bits, b: Bits) -> int:
    known = g.places and g.places.less(a, b)
    return g.carry(inverted(a), b) if known is None else known


def _different(g: Graph, a: Bits, b: Bits) -> int:
    known = g.places and g.places.different(a, b)
    return reduce(g.or_, map(g.xor, a, b), 0) if known is None else known


def _overflow(g: Graph, a: Bits, b: Bits, carry: int) -> int:
    total, out = g.add(a, b, carry)
    return g.xor(g.xor(g.xor(a[-1], b[-1]), total[-1]), out)


def _product(g: Graph, width: int, a: Bits, b: Bits) -> Bits:
    if not is_constant(b):
        a, b = b, a
    out = (0,) * width
    for i, bit in enumerate(b):
        if bit:
            out = g.add(out, tuple(g.and_(bit, x) for x in ((0,) * i + a)[:width]))[0]
    return out


def _divided(a: Bits, b: Bits, signed: bool = False) -> tuple[int, int]:
    """Quotient and remainder of public words: on many machines a division takes as long as its operands are. The
    remainder of signed words has the sign of the dividend."""
    if not is_constant(a + b):
        raise Unproved("a division that depends on inputs")
    if not any(b):
        raise Unproved("a division by 0")
    x, y = (number(word) - (signed and word[-1] << len(word)) for word in (a, b))
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient, x - quotient * y


def _leading_zeros(g: Graph, width: int, word: Bits) -> Bits:
    """How many zeros a word has above its highest one."""
    count = constant(len(word), width)
    for i, x in enumerate(word):
        count = tuple(g.mux(x, a, b) for a, b in zip(constant(len(word) - 1 - i, width), count))
    return count


def _distance(word: Bits, width: int) -> int:
    if not is_constant(word):
        raise Unproved("a shift by a distance that depends on secrets")
    return min(number(word), width)


# What each operation computes from the graph, the number of bits of the result, and the operands.
COMPUTE = {
    O.COPY: lambda g, n, a: a,
    O.INT_ZEXT: lambda g, n, a: a + (0,) * (n - len(a)),
    O.INT_SEXT: lambda g, n, a: a + a[-1:] * (n - len(a)),
    O.SUBPIECE: lambda g, n, a, b: (a[8 * number(b) :] + (0,) * n)[:n],
    O.PIECE: lambda g, n, a, b: b + a,
    O.INT_XOR: lambda g, n, a, b: tuple(map(g.xor, a, b)),
    O.INT_AND: lambda g, n, a, b: tuple(map(g.and_, a, b)),
    O.INT_OR: lambda g, n, a, b: tuple(map(g.or_, a, b)),
    O.INT_NEGATE: lambda g, n, a: inverted(a),
    O.BOOL_XOR: lambda g, n, a, b: _bit(g.xor(a[0], b[0]), n),
    O.BOOL_AND: lambda g, n, a, b: _bit(g.and_(a[0], b[0]), n),
    O.BOOL_OR: lambda g, n, a, b: _bit(g.either(a[0], b[0]), n),
    O.BOOL_NEGATE: lambda g, n, a: _bit(a[0] ^ 1, n),
    O.INT_ADD: _sum,
    O.INT_SUB: _difference,
    O.INT_2COMP: lambda g, n, a: g.add(inverted(a), (0,) * n, 1)[0],
    O.INT_MULT: _product,
    O.INT_DIV: lambda g, n, a, b: constant(_divided(a, b)[0], n),
    O.INT_REM: lambda g, n, a, b: constant(_divided(a, b)[1], n),
    O.INT_SDIV: lambda g, n, a, b: constant(_divided(a, b, True)[0], n),
    O.INT_SREM: lambda g, n, a, b: constant(_divided(a, b, True)[1], n),
    O.INT_CARRY: lambda g, n, a, b: _bit(g.carry(a, b), n),
    O.INT_SCARRY: lambda g, n, a, b: _bit(_overflow(g, a, b, 0), n),
    O.INT_SBORROW: lambda g, n, a, b: _bit(_overflow(g, a, inverted(b), 1), n),
    O.INT_EQUAL: lambda g, n, a, b: _bit(_different(g, a, b) ^ 1, n),
    O.INT_NOTEQUAL: lambda g, n, a, b: _bit(_different(g, a, b), n),
    O.INT_LESS: lambda g, n, a, b: _bit(_less(g, a, b), n),
    O.INT_LESSEQUAL: lambda g, n, a, b: _bit(_less(g, b, a) ^ 1, n),
    O.INT_SLESS: lambda g, n, a, b: _bit(_less(g, _signed(a), _signed(b)), n),
    O.INT_SLESSEQUAL: lambda g, n, a, b: _bit(_less(g, _signed(b), _signed(a)) ^ 1, n),
    O.INT_LEFT: lambda g, n, a, b: ((0,) * _distance(b, n) + a)[:n],
    O.INT_RIGHT: lambda g, n, a, b: a[_distance(b, n) :] + (0,) * _distance(b, n),
    O.INT_SRIGHT: lambda g, n, a, b: a[_distance(b, n) :] + a[-1:] * _distance(b, n),
    O.LZCOUNT: _leading_zeros,
    O.POPCOUNT: lambda g, n, a: reduce(lambda total, x: g.add(total, _bit(x, n))[0], a, (0,) * n),
}

# The same for instructions of RISC-V that SLEIGH decodes without saying what they do. The first operand is the result.
UNSAID = {
    "rori": lambda g, n, a, b: a[number(b) :] + a[: number(b)],
    "grevi": lambda g, n, a, b: tuple(a[i ^ number(b)] for i in range(n)),  # rev8 is the one by 24
}


class Machine:
    """A processor with registers and memory of symbolic bits.

    name: SLEIGH's name of the language.
    code: the bytes of the program by address.
    data, flash: SLEIGH's names of the address spaces; flash is empty where one space holds everything.
    poisoned: registers that SLEIGH computes wrongly, so that their values count as unknown.
    unit: the bytes that an address counts in when it is jumped to.
    skip: the register by which SLEIGH tells an instruction that it is skipped.
    chooses: whether an instruction that only computes may be skipped because of a secret.
    pointer, post: the stack pointer, and by how many bytes it is below the last byte pushed. What lies below the stack
        pointer belongs to interrupts: reading or leaving data there is an error. Without a pointer nothing is checked.
    even: whether words must lie at multiples of their size.
    strict: how the names of instructions begin that access multiples of four only.
    program: the program's path, for what SLEIGH keeps of it.
    """

    chooses = False

    def __init__(
        self, g: Graph, name: str, code: dict[int, int], data: str, flash="", poisoned=(), unit=1, skip="", pointer="",
        post=0, even=False, strict=(), program="",
    ):  # fmt: skip
        self.g, self.code, self.data, self.flash, self.unit = g, code, data, flash, unit
        self.even, self.strict = even, strict
        self.language = language(name, program)
        self.registers = self.language.registers
        self.poisoned = {self._place(r)[:2] for r in poisoned}
        self.skip = skip and self._place(skip)
        self.pointer, self.post = pointer, post
        sreg = self.registers.get("SREG")
        self.shadow = (data, sreg.offset, 1) if sreg and sreg.space.name == data else None
        self.readable: dict[tuple[str, int], str] = {}  # the region of each byte that may be read, by space and address
        self.writable: dict[int, str] = {}  # the region of each byte of data that may be written
        self.regions: dict[str, tuple[str, int, int]] = {}  # space, address and bytes of each region
        self.alignments: dict[str, int] = {}  # of regions whose addresses are known to be multiples of a power of two
        self.tables: set[str] = set()  # regions of constants, which are the same whenever this code runs
        self.memory: dict[tuple[str, int], Bits] = {}  # bytes by space and address, also of registers and temporaries
        self.public: frozenset[str] = frozenset()  # inputs on which branches may depend
        self.path: Bits = ()  # literals that are true on the way that this run took
        self.possible: Callable[[Bits], bool] | None = None  # whether such literals can be true together
        self.pc: int | None = 0  # None after the return
        self.returned: Bits = ()
        self.pending = 0  # the literal that tells whether the next instruction is skipped, if it is a choice
        self.skipped = False  # whether the present instruction's condition is false, as in an IT block of Arm
        self.trace: list[int] = []  # the addresses of the instructions that ran; of those that were skipped, AVR's alone
        self.lookups: list[frozenset[str]] = []  # for each look-up the regions that it can reach
        self.read: set[str] = set()  # regions
        self.written: set[int] = set()  # addresses
        self.reached: dict[str, int] = {}  # of the regions that it names, the last address that was read or written
        self.fresh: set[int] = set()  # those that the present instruction wrote

    # ---- State.

    def _place(self, register: str) -> tuple[str, int, int]:
        r = self.registers[register]
        return r.space.name, r.offset, r.size

    def get(self, space: str, address: int, size: int) -> Bits:
        out = ()
        for at in range(address, address + size):
            byte = self.memory.get((space, at))
            if byte is None:
                raise Unproved(f"reads {space}[{at:#x}], which nobody wrote")
            out += self.g.input("poison", 8) if byte is POISON else byte
        return out

    def put(self, space: str, address: int, word: Bits) -> None:
        for i in range(0, len(word), 8):
            self.memory[space, address + i // 8] = word[i : i + 8]

    def register(self, name: str) -> Bits:
        return self.get(*self._place(name))

    def set_register(self, name: str, word: Bits | int) -> None:
        space, offset, size = self._place(name)
        word = constant(word, 8 * size) if isinstance(word, int) else word
        self.put(space, offset, word + (0,) * (8 * size - len(word)))

    def region(
        self, name: str, address: int, content: Bits | bytes | int, write=False, space: str = "", alignment: int = 0
    ) -> None:
        """Declares memory that may be read, and also written if `write` says so. content: its bits, its bytes, or how
        many bytes it has if nobody wrote them. alignment: the power of two that divides the address wherever it lies, if
        not the address alone tells that."""
        self.alignments[name] = alignment or address & -address
        if isinstance(content, bytes):
            content = tuple(chain.from_iterable(constant(b, 8) for b in content))
        size = content if isinstance(content, int) else len(content) // 8
        if not isinstance(content, int):
            self.put(space or self.data, address, content)
        self.regions[name] = space or self.data, address, size
        for at in range(address, address + size):
            self.readable[space or self.data, at] = name
            if write:
                self.writable[at] = name

    def content(self, region: str) -> Bits:
        return self.get(*self.regions[region])

    def stop(self, why: str) -> Unproved:
        return Unproved(f"{self.pc:#x}: {why}")

    # ---- Memory.

    def load(self, space: str, address: Bits, size: int) -> Bits:
        if space == "code":  # SLEIGH's LPM reads a whole word here, and the byte that it delivers from `codebyte`
            return self.g.input("poison", 8 * size)
        at = self._address(address)
        if at is not None:
            self._check(space, at, size)
            return self.get(space, at, size)
        key = space, address, size
        if key not in self.g.computed:
            leaves, where = self.g.values(address)
            if not self._readable(space, where):
                others = (self.g.values_over(address, cut) for cut in self.g.further_cuts(address))
                leaves, where = next((found for found in others if self._readable(space, found[1])), (leaves, where))
            places = frozenset(self._check(space, at, size) for at in set(where))
            if not places <= self.tables:
                raise Unproved("a look-up in what is not constant")
            values = {at: number(self.get(space, at, size)) for at in set(where)}
            self.g.computed[key] = places, self.g.select(leaves, tuple(values[at] for at in where), 8 * size)
        places, word = self.g.computed[key]
        self.lookups.append(places)
        self.read |= places
        return word

    def _address(self, word: Bits) -> int | None:
        """The address that a word is; None if the word depends on inputs and is no place."""
        if is_constant(word):
            return number(word)
        return self.g.places and self.g.places.address(word)

    def text(self, space: str, address: int) -> str:
        return f"{space}[{self.g.places.text(address) if self.g.places else hex(address)}]"

    def _readable(self, space: str, places: Bits) -> bool:
        return all((space, at) in self.readable for at in places)

    def _check(self, space: str, at: int, size: int) -> str:
        """Checks that these bytes may be read, and tells their region."""
        for byte in range(at, at + size):
            name = self.readable.get((space, byte))
            if name is None:
                raise Unproved(f"reads {self.text(space, byte)}, which is not its own")
            if name == STACK and byte < self._floor(self.before):
                raise Unproved(f"reads {self.text(space, byte)}, which is below the stack pointer")
            self.read.add(name)
        self._check_alignment(name, at, size)
        self._reach(name, at + size - 1)
        return name

    def _mark(self, space: str, at: int, size: int) -> None:
        """Checks that these bytes may be written."""
        for byte in range(at, at + size):
            if space != self.data or byte not in self.writable:
                raise Unproved(f"writes {self.text(space, byte)}, which is not its own")
            self.fresh.add(byte)
            self._reach(self.writable[byte], byte)
        self._check_alignment(self.writable[at], at, size)

    def _reach(self, name: str, at: int) -> None:
        if name in self.reached:
            self.reached[name] = max(self.reached[name], at)

    def _check_alignment(self, name: str, at: int, size: int) -> None:
        needed = self.whole or (size if self.even else 1)
        if (at - self.regions[name][1]) % needed or self.alignments[name] % needed:
            raise Unproved(f"accesses {size} bytes at once in {name}, whose address need not be a multiple of {needed}")

    def _floor(self, pointer: Bits) -> int:
        """The lowest address that this stack pointer leaves to the stack."""
        if not self.pointer:
            return 0
        at = self._address(pointer)
        if at is None:
            raise Unproved("the stack pointer depends on secrets")
        return at + self.post

    def store(self, space: str, address: Bits, word: Bits) -> None:
        at = self._address(address)
        if at is None:
            raise Unproved("a store to an address that depends on secrets")
        self._mark(space, at, len(word) // 8)
        self.put(space, at, word)

    # ---- Instructions.

    def translate(self, pc: int):
        """The length of the instruction in bytes, its operations, and of which number its accesses must be multiples; 0 if of none.
        Operations whose results only poisoned registers would get are left out."""
        raw = bytes(self.code.get(pc + i, 0) for i in range(8))
        found = self.language.translated.get((pc, raw))
        if found is None:
            length, ops = self._lifted(pc, raw)
            for op in ops:
                # IN and OUT of SREG handle the flags one by one and copy them to its address, which nothing reads; STS
                # does nothing but write there, so that it stays and is refused
                if op[1] and op[1] == self.shadow and len(ops) > 1:
                    op[0], op[2] = None, []
                # SLEIGH's context remembers the instruction before; whether this one is skipped, `step` decides
                if op[1] and op[1][:2] in self.poisoned or op[0] == O.CBRANCH and op[2][1] == self.skip:
                    op[0], op[2] = None, []
            needed = None
            while needed != (needed := {(v[0], v[1] + i) for op in ops for v in op[2] for i in range(v[2])}):
                for op in ops:
                    if op[0] == O.COPY and op[1][0] == "unique":
                        if not any(("unique", op[1][1] + i) in needed for i in range(op[1][2])):
                            op[0], op[2] = None, []
            name = self.strict and self.language.context.disassemble(raw, pc, max_instructions=1).instructions[0].mnem
            found = self.language.translated[pc, raw] = length, ops, 4 if name and name.startswith(self.strict) else 0
        return found

    def _lifted(self, pc: int, raw: bytes) -> tuple[int, list[list]]:
        """The length of the instruction, and its operations: the opcode, the places of result and operands, and either the
        operation as p-code has it or, for O.COPY, what it computes."""
        context = self.language.context
        place = lambda v: v and (v.space.name, v.offset, v.size)  # noqa: E731
        try:
            ops = context.translate(raw, base_address=pc, max_instructions=1).ops
        except pypcode.UnimplError:
            one = context.disassemble(raw, pc, max_instructions=1).instructions[0]
            out, *ins = one.body.split(", ")
            if one.mnem not in UNSAID or out not in self.registers:
                raise Unproved(f"no semantics of {one.mnem}") from None
            places = [self._place(x) if x in self.registers else ("const", int(x, 16), 4) for x in ins]
            return one.length, [[O.COPY, self._place(out), places, UNSAID[one.mnem]]]
        length = sum(v.size for v in ops[0].inputs)  # IMARK
        known = lambda op: (O.COPY, COMPUTE[op.opcode]) if op.opcode in COMPUTE else (op.opcode, op)  # noqa: E731
        return length, [[code, place(op.output), [place(v) for v in op.inputs], what] for op in ops[1:] for code, what in [known(op)]]

    def value(self, place: tuple[str, int, int]) -> Bits:
        space, offset, size = place
        if space == "const":
            return constant(offset, 8 * size)
        if self._is_memory(space, offset):
            self._check(space, offset, size)
        return self.get(space, offset, size)

    def assign(self, place: tuple[str, int, int], word: Bits) -> None:
        space, offset, size = place
        if self._is_memory(space, offset):
            self._mark(space, offset, size)
        self.put(space, offset, word)

    def _is_memory(self, space: str, offset: int) -> bool:
        """Whether an operand of p-code is memory, and no register or temporary: SLEIGH lifts an access to a fixed
        address so, like AVR's STS."""
        return space in (self.data, self.flash) and not (self.shadow and offset in AVR_REGISTERS)

    def step(self) -> int | Bits:
        """Runs the instruction at the program counter. Returns the address of the next one, or the word that is jumped
        to."""
        self.before, self.fresh = self.register(self.pointer) if self.pointer else (), set()
        then = self._step()
        stacked = [byte for byte in self.fresh if self.writable[byte] == STACK]
        if stacked and min(stacked) < min(self._floor(self.before), self._floor(self.register(self.pointer))):
            raise Unproved(f"leaves data at {self.text(self.data, min(stacked))}, below the stack pointer")
        self.written |= self.fresh
        return then

    def _step(self) -> int | Bits:
        pc, self.skipped = self.pc, False
        length, ops, self.whole = self.translate(pc)
        at, skips, known = 0, False, self.g.computed
        choice, self.pending = self.pending and (self.pending, self._before(ops)), 0
        while at < len(ops):
            opcode, out, ins, op = ops[at]
            at += 1
            if opcode is None:
                if out and out[:2] in self.poisoned:
                    self.memory[out[:2]] = POISON
            elif opcode is O.COPY:
                key = (op, out[2], *[self.value(v) for v in ins])
                word = known.get(key)
                if word is None:
                    word = known[key] = op(self.g, 8 * out[2], *key[2:])
                self.assign(out, word)
                skips |= out == self.skip
            elif opcode == O.LOAD:
                word = self.load(op.inputs[0].getSpaceFromConst().name, self.value(ins[1]), out[2])
                self.assign(out, word)
            elif opcode == O.STORE:
                self.store(op.inputs[0].getSpaceFromConst().name, self.value(ins[1]), self.value(ins[2]))
            elif opcode in (O.BRANCH, O.CBRANCH, O.CALL):
                space, target, size = ins[0]
                if opcode == O.CBRANCH:
                    condition = self.value(ins[1])[0]
                    if target == pc + length and self._is_choice(condition, ops[at:]):
                        choice = condition, self._before(ops[at:])
                        continue
                    if not self._taken(condition, ops[: at - 1]):
                        continue
                if space != "const":
                    self.skipped = opcode == O.CBRANCH and target == pc + length
                    return target
                at += (target ^ 1 << 8 * size - 1) - (1 << 8 * size - 1) - 1
            elif opcode in (O.RETURN, O.BRANCHIND, O.CALLIND):
                return self.value(ins[0])
            elif opcode != O.CALLOTHER or pypcode.PcodePrettyPrinter.fmt_op(op) != "setISAMode()":
                raise Unproved(f"no semantics of {pypcode.PcodePrettyPrinter.fmt_op(op)}")
        if choice:
            self._choose(*choice)
        then = pc + length
        if skips:
            condition = self.value(self.skip)[0]
            size, after, _ = self.translate(then)
            if size == 2 and self.code[then + 1] not in TWO_CYCLES and self._is_choice(condition, after):
                self.pending = condition
            elif self._taken(condition, ops):
                return then + size
        return then

    def _is_choice(self, condition: int, rest: list) -> bool:
        """Whether an instruction that is skipped because of a secret counts as a choice between two values, and not as a branch. The
        rest of it, which runs unless the condition holds, must do nothing but compute. It then takes as long when it is skipped,
        in an IT block of Arm as behind an instruction of AVR that skips another one."""
        if not self.chooses or condition <= 1 or any(opcode not in (None, O.COPY) for opcode, *_ in rest):
            return False
        return not self.g.inputs(condition) <= self.public

    def _before(self, ops: list) -> dict[tuple[str, int], Bits]:
        """What stands in the bytes that operations will change."""
        places = {(out[0], out[1] + i) for _, out, *_ in ops if out for i in range(out[2])}
        return {place: self.memory.get(place, POISON) for place in places}

    def _choose(self, skipped: int, before: dict[tuple[str, int], Bits]) -> None:
        """Gives back the bytes that an instruction has changed, where it is skipped."""
        for place, old in before.items():
            new = self.memory[place]
            if POISON in (old, new):
                self.memory[place] = POISON
            else:
                self.memory[place] = tuple(self.g.mux(skipped, x, y) for x, y in zip(old, new, strict=True))

    def _taken(self, condition: int, before: list) -> bool:
        """Whether a branch is taken. Raises Fork where the way so far leaves that open. before: what the instruction has
        done so far."""
        if condition <= 1 or condition in self.path:
            return condition != 0
        if condition ^ 1 in self.path:
            return False
        inputs = self.g.inputs(condition)
        if not inputs <= self.public:
            raise Unproved(f"a branch on {', '.join(sorted(inputs - self.public))}")
        if not self.possible((*self.path, condition)):
            return False
        if not self.possible((*self.path, condition ^ 1)):
            return True
        if any(out and out[0] != "unique" and out != self.skip for _, out, *_ in before):
            raise Unproved("a branch inside an instruction that has changed something")
        raise Fork(condition)

    def ways(self, stop: Callable[["Machine"], bool] = lambda machine: False) -> Iterator["Machine"]:
        """Runs until the return, or until it has to stop, on all ways that inputs leave open. Each way ends in a machine of its own."""
        todo = [self]
        while todo:
            machine = todo.pop()
            while machine.pc is not None and not stop(machine):
                try:
                    machine.advance()
                except Fork as fork:
                    other = machine.copy()
                    machine.path += fork.args
                    other.path += (fork.args[0] ^ 1,)
                    todo.append(other)
            yield machine

    def advance(self) -> None:
        """Runs the instruction at the program counter and moves on. What is returned to is in `returned` at the end."""
        if len(self.trace) > LIMIT:
            raise self.stop("does not return")
        try:
            then = self.step()
        except Unproved as error:
            raise self.stop(str(error)) from None
        if not self.skipped:
            self.trace.append(self.pc)
        if not isinstance(then, int) and is_constant(then):
            then = number(then) * self.unit
        if isinstance(then, int):
            self.pc = then
        else:
            self.pc, self.returned = None, then

    def run(self, pc: int) -> None:
        """Runs from here until the code returns to a symbolic address."""
        self.pc = pc
        while self.pc is not None:
            self.advance()

    def copy(self) -> "Machine":
        """A machine in the same state that runs on by itself."""
        other = copy(self)
        for name in ("memory", "trace", "lookups", "read", "written", "reached"):
            setattr(other, name, getattr(self, name).copy())
        return other


class Language:
    """A language of SLEIGH, and the instructions of one program that were translated before. SLEIGH remembers at which
    addresses instructions are conditional because of an IT before them, so that no two programs may share it."""

    def __init__(self, name: str, program: str):
        self.context = pypcode.Context(name)
        self.registers = self.context.registers
        self.translated = {}


language = lru_cache(16)(Language)
