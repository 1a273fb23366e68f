/* haechi.h - LEA, HIGHT and ARIA, the Korean standard block ciphers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_lea128_key k;
 *     haechi_stream s = { { 0 }, { 0 }, 0 };          // the initial counter block goes into s.iv
 *     haechi_init(&k.key, sizeof k, &haechi_lea128, key, 16);
 *     haechi_ctr(&k.key, &s, out, in, len);           // as often as you like
 *     haechi_wipe(&k, sizeof k);
 *
 * Nothing allocates or keeps state between calls, nor, where there is a data cache, branches on secrets
 * or indexes by them.  All lengths are in bytes.  Pointers may have any alignment; out may equal in, and
 * must not overlap it otherwise.  A pointer may be NULL where its length is 0.
 *
 * Functions return 0 or a negative HAECHI_E...; on an error the output (len bytes at out, or the key
 * object) has been zeroed, and nothing else was written.  Keys, streams and generators hold no pointers
 * into themselves: they may be copied.
 *
 * After any call on a host, no 8 successive bytes of a key, of round keys, of what a mode derives from a key, of
 * plaintext or of a generator's state remain below the stack pointer.  This is tested, on x86-64, for gcc and clang at
 * -O2, -O3 and -Os, for the static library and for the shared one when it is linked with -z now.  The promise does not
 * cover registers, the frames of signal handlers, swap, and what the caller itself keeps.
 *
 * HIGHT is in wire order, byte i = P_i or MK_i, as deployed libraries have it: the key
 * 00112233445566778899aabbccddeeff maps 7766554433221100 to d8e643e5729fce23.  The standard
 * (ISO/IEC 18033-3) prints all three reversed. */
#ifndef HAECHI_H
#define HAECHI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; haechi_version tells that of the library. */
#define HAECHI_VERSION_MAJOR 0
#define HAECHI_VERSION_MINOR 1
#define HAECHI_VERSION_PATCH 0
#define HAECHI_VERSION "0.1.0"

/* Whoever builds the library for Windows defines HAECHI_EXPORTS, so that the DLL exports what headers declare. */
#if defined(_WIN32) && defined(HAECHI_EXPORTS)
#define HAECHI_API extern __attribute__((__dllexport__))
#elif defined(__ELF__) && !defined(__AVR__) && !defined(__MSP430__)
#define HAECHI_API extern __attribute__((__visibility__("default")))
#else
#define HAECHI_API extern
#endif

enum {
    HAECHI_OK = 0,
    HAECHI_EKEY = -1,   /* no such key: wrong length, NULL, or haechi_init had failed */
    HAECHI_ELEN = -2,   /* not a whole number of blocks; a nonce or tag too short or long; too little entropy */
    HAECHI_EAUTH = -3,  /* not equal: forged, damaged, or another key */
    HAECHI_EROOM = -4,  /* the key object is too small for this cipher */
    HAECHI_EUSE = -5,   /* wrong direction, a NULL buffer or a stream that was never zeroed */
    HAECHI_ELIMIT = -6, /* more than may be asked for, or given, at once */
    HAECHI_ERESEED = -7, /* fresh entropy must come first */
    HAECHI_ECPU = -8,   /* this CPU can run no kernel of the build */
    HAECHI_ETEST = -9   /* a self-test has failed: do not use what it tested */
};

HAECHI_API const char *haechi_version(void);

/* Machines with little memory: blocks go one at a time there. */
#if defined(__AVR__) || defined(__MSP430__) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')
#define HAECHI_MICRO 1
#else
#define HAECHI_MICRO 0
#endif

/* ---- Ciphers.  Only those a program names are linked.  _inv deciphers: ECB, CBC and XTS
 * decryption; all other modes need the forward cipher in both directions.
 * LEA: TTAK.KO-12.0223, ISO/IEC 29192-2.  HIGHT: TTAS.KO-12.0040, ISO/IEC 18033-3.  ARIA: RFC 5794. */
