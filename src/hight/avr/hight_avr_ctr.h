/* hight_avr_ctr.h - counter mode for the HIGHT kernels for AVR with tables and stored round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * hight_avr_ctr_ram.h or hight_avr_ctr_flash.h has the register map, the cache and the first rounds.  On the stack lie
 * the address of the counter and the sum of the last byte and the number of blocks left.  The flag T says whether
 * there is an in.  A kernel defines, beside the steps of hight_avr_rounds.h,
 *
 *     F1_step_held op, y, x, key   F1_step with the subkey in a register
 *     TwentyFourRounds             rounds 9 to 32 */
#ifndef HAECHI_HIGHT_AVR_CTR_H
#define HAECHI_HIGHT_AVR_CTR_H

/* Moves X past n subkeys that are not needed because of the cache. */
.macro skip_subkeys n
    adiw    XL, \n
.endm

/* x = x ^ the next byte of in */
.macro xor_next x
    ld      scratch, Z+
    eor     \x, scratch
.endm

.macro CounterMode kernel
FUNC haechi_\kernel\()_ctr
    push_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    movw    r14, r20                ; out
    movw    XL, r24                 ; X = rk
    movw    r24, r16                ; n
    movw    r16, r18                ; in
    adiw    r24, 0
    brne    1f
    rjmp    5f
1:  clt
    movw    ZL, r16
    adiw    ZL, 0
    breq    1f
    set
1:  movw    ZL, r22                 ; Z = ctr
    ldd     low, Z+7
    add     r24, low
    adc     r25, r1                 ; last byte + blocks left

/* One turn of the outer loop ends where the last byte wraps or where there are no more blocks. */
6:  mov     end, r24
    cpse    r25, r1
    clr     end
    push_all r24, r25, ZL, ZH
    .irp i, 0, 1, 2, 3, 4, 5, 6
    ldd     2+\i, Z+\i
    .endr
    pages
    ConstantRounds

3:  FirstRounds
7:  TwentyFourRounds
    FinalTransformation
    brtc    4f
    movw    ZL, r16
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    xor_next \x
    .endr
    movw    r16, ZL                 ; the next block of in
4:  movw    ZL, r14
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    st      Z+, \x
    .endr
    movw    r14, ZL                 ; the next block of out
    ldi     ZH, hi8(F1)
    subi    XL, lo8(136-SK9)
    sbci    XH, hi8(136-SK9)
    inc     low
    cpse    low, end
    rjmp    3b

    pop_all ZH, ZL, r25, r24
    clr     r1
    std     Z+7, low
    sbiw    XL, SK9                 ; X = rk
    subi    r25, 1
    brcs    5f                      ; the last byte did not wrap
    ldi     r18, 7
    adiw    ZL, 7
    sec
4:  ld      r0, -Z
    adc     r0, r1
    st      Z, r0
    dec     r18
    brne    4b
    adiw    r24, 0
    breq    5f
    rjmp    6b
5:  push_all r1, r1                 ; overwrites the last byte + blocks left
    pop_all r0, r0
    pop_all 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    ret
ENDF
.endm

#endif
