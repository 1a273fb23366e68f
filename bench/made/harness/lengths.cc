// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// lengths.cc - measures what a message costs by its length, in every mode of operation, beside the peer libraries.
//
//     lengths CIPHER
//     lengths CIPHER plain
//
// CIPHER is one of LEA-128 ... ARIA-256, HIGHT.
// Prints one JSON object a line: {"side", "peer", "mode", "bytes", "cycles", "cpb", "lower", "upper"}.  The library stands
// beside the peer that is fastest with 16 KiB, or with 16 bytes where each message has a new key.  With `plain` the library
// runs its kernels in C, Crypto++ its own code in C++, and counter mode alone is measured, as mode ctr-c.  cycles counts one call with an expanded key; cpb divides it by the bytes
// of the message; lower and upper are the quartiles of cpb.  Exit code: 0; 1 if two sides give different answers (stderr
// says which); 2 for invalid arguments.
//
// All sides and lengths take turns, sample by sample.  -DNO_CRYPTOPP, -DNO_OPENSSL and -DNO_BOTAN build the program
// without a peer, and -DWITH_GCRYPT with one more, which has ARIA since version 1.11.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "../../../src/haechi.h"
#include "../../../src/haechi_cpu.h"

#include "clock.h"

#if !defined(NO_CRYPTOPP)
#include <cryptopp/aria.h>
#include <cryptopp/ccm.h>
#include <cryptopp/cmac.h>
#include <cryptopp/config.h>
#include <cryptopp/cpu.h>
#include <cryptopp/eax.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hight.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#include <cryptopp/xts.h>
#endif
#if !defined(NO_OPENSSL)
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#endif
#if defined(WITH_GCRYPT)
#include <gcrypt.h>
#endif
#if !defined(NO_BOTAN)
#include <botan/build.h>
#include <botan/cipher_mode.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>
#endif

constexpr size_t nonce_bytes = 12, tag_bytes = 16; // of GCM, CCM and EAX; EAX with HIGHT has tags of 8 bytes
constexpr size_t longest = 65536;
static const uint8_t iv[16] = { 1, 2, 3, 4, 5, 6, 0xff, 0xf0, 7, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0 };
static uint8_t input[longest];

// What a call writes.  CMAC writes a tag alone, and an encryption without authentication leaves the tag as it is.
struct Result {
    uint8_t text[longest], tag[tag_bytes];
};
using Call = std::function<void(Result &, size_t)>; // over so many bytes of the input; empty where a side has no such mode

struct Cipher {
    const char *name;
    size_t block, key;
    haechi_cipher *forward, *backward;
};
static const Cipher ciphers[] = {
    { "LEA-128", 16, 16, &haechi_lea128, &haechi_lea128_inv }, { "LEA-192", 16, 24, &haechi_lea192, &haechi_lea192_inv },
    { "LEA-256", 16, 32, &haechi_lea256, &haechi_lea256_inv }, { "HIGHT", 8, 16, &haechi_hight, &haechi_hight_inv },
    { "ARIA-128", 16, 16, &haechi_aria128, &haechi_aria128_inv }, { "ARIA-192", 16, 24, &haechi_aria192, &haechi_aria192_inv },
    { "ARIA-256", 16, 32, &haechi_aria256, &haechi_aria256_inv },
};

// Lengths are multiples of a block in some modes, and XTS takes a block or more.  In cmac this library computes the subkey for
// each message, and in cmac-kept the program keeps it, as all peers do.  In gcm-new-key each call expands its key.
struct Mode {
    std::string name;
    bool blocks;
    size_t least, chosen = 16384; // the length with which the fastest peer is chosen
};
static const std::vector<Mode> modes = {
    { "ctr", false, 1 }, { "gcm", false, 1 }, { "gcm-new-key", false, 1, 16 }, { "ccm", false, 1 }, { "eax", false, 1 }, { "cmac", false, 1 },
    { "cmac-kept", false, 1 }, { "xts", false, 16 },
    { "ecb", true, 1 }, { "cbc-enc", true, 1 }, { "cbc-dec", true, 1 }, { "cfb-enc", false, 1 }, { "cfb-dec", false, 1 }, { "ofb", false, 1 },
};

static const std::vector<uint8_t> &key_of(size_t bytes) // XTS takes two keys, which must differ
{
    static std::vector<uint8_t> key;
    key.reserve(64); // calls keep the address
    key.resize(bytes);
    for (size_t i = 0; i < bytes; i++) key[i] = static_cast<uint8_t>(7 * i + 1);
    return key;
}

