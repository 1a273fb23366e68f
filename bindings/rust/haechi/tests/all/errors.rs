// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bad input gets a clear error, and an output of zeros.

use haechi::jobs::{CmacJob, CtrJob, OpenJob, SealJob, cmac_jobs, ctr_jobs, open_jobs, seal_jobs};
use haechi::pieces::{Opener, Sealer, Sizes};
use haechi::*;

#[test]
fn keys_of_wrong_length() {
    for n in [0, 1, 15, 17, 24, 32, 33] {
        assert_eq!(Lea128Enc::from_key(&vec![0; n]).unwrap_err(), Error::Key);
        assert_eq!(HightDec::from_key(&vec![0; n]).unwrap_err(), Error::Key);
        assert_eq!(Aria128::from_key(&vec![0; n]).unwrap_err(), Error::Key);
        assert_eq!(Lea128Gcm::from_key(&vec![0; n]).unwrap_err(), Error::Key);
        let (key, mut text, mut tag) = (vec![0; n], [0; 3], [0; 16]);
        let job = SealJob::<algorithm::Lea128, GcmMode>::with_key(&key, &[0; 12], b"", &mut text, &mut tag);
        assert_eq!(job.unwrap_err(), Error::Key);
    }
    for n in [0, 16, 31, 33, 64] {
        assert_eq!(XtsEncryptor::<algorithm::Lea128>::from_key(&vec![0; n]).unwrap_err(), Error::Key);
    }
    assert_eq!(XtsDecryptor::<algorithm::Aria256>::from_key(&[7; 64]).unwrap_err(), Error::Key, "equal halves");
}

#[test]
fn texts_that_are_not_whole_blocks() {
    let (key, inverse) = (Aria128Enc::from_key(&[0; 16]).unwrap(), Aria128Dec::from_key(&[0; 16]).unwrap());
    let mut text = [1; 17];
    assert_eq!(key.ecb(&mut text), Err(Error::Length));
    assert_eq!(text, [0; 17]);
    text.fill(1);
    assert_eq!(CbcEncryptor::new(key.share(), &[0; 16]).unwrap().encrypt(&mut text), Err(Error::Length));
    assert_eq!(text, [0; 17]);
    assert_eq!(inverse.cbc_cts(&[0; 16], CbcCs::Cs3, &mut [1; 15]), Err(Error::Length));
    let xts = XtsEncryptor::<algorithm::Lea128>::from_key(&core::array::from_fn::<u8, 32, _>(|i| i as u8)).unwrap();
    assert_eq!(xts.encrypt(&[0; 16], &mut [1; 15]), Err(Error::Length));
}

#[test]
fn input_and_output_of_different_lengths() {
    let key = Lea256Enc::from_key(&[0; 32]).unwrap();
    for (input, output) in [(16, 32), (32, 16), (0, 16), (16, 0)] {
        let (source, mut target) = (vec![1; input], vec![2; output]);
        assert_eq!(key.ecb((&source[..], &mut target[..])), Err(Error::Length));
        assert_eq!(target, vec![0; output]);
        target.fill(2);
        let (aead, mut tag) = (Lea256Gcm::from_key(&[0; 32]).unwrap(), [3; 16]);
        assert_eq!(aead.seal(&[0; 12], b"", (&source[..], &mut target[..]), &mut tag), Err(Error::Length));
        assert!(target.iter().chain(&tag).all(|&byte| byte == 0));
        let job = OpenJob::<algorithm::Lea256, GcmMode>::with_aead(
            &aead,
            &[0; 12],
            b"",
            (&source[..], &mut target[..]),
            &tag,
        );
        assert_eq!(job.unwrap_err(), Error::Length);
    }
}

#[test]
fn ivs_of_wrong_length() {
    let (wide, narrow) = (Lea128Enc::from_key(&[0; 16]).unwrap(), HightEnc::from_key(&[0; 16]).unwrap());
    for n in [0, 8, 15, 17] {
        assert_eq!(CtrStream::new(wide.share(), &vec![0; n]).unwrap_err(), Error::Length);
        assert_eq!(CbcEncryptor::new(wide.share(), &vec![0; n]).unwrap_err(), Error::Length);
        assert_eq!(wide.cfb1_encrypt(&mut vec![0; n], &mut [0; 1], 3), Err(Error::Length));
        assert_eq!(wide.cbc_cts(&vec![0; n], CbcCs::Cs1, &mut [0; 32]), Err(Error::Length));
    }
    for n in [0, 7, 9, 16] {
        assert_eq!(OfbStream::new(narrow.share(), &vec![0; n]).unwrap_err(), Error::Length);
    }
}

