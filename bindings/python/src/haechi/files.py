# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The encrypted files of `haechi enc` and `haechi dec`, which docs/file-format.md describes."""

import io
import os
import secrets
import unicodedata
from typing import BinaryIO

from . import _haechi
from ._haechi import CHUNK, InvalidTag
from ._types import Buffer

MEBIBYTE = 1024  # KiB
PASSPHRASE_MOST = 1024  # bytes
PASSES, LANES = 3, 4  # of Argon2id, as haechi enc has them


def open_file(
    file: str | os.PathLike | BinaryIO,
    mode: str = "rb",
    *,
    key: Buffer | None = None,
    passphrase: str | None = None,
    cipher: str = "LEA",
    memory: int = 64,
    max_memory: int = 1024,
) -> BinaryIO:
    """Opens an encrypted file for reading ("rb") or writing ("wb"; "xb" refuses to replace a file).

        with haechi.open_file("meters.haechi", "wb", key=key) as file:
            file.write(text)

    file: a path, or a binary file object, which stays open. key: 16, 24 or 32 bytes, which with `cipher` ("LEA", "ARIA"
    or "HIGHT") chooses the cipher of a new file. passphrase: text instead of a key; it needs the package argon2-cffi
    (`pip install haechi[passphrase]`). memory: the MiB that Argon2id takes for a new file. max_memory: the most that it
    may take for a file that is read, because anybody can write that number.

    Reading gives out nothing of a chunk of 64 KiB that is not authentic. Of a file that can seek, the end is verified
    first, so that a file that was cut short is noticed when it is opened, and reading may begin anywhere. Where the file
    cannot seek, a missing end is noticed at the end.

    A new file has no name until `close`, or the end of the `with` statement, has written all of it; an exception there,
    or an object that is never closed, leaves nothing, and a file of that name stays as it was.

    InvalidTag: the key or passphrase is another one, or the file is damaged. ValueError: this is no such file, or an
    argument does not fit. FileExistsError: mode is "xb".
    """
    if (key is None) == (passphrase is None):
        raise ValueError("give either a key or a passphrase")
    if mode == "rb":
        return io.BufferedReader(_Reader(file, key, passphrase, max_memory), CHUNK)
    if mode in ("wb", "xb"):
        return _Writer(file, mode == "wb", key, passphrase, cipher, memory)
    raise ValueError(f"the mode is {mode!r}; it must be 'rb', 'wb' or 'xb'")


def _stretch(passphrase: str, head: bytes, memory: int, passes: int, lanes: int) -> bytes:
    """The key and the commitment that Argon2id makes of a passphrase. memory is in KiB."""
    try:
        from argon2.low_level import Type, hash_secret_raw
    except ImportError:
        raise ImportError("passphrases need the package argon2-cffi: pip install haechi[passphrase]") from None
    if any(unicodedata.category(c) in ("Cn", "Cs") for c in passphrase):
        raise ValueError("the passphrase has a character that Unicode has not assigned")
    text = unicodedata.normalize("NFC", passphrase).encode()
    if not 0 < len(text) <= PASSPHRASE_MOST:
        raise ValueError(f"the passphrase has {len(text)} bytes; it must have 1 to {PASSPHRASE_MOST}")
    return hash_secret_raw(text, head, passes, memory, lanes, _haechi.STRETCHED, Type.ID, 0x13)


