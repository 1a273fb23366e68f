// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Authenticated encryption of one message in pieces, for messages that do not fit in memory.
//!
//! Decryption in pieces returns bytes that nobody has verified. Until [`Opener::verify`] has returned `Ok` they may come from anybody: do
//! not act on them and do not pass them on. Where a message fits in memory, use [`Aead::open`]; where it does not, seal it in
//! chunks.
//!
//! ```
//! use haechi::{Lea128Gcm, pieces::{Opener, Sealer, Sizes}};
//!
//! let aead = Lea128Gcm::from_key(&[0; 16])?;
//! let (mut one, mut two, mut tag) = (*b"first, ", *b"second", [0; 16]);
//! let mut sealer = Sealer::new(&aead, &[1; 12], Sizes::LATER)?;
//! sealer.aad(b"header")?;
//! sealer.encrypt(&mut one)?;
//! sealer.encrypt(&mut two)?;
//! sealer.tag(&mut tag)?;
//!
//! let mut opener = Opener::new(&aead, &[1; 12], Sizes::LATER)?;
//! opener.aad(b"header")?;
//! opener.decrypt_unverified(&mut one)?;
//! opener.decrypt_unverified(&mut two)?;
//! opener.verify(&tag)?;
//! assert_eq!((&one, &two), (b"first, ", b"second"));
//! # Ok::<(), haechi::Error>(())
//! ```

use crate::aead::{Aead, AeadMode};
use crate::algorithm::{Algorithm, Length};
use crate::error::{Error, check};
use crate::text::Text;
use core::fmt;
use core::mem::MaybeUninit;
use haechi_sys as sys;

/// What CCM must know before the first piece. GCM and EAX do not need it, and take [`Sizes::LATER`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sizes {
    /// Bytes of additional data.
    pub aad: u64,
    /// Bytes of text.
    pub text: u64,
    /// Bytes of the tag; none where [`Sealer::tag`] or [`Opener::verify`] says it, which CCM does not allow.
    pub tag: Option<usize>,
}

impl Sizes {
    /// No size is known yet.
    pub const LATER: Self = Self { aad: 0, text: 0, tag: None };
}

/// A size for C, which counts to 2^32 - 1 on microcontrollers and to 2^64 - 1 elsewhere.
#[allow(clippy::useless_conversion)]
fn announced(size: u64) -> Result<sys::haechi_length, Error> {
    size.try_into().map_err(|_| Error::Limit)
}

macro_rules! pieces {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        pub struct $type<'k, A: Algorithm, M: AeadMode<A>, NonceSize, TagSize> {
            aead: &'k Aead<'k, A, M, NonceSize, TagSize>,
            state: sys::haechi_aead_stream,
        }

        impl<'k, A: Algorithm, M: AeadMode<A>, NonceSize: Length, TagSize: Length> $type<'k, A, M, NonceSize, TagSize> {
            /// Begins a message.
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: the mode has no nonces or no tags of this length. [`Error::Limit`]: a size is too large.
            pub fn new(aead: &'k Aead<'k, A, M, NonceSize, TagSize>, nonce: &[u8], sizes: Sizes) -> Result<Self, Error> {
                // SAFETY: the structure is numbers, all of which may be zero.
                let state = unsafe { MaybeUninit::<sys::haechi_aead_stream>::zeroed().assume_init() };
                let mut new = Self { aead, state };
                let (aadlen, len) = (announced(sizes.aad)?, announced(sizes.text)?);
                let taglen = sizes.tag.unwrap_or(sys::HAECHI_TAG_LATER);
                // SAFETY: the nonce is as long as is said.
                check(unsafe {
                    let (nonce, noncelen) = (nonce.as_ptr().cast(), nonce.len());
                    sys::haechi_aead_begin(aead.raw(), &mut new.state, nonce, noncelen, aadlen, len, taglen)
                })?;
                Ok(new)
            }

            /// Takes the bytes of additional data that come next; all of them before the text.
            ///
            /// # Errors
            ///
            /// [`Error::Use`]: there was text already, or an earlier call failed. [`Error::Limit`]: these are more bytes than were
            /// announced, or than the mode allows. An error ends the message: all further calls fail.
            pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
                // SAFETY: the bytes are there.
                check(unsafe { sys::haechi_aead_aad(self.aead.raw(), &mut self.state, aad.as_ptr().cast(), aad.len()) })
            }
        }

        impl<A: Algorithm, M: AeadMode<A>, NonceSize, TagSize> Drop for $type<'_, A, M, NonceSize, TagSize> {
            fn drop(&mut self) {
                // SAFETY: it is ours, and may be zero.
                unsafe { sys::haechi_wipe((&raw mut self.state).cast(), size_of_val(&self.state)) }
            }
        }

        impl<A: Algorithm, M: AeadMode<A>, NonceSize, TagSize> fmt::Debug for $type<'_, A, M, NonceSize, TagSize> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name = stringify!($type);
                f.debug_struct(name).field("mode", &M::NAME).field("algorithm", &A::NAME).finish_non_exhaustive()
            }
        }
    };
}

pieces! {
    /// Encrypts one message in pieces. The object zeroes its state in the end; a move copies it, but no key.
    Sealer
}
pieces! {
    /// Decrypts one message in pieces. The object zeroes its state in the end; a move copies it, but no key.
    Opener
}

impl<A: Algorithm, M: AeadMode<A>, NonceSize: Length, TagSize: Length> Sealer<'_, A, M, NonceSize, TagSize> {
    /// Encrypts the bytes that come next. The errors are those of [`aad`](Self::aad).
    pub fn encrypt<'t>(&mut self, text: impl Into<Text<'t>>) -> Result<(), Error> {
        // SAFETY: a text's pointers are valid for its length, and either equal or apart.
        text.into().pass(Ok(()), |out, input, len| unsafe {
            sys::haechi_aead_encrypt(self.aead.raw(), &mut self.state, out, input, len)
        })
    }

    /// Ends the message and writes its tag.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: the tag does not have the length that was announced, or bytes that were announced for CCM are missing.
    /// [`Error::Use`]: an earlier call failed. The tag is zero then.
    pub fn tag(mut self, tag: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the tag has so many bytes.
        check(unsafe { sys::haechi_aead_tag(self.aead.raw(), &mut self.state, tag.as_mut_ptr().cast(), tag.len()) })
    }
}

impl<A: Algorithm, M: AeadMode<A>, NonceSize: Length, TagSize: Length> Opener<'_, A, M, NonceSize, TagSize> {
    /// Decrypts the bytes that come next. They may come from anybody until [`verify`](Self::verify) has returned `Ok`. The errors
    /// are those of [`aad`](Self::aad).
    pub fn decrypt_unverified<'t>(&mut self, text: impl Into<Text<'t>>) -> Result<(), Error> {
        // SAFETY: a text's pointers are valid for its length, and either equal or apart.
        text.into().pass(Ok(()), |out, input, len| unsafe {
            sys::haechi_aead_decrypt(self.aead.raw(), &mut self.state, out, input, len)
        })
    }

    /// Ends the message and says whether it is what was sealed.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`]: it is not; discard what was decrypted. Others are those of [`Sealer::tag`].
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        // SAFETY: the tag has so many bytes.
        check(unsafe { sys::haechi_aead_verify(self.aead.raw(), &mut self.state, tag.as_ptr().cast(), tag.len()) })
    }
}
