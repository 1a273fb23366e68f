# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic in binary fields: polynomials over GF(2) as integers, modulo a polynomial.

Bit i of an integer is the coefficient of x^i. The default polynomial is that of AES and ARIA, for GF(2^8).
"""

GF_256 = 0x11B  # x^8 + x^4 + x^3 + x + 1
GF_16 = 0x13  # x^4 + x + 1
BLOCKS = {8: 1 << 64 | 0x1B, 16: 1 << 128 | 0x87}  # by the size of a block in bytes: SP 800-38B and SP 800-38D


def times(a: int, b: int, modulus: int = GF_256) -> int:
    degree = modulus.bit_length() - 1
    product = 0
    for i in reversed(range(degree)):
        product = product << 1 ^ a * (b >> i & 1)
        product ^= modulus * (product >> degree)
    return product


def power(x: int, n: int, modulus: int = GF_256) -> int:
    y = 1
    for bit in f"{n:b}":
        y = times(y, y, modulus)
        y = times(y, x, modulus) if bit == "1" else y
    return y


def inverse(x: int, modulus: int = GF_256) -> int:
    """The multiplicative inverse; 0 for 0."""
    return power(x, (1 << modulus.bit_length() - 1) - 2, modulus)
