# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m proof [--target avr] [--kernel lea_avr]: proves what claims.py says of every assembly kernel.

Writes what is proved to results/proofs.csv if nothing was left out. What was proved before, of the same code by the
same text, is taken from build/proved. Exit code 1 if a claim is false, cannot be proved or belies a card.
"""

import argparse
import csv
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import msgspec
from rich.console import Console

from bench.declared.model import ROOT, VARIANTS, BenchError
from bench.made import build
from bench.reported.compare import Proof
from proof.abi import ABI
from proof.claims import SLOTS, Claim, Fact, breaches, claims, kernels, simulator, theorem

RESULTS = ROOT / "results/proofs.csv"
WORKERS = 2
FIRST = [name for names in SLOTS.values() for name in names]  # operations, the quick ones
Named = tuple[str, str, str, str]  # target, cipher, kernel, operation


def every(targets: list[str] | None = None, wanted: str = "") -> dict[Named, str]:
    """The claims that there are, with the digest of the code that each is about."""
    found = {}
    for target, card, kernel in kernels(targets):
        if wanted in ("", kernel):
            with simulator(target, card, kernel) as machine:
                for c in claims(machine, target, card, kernel):
                    found[target.name, c.cipher, kernel, c.operation] = c.digest()
    return found


def prove(name: Named) -> tuple[Fact, list[str], float]:
    """The claim of this name: what was found, what is wrong with it, seconds."""
    target, cipher, kernel, operation = name
    started = time.process_time()
    for found, card, k in kernels([target]):
        if k == kernel:
            with simulator(found, card, kernel) as machine:
                for claim in claims(machine, found, card, kernel):
                    if (claim.cipher, claim.operation) == (cipher, operation):
                        fact = _cached(claim)
                        return fact, breaches(claim, fact), time.process_time() - started
    raise BenchError(f"no claim {name}")


def _cached(claim: Claim) -> Fact:
    modules = ("abi", "bits", "claims", "engines", "forms", "machine")
    text = [*(ROOT / f"proof/{m}.py" for m in modules), *sorted((ROOT / "spec").glob("*.py"))]
    text += [ROOT / "bench/simulated/drive.py", ROOT / "requirements.txt"]
    counter = claim.card.kernels[claim.kernel].counter
    name = repr((claim.target.name, claim.cipher, claim.kernel, claim.operation, counter))
    path = build.BUILD / "proved" / f"{claim.kernel}-{build.digest(name, claim.digest(), *text)}.json"
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Fact)
    fact = claim.prove()
    if not fact.faults and not fact.found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(fact))
    return fact


def theorems() -> list[tuple[str, int]]:
    return [(cipher, v.key) for cipher, variants in VARIANTS.items() for v in variants]


def line(name: Named, fact: Fact) -> Proof:
    found = (fact.tables, fact.reads, fact.writes)
    regions = (" ".join(r.removeprefix("haechi_").replace(" ", "_") for r in names) for names in found)
    return Proof(*name, fact.instructions, fact.lookups, *regions, fact.stack, fact.digest)


def main() -> int:
    parser = argparse.ArgumentParser("python -m proof", description="Machine code against the specification.")
    parser.add_argument("--target", choices=list(ABI))
    parser.add_argument("--kernel", default="")
    asked = parser.parse_args()
    console, started, wrong, proofs = Console(highlight=False), time.time(), 0, []
    todo = every([asked.target] if asked.target else None, asked.kernel)
    order = sorted(todo, key=lambda name: (FIRST.index(name[3]), name[1] >= "LEA"))
    with ProcessPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(prove, name): name for name in order}
        stated = {pool.submit(theorem, *t): t for t in ([] if asked.kernel else theorems())}
        for job in as_completed([*stated, *jobs]):
            if job in stated:
                found = job.result()
                console.print("specification", *stated[job], "differs" if found else "holds")
                wrong += found is not None
                continue
            name = jobs[job]
            fact, breached, seconds = job.result()
            wrong += bool(breached)
            proofs += [] if breached else [line(name, fact)]
            console.print(*name, f"{seconds:.1f} s", "; ".join(breached) or "proved", soft_wrap=True)
    if not asked.target and not asked.kernel:
        with RESULTS.open("w", newline="") as file:
            lines = sorted(map(msgspec.structs.astuple, proofs))
            csv.writer(file, lineterminator="\n").writerows([Proof.__struct_fields__, *lines])
    console.print(f"{len(proofs)} claims proved, {wrong} not, {time.time() - started:.0f} s")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
