# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The engines of rtl/bus: cores in counter mode behind a bus."""

from dataclasses import dataclass

from bench.declared.cores import CORES, Core


SLAVES = ("apb", "wishbone")  # haechi_ctr behind a bus, by the name of the bus


@dataclass(frozen=True)
class Engine:
    """haechi_ctr with one core, and the clocks that it takes."""

    core: Core
    started: int  # clocks behind START until the first word can move
    cleared: int  # clocks behind CLEAR after which nothing of the key is left
    ahead: int = 2  # blocks by which the counter is further than the next one of the message, where the core waits

    @property
    def parameters(self) -> dict[str, int | str]:
        """Those of the slaves. D is the core's parameter of that name, or W."""
        digit = [value for name, value in self.core.parameters.items() if name in ("D", "W")]
        return {"CORE": self.core.top, "KEY": self.core.key_bits, **({"D": digit[0]} if digit else {})}


ENGINES = {
    name: Engine(CORES[name], *numbers)
    for name, *numbers in (
        ("lea_latch", 2634, 129), ("lea_enc_4", 834, 33), ("lea_enc_32", 106, 5), ("lea192_enc_32", 122, 5), ("lea256_enc_32", 138, 5),
        ("latch_enc", 1190, 133), ("serial_enc_1", 1345, 129), ("serial_enc_8", 169, 17), ("round_enc", 67, 17), ("pipe_enc", 83, 49, 34),
        ("aria_enc_8_1", 1041, 72), ("aria_enc_32", 89, 16), ("aria_enc_128", 23, 4),
    )
}  # fmt: skip
