/* lea_msp430.S - LEA for MSP430 at full speed: rounds unrolled, and the key schedule of LEA-128.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key; dks expands the key for dec:
 *
 *     void haechi_lea_msp430_128_eks(void *rk, const void *key);
 *     void haechi_lea_msp430_128_dks(void *rk, const void *key);
 *     void haechi_lea_msp430_128_enc(const void *rk, void *buf);
 *     void haechi_lea_msp430_128_dec(const void *rk, void *buf);
 *     void haechi_lea_msp430_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * lea_msp430_rounds.h draws the round keys and has the rounds.  The round keys are plain4 for encryption with
 * 128 bits of key, chain6 for everything else. */
#if defined(__MSP430__)

#include "lea_msp430_inverse_rounds.h"
#include "lea_msp430_schedule.h"
#include "lea_msp430_ctr.h"

#define PART(what) haechi_lea_msp430_##what

/* ---- Encryption, counter mode, decryption. */

FUNC PART(128_enc)
    push_all r4, r5, r6, r7, r8, r9, r10
    load_block
    Round_plain4 W0, W1, W2, W3, W4
    Round_plain4 W4, W1, W2, W0, W3
PART(128_late):
    Round_plain4 W3, W1, W2, W4, W0
    .rept 7
    three_rounds_plain4
    .endr
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

/* Counter mode goes on at <bits>_late.  It has r4 on its own stack frame, as these rounds do not use r4. */
.macro encrypt bits, fours
    push_all r5, r6, r7, r8, r9, r10
    load_block
    Round_chain6 W0, W1, W2, W3
    Round_chain6 W1, W2, W3, W0
haechi_lea_msp430_\bits\()_late:
    Round_chain6 W2, W3, W0, W1
    Round_chain6 W3, W0, W1, W2
    .rept \fours-1
    four_rounds_chain6
    .endr
    xor     -4(rk), r11
    xor     -2(rk), r14             ; X3 without the last RK0
    store_block
    pop_all r10, r9, r8, r7, r6, r5
    ret
.endm

.macro decrypt fours
    push_all r4, r5, r6, r7, r8, r9, r10
    load_block
    mov     #31, r4
    xor     @rk, r11
    xor     2(rk), r14              ; X3 with the last RK0
    .rept \fours
    four_inverse_rounds_chain6 r4
    .endr
    store_block
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

FUNC PART(192_enc)
    encrypt 192, 7
ENDF

FUNC PART(256_enc)
    encrypt 256, 8
ENDF

.macro late bits
    br      #haechi_lea_msp430_\bits\()_late
.endm

FUNC PART(128_ctr)
    ctr_plain4 late 128
ENDF

FUNC PART(192_ctr)
    ctr_chain6 6, late 192
ENDF

FUNC PART(256_ctr)
    ctr_chain6 6, late 256
ENDF

FUNC PART(128_dec)
    decrypt 6
ENDF

FUNC PART(192_dec)
    decrypt 7
ENDF

FUNC PART(256_dec)
    decrypt 8
ENDF

/* ---- Key schedules. */

.macro add_delta i, j, xL, xH
    delta   \i%4, \i+\j
    add     #.Ldelta&0xffff, \xL
    addc    #.Ldelta>>16, \xH
.endm

.macro enter_expand
    push_all r6, r7, r8, r9, r10
    .irp r, T0, T1, T2, T3
    mov     @key+, \r
    .endr
    .Li = 0
.endm

.macro leave_expand
    pop_all r10, r9, r8, r7, r6
    ret
.endm

FUNC PART(128_eks)
    enter_expand
    .rept 24
    add_delta .Li, 0, T0
    add_delta .Li, 1, T1
    add_delta .Li, 2, T2
    add_delta .Li, 3, T3
    Rotations_T
    put_plain4 16*.Li
    .Li = .Li+1
    .endr
    leave_expand
ENDF

FUNC PART(128_dks)
    enter_expand
    .rept 24
    .Lrk = 24*(23-.Li)
    add_delta .Li, 1, T1
    ROL3    T1                      ; RK1 = RK3 = RK5
    .if .Li
    put_sum .Lrk+20, T1, T0         ; RK5 ^ RK0'
    .else
    put     .Lrk+20, T1
    .endif
    add_delta .Li, 0, T0
    ROL1    T0
    put     .Lrk, T0                ; RK0
    add_delta .Li, 2, T2
    ROL8    T2, u
    ROR2    T2
    put_sum .Lrk+4, T1, T2          ; RK1 ^ RK2
    put     .Lrk+8, T2              ; RK2
    add_delta .Li, 3, T3
    ROL8    T3, u
    ROL3    T3
    put_sum .Lrk+12, T1, T3         ; RK3 ^ RK4
    put     .Lrk+16, T3             ; RK4
    .Li = .Li+1
    .endr
    leave_expand
