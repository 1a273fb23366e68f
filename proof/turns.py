# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of functions for AArch64 that process n blocks, for every n: by induction, as x86_kernels.py does it for x86-64.

    n of at most a few    Each n has runs of its own, from the entry to the return.
    all larger n          A run from the head of the loop over batches comes to the head again, having processed m blocks. Its state there
                          is the one in which a call for all but the first m blocks comes to the head. So what the rest of this call
                          does is what the rest of that call does.

The two states may differ in what a turn leaves in scratch registers and memory. All runs, also those for a few blocks that come to the
head, go on from there with unknown bytes in these places.

They may also differ in what no turn changes, as in the number of all blocks, from which code may compute behind the loop where the last
blocks lie. All runs go on from the head with what a longer call leaves in these places, which began any number of batches earlier.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

from pypcode import OpCode as O

from proof.abi import ARGUMENTS, Frame
from proof.bits import Bits, Graph, Unproved, constant, inverted, is_constant, number
from proof.loops import BLOCKS, SECRET, SMALL, Conditions, Location
from proof.machine import COMPUTE, POISON, STACK

Within = tuple[Bits, tuple]  # the stack pointer, and the calls of other functions from which none has returned yet


def number_of_blocks(g: Graph, width: int, block: int) -> Bits:
    """The word of a number of blocks, of which nothing is known but that as many fit in the address space."""
    zeros = block.bit_length() - 1
    return g.input(BLOCKS, width - zeros) + (0,) * zeros


class Earlier:
    """A call that began any number of batches earlier: how many blocks those are, and the addresses that lie so far before others.

    block: the bytes of a block.
    batch: the blocks of a batch.
    """

    BATCHES = "number of batches before"  # the input word

    def __init__(self, conditions: Conditions, block: int, batch: int):
        self.g, self.conditions, self.width = conditions.g, conditions, (width := conditions.g.places.width)
        bits = width - (block * batch - 1).bit_length()
        batches = self.g.input(self.BATCHES, bits) + (0,) * (width - bits)
        self.blocks, self.bytes = (COMPUTE[O.INT_MULT](self.g, width, batches, constant(n, width)) for n in (batch, block * batch))
        self.addresses: dict[Bits, int] = {}  # by the words of earlier addresses, those that lie so far behind them
        self.words: dict[int, Bits] = {}  # the same the other way round

    def word(self, address: int) -> Bits:
        """The word of an address that lies so far before another one. It is any word, of which `sum` knows what it must be."""
        if address not in self.words:
            self.words[address] = word = self.g.input(f"what lies before {self.g.places.text(address)}", self.width)
            self.addresses[word] = address
        return self.words[address]

    def sum(self, a: Bits, b: Bits) -> Bits | None:
        """The sum of such a word and a word that is a constant, or is the length of the batches but for a constant."""
        for word, other in ((a, b), (b, a)):
            if (address := self.addresses.get(word)) is None or len(other) != self.width:
                continue
            if is_constant(other):
                return self.word(address + self._signed(other))
            if all(self.g.inputs(x) <= {self.BATCHES} for x in other):
                nodes = self.g.cone(other)
                values = self.g.simulate(nodes, {node: 0 for node in nodes if node in self.g.names}, 1, {0: 0})
                more = constant(sum((values[x >> 1] ^ x & 1) << i for i, x in enumerate(other)), self.width)  # with no batches before
                right = self.g.add(self.bytes, more)[0]
                if self.conditions.equal([(x, y) for x, y in zip(other, right) if x != y]):
                    return self.g.places.word(address + self._signed(more))
        return None

    def _signed(self, word: Bits) -> int:
        return number(word) - (word[-1] << self.width)


