#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes requirements.txt from requirements.in: python3 packaging/requirements.py, after each change of the latter.

requirements.in names the packages that this project imports, with their versions. requirements.txt adds the packages that
those need, and for every package the SHA-256 of the files that pip installs on each system below. pip refuses any other
file. Elsewhere bench/setup.py installs requirements.in, without hashes.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Debian 12, Ubuntu 24.04 and Debian 13 on x86-64: the version of Python, and the minor version of glibc.
SYSTEMS = [("3.11", 36), ("3.12", 39), ("3.13", 41)]
HEAD = """# SPDX-License-Identifier: Apache-2.0 OR MIT
# Written by packaging/requirements.py from requirements.in.
"""


def report(python: str, glibc: int) -> list[dict]:
    """What pip would install there, without installing it."""
    tags = [f"manylinux_2_{minor}_x86_64" for minor in range(glibc, 4, -1)]
    tags += ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--dry-run", "--ignore-installed"]
        command += ["--only-binary=:all:", "--target", folder, "--python-version", python, "--implementation", "cp"]
        command += [option for tag in tags for option in ("--platform", tag)]
        command += ["--report", f"{folder}/report.json", "-r", str(ROOT / "requirements.in")]
        subprocess.run(command, check=True)
        return json.loads(Path(folder, "report.json").read_text())["install"]


def main() -> None:
    hashes: dict[str, set[str]] = {}
    for python, glibc in SYSTEMS:
        print(f"Python {python}, glibc 2.{glibc}", flush=True)
        for package in report(python, glibc):
            name = f"{package['metadata']['name'].lower().replace('_', '-')}=={package['metadata']['version']}"
            hashes.setdefault(name, set()).add(package["download_info"]["archive_info"]["hashes"]["sha256"])
    lines = [" \\\n    ".join([name, *(f"--hash=sha256:{h}" for h in sorted(hashes[name]))]) for name in sorted(hashes)]
    (ROOT / "requirements.txt").write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
