# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whole columns of messages, each row with a key of its own: numpy arrays, or the Arrow arrays of any library.

    keys = Keys(LEAGCM, key_column, id_column)
    texts, verdicts = columns.open(keys, ids, nonces, ciphertexts, tags, aad=b"meter readings, version 1")

A column is one of these, and all columns of a call have the same number of rows:

- Arrow: any object with `__arrow_c_array__` or `__arrow_c_stream__` (arrays and chunked arrays of pyarrow, series of
  polars, ...). Texts, nonces, tags and associated data are binary, large_binary, fixed_size_binary or binary_view; ids are
  integers, or binary or text. A row with a null in any column gives null.
- numpy: a 2-dimensional array of bytes, a row a value, or a 1-dimensional one of dtype S or V; ids are a 1-dimensional array
  of integers. Rows may stand apart in memory, as those of records[:, 4:16] or of a field of a structured array do: nothing
  is copied. Texts of different lengths need Arrow, and so do rows that may be missing.

What comes out is of the library of the texts: numpy arrays, of dtype V for texts of dtype S, which would lose zeros at the end of
a text; pyarrow arrays, chunked where any column is chunked; series of
polars; and for other libraries lists of Column, which has `__arrow_c_array__`.

Columns of numbers or of another length raise TypeError or ValueError; so do nonces and tags of a wrong fixed length.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any, NamedTuple, Self

from . import _haechi
from ._haechi import Column
from ._types import Buffer
from .aead import AEAD

__all__ = ["Column", "Keys", "Opened", "Sealed", "Verdict", "open", "seal"]

PIECE = 16384  # rows that a thread takes at once, a multiple of 8
Array = Any  # a column of one of the libraries above


class Verdict(IntEnum):
    """What `open` found of a row. Only AUTHENTIC rows have a text."""

    AUTHENTIC = 0
    NO_KEY = -1  # no key has this id
    LENGTH = -2  # the nonce has a length that the mode does not take, or the tag another one than tag_length
    FORGED = -3  # forged or damaged, or of another key


class Sealed(NamedTuple):
    texts: Array
    tags: Array


class Opened(NamedTuple):
    texts: Array
    verdicts: Array


class Keys(_haechi.Keys):
    """A table of keys of one class, such as LEAGCM.

    keys: a column of raw keys of one length. ids: a column that names them, integers, or bytes or text; without it, rows
    name a key by its place, from 0 on. tag_length: the bytes of every tag.

    The table copies the keys and wipes the copy when it is freed. It cannot be pickled: `wrapped` makes a column of it that
    may be stored and sent. Threads may share it. ValueError: a length does not fit, or an id is there twice.
    """

    __slots__ = ()

    def __new__(cls, aead: type, keys: Array, ids: Array | None = None, *, tag_length: int | None = None) -> Self:
        return super().__new__(cls, *_kind(aead), _chunks(keys, "keys"), ids if ids is None else _chunks(ids, "ids"), tag_length, None, None)

    @classmethod
    def unwrapped(
        cls, aead: type, wrapped: Array, ids: Array | None = None, *, cipher: str, wrapping_key: Buffer, tag_length: int | None = None
    ) -> Self:
        """A table of keys, each of which was wrapped by KW (haechi.key_wrap) under wrapping_key, with the cipher "LEA" or
        "ARIA". InvalidTag names the first key that is not authentic."""
        columns = _chunks(wrapped, "keys"), ids if ids is None else _chunks(ids, "ids")
        return _haechi.Keys.__new__(cls, *_kind(aead), *columns, tag_length, cipher, wrapping_key)

    def wrapped(self, cipher: str, wrapping_key: Buffer) -> Column:
        """All keys, each wrapped by KW, as a column of binary values: pyarrow.array(keys.wrapped(...)) takes it."""
        return super().wrapped(cipher, wrapping_key)

    def __repr__(self) -> str:
        return f"<{len(self)} keys of {self.name}, tags of {self.tag_length} bytes>"


def seal(keys: Keys, ids: Array, nonces: Array, texts: Array, aad: Array | Buffer | None = None, *, threads: int | None = None) -> Sealed:
    """Encrypts every row: columns of ciphertexts and of tags.

    Nonces must never repeat under a key: give them as a column, because an engine may compute a row more than once. aad:
    associated data, a column, or bytes that all rows have. threads: how many work, by default one for each processor.
    ValueError names the first row whose key, nonce or length does not fit; then nothing is returned.
    """
    return Sealed(*_run(False, keys, ids, nonces, aad, texts, None, threads))


def open(
    keys: Keys, ids: Array, nonces: Array, texts: Array, tags: Array, aad: Array | Buffer | None = None, *, threads: int | None = None
) -> Opened:
    """Verifies and decrypts every row: a column of texts, and one of verdicts (8-bit integers, see Verdict).

    A row that is not authentic has its verdict, and its text is null (in numpy arrays: zeros); it touches no other row.
    Arguments are those of seal. ValueError: a row is longer than its mode allows; then nothing is returned.
    """
    return Opened(*_run(True, keys, ids, nonces, aad, texts, tags, threads))


