/* aria_msp430.S - ARIA for MSP430, S-boxes in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_msp430_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_msp430_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_msp430_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_msp430_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The block stays in eight registers of two bytes each.  aria_msp430.h has the layers.  A turn of the loop is two
 * rounds. */
#if defined(__MSP430__)

#define CACHE 22
#define BLOCK 16
#define LAST_BYTE 0
#include "../../asm/msp430_ctr.h"
#include "aria_msp430_schedule.h"

#define PART(what) haechi_aria_msp430_##what

/* r15 is the distance from rk to the last key. */
FUNC PART(crypt)
    push_all r4, r5, r6, r7, r8, r9, r10
    add     rk, r15                 ; the last key
    mov     buf, t
    load    t, UPRIGHT
    straighten UPRIGHT
    jmp     3f
2:
    A_back
3:
    SL1     UPRIGHT
    A
PART(late):
    SL2     TURNED
    cmp     r15, rk
    jne     2b
    reorder TURNED, SWAPPED_UPRIGHT
    add_from rk, LAST
    straighten LAST
    store   0, buf, LAST
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

.macro crypt last
    mov     #\last, r15
    br      #PART(crypt)
.endm

FUNC PART(128_crypt)
    crypt   192
ENDF

FUNC PART(192_crypt)
    crypt   224
ENDF

FUNC PART(256_crypt)
    crypt   256
ENDF

/* ---- Counter mode.  asm/msp430_ctr.h has what surrounds a block.  The last byte of the counter takes part in one
 * look-up of round 1, whose result the diffusion layer adds to seven bytes of the block.  The cache holds the rest:
 *
 *     0           1         2                             18                      20               22
 *     | last byte | its key | round 1, with 0 for SB4(..) | address of the last key | address of ek2 | */

/* SL1 with 0 in the place of SB4(byte 15). */
.macro SL1_but_byte_15 x0, s0, x1, s1, x2, s2, x3, s3, x4, s4, x5, s5, x6, s6, x7, s7
    S       \x0, \s0, SB1, SB2
    S       \x1, \s1, SB3, SB4
    S       \x2, \s2, SB1, SB2
    S       \x3, \s3, SB3, SB4
    S       \x4, \s4, SB1, SB2
    S       \x5, \s5, SB3, SB4
    S       \x6, \s6, SB1, SB2
    xor     @rk+, \x7
    mov.b   \x7, \x7
    mov.b   SB3(\x7), \x7
.endm

/* r11 is the distance from rk to the last key. */
FUNC PART(ctr)
    enter_ctr
    jz      9f
    add     rk, r11
    mov     r11, 18(r1)             ; the last key
5:
    begin_stretch
    mov.b   15(r13), 0(r1)
    mov     RK(r1), rk
    load    r13, UPRIGHT
    straighten UPRIGHT
    SL1_but_byte_15 UPRIGHT
    A
    store   2, r1, UPRIGHT
    mov     rk, 20(r1)
    mov.b   -1(rk), 1(r1)
    advance_counter
    mov     DEST(r1), buf
6:
    mov     r1, rk
    mov.b   @rk+, t
    xor.b   @rk+, t
    mov.b   SB4(t), t
    load    rk, UPRIGHT
    xor     t, r6                   ; byte 2
    xor     t, r4                   ; byte 5
    swpb    t
    .irp x, r7, r4, r11, r10, r9
    xor     t, \x                   ; bytes 1, 4, 8, 10, 15
    .endr
    mov     @rk+, r15
    mov     @rk, rk
    join_block 7f
    br      #PART(late)
7:
    next_block 6b, 5b
9:
    leave_ctr
ENDF

.macro counter last
    mov     #\last, r11
    br      #PART(ctr)
.endm

FUNC PART(128_ctr)
    counter 192
ENDF

FUNC PART(192_ctr)
    counter 224
ENDF

FUNC PART(256_ctr)
    counter 256
ENDF

/* ---- Key schedules. */

    constants PART(ck_128), 0
    constants PART(ck_192), 1
    constants PART(ck_256), 2

FUNC PART(odd_keys)
    RoundKeysOf SWAPPED_UPRIGHT
ENDF

FUNC PART(even_keys)
    RoundKeysOf SWAPPED_TURNED
ENDF

FUNC PART(eks)
    AllRoundKeys PART(odd_keys), PART(even_keys)
ENDF

FUNC PART(128_eks)
    Initialization 128, PART(ck_128), PART(eks)
ENDF

FUNC PART(192_eks)
    Initialization 192, PART(ck_192), PART(eks)
ENDF

FUNC PART(256_eks)
    Initialization 256, PART(ck_256), PART(eks)
ENDF

FUNC PART(dks)
    DecryptionKeys
ENDF

.macro expand_inverse eks, last, dks
    call    #\eks
    mov     r15, rk
    mov     rk, r13
    add     #\last, r13
    br      #\dks
.endm

FUNC PART(128_dks)
    expand_inverse PART(128_eks), 192, PART(dks)
ENDF

FUNC PART(192_dks)
    expand_inverse PART(192_eks), 224, PART(dks)
ENDF

FUNC PART(256_dks)
    expand_inverse PART(256_eks), 256, PART(dks)
ENDF

    KERNEL aria_msp430_128, 16, 16, 208, ALIGN2, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_msp430_192, 16, 24, 240, ALIGN2, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_msp430_256, 16, 32, 272, ALIGN2, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_msp430_128_inv, 16, 16, 208, INVERSE|ALIGN2, PART(128_dks), PART(128_crypt)
    KERNEL aria_msp430_192_inv, 16, 24, 240, INVERSE|ALIGN2, PART(192_dks), PART(192_crypt)
    KERNEL aria_msp430_256_inv, 16, 32, 272, INVERSE|ALIGN2, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"
