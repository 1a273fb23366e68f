# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of the modes of operation, as compiled for microcontrollers, against spec/modes.py.

All bytes of messages, nonces and keys are unknown, and so are the addresses of all buffers. Lengths are numbers, so that each
length has a proof of its own. It is established of each call that

- output, result and the state that the mode keeps between calls are those of spec/modes.py and haechi.h. Where a tag is wrong, the
  output is zero;
- the function reads and writes nothing but its arguments, constants and its stack, and follows the calling convention;
- no branch and no address depends on a secret. One branch is exempt: the one on whether the tag is right, which
  is the result of haechi_open;
- what the function leaves on the stack is constant, public or part of the output. What the kernel leaves is stated by its card.

Keys, plaintexts and what the cipher computes are secret. Nonces, additional data, initial values, ciphertexts, addresses
and what registers held before the call are public.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce

from proof.abi import Buffer
from proof.bits import Bits, Engine, Graph, Unproved, Word, constant
from proof.engines import abc
from proof.loops import Conditions
from proof.summaries import BlockCipher, ModeFrame, Program
from spec import counter_plus, join, modes

PUBLIC = ("register", "the address", "nonce", "aad", "iv", "ciphertext")  # how the names of inputs begin that are no secrets
OK, ELEN, EAUTH = 0, -2, -3
ANY = None  # a bit of which nothing is claimed
LONGEST = 300  # bytes of a text
STATE = 16  # bytes of a block in the state of a mode, whatever the cipher's block


@dataclass
class Claim:
    """What is claimed of one call of a public function."""

    function: str  # without haechi_
    arguments: list[Buffer | int]
    wanted: dict[str, Bits]  # what stands in the buffers after the call
    result: int = OK
    verdict: int = 0  # the literal that says whether the tag is right
    refused: dict[str, Bits] = field(default_factory=dict)  # what stands in the buffers if it is not
    name: str = ""  # for messages