typedef const struct haechi_cipher_st haechi_cipher;
HAECHI_API haechi_cipher haechi_lea128, haechi_lea192, haechi_lea256;
HAECHI_API haechi_cipher haechi_lea128_inv, haechi_lea192_inv, haechi_lea256_inv;
HAECHI_API haechi_cipher haechi_hight, haechi_hight_inv;
HAECHI_API haechi_cipher haechi_aria128, haechi_aria192, haechi_aria256;
HAECHI_API haechi_cipher haechi_aria128_inv, haechi_aria192_inv, haechi_aria256_inv;

/* ---- Keys.  An expanded key is a head and room for round keys; constant once made, threads may share it. */
typedef struct {
    const void *impl;
} haechi_key;
#define HAECHI_ROOM(n)                                                                                       \
    union {                                                                                                  \
        haechi_key key;                                                                                      \
        uint32_t room[(sizeof(haechi_key) + (n) + 3) / 4];                                                   \
    }
typedef HAECHI_ROOM(384) haechi_lea128_key;
typedef HAECHI_ROOM(672) haechi_lea192_key;
typedef HAECHI_ROOM(768) haechi_lea256_key;
typedef HAECHI_ROOM(136) haechi_hight_key;
typedef HAECHI_ROOM(208) haechi_aria128_key;
typedef HAECHI_ROOM(240) haechi_aria192_key;
typedef HAECHI_ROOM(272) haechi_aria256_key;
typedef HAECHI_ROOM(768) haechi_any_key;

/* Expands key (len bytes, which must be the cipher's key length) into the size bytes at k.
 * HAECHI_EKEY: len is wrong, or c or key is NULL.  HAECHI_EROOM: size is too small.  HAECHI_ECPU: the build was made with
 * one kernel (-DHAECHI_LEA_KERNEL=lea_x86_avx512), whose instructions this CPU lacks. */
HAECHI_API int haechi_init(haechi_key *k, size_t size, haechi_cipher *c, const void *key, size_t len);

#if !HAECHI_MICRO
/* Returns the name of the kernel that the key uses, like "lea_x86_avx2"; NULL if haechi_init failed on the key.
 * haechi_cpu.h tells how to hold haechi_init back from a kernel.  On microcontrollers a build has one kernel for each
 * cipher (docs/kernels.md). */
HAECHI_API const char *haechi_kernel_name(const haechi_key *k);
#endif

/* Zeroes len bytes, if there is a p, in a way that compilers do not remove. */
HAECHI_API void haechi_wipe(void *p, size_t len);

/* 0 if len > 0 and the len bytes at a and b are equal, else HAECHI_EAUTH; time depends on len alone. */
HAECHI_API int haechi_verify(const void *a, const void *b, size_t len);

/* ---- Modes without authentication.  They hide what is said and prove nothing: whoever can change the
 * ciphertext changes the message.  HAECHI_EUSE: the key goes the other way. */

/* Electronic codebook: every block on its own, in the direction of the key.
 * HAECHI_ELEN: len is no multiple of the block size (LEA, ARIA 16 bytes; HIGHT 8). */
HAECHI_API int haechi_ecb(const haechi_key *k, void *out, const void *in, size_t len);

/* Cipher block chaining (SP 800-38A).  iv is one block, must be unpredictable, and is left ready for what
 * follows; to decrypt takes an inverse key.  HAECHI_ELEN: len is no multiple of the block size. */
HAECHI_API int haechi_cbc_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_cbc_decrypt(const haechi_key *inv, uint8_t *iv, void *out, const void *in, size_t len);

/* A stream's position.  Fill iv (HIGHT: its first 8 bytes) and zero the rest.  A position cannot tell its key: who goes on
 * with another key, or in another mode, gets no error and a wrong key stream. */
typedef struct {
    uint8_t iv[16];   /* CTR: the next counter block */
    uint8_t left[16]; /* CTR: the last block of key stream */
    uint8_t used;     /* how much of the block is spent; 0: all */
} haechi_stream;

