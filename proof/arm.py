# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of kernels for Arm's application processors: AArch64 and ARMv7-A."""

from pathlib import Path

from bench.declared.model import Card
from bench.made.cache import kept
from proof.armv7 import ARMV7
from proof.claims import Fact
from proof.hosts import find
from proof.neon import NEON

ARM = {host.name: host for host in (NEON, ARMV7)}  # by target


@kept
def proved(target: str, compiled: str, card: Card, kernel: str, cipher: str, operation: str, library: Path) -> Fact:
    """The proof of one claim about a library. The cache gives it again as long as the library and all code that took part
    are the same."""
    return find(ARM[target], card, kernel, cipher, operation, library).prove()
