// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Known answers, and random messages with the answers of the library, through the safe interface. A case is a line, as
//! test/core/runner.c of the repository describes it: cipher, mode, key, iv, in, out, aad, tag, in hexadecimal, - for an empty string.
//! There are more modes here: cfb64 and cfb64_d, cfb1 and cfb1_d with the number of bits in the place of aad, and a mode of authenticated
//! encryption with _forged, where opening out must be refused.

use haechi::jobs::{CmacJob, CtrJob, OpenJob, SealJob, cmac_jobs, ctr_jobs, open_jobs, seal_jobs};
use haechi::pieces::{Opener, Sealer, Sizes};
use haechi::*;
use typenum::{U12, U16};

struct Case<'c> {
    mode: &'c str,
    inverse: bool,
    key: Vec<u8>,
    iv: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
    aad: Vec<u8>,
    tag: Vec<u8>,
}

impl Case<'_> {
    fn bits(&self) -> usize {
        u32::from_be_bytes(self.aad[..].try_into().unwrap()) as usize
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return Vec::new();
    }
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// Runs a call in place and apart, at odd addresses, and compares what comes out.
fn both_ways(case: &Case, call: impl Fn(Text<'_>) -> Result<(), Error>) {
    for offset in 0..3 {
        let mut source = vec![0; offset];
        source.extend_from_slice(&case.input);
        let mut target = vec![0xaa; offset + 1 + case.input.len() + 1];
        let end = offset + 1 + case.input.len();
        call((&source[offset..], &mut target[offset + 1..end]).into()).unwrap();
        assert_eq!(target[offset + 1..end], case.out, "apart");
        assert_eq!((target[offset], target[end]), (0xaa, 0xaa), "around the output");
        assert_eq!(source[offset..], case.input, "input");
        call((&mut source[offset..]).into()).unwrap();
        assert_eq!(source[offset..], case.out, "in place");
    }
}

/// A stream, as a whole and in pieces.
fn stream<A: Algorithm, M: StreamMode<A>>(case: &Case, key: &EncryptKey<A>) {
    both_ways(case, |text| Stream::<A, M>::new(key.share(), &case.iv).unwrap().apply(text));
    for piece in [1, 7, 8, 17, 131] {
        let mut text = case.input.clone();
        let mut stream = Stream::<A, M>::new(key.share(), &case.iv).unwrap();
        text.chunks_mut(piece).for_each(|part| stream.apply(part).unwrap());
        assert_eq!(text, case.out, "in pieces of {piece}");
    }
}

fn cbc_cfb_and_so_on<A: Algorithm>(case: &Case) {
    if case.inverse {
        let key = DecryptKey::<A>::from_key(&case.key).unwrap();
        match case.mode {
            "ecb" => both_ways(case, |text| key.ecb(text)),
            "cbc" => both_ways(case, |text| CbcDecryptor::new(key.share(), &case.iv).unwrap().decrypt(text)),
            other => panic!("no mode {other}"),
        }
        return;
    }
    let key = EncryptKey::<A>::from_key(&case.key).unwrap();
    match case.mode {
        "ecb" => both_ways(case, |text| key.ecb(text)),
        "cbc" => both_ways(case, |text| CbcEncryptor::new(key.share(), &case.iv).unwrap().encrypt(text)),
        "ctr" => {
            stream::<A, Ctr>(case, &key);
            let (mut one, mut two) = (case.input.clone(), vec![0; case.input.len()]);
            let mut jobs = [
                CtrJob::<A>::with_key(&case.key, &case.iv, &mut one[..]).unwrap(),
                CtrJob::with_expanded(&key, &case.iv, (&case.input[..], &mut two[..])).unwrap(),
            ];
            assert_eq!(jobs[0].result(), Err(Error::Use));
            ctr_jobs(&mut jobs).unwrap();
            assert!(one == case.out && two == case.out);
        }
        "ofb" => stream::<A, Ofb>(case, &key),
        "cfb" => stream::<A, CfbEncrypt>(case, &key),
        "cfb_d" => stream::<A, CfbDecrypt>(case, &key),
        "cfb8" => stream::<A, Cfb8Encrypt>(case, &key),
        "cfb8_d" => stream::<A, Cfb8Decrypt>(case, &key),
        "cfb1" => both_ways(case, |text| key.cfb1_encrypt(&mut case.iv.clone(), text, case.bits())),
        "cfb1_d" => both_ways(case, |text| key.cfb1_decrypt(&mut case.iv.clone(), text, case.bits())),
        "cmac" => {
            for piece in [1, 7, 16, 4096] {
                let (mut mac, mut tag) = (Cmac::new(key.share()), vec![0; case.out.len()]);
                case.input.chunks(piece).for_each(|part| mac.update(part).unwrap());
                mac.clone().verify(&case.out).unwrap();
                mac.tag(&mut tag).unwrap();
                assert_eq!(tag, case.out);
            }
            let (mut one, mut two) = (vec![0; case.out.len()], vec![0; case.out.len()]);
            let kept = CmacKey::new(key.share());
            kept.verify(&case.input, &case.out).unwrap();
            kept.tag(&case.input, &mut one).unwrap();
            assert_eq!(one, case.out);
            let mut jobs = [
                CmacJob::<A>::with_key(&case.key, &case.input, &mut one).unwrap(),
                CmacJob::with_expanded(&key, &case.input, &mut two),
            ];
            cmac_jobs(&mut jobs).unwrap();
            assert!(one == case.out && two == case.out);
        }
        other => panic!("no mode {other}"),
    }
}

/// A length of tags that all modes of a cipher have.
type TagOf<A> = <A as Algorithm>::BlockSize;

fn aead<A: Algorithm, M: AeadMode<A>>(case: &Case) {
    // The lengths of the type are for RustCrypto's traits alone.
    aead_of(case, &Aead::<A, M, U12, TagOf<A>>::from_key(&case.key).unwrap());
}
fn aead_of<A: Algorithm, M: AeadMode<A>>(case: &Case, aead: &Aead<A, M, U12, TagOf<A>>) {
    let (nonce, aad) = (&case.iv[..], &case.aad[..]);
    if case.mode.ends_with("_forged") {
        let mut text = case.out.clone();
        assert_eq!(aead.open(nonce, aad, &mut text, &case.tag), Err(Error::Forged));
        assert!(text.iter().all(|&byte| byte == 0));
        return;
    }
    both_ways(case, |text| {
        let mut tag = vec![0; case.tag.len()];
        aead.seal(nonce, aad, text, &mut tag)?;
        assert_eq!(tag, case.tag);
        Ok(())
    });
    let mut text = case.out.clone();
    aead.open(nonce, aad, &mut text, &case.tag).unwrap();
    assert_eq!(text, case.input);

    // In pieces.
    let sizes = Sizes { aad: aad.len() as u64, text: text.len() as u64, tag: Some(case.tag.len()) };
    for piece in [1, 16, 100] {
        let mut sealer = Sealer::new(aead, nonce, sizes).unwrap();
        aad.chunks(piece).for_each(|part| sealer.aad(part).unwrap());
        text.chunks_mut(piece).for_each(|part| sealer.encrypt(part).unwrap());
        let mut tag = vec![0; case.tag.len()];
        sealer.tag(&mut tag).unwrap();
        assert_eq!((&text, &tag), (&case.out, &case.tag));
        let mut opener = Opener::new(aead, nonce, sizes).unwrap();
        aad.chunks(piece).for_each(|part| opener.aad(part).unwrap());
        text.chunks_mut(piece).for_each(|part| opener.decrypt_unverified(part).unwrap());
        opener.verify(&case.tag).unwrap();
        assert_eq!(text, case.input);
    }

    // Three jobs: with a key, with an expanded key, and one that is forged.
    let (mut one, mut two, mut tag_one, mut tag_two) = (text.clone(), text.clone(), case.tag.clone(), case.tag.clone());
    tag_one.fill(0);
    tag_two.fill(0);
    let mut jobs = [
        SealJob::<A, M>::with_key(&case.key, nonce, aad, &mut one, &mut tag_one).unwrap(),
        SealJob::with_aead(aead, nonce, aad, &mut two, &mut tag_two).unwrap(),
    ];
    assert_eq!(jobs[0].result(), Err(Error::Use));
    seal_jobs(&mut jobs).unwrap();
    assert!(jobs.iter().all(|job| job.result().is_ok()));
    assert!(one == case.out && two == case.out && tag_one == case.tag && tag_two == case.tag);
    tag_two[0] ^= 1;
    let mut jobs = [
        OpenJob::<A, M>::with_key(&case.key, nonce, aad, &mut one, &tag_one).unwrap(),
        OpenJob::with_aead(aead, nonce, aad, &mut two, &tag_two).unwrap(),
    ];
    assert_eq!(open_jobs(&mut jobs), Err(Error::Forged));
    assert_eq!((jobs[0].result(), jobs[1].result()), (Ok(()), Err(Error::Forged)));
    assert!(one == case.input && two.iter().all(|&byte| byte == 0));
}

/// The modes for blocks of 128 bits, and all others.
fn wide<A: Block128>(case: &Case) {
    match case.mode {
        "gcm" | "gcm_forged" => aead::<A, GcmMode>(case),
        "ccm" | "ccm_forged" => aead::<A, CcmMode>(case),
        "eax" => aead::<A, EaxMode>(case),
        "xts" => {
            let iv = case.iv[..].try_into().unwrap();
            if case.inverse {
                let xts = XtsDecryptor::<A>::from_key(&case.key).unwrap();
                both_ways(case, |text| xts.decrypt(iv, text));
            } else {
                let xts = XtsEncryptor::<A>::from_key(&case.key).unwrap();
                both_ways(case, |text| xts.encrypt(iv, text));
            }
        }
        "cfb64" => stream::<A, Cfb64Encrypt>(case, &EncryptKey::from_key(&case.key).unwrap()),
        "cfb64_d" => stream::<A, Cfb64Decrypt>(case, &EncryptKey::from_key(&case.key).unwrap()),
        _ => cbc_cfb_and_so_on::<A>(case),
    }
}

#[test]
#[ignore = "bindings/rust/test/test_rust.py names a file of cases in HAECHI_CASES"]
fn cases_of_a_file() {
    let text = std::fs::read_to_string(std::env::var("HAECHI_CASES").unwrap()).unwrap();
    for line in text.lines() {
        let fields: Vec<_> = line.split(' ').collect();
        let [name, mode, rest @ ..] = &fields[..] else { panic!("{line}") };
        let [key, iv, input, out, aad, tag] = [0, 1, 2, 3, 4, 5].map(|i| bytes(rest[i]));
        let (name, inverse) = (name.trim_end_matches("_inv"), name.ends_with("_inv"));
        let case = Case { mode, inverse, key, iv, input, out, aad, tag };
        let run = || match name {
            "lea128" => wide::<algorithm::Lea128>(&case),
            "lea192" => wide::<algorithm::Lea192>(&case),
            "lea256" => wide::<algorithm::Lea256>(&case),
            "aria128" => wide::<algorithm::Aria128>(&case),
            "aria192" => wide::<algorithm::Aria192>(&case),
            "aria256" => wide::<algorithm::Aria256>(&case),
            "hight" if *mode == "eax" => aead::<algorithm::Hight, EaxMode>(&case),
            "hight" => cbc_cfb_and_so_on::<algorithm::Hight>(&case),
            other => panic!("no cipher {other}"),
        };
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        assert!(done.is_ok(), "{line:.200}");
    }
    println!("{} cases", text.lines().count());
}

#[test]
fn hight_is_in_wire_order() {
    let key = bytes("00112233445566778899aabbccddeeff");
    let mut block = bytes("7766554433221100");
    HightEnc::from_key(&key).unwrap().ecb(&mut block).unwrap();
    assert_eq!(block, bytes("d8e643e5729fce23"));
    HightDec::from_key(&key).unwrap().ecb(&mut block).unwrap();
    assert_eq!(block, bytes("7766554433221100"));
}

/// RFC 8269 gives nonce and tag of GCM other lengths than the traits do; one type stands for both uses.
#[test]
fn lengths_of_the_type_do_not_bind_the_functions() {
    let aead = Gcm::<algorithm::Aria128, U12, U16>::from_key(&[1; 16]).unwrap();
    let (mut text, mut tag) = ([0; 20], [0; 8]);
    aead.seal(&[2; 9], b"", &mut text, &mut tag).unwrap();
    aead.open(&[2; 9], b"", &mut text, &tag).unwrap();
    assert_eq!(text, [0; 20]);
}
