/* haechi.h - LEA, HIGHT and ARIA, the Korean standard block ciphers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_lea128_key k;
 *     haechi_stream s = { { 0 }, { 0 }, 0 };          // the initial counter block goes into s.iv
 *     haechi_init(&k.key, sizeof k, &haechi_lea128, key, 16);
 *     haechi_ctr(&k.key, &s, out, in, len);           // as often as you like
 *     haechi_wipe(&k, sizeof k);
 *
 * The functions allocate no memory and keep no state between calls.  Where there is a data cache, they neither branch
 * on secrets nor use them as indices.  All lengths are in bytes.  Pointers may have any alignment.  out may be equal
 * to in and must not overlap it otherwise.  A pointer may be NULL where its length is 0.
 *
 * Functions return 0 or a negative HAECHI_E...  On an error they have zeroed the output (len bytes at out, or the key
 * object) and have written nothing else.  Keys, streams and generators hold no pointers into themselves, so that a
 * program may copy them.
 *
 * After any call on a host, no 8 successive bytes of a key, of round keys, of what a mode derives from a key, of
 * plaintext or of a generator's state remain below the stack pointer.  This is tested, on x86-64, for gcc and clang at
 * -O2, -O3 and -Os, for the static library and for the shared one when it is linked with -z now.  The promise does not
 * cover registers, the frames of signal handlers, swap, and what the caller itself keeps.
 *
 * HIGHT is in wire order, as deployed libraries have it: byte i of a block is P_i of the standard, byte i of a key
 * MK_i.  The key 00112233445566778899aabbccddeeff maps 7766554433221100 to d8e643e5729fce23.  The standard (ISO/IEC
 * 18033-3) prints all three with their bytes reversed. */
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
    HAECHI_EKEY = -1,   /* there is no such key: its length is wrong, it is NULL, or haechi_init failed on it */
    HAECHI_ELEN = -2,   /* the text is not whole blocks; a nonce, tag or entropy is too short or long */
    HAECHI_EAUTH = -3,  /* tags differ: the message was forged or damaged, or the key is another one */
    HAECHI_EROOM = -4,  /* the key object is too small for this cipher */
    HAECHI_EUSE = -5,   /* the key has the wrong direction, a buffer is NULL, or a stream was never zeroed */
    HAECHI_ELIMIT = -6, /* the caller gives or asks for more than one call or one key allows */
    HAECHI_ERESEED = -7, /* the generator needs fresh entropy first */
    HAECHI_ECPU = -8,   /* this CPU can run no kernel of the build */
    HAECHI_ETEST = -9   /* a self-test has failed: do not use what it tested */
};

/* Returns the version of the library, as HAECHI_VERSION has it. */
HAECHI_API const char *haechi_version(void);

/* Machines with little memory: the library processes one block at a time there.  A build may define HAECHI_MICRO as 1 or
 * 0 itself; it then does so for the library and for every file that includes this header. */
#if !defined(HAECHI_MICRO)
#if defined(__AVR__) || defined(__MSP430__) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')
#define HAECHI_MICRO 1
#elif (defined(__riscv) || defined(__XTENSA__)) && !defined(__unix__) /* without an operating system */
#define HAECHI_MICRO 1
#else
#define HAECHI_MICRO 0
#endif
#endif

/* ---- Ciphers.  The linker takes only those that a program names.  A name that ends in _inv stands for the
 * decryption of blocks, which ECB, CBC and XTS need to decrypt.  All other modes take the forward cipher in both
 * directions.
 * LEA: TTAK.KO-12.0223, ISO/IEC 29192-2.  HIGHT: TTAS.KO-12.0040, ISO/IEC 18033-3.  ARIA: RFC 5794. */
typedef const struct haechi_cipher_st haechi_cipher;
HAECHI_API haechi_cipher haechi_lea128, haechi_lea192, haechi_lea256;
HAECHI_API haechi_cipher haechi_lea128_inv, haechi_lea192_inv, haechi_lea256_inv;
HAECHI_API haechi_cipher haechi_hight, haechi_hight_inv;
HAECHI_API haechi_cipher haechi_aria128, haechi_aria192, haechi_aria256;
HAECHI_API haechi_cipher haechi_aria128_inv, haechi_aria192_inv, haechi_aria256_inv;

/* ---- Keys.  An expanded key is a header and room for round keys.  No call changes it after haechi_init, so that
 * threads may share it. */
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

/* Zeroes len bytes at p in a way that compilers do not remove.  Does nothing if p is NULL. */
HAECHI_API void haechi_wipe(void *p, size_t len);

