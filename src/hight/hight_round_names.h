/* hight_round_names.h - successive rounds of HIGHT, for assembly on any machine.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A round of the standard moves each byte of the block on by one place.  Here the bytes stay in their registers and the
 * names move: the eight arguments of a round are those of the round before, rotated by one. */
#ifndef HAECHI_HIGHT_ROUND_NAMES_H
#define HAECHI_HIGHT_ROUND_NAMES_H

/* n rounds, by the macros `round` and `next` in turn.  The first argument of a round is the last one of the next. */
.macro rounds_left n, round, next, a, b, c, d, e, f, g, h
    \round  \a, \b, \c, \d, \e, \f, \g, \h
    .if (\n) - 1
    rounds_left (\n)-1, \next, \round, \b, \c, \d, \e, \f, \g, \h, \a
    .endif
.endm

/* The same in the other direction: the last argument of a round is the first one of the next. */
.macro rounds_right n, round, next, a, b, c, d, e, f, g, h
    \round  \a, \b, \c, \d, \e, \f, \g, \h
    .if (\n) - 1
    rounds_right (\n)-1, \next, \round, \h, \a, \b, \c, \d, \e, \f, \g
    .endif
.endm

#endif
