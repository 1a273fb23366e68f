/* allocations.c - every allocation that the provider asks libcrypto for fails once: the call fails with a reason, and
 * nothing crashes or leaks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The scene is played again and again, and in the nth play the provider's nth allocation fails.  It ends with the play in
 * which none failed, which must succeed.  How many failed comes out. */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long left = -1; /* allocations of the provider until one fails; negative: none does */
static int failed;

static int fails(const char *file)
{
    if (file == NULL || strstr(file, "bindings/openssl/") == NULL || left < 0) return 0;
    if (left-- > 0) return 0;
    failed = 1;
    return 1;
}

static void *allocate(size_t n, const char *file, int line)
{
    (void)line;
    return fails(file) ? NULL : malloc(n);
}

static void *reallocate(void *p, size_t n, const char *file, int line)
{
    (void)line;
    return fails(file) ? NULL : realloc(p, n);
}

static void release(void *p, const char *file, int line)
{
    (void)file, (void)line;
    free(p);
}

/* One cipher: contexts, a duplicate, and a piece in place that follows bytes which wait for the rest of their block. */
static int message(OSSL_LIB_CTX *libctx, const char *name)
{
    unsigned char text[64] = { 0 }, key[64] = { 1 }, iv[16] = { 0 };
    EVP_CIPHER *const cipher = EVP_CIPHER_fetch(libctx, name, "provider=haechi");
    EVP_CIPHER_CTX *const c = EVP_CIPHER_CTX_new(), *const copy = EVP_CIPHER_CTX_new();
    int n, done = cipher != NULL && c != NULL && copy != NULL && EVP_EncryptInit_ex2(c, cipher, key, iv, NULL) &&
                  EVP_EncryptUpdate(c, text, &n, text, 7) && EVP_EncryptUpdate(c, text, &n, text, 30) &&
                  EVP_CIPHER_CTX_copy(copy, c) && EVP_EncryptFinal_ex(copy, text, &n);

    EVP_CIPHER_CTX_free(copy);
    EVP_CIPHER_CTX_free(c);
    EVP_CIPHER_free(cipher);
    return done;
}

static int play(void)
{
    OSSL_LIB_CTX *const libctx = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *const provider = OSSL_PROVIDER_load(libctx, "haechi");
    const int done = provider != NULL && message(libctx, "LEA-128-CBC") && message(libctx, "ARIA-256-GCM");

    if (provider != NULL) OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(libctx);
    return done;
}

int main(void)
{
    long n = 0;

    if (!CRYPTO_set_mem_functions(allocate, reallocate, release)) return 2;
    for (;; n++) {
        int done;
        left = n;
        failed = 0;
        ERR_clear_error();
        done = play();
        left = -1;
        if (!failed && done) break;
        if (!failed || done || ERR_peek_error() == 0) {
            fprintf(stderr, "allocation %ld: %s\n", n,
                    !failed ? "none failed, but the scene did" : done ? "nobody noticed" : "there is no reason");
            ERR_print_errors_fp(stderr);
            return 1;
        }
    }
    printf("%ld\n", n);
    return 0;
}
