// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

mod aead;
pub mod algorithm;
mod cmac;
mod error;
pub mod jobs;
mod key;
pub mod pieces;
mod place;
mod random;
mod stream;
mod text;
mod traits;
mod xts;

pub use aead::{Aead, AeadMode, AeadRoom, Ccm, CcmMode, Eax, EaxMode, Gcm, GcmMode};
pub use algorithm::{Algorithm, Block128};
pub use cmac::{Cmac, CmacKey};
pub use error::Error;
pub use key::{BlockCipher, CbcCs, DecryptKey, EncryptKey, KeyRoom, kwp_size};
pub use place::Room;
#[cfg(all(feature = "std", unix))]
pub use random::SystemRng;
pub use random::{Drbg, DrbgOptions, DrbgRoom};
pub use stream::{
    CbcDecryptor, CbcEncryptor, Cfb8Decrypt, Cfb8Decryptor, Cfb8Encrypt, Cfb8Encryptor, Cfb64Decrypt, Cfb64Decryptor,
    Cfb64Encrypt, Cfb64Encryptor, CfbDecrypt, CfbDecryptor, CfbEncrypt, CfbEncryptor, Ctr, CtrStream, Ofb, OfbStream,
    Stream, StreamMode,
};
pub use text::Text;
pub use xts::{XtsDecryptor, XtsEncryptor, XtsRoom};

pub use ::typenum;

#[cfg(feature = "aead-0-5")]
pub use ::aead_0_5;
#[cfg(feature = "aead-0-6")]
pub use ::aead_0_6;
#[cfg(feature = "cipher-0-4")]
pub use ::cipher_0_4;
#[cfg(feature = "cipher-0-5")]
pub use ::cipher_0_5;
#[cfg(feature = "digest-0-10")]
pub use ::digest_0_10;
#[cfg(feature = "digest-0-11")]
pub use ::digest_0_11;
#[cfg(feature = "rand-core-0-6")]
pub use ::rand_core_0_6;
#[cfg(feature = "rand-core-0-9")]
pub use ::rand_core_0_9;
#[cfg(feature = "rand-core-0-10")]
pub use ::rand_core_0_10;

/// The names of the ciphers with keys in boxes.
macro_rules! ciphers {
    ($($name:literal, $both:ident, $encrypt:ident, $decrypt:ident;)*) => { $(
        #[doc = concat!($name, " in both directions, with keys in boxes.")]
        pub type $both = BlockCipher<'static, algorithm::$both>;
        #[doc = concat!("A key of ", $name, " for encryption, in a box.")]
        pub type $encrypt = EncryptKey<'static, algorithm::$both>;
        #[doc = concat!("A key of ", $name, " for the decryption of blocks, in a box.")]
        pub type $decrypt = DecryptKey<'static, algorithm::$both>;
    )* };
}
ciphers! {
    "LEA-128", Lea128, Lea128Enc, Lea128Dec;
    "LEA-192", Lea192, Lea192Enc, Lea192Dec;
    "LEA-256", Lea256, Lea256Enc, Lea256Dec;
    "HIGHT", Hight, HightEnc, HightDec;
    "ARIA-128", Aria128, Aria128Enc, Aria128Dec;
    "ARIA-192", Aria192, Aria192Enc, Aria192Dec;
    "ARIA-256", Aria256, Aria256Enc, Aria256Dec;
}

