/* aria_x86_slots.h - ARIA for x86-64 in vectors of any width: rounds, modes, key expansion, descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The round keys have the canonical layout of hosts: ek1 to ek(n+1) as bytes, and dk1 to dk(n+1) for the inverse
 * cipher.
 *
 * Bulk and counter mode work in sliced batches of 16 vectors.  A rest of at most ROWS_VECTORS vectors, for which a
 * batch would take longer, is done as rows; a longer rest is a batch of its own. */
#ifndef HAECHI_ARIA_X86_SLOTS_H
#define HAECHI_ARIA_X86_SLOTS_H

/* No SHARED function takes a vector by value: gcc 12 would leave out its vzeroupper, and SSE code that runs afterwards
 * takes three times as long. */

#define BATCH (16 * BLOCKS)
#define ROWS (ROWS_VECTORS * BLOCKS) /* up to so many blocks are done as rows */

/* ---- Rows. */

INLINE void crypt_rows(const uint8_t *rk, int rounds, V *x, int vectors)
{
#define ALL_ROWS(M) ALL4(M) M(4) M(5)
    V k = row_key(rk, 0);
#define IN(i) if (i < vectors) x[i] = XOR(row_in(x[i]), k);
#define FO(i) if (i < vectors) x[i] = row_round(x[i], 0, k);
#define FE(i) if (i < vectors) x[i] = row_round(x[i], 1, k);
#define OUT(i) if (i < vectors) x[i] = row_last(x[i], rk + 16 * rounds);
    ALL_ROWS(IN)
    for (int i = 1;; i += 2) {
        k = row_key(rk, i);
        ALL_ROWS(FO)
        if (i == rounds - 1) break;
        k = row_key(rk, i + 1);
        ALL_ROWS(FE)
    }
    ALL_ROWS(OUT)
#undef IN
#undef FO
#undef FE
#undef OUT
#undef ALL_ROWS
}

SHARED void crypt_1(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 1); }
SHARED void crypt_2(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 2); }
SHARED void crypt_3(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 3); }
SHARED void crypt_4(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 4); }
#if ROWS_VECTORS > 4
SHARED void crypt_5(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 5); }
#endif
#if ROWS_VECTORS > 5
SHARED void crypt_6(const uint8_t *rk, int rounds, V *x) { crypt_rows(rk, rounds, x, 6); }
#endif

/* n blocks, at most ROWS of them. */
INLINE void crypt_few(const uint8_t *rk, int rounds, V *x, size_t n)
{
    switch ((n + BLOCKS - 1) / BLOCKS) {
    case 1: crypt_1(rk, rounds, x); break;
    case 2: crypt_2(rk, rounds, x); break;
    case 3: crypt_3(rk, rounds, x); break;
    case 4: crypt_4(rk, rounds, x); break;
#if ROWS_VECTORS > 4
    case 5: crypt_5(rk, rounds, x); break;
#endif
#if ROWS_VECTORS > 5
    case 6: crypt_6(rk, rounds, x); break;
#endif
    }
}

/* ---- Any number of blocks up to a batch, to vectors and back. */

INLINE void get(V *x, const uint8_t *in, size_t n)
{
    for (; n >= BLOCKS; n -= BLOCKS, in += sizeof(V), x++) *x = LOAD(in);
    if (n) *x = LOAD_SOME(in, n);
}

INLINE void put(uint8_t *out, const V *x, size_t n)
{
    for (; n >= BLOCKS; n -= BLOCKS, out += sizeof(V), x++) STORE(out, *x);
    if (n) STORE_SOME(out, *x, n);
}

/* ---- Sliced. */

/* A byte of a round key for all bytes of a vector.  Memory holds KEY_BYTES copies of it. */
#if WIDTH == 128
#define KEY_BYTES 16
#define KEY(keys, i) LOAD((keys) + (i))
#else
#define KEY_BYTES 4
#define KEY(keys, i) V_(set1_epi32)((int)haechi_load_le32((const uint8_t *)(keys) + 4 * (i)))
#endif
#define KEY_SIZE (16 * KEY_BYTES)

/* Where each lane has a key of its own, memory holds a vector for each byte. */
#define KEY_OF(keys, i) (lanes ? (keys)[i] : KEY(keys, i))
#define KEY_STEP(lanes) (lanes ? 16 : KEY_SIZE / sizeof(V)) /* vectors of a round key */

static const uint8_t COPIES[16][KEY_BYTES] = {
#if KEY_BYTES == 4
#define COPY(i) { i, i, i, i },
#else
#define COPY(i) { i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i },
#endif
    ALL16(COPY)
#undef COPY
};

/* The 16 bytes that every lane of k holds, as KEY_BYTES copies of each. */
INLINE void spread(V *keys, V k)
{
    for (size_t i = 0; i < KEY_SIZE / sizeof(V); i++)
        keys[i] = V_(shuffle_epi8)(k, LOAD((const uint8_t *)COPIES + i * sizeof(V)));
    __asm__("" : : "r"(keys) : "memory"); /* else compilers take the copies from k, byte by byte */
}

/* Transposes 16 x 16 bytes in every lane.  The address of a byte is the number of its vector, four bits, and its place
 * in the lane, four bits.  A step rotates these eight bits by one: from vector abcd, place efgh to vector bcde, place
 * fgha. */
