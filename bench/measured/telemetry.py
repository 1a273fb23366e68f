# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example from node to lake: what a message costs a node, and how many frames the gateway takes.

results/telemetry-node.csv: cycles, stack and code of a node in the bench's simulators, without its devices
(bench/made/harness/telemetry_node.c), and flash and RAM of its whole program with the drivers of the chip. Energy is cycles
times what the data sheet says of the chip, and the radio's is that of the frame's bytes.

results/telemetry-gateway.csv: frames that the gateway takes in a second of CPU time on one core of this host
(bench/made/harness/telemetry_gateway.c), opened by haechi_open_jobs, one by one, or by OpenSSL's AES-128 in CCM.
"""

import re
import statistics
import tempfile
from pathlib import Path

import msgspec

from bench.declared.model import ROOT, BenchError, Need, Target, load_targets
from bench.made import build
from bench.made.cache import BUILD, kept
from bench.made.elf import Image
from bench.measured.host import cpu_model, shipped
from bench.measured.measurement import Measurement
from bench.simulated.simulators import SIMULATORS

HERE = ROOT / "examples/telemetry"
CIPHERS = {"LEA-128-CCM": ("LEA", []), "HIGHT-EAX": ("HIGHT", ["-DNODE_HIGHT"])}
FRAME = 28 + 1  # bytes of a reading on the line, with the end of SLIP

# Chip: the target, and nanojoules a cycle, from the typical current in active mode that its data sheet gives.
# ATmega328P (Microchip DS40002061B, 28.2): 1.7 mA at 4 MHz and 3 V. MSP430F1611 (TI SLAS368G): 330 uA at 1 MHz and 2.2 V.
# STM32F103x8 (ST DS5319, table 17, from flash, peripherals off): 27 mA at 72 MHz and 3.3 V. For the GD32VF103 we found none.
CHIPS: dict[str, tuple[str, float | None]] = {
    "atmega328p": ("avr", 1.7e-3 * 3 / 4e6 * 1e9), "msp430f1611": ("msp430", 330e-6 * 2.2 / 1e6 * 1e9),
    "stm32f103": ("armv7m", 27e-3 * 3.3 / 72e6 * 1e9), "gd32vf103": ("rv32", None),
}  # fmt: skip
# CC2420 (TI SWRS041C): 17.4 mA at 0 dBm and 3 V, 250 kbit/s.
RADIO_NJ = 17.4e-3 * 3 * 8 / 250e3 * 1e9  # of a byte

NODES = (1, 1000, 1_000_000)
WAYS = ["jobs", "one-by-one", "openssl"]


class Node(msgspec.Struct):
    """A node on one chip."""

    chip: str
    cipher: str
    flash: int  # bytes of the whole program
    ram: int  # bytes: variables, and the stack of sealing
    cycles: int  # to seal a reading
    open_cycles: int  # to open a command
    microjoules: float | None  # of sealing
    radio_microjoules: float  # of sending the frame, by a radio of its own
    compiler: str
    counter: str


class Frames(msgspec.Struct):
    """The gateway on one core."""

    nodes: int
    cipher: str
    way: str
    stores: int  # 1: in a database
    frames_per_s: int  # of CPU time
    compiler: str
    note: str  # the machine


# ---- Nodes.


def _objects(target: Target, flags: list[str], own: list[Path], family: str, more: list[str]) -> list[Path]:
    folders = ["src/core", "src/mode", f"src/{family.lower()}", f"src/{family.lower()}/{target.machine}"]
    library = sorted(path for folder in folders for path in (ROOT / folder).iterdir() if path.suffix in (".c", ".S"))
    made = [build.compile(target.compiler, path, [*flags, *more]) for path in own]
    return made + [build.compile(target.compiler, path, flags) for path in library]


def program(target: Target, cipher: str) -> Path:
    """The node without its devices."""
    family, more = CIPHERS[cipher]
    flags = [f"{target.chip_flag}{target.chip}", *target.flags]
    own = [ROOT / "bench/made/harness/telemetry_node.c", HERE / "node/node.c", HERE / "node/state.c"]
    objects = _objects(target, flags, own, family, more) + [build.compile(target.compiler, ROOT / name, flags) for name in target.sources]
    return build.link_for(target, flags, objects, [], BUILD / target.name / f"telemetry-{family}.elf")


@kept
def node(chip: str, cipher: str, whole: Path) -> Node:
    """The row of a chip and cipher. whole: the program with its drivers."""
    name, nanojoules = CHIPS[chip]
    target = load_targets()[name]
    with SIMULATORS[target.machine](program(target, cipher), target.chip) as simulator:
        calls = {what: simulator.call(simulator.image.address(f"telemetry_{what}")) for what in ("start", "seal")}
        again = simulator.call(simulator.image.address("telemetry_seal"))
        calls["open"] = simulator.call(simulator.image.address("telemetry_open"))
    if calls["start"].result or calls["seal"].result or again.result or calls["open"].result != -35 or again.cycles != calls["seal"].cycles:
        raise BenchError(f"{chip}: the node answers {[call.result for call in calls.values()]}")
    flash = sum(len(data) for _, _, data in Image(whole).segments)
    sections = Image(whole).sections
    ram = sum(size for section, (_, size, _) in sections.items() if section in (".data", ".bss", ".noinit"))
    return Node(
        chip, cipher, flash, ram + calls["seal"].stack + calls["seal"].return_bytes, calls["seal"].cycles, calls["open"].cycles,
        nanojoules and round(calls["seal"].cycles * nanojoules / 1000, 2), round(FRAME * RADIO_NJ / 1000, 2), build.version(target.compiler), target.counter,
    )  # fmt: skip


def node_parts(target: Target, ciphers: list[str]) -> dict[str, tuple[str, str]]:
    return {f"{chip} {cipher}": (chip, cipher) for chip in CHIPS for cipher, (family, _) in CIPHERS.items() if family in ciphers}


def node_rows(target: Target, part: tuple[str, str]) -> list[Node]:
    from examples.telemetry.fleet.board import CHIPS as BOARDS, firmware

    chip, cipher = part
    return [node(chip, cipher, firmware(BOARDS[chip], cipher.replace("-CCM", " CCM").replace("-EAX", " EAX")))]


# ---- The gateway.


def gateway(target: Target) -> Path:
    """The gateway and its benchmark, with the library as CMake compiles it."""
    flags = shipped(target.compiler)
    more = [*flags, "-std=gnu11", "-Isrc", "-Ihost", "-Iexamples/telemetry/gateway"]
    own = [ROOT / "bench/made/harness/telemetry_gateway.c", HERE / "gateway/gateway.c", HERE / "gateway/store.c", ROOT / "host/random.c"]
    objects = build.compile_all(target.compiler, sorted(ROOT.glob("src/**/*.c")), flags)
    objects += build.compile_all(target.compiler, own, more)
    return build.link(target.compiler, objects, [], BUILD / "host/telemetry-gateway-speed", ["-lsqlite3", "-lcrypto"])


@kept
def measured(program: Path, cpu: str, nodes: int, stores: bool) -> str:
    """What the benchmark printed."""
    with tempfile.TemporaryDirectory() as folder:
        return build.run([program, nodes, f"{folder}/gateway.sqlite" if stores else "-"])


def gateway_parts(target: Target, ciphers: list[str]) -> dict[str, tuple[int, bool]]:
    build.check(target)
    return {f"{nodes} nodes, {'stored' if stores else 'opened'}": (nodes, stores) for nodes in NODES for stores in (False, True) if {"LEA", "HIGHT"} <= {*ciphers}}


def gateway_rows(target: Target, part: tuple[int, bool]) -> list[Frames]:
    nodes, stores = part
    found: dict[tuple[str, str], list[float]] = {}
    for way, cipher, _, speed in re.findall(r"^(\S+) (\S+) (\d+) (\d+)$", measured(gateway(target), cpu_model(), nodes, stores), re.M):
        found.setdefault((way, cipher), []).append(float(speed))
    optimised = [flag for flag in shipped(target.compiler) if flag.startswith("-O")]
    compiler = " ".join([build.version(target.compiler), *optimised])
    return [
        Frames(nodes, cipher, way, int(stores), round(statistics.median(speeds) / 1000) * 1000, compiler, cpu_model())
        for (way, cipher), speeds in found.items()
    ]


TARGET = Target(
    name="telemetry", title="From node to lake", chip="", machine="telemetry", compiler="gcc", flags=[], counter="CPU time",
    packages=["libsqlite3-dev", "libssl-dev"],
    needs=[
        Need(command="gcc", package="gcc"), Need(header="sqlite3.h", compiler="gcc", package="libsqlite3-dev"),
        Need(header="openssl/evp.h", compiler="gcc", package="libssl-dev"),
    ],
)  # fmt: skip
NODE = Measurement(
    name="node", row=Node, machines=("telemetry",), parts=node_parts, rows=node_rows, scope=("chip", "cipher"),
    order={"chip": [*CHIPS], "cipher": [*CIPHERS]},
)  # fmt: skip
GATEWAY = Measurement(
    name="gateway", row=Frames, machines=("telemetry",), alone=True, parts=gateway_parts, rows=gateway_rows, scope=("nodes", "stores"),
    order={"stores": [0, 1], "nodes": [*NODES], "way": WAYS},
)  # fmt: skip
