/* output.c - files and pipes that are written.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A file that is being written has no name until it is complete (O_TMPFILE), so that a program that is killed leaves
 * nothing.  If the file system does not support that, and for the moment in which a file replaces another one, the
 * file has a hidden name beside the target.  The writer holds a lock on a hidden file.  A hidden file that nobody has
 * locked was left by a run that was killed; the next run that writes into the same folder removes it. */
#define _GNU_SOURCE /* O_TMPFILE, flock */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <haechi_random.h>

#include "command.h"

#if defined(O_TMPFILE) && !defined(HAECHI_NO_TMPFILE)
#define NAMELESS O_TMPFILE
#endif

/* ---- Hidden files: their names are this prefix and six letters or digits. */

static const char hidden_prefix[] = ".haechi-unfinished-";
static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
enum { LETTERS = 6 };

/* The folder that a name is in; the caller frees it. */
static char *folder_of(const char *name)
{
    const char *const slash = strrchr(name, '/');
    char *const folder = slash == NULL   ? strdup(".")
                         : slash == name ? strdup("/")
                                         : strndup(name, (size_t)(slash - name));
    if (folder == NULL) die_of_memory();
    return folder;
}

/* Returns a hidden name beside the target, which other files hardly have; the caller frees it. */
static char *hidden_name(const char *target)
{
    char *const folder = folder_of(target);
    const size_t n = strlen(folder) + 1 + strlen(hidden_prefix) + LETTERS + 1;
    char *const name = malloc(n);
    uint8_t random[LETTERS];

    if (name == NULL) die_of_memory();
    (void)snprintf(name, n, "%s/%sXXXXXX", folder, hidden_prefix);
    free(folder);
    if (haechi_random(random, sizeof random)) die_of_entropy();
    for (size_t i = 0; i < LETTERS; i++) name[n - 1 - LETTERS + i] = letters[random[i] % 62];
    return name;
}

/* Locks the file as the writer does.  Returns 0 if another process has the lock, but not if the file system has no
 * locks. */
