/* raw.c - haechi raw: one mode of one cipher, with the same output as other libraries.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Modes that accept a message in pieces work piece by piece.  An authenticated message is read as a whole, because
 * nothing may be written before its tag has verified. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <haechi_legacy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command.h"

enum { PIECE = 1 << 18, WHOLE_BLOCKS = 1, INVERSE = 2, WIDE = 4, NO_IV = 8 };

typedef int with_iv(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
typedef int with_stream(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

static int ecb(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    (void)iv;
    return haechi_ecb(k, out, in, len);
}

static int cfb1_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    return haechi_cfb1_encrypt(k, iv, out, in, 8 * len);
}

static int cfb1_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    return haechi_cfb1_decrypt(k, iv, out, in, 8 * len);
}

/* WHOLE_BLOCKS: all other lengths need padding.  INVERSE: decryption takes an inverse key.  WIDE: only for blocks of
 * 16 bytes. */
static const struct pieces {
    const char *name;
    int flags;
    with_iv *iv_encrypt, *iv_decrypt;
    with_stream *encrypt, *decrypt;
} in_pieces[] = {
    { "ecb", WHOLE_BLOCKS | INVERSE | NO_IV, ecb, ecb, NULL, NULL },
    { "cbc", WHOLE_BLOCKS | INVERSE, haechi_cbc_encrypt, haechi_cbc_decrypt, NULL, NULL },
    { "ctr", 0, NULL, NULL, haechi_ctr, haechi_ctr },
    { "ofb", 0, NULL, NULL, haechi_ofb, haechi_ofb },
    { "cfb", 0, NULL, NULL, haechi_cfb_encrypt, haechi_cfb_decrypt },
    { "cfb64", WIDE, NULL, NULL, haechi_cfb64_encrypt, haechi_cfb64_decrypt },
    { "cfb8", 0, haechi_cfb8_encrypt, haechi_cfb8_decrypt, NULL, NULL },
    { "cfb1", 0, cfb1_encrypt, cfb1_decrypt, NULL, NULL },
};

static const struct sealed {
    const char *name;
    haechi_mode *mode;
    int flags;
} sealed[] = { { "gcm", &haechi_gcm, WIDE }, { "ccm", &haechi_ccm, WIDE }, { "eax", &haechi_eax, 0 } };

struct raw {
    const struct cipher *cipher;
    int decrypt, pad;
    uint8_t *key;
    size_t keylen;
    uint8_t *iv, *aad;
    size_t ivlen, aadlen, taglen, sector;
    struct input in;
    struct output out;
};

static void check(struct raw *r, int error)
{
    if (error == HAECHI_EAUTH)
        output_die(&r->out, FORGED, 0,
                   "%s is damaged or was changed, or has another key, nonce or additional data.", r->in.name);
    if (error == HAECHI_ELIMIT) output_die(&r->out, USAGE, 0, "%s is too long for this mode.", r->in.name);
    if (error == HAECHI_ELEN)
        output_die(&r->out, USAGE, 0, "This mode takes no IV, no tag or no message of that length.");
    if (error) output_die(&r->out, SYSTEM, 0, "%s failed with error %d.", r->cipher->name, error);
}

static void want_iv(const struct raw *r, size_t bytes)
{
    if (r->ivlen != bytes)
        die(USAGE, 0, "This mode takes an IV of %zu bytes, by -i or -I; this one has %zu.", bytes, r->ivlen);
}

static void want_no(const char *what, size_t given)
{
    if (given) die(USAGE, 0, "This mode takes no %s.", what);
}

/* Returns the number of bytes of padding (PKCS #7) at the end; 0 if there is none or it is wrong. */
static size_t padding(const uint8_t *p, size_t n, size_t block)
{
    const size_t pad = n ? p[n - 1] : 0;
    if (pad == 0 || pad > block || pad > n) return 0;
    for (size_t i = 1; i <= pad; i++)
        if (p[n - i] != pad) return 0;
    return pad;
}