class Prover:
    """Proves claims about one program, all of them in one graph."""

    def __init__(self, program: Program, engine: Engine = abc):
        self.program, self.g = program, Graph(engine)
        self.conditions = Conditions(self.g)
        self.encrypt, self.decrypt = BlockCipher(self.g, "encrypted"), BlockCipher(self.g, "decrypted")

    def ways(self, claim: Claim) -> Iterator[ModeFrame]:
        """The call on each way that addresses and the verdict leave open."""
        p = self.program
        function = p.image.address(f"haechi_{claim.function}")
        frame = ModeFrame(self.g, p, function, claim.arguments, [self.encrypt, self.decrypt], claim.verdict)
        frame.possible, frame.pc = self.conditions.possible, function
        frame.path = self.g.places.assumptions()
        if not self.conditions.possible(frame.path):
            raise Unproved("there is no such place for the buffers")
        yield from frame.ways()

    def faults(self, claim: Claim) -> list[str]:
        """What is wrong; nothing if the claim is proved."""
        found, ways = set(), []
        try:
            for frame in self.ways(claim):
                ways.append(frame)
                found.update(self._checked(claim, frame))
        except Unproved as error:
            found.add(str(error))
        if claim.verdict and not found and not {claim.verdict, claim.verdict ^ 1} <= {x for w in ways for x in w.path}:
            found.add("does not depend on the tag")
        return [f"haechi_{claim.function}({claim.name}): {fault}" for fault in sorted(found)]

    def _checked(self, claim: Claim, frame: ModeFrame) -> Iterator[str]:
        wrong = claim.verdict and claim.verdict ^ 1 in frame.path
        wanted, result = (claim.refused, EAUTH) if wrong else (claim.wanted, claim.result)
        yield from frame.faults()
        width = 8 * min(4, frame.abi.width)
        if frame.register(frame.abi.arguments[0])[:width] != constant(result % (1 << width), width):
            yield f"does not answer {result}"
        for name, bits in wanted.items():
            pairs = [(x, y) for x, y in zip(frame.content(name), bits, strict=True) if y is not ANY]
            if pairs and self.g.differ(*map(tuple, zip(*pairs))):
                yield f"{name} is not as specified"
        known = {x & ~1 for bits in wanted.values() for x in bits if x is not ANY}
        for at, byte in frame.leftover():
            if not all(x & ~1 in known or self._public(x) or self._is_fixed(x, frame.path) for x in byte):
                yield f"leaves a secret at {frame.text(frame.data, at)}"

    def _public(self, x: int) -> bool:
        return all(name.startswith(PUBLIC) for name in self.g.inputs(x))

    def _is_fixed(self, x: int, path: Bits) -> bool:
        """Whether a bit is constant on this way: the difference of two tags is, where they are equal."""
        return not all(self.conditions.possible((*path, x ^ flip)) for flip in (0, 1))

    # ---- Arguments.

    def taken(self, name: str, size: int) -> Bits:
        """The first bytes of an unknown text."""
        return self.g.input(name, 8 * LONGEST)[: 8 * size]

    def block(self, name: str) -> Bits:
        return self.g.input(name, 8 * self.program.block)

    def pointer(self, address: int) -> Bits:
        return constant(address, 8 * self.program.simulator.pointer)

    @property
    def key_object(self) -> Bits:
        return self.pointer(self.program.at[0]) + self.g.input("round keys", 8 * self.program.descriptors[0].rk)

    def key(self, inverse: bool = False) -> Buffer:
        """A haechi_key."""
        p = self.program
        return Buffer("key", self.pointer(p.at[inverse]) + self.key_object[8 * p.simulator.pointer :], alignment=p.object_alignment)

    def buffers(self, text: Bits, place: str) -> tuple[Buffer, Buffer]:
        """Output and input."""
        if place == "in place":
            both = Buffer("out", text, True)
            return both, both
        return Buffer("out", len(text) // 8, True), Buffer("in", text)

    def words(self, bits: Bits) -> list[Word]:
        return Word(self.g, bits).split(8) if bits else []

    def padded(self, bits: Bits, unknown: str = "") -> Bits:
        """A block in the bytes of a mode's state. Behind a short block stand zeros, or what was there before."""
        rest = self.g.input(unknown, 8 * STATE) if unknown else constant(0, 8 * STATE)
        return bits + rest[len(bits) :]


def bits_of(words: list[Word]) -> Bits:
    return join(words).bits if words else ()


# ---- Claims. Each takes the prover, lengths in bytes, and where the output lies: apart from the input, or in its place.


def init(p: Prover) -> Claim:
    """haechi_init."""
    size = len(p.key_object) // 8
    v = p.program.variant
    cipher = p.program.image.address(f"haechi_{v.constant}")
    key = Buffer("raw key", p.g.input("key", 8 * v.key))
    room = Buffer("key", size, True, alignment=p.program.object_alignment)
    return Claim("init", [room, size, cipher, key, v.key], {"key": p.key_object})


def ctr(p: Prover, n: int, place: str, before: int = 0) -> Claim:
    """haechi_ctr of n bytes of a stream that has processed `before` bytes."""
    size, iv, text = p.program.block, p.block("iv"), p.taken("plaintext", before + n)

    def state(done: int, left: Bits) -> Bits:
        counter, used = counter_plus(Word(p.g, iv), -(-done // size)).bits, done % size
        if used:
            left = p.padded(p.encrypt.of(counter_plus(Word(p.g, iv), done // size).bits), "register left")
        return p.padded(counter, "register beside iv") + left + constant(used, 8)

    wanted = bits_of(modes.ctr(p.encrypt, p.words(iv), p.words(text)))[8 * before :]
    out, into = p.buffers(text[8 * before :], place)
    left = p.g.input("register left", 8 * STATE)
    stream = Buffer("stream", state(before, left), True)
    after = state(before + n, (ANY,) * 8 * STATE)  # nothing is said of key stream that is used up
    return Claim("ctr", [p.key(), stream, out, into, n], {"out": wanted, "stream": after}, name=f"{n} bytes after {before}, {place}")


def cbc(p: Prover, n: int, place: str, decrypts: bool) -> Claim:
    iv = p.block("iv")
    text = p.taken("ciphertext" if decrypts else "plaintext", n)
    name, function = ("cbc_decrypt", modes.cbc_decrypt) if decrypts else ("cbc_encrypt", modes.cbc_encrypt)
    out, into = p.buffers(text, place)
    arguments = [p.key(decrypts), Buffer("iv", iv, True), out, into, n]
    if n % p.program.block:
        return Claim(name, arguments, {"out": constant(0, 8 * n), "iv": iv}, ELEN, name=f"{n} bytes, {place}")
    wanted = bits_of(function(p.decrypt if decrypts else p.encrypt, p.words(iv), p.words(text)))
    chain = (iv + (text if decrypts else wanted))[-len(iv) :]
    return Claim(name, arguments, {"out": wanted, "iv": chain}, name=f"{n} bytes, {place}")


def _cmac_state(p: Prover, message: Bits) -> Bits:
    """haechi_cmac after a message: all blocks but the last are encrypted, and the last waits for more."""
    size, blocks = p.program.block, modes.cut(p.words(message), p.program.block)
    x = p.words(constant(0, 8 * size))
    for i, block in enumerate(blocks):
        x = p.encrypt(x) if i else x
        x = modes.xor(x, block) + x[len(block) :]
    return p.padded(bits_of(x)) + constant(len(blocks[-1]) if blocks else 0, 8)


def cmac_update(p: Prover, n: int, before: int = 0) -> Claim:
    """haechi_cmac_update with n bytes more."""
    message = p.taken("plaintext", before + n)
    state = Buffer("state", _cmac_state(p, message[: 8 * before]), True)
    wanted = {"state": _cmac_state(p, message)}
    return Claim("cmac_update", [p.key(), state, Buffer("in", message[8 * before :]), n], wanted, name=f"{n} bytes after {before}")


def cmac_tag(p: Prover, n: int, taglen: int) -> Claim:
    """haechi_cmac_tag of a message of n bytes."""
    message, size = p.taken("plaintext", n), p.program.block
    state = Buffer("state", _cmac_state(p, message), True)
    arguments = [p.key(), state, Buffer("tag", taglen, True), taglen]
    if not 0 < taglen <= size:
        return Claim("cmac_tag", arguments, {"tag": constant(0, 8 * taglen)}, ELEN, name=f"tag of {taglen} bytes")
    wanted = bits_of(modes.cmac(p.encrypt, p.words(constant(0, 8 * size)), p.words(message)))[: 8 * taglen]
    return Claim("cmac_tag", arguments, {"tag": wanted, "state": constant(0, 8 * STATE + 8)}, name=f"of {n} bytes, tag of {taglen}")


def cmac_message(p: Prover, n: int, taglen: int) -> Claim:
    message, zero = p.taken("plaintext", n), constant(0, 8 * p.program.block)
    subkey = Buffer("subkey", p.padded(p.encrypt.of(zero)) + constant(1, 8))
    wanted = bits_of(modes.cmac(p.encrypt, p.words(zero), p.words(message)))[: 8 * taglen]
    arguments = [p.key(), subkey, Buffer("in", message), n, Buffer("tag", taglen, True), taglen]
    return Claim("cmac_message", arguments, {"tag": wanted}, name=f"{n} bytes, tag of {taglen}")


def cmac_derive(p: Prover) -> Claim:
    subkey = p.padded(p.encrypt.of(constant(0, 8 * p.program.block))) + constant(1, 8)
    return Claim("cmac_derive", [p.key(), Buffer("subkey", STATE + 1, True)], {"subkey": subkey})


def _aead(p: Prover, mode: str) -> Bits:
    """A haechi_aead with its key."""
    derived = p.padded(p.encrypt.of(constant(0, 8 * p.program.block)))
    return p.pointer(p.program.image.address(f"haechi_{mode}")) + derived + p.key_object


def aead_init(p: Prover, mode: str) -> Claim:
    wanted, v = _aead(p, mode), p.program.variant
    size = len(wanted) // 8
    room = Buffer("key", size, True, alignment=p.program.object_alignment)
    constants = [p.program.image.address(f"haechi_{name}") for name in (mode, v.constant)]
    return Claim("aead_init", [room, size, *constants, Buffer("raw key", p.g.input("key", 8 * v.key)), v.key], {"key": wanted}, name=mode)


@dataclass(frozen=True)
class Lengths:
    """Of a message that is sealed or opened, in bytes."""

    text: int
    aad: int = 0
    nonce: int = 12
    tag: int = 8


def _specified(p: Prover, mode: str, lengths: Lengths, text: Bits, decrypt: bool) -> tuple[Bits, Bits]:
    """Text and tag as specified."""
    nonce, aad = p.words(p.taken("nonce", lengths.nonce)), p.words(p.taken("aad", lengths.aad))
    if mode == "ccm":
        found = modes.ccm(p.encrypt, nonce, aad, p.words(text), lengths.tag, decrypt)
    else:
        zero = p.words(constant(0, 8 * p.program.block))
        found = modes.eax(p.encrypt, zero, nonce, aad, p.words(text), decrypt)
    return bits_of(found[0]), bits_of(found[1][: lengths.tag])


def _arguments(p: Prover, mode: str, lengths: Lengths, text: Bits, place: str) -> list[Buffer | int]:
    out, into = p.buffers(text, place)
    key = Buffer("key", _aead(p, mode), alignment=p.program.object_alignment)
    nonce, aad = Buffer("nonce", p.taken("nonce", lengths.nonce)), Buffer("aad", p.taken("aad", lengths.aad))
    return [key, nonce, lengths.nonce, aad, lengths.aad, out, into, lengths.text]


def _named(mode: str, lengths: Lengths, place: str) -> str:
    return f"{mode}, {lengths.text} bytes, aad {lengths.aad}, nonce {lengths.nonce}, tag {lengths.tag}, {place}"


def allowed(p: Prover, mode: str, lengths: Lengths) -> bool:
    """Whether the mode has such nonces and tags."""
    if mode == "ccm":
        return 7 <= lengths.nonce <= 13 and 4 <= lengths.tag <= 16 and lengths.tag % 2 == 0
    return lengths.nonce > 0 and 4 <= lengths.tag <= p.program.block


def seal(p: Prover, mode: str, lengths: Lengths, place: str) -> Claim:
    text = p.taken("plaintext", lengths.text)
    arguments = [*_arguments(p, mode, lengths, text, place), Buffer("tag", lengths.tag, True), lengths.tag]
    name = _named(mode, lengths, place)
    if not allowed(p, mode, lengths):
        zeros = {"out": constant(0, len(text)), "tag": constant(0, 8 * lengths.tag)}
        return Claim("seal", arguments, zeros, ELEN, name=name)
    out, tag = _specified(p, mode, lengths, text, False)
    return Claim("seal", arguments, {"out": out, "tag": tag}, name=name)


def open_(p: Prover, mode: str, lengths: Lengths, place: str) -> Claim:
    text, given = p.taken("ciphertext", lengths.text), p.taken("ciphertext's tag", lengths.tag)
    arguments = [*_arguments(p, mode, lengths, text, place), Buffer("tag", given), lengths.tag]
    name, zeros = _named(mode, lengths, place), {"out": constant(0, len(text))}
    if not allowed(p, mode, lengths):
        return Claim("open", arguments, zeros, ELEN, name=name)
    out, tag = _specified(p, mode, lengths, text, True)
    right = reduce(p.g.and_, (p.g.xor(x, y) ^ 1 for x, y in zip(given, tag, strict=True)), 1)
    return Claim("open", arguments, {"out": out}, verdict=right, refused=zeros, name=name)


# ---- All claims.

SHORT = range(65)  # bytes: the lengths that have all claims
LONG = (100, 255, 256, 257)
PLACES = ("apart", "in place")


def key_claims(p: Prover) -> Iterator[Claim]:
    """What makes a key or derives from it."""
    yield init(p)
    yield cmac_derive(p)
    for mode in aeads(p):
        yield aead_init(p, mode)


def aeads(p: Prover) -> tuple[str, ...]:
    return ("ccm", "eax") if p.program.block == 16 else ("eax",)


def claims(p: Prover, n: int) -> Iterator[Claim]:
    """All claims about a text of n bytes. Additional data, nonces and tags of many lengths occur among them."""
    size = p.program.block
    for place in PLACES:
        for before in {0, n % size, size - 1}:
            yield ctr(p, n, place, before)
        yield cbc(p, n, place, False)
        yield cbc(p, n, place, True)
        for mode in aeads(p):
            lengths = Lengths(n, 7 * n % 67, 7 + n % 7, 4 + 2 * n % (size - 2))
            yield seal(p, mode, lengths, place)
            yield open_(p, mode, lengths, place)
    for before in {0, n % (size + 1), size}:
        yield cmac_update(p, n, before)
    yield cmac_tag(p, n, n % (size + 2))
    yield cmac_message(p, n, 1 + n % size)


def refusals(p: Prover) -> Iterator[Claim]:
    """Messages with nonces and tags of lengths that a mode does not have."""
    for mode in aeads(p):
        wrong = [Lengths(5, 3, tag=tag) for tag in (0, 3, p.program.block + 1)] + [Lengths(5, 3, 0)]
        for lengths in wrong + ([Lengths(5, 3, n) for n in (6, 14)] + [Lengths(5, 3, tag=7)] if mode == "ccm" else []):
            yield seal(p, mode, lengths, "apart")
            yield open_(p, mode, lengths, "apart")
