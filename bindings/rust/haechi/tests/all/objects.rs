// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where keys stand, who may share them, and what streams do at their edges.

use crate::Draw;
use haechi::algorithm::Hight as AlgorithmHight;
use haechi::*;
use std::mem::ManuallyDrop;
use std::thread;

#[test]
fn objects_hold_no_keys() {
    // A key of HIGHT, the smallest, has 136 bytes of round keys.
    assert!(size_of::<HightEnc>() <= 3 * size_of::<usize>());
    assert!(size_of::<Lea128Gcm>() <= 3 * size_of::<usize>());
    assert!(size_of::<Drbg<AlgorithmHight>>() <= 3 * size_of::<usize>());
    assert!(size_of::<XtsEncryptor<algorithm::Lea128>>() <= 3 * size_of::<usize>());
}

#[test]
fn threads_share_keys() {
    fn both<T: Send + Sync>() {}
    both::<Lea128>();
    both::<CtrStream<AlgorithmHight>>();
    both::<Aria128Gcm>();
    both::<Drbg<AlgorithmHight>>();
    both::<Cmac<AlgorithmHight>>();
    both::<XtsEncryptor<algorithm::Aria192>>();
    both::<jobs::SealJob<algorithm::Lea128, GcmMode>>();
    both::<pieces::Opener<algorithm::Lea128, GcmMode, typenum::U12, typenum::U16>>();
    let aead = Lea128Gcm::from_key(&[1; 16]).unwrap();
    let seal = || {
        let (mut text, mut tag) = ([7; 1000], [0; 16]);
        aead.seal(&[2; 12], b"", &mut text, &mut tag).unwrap();
        (text, tag)
    };
    let wanted = seal();
    thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(|| (0..100).all(|_| seal() == wanted))).collect();
        assert!(running.into_iter().all(|thread| thread.join().unwrap()));
    });
}

#[test]
fn rooms_are_used_and_wiped() {
    fn is_zero<T>(room: &T) -> bool {
        // SAFETY: this looks at bytes of a room, all of which have been written.
        let bytes = unsafe { core::slice::from_raw_parts((&raw const *room).cast::<u8>(), size_of::<T>()) };
        bytes.iter().all(|&byte| byte == 0)
    }
    let mut room = KeyRoom::<algorithm::Lea192>::new();
    assert!(is_zero(&room));
    let mut text = [0; 16];
    {
        let key = EncryptKey::<algorithm::Lea192>::in_room(&mut room, &[1; 24]).unwrap();
        key.share().ecb(&mut text).unwrap();
        let moved = key;
        moved.clone().ecb(&mut text).unwrap();
    }
    assert!(is_zero(&room));
    assert_eq!(EncryptKey::<algorithm::Lea192>::in_room(&mut room, &[1; 23]).unwrap_err(), Error::Key);
    DecryptKey::<algorithm::Lea192>::in_room(&mut room, &[1; 24]).unwrap().ecb(&mut text).unwrap();
    assert!(is_zero(&room));
    Lea192Dec::from_key(&[1; 24]).unwrap().ecb(&mut text).unwrap();
    assert_eq!(text, [0; 16]);

    let mut rooms = [const { KeyRoom::<AlgorithmHight>::new() }; 2];
    let both = BlockCipher::<AlgorithmHight>::in_rooms(&mut rooms, &[3; 16]).unwrap();
    let mut text = [4; 64];
    both.encryption().ecb(&mut text).unwrap();
    both.decryption().ecb(&mut text).unwrap();
    assert_eq!(text, [4; 64]);
    drop(both);
    assert!(is_zero(&rooms));

    let (mut room, mut text, mut tag) = (AeadRoom::<AlgorithmHight>::new(), [5; 9], [0; 8]);
    Aead::<AlgorithmHight, EaxMode, typenum::U8, typenum::U8>::in_room(&mut room, &[1; 16])
        .unwrap()
        .seal(&[0; 8], b"", &mut text, &mut tag)
        .unwrap();
    assert!(is_zero(&room));
    HightEax::from_key(&[1; 16]).unwrap().open(&[0; 8], b"", &mut text, &tag).unwrap();
    assert_eq!(text, [5; 9]);

    let (mut room, key) = (XtsRoom::<algorithm::Aria128>::new(), core::array::from_fn::<u8, 32, _>(|i| i as u8));
    let mut sector = [1; 40];
    XtsEncryptor::<algorithm::Aria128>::in_room(&mut room, &key).unwrap().encrypt(&[9; 16], &mut sector).unwrap();
    assert!(is_zero(&room));
    XtsDecryptor::<algorithm::Aria128>::from_key(&key).unwrap().decrypt(&[9; 16], &mut sector).unwrap();
    assert_eq!(sector, [1; 40]);

    let mut room = DrbgRoom::new();
    let options = DrbgOptions::default();
    let mut one = Drbg::<algorithm::Aria128>::in_room(&mut room, options, &[1; 16], &[2; 8], b"").unwrap();
    let mut two = Drbg::<algorithm::Aria128>::new(options, &[1; 16], &[2; 8], b"").unwrap();
    let (mut a, mut b) = ([0; 50], [0; 50]);
    one.fill(&mut a).unwrap();
    two.fill(&mut b).unwrap();
    assert_eq!(a, b);
    drop(one);
    assert!(is_zero(&room));
}

