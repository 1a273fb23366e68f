# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lake: what the gateway has accepted, as Parquet, and sealed frames opened again in columns.

    python lake.py DATABASE FOLDER                              writes FOLDER/frames.parquet and FOLDER/keys.parquet
    python lake.py --check TABLE KEYFILE FOLDER [--spark]       opens all frames again, by DuckDB or by Spark

Frames stay sealed in the lake, and keys wrapped. Whoever opens them needs the table of keys and the key file. The check compares
each reading with the one that the gateway stored, and prints how many rows agree and how many do not."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

NONCE, HEADER, TAG = 9, 10, 8  # bytes, ../frame.h
VERSIONS = 1 << 16  # an id is node * VERSIONS + version of the key
CLASSES = {1: "LEACCM", 2: "HIGHTEAX"}  # by enum algorithm of gateway/gateway.h
AT_A_TIME = 100_000  # rows


def write(database: Path, folder: Path) -> int:
    """Writes the accepted frames and the wrapped keys; returns the number of frames."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return _written(connection, folder)


def _written(connection: sqlite3.Connection, folder: Path) -> int:
    keys = connection.execute(f"SELECT node * {VERSIONS} + version, algorithm, wrapped FROM key ORDER BY 1").fetchall()
    schema = pa.schema([("id", pa.int64()), ("algorithm", pa.int8()), ("wrapped", pa.binary())])
    pq.write_table(pa.table([list(column) for column in zip(*keys, strict=True)] or [[]] * 3, schema=schema), folder / "keys.parquet")

    names = ["received", "node", "counter", "sensor", "supply", "interval", "heard"]
    kinds = [pa.timestamp("ms", "UTC"), pa.int64(), pa.int64(), pa.int32(), pa.int32(), pa.int32(), pa.int64()]
    pieces = ["id", "algorithm", "nonce", "header", "text", "tag"]
    schema = pa.schema([*zip(names, kinds, strict=True), *zip(pieces, [pa.int64(), pa.int8(), *[pa.binary()] * 4], strict=True)])
    rows = connection.execute(
        f"SELECT received, frame.node, counter, sensor, supply, interval, heard, frame.node * {VERSIONS} + frame.version, algorithm, "
        "CAST(sealed AS BLOB) FROM frame JOIN key ON frame.node = key.node AND frame.version = key.version ORDER BY received, frame.rowid"
    )
    written = 0
    with pq.ParquetWriter(folder / "frames.parquet", schema) as file:
        while found := rows.fetchmany(AT_A_TIME):
            *plain, sealed = (list(column) for column in zip(*found, strict=True))
            cut = [slice(0, NONCE), slice(0, HEADER), slice(HEADER, -TAG), slice(-TAG, None)]
            file.write_table(pa.table([*plain, *([frame[part] for frame in sealed] for part in cut)], schema=schema))
            written += len(found)
    return written


def wrapping_key(table: Path, key_file: Path) -> bytes:
    """The key that wraps keys in the database: the first 32 bytes of the table of keys, which the haechi command wrote."""
    import haechi

    with haechi.open_file(table, key=bytes.fromhex(key_file.read_text().split()[-1])) as file:
        return file.read(32)


# A reading from its plaintext, as SQL has it; big-endian numbers by their hexadecimal digits.
FIELDS = {"sensor": (1, 4), "supply": (5, 4), "interval": (9, 4), "heard": (13, 8)}  # the first digit, and how many


def check_duckdb(folder: Path, kek: bytes) -> dict[str, int]:
    """The number of rows that agree with the gateway's readings, that differ, and that are not authentic."""
    import duckdb
    import haechi
    import haechi.duckdb

    found = {"agree": 0, "differ": 0, "forged": 0}
    fields = " AND ".join(f"{name} = CAST('0x' || hex(opened.text)[{at}:{at + n - 1}] AS BIGINT)" for name, (at, n) in FIELDS.items())
    for algorithm, name in CLASSES.items():
        wrapped = pq.read_table(folder / "keys.parquet", filters=[("algorithm", "=", algorithm)])
        if not wrapped.num_rows:
            continue
        made = haechi.columns.Keys.unwrapped(
            getattr(haechi, name), wrapped["wrapped"], wrapped["id"], cipher="LEA", wrapping_key=kek, tag_length=TAG
        )
        with duckdb.connect() as connection:
            haechi.duckdb.register(connection, made)
            counted = connection.sql(
                f"SELECT CASE WHEN opened.verdict != 0 THEN 'forged' WHEN {fields} THEN 'agree' ELSE 'differ' END, count(*) FROM "
                "(SELECT *, haechi_open(id, nonce, text, tag, header) AS opened FROM "
                f"read_parquet('{folder}/frames.parquet') WHERE algorithm = {algorithm}) GROUP BY 1"
            ).fetchall()
        for what, rows in counted:
            found[what] += rows
    return found


def check_spark(folder: Path, kek: bytes) -> dict[str, int]:
    """The same by Spark."""
    import haechi
    import haechi.spark
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    found = {"agree": 0, "differ": 0, "forged": 0}
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    frames = spark.read.parquet(str(folder / "frames.parquet"))
    digits = f.hex("text")
    agrees = None
    for name, (at, n) in FIELDS.items():
        same = f.conv(f.substring(digits, at, n), 16, 10).cast("bigint") == f.col(name)
        agrees = same if agrees is None else agrees & same
    for algorithm, name in CLASSES.items():
        wrapped = pq.read_table(folder / "keys.parquet", filters=[("algorithm", "=", algorithm)])
        if not wrapped.num_rows:
            continue
        keys = haechi.spark.WrappedKeys(
            getattr(haechi, name), wrapped["wrapped"], wrapped["id"], cipher="LEA", wrapping_key=lambda: kek, tag_length=TAG
        )
        opened = haechi.spark.open(frames.where(f.col("algorithm") == algorithm), keys, aad_column="header")
        counted = opened.select(f.when(f.col("verdict") != 0, "forged").when(agrees, "agree").otherwise("differ").alias("what"))
        for row in counted.groupBy("what").count().collect():
            found[row["what"]] += row["count"]
    spark.stop()
    return found


def main(arguments: list[str]) -> int:
    spark = "--spark" in arguments
    match [word for word in arguments if word != "--spark"]:
        case ["--check", table, key_file, folder]:
            kek = wrapping_key(Path(table), Path(key_file))
            found = (check_spark if spark else check_duckdb)(Path(folder), kek)
            print(*(f"{what} {rows}" for what, rows in found.items()), sep="\n")
            return 1 if found["differ"] or found["forged"] else 0
        case [database, folder]:
            print(f"{write(Path(database), Path(folder))} frames")
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
