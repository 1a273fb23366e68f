# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The parts of documents that are written between markers (documents.py): each function returns Markdown, made from the
book alone.

A function takes the words that follow its name in the marker: a cipher (lea, hight, aria), a target, or what to count.
An empty result means that nothing was measured.
"""

import ast
from collections.abc import Callable

from bench.declared.engines import ENGINES
from bench.declared.model import BenchError
from bench.made import registers as register_map
from bench.measured.counter import CounterRow
from bench.reported import cores as hardware
from bench.reported.cases import CASES, DERIVED
from bench.reported.book import CORE, LENGTHS, Book, Choice
from bench.reported.cells import amount, length, number, ratio, size, table
from bench.reported.compare import Figure
from bench.reported.goals import KERNELS, SIZES
from bench.reported.goals import lines as goal_lines

SMALL = ("avr", "msp430", "armv6m", "armv7m", "rv32")  # the microcontrollers, in the order of the README
SUMMARY = (*((name, "") for name in SMALL), ("host", ""), ("neon", f", {CORE}"))

SECTIONS: dict[str, Callable[..., str]] = {}


def section(function: Callable[..., str]) -> Callable[..., str]:
    """A function that markers can name."""
    SECTIONS[function.__name__] = function
    return function


# ---- The README.


@section
def summary(book: Book) -> str:
    """The default, the fastest and the smallest kernel for each machine and cipher, beside the best published one."""
    rows, above = [], ""
    for target, more in SUMMARY:
        for family in ("LEA", "HIGHT", "ARIA"):
            cipher = book.ciphers(family)[0]
            for n, choice in enumerate(book.choices(target, cipher)):
                title = book.title(target) + more
                row = [cipher if n == 0 else "", f"`{choice.kernel}`", ", ".join(choice.which), *_beside(choice)]
                rows.append([title if title != above else "", *row])
                above = title
    return table(
        ("<Machine", "<Cipher", "<Kernel", "<It is the", "Cycles per byte", "Code, bytes (linked)", "<Proved",
         "<Best published", "Cycles per byte", "Code, bytes", "Speed ratio"),
        rows,
    )  # fmt: skip


def _beside(choice: Choice) -> list[str]:
    """The cells of a choice, beginning with its speed."""
    digits = 1 if choice.cpb >= 1 else 2
    paper, _, row = choice.rival.partition("/")
    rival = f"[{choice.rival}](papers/{paper}.toml)" if row else choice.rival
    code = f"{choice.code} ({choice.linked})" if choice.code else ""
    return [
        number(choice.cpb, digits), code, choice.proved,
        rival, number(choice.rival_cpb), size(choice.rival_code), ratio(choice.ratio),
    ]  # fmt: skip


@section
def count(book: Book, what: str) -> str:
    """The number of kernels, of proofs (of one operation of one kernel for one key size), or of test functions,
    rounded down to hundreds."""
    if what == "kernels":
        return str(sum(len(card.kernels) for card in book.cards if card.path.is_relative_to(book.root / "src")))
    if what == "proofs":
        return str(len(book.proofs))
    if what == "tests":
        files = sorted((book.root / "test").rglob("test_*.py"))
        functions = [
            node for path in files for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]  # fmt: skip
        return str(len(functions) // 100 * 100)
    raise BenchError(f"count: {what} is none of kernels, proofs, tests")


# ---- What a program on a microcontroller may choose.


@section
def defaults(book: Book, target: str, chip: str = "") -> str:
    """For each cipher and mode what the default kernel, the fastest and the smallest cost, and the line that names each, on
    this chip of the target or on its own. Where cycles are not known, the fastest is the one with the fewest instructions."""
    about = book.target(target)
    timed = book.options(about.name)
    rows, options = [], [o for o in timed or book.counted(about.name) if o.chip == (chip or about.chip)]
    unit, per_byte = ("cycles", "cpb") if timed else ("instructions", "ipb")
    for cipher, mode in dict.fromkeys((o.cipher, o.mode) for o in options):
        mine = {o.kernel: o for o in options if (o.cipher, o.mode) == (cipher, mode)}
        which = {
            "default": next(kernel for kernel, o in mine.items() if o.default == "yes"),
            "fastest": min(mine, key=lambda k: (getattr(mine[k], unit), mine[k].flash_bytes)),
            "smallest": min(mine, key=lambda k: (mine[k].flash_bytes, getattr(mine[k], unit))),
        }
        for kernel in dict.fromkeys(which.values()):
            o, names = mine[kernel], [name for name, k in which.items() if k == kernel]
            line = f"`-DHAECHI_{cipher.partition('-')[0]}_KERNEL={kernel}`"
            rows.append([
                cipher, mode.upper(), ", ".join(names), f"`{kernel}`, no line" if "default" in names else line,
                size(o.flash_bytes), size(o.ram_bytes), size(o.stack_bytes), number(getattr(o, per_byte)),
            ])  # fmt: skip
    return table(
        ("<Cipher", "<Mode", "<It is the", "<What chooses it", "Flash, bytes", "RAM, bytes", "Stack, bytes", f"{unit.capitalize()} per byte"),
        rows,
    ) if rows else ""  # fmt: skip


@section
def choice(book: Book, target: str, chip: str, cipher: str, mode: str, kernel: str, column: str) -> str:
    """One figure of results/<target>-choices.csv: cpb, flash_bytes, ram_bytes or stack_bytes."""
    (row,) = [o for o in book.options(target) if (o.chip, o.cipher, o.mode, o.kernel) == (chip, cipher, mode, kernel)]
    value = getattr(row, column)
    return number(value) if column == "cpb" else size(value)


# ---- The folders of kernels for microcontrollers.


@section
def kernels(book: Book, family: str, target: str) -> str:
    """One block, every kernel of a folder: cycles, code as papers count it, code and RAM as linked."""
    rows = []
    for kernel, cipher in _folder(book, family, target):
        one = {f.operation: f for f in book.of(target, cipher, kernel) if f.blocks == 1}
        if "enc" not in one:
            continue
        default = " (default)" if kernel == book.default(target, cipher) else ""
        other = one["dks"] if one["dks"].cycles != one["eks"].cycles else None
        rows.append([
            f"`{kernel}`{default}", cipher, _cycles(one["eks"]), _cycles(other), _cycles(one["enc"]),
            _cycles(one["dec"]), size(one["eks"].code_bytes), size(one["enc"].code_bytes),
            size(one["dec"].code_bytes), size(one["both"].code_bytes), size(one["both"].linked_code_bytes),
            size(one["both"].linked_ram_bytes), book.proved(target, cipher, kernel),
        ])  # fmt: skip
    return table(
        ("<Kernel", "<Cipher", "EKS, cycles (per key byte)", "DKS, where it differs", "ENC, cycles (per byte)",
         "DEC, cycles (per byte)", "Code of EKS, bytes", "of ENC", "of DEC", "of both directions",
         "the same, linked", "RAM of both directions, linked, bytes", "<Proved"),
        rows,
    ) if rows else ""  # fmt: skip


def _folder(book: Book, family: str, target: str) -> list[tuple[str, str]]:
    """The kernels of src/<family>/<target>/ with each of their ciphers, a kernel after the other."""
    folder = book.root / "src" / family / target
    names = [name for card in book.cards if card.folder == folder for name in card.kernels]
    if not names:
        raise BenchError(f"no card in src/{family}/{target}")
    return [(name, cipher) for name in names for cipher in book.ciphers(family)]


def _cycles(figure: Figure | None) -> str:
    return f"{figure.cycles:.0f} ({figure.cpb:.1f})" if figure else ""


@section
def messages(book: Book, family: str, target: str) -> str:
    """64 blocks in one call, every kernel of a folder: cycles per byte."""
    rows = []
    for kernel, cipher in _folder(book, family, target):
        many = {f.operation: f for f in book.of(target, cipher, kernel) if f.blocks == 64}
        if many:
            cells = [number(many[op].cpb) if op in many else "" for op in ("enc", "dec", "keystream", "ctr")]
            wrap = _wrap(book, target, cipher, kernel)
            rows.append([f"`{kernel}`", cipher, *cells, wrap, size(many["ctr"].linked_code_bytes)])
    return table(
        ("<Kernel", "<Cipher", "ECB encryption, cycles per byte", "ECB decryption", "Key stream", "CTR",
         "A wrap of the counter's last byte, cycles", "Code of CTR, linked, bytes"),
        rows,
    ) if rows else ""  # fmt: skip


@section
def derived(book: Book, family: str) -> str:
    """Every AVR kernel with the shortest key on AVRxt: cycles per byte, derived."""
    cipher, rows = book.ciphers(family)[0], []
    measured = [row for row in book.derived("avr") if row.cipher == cipher]
    for kernel in dict.fromkeys(row.kernel for row in measured):
        of = {row.operation: row for row in measured if row.kernel == kernel}
        default = " (default)" if kernel == book.default("avr", cipher) else ""
        size_of_block = of["enc"].cycles / of["enc"].cpb
        before = number(of["enc"].avre_cycles / size_of_block)
        rows.append([f"`{kernel}`{default}", cipher, *(number(of[operation].cpb) for operation in ("eks", "enc", "dec")), before])
    return table(
        ("<Kernel", "<Cipher", "EKS, cycles per key byte, derived", "ENC, cycles per byte, derived", "DEC, derived", "ENC on the ATmega128"),
        rows,
    ) if rows else ""  # fmt: skip


@section
def processors(book: Book, family: str, target: str) -> str:
    """Every kernel of a folder on every processor, with the shortest key: cycles per byte."""
    rows, measured = [], book.processors(target)
    for kernel, cipher in _folder(book, family, target):
        if cipher != book.ciphers(family)[0]:
            continue
        for title, isa in dict.fromkeys((r.processor, r.isa) for r in measured if r.kernel == kernel):
            cells = {(r.operation, r.blocks > 1): number(r.cpb) for r in measured
                     if (r.kernel, r.cipher, r.processor, r.isa) == (kernel, cipher, title, isa)}  # fmt: skip
            which = [("eks", False), ("enc", False), ("dec", False), ("enc", True), ("keystream", True)]
            rows.append([f"`{kernel}`", cipher, title, isa, *(cells.get(each, "") for each in which)])
    return table(
        ("<Kernel", "<Cipher", "<Core and its configuration", "<Instruction set", "EKS, cycles per key byte", "ENC, cycles per byte",
         "DEC", "ECB of 64 blocks", "Key stream of 64 blocks"),
        rows,
    ) if rows else ""  # fmt: skip


def _wrap(book: Book, target: str, cipher: str, kernel: str) -> str:
    """Cycles that a wrap of the counter's last byte adds, once in 256 blocks."""
    return next((f"{f.cycles:.0f}" for f in book.of(target, cipher, kernel) if f.operation == "wrap"), "")