class _Reader(io.RawIOBase):
    def __init__(self, file, key, passphrase, max_memory: int):
        super().__init__()
        self._owns = isinstance(file, str | os.PathLike)
        self._file = open(file, "rb") if self._owns else file
        try:
            self._begin(key, passphrase, max_memory)
        except BaseException:
            self.close()
            raise

    def _begin(self, key, passphrase, max_memory: int) -> None:
        self._start = self._file.tell() if self._file.seekable() else 0
        head = self._take(_haechi.HEAD)
        _, _, version, length, self._tag, memory, passes, lanes = _haechi.file_recognise(head)
        header = head + self._take(length - len(head))
        if len(header) < length:
            raise ValueError("this is too short for a file that haechi enc wrote")
        if version == 2:
            if passphrase is None:
                raise ValueError("this file was encrypted with a passphrase, not with a key")
            if memory > max_memory * MEBIBYTE:
                raise ValueError(f"this file wants {-(-memory // MEBIBYTE)} MiB of memory for its passphrase; max_memory allows that")
            key = _stretch(passphrase, head, memory, passes, lanes)
        elif key is None:
            raise ValueError("this file was encrypted with a key, not with a passphrase")
        self._crypt = _haechi.File(head, key, header)
        self._piece = CHUNK + self._tag
        self._body = self._start + length
        self._at, self._number, self._text = 0, -1, b""  # the position; the chunk that is decrypted, and its text
        self._last = None  # the number of the last chunk, as soon as it is known
        self._ahead = b""  # of a file that cannot seek: what was read of the next chunk
        if self._file.seekable():
            size = self._file.seek(0, io.SEEK_END) - self._body
            self._last = max(0, -(-size // self._piece) - 1)
            self._size = max(0, size - (self._last + 1) * self._tag)
            self._load(self._last)

    def _take(self, n: int) -> bytes:
        """The next n bytes of the file; fewer only at its end."""
        parts = []
        while n and (part := self._file.read(n)):
            parts.append(part)
            n -= len(part)
        return b"".join(parts)

    def _load(self, number: int) -> None:
        """Decrypts a chunk; one that the file cannot seek to is the next one."""
        if self._file.seekable():
            self._file.seek(self._body + number * self._piece)
            data, last = self._take(self._piece), number == self._last
        else:
            data = self._ahead + self._take(self._piece + 1 - len(self._ahead))
            data, self._ahead = data[: self._piece], data[self._piece :]
            last = not self._ahead
            if last:
                self._last = number
        self._number, self._text = -1, b""
        try:
            self._text = self._crypt.open(number, last, data)
        except InvalidTag:
            raise InvalidTag(self._why(number, last, data)) from None
        self._number = number

    def _why(self, number: int, last: bool, data: bytes) -> str:
        early = last and (len(data) < self._tag or (len(data) == self._tag and number))
        if last and not early:
            try:
                self._crypt.open(number, False, data)
                early = True
            except InvalidTag:
                pass
        return "the file ends too early: its end is missing" if early else "the file is damaged or was changed, or something follows its end"

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if not self.seekable():
            raise io.UnsupportedOperation("the file cannot seek")
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"whence is {whence}; it must be 0, 1 or 2")
        at = offset + (0, self._at, self._size)[whence]
        if at < 0:
            raise ValueError(f"the position {at} is negative")
        self._at = at
        return at

    def readinto(self, buffer) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        view = memoryview(buffer).cast("B")
        number, offset = divmod(self._at, CHUNK)
        if self._last is not None and number > self._last:
            return 0
        if number != self._number:
            self._load(number)
        text = self._text[offset : offset + len(view)]
        view[: len(text)] = text
        self._at += len(text)
        return len(text)

    def close(self) -> None:
        if self._owns and not self.closed:
            self._file.close()
        super().close()


class _Writer(io.BufferedIOBase):
    def __init__(self, file, replaces: bool, key, passphrase, cipher: str, memory: int):
        self._unfinished = None
        super().__init__()
        salt = os.urandom(_haechi.SALT)
        if passphrase is not None:
            if not 1 <= memory < 1 << 22:
                raise ValueError(f"memory is {memory} MiB; Argon2id takes 1 to {(1 << 22) - 1}")
            cost = (memory * MEBIBYTE, PASSES, LANES)
            head = _haechi.file_head(cipher if cipher == "HIGHT" else f"{cipher}-256", salt, cost)
            key = _stretch(passphrase, head, *cost)
        else:
            bits = 8 * memoryview(key).nbytes
            if cipher == "HIGHT" and bits != 128 or bits not in (128, 192, 256):
                allowed = "16" if cipher == "HIGHT" else "16, 24 or 32"
                raise ValueError(f"the key has {bits // 8} bytes; {cipher} takes {allowed}")
            head = _haechi.file_head(cipher if cipher == "HIGHT" else f"{cipher}-{bits}", salt, None)
        self._crypt = _haechi.File(head, key)
        self._buffer, self._number, self._at = bytearray(), 0, 0
        if isinstance(file, str | os.PathLike):
            self._name, self._replaces = os.fspath(file), replaces
            if not replaces and os.path.lexists(self._name):
                raise FileExistsError(f"{self._name} exists")
            folder, name = os.path.split(self._name)
            unfinished = os.path.join(folder, f".{name}.{secrets.token_hex(8)}")
            self._file = open(unfinished, "xb")  # noqa: SIM115
            self._unfinished = unfinished
            if replaces and os.path.exists(self._name) and hasattr(os, "fchmod"):
                os.fchmod(self._file.fileno(), os.stat(self._name).st_mode & 0o7777)
        else:
            self._name, self._file = None, file
        self._file.write(self._crypt.header)

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        view = memoryview(data).cast("B")
        taken = 0
        while taken < len(view):
            if len(self._buffer) == CHUNK:  # more follows, so that this chunk is not the last one
                self._seal(False)
            part = view[taken : taken + CHUNK - len(self._buffer)]
            self._buffer += part
            taken += len(part)
        self._at += len(view)
        return len(view)

    def _seal(self, last: bool) -> None:
        self._file.write(self._crypt.seal(self._number, last, self._buffer))
        self._number += 1
        _haechi.wipe(self._buffer)
        self._buffer = bytearray()

    def close(self) -> None:
        """Writes the rest and gives the file its name."""
        if self.closed:
            return
        try:
            self._seal(True)
            if self._name is not None:
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                if self._replaces:
                    os.replace(self._unfinished, self._name)
                else:
                    os.link(self._unfinished, self._name)
                    os.unlink(self._unfinished)
                self._unfinished = None
        finally:
            self._discard()

    def _discard(self) -> None:
        """Closes without the rest; an unfinished file goes."""
        if self._unfinished is not None:
            self._file.close()
            os.unlink(self._unfinished)
            self._unfinished = None
        self._file = None
        super().close()

    def __exit__(self, kind, value, traceback) -> None:
        if kind is None:
            self.close()
        elif not self.closed:
            self._discard()

    def __del__(self) -> None:
        if not self.closed:
            self._discard()
