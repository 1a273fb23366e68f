# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slot ctr of kernels in the simulators: KCMVP's vectors and Monte Carlo chains of counter mode; random keys,
counters and lengths, compared with portable code; its memory, and what it must not keep between calls; its figures."""

from contextlib import contextmanager
from itertools import islice
from random import Random

import library
import pytest
from bench.declared import rsp
from bench.declared.model import VARIANTS
from bench.measured import kernels as measured
from bench.simulated.drive import Drive
from kernels import TARGETS, after, clean, counting, expected, machine_for, written_for

pytestmark = pytest.mark.full  # too slow for make test-quick

CASES = [100, pytest.param(1000, marks=pytest.mark.slow)]  # for each kernel, over its key sizes
LONGEST = 6  # blocks
MOST = {"avr": 64, "msp430": 64 + 30, "armv6m": 64, "armv7m": 64 + 40, "rv32": 48 + 64}  # bytes of the cache, of a block, of arguments, of registers
KERNELS = [pytest.param(target, kernel, card, id=kernel) for target in TARGETS.values() for kernel, card in counting(target)]
LINKS = [2, pytest.param(100, marks=pytest.mark.slow)]  # links of a Monte Carlo chain, which has 100
LINK, PIECE = 1000, 100  # blocks of a link, and of a call in it

needs_more = pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")


def forward(machine, kernel, card):
    """The names of all key sizes."""
    return [Drive(machine, kernel, v, False) for v in VARIANTS[card.cipher]]


@pytest.mark.guards("slots")
@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_these_are_all_kernels_with_a_counter_mode(target):
    found = []
    for kernel, card in written_for(target).items():
        with machine_for(target, kernel) as machine:
            found += [(kernel, card)] * any(drive.d.ctr for drive in forward(machine, kernel, card))
    assert found == counting(target)


# ---- Correct results: the published vectors, and any case.


class Quick:
    """The slot ctr with as little around it as possible, for thousands of calls."""

    def __init__(self, machine, kernel, v):
        self.machine, self.v, self.d = machine, v, Drive(machine, kernel, v, False).d
        self.rk = machine.ram.start + 64
        self.ctr, self.out = self.rk + self.d.rk, self.rk + self.d.rk + v.block

    def key(self, key: bytes) -> None:
        self.machine.write(self.out, key)
        clean(self.machine.call(self.d.expand, self.rk, self.out))

    def crypt(self, iv: bytes, data: bytes) -> bytes:
        """Fills up incomplete blocks."""
        self.machine.write(self.ctr, iv)
        self.machine.write(self.out, data)
        n = -(-len(data) // self.v.block)
        clean(self.machine.call(self.d.ctr, self.rk, self.ctr, self.out, self.out, n))
        assert self.machine.read(self.ctr, len(iv)) == after(iv, n)
        return self.machine.read(self.out, len(data))


@contextmanager
def quick(target, kernel, card):
    """One for each key size."""
    with machine_for(target, kernel) as machine:
        yield [Quick(machine, kernel, v) for v in VARIANTS[card.cipher]]


@pytest.mark.guards("result")
@needs_more
@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_published_answers(target, kernel, card):
    """KAT, MMT and all other vectors of counter mode."""
    with quick(target, kernel, card) as slots:
        for slot in slots:
            answers = [a for a in rsp.more() if (a.cipher, a.mode) == (slot.v.constant, "ctr")]
            assert answers
            for a in answers:
                slot.key(a.key)
                assert slot.crypt(a.iv, a.pt) == a.ct, a.source
                assert slot.crypt(a.iv, a.ct) == a.pt, a.source


def monte_carlo(crypt, key: bytes, iv: bytes, pt: bytes):
    """KCMVP's chain, without an end: a link has 1000 blocks, and PT[j+1] = CT[j]. The counter continues. The next key
    combines the last CTs. CT[j] therefore is PT[0] XORed with all key streams up to j. crypt receives key, counter and
    data."""
    while True:
        at, text = iv, int.from_bytes(pt, "big")
        for _ in range(0, LINK, PIECE):
            streams = crypt(key, at, bytes(PIECE * len(pt)))
            at = after(at, PIECE)
            for i in range(0, len(streams), len(pt)):
                before, text = text, text ^ int.from_bytes(streams[i : i + len(pt)], "big")
        ct = text.to_bytes(len(pt), "big")
        yield key, iv, pt, ct
        fold = (before.to_bytes(len(pt), "big") + ct)[-len(key) :]
        key, iv, pt = bytes(a ^ b for a, b in zip(key, fold, strict=True)), at, ct


@pytest.mark.guards("result", sample="2 of the 100 links of each chain")
@needs_more
@pytest.mark.full
@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_monte_carlo(target, kernel, card, links):
    """Links of every chain; all of them in make test-all. For HIGHT, which has no chain, a comparison with the
    library."""
    chains = {chain[0].cipher: chain for chain in rsp.monte_carlo().values() if chain[0].mode == "ctr"}
    assert len(chains) == 6
    with quick(target, kernel, card) as slots:
        for slot in slots:
            constant = slot.v.constant

            def crypt(key, iv, data, slot=slot):
                slot.key(key)
                return slot.crypt(iv, data)

            def portable(key, iv, data, constant=constant):
                return library.crypt(constant, "ctr", key, iv, data)

            if constant in chains:
                wanted = [(a.key, a.iv, a.pt, a.ct) for a in chains[constant]][:links]
            else:
                begin = bytes(slot.v.key), b"\xff" * slot.v.block, bytes(slot.v.block)
                wanted = list(islice(monte_carlo(portable, *begin), links))
            assert list(islice(monte_carlo(crypt, *wanted[0][:3]), links)) == wanted


@pytest.mark.guards("result", sample="100 of 1000 cases of each kernel")
@pytest.mark.parametrize("count", CASES)
@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_random_cases(target, kernel, card, count):
    """Half of the counters are near a wrap of some number of bytes."""
    random = Random(kernel)
    with machine_for(target, kernel) as machine:
        here = forward(machine, kernel, card)
        for case in range(count):
            drive = here[case % len(here)]
            block = drive.variant.block
            key, n, ones = random.randbytes(drive.variant.key), random.randrange(LONGEST + 1), random.randrange(block + 1)
            start = int.from_bytes(random.randbytes(block - ones) + b"\xff" * ones, "big") - random.randrange(4)
            iv, data = (start % (1 << 8 * block)).to_bytes(block, "big"), random.randbytes(n * block)
            rk, _ = drive.expand(key)
            if case % 4 == 3:
                data = bytes(n * block)
                out, counter, call = drive.keystream(rk, iv, n)
            else:
                out, counter, call = drive.ctr_slot(rk, iv, data, case % 2 == 1)
            clean(call)
            assert (out, counter) == (expected(drive.variant.constant, "ctr", key, iv, data), after(iv, n)), case


# ---- The memory of the cache, and what a call must not keep.


def cache_bytes(drive: Drive) -> int:
    """By how many bytes the slot ctr takes more stack than crypt."""
    rk, _ = drive.expand(bytes(drive.variant.key))
    _, one = drive.crypt(rk, bytes(drive.variant.block))
    return clean(drive.keystream(rk, bytes(drive.variant.block), 3)[2]).stack - one.stack


@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_cache_is_small(target, kernel, card):
    with machine_for(target, kernel) as machine:
        for drive in forward(machine, kernel, card):
            assert 0 < cache_bytes(drive) <= MOST[target.name]


def forgets(drive: Drive, calls: int = 12) -> bool:
    """Whether calls with changing keys and counters give the right results without clearing RAM between them. Some
    counters wrap on the way, in the last byte or in more bytes."""
    v, random, machine = drive.variant, Random("forgets"), drive.simulator
    keys = [random.randbytes(v.key) for _ in range(2)]
    expanded = [drive.expand(key)[0] for key in keys]
    nonces = [random.randbytes(v.block) for _ in range(2)]
    base = machine.ram.start + 64
    rk, ctr, out = base, base + 800, base + 900
    at = nonces[0]
    for call in range(calls):
        which = random.randrange(2)
        if call % 3:  # from where the last call ended, or from elsewhere
            at = random.choice(nonces)[:-1] + bytes([random.choice([0, 17, 254, 255])])
        if call == calls - 1:
            at = b"\xff" * v.block
        n = random.choice([1, 2, 5])
        machine.write(rk, expanded[which])
        machine.write(ctr, at)
        done = machine.call(drive.d.ctr, rk, ctr, out, 0, n)
        given, wanted = bytes(n * v.block), after(at, n)
        if done.violations or machine.read(ctr, v.block) != wanted:
            return False
        if machine.read(out, len(given)) != expected(v.constant, "ctr", keys[which], at, given):
            return False
        at = wanted
    return True


@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_key_or_nonce_changed_between_calls(target, kernel, card):
    with machine_for(target, kernel) as machine:
        for drive in forward(machine, kernel, card):
            assert forgets(drive)


# ---- Figures.


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_key_stream_is_ahead_of_ecb(target):
    """By at least 3 %, for one block and for many. A kernel that computes several blocks side by side keeps no rounds: its
    key stream is ahead of single blocks, and it is no more than 1 % behind its own ECB of many blocks. A kernel that does
    not tell the last byte of the counter encrypts block after block: it costs at most 8 % more than ECB."""
    calls = {kernel for kernel, card in counting(target) if card.kernels[kernel].counter != "last byte"}
    lanes = {kernel: card.kernels[kernel].lanes for kernel, card in counting(target)}
    figures = measured.KERNELS.read(target.name)
    streams = [r for r in figures if r.operation == "keystream"]
    assert {r.kernel for r in streams} == {kernel for kernel, _ in counting(target)}
    for r in streams:
        ecb = [e.cpb for e in figures if (e.cipher, e.kernel, e.operation) == (r.cipher, r.kernel, "enc")]
        assert len(ecb) == 2 and r.cpb <= (1.08 if r.kernel in calls else 0.97) * max(ecb), r
        assert r.kernel in calls or r.cpb <= (0.97 if lanes[r.kernel] == 1 else 1.01) * min(ecb), r
