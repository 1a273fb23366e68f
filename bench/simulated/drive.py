# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls one kernel, in one direction and key size, in a simulator. It puts buffers into RAM, calls a slot of the
descriptor or a function of the public API, and reports every byte that the call wrote outside its buffers.

All free RAM holds noise before a call, so that the gaps between buffers are guard bytes and no buffer is zero by
chance. A call may write its output buffers and the stack; every other byte of data memory must stay as it was.
"""

from functools import lru_cache
from random import Random

from bench.declared.model import BenchError, Variant, from_flash
from bench.simulated.simulator import Call, Descriptor, Simulator

GAP = 8  # guard bytes between buffers
STACK_ROOM = 512  # bytes that stay free below the stack pointer
STREAM = 33  # sizeof(haechi_stream)


@lru_cache(maxsize=64)
def _noise(seed: int, size: int) -> bytes:
    return Random(seed).randbytes(size)


class Layout:
    """Buffers in the RAM of a simulator. The first one begins `shift` bytes above the lowest possible place."""

    def __init__(self, simulator: Simulator, shift: int = 0, seed: int = 1):
        self.simulator, self.shift = simulator, shift
        self._next = simulator.ram.start + GAP + shift
        self._writable: list[tuple[int, int]] = []
        self.readable: list[tuple[int, int]] = []  # first address and the one after the last
        self.in_flash: list[tuple[int, int]] = []
        simulator.write(simulator.ram.start, _noise(seed, len(simulator.ram)))

    def place(self, data: bytes, writable: bool = False, odd: int = 0) -> int:
        """Puts data at an address that suits round keys and is even, or `odd` bytes above such an address. Returns the
        address."""
        unit = max(2, self.simulator.alignment)
        address = -(-self._next // unit) * unit + odd
        self._next = address + len(data) + GAP
        if self._next > self.simulator.ram.stop - STACK_ROOM:
            raise BenchError(f"{len(data)} bytes more do not fit in {len(self.simulator.ram)} bytes of RAM")
        self.simulator.write(address, data)
        self.readable.append((address, address + len(data)))
        if writable:
            self._writable.append((address, address + len(data)))
        return address

    def place_in_flash(self, data: bytes) -> int:
        """Puts data behind the program, `shift` bytes above the lowest possible place, and returns the address. The next
        reset takes it away."""
        address = max(at + len(content) for at, _, content in self.simulator.image.segments) + self.shift
        self.simulator.patch(address, data)
        self.in_flash.append((address, address + len(data)))
        return address

    def room(self, size: int, odd: int = 0, seed: int = 2) -> int:
        """An output buffer, full of noise."""
        return self.place(_noise(seed, size), writable=True, odd=odd)

    def constant(self, address: int) -> None:
        """Makes the buffer at this address read-only from now on."""
        self._writable = [buffer for buffer in self._writable if buffer[0] != address]

    def call(self, function: int, *arguments: int, **how) -> Call:
        """Simulator.call. Stray writes are added to the violations."""
        base, before = self.simulator.memory()
        call = self.simulator.call(function, *arguments, **how)
        _, after = self.simulator.memory()
        floor = self.simulator.ram.stop - call.stack - call.return_bytes
        if call.interrupts:
            floor -= STACK_ROOM // 2  # the stack of interrupt handlers
        if floor < self._next:
            call.violations.append("the stack ran into the buffers")
        at = base
        for first, last in [*sorted(self._writable), (floor, self.simulator.ram.stop)]:
            if before[at - base : first - base] != after[at - base : first - base]:
                stray = next(a for a in range(at, first) if before[a - base] != after[a - base])
                call.violations.append(f"wrote to {stray:#06x}, outside its buffers")
            at = last
        return call


class Drive:
    """A kernel. name is that in its card, variant gives the key size, and inverse the direction.

    `shift` moves all buffers of later calls, so that pointer arithmetic without a carry fails at some address."""

    def __init__(self, simulator: Simulator, kernel: str, variant: Variant, inverse: bool):
        self.simulator, self.variant, self.inverse = simulator, variant, inverse
        self.name = f"{kernel}{variant.suffix}{'_inv' if inverse else ''}"
        self._from_flash = "" if inverse else from_flash(kernel, variant)
        self.d: Descriptor = simulator.descriptor(self.name)
        self.constant = f"haechi_{variant.constant}{'_inv' if inverse else ''}"
        if (self.d.block, self.d.key, self.d.flags & 1) != (variant.block, variant.key, int(inverse)):
            raise BenchError(f"haechi_{self.name}: block, key or direction is not that of {variant.cipher}")
        self.shift = 0  # bytes
        self.layout: Layout | None = None  # of the last call

    def function(self, slot: str) -> int:
        """The address of the function in a slot of the descriptor or, for the slot `flash` that no descriptor has, of the
        one that encrypts with round keys in flash. 0 if the kernel has none."""
        if slot != "flash":
            return getattr(self.d, slot)
        return self.simulator.image.address(self._from_flash) if self._from_flash in self.simulator.image.symbols else 0

    def expand(self, key: bytes, odd: int = 0, odd_key: int = 0, **how) -> tuple[bytes, Call]:
        """Expands a key; returns the round keys."""
        self.layout = Layout(self.simulator, self.shift)
        rk = self.layout.room(self.d.rk, odd)
        k = self.layout.place(key, odd=odd_key)
        call = self.layout.call(self.d.expand, rk, k, **how)
        return self.simulator.read(rk, self.d.rk), call

    def crypt(self, rk: bytes, block: bytes, odd: int = 0, odd_rk: int = 0, **how) -> tuple[bytes, Call]:
        """Encrypts or decrypts one block in place."""
        self.layout = Layout(self.simulator, self.shift)
        k = self.layout.place(rk, odd=odd_rk)
        buf = self.layout.place(block, writable=True, odd=odd)
        call = self.layout.call(self.d.crypt, k, buf, **how)
        return self.simulator.read(buf, len(block)), call

    def crypt_from_flash(self, rk: bytes, block: bytes, odd: int = 0, **how) -> tuple[bytes, Call]:
        """Encrypts one block in place with round keys in flash."""
        self.layout = Layout(self.simulator, self.shift)
        k = self.layout.place_in_flash(rk)
        buf = self.layout.place(block, writable=True, odd=odd)
        call = self.layout.call(self.function("flash"), k, buf, **how)
        return self.simulator.read(buf, len(block)), call

    def bulk(
        self, rk: bytes, data: bytes, apart: bool = False, odd_out: int = 0, odd_in: int = 0, **how
    ) -> tuple[bytes, Call]:
        """Processes whole blocks by the slot bulk, in place or from one buffer to another."""
        self.layout = Layout(self.simulator, self.shift)
        k = self.layout.place(rk)
        out, into = self._buffers(data, apart, odd_out, odd_in)
        call = self.layout.call(self.d.bulk, k, out, into, len(data) // self.d.block, **how)
        return self.simulator.read(out, len(data)), call

    def ctr_slot(
        self, rk: bytes, counter: bytes, data: bytes, apart: bool = False, odd_out: int = 0,
        odd_in: int = 0, **how,
    ) -> tuple[bytes, bytes, Call]:  # fmt: skip
        """Processes whole blocks by the slot ctr; returns output and next counter."""
        self.layout = Layout(self.simulator, self.shift)
        k = self.layout.place(rk)
        c = self.layout.place(counter, writable=True, odd=odd_out)
        out, into = self._buffers(data, apart, odd_out, odd_in)
        call = self.layout.call(self.d.ctr, k, c, out, into, len(data) // self.d.block, **how)
        return self.simulator.read(out, len(data)), self.simulator.read(c, len(counter)), call

    def keystream(self, rk: bytes, counter: bytes, n: int, **how) -> tuple[bytes, bytes, Call]:
        """Makes n blocks of key stream by the slot ctr; returns output and next counter."""
        self.layout = Layout(self.simulator, self.shift)
        k = self.layout.place(rk)
        c = self.layout.place(counter, writable=True)
        out = self.layout.room(n * self.d.block)
        call = self.layout.call(self.d.ctr, k, c, out, 0, n, **how)
        return self.simulator.read(out, n * self.d.block), self.simulator.read(c, len(counter)), call

    def ecb(
        self, key: bytes, data: bytes, apart: bool = False, odd_out: int = 0, odd_in: int = 0,
        odd_key: int = 0, **how,
    ) -> tuple[bytes, Call, Call]:  # fmt: skip
        """Calls haechi_init and haechi_ecb; returns output and both calls."""
        k, init = self._init(key, odd_key, **how)
        out, into = self._buffers(data, apart, odd_out, odd_in)
        call = self.layout.call(self.simulator.image.address("haechi_ecb"), k, out, into, len(data), **how)
        self._check_api("haechi_ecb", call)
        return self.simulator.read(out, len(data)), init, call

    def ctr(
        self, key: bytes, iv: bytes, data: bytes, apart: bool = False, odd_out: int = 0, odd_in: int = 0,
        odd_key: int = 0, **how,
    ) -> tuple[bytes, Call, Call]:  # fmt: skip
        """Calls haechi_init and haechi_ctr with a fresh stream; returns output and both calls."""
        k, init = self._init(key, odd_key, **how)
        stream = self.layout.place(iv.ljust(STREAM, b"\0"), writable=True)
        out, into = self._buffers(data, apart, odd_out, odd_in)
        call = self.layout.call(self.simulator.image.address("haechi_ctr"), k, stream, out, into, len(data), **how)
        self._check_api("haechi_ctr", call)
        return self.simulator.read(out, len(data)), init, call

    def _init(self, key: bytes, odd_key: int, **how) -> tuple[int, Call]:
        self.layout = Layout(self.simulator, self.shift)
        size = self.simulator.pointer + self.d.rk
        k = self.layout.room(size)
        at = self.layout.place(key, odd=odd_key)
        constant = self.simulator.image.address(self.constant)
        call = self.layout.call(self.simulator.image.address("haechi_init"), k, size, constant, at, len(key), **how)
        self._check_api("haechi_init", call)
        self.layout.constant(k)
        return k, call

    @staticmethod
    def _check_api(name: str, call: Call) -> None:
        if call.result != 0:
            call.violations.append(f"{name} answered {call.result}")

    def _buffers(self, data: bytes, apart: bool, odd_out: int, odd_in: int) -> tuple[int, int]:
        if apart:
            return self.layout.room(len(data), odd_out), self.layout.place(data, odd=odd_in)
        buf = self.layout.place(data, writable=True, odd=odd_out)
        return buf, buf
