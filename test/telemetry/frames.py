# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Frames made and opened by the specification's modes, in which neither the node's code nor the gateway's has a part."""

import os
from functools import cache
from pathlib import Path

import library
import native
from library import Key

from examples.telemetry.fleet import gateway
from spec import modes

READING, COMMAND, NEW_KEY = 1, 2, 3
RESTARTED = 1
NONCE, HEADER, TAG = 9, 10, 8  # bytes
CIPHERS = ["LEA-128 CCM", "HIGHT EAX"]


def _crypt(cipher: str, key: bytes, header: bytes, text: bytes, decrypt: bool) -> tuple[bytes, bytes]:
    if cipher == "LEA-128 CCM":
        return modes.ccm(Key("lea128", key).ecb, header[:NONCE], header, text, TAG, decrypt=decrypt)
    return modes.eax(Key("hight", key).ecb, bytes(8), header[:NONCE], header, text, decrypt=decrypt)


def header(kind: int, node: int, counter: int, flags: int = 0) -> bytes:
    return bytes([kind]) + node.to_bytes(4, "big") + counter.to_bytes(4, "big") + bytes([flags])


def sealed(cipher: str, key: bytes, kind: int, node: int, counter: int, text: bytes, flags: int = 0) -> bytes:
    head = header(kind, node, counter, flags)
    ciphertext, tag = _crypt(cipher, key, head, text, False)
    return head + ciphertext + tag[:TAG]


def opened(cipher: str, key: bytes, frame: bytes) -> bytes | None:
    """The plaintext, or None where the tag is wrong."""
    head, text, tag = frame[:HEADER], frame[HEADER:-TAG], frame[-TAG:]
    plain, wanted = _crypt(cipher, key, head, text, True)
    return plain if wanted[:TAG] == tag else None


def reading(sensor: int = 500, supply: int = 3000, interval: int = 60, heard: int = 0) -> bytes:
    return b"".join(value.to_bytes(size, "big") for value, size in ((sensor, 2), (supply, 2), (interval, 2), (heard, 4)))


@cache
def programs(kind: str = "usual") -> gateway.Programs:
    """The gateway and the command, linked with the library that most tests use."""
    flags = {"usual": [], "asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}[kind]
    shared = Path(library.library()._name)
    options = ["-std=c11", "-g1", "-O2", *native.WARNINGS, *flags, f"-I{native.ROOT / 'host'}"]
    options = [flag for flag in options if flag != "-Wpedantic"]  # SQLite's macros
    libraries = [str(shared), f"-Wl,-rpath,{shared.parent}", "-pthread"]
    command = [*sorted(native.ROOT.glob("cli/*.c")), native.ROOT / "host/random.c"]
    return gateway.Programs(
        native.build("telemetry-gateway", gateway.SOURCES, options, libs=[*libraries, "-lsqlite3"]),
        native.build("haechi", command, ["-std=c99", "-g1", "-O2", *native.WARNINGS, f"-I{native.ROOT / 'host'}"], libs=libraries),
    )


def keys(folder: Path, count: int, first: int = 1) -> gateway.Keys:
    """A table of keys for `count` nodes, LEA and HIGHT in turn."""
    nodes = {number: (CIPHERS[number % 2], os.urandom(16), os.urandom(16)) for number in range(first, first + count)}
    table = gateway.Keys(folder, nodes)
    table.write(programs().haechi)
    return table
