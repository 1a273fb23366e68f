/* kernel.h - what a kernel is: one implementation of one cipher in one direction.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel file defines its functions and, after them, one descriptor for each key size and direction:
 * haechi_<file>[_<key bits>][_inv].  The ladder in kernels.h of each cipher names them, best first. */
#ifndef HAECHI_KERNEL_H
#define HAECHI_KERNEL_H

#include "../haechi.h"

#if !HAECHI_MICRO
/* The text of a lane in counter mode. */
struct haechi_text {
    const uint8_t *in;
    uint8_t *out;
    size_t len;
};

/* The cipher under many keys side by side.  Each key has a lane, and the lanes' blocks follow each other in memory. */
struct haechi_lanes {
    uint8_t width;  /* lanes */
    uint8_t few;    /* fewer keys are faster one by one, even with messages of one block; at least HAECHI_LANES_FEW */
    uint8_t most;   /* for messages of more blocks, a kernel's ctr_bytes under one key after the other is faster */
    uint8_t ahead;  /* counters of a lane that count encrypts at once */
    uint16_t rk;    /* bytes of expanded keys: at most HAECHI_LANES_RK */

    /* Takes `width` pointers to raw keys.  rk and scratch are aligned to 64. */
    void (*expand)(void *rk, void *scratch, const void *const *keys);
    void (*crypt)(const void *rk, void *blocks); /* one block a lane, in place */

    /* Encrypts the next n <= ahead counters of each lane, the first ones of all lanes before the second ones, and counts
     * on.  A counter is two numbers; of a block of 8 bytes it is low alone.  All these blocks fit in
     * HAECHI_LANES_BLOCKS bytes. */
    void (*count)(const void *rk, uint64_t *high, uint64_t *low, void *blocks, size_t n);

    /* Of n successive lanes, a multiple of 4: XORs the `ahead` blocks that count has made for each to as many bytes of its
     * text from byte `at` on.  blocks: those of the first of these lanes.  If NULL, mode/lanes.c XORs block after block. */
    void (*add)(const void *blocks, const struct haechi_text *text, size_t at, size_t n);
};
#define HAECHI_LANES 64          /* the greatest width */
#define HAECHI_LANES_FEW 4
#define HAECHI_LANES_BLOCKS 2048 /* so many bytes hold a block for each lane, or several */
#define HAECHI_LANES_RK 17408    /* for 17 round keys of 16 bytes in all lanes */
#define HAECHI_LANES_SCRATCH 6144
#endif

/* On microcontrollers (HAECHI_MICRO) a program has one kernel for each cipher, and it processes one block at a time.
 * */
struct haechi_kernel {
    uint16_t rk;    /* bytes of expanded key */
    uint16_t needs; /* CPU features, haechi_cpu.h; 0 on microcontrollers */
    uint8_t block;  /* bytes: 8 or 16 */
    uint8_t key;    /* bytes: 16, 24 or 32 */
    uint8_t flags;  /* HAECHI_INVERSE, HAECHI_ALIGN, HAECHI_VECTOR */

    void (*expand)(void *rk, const void *key);
    void (*crypt)(const void *rk, void *buf); /* one block, in place */

    /* Encrypts n blocks, in place or from one buffer to another.  If NULL, core loops over crypt. */
    void (*bulk)(const void *rk, void *out, const void *in, size_t n);

    /* Counter mode of n blocks; of the key stream alone if in is NULL.  Leaves the next counter block in ctr.  If
     * NULL, mode/ctr.c counts. */
    void (*ctr)(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);

#if !HAECHI_MICRO
    /* Counter mode of len > 0 bytes.  If they end inside a block, left receives the key stream of that block, and ctr
     * is the counter after it.  If NULL, mode/ctr.c computes what is left over after ctr. */
    void (*ctr_bytes)(const void *rk, uint8_t *ctr, uint8_t *left, void *out, const void *in, size_t len);

    /* Of inverse ciphers: CBC decryption of n blocks.  Leaves the last ciphertext block in iv.  If NULL, mode/cbc.c
     * chains the blocks. */
    void (*cbc)(const void *rk, uint8_t *iv, void *out, const void *in, size_t n);

