# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs cargo for the tests: with the library as the other tests compile it, without the network, and with the crates of others
that bench/setup.py has compiled."""

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import native
import pytest
import tomllib
from builds import PORTABLE

from bench.made.cache import digest
from bench.setup import CRATES, RUST_TARGET, cargo_lacks

DOOR = Path(__file__).resolve().parent.parent
WORKSPACE = tomllib.loads((DOOR / "Cargo.toml").read_text())["workspace"]["package"]
LACKS = cargo_lacks() or (None if CRATES.exists() else "cargo could not fetch the crates: run bench/setup.py test")
needs_cargo = pytest.mark.skipif(bool(LACKS), reason=LACKS or "")
ENVIRONMENT = {**os.environ, "CARGO_TARGET_DIR": str(RUST_TARGET), "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never"}


@cache
def host() -> str:
    """The target of this machine, like x86_64-unknown-linux-gnu."""
    return re.search(r"^host: (.*)$", native.run(["rustc", "-vV"]).stdout, re.M)[1]


@cache
def has_target(name: str) -> bool:
    """Whether rustc has the core library for a target."""
    folder = native.run(["rustc", "--print", "target-libdir", "--target", name]).stdout.strip()
    return any(Path(folder).glob("libcore-*.rlib"))


@cache
def bare(target: str) -> tuple[list[str], dict[str, str]] | None:
    """The options and the environment with which cargo builds for a target without an operating system: with the core library that comes with
    rustc, or with one that it compiles from the sources in Debian's rust-web-src or rust-src. None: there is neither. Where the first
    cargo on the path has neither, Debian's own may have the sources."""
    for folder in dict.fromkeys(str(Path(path).parent) for path in (shutil.which("cargo"), "/usr/bin/cargo") if path and Path(path).exists()):
        path = {"PATH": f"{folder}:{os.environ['PATH']}"}
        asked = lambda *words, env={**os.environ, **path}: native.run(["rustc", "--print", *words], env=env).stdout.strip()  # noqa: E731
        if any(Path(asked("target-libdir", "--target", target)).glob("libcore-*.rlib")):
            return [], path
        if (Path(asked("sysroot")) / "lib/rustlib/src/rust/library/Cargo.lock").exists():
            # An option of nightly compilers, which this variable allows others. Cargo fetches the crates that core is built with.
            return ["-Zbuild-std=core"], {**path, "RUSTC_BOOTSTRAP": "1", "CARGO_NET_OFFLINE": "false"}
    return None


def library(flags=native.USUAL, compiler: str = "gcc") -> Path:
    """A folder with libhaechi.a, of src/ and host/. Builds of the portable kernels alone leave out the files for x86-64, as the other
    tests do."""
    sources = [path for path in native.sources() if "x86" not in path.parts or PORTABLE[0] not in flags]
    own = native.ROOT / "host"
    objects = native.objects(sources, flags, compiler) + native.objects(sorted(own.glob("*.c")), [*flags, f"-I{own}"], compiler)
    folder = native.ROOT / "build/test/rust" / digest(*map(str, objects))
    with native.lock(digest("archive", str(folder))):
        if not (folder / "libhaechi.a").exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = folder / "fresh.a"
            fresh.unlink(missing_ok=True)
            native.run(["ar", "rcs", fresh, *objects])
            fresh.replace(folder / "libhaechi.a")
    return folder


def with_library(folder: Path, *more: str, folders: list[str] = (), target: str | None = None) -> list[str]:
    """What tells cargo to link this library, and more, instead of running the build script of haechi-sys."""
    said = {"rustc-link-lib": ["static=haechi", *more], "rustc-link-search": [str(folder), *folders]}
    return [word for name, value in said.items() for word in ("--config", f"target.{target or host()}.haechi.{name}={json.dumps(value)}")]


# For what links nothing.
WITHOUT_LIBRARY = ["--config", f"target.{host()}.haechi.rustc-link-lib=[]"] if not LACKS else []


def cargo(*words, cwd: Path = DOOR, **environment) -> subprocess.CompletedProcess:
    """Runs cargo; where it fails, raises with all that it said. Another worker that wants the same folder of products waits, because
    programs that are linked with different libraries have the same name there."""
    environment = {**ENVIRONMENT, **environment}
    with native.lock(digest("cargo", environment["CARGO_TARGET_DIR"])):
        return native.run(["cargo", *words], cwd=cwd, env=environment)


def has_tool(name: str) -> bool:
    """Whether there is cargo-clippy, cargo-fmt and so on, which Debian has in packages of their own."""
    there = shutil.which(f"cargo-{name}") is not None
    return there and subprocess.run(["cargo", name, "--version"], capture_output=True).returncode == 0
