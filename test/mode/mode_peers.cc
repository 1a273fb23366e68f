// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// mode_peers.cc - calls modes of operation of independent libraries, for test_mode_peers.py: Crypto++ for every cipher,
// and OpenSSL where it has ARIA in the mode.
#include <cryptopp/aria.h>
#include <cryptopp/ccm.h>
#include <cryptopp/cmac.h>
#include <cryptopp/eax.h>
#include <cryptopp/filters.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hight.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#include <cryptopp/xts.h>
#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <string>

namespace {

template <class Encryption, class Decryption>
void with_iv(bool decrypt, const uint8_t *key, size_t key_size, const uint8_t *iv, size_t iv_size, uint8_t *out,
             const uint8_t *in, size_t len)
{
    if (decrypt) {
        Decryption c;
        c.SetKeyWithIV(key, key_size, iv, iv_size);
        c.ProcessData(out, in, len);
    } else {
        Encryption c;
        c.SetKeyWithIV(key, key_size, iv, iv_size);
        c.ProcessData(out, in, len);
    }
}

template <class Mode>
bool either_way(bool decrypt, const uint8_t *key, size_t key_size, const uint8_t *iv, size_t iv_size, uint8_t *out,
                const uint8_t *in, size_t len)
{
    with_iv<typename Mode::Encryption, typename Mode::Decryption>(decrypt, key, key_size, iv, iv_size, out, in, len);
    return true;
}

// Modes that need to know where the message ends.
template <class Mode>
bool whole(bool decrypt, const uint8_t *key, size_t key_size, const uint8_t *iv, uint8_t *out, const uint8_t *in,
             size_t len)
{
    using namespace CryptoPP;
    const auto through = [&](auto &&c) {
        c.SetKeyWithIV(key, key_size, iv, c.IVSize());
        StringSource(in, len, true,
                     new StreamTransformationFilter(c, new ArraySink(out, len), BlockPaddingSchemeDef::NO_PADDING));
    };
    if (decrypt) through(typename Mode::Decryption());
    else through(typename Mode::Encryption());
    return true;
}

template <class Cipher>
bool plain(const std::string &mode, bool decrypt, const uint8_t *key, size_t key_size, const uint8_t *iv,
           uint8_t *out, const uint8_t *in, size_t len)
{
    using namespace CryptoPP;
    const size_t n = Cipher::BLOCKSIZE;
    if (mode == "cbc") return either_way<CBC_Mode<Cipher>>(decrypt, key, key_size, iv, n, out, in, len);
    if (mode == "ctr") return either_way<CTR_Mode<Cipher>>(decrypt, key, key_size, iv, n, out, in, len);
    if (mode == "ofb") return either_way<OFB_Mode<Cipher>>(decrypt, key, key_size, iv, n, out, in, len);
    if (mode == "cts") return whole<CBC_CTS_Mode<Cipher>>(decrypt, key, key_size, iv, out, in, len);
    if (mode == "cfb" || mode == "cfb8" || mode == "cfb64") {
        const int feedback = mode == "cfb" ? static_cast<int>(n) : mode == "cfb8" ? 1 : 8;
        const AlgorithmParameters parameters =
            MakeParameters(Name::FeedbackSize(), feedback)(Name::IV(), ConstByteArrayParameter(iv, n));
        if (decrypt) {
            typename CFB_Mode<Cipher>::Decryption c;
            c.SetKey(key, key_size, parameters);
            c.ProcessData(out, in, len);
        } else {
            typename CFB_Mode<Cipher>::Encryption c;
            c.SetKey(key, key_size, parameters);
            c.ProcessData(out, in, len);
        }
        return true;
    }
    return false;
}

template <class Mode>
void seal(Mode &&c, const uint8_t *key, size_t key_size, const uint8_t *nonce, size_t nonce_size, const uint8_t *aad,
          size_t aad_size, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag, size_t tag_size)
{
    c.SetKeyWithIV(key, key_size, nonce, nonce_size);
    c.SpecifyDataLengths(aad_size, len, 0);
    c.Update(aad, aad_size);
    c.ProcessData(out, in, len);
    c.TruncatedFinal(tag, tag_size);
}

template <class Cipher, int size>
void seal_ccm(const uint8_t *key, size_t key_size, const uint8_t *nonce, size_t nonce_size, const uint8_t *aad,
              size_t aad_size, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag)
{
    seal(typename CryptoPP::CCM<Cipher, size>::Encryption(), key, key_size, nonce, nonce_size, aad, aad_size, out, in,
         len, tag, size);
}

template <class Cipher>
bool sealed(const std::string &mode, const uint8_t *key, size_t key_size, const uint8_t *nonce, size_t nonce_size,
            const uint8_t *aad, size_t aad_size, uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag,
            size_t tag_size)
{
    using namespace CryptoPP;
    if (mode == "gcm") {
        seal(typename GCM<Cipher>::Encryption(), key, key_size, nonce, nonce_size, aad, aad_size, out, in, len, tag,
             tag_size);
        return true;
    }
    const auto ccm = tag_size == 4    ? seal_ccm<Cipher, 4>
                     : tag_size == 6  ? seal_ccm<Cipher, 6>
                     : tag_size == 8  ? seal_ccm<Cipher, 8>
                     : tag_size == 10 ? seal_ccm<Cipher, 10>
                     : tag_size == 12 ? seal_ccm<Cipher, 12>
                     : tag_size == 14 ? seal_ccm<Cipher, 14>
                                      : seal_ccm<Cipher, 16>;
    if (mode == "ccm") ccm(key, key_size, nonce, nonce_size, aad, aad_size, out, in, len, tag);
    return mode == "ccm";
}

template <class Cipher>
void mac(const uint8_t *key, size_t key_size, const uint8_t *in, size_t len, uint8_t *tag)
{
    CryptoPP::CMAC<Cipher> c(key, key_size);
    c.CalculateDigest(tag, in, len);
}

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

} // namespace