    /* n blocks, each of which is XORed with other blocks before and after the cipher: out = E(in ^ before) ^ after.
     * before may be NULL, which stands for zeros.  The kernel goes from the last blocks to the first.  So in may be
     * out or begin one block before it, and after may be out.  If NULL, core loops over bulk. */
    void (*xex)(const void *rk, void *out, const void *in, const void *before, const void *after, size_t n);

    const char *name; /* of the kernel, without key size and direction */

    /* The bytes of stack that bulk, ctr, ctr_bytes, cbc and xex take with all that they call, a multiple of 128; 0 stands
     * for 8192.  Core overwrites as many bytes after each call of them. */
    uint16_t stack;

    /* For at most `few` blocks these functions and crypt take no more than few_stack bytes, and two blocks take hardly
     * longer than one.  0 and 0 stand for 1024 bytes that crypt takes. */
    uint16_t few_stack;
    uint8_t few;

    const struct haechi_lanes *lanes; /* NULL if there are none, as in all inverse ciphers */
#endif
};

/* HAECHI_NAMED("lea_c", 512) initialises name and stack in a descriptor of a kernel that microcontrollers may have too. */
#if HAECHI_MICRO
#define HAECHI_NAMED(kernel, bytes)
#else
#define HAECHI_NAMED(kernel, bytes) .name = kernel, .stack = bytes,
#endif

#define HAECHI_INVERSE 1 /* the kernel decrypts */
#define HAECHI_VECTOR 8  /* crypt loads and stores a block as one vector */
#if UINTPTR_MAX > 0xffff /* key and buffers must be at multiples of so many bytes; core takes care of that */
#define HAECHI_ALIGN 4
#else
#define HAECHI_ALIGN 2
#endif

/* Round keys follow the header of a haechi_key: they are aligned to 4 bytes on 32-bit machines, to 2 on 16-bit ones. */

/* Constants are in flash.  AVR needs special instructions to read them there. */
#if defined(__AVR__)
#include <avr/pgmspace.h>
#define HAECHI_FLASH __attribute__((__progmem__))
#define HAECHI_READ(x) /* a constant of one, two or four bytes */                                            \
    ((__typeof__(x))__builtin_choose_expr(                                                                   \
        sizeof(x) == 1, pgm_read_byte(&(x)),                                                                 \
        __builtin_choose_expr(sizeof(x) == 2, pgm_read_word(&(x)), pgm_read_dword(&(x)))))
#else
#define HAECHI_FLASH
#define HAECHI_READ(x) (x)
#endif

/* HAECHI_KERNEL(lea_c_128) = { ... }; defines a descriptor. */
#define HAECHI_KERNEL(name)                                                                                  \
    extern const struct haechi_kernel haechi_##name;                                                         \
    const struct haechi_kernel haechi_##name HAECHI_FLASH

/* haechi.h exports this one pointer, however long the ladder is: the size of the object is part of the ABI. */
struct haechi_cipher_st {
    const struct haechi_kernel *const *ladder;
};

/* HAECHI_CIPHER(lea128_inv, HAECHI_LEA_LADDER, _128_inv) defines haechi_lea128_inv.  A ladder is an X-macro: it
 * applies RUNG to the name of each kernel that this build has, best first, and passes on the suffix, which says key
 * size and direction.  On hosts NULL ends the array of kernels, because a build may name one kernel that the CPU
 * cannot run. */
#if HAECHI_MICRO
#define HAECHI_LADDER_END
#else
#define HAECHI_LADDER_END NULL
#endif
#define HAECHI_PASTE(kernel, suffix) haechi_##kernel##suffix
#define HAECHI_RUNG_DECLARE(kernel, suffix) extern const struct haechi_kernel HAECHI_PASTE(kernel, suffix);
#define HAECHI_RUNG_ADDRESS(kernel, suffix) &HAECHI_PASTE(kernel, suffix),
#define HAECHI_CIPHER(name, LADDER, suffix)                                                                  \
    LADDER(HAECHI_RUNG_DECLARE, suffix)                                                                      \
    static const struct haechi_kernel *const name##_ladder[] HAECHI_FLASH = {                                \
        LADDER(HAECHI_RUNG_ADDRESS, suffix) HAECHI_LADDER_END                                                \
    };                                                                                                       \
    haechi_cipher haechi_##name HAECHI_FLASH = { name##_ladder }

