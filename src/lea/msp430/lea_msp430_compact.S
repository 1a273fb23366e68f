/* lea_msp430_compact.S - LEA for MSP430 in little flash at nearly full speed: loops of three or four rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key; dks expands the key for dec:
 *
 *     void haechi_lea_msp430_compact_128_eks(void *rk, const void *key);
 *     void haechi_lea_msp430_compact_128_dks(void *rk, const void *key);
 *     void haechi_lea_msp430_compact_128_enc(const void *rk, void *buf);
 *     void haechi_lea_msp430_compact_128_dec(const void *rk, void *buf);
 *     void haechi_lea_msp430_compact_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * lea_msp430_rounds.h draws the round keys and has the rounds.  The round keys are plain4 for
 * 128 bits of key, which takes no more RAM than the four different words of a round, and chain6 for the others. */
#if defined(__MSP430__)

#include "lea_msp430_inverse_rounds.h"
#include "lea_msp430_expand.h"
#include "lea_msp430_ctr.h"

#define PART(what) haechi_lea_msp430_compact_##what

/* ---- Encryption and decryption.  `end` holds the address where rk ends.  LEA-128 needs W4 too, so buf waits on the
 * stack. */

FUNC PART(128_enc)
#define end r13
    push_all r4, r5, r6, r7, r8, r9, r10, buf
    load_block
    mov     rk, end
    add     #384, end
1:
    Round_plain4 W0, W1, W2, W3, W4
    Round_plain4 W4, W1, W2, W0, W3
PART(128_late):
    Round_plain4 W3, W1, W2, W4, W0
    cmp     end, rk
    jne     1b
    pop     buf
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

.macro late_128
    push    buf
    mov     rk, end
    add     #384-32, end
    br      #PART(128_late)
.endm

FUNC PART(128_ctr)
    ctr_plain4 late_128
ENDF

FUNC PART(128_dec)
    push_all r4, r5, r6, r7, r8, r9, r10, buf
    load_block
    mov     rk, end
    add     #384, end
1:
    four_inverse_rounds_plain4 #31
    cmp     end, rk
    jne     1b
    pop     buf
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF
#undef end

#define end r4

.macro encrypt bits, rounds
    push_all r4, r5, r6, r7, r8, r9, r10
    load_block
    mov     rk, end
    add     #24*\rounds, end
1:
    Round_chain6 W0, W1, W2, W3
    Round_chain6 W1, W2, W3, W0
haechi_lea_msp430_compact_\bits\()_late:
    Round_chain6 W2, W3, W0, W1
    Round_chain6 W3, W0, W1, W2
    cmp     end, rk
    jne     1b
    xor     -4(rk), r11
    xor     -2(rk), r14             ; X3 without the last RK0
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

.macro decrypt rounds
    push_all r4, r5, r6, r7, r8, r9, r10
    load_block
    mov     rk, end
    add     #24*\rounds, end
    xor     @rk, r11
    xor     2(rk), r14              ; X3 with the last RK0
1:
    four_inverse_rounds_chain6 #31
    cmp     end, rk
    jne     1b
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

FUNC PART(192_enc)
    encrypt 192, 28
ENDF

FUNC PART(256_enc)
    encrypt 256, 32
ENDF

.macro late bits, rounds
    mov     rk, end
    add     #24*(\rounds-2), end
    br      #haechi_lea_msp430_compact_\bits\()_late
.endm

FUNC PART(192_ctr)
    ctr_chain6 7, late 192, 28
ENDF

FUNC PART(256_ctr)
    ctr_chain6 7, late 256, 32
ENDF

FUNC PART(192_dec)
    decrypt 28
ENDF

FUNC PART(256_dec)
    decrypt 32
ENDF

/* ---- Key schedules. */

    deltas  PART(deltas_4), 4, 24
    deltas  PART(deltas_6), 6, 28
    deltas  PART(deltas_8), 8, 32

.macro expand put, step
    expand_128 PART(deltas_4), \put, \step
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

FUNC PART(128_eks)
    expand  put_plain4, 16
ENDF

FUNC PART(128_dks)
    expand  put_inverse_plain4, -16
ENDF

FUNC PART(192_eks)
    expand_chain6 PART(deltas_6), 6, 28, 0
ENDF

FUNC PART(192_dks)
    expand_chain6 PART(deltas_6), 6, 28, 1
ENDF

FUNC PART(256_eks)
    expand_chain6 PART(deltas_8), 8, 32, 0
ENDF

FUNC PART(256_dks)
    expand_chain6 PART(deltas_8), 8, 32, 1
ENDF

    KERNEL lea_msp430_compact_128, 16, 16, 384, ALIGN2, PART(128_eks), PART(128_enc), 0, PART(128_ctr)
    KERNEL lea_msp430_compact_192, 16, 24, 672, ALIGN2, PART(192_eks), PART(192_enc), 0, PART(192_ctr)
    KERNEL lea_msp430_compact_256, 16, 32, 768, ALIGN2, PART(256_eks), PART(256_enc), 0, PART(256_ctr)
    KERNEL lea_msp430_compact_128_inv, 16, 16, 384, INVERSE|ALIGN2, PART(128_dks), PART(128_dec)
    KERNEL lea_msp430_compact_192_inv, 16, 24, 672, INVERSE|ALIGN2, PART(192_dks), PART(192_dec)
    KERNEL lea_msp430_compact_256_inv, 16, 32, 768, INVERSE|ALIGN2, PART(256_dks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"
