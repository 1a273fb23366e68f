#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The binary interface of libhaechi.so, as libabigail describes it: python3 packaging/abi.py writes the description.

It is written once for each version, before its tag. From then on the tests compare the library with it: programs that were
linked with the version of the tag run with every later one of the same major version.
"""

import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUPPRESSIONS = ROOT / "packaging/abi.suppr"
DESCRIPTION = ROOT / "packaging/libhaechi-x86_64.abi"
HEADERS = [
    "src/haechi.h",
    "src/haechi_cpu.h",
    "src/haechi_stream.h",
    "src/haechi_jobs.h",
    "src/haechi_legacy.h",
    "host/haechi_random.h",
    "host/haechi_threads.h",
]


def promised(root: Path, headers: list[str] = HEADERS) -> list[str]:
    """The names that the public headers declare."""
    text = re.sub(r"/\*.*?\*/", "", "".join((root / name).read_text() for name in headers), flags=re.S)
    return sorted(set(re.findall(r"\bhaechi_\w+(?=[(,;])", "".join(re.findall(r"HAECHI_API[^;]*;", text)))))


def library(root: Path, folder: Path, files: list[Path]) -> Path:
    """The library of a tree, of these files, with what debuggers know of its types; it exports the promised names alone."""
    script = folder / "exports.map"
    script.write_text("{ global: " + " ".join(f"{name};" for name in promised(root)) + " local: *; };\n")
    # The description must not depend on where the tree stands.
    flags = ["-std=gnu99", "-g", "-O1", "-fPIC", "-shared", f"-I{root / 'src'}", f"-I{root / 'host'}", f"-ffile-prefix-map={root}=."]
    names = [f"-Wl,--version-script={script}", "-Wl,-soname,libhaechi.so.0", "-pthread"]
    out = folder / "libhaechi.so"
    subprocess.run(["gcc", *flags, *files, *names, "-o", out], check=True)
    return out


def interface(root: Path) -> list[Path]:
    """The files that define public functions and ciphers; the kernels, which nobody calls by name, are not among them."""
    return sorted([*root.glob("src/*/*.c"), *root.glob("host/*.c")])


def describe(library: Path) -> str:
    """What abidw says of it, without paths of this machine."""
    quiet = ["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"]
    done = subprocess.run(["abidw", *quiet, library], check=True, capture_output=True, text=True)
    first, _, rest = done.stdout.partition("\n")  # abidiff knows a description by its first line
    return f"{first}\n  <!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->\n{rest}"


def compare(library: Path) -> subprocess.CompletedProcess:
    """abidiff between the description and the library; what is new is no difference."""
    command = ["abidiff", "--no-added-syms", "--suppressions", SUPPRESSIONS, DESCRIPTION, library]
    return subprocess.run(command, capture_output=True, text=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        DESCRIPTION.write_text(describe(library(ROOT, Path(folder), interface(ROOT))))
    print(DESCRIPTION)


if __name__ == "__main__":
    main()
