/* openssl_tls.c - what TLS 1.2 records cost: CPU time of sealing and opening, in one process.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     openssl_tls CERTIFICATE.PEM KEY.PEM SUITE PROPERTIES RECORD MEGABYTES
 *
 * Both sides use one library context with the given property query ("" for OpenSSL's own).  MEGABYTES of records of
 * RECORD bytes go one way through memory.  One line comes out: megabytes a second of CPU time, both sides together. */
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <string.h>

#include "openssl.h"

int main(int argc, char **argv)
{
    OSSL_LIB_CTX *const context = OSSL_LIB_CTX_new();
    const size_t record = argc == 7 ? strtoul(argv[5], NULL, 0) : 0;
    SSL_CTX *sides[2];
    SSL *ssl[2];
    BIO *bios[2];
    uint8_t *sent, *got;
    double bytes = 0, took;

    check(record > 0, "usage: openssl_tls CERTIFICATE.PEM KEY.PEM SUITE PROPERTIES RECORD MEGABYTES");
    check(OSSL_PROVIDER_load(context, "default") != NULL, "default");
    if (*argv[4]) check(OSSL_PROVIDER_load(context, "haechi") != NULL, "haechi");
    check(BIO_new_bio_pair(&bios[0], 1 << 18, &bios[1], 1 << 18), "BIO_new_bio_pair");
    for (int i = 0; i < 2; i++) {
        sides[i] = SSL_CTX_new_ex(context, *argv[4] ? argv[4] : NULL, TLS_method());
        check(sides[i] != NULL, "SSL_CTX_new_ex");
        check(SSL_CTX_set_max_proto_version(sides[i], TLS1_2_VERSION), "TLS 1.2");
        check(SSL_CTX_set_cipher_list(sides[i], argv[3]), argv[3]);
        if (i == 0) {
            check(SSL_CTX_use_certificate_file(sides[i], argv[1], SSL_FILETYPE_PEM) == 1, argv[1]);
            check(SSL_CTX_use_PrivateKey_file(sides[i], argv[2], SSL_FILETYPE_PEM) == 1, argv[2]);
        }
        ssl[i] = SSL_new(sides[i]);
        SSL_set_bio(ssl[i], bios[i], bios[i]);
    }
    SSL_set_accept_state(ssl[0]);
    SSL_set_connect_state(ssl[1]);
    for (int i = 0; i < 20; i++) {
        SSL_do_handshake(ssl[1]);
        SSL_do_handshake(ssl[0]);
    }
    check(SSL_is_init_finished(ssl[0]) && SSL_is_init_finished(ssl[1]), "handshake");
    sent = malloc(record);
    got = malloc(record);
    check(sent != NULL && got != NULL, "malloc");
    memset(sent, 7, record);
    took = cpu();
    while (bytes < 1e6 * strtod(argv[6], NULL)) {
        check(SSL_write(ssl[0], sent, (int)record) == (int)record, "SSL_write");
        for (size_t have = 0; have < record;) {
            const int n = SSL_read(ssl[1], got + have, (int)(record - have));
            check(n > 0, "SSL_read");
            have += (size_t)n;
        }
        bytes += (double)record;
    }
    took = cpu() - took;
    check(memcmp(sent, got, record) == 0, "what arrived is not what was sent");
    printf("%.2f\n", bytes / 1e6 / took);
    free(sent);
    free(got);
    for (int i = 0; i < 2; i++) {
        SSL_free(ssl[i]);
        SSL_CTX_free(sides[i]);
    }
    return 0;
}
