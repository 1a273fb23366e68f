/* frame.h - what node and gateway send each other.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     offset  bytes
 *          0      1  kind: a frame_kind
 *          1      4  number of the node
 *          5      4  counter: no two frames of the same kind, node and key have the same one
 *          9      1  flags: FRAME_RESTARTED
 *         10      n  ciphertext
 *     10 + n      8  tag
 *
 * Numbers are big-endian.  The first nine bytes are the nonce, and the ten bytes of the header are associated data: whoever
 * changes them changes what the tag is computed over.  LEA-128 in CCM or HIGHT in EAX encrypts and authenticates; the node is
 * built for one of them, and the gateway's table of keys says for which.
 *
 * On a serial line SLIP (RFC 1055) marks where a frame ends. */
#ifndef TELEMETRY_FRAME_H
#define TELEMETRY_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum frame_kind {
    FRAME_READING = 1, /* from the node, under its key */
    FRAME_COMMAND = 2, /* to the node, under its key */
    FRAME_NEW_KEY = 3  /* to the node, under its key-encryption key */
};

enum { FRAME_RESTARTED = 1 }; /* the first frame after a reset: the counters below it that are missing were never used */

enum { FRAME_NONCE = 9, FRAME_HEADER = 10, FRAME_TAG = 8, FRAME_KEY = 16 };

/* Bytes of plaintext by kind. */
enum {
    FRAME_READING_TEXT = 10, /* sensor (2), supply in millivolts (2), interval in seconds (2), last command obeyed (4) */
    FRAME_COMMAND_TEXT = 2,  /* interval in seconds */
    FRAME_NEW_KEY_TEXT = FRAME_KEY,
    FRAME_MOST = FRAME_HEADER + FRAME_NEW_KEY_TEXT + FRAME_TAG
};

/* RFC 1055 */
enum { SLIP_END = 0300, SLIP_ESC = 0333, SLIP_ESC_END = 0334, SLIP_ESC_ESC = 0335 };

static inline void frame_put(uint8_t *at, uint32_t value, int bytes)
{
    while (bytes--) at[bytes] = (uint8_t)value, value >>= 8;
}

static inline uint32_t frame_get(const uint8_t *at, int bytes)
{
    uint32_t value = 0;
    while (bytes--) value = value << 8 | *at++;
    return value;
}

static inline void frame_begin(uint8_t *frame, enum frame_kind kind, uint32_t node, uint32_t counter, uint8_t flags)
{
    frame[0] = (uint8_t)kind;
    frame_put(frame + 1, node, 4);
    frame_put(frame + 5, counter, 4);
    frame[9] = flags;
}

#endif