// ---- This library.

static std::string kernel;

static Call ours(const Cipher &c, const std::string &mode)
{
    const uint8_t *const key = key_of(c.key).data();
    for (haechi_mode *m : { &haechi_gcm, &haechi_ccm, &haechi_eax }) {
        if (mode != (m == &haechi_gcm ? "gcm" : m == &haechi_ccm ? "ccm" : "eax")) continue;
        const auto a = std::make_shared<haechi_any_aead>();
        if (haechi_aead_init(&a->aead, sizeof *a, m, c.forward, key, c.key)) return {};
        return [a, &c](Result &r, size_t len) {
            haechi_seal(&a->aead, iv, nonce_bytes, nullptr, 0, r.text, input, len, r.tag, c.block);
        };
    }
    if (mode == "gcm-new-key") {
        const auto a = std::make_shared<haechi_any_aead>();
        if (haechi_aead_init(&a->aead, sizeof *a, &haechi_gcm, c.forward, key, c.key)) return {};
        return [a, key, &c](Result &r, size_t len) {
            haechi_aead_init(&a->aead, sizeof *a, &haechi_gcm, c.forward, key, c.key);
            haechi_seal(&a->aead, iv, nonce_bytes, nullptr, 0, r.text, input, len, r.tag, c.block);
        };
    }
    if (mode == "xts") {
        const auto x = std::make_shared<haechi_any_xts>();
        if (haechi_xts_init(&x->xts, sizeof *x, c.forward, c.forward, key_of(2 * c.key).data(), 2 * c.key)) return {};
        return [x](Result &r, size_t len) { haechi_xts_encrypt(&x->xts, iv, r.text, input, len); };
    }
    const auto k = std::make_shared<haechi_any_key>();
    haechi_init(&k->key, sizeof *k, mode == "cbc-dec" ? c.backward : c.forward, key, c.key);
    kernel = haechi_kernel_name(&k->key);
    if (mode == "ecb") return [k](Result &r, size_t len) { haechi_ecb(&k->key, r.text, input, len); };
    if (mode == "cmac")
        return [k, &c](Result &r, size_t len) {
            haechi_cmac s = {};
            haechi_cmac_update(&k->key, &s, input, len);
            haechi_cmac_tag(&k->key, &s, r.tag, c.block);
        };
    if (mode == "cmac-kept") {
        const auto subkey = std::make_shared<haechi_cmac_subkey>();
        haechi_cmac_derive(&k->key, subkey.get());
        return [k, subkey, &c](Result &r, size_t len) {
            haechi_cmac_message(&k->key, subkey.get(), input, len, r.tag, c.block);
        };
    }
    if (mode == "cbc-enc" || mode == "cbc-dec") {
        const auto crypt = mode == "cbc-dec" ? haechi_cbc_decrypt : haechi_cbc_encrypt;
        return [k, crypt](Result &r, size_t len) {
            uint8_t chain[sizeof iv];
            std::memcpy(chain, iv, sizeof iv);
            crypt(&k->key, chain, r.text, input, len);
        };
    }
    const auto crypt = mode == "ctr"       ? haechi_ctr
                       : mode == "ofb"     ? haechi_ofb
                       : mode == "cfb-enc" ? haechi_cfb_encrypt
                                           : haechi_cfb_decrypt;
    return [k, crypt](Result &r, size_t len) {
        haechi_stream s = {};
        std::memcpy(s.iv, iv, sizeof iv);
        crypt(&k->key, &s, r.text, input, len);
    };
}

// ---- The peers.

#if !defined(NO_CRYPTOPP)
template <class Transformation> static Call crypto_pp_text(const Cipher &c, size_t keys = 1)
{
    const auto t = std::make_shared<Transformation>();
    t->SetKeyWithIV(key_of(keys * c.key).data(), keys * c.key, iv, c.block);
    return [t, &c, keys](Result &r, size_t len) {
        const size_t last = keys == 2 && len % c.block ? c.block + len % c.block : 0; // what XTS steals ciphertext from
        t->Resynchronize(iv, static_cast<int>(c.block));
        t->ProcessData(r.text, input, len - last);
        if (last) t->ProcessLastBlock(r.text + len - last, last, input + len - last, last);
    };
}

