// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::{Algorithm, Block128, sealed::Sealed};
use crate::error::{Error, equal};
use crate::key::{DecryptKey, EncryptKey, named};
use crate::text::Text;
use core::ffi::{c_int, c_void};
use core::fmt;
use core::marker::PhantomData;
use haechi_sys as sys;

/// A mode of a [`Stream`]. Only this crate implements it.
pub trait StreamMode<A: Algorithm>: Sealed + Send + Sync + 'static {
    /// # Safety
    ///
    /// Those of the functions in haechi.h: pointers are valid for `len` bytes, equal or apart.
    #[doc(hidden)]
    unsafe fn call(
        k: *const sys::haechi_key,
        s: &mut sys::haechi_stream,
        out: *mut c_void,
        input: *const c_void,
        len: usize,
    ) -> c_int;
}

/// The types of modes and the functions that they stand for; those with `iv` know no position in a block.
macro_rules! modes {
    ($($(#[$doc:meta])* $type:ident, $algorithms:ident, $call:ident $(, $field:ident)?;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $type {}
        impl Sealed for $type {}
        impl<A: $algorithms> StreamMode<A> for $type {
            unsafe fn call(
                k: *const sys::haechi_key,
                s: &mut sys::haechi_stream,
                out: *mut c_void,
                input: *const c_void,
                len: usize,
            ) -> c_int {
                // SAFETY: the caller promises what the function needs, and a stream is a position or begins with an IV.
                unsafe { sys::$call(k, (&raw mut (*s) $(.$field)?).cast(), out, input, len) }
            }
        }
    )* };
}

modes! {
    /// Counter mode (SP 800-38A). The counter is the whole block, big-endian, and wraps.
    Ctr, Algorithm, haechi_ctr;
    /// Output feedback (SP 800-38A).
    Ofb, Algorithm, haechi_ofb;
    /// Encryption in cipher feedback by whole blocks (SP 800-38A: CFB128, or CFB64 for HIGHT).
    CfbEncrypt, Algorithm, haechi_cfb_encrypt;
    /// Decryption in cipher feedback by whole blocks.
    CfbDecrypt, Algorithm, haechi_cfb_decrypt;
    /// Encryption in cipher feedback byte by byte.
    Cfb8Encrypt, Algorithm, haechi_cfb8_encrypt, iv;
    /// Decryption in cipher feedback byte by byte.
    Cfb8Decrypt, Algorithm, haechi_cfb8_decrypt, iv;
    /// Encryption in cipher feedback by 64 bits of a block of 128, for data that exists already.
    Cfb64Encrypt, Block128, haechi_cfb64_encrypt;
    /// Decryption in cipher feedback by 64 bits of a block of 128.
    Cfb64Decrypt, Block128, haechi_cfb64_decrypt;
}

/// A stream of any number of bytes, which calls may split in any way, in a mode without authentication.
///
/// Such modes hide the content of a message but do not protect it: whoever can change the ciphertext changes the message.
///
/// The last block of key stream is part of the object, which zeroes it in the end; a move copies it.
pub struct Stream<'a, A: Algorithm, M: StreamMode<A>> {
    pub(crate) key: EncryptKey<'a, A>,
    pub(crate) at: sys::haechi_stream,
    /// The first counter block, from which positions are counted.
    start: [u8; 16],
    mode: PhantomData<M>,
}

/// Counter mode, by the functions that process many blocks at once. The same call encrypts and decrypts.
///
/// A counter block must never repeat under a key: not in one stream, and not in two. Encrypt at most 2^22 blocks (32 MiB) under
/// one key of HIGHT.
///
/// ```
/// use haechi::{Aria128Enc, CtrStream};
///
/// let key = Aria128Enc::from_key(&[0; 16])?;
/// let mut message = *b"any number of bytes";
/// CtrStream::new(key.share(), &[1; 16])?.apply(&mut message)?;
/// let mut back = CtrStream::new(key.share(), &[1; 16])?;
/// back.apply(&mut message[..4])?;
/// back.apply(&mut message[4..])?;
/// assert_eq!(&message, b"any number of bytes");
/// # Ok::<(), haechi::Error>(())
/// ```
pub type CtrStream<'a, A> = Stream<'a, A, Ctr>;
/// Output feedback. The same call encrypts and decrypts.
pub type OfbStream<'a, A> = Stream<'a, A, Ofb>;
/// Encrypts in cipher feedback by whole blocks.
pub type CfbEncryptor<'a, A> = Stream<'a, A, CfbEncrypt>;
/// Decrypts in cipher feedback by whole blocks.
pub type CfbDecryptor<'a, A> = Stream<'a, A, CfbDecrypt>;
/// Encrypts in cipher feedback byte by byte.
pub type Cfb8Encryptor<'a, A> = Stream<'a, A, Cfb8Encrypt>;
/// Decrypts in cipher feedback byte by byte.
pub type Cfb8Decryptor<'a, A> = Stream<'a, A, Cfb8Decrypt>;
/// Encrypts in cipher feedback by 64 bits, which costs twice as much as by whole blocks and is no safer.
pub type Cfb64Encryptor<'a, A> = Stream<'a, A, Cfb64Encrypt>;
/// Decrypts in cipher feedback by 64 bits.
pub type Cfb64Decryptor<'a, A> = Stream<'a, A, Cfb64Decrypt>;

/// A block that begins with the IV, if that is one block.
fn block<A: Algorithm>(iv: &[u8]) -> Result<[u8; 16], Error> {
    equal(iv.len(), A::BLOCK_SIZE)?;
    let mut block = [0; 16];
    block[..iv.len()].copy_from_slice(iv);
    Ok(block)
}