/* Counter mode (SP 800-38A): encrypts and decrypts, any length, any split over calls.  The counter is the
 * whole block, big-endian, and wraps.  A key and counter block must never repeat; for HIGHT encrypt at
 * most 2^22 blocks (32 MiB) under one key (docs/limits.md). */
HAECHI_API int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

/* Output feedback and cipher feedback by whole blocks (SP 800-38A: OFB, CFB128, for HIGHT CFB64), any length,
 * any split; both directions take a forward key.  CFB8 feeds back byte by byte; its iv moves on.
 * haechi_legacy.h has CFB64 and CFB1. */
HAECHI_API int haechi_ofb(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb8_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb8_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);

/* CBC with ciphertext stealing (addendum to SP 800-38A): a whole message, as long encrypted as it is.  iv is one block
 * and stays as it is.  variant is 1, 2 or 3, for CBC-CS1, -CS2 and -CS3: they differ in the order of the last two
 * blocks.  Kerberos has 3.  To decrypt takes an inverse key.
 * HAECHI_ELEN: len is below the block size.  HAECHI_EUSE: no such variant. */
HAECHI_API int haechi_cbc_cts_encrypt(const haechi_key *k, const uint8_t *iv, unsigned variant, void *out,
                                      const void *in, size_t len);
HAECHI_API int haechi_cbc_cts_decrypt(const haechi_key *inv, const uint8_t *iv, unsigned variant, void *out,
                                      const void *in, size_t len);

/* XTS with ciphertext stealing (IEEE 1619, SP 800-38E), for what is stored in sectors.  LEA and ARIA. */
typedef struct {
    const void *impl;
} haechi_xts;
#define HAECHI_XTS_ROOM(key_type)                                                                            \
    union {                                                                                                  \
        haechi_xts xts;                                                                                      \
        key_type room[2];                                                                                    \
    }
typedef HAECHI_XTS_ROOM(haechi_any_key) haechi_any_xts;

/* key is two keys, len bytes in all: the first for the data, under c (forward to encrypt, inverse to
 * decrypt), the second for the tweak, under forward, the same cipher's forward one.
 * HAECHI_EKEY: wrong len, the halves are equal, or NULL.  HAECHI_EROOM: size is too small.  HAECHI_EUSE: a
 * block of 8 bytes, two ciphers, forward is not. */
HAECHI_API int haechi_xts_init(haechi_xts *x, size_t size, haechi_cipher *c, haechi_cipher *forward,
                               const void *key, size_t len);

/* One sector.  iv is 16 bytes: the sector's number, little-endian.
 * HAECHI_ELEN: len is below 16.  HAECHI_ELIMIT: above 2^24, 2^20 blocks. */
HAECHI_API int haechi_xts_encrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_xts_decrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len);

/* ---- Key wrap (SP 800-38F; RFC 3394, RFC 5649): encrypts and authenticates keys under a key-encryption key, without a
 * nonce, so that equal keys look equal.  LEA and ARIA; to unwrap takes an inverse key.   out may equal in.
 *
 * KW: keys of len bytes, 16 or more and a multiple of 8; out has len + 8 bytes.  Unwrapping, len counts the wrapped
 * key, and out has len - 8 bytes.  KWP: keys of 1 to 2^32 - 1 bytes; out has HAECHI_KWP_SIZE(len) bytes.  Unwrapping,
 * out has len - 8 bytes, and *outlen says how many of them are the key; the others are zero.
 * HAECHI_ELEN: no such length.  HAECHI_ELIMIT: too long.  HAECHI_EUSE: a block of 8 bytes, or the wrong direction.
 * HAECHI_EAUTH: not what was wrapped; out and *outlen are zero. */
#define HAECHI_KWP_SIZE(len) (((len) + 7) / 8 * 8 + 8)
HAECHI_API int haechi_kw_wrap(const haechi_key *k, void *out, const void *in, size_t len);
HAECHI_API int haechi_kw_unwrap(const haechi_key *inv, void *out, const void *in, size_t len);
HAECHI_API int haechi_kwp_wrap(const haechi_key *k, void *out, const void *in, size_t len);
HAECHI_API int haechi_kwp_unwrap(const haechi_key *inv, void *out, size_t *outlen, const void *in, size_t len);