static void run_pieces(struct raw *r, const struct pieces *mode)
{
    haechi_any_key *const k = secret(sizeof *k);
    uint8_t *const buffer = secret(PIECE + 1 + 16);
    const size_t block = r->cipher->block;
    haechi_stream *const s = secret(sizeof *s);
    uint8_t ahead = 0;
    size_t n, carried = 0;
    int last;

    want_iv(r, mode->flags & NO_IV ? 0 : block);
    memcpy(s->iv, r->iv, r->ivlen);
    check(r, haechi_init(&k->key, sizeof *k,
                         r->decrypt && mode->flags & INVERSE ? r->cipher->inverse : r->cipher->forward,
                         r->key, r->keylen));
    do {
        int error;
        buffer[0] = ahead; /* One byte more is read ahead, to know whether this is the last piece. */
        n = carried + input_read(&r->in, buffer + carried, PIECE + 1 - carried);
        last = n <= PIECE;
        carried = !last;
        if (!last) ahead = buffer[--n];
        progress(&r->in);
        if (last && r->pad && !r->decrypt) {
            const size_t pad = block - n % block;
            memset(buffer + n, (int)pad, pad);
            n += pad;
        }
        if (mode->flags & WHOLE_BLOCKS && n % block)
            output_die(&r->out, r->pad ? FORGED : USAGE, 0, "%s is not a whole number of blocks%s.", r->in.name,
                       r->pad ? "" : "; --pad fills the last one");
        if (mode->encrypt != NULL)
            error = (r->decrypt ? mode->decrypt : mode->encrypt)(&k->key, s, buffer, buffer, n);
        else error = (r->decrypt ? mode->iv_decrypt : mode->iv_encrypt)(&k->key, s->iv, buffer, buffer, n);
        check(r, error);
        if (last && r->pad && r->decrypt) {
            const size_t pad = padding(buffer, n, block);
            if (pad == 0) output_die(&r->out, FORGED, 0, "%s has no padding at its end.", r->in.name);
            n -= pad;
        }
        output_bytes(&r->out, buffer, n);
    } while (!last);
}

static void run_cmac(struct raw *r)
{
    haechi_any_key *const k = secret(sizeof *k);
    uint8_t *const buffer = secret(PIECE), tag[16];
    haechi_cmac s = { { 0 }, 0 };
    size_t n;

    want_iv(r, 0);
    if (r->taglen == 0) r->taglen = r->cipher->block;
    if (r->taglen > r->cipher->block) die(USAGE, 0, "--tag takes 1 to %u.", r->cipher->block);
    check(r, haechi_init(&k->key, sizeof *k, r->cipher->forward, r->key, r->keylen));
    do {
        n = input_read(&r->in, buffer, PIECE);
        progress(&r->in);
        check(r, haechi_cmac_update(&k->key, &s, buffer, n));
    } while (n == PIECE);
    check(r, haechi_cmac_tag(&k->key, &s, tag, r->taglen));
    output_bytes(&r->out, tag, r->taglen);
}

static void run_sealed(struct raw *r, const struct sealed *mode)
{
    haechi_any_aead *const a = secret(sizeof *a);
    const size_t most = SIZE_MAX / 4;
    uint8_t *text, tag[16];
    size_t n;

    if (r->taglen == 0) r->taglen = r->cipher->block;
    if (r->taglen > r->cipher->block) die(USAGE, 0, "--tag takes at most %u.", r->cipher->block);
    check(r, haechi_aead_init(&a->aead, sizeof *a, mode->mode, r->cipher->forward, r->key, r->keylen));
    text = input_all(&r->in, most, &n);
    if (!r->decrypt) {
        check(r, haechi_seal(&a->aead, r->iv, r->ivlen, r->aad, r->aadlen, text, text, n, tag, r->taglen));
        output_bytes(&r->out, text, n);
        output_bytes(&r->out, tag, r->taglen);
    } else {
        if (n < r->taglen) die(FORGED, 0, "%s is shorter than its tag.", r->in.name);
        n -= r->taglen;
        check(r,
              haechi_open(&a->aead, r->iv, r->ivlen, r->aad, r->aadlen, text, text, n, text + n, r->taglen));
        output_bytes(&r->out, text, n);
    }
    haechi_wipe(text, n);
    free(text);
}

/* The input is one data unit, or one for each sector; the sectors are numbered from the IV on. */
static void run_xts(struct raw *r)
{
    haechi_any_xts *const x = secret(sizeof *x);
    enum { MOST = 1 << 24 };
    uint8_t *text;

    want_iv(r, 16);
    check(r, haechi_xts_init(&x->xts, sizeof *x, r->decrypt ? r->cipher->inverse : r->cipher->forward,
                             r->cipher->forward, r->key, r->keylen));
    text = secret((r->sector ? r->sector : MOST) + 1);
    for (;;) {
        const size_t n = input_read(&r->in, text, r->sector ? r->sector : MOST + 1);
        if (r->sector && n == 0) return;
        progress(&r->in);
        check(r, (r->decrypt ? haechi_xts_decrypt : haechi_xts_encrypt)(&x->xts, r->iv, text, text, n));
        output_bytes(&r->out, text, n);
        if (!r->sector) return;
        for (int i = 0; i < 16 && ++r->iv[i] == 0; i++) continue;
    }
}

static size_t read_bytes(uint8_t *out, size_t most, const char *name)
{
    struct input in;
    size_t n;
    uint8_t *p;
    input_open(&in, name);
    p = input_all(&in, most, &n);
    if (n) memcpy(out, p, n);
    free(p);
    (void)close(in.fd);
    return n;
}

