# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the Python package on this host, in a process of its own: python_door.py PART SCALE.

PART: messages, columns, duckdb or spark. Each prints lines: way, algorithm, operation, side, bytes, rows of the table,
threads, messages a second. SCALE divides the number of rows, for tests.
"""

import sys
import time
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory

import haechi
import numpy
from haechi import columns

SIZES = [16, 64, 256, 1024, 4096, 16384, 1 << 20]  # bytes of one message
ROWS, KEYS, TEXT = 10_000_000, 1_000_000, 32  # of the table; the bytes of its texts
SOME = 2_000_000  # its first rows, for all but LEA in GCM in columns and in DuckDB
LOOPED = 200_000  # those that a loop in Python opens
ROUNDS = 3  # the fastest counts
SHORT_ROUNDS, SECONDS = 10, 0.02  # of single messages
CLASSES = [haechi.LEAGCM, haechi.LEACCM, haechi.ARIAGCM, haechi.ARIACCM, haechi.HIGHTEAX]

Figure = tuple[str, str, str, str, int, int, int, float]


def fastest(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of the fastest round, as a clock shows them."""
    took = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return min(took)


def ours(cls: type) -> str:
    """LEA-128-GCM: the name of a class with a key of 16 bytes."""
    return cls(bytes(16)).name


