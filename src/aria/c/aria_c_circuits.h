/* aria_c_circuits.h - ARIA as circuits over words of any width: the S-boxes without their constants, and diffusion.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The including file defines INLINE and WORD, the type of a word of the circuits, which is an integer or a vector.
 * It may define PRODUCTS, if it computes the products otherwise. */
#ifndef HAECHI_ARIA_C_CIRCUITS_H
#define HAECHI_ARIA_C_CIRCUITS_H

/* The loops are unrolled by hand, because gcc -O2 would keep their arrays in memory, which takes twice the time. */
#define ALL4(M) M(0) M(1) M(2) M(3)
#define ALL8(M) ALL4(M) M(4) M(5) M(6) M(7)
#define ALL16(M) ALL8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

/* ---- What the S-boxes share: each is this inversion between two linear maps, and adds a constant. */

/* Inversion in the tower GF(2^8) > GF(2^4) > GF(2^2).  The operand is a pair (a, b) over GF(2^4) in a normal basis,
 * up to a factor.  Its norm is n = ab + v(a + b)^2.  The inverse is (b, a) divided by n.  An element of GF(2^4) is
 * given by nine bits: its two elements of GF(2^2) and their sum, and of each of these three its two bits and their
 * sum.  A product over GF(2^4) is nine ANDs of such bits (Karatsuba twice).  An OR is an AND plus the sum of its
 * operands; five ORs in place of ANDs save most of the additions of v(a + b)^2.
 * d is four bits of n, from 9 + 14 gates.  e = 1/n is nine bits, from 18 gates that a search found.  The products
 * follow. */
#if !defined(PRODUCTS) /* a machine with few registers has a better way */
#define PRODUCT(i) p[i] = e[i] & a[i], q[i] = e[i] & b[i];
#define PRODUCTS ALL8(PRODUCT) PRODUCT(8)
#endif
INLINE void inversion(const WORD *a, const WORD *b, WORD *p, WORD *q)
{
    WORD m[9], e[9], d0, d1, d2, d3, t0, t1, u0, u1, u2, u3, u5, u8, u9, u10, u13;
    m[0] = a[0] & b[0]; m[1] = a[1] & b[1]; m[2] = a[2] | b[2]; m[3] = a[3] & b[3]; m[4] = a[4] | b[4];
    m[5] = a[5] & b[5]; m[6] = a[6] | b[6]; m[7] = a[7] | b[7]; m[8] = a[8] | b[8]; t0 = m[5] ^ m[1];
    t1 = m[7] ^ m[2]; d0 = m[3] ^ t0 ^ m[2] ^ a[7] ^ b[7]; d1 = m[4] ^ m[0] ^ t0;
    d2 = m[8] ^ m[0] ^ t1 ^ a[1] ^ b[1]; d3 = m[6] ^ m[1] ^ t1;

    u0 = d3 & d1; u1 = d3 & d0; u2 = u1 ^ d2; u3 = u1 | d2; e[5] = u3 ^ u0; u5 = u2 & d1; e[7] = u5 ^ d0;
    e[2] = e[7] ^ e[5]; u8 = u1 | d1; u9 = u2 ^ d0; u10 = u9 & e[5]; e[3] = u10 ^ d3; e[4] = e[3] ^ e[5];
    u13 = u8 ^ e[7]; e[8] = u13 | u5; e[0] = e[8] ^ e[3]; e[1] = e[0] ^ e[2]; e[6] = e[8] ^ e[7];

    PRODUCTS
}

/* ---- The S-boxes one by one, for layouts in which each column has its own words.  The planes of a byte are s words
 * apart.  With the inversion they have 102, 104, 104 and 103 gates. */

#define X(i) x[s * (i)]

