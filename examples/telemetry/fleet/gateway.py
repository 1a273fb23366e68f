# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The gateway as a process, its table of keys, and what carries frames to it."""

import os
import select
import signal
import socket
import subprocess
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from bench.made import build
from bench.made.cache import BUILD
from bench.measured.host import shipped

HERE = build.ROOT / "examples/telemetry"
ALGORITHMS = {"LEA-128 CCM": 1, "HIGHT EAX": 2}
NONCE = 9  # bytes


class Verdict(IntEnum):
    """enum verdict of gateway/gateway.h."""

    ACCEPTED, REPLAYED, FORGED, UNKNOWN, MALFORMED, FLOODED, NOT_STORED = range(7)


@dataclass(frozen=True)
class Programs:
    """The gateway and the haechi command."""

    gateway: Path
    haechi: Path


SOURCES = [*sorted((HERE / "gateway").glob("*.c")), build.ROOT / "host/random.c"]


def programs() -> Programs:
    """Both, linked with the library as users compile it."""
    flags = [*shipped("gcc"), "-Isrc", "-Ihost"]
    library = build.compile_all("gcc", sorted(build.ROOT.glob("src/**/*.c")), flags)
    gateway = build.compile_all("gcc", SOURCES, flags)
    command = build.compile_all("gcc", [*sorted(build.ROOT.glob("cli/*.c")), build.ROOT / "host/random.c"], flags)
    return Programs(
        build.link("gcc", [*gateway, *library], [], BUILD / "host/telemetry-gateway", ["-lsqlite3"]),
        build.link("gcc", [*command, *library], [], BUILD / "host/haechi", ["-pthread"]),
    )


@dataclass
class Keys:
    """A table of keys for some nodes, sealed in a folder."""

    folder: Path
    nodes: dict[int, tuple[str, bytes, bytes]]  # by number: cipher, key, key-encryption key
    wrapping: bytes = field(default_factory=lambda: os.urandom(32))

    def write(self, haechi: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        table = self.wrapping + b"".join(
            number.to_bytes(4, "big") + bytes([ALGORITHMS[cipher]]) + key + kek for number, (cipher, key, kek) in self.nodes.items()
        )
        subprocess.run([haechi, "keygen", self.key_file], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([haechi, "enc", "-q", "-k", self.key_file, "-o", self.table], input=table, check=True)

    @property
    def key_file(self) -> Path:
        return self.folder / "gateway.key"

    @property
    def table(self) -> Path:
        return self.folder / "nodes.keys"


class Gateway:
    """A running gateway; a context manager. `kill` and `start` may follow each other."""

    def __init__(
        self, programs: Programs, keys: Keys, database: Path, *,
        rate: int = 1_000_000, metrics: Path | None = None, wrapper: list[str] = (),
    ):  # fmt: skip
        self._program = programs.gateway
        self._arguments = ["-k", keys.key_file, "-t", keys.table, "-d", database, "-c", programs.haechi]
        self._more = ["-r", rate, *(["-m", metrics] if metrics else [])]
        self._wrapper, self.database = [*wrapper], database
        self.port, self._process = 0, None

    def start(self) -> None:
        words = [*self._wrapper, self._program, *self._arguments, *self._more, "-p", self.port]
        self._process = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(self._process.stderr.read().strip())
        self.port = int(line)

    def order(self, node: int, interval: int | None) -> None:
        """Puts in a command: an interval in seconds, or a new key."""
        what = ["-N"] if interval is None else ["-i", interval]
        words = [self._program, *self._arguments, "-n", node, *what]
        done = subprocess.run([*map(str, words)], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends the process by a signal; returns its exit status."""
        if self._process is None:
            return 0
        self._process.send_signal(number)
        self._process.communicate()
        status, self._process = self._process.returncode, None
        return status

    def ended(self) -> str | None:
        """What the process said, if it has ended by itself."""
        if self._process.poll() is None:
            return None
        return self._process.communicate()[1]

    def __enter__(self) -> "Gateway":
        self.start()
        return self

    def __exit__(self, *exception) -> None:
        self.stop()


class Carrier:
    """What carries frames from the radio to the gateway: it sends a frame again until the gateway answers for it."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)

    def close(self) -> None:
        self._socket.close()

    def send(self, frame: bytes) -> None:
        """Sends a frame once, and waits for nothing."""
        self._socket.sendto(frame, ("127.0.0.1", self.gateway.port))

    def answer(self, seconds: float) -> tuple[Verdict, bytes, bytes] | None:
        """The next answer: verdict, nonce of the frame, and a command or nothing."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return None
        try:
            data = self._socket.recv(2048)
        except ConnectionRefusedError:
            return None
        return Verdict(data[0]), data[1 : 1 + NONCE], data[1 + NONCE :]

    def carry(self, frame: bytes, tries: int = 50) -> tuple[Verdict, list[bytes]]:
        """What the gateway says of a frame, and the commands for its node."""
        for _ in range(tries):
            self.send(frame)
            while found := self.answer(0.2):
                verdict, nonce, reply = found
                if nonce == frame[:NONCE].ljust(NONCE, b"\0"):
                    return verdict, [reply] if reply else []
        raise RuntimeError("the gateway does not answer")