int command_raw(int argc, char **argv)
{
    enum { AAD_MOST = 1 << 20 };
    struct raw *const r = secret(sizeof *r);
    char *mode, name[32];
    const char *out_name = NULL;
    struct key_source from = { NULL, -1, 0 };
    int option, replace = 0, hex = 0, digits = 0, keys = 0, ivs = 0;
    const struct pieces *piece = NULL;
    const struct sealed *seal = NULL;
    int xts, flags = 0;

    r->key = secret(XTS_KEY_MOST);
    r->iv = secret(256);
    r->aad = secret(AAD_MOST);
    while ((option = next_option(argc, argv)) != -1)
        switch (option) {
        case 'd': r->decrypt = 1; break;
        case 'K':
            r->keylen = read_hex(r->key, XTS_KEY_MOST, optarg, "--key-hex"), digits = 1, keys++;
            haechi_wipe(optarg, strlen(optarg)); /* so that ps does not show it any more */
            break;
        case 'k': from.name = optarg, keys++; break;
        case OPTION_KEY_FD: from.fd = (int)read_number(optarg, "--key-fd", 0, 1 << 20), keys++; break;
        case OPTION_RAW_KEY: from.raw = 1; break;
        case 'i': r->ivlen = read_hex(r->iv, 256, optarg, "--iv"), ivs++; break;
        case 'I': r->ivlen = read_bytes(r->iv, 256, optarg), ivs++; break;
        case 'a': r->aadlen = read_hex(r->aad, AAD_MOST, optarg, "--aad"); break;
        case 'A': r->aadlen = read_bytes(r->aad, AAD_MOST, optarg); break;
        case 't': r->taglen = (size_t)read_number(optarg, "--tag", 1, 16); break;
        case 's': r->sector = (size_t)read_number(optarg, "--sector", 16, 1 << 24); break;
        case 'p': r->pad = 1; break;
        case 'x': hex = 1; break;
        case 'o': out_name = optarg; break;
        case 'f': replace = 1; break;
        case 'q': quiet = 1; break;
        default: break;
        }
    if (argc - optind < 1 || argc - optind > 2)
        die(USAGE, 0, "A cipher and mode such as aria-128-cbc is needed, and at most one file.");
    if (strlen(argv[optind]) >= sizeof name) die(USAGE, 0, "There is no mode %s: see haechi ciphers.", argv[optind]);
    (void)strcpy(name, argv[optind]);
    mode = strrchr(name, '-');
    if (mode == NULL) die(USAGE, 0, "%s names no mode, as aria-128-cbc does: see haechi ciphers.", name);
    *mode++ = 0;
    if (keys != 1) die(USAGE, 0, "One key is needed: -k FILE, --key-fd=N or -K HEX.");
    if (!digits) r->keylen = read_key(r->key, XTS_KEY_MOST, &from);
    if (ivs > 1) die(USAGE, 0, "Only one IV can be used.");

    xts = !strcasecmp(mode, "xts");
    for (size_t i = 0; i < sizeof in_pieces / sizeof *in_pieces; i++)
        if (!strcasecmp(mode, in_pieces[i].name)) piece = in_pieces + i, flags = piece->flags;
    for (size_t i = 0; i < sizeof sealed / sizeof *sealed; i++)
        if (!strcasecmp(mode, sealed[i].name)) seal = sealed + i, flags = seal->flags;
    if (xts) flags = WIDE;
    if (!xts && piece == NULL && seal == NULL && strcasecmp(mode, "cmac"))
        die(USAGE, 0, "raw has no mode %s: see haechi ciphers; haechi.h tells what else the library has.", mode);
    r->cipher = cipher_named(name, xts ? r->keylen / 2 : r->keylen);
    if (xts && r->keylen % 2) die(USAGE, 0, "XTS takes two keys of one length, one after the other.");
    if (flags & WIDE && r->cipher->block != 16) die(USAGE, 0, "%s has no %s: see haechi ciphers.", r->cipher->name, mode);
    if (seal == NULL) want_no("additional data", r->aadlen);
    if (piece != NULL || xts) want_no("tag", r->taglen);
    if (piece == NULL || !(flags & WHOLE_BLOCKS)) want_no("padding", (size_t)r->pad);
    if (!xts) want_no("sectors", r->sector);
    if (piece == NULL && seal == NULL && !xts) want_no("decryption", (size_t)r->decrypt);
    if (xts && !memcmp(r->key, r->key + r->keylen / 2, r->keylen / 2))
        die(USAGE, 0, "The two keys of XTS must differ.");

    input_open(&r->in, argv[optind + 1]);
    output_open(&r->out, out_name, replace, r->in.mode);
    r->out.hex = (char)hex;
    if (r->out.terminal && !hex && !r->decrypt)
        die(USAGE, 0, "%s is a terminal: -x writes hexadecimal digits.", r->out.name);
    if (piece != NULL) run_pieces(r, piece);
    else if (seal != NULL) run_sealed(r, seal);
    else if (xts) run_xts(r);
    else run_cmac(r);
    output_done(&r->out);
    return DONE;
}