class Turns:
    """All calls of a function with buffers in one relation to each other.

    block: the bytes of a block.
    batch: the blocks that a turn of the loop processes.
    most: a call for at most so many blocks has runs of its own. With one block more, a turn must come back to the head.
    enter(n, k): a machine at the entry of a call for n blocks or, if n is None, for those of an unknown number from the k-th on.
    done: how many blocks a machine has processed since its call began; -1 if there is a part of one.
    count: the place of the number of blocks among the arguments, from 0 on.
    changing: the buffers that the code may overwrite before it has processed all blocks, besides the output.
    """

    def __init__(
        self, g: Graph, name: str, block: int, batch: int, most: int, enter: Callable[[int | None, int], Frame],
        done: Callable[[Frame], int], count: int, changing: tuple[str, ...] = (),
    ):  # fmt: skip
        self.g, self.name, self.block, self.batch, self.most = g, name, block, batch, most
        self.enter, self.done, self.count, self.changing = enter, done, count, changing
        self.conditions = Conditions(g)
        self.more = self._more(most)
        self.head: int | None = None
        self.first = 0  # the blocks that a call has processed when it comes to the head
        self.within: Within = (), ()  # of the head
        self.unknown: set[Location] = set()  # the bytes that may be any at the head
        self.kept: set[Location] = set()  # those that no turn changes, and that depend on where the first turn began
        self.ends: list[Frame] = []  # the machines that have come back to the head
        self.small: dict[int, bool] = {}  # whether nodes depend on few

    @cached_property
    def earlier(self) -> Earlier:
        return Earlier(self.conditions, self.block, self.batch)

    def explore(self) -> None:
        """Finds the head, and the bytes that are unknown there. Checks that no turn reaches a block behind the last one."""
        self.head, self.within, self.first = self._found()
        while self._turn():
            pass
        for end in self.ends:
            for name, at in end.reached.items():
                block = (at - end.regions[name][1]) // self.block
                if self.conditions.possible((*end.path, self._more(block) ^ 1)):
                    raise Unproved(f"{self.name}: a turn reaches block {block + 1} where there are fewer")

    def few(self, n: int) -> Iterator[Frame]:
        """All ways of a call for n blocks, each of which has returned."""
        for m in self._entered(n).ways(self._at_head):
            for begun in [m] if m.pc is None else self._begun(m, n):
                yield from begun.ways()

    def _more(self, than: int) -> int:
        """The literal that says that there are more blocks."""
        count = self.g.words[BLOCKS]
        return self.g.carry(inverted(constant(than, len(count))), count)

    def _entered(self, n: int | None, k: int = 0, path: Bits = ()) -> Frame:
        m = self.enter(n, k)
        assumed = self.g.places.assumptions()
        m.public = frozenset((BLOCKS, Earlier.BATCHES, *(f"the address of {name}" for name in self.g.places.bases)))
        m.possible = lambda literals: self.conditions.possible((*assumed, *literals))
        m.path = path
        m.reached = {name: m.regions[name][1] - 1 for name in ("in", "out") if name in m.regions}
        return m

    def _earlier(self, m: Frame) -> Frame:
        """A call that began any number of batches before this one, at its entry. m: this call at its entry."""
        g, places = self.g, self.g.places
        places.further = self.earlier.sum
        m.set_argument(self.count, g.add(m.argument(self.count), self.earlier.blocks)[0])
        for i in range(self.count):
            at = places.address(m.argument(i))
            if at is not None and places.named(at)[0] in ("in", "out"):
                m.set_argument(i, self.earlier.word(at))
        for name in self.changing:
            if name in m.regions:
                space, at, size = m.regions[name]
                m.put(space, at, g.input(f"{name} of an earlier call", 8 * size))
        return m

    def _at_head(self, m: Frame) -> bool:
        return m.pc == self.head and self.done(m) == self.first and self._within(m) == self.within

    def _within(self, m: Frame) -> Within:
        return m.register(m.pointer), m.calls

    def _found(self) -> tuple[int, Within, int]:
        """Where the loop over batches comes back to, which is the first instruction that has run before, a batch earlier, in the same call;
        and how many blocks had been processed then."""
        first, seen = self._entered(None, path=(self.more,)), set()

        def turned(m: Frame) -> bool:
            here, done = (m.pc, self._within(m)), self.done(m)
            seen.add((*here, done))
            return done >= self.batch and (*here, done - self.batch) in seen

        found = {(m.pc, self._within(m), self.done(m) - self.batch) for m in first.ways(turned)}
        if None in (heads := [pc for pc, *_ in found]) or len(heads) != 1:
            raise Unproved(f"{self.name}: the loop over batches comes back to {heads}")
        return found.pop()

    def _arrived(self, k: int, path: Bits) -> Iterator[Frame]:
        """Calls for the blocks from the k-th on that have come to the head."""
        yield from self._at_heads(self._entered(None, k, path))

    def _at_heads(self, first: Frame) -> Iterator[Frame]:
        for m in first.ways(lambda m: self._at_head(m) or self.done(m) > self.first + self.batch):
            if not self._at_head(m):
                raise Unproved(f"{self.name}: a call does not come to the head at {self.head:#x}")
            yield m

    def _begun(self, m: Frame, n: int | None = None) -> Iterator[Frame]:
        """A call for n blocks that is at the head, as `enter` takes n, on all ways that an earlier call may have taken to come there. Where turns
        leave something else, there are unknown bytes."""
        m = m.copy()
        for space, at in self.unknown:
            m.memory[space, at] = self.g.input(f"{SECRET} in {m.text(space, at)}", 8)
            if space == m.data and m.writable.get(at) == STACK:
                m.written.add(at)
        if not self.kept:
            yield m
            return
        for earlier in self._at_heads(self._earlier(self._entered(n, 0, m.path))):
            begun = m.copy()
            begun.path = earlier.path
            begun.memory.update((place, earlier.memory[place]) for place in self.kept)
            yield begun

    def _turn(self) -> bool:
        """Runs all turns of the loop, and compares the state after each of them with that of a call for the remaining blocks.
        Returns whether there are more differences than before."""
        self.ends, found = [], (len(self.unknown), len(self.kept))
        for m in self._arrived(0, (self.more,)):
            again = lambda m: m.pc == self.head and self.done(m) > self.first and self._within(m) == self.within  # noqa: E731
            for begun in self._begun(m):
                before = begun.memory.copy()
                for end in begun.ways(again):
                    if end.pc is None:
                        raise Unproved(f"{self.name}: a turn returns where there are more than {self.most} blocks")
                    self.ends.append(end)
                    for other in self._arrived(self.done(end) - self.first, end.path):
                        self._adapt(before, end, other)
        return (len(self.unknown), len(self.kept)) != found

    def _adapt(self, before: dict[Location, Bits], end: Frame, other: Frame) -> None:
        """Notes where the state after a turn differs from that in which a call comes to the head. before: what memory held before the turn."""
        _, out, size = end.regions.get("out", ("", 0, 0))
        words: dict[Location, list[Location]] = {}

        def stays(place: Location) -> bool:
            """Whether a byte is known and is what it was before the turn."""
            byte = before.get(place, POISON)
            return byte is not POISON and byte == end.memory.get(place)

        for place in end.memory.keys() | other.memory.keys():
            space, at = place
            if space == "unique" or place in self.unknown or place in self.kept and stays(place):
                continue
            if other.memory.get(place) is POISON and stays(place):
                raise Unproved(f"{self.name}: a call for fewer blocks leaves out {end.text(*place)}")
            if end.memory.get(place) != other.memory.get(place):
                words.setdefault((space, at // end.abi.width), []).append(place)
        for (space, n), places in words.items():
            if space == end.data and out <= places[0][1] < out + self.done(end) * self.block:
                continue
            if not self._equal(*([m.memory.get(place, POISON) for place in sorted(places)] for m in (end, other)), end.path):
                region = end.readable.get(places[0])
                if space == end.data and region not in (STACK, ARGUMENTS, *self.changing):
                    raise Unproved(f"{self.name}: a turn changes {end.text(*places[0])}")
                whole = {(space, n * end.abi.width + i) for i in range(end.abi.width)} - self.unknown
                stay = all(stays(place) and other.memory.get(place, POISON) is not POISON for place in whole)
                if stay and region not in self.changing and self.kept.isdisjoint(whole):
                    self.kept |= whole
                else:
                    self.kept.difference_update(places)
                    self.unknown.update(places)

    def _equal(self, a: list[Bits | object], b: list[Bits | object], path: Bits) -> bool:
        """Whether bytes are equal on this path. Bytes of which nothing is known never are."""
        if POISON in a or POISON in b:
            return False
        pairs = [(x, y) for x, y in zip(sum(a, ()), sum(b, ()), strict=True) if x != y]
        return all(self._is_small(x) for pair in pairs for x in pair) and self.conditions.equal(pairs, path)

    def _is_small(self, literal: int) -> bool:
        """Whether a literal depends on few nodes."""
        node = literal >> 1
        if node not in self.small:
            self.small[node] = len(self._below(node)) <= SMALL
        return self.small[node]

    def _below(self, node: int) -> set[int]:
        """The nodes that a node depends on, or more than SMALL of them."""
        seen, todo = set(), [node]
        while todo and len(seen) <= SMALL:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo += [x >> 1 for x in self.g.fanin[at] or self.g.looked_up.get(at, (0, ()))[1]]
        return seen
