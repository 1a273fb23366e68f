// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The traits of the newer generation: code that is generic over them takes our types and those of RustCrypto alike, and ARIA
//! gives the same bytes in both.

use crate::Draw;
use aead_0_6::inout::InOutBuf;
use aead_0_6::{Aead, AeadInOut, KeyInit, Payload};
use cipher_0_5::block_padding::Pkcs7;
use cipher_0_5::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, IvState, KeyIvInit,
    StreamCipher, StreamCipherSeek,
};
use cmac::Mac;
use haechi::*;

const LENGTHS: [usize; 14] = [0, 1, 7, 15, 16, 17, 255, 256, 1000, 1023, 1024, 1025, 1041, 4111];

/// A block cipher as most code takes it. The blocks go one by one, in the batches of the traits, and apart.
fn blocks<C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let cipher = C::new_from_slice(key).unwrap();
    let size = C::block_size();
    let mut blocks: Vec<Block<C>> = text.chunks_exact(size).map(|b| b.try_into().unwrap()).collect();
    let (plain, mut apart) = (blocks.clone(), vec![Block::<C>::default(); blocks.len()]);
    cipher.encrypt_blocks(&mut blocks);
    for (plain, block) in plain.iter().zip(&blocks) {
        let mut one = plain.clone();
        cipher.encrypt_block(&mut one);
        assert_eq!(one, *block);
    }
    cipher.encrypt_blocks_b2b(&plain, &mut apart).unwrap();
    assert_eq!(apart, blocks);
    cipher.decrypt_blocks(&mut apart);
    assert_eq!(apart, plain);
    let mut one = blocks.first().cloned().unwrap_or_default();
    cipher.decrypt_block(&mut one);
    assert!(plain.first().is_none_or(|first| *first == one));
    blocks.concat()
}

#[test]
fn block_ciphers() {
    let mut draw = Draw(1);
    for count in [0, 1, 2, 63, 64, 65, 128, 200] {
        let (key, text) = (draw.bytes(32), draw.bytes(16 * count));
        assert_eq!(blocks::<Aria128>(&key[..16], &text), blocks::<aria::Aria128>(&key[..16], &text));
        assert_eq!(blocks::<Aria192>(&key[..24], &text), blocks::<aria::Aria192>(&key[..24], &text));
        assert_eq!(blocks::<Aria256>(&key, &text), blocks::<aria::Aria256>(&key, &text));
        // Their shape is that of AES.
        for (one, two) in [
            (blocks::<aes::Aes128>(&key[..16], &text), blocks::<Lea128>(&key[..16], &text)),
            (blocks::<aes::Aes256>(&key, &text), blocks::<Lea256>(&key, &text)),
            (blocks::<aes::Aes128>(&key[..16], &text), blocks::<Hight>(&key[..16], &text)),
        ] {
            assert_eq!(one.len(), two.len());
            assert!(one != two || count == 0);
        }
    }
}

fn stream<S: KeyIvInit + StreamCipher + StreamCipherSeek>(
    key: &[u8],
    iv: &[u8],
    text: &[u8],
    draw: &mut Draw,
) -> Vec<u8> {
    let (mut stream, mut out) = (S::new_from_slices(key, iv).unwrap(), text.to_vec());
    let cut = draw.below(text.len() + 1);
    stream.apply_keystream(&mut out[..cut]);
    assert_eq!(stream.current_pos::<usize>(), cut);
    stream.apply_keystream_b2b(&text[cut..], &mut out[cut..]);
    assert_eq!(stream.current_pos::<u64>(), text.len() as u64);
    stream.seek(cut);
    assert_eq!(stream.current_pos::<u32>(), cut as u32);
    let mut rest = text[cut..].to_vec();
    stream.apply_keystream(&mut rest);
    assert_eq!(rest, out[cut..]);
    let mut key_stream = vec![9; text.len()];
    stream.seek(0u32);
    stream.write_keystream(&mut key_stream);
    assert!(key_stream.iter().zip(text).zip(&out).all(|((k, t), o)| k ^ t == *o));
    out
}

#[test]
fn counter_mode() {
    let mut draw = Draw(2);
    for length in LENGTHS {
        let (key, text) = (draw.bytes(32), draw.bytes(length));
        for iv in [draw.array(), [0xff; 16], [&[1; 14][..], &[0xff; 2]].concat().try_into().unwrap()] {
            let ours = stream::<CtrStream<algorithm::Aria256>>(&key, &iv, &text, &mut draw);
            assert_eq!(ours, stream::<ctr::Ctr128BE<aria::Aria256>>(&key, &iv, &text, &mut draw));
            assert_eq!(ours, stream::<ctr::Ctr128BE<Aria256>>(&key, &iv, &text, &mut draw));
            stream::<ctr::Ctr128BE<aes::Aes256>>(&key, &iv, &text, &mut draw);
            let ours = stream::<CtrStream<algorithm::Hight>>(&key[..16], &iv[..8], &text, &mut draw);
            assert_eq!(ours, stream::<ctr::Ctr64BE<Hight>>(&key[..16], &iv[..8], &text, &mut draw));
        }
    }
}

/// CBC with padding, as protocols use it.
fn padded<E: KeyIvInit + BlockModeEncrypt, D: KeyIvInit + BlockModeDecrypt>(
    key: &[u8],
    iv: &[u8],
    text: &[u8],
) -> Vec<u8> {
    let sealed = E::new_from_slices(key, iv).unwrap().encrypt_padded_vec::<Pkcs7>(text);
    let opened = D::new_from_slices(key, iv).unwrap().decrypt_padded_vec::<Pkcs7>(&sealed).unwrap();
    assert_eq!(opened, text);
    sealed
}

