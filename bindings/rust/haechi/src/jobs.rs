// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many messages in one call, each with a key of its own, which the library processes side by side where the processor has vectors:
//! authenticated encryption, counter mode and CMAC.
//!
//! A gateway that serves many devices holds many short messages under many keys. One call for all of them costs less than a call for
//! each.
//!
//! ```
//! use haechi::{algorithm::Lea128, GcmMode, jobs::{OpenJob, SealJob, open_jobs, seal_jobs}};
//!
//! let (keys, nonce) = ([[1; 16], [2; 16]], [0; 12]);
//! let (mut texts, mut tags) = ([*b"one", *b"two"], [[0; 16]; 2]);
//!
//! let [one, two] = &mut texts;
//! let [tag_one, tag_two] = &mut tags;
//! let mut jobs = [
//!     SealJob::<Lea128, GcmMode>::with_key(&keys[0], &nonce, b"", one, tag_one)?,
//!     SealJob::with_key(&keys[1], &nonce, b"", two, tag_two)?,
//! ];
//! seal_jobs(&mut jobs)?;
//!
//! let [one, two] = &mut texts;
//! let mut jobs = [
//!     OpenJob::<Lea128, GcmMode>::with_key(&keys[0], &nonce, b"", one, &tags[0])?,
//!     OpenJob::with_key(&keys[1], &nonce, b"forged", two, &tags[1])?,
//! ];
//! assert_eq!(open_jobs(&mut jobs), Err(haechi::Error::Forged));
//! assert_eq!(jobs[0].result(), Ok(()));
//! assert_eq!(jobs[1].result(), Err(haechi::Error::Forged));
//! assert_eq!(texts, [*b"one", [0; 3]]);
//! # Ok::<(), haechi::Error>(())
//! ```

use crate::aead::{Aead, AeadMode};
use crate::algorithm::{Algorithm, Length};
use crate::error::{Error, check, equal};
use crate::key::EncryptKey;
use crate::text::Text;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null;
use haechi_sys as sys;

macro_rules! jobs {
    ($(#[$doc:meta])* $job:ident, $(#[$about:meta])* $function:ident, $call:ident, $tag:ty, $pointer:expr) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $job<'a, A: Algorithm, M: AeadMode<A>> {
            raw: sys::haechi_job,
            borrowed: PhantomData<(&'a mut [u8], &'a A::RawAead, M)>,
        }

        // SAFETY: a job borrows slices and an expanded key, which threads may share.
        unsafe impl<A: Algorithm, M: AeadMode<A>> Send for $job<'_, A, M> {}
        // SAFETY: through a shared job nobody can reach what it borrows.
        unsafe impl<A: Algorithm, M: AeadMode<A>> Sync for $job<'_, A, M> {}

        impl<'a, A: Algorithm, M: AeadMode<A>> $job<'a, A, M> {
            fn new(
                key: *const c_void,
                aead: *const sys::haechi_aead,
                nonce: &'a [u8],
                aad: &'a [u8],
                text: Text<'a>,
                tag: $tag,
            ) -> Result<Self, Error> {
                text.is_even()?;
                let taglen = tag.len();
                let pointer: fn($tag) -> *mut u8 = $pointer;
                let raw = sys::haechi_job {
                    key,
                    aead,
                    nonce: nonce.as_ptr().cast(),
                    aad: aad.as_ptr().cast(),
                    r#in: text.input(),
                    out: text.out(),
                    tag: pointer(tag).cast(),
                    noncelen: nonce.len(),
                    aadlen: aad.len(),
                    len: text.len(),
                    taglen,
                    result: sys::HAECHI_EUSE,
                };
                Ok(Self { raw, borrowed: PhantomData })
            }

            /// A message under a raw key. Successive jobs that borrow the same one expand it once.
            ///
            /// # Errors
            ///
            /// [`Error::Key`]: `key` does not have [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes. [`Error::Length`]: input and output
            /// differ in length.
            pub fn with_key(
                key: &'a [u8],
                nonce: &'a [u8],
                aad: &'a [u8],
                text: impl Into<Text<'a>>,
                tag: $tag,
            ) -> Result<Self, Error> {
                if key.len() != A::KEY_SIZE {
                    return Err(Error::Key);
                }
                Self::new(key.as_ptr().cast(), null(), nonce, aad, text.into(), tag)
            }

            /// A message under an expanded key.
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: input and output differ in length.
            pub fn with_aead<NonceSize: Length, TagSize: Length>(
                aead: &'a Aead<'_, A, M, NonceSize, TagSize>,
                nonce: &'a [u8],
                aad: &'a [u8],
                text: impl Into<Text<'a>>,
                tag: $tag,
            ) -> Result<Self, Error> {
                Self::new(null(), aead.raw(), nonce, aad, text.into(), tag)
            }

            /// What became of the message; [`Error::Use`] before the call.
            pub fn result(&self) -> Result<(), Error> {
                check(self.raw.result)
            }
        }

        impl<A: Algorithm, M: AeadMode<A>> fmt::Debug for $job<'_, A, M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($job)).field("result", &self.result()).finish_non_exhaustive()
            }
        }

        $(#[$about])*
        pub fn $function<A: Algorithm, M: AeadMode<A>>(jobs: &mut [$job<'_, A, M>]) -> Result<(), Error> {
            let size = size_of::<sys::haechi_job>();
            // SAFETY: a job here is a job in C, whose pointers borrow what they point to.
            check(unsafe { sys::$call(M::raw(), A::forward(), jobs.as_mut_ptr().cast(), size, jobs.len()) })
        }
    };
}

