/* input.c - files and pipes that are read, and how far they have been read.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

void input_open(struct input *in, const char *name)
{
    struct stat s;

    memset(in, 0, sizeof *in);
    if (name == NULL || !strcmp(name, "-")) {
        in->name = "standard input";
    } else {
        in->name = name;
        do in->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (in->fd < 0 && errno == EINTR);
        if (in->fd < 0) die(SYSTEM, errno, "%s cannot be opened", name);
    }
    if (fstat(in->fd, &s)) die(SYSTEM, errno, "%s cannot be read", in->name);
    if (S_ISDIR(s.st_mode)) die(SYSTEM, EISDIR, "%s cannot be read", in->name);
    if (S_ISREG(s.st_mode) && s.st_size > 0) in->size = (uint64_t)s.st_size;
    in->mode = S_ISREG(s.st_mode) ? s.st_mode & 0777 : 0666;
#if defined(POSIX_FADV_SEQUENTIAL)
    (void)posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

size_t input_try(struct input *in, void *p, size_t n)
{
    size_t got = 0;

    while (got < n) {
        const ssize_t m = read(in->fd, (char *)p + got, n - got);
        if (m < 0 && errno == EINTR) continue;
        if (m < 0) in->error = errno;
        if (m <= 0) break;
        got += (size_t)m;
    }
    in->got += got;
    return got;
}

size_t input_read(struct input *in, void *p, size_t n)
{
    const size_t got = input_try(in, p, n);
    if (in->error) die(SYSTEM, in->error, "%s cannot be read", in->name);
    return got;
}

uint8_t *input_all(struct input *in, size_t most, size_t *n)
{
    size_t room = in->size && in->size < most ? (size_t)in->size + 1 : 65536;
    uint8_t *p = NULL;

    *n = 0;
    for (;;) {
        uint8_t *const bigger = realloc(p, room);
        if (bigger == NULL) die_of_memory();
        p = bigger;
        *n += input_read(in, p + *n, room - *n);
        if (*n > most) die(USAGE, 0, "%s is longer than %zu bytes.", in->name, most);
        if (*n < room) return p;
        room *= 2;
    }
}

/* ---- Progress. */

int quiet;
static int shown;

double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress(const struct input *in)
{
    static double start, last;
    static int terminal = -1;
    const double t = now(), got = (double)in->got, size = (double)in->size;

    if (terminal < 0) terminal = !quiet && isatty(STDERR_FILENO), start = last = t;
    if (!terminal || t - last < 0.25) return;
    last = t;
    shown = 1;
    if (in->size && got > 0 && got <= size) {
        const long left = (long)((t - start) * (size - got) / got); /* seconds */
        (void)fprintf(stderr, "\r%3.0f %%  %.0f MB/s  %ld:%02ld left \033[K", 100 * got / size,
                      1e-6 * got / (t - start), left / 60, left % 60);
    } else {
        (void)fprintf(stderr, "\r%.0f MB  %.0f MB/s \033[K", 1e-6 * got, 1e-6 * got / (t - start));
    }
}

void progress_end(void)
{
    if (shown) (void)fputs("\r\033[K", stderr);
    shown = 0;
}
