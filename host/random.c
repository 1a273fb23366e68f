/* random.c - a generator for each thread, seeded by the operating system.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A generator belongs to a thread, so that nobody waits and no lock is held over a fork.  It also belongs to a
 * generation of the process.  A new generation begins in each copy of the process, and a generator of an old one is
 * reseeded before it gives another byte.  Three signs tell that the process is a copy: the kernel has wiped a page that
 * it was asked to wipe on fork, an atfork handler has run, or the process has another number.  Only the first notices
 * a copy made by clone that has its parent's number, as the first process of a new PID namespace may have; where there
 * is no such page, fresh entropy therefore goes into every request.
 *
 * What a thread leaves in memory when it ends is no secret: nobody can compute earlier output from a later state, and
 * there is no later output. */
#define _DEFAULT_SOURCE /* read, open, getpid and MAP_ANONYMOUS in strict C99 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/sysmacros.h>
#if !defined(HAECHI_NO_GETRANDOM)
#include <sys/random.h>
#endif
#endif

#include "haechi_random.h"

enum { ENTROPY = 32, NONCE = 16, REQUEST = 65536 };

/* How many requests one seed serves.  The standard would allow 2^48. */
#if !defined(HAECHI_RANDOM_REQUESTS)
#define HAECHI_RANDOM_REQUESTS 65536
#endif

static __thread struct {
    haechi_drbg d;
    uint64_t generation; /* 0: it has not been seeded yet */
} own;

/* ---- Entropy. */

/* Fills p by getrandom if file is -1, else by read.  Returns 0 if the source fails or ends. */
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

/* Whether the file is the device /dev/urandom.  In a container another file may have its name. */
static int is_urandom(int file)
{
    struct stat what;

    if (fstat(file, &what) || !S_ISCHR(what.st_mode)) return 0;
#if defined(__linux__)
    return what.st_rdev == makedev(1, 9); /* Linux, Documentation/admin-guide/devices.txt */
#else
    return 1;
#endif
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
    done = is_urandom(file) && fill(file, p, n);
    close(file);
    return done;
}

/* ---- Generations.  The threads of a process share these variables without a lock. */

static struct {
    uint64_t generation; /* 0: nobody has asked for a byte yet */
    uint32_t *page;      /* reads 0 in a process that has just been copied; NULL: there is no such page */
    pid_t owner;
} process;

static void next_generation(void)
{
    __atomic_add_fetch(&process.generation, 1, __ATOMIC_ACQ_REL);
}

/* Returns a page that the kernel wipes on fork, or NULL where the system has none.  An emulator may accept every
 * advice and follow none; this function therefore believes only a system that refuses an advice that does not exist.
 * */
static uint32_t *wiped_page(void)
{
#if defined(MADV_WIPEONFORK)
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *const page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED) return NULL;
    if (madvise(page, size, -1) != 0 && madvise(page, size, MADV_WIPEONFORK) == 0) return (uint32_t *)page;
    munmap(page, size);
#endif
    return NULL;
}

/* Where this cannot run, and before it has run, there is no page, which is slower but as safe. */
__attribute__((__constructor__)) static void begin(void)
{
    process.page = wiped_page();
    pthread_atfork(NULL, NULL, next_generation);
}

/* Returns the generation that this process is in, and begins the next one if the process is a copy.  The generation
 * is incremented before the signs are cleared, so that no thread can miss it.  If two threads see the signs at once,
 * both increment it, which costs one more reseeding. */
static uint64_t generation(void)
{
    const pid_t me = getpid();

    if (__atomic_load_n(&process.owner, __ATOMIC_ACQUIRE) != me ||
        (process.page != NULL && __atomic_load_n(process.page, __ATOMIC_ACQUIRE) == 0)) {
        next_generation();
        if (process.page != NULL) __atomic_store_n(process.page, 1, __ATOMIC_RELEASE);
        __atomic_store_n(&process.owner, me, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&process.generation, __ATOMIC_ACQUIRE);
}

/* ---- The calls. */

/* Makes sure that the thread's generator is of this generation and its seed is not too old. */
static int ready(void)
{
    const uint64_t now = generation();
    uint8_t seed[ENTROPY + NONCE];
    int error = HAECHI_OK;

    if (own.generation == now && own.d.count <= HAECHI_RANDOM_REQUESTS) return HAECHI_OK;
    if (!entropy(seed, sizeof seed)) error = HAECHI_ERESEED;
    else if (own.generation) error = haechi_drbg_reseed(&own.d, seed, sizeof seed, NULL, 0);
    else
        error = haechi_drbg_init(&own.d, &haechi_drbg_lea256, 0, seed, ENTROPY, seed + ENTROPY, NONCE, NULL, 0);
    haechi_wipe(seed, sizeof seed);
    if (error) haechi_wipe(&own.d, sizeof own.d);
    own.generation = error ? 0 : now;
    return error;
}

/* Writes n random bytes, at most REQUEST. */
static int read_some(uint8_t *out, size_t n)
{
    uint8_t fresh[ENTROPY];
    int error = ready();

    if (error || process.page != NULL) return error ? error : haechi_drbg_read(&own.d, out, n, NULL, 0);
    if (!entropy(fresh, sizeof fresh)) return HAECHI_ERESEED;
    error = haechi_drbg_read(&own.d, out, n, fresh, sizeof fresh);
    haechi_wipe(fresh, sizeof fresh);
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
        error = read_some(o, n);
        if (error) goto fail;
        o += n, left -= n;
    }
    return HAECHI_OK;

fail:
    haechi_wipe(out, len);
    return error;
}

int haechi_random_reseed(void)
{
    generation(); /* sets up the first generation, and notices a copy */
    next_generation();
    return ready();
}
