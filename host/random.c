/* random.c - a generator for each thread, seeded by the operating system.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A generator belongs to a thread, so that nobody waits and no lock is held over a fork, and to a process: a
 * child finds another process number in it and seeds it anew, also after a clone that no atfork handler
 * hears of.  (Not that a number is used again: by the child of a child that never asked for a byte, after the
 * process that did has ended.)  What a thread leaves behind when it ends is no secret: bytes that went out cannot be had from
 * a later state, and no more are to come. */
#define _DEFAULT_SOURCE /* read, open and getpid in strict C99 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#if defined(__linux__) && !defined(HAECHI_NO_GETRANDOM)
#include <sys/random.h>
#endif

#include "haechi_random.h"

enum { ENTROPY = 32, NONCE = 16, REQUEST = 65536 };

/* Requests on one seed.  The standard would allow 2^48. */
#if !defined(HAECHI_RANDOM_REQUESTS)
#define HAECHI_RANDOM_REQUESTS 65536
#endif

static __thread struct {
    haechi_drbg d;
    pid_t owner; /* 0: nobody yet */
} own;

/* Fills p through what read does; 0 if the source fails or ends. */
static int fill(int file, uint8_t *p, size_t n)
{
    while (n) {
        ssize_t got;
#if defined(__linux__) && !defined(HAECHI_NO_GETRANDOM)
        if (file < 0) got = getrandom(p, n, 0);
        else
#endif
            got = read(file, p, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        p += got, n -= (size_t)got;
    }
    return 1;
}

static int entropy(uint8_t *p, size_t n)
{
    int file, done;
#if defined(__linux__) && !defined(HAECHI_NO_GETRANDOM)
    if (fill(-1, p, n)) return 1;
#endif
    do file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
    if (file < 0) return 0;
    done = fill(file, p, n);
    close(file);
    return done;
}

/* A generator that is this process's and not too old. */
static int ready(void)
{
    const pid_t me = getpid();
    uint8_t seed[ENTROPY + NONCE];
    int error = HAECHI_OK;

    if (own.owner == me && own.d.count <= HAECHI_RANDOM_REQUESTS) return HAECHI_OK;
    if (!entropy(seed, sizeof seed)) error = HAECHI_ERESEED;
    else if (own.owner == me) error = haechi_drbg_reseed(&own.d, seed, sizeof seed, NULL, 0);
    else
        error = haechi_drbg_init(&own.d, &haechi_drbg_lea256, 0, seed, ENTROPY, seed + ENTROPY, NONCE, NULL, 0);
    haechi_wipe(seed, sizeof seed);
    own.owner = error ? 0 : me;
    return error;
}

int haechi_random(void *out, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    size_t left = len;
    int error = HAECHI_EUSE;

    if (len != 0 && out == NULL) return error;
    while (left) {
        const size_t n = left < REQUEST ? left : REQUEST;
        error = ready();
        if (error == HAECHI_OK) error = haechi_drbg_read(&own.d, o, n, NULL, 0);
        if (error) goto fail;
        o += n, left -= n;
    }
    return HAECHI_OK;

fail:
    haechi_wipe(out, len);
    return error;
}
