# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What each kernel is proved to do, and what the proof tells besides.

A kernel's slots say what there is to prove; only its round keys' form has to be written down here, in FORMS.
`expand` is proved to give that form for every key; the other slots compute the cipher from it for all round keys:

    crypt  the block enciphered, or deciphered
    bulk   the same for 1, 2 and 3 blocks, in and out apart and the same
    ctr    the same numbers of blocks XORed with key stream, and the counter moved on; and key stream alone
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bench import build
from bench.drive import Drive
from bench.elf import Image
from bench.machine import Machine as Simulator
from bench.measure import open_machine
from bench.model import VARIANTS, Card, Target, load_cards, load_targets
from proof import spec
from proof.abi import Frame
from proof.bits import Bits, Graph, Unproved, Word, abc, constant, join
from proof.machine import Path

SLOTS = {"expand": ("eks", "dks"), "crypt": ("enc", "dec"), "bulk": ("enc_bulk", "dec_bulk"), "ctr": ("ctr", "")}
BLOCKS = (1, 2, 3)
LAST_BYTE = "last byte"  # of the counter: an input that a branch may depend on, where the card says so

# ---- Round keys as kernels store them: lists of words of any width, low byte first.


@dataclass
class Keys:
    """All round keys there are: the standard's, or the key where a kernel stores nothing else."""

    rounds: list | tuple
    master: list[Word] = field(default_factory=list)
    last: list[Word] = field(default_factory=list)  # LEA: T behind the last round
    size: int = 0  # of the key, bytes
    inverse: bool = False
    image: Image | None = None


def lea(names: str, narrow: str = "") -> Callable[[Keys], list[Word]]:
    """Words of a round by name: 3 is RK3, 13 is RK1 ^ RK3; narrow: for LEA-128, where RK1 = RK3 = RK5."""

    def form(keys: Keys) -> list[Word]:
        wanted = (narrow if keys.size == 16 and narrow else names).split()
        return [k[int(n[0])] ^ k[int(n[1])] if len(n) > 1 else k[int(n)] for k in keys.rounds for n in wanted]

    return form


def lea_chain6(keys: Keys) -> list[Word]:
    words, last = [], None
    for k in keys.rounds:
        words += [k[5] ^ last if last else k[5], k[4], k[3] ^ k[4], k[2], k[1] ^ k[2], k[0]]
        last = k[0]
    return words[::-1] if keys.inverse else words


def lea_msp430(keys: Keys) -> list[Word]:
    return lea_plain4(keys) if keys.size == 16 and not keys.inverse else lea_chain6(keys)


def lea_msp430_compact(keys: Keys) -> list[Word]:
    return lea_plain4(keys) if keys.size == 16 else lea_chain6(keys)


def lea_plain4(keys: Keys) -> list[Word]:
    if keys.inverse:
        return [w for k in keys.rounds[::-1] for w in (k[0], k[1] ^ k[2], k[1] ^ k[4], k[1])]
    return [w for k in keys.rounds for w in (k[1], k[0], k[1] ^ k[2], k[1] ^ k[4])]


def lea_armv7m(keys: Keys) -> list[Word]:
    if keys.size == 16:
        return [w for k in keys.rounds for w in (k[0], k[1], k[2], k[4].ror(11))]
    return [w for k in keys.rounds for w in (k[5], k[4].ror(13), k[3], k[2], k[1], k[0])]


def lea_fly(keys: Keys) -> list[Word]:
    """What the key schedule begins with, from either end."""
    return keys.last if keys.inverse else keys.master


def hight(even=lambda x: x, odd=lambda x: x) -> Callable[[Keys], list[Word]]:
    """Whitening keys before and after the subkeys, which are transformed by their number's parity."""

    def form(keys: Keys) -> list[Word]:
        wk, sk = keys.rounds
        return wk[:4] + [(odd if n % 2 else even)(x) for n, x in enumerate(sk)] + wk[4:]

    return form


def hight_pairs(keys: Keys) -> list[Word]:
    """Those of F1 first in even rounds, those of F0 first in odd ones."""
    wk, sk = keys.rounds
    order = [4 * r + (j ^ r % 2) for r in range(32) for j in (0, 2, 1, 3)]
    return wk[:4] + [sk[n] for n in order] + wk[4:]


