# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Round keys as kernels store them. A kernel's card names the form in its field `round_keys`:

    standard    of HIGHT and ARIA: the standard's round keys, one after another; HIGHT's whitening keys stand around
    key         the key itself
    a name      of HIGHT and ARIA: one of those at the end of this module
    words       of LEA: the words of a round, as in "RK1 RK4 RK1^RK2 RK0>>>11". RK0' is that of the round before, and
                zero in the first. "backwards:" in front of them begins with the last round
    state       of LEA: the state of the key schedule with which a direction begins
    T0 T1 ...   of LEA: this state, with the rotations that the name says

A form may depend on the key's size and on the direction. The card then has a mapping by "128", "128 inverse" and so on,
with "any" and "any inverse" for all other sizes. Decryption takes the entry of encryption if it has none of its own.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from bench.declared.model import BenchError, Card
from bench.made.elf import Image
from proof.bits import Word, constant
from spec.aria import SB, diffused, xor
from spec.hight import F1_inverse
from spec.word import join


@dataclass
class Keys:
    """What a form is made from: all round keys, or those of a key where a form depends on more than the round keys."""

    rounds: list | tuple  # as spec/ has them
    master: list[Word] = field(default_factory=list)  # the key
    last: list[Word] = field(default_factory=list)  # of LEA: the state of the key schedule behind the last round
    inverse: bool = False
    image: Image | None = None
    before: list[Word] = field(default_factory=list)  # the bytes that stand where the round keys will be written


Form = Callable[[Keys], list[Word]]  # words of any width, which lie one after another with their low bytes first


# ---- LEA.


def state(keys: Keys) -> list[Word]:
    return keys.last if keys.inverse else keys.master


def turned_state(keys: Keys) -> list[Word]:
    """The state of LEA-128 to encrypt, whose last word lacks the rotation of RK4."""
    return [*keys.master[:3], keys.master[3].ror(11)]


def _term(name: str, now: list[Word], before: list[Word] | None) -> Word:
    number, turn = re.fullmatch(r"RK(\d'?)(?:>>>(\d+))?", name).groups()
    if number.endswith("'"):
        word = before[int(number[0])] if before else now[0] ^ now[0]
    else:
        word = now[int(number)]
    return word.ror(int(turn or 0))


@cache
def lea_words(text: str) -> Form:
    backwards, names = text.startswith("backwards:"), text.removeprefix("backwards:").split()

    def form(keys: Keys) -> list[Word]:
        rounds = list(zip(keys.rounds, [None, *keys.rounds[:-1]], strict=True))
        words = []
        for now, before in reversed(rounds) if backwards else rounds:
            for name in names:
                first, *more = (_term(term, now, before) for term in name.split("^"))
                for word in more:
                    first = first ^ word
                words.append(first)
        return words

    return form


# ---- HIGHT: WK0 to WK3, the subkeys, WK4 to WK7.


def hight(even=lambda x: x, odd=lambda x: x) -> Form:
    """The subkeys of even and of odd number are transformed."""

    def form(keys: Keys) -> list[Word]:
        wk, sk = keys.rounds
        return wk[:4] + [(odd if n % 2 else even)(x) for n, x in enumerate(sk)] + wk[4:]

    return form


def hight_pairs(keys: Keys) -> list[Word]:
    """The subkeys that F1 takes stand first in even rounds, those that F0 takes in odd rounds."""
    wk, sk = keys.rounds
    order = [4 * r + (j ^ r % 2) for r in range(32) for j in (0, 2, 1, 3)]
    return wk[:4] + [sk[n] for n in order] + wk[4:]


