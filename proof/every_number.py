# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The claims of bulk and counter mode for every number of blocks, by the segments of loops.py.

The number of blocks is a word of unknown bits. All that is assumed of it is that as many blocks fit in the address space.
A card may say that branches of counter mode depend on the last byte of the counter. The proof then treats all values
for which that byte does not wrap in one turn together, and the others one by one.
"""

from collections.abc import Iterator
from copy import deepcopy

import spec
from bench.simulated.simulator import Call
from proof.abi import Buffer, Frame
from proof.bits import Bits, Engine, Unproved, Word, constant
from proof.loops import BLOCKS, Calls, Conditions, Head, Segment

LAST_BYTE = "last byte"  # the name of the input, and what a card says where branches may depend on it


def last_bytes(most: int) -> list[range]:
    """The values of a counter's last byte that do not wrap within so many blocks, and each other value."""
    return [range(256 - most), *(range(i, i + 1) for i in range(256 - most, 256))]


class Case:
    """All calls with a last byte of the counter from one range, or with any if there is no range."""

    def __init__(self, claim, engine: Engine, graph, last: range | None, most: int):
        self.claim, self.g, self.last, self.most = claim, graph(engine), last, most
        g, size = self.g, claim.drive.d.block
        self.keys, self.form = claim.keys(g)
        self.blocks = [g.input(f"block {i}", 8 * size) for i in range(2 * most)]
        width = 8 * claim.drive.simulator.pointer
        self.count = g.input(BLOCKS, width - size.bit_length() + 1) + (0,) * (size.bit_length() - 1)
        g.words[BLOCKS] = self.count
        self.counter = g.input("counter", 8 * size)
        if last:
            self.counter = self.counter[:-8] + g.among(LAST_BYTE, last)
        self.streams: list[Bits] = []  # the key stream, or in bulk the blocks
        conditions = Conditions(g)
        public = {BLOCKS, LAST_BYTE} if last else {BLOCKS}
        self.calls = {
            how: Calls(g, how, size, conditions, public, lambda k, how=how: self.enter(how, k))
            for how in (("apart", "in place", "stream") if claim.slot == "ctr" else ("apart", "in place"))
        }

    def enter(self, how: str, k: int) -> Frame:
        """A call for the blocks from the k-th on."""
        g, size = self.g, self.claim.drive.d.block
        data = sum(self.blocks, ())
        low = self.count[: len(self.count) - size.bit_length() + 1]
        left = g.add(low, constant(-k % (1 << len(low)), len(low)))[0] + self.count[len(low) :] if k else self.count
        out = Buffer("out", len(data) // 8 if how != "in place" else data, True, done=k * size)
        into = {"apart": Buffer("in", data, done=k * size), "in place": out, "stream": 0}[how]
        rk = Buffer("rk", self.form)
        if self.claim.slot == "ctr":
            frame = self.claim.frame(g, rk, Buffer("ctr", self.plus(k), True), out, into, left)
        else:
            frame = self.claim.frame(g, rk, out, into, left)
        frame.pc = self.claim.function
        frame.reached = {name: frame.regions[name][1] - 1 for name in ("in", "out") if name in frame.regions}
        return frame

    def plus(self, k: int) -> Bits:
        return spec.counter_plus(Word(self.g, self.counter), k).bits

    def wanted(self, how: str, segment: Segment) -> tuple[Bits, Bits]:
        """What a segment leaves, and what it should leave."""
        g, frame, size = self.g, segment.frame, 8 * self.claim.drive.d.block
        space, first, _ = frame.regions["out"]
        got = frame.get(space, first, segment.done * size // 8)
        ctr = self.claim.slot == "ctr"
        wanted = ()
        for i in range(segment.done):
            if len(self.streams) == i:
                text = self.blocks[i]
                if ctr:
                    g.settle(got[i * size : (i + 1) * size])
                    text = self.plus(i)
                self.streams.append(self.claim.crypted(self.keys, Word(g, text)).bits)
            plain = ctr and how != "stream"
            wanted += tuple(map(g.xor, self.streams[i], self.blocks[i])) if plain else self.streams[i]
        if frame.pc is None and ctr:
            got, wanted = got + frame.content("ctr"), wanted + self.plus(segment.done)
        return self.calls[how].unequal(segment, got, wanted)

    def values(self, last: int, n: int) -> dict[int, int]:
        """The bits of the public inputs, for a last byte and a number of blocks."""
        found = {x >> 1: n >> i & 1 for i, x in enumerate(self.count) if x}
        return found | {x >> 1: last >> i & 1 for i, x in enumerate(self.g.words.get(LAST_BYTE, ()))}


class EveryNumber:
    """The proof of one claim."""

    def __init__(self, claim, engine: Engine, graph):
        self.claim, self.engine, self.graph = claim, engine, graph
        self.by_last_byte = claim.slot == "ctr" and claim.stated.counter == LAST_BYTE
        self.cases: list[Case] = []
        self.first: tuple[int, int] | None = None  # the instructions and look-ups of a call for one block
        self.passed: set[tuple[str, int | None]] = set()  # the heads that calls in the simulator came to
        self.explored = False

    def runs(self) -> Iterator[Iterator[tuple[Frame, Bits, Bits]]]:
        """For each case, what its segments leave and what they should leave."""
        yield self._explored()
        for case in self.cases if self.explored else []:
            yield self._segments(case)

    def _explored(self) -> Iterator:
        lanes = self.claim.stated.lanes
        most = 1 if lanes == 1 else lanes + 1  # a segment may process blocks one by one before it comes to the loop
        if not self._explore(most):
            raise Unproved(f"a turn of the loop processes more than {most} blocks")
        self._simulate()
        self.explored = True
        yield from ()

    def _explore(self, most: int) -> bool:
        """Finds all segments of all cases. Returns whether none processes more than so many blocks."""
        ranges = last_bytes(most) if self.by_last_byte else [None]
        self.cases = [Case(self.claim, self.engine, self.graph, last, most) for last in ranges]
        for how in self.cases[0].calls:
            heads: dict[int, Head] = {}
            before = None
            while before != heads:
                before = deepcopy(heads)
                for case in self.cases:
                    case.calls[how].heads = heads
                    case.calls[how].explore()
                    if any(s.done > most for s in case.calls[how].every()):
                        return False
        return True

    def _segments(self, case: Case) -> Iterator[tuple[Frame, Bits, Bits]]:
        for how, calls in case.calls.items():
            for segment in calls.every():
                calls.check(segment)
                segment.frame.one = self.first
                yield segment.frame, *case.wanted(how, segment)

    # ---- The simulator.

    def _simulate(self) -> None:
        """Runs calls in the simulator, which must execute the instructions of their segments, and checks that a call goes
        through each head, and that what each segment assumes of the number of blocks and of the last byte holds for some
        values, so that nothing is proved of a case that cannot be."""
        for case in self.cases:
            for how, calls in case.calls.items():
                for last in sorted({case.last.start, case.last.stop - 1}) if case.last else [0]:
                    for n in range(2 * case.most + 2):
                        self._one(how, last, n)
                for segment in calls.every():
                    if not calls.holds(segment, calls.conditions.witness(segment.frame.path)):
                        raise Unproved(f"{how}: no number of blocks leads from {segment.start} to {segment.frame.pc}")
        for how, calls in self.cases[0].calls.items():
            if not calls.heads.keys() <= (seen := {head for name, head in self.passed if name == how}):
                raise Unproved(f"{how}: no call was seen to come to {calls.heads.keys() - seen}")

    def _one(self, how: str, last: int, n: int) -> None:
        call = self._call(how, last, n)
        trace, lookups, head, left = [], 0, None, n
        while True:
            case = next(c for c in self.cases if c.last is None or last in c.last)
            segment = case.calls[how].taken(head, case.values(last, left))
            trace += segment.frame.trace
            lookups += len(segment.frame.lookups)
            head, left, last = segment.frame.pc, left - segment.done, (last + segment.done) % 256
            self.passed.add((how, head))
            if head is None:
                break
        if n == 1 and not self.first:
            self.first = len(trace), lookups
        self.claim.compare(call, trace, segment.frame.faults())

    def _call(self, how: str, last: int, n: int) -> Call:
        drive, size = self.claim.drive, self.claim.drive.d.block
        if self.claim.slot == "bulk":
            return drive.bulk(self.claim.rk, bytes(n * size), how == "apart", trace=True)[-1]
        first = bytes(size - 1) + bytes([last])
        if how == "stream":
            return drive.keystream(self.claim.rk, first, n, trace=True)[-1]
        return drive.ctr_slot(self.claim.rk, first, bytes(n * size), how == "apart", trace=True)[-1]
