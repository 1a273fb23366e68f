#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sets up what `make report` and `make test` need; runs on a bare Debian 12 with git, make and python3.

    python3 bench/setup.py report|test

Debian packages: those that the targets (bench/declared/targets/*.toml, `packages`) and bench/declared/libraries.toml name, and for
`test` also those of test/packages.txt. Root or passwordless sudo installs what is missing; otherwise the command is
printed and the exit code is 1. Python packages: requirements.txt, pinned, into .venv. Doing it again does nothing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"


def wanted(purpose: str) -> list[str]:
    """The Debian packages for this purpose, sorted."""
    packages = {"python3-venv"}
    for path in [*(ROOT / "bench/declared/targets").glob("*.toml"), ROOT / "bench/declared/libraries.toml"]:
        packages |= set(tomllib.loads(path.read_text())["packages"])
    if purpose == "test":
        lines = (ROOT / "test/packages.txt").read_text().splitlines()
        packages |= {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    return sorted(packages)


def missing(packages: list[str]) -> list[str]:
    """Those that dpkg does not list as installed."""
    query = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages]
    listed = subprocess.run(query, capture_output=True, text=True).stdout.splitlines()
    installed = {line.split()[0] for line in listed if line.endswith(" installed")}
    return [p for p in packages if p not in installed]


def install(packages: list[str]) -> None:
    """apt-get as root or through sudo; exits with the command where neither can."""
    if not packages:
        return
    get = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() == 0:
        prefix = []
    elif shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        prefix = ["sudo", "-n"]
    else:
        sys.exit("Debian packages are missing. As root, run:\n    apt-get update && " + " ".join(get))
    print("installing", *packages, flush=True)
    env = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    subprocess.run([*env, "apt-get", "-q", "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*env, *get[:1], "-q", *get[1:]], check=True, stdout=subprocess.DEVNULL)


def make_venv() -> None:
    """.venv with requirements.txt, anew when that file or the interpreter has changed."""
    requirements = (ROOT / "requirements.txt").read_bytes()
    stamp = VENV / "requirements.sha256"
    state = hashlib.sha256(requirements + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == state:
        return
    print("making .venv", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [VENV / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", ROOT / "requirements.txt"], check=True)
    stamp.write_text(state)


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit("Python 3.11 or later is needed, this is " + sys.version.split()[0])
    if sys.argv[1:] not in (["report"], ["test"]):
        sys.exit(__doc__)
    if shutil.which("apt-get"):
        install(missing(wanted(sys.argv[1])))
    else:
        print("no apt-get here; these Debian packages, or what they hold, are needed:", *wanted(sys.argv[1]))
    make_venv()


if __name__ == "__main__":
    main()
