# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds of the library and of small C programs for the tests, cached under build/ by the hash of what goes in."""

import fcntl
import os
import re
import subprocess
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from bench.made import build as cache_of_builds

ROOT = Path(__file__).resolve().parent.parent
# What most programs of the tests are built with, so that the library is compiled once for all of them.
USUAL = ["-std=gnu99", "-g", "-O2", "-fPIC", "-ffunction-sections", "-fdata-sections"]
NOT_FOR_OBJECTS = (f"-I{ROOT / 'host'}", "-iquote", "-shared", "-static", "-fopenmp", "-pthread", "-Wl,")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def sources() -> list[Path]:
    """All of src/ that a compiler is given, as an Arduino would."""
    return sorted(p for p in ROOT.glob("src/**/*") if p.suffix in (".c", ".S"))


def run(command: list, **kwargs) -> subprocess.CompletedProcess:
    """Runs it; when it fails, raises with the command and all that it said."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


@contextmanager
def lock(name: str, wait: bool = True):
    """Holds build/test/locks/<name>, so that of several workers one makes what all of them want; without `wait`, yields
    False where another process holds it."""
    path = ROOT / "build/test/locks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB * (not wait))
        except BlockingIOError:
            yield False
        else:
            yield True


@cache
def _reads(path: Path) -> str:
    """A file of src/ with all that it includes."""
    text = path.read_text()
    inner = (path.parent / name for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M))
    return "\n".join([text, *(_reads(p.resolve()) for p in inner if p.exists())])


def objects(files: list[Path], flags: list[str], compiler: str) -> list[Path]:
    """Files of src/ compiled once for all programs that want them alike. A definition counts only for files that
    mention its name, and options of the linker for none. Two workers share the work: each passes over a file that the
    other one is compiling, and comes back for it."""
    found = {}
    for wait in (False, True):
        for path in [p for p in files if p not in found]:
            own = [f for f in flags if not f.startswith(NOT_FOR_OBJECTS)]
            own = [f for f in own if f[:2] != "-D" or re.split(r"[=(]", f[2:])[0] in _reads(path)]
            name = cache_of_builds.digest(compiler, str(path.relative_to(ROOT)), repr(own))
            with lock(name, wait) as held:
                if held:
                    found[path] = cache_of_builds.compile(compiler, path, own)
    return [found[path] for path in files]


def build(name: str, files: list[Path], flags: list[str], compiler: str = "gcc", libs: list[str] = ()) -> Path:
    """build/test/<hash>/<name>: a program, or a shared object where flags say so. Its key covers the files, all headers
    of the project, flags and the compiler's version."""
    ours = [f for f in files if ROOT / "src" in f.parents]
    parts = dict(zip(ours, objects(ours, flags, compiler), strict=True))
    headers = sorted(h for f in ("src/**", "bench/made/harness", "host", "cli", "test/**") for h in ROOT.glob(f"{f}/*.h"))
    alone = sorted({*files} - parts.keys())
    what = repr([name, compiler, cache_of_builds.version(compiler), list(map(str, files)), flags, libs])
    key = cache_of_builds.digest(what, *headers, *alone, *(str(part) for part in parts.values()))
    out = ROOT / "build/test" / key / name
    with lock(key):
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            include = [f"-I{ROOT / 'src'}", f"-I{ROOT / 'test'}"]
            fresh = out.with_name(f"{name}.{os.getpid()}")
            run([compiler, *flags, *include, *(parts.get(f, f) for f in files), *libs, "-o", fresh])
            fresh.replace(out)
    return out
