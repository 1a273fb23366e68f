# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of functions for AArch64 that process n blocks, for every n: by induction, as x86_kernels.py does it for x86-64.

    n of at most a few    Each n has runs of its own, from the entry to the return.
    all larger n          A run from the head of the loop over batches comes to the head again, having processed m blocks. Its state there
                          is the one in which a call for all but the first m blocks comes to the head. So what the rest of this call
                          does is what the rest of that call does.

The two states may differ in what a turn leaves in scratch registers and memory. All runs, also those for a few blocks that come to the
head, go on from there with unknown bytes in these places.
"""

from collections.abc import Callable, Iterator

from proof.abi import Frame
from proof.bits import Bits, Graph, Unproved, constant, inverted
from proof.loops import BLOCKS, SECRET, SMALL, Conditions, Location
from proof.machine import POISON, STACK

WORD = 8  # bytes that are compared at once


def number_of_blocks(g: Graph, width: int, block: int) -> Bits:
    """The word of a number of blocks, of which nothing is known but that as many fit in the address space."""
    zeros = block.bit_length() - 1
    return g.input(BLOCKS, width - zeros) + (0,) * zeros


class Turns:
    """All calls of a function with buffers in one relation to each other.

    block: the bytes of a block.
    batch: the blocks that a turn of the loop processes.
    most: a call for at most so many blocks has runs of its own. With one block more, a turn must come back to the head.
    enter(n, k): a machine at the entry of a call for n blocks or, if n is None, for those of an unknown number from the k-th on.
    done: how many blocks a machine has processed since its call began; -1 if there is a part of one.
    changing: the buffers that the code may overwrite before it has processed all blocks, besides the output.
    """

    def __init__(
        self, g: Graph, name: str, block: int, batch: int, most: int, enter: Callable[[int | None, int], Frame],
        done: Callable[[Frame], int], changing: tuple[str, ...] = (),
    ):  # fmt: skip
        self.g, self.name, self.block, self.batch, self.most = g, name, block, batch, most
        self.enter, self.done, self.changing = enter, done, changing
        self.conditions = Conditions(g)
        self.more = self._more(most)
        self.head: int | None = None
        self.first = 0  # the blocks that a call has processed when it comes to the head
        self.unknown: set[Location] = set()  # the bytes that may be any at the head
        self.ends: list[Frame] = []  # the machines that have come back to the head
        self.small: dict[int, bool] = {}  # whether nodes depend on few

    def explore(self) -> None:
        """Finds the head, and the bytes that are unknown there. Checks that no turn reaches a block behind the last one."""
        self.head, self.first = self._found()
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
            yield from [m] if m.pc is None else self._begun(m).ways()

    def _more(self, than: int) -> int:
        """The literal that says that there are more blocks."""
        count = self.g.words[BLOCKS]
        return self.g.carry(inverted(constant(than, len(count))), count)

    def _entered(self, n: int | None, k: int = 0, path: Bits = ()) -> Frame:
        m = self.enter(n, k)
        assumed = self.g.places.assumptions()
        m.public = frozenset((BLOCKS, *(f"the address of {name}" for name in self.g.places.bases)))
        m.possible = lambda literals: self.conditions.possible((*assumed, *literals))
        m.path = path
        m.reached = {name: m.regions[name][1] - 1 for name in ("in", "out") if name in m.regions}
        return m

    def _at_head(self, m: Frame) -> bool:
        return m.pc == self.head and self.done(m) == self.first

    def _found(self) -> tuple[int, int]:
        """Where the loop over batches comes back to, which is the first instruction that has run before, a batch earlier, with the
        same stack; and how many blocks had been processed then. What other functions return to is a part of the stack."""
        first, seen = self._entered(None, path=(self.more,)), set()
        own = next(range(at, at + size) for at, size, _ in first.library.functions if first.pc in range(at, at + size))

        def turned(m: Frame) -> bool:
            done, stack = self.done(m), (m.register(m.pointer), () if m.pc in own else m.register(m.abi.link))
            seen.add((m.pc, stack, done))
            return (m.pc, stack, done - self.batch) in seen

        found = {(m.pc, self.done(m) - self.batch) for m in first.ways(turned)}
        if None in (heads := [pc for pc, _ in found]) or len(heads) != 1:
            raise Unproved(f"{self.name}: the loop over batches comes back to {heads}")
        return found.pop()

    def _arrived(self, k: int, path: Bits) -> Iterator[Frame]:
        """Calls for the blocks from the k-th on that have come to the head."""
        for m in self._entered(None, k, path).ways(lambda m: self._at_head(m) or self.done(m) > self.first + self.batch):
            if not self._at_head(m):
                raise Unproved(f"{self.name}: a call does not come to the head at {self.head:#x}")
            yield m

    def _begun(self, m: Frame) -> Frame:
        """A machine at the head, with unknown bytes where turns may leave others."""
        m = m.copy()
        for space, at in self.unknown:
            m.memory[space, at] = self.g.input(f"{SECRET} in {m.text(space, at)}", 8)
            if space == m.data and m.writable.get(at) == STACK:
                m.written.add(at)
        return m

    def _turn(self) -> bool:
        """Runs all turns of the loop, and compares the state after each of them with that of a call for the remaining blocks.
        Returns whether there are more differences than before."""
        self.ends, before = [], len(self.unknown)
        for m in self._arrived(0, (self.more,)):
            pointer = m.register(m.pointer)
            again = lambda m: m.pc == self.head and self.done(m) > self.first and m.register(m.pointer) == pointer  # noqa: E731, B023
            for end in self._begun(m).ways(again):
                if end.pc is None:
                    raise Unproved(f"{self.name}: a turn returns where there are more than {self.most} blocks")
                self.ends.append(end)
                for other in self._arrived(self.done(end) - self.first, end.path):
                    self._adapt(end, other)
        return len(self.unknown) > before

    def _adapt(self, end: Frame, other: Frame) -> None:
        """Notes where a state differs from that in which a call comes to the head."""
        _, out, size = end.regions.get("out", ("", 0, 0))
        words: dict[Location, list[Location]] = {}
        for space, at in end.memory.keys() | other.memory.keys():
            if space != "unique" and (space, at) not in self.unknown and end.memory.get((space, at)) != other.memory.get((space, at)):
                words.setdefault((space, at // WORD), []).append((space, at))
        for (space, _), places in words.items():
            if space == end.data and out <= places[0][1] < out + self.done(end) * self.block:
                continue
            if not self._equal(*([m.memory.get(place, POISON) for place in sorted(places)] for m in (end, other)), end.path):
                region = end.readable.get(places[0])
                if space == end.data and region != STACK and region not in self.changing:
                    raise Unproved(f"{self.name}: a turn changes {end.text(*places[0])}")
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