/// The names of the AEADs with keys in boxes.
macro_rules! aeads {
    ($($name:literal, $type:ident, $mode:ident, $cipher:ident;)*) => { $(
        #[doc = concat!($name, ".")]
        pub type $type = $mode<algorithm::$cipher>;
    )* };
}
aeads! {
    "LEA-128-GCM with a nonce of 12 bytes and a tag of 16", Lea128Gcm, Gcm, Lea128;
    "LEA-192-GCM with a nonce of 12 bytes and a tag of 16", Lea192Gcm, Gcm, Lea192;
    "LEA-256-GCM with a nonce of 12 bytes and a tag of 16", Lea256Gcm, Gcm, Lea256;
    "ARIA-128-GCM with a nonce of 12 bytes and a tag of 16", Aria128Gcm, Gcm, Aria128;
    "ARIA-192-GCM with a nonce of 12 bytes and a tag of 16", Aria192Gcm, Gcm, Aria192;
    "ARIA-256-GCM with a nonce of 12 bytes and a tag of 16", Aria256Gcm, Gcm, Aria256;
    "LEA-128-CCM with a nonce of 12 bytes and a tag of 16", Lea128Ccm, Ccm, Lea128;
    "LEA-192-CCM with a nonce of 12 bytes and a tag of 16", Lea192Ccm, Ccm, Lea192;
    "LEA-256-CCM with a nonce of 12 bytes and a tag of 16", Lea256Ccm, Ccm, Lea256;
    "ARIA-128-CCM with a nonce of 12 bytes and a tag of 16", Aria128Ccm, Ccm, Aria128;
    "ARIA-192-CCM with a nonce of 12 bytes and a tag of 16", Aria192Ccm, Ccm, Aria192;
    "ARIA-256-CCM with a nonce of 12 bytes and a tag of 16", Aria256Ccm, Ccm, Aria256;
    "LEA-128-EAX with a nonce and a tag of 16 bytes", Lea128Eax, Eax, Lea128;
    "LEA-192-EAX with a nonce and a tag of 16 bytes", Lea192Eax, Eax, Lea192;
    "LEA-256-EAX with a nonce and a tag of 16 bytes", Lea256Eax, Eax, Lea256;
    "ARIA-128-EAX with a nonce and a tag of 16 bytes", Aria128Eax, Eax, Aria128;
    "ARIA-192-EAX with a nonce and a tag of 16 bytes", Aria192Eax, Eax, Aria192;
    "ARIA-256-EAX with a nonce and a tag of 16 bytes", Aria256Eax, Eax, Aria256;
    "HIGHT-EAX with a nonce and a tag of 8 bytes", HightEax, Eax, Hight;
}

/// The version of the C library, like `"0.1.0"`.
pub fn version() -> &'static str {
    // SAFETY: it is a constant of the library.
    let version = unsafe { core::ffi::CStr::from_ptr(haechi_sys::haechi_version()) };
    version.to_str().unwrap_or("?")
}

/// Whether two secrets are equal. The time depends on lengths alone.
///
/// # Errors
///
/// [`Error::Forged`]: they differ, or both are empty. [`Error::Length`]: they differ in length.
pub fn verify(a: &[u8], b: &[u8]) -> Result<(), Error> {
    error::equal(a.len(), b.len())?;
    // SAFETY: both have so many bytes.
    error::check(unsafe { haechi_sys::haechi_verify(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) })
}

/// Zeroes bytes in a way that compilers do not remove.
pub fn wipe(bytes: &mut [u8]) {
    // SAFETY: they are borrowed for writing.
    unsafe { haechi_sys::haechi_wipe(bytes.as_mut_ptr().cast(), bytes.len()) }
}