/* Returns 0 if len > 0 and the len bytes at a and b are equal, else HAECHI_EAUTH.  The time depends on len alone. */
HAECHI_API int haechi_verify(const void *a, const void *b, size_t len);

/* ---- Modes without authentication.  They hide the content of a message but do not protect it: whoever can change
 * the ciphertext changes the message.  HAECHI_EUSE: the key has the wrong direction. */

/* Electronic codebook: encrypts or decrypts every block by itself, in the direction of the key.
 * HAECHI_ELEN: len is no multiple of the block size (16 bytes for LEA and ARIA, 8 for HIGHT). */
HAECHI_API int haechi_ecb(const haechi_key *k, void *out, const void *in, size_t len);

/* Cipher block chaining (SP 800-38A).  iv is one block and must be unpredictable.  The call leaves in it the iv for
 * the blocks that follow.  Decryption takes an inverse key.  HAECHI_ELEN: len is no multiple of the block size. */
HAECHI_API int haechi_cbc_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_cbc_decrypt(const haechi_key *inv, uint8_t *iv, void *out, const void *in, size_t len);

/* A position in a stream.  Fill iv (its first 8 bytes for HIGHT) and zero the rest.  A position does not know its
 * key: a program that continues with another key, or in another mode, gets a wrong key stream and no error. */
typedef struct {
    uint8_t iv[16];   /* CTR: the next counter block */
    uint8_t left[16]; /* CTR: the last block of key stream */
    uint8_t used;     /* how many bytes of that block have been used; 0: all of them */
} haechi_stream;

/* Counter mode (SP 800-38A): encrypts and decrypts any number of bytes, which calls may split in any way.  The
 * counter is the whole block, big-endian, and wraps.  A counter block must never repeat under a key.  Encrypt at most
 * 2^22 blocks (32 MiB) under one key of HIGHT (docs/limits.md). */
HAECHI_API int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

/* Output feedback and cipher feedback by whole blocks (SP 800-38A: OFB and CFB128; CFB64 for HIGHT), for any number
 * of bytes, which calls may split in any way.  Both directions take a forward key.  CFB8 feeds back byte by byte and
 * leaves in iv the iv for the bytes that follow.  haechi_legacy.h has CFB64 and CFB1. */
HAECHI_API int haechi_ofb(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb8_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb8_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);

/* CBC with ciphertext stealing (addendum to SP 800-38A) for a whole message.  The ciphertext is as long as the
 * message.  iv is one block and stays as it is.  variant is 1, 2 or 3, for CBC-CS1, -CS2 and -CS3, which differ in
 * the order of the last two blocks; Kerberos uses 3.  Decryption takes an inverse key.
 * HAECHI_ELEN: len is below the block size.  HAECHI_EUSE: there is no such variant. */
HAECHI_API int haechi_cbc_cts_encrypt(const haechi_key *k, const uint8_t *iv, unsigned variant, void *out,
                                      const void *in, size_t len);
HAECHI_API int haechi_cbc_cts_decrypt(const haechi_key *inv, const uint8_t *iv, unsigned variant, void *out,
                                      const void *in, size_t len);

/* XTS with ciphertext stealing (IEEE 1619, SP 800-38E), for data that is stored in sectors, with LEA or ARIA. */
typedef struct {
    const void *impl;
} haechi_xts;
#define HAECHI_XTS_ROOM(key_type)                                                                            \
    union {                                                                                                  \
        haechi_xts xts;                                                                                      \
        key_type room[2];                                                                                    \
    }
typedef HAECHI_XTS_ROOM(haechi_any_key) haechi_any_xts;

/* key holds two keys, len bytes in all.  The first is for the data, under c (forward to encrypt, inverse to decrypt).
 * The second is for the tweak, under forward, which is the forward cipher that belongs to c.
 * HAECHI_EKEY: len is wrong, the halves are equal, or a pointer is NULL.  HAECHI_EROOM: size is too small.
 * HAECHI_EUSE: the block has 8 bytes, c and forward belong to two ciphers, or forward is an inverse cipher. */
HAECHI_API int haechi_xts_init(haechi_xts *x, size_t size, haechi_cipher *c, haechi_cipher *forward,
                               const void *key, size_t len);

/* One sector.  iv has 16 bytes: the number of the sector, little-endian.
 * HAECHI_ELEN: len is below 16.  HAECHI_ELIMIT: len is above 2^24, which is 2^20 blocks. */
HAECHI_API int haechi_xts_encrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len);
HAECHI_API int haechi_xts_decrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len);

