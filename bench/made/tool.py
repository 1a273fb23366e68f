# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs that the hardware measurements start."""

import shutil
import subprocess

from bench.declared.model import ROOT, BenchError, MissingTool


def need(name: str, package: str) -> None:
    """Raises MissingTool, naming the package, unless the tool is installed."""
    if not shutil.which(name):
        raise MissingTool(f"no {name}: install the Debian package {package}")


def run(command: list, what: str) -> str:
    """Runs a program and returns what it printed on its standard output."""
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise BenchError(f"{what}: {(done.stderr + done.stdout).strip()[-800:]}")
    return done.stdout
