# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cases in which a user meets this library at its weakest: short messages, disks, kernels without vectors. For each case a goal,
what was measured, and where the goal is not reached the count that bounds it.

The figures of hosts are those of the processor that was measured last by length. ARIA stands beside the fastest library of all
measurements there, with and without libgcrypt among them.
"""

from collections.abc import Callable
from typing import NamedTuple

from bench.measured.lengths import Length
from bench.reported.book import Book
from bench.reported.cells import length, number, ratio

DERIVED = "cmac"  # the mode in which this library derives the subkey of CMAC for each tag; no other library does, so there is no ratio to one
UNALIKE = 1.25  # so much may a message cost over a longer one


NAMES = {"cmac-kept": "with a kept subkey"}  # of modes, where they are not those of the files in capitals


class Found(NamedTuple):
    """What was measured: in words, beside what, and the figure that the goal is about."""

    measured: str
    beside: str
    figure: float


class Case(NamedTuple):
    title: str
    find: Callable[[Book], Found | None]  # None where nothing was measured
    goal: float
    at_most: bool = False  # the figure may be at most the goal; else at least
    bound: str = ""

    def reached(self, found: Found) -> bool:
        return found.figure <= self.goal if self.at_most else found.figure >= self.goal

    def line(self, book: Book) -> list[str]:
        """The cells of the table; none where nothing was measured."""
        found = self.find(book)
        if found is None:
            return []
        shown = ("at most " if self.at_most else "at least ") + f"{self.goal:.2f} ×"
        return [self.title, found.measured, found.beside, ratio(found.figure), shown, "reached" if self.reached(found) else self.bound]


# ---- What was measured.


def _notes(book: Book) -> list[str]:
    """Of the processor that was measured last by length: without and with libgcrypt."""
    last = book.lengths[0].note.partition(",")[0] if book.lengths else ""
    return list(dict.fromkeys(row.note for row in book.lengths if row.note.partition(",")[0] == last))


def _row(book: Book, note: str, cipher: str, mode: str, size: int, peer: bool) -> Length | None:
    wanted = (note, cipher, mode, size, peer)
    return next((row for row in book.lengths if (row.note, row.cipher, row.mode, row.bytes, row.peer) == wanted), None)


def _ours(book: Book, cipher: str, mode: str, size: int) -> Length | None:
    """Our row where libgcrypt was not measured."""
    return next((_row(book, note, cipher, mode, size, False) for note in _notes(book)[:1]), None)


def _said(row: Length) -> str:
    return f"{row.cycles:.0f} cycles" if row.bytes < 1024 else f"{number(row.cpb, 2)} cycles per byte"


def peer(cipher: str, mode: str, size: int) -> Callable[[Book], Found | None]:
    """The fastest other library's cycles divided by ours."""

    def find(book: Book) -> Found | None:
        pairs = [[_row(book, note, cipher, mode, size, is_peer) for is_peer in (False, True)] for note in _notes(book)]
        both = [(theirs.cpb / ours.cpb, ours, theirs) for ours, theirs in pairs if ours and theirs]
        least, ours, theirs = min(both, key=lambda each: each[0], default=(0, None, None))
        return Found(_said(ours), f"{theirs.side}: {_said(theirs)}", least) if ours else None

    return find


def other_mode(cipher: str, mode: str, other: str, size: int) -> Callable[[Book], Found | None]:
    """The cycles of a mode divided by those of another."""

    def find(book: Book) -> Found | None:
        one, two = (_ours(book, cipher, each, size) for each in (mode, other))
        return Found(_said(one), f"{NAMES.get(other, other.upper())}: {_said(two)}", one.cpb / two.cpb) if one and two else None

    return find


def longer(wanted: Callable[[Length], bool]) -> Callable[[Book], Found | None]:
    """The most that a message costs over a longer one in the same mode: over all messages that are wanted."""

    def find(book: Book) -> Found | None:
        curves: dict[tuple[str, str, str], list[Length]] = {}
        for note in _notes(book)[:1]:
            for row in (row for row in book.lengths if row.note == note and not row.peer):
                curves.setdefault((row.cipher, row.side, row.mode), []).append(row)
        pairs = []
        for curve in curves.values():
            least = None  # of the messages that are longer
            for row in sorted(curve, key=lambda row: -row.bytes):
                if least and wanted(row):
                    pairs.append((row.cycles / least.cycles, row, least))
                least = row if least is None or row.cycles < least.cycles else least
        if not pairs:
            return None
        most, row, least = max(pairs, key=lambda pair: pair[0])
        return Found(f"{row.cipher}, {row.mode.upper()} of {length(row.bytes)}: {_said(row)}", f"{length(least.bytes)}: {_said(least)}", most)

    return find


def neon(book: Book) -> Found | None:
    """Counter mode divided by ECB: the kernel and core where that is most."""
    of = {(f.cipher, f.kernel, f.core, f.operation): f for f in book.figures["neon"] if f.blocks > 1}
    both = [(f.cpb / of[*key[:3], "enc"].cpb, f, of[*key[:3], "enc"]) for key, f in of.items() if key[3] == "ctr" and (*key[:3], "enc") in of]
    most, ours, ecb = max(both, key=lambda each: each[0], default=(0, None, None))
    if ours is None:
        return None
    return Found(f"`{ours.kernel}` on {ours.core}: {number(ours.cpb, 2)} cycles per byte, estimated", f"ECB: {number(ecb.cpb, 2)} cycles per byte", most)


