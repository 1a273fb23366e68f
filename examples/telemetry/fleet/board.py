# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A node's program on a simulated board of one of four chips.

A board runs its program from reset to board_sleep, which it leaves at once: an interval of time is a call of `run`. Everything
that leaves the board or that it could remember after a reset is an event, so that the events divide a run into the places where
a reset makes a difference.
"""

import ctypes
import random
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.declared.model import ROOT, load_targets
from bench.made import build
from bench.made.elf import Image
from examples.telemetry.fleet.f103 import F103

HERE = ROOT / "examples/telemetry"
LIMIT = 50_000_000  # instructions from one sleep to the next
AT_LIMIT, AT_FAULT = -1, -2
EVENTS = ["byte", "write"]


@dataclass(frozen=True)
class Chip:
    """A chip: its target in the bench, its file in node/boards, the bytes of a page of its lasting memory, and what it needs for
    start-up."""

    name: str
    target: str
    board: str
    page: int
    start: tuple[str, ...] = ()
    script: str = ""


CHIPS = {
    chip.name: chip
    for chip in [
        Chip("atmega328p", "avr", "atmega328p", 128),
        Chip("msp430f1611", "msp430", "msp430f1611", 128,
             ("examples/telemetry/node/boards/msp430f1611.S",), "bench/made/harness/msp430.ld"),
        Chip("stm32f103", "armv7m", "f103", 1024,
             ("bench/made/harness/armv7m_start.S",), "bench/made/harness/armv7m.ld"),
        Chip("gd32vf103", "rv32", "f103", 1024,
             ("examples/telemetry/node/boards/gd32vf103.S", "bench/made/harness/rv32_start.S"),
             "examples/telemetry/node/boards/gd32vf103.ld"),
    ]
}  # fmt: skip
CIPHERS = {"LEA-128 CCM": [], "HIGHT EAX": ["-DNODE_HIGHT"]}


@cache
def firmware(chip: Chip, cipher: str, more: tuple[str, ...] = (), node: Path = HERE / "node") -> Path:
    """The linked program of a node. node: the folder with its sources; tests plant faults in a copy."""
    target = load_targets()[chip.target]
    flags = [f"{target.chip_flag}{chip.name if chip.target == 'avr' else target.chip}", *target.flags]
    own = [*sorted(node.glob("*.c")), node / f"boards/{chip.board}.c"]
    folders = [f"src/{name}" for name in ("core", "mode", "lea", "hight", f"lea/{target.machine}", f"hight/{target.machine}")]
    library = sorted(path for folder in folders for path in (ROOT / folder).iterdir() if path.suffix in (".c", ".S"))
    made = [build.compile(target.compiler, path, [*flags, *CIPHERS[cipher], *more]) for path in own]
    made += [build.compile(target.compiler, path, flags) for path in [*(ROOT / name for name in chip.start), *library]]
    out = build.BUILD / "telemetry" / f"{chip.name}-{cipher.split()[0]}.elf"
    scripts = [ROOT / chip.script] if chip.script else []
    linker, through = (target.linker, []) if target.linker else (target.compiler, flags)
    return build.link(linker, made, [*through, *target.link], out, scripts=scripts)


@cache
def _shim(name: str) -> ctypes.CDLL:
    libraries = ["-lsimavr"] if name == "atmega328p" else []
    lib = ctypes.CDLL(str(build.shared(f"telemetry-{name}", [HERE / f"fleet/{name}.c"], ["-std=c99", "-O2"], libraries)))
    for function in ("new", "lasting"):
        getattr(lib, f"telemetry_{function}").restype = ctypes.c_void_p
    for function in ("instructions", "cycles"):
        getattr(lib, f"telemetry_{function}").restype = ctypes.c_uint64
    board, bytes_, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32
    lib.telemetry_new.argtypes = [bytes_, number, _TELL]
    lib.telemetry_power.argtypes = [board, bytes_, bytes_]
    lib.telemetry_receive.argtypes = [board, ctypes.c_uint8]
    lib.telemetry_measure.argtypes = [board, number, number]
    lib.telemetry_run.argtypes = [board, number, number, ctypes.c_uint64]
    for function in ("free", "lasting", "instructions", "cycles", "at", "return"):
        getattr(lib, f"telemetry_{function}").argtypes = [board]
    return lib


_TELL = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint32)


class _Shim:
    """A board in C, with the methods of F103."""

    def __init__(self, name: str, image: Image, tell):
        self._lib, self.lasting_size = _shim(name), 3 * CHIPS[name].page
        memory = bytearray(0x10000)
        for at, _, data in image.segments:
            memory[at : at + len(data)] = data
        self._callback = _TELL(lambda event, value: tell(EVENTS[event], value))  # ctypes keeps no reference
        size = 0x8000 if name == "atmega328p" else len(memory)
        self._board = self._lib.telemetry_new(bytes(memory), size, self._callback)

    def __del__(self):
        self._lib.telemetry_free(self._board)

    def power(self, lasting: bytes, noise: bytes) -> None:
        self._lib.telemetry_power(self._board, lasting, noise)

    def lasting(self) -> bytes:
        return ctypes.string_at(self._lib.telemetry_lasting(self._board), self.lasting_size)

    def receive(self, data: bytes) -> None:
        for byte in data:
            self._lib.telemetry_receive(self._board, byte)

    def measure(self, sensor: int, supply: int) -> None:
        self._lib.telemetry_measure(self._board, sensor, supply)

    def run(self, stops: tuple[int, int], limit: int = LIMIT) -> str:
        ended = self._lib.telemetry_run(self._board, *stops, limit)
        return {AT_LIMIT: "runs for ever", AT_FAULT: "a fault"}.get(ended, "")

    def at(self) -> int:
        return self._lib.telemetry_at(self._board)

    def leave(self) -> None:
        self._lib.telemetry_return(self._board)


# ---- What a node remembers.

ERASED = 0xFF
STATE = struct.Struct("<HHII16s")  # node/state.h; all four chips have this byte order
IDENTITY = struct.Struct("<I16s")


@dataclass(frozen=True)
class State:
    """A record of node/state.h."""

    sequence: int
    interval: int
    reserved: int
    heard: int
    key: bytes

    def record(self) -> bytes:
        body = STATE.pack(self.sequence, self.interval, self.reserved, self.heard, self.key)
        return body + zlib.crc32(body).to_bytes(4, "little")


def provisioned(chip: Chip, number: int, kek: bytes, state: State) -> bytes:
    """The lasting memory of a node on the day it leaves the workshop."""
    records = state.record().ljust(chip.page, b"\xff")
    return records + b"\xff" * chip.page + IDENTITY.pack(number, kek).ljust(chip.page, b"\xff")


def torn(old: bytes, new: bytes, chance: random.Random) -> bytes:
    """Memory whose change from old to new was cut off: each byte that changes is old, new, between them, or anything."""
    content = bytearray(new)
    for at, (a, b) in enumerate(zip(old, new, strict=True)):
        if a != b:
            content[at] = chance.choice([a, b, a & b, a | b, ERASED, chance.randrange(256)])
    return bytes(content)


# ---- A board and its program.

END, ESC, ESC_END, ESC_ESC = 0o300, 0o333, 0o334, 0o335  # RFC 1055


def slip(frame: bytes) -> bytes:
    return frame.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + bytes([END])


def unslip(line: bytes) -> list[bytes]:
    """The complete frames on a serial line."""
    return [part.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb") for part in line.split(bytes([END]))[:-1]]


class Board:
    """A chip with a node's program. `answer` is called with each frame that leaves the board, and returns the frames that then
    come to it. After a run, `events` holds ("byte", its value) and ("write", the lasting memory after it) in their order."""

    def __init__(self, chip: Chip, cipher: str, lasting: bytes, seed: int = 0, program: Path | None = None):
        image = Image(program or firmware(chip, cipher))
        self.chip, self._random, self._lasting = chip, random.Random(seed), lasting
        self.answer: Callable[[bytes], list[bytes]] = lambda frame: []
        self.events: list[tuple[str, int | bytes]] = []
        self._line = bytearray()
        self._simulated = F103(image, self._tell, chip.target == "rv32") if chip.board == "f103" else _Shim(chip.name, image, self._tell)
        self._sleep, self._stop = (image.address(name) for name in ("board_sleep", "board_stop"))

    def power(self, lasting: bytes | None = None) -> str:
        """Switches the board on, with the lasting memory that it has or with another, and runs it to its first sleep. Returns
        "asleep"; "stopped", where the node needs help; or what its program did wrong."""
        self._line.clear()
        self._lasting = self._lasting if lasting is None else lasting
        self._simulated.power(self._lasting, self._random.randbytes(0x10000))
        return self._run()

    def run(self) -> str:
        """Runs the board from its sleep to the next one. Returns what `power` returns."""
        self._simulated.leave()
        return self._run()

    def lasting(self) -> bytes:
        """What the board remembers: pages 0 to 2."""
        return self._lasting

    def cut(self, lasting: bytes) -> None:
        """The power failed when the lasting memory was like this."""
        self._lasting = lasting

    def measure(self, sensor: int, supply: int) -> None:
        """Both in millivolts."""
        self._simulated.measure(sensor, supply)

    def frames(self) -> list[bytes]:
        """The frames that left the board in the events."""
        return unslip(bytes(value for event, value in self.events if event == "byte"))

    def _run(self) -> str:
        self.events = []
        wrong = self._simulated.run((self._sleep, self._stop))
        self._lasting = self._simulated.lasting()
        return wrong or ("asleep" if self._simulated.at() == self._sleep else "stopped")

    def _tell(self, event: str, value: int) -> None:
        if event == "write":
            return self.events.append((event, self._simulated.lasting()))
        self.events.append((event, value))
        self._line.append(value)
        if value == END:
            frames = unslip(bytes(self._line))
            self._line.clear()
            for frame in frames:
                for reply in self.answer(frame):
                    self._simulated.receive(slip(reply))
