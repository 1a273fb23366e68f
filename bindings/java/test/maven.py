# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Maven for the tests: it works offline, in folders below build/, with the native library that the other tests' programs hold."""

import os
import shutil
import subprocess
from pathlib import Path

import native
import pytest

from bench import setup
from bench.made.cache import digest
from bench.measured.java import headers

DOOR = Path(__file__).resolve().parent.parent

LACKS = setup.maven_lacks() or (None if setup.has_jars() else "Maven could not download what it needs: run bench/setup.py test")
needs_java = pytest.mark.skipif(bool(LACKS), reason=LACKS or "")

QUICK = "-XX:TieredStopAtLevel=1"  # what runs for seconds is not worth the better of the two compilers


def library(*flags: str) -> Path:
    """libhaechi_java.so, linked with the library that most tests use. The flags are for the files of the door."""
    options = ["-std=c11", "-g", "-O2", *native.WARNINGS, "-fPIC", "-fvisibility=hidden", f"-I{native.ROOT / 'host'}", *headers(), *flags]
    own = [*sorted(DOOR.glob("src/main/c/*.c")), *sorted((native.ROOT / "host").glob("*.c"))]
    objects = [*native.objects(own, options, "gcc"), *native.objects(native.sources(), native.USUAL, "gcc")]
    return native.build("libhaechi_java.so", [], ["-shared", "-Wl,-z,now,-z,defs", *flags], libs=[*map(str, objects)])


def run(build: Path, *arguments: str, pom: Path = DOOR / "pom.xml") -> subprocess.CompletedProcess:
    """Runs Maven offline; raises RuntimeError with all that it said if it fails."""
    command = ["mvn", "-o", "-B", "-q", "-f", pom, f"-Dmaven.repo.local={setup.JARS}", f"-Dhaechi.build={build}", *arguments]
    return native.run(command, env={**os.environ, "MAVEN_OPTS": QUICK})


def compiled(*flags: str) -> Path:
    """The folder of a build of the door and its tests, compiled once for all workers, with the native library where the jar has
    it. The flags are for the library."""
    built, sources = library(*flags), sorted([DOOR / "pom.xml", *DOOR.glob("src/**/*.java")])
    build = native.ROOT / "build/test/java" / digest(str(built), *sources)
    place = build / f"classes/haechi/native/linux-{os.uname().machine}/libhaechi_java.so"
    with native.lock(f"java-{build.name}"):
        if not place.exists():
            run(build, "-Dexec.skip", "test-compile")
            place.parent.mkdir(parents=True)
            shutil.copy(built, place)
    return build
