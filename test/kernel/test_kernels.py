# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every assembly kernel, in its target's simulator, against what its card claims."""

from random import Random

from marks import LATER
import pytest
from kernels import (
    ALIGNED,
    INPUTS,
    OPERATIONS,
    SINGLE,
    SLOT,
    TARGETS,
    after,
    answers_of,
    bothered,
    clean,
    compiled_as_measured,
    drives,
    every_place,
    everywhere,
    expected,
    machine_for,
    mutated,
    operations,
    residue,
    run,
    stray_reads,
    traces,
    written_for,
)

from bench.made import build
from bench.measured import kernels as measured
from bench.measured.measurement import RESULTS, differences, read_rows
from bench.reported.compare import Proof
from bench.simulated.simulator import EVERY
from bench.simulated.simulators import MEASURING

SAMPLE = 24  # published vectors, and inputs for equal traces
BOUNDARIES = {"sample": 12, "all": 2500}  # interrupts tried one at a time in a call; in longer calls spread evenly
SMALL = ["hight_avr_small", "hight_msp430_small", "hight_armv6m", "hight_armv7m_small"]  # make test mutates these
PROVED = {proof.kernel for proof in read_rows(RESULTS / "proofs.csv", Proof) if proof.target not in ("neon", "x86")}  # those in part
KERNELS = [(target, kernel, card) for target in TARGETS.values() for kernel, card in written_for(target).items()]
COMPILED_TOO = [(target, kernel, card) for target in TARGETS.values() for kernel, card in everywhere(target).items()]


# What make test-quick takes, on each target's first chip: one kernel of each cipher.
QUICK = [
    "hight_avr_flash", "lea_avr_small", "aria_avr_small", "hight_msp430_small", "lea_msp430_compact", "aria_msp430",
    "hight_armv6m", "lea_armv6m", "aria_armv6m", "hight_armv7m_small", "lea_armv7m", "aria_armv7m_ram", "hight_rv32", "lea_rv32", "aria_rv32",
]  # fmt: skip


def marks(kernel: str, first_chip: bool = True) -> list:
    return [] if kernel in QUICK and first_chip else [pytest.mark.full]


def named(cases):
    """Parameters that are called after the kernel, and after the chip or target where that tells more."""
    return [pytest.param(*case, id=case[1], marks=marks(case[1])) for case in cases]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((target, kernel, card, chip), id=f"{kernel}-{chip}", marks=marks(kernel, chip == target.chip))
        for target, kernel, card in KERNELS
        for chip in (target.chip, *target.test_chips)
    ],
)
def here(request):
    """A machine with a kernel in it: machine, kernel, card."""
    target, kernel, card, chip = request.param
    with machine_for(target, kernel, chip) as machine:
        yield machine, kernel, card


@pytest.fixture(params=["sample", pytest.param("all", marks=pytest.mark.slow)])
def inputs(request) -> str:
    """How many inputs a test takes. `make test` takes a sample, because for nearly every kernel a proof covers all
    inputs. `make test-all` takes all that are published or drawn."""
    return request.param


@pytest.fixture
def first_chip(request) -> bool:
    target, _, _, chip = request.node.callspec.params["here"]
    return chip == target.chip


@pytest.fixture
def everything(here, inputs, first_chip) -> bool:
    """Whether to take all inputs. For a kernel without a proof `make test` does so too, on the target's first chip."""
    return inputs == "all" or (here[1] not in PROVED and first_chip)


# ---- Right results.