def inverse_F1(x: Word) -> Word:
    return x.rol(2) ^ x.rol(3) ^ x.rol(4) ^ x.rol(5) ^ x.rol(7)


def hight_pages(keys: Keys) -> list[Word]:
    """Subkeys with a page in the upper byte, or with what moves a register from page to page."""
    (wk, sk), q = keys.rounds, keys.image.address("haechi_hight_msp430_pages") >> 8

    def page(high: int, x: Word) -> Word:
        return join([x, Word(x.g, constant(high, 8))])

    def word(r: int, j: int) -> Word:
        x = sk[4 * r + j]
        if keys.inverse:
            return page(0 if j % 2 and r == 0 else q, x) if j % 2 else page(q + 4, inverse_F1(x))
        if j % 2:
            return page(q + 4 if r == 0 or r % 8 in (2, 4) else 0 if r % 8 in (1, 7) else 4, x)
        if r % 8 in (0, 2):
            return page(q + 4, inverse_F1(x))
        return page(q if r % 8 in (1, 3) else 0 if r == 31 else 0xFC, x)

    if keys.inverse:
        return wk[4:] + [word(r, j) for r in range(31, -1, -1) for j in range(4)] + wk[:4]
    words = [word(r, j) for r in range(32) for j in range(4)]
    return [wk[0], wk[2], page(q, wk[1]), page(q, wk[3]), *words, *wk[4:]]


def aria(keys: Keys) -> list[Word]:
    return sum(keys.rounds, [])


