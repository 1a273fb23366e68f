# SPDX-License-Identifier: Apache-2.0 OR MIT
"""haechi.open_file and the haechi command read each other's files; damage is noticed; nothing unfinished stays."""

import gc
import io
import os
import sys
from random import Random

import haechi
import native
import pytest

sys.path.insert(0, str(native.ROOT / "test/cli"))
import file_format
from command import fails, well

CHUNK = 65536
CIPHERS = [("LEA", 16), ("LEA", 24), ("LEA", 32), ("ARIA", 16), ("ARIA", 24), ("ARIA", 32), ("HIGHT", 16)]
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5, 17 * CHUNK]


def drawn(n: int) -> bytes:
    return Random(n).randbytes(n)


def key_file(folder, key: bytes) -> list:
    """Options of the command for a key; it warns of a key that others may read."""
    path = folder / "key"
    path.write_bytes(key)
    path.chmod(0o600)
    return ["--raw-key", "-k", path]


def name(cipher: str, size: int) -> str:
    return "hight" if cipher == "HIGHT" else f"{cipher.lower()}{8 * size}"


def written(text: bytes, **kwargs) -> bytes:
    out = io.BytesIO()
    with haechi.open_file(out, "wb", **kwargs) as file:
        for i in range(0, len(text), 50_000):
            assert file.write(text[i : i + 50_000]) == min(50_000, len(text) - i)
        assert file.tell() == len(text)
    return out.getvalue()


def read(sealed: bytes, **kwargs) -> bytes:
    with haechi.open_file(io.BytesIO(sealed), key=kwargs.pop("key", None), **kwargs) as file:
        return file.read()


@pytest.mark.parametrize("cipher, size", CIPHERS)
def test_both_ways_with_the_command(cipher, size, tmp_path):
    key = drawn(size)
    given = key_file(tmp_path, key)
    for length in SIZES if cipher != "HIGHT" else [0, CHUNK, 2 * CHUNK + 9]:
        text = drawn(length)
        sealed = written(text, key=key, cipher=cipher)
        assert well("dec", *given, input=sealed) == text
        assert read(well("enc", "-q", "-c", name(cipher, size), *given, input=text), key=key) == text
        assert file_format.read(sealed, key) == text


def test_passphrases_both_ways():
    """With the reader and writer of the document, which the command's tests compare with the command."""
    secret = "해치 passphrase"
    for text in (b"", drawn(CHUNK + 9)):
        sealed = written(text, passphrase=secret, cipher="ARIA", memory=1)
        assert sealed[:10] == b"\x89HAECHI\n\x02\x06" and file_format.read(sealed, secret) == text
        assert read(file_format.write(text, 3, secret, drawn(32), (1, 1, 8)), passphrase=secret) == text
    with pytest.raises(haechi.InvalidTag, match="key is another one"):
        read(sealed, passphrase=secret + "!")
    with pytest.raises(ValueError, match="wants 1 MiB of memory"):
        read(sealed, passphrase=secret, max_memory=0)
    with pytest.raises(ValueError, match="with a passphrase, not with a key"):
        read(sealed, key=bytes(16))
    with pytest.raises(ValueError, match="with a key, not with a passphrase"):
        read(written(b"", key=bytes(16)), passphrase=secret)
    for bad in ("", "x" * 1025, "\U000e0080"):
        with pytest.raises(ValueError, match="the passphrase has"):
            written(b"", passphrase=bad)


class Pipe(io.RawIOBase):
    """A file that cannot seek and gives few bytes at once."""

    def __init__(self, content: bytes):
        self.content, self.at = content, 0

    def read(self, n: int) -> bytes:
        part = self.content[self.at : self.at + min(n, 9999)]
        self.at += len(part)
        return part

    def seekable(self) -> bool:
        return False


def test_pipes():
    for length in SIZES[:6]:
        text = drawn(length)
        sealed = written(text, key=bytes(16))
        with haechi.open_file(Pipe(sealed), key=bytes(16)) as file:
            assert not file.seekable() and file.read() == text
        for cut in {len(sealed) - 1, len(sealed) - 16, 64 + CHUNK + 16, 64 + CHUNK + 16 + 3} - {len(sealed)}:
            if 64 < cut < len(sealed):
                with haechi.open_file(Pipe(sealed[:cut]), key=bytes(16)) as file, pytest.raises(haechi.InvalidTag):
                    file.read()


