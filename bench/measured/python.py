# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package on this host: the rows of results/python.csv.

Single messages are measured by CPU time, beside the package cryptography with AES. Tables of messages, each under a key of
its own, are measured by the clock: in columns, in DuckDB and in Spark, beside loops in Python. Of several rounds the fastest
counts. The module is built with the flags that CMake takes. Spark is measured where there is Java 17 or later; it is
installed, as bindings/python/test/spark.txt pins it, in a virtual environment of its own.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import version as installed
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError, Need, Target
from bench.made import build
from bench.made.cache import BUILD, digest
from bench.measured.host import cpu_model, shipped
from bench.measured.measurement import Measurement

DOOR = ROOT / "bindings/python"
PINS = DOOR / "test/spark.txt"
PROGRAM = ROOT / "bench/made/harness/python_door.py"
HEADERS = Path(sysconfig.get_path("include"))
WAYS = ["messages", "columns", "loop", "duckdb", "keys", "spark"]
PARTS = {"messages": ["messages"], "columns": ["columns", "loop"], "duckdb": ["duckdb"], "spark": ["keys", "spark"]}
SIDES = ["haechi", "numpy", "Arrow", "cryptography", "none"]
ALGORITHMS = ["LEA-128-GCM", "LEA-128-CCM", "ARIA-128-GCM", "ARIA-128-CCM", "HIGHT-EAX", "AES-128-GCM", "AES-128-CCM", "ARIA-256-KW"]


class Row(msgspec.Struct):
    """One algorithm in one way of use."""

    way: str
    algorithm: str
    operation: str
    side: str
    bytes: int
    rows: int
    threads: int
    per_s: int
    versions: str
    compiler: str
    note: str  # the machine


# ---- The package, as users get it.


def module(target: Target) -> Path:
    """_haechi, as CMake compiles it."""
    flags = shipped(target.compiler)
    own = [*sorted(DOOR.glob("src/_haechi/*.c")), ROOT / "cli/ciphers.c", ROOT / "cli/format.c"]
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    objects += build.compile_all(target.compiler, sorted(ROOT.glob("host/*.c")), [*flags, "-Ihost", "-Isrc"])
    objects += build.compile_all(target.compiler, own, [*flags, "-Ihost", "-Isrc", "-Icli", f"-I{HEADERS}"])
    return build.link(target.compiler, objects, ["-shared", "-Wl,-z,now"], BUILD / "host/_haechi.so")


def package(built: Path) -> Path:
    """A folder in which Python finds the package with this module. Several processes may make it at the same time."""
    folder = BUILD / "host/python" / digest(str(built)) / "haechi"
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*DOOR.glob("src/haechi/*"), built]:
        link = folder / ("_haechi.abi3.so" if path == built else path.name)
        if not link.is_symlink():
            fresh = folder / f".{os.getpid()}.{link.name}"
            fresh.symlink_to(path)
            fresh.replace(link)
    return folder.parent


def environment(pins: Path, *found: Path) -> Path:
    """The interpreter of a virtual environment with the packages that a file pins, which also finds those of this one and
    those in the folders `found`. It is made once."""
    folder = BUILD / "environments" / digest(sys.version, pins.read_text(), *map(str, found))
    done = folder / "done"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", pins], check=True)
        others = next(folder.glob("lib/python*/site-packages")) / "haechi.pth"
        others.write_text("\n".join(map(str, [sysconfig.get_path("purelib"), *found])))
        done.touch()
    return folder / "bin/python"


# ---- The measurement.

TARGET = Target(
    name="python", title="the Python package", chip="", machine="python", compiler="gcc", flags=[], counter="time",
    packages=[],
    needs=[Need(command="gcc", package="gcc"), Need(command="cmake", package="cmake"),
           Need(header=str(HEADERS / "Python.h"), compiler="gcc", package="python3-dev")],
)  # fmt: skip


def figures(part: str, package: Path, scale: int = 1) -> Iterator[tuple]:
    """What the program prints: way, algorithm, operation, side, bytes, rows, threads, messages a second."""
    python = environment(PINS, package) if part == "spark" else sys.executable
    env = {**os.environ, "PYTHONPATH": str(package), "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python),
           "SPARK_LOCAL_IP": "127.0.0.1"}  # fmt: skip
    command = [str(word) for word in (python, PROGRAM, part, scale)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{' '.join(command)}\n{done.stderr}".rstrip())
    for line in done.stdout.splitlines():
        *words, length, rows, threads, speed = line.split()
        yield *words, int(length), int(rows), int(threads), round(float(speed))


def versions(part: str) -> str:
    """Of Python and of the packages that take part."""
    names = {"messages": ["cryptography"], "columns": ["numpy", "pyarrow", "cryptography"], "duckdb": ["duckdb"], "spark": []}[part]
    said = [f"Python {sys.version.split()[0]}", *(f"{name} {installed(name)}" for name in names)]
    if part == "spark":
        said += [line.split()[0].replace("==", " ") for line in PINS.read_text().splitlines() if line.startswith("pyspark")]
        said.append("Java " + build.run(["java", "--version"]).split()[1])
    return ", ".join(said)


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    """What can be measured here; nothing without all ciphers, because the sides of a table belong to one run."""
    build.check(target)
    if {*ciphers} < {"LEA", "HIGHT", "ARIA"}:
        return {}
    return {part: part for part in PARTS if part != "spark" or shutil.which("java")}


def rows(target: Target, part: str) -> list[Row]:
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    made = " ".join([build.version(target.compiler), *optimised])
    found = figures(part, package(module(target)))
    return [Row(*figure, versions(part), made, cpu_model()) for figure in found]


def lacks(target: Target) -> list[str]:
    return [] if shutil.which("java") else ["Spark: it needs Java (Debian package openjdk-17-jre-headless)"]


PACKAGE = Measurement(
    name="", row=Row, machines=("python",), alone=True, parts=parts, rows=rows, lacks=lacks, scope=("way",),
    order={"way": WAYS, "algorithm": ALGORITHMS, "operation": ["seal", "open"], "side": SIDES},
)  # fmt: skip
