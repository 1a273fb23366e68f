# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tests themselves run under nohup and in the background as they do elsewhere."""

import signal
import subprocess
import sys

import native
import pytest

# Imports conftest, sends itself a signal, and reports by which signal a program ends.
PROGRAM = """
import subprocess, sys
if sys.argv[2] == "reset": import conftest
print(-subprocess.run(["sh", "-c", f"kill -{sys.argv[1]} $$"]).returncode)
"""


@pytest.mark.parametrize("reset", [True, False])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_signals_that_were_ignored_end_programs_again(number, reset):
    """Without conftest they do not, so that this test can fail."""
    ignored = f"trap '' {int(number)}; exec \"$@\""
    command = ["sh", "-c", ignored, "sh", sys.executable, "-c", PROGRAM, str(int(number)), "reset" if reset else ""]
    done = subprocess.run(command, cwd=native.ROOT / "test", capture_output=True, text=True, check=True)
    assert int(done.stdout) == (number if reset else 0)
