# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DuckDB gives the answer that the classes give one by one, on the Parquet files of `messages`."""

import duckdb
import haechi.duckdb
import pyarrow.parquet as pq
import pytest
from door import forged
from haechi import columns

def test_duckdb(messages):
    folder, wanted = messages
    table = pq.read_table(folder / "keys.parquet")
    keys = columns.Keys.unwrapped(haechi.LEAGCM, table["key"], table["id"], cipher="ARIA", wrapping_key=(folder / "kek").read_bytes())
    with duckdb.connect() as connection:
        haechi.duckdb.register(connection, keys, id_type="VARCHAR")
        source = f"read_parquet('{folder}/messages.parquet')"
        found = connection.execute(f"SELECT id, o.text, o.verdict FROM (SELECT id, haechi_open(id, nonce, text, tag, '') o FROM {source})").fetchall()
        assert sorted(found, key=repr) == sorted(wanted, key=repr)
        count = f"SELECT id, count(*) FROM {source} WHERE haechi_open(id, nonce, text, tag, '').verdict <> 0 GROUP BY id"
        assert dict(connection.execute(count).fetchall()) == forged(wanted, columns.Verdict.FORGED, columns.Verdict.NO_KEY)
        again = "SELECT haechi_seal('meter 5', '012345678901'::BLOB, 'text'::BLOB, 'aad'::BLOB)"
        made = connection.execute(again).fetchone()[0]
        assert keys.name == "LEA-128-GCM" and len(made["text"]) == 4 and len(made["tag"]) == 16
        back = connection.execute("SELECT haechi_open('meter 5', '012345678901'::BLOB, ?, ?, 'aad'::BLOB)", [made["text"], made["tag"]])
        assert back.fetchone()[0] == {"text": b"text", "verdict": 0}
        with pytest.raises(duckdb.Error, match="there is no key of this id"):
            connection.execute("SELECT haechi_seal('nobody', '012345678901'::BLOB, 'text'::BLOB, '')").fetchall()
