# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The host benchmark: bench/made/harness/host.cc built with every kernel and the peers that this machine has, run, and
turned into rows.

Measured figures are kept under build/host/measured, by the hash of the benchmark's binary and the CPU's model: a
second run reads them. Speeds are cycles per byte, sizes bytes; what a cycle is, the rows' `counter` says.
"""

import platform
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from bench.declared.model import ROOT, VARIANTS, BenchError, MissingTool, Target, Variant
from bench.made import build
from bench.measured.kernels import answers

# Where Debian keeps the headers of Botan, whose folder has the major version in its name; the newest.
BOTAN = max(Path("/usr/include").glob("botan-*"), default=Path("/usr/include/botan"))
CXX = ["-std=c++20", "-isystem", str(BOTAN)]  # Botan 3 wants C++20
# name: a condition of the preprocessor, library, switch that leaves it out, Debian package
PEERS = {
    "Crypto++": ("cryptopp/aria.h", "-lcryptopp", "-DNO_CRYPTOPP", "libcrypto++-dev"),
    "OpenSSL": ("openssl/evp.h", "-lcrypto", "-DNO_OPENSSL", "libssl-dev"),
    "Botan": ("botan/block_cipher.h", f"-l{BOTAN.name}", "-DNO_BOTAN", "libbotan-3-dev or libbotan-2-dev"),
}
SLOTS = ("expand", "crypt", "bulk", "ctr", "ctr_bytes", "cbc")  # the pointers of a descriptor, from byte 8 on


class HostRow(msgspec.Struct):
    """One line of results/host.csv: one of our measurements beside one peer, or beside none."""

    cipher: str
    kernel: str
    operation: str
    blocks: int
    cycles: float
    cpb: float
    code_bytes: int | None
    ram_bytes: int | None
    compiler: str
    counter: str
    note: str
    peer: str = ""
    ratio: float | None = None  # peer's cpb / our cpb


class Length(msgspec.Struct):
    """One line of results/host-length.csv: counter mode over one message of `bytes` bytes."""

    cipher: str
    side: str  # a kernel, or a peer with its version
    peer: bool
    bytes: int
    cycles: float
    cpb: float


class Measured(msgspec.Struct):
    rows: list[HostRow]
    lengths: list[Length]
    left_out: list[str]  # peers that are not here, each with the package that brings it


class _Line(msgspec.Struct):
    """What the harness prints of one side."""

    cipher: str
    side: str
    peer: bool
    cycles: float
    cpb: float
    operation: str = ""
    blocks: int = 0
    length: int = 0


def measure(target: Target, ciphers: list[str], progress: Callable[[int, int, str], None]) -> Measured:
    """Measures the ciphers (LEA, HIGHT, ARIA) with every kernel that this CPU can run; progress as in measure.py.

    Raises MissingTool without a compiler, BenchError if the build fails or a kernel computes nonsense."""
    build.check(target)
    _check_cxx()
    names = [variant.cipher for family in ciphers for variant in VARIANTS[family]]
    progress(0, len(names), "build")
    peers, left_out = _peers()
    objects = [build.compile(target.compiler, path, _c_flags(target)) for path in sorted(ROOT.glob("src/**/*.c"))]
    binary = _link(objects, peers)
    sizes = Sizes(objects)
    compiler = f"{build.version(target.compiler)} {target.label}"
    rows, lengths = [], []
    for done, cipher in enumerate(names):
        progress(done, len(names), cipher)
        counter, lines = _run(binary, cipher)
        lengths += [Length(x.cipher, x.side, x.peer, x.length, x.cycles, x.cpb) for x in lines if x.length]
        rows += _rows([x for x in lines if x.operation], sizes, compiler, counter)
    progress(len(names), len(names), "")
    return Measured(rows, lengths, left_out)


def cpu_model() -> str:
    """As the kernel names it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.machine()


# ---- Building.


def _check_cxx() -> None:
    try:
        build.version("g++")
    except MissingTool:
        raise MissingTool("host: missing g++ (Debian package g++)") from None


def _c_flags(target: Target) -> list[str]:
    return [*target.flags, "-ffunction-sections", "-fdata-sections"]  # a section for each routine: its size


def _peers() -> tuple[list[str], list[str]]:
    """The peers that can be built against, and the others with their packages."""
    probe = "".join(f"#if __has_include(<{header}>)\nhave {name}\n#endif\n" for name, (header, *_) in PEERS.items())
    command = ["g++", "-E", "-P", "-x", "c++", *CXX, "-"]
    here = subprocess.run(command, input=probe, text=True, capture_output=True, check=True).stdout
    missing = [name for name in PEERS if f"have {name}" not in here]
    return [n for n in PEERS if n not in missing], [f"{n} (Debian package {PEERS[n][3]})" for n in missing]


