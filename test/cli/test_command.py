# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The haechi command: what it writes and reads, and what it does when something goes wrong."""

import ctypes
import json
import os
import pty
import random
import re
import resource
import select
import shutil
import signal
import stat
import subprocess
import time
import zlib
from functools import cache
from pathlib import Path

import file_format
import library
import native
import pytest
from library import BLOCK, FORWARD, KEY_SIZE

CLI = native.ROOT / "cli"
CHUNK, HEADER = 65536, 64
NUMBERS = {name: number for number, name in file_format.CIPHERS.items()}
TAG = {c: 8 if c == "hight" else 16 for c in FORWARD}
DONE, FORGED, USAGE, SYSTEM, UNKNOWN = range(5)  # exit codes, as the manual page has them
VERSION = json.loads((native.ROOT / "library.json").read_text())["version"]
BUILDS = {
    "usual": ("gcc", ["-O2"]),
    "named": ("gcc", ["-O2", "-DHAECHI_NO_TMPFILE"]),  # as on file systems that have no files without names
    "tsan": ("gcc", ["-O1", "-g", "-fsanitize=thread"]),
    "asan": ("gcc", ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
    "clang": ("clang-14", ["-O2"]),
}


@cache
def command(kind: str = "usual") -> Path:
    compiler, flags = BUILDS[kind]
    shared = Path(library.library()._name)
    files = [*sorted(CLI.glob("*.c")), native.ROOT / "host/random.c"]
    flags = ["-std=c99", *native.WARNINGS, *flags, f"-I{native.ROOT / 'host'}"]
    return native.build("haechi", files, flags, compiler, [str(shared), f"-Wl,-rpath,{shared.parent}", "-pthread"])


def haechi(*arguments, kind: str = "usual", before: list = (), **kwargs) -> subprocess.CompletedProcess:
    kwargs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kwargs}
    if kind == "tsan":  # a thread that waits when another one ends the program is no leak
        kwargs["env"] = {**os.environ, "TSAN_OPTIONS": "report_thread_leaks=0"}
    if "input" not in kwargs:
        kwargs.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([*before, command(kind), *map(str, arguments)], timeout=60, **kwargs)


def well(*arguments, **kwargs) -> bytes:
    """What it writes; it must be content."""
    done = haechi(*arguments, **kwargs)
    assert (done.returncode, done.stderr) == (DONE, b""), done.stderr
    return done.stdout


def fails(code: int, says: str, *arguments, **kwargs) -> bytes:
    """It must end with this code and a message that the pattern fits; returns what it wrote."""
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


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def long(keys):
    """A plaintext of five chunks and a bit, and its files."""
    text = drawn(5 * CHUNK + 1000)
    return text, {c: well("enc", "-c", c, "-k", keys.path[c], input=text) for c in ("lea256", "aria128", "hight")}


def listing(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir()}


# ---- There and back.

AROUND = [0, 1, 7, 8, 15, 16, 17, 1000]
AROUND += [n * CHUNK + d for n in (1, 2, 4, 8, 16, 17) for d in (-1, 0, 1)]  # chunks, reads, runs


