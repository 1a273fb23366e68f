/* felics.c - the scenarios of FELICS, in C, around the routines of one kernel.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * bench/measured/felics.py writes a file for each kernel that defines the following names and then includes this one:
 *
 *     BLOCK                        bytes of a block
 *     ENCRYPT(rk, block)           one block in place; DECRYPT likewise
 *     ENCRYPT_BY_FLASH(rk, block)  the same with round keys in flash, where that needs another routine
 *     COPIES                       bytes of round keys that scenario 2 copies to RAM, if the routine reads them only there
 *
 * Each scenario stands here twice, with bytes and with words of the machine.  Data, counter and IV are aligned to
 * words. */
#include "../../../src/core/kernel.h"

#if defined(__AVR__)
#define WORD uint8_t
#elif defined(__MSP430__)
#define WORD uint16_t
#else
#define WORD uint32_t
#endif

typedef WORD __attribute__((__may_alias__)) word;

#define DATA 128 /* bytes of scenario 1 */
#define MESSAGE 16 /* bytes of scenario 2 */

#if defined(COPIES)
#define TAKE_KEYS(rk)                                                                                        \
    uint8_t copy[COPIES];                                                                                    \
    for (uint16_t i = 0; i < COPIES; i++) copy[i] = HAECHI_READ(((const uint8_t *)rk)[i]);                   \
    rk = copy
#else
#define TAKE_KEYS(rk) (void)0
#endif

/* Scenario 1 encrypts and decrypts DATA bytes in CBC, in place.  Decryption begins at the last block, so that the
 * ciphertext before a block is still there.  Scenario 2 encrypts MESSAGE bytes in counter mode, in place, and moves the
 * last byte of the counter on. */
#define SCENARIOS(unit)                                                                                      \
    void felics_cbc_encrypt_##unit(unit *data, const void *rk, const unit *iv);                              \
    void felics_cbc_encrypt_##unit(unit *data, const void *rk, const unit *iv)                               \
    {                                                                                                        \
        const unit *const end = data + DATA / sizeof(unit);                                                  \
        do {                                                                                                 \
            for (uint8_t i = 0; i < BLOCK / sizeof(unit); i++) data[i] ^= iv[i];                             \
            ENCRYPT(rk, data);                                                                               \
            iv = data;                                                                                       \
            data += BLOCK / sizeof(unit);                                                                    \
        } while (data != end);                                                                               \
    }                                                                                                        \
    void felics_cbc_decrypt_##unit(unit *data, const void *rk, const unit *iv);                              \
    void felics_cbc_decrypt_##unit(unit *data, const void *rk, const unit *iv)                               \
    {                                                                                                        \
        unit *block = data + (DATA - BLOCK) / sizeof(unit);                                                  \
        for (;;) {                                                                                           \
            const unit *const before = block == data ? iv : block - BLOCK / sizeof(unit);                    \
            DECRYPT(rk, block);                                                                              \
            for (uint8_t i = 0; i < BLOCK / sizeof(unit); i++) block[i] ^= before[i];                        \
            if (block == data) break;                                                                        \
            block -= BLOCK / sizeof(unit);                                                                   \
        }                                                                                                    \
    }                                                                                                        \
    void felics_ctr_##unit(unit *data, const void *rk, unit *counter);                                       \
    void felics_ctr_##unit(unit *data, const void *rk, unit *counter)                                        \
    {                                                                                                        \
        unit stream[BLOCK / sizeof(unit)];                                                                   \
        TAKE_KEYS(rk);                                                                                       \
        for (uint8_t at = 0; at < MESSAGE; at += BLOCK) {                                                    \
            for (uint8_t i = 0; i < BLOCK / sizeof(unit); i++) stream[i] = counter[i];                       \
            ENCRYPT_BY_FLASH(rk, stream);                                                                    \
            for (uint8_t i = 0; i < BLOCK / sizeof(unit); i++) *data++ ^= stream[i];                         \
            ((uint8_t *)counter)[BLOCK - 1]++;                                                               \
        }                                                                                                    \
    }

SCENARIOS(uint8_t)
#if !defined(__AVR__)
SCENARIOS(word)
#endif
