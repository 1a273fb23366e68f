# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Spark on this machine gives the answer that DuckDB gives, and that the classes give one by one, on the same Parquet files.

It needs Java 17 or later (Debian package openjdk-17-jre-headless, or openjdk-21-jre-headless), and installs what spark.txt
pins in a virtual environment of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import native
import pyarrow.parquet as pq
import pytest
from door import DOOR, forged, package
from haechi import columns

from bench.measured import python as measured

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java (Debian package openjdk-17-jre-headless)"),
]


@pytest.fixture(scope="module")
def python() -> Path:
    """The interpreter of a virtual environment with pyspark, which also finds this project's packages."""
    with native.lock("spark"):
        return measured.environment(measured.PINS, package())


def run(python: Path, *arguments) -> subprocess.CompletedProcess:
    """A program on local Spark, whose workers are of the same environment."""
    env = {**os.environ, "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.run([python, *arguments], capture_output=True, text=True, env=env)


def test_the_example(python, messages, tmp_path):
    folder, wanted = messages
    done = run(python, DOOR / "examples/open_parquet.py", *(folder / name for name in ("messages.parquet", "keys.parquet", "kek")), tmp_path / "out")
    assert done.returncode == 0, done.stderr
    counted = {name: int(count) for name, count in (line.rsplit(" ", 1) for line in done.stdout.splitlines())}
    assert counted == forged(wanted, columns.Verdict.FORGED)
    table = pq.read_table(tmp_path / "out")
    assert table.column_names == ["id", "nonce", "text", "verdict"]
    found = zip(*(table[name].to_pylist() for name in ("id", "text", "verdict")), strict=True)
    assert sorted(found, key=repr) == sorted(wanted, key=repr)


PROGRAM = """
import haechi.spark
from haechi import ARIACCM
from pyspark.errors import PythonException
from pyspark.sql import SparkSession

kek = bytes(range(16))
spark = SparkSession.builder.master("local[2]").getOrCreate()
keys = [bytes([i]) * 16 for i in range(3)]
wrapped = [haechi.key_wrap("LEA", kek, key) for key in keys]
table = haechi.spark.WrappedKeys(ARIACCM, wrapped, cipher="LEA", wrapping_key=lambda: kek, tag_length=8)
rows = [(i % 3, i.to_bytes(12, "big"), b"text %d" % i) for i in range(100)]
sealed = haechi.spark.seal(spark.createDataFrame(rows, "meter int, iv binary, body binary"), table, b"aad", id="meter", nonce="iv", text="body")
assert sealed.columns == ["meter", "iv", "body", "tag"]
for row in sealed.collect():
    i = int.from_bytes(row.iv, "big")
    assert ARIACCM(keys[row.meter], 8).encrypt(row.iv, b"text %d" % i, b"aad") == bytes(row.body) + bytes(row.tag)
names = dict(id="meter", nonce="iv", text="body", verdict="is")
opened = haechi.spark.open(sealed, table, b"aad", **names)
assert sorted((r.meter, r.iv, r.body) for r in opened.where("`is` = 0").collect()) == sorted(rows)
assert {(r.body, r["is"]) for r in haechi.spark.open(sealed, table, b"other", **names).collect()} == {(None, -3)}
assert opened.select("iv").dtypes == [("iv", "binary")] and dict(opened.dtypes)["is"] == "tinyint"
for wrong, error in ((dict(text="nothing"), ValueError), (dict(keys=keys), TypeError)):
    try:
        haechi.spark.open(**{"frame": sealed, "keys": table, **names, **wrong})
    except error as said:
        print(said)
    else:
        raise AssertionError(wrong)
other = haechi.spark.WrappedKeys(ARIACCM, wrapped, cipher="LEA", wrapping_key=lambda: bytes(16))
try:
    haechi.spark.open(sealed, other, b"aad", **names).collect()
except PythonException as error:
    assert "InvalidTag" in str(error)
else:
    raise AssertionError("a wrong key-encryption key")
"""


def test_seal_and_open(python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = run(python, program)
    assert done.returncode == 0, done.stderr
    assert "no column 'nothing'" in done.stdout and "haechi.spark.WrappedKeys" in done.stdout
