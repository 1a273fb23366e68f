/* node.c - sealing readings and obeying commands.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "node.h"

#include "board.h"

static int use_key(struct node *n, const uint8_t *key)
{
    return haechi_aead_init(&n->key.aead, sizeof n->key, &NODE_MODE, &NODE_CIPHER, key, FRAME_KEY);
}

/* Takes counters out of the reserve for future frames.  They count as used from now on. */
static int reserve(struct node *n)
{
    if (n->state.reserved > UINT32_MAX - NODE_STEP) return NODE_EEND;
    n->counter = n->state.reserved;
    n->state.reserved += NODE_STEP;
    return state_save(&n->state) ? NODE_ESTATE : NODE_OK;
}

int node_start(struct node *n)
{
    struct identity i;
    int error;
    if (state_load(&n->state)) return NODE_ESTATE;
    state_identity(&i);
    n->number = i.number;
    n->flags = FRAME_RESTARTED;
    haechi_wipe(&i, sizeof i);
    error = reserve(n);
    return error ? error : use_key(n, n->state.key);
}

int node_seal(struct node *n, uint16_t sensor, uint16_t supply, uint8_t *frame)
{
    uint8_t *text = frame + FRAME_HEADER, *tag = text + FRAME_READING_TEXT;
    int error = n->counter == n->state.reserved ? reserve(n) : NODE_OK;
    if (error) return error;
    frame_begin(frame, FRAME_READING, n->number, n->counter++, n->flags);
    n->flags = 0;
    frame_put(text, sensor, 2);
    frame_put(text + 2, supply, 2);
    frame_put(text + 4, n->state.interval, 2);
    frame_put(text + 6, n->state.heard, 4);
    return haechi_seal(&n->key.aead, frame, FRAME_NONCE, frame, FRAME_HEADER, text, text, FRAME_READING_TEXT, tag, FRAME_TAG);
}

/* Verifies and decrypts a frame under the key in use. */
static int open_frame(struct node *n, uint8_t *frame, unsigned text)
{
    uint8_t *at = frame + FRAME_HEADER;
    return haechi_open(&n->key.aead, frame, FRAME_NONCE, frame, FRAME_HEADER, at, at, text, at + text, FRAME_TAG);
}

/* The same under the key-encryption key, which takes the place of the key for so long. */
static int open_new_key(struct node *n, uint8_t *frame)
{
    struct identity i;
    int error;
    state_identity(&i);
    use_key(n, i.kek);
    haechi_wipe(&i, sizeof i);
    error = open_frame(n, frame, FRAME_NEW_KEY_TEXT);
    use_key(n, n->state.key);
    return error;
}

int node_obey(struct node *n, uint8_t *frame, unsigned size)
{
    struct state next = n->state;
    const uint8_t kind = frame[0], *text = frame + FRAME_HEADER;
    const unsigned bytes = kind == FRAME_NEW_KEY ? FRAME_NEW_KEY_TEXT : FRAME_COMMAND_TEXT;
    if (size != FRAME_HEADER + bytes + FRAME_TAG || (kind != FRAME_COMMAND && kind != FRAME_NEW_KEY)) return NODE_EFRAME;
    next.heard = frame_get(frame + 5, 4);
    if (frame_get(frame + 1, 4) != n->number || next.heard <= n->state.heard) return NODE_EFRAME;
    if (kind == FRAME_NEW_KEY ? open_new_key(n, frame) : open_frame(n, frame, bytes)) return NODE_EKEY;
    if (kind == FRAME_NEW_KEY)
        for (int i = 0; i < FRAME_KEY; i++) next.key[i] = text[i];
    else
        next.interval = (uint16_t)frame_get(text, 2);
    haechi_wipe(frame, size);
    if (state_save(&next)) return NODE_ESTATE;
    n->state = next;
    haechi_wipe(&next, sizeof next);
    return use_key(n, n->state.key);
}

/* ---- The serial line. */

static void transmit(const uint8_t *frame, unsigned size)
{
    for (; size--; frame++) {
        const int end = *frame == SLIP_END, escape = end || *frame == SLIP_ESC;
        if (escape) board_transmit(SLIP_ESC);
        board_transmit(end ? SLIP_ESC_END : escape ? SLIP_ESC_ESC : *frame);
    }
    board_transmit(SLIP_END);
}

int node_send(struct node *n)
{
    uint8_t frame[FRAME_HEADER + FRAME_READING_TEXT + FRAME_TAG];
    const int error = node_seal(n, board_sensor(), board_supply(), frame);
    if (!error) transmit(frame, sizeof frame);
    return error;
}

void node_listen(struct node *n)
{
    uint8_t frame[FRAME_MOST], escaped = 0;
    unsigned size = 0; /* larger than the buffer: the frame is too long */
    int byte;
    while ((byte = board_receive()) >= 0) {
        if (byte == SLIP_END) {
            if (size && size <= sizeof frame) node_obey(n, frame, size);
            size = escaped = 0;
        } else if (byte == SLIP_ESC && !escaped) {
            escaped = 1;
        } else {
            if (escaped) byte = byte == SLIP_ESC_END ? SLIP_END : byte == SLIP_ESC_ESC ? SLIP_ESC : byte;
            escaped = 0;
            if (size < sizeof frame) frame[size] = (uint8_t)byte;
            if (size <= sizeof frame) size++;
        }
    }
}
