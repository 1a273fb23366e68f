# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is claimed of the kernels for x86-64, and its proof from a linked library.

The claims are those of claims.py: for all keys `expand` writes the round keys, and for all round keys, blocks, counters, IVs and
addresses of buffers, `crypt`, `bulk`, `ctr`, `ctr_bytes` and `cbc` do what the specification says. Those of bulk, ctr and cbc are proved
for every number of blocks n, by induction, and that of ctr_bytes for n whole blocks and any number of bytes of another one:

    n of at most one batch    Each n has a run of its own, from the entry to the return. The runs may have a beginning in common.
    all larger n              A run from the head of the loop over batches comes to the head again, having processed m blocks.
                              Its state there is the one in which a call for the remaining n - m blocks comes to the head
                              before it has processed any. So what the rest of this call does is what that call does.
                              Where a call for n - m blocks would not come to the head, the run goes on to the return.

ARIA's code has a function for few blocks, which it calls at once or behind the last batch. This function has a proof of its own, for
any values of the other registers. A run that calls it must pass it the blocks left, and must do nothing behind the call.

The two states may differ in what a turn leaves in scratch registers and memory. All runs go on from the head with unknown
bits in these places.
"""

import hashlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from itertools import chain

import spec
from bench.declared.model import VARIANTS, Card, Variant, load_cards
from proof.bits import CTR_BYTES, ENGINE, FORMS, ONES, PATTERNS, SOLVER, Bits, Engine, Graph, Unproved, Word, as_it_is, constant
from proof.bits import inverted, is_constant, number, split, transposed
from proof.claims import ON_HOSTS, Fact, any_rounds, words
from proof.engines import abc
from proof.forms import Keys, form_of
from proof.loops import BLOCKS, UNKNOWN, Conditions
from proof.wide import WideGraph
from proof.x86 import ARGUMENTS, CONDITIONS, NAMES, RED_ZONE, STACK, VECTOR, WIDTH, Fork, Instruction, Library, Machine, ways

SLOTS = {"expand": 8, "crypt": 16, "bulk": 24, "ctr": 32, "ctr_bytes": 40, "cbc": 48}  # the places of pointers in a descriptor: core/kernel.h
HOWS = dict.fromkeys(("bulk", "cbc"), ("apart", "in place")) | dict.fromkeys(("ctr", "ctr_bytes"), ("apart", "in place", "stream"))  # where the input may lie
CHAINS = {"ctr": "ctr", "ctr_bytes": "ctr", "cbc": "iv"}  # the buffers in which calls read what they replace in the end
FEWER = "number of a few blocks"  # another input word
REST = "bytes of the last block"  # the input word that says how many they are where that block is incomplete, and 0 otherwise
STACK_AT, FEW_STACK_AT, FEW_AT = 72, 74, 76  # and of what it says of the stack
JUMPS = {"jmp", "call", *(f"j{c}" for c in CONDITIONS)}
COUNT = 59  # bits of a number of blocks: as many as fit in the address space


@dataclass(frozen=True)
class Descriptor:
    library: Library
    name: str

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self.library.read(self.library.symbols[f"haechi_{self.name}"] + at, size), "little")

    @property
    def rk(self) -> int:
        return self._number(0, 2)

    @property
    def block(self) -> int:
        return self._number(4, 1)

    @property
    def few(self) -> int:
        return self._number(FEW_AT, 1)

    def stack(self, blocks: int) -> int:
        """The bytes of stack that a call for so many blocks may take, which core overwrites after it. A call for none leaves nothing there."""
        return self._number(FEW_STACK_AT, 2) or 1024 if 0 < blocks <= self.few else self._number(STACK_AT, 2) or 8192

    def function(self, slot: str) -> int:
        return self._number(SLOTS[slot], 8)


def descriptor(library: Library, card: Card, kernel: str, variant: Variant, inverse: bool) -> Descriptor:
    size = f"_{8 * variant.key}" if len(VARIANTS[card.cipher]) > 1 else ""
    return Descriptor(library, f"{kernel}{size}{'_inv' if inverse else ''}")


LOW, UPPER = (0, 128), (128, 512)  # bits of vectors: instructions of SSE leave the upper ones as they are
PARTS = (("r", (0, WIDTH)), ("v", LOW), ("v", UPPER), ("k", (0, 64)))  # of a state, which may differ one without the other


@dataclass
class Differences:
    """Where the state after a turn of the loop may differ from that of a call that comes to the head."""

    registers: set[tuple[str, int, tuple[int, int]]] = field(default_factory=set)
    memory: set[int] = field(default_factory=set)

    def within(self, other: "Differences") -> bool:
        return self.registers <= other.registers and self.memory <= other.memory


Heads = dict[int, Differences]  # by the address of an instruction: what states may differ in there


BEHIND = "behind the input"  # the name of a base
NEAR = 1 << 16  # bytes; bases are much farther apart


class Chained(Machine):
    """A call for an unknown number of blocks in CBC mode. Before it writes anything, it may read the last block of the input, which
    becomes the next IV. The place behind this block has a base of its own, because its distance from the beginning of the input is
    unknown. What the block holds is unknown, too. It is a block of the input, which is one of the cases that this stands for."""

    def ends(self, into: int, left: Bits, last: Bits) -> None:
        """Says where the input begins, how many blocks it has, and what the last of them holds."""
        size = len(last) // 8
        zeros = size.bit_length() - 1
        whole = (0,) * zeros + left[: WIDTH - zeros]
        self.behind = self.buffer(BEHIND, range(-size, 0), False)
        self.put(self.behind - size, last)
        self.into, self.lengths = into, {whole: self.behind}  # words, and which address lies so many bytes behind the beginning
        self.none = self.zero(whole)  # whether there is no such block

    def sum(self, a: Bits, b: Bits) -> Bits:
        for x, y in ((a, b), (b, a)):
            if (end := self.lengths.get(y)) is None:
                continue
            at = self.g.places.address(x)
            if at is not None and abs(at - self.into) < NEAR and self._is_open(y):
                return self.g.places.word(end + at - self.into)
            if is_constant(x):
                self.lengths[super().sum(a, b)] = end + number(x) - (x[-1] << WIDTH)
        return super().sum(a, b)

    def _is_open(self, word: Bits) -> bool:
        """Whether the way so far leaves open what a word is that depends on the number of blocks alone."""
        try:
            self.known(word, "a length")
        except Fork:
            return True
        return False

    def load(self, at: int, size: int) -> Bits:
        if size and self.region(at, size) == BEHIND:
            if self.written.get("out"):
                raise Unproved("reads the last block of the input after it has written")
            if self.possible((*self.path, self.none)):
                raise Unproved("reads the last block where there may be none")
        return super().load(at, size)


class Apart(Machine):
    """A call for a known number of blocks whose input lies apart from its output. It notes whether a call in place does the same. The
    bits of the input's address are unknown, so that they may be those of the output's address, too. Then a call in place executes
    the same instructions on the same values, unless

        the code reads a byte of the input after it has written the byte of the output with the same number, or
        it has been used that two addresses differ because they lie in different buffers.

    Each copy of the machine notes it in the same place, because flags ask the machine that set them, which may be an older copy."""

    def __init__(self, g: Graph, library: Library):
        super().__init__(g, library)
        self.differs: list[bool] = []  # something if a call in place may do something else

    def load(self, at: int, size: int) -> Bits:
        written = self.written.get("out")
        if size and written and self.region(at, size) == "in":
            same = at - self.base("in") + self.base("out")
            if not written.isdisjoint(range(same, same + size)):
                self.differs.append(True)
        return super().load(at, size)

    def zero(self, word: Bits) -> int:
        if self.g.places.is_noted(word):
            self.differs.append(True)
        return super().zero(word)


class Claim:
    """What is claimed of one slot of one descriptor."""

    GRAPH: type[Graph] = WideGraph

    def __init__(self, library: Library, card: Card, kernel: str, variant: Variant, inverse: bool, slot: str, engine: Engine = abc, before: "Claim | None" = None):
        """before: a claim about the same operation of the kernel, of another variant or in another library. What it has computed and decided
        need not be computed and decided again, and what it rests on, this one rests on, too."""
        self.card, self.kernel, self.variant, self.inverse, self.slot = card, kernel, variant, inverse, slot
        self.library, self.lanes = library, card.kernels[kernel].lanes
        self.least = 1  # blocks that a turn of the loop over batches processes at least
        self.d = descriptor(library, card, kernel, variant, inverse)
        self.operation = ON_HOSTS[slot][inverse]
        self.g = g = before.g if before else self.GRAPH(engine)
        g.recognize = as_it_is
        g.most_terms = 1000  # bit 0 of LEA's words is an exclusive or that grows from round to round of decryption
        g.notes_carries = card.cipher != "ARIA"  # which adds nothing, and whose look-ups would not come to their normal form
        g.sees_affine = card.cipher == "ARIA"  # whose kernels map bytes before they look them up or invert them
        self.conditions = before.conditions if before else Conditions(g)
        self.recognizer: Counters | None = before.recognizer if before else None
        self.blocks: list[Bits] = []
        self.changing = CHAINS.get(slot, "")
        self.counters = before.counters if before else [g.input("counter", 8 * self.d.block)]  # the first one and those after it
        self.iv, self.last = (g.input(name, 8 * self.d.block) for name in ("iv", "last block"))
        self.count = g.input(BLOCKS, COUNT) + (0,) * (WIDTH - COUNT)  # of whole blocks
        self.rest = g.input(REST, (self.d.block - 1).bit_length()) if slot == "ctr_bytes" else ()
        self.rounds = any_rounds(g, card.cipher, variant.key)
        # the key schedules are those of the cipher's kernel in C, whose card names the form
        c = next(x for x in load_cards() if x.cipher == card.cipher and f"{card.cipher.lower()}_c" in x.kernels)
        self.form_of_keys = form_of(c, f"{card.cipher.lower()}_c", 8 * variant.key, inverse)
        self.form = spec.join(self.form_of_keys(Keys(self.rounds, inverse=inverse))).bits
        if len(self.form) != 8 * self.d.rk:
            raise Unproved(f"the descriptor has {self.d.rk} bytes of round keys, the form {len(self.form) // 8}")
        # What the specification makes of blocks, by variant and direction, which is the same whatever library a claim is about.
        self.crypts: dict[tuple[str, bool, Bits], Bits] = before.crypts if before else {}
        self.states: dict[tuple[int, Bits], list[Word]] = before.states if before else {}
        self.next: dict[tuple[Bits, Bits, bool], bool] = {}  # what `_is_next` has found
        self.right: dict[bool, list[Bits]] = {}  # the bytes of the first blocks, by whether they are those of the key stream alone
        self.results: dict[tuple[bool, int], Bits] = {}  # what each block becomes, and before it whether that is the key stream alone
        self.few_stack = 0  # bytes below the return address that the function for few blocks needs
        self.counted = False  # whether the instructions of a call for one block include what runs before and after that function

    # ---- Calls.

    def block(self, n: int) -> Bits:
        while len(self.blocks) <= n:
            self.blocks.append(self.g.input(f"block {len(self.blocks)}", 8 * self.d.block))
        return self.blocks[n]

    def enter(self, how: str, n: int | None, k: int = 0, few: bool = False, some: Bits = ()) -> Machine:
        """A call for the blocks from the k-th on. n: the number of whole blocks; None if it is unknown. few: a call of the function for few
        blocks. some: the low bits of the number of blocks, of which there may be any up to n."""
        g, size = self.g, self.d.block
        made = Chained if self.slot == "cbc" and n is None else Apart if how == "apart" and n is not None else Machine
        m = made(g, self.library)
        most = 2 * self.lanes if n is None else n + bool(self.rest)
        data = sum((self.block(i) for i in range(most)), ())
        m.put(m.buffer("rk", range(self.d.rk), False, 4), self.form)
        out = m.buffer("out", range(most * size), True)
        if how == "apart":
            m.put(m.buffer("in", range(most * size), False), data)
        elif how == "in place":
            m.put(out, data)
        if n is not None:
            # Code may load a vector of which some elements lie behind the last block. They become zero, which is one of the values that further
            # blocks may have. With these in their place a call for fewer blocks computes what one for more does.
            more = VECTOR // 8 // size
            behind = m.base("in" if how == "apart" else "out") + most * size
            m.beyond = dict(enumerate(chain.from_iterable(split(self.block(i), 8) for i in range(most, most + more)), behind))
        left = (*some, *(0,) * (WIDTH - len(some))) if some else self._left(n, k)
        if isinstance(m, Chained):
            m.ends(out + k * size if how == "in place" else m.base("in") + k * size, left, self.last)
        if self.changing:
            m.put(m.buffer(self.changing, range(size), True), self.chained(k))
        if self.rest:
            m.nullable = g.places.word(m.buffer("left", range(size), True))
        for place, word in enumerate(self._arguments(m, how, k, left, few)):
            m.argument(place, word)
        m.public = frozenset((BLOCKS, FEWER, REST))
        if self.rest or some:
            m.settle(self.rest or some)
        m.possible, m.pc = self.conditions.possible, self.few if few else self.d.function(self.slot)
        if self.rest and n == 0:
            m.assume(self._is(self.rest, 0) ^ 1)  # there is at least one byte
        return m

    def _left(self, n: int | None, k: int) -> Bits:
        """How many whole blocks there are from the k-th on. n: how many in all; None if that is unknown."""
        return constant(n - k, WIDTH) if n is not None else self.g.add(self.count, constant(-k % (1 << WIDTH), WIDTH))[0]

    def _arguments(self, m: Machine, how: str, k: int, left: Bits, few: bool) -> list[Bits]:
        """The arguments of a call for the blocks from the k-th on. left: how many whole ones there are."""
        word = lambda name: self.g.places.word(m.base(name))  # noqa: E731
        out, into = (self.g.places.word(m.base(name) + k * self.d.block) for name in ("out", "in" if how == "apart" else "out"))
        into = (0,) * WIDTH if how == "stream" else into
        rounds = [constant(len(self.rounds) - 1, 32) + self.g.input("poison", WIDTH - 32)] if few else []
        if self.slot == "crypt":
            return [word("rk"), out]
        if self.slot == "bulk":
            return [word("rk"), *rounds, out, into, left]
        stream = [word("left")] if self.rest else []
        return [word("rk"), *rounds, word(self.changing), *stream, out, into, (self.rest + left)[:WIDTH]]

    def _is(self, word: Bits, n: int) -> int:
        """Whether a word is a number."""
        return reduce(self.g.or_, map(self.g.xor, word, constant(n, len(word))), 0) ^ 1

    def recognize_counters(self) -> None:
        """From now on what code makes of the counter becomes what the specification makes of it."""
        self.plus(2 * self.lanes)
        if self.recognizer is None:
            aria = self.card.cipher == "ARIA"
            self.recognizer = FirstRounds(self.conditions, self.counters, self.rounds) if aria else Counters(self.conditions, self.counters)
        self.g.recognize = self.recognizer.recognized

    def plus(self, n: int) -> Bits:
        while len(self.counters) <= n:
            self.counters.append(spec.counter_plus(Word(self.g, self.counters[0]), len(self.counters)).bits)
        return self.counters[n]

    def chained(self, n: int) -> Bits:
        """What the buffer that calls replace holds before the n-th block."""
        return self.plus(n) if self.changing == "ctr" else self.block(n - 1) if n else self.iv

    def crypted(self, text: Bits) -> Bits:
        key = self.variant.cipher, self.inverse, text
        if key not in self.crypts:
            if self.card.cipher == "ARIA":
                last = len(self.rounds) - 2
                result = spec.join(spec.aria.last_round(self.rounds[last:], self._after(last, text)))
            else:
                result = spec.crypt(self.card.cipher, self.rounds, Word(self.g, text), self.inverse)
            self.crypts[key] = result.bits
        return self.crypts[key]

    def _after(self, n: int, text: Bits) -> list[Word]:
        """What n of ARIA's rounds make of a block, none of which is the last one. Claims about all sizes of keys share it."""
        key = n, text
        if key not in self.states:
            before = self._after(n - 1, text) if n else Word(self.g, text).split(8)
            self.states[key] = spec.aria.rounds(self.rounds[n - 1 : n], before, n - 1) if n else before
        return self.states[key]

    # ---- What a run leaves.

    def bytes_done(self, m: Machine) -> int:
        """How many bytes have been written, from the first on and without a gap; -1 if there is a gap."""
        written = m.written.get("out", ())
        return -1 if written and max(written) - m.base("out") + 1 != len(written) else len(written)

    def done(self, m: Machine) -> int:
        """How many blocks have been written; -1 if there is a part of one, or a gap."""
        blocks, part = divmod(self.bytes_done(m), self.d.block)
        return -1 if part else blocks

    def result(self, how: str, i: int) -> Bits:
        """What the i-th block becomes."""
        key = how == "stream", i
        if key not in self.results:
            result = self.crypted(self.plus(i) if self.changing == "ctr" else self.block(i))
            if how != "stream" and self.changing:
                result = self.g.xors(result, self.chained(i) if self.slot == "cbc" else self.block(i))
            self.results[key] = result
        return self.results[key]

    def _bytes(self, how: str, n: int) -> list[Bits]:
        """The bytes of what the blocks become, of at least n."""
        known = self.right.setdefault(how == "stream", [])
        for i in range(len(known) // self.d.block, n):
            known += split(self.result(how, i), 8)
        return known

    def unequal(self, m: Machine, how: str, n: int, rest: int = 0) -> tuple[Bits, Bits]:
        """The first n blocks that a run has left and `rest` bytes of the next one, and what they should be."""
        size, got, wanted = self.d.block, (), ()
        out = m.base("out")
        alike = list(map(m.memory.get, range(out, out + n * size))) == self._bytes(how, n)[: n * size]
        places = [] if alike else [(out + i * size, self.result(how, i)) for i in range(n)]
        if rest:
            places.append((out + n * size, self.result(how, n)[: 8 * rest]))
            places.append((m.base("left"), self.result("stream", n)))
        for at, right in places:
            left = m.get(at, len(right) // 8)
            if left != right:
                got, wanted = got + left, wanted + right
        return got, wanted

    def prove(self) -> Fact:
        """Proves the claim, or finds out what is wrong with it."""
        started = time.process_time()
        fact = Fact(self.kernel, self.variant.cipher, self.operation, digest(self.library, self.d.function(self.slot)))
        try:
            if self.slot == "ctr" and self._is_ctr_bytes(fact):
                return fact
            if self.slot in ("expand", "crypt"):
                for m in ways(self.enter("in place", 1)):
                    self.returned(fact, m, "in place", 1)
            else:
                self._every_number(fact, *HOWS[self.slot])
        except Unproved as error:
            fact.faults.append(str(error))
        fact.decided = next((who for who in (ENGINE, SOLVER) if who in self.g.decided), FORMS)
        fact.seconds = time.process_time() - started
        return fact

    def _check_end(self, m: Machine, how: str, length: int) -> None:
        if (reached := self._reached(m)) > length:
            raise Unproved(f"{how}: reaches byte {reached} where there are {length}")

    def _is_next(self, after: Bits, right: Bits, rest: int) -> bool:
        """Whether a counter is the right one for all lengths of an incomplete block, or without one. One answer then serves all of
        these lengths."""
        asked = after, right, rest > 0
        if self.rest and asked not in self.next:
            self.next[asked] = self._equal(after, right, (self._is(self.rest, 0) ^ (rest > 0),))
        return self.next.get(asked, False)

    def _is_ctr_bytes(self, fact: Fact) -> bool:
        """Whether ctr does nothing but jump to the same descriptor's ctr_bytes, with all bytes of the blocks. What is claimed of
        ctr_bytes then holds for ctr."""
        target, none = self.d.function("ctr_bytes"), self._is(self.count, 0)
        zeros = (0,) * (self.d.block - 1).bit_length()
        for how in HOWS["ctr"]:
            first = self.enter(how, None)
            passed = dict(zip(NAMES, first.r))
            passed |= {"rcx": passed["rdx"], "r8": passed["rcx"], "r9": (zeros + self.count)[:WIDTH]}  # output, input and bytes
            for name in ("rax", "rdx", "r10", "r11"):  # no arguments but for the place of key stream, which is not accessed
                del passed[name]
            for m in ways(first.copy(), lambda m: m.pc == target):
                if m.pc is None:
                    right = not m.faults() and not self.conditions.possible((*m.path, none ^ 1))
                else:
                    right = m.v == first.v and passed.items() <= dict(zip(NAMES, m.r)).items()
                    right = right and not self.conditions.possible((*m.path, none))
                if not right or m.written:
                    return False
                fact.instructions = max(fact.instructions, len(m.trace))
                note(fact, m)
        fact.decided = CTR_BYTES
        return True

    def _learn(self, fact: Fact, m: Machine, blocks: int) -> None:
        note(fact, m)
        if m.deepest > self.d.stack(blocks):
            raise Unproved(f"{m.deepest} bytes of stack for {blocks} blocks, where the descriptor says {self.d.stack(blocks)}")

    def returned(self, fact: Fact, m: Machine, how: str, n: int) -> None:
        """Checks a call for n blocks, and bytes of another one, that has returned."""
        rest = self.bytes_done(m) - n * self.d.block
        if not 0 <= rest < 1 << len(self.rest) or self.rest and self.conditions.possible((*m.path, self._is(self.rest, rest) ^ 1)):
            raise Unproved(f"{how}, {n} blocks: has written {len(m.written.get('out', ()))} bytes")
        self._check_end(m, how, n * self.d.block + rest)
        if not rest and "left" in m.reached:
            raise Unproved(f"{how}, {n} blocks: accesses what is left of an incomplete block where there is none")
        begun = n + bool(rest)  # blocks
        self._learn(fact, m, begun)
        if n == 1 and not fact.instructions:
            fact.instructions = len(m.trace)
        got, wanted = self.unequal(m, how, n, rest)
        if self.changing:
            after, right = self.g.recognize(m.get(m.base(self.changing), self.d.block)), self.chained(begun)
            # A call for an unknown number of blocks may have read the last block at an address that depends on the number, or may have
            # added the number to the counter.
            if after != self.last and not self._is_next(after, right, rest) and not self._equal(after, right, m.path):
                got, wanted = got + after, wanted + right
        if faults := m.faults():
            raise Unproved(f"{how}, {n} blocks: {', '.join(faults)}")
        fact.found = fact.found or self.g.differ(got, wanted)

    # ---- The function for few blocks, which has a proof of its own where the code calls it.

    @cached_property
    def few(self) -> int | None:
        """Where it begins."""
        wanted = f"{self.slot.removesuffix('_bytes')}_few"
        within = functions(self.library, self.d.function(self.slot))
        return next((at for at, _ in within if self.library.names[at] == wanted), None)

    def _prove_few(self, fact: Fact) -> None:
        """Proves all calls of it that `passed_on` allows."""
        for n in range(0 if self.rest else 1, self.d.few + 1):
            alike = False
            for how in HOWS[self.slot]:
                if how == "in place" and alike:
                    continue
                first = self.enter(how, n, few=True)
                if self.rest and n == self.d.few:
                    first.assume(self._is(self.rest, 0))
                for m in ways(first):
                    self.returned(fact, m, how, n)
                    self.few_stack = max(self.few_stack, m.deepest)
                alike = isinstance(first, Apart) and not first.differs

    def passed_on(self, fact: Fact, m: Machine, how: str, n: int | None) -> None:
        """Checks a run that has come to the function for few blocks: that it calls the function for the blocks left, and does nothing
        after the call. n: the number of whole blocks; None if it is unknown."""
        g, done = self.g, self.done(m)
        wanted = self._arguments(m, how, done, self._left(n, done), True)
        for place, word in enumerate(wanted):
            bits = 32 if place == 1 else WIDTH
            if (got := m.given(place)[:bits]) != word[:bits] and not self._equal(got, word[:bits], m.path):
                raise Unproved(f"{how}: calls the function for few blocks with another argument {place}")
        if self.changing:
            after, right = g.recognize(m.get(m.base(self.changing), self.d.block)), self.chained(done)
            if after != right and not self._equal(after, right, m.path):
                raise Unproved(f"{how}: calls the function for few blocks with another {self.changing}")
        length, unit = wanted[-1], self.d.block if self.rest else 1
        more = g.carry(inverted(constant(self.d.few * unit, WIDTH)), length)
        if any(self.conditions.possible((*m.path, x)) for x in (more, self._is(length, 0))):
            raise Unproved(f"{how}: calls the function for few blocks with none or too many")
        fact.found = fact.found or g.differ(*self.unequal(m, how, done))
        self._check_end(m, how, done * self.d.block)
        if "left" in m.reached:
            raise Unproved(f"{how}: accesses what is left of an incomplete block before the function for few blocks does")
        m.return_from(self.few_stack)
        m.changed_by_call()
        stack = m.address(m.r[4])
        m.forget(*range(stack, stack + 8 * max(0, len(wanted) - len(ARGUMENTS))))  # its arguments there are its own
        reached = {name: end for name, end in m.reached.items() if not name.startswith(STACK)}
        for end in ways(m):
            if reached != {name: end for name, end in end.reached.items() if not name.startswith(STACK)}:
                raise Unproved(f"{how}: goes on after the function for few blocks")
            if faults := end.faults():
                raise Unproved(f"{how}: {', '.join(faults)}")
            self._learn(fact, end, self.d.few if not done else self.lanes)
            if n == 1 and not self.counted:
                self.counted, fact.instructions = True, fact.instructions + len(end.trace)

    # ---- Every number of blocks.

    def _every_number(self, fact: Fact, *hows: str) -> None:
        more = self._more(self.lanes)
        loops: dict[str, Heads] = {}
        heads: Heads = {}
        if self.changing == "ctr":
            self.recognize_counters()
        if self.few:
            self._prove_few(fact)
        for how in hows:  # most code has one loop for all of them, and leaves differences in the same places
            if not heads or not all(self._at(m, heads) for m in self._arrived(how, (more,), heads)):
                heads = self._heads(how, more)
            loops[how] = heads = {at: Differences({*x.registers}, {*x.memory}) for at, x in heads.items()}
            while self._turns(fact, how, more, heads):
                pass
        self._all_few(fact, loops)

    def _all_few(self, fact: Fact, loops: dict[str, Heads]) -> None:
        """Proves calls for at most a batch. loops: the heads for each way."""
        for n in range(self.lanes + 1):
            self._few(fact, n, loops)

    def _few(self, fact: Fact, n: int, loops: dict[str, Heads], some: Bits = ()) -> None:
        """Proves calls for n blocks, at most a batch, one way after another, because they compute the same. some: as for `enter`."""
        proved = False  # whether what is proved of the call with input and output apart holds in place
        for how, heads in loops.items():
            if how == "in place" and proved:
                continue
            first = self.enter(how, n, some=some) if some else self.enter(how, n)
            for m in ways(first, lambda m: self._at(m, heads) or self.calls_few(m), (*heads, self.few)):
                for end in ways(self._begun(m, heads[m.pc]), self.calls_few, (self.few,)) if self._at(m, heads) else [m]:
                    number_of = end.left.bit_length() - 1 if some else n  # the one that branches have left
                    if some and end.left != 1 << number_of:
                        raise Unproved(f"{how}: does the same for several numbers of blocks")
                    if end.pc:
                        self.passed_on(fact, end, how, number_of)
                    else:
                        self.returned(fact, end, how, number_of)
            if isinstance(first, Apart) and not first.differs:
                others = loops.get("in place", heads)
                proved = others.keys() == heads.keys() and all(others[at].within(heads[at]) for at in heads)

    def _more(self, n: int) -> int:
        """Whether there are more blocks than n."""
        return self.g.carry(inverted(constant(n, WIDTH)), self.count)

    def _heads(self, how: str, more: int) -> Heads:
        """The head of the loop over batches, and where a run that has left the loop first executes what a call for the remaining blocks
        executes, too."""
        heads: Heads = {self._head(how): Differences()}
        for m in self._arrived(how, (more, self._more(2 * self.lanes) ^ 1), heads):
            for end in (end for end in self._turn(m, heads) if end.pc is None):
                other = next(self._arrived(how, end.path, heads, self.lanes))
                if not self._at(other, heads) and other.pc not in (None, self.few):
                    common = {*other.trace}
                    at = next((pc for pc in end.trace[len(m.trace) :] if pc in common), None)
                    return heads if at is None else {**heads, at: Differences()}
        return heads

    def _head(self, how: str) -> int:
        """Where the loop over batches comes back to, as a call for many of them shows."""

        def turned(m: Machine) -> bool:
            if m.written.get("out"):
                return m.pc == self.few or (m.pc, m.r[4]) in m.seen and self.done(m) >= self.least
            m.seen.add((m.pc, m.r[4]))
            return False

        first = self.enter(how, None)
        first.path = (self._more(4 * self.lanes),)
        heads = {m.pc for m in ways(first, turned)} - {None, self.few}
        if len(heads) != 1:
            raise Unproved(f"{how}: the loop over batches comes back to {heads}")
        return heads.pop()

    def _arrived(self, how: str, path: Bits, heads: Heads, k: int = 0) -> Iterator[Machine]:
        """Calls for an unknown number of blocks from the k-th on that have come to a head and processed nothing, or have begun to write, or
        have come to the function for few blocks, and do not come there."""
        m = self.enter(how, None, k)
        m.path = path
        yield from ways(m, lambda m: m.pc in heads or m.pc == self.few or bool(m.written.get("out")))

    def _turn(self, m: Machine, heads: Heads) -> Iterator[Machine]:
        """Runs on from a head until it comes to a head again, having processed blocks, or to the function for few blocks, or returns."""
        pointer = m.r[4]
        turned = lambda m: m.pc in heads and m.r[4] == pointer and self.done(m) > 0  # noqa: E731
        yield from ways(m, lambda m: self.calls_few(m) or turned(m), (*heads, self.few))

    def calls_few(self, m: Machine) -> bool:
        return m.pc == self.few

    @staticmethod
    def _at(m: Machine, heads: Heads) -> bool:
        return m.pc in heads and not m.written.get("out")

    def _begun(self, m: Machine, differences: Differences) -> Machine:
        """A machine at the head, with unknown bits where turns may leave others."""
        m = m.copy()
        m.flags = {}
        for kind, at, (start, stop) in differences.registers:
            file = getattr(m, kind)
            file[at] = file[at][:start] + self.g.input(f"{UNKNOWN} in {kind}{at} from {start} on", stop - start) + file[at][stop:]
        m.forget(*differences.memory)
        return m

    def _turns(self, fact: Fact, how: str, more: int, heads: Heads) -> bool:
        """Runs all turns of the loop, and compares the state after each of them with that of a call for the remaining blocks.
        Returns whether there are more differences than before."""
        new, ends, whole = False, [], []
        for m in self._arrived(how, (more,), heads):
            if not self._at(m, heads):
                raise Unproved(f"{how}: a call does not come to the head of the loop")
            todo = [*self._turn(self._begun(m, heads[m.pc]), heads)]
            while todo:
                end = todo.pop()
                if end.pc in (None, self.few):
                    whole.append(end)
                    continue
                ends.append(end)
                for other in self._arrived(how, end.path, heads, self.done(end)):
                    if other.pc == end.pc and self._at(other, heads):
                        new |= self._adapt(heads[end.pc], end, other, self.done(end))
                        continue
                    rest = end.copy()
                    rest.path = other.path
                    if self._at(other, heads):
                        todo += self._turn(rest, heads)
                    else:
                        whole.append(rest)
        for end in ends if not new else []:
            n = self.done(end)
            self._learn(fact, end, n)
            reached = -(-self._reached(end) // self.d.block)
            fewer = self.g.carry(inverted(self.count), constant(reached, WIDTH))
            if self.conditions.possible((*end.path, fewer)):
                raise Unproved(f"{how}: reaches block {reached} where there are fewer")
            fact.found = fact.found or self.g.differ(*self.unequal(end, how, n))
        for end in (end for m in whole for end in (ways(m, self.calls_few, (self.few,)) if m.pc != self.few else [m])) if not new else ():
            if end.pc:
                self.passed_on(fact, end, how, None)
                continue
            n = self.bytes_done(end) // self.d.block
            if self.conditions.possible((*end.path, self._is(self.count, max(n, 0)) ^ 1)):
                raise Unproved(f"{how}: returns after {n} blocks where the number is another one")
            self.returned(fact, end, how, n)
        return new

    def _reached(self, m: Machine) -> int:
        """How many bytes, from the first on, a run has read or written."""
        return max((m.reached[name] - m.base(name) for name in ("in", "out") if name in m.reached), default=0)

    def _adapt(self, differences: Differences, end: Machine, other: Machine, n: int) -> bool:
        """Notes where a state differs from that in which a call comes to the head. Returns whether there is more of it."""
        found = Differences()
        if end.parts != other.parts or end.r[4] != other.r[4]:
            raise Unproved("the stack is another one after a turn")
        for kind, (start, stop) in PARTS:
            for at, (a, b) in enumerate(zip(getattr(end, kind), getattr(other, kind))):
                part = kind, at, (start, stop)
                if part not in differences.registers and not self._equal(a[start:stop], b[start:stop], end.path):
                    found.registers.add(part)
        out = end.base("out")
        floor = end.address(end.r[4]) - RED_ZONE
        for at in end.memory.keys() | other.memory.keys():
            a, b = end.memory.get(at), other.memory.get(at)
            region = end.region(at, 1)
            if a == b or at in differences.memory or at in range(out, out + n * self.d.block) or region.startswith(STACK) and at < floor:
                continue
            if a is None or b is None or not self._equal(a, b, end.path):
                if not region.startswith(STACK) and region != self.changing:
                    raise Unproved(f"a turn changes {self.g.places.text(at)}")
                found.memory.add(at)
        differences.registers |= found.registers
        differences.memory |= found.memory
        return bool(found.registers or found.memory)

    def _equal(self, a: Bits, b: Bits, path: Bits) -> bool:
        pairs = [(x, y) for x, y in zip(a, b) if x != y]
        return all(self.conditions.is_small(x) for pair in pairs for x in pair) and self.conditions.equal(pairs, path)


class Expansion(Claim):
    """What is claimed of the key schedule of one descriptor: for every key it writes the round keys of the standard, in the form that
    the card of the cipher's kernel in C names."""

    def __init__(self, library: Library, card: Card, kernel: str, variant: Variant, inverse: bool, slot: str = "expand", before: Claim | None = None):
        """before: of no use here."""
        super().__init__(library, card, kernel, variant, inverse, slot)
        self.key = words(self.g, "key", variant.key, spec.FAMILIES[card.cipher].WORD)
        rounds = spec.round_keys(card.cipher, spec.join(self.key), inverse)
        self.form = spec.join(self.form_of_keys(Keys(rounds, self.key, inverse=inverse))).bits

    def enter(self, how: str, n: int | None, k: int = 0, few: bool = False) -> Machine:
        m = Machine(self.g, self.library)
        rk, key = m.buffer("rk", range(self.d.rk), True, 4), m.buffer("key", range(self.variant.key), False)
        m.put(key, spec.join(self.key).bits)
        m.argument(0, self.g.places.word(rk))
        m.argument(1, self.g.places.word(key))
        m.pc = self.d.function(self.slot)
        return m

    def bytes_done(self, m: Machine) -> int:
        return self.d.block if len(m.written["rk"]) == self.d.rk else -1

    def unequal(self, m: Machine, how: str, n: int, rest: int = 0) -> tuple[Bits, Bits]:
        return m.get(m.base("rk"), self.d.rk), self.form


class Counters:
    """Counters are sums, which code may make in another way than the specification. Bits of the code that depend on the first
    counter alone become those of the specification's counters, if a simulation suggests it and a solver proves it."""

    def __init__(self, conditions: Conditions, counters: list[Bits]):
        g, first = conditions.g, counters[0]
        self.conditions, self.g = conditions, g
        self.alone = {0: True, **{x >> 1: True for x in first}}  # whether nodes depend on the counter alone
        self.value = {0: 0, **self._near_carries(first, len(counters))}
        self.same = {0: 0}  # the specification's bits, by their values in the simulation; false is one of them
        self.known: dict[int, int] = {}  # the bits that nodes have become
        for x in first:
            self.same.setdefault(*self._place(x))
            self.known[x >> 1] = x & ~1
        for counter in counters:
            g.simulate(g.cone(counter, self.value), {}, PATTERNS, self.value)
            for x in counter:
                if x > 1:
                    self.same.setdefault(*self._place(x))

    @staticmethod
    def _near_carries(first: Bits, most: int) -> dict[int, int]:
        """Values of the counter's bits. In most patterns a carry goes far within so many blocks."""
        drawn, size = random.Random(1), len(first)
        values = []
        for k in range(PATTERNS):
            ones = (size, size, drawn.randrange(8, size), 0)[k % 4]  # so many bits from the lowest on
            value = drawn.getrandbits(size) | (1 << ones) - 1
            values.append(value - (k // 4 * 2 + k % 2) % min(most, 1 << ones))
        columns = transposed(tuple(int.from_bytes(v.to_bytes(size // 8, "big"), "little") for v in values), size)
        return {x >> 1: column for x, column in zip(first, columns)}

    def _place(self, x: int) -> tuple[int, int]:
        """The values of a bit or its complement, and which of them."""
        value = self.value[x >> 1]
        return value ^ -(value & 1) & ONES, x & ~1 | value & 1

    def recognized(self, word: Bits) -> Bits:
        """An equal word."""
        first = next((x for x in word if x > 1), 0)
        if not first or not self._is_alone(first >> 1):
            return word
        new = [2 * node for node in dict.fromkeys(x >> 1 for x in word) if node and node not in self.known and self._is_alone(node)]
        self.g.simulate(self.g.cone(tuple(new), self.value), {}, PATTERNS, self.value)
        pairs = []
        for x in new:
            values, found = self._place(x)
            same = self.same.get(values, found) ^ (found & 1)
            if same == x:
                self.known[x >> 1] = x
            else:
                pairs.append((x, same))
        for some in (pairs[i : i + 32] for i in range(0, len(pairs), 32)):
            if self._equal(some):
                self.known.update((x >> 1, same) for x, same in some)
            else:
                self.known.update((x >> 1, same if self._equal([(x, same)]) else x) for x, same in some)
        return tuple(self.known.get(x >> 1, x & ~1) ^ (x & 1) if x > 1 else x for x in word)

    def _equal(self, pairs: list[Bits]) -> bool:
        equal = self.conditions.equal(pairs)
        if equal:
            self.g.decided.add(ENGINE)
        return equal

    def _is_alone(self, node: int) -> bool:
        alone, todo = self.alone, [node]
        while todo:
            here = todo.pop()
            if here in alone:
                continue
            below = [x >> 1 for x in self.g.fanin[here] or ()]
            known = [alone.get(x) for x in below]
            if not below or False in known:
                alone[here] = False
            elif None in known:
                todo += [here, below[known.index(None)]]
            else:
                alone[here] = True
        return alone[node]


def first_round(block: Word, rounds: list[list[Word]]) -> Bits:
    """What ARIA's first round makes of a block, with the key of the second round added."""
    x = spec.aria.one_round(spec.aria.SL1, block.split(8), rounds[0])
    return spec.join(spec.aria.xor(x, rounds[1])).bits


class FirstRounds(Counters):
    """ARIA's code computes the first round of a batch for two counters: the first one, and the one 256 blocks later. Of both it takes all
    bytes but the last. Where the last byte of a block's counter has not wrapped yet, the other bytes are those of the first
    counter, and else those of the second one. So the code chooses between the results of the first round by the carry out of the last
    byte, and adds what the last byte contributes. For each block a solver proves that its counter is the one so chosen. Then its first
    round is the result so chosen, and bits of the code that have this form become the specification's."""

    def __init__(self, conditions: Conditions, counters: list[Bits], rounds: list[list[Word]]):
        g, first = conditions.g, counters[0]
        later = spec.counter_plus(Word(g, first), 256).bits
        carries = [g.add(first[-8:], constant(n, 8))[1] for n in range(min(len(counters), 256))]
        super().__init__(conditions, [*counters, later, tuple(carries)])
        self.rounds: dict[int, int] = {}
        for counter, carry in zip(counters, carries):
            before, after = first[:-8] + counter[-8:], later[:-8] + counter[-8:]
            chosen = tuple(g.mux(carry, b, a) for a, b in zip(before, after))
            if not self._equal(list(zip(counter, chosen))):
                raise Unproved("a counter is neither before the carry nor after it")
            for a, b, x in zip(*(first_round(Word(g, block), rounds) for block in (before, after, counter))):
                made = g.xor(b, g.and_(carry ^ 1, g.xor(a, b)))
                self.rounds[made & ~1] = x ^ (made & 1)

    def recognized(self, word: Bits) -> Bits:
        word = super().recognized(word)
        if next((x for x in word if x > 1), 0) & ~1 not in self.rounds:
            return word
        return tuple(self.rounds.get(x & ~1, x & ~1) ^ (x & 1) for x in word)


def note(fact: Fact, m: Machine) -> None:
    """Notes what a run has read and written, and how deep its stack was."""
    fact.stack = max(fact.stack, m.deepest)
    plain = lambda names: {STACK if name.startswith(STACK) else name or "constants" for name in names}  # noqa: E731
    fact.reads = sorted({*fact.reads, *plain(m.read)})
    fact.writes = sorted({*fact.writes, *plain(m.written)})


# ---- Which code a claim is about.


@cache
def digest(library: Library, function: int) -> str:
    """A hash of all functions that a function reaches, and of the constants that they name, without the places where the
    linker put them."""
    h, numbers = hashlib.sha256(), {place: n for n, (place, _) in enumerate(functions(library, function))}
    for first, end in functions(library, function):
        for pc, i, to, length in _named(library, first, end):
            raw = library.read(pc, i.size)
            if to is not None and not first <= to < end:
                for part in _meant(library, to, length, range(first, end)):
                    h.update(part if isinstance(part, bytes) else numbers[part].to_bytes(2, "little"))
                raw = raw.replace((to - pc - i.size).to_bytes(4, "little", signed=True), b"")
            h.update(raw)
    return h.hexdigest()[:16]


@cache
def functions(library: Library, function: int) -> list[tuple[int, int]]:
    """The first address and the end of each function that a function reaches, itself first. Tables of functions count too."""
    found = [function]
    for first in found:
        end = first + library.sizes[first]
        for to, length in dict.fromkeys((to, n) for _, _, to, n in _named(library, first, end) if to is not None and not first <= to < end):
            found += [part for part in _meant(library, to, length, range(first, end)) if isinstance(part, int) and part not in found]
    return [(place, place + library.sizes[place]) for place in found]


@cache
def _named(library: Library, first: int, end: int) -> list[tuple[int, Instruction, int | None, int]]:
    """The instructions of a function, each with the address that it names relative to its own, if there is one, and the bytes
    that it reads there: 0 where it only computes the address."""
    pc, found = first, []
    while pc < end:
        i = library.instruction(pc)
        to = [(o.at, 0) for o in i.operands if o.kind == "i" and i.name in JUMPS]
        to += [(pc + i.size + o.disp, 0 if i.name == "lea" else o.bits // 8) for o in i.operands if o.kind == "m" and o.base == "rip"]
        found.append((pc, i, *(to[0] if to else (None, 0))))
        pc += i.size
    return found


@cache
def _meant(library: Library, to: int, length: int, inside: range) -> list[bytes | int]:
    """What stands at an address that a function names, whose own addresses are `inside`: bytes, and addresses of functions."""
    if to in library.sizes:
        return [to]
    if name := library.imported(to):
        return [name.encode()]
    holding = [(s["st_value"], s["st_size"]) for s in library.objects if s["st_value"] <= to <= s["st_value"] + s["st_size"]]
    # Compilers give no names to tables of addresses, and of distances from the table to places in the function.
    if not any(to < at + size for at, size in holding):
        for size, entry in ((8, lambda word: _function(library, word)), (4, lambda word: _distance(word, to, inside))):
            table = []
            while (found := entry(bytes(library.data.get(to + len(table) * size + i, 0) for i in range(size)))) is not None:
                table.append(found)
            if table:
                return table
    # Code may also compute the address behind an object, where a loop ends.
    for at, size in sorted(holding, reverse=True):
        if length and at + size == to:
            continue
        words = [bytes(library.data.get(at + k + i, 0) for i in range(min(8, size - k))) for k in range(0, size, 8)]
        return [*(_function(library, word) or word for word in words), (to - at).to_bytes(4, "little")]
    return [bytes(library.data.get(to + i, 0) for i in range(length or 64))]


def _function(library: Library, word: bytes) -> int | None:
    at = int.from_bytes(word, "little")
    return at if len(word) == 8 and at in library.sizes else None


def _distance(word: bytes, table: int, inside: range) -> bytes | None:
    at = table + int.from_bytes(word, "little", signed=True)
    return (at - inside.start).to_bytes(4, "little") if at in inside else None
