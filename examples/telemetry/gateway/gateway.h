/* gateway.h - opens the frames of many nodes and keeps what they say.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A batch of frames is checked, opened by one call of haechi_open_jobs for each cipher, and stored in one transaction together
 * with what refuses its frames in future.  So a frame is accepted once and for all, or it may come again: whenever the process ends,
 * the database holds both the frames and their counters, or neither. */
#ifndef TELEMETRY_GATEWAY_H
#define TELEMETRY_GATEWAY_H

#include <haechi.h>
#include <haechi_jobs.h>
#include <sqlite3.h>
#include <stdint.h>

#include "../frame.h"

/* What becomes of a frame.  The gateway answers with it, and whoever sent the frame sends it again if it was not stored. */
enum verdict {
    ACCEPTED,
    REPLAYED,   /* it has been accepted before, or it is too old to know */
    FORGED,     /* the tag is wrong */
    UNKNOWN,    /* the table of keys has no such node */
    MALFORMED,  /* the length or the kind is wrong */
    FLOODED,    /* too many frames of this node in this second */
    NOT_STORED, /* the database took nothing of this batch */
    VERDICTS
};

enum algorithm { LEA_128_CCM = 1, HIGHT_EAX = 2 };

/* What the gateway knows of a node.  The first five members come from the table of keys, the rest from the database. */
struct node {
    uint32_t number;
    uint8_t algorithm, changed; /* since the last transaction */
    uint8_t pending;            /* next_key is one that the node may have taken */
    uint8_t waiting;            /* there are commands for it */
    uint8_t stored;             /* the database has its key */
    uint16_t version;           /* of its key: how many new ones it has taken */
    uint8_t key[FRAME_KEY], kek[FRAME_KEY], next_key[FRAME_KEY];
    uint32_t next;     /* the counter after the greatest one that was accepted */
    uint64_t window;   /* bit i: counter next - 1 - i was accepted */
    uint32_t sent;     /* the counter of the last command */
    uint32_t restarts; /* times that the node said it had been reset */
    uint32_t missing;  /* counters below next that have not come */
    uint32_t skipped;  /* the same, below a first frame after a reset: most of them were never used */
    uint32_t second, in_second; /* frames that were opened in this second */
};

enum { WINDOW = 64, BATCH = 1024 };

struct gateway {
    struct node *nodes; /* sorted by number */
    size_t n;
    uint8_t wrapping_key[32]; /* of keys in the database */
    sqlite3 *database;        /* NULL: nothing is stored, which only measurements want */
    uint32_t rate;            /* frames of a node that are opened in a second */
    uint64_t verdicts[VERDICTS];

    /* Opens jobs of one algorithm.  NULL stands for haechi_open_jobs. */
    void (*open)(enum algorithm a, haechi_job *jobs, size_t n);
};

/* A frame as it came, at most BATCH of them at a time; the gateway writes the rest. */
struct arrival {
    uint8_t frame[FRAME_MOST];
    size_t size;
    enum verdict verdict;
    uint8_t reply[FRAME_MOST]; /* a command to the node, or nothing */
    size_t reply_size;
};

struct node *gateway_node(const struct gateway *g, uint32_t number);

/* The mode and the cipher of an algorithm. */
haechi_mode *gateway_mode(enum algorithm a);
haechi_cipher *gateway_cipher(enum algorithm a);

/* The job that opens the len bytes of text of a frame into `text`.  With the text of the frame itself it also seals in place. */
haechi_job gateway_job(uint8_t *frame, size_t len, const uint8_t *key, uint8_t *text);

/* Takes n <= BATCH frames at a time `now` in milliseconds since 1970. */
void gateway_take(struct gateway *g, struct arrival *a, size_t n, uint64_t now);

/* ---- keys.c: the table of keys, a file of the haechi command that holds 32 bytes, with which keys are wrapped in the database,
 * and for each node 37: its number (big-endian), algorithm, key and key-encryption key.  Starts `command dec` to read it.
 * Returns 0, or -1 after a message on standard error. */
int keys_load(struct gateway *g, const char *command, const char *key_file, const char *table);
void keys_forget(struct gateway *g);

/* ---- store.c: the database.  Functions return 0, or -1 after a message on standard error. */
int store_open(struct gateway *g, const char *path);
void store_close(struct gateway *g);

/* Stores the accepted frames of a batch with what has changed of their nodes, forgets the commands that they say were obeyed, and
 * replies with those that wait.  On an error the database is as it was. */
int store_batch(struct gateway *g, struct arrival *a, const uint8_t (*texts)[FRAME_NEW_KEY_TEXT], struct node **of, size_t n,
                uint64_t now);

/* Notices commands that another process has put in. */
int store_poll(struct gateway *g);

/* Puts in a command for a node: an interval in seconds, or a new key if interval is 0. */
int store_order(struct gateway *g, uint32_t number, uint32_t interval);

/* ---- metrics.c: writes the counts in Prometheus' text format to a file, which is complete at any time. */
int metrics_write(const struct gateway *g, const char *path);

#endif
