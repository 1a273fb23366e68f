# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words of plain integers, and what every kind of word must know.

The texts in this folder compute with words and never ask what a word is made of. A kind of word is a class with

    a ^ b, a + b, a - b, -a     modulo 2^width; b may be a Python integer
    a & n                       with a Python integer n
    a.rol(n), a.ror(n)          rotation to the left and to the right by n bits
    a.looked_up(table)          table[a], for a table of 2^width integers
    a.split(width)              the word cut into words of this width, the lowest first
    type(a).join(words)         the reverse of split

Integer, below, is one such class. The proof has another one, whose bits are unknowns: proof/bits.py.
"""


class Integer:
    """A word of `width` bits that holds a number."""

    __slots__ = ("value", "width")

    def __init__(self, value: int, width: int):
        self.value, self.width = value & ((1 << width) - 1), width

    def __repr__(self) -> str:
        return f"Integer({self.value:#x}, {self.width})"

    def __eq__(self, other) -> bool:
        return int(self) == int(other)

    def __int__(self) -> int:
        return self.value

    def __xor__(self, other) -> "Integer":
        return Integer(self.value ^ int(other), self.width)

    def __and__(self, number: int) -> "Integer":
        return Integer(self.value & number, self.width)

    def __add__(self, other) -> "Integer":
        return Integer(self.value + int(other), self.width)

    def __sub__(self, other) -> "Integer":
        return Integer(self.value - int(other), self.width)

    def __neg__(self) -> "Integer":
        return Integer(-self.value, self.width)

    def rol(self, n: int) -> "Integer":
        n %= self.width
        return Integer(self.value << n | self.value >> self.width - n, self.width)

    def ror(self, n: int) -> "Integer":
        return self.rol(-n)

    def looked_up(self, table: list[int]) -> "Integer":
        return Integer(table[self.value], self.width)

    def split(self, width: int) -> list["Integer"]:
        return [Integer(self.value >> at, width) for at in range(0, self.width, width)]

    @classmethod
    def join(cls, words: list["Integer"]) -> "Integer":
        value = at = 0
        for word in words:
            value |= word.value << at
            at += word.width
        return cls(value, at)


def join(words: list):
    """One word of several words of one kind, the first of them lowest."""
    return type(words[0]).join(words)


def words(data: bytes, width: int = 8) -> list[Integer]:
    """Words of `width` bits, each of which lies in `data` with its lowest byte first."""
    size = width // 8
    return [Integer(int.from_bytes(data[at : at + size], "little"), width) for at in range(0, len(data), size)]


def in_bytes(values: list[Integer]) -> bytes:
    """The reverse of `words`."""
    return b"".join(word.value.to_bytes(word.width // 8, "little") for word in values)
