# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of kernels for x86-64 and Arm share: they run test/kernel/kernel_runner.c with a kernel, beside
the portable one."""

import subprocess
from pathlib import Path

import native
import pytest

from bench.declared import model

CARDS = model.load_cards()
KERNELS = {name: card for card in CARDS for name in card.kernels}
PORTABLE = {card.cipher: next(iter(card.kernels)) for card in CARDS if card.path.match("src/*/c/card.yml")}


def descriptors(kernel: str) -> list[tuple[str, str]]:
    """The names of the kernel's descriptors, each with that of the portable kernel."""
    cipher = KERNELS[kernel].cipher
    suffixes = [v.suffix + d for v in model.VARIANTS[cipher] for d in ("", "_inv")]
    return [(kernel + s, PORTABLE[cipher] + s) for s in suffixes]


def runner(kernel: str, pairs: list[tuple[str, str]], flags: list[str], compiler: str) -> Path:
    """The program kernel_runner.c with a kernel's descriptors, each beside the one with which it must agree."""
    folder = KERNELS[kernel].folder
    sources = [KERNELS[kernel].source(kernel), *folder.parent.glob("c/*.c"), *(native.ROOT / "src/core").glob("*.c")]
    sources.append(native.ROOT / "test/kernel/kernel_runner.c")
    named = "".join(f"X({ours},{portable})" for ours, portable in pairs)
    return native.build("kernel_runner", sorted(sources), [*native.USUAL, f"-DKERNELS={named}", *flags], compiler)


def run(kernel: str, arguments: list, flags: list[str], compiler: str, prefix: list[str] = ()) -> None:
    """Runs the program for all descriptors of one kernel; pytest.skip if the CPU lacks what it needs."""
    names = [ours for ours, _ in descriptors(kernel)]
    program = runner(kernel, descriptors(kernel), flags, compiler)
    done = subprocess.run([*prefix, program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode == 0 and done.stdout.split() == [word for n in names for word in (n, "skipped")]:
        pytest.skip(f"{prefix[0] if prefix else 'this CPU'} lacks what {kernel} needs")
    assert (done.returncode, done.stdout) == (0, "".join(f"{n} ok\n" for n in names)), done.stderr[-2000:]
