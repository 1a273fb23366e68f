# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is declared: targets (bench/declared/targets/*.toml), cards (card.yml beside the kernels) and papers (papers/*.toml).

A *machine* is a kind of processor, which a card and a target name: avr, msp430, x86_64. A *target* is a chip of a machine
with the tools for it. A *kernel* is one implementation of a cipher, described in a card. A *ladder* (kernels.h beside
each cipher) says which kernels a build takes. A *simulator* runs programs for a target (bench/simulated).

Every loader returns a dict by name. It raises BenchError, which names the file and the field, on anything that the
forms below do not know. Sizes are bytes, speeds cycles per byte, unless a field says otherwise.
"""

import platform
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

ROOT = Path(__file__).resolve().parents[2]


class BenchError(Exception):
    """An error that stops the bench. Its text says what is wrong and where."""


class MissingTool(BenchError):
    """A target cannot be built or run here; the text names the Debian package that helps."""


class Form(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The base of all that is declared."""


# ---- Ciphers.


class Variant(Form):
    """One key size of a cipher."""

    cipher: str  # its name in results/: LEA-128 ... ARIA-256, HIGHT
    constant: str  # haechi_<constant> and haechi_<constant>_inv in haechi.h
    suffix: str  # the suffix of the kernel's descriptor: _128, or nothing for HIGHT
    key: int  # bytes
    block: int  # bytes


