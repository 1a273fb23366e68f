# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key files and passphrases of the haechi command."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import termios
import unicodedata
from functools import cache
from pathlib import Path

import file_format
import library
import native
import pytest
from command import (
    CHUNK,
    DONE,
    FORGED,
    NUMBERS,
    SYSTEM,
    UNKNOWN,
    USAGE,
    command,
    drawn,
    fails,
    haechi,
    limit_files,
    listing,
    on_a_terminal,
    well,
)


def test_keygen(tmp_path):
    old = os.umask(0)
    try:
        for bits in (128, 192, 256):
            well("keygen", "-b", bits, tmp_path / str(bits))
        well("keygen", tmp_path / "usual")
    finally:
        os.umask(old)
    texts = [(tmp_path / name).read_text() for name in ("128", "192", "256", "usual")]
    lines = [t.splitlines() for t in texts]
    assert [line[0] for line in lines] == [f"# haechi key of {bits} bits in hexadecimal digits" for bits in (128, 192, 256, 256)]
    assert [len(bytes.fromhex(line[1])) for line in lines] == [16, 24, 32, 32] and len(set(texts)) == 4
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in tmp_path.iterdir())
    before = (tmp_path / "128").read_bytes()
    fails(USAGE, "exists already", "keygen", tmp_path / "128")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    fails(USAGE, "exists already", "keygen", tmp_path / "link")
    assert (tmp_path / "128").read_bytes() == before and not (tmp_path / "nowhere").exists()
    for bits in ("0", "127", "129", "1e2", "-128", "512", ""):
        fails(USAGE, "--bits", "keygen", "-b", bits, tmp_path / "new")
    fails(SYSTEM, "No such file", "keygen", tmp_path / "no/where")
    done = haechi("keygen", tmp_path / "small", preexec_fn=limit_files(10))
    assert done.returncode == SYSTEM and not (tmp_path / "small").exists()
    key = well("keygen", "-b", 192, "-")
    assert re.fullmatch(rb"# haechi key of 192 bits.*\n[0-9a-f]{48}\n", key) and not (tmp_path / "-").exists()
    sealed = well("enc", "-k", tmp_path / "192", input=b"text")
    assert well("dec", "-k", tmp_path / "192", input=sealed) == b"text"


def test_key_from_everywhere(keys, tmp_path):
    key, path = keys.bytes["lea256"], keys.path["lea256"]
    sealed = well("enc", "-k", path, input=b"text")
    plain = tmp_path / "plain.haechi"
    plain.write_bytes(sealed)
    digits = key.hex().encode()
    first = b"# haechi key of 256 bits in hexadecimal digits"
    forms = [digits, digits.upper() + b"\r\n", digits + b" \n\n", first + b"\n" + digits + b"\n", first + b"\r\n" + digits]
    for form in [*forms, b"# my own remark\n" + digits]:
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


def test_raw_keys_only_if_told(keys, tmp_path):
    """The bytes of a key, which may look like any other kind of file."""
    for key in (drawn(16, 1), b"0" * 24, b"passwordpassword"):
        path = tmp_path / "raw"
        path.write_bytes(key)
        path.chmod(0o600)
        sealed = well("enc", "--raw-key", "-k", path, input=b"text")
        assert file_format.read(sealed, key) == b"text"
        assert well("dec", "--raw-key", "-k", path, input=sealed) == b"text"
        fails(USAGE, f"{path} is no key file", "dec", "-k", path, input=sealed)
    assert well("raw", "lea-ecb", "--raw-key", "-k", path, input=bytes(16)) == library.Key("lea128", key).ecb(bytes(16))
    for size in (0, 15, 17, 33, 48, 64, 1000):
        path.write_bytes(drawn(size))
        fails(USAGE, f"{path} is no key(: it has {size} bytes, a key has 16, 24 or 32| file: it is longer)",
              "enc", "--raw-key", "-k", path, input=b"")  # fmt: skip


