# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A graph in which functions of a byte have a normal form, for code that computes S-boxes in another way than the specification.

Code may take the byte in another basis, as in a tower field or behind the inverse of an affine map, and it may make an S-box of
several look-ups. All these are functions of the same eight bits. A group is such a byte: the space that linear combinations of
its bits span. It keeps a basis of the functions of it that were met. A function in the span of the basis becomes an exclusive
or of its elements, which has a normal form (bits.py); any other one becomes a look-up and a new element. So equal functions of
a byte are the same literal, whatever look-ups and linear maps they were made of.
"""

from functools import cache, reduce

from proof.bits import BYTES, Bits, Engine, Graph, is_constant, linear, transposed, variables

VARIABLES = variables(8)
Terms = frozenset[int]


class Group:
    """A byte: eight bits, the linear combinations of them that have pivots of their own, and the functions of them."""

    def __init__(self, leaves: Bits, combinations: list[int]):
        self.leaves = leaves
        self.combinations = combinations  # by pivot: which leaves add up to the row
        self.basis = [2 * leaf for leaf in leaves]
        self.rows: dict[int, tuple[int, int]] = {}  # by the highest bit: a table, and which elements of the basis add up to it
        self.known: dict[int, int] = {}  # the literals that have a table
        for i, table in enumerate(VARIABLES):
            self.add(table ^ -(table & 1) & BYTES, 1 << i)

    def reduced(self, table: int, mask: int = 0) -> tuple[int, int]:
        """What is left of a table, and the elements of the basis that were added."""
        while table and (row := self.rows.get(table.bit_length())):
            table, mask = table ^ row[0], mask ^ row[1]
        return table, mask

    def add(self, table: int, mask: int) -> None:
        table, mask = self.reduced(table, mask)
        self.rows[table.bit_length()] = table, mask


Function = tuple[Group, int]  # with its table


class ByteGraph(Graph):
    """A graph that knows which bits are functions of one byte."""

    def __init__(self, engine: Engine | None = None):
        super().__init__(engine)
        self.combines = False  # the groups do
        self.groups: dict[tuple, Group] = {}  # by the space that their bits span
        self.linear: dict[Terms, list[Function]] = {}  # by their terms: exclusive ors of a group's bits, which several groups may share
        self.members: dict[int, tuple[Group, int]] = {}  # the look-ups in the bases, with their tables
        self.selected: dict[tuple, Bits] = {}  # words by leaves, values and width
        self.bytes: dict[Bits, Bits] = {}  # by the nodes of each half: bytes of vectors

    def note_bytes(self, word: Bits) -> None:
        """Notes the bytes of a vector, so that a look-up by half of one of them is known to be a function of the byte."""
        for i in range(0, len(word), 8):
            byte = word[i : i + 8]
            if min(byte) > 1 and byte[0] >> 1 not in self.members:
                for half in (byte[:4], byte[4:]):
                    self.bytes[tuple(sorted(x >> 1 for x in half))] = byte

    def add(self, a: Bits, b: Bits, carry: int = 0) -> tuple[Bits, int]:
        """Bits of sums stay exclusive ors of their terms: linear maps of a counter are to come to their normal form."""
        if is_constant((*a, *b, carry)):
            return super().add(a, b, carry)
        out = []
        for x, y in zip(a, b, strict=True):
            out.append(self.xor(self.xor(x, y), carry))
            carry = self.majority(x, y, carry)
        return tuple(out), carry

    def select(self, leaves: Bits, values: Bits, width: int) -> Bits:
        key = leaves, values, width
        if key not in self.selected:
            self.selected[key] = self._selected(*key)
        return self.selected[key]

    def _selected(self, leaves: Bits, values: Bits, width: int) -> Bits:
        if not leaves or len(leaves) > 8 or _is_affine(values, width):
            return super().select(leaves, values, width)
        group, inner = self._functions_of_one_byte(leaves)
        if group is None:
            return super().select(leaves, values, width)
        return tuple(self._literal(group, table) for table in _composed(inner, values, width))

    def _functions_of_one_byte(self, leaves: Bits) -> tuple[Group | None, Bits]:
        """The group of which all these nodes are functions, and their tables."""
        if len(leaves) == 8:
            return self._spanned(leaves)
        if byte := self.bytes.get(leaves):
            nodes = tuple(sorted(x >> 1 for x in byte))
            group, tables = self._spanned(nodes, byte)
            if group:
                return group, tuple(tables[nodes.index(leaf)] for leaf in leaves)
        found = [self._functions_of(leaf) for leaf in leaves]
        for group in found[0]:
            if all(group in of for of in found):
                return group, tuple(of[group] for of in found)
        return None, ()

    def _functions_of(self, node: int) -> dict[Group, int]:
        """The groups of which a node is a function, with its tables."""
        terms = self.terms_of(2 * node)
        found = dict(self.linear.get(terms, ()))
        for group in dict.fromkeys(self.members[t >> 1][0] for t in terms if t >> 1 in self.members):
            own = [t for t in terms if t >> 1 in self.members and self.members[t >> 1][0] is group]
            rest = terms.difference(own)
            for other, table in self.linear.get(rest, ()) if rest else [(group, 0)]:
                if other is group:
                    found[group] = reduce(lambda table, t: table ^ self.members[t >> 1][1], own, table)
        return found

    def _note(self, terms: Terms, group: Group, table: int) -> None:
        known = self.linear.setdefault(terms, [])
        if (group, table) not in known:
            known.append((group, table))

    def _spanned(self, leaves: Bits, byte: Bits = ()) -> tuple[Group | None, Bits]:
        """The group of the byte that eight nodes span, and their tables. byte: the same nodes as a byte of a vector."""
        terms = [self.terms_of(2 * leaf) for leaf in leaves]
        order = {t: i for i, t in enumerate(sorted(frozenset().union(*terms)))}
        vectors = [sum(1 << order[t] for t in ts) for ts in terms]
        rows: dict[int, tuple[int, int]] = {}  # by pivot: a combination that alone has this bit, and its leaves
        for i, vector in enumerate(vectors):
            mask = 1 << i
            for pivot, (row, other) in rows.items():
                if vector >> pivot & 1:
                    vector, mask = vector ^ row, mask ^ other
            if not vector:
                return None, ()
            top = vector.bit_length() - 1
            for pivot, (row, other) in rows.items():
                if row >> top & 1:
                    rows[pivot] = row ^ vector, other ^ mask
            rows[top] = vector, mask
        pivots = sorted(rows)
        key = tuple(order), tuple(rows[p][0] for p in pivots)
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group(leaves, [rows[p][1] for p in pivots])
            for ts, table in zip(terms, VARIABLES):
                self._note(ts, group, table)
        masks = [reduce(int.__xor__, (group.combinations[j] for j, p in enumerate(pivots) if v >> p & 1)) for v in vectors]
        tables = tuple(_sum(mask) for mask in masks)
        if byte:  # the sums of its halves are an index, too
            places = [leaves.index(x >> 1) for x in byte]
            for i, j in zip(places[:4], places[4:]):
                self._note(terms[i] ^ terms[j], group, tables[i] ^ tables[j])
            for i in places:
                self._note(terms[i], group, tables[i])
        return group, tables

    def _literal(self, group: Group, table: int) -> int:
        """The bit that has a table over a group's leaves."""
        flip = table & 1
        table ^= -flip & BYTES
        if table not in group.known:
            rest, mask = group.reduced(table)
            if rest:
                found = self.look_up(table, tuple(2 * leaf for leaf in group.leaves))
                self.members[found >> 1] = group, table
                group.add(table, 1 << len(group.basis))
                group.basis.append(found)
            else:
                found = reduce(self.xor, (x for i, x in enumerate(group.basis) if mask >> i & 1), 0)
            group.known[table] = found
        return group.known[table] ^ flip


@cache
def _is_affine(values: Bits, width: int) -> bool:
    """Whether each bit of a word is an exclusive or of bits of its index and a constant."""
    n = len(values).bit_length() - 1
    return all(linear(t ^ -(t & 1) & ((1 << len(values)) - 1), n) is not None for t in transposed(values, width))


@cache
def _sum(mask: int) -> int:
    """The table of the exclusive or of some variables."""
    return reduce(int.__xor__, (t for i, t in enumerate(VARIABLES) if mask >> i & 1), 0)


@cache
def _composed(inner: Bits, values: Bits, width: int) -> Bits:
    """The tables of a word over a byte, by the tables of the bits that index its values."""
    places = transposed(inner, 256)
    return transposed(tuple(values[place] for place in places), width)
