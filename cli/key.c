/* key.c - key files, read and written.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key file has a line that says what it is, which may be missing, and a line of hexadecimal digits.  Any other
 * content is refused, because a password of 16 letters is no key of 128 bits. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

enum { FIRST_LINE = 80 /* bytes, enough for the first line */ };

/* Writes the first line of a key file into line, without its line feed. */
static void first_line(char line[FIRST_LINE], size_t key)
{
    (void)snprintf(line, FIRST_LINE, "# haechi key of %zu bits in hexadecimal digits", 8 * key);
}

size_t key_text(char text[KEY_TEXT], const uint8_t *key, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t at;

    first_line(text, n);
    at = strlen(text);
    text[at++] = '\n';
    for (size_t i = 0; i < n; i++) {
        text[at++] = digits[key[i] >> 4];
        text[at++] = digits[key[i] & 15];
    }
    text[at++] = '\n';
    return at;
}

static struct {
    dev_t device;
    ino_t file;
    int known;
} key_file; /* the file from which the key came */

int is_key_file(const struct stat *s)
{
    return key_file.known && key_file.device == s->st_dev && key_file.file == s->st_ino;
}

/* Whether a key, or two for XTS, has n bytes. */
static int is_length(size_t n, size_t most)
{
    return n <= most && (n == 16 || n == 24 || n == 32 || n == 48 || n == 64);
}

/* The lengths of a key, times n, as text for messages. */
static const char *lengths(size_t most, int digits)
{
    if (most <= 32) return digits ? "32, 48 or 64" : "16, 24 or 32";
    return digits ? "32, 48, 64, 96 or 128" : "16, 24, 32, 48 or 64";
}

/* Reads the key in the n bytes of text: hexadecimal digits, which white space may surround and the first line may
 * precede. */
static size_t parse(uint8_t *key, size_t most, char *text, size_t n, const char *name)
{
    char expected[FIRST_LINE];
    size_t begin = 0, length;

    if (n && text[0] == '#') {
        while (begin < n && text[begin] != '\n') begin++;
    }
    while (begin < n && isspace((unsigned char)text[begin])) begin++;
    while (n > begin && isspace((unsigned char)text[n - 1])) n--;
    for (size_t i = begin; i < n; i++)
        if (!isxdigit((unsigned char)text[i]))
            die(USAGE, 0,
                "%s is no key file: its byte %zu is no hexadecimal digit.  haechi keygen writes key files; "
                "--raw-key takes a file's bytes for the key; enc -p asks for a passphrase.",
                name, i + 1);
    length = (n - begin) / 2;
    if ((n - begin) % 2 || !is_length(length, most))
        die(USAGE, 0, "%s is no key file: it has %zu hexadecimal digits, a key has %s.", name, n - begin,
            lengths(most, 1));
    text[n] = 0;
    (void)read_hex(key, most, text + begin, name);
    first_line(expected, length);
    if (begin && !strncmp(text, "# haechi key", 12) &&
        (strncmp(text, expected, strlen(expected)) || !isspace((unsigned char)text[strlen(expected)])))
        die(USAGE, 0, "%s is damaged: its first line speaks of another key than one of %zu bits.", name,
            8 * length);
    return length;
}

size_t read_key(uint8_t *key, size_t most, const struct key_source *from)
{
    const char *const name = from->name == NULL         ? "The key's descriptor"
                             : strcmp(from->name, "-") ? from->name
                                                        : "standard input";
    char *const text = secret(KEY_TEXT + 1);
    int fd = from->fd;
    size_t n = 0;
    struct stat s;

    if (from->name != NULL)
        fd = strcmp(from->name, "-") ? open(from->name, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    if (fd < 0 || fstat(fd, &s)) die(SYSTEM, errno, "%s cannot be opened", name);
    if (S_ISREG(s.st_mode)) {
        key_file.device = s.st_dev, key_file.file = s.st_ino, key_file.known = 1;
        if (s.st_mode & 077) warn("%s: other users may read this key; chmod 600 prevents it.", name);
    }
    while (n < KEY_TEXT) {
        const ssize_t got = read(fd, text + n, KEY_TEXT - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) die(SYSTEM, errno, "%s cannot be read", name);
        if (got == 0) break;
        n += (size_t)got;
    }
    if (fd > STDERR_FILENO) (void)close(fd);
    if (n == KEY_TEXT) die(USAGE, 0, "%s is no key file: it is longer than any.", name);

    if (!from->raw) {
        n = parse(key, most, text, n, name);
    } else {
        if (!is_length(n, most))
            die(USAGE, 0, "%s is no key: it has %zu bytes, a key has %s.", name, n, lengths(most, 0));
        memcpy(key, text, n);
    }
    haechi_wipe(text, KEY_TEXT);
    return n;
}