/* ---- CMAC (SP 800-38B), any length, any split: zero s, update as often as you like, tag.
 * The tag's first taglen bytes come out, s is zero again.  HAECHI_ELEN: taglen is 0 or above the block size
 * (4 at least, 8 is wise).  Compare tags by haechi_verify.  For HIGHT: at most 2^21 messages a key. */
typedef struct {
    uint8_t x[16];
    uint8_t used;
} haechi_cmac;
HAECHI_API int haechi_cmac_update(const haechi_key *k, haechi_cmac *s, const void *in, size_t len);
HAECHI_API int haechi_cmac_tag(const haechi_key *k, haechi_cmac *s, void *tag, size_t taglen);

/* ---- Authenticated encryption.  Only the modes that a program names are linked.
 *
 *     mode   cipher      nonce (bytes)    tag (bytes)                    message at most
 *     GCM    LEA, ARIA   1 or more*       4, 8, 12 to 16                 2^36 - 32 bytes     SP 800-38D
 *     CCM    LEA, ARIA   7 to 13          4, 6, 8, 10, 12, 14, 16        2^(8(15 - nonce)) - 1 bytes, SP 800-38C
 *     EAX    all         1 or more        4 to the block size            docs/limits.md      Bellare, Rogaway, Wagner 2004
 *
 * * 12 bytes of nonce are much the fastest with GCM.
 * A nonce must never repeat under a key: with GCM and CCM one repetition lets others forge. */
typedef const struct haechi_mode_st haechi_mode;
HAECHI_API haechi_mode haechi_gcm, haechi_ccm, haechi_eax;

/* A key for a mode: what the mode derives from it, then the expanded key. */
typedef struct {
    const void *impl;
#if HAECHI_MICRO
    uint32_t derived[4];
#else
    uint64_t derived[64];
#endif
} haechi_aead;
#define HAECHI_AEAD_ROOM(key_type)                                                                           \
    union {                                                                                                  \
        haechi_aead aead;                                                                                    \
        struct {                                                                                             \
            haechi_aead head;                                                                                \
            key_type key;                                                                                    \
        } room;                                                                                              \
    }
typedef HAECHI_AEAD_ROOM(haechi_lea128_key) haechi_lea128_aead;
typedef HAECHI_AEAD_ROOM(haechi_lea192_key) haechi_lea192_aead;
typedef HAECHI_AEAD_ROOM(haechi_lea256_key) haechi_lea256_aead;
typedef HAECHI_AEAD_ROOM(haechi_hight_key) haechi_hight_aead;
typedef HAECHI_AEAD_ROOM(haechi_aria128_key) haechi_aria128_aead;
typedef HAECHI_AEAD_ROOM(haechi_aria192_key) haechi_aria192_aead;
typedef HAECHI_AEAD_ROOM(haechi_aria256_key) haechi_aria256_aead;
typedef HAECHI_AEAD_ROOM(haechi_any_key) haechi_any_aead;

/* As haechi_init, with a forward cipher.  HAECHI_EUSE: an inverse one, no mode, or not a block for this mode. */
HAECHI_API int haechi_aead_init(haechi_aead *a, size_t size, haechi_mode *m, haechi_cipher *c, const void *key,
                                size_t len);

/* Encrypts len bytes and makes the tag over nonce, aad (not encrypted) and them.  On an error out and tag have
 * been zeroed.  HAECHI_ELEN: a nonce or tag of a length that the mode has not.  HAECHI_ELIMIT: too long. */
HAECHI_API int haechi_seal(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                           void *out, const void *in, size_t len, void *tag, size_t taglen);

/* The way back.  HAECHI_EAUTH: not what was sealed; out is zero, and with GCM and EAX no plaintext was ever
 * written there (CCM must decrypt first).  haechi_stream.h has seal and open in pieces. */
