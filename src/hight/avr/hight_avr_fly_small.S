/* hight_avr_fly_small.S - HIGHT for AVR, the smallest: one step in a loop for both directions, no stored round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_fly_small_eks(void *rk, const void *key);
 *     void haechi_hight_avr_fly_small_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_fly_small_dec(const void *rk, void *buf);
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 * The idea.  The 128 steps of the standard differ only in the direction and in the number n of the subkey.  Encryption
 * counts n from 0 to 127, decryption from 127 to 0, and the flag T is set in decryption.  Before a step the block turns
 * so that the step reads x0 and writes x1: by one byte where a round begins, and by two bytes elsewhere, to the left in
 * encryption and to the right in decryption.  There is one turn more after the last step, and therefore byte 0 of the
 * block is in x1 before the first step and after the last turn in both directions.  No MUL and no table is needed.
 *
 *     r0       r1  N      x0  x1  x2  x3  x4  x5  x6  x7  X   STEP DELTA ZL, ZH   on the stack
 *     scratch  0   turns  r18 r19 r20 r21 r22 r23 r24 r25 rk  r28  r29   scratch  buf
 *              r17 */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__)

#define N r17
#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r22
#define x5 r23
#define x6 r24
#define x7 r25
#define STEP r28
#define DELTA r29

#include "hight_avr_block.h"

/* r0 = F0(x0) if STEP is odd, F1(x0) if it is even. */
.macro F
    mov     r0, x0
    lsl     r0
    adc     r0, r1                  ; x<<<1
    mov     ZL, r0
    lsl     ZL
    adc     ZL, r1                  ; x<<<2
    mov     ZH, x0
    lsr     ZH
    mov     ZH, x0
    ror     ZH                      ; x<<<7
    eor     ZL, ZH
    sbrs    STEP, 0
    mov     r0, x0
    eor     r0, ZL                  ; F0(x), or x ^ x<<<2 ^ x<<<7
    sbrs    STEP, 0
    swap    r0                      ; F1(x)
.endm

/* ZL = SK_n = the master key's byte (n - n/16) mod 8 of the half that bit 3 of n names, + delta_n */
.macro subkey
    mov     ZL, STEP
    swap    ZL
    neg     ZL
    add     ZL, STEP                ; n - n/16 in the lower three bits
    andi    ZL, 7
    sbrc    STEP, 3
    ori     ZL, 8
    mov     ZH, r1
    add     ZL, XL
    adc     ZH, XH
    ld      ZL, Z
    add     ZL, DELTA
.endm

/* s_(m+7) = s_(m+3) ^ s_m, where bits 0 to 6 of delta_n are s_n to s_(n+6). */
.macro next_delta
    mov     r0, DELTA
    lsr     r0
    lsr     r0
    lsr     r0
    eor     r0, DELTA               ; bit 0: s_(n+7)
    sbrc    r0, 0
    ori     DELTA, 0x80
    lsr     DELTA
.endm

.macro previous_delta
    mov     r0, DELTA
    swap    r0
    eor     r0, DELTA               ; bit 2: s_(n-1) = s_(n+6) ^ s_(n+2)
    lsl     DELTA
    andi    DELTA, 0x7f
    sbrc    r0, 2
    inc     DELTA
.endm

FUNC haechi_hight_avr_fly_small_dec
    set
    rjmp    .Lcrypt
ENDF

ENTRY haechi_hight_avr_fly_small_enc
    clt
.Lcrypt:
    push_all N, STEP, DELTA
    even_stack push
    push_all r22, r23
    movw    XL, r24                 ; X = rk
    movw    ZL, r22                 ; Z = buf
    load_block x1, x2, x3, x4, x5, x6, x7, x0
    movw    ZL, XL                  ; WK4 = MK0 in decryption
    brts    1f
    adiw    ZL, 12                  ; WK0 = MK12 in encryption
1:  rcall   .Lwhiten
    rcall   .Lwhiten
    ldi     DELTA, 0x5a             ; delta_0 = delta_127
    ldi     STEP, 0
    brtc    2f
    ldi     STEP, 127

2:  mov     N, STEP
    brtc    3f
    com     N
3:  andi    N, 3
    breq    4f                      ; a round begins
    ldi     N, 1
4:  inc     N
    brtc    5f
    neg     N
    andi    N, 7                    ; to the right
5:  rcall   .Lturn
    sbrc    STEP, 7                 ; 128 or -1
    rjmp    9f
    F
    subkey
    sbrc    STEP, 0
    rjmp    7f
    eor     r0, ZL                  ; F1(x0) ^ SK
    brtc    6f
    neg     r0
6:  add     x1, r0
    rjmp    8f
7:  add     r0, ZL                  ; F0(x0) + SK
    eor     x1, r0
8:  brts    1f
    next_delta
    inc     STEP
    rjmp    2b
1:  previous_delta
    dec     STEP
    rjmp    2b

9:  movw    ZL, XL
    brtc    1f
    adiw    ZL, 12
1:  rcall   .Lwhiten
    rcall   .Lwhiten
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block x1, x2, x3, x4, x5, x6, x7, x0
    even_stack pop
    pop_all DELTA, STEP, N
    ret

/* x1 and x3 with the two whitening keys at Z; then the block turns, so that the next call takes x5 and x7. */
.Lwhiten:
    ld      r0, Z+
    brtc    1f
    neg     r0
1:  add     x1, r0
    ld      r0, Z+
    eor     x3, r0
    ldi     N, 4

/* Turns the block to the left by N bytes. */
.Lturn:
    mov     r0, x0
    mov     x0, x1
    mov     x1, x2
    mov     x2, x3
    mov     x3, x4
    mov     x4, x5
    mov     x5, x6
    mov     x6, x7
    mov     x7, r0
    dec     N
    brne    .Lturn
    ret
ENDF

FUNC haechi_hight_avr_fly_small_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    ldi     r18, 16
1:  ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    1b
    ret
ENDF

    KERNEL hight_avr_fly_small, 8, 16, 16, 0, haechi_hight_avr_fly_small_eks, haechi_hight_avr_fly_small_enc
    KERNEL hight_avr_fly_small_inv, 8, 16, 16, INVERSE, haechi_hight_avr_fly_small_eks, haechi_hight_avr_fly_small_dec

#endif

#include "../../asm/stack_note.h"