@section
def counter(book: Book, family: str, target: str, way: str) -> str:
    """Counter mode by the number of blocks in a call, in one of the ways of results/<target>-ctr.csv."""
    rows = []
    for kernel, cipher in _folder(book, family, target):
        mine = _counter_rows(book, target, kernel, cipher, way)
        if not mine:
            continue
        block, row = _each_block(mine), mine[max(mine)]
        wrap = _wrap(book, target, cipher, kernel) if way == "separately" else ""
        rows.append([
            f"`{kernel}`", cipher, *(number(mine[n].cpb) if n in mine else "" for n in (1, 4, 16, 64)),
            f"{block:.0f}", f"{mine[1].cycles - block:.0f}",
            wrap, size(row.code_bytes), size(row.stack_bytes),
        ])  # fmt: skip
    return table(
        ("<Kernel", "<Cipher", "Key stream of 1 block, cycles per byte", "4 blocks", "16 blocks", "64 blocks",
         "Each block, cycles", "Each call, cycles", "A wrap, cycles", "Code, bytes", "Stack, bytes"),
        rows,
    ) if rows else ""  # fmt: skip


# ---- Single figures, inside a sentence or a table that explains them.


@section
def cycles(book: Book, target: str, kernel: str, cipher: str, operation: str, blocks: str = "1") -> str:
    """The cycles of one operation."""
    return next((f"{f.cycles:.0f}" for f in _measured(book, target, kernel, cipher, operation, blocks)), "")


