/* random_runner.c - haechi_random with an operating system that this program plays.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The argument names the scene; exit code 0: as it should be, else the line that was not. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "haechi_random.h"

#define CHECK(x)                                                                                             \
    if (!(x)) return fprintf(stderr, "line %d: %s\n", __LINE__, #x), 1

static enum { STEADY, SHORT, INTERRUPTED, MISSING, BROKEN } system_is;
static unsigned asked;

/* In place of libc's: the same bytes each time, so that whatever differs does so for another reason. */
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

#ifdef NO_URANDOM
int open(const char *path, int how, ...);
int open(const char *path, int how, ...)
{
    (void)path, (void)how;
    return errno = ENOENT, -1;
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

/* A large request is as many as it takes. */
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
    system_is = MISSING; /* and then there is /dev/urandom, or not */
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

/* A child's generator must be another one: it asks the system, the parent's goes on. */
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

/* With the true entropy of the system behind them (-DHAECHI_NO_GETRANDOM): outputs differ. */
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
    return 2;
}