// Each function returns whether the peer has the mode.  cipher is lea, hight or aria; sizes are in bytes.
extern "C" bool cryptopp_plain(const char *mode, const char *cipher, bool decrypt, const uint8_t *key, size_t key_size,
                               const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len)
{
    const std::string m = mode, c = cipher;
    if (m == "xts")
        return c == "lea"    ? whole<CryptoPP::XTS_Mode<CryptoPP::LEA>>(decrypt, key, key_size, iv, out, in, len)
               : c == "aria" ? whole<CryptoPP::XTS_Mode<CryptoPP::ARIA>>(decrypt, key, key_size, iv, out, in, len)
                             : false;
    return c == "lea"    ? plain<CryptoPP::LEA>(m, decrypt, key, key_size, iv, out, in, len)
           : c == "aria" ? plain<CryptoPP::ARIA>(m, decrypt, key, key_size, iv, out, in, len)
                         : plain<CryptoPP::HIGHT>(m, decrypt, key, key_size, iv, out, in, len);
}

extern "C" bool cryptopp_seal(const char *mode, const char *cipher, const uint8_t *key, size_t key_size,
                              const uint8_t *nonce, size_t nonce_size, const uint8_t *aad, size_t aad_size,
                              uint8_t *out, const uint8_t *in, size_t len, uint8_t *tag, size_t tag_size)
{
    using namespace CryptoPP;
    const std::string m = mode, c = cipher;
    const auto eax = [&](auto &&with) {
        seal(with, key, key_size, nonce, nonce_size, aad, aad_size, out, in, len, tag, tag_size);
        return true;
    };
    if (m == "eax")
        return c == "lea"    ? eax(EAX<LEA>::Encryption())
               : c == "aria" ? eax(EAX<ARIA>::Encryption())
                             : eax(EAX<HIGHT>::Encryption());
    const auto run = c == "lea" ? sealed<LEA> : sealed<ARIA>;
    return run(m, key, key_size, nonce, nonce_size, aad, aad_size, out, in, len, tag, tag_size);
}

extern "C" bool cryptopp_cmac(const char *cipher, const uint8_t *key, size_t key_size, const uint8_t *in, size_t len,
                              uint8_t *tag)
{
    const std::string c = cipher;
    const auto run = c == "lea" ? mac<CryptoPP::LEA> : c == "aria" ? mac<CryptoPP::ARIA> : mac<CryptoPP::HIGHT>;
    run(key, key_size, in, len, tag);
    return true;
}

// Runs ARIA under OpenSSL's name for it, such as ARIA-128-CFB8.
extern "C" bool openssl_plain(const char *name, bool decrypt, const uint8_t *key, const uint8_t *iv, uint8_t *out,
                              const uint8_t *in, size_t len)
{
    Context c{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    const EVP_CIPHER *which = EVP_get_cipherbyname(name);
    int written = 0;
    if (!which || !EVP_CipherInit_ex(c.get(), which, nullptr, key, iv, !decrypt)) return false;
    EVP_CIPHER_CTX_set_padding(c.get(), 0);
    return EVP_CipherUpdate(c.get(), out, &written, in, static_cast<int>(len)) == 1 &&
           written == static_cast<int>(len);
}

extern "C" bool openssl_seal(const char *name, bool ccm, const uint8_t *key, const uint8_t *nonce, size_t nonce_size,
                             const uint8_t *aad, size_t aad_size, uint8_t *out, const uint8_t *in, size_t len,
                             uint8_t *tag, size_t tag_size)
{
    Context c{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    const EVP_CIPHER *which = EVP_get_cipherbyname(name);
    int written = 0;
    const auto size = [](size_t n) { return static_cast<int>(n); };
    if (!which || !EVP_EncryptInit_ex(c.get(), which, nullptr, nullptr, nullptr)) return false;
    EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_IVLEN, size(nonce_size), nullptr);
    if (ccm) EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, size(tag_size), nullptr);
    if (!EVP_EncryptInit_ex(c.get(), nullptr, nullptr, key, nonce)) return false;
    if (ccm) EVP_EncryptUpdate(c.get(), nullptr, &written, nullptr, size(len));
    if (aad_size) EVP_EncryptUpdate(c.get(), nullptr, &written, aad, size(aad_size));
    if (len && !EVP_EncryptUpdate(c.get(), out, &written, in, size(len))) return false;
    uint8_t none[16];
    EVP_EncryptFinal_ex(c.get(), none, &written);
    return EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, size(tag_size), tag) == 1;
}