#[test]
fn bits_that_a_text_does_not_have() {
    let key = HightEnc::from_key(&[0; 16]).unwrap();
    for (bits, len, right) in
        [(0, 0, true), (1, 1, true), (8, 1, true), (9, 2, true), (9, 1, false), (8, 2, false), (0, 1, false)]
    {
        let mut text = vec![0xff; len];
        assert_eq!(key.cfb1_encrypt(&mut [0; 8], &mut text, bits).is_ok(), right, "{bits} bits in {len}");
        if right && bits % 8 != 0 {
            assert_eq!(text[len - 1] & (0xff >> (bits % 8)), 0, "unused bits");
        }
        let iv = &mut [0; 8];
        if right {
            key.cfb1_decrypt(iv, &mut text, bits).unwrap();
            assert!((0..bits).all(|i| text[i / 8] & (0x80 >> (i % 8)) != 0));
        }
    }
}

#[test]
fn forgeries() {
    let aeads = (
        Aria256Gcm::from_key(&[0; 32]).unwrap(),
        Aria256Ccm::from_key(&[0; 32]).unwrap(),
        HightEax::from_key(&[0; 16]).unwrap(),
    );
    macro_rules! forged {
        ($aead:expr, $tag:literal) => {
            let (mut text, mut tag, nonce) = ([5; 100], [0; $tag], [1; 12]);
            $aead.seal(&nonce, b"header", &mut text, &mut tag).unwrap();
            tag[$tag - 1] ^= 0x80;
            let sealed = text;
            assert_eq!($aead.open(&nonce, b"header", &mut text, &tag), Err(Error::Forged));
            assert_eq!(text, [0; 100]);
            tag[$tag - 1] ^= 0x80;
            text = sealed;
            assert_eq!($aead.open(&nonce, b"headed", &mut text, &tag), Err(Error::Forged));
            assert_eq!(text, [0; 100]);
            text = sealed;
            $aead.open(&nonce, b"header", &mut text, &tag).unwrap();
            assert_eq!(text, [5; 100]);
        };
    }
    forged!(aeads.0, 16);
    forged!(aeads.1, 16);
    forged!(aeads.2, 8);
    for (nonce, tag) in [(0, 16), (12, 3), (12, 17), (12, 5)] {
        let (mut text, mut room) = ([5; 10], vec![9; tag]);
        assert_eq!(aeads.0.seal(&vec![0; nonce], b"", &mut text, &mut room), Err(Error::Length));
        assert!(text.iter().chain(&room).all(|&byte| byte == 0));
    }
    assert_eq!(aeads.1.seal(&[0; 14], b"", &mut [0; 1], &mut [0; 16]), Err(Error::Length));
}

#[test]
fn pieces_out_of_order() {
    let aead = Lea128Ccm::from_key(&[0; 16]).unwrap();
    assert_eq!(Sealer::new(&aead, &[0; 12], Sizes::LATER).unwrap_err(), Error::Length, "CCM must know the tag");
    let sizes = Sizes { aad: 3, text: 4, tag: Some(16) };
    let mut sealer = Sealer::new(&aead, &[0; 12], sizes).unwrap();
    sealer.aad(b"abc").unwrap();
    sealer.encrypt(&mut [0; 3]).unwrap();
    let mut more = [9; 2];
    assert_eq!(sealer.encrypt(&mut more), Err(Error::Limit));
    assert_eq!(more, [0; 2]);
    assert_eq!(sealer.tag(&mut [0; 16]), Err(Error::Use), "an error ends the message");
    let aead = Lea128Gcm::from_key(&[0; 16]).unwrap();
    let mut opener = Opener::new(&aead, &[0; 12], Sizes::LATER).unwrap();
    opener.decrypt_unverified(&mut [0; 5]).unwrap();
    assert_eq!(opener.aad(b"too late"), Err(Error::Use));
    assert_eq!(Opener::new(&aead, &[0; 12], Sizes::LATER).unwrap().verify(&[0; 16]), Err(Error::Forged));
}

