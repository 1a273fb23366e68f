# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words of symbolic bits, and the question whether two of them are equal for all inputs.

A bit is a literal of an and-inverter graph: twice the number of its node, plus one if it is the complement. Node 0 is
false, so the literal 0 is false and 1 is true. The graph never holds two nodes for the same AND of the same literals,
and it computes constants at once.

Exclusive ors, majorities and sums with a carry have normal forms. They turn most bits that are equal into the same
literal. About the others an engine decides (engines.py).
"""

import random
from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import product
from math import prod
from operator import and_, mul, xor

TERMS = 100  # an exclusive or of more terms than this is one term of the next one
LEAVES = 12  # the most bits that an address may depend on
PATTERNS = 1024  # how many random inputs a simulation tries at once
ONES = (1 << PATTERNS) - 1
BYTES = (1 << 256) - 1  # the truth table that is true for each value of a byte
UNKNOWN = (), 0  # stands for the truth table of a node that has none
FORMS, SOLVER, ENGINE = "normal forms", "solver", "engine"  # what a proof rests on; a solver decides about paths (loops.py)
CTR_BYTES = "ctr_bytes"  # or on the proof of that function, to which the code jumps
Bits = tuple[int, ...]  # low bit first


class Unproved(Exception):
    """Something stops a proof; the text says what and where."""


Model = dict[str, int]  # a value for each input word
Engine = Callable[["Graph", list[Bits]], Model | None]  # None if each pair of bits is equal for all inputs


class Graph:
    """An and-inverter graph, with nodes for look-ups besides: such a node has a truth table over some bits."""

    def __init__(self, engine: Engine | None = None):
        self.engine = engine
        self.most_terms = TERMS
        self.combines = True  # whether a look-up that is an exclusive or of older ones over the same bits becomes that
        self.sees_affine = False  # whether a look-up behind an affine map becomes one over the bits that are mapped
        self.decided: set[str] = set()  # who took bits for equal, or a path for impossible, that normal forms do not show to be so
        # The operands of each node: two of an AND, three of an exclusive or (wide.py); None for false, inputs and look-ups.
        self.fanin: list[Bits | None] = [None]
        self.looked_up: dict[int, tuple[int, Bits]] = {}  # truth table and leaves of each look-up
        self.words: dict[str, Bits] = {}  # the inputs by name
        self.names: dict[int, tuple[str, int]] = {}  # the word and the bit that a node is, if it is an input
        self._inputs: dict[int, frozenset[str]] = {}
        self.computed: dict[tuple, Bits] = {}  # results of operations on whole words, which often recur
        self.images: dict[tuple, dict[Bits, Bits]] = {}  # by affine map what bytes become
        self._parts: dict[int, tuple[Bits, list[Bits]]] = {}  # by where a long word is in Python's memory, this word and its bytes
        self._only: dict[Bits, Bits] = {}  # words that are one object
        self._remembered: dict[tuple, Bits] = {}  # and of those on long words
        self._by_place: dict[tuple, tuple] = {}  # the same by where operands are in Python's memory, with the operands, so that they stay
        self.recognize: Callable[[Bits], Bits] = as_it_is  # replaces such a result by an equal word that is known
        self.bases: dict[int, str] = {}  # the base of each node that depends on one unknown address alone
        self.places = None  # addresses with such a base (places.py)
        self._and: dict[Bits, int] = {}
        self._majority: dict[Bits, int] = {}
        self._sums: dict[frozenset[int], int] = {}
        self._terms: dict[int, frozenset[int]] = {}  # the terms of an exclusive or
        self.notes_carries = False  # whether exclusive ors with bits of _carries are single terms of later ones
        self.opens_highest = False  # whether the highest bit of a sum is no single term of later exclusive ors, but its own terms
        self.sees_sums = False  # whether the exclusive or of all terms of a bit of a sum is this bit, in whatever order they come
        self._into: set[int] = set()  # the carries into bits of sums
        self._sum_of: dict[int, tuple[frozenset[int], int]] = {}  # by such a carry the terms of the bit, and the bit
        self._carries: set[int] = set()  # bits of sums that are carries alone; their exclusive ors are bits of sums in lanes of a word
        self._functions: dict[tuple[int, Bits], int] = {}
        self._over: dict[Bits, dict[int, int]] = {}  # the look-ups over some bits, by their truth tables
        self._spans: dict[frozenset, tuple[Bits, dict[int, int]]] = {}  # by sums the first byte whose bits have them, and of which bits
        self._expanded: dict[int, int] = {0: 0}  # for nodes the literals without look-ups that are equal
        self._added: dict[Bits, tuple[Bits, Bits]] = {}  # the words whose sum a word is
        self._plus: dict[Bits, tuple[Bits, int]] = {}  # the word and the carry whose sum a word is
        self._carried: dict[tuple[Bits, Bits, int], int] = {}  # carries out of sums
        self._either: dict[frozenset[int], int] = {}  # for two carries the one carry of all three operands
        self._values: dict[Bits, tuple[Bits, Bits]] = {}  # the leaves of a word, and its value for each of theirs
        self._words: dict[tuple, Bits] = {}
        self._tables: dict[int, tuple[Bits, int]] = {}  # the truth tables of nodes that depend on one tabulated byte alone
        self._alike: dict[tuple[Bits, int], int] = {}  # the literal that has such a table
        self._patterns: dict[int, int] = {0: 0}  # the values of nodes where look-ups were looked for
        self._look_ups_by_value: dict[int, int] = {}  # the look-ups that were looked for, by such values
        self._as_look_ups: dict[int, int] = {0: 0}  # and the literals that nodes have become
        self._value: dict[int, int] = {}  # the values of nodes in a simulation
        self._same: dict[int, list[int]] = {}  # the bits that sums may settle to, by their values in the simulation
        self._newest_first: tuple[Bits, list[int]] = (), []  # a word, and the nodes on which it depends
        self._drawn = random.Random(1)
        self._drawn_for: dict[tuple, tuple[int, int]] = {}  # random choices for a word or for a byte of one

    def input(self, name: str, width: int) -> Bits:
        """A word that may have any value. The same name gives the same word, except that each "poison" is a new one."""
        if name == "poison" or name not in self.words:
            first = len(self.fanin)
            self.fanin += [None] * width
            self.names.update((first + i, (name, i)) for i in range(width))
            self.words[name] = tuple(range(2 * first, 2 * (first + width), 2))
        if len(self.words[name]) != width:
            raise ValueError(f"the input {name} has {len(self.words[name])} bits, not {width}")
        return self.words[name]

    def among(self, name: str, values: range) -> Bits:
        """A byte that may have any of these values, and no others. It is tabulated."""
        byte = self.input(name, 8)
        self.tabulate(byte)
        chosen = tuple(value if value in values else values[0] for value in range(256))
        return tuple(self.function(table, byte) for table in transposed(chosen, 8))

    def tabulate(self, byte: Bits) -> None:
        """From now on bits that depend on these up to eight inputs alone, and are equal, become the same literal."""
        self._alike.update({(byte, 0): 0, (byte, BYTES): 1})
        for x, table in zip(byte, transposed(tuple(range(256)), 8)):
            self._tables[x >> 1] = byte, table
            self._alike.update({(byte, table): x, (byte, table ^ BYTES): x ^ 1})

    def and_(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a == 0 or a ^ b == 1:
            return 0
        if a == 1 or a == b:
            return b
        literal = self._and.get((a, b))
        if literal is None:
            literal = self._and[a, b] = self._node(a, b)
        return literal

    def _node(self, a: int, b: int) -> int:
        literal = 2 * len(self.fanin)
        (byte, left), (other, right) = self._tables.get(a >> 1, UNKNOWN), self._tables.get(b >> 1, UNKNOWN)
        if byte and byte == other:
            table = (left ^ -(a & 1)) & (right ^ -(b & 1)) & BYTES
            if (byte, table) in self._alike:
                return self._alike[byte, table]
            self._tables[literal >> 1] = byte, table
            self._alike.update({(byte, table): literal, (byte, BYTES ^ table): literal ^ 1})
        base = self.bases.get(a >> 1)
        if base and base == self.bases.get(b >> 1):
            self.bases[literal >> 1] = base
        self.fanin.append((a, b))
        return literal

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        if a <= 1 or b <= 1:
            return a ^ b
        flip, a, b = (a ^ b) & 1, a & ~1, b & ~1
        terms = self._terms.get(a, frozenset((a,))) ^ self._terms.get(b, frozenset((b,)))
        if not terms.isdisjoint(self._into):
            terms = self._with_sums(terms)
        if len(terms) < 2:
            return flip ^ next(iter(terms), 0)
        literal = self._sums.get(terms)
        if literal is None:
            literal = self._differ(a, b)
            if len(terms) <= self.most_terms:
                self._sums[terms] = literal
                if self._carries.isdisjoint((a, b)):
                    self._terms[literal] = terms
        return literal ^ flip

    def _with_sums(self, terms: frozenset[int]) -> frozenset[int]:
        """The terms of an exclusive or. Where all terms of a bit of a sum are among them, this bit takes their place."""
        for carry in terms & self._into:
            own, bit = self._sum_of[carry]
            if own <= terms:
                terms = terms ^ own ^ {bit}
        return terms

    def xors(self, a: Bits, b: Bits) -> Bits:
        """The exclusive or of two words."""
        return tuple(map(self.xor, a, b))

    def xor_of_ands(self, a: int, b: int) -> int:
        """The exclusive or for engines, which know no other nodes than ANDs. No look-up is among the operands."""
        return self.xor(a, b)

    def total(self, bits) -> int:
        return reduce(self.xor, bits, 0)

    def carry_less(self, a: Bits, b: Bits) -> Bits:
        """The product of polynomials over GF(2) with so many coefficients, in twice the bits."""
        products: list[list[int]] = [[] for _ in range(len(a) + len(b))]
        for i, x in enumerate(a):
            for j, y in enumerate(b) if x else ():
                products[i + j].append(self.and_(x, y))
        return tuple(map(self.total, products))

    def remembered(self, f: Callable[..., Bits], *operands) -> Bits:
        """f of this graph and of these operands, computed once."""
        # A tuple's hash is computed from all its bits each time, which takes longer than most of what is asked here.
        place = (f, *map(id, operands))
        if (found := self._by_place.get(place)) is not None:
            return found[0]
        key = f, operands
        if (word := self._remembered.get(key)) is None:
            word = self._remembered[key] = self.recognize(f(self, *operands))
        self._by_place[place] = word, operands
        return word

    def only(self, word: Bits) -> Bits:
        """The one object for all equal words, which `remembered` finds at once."""
        return self._only.setdefault(word, word)

    def in_bytes(self, word: Bits) -> list[Bits]:
        """The bytes of a long word, which are the same objects each time."""
        found = self._parts.get(id(word))
        if found is None:
            found = self._parts[id(word)] = word, split(word, 8)
        return found[1]

    def terms_of(self, x: int) -> frozenset[int]:
        return self._terms.get(x & ~1) or frozenset((x & ~1,))

    def is_open(self, node: int) -> bool:
        """Whether a node is an exclusive or whose terms are those of others."""
        return 2 * node in self._terms

    def close(self, literal: int) -> None:
        """From now on an exclusive or is a single term of others."""
        self._terms.pop(literal & ~1, None)

    def mux(self, s: int, one: int, zero: int) -> int:
        if one == zero:
            return one
        if one == zero ^ 1:
            return self.xor(s, zero)
        return self.or_(self.and_(s, one), self.and_(s ^ 1, zero))

    def majority(self, a: int, b: int, c: int) -> int:
        """The majority of three bits. Their order does not matter, and complementing all three complements it."""
        a, b, c = sorted((a, b, c))
        if a <= 1:
            return self.or_(b, c) if a else self.and_(b, c)
        if a ^ b <= 1:
            return c if a ^ b else a
        if b ^ c <= 1:
            return a if b ^ c else b
        flip = (a & 1) + (b & 1) + (c & 1) > 1
        if flip:
            a, b, c = a ^ 1, b ^ 1, c ^ 1
        key = a, b, c = tuple(sorted((a, b, c)))
        if key not in self._majority:
            self._majority[key] = self.or_(self.and_(a, b), self.and_(self.xor(a, b), c))
        return self._majority[key] ^ flip

    def add(self, a: Bits, b: Bits, carry: int = 0) -> tuple[Bits, int]:
        """The sum of two words and a carry, and the carry out."""
        if max(*a, *b, carry) <= 1:
            total = number(a) + number(b) + carry
            return constant(total, len(a)), total >> len(a)
        out = []
        for x, y in zip(a, b, strict=True):
            half = self.xor(x, y)
            out.append(self.xor(half, carry))
            if half > 1 and carry > 1:
                opened = self.opens_highest and len(out) == len(a)
                if not opened and self.terms_of(half).isdisjoint(self.terms_of(carry)):  # in further exclusive ors a bit of a sum is one term
                    if self.sees_sums and (terms := self._terms.get(out[-1] & ~1)) and carry & ~1 in terms:
                        self._into.add(carry & ~1)
                        self._sum_of[carry & ~1] = terms, out[-1] & ~1
                    self.close(out[-1])
            elif self.notes_carries and carry > 1 and self.fanin[carry >> 1]:
                self._carries.add(carry & ~1)
            carry = self.majority(x, y, carry)
        return tuple(out), carry

    # SLEIGH lifts an addition with a carry to two additions and an OR of their carries. The following methods make one
    # addition of them again.

    def sum(self, a: Bits, b: Bits) -> Bits:
        for s, z in ((a, b), (b, a)):
            if z in self._plus:
                x, bit = self._plus[z]
                return self.add(s, x, bit)[0]
            if s in self._added and _is_bit(z):
                x, y = self._added[s]
                return self.add(x, y, z[0])[0]
        out = self.add(a, b)[0]
        self._added[out] = a, b
        if _is_bit(b):
            self._plus[out] = a, b[0]
        return out

    def carry(self, a: Bits, b: Bits) -> int:
        carry = self._carry(a, b)
        if b in self._plus:
            y, bit = self._plus[b]
            first = self._carry(y, (bit, *(0,) * (len(y) - 1)))
            self._either[frozenset((first, carry))] = self._carry(a, y, bit)
        if a in self._added and _is_bit(b):
            for x, y in (self._added[a], tuple(map(inverted, self._added[a]))):
                self._either[frozenset((self._carry(x, y), carry))] = self._carry(x, y, b[0])
        return carry

    def _carry(self, a: Bits, b: Bits, carry: int = 0) -> int:
        if max(*a, *b, carry) <= 1:
            return number(a) + number(b) + carry >> len(a)
        return reduce(lambda carry, xy: self.majority(*xy, carry), zip(a, b, strict=True), carry)

    def carry_out(self, a: Bits, b: Bits, carry: int) -> int:
        """The carry out of a sum, computed once."""
        key = a, b, carry
        if key not in self._carried:
            self._carried[key] = self._carry(a, b, carry)
        return self._carried[key]

    def either(self, a: int, b: int) -> int:
        found = self._either.get(frozenset((a, b)))
        return self.or_(a, b) if found is None else found

    # ---- Look-ups.

    def cut(self, word: Bits) -> list[int]:
        """Few nodes that determine a word. As long as they are many, the deepest is replaced by its operands."""
        best = now = {x >> 1 for x in word if x > 1}
        while len(best) > 8 and len(now) <= 5 * LEAVES and self.fanin[top := max(now)]:
            now = now - {top} | {x >> 1 for x in self.fanin[top] if x > 1}
            best = now if len(now) <= len(best) else best
        return sorted(best)

    def further_cuts(self, word: Bits) -> Iterator[list[int]]:
        """Other such sets, for words whose first set also has values that never occur. The node whose replacement adds
        the fewest nodes is replaced first; of several, the one nearest to the word."""
        now = {x >> 1: 0 for x in word if x > 1}
        for _ in range(10 * LEAVES):
            if not (inner := [node for node in now if self.fanin[node]]):
                return
            grows = lambda node: len({x >> 1 for x in self.fanin[node] if x > 1} - now.keys())  # noqa: E731
            node = min(inner, key=lambda node: (grows(node), now[node]))
            level = now.pop(node)
            for x in self.fanin[node]:
                now.setdefault(x >> 1, level + 1)
            if len(now) <= LEAVES:
                yield sorted(now)

    def cone(self, word: Bits, without=()) -> list[int]:
        """The nodes that a word depends on, operands first. The nodes of `without` are left out, and so is whatever only
        they depend on."""
        need, todo = set(), [x >> 1 for x in word]
        while todo:
            node = todo.pop()
            if node and node not in need and node not in without:
                need.add(node)
                if self.fanin[node]:
                    todo += [x >> 1 for x in self.fanin[node]]
                elif node in self.looked_up:
                    todo += [x >> 1 for x in self.looked_up[node][1]]
        return sorted(need)

    def are_alike(self, a: Bits, b: Bits, inputs: dict[int, int]) -> bool:
        """Whether the nodes of one word are those of another one, where other inputs take the places of these inputs. What holds of one
        word for all values of inputs then holds of the other one, too."""
        fanin, taken = self.fanin, {x >> 1: y >> 1 for x, y in inputs.items()}
        same = {0: 0, **taken}
        for x, y in zip(a, b, strict=True):
            if (x ^ y) & 1 or same.setdefault(x >> 1, y >> 1) != y >> 1:
                return False
        if self._newest_first[0] is not a:
            self._newest_first = a, self.cone(a)[::-1]
        for node in self._newest_first[1]:  # each comes after all that it is an operand of
            other = same[node]
            below, others = fanin[node], fanin[other]
            if node in self.looked_up and other in self.looked_up:
                (table, below), (wanted, others) = self.looked_up[node], self.looked_up[other]
                if table != wanted:
                    return False
            if below and others and len(below) == len(others):
                for x, y in zip(below, others):
                    if (x ^ y) & 1 or same.setdefault(x >> 1, y >> 1) != y >> 1:
                        return False
            elif node != other and node not in taken:
                return False
        return True

    def support(self, word: Bits) -> list[int]:
        return [node for node in self.cone(word) if node in self.names]

    def inputs(self, x: int) -> frozenset[str]:
        """The names of the input words on which a bit depends."""
        if x not in self._inputs:
            self._inputs[x] = frozenset(self.names[node][0] for node in self.support((x,)))
        return self._inputs[x]

    def truth(self, word: Bits, leaves: list[int]) -> list[int]:
        """The truth tables of a word's bits over these nodes."""
        ones = (1 << (1 << len(leaves))) - 1
        table = {0: 0, **dict(zip(leaves, variables(len(leaves)), strict=True))}

        def value(literal: int) -> int:
            node = literal >> 1
            if node not in table:
                table[node] = reduce(and_ if len(self.fanin[node]) == 2 else xor, map(value, self.fanin[node]))
            return table[node] ^ (-(literal & 1) & ones)

        return [value(x) for x in word]

    def function(self, table: int, leaves: Bits) -> int:
        """The bit that has this truth table over these bits, by Shannon's expansion."""
        n = 1 << len(leaves)
        if table in (0, (1 << n) - 1):
            return table & 1
        if (table, leaves) not in self._functions:
            half = n // 2
            low, high = table & ((1 << half) - 1), table >> half
            one, zero = self.function(high, leaves[:-1]), self.function(low, leaves[:-1])
            self._functions[table, leaves] = self.mux(leaves[-1], one, zero)
        return self._functions[table, leaves]

    def look_up(self, table: int, leaves: Bits) -> int:
        """The same bit as a single node, unless it is a constant or an exclusive or of these bits and of older look-ups over
        them. Two equal look-ups then are the same literal, and nobody has to look into the table."""
        flip = table & 1
        table ^= -flip & ((1 << (1 << len(leaves))) - 1)
        known = self._over.setdefault(leaves, {})
        if table not in known:
            terms = combination(table, tuple(known) if self.combines else (), len(leaves))
            if terms is not None:
                parts = (*leaves, *known.values())
                return flip ^ reduce(self.xor, (parts[i] for i in terms), 0)
            known[table] = 2 * len(self.fanin)
            self.fanin.append(None)
            self.looked_up[known[table] >> 1] = table, leaves
        return known[table] ^ 1 if flip else known[table]

    def expanded(self, word: Bits) -> Bits:
        """The same word with every look-up and exclusive or replaced by ANDs."""
        new = self._expanded
        look = lambda x: new[x >> 1] ^ (x & 1)  # noqa: E731
        for node in self.cone(word, new):
            if below := self.fanin[node]:
                new[node] = reduce(self.and_ if len(below) == 2 else self._differ, map(look, below))
            elif node in self.looked_up:
                table, leaves = self.looked_up[node]
                new[node] = self.function(table, tuple(map(look, leaves)))
            else:
                new[node] = 2 * node
        return tuple(map(look, word))

    def _differ(self, a: int, b: int) -> int:
        """Whether two bits differ, made of ANDs."""
        return Graph.and_(self, Graph.and_(self, a, b) ^ 1, Graph.and_(self, a ^ 1, b ^ 1) ^ 1)

    def values(self, word: Bits) -> tuple[Bits, Bits]:
        """Nodes that a word depends on, and its value for each combination of theirs."""
        if word not in self._values:
            leaves = self.cut(word)
            if len(leaves) > LEAVES:
                raise Unproved(f"an address depends on {len(leaves)} bits")
            alone = self.sees_affine and len(word) == 8 and leaves == sorted(x >> 1 for x in word)
            self._values[word] = alone and self._values_over_older(word) or self.values_over(word, leaves)
        return self._values[word]

    def _values_over_older(self, word: Bits) -> tuple[Bits, Bits] | None:
        """The same over the bits of an older word of eight bits, if the exclusive ors of some of its bits are those of some of
        this one's. So a look-up behind an affine map is a look-up."""
        rows: list[tuple[int, frozenset[int], int]] = []  # in echelon form: sums of bits, each with its greatest term, which no other has
        sums = [self.terms_of(x) for x in word]
        for terms, parts in zip(sums, (1 << i for i in range(len(word)))):
            for pivot, row, of in rows:
                if pivot in terms:
                    terms, parts = terms ^ row, parts ^ of
            if not terms:
                return None
            new = max(terms)
            rows = [(p, row ^ terms, of ^ parts) if new in row else (p, row, of) for p, row, of in rows]
            rows.append((new, terms, parts))
        older, made = self._spans.setdefault(frozenset(row for _, row, _ in rows), (word, {pivot: of for pivot, _, of in rows}))
        if older == word:
            return None
        return self._over_older(word, older, [reduce(xor, (of for pivot, of in made.items() if pivot in terms)) for terms in sums])

    def _over_older(self, word: Bits, older: Bits, parts: list[int]) -> tuple[Bits, Bits]:
        """The older word's bits as leaves, and the values of the word. parts: for each of its bits of which older ones it is the exclusive or."""
        leaves = sorted(x >> 1 for x in older)
        masks = tuple(sum(1 << leaves.index(x >> 1) for i, x in enumerate(older) if of >> i & 1) for of in parts)
        return tuple(leaves), affine_values(masks, sum((x & 1) << i for i, x in enumerate(word)))

    def values_over(self, word: Bits, leaves: list[int]) -> tuple[Bits, Bits]:
        return tuple(leaves), transposed(tuple(self.truth(word, leaves)), 1 << len(leaves))

    def select(self, leaves: Bits, values: Bits, width: int) -> Bits:
        """The word that has the given value for each combination of the leaves."""
        key = leaves, values, width
        if key not in self._words:
            bits = tuple(2 * leaf for leaf in leaves)
            self._words[key] = word = tuple(self.look_up(table, bits) for table in transposed(values, width))
            self._values[word] = leaves, values  # so that a look-up at a looked-up address is one look-up
        return self._words[key]

    # ---- Equality.

    def _draw(self, node: int) -> int:
        """Random bits for an input. In half of the patterns most bytes of a word are all ones or all zeros, in the other
        half every second byte is, so that carries travel far."""
        some = lambda: self._drawn.getrandbits(PATTERNS)  # noqa: E731
        if node not in self.names:
            return some()
        name, i = self.names[node]
        whole, value = self._drawn_for.setdefault((name,), (some(), some()))
        equal, own = self._drawn_for.setdefault((name, i // 8), (some() | whole & (some() | some()), some()))
        value = whole & value | ~whole & own
        return equal & value | ~equal & some()

    def patterns(self, nodes: list[int], value: dict[int, int]) -> dict[int, int]:
        """Adds the values of nodes for random inputs to `value`. The nodes come with operands first."""
        inputs = {node: self._draw(node) for node in nodes if self.fanin[node] is None}
        return self.simulate(nodes, inputs, PATTERNS, value)

    def settle(self, like: Bits, among: set[int] | None = None) -> None:
        """From now on a sum of the specification becomes bits on which this word depends, if the engine proves them
        equal. With `among`, only these nodes are taken."""
        self._same, self._value = {}, {0: 0}
        self.patterns(self.cone(like), self._value)
        for node, value in self._value.items():
            if among is None or node in among:
                self._same.setdefault(value ^ (-(value & 1) & ONES), []).append(2 * node ^ (value & 1))

    def settled(self, word: Bits) -> Bits:
        """An equal word. Its bits are older ones where the simulation suggests such bits and the engine proves them
        equal."""
        if not self._same:
            return word
        self.patterns(self.cone(word, self._value), self._value)
        older = []  # for each bit those that the simulation does not tell from it, and the bit itself as the last
        for x in word:
            value = self._value[x >> 1]
            flip = (value & 1) ^ (x & 1)
            older.append([*(y ^ flip for y in self._same.get(value ^ (-(value & 1) & ONES), ())), x])
        while (pairs := self._unequal(word, tuple(same[0] for same in older))) and (model := self._asked(pairs)):
            cone = self.cone((*word, *sum(older, [])))
            bits = {x >> 1: model[name] >> i & 1 for name, inputs in self.words.items() for i, x in enumerate(inputs)}
            value = self.simulate(cone, bits, 1, {0: 0})
            known, older = older, [
                [y for y in same if value[y >> 1] ^ value[x >> 1] == (x ^ y) & 1] for x, same in zip(word, older)
            ]
            if known == older:
                raise Unproved("a sum of what nobody knows")
        return tuple(same[0] for same in older)

    def with_look_ups(self, word: Bits, like: Bits) -> Bits:
        """An equal word in which a bit is a look-up on which another word depends, wherever it has the same truth table over
        the same bits. The exclusive ors above it come to their normal form, which may be the bits of the next look-up."""
        look_ups = [node for node in self.cone(like) if node in self.looked_up]
        if not look_ups:
            return word
        value, alike, new, terms = self._patterns, self._look_ups_by_value, self._as_look_ups, cache(self.terms_of)
        nodes = self.cone((*like, *word), value)
        self.simulate(nodes, {node: self._draw(node) for node in nodes if node in self.names}, PATTERNS, value)
        sign = lambda node: value[node] & 1  # noqa: E731
        values = lambda node: value[node] ^ -sign(node) & ONES  # noqa: E731
        more = {values(node): 2 * node ^ sign(node) for node in look_ups}
        if not more.keys() <= alike.keys() and not (more.keys() - alike.keys()).isdisjoint(map(values, new)):
            new.clear()  # what has been found for older nodes does not hold with these look-ups
            new[0] = 0
        alike.update(more)
        look = lambda x: new[x >> 1] ^ (x & 1)  # noqa: E731
        for node in self.cone(word, new):
            if node in self.names:
                new[node] = 2 * node
                continue
            if node in self.looked_up:
                table, leaves = self.looked_up[node]
                new[node] = self.look_up(table, tuple(map(look, leaves)))
            elif len(self.fanin[node]) == 3:
                new[node] = self.total(map(look, self.fanin[node]))
            else:
                a, b = self.fanin[node]
                both, neither = (self.fanin[x >> 1] if x & 1 else None for x in (a, b))
                differs = both and neither == inverted(both)
                new[node] = self.xor(*map(look, both)) if differs else self.and_(look(a), look(b))
            found = alike.get(values(node))
            if found is not None and self._is_look_up(new[node] ^ sign(node), found, terms):
                new[node] = found ^ sign(node)
        return tuple(map(look, word))

    def _is_look_up(self, bit: int, look_up: int, terms_of: Callable[[int], frozenset[int]]) -> bool:
        """Whether a bit depends on nothing but the bits of a look-up, and has its truth table. Of an exclusive or its terms
        count: it may be made of others that cancel out."""
        table, leaves = self.looked_up[look_up >> 1]
        if any(x & 1 for x in leaves):
            return False
        ones, rows = (1 << (1 << len(leaves))) - 1, self._rows(leaves)

        def parted(terms: frozenset[int]) -> tuple[frozenset[int], int]:
            """The other terms of an exclusive or, and the truth table of its sum of leaves."""
            table = 0
            for pivot, row, its_table in rows:
                if pivot in terms:
                    terms, table = terms ^ row, table ^ its_table
            return terms, table

        value, sums = {0: 0, **dict(zip((x >> 1 for x in leaves), variables(len(leaves))))}, {}
        top, start = parted(terms_of(bit))
        seen, todo = set(), [x >> 1 for x in top]
        while todo:
            node = todo.pop()
            if node in value or node in seen:
                continue
            if node < min(leaves) >> 1 or node in self.names:  # what depends on nothing but the leaves is newer
                return False
            seen.add(node)
            if self.is_open(node):
                sums[node] = parted(terms_of(2 * node))
                todo += [x >> 1 for x in sums[node][0]]
            else:
                todo += [x >> 1 for x in self.fanin[node] or self.looked_up[node][1]]
        for node in sorted(seen):
            if node in sums:
                value[node] = reduce(xor, (value[x >> 1] for x in sums[node][0]), sums[node][1])
            else:
                self.simulate([node], {}, 1 << len(leaves), value)
        return reduce(xor, (value[x >> 1] for x in top), start ^ -((bit ^ look_up) & 1) & ones) == table

    def _rows(self, leaves: Bits) -> list[tuple[int, frozenset[int], int]]:
        """Sums of leaves, each with a term that no other one has: this term, all terms, and the truth table."""
        rows: list[tuple[int, frozenset[int], int]] = []
        for x, table in zip(leaves, variables(len(leaves))):
            terms = self.terms_of(x)
            for pivot, row, other in rows:
                if pivot in terms:
                    terms, table = terms ^ row, table ^ other
            if terms:
                top = max(terms)
                rows = [(p, r ^ terms, t ^ table) if top in r else (p, r, t) for p, r, t in rows] + [(top, terms, table)]
        return rows

    def simulate(self, nodes: list[int], inputs: dict[int, int], width: int, value: dict[int, int]) -> dict[int, int]:
        """Adds the values of nodes for many inputs at once to `value`: bit k of a value belongs to the k-th input. The
        nodes come with operands first."""
        ones = (1 << width) - 1
        places = {}  # where in a truth table the values of some leaves are found
        for node in nodes:
            if below := self.fanin[node]:
                if len(below) == 2:
                    a, b = below
                    value[node] = (value[a >> 1] ^ (-(a & 1) & ones)) & (value[b >> 1] ^ (-(b & 1) & ones))
                else:
                    a, b, c = below  # none of which is a complement
                    value[node] = value[a >> 1] ^ value[b >> 1] ^ value[c >> 1]
            elif node in self.looked_up and node not in inputs:
                table, leaves = self.looked_up[node]
                if leaves not in places:
                    words = [value[x >> 1] ^ (-(x & 1) & ones) for x in leaves]
                    places[leaves] = [sum((w >> k & 1) << i for i, w in enumerate(words)) for k in range(width)]
                value[node] = sum((table >> place & 1) << k for k, place in enumerate(places[leaves]))
            else:
                value[node] = inputs.get(node, 0)
        return value

    def model(self, bits: dict[int, int]) -> Model:
        """The input words whose bits these are."""
        return {name: sum(bits.get(x >> 1, 0) << i for i, x in enumerate(word)) for name, word in self.words.items()}

    def differ(self, left: Bits, right: Bits) -> Model | None:
        """None if two words are equal for all inputs; otherwise input words for which they differ."""
        if left != right:
            left = self.with_look_ups(left, right)
        if not (pairs := self._unequal(left, right)):
            return None
        cone = self.cone(tuple(x for pair in pairs for x in pair))
        value = self.patterns(cone, {0: 0})
        for a, b in pairs:
            wrong = value[a >> 1] ^ value[b >> 1] ^ (-((a ^ b) & 1) & ONES)
            if wrong:
                k = wrong.bit_length() - 1
                return self.model({node: bits >> k & 1 for node, bits in value.items()})
        return self._asked(pairs)

    def _asked(self, pairs: list[Bits]) -> Model | None:
        """The engine's answer, with a note if it is that all pairs are equal."""
        if (model := self.engine(self, pairs)) is None:
            self.decided.add(ENGINE)
        return model

    def _unequal(self, left: Bits, right: Bits) -> list[Bits]:
        """Pairs of bits without look-ups that are equal for all inputs if and only if two words are."""
        if left == right:
            return []
        left, right = zip(*{(a & ~1, b ^ (a & 1)) for a, b in zip(left, right, strict=True) if a != b}, strict=True)
        pairs = zip(self.expanded(left), self.expanded(right), strict=True)
        return sorted({pair for pair in pairs if pair[0] != pair[1]})


class Word:
    """A word of symbolic bits that knows the operations of spec/word.py."""

    def __init__(self, g: Graph, bits):
        self.g, self.bits = g, tuple(bits)

    def _of(self, other) -> Bits:
        return constant(other, len(self.bits)) if isinstance(other, int) else other.bits

    def __and__(self, other) -> "Word":
        return Word(self.g, map(self.g.and_, self.bits, self._of(other)))

    def __xor__(self, other) -> "Word":
        return Word(self.g, self.g.xors(self.bits, self._of(other)))

    def __add__(self, other) -> "Word":
        total = self.g.add(self.bits, self._of(other))[0]
        return Word(self.g, self.g.settled(total))

    def __sub__(self, other) -> "Word":
        return Word(self.g, inverted(self.g.add(inverted(self.bits), self._of(other))[0]))

    def __neg__(self) -> "Word":
        return Word(self.g, inverted(self.bits)) + 1

    def rol(self, n: int) -> "Word":
        n = -n % len(self.bits)
        return Word(self.g, self.bits[n:] + self.bits[:n])

    def ror(self, n: int) -> "Word":
        return self.rol(-n)

    def looked_up(self, table: list[int]) -> "Word":
        leaves, values = self.g.values(self.bits)
        return Word(self.g, self.g.select(leaves, tuple(map(table.__getitem__, values)), len(self.bits)))

    def split(self, width: int) -> list["Word"]:
        return [Word(self.g, bits) for bits in split(self.bits, width)]

    @classmethod
    def join(cls, words: list["Word"]) -> "Word":
        return cls(words[0].g, sum((w.bits for w in words), ()))


def split(word: Bits, width: int) -> list[Bits]:
    """The parts of so many bits, the lowest first."""
    return [word[i : i + width] for i in range(0, len(word), width)]


def as_it_is(word: Bits) -> Bits:
    return word


@cache
def constant(value: int, width: int) -> Bits:
    return tuple(value >> i & 1 for i in range(width))


def is_constant(word: Bits) -> bool:
    return max(word) <= 1


@cache
def number(word: Bits) -> int:
    return sum(x << i for i, x in enumerate(word))


@cache
def transposed(words: Bits, width: int) -> Bits:
    """As many words as these have bits: bit i of the k-th new word is bit k of the i-th old one."""
    return tuple(sum((w >> k & 1) << i for i, w in enumerate(words)) for k in range(width))


@cache
def affine_values(masks: Bits, flips: int) -> Bits:
    """For each number the number whose bits are the exclusive ors of those of its bits that are in the masks, with some bits flipped."""
    return tuple(flips ^ sum((v & mask).bit_count() % 2 << i for i, mask in enumerate(masks)) for v in range(1 << len(masks)))


@cache
def variables(n: int) -> list[int]:
    """The truth tables of n variables over themselves."""
    ones = (1 << (1 << n)) - 1
    return [ones // ((1 << (1 << i)) + 1) << (1 << i) for i in range(n)]


@cache
def combination(table: int, known: Bits, n: int) -> list[int] | None:
    """Which of n variables, and behind them of known truth tables over them, have this table as their exclusive or; None if
    none have."""
    rows: list[tuple[int, int]] = []  # sums of the given tables, each with a lowest bit of its own, and of which ones

    def reduced(table: int, parts: int) -> tuple[int, int]:
        for row, of in rows:
            if table & row & -row:
                table, parts = table ^ row, parts ^ of
        return table, parts

    for i, given in enumerate((*variables(n), *known)):
        rows.append(reduced(given, 1 << i))
    rest, parts = reduced(table, 0)
    return None if rest else [i for i in range(n + len(known)) if parts >> i & 1]


def linear(table: int, n: int) -> list[int] | None:
    """The variables whose exclusive or has this truth table over n variables; None if it is none."""
    return combination(table, (), n)


def _is_bit(word: Bits) -> bool:
    """Whether a word is one unknown bit with zeros above it."""
    return word[0] > 1 and not any(word[1:])


def inverted(word: Bits) -> Bits:
    return tuple(x ^ 1 for x in word)


def and_clauses(out: int, a: int, b: int) -> list[list[int]]:
    """What a solver is told of an AND, by its variables: 1 and more, negative for the complement."""
    return [[-out, a], [-out, b], [out, -a, -b]]


def xor_clauses(out: int, *operands: int) -> list[list[int]]:
    """And of an exclusive or."""
    return [[-prod(signs) * out, *map(mul, signs, operands)] for signs in product((1, -1), repeat=len(operands))]
