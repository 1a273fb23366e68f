// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measures this crate beside RustCrypto's: speed ROUNDS MILLISECONDS BYTES[,BYTES...]
//!
//! For each way of use and each length, all sides take turns in each of so many rounds. In its turn a side works through messages of that
//! length for about so many milliseconds of CPU time. Prints lines of: way, algorithm, side, bytes, and the median of the rounds in
//! millions of bytes a second of CPU time.

use aes_gcm::AesGcm;
use cipher_0_5::{Block, BlockCipherEncrypt, InnerIvInit, KeyInit, StreamCipher};
use haechi::aead_0_6::AeadInOut;
use haechi::{Algorithm, CtrStream, EncryptKey};
use std::hint::black_box;
use typenum::U12;

/// Seconds of CPU time of this process.
fn cpu() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is there.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// One algorithm of one side. Its function works through a message, the number of which makes a nonce.
struct Side {
    algorithm: &'static str,
    side: &'static str,
    run: Box<dyn Fn(&mut [u8], u64)>,
}

const OURS: &str = "haechi";
const THEIRS: &str = "RustCrypto";
/// A mode of RustCrypto over a cipher of this crate.
const BOTH: &str = "RustCrypto over haechi";

fn side(algorithm: &'static str, side: &'static str, run: impl Fn(&mut [u8], u64) + 'static) -> Side {
    Side { algorithm, side, run: Box::new(run) }
}

/// An IV that differs for each message.
fn iv<const N: usize>(number: u64) -> [u8; N] {
    core::array::from_fn(|i| if i < 8 { (number >> (8 * i)) as u8 } else { 0 })
}

/// Whole blocks through the trait for block ciphers.
fn blocks<C: BlockCipherEncrypt + KeyInit + 'static>(algorithm: &'static str, name: &'static str) -> Side {
    let cipher = C::new_from_slice(&[7; 16]).unwrap();
    side(algorithm, name, move |text, _| {
        // The array of bytes that a block is has no alignment of its own.
        let (blocks, rest) = Block::<C>::slice_as_chunks_mut(text);
        assert!(rest.is_empty());
        cipher.encrypt_blocks(blocks);
    })
}

/// CTR with a key that stays and an IV for each message, by RustCrypto's loop over blocks.
fn generic_ctr<C: BlockCipherEncrypt<BlockSize = typenum::U16> + KeyInit + 'static>(
    algorithm: &'static str,
    name: &'static str,
) -> Side {
    let cipher = C::new_from_slice(&[7; 16]).unwrap();
    side(algorithm, name, move |text, number| {
        ctr::Ctr128BE::from_core(ctr::CtrCore::inner_iv_init(&cipher, &iv::<16>(number).into())).apply_keystream(text);
    })
}

fn our_ctr<A: Algorithm>(algorithm: &'static str) -> Side {
    let key = EncryptKey::<A>::from_key(&[7; 16]).unwrap();
    side(algorithm, OURS, move |text, number| {
        let mut stream = CtrStream::new(key.share(), &iv::<16>(number)[..A::BLOCK_SIZE]).unwrap();
        stream.apply(text).unwrap();
    })
}

/// Sealing in place, with a nonce for each message.
fn gcm<C: AeadInOut<NonceSize = U12> + KeyInit + 'static>(algorithm: &'static str, name: &'static str) -> Side {
    let aead = C::new_from_slice(&[7; 16]).unwrap();
    side(algorithm, name, move |text, number| {
        black_box(aead.encrypt_inout_detached(&iv::<12>(number).into(), b"", text.into()).unwrap());
    })
}

fn ways() -> Vec<(&'static str, Vec<Side>)> {
    use haechi::algorithm as ours;
    vec![
        (
            "ctr",
            vec![
                generic_ctr::<aes::Aes128>("AES-128", THEIRS),
                generic_ctr::<aria::Aria128>("ARIA-128", THEIRS),
                generic_ctr::<haechi::Aria128>("ARIA-128", BOTH),
                our_ctr::<ours::Aria128>("ARIA-128"),
                generic_ctr::<haechi::Lea128>("LEA-128", BOTH),
                our_ctr::<ours::Lea128>("LEA-128"),
                our_ctr::<ours::Hight>("HIGHT"),
            ],
        ),
        (
            "gcm",
            vec![
                gcm::<aes_gcm::Aes128Gcm>("AES-128", THEIRS),
                gcm::<AesGcm<aria::Aria128, U12>>("ARIA-128", THEIRS),
                gcm::<AesGcm<haechi::Aria128, U12>>("ARIA-128", BOTH),
                gcm::<haechi::Aria128Gcm>("ARIA-128", OURS),
                gcm::<haechi::Lea128Gcm>("LEA-128", OURS),
            ],
        ),
        (
            "blocks",
            vec![
                blocks::<aes::Aes128>("AES-128", THEIRS),
                blocks::<aria::Aria128>("ARIA-128", THEIRS),
                blocks::<haechi::Aria128>("ARIA-128", OURS),
                blocks::<haechi::Lea128>("LEA-128", OURS),
                blocks::<haechi::Hight>("HIGHT", OURS),
            ],
        ),
    ]
}

/// Millions of bytes a second, over at least so many seconds of CPU time.
fn measure(side: &Side, text: &mut [u8], seconds: f64) -> f64 {
    // The clock costs as much as many short messages, so that it is asked only now and then.
    let (before, mut done, mut batch) = (cpu(), 0, 1);
    loop {
        for _ in 0..batch {
            (side.run)(black_box(text), done);
            done += 1;
        }
        let took = cpu() - before;
        if took >= seconds {
            return (done as usize * text.len()) as f64 / took / 1e6;
        }
        batch = (2 * batch).min(1 << 20);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, rounds, milliseconds, sizes] = &words[..] else {
        panic!("usage: speed ROUNDS MILLISECONDS BYTES[,BYTES...]")
    };
    let (rounds, seconds) = (rounds.parse::<usize>().unwrap(), milliseconds.parse::<f64>().unwrap() / 1e3);
    for (way, sides) in ways() {
        for size in sizes.split(',').map(|word| word.parse::<usize>().unwrap()) {
            let (mut text, mut found) = (vec![1; size], vec![Vec::new(); sides.len()]);
            for _ in 0..rounds {
                for (side, speeds) in sides.iter().zip(&mut found) {
                    speeds.push(measure(side, &mut text, seconds));
                }
            }
            for (side, mut speeds) in sides.iter().zip(found) {
                speeds.sort_by(f64::total_cmp);
                println!("{way};{};{};{size};{:.2}", side.algorithm, side.side, speeds[rounds / 2]);
            }
        }
    }
}
