# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests of proofs share: the kernels in assembly that have claims, a graph whose proofs are harder, and changed libraries."""

from copy import copy

from proof.bits import Graph
from proof.claims import Claim, claims, kernels
from proof.x86 import Library, _read_by_objdump, decoded

KERNELS = {entry[2]: entry for entry in kernels() if entry[1].source(entry[2]).suffix == ".S"}


class Plain(Graph):
    """Without normal forms: what is equal is for the engine to find."""

    def xor(self, a, b):
        return self.and_(self.and_(a, b) ^ 1, self.and_(a ^ 1, b ^ 1) ^ 1)

    def majority(self, a, b, c):
        return self.or_(self.and_(a, b), self.and_(self.or_(a, b), c))

    def sum(self, a, b):
        return self.add(a, b)[0]

    def carry(self, a, b):
        return self._carry(a, b)

    def either(self, a, b):
        return self.or_(a, b)

    def look_up(self, table, leaves):
        return self.function(table, leaves)


def claim_of(machine, kernel: str, operation: str) -> Claim:
    target, card, _ = KERNELS[kernel]
    return next(c for c in claims(machine, target, card, kernel) if c.operation == operation)


def changed(library: Library, places: dict[int, bytes]) -> Library:
    """A library for x86-64 with other bytes in these places."""
    about = copy(library)
    about.data, about.decoded = dict(about.data), {}
    for at, code in places.items():
        same = _read_by_objdump(about.path).get(at, (0, None))[0] == len(code)
        about.data.update(enumerate(code, at))
        for i in about._decoder.disasm(code, at, 1) if same else ():  # else the proof has to notice that the length is another one
            about.decoded[at] = decoded(i)
    return about
