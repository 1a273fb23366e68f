/* planted_modes.c - modes with one fault each, which test_proof_modes.py must find.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../src/haechi.h"

#define PLANTED(name) int haechi_planted_##name(const haechi_key *k, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len); \
    int haechi_planted_##name(const haechi_key *k, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len)

/* Branches on the plaintext, with the same result on both ways. */
PLANTED(branch)
{
    static volatile const uint8_t zero = 0;
    if (in[0] & 1) (void)zero;
    return haechi_cbc_encrypt(k, iv, out, in, len);
}

/* Leaves the plaintext on the stack. */
PLANTED(residue)
{
    const int result = haechi_cbc_encrypt(k, iv, out, in, len);
    volatile uint8_t copy[8];
    for (uint8_t i = 0; i < 8; i++) copy[i] = in[i];
    return result;
}

/* Writes a byte behind the output. */
PLANTED(beyond)
{
    out[len] = 0;
    return haechi_cbc_encrypt(k, iv, out, in, len);
}

/* Reads a byte before the input. */
PLANTED(before)
{
    volatile uint8_t byte = in[-1];
    (void)byte;
    return haechi_cbc_encrypt(k, iv, out, in, len);
}

/* Does not chain the first block. */
PLANTED(chain)
{
    for (uint8_t i = 0; i < 8; i++) iv[i] = 0;
    return haechi_cbc_encrypt(k, iv, out, in, len);
}

/* Is wrong for one plaintext alone. */
PLANTED(once)
{
    const int result = haechi_cbc_encrypt(k, iv, out, in, len);
    uint8_t same = 0;
    for (uint8_t i = 0; i < 8; i++) same |= in[i] ^ 0x5a;
    out[0] ^= (uint8_t)((uint16_t)(same - 1) >> 15);
    return result;
}

/* Answers an error. */
PLANTED(answer)
{
    (void)haechi_cbc_encrypt(k, iv, out, in, len);
    return 1;
}

/* Does not keep the last ciphertext block for the next call. */
PLANTED(state)
{
    uint8_t first[8];
    int result;
    for (uint8_t i = 0; i < 8; i++) first[i] = iv[i];
    result = haechi_cbc_encrypt(k, iv, out, in, len);
    for (uint8_t i = 0; i < 8; i++) iv[i] = first[i];
    return result;
}

/* Compares all bytes of the tag but the last. */
int haechi_planted_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, uint8_t *out,
                        const uint8_t *in, size_t len, const void *tag, size_t taglen);
int haechi_planted_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, uint8_t *out,
                        const uint8_t *in, size_t len, const void *tag, size_t taglen)
{
    return haechi_open(a, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen - 1);
}

/* Lets the ciphertext out where the tag is wrong. */
int haechi_planted_leak(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, uint8_t *out,
                        const uint8_t *in, size_t len, const void *tag, size_t taglen);
int haechi_planted_leak(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, uint8_t *out,
                        const uint8_t *in, size_t len, const void *tag, size_t taglen)
{
    const int result = haechi_open(a, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen);
    if (result) out[0] = in[0];
    return result;
}
