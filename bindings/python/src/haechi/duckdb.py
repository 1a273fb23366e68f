# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions for SQL in DuckDB, which seal and open whole vectors of rows.

    haechi.duckdb.register(connection, keys)
    connection.sql("SELECT id, opened.text FROM (SELECT id, haechi_open(id, nonce, text, tag, '') AS opened FROM messages)")

Needs duckdb and pyarrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import columns

if TYPE_CHECKING:
    import duckdb

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection, keys: columns.Keys, *, id_type: str = "BIGINT", prefix: str = "haechi") -> None:
    """Creates two functions in this connection. id_type is the SQL type of the ids of these keys, such as BIGINT or VARCHAR.

    haechi_open(id, nonce, text, tag, aad) gives STRUCT(text BLOB, verdict TINYINT): the text is NULL where the row is not
    authentic, and the verdict is one of columns.Verdict, 0 for an authentic row.
    haechi_seal(id, nonce, text, aad) gives STRUCT(text BLOB, tag BLOB). The nonce is an argument because an engine may
    compute a row more than once. aad is a BLOB; '' stands for none. A NULL in any argument gives two NULLs.
    Another prefix distinguishes the functions of another table of keys. Errors are those of columns.seal and columns.open.
    """
    import pyarrow

    def flat(column):
        return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column

    def opened(ids, nonces, texts, tags, aad):
        found = columns.open(keys, flat(ids), flat(nonces), flat(texts), flat(tags), flat(aad), threads=1)
        return pyarrow.StructArray.from_arrays(list(found), ["text", "verdict"])

    def sealed(ids, nonces, texts, aad):
        found = columns.seal(keys, flat(ids), flat(nonces), flat(texts), flat(aad), threads=1)
        return pyarrow.StructArray.from_arrays([found.texts, found.tags.cast(pyarrow.binary())], ["text", "tag"])

    how = {"type": "arrow", "null_handling": "special"}
    blobs = ["BLOB"] * 4
    connection.create_function(f"{prefix}_open", opened, [id_type, *blobs], "STRUCT(text BLOB, verdict TINYINT)", **how)
    connection.create_function(f"{prefix}_seal", sealed, [id_type, *blobs[1:]], "STRUCT(text BLOB, tag BLOB)", **how)
