# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every assembly kernel for AVR, in the simulator, against what its card claims; and every one of these checks
against code that it must find fault with (planted_avr.S).

All calls go through `clean`: whatever a test is about, the calling convention held and nothing outside the buffers
was written.
"""

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import library
import pytest
from bench import rsp

from bench import build
from bench.drive import Drive
from bench.machine import EVERY, Call, Fault, Machine
from bench.measure import kernels, measure_kernel, open_machine, read_csv
from bench.model import ROOT, VARIANTS, Card, load_targets
from bench.simavr import INTERRUPTS_ON

TARGET = load_targets()["avr"]
CHIPS = [TARGET.chip, *TARGET.test_chips]
EVERYWHERE = {kernel: card for card, kernel in kernels(TARGET)}  # the portable C ones too
CARDS = {kernel: card for kernel, card in EVERYWHERE.items() if card.source(kernel).suffix == ".S"}
SINGLE = ["eks", "dks", "enc", "dec"]
OPERATIONS = [*SINGLE, "enc_bulk", "dec_bulk", "ctr"]
SLOT = dict(zip(OPERATIONS, ["expand", "expand", "crypt", "crypt", "bulk", "bulk", "ctr"], strict=True))
INPUTS = 200  # for equal traces
PAIRS = 25  # of secrets, for residue
ALIGN2 = 2  # a descriptor's flag


@contextmanager
def machine_for(kernel: str, chip: str, extra=()):
    card = EVERYWHERE[kernel]
    with open_machine(TARGET, chip, build.elf(TARGET, chip, card, kernel, extra)) as machine:
        yield machine


@pytest.fixture(scope="module", params=list(product(CARDS, CHIPS)), ids="-".join)
def here(request):
    """A machine with a kernel in it: machine, kernel, card."""
    kernel, chip = request.param
    with machine_for(kernel, chip) as machine:
        yield machine, kernel, CARDS[kernel]


def drives(machine: Machine, kernel: str, card: Card) -> list[Drive]:
    """All key sizes, both directions."""
    return [Drive(machine, kernel, v, inverse) for v in VARIANTS[card.cipher] for inverse in (False, True)]


def clean(call: Call) -> Call:
    assert call.violations == []
    return call


@cache
def expected(cipher: str, mode: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """What the library on this host says, which test_vectors.py holds against the standards."""
    return library.crypt(cipher, mode, key, iv, data)


@cache
def answers(drive_name: str, constant: str, inverse: bool, size: int, block: int) -> list[tuple[bytes, bytes, bytes]]:
    """Key, block in, block out: the standards' vectors, then random ones."""
    found = []
    for a in rsp.own() + rsp.more():
        if (a.cipher, a.mode) == (constant, "ecb"):
            given, wanted = (a.ct, a.pt) if inverse else (a.pt, a.ct)
            found += [(a.key, given[i : i + block], wanted[i : i + block]) for i in range(0, len(given), block)]
    assert found, f"no vector for {constant}"
    random = Random(drive_name)
    for _ in range(16):
        key, given = random.randbytes(size), random.randbytes(block)
        found.append((key, given, expected(constant + "_inv" * inverse, "ecb", key, b"", given)))
    return found


def answers_of(drive: Drive) -> list[tuple[bytes, bytes, bytes]]:
    v = drive.variant
    return answers(drive.name, v.constant, drive.inverse, v.key, v.block)


def run(drive: Drive, operation: str, key: bytes, block: bytes, **how) -> tuple[bytes, Call]:
    """One operation alone: the expansion before the others is not part of the call. Bulk takes the block three times,
    ctr as its counter."""
    if SLOT[operation] == "expand":
        return drive.expand(key, **how)
    rk, _ = drive.expand(key)
    if SLOT[operation] == "crypt":
        return drive.crypt(rk, block, **how)
    if SLOT[operation] == "bulk":
        return drive.bulk(rk, block * 3, **how)
    out, counter, call = drive.ctr_slot(rk, block, bytes(3 * len(block)), **how)
    return out + counter, call


def operations(machine: Machine, kernel: str, card: Card) -> list[tuple[str, Drive]]:
    """Those that the kernel has, for each key size."""
    return [
        (operation, drive)
        for drive in drives(machine, kernel, card)
        for operation in (("dks", "dec", "dec_bulk") if drive.inverse else ("eks", "enc", "enc_bulk", "ctr"))
        if getattr(drive.d, SLOT[operation])
    ]