@pytest.mark.parametrize("cipher", FORWARD)
def test_round_trip(cipher, keys, tmp_path):
    """Pipe to pipe and file to file, by any number of threads; lengths as the document says."""
    key, name = keys.path[cipher], cipher.rstrip("0123456789")
    for i, size in enumerate(AROUND):
        text, threads = drawn(size), 1 + i % 3
        sealed = well("enc", "-c", name, "-k", key, "-t", threads, input=text)
        assert len(sealed) == HEADER + size + TAG[cipher] * max(1, -(-size // CHUNK))
        assert sealed[9] == NUMBERS[cipher]
        assert well("dec", "-k", key, "-t", 4 - threads, input=sealed) == text
        (tmp_path / "in").write_bytes(text)
        assert well("enc", "-c", cipher, "-k", key, "-f", "-t", threads, "-o", tmp_path / "sealed", tmp_path / "in") == b""
        assert well("dec", "-k", key, "-f", "-o", tmp_path / "out", "-t", 4 - threads, tmp_path / "sealed") == b""
        assert (tmp_path / "out").read_bytes() == text
        assert (tmp_path / "sealed").stat().st_size == len(sealed)
    assert listing(tmp_path) == {"in", "sealed", "out"}


@pytest.mark.full
@pytest.mark.parametrize("kind", ["named", "tsan", "asan", "clang"])
def test_round_trip_of_other_builds(kind, keys, tmp_path):
    for cipher, size in (("lea256", 40 * CHUNK + 3), ("aria128", 16 * CHUNK), ("hight", 3 * CHUNK), ("hight", 0)):
        (tmp_path / "in").write_bytes(drawn(size))
        well("enc", "-c", cipher, "-k", keys.path[cipher], "-f", "-t", 4, "-o", tmp_path / "s", tmp_path / "in", kind=kind)
        well("dec", "-k", keys.path[cipher], "-f", "-t", 4, "-o", tmp_path / "out", tmp_path / "s", kind=kind)
        assert (tmp_path / "out").read_bytes() == drawn(size)
        assert well("dec", "-k", keys.path[cipher], "-t", 3, input=(tmp_path / "s").read_bytes(), kind=kind) == drawn(size)
        bad = bytearray((tmp_path / "s").read_bytes())
        bad[-1] ^= 1
        fails(FORGED, "damaged", "dec", "-k", keys.path[cipher], input=bytes(bad), kind=kind)
    assert listing(tmp_path) == {"in", "s", "out"}
    well("self-test", kind=kind, stdout=subprocess.DEVNULL)
    for mode in ("cbc", "gcm", "eax", "cmac"):
        iv = [] if mode == "cmac" else ["-i", "00" * 16]
        well("raw", f"lea-{mode}", "-k", keys.path["lea256"], *iv, input=drawn(64), kind=kind)


@pytest.mark.full
def test_big_endian_machine(keys, tmp_path):
    """Writes what others read, reads what others write, by the portable kernels."""
    files = [*sorted(CLI.glob("*.c")), native.ROOT / "host/random.c", *native.sources()]
    flags = [*native.USUAL, "-static", f"-I{native.ROOT / 'host'}"]
    foreign = ["qemu-s390x", native.build("haechi-s390x", files, flags, "s390x-linux-gnu-gcc", ["-pthread"])]
    text = drawn(2 * CHUNK + 5)
    (tmp_path / "text").write_bytes(text)
    for cipher in ("lea192", "aria256", "hight"):
        key, sealed, back = keys.path[cipher], tmp_path / cipher, tmp_path / f"{cipher}.back"
        native.run([*foreign, "enc", "-c", cipher, "-k", key, "-o", sealed, tmp_path / "text"])
        assert well("dec", "-k", key, sealed) == text
        well("enc", "-c", cipher, "-k", key, "-f", "-o", sealed, input=text)
        native.run([*foreign, "dec", "-k", key, "-o", back, sealed])
        assert back.read_bytes() == text
    native.run([*foreign, "self-test"])


@pytest.mark.parametrize("cipher", FORWARD)
def test_another_program_reads_and_writes_the_format(cipher, keys):
    """file_format.py, written from the document alone."""
    key = keys.bytes[cipher]
    for size in (0, 1, CHUNK, CHUNK + 1, 17 * CHUNK + 5):
        text = drawn(size)
        assert file_format.read(well("enc", "-c", cipher, "-k", keys.path[cipher], input=text), key) == text
        sealed = file_format.write(text, NUMBERS[cipher], key, drawn(32, size))
        assert well("dec", "-k", keys.path[cipher], input=sealed) == text


def test_document_has_the_numbers_that_the_program_has():
    text = (native.ROOT / "docs/file-format.md").read_text()
    source = (CLI / "names.c").read_text()
    found = re.findall(r'\{ "([A-Z0-9-]+)", (\d), (\d+), (\d+),', source)
    assert {(n.lower().replace("-", ""), int(i), int(k)) for n, i, k, _ in found} == {
        (c, NUMBERS[c], KEY_SIZE[c]) for c in FORWARD
    }
    assert "pieces of 65536 bytes" in text and "runs of 16" in text


def test_examples_of_the_document(keys, tmp_path):
    text = (native.ROOT / "docs/file-format.md").read_text()
    examples = text[text.index("## Examples") : text.index("## Speed")]
    found = [bytes.fromhex("".join(block.split())) for block in re.findall(r"(?:^    [0-9a-f]+\n)+", examples, re.M)]
    assert [example[9] for example in found] == [1, 6, 7]
    for example in found:
        key = bytes(range(KEY_SIZE[file_format.CIPHERS[example[9]]]))
        (tmp_path / "key").write_bytes(key)
        (tmp_path / "key").chmod(0o600)
        assert well("dec", "-k", tmp_path / "key", input=example) == file_format.read(example, key) == b"Haechi\n"


def test_two_files_of_one_text_share_nothing(keys):
    one, two = (well("enc", "-k", keys.path["lea256"], input=bytes(300)) for _ in range(2))
    assert one[:16] == two[:16] and sum(a == b for a, b in zip(one[16:], two[16:], strict=True)) < 20


# ---- What was changed.


def test_every_bit_of_the_header_counts(keys):
    key = keys.path["hight"]
    sealed = well("enc", "-c", "hight", "-k", key, input=b"some text")
    for bit in range(8 * HEADER):
        bad = bytearray(sealed)
        bad[bit // 8] ^= 1 << bit % 8
        code, says = (UNKNOWN, "not a file|of a version|of a cipher") if bit < 8 * 16 else (FORGED, "another key")
        if bit // 8 == 9 and bad[9] in file_format.CIPHERS:
            code, says = FORGED, "wants a key|another key"
        assert fails(code, says, "dec", "-k", key, input=bytes(bad)) == b""


@pytest.mark.parametrize("cipher", ["lea256", "aria128", "hight"])
def test_every_change_of_the_rest_is_noticed(cipher, keys, long, tmp_path):
    """What comes out before are whole chunks of the plaintext; into a file, nothing."""
    text, sealed = long[0], long[1][cipher]
    key, piece, draw = keys.path[cipher], CHUNK + TAG[cipher], random.Random(cipher)
    places = {
        HEADER,
        HEADER + CHUNK - 1,
        HEADER + CHUNK,
        HEADER + piece - 1,
        HEADER + piece,
        len(sealed) - 1,
        len(sealed) - 1000,
    }
    for place in sorted(places | {draw.randrange(HEADER, len(sealed)) for _ in range(20)}):
        bad = bytearray(sealed)
        bad[place] ^= 1 << draw.randrange(8)
        chunk = (place - HEADER) // piece
        out = fails(FORGED, "damaged", "dec", "-k", key, "-t", 1 + place % 3, input=bytes(bad))
        assert out == text[: chunk * CHUNK]
        (tmp_path / "bad").write_bytes(bad)
        fails(FORGED, "out has not been written", "dec", "-k", key, "-o", tmp_path / "out", "-t", 2, tmp_path / "bad")
        assert listing(tmp_path) == {"bad"}


@pytest.mark.parametrize("cipher", ["lea256", "aria128", "hight"])
def test_truncation(cipher, keys, long, tmp_path):
    text, sealed = long[0], long[1][cipher]
    key, piece = keys.path[cipher], CHUNK + TAG[cipher]
    bounds = range(HEADER, len(sealed), piece)
    for size in sorted({b + d for b in bounds for d in (-1, 0, 1, TAG[cipher], TAG[cipher] + 1)} | {len(sealed) - 1, 0, 1, 30}):
        code = UNKNOWN if size < HEADER else FORGED
        out = fails(code, "too short|end is missing|damaged", "dec", "-k", key, input=sealed[:size])
        whole = (size - HEADER - 1) // piece if size > HEADER else 0
        assert out == text[: whole * CHUNK]
        if size in bounds and size > HEADER:
            done = haechi("dec", "-k", key, input=sealed[:size])
            assert b"end is missing" in done.stderr and (b"is incomplete" in done.stderr) == (whole > 0)
        (tmp_path / "short").write_bytes(sealed[:size])
        fails(code, ".", "dec", "-k", key, "-o", tmp_path / "out", tmp_path / "short")
        assert listing(tmp_path) == {"short"}
    fails(FORGED, "damaged", "dec", "-k", key, input=sealed + b"x")
    fails(FORGED, "damaged", "dec", "-k", key, input=sealed + bytes(piece))
    exact = well("enc", "-c", cipher, "-k", key, input=text[: 2 * CHUNK])
    for more in (b"x", bytes(TAG[cipher]), exact[-piece:]):
        assert fails(FORGED, ".", "dec", "-k", key, input=exact + more) == text[:CHUNK]


def test_chunks_elsewhere(keys, long):
    """Swapped, doubled, left out, and from another file of the same key."""
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    piece = CHUNK + 16
    head, chunks = sealed[:HEADER], [sealed[at : at + piece] for at in range(HEADER, len(sealed), piece)]
    other = well("enc", "-k", key, input=text)
    foreign = [other[at : at + piece] for at in range(HEADER, len(other), piece)]
    last = len(chunks) - 1
    orders = {
        0: [[1, 0, *range(2, last + 1)], list(range(1, last + 1)), [last]],
        1: [[0, 0, *range(1, last + 1)], [0, 2, 1, *range(3, last + 1)], [0, last]],
        last: [[*range(last), 0], [*range(last), last - 1, last]],
    }
    for good, wrong in orders.items():
        for order in wrong:
            assert fails(FORGED, ".", "dec", "-k", key, input=head + b"".join(chunks[i] for i in order)) == text[: good * CHUNK]
    for i in range(last + 1):
        spliced = head + b"".join([*chunks[:i], foreign[i], *chunks[i + 1 :]])
        assert fails(FORGED, "damaged", "dec", "-k", key, input=spliced) == text[: i * CHUNK]
    assert fails(FORGED, "another key", "dec", "-k", key, input=head[:16] + other[16:48] + sealed[48:]) == b""


def test_runs_do_not_mix(keys):
    """Chunks 16 apart have the same place in their runs."""
    text, key, piece = drawn(33 * CHUNK), keys.path["hight"], CHUNK + 8
    sealed = well("enc", "-c", "hight", "-k", key, input=text)
    swapped = bytearray(sealed)
    at = HEADER + 16 * piece
    swapped[HEADER : HEADER + piece], swapped[at : at + piece] = sealed[at : at + piece], sealed[HEADER : HEADER + piece]
    assert fails(FORGED, "damaged", "dec", "-k", key, input=bytes(swapped)) == b""


def test_wrong_key(keys, tmp_path):
    sealed = well("enc", "-c", "lea128", "-k", keys.path["lea128"], input=b"text")
    (tmp_path / "other").write_bytes(drawn(16, 99))
    (tmp_path / "other").chmod(0o600)
    fails(FORGED, "another key", "dec", "-k", tmp_path / "other", input=sealed)
    fails(FORGED, "wants a key of 16 bytes, for LEA-128; this one has 32", "dec", "-k", keys.path["lea256"], input=sealed)


# ---- Keys.


def test_keygen(tmp_path):
    old = os.umask(0)
    try:
        for bits in (128, 192, 256):
            well("keygen", "-b", bits, tmp_path / str(bits))
        well("keygen", tmp_path / "usual")
    finally:
        os.umask(old)
    texts = [(tmp_path / name).read_text() for name in ("128", "192", "256", "usual")]
    assert [len(bytes.fromhex(t)) for t in texts] == [16, 24, 32, 32] and len(set(texts)) == 4
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in tmp_path.iterdir())
    before = (tmp_path / "128").read_bytes()
    fails(USAGE, "there already", "keygen", tmp_path / "128")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    fails(USAGE, "there already", "keygen", tmp_path / "link")
    assert (tmp_path / "128").read_bytes() == before and not (tmp_path / "nowhere").exists()
    for bits in ("0", "127", "129", "1e2", "-128", "512", ""):
        fails(USAGE, "--bits", "keygen", "-b", bits, tmp_path / "new")
    fails(SYSTEM, "No such file", "keygen", tmp_path / "no/where")
    done = haechi("keygen", tmp_path / "small", preexec_fn=limit_files(10))
    assert done.returncode == SYSTEM and not (tmp_path / "small").exists()


def test_key_from_everywhere(keys, tmp_path):
    key, path = keys.bytes["lea256"], keys.path["lea256"]
    sealed = well("enc", "-k", path, input=b"text")
    plain = tmp_path / "plain.haechi"
    plain.write_bytes(sealed)
    forms = [key, key.hex().encode(), key.hex().upper().encode() + b"\r\n", key.hex().encode() + b" \n\n"]
    for form in forms:
        assert well("dec", "-k", "-", plain, input=form) == b"text"
        assert well("dec", "--key-fd", 0, plain, input=form) == b"text"
        (tmp_path / "k").write_bytes(form)
        (tmp_path / "k").chmod(0o600)
        assert well("dec", f"--key={tmp_path / 'k'}", input=sealed) == b"text"
        read, write = os.pipe()
        os.write(write, form)
        os.close(write)
        assert well("dec", "--key-fd", read, input=sealed, pass_fds=[read]) == b"text"
        os.close(read)


def test_bad_keys(tmp_path):
    for key, says in ((b"", "too few"), (b"abc", "too few"), (bytes(15), "too few"), (bytes(17), "does not take"),
                      (bytes(65), "too long"), (b"0" * 1000, "too long"), (b"0" * 33, "does not take"),
                      (b"00" * 65, "more than 64"), (bytes(64), "does not take")):  # fmt: skip
        fails(USAGE, says, "enc", "-k", "-", os.devnull, input=key)
    fails(SYSTEM, "No such file", "enc", "-k", tmp_path / "none", input=b"")
    fails(SYSTEM, "Is a directory", "enc", "-k", tmp_path, input=b"")
    fails(SYSTEM, "Bad file descriptor", "enc", "--key-fd", 77, input=b"")
    fails(USAGE, "key is needed", "enc", input=b"")
    fails(USAGE, "key is needed", "enc", "-k", "x", "--key-fd", "3", input=b"")
    fails(USAGE, "both the key and", "enc", "-k", "-", input=b"")
    fails(USAGE, "no number", "enc", "--key-fd", "x", input=b"")


def test_key_that_others_may_read_is_remarked_upon(keys, tmp_path):
    shutil.copy(keys.path["lea256"], tmp_path / "open")
    (tmp_path / "open").chmod(0o644)
    done = haechi("enc", "-k", tmp_path / "open", input=b"text")
    assert done.returncode == DONE and b"chmod 600" in done.stderr


@cache
def residue() -> Path:
    return native.build("residue.so", [native.ROOT / "test/cli/residue.c"], ["-shared", "-fPIC", "-O2"])


def test_nothing_of_a_key_stays_in_memory(keys, tmp_path):
    """Whether it ends well or not; and what looks for it, finds it where it is. LD_BIND_NOW, as the program is linked when
    it is installed: binding at the first call would put all registers on the stack."""
    key, path = keys.bytes["aria256"], keys.path["aria256"]
    sealed = well("enc", "-c", "aria", "-k", path, input=drawn(3 * CHUNK))
    looked = {**os.environ, "LD_PRELOAD": str(residue()), "RESIDUE": bytes(b ^ 0x55 for b in key).hex(), "LD_BIND_NOW": "1"}
    well("enc", "-c", "aria", "-k", path, input=drawn(3 * CHUNK), env=looked)
    well("enc", "-c", "lea", "-k", path, "-t", 3, input=drawn(3 * CHUNK), env=looked)
    well("dec", "-k", path, input=sealed, env=looked)
    fails(FORGED, "damaged", "dec", "-k", path, input=sealed + b"x", env=looked)
    fails(FORGED, "another key", "dec", "-k", path, input=sealed[:50] + bytes(200), env=looked)
    well("raw", "aria-256-cbc", "-k", path, "-i", "00" * 16, input=bytes(32), env=looked)
    well("raw", "aria-256-gcm", "-K", key.hex(), "-i", "00" * 12, input=bytes(32), env=looked)
    fails(SYSTEM, "No such file", "enc", "-k", path, tmp_path / "nowhere", env=looked)
    # The key as a file's name, which nobody hides.
    done = haechi("enc", "-k", key.hex(), env=looked)
    assert done.returncode == 99


# ---- Output.


def limit_files(size: int):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("kind", ["usual", pytest.param("named", marks=pytest.mark.full)])
def test_full_disk(kind, keys, long, tmp_path):
    text, sealed = long[0], long[1]["lea256"]
    (tmp_path / "in").write_bytes(text)
    (tmp_path / "sealed").write_bytes(sealed)
    key = keys.path["lea256"]
    for way, name in (("enc", "in"), ("dec", "sealed")):
        source = tmp_path / name
        fails(SYSTEM, "No space left", way, "-k", key, "-o", "/dev/full", source, kind=kind)
        with open("/dev/full", "wb") as full:
            fails(SYSTEM, "No space left", way, "-k", key, source, stdout=full, kind=kind)
        for room in (0, 10, CHUNK, 3 * CHUNK):
            limits = {"preexec_fn": limit_files(room), "kind": kind}
            fails(SYSTEM, "File too large[^$]*has not been written", way, "-k", key, "-o", tmp_path / "out", source, **limits)
            assert listing(tmp_path) == {"in", "sealed"}
            (tmp_path / "kept").write_bytes(b"kept")
            fails(SYSTEM, "File too large", way, "-k", key, "-f", "-o", tmp_path / "kept", source, **limits)
            assert (tmp_path / "kept").read_bytes() == b"kept"
            (tmp_path / "kept").unlink()
            with open(tmp_path / "partly", "wb") as partly:
                fails(SYSTEM, "incomplete" if room >= CHUNK else "too large", way, "-k", key, source, stdout=partly, **limits)
            (tmp_path / "partly").unlink()


def test_file_system_that_is_full(keys, long, tmp_path):
    """One of 256 KiB, where the system lets us make it."""
    script = f'mount -t tmpfs -o size=256k none {tmp_path} && "$@"; code=$?; ls -A {tmp_path}; exit $code'
    mount = ["unshare", "-m", "sh", "-c", script, "sh"]
    if subprocess.run([*mount, "true"], capture_output=True).returncode:
        pytest.skip("no mounting here")
    arguments = ["-k", keys.path["lea256"], "-o", tmp_path / "out"]
    for way, data in (("enc", long[0]), ("dec", long[1]["lea256"])):
        assert fails(SYSTEM, "No space left[^$]*has not been written", way, *arguments, input=data, before=mount) == b""
    assert well("enc", *arguments, input=long[0][:CHUNK], before=mount) == b"out\n"


def test_broken_pipe(keys, long):
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way, data in (("enc", text * 20), ("dec", sealed)):
        read, write = os.pipe()
        os.close(read)
        fails(SYSTEM, "Broken pipe", way, "-k", key, input=data, stdout=write)
        os.close(write)
    # Somebody who stops half-way.
    with subprocess.Popen([command(), "rand", "100000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as busy:
        assert len(busy.stdout.read(100000)) == 100000
        busy.stdout.close()
        assert busy.wait(20) == SYSTEM and b"Broken pipe" in busy.stderr.read()


@pytest.mark.parametrize("kind", ["usual", "named"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_killed_half_way(kind, how, keys, long, tmp_path):
    """Nothing stays behind, but for SIGKILL where a file has to have a name: that has nothing but the owner's access."""
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way, data in (("enc", text), ("dec", sealed)):
        (tmp_path / "kept").write_bytes(b"kept")
        process = subprocess.Popen([command(kind), way, "-k", key, "-f", "-o", tmp_path / "kept"], stdin=subprocess.PIPE)
        process.stdin.write(data[: 4 * CHUNK])
        process.stdin.flush()
        time.sleep(0.15)
        assert process.poll() is None
        os.kill(process.pid, how)
        assert process.wait(10) == -how
        process.stdin.close()
        left = listing(tmp_path) - {"kept"}
        assert (tmp_path / "kept").read_bytes() == b"kept"
        if kind == "usual" or how != signal.SIGKILL:
            assert not left
        for name in left:
            assert name.startswith(".haechi-")
            (tmp_path / name).unlink()


def test_replaces_only_when_told(keys, tmp_path):
    key = keys.path["lea256"]
    for kind in ("usual", "named"):
        (tmp_path / "there").write_bytes(b"there")
        fails(USAGE, "there already; -f", "enc", "-k", key, "-o", tmp_path / "there", input=b"text", kind=kind)
        assert (tmp_path / "there").read_bytes() == b"there"
        (tmp_path / "there").chmod(0o640)
        well("enc", "-k", key, "-f", "-o", tmp_path / "there", input=b"text", kind=kind)
        assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o640
        (tmp_path / "link").symlink_to("there")
        well("dec", "-k", key, "-f", "-o", tmp_path / "link", tmp_path / "there", kind=kind)  # onto what it reads
        assert (tmp_path / "there").read_bytes() == b"text" and (tmp_path / "link").is_symlink()
        (tmp_path / "link").unlink()
        old = os.umask(0o027)
        well("enc", "-k", key, "-o", tmp_path / "new", input=b"text", kind=kind)
        os.umask(old)
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
        (tmp_path / "new").unlink()
        # Somebody makes it meanwhile.
        process = subprocess.Popen(
            [command(kind), "enc", "-k", key, "-o", tmp_path / "race"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(0.1)
        (tmp_path / "race").write_bytes(b"theirs")
        assert b"there already" in process.communicate(b"text")[1] and process.returncode == USAGE
        assert (tmp_path / "race").read_bytes() == b"theirs" and listing(tmp_path) == {"there", "race"}
        (tmp_path / "race").unlink()


def test_a_file_is_on_the_disk_before_it_has_its_name(keys, tmp_path):
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode:
        pytest.skip("no strace")
    for kind in ("usual", "named"):
        well("enc", "-k", keys.path["lea256"], "-f", "-o", tmp_path / "out", input=b"text", kind=kind,
             before=["strace", "-f", "-o", str(tmp_path / "trace"), "-e", "trace=fsync,link,linkat,rename,unlink"])  # fmt: skip
        calls = re.findall(r"(fsync|link|linkat|rename)\(.*= 0$", (tmp_path / "trace").read_text(), re.M)
        assert calls[0] == "fsync" and calls[-1] == "fsync" and "rename" in calls or "linkat" in calls


def test_special_files(keys, long, tmp_path):
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way in ("enc", "dec"):
        fails(SYSTEM, "No such file", way, "-k", key, tmp_path / "none")
        fails(SYSTEM, "Is a directory", way, "-k", key, tmp_path)
        fails(SYSTEM, "Input/output error", way, "-k", key, "/proc/self/mem")
        fails(SYSTEM, "No such device", way, "-k", key, "-o", tmp_path / "x", socket_file(tmp_path / "socket"))
    good = tmp_path / "good"
    good.write_bytes(sealed)
    fails(SYSTEM, "Is a directory", "dec", "-k", key, "-f", "-o", tmp_path, good)
    fails(SYSTEM, "No such file", "dec", "-k", key, "-o", tmp_path / "no/where", good)
    assert len(well("enc", "-k", key, "/dev/null")) == HEADER + 16
    fails(UNKNOWN, "too short", "dec", "-k", key, "/dev/null")
    assert well("dec", "-k", key, "-o", "/dev/null", good) == b""
    # Pipes with names, at both ends.
    for name in ("from", "to"):
        os.mkfifo(tmp_path / name)
    with (
        subprocess.Popen(["cp", tmp_path / "to", tmp_path / "copy"]),
        subprocess.Popen(["tee", tmp_path / "from"], stdin=open(good), stdout=subprocess.DEVNULL),
    ):
        well("dec", "-k", key, "-f", "-o", tmp_path / "to", tmp_path / "from")
    assert (tmp_path / "copy").read_bytes() == text
    assert stat.S_ISFIFO((tmp_path / "to").stat().st_mode)
    # Nothing at the ends at all.
    for closed in ("<&-", ">&-", "<&- >&-"):
        done = subprocess.run(["sh", "-c", f'"$0" dec -k "$1" - {closed}', command(), key], input=sealed, capture_output=True)
        assert done.returncode == SYSTEM and done.stderr


def socket_file(path: Path) -> Path:
    import socket

    if not path.exists():
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(path))
    return path


def test_no_permission(keys, long, tmp_path):
    """Root may read anything, so it goes without that."""
    before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] if os.geteuid() == 0 else []
    if before and subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("setpriv does not work here")
    good, shut = tmp_path / "good", tmp_path / "shut"
    good.write_bytes(long[1]["lea256"])
    shut.mkdir()
    good.chmod(0)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], good, before=before)
    good.chmod(0o400)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], "-f", "-o", good, good, before=before)
    shut.chmod(0o500)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], "-o", shut / "x", good, before=before)
    shut.chmod(0o700)


