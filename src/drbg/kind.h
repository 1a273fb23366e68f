/* kind.h - a kind of generator is a constant that describes CTR_DRBG over one cipher.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_KIND_H
#define HAECHI_KIND_H

#include "../core/kernel.h"

/* A call of haechi_drbg_init, _reseed or _read on its way to the function whose stack frame has room for its keys. */
struct haechi_drbg_job;

struct haechi_drbg_kind_st {
    haechi_cipher *cipher;
    const uint8_t *constants; /* see below; if NULL, they are computed each time */
    int (*run)(struct haechi_drbg_job *j);
    uint8_t key, block; /* bytes */
    uint8_t chains;     /* the number of blocks that hold key and V together */
};

/* Does the job with room for an expanded key and for `chains` blocks. */
int haechi_drbg_work(struct haechi_drbg_job *j, haechi_key *k, size_t room, uint8_t *seed);

/* A faster haechi_wipe for machines where that one takes a tenth of a short read. */
void haechi_drbg_wipe(void *p, size_t len);

/* Kernels leave on the stack what they computed with, and a key that was expanded there would reveal the old state.
 * scrub_<kind> overwrites as many bytes as the frames of a kernel and of its callers here may take. */
#define HAECHI_DRBG_BELOW(blocklen) (!HAECHI_MICRO ? 8192 : (blocklen) == 8 ? 64 : 192)

/* HAECHI_DRBG_KIND(lea192, 24, 16, constants); defines haechi_drbg_lea192.  The kind makes the room for keys, because
 * C has no arrays of variable size here, and room for the largest cipher would cost the others stack.
 *
 * constants: what depends on the cipher alone.  These are the blocks in which the chains of the derivation function
 * begin, and then key and V after the first Update of a state of zeros with a seed of zeros. */
#define HAECHI_DRBG_CHAINS(keylen, blocklen) (((keylen) + 2 * (blocklen) - 1) / (blocklen))
#define HAECHI_DRBG_KIND(name, keylen, blocklen, constants)                                                  \
    static __attribute__((__noinline__)) void scrub_##name(void)                                             \
    {                                                                                                        \
        uint8_t below[HAECHI_DRBG_BELOW(blocklen)];                                                          \
        haechi_drbg_wipe(below, sizeof below);                                                               \
    }                                                                                                        \
    static int run_##name(struct haechi_drbg_job *j)                                                         \
    {                                                                                                        \
        struct {                                                                                             \
            haechi_##name##_key k;                                                                           \
            uint8_t seed[HAECHI_DRBG_CHAINS(keylen, blocklen) * (blocklen)];                                 \
        } room;                                                                                              \
        const int error = haechi_drbg_work(j, &room.k.key, sizeof room.k, room.seed);                        \
        haechi_drbg_wipe(&room, sizeof room);                                                                \
        scrub_##name();                                                                                      \
        return error;                                                                                        \
    }                                                                                                        \
    haechi_drbg_kind haechi_drbg_##name HAECHI_FLASH = {                                                     \
        &haechi_##name, constants, run_##name, keylen, blocklen, HAECHI_DRBG_CHAINS(keylen, blocklen)        \
    }

#endif