def test_what_is_no_key_file_is_refused(tmp_path):
    """A password of 16 letters was once taken for a key of LEA-128, and 32 digits with a typo for one of LEA-256."""
    path, digits = tmp_path / "file", b"0123456789abcdef" * 2
    first = b"# haechi key of 128 bits in hexadecimal digits\n"
    for text, says in (
        (b"passwordpassword", "byte 1 is no hexadecimal digit"),
        (b"defacedbadfacade", "16 hexadecimal digits, a key has 32, 48 or 64"),
        (digits[:-1] + b"g", "byte 32 is no"),
        (digits[:-1] + b"O\n", "byte 32 is no"),
        (digits[:20] + b" " + digits[20:], "byte 21 is no"),
        (digits + b"\n" + digits, "byte 33 is no"),
        (digits[:-1], "has 31 hexadecimal digits"),
        (digits + b"0", "has 33 hexadecimal digits"),
        (digits * 3, "has 96 hexadecimal digits"),
        (b"", "has 0 hexadecimal digits"),
        (b"\n\n", "has 0 hexadecimal digits"),
        (first, "has 0 hexadecimal digits"),
        (first + digits * 2, "first line speaks of another key than one of 256 bits"),
        (b"\0" * 16, "byte 1 is no"),
        (digits + b"\0", "byte 33 is no"),
        (b"0" * 1000, "longer than any"),
        ("열쇠".encode(), "byte 1 is no"),
    ):
        path.write_bytes(text)
        path.chmod(0o600)
        for way in ("enc", "dec"):
            fails(USAGE, f"^haechi: {path} is (no key file|damaged): .*{says}", way, "-k", path, os.devnull)
        fails(USAGE, "standard input is (no key file|damaged): ", "enc", "-k", "-", os.devnull, input=text)
    path.write_bytes(first + digits)
    well("enc", "-k", path, input=b"")


def test_bad_keys(tmp_path):
    fails(SYSTEM, "No such file", "enc", "-k", tmp_path / "none", input=b"")
    fails(SYSTEM, "Is a directory", "enc", "-k", tmp_path, input=b"")
    fails(SYSTEM, "Bad file descriptor", "enc", "--key-fd", 77, input=b"")
    fails(USAGE, "key or a passphrase is needed", "enc", input=b"")
    fails(USAGE, "Only one key", "enc", "-k", "x", "--key-fd", "3", input=b"")
    fails(USAGE, "Only one key", "enc", "-k", "x", "-p", input=b"")
    fails(USAGE, "both the key and", "enc", "-k", "-", input=b"")
    fails(USAGE, "takes a number", "enc", "--key-fd", "x", input=b"")


def test_the_key_is_not_overwritten(keys, tmp_path):
    key = tmp_path / "key"
    shutil.copy(keys.path["lea256"], key)
    (tmp_path / "link").symlink_to(key)
    before = key.read_bytes()
    sealed = well("enc", "-k", key, input=b"text")
    for name in (key, tmp_path / "link", f"{tmp_path}/./key"):
        fails(USAGE, "is the key: files", "enc", "-k", key, "-f", "-o", name, key)
        fails(USAGE, "is the key: files", "dec", "-k", tmp_path / "link", "-f", "-o", name, input=sealed)
        fails(USAGE, "is the key: files", "raw", "lea-ecb", "-k", key, "-f", "-o", name, input=b"")
        with key.open() as file:
            fails(USAGE, "is the key: files", "enc", "--key-fd", 0, "-f", "-o", name, key, stdin=file)
    assert key.read_bytes() == before and listing(tmp_path) == {"key", "link"}


def test_key_that_others_may_read_is_remarked_upon(keys, tmp_path):
    shutil.copy(keys.path["lea256"], tmp_path / "open")
    (tmp_path / "open").chmod(0o644)
    done = haechi("enc", "-k", tmp_path / "open", input=b"text")
    assert done.returncode == DONE and b"chmod 600" in done.stderr


@cache
def residue() -> Path:
    return native.build("residue.so", [native.ROOT / "test/cli/residue.c"], ["-shared", "-fPIC", "-O2"])


def test_nothing_of_a_key_stays_in_memory(keys, tmp_path):
    """No secret remains in memory, whether the command succeeds or not; and the search does find one that is there.
    With LD_BIND_NOW, as the installed program is linked, because binding at the first call would save all registers on
    the stack."""
    key, path = keys.bytes["aria256"], keys.path["aria256"]
    sealed = well("enc", "-c", "aria", "-k", path, input=drawn(3 * CHUNK))
    looked = {**os.environ, "LD_PRELOAD": str(residue()), "RESIDUE": bytes(b ^ 0x55 for b in key).hex(), "LD_BIND_NOW": "1"}
    well("enc", "-c", "aria", "-k", path, input=drawn(3 * CHUNK), env=looked)
    well("enc", "-c", "lea", "-k", path, "-t", 3, input=drawn(3 * CHUNK), env=looked)
    well("dec", "-k", path, input=sealed, env=looked)
    fails(FORGED, "damaged", "dec", "-k", path, input=sealed + b"x", env=looked)
    fails(FORGED, "has another key", "dec", "-k", path, input=sealed[:50] + bytes(200), env=looked)
    well("raw", "aria-256-cbc", "-k", path, "-i", "00" * 16, input=bytes(32), env=looked)
    well("raw", "aria-256-gcm", "-K", key.hex(), "-i", "00" * 12, input=bytes(32), env=looked)
    fails(SYSTEM, "No such file", "enc", "-k", path, tmp_path / "nowhere", env=looked)
    # A key that is the name of a file, which nobody hides.
    done = haechi("enc", "-k", key.hex(), env=looked)
    assert done.returncode == 99


