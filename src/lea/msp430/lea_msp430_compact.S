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
#include "lea_msp430_schedule.h"
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

/* ---- Key schedules.  The one of LEA-128 reads the rotated delta of every word from flash, from r4 on up to r5. */

    .section .rodata.haechi_lea_msp430_compact_deltas_4, "a", %progbits
    .p2align 1
    .global PART(deltas_4)
    .type   PART(deltas_4), %object
PART(deltas_4):
    .Li = 0
    .rept 24
    .irp j, 0, 1, 2, 3
    delta   .Li%4, .Li+\j
    .long   .Ldelta
    .endr
    .Li = .Li+1
    .endr
    .size   PART(deltas_4), . - PART(deltas_4)

.macro expand put, step
    push_all r4, r5, r6, r7, r8, r9, r10
    .irp r, T0, T1, T2, T3
    mov     @key+, \r
    .endr
    mov     #PART(deltas_4), r4
    mov     #PART(deltas_4)+384, r5
    .if \step < 0
    add     #384+\step, rk
    .endif
1:
    add_next T0
    add_next T1
    add_next T2
    add_next T3
    Rotations_T
    \put    0
    add     #\step, rk
    cmp     r5, r4
    jne     1b
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

.macro add_next xL, xH
    add     @r4+, \xL
    addc    @r4+, \xH
.endm

FUNC PART(128_eks)
    expand  put_plain4, 16
ENDF

FUNC PART(128_dks)
    expand  put_inverse_plain4, -16
ENDF

/* ---- Key schedule of LEA-192 and LEA-256, K = 6 or 8.  Word n of all round keys is made from word n - K, and the
 * first K words from the key.  The key is therefore first copied to the places of the last rounds, which are written
 * last. The first loop makes plain round keys in the order of chain6, and the second loop XORs them.
 *
 *     r12      r13      r11      r10     r9    r14, r15  r7, r8   r6
 *     round i  i - 1    i - 2    deltas  end   a word    delta    scratch     */

/* .Lat = the place of RK j in its round. */
.macro place j, inverse
    .Lat = 20-4*(\j)
    .if \inverse
    .Lat = 4*(\j)
    .endif
.endm

.macro copy_key_word j, inverse, at
    place   \j, \inverse
    mov     @key+, r14
    mov     r14, \at+.Lat(rk)
    mov     @key+, r14
    mov     r14, \at+.Lat+2(rk)
.endm

.macro RoundKeyWord K, j, inverse
    .if \K == 6
    place   \j, \inverse
    mov     .Lat(r13), r14
    mov     .Lat+2(r13), r15
    .elseif \j < 2
    place   \j+4, \inverse
    mov     .Lat(r11), r14
    mov     .Lat+2(r11), r15
    .else
    place   \j-2, \inverse
    mov     .Lat(r13), r14
    mov     .Lat+2(r13), r15
    .endif
    add_word r14, r15, r7, r8
    .if \j < 5
    ROL1    r7, r8                  ; delta <<< i+j+1
    .endif
    .if \j == 0
    ROL1    r14, r15
    .elseif \j == 1
    ROL3    r14, r15
    .elseif \j == 2
    ROL8    r14, r15, r6
    ROR2    r14, r15                ; <<< 6
    .elseif \j == 3
    ROL8    r14, r15, r6
    ROL3    r14, r15                ; <<< 11
    .elseif \j == 4
    ROR3    r14, r15                ; <<< 13, but for 16
    .else
    ROL1    r14, r15                ; <<< 17, but for 16
    .endif
    place   \j, \inverse
    .if \j < 4
    put     .Lat, r14, r15
    .else
    put     .Lat, r15, r14
    .endif
.endm

.macro xor_in_memory at, to
    xor     \at(rk), \to(rk)
    xor     \at+2(rk), \to+2(rk)
.endm

.macro expand_chain6 deltas, K, rounds, inverse
    push_all r6, r7, r8, r9, r10
    .Llast = 24*(\rounds-1)
    .Lstep = 24
    .if \inverse
    .Llast = 0
    .Lstep = -24
    .endif
    .if \K == 8
    copy_key_word 4, \inverse, .Llast-.Lstep
    copy_key_word 5, \inverse, .Llast-.Lstep
    .endif
    .irp j, 0, 1, 2, 3, 4, 5
    copy_key_word \j, \inverse, .Llast
    .endr
    mov     rk, r13                 ; round -1
    .if \K == 8
    mov     rk, r11                 ; round -2
    .endif
    .if \inverse
    .if \K == 8
    add     #24, r11
    .endif
    add     #24*(\rounds-1), rk     ; round 0
    .else
    add     #24*(\rounds-1), r13
    .if \K == 8
    add     #24*(\rounds-2), r11
    .endif
    .endif
    mov     #\deltas, r10
    mov     #\deltas+4*\rounds, r9
1:
    mov     @r10+, r7
    mov     @r10+, r8               ; delta[i mod K] <<< i
    .irp j, 0, 1, 2, 3, 4, 5
    RoundKeyWord \K, \j, \inverse
    .endr
    .if \K == 8
    mov     r13, r11
    .endif
    mov     rk, r13
    add     #.Lstep, rk
    cmp     r9, r10
    jne     1b

    .if \inverse
    mov     r13, rk                 ; the last round
    mov     rk, r9
    add     #24*(\rounds-1), r9     ; the first
    jmp     3f
2:
    add     #24, rk
    xor_in_memory 0, -4             ; RK5 ^ RK0'
3:
    xor_in_memory 8, 4              ; RK1 ^ RK2
    xor_in_memory 16, 12            ; RK3 ^ RK4
    .else
    mov     r13, r9                 ; the last round
    sub     #24*\rounds, rk
    jmp     3f
2:
    add     #24, rk
    xor_in_memory -4, 0             ; RK5 ^ RK0'
3:
    xor_in_memory 12, 16            ; RK1 ^ RK2
    xor_in_memory 4, 8              ; RK3 ^ RK4
    .endif
    cmp     r9, rk
    jne     2b
    pop_all r10, r9, r8, r7, r6
    ret
.endm

/* The deltas of all rounds, each rotated by the number of its round. */
.macro deltas name, K, rounds
    .section .rodata.\name, "a", %progbits
    .p2align 1
    .global \name
    .type   \name, %object
\name:
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li
    .long   .Ldelta
    .Li = .Li+1
    .endr
    .size   \name, . - \name
.endm

    deltas  PART(deltas_6), 6, 28
    deltas  PART(deltas_8), 8, 32

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
