# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Opens a table of sealed messages on Spark: reads Parquet, decrypts, counts forgeries, writes Parquet.

    python open_parquet.py MESSAGES KEYS KEK OUT

MESSAGES has the columns id, nonce, text and tag, sealed by LEA-128 in GCM. KEYS has the columns id and key; each key is
wrapped under the key-encryption key in the file KEK, by KW with ARIA. Every executor must be able to read that file. OUT
receives id, nonce, text and verdict. For each id that has forged messages, a line with id and number is printed.
"""

import sys
from pathlib import Path

import haechi.spark
import pyarrow.parquet
from haechi.columns import Verdict
from pyspark.sql import SparkSession


def main(messages: str, keys: str, kek: str, out: str) -> None:
    spark = SparkSession.builder.appName("open").getOrCreate()
    table = pyarrow.parquet.read_table(keys)
    wrapped = haechi.spark.WrappedKeys(haechi.LEAGCM, table["key"], table["id"], cipher="ARIA", wrapping_key=Path(kek).read_bytes)
    haechi.spark.open(spark.read.parquet(messages), wrapped).write.mode("overwrite").parquet(out)
    opened = spark.read.parquet(out)
    for row in opened.where(opened.verdict == Verdict.FORGED.value).groupBy("id").count().orderBy("id").collect():
        print(row["id"], row["count"])


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
