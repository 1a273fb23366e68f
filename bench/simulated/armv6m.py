# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cortex-M0 and Cortex-M0+ by Unicorn, as armv7m.py has them, with the cycles of cortexm0.py.

These cores take no unaligned access, and no instruction of ARMv7-M. Unicorn takes both, so that this module refuses them:
an unaligned access is a fault here, as it is in hardware.
"""

from unicorn import arm_const as uc_arm

from bench.simulated.armv7m import CortexM
from bench.simulated.cortexm0 import CORES, M23, Core, cycles


class CortexM0(CortexM):
    """One microcontroller with a multiplier of one cycle. Cortex-M23 only runs test vectors: its cycles mean nothing."""

    chips = {
        "cortex-m0plus": uc_arm.UC_CPU_ARM_CORTEX_M0,
        "cortex-m0": uc_arm.UC_CPU_ARM_CORTEX_M0,
        "cortex-m23": uc_arm.UC_CPU_ARM_CORTEX_M33,
    }

    @property
    def _core(self) -> Core:
        return CORES.get(self.chip, M23)

    def nop(self, size: int) -> bytes:
        return bytes.fromhex("00bf") * (size // 2)

    def _cycles(self) -> int:
        """The cycles of the last call, with the BL that calls."""
        c, total = self._call, self._core.link
        for run in c.runs[: c.n_runs]:
            if run.odd:  # without IT blocks nothing is skipped
                raise self._fault("unaligned", next(a.pc for a in c.accesses[run.access : c.n_accesses] if a.address % a.size))
            total += self._of_run(run.first, run.last)
        return total

    def _of_run(self, first: int, last: int) -> int:
        """The cycles of instructions that follow one another, up to one that branches."""
        if (first, last) not in self._known:
            *others, end = self._decode(first, last + 1)
            self._known[first, last] = sum(cycles(self._core, i, False) for i in others) + cycles(self._core, end, True)
        return self._known[first, last]