def _link(objects: list[Path], peers: list[str]) -> Path:
    flags = [*CXX, "-O2"]
    without = [PEERS[name][2] for name in PEERS if name not in peers]
    harness = build.compile("g++", ROOT / "bench/made/harness/host.cc", flags + without)
    libraries = [PEERS[name][1] for name in peers]
    return build.link("g++", [harness, *objects], flags, build.BUILD / "host/bench", libraries)


class Sizes:
    """How many bytes a kernel's routine takes, with everything it calls and all constants of both, from the objects.

    Every routine stands in a section of its own; the sections that relocations lead to, and theirs, are added up.
    """

    def __init__(self, objects: list[Path]) -> None:
        self.size: dict[tuple[Path, int], int] = {}
        self.uses: dict[tuple[Path, int], list[tuple[int, object]]] = {}  # (offset, a section here or a global name)
        self.home: dict[str, tuple[Path, int]] = {}
        for path in objects:
            with path.open("rb") as file:
                self._read(path, ELFFile(file))

    def _read(self, path: Path, elf: ELFFile) -> None:
        symbols = next(s for s in elf.iter_sections() if isinstance(s, SymbolTableSection))
        names: list[object] = []
        for symbol in symbols.iter_symbols():
            index = symbol["st_shndx"]
            names.append((path, index) if isinstance(index, int) else symbol.name)
            if isinstance(index, int) and symbol["st_info"]["bind"] == "STB_GLOBAL":
                self.home[symbol.name] = (path, index)
        for number, section in enumerate(elf.iter_sections()):
            if isinstance(section, RelocationSection):
                uses = [(r["r_offset"], names[r["r_info_sym"]]) for r in section.iter_relocations()]
                self.uses[path, section["sh_info"]] = uses
            else:
                self.size[path, number] = section["sh_size"]

    def of(self, kernel: str, slot: str) -> int | None:
        """Bytes of the routine in one slot of the descriptor haechi_<kernel>; None where the slot is empty."""
        home = self.home[f"haechi_{kernel}"]
        pointer = 8 if platform.architecture()[0] == "64bit" else 4
        at = 8 + pointer * SLOTS.index(slot)
        begin = next((to for offset, to in self.uses.get(home, []) if offset == at), None)
        if begin is None:
            return None
        seen, todo = set(), [begin]
        while todo:
            place = todo.pop()
            place = self.home.get(place) if isinstance(place, str) else place
            if place is None or place in seen:
                continue
            seen.add(place)
            todo += [to for _, to in self.uses.get(place, [])]
        return sum(self.size[place] for place in seen)


# ---- Running.


def _run(binary: Path, cipher: str) -> tuple[str, list[_Line]]:
    """What counts as a cycle, and what the harness printed about one cipher, now or before."""
    known = [x.hex() for a in answers(_variant(cipher)) for x in (a.key, a.pt, a.ct)]
    kept = build.BUILD / "host/measured" / build.digest(binary, cpu_model(), *known) / f"{cipher}.jsonl"
    if not kept.exists():
        done = subprocess.run([binary, cipher, *known], capture_output=True, text=True)
        if done.returncode:
            raise BenchError(f"host benchmark: {done.stderr.strip() or f'exit code {done.returncode}'}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".part")
        fresh.write_text(done.stdout)
        fresh.replace(kept)
    head, *lines = kept.read_text().splitlines()
    return msgspec.json.decode(head)["counter"], [msgspec.json.decode(line, type=_Line) for line in lines]


@cache
def _variant(cipher: str) -> Variant:
    return next(v for sizes in VARIANTS.values() for v in sizes if v.cipher == cipher)


def _rows(lines: list[_Line], sizes: Sizes, compiler: str, counter: str) -> list[HostRow]:
    """Our lines, each once for every peer that did the same."""
    rows = []
    for ours in (x for x in lines if not x.peer):
        same = [x for x in lines if x.peer and (x.operation, x.blocks) == (ours.operation, ours.blocks)]
        row = HostRow(
            ours.cipher, ours.side, ours.operation, ours.blocks, ours.cycles, round(ours.cpb, 3),
            _code(ours, sizes), None, compiler, counter, cpu_model(),
        )  # fmt: skip
        rows += [msgspec.structs.replace(row, peer=x.side, ratio=round(x.cpb / ours.cpb, 3)) for x in same] or [row]
    return rows


def _code(line: _Line, sizes: Sizes) -> int | None:
    """Bytes of the routine that was measured: of counter mode without a routine of its own, bulk's."""
    kernel = line.side + _variant(line.cipher).suffix + ("_inv" if line.operation in ("dks", "dec", "cbc-dec") else "")
    wanted = ["expand"] if line.operation in ("eks", "dks") else ["crypt"] if line.blocks == 1 else ["bulk", "crypt"]
    if line.operation in ("ctr", "gcm"):
        wanted.insert(0, "ctr")
    if line.operation == "cbc-dec":
        wanted.insert(0, "cbc")
    return next((size for slot in wanted if (size := sizes.of(kernel, slot)) is not None), None)
