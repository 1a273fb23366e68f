/* keys.c - the table of keys, which the haechi command seals and opens.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gateway.h"

extern char **environ;

enum { RECORD = 4 + 1 + 2 * FRAME_KEY, AT_A_TIME = 4096 };

static int said(const char *what)
{
    fprintf(stderr, "telemetry-gateway: the table of keys: %s\n", what);
    return -1;
}

static int add(struct gateway *g, size_t *room, const uint8_t *record)
{
    struct node *node;
    if (g->n == *room) {
        const size_t more = *room ? *room * 2 : 1024;
        struct node *grown = calloc(more, sizeof *grown);
        if (!grown) return said("there is not enough memory");
        if (g->n) memcpy(grown, g->nodes, g->n * sizeof *grown);
        haechi_wipe(g->nodes, g->n * sizeof *grown);
        free(g->nodes);
        g->nodes = grown;
        *room = more;
    }
    node = &g->nodes[g->n++];
    node->number = frame_get(record, 4);
    node->algorithm = record[4];
    memcpy(node->key, record + 5, FRAME_KEY);
    memcpy(node->kek, record + 5 + FRAME_KEY, FRAME_KEY);
    return node->algorithm == LEA_128_CCM || node->algorithm == HIGHT_EAX ? 0 : said("a node has neither LEA nor HIGHT");
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = ((const struct node *)a)->number, y = ((const struct node *)b)->number;
    return (x > y) - (x < y);
}

static int read_all(struct gateway *g, FILE *from)
{
    static uint8_t records[AT_A_TIME * RECORD];
    size_t room = 0, bytes;
    int result = 0;
    if (fread(g->wrapping_key, 1, sizeof g->wrapping_key, from) != sizeof g->wrapping_key) return said("it is too short");
    while (!result && (bytes = fread(records, 1, sizeof records, from)) != 0) {
        if (bytes % RECORD) result = said("it ends inside a record");
        for (size_t i = 0; !result && i < bytes; i += RECORD) result = add(g, &room, records + i);
    }
    haechi_wipe(records, sizeof records);
    if (result) return result;
    qsort(g->nodes, g->n, sizeof *g->nodes, by_number);
    for (size_t i = 1; i < g->n; i++)
        if (g->nodes[i].number == g->nodes[i - 1].number) return said("it has a node twice");
    return 0;
}

int keys_load(struct gateway *g, const char *command, const char *key_file, const char *table)
{
    char *const arguments[] = { (char *)(uintptr_t)command, "dec", "-k", (char *)(uintptr_t)key_file, "-o", "-",
                                (char *)(uintptr_t)table, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2], status, result;
    pid_t child;
    FILE *from;
    if (pipe(ends)) return said(strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    result = posix_spawnp(&child, command, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (result) {
        close(ends[0]);
        fprintf(stderr, "telemetry-gateway: %s: %s\n", command, strerror(result));
        return -1;
    }
    from = fdopen(ends[0], "rb");
    if (from) setvbuf(from, NULL, _IONBF, 0); /* no copy of keys stays behind */
    result = from ? read_all(g, from) : said(strerror(errno));
    if (from) fclose(from);
    else close(ends[0]);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status)) {
        keys_forget(g);
        return result ? result : said("it was not decrypted"); /* a part of it is no table */
    }
    if (result) keys_forget(g);
    return result;
}

void keys_forget(struct gateway *g)
{
    haechi_wipe(g->nodes, g->n * sizeof *g->nodes);
    haechi_wipe(g->wrapping_key, sizeof g->wrapping_key);
    free(g->nodes);
    g->nodes = NULL;
    g->n = 0;
}
