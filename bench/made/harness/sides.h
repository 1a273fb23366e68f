// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sides.h - one interface to one cipher in one direction, for our kernels (by descriptor) and for peer libraries.
// The benchmark (host.cc) and the differential tests (test/core/peers.cc) share it.  -DNO_CRYPTOPP, -DNO_OPENSSL and
// -DNO_BOTAN build it without a peer, and -DWITH_GCRYPT with one more, which has ARIA since version 1.11.
#ifndef HAECHI_BENCH_SIDES_H
#define HAECHI_BENCH_SIDES_H

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

extern "C" {
#include "../../../src/core/kernel.h"
#include "../../../src/mode/aead.h"
}

#if !defined(NO_CRYPTOPP)
#include <cryptopp/aria.h>
#include <cryptopp/config.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hight.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#endif
#if !defined(NO_OPENSSL)
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#endif
#if defined(WITH_GCRYPT)
#include <gcrypt.h>
#endif
#if !defined(NO_BOTAN)
#include <botan/block_cipher.h>
#include <botan/build.h>
#include <botan/stream_cipher.h>
#endif

struct Side {
    std::string name;
    bool peer = true;
    virtual ~Side() = default;
    virtual void key(const uint8_t *key) = 0;  // expands the key for all functions below
    virtual void rekey(const uint8_t *key) = 0; // expands the key for one() only: this is what is timed
    virtual void one(uint8_t *block) = 0;
    virtual void ecb(uint8_t *out, const uint8_t *in, size_t len) = 0;
    virtual void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) = 0; // forward sides only
    // These return false where a side does not have them: CBC decryption, and GCM with an IV of 12 bytes, no
    // associated data and a tag of 16 bytes.
    virtual bool uncbc(const uint8_t *, uint8_t *, const uint8_t *, size_t) { return false; }
    virtual bool gcm(const uint8_t *, uint8_t *, const uint8_t *, size_t, uint8_t *) { return false; }
};
using Sides = std::vector<std::unique_ptr<Side>>;

struct Ours final : Side {
    const haechi_kernel *kernel;
    haechi_any_key k;
    haechi_any_aead sealing;

    Ours(const char *kernel_name, const haechi_kernel *which) : kernel(which)
    {
        name = kernel_name;
        peer = false;
    }
    void key(const uint8_t *key) override
    {
        k.key.impl = kernel;
        kernel->expand(&k.key + 1, key);
        sealing.aead.impl = nullptr;
        if (kernel->block != 16 || (kernel->flags & HAECHI_INVERSE)) return;
        auto *inner = reinterpret_cast<haechi_key *>(&sealing.aead + 1); // where haechi_aead_init has it
        inner->impl = kernel;
        kernel->expand(inner + 1, key);
        std::memset(sealing.aead.derived, 0, sizeof sealing.aead.derived);
        kernel->crypt(inner + 1, sealing.aead.derived);
        haechi_gcm.derive(sealing.aead.derived);
        sealing.aead.impl = &haechi_gcm;
    }
    void rekey(const uint8_t *key) override { kernel->expand(&k.key + 1, key); }
    void one(uint8_t *block) override { kernel->crypt(&k.key + 1, block); }
    void ecb(uint8_t *out, const uint8_t *in, size_t len) override { haechi_ecb(&k.key, out, in, len); }
    void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        haechi_stream s = {};
        std::memcpy(s.iv, iv, kernel->block);
        haechi_ctr(&k.key, &s, out, in, len);
    }
    bool uncbc(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        uint8_t chain[16];
        std::memcpy(chain, iv, kernel->block);
        return haechi_cbc_decrypt(&k.key, chain, out, in, len) == HAECHI_OK;
    }
    bool gcm(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag) override
    {
        return sealing.aead.impl && haechi_seal(&sealing.aead, iv, 12, nullptr, 0, out, in, len, tag, 16) == HAECHI_OK;
    }
};

