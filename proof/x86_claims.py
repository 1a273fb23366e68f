# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which claims there are about libraries for x86-64, and their proofs.

Every function that a descriptor points to has a claim, as x86_kernels.py and x86_c.py state it, and so have the functions of GHASH
(ghash.py). `make prove TARGET=x86` takes all of them but for those that gaps.toml names.
"""

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.declared.model import ROOT, VARIANTS, compiler_of, load_cards
from bench.made import build
from bench.measured.host import shipped
from proof import ghash, x86_c, x86_kernels
from proof.claims import ON_HOSTS, Fact, gap
from proof.x86 import Library
from proof.x86_kernels import SLOTS, descriptor, digest

TARGET = "x86"
COMPILERS = ("gcc", "clang")
LEVELS = ("-O2", "-O3")  # CMake compiles with -O3
CARDS = {
    kernel: card for card in load_cards()
    if card.machine in ("x86_64", "any") and "src" in card.path.parts for kernel in card.kernels
}  # fmt: skip
VECTOR = tuple(kernel for kernel, card in CARDS.items() if card.machine == "x86_64")
PORTABLE = tuple(kernel for kernel, card in CARDS.items() if card.machine == "any")  # a CPU without vector instructions runs them
GHASH = tuple(f"ghash_{kind}" for kind in ghash.KINDS)
Named = tuple[str, str, str, str, str]  # target, chip, cipher, kernel, operation


@cache
def library(compiler: str, level: str = "", backwards: bool = False) -> Library:
    """The library as this compiler makes it, with the flags of CMake.
    level: of optimization; one other than CMake's is for the portable sources alone, because `levels` names no kernels of the others.
    backwards: with the objects in the opposite order, so that all functions and constants lie elsewhere."""
    usual = shipped("gcc")
    if level in usual:
        return library(compiler, "", backwards)
    sources = sorted(ROOT.glob("src/**/*.c"), reverse=backwards)
    of_vectors = {CARDS[kernel].path.parent for kernel in VECTOR}  # folders
    flags = {True: usual, False: [level if level and flag.startswith("-O") else flag for flag in usual]}
    objects: dict[Path, Path] = {}
    for vectors in flags:
        some = [s for s in sources if (s.parent in of_vectors) == vectors]
        objects |= zip(some, build.compile_all(compiler, some, flags[vectors]))
    out = build.BUILD / f"host/haechi-{compiler}{level}.so"
    return Library(build.link(compiler, [objects[s] for s in sources], ["-shared", "-Wl,-z,relro,-z,now"], out))


def chip(compiler: str, level: str = "") -> str:
    """What stands in the column `chip` of results/proofs.csv."""
    return f"{build.version(compiler)} {level}".rstrip()


@dataclass(frozen=True)
class Stated:
    """A claim that is known by its name. Claims hold graphs, which are made for the proof alone."""

    name: Named
    made: type
    arguments: tuple  # of which the library is the first one
    function: int  # the address

    def digest(self) -> str:
        return digest(self.arguments[0], self.function)

    def claim(self, before: x86_kernels.Claim | None = None):
        """before: a claim that `group` puts together with this one."""
        return self.made(*self.arguments, **({"before": before} if before else {}))

    def prove(self) -> Fact:
        return next(prove_all([self]))


def prove_all(stated: list[Stated]) -> Iterator[Fact]:
    """The proofs of claims that `group` puts together, one after another. Each begins with what those before it have computed."""
    collects = gc.isenabled()
    gc.disable()  # a graph has millions of tuples, none of which refers to others in circles
    try:
        before = None
        for one in stated:
            before = one.claim(before)
            yield before.prove()
    finally:
        if collects:
            gc.enable()


def group(name: Named) -> tuple[str, ...]:
    """What claims have in common that one graph serves: all about a way to process blocks with a kernel, whatever the cipher's variant
    and the library. The code differs little from one to the next, and what the specification says is the same but for more rounds.
    Claims of `hight_c` take sums for the same in ways that depend on the compiler (x86_c.py). Key schedules have little in common, but are
    so short that one process proves all of a kernel."""
    target, made, cipher, kernel, operation = name
    if target == TARGET and operation in ON_HOSTS["expand"]:
        return target, kernel, "expand"
    ways = [ON_HOSTS[slot][inverse] for slot in ("crypt", *x86_kernels.HOWS) for inverse in (False, True)]
    if target != TARGET or kernel == "hight_c" or operation not in ways:
        return name
    compiler = compiler_of(made) if kernel in PORTABLE else ""  # their graphs grow to several gigabytes for each compiler
    return target, kernel, _direction(cipher, operation), compiler


def of_cipher(about: Library, made: str, kernel: str) -> Iterator[Stated]:
    """The claims about all functions that the descriptors of a kernel name. made: how the library was made."""
    card, ordinary = CARDS[kernel], x86_c.Claim if kernel in PORTABLE else x86_kernels.Claim
    for variant in VARIANTS[card.cipher]:
        for slot in SLOTS:
            for inverse in (False, True):
                if function := descriptor(about, card, kernel, variant, inverse).function(slot):
                    yield Stated(
                        (TARGET, made, variant.cipher, kernel, ON_HOSTS[slot][inverse]),
                        x86_kernels.Expansion if slot == "expand" else ordinary,
                        (about, card, kernel, variant, inverse, slot), function,
                    )  # fmt: skip


def of_ghash(about: Library, made: str, kernel: str) -> Iterator[Stated]:
    """The claims about an implementation of GHASH."""
    kind = kernel.removeprefix("ghash_")
    counts = ghash.COUNTS.get((kind, compiler_of(made)), ())
    for slot, operation, claim, more in (("init", "powers", ghash.Powers, ()), ("ghash", "ghash", ghash.Claim, (counts,))):
        yield Stated((TARGET, made, "GHASH", kernel, operation), claim, (about, kind, *more), ghash.Kind(about, kind).function(slot))


def claims(about: Library, made: str, kernel: str) -> Iterator[Stated]:
    """The claims about a kernel in a library, those that gaps.toml names among them."""
    return (of_ghash if kernel in GHASH else of_cipher)(about, made, kernel)


def levels(kernel: str) -> tuple[str, ...]:
    """The levels at which a kernel is compiled. Those with vector instructions are proved as CMake compiles them."""
    return ("",) if kernel in VECTOR else LEVELS


def every(wanted: str = "", path: Path | None = None) -> dict[Named, str]:
    """All claims that `make prove TARGET=x86` takes, with the digest of the code that each is about.
    path: of a library that somebody has built, if the claims are about that one."""
    return {
        stated.name: stated.digest()
        for kernel in (*VECTOR, *PORTABLE, *GHASH) if wanted in ("", kernel)
        for made, about in _libraries(kernel, path)
        for stated in claims(about, made, kernel) if not gap(*stated.name)
    }  # fmt: skip


def _libraries(kernel: str, path: Path | None) -> list[tuple[str, Library]]:
    """The libraries in which a kernel is proved, each with how it was made, for which the name of a built one stands."""
    if path:
        return [(path.name, _opened(path))]
    return [(chip(compiler, level), library(compiler, level)) for compiler in COMPILERS for level in levels(kernel)]


@cache
def _opened(path: Path) -> Library:
    return Library(path)


def statement(name: Named, code: str) -> tuple[str, ...]:
    """What a claim says, so that claims that say the same are proved once. code: its digest, which is the same where another compiler or
    level makes the same instructions. ARIA decrypts as it encrypts, by other round keys, which a claim takes for unknown ones: one
    function is in the slots of both directions."""
    target, made, cipher, kernel, operation = name
    if target != TARGET:
        return name
    compiler = compiler_of(made) if kernel in GHASH else ""  # of which a claim lists numbers of blocks by compiler
    return target, cipher, kernel, _direction(cipher, operation), code, compiler


def _direction(cipher: str, operation: str) -> str:
    return operation.replace("dec", "enc") if cipher.startswith("ARIA") else operation


def prove(names: list[Named], path: Path | None = None) -> list[Fact]:
    """The proofs of claims that `group` puts together. path: of the library, if it is none that we compile."""
    return list(prove_all([_find(name, path) for name in names]))


def _find(name: Named, path: Path | None) -> Stated:
    _, made, _, kernel, _ = name
    return next(stated for stated in claims(dict(_libraries(kernel, path))[made], made, kernel) if stated.name == name)