/* SB1: 18 + 25 XORs. */
INLINE void SB1(WORD *x, int s)
{
    WORD a[9], b[9], p[9], q[9], t0, t1, t2, t3, t4, t5, t6, t7, t8;
    b[8] = X(0); a[6] = X(7); t0 = X(3) ^ X(1); t1 = a[6] ^ X(4); b[7] = t1 ^ t0; a[3] = X(6) ^ b[7];
    a[2] = t1 ^ X(5); b[4] = X(5) ^ a[3]; b[6] = b[8] ^ b[7]; b[5] = X(2) ^ a[2]; b[3] = b[4] ^ b[5];
    b[1] = b[6] ^ b[4]; b[0] = b[8] ^ b[3]; b[2] = b[1] ^ b[0]; a[7] = X(1) ^ b[0]; a[8] = a[6] ^ a[7];
    a[0] = a[8] ^ a[3]; a[1] = a[2] ^ a[0]; a[4] = a[6] ^ a[1]; a[5] = a[4] ^ a[3];
    inversion(a, b, p, q);
    t0 = q[0] ^ q[1] ^ q[8] ^ q[6]; t1 = p[7] ^ p[3]; t2 = p[8] ^ p[4] ^ t1; t3 = q[2] ^ q[1];
    t4 = q[5] ^ t2 ^ t3; t5 = p[0] ^ p[4]; t6 = q[4] ^ q[8] ^ t4; t7 = p[2] ^ p[3] ^ t5; t8 = p[1] ^ t5;
    X(0) = t0 ^ t7; X(1) = t7; X(2) = p[6] ^ t1 ^ t8; X(3) = q[7] ^ t6; X(4) = t0 ^ t2;
    X(5) = p[5] ^ t0 ^ t8; X(6) = q[3] ^ t4; X(7) = q[6] ^ t3 ^ t6;
}

/* SB2: 18 + 27 XORs. */
INLINE void SB2(WORD *x, int s)
{
    WORD a[9], b[9], p[9], q[9], t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10;
    a[6] = X(7); a[1] = X(4) ^ X(5); a[4] = a[1] ^ a[6]; b[0] = X(6) ^ a[6]; b[8] = X(1) ^ X(0);
    b[6] = X(2) ^ a[1]; b[7] = b[6] ^ b[8]; b[3] = b[8] ^ b[0]; a[3] = X(5) ^ b[7]; a[5] = a[3] ^ a[4];
    t0 = X(3) ^ X(2); b[1] = a[5] ^ t0; b[2] = b[1] ^ b[0]; a[2] = X(0) ^ b[2]; a[0] = a[1] ^ a[2];
    a[7] = a[5] ^ a[2]; b[5] = b[7] ^ b[2]; b[4] = b[3] ^ b[5]; a[8] = a[6] ^ a[7];
    inversion(a, b, p, q);
    t0 = p[6] ^ p[1]; t1 = p[8] ^ t0 ^ p[0]; t2 = p[3] ^ p[2]; t3 = q[8] ^ q[4]; t4 = q[2] ^ t1 ^ q[3];
    t5 = p[7] ^ t0 ^ p[2]; t6 = p[4] ^ p[0] ^ q[5] ^ t2; t7 = q[1] ^ t4 ^ t6; t8 = q[6] ^ t3;
    t9 = p[5] ^ p[1] ^ t2 ^ t7; t10 = q[0] ^ q[4] ^ t4; X(0) = t5 ^ t7; X(1) = q[5] ^ t8 ^ t10; X(2) = t10;
    X(3) = t1 ^ t9; X(4) = t5; X(5) = q[7] ^ q[3] ^ t3; X(6) = t9; X(7) = t6 ^ t8;
}

/* SB3: 18 + 27 XORs. */
INLINE void SB3(WORD *x, int s)
{
    WORD a[9], b[9], p[9], q[9], t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12;
    a[4] = X(5); b[3] = X(6); b[1] = X(3) ^ X(0); a[5] = X(7) ^ b[1]; a[3] = a[5] ^ a[4]; t0 = X(2) ^ X(1);
    b[8] = t0 ^ a[5]; b[0] = b[3] ^ b[8]; b[2] = b[1] ^ b[0]; a[2] = X(4) ^ b[2]; a[7] = a[2] ^ a[5];
    t1 = a[4] ^ X(0); b[7] = X(4) ^ t1; b[5] = b[7] ^ b[2]; b[4] = b[5] ^ b[3]; b[6] = b[8] ^ b[7];
    a[1] = X(1) ^ b[4]; a[6] = a[4] ^ a[1]; a[8] = a[6] ^ a[7]; a[0] = a[8] ^ a[3];
    inversion(a, b, p, q);
    t0 = q[0] ^ q[8]; t1 = p[1] ^ p[2]; t2 = q[2] ^ q[7] ^ t0; t3 = p[7] ^ t2; t4 = p[6] ^ t1;
    t5 = t3 ^ t4; t6 = q[4] ^ q[8]; t7 = p[4] ^ t4 ^ p[3]; t8 = p[8] ^ t7; t9 = p[5] ^ t1 ^ p[3];
    t10 = q[3] ^ q[7] ^ t6; t11 = q[5] ^ t6; t12 = q[6] ^ t5 ^ t11; X(0) = p[0] ^ p[2] ^ t3 ^ t7;
    X(1) = q[1] ^ t0 ^ t11; X(2) = t9; X(3) = t9 ^ t10; X(4) = t8 ^ t10; X(5) = t12; X(6) = t5 ^ t8;
    X(7) = t2 ^ t12;
}