static int writer_locks(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Makes a hidden file of mode 0600 and locks it. */
static void make_hidden(struct output *out)
{
    for (int tries = 0; tries < 100; tries++) {
        struct stat s;
        out->temporary = hidden_name(out->target);
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (out->fd >= 0) {
            unfinished = out->temporary;
            /* Before this process locked it, another run may have taken it for a file that was left. */
            if (writer_locks(out->fd) && fstat(out->fd, &s) == 0 && s.st_nlink == 1) return;
            unfinished = NULL;
            (void)unlink(out->temporary);
            (void)close(out->fd);
        } else if (errno != EEXIST) {
            break;
        }
        free(out->temporary);
        out->temporary = NULL;
    }
    die(SYSTEM, errno, "%s cannot be made", out->name);
}

static int is_hidden(const char *name)
{
    const size_t n = strlen(hidden_prefix);
    return !strncmp(name, hidden_prefix, n) && strlen(name) == n + LETTERS &&
           strspn(name + n, letters) == LETTERS;
}

/* Removes the hidden files of this user that nobody has locked. */
static void remove_left_over(const char *folder)
{
    DIR *const all = opendir(folder);
    struct dirent *entry;

    if (all == NULL) return;
    while ((entry = readdir(all)) != NULL) {
        struct stat file, named;
        int fd;
        if (!is_hidden(entry->d_name)) continue;
        fd = openat(dirfd(all), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
        if (fd < 0) continue;
        if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0 &&
            fstatat(dirfd(all), entry->d_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
            named.st_dev == file.st_dev && named.st_ino == file.st_ino &&
            unlinkat(dirfd(all), entry->d_name, 0) == 0)
            warn("%s/%s has been removed: a run that was interrupted had left it.", folder, entry->d_name);
        (void)close(fd);
    }
    (void)closedir(all);
}

/* ---- Opening. */

static mode_t less_the_umask(mode_t mode)
{
    const mode_t mask = umask(0);
    (void)umask(mask);
    return mode & ~mask;
}

#define EXISTS_ALREADY "%s exists already; -f replaces it."

void output_open(struct output *out, const char *name, int replace, mode_t mode)
{
    struct stat s;
    int exists;
    char *folder;

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
    if (exists && S_ISDIR(s.st_mode)) die(SYSTEM, EISDIR, "%s cannot be written", name);
    if (exists && !S_ISREG(s.st_mode)) { /* a device, a pipe with a name */
        do out->fd = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        while (out->fd < 0 && errno == EINTR);
        if (out->fd < 0) die(SYSTEM, errno, "%s cannot be opened", name);
        out->terminal = isatty(out->fd);
        return;
    }
    if (exists && is_key_file(&s))
        die(USAGE, 0, "%s is the key: files that were encrypted with it could never be decrypted.", name);
    if (exists && !replace) die(USAGE, 0, EXISTS_ALREADY, name);
    if (exists && access(name, W_OK)) die(SYSTEM, errno, "%s cannot be replaced", name);
    out->mode = exists ? s.st_mode & 0777 : less_the_umask(mode);
    /* If the name is a link, the file that it leads to is replaced, not the link. */
    out->target = exists ? realpath(name, NULL) : strdup(name);
    if (out->target == NULL) die(SYSTEM, errno, "%s cannot be found", name);

    folder = folder_of(out->target);
    remove_left_over(folder);
    out->fd = -1;
#if defined(NAMELESS)
    if (access("/proc/self/fd", X_OK) == 0) /* which gives the file its name later */
        out->fd = open(folder, NAMELESS | O_WRONLY | O_CLOEXEC, 0600);
#endif
    free(folder);
    if (out->fd < 0) make_hidden(out);
}

/* ---- Writing. */

/* Whether a terminal may show these bytes. */
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
        if (done < 0) output_die(out, SYSTEM, errno, "%s cannot be written", out->name);
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
                output_die(out, USAGE, 0,
                           "The output is not text, and %s is a terminal: use -o FILE or a pipe.", out->name);
    write_all(out, v, n);
}

/* ---- The end of a file. */

/* Gives the file its name.  Returns -1 with errno if it cannot. */
static int put_in_place(struct output *out)
{
#if defined(NAMELESS)
    if (out->temporary == NULL) {
        char self[64];
        (void)snprintf(self, sizeof self, "/proc/self/fd/%d", out->fd);
        if (!out->replace) return linkat(AT_FDCWD, self, AT_FDCWD, out->target, AT_SYMLINK_FOLLOW);
        (void)writer_locks(out->fd);
        out->temporary = hidden_name(out->target);
        if (linkat(AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW)) return -1;
        unfinished = out->temporary;
    }
#endif
    if (!out->replace) {
        if (link(out->temporary, out->target) == 0) return unlink(out->temporary);
        if (errno == EEXIST || access(out->target, F_OK) == 0) {
            errno = EEXIST;
            return -1;
        } /* Else the file system has no links. */
    }
    return rename(out->temporary, out->target);
}

/* Writes the folder to the disk, so that the file keeps its name after a power cut. */
static void sync_folder(const struct output *out)
{
    char *const folder = folder_of(out->target);
    const int fd = open(folder, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || (fsync(fd) && errno != EINVAL)) /* EINVAL: the file system cannot sync folders */
        die(SYSTEM, errno, "%s has been written, but a power cut may undo that: its folder cannot be synced",
            out->name);
    (void)close(fd);
    free(folder);
}

void output_done(struct output *out)
{
    int failed;

    progress_end();
    if (out->hex) {
        struct iovec line = { (void *)(uintptr_t) "\n", 1 };
        output_write(out, &line, 1);
    }
    if (out->target == NULL) {
        if (close(out->fd)) output_die(out, SYSTEM, errno, "%s cannot be written", out->name);
        return;
    }
    if (fchmod(out->fd, out->mode)) output_die(out, SYSTEM, errno, "%s cannot get its mode", out->name);
    if (fsync(out->fd) && errno != EINVAL) /* EINVAL: the file system cannot sync files */
        output_die(out, SYSTEM, errno, "%s cannot be brought to the disk", out->name);
    hold_signals(); /* A signal between link and rename would leave a complete file under its hidden name. */
    failed = put_in_place(out);
    if (!failed) unfinished = NULL;
    release_signals();
    if (failed && errno == EEXIST) output_die(out, USAGE, 0, EXISTS_ALREADY, out->name);
    if (failed) output_die(out, SYSTEM, errno, "%s cannot be put in its place", out->name);
    if (close(out->fd)) die(SYSTEM, errno, "%s cannot be closed", out->name);
    sync_folder(out);
    free(out->target);
    free(out->temporary);
}