#if !defined(NO_CRYPTOPP)
template <class Cipher, bool inverse> struct CryptoPPSide final : Side {
    template <class T> using Direction = std::conditional_t<inverse, typename T::Decryption, typename T::Encryption>;
    size_t length;
    Direction<Cipher> block;
    Direction<CryptoPP::ECB_Mode<Cipher>> book;
    typename CryptoPP::CTR_Mode<Cipher>::Encryption counting;
    typename CryptoPP::CBC_Mode<Cipher>::Decryption chained;
    std::conditional_t<Cipher::BLOCKSIZE == 16, typename CryptoPP::GCM<Cipher>::Encryption, int> sealing;

    explicit CryptoPPSide(size_t key_length) : length(key_length)
    {
        name = "Crypto++ " + std::to_string(CRYPTOPP_VERSION / 100) + "." + std::to_string(CRYPTOPP_VERSION / 10 % 10);
    }
    void key(const uint8_t *key) override
    {
        const uint8_t iv[16] = {};
        block.SetKey(key, length);
        book.SetKey(key, length);
        counting.SetKeyWithIV(key, length, iv, Cipher::BLOCKSIZE);
        chained.SetKeyWithIV(key, length, iv, Cipher::BLOCKSIZE);
        if constexpr (Cipher::BLOCKSIZE == 16) sealing.SetKeyWithIV(key, length, iv, 12);
    }
    void rekey(const uint8_t *key) override { block.SetKey(key, length); }
    void one(uint8_t *b) override { block.ProcessBlock(b); }
    void ecb(uint8_t *out, const uint8_t *in, size_t len) override { book.ProcessData(out, in, len); }
    void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        counting.Resynchronize(iv, Cipher::BLOCKSIZE);
        counting.ProcessData(out, in, len);
    }
    bool uncbc(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        chained.Resynchronize(iv, Cipher::BLOCKSIZE);
        chained.ProcessData(out, in, len);
        return true;
    }
    bool gcm(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag) override
    {
        if constexpr (Cipher::BLOCKSIZE == 16) sealing.EncryptAndAuthenticate(out, tag, 16, iv, 12, nullptr, 0, in, len);
        return Cipher::BLOCKSIZE == 16;
    }
};

template <class Cipher> std::unique_ptr<Side> crypto_pp(size_t key, bool inverse)
{
    if (inverse) return std::make_unique<CryptoPPSide<Cipher, true>>(key);
    return std::make_unique<CryptoPPSide<Cipher, false>>(key);
}
#endif

#if !defined(NO_OPENSSL)
struct OpenSSLSide final : Side {
    using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
    Context book{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free}, counting{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    Context chained{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free}, sealing{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    int written;

    OpenSSLSide(size_t key_length, bool inverse)
    {
        name = "OpenSSL " + std::to_string(OPENSSL_VERSION_MAJOR) + "." + std::to_string(OPENSSL_VERSION_MINOR);
        EVP_CipherInit_ex(book.get(),
                          key_length == 16   ? EVP_aria_128_ecb()
                          : key_length == 24 ? EVP_aria_192_ecb()
                                             : EVP_aria_256_ecb(),
                          nullptr, nullptr, nullptr, !inverse);
        EVP_CipherInit_ex(counting.get(),
                          key_length == 16   ? EVP_aria_128_ctr()
                          : key_length == 24 ? EVP_aria_192_ctr()
                                             : EVP_aria_256_ctr(),
                          nullptr, nullptr, nullptr, 1);
        EVP_CipherInit_ex(chained.get(),
                          key_length == 16   ? EVP_aria_128_cbc()
                          : key_length == 24 ? EVP_aria_192_cbc()
                                             : EVP_aria_256_cbc(),
                          nullptr, nullptr, nullptr, 0);
        EVP_CipherInit_ex(sealing.get(),
                          key_length == 16   ? EVP_aria_128_gcm()
                          : key_length == 24 ? EVP_aria_192_gcm()
                                             : EVP_aria_256_gcm(),
                          nullptr, nullptr, nullptr, 1);
    }
    void key(const uint8_t *key) override
    {
        rekey(key);
        EVP_CIPHER_CTX_set_padding(book.get(), 0);
        EVP_CipherInit_ex(chained.get(), nullptr, nullptr, key, nullptr, -1);
        EVP_CIPHER_CTX_set_padding(chained.get(), 0);
        EVP_CipherInit_ex(sealing.get(), nullptr, nullptr, key, nullptr, -1);
        EVP_CipherInit_ex(counting.get(), nullptr, nullptr, key, nullptr, -1);
    }
    void rekey(const uint8_t *key) override { EVP_CipherInit_ex(book.get(), nullptr, nullptr, key, nullptr, -1); }
    void one(uint8_t *b) override { EVP_CipherUpdate(book.get(), b, &written, b, 16); }
    void ecb(uint8_t *out, const uint8_t *in, size_t len) override
    {
        EVP_CipherUpdate(book.get(), out, &written, in, static_cast<int>(len));
    }
    void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        EVP_CipherInit_ex(counting.get(), nullptr, nullptr, nullptr, iv, -1);
        EVP_CipherUpdate(counting.get(), out, &written, in, static_cast<int>(len));
    }
    bool uncbc(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        EVP_CipherInit_ex(chained.get(), nullptr, nullptr, nullptr, iv, -1);
        return EVP_CipherUpdate(chained.get(), out, &written, in, static_cast<int>(len)) == 1;
    }
    bool gcm(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag) override
    {
        EVP_CipherInit_ex(sealing.get(), nullptr, nullptr, nullptr, iv, -1);
        EVP_CipherUpdate(sealing.get(), out, &written, in, static_cast<int>(len));
        EVP_CipherFinal_ex(sealing.get(), out, &written);
        return EVP_CIPHER_CTX_ctrl(sealing.get(), EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1;
    }
};
#endif

#if !defined(NO_BOTAN)
struct BotanSide final : Side {
    size_t length;
    bool inverse;
    std::unique_ptr<Botan::BlockCipher> block;
    std::unique_ptr<Botan::StreamCipher> counting;

    BotanSide(size_t key_length, bool backwards) : length(key_length), inverse(backwards)
    {
        const std::string cipher = "ARIA-" + std::to_string(8 * length);
        name = "Botan " + std::to_string(BOTAN_VERSION_MAJOR) + "." + std::to_string(BOTAN_VERSION_MINOR);
        block = Botan::BlockCipher::create_or_throw(cipher);
        counting = Botan::StreamCipher::create_or_throw("CTR-BE(" + cipher + ")");
    }
    void key(const uint8_t *key) override
    {
        block->set_key(key, length);
        counting->set_key(key, length);
    }
    void rekey(const uint8_t *key) override { block->set_key(key, length); }
    void one(uint8_t *b) override { inverse ? block->decrypt(b) : block->encrypt(b); }
    void ecb(uint8_t *out, const uint8_t *in, size_t len) override
    {
        inverse ? block->decrypt_n(in, out, len / 16) : block->encrypt_n(in, out, len / 16);
    }
    void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        counting->set_iv(iv, 16);
        counting->cipher(in, out, len);
    }
};
#endif

#if defined(WITH_GCRYPT)
struct GcryptSide final : Side {
    gcry_cipher_hd_t book = nullptr, counting = nullptr;
    size_t length;
    bool inverse;