INLINE void transposition_step(V *x)
{
    V y[16];
#define ZIP(i) y[2 * i] = V_(unpacklo_epi8)(x[i], x[i + 8]), y[2 * i + 1] = V_(unpackhi_epi8)(x[i], x[i + 8]);
#define BACK(i) x[i] = y[i];
    ALL8(ZIP)
    ALL16(BACK)
#undef ZIP
#undef BACK
}

INLINE void transpose(V *x)
{
    transposition_step(x);
    transposition_step(x);
    transposition_step(x);
    transposition_step(x);
}

/* The diffusion layer (RFC 5794, 2.4.3) and a round key, with 32 registers: every byte is the sum of one byte of x,
 * three pairs that other bytes need too, and the key.  That takes 24 XORs of two and 32 XORs of three operands. */
#if WIDTH == 512
#define TURNED(i) i /* the place of byte i between A and A_back */

INLINE void A(V *x, const V *k, int lanes)
{
    V y[16], a, b, c, d, e, f;
#define PAIR(i, j) XOR(x[i], x[j])
#define SUM(i, j, p, q, r) y[i] = XOR3(XOR3(x[j], p, q), r, KEY_OF(k, i))
    a = PAIR(4, 6); b = PAIR(8, 9); c = PAIR(13, 14); d = PAIR(5, 7); e = PAIR(12, 15); f = PAIR(10, 11);
    SUM(0, 3, a, b, c); SUM(1, 2, d, b, e); SUM(2, 1, a, f, e); SUM(3, 0, d, f, c);
    a = PAIR(0, 2); b = PAIR(8, 11); c = PAIR(14, 15); d = PAIR(1, 3); e = PAIR(9, 10); f = PAIR(12, 13);
    SUM(4, 5, a, b, c); SUM(5, 4, d, e, c); SUM(6, 7, a, e, f); SUM(7, 6, d, b, f);
    a = PAIR(0, 1); b = PAIR(4, 7); c = PAIR(13, 15); d = PAIR(5, 6); e = PAIR(12, 14); f = PAIR(2, 3);
    SUM(8, 10, a, b, c); SUM(9, 11, a, d, e); SUM(10, 8, f, d, c); SUM(11, 9, f, b, e);
    a = PAIR(1, 2); b = PAIR(6, 7); c = PAIR(9, 11); d = PAIR(0, 3); e = PAIR(8, 10); f = PAIR(4, 5);
    SUM(12, 12, a, b, c); SUM(13, 13, d, b, e); SUM(14, 14, d, f, c); SUM(15, 15, a, f, e);
#undef PAIR
#undef SUM
#define BACK(i) x[i] = y[i];
    ALL16(BACK)
#undef BACK
}
#define A_back A

/* The same with 16 registers, in place, by the 49 XORs of aria_c.  It leaves byte i in x[TURNED(i)].  The matrix of the
 * layer is symmetric, so the transposed program, which is the XORs in reverse order with exchanged operands, computes
 * it too and brings the bytes back to their places.  Both are six XORs deep; other programs are shorter (46 XORs), but
 * deeper. */
#else
#define TURNED(i) TURNED_##i
enum {
    TURNED_0 = 8, TURNED_1 = 9, TURNED_2 = 12, TURNED_3 = 13, TURNED_4 = 14, TURNED_5 = 15, TURNED_6 = 10,
    TURNED_7 = 11, TURNED_8 = 7, TURNED_9 = 6, TURNED_10 = 3, TURNED_11 = 2, TURNED_12 = 1, TURNED_13 = 0,
    TURNED_14 = 5, TURNED_15 = 4
};
#define ADD(i, j) x[i] = XOR(x[i], x[j]);

INLINE void A(V *x, const V *k, int lanes)
{
    ADD(7, 12) ADD(0, 11) ADD(11, 6) ADD(15, 2) ADD(12, 1) ADD(2, 9) ADD(1, 7) ADD(8, 5) ADD(5, 14)
    ADD(6, 0) ADD(6, 13) ADD(0, 15) ADD(9, 15) ADD(9, 4) ADD(4, 7) ADD(7, 6) ADD(13, 5) ADD(13, 12)
    ADD(1, 10) ADD(10, 2) ADD(10, 11) ADD(11, 3) ADD(2, 14) ADD(2, 4) ADD(4, 8) ADD(14, 8) ADD(12, 9)
    ADD(8, 6) ADD(5, 9) ADD(2, 3) ADD(3, 0) ADD(11, 14) ADD(14, 0) ADD(15, 1) ADD(1, 10) ADD(9, 4)
    ADD(5, 3) ADD(0, 15) ADD(6, 13) ADD(3, 8) ADD(11, 13) ADD(8, 5) ADD(4, 15) ADD(12, 10) ADD(13, 0)
    ADD(15, 2) ADD(10, 7) ADD(7, 12) ADD(0, 11)
#define ADD_KEY(i) x[TURNED(i)] = XOR(x[TURNED(i)], KEY_OF(k, i));
    ALL16(ADD_KEY)
#undef ADD_KEY
}

