# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts the package haechi where these tests find it, and makes a table of messages for the engines."""

import sys
from random import Random

import pytest
from door import package

sys.path.insert(0, str(package()))

ROWS, METERS = 5000, 200


@pytest.fixture(scope="session")
def messages(tmp_path_factory):
    """A folder with messages.parquet, keys.parquet and the key-encryption key in kek; every 97th message is forged, every
    500th is of an unknown meter, and every 400th has no text. Also what is right: [(id, text or None, verdict or None)]."""
    import haechi
    import pyarrow as pa
    import pyarrow.parquet as pq
    from haechi import columns

    folder, random = tmp_path_factory.mktemp("tables"), Random(27)
    keys = {f"meter {i}": random.randbytes(16) for i in range(METERS)}
    kek, wanted, rows = random.randbytes(32), [], []
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
        rows.append((name, nonce, body, tag))
        wanted.append((name, text if verdict == 0 else None, verdict))
    named = zip(("id", "nonce", "text", "tag"), zip(*rows, strict=True), strict=True)
    pq.write_table(pa.table({name: list(values) for name, values in named}), folder / "messages.parquet", row_group_size=999)
    wrapped = [haechi.key_wrap("ARIA", kek, key) for key in keys.values()]
    pq.write_table(pa.table({"id": list(keys), "key": wrapped}), folder / "keys.parquet")
    (folder / "kek").write_bytes(kek)
    return folder, wanted
