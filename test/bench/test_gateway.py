# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurement of many messages in one call: its program runs, and the page shows what it found."""

import re

import pytest
from bench.declared.model import load_targets
from bench.measured import gateway
from bench.reported import pages

HOST = load_targets()["host"]


@pytest.mark.slow
def test_the_program_measures_every_mode():
    found = gateway.rows(HOST, ["LEA", "HIGHT", "ARIA"], (2, 1, 1))
    assert {(row.cipher, row.mode) for row in found} == {
        *(("LEA-128", mode) for mode in gateway.MODES), *(("ARIA-128", mode) for mode in gateway.MODES),
        *(("HIGHT", mode) for mode in ("ctr", "cmac", "eax")),
    }  # fmt: skip
    assert len({(row.cipher, row.kernel, row.mode, row.bytes, row.jobs) for row in found}) == len(found)
    assert {(row.bytes, row.jobs) for row in found} == {(size, n) for size in (16, 64, 256) for n in (1, 4, 16, 64, 256)}
    assert all(row.ns > 0 and abs(row.times - row.one_by_one_ns / row.ns) < 0.01 * row.times + 0.01 for row in found)


def test_the_table_shows_every_figure():
    rows = [gateway.Row("LEA-128", "lea_c", "gcm", size, n, size + n / 10, 1000.0, 1000.0 / n, 2.5, "gcc", "a machine") for size in (16, 64) for n in (1, 256)]
    lines = pages._many(rows).splitlines()
    assert re.findall(r"\d+ in a call", lines[0]) == ["1 in a call", "256 in a call"]
    assert [len(line.split("|")) for line in lines] == [len(lines[0].split("|"))] * 4
    assert "| 42 (3.91 ×) |" in lines[2] and "| 90 (3.91 ×) |" in lines[3]