INLINE void A_back(V *x, const V *k, int lanes)
{
    ADD(11, 0) ADD(12, 7) ADD(7, 10) ADD(2, 15) ADD(0, 13) ADD(10, 12) ADD(15, 4) ADD(5, 8) ADD(13, 11)
    ADD(8, 3) ADD(13, 6) ADD(15, 0) ADD(3, 5) ADD(4, 9) ADD(10, 1) ADD(1, 15) ADD(0, 14) ADD(14, 11)
    ADD(0, 3) ADD(3, 2) ADD(9, 5) ADD(6, 8) ADD(9, 12) ADD(8, 14) ADD(8, 4) ADD(4, 2) ADD(14, 2)
    ADD(3, 11) ADD(11, 10) ADD(2, 10) ADD(10, 1) ADD(12, 13) ADD(5, 13) ADD(6, 7) ADD(7, 4) ADD(4, 9)
    ADD(15, 9) ADD(15, 0) ADD(13, 6) ADD(0, 6) ADD(14, 5) ADD(5, 8) ADD(7, 1) ADD(9, 2) ADD(1, 12)
    ADD(2, 15) ADD(6, 11) ADD(11, 0) ADD(12, 7)
#define ADD_KEY(i) x[i] = XOR(x[i], KEY_OF(k, i));
    ALL16(ADD_KEY)
#undef ADD_KEY
}
#undef ADD
#endif

/* The substitution layers: SL1 where byte i is in x[TURNED(i)], SL2 where it is in x[i]. */
INLINE void SL1(V *x)
{
#define ROW(a, b, c, d)                                                                                      \
    x[TURNED(a)] = SB1(x[TURNED(a)]), x[TURNED(b)] = SB2(x[TURNED(b)]);                                      \
    x[TURNED(c)] = SB3(x[TURNED(c)]), x[TURNED(d)] = SB4(x[TURNED(d)]);
    ROW(0, 1, 2, 3) ROW(4, 5, 6, 7) ROW(8, 9, 10, 11) ROW(12, 13, 14, 15)
#undef ROW
}

INLINE void SL2(V *x)
{
#define ROW(a, b, c, d) x[a] = SB1(x[a]), x[b] = SB2(x[b]), x[c] = SB3(x[c]), x[d] = SB4(x[d]);
    ROW(2, 3, 0, 1) ROW(6, 7, 4, 5) ROW(10, 11, 8, 9) ROW(14, 15, 12, 13)
#undef ROW
}

/* Rounds 2 to n, and then the vectors in the order of memory.  keys begins with round key 2.  The last round key is
 * added only if it differs between the lanes. */
INLINE void rounds_from_2(V *x, const V *keys, int rounds, int lanes)
{
    const size_t step = KEY_STEP(lanes);
    for (int i = 2; i < rounds; i += 2, keys += 2 * step) {
        SL2(x);
        A(x, keys, lanes);
        SL1(x);
        A_back(x, keys + step, lanes);
    }
    SL2(x);
    if (lanes) {
#define ADD_LAST_KEY(i) x[i] = XOR(x[i], keys[i]);
        ALL16(ADD_LAST_KEY)
    }
    transpose(x);
}

/* Round keys 1 to rounds - 1 for the batches. */
#define MAX_KEYS (15 * KEY_SIZE / sizeof(V))
INLINE void spread_keys(V *keys, const uint8_t *rk, int rounds)
{
    for (int i = 1; i < rounds; i++, keys += KEY_SIZE / sizeof(V)) spread(keys, CONSTANT(rk + 16 * i));
}

/* The place of vector i of a batch in memory, which undoes what 14 rounds leave of ShiftRows (aria_x86_aes.h). */
#define AT(i) (sizeof(V) * ((i) % 2 ? (i) ^ stray : (i)))

/* Reads a batch at in, writes it to out: XORed with `before` and `after` unless these are NULL. */
INLINE void xex_batch(const uint8_t *rk, int rounds, const V *keys, uint8_t *out, const uint8_t *in,
                      const uint8_t *before, const uint8_t *after)
{
    const size_t stray = STRAY(rounds);
    V x[16], y[16], k = CONSTANT(rk);
#define IN(i) x[i] = XOR(LOAD(in + sizeof(V) * i), k);
#define ADD_BEFORE(i) x[i] = XOR(x[i], LOAD(before + sizeof(V) * i));
    ALL16(IN)
    if (before != NULL) { ALL16(ADD_BEFORE) }
#undef IN
#undef ADD_BEFORE
    transpose(x);
#define TURN(i) y[TURNED(i)] = x[i];
    ALL16(TURN)
#undef TURN
    SL1(y);
    A_back(y, keys, 0);
    rounds_from_2(y, keys + KEY_SIZE / sizeof(V), rounds, 0);
    k = CONSTANT(rk + 16 * rounds);
#define OUT(i) STORE(out + AT(i), XOR(y[i], k));
#define OUT_SUM(i) STORE(out + AT(i), XOR3(y[i], k, LOAD(after + AT(i))));
    if (after != NULL) { ALL16(OUT_SUM) } else { ALL16(OUT) }
#undef OUT
#undef OUT_SUM
}

INLINE void ecb_batch(const uint8_t *rk, int rounds, const V *keys, uint8_t *out, const uint8_t *in)
{
    xex_batch(rk, rounds, keys, out, in, NULL, NULL);
}

