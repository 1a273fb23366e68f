# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CTR_DRBG in the simulator of a microcontroller, part by part, beside what a plain generator would take: the rows of
results/<target>-drbg.csv.

A generator is seeded once with 32 bytes of entropy, 16 of nonce and 32 of personalisation through the derivation
function, and then read once. The C code is compiled for size (-Os), as firmware is.

    df            the derivation function with its two key expansions
    first update  the update that ends the seeding
    extract       the key expansion and the output
    update        the update that ends a read, where the key is still expanded
    whole         all that haechi_drbg_init and haechi_drbg_read do

The cycles of a part are those of the public call that does this part alone (bench/made/harness/drbg.c), less those of
the call that does nothing. The last byte of V does not wrap meanwhile. Cycles per byte are per byte of output, but for
df and the updates, which make key and V, per byte of these two.

no_cache is the same, compiled with HAECHI_DRBG_NO_CACHE: nothing is computed beforehand, and every block is encrypted
by crypt.

plain is a reconstruction, not a measurement: a CTR_DRBG as the standard describes it, over kernels that were published
earlier. It counts only the calls of the kernels: the number of blocks times the published ENC, plus the number of key
expansions times the published EKS.

    df            2 expansions, and with S = inputs and 9 bytes more: chains * (1 + blocks of S) + chains blocks
    either update an expansion and as many blocks as there are chains
    extract       an expansion and the output's blocks
    whole         the sum of these four
"""

from contextlib import contextmanager
from math import ceil
from random import Random

import msgspec

from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Target, Variant, load_papers
from bench.made import build
from bench.made.cache import kept
from bench.measured.counter import fixed_kernels
from bench.measured.measurement import Measurement
from bench.simulated.drive import Layout
from bench.simulated.simulator import Simulator
from bench.simulated.simulators import open_simulator

FLAGS = ["-Os"]
NO_CACHE = "-DHAECHI_DRBG_NO_CACHE"
INPUTS = 32, 16, 32  # bytes of entropy, nonce, personalisation
SIZES = 32, 64, 128, 256, 512, 1024  # bytes of output
PARTS = ["nothing", "df", "first update", "extract", "read"]  # as harness/drbg.c counts them
STATE = {1: 55, 2: 56, 4: 60}  # sizeof(haechi_drbg) by a simulator's alignment
EARLIER = {  # the published row whose EKS and ENC plain ones have; for LEA's longer keys see `earlier`
    "LEA": "wisa18/lea-128-avr-speed",
    "HIGHT": "scn19/hight-avr-speed",
    "ARIA": "ace20/aria-{}-avr-speed",
}
LEA_ROUNDS = {16: 24, 24: 28, 32: 32}  # by bytes of key


class DrbgRow(msgspec.Struct):
    """One operation over one cipher."""

    cipher: str
    kernel: str
    operation: str
    bytes: int
    cycles: int
    cpb: float
    no_cache_cycles: int
    no_cache_cpb: float
    plain_cycles: int
    plain_cpb: float
    faster: float  # per cent of the reconstruction's cycles that ours does not take
    published_faster: float | None  # per cent, of a base that is not published in cycles
    plain_from: str
    compiler: str
    counter: str


def chains(variant: Variant) -> int:
    """The number of blocks that contain key and V together."""
    return ceil((variant.key + variant.block) / variant.block)


# ---- The reconstruction.


def earlier(variant: Variant, family: str) -> tuple[float, float, str]:
    """Published cycles of EKS and ENC, and their source. LEA has figures for 128 bits alone. For longer keys a round
    takes as many cycles as there, and 16 more to load the two further words of its round key; the key schedule takes as
    many cycles for each word that it makes."""
    name = EARLIER[family].format(variant.key * 8)
    paper, _, id = name.partition("/")
    row = load_papers()[paper].row(id)
    base = next(v for v in VARIANTS[family] if v.cipher == row.cipher)
    eks, enc = row.eks * base.key, row.enc * base.block
    if base == variant:
        return eks, enc, name
    rounds = LEA_ROUNDS[variant.key] / LEA_ROUNDS[base.key]
    return eks * rounds * 6 / 4, enc * rounds + 16 * LEA_ROUNDS[variant.key], f"{name}, extrapolated"


def plain(variant: Variant, operation: str, size: int, eks: float, enc: float) -> int:
    """Cycles of the reconstruction."""
    n = chains(variant)
    absorbed = ceil((sum(INPUTS) + 9) / variant.block)
    keys, blocks = {
        "df": (2, n * (1 + absorbed) + n),
        "first update": (1, n),
        "update": (1, n),
        "extract": (1, ceil(size / variant.block)),
        "whole": (5, n * (1 + absorbed) + 3 * n + ceil(size / variant.block)),
    }[operation]
    return round(keys * eks + blocks * enc)


# ---- Measuring.


class Generator:
    """CTR_DRBG over one kernel in a simulator's program."""

    def __init__(self, simulator: Simulator, variant: Variant):
        self.simulator, self.variant, self.size = simulator, variant, STATE[simulator.alignment]
        self.kind = simulator.image.address(f"haechi_drbg_{variant.constant}")

    def _call(self, name: str, part: str, state: bytes, size: int, words: list) -> tuple[int, bytes, bytes]:
        """Cycles, state, output."""
        simulator = self.simulator
        layout = Layout(simulator)
        if "haechi_bench_part" in simulator.image.symbols:
            simulator.write(simulator.image.address("haechi_bench_part") & 0xFFFF, bytes([PARTS.index(part)]))
        d, out = layout.place(state, writable=True), layout.room(size)
        passed = [d] if name == "init" else [d, out, size]
        for word in words:
            passed += [layout.place(word), len(word)] if isinstance(word, bytes) else [word]
        call = layout.call(simulator.image.address(f"haechi_drbg_{name}"), *passed)
        if call.violations or call.result:
            raise BenchError(f"haechi_drbg_{name}: {call.result} {'; '.join(call.violations)}")
        return call.cycles, simulator.read(d, self.size), simulator.read(out, size)

    def init(self, inputs: list[bytes], part: str = "") -> tuple[int, bytes]:
        cycles, state, _ = self._call("init", part, bytes(self.size), 0, [self.kind, 0, *inputs])
        return cycles, state

    def read(self, state: bytes, size: int, part: str = "") -> tuple[int, bytes]:
        cycles, _, out = self._call("read", part, state, size, [0, 0])
        return cycles, out


