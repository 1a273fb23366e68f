/* ciphers.h - the ciphers of the command and of its files.  The Python package uses this file and format.h, too.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_CIPHERS_H
#define HAECHI_CIPHERS_H

#include <haechi.h>

struct cipher {
    const char *name;
    uint8_t number; /* in a file's header */
    uint8_t key, block; /* bytes */
    haechi_cipher *forward, *inverse;
};
extern const struct cipher ciphers[];
enum { CIPHERS = 7 };

/* Whether a cipher has this name, without regard to case and hyphens.  lea and aria stand for three ciphers each. */
int cipher_matches(const struct cipher *c, const char *name);

const struct cipher *cipher_numbered(uint8_t number); /* or NULL */

/* The mode of files: GCM, but EAX for HIGHT. */
haechi_mode *file_mode(const struct cipher *c);
const char *file_mode_name(const struct cipher *c);

#endif