@section
def speed(book: Book, target: str, kernel: str, cipher: str, operation: str, blocks: str = "1") -> str:
    """The cycles per byte of one operation."""
    return next((number(f.cpb) for f in _measured(book, target, kernel, cipher, operation, blocks)), "")


def _measured(book: Book, target: str, kernel: str, cipher: str, operation: str, blocks: str) -> list[Figure]:
    """The figures of one operation: one on a microcontroller, and one for each other library on a host."""
    return [f for f in book.of(target, cipher, kernel) if (f.operation, str(f.blocks)) == (operation, blocks)]


@section
def counter_block(book: Book, target: str, kernel: str, cipher: str, way: str) -> str:
    """The cycles of each block of counter mode, without those of the call."""
    rows = _counter_rows(book, target, kernel, cipher, way)
    return f"{_each_block(rows):.0f}" if rows else ""


def _counter_rows(book: Book, target: str, kernel: str, cipher: str, way: str) -> dict[int, CounterRow]:
    """Counter mode in one of the ways of results/<target>-ctr.csv, by the number of blocks in a call."""
    wanted = (cipher, kernel, way)
    return {row.blocks: row for row in book.ways(target) if (row.cipher, row.kernel, row.way) == wanted}


def _each_block(rows: dict[int, CounterRow]) -> float:
    """What one block more adds to the cycles of a call."""
    *_, before, most = sorted(rows)
    return (rows[most].cycles - rows[before].cycles) / (most - before)