#[test]
fn cipher_block_chaining() {
    let mut draw = Draw(3);
    for length in LENGTHS {
        let (key, iv, text) = (draw.bytes(24), draw.bytes(16), draw.bytes(length));
        type A = algorithm::Aria192;
        let ours = padded::<CbcEncryptor<A>, CbcDecryptor<A>>(&key, &iv, &text);
        assert_eq!(ours, padded::<cbc::Encryptor<aria::Aria192>, cbc::Decryptor<aria::Aria192>>(&key, &iv, &text));
        assert_eq!(ours, padded::<cbc::Encryptor<Aria192>, cbc::Decryptor<Aria192>>(&key, &iv, &text));
        let mut chain = <CbcEncryptor<A> as KeyIvInit>::new_from_slices(&key, &iv).unwrap();
        let mut first = [text.as_slice(), &[0; 16]].concat()[..16].to_vec();
        chain.encrypt(&mut first).unwrap();
        assert_eq!(chain.iv_state()[..], first);
    }
}

fn mac<M: Mac + KeyInit + Clone + cmac::digest::FixedOutputReset>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).unwrap();
    text.chunks(7).for_each(|part| Mac::update(&mut mac, part));
    let tag = mac.clone().finalize().into_bytes();
    mac.clone().verify_slice(&tag).unwrap();
    mac.clone().verify_truncated_left(&tag[..4]).unwrap();
    assert!(mac.clone().chain_update(b"more").verify(&tag).is_err());
    assert_eq!(mac.finalize_reset().into_bytes(), tag);
    Mac::update(&mut mac, text);
    assert_eq!(mac.finalize_reset().into_bytes(), tag, "after a reset");
    tag.to_vec()
}

#[test]
fn macs() {
    let mut draw = Draw(4);
    for length in LENGTHS {
        let (key, text) = (draw.bytes(32), draw.bytes(length));
        let ours = mac::<Cmac<algorithm::Aria256>>(&key, &text);
        assert_eq!(ours, mac::<cmac::Cmac<aria::Aria256>>(&key, &text));
        assert_eq!(ours, mac::<cmac::Cmac<Aria256>>(&key, &text));
        assert_eq!(mac::<Cmac<algorithm::Hight>>(&key[..16], &text), mac::<cmac::Cmac<Hight>>(&key[..16], &text));
        mac::<cmac::Cmac<aes::Aes256>>(&key, &text);
    }
}

/// A program that takes any AEAD.
fn seal<C: Aead + AeadInOut + KeyInit>(key: &[u8], nonce: &[u8], aad: &[u8], text: &[u8]) -> Vec<u8> {
    let aead = C::new_from_slice(key).unwrap();
    let nonce = nonce.try_into().unwrap();
    let mut sealed = aead.encrypt(nonce, Payload { msg: text, aad }).unwrap();
    assert_eq!(aead.decrypt(nonce, Payload { msg: &sealed, aad }).unwrap(), text);
    let mut buffer = text.to_vec();
    aead.encrypt_in_place(nonce, aad, &mut buffer).unwrap();
    assert_eq!(buffer, sealed);
    let (body, tag) = sealed.split_at_mut(text.len());
    let tag: aead_0_6::Tag<C> = (&*tag).try_into().unwrap();
    let mut wrong = tag.clone();
    wrong[0] ^= 1;
    let mut copy = body.to_vec();
    aead.decrypt_inout_detached(nonce, aad, copy.as_mut_slice().into(), &wrong).unwrap_err();
    assert!(text.is_empty() || copy != text, "no plaintext that failed its tag");
    aead.decrypt_inout_detached(nonce, aad, InOutBuf::new(body, &mut copy).unwrap(), &tag).unwrap();
    assert_eq!(copy, text);
    sealed
}

#[test]
fn aeads() {
    use typenum::{U7, U8, U12, U16};
    let mut draw = Draw(5);
    for length in LENGTHS {
        let (key, nonce, text) = (draw.bytes(32), draw.bytes(16), draw.bytes(length));
        let aad_length = draw.below(100);
        let aad = draw.bytes(aad_length);
        let (short, twelve) = (&key[..16], &nonce[..12]);
        assert_eq!(
            seal::<Aria128Gcm>(short, twelve, &aad, &text),
            seal::<aes_gcm::AesGcm<aria::Aria128, U12>>(short, twelve, &aad, &text)
        );
        assert_eq!(
            seal::<Gcm<algorithm::Aria256, U16>>(&key, &nonce, &aad, &text),
            seal::<aes_gcm::AesGcm<aria::Aria256, U16>>(&key, &nonce, &aad, &text)
        );
        assert_eq!(
            seal::<Aria128Ccm>(short, twelve, &aad, &text),
            seal::<ccm::Ccm<aria::Aria128, U16, U12>>(short, twelve, &aad, &text)
        );
        assert_eq!(
            seal::<Ccm<algorithm::Aria192, U7, U8>>(&key[..24], &nonce[..7], &aad, &text),
            seal::<ccm::Ccm<aria::Aria192, U8, U7>>(&key[..24], &nonce[..7], &aad, &text)
        );
        assert_eq!(
            seal::<Aria256Eax>(&key, &nonce, &aad, &text),
            seal::<eax::Eax<aria::Aria256>>(&key, &nonce, &aad, &text)
        );
        // Modes of RustCrypto over our ciphers.
        assert_eq!(
            seal::<Lea128Gcm>(short, twelve, &aad, &text),
            seal::<aes_gcm::AesGcm<Lea128, U12>>(short, twelve, &aad, &text)
        );
        assert_eq!(seal::<HightEax>(short, &nonce[..8], &aad, &text).len(), length + 8);
        seal::<aes_gcm::Aes128Gcm>(short, twelve, &aad, &text);
    }
}
