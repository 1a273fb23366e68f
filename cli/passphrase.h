/* passphrase.h - passphrases and the keys that are made of them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_PASSPHRASE_H
#define HAECHI_PASSPHRASE_H

#include "format.h"

enum {
    PASSPHRASE_MOST = 1024,               /* bytes */
    PASSPHRASE_ROOM = PASSPHRASE_MOST + 2 /* with the end of the line */
};

/* Asks on the terminal, twice for a new passphrase, and writes the passphrase to PASSPHRASE_ROOM bytes at text, in
 * Unicode's normal form NFC.  Returns its length, which is not 0. */
size_t passphrase_ask(char *text, int twice);

/* Argon2id over the n bytes of text, with the head of a file's header as the salt. */
void passphrase_stretch(const char *text, size_t n, const uint8_t head[HEAD], const struct cost *cost,
                        uint8_t out[STRETCHED]);

#endif
