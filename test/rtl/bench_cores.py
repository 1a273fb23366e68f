# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cocotb bench: one set of tests for every core, run inside Icarus or Verilator by ../test_rtl.py.

HAECHI_CORES names the cores, HAECHI_BLOCKS is how many random blocks each must encrypt (and decrypt).
"""

import os
import random
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import cocotb  # noqa: E402
from cocotb.triggers import ClockCycles, FallingEdge, Timer, with_timeout  # noqa: E402


from bench.declared import rsp  # noqa: E402
from bench.declared.cores import BATCH, CORES, Core  # noqa: E402
from spec import find  # noqa: E402

BLOCKS = int(os.environ.get("HAECHI_BLOCKS", "64"))


class Driver:
    """Talks to the lane of one core."""

    def __init__(self, dut, core: Core) -> None:
        self.dut, self.core = dut, core
        self.lane = getattr(dut, f"{core.name}_lane")
        self.key, self.dec = bytes(core.key_bits // 8), False

    async def start(self, stalls: bool = False) -> None:
        await Timer(1, "ns")  # past the initial values
        self.dut.run.value = 1
        self.dut.key_go.value = int(self.lane.key_seen.value)  # this lane has not followed while another was selected
        self.dut.go.value = int(self.lane.seen.value)
        self.dut.selected.value = list(CORES).index(self.core.name)
        self.dut.stalls.value = int(stalls)
        await Timer(20, "ns")

    async def rekey(self, key: bytes, dec: bool = False) -> None:
        """Begins a reset with a new key; run() waits for it."""
        self.key, self.dec = key, dec
        self.dut.dec.value = int(dec)
        self.dut.key.value = self.core.key_stream(key, dec)
        self.dut.key_go.value = 1 - int(self.dut.key_go.value)
        await Timer(20, "ns")
        if not self.core.late:
            await self.done()

    async def done(self) -> None:
        await with_timeout(FallingEdge(self.lane.busy), 4, "ms")

    async def begin(self, blocks: list[bytes]) -> None:
        stream = 0
        for n, block in enumerate(blocks):
            stream |= self.core.block_in(block, self.dec) << self.core.block_bits * n
        self.dut.blocks.value = stream
        self.dut.count.value = len(blocks)
        self.dut.go.value = 1 - int(self.dut.go.value)
        await Timer(20, "ns")

    async def run(self, blocks: list[bytes]) -> list[bytes]:
        """The blocks back to back."""
        await self.begin(blocks)
        await self.done()
        await Timer(1, "ns")
        stream, bits = int(self.lane.results.value), self.core.block_bits
        return [self.core.block_out(stream >> bits * n & (1 << bits) - 1, self.dec) for n in range(len(blocks))]

    async def check(self, blocks: list[bytes]) -> None:
        cipher = find(self.core.cipher)
        crypt = cipher.decryption(self.key) if self.dec else cipher.encryption(self.key)
        want = [crypt(block) for block in blocks]
        got = await self.run(blocks)
        assert got == want, f"{self.core.name}: key {self.key.hex()}, {'dec' if self.dec else 'enc'}"


def cores() -> list[Core]:
    return [CORES[name] for name in os.environ["HAECHI_CORES"].split(",")]


def directions(core: Core) -> tuple[bool, ...]:
    return (False, True) if core.both else (False,)


@cocotb.test()
async def vectors(dut):
    """The standard's vectors, both ways; and the cycles of a block and from block to block."""
    for core in cores():
        driver = Driver(dut, core)
        await driver.start()
        size = core.block_bits // 8
        for answer in (a for a in rsp.own() if (a.cipher, a.mode) == (core.cipher.lower().replace("-", ""), "ecb")):
            key, plain, cipher = answer.key, answer.pt[:size], answer.ct[:size]
            for dec in directions(core):
                await driver.rekey(key, dec)
                await ClockCycles(dut.clk, core.prepares)
                assert await driver.run([cipher if dec else plain]) == [plain if dec else cipher], core.name
                single, want = int(driver.lane.cycles.value), core.cycles + dec * core.undo
                assert core.late or single == want, f"{core.name}: {single} cycles"
        await driver.rekey(bytes(core.key_bits // 8))
        await driver.check([bytes(size)])
        await driver.rekey(bytes(core.key_bits // 8))  # where a block entered while the last one left, it is not waited for
        await ClockCycles(dut.clk, core.prepares)
        await driver.run([bytes(size)] * 9)
        period = core.period or core.cycles
        if period > 1 and not core.late:
            nine = int(driver.lane.cycles.value)
            assert nine == 8 * period + core.cycles, f"{core.name}: {nine} cycles"


@cocotb.test()
async def random_blocks(dut):
    """Batches back to back under changing keys; of the first four batches one is stalled, and one is decrypted where the
    core can do that."""
    for core in cores():
        rng = random.Random(core.name)
        driver = Driver(dut, core)
        left, n = BLOCKS, 0
        while left > 0:
            size = min(left, BLOCKS // 4, rng.choice((1, 2, 3, BATCH)))
            await driver.start(stalls=n % 8 == 1)
            if n % 2 == 0:
                await driver.rekey(rng.randbytes(core.key_bits // 8), core.both and (n == 2 or rng.random() < 0.5))
            await driver.check([rng.randbytes(core.block_bits // 8) for _ in range(size)])
            left, n = left - size, n + 1


@cocotb.test()
async def key_change(dut):
    """A new key the moment the last digit of a block is out, and the same one again after a pause."""
    for core in cores():
        rng = random.Random(core.name)
        driver = Driver(dut, core)
        await driver.start()
        for dec in directions(core) * 2:
            await driver.rekey(rng.randbytes(core.key_bits // 8), dec)
            await driver.check([rng.randbytes(core.block_bits // 8) for _ in range(2)])
            await ClockCycles(dut.clk, rng.randrange(1, 300))
            await driver.check([rng.randbytes(core.block_bits // 8)])


@cocotb.test()
async def reset_in_the_middle(dut):
    """A reset anywhere in a block loses that block and no other: while it enters, in the rounds, while it leaves. With
    many blocks, also at random clocks, from the preparation of the key to the end of the next block."""
    for core in cores():
        rng = random.Random(core.name)
        driver = Driver(dut, core)
        await driver.start()
        await driver.rekey(bytes(core.key_bits // 8))
        clocks = [max(1, int(core.cycles * part)) for part in (0.0, 0.01, 0.02, 0.3, 0.5, 0.97, 0.99)]
        clocks += [rng.randint(1, core.prepares + 2 * core.cycles) for _ in range(min(BLOCKS // 16, 16))]
        for clock in clocks:
            await driver.begin([rng.randbytes(core.block_bits // 8) for _ in range(2)])
            await ClockCycles(dut.clk, clock)
            await driver.rekey(rng.randbytes(core.key_bits // 8), core.both and rng.random() < 0.5)
            await driver.check([rng.randbytes(core.block_bits // 8)])


@cocotb.test()
async def directions_by_block(dut):
    """Where each block has a direction of its own, it changes without a reset."""
    for core in (core for core in cores() if core.by_block):
        rng = random.Random(core.name)
        driver = Driver(dut, core)
        await driver.start()
        await driver.rekey(rng.randbytes(core.key_bits // 8))
        for dec in (True, False, False, True, True, False):
            driver.dec = dec
            driver.lane.core_dec.value = int(dec)
            await driver.check([rng.randbytes(core.block_bits // 8) for _ in range(rng.choice((1, 2)))])