def aria_msp430(keys: Keys) -> list[Word]:
    """Some pairs of bytes swapped, as the registers have them in rounds of odd and of even number."""
    swapped = [[k[i ^ (i // 2 in ((2, 3, 4, 5) if r % 2 else (0, 5)))] for i in range(16)] for r, k in enumerate(keys.rounds)]
    return sum(swapped, [])


def master(keys: Keys) -> list[Word]:
    return keys.master


PLAIN = {"HIGHT": hight(), "ARIA": aria}  # what a kernel stores that FORMS does not name
FORMS = {
    "lea_avr": lea("1 3 5 34 12 0", "1 4 12 0"),
    "lea_avr_compact": lea("1 3 5 34 12 0", "1 4 12 0"),
    "lea_avr_small": lea("0 1 2 3 4 5", "1 0 2 4"),
    "lea_msp430": lea_msp430,
    "lea_msp430_compact": lea_msp430_compact,
    "lea_armv7m": lea_armv7m,
    "lea_armv7m_fly": lea_fly,
    "aria_msp430": aria_msp430,
    "hight_avr_ram_t": hight(inverse_F1),
    "hight_avr_compact": hight(inverse_F1),
    "hight_avr_bare": hight(lambda x: x.rol(4)),
    "hight_avr_small": hight(lambda x: x.rol(4)),
    "hight_avr_flash": hight_pairs,
    "hight_avr_fast": master,
    "hight_avr_fly": master,
    "hight_avr_fly_bare": master,
    "hight_avr_fly_flash": master,
    "hight_msp430_paged": hight_pages,
    "hight_armv7m": hight(odd=lambda x: -x),
    "hight_armv7m_small": hight(odd=lambda x: -x),
}


# ---- The ciphers.


def words(g: Graph, name: str, size: int, width: int) -> list[Word]:
    return Word(g, g.input(name, 8 * size)).split(width)


WIDTH = {"LEA": 32, "HIGHT": 8, "ARIA": 8}
EXPAND = {"LEA": spec.lea_keys, "HIGHT": spec.hight_keys, "ARIA": spec.aria_keys}
ENCRYPT = {"LEA": spec.lea_encrypt, "HIGHT": spec.hight_encrypt, "ARIA": spec.aria_encrypt}
DECRYPT = {"LEA": spec.lea_decrypt, "HIGHT": spec.hight_decrypt, "ARIA": spec.aria_encrypt}


def from_key(cipher: str, key: list[Word], inverse: bool):
    rounds = EXPAND[cipher](key)
    return spec.aria_inverse_keys(rounds) if cipher == "ARIA" and inverse else rounds


def any_rounds(g: Graph, cipher: str, size: int):
    """Round keys, any whatever."""
    if cipher == "HIGHT":
        return words(g, "round keys: whitening", 8, 8), words(g, "round keys", 128, 8)
    if cipher == "ARIA":
        return [words(g, f"round keys {i}", 16, 8) for i in range(spec.ARIA_ROUNDS[size] + 1)]
    order, n = ([0, 1, 2, 1, 3, 1], 16) if size == 16 else (range(6), 24)
    drawn = [words(g, f"round keys {i}", n, 32) for i in range(spec.LEA_ROUNDS[size])]
    return [[k[j] for j in order] for k in drawn]


def crypt(cipher: str, rounds, block: Bits, g: Graph, inverse: bool = False) -> Bits:
    return join((DECRYPT if inverse else ENCRYPT)[cipher](rounds, Word(g, block).split(WIDTH[cipher]))).bits


def theorem(cipher: str, size: int, engine=abc) -> dict[str, int] | None:
    """The specification's own two directions undo each other for all round keys, and so do LEA's two ways through the
    key schedule; None, or a counterexample."""
    g = Graph()
    block, rounds = g.input("block", 8 * VARIANTS[cipher][0].block), any_rounds(g, cipher, size)
    back = spec.aria_inverse_keys(rounds) if cipher == "ARIA" else rounds
    left, right = crypt(cipher, back, crypt(cipher, rounds, block, g), g, True), block
    if cipher == "LEA":
        last = words(g, "last", size, 32)
        left += join(spec.lea_states(spec.lea_states_back(last)[0])[-1]).bits
        right += join(last).bits
    return g.differ(left, right, engine)


def counter_plus(g: Graph, counter: Bits, n: int) -> Bits:
    """The whole block counts, its first byte the highest; it wraps."""
    turn = lambda w: Word(g, join(w.split(8)[::-1]).bits)  # noqa: E731
    return turn(turn(Word(g, counter)) + n).bits


# ---- Claims.


@dataclass
class Fact:
    """What the proof of one slot tells."""

    kernel: str
    cipher: str
    operation: str
    digest: str  # of the code
    ways: int = 0  # through the code, in all runs
    instructions: int = 0  # of the run that the simulator made too
    lookups: int = 0  # at addresses that depend on key or data, in that run
    places: list[str] = field(default_factory=list)
    stack: int = 0
    left: bool = False  # something that depends on key or data below the stack
    faults: list[str] = field(default_factory=list)
    found: dict[str, int] | None = None  # inputs for which the code is wrong


@dataclass
class Claim:
    """One slot of one descriptor."""

    target: Target
    card: Card
    kernel: str
    operation: str
    slot: str
    drive: Drive

    def __post_init__(self):
        self.rk, _ = self.drive.expand(bytes(self.drive.variant.key))  # for the simulator's calls

    @property
    def cipher(self) -> str:
        return self.drive.variant.cipher

    @property
    def image(self) -> Image:
        return self.drive.machine.image

    @property
    def function(self) -> int:
        return getattr(self.drive.d, self.slot)

    def digest(self) -> str:
        """Of all bytes that the slot's function reaches, and where they lie."""
        h = hashlib.sha256()
        for s in self.image.needs([self.function]).symbols:
            h.update(s.address.to_bytes(4, "little") + self.image.read(s.address, s.size))
        return h.hexdigest()[:16]

    def keys(self, g: Graph) -> tuple[Keys, list[Word]]:
        """All round keys, and how the kernel stores them."""
        family, v = self.card.cipher, self.drive.variant
        form = FORMS.get(self.kernel) or PLAIN.get(family)
        keys = Keys((), size=v.key, inverse=self.drive.inverse, image=self.image)
        if form is lea_fly and keys.inverse and self.slot != "expand":
            keys.last = words(g, "last", v.key, 32)
            keys.rounds = spec.lea_rounds(spec.lea_states_back(keys.last))
        elif form in (lea_fly, master, None) or self.slot == "expand":
            keys.master = words(g, "key", v.key, WIDTH[family])
            keys.rounds = from_key(family, keys.master, keys.inverse)
            keys.last = spec.lea_states(keys.master)[-1] if family == "LEA" else []
        else:
            keys.rounds = any_rounds(g, family, v.key)
        return keys, form(keys) if form else self.expanded(g, keys.master)

    def expanded(self, g: Graph, key: list[Word]) -> list[Word]:
        """Round keys of a form that nobody wrote down: as the kernel's own expand makes them."""
        layout = self._layout(lambda: self.drive.expand(bytes(self.drive.variant.key)))
        frame = self._frame(g, self.drive.d.expand, [at for at, _ in layout])
        frame.machine.region("rk", layout[0][0], self.drive.d.rk, write=True)
        frame.machine.region("key", layout[1][0], join(key).bits)
        (path,) = frame.machine.run(self.drive.d.expand)
        return Word(g, frame.machine.get(frame.abi.data, layout[0][0], self.drive.d.rk)).split(8)

    def _layout(self, call: Callable) -> list[tuple[int, int]]:
        """Lets the simulator make the call; where it had its buffers, each first address and end."""
        self.concrete = call()[-1]
        return self.drive.layout.readable

    def _frame(self, g: Graph, function: int, arguments: list[int]) -> Frame:
        return Frame(g, self.target.name, self.drive.machine, function, arguments)

    # Each of these runs the code once, for every input, and yields what it leaves beside what it should leave.

    def prove(self, engine=abc) -> Fact:
        g = Graph()
        fact = Fact(self.kernel, self.cipher, self.operation, self.digest())
        left, right = [], []
        try:
            for frame, way, got, wanted in getattr(self, f"_{self.slot}")(g):
                self._learn(fact, frame, way)
                left += g.under(got, way.conditions) if way.conditions else got
                right += g.under(wanted, way.conditions) if way.conditions else wanted
        except Unproved as error:
            fact.faults.append(str(error))
            return fact
        fact.found = g.differ(tuple(left), tuple(right), engine)
        return fact

    def _learn(self, fact: Fact, frame: Frame, way: Path) -> None:
        g = frame.g
        fact.faults += frame.faults(way)
        fact.ways += 1
        fact.stack = max(fact.stack, frame.stack(way))
        secret = [g.names[n][0] for n in g.support(frame.left(way))]
        fact.left |= any(not name.startswith(("register", "poison")) for name in secret)
        fact.places = sorted({p for l in way.lookups for p in l.places} | set(fact.places))
        if way.trace == self.concrete.pcs:
            fact.instructions, fact.lookups = len(way.trace), len(way.lookups)

    def _run(self, frame: Frame, fork=()) -> Iterator[Path]:
        ways = frame.machine.run(self.function, fork)
        if not any(way.trace == self.concrete.pcs for way in ways):
            raise Unproved("the simulator took another way through the code")
        for frame.machine.path in ways:
            yield frame.machine.path

    def _expand(self, g: Graph):
        keys, form = self.keys(g)
        size = self.drive.d.rk
        layout = self._layout(lambda: self.drive.expand(bytes(self.drive.variant.key), trace=True))
        (rk, _), (key, _) = layout
        frame = self._frame(g, self.function, [rk, key])
        frame.machine.region("rk", rk, size, write=True)
        frame.machine.region("key", key, join(keys.master).bits)
        for way in self._run(frame):
            yield frame, way, frame.machine.get(frame.abi.data, rk, size), join(form).bits

    def _crypt(self, g: Graph):
        keys, form = self.keys(g)
        size = self.drive.d.block
        layout = self._layout(lambda: self.drive.crypt(self.rk, bytes(size), trace=True))
        (rk, _), (buf, _) = layout
        frame = self._frame(g, self.function, [rk, buf])
        block = g.input("block", 8 * size)
        frame.machine.region("rk", rk, join(form).bits)
        frame.machine.region("buf", buf, block, write=True)
        for way in self._run(frame):
            got = frame.machine.get(frame.abi.data, buf, size)
            yield frame, way, got, crypt(self.card.cipher, keys.rounds, block, g, self.drive.inverse)

    def _bulk(self, g: Graph):
        keys, form = self.keys(g)
        size = self.drive.d.block
        blocks = [g.input(f"block {i}", 8 * size) for i in range(max(BLOCKS))]
        for n in BLOCKS:
            for apart in (True, False):
                data = bytes(n * size)
                layout = self._layout(lambda: self.drive.bulk(self.rk, data, apart, trace=True))
                rk, out, into = layout[0][0], layout[1][0], layout[-1][0]
                frame = self._frame(g, self.function, [rk, out, into, n])
                frame.machine.region("rk", rk, join(form).bits)
                if apart:
                    frame.machine.region("out", out, n * size, write=True)
                frame.machine.region("in", into, sum(blocks[:n], ()), write=not apart)
                for way in self._run(frame):
                    for i in range(n):
                        got = frame.machine.get(frame.abi.data, out + i * size, size)
                        yield frame, way, got, crypt(self.card.cipher, keys.rounds, blocks[i], g, self.drive.inverse)

    def _ctr(self, g: Graph):
        keys, form = self.keys(g)
        cipher, size = self.card.cipher, self.drive.d.block
        blocks = [g.input(f"block {i}", 8 * size) for i in range(max(BLOCKS))]
        counter = g.input("counter", 8 * (size - 1)) + g.input(LAST_BYTE, 8)
        stream = [crypt(cipher, keys.rounds, counter_plus(g, counter, i), g) for i in range(max(BLOCKS))]
        fork = [LAST_BYTE] if self.card.kernels[self.kernel].counter == LAST_BYTE else []
        for n in BLOCKS:
            for how in ("apart", "in place", "stream"):
                layout = self._layout(lambda: self._ctr_call(n, how))
                rk, at, out, into = layout[0][0], layout[1][0], layout[2][0], layout[-1][0]
                frame = self._frame(g, self.function, [rk, at, out, 0 if how == "stream" else into, n])
                frame.machine.region("rk", rk, join(form).bits)
                frame.machine.region("ctr", at, counter, write=True)
                if how != "in place":
                    frame.machine.region("out", out, n * size, write=True)
                if how != "stream":
                    frame.machine.region("in", into, sum(blocks[:n], ()), write=how == "in place")
                for way in self._run(frame, fork):
                    got = frame.machine.get(frame.abi.data, out, n * size)
                    wanted = sum(stream[:n], ())
                    if how != "stream":
                        wanted = tuple(map(g.xor, wanted, sum(blocks[:n], ())))
                    after = frame.machine.get(frame.abi.data, at, size)
                    yield frame, way, got + after, wanted + counter_plus(g, counter, n)

    def _ctr_call(self, n: int, how: str):
        counter = bytes(self.drive.d.block)
        if how == "stream":
            return self.drive.keystream(self.rk, counter, n, trace=True)
        return self.drive.ctr_slot(self.rk, counter, bytes(n * len(counter)), how == "apart", trace=True)


def breaches(claim: Claim, fact: Fact) -> list[str]:
    """Where a fact belies the kernel's card, or the claim itself is false."""
    card = claim.card.kernels[claim.kernel]
    found = list(fact.faults)
    if fact.found:
        found.append("differs from the specification")
    if fact.lookups and card.constant_time == "addresses":
        found.append(f"{fact.lookups} look-ups by secrets, where the card says addresses")
    if fact.left and card.wipes:
        found.append("leaves secrets on the stack, where the card says that it wipes")
    said = card.stack.get(fact.operation, card.stack.get("eks") if fact.operation == "dks" else None)
    if said is not None and fact.stack > said:  # the card's figure is that of the key size that needs most
        found.append(f"{fact.stack} bytes of stack, where the card says {said}")
    return found


# ---- Where claims come from.


def kernels(targets: list[str] | None = None) -> list[tuple[Target, Card, str]]:
    """Every assembly kernel of the microcontrollers."""
    known = load_targets()
    return [
        (known[card.target], card, kernel)
        for card in load_cards()
        for kernel in card.kernels
        if card.target in ("avr", "msp430", "armv7m") and card.source(kernel).suffix == ".S"
        and (not targets or card.target in targets)
    ]  # fmt: skip


def simulator(target: Target, card: Card, kernel: str, extra=()) -> Simulator:
    """With a kernel in it; a context manager."""
    return open_machine(target, target.chip, build.elf(target, target.chip, card, kernel, extra))


def claims(machine: Simulator, target: Target, card: Card, kernel: str) -> list[Claim]:
    """One for each slot and key size; what two descriptors share only once."""
    found, seen = [], set()
    for variant in VARIANTS[card.cipher]:
        for inverse in (False, True):
            drive = Drive(machine, kernel, variant, inverse)
            for slot, names in SLOTS.items():
                function = getattr(drive.d, slot)
                same = (function, slot, variant.key, inverse and not _shared(card, slot, drive))
                if function and same not in seen:
                    seen.add(same)
                    found.append(Claim(target, card, kernel, names[inverse], slot, drive))
    return found


def _shared(card: Card, slot: str, drive: Drive) -> bool:
    """Whether the inverse's slot does what the other direction's does if they are one function."""
    return slot == "expand" or card.cipher == "ARIA"
