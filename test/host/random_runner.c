/* random_runner.c - runs haechi_random on an operating system that this program simulates.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The argument names the scene.  Exit code 0: every check held.  77: the scene needs rights that this process
 * lacks.  Any other: standard error names the line that failed.
 *
 * -DHEEDLESS: madvise accepts any advice and follows none, as qemu-user's does.
 * -DURANDOM='"/dev/zero"': the file that opens in place of /dev/urandom; -DNO_URANDOM: none opens. */
#define _GNU_SOURCE /* unshare, syscall */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "haechi_random.h"

#define CHECK(x)                                                                                             \
    if (!(x)) return fprintf(stderr, "line %d: %s\n", __LINE__, #x), 1

static enum { STEADY, SHORT, INTERRUPTED, MISSING, BROKEN } system_is;
static unsigned asked;

/* Replaces libc's function.  It always gives the same bytes, so that outputs can differ for other reasons only. */
ssize_t getrandom(void *p, size_t n, unsigned flags);
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
    const unsigned turn = __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
    (void)flags;
    if (system_is == MISSING) return errno = ENOSYS, -1;
    if (system_is == BROKEN) return 0;
    if (system_is == INTERRUPTED && turn % 2 == 0) return errno = EINTR, -1;
    if (system_is == SHORT && n > 5) n = 5;
    memset(p, 0x5a, n);
    return (ssize_t)n;
}

#ifdef HEEDLESS
int madvise(void *p, size_t n, int advice);
int madvise(void *p, size_t n, int advice)
{
    (void)p, (void)n, (void)advice;
    return 0;
}
#endif

#if defined(NO_URANDOM) || defined(URANDOM)
int open(const char *path, int how, ...);
int open(const char *path, int how, ...)
{
#ifdef URANDOM
    (void)path;
    return (int)syscall(SYS_openat, AT_FDCWD, URANDOM, how);
#else
    (void)path, (void)how;
    return errno = ENOENT, -1;
#endif
}
#endif

static int seeds(void)
{
    uint8_t a[64], zero[64] = { 0 };
    for (unsigned i = 1; i <= 3 * HAECHI_RANDOM_REQUESTS; i++) {
        CHECK(haechi_random(a, sizeof a) == HAECHI_OK);
        CHECK(asked == (i + HAECHI_RANDOM_REQUESTS - 1) / HAECHI_RANDOM_REQUESTS);
    }
    CHECK(memcmp(a, zero, sizeof a));
    return 0;
}

/* A large request is divided into requests of the generator. */
static int splits(void)
{
    static uint8_t a[5 * 65536 + 3], zero[16];
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK);
    CHECK(asked == (6 + HAECHI_RANDOM_REQUESTS - 1) / HAECHI_RANDOM_REQUESTS);
    for (size_t i = 0; i + 16 <= sizeof a; i += 16) CHECK(memcmp(a + i, zero, 16));
    CHECK(memcmp(a, a + 65536, 65536));
    CHECK(haechi_random(NULL, 0) == HAECHI_OK && haechi_random(NULL, 1) == HAECHI_EUSE);
    return 0;
}

static int odd_systems(void)
{
    uint8_t a[48], b[48], zero[48] = { 0 };
    system_is = SHORT;
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK && asked == 10);
    system_is = INTERRUPTED;
    for (unsigned i = 1; i < HAECHI_RANDOM_REQUESTS; i++)
        CHECK(haechi_random(a, 1) == HAECHI_OK && asked == 10);
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK && asked == 12);
    system_is = MISSING; /* /dev/urandom remains, unless the build has NO_URANDOM */
    for (unsigned i = 0; i < HAECHI_RANDOM_REQUESTS; i++) {
        const int error = haechi_random(b, sizeof b);
#ifdef NO_URANDOM
        if (i == HAECHI_RANDOM_REQUESTS - 1) {
            CHECK(error == HAECHI_ERESEED && !memcmp(b, zero, sizeof b));
            break;
        }
#endif
        CHECK(error == HAECHI_OK && memcmp(b, zero, sizeof b));
    }
#ifdef NO_URANDOM
    system_is = BROKEN;
    memset(a, 1, sizeof a);
    CHECK(haechi_random(a, sizeof a) == HAECHI_ERESEED && !memcmp(a, zero, sizeof a));
    system_is = STEADY;
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK && memcmp(a, zero, sizeof a));
#endif
    return 0;
}