template <class Authenticated> static Call crypto_pp_seal(const Cipher &c, bool new_key = false)
{
    const auto t = std::make_shared<Authenticated>();
    const auto seal = [t, &c, new_key, key = key_of(c.key).data()](Result &r, size_t len) {
        if (new_key) t->SetKeyWithIV(key, c.key, iv, nonce_bytes);
        t->EncryptAndAuthenticate(r.text, r.tag, c.block, iv, nonce_bytes, nullptr, 0, input, len);
    };
    static Result unused;
    t->SetKeyWithIV(key_of(c.key).data(), c.key, iv, nonce_bytes);
    seal(unused, 0); // Crypto++ 8.7 computes EAX wrongly in the first message after SetKeyWithIV
    return seal;
}

template <class T> static Call crypto_pp(const Cipher &c, const std::string &mode)
{
    using namespace CryptoPP;
    if (mode == "ctr") return crypto_pp_text<typename CTR_Mode<T>::Encryption>(c);
    if (mode == "cbc-enc") return crypto_pp_text<typename CBC_Mode<T>::Encryption>(c);
    if (mode == "cbc-dec") return crypto_pp_text<typename CBC_Mode<T>::Decryption>(c);
    if (mode == "cfb-enc") return crypto_pp_text<typename CFB_Mode<T>::Encryption>(c);
    if (mode == "cfb-dec") return crypto_pp_text<typename CFB_Mode<T>::Decryption>(c);
    if (mode == "ofb") return crypto_pp_text<typename OFB_Mode<T>::Encryption>(c);
    if (mode == "eax") return crypto_pp_seal<typename EAX<T>::Encryption>(c);
    if (mode == "ecb") {
        const auto t = std::make_shared<typename ECB_Mode<T>::Encryption>(key_of(c.key).data(), c.key);
        return [t](Result &r, size_t len) { t->ProcessData(r.text, input, len); };
    }
    if (mode.substr(0, 4) == "cmac") {
        const auto t = std::make_shared<CMAC<T>>(key_of(c.key).data(), c.key);
        return [t](Result &r, size_t len) { t->CalculateDigest(r.tag, input, len); };
    }
    if constexpr (T::BLOCKSIZE == 16) {
        if (mode == "gcm") return crypto_pp_seal<typename GCM<T>::Encryption>(c);
        if (mode == "gcm-new-key") return crypto_pp_seal<typename GCM<T>::Encryption>(c, true);
        if (mode == "xts") return crypto_pp_text<typename XTS_Mode<T>::Encryption>(c, 2);
        if (mode == "ccm") return crypto_pp_seal<typename CCM<T>::Encryption>(c);
    }
    return {};
}

static Call crypto_pp_call(const Cipher &c, const std::string &mode)
{
    if (c.name[0] == 'L') return crypto_pp<CryptoPP::LEA>(c, mode);
    return c.name[0] == 'H' ? crypto_pp<CryptoPP::HIGHT>(c, mode) : crypto_pp<CryptoPP::ARIA>(c, mode);
}
#endif

#if !defined(NO_OPENSSL)
static Call openssl_call(const Cipher &c, const std::string &mode)
{
    const std::string called = mode.substr(0, 3);
    if (mode.substr(0, 4) == "cmac") {
        EVP_MAC *const fetched = EVP_MAC_fetch(nullptr, "CMAC", nullptr);
        const std::shared_ptr<EVP_MAC_CTX> t(EVP_MAC_CTX_new(fetched), EVP_MAC_CTX_free);
        std::string cipher = std::string(c.name) + "-CBC";
        const OSSL_PARAM said[] = { OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher.data(), 0),
                                    OSSL_PARAM_construct_end() };
        EVP_MAC_free(fetched);
        if (!EVP_MAC_init(t.get(), key_of(c.key).data(), c.key, said)) return {};
        return [t](Result &r, size_t len) {
            size_t written;
            EVP_MAC_init(t.get(), nullptr, 0, nullptr);
            EVP_MAC_update(t.get(), input, len);
            EVP_MAC_final(t.get(), r.tag, &written, sizeof r.tag);
        };
    }
    EVP_CIPHER *const fetched = EVP_CIPHER_fetch(nullptr, (std::string(c.name) + "-" + called).c_str(), nullptr);
    const std::shared_ptr<EVP_CIPHER_CTX> t(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    const bool found = fetched && EVP_CipherInit_ex(t.get(), fetched, nullptr, nullptr, nullptr, mode != "cbc-dec" && mode != "cfb-dec");
    EVP_CIPHER_free(fetched);
    if (!found) return {};
    if (called == "ccm") EVP_CIPHER_CTX_ctrl(t.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, nullptr);
    if (called == "gcm" || called == "ccm") EVP_CIPHER_CTX_ctrl(t.get(), EVP_CTRL_AEAD_SET_IVLEN, nonce_bytes, nullptr);
    EVP_CipherInit_ex(t.get(), nullptr, nullptr, key_of(c.key).data(), iv, -1);
    EVP_CIPHER_CTX_set_padding(t.get(), 0);
    const uint8_t *const new_key = mode == "gcm-new-key" ? key_of(c.key).data() : nullptr;
    return [t, called, new_key](Result &r, size_t len) {
        int written;
        EVP_CipherInit_ex(t.get(), nullptr, nullptr, new_key, called == "ecb" ? nullptr : iv, -1);
        if (called == "ccm") EVP_CipherUpdate(t.get(), nullptr, &written, nullptr, static_cast<int>(len));
        EVP_CipherUpdate(t.get(), r.text, &written, input, static_cast<int>(len));
        if (called != "gcm" && called != "ccm") return;
        EVP_CipherFinal_ex(t.get(), r.text, &written);
        EVP_CIPHER_CTX_ctrl(t.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, r.tag);
    };
}
#endif

