# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles of Cortex-M0 and Cortex-M0+, after the tables of their Technical Reference Manuals (Arm DDI 0432C and DDI 0484C,
section 3.3): with zero wait states each instruction takes the cycles of its line, whatever stands beside it.

The two cores differ where code branches, because the pipeline of Cortex-M0+ has two stages and that of Cortex-M0 three.
The maker of a chip chooses between a multiplier of one cycle and one of 32, which is the same on both.
"""

from dataclasses import dataclass

from bench.declared.model import BenchError
from bench.simulated.cortexm3 import BRANCH, IT, LOAD, MULTIPLE, STORE, Instruction

SPECIAL = ("mrs", "msr", "dmb", "dsb", "isb")


@dataclass(frozen=True)
class Core:
    """What the manuals' tables say of a core."""

    name: str
    branch: int  # B, BX, BLX, and writing the program counter; B<cond> that is taken
    link: int  # BL
    pop_pc: int  # POP with the program counter, beside one cycle for each register
    special: int  # MRS, MSR and the barriers
    multiply: int = 1  # 1 or 32, as the maker of the chip chose
    v8m: bool = False  # it has the instructions of ARMv8-M Baseline too, each as one cycle, for nobody measures it


M0PLUS = Core("cortex-m0plus", branch=2, link=3, pop_pc=3, special=3)
M0 = Core("cortex-m0", branch=3, link=4, pop_pc=4, special=4)
CORES = {core.name: core for core in (M0PLUS, M0)}
M23 = Core("cortex-m23", branch=2, link=3, pop_pc=3, special=3, v8m=True)


def cycles(core: Core, i: Instruction, taken: bool) -> int:
    """The cycles of one instruction; taken: of a conditional branch."""
    name = i.text.partition(" ")[0].partition(".")[0]
    later = name in ("cbz", "cbnz") or (i.size == 4 and name != "bl" and name not in SPECIAL)
    if i.kind == IT or (later and not core.v8m):
        raise BenchError(f"{i.text}: no instruction of ARMv6-M")
    if i.kind == MULTIPLE:  # decode() says 1 + the number of registers
        return i.cycles - 1 + core.pop_pc if i.always else i.cycles
    if i.kind in (LOAD, STORE):
        return 2
    if i.kind == BRANCH:
        if name == "bl":
            return core.link
        return core.branch if i.always or taken else 1
    if name in SPECIAL:
        return core.special
    return core.multiply if name == "muls" else 1