@section
def wraps(book: Book, family: str, target: str) -> str:
    """The least and the most cycles that a wrap of the counter's last byte adds in the kernels of a folder."""
    texts = {_wrap(book, target, cipher, kernel) for kernel, cipher in _folder(book, family, target)} - {""}
    return f"{min(texts, key=int)} to {max(texts, key=int)}" if texts else ""


# ---- The folders of kernels for hosts and for NEON, and those of portable C.


@section
def host(book: Book, family: str) -> str:
    """Cycles per byte on the host: every kernel and every other library."""
    first, *longer = book.ciphers(family)
    columns = [
        ("eks", "EKS"), ("enc", "One block, ENC"), ("dec", "One block, DEC"), ("enc, 16 KiB", "ECB 16 KiB, ENC"),
        ("dec, 16 KiB", "ECB 16 KiB, DEC"), ("cbc-dec, 16 KiB", "CBC 16 KiB, DEC"), ("ctr, 1 KiB", "CTR 1 KiB"),
        ("ctr, 16 KiB", "CTR 16 KiB"),
    ]  # fmt: skip
    speeds: dict[str, dict[tuple[str, str], float]] = {}
    for cipher in (first, *longer):
        for f in book.of("host", cipher):
            speeds.setdefault(f"`{f.kernel}`", {})[cipher, amount(f)] = f.cpb
        for f in book.of("host", cipher):
            if f.peer:
                speeds.setdefault(f.peer, {}).setdefault((cipher, amount(f)), f.peer_cpb)
    wanted = [(first, operation) for operation, _ in columns] + [(cipher, "ctr, 16 KiB") for cipher in longer]
    names = [title for _, title in columns] + [f"{cipher}, CTR 16 KiB" for cipher in longer]
    rows = [[side, *(number(speed.get(key), 2) for key in wanted)] for side, speed in speeds.items()]
    return table((f"<{first}, cycles per byte", *names), rows) if rows else ""


@section
def files(book: Book) -> str:
    """Counter mode and GCM of 16 KiB with the fastest kernel of each cipher: most of the work of the command."""
    rows = []
    for cipher in (cipher for family in ("LEA", "HIGHT", "ARIA") for cipher in book.ciphers(family)):
        for choice in book.choices("host", cipher):
            speeds = {amount(f): f.cpb for f in book.of("host", cipher, choice.kernel)}
            cells = [number(speeds.get(f"{mode}, 16 KiB"), 2) for mode in ("ctr", "gcm")]
            rows.append([cipher, f"`{choice.kernel}`", *cells])
    return table(("<Cipher", "<Kernel", "CTR 16 KiB, cycles per byte", "GCM 16 KiB"), rows) if rows else ""


@section
def lengths(book: Book, family: str) -> str:
    """Counter mode on the host by message length: our best kernel and the fastest other library."""
    rows = []
    for cipher in book.ciphers(family):
        mine = [row for row in book.lengths if (row.cipher, row.mode) == (cipher, "ctr")]
        for note, side, peer in dict.fromkeys((row.note, row.side, row.peer) for row in mine):
            speeds = {row.bytes: row.cpb for row in mine if (row.note, row.side) == (note, side)}
            rows.append([cipher, note, side if peer else f"`{side}`", *(number(speeds.get(n), 2) for n in LENGTHS)])
    return table(("<Cipher", "<Processor", "<CTR, cycles per byte", *(length(n) for n in LENGTHS)), rows) if rows else ""