ENDF

/* ---- Key schedules of LEA-192 and LEA-256.  Not all words of the state fit into registers, but each word depends
 * only on itself: each pass takes two words through all rounds.
 *
 *     Q         R         key   deltas  rk    u
 *     r14, r15  r10, r11  r9    r8      r12   r13
 *
 * Rotations by 13 and 17 leave the halves of a word exchanged; the arguments of the macros follow that. */
#define Q r14, r15
#define R r10, r11
#define Q_turned r15, r14
#define R_turned r11, r10

/* The rotated deltas of one pass, for all words whose number is `first` or `second` modulo K. */
.macro pass_deltas K, words, first, second
    .Lt = 0
    .rept \words/\K
    .irp n, \first, \second
    delta   (.Lt+\n)/6%\K, (.Lt+\n)/6+(.Lt+\n)%6
    .long   .Ldelta
    .endr
    .Lt = .Lt+\K
    .endr
.endm

    .section .rodata.haechi_lea_msp430_deltas_6, "a", %progbits
    .p2align 1
    .global PART(deltas_6)
    .type   PART(deltas_6), %object
PART(deltas_6):
    pass_deltas 6, 168, 1, 2
    pass_deltas 6, 168, 3, 4
    pass_deltas 6, 168, 5, 0
    .size   PART(deltas_6), . - PART(deltas_6)

    .section .rodata.haechi_lea_msp430_deltas_8, "a", %progbits
    .p2align 1
    .global PART(deltas_8)
    .type   PART(deltas_8), %object
PART(deltas_8):
    pass_deltas 8, 192, 0, 7
    pass_deltas 8, 192, 5, 6
    pass_deltas 8, 192, 3, 4
    pass_deltas 8, 192, 1, 2
    .size   PART(deltas_8), . - PART(deltas_8)

/* .Lat = the place of the n-th word that encryption reads in a round, i rounds after the one at rk. */
.macro at_word i, n
    .Lat = 24*(\i)+4*(\n)
    .if .Linverse
    .Lat = 20-.Lat
    .endif
.endm

.macro next_delta xL, xH
    add     @r8+, \xL
    addc    @r8+, \xH
.endm

.macro RK1_RK2 i, aL, aH, bL, bH
    next_delta \aL, \aH
    ROL3    \aL, \aH                ; RK1
    next_delta \bL, \bH
    ROL8    \bL, \bH, u
    ROR2    \bL, \bH                ; RK2
    at_word \i, 3
    put     .Lat, \bL, \bH
    at_word \i, 4
    put_sum .Lat, \aL, \aH, \bL, \bH
.endm

.macro RK3_RK4 i, aL, aH, bL, bH    /* then b is bH, bL */
    next_delta \aL, \aH
    ROL8    \aL, \aH, u
    ROL3    \aL, \aH                ; RK3
    next_delta \bL, \bH
    ROR3    \bL, \bH                ; RK4, turned
    at_word \i, 1
    put     .Lat, \bH, \bL
    at_word \i, 2
    put_sum .Lat, \aL, \aH, \bH, \bL
.endm

.macro RK5 aL, aH                   /* then a is aH, aL */
    next_delta \aL, \aH
    ROL1    \aL, \aH                ; RK5, turned
.endm

.macro RK0 i, bL, bH
    next_delta \bL, \bH
    ROL1    \bL, \bH                ; RK0
    at_word \i, 5
    put     .Lat, \bL, \bH
.endm

.macro put_RK5 i, xL, xH
    at_word \i, 0
    put     .Lat, \xL, \xH
.endm

/* Stores RK5 ^ RK0', where RK0' is stored already. */
.macro sum_RK5 i, xL, xH
    at_word \i, 0
    .Lto = .Lat
    at_word \i-1, 5
    mov     .Lat(rk), u
    xor     \xL, u
    mov     u, .Lto(rk)
    mov     .Lat+2(rk), u
    xor     \xH, u
    mov     u, .Lto+2(rk)
.endm

/* XORs RK0' to RK5, which is stored already. */
.macro add_RK0 i, xL, xH
    at_word \i, 0
    xor     \xL, .Lat(rk)
    xor     \xH, .Lat+2(rk)
.endm

.macro enter_long deltas, rounds, inverse
    .Linverse = \inverse
    .Lstep = 24
    push_all r8, r9, r10
    mov     key, r9
    mov     #\deltas, r8
    .if \inverse
    .Lstep = -24
    add     #24*(\rounds-1), rk
    .endif
.endm

.macro leave_long
    pop_all r10, r9, r8
    ret
.endm

.macro key_words m, aL, aH, n, bL, bH
    mov     4*\m(r9), \aL
    mov     4*\m+2(r9), \aH
    mov     4*\n(r9), \bL
    mov     4*\n+2(r9), \bH
.endm

