# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The functions in which ARIA in portable C encrypts the blocks of a batch, as summaries.

A call of `bulk` for any number of blocks loads a batch, calls such a function and stores what it leaves. The function is proved once, for
all blocks of a whole batch and all round keys. Each further call of it then does at once what was proved.

Where a function treats all blocks of a batch alike, the nodes of one block's result are those of another one's, with that block's bits
instead of this one's. So one question about equality is answered for the whole batch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from proof.bits import Bits, Unproved, constant, split
from proof.x86 import ROOM, WIDTH, Machine, ways
from proof.x86_kernels import LOW, UPPER, Apart, Claim
from spec.aria import SB

ALIGNMENTS = {"x": 16, "keys": 16, "rk": 4, "out": 1, "in": 1}  # what a function may take for granted of the addresses of its arrays
EARLY = (0, 0, SB[0][0], SB[1][0]) * 4  # what the first and the last round key include of the constants of the S-boxes


@dataclass(frozen=True)
class Layout:
    """How a function takes blocks. Its arguments are named: x, an array of words that it changes, or out and in; rk, the round keys, or
    keys, what has been made of them; rounds, an int."""

    arguments: tuple[str, ...]
    blocks: int
    words: tuple[int, int]  # from one block to the next, and from one half of a block to the other
    keys: int  # bytes before those of rounds
    of_round: int  # bytes of keys for each round
    whitened: tuple[bool, bool]  # whether it expects blocks to which the first round key is added, and leaves the last one to be added


LAYOUTS = {
    "one_block": Layout(("rk", "rounds", "out", "in"), 1, (2, 1), 16, 16, (False, False)),
    "crypt4": Layout(("x", "rk", "rounds"), 4, (1, 4), 16, 16, (True, True)),
    "crypt16": Layout(("x", "keys", "rounds"), 16, (1, 16), 256, 0, (False, True)),
    "crypt64": Layout(("x", "keys", "rounds"), 64, (2, 1), -128, 128, (True, True)),
}


