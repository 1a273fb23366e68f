# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds behind a cache of content hashes: what went in decides, not time stamps.

An object's hash covers its source, every file that the source includes in quotes (and what those include), the
flags and the compiler's version; a linked file's covers its objects, the flags and the linker's compiler. The files
lie under build/objects and build/<target>; a second run finds them all. Several processes may build at once.
"""

import hashlib
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT, BenchError, Card, MissingTool, Target

BUILD = ROOT / "build"
_INCLUDE = re.compile(rb'^\s*[#.]\s*include\s+"([^"]+)"', re.MULTILINE)


def check(target: Target) -> None:
    """Raises MissingTool, naming every package that is missing, unless the target can be built and run here."""
    missing = []
    for need in target.needs:
        if need.command:
            here = shutil.which(need.command) is not None
        else:
            here = shutil.which(need.compiler) is not None and _has_header(need.compiler, need.header)
        if not here:
            missing.append((need.command or need.header, need.package))
    if missing:
        names = ", ".join(f"{name} (Debian package {package})" for name, package in missing)
        raise MissingTool(f"{target.name}: missing {names}")


@cache
def _has_header(compiler: str, header: str) -> bool:
    command = [compiler, "-E", "-x", "c", "-", "-o", "/dev/null"]
    return subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True).returncode == 0


@cache
def version(compiler: str) -> str:
    """The compiler's name and version, like avr-gcc 5.4.0."""
    try:
        said = subprocess.run([compiler, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True)
    except FileNotFoundError:
        raise MissingTool(f"{compiler} is missing") from None
    return f"{compiler} {said.stdout.strip()}"


@cache
def _identity(compiler: str) -> bytes:
    """All that the compiler says of itself."""
    return subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout


def included(source: Path) -> list[Path]:
    """The source and all files it includes in quotes, in a fixed order; those the compiler would not find are left
    for it to name."""
    found, todo = [], [source]
    while todo:
        path = todo.pop().resolve()
        if path in found:
            continue
        found.append(path)
        for name in _INCLUDE.findall(path.read_bytes()):
            inner = path.parent / name.decode()
            if inner.exists():
                todo.append(inner)
    return sorted(found)


def digest(*parts: bytes | str | Path) -> str:
    """A hash over texts, bytes and the contents of files, 24 hexadecimal digits."""
    h = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "little") + data)
    return h.hexdigest()[:24]


def _run(command: list[str], out: Path) -> Path:
    """Runs command with -o to a file that becomes out only when it is whole."""
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(f".{os.getpid()}.{out.name}")
    try:
        done = subprocess.run([*command, "-o", str(fresh)], capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        raise MissingTool(f"{command[0]} is missing") from None
    if done.returncode:
        fresh.unlink(missing_ok=True)
        raise BenchError(f"{' '.join(command)}\n{done.stdout}{done.stderr}".rstrip())
    fresh.replace(out)
    return out


def compile(compiler: str, source: Path, flags: list[str]) -> Path:
    """The object of one C or assembly source."""
    source = source.resolve()
    name = str(source.relative_to(ROOT)) if source.is_relative_to(ROOT) else str(source)
    key = digest(_identity(compiler), name, repr(flags), *included(source))
    out = BUILD / "objects" / f"{source.stem}-{key}.o"
    return out if out.exists() else _run([compiler, *flags, "-c", name], out)


def link(
    linker: str, objects: list[Path], flags: list[str], out: Path, libraries: list[str] = (), scripts: list[Path] = ()
) -> Path:
    """Links objects to a file named like out with its hash before the suffix."""
    key = digest(_identity(linker), repr([flags, list(libraries)]), *objects, *scripts)
    out = out.with_name(f"{out.stem}-{key}{out.suffix}")
    if out.exists():
        return out
    told = [f"-T{script}" for script in scripts]
    return _run([linker, *flags, *told, *map(str, objects), *libraries], out)


def shared(name: str, sources: list[Path], flags: list[str], libraries: list[str] = (), compiler="gcc") -> Path:
    """A shared object for this host: build/host/<name>-<hash>.so."""
    flags = ["-fPIC", *flags]
    objects = [compile(compiler, source, flags) for source in sources]
    return link(compiler, objects, [*flags, "-shared"], BUILD / "host" / f"{name}.so", libraries)


def library_sources(card: Card) -> list[Path]:
    """What a kernel of this card is linked from: core, modes, the cipher's constants and the card's folder. The
    linker drops what the kernel does not need."""
    folders = [ROOT / "src/core", ROOT / "src/mode", ROOT / "src" / card.cipher.lower(), card.folder]
    return sorted(path for folder in folders for path in folder.iterdir() if path.suffix in (".c", ".S"))


def ladder(target: Target, cipher: str) -> str:
    """The kernel that the target's build takes when none is named: what kernels.h says there."""
    header = ROOT / f"src/{cipher.lower()}/kernels.h"
    command = [target.compiler, f"{target.chip_flag}{target.chip}", *target.flags, "-E", "-P", "-x", "c", "-"]
    program = f'#include "{header}"\nHAECHI_{cipher}_LADDER(RUNG,)\n'
    done = subprocess.run(command, input=program, capture_output=True, text=True, check=True)
    return re.search(r"RUNG\((\w+)", done.stdout).group(1)


def elf(
    target: Target, chip: str, card: Card, kernel: str, extra: list[Path] = (), more_flags: list[str] = ()
) -> Path:
    """The program for one chip that holds one kernel, all its key sizes in both directions: bench/made/harness/harness.c
    linked with the library, the ladder being that kernel alone. Of `extra` sources (tests plant faults) the linker
    keeps every global symbol."""
    chip_flags = [f"{target.chip_flag}{chip}"]
    pick = [f"-DHAECHI_{card.cipher}_KERNEL={kernel}"]
    ladder = ROOT / "src" / card.cipher.lower() / f"{card.cipher.lower()}.c"
    flags = chip_flags + target.flags + list(more_flags)
    objects = [
        compile(target.compiler, path, flags + (pick if path == ladder else [])) for path in library_sources(card)
    ]
    objects.append(compile(target.compiler, ROOT / "bench/made/harness/harness.c", [*flags, f"-DBENCH_{card.cipher}"]))
    objects += [compile(target.compiler, ROOT / name, flags) for name in target.sources]
    planted = [compile(target.compiler, path, flags) for path in extra]
    keep = [f"--undefined={name}" for path in planted for name in _globals(path)]
    scripts = [ROOT / target.script] if target.script else []
    out = BUILD / target.name / chip / f"{kernel}.elf"
    if target.linker:
        return link(target.linker, objects + planted, target.link + keep, out, scripts=scripts)
    through = [f"-Wl,{flag}" for flag in keep]
    return link(target.compiler, objects + planted, flags + target.link + through, out, scripts=scripts)


def _globals(path: Path) -> list[str]:
    """The names that an object defines for others."""
    with path.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab").iter_symbols()
        return [s.name for s in symbols if s["st_info"]["bind"] == "STB_GLOBAL" and s["st_shndx"] != "SHN_UNDEF"]
