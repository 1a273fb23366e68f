# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles of the Cortex-M3, after its Technical Reference Manual (Arm DDI 0337I): a model, not a simulator.

The model gets runs. A run is a sequence of instructions that follow one another in memory, from the target of one
branch to the next taken branch. The state of the pipeline does not outlive a taken branch, so that the cycles of a run
depend on the run alone and are computed once.

The rules, by section of the manual:
3.3.1   the table of instructions: the cycles that each takes by itself. For multiplications and divisions that may end
        early, depending on their operands, the model takes the most. IT is folded into a 16-bit instruction before it.
3.3.1   P, the refill of the pipeline after a branch: 1 to 3 cycles, "depending on the alignment and width of the
        target instruction, and whether the processor manages to speculate the address early". In the model it follows
        from the fetch: a branch to an immediate target asks for it while it is decoded, a branch to a register when it
        is executed, and a branch to a loaded target after that. LDR PC then takes the five cycles of 3.3.2, TBB six.
fetch   aligned words go into a buffer of three words whenever one fits, whatever instructions they hold. A word that is
        fetched in one cycle can be decoded in the next and executed in the one after (Arm's knowledge article
        ka8521). A 32-bit instruction that straddles words needs both words.
3.3.2   loads and stores in pairs, as the functions below quote it.

The manual leaves some cases open. The model decides them so that it agrees with figures from hardware: After a store
with an immediate offset, a load or a multiple access waits one cycle for the bus. Such a store right after a load of
another register takes no cycle of its own. Only the first of a chain of loads may write its base back, and only the
first may be a 32-bit instruction that straddles words. A load of a literal never collides with a fetch (3.3.2: it
"might add a cycle").

