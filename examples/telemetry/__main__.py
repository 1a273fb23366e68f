# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a fleet of simulated nodes, the gateway and the lake on this machine, and reports what came of it.

    .venv/bin/python -m examples.telemetry [--nodes N] [--rounds N] [--seed N]

The report goes to standard output. The exit status is 0 if every frame is where it belongs, once, and says what was measured."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.declared.model import load_targets
from bench.measured import python as door
from examples.telemetry.fleet.fleet import Fleet
from examples.telemetry.fleet.gateway import Carrier, Gateway, Programs, programs

LAKE = Path(__file__).parent / "lake.py"


def lake(*arguments, package: Path) -> str:
    """Runs lake.py with the package haechi from this folder; returns what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    return subprocess.run([sys.executable, LAKE, *map(str, arguments)], env=environment, stdout=subprocess.PIPE, text=True).stdout


def run(folder: Path, made: Programs, package: Path, nodes: int, rounds: int, seed: int) -> tuple[str, bool]:
    """The report, and whether all is well."""
    began = time.monotonic()
    fleet = Fleet(folder, nodes, seed)
    fleet.keys.write(made.haechi)
    gateway = Gateway(made, fleet.keys, folder / "gateway.sqlite", metrics=folder / "metrics.prom")
    with gateway:
        carrier = Carrier(gateway)
        fleet.round(carrier, faults=False)
        for place, node in enumerate(fleet.nodes[: nodes // 5]):
            gateway.order(node.number, None if place % 2 else 300)
        time.sleep(1.1)  # the gateway looks for commands each second
        for _ in range(rounds - 1):
            fleet.round(carrier)
        carrier.close()
    told = fleet.check(gateway)
    fleet_took = time.monotonic() - began
    written = lake(gateway.database, folder / "lake", package=package).split()[0]
    checked = lake("--check", fleet.keys.table, fleet.keys.key_file, folder / "lake", package=package).split()
    found = dict(zip(checked[::2], map(int, checked[1::2]), strict=True))
    well = not told.wrong and int(written) == told.frames == found["agree"]
    kinds = sorted({f"{node.chip.name} with {node.cipher}" for node in fleet.nodes})
    lines = [
        f"{told.nodes} nodes ({', '.join(kinds)}), {rounds} rounds, seed {seed}: {fleet_took:.0f} s.",
        f"{told.resets} resets; on the way {', '.join(f'{count} {what}' for what, count in sorted(told.attacks.items()))}.",
        f"The gateway's verdicts: {', '.join(f'{count} {verdict.name.lower()}' for verdict, count in sorted(told.verdicts.items()))}.",
        f"{told.frames} frames are stored, each once. Of the counters before them, {told.missing} are missing, and {told.skipped} were "
        "skipped by resets.",
        f"The lake has {written} frames. Opened again in columns by DuckDB, {found['agree']} agree with the gateway's readings, "
        f"{found['differ']} differ, {found['forged']} are forged.",
        *(f"WRONG: {line}" for line in told.wrong),
    ]
    return "\n".join(lines), well


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--nodes", type=int, default=100)
    words.add_argument("--rounds", type=int, default=8)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    package = door.package(door.module(load_targets()["host"]))
    with tempfile.TemporaryDirectory() as folder:
        report, well = run(Path(folder), programs(), package, asked.nodes, asked.rounds, asked.seed)
    print(report)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
