// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::{Algorithm, Block128, Length, sealed::Sealed};
use crate::error::{Error, check};
use crate::place::{Place, Room};
use crate::text::Text;
use core::fmt;
use core::marker::PhantomData;
use haechi_sys as sys;
use typenum::{U12, U16};

/// A mode of authenticated encryption. Only this crate implements it.
pub trait AeadMode<A: Algorithm>: Sealed + Send + Sync + 'static {
    /// The name, like `"GCM"`.
    const NAME: &'static str;
    /// Whether the mode has nonces of so many bytes.
    #[doc(hidden)]
    const NONCES: core::ops::RangeInclusive<usize>;
    /// Bit n says whether the mode has tags of n bytes.
    #[doc(hidden)]
    const TAGS: u32;
    #[doc(hidden)]
    fn raw() -> *const sys::haechi_mode;
}

macro_rules! modes {
    ($($(#[$doc:meta])* $type:ident, $name:literal, $algorithms:ident, $raw:ident, $nonces:expr, $tags:expr;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $type {}
        impl Sealed for $type {}
        impl<A: $algorithms> AeadMode<A> for $type {
            const NAME: &'static str = $name;
            const NONCES: core::ops::RangeInclusive<usize> = $nonces;
            const TAGS: u32 = $tags;
            fn raw() -> *const sys::haechi_mode {
                &raw const sys::$raw
            }
        }
    )* };
}

/// The bits of these numbers.
const fn bits(numbers: &[u32]) -> u32 {
    let (mut sum, mut i) = (0, 0);
    while i < numbers.len() {
        sum |= 1 << numbers[i];
        i += 1;
    }
    sum
}

modes! {
    /// Galois/Counter Mode (SP 800-38D): nonces of 1 byte or more, by far fastest with 12; tags of 4, 8 and 12 to 16 bytes;
    /// messages of at most 2^36 - 32 bytes.
    GcmMode, "GCM", Block128, haechi_gcm, 1..=usize::MAX, bits(&[4, 8, 12, 13, 14, 15, 16]);
    /// Counter with CBC-MAC (SP 800-38C): nonces of 7 to 13 bytes; tags of 4, 6, 8, 10, 12, 14 and 16 bytes; messages of at most
    /// 2^(8(15 - nonce)) - 1 bytes.
    CcmMode, "CCM", Block128, haechi_ccm, 7..=13, bits(&[4, 6, 8, 10, 12, 14, 16]);
    /// EAX (Bellare, Rogaway, Wagner 2004): nonces of 1 byte or more; tags of 4 bytes to a block.
    EaxMode, "EAX", Algorithm, haechi_eax, 1..=usize::MAX, 0x1fff0 & ((2 << A::BLOCK_SIZE) - 1);
}

/// Room for a key of a mode, for programs without an allocator.
pub type AeadRoom<A> = Room<<A as Algorithm>::RawAead>;

/// Authenticated encryption: a key, expanded for a mode. Threads may share it.
///
/// A nonce must never repeat under a key: with GCM and CCM one repetition lets others forge messages.
///
/// `NonceSize` and `TagSize` are the lengths that RustCrypto's traits take. A program that the mode has no such lengths for does not
/// compile. The functions here take lengths as they come.
///
/// ```
/// use haechi::Lea128Gcm;
///
/// let aead = Lea128Gcm::from_key(&[0; 16])?;
/// let (nonce, header) = ([1; 12], b"in plaintext");
/// let (mut text, mut tag) = (*b"secret", [0; 16]);
/// aead.seal(&nonce, header, &mut text, &mut tag)?;
/// aead.open(&nonce, header, &mut text, &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), haechi::Error>(())
/// ```
pub struct Aead<'a, A: Algorithm, M: AeadMode<A>, NonceSize = U12, TagSize = U16> {
    place: Place<'a, A::RawAead>,
    kind: PhantomData<(M, NonceSize, TagSize)>,
}

/// GCM with a cipher of this crate and a key in a box.
pub type Gcm<A, NonceSize = U12, TagSize = U16> = Aead<'static, A, GcmMode, NonceSize, TagSize>;
/// CCM with a cipher of this crate and a key in a box.
pub type Ccm<A, NonceSize = U12, TagSize = U16> = Aead<'static, A, CcmMode, NonceSize, TagSize>;
/// EAX with a cipher of this crate and a key in a box. Nonce and tag have one block, as is usual.
pub type Eax<A, NonceSize = <A as Algorithm>::BlockSize, TagSize = <A as Algorithm>::BlockSize> =
    Aead<'static, A, EaxMode, NonceSize, TagSize>;

impl<'a, A: Algorithm, M: AeadMode<A>, NonceSize: Length, TagSize: Length> Aead<'a, A, M, NonceSize, TagSize> {
    /// Compiles if the mode has nonces and tags of these lengths.
    const LENGTHS: () = assert!(
        NonceSize::USIZE >= *M::NONCES.start()
            && NonceSize::USIZE <= *M::NONCES.end()
            && TagSize::USIZE < 32
            && (M::TAGS >> TagSize::USIZE) & 1 == 1,
        "the mode has no nonces or no tags of this length"
    );