#if !HAECHI_MICRO
/* Returns the first kernel of the ladder that this CPU can run.  NULL: it can run none. */
const struct haechi_kernel *haechi_best(haechi_cipher *c);
#endif

/* The kernel of an expanded key, or NULL if haechi_init failed on it; and its round keys. */
static inline const struct haechi_kernel *haechi_kernel_of(const haechi_key *k)
{
    return k == NULL ? NULL : (const struct haechi_kernel *)k->impl;
}
static inline const void *haechi_round_keys(const haechi_key *k)
{
    return k + 1;
}

/* Whether a kernel that needs aligned addresses is given others.  addresses are ORed together.  No kernel for AVR needs
 * them. */
static inline int haechi_unaligned(const struct haechi_kernel *kernel, uintptr_t addresses)
{
#if defined(__AVR__)
    (void)kernel, (void)addresses;
    return 0;
#else
    return (kernel->flags & HAECHI_ALIGN) && addresses % HAECHI_ALIGN;
#endif
}

/* Compilers leave copies of secrets on the stack.  haechi_scrub overwrites the stack below its caller's frame, as far
 * as single blocks, key schedules and GHASH reach; haechi_scrub_kernel, as far as the kernel reaches with n blocks.
 * Microcontrollers do not overwrite the stack: the cards of the kernels say what these leave there. */
#if HAECHI_MICRO
#define haechi_expand haechi_init
#define haechi_scrub() (void)0
#define haechi_scrub_kernel(kernel, n) (void)0
#else
/* haechi_init without haechi_scrub, which the caller calls. */
int haechi_expand(haechi_key *k, size_t size, haechi_cipher *c, const void *key, size_t len);
void haechi_scrub(void);
void haechi_scrub_kernel(const struct haechi_kernel *kernel, size_t n);
void haechi_scrub_lanes(void); /* as far as lanes reach, with what the modes do in them */
extern uint32_t haechi_known_features; /* what haechi_features has found; 0 before its first call */
#endif

/* Processes one block in place, at any alignment, by crypt. */
void haechi_block(const haechi_key *k, void *buf);

/* Whether two blocks take hardly longer than one: then haechi_pair processes two, in place, in as much stack as
 * haechi_block takes. */
static inline int haechi_pairs(const haechi_key *k)
{
#if HAECHI_MICRO
    (void)k;
    return 0;
#else
    return haechi_kernel_of(k)->few > 1;
#endif
}
static inline void haechi_pair(const haechi_key *k, void *buf)
{
    haechi_kernel_of(k)->bulk(haechi_round_keys(k), buf, buf, 2);
}

/* Processes n blocks, at any alignment, by the kernel of the key: by bulk if it has one. */
void haechi_blocks(const haechi_key *k, void *out, const void *in, size_t n);

#if !HAECHI_MICRO
/* The same with other blocks XORed before and after, as struct haechi_kernel says of xex. */
void haechi_xex(const haechi_key *k, void *out, const void *in, const void *before, const void *after, size_t n);
#endif

/* The check that every mode makes first.  HAECHI_EUSE: a buffer of len > 0 bytes is NULL, or the direction of the key
 * is not that of flags (0 or HAECHI_INVERSE).  HAECHI_EKEY: there is no key. */
int haechi_usable(const haechi_key *k, uint8_t flags, const void *out, const void *in, size_t len);

/* Zeroes the len bytes at out unless out is NULL; returns the error. */
int haechi_refuse(void *out, size_t len, int error);

/* haechi_usable with a forward key for one buffer and a state that has used `used` bytes of a block.  A state that
 * was zeroed before its first use always has at least `spare` bytes of the block left: fewer are HAECHI_EUSE. */
int haechi_admit(const haechi_key *k, uint8_t used, uint8_t spare, const void *buffer, size_t len);

/* These two read the descriptor of a key that haechi_init has made. */
static inline uint8_t haechi_flags(const haechi_key *k)
{
    return HAECHI_READ(((const struct haechi_kernel *)k->impl)->flags);
}

static inline uint8_t haechi_block_size(const haechi_key *k)
{
    return HAECHI_READ(((const struct haechi_kernel *)k->impl)->block);
}

#endif
