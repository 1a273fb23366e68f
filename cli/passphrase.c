/* passphrase.c - a passphrase from the terminal, and the key that Argon2id (RFC 9106) makes of it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * HAECHI_ARGON2 says that libargon2 is there, without which no passphrase can be used.  HAECHI_UTF8PROC says that
 * utf8proc is there, which brings text to Unicode's normal form NFC.  Without it a passphrase must be ASCII, which is
 * in that form already. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "command.h"
#include "passphrase.h"

#if defined(HAECHI_ARGON2)
#include <argon2.h>
#if defined(HAECHI_UTF8PROC)
#include <utf8proc.h>
#endif

/* ---- The terminal. */

static int terminal = -1;
static struct termios usual; /* the state of the terminal before */

/* A signal handler may call this. */
static void show_again(void)
{
    (void)tcsetattr(terminal, TCSAFLUSH, &usual);
    restore_terminal = NULL;
}

/* Asks for a line, which the terminal does not show; returns its length. */
static size_t ask(const char *prompt, char *line)
{
    struct termios silent;
    size_t n = 0;

    terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) die(SYSTEM, errno, "There is no terminal to ask for the passphrase");
    if (tcgetattr(terminal, &usual)) die(SYSTEM, errno, "The terminal cannot be asked for the passphrase");
    silent = usual;
    silent.c_lflag = (silent.c_lflag & ~(tcflag_t)ECHO) | ECHONL;
    restore_terminal = show_again;
    if (tcsetattr(terminal, TCSAFLUSH, &silent) ||
        write(terminal, prompt, strlen(prompt)) != (ssize_t)strlen(prompt))
        die(SYSTEM, errno, "The terminal cannot be asked for the passphrase");
    for (;;) {
        const ssize_t got = read(terminal, line + n, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || line[n] == '\n') break;
        if (++n > PASSPHRASE_MOST) die(USAGE, 0, "A passphrase has at most %d bytes.", PASSPHRASE_MOST);
    }
    line[n] = 0;
    show_again();
    (void)close(terminal);
    return n;
}

/* Brings the n bytes of text to normal form NFC in place; returns their new number. */
static size_t normalize(char *text, size_t n)
{
#if defined(HAECHI_UTF8PROC)
    /* Decomposition turns a character into at most four. */
    const size_t room = 4 * PASSPHRASE_MOST + 1;
    const utf8proc_option_t nfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_REJECTNA;
    utf8proc_int32_t *const wide = secret(room * sizeof *wide);
    utf8proc_ssize_t length = utf8proc_decompose((const uint8_t *)text, (utf8proc_ssize_t)n, wide,
                                                 (utf8proc_ssize_t)room - 1, nfc);
    if (length == UTF8PROC_ERROR_NOTASSIGNED)
        die(USAGE, 0, "The passphrase has a character that Unicode has not assigned.");
    if (length >= 0) length = utf8proc_reencode(wide, length, nfc);
    if (length < 0 || length > PASSPHRASE_MOST) die(USAGE, 0, "The passphrase is not text in UTF-8.");
    memcpy(text, wide, (size_t)length);
    haechi_wipe(wide, room * sizeof *wide);
    return (size_t)length;
#else
    for (size_t i = 0; i < n; i++)
        if (text[i] & 0x80)
            die(USAGE, 0, "This program was built without utf8proc, so a passphrase must be ASCII.");
    return n;
#endif
}

size_t passphrase_ask(char *text, int twice)
{
    size_t n = ask("Passphrase: ", text);

    if (n == 0) die(USAGE, 0, "A passphrase must not be empty.");
    if (twice) {
        char *const again = secret(PASSPHRASE_ROOM);
        if (ask("The same passphrase again: ", again) != n || memcmp(text, again, n) != 0)
            die(USAGE, 0, "The two passphrases differ.");
        haechi_wipe(again, PASSPHRASE_ROOM);
    }
    return normalize(text, n);
}

void passphrase_stretch(const char *text, size_t n, const uint8_t head[HEAD], const struct cost *cost,
                        uint8_t out[STRETCHED])
{
    const int error = argon2id_hash_raw(cost->passes, cost->memory, cost->lanes, text, n, head, HEAD, out,
                                        STRETCHED);
    forget_stack();
    if (error == ARGON2_MEMORY_ALLOCATION_ERROR)
        die(SYSTEM, 0, "The passphrase needs %u MiB of memory, which the system does not give.",
            (unsigned)(cost->memory / 1024));
    if (error) die(SYSTEM, 0, "Argon2id failed: %s.", argon2_error_message(error));
}

#else

static void die_without_argon2(void) __attribute__((__noreturn__));
static void die_without_argon2(void)
{
    die(USAGE, 0, "This program was built without libargon2, so it cannot use passphrases; -k takes a key file.");
}

size_t passphrase_ask(char *text, int twice)
{
    (void)text, (void)twice;
    die_without_argon2();
}

void passphrase_stretch(const char *text, size_t n, const uint8_t head[HEAD], const struct cost *cost,
                        uint8_t out[STRETCHED])
{
    (void)text, (void)n, (void)head, (void)cost, (void)out;
    die_without_argon2();
}

#endif