# ---- Passphrases.

KOREAN = "해치가 지킨다"  # NFC; its NFD has other bytes


def ask(*arguments, words=(), **kwargs) -> tuple[int, str]:
    """Types these passphrases; returns the exit code and what the terminal showed."""
    code, shown = on_a_terminal(*arguments, answers=[w if isinstance(w, bytes) else w.encode() for w in words], **kwargs)
    return code, shown.decode(errors="replace")


@pytest.mark.parametrize("cipher", ["lea256", "lea128", "aria192", "hight"])
def test_passphrase(cipher, tmp_path):
    """The passphrase is asked for twice and then once, and never shown. The file is what the document says, and its
    reader opens it."""
    (tmp_path / "text").write_bytes(drawn(CHUNK + 9))
    enc = ["enc", "-q", "-p", "--memory", 8, "-c", cipher, "-o", tmp_path / "sealed", tmp_path / "text"]
    code, shown = ask(*enc, words=[KOREAN, KOREAN])
    assert code == DONE and re.fullmatch(r"Passphrase: \|\r\nThe same passphrase again: \|\r\n", shown)
    sealed = (tmp_path / "sealed").read_bytes()
    assert sealed[:16] == file_format.MAGIC + bytes([2, NUMBERS[cipher], 4, 3]) + (8192).to_bytes(4, "big")
    assert file_format.read(sealed, KOREAN) == drawn(CHUNK + 9)
    dec = ["dec", "-f", "-o", tmp_path / "out", tmp_path / "sealed"]
    for words in (KOREAN, unicodedata.normalize("NFD", KOREAN)):
        code, shown = ask(*dec, words=[words])
        assert (code, shown) == (DONE, "Passphrase: |\r\n") and (tmp_path / "out").read_bytes() == drawn(CHUNK + 9)
        (tmp_path / "out").unlink()
    (tmp_path / "sealed").write_bytes(file_format.write(b"theirs", NUMBERS[cipher], unicodedata.normalize("NFD", KOREAN), drawn(32), (1, 2, 64)))
    assert ask(*dec, "-p", words=[KOREAN])[0] == DONE and (tmp_path / "out").read_bytes() == b"theirs"


def test_default_cost_of_a_passphrase(tmp_path):
    assert ask("enc", "-p", "-o", tmp_path / "sealed", os.devnull, words=["x", "x"])[0] == DONE
    sealed = (tmp_path / "sealed").read_bytes()
    assert sealed[8:16] == bytes([2, NUMBERS["lea256"], 4, 3]) + (64 << 10).to_bytes(4, "big") and len(sealed) == 80 + 16
    assert file_format.read(sealed, "x") == b""


@pytest.fixture(scope="session")
def locked(tmp_path_factory):
    """A file of two chunks with a passphrase that costs little."""
    path = tmp_path_factory.mktemp("locked") / "file"
    path.write_bytes(file_format.write(drawn(CHUNK + 1), NUMBERS["lea256"], "right", drawn(32), (1, 1, 8)))
    return path


def test_wrong_passphrase_and_damage_are_told_apart(locked, tmp_path):
    sealed, out = locked.read_bytes(), tmp_path / "out"
    dec = ["dec", "-o", out, tmp_path / "bad"]
    (tmp_path / "bad").write_bytes(sealed)
    code, shown = ask(*dec, words=["wrong"])
    assert code == FORGED and "has another passphrase, or its first 80 bytes are damaged" in shown and not out.exists()
    for place in (80, 80 + CHUNK, len(sealed) - 1):
        bad = bytearray(sealed)
        bad[place] ^= 1
        (tmp_path / "bad").write_bytes(bad)
        code, shown = ask(*dec, words=["right"])
        assert code == FORGED and "bad is damaged or was changed" in shown and not out.exists()
    (tmp_path / "bad").write_bytes(sealed[:79])
    fails(UNKNOWN, "too short", *dec)


def test_every_byte_of_a_passphrase_s_header_counts(locked, tmp_path):
    sealed = locked.read_bytes()
    for place in range(80):
        bad = bytearray(sealed)
        bad[place] ^= 1
        (tmp_path / "bad").write_bytes(bad)
        code, shown = ask("dec", "-o", tmp_path / "out", tmp_path / "bad", words=["right"])
        expected = UNKNOWN if place < 9 or place in (10, 11) else USAGE if place == 12 else FORGED  # 12: 16 GiB of memory
        assert code == expected, (place, shown)
    assert listing(tmp_path) == {"bad"}


