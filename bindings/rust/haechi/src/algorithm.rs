// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The ciphers as types, for code that is generic over them: `EncryptKey<algorithm::Lea128>` is [`Lea128Enc`](crate::Lea128Enc).
//!
//! The linker takes only the ciphers that a program names.

use crate::place::Content;
use haechi_sys as sys;
use typenum::{U8, U16, U24, U32, Unsigned};

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// The traits that lengths must have for RustCrypto's arrays, those of the features that are on.
pub(crate) mod length {
    #[cfg(not(feature = "common-0-1"))]
    pub trait Old {}
    #[cfg(not(feature = "common-0-1"))]
    impl<T> Old for T {}
    #[cfg(feature = "common-0-1")]
    pub trait Old: crypto_common_0_1::generic_array::ArrayLength<u8> {}
    #[cfg(feature = "common-0-1")]
    impl<T: crypto_common_0_1::generic_array::ArrayLength<u8>> Old for T {}

    #[cfg(not(feature = "common-0-2"))]
    pub trait New {}
    #[cfg(not(feature = "common-0-2"))]
    impl<T> New for T {}
    #[cfg(feature = "common-0-2")]
    pub trait New: crypto_common_0_2::array::ArraySize {}
    #[cfg(feature = "common-0-2")]
    impl<T: crypto_common_0_2::array::ArraySize> New for T {}
}

/// A number of bytes as a type, like `typenum::U12`: whatever arrays of RustCrypto's traits take.
pub trait Length: Unsigned + length::Old + length::New + Send + Sync + 'static {}
impl<T: Unsigned + length::Old + length::New + Send + Sync + 'static> Length for T {}

/// A cipher with one length of keys. Only this crate implements it.
pub trait Algorithm: sealed::Sealed + Send + Sync + 'static {
    /// Bytes of a key, as a type.
    type KeySize: Length;
    /// Bytes of a block, as a type: `U16`, or `U8` for HIGHT.
    type BlockSize: Length;
    /// The name, like `"LEA-128"`.
    const NAME: &'static str;
    /// Bytes of a key: 16, 24 or 32.
    const KEY_SIZE: usize = Self::KeySize::USIZE;
    /// Bytes of a block: 16, or 8 for HIGHT.
    const BLOCK_SIZE: usize = Self::BlockSize::USIZE;
    /// The most bytes that a generator gives at once.
    const DRBG_REQUEST: usize = if Self::BLOCK_SIZE == 8 { 1024 } else { 65536 };

    #[doc(hidden)]
    type RawKey: Content + Copy;
    #[doc(hidden)]
    type RawAead: Content + Copy;
    #[doc(hidden)]
    type RawXts: Content + Copy;
    #[doc(hidden)]
    fn forward() -> *const sys::haechi_cipher;
    #[doc(hidden)]
    fn inverse() -> *const sys::haechi_cipher;
    #[doc(hidden)]
    fn drbg() -> *const sys::haechi_drbg_kind;
}

/// The ciphers with blocks of 16 bytes, LEA and ARIA, which XTS, GCM, CCM, key wrap and CFB64 are for.
pub trait Block128: Algorithm {}

macro_rules! algorithms {
    ($($type:ident, $name:literal, $key:ty, $block:ty, $forward:ident, $inverse:ident, $drbg:ident, $raw:ident, $aead:ident;)*) => { $(
        #[doc = concat!($name, ".")]
        #[derive(Clone, Copy, Debug)]
        pub enum $type {}

        // SAFETY: haechi.h promises it for keys: a header that points to constants, and numbers.
        unsafe impl Content for sys::$raw {}

        impl sealed::Sealed for $type {}
        impl Algorithm for $type {
            type KeySize = $key;
            type BlockSize = $block;
            const NAME: &'static str = $name;
            type RawKey = sys::$raw;
            type RawAead = sys::$aead;
            type RawXts = sys::HAECHI_XTS_ROOM<sys::$raw>;
            fn forward() -> *const sys::haechi_cipher {
                &raw const sys::$forward
            }
            fn inverse() -> *const sys::haechi_cipher {
                &raw const sys::$inverse
            }
            fn drbg() -> *const sys::haechi_drbg_kind {
                &raw const sys::$drbg
            }
        }
    )* };
}

algorithms! {
    Lea128, "LEA-128", U16, U16, haechi_lea128, haechi_lea128_inv, haechi_drbg_lea128, haechi_lea128_key, haechi_lea128_aead;
    Lea192, "LEA-192", U24, U16, haechi_lea192, haechi_lea192_inv, haechi_drbg_lea192, haechi_lea192_key, haechi_lea192_aead;
    Lea256, "LEA-256", U32, U16, haechi_lea256, haechi_lea256_inv, haechi_drbg_lea256, haechi_lea256_key, haechi_lea256_aead;
    Hight, "HIGHT", U16, U8, haechi_hight, haechi_hight_inv, haechi_drbg_hight, haechi_hight_key, haechi_hight_aead;
    Aria128, "ARIA-128", U16, U16, haechi_aria128, haechi_aria128_inv, haechi_drbg_aria128, haechi_aria128_key, haechi_aria128_aead;
    Aria192, "ARIA-192", U24, U16, haechi_aria192, haechi_aria192_inv, haechi_drbg_aria192, haechi_aria192_key, haechi_aria192_aead;
    Aria256, "ARIA-256", U32, U16, haechi_aria256, haechi_aria256_inv, haechi_drbg_aria256, haechi_aria256_key, haechi_aria256_aead;
}

impl Block128 for Lea128 {}
impl Block128 for Lea192 {}
impl Block128 for Lea256 {}
impl Block128 for Aria128 {}
impl Block128 for Aria192 {}
impl Block128 for Aria256 {}

// SAFETY: these hold keys and numbers that modes derive from keys; a generator, a pointer to a constant and numbers.
unsafe impl<Key: Content + Copy> Content for sys::HAECHI_XTS_ROOM<Key> {}
unsafe impl<Key: Content + Copy> Content for sys::HAECHI_AEAD_ROOM<Key> {}
unsafe impl Content for sys::haechi_drbg {}
