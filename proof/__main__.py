# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m proof [--target avr] [--kernel lea_avr]: proves what claims.py says of every kernel of a microcontroller or,
if the target is one of HOSTS, what hosts.py says of its kernels. With --target rtl it proves what rtl.py says of every core of rtl/, or of
the one that --kernel names, and writes results/rtl-proofs.csv.

What is proved goes to results/proofs.csv. A run for one target or kernel replaces its rows there, and a run for all
replaces those of all microcontrollers. With --library PATH it proves kernels of a library that you have built, and
writes nothing. A claim that was proved before is not proved
again while nothing that its proof read has changed. Exit code 1 if a claim is false, cannot be proved or contradicts a
card, or if a descriptor is not as its card says.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import msgspec
from rich.console import Console

from bench.declared.model import ROOT, VARIANTS, BenchError
from bench.made import build
from bench.measured.measurement import read_rows, write_rows
from bench.declared.cores import CORES
from bench.reported.compare import Proof
from bench.reported.cores import PROVED as IN_HARDWARE, Proved
from proof import arm, ghash_neon, hosts, parts, rtl, x86_claims
from proof.armv7 import ARMV7
from proof.bits import Unproved
from proof.claims import OPERATIONS, PROVED, Fact, breaches, claims, kernels, proved, simulator, theorem
from proof.neon import NEON

RESULTS = ROOT / "results/proofs.csv"
WORKERS = 2
# Targets that are proved only if they are asked for by name.
HOSTS = {
    NEON.name: lambda wanted="": hosts.every(NEON, wanted) | ghash_neon.every(wanted),
    ARMV7.name: lambda wanted="": hosts.every(ARMV7, wanted),
    x86_claims.TARGET: x86_claims.every,
}  # fmt: skip


def every(targets: list[str] | None = None, wanted: str = "") -> dict[x86_claims.Named, str]:
    """All claims, with the digest of the code that each is about."""
    if targets == [x86_claims.TARGET]:
        return x86_claims.every(wanted)
    found = {}
    for target, card, kernel in kernels(targets):
        for chip in parts.chips(target, card) if wanted in ("", kernel) else []:
            with simulator(target, card, kernel, chip=chip) as machine:
                for c in claims(machine, target, card, kernel):
                    found[target.name, chip, c.cipher, kernel, c.operation] = c.digest()
    return found


@cache
def program(target: str, chip: str, kernel: str):
    """Target, card and linked program of a kernel for a chip. The card has this kernel alone, for it is part of the cache's key."""
    found, card, _ = next(entry for entry in kernels([target]) if entry[2] == kernel)
    return found, msgspec.structs.replace(card, kernels={kernel: card.kernels[kernel]}), build.elf(found, chip, card, kernel)


def alike(todo: dict[x86_claims.Named, str]) -> dict[x86_claims.Named, list[x86_claims.Named]]:
    """The claims that have to be proved, each with those that say the same, itself the first of them."""
    found: dict[tuple[str, ...], list[x86_claims.Named]] = {}
    for name, code in todo.items():
        found.setdefault(x86_claims.statement(name, code), []).append(name)
    return {same[0]: same for same in found.values()}


def groups(names: Iterable[x86_claims.Named]) -> list[list[x86_claims.Named]]:
    """The claims that one job proves, the largest jobs first."""
    found: dict[tuple[str, ...], list[x86_claims.Named]] = {}
    for name in names:
        found.setdefault(x86_claims.group(name), []).append(name)
    return sorted(found.values(), key=len, reverse=True)


def apart(function: Callable, *arguments):
    """Calls a function in a process of its own: all of its memory is free when that ends, which takes long otherwise."""
    with ProcessPoolExecutor(1, initializer=gc.disable) as process:
        return process.submit(function, *arguments).result()


def prove(names: list[x86_claims.Named], path: Path | None = None) -> list[tuple[Fact, list[str]]]:
    """What the proofs of these claims found out, and what is wrong. path: of the library, if it is none that we compile."""
    if names[0][0] in arm.ARM:
        return [apart(prove_one, name) for name in names]
    if names[0][0] != x86_claims.TARGET:
        return list(map(prove_one, names))
    stated = [x86_claims.CARDS[kernel].kernels[kernel] if kernel in x86_claims.CARDS else None for *_, kernel, _ in names]
    facts = apart(x86_claims.prove, names, path)
    return [(fact, breaches(card, fact) if card else fact.faults) for card, fact in zip(stated, facts)]


def prove_one(name: x86_claims.Named) -> tuple[Fact, list[str]]:
    """The same of a claim about a kernel for a microcontroller or for Arm."""
    target, chip, cipher, kernel, operation = name
    if kernel in ghash_neon.BATCHES:
        compiled = next(c for c in NEON.compiled if c.name == chip)
        fact = ghash_neon.proved(ghash_neon.library(compiled), kernel, operation)
        return fact, fact.faults
    if target in arm.ARM:
        card, library = hosts.program(arm.ARM[target], chip, kernel)
        fact = arm.proved(target, chip, card, kernel, cipher, operation, library)
        return fact, breaches(card.kernels[kernel], fact)
    found, card, elf = program(target, chip, kernel)
    fact = proved(found, chip, card, kernel, cipher, operation, elf)
    return fact, breaches(card.kernels[kernel], fact)