/* ---- Counters are little-endian here: the low half in bytes 0 ... 7. */

static const uint8_t REVERSED[16] = { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
static const uint64_t COUNT[16][2] = {
#define NUMBER(i) { i, 0 },
    ALL16(NUMBER)
#undef NUMBER
};

/* c + n in every lane, with n < 2^63.  There is a carry where the upper bit was set and is not set any more. */
INLINE V add(V c, V n)
{
    const V sum = V_(add_epi64)(c, n);
    return V_(add_epi64)(sum, UP_8_BYTES(V_(srli_epi64)(ANDNOT(sum, c), 63)));
}

INLINE V add_number(V c, size_t n)
{
    return add(c, EVERY(_mm_set_epi64x(0, (long long)n)));
}

/* Counter c and those after it. */
INLINE void count(V *x, V c)
{
#define NEXT(i) x[i] = V_(shuffle_epi8)(add(c, LOAD(COUNT + BLOCKS * (i))), CONSTANT(REVERSED));
    for (size_t i = 0; i < ROWS_VECTORS; i++) NEXT(i)
#undef NEXT
}

/* Byte i of a lane is the number of the block there: sliced, as drawn in aria_x86.h. */
static const uint8_t INDEX[BLOCKS][16] = {
#define INDICES(i)                                                                                           \
    { i, BLOCKS + i, 2 * BLOCKS + i, 3 * BLOCKS + i, 4 * BLOCKS + i, 5 * BLOCKS + i, 6 * BLOCKS + i,         \
      7 * BLOCKS + i, 8 * BLOCKS + i, 9 * BLOCKS + i, 10 * BLOCKS + i, 11 * BLOCKS + i, 12 * BLOCKS + i,     \
      13 * BLOCKS + i, 14 * BLOCKS + i, 15 * BLOCKS + i },
    INDICES(0)
#if BLOCKS > 1
    INDICES(1)
#endif
#if BLOCKS > 2
    INDICES(2) INDICES(3)
#endif
#undef INDICES
};

/* In a batch of counters only the last byte moves, but for one carry into the others.  So the first round is
 * done as rows, for the counter before the carry and for that after it, with the last byte such that it adds
 * nothing: SB4(e2) = 0.
 * made: the bytes after the carry, and what they are more than before it. */
INLINE void first_round(const uint8_t *rk, V c, V made[2])
{
    const V last_byte = EVERY(_mm_set_epi64x((long long)(UINT64_C(0xff) << 56), 0));
    const V zero_made = EVERY(_mm_set_epi64x((long long)(UINT64_C(0xe2) << 56), 0));
    V after;
#define FIRST_ROUND(c)                                                                                       \
    F(XOR(ANDNOT(last_byte, XOR(V_(shuffle_epi8)(c, CONSTANT(REVERSED)), CONSTANT(rk))), zero_made), 0)
    after = FIRST_ROUND(add_number(c, 256));
    made[0] = XOR(after, CONSTANT(rk + 16));
    made[1] = XOR(FIRST_ROUND(c), after);
#undef FIRST_ROUND
}

#define SUMS (KEY_SIZE / sizeof(V))
INLINE void spread_sums(V *sums, const V made[2])
{
    spread(sums, made[0]);
    spread(sums + SUMS, made[1]);
}

/* The counters from c on, enciphered, XORed to a batch at in unless in is NULL, to out.  Then sums are those of the next
 * batch, unless made is NULL. */
INLINE void ctr_batch(const uint8_t *rk, int rounds, const V *keys, V *sums, const V *made, V c, uint8_t *out,
                      const uint8_t *in)
{
    const size_t stray = STRAY(rounds);
    const V low = EVERY(_mm_set_epi64x(0, 255));
    V x[16], k, last, unchanged;

    last = V_(shuffle_epi8)(AND(c, low), EVERY(_mm_setzero_si128()));
    last = V_(add_epi8)(last, LOAD(INDEX));
    unchanged = FOLLOW_SB(NOT_LESS(last, LOAD(INDEX)), 1);
    last = SB4(XOR(last, V_(shuffle_epi8)(CONSTANT(rk), EVERY(_mm_set1_epi8(15)))));
#define FIRST(i) x[i] = XOR_AND(KEY(sums, i), unchanged, KEY(sums + SUMS, i));
    ALL16(FIRST)
#undef FIRST
#define ADD_LAST(i) x[i] = XOR(x[i], last);
    ADD_LAST(1) ADD_LAST(2) ADD_LAST(4) ADD_LAST(5) ADD_LAST(8) ADD_LAST(10) ADD_LAST(15)
#undef ADD_LAST

    if (made != NULL) spread_sums(sums, made);
    rounds_from_2(x, keys + KEY_SIZE / sizeof(V), rounds, 0);
    k = CONSTANT(rk + 16 * rounds);
#define OUT(i) STORE(out + AT(i), XOR(x[i], k));
#define OUT_SUM(i) STORE(out + AT(i), XOR3(x[i], k, LOAD(in + AT(i))));
    if (in != NULL) { ALL16(OUT_SUM) } else { ALL16(OUT) }
#undef OUT
#undef OUT_SUM
}

/* ---- Any number of blocks.  More than ROWS of them are batches, as long as more than ROWS are left.  A rest has
 * functions of its own, because their frames are small (descriptor: few). */

SHARED void bulk_few(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    V x[ROWS_VECTORS];

    get(x, in, n);
    crypt_few(rk, rounds, x, n);
    put(out, x, n);
}

SHARED void bulk_batches(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    V keys[MAX_KEYS], x[16];

    spread_keys(keys, rk, rounds);
    while (n > ROWS) {
        const size_t m = n < BATCH ? n : BATCH;
        if (m < BATCH) get(x, in, m);
        ecb_batch(rk, rounds, keys, m < BATCH ? (uint8_t *)x : out, m < BATCH ? (const uint8_t *)x : in);
        if (m < BATCH) put(out, x, m);
        n -= m;
        out += 16 * m;
        in += 16 * m;
    }
    if (n) bulk_few(rk, rounds, out, in, n);
}

INLINE void bulk(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    if (n > ROWS) bulk_batches(rk, rounds, out, in, n);
    else if (n) bulk_few(rk, rounds, out, in, n);
}

SHARED void xex_few(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, const uint8_t *before,
                    const uint8_t *after, size_t n)
{
    V x[ROWS_VECTORS], y[ROWS_VECTORS];

    get(x, in, n);
    if (before != NULL) {
        get(y, before, n);
        for (size_t i = 0; i < (n + BLOCKS - 1) / BLOCKS; i++) x[i] = XOR(x[i], y[i]);
    }
    crypt_few(rk, rounds, x, n);
    put_bytes(out, x, after, 16 * n, NULL);
}

/* The last batch first.  It alone may be incomplete. */
SHARED void xex_batches(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, const uint8_t *before,
                        const uint8_t *after, size_t n)
{
    V keys[MAX_KEYS], x[16], y[16];

    spread_keys(keys, rk, rounds);
    while (n) {
        const size_t m = (n - 1) % BATCH + 1, at = 16 * (n - m);
        const int whole = m == BATCH;
        if (!whole) get(x, in + at, m);
        if (!whole && before != NULL) get(y, before + at, m);
        xex_batch(rk, rounds, keys, whole ? out + at : (uint8_t *)x, whole ? in + at : (const uint8_t *)x,
                  before == NULL ? NULL : whole ? before + at : (const uint8_t *)y, whole ? after + at : NULL);
        if (!whole) put_bytes(out + at, x, after + at, 16 * m, NULL);
        n -= m;
    }
}

INLINE void xex(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, const uint8_t *before,
                const uint8_t *after, size_t n)
{
    const size_t rest = n % BATCH, batches = rest <= ROWS ? n - rest : n, at = 16 * batches;

    if (batches < n)
        xex_few(rk, rounds, out + at, in + at, before == NULL ? NULL : before + at, after + at, n - batches);
    if (batches) xex_batches(rk, rounds, out, in, before, after, batches);
}

SHARED void cbc_few(const uint8_t *rk, int rounds, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t n)
{
    V x[ROWS_VECTORS], from[ROWS_VECTORS + 1];
    const __m128i last = BLOCK(in + 16 * (n - 1));

    from[0] = CONSTANT(iv);
    get(from + 1, in, n);
    get(x, in, n);
    crypt_few(rk, rounds, x, n);
    put_bytes(out, x, (const uint8_t *)(from + 1) - 16, 16 * n, NULL);
    _mm_storeu_si128((__m128i *)iv, last);
}

SHARED void cbc_batches(const uint8_t *rk, int rounds, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t n)
{
    V keys[MAX_KEYS], x[16], from[17], *const chain = from; /* the block before in, in every lane */

    *chain = CONSTANT(iv);
    spread_keys(keys, rk, rounds);
    for (; n >= BATCH; n -= BATCH, in += 16 * BATCH, out += 16 * BATCH) {
        const V first = MOVED_IN(LOAD(in), *chain);
        *chain = CONSTANT(in + 16 * (BATCH - 1)); /* now, for out may be in */
        ecb_batch(rk, rounds, keys, (uint8_t *)x, in);
        for (size_t i = 15; i > 0; i--) STORE(out + sizeof(V) * i, XOR(x[i], LOAD(in + sizeof(V) * i - 16)));
        STORE(out, XOR(x[0], first));
        __asm__("" : "+r"(n)); /* else gcc counts the batches before the loop, and the proof would have to know that it does */
    }
    if (n > ROWS) {
        const V last = CONSTANT(in + 16 * (n - 1));
        get(from + 1, in, n);
        get(x, in, n);
        ecb_batch(rk, rounds, keys, (uint8_t *)x, (const uint8_t *)x);
        put_bytes(out, x, (const uint8_t *)(from + 1) - 16, 16 * n, NULL);
        *chain = last;
        n = 0;
    }
    _mm_storeu_si128((__m128i *)iv, LOWEST(*chain));
    if (n) cbc_few(rk, rounds, iv, out, in, n);
}

/* CBC decryption. */
INLINE void cbc(const uint8_t *rk, int rounds, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t n)
{
    if (n > ROWS) cbc_batches(rk, rounds, iv, out, in, n);
    else if (n) cbc_few(rk, rounds, iv, out, in, n);
}

INLINE V counter_from(const uint8_t *counter) { return V_(shuffle_epi8)(CONSTANT(counter), CONSTANT(REVERSED)); }
INLINE void counter_to(uint8_t *counter, V c)
{
    _mm_storeu_si128((__m128i *)counter, LOWEST(V_(shuffle_epi8)(c, CONSTANT(REVERSED))));
}

SHARED void ctr_few(const uint8_t *rk, int rounds, uint8_t *counter, uint8_t *left, uint8_t *out, const uint8_t *in,
                    size_t len)
{
    const size_t n = (len + 15) / 16;
    const V c = counter_from(counter);
    V x[ROWS_VECTORS];

    counter_to(counter, add_number(c, n));
    count(x, c);
    crypt_few(rk, rounds, x, n);
    put_bytes(out, x, in, len, left);
}

SHARED void ctr_batches(const uint8_t *rk, int rounds, uint8_t *counter, uint8_t *left, uint8_t *out,
                        const uint8_t *in, size_t len)
{
    V keys[MAX_KEYS], x[16], sums[2 * SUMS], made[2];
    V c = counter_from(counter);

    spread_keys(keys, rk, rounds);
    first_round(rk, c, made);
    spread_sums(sums, made);
    while (len > 16 * ROWS) {
        const size_t m = len < 16 * BATCH ? len : 16 * BATCH;
        const int whole = m == 16 * BATCH, more = len > 16 * (BATCH + ROWS);
        const V next = add_number(c, (m + 15) / 16);
        if (more) first_round(rk, next, made); /* now, while this batch leaves time for it */
        ctr_batch(rk, rounds, keys, sums, more ? made : NULL, c, whole ? out : (uint8_t *)x, whole ? in : NULL);
        if (!whole) put_bytes(out, x, in, m, left);
        c = next;
        len -= m;
        out += m;
        if (in != NULL) in += m;
    }
    counter_to(counter, c);
    if (len) ctr_few(rk, rounds, counter, left, out, in, len);
}

INLINE void ctr_bytes(const uint8_t *rk, int rounds, uint8_t *counter, uint8_t *left, uint8_t *out, const uint8_t *in,
                      size_t len)
{
    if (len > 16 * ROWS) ctr_batches(rk, rounds, counter, left, out, in, len);
    else if (len) ctr_few(rk, rounds, counter, left, out, in, len);
}

/* ---- Key expansion (RFC 5794, 2.2). */

/* The diffusion layer on a block. */
INLINE V A_row(V x)
{
    return shuffled(EVERY(_mm_setzero_si128()), x, x, TERMS, x, x, TERMS + 4);
}

/* w turned right by n bits of 128; both with their bytes reversed. */
INLINE __m128i turned(__m128i w, int n)
{
    const __m128i exchanged = _mm_shuffle_epi32(w, 0x4e);
    return _mm_or_si128(_mm_srli_epi64(n < 64 ? w : exchanged, n % 64),
                        _mm_slli_epi64(n < 64 ? exchanged : w, 64 - n % 64));
}

/* The fractional part of 1/pi: C1, C2, C3, C1, C2.  CK1 is C1, C2, C3 for 128, 192, 256 bits. */
static const uint8_t C[5][16] = {
#define C1 { 0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0 }
#define C2 { 0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0 }
#define C3 { 0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e }
    C1, C2, C3, C1, C2
#undef C1
#undef C2
#undef C3
};

INLINE void expand(uint8_t *rk, const uint8_t *key, int rounds, int inverse)
{
    const uint8_t (*const CK)[16] = C + (rounds / 2 - 6);
    const __m128i reversed = BLOCK(REVERSED);
    __m128i KR = _mm_setzero_si128(), W[4];
    V w0, w1, w2, w3;

    if (rounds == 14) KR = _mm_loadl_epi64((const __m128i *)(key + 16));
    if (rounds == 16) KR = BLOCK(key + 16);
    w0 = CONSTANT(key);
    w1 = XOR(F(XOR(w0, CONSTANT(CK[0])), 0), EVERY(KR));
    w2 = XOR(F(XOR(w1, CONSTANT(CK[1])), 1), w0);
    w3 = XOR(F(XOR(w2, CONSTANT(CK[2])), 0), w1);
    W[0] = _mm_shuffle_epi8(LOWEST(w0), reversed);
    W[1] = _mm_shuffle_epi8(LOWEST(w1), reversed);
    W[2] = _mm_shuffle_epi8(LOWEST(w2), reversed);
    W[3] = _mm_shuffle_epi8(LOWEST(w3), reversed);

#define EK(i, turn)                                                                                          \
    if ((i) <= rounds) {                                                                                     \
        __m128i k = _mm_xor_si128(W[(i) % 4], turned(W[((i) + 1) % 4], turn));                               \
        k = _mm_shuffle_epi8(k, reversed);                                                                   \
        if (inverse && (i) != 0 && (i) != rounds) k = LOWEST(A_row(EVERY(k)));                               \
        _mm_storeu_si128((__m128i *)(rk + 16 * (inverse ? rounds - (i) : (i))), k);                          \
    }
#define FOUR(i, turn) EK(i, turn) EK(i + 1, turn) EK(i + 2, turn) EK(i + 3, turn)
    FOUR(0, 19)
    FOUR(4, 31)
    FOUR(8, 128 - 61)
    FOUR(12, 128 - 31)
    EK(16, 128 - 19)
#undef EK
#undef FOUR
}

SHARED void expand_forward(uint8_t *rk, const uint8_t *key, int rounds) { expand(rk, key, rounds, 0); }
SHARED void expand_inverse(uint8_t *rk, const uint8_t *key, int rounds) { expand(rk, key, rounds, 1); }

/* ---- Many keys.  A lane is the place of a block in a batch, and it has round keys of its own: memory holds a vector for
 * each byte of each round key. */

#define LANE_FEW 8
#define LANE_BLOCKS 32
enum { KEYS_WIDE = BATCH, AHEAD = HAECHI_LANES_BLOCKS / 16 / BATCH };

#include "../../core/x86_lanes.h"

/* n bytes at `at` in each key, which are filled up with zeros. */
INLINE void bytes_of_keys(V *x, const void *const *keys, size_t at, size_t n)
{
#define GET_BYTES(i) x[i] = pieces_of_keys(keys + BLOCKS * i, 1, at, n);
    ALL16(GET_BYTES)
    transpose(x);
}

/* result = A(SL1(w + c)) + key, or with SL2 if odd. */
INLINE void F_lanes(V *result, const V *w, const uint8_t *c, const V *key, int odd)
{
    V x[16];
#define IN_PLACE_OF(i) x[odd ? i : TURNED(i)] = XOR(w[i], BYTE(c[i]));
    ALL16(IN_PLACE_OF)
    if (odd) SL2(x);
    else SL1(x);
#define MOVE_BACK(i) x[i] = FOLLOW_SB(x[i], 3);
    ALL16(MOVE_BACK)
    if (odd) A(x, key, 1);
    else A_back(x, key, 1);
#define RESULT(i) result[i] = x[odd ? TURNED(i) : i];
    ALL16(RESULT)
}

/* scratch has room for W0 to W3 and KR. */
SHARED void expand_lanes(V *rk, V *scratch, const void *const *keys, int rounds)
{
    /* How far W[i + 1] is turned right for round key i, for each four of them. */
    static const uint8_t TURNS[5] = { 19, 31, 128 - 61, 128 - 31, 128 - 19 };
    const uint8_t (*const CK)[16] = C + (rounds / 2 - 6);
    V(*const W)[16] = (V(*)[16])scratch, *const KR = scratch + 4 * 16;

    bytes_of_keys(W[0], keys, 0, 16);
#define NO_BYTES(i) KR[i] = BYTE(0);
    if (rounds == 12) { ALL16(NO_BYTES) }
    else if (rounds == 14) bytes_of_keys(KR, keys, 16, 8);
    else bytes_of_keys(KR, keys, 16, 16);
    F_lanes(W[1], W[0], CK[0], KR, 0);
    F_lanes(W[2], W[1], CK[1], W[0], 1);
    F_lanes(W[3], W[2], CK[2], W[1], 0);
    for (int i = 0; i <= rounds; i++, rk += 16) {
        const V *const w = W[i % 4], *const turned_one = W[(i + 1) % 4];
        const int whole = TURNS[i / 4] / 8, bits = TURNS[i / 4] % 8;
        const __m128i right = _mm_cvtsi32_si128(bits), left = _mm_cvtsi32_si128(8 - bits);
        const V kept = BYTE(0xff >> bits), moved_in = BYTE(0xff << (8 - bits));
        V before = turned_one[(15 - whole) & 15];
        for (int j = 0; j < 16; j++) {
            const V now = turned_one[(j - whole) & 15];
            const V low = V_(srl_epi16)(now, right), high = V_(sll_epi16)(before, left);
            before = now;
            rk[j] = FOLLOW_SB(XOR3(w[j], AND(low, kept), AND(high, moved_in)), i);
        }
    }
}

INLINE void encrypt_lanes(const V *keys, int rounds, uint8_t *blocks, V *x)
{
    const size_t stray = STRAY(rounds);
    V y[16];
    transpose(x);
#define FIRST_KEY(i) y[TURNED(i)] = XOR(x[i], keys[i]);
    ALL16(FIRST_KEY)
    SL1(y);
    A_back(y, keys + 16, 1);
    rounds_from_2(y, keys + 2 * 16, rounds, 1);
#define OUT(i) STORE(blocks + AT(i), y[i]);
    ALL16(OUT)
#undef OUT
}

SHARED void crypt_lanes(const V *keys, int rounds, uint8_t *blocks)
{
    V x[16];
#define IN(i) x[i] = LOAD(blocks + sizeof(V) * i);
    ALL16(IN)
#undef IN
    encrypt_lanes(keys, rounds, blocks, x);
}

SHARED void crypt_counters(const V *keys, int rounds, uint64_t *high, uint64_t *low, uint8_t *blocks)
{
    V x[16];
    count_lanes(x, high, low, BATCH);
    encrypt_lanes(keys, rounds, blocks, x);
}

/* ---- The descriptors.  The inverse cipher is the cipher with other round keys. */

/* Bytes of stack.  With vectors of 256 bits gcc copies the tables of crypt_few to the stack.  The functions for batches end in
 * those for few blocks, whose frames come on top of their own. */
#define STACK (WIDTH == 256 ? 4864 : 6144)
#define FEW_STACK (WIDTH == 256 ? 2048 : 1024)

#define SIZE(bits, rounds)                                                                                   \
    TARGET static void expand_##bits(void *rk, const void *key)                                              \
    {                                                                                                        \
        expand_forward((uint8_t *)rk, (const uint8_t *)key, rounds);                                         \
    }                                                                                                        \
    TARGET static void expand_##bits##_inv(void *rk, const void *key)                                        \
    {                                                                                                        \
        expand_inverse((uint8_t *)rk, (const uint8_t *)key, rounds);                                         \
    }                                                                                                        \
    TARGET static void crypt_##bits(const void *rk, void *buf)                                               \
    {                                                                                                        \
        V x = CONSTANT(buf);                                                                                 \
        crypt_rows((const uint8_t *)rk, rounds, &x, 1);                                                      \
        _mm_storeu_si128((__m128i *)buf, LOWEST(x));                                                         \
    }                                                                                                        \
    TARGET static void bulk_##bits(const void *rk, void *out, const void *in, size_t n)                      \
    {                                                                                                        \
        bulk((const uint8_t *)rk, rounds, (uint8_t *)out, (const uint8_t *)in, n);                           \
    }                                                                                                        \
    TARGET static void cbc_##bits(const void *rk, uint8_t *iv, void *out, const void *in, size_t n)          \
    {                                                                                                        \
        cbc((const uint8_t *)rk, rounds, iv, (uint8_t *)out, (const uint8_t *)in, n);                        \
    }                                                                                                        \
    TARGET static void xex_##bits(const void *rk, void *out, const void *in, const void *before,             \
                                  const void *after, size_t n)                                               \
    {                                                                                                        \
        xex((const uint8_t *)rk, rounds, (uint8_t *)out, (const uint8_t *)in, (const uint8_t *)before,       \
            (const uint8_t *)after, n);                                                                      \
    }                                                                                                        \
    SHARED void ctr_bytes_##bits(const void *rk, uint8_t *counter, uint8_t *left, void *out, const void *in, \
                                 size_t n)                                                                   \
    {                                                                                                        \
        ctr_bytes((const uint8_t *)rk, rounds, counter, left, (uint8_t *)out, (const uint8_t *)in, n);       \
    }                                                                                                        \
    TARGET static void ctr_##bits(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)     \
    {                                                                                                        \
        if (n) ctr_bytes_##bits(rk, counter, NULL, out, in, 16 * n);                                         \
    }

