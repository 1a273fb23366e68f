# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many short messages on this host, each under a raw key of its own: the rows of results/host-gateway.csv.

bench/made/harness/gateway.c is built with the whole library, as CMake compiles it. One call for all messages and a call
for each take turns, with each kernel that the library takes on this CPU and on lesser ones. Figures are nanoseconds of CPU time for a message:
expansion of the key and the message itself. They are lower quartiles of the rounds of a process, and of these the medians of several
processes: where the stack lies differs from process to process, and with it how long stores and loads wait for each other.
"""

import re
import subprocess
from pathlib import Path
from statistics import median

import msgspec

from bench.declared.model import ROOT, BenchError, Target
from bench.made import build
from bench.made.cache import kept
from bench.measured.host import cpu_model, processor, shipped
from bench.measured.measurement import Measurement

PROCESSES, ROUNDS, MICROSECONDS = 11, 9, 800
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
    """What the benchmark printed, in so many processes."""
    printed = []
    for _ in range(how[0]):
        done = subprocess.run([program, *map(str, how[1:])], capture_output=True, text=True)
        if done.returncode:
            raise BenchError(f"gateway: exit code {done.returncode} {done.stderr.strip()}")
        printed.append(done.stdout)
    return "".join(printed)


def parts(target: Target, ciphers: list[str]) -> dict[str, list[str]]:
    """One: the program measures all ciphers."""
    build.check(target)
    return {"gateway": ciphers}


def rows(target: Target, ciphers: list[str], how: tuple[int, ...] = (PROCESSES, ROUNDS, MICROSECONDS)) -> list[Row]:
    """The rows of these ciphers (LEA, HIGHT, ARIA)."""
    said = measured(program(target), cpu_model(), how)
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    compiler = " ".join([build.version(target.compiler), *optimised])
    found: dict[tuple[str, ...], list[tuple[float, ...]]] = {}
    for *case, ns, one, ghz in re.findall(r"^(\S+) (\S+) (\S+) (\d+) (\d+) (\S+) (\S+) (\S+)$", said, re.M):
        found.setdefault(tuple(case), []).append((float(ns), float(one), float(ghz)))
    rows = []
    for (cipher, kernel, mode, size, jobs), figures in found.items():
        ns, one, ghz = (median(column) for column in zip(*figures, strict=True))
        if cipher.partition("-")[0] in ciphers:
            rows.append(Row(cipher, kernel, mode, int(size), int(jobs), round(ns, 1), round(one, 1), round(one / ns, 2), round(ghz, 2) or None, compiler, processor()))
    return rows


GATEWAY = Measurement(name="gateway", row=Row, machines=("host",), alone=True, parts=parts, rows=rows, scope=("cipher", "note"))
