/* lea_avr_compact.S - LEA for AVR in little flash at nearly full speed: loops of four rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_compact_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_compact_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_compact_128_dec(const void *rk, void *buf);
 *     void haechi_lea_avr_compact_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * lea_avr_fours.h has all but counter mode and the key schedule of LEA-128. */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#define KERNEL_NAME lea_avr_compact
#define PART(what) haechi_lea_avr_compact_##what

#include "lea_avr_fours.h"
#include "../../asm/avr_ctr_calls.h"

FUNC PART(128_eks)
    enter_eks_128
1:
    KeyRound_128 r28, r29
    cpi     ZL, lo8(PART(deltas_4)+96)
    again
    leave_eks_128
ENDF

/* ---- Counter mode. */

FUNC PART(128_ctr)
    ctr_by_calls PART(128_enc), 16
ENDF

FUNC PART(192_ctr)
    ctr_by_calls PART(192_enc), 16
ENDF

FUNC PART(256_ctr)
    ctr_by_calls PART(256_enc), 16
ENDF

    KERNEL lea_avr_compact_128, 16, 16, 384, 0, PART(128_eks), PART(128_enc), 0, PART(128_ctr)
    KERNEL lea_avr_compact_192, 16, 24, 672, 0, PART(192_eks), PART(192_enc), 0, PART(192_ctr)
    KERNEL lea_avr_compact_256, 16, 32, 768, 0, PART(256_eks), PART(256_enc), 0, PART(256_ctr)
    KERNEL lea_avr_compact_128_inv, 16, 16, 384, INVERSE, PART(128_eks), PART(128_dec)
    KERNEL lea_avr_compact_192_inv, 16, 24, 672, INVERSE, PART(192_eks), PART(192_dec)
    KERNEL lea_avr_compact_256_inv, 16, 32, 768, INVERSE, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"