#define DESCRIPTORS(kernel, bits, rounds, features)                                                          \
    SIZE(bits, rounds)                                                                                       \
    TARGET static void expand_lanes_##bits(void *rk, void *scratch, const void *const *keys)                 \
    {                                                                                                        \
        expand_lanes((V *)rk, (V *)scratch, keys, rounds);                                                   \
    }                                                                                                        \
    TARGET static void crypt_lanes_##bits(const void *rk, void *blocks)                                      \
    {                                                                                                        \
        crypt_lanes((const V *)rk, rounds, (uint8_t *)blocks);                                               \
    }                                                                                                        \
    TARGET static void count_##bits(const void *rk, uint64_t *high, uint64_t *low, void *blocks, size_t n)   \
    {                                                                                                        \
        uint8_t *to = (uint8_t *)blocks;                                                                     \
        for (; n; n--, to += 16 * BATCH) crypt_counters((const V *)rk, rounds, high, low, to);               \
    }                                                                                                        \
    static const struct haechi_lanes lanes_##bits = { KEYS_WIDE, LANE_FEW, LANE_BLOCKS, AHEAD,               \
                                                      16 * (rounds + 1) * sizeof(V), expand_lanes_##bits,    \
                                                      crypt_lanes_##bits, count_##bits, ADD_LANES };         \
    HAECHI_KERNEL(kernel##_##bits) = {                                                                       \
        .name = #kernel, .rk = 16 * (rounds + 1), .needs = features, .block = 16, .key = bits / 8,           \
        .flags = HAECHI_VECTOR, .expand = expand_##bits, .crypt = crypt_##bits, .bulk = bulk_##bits,         \
        .ctr = ctr_##bits, .ctr_bytes = ctr_bytes_##bits, .xex = xex_##bits, .stack = STACK, .few = ROWS,    \
        .few_stack = FEW_STACK, .lanes = &lanes_##bits                                                       \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_##bits##_inv) = {                                                                 \
        .name = #kernel, .rk = 16 * (rounds + 1), .needs = features, .block = 16, .key = bits / 8,           \
        .flags = HAECHI_INVERSE | HAECHI_VECTOR,                                                             \
        .expand = expand_##bits##_inv, .crypt = crypt_##bits, .bulk = bulk_##bits, .cbc = cbc_##bits,        \
        .xex = xex_##bits, .stack = STACK, .few = ROWS, .few_stack = FEW_STACK                               \
    }

#define ARIA(kernel, features)                                                                               \
    DESCRIPTORS(kernel, 128, 12, features);                                                                  \
    DESCRIPTORS(kernel, 192, 14, features);                                                                  \
    DESCRIPTORS(kernel, 256, 16, features)

#endif