def hight_exchanged(keys: Keys) -> list[Word]:
    """Two subkeys of F1, or of F0, change places where the bytes of the block that they meet do: every two rounds in turn."""
    wk, sk = keys.rounds
    orders = [(0, 1, 2, 3), (2, 1, 0, 3), (2, 3, 0, 1), (0, 3, 2, 1)]
    return wk[:4] + [sk[4 * r + j] for r in range(32) for j in orders[r // 2 % 4]] + wk[4:]


def hight_pages(keys: Keys) -> list[Word]:
    """Words of 16 bits. The lower byte is the subkey, or F1's inverse of it. The upper byte is the page of the table
    that comes next, or what moves a register from page to page."""
    (wk, sk), q = keys.rounds, keys.image.address("haechi_hight_msp430_pages") >> 8

    def page(high: int, x: Word) -> Word:
        return join([x, Word(x.g, constant(high, 8))])

    def word(r: int, j: int) -> Word:
        x = sk[4 * r + j]
        if keys.inverse:
            return page(0 if j % 2 and r == 0 else q, x) if j % 2 else page(q + 4, F1_inverse(x))
        if j % 2:
            return page(q + 4 if r == 0 or r % 8 in (2, 4) else 0 if r % 8 in (1, 7) else 4, x)
        if r % 8 in (0, 2):
            return page(q + 4, F1_inverse(x))
        return page(q if r % 8 in (1, 3) else 0 if r == 31 else 0xFC, x)

    if keys.inverse:
        return wk[4:] + [word(r, j) for r in range(31, -1, -1) for j in range(4)] + wk[:4]
    words = [word(r, j) for r in range(32) for j in range(4)]
    return [wk[0], wk[2], page(q, wk[1]), page(q, wk[3]), *words, *wk[4:]]


def hight_signed(keys: Keys) -> list[Word]:
    """Each direction has its own order. Eight rounds take 34 bytes: the key schedule leaves the byte in the middle as it
    was, and the last byte has a sign that ends the loop."""
    wk, sk = keys.rounds
    order = [*range(12, 16), *range(8, 12), *range(4, 8), *range(4), *range(28, 32), *range(24, 28), *range(20, 24),
             *range(16, 20)] if keys.inverse else range(32)  # fmt: skip
    groups = []
    for at in range(0, 128, 32):
        group = [sk[at + n] for n in order]
        group.insert(17, keys.before[4 + 34 * at // 32 + 17])
        groups += [*group, Word(wk[0].g, constant(0x80 if at == 96 else 0, 8))]
    return wk[:4] + groups + wk[4:]


# ---- ARIA.


def aria_pairs(keys: Keys) -> list[Word]:
    """The bytes of some pairs are swapped, as the registers have them in rounds of odd and of even number."""
    pairs = [(0, 5), (2, 3, 4, 5)]
    return [k[i ^ (i // 2 in pairs[r % 2])] for r, k in enumerate(keys.rounds) for i in range(16)]


def aria_turned(keys: Keys) -> list[Word]:
    """In every second round key the bytes of each word are turned by two places."""
    return [k[i ^ 2 * (r % 2)] for r, k in enumerate(keys.rounds) for i in range(16)]


def aria_bare(keys: Keys) -> list[Word]:
    """Turned round keys for S-boxes without constants. SB1 and SB2 add a constant last, and their inverses SB3 and SB4 add
    it first; a round key includes what the layer before it adds, behind the diffusion, and what the next one adds."""
    constants = [[SB[0][0], SB[1][0], 0, 0] * 4, [0, 0, SB[0][0], SB[1][0]] * 4]
    rounds = []
    for r, k in enumerate(keys.rounds):
        added = constants[(r - 1) % 2]  # by the layer before, and just as much by the next one
        if 0 < r < len(keys.rounds) - 1:
            added = xor(added, diffused(added))
        rounds.append(xor(k, added))
    return aria_turned(replace(keys, rounds=rounds))


# ---- By the names that cards give.


def key(keys: Keys) -> list[Word]:
    return keys.master


FORMS: dict[str, dict[str, Form]] = {
    "LEA": {"state": state, "key": key, "T0 T1 T2 T3>>>11": turned_state},
    "HIGHT": {
        "standard": hight(),
        "key": key,
        "F1^-1 of even subkeys": hight(even=F1_inverse),
        "even subkeys <<< 4": hight(even=lambda x: x.rol(4)),
        "odd subkeys negated": hight(odd=lambda x: -x),
        "pairs by function": hight_pairs,
        "exchanged": hight_exchanged,
        "pages": hight_pages,
        "signed": hight_signed,
    },
    "ARIA": {
        "standard": lambda keys: sum(keys.rounds, []),
        "pairs swapped": aria_pairs,
        "turned": aria_turned,
        "turned, with the constants of the S-boxes": aria_bare,
    },
}
FROM_THE_KEY = (key, state, turned_state)  # round keys that no key gives do not exist in these forms
DIRECTED = (state, hight_pages, hight_signed)  # these differ by direction although the standard's round keys do not


def form_of(card: Card, kernel: str, bits: int, inverse: bool) -> Form:
    """The form of a kernel's round keys. Raises BenchError, which says what to write where, if the card names none."""
    said = card.kernels[kernel].round_keys
    if isinstance(said, dict):
        asked = [*([f"{bits} inverse", "any inverse"] if inverse else []), f"{bits}", "any"]
        said = next((said[name] for name in asked if name in said), "")
    known = FORMS[card.cipher]
    if said in known:
        return known[said]
    term = r"RK[0-5]'?(>>>\d+)?"
    if card.cipher == "LEA" and re.fullmatch(rf"(backwards: )?({term}(\^{term})*( |$))+", said):
        return lea_words(said)
    direction = " to decrypt" if inverse else ""
    raise BenchError(
        f"{card.path}: kernels.{kernel}.round_keys: {f'no form {said!r}' if said else 'missing'} for {bits} bits{direction}; "
        f"the proof wants one of {', '.join(map(repr, known))}{' or a list of words' * (card.cipher == 'LEA')}, or a new "
        "one in proof/forms.py"
    )
