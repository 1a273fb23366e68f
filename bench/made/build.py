# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles and links programs for targets and for this host, through the cache, so that a second run finds them made.

The files are in build/objects and build/<target>. The name of each contains a hash of its content. Several processes
may build at the same time.
"""

import os
import re
import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path

from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT, BenchError, Card, MissingTool, Target
from bench.made.cache import BUILD, digest, kept, note, once, tool


def check(target: Target) -> None:
    """Raises MissingTool, naming every package that is missing, unless the target can be built and run here."""
    missing = []
    for need in target.needs:
        if need.command:
            here = shutil.which(tool(need.command)) is not None
        else:
            here = shutil.which(tool(need.compiler)) is not None and _has_header(tool(need.compiler), need.header)
        if not here:
            missing.append((need.command or need.header, need.package))
    if missing:
        names = ", ".join(f"{name} (Debian package {package})" for name, package in missing)
        raise MissingTool(f"{target.name}: missing {names}")


@cache
def _has_header(compiler: str, header: str) -> bool:
    command = [compiler, "-E", "-x", "c", "-", "-o", "/dev/null"]
    return subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True).returncode == 0


@once
def version(compiler: str) -> str:
    """The compiler's name and version, like avr-gcc 5.4.0."""
    said = run([tool(compiler), "-dumpfullversion", "-dumpversion"])
    return f"{tool(compiler)} {said.strip()}"


def run(command: list) -> str:
    """Runs a command in the project's folder and returns its standard output. Raises MissingTool if there is no such
    program, and BenchError with the program's messages if it fails."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        raise MissingTool(f"{command[0]} is missing") from None
    if done.returncode:
        raise BenchError(f"{' '.join(command)}\n{done.stderr or done.stdout}".rstrip())
    return done.stdout


# ---- Compiling and linking.


def _fresh(suffix: str) -> Path:
    """The name of a file that no other process writes."""
    folder = BUILD / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f".{os.getpid()}{suffix}"


def _named_by_content(fresh: Path, out: Path) -> Path:
    """Moves a complete file to out, with a hash of its content before the suffix."""
    out = out.with_name(f"{out.stem}-{digest(fresh)}{out.suffix}")
    out.parent.mkdir(parents=True, exist_ok=True)
    return fresh.replace(out)


def _note_dependencies(path: Path) -> None:
    """The files that a compiler read, from what it prints in the form of make."""
    note(*(ROOT / name for name in path.read_text().replace("\\\n", " ").split()[1:]))
    path.unlink()


@kept
def compile(compiler: str, source: Path, flags: list[str]) -> Path:
    """The object of one C, C++ or assembly source."""
    source = source.resolve()
    name = str(source.relative_to(ROOT)) if source.is_relative_to(ROOT) else str(source)
    fresh, dependencies = _fresh(".o"), _fresh(".d")
    run([tool(compiler), *flags, "-MD", "-MF", dependencies, "-c", name, "-o", fresh])
    _note_dependencies(dependencies)
    return _named_by_content(fresh, BUILD / "objects" / f"{source.stem}.o")


def compile_all(compiler: str, sources: list[Path], flags: list[str]) -> list[Path]:
    """The objects of these sources, which are compiled side by side."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(compile, repeat(compiler), sources, repeat(flags)))


@kept
def link(
    linker: str, objects: list[Path], flags: list[str], out: Path, libraries: list[str] = (), scripts: list[Path] = ()
) -> Path:
    """Links objects to a file named like out. A linker that is not a compiler takes --trace itself."""
    trace = "--trace" if tool(linker).startswith("ld") else "-Wl,--trace"
    told = [word for script in scripts for word in ("-T", script)]
    fresh = _fresh(out.suffix)
    said = run([tool(linker), *flags, *told, *objects, *libraries, trace, "-o", fresh])
    note(*(path for path in re.findall(r"[^\s()]+", said) if os.path.isfile(path)))
    return _named_by_content(fresh, out)