def test_slow_pipe_gets_each_chunk_as_it_comes(keys, long):
    """Nobody waits for more than the chunk that is there and the byte behind it."""
    text, sealed = long[0], long[1]["aria128"]
    process = subprocess.Popen(
        [command(), "dec", "-k", keys.path["aria128"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    process.stdin.write(sealed[: HEADER + CHUNK + 16 + 1])
    out = b""
    while len(out) < CHUNK and select.select([process.stdout], [], [], 10)[0]:
        out += process.stdout.read(CHUNK)
    assert out == text[:CHUNK]
    process.stdin.close()
    process.stdout.read()
    assert process.wait(10) == FORGED


# ---- Terminals.


def on_a_terminal(*arguments, stdin=None, stdout=None, seconds=20) -> tuple[int, bytes]:
    """The exit code, and what a terminal showed that is standard error, and the others where nothing else is said."""
    try:
        master, slave = pty.openpty()
    except OSError:
        pytest.skip("no pseudo-terminals here")
    process = subprocess.Popen([command(), *map(str, arguments)], stdin=stdin or slave, stdout=stdout or slave, stderr=slave)
    os.close(slave)
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # EIO: nobody has it open any more
                break
    os.close(master)
    return process.wait(10), shown


def test_terminals(keys, tmp_path):
    key = keys.path["lea256"]
    (tmp_path / "text").write_text("Grüße, 해치\n\tend\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "escapes").write_bytes(b"harmless \x1b]0;not\x07\n")
    for name in ("text", "binary", "escapes"):
        well("enc", "-k", key, "-o", tmp_path / f"{name}.sealed", tmp_path / name)
    code, shown = on_a_terminal("enc", "-k", key, tmp_path / "text")
    assert code == USAGE and b"is a terminal" in shown and b"HAECHI" not in shown
    code, shown = on_a_terminal("dec", "-k", key, tmp_path / "text.sealed")
    assert code == DONE and shown.decode().replace("\r\n", "\n") == (tmp_path / "text").read_text()
    for name in ("binary", "escapes"):
        code, shown = on_a_terminal("dec", "-k", key, tmp_path / f"{name}.sealed")
        assert code == USAGE and b"is not text" in shown and b"\x1b]" not in shown
    code, shown = on_a_terminal("rand", 16)
    assert code == USAGE and b"-x" in shown
    code, shown = on_a_terminal("rand", "-x", 16)
    assert code == DONE and re.fullmatch(rb"[0-9a-f]{32}\r\n", shown)
    code, shown = on_a_terminal("raw", "lea-ecb", "-k", key, "-x", tmp_path / "binary")
    assert code == DONE and len(shown) == 514
    code, shown = on_a_terminal("raw", "lea-ecb", "-k", key, tmp_path / "binary")
    assert code == USAGE


@pytest.mark.full
def test_progress_on_a_terminal_only(keys, tmp_path):
    """Percent where the length is known; of a pipe that is slow, what came."""
    key = keys.path["hight"]
    with open(tmp_path / "big", "wb") as big:
        big.truncate(48 << 20)
    start = time.monotonic()
    code, shown = on_a_terminal("enc", "-c", "hight", "-t", 1, "-k", key, "-o", tmp_path / "out", tmp_path / "big")
    assert code == DONE and (time.monotonic() - start < 0.6 or re.search(rb"\r *\d+ %  \d+ MB/s.*\r\x1b\[K$", shown))
    quick = ["enc", "-q", "-c", "hight", "-k", key, "-f", "-o", tmp_path / "out", tmp_path / "big"]
    assert on_a_terminal(*quick) == (DONE, b"")
    well(*(a for a in quick if a != "-q"))
    slow = f"for i in 1 2; do head -c {CHUNK} /dev/zero; sleep 0.3; done; echo"
    with subprocess.Popen(["sh", "-c", slow], stdout=subprocess.PIPE) as source:
        code, shown = on_a_terminal("enc", "-k", keys.path["lea256"], "-o", tmp_path / "piped", stdin=source.stdout)
    assert code == DONE and re.search(rb"\r0 MB  0 MB/s .*\r\x1b\[K$", shown)


# ---- raw.

MODES = ["ecb", "cbc", "ctr", "ofb", "cfb", "cfb64", "cfb8", "cfb1", "xts", "gcm", "ccm", "eax", "cmac"]


def raw_case(cipher: str, mode: str, size: int):
    """Arguments, message, and what the library says to them; None where there is no such mode."""
    block, key, iv = BLOCK[cipher], drawn(KEY_SIZE[cipher], 5), drawn(BLOCK[cipher], 6)
    text = drawn(size, 7)
    if block == 8 and mode in ("cfb64", "xts", "gcm", "ccm"):
        return None
    if mode == "ecb":
        return ["-K", key.hex()], text, library.Key(cipher, key).ecb(text)
    if mode == "cmac":
        return ["-K", key.hex()], text, library.cmac(cipher, key, text, block)
    if mode in ("gcm", "ccm", "eax"):
        out, tag = library.Aead(mode, cipher, key).seal(iv[:11], b"more", text, block)
        return ["-K", key.hex(), "-i", iv[:11].hex(), "-a", b"more".hex()], text, out + tag
    if mode == "xts":
        key += drawn(KEY_SIZE[cipher], 8)
    bits = 8 * size if mode == "cfb1" else 0
    return ["-K", key.hex(), "-i", iv.hex()], text, library.Mode(cipher, mode, key, iv).crypt(text, bits)


@pytest.mark.parametrize("cipher", FORWARD)
def test_raw_is_what_the_library_says(cipher):
    for mode in MODES:
        for size in (16, 48, 2**18 + 16):
            case = raw_case(cipher, mode, min(size, 4096) if mode in ("cfb1", "xts") else size)
            if case is None:
                fails(USAGE, "has no", "raw", f"{cipher}-{mode}", "-K", "00" * 15 + "01", input=b"") if mode != "xts" else None
                continue
            arguments, text, expected = case
            assert well("raw", f"{cipher}-{mode}", *arguments, input=text) == expected
            assert well("raw", f"{cipher}-{mode}", "-x", *arguments, input=text) == expected.hex().encode() + b"\n"
            if mode != "cmac":
                assert well("raw", f"{cipher}-{mode}", "-d", *arguments, input=expected) == text


@pytest.mark.full
def test_raw_is_what_openssl_says():
    key, iv = "00112233445566778899aabbccddeeff", "0f0e0d0c0b0a09080706050403020100"
    for bits, longer in ((128, key), (192, key + key[:16]), (256, key + iv)):
        for mode in ("ecb", "cbc", "ctr", "ofb", "cfb", "cfb8", "cfb1"):
            ivs = [] if mode == "ecb" else ["-iv", iv]
            ours = [] if mode == "ecb" else ["-i", iv]
            pad = ["-p"] if mode in ("ecb", "cbc") else []
            for size in (0, 1, 16, 31, 70000):
                text = drawn(size)
                command = ["openssl", "enc", f"-aria-{bits}-{mode}", "-K", longer, *ivs]
                theirs = subprocess.run(command, input=text, capture_output=True, check=True)
                assert well("raw", f"aria-{bits}-{mode}", "-K", longer, *ours, *pad, input=text) == theirs.stdout
                assert well("raw", f"aria-{mode}", "-d", "-K", longer, *ours, *pad, input=theirs.stdout) == text


def test_raw_xts_by_sectors():
    key, text = drawn(32, 1), drawn(512 * 5 + 100)
    expected = b""
    for i in range(6):
        iv = (255 + i).to_bytes(16, "little")
        expected += library.Mode("lea128", "xts", key, iv).crypt(text[512 * i : 512 * (i + 1)])
    first = (255).to_bytes(16, "little").hex()
    assert well("raw", "lea-128-xts", "-s", 512, "-K", key.hex(), "-i", first, input=text) == expected
    assert well("raw", "lea-128-xts", "-d", "-s", 512, "-K", key.hex(), "-i", first, input=expected) == text


def test_raw_forgeries_and_mistakes(tmp_path):
    key, nonce = "00" * 16, "00" * 12
    sealed = well("raw", "lea-gcm", "-K", key, "-i", nonce, "-t", 12, input=b"message")
    assert len(sealed) == 7 + 12
    opening = ["raw", "lea-gcm", "-d", "-K", key, "-i", nonce, "-t", 12]
    for bad in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:-1], b"", sealed + b"x"):
        fails(FORGED, "damaged|shorter", *opening, "-o", tmp_path / "out", input=bad)
        assert listing(tmp_path) == set()
    fails(FORGED, "damaged", *opening, "-a", "00", input=sealed)
    mistakes = """
        lea -K KEY: names no mode
        lea-xyz -K KEY: no mode xyz
        des-cbc -K KEY: no cipher des
        lea-cbc: one key
        lea-cbc -K KEY: IV of 16
        hight-ctr -K KEY -i KEY: IV of 8
        lea-ecb -K 0g: not pairs
        lea-192-ecb -K KEY: does not take a key
        lea-ctr -p -K KEY -i KEY: no padding
        lea-ecb -t 8 -K KEY: no tag
        lea-cmac -d -K KEY: no decryption
        lea-ecb -s 512 -K KEY: no sectors
        lea-ecb -a 00 -K KEY: no additional data
        lea-xts -K KEYKEY -i KEY: must differ
        lea-ecb -K KEY -i KEY: IV of 0
        lea-ccm -K KEY -i 00: no IV or tag
    """
    for line in mistakes.strip().splitlines():
        arguments, _, says = line.strip().replace("KEY", key).partition(": ")
        fails(USAGE, says, "raw", *arguments.split(), input=bytes(16))
    fails(USAGE, "whole number of blocks; --pad", "raw", "lea-ecb", "-K", key, input=bytes(17))
    fails(FORGED, "whole number of blocks", "raw", "lea-ecb", "-dp", "-K", key, input=bytes(17))
    fails(FORGED, "no padding", "raw", "lea-ecb", "-dp", "-K", key, input=bytes(16))


# ---- The small ones.


def test_rand(tmp_path):
    for n in (0, 1, 100, 65536, 65537, 300000):
        one, two = well("rand", n), well("rand", n)
        assert len(one) == len(two) == n and (n < 16 or one != two)
    assert 900000 < len(zlib.compress(well("rand", 900000), 1))
    assert re.fullmatch(rb"[0-9a-f]{64}\n", well("rand", "-x", 32))
    well("rand", "-o", tmp_path / "r", 100)
    assert (tmp_path / "r").stat().st_size == 100
    for wrong in ("-1", "x", "", "1k", "99999999999999999999"):
        assert haechi("rand", wrong).returncode == USAGE
    assert haechi("rand").returncode == USAGE


def test_self_test_is_quick_and_right():
    start = time.monotonic()
    out = well("self-test").decode()
    assert time.monotonic() - start < 1
    assert "WRONG" not in out and len(re.findall(r" modes +ok$", out, re.M)) == len(FORWARD)


SOME = ["ofb", "seal", "ctr", "drbg_read", "xts_encrypt", "cfb1_encrypt", "ecb"]


@pytest.mark.parametrize("function", [f"haechi_{name}" for name in SOME])
def test_self_test_notices_what_is_broken(function, tmp_path):
    """A function that does nothing."""
    (tmp_path / "broken.c").write_text(f"int {function}(void) {{ return 0; }}\n")
    native.run(["gcc", "-shared", "-fPIC", tmp_path / "broken.c", "-o", tmp_path / "broken.so"])
    out = fails(FORGED, "broken", "self-test", env={**os.environ, "LD_PRELOAD": str(tmp_path / "broken.so")})
    assert b"WRONG" in out


def test_fingerprints_of_the_self_test():
    """Worked out here once more, through the library and the reader's CMAC."""
    source = (CLI / "self_test.c").read_text()
    table = source[source.index("answers[CIPHERS]") : source.index("BYTES = 1100")]
    rows = [
        [bytes.fromhex(re.sub(r"[^0-9a-f]|0x", "", field)) for field in re.findall(r"\{ (0x[^}]*)\}", row)]
        for row in table.split("/*")[1:]
    ]
    message = bytes((i * i // 7 + i) & 255 for i in range(1100))
    order = ["lea128", "lea192", "lea256", "aria128", "aria192", "aria256", "hight"]
    for cipher, (key, plain, answer, fingerprint) in zip(order, rows, strict=True):
        block = BLOCK[cipher]
        whole, iv = message[: len(message) // block * block], plain[:block]
        assert library.Key(cipher, key).ecb(plain) == answer
        made = library.Mode(cipher, "ctr", key, b"\xff" * (block - 1) + b"\xf0").crypt(message)
        made += library.Mode(cipher, "cbc", key, iv).crypt(whole)
        made += library.Mode(cipher, "cfb8", key, iv).crypt(whole)
        made += library.Mode(cipher, "cfb1", key, iv).crypt(whole, 8 * len(whole))
        for mode in ("ofb", "cfb", *(["cfb64"] if block == 16 else [])):
            made += library.Mode(cipher, mode, key, iv).crypt(message)
        for mode in ("eax", "gcm", "ccm") if block == 16 else ("eax",):
            made += b"".join(library.Aead(mode, cipher, key).seal(message[:12], message[:20], message, block))
        if block == 16:
            made += library.Mode(cipher, "xts", key + b"\x5a" * len(key), plain).crypt(message)
        made += random_bytes(cipher, key, plain + bytes(16 - len(plain)))
        assert file_format.Cipher(cipher, key).cmac(made)[:8] == fingerprint, cipher


def random_bytes(cipher: str, key: bytes, nonce: bytes) -> bytes:
    state, out = ctypes.create_string_buffer(256), ctypes.create_string_buffer(100)
    lib, n = library.library(), ctypes.c_size_t
    kind = ctypes.c_void_p(library.constant("drbg_" + cipher))
    assert lib.haechi_drbg_init(state, kind, 0, key, n(len(key)), nonce, n(16), None, n(0)) == 0
    assert lib.haechi_drbg_read(state, out, n(100), None, n(0)) == 0
    return out.raw


def test_speed_shows_every_kernel_that_runs_here():
    out = well("speed", "-t", 0).decode()
    ladders = {c: (native.ROOT / f"src/{c}/kernels.h").read_text() for c in ("lea", "hight", "aria")}
    for cipher, text in ladders.items():
        here = re.findall(r"RUNG\((\w+_(?:c|x86\w*)),", text) if os.uname().machine == "x86_64" else []
        for kernel in here:
            name = kernel if cipher == "hight" else f"{kernel}_128"
            assert kernel in out or library.Kernel(name).d.needs & ~library.features()
    assert len(re.findall(r"MB/s  #* *$", out, re.M)) == len(out.splitlines()) and "files, a thread" in out
    assert {line.split()[0] for line in well("speed", "-t", 0, "lea-128", "HIGHT").decode().splitlines()} == {
        "LEA-128",
        "HIGHT",
    }
    fails(USAGE, "no cipher des", "speed", "des")


def test_ciphers_and_usage():
    out = well("ciphers").decode()
    assert [line.split()[0].lower().replace("-", "") for line in out.splitlines()[1:]] == [
        "lea128",
        "lea192",
        "lea256",
        "aria128",
        "aria192",
        "aria256",
        "hight",
    ]
    assert VERSION in well("--version").decode()
    for word in ("enc", "dec", "keygen", "raw", "rand", "speed", "self-test", "ciphers"):
        assert f"haechi {word}" in well("--help").decode()
    assert haechi().returncode == USAGE
    fails(USAGE, "no command x", "x")
    for wrong in (["enc", "--nonsense"], ["enc", "-K", "00" * 16], ["dec", "-c", "lea"], ["keygen"], ["self-test", "x"], ["enc", "-k", "x", "a", "b"]):
        assert haechi(*wrong).returncode == USAGE
    with open("/dev/full", "wb") as full:
        for said in (["ciphers"], ["--help"], ["--version"], ["self-test"], ["rand", "10"], ["speed", "-t", "0", "lea128"]):
            assert haechi(*said, stdout=full).returncode == SYSTEM


# ---- The manual page, completion, installation.


def options() -> dict[str, set[str]]:
    """The long options of each source file's commands."""
    return {p.name: set(re.findall(r'\{ "([a-z-]+)", (?:no|required)_argument', p.read_text())) for p in CLI.glob("*.c")}


def test_manual_page():
    page = (CLI / "haechi.1").read_text()
    done = native.run(["groff", "-man", "-ww", "-Tutf8", "-z", CLI / "haechi.1"])
    assert done.stderr == ""
    text = native.run(["groff", "-man", "-Tascii", "-P-c", CLI / "haechi.1"]).stdout
    text = re.sub(r".\x08", "", text)
    for option in set().union(*options().values()):
        assert re.search(rf"--{option}\b", text), option
    for word in ("enc", "dec", "keygen", "raw", "rand", "speed", "self-test", "ciphers"):
        assert re.search(rf"\b{word}\b", text)
    codes = re.search(r"EXIT STATUS(.*?)\n[A-Z]", text, re.S).group(1)
    assert re.findall(r"^ +(\d) ", codes, re.M) == ["0", "1", "2", "3", "4"] and ".SH" in page


def test_completions_know_every_option():
    every = set().union(*options().values())
    for name in ("haechi", "_haechi"):
        text = (CLI / "completion" / name).read_text()
        assert {o for o in every if f"--{o}" not in text} == set(), name
    fish = (CLI / "completion/haechi.fish").read_text()
    assert {o for o in every if not re.search(rf"-l {o}\b", fish)} == set()


def complete(words: list[str]) -> set[str]:
    """What bash would offer for the last word."""
    show = 'printf "%s\\n" "${COMPREPLY[@]}"'
    script = f'source {CLI}/completion/haechi; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _haechi; {show}'
    return set(native.run(["bash", "-c", script, "bash", *words], cwd=CLI).stdout.split())


def test_completion_in_shells():
    assert complete(["haechi", "s"]) == {"speed", "self-test"}
    assert {"lea-128", "hight"} <= complete(["haechi", "enc", "-c", ""])
    assert complete(["haechi", "raw", "hight-c"]) == {f"hight-{m}" for m in ("cbc", "ctr", "cfb", "cfb8", "cfb1", "cmac")}
    assert complete(["haechi", "keygen", "--"]) == {"--bits"}
    assert complete(["haechi", "dec", "-k", "haechi."]) == {"haechi.1"} == complete(["haechi", "dec", "haechi."])
    native.run(["zsh", "-n", CLI / "completion/_haechi"])
    fish = native.run(
        [
            "fish",
            "--no-config",
            "-c",
            f"source {CLI}/completion/haechi.fish; complete -C 'haechi s'; complete -C 'haechi raw aria-128-g'",
        ]
    )
    assert {line.split("\t")[0] for line in fish.stdout.splitlines()} == {"self-test", "speed", "aria-128-gcm"}


@pytest.mark.full
def test_make_install(tmp_path):
    """Into a folder that stands for the root; it works from there, and README's three lines do."""
    native.run(
        ["make", "-s", "install", "PREFIX=/usr"], cwd=native.ROOT, env={**os.environ, "DESTDIR": str(tmp_path), "MAKEFLAGS": ""}
    )
    for name in ("bin/haechi", "share/man/man1/haechi.1", "share/bash-completion/completions/haechi",
                 "share/zsh/site-functions/_haechi", "share/fish/vendor_completions.d/haechi.fish"):  # fmt: skip
        assert (tmp_path / "usr" / name).is_file(), name
    lines = re.search(r"```sh\n(haechi .*?)```", (native.ROOT / "README.md").read_text(), re.S).group(1)
    assert len(lines.splitlines()) == 3
    (tmp_path / "report.pdf").write_bytes(drawn(100000))
    env = {**os.environ, "PATH": f"{tmp_path / 'usr/bin'}:{os.environ['PATH']}"}
    native.run(["sh", "-e", "-c", lines + "haechi self-test >&2"], cwd=tmp_path, env=env)
    assert listing(tmp_path) >= {"my.key", "report.pdf", "report.pdf.haechi"}