jobs! {
    /// One message to seal.
    SealJob,
    /// Seals messages with one mode and cipher. Each is all or nothing, and touches no other one.
    ///
    /// # Errors
    ///
    /// The first one of [`SealJob::result`]. The output and the tag of that job are zero; the other jobs are done.
    seal_jobs, haechi_seal_jobs, &'a mut [u8], |tag| tag.as_mut_ptr()
}
jobs! {
    /// One message to open.
    OpenJob,
    /// Opens messages with one mode and cipher. Each is all or nothing, and touches no other one.
    ///
    /// # Errors
    ///
    /// The first one of [`OpenJob::result`]. The output of that job is zero; the other jobs are done.
    // C only reads it.
    open_jobs, haechi_open_jobs, &'a [u8], |tag| tag.as_ptr().cast_mut()
}

/// What the jobs for counter mode and CMAC have in common.
macro_rules! typed_jobs {
    ($(#[$doc:meta])* $job:ident, $raw:ident, $(#[$about:meta])* $function:ident, $call:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $job<'a, A: Algorithm> {
            raw: sys::$raw,
            borrowed: PhantomData<(&'a mut [u8], &'a A::RawKey)>,
        }

        // SAFETY: a job borrows slices and an expanded key, which threads may share.
        unsafe impl<A: Algorithm> Send for $job<'_, A> {}
        // SAFETY: through a shared job nobody can reach what it borrows.
        unsafe impl<A: Algorithm> Sync for $job<'_, A> {}

        impl<A: Algorithm> $job<'_, A> {
            /// What became of the message; [`Error::Use`] before the call.
            pub fn result(&self) -> Result<(), Error> {
                check(self.raw.result)
            }
        }

        impl<A: Algorithm> fmt::Debug for $job<'_, A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($job)).field("result", &self.result()).finish_non_exhaustive()
            }
        }

        $(#[$about])*
        pub fn $function<A: Algorithm>(jobs: &mut [$job<'_, A>]) -> Result<(), Error> {
            let size = size_of::<sys::$raw>();
            // SAFETY: a job here is a job in C, whose pointers borrow what they point to.
            check(unsafe { sys::$call(A::forward(), jobs.as_mut_ptr().cast(), size, jobs.len()) })
        }
    };
}

typed_jobs! {
    /// One message for counter mode.
    CtrJob, haechi_ctr_job,
    /// Encrypts or decrypts messages in counter mode, each from its own counter block.
    ///
    /// # Errors
    ///
    /// The first one of [`CtrJob::result`].
    ctr_jobs, haechi_ctr_jobs
}
typed_jobs! {
    /// One message for CMAC.
    CmacJob, haechi_cmac_job,
    /// Computes the CMACs of messages. Whoever verifies them compares in constant time.
    ///
    /// # Errors
    ///
    /// The first one of [`CmacJob::result`]. The tag of that job is zero; the other jobs are done.
    cmac_jobs, haechi_cmac_jobs
}

impl<'a, A: Algorithm> CtrJob<'a, A> {
    fn new(
        key: *const c_void,
        expanded: *const sys::haechi_key,
        counter: &'a [u8],
        text: Text<'a>,
    ) -> Result<Self, Error> {
        text.is_even()?;
        equal(counter.len(), A::BLOCK_SIZE)?;
        let raw = sys::haechi_ctr_job {
            key,
            expanded,
            counter: counter.as_ptr().cast(),
            r#in: text.input(),
            out: text.out(),
            len: text.len(),
            result: sys::HAECHI_EUSE,
        };
        Ok(Self { raw, borrowed: PhantomData })
    }

    /// A message under a raw key; `counter` is the first counter block.
    ///
    /// # Errors
    ///
    /// [`Error::Key`]: `key` does not have [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes. [`Error::Length`]: `counter` is not one block, or
    /// input and output differ in length.
    pub fn with_key(key: &'a [u8], counter: &'a [u8], text: impl Into<Text<'a>>) -> Result<Self, Error> {
        if key.len() != A::KEY_SIZE {
            return Err(Error::Key);
        }
        Self::new(key.as_ptr().cast(), null(), counter, text.into())
    }

    /// A message under an expanded key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `counter` is not one block, or input and output differ in length.
    pub fn with_expanded(
        key: &'a EncryptKey<'_, A>,
        counter: &'a [u8],
        text: impl Into<Text<'a>>,
    ) -> Result<Self, Error> {
        Self::new(null(), key.raw(), counter, text.into())
    }
}

impl<'a, A: Algorithm> CmacJob<'a, A> {
    fn new(key: *const c_void, expanded: *const sys::haechi_key, data: &'a [u8], tag: &'a mut [u8]) -> Self {
        let raw = sys::haechi_cmac_job {
            key,
            expanded,
            r#in: data.as_ptr().cast(),
            tag: tag.as_mut_ptr().cast(),
            len: data.len(),
            taglen: tag.len(),
            result: sys::HAECHI_EUSE,
        };
        Self { raw, borrowed: PhantomData }
    }

    /// A message under a raw key; the tag has 1 byte to a block.
    ///
    /// # Errors
    ///
    /// [`Error::Key`]: `key` does not have [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes.
    pub fn with_key(key: &'a [u8], data: &'a [u8], tag: &'a mut [u8]) -> Result<Self, Error> {
        if key.len() != A::KEY_SIZE {
            return Err(Error::Key);
        }
        Ok(Self::new(key.as_ptr().cast(), null(), data, tag))
    }

    /// A message under an expanded key; the tag has 1 byte to a block.
    pub fn with_expanded(key: &'a EncryptKey<'_, A>, data: &'a [u8], tag: &'a mut [u8]) -> Self {
        Self::new(null(), key.raw(), data, tag)
    }
}