def shared(name: str, sources: list[Path], flags: list[str], libraries: list[str] = (), compiler="gcc") -> Path:
    """A shared object for this host: build/host/<name>-<hash>.so."""
    flags = ["-fPIC", *flags]
    objects = [compile(compiler, source, flags) for source in sources]
    return link(compiler, objects, [*flags, "-shared"], BUILD / "host" / f"{name}.so", libraries)


def library_sources(card: Card) -> list[Path]:
    """The sources from which a kernel of this card is linked: core, modes, the cipher's constants and the card's
    folder. The linker drops what the kernel does not need."""
    folders = [ROOT / "src/core", ROOT / "src/mode", ROOT / "src" / card.cipher.lower(), card.folder]
    return sorted(path for folder in folders for path in folder.iterdir() if path.suffix in (".c", ".S"))


@kept
def ladder(target: Target, cipher: str, chip: str = "") -> list[str]:
    """The kernels that a build for the chip has by default, best first: the rungs of kernels.h. Without a chip it is the
    target's. A target without an operating system has one kernel."""
    program, dependencies = _fresh(".c"), _fresh(".d")
    program.write_text(f'#include "{ROOT}/src/{cipher.lower()}/kernels.h"\nHAECHI_{cipher}_LADDER(RUNG,)\n')
    flags = [f"{target.chip_flag}{chip or target.chip}"] if target.chip else []
    said = run([tool(target.compiler), *flags, *target.flags, "-E", "-P", "-MD", "-MF", dependencies, program])
    _note_dependencies(dependencies)
    program.unlink()
    return re.findall(r"RUNG\((\w+)", said)


def objects(target: Target, chip: str, card: Card, kernel: str, more_flags: list[str] = ()) -> list[Path]:
    """The library for one chip, with this kernel alone on the ladder, and bench/made/harness/harness.c."""
    flags = [f"{target.chip_flag}{chip}", *target.flags, *more_flags]
    pick = [f"-DHAECHI_{card.cipher}_KERNEL={kernel}"]
    ladder = ROOT / "src" / card.cipher.lower() / f"{card.cipher.lower()}.c"
    made = [compile(target.compiler, path, flags + (pick if path == ladder else [])) for path in library_sources(card)]
    harness = compile(target.compiler, ROOT / "bench/made/harness/harness.c", [*flags, f"-DBENCH_{card.cipher}"])
    return [*made, harness, *(compile(target.compiler, ROOT / name, flags) for name in target.sources)]


def elf(
    target: Target, chip: str, card: Card, kernel: str, extra: list[Path] = (), more_flags: list[str] = ()
) -> Path:
    """The program for one chip that holds one kernel with all its key sizes in both directions. The linker keeps the
    functions to which no descriptor points, and every global symbol of the `extra` sources, in which tests plant faults."""
    flags = [f"{target.chip_flag}{chip}", *target.flags, *more_flags]
    planted = [compile(target.compiler, path, flags) for path in extra]
    keep = [*card.from_flash(kernel), *(name for path in planted for name in names(path))]
    out = BUILD / target.name / chip / f"{kernel}.elf"
    return link_for(target, flags, [*objects(target, chip, card, kernel, more_flags), *planted], keep, out)


def link_for(target: Target, flags: list[str], objects: list[Path], keep: list[str], out: Path) -> Path:
    """Links for a target. The linker keeps the names in `keep`, even if nothing refers to them."""
    scripts = [ROOT / target.script] if target.script else []
    undefined = [f"--undefined={name}" for name in keep]
    if target.linker:
        return link(target.linker, objects, target.link + undefined, out, scripts=scripts)
    through = [f"-Wl,{flag}" for flag in undefined]
    return link(target.compiler, objects, flags + target.link + through, out, scripts=scripts)


def names(path: Path) -> list[str]:
    """The names that an object defines and other objects can use."""
    with path.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab").iter_symbols()
        return [s.name for s in symbols if s["st_info"]["bind"] == "STB_GLOBAL" and s["st_shndx"] != "SHN_UNDEF"]
