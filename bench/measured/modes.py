# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modes of operation in the simulator of a microcontroller: the rows of results/<target>-modes.csv.

A row is one message of 1 KiB in one call, encrypted or sealed with a nonce of 12 bytes and without additional data, by
the target's default kernel. The library is compiled for size with the target's size_flags, as firmware is. code_bytes
is what the mode adds to a program that already has the cipher and haechi_init; code_with_cipher is everything together.
RAM is the key object, one block, the state that the mode keeps between calls, and the stack.
"""

import re
from pathlib import Path
from random import Random

import msgspec

from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Target, Variant, kernels
from bench.made import build
from bench.made.cache import kept, once
from bench.measured.measurement import Measurement
from bench.simulated.drive import Layout
from bench.simulated.simulator import Call, Simulator
from bench.simulated.simulators import SIMULATORS, open_simulator

SOURCE = ROOT / "bench/made/harness/modes.c"
STREAMS = ["ctr", "ofb", "cfb", "cfb64"]
MESSAGE = 1024  # bytes
STREAM, CMAC, DERIVED = 33, 17, 16  # sizeof(haechi_stream), sizeof(haechi_cmac), bytes of haechi_aead.derived


@once
def _functions() -> list[str]:
    return re.findall(r"FUNCTION\((\w+)\),", SOURCE.read_text().partition("functions[]")[2])


def program(target: Target, card: Card, kernel: str, chip: str = "") -> Path:
    """The program with the kernel and all modes."""
    return build.elf(target, chip or target.chip, card, kernel, [SOURCE], target.size_flags)


class Modes:
    """A key size of the cipher in a simulator's program. Each method processes one message. It raises BenchError for
    violations of the calling convention, errors of the library and stray writes. `calls` are those of the last method,
    in order."""

    def __init__(self, simulator: Simulator, kernel: str, variant: Variant, odd: int = 1):
        self.simulator, self.variant, self.image, self.odd = simulator, variant, simulator.image, odd
        self.descriptor = simulator.descriptor(kernel + variant.suffix)
        self.rk = self.descriptor.rk
        self.calls: list[Call] = []

    def _begin(self) -> Layout:
        self.calls = []
        return Layout(self.simulator)

    def _cipher(self, inverse: bool = False) -> int:
        return self.image.address(f"haechi_{self.variant.constant}{'_inv' if inverse else ''}")

    def apply(self, layout: Layout, name: str, *words: int, allowed: tuple[int, ...] = (0,)) -> int:
        """Calls haechi_<name> and returns its result."""
        size = self.simulator.pointer
        table = layout.place(b"".join(w.to_bytes(size, "little") for w in (*words, *[0] * (10 - len(words)))))
        call = layout.call(self.image.address("haechi_bench_apply"), _functions().index(name), table)
        self.calls.append(call)
        if call.violations:
            raise BenchError(f"haechi_{name}: {'; '.join(call.violations)}")
        if call.result not in allowed:
            raise BenchError(f"haechi_{name} answered {call.result}")
        return call.result

    def _key(self, layout: Layout, key: bytes, inverse: bool) -> int:
        size = self.rk + self.simulator.pointer
        k = layout.room(size)
        self.apply(layout, "init", k, size, self._cipher(inverse), layout.place(key, odd=self.odd), len(key))
        return k

    def crypt(self, mode: str, key: bytes, iv: bytes, data: bytes, decrypt: bool = False, bits: int = 0) -> bytes:
        """ECB, CBC, CTR, OFB, CFB and its kin, XTS."""
        layout = self._begin()
        inverse = decrypt and mode in ("ecb", "cbc", "xts")
        name = mode if mode in ("ecb", "ctr", "ofb") else f"{mode}_{'decrypt' if decrypt else 'encrypt'}"
        if mode == "xts":
            size = 2 * (self.rk + 8)
            k = layout.room(size)
            ciphers = self._cipher(inverse), self._cipher()
            self.apply(layout, "xts_init", k, size, *ciphers, layout.place(key), len(key))
        else:
            k = self._key(layout, key, inverse)
        at = layout.place(iv.ljust(STREAM, b"\0") if mode in STREAMS else iv, writable=True, odd=self.odd)
        buffer = layout.place(data, writable=True, odd=len(data) % 2)
        words = [k, buffer, buffer] if mode == "ecb" else [k, at, buffer, buffer]
        self.apply(layout, name, *words, bits or len(data))
        return self.simulator.read(buffer, len(data))

    def cmac(self, key: bytes, message: bytes, size: int) -> bytes:
        layout = self._begin()
        k = self._key(layout, key, False)
        state, text = layout.place(bytes(CMAC), writable=True, odd=self.odd), layout.place(message, odd=self.odd)
        tag = layout.room(size)
        self.apply(layout, "cmac_update", k, state, text, len(message))
        self.apply(layout, "cmac_tag", k, state, tag, size)
        return self.simulator.read(tag, size)

    def _aead(self, layout: Layout, mode: str, key: bytes) -> int:
        size = self.rk + 2 * self.simulator.pointer + DERIVED
        a = layout.room(size)
        constants = self.image.address(f"haechi_{mode}"), self._cipher()
        self.apply(layout, "aead_init", a, size, *constants, layout.place(key), len(key))
        return a

    def seal(self, mode: str, key: bytes, nonce: bytes, aad: bytes, text: bytes, size: int) -> tuple[bytes, bytes]:
        """Seals a message: ciphertext and tag."""
        layout = self._begin()
        a = self._aead(layout, mode, key)
        n, d = layout.place(nonce, odd=self.odd), layout.place(aad, odd=self.odd)
        buffer, tag = layout.place(text, writable=True, odd=self.odd), layout.room(size)
        self.apply(layout, "seal", a, n, len(nonce), d, len(aad), buffer, buffer, len(text), tag, size)
        return self.simulator.read(buffer, len(text)), self.simulator.read(tag, size)

    def open(self, mode: str, key: bytes, nonce: bytes, aad: bytes, text: bytes, tag: bytes) -> bytes | None:
        """Opens a message: the plaintext, or None if the tag is wrong and the output is zero."""
        layout = self._begin()
        a = self._aead(layout, mode, key)
        n, d = layout.place(nonce), layout.place(aad)
        given, t, out = layout.place(text), layout.place(tag), layout.room(len(text))
        words = a, n, len(nonce), d, len(aad), out, given, len(text), t, len(tag)
        error = self.apply(layout, "open", *words, allowed=(0, -3))
        plain = self.simulator.read(out, len(text))
        if error and plain != bytes(len(text)):
            raise BenchError("haechi_open let bytes out that it refused")
        return None if error else plain


# ---- What the modes cost.

# The functions that a program with the mode calls, and the bytes of state that the mode keeps between calls.
USED = {
    "cbc": (["cbc_encrypt", "cbc_decrypt"], 16),
    "ctr": (["ctr"], STREAM),
    "ofb": (["ofb"], STREAM),
    "cfb": (["cfb_encrypt", "cfb_decrypt"], STREAM),
    "xts": (["xts_init", "xts_encrypt", "xts_decrypt"], 16),
    "cmac": (["cmac_update", "cmac_tag"], CMAC),
    "gcm": (["aead_init", "gcm", "seal", "open"], 0),
    "ccm": (["aead_init", "ccm", "seal", "open"], 0),
    "eax": (["aead_init", "eax", "seal", "open"], 0),
}


class ModeRow(msgspec.Struct):
    """One mode over one cipher."""

    cipher: str  # LEA-128 ... ARIA-256, HIGHT
    kernel: str
    mode: str
    cycles: int  # of a message of 1 KiB
    cpb: float  # rounded to two decimals
    code_bytes: int  # the mode in both directions, on top of the cipher and haechi_init
    code_with_cipher: int  # everything together
    ram_bytes: int
    compiler: str
    counter: str


def parts(target: Target, ciphers: list[str]) -> dict[str, str]:
    """Ciphers."""
    build.check(target)
    return {f"modes of {cipher}": cipher for cipher in ciphers}


def rows(target: Target, cipher: str) -> list[ModeRow]:
    """All key sizes of one cipher, by the kernel that the target takes by default."""
    kernel = build.ladder(target, cipher)[0]
    card = next(card for card, name in kernels(target, [cipher]) if name == kernel)
    return measured(target, cipher, kernel, program(target, card, kernel))


@kept
def measured(target: Target, cipher: str, kernel: str, elf: Path) -> list[ModeRow]:
    with open_simulator(target, target.chip, elf, measuring=True) as simulator:
        return [row for variant in VARIANTS[cipher] for row in by_mode(target, simulator, kernel, variant)]


def by_mode(target: Target, simulator: Simulator, kernel: str, variant: Variant) -> list[ModeRow]:
    """A row for each mode that the cipher has."""
    modes, random, rows = Modes(simulator, kernel, variant), Random(variant.cipher), []
    key, text, nonce = (random.randbytes(n) for n in (variant.key, MESSAGE, 12))
    image, d = simulator.image, modes.descriptor
    inverse = simulator.descriptor(f"{kernel}{variant.suffix}_inv")
    modes.apply(modes._begin(), "nothing")
    calling = modes.calls[0]  # the cycles of the bench's way to call
    for mode, (names, state) in USED.items():
        if variant.block != 16 and mode in ("xts", "gcm", "ccm"):
            continue
        wide = 2 if mode == "xts" else 1
        if mode in ("gcm", "ccm", "eax"):
            modes.seal(mode, key, nonce, b"", text, 8)
            key_bytes = d.rk + 2 * simulator.pointer + DERIVED
        elif mode == "cmac":
            modes.cmac(key, text, 8)
            key_bytes = d.rk + simulator.pointer
        else:
            modes.crypt(mode, random.randbytes(wide * variant.key), random.randbytes(variant.block), text)
            key_bytes = wide * (d.rk + simulator.pointer)
        calls = modes.calls[1:]  # the first call is that of the key
        slots = [d.expand, d.crypt, d.bulk, d.ctr]
        if mode in ("cbc", "xts"):
            slots += [inverse.expand, inverse.crypt, inverse.bulk]
        cipher = [slot for slot in slots if slot]
        init, used = image.address("haechi_init"), [image.address(f"haechi_{name}") for name in names]
        before, with_mode = (image.needs(cipher + [init] + more).code for more in ([], used))
        cycles = sum(call.cycles - calling.cycles for call in calls)
        rows.append(
            ModeRow(
                cipher=variant.cipher, kernel=kernel, mode=mode, cycles=cycles, cpb=round(cycles / MESSAGE, 2),
                code_bytes=with_mode - before, code_with_cipher=with_mode,
                ram_bytes=key_bytes + state + variant.block + max(call.stack for call in calls) - calling.stack,
                compiler=f"{build.version(target.compiler)} {' '.join(target.size_flags)}", counter=target.counter,
            )
        )  # fmt: skip
    return rows


MODES = Measurement(name="modes", row=ModeRow, machines=tuple(SIMULATORS), parts=parts, rows=rows)