def _kind(aead: type) -> tuple[str, str]:
    """Mode and cipher of a class."""
    if not (isinstance(aead, type) and issubclass(aead, AEAD) and aead is not AEAD):
        raise TypeError(f"aead is {aead!r}; it must be a class such as haechi.LEAGCM")
    return aead._mode, aead._cipher


def _is_arrow(column: Array) -> bool:
    return hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")


def _chunks(column: Array, name: str) -> list[Column]:
    if _is_arrow(column):
        return _haechi.columns_from_arrow(column)
    if hasattr(column, "mask") and hasattr(column, "filled"):
        raise TypeError(f"{name}: numpy's masked arrays are not taken; where rows may be missing, give Arrow arrays")
    try:
        return [_haechi.column_from_buffer(column)]
    except (TypeError, BufferError) as error:
        raise TypeError(f"{name}: {error}") from None


def _aligned(columns: dict[str, list[Column] | None]) -> list[dict[str, Column | None]]:
    """The same rows of all columns, cut wherever a chunk of any of them ends."""
    lengths = {name: sum(map(len, chunks)) for name, chunks in columns.items() if chunks is not None}
    for name, length in lengths.items():
        if length != lengths["texts"]:
            raise ValueError(f"{name} has {length} rows and texts has {lengths['texts']}")
    if all(chunks is None or len(chunks) == 1 for chunks in columns.values()):
        return [{name: chunks and chunks[0] for name, chunks in columns.items()}]
    ends = set()
    for chunks in columns.values():
        at = 0
        for chunk in chunks or []:
            at += len(chunk)
            ends.add(at)
    starts = {name: 0 for name in columns}  # of the first chunk of each list
    left = {name: list(chunks or []) for name, chunks in columns.items()}
    rows, begin = [], 0
    for end in sorted(ends - {0}):
        part = {}
        for name, chunks in columns.items():
            while chunks is not None and starts[name] + len(left[name][0]) <= begin:
                starts[name] += len(left[name].pop(0))
            part[name] = None if chunks is None else left[name][0].slice(begin - starts[name], end - begin)
        rows.append(part)
        begin = end
    return rows or [{name: chunks and chunks[0] for name, chunks in columns.items()}]


def _run(opens: bool, keys: Keys, ids, nonces, aad, texts, tags, threads: int | None) -> tuple[Array, Array]:
    if not isinstance(keys, _haechi.Keys):
        raise TypeError(f"keys is of type {type(keys).__name__}; it must be haechi.columns.Keys")
    constant = isinstance(aad, bytes | bytearray | memoryview)
    given = {"ids": ids, "nonces": nonces, "texts": texts, "tags": tags, "aad": None if constant else aad}
    for name, column in given.items():
        if column is None and name != "aad" and (opens or name != "tags"):
            raise TypeError(f"{name} is None; it must be a column")
    if threads is not None and threads < 1:
        raise ValueError(f"threads is {threads}; it must be 1 or more")
    columns = {name: None if column is None else _chunks(column, name) for name, column in given.items()}
    work, made = [], []
    for part in _aligned(columns):
        length = len(part["texts"])
        part_aad = _haechi.column_of(aad, length) if constant else part["aad"]
        rows = _haechi.Rows(opens, keys, part["ids"], part["nonces"], part_aad, part["texts"], part["tags"])
        made.append(rows)
        work += [(rows, at, min(at + PIECE, length)) for at in range(0, length, PIECE)]
    threads = min(threads or _processors(), len(work))
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(lambda piece: piece[0].run(*piece[1:]), work):
                pass  # the first error is raised here
    else:
        for rows, begin, end in work:
            rows.run(begin, end)
    chunked = any(column is not None and _is_arrow(column) and not hasattr(column, "__arrow_c_array__") for column in given.values())
    first, second = zip(*(rows.results() for rows in made), strict=True)
    return _like(texts, first, chunked, None), _like(texts, second, chunked, "int8" if opens else "uint8")


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _like(texts: Array, columns: tuple[Column, ...], chunked: bool, dtype: str | None) -> Array:
    """Columns as the library of the texts has them; of numpy's, dtype is None for texts."""
    library = type(texts).__module__.partition(".")[0] if _is_arrow(texts) else "numpy"
    if library == "pyarrow":
        import pyarrow

        arrays = [pyarrow.array(column) for column in columns]
        return pyarrow.chunked_array(arrays) if chunked else arrays[0]
    if library == "polars":
        import polars

        return polars.concat([polars.Series(column) for column in columns])
    if library == "numpy":
        import numpy

        parts = [numpy.frombuffer(column, dtype or "uint8") for column in columns]
        flat = parts[0] if len(parts) == 1 else numpy.concatenate(parts)
        if dtype == "int8":
            return flat
        shaped = flat.reshape(sum(map(len, columns)), columns[0].width)
        return shaped if dtype or texts.ndim == 2 else shaped.view(f"V{texts.dtype.itemsize}").reshape(len(shaped))
    return list(columns)
