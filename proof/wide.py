# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A graph for code that computes the same for many blocks.

The general graph looks for an older node in the place of each AND inside of an exclusive or or a sum, and keeps the terms of each
exclusive or, which takes most of the time and memory where there are many blocks. In this one an exclusive or is a node of its own, with
three operands, of which the last may be false. It is found by a number: each node that is no exclusive or has a random one, and an
exclusive or has the exclusive or of its terms' numbers. Nodes with the same number then are compared term by term. So the same AND may
have two nodes. Then bits that are equal may be different literals, about which an engine has to decide; bits that differ are still
never the same literal.
"""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from random import Random

from proof.bits import Bits, Engine, Graph

MARK = 60  # bits of such a number; Python computes with so many fast
FEW = 100  # operands that are opened one by one; of more each is opened once, which takes longer where there are few


def _reduced(mark: int, rows: list[Bits]) -> Bits:
    """What is left of a number after rows in echelon form have been taken away, and the bits that they are made of."""
    of = 0
    for top, row, parts in rows:
        if mark & top:
            mark, of = mark ^ row, of ^ parts
    return mark, of


class WideGraph(Graph):
    def __init__(self, engine: Engine | None = None):
        super().__init__(engine)
        self._random = Random(1)
        self._marks: list[int] = []  # the numbers of nodes
        self._marked: dict[int, int] = {0: 0}  # the literals that have such numbers
        self._closed: set[int] = set()  # nodes of exclusive ors that are single terms of others
        self._parities: dict[Bits, int] = {}  # the exclusive ors of three bits in sums, which are one term of later ones

    def xor(self, a: int, b: int) -> int:
        if a <= 1 or b <= 1:
            return a ^ b
        flip, a, b = (a ^ b) & 1, a ^ 1 if a & 1 else a, b ^ 1 if b & 1 else b  # `a & ~1` takes memory for another object
        if a == b:
            return flip
        marks = self._marks
        if len(marks) < len(self.fanin):
            self._mark_new()
        mark = marks[a >> 1] ^ marks[b >> 1]
        literal = self._marked.get(mark)
        if literal is not None:
            made = self.fanin[literal >> 1]
            if made == (a, b, 0) or made == (b, a, 0) or self._is_sum(literal, (a, b)):
                return literal ^ 1 if flip else literal
        if self._is_noted(a) or self._is_noted(b):
            return super().xor(a, b) ^ flip
        literal = 2 * len(self.fanin)
        self.fanin.append((a, b, 0))
        if self._carries and (a in self._carries or b in self._carries):
            self._closed.add(literal >> 1)
            self._mark_new()
        else:
            marks.append(mark)
        self._marked[mark] = literal
        self._marked.setdefault(marks[a >> 1], a)
        self._marked.setdefault(marks[b >> 1], b)
        return literal ^ 1 if flip else literal

    def xors(self, a: Bits, b: Bits) -> Bits:
        """Most bits of words have been XORed before. These are found here, without a call for each."""
        if len(self._marks) < len(self.fanin):
            self._mark_new()
        marks, known, fanin, out = self._marks, self._marked, self.fanin, []
        for x, y in zip(a, b, strict=True):
            if x > 1 and y > 1:
                p, q = x ^ 1 if x & 1 else x, y ^ 1 if y & 1 else y
                literal = known.get(marks[p >> 1] ^ marks[q >> 1], 0)
                if fanin[literal >> 1] in ((p, q, 0), (q, p, 0)):
                    out.append(literal ^ 1 if (x ^ y) & 1 else literal)
                else:
                    out.append(self.xor(x, y))
            else:
                out.append(x ^ y)
        return tuple(out)

    def _mark_new(self) -> None:
        draw = self._random.getrandbits
        self._marks += [draw(MARK) for _ in range(len(self.fanin) - len(self._marks))]

    def _is_sum(self, literal: int, operands: Bits) -> bool:
        """Whether a literal that is no complement is the exclusive or of these."""
        if not self._opened((literal, *operands)):
            return True
        return literal >> 1 in self._closed and not self._opened((*self.fanin[literal >> 1], *operands))

    def _opened(self, literals: Iterable[int]) -> set[int]:
        """The terms of the exclusive or of literals that are no complements."""
        fanin, closed, terms, todo = self.fanin, self._closed, set(), [*literals]
        for x in todo:
            below = fanin[x >> 1]
            if below and len(below) == 3 and x >> 1 not in closed:
                if len(todo) > FEW:
                    return self._opened_once(literals)
                todo += below
            elif x in terms:
                terms.remove(x)
            elif x:
                terms.add(x)
        return terms

    def _opened_once(self, literals: Iterable[int]) -> set[int]:
        """The same. Operands are older than what is made of them, so that a node comes after all that it is an operand of."""
        terms, odd = set(), set()  # odd: the literals that are operands an odd number of times
        for x in literals:
            odd ^= {x}
        todo = [-x for x in odd]
        heapify(todo)
        while todo:
            x = -heappop(todo)
            if x not in odd:
                continue
            odd.remove(x)
            if self._opens(x >> 1):
                for y in self.fanin[x >> 1]:
                    odd ^= {y}
                    heappush(todo, -y)
            elif x:
                terms.add(x)
        return terms

    def xor_of_ands(self, a: int, b: int) -> int:
        return self._differ(a, b)

    def terms_of(self, x: int) -> frozenset[int]:
        return self._terms.get(x & ~1) or frozenset(self._opened((x & ~1,)))

    def _values_over_older(self, word: Bits) -> tuple[Bits, Bits] | None:
        """The same by numbers in the place of sets of terms. What the numbers say is then seen to hold of the terms."""
        if len(self._marks) < len(self.fanin):
            self._mark_new()
        marks = [self._marks[x >> 1] for x in word]
        rows: list[Bits] = []  # in echelon form: sums of numbers, each with its highest bit, which no other has, and of which bits
        for i, mark in enumerate(marks):
            mark, of = _reduced(mark, rows)
            if not mark:
                return None
            top, of = 1 << mark.bit_length() - 1, of ^ 1 << i
            rows = [(p, row ^ mark, parts ^ of) if row & top else (p, row, parts) for p, row, parts in rows]
            rows.append((top, mark, of))
        older, made = self._spans.setdefault(frozenset(row for _, row, _ in rows), (word, rows))
        if older is word:
            return None
        parts = [_reduced(mark, made)[1] for mark in marks]
        if any(self._opened((x & ~1, *(y & ~1 for i, y in enumerate(older) if of >> i & 1))) for x, of in zip(word, parts)):
            return None
        return self._over_older(word, older, parts)

    def is_open(self, node: int) -> bool:
        return self._opens(node) or super().is_open(node)

    def _opens(self, node: int) -> bool:
        below = self.fanin[node]
        return below is not None and len(below) == 3 and node not in self._closed

    def close(self, literal: int) -> None:
        super().close(literal)
        if self._opens(literal >> 1):
            self._closed.add(literal >> 1)
            self._marks[literal >> 1] = self._random.getrandbits(MARK)

    def majority(self, a: int, b: int, c: int) -> int:
        a, b, c = sorted((a, b, c))
        if a <= 1 or a ^ b <= 1 or b ^ c <= 1 or self._is_noted(a) or self._is_noted(b) or self._is_noted(c):
            return super().majority(a, b, c)
        flip = (a & 1) + (b & 1) + (c & 1) > 1
        if flip:
            a, b, c = sorted((a ^ 1, b ^ 1, c ^ 1))
        literal = self._majority.get((a, b, c))
        if literal is None:
            n = 2 * len(self.fanin)
            self.fanin += ((a, b), (a ^ 1, b ^ 1), (c, n + 3), (n + 1, n + 5))
            literal = self._majority[a, b, c] = n + 7
        return literal ^ 1 if flip else literal

    def add(self, a: Bits, b: Bits, carry: int = 0) -> tuple[Bits, int]:
        """Where all three bits of a place are unknown, their exclusive or is one term of later ones."""
        if min(a) <= 1 or min(b) <= 1:
            return super().add(a, b, carry)
        out = []
        for x, y in zip(a, b, strict=True):
            if carry <= 1 or x ^ y <= 1 or x ^ carry <= 1 or y ^ carry <= 1:
                out.append(self.xor(self.xor(x, y), carry))
            else:
                out.append(self._parity(x & ~1, y & ~1, carry & ~1) ^ ((x ^ y ^ carry) & 1))
            carry = self.majority(x, y, carry)
        return tuple(out), carry

    def _parity(self, a: int, b: int, c: int) -> int:
        a, b, c = key = tuple(sorted((a, b, c)))
        literal = self._parities.get(key)
        if literal is None:
            literal = self._parities[key] = 2 * len(self.fanin)
            self.fanin.append(key)
            self._closed.add(literal >> 1)
        return literal

    def _is_noted(self, x: int) -> bool:
        """Whether more than its operands is known of a node, and is to be known of what depends on it."""
        return x >> 1 in self.bases or x >> 1 in self._tables