def chain(cipher: str, mode: str, block: int, cycles: int) -> Callable[[Book], Found | None]:
    """Cycles of a block of a long message, divided by those of its chain of operations."""

    def find(book: Book) -> Found | None:
        ours = _ours(book, cipher, mode, 16384)
        if ours is None:
            return None
        each = ours.cpb * block
        return Found(f"{each:.0f} cycles a block", f"its chain: {cycles} cycles", each / cycles)

    return find


# ---- The cases.

_ROUNDS_OF_ARIA = "a batch of 64 blocks has 1080 instructions on vectors of 512 bits and its tweaks have 64, two of which Zen 4 executes in a cycle"
_ZEROS = (
    "the last block of the message needs the subkey, which is the encrypted block of zeros, so that 16 bytes take two encryptions of LEA or ARIA one "
    "after the other instead of one, and three of HIGHT instead of two"
)
_CHAIN_OF_HIGHT = (
    "from one byte to the next lie 4.5 cycles a round, 144 a block. A block also waits for whitening, for the XOR with the text and for the "
    "moves of its bytes to vectors and back"
)

CASES = [
    Case("XTS, ARIA-128, 4 KiB", peer("ARIA-128", "xts", 4096), 1.8, bound=f"0.56 cycles per byte: {_ROUNDS_OF_ARIA}. A batch is one chain, and "
         "nothing runs beside it"),
    Case("XTS, ARIA-128, 512 bytes", peer("ARIA-128", "xts", 512), 1.5, bound=f"572 cycles, and half of the lanes are empty: {_ROUNDS_OF_ARIA}. Before them "
         "comes the block of the tweak, with 12 rounds in a chain, and after them 192 stores overwrite 6 KB of stack"),
    Case("XTS, LEA-128, 4 KiB", peer("LEA-128", "xts", 4096), 1.3),
    Case("XTS, LEA-128, 64 bytes", peer("LEA-128", "xts", 64), 1.3, bound="296 cycles, none beside another: 72 for the chain of the tweak's block, three "
         "operations in each of 24 rounds; 144 for the 288 instructions of a group's rounds, two a cycle; and 80 stores that overwrite 2.5 KB of stack. "
         "To them come loads, transposition, tweaks and checks"),
    Case("GCM with a new key, LEA-128, 16 bytes", peer("LEA-128", "gcm-new-key", 16), 1.3),
    Case("GCM with a new key, ARIA-128, 16 bytes", peer("ARIA-128", "gcm-new-key", 16), 1.3),
    Case("CMAC under a kept subkey, HIGHT, 16 bytes", peer("HIGHT", "cmac-kept", 16), 1.2),
    Case("CMAC under a kept subkey, ARIA-128, 16 bytes", peer("ARIA-128", "cmac-kept", 16), 1.2),
    Case("CMAC under a kept subkey, LEA-128, 16 bytes", peer("LEA-128", "cmac-kept", 16), 1.5),
    *(
        Case(f"CMAC, subkey derived for each tag, {cipher}, 16 bytes", other_mode(cipher, DERIVED, "cmac-kept", 16), goal, at_most=True,
             bound=f"{goal:.1f} ×: {_ZEROS}")
        for cipher, goal in (("HIGHT", 1.5), ("ARIA-128", 2.0), ("LEA-128", 2.0))
    ),
    *(
        Case(f"CFB decryption, {cipher}, 16 KiB", other_mode(cipher, "cfb-dec", "ecb", 16384), 1.15, at_most=True)
        for cipher in ("LEA-128", "HIGHT", "ARIA-128")
    ),
    *(
        Case(f"Counter mode, ARIA-128, {length(n)}, over a longer message",
             longer(lambda row, n=n: (row.cipher, row.mode, row.bytes) == ("ARIA-128", "ctr", n)), UNALIKE, at_most=True)
        for n in (512, 1024)
    ),
    Case("Any message over a longer one, all modes but XTS", longer(lambda row: row.mode != "xts"), UNALIKE, at_most=True),
    Case("Any message over a longer one, XTS", longer(lambda row: row.mode == "xts"), UNALIKE, at_most=True, bound="1.5 ×: with ciphertext stealing three "
         "blocks wait for one another, those of the tweak, the last whole block and the block after the stealing; without it two"),
    Case("Counter mode in C, ARIA-128, 16 bytes", peer("ARIA-128", "ctr-c", 16), 1.0, bound="960 cycles: a block has 240 operations a byte without a table, "
         "four a cycle. The other library looks S-boxes up in tables, whose addresses depend on secrets"),
    Case("Counter mode in C, ARIA-128, 64 bytes", peer("ARIA-128", "ctr-c", 64), 1.0, bound="1520 cycles: four blocks have 95 operations a byte, four a cycle"),
    Case("Counter mode in C, ARIA-128, 256 bytes", peer("ARIA-128", "ctr-c", 256), 1.0),
    Case("Counter mode in C, LEA-128, 16 KiB", peer("LEA-128", "ctr-c", 16384), 1.0),
    Case("Counter mode beside ECB, NEON", neon, 1.05, at_most=True),
    *(
        Case(f"{mode.upper()}, HIGHT, 16 KiB, beside its chain", chain("HIGHT", mode, 8, 144), UNALIKE, at_most=True, bound=_CHAIN_OF_HIGHT)
        for mode in ("cbc-enc", "ofb", "cmac", "eax")
    ),
]  # fmt: skip
