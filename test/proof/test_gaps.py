# SPDX-License-Identifier: Apache-2.0 OR MIT
"""proof/gaps.toml: each slot that a kernel has on a host has either a proof or a reason why it has none."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from bench.declared.model import ROOT, VARIANTS, Gap, load_cards, load_gaps
from bench.made import build
from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from proof import ghash_neon, hosts, x86_claims
from proof.__main__ import RESULTS
from proof.arm import ARM
from proof.armv7 import ARMV7
from proof.claims import ON_HOSTS, PROVED, SLOTS
from proof.neon import NEON

pytestmark = pytest.mark.full  # too slow for make test-quick

GHASH = re.compile(r"haechi_ghash_(?!init$)(\w+?)(_init)?")  # of which haechi_ghash and haechi_ghash_init choose one
TARGETS = "x86", *ARM
Slot = tuple[str, str, str, str, int]  # chip, cipher, kernel, slot, address of the function


def slots(library: hosts.Library, chip: str, kernels: dict[str, str]) -> Iterator[tuple[Slot, str]]:
    """All slots that the descriptors of these kernels fill, each with its operation."""
    for kernel, cipher in kernels.items():
        for variant in VARIANTS[cipher]:
            for inverse in (False, True):
                d = library.descriptor(f"{kernel}{variant.suffix}{'_inv' if inverse else ''}")
                for slot, operations in ON_HOSTS.items():
                    if function := getattr(d, slot):
                        yield (chip, variant.cipher, kernel, slot, function), operations[inverse]


def ghash(symbols: set[str], chip: str) -> Iterator[tuple[Slot, str]]:
    for found in filter(None, map(GHASH.fullmatch, sorted(symbols))):
        operation = "powers" if found[2] else "ghash"
        yield (chip, "GHASH", f"ghash_{found[1]}", operation, 0), operation


def x86() -> Iterator[tuple[Slot, str]]:
    for compiler in x86_claims.COMPILERS:
        for level in ("", *x86_claims.LEVELS):
            about, chip = x86_claims.library(compiler, level), x86_claims.chip(compiler, level)
            kernels = {k: card.cipher for k, card in x86_claims.CARDS.items() if level in x86_claims.levels(k)}
            yield from slots(hosts.Library(about.path, 8), chip, kernels)
            yield from ghash(set(about.symbols) if level else set(), chip)


def arm(host: hosts.Host) -> Iterator[tuple[Slot, str]]:
    architecture, more = {NEON.name: ("aarch64", ghash_neon.FLAGS), ARMV7.name: ("armv7", ())}[host.name]
    for compiled in host.compiled:
        for card in load_cards():
            if "src" in card.path.parts and card.machine in ("neon", "any"):
                kernels = {k: card.cipher for k, stated in card.kernels.items() if stated.architecture in ("", architecture)}
                yield from slots(hosts.Library(hosts.link(host, compiled, card), 0), compiled.name, kernels)
        flags = [*compiled.flags, *more]
        sources = sorted((ROOT / "src/mode").glob("ghash*.c"))
        yield from ghash(set().union(*(hosts._undefined(build.compile(compiled.compiler, path, flags))[1] for path in sources)), compiled.name)


@cache
def there(target: str) -> dict[Slot, set[str]]:
    """The operations of each slot. Those of two directions are the same function if its address is the same."""
    found = defaultdict(set)
    for slot, operation in x86() if target == "x86" else arm(ARM[target]):
        found[slot].add(operation)
    return found


def made(chip: str) -> str:
    """How code was compiled, without the version of the compiler: this one need not be that of the rows."""
    return re.sub(r"(-\d+)? \d[\d.]*", "", chip)


@cache
def proved(target: str) -> set[tuple[str, str, str, str]]:
    return {(made(p.chip), p.cipher, p.kernel, p.operation) for p in read_rows(RESULTS, Proof) if p.target == target}


def wrong(target: str, gaps: list[Gap]) -> list[str]:
    """What is wrong with a list of gaps."""
    found = []
    named = {(gap.why, kernel, operation) for gap in gaps if gap.target == target for kernel in gap.kernels for operation in gap.operations}
    for (chip, cipher, kernel, slot, _), operations in there(target).items():
        mine = [gap for gap in gaps if any(gap.holds(target, chip, kernel, operation) for operation in operations)]
        named -= {(gap.why, kernel, operation) for gap in mine for operation in operations}
        rows = any((made(chip), cipher, kernel, operation) in proved(target) for operation in operations)
        if len(mine) + rows != 1:
            found.append(f"{chip} {cipher} {kernel} {slot}: {'a' if rows else 'no'} proof and {len(mine)} reasons")
    return found + [f"{kernel} {operation}: is not there" for _, kernel, operation in sorted(named)]


@pytest.mark.guards("result", sample="that each slot has a proof or a reason")
@pytest.mark.parametrize("target", TARGETS)
def test_each_slot_has_a_proof_or_a_reason(target):
    assert {*TARGETS} <= {gap.target for gap in load_gaps()}
    assert wrong(target, load_gaps()) == []


def test_gaps_of_microcontrollers_are_slots_without_a_proof():
    """proof/claims.py makes a claim of each slot that a card names, if the list does not name it."""
    cards = {kernel: card.kernels[kernel] for card in load_cards() for kernel in card.kernels}
    of = {operation: slot for slot, operations in SLOTS.items() for operation in operations if operation}
    rows = {(p.target, p.kernel): set() for p in read_rows(RESULTS, Proof)}
    for p in read_rows(RESULTS, Proof):
        rows[p.target, p.kernel].add(p.operation)
    found = [gap for gap in load_gaps() if gap.target in PROVED]
    assert found
    for gap in found:
        for kernel in gap.kernels:
            assert {of[operation] for operation in gap.operations} <= {"expand", "crypt", *cards[kernel].slots}
            assert not rows[gap.target, kernel] & set(gap.operations)


@pytest.mark.guards("result")
def test_wrong_lists_of_gaps_are_refused():
    first, *others = [gap for gap in load_gaps() if gap.target == "x86"]
    kernel, operation = first.kernels[0], first.operations[0]
    assert any("no proof and 0 reasons" in said for said in wrong("x86", others))
    assert any("no proof and 2 reasons" in said for said in wrong("x86", [first, first, *others]))
    of = lambda kernel, operation: Gap("x86", [kernel], [operation], "a reason")  # noqa: E731
    assert any("a proof and 1 reasons" in said for said in wrong("x86", [of("lea_x86_avx2", "ctr"), first, *others]))
    assert wrong("x86", [of("lea_c", "ctr"), first, *others]) == ["lea_c ctr: is not there"]
    assert first.holds("x86", "clang-14 14.0.6", kernel, operation)
    assert not replace(first, compilers=["gcc"]).holds("x86", "clang-14 14.0.6", kernel, operation)