# ---- Right results.


def test_vectors(here):
    for drive in drives(*here):
        for key, given, wanted in answers_of(drive):
            rk, call = drive.expand(key)
            clean(call)
            out, call = drive.crypt(rk, given)
            clean(call)
            assert out == wanted
            out, init, call = drive.ecb(key, given)
            clean(init), clean(call)
            assert out == wanted


@pytest.mark.parametrize("n", [0, 1, 2, 3, 17])
@pytest.mark.parametrize("apart", [False, True], ids=["in place", "apart"])
def test_n_blocks(here, n, apart):
    for drive in drives(*here):
        random = Random(n)
        key, iv = random.randbytes(drive.variant.key), bytes([255] * (drive.variant.block - 1) + [250])
        data = random.randbytes(n * drive.variant.block)
        direction = drive.variant.constant + "_inv" * drive.inverse
        wanted = expected(direction, "ecb", key, b"", data)
        out, init, call = drive.ecb(key, data, apart)
        clean(init), clean(call)
        assert out == wanted
        rk, _ = drive.expand(key)
        if drive.d.bulk:
            out, call = drive.bulk(rk, data, apart)
            clean(call)
            assert out == wanted
        if drive.inverse:
            continue
        wanted = expected(direction, "ctr", key, iv, data)
        out, init, call = drive.ctr(key, iv, data, apart)
        clean(init), clean(call)
        assert out == wanted
        if drive.d.ctr:
            out, counter, call = drive.ctr_slot(rk, iv, data, apart)
            clean(call)
            assert out == wanted
            size = len(iv)
            after = ((int.from_bytes(iv, "big") + n) % (1 << 8 * size)).to_bytes(size, "big")
            assert counter == after
            out, counter, call = drive.keystream(rk, iv, n)
            clean(call)
            assert (out, counter) == (expected(direction, "ctr", key, iv, bytes(n * size)), after)


@pytest.mark.parametrize("odd_key", [False, True], ids=["key even", "key odd"])
@pytest.mark.parametrize("odd_out", [False, True], ids=["out even", "out odd"])
@pytest.mark.parametrize("odd_in", [False, True], ids=["in even", "in odd"])
def test_alignment(here, odd_key, odd_out, odd_in):
    for drive in drives(*here):
        key, given, wanted = answers_of(drive)[0]
        given, wanted = given * 3, wanted * 3
        how = {"odd_out": odd_out, "odd_in": odd_in}
        for apart in (False, True):
            out, init, call = drive.ecb(key, given, apart, odd_key=odd_key, **how)
            clean(init), clean(call)
            assert out == wanted
        if drive.d.flags & ALIGN2:
            continue  # core sees to it, as above
        rk, call = drive.expand(key, odd=odd_out, odd_key=odd_key)
        clean(call)
        block = drive.variant.block
        out, call = drive.crypt(rk, given[:block], odd=odd_out, odd_rk=odd_in)
        clean(call)
        assert out == wanted[:block]
        if drive.d.bulk:
            out, call = drive.bulk(rk, given, True, **how)
            clean(call)
            assert out == wanted


def test_everywhere_in_a_page(here):
    """Carries of pointer arithmetic: every place that buffers can have in a page of 256 bytes."""
    for drive in drives(*here):
        assert every_place(drive)


def every_place(drive: Drive, **how) -> bool:
    """Whether one block comes out right, and the calling convention holds, wherever the buffers lie."""
    key, given, wanted = answers_of(drive)[0]
    try:
        for drive.shift in range(256):
            odd = drive.shift % 2 == 1 and not drive.d.flags & ALIGN2
            rk, call = drive.expand(key, odd, odd, **how)
            out, then = drive.crypt(rk, given, odd, odd, **how)
            if call.violations or then.violations or out != wanted:
                return False
        return True
    finally:
        drive.shift = 0


# ---- The calling convention, and what is read.


def stray_reads(drive: Drive, call: Call, routine: int) -> list[str]:
    """Loads outside the buffers, the routine's own tables and the stack; constants that are not its own."""
    image, ram = drive.machine.image, drive.machine.ram
    symbols = image.needs([routine]).symbols
    tables = [(s.address & 0xFFFF, (s.address & 0xFFFF) + s.size) for s in symbols if s.section in (".data", ".bss")]
    constants = [(s.address, s.address + s.size) for s in symbols if not s.function and s.section == ".text"]
    stack = (ram.stop - call.stack - call.return_bytes, ram.stop)
    allowed = {"load": [*drive.layout.readable, *tables, stack], "constant": constants}
    return [
        f"{a.kind} from {a.address:#06x}"
        for a in call.accesses
        if a.kind in allowed and not any(first <= a.address < last for first, last in allowed[a.kind])
    ]