@pytest.mark.guards(
    "result",
    sample="a sample of the published answers, because the proof covers all inputs; all of them of kernels without a proof",
)
def test_vectors(here, everything):
    for drive in drives(*here):
        answers = answers_of(drive)
        if not everything:
            answers = [answers[0], *answers[1 :: 1 + len(answers) // SAMPLE]]
        for key, given, wanted in answers:
            rk, call = drive.expand(key)
            clean(call)
            out, call = drive.crypt(rk, given)
            clean(call)
            assert out == wanted
            out, init, call = drive.ecb(key, given)
            clean(init), clean(call)
            assert out == wanted


@pytest.mark.guards("flash_keys", sample="some published answers, because the proof covers all inputs")
@pytest.mark.parametrize("target, kernel, card", named(KERNELS))
def test_round_keys_in_flash(target, kernel, card, inputs):
    """The kernel has the functions that its card names, and they encrypt wherever in a page the round keys begin."""
    objects = [path for path in build.objects(target, target.chip, card, kernel) if path.name.startswith(f"{kernel}-")]
    defined = {name for path in objects for name in build.names(path)}
    assert {name for name in defined if name.endswith("_enc_flash")} == set(card.from_flash(kernel))
    if not card.from_flash(kernel):
        return
    with machine_for(target, kernel) as machine:
        for drive in [d for d in drives(machine, kernel, card) if not d.inverse]:
            answers = answers_of(drive)
            for drive.shift, (key, given, wanted) in enumerate(answers if inputs == "all" else answers[::SAMPLE]):
                rk, _ = drive.expand(key)
                out, call = drive.crypt_from_flash(rk, given)
                clean(call)
                assert out == wanted


@pytest.mark.guards("result", "slots")
@pytest.mark.parametrize("n", [0, 1, 2, 3, 41])
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
            assert counter == after(iv, n)
            out, counter, call = drive.keystream(rk, iv, n)
            clean(call)
            assert (out, counter) == (expected(direction, "ctr", key, iv, bytes(n * len(iv))), after(iv, n))


@pytest.mark.guards("result", sample="the first chip of each target")
@pytest.mark.parametrize("odd_key", [False, True], ids=["key even", "key odd"])
@pytest.mark.parametrize("odd_out", [False, True], ids=["out even", "out odd"])
@pytest.mark.parametrize("odd_in", [False, True], ids=["in even", "in odd"])
def test_alignment(here, odd_key, odd_out, odd_in, inputs, first_chip):
    if inputs == "sample" and not first_chip:
        pytest.skip("the first chip is enough here")
    for drive in drives(*here):
        key, given, wanted = answers_of(drive)[0]
        given, wanted = given * 3, wanted * 3
        how = {"odd_out": odd_out, "odd_in": odd_in}
        for apart in (False, True):
            out, init, call = drive.ecb(key, given, apart, odd_key=odd_key, **how)
            clean(init), clean(call)
            assert out == wanted
        if drive.d.flags & ALIGNED:
            continue  # core takes care of that, as above
        free = drive.simulator.alignment == 1  # then round keys may be anywhere too
        rk, call = drive.expand(key, odd=free and odd_out, odd_key=odd_key)
        clean(call)
        block = drive.variant.block
        out, call = drive.crypt(rk, given[:block], odd=odd_out, odd_rk=free and odd_in)
        clean(call)
        assert out == wanted[:block]
        if drive.d.bulk:
            out, call = drive.bulk(rk, given, True, **how)
            clean(call)
            assert out == wanted


@pytest.mark.guards("result", sample="the first chip of each target")
def test_everywhere_in_a_page(here, inputs, first_chip):
    """Carries of pointer arithmetic: buffers at every place in a page. The further chips of a target execute the same
    instructions, so that `make test` leaves them out."""
    if inputs == "sample" and not first_chip:
        pytest.skip("the first chip is enough here")
    for drive in drives(*here):
        assert every_place(drive)


# ---- The calling convention, and what is read.


@pytest.mark.guards("convention")
def test_calling_convention(here):
    """The convention holds whatever the registers contained before, and the kernel reads nothing but its own memory."""
    for operation, drive in operations(*here):
        key, given, wanted = answers_of(drive)[0]
        for seed in range(20):
            out, call = run(drive, operation, key, given, seed=seed)
            clean(call)
            assert SLOT[operation] not in ("crypt", "flash") or out == wanted
        _, call = run(drive, operation, key, given, trace=True)
        assert call.accesses and stray_reads(drive, call, drive.function(SLOT[operation])) == []


@pytest.mark.guards("stack")
def test_stack(here, request):
    machine, kernel, card = here
    claimed = card.kernels[kernel].stack
    measured = {}
    for operation, drive in operations(machine, kernel, card):
        if operation not in SINGLE:
            continue
        key, given, _ = answers_of(drive)[0]
        measured.setdefault(operation, set()).add(clean(run(drive, operation, key, given)[1]).stack)
    deepest = {operation: max(depths) for operation, depths in measured.items()}
    if card.source(kernel).suffix == ".c" and not compiled_as_measured(request.node.callspec.params["here"][0]):
        pytest.skip("the card has the stack that another compiler's code takes")
    assert {"dks": claimed.get("eks")} | claimed == deepest


# ---- Time.


@pytest.mark.guards("constant_time", "counter", sample="24 inputs of a proved kernel, 200 of others")
def test_constant_time(here, everything):
    """The time may reveal where the last byte of a counter wraps, but only if the card says so: whether it wraps within
    the three blocks of one call."""
    machine, kernel, card = here
    claim, counter = card.kernels[kernel].constant_time, card.kernels[kernel].counter
    if claim == "no":
        pytest.skip("the card claims nothing")
    count, varied = INPUTS if everything else SAMPLE, False
    for operation, drive in operations(machine, kernel, card):
        told = operation == "ctr" and counter == "last byte"
        ways = set()
        for last in (b"\x00", b"\xfe", b"\xff") if told else (b"",):
            pcs, addresses, cycles = traces(drive, operation, count, last)
            assert len(pcs) == len(cycles) == 1, f"{operation} takes several ways"
            varied |= len(addresses) > 1
            ways |= pcs
        assert len(ways) > 1 or not told, "the card claims less than it might"
    assert varied == (claim == "cycles"), "the card claims less than it might" if not varied else "addresses vary"


# ---- Interrupts.


@pytest.mark.guards("interrupts")
def test_interrupt_everywhere_at_once(here):
    for operation, drive in operations(*here):
        key, block, _ = answers_of(drive)[0]
        assert bothered(drive, operation, key, block, EVERY).interrupts > 0


@pytest.mark.guards("interrupts", sample="about 12 boundaries of each operation")
@pytest.mark.parametrize("target, kernel, card", named(KERNELS))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_interrupt_at_every_boundary(target, kernel, card, operation, inputs):
    """One interrupt at a time; none comes where a kernel has disabled interrupts. `make test` takes a sample of the
    boundaries, because the test above interrupts at all of them in one call."""
    with machine_for(target, kernel) as machine:
        for drive in [d for o, d in operations(machine, kernel, card) if o == operation]:
            key, block, _ = answers_of(drive)[0]
            wanted, quiet = run(drive, operation, key, block)
            came = 0
            boundaries = range(0, quiet.instructions, 1 + quiet.instructions // BOUNDARIES[inputs])
            for boundary in boundaries:
                out, call = run(drive, operation, key, block, interrupt=boundary)
                clean(call)
                assert out == wanted and call.cycles == quiet.cycles, f"before instruction {boundary}"
                came += call.interrupts
            assert came > 0.75 * len(boundaries)


# ---- What stays behind.


@pytest.mark.guards("wipes")
def test_residue(here):
    machine, kernel, card = here
    left = {
        f"{drive.name} {operation}": sorted(depths)
        for operation, drive in operations(machine, kernel, card)
        if (depths := residue(drive, operation))
    }
    assert card.kernels[kernel].wipes == (not left), f"bytes below the stack pointer that depend on secrets: {left}"


# ---- Mutation.


@pytest.mark.guards("survivors", sample="a small kernel of each machine")
@pytest.mark.parametrize(
    "target, kernel, card",
    [
        pytest.param(*case, id=case[1], marks=pytest.mark.full if case[1] in SMALL else pytest.mark.slow)
        for case in KERNELS
        if case[2].source(case[1]).suffix == ".S"
    ],
)
def test_mutation(target, kernel, card):
    """Each instruction is needed, or the card says why it is there nevertheless."""
    assert sorted(mutated(target, kernel, card)) == sorted(s.at for s in card.kernels[kernel].survivors)


# ---- Figures.

LONGEST = [("aria_c", "armv7m"), ("aria_c", "rv32")]  # take as long as a dozen of the others


@pytest.mark.guards("figures", sample="all but one compiled kernel")
@pytest.mark.parametrize(
    "target, kernel, card",
    [
        pytest.param(*case, id=f"{case[1]}-{case[0].name}", marks=LATER if (case[1], case[0].name) in LONGEST else marks(case[1]))
        for case in COMPILED_TOO
    ],
)
def test_results_are_what_is_measured(target, kernel, card):
    """Compiled kernels are compared only with rows that name the same compiler. Where `make report` counts on RTL, which
    is slow to build, the fast simulator counts here; the report refuses cycles that this one does not predict."""
    fresh = measured.rows(target, (card, kernel), measuring=target.machine not in MEASURING)
    assert not differences([r for r in measured.KERNELS.read(target.name) if r.kernel == kernel], fresh)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_results_have_no_other_kernels(target):
    assert {r.kernel for r in measured.KERNELS.read(target.name)} == set(everywhere(target))