#if !defined(NO_BOTAN)
static Call botan_call(const Cipher &c, const std::string &mode)
{
    const std::string cipher = c.name;
    const auto key = key_of(mode == "xts" ? 2 * c.key : c.key);
    if (mode == "ctr" || mode == "ofb") {
        const std::shared_ptr<Botan::StreamCipher> t =
            Botan::StreamCipher::create_or_throw((mode == "ctr" ? "CTR-BE(" : "OFB(") + cipher + ")");
        t->set_key(key.data(), key.size());
        return [t](Result &r, size_t len) {
            t->set_iv(iv, sizeof iv);
            t->cipher(input, r.text, len);
        };
    }
    if (mode.substr(0, 4) == "cmac") {
        const std::shared_ptr<Botan::MessageAuthenticationCode> t =
            Botan::MessageAuthenticationCode::create_or_throw("CMAC(" + cipher + ")");
        t->set_key(key.data(), key.size());
        return [t](Result &r, size_t len) {
            t->update(input, len);
            t->final(r.tag);
        };
    }
    if (mode == "ecb") return {}; // Botan has no such mode; host.cc measures its blocks
    static const char *const names[][2] = {
        { "cbc-enc", "/CBC/NoPadding" }, { "cbc-dec", "/CBC/NoPadding" }, { "cfb-enc", "/CFB" }, { "cfb-dec", "/CFB" },
        { "xts", "/XTS" }, { "gcm", "/GCM" }, { "gcm-new-key", "/GCM" }, { "ccm", "/CCM" }, { "eax", "/EAX" },
    };
    const auto name = std::find_if(std::begin(names), std::end(names), [&](auto &n) { return n[0] == mode; });
    const bool decrypts = mode == "cbc-dec" || mode == "cfb-dec", new_key = mode == "gcm-new-key";
    const bool sealed = mode == "gcm" || new_key || mode == "ccm" || mode == "eax";
    using Botan::Cipher_Dir;
#if BOTAN_VERSION_MAJOR < 3
    const Cipher_Dir direction = decrypts ? Botan::DECRYPTION : Botan::ENCRYPTION;
#else
    const Cipher_Dir direction = decrypts ? Cipher_Dir::Decryption : Cipher_Dir::Encryption;
#endif
    const std::shared_ptr<Botan::Cipher_Mode> t = Botan::Cipher_Mode::create_or_throw(cipher + (*name)[1], direction);
    t->set_key(key.data(), key.size());
    const auto text = std::make_shared<Botan::secure_vector<uint8_t>>();
    return [t, text, sealed, new_key, key](Result &r, size_t len) {
        if (new_key) t->set_key(key.data(), key.size());
        t->start(iv, sealed ? nonce_bytes : sizeof iv);
        text->assign(input, input + len); // the only way to say where the text is
        t->finish(*text);
        std::memcpy(r.text, text->data(), len);
        if (sealed) std::memcpy(r.tag, text->data() + len, tag_bytes);
    };
}
#endif

