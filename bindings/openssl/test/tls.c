/* tls.c - TLS and DTLS 1.2 between two library contexts in one process: with the provider, or without it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     tls CERTIFICATE.PEM KEY.PEM [CERTIFICATE.PEM KEY.PEM]...
 *
 * For every ARIA suite that this OpenSSL has, over TLS and over DTLS, and for all four choices of who uses the provider:
 * a handshake, and messages of 1 to 16384 bytes both ways.  Every record of application data
 * is counted on both sides.  One line a suite and protocol comes out: its name and how many records went.  The exit code
 * is 0 if everything arrived as it was sent. */
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 16384, ROUNDS = 400 };

static OSSL_LIB_CTX *contexts[2]; /* without and with the provider */
static long records[2];           /* of application data: sent, received */

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static void count(int sent, int version, int type, const void *data, size_t len, SSL *ssl, void *unused)
{
    (void)version, (void)len, (void)ssl, (void)unused;
    if (type == SSL3_RT_HEADER && *(const uint8_t *)data == SSL3_RT_APPLICATION_DATA) records[sent ? 0 : 1]++;
}

static unsigned psk_client(SSL *ssl, const char *hint, char *identity, unsigned room, unsigned char *psk, unsigned most)
{
    (void)ssl, (void)hint, (void)most;
    snprintf(identity, room, "meter");
    memset(psk, 0x5a, 16);
    return 16;
}

static unsigned psk_server(SSL *ssl, const char *identity, unsigned char *psk, unsigned most)
{
    (void)ssl, (void)identity, (void)most;
    memset(psk, 0x5a, 16);
    return 16;
}

static SSL_CTX *side(int ours, const SSL_METHOD *method, const char *suite, char **pems)
{
    SSL_CTX *const c = SSL_CTX_new_ex(contexts[ours], ours ? "?provider=haechi" : NULL, method);
    char list[120];

    snprintf(list, sizeof list, "%s:@SECLEVEL=0", suite);
    if (c == NULL || !SSL_CTX_set_cipher_list(c, list)) fail(suite);
    SSL_CTX_set_max_proto_version(c, SSL_CTX_get_min_proto_version(c));
    SSL_CTX_set_msg_callback(c, count);
    SSL_CTX_set_psk_client_callback(c, psk_client);
    SSL_CTX_set_psk_server_callback(c, psk_server);
    SSL_CTX_set_dh_auto(c, 1);
    for (; *pems != NULL; pems += 2)
        if (SSL_CTX_use_certificate_file(c, pems[0], SSL_FILETYPE_PEM) != 1 ||
            SSL_CTX_use_PrivateKey_file(c, pems[1], SSL_FILETYPE_PEM) != 1)
            fail(pems[0]);
    return c;
}

