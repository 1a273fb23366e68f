/* fuzz_open.c - fuzzes haechi_open, and opening in pieces, with any lengths and bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * It checks that a sealed message opens; that a message with any change does not open, and the output is zero; that
 * pieces give the same result as the whole; that all other input is refused with zeros; and that nothing is read or
 * written outside the buffers. */
#include <haechi_stream.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(int right)
{
    if (!right) abort();
}

static int zero(const uint8_t *p, size_t n)
{
    while (n)
        if (p[--n]) return 0;
    return 1;
}

static uint8_t *copy(const uint8_t *p, size_t n) /* allocated exactly, for the sanitizer */
{
    uint8_t *const q = malloc(n + !n);
    if (n) memcpy(q, p, n);
    return q;
}

/* Opens in pieces, whose lengths are the cuts. */
static int in_pieces(const haechi_aead *a, const uint8_t *nonce, size_t noncelen, const uint8_t *aad,
                     size_t aadlen, uint8_t *out, const uint8_t *in, size_t n, const uint8_t *tag,
                     size_t taglen, uint8_t cuts)
{
    haechi_aead_stream s;
    int error = haechi_aead_begin(a, &s, nonce, noncelen, aadlen, n, taglen);
    for (size_t at = 0; at < aadlen && !error;) {
        const size_t m = cuts % 37u + 1 < aadlen - at ? cuts % 37u + 1 : aadlen - at;
        error = haechi_aead_aad(a, &s, aad + at, m);
        at += m;
    }
    for (size_t at = 0; at < n && !error;) {
        const size_t m = cuts + 1u < n - at ? cuts + 1u : n - at;
        error = haechi_aead_decrypt(a, &s, out + at, in + at, m);
        at += m;
    }
    return error ? error : haechi_aead_verify(a, &s, tag, taglen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[32] = { 1, 2, 3 };
    static const struct {
        haechi_cipher *c;
        size_t key;
    } kinds[] = {
        { &haechi_lea128, 16 }, { &haechi_lea256, 32 }, { &haechi_aria192, 24 }, { &haechi_hight, 16 }
    };
    haechi_mode *const modes[] = { &haechi_gcm, &haechi_ccm, &haechi_eax };
    haechi_any_aead a;
    uint8_t *nonce, *aad, *in, *tag, *out, *plain, made[16], cuts, place, bit, how;
    size_t noncelen, aadlen, taglen, n, kind, mode;
    int error, again;

    if (size < 8) return 0;
    kind = data[0] % 4u, mode = data[0] / 4u % 3, how = data[0] / 12;
    noncelen = data[1] % 40, aadlen = data[2], taglen = data[3] % 20, cuts = data[4], place = data[5],
    bit = data[6];
    data += 7, size -= 7;
    error = haechi_aead_init(&a.aead, sizeof a, modes[mode], kinds[kind].c, key, kinds[kind].key);
    check((error == HAECHI_OK) == (kind != 3 || mode == 2));
    if (error) return 0;
    if (noncelen > size) noncelen = size;
    nonce = copy(data, noncelen), data += noncelen, size -= noncelen;
    if (aadlen > size) aadlen = size;
    aad = copy(data, aadlen), data += aadlen, size -= aadlen;

    if (how & 1) { /* all of the message comes from the fuzzer */
        const size_t t = taglen < size ? taglen : size;
        n = size - t;
        in = copy(data, n), tag = copy(data + n, t), out = copy(data, n);
        error = haechi_open(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, t);
        check(error == HAECHI_EAUTH || error == HAECHI_ELEN || error == HAECHI_ELIMIT ||
              (error == 0 && t <= 4)); /* a tag of 4 bytes is right once in 2^32 tries */
        check(error == 0 || zero(out, n));
        again = in_pieces(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, t, cuts);
        check(again == error);
    } else {
        n = size;
        plain = copy(data, n), in = copy(data, n), out = copy(data, n);
        error =
            haechi_seal(&a.aead, nonce, noncelen, aad, aadlen, in, plain, n, made, taglen < 17 ? taglen : 16);
        tag = copy(made, 16);
        if (taglen > 16) taglen = 16;
        if (error) {
            check(zero(in, n));
            check(haechi_open(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, taglen) != HAECHI_OK &&
                  zero(out, n));
        } else {
            check(haechi_open(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, taglen) == HAECHI_OK);
            check(n == 0 || !memcmp(out, plain, n));
            check(in_pieces(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, taglen, cuts) ==
                  HAECHI_OK);
            check(n == 0 || !memcmp(out, plain, n));
            { /* changes one bit anywhere */
                uint8_t *const where[4] = { nonce, aad, in, tag };
                const size_t lengths[4] = { noncelen, aadlen, n, taglen };
                const size_t w = place % 4u, length = lengths[w];
                if (length) where[w][(place / 4u * 4u + bit / 8u) % length] ^= (uint8_t)(1 << bit % 8);
                error = haechi_open(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, taglen);
                check(error == (length ? HAECHI_EAUTH : HAECHI_OK));
                check(!length || zero(out, n));
                check(in_pieces(&a.aead, nonce, noncelen, aad, aadlen, out, in, n, tag, taglen, cuts) ==
                      error);
            }
        }
        free(plain);
    }
    free(nonce), free(aad), free(in), free(tag), free(out);
    return 0;
}