#if defined(WITH_GCRYPT)
static Call gcrypt_call(const Cipher &c, const std::string &mode)
{
    static const std::pair<const char *, int> known[] = {
        { "ctr", GCRY_CIPHER_MODE_CTR }, { "gcm", GCRY_CIPHER_MODE_GCM }, { "ccm", GCRY_CIPHER_MODE_CCM }, { "eax", GCRY_CIPHER_MODE_EAX },
        { "xts", GCRY_CIPHER_MODE_XTS }, { "ecb", GCRY_CIPHER_MODE_ECB }, { "cbc", GCRY_CIPHER_MODE_CBC }, { "cfb", GCRY_CIPHER_MODE_CFB },
        { "ofb", GCRY_CIPHER_MODE_OFB },
    };
    const size_t key = mode == "xts" ? 2 * c.key : c.key;
    gcry_check_version(nullptr);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    if (mode.substr(0, 4) == "cmac") {
        gcry_mac_hd_t t;
        if (gcry_mac_open(&t, GCRY_MAC_CMAC_ARIA, 0, nullptr) || gcry_mac_setkey(t, key_of(key).data(), key)) return {};
        return [t](Result &r, size_t len) {
            size_t bytes = tag_bytes;
            gcry_mac_reset(t);
            gcry_mac_write(t, input, len);
            gcry_mac_read(t, r.tag, &bytes);
        };
    }
    const auto found = std::find_if(std::begin(known), std::end(known), [&](auto &each) { return mode.substr(0, 3) == each.first; });
    const int cipher = c.key == 16 ? GCRY_CIPHER_ARIA128 : c.key == 24 ? GCRY_CIPHER_ARIA192 : GCRY_CIPHER_ARIA256;
    const bool new_key = mode == "gcm-new-key", decrypts = mode == "cbc-dec" || mode == "cfb-dec";
    const bool sealed = mode == "gcm" || new_key || mode == "ccm" || mode == "eax";
    gcry_cipher_hd_t t;
    if (gcry_cipher_open(&t, cipher, found->second, 0) || gcry_cipher_setkey(t, key_of(key).data(), key)) return {};
    return [t, mode, sealed, decrypts, new_key, raw = key_of(key).data(), key](Result &r, size_t len) {
        if (new_key) gcry_cipher_setkey(t, raw, key);
        gcry_cipher_reset(t);
        if (mode == "ctr") gcry_cipher_setctr(t, iv, sizeof iv);
        else if (mode != "ecb") gcry_cipher_setiv(t, iv, sealed ? nonce_bytes : sizeof iv);
        if (mode == "ccm") {
            uint64_t lengths[] = { len, 0, tag_bytes };
            gcry_cipher_ctl(t, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths);
        }
        (decrypts ? gcry_cipher_decrypt : gcry_cipher_encrypt)(t, r.text, len, input, len);
        if (sealed) gcry_cipher_gettag(t, r.tag, tag_bytes);
    };
}
#endif

// ---- Measuring.

struct Side {
    std::string name;
    bool peer;
    Call call;
};

// Without vectors libgcrypt is left out, whose vectors this program does not switch off.
static std::vector<Side> sides_of(const Cipher &c, const std::string &mode, [[maybe_unused]] bool plain)
{
    std::vector<Side> found = { { "", false, ours(c, mode) } }, some;
    found[0].name = kernel;
#if !defined(NO_CRYPTOPP)
    found.push_back({ "Crypto++ " + std::to_string(CRYPTOPP_VERSION / 100) + "." + std::to_string(CRYPTOPP_VERSION / 10 % 10),
                      true, crypto_pp_call(c, mode) });
#endif
#if !defined(NO_OPENSSL)
    if (c.name[0] == 'A')
        found.push_back({ "OpenSSL " + std::to_string(OPENSSL_VERSION_MAJOR) + "." + std::to_string(OPENSSL_VERSION_MINOR),
                          true, openssl_call(c, mode) });
#endif
#if !defined(NO_BOTAN)
    if (c.name[0] == 'A')
        found.push_back({ "Botan " + std::to_string(BOTAN_VERSION_MAJOR) + "." + std::to_string(BOTAN_VERSION_MINOR),
                          true, botan_call(c, mode) });
#endif
#if defined(WITH_GCRYPT)
    if (c.name[0] == 'A' && !plain)
        found.push_back({ std::string("libgcrypt ") + gcry_check_version(nullptr), true, gcrypt_call(c, mode) });
#endif
    if (!found[0].call) return {};
    for (Side &side : found)
        if (side.call) some.push_back(side);
    return some;
}

// Switches off all kernels with vectors, here and in Crypto++; OpenSSL's and Botan's ARIA has none.
static void without_vectors()
{
    haechi_features_limit(0);
#if !defined(NO_CRYPTOPP)
    CryptoPP::g_hasSSE2 = CryptoPP::g_hasSSSE3 = CryptoPP::g_hasSSE41 = CryptoPP::g_hasAESNI = CryptoPP::g_hasAVX2 = false;
#endif
}

