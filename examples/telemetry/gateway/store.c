/* store.c - the gateway's database.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SQLite writes each transaction to its log and waits until the disk has it before the gateway answers. */
#include <haechi_random.h>
#include <stdio.h>
#include <string.h>

#include "gateway.h"

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS frame (received INTEGER NOT NULL, node INTEGER NOT NULL, counter INTEGER NOT NULL,"
    " version INTEGER NOT NULL, sealed BLOB NOT NULL, sensor INTEGER, supply INTEGER, interval INTEGER, heard INTEGER);"
    "CREATE TABLE IF NOT EXISTS node (number INTEGER PRIMARY KEY, version INTEGER NOT NULL, next INTEGER NOT NULL,"
    " window INTEGER NOT NULL, sent INTEGER NOT NULL, restarts INTEGER NOT NULL, missing INTEGER NOT NULL,"
    " skipped INTEGER NOT NULL);"
    /* All keys that nodes have had, wrapped, so that their frames can be opened again. */
    "CREATE TABLE IF NOT EXISTS key (node INTEGER, version INTEGER, algorithm INTEGER NOT NULL, wrapped BLOB NOT NULL,"
    " PRIMARY KEY (node, version)) WITHOUT ROWID;"
    /* counter: 0 until the command has been sent.  interval: 0 for a new key, which is wrapped. */
    "CREATE TABLE IF NOT EXISTS command (id INTEGER PRIMARY KEY, node INTEGER NOT NULL, interval INTEGER NOT NULL,"
    " key BLOB, counter INTEGER NOT NULL DEFAULT 0);";

enum statement { BEGIN, COMMIT, ROLLBACK, FRAME, NODE, HAS_KEY, WAITING, SENT, OBEYED, POLL, ORDER, STATEMENTS };
static const char *const texts_of[STATEMENTS] = {
    "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK",
    "INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT OR REPLACE INTO node VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO key VALUES (?, ?, ?, ?)",
    "SELECT id, interval, key, counter FROM command WHERE node = ? ORDER BY id LIMIT 1",
    "UPDATE command SET counter = ?, key = ? WHERE id = ?",
    "DELETE FROM command WHERE node = ? AND counter > 0 AND counter <= ?",
    "SELECT DISTINCT node FROM command",
    "INSERT INTO command (node, interval) VALUES (?, ?)",
};
static sqlite3_stmt *statements[STATEMENTS];
static haechi_lea256_key wrap, unwrap;

enum { WRAPPED = FRAME_KEY + 8 };

static int failed(const struct gateway *g, const char *doing)
{
    fprintf(stderr, "telemetry-gateway: %s: %s\n", doing, sqlite3_errmsg(g->database));
    return -1;
}

/* Runs a statement that yields no row. */
static int done(enum statement s)
{
    const int result = sqlite3_step(statements[s]);
    sqlite3_reset(statements[s]);
    return result == SQLITE_DONE ? 0 : -1;
}

static void bind(enum statement s, int at, uint64_t value) { sqlite3_bind_int64(statements[s], at, (sqlite3_int64)value); }

static uint32_t column(sqlite3_stmt *s, int at) { return (uint32_t)sqlite3_column_int64(s, at); }

/* A wrapped key of the database.  Whoever changed it finds no way in: the gateway refuses it. */
static int unwrapped(sqlite3_stmt *s, int at, uint8_t *key)
{
    return sqlite3_column_bytes(s, at) == WRAPPED ? haechi_kw_unwrap(&unwrap.key, key, sqlite3_column_blob(s, at), WRAPPED) : -1;
}

static int load(struct gateway *g)
{
    sqlite3_stmt *s;
    int result = 0;
    if (sqlite3_prepare_v2(g->database, "SELECT node.*, wrapped FROM node JOIN key ON number = node AND node.version = key.version", -1, &s, NULL)) return -1;
    while (!result && sqlite3_step(s) == SQLITE_ROW) {
        struct node *node = gateway_node(g, column(s, 0));
        if (!node) continue; /* it has been taken out of the table of keys */
        node->version = (uint16_t)column(s, 1);
        node->next = column(s, 2);
        node->window = (uint64_t)sqlite3_column_int64(s, 3);
        node->sent = column(s, 4);
        node->restarts = column(s, 5);
        node->missing = column(s, 6);
        node->skipped = column(s, 7);
        node->stored = 1;
        result = unwrapped(s, 8, node->key);
    }
    if (sqlite3_finalize(s)) result = -1;
    if (result || sqlite3_prepare_v2(g->database, "SELECT node, key FROM command WHERE key IS NOT NULL AND counter > 0", -1, &s, NULL))
        return -1;
    while (!result && sqlite3_step(s) == SQLITE_ROW) {
        struct node *node = gateway_node(g, column(s, 0));
        if (!node) continue;
        result = unwrapped(s, 1, node->next_key);
        node->pending = 1;
    }
    return sqlite3_finalize(s) ? -1 : result;
}

static int intact(struct gateway *g)
{
    sqlite3_stmt *s;
    int good = 0;
    if (sqlite3_prepare_v2(g->database, "PRAGMA quick_check(1)", -1, &s, NULL)) return -1;
    if (sqlite3_step(s) == SQLITE_ROW) good = strcmp((const char *)sqlite3_column_text(s, 0), "ok") == 0;
    sqlite3_finalize(s);
    return good ? 0 : -1;
}

int store_open(struct gateway *g, const char *path)
{
    if (sqlite3_open(path, &g->database)) return failed(g, path);
    sqlite3_busy_timeout(g->database, 5000);
    if (intact(g)) return failed(g, "the database is damaged, restore it from a copy");
    if (sqlite3_exec(g->database, schema, NULL, NULL, NULL)) return failed(g, path);
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v2(g->database, texts_of[i], -1, &statements[i], NULL)) return failed(g, path);
    haechi_init(&wrap.key, sizeof wrap, &haechi_lea256, g->wrapping_key, sizeof g->wrapping_key);
    haechi_init(&unwrap.key, sizeof unwrap, &haechi_lea256_inv, g->wrapping_key, sizeof g->wrapping_key);
    if (load(g)) return failed(g, "the database does not belong to this table of keys");
    return store_poll(g);
}