def test_calling_convention(here):
    """Whatever the registers held before; and nothing is read that is not the kernel's."""
    for operation, drive in operations(*here):
        key, given, wanted = answers_of(drive)[0]
        for seed in range(20):
            out, call = run(drive, operation, key, given, seed=seed)
            clean(call)
            assert SLOT[operation] != "crypt" or out == wanted
        _, call = run(drive, operation, key, given, trace=True)
        assert call.accesses and stray_reads(drive, call, getattr(drive.d, SLOT[operation])) == []


def test_stack(here):
    machine, kernel, card = here
    claimed = card.kernels[kernel].stack
    measured = {}
    for operation, drive in operations(machine, kernel, card):
        if operation not in SINGLE:
            continue
        key, given, _ = answers_of(drive)[0]
        measured.setdefault(operation, set()).add(clean(run(drive, operation, key, given)[1]).stack)
    deepest = {operation: max(depths) for operation, depths in measured.items()}
    assert {"dks": claimed.get("eks")} | claimed == deepest


# ---- Time.


def traces(drive: Drive, operation: str, count: int = INPUTS) -> tuple[set, set, set]:
    """Hashes of program counters, hashes of addresses, and cycles, over random keys and blocks."""
    random, pcs, addresses, cycles = Random(operation), set(), set(), set()
    for seed in range(count):
        key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block)
        call = clean(run(drive, operation, key, block, seed=seed)[1])
        pcs.add(call.pc_hash)
        addresses.add(call.access_hash)
        cycles.add(call.cycles)
    return pcs, addresses, cycles


def test_constant_time(here):
    machine, kernel, card = here
    claim = card.kernels[kernel].constant_time
    if claim == "no":
        pytest.skip("the card claims nothing")
    varied = False
    for operation, drive in operations(machine, kernel, card):
        pcs, addresses, cycles = traces(drive, operation)
        assert len(pcs) == len(cycles) == 1, f"{operation} takes several ways"
        varied |= len(addresses) > 1
    assert varied == (claim == "cycles"), "the card claims less than it might" if not varied else "addresses vary"


# ---- Interrupts.


def bothered(drive: Drive, operation: str, key: bytes, block: bytes, interrupt: int) -> Call:
    """A call with interrupts, that must give and take what it does without."""
    wanted, quiet = run(drive, operation, key, block)
    out, call = run(drive, operation, key, block, interrupt=interrupt)
    clean(call)
    assert out == wanted and call.cycles == quiet.cycles
    return call


def test_interrupt_everywhere_at_once(here):
    for operation, drive in operations(*here):
        key, block, _ = answers_of(drive)[0]
        assert bothered(drive, operation, key, block, EVERY).interrupts > 0


@pytest.mark.parametrize("kernel", CARDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_interrupt_at_every_boundary(kernel, operation):
    """One at a time; where a kernel has switched interrupts off, none comes."""
    with machine_for(kernel, TARGET.chip) as machine:
        for drive in [d for o, d in operations(machine, kernel, CARDS[kernel]) if o == operation]:
            key, block, _ = answers_of(drive)[0]
            wanted, quiet = run(drive, operation, key, block)
            came = 0
            for boundary in range(quiet.instructions):
                out, call = run(drive, operation, key, block, interrupt=boundary)
                clean(call)
                assert out == wanted and call.cycles == quiet.cycles, f"before instruction {boundary}"
                came += call.interrupts
            assert came > 0.9 * quiet.instructions


# ---- What stays behind.


def residue(drive: Drive, operation: str) -> set[int]:
    """How far below the stack pointer there are bytes, after the call, that depend on key or block."""
    random, found = Random(operation), set()
    key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block)
    _, first = run(drive, operation, key, block)
    size = first.stack + first.return_bytes
    bottom = drive.machine.ram.stop - size
    left = drive.machine.read(bottom, size)
    for _ in range(PAIRS):
        key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block)
        run(drive, operation, key, block)
        now = drive.machine.read(bottom, size)
        found |= {size - i for i in range(size) if left[i] != now[i]}
    return found


