/* gmac.c - GMAC (SP 800-38D): GCM without a text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

int haechi_gmac(const haechi_aead *a, const void *nonce, size_t noncelen, const void *in, size_t len, void *tag,
                size_t taglen)
{
    if (a != NULL && a->impl != NULL && a->impl != &haechi_gcm) return haechi_refuse(tag, taglen, HAECHI_EUSE);
    return haechi_seal(a, nonce, noncelen, in, len, NULL, NULL, 0, tag, taglen);
}
