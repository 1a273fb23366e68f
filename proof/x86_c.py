# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is claimed of the kernels in portable C as compilers make them for x86-64. A CPU without vector instructions runs them;
they are the last rung of every ladder.

The claims are those of x86_kernels.py. The bulk slot of aria_c, which processes 64, 16, 4 or 1 blocks at once, has no claims.
"""

import gc
from collections.abc import Iterator
from functools import cache

from bench.declared.model import ROOT, VARIANTS, load_cards
from bench.made import build
from bench.measured.host import shipped
from proof import x86_kernels
from proof.bits import Unproved
from proof.claims import Fact
from proof.x86 import Library, Machine
from proof.x86_kernels import COMPILERS, OPERATIONS, TARGET, Differences, Expansion, descriptor, digest

KERNELS = ("lea_c", "hight_c", "aria_c")
LEVELS = ("-O2", "-O3")  # CMake compiles with -O3
SLOTS = "expand", "crypt", "bulk"
UNPROVED = ("aria_c", "enc_bulk"), ("aria_c", "dec_bulk"), ("hight_c", "dec_bulk")  # operations about which nothing is claimed
VECTORS = 16  # registers that SSE has
Named = tuple[str, str, str, str, str]  # target, chip, cipher, kernel, operation


class Claim(x86_kernels.Claim):
    """What is claimed of crypt or bulk of one descriptor."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # Compilers may end the loop over batches when fewer blocks than a batch are left. So every call with fewer blocks than two
        # batches has a run of its own.
        self.lanes = 2 * self.lanes - 1
        if self.kernel == "hight_c" and self.slot == "bulk":
            # It adds bytes in lanes of a word: to a sum of the low seven bits it XORs the highest ones, in any order.
            self.g.notes_carries, self.g.opens_highest = False, True

    def enter(self, how: str, n: int | None, k: int = 0) -> Machine:
        """The specification comes first: where code adds several bytes in a word, the normal form of a byte's upper bit is then
        that of the specification's sum."""
        for i in range(2 * self.lanes if n is None else n):
            self.crypted(self.block(i))
        return super().enter(how, n, k)

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


# ---- Libraries, and where claims come from.


@cache
def library(compiler: str, level: str) -> Library:
    """The library as this compiler makes it, with the flags of CMake but for the level of optimization."""
    flags = [level if flag.startswith("-O") else flag for flag in shipped("gcc")]
    objects = build.compile_all(compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    out = build.BUILD / f"host/haechi-{compiler}{level}.so"
    return Library(build.link(compiler, objects, ["-shared", "-Wl,-z,relro,-z,now"], out))


def chip(compiler: str, level: str) -> str:
    """What stands in the column `chip` of results/proofs.csv."""
    return f"{build.version(compiler)} {level}"


def libraries() -> Iterator[tuple[Library, str]]:
    """Each library, and how it is made."""
    for compiler in COMPILERS:
        for level in LEVELS:
            yield library(compiler, level), chip(compiler, level)


def made_as(name: str) -> Library:
    return next(library(c, level) for c in COMPILERS for level in LEVELS if chip(c, level) == name)


def claims(about: Library, made: str, wanted: str = "") -> Iterator[tuple[Named, type, tuple]]:
    """Every claim about a library: its name, as in results/proofs.csv, its class and the arguments of that. made: how the library
    was made."""
    for card in load_cards():
        for kernel in (k for k in card.kernels if k in KERNELS and wanted in ("", k)):
            for variant in VARIANTS[card.cipher]:
                for inverse in (False, True):
                    for slot in (slot for slot in SLOTS if (kernel, OPERATIONS[slot][inverse]) not in UNPROVED):
                        name = TARGET, made, variant.cipher, kernel, OPERATIONS[slot][inverse]
                        yield name, Expansion if slot == "expand" else Claim, (about, card, kernel, variant, inverse, slot)


def prove(name: Named) -> Fact:
    """The proof of a claim of this name."""
    about = made_as(name[1])
    made, arguments = next((made, arguments) for found, made, arguments in claims(about, name[1], name[3]) if found == name)
    gc.disable()  # a graph has millions of tuples and no cycles
    fact = made(*arguments).prove()
    gc.enable()
    return fact


def every(wanted: str = "") -> dict[Named, str]:
    """All claims that `make prove` takes, with the digest of the code that each is about."""
    found = {}
    for about, made in libraries() if wanted in ("", *KERNELS) else ():
        for name, _, (_, card, kernel, variant, inverse, slot) in claims(about, made, wanted):
            found[name] = digest(about, descriptor(about, card, kernel, variant, inverse).function(slot))
    return found
