/* threads.c - one fetched cipher and 64 threads, each with contexts of its own: all must get the same.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 64, MESSAGES = 200, LENGTH = 1000 };

static EVP_CIPHER *cipher;
static uint8_t expected[LENGTH + 16];

static int seal(uint8_t *out)
{
    static const uint8_t key[16], iv[12], text[LENGTH];
    EVP_CIPHER_CTX *const c = EVP_CIPHER_CTX_new();
    int n, done = EVP_EncryptInit_ex2(c, cipher, key, iv, NULL) && EVP_EncryptUpdate(c, out, &n, text, LENGTH) &&
                  EVP_EncryptFinal_ex(c, out + LENGTH, &n) &&
                  EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, out + LENGTH);

    EVP_CIPHER_CTX_free(c);
    return done;
}

static void *work(void *unused)
{
    uint8_t out[LENGTH + 16];

    (void)unused;
    for (int i = 0; i < MESSAGES; i++)
        if (!seal(out) || memcmp(out, expected, sizeof out)) return "differs";
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong = 0;

    if (!OSSL_PROVIDER_load(NULL, "haechi") || !OSSL_PROVIDER_load(NULL, "default")) return 2;
    cipher = EVP_CIPHER_fetch(NULL, "LEA-128-GCM", "provider=haechi");
    if (cipher == NULL || !seal(expected)) return 2;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL)) return 2;
    for (int i = 0; i < THREADS; i++) {
        void *answer;
        pthread_join(threads[i], &answer);
        wrong += answer != NULL;
    }
    EVP_CIPHER_free(cipher);
    return wrong != 0;
}
