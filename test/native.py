# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds of the library and of small C programs for the tests, cached under build/ by the hash of what goes in."""

import fcntl
import re
import subprocess
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from bench.made.build import compile, link
from bench.made.cache import BUILD, digest

ROOT = Path(__file__).resolve().parent.parent
# The flags of most programs of the tests, so that the library is compiled once for all of them.
USUAL = ["-std=gnu99", "-g1", "-O2", "-fPIC", "-ffunction-sections", "-fdata-sections"]
NOT_FOR_SRC = (f"-I{ROOT / 'host'}", "-iquote", "-shared", "-static", "-fopenmp", "-pthread", "-Wl,")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def sources() -> list[Path]:
    """The files of src/ that a compiler is given; an Arduino compiles the same ones."""
    return sorted(p for p in ROOT.glob("src/**/*") if p.suffix in (".c", ".S"))


def run(command: list, **kwargs) -> subprocess.CompletedProcess:
    """Runs a program; if it fails, raises with the command and all of its output."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


@contextmanager
def lock(name: str, wait: bool = True):
    """Holds build/test/locks/<name>, so that one of several workers makes what all of them need. Without `wait` it
    yields False if another process holds the lock."""
    path = BUILD / "test/locks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB * (not wait))
        except BlockingIOError:
            yield False
        else:
            yield True


@cache
def whole(path: Path) -> str:
    """A C source with everything that it includes by a path relative to its own folder."""
    text = path.read_text()
    inner = [path.parent / name for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)]
    return text + "".join(whole(p.resolve()) for p in inner if p.exists() and p.suffix == ".h")


def objects(files: list[Path], flags: list[str], compiler: str) -> list[Path]:
    """One object for each file, from the bench's cache. A file of src/ is compiled once for all programs whose options
    do not change it: a definition counts only if the file mentions it, and an option of the linker never does. There
    must be no warning, except under sanitizers, which make compilers warn of faults that do not exist. Two workers
    share the work: each passes over a file that the other one is compiling, and returns to it later."""
    made = {}
    for wait in (False, True):
        for path in [p for p in files if p not in made]:
            own = [*flags, f"-I{ROOT / 'src'}", f"-I{ROOT / 'test'}"]
            if ROOT / "src" in path.parents:
                own = [f for f in flags if not f.startswith(NOT_FOR_SRC)]
                own = [*WARNINGS * ("-fsanitize" not in " ".join(flags)), *own, "-std=c99"]
                own = [f for f in own if f[:2] != "-D" or re.split(r"[=(]", f[2:])[0] in whole(path)]
            with lock(digest(compiler, str(path), repr(own)), wait) as held:
                if held:
                    made[path] = compile(compiler, path, own)
    return [made[path] for path in files]


def build(name: str, files: list[Path], flags: list[str], compiler: str = "gcc", libs: list[str] = ()) -> Path:
    """A program, or a shared object where flags say so: build/test/<name> with a hash of its content in the name."""
    parts = objects(list(files), flags, compiler)
    flags = [f for f in flags if not f.startswith(("-D", "-I", "-iquote"))]
    with lock(digest(name, compiler, repr(flags), *map(str, parts))):
        return link(compiler, parts, flags, BUILD / "test" / name, list(libs))