/* A child must seed a generator of its own from the system, and the parent's must go on. */
static int forks(void)
{
    uint8_t parent[32], child[32], grandchild[64];
    unsigned before;
    int ends[2], status;

    CHECK(haechi_random(parent, sizeof parent) == HAECHI_OK && asked == 1);
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < 2; i++) {
        const pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            const int fine = haechi_random(grandchild, 32) == HAECHI_OK && asked == 2 &&
                             haechi_random(grandchild + 32, 32) == HAECHI_OK && asked == 2;
            _exit(!fine || write(ends[1], grandchild, 64) != 64);
        }
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
        CHECK(read(ends[0], grandchild, 64) == 64);
        CHECK(memcmp(grandchild, grandchild + 32, 32));
    }
    before = asked;
    CHECK(haechi_random(child, sizeof child) == HAECHI_OK && asked == before);
    return 0;
}

/* With the system's own entropy (-DHAECHI_NO_GETRANDOM) the outputs of parent and child differ. */
static int forks_differ(void)
{
    uint8_t bytes[3][32];
    int ends[2], status;

    CHECK(haechi_random(bytes[0], 32) == HAECHI_OK);
    CHECK(pipe(ends) == 0);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) _exit(haechi_random(bytes[1], 32) != HAECHI_OK || write(ends[1], bytes[1], 32) != 32);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(read(ends[0], bytes[1], 32) == 32);
    CHECK(haechi_random(bytes[2], 32) == HAECHI_OK);
    CHECK(memcmp(bytes[0], bytes[1], 32) && memcmp(bytes[0], bytes[2], 32) && memcmp(bytes[1], bytes[2], 32));
    return 0;
}

/* haechi_random must not read a file in place of /dev/urandom that is another device. */
static int another_device(void)
{
    uint8_t a[32], zero[32] = { 0 };
    system_is = MISSING;
    memset(a, 1, sizeof a);
    CHECK(haechi_random(a, sizeof a) == HAECHI_ERESEED && !memcmp(a, zero, sizeof a));
    return 0;
}

/* Without a page that the kernel wipes in children, every request must ask the system. */
static int heedless(void)
{
    uint8_t a[2][32], zero[32] = { 0 };
    for (unsigned i = 1; i <= 3; i++) {
        CHECK(haechi_random(a[i % 2], 32) == HAECHI_OK && asked == i + 1); /* one more for the seed */
        CHECK(memcmp(a[0], a[1], 32));
    }
    system_is = MISSING;
#ifdef NO_URANDOM
    CHECK(haechi_random(a[0], 32) == HAECHI_ERESEED && !memcmp(a[0], zero, 32));
    system_is = STEADY;
#endif
    CHECK(haechi_random(a[0], 32) == HAECHI_OK && memcmp(a[0], zero, 32));
    return 0;
}

static int reseeds(void)
{
    uint8_t a[32];
    CHECK(haechi_random_reseed() == HAECHI_OK && asked == 1);
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK && asked == 1);
    CHECK(haechi_random_reseed() == HAECHI_OK && asked == 2);
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK && asked == 2);
    return 0;
}

static unsigned drew;

static void *draws_waits_draws(void *ends)
{
    uint8_t a[32];
    char go;
    if (haechi_random(a, sizeof a)) return NULL;
    __atomic_store_n(&drew, 1, __ATOMIC_RELEASE);
    return read(((int *)ends)[0], &go, 1) != 1 || haechi_random(a, sizeof a) ? NULL : ends;
}

/* The generators of other threads are reseeded too, before their next byte. */
static int reseeds_all_threads(void)
{
    int ends[2];
    pthread_t thread;
    void *fine;
    CHECK(pipe(ends) == 0 && !pthread_create(&thread, NULL, draws_waits_draws, ends));
    while (!__atomic_load_n(&drew, __ATOMIC_ACQUIRE)) usleep(1000);
    CHECK(haechi_random_reseed() == HAECHI_OK && asked == 2);
    CHECK(write(ends[1], "", 1) == 1 && !pthread_join(thread, &fine) && fine && asked == 3);
    return 0;
}

/* ---- Copies of a process that have its process number. */

enum { UNABLE = 77 };

struct original {
    pid_t pid;
    uint8_t next[32]; /* what it drew after it had been copied */
};

