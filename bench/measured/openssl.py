# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider on this host: the rows of results/openssl.csv.

Our ciphers, OpenSSL's own ARIA and its AES are measured in turn, in one run: through EVP, in TLS 1.2 records, in a
download by curl and in Node. The provider is built with the flags that CMake takes. Speeds are megabytes a second of
CPU time, so that waiting counts for nothing; of several rounds the fastest counts.
"""

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from bench.declared.model import ROOT, BenchError, Need, Target
from bench.made import build
from bench.measured.host import cpu_model, shipped
from bench.measured.measurement import Measurement

DOOR = ROOT / "bindings/openssl"
SIZES = [16, 64, 256, 1024, 4096, 16384]  # bytes of a message, of a piece of one, of a record
DOWNLOAD = 50_000_000  # bytes
ROUNDS = 5
WAYS = ["pieces", "messages", "tls", "curl", "node"]
BUILT_IN, OURS = "built-in", "haechi"
# The algorithms of a mode that are measured together, each with the sides that have it.
MODES = {
    mode: [(f"AES-{mode}", BUILT_IN), (f"ARIA-{mode}", BUILT_IN), (f"ARIA-{mode}", OURS), (f"LEA-{mode}", OURS)]
    for mode in ("128-GCM", "256-GCM", "128-CCM", "128-CTR", "128-CBC")
}
SUITES = [
    ("ECDHE-RSA-AES128-GCM-SHA256", BUILT_IN), ("ECDHE-ARIA128-GCM-SHA256", BUILT_IN), ("ECDHE-ARIA128-GCM-SHA256", OURS),
]  # fmt: skip
IN_NODE = [("aes-128-gcm", BUILT_IN), ("aria-128-gcm", BUILT_IN), ("aria-128-gcm", OURS)]


class Row(msgspec.Struct):
    """One algorithm, of OpenSSL or ours, in one way of use."""

    way: str
    algorithm: str
    operation: str
    side: str
    bytes: int
    mb_per_s: float
    openssl: str  # version
    compiler: str
    note: str  # the machine


class Place(msgspec.Struct):
    """A folder that lives as long as the measurement, with the module, its configuration and a certificate."""

    folder: Path

    @property
    def certificate(self) -> list[Path]:
        return [self.folder / "cert.pem", self.folder / "key.pem"]

    def environment(self, side: str) -> dict[str, str]:
        config = self.folder / "openssl.cnf" if side == OURS else "/dev/null"
        return {**os.environ, "OPENSSL_CONF": str(config), "OPENSSL_MODULES": str(self.folder)}


def module(target: Target) -> Path:
    """The provider as CMake compiles it."""
    flags = shipped(target.compiler)
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    door = sorted([*ROOT.glob("host/*.c"), *DOOR.glob("*.c")])
    objects += build.compile_all(target.compiler, door, [*flags, "-Ihost", "-Isrc"])
    options = ["-shared", f"-Wl,--version-script={DOOR / 'exports.map'},-z,defs,-z,now"]
    return build.link(target.compiler, objects, options, build.BUILD / "host/haechi.so")


@contextmanager
def place(target: Target) -> Iterator[Place]:
    with TemporaryDirectory(prefix="haechi-") as name:
        here = Place(Path(name))
        shutil.copy(module(target), here.folder / "haechi.so")
        config = here.folder / "openssl.cnf"
        text = (DOOR / "openssl.cnf.in").read_text().replace("@HAECHI_OPENSSL_CONFIG@", str(config))
        config.write_text(text.replace("@HAECHI_OPENSSL_MODULE@", str(here.folder / "haechi.so")))
        certificate, key = here.certificate
        run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key,
             "-out", certificate], here.environment(BUILT_IN))  # fmt: skip
        yield here


def run(command: list, environment: dict[str, str]) -> str:
    """Its standard output. Raises BenchError with what it said where it fails."""
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{' '.join(map(str, command))}\n{done.stderr}".rstrip())
    return done.stdout


def program(name: str, target: Target) -> Path:
    """A program of bench/made/harness, linked with libssl and libcrypto."""
    made = build.compile(target.compiler, ROOT / f"bench/made/harness/{name}.c", ["-std=gnu11", "-O2"])
    return build.link(target.compiler, [made], [], build.BUILD / "host" / name, ["-lssl", "-lcrypto"])


def version() -> str:
    """Of the library that the programs use, like OpenSSL 3.0.19."""
    return " ".join(build.run(["openssl", "version"]).split()[:2])


# ---- The ways. Each yields: way, algorithm, operation, side, bytes, megabytes a second.

Figures = Iterator[tuple[str, str, str, str, int, float]]


def in_evp(here: Place, target: Target, sizes: list[int] = SIZES) -> Figures:
    provider = {BUILT_IN: "default", OURS: "haechi"}
    for mode, sides in MODES.items():
        if mode == "128-CTR":
            sides = [*sides, ("HIGHT-CTR", OURS)]
        for operation in ("enc", "dec") if mode == "128-CBC" else ("enc",):
            names = {f"{algorithm}@{provider[side]}": (algorithm, side) for algorithm, side in sides}
            command = [program("openssl_evp", target), operation, ",".join(map(str, sizes)), *names]
            for line in run(command, here.environment(BUILT_IN)).splitlines():
                name, way, length, speed = line.split()
                yield way, names[name][0], operation, names[name][1], int(length), float(speed)


def best(sides: list[tuple[str, str]], sizes: list[int], measure: Callable[[str, str, int], float], rounds: int):
    """The fastest of some rounds, in which the sides take turns: algorithm, side, bytes, megabytes a second."""
    for length in sizes:
        found = [[measure(*side, length) for side in sides] for _ in range(rounds)]
        for side, speeds in zip(sides, zip(*found, strict=True), strict=True):
            yield *side, length, round(max(speeds), 2)


def in_tls(here: Place, target: Target, sizes: list[int] = SIZES, rounds: int = ROUNDS) -> Figures:
    """Records of TLS 1.2 from one end to the other in one process: each is sealed and opened."""

    def speed(suite: str, side: str, length: int) -> float:
        query = "?provider=haechi" if side == OURS else ""
        amount = max(1, length // 64)  # megabytes
        command = [program("openssl_tls", target), *here.certificate, suite, query, length, amount]
        return float(run(command, here.environment(BUILT_IN)))

    for suite, side, length, found in best(SUITES, sizes, speed, rounds):
        yield "tls", suite, "both", side, length, found


@contextmanager
def server(here: Place) -> Iterator[int]:
    """openssl s_server with our ciphers, which serves the files of the folder; its port."""
    command = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-tls1_2"]
    command += ["-WWW", "-cipher", ":".join(dict(SUITES))]
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, env=here.environment(OURS), cwd=here.folder, **options) as process:
        try:
            for line in process.stdout:
                if found := re.match(r"ACCEPT .*:(\d+)$", line):
                    yield int(found[1])
                    break
            else:
                raise BenchError("openssl s_server ended before it accepted connections")
        finally:
            process.kill()


def in_curl(here: Place, target: Target, size: int = DOWNLOAD, rounds: int = ROUNDS) -> Figures:
    """A download: the CPU time of curl alone, with all that it does besides decryption."""
    (here.folder / "file").write_bytes(os.urandom(1 << 16) * (size >> 16) + bytes(size & 0xFFFF))

    def cpu() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    with server(here) as port:

        def speed(suite: str, side: str, length: int) -> float:
            command = ["curl", "-sk", "--tls-max", "1.2", "--ciphers", suite, "-o", here.folder / "got", "-w",
                       "%{size_download}", f"https://127.0.0.1:{port}/file"]  # fmt: skip
            before = cpu()
            said = run(command, here.environment(side))
            took = cpu() - before
            if (here.folder / "got").read_bytes() != (here.folder / "file").read_bytes():
                raise BenchError(f"curl with {suite}: {said} bytes came that are not the file")
            return length / 1e6 / took

        for suite, side, length, found in best(SUITES, [size], speed, rounds):
            yield "curl", suite, "dec", side, length, found


NODE = """
const crypto = require('crypto'), [name, size, count] = process.argv.slice(1);
const key = Buffer.alloc(16), iv = Buffer.alloc(12), text = Buffer.alloc(+size), from = process.cpuUsage();
for (let i = 0; i < +count; i++) {
    iv.writeUInt32LE(i);
    const c = crypto.createCipheriv(name, key, iv);
    c.update(text); c.final(); c.getAuthTag();
}
const {user, system} = process.cpuUsage(from);
console.log(size * count / (user + system));
"""


def in_node(here: Place, target: Target, sizes: list[int] = SIZES, rounds: int = ROUNDS) -> Figures:
    """One cipher object for each message, as Node has it."""

    def speed(name: str, side: str, length: int) -> float:
        options = ["--openssl-shared-config", f"--openssl-config={here.folder / 'openssl.cnf'}"] if side == OURS else []
        command = ["node", *options, "-e", NODE, name, length, 4_000 if length > 1000 else 20_000]
        return float(run(command, here.environment(BUILT_IN)))

    for name, side, length, found in best(IN_NODE, sizes, speed, rounds):
        yield "node", name, "enc", side, length, found


# ---- The measurement.

NEEDS = {"curl": ("curl", in_curl), "node": ("nodejs", in_node)}  # program: Debian package, way
TARGET = Target(
    name="openssl", title="the OpenSSL provider", chip="", machine="openssl", compiler="gcc", flags=[],
    counter="CPU time", packages=[],
    needs=[Need(header="openssl/core_dispatch.h", compiler="gcc", package="libssl-dev"),
           *(Need(command=name, package=name) for name in ("gcc", "cmake", "openssl"))],
)  # fmt: skip


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    """The ways that can be measured here; none without ARIA, because the sides of a way belong to one run."""
    build.check(target)
    if "ARIA" not in ciphers:
        return {}
    return {way: way for way in ("evp", "tls", "curl", "node") if way not in NEEDS or shutil.which(way)}


def rows(target: Target, way: str) -> list[Row]:
    ways = {"evp": in_evp, "tls": in_tls} | {name: function for name, (_, function) in NEEDS.items()}
    said = version()
    if way == "node":  # it may bring a library of its own
        said = "OpenSSL " + build.run(["node", "-p", "process.versions.openssl"]).strip()
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    made = " ".join([build.version(target.compiler), *optimised])
    with place(target) as here:
        return [Row(*figure, said, made, cpu_model()) for figure in ways[way](here, target)]


def lacks(target: Target) -> list[str]:
    missing = [(name, package) for name, (package, _) in NEEDS.items() if not shutil.which(name)]
    return [f"{name} (Debian package {package}) with the provider" for name, package in missing]


def _order() -> dict[str, list[str]]:
    """Rows of one side stay in the order of their sizes."""
    algorithms = [name for sides in (*MODES.values(), [("HIGHT-CTR", OURS)], SUITES, IN_NODE) for name, _ in sides]
    return {
        "way": WAYS, "algorithm": list(dict.fromkeys(algorithms)), "operation": ["enc", "dec", "both"],
        "side": [BUILT_IN, OURS],
    }  # fmt: skip


PROVIDER = Measurement(
    name="", row=Row, machines=("openssl",), alone=True, parts=parts, rows=rows, lacks=lacks, scope=("way",),
    order=_order(),
)  # fmt: skip
