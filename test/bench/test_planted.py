# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the kernel tests. Functions of planted_<target>.S, which do what no kernel may do, take the place of a
kernel's crypt, and the tests must notice them."""

from contextlib import contextmanager
from dataclasses import replace

import pytest
from kernels import TARGETS, bothered, machine_for, residue, stray_reads, survivors, traces

from bench.declared.model import ROOT, VARIANTS
from bench.simulated.drive import Drive
from bench.simulated.simulator import EVERY, Call, Fault

HOST = "hight_c"  # any kernel, for its machine and its buffers


@contextmanager
def planted(target: str, chip: str = ""):
    """A function that returns a Drive whose crypt is planted_<name>."""
    with machine_for(TARGETS[target], HOST, chip, [ROOT / f"test/bench/planted_{target}.S"]) as machine:

        def drive(name: str) -> Drive:
            drive = Drive(machine, HOST, VARIANTS["HIGHT"][0], False)
            drive.d = replace(drive.d, crypt=machine.image.address(f"planted_{name}"))
            return drive

        yield drive


@pytest.fixture(scope="module", params=TARGETS)
def plant(request):
    with planted(request.param) as drive:
        drive.target = request.param
        yield drive


def planted_call(drive: Drive, **how) -> Call:
    return drive.crypt(bytes(drive.d.rk), bytes(range(8)), limit=10_000, **how)[1]


# CALL and RET: the data sheet of AVR has 4 cycles each, 5 with a program counter of 22 bits; MSP430 takes 5 and 3.
@pytest.mark.parametrize(
    "target, chip, cycles, return_bytes",
    [("avr", "atmega128", 8, 2), ("avr", "atmega2560", 10, 3), ("msp430", "msp430f1611", 8, 2)],
)
def test_call_and_return_count(target, chip, cycles, return_bytes):
    with planted(target, chip) as plant:
        call = planted_call(plant("nothing"))
    assert (call.cycles, call.instructions, call.stack, call.return_bytes) == (cycles, 1, 0, return_bytes)
    assert call.violations == []


VIOLATIONS = {
    "all": [("before", "outside its buffers"), ("behind", "outside its buffers"), ("key", "outside its buffers")],
    "avr": [
        ("r10", "r10 is not as it was"),
        ("y", "r28 is not as it was"),
        ("r1", "r1 is not zero"),
        ("unbalanced", "stack pointer is off by -1"),
        ("cli", "interrupts are off"),
    ],
    "msp430": [
        ("r10", "r10 is not as it was"),
        ("unbalanced", "stack pointer is off by -2"),
        ("dint", "interrupts are off"),
    ],
    "armv6m": (CORTEX_M := [
        ("r10", "r10 is not as it was"),
        ("unbalanced", "stack pointer is off by -4"),
        ("cpsid", "interrupts are off"),
    ]),
    "armv7m": CORTEX_M,
    "rv32": [("r10", "s10 is not as it was"), ("unbalanced", "stack pointer is off by -16")],
}
FAULTS = {
    "all": [("wild", "data outside RAM"), ("illegal", "opcode"), ("hang", "limit")],
    "avr": [("device", "device")],
    "msp430": [("device", "device"), ("odd", "access not aligned"), ("sleep", "asleep")],
    "armv6m": (ADDRESSES := [("odd", "unaligned"), ("write_flash", "write to flash")]),
    "armv7m": ADDRESSES,
    "rv32": [
        ("odd", "access not aligned"),
        ("write_flash", "data outside RAM"),
        ("word", "the stack pointer is no multiple of 16"),
    ],
}


def cases(table: dict) -> list:
    """Target, name and message: of those for all targets and of each target's own."""
    return [(target, *case) for target in TARGETS for case in [*table["all"], *table.get(target, [])]]


@pytest.mark.parametrize("target, name, said", cases(VIOLATIONS))
def test_violation_is_noticed(target, name, said):
    with planted(target) as plant:
        assert any(said in violation for violation in planted_call(plant(name)).violations)


@pytest.mark.parametrize("target, name, kind", cases(FAULTS))
def test_fault_is_noticed(target, name, kind):
    with planted(target) as plant, pytest.raises(Fault) as fault:
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
    stored = next(i for i in range(8) if _spoilt(drive, i))  # the boundary after the store
    for interrupt in (stored, EVERY):
        with pytest.raises(AssertionError):
            bothered(drive, "enc", bytes(16), bytes(8), interrupt)
    assert bothered(drive, "enc", bytes(16), bytes(8), 0).interrupts == 1


def _spoilt(drive: Drive, boundary: int) -> bool:
    block = bytes(range(1, 9))
    return drive.crypt(bytes(drive.d.rk), block, interrupt=boundary)[0] != block


# The first boundary at which none may come: DINT takes effect one instruction late.
@pytest.mark.parametrize("target, name, boundary", [("avr", "cli", 1), ("msp430", "dint", 2), ("armv6m", "cpsid", 1), ("armv7m", "cpsid", 1)])
def test_no_interrupt_while_they_are_off(target, name, boundary):
    with planted(target) as plant:
        assert planted_call(plant(name), interrupt=boundary - 1).interrupts == 1
        assert planted_call(plant(name), interrupt=boundary).interrupts == 0


def test_residue_is_noticed(plant):
    drive = plant("residue")
    found = residue(drive, "enc")
    assert min(found) == drive.simulator.return_bytes + 1
    assert residue(plant("branch"), "enc") == set()


def test_needless_instruction_is_noticed(plant):
    drive = plant("flip")

    def notices() -> bool:
        try:
            out, call = drive.crypt(bytes(drive.d.rk), bytes(8), limit=100)
        except Fault:
            return True
        return bool(call.violations) or out != b"\1" + bytes(7)

    machine = drive.simulator
    flip = machine.image.symbols["planted_flip"]
    needless = machine.image.address("planted_needless")
    assert survivors(machine, flip, notices) == [needless - flip.address]
