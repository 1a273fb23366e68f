# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ARIA's diffusion layer on words of two bytes: checks the program in aria_msp430.h, or searches for one.

    python diffusion.py             checks DIFFUSION_1 to 3, UPRIGHT and TURNED against the matrix
    python diffusion.py SEED        searches for ever

With bytes 2k and 2k + 1 in word k, every block of two by two of the matrix is 0, 1, a swap of the bytes, or 1 + swap.
So the layer is a matrix of 8 by 8 over the ring of these four: a row is an int, bit j for word j as it is and bit j + 8
for word j with its bytes swapped. A program is a list of (a, b, s): x[a] ^= x[b], whose bytes are swapped if s.

The search is that of ../avr/diffusion.py: a greedy start, then neighbours that commute change places and a window is
replaced by another program for the same map. What counts is XORs and swaps: `oriented` finds the fewest swaps that let
all XORs be of whole registers, from any order of bytes to any; the substitution layers before and after do not care.
30 is found within a minute; a translation to C found nothing less in eight."""

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


def swapped(row: int) -> int:
    return (row << 8 | row >> 8) & 0xFFFF


# An even row of the matrix says what the odd one of the same word is, if the layer is what the text above says.
ROWS = [sum(1 << (j // 2 + 8 * (j % 2)) for j in MATRIX[i]) for i in range(0, 16, 2)]
assert ROWS == [swapped(sum(1 << (j // 2 + 8 * (j % 2)) for j in MATRIX[i])) for i in range(1, 16, 2)]


weight = int.bit_count


def run(steps: list) -> list:
    x = [1 << i for i in range(8)]
    for a, b, s in steps:
        x[a] ^= swapped(x[b]) if s else x[b]
    return x


def transposed(rows: list) -> list:
    return [sum((row >> j & 1) << i | (row >> j + 8 & 1) << i + 8 for i, row in enumerate(rows)) for j in range(8)]


def reduce(rows: list, limit: int, random: Random) -> tuple[list, list] | None:
    """Steps and places (register, swapped) for the map that the rows are, if at most `limit` steps do."""
    first, last = [], []  # steps from column additions, and those from row additions with rows for registers
    noise = random.choice((0.2, 1.5))
    while any(row.bit_count() > 1 for row in rows):
        if len(first) + len(last) >= limit:
            return None
        both = list(rows), transposed(rows)
        gain, t, a, b, s = max(
            (weight(m[a]) - weight(m[a] ^ (swapped(m[b]) if s else m[b])) + random.random() * noise, t, a, b, s)
            for t, m in enumerate(both)
            for a in range(8)
            if m[a].bit_count() > 1
            for b in range(8)
            for s in (0, 1)
            if a != b
        )
        if gain < 0:
            return None
        both[t][a] ^= swapped(both[t][b]) if s else both[t][b]
        rows = transposed(both[1]) if t else both[0]
        if t:
            first.append((b, a, s))
        else:
            last.append((a, b, s))
    place = [((row.bit_length() - 1) % 8, (row.bit_length() - 1) // 8) for row in rows]
    if len({p for p, _ in place}) < 8:
        return None
    return first + [(place[a][0], place[b][0], s ^ place[a][1] ^ place[b][1]) for a, b, s in reversed(last)], place


def oriented(steps: list) -> list:
    """The steps as (a, b), with (a, a) for a swap of the bytes of a, as few as possible."""
    reached = {o: (0, None) for o in range(256)}  # words whose bytes are swapped: steps, the last of them
    for a, b, s in steps:
        after = {}
        for o, (cost, path) in reached.items():
            if (o >> a ^ o >> b) & 1 == s:
                ways = [(o, cost + 1, (path, (a, b)))]
            else:
                ways = [(o ^ 1 << c, cost + 2, ((path, (c, c)), (a, b))) for c in (a, b)]
            for way in ways:
                if way[0] not in after or way[1] < after[way[0]][0]:
                    after[way[0]] = way[1:]
        reached = after
    _, path = min(reached.values(), key=lambda found: found[0])
    found = []
    while path:
        path, step = path
        found.append(step)
    return found[::-1]


def search(seed: int) -> None:
    random, shortest = Random(seed), 99
    while True:
        starts = [found for _ in range(50) if (found := reduce(list(ROWS), 44, random))]
        steps, place = min(starts, key=lambda found: len(oriented(found[0])))
        idle = 0
        while idle < 300_000:
            idle += 1
            for _ in range(12):
                i = random.randrange(len(steps) - 1)
                (a, b, _), (c, d, _) = steps[i : i + 2]
                if a != d and b != c:
                    steps[i : i + 2] = steps[i + 1], steps[i]
            size = random.randrange(3, 13)
            at = random.randrange(len(steps) - size + 1)
            if not (found := reduce(run(steps[at : at + size]), size + (random.random() < 0.25), random)):
                continue
            other, moved = found
            after = [(moved[a][0], moved[b][0], s ^ moved[a][1] ^ moved[b][1]) for a, b, s in steps[at + size :]]
            longer = len(oriented(steps[:at] + other + after)) - len(oriented(steps))
            if longer <= (random.random() < 0.0005):
                idle = idle if longer >= 0 else 0
                steps = steps[:at] + other + after
                place = [(moved[p][0], s ^ moved[p][1]) for p, s in place]
            if len(program := oriented(steps)) < shortest:
                shortest = len(program)
                assert [swapped(run(steps)[p]) if s else run(steps)[p] for p, s in place] == ROWS
                print(shortest, "steps:", ",  ".join(f"r{a + 4}, r{b + 4}" for a, b in program), flush=True)


def check() -> int:
    text = (Path(__file__).parent / "aria_msp430.h").read_text().replace("\\\n", "")

    def numbers(name: str) -> list:
        flat = [int(n) for n in re.findall(r"\d+", re.search(rf"#define {name} ([^/\n]*)", text).group(1))]
        return list(zip(flat[::2], flat[1::2], strict=True))

    program = [step for n in (1, 2, 3) for step in numbers(f"DIFFUSION_{n}")]
    x = {r: swapped(1 << k) if s else 1 << k for k, (r, s) in enumerate(numbers("UPRIGHT"))}
    for a, b in program:
        x[a] = swapped(x[a]) if a == b else x[a] ^ x[b]
    assert [swapped(x[r]) if s else x[r] for r, s in numbers("TURNED")] == ROWS, "not the diffusion layer"
    return len(program)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        search(int(sys.argv[1]))
    print(check(), "steps")
