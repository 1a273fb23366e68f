/* io.c - files and pipes in and out, messages, secrets, the end.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A file that is written has no name until it is whole (O_TMPFILE; a hidden name beside the target where the
 * file system cannot do that), so that a program that is killed leaves nothing behind. */
#define _GNU_SOURCE /* O_TMPFILE, MADV_DONTDUMP */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <haechi_random.h>

#include "command.h"

#if defined(O_TMPFILE) && !defined(HAECHI_NO_TMPFILE)
#define NAMELESS O_TMPFILE
#endif

/* ---- What is to be undone at the end. */

static struct secret {
    struct secret *next;
    size_t size;
} *secrets; /* each heads its own pages */

static char *volatile unfinished; /* the name of a temporary file */

void *secret(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), head = 64;
    const size_t whole = (size + head + page - 1) / page * page;
    struct secret *s = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (s == MAP_FAILED) die(SYSTEM, errno, "memory");
    (void)mlock(s, whole); /* a limit of none is no reason to stop */
#if defined(MADV_DONTDUMP)
    (void)madvise(s, whole, MADV_DONTDUMP);
#endif
    s->next = secrets, s->size = whole;
    secrets = s;
    return (char *)s + head;
}

void (*stop_others)(void);

__attribute__((__noinline__)) void forget_stack(void)
{
    uint8_t below[8192];
    haechi_wipe(below, sizeof below);
}

/* Fit for a signal handler. */
static void clean(void)
{
    for (struct secret *s = secrets; s != NULL; s = s->next) haechi_wipe((char *)s + 64, s->size - 64);
    if (unfinished != NULL) (void)unlink(unfinished);
    unfinished = NULL;
    forget_stack();
}

static void stopped(int number)
{
    if (stop_others == NULL) clean();
    else if (unfinished != NULL) (void)unlink(unfinished); /* threads cannot be stopped from here */
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void prepare(void)
{
    static const int stops[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2 };
    const struct rlimit none = { 0, 0 };

    (void)setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct sigaction now;
        if (sigaction(stops[i], NULL, &now) || now.sa_handler == SIG_IGN) continue; /* nohup */
        now.sa_handler = stopped;
        now.sa_flags = (int)SA_RESETHAND;
        (void)sigaction(stops[i], &now, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN); /* write says it, with a message */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (atexit(clean)) die(SYSTEM, 0, "atexit");
}

static void say(int errno_value, const char *format, va_list arguments)
{
    char line[1200];
    progress_end();
    (void)vsnprintf(line, sizeof line, format, arguments);
    if (errno_value) (void)fprintf(stderr, "haechi: %s: %s\n", line, strerror(errno_value));
    else (void)fprintf(stderr, "haechi: %s\n", line);
}

/* Two threads may fail at once: the first one speaks. */
static pthread_mutex_t dying = PTHREAD_MUTEX_INITIALIZER;

void die(int code, int errno_value, const char *format, ...)
{
    va_list arguments;
    (void)pthread_mutex_lock(&dying);
    va_start(arguments, format);
    say(errno_value, format, arguments);
    va_end(arguments);
    if (stop_others != NULL) stop_others();
    exit(code);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(0, format, arguments);
    va_end(arguments);
}

/* ---- Input. */

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
        if (in->fd < 0) die(SYSTEM, errno, "%s", name);
    }
    if (fstat(in->fd, &s)) die(SYSTEM, errno, "%s", in->name);
    if (S_ISDIR(s.st_mode)) die(SYSTEM, EISDIR, "%s", in->name);
    if (S_ISREG(s.st_mode) && s.st_size > 0) in->size = (uint64_t)s.st_size;
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
    if (in->error) die(SYSTEM, in->error, "%s", in->name);
    return got;
}

uint8_t *input_all(struct input *in, size_t most, size_t *n)
{
    size_t room = in->size && in->size < most ? (size_t)in->size + 1 : 65536;
    uint8_t *p = NULL;

    *n = 0;
    for (;;) {
        uint8_t *const bigger = realloc(p, room);
        if (bigger == NULL) die(SYSTEM, errno, "%s: memory", in->name);
        p = bigger;
        *n += input_read(in, p + *n, room - *n);
        if (*n > most) die(USAGE, 0, "%s: more than %zu bytes", in->name, most);
        if (*n < room) return p;
        room *= 2;
    }
}

