/* metrics.c - what the gateway has counted, in Prometheus' text format (version 0.0.4).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The file is for the textfile collector of Prometheus' node exporter.  Counts begin at 0 when the process starts, as
 * Prometheus expects, but those of nodes are kept. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gateway.h"

static const char *const names[VERDICTS] = {
    [ACCEPTED] = "accepted", [REPLAYED] = "replayed", [FORGED] = "forged", [UNKNOWN] = "unknown",
    [MALFORMED] = "malformed", [FLOODED] = "flooded", [NOT_STORED] = "not_stored",
};

static void gauge(FILE *to, const char *name, const char *help, uint64_t value)
{
    fprintf(to, "# HELP telemetry_%s %s\n# TYPE telemetry_%s gauge\ntelemetry_%s %" PRIu64 "\n", name, help, name, name, value);
}

int metrics_write(const struct gateway *g, const char *path)
{
    char fresh[4096];
    uint64_t heard = 0, restarts = 0, missing = 0, skipped = 0;
    FILE *to;
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh) return -1;
    to = fopen(fresh, "w");
    if (!to) {
        fprintf(stderr, "telemetry-gateway: %s: %s\n", fresh, strerror(errno));
        return -1;
    }
    for (size_t i = 0; i < g->n; i++) {
        heard += g->nodes[i].next != 0;
        restarts += g->nodes[i].restarts;
        missing += g->nodes[i].missing;
        skipped += g->nodes[i].skipped;
    }
    fprintf(to, "# HELP telemetry_frames_total Frames by verdict.\n# TYPE telemetry_frames_total counter\n");
    for (int v = 0; v < VERDICTS; v++)
        fprintf(to, "telemetry_frames_total{verdict=\"%s\"} %" PRIu64 "\n", names[v], g->verdicts[v]);
    gauge(to, "nodes", "Nodes in the table of keys.", g->n);
    gauge(to, "nodes_heard", "Nodes of which a frame was accepted.", heard);
    gauge(to, "node_restarts", "Resets that nodes have told of.", restarts);
    gauge(to, "frames_missing", "Counters that have not come, between those that have.", missing);
    gauge(to, "counters_skipped", "Counters that have not come, below the first frame after a reset.", skipped);
    if (fclose(to) || rename(fresh, path)) {
        fprintf(stderr, "telemetry-gateway: %s: %s\n", path, strerror(errno));
        return -1;
    }
    return 0;
}
