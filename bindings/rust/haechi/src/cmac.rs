// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::Algorithm;
use crate::error::{Error, check};
use crate::key::{EncryptKey, named};
use core::fmt;
use haechi_sys as sys;

/// CMAC (SP 800-38B) of any number of bytes, which calls may split in any way.
///
/// A tag should have 8 bytes or more, and never fewer than 4. Authenticate at most 2^21 messages under one key of HIGHT.
///
/// ```
/// use haechi::{Cmac, Lea128Enc};
///
/// let key = Lea128Enc::from_key(&[0; 16])?;
/// let mut tag = [0; 16];
/// let mut mac = Cmac::new(key.share());
/// mac.update(b"in ")?;
/// mac.update(b"pieces")?;
/// mac.tag(&mut tag)?;
///
/// let mut again = Cmac::new(key.share());
/// again.update(b"in pieces")?;
/// again.verify(&tag)?;
/// # Ok::<(), haechi::Error>(())
/// ```
pub struct Cmac<'a, A: Algorithm> {
    key: EncryptKey<'a, A>,
    state: sys::haechi_cmac,
}

const BEGINNING: sys::haechi_cmac = sys::haechi_cmac { x: [0; 16], used: 0 };

impl<'a, A: Algorithm> Cmac<'a, A> {
    /// The MAC of an empty message so far.
    pub fn new(key: EncryptKey<'a, A>) -> Self {
        Self { key, state: BEGINNING }
    }

    /// Takes the bytes that come next.
    ///
    /// # Errors
    ///
    /// None occurs; the type is that of the other functions.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        // SAFETY: the bytes are there.
        check(unsafe { sys::haechi_cmac_update(self.key.raw(), &mut self.state, data.as_ptr().cast(), data.len()) })
    }

    /// Writes the first bytes of the tag, as many as `tag` has. After that the object is as new.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `tag` is empty, or longer than a block.
    pub fn tag(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the tag has so many bytes.
        check(unsafe { sys::haechi_cmac_tag(self.key.raw(), &mut self.state, tag.as_mut_ptr().cast(), tag.len()) })
    }

    /// Whether the tag begins with these bytes. The time depends on lengths alone.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`]: it does not. [`Error::Length`]: `tag` has fewer than 4 bytes, or more than a block.
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        compared(tag, |own| self.tag(own))
    }

    /// Begins anew.
    #[cfg(any(feature = "digest-0-10", feature = "digest-0-11"))]
    pub(crate) fn restart(&mut self) {
        self.state = BEGINNING;
    }
}

impl<A: Algorithm> Drop for Cmac<'_, A> {
    fn drop(&mut self) {
        // SAFETY: it is ours, and may be zero.
        unsafe { sys::haechi_wipe((&raw mut self.state).cast(), size_of_val(&self.state)) }
    }
}

#[cfg(feature = "alloc")]
impl<A: Algorithm> Clone for Cmac<'_, A> {
    /// Both go on from the same beginning of a message.
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), state: self.state }
    }
}

/// CMAC (SP 800-38B) of whole messages under one key. What depends on the key alone is computed once, so that the tag of a
/// short message takes up to half of the time that [`Cmac`] takes.
///
/// ```
/// use haechi::{CmacKey, Lea128Enc};
///
/// let key = Lea128Enc::from_key(&[0; 16])?;
/// let mac = CmacKey::new(key.share());
/// let mut tag = [0; 16];
/// mac.tag(b"a message", &mut tag)?;
/// mac.verify(b"a message", &tag)?;
/// # Ok::<(), haechi::Error>(())
/// ```
pub struct CmacKey<'a, A: Algorithm> {
    key: EncryptKey<'a, A>,
    subkey: sys::haechi_cmac_subkey,
}

impl<'a, A: Algorithm> CmacKey<'a, A> {
    /// Computes what depends on the key alone.
    pub fn new(key: EncryptKey<'a, A>) -> Self {
        let mut subkey = sys::haechi_cmac_subkey { l: [0; 16], derived: 0 };
        // SAFETY: the subkey is ours. There is no error, for the key is there and encrypts.
        let error = unsafe { sys::haechi_cmac_derive(key.raw(), &mut subkey) };
        debug_assert_eq!(error, sys::HAECHI_OK);
        Self { key, subkey }
    }

    /// Writes the first bytes of the message's tag, as many as `tag` has.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `tag` is empty, or longer than a block.
    pub fn tag(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let (data, size) = (message.as_ptr().cast(), message.len());
        // SAFETY: message and tag have so many bytes.
        check(unsafe {
            sys::haechi_cmac_message(self.key.raw(), &self.subkey, data, size, tag.as_mut_ptr().cast(), tag.len())
        })
    }

    /// Whether the message's tag begins with these bytes. The time depends on lengths alone.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`]: it does not. [`Error::Length`]: `tag` has fewer than 4 bytes, or more than a block.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        compared(tag, |own| self.tag(message, own))
    }
}

impl<A: Algorithm> Drop for CmacKey<'_, A> {
    fn drop(&mut self) {
        // SAFETY: it is ours, and may be zero.
        unsafe { sys::haechi_wipe((&raw mut self.subkey).cast(), size_of_val(&self.subkey)) }
    }
}

/// Compares a tag with the one that `make` writes.
fn compared(tag: &[u8], make: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<(), Error> {
    let mut own = [0; 16];
    let right = match own.get_mut(..tag.len()) {
        Some(own) if own.len() >= 4 => make(own).and_then(|()| crate::verify(own, tag)),
        _ => Err(Error::Length),
    };
    // SAFETY: the array is ours. It holds the tag of what may be a forgery.
    unsafe { sys::haechi_wipe(own.as_mut_ptr().cast(), own.len()) };
    right
}

named!(Cmac);
named!(CmacKey);
