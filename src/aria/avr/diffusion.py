# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ARIA's diffusion layer as XORs in place: checks the program in aria_avr.h, or searches for one.

    python diffusion.py             checks DIFFUSION and TURNED against the matrix
    python diffusion.py SEED        searches for ever

A program is a list of steps (a, b): x[a] ^= x[b]; afterwards y[i] stands in x[place[i]]. A greedy start reduces the
matrix to a permutation by row and column additions that lower its weight most, ties at random. Then, for as long as
something improves: neighbours that commute change places at random, and a window of the program is replaced by
another program for the same map, found in the same way, if that is no longer. Most runs end at 48; one in about
seventy ended at 46, the one in use. Eleven minutes from there on found nothing shorter.
A translation to C makes a run in 3 seconds; this text needs hours."""

import re
import sys
from pathlib import Path
from random import Random

# RFC 5794, 2.4.3: y[i] is the sum of these x
MATRIX = [
    (3, 4, 6, 8, 9, 13, 14), (2, 5, 7, 8, 9, 12, 15), (1, 4, 6, 10, 11, 12, 15), (0, 5, 7, 10, 11, 13, 14),
    (0, 2, 5, 8, 11, 14, 15), (1, 3, 4, 9, 10, 14, 15), (0, 2, 7, 9, 10, 12, 13), (1, 3, 6, 8, 11, 12, 13),
    (0, 1, 4, 7, 10, 13, 15), (0, 1, 5, 6, 11, 12, 14), (2, 3, 5, 6, 8, 13, 15), (2, 3, 4, 7, 9, 12, 14),
    (1, 2, 6, 7, 9, 11, 12), (0, 3, 6, 7, 8, 10, 13), (0, 3, 4, 5, 9, 11, 14), (1, 2, 4, 5, 8, 10, 15),
]  # fmt: skip
ROWS = [sum(1 << j for j in row) for row in MATRIX]


def run(steps: list) -> list:
    """What each x holds after the steps: bit j for x[j]."""
    x = [1 << i for i in range(16)]
    for a, b in steps:
        x[a] ^= x[b]
    return x


def transposed(rows: list) -> list:
    return [sum((row >> j & 1) << i for i, row in enumerate(rows)) for j in range(16)]


def reduce(rows: list, limit: int, random: Random, stubborn: bool) -> tuple[list, list] | None:
    """Steps and places for the map that the rows are, if at most `limit` steps do."""
    first, last = [], []  # steps from column additions, and those from row additions with rows for registers
    while any(row.bit_count() > 1 for row in rows):
        if len(first) + len(last) >= limit:
            return None
        both = rows, transposed(rows)
        best = max(
            ((m[a].bit_count() - (m[a] ^ m[b]).bit_count()) * 8 + random.random() * (1 if stubborn else 10), t, a, b)
            for t, m in enumerate(both)
            for a in range(16)
            if m[a].bit_count() > 1
            for b in range(16)
            if a != b
        )
        gain, t, a, b = best
        if gain < 0:
            return None
        both[t][a] ^= both[t][b]
        rows = transposed(both[1]) if t else both[0]
        if t:
            first.append((b, a))
        else:
            last.append((a, b))
    place = [row.bit_length() - 1 for row in rows]
    return first + [(place[a], place[b]) for a, b in reversed(last)], place


def search(seed: int) -> None:
    random, shortest = Random(seed), 99
    while True:
        starts = [found for _ in range(50) if (found := reduce(list(ROWS), 60, random, True))]
        steps, place = min(starts, key=lambda found: len(found[0]))
        idle = 0
        while idle < 400_000:
            idle += 1
            for _ in range(20):
                i = random.randrange(len(steps) - 1)
                (a, b), (c, d) = steps[i : i + 2]
                if a != d and b != c:
                    steps[i : i + 2] = (c, d), (a, b)
            size = random.randrange(4, 18)
            at = random.randrange(len(steps) - size + 1)
            found = reduce(run(steps[at : at + size]), size, random, random.random() < 0.5)
            if found:
                other, moved = found
                idle = idle if len(other) == size else 0
                after = [(moved[a], moved[b]) for a, b in steps[at + size :]]
                steps, place = steps[:at] + other + after, [moved[p] for p in place]
            if len(steps) < shortest:
                shortest = len(steps)
                check(steps, place)
                print(shortest, "XORs:", ",  ".join(f"{a}, {b}" for a, b in steps), "| TURNED", *place, flush=True)


def check(steps: list, place: list) -> None:
    x = run(steps)
    assert [x[p] for p in place] == ROWS, "not the diffusion layer"


def numbers(name: str) -> list:
    text = (Path(__file__).parent / "aria_avr.h").read_text().replace("\\\n", "")
    return [int(n) for n in re.findall(r"\d+", re.search(rf"#define {name} (.*)", text).group(1))]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        search(int(sys.argv[1]))
    flat = numbers("DIFFUSION")
    check(list(zip(flat[::2], flat[1::2], strict=True)), numbers("TURNED"))
    print(len(flat) // 2, "XORs")