#[test]
fn wrapped_keys() {
    let (key, inverse) = (Aria128Enc::from_key(&[0; 16]).unwrap(), Aria128Dec::from_key(&[0; 16]).unwrap());
    for n in [16, 24, 32, 400] {
        let (secret, mut wrapped, mut back) = (vec![6; n], vec![0; n + 8], vec![1; n]);
        key.kw_wrap(&secret, &mut wrapped).unwrap();
        inverse.kw_unwrap(&wrapped, &mut back).unwrap();
        assert_eq!(back, secret);
        wrapped[3] ^= 1;
        assert_eq!(inverse.kw_unwrap(&wrapped, &mut back), Err(Error::Forged));
        assert_eq!(back, vec![0; n]);
        assert_eq!(key.kw_wrap(&secret, &mut back), Err(Error::Length));
        assert_eq!(inverse.kw_unwrap(&secret, &mut wrapped), Err(Error::Length));
    }
    for n in [1, 7, 8, 9, 16, 31, 100] {
        let (secret, mut wrapped) = (vec![6; n], vec![0; kwp_size(n)]);
        let mut back = vec![1; wrapped.len() - 8];
        key.kwp_wrap(&secret, &mut wrapped).unwrap();
        assert_eq!(inverse.kwp_unwrap(&wrapped, &mut back), Ok(n));
        assert_eq!(back[..n], secret);
        wrapped[0] ^= 1;
        assert_eq!(inverse.kwp_unwrap(&wrapped, &mut back), Err(Error::Forged));
        assert!(back.iter().all(|&byte| byte == 0));
    }
    assert_eq!(key.kw_wrap(&[0; 20], &mut [0; 28]), Err(Error::Length));
    assert_eq!(key.kwp_wrap(&[], &mut [0; 8]), Err(Error::Length));
    assert_eq!(inverse.kw_unwrap(&[0; 7], &mut []), Err(Error::Length));
}

#[test]
fn secrets_are_compared() {
    assert_eq!(verify(b"same", b"same"), Ok(()));
    assert_eq!(verify(b"same", b"sane"), Err(Error::Forged));
    assert_eq!(verify(b"same", b"sam"), Err(Error::Length));
    assert_eq!(verify(b"", b""), Err(Error::Forged));
    let key = Lea128Enc::from_key(&[0; 16]).unwrap();
    for n in [0, 3, 17] {
        assert_eq!(Cmac::new(key.share()).verify(&vec![0; n]), Err(Error::Length));
        assert_eq!(CmacKey::new(key.share()).verify(b"", &vec![0; n]), Err(Error::Length));
    }
    assert_eq!(Cmac::new(key.share()).verify(&[0; 4]), Err(Error::Forged));
    assert_eq!(CmacKey::new(key.share()).verify(b"", &[0; 4]), Err(Error::Forged));
}

#[test]
fn no_jobs() {
    assert_eq!(seal_jobs::<algorithm::Lea128, GcmMode>(&mut []), Ok(()));
    assert_eq!(open_jobs::<algorithm::Hight, EaxMode>(&mut []), Ok(()));
    assert_eq!(ctr_jobs::<algorithm::Lea128>(&mut []), Ok(()));
    assert_eq!(cmac_jobs::<algorithm::Lea128>(&mut []), Ok(()));
}

#[test]
fn typed_jobs() {
    let (mut text, mut tag) = ([0; 3], [0; 17]);
    let ctr = |key: &[u8], counter: &[u8], text: &mut [u8]| {
        CtrJob::<algorithm::Lea128>::with_key(key, counter, text).map(|_| ())
    };
    assert_eq!(ctr(&[0; 15], &[0; 16], &mut text), Err(Error::Key));
    assert_eq!(ctr(&[0; 16], &[0; 15], &mut text), Err(Error::Length));
    assert_eq!(CmacJob::<algorithm::Hight>::with_key(&[0; 17], b"", &mut tag).map(|_| ()), Err(Error::Key));
    let mut jobs = [CmacJob::<algorithm::Hight>::with_key(&[0; 16], b"", &mut tag).unwrap()];
    assert_eq!(cmac_jobs(&mut jobs), Err(Error::Length));
    assert_eq!(jobs[0].result(), Err(Error::Length));
}
