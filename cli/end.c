/* end.c - messages, secrets, signals, and every way in which the program ends.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* MADV_DONTDUMP */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"

/* ---- What must be undone at the end. */

static struct secret {
    struct secret *next;
    size_t size;
} *secrets; /* each is at the beginning of its own pages */

enum { SECRET_HEAD = 64 /* bytes of such a page before the secret, so that it is aligned */ };

char *volatile unfinished;
void (*restore_terminal)(void);
void (*stop_others)(void);

void *secret(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (size + SECRET_HEAD + page - 1) / page * page;
    struct secret *s = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (s == MAP_FAILED) die_of_memory();
    (void)mlock(s, whole); /* If it fails because the user's limit is 0, the user can still encrypt. */
#if defined(MADV_DONTDUMP)
    (void)madvise(s, whole, MADV_DONTDUMP);
#endif
    s->next = secrets, s->size = whole;
    secrets = s;
    return (char *)s + SECRET_HEAD;
}

__attribute__((__noinline__)) void forget_stack(void)
{
    uint8_t below[8192];
    haechi_wipe(below, sizeof below);
}

/* A signal handler may call this. */
static void clean(void)
{
    for (struct secret *s = secrets; s != NULL; s = s->next)
        haechi_wipe((char *)s + SECRET_HEAD, s->size - SECRET_HEAD);
    if (unfinished != NULL) (void)unlink(unfinished);
    unfinished = NULL;
    if (restore_terminal != NULL) restore_terminal();
    forget_stack();
}

/* ---- Signals. */

static const int stops[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2 };

static void stopped(int number)
{
    if (stop_others == NULL) clean();
    else if (unfinished != NULL) (void)unlink(unfinished); /* A handler cannot stop the other threads. */
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void hold_signals(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) (void)sigaddset(&set, stops[i]);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void release_signals(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) (void)sigaddset(&set, stops[i]);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void prepare(void)
{
    const struct rlimit none = { 0, 0 };

    (void)setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct sigaction now;
        if (sigaction(stops[i], NULL, &now) || now.sa_handler == SIG_IGN) continue; /* as nohup sets it */
        now.sa_handler = stopped;
        now.sa_flags = (int)SA_RESETHAND;
        (void)sigaction(stops[i], &now, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN); /* write fails instead, and the program can say so. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (atexit(clean)) die(SYSTEM, 0, "The program cannot arrange for its end.");
}

/* ---- Messages. */

static void say(int errno_value, const char *format, va_list arguments)
{
    char line[1200];
    progress_end();
    (void)vsnprintf(line, sizeof line, format, arguments);
    if (errno_value) (void)fprintf(stderr, "haechi: %s: %s\n", line, strerror(errno_value));
    else (void)fprintf(stderr, "haechi: %s\n", line);
}

/* Two threads may fail at the same time: only the first one speaks. */
static pthread_mutex_t dying = PTHREAD_MUTEX_INITIALIZER;

static void leave(int code) __attribute__((__noreturn__));
static void leave(int code)
{
    if (stop_others != NULL) stop_others();
    exit(code);
}

void die(int code, int errno_value, const char *format, ...)
{
    va_list arguments;
    (void)pthread_mutex_lock(&dying);
    va_start(arguments, format);
    say(errno_value, format, arguments);
    va_end(arguments);
    leave(code);
}

void output_die(struct output *out, int code, int errno_value, const char *format, ...)
{
    va_list arguments;
    (void)pthread_mutex_lock(&dying);
    va_start(arguments, format);
    say(errno_value, format, arguments);
    va_end(arguments);
    if (out->target != NULL) warn("%s has not been written.", out->name);
    else if (out->written) warn("What went to %s is incomplete: do not use it.", out->name);
    leave(code);
}

void die_of_memory(void)
{
    die(SYSTEM, errno, "The system gives no memory");
}

void die_of_entropy(void)
{
    die(SYSTEM, 0, "The system gives no random bytes.");
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(0, format, arguments);
    va_end(arguments);
}
