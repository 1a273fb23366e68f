# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Coverage-guided fuzzing (libFuzzer) of the reader of encrypted files and of haechi_open, for a few seconds each. It
starts from the inputs that earlier runs kept. Each fuzzer must also find a planted fault.

Modes and reader are instrumented. Kernels come from the library; test_builds.py runs them under sanitizers. `python
test/cli/test_fuzz.py reader 3600` searches longer and keeps what it finds.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import library
from marks import LATER
import native
import pytest
from planted import plant

FOLDER = native.ROOT / "test/cli/fuzz"
SECONDS = 30  # time in which a planted fault must be found
LONGEST = 400
FILES = {
    "reader": ["cli/format.c", "cli/ciphers.c", "cli/names.c", "host/random.c"],
    "open": [],
}
PLANTED = {
    "reader": ("cli/format.c", "nonce[11] = last != 0;", "nonce[11] = 0;"),
    "open": ("src/core/key.c", "for (; len; len--) {", "for (; len > 1; len--) {"),
}


def fuzzer(name: str, replaced: dict[Path, Path]) -> Path:
    """The program, in which other files may replace some of its own."""
    shared = Path(library.library()._name)
    files = [native.ROOT / f for f in FILES[name]]
    files += sorted([*native.ROOT.glob("src/mode/*.c"), *native.ROOT.glob("src/core/*.c")])
    flags = ["-std=gnu99", "-O1", "-g", "-fsanitize=address,undefined,fuzzer", "-fno-sanitize-recover=all", "-DHAECHI_CHUNK=32"]
    includes = [f"-I{native.ROOT / 'host'}", *(f"-iquote{native.ROOT / folder}" for folder in ("cli", "src/core"))]
    whole = [FOLDER / f"fuzz_{name}.c", *(replaced.get(f, f) for f in files)]
    libs = [str(shared), f"-Wl,-rpath,{shared.parent}", "-pthread"]
    return native.build(f"fuzz_{name}", whole, [*flags, *includes], "clang", libs)


def corpus(name: str, folder: Path) -> Path:
    folder.mkdir()
    for i, line in enumerate((FOLDER / f"{name}.txt").read_text().splitlines()[1:]):
        (folder / str(i)).write_bytes(bytes.fromhex(line))
    return folder


def fuzz(program: Path, seeds: Path, work: Path, seconds: int) -> subprocess.CompletedProcess:
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-rss_limit_mb=1024", "-timeout=10", "-print_final_stats=1"]
    return subprocess.run([program, *limits, f"-artifact_prefix={work}/", seeds], capture_output=True, text=True, cwd=work)


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(3, marks=pytest.mark.full),
        pytest.param(60, marks=LATER),
        pytest.param(300, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", FILES)
def test_fuzz(name, seconds, tmp_path):
    done = fuzz(fuzzer(name, {}), corpus(name, tmp_path / "corpus"), tmp_path, seconds)
    found = [p.read_bytes().hex() for p in tmp_path.iterdir() if p.is_file()]
    assert done.returncode == 0 and not found, (found, done.stderr[-3000:])
    runs = int(done.stderr.split("stat::number_of_executed_units:")[1].split()[0])
    assert runs > 1000


@pytest.mark.full
@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_found(name, tmp_path):
    path, old, new = PLANTED[name]
    (faulty,) = plant(tmp_path, Path(path).name, old, new, [native.ROOT / path])
    faulty.write_text(faulty.read_text().replace('#include "../', f'#include "{native.ROOT}/src/'))
    done = fuzz(fuzzer(name, {native.ROOT / path: faulty}), corpus(name, tmp_path / "corpus"), tmp_path, SECONDS)
    assert done.returncode and "deadly signal" in done.stderr, done.stderr[-2000:]


def keep(name: str, seconds: int) -> None:
    """Fuzzes, and stores the fewest inputs that reach the same code."""
    with tempfile.TemporaryDirectory() as work:
        seeds, least = corpus(name, Path(work, "corpus")), Path(work, "least")
        done = fuzz(fuzzer(name, {}), seeds, Path(work), seconds)
        found = [p.read_bytes().hex() for p in Path(work).iterdir() if p.is_file()]
        if done.returncode:
            sys.exit(f"{done.stderr}\nfound: {found}")
        least.mkdir()
        native.run([fuzzer(name, {}), "-merge=1", least, seeds])
        lines = sorted((p.read_bytes().hex() for p in least.iterdir()), key=lambda line: (len(line), line))
    path = FOLDER / f"{name}.txt"
    path.write_text("\n".join([path.read_text().splitlines()[0], *lines]) + "\n")


if __name__ == "__main__":
    keep(sys.argv[1], int(sys.argv[2]))
