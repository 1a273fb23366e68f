/* hight_toy.c - portable HIGHT with every slot of a descriptor filled, so that test_bench.py sees each of them used.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/hight/c/hight_c.c"

static void toy_blocks(void (*crypt)(const void *, void *), const void *rk, uint8_t *out, const uint8_t *in, size_t n)
{
    for (; n; n--, in += 8, out += 8) {
        for (int i = 0; i < 8; i++) out[i] = in[i];
        crypt(rk, out);
    }
}

static void toy_enc_bulk(const void *rk, void *out, const void *in, size_t n)
{
    toy_blocks(haechi_hight_c_enc, rk, (uint8_t *)out, (const uint8_t *)in, n);
}

static void toy_dec_bulk(const void *rk, void *out, const void *in, size_t n)
{
    toy_blocks(haechi_hight_c_dec, rk, (uint8_t *)out, (const uint8_t *)in, n);
}

static void toy_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n)
{
    uint8_t *o = (uint8_t *)out, stream[8];
    const uint8_t *i = (const uint8_t *)in;
    for (; n; n--, o += 8) {
        for (int j = 0; j < 8; j++) stream[j] = ctr[j];
        haechi_hight_c_enc(rk, stream);
        for (int j = 0; j < 8; j++) o[j] = i == NULL ? stream[j] : i[j] ^ stream[j];
        if (i != NULL) i += 8;
        for (int j = 7; j >= 0 && ++ctr[j] == 0; j--) {}
    }
}

HAECHI_KERNEL(hight_toy) = {
    .rk = ROUND_KEYS, .block = 8, .key = 16,
    .expand = haechi_hight_c_eks, .crypt = haechi_hight_c_enc, .bulk = toy_enc_bulk, .ctr = toy_ctr
};
HAECHI_KERNEL(hight_toy_inv) = {
    .rk = ROUND_KEYS, .block = 8, .key = 16, .flags = HAECHI_INVERSE,
    .expand = haechi_hight_c_eks, .crypt = haechi_hight_c_dec, .bulk = toy_dec_bulk
};