def test_parameters_of_a_passphrase(locked, tmp_path):
    """A header whose costs Argon2id does not allow is no file; more than 1 GiB is refused unless it is allowed."""

    def changed(lanes: int, passes: int, memory: int) -> Path:
        sealed = bytearray(locked.read_bytes())
        sealed[10:16] = bytes([lanes, passes]) + memory.to_bytes(4, "big")
        (tmp_path / "changed").write_bytes(sealed)
        return tmp_path / "changed"

    for cost in ((0, 1, 8), (1, 0, 8), (1, 1, 7), (2, 1, 15), (255, 1, 2039)):
        fails(UNKNOWN, "parameters that Argon2id does not take", "dec", changed(*cost))
    fails(USAGE, "wants 1025 MiB of memory for its passphrase: --max-memory=1025", "dec", changed(1, 1, 1 << 20 | 1))
    fails(USAGE, "wants 4194304 MiB", "dec", changed(1, 1, 0xFFFFFFFF))
    fails(USAGE, "wants 2 MiB", "dec", "--max-memory", 1, changed(1, 1, 1025))
    assert ask("dec", "--max-memory", 2, changed(1, 1, 1025), words=["right"])[0] == FORGED
    for wrong in (0, 7, "x", 1 << 22):
        fails(USAGE, "--memory takes", "enc", "-p", "--memory", wrong, os.devnull)


def test_bad_passphrases(locked, tmp_path):
    for words, says in (
        ([""], "must not be empty"),
        (["one", "another"], "two passphrases differ"),
        (["one", "one "], "two passphrases differ"),
        ([b"\xff"], "not text in UTF-8"),
        (["x" * 1025], "at most 1024 bytes"),
        (["\U000e0fff"] * 2, "has not assigned"),
    ):
        words = words * 2 if words == [b"\xff"] else words
        code, shown = ask("enc", "-p", "-o", tmp_path / "out", os.devnull, words=words)
        assert code == USAGE and says in shown and listing(tmp_path) == set(), shown
    assert ask("enc", "-p", "--memory", 8, "-o", tmp_path / "out", os.devnull, words=["x" * 1024] * 2)[0] == DONE


def test_passphrase_or_key(keys, locked):
    fails(USAGE, "was encrypted with a passphrase, not with a key", "dec", "-k", keys.path["lea256"], locked)
    fails(USAGE, "was encrypted with a key, which is needed", "dec", input=well("enc", "-k", keys.path["lea256"], input=b""))
    fails(SYSTEM, "no terminal to ask", "dec", locked, start_new_session=True)


def test_passphrase_without_its_libraries(keys, locked):
    """Without these libraries everything else works, and the message names what is missing."""
    for arguments in (["enc", "-p", os.devnull], ["dec", locked]):
        fails(USAGE, "built without libargon2", *arguments, kind="bare")
    assert well("dec", "-k", keys.path["lea256"], kind="bare", input=well("enc", "-k", keys.path["lea256"], input=b"x")) == b"x"
    assert ask("dec", locked, words=["right"], kind="ascii", stdout=subprocess.DEVNULL)[0] == DONE
    code, shown = ask("dec", locked, words=[KOREAN], kind="ascii")
    assert code == USAGE and "must be ASCII" in shown


def test_nothing_of_a_passphrase_stays_in_memory(locked, tmp_path):
    words = "a long passphrase, 길다"
    sealed = tmp_path / "sealed"
    sealed.write_bytes(file_format.write(b"text", NUMBERS["lea256"], words, drawn(32), (4, 1, 32)))
    looked = {"LD_PRELOAD": str(residue()), "RESIDUE": bytes(b ^ 0x55 for b in words.encode()).hex(), "LD_BIND_NOW": "1"}
    looked = {**os.environ, **looked}
    assert ask("dec", "-o", tmp_path / "out", sealed, words=[words], env=looked)[0] == DONE
    (tmp_path / "out").unlink()
    enc = ["enc", "-p", "--memory", 8, "-o", tmp_path / "out", os.devnull]
    assert ask(*enc, words=[words, words], env=looked)[0] == DONE
    assert ask(*enc[:-3], "-f", "-o", tmp_path / "out", os.devnull, words=[words, words + "x"], env=looked)[0] == USAGE


def test_terminal_shows_again_what_is_typed(tmp_path):
    """The terminal shows typed text again, also after a signal during the question."""
    master, slave = pty.openpty()

    def own() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    def echo() -> bool:
        return bool(termios.tcgetattr(slave)[3] & termios.ECHO)

    assert echo()
    process = subprocess.Popen([command(), "enc", "-p", "-o", tmp_path / "out", os.devnull], stdin=slave, stdout=slave, stderr=slave, preexec_fn=own)
    assert select.select([master], [], [], 10)[0] and os.read(master, 100) == b"Passphrase: " and not echo()
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(10) == -signal.SIGTERM and echo() and listing(tmp_path) == set()
    os.close(master)
    os.close(slave)
