# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java provider on this host: the rows of results/java.csv.

Our ciphers, Bouncy Castle's ARIA and the JDK's AES are measured by JMH, each in a virtual machine of its own, with warm-up.
The native library is built with the flags that CMake takes. Of several rounds the fastest counts.
"""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from bench.declared.model import ROOT, Need, Target
from bench.made import build
from bench.measured.host import cpu_model, shipped
from bench.measured.measurement import Measurement
from bench.setup import JARS

DOOR = ROOT / "bindings/java"
HARNESS = ROOT / "bench/made/harness/java/pom.xml"
SIZES = [16, 256, 4096, 65536, 1 << 20]  # bytes of a message
OURS = "haechi"
PROVIDERS = {"SunJCE": "jdk", "BC": "bouncycastle", "Haechi": OURS}
# The operation and the sides of each mode.
MODES = {
    "GCM": ("encrypt", ["AES/GCM/NoPadding@SunJCE", "ARIA/GCM/NoPadding@BC", "ARIA/GCM/NoPadding@Haechi", "LEA/GCM/NoPadding@Haechi"]),
    "CTR": ("encrypt", ["AES/CTR/NoPadding@SunJCE", "ARIA/CTR/NoPadding@BC", "ARIA/CTR/NoPadding@Haechi", "LEA/CTR/NoPadding@Haechi",
                        "HIGHT/CTR/NoPadding@Haechi"]),
    "CBC": ("decrypt", ["AES/CBC/NoPadding@SunJCE", "ARIA/CBC/NoPadding@BC", "ARIA/CBC/NoPadding@Haechi", "LEA/CBC/NoPadding@Haechi"]),
}  # fmt: skip
# Rounds and seconds. The virtual machine needs about two seconds until it has compiled what is measured; Messages.java takes the first.
ROUNDS = ["-f", "1", "-wi", "2", "-w", "500ms", "-i", "4", "-r", "200ms"]


class Row(msgspec.Struct):
    """One algorithm of one provider."""

    mode: str
    algorithm: str
    operation: str
    side: str
    bytes: int
    mb_per_s: float
    java: str  # version
    compiler: str  # of the native library
    note: str  # the machine


class Report(msgspec.Struct, rename="camel"):
    """What of JMH's report is read."""

    class Metric(msgspec.Struct, rename="camel"):
        raw_data: list[list[float]]

    params: dict[str, str]
    vm_version: str
    primary_metric: Metric


def headers() -> list[str]:
    """Flags for the headers of the JDK whose javac is on PATH."""
    folder = Path(shutil.which("javac")).resolve().parent.parent / "include"
    return [f"-I{folder}", f"-I{folder / 'linux'}"]


def library(target: Target) -> Path:
    """The native library as CMake compiles it."""
    flags = shipped(target.compiler)
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    door = sorted([*ROOT.glob("host/*.c"), *DOOR.glob("src/main/c/*.c")])
    objects += build.compile_all(target.compiler, door, [*flags, "-Ihost", "-Isrc", *headers()])
    return build.link(target.compiler, objects, ["-shared", "-Wl,-z,defs,-z,now"], build.BUILD / "host/libhaechi_java.so")


def maven(*arguments: str | Path) -> str:
    return build.run(["mvn", "-B", "-q", f"-Dmaven.repo.local={JARS}", *arguments])


def provider(target: Target) -> None:
    """Installs the provider, with this library, in the repository of build/maven."""
    out = build.BUILD / "java"
    place = out / f"classes/haechi/native/linux-{os.uname().machine}/libhaechi_java.so"
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(library(target), place)
    maven("-f", DOOR / "pom.xml", f"-Dhaechi.build={out}", "-Dexec.skip", "-Dmaven.test.skip", "install")


def measured(target: Target, mode: str, sizes: list[int] = SIZES, rounds: list[str] = ROUNDS) -> list[Report]:
    provider(target)
    operation, sides = MODES[mode]
    with TemporaryDirectory(prefix="haechi-") as folder:
        report = Path(folder) / "report.json"
        words = ["-classpath", "%classpath", "org.openjdk.jmh.Main", "-foe", "true", "-bm", "thrpt", "-tu", "s", *rounds, "-rf", "json", "-rff", str(report),
                 "-p", f"side={','.join(sides)}", "-p", f"operation={operation}", "-p", f"bytes={','.join(map(str, sizes))}"]  # fmt: skip
        run = ["-Dexec.executable=java", f"-Dexec.args={' '.join(words)}"]
        maven("-f", HARNESS, f"-Dhaechi.build={build.BUILD / 'java-bench'}", "compile", "exec:exec", *run)
        return msgspec.json.decode(report.read_bytes(), type=list[Report])


def named(side: str) -> tuple[str, str]:
    """ARIA/GCM/NoPadding@BC: ARIA/GCM, bouncycastle."""
    algorithm, _, provider = side.partition("/NoPadding@")
    return algorithm, PROVIDERS[provider]


def rows(target: Target, mode: str) -> list[Row]:
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    made, found = " ".join([build.version(target.compiler), *optimised]), []
    for report in measured(target, mode):
        size, best = int(report.params["bytes"]), max(max(fork) for fork in report.primary_metric.raw_data)  # messages a second
        algorithm, side = named(report.params["side"])
        speed, java = round(size * best / 1e6, 2), f"OpenJDK {report.vm_version}"
        found.append(Row(mode, algorithm, report.params["operation"], side, size, speed, java, made, cpu_model()))
    return found


TARGET = Target(
    name="java", title="the Java provider", chip="", machine="java", compiler="gcc", flags=[], counter="time", packages=[],
    needs=[Need(command="gcc", package="gcc"), Need(command="javac", package="openjdk-17-jdk-headless"), Need(command="mvn", package="maven")],
)  # fmt: skip


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    """The modes; none without ARIA, because the sides of a mode belong to one run."""
    build.check(target)
    return {mode: mode for mode in MODES} if "ARIA" in ciphers else {}


def _order() -> dict[str, list]:
    algorithms = [named(side)[0] for _, sides in MODES.values() for side in sides]
    return {"mode": list(MODES), "algorithm": list(dict.fromkeys(algorithms)), "side": list(PROVIDERS.values()), "bytes": SIZES}


PROVIDER = Measurement(
    name="", row=Row, machines=("java",), alone=True, parts=parts, rows=rows, scope=("mode",), order=_order(),
)  # fmt: skip