/* SB4: 18 + 26 XORs. */
INLINE void SB4(WORD *x, int s)
{
    WORD a[9], b[9], p[9], q[9], t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11;
    b[7] = X(0); b[1] = X(3) ^ X(5); a[0] = X(6) ^ X(7); a[7] = b[1] ^ X(7); a[8] = X(6) ^ X(1);
    a[3] = a[8] ^ a[0]; a[6] = a[7] ^ a[8]; t0 = X(4) ^ X(1); b[5] = X(5) ^ t0; b[8] = a[0] ^ t0;
    a[4] = X(2) ^ b[8]; a[5] = a[4] ^ a[3]; a[1] = a[6] ^ a[4]; a[2] = a[0] ^ a[1]; b[2] = b[7] ^ b[5];
    b[6] = b[7] ^ b[8]; b[0] = b[1] ^ b[2]; b[4] = b[1] ^ b[6]; b[3] = b[4] ^ b[5];
    inversion(a, b, p, q);
    t0 = q[0] ^ q[4]; t1 = q[1] ^ t0 ^ q[5]; t2 = p[7] ^ p[6] ^ t1; t3 = p[2] ^ p[1] ^ t2;
    t4 = q[2] ^ t0 ^ t3; t5 = q[3] ^ t4; t6 = q[8] ^ q[4]; t7 = p[5] ^ t5; t8 = q[7] ^ t4 ^ t6;
    t9 = p[4] ^ t7 ^ t8; t10 = p[0] ^ p[1] ^ t9; t11 = p[3] ^ t2 ^ t7; X(0) = t5; X(1) = t11; X(2) = t8;
    X(3) = t1; X(4) = p[8] ^ p[6] ^ t9; X(5) = t3; X(6) = q[6] ^ q[5] ^ t6 ^ t10; X(7) = t10 ^ t11;
}

#undef X

/* The diffusion layer in place by 49 XORs, y[i] ^= y[j], which leave the bytes in another order; FROM lists it.  A
 * randomised greedy search over additions of rows and columns found the sequence. */
#define DIFFUSION(Y)                                                                                         \
    Y(7, 12) Y(0, 11) Y(11, 6) Y(15, 2) Y(12, 1) Y(2, 9) Y(1, 7) Y(8, 5) Y(5, 14) Y(6, 0) Y(6, 13)           \
    Y(0, 15) Y(9, 15) Y(9, 4) Y(4, 7) Y(7, 6) Y(13, 5) Y(13, 12) Y(1, 10) Y(10, 2) Y(10, 11) Y(11, 3)        \
    Y(2, 14) Y(2, 4) Y(4, 8) Y(14, 8) Y(12, 9) Y(8, 6) Y(5, 9) Y(2, 3) Y(3, 0) Y(11, 14) Y(14, 0) Y(15, 1)   \
    Y(1, 10) Y(9, 4) Y(5, 3) Y(0, 15) Y(6, 13) Y(3, 8) Y(11, 13) Y(8, 5) Y(4, 15) Y(12, 10) Y(13, 0)         \
    Y(15, 2) Y(10, 7) Y(7, 12) Y(0, 11)
#define FROM(TO)                                                                                             \
    TO(0, 8) TO(1, 9) TO(2, 12) TO(3, 13) TO(4, 14) TO(5, 15) TO(6, 10) TO(7, 11)                            \
    TO(8, 7) TO(9, 6) TO(10, 3) TO(11, 2) TO(12, 1) TO(13, 0) TO(14, 5) TO(15, 4)

#endif
