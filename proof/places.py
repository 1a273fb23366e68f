# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Addresses of which only the distance from an unknown base is known.

A buffer or the stack has a base: a word of unknown bits, so that what is proved holds wherever it lies. A pointer into it
is the base plus an offset, and all carries from byte to byte depend on the base. A place is such a pair of base and
offset. Each place has one word of bits, and arithmetic on places gives places again, so that the place that an address
means can be looked up.

The bases are assumed to be as the calling convention and the descriptor say: aligned, not zero, and such that the memory
of each base lies in RAM without wrapping around and apart from that of the others.
"""

from collections.abc import Callable
from functools import reduce
from itertools import combinations

from proof.bits import BYTES, Bits, Graph, constant, inverted, is_constant, number, transposed

SPAN = 1 << 40  # between the numbers that stand for bases; no address of a machine is that large
CONSTANTS = "code and tables"
Place = tuple[str, int]  # the name of a base and an offset in bytes, less than 2 to the width of an address


class Places:
    """The places in a graph. width: the bits of an address. beyond: how many bytes at the end of the address space are
    never RAM."""

    def __init__(self, g: Graph, width: int, beyond: int):
        self.g, self.width, self.beyond = g, width, beyond
        self.constants: list[range] = []  # where code and tables lie, which have no base
        self.apart = ""  # the base whose memory lies apart from that of all others
        self.bases: dict[str, Bits] = {}
        self.further: Callable[[Bits, Bits], Bits | None] = lambda a, b: None  # finds sums of other words that are places
        self.memory: dict[str, range] = {}  # by base: the offsets of its memory
        self.sizes: dict[str, range] = {}  # by base: the offsets up to which no address wraps around
        self._words: dict[Place, Bits] = {}
        self._places: dict[Bits, Place] = {}  # words of places, and their low bytes with the offset modulo 256
        self._seen: dict[Bits, Bits] = {}  # bytes that `_byte` has recognised
        self._nonzero: set[Bits] = set()  # words that are known not to be 0 and are no places
        # Addresses, and sums and differences that are places, by where the words are in Python's memory, with the words, so that they
        # stay: a tuple's hash is computed from all its bits each time.
        self._addresses: dict[int, tuple[int, Bits]] = {}
        self._moved: dict[tuple, tuple[Bits, Bits, Bits]] = {}

    def base(self, name: str, alignment: int, offsets: range) -> int:
        """Makes a base, and returns the number that stands for it in the place of an address. offsets: of its memory."""
        if name not in self.bases:
            zeros = alignment.bit_length() - 1
            unknown = self.g.input(f"the address of {name}", self.width)[zeros:]
            self.g.bases.update((x >> 1, name) for x in unknown)
            self.g.tabulate(unknown[:8])
            self.bases[name] = (0,) * zeros + unknown
        self.memory[name] = offsets
        self.sizes[name] = range(offsets.start, offsets.stop + 1 + self.beyond)
        return (list(self.bases).index(name) + 1) * SPAN

    def word(self, address: int) -> Bits:
        """The word of an address, which may be a base's number plus an offset."""
        name, offset = self.named(address)
        return self._word(name, offset) if name else constant(address, self.width)

    def address(self, word: Bits) -> int | None:
        """The address that the word of a place means, as `word` takes it; None if the word is no place's. LPM extends an
        address with zeros where the program counter has three bytes."""
        if (known := self._addresses.get(id(word))) is not None:
            return known[0]
        narrow, above = word[: self.width], word[self.width :]
        place = self._places.get(narrow) if len(narrow) == self.width and not any(above) else None
        if place is None and (place := self._above_aligned(narrow)) is None:
            return None
        at = (list(self.bases).index(place[0]) + 1) * SPAN + self._signed(place[1])
        self._addresses[id(word)] = at, word
        return at

    def _above_aligned(self, word: Bits) -> Place | None:
        """The place of a word that has ones where that of a known place has zeros at its low end: an OR adds there."""
        known = next((i for i, x in enumerate(word) if x > 1), 0)
        if not any(word[:known]) or (0,) * known + word[known:] not in self._places:
            return None
        name, offset = self._places[(0,) * known + word[known:]]
        return self._places[word] if self._word(name, offset + number(word[:known])) == word else None

    def text(self, address: int) -> str:
        """The address as messages give it."""
        name, offset = self.named(address)
        return f"{name} {offset:+}" if name else f"{address:#x}"

    def named(self, address: int) -> Place:
        """The base and the offset of an address."""
        return ("", *self.bases)[(address + SPAN // 2) // SPAN], (address + SPAN // 2) % SPAN - SPAN // 2

    def _signed(self, offset: int) -> int:
        return offset - (offset >> self.width - 1 << self.width)

    def _word(self, name: str, offset: int) -> Bits:
        place = name, offset % (1 << self.width)
        if place not in self._words:
            word = self.bases[name]
            if place[1]:
                word = self.g.add(word, constant(place[1], self.width))[0]
            self._words[place], self._places[word] = word, place
            self._places[word[:8]] = name, place[1] % 256
        return self._words[place]

    # ---- Arithmetic. Each method returns None where a place has no part.

    def sum(self, a: Bits, b: Bits) -> Bits | None:
        return self._noted(self._sum, a, b)

    def _noted(self, f: Callable[[Bits, Bits], Bits | None], a: Bits, b: Bits) -> Bits | None:
        key = f.__name__, id(a), id(b)
        if (known := self._moved.get(key)) is not None:
            return known[0]
        found = f(a, b)
        if found is not None:
            self._moved[key] = found, a, b
        return found

    def _sum(self, a: Bits, b: Bits) -> Bits | None:
        if b in self._places:
            a, b = b, a
        if a in self._places and is_constant(b):
            name, offset = self._places[a]
            return self._word(name, offset + number(b))[: len(a)]
        return self.further(a, b)

    def difference(self, a: Bits, b: Bits) -> Bits | None:
        return self._noted(self._difference, a, b)

    def _difference(self, a: Bits, b: Bits) -> Bits | None:
        if a in self._places:
            name, offset = self._places[a]
            if is_constant(b):
                return self._word(name, offset - number(b))[: len(a)]
            other, behind = self._places.get(b, ("", 0))
            if name == other:
                return constant((offset - behind) % (1 << len(a)), len(a))
        return None

    def note_difference(self, a: Bits, b: Bits, difference: Bits) -> None:
        """Notes that a difference is not 0, if the two addresses lie in memory that is apart."""
        memory, other = self._memory(a), self._memory(b)
        if memory and other and memory != other and {memory, other} & {self.apart, CONSTANTS}:
            self._nonzero.add(difference)

    def _memory(self, address: Bits) -> str:
        """The base in whose memory an address lies; CONSTANTS for code and tables, nothing if that is not known."""
        if address in self._places:
            return self._places[address][0] if self._inside(address) else ""
        known = is_constant(address) and any(number(address) in place for place in self.constants)
        return CONSTANTS if known else ""

    def is_nonzero(self, word: Bits) -> bool:
        """Whether a word is known not to be 0, as an address in the memory of a base is."""
        return word in self._nonzero or word in self._places and self._within(word)

    def is_noted(self, word: Bits) -> bool:
        """Whether that is known because of where buffers lie to each other."""
        return word in self._nonzero

    def note_nonzero(self, word: Bits) -> None:
        self._nonzero.add(word)

    def assumptions(self) -> Bits:
        """What is assumed of the bases, as literals: the memory of each does not lie at address 0, does not wrap around, and
        is apart from that of the others."""
        g, first, behind, found = self.g, {}, {}, [reduce(self.g.or_, base, 0) for base in self.bases.values()]
        for name, memory in self.memory.items():
            if not memory:
                continue
            first[name], carry = g.add(self.bases[name], constant(memory.start % (1 << self.width), self.width))
            behind[name], over = g.add(first[name], constant(len(memory), self.width))
            found += [reduce(g.or_, first[name], 0), over ^ 1, carry if memory.start < 0 else carry ^ 1]
        found += [g.or_(self._before(behind[a], first[b]), self._before(behind[b], first[a])) for a, b in combinations(first, 2)]
        return tuple(x for x in found if x > 1)

    def _before(self, a: Bits, b: Bits) -> int:
        """Whether a is at most b."""
        return self.g.carry(inverted(b), a) ^ 1

    def byte(self, word: Bits) -> Bits:
        """An equal word, for a byte of a place the byte of the place's word. Arithmetic byte by byte makes other nodes
        than arithmetic on words does, and they are compared for all values of the base."""
        if len(word) != 8 or self.width != 16 or word in self._places:
            return word
        if word not in self._seen:
            names = {self.g.bases.get(x >> 1) for x in word if x > 1}
            self._seen[word] = self._recognised(word, *names) if len(names) == 1 and None not in names else word
        return self._seen[word]

    def _recognised(self, word: Bits, name: str) -> Bits:
        base = self.bases[name]
        leaves = [x >> 1 for x in base if x]
        if len(leaves) < 16:
            return word
        tables = self.g.truth(word, leaves)
        if all(table in (0, (1 << (1 << 16)) - 1) for table in tables):  # a difference of two places
            return tuple(table & 1 for table in tables)
        value = transposed(tuple(table & BYTES for table in tables), 256)  # where the upper byte of the base is 0
        step = next((at for at in range(1, 256) if value[at] != value[0]), 256)  # where the low byte carries
        for offset, part in ((value[0], slice(0, 8)), (value[0] << 8 | -step & 255, slice(8, 16))):
            found = self._word(name, offset)[part]
            if self.g.truth(found, leaves) == tables:
                return found
        return word

    # ---- Comparisons: literals, or None.

    def different(self, a: Bits, b: Bits) -> int | None:
        if a in self._places:
            if (apart := self.difference(a, b)) is not None and is_constant(apart):
                return int(any(apart))
            if is_constant(b) and not any(b) and self._within(a):
                return 1
        if a in self._nonzero and is_constant(b) and not any(b):
            return 1
        return None

    def less(self, a: Bits, b: Bits) -> int | None:
        """Memory of one base does not wrap around, so that the order of addresses is that of offsets."""
        if a in self._places and b in self._places and self._within(a) and self._within(b):
            (name, low), (other, high) = self._places[a], self._places[b]
            if name == other:
                return int(self._signed(low) < self._signed(high))
        return None

    def _inside(self, word: Bits) -> bool:
        """Whether a byte of the base's memory lies there."""
        name, offset = self._places[word]
        return len(word) == self.width and self._signed(offset) in self.memory[name]

    def _within(self, word: Bits) -> bool:
        name, offset = self._places[word]
        return len(word) == self.width and self._signed(offset) in self.sizes[name]
