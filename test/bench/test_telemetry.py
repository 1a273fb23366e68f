# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The figures of the example from node to lake."""

import pytest

from bench.measured import telemetry
from bench.measured.measurement import differences


@pytest.mark.parametrize("chip", ["msp430f1611", *(pytest.param(chip, marks=pytest.mark.slow) for chip in telemetry.CHIPS if chip != "msp430f1611")])
def test_nodes_cost_what_results_say(chip):
    stored = [row for row in telemetry.NODE.read("telemetry") if row.chip == chip]
    fresh = [row for cipher in telemetry.CIPHERS for row in telemetry.node_rows(telemetry.TARGET, (chip, cipher))]
    assert len(fresh) == 2 and differences(stored, fresh) == []


def test_the_gateway_is_measured_in_all_ways():
    """Each way takes the same frames, for each number of nodes, stored and not."""
    rows = telemetry.GATEWAY.read("telemetry")
    assert {(row.nodes, row.stores) for row in rows} == {(nodes, stores) for nodes in telemetry.NODES for stores in (0, 1)}
    assert all(row.frames_per_s > 0 for row in rows) and {row.way for row in rows} == {*telemetry.WAYS}
    assert len(rows) == 5 * 2 * len(telemetry.NODES)
