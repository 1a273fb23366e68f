# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a measurement is, and the store of its rows: results/*.csv are read, merged and written here alone.

A measurement is one declaration: its columns, the machines whose targets it is for, what can be measured by itself,
and the function that yields the rows of such a part. bench.measured.MEASUREMENTS lists them all.
"""

import csv
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bench.declared.model import ROOT, VARIANTS, BenchError, Target

RESULTS = ROOT / "results"
CIPHERS = [variant.cipher for sizes in VARIANTS.values() for variant in sizes]  # LEA-128 ... HIGHT ... ARIA-256

Progress = Callable[[int, int, str], None]  # done, of how many, what comes now
Row = TypeVar("Row", bound=msgspec.Struct)


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of figures about targets.

    name: results/<target>-<name>.csv holds the rows, results/<target>.csv if it is empty
    row: a line of that file; the fields are its columns, in their order
    machines: of the targets that are measured
    parts: of a target and ciphers (LEA, HIGHT, ARIA): what can be measured by itself, by the title that is shown; parts
        are measured in processes of their own, as many at once as there are processors
    rows: the rows of one part. Raises MissingTool, or BenchError where a check fails
    lacks: what cannot be measured here, in words; the rows of that stay as they are
    alone: nothing else may run meanwhile, because the host's time is measured
    scope: the columns by whose values fresh rows take the place of older ones
    order: the columns by which rows are sorted, with their values in order
    """

    name: str
    row: type[msgspec.Struct]
    machines: tuple[str, ...]
    parts: Callable[[Target, list[str]], dict[str, Any]]
    rows: Callable[[Target, Any], list]
    lacks: Callable[[Target], list[str]] = lambda target: []
    alone: bool = False
    scope: tuple[str, ...] = ("cipher",)
    order: dict[str, list[str]] = msgspec.field(default_factory=lambda: {"cipher": CIPHERS})

    def path(self, target: str) -> Path:
        return RESULTS / (f"{target}-{self.name}.csv" if self.name else f"{target}.csv")

    def read(self, target: str) -> list:
        """The rows that stand in results/."""
        return read_rows(self.path(target), self.row)

    def measure(self, target: Target, ciphers: list[str], progress: Progress = lambda done, total, text: None) -> list:
        """Fresh rows of these ciphers."""
        parts = self.parts(target, ciphers)
        progress(0, len(parts), self.name)
        with ProcessPoolExecutor(1 if self.alone else len(os.sched_getaffinity(0))) as pool:
            jobs = {pool.submit(self.rows, target, part): title for title, part in parts.items()}
            try:
                for done, job in enumerate(as_completed(jobs), 1):
                    job.result()
                    progress(done, len(parts), jobs[job])
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return [row for job in jobs for row in job.result()]

    def write(self, target: str, rows: list) -> None:
        """Writes rows, and of those that stood there the ones about something else."""
        about = lambda row: tuple(getattr(row, column) for column in self.scope)  # noqa: E731
        fresh = set(map(about, rows))
        kept = [row for row in self.read(target) if about(row) not in fresh]
        place = lambda row: [values.index(getattr(row, column)) for column, values in self.order.items()]  # noqa: E731
        write_rows(self.path(target), self.row, sorted([*rows, *kept], key=place))


def read_rows(path: Path, form: type[Row]) -> list[Row]:
    """The rows of a CSV; none where there is no such file. An empty cell is None where the form allows that. Columns
    that the form does not know are left out. BenchError names file and line."""
    if not path.exists():
        return []
    fields = {field.encode_name: field for field in msgspec.structs.fields(form)}
    rows = []
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        missing = [name for name, field in fields.items() if field.required and name not in (reader.fieldnames or [])]
        if missing:
            raise BenchError(f"{path}: no column {', '.join(missing)}; delete the file and measure all of it anew")
        for record in reader:
            cells = {k: None if v == "" and fields[k].type is not str else v for k, v in record.items() if k in fields}
            try:
                rows.append(msgspec.convert(cells, form, strict=False))
            except msgspec.ValidationError as error:
                raise BenchError(f"{path}: line {reader.line_num}: {error}") from None
    return rows


def differences(stored: list[Row], fresh: list[Row]) -> list[Row]:
    """The rows that stand on one side alone. Compared are those made with a compiler and counted by a tool that both
    sides name: other editions compile and count otherwise."""
    made = lambda row: (getattr(row, "compiler", ""), getattr(row, "counter", ""))  # noqa: E731
    both = {made(row) for row in stored} & {made(row) for row in fresh}
    return [row for row in [*stored, *fresh] if made(row) in both and not (row in stored and row in fresh)]


def write_rows(path: Path, form: type[msgspec.Struct], rows: list[msgspec.Struct]) -> None:
    """Writes a CSV with the form's fields as columns, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")
    with fresh.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(form.__struct_fields__)
        writer.writerows([["" if v is None else v for v in msgspec.structs.astuple(row)] for row in rows])
    fresh.replace(path)
