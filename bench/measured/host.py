# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The benchmark of this host: the rows of results/host.csv.

bench/made/harness/host.cc measures every kernel of the library, compiled as CMake compiles it, and the peers, which are
other libraries that are installed here. A second run of the same program on a CPU of the same model takes the figures
from the cache. Speeds are in cycles per byte, sizes in bytes; the column `counter` says what a cycle is.
"""

import platform
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.declared.model import ROOT, VARIANTS, Target, Variant
from bench.declared.rsp import Answer, single_blocks
from bench.made import build
from bench.made.cache import kept, note, once
from bench.made.sections import Sections
from bench.measured.measurement import Measurement

# Where Debian keeps the headers of Botan, whose folder has the major version in its name; the newest.
BOTAN = max(Path("/usr/include").glob("botan-*"), default=Path("/usr/include/botan"))
CXX = ["-std=c++20", "-isystem", str(BOTAN)]  # Botan 3 wants C++20
# name: a condition of the preprocessor, library, switch that leaves it out, Debian package
PEERS = {
    "Crypto++": ("cryptopp/aria.h", "-lcryptopp", "-DNO_CRYPTOPP", "libcrypto++-dev"),
    "OpenSSL": ("openssl/evp.h", "-lcrypto", "-DNO_OPENSSL", "libssl-dev"),
    "Botan": ("botan/block_cipher.h", f"-l{BOTAN.name}", "-DNO_BOTAN", "libbotan-3-dev or libbotan-2-dev"),
}
COLUMNS = {"Crypto++": "cryptopp", "OpenSSL": "openssl", "Botan": "botan"}  # of HostRow
SLOTS = ("expand", "crypt", "bulk", "ctr", "ctr_bytes", "cbc", "xex", "name")  # the pointers of a descriptor, in their order


class HostRow(msgspec.Struct):
    """One of our measurements, and for each peer that did the same its time divided by ours: above 1 ours is faster."""

    cipher: str
    kernel: str
    operation: str
    blocks: int
    cycles: float
    cpb: float
    code_bytes: int | None
    compiler: str
    counter: str
    note: str  # the processor
    peers: str  # those that did the same, with their versions: Crypto++ 8.7, OpenSSL 3.0
    cryptopp: float | None = None
    openssl: float | None = None
    botan: float | None = None


class _Line(msgspec.Struct):
    """What the harness prints about one kernel or peer."""

    cipher: str
    side: str
    peer: bool
    cycles: float
    cpb: float
    operation: str
    blocks: int


class Bench(NamedTuple):
    """The benchmark as built here: its program, the objects of the library in it, and their compiler."""

    program: Path
    objects: list[Path]
    compiler: str


def built(target: Target) -> Bench:
    """Raises MissingTool without a compiler, BenchError if the build fails."""
    build.check(target)
    flags = shipped(target.compiler)
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    optimised = [flag for flag in flags if flag.startswith("-O")]
    return Bench(linked("host", objects), objects, " ".join([build.version(target.compiler), *optimised]))


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    build.check(target)
    return {variant.cipher: variant.cipher for family in ciphers for variant in VARIANTS[family]}


def rows(target: Target, cipher: str) -> list[HostRow]:
    """All kernels that this CPU can run, of one cipher."""
    bench, sizes = built(target), Sections(built(target).objects)
    counter, lines = measured(bench.program, cipher, cpu_model(), single_blocks(_variant(cipher).constant))
    return _rows(lines, sizes, bench.compiler, counter)


def lacks(target: Target) -> list[str]:
    """The peers that are not installed."""
    missing = [name for name in PEERS if name not in _peers()]
    return [f"{name} (Debian package {PEERS[name][3]}) beside our kernels on the host" for name in missing]


# AMD's cores by family and models (its revision guides): the names of processors in virtual machines may hide them.
CORES = {
    (0x17, range(0x30)): "Zen", (0x17, range(0x30, 0x100)): "Zen 2", (0x19, range(0x10)): "Zen 3", (0x19, range(0x20, 0x60)): "Zen 3",
    (0x19, range(0x10, 0x20)): "Zen 4", (0x19, range(0x60, 0x100)): "Zen 4", (0x1A, range(0x100)): "Zen 5",
}  # fmt: skip


def cpu_model() -> str:
    """The name of the CPU as the operating system's kernel has it, and its core where that is known: AMD EPYC Zen 4."""
    try:
        said = dict(re.findall(r"^(model name|vendor_id|cpu family|model)\s*:\s*(.+?)\s*$", Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    except OSError:
        said = {}
    name = said.get("model name", platform.machine())
    if said.get("vendor_id") != "AuthenticAMD":
        return name
    return next((f"{name} {core}" for (family, models), core in CORES.items() if int(said["cpu family"]) == family and int(said["model"]) in models), name)


def processor() -> str:
    """The CPU and the widest vectors that it computes with, which its name may not tell: AMD EPYC Zen 4 with AVX-512."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        flags = set()
    widest = next((name for name, flag in {"AVX-512": "avx512bw", "AVX2": "avx2", "SSSE3": "ssse3"}.items() if flag in flags), "")
    return f"{cpu_model()} with {widest}" if widest else cpu_model()


# ---- Building.


@kept
def shipped(compiler: str) -> list[str]:
    """The flags with which CMake compiles the library, so that the bench measures what users get."""
    note(ROOT / "CMakeLists.txt", *(ROOT / "cmake").iterdir())
    folder = build.BUILD / "host/cmake"
    build.run(["cmake", "-S", ROOT, "-B", folder, f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
    commands = msgspec.json.decode((folder / "compile_commands.json").read_bytes())
    words = next(shlex.split(c["command"]) for c in commands if c["file"].endswith("src/core/key.c"))
    return words[1 : words.index("-o")]


@once
def _peers() -> list[str]:
    """The peers whose headers are installed."""
    probe = "".join(f"#if __has_include(<{header}>)\nhave {name}\n#endif\n" for name, (header, *_) in PEERS.items())
    command = ["g++", "-E", "-P", "-x", "c++", *CXX, "-"]
    here = subprocess.run(command, input=probe, text=True, capture_output=True, check=True).stdout
    return [name for name in PEERS if f"have {name}" in here]


@once
def gcrypt_has_aria() -> bool:
    """libgcrypt does since version 1.11, which Debian has since version 13."""
    probe = "#include <gcrypt.h>\n#if GCRYPT_VERSION_NUMBER < 0x010b00\n#error older\n#endif\n"
    return subprocess.run(["g++", "-E", "-x", "c++", "-"], input=probe, text=True, capture_output=True).returncode == 0


def linked(harness: str, objects: list[Path], gcrypt: bool = False) -> Path:
    """A C++ program of bench/made/harness with the library and the peers that are installed, and with libgcrypt."""
    flags = [*CXX, "-O2"]
    without = [PEERS[name][2] for name in PEERS if name not in _peers()]
    compiled = build.compile("g++", ROOT / f"bench/made/harness/{harness}.cc", flags + without + ["-DWITH_GCRYPT"] * gcrypt)
    libraries = [PEERS[name][1] for name in _peers()] + ["-lgcrypt"] * gcrypt
    return build.link("g++", [compiled, *objects], flags, build.BUILD / f"host/{harness}", libraries)


# ---- Running.


@kept
def measured(program: Path, cipher: str, cpu: str, answers: list[Answer]) -> tuple[str, list[_Line]]:
    """What counts as a cycle, and what the benchmark printed about one cipher. It checks the answers first."""
    known = [x.hex() for a in answers for x in (a.key, a.pt, a.ct)]
    head, *lines = build.run([program, cipher, *known]).splitlines()
    return msgspec.json.decode(head)["counter"], [msgspec.json.decode(line, type=_Line) for line in lines]


@cache
def _variant(cipher: str) -> Variant:
    return next(v for sizes in VARIANTS.values() for v in sizes if v.cipher == cipher)


def _rows(lines: list[_Line], sections: Sections, compiler: str, counter: str) -> list[HostRow]:
    """Our lines, each with the ratios to all peers that did the same."""
    rows = []
    for ours in (x for x in lines if not x.peer):
        same = [x for x in lines if x.peer and (x.operation, x.blocks) == (ours.operation, ours.blocks)]
        ratios = {COLUMNS[x.side.partition(" ")[0]]: round(x.cpb / ours.cpb, 3) for x in same}
        rows.append(
            HostRow(
                ours.cipher, ours.side, ours.operation, ours.blocks, ours.cycles, round(ours.cpb, 3),
                _code(ours, sections), compiler, counter, cpu_model(), ", ".join(x.side for x in same), **ratios,
            )
        )  # fmt: skip
    return rows


def _code(line: _Line, sections: Sections) -> int | None:
    """The bytes of the measured routine, with everything that it calls and all constants. Where a kernel has no routine
    for a mode, the routine of its slot bulk or crypt counts."""
    kernel = line.side + _variant(line.cipher).suffix + ("_inv" if line.operation in ("dks", "dec", "cbc-dec") else "")
    wanted = ["expand"] if line.operation in ("eks", "dks") else ["crypt"] if line.blocks == 1 else ["bulk", "crypt"]
    if line.operation in ("ctr", "gcm"):
        wanted.insert(0, "ctr")
    if line.operation == "cbc-dec":
        wanted.insert(0, "cbc")
    places = (sections.slot(f"haechi_{kernel}", SLOTS.index(slot), len(SLOTS)) for slot in wanted)
    return next((sections.linked([place]).flash for place in places if place), None)


HOST = Measurement(name="", row=HostRow, machines=("host",), alone=True, parts=parts, rows=rows, lacks=lacks, scope=("cipher", "note"))
