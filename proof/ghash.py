# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GHASH against SP 800-38D, and its implementations for x86-64, for all texts, all powers of the hash key and every number of blocks.

Bits are polynomials over GF(2) here: exclusive ors of products of inputs (`Ring`). Two bits are equal for all inputs if and only if
their polynomials are the same, so that no engine is asked. Of each implementation two things are proved:

    powers  For every hash key h, and for every number of powers that a caller may ask for, the function writes the powers of h. Of the
            portable code this is proved for 1, 2, 3 and all 32 powers.
    ghash   With 32 arbitrary elements of the field in the place of the powers, the function adds the products of the blocks and
            their elements, y being added to the first block. With the powers of h this is GHASH: y' = (y + b1) h^n + ... + bn h.

The functions count in batches, each of which ends with a reduction. What a batch leaves is y for the next one, and may have any value
there: the proof gives its bits names, as the inputs have. In the same way each power, once it is shown to be the product of two
others, has a name of its own. Every number of blocks is proved by induction, as in x86_kernels.py.
"""

import time
from collections import Counter
from collections.abc import Iterable
from functools import cache, reduce
from itertools import chain
from operator import xor

from proof import x86_c, x86_kernels
from proof.bits import FORMS, SOLVER, Bits, Graph, Unproved, constant
from proof.claims import Fact
from proof.loops import BLOCKS, Conditions
from proof.x86 import WIDTH, Library, Machine, ways
from proof.x86_kernels import COUNT, digest
from spec import field

POWERS = 32  # HAECHI_POWERS in src/mode/ghash.h
MANY = 1 << 16  # the most terms of a product
MOST = 64  # the most terms of a sum in which only squares are replaced by their names
FEW = 8  # the most terms of a sum that the graph has gates for
# Numbers of blocks, where not all of them are proved: by implementation and compiler.
COUNTS = {("vpclmul", "gcc"): (*range(6), 31, 32, 33, 64), ("vpclmul", "clang"): (*range(6), 31, 32, 33, 64), ("c", "clang"): tuple(range(10))}
STACK_ROOM = 4096  # bytes
Terms = frozenset[int]  # a polynomial: the literals of products of inputs
ONE: Terms = frozenset((1,))


class Ring(Graph):
    """A graph in which an AND distributes over exclusive ors, so that bits have one form: an exclusive or of products."""

    def __init__(self):
        super().__init__()
        self.most_terms = MANY
        self._alone: dict[int, Terms] = {}  # the polynomials of single terms
        self._squares: dict[int, int] = {}  # inputs that stand for the squares of inputs, to which they are equal
        self._named: dict[int, Terms] = {}  # polynomials that are 0, by a term of each
        self._short: dict[int, Terms] = {}  # those of them that say what squares are

    def terms(self, literal: int) -> Terms:
        """The polynomial of a bit; the literal 1 is its constant term."""
        even = literal & ~1
        found = self._terms.get(even) or self._alone.get(even)
        if found is None:
            found = self._alone[even] = frozenset((even,) if even else ())
        return found ^ {1} if literal & 1 else found

    def and_(self, a: int, b: int) -> int:
        plain = super().and_
        if a == b and a in self._squares:
            return self._sum(frozenset((self._squares[a],)))
        if min(a, b) <= 1 or (a | b) & 1 or a not in self._terms and b not in self._terms:
            return plain(a, b)
        left, right = self.terms(a), self.terms(b)
        if len(left) * len(right) > MANY:
            return plain(a, b)
        product: set[int] = set()
        for x in left:
            for y in right:
                product ^= {self._squares.get(x, x) if x == y else plain(x, y)}
        return self._sum(frozenset(product))

    def xor(self, a: int, b: int) -> int:
        if a <= 1 or b <= 1:
            return a ^ b
        return self._sum(self.terms(a & ~1) ^ self.terms(b & ~1)) ^ (a ^ b) & 1

    def carry_less(self, a: Bits, b: Bits) -> Bits:
        left, right = ([*map(self.terms, word)] for word in (a, b))
        if max(map(len, left)) * max(map(len, right)) > MANY:
            return super().carry_less(a, b)
        return tuple(self._sum(terms - {1}) ^ (1 in terms) for terms in self.products(left, right))

    def products(self, left: list[Terms], right: list[Terms]) -> list[Terms]:
        """By degree the coefficients of the product of polynomials that have these."""
        found: list[list[int]] = [[] for _ in range(len(left) + len(right))]
        known, plain = self._and, super().and_
        lefts, rights = ([(i, terms) for i, terms in enumerate(word) if terms] for word in (left, right))
        for i, xs in lefts:
            for j, ys in rights:
                out = found[i + j]
                if ys == ONE:
                    out += xs
                    continue
                for x in xs:
                    for y in ys:
                        if x == y:
                            out += self.terms(self.and_(x, x))
                        else:
                            out.append(known.get((x, y) if x < y else (y, x)) or plain(x, y))
        return [*map(odd, found)]

    def square(self, word: Bits) -> None:
        """The squares of these inputs become inputs of their own, so that they can be told from their roots."""
        self._squares.update(zip(word, self.input(f"squares {len(self._squares)}", len(word))))

    def total(self, bits: Iterable[int]) -> int:
        terms = reduce(xor, map(self.terms, bits), frozenset())
        return self._sum(terms - {1}) ^ (1 in terms)

    def forget(self) -> None:
        """Long sums become inputs of any value. Who keeps none of them loses nothing."""
        for terms, literal in [item for item in self._sums.items() if len(item[0]) > FEW]:
            del self._sums[terms]
            self._terms.pop(literal, None)
        for results in (self.computed, self._remembered, self._by_place, self._functions):
            results.clear()

    def _sum(self, terms: Terms) -> int:
        """The bit with this polynomial. To the rest of the graph a long one is an input, which may have any value."""
        known = self._named if len(terms) > MOST else self._short
        for pivot in known.keys() & terms:
            terms ^= known[pivot]
        if len(terms) < 2:
            return next(iter(terms), 0)
        if terms not in self._sums:
            if len(terms) <= FEW:
                return reduce(super().xor, sorted(terms))
            (literal,) = self.input("poison", 1)
            self._sums[terms], self._terms[literal] = literal, terms
        return self._sums[terms]

    def name(self, polynomials: list[Terms], literals: Bits) -> None:
        """From now on the bits with these polynomials are these inputs, in sums as well: of each polynomial a term, which no other
        one has, stands for all others and the input."""
        zeros = [set(terms) ^ {x} for terms, x in zip(polynomials, literals, strict=True)]
        seen = Counter(chain.from_iterable(polynomials))
        pivots = [next((x for x in terms if seen[x] == 1), 0) for terms in polynomials]
        for n, zero in enumerate(zeros):
            if not pivots[n]:
                pivots[n] = min(polynomials[n], key=lambda x: (x not in zero, seen[x], x))
                for m, other in enumerate(zeros):
                    if m != n and pivots[n] in other:
                        other ^= zero
        known = dict(zip(pivots, map(frozenset, zeros)))
        self._named |= known
        if all(len(terms) <= MOST for terms in polynomials):
            self._short |= known


def odd(terms: list[int]) -> Terms:
    """Those that are there an odd number of times."""
    once = frozenset(terms)
    return once if len(once) == len(terms) else frozenset(x for x, n in Counter(terms).items() if n & 1)


# ---- The specification, on polynomials. An element of the field is 128 of them, that of x^0 first.

Element = list[Terms]


@cache
def reduced(n: int) -> int:
    """The polynomial that x^n is equal to."""
    return field.times(1 << min(n, 127), 1 << n - min(n, 127), field.BLOCKS[16])


def times(g: Ring, a: Element, b: Element) -> Element:
    out: list[set[int]] = [set() for _ in range(128)]
    for n, product in enumerate(g.products(a, b)[:255]):
        for i in range(128):
            if reduced(n) >> i & 1:
                out[i] ^= product
    return list(map(frozenset, out))


def plus(a: Element, b: Element) -> Element:
    return list(map(xor, a, b))


def of_block(g: Ring, word: Bits) -> Element:
    """The element that 16 bytes of text are: the first bit, which is the uppermost of the first byte, is that of x^0."""
    return [g.terms(word[i ^ 7]) for i in range(128)]


# src/mode/ghash.h: a stored power has its bits reversed, so that bit i of the number stands for x^i there, modulo
# x^128 + x^127 + x^126 + x^121 + 1; and it is multiplied by x.
TAPS = (121, 126, 127)


def of_stored(g: Ring, word: Bits) -> Element:
    """The element of which these are the bits in memory, as a power is stored."""
    first = g.terms(word[0])
    reversed_ = [g.terms(x) ^ (first if i in TAPS else frozenset()) for i, x in enumerate(word)]
    return [first, *reversed_[:0:-1]]


def stored(a: Element) -> Element:
    """The polynomials of the bits in memory."""
    first, *others = a
    return [first, *(x ^ (first if i in TAPS else frozenset()) for i, x in enumerate(others[::-1], 1))]


def in_bytes(a: Element) -> Element:
    return [a[i ^ 7] for i in range(128)]


class Text:
    """What the specification makes of arbitrary blocks, with arbitrary elements in the place of the powers. batch: the blocks between
    two reductions."""

    def __init__(self, g: Ring, batch: int):
        self.g, self.batch = g, batch
        self.powers = [g.input(f"element {n}", 128) for n in range(POWERS, 0, -1)]
        self.named: dict[int, Bits] = {0: g.input("y", 128)}

    def block(self, n: int) -> Bits:
        return self.g.input(f"block {n}", 128)

    def wanted(self, begun: int, n: int) -> Element:
        """The element y after the blocks from number `begun` on to number n."""
        g, y, total = self.g, of_block(self.g, self.after(begun)), [frozenset()] * 128
        for i in range(begun, n):
            block = plus(of_block(g, self.block(i)), y if i == begun else [frozenset()] * 128)
            total = plus(total, times(g, block, of_stored(g, self.powers[POWERS - n + i])))
        return total if n > begun else y

    def after(self, n: int) -> Bits:
        """Names for the bits of y in memory after n blocks, which are full batches."""
        if n not in self.named:
            word = self.g.input(f"y after {n} blocks", 128)
            self.g.name(in_bytes(self.wanted(n - self.batch, n)), word)
            self.named[n] = word
        return self.named[n]

    def is_right(self, n: int, word: Bits) -> bool:
        """Whether these bits in memory are y after n blocks."""
        begun = max(0, (n - 1) // self.batch * self.batch)
        got = [self.g.terms(x) for x in word]
        return got == in_bytes(self.wanted(begun, n)) or got == [self.g.terms(x) for x in self.named.get(n, ())]


def named_powers(g: Ring, most: int, squares: bool) -> dict[int, Bits]:
    """Names for the bits of the powers of h in memory. squares: whether code makes an even power as the square of another one."""
    named = {1: g.input("power 1", 128)}
    g.square(named[1])
    for n in range(2, most + 1):
        a = n // 2 if squares and n % 2 == 0 else n - 1
        factors = [of_stored(g, named[i]) for i in (a, n - a)]
        named[n] = g.input(f"power {n}", 128)
        if squares:
            g.square(named[n])
        g.name(stored(times(g, *factors)), named[n])
    return named


# ---- Claims.


class Kind:
    """An implementation: what x86_kernels.Claim wants to know of a descriptor, and its batches."""

    block = 16

    def __init__(self, library: Library, name: str):
        self.library, self.name = library, name
        self.batch = {"c": 1, "clmul": 8, "vpclmul": POWERS}[name]
        self.powers = 8 if name == "clmul" else POWERS  # so many does init compute at most
        self.squares = name != "c"  # whether an even power is the square of another one

    def function(self, slot: str) -> int:
        return self.library.symbols[f"haechi_ghash_{self.name}{'_init' if slot == 'init' else ''}"]

    def stack(self, blocks: int) -> int:
        return STACK_ROOM


class Reader(Machine):
    """It notes which blocks have been read."""

    def __init__(self, g: Graph, library: Library):
        self.touched: set[int] = set()
        super().__init__(g, library)

    def load(self, at: int, size: int) -> Bits:
        word = super().load(at, size)
        if self.region(at, size) == "in":
            self.touched |= set(range(at, at + size))
        return word

    def copy(self) -> "Reader":
        other = super().copy()
        other.touched = self.touched.copy()
        return other


class Claim(x86_c.Claim):
    """What is claimed of the function that reads the text."""

    changing = "y"

    def __init__(self, library: Library, kind: str, counts: tuple[int, ...] = ()):
        self.library, self.d, self.kernel, self.operation = library, Kind(library, kind), f"ghash_{kind}", "ghash"
        self.counts = counts  # if there are any: numbers of blocks, none of which is proved by induction
        self.slot, self.g = "ghash", Ring()
        self.lanes = 2 * self.d.batch - 1
        self.conditions, self.blocks, self.summaries = Conditions(self.g), [], {}
        self.count = self.g.input(BLOCKS, COUNT) + (0,) * (WIDTH - COUNT)
        self.text = Text(self.g, self.d.batch)
        self.named = self.text.named

    def crypted(self, text: Bits) -> Bits:
        return text

    def enter(self, how: str, n: int | None, k: int = 0) -> Machine:
        if n is not None:
            self.g.forget()
        g, m = self.g, Reader(self.g, self.library)
        most = 2 * self.lanes if n is None else n
        for done in range(0, most, self.d.batch):
            self.text.after(done)
        powers, y = m.buffer("powers", range(16 * POWERS), False, 8), m.buffer("y", range(16), True)
        into = m.buffer("in", range(16 * most), False)
        m.buffer("out", range(0), False)  # no text is written
        m.put(powers, sum(self.text.powers, ()))
        m.put(y, self.text.after(k))
        m.put(into, sum((self.block(i) for i in range(most)), ()))
        left = n if n is not None else g.add(self.count, constant(-k % (1 << WIDTH), WIDTH))[0]
        for place, word in enumerate((g.places.word(powers), g.places.word(y), g.places.word(into + 16 * k), left)):
            m.argument(place, word)
        m.public, m.possible, m.pc = frozenset((BLOCKS,)), self.conditions.possible, self.d.function(self.slot)
        return m

    def _begun(self, m: Machine, differences: x86_kernels.Differences) -> Machine:
        m = super()._begun(m, differences)
        m.touched = set()  # the code may have read the next block when it comes to the head
        return m

    def bytes_done(self, m: Machine) -> int:
        return len(m.touched)

    def unequal(self, m: Machine, how: str, n: int) -> tuple[Bits, Bits]:
        return (), ()  # a turn of the loop leaves y in registers; the state has been compared

    def returned(self, fact: Fact, m: Machine, how: str, n: int) -> None:
        self._learn(fact, m, n)
        self._check_end(m, how, 16 * n)
        if n == self.d.batch and not fact.instructions:
            fact.instructions = len(m.trace)
        if not self.text.is_right(n, m.get(m.base("y"), 16)):
            raise Unproved(f"{n} blocks: y differs from the specification")
        if faults := m.faults():
            raise Unproved(f"{n} blocks: {', '.join(faults)}")

    def _head(self, how: str) -> int:
        def turned(m: Machine) -> bool:
            m.seen.add((m.pc, m.r[4], len(m.touched)))
            return (m.pc, m.r[4], len(m.touched) - 16 * self.d.batch) in m.seen

        first = self.enter(how, None)
        first.path = (self._more(self.lanes),)
        heads = {m.pc for m in ways(first, turned)}
        if len(heads) != 1 or None in heads:
            raise Unproved(f"the loop over batches comes back to {heads}")
        return heads.pop()

    def prove(self) -> Fact:
        started = time.process_time()
        fact = Fact(self.kernel, "GHASH", self.operation, digest(self.library, self.d.function(self.slot)))
        try:
            for n in self.counts:
                for m in ways(self.enter("", n)):
                    self.returned(fact, m, "", n)
            if not self.counts:
                self._every_number(fact, "")
        except Unproved as error:
            fact.faults.append(str(error))
        fact.decided = SOLVER if SOLVER in self.g.decided else FORMS
        fact.seconds = time.process_time() - started
        return fact


class Powers:
    """What is claimed of the function that computes the powers: for every h and each number of powers that a caller may want."""

    def __init__(self, library: Library, kind: str):
        self.library, self.d, self.kernel, self.operation = library, Kind(library, kind), f"ghash_{kind}", "powers"
        self.g = Ring()
        self.named = named_powers(self.g, self.d.powers, self.d.squares)

    def prove(self) -> Fact:
        started, function = time.process_time(), self.d.function("init")
        fact = Fact(self.kernel, "GHASH", self.operation, digest(self.library, function))
        try:
            for most in (1, 2, 3, POWERS) if self.d.name == "c" else range(1, POWERS + 1):
                self._asked_for(fact, most)
        except Unproved as error:
            fact.faults.append(str(error))
        fact.decided, fact.seconds = FORMS, time.process_time() - started
        return fact

    def _asked_for(self, fact: Fact, most: int) -> None:
        m = Machine(self.g, self.library)
        powers = m.buffer("powers", range(16 * POWERS), True, 8)
        m.put(powers + 16 * (POWERS - 1), self.named[1])
        m.argument(0, self.g.places.word(powers))
        m.argument(1, most)
        m.pc = self.d.function("init")
        made = min(most, self.d.powers)
        for end in ways(m):
            x86_kernels.note(fact, end)
            fact.instructions = len(end.trace)
            for n in range(1, made + 1):
                if end.get(powers + 16 * (POWERS - n), 16) != self.named[n]:
                    raise Unproved(f"{most} powers: the one of exponent {n} is wrong")
            if min(end.written.get("powers", {powers + 16 * (POWERS - made)})) < powers + 16 * (POWERS - made):
                raise Unproved(f"{most} powers: writes more than these")
            if faults := end.faults():
                raise Unproved(f"{most} powers: {', '.join(faults)}")


KINDS = "c", "clmul", "vpclmul"
