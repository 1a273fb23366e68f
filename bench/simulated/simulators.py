# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulators by the name of the target's machine."""

from pathlib import Path

from bench.declared.model import BenchError, Target
from bench.simulated.armv6m import CortexM0
from bench.simulated.armv7m import CortexM
from bench.simulated.simulator import Simulator
from bench.simulated.msp430 import Msp430
from bench.simulated.rv32 import Ibex, Rv32
from bench.simulated.simavr import Simavr
from bench.simulated.xtensa import Counted, Xtensa

SIMULATORS = {"avr": Simavr, "msp430": Msp430, "armv6m": CortexM0, "armv7m": CortexM, "rv32": Rv32}
MEASURING = {"rv32": Ibex}  # that count cycles more slowly and without a model
UNTIMED = {"xtensa": Xtensa}  # without cycles
COUNTING = {"xtensa": Counted}  # the same, which count instructions and are slower


def open_simulator(target: Target, chip: str, elf: Path, measuring: bool = False) -> Simulator:
    """The target's simulator with a program in it, to be used as a context manager. measuring: the one whose cycles or instructions
    stand in results/, if the target has another one for that."""
    simulators = SIMULATORS | UNTIMED | (MEASURING | COUNTING if measuring else {})
    if target.machine not in simulators:
        raise BenchError(f"{target.name}: {target.machine} has no simulator")
    return simulators[target.machine](elf, chip)