@section
def modes(book: Book, cipher: str) -> str:
    """Every mode on the host by message length: our cycles per byte, and in parentheses those of the fastest other library
    divided by ours. CMAC whose subkey each tag derives stands alone, because all others keep the subkey."""
    rows, sizes = [], (16, 64, 256, 1024, 4096, 16384)
    mine = [row for row in book.lengths if row.cipher == cipher]
    for mode, note in dict.fromkeys((row.mode, row.note) for row in mine):
        of = {(row.peer, row.bytes): row for row in mine if (row.mode, row.note) == (mode, note)}
        peer = next((row.side for (is_peer, _), row in of.items() if is_peer and mode != DERIVED), "")
        cells = []
        for n in sizes:
            ours, theirs = of.get((False, n)), of.get((True, n))
            cells.append(number(ours and ours.cpb, 2) + (f" ({ratio(theirs.cpb / ours.cpb)})" if ours and theirs and peer else ""))
        rows.append([mode, note, peer, *cells])
    return table((f"<{cipher}, mode", "<Processor", "<Beside", *(length(n) for n in sizes)), rows) if rows else ""


@section
def cases(book: Book) -> str:
    """Cases with a goal each: what was measured, and what bounds it where the goal is not reached."""
    rows = [line for case in CASES if (line := case.line(book))]
    return table(("<Case", "<Haechi", "<Beside", "Ratio", "Goal", "<Reached, or the bound by count"), rows) if rows else ""


@section
def jobs(book: Book) -> str:
    """Messages with a key of their own: nanoseconds for a message where a call takes 256, and how many times as fast as one
    by one; the same ratio where a call takes one."""
    rows, sizes = [], (16, 64, 256)
    of = {(row.cipher, row.mode, row.note, row.kernel, row.bytes, row.jobs): row for row in book.gateway}
    for key in dict.fromkeys(k[:4] for k in of):
        found = [(of.get((*key, n, 256)), of.get((*key, n, 1))) for n in sizes]
        cells = [f"{number(many.ns)} ({ratio(many.times)}; {ratio(one.times)})" if many and one else "" for many, one in found]
        rows.append([key[0], key[1], f"{key[2]}, `{key[3]}`", *cells])
    return table(("<Cipher", "<Mode", "<Processor, kernel", *(length(n) for n in sizes)), rows) if rows else ""


@section
def goals(book: Book) -> str:
    """Messages with a key of their own, 256 in a call: how many times as fast as one by one, and the goal."""
    rows = list(goal_lines(book))
    return table(("<Cipher", "<Mode", "<Processor, kernel", *(f"<{length(n)}" for n in SIZES)), rows) if rows else ""


@section
def counts(book: Book) -> str:
    """The cycles of a kernel in a lane, by count."""
    rows = [[f"`{kernel}`", *(number(cycles) for cycles in of)] for kernel, of in KERNELS.items()]
    return table(("<Kernel, cycles in a lane", "A key", "A block of counter mode", "A block that waits for the one before"), rows)


@section
def estimates(book: Book, family: str) -> str:
    """NEON: estimated cycles per byte, encryption, decryption and counter mode, by core."""
    rows, cores = [], list(dict.fromkeys(f.core for f in book.figures["neon"]))
    for cipher in book.ciphers(family):
        for kernel in book.kernels("neon", cipher):
            mine = book.of("neon", cipher, kernel)
            most = max(f.blocks for f in mine)
            speeds = {(f.core, f.operation): f.cpb for f in mine if f.blocks == most}
            cells = [[number(speeds.get((core, op))) for op in ("enc", "dec", "ctr")] for core in cores]
            rows.append([cipher, f"`{kernel}`", *(" / ".join(filter(None, cell)) for cell in cells)])
    return table(("<Cipher", "<ENC / DEC / CTR, cycles per byte", *cores), rows) if rows else ""


@section
def portable(book: Book, family: str) -> str:
    """The kernels in C, one block on each machine."""
    names = list(dict.fromkeys(kernel for kernel, _ in _folder(book, family, "c")))
    rows = []
    for target in (*SMALL, "host"):
        for cipher in book.ciphers(family):
            for kernel in names:
                one = {f.operation: f for f in book.of(target, cipher, kernel) if f.blocks == 1}
                if one:
                    code = one["both"].code_bytes if "both" in one else None
                    cells = [number(one[op].cpb) if op in one else "" for op in ("eks", "enc", "dec")]
                    rows.append([book.title(target), f"`{kernel}`", cipher, *cells, size(code)])
    return table(
        ("<Machine", "<Kernel", "<Cipher", "EKS, cycles per key byte", "ENC, cycles per byte", "DEC, cycles per byte",
         "Code of both directions, bytes"),
        rows,
    ) if rows else ""  # fmt: skip


# ---- Proofs.

X86 = "x86_64"  # the machine of cards whose kernels have rows of the target x86 in results/proofs.csv