/* ---- Key wrap (SP 800-38F; RFC 3394, RFC 5649) with LEA or ARIA: encrypts and authenticates a key under a
 * key-encryption key.  There is no nonce, so that equal keys give equal wrapped keys.  Unwrapping takes an inverse
 * key.  out may be equal to in.
 *
 * KW wraps keys of len bytes, 16 or more and a multiple of 8, and writes len + 8 bytes.  When unwrapping, len counts
 * the wrapped key, and len - 8 bytes are written.  KWP wraps keys of 1 to 2^32 - 1 bytes and writes
 * HAECHI_KWP_SIZE(len) bytes.  When unwrapping, it writes len - 8 bytes; *outlen says how many of them are the key,
 * and the others are zero.
 * HAECHI_ELEN: len cannot be a length of such a key.  HAECHI_ELIMIT: len is too large.  HAECHI_EUSE: the block has 8
 * bytes, or the key has the wrong direction.  HAECHI_EAUTH: this is not what was wrapped; out and *outlen are zero.
 * */
#define HAECHI_KWP_SIZE(len) (((len) + 7) / 8 * 8 + 8)
HAECHI_API int haechi_kw_wrap(const haechi_key *k, void *out, const void *in, size_t len);
HAECHI_API int haechi_kw_unwrap(const haechi_key *inv, void *out, const void *in, size_t len);
HAECHI_API int haechi_kwp_wrap(const haechi_key *k, void *out, const void *in, size_t len);
HAECHI_API int haechi_kwp_unwrap(const haechi_key *inv, void *out, size_t *outlen, const void *in, size_t len);

/* ---- CMAC (SP 800-38B) of any number of bytes, which calls may split in any way.  Zero s, call update as often as
 * you like, and then tag, which writes the first taglen bytes of the tag and zeroes s.  A tag should have 8 bytes or
 * more, and never fewer than 4.  Compare tags by haechi_verify.  Authenticate at most 2^21 messages under one key of
 * HIGHT.
 * HAECHI_ELEN: taglen is 0 or above the block size. */
typedef struct {
    uint8_t x[16];
    uint8_t used;
} haechi_cmac;
HAECHI_API int haechi_cmac_update(const haechi_key *k, haechi_cmac *s, const void *in, size_t len);
HAECHI_API int haechi_cmac_tag(const haechi_key *k, haechi_cmac *s, void *tag, size_t taglen);

/* CMAC of a whole message in one call, with what haechi_cmac_derive has computed of the key: each tag then takes one block
 * less than by the calls above, which is up to half of the time for a short message.  The subkey is as secret as the key,
 * and belongs to this key alone.  Errors of haechi_cmac_message are those above, and the tag is zeroed then.
 * HAECHI_EKEY: also, haechi_cmac_derive has not filled l. */
typedef struct {
    uint8_t l[16];
    uint8_t derived;
} haechi_cmac_subkey;
HAECHI_API int haechi_cmac_derive(const haechi_key *k, haechi_cmac_subkey *l);
HAECHI_API int haechi_cmac_message(const haechi_key *k, const haechi_cmac_subkey *l, const void *in, size_t len, void *tag,
                                   size_t taglen);

/* ---- Authenticated encryption.  The linker takes only the modes that a program names.
 *
 *     mode   cipher      nonce (bytes)    tag (bytes)                    message at most
 *     GCM    LEA, ARIA   1 or more*       4, 8, 12 to 16                 2^36 - 32 bytes     SP 800-38D
 *     CCM    LEA, ARIA   7 to 13          4, 6, 8, 10, 12, 14, 16        2^(8(15 - nonce)) - 1 bytes, SP 800-38C
 *     EAX    all         1 or more        4 to the block size            docs/limits.md      Bellare, Rogaway, Wagner 2004
 *
 * * GCM is fastest by far with a nonce of 12 bytes.
 * A nonce must never repeat under a key: with GCM and CCM one repetition lets others forge messages. */
typedef const struct haechi_mode_st haechi_mode;
HAECHI_API haechi_mode haechi_gcm, haechi_ccm, haechi_eax;

/* A key for a mode: what the mode derives from the key, and then the expanded key. */
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

/* Does what haechi_init does, for a forward cipher and a mode.  HAECHI_EUSE: c is an inverse cipher, m is NULL, or
 * the mode does not take blocks of this size. */
HAECHI_API int haechi_aead_init(haechi_aead *a, size_t size, haechi_mode *m, haechi_cipher *c, const void *key,
                                size_t len);

/* Encrypts len bytes and computes the tag over the nonce, aad (which stays in plaintext) and the message.  On an
 * error it has zeroed out and tag.  HAECHI_ELEN: the mode has no nonces or no tags of this length.  HAECHI_ELIMIT: a
 * message or aad is too long. */
