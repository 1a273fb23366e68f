// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generators, by their own functions and by the traits of three editions of `rand_core`.

use haechi::*;

fn generator<A: Algorithm>(options: DrbgOptions) -> Drbg<'static, A> {
    let entropy: Vec<u8> = (0..A::KEY_SIZE + A::BLOCK_SIZE).map(|i| i as u8).collect();
    if options.no_derivation_function {
        Drbg::new(options, &entropy, b"", b"").unwrap()
    } else {
        Drbg::new(options, &entropy[..A::KEY_SIZE], &entropy[..A::KEY_SIZE / 2], b"test").unwrap()
    }
}

fn requests<A: Algorithm>() {
    Drbg::<A>::self_test().unwrap();
    let options = DrbgOptions { no_derivation_function: true, ..DrbgOptions::default() };
    let (mut one, mut two) = (generator::<A>(options), generator::<A>(options));
    let (mut a, mut b) = (vec![0; 2 * A::DRBG_REQUEST + 5], vec![0; 2 * A::DRBG_REQUEST + 5]);
    one.fill(&mut a).unwrap();
    b.chunks_mut(A::DRBG_REQUEST).for_each(|part| two.read(part, b"").unwrap());
    assert_eq!(a, b);
    assert_eq!(one.read(&mut a[..A::DRBG_REQUEST + 1], b""), Err(Error::Limit));
    assert!(a[..A::DRBG_REQUEST + 1].iter().all(|&byte| byte == 0));
    one.reseed(&vec![1; A::KEY_SIZE + A::BLOCK_SIZE], b"").unwrap();
    assert_eq!(one.reseed(&[1; 3], b""), Err(Error::Length));
    one.fill(&mut a[..16]).unwrap();
    two.fill(&mut b[..16]).unwrap();
    assert_ne!(a[..16], b[..16]);
    assert_eq!(Drbg::<A>::new(DrbgOptions::default(), &[0; 5], &[0; 5], b"").unwrap_err(), Error::Length);
}

#[test]
fn generators() {
    requests::<algorithm::Lea128>();
    requests::<algorithm::Lea192>();
    requests::<algorithm::Lea256>();
    requests::<algorithm::Hight>();
    requests::<algorithm::Aria128>();
    requests::<algorithm::Aria192>();
    requests::<algorithm::Aria256>();
}

#[test]
fn prediction_resistance() {
    let mut drbg =
        generator::<algorithm::Lea256>(DrbgOptions { prediction_resistance: true, ..DrbgOptions::default() });
    let mut out = [7; 10];
    assert_eq!(drbg.fill(&mut out), Err(Error::Reseed));
    assert_eq!(out, [0; 10]);
    drbg.reseed(&[3; 32], b"additional").unwrap();
    drbg.fill(&mut out).unwrap();
    assert_eq!(drbg.fill(&mut out), Err(Error::Reseed));

    // The second of two requests fails.
    drbg.reseed(&[4; 32], b"").unwrap();
    let mut long = vec![7; algorithm::Lea256::DRBG_REQUEST + 1];
    assert_eq!(drbg.fill(&mut long), Err(Error::Reseed));
    assert!(long.iter().all(|&byte| byte == 0));

    assert_eq!(rand_core_0_10::TryRng::try_next_u64(&mut drbg), Err(Error::Reseed));
    assert_eq!(rand_core_0_9::TryRngCore::try_next_u32(&mut drbg), Err(Error::Reseed));
    assert!(rand_core_0_6::RngCore::try_fill_bytes(&mut drbg, &mut out).is_err());
}

#[test]
fn traits_give_the_bytes_of_the_generator() {
    fn new(rng: &mut impl rand_core_0_10::CryptoRng, out: &mut [u8]) -> (u32, u64) {
        let numbers = (rng.next_u32(), rng.next_u64());
        rng.fill_bytes(out);
        numbers
    }
    fn middle(rng: &mut impl rand_core_0_9::CryptoRng, out: &mut [u8]) -> (u32, u64) {
        let numbers = (rng.next_u32(), rng.next_u64());
        rng.fill_bytes(out);
        numbers
    }
    fn old(rng: &mut (impl rand_core_0_6::CryptoRng + rand_core_0_6::RngCore), out: &mut [u8]) -> (u32, u64) {
        let numbers = (rng.next_u32(), rng.next_u64());
        rng.fill_bytes(out);
        numbers
    }
    type Kind = algorithm::Aria256;
    let mut plain = generator::<Kind>(DrbgOptions::default());
    let (mut four, mut eight, mut rest) = ([0; 4], [0; 8], [0; 99]);
    plain.fill(&mut four).unwrap();
    plain.fill(&mut eight).unwrap();
    plain.fill(&mut rest).unwrap();
    let wanted = ((u32::from_le_bytes(four), u64::from_le_bytes(eight)), rest);
    let mut out = [0; 99];
    let numbers = new(&mut rand_core_0_10::UnwrapErr(generator::<Kind>(DrbgOptions::default())), &mut out);
    assert_eq!((numbers, out), wanted);
    let numbers = middle(&mut rand_core_0_9::UnwrapErr(generator::<Kind>(DrbgOptions::default())), &mut out);
    assert_eq!((numbers, out), wanted);
    assert_eq!((old(&mut generator::<Kind>(DrbgOptions::default()), &mut out), out), wanted);
    let one = new(&mut rand_core_0_10::UnwrapErr(SystemRng), &mut out);
    assert_ne!(one, old(&mut SystemRng, &mut out));
}

#[test]
fn bytes_of_the_system() {
    let (mut a, mut b) = ([0; 100_000], [0; 100_000]);
    SystemRng.fill(&mut a).unwrap();
    SystemRng.reseed().unwrap();
    SystemRng.fill(&mut b).unwrap();
    assert_ne!(a, b);
    let ones: u32 = a.iter().map(|byte| byte.count_ones()).sum();
    // The number of ones has a standard deviation of 447 around 400,000.
    assert!(ones.abs_diff(400_000) < 5_000, "{ones}");
}