def test_reading_anywhere():
    text = drawn(5 * CHUNK + 1000)
    random = Random(1)
    with haechi.open_file(io.BytesIO(written(text, key=bytes(32))), key=bytes(32)) as file:
        assert file.seek(0, io.SEEK_END) == len(text) and file.read() == b""
        for _ in range(60):
            at, n = random.randrange(len(text) + 100), random.choice([1, 10, 1000, CHUNK, 3 * CHUNK])
            assert file.seek(at) == at and file.read(n) == text[at : at + n]
        file.seek(-5, io.SEEK_END)
        assert file.read() == text[-5:]


def test_a_file_inside_a_file():
    """Reading begins where the file object stands."""
    inside = io.BytesIO(b"before" + written(b"text", key=bytes(16)))
    inside.seek(6)
    assert haechi.open_file(inside, key=bytes(16)).read() == b"text"


@pytest.mark.parametrize("length", [100, 2 * CHUNK + 100])
def test_damage(length):
    """Every byte of the header, and bytes of every chunk; whatever was read before the damage is what was written."""
    text, key = drawn(length), bytes(16)
    sealed = written(text, key=key)
    for at in [*range(8, 64, 5), 64, 100, len(sealed) - 17, len(sealed) - 1, *range(70, len(sealed), 30_011)]:
        damaged = bytearray(sealed)
        damaged[at] ^= 4
        with pytest.raises((haechi.InvalidTag, ValueError)) as error:
            read(bytes(damaged), key=key)
        assert at < 16 or error.type is haechi.InvalidTag
        with pytest.raises((haechi.InvalidTag, ValueError)):
            haechi.open_file(Pipe(bytes(damaged)), key=key).read()
    for cut in (0, 7, 48, 63, 64, 70, len(sealed) - 1, len(sealed) - 16):
        with pytest.raises((haechi.InvalidTag, ValueError)):
            read(sealed[:cut], key=key)
    with pytest.raises(haechi.InvalidTag):
        read(sealed + b"x", key=key)
    if length > CHUNK:  # cut at a chunk's end
        with pytest.raises(haechi.InvalidTag, match="ends too early"):
            read(sealed[: 64 + CHUNK + 16], key=key)
    with pytest.raises(haechi.InvalidTag, match="key is another one"):
        read(sealed, key=b"another key 1234")
    with pytest.raises(ValueError, match="the key has 32 bytes; LEA-128 takes 16"):
        read(sealed, key=bytes(32))


def test_a_file_gets_its_name_when_it_is_complete(tmp_path):
    path, key = tmp_path / "name", bytes(16)
    with haechi.open_file(path, "wb", key=key) as file:
        file.write(b"first")
        assert not path.exists()
    with pytest.raises(RuntimeError), haechi.open_file(str(path), "wb", key=key) as file:
        file.write(b"second")
        raise RuntimeError
    file = haechi.open_file(path, "wb", key=key)
    file.write(b"third")
    del file
    gc.collect()
    assert os.listdir(tmp_path) == ["name"]
    with haechi.open_file(path, key=key) as file:
        assert file.read() == b"first"
    os.chmod(path, 0o640)
    with haechi.open_file(path, "wb", key=key) as file:
        file.write(b"fourth")
    assert os.stat(path).st_mode & 0o777 == 0o640
    with pytest.raises(FileExistsError):
        haechi.open_file(path, "xb", key=key)
    path.unlink()
    with haechi.open_file(path, "xb", key=key) as file:
        file.write(b"fifth")
    given = key_file(tmp_path, key)
    assert well("dec", *given, path) == b"fifth"
    assert fails(1, "another key", "dec", *given, input=written(b"", key=b"another key 1234")) == b""
    with pytest.raises(ValueError, match="closed file"):
        file.write(b"more")


@pytest.mark.parametrize(
    "arguments, says",
    [
        ({}, "either a key or a passphrase"), ({"key": bytes(16), "passphrase": "x"}, "either a key or a passphrase"),
        ({"key": bytes(16), "mode": "r"}, "the mode is 'r'"), ({"key": bytes(15), "mode": "wb"}, "the key has 15 bytes; LEA takes 16, 24 or 32"),
        ({"key": bytes(32), "mode": "wb", "cipher": "HIGHT"}, "HIGHT takes 16"), ({"key": bytes(16), "mode": "wb", "cipher": "AES"}, "no cipher AES"),
    ],
)  # fmt: skip
def test_wrong_values(arguments, says, tmp_path):
    with pytest.raises(ValueError, match=says):
        haechi.open_file(tmp_path / "name", **arguments)
    assert not os.listdir(tmp_path)
