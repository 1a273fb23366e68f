# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The haechi command as the tests build it, and run it on pipes, on files and on a terminal."""

import fcntl
import os
import pty
import random
import re
import resource
import select
import subprocess
import termios
import time
from functools import cache
from pathlib import Path

import file_format
import library
import native
import pytest
from library import FORWARD, KEY_SIZE

CLI = native.ROOT / "cli"
CHUNK, HEADER = 65536, 64  # HEADER: of version 1
NUMBERS = {name: number for number, name in file_format.CIPHERS.items()}
TAG = {c: 8 if c == "hight" else 16 for c in FORWARD}
DONE, FORGED, USAGE, SYSTEM, UNKNOWN = range(5)  # exit codes, as the manual page has them
BUILDS = {
    "usual": ("gcc", ["-O2"]),
    "named": ("gcc", ["-O2", "-DHAECHI_NO_TMPFILE"]),  # as on file systems that have no files without names
    "tsan": ("gcc", ["-O1", "-g", "-fsanitize=thread"]),
    "asan": ("gcc", ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
    "clang": ("clang", ["-O2"]),
    "bare": ("gcc", ["-O2"]),  # without libargon2 and utf8proc
    "ascii": ("gcc", ["-O2", "-DHAECHI_ARGON2"]),  # without utf8proc
}
LIBRARIES = {"bare": [], "ascii": ["-largon2"]}


@cache
def command(kind: str = "usual") -> Path:
    compiler, flags = BUILDS[kind]
    shared = Path(library.library()._name)
    files = [*sorted(CLI.glob("*.c")), native.ROOT / "host/random.c"]
    flags = ["-std=c99", *native.WARNINGS, *flags, f"-I{native.ROOT / 'host'}"]
    if kind not in LIBRARIES:
        flags += ["-DHAECHI_ARGON2", "-DHAECHI_UTF8PROC"]
    libraries = LIBRARIES.get(kind, ["-largon2", "-lutf8proc"])
    return native.build("haechi", files, flags, compiler, [str(shared), f"-Wl,-rpath,{shared.parent}", "-pthread", *libraries])


def haechi(*arguments, kind: str = "usual", before: list = (), **kwargs) -> subprocess.CompletedProcess:
    kwargs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kwargs}
    if kind == "tsan":  # a thread that still waits when another one ends the program has not leaked
        kwargs["env"] = {**os.environ, "TSAN_OPTIONS": "report_thread_leaks=0"}
    if "input" not in kwargs:
        kwargs.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([*before, command(kind), *map(str, arguments)], timeout=60, **kwargs)


def well(*arguments, **kwargs) -> bytes:
    """Runs the command, which must succeed without a message; returns what it wrote."""
    done = haechi(*arguments, **kwargs)
    assert (done.returncode, done.stderr) == (DONE, b""), done.stderr
    return done.stdout


def fails(code: int, says: str, *arguments, **kwargs) -> bytes:
    """Runs the command, which must end with this code and a message that the pattern fits; returns what it wrote."""
    done = haechi(*arguments, **kwargs)
    assert done.returncode == code, (done.returncode, done.stderr)
    assert re.search(says, done.stderr.decode()), done.stderr
    assert done.stderr.startswith(b"haechi: ")
    return done.stdout or b""


def drawn(size: int, seed: int = 0) -> bytes:
    return random.Random(f"{size} {seed}").randbytes(size)


class Keys:
    """Key files of every length, in a folder."""

    def __init__(self, folder: Path):
        self.bytes, self.path = {}, {}
        for cipher in FORWARD:
            key, path = drawn(KEY_SIZE[cipher], len(cipher)), folder / f"{cipher}.key"
            path.write_text(key.hex() + "\n")
            path.chmod(0o600)
            self.bytes[cipher], self.path[cipher] = key, path


def limit_files(size: int):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def listing(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir()}


def on_a_terminal(*arguments, answers=(), kind="usual", env=None, stdin=None, stdout=None, seconds=20) -> tuple[int, bytes]:
    """The exit code, and what the terminal showed of the command: its standard error and, unless they are given, its
    input and output. Each answer is typed when a question ends with a colon."""
    try:
        master, slave = pty.openpty()
    except OSError:
        pytest.skip("no pseudo-terminals here")

    def own() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [command(kind), *map(str, arguments)],
        stdin=slave if stdin is None else stdin,
        stdout=slave if stdout is None else stdout,
        stderr=slave,
        preexec_fn=own,
        env=env,
    )
    os.close(slave)
    shown, end, answers = b"", time.monotonic() + seconds, list(answers)
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # EIO: no process has it open any more
                break
        if answers and shown.endswith(b": "):
            os.write(master, answers.pop(0) + b"\n")
            shown += b"|"
    os.close(master)
    return process.wait(10), shown
