// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The traits of the older generation, in the same way.

use crate::Draw;
use aead_0_5::{AeadInPlace, KeyInit, aead::Aead, aead::Payload};
use aes_gcm_0_10 as aead_0_5;
use aria_0_1 as aria;
use cipher_0_4::block_padding::Pkcs7;
use cipher_0_4::{
    Block, BlockDecrypt, BlockDecryptMut, BlockEncrypt, BlockEncryptMut, KeyIvInit, StreamCipher, StreamCipherSeek,
};
use ctr_0_9 as ctr;
use haechi::digest_0_10::{FixedOutputReset, Mac};
use haechi::*;

fn blocks<C: BlockEncrypt + BlockDecrypt + KeyInit>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let cipher = C::new_from_slice(key).unwrap();
    let mut blocks: Vec<_> = text.chunks_exact(C::block_size()).map(Block::<C>::clone_from_slice).collect();
    let plain = blocks.clone();
    cipher.encrypt_blocks(&mut blocks);
    let sealed = blocks.concat();
    for (plain, block) in plain.iter().zip(&blocks) {
        let mut one = Block::<C>::default();
        cipher.encrypt_block_b2b(plain, &mut one);
        assert_eq!(one, *block);
    }
    cipher.decrypt_blocks(&mut blocks);
    assert_eq!(blocks, plain);
    sealed
}

fn stream<S: KeyIvInit + StreamCipher + StreamCipherSeek>(key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    let (mut stream, mut out) = (S::new_from_slices(key, iv).unwrap(), text.to_vec());
    for (i, part) in out.chunks_mut(37).enumerate() {
        assert_eq!(stream.current_pos::<usize>(), 37 * i);
        stream.apply_keystream(part);
    }
    for at in [0, 5, 16, text.len()] {
        let at = at.min(text.len());
        stream.seek(at);
        assert_eq!(stream.current_pos::<usize>(), at);
        let mut rest = text[at..].to_vec();
        stream.apply_keystream(&mut rest);
        assert_eq!(rest, out[at..]);
    }
    out
}

fn seal<C: Aead + AeadInPlace + KeyInit>(key: &[u8], nonce: &[u8], aad: &[u8], text: &[u8]) -> Vec<u8> {
    let aead = C::new_from_slice(key).unwrap();
    let nonce = nonce.into();
    let mut sealed = aead.encrypt(nonce, Payload { msg: text, aad }).unwrap();
    assert_eq!(aead.decrypt(nonce, Payload { msg: &sealed, aad }).unwrap(), text);
    sealed[0] ^= 1;
    assert!(aead.decrypt(nonce, Payload { msg: &sealed, aad }).is_err());
    sealed[0] ^= 1;
    sealed
}

#[test]
fn older_traits() {
    let mut draw = Draw(6);
    for length in [0, 1, 15, 16, 17, 1023, 1024, 1040, 2500] {
        let (key, iv, text, aad) = (draw.bytes(32), draw.bytes(16), draw.bytes(length), draw.bytes(20));
        assert_eq!(blocks::<Aria256>(&key, &text), blocks::<aria::Aria256>(&key, &text));
        blocks::<Hight>(&key[..16], &text);
        assert_eq!(
            stream::<CtrStream<algorithm::Aria256>>(&key, &iv, &text),
            stream::<ctr::Ctr128BE<aria::Aria256>>(&key, &iv, &text)
        );
        assert_eq!(
            stream::<CtrStream<algorithm::Hight>>(&key[..16], &iv[..8], &text),
            stream::<ctr::Ctr64BE<Hight>>(&key[..16], &iv[..8], &text)
        );
        assert_eq!(
            seal::<Aria256Gcm>(&key, &iv[..12], &aad, &text),
            seal::<aead_0_5::AesGcm<aria::Aria256, typenum::U12>>(&key, &iv[..12], &aad, &text)
        );
        seal::<aead_0_5::Aes256Gcm>(&key, &iv[..12], &aad, &text);

        type A = algorithm::Aria128;
        let sealed = <CbcEncryptor<A> as KeyIvInit>::new_from_slices(&key[..16], &iv).unwrap();
        let sealed = sealed.encrypt_padded_vec_mut::<Pkcs7>(&text);
        let opened = <CbcDecryptor<A> as KeyIvInit>::new_from_slices(&key[..16], &iv).unwrap();
        assert_eq!(opened.decrypt_padded_vec_mut::<Pkcs7>(&sealed).unwrap(), text);
        let mut newer = text.clone();
        newer.resize(sealed.len(), (sealed.len() - length) as u8);
        CbcEncryptor::<A>::new(EncryptKey::from_key(&key[..16]).unwrap(), &iv).unwrap().encrypt(&mut newer).unwrap();
        assert_eq!(newer, sealed);

        fn mac<M: Mac + KeyInit + FixedOutputReset>(key: &[u8], text: &[u8]) -> Vec<u8> {
            let mut mac = <M as Mac>::new_from_slice(key).unwrap();
            text.chunks(9).for_each(|part| Mac::update(&mut mac, part));
            mac.finalize_reset().into_bytes().to_vec()
        }
        let mut tag = [0; 16];
        let mut direct = Cmac::new(Aria256Enc::from_key(&key).unwrap());
        direct.update(&text).unwrap();
        direct.tag(&mut tag).unwrap();
        assert_eq!(mac::<Cmac<algorithm::Aria256>>(&key, &text), tag);
    }
}
