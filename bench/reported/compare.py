# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Our figures (results/*.csv) beside the published ones (papers/*.toml): which belong together, and what the ratio is.

A card says which published row a kernel is compared with. The two have a ratio only if target, scenario and what is
counted agree; otherwise there are both numbers and the reason. Speeds are cycles per byte (of the key, for eks and
dks), sizes are bytes.
"""

from pathlib import Path

import msgspec

from bench.declared.model import Card, Paper, Software, Target
from bench.measured.host import COLUMNS, HostRow
from bench.measured.measurement import CIPHERS, read_rows

OURS = CIPHERS

# the name of our operation in papers, which do not say whether counter mode includes the XOR
_PUBLISHED = {"eks": "eks", "enc": "enc", "dec": "dec", "keystream": "ctr", "ctr": "ctr"}
_SIZES = {"eks": "eks", "enc": "enc", "dec": "dec", "ctr": "enc", "both": "sum"}  # papers give counter mode's as enc

# Fields of a software row that have a figure of ours beside them: our operation, what of it, the head of the column.
COMPARED = {
    "eks": ("eks", "cpb", "EKS, cycles per byte"), "enc": ("enc", "cpb", "ENC, cycles per byte"),
    "dec": ("dec", "cpb", "DEC, cycles per byte"), "ctr": ("ctr", "cpb", "CTR, cycles per byte"),
    "code_eks": ("eks", "code_bytes", "Code of EKS, bytes"), "code_enc": ("enc", "code_bytes", "Code of ENC, bytes"),
    "code_dec": ("dec", "code_bytes", "Code of DEC, bytes"), "code_sum": ("both", "code_bytes", "Code together, bytes"),
    "ram_eks": ("eks", "ram_bytes", "RAM of EKS, bytes"), "ram_enc": ("enc", "ram_bytes", "RAM of ENC, bytes"),
    "ram_dec": ("dec", "ram_bytes", "RAM of DEC, bytes"),
}  # fmt: skip


class Figure(msgspec.Struct, frozen=True):
    """A line of results/<target>.csv."""

    cipher: str
    kernel: str
    operation: str
    blocks: int
    cycles: float
    cpb: float
    code_bytes: int | None = None
    ram_bytes: int | None = None  # without the return address, as papers count
    ram_with_return_bytes: int | None = None
    linked_code_bytes: int | None = None  # what the linker takes in a program, with alignment and shared tables
    linked_ram_bytes: int | None = None
    compiler: str = ""
    counter: str = ""
    note: str = ""
    core: str = ""  # the core for which it is an estimate
    peer: str = ""
    ratio: float | None = None

    @property
    def peer_cpb(self) -> float | None:
        return None if self.ratio is None else self.cpb * self.ratio


class Proof(msgspec.Struct, frozen=True):
    """A line of results/proofs.csv: what the proof of one routine established for all inputs."""

    target: str
    chip: str  # for which the program was made
    cipher: str
    kernel: str
    operation: str
    instructions: int
    lookups: int  # loads from addresses that depend on secrets
    tables: str  # the tables that these reach
    reads: str
    writes: str
    stack: int
    code: str  # digest
    decided: str  # what the proof rests on: normal forms, a solver, an engine or ctr_bytes (proof/bits.py)


class Published(msgspec.Struct, frozen=True):
    """A published row, the key of its paper, and the row's figures for one operation."""

    paper: str
    row: Software

    @property
    def name(self) -> str:
        """<paper>/<id>, as in a card."""
        return f"{self.paper}/{self.row.id}"

    @property
    def short(self) -> str:
        """The name without cipher and target, for places where those are known."""
        return f"{self.paper} {self.row.id.partition(f'-{self.row.target}-')[2]}"

    def cpb(self, operation: str) -> float | None:
        """Cycles per byte of eks, enc, dec or ctr."""
        return getattr(self.row, operation, None)

    def code(self, operation: str) -> int | None:
        found = getattr(self.row, f"code_{_SIZES[operation]}", None)
        counts = "both" if operation == "both" else "enc"
        return self.row.rom if found is None and self.row.rom_holds == counts else found

    def ram(self, operation: str) -> int | None:
        found = getattr(self.row, f"ram_{_SIZES[operation]}", None)
        return self.row.ram if found is None else found


class Beside(msgspec.Struct, frozen=True):
    """One of our figures and the published one beside it, with a ratio or with the reason why there is none."""

    figure: Figure
    published: Published | None = None
    cpb: float | None = None
    code: int | None = None
    ram: int | None = None
    ratio: float | None = None  # published / ours: above 1 we are faster
    reason: str = ""


def figures(target: Target, path: Path) -> list[Figure]:
    """The figures of results/<target>.csv; none if there is no such file. On a host a measurement gives one figure for
    each peer that did the same. Of several processors the figures are those of the one that was measured last, whose rows come
    first."""
    if target.machine != "host":
        return read_rows(path, Figure)
    found, rows = [], read_rows(path, HostRow)
    last = {row.cipher: row.note for row in reversed(rows)}
    for row in (row for row in rows if row.note == last[row.cipher]):
        same = {field: getattr(row, field) for field in HostRow.__struct_fields__ if field in Figure.__struct_fields__}
        alone = Figure(**same)
        peers = [(name, getattr(row, COLUMNS[name.partition(" ")[0]])) for name in row.peers.split(", ") if name]
        found += [msgspec.structs.replace(alone, peer=name, ratio=ratio) for name, ratio in peers] or [alone]
    return found


def published(papers: dict[str, Paper], target: str) -> list[Published]:
    """Every software row about a target."""
    return [Published(key, row) for key, paper in papers.items() for row in paper.form.software if row.target == target]


def beside(figure: Figure, target: str, cards: list[Card], rows: list[Published]) -> list[Beside]:
    """A figure beside each published row that its kernel's card names; once without a row if the card names none."""
    operation = "both" if figure.operation == "both" else _PUBLISHED.get(figure.operation)
    answers = [a for card in cards if figure.kernel in card.kernels for a in card.kernels[figure.kernel].answers]
    found = []
    for answer in answers if operation else ():
        row = next((p for p in rows if p.name == answer.row and p.row.cipher == figure.cipher), None)
        if row is None or row.cpb(operation) is None and (operation != "both" or row.code(operation) is None):
            continue
        if answer.cores and figure.core not in answer.cores:
            continue
        blocks = "one block" if figure.blocks <= 1 else f"{figure.blocks} blocks"
        if operation != "ctr" and blocks != row.row.scenario:
            continue  # the kernel was also measured in the row's scenario; that line has the row
        reason = answer.differs or row.row.differs
        if not reason and blocks != row.row.scenario:
            reason = f"ours: {blocks} a call; published: {row.row.scenario}"
        cpb = row.cpb(operation)
        ratio = None if reason or cpb is None else cpb / figure.cpb
        found.append(Beside(figure, row, cpb, row.code(operation), row.ram(operation), ratio, reason))
    return found or [Beside(figure)]


def unanswered(cards: list[Card], rows: list[Published]) -> list[Published]:
    """Rows about our ciphers that no card names."""
    answered = {a.row for card in cards for kernel in card.kernels.values() for a in kernel.answers}
    return [row for row in rows if row.row.cipher in OURS and row.name not in answered]


def others(rows: list[Published]) -> list[Published]:
    """Rows about other ciphers on the target."""
    return [row for row in rows if row.row.cipher not in OURS]
