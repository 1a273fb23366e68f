# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cache: the earlier result of a function, as long as nothing that it read has changed.

    @kept
    def measured(target: Target, kernel: str, program: Path) -> list[Row]: ...

The first call with given arguments runs the function and writes its result to build/kept/, beside a list of what the
function read. A later call, in this process or another one, compares that list with the present state and returns the
kept result if all is equal. Nobody lists inputs by hand. The cache sees what is read while the function runs:

files      those that Python opens, and those that the command line of a started program names; compared by content
folders    those that are listed; compared by the names in them
programs   those that are started; compared by their bytes and by what they say to --version
tools      those of LLVM; compared by the newest version that is installed
code       the module of the function and every module of the project that it imports, directly or through others;
           requirements.txt, which pins all other packages; the version of Python

A function that calls another kept function has also read what that one read.

The cache does not see environment variables, files that a started program opens unless its command line names them, and
what other processes of a multiprocessing pool read. Pass these as arguments or report them by note(), as build.compile
does for compilers. A file that the function itself wrote is no input.

Arguments and results have types that msgspec encodes, or are Paths; the annotation of the function says which type the
result has. A Path as the result must be a file in build/, and the function runs again when the file is gone.
"""

import ast
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench.declared.model import ROOT

BUILD = ROOT / "build"
KEPT = BUILD / "kept"
LLVM = ("clang", "ld.lld", "llvm-")
NO_FILES = ("/proc/", "/sys/", "/dev/")  # these change by themselves


class Reads(msgspec.Struct):
    """What a function has read, by name, and the files that it wrote."""

    files: set[str] = set()
    folders: set[str] = set()
    programs: set[str] = set()
    tools: set[str] = set()
    written: set[str] = set()

    def add(self, other: "Reads") -> None:
        for field in self.__struct_fields__:
            getattr(self, field).update(getattr(other, field))


class Entry(msgspec.Struct):
    """A file of the cache: the state of everything that was read, in the order of Reads, and the result."""

    files: dict[str, str]
    folders: dict[str, str]
    programs: dict[str, str]
    tools: dict[str, str]
    result: msgspec.Raw


def digest(*parts: bytes | str | Path) -> str:
    """A hash over texts, bytes and the contents of files, 24 hexadecimal digits."""
    h = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "little") + data)
    return h.hexdigest()[:24]


def write(path: Path, text: str) -> Path:
    """Writes a file that other processes may read or write at the same time, and that is always complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{os.getpid()}.{path.name}")
    fresh.write_text(text)
    return fresh.replace(path)


# ---- Seeing what is read.

_recording: list[Reads] = []  # of the functions that run now, the innermost last
_looking = 0  # how many calls of _unseen are active


def note(*files: Path | str) -> None:
    """Records that the function that runs now has read these files in a way that the cache cannot see."""
    if _recording:
        _recording[-1].files.update(os.path.abspath(file) for file in files)


def _see(event: str, arguments: tuple) -> None:
    """An audit hook of Python, which is called at every open, listing and start of a program."""
    if not _recording or _looking:
        return
    reads = _recording[-1]
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        path, _, flags = arguments
        written = (flags or 0) & (os.O_WRONLY | os.O_RDWR)
        (reads.written if written else reads.files).add(os.path.abspath(path))
    elif event in ("os.listdir", "os.scandir") and isinstance(arguments[0], str | os.PathLike):
        reads.folders.add(os.path.abspath(arguments[0]))
    elif event == "subprocess.Popen":
        _, command, folder, _ = arguments
        command = [os.fspath(word) for word in ([command] if isinstance(command, str) else command)]
        program = shutil.which(command[0])
        if program and not Path(program).is_relative_to(BUILD):
            reads.programs.add(program)
        for word in {part for word in command for part in [word, *word.replace(";", " ").split()]}:
            path = os.path.abspath(os.path.join(folder or ".", word))
            if len(word) < 4096 and os.path.isfile(path):
                reads.files.add(path)


sys.addaudithook(_see)


@contextmanager
def _unseen() -> Iterator[None]:
    """What is read inside this context is not recorded, because the cache itself reads it."""
    global _looking
    _looking += 1
    try:
        yield
    finally:
        _looking -= 1


@contextmanager
def _record() -> Iterator[Reads]:
    """Records what is read inside this context, also for the surrounding function."""
    reads = Reads()
    _recording.append(reads)
    try:
        yield reads
    finally:
        _recording.pop()
        if _recording:
            _recording[-1].add(reads)


# ---- The state of what was read.


@functools.cache
def _content(path: str, size: int, changed: int) -> str:
    return digest(Path(path))


def _file(path: str) -> str:
    """The hash of the content, or nothing if there is no such file."""
    try:
        stat = os.stat(path)
        return _content(path, stat.st_size, stat.st_mtime_ns)
    except OSError:
        return ""


