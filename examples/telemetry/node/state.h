/* state.h - what a node must not forget, in memory that survives a reset at any instruction.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef TELEMETRY_STATE_H
#define TELEMETRY_STATE_H

#include <stdint.h>

/* A record of 32 bytes, without gaps on all chips here, in the byte order of the chip. */
struct state {
    uint16_t sequence; /* of the record; state_save counts it */
    uint16_t interval; /* seconds between two readings */
    uint32_t reserved; /* counters below it may have been used */
    uint32_t heard;    /* the counter of the last command that the node obeyed */
    uint8_t key[16];
    uint32_t check; /* CRC-32 of what precedes it */
};

/* What page 2 holds from the day of the node's provisioning. */
struct identity {
    uint32_t number;
    uint8_t kek[16]; /* the key-encryption key, under which new keys come */
};

enum { STATE_OK = 0, STATE_NONE = -1, STATE_WORN = -2 };

/* Finds the newest complete record.  STATE_NONE: there is none.  A node must not go on then, because it cannot know which
 * counters it has used. */
int state_load(struct state *s);

/* Appends a record.  Until it is complete, the one before it counts.  STATE_WORN: the memory does not hold what was written. */
int state_save(struct state *s);

void state_identity(struct identity *i);

#endif
