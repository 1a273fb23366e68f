// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![no_std]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, clippy::missing_safety_doc)]
// The C headers describe each item. A second text here would be one that can differ from them.
#![allow(missing_docs)]

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::marker::{PhantomData, PhantomPinned};
use core::mem::size_of;

/// Declares a type whose objects C alone makes and knows.
macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _content: [u8; 0],
            _not_rusts: PhantomData<(*mut u8, PhantomPinned)>,
        }
        // SAFETY: these are constants of the library, which nobody writes.
        unsafe impl Sync for $name {}
    )* };
}

/// Declares a union of `haechi_key` and so many bytes of round keys, as `HAECHI_ROOM` does.
macro_rules! rooms {
    ($($name:ident: $bytes:literal;)*) => { $(
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub union $name {
            pub key: haechi_key,
            pub room: [u32; (size_of::<haechi_key>() + $bytes).div_ceil(4)],
        }
    )* };
}

/// Declares a union of `haechi_aead` and the room that a mode needs with such a key, as `HAECHI_AEAD_ROOM` does.
macro_rules! aead_rooms {
    ($($name:ident: $key:ty;)*) => { $(
        pub type $name = HAECHI_AEAD_ROOM<$key>;
    )* };
}

// ---- haechi.h

pub const HAECHI_VERSION_MAJOR: c_int = 0;
pub const HAECHI_VERSION_MINOR: c_int = 1;
pub const HAECHI_VERSION_PATCH: c_int = 0;
pub const HAECHI_VERSION: &str = "0.1.0";

pub const HAECHI_OK: c_int = 0;
pub const HAECHI_EKEY: c_int = -1;
pub const HAECHI_ELEN: c_int = -2;
pub const HAECHI_EAUTH: c_int = -3;
pub const HAECHI_EROOM: c_int = -4;
pub const HAECHI_EUSE: c_int = -5;
pub const HAECHI_ELIMIT: c_int = -6;
pub const HAECHI_ERESEED: c_int = -7;
pub const HAECHI_ECPU: c_int = -8;
pub const HAECHI_ETEST: c_int = -9;

/// 1 for AVR, MSP430 and Cortex-M, else 0.
pub const HAECHI_MICRO: c_int = cfg!(haechi_micro) as c_int;

pub const HAECHI_DRBG_NO_DF: c_uint = 1;
pub const HAECHI_DRBG_PREDICTION_RESISTANCE: c_uint = 2;

opaque! { haechi_cipher haechi_mode haechi_drbg_kind }

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_key {
    pub r#impl: *const c_void,
}