haechi_sys::on_hosts! {
    pub mod cpu {
        //! Which instructions of the CPU the library uses. A program may hold it back: to compare kernels, to run the same code on
        //! all machines of a kind, or to avoid an instruction.

        /// SSSE3 of x86-64.
        pub const SSSE3: u32 = haechi_sys::HAECHI_SSSE3;
        /// AES-NI of x86-64.
        pub const AESNI: u32 = haechi_sys::HAECHI_AESNI;
        /// PCLMULQDQ of x86-64.
        pub const PCLMUL: u32 = haechi_sys::HAECHI_PCLMUL;
        /// AVX2 of x86-64, where the operating system saves the registers.
        pub const AVX2: u32 = haechi_sys::HAECHI_AVX2;
        /// VAES of x86-64.
        pub const VAES: u32 = haechi_sys::HAECHI_VAES;
        /// VPCLMULQDQ of x86-64.
        pub const VPCLMUL: u32 = haechi_sys::HAECHI_VPCLMUL;
        /// GFNI of x86-64.
        pub const GFNI: u32 = haechi_sys::HAECHI_GFNI;
        /// AVX-512 F, BW, VL and DQ of x86-64 together, where the operating system saves the registers.
        pub const AVX512: u32 = haechi_sys::HAECHI_AVX512;
        /// AVX512-VBMI of x86-64.
        pub const AVX512VBMI: u32 = haechi_sys::HAECHI_AVX512VBMI;
        /// NEON of ARMv7-A; AArch64 always has it.
        pub const NEON: u32 = haechi_sys::HAECHI_NEON;
        /// The AES instructions of AArch64.
        pub const ARM_AES: u32 = haechi_sys::HAECHI_ARM_AES;

        /// The features that the CPU has and the limit allows, as a sum of the constants here.
        pub fn features() -> u32 {
            haechi_sys::haechi_features()
        }

        /// From now on the library acts as if the CPU had no features but those in `allowed`. A later call replaces the limit, and
        /// `u32::MAX` lifts it. Keys that exist already keep their kernels.
        pub fn limit(allowed: u32) {
            haechi_sys::haechi_features_limit(allowed)
        }
    }
}

/// Whether the library was built with OpenMP, so that `ecb_threads` and `apply_threads` take several threads.
#[cfg(all(feature = "std", unix))]
pub fn has_threads() -> bool {
    haechi_sys::haechi_has_threads() != 0
}

/// What must not compile.
///
/// A generator has no copies, which would give the same bytes:
/// ```compile_fail,E0599
/// let one = haechi::Drbg::<haechi::algorithm::Lea256>::new(haechi::DrbgOptions::default(), &[1; 32], &[2; 16], b"").unwrap();
/// let two = one.clone();
/// ```
/// GCM has no blocks of 64 bits:
/// ```compile_fail,E0277
/// haechi::Gcm::<haechi::algorithm::Hight>::from_key(&[0; 16]).unwrap();
/// ```
/// CCM has no tags of 5 bytes for the traits:
/// ```compile_fail,E0080
/// use haechi::typenum::{U5, U12};
/// haechi::Ccm::<haechi::algorithm::Lea128, U12, U5>::from_key(&[0; 16]).unwrap();
/// ```
/// and no nonces of 14 bytes:
/// ```compile_fail,E0080
/// haechi::Ccm::<haechi::algorithm::Lea128, haechi::typenum::U14>::from_key(&[0; 16]).unwrap();
/// ```
/// A room stays where it is while a key is in it:
/// ```compile_fail,E0505
/// let mut room = haechi::KeyRoom::<haechi::algorithm::Lea128>::new();
/// let key = haechi::EncryptKey::<haechi::algorithm::Lea128>::in_room(&mut room, &[0; 16]).unwrap();
/// let moved = room;
/// key.ecb(&mut [0; 16]).unwrap();
/// ```
/// A shared key does not outlive the one that it shares:
/// ```compile_fail,E0505
/// let key = haechi::Lea128Enc::from_key(&[0; 16]).unwrap();
/// let shared = key.share();
/// drop(key);
/// shared.ecb(&mut [0; 16]).unwrap();
/// ```
/// A job keeps its buffers:
/// ```compile_fail,E0499
/// use haechi::{GcmMode, algorithm::Lea128, jobs::SealJob};
/// let (mut text, mut one, mut two) = ([0; 3], [0; 16], [0; 16]);
/// let first = SealJob::<Lea128, GcmMode>::with_key(&[0; 16], &[0; 12], b"", &mut text, &mut one).unwrap();
/// let second = SealJob::<Lea128, GcmMode>::with_key(&[0; 16], &[1; 12], b"", &mut text, &mut two).unwrap();
/// drop((first, second));
/// ```
#[cfg(doctest)]
struct Refused;