def messages(scale: int) -> Iterator[Figure]:
    """One call for each message, under one key; CPU time. The sides take turns."""
    from cryptography.hazmat.primitives.ciphers import aead as peer

    key, nonce = bytes(range(16)), bytes(12)
    sides = [(ours(cls), "haechi", cls(key)) for cls in CLASSES]
    sides += [("AES-128-GCM", "cryptography", peer.AESGCM(key)), ("AES-128-CCM", "cryptography", peer.AESCCM(key))]
    begun = time.process_time()
    while time.process_time() - begun < 2 / scale:  # a processor that was idle is slower at first
        sides[0][2].encrypt(nonce, bytes(16), None)
    for size in SIZES:
        text = bytes(size)
        for operation in ("seal", "open"):
            best = {}
            for _ in range(SHORT_ROUNDS):
                for name, side, aead in sides:
                    given = text if operation == "seal" else aead.encrypt(nonce, text, None)
                    call = aead.encrypt if operation == "seal" else aead.decrypt
                    count, begun = 0, time.process_time()
                    while (took := time.process_time() - begun) < SECONDS / scale:
                        for _ in range(max(1, 50_000 // (size + 500))):
                            call(nonce, given, None)
                            count += 1
                    best[name, side] = max(best.get((name, side), 0), count / took)
            for (name, side), found in best.items():
                yield "messages", name, operation, side, size, 1, 1, found


class Table:
    """Rows that a head-end receives, each of a random meter, as numpy arrays."""

    def __init__(self, rows: int, meters: int) -> None:
        random = numpy.random.default_rng(27)
        self.keys = random.integers(0, 256, (meters, 16), numpy.uint8)
        self.ids = random.integers(0, meters, rows)
        self.texts = random.integers(0, 256, (rows, TEXT), numpy.uint8)
        self.nonces = numpy.zeros((rows, 12), numpy.uint8)
        self.nonces[:, 4:] = numpy.arange(rows, dtype=">u8").view(numpy.uint8).reshape(rows, 8)

    def sealed(self, cls: type) -> tuple[columns.Keys, columns.Sealed]:
        keys = columns.Keys(cls, self.keys)
        return keys, columns.seal(keys, self.ids, self.nonces, self.texts)

    def in_arrow(self, sealed: columns.Sealed):
        """As pyarrow has it: id, nonce, text and tag, the last three binary."""
        import pyarrow

        def binary(values: numpy.ndarray):
            flat = pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(values.shape[1]), len(values), [None, pyarrow.py_buffer(values)])
            return flat.cast(pyarrow.binary())

        named = {"nonce": self.nonces, "text": sealed.texts, "tag": sealed.tags}
        return pyarrow.table({"id": self.ids, **{name: binary(values) for name, values in named.items()}})


def in_columns(scale: int) -> Iterator[Figure]:
    """A table in one call, with its columns in numpy and in Arrow. Then the same rows one after the other in Python, and by
    AES-GCM of the package cryptography."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    for cls in (haechi.LEAGCM, haechi.LEACCM, haechi.ARIAGCM, haechi.HIGHTEAX):
        rows = (ROWS if cls is haechi.LEAGCM else SOME) // scale
        table = Table(rows, KEYS // scale)
        keys, sealed = table.sealed(cls)
        given = keys, table.ids, table.nonces
        for operation, texts in (("seal", [table.texts]), ("open", sealed)):
            call = getattr(columns, operation)
            for threads in (1, 2):
                took = fastest(lambda: call(*given, *texts, threads=threads))
                yield "columns", ours(cls), operation, "numpy", TEXT, rows, threads, rows / took
        if cls is haechi.LEAGCM:
            arrow = table.in_arrow(sealed)
            opened = columns.open(keys, *arrow.columns, threads=2)
            assert opened.verdicts.unique().to_pylist() == [0] and opened.texts[0].as_py() == table.texts[0].tobytes()
            took = fastest(lambda: columns.open(keys, *arrow.columns, threads=2))
            yield "columns", ours(cls), "open", "Arrow", TEXT, rows, 2, rows / took
    table = Table(LOOPED // scale, KEYS // scale)
    secret = [row.tobytes() for row in table.keys]
    ids, nonces = table.ids.tolist(), [row.tobytes() for row in table.nonces]
    for name, side, cls in (("LEA-128-GCM", "haechi", haechi.LEAGCM), ("AES-128-GCM", "cryptography", AESGCM)):
        bodies = [cls(secret[i]).encrypt(nonce, row.tobytes(), None) for i, nonce, row in zip(ids, nonces, table.texts, strict=True)]

        def loop() -> list[bytes]:
            return [cls(secret[i]).decrypt(nonce, body, None) for i, nonce, body in zip(ids, nonces, bodies, strict=True)]

        yield "loop", name, "open", side, TEXT, len(ids), 1, len(ids) / fastest(loop)


def in_duckdb(scale: int) -> Iterator[Figure]:
    """A query that counts the authentic rows of a table in memory and adds the lengths of their texts."""
    import duckdb
    import haechi.duckdb

    rows = ROWS // scale
    table = Table(rows, KEYS // scale)
    keys, sealed = table.sealed(haechi.LEAGCM)
    messages = table.in_arrow(sealed)  # noqa: F841: the statement names it
    query = """SELECT count(*), sum(octet_length(opened.text)) FROM
        (SELECT haechi_open(id, nonce, text, tag, '') AS opened FROM stored) WHERE opened.verdict = 0"""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE stored AS SELECT * FROM messages")
        haechi.duckdb.register(connection, keys)
        assert connection.sql(query).fetchall() == [(rows, TEXT * rows)]
        for threads in (1, 2):
            connection.execute(f"SET threads = {threads}")
            took = fastest(lambda: connection.sql(query).fetchall(), rounds=2)
            yield "duckdb", "LEA-128-GCM", "open", "haechi", TEXT, rows, threads, rows / took


def in_spark(scale: int) -> Iterator[Figure]:
    """Parquet is read and every row is opened; what comes out is thrown away. Beside it the same with a function that hands
    each batch back, so that the difference is what opening costs. First the table of keys is unwrapped, in Python."""
    import haechi.spark
    import pyarrow
    import pyarrow.parquet
    from pyspark.sql import SparkSession

    rows, meters, kek = SOME // scale, KEYS // scale, bytes(range(32))
    table = Table(rows, meters)
    keys, sealed = table.sealed(haechi.LEAGCM)
    wrapped = pyarrow.array(keys.wrapped("ARIA", kek))
    took = fastest(lambda: columns.Keys.unwrapped(haechi.LEAGCM, wrapped, cipher="ARIA", wrapping_key=kek))
    yield "keys", "ARIA-256-KW", "open", "haechi", 16, meters, 1, meters / took
    sent = haechi.spark.WrappedKeys(haechi.LEAGCM, wrapped, cipher="ARIA", wrapping_key=lambda: kek)
    with TemporaryDirectory(prefix="haechi-") as folder:
        path = f"{folder}/messages.parquet"
        pyarrow.parquet.write_table(table.in_arrow(sealed), path, row_group_size=250_000)
        for threads in (1, 2):
            builder = SparkSession.builder.master(f"local[{threads}]").appName("measured")
            for option, value in {"ui.enabled": "false", "driver.memory": "4g", "sql.files.maxPartitionBytes": "32m"}.items():
                builder = builder.config(f"spark.{option}", value)
            spark = builder.getOrCreate()
            read = spark.read.parquet(path)
            opened = haechi.spark.open(read, sent)
            assert opened.where("verdict = 0").count() == rows  # and every worker has its keys now
            for side, frame in (("haechi", opened), ("none", read.mapInArrow(lambda batches: batches, read.schema))):
                took = fastest(lambda: frame.write.format("noop").mode("overwrite").save())
                yield "spark", "LEA-128-GCM", "open", side, TEXT, rows, threads, rows / took
            spark.stop()


if __name__ == "__main__":
    part, scale = sys.argv[1:]
    parts = {"messages": messages, "columns": in_columns, "duckdb": in_duckdb, "spark": in_spark}
    for figure in parts[part](int(scale)):
        print(*figure, flush=True)
