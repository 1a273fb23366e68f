# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Rust crate on this host: the rows of results/rust.csv.

Our ciphers, the crate aria and the crate aes are measured in turn, in one run of bindings/rust/haechi/examples/speed.rs, which cargo builds
for release, with the build script that users get. Speeds are megabytes a second of CPU time, the medians of several rounds.
"""

import os
import re
import subprocess
from pathlib import Path

import msgspec
import tomllib

from bench.declared.model import ROOT, BenchError, MissingTool, Need, Target
from bench.made import build
from bench.measured.host import cpu_model
from bench.measured.measurement import Measurement
from bench.setup import RUST, RUST_TARGET, cargo_lacks

SIZES = [16, 64, 256, 1024, 4096, 16384]  # bytes of a message
ROUNDS, MILLISECONDS = 15, 4
WAYS = ["ctr", "gcm", "blocks"]
ALGORITHMS = ["AES-128", "ARIA-128", "LEA-128", "HIGHT"]
OURS, THEIRS, BOTH = "haechi", "RustCrypto", "RustCrypto over haechi"
PEERS = ["aria", "aes", "ctr", "aes-gcm"]  # the crates that are measured, in the editions that Cargo.toml names


class Row(msgspec.Struct):
    """One algorithm of one side, in one way of use."""

    way: str
    algorithm: str
    side: str
    bytes: int
    mb_per_s: float
    crates: str  # versions
    compiler: str
    note: str  # the machine


TARGET = Target(
    name="rust", title="the Rust crate", chip="", machine="rust", compiler="gcc", flags=[], counter="CPU time", packages=[],
    needs=[Need(command="cargo", package="cargo-web or cargo"), Need(command="gcc", package="gcc")],
)  # fmt: skip


def crates() -> str:
    """The peers with their versions, like aria 0.2.0, aes 0.9.2."""
    lock = tomllib.loads((RUST / "Cargo.lock").read_text())["package"]
    wanted = tomllib.loads((RUST / "haechi/Cargo.toml").read_text())["dev-dependencies"]
    found = {name: [p["version"] for p in lock if p["name"] == name and p["version"].startswith(wanted[name])] for name in PEERS}
    return ", ".join(f"{name} {versions[0]}" for name, versions in found.items())


def program() -> Path:
    """The example, built for release."""
    command = ["cargo", "build", "--release", "--locked", "-q", "-p", "haechi", "--example", "speed"]
    done = subprocess.run(command, cwd=RUST, env={**os.environ, "CARGO_TARGET_DIR": str(RUST_TARGET)}, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{' '.join(command)}\n{done.stderr}".rstrip())
    return RUST_TARGET / "release/examples/speed"


def measured(sizes: list[int] = SIZES, rounds: int = ROUNDS, milliseconds: int = MILLISECONDS) -> list[tuple[str, str, str, int, float]]:
    """Way, algorithm, side, bytes, megabytes a second."""
    said = build.run([program(), rounds, milliseconds, ",".join(map(str, sizes))])
    return [(way, name, side, int(size), float(speed)) for way, name, side, size, speed in (line.split(";") for line in said.splitlines())]


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    """One part, because all sides belong to one run; none without ARIA, the cipher that they have in common."""
    if lacks := cargo_lacks():
        raise MissingTool(f"{target.name}: {lacks}")
    build.check(target)
    return {"speed": "speed"} if "ARIA" in ciphers else {}


def rows(target: Target, part: str) -> list[Row]:
    rustc = re.match(r"rustc \S+", build.run(["rustc", "--version"]))[0]
    made = f"{rustc} -O3, {build.version(target.compiler)} -O3"
    said, machine = crates(), cpu_model()
    return [Row(*figure, said, made, machine) for figure in measured()]


CRATE = Measurement(
    name="", row=Row, machines=("rust",), alone=True, parts=parts, rows=rows, scope=("way",),
    order={"way": WAYS, "algorithm": ALGORITHMS, "side": [THEIRS, BOTH, OURS]},
)  # fmt: skip
