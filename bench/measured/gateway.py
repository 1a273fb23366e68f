# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many short messages on this host, each under a raw key of its own: the rows of results/host-gateway.csv.

bench/made/harness/gateway.c is built with the whole library, as CMake compiles it. One call for all messages and a call
for each take turns, with each kernel that the library takes on this CPU and on lesser ones. Figures are nanoseconds of CPU time for a message:
expansion of the key and the message itself. They are lower quartiles of the rounds.
"""

import re
import subprocess
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError, Target
from bench.made import build
from bench.made.cache import kept
from bench.measured.host import cpu_model, processor, shipped
from bench.measured.measurement import Measurement

ROUNDS, MICROSECONDS = 99, 800
MODES = ["ctr", "cmac", "gcm", "ccm", "eax"]


class Row(msgspec.Struct):
    """So many messages of one length in one mode."""

    cipher: str
    kernel: str
    mode: str
    bytes: int
    jobs: int
    ns: float  # in one call
    one_by_one_ns: float
    times: float  # faster in one call
    ghz: float | None  # core cycles per ns; None where they cannot be counted
    compiler: str
    note: str  # the machine


def program(target: Target) -> Path:
    """The library and the benchmark."""
    flags = shipped(target.compiler)
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    objects += build.compile_all(target.compiler, [ROOT / "bench/made/harness/gateway.c"], [*flags, "-std=gnu99", "-Isrc"])
    return build.link(target.compiler, objects, [], build.BUILD / "host/gateway")


@kept
def measured(program: Path, cpu: str, how: tuple[int, ...]) -> str:
    """What the benchmark printed."""
    done = subprocess.run([program, *map(str, how)], capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"gateway: exit code {done.returncode} {done.stderr.strip()}")
    return done.stdout


def parts(target: Target, ciphers: list[str]) -> dict[str, list[str]]:
    """One: the program measures all ciphers."""
    build.check(target)
    return {"gateway": ciphers}


def rows(target: Target, ciphers: list[str], how: tuple[int, ...] = (ROUNDS, MICROSECONDS)) -> list[Row]:
    """The rows of these ciphers (LEA, HIGHT, ARIA)."""
    said = measured(program(target), cpu_model(), how)
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    compiler = " ".join([build.version(target.compiler), *optimised])
    found = re.findall(r"^(\S+) (\S+) (\S+) (\d+) (\d+) (\S+) (\S+) (\S+)$", said, re.M)
    return [
        Row(cipher, kernel, mode, int(size), int(jobs), float(ns), float(one), round(float(one) / float(ns), 2), float(ghz) or None, compiler, processor())
        for cipher, kernel, mode, size, jobs, ns, one, ghz in found if cipher.partition("-")[0] in ciphers
    ]  # fmt: skip


GATEWAY = Measurement(name="gateway", row=Row, machines=("host",), alone=True, parts=parts, rows=rows, scope=("cipher", "note"))
