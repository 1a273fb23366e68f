/* main.c - the gateway as a program.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One datagram on a UDP socket is one frame.  The gateway answers each, when it has been stored, with a datagram: the verdict (one
 * byte of gateway.h), the nine bytes of the frame's nonce, and a command to the node if one waits.  Whoever carries frames from
 * the radio sends a frame again until the answer comes. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gateway.h"

static const char usage[] =
    "telemetry-gateway: opens the frames of nodes and keeps them in a database\n"
    "\n"
    "  telemetry-gateway -k KEY -t TABLE -d DATABASE [-p PORT] [-m METRICS] [-r RATE] [-c COMMAND]\n"
    "  telemetry-gateway -k KEY -t TABLE -d DATABASE -n NODE (-i SECONDS | -N)\n"
    "\n"
    "The first form listens on 127.0.0.1 until SIGTERM or SIGINT.  The second puts in a command for a node: an interval\n"
    "between readings, or a new key.\n"
    "\n"
    "  -k KEY       a key file of the haechi command\n"
    "  -t TABLE     the table of keys, encrypted under it\n"
    "  -d DATABASE  an SQLite database, made if there is none\n"
    "  -p PORT      the UDP port; 0, the default, takes a free one, which is printed\n"
    "  -m METRICS   a file for counts, in Prometheus' text format, written each second\n"
    "  -r RATE      the frames of one node that are opened in a second, 100 by default\n"
    "  -c COMMAND   the haechi command, by default that on PATH\n";

static volatile sig_atomic_t ends;

static void on_signal(int number)
{
    (void)number;
    ends = 1;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int listen_on(uint16_t port)
{
    const int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), room = 4 << 20;
    const struct timeval second = { 1, 0 };
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    if (s < 0 || bind(s, (struct sockaddr *)&at, size) || getsockname(s, (struct sockaddr *)&at, &size) ||
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second)) {
        fprintf(stderr, "telemetry-gateway: port %u: %s\n", port, strerror(errno));
        return -1;
    }
    setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof room); /* the kernel may give less */
    printf("%u\n", ntohs(at.sin_port));
    fflush(stdout);
    return s;
}

/* Takes what has arrived, at most BATCH frames, and answers them. */
static int turn(struct gateway *g, int s)
{
    static struct arrival arrivals[BATCH];
    static struct sockaddr_in from[BATCH];
    static struct iovec parts[BATCH];
    static struct mmsghdr messages[BATCH];
    static uint8_t answers[BATCH][1 + FRAME_NONCE + FRAME_MOST];
    int n;
    for (int i = 0; i < BATCH; i++) {
        parts[i] = (struct iovec){ arrivals[i].frame, sizeof arrivals[i].frame };
        messages[i].msg_hdr = (struct msghdr){ &from[i], sizeof from[i], &parts[i], 1, NULL, 0, 0 };
    }
    n = recvmmsg(s, messages, BATCH, MSG_WAITFORONE | MSG_TRUNC, NULL);
    if (n < 0) return errno == EAGAIN || errno == EINTR || errno == ECONNREFUSED ? 0 : -1;
    for (int i = 0; i < n; i++) {
        const size_t size = messages[i].msg_len;
        memset(arrivals[i].frame + (size < FRAME_MOST ? size : FRAME_MOST), 0, size < FRAME_MOST ? FRAME_MOST - size : 0);
        arrivals[i].size = size; /* of the datagram, even if it is longer than the buffer */
    }
    gateway_take(g, arrivals, (size_t)n, now());
    for (int i = 0; i < n; i++) {
        uint8_t *to = answers[i];
        to[0] = (uint8_t)arrivals[i].verdict;
        memcpy(to + 1, arrivals[i].frame, FRAME_NONCE);
        memcpy(to + 1 + FRAME_NONCE, arrivals[i].reply, arrivals[i].reply_size);
        parts[i] = (struct iovec){ to, 1 + FRAME_NONCE + arrivals[i].reply_size };
    }
    for (int sent = 0, k; sent < n; sent += k) { /* an answer that is lost is asked for again */
        k = sendmmsg(s, messages + sent, (unsigned)(n - sent), 0);
        if (k < 1) k = 1;
    }
    return 0;
}

static int serve(struct gateway *g, uint16_t port, const char *metrics)
{
    const struct sigaction action = { .sa_handler = on_signal };
    const int s = listen_on(port);
    uint64_t written = 0;
    int result = s < 0 ? -1 : 0;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    while (!ends && !result) {
        result = turn(g, s);
        if (now() - written < 1000) continue;
        written = now();
        if (store_poll(g) || (metrics && metrics_write(g, metrics))) result = -1;
    }
    if (s >= 0) close(s);
    if (metrics) metrics_write(g, metrics);
    return result;
}

static long number(const char *text, long least, long most)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text && !*end && value >= least && value <= most) return value;
    fprintf(stderr, "telemetry-gateway: %s is no number from %ld to %ld\n", text, least, most);
    exit(2);
}

int main(int argc, char **argv)
{
    const char *key = NULL, *table = NULL, *database = NULL, *metrics = NULL, *command = "haechi";
    struct gateway g = { .rate = 100 };
    long port = 0, node = -1, interval = -1;
    int option, result;
    while ((option = getopt(argc, argv, "k:t:d:p:m:r:c:n:i:Nh")) != -1) {
        switch (option) {
        case 'k': key = optarg; break;
        case 't': table = optarg; break;
        case 'd': database = optarg; break;
        case 'p': port = number(optarg, 0, 65535); break;
        case 'm': metrics = optarg; break;
        case 'r': g.rate = (uint32_t)number(optarg, 1, 1000000000); break;
        case 'c': command = optarg; break;
        case 'n': node = number(optarg, 0, 4294967295); break;
        case 'i': interval = number(optarg, 1, 65535); break;
        case 'N': interval = 0; break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }
    if (!key || !table || !database || optind != argc || (node < 0) != (interval < 0)) {
        fputs(usage, stderr);
        return 2;
    }
    if (keys_load(&g, command, key, table)) return 1;
    result = store_open(&g, database);
    if (!result) result = node >= 0 ? store_order(&g, (uint32_t)node, (uint32_t)interval) : serve(&g, (uint16_t)port, metrics);
    store_close(&g);
    keys_forget(&g);
    return result ? 1 : 0;
}