    fn init(mut place: Place<'a, A::RawAead>, key: &[u8]) -> Result<Self, Error> {
        const { Self::LENGTHS }
        let size = size_of::<A::RawAead>();
        // SAFETY: the room has `size` bytes, and the key is as long as is said.
        check(unsafe {
            sys::haechi_aead_init(place.get_mut(), size, M::raw(), A::forward(), key.as_ptr().cast(), key.len())
        })?;
        Ok(Self { place, kind: PhantomData })
    }

    /// Expands a key into a box.
    ///
    /// # Errors
    ///
    /// [`Error::Key`]: `key` does not have [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes. [`Error::Cpu`]: the build has one kernel alone,
    /// which this CPU cannot run.
    #[cfg(feature = "alloc")]
    pub fn from_key(key: &[u8]) -> Result<Aead<'static, A, M, NonceSize, TagSize>, Error> {
        Aead::init(Place::boxed(), key)
    }

    /// Expands a key into a room of the caller. The errors are those of `from_key`.
    pub fn in_room(room: &'a mut AeadRoom<A>, key: &[u8]) -> Result<Self, Error> {
        Self::init(Place::Lent(room), key)
    }

    /// The same expanded key once more, without a copy of it.
    pub fn share(&self) -> Aead<'_, A, M, NonceSize, TagSize> {
        Aead { place: self.place.share(), kind: PhantomData }
    }

    pub(crate) fn raw(&self) -> *const sys::haechi_aead {
        self.place.get()
    }

    /// Encrypts a text and writes the tag over the nonce, `aad` (which stays in plaintext) and the text.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: the mode has no nonces or no tags of this length. [`Error::Limit`]: the text or `aad` is too long. The
    /// output and the tag are zero then.
    pub fn seal<'t>(&self, nonce: &[u8], aad: &[u8], text: impl Into<Text<'t>>, tag: &mut [u8]) -> Result<(), Error> {
        let text = text.into();
        if text.is_even().is_err() {
            tag.fill(0);
        }
        // SAFETY: a text's pointers are valid for its length, and either equal or apart; so are the slices.
        text.pass(Ok(()), |out, input, len| unsafe {
            let (nonce, noncelen, aad, aadlen) = (nonce.as_ptr().cast(), nonce.len(), aad.as_ptr().cast(), aad.len());
            sys::haechi_seal(
                self.raw(),
                nonce,
                noncelen,
                aad,
                aadlen,
                out,
                input,
                len,
                tag.as_mut_ptr().cast(),
                tag.len(),
            )
        })
    }

    /// Verifies and decrypts a text.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`]: this is not what was sealed. Then the output is zero, and with GCM and EAX no plaintext was ever written
    /// there (CCM must decrypt first). Others are those of [`seal`](Self::seal).
    pub fn open<'t>(&self, nonce: &[u8], aad: &[u8], text: impl Into<Text<'t>>, tag: &[u8]) -> Result<(), Error> {
        // SAFETY: a text's pointers are valid for its length, and either equal or apart; so are the slices.
        text.into().pass(Ok(()), |out, input, len| unsafe {
            let (nonce, noncelen, aad, aadlen) = (nonce.as_ptr().cast(), nonce.len(), aad.as_ptr().cast(), aad.len());
            sys::haechi_open(self.raw(), nonce, noncelen, aad, aadlen, out, input, len, tag.as_ptr().cast(), tag.len())
        })
    }
}

impl<A: Block128, NonceSize: Length, TagSize: Length> Aead<'_, A, GcmMode, NonceSize, TagSize> {
    /// GMAC (SP 800-38D): the tag of GCM over `data` as additional data, with an empty message. To check it, open an empty
    /// text with `data` as additional data. A nonce must never repeat under a key.
    ///
    /// # Errors
    ///
    /// Those of [`seal`](Self::seal).
    pub fn gmac(&self, nonce: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            let (nonce, noncelen, data, len) = (nonce.as_ptr().cast(), nonce.len(), data.as_ptr().cast(), data.len());
            sys::haechi_gmac(self.raw(), nonce, noncelen, data, len, tag.as_mut_ptr().cast(), tag.len())
        })
    }
}

#[cfg(feature = "alloc")]
impl<A: Algorithm, M: AeadMode<A>, NonceSize, TagSize> Clone for Aead<'_, A, M, NonceSize, TagSize> {
    /// A shared key is shared with the clone; otherwise the clone has a box of its own.
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), kind: PhantomData }
    }
}

impl<A: Algorithm, M: AeadMode<A>, NonceSize, TagSize> fmt::Debug for Aead<'_, A, M, NonceSize, TagSize> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aead").field("mode", &M::NAME).field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}