/* Runs in the copy: its output must differ from the original's next output. */
static int goes_its_own_way(int from)
{
    struct original o;
    uint8_t a[32];
    unsigned before = asked;
    CHECK(read(from, &o, sizeof o) == (ssize_t)sizeof o && getpid() == o.pid);
    CHECK(haechi_random(a, sizeof a) == HAECHI_OK);
#ifdef HAECHI_NO_GETRANDOM
    before = asked - 1; /* this build does not call the getrandom above */
#endif
    CHECK(asked != before && memcmp(a, o.next, sizeof a));
    return 0;
}

static int tells_what_is_next(int to)
{
    struct original o = { .pid = getpid() };
    CHECK(haechi_random(o.next, sizeof o.next) == HAECHI_OK);
    CHECK(write(to, &o, sizeof o) == (ssize_t)sizeof o);
    return 0;
}

/* Forks without running the handlers of pthread_atfork. */
static pid_t silent_fork(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int exit_code(pid_t pid)
{
    int status;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The first process of a PID namespace creates another namespace, whose first process has the number 1 again. */
static int first_of_a_namespace(pid_t (*copied)(void))
{
    uint8_t a[32];
    int ends[2];
    CHECK(getpid() == 1 && haechi_random(a, sizeof a) == HAECHI_OK && pipe(ends) == 0);
    if (unshare(CLONE_NEWPID)) return UNABLE;
    const pid_t pid = copied();
    if (pid == 0) _exit(goes_its_own_way(ends[0]));
    CHECK(tells_what_is_next(ends[1]) == 0);
    return exit_code(pid);
}

static int namespaces(void)
{
    if (unshare(CLONE_NEWPID)) return UNABLE;
    const pid_t pid = silent_fork();
    if (pid == 0) _exit(first_of_a_namespace(silent_fork));
    return exit_code(pid);
}

static int namespaces_by_fork(void)
{
    if (unshare(CLONE_NEWPID)) return UNABLE;
    const pid_t pid = fork();
    if (pid == 0) _exit(first_of_a_namespace(fork));
    return exit_code(pid);
}

/* A process draws bytes and creates a child that draws none.  The process ends, and the child creates a process that has
 * its number. */
static int number_again(void)
{
    int told[2], gone[2], outcome[2], code;
    char go;
    CHECK(pipe(told) == 0 && pipe(gone) == 0 && pipe(outcome) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        uint8_t a[32];
        pid_t mine = getpid();
        if (haechi_random(a, sizeof a)) _exit(1);
        const pid_t child = silent_fork();
        if (child) _exit(tells_what_is_next(told[1]));
        struct clone_args how = { .exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&mine, .set_tid_size = 1 };
        if (read(gone[0], &go, 1) != 1) _exit(1);
        const pid_t again = (pid_t)syscall(SYS_clone3, &how, sizeof how);
        if (again == 0) _exit(goes_its_own_way(told[0]));
        code = again < 0 ? UNABLE : exit_code(again);
        _exit(write(outcome[1], &code, sizeof code) != (ssize_t)sizeof code);
    }
    CHECK(exit_code(pid) == 0);
    CHECK(write(gone[1], "", 1) == 1 && read(outcome[0], &code, sizeof code) == (ssize_t)sizeof code);
    return code;
}

enum { THREADS = 4, ROUNDS = 50 };
static uint8_t drawn[THREADS][ROUNDS][32];

static void *draw(void *mine)
{
    for (int i = 0; i < ROUNDS; i++)
        if (haechi_random(((uint8_t(*)[32])mine)[i], 32)) return NULL;
    return mine;
}

static int threads(void)
{
    pthread_t thread[THREADS];
    void *fine;
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&thread[i], NULL, draw, drawn[i]));
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(thread[i], &fine) && fine);
    for (int i = 0; i < THREADS * ROUNDS; i++)
        for (int j = 0; j < i; j++)
            CHECK(memcmp(drawn[i / ROUNDS][i % ROUNDS], drawn[j / ROUNDS][j % ROUNDS], 32));
    return 0;
}

int main(int n, char **scene)
{
    if (n != 2) return 2;
#define SCENE(s)                                                                                             \
    if (!strcmp(scene[1], #s)) return s();
    SCENE(seeds) SCENE(splits) SCENE(odd_systems) SCENE(forks) SCENE(forks_differ) SCENE(threads)
    SCENE(another_device) SCENE(heedless) SCENE(reseeds) SCENE(reseeds_all_threads)
    SCENE(namespaces) SCENE(namespaces_by_fork) SCENE(number_again)
    return 2;
}
