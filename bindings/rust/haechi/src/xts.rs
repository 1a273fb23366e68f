// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::{Algorithm, Block128};
use crate::error::{Error, check};
use crate::place::{Place, Room};
use crate::text::Text;
use core::fmt;
use haechi_sys as sys;

/// Room for the keys of XTS, for programs without an allocator.
pub type XtsRoom<A> = Room<<A as Algorithm>::RawXts>;

macro_rules! xts {
    ($(#[$doc:meta])* $type:ident, $cipher:ident, $method:ident, $call:ident, $verb:literal) => {
        $(#[$doc])*
        pub struct $type<'a, A: Block128> {
            place: Place<'a, A::RawXts>,
        }

        impl<'a, A: Block128> $type<'a, A> {
            fn init(mut place: Place<'a, A::RawXts>, key: &[u8]) -> Result<Self, Error> {
                let size = size_of::<A::RawXts>();
                // SAFETY: the room has `size` bytes, and the key is as long as is said.
                check(unsafe {
                    sys::haechi_xts_init(place.get_mut(), size, A::$cipher(), A::forward(), key.as_ptr().cast(), key.len())
                })?;
                Ok(Self { place })
            }

            /// Expands two keys, one after the other in `key`, into a box: that for the data, then that for the tweak.
            ///
            /// # Errors
            ///
            /// [`Error::Key`]: `key` does not have twice [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes, or its halves are equal.
            #[cfg(feature = "alloc")]
            pub fn from_key(key: &[u8]) -> Result<$type<'static, A>, Error> {
                $type::init(Place::boxed(), key)
            }

            /// Expands the keys into a room of the caller. The errors are those of `from_key`.
            pub fn in_room(room: &'a mut XtsRoom<A>, key: &[u8]) -> Result<Self, Error> {
                Self::init(Place::Lent(room), key)
            }

            #[doc = concat!($verb, " one sector. `iv` is the number of the sector, little-endian.")]
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: the sector has fewer than 16 bytes. [`Error::Limit`]: it has more than 2^24.
            pub fn $method<'t>(&self, iv: &[u8; 16], sector: impl Into<Text<'t>>) -> Result<(), Error> {
                // SAFETY: a text's pointers are valid for its length, and either equal or apart.
                sector.into().pass(Ok(()), |out, input, len| unsafe {
                    sys::$call(self.place.get(), iv.as_ptr(), out, input, len)
                })
            }
        }
    };
}

xts! {
    /// Encrypts sectors in XTS with ciphertext stealing (IEEE 1619, SP 800-38E).
    XtsEncryptor, forward, encrypt, haechi_xts_encrypt, "Encrypts"
}
xts! {
    /// Decrypts sectors in XTS.
    XtsDecryptor, inverse, decrypt, haechi_xts_decrypt, "Decrypts"
}

impl<A: Block128> fmt::Debug for XtsEncryptor<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XtsEncryptor").field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}
impl<A: Block128> fmt::Debug for XtsDecryptor<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XtsDecryptor").field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}
