# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Everything from which pages are written: results/*.csv, cards and papers, read once. Nothing here measures."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench.declared.model import (
    ROOT,
    VARIANTS,
    BenchError,
    Card,
    Kernel,
    Paper,
    Target,
    load_cards,
    load_gaps,
    load_papers,
    load_targets,
)
from bench.measured import avrxt, choices, counter, drbg, felics, felics_arm, gateway, java, lengths, modes, openssl, processors, python, rust, telemetry, threads
from bench.measured.measurement import read_rows
from bench.reported import compare
from bench.reported.cells import amount
from bench.reported.compare import Figure, Published

BULK = "ctr, 16 KiB"  # the operation whose speed represents a kernel on hosts
LENGTHS = [1, 16, 64, 256, 1024, 4096, 16384, 65536]  # bytes of a message, in tables
CORE = "cortex-a9"  # the core whose estimates represent NEON, because the published figures are for this kind


@dataclass(frozen=True)
class Choice:
    """A kernel that stands out on a machine, with what it costs and the best published figure of that kind."""

    kernel: str
    which: tuple[str, ...]  # of default, fastest, smallest
    cpb: float
    code: int | None  # of key schedule, encryption and decryption together, as papers count it
    linked: int | None  # the same in a linked program
    proved: str  # Book.proved
    rival: str = ""  # <paper>/<row>, or the name of another library
    rival_cpb: float | None = None
    rival_code: int | None = None
    differs: str = ""  # why the two may not be compared

    @property
    def ratio(self) -> float | None:
        """Theirs / ours."""
        return None if self.rival_cpb is None or self.differs else self.rival_cpb / self.cpb


