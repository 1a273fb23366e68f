# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulators by the name of the target's machine."""

from pathlib import Path

from bench.declared.model import BenchError, Target
from bench.simulated.armv7m import CortexM
from bench.simulated.simulator import Simulator
from bench.simulated.msp430 import Msp430
from bench.simulated.simavr import Simavr

SIMULATORS = {"avr": Simavr, "msp430": Msp430, "armv7m": CortexM}


def open_simulator(target: Target, chip: str, elf: Path) -> Simulator:
    """The target's simulator with a program in it, to be used as a context manager."""
    if target.machine not in SIMULATORS:
        raise BenchError(f"{target.name}: {target.machine} has no simulator")
    return SIMULATORS[target.machine](elf, chip)