/// Whether an object holds 8 successive bytes of a secret, while it lives and after it was dropped.
fn holds<T>(object: T, secret: &[u8]) -> (bool, bool) {
    let mut place = ManuallyDrop::new(object);
    let look = |place: &ManuallyDrop<T>| {
        let start = (&raw const *place).cast::<u8>();
        // SAFETY: the bytes are there; what they mean does not matter. Volatile reads stay although the object is gone.
        let bytes: Vec<u8> = (0..size_of::<T>()).map(|i| unsafe { start.add(i).read_volatile() }).collect();
        bytes.windows(8).any(|window| secret.windows(8).any(|wanted| wanted == window))
    };
    let before = look(&place);
    // SAFETY: it is dropped once.
    unsafe { ManuallyDrop::drop(&mut place) };
    (before, look(&place))
}

#[test]
fn states_are_wiped() {
    let key = Aria128Enc::from_key(&[1; 16]).unwrap();
    let mut key_stream = [7; 16];
    key.ecb(&mut key_stream).unwrap();
    let mut stream = CtrStream::new(key.share(), &[7; 16]).unwrap();
    stream.apply(&mut [0; 3]).unwrap();
    assert_eq!(holds(stream, &key_stream), (true, false));

    let aead = Aria128Gcm::from_key(&[1; 16]).unwrap();
    let mut mask = [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 1];
    key.ecb(&mut mask).unwrap();
    let begin = || pieces::Sealer::new(&aead, &[9; 12], pieces::Sizes::LATER).unwrap();
    assert_eq!(holds(begin(), &mask), (true, false));
    let opener = pieces::Opener::new(&aead, &[9; 12], pieces::Sizes::LATER).unwrap();
    assert_eq!(holds(opener, &mask), (true, false));

    // CMAC chains the encrypted first block into the second.
    let mut first = [3; 16];
    key.ecb(&mut first).unwrap();
    let mut mac = Cmac::new(key.share());
    mac.update(&[3; 16]).unwrap();
    mac.update(&[0; 1]).unwrap();
    assert_eq!(holds(mac, &first), (true, false));
}

/// A stream that is at any place, near the edges of blocks and where the counter carries or wraps, goes on as one that came there
/// byte by byte.
fn seeks<A: Algorithm>(key: &[u8]) {
    let (mut draw, n) = (Draw(7), A::BLOCK_SIZE);
    let key = EncryptKey::<A>::from_key(key).unwrap();
    for start in [vec![0; n], vec![0xff; n], [vec![1; n - 2], vec![0xff; 2]].concat()] {
        let mut whole = vec![0; 20_000];
        CtrStream::new(key.share(), &start).unwrap().apply(&mut whole).unwrap();
        let mut stream = CtrStream::new(key.share(), &start).unwrap();
        for _ in 0..300 {
            let at = [0, n - 1, n, n + 1, 256 * n - 1, 256 * n, 256 * n + 1, draw.below(15_000)][draw.below(8)];
            stream.seek(at as u128).unwrap();
            assert_eq!(stream.position(), at as u128);
            let len = draw.below(5000 - 300);
            let mut text = vec![0; len];
            stream.apply(&mut text).unwrap();
            assert_eq!(text, whole[at..at + len]);
            assert_eq!(stream.position(), (at + len) as u128, "from {at}");
        }
    }
}

#[test]
fn streams_seek() {
    seeks::<algorithm::Lea128>(&[1; 16]);
    seeks::<AlgorithmHight>(&[2; 16]);
    seeks::<algorithm::Aria256>(&[3; 32]);
}

#[test]
fn threads_within_a_call() {
    let (key, mut one, mut two) = (Aria192Enc::from_key(&[1; 24]).unwrap(), vec![1; 300_007], vec![1; 300_007]);
    CtrStream::new(key.share(), &[0xff; 16]).unwrap().apply(&mut one).unwrap();
    CtrStream::new(key.share(), &[0xff; 16]).unwrap().apply_threads(&mut two, 3).unwrap();
    assert_eq!(one, two);
    let (one, two) = (&mut one[..160_000], &mut two[..160_000]);
    key.ecb(&mut *one).unwrap();
    key.ecb_threads(&mut *two, 0).unwrap();
    assert_eq!(one, two);
    let _ = has_threads();
}

#[test]
fn names() {
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (algorithm::Lea256::NAME, algorithm::Lea256::KEY_SIZE, algorithm::Lea256::BLOCK_SIZE),
        ("LEA-256", 32, 16)
    );
    assert_eq!(AlgorithmHight::BLOCK_SIZE, 8);
    let key = Lea128Enc::from_key(&[0x5a; 16]).unwrap();
    assert!(key.kernel_name().starts_with("lea_"));
    let shown = format!(
        "{key:?} {:?} {:?}",
        Lea128Gcm::from_key(&[0x5a; 16]).unwrap(),
        CtrStream::new(key.share(), &[0x5a; 16]).unwrap()
    );
    assert!(shown.contains("LEA-128") && !shown.contains("90") && !shown.contains("5a"), "{shown}");
    assert!(Error::Forged.to_string().contains("not what was sealed"));
}

#[test]
fn limits_of_the_cpu() {
    let all = cpu::features();
    // Other tests run meanwhile. They get the same answers from slower kernels.
    cpu::limit(0);
    let (slow, none) = (Lea128Enc::from_key(&[9; 16]).unwrap(), cpu::features());
    cpu::limit(u32::MAX);
    assert_eq!((none, cpu::features()), (0, all));
    let fast = Lea128Enc::from_key(&[9; 16]).unwrap();
    let (mut one, mut two) = ([1; 4096], [1; 4096]);
    slow.ecb(&mut one).unwrap();
    fast.ecb(&mut two).unwrap();
    assert_eq!(one, two);
    // Some builds have the portable kernels alone.
    if all & cpu::AVX2 != 0 && fast.kernel_name() != "lea_c" {
        assert_ne!(slow.kernel_name(), fast.kernel_name());
    }
}
