# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is claimed of the kernels in portable C as compilers make them for x86-64. A CPU without vector instructions runs them;
they are the last rung of every ladder.

The claims are those of x86_kernels.py.
"""

from proof import x86_kernels
from proof.batches import LAYOUTS, Batch
from proof.bits import Bits, Graph, Unproved
from proof.claims import Fact
from proof.wide import WideGraph
from proof.x86 import Machine, ways
from proof.x86_kernels import FEWER, Differences, Heads, functions

VECTORS = 16  # registers that SSE has


class Claim(x86_kernels.Claim):
    """What is claimed of crypt or bulk of one descriptor."""

    GRAPH = Graph

    def __init__(self, *arguments, opens_highest: bool | None = None, before: "Claim | None" = None):
        if arguments[1].cipher == "ARIA":  # which adds nothing
            self.GRAPH = WideGraph
        super().__init__(*arguments, before=before)
        # Compilers may end the loop over batches when fewer blocks than a batch are left. So every call with fewer blocks than two
        # batches has a run of its own.
        self.least = batch = self.lanes
        self.lanes = 2 * batch - 1
        self.most = 2 * self.lanes
        if self.kernel == "hight_c" and self.slot == "bulk":
            # It adds bytes in lanes of a word: to a sum of the low seven bits it XORs the highest ones. By compiler and direction, one
            # normal form or the other is that of the specification.
            if opens_highest is None:
                alike = lambda opens: all(Claim(*arguments, opens_highest=opens)._is_in_normal_form(n) for n in (1, batch))  # noqa: E731
                opens_highest = next(filter(alike, (True, False)), True)
            self.g.notes_carries, self.g.opens_highest = False, opens_highest

        reached = functions(self.library, self.d.function("bulk")) if self.slot == "bulk" else []
        # By variant what code is proved to make of blocks before the last round key, and the blocks: first those about which something had to
        # be decided, and then all.
        self.proved: dict[str, tuple[list[tuple[Bits, Bits]], set[tuple[Bits, Bits]]]] = before.proved if before else {}
        self.encrypted = self.proved.setdefault(self.variant.cipher, ([], set()))
        self.summaries = {at: Batch(self, at, LAYOUTS[name]) for at, _ in reached if (name := self.library.names[at]) in LAYOUTS}

    def crypted(self, text: Bits) -> Bits:
        """Where the proof of a function for batches says that it encrypts, nothing has to be known of what that is."""
        return self.g.input(f"{text} encrypted by {self.variant.cipher}", len(text)) if self.summaries else super().crypted(text)

    def _is_in_normal_form(self, n: int) -> bool:
        """Whether a call for n blocks leaves the specification's literals, so that nothing has to be decided."""
        return self.unequal(next(ways(self.enter("apart", n))), "apart", n) == ((), ())

    def enter(self, how: str, n: int | None, k: int = 0, few: bool = False, some: Bits = ()) -> Machine:
        """The specification comes first: where code adds several bytes in a word, the normal form of a byte's upper bit is then
        that of the specification's sum."""
        if not self.summaries:
            for i in range(self.most if n is None else n):
                self.crypted(self.block(i))
        m = super().enter(how, n, k, few, some)
        m.summaries = self.summaries
        return m

    def _all_few(self, fact: Fact, loops: dict[str, Heads]) -> None:
        """Where the code makes many words of the round keys first, runs for all numbers of blocks begin as one, and part where branches do."""
        if self.summaries:
            some = self.g.input(FEWER, self.lanes.bit_length())
            self._few(fact, self.lanes, loops, some)
        else:
            super()._all_few(fact, loops)

    def _begun(self, m: Machine, differences: Differences) -> Machine:
        """The upper parts of the vectors that SSE has do not become unknown, for none of its instructions changes them."""
        upper, m = [v[128:] for v in m.v[:VECTORS]], super()._begun(m, differences)
        m.v[:VECTORS] = [v[:128] + behind for v, behind in zip(m.v, upper)]
        return m

    def _adapt(self, differences: Differences, end: Machine, other: Machine, n: int) -> bool:
        """A call of the C library may leave zeros in the upper parts. They hold anything at the entry, so that this is one of the
        cases which the other call stands for."""
        if any(a[128:] != b[128:] and any(a[128:]) for a, b in zip(end.v[:VECTORS], other.v)):
            raise Unproved("a turn changes the upper part of a vector")
        end, other = end.copy(), other.copy()
        end.v[:VECTORS], other.v[:VECTORS] = ([v[:128] for v in m.v[:VECTORS]] for m in (end, other))
        return super()._adapt(differences, end, other, n)
