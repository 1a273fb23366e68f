# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many times as fast many messages in one call should be as one call for each, under a new key for each message. For each case the
goal, what was measured, and where the goal is not reached the cycles that a message takes at least, by count.

The counts are of the instructions that a call executes for a message, as gcc 12 compiles it with -O3, at the rates of Zen 4. It executes two
instructions on vectors of 512 bits a cycle, one of which may be a shuffle, a shift, a rotation or one of GFNI, and four on smaller vectors. It
stores a vector of 256 bits in a cycle and one of 512 bits in two. Six instructions of any kind begin in a cycle, where a comparison and its branch
are one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bench.measured.gateway import Row
from bench.reported.book import Book
from bench.reported.cells import ratio

JOBS = 256
SIZES = (16, 64, 256)  # bytes of a message

# By cipher and mode: with AVX-512, without it, and where another goal holds without it for one kernel. CCM has no blocks of 8 bytes.
_SERIAL = (8, 8, 4), (4, 4, 2)
_SERIAL_HIGHT = (15, 15, 7.5), (7, 7, 3.5)
GOALS: dict[tuple[str, str], tuple[tuple[float, ...], tuple[float, ...]]] = {
    ("LEA-128", "ctr"): ((8, 6, 2.5), (3, 2.5, 1.4)),
    **{("LEA-128", mode): _SERIAL for mode in ("cmac", "ccm", "eax")},
    ("HIGHT", "ctr"): ((14, 14, 6), (5, 6, 2)),
    **{("HIGHT", mode): _SERIAL_HIGHT for mode in ("cmac", "eax")},
    ("ARIA-128", "ctr"): ((6, 5, 3), (3, 2, 1.5)),
    **{("ARIA-128", mode): _SERIAL for mode in ("cmac", "ccm", "eax")},
}
_WITH_GFNI = {("HIGHT", "ctr", "hight_x86_avx2_gfni", 256): 3.0}


class Cycles(NamedTuple):
    """What a kernel takes in a lane: for a key, for a block of several that do not wait for each other, and for one that is encrypted alone in its lane."""

    key: float
    block: float
    alone: float | None = None


KERNELS = {
    # A key is 96 stores for 16 lanes. A block has 20.3 instructions, or 19 where no counter is made.
    "lea_x86_avx512": Cycles(12.0, 10.1, 9.5),
    # A key is 136 stores for 64 lanes. A block has 7.3 instructions. Alone it has 7, and its 56 shuffles for 64 lanes run beside nothing else.
    "hight_x86_avx512_gfni": Cycles(4.2, 3.6, 3.9),
    # A key has 23.7 instructions. 64 blocks are one chain: 970 instructions, and 184 shuffles that run beside nothing else.
    "aria_x86_avx512_gfni": Cycles(11.8, 10.4),
    # A key is 136 stores for 32 lanes, and a block 5.4 stores.
    "hight_x86_avx2_gfni": Cycles(4.2, 5.4),
    # A block has 34.5 instructions.
    "hight_x86_avx2": Cycles(4.2, 8.6),
}

# Everything else: the caller fills a job in, the call checks it, puts it into its place and makes counters and last blocks, XORs the text, and
# overwrites round keys and all else. The instructions of a message, divided by six, and 62 to 90 bytes, which are overwritten 32 a cycle.
HANDLING = {
    ("LEA-128", "ctr"): (17.3, 22.3, 25.4),
    ("LEA-128", "cmac"): (34.8, 39.7, None),
    ("LEA-128", "ccm"): (54.2, 64.1, None),
    ("LEA-128", "eax"): (91.9, 101.8, None),
    ("HIGHT", "ctr"): (16.1, 17.0, 25.3),
    ("HIGHT", "cmac"): (37.2, 46.3, None),
    ("HIGHT", "eax"): (90.8, 100.9, None),
    ("ARIA-128", "ctr"): (None, 18.1, 28.1),
}


def blocks(cipher: str, mode: str, size: int) -> tuple[int, int]:
    """The blocks of a message that do not wait for each other, and those that are encrypted one after another. EAX makes three CMACs,
    each of which begins with a block of its own; the nonce has 12 bytes, and there is no associated data."""
    text, nonce = (size // 8, 2) if cipher == "HIGHT" else (size // 16, 1)
    return {"ctr": (text, 0), "cmac": (0, 1 + text), "ccm": (1 + text, 1 + text), "eax": (text, 1 + (1 + nonce) + 1 + (1 + text))}[mode]


def least(cipher: str, mode: str, kernel: str, size: int) -> float | None:
    """The cycles of a message, by count; None where nothing was counted."""
    of, handling = KERNELS.get(kernel), HANDLING.get((cipher, mode), (None,) * len(SIZES))[SIZES.index(size)]
    several, alone = blocks(cipher, mode, size)
    if of is None or handling is None or (alone and of.alone is None):
        return None
    return of.key + several * of.block + alone * (of.alone or 0) + handling


def goal(cipher: str, mode: str, kernel: str, size: int) -> float:
    wide, narrow = GOALS[cipher, mode]
    return _WITH_GFNI.get((cipher, mode, kernel, size), (wide if "avx512" in kernel else narrow)[SIZES.index(size)])


def cell(row: Row) -> str:
    """The ratio and its goal; where the goal is not reached also what the count allows."""
    wanted = goal(row.cipher, row.mode, row.kernel, row.bytes)
    shown = f"{ratio(row.times)} of {wanted:g}"
    if row.times >= wanted:
        return shown
    counted = least(row.cipher, row.mode, row.kernel, row.bytes)
    if counted is None or row.ghz is None:
        return f"{shown}, missed"
    most = row.one_by_one_ns * row.ghz / counted
    allowed = "at most" if most < wanted else "the count allows"
    return f"{shown}, missed: {counted:.0f} of {row.ns * row.ghz:.0f} cycles by count, {allowed} {ratio(most)}"


def lines(book: Book) -> Iterator[list[str]]:
    """A line for each cipher, mode and kernel that has a goal and was measured."""
    of = {(row.cipher, row.mode, row.note, row.kernel, row.bytes): row for row in book.gateway if row.jobs == JOBS}
    for cipher, mode, note, kernel in dict.fromkeys(key[:4] for key in of if key[:2] in GOALS):
        yield [cipher, mode, f"{note}, `{kernel}`", *(cell(row) if (row := of.get((cipher, mode, note, kernel, size))) else "" for size in SIZES)]
