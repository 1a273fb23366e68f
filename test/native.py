# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds of the library and of small C programs for the tests, cached under build/ by the hash of what goes in."""

import hashlib
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS_OWN = ("-DKERNELS=", "-DPLANT_", "-DTAINT", "-DTHREADS", "-DRESIDUE", "-DHAECHI_THREADS_WORTH=", "-fopenmp")  # which nothing in src/ reads
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


def build(name: str, files: list[Path], flags: list[str], compiler: str = "gcc", libs: list[str] = ()) -> Path:
    """build/test/<hash>/<name>, made from files; headers count into the hash. What is of src/ is compiled once for all
    programs that want it alike."""
    headers = sorted(h for f in ("src/**", "bench/made/harness", "host", "cli", "test/**") for h in ROOT.glob(f"{f}/*.h"))
    common = b"".join(path.read_bytes() for path in headers)

    def made(name: str, what: list, inputs: list[Path], command: list) -> Path:
        h = hashlib.sha256(repr(what).encode() + common)
        for path in inputs:
            h.update(path.read_bytes())
        out = ROOT / "build/test" / h.hexdigest()[:16] / name
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            fresh = out.with_name(f"{name}.{os.getpid()}")
            run([*command, "-o", fresh])
            fresh.replace(out)
        return out

    include = [f"-I{ROOT / 'src'}", f"-I{ROOT / 'test'}"]
    shared = [f for f in flags if not f.startswith(PROGRAMS_OWN)]
    parts = []
    for path in files:
        if ROOT / "src" in path.parents:
            command = [compiler, *shared, *include, "-c", path]
            path = made(f"{path.name}.o", [compiler, shared, str(path)], [path], command)
        parts.append(path)
    what = [name, compiler, [str(f) for f in files], flags, libs]
    return made(name, what, sorted(set(files)), [compiler, *flags, *include, *parts, *libs])
