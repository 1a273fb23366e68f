# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which test guards which claim of a kernel's card: `python test/claims.py` writes docs/claims.md.

A test that guards claims carries the mark `guards(claim, ..., sample="what make test takes of it")`.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/claims.md"

# What a card claims by naming a kernel.
UNSAID = {
    "result": "The kernel computes its cipher, in every slot that it has and for every key size and direction.",
    "convention": "It keeps the calling convention, reads nothing but its arguments, tables and stack, and writes nothing "
    "but its output and stack.",
    "interrupts": "An interrupt at any instruction changes neither its result nor its cycles.",
    "figures": "The figures of results/ are those of the code in this tree.",
}
# What the fields of a kernel's entry claim.
FIELDS = {
    "constant_time": "`addresses`: neither branches nor addresses depend on secrets. `cycles`: addresses do, in tables in "
    "memory that takes the same time everywhere; cycles do not.",
    "counter": "What the time of counter mode tells of the counter block.",
    "wipes": "Whether anything that depends on key or data stays below the stack pointer.",
    "round_keys": "The form in which round keys are stored.",
    "slots": "Which of the slots `bulk` and `ctr` the kernel has.",
    "flash_keys": "Whether it has functions that encrypt with round keys in flash.",
    "fixed": "The header that makes counter mode with a key and a nonce known at build time.",
    "ctr_inside": "`HAECHI_CTR_INSIDE` builds the table of counter mode while the first block is enciphered.",
    "lane_masks": "Which ANDs keep two lanes of a word apart: random inputs hardly ever need them.",
    "stack": "The bytes of stack that each operation takes at most.",
    "lanes": "The blocks that `bulk` takes at once.",
    "answers": "The published rows that the kernel is compared with.",
    "survivors": "The instructions that no test and no proof needs, each with the reason why it is there.",
}
# Fields that say where a kernel runs, or that are prose.
NO_CLAIM = {"summary", "because", "architecture", "on"}


@dataclass(frozen=True)
class Guard:
    """A test with the claims that it guards."""

    path: Path
    name: str
    claims: tuple[str, ...]
    sample: str
    slow: bool  # only make test-all runs it


@cache
def guards() -> list[Guard]:
    """All such tests, by file and line."""
    found = []
    for path in sorted((ROOT / "test").glob("*/test_*.py")):
        for test in ast.parse(path.read_text()).body:
            if isinstance(test, ast.FunctionDef):
                found += _guards_of(path, test)
    return found


def _guards_of(path: Path, test: ast.FunctionDef) -> list[Guard]:
    marks = [ast.unparse(mark.func if isinstance(mark, ast.Call) else mark) for mark in test.decorator_list]
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.guards":
            claims = tuple(ast.literal_eval(word) for word in mark.args)
            sample = "".join(ast.literal_eval(word.value) for word in mark.keywords if word.arg == "sample")
            return [Guard(path, test.name, claims, sample, "pytest.mark.slow" in marks)]
    return []


def page() -> str:
    """The text of docs/claims.md, from the marks."""
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->",
        "<!-- Written by `python test/claims.py`. -->",
        "# Which test guards which claim",
        "",
        "After reading this page you can say, for each claim that a kernel's card makes, which tests fail when the claim is",
        "wrong. Where `make test` runs a part of a test only, the page says which part; `make test-all` runs all of it. The",
        "tests of the tests, which plant faults and demand that they are found, stand beside each test in its file.",
    ]
    for title, claims in (("What every card claims", UNSAID), ("What the fields of a card claim", FIELDS)):
        lines += ["", f"## {title}", "", "| Claim | Meaning | Test | What `make test` runs of it |", "|---|---|---|---|"]
        for claim, meaning in claims.items():
            for guard in [g for g in guards() if claim in g.claims]:
                link = f"[{guard.name}](../{guard.path.relative_to(ROOT)})"
                lines.append(f"| {claim} | {meaning} | {link} | {guard.sample or ('nothing' if guard.slow else 'all')} |")
                claim, meaning = "", ""
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