    GcryptSide(size_t key_length, bool backwards) : length(key_length), inverse(backwards)
    {
        const int cipher = length == 16 ? GCRY_CIPHER_ARIA128 : length == 24 ? GCRY_CIPHER_ARIA192 : GCRY_CIPHER_ARIA256;
        name = std::string("libgcrypt ") + gcry_check_version(nullptr);
        gcry_cipher_open(&book, cipher, GCRY_CIPHER_MODE_ECB, 0);
        gcry_cipher_open(&counting, cipher, GCRY_CIPHER_MODE_CTR, 0);
    }
    ~GcryptSide() override
    {
        gcry_cipher_close(book);
        gcry_cipher_close(counting);
    }
    void key(const uint8_t *key) override
    {
        rekey(key);
        gcry_cipher_setkey(counting, key, length);
    }
    void rekey(const uint8_t *key) override { gcry_cipher_setkey(book, key, length); }
    void one(uint8_t *b) override { ecb(b, b, 16); }
    void ecb(uint8_t *out, const uint8_t *in, size_t len) override
    {
        if (out == in) in = nullptr; // which is how this library says in place
        (inverse ? gcry_cipher_decrypt : gcry_cipher_encrypt)(book, out, len, in, in ? len : 0);
    }
    void ctr(const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len) override
    {
        gcry_cipher_setctr(counting, iv, 16);
        gcry_cipher_encrypt(counting, out, len, in, len);
    }
};
#endif

// The peers that have this cipher (LEA-128 ... ARIA-256, HIGHT).
inline void add_peers(Sides &sides, const std::string &cipher, size_t key, bool inverse)
{
#if !defined(NO_CRYPTOPP)
    if (cipher[0] == 'L') sides.push_back(crypto_pp<CryptoPP::LEA>(key, inverse));
    else if (cipher[0] == 'H') sides.push_back(crypto_pp<CryptoPP::HIGHT>(key, inverse));
    else sides.push_back(crypto_pp<CryptoPP::ARIA>(key, inverse));
#endif
    if (cipher[0] != 'A') return;
#if !defined(NO_OPENSSL)
    sides.push_back(std::make_unique<OpenSSLSide>(key, inverse));
#endif
#if !defined(NO_BOTAN)
    sides.push_back(std::make_unique<BotanSide>(key, inverse));
#endif
#if defined(WITH_GCRYPT)
    sides.push_back(std::make_unique<GcryptSide>(key, inverse));
#endif
}

#endif
