# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a message costs by its length, in every mode of operation: the rows of results/host-length.csv.

bench/made/harness/lengths.cc calls the library, as CMake compiles it, as users call it, and the peers in the same
process. All lengths and sides take turns. Rows of different processors stand beside each other, and so do those with
libgcrypt among the peers, which has ARIA since version 1.11.
"""

from pathlib import Path

import msgspec

from bench.declared.model import Target
from bench.made import build
from bench.made.cache import kept
from bench.measured import host
from bench.measured.measurement import CIPHERS, Measurement


class Length(msgspec.Struct):
    """A message of `bytes` bytes under an expanded key: medians, and the quartiles of cpb."""

    cipher: str
    side: str  # our kernel, or a peer with its version: the one that is fastest with 16 KiB, in gcm-new-key with 16 bytes
    peer: bool
    mode: str
    bytes: int
    cycles: float
    cpb: float
    lower_cpb: float | None
    upper_cpb: float | None
    note: str  # the processor, and whether libgcrypt was among the peers


class _Line(msgspec.Struct):
    """What the harness prints."""

    side: str
    peer: bool
    mode: str
    bytes: int
    cycles: float
    cpb: float
    lower: float
    upper: float


def rows(target: Target, cipher: str) -> list[Length]:
    gcrypt = host.gcrypt_has_aria()
    note = host.processor() + ", beside libgcrypt" * gcrypt
    program = host.linked("lengths", host.built(target).objects, gcrypt)
    lines = measured(program, [cipher], note) + measured(program, [cipher, "plain"], note)
    return [Length(cipher, *msgspec.structs.astuple(line), note) for line in lines]


@kept
def measured(program: Path, how: list[str], cpu: str) -> list[_Line]:
    """What the benchmark printed about one cipher. It compares the answers of all sides first."""
    return [msgspec.json.decode(line, type=_Line) for line in build.run([program, *how]).splitlines()]


LENGTHS = Measurement(
    name="length", row=Length, machines=("host",), alone=True, parts=host.parts, rows=rows, scope=("cipher", "note"),
    order={"cipher": CIPHERS},
)  # fmt: skip