class Batch:
    """One of these functions. claim: the claim about bulk for which it is proved, whose graph and blocks it shares."""

    def __init__(self, claim, at: int, layout: Layout):
        self.claim, self.at, self.layout = claim, at, layout
        self.rounds = len(claim.rounds) - 1
        self.size_of_keys = layout.keys + layout.of_round * self.rounds
        self.source, self.target = ("x", "x") if "x" in layout.arguments else ("in", "out")
        self.named = "rk" if "rk" in layout.arguments else "keys"
        first, self.last = (self._added(i) for i in (0, self.rounds))
        none = (0,) * 128
        self.before, self.behind = (x if outside else none for x, outside in zip((first, self.last), layout.whitened))  # what a call adds
        self.keys: Bits = ()  # those for which the function is proved
        self.results: dict[Bits, Bits] = {}  # what calls make of blocks
        self.ends: tuple[Machine, Machine] | None = None  # the proved run, at its beginning and at its end

    def _added(self, i: int) -> Bits:
        return self._xor(sum((byte.bits for byte in self.claim.rounds[i]), ()), constant(int.from_bytes(EARLY, "little"), 128))

    def _xor(self, a: Bits, b: Bits) -> Bits:
        return self.claim.g.xors(a, b)

    def _size(self, name: str) -> int:
        """The bytes of an array."""
        return self.size_of_keys if name == self.named else 16 * self.layout.blocks

    def _places(self, block: int, at: int) -> tuple[int, int]:
        """Where the halves of a block lie in an array that begins here."""
        return tuple(at + 8 * (block * self.layout.words[0] + half * self.layout.words[1]) for half in range(2))

    def _read(self, read: Callable[[int, int], Bits], block: int, at: int) -> Bits:
        """A block of such an array."""
        return sum((read(place, 8) for place in self._places(block, at)), ())

    def _write(self, write: Callable[[int, Bits], None], block: int, at: int, word: Bits) -> None:
        for place, half in zip(self._places(block, at), split(word, 64), strict=True):
            write(place, half)

    def __call__(self, m: Machine) -> None:
        """Does with a machine that has come to the function what a call of it does. The first time it proves the function."""
        given = {name: m.given(n) for n, name in enumerate(self.layout.arguments)}
        if given["rounds"][:32] != constant(self.rounds, 32):
            raise Unproved("a function for a batch gets another number of rounds")
        words = [*((given[name], n) for name, n in ALIGNMENTS.items() if name in given), (m.sum(m.r[4], constant(8, WIDTH)), 16)]
        if any(any(word[: n.bit_length() - 1]) for word, n in words):
            raise Unproved("a function for a batch gets an array or a stack that is not aligned")
        self._check_apart(m, {name: m.address(word) for name, word in given.items() if name != "rounds"})
        keys = m.load(m.address(given[self.named]), self.size_of_keys)
        if self.ends is None:
            self.keys, self.ends = keys, self._proved(keys)
        if keys != self.keys:
            raise Unproved("a function for a batch gets other keys")
        results = []
        for i in range(self.layout.blocks):
            given_text = self._read(m.load, i, m.address(given[self.source]))
            if given_text not in self.results:
                text = self._xor(given_text, self.before)
                if text not in self.claim.blocks:  # a place in the batch that holds no block
                    results.append(self.claim.g.input("poison", 128))
                    continue
                self.results[given_text] = self._xor(self.claim.crypted(text), self.behind)
            results.append(self.results[given_text])
        self._return(m)
        for i, result in enumerate(results):
            self._write(m.store, i, m.address(given[self.target]), result)

    def _check_apart(self, m: Machine, arrays: dict[str, int]) -> None:
        """Checks that no array lies in another one or in the function's stack. Only the input may be the output."""
        stack = m.address(m.r[4]) + 8
        spans = {(stack - ROOM, stack), *((at, at + self._size(name)) for name, at in arrays.items())}
        if any(start < stop for (_, stop), (start, _) in pairwise(sorted(spans))):
            raise Unproved("a function for a batch gets arrays that overlap")

    def _return(self, m: Machine) -> None:
        """Returns from the function. Registers that its proof has not seen to stay as they are, the flags and the stack below the pointer
        are unknown then."""
        begin, end = self.ends
        m.return_from(end.deepest)
        m.flags = {}
        m.forget_below(m.address(m.r[4]))
        poison = self.claim.g.input
        m.r = [x if a == b or n == 4 else poison("poison", WIDTH) for n, (x, a, b) in enumerate(zip(m.r, begin.r, end.r))]
        m.k = [x if a == b else poison("poison", 64) for x, a, b in zip(m.k, begin.k, end.k)]
        for start, stop in (LOW, UPPER):
            m.v = [
                x if a[start:stop] == b[start:stop] else x[:start] + poison("poison", stop - start) + x[stop:]
                for x, a, b in zip(m.v, begin.v, end.v)
            ]  # fmt: skip
        m.trace += end.trace
        m.read |= end.read - {*self.layout.arguments}
        for name in end.written.keys() - {*self.layout.arguments}:
            m.written.setdefault(name, set())

    def _proved(self, keys: Bits) -> tuple[Machine, Machine]:
        """The run that proves the function for any blocks and these keys."""
        claim, g, layout = self.claim, self.claim.g, self.layout
        m = (Machine if self.source == self.target else Apart)(g, claim.library)
        for n, name in enumerate(layout.arguments):
            if name == "rounds":
                m.argument(n, constant(self.rounds, 32) + g.input("poison", WIDTH - 32))
            else:
                m.argument(n, g.places.word(m.buffer(name, range(self._size(name)), name == self.target, ALIGNMENTS[name])))
        m.put(m.base(self.named), keys)
        for i in range(layout.blocks):
            self._write(m.put, i, m.base(self.source), self._xor(claim.block(i), self.before))
        m.pc = self.at
        begin = m.copy()
        end, *others = ways(m)
        if others:
            raise Unproved("a function for a batch branches on what is unknown")
        if faults := end.faults() + ["needs that its input lies apart from its output"] * any(getattr(end, "differs", ())):
            raise Unproved(f"a function for a batch: {', '.join(faults)}")
        for i in range(layout.blocks):
            left = self._read(end.get, i, m.base(self.target))
            if not self._is_right(self._xor(left, self._xor(self.behind, self.last)), claim.block(i)):
                raise Unproved(f"a function for a batch: block {i} differs from the specification")
        return begin, end

    def _is_right(self, left: Bits, block: Bits) -> bool:
        """Whether this is what the specification makes of a block before it adds the last round key."""
        g, (decided, proved) = self.claim.g, self.claim.encrypted
        if (left, block) in proved:
            return True
        if not any(g.are_alike(word, left, dict(zip(other, block, strict=True))) for word, other in reversed(decided)):
            if g.differ(left, self._xor(Claim.crypted(self.claim, block), self.last)) is not None:
                return False
            decided.append((left, block))
        proved.add((left, block))
        return True
