# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library and the command as `make install` installs them, built once for all tests."""

import os
from functools import cache
from pathlib import Path

import native

BUILD = native.ROOT / "build/install"  # the folder of the Makefile


@cache
def installed() -> Path:
    """The folder that takes the place of /usr."""
    root = native.ROOT / "build/test/installed"
    with native.lock("installed"):
        env = {**os.environ, "DESTDIR": str(root), "MAKEFLAGS": ""}
        native.run(["make", "-s", "install", "PREFIX=/usr"], cwd=native.ROOT, env=env)
    return root / "usr"


def installed_in(prefix: Path) -> Path:
    """The same build, installed somewhere else."""
    installed()
    with native.lock("installed"):
        native.run(["cmake", "--install", BUILD, "--prefix", prefix], env={**os.environ, "DESTDIR": ""})
    return prefix
