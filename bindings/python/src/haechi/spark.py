# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions for Spark, which seal and open the rows of a DataFrame on its executors.

    keys = haechi.spark.WrappedKeys(LEAGCM, wrapped, ids, cipher="ARIA", wrapping_key=fetch)
    opened = haechi.spark.open(messages, keys, aad=b"meter readings, version 1")

Keys travel wrapped, in a broadcast, and never as a column: the files of a shuffle would hold it. Each Python worker unwraps
them once, under a key-encryption key that it fetches by itself. Nonces are a column, because Spark computes a row again when
a task fails or is slow.

Needs pyspark 3.5 or later, pandas and pyarrow.
"""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from . import columns
from ._types import Buffer

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

__all__ = ["WrappedKeys", "open", "seal"]


class WrappedKeys:
    """A table of wrapped keys that can be sent to executors.

    aead: the class, such as LEAGCM. wrapped, ids: columns as columns.Keys.unwrapped takes them. cipher: "LEA" or "ARIA", by
    which the keys were wrapped. wrapping_key: a function without arguments that returns the key-encryption key. It runs
    once in each Python worker, for example to ask a key service or to read a file of the executor, and must not hold the
    key: Spark sends the function as it is. tag_length: the bytes of every tag.
    """

    def __init__(
        self, aead: type, wrapped: columns.Array, ids: columns.Array | None = None, *,
        cipher: str, wrapping_key: Callable[[], Buffer], tag_length: int | None = None,
    ) -> None:  # fmt: skip
        self._aead, self._cipher, self._wrapping_key, self._tag_length = aead, cipher, wrapping_key, tag_length
        self._table = _stored({"wrapped": wrapped} if ids is None else {"wrapped": wrapped, "ids": ids})
        self._name = uuid.uuid4().hex

    def keys(self) -> columns.Keys:
        """The table itself, unwrapped here. InvalidTag names the first key that is not authentic."""
        import pyarrow

        with pyarrow.ipc.open_stream(self._table) as reader:
            table = reader.read_all()
        how = {"cipher": self._cipher, "wrapping_key": self._wrapping_key(), "tag_length": self._tag_length}
        return columns.Keys.unwrapped(self._aead, table["wrapped"], table["ids"] if "ids" in table.column_names else None, **how)

    def __getstate__(self) -> dict:
        from pyspark import cloudpickle  # a broadcast is written by pickle, which takes no function of a program's main file

        return {**self.__dict__, "_wrapping_key": cloudpickle.dumps(self._wrapping_key)}

    def __setstate__(self, state: dict) -> None:
        from pyspark import cloudpickle

        self.__dict__ = {**state, "_wrapping_key": cloudpickle.loads(state["_wrapping_key"])}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WrappedKeys) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)


def open(
    frame: DataFrame, keys: WrappedKeys, aad: Buffer | None = None, *,
    id: str = "id", nonce: str = "nonce", text: str = "text", tag: str = "tag", verdict: str = "verdict", aad_column: str | None = None,
) -> DataFrame:  # fmt: skip
    """Verifies and decrypts every row. The columns named by id, nonce, text and tag are read. aad is the same for all rows;
    aad_column names a binary column with the associated data of each row. ValueError: both are given.

    The answer has all columns but the tag, with the plaintext in place of the ciphertext, and a column of verdicts (tinyint,
    see columns.Verdict). A row that is not authentic has a null text. A row with a null in any of the columns that are read has
    two nulls.
    """
    from pyspark.sql.types import ByteType

    if aad is not None and aad_column is not None:
        raise ValueError("aad and aad_column are both given")
    _check(frame, keys, id, nonce, text, tag, *([aad_column] if aad_column else []))
    kept = [field for field in frame.schema if field.name != tag]
    schema = _schema(kept, text).add(verdict, ByteType())

    def opened(table: columns.Keys, batch: pyarrow.RecordBatch) -> dict:
        data = batch[aad_column] if aad_column else aad
        found = columns.open(table, batch[id], batch[nonce], batch[text], batch[tag], data, threads=1)
        return {text: found.texts, verdict: found.verdicts}

    return _mapped(frame, keys, opened, schema)


def seal(
    frame: DataFrame, keys: WrappedKeys, aad: Buffer | None = None, *,
    id: str = "id", nonce: str = "nonce", text: str = "text", tag: str = "tag",
) -> DataFrame:  # fmt: skip
    """Encrypts every row: all columns, with the ciphertext in place of the text, and a column of tags. Where a row's key, nonce
    or length does not fit, the job fails with its ValueError. A nonce must never repeat under a key."""
    from pyspark.sql.types import BinaryType

    _check(frame, keys, id, nonce, text)
    schema = _schema([*frame.schema], text).add(tag, BinaryType())

    def sealed(table: columns.Keys, batch: pyarrow.RecordBatch) -> dict:
        import pyarrow

        found = columns.seal(table, batch[id], batch[nonce], batch[text], aad, threads=1)
        return {text: found.texts, tag: found.tags.cast(pyarrow.binary())}

    return _mapped(frame, keys, sealed, schema)


def _check(frame: DataFrame, keys: WrappedKeys, *names: str) -> None:
    if not isinstance(keys, WrappedKeys):
        raise TypeError(f"keys is of type {type(keys).__name__}; it must be haechi.spark.WrappedKeys")
    for name in names:
        if name not in frame.columns:
            raise ValueError(f"the frame has no column {name!r}; it has {', '.join(frame.columns)}")


def _schema(fields: list, text: str):
    """These fields; the text may be null."""
    from pyspark.sql.types import BinaryType, StructField, StructType

    return StructType([StructField(text, BinaryType()) if field.name == text else field for field in fields])


def _mapped(frame: DataFrame, keys: WrappedKeys, work: Callable, schema) -> DataFrame:
    sent = frame.sparkSession.sparkContext.broadcast(keys)
    names = schema.names

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            made = work(_unwrapped(sent.value), batch)
            yield pyarrow.RecordBatch.from_arrays([made[name] if name in made else batch[name] for name in names], names)

    return frame.mapInArrow(run, schema)


@functools.lru_cache(maxsize=4)
def _unwrapped(keys: WrappedKeys) -> columns.Keys:
    """The table of this Python worker, which serves one task after the other."""
    return keys.keys()


def _stored(named: dict[str, columns.Array]) -> bytes:
    """Columns as one string of bytes, the stream of Arrow."""
    import pyarrow

    table = pyarrow.table({name: column if hasattr(column, "type") else pyarrow.array(column) for name, column in named.items()})
    out = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue().to_pybytes()
