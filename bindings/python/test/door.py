# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package haechi as the tests import it: its Python files as they are, and its module built like the other tests'
programs. And what the tests of engines share."""

import sysconfig
from pathlib import Path

import native

from bench.measured import python as measured

DOOR = measured.DOOR
# The tables of types and slots hold functions as pointers to void, as Python wants them.
WARNINGS = [w for w in native.WARNINGS if w != "-Wpedantic"]


def module(*flags: str) -> Path:
    """_haechi.abi3.so, linked with the library that most tests use. The flags are for the files of the package."""
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        raise RuntimeError(f"{headers}/Python.h is missing (Debian package python3-dev)")
    own = [*sorted(DOOR.glob("src/_haechi/*.c")), *(native.ROOT / "cli" / name for name in ("ciphers.c", "format.c"))]
    library = native.objects(native.sources(), native.USUAL, "gcc")
    includes = [f"-I{native.ROOT / 'cli'}", f"-I{headers}"]
    options = ["-std=c11", "-g", "-O2", *WARNINGS, "-fPIC", "-fvisibility=hidden", *includes, *flags]
    objects = native.objects(own, options, "gcc")
    return native.build("_haechi.abi3.so", [], ["-shared", "-Wl,-z,now", *flags], libs=[*map(str, [*objects, *library])])


def package(*flags: str) -> Path:
    """A folder in which Python finds the package."""
    return measured.package(module(*flags))


def forged(wanted, *verdicts) -> dict[str, int]:
    """How many rows of each id have one of these verdicts."""
    bad = [name for name, _, verdict in wanted if verdict in verdicts]
    return {name: bad.count(name) for name in bad}