docs/measuring.md says how far the model is from hardware.
"""

from dataclasses import dataclass
from functools import lru_cache

import capstone
from capstone import arm

from bench.declared.model import BenchError

PREFETCH = 3  # words
FETCH = 2  # cycles from a word's address to its decoding
PC = 15
_DISASSEMBLER = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
_DISASSEMBLER.detail = True
_NUMBER = {arm.ARM_REG_R0 + i: i for i in range(13)} | {arm.ARM_REG_SP: 13, arm.ARM_REG_LR: 14, arm.ARM_REG_PC: PC}

LOAD, STORE, MULTIPLE, COMPUTE, BRANCH, IT = "load", "store", "multiple", "compute", "branch", "it"
_COMPUTE = {"mla": 2, "mls": 2, "umull": 5, "smull": 5, "umlal": 7, "smlal": 7, "udiv": 12, "sdiv": 12}  # 3.3.1
# When a branch asks for its target, counted from the end of the branch's own cycles: while it is decoded, when it is
# executed, or when the target has been loaded.
IMMEDIATE, REGISTER, LOADED = -2, -1, 0


@dataclass(frozen=True)
class Instruction:
    """What the timing of an instruction depends on."""

    address: int
    size: int
    kind: str  # load and store: single ones; multiple: LDM, STM, LDRD, STRD, PUSH, POP
    cycles: int  # by itself, without refill
    base: frozenset[int] = frozenset()  # registers from which an address is computed
    written: frozenset[int] = frozenset()
    data: frozenset[int] = frozenset()  # what a store stores
    indexed: bool = False  # the offset is a register
    writes_back: bool = False
    literal: bool = False  # load relative to the program counter
    conditional: bool = False  # in an IT block
    always: bool = False  # it branches whatever the flags are
    asked: int = IMMEDIATE  # when it asks for the target, if it branches
    block: int = 0  # of IT: how many instructions follow in it
    text: str = ""

    @property
    def end(self) -> int:
        return self.address + self.size


@lru_cache(maxsize=1 << 15)
def decode(code: bytes, address: int, conditional: bool = False) -> Instruction:
    """The instruction with which the code begins. Raises BenchError if there is none."""
    i = next(_DISASSEMBLER.disasm(code[:4], address, 1), None)
    if i is None:
        raise BenchError(f"no instruction at {address:#x}: {code[:4].hex()}")
    name = i.mnemonic.partition(".")[0]
    registers = [_NUMBER[o.reg] for o in i.operands if o.type == arm.ARM_OP_REG and o.reg in _NUMBER]
    written = frozenset(_NUMBER[r] for r in i.regs_access()[1] if r in _NUMBER)
    memory = next((o.mem for o in i.operands if o.type == arm.ARM_OP_MEM), None)
    what = {"address": address, "size": i.size, "conditional": conditional, "written": written,
            "text": f"{i.mnemonic} {i.op_str}".strip()}  # fmt: skip
    jumps = PC in written
    if memory is not None and name[:3] in ("ldr", "str"):
        index = frozenset({_NUMBER[memory.index]}) if memory.index in _NUMBER else frozenset()
        base = frozenset({_NUMBER[memory.base]})
        what |= {"base": base | index, "indexed": bool(index), "writes_back": bool(i.writeback)}
        what |= {"always": jumps, "asked": LOADED}
        if i.id in (arm.ARM_INS_LDRD, arm.ARM_INS_STRD):
            return Instruction(kind=MULTIPLE, cycles=3, **what)
        if name.startswith("ldr"):
            return Instruction(kind=LOAD, cycles=2, literal=PC in base, **what)
        return Instruction(kind=STORE, cycles=2 if index else 1, data=frozenset(registers[:1]), **what)
    if name in ("push", "pop"):
        return Instruction(kind=MULTIPLE, cycles=1 + len(registers), base=frozenset({13}), always=jumps, asked=LOADED, **what)
    if name[:3] in ("ldm", "stm"):
        base = frozenset(registers[:1])
        return Instruction(kind=MULTIPLE, cycles=len(registers), base=base, always=jumps, asked=LOADED, **what)
    if i.id == arm.ARM_INS_IT:
        return Instruction(kind=IT, cycles=1, block=len(i.mnemonic) - 1, **what)
    if i.id in (arm.ARM_INS_TBB, arm.ARM_INS_TBH):
        return Instruction(kind=BRANCH, cycles=3, always=True, asked=LOADED, **what)
    if i.id in (arm.ARM_INS_CBZ, arm.ARM_INS_CBNZ):
        return Instruction(kind=BRANCH, cycles=1, **what)
    if i.id in (arm.ARM_INS_B, arm.ARM_INS_BL):
        always = conditional or i.cc in (arm.ARM_CC_AL, arm.ARM_CC_INVALID)
        return Instruction(kind=BRANCH, cycles=1, always=always, **what)
    if i.id in (arm.ARM_INS_BX, arm.ARM_INS_BLX) or jumps:
        return Instruction(kind=BRANCH, cycles=1, always=True, asked=REGISTER, **what)
    return Instruction(kind=COMPUTE, cycles=_COMPUTE.get(name, 1), **what)


@dataclass(frozen=True)
class Step:
    """An executed instruction. skipped: it is in an IT block and its condition failed. extra: the cycles that an
    unaligned access adds."""

    instruction: Instruction
    skipped: bool = False
    extra: int = 0


def unaligned(address: int, size: int) -> int:
    """The further accesses that an unaligned one needs (3.3.2), of one cycle each: a halfword at an odd address is two
    bytes; a word at an even address is two halfwords, and at an odd one a byte, a halfword and a byte."""
    return 0 if address % size == 0 else 2 if size == 4 and address % 2 else 1


def cycles(steps: list[Step], asked: int = IMMEDIATE, wait_states: int = 0) -> int:
    """The cycles of a run to which a branch has led: from the end of that branch's own cycles, so that its refill is
    included, to the end of the last instruction's own cycles, so that the next refill is not. asked is that of the
    branch.

    wait_states: the further cycles that each word from flash takes, whether it is an instruction or a literal. The
    model has no prefetching flash controller, so that this shows only a trend."""
    fetch = _Fetch(steps[0].instruction.address, asked, wait_states)
    clock, before = 0, None
    for step in steps:
        clock = fetch.decoded(step.instruction, clock) + _execution(step, before)
        if step.instruction.literal and not step.skipped:
            clock += wait_states
        before = step
    return clock


class _Fetch:
    """The words of a run. The address of a word is issued when one of PREFETCH places is free. A place becomes free
    when the last instruction in its word has been decoded."""

    def __init__(self, address: int, asked: int, wait_states: int):
        self.word, self.asked, self.wait_states = address >> 2, asked, wait_states
        self.ready: dict[int, int] = {}
        self.freed: dict[int, int] = {}

    def decoded(self, instruction: Instruction, clock: int) -> int:
        """The cycle in which the instruction executes, from clock on. It is decoded one cycle before."""
        first, last = instruction.address >> 2, (instruction.end - 1) >> 2
        while self.word <= last:
            self.asked = max(self.asked, self.freed.get(self.word - PREFETCH, self.asked))
            self.ready[self.word] = self.asked + FETCH + self.wait_states
            self.asked += 1 + self.wait_states
            self.word += 1
        start = max(clock, self.ready[first] + 1, self.ready[last] + 1)
        if first != last:
            self.freed[first] = start - 1
        if instruction.end % 4 == 0:
            self.freed[last] = start - 1
        return start


def _execution(step: Step, before: Step | None) -> int:
    """The cycles of one instruction after another."""
    this = step.instruction
    if this.kind == IT:
        return 0 if before and before.instruction.size == 2 and before.instruction.kind != BRANCH else 1
    if step.skipped:
        return 1
    if before is None or before.skipped:
        return this.cycles + step.extra
    last = before.instruction
    count = this.cycles + step.extra
    if this.base and last.kind == COMPUTE and last.written & this.base:
        count += 1  # 3.3.2: an address from "a preceding data processing operation stalls ... an additional cycle"
    after_load = last.kind == LOAD and not last.written & this.base and PC not in last.written
    straddles = this.size == 4 and this.address % 4 != 0
    if this.kind == LOAD and after_load and not this.writes_back and not straddles:
        count -= 1  # 3.3.2: "one cycle is removed from the cost of the next instruction"
    if this.kind == STORE and after_load and (this.indexed or not last.written & this.data):
        count -= 1  # the same; but LDR R0,[R1,R2]; STR R0,[R3,#20] is "three cycles total", the data being waited for
    if this.kind in (LOAD, MULTIPLE) and last.kind == STORE and not last.indexed:
        count += 1  # 3.3.2: the data of STR Rx,[Ry,#imm] go out while the next instruction executes
    return count