def _sizes(family: str) -> tuple[Variant, ...]:
    return tuple(
        Variant(cipher=f"{family}-{b}", constant=f"{family.lower()}{b}", suffix=f"_{b}", key=b // 8, block=16)
        for b in (128, 192, 256)
    )


VARIANTS = {
    "LEA": _sizes("LEA"),
    "HIGHT": (Variant(cipher="HIGHT", constant="hight", suffix="", key=16, block=8),),
    "ARIA": _sizes("ARIA"),
}


def from_flash(kernel: str, variant: Variant) -> str:
    """The name of a kernel's function that encrypts with round keys in flash."""
    return f"haechi_{kernel}{variant.suffix}_enc_flash"


# ---- Targets.


class Need(Form):
    """A command on PATH, or a header that a compiler finds, and the Debian package that contains it."""

    package: str
    command: str = ""
    header: str = ""
    compiler: str = ""  # the compiler that must find the header


class Target(Form, kw_only=True):
    """A chip to build for and run on: bench/declared/targets/<name>.toml. Every kernel whose card names its machine
    is measured on it."""

    name: str
    title: str
    chip: str  # its name for -mmcu and for the simulator; empty for the host
    machine: Literal["avr", "msp430", "armv6m", "armv7m", "rv32", "xtensa", "neon", "host", "rtl", "openssl", "python", "java", "rust", "felics"]  # as in cards
    compiler: str
    flags: list[str]  # for C and for assembly alike
    size_flags: list[str] = []  # further flags for C that is compiled for size, as firmware is
    linker: str = ""  # a linker that takes no flags but those of `link`; empty: the compiler links
    link: list[str] = []
    script: str = ""  # the linker's script
    constants_in_ram: bool = False  # the script puts constants where data is
    sources: list[str] = []  # start-up code and helper functions, where the compiler has none
    chip_flag: str = ""  # joined with the chip's name
    label: str = ""  # what the column `compiler` says about the flags: -O2
    published: str = ""  # the name of the target in papers/*.toml; empty: the same name
    counter: str  # how cycles are counted: the column `counter`
    test_chips: list[str] = []  # further chips, in tests only
    choice_chips: list[str] = []  # further chips whose choices docs/defaults.md lists, in cycles of the same counter
    packages: list[str]  # Debian packages
    needs: list[Need]


# ---- Cards.

HOSTS = ("x86_64",)  # machines of cards that are hosts


class Answer(Form):
    """The published row that a kernel answers; `differs` says why no ratio may be printed."""

    row: str  # <paper>/<id>
    differs: str = ""
    cores: list[str] = []  # of a card for neon: whose estimates stand beside the row; empty: all


class Survivor(Form):
    """An instruction that no test misses when it is a NOP: enc+0x12 is 0x12 bytes into haechi_<kernel>_enc."""

    at: str
    why: str


class Kernel(Form):
    """One implementation, as its card declares it."""

    summary: str
    constant_time: Literal["addresses", "cycles", "no"]
    because: str
    wipes: bool  # leaves nothing that depends on key or data below the stack
    counter: Literal["hidden", "last byte"] = "hidden"  # what the time of ctr reveals about its counter
    round_keys: str | dict[str, str] = ""  # their form (proof/forms.py), for assembly for microcontrollers
    slots: list[Literal["bulk", "ctr"]] = []  # what a kernel for microcontrollers has besides expand and crypt
    fixed: str = ""  # the header beside the card for counter mode with a key and a nonce known at build time
    flash_keys: bool = False  # haechi_<kernel>[_<key bits>]_enc_flash encrypts a block with round keys in flash
    ctr_inside: bool = False  # HAECHI_CTR_INSIDE makes the first encryption compute counter mode's cache
    lane_masks: bool = False  # its ANDs matter for few inputs: test_lanes_cortexm.py tries all
    stack: dict[Literal["eks", "dks", "enc", "dec", "enc_flash"], int] = {}  # without the return address; dks as eks if absent
    lanes: int = 1  # the number of blocks that bulk processes at once
    architecture: Literal["", "armv7", "aarch64"] = ""  # the architecture, of a card for neon; empty: both
    on: list[str] = []  # of a card for any machine: its targets; empty: all
    answers: list[Answer] = []
    survivors: list[Survivor] = []


class CardForm(Form):
    """One entry of a card.yml."""

    cipher: Literal["LEA", "HIGHT", "ARIA"]
    machine: str  # avr, msp430, armv6m, armv7m, neon; for hosts the name that platform.machine() returns; any for portable C
    kernels: dict[str, Any]  # of Kernel, converted one by one so that an error names the kernel


class Card(msgspec.Struct, frozen=True):
    """A card and the path of its file."""

    path: Path
    cipher: str
    machine: str
    kernels: dict[str, Kernel]

    @property
    def folder(self) -> Path:
        return self.path.parent

    def source(self, kernel: str) -> Path:
        """The kernel's file: C or assembly."""
        return next(p for p in (self.folder / f"{kernel}.S", self.folder / f"{kernel}.c") if p.exists())

    def source_of(self, descriptor: str) -> Path:
        """The file of a kernel's descriptor, whatever its key size and direction."""
        return self.source(next(k for k in self.kernels if re.fullmatch(rf"{k}(_\d+)?(_inv)?", descriptor)))

    def from_flash(self, kernel: str) -> list[str]:
        """The functions of the kernel that encrypt with round keys in flash, by key size."""
        sizes = VARIANTS[self.cipher] if self.kernels[kernel].flash_keys else ()
        return [from_flash(kernel, variant) for variant in sizes]

    def runs_on(self, kernel: str, machine: str) -> bool:
        """Whether a target of this machine takes the kernel."""
        if self.machine != "any":
            return self.machine == (platform.machine() if machine == "host" else machine)
        return not self.kernels[kernel].on or machine in self.kernels[kernel].on


# ---- Papers.

Number = int | float


class Software(Form):
    """A published software row: sizes in bytes, speeds in cycles per key byte (eks) or block byte."""

    id: str
    cipher: str
    target: str
    variant: str = ""
    table: str = ""
    scenario: str = ""
    code_eks: int | None = None
    code_enc: int | None = None
    code_dec: int | None = None
    code_sum: int | None = None
    ram_eks: int | None = None
    ram_enc: int | None = None
    ram_dec: int | None = None
    rom: int | None = None
    rom_holds: Literal["enc", "both"] = "enc"  # encryption alone, or both directions
    ram: int | None = None
    ram_holds: Literal["all", "keys"] = "all"  # or round keys and tables alone, beyond the key itself
    tables_left_out: int = 0  # bytes of tables in flash that rom, code_enc, code_dec and code_sum leave out
    eks: Number | None = None
    enc: Number | None = None
    dec: Number | None = None
    ctr: Number | None = None
    ctr_faster: Number | None = None  # per cent
    enc_scaled: Number | None = None
    enc_by_threads: list[Number] = []
    enc_by_key: list[Number] | dict[str, Number] = []
    of: str = ""  # the code that the paper measured
    quoted_by: list[str] = []  # papers that print the same figure
    differs: str = ""  # why no figure may be compared with it
    note: str = ""


class PaperForm(Form):
    """papers/<key>.toml."""

    year: int
    title: str = ""
    authors: list[str] = []
    venue: str = ""
    device: str = ""
    tool: str = ""
    note: str = ""
    software: list[Software] = []
    hardware: list[dict[str, Any]] = []
    relative: list[dict[str, Any]] = []
    drbg: list[dict[str, Any]] = []
    operation_counts: list[dict[str, Any]] = []


class Paper(msgspec.Struct, frozen=True):
    """A paper with its key, which is its file's name."""

    key: str
    path: Path
    form: PaperForm

    def row(self, id: str) -> Software | None:
        return next((row for row in self.form.software if row.id == id), None)


def compiler_of(chip: str) -> str:
    """gcc or clang, from the column `chip` of results/proofs.csv: "clang-14 14.0.6 -O2"."""
    return re.match("[a-z]*", chip)[0]


class Gap(Form):
    """Operations of kernels that have no proof: an entry of proof/gaps.toml."""

    target: str  # this and the following as in results/proofs.csv
    kernels: list[str]
    operations: list[str]
    why: str
    compilers: list[str] = []  # empty: all

    def holds(self, target: str, chip: str, kernel: str, operation: str) -> bool:
        """Whether it is about this operation, as the column `chip` says that it was compiled."""
        mine = target == self.target and kernel in self.kernels and operation in self.operations
        return mine and (not self.compilers or compiler_of(chip) in self.compilers)


# ---- Loaders.


class _Loader(yaml.CSafeLoader):
    """Reads YAML in which only true and false are booleans, because `on` is a field here and `no` a claim."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _word in ("true", "false"):
    _Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(f"^{_word}$"), _word[0])


def _convert(path: Path, raw: Any, form: type, under: str = "") -> Any:
    """Adds the file, and the field that contains raw, to msgspec's errors, which name the field alone."""
    try:
        return msgspec.convert(raw, form)
    except msgspec.ValidationError as error:
        raise BenchError(f"{_short(path)}: {under}{': ' if under else ''}{error}") from None


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise BenchError(f"{_short(path)}: {error}") from None


def load_target(path: Path) -> Target:
    target = _convert(path, _toml(path), Target)
    if target.name != path.stem:
        raise BenchError(f"{_short(path)}: name: is {target.name}, the file is {path.stem}")
    for number, need in enumerate(target.needs):
        where = f"{_short(path)}: needs[{number}]"
        if bool(need.command) == bool(need.header):
            raise BenchError(f"{where}: exactly one of command and header")
        if bool(need.header) != bool(need.compiler):
            raise BenchError(f"{where}: compiler: wanted with header, and only with it")
        if need.package not in target.packages:
            raise BenchError(f"{where}: package: {need.package} is not among packages")
    return target


def load_targets(root: Path = ROOT) -> dict[str, Target]:
    """Targets by name."""
    return {path.stem: load_target(path) for path in sorted((root / "bench/declared/targets").glob("*.toml"))}


def load_paper(path: Path) -> Paper:
    form = _convert(path, _toml(path), PaperForm)
    seen = set()
    for number, row in enumerate(form.software):
        if row.id in seen:
            raise BenchError(f"{_short(path)}: software[{number}].id: {row.id} twice")
        seen.add(row.id)
    return Paper(path.stem, path, form)


def load_papers(root: Path = ROOT) -> dict[str, Paper]:
    """Papers by key."""
    return {path.stem: load_paper(path) for path in sorted((root / "papers").glob("*.toml"))}


def load_gaps(root: Path = ROOT) -> list[Gap]:
    path = root / "proof/gaps.toml"
    return [_convert(path, entry, Gap) for entry in _toml(path)["gap"]]


def load_card(path: Path) -> list[Card]:
    """The cards of one file, which holds a mapping or a list of them."""
    try:
        raw = yaml.load(path.read_text(), _Loader)
    except yaml.YAMLError as error:
        raise BenchError(f"{_short(path)}: {error}") from None
    cards = []
    for entry in raw if isinstance(raw, list) else [raw]:
        form = _convert(path, entry, CardForm)
        kernels = {name: _convert(path, k, Kernel, f"kernels.{name}") for name, k in form.kernels.items()}
        cards.append(Card(path, form.cipher, form.machine, kernels))
    return cards


def _check_card(card: Card, machines: set[str], papers: dict[str, Paper], seen: dict[str, Path]) -> None:
    where = _short(card.path)
    if card.machine not in {"any", *HOSTS, *machines}:
        raise BenchError(f"{where}: machine: no target in bench/declared/targets/ is of machine {card.machine}")
    for name, kernel in card.kernels.items():
        field = f"{where}: kernels.{name}"
        if name in seen:
            raise BenchError(f"{field}: also in {_short(seen[name])}")
        seen[name] = card.path
        if not any((card.folder / f"{name}{ending}").exists() for ending in (".S", ".c")):
            raise BenchError(f"{field}: neither {name}.S nor {name}.c beside the card")
        if kernel.fixed and not (card.folder / kernel.fixed).exists():
            raise BenchError(f"{field}.fixed: no {kernel.fixed} beside the card")
        if kernel.on and card.machine != "any":
            raise BenchError(f"{field}.on: only where machine is any")
        for number, machine in enumerate(kernel.on):
            if machine not in machines:
                raise BenchError(f"{field}.on[{number}]: no target in bench/declared/targets/ is of machine {machine}")
        for number, answer in enumerate(kernel.answers):
            key, _, id = answer.row.partition("/")
            row = papers[key].row(id) if key in papers else None
            if row is None:
                raise BenchError(f"{field}.answers[{number}].row: no row {id} in papers/{key}.toml")
            if row.cipher.partition("-")[0] != card.cipher:
                raise BenchError(f"{field}.answers[{number}].row: {answer.row} is about {row.cipher}")


def _check_sources(root: Path, named: set[str]) -> None:
    """Raises BenchError unless every source file in a folder src/<cipher>/<machine>/ has a kernel in a card."""
    for path in sorted(root.glob("src/*/*/*.[cS]")):
        if path.stem not in named and path.parent.parent.name.upper() in VARIANTS:
            raise BenchError(f"{_short(path)}: no card names this kernel; describe it in {_short(path.parent)}/card.yml, "
                             f"under kernels, as {path.stem}")  # fmt: skip


def load_cards(root: Path = ROOT) -> list[Card]:
    """All cards. The function checks what they refer to (targets, papers, files), that a kernel's name is unique, and
    that every kernel has a card."""
    machines, papers, seen = {target.machine for target in load_targets(root).values()}, load_papers(root), {}
    paths = sorted(root.glob("src/*/*/card.yml")) + sorted(root.glob("bench/declared/baseline/card.yml"))
    cards = [card for path in paths for card in load_card(path)]
    for card in cards:
        _check_card(card, machines, papers, seen)
    _check_sources(root, set(seen))
    return cards


def kernels(target: Target, ciphers: list[str] | None = None) -> list[tuple[Card, str]]:
    """The kernels that run on the target, of these ciphers (LEA, HIGHT, ARIA; None: all): assembly first."""
    for cipher in ciphers or []:
        if cipher not in VARIANTS:
            raise BenchError(f"no cipher {cipher}: {', '.join(VARIANTS)}")
    found = [
        (card, kernel)
        for card in load_cards()
        for kernel in card.kernels
        if card.runs_on(kernel, target.machine) and (not ciphers or card.cipher in ciphers)
    ]
    return sorted(found, key=lambda f: (list(VARIANTS).index(f[0].cipher), f[0].machine == "any", f[1]))