class Book:
    """Results are lists of rows, whose types bench.measured and compare declare."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.targets: dict[str, Target] = load_targets(root)
        self.cards: list[Card] = load_cards(root)
        self.papers: dict[str, Paper] = load_papers(root)
        self.figures = {
            name: compare.figures(target, self._path(f"{name}.csv")) for name, target in self.targets.items()
        }
        self.proofs = read_rows(self._path("proofs.csv"), compare.Proof)
        self.gaps = load_gaps(root)

    def _path(self, name: str) -> Path:
        return self.root / "results" / name

    def modes(self, target: str) -> list[modes.ModeRow]:
        return read_rows(self._path(f"{target}-modes.csv"), modes.ModeRow)

    def options(self, target: str) -> list[choices.ChoiceRow]:
        return read_rows(self._path(f"{target}-choices.csv"), choices.ChoiceRow)

    def counted(self, target: str) -> list[choices.CountedRow]:
        return read_rows(self._path(f"{target}-instructions.csv"), choices.CountedRow)

    def derived(self, target: str) -> list[avrxt.DerivedRow]:
        return read_rows(self._path(f"{target}-xt.csv"), avrxt.DerivedRow)

    def processors(self, target: str) -> list[processors.ProcessorRow]:
        return read_rows(self._path(f"{target}-processors.csv"), processors.ProcessorRow)

    def ways(self, target: str) -> list[counter.CounterRow]:
        return read_rows(self._path(f"{target}-ctr.csv"), counter.CounterRow)

    def generators(self, target: str) -> list[drbg.DrbgRow]:
        return read_rows(self._path(f"{target}-drbg.csv"), drbg.DrbgRow)

    @cached_property
    def lengths(self) -> list[lengths.Length]:
        return read_rows(self._path("host-length.csv"), lengths.Length)

    @cached_property
    def teams(self) -> list[threads.Threads]:
        return read_rows(self._path("host-threads.csv"), threads.Threads)

    @cached_property
    def gateway(self) -> list[gateway.Row]:
        return read_rows(self._path("host-gateway.csv"), gateway.Row)

    @cached_property
    def telemetry_nodes(self) -> list[telemetry.Node]:
        return read_rows(self._path("telemetry-node.csv"), telemetry.Node)

    @cached_property
    def telemetry_gateway(self) -> list[telemetry.Frames]:
        return read_rows(self._path("telemetry-gateway.csv"), telemetry.Frames)

    @cached_property
    def provider(self) -> list[openssl.Row]:
        return read_rows(self._path("openssl.csv"), openssl.Row)

    @cached_property
    def package(self) -> list[python.Row]:
        return read_rows(self._path("python.csv"), python.Row)

    @cached_property
    def jce(self) -> list[java.Row]:
        return read_rows(self._path("java.csv"), java.Row)

    @cached_property
    def crate(self) -> list[rust.Row]:
        return read_rows(self._path("rust.csv"), rust.Row)

    @cached_property
    def scenarios(self) -> list[felics.FelicsRow]:
        return read_rows(self._path("felics.csv"), felics.FelicsRow)

    @cached_property
    def triathlon(self) -> list[felics.Rank]:
        return read_rows(self._path("felics-triathlon.csv"), felics.Rank)

    @cached_property
    def published_on_arm(self) -> list[felics_arm.ArmRow]:
        return read_rows(self._path("felics-arm.csv"), felics_arm.ArmRow)

    # ---- Questions.

    def target(self, name: str) -> Target:
        if name not in self.targets:
            raise BenchError(f"there is no target {name}, but {', '.join(self.targets)}")
        return self.targets[name]

    def title(self, name: str) -> str:
        """The name of a target; of a host that of its processor."""
        target = self.target(name)
        return f"Host: {self.figures[name][0].note}" if target.machine == "host" else target.title

    def ciphers(self, family: str) -> list[str]:
        """lea, LEA: LEA-128, LEA-192, LEA-256."""
        if family.upper() not in VARIANTS:
            raise BenchError(f"there is no cipher {family}, but {', '.join(VARIANTS)}")
        return [variant.cipher for variant in VARIANTS[family.upper()]]

    def of(self, target: str, cipher: str, kernel: str | None = None) -> list[Figure]:
        """The figures of a cipher, or of one kernel of it."""
        return [f for f in self.figures[self.target(target).name] if f.cipher == cipher and kernel in (None, f.kernel)]

    def kernels(self, target: str, cipher: str) -> list[str]:
        """The kernels that were measured, in the order of the results."""
        return list(dict.fromkeys(f.kernel for f in self.of(target, cipher)))

    def card(self, kernel: str) -> Kernel:
        return next(card.kernels[kernel] for card in self.cards if kernel in card.kernels)

    def default(self, target: str, cipher: str) -> str:
        """The kernel that a program for the target gets if it names none: the one that its modes were measured with."""
        return next((row.kernel for row in self.modes(target) if row.cipher == cipher), "")

    def published(self, target: str) -> list[Published]:
        """Every software row of the papers about a target."""
        return compare.published(self.papers, self.target(target).published or target)

    def proved(self, target: str, cipher: str, kernel: str, mark: str = "✓") -> str:
        """The mark if the kernel is proved on a target; "in part" if it has a function for many blocks that is not."""
        found = {p.operation for p in self.proofs if (p.target, p.cipher, p.kernel) == (target, cipher, kernel)}
        wanted = {{"bulk": "enc_bulk"}.get(slot, slot) for slot in self.card(kernel).slots} if found else set()
        return "" if not found else mark if wanted <= found else "in part"

    def choices(self, target: str, cipher: str) -> list[Choice]:
        """The default, the fastest and the smallest kernel of a cipher on a target. A kernel that is several of these
        appears once. On hosts and NEON this is the fastest alone: there the library chooses it by itself, and size does
        not matter."""
        machine = self.target(target).machine
        if machine == "host":
            return self._on_host(cipher)
        if machine == "neon":
            return self._on_neon(cipher)
        ours = [k for k in self.kernels(target, cipher) if not self.baseline(k)]
        speed = {f.kernel: f.cpb for f in self.of(target, cipher) if f.operation == "enc" and f.blocks == 1}
        linked = {f.kernel: f.linked_code_bytes for f in self.of(target, cipher) if f.operation == "both"}
        code = {f.kernel: f.code_bytes for f in self.of(target, cipher) if f.operation == "both"}
        ours = [k for k in ours if k in speed and k in code]
        if not ours:
            return []
        which = {
            "default": self.default(target, cipher),
            "fastest": min(ours, key=lambda k: (speed[k], code[k])),
            "smallest": min(ours, key=lambda k: (code[k], speed[k])),
        }
        rows = [
            p for p in self.published(target)
            if p.row.cipher == cipher and p.row.enc is not None and not p.row.differs and p.row.scenario == "one block"
        ]  # fmt: skip
        found = []
        for kernel in dict.fromkeys(which.values()):
            names = tuple(name for name, k in which.items() if k == kernel)
            rival = min(rows, key=lambda p: p.row.enc, default=None)
            if names == ("smallest",):
                rival = min((p for p in rows if p.code("both")), key=lambda p: p.code("both"), default=None)
            found.append(
                Choice(
                    kernel, names, speed[kernel], code[kernel], linked[kernel], self.proved(target, cipher, kernel, "[✓](docs/proof.md)"),
                    rival.name if rival else "", rival.row.enc if rival else None,
                    rival.code("both") if rival else None,
                )
            )  # fmt: skip
        return found

    def baseline(self, kernel: str) -> bool:
        """Whether a kernel is somebody else's and was measured for comparison."""
        card = next(card for card in self.cards if kernel in card.kernels)
        return not card.path.is_relative_to(self.root / "src")

    def _on_host(self, cipher: str) -> list[Choice]:
        bulk = [f for f in self.of("host", cipher) if amount(f) == BULK and f.peer]
        if not bulk:
            return []
        best = min(bulk, key=lambda f: (f.cpb, f.peer_cpb))
        rival, rival_cpb = self._beside_all(best)
        return [Choice(best.kernel, ("default", "fastest"), best.cpb, None, None, "", rival, rival_cpb)]

    def _beside_all(self, best: Figure) -> tuple[str, float]:
        """The fastest other library, and its speed beside that of the figure: the measurements by length may have one more on the
        same processor, which ran beside the same kernel."""
        bulk = {(row.side, row.peer, row.note): row for row in self.lengths if (row.cipher, row.mode, row.bytes) == (best.cipher, "ctr", 16384)}
        found = [(best.peer_cpb, best.peer)]
        for (side, is_peer, note), row in bulk.items():
            ours = bulk.get((best.kernel, False, note))
            if is_peer and ours and note.startswith(best.note):
                found.append((best.cpb * row.cpb / ours.cpb, side))
        rival_cpb, rival = min(found)
        return rival, rival_cpb

    def _on_neon(self, cipher: str) -> list[Choice]:
        ours = [f for f in self.of("neon", cipher) if f.operation == "enc" and f.core == CORE]
        if not ours:
            return []
        best = min((f for f in ours if f.blocks == max(x.blocks for x in ours)), key=lambda f: f.cpb)
        rows = [p for p in self.published("neon") if p.row.cipher == cipher and p.row.enc is not None]
        rival = min(rows, key=lambda p: p.row.enc, default=None)
        return [
            Choice(
                best.kernel, ("default", "fastest"), best.cpb, None, None, "", rival.name if rival else "",
                rival.row.enc if rival else None, differs="ours is an estimate" if rival else "",
            )
        ]  # fmt: skip