impl<'a, A: Algorithm, M: StreamMode<A>> Stream<'a, A, M> {
    /// A stream that begins with this IV; in counter mode, the first counter block.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `iv` is not one block ([`A::BLOCK_SIZE`](Algorithm::BLOCK_SIZE) bytes).
    pub fn new(key: EncryptKey<'a, A>, iv: &[u8]) -> Result<Self, Error> {
        let start = block::<A>(iv)?;
        Ok(Self { key, at: sys::haechi_stream { iv: start, left: [0; 16], used: 0 }, start, mode: PhantomData })
    }

    /// Encrypts or decrypts the bytes that come next.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: input and output differ in length.
    pub fn apply<'t>(&mut self, text: impl Into<Text<'t>>) -> Result<(), Error> {
        // SAFETY: a text's pointers are valid for its length, and either equal or apart.
        text.into().pass(Ok(()), |out, input, len| unsafe { M::call(self.key.raw(), &mut self.at, out, input, len) })
    }
}

impl<A: Algorithm> CtrStream<'_, A> {
    /// How many bytes the stream has encrypted since its first counter block, as far as 128 bits can tell: counters wrap after
    /// 2^128 blocks, or 2^64 for HIGHT.
    pub fn position(&self) -> u128 {
        let blocks = number::<A>(&self.at.iv).wrapping_sub(number::<A>(&self.start)) & mask::<A>();
        let unused = if self.at.used == 0 { 0 } else { A::BLOCK_SIZE - usize::from(self.at.used) };
        blocks.wrapping_mul(A::BLOCK_SIZE as u128).wrapping_sub(unused as u128)
    }

    /// Goes to so many bytes after the beginning.
    ///
    /// # Errors
    ///
    /// None occurs; the type is that of the functions that move on.
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        let blocks = position / A::BLOCK_SIZE as u128;
        let counter = number::<A>(&self.start).wrapping_add(blocks).to_be_bytes();
        self.wipe();
        self.at.iv[..A::BLOCK_SIZE].copy_from_slice(&counter[16 - A::BLOCK_SIZE..]);
        let mut passed_over = [0; 16];
        let inside = (position % A::BLOCK_SIZE as u128) as usize;
        let done = self.apply(&mut passed_over[..inside]);
        // SAFETY: these bytes are key stream now, and the array is ours.
        unsafe { sys::haechi_wipe(passed_over.as_mut_ptr().cast(), passed_over.len()) };
        done
    }

    /// [`apply`](Stream::apply) on up to so many threads; 0 means as many as OpenMP chooses. There is one thread without the
    /// feature `openmp`.
    #[cfg(all(feature = "std", unix))]
    pub fn apply_threads<'t>(&mut self, text: impl Into<Text<'t>>, threads: u16) -> Result<(), Error> {
        // SAFETY: as for apply.
        text.into().pass(Ok(()), |out, input, len| unsafe {
            sys::haechi_ctr_threads(self.key.raw(), &mut self.at, out, input, len, threads.into())
        })
    }
}

/// The counter in a block.
fn number<A: Algorithm>(block: &[u8; 16]) -> u128 {
    u128::from_be_bytes(*block) >> (8 * (16 - A::BLOCK_SIZE))
}

/// All bits of a counter.
fn mask<A: Algorithm>() -> u128 {
    u128::MAX >> (8 * (16 - A::BLOCK_SIZE))
}

impl<A: Algorithm, M: StreamMode<A>> Stream<'_, A, M> {
    fn wipe(&mut self) {
        // SAFETY: it is ours, and may be zero.
        unsafe { sys::haechi_wipe((&raw mut self.at).cast(), size_of_val(&self.at)) }
    }
}

impl<A: Algorithm, M: StreamMode<A>> Drop for Stream<'_, A, M> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<A: Algorithm, M: StreamMode<A>> fmt::Debug for Stream<'_, A, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}

/// Encrypts whole blocks in cipher block chaining (SP 800-38A).
///
/// Padding comes from the trait `BlockModeEncrypt` of the crate `cipher`.
pub struct CbcEncryptor<'a, A: Algorithm> {
    pub(crate) key: EncryptKey<'a, A>,
    pub(crate) iv: [u8; 16],
}

/// Decrypts whole blocks in cipher block chaining.
pub struct CbcDecryptor<'a, A: Algorithm> {
    pub(crate) key: DecryptKey<'a, A>,
    pub(crate) iv: [u8; 16],
}

macro_rules! cbc {
    ($type:ident, $key:ident, $method:ident, $call:ident, $verb:literal) => {
        impl<'a, A: Algorithm> $type<'a, A> {
            /// A chain that begins with this IV, which must be unpredictable.
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: `iv` is not one block.
            pub fn new(key: $key<'a, A>, iv: &[u8]) -> Result<Self, Error> {
                Ok(Self { key, iv: block::<A>(iv)? })
            }

            #[doc = concat!($verb, " the blocks that come next.")]
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: the text is not whole blocks.
            pub fn $method<'t>(&mut self, text: impl Into<Text<'t>>) -> Result<(), Error> {
                // SAFETY: a text's pointers are valid for its length, and either equal or apart.
                text.into().pass(Ok(()), |out, input, len| unsafe {
                    sys::$call(self.key.raw(), self.iv.as_mut_ptr(), out, input, len)
                })
            }
        }

        named!($type);
    };
}
cbc!(CbcEncryptor, EncryptKey, encrypt, haechi_cbc_encrypt, "Encrypts");
cbc!(CbcDecryptor, DecryptKey, decrypt, haechi_cbc_decrypt, "Decrypts");
