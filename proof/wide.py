# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A graph for code that computes the same for many blocks.

The general graph looks for an older node in the place of each AND inside of an exclusive or or a sum, which takes most of the time
where there are many blocks. This one looks for whole exclusive ors, for the parities and for the majorities of which sums consist, by
their normal forms, and adds the ANDs inside them without looking. So the same AND may have two nodes. Then bits that are equal may
be different literals, about which an engine has to decide; bits that differ are still never the same literal.
"""

from proof.bits import Bits, Engine, Graph


class WideGraph(Graph):
    def __init__(self, engine: Engine | None = None):
        super().__init__(engine)
        self._parities: dict[Bits, int] = {}  # the exclusive ors of three bits in sums, which are one term of later ones

    def xor(self, a: int, b: int) -> int:
        if a <= 1 or b <= 1:
            return a ^ b
        flip, a, b, known = (a ^ b) & 1, a & ~1, b & ~1, self._terms
        terms = (known.get(a) or frozenset((a,))) ^ (known.get(b) or frozenset((b,)))
        if len(terms) < 2:
            return flip ^ next(iter(terms), 0)
        literal = self._sums.get(terms)
        if literal is None:
            if self._is_noted(a) or self._is_noted(b):
                return super().xor(a, b) ^ flip
            literal = self._differ(a, b)
            if len(terms) <= self.most_terms:
                self._sums[terms] = literal
                if a not in self._carries and b not in self._carries:
                    known[literal] = terms
        return literal ^ flip

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
        return literal ^ flip

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
            literal = self._parities[key] = self._differ(self._differ(a, b), c)
        return literal

    def _differ(self, a: int, b: int) -> int:
        """A new node that is true where two literals differ."""
        n = 2 * len(self.fanin)
        self.fanin += ((a, b), (a ^ 1, b ^ 1), (n + 1, n + 3))
        return n + 4

    def _is_noted(self, x: int) -> bool:
        """Whether more than its operands is known of a node, and is to be known of what depends on it."""
        return x >> 1 in self.bases or x >> 1 in self._tables