void store_close(struct gateway *g)
{
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(statements[i]), statements[i] = NULL;
    sqlite3_close(g->database);
    g->database = NULL;
    haechi_wipe(&wrap, sizeof wrap);
    haechi_wipe(&unwrap, sizeof unwrap);
}

/* ---- A batch. */

static int put_frame(const struct arrival *a, const struct node *node, const uint8_t *text, uint64_t now)
{
    bind(FRAME, 1, now);
    bind(FRAME, 2, node->number);
    bind(FRAME, 3, frame_get(a->frame + 5, 4));
    bind(FRAME, 4, node->version);
    sqlite3_bind_blob(statements[FRAME], 5, a->frame, (int)a->size, SQLITE_STATIC);
    for (int i = 0; i < 3; i++) bind(FRAME, 6 + i, frame_get(text + 2 * i, 2));
    bind(FRAME, 9, frame_get(text + 6, 4));
    return done(FRAME);
}

static int put_node(struct node *node)
{
    const uint64_t values[] = { node->number, node->version, node->next, node->window, node->sent, node->restarts, node->missing,
                                node->skipped };
    uint8_t wrapped[WRAPPED];
    for (int i = 0; i < 8; i++) bind(NODE, 1 + i, values[i]);
    if (done(NODE)) return -1;
    if (node->stored) return 0;
    bind(HAS_KEY, 1, node->number);
    bind(HAS_KEY, 2, node->version);
    bind(HAS_KEY, 3, node->algorithm);
    haechi_kw_wrap(&wrap.key, wrapped, node->key, FRAME_KEY);
    sqlite3_bind_blob(statements[HAS_KEY], 4, wrapped, WRAPPED, SQLITE_STATIC);
    node->stored = 1;
    return done(HAS_KEY);
}

