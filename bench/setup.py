#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sets up what `make report` and `make test` need; runs on Debian 12 or 13 with git, make and python3.

    python3 bench/setup.py report|test

Debian packages are installed by apt-get, as root or through sudo without a password; where neither works, the script
prints the command and exits with code 1. It changes nothing else of the system. The packages are those that the targets
(bench/declared/targets/*.toml, `packages`) and bench/declared/libraries.toml name, and for `test` also those in
test/packages.txt. "a | b" stands for the first of the two that this release of Debian has. A package that the release
does not have is named and left out, and so is what needs it. Python packages are installed in .venv as requirements.txt
pins them. Running the script again changes nothing.

For `test`, Maven downloads into build/maven what the Java binding and its tests use. Where cargo is there and new enough,
the crates that the Rust binding and its tests use are fetched as bindings/rust/Cargo.lock pins them, and compiled in
build/rust. Where either is not possible, the script says why, and the tests of that binding are left out.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
JAVA = ROOT / "bindings/java"
JARS = ROOT / "build/maven"  # a repository of Maven's
JARS_STAMP = JARS / "pom.sha256"
RUST, RUST_TARGET = ROOT / "bindings/rust", ROOT / "build/rust"
CRATES = RUST_TARGET / "crates.sha256"  # there where the crates have been fetched


def wanted(purpose: str) -> list[str]:
    """The Debian packages for this purpose, sorted; "a | b" stands for alternatives of which a release has one."""
    packages = {"python3-venv"}
    for path in [*(ROOT / "bench/declared/targets").glob("*.toml"), ROOT / "bench/declared/libraries.toml"]:
        packages |= set(tomllib.loads(path.read_text())["packages"])
    if purpose == "test":
        lines = (ROOT / "test/packages.txt").read_text().splitlines()
        packages |= {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    return sorted(packages)


def alternatives(entries: list[str]) -> list[str]:
    """All packages that entries like "a | b" name."""
    return [name.strip() for entry in entries for name in entry.split("|")]


def missing(entries: list[str]) -> list[str]:
    """The entries of which dpkg lists no alternative as installed."""
    query = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *alternatives(entries)]
    listed = subprocess.run(query, capture_output=True, text=True).stdout.splitlines()
    installed = {line.split()[0] for line in listed if line.endswith(" installed")}
    return [entry for entry in entries if not installed & {*alternatives([entry])}]


def installable(entries: list[str]) -> list[str]:
    """For each entry the first alternative that apt could install; an entry that has none is left out."""
    asked = subprocess.run(["apt-cache", "policy", *alternatives(entries)], capture_output=True, text=True).stdout
    known = set(re.findall(r"^(\S+):\n.*\n  Candidate: (?!\(none\))", asked, re.M))
    found = (next((name for name in alternatives([entry]) if name in known), None) for entry in entries)
    return [name for name in found if name]


def as_root() -> list[str] | None:
    """The beginning of a command that is to run as root, or None where that is not possible without a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def install(entries: list[str]) -> None:
    """Runs apt-get as root or through sudo; exits with the command where neither works."""
    if not entries:
        return
    names, prefix = installable(entries), as_root()
    lists_are_there = bool(installable(["python3"]))
    if lists_are_there and not names:
        print("This release of Debian has no", ", ".join(entries) + ": what needs them is left out.")
        return
    get = ["apt-get", "install", "-y", "--no-install-recommends"]
    if prefix is None:
        chosen = names if lists_are_there else [alternatives([entry])[0] for entry in entries]
        sys.exit("Debian packages are missing. As root, run:\n    apt-get update && " + " ".join([*get, *chosen]))
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    subprocess.run([*apt, "apt-get", "-q", "update"], check=True, stdout=subprocess.DEVNULL)
    names = installable(entries)
    print("Installing Debian packages", "through sudo:" if prefix else "as root:", *names, flush=True)
    subprocess.run([*apt, get[0], "-q", *get[1:], *names], check=True, stdout=subprocess.DEVNULL)


def make_venv() -> None:
    """Installs requirements.txt in .venv, and does so again when that file or the interpreter has changed."""
    requirements = (ROOT / "requirements.txt").read_bytes()
    stamp = VENV / "requirements.sha256"
    state = hashlib.sha256(requirements + platform.python_version().encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == state:
        return
    print("Making .venv, with the Python packages of requirements.txt", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [VENV / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if platform.machine() == "x86_64":
        subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements.txt"], check=True)
    else:  # requirements.txt has no hashes for it
        subprocess.run([*pip, "-r", ROOT / "requirements.in"], check=True)
    stamp.write_text(state)


def maven_lacks() -> str | None:
    """Why the Java binding cannot be built here; None where it can."""
    if not shutil.which("javac"):
        return "there is no JDK (Java 11 or later is needed)"
    return None if shutil.which("mvn") else "there is no Maven"


def jars_state() -> str:
    """What JARS_STAMP says where build/maven has everything."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(JAVA.glob("**/pom.xml")))).hexdigest()


def has_jars() -> bool:
    """Whether build/maven has what these versions of the pom.xml want."""
    return JARS_STAMP.exists() and JARS_STAMP.read_text() == jars_state()


def fetch_jars() -> None:
    """Lets Maven download what the tests of bindings/java take, so that they need no network. Maven knows what that is
    only when it has done the work once: it builds the provider, without its native library, and runs a test that needs
    none."""
    if lacks := maven_lacks():
        print(f"The Java binding is left out: {lacks}.")
        return
    if has_jars():
        return
    print("Downloading into build/maven what Maven needs for bindings/java", flush=True)
    options = [f"-Dmaven.repo.local={JARS}", f"-Dhaechi.build={ROOT / 'build/test/java/set-up'}", "-Dexec.skip", "-Dtest=IvParametersTest"]
    done = subprocess.run(["mvn", "-B", "-q", "-f", JAVA / "pom.xml", *options, "install"], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"The Java binding is left out: Maven failed.\n{done.stdout}")
        return
    JARS.mkdir(parents=True, exist_ok=True)
    JARS_STAMP.write_text(jars_state())


def cargo_lacks() -> str | None:
    """Why the Rust binding cannot be built here; None where it can."""
    wanted = tomllib.loads((RUST / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    if not (shutil.which("cargo") and shutil.which("rustc")):
        return f"there is no cargo (Rust {wanted} or later is needed)"
    said = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout
    found = re.match(r"rustc (\d+)\.(\d+)", said)
    if not found or [int(number) for number in found.groups()] < [int(number) for number in wanted.split(".")]:
        return f"Rust {wanted} or later is needed, this is {said.strip() or 'none that answers'}"
    return None


def prepare_crates() -> None:
    """Fetches and compiles the crates of others, and does so again when Cargo.lock or the compiler has changed."""
    if lacks := cargo_lacks():
        print(f"The Rust binding is left out: {lacks}.")
        return
    compiler = subprocess.run(["rustc", "-vV"], capture_output=True, check=True, text=True).stdout
    manifests = [path.read_text() for path in [RUST / "Cargo.lock", *sorted(RUST.glob("**/Cargo.toml"))]]
    state = hashlib.sha256("".join([compiler, *manifests]).encode()).hexdigest()
    if CRATES.exists() and CRATES.read_text() == state:
        return
    print("Fetching and compiling the crates that the tests of the Rust binding use", flush=True)
    host = re.search(r"^host: (.*)$", compiler, re.M)[1]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(RUST_TARGET)}
    if subprocess.run(["cargo", "fetch", "--locked", "-q"], cwd=RUST, env=environment).returncode:
        print("The Rust binding is left out: cargo could not fetch the crates that Cargo.lock names.")
        return
    # The tests link the library as they compile it. Here the linker is a program that does nothing, so that there need be no library.
    without = ["--locked", "--all-features", "--config", f"target.{host}.haechi.rustc-link-lib=[]", "-q"]
    for command in (["rustc", *without, "-p", "haechi", "--test", "all", "--", "-Clinker=true"], ["check", *without, "--tests"]):
        subprocess.run(["cargo", *command], cwd=RUST, env=environment)  # it saves the tests time; they fail where it does
    RUST_TARGET.mkdir(parents=True, exist_ok=True)
    CRATES.write_text(state)


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit("Python 3.11 or later is needed, this is " + sys.version.split()[0])
    if sys.argv[1:] not in (["report"], ["test"]):
        sys.exit(__doc__)
    if shutil.which("apt-get"):
        install(missing(wanted(sys.argv[1])))
    else:
        print("There is no apt-get here. These Debian packages, or what they hold, are needed:", *wanted(sys.argv[1]))
    make_venv()
    if sys.argv[1] == "test":
        fetch_jars()
        prepare_crates()


if __name__ == "__main__":
    main()
