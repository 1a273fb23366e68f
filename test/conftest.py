# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A rule for all tests: programs that they start find signals as a login shell leaves them."""

import signal

ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def reset_signals() -> None:
    """A program inherits the signals that its parent ignores, for example under nohup or in a script's background job.
    A handler that does nothing ignores them in this process too, but started programs get the default."""
    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())


reset_signals()