/* Moves rk by `rounds` rounds, and goes on at `label` unless the deltas of this pass end. */
.macro again rounds, end, label
    add     #\rounds*.Lstep, rk
    cmp     #\end, r8
    jne     \label
.endm

.macro expand_192 inverse
    enter_long PART(deltas_6), 28, \inverse
    key_words 1, Q, 2, R
1:
    RK1_RK2 0, Q, R
    RK1_RK2 1, Q, R
    again   2, PART(deltas_6)+224, 1b
    sub     #28*.Lstep, rk
    key_words 3, Q, 4, R
2:
    RK3_RK4 0, Q, R
    RK3_RK4 1, Q, R_turned
    again   2, PART(deltas_6)+448, 2b
    sub     #28*.Lstep, rk
    key_words 5, Q, 0, R
    RK5     Q
    put_RK5 0, Q_turned
    RK0     0, R
    jmp     4f
3:
    RK5     Q
    at_word 0, 0
    put_sum .Lat, Q_turned, R       ; RK5 ^ RK0'
    RK0     0, R
4:
    RK5     Q_turned
    at_word 1, 0
    put_sum .Lat, Q, R
    RK0     1, R
    again   2, PART(deltas_6)+672, 3b
    leave_long
.endm

/* The words of a pair are RK1 and RK2 of one round, RK3 and RK4 of the next, then RK5 of the next and RK0 of the one
 * after it, and so on.  RK5 ^ RK0' is made when the later of the two words is. */
.macro expand_256 inverse
    enter_long PART(deltas_8), 32, \inverse
    key_words 7, Q, 0, R
1:
    RK0     0, R
    RK1_RK2 1, Q, R
    RK3_RK4 2, Q, R
    RK5     Q
    put_RK5 3, Q_turned
    RK0     4, R_turned
    RK1_RK2 5, Q_turned, R_turned
    RK3_RK4 6, Q_turned, R_turned
    RK5     Q_turned
    put_RK5 7, Q
    again   8, PART(deltas_8)+192, 1b
    sub     #32*.Lstep, rk
    key_words 5, Q, 6, R
2:
    RK5     Q
    put_RK5 0, Q_turned
    RK0     1, R
    RK1_RK2 2, Q_turned, R
    RK3_RK4 3, Q_turned, R
    RK5     Q_turned
    put_RK5 4, Q
    RK0     5, R_turned
    RK1_RK2 6, Q, R_turned
    RK3_RK4 7, Q, R_turned
    again   8, PART(deltas_8)+384, 2b
    sub     #32*.Lstep, rk
    key_words 3, Q, 4, R
3:
    RK3_RK4 0, Q, R
    RK5     Q
    sum_RK5 1, Q_turned
    RK0     2, R_turned
    add_RK0 3, R_turned
    RK1_RK2 3, Q_turned, R_turned
    RK3_RK4 4, Q_turned, R_turned
    RK5     Q_turned
    sum_RK5 5, Q
    RK0     6, R
    add_RK0 7, R
    RK1_RK2 7, Q, R
    again   8, PART(deltas_8)+576, 3b
    sub     #32*.Lstep, rk
    key_words 1, Q, 2, R
    jmp     5f
4:
    add_RK0 0, R
5:
    RK1_RK2 0, Q, R
    RK3_RK4 1, Q, R
    RK5     Q
    sum_RK5 2, Q_turned
    RK0     3, R_turned
    add_RK0 4, R_turned
    RK1_RK2 4, Q_turned, R_turned
    RK3_RK4 5, Q_turned, R_turned
    RK5     Q_turned
    sum_RK5 6, Q
    RK0     7, R
    again   8, PART(deltas_8)+768, 4b
    leave_long
.endm

FUNC PART(192_eks)
    expand_192 0
ENDF

FUNC PART(192_dks)
    expand_192 1
ENDF

FUNC PART(256_eks)
    expand_256 0
ENDF

FUNC PART(256_dks)
    expand_256 1
ENDF

    KERNEL lea_msp430_128, 16, 16, 384, ALIGN2, PART(128_eks), PART(128_enc), 0, PART(128_ctr)
    KERNEL lea_msp430_192, 16, 24, 672, ALIGN2, PART(192_eks), PART(192_enc), 0, PART(192_ctr)
    KERNEL lea_msp430_256, 16, 32, 768, ALIGN2, PART(256_eks), PART(256_enc), 0, PART(256_ctr)
    KERNEL lea_msp430_128_inv, 16, 16, 576, INVERSE|ALIGN2, PART(128_dks), PART(128_dec)
    KERNEL lea_msp430_192_inv, 16, 24, 672, INVERSE|ALIGN2, PART(192_dks), PART(192_dec)
    KERNEL lea_msp430_256_inv, 16, 32, 768, INVERSE|ALIGN2, PART(256_dks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"