rooms! {
    haechi_lea128_key: 384;
    haechi_lea192_key: 672;
    haechi_lea256_key: 768;
    haechi_hight_key: 136;
    haechi_aria128_key: 208;
    haechi_aria192_key: 240;
    haechi_aria256_key: 272;
    haechi_any_key: 768;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_stream {
    pub iv: [u8; 16],
    pub left: [u8; 16],
    pub used: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_xts {
    pub r#impl: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union HAECHI_XTS_ROOM<Key: Copy> {
    pub xts: haechi_xts,
    pub room: [Key; 2],
}
pub type haechi_any_xts = HAECHI_XTS_ROOM<haechi_any_key>;

/// How many bytes KWP makes of a key of `len` bytes.
pub const fn HAECHI_KWP_SIZE(len: usize) -> usize {
    len.div_ceil(8) * 8 + 8
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_cmac {
    pub x: [u8; 16],
    pub used: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_cmac_subkey {
    pub l: [u8; 16],
    pub derived: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_aead {
    pub r#impl: *const c_void,
    #[cfg(haechi_micro)]
    pub derived: [u32; 4],
    #[cfg(not(haechi_micro))]
    pub derived: [u64; 64],
}

/// The second member of `HAECHI_AEAD_ROOM`, which has no name in C.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_aead_room<Key: Copy> {
    pub head: haechi_aead,
    pub key: Key,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union HAECHI_AEAD_ROOM<Key: Copy> {
    pub aead: haechi_aead,
    pub room: haechi_aead_room<Key>,
}

aead_rooms! {
    haechi_lea128_aead: haechi_lea128_key;
    haechi_lea192_aead: haechi_lea192_key;
    haechi_lea256_aead: haechi_lea256_key;
    haechi_hight_aead: haechi_hight_key;
    haechi_aria128_aead: haechi_aria128_key;
    haechi_aria192_aead: haechi_aria192_key;
    haechi_aria256_aead: haechi_aria256_key;
    haechi_any_aead: haechi_any_key;
}

/// There is no `Clone`: a copy of a generator gives the same bytes again.
#[repr(C)]
pub struct haechi_drbg {
    pub kind: *const haechi_drbg_kind,
    pub state: [u8; 48],
    pub count: u32,
    pub flags: u8,
}

unsafe extern "C" {
    pub fn haechi_version() -> *const c_char;

    pub static haechi_lea128: haechi_cipher;
    pub static haechi_lea192: haechi_cipher;
    pub static haechi_lea256: haechi_cipher;
    pub static haechi_lea128_inv: haechi_cipher;
    pub static haechi_lea192_inv: haechi_cipher;
    pub static haechi_lea256_inv: haechi_cipher;
    pub static haechi_hight: haechi_cipher;
    pub static haechi_hight_inv: haechi_cipher;
    pub static haechi_aria128: haechi_cipher;
    pub static haechi_aria192: haechi_cipher;
    pub static haechi_aria256: haechi_cipher;
    pub static haechi_aria128_inv: haechi_cipher;
    pub static haechi_aria192_inv: haechi_cipher;
    pub static haechi_aria256_inv: haechi_cipher;

    pub fn haechi_init(
        k: *mut haechi_key,
        size: usize,
        c: *const haechi_cipher,
        key: *const c_void,
        len: usize,
    ) -> c_int;
    #[cfg(not(haechi_micro))]
    pub fn haechi_kernel_name(k: *const haechi_key) -> *const c_char;
    pub fn haechi_wipe(p: *mut c_void, len: usize);
    pub fn haechi_verify(a: *const c_void, b: *const c_void, len: usize) -> c_int;

    pub fn haechi_ecb(k: *const haechi_key, out: *mut c_void, r#in: *const c_void, len: usize) -> c_int;
    pub fn haechi_cbc_encrypt(
        k: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cbc_decrypt(
        inv: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_ctr(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_ofb(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb_encrypt(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb_decrypt(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb8_encrypt(
        k: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb8_decrypt(
        k: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cbc_cts_encrypt(
        k: *const haechi_key,
        iv: *const u8,
        variant: c_uint,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cbc_cts_decrypt(
        inv: *const haechi_key,
        iv: *const u8,
        variant: c_uint,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;

    pub fn haechi_xts_init(
        x: *mut haechi_xts,
        size: usize,
        c: *const haechi_cipher,
        forward: *const haechi_cipher,
        key: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_xts_encrypt(
        x: *const haechi_xts,
        iv: *const u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_xts_decrypt(
        x: *const haechi_xts,
        iv: *const u8,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;

    pub fn haechi_kw_wrap(k: *const haechi_key, out: *mut c_void, r#in: *const c_void, len: usize) -> c_int;
    pub fn haechi_kw_unwrap(inv: *const haechi_key, out: *mut c_void, r#in: *const c_void, len: usize) -> c_int;
    pub fn haechi_kwp_wrap(k: *const haechi_key, out: *mut c_void, r#in: *const c_void, len: usize) -> c_int;
    pub fn haechi_kwp_unwrap(
        inv: *const haechi_key,
        out: *mut c_void,
        outlen: *mut usize,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;

    pub fn haechi_cmac_update(k: *const haechi_key, s: *mut haechi_cmac, r#in: *const c_void, len: usize) -> c_int;
    pub fn haechi_cmac_tag(k: *const haechi_key, s: *mut haechi_cmac, tag: *mut c_void, taglen: usize) -> c_int;
    pub fn haechi_cmac_derive(k: *const haechi_key, l: *mut haechi_cmac_subkey) -> c_int;
    pub fn haechi_cmac_message(
        k: *const haechi_key,
        l: *const haechi_cmac_subkey,
        r#in: *const c_void,
        len: usize,
        tag: *mut c_void,
        taglen: usize,
    ) -> c_int;

    pub static haechi_gcm: haechi_mode;
    pub static haechi_ccm: haechi_mode;
    pub static haechi_eax: haechi_mode;

    pub fn haechi_aead_init(
        a: *mut haechi_aead,
        size: usize,
        m: *const haechi_mode,
        c: *const haechi_cipher,
        key: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_seal(
        a: *const haechi_aead,
        nonce: *const c_void,
        noncelen: usize,
        aad: *const c_void,
        aadlen: usize,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
        tag: *mut c_void,
        taglen: usize,
    ) -> c_int;
    pub fn haechi_open(
        a: *const haechi_aead,
        nonce: *const c_void,
        noncelen: usize,
        aad: *const c_void,
        aadlen: usize,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
        tag: *const c_void,
        taglen: usize,
    ) -> c_int;
    pub fn haechi_gmac(
        a: *const haechi_aead,
        nonce: *const c_void,
        noncelen: usize,
        r#in: *const c_void,
        len: usize,
        tag: *mut c_void,
        taglen: usize,
    ) -> c_int;

    pub static haechi_drbg_lea128: haechi_drbg_kind;
    pub static haechi_drbg_lea192: haechi_drbg_kind;
    pub static haechi_drbg_lea256: haechi_drbg_kind;
    pub static haechi_drbg_hight: haechi_drbg_kind;
    pub static haechi_drbg_aria128: haechi_drbg_kind;
    pub static haechi_drbg_aria192: haechi_drbg_kind;
    pub static haechi_drbg_aria256: haechi_drbg_kind;

    pub fn haechi_drbg_init(
        d: *mut haechi_drbg,
        kind: *const haechi_drbg_kind,
        flags: c_uint,
        entropy: *const c_void,
        entropylen: usize,
        nonce: *const c_void,
        noncelen: usize,
        person: *const c_void,
        personlen: usize,
    ) -> c_int;
    pub fn haechi_drbg_reseed(
        d: *mut haechi_drbg,
        entropy: *const c_void,
        entropylen: usize,
        add: *const c_void,
        addlen: usize,
    ) -> c_int;
    pub fn haechi_drbg_read(
        d: *mut haechi_drbg,
        out: *mut c_void,
        len: usize,
        add: *const c_void,
        addlen: usize,
    ) -> c_int;
    pub fn haechi_drbg_test(kind: *const haechi_drbg_kind) -> c_int;
}

// ---- haechi_cpu.h

#[cfg(not(haechi_micro))]
mod cpu {
    pub const HAECHI_SSSE3: u32 = 0x0001;
    pub const HAECHI_AESNI: u32 = 0x0002;
    pub const HAECHI_PCLMUL: u32 = 0x0004;
    pub const HAECHI_AVX2: u32 = 0x0008;
    pub const HAECHI_VAES: u32 = 0x0010;
    pub const HAECHI_VPCLMUL: u32 = 0x0020;
    pub const HAECHI_GFNI: u32 = 0x0040;
    pub const HAECHI_AVX512: u32 = 0x0080;
    pub const HAECHI_AVX512VBMI: u32 = 0x0100;
    pub const HAECHI_NEON: u32 = 0x0200;
    pub const HAECHI_ARM_AES: u32 = 0x0400;

    unsafe extern "C" {
        pub safe fn haechi_features() -> u32;
        pub safe fn haechi_features_limit(allowed: u32);
    }
}
#[cfg(not(haechi_micro))]
pub use cpu::*;

// ---- haechi_stream.h

/// Bytes of additional data and of text: 64 bits, except on machines where `HAECHI_MICRO` is 1.
#[cfg(haechi_micro)]
pub type haechi_length = usize;
/// Bytes of additional data and of text: 64 bits, except on machines where `HAECHI_MICRO` is 1.
#[cfg(not(haechi_micro))]
pub type haechi_length = u64;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_aead_stream {
    pub phase: u8,
    pub taglen: u8,
    pub began: u8,
    pub r#use: u8,
    pub check: [u8; 4],
    pub aadlen: haechi_length,
    pub len: haechi_length,
    pub text: haechi_stream,
    pub mac: haechi_cmac,
    pub mask: [u8; 16],
}

pub const HAECHI_TAG_LATER: usize = usize::MAX;

unsafe extern "C" {
    pub fn haechi_aead_begin(
        a: *const haechi_aead,
        s: *mut haechi_aead_stream,
        nonce: *const c_void,
        noncelen: usize,
        aadlen: haechi_length,
        len: haechi_length,
        taglen: usize,
    ) -> c_int;
    pub fn haechi_aead_aad(a: *const haechi_aead, s: *mut haechi_aead_stream, aad: *const c_void, n: usize) -> c_int;
    pub fn haechi_aead_encrypt(
        a: *const haechi_aead,
        s: *mut haechi_aead_stream,
        out: *mut c_void,
        r#in: *const c_void,
        n: usize,
    ) -> c_int;
    pub fn haechi_aead_decrypt(
        a: *const haechi_aead,
        s: *mut haechi_aead_stream,
        out: *mut c_void,
        r#in: *const c_void,
        n: usize,
    ) -> c_int;
    pub fn haechi_aead_tag(a: *const haechi_aead, s: *mut haechi_aead_stream, tag: *mut c_void, taglen: usize)
    -> c_int;
    pub fn haechi_aead_verify(
        a: *const haechi_aead,
        s: *mut haechi_aead_stream,
        tag: *const c_void,
        taglen: usize,
    ) -> c_int;
}

// ---- haechi_jobs.h

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_job {
    pub key: *const c_void,
    pub aead: *const haechi_aead,
    pub nonce: *const c_void,
    pub aad: *const c_void,
    pub r#in: *const c_void,
    pub out: *mut c_void,
    pub tag: *mut c_void,
    pub noncelen: usize,
    pub aadlen: usize,
    pub len: usize,
    pub taglen: usize,
    pub result: c_int,
}

unsafe extern "C" {
    pub fn haechi_seal_jobs(
        m: *const haechi_mode,
        c: *const haechi_cipher,
        jobs: *mut haechi_job,
        jobsize: usize,
        n: usize,
    ) -> c_int;
    pub fn haechi_open_jobs(
        m: *const haechi_mode,
        c: *const haechi_cipher,
        jobs: *mut haechi_job,
        jobsize: usize,
        n: usize,
    ) -> c_int;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_ctr_job {
    pub key: *const c_void,
    pub expanded: *const haechi_key,
    pub counter: *const c_void,
    pub r#in: *const c_void,
    pub out: *mut c_void,
    pub len: usize,
    pub result: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct haechi_cmac_job {
    pub key: *const c_void,
    pub expanded: *const haechi_key,
    pub r#in: *const c_void,
    pub tag: *mut c_void,
    pub len: usize,
    pub taglen: usize,
    pub result: c_int,
}

unsafe extern "C" {
    pub fn haechi_ctr_jobs(c: *const haechi_cipher, jobs: *mut haechi_ctr_job, jobsize: usize, n: usize) -> c_int;
    pub fn haechi_cmac_jobs(c: *const haechi_cipher, jobs: *mut haechi_cmac_job, jobsize: usize, n: usize) -> c_int;
}

// ---- haechi_legacy.h

unsafe extern "C" {
    pub fn haechi_cfb64_encrypt(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb64_decrypt(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
    ) -> c_int;
    pub fn haechi_cfb1_encrypt(
        k: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        bits: usize,
    ) -> c_int;
    pub fn haechi_cfb1_decrypt(
        k: *const haechi_key,
        iv: *mut u8,
        out: *mut c_void,
        r#in: *const c_void,
        bits: usize,
    ) -> c_int;
}

// ---- haechi_random.h and haechi_threads.h

#[cfg(all(feature = "std", unix))]
unsafe extern "C" {
    pub fn haechi_random(out: *mut c_void, len: usize) -> c_int;
    pub safe fn haechi_random_reseed() -> c_int;
    pub fn haechi_ecb_threads(
        k: *const haechi_key,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
        threads: c_int,
    ) -> c_int;
    pub fn haechi_ctr_threads(
        k: *const haechi_key,
        s: *mut haechi_stream,
        out: *mut c_void,
        r#in: *const c_void,
        len: usize,
        threads: c_int,
    ) -> c_int;
    pub safe fn haechi_has_threads() -> c_int;
}

/// Items that exist only where `HAECHI_MICRO` is 0.
#[cfg(not(haechi_micro))]
#[macro_export]
macro_rules! on_hosts {
    ($($item:item)*) => { $($item)* };
}
/// Items that exist only where `HAECHI_MICRO` is 0.
#[cfg(haechi_micro)]
#[macro_export]
macro_rules! on_hosts {
    ($($item:item)*) => {};
}