HAECHI_API int haechi_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                           void *out, const void *in, size_t len, const void *tag, size_t taglen);

/* GMAC (SP 800-38D): the tag of GCM over len bytes at in, and no text.  haechi_open with these bytes as aad, or equal
 * tags by haechi_verify, check it.  A nonce must never repeat under a key.  Errors as haechi_seal has them; HAECHI_EUSE
 * also for the key of another mode. */
HAECHI_API int haechi_gmac(const haechi_aead *a, const void *nonce, size_t noncelen, const void *in, size_t len,
                           void *tag, size_t taglen);

/* ---- Random bytes: CTR_DRBG (SP 800-90A, 10.2.1).  The caller brings the entropy.  Only the kinds that a
 * program names are linked. */
typedef const struct haechi_drbg_kind_st haechi_drbg_kind;
HAECHI_API haechi_drbg_kind haechi_drbg_lea128, haechi_drbg_lea192, haechi_drbg_lea256;
HAECHI_API haechi_drbg_kind haechi_drbg_hight;
HAECHI_API haechi_drbg_kind haechi_drbg_aria128, haechi_drbg_aria192, haechi_drbg_aria256;

/* A generator's state; whoever has it knows all that comes, and nothing that came before.  A copy gives the
 * same bytes again.  haechi_wipe ends it: HAECHI_EKEY from then on.  Round keys live on the stack, during a
 * call only: it wants the size of the cipher's key object, and some 250 bytes on small machines, 10 KB on
 * hosts. */
typedef struct {
    haechi_drbg_kind *kind;
    uint8_t state[48]; /* Key, then V */
    uint32_t count;    /* of reads since the last entropy, and 1 */
    uint8_t flags;
} haechi_drbg;

enum {
    HAECHI_DRBG_NO_DF = 1,                /* the entropy is uniform: no derivation function */
    HAECHI_DRBG_PREDICTION_RESISTANCE = 2 /* every read wants a reseed of its own */
};

/* Makes a generator.  The entropy must be worth the key length in bits; person (may be empty) tells it from
 * others.  With the derivation function: entropy at least as long as the key, nonce at least half as long;
 * each at most 2^30 - 1 bytes (32767 where size_t has 16 bits).  Without: entropy exactly as long as key
 * and block together, no nonce, person at most that long.
 * HAECHI_EKEY: kind is NULL.  HAECHI_ELEN: wrong length of entropy or nonce.  HAECHI_ELIMIT: too long.
 * HAECHI_EUSE: unknown flags.  On an error the state has been zeroed. */
HAECHI_API int haechi_drbg_init(haechi_drbg *d, haechi_drbg_kind *kind, unsigned flags, const void *entropy,
                                size_t entropylen, const void *nonce, size_t noncelen, const void *person,
                                size_t personlen);

/* Fresh entropy, and additional input or none; lengths as above.  On an error the state is as it was. */
HAECHI_API int haechi_drbg_reseed(haechi_drbg *d, const void *entropy, size_t entropylen, const void *add,
                                  size_t addlen);

/* len random bytes; additional input or none, length as above.
 * HAECHI_ELIMIT: len is above 65536, for HIGHT above 1024.  HAECHI_ERESEED: reseed first: after 2^32 - 2
 * reads, or before each with prediction resistance; the additional input then goes to the reseed, and here
 * is HAECHI_EUSE.  On an error the state is as it was. */
HAECHI_API int haechi_drbg_read(haechi_drbg *d, void *out, size_t len, const void *add, size_t addlen);

/* The health test of SP 800-90A, 11.3, on an instance of its own: known answers of initialising, reading and reseeding,
 * with and without prediction resistance; the errors that must come; and that an ended instance holds nothing.  Returns
 * HAECHI_ETEST if anything was not as it should be.  Nobody has validated this library under FIPS 140 or KCMVP. */
HAECHI_API int haechi_drbg_test(haechi_drbg_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
