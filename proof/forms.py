# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Round keys as kernels store them: lists of words of any width, low byte first."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bench.made.elf import Image
from proof.bits import Word, constant
from spec.hight import F1_inverse
from spec.word import join


@dataclass
class Keys:
    """All round keys there are: the standard's, or the key where a kernel stores nothing else."""

    rounds: list | tuple
    master: list[Word] = field(default_factory=list)
    last: list[Word] = field(default_factory=list)  # LEA: T behind the last round
    size: int = 0  # of the key, bytes
    inverse: bool = False
    image: Image | None = None
    before: list[Word] = field(default_factory=list)  # bytes, where round keys are put


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


def hight_pages(keys: Keys) -> list[Word]:
    """Subkeys with a page in the upper byte, or with what moves a register from page to page."""
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
    """Each direction its order; in 34 bytes for eight rounds one is left alone, and the last is a sign."""
    wk, sk = keys.rounds
    order = [*range(12, 16), *range(8, 12), *range(4, 8), *range(4), *range(28, 32), *range(24, 28), *range(20, 24),
             *range(16, 20)] if keys.inverse else range(32)  # fmt: skip
    groups = []
    for at in range(0, 128, 32):
        group = [sk[at + n] for n in order]
        group.insert(17, keys.before[4 + 34 * at // 32 + 17])
        groups += [*group, Word(wk[0].g, constant(0x80 if at == 96 else 0, 8))]
    return wk[:4] + groups + wk[4:]


def aria(keys: Keys) -> list[Word]:
    return sum(keys.rounds, [])


def aria_msp430(keys: Keys) -> list[Word]:
    """Some pairs of bytes swapped, as the registers have them in rounds of odd and of even number."""
    pairs = [(0, 5), (2, 3, 4, 5)]
    return [k[i ^ (i // 2 in pairs[r % 2])] for r, k in enumerate(keys.rounds) for i in range(16)]


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
    "hight_avr_ram_t": hight(F1_inverse),
    "hight_avr_compact": hight(F1_inverse),
    "hight_avr_bare": hight(lambda x: x.rol(4)),
    "hight_avr_small": hight(lambda x: x.rol(4)),
    "hight_avr_flash": hight_pairs,
    "hight_avr_fast": master,
    "hight_avr_fly": master,
    "hight_avr_fly_bare": master,
    "hight_avr_fly_flash": master,
    "hight_msp430_paged": hight_pages,
    "hight_msp430_signed": hight_signed,
    "hight_armv7m": hight(odd=lambda x: -x),
    "hight_armv7m_small": hight(odd=lambda x: -x),
}
