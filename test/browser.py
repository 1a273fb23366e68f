# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Headless Chromium for tests, through the pipe of its debugging protocol (chromedevtools.github.io/devtools-protocol).

One browser opens many pages one after the other, in any width (a window of its own cannot be narrower than 500 pixels),
by day, by night or as they are printed.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

PATIENCE = 300  # seconds for one answer
SLOW_LOAD = 300  # seconds for one page


class Browser:
    """A context manager. Errors of the page that is open are in `problems`: errors of scripts, files that are missing,
    and whatever else Chromium logs as an error."""

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self.problems: list[str] = []
        self._loaded = False
        self._count = 0
        self._rest = b""
        self._session: dict[str, str] = {}

    def __enter__(self) -> "Browser":
        chromium = shutil.which("chromium")
        assert chromium, "chromium is missing: apt-get install chromium"
        (theirs, self._to), (self._from, answers) = os.pipe(), os.pipe()
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (theirs, answers)]  # above 3 and 4

        def place() -> None:
            """Chromium reads commands from descriptor 3 and writes answers to descriptor 4."""
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self._process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             f"--user-data-dir={self.profile}"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for fd in (theirs, answers, *ends):
            os.close(fd)
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *_) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def ask(self, method: str, **parameters) -> dict[str, Any]:
        """Sends one command and returns its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters, **self._session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while (answer := self._next(until)).get("id") != self._count:
            pass
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _next(self, until: float) -> dict[str, Any]:
        """The next message; problems and the end of loading are noted."""
        while b"\0" not in self._rest:
            assert select.select([self._from], [], [], max(0, until - time.monotonic()))[0], "Chromium does not answer"
            got = os.read(self._from, 1 << 20)
            assert got, "Chromium ended"
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        what = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                self.problems.append(details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded" if what["entry"]["level"] == "error":
                self.problems.append(f"{what['entry']['text']} {what['entry'].get('url', '')}")
        return message

    def open(self, path: Path, width: int = 1280, dark: bool = False, media: str = "screen", script: bool = True) -> None:
        """Opens a file. Returns once it is loaded with all that belongs to it."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.problems, self._loaded = [], False
        self.ask("Page.navigate", url=path.absolute().as_uri())
        until = time.monotonic() + SLOW_LOAD
        while not self._loaded:
            self._next(until)

    def value(self, script: str) -> Any:
        """What a script gives in the page, or what its promise gives."""
        said = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def picture(self, whole: bool = True) -> bytes:
        """The page as PNG, or what one window shows of it."""
        return base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def printed(self) -> bytes:
        """The page as PDF on the paper that its style sheet names."""
        return base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
