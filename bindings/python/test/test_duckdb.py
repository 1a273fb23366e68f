# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DuckDB gives the answer that the classes give one by one, on a Parquet file."""

from random import Random

import duckdb
import haechi.duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from haechi import columns

ROWS, METERS = 5000, 200


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """MESSAGES, KEYS and a key-encryption key, as Parquet files; every 97th message is forged, every
    500th is of an unknown meter, and every 400th has no text. Also what is right: [(id, text or None, verdict or None)]."""
    folder, random = tmp_path_factory.mktemp("tables"), Random(27)
    keys = {f"meter {i}": random.randbytes(16) for i in range(METERS)}
    kek, wanted, messages = random.randbytes(32), [], []
    for i in range(ROWS):
        name, nonce, text = f"meter {random.randrange(METERS)}", random.randbytes(12), random.randbytes(random.randrange(50))
        sealed = haechi.LEAGCM(keys[name]).encrypt(nonce, text)
        body, tag = sealed[:-16], sealed[-16:]
        verdict = 0
        if i % 97 == 0:
            tag, verdict = bytes([tag[0] ^ 1]) + tag[1:], columns.Verdict.FORGED
        if i % 500 == 0:
            name, verdict = "unknown", columns.Verdict.NO_KEY
        if i % 400 == 1:
            body, verdict = None, None
        messages.append((name, nonce, body, tag))
        wanted.append((name, text if verdict == 0 else None, verdict))
    named = zip(("id", "nonce", "text", "tag"), zip(*messages, strict=True), strict=True)
    pq.write_table(pa.table({name: list(values) for name, values in named}), folder / "messages.parquet", row_group_size=999)
    wrapped = [haechi.key_wrap("ARIA", kek, key) for key in keys.values()]
    pq.write_table(pa.table({"id": list(keys), "key": wrapped}), folder / "keys.parquet")
    (folder / "kek").write_bytes(kek)
    return folder, wanted


def forged(wanted) -> dict[str, int]:
    bad = [name for name, _, verdict in wanted if verdict]
    return {name: bad.count(name) for name in bad}


def test_duckdb(tables):
    folder, wanted = tables
    table = pq.read_table(folder / "keys.parquet")
    keys = columns.Keys.unwrapped(haechi.LEAGCM, table["key"], table["id"], cipher="ARIA", wrapping_key=(folder / "kek").read_bytes())
    with duckdb.connect() as connection:
        haechi.duckdb.register(connection, keys, id_type="VARCHAR")
        source = f"read_parquet('{folder}/messages.parquet')"
        found = connection.execute(f"SELECT id, o.text, o.verdict FROM (SELECT id, haechi_open(id, nonce, text, tag, '') o FROM {source})").fetchall()
        assert sorted(found, key=repr) == sorted(wanted, key=repr)
        count = f"SELECT id, count(*) FROM {source} WHERE haechi_open(id, nonce, text, tag, '').verdict <> 0 GROUP BY id"
        assert dict(connection.execute(count).fetchall()) == forged(wanted)
        again = "SELECT haechi_seal('meter 5', '012345678901'::BLOB, 'text'::BLOB, 'aad'::BLOB)"
        made = connection.execute(again).fetchone()[0]
        assert keys.name == "LEA-128-GCM" and len(made["text"]) == 4 and len(made["tag"]) == 16
        back = connection.execute("SELECT haechi_open('meter 5', '012345678901'::BLOB, ?, ?, 'aad'::BLOB)", [made["text"], made["tag"]])
        assert back.fetchone()[0] == {"text": b"text", "verdict": 0}
        with pytest.raises(duckdb.Error, match="there is no key of this id"):
            connection.execute("SELECT haechi_seal('nobody', '012345678901'::BLOB, 'text'::BLOB, '')").fetchall()