// Around the sizes of blocks, then all kinds of remainders, then powers of two.
static std::vector<size_t> lengths_of(const Cipher &c, const Mode &mode)
{
    std::vector<size_t> found;
    for (const size_t len : { 1, 2, 4, 8, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 56, 63, 64, 65, 80, 96, 112, 127, 128,
                              129, 160, 192, 224, 240, 255, 256, 293, 367, 441, 512, 552, 663, 774, 885, 996, 1024,
                              1181, 1366, 1514, 1699, 1884, 2048, 2106, 2328, 2550, 2772, 2994, 3216, 3438, 3660, 3882,
                              4096, 8192, 16384, 32768, 65536 })
        if (len >= mode.least && !(mode.blocks && len % c.block)) found.push_back(len);
    return found;
}

// Whether all sides give the same answers.
static bool agree(const Cipher &c, const Mode &mode, const std::vector<Side> &sides)
{
    static Result wanted, got;
    for (const size_t len : lengths_of(c, mode)) {
        std::memset(&wanted, 0, sizeof wanted);
        sides.back().call(wanted, len);
        for (const Side &side : sides) {
            std::memset(&got, 0, sizeof got);
            side.call(got, len);
            if (!std::memcmp(&got, &wanted, sizeof got)) continue;
            std::fprintf(stderr, "%s: %s and %s differ in %s of %zu bytes\n", c.name, side.name.c_str(), sides.back().name.c_str(),
                         mode.name.c_str(), len);
            return false;
        }
    }
    return true;
}

// Measures our call and the fastest peer.
static void curve(const Cipher &c, const Mode &mode, const std::vector<Side> &sides)
{
    static Result result;
    std::vector<Task> tasks;
    std::vector<Side> both = { sides[0] };
    for (size_t i = 1; i < sides.size(); i++) {
        const Call &call = sides[i].call;
        tasks.push_back({ 1, [&call, &mode] { call(result, mode.chosen); } });
    }
    if (!tasks.empty()) {
        const auto t = measure(tasks, 31);
        const auto least = std::min_element(t.begin(), t.end(), [](const Spread &a, const Spread &b) { return a.median < b.median; });
        both.push_back(sides[static_cast<size_t>(least - t.begin()) + 1]);
    }
    tasks.clear();
    const auto lengths = lengths_of(c, mode);
    for (const size_t len : lengths)
        for (const Side &side : both) {
            const Call &call = side.call;
            tasks.push_back({ static_cast<int>(std::clamp<size_t>(8192 / len, 1, 64)), [&call, len] { call(result, len); } });
        }
    const auto cycles = measure(tasks, 41);
    for (size_t i = 0; i < cycles.size(); i++) {
        const Side &side = both[i % both.size()];
        const size_t len = lengths[i / both.size()];
        const auto bytes = static_cast<double>(len);
        std::printf("{\"side\": \"%s\", \"peer\": %s, \"mode\": \"%s\", \"bytes\": %zu, \"cycles\": %.1f, \"cpb\": %.4f, "
                    "\"lower\": %.4f, \"upper\": %.4f}\n",
                    side.name.c_str(), side.peer ? "true" : "false", mode.name.c_str(), len, cycles[i].median,
                    cycles[i].median / bytes, cycles[i].lower / bytes, cycles[i].upper / bytes);
    }
    std::fflush(stdout);
}

int main(int argc, char **argv)
{
    const auto c = std::find_if(std::begin(ciphers), std::end(ciphers),
                                [&](const Cipher &each) { return argc >= 2 && each.name == std::string(argv[1]); });
    const bool plain = argc == 3 && std::string(argv[2]) == "plain";
    if (c == std::end(ciphers) || argc != (plain ? 3 : 2)) {
        std::fprintf(stderr, "usage: lengths CIPHER [plain]\n");
        return 2;
    }
    if (plain) without_vectors();
    uint32_t x = 1; // xorshift32; the values do not matter
    for (uint8_t &b : input) b = static_cast<uint8_t>((x ^= x << 13, x ^= x >> 17, x ^= x << 5) >> 24);
    for (const Mode &mode : plain ? std::vector<Mode>{ { "ctr-c", false, 1 } } : modes) {
        const auto sides = sides_of(*c, plain ? "ctr" : mode.name, plain);
        if (sides.empty()) continue;
        if (!agree(*c, mode, sides)) return 1;
        curve(*c, mode, sides);
    }
    return 0;
}