def inputs(variant: Variant, seed: int) -> list[bytes]:
    random = Random(f"{variant.cipher} {seed}")
    return [random.randbytes(n) for n in INPUTS]


@contextmanager
def simulator_for(target: Target, card: Card, kernel: str, flags: list[str], parts: bool):
    """A program with the generator over a kernel, or with its parts."""
    generator = ROOT / ("bench/made/harness/drbg.c" if parts else "src/drbg/ctr_drbg.c")
    extra = [generator, ROOT / f"src/drbg/drbg_{card.cipher.lower()}.c"]
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel, extra, flags)) as simulator:
        yield simulator


def _cycles(target: Target, card: Card, kernel: str, flags: list[str]) -> dict[tuple[str, str, int], int]:
    """The measurements by cipher, operation and bytes."""
    found = {}
    with simulator_for(target, card, kernel, flags, True) as simulator:
        for v in VARIANTS[card.cipher]:
            g, given = Generator(simulator, v), inputs(v, 0)
            seed = v.key + v.block
            calling, state = g.init(given, "nothing")
            state = state[:2] + bytes(range(seed - 1)) + b"\0" + state[2 + seed :]  # V's last byte is far from a wrap
            found[v.cipher, "df", seed] = g.init(given, "df")[0] - calling
            found[v.cipher, "first update", seed] = g.init(given, "first update")[0] - calling
            for size in SIZES:
                calling, extract, read = (g.read(state, size, part)[0] for part in ("nothing", "extract", "read"))
                found[v.cipher, "extract", size] = extract - calling
                found[v.cipher, "update", seed] = read - extract
    with simulator_for(target, card, kernel, flags, False) as simulator:
        for v in VARIANTS[card.cipher]:
            g = Generator(simulator, v)
            for size in SIZES:
                cycles, state = next(
                    (cycles, state)
                    for cycles, state in (g.init(inputs(v, n)) for n in range(100))
                    if state[1 + v.key + v.block] < 255 - max(SIZES) // v.block - chains(v)
                )
                found[v.cipher, "whole", size] = cycles + g.read(state, size)[0]
    return found


@kept
def measured(target: Target, card: Card, kernel: str) -> list[DrbgRow]:
    """The rows of one kernel."""
    cached, plainly = (_cycles(target, card, kernel, FLAGS + more) for more in ([], [NO_CACHE]))
    published = {(row["cipher"], row["target"]): row for row in load_papers()["arx20"].form.drbg}
    found = []
    order = ["df", "first update", "update", "extract", "whole"]
    for v in VARIANTS[card.cipher]:
        eks, enc, name = earlier(v, card.cipher)
        theirs = published.get((v.cipher, target.name), {})
        by_operation = {
            "df": {v.key + v.block: theirs.get("df")},
            "first update": {v.key + v.block: theirs.get("update")},
            "extract": {int(size): value for size, value in theirs.get("extract", {}).items()},
            "whole": {theirs.get("best_bytes"): theirs.get("whole")},
        }
        mine = [(operation, size) for cipher, operation, size in cached if cipher == v.cipher]
        for operation, size in sorted(mine, key=lambda x: (order.index(x[0]), x[1])):
            cycles, without = cached[v.cipher, operation, size], plainly[v.cipher, operation, size]
            base = plain(v, operation, size, eks, enc)
            found.append(
                DrbgRow(
                    cipher=v.cipher, kernel=kernel, operation=operation, bytes=size,
                    cycles=cycles, cpb=round(cycles / size, 2),
                    no_cache_cycles=without, no_cache_cpb=round(without / size, 2),
                    plain_cycles=base, plain_cpb=round(base / size, 2), faster=round(100 * (1 - cycles / base), 1),
                    published_faster=by_operation.get(operation, {}).get(size), plain_from=name,
                    compiler=f"assembly + {build.version(target.compiler)} {' '.join(FLAGS)}", counter=target.counter,
                )
            )  # fmt: skip
    return found


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str]]:
    build.check(target)
    return {f"generator over {kernel}": (card, kernel) for card, kernel in fixed_kernels(target, ciphers)}


def rows(target: Target, part: tuple[Card, str]) -> list[DrbgRow]:
    return measured(target, *part)


DRBG = Measurement(name="drbg", row=DrbgRow, machines=("avr",), parts=parts, rows=rows)