/* ---- Output. */

static mode_t usual_mode(void)
{
    const mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* The folder that a name is in, to be freed. */
static char *folder_of(const char *name)
{
    const char *const slash = strrchr(name, '/');
    char *const folder = slash == NULL   ? strdup(".")
                         : slash == name ? strdup("/")
                                         : strndup(name, (size_t)(slash - name));
    if (folder == NULL) die(SYSTEM, errno, "memory");
    return folder;
}

/* A hidden name beside the target that no file has, to be freed. */
static char *hidden_name(const char *target, int make, int *fd)
{
    char *const folder = folder_of(target);
    const size_t n = strlen(folder) + sizeof "/.haechi-XXXXXX";
    char *const name = malloc(n);

    if (name == NULL) die(SYSTEM, errno, "memory");
    (void)snprintf(name, n, "%s/.haechi-XXXXXX", folder);
    free(folder);
    if (make) {
        *fd = mkstemp(name);
        if (*fd < 0) die(SYSTEM, errno, "%s", target);
        (void)fcntl(*fd, F_SETFD, FD_CLOEXEC);
    } else { /* 62^6 of them: one is free, or linkat says */
        static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        uint8_t random[6];
        if (haechi_random(random, sizeof random)) die(SYSTEM, 0, "the system gives no random bytes");
        for (size_t i = 0; i < 6; i++) name[n - 7 + i] = digits[random[i] % 62];
    }
    return name;
}

void output_open(struct output *out, const char *name, int replace)
{
    struct stat s;
    int exists;
    mode_t mode;

    memset(out, 0, sizeof *out);
    out->replace = replace;
    if (name == NULL || !strcmp(name, "-")) {
        out->name = "standard output";
        out->fd = STDOUT_FILENO;
        out->terminal = isatty(out->fd);
        return;
    }
    out->name = name;
    exists = stat(name, &s) == 0;
    if (exists && S_ISDIR(s.st_mode)) die(SYSTEM, EISDIR, "%s", name);
    if (exists && !S_ISREG(s.st_mode)) { /* a device, a pipe with a name */
        do out->fd = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        while (out->fd < 0 && errno == EINTR);
        if (out->fd < 0) die(SYSTEM, errno, "%s", name);
        out->terminal = isatty(out->fd);
        return;
    }
    if (exists && !replace) die(USAGE, 0, "%s is there already; -f replaces it", name);
    if (exists && access(name, W_OK)) die(SYSTEM, errno, "%s", name);
    mode = exists ? s.st_mode & 0777 : usual_mode();
    out->target =
        exists ? realpath(name, NULL) : strdup(name); /* what a link leads to is replaced, not the link */
    if (out->target == NULL) die(SYSTEM, errno, "%s", name);

    out->fd = -1;
#if defined(NAMELESS)
    if (access("/proc/self/fd", X_OK) == 0) { /* by which it gets its name */
        char *const folder = folder_of(out->target);
        out->fd = open(folder, NAMELESS | O_WRONLY | O_CLOEXEC, 0600);
        free(folder);
    }
#endif
    if (out->fd < 0) {
        out->temporary = hidden_name(out->target, 1, &out->fd);
        unfinished = out->temporary;
    }
    if (fchmod(out->fd, mode)) die(SYSTEM, errno, "%s", name);
}

/* Bytes that a terminal may show. */
static int is_text(const uint8_t *p, size_t n)
{
    for (; n; n--, p++)
        if ((*p < ' ' && *p != '\n' && *p != '\t' && *p != '\r') || *p == 0x7f) return 0;
    return 1;
}

static void write_all(struct output *out, struct iovec *v, int n)
{
    while (n) {
        ssize_t done;
        if (v->iov_len == 0) {
            v++, n--;
            continue;
        }
        done = writev(out->fd, v, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) output_die(out, SYSTEM, errno, "%s", out->name);
        out->written += (uint64_t)done;
        for (; n && (size_t)done >= v->iov_len; v++, n--) done -= (ssize_t)v->iov_len;
        if (n) v->iov_base = (char *)v->iov_base + done, v->iov_len -= (size_t)done;
    }
}

void output_bytes(struct output *out, const void *p, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *b = (const uint8_t *)p;
    struct iovec v = { NULL, n };

    if (!out->hex) {
        v.iov_base = (void *)(uintptr_t)p;
        output_write(out, &v, 1);
        return;
    }
    while (n) {
        char text[8192];
        const size_t m = n < sizeof text / 2 ? n : sizeof text / 2;
        for (size_t i = 0; i < m; i++) text[2 * i] = digits[b[i] >> 4], text[2 * i + 1] = digits[b[i] & 15];
        v.iov_base = text, v.iov_len = 2 * m;
        output_write(out, &v, 1);
        haechi_wipe(text, sizeof text);
        b += m, n -= m;
    }
}

void output_write(struct output *out, struct iovec *v, int n)
{
    if (out->terminal)
        for (int i = 0; i < n; i++)
            if (!is_text((const uint8_t *)v[i].iov_base, v[i].iov_len))
                output_die(out, USAGE, 0, "this is not text, and %s is a terminal: give -o FILE or a pipe",
                           out->name);
    write_all(out, v, n);
}

/* Gives the file its name. */
static int put_in_place(struct output *out)
{
    char *hidden = out->temporary;

#if defined(NAMELESS)
    if (hidden == NULL) {
        char self[64];
        (void)snprintf(self, sizeof self, "/proc/self/fd/%d", out->fd);
        if (!out->replace) return linkat(AT_FDCWD, self, AT_FDCWD, out->target, AT_SYMLINK_FOLLOW);
        hidden = hidden_name(out->target, 0, NULL);
        if (linkat(AT_FDCWD, self, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW)) return -1;
        unfinished = out->temporary = hidden;
    }
#endif
    if (!out->replace) {
        if (link(hidden, out->target) == 0) return unlink(hidden);
        if (errno == EEXIST || access(out->target, F_OK) == 0) {
            errno = EEXIST;
            return -1;
        } /* else a file system without links */
    }
    return rename(hidden, out->target);
}

void output_done(struct output *out)
{
    char *folder;
    int fd;

    progress_end();
    if (out->hex) {
        struct iovec line = { (void *)(uintptr_t) "\n", 1 };
        output_write(out, &line, 1);
    }
    if (out->target == NULL) {
        if (close(out->fd)) output_die(out, SYSTEM, errno, "%s", out->name);
        return;
    }
    if (fsync(out->fd) && errno != EINVAL) /* a file system that has none */
        output_die(out, SYSTEM, errno, "%s", out->name);
    if (put_in_place(out)) {
        if (errno == EEXIST) output_die(out, USAGE, 0, "%s is there already; -f replaces it", out->name);
        output_die(out, SYSTEM, errno, "%s", out->name);
    }
    unfinished = NULL;
    if (close(out->fd)) die(SYSTEM, errno, "%s", out->name);
    folder = folder_of(out->target); /* the name is to last, too */
    fd = open(folder, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(folder);
    free(out->target);
    free(out->temporary);
}

void output_die(struct output *out, int code, int errno_value, const char *format, ...)
{
    va_list arguments;
    (void)pthread_mutex_lock(&dying);
    va_start(arguments, format);
    say(errno_value, format, arguments);
    va_end(arguments);
    if (out->target != NULL) warn("%s has not been written", out->name);
    else if (out->written) warn("what went to %s is incomplete: do not use it", out->name);
    if (stop_others != NULL) stop_others();
    exit(code);
}

/* ---- Progress. */

int quiet;
static int shown;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress(const struct input *in)
{
    static double start, last;
    static int terminal = -1;
    const double t = now();

    if (terminal < 0) terminal = !quiet && isatty(STDERR_FILENO), start = last = t;
    if (!terminal || t - last < 0.25) return;
    last = t;
    shown = 1;
    if (in->size)
        (void)fprintf(stderr, "\r%3.0f %%  %.0f MB/s \033[K", 100 * (double)in->got / (double)in->size,
                      1e-6 * (double)in->got / (t - start));
    else
        (void)fprintf(stderr, "\r%.0f MB  %.0f MB/s \033[K", 1e-6 * (double)in->got,
                      1e-6 * (double)in->got / (t - start));
}

void progress_end(void)
{
    if (shown) (void)fputs("\r\033[K", stderr);
    shown = 0;
}