def _machines(book: Book) -> list[tuple[str, str, str]]:
    """The title of a machine, the target of its rows in results/proofs.csv, and the name that cards give it."""
    small = [(book.title(name), name, book.target(name).machine) for name in SMALL]
    return [*small, ("AArch64 with NEON", "neon", "neon"), ("ARMv7 with NEON", "armv7", "neon"), ("x86-64", "x86", X86)]


def _provable(book: Book) -> list[tuple[str, str, str]]:
    """The title of a machine, the target of its rows in results/proofs.csv, and a kernel that this machine runs; for all of src/."""
    found = []
    for title, target, machine in _machines(book):
        for card in (card for card in book.cards if "src" in card.path.parts):
            for kernel, stated in card.kernels.items():
                where = "host" if machine in (X86, "neon") else machine
                portable = card.machine == "any" and (not stated.on or where in stated.on)
                own = card.machine == machine and stated.architecture in ("", {"neon": "aarch64"}.get(target, target))
                if own or portable:
                    found.append((title, target, kernel))
    return found


@section
def proofs(book: Book) -> str:
    """What is proved of every kernel on every machine, for how many ways to compile it."""
    rows, bare = [], 0
    for title, target, kernel in _provable(book):
        mine = [p for p in book.proofs if (p.target, p.kernel) == (target, kernel)]
        ways = {p.chip for p in mine}
        operations = dict.fromkeys(p.operation for p in mine)
        # Of a microcontroller, chips besides the target's have rows only where their code is another one.
        every = [o for o in operations if target in SMALL or {p.chip for p in mine if p.operation == o} == ways]
        some = [o for o in operations if o not in every]
        said = ", ".join([*every, *(f"{o} (not all)" for o in some)]) if mine else "none is recorded"
        rows.append([title, f"`{kernel}`", said, str(len(ways)) if mine and target not in SMALL else ""])
        bare += not mine
    share = f"{bare} of {len(rows)} pairs of a kernel and a machine, {round(100 * bare / len(rows))} %, have no row."
    return table(("<Machine", "<Kernel", "<Operations proved", "Compilers and levels"), rows) + f"\n\n{share}"


@section
def gaps(book: Book) -> str:
    """What has no proof, and why not."""
    rows = []
    for title, target, _ in _machines(book):
        for gap in (gap for gap in book.gaps if gap.target == target):
            kernels = ", ".join(f"`{kernel}`" for kernel in gap.kernels)
            rows.append([title, kernels, ", ".join(gap.operations), ", ".join(gap.compilers) or "all", gap.why])
    return table(("<Machine", "<Kernels", "<Operations", "<Compilers", "<Why not"), rows)


# ---- Hardware.


@section
def cores(book: Book) -> str:
    """The cores of rtl/ beside the published ones: area in two libraries and clocks."""
    return hardware.summary(book.papers)


@section
def chosen(book: Book) -> str:
    """The core of each cipher that is first in area, in area times clocks, or in energy."""
    return hardware.chosen()


@section
def decryption(book: Book) -> str:
    """The least and the most gate equivalents that decryption adds to a serial core."""
    return hardware.decryption()


@section
def lea_decryption(book: Book) -> str:
    """The gate equivalents that decryption adds to each of LEA's cores that have it."""
    return hardware.lea_decryption()


@section
def registers(book: Book) -> str:
    """The registers of the counter mode engine on a bus."""
    return register_map.table()


@section
def engines(book: Book) -> str:
    """The engines on a bus: their parameters, and the clocks that START, a block and CLEAR take."""
    rows = []
    for engine in ENGINES.values():
        chosen, core = engine.parameters, engine.core
        clocks = (engine.started, core.period or core.cycles, engine.cleared)
        rows.append([core.cipher, f"`{chosen['CORE']}`", str(chosen["KEY"]), str(chosen.get("D", "")), *map(str, clocks)])
    return table(("<Cipher", "<`CORE`", "`KEY`", "`D`", "Clocks from START until the first word can move",
                  "Clocks of the core from block to block", "Clocks from CLEAR until the core is empty"), rows)  # fmt: skip


@section
def gain(book: Book) -> str:
    """What each step from the published bit-serial core to ours saves, in gate equivalents."""
    steps = hardware.steps(book.papers)
    rows = [[name, number(old, 1), number(new, 1), str(clocks)] for name, old, new, clocks in steps]
    return table(("<Core", "GE, OSU 0.18 µm (published: 250 nm)", "GE, Nangate 45 nm (published: 65 nm)",
                  "Clocks from block to block"), rows) if rows else ""  # fmt: skip