/* Seals a command.  Sent again, it is the same frame: nonce, key and text are as they were. */
static int seal_command(struct node *node, uint32_t counter, uint32_t interval, uint8_t *frame)
{
    const int new_key = interval == 0;
    const size_t len = new_key ? FRAME_NEW_KEY_TEXT : FRAME_COMMAND_TEXT;
    uint8_t *text = frame + FRAME_HEADER;
    haechi_job job = gateway_job(frame, len, new_key ? node->kek : node->key, text);
    frame_begin(frame, new_key ? FRAME_NEW_KEY : FRAME_COMMAND, node->number, counter, 0);
    if (new_key) memcpy(text, node->next_key, FRAME_KEY);
    else frame_put(text, interval, 2);
    if (haechi_seal_jobs(gateway_mode(node->algorithm), gateway_cipher(node->algorithm), &job, sizeof job, 1))
        return -1;
    return (int)(FRAME_HEADER + len + FRAME_TAG);
}

/* The oldest command that waits for a node.  When it is sent for the first time, it gets a counter, and a new key is made. */
static int reply(struct node *node, struct arrival *a)
{
    sqlite3_stmt *s = statements[WAITING];
    uint8_t wrapped[WRAPPED];
    int size, result = 0;
    bind(WAITING, 1, node->number);
    const int row = sqlite3_step(s);
    if (row == SQLITE_ROW) {
        const uint64_t id = (uint64_t)sqlite3_column_int64(s, 0);
        const uint32_t interval = column(s, 1);
        uint32_t counter = column(s, 3);
        sqlite3_reset(s);
        if (counter == 0) {
            counter = ++node->sent;
            node->changed = 1;
            bind(SENT, 1, counter);
            sqlite3_bind_null(statements[SENT], 2);
            if (interval == 0) {
                if (haechi_random(node->next_key, FRAME_KEY)) return -1;
                haechi_kw_wrap(&wrap.key, wrapped, node->next_key, FRAME_KEY);
                sqlite3_bind_blob(statements[SENT], 2, wrapped, WRAPPED, SQLITE_STATIC);
                node->pending = 1;
            }
            bind(SENT, 3, id);
            result = done(SENT);
        }
        size = seal_command(node, counter, interval, a->reply);
        if (size < 0) return -1;
        a->reply_size = (size_t)size;
        return result;
    }
    sqlite3_reset(s);
    node->waiting = 0;
    return row == SQLITE_DONE ? 0 : -1;
}

static int put_all(struct arrival *a, const uint8_t (*texts)[FRAME_NEW_KEY_TEXT], struct node **of, size_t n, uint64_t now)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i].verdict != ACCEPTED) continue;
        if (put_frame(&a[i], of[i], texts[i], now)) return -1;
        if (!of[i]->waiting) continue;
        bind(OBEYED, 1, of[i]->number);
        bind(OBEYED, 2, frame_get(texts[i] + 6, 4));
        if (done(OBEYED) || reply(of[i], &a[i])) return -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (!of[i] || !of[i]->changed) continue;
        if (put_node(of[i])) return -1;
        of[i]->changed = 0;
    }
    return 0;
}

int store_batch(struct gateway *g, struct arrival *a, const uint8_t (*texts)[FRAME_NEW_KEY_TEXT], struct node **of, size_t n,
                uint64_t now)
{
    static int refused; /* it has been said */
    int any = 0;
    for (size_t i = 0; i < n; i++) any |= a[i].verdict == ACCEPTED;
    if (!any) return 0;
    if (!done(BEGIN)) {
        if (!put_all(a, texts, of, n, now) && !done(COMMIT)) {
            refused = 0;
            return 0;
        }
        if (!refused) failed(g, "frames are refused until the database can be written");
        done(ROLLBACK);
    } else if (!refused) {
        failed(g, "frames are refused until the database can be written");
    }
    refused = 1;
    return -1;
}

/* ---- Commands. */

int store_poll(struct gateway *g)
{
    int row;
    while ((row = sqlite3_step(statements[POLL])) == SQLITE_ROW) {
        struct node *node = gateway_node(g, column(statements[POLL], 0));
        if (node) node->waiting = 1;
    }
    sqlite3_reset(statements[POLL]);
    return row == SQLITE_DONE ? 0 : failed(g, "commands cannot be read");
}

int store_order(struct gateway *g, uint32_t number, uint32_t interval)
{
    if (!gateway_node(g, number)) {
        fprintf(stderr, "telemetry-gateway: there is no node %u in the table of keys\n", number);
        return -1;
    }
    bind(ORDER, 1, number);
    bind(ORDER, 2, interval);
    return done(ORDER) ? failed(g, "the command was not stored") : 0;
}