def test_residue(here):
    machine, kernel, card = here
    left = {
        f"{drive.name} {operation}": sorted(depths)
        for operation, drive in operations(machine, kernel, card)
        if (depths := residue(drive, operation))
    }
    assert card.kernels[kernel].wipes == (not left), f"bytes below the stack pointer that depend on secrets: {left}"


# ---- Mutation.


def survivors(machine: Machine, symbol, notices: Callable[[], bool]) -> list[int]:
    """Offsets of the instructions of a function that may be NOPs without `notices` noticing."""
    assert not notices(), "fails unchanged"
    found = []
    for address, size in machine.instructions(symbol.address, symbol.size):
        machine.patch(address, machine.nop(size))
        if not notices():
            found.append(address - symbol.address)
        machine.reset()
    return found


def noticed(drive: Drive, slots: set[str], limit: int) -> bool:
    """Whether a kernel that was changed in the code behind these slots gives a wrong answer, breaks the calling
    convention or does not come back within limit instructions a call."""
    try:
        return any(wrong(drive, slots, limit, *numbered) for numbered in enumerate(answers_of(drive))) or (
            not every_place(drive, limit=limit)
        )
    except Fault:
        return True
    finally:
        drive.shift = 0


def wrong(drive: Drive, slots: set[str], limit: int, number: int, answer: tuple[bytes, bytes, bytes]) -> bool:
    key, given, wanted = answer
    rk, call = drive.expand(key, limit=limit, seed=number)
    out, then = drive.crypt(rk, given, limit=limit, seed=number)
    if call.violations or then.violations or out != wanted:
        return True
    drive.shift = 16 * number
    if "bulk" in slots:
        for n in (0, 1, 3):
            out, call = drive.bulk(rk, given * n, apart=number % 2 == 1, limit=limit, seed=number)
            if call.violations or out != wanted * n:
                return True
    if "ctr" in slots:
        size, ones = len(given), number % (len(given) + 1)
        iv = given[: size - ones] + b"\xff" * ones
        for n in (0, 1, 3):
            out, counter, call = drive.ctr_slot(rk, iv, given * n, apart=number % 2 == 1, limit=limit, seed=number)
            after = ((int.from_bytes(iv, "big") + n) % (1 << 8 * size)).to_bytes(size, "big")
            stream = expected(drive.variant.constant, "ctr", key, iv, given * n)
            if call.violations or out != stream or counter != after:
                return True
    drive.shift = 0
    return False


def routines(machine: Machine, kernel: str, card: Card) -> dict:
    """Every function of the kernel, with the drives and the slots that reach it."""
    found = {}
    for drive in drives(machine, kernel, card):
        for slot in dict.fromkeys(SLOT.values()):
            if address := getattr(drive.d, slot):
                for symbol in machine.image.needs([address]).symbols:
                    if symbol.function:
                        found.setdefault(symbol, {}).setdefault(drive, set()).add(slot)
    return found


def longest(drive: Drive) -> int:
    """Instructions of the longest call that `wrong` makes, about."""
    key, given, _ = answers_of(drive)[0]
    rk, call = drive.expand(key)
    return max(call.instructions, 4 * drive.crypt(rk, given)[1].instructions)


def mutated(kernel: str, card: Card) -> list[str]:
    """The survivors of a kernel as cards have them: enc+0x12."""
    found = []
    with machine_for(kernel, TARGET.chip) as machine:
        for symbol, reached in routines(machine, kernel, card).items():
            label = symbol.name.removeprefix(f"haechi_{kernel}_")
            limits = {drive: 4 * longest(drive) for drive in reached}
            notices = lambda: any(noticed(d, slots, limits[d]) for d, slots in reached.items())  # noqa: B023, E731
            found += [f"{label}+{offset:#x}" for offset in survivors(machine, symbol, notices)]
    return found


@pytest.mark.parametrize("kernel", CARDS)
def test_mutation(kernel):
    """Each instruction is needed, or the card says why it is there all the same."""
    assert sorted(mutated(kernel, CARDS[kernel])) == sorted(s.at for s in CARDS[kernel].kernels[kernel].survivors)


# ---- Figures.


@pytest.mark.parametrize("kernel", EVERYWHERE)
def test_results_are_what_is_measured(kernel):
    card = EVERYWHERE[kernel]
    with machine_for(kernel, TARGET.chip) as machine:
        fresh = [r for v in VARIANTS[card.cipher] for r in measure_kernel(TARGET, machine, card, kernel, v)]
    assert [r for r in read_csv(ROOT / "results/avr.csv") if r.kernel == kernel] == fresh