def _folder(path: str) -> str:
    try:
        return digest(*sorted(name for name in os.listdir(path) if name != "__pycache__"))
    except OSError:
        return ""


@functools.cache
def _program(path: str) -> str:
    try:
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        return digest(Path(path), said.stdout if said.returncode == 0 else b"")
    except (OSError, subprocess.TimeoutExpired):
        return ""


@functools.cache
def _newest(name: str) -> str:
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    found = {entry.name for folder in folders if folder.is_dir() for entry in folder.glob(f"{name}-*")}
    versions = [int(version) for entry in found if (version := entry[len(name) + 1 :]).isdecimal()]
    return f"{name}-{max(versions)}" if versions else name


STATES: dict[str, Callable[[str], str]] = {
    "files": _file, "folders": _folder, "programs": _program, "tools": _newest,
}  # fmt: skip


def _short(path: str) -> str:
    """The path relative to the project, so that the cache can move with it."""
    return path.removeprefix(f"{ROOT}/")


def _long(kind: str, name: str) -> str:
    return name if kind == "tools" else os.path.join(ROOT, name)


def _states(reads: Reads) -> dict[str, dict[str, str]]:
    reads.files = {
        path for path in reads.files - reads.written if os.path.isfile(path) and not path.startswith(NO_FILES) and not path.endswith(".pyc")
    }
    with _unseen():
        return {kind: {_short(path): of(path) for path in getattr(reads, kind)} for kind, of in STATES.items()}


def _unchanged(entry: Entry) -> bool:
    with _unseen():
        return all(
            of(_long(kind, name)) == state
            for kind, of in STATES.items()
            for name, state in getattr(entry, kind).items()
        )


def _entry(path: Path) -> Entry | None:
    """The entry in a file; none if there is no file, or if another edition of this module wrote it."""
    try:
        with _unseen():
            return msgspec.json.decode(path.read_bytes(), type=Entry)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def _note_all(entry: Entry) -> None:
    """Records that the function that runs now has read what the function of this entry read."""
    if _recording:
        for kind in STATES:
            getattr(_recording[-1], kind).update(_long(kind, name) for name in getattr(entry, kind))


# ---- Code.


@functools.cache
def _imports(path: Path) -> frozenset[Path]:
    """The modules of the project that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    places = (ROOT / name.replace(".", "/") for name in names)
    return frozenset(file for place in places for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists())


def code(function: Callable) -> set[Path]:
    """The module of a function, all modules of the project that it imports, and requirements.txt."""
    found, todo = set(), [Path(sys.modules[function.__module__].__file__)]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += _imports(path)
    return found | {ROOT / "requirements.txt"}


# ---- What modules use.


def tool(name: str) -> str:
    """The command of a tool. Debian installs those of LLVM with their version in the name: for them the newest on PATH,
    as clang-14 for clang. Any other name stands for itself."""
    if not name.startswith(LLVM):
        return name
    if _recording:
        _recording[-1].tools.add(name)
    with _unseen():
        return _newest(name)


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return {"path": _short(str(value))}
    raise NotImplementedError(f"{type(value).__name__} is no argument for a kept function")


def _from_plain(form: type, value: Any) -> Any:
    if form is Path:
        return ROOT / value["path"]
    raise NotImplementedError(form)


def kept(function: Callable) -> Callable:
    """Makes a function return its earlier result unless something that it read has changed: see above."""

    @functools.wraps(function)
    def call(*arguments, **named):
        form = typing.get_type_hints(function)["return"]
        asked = digest(msgspec.json.encode([sys.version, arguments, named], enc_hook=_plain))
        path = KEPT / f"{function.__module__}.{function.__qualname__}" / f"{asked}.json"
        entry = _entry(path)
        if entry and _unchanged(entry):
            result = msgspec.json.decode(entry.result, type=form, dec_hook=_from_plain)
            if not isinstance(result, Path) or result.exists():
                _note_all(entry)
                return result
        with _record() as reads:
            result = function(*arguments, **named)
            note(*code(function))
        raw = msgspec.Raw(msgspec.json.encode(result, enc_hook=_plain))
        write(path, msgspec.json.encode(Entry(**_states(reads), result=raw)).decode())
        return result

    return call


def once(function: Callable) -> Callable:
    """functools.cache for functions that read files: what such a function read counts for every caller, not only for
    the first one."""
    known: dict[tuple, tuple[Any, Reads]] = {}

    @functools.wraps(function)
    def call(*arguments):
        if arguments not in known:
            with _record() as reads:
                known[arguments] = function(*arguments), reads
        elif _recording:
            _recording[-1].add(known[arguments][1])
        return known[arguments][0]

    return call
