# SPDX-License-Identifier: Apache-2.0 OR MIT
"""mspdebug's simulator, which checks bench/simulated/msp430.c: a script of its commands, and what it prints."""

import re
import subprocess
from functools import cache
from pathlib import Path

REGISTERS = ["PC", "SP", "SR", *[f"R{i}" for i in range(3, 16)]]
SECONDS = 60  # mspdebug waits for ever after a command that it does not understand


@cache
def version() -> tuple[int, int]:
    said = subprocess.run(["mspdebug", "--version"], capture_output=True, text=True, timeout=SECONDS).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)", said).groups()))


class Mspdebug:
    """Collects commands. `run` executes them and returns the output of those that ask for something, in order."""

    def __init__(self, elf: Path | None = None):
        self._commands, self._asked = ["simio add tracer t 16"], []
        if elf:
            self._commands.append(f"prog {elf}")

    def write(self, address: int, data: bytes) -> None:
        for at in range(0, len(data), 64):
            self._commands.append(f"mw {address + at:#x} " + " ".join(map(hex, data[at : at + 64])))

    def set(self, register: int, value: int) -> None:
        self._commands.append(f"set {register} {value:#x}")

    def step(self, count: int = 1) -> None:
        self._commands.append(f"step {count}")

    def run_to(self, address: int) -> None:
        self._commands += [f"setbreak {address:#x} 0", "run"]

    def registers(self) -> None:
        """Asks for all sixteen registers."""
        self._ask("regs", lambda text: [int(re.search(rf"\( *{r}: ([0-9a-f]+)\)", text)[1], 16) for r in REGISTERS])

    def cycles(self) -> None:
        """Asks for the number of cycles so far."""
        self._ask("simio info t", lambda text: int(re.search(r"MCLK: +(\d+)", text)[1]))

    def read(self, address: int, size: int) -> None:
        """Asks for the content of memory."""

        def dumped(text: str) -> bytes:
            lines = re.findall(r"^ +[0-9a-f]{5}: ((?:[0-9a-f]{2} )+) *\|", text, re.M)
            data = bytes.fromhex("".join(lines))
            assert len(data) == size, text
            return data

        self._ask(f"md {address:#x} {size}", dumped)

    def _ask(self, command: str, meaning) -> None:
        self._commands.append(command)
        self._asked.append((len(self._commands) - 1, meaning))

    def run(self) -> list:
        script = "\n".join([*self._commands, "exit", ""])
        command = ["timeout", str(SECONDS), "mspdebug", "-n", "-q", "sim"]
        done = subprocess.run(command, input=script, capture_output=True, text=True)
        said = re.split(r"^\(mspdebug\) ", done.stdout, flags=re.M)[1:]  # one a command, which is echoed
        assert len(said) == len(self._commands) + 1, done.stdout[-2000:] + done.stderr
        return [meaning(said[number].partition("\n")[2]) for number, meaning in self._asked]