def test_results_have_no_other_kernels():
    assert {r.kernel for r in read_csv(ROOT / "results/avr.csv")} == set(EVERYWHERE)


# ---- The tests of the tests: functions of planted_avr.S in the place of a kernel's crypt.

HOST = "hight_c"  # any kernel: its machine, its buffers


@pytest.fixture(scope="module")
def plant():
    with machine_for(HOST, TARGET.chip, [ROOT / "test/planted_avr.S"]) as machine:

        def drive(name: str) -> Drive:
            drive = Drive(machine, HOST, VARIANTS["HIGHT"][0], False)
            drive.d = replace(drive.d, crypt=machine.image.address(f"planted_{name}"))
            return drive

        yield drive


def planted_call(drive: Drive, **how) -> Call:
    return drive.crypt(bytes(drive.d.rk), bytes(range(8)), limit=10_000, **how)[1]


def test_call_and_return_count(plant):
    """The data sheet: CALL and RET take 4 cycles each."""
    call = planted_call(plant("nothing"))
    assert (call.cycles, call.instructions, call.stack, call.return_bytes) == (8, 1, 0, 2)
    assert call.violations == []


def test_call_and_return_count_with_22_bits():
    """5 each, and a return address of three bytes."""
    with machine_for(HOST, "atmega2560", [ROOT / "test/planted_avr.S"]) as machine:
        drive = Drive(machine, HOST, VARIANTS["HIGHT"][0], False)
        drive.d = replace(drive.d, crypt=machine.image.address("planted_nothing"))
        call = planted_call(drive)
    assert (call.cycles, call.stack, call.return_bytes) == (10, 0, 3)


@pytest.mark.parametrize(
    "name, said",
    [
        ("r10", "r10 is not as it was"),
        ("y", "r28 is not as it was"),
        ("r1", "r1 is not zero"),
        ("before", "outside its buffers"),
        ("behind", "outside its buffers"),
        ("key", "outside its buffers"),
        ("unbalanced", "stack pointer is off by -1"),
        ("cli", "interrupts are off"),
    ],
)
def test_violation_is_noticed(plant, name, said):
    assert any(said in violation for violation in planted_call(plant(name)).violations)


@pytest.mark.parametrize(
    "name, kind",
    [("device", "device"), ("wild", "data outside RAM"), ("illegal", "opcode"), ("hang", "limit")],
)
def test_fault_is_noticed(plant, name, kind):
    with pytest.raises(Fault) as fault:
        planted_call(plant(name))
    assert fault.value.kind == kind


@pytest.mark.parametrize("name", ["peek", "peek_flash"])
def test_stray_read_is_noticed(plant, name):
    drive = plant(name)
    call = planted_call(drive, trace=True)
    assert call.violations == [] and stray_reads(drive, call, drive.d.crypt)


def test_branch_on_secrets_is_noticed(plant):
    pcs, _, _ = traces(plant("branch"), "enc")
    assert len(pcs) == 2


def test_lookup_by_secrets_is_noticed(plant):
    pcs, addresses, cycles = traces(plant("lookup"), "enc")
    assert len(pcs) == len(cycles) == 1 and len(addresses) == 8


def test_red_zone_is_noticed(plant):
    drive = plant("red_zone")
    for interrupt in (5, EVERY):
        with pytest.raises(AssertionError):
            bothered(drive, "enc", bytes(16), bytes(8), interrupt)
    assert bothered(drive, "enc", bytes(16), bytes(8), 0).interrupts == 1


def test_no_interrupt_while_they_are_off(plant):
    assert INTERRUPTS_ON and planted_call(plant("cli"), interrupt=1).interrupts == 0


def test_residue_is_noticed(plant):
    assert residue(plant("residue"), "enc") == {3}  # below the return address of two bytes
    assert residue(plant("branch"), "enc") == set()


def test_needless_instruction_is_noticed(plant):
    drive = plant("flip")

    def notices() -> bool:
        try:
            out, call = drive.crypt(bytes(drive.d.rk), bytes(8), limit=100)
        except Fault:
            return True
        return bool(call.violations) or out != b"\1" + bytes(7)

    machine = drive.machine
    assert survivors(machine, machine.image.symbols["planted_flip"], notices) == [4]
