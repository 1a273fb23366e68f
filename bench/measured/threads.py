# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counter mode by 1 to 8 threads on this host: the rows of results/host-threads.csv.

bench/made/harness/threads.c is built with OpenMP and the whole library. It encrypts a buffer that is larger than the
caches of a core, by calls of 8 MiB. The fastest call counts, because other programs interrupt most of them. The figure
is bytes per second; beside it stands what memory allows: the same buffers, copied by as many threads.
"""

import os
import re
import subprocess
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError, Target
from bench.made import build
from bench.made.cache import kept
from bench.measured.host import cpu_model, shipped
from bench.measured.measurement import Measurement

BYTES, CALL, MOST, ROUNDS = 64 << 20, 8 << 20, 8, 60


class Threads(msgspec.Struct):
    """Counter mode over a large buffer."""

    cipher: str
    threads: int
    mb_per_s: float
    speedup: float  # over one thread
    of_memory: float  # share of what copying reaches with as many threads
    cores: int  # of the machine, physical
    compiler: str
    note: str  # the machine


def cores() -> int:
    """Physical cores that this process may use."""
    mine = os.sched_getaffinity(0)
    first = set()
    for cpu in mine:
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        first.add(path.read_text().strip() if path.exists() else str(cpu))
    return len(first)


def program(target: Target) -> Path:
    """The library as CMake compiles it, and the benchmark."""
    flags = shipped(target.compiler)
    threaded = [*flags, "-std=gnu99", "-fopenmp", "-Isrc", "-Ihost"]
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    objects += build.compile_all(target.compiler, [ROOT / "host/threads.c", ROOT / "bench/made/harness/threads.c"], threaded)
    return build.link(target.compiler, objects, ["-fopenmp"], build.BUILD / "host/threads")


@kept
def measured(program: Path, cpu: str, how: tuple[int, ...]) -> str:
    """What the benchmark printed."""
    waiting = {**os.environ, "OMP_WAIT_POLICY": "passive"}  # who spins on a busy machine keeps others from working
    done = subprocess.run([program, *map(str, how)], capture_output=True, text=True, env=waiting)
    if done.returncode:
        raise BenchError(f"threads: exit code {done.returncode} {done.stderr.strip()}")
    return done.stdout


def parts(target: Target, ciphers: list[str]) -> dict[str, list[str]]:
    """One: the program measures all ciphers."""
    build.check(target)
    return {"threads": ciphers}


def rows(target: Target, ciphers: list[str], how: tuple = (BYTES, CALL, MOST, ROUNDS)) -> list[Threads]:
    """The rows of these ciphers (LEA, HIGHT, ARIA)."""
    said = measured(program(target), cpu_model(), how)
    speed = {(c, int(n)): float(s) for c, n, s in re.findall(r"^(\S+) (\d+) (\d+)$", said, re.M)}
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    compiler = " ".join([build.version(target.compiler), *optimised])
    return [
        Threads(
            cipher, n, round(s / 1e6, 1), round(s / speed[cipher, 1], 2), round(s / speed["memory", n], 2), cores(),
            compiler, cpu_model(),
        )
        for (cipher, n), s in speed.items()
        if cipher.partition("-")[0] in ciphers
    ]  # fmt: skip


THREADS = Measurement(name="threads", row=Threads, machines=("host",), alone=True, parts=parts, rows=rows)