def theorems() -> list[tuple[str, int]]:
    return [(cipher, v.key) for cipher, variants in VARIANTS.items() for v in variants]


def line(name: x86_claims.Named, fact: Fact) -> Proof:
    """The row of results/proofs.csv."""
    found = (fact.tables, fact.reads, fact.writes)
    regions = (" ".join(r.removeprefix("haechi_").replace(" ", "_") for r in names) for names in found)
    return Proof(*name, fact.instructions, fact.lookups, *regions, fact.stack, fact.digest, fact.decided)


def asked_for(row: Proof, target: str | None, kernel: str) -> bool:
    """Whether a run for this target and kernel, where nothing stands for all, proves what the row says."""
    return (row.target == target if target else row.target not in HOSTS) and kernel in ("", row.kernel)


def own_library(path: Path, kernel: str) -> int:
    """Proves the kernels and GHASH of a library that somebody has built. Writes no rows. Returns the exit code."""
    if path.suffix == ".a":
        with_all = ["-shared", "-Wl,-z,relro,-z,now,-Bsymbolic", "-Wl,--whole-archive", path, "-Wl,--no-whole-archive"]
        path = build.link("gcc", [], with_all, build.BUILD / "host/proved.so")
    same = alike(x86_claims.every(kernel, path))
    wrong = 0
    with ProcessPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(prove, names, path): names for names in groups(same)}
        for job in as_completed(jobs):
            for first, (fact, breached) in zip(jobs[job], job.result(), strict=True):
                for name in same[first]:
                    print(*name[2:], fact.digest, "; ".join(breached) or "proved", flush=True)
                    wrong += bool(breached)
    return min(wrong, 1)


def cores(wanted: str) -> int:
    """Proves the cores of rtl/ and writes each result to results/rtl-proofs.csv at once. Returns the exit code."""
    started = time.time()
    todo = [(name, dec) for name, core in CORES.items() if wanted in ("", name) for dec in rtl.ways(core)]
    proofs = {(row.core, row.operation): row for row in read_rows(IN_HARDWARE, Proved) if row.core in CORES}
    place = lambda row: ([*CORES].index(row.core), row.operation == "dec")  # noqa: E731
    wrong = 0
    with ProcessPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(rtl.proved, *way): way for way in todo}
        for job in as_completed(jobs):
            name, dec = jobs[job]
            way = name, "dec" if dec else "enc"
            try:
                proofs[way] = Proved(name, CORES[name].cipher, way[1], job.result())
                said = "proved"
            except Unproved as fault:
                proofs.pop(way, None)
                wrong += 1
                said = str(fault)
            print(*way, said, flush=True)
            write_rows(IN_HARDWARE, Proved, sorted(proofs.values(), key=place))
    print(f"{len(todo) - wrong} of {len(todo)} directions of cores proved, {time.time() - started:.0f} s")
    return int(wrong or not todo)


def main() -> int:
    parser = argparse.ArgumentParser("python -m proof", description="Machine code against the specification.")
    parser.add_argument("--target", choices=[*PROVED, *HOSTS, "rtl"])
    parser.add_argument("--kernel", default="")
    parser.add_argument("--library", type=Path, help="libhaechi.so or libhaechi.a for x86-64, whose kernels and GHASH are proved")
    asked = parser.parse_args()
    if asked.library:
        return own_library(asked.library.resolve(), asked.kernel)
    if asked.target == "rtl":
        return cores(asked.kernel)
    console, started, wrong, proofs = Console(highlight=False), time.time(), 0, []
    try:
        if asked.target in HOSTS:
            todo = HOSTS[asked.target](asked.kernel)
        else:
            todo = every([asked.target] if asked.target else None, asked.kernel)
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    order = sorted(todo, key=lambda name: (name[4] in OPERATIONS and OPERATIONS.index(name[4]), name[2] >= "LEA"))
    same = alike({name: todo[name] for name in order})
    with ProcessPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(prove, names): names for names in groups(same)}
        stated = {pool.submit(theorem, *t): t for t in ([] if asked.kernel or asked.target in HOSTS else theorems())}
        for job in as_completed([*stated, *jobs]):
            if job in stated:
                found = job.result()
                console.print("specification", *stated[job], "differs" if found else "holds")
                wrong += found is not None
                continue
            for first, (fact, breached) in zip(jobs[job], job.result(), strict=True):
                for name in same[first]:
                    wrong += bool(breached)
                    proofs += [] if breached else [line(name, fact)]
                    console.print(*name, f"{fact.seconds:.1f} s", "; ".join(breached) or "proved", soft_wrap=True)
    others = [p for p in read_rows(RESULTS, Proof) if not asked_for(p, asked.target, asked.kernel)]
    write_rows(RESULTS, Proof, sorted([*others, *proofs], key=msgspec.structs.astuple))
    console.print(f"{len(proofs)} claims proved, {wrong} not, {time.time() - started:.0f} s")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