HAECHI_API int haechi_seal(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                           void *out, const void *in, size_t len, void *tag, size_t taglen);

/* Verifies and decrypts.  HAECHI_EAUTH: this is not what was sealed.  Then out is zero, and with GCM and EAX no
 * plaintext was ever written there (CCM must decrypt first).  haechi_stream.h has seal and open in pieces,
 * haechi_jobs.h for many messages in one call. */
HAECHI_API int haechi_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                           void *out, const void *in, size_t len, const void *tag, size_t taglen);

/* GMAC (SP 800-38D): the tag of GCM over len bytes at in as aad, with an empty message.  To check it, call
 * haechi_open with these bytes as aad, or compute the tag again and compare by haechi_verify.  A nonce must never
 * repeat under a key.  Errors are those of haechi_seal; HAECHI_EUSE also means that the key is for another mode. */
HAECHI_API int haechi_gmac(const haechi_aead *a, const void *nonce, size_t noncelen, const void *in, size_t len,
                           void *tag, size_t taglen);

/* ---- Random bytes: CTR_DRBG (SP 800-90A, 10.2.1).  The caller provides the entropy.  The linker takes only the
 * kinds that a program names. */
typedef const struct haechi_drbg_kind_st haechi_drbg_kind;
HAECHI_API haechi_drbg_kind haechi_drbg_lea128, haechi_drbg_lea192, haechi_drbg_lea256;
HAECHI_API haechi_drbg_kind haechi_drbg_hight;
HAECHI_API haechi_drbg_kind haechi_drbg_aria128, haechi_drbg_aria192, haechi_drbg_aria256;

/* The state of a generator.  Whoever knows it can compute all later output, but no earlier one.  A copy gives the
 * same bytes again.  haechi_wipe ends a generator; all calls then return HAECHI_EKEY.  Round keys are on the stack,
 * and only during a call.  A call needs as much stack as the cipher's key object has bytes, and some 250 bytes more
 * on microcontrollers or 10 KB more on hosts. */
typedef struct {
    haechi_drbg_kind *kind;
    uint8_t state[48]; /* Key, then V */
    uint32_t count;    /* the number of reads since the last entropy, plus 1 */
    uint8_t flags;
} haechi_drbg;

enum {
    HAECHI_DRBG_NO_DF = 1,                /* the entropy is uniform; do without the derivation function */
    HAECHI_DRBG_PREDICTION_RESISTANCE = 2 /* every read needs a reseed before it */
};

/* Makes a generator.  The entropy must have at least as many bits of security as the key has bits.  person is a
 * personalisation string, which distinguishes this generator from others and may be empty.  With the derivation
 * function, entropy is at least as long as the key, nonce at least half as long, and each input has at most 2^30 - 1
 * bytes (32767 where size_t has 16 bits).  Without it, entropy is exactly as long as key and block together, nonce is
 * empty, and person is at most that long.
 * HAECHI_EKEY: kind is NULL.  HAECHI_ELEN: entropy or nonce has a wrong length.  HAECHI_ELIMIT: an input is too long.
 * HAECHI_EUSE: flags are unknown.  On an error it has zeroed the state. */
HAECHI_API int haechi_drbg_init(haechi_drbg *d, haechi_drbg_kind *kind, unsigned flags, const void *entropy,
                                size_t entropylen, const void *nonce, size_t noncelen, const void *person,
                                size_t personlen);

/* Takes fresh entropy, and additional input, which may be empty.  The lengths are those of haechi_drbg_init.  On an
 * error the state is as it was. */
HAECHI_API int haechi_drbg_reseed(haechi_drbg *d, const void *entropy, size_t entropylen, const void *add,
                                  size_t addlen);

/* Writes len random bytes.  Additional input may be empty; its length is as above.
 * HAECHI_ELIMIT: len is above 65536, or above 1024 for HIGHT.  HAECHI_ERESEED: the generator needs a reseed: after
 * 2^32 - 2 reads, and before each read with prediction resistance.  There the additional input goes to the reseed;
 * here it is HAECHI_EUSE.  On an error the state is as it was. */
HAECHI_API int haechi_drbg_read(haechi_drbg *d, void *out, size_t len, const void *add, size_t addlen);

/* Runs the health test of SP 800-90A, 11.3, on an instance of its own: known answers after initialising, reading and
 * reseeding, with and without prediction resistance; the errors that must come; and that an ended instance holds no
 * state.  Returns HAECHI_ETEST if a check failed.  Nobody has validated this library under FIPS 140 or KCMVP. */
HAECHI_API int haechi_drbg_test(haechi_drbg_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
