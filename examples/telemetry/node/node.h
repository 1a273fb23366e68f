/* node.h - a meter: it seals what its sensor reads and obeys sealed commands.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * -DNODE_HIGHT builds it with HIGHT in EAX; otherwise it has LEA-128 in CCM. */
#ifndef TELEMETRY_NODE_H
#define TELEMETRY_NODE_H

#include "../../../src/haechi.h"
#include "../frame.h"
#include "state.h"

#if defined(NODE_HIGHT)
#define NODE_CIPHER haechi_hight
#define NODE_MODE haechi_eax
typedef haechi_hight_aead node_key;
#else
#define NODE_CIPHER haechi_lea128
#define NODE_MODE haechi_ccm
typedef haechi_lea128_aead node_key;
#endif

/* So many counters are reserved at a time.  A larger step wears the flash less and skips more counters after a reset. */
#ifndef NODE_STEP
#define NODE_STEP 256
#endif

enum {
    NODE_OK = 0,
    NODE_ESTATE = -32, /* no record, or worn flash: the node cannot know which counters are free, and must not send */
    NODE_EEND = -33,   /* all counters have been used */
    NODE_EFRAME = -34, /* no frame for this node, or an old one */
    NODE_EKEY = -35    /* the tag is wrong */
};

struct node {
    struct state state;
    uint32_t number, counter; /* the next counter */
    uint8_t flags;            /* for the next frame */
    node_key key;
};

/* Loads the state and reserves counters.  NODE_ESTATE, NODE_EEND. */
int node_start(struct node *n);

/* Seals a reading in frame, which has room for FRAME_HEADER + FRAME_READING_TEXT + FRAME_TAG bytes.  The counter that it takes is
 * never taken again, whatever becomes of the frame.  NODE_ESTATE, NODE_EEND: there is no frame. */
int node_seal(struct node *n, uint16_t sensor, uint16_t supply, uint8_t *frame);

/* Obeys a command of size bytes.  The node remembers its counter before it obeys, so that it obeys no command twice.
 * NODE_EFRAME, NODE_EKEY, NODE_ESTATE: nothing has changed.  The frame is overwritten. */
int node_obey(struct node *n, uint8_t *frame, unsigned size);

/* Sends one frame; waits for commands and obeys them.  Errors of node_seal. */
int node_send(struct node *n);
void node_listen(struct node *n);

#endif