/* Two connected sockets on the loopback interface: datagrams keep their bounds, as DTLS wants. */
static void datagrams(BIO *bios[2])
{
    struct sockaddr_in at[2];
    int fd[2];

    for (int i = 0; i < 2; i++) {
        socklen_t size = sizeof at[i];
        const int room = 1 << 20;
        memset(&at[i], 0, sizeof at[i]);
        at[i].sin_family = AF_INET;
        at[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        fd[i] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
        if (fd[i] < 0 || bind(fd[i], (struct sockaddr *)&at[i], size) || getsockname(fd[i], (struct sockaddr *)&at[i], &size))
            fail("socket");
        setsockopt(fd[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    for (int i = 0; i < 2; i++) {
        if (connect(fd[i], (struct sockaddr *)&at[!i], sizeof at[!i])) fail("connect");
        bios[i] = BIO_new_dgram(fd[i], BIO_CLOSE);
        BIO_ctrl(bios[i], BIO_CTRL_DGRAM_SET_CONNECTED, 0, &at[!i]);
    }
}

static void deliver(SSL *from, SSL *to, size_t len)
{
    static uint8_t sent[MOST], got[MOST];
    size_t have = 0;

    for (size_t i = 0; i < len; i++) sent[i] = (uint8_t)rand();
    if (SSL_write(from, sent, (int)len) != (int)len) fail("SSL_write");
    while (have < len) {
        const int n = SSL_read(to, got + have, (int)(len - have));
        if (n <= 0) fail("SSL_read");
        have += (size_t)n;
    }
    if (memcmp(sent, got, len)) fail("what arrived is not what was sent");
}

static void converse(const char *suite, int dtls, int server_ours, int client_ours, char **pems)
{
    char *none[] = { NULL };
    SSL_CTX *const contexts_of[2] = {
        side(server_ours, dtls ? DTLS_server_method() : TLS_server_method(), suite, pems),
        side(client_ours, dtls ? DTLS_client_method() : TLS_client_method(), suite, none),
    };
    SSL *ssl[2];
    BIO *bios[2];

    if (dtls) datagrams(bios);
    else if (!BIO_new_bio_pair(&bios[0], 1 << 17, &bios[1], 1 << 17)) fail("BIO_new_bio_pair");
    for (int i = 0; i < 2; i++) {
        ssl[i] = SSL_new(contexts_of[i]);
        if (!dtls) SSL_set_min_proto_version(ssl[i], TLS1_2_VERSION), SSL_set_max_proto_version(ssl[i], TLS1_2_VERSION);
        else SSL_set_min_proto_version(ssl[i], DTLS1_2_VERSION), SSL_set_max_proto_version(ssl[i], DTLS1_2_VERSION);
        SSL_set_bio(ssl[i], bios[i], bios[i]);
        if (dtls) SSL_set_options(ssl[i], SSL_OP_NO_QUERY_MTU), SSL_set_mtu(ssl[i], 1 << 15);
    }
    SSL_set_accept_state(ssl[0]);
    SSL_set_connect_state(ssl[1]);
    for (int i = 0; i < 40 && !(SSL_is_init_finished(ssl[0]) && SSL_is_init_finished(ssl[1])); i++) {
        SSL_do_handshake(ssl[1]);
        SSL_do_handshake(ssl[0]);
    }
    if (!SSL_is_init_finished(ssl[0]) || !SSL_is_init_finished(ssl[1])) fail(suite);
    ERR_clear_error();
    if (strcmp(SSL_get_cipher_name(ssl[0]), suite)) fail("another suite");
    for (int i = 0; i < ROUNDS; i++) {
        static const size_t lengths[] = { 1, 15, 16, 17, 255, 1400, 4096, MOST - 1, MOST };
        const size_t len = i < 9 ? lengths[i] : 1 + (size_t)rand() % 300;
        deliver(ssl[i % 2], ssl[!(i % 2)], len);
    }
    for (int i = 0; i < 2; i++) {
        SSL_free(ssl[i]);
        SSL_CTX_free(contexts_of[i]);
    }
}

int main(int argc, char **argv)
{
    SSL_CTX *c;
    STACK_OF(SSL_CIPHER) * suites;
    EVP_CIPHER *used;
    int found = 0;

    (void)argc;
    for (int i = 0; i < 2; i++) {
        contexts[i] = OSSL_LIB_CTX_new();
        if (i && !OSSL_PROVIDER_load(contexts[i], "haechi")) fail("haechi");
        if (!OSSL_PROVIDER_load(contexts[i], "default")) fail("default");
    }
    used = EVP_CIPHER_fetch(contexts[1], "ARIA-128-GCM", "?provider=haechi");
    if (used == NULL || strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(used)), "haechi")) fail("not our ARIA");
    EVP_CIPHER_free(used);
    c = SSL_CTX_new(TLS_method());
    if (!SSL_CTX_set_cipher_list(c, "ARIA:@SECLEVEL=0")) fail("no suite with ARIA");
    suites = SSL_CTX_get_ciphers(c);
    for (int i = 0; i < sk_SSL_CIPHER_num(suites); i++) {
        const char *const suite = SSL_CIPHER_get_name(sk_SSL_CIPHER_value(suites, i));
        if (strstr(suite, "ARIA") == NULL) continue; /* TLS 1.3 */
        for (int dtls = 0; dtls < 2; dtls++) {
            records[0] = records[1] = 0;
            for (int who = 0; who < 4; who++) converse(suite, dtls, who & 1, who >> 1, argv + 1);
            if (records[0] != 4L * ROUNDS || records[1] != 4L * ROUNDS) fail("records were lost");
            printf("%s %s %ld\n", dtls ? "DTLS" : "TLS", suite, records[0]);
        }
        found++;
    }
    SSL_CTX_free(c);
    return found ? 0 : 1;
}
