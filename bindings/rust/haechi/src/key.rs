// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::{Algorithm, Block128};
use crate::error::{Error, check, equal};
use crate::place::{Place, Room};
use crate::text::Text;
use core::ffi::c_void;
use core::fmt;
use haechi_sys as sys;

/// Room for one expanded key, for programs without an allocator.
pub type KeyRoom<A> = Room<<A as Algorithm>::RawKey>;

/// An expanded key for encryption, which all modes take that decrypt by encryption too.
///
/// It owns a box that it zeroes in the end, or borrows a [`KeyRoom`]. Threads may share it. The aliases [`Lea128Enc`] and so on
/// stand for keys in boxes.
///
/// [`Lea128Enc`]: crate::Lea128Enc
pub struct EncryptKey<'a, A: Algorithm> {
    pub(crate) place: Place<'a, A::RawKey>,
}

/// An expanded key for the decryption of blocks, which ECB, CBC and key unwrapping take.
///
/// Like [`EncryptKey`], it owns a box or borrows a [`KeyRoom`].
pub struct DecryptKey<'a, A: Algorithm> {
    pub(crate) place: Place<'a, A::RawKey>,
}

/// A key for both directions of a block cipher, like `aes::Aes128`: an [`EncryptKey`] and a [`DecryptKey`].
pub struct BlockCipher<'a, A: Algorithm> {
    encrypt: EncryptKey<'a, A>,
    decrypt: DecryptKey<'a, A>,
}

/// What is equal for both directions.
macro_rules! direction {
    ($type:ident, $cipher:ident) => {
        impl<'a, A: Algorithm> $type<'a, A> {
            fn init(mut place: Place<'a, A::RawKey>, key: &[u8]) -> Result<Self, Error> {
                let size = size_of::<A::RawKey>();
                // SAFETY: the room has `size` bytes, and the key is as long as is said.
                check(unsafe {
                    sys::haechi_init(place.get_mut(), size, A::$cipher(), key.as_ptr().cast(), key.len())
                })?;
                Ok(Self { place })
            }

            /// Expands a key into a box.
            ///
            /// # Errors
            ///
            /// [`Error::Key`]: `key` does not have [`A::KEY_SIZE`](Algorithm::KEY_SIZE) bytes. [`Error::Cpu`]: the build has one
            /// kernel alone, which this CPU cannot run.
            #[cfg(feature = "alloc")]
            pub fn from_key(key: &[u8]) -> Result<$type<'static, A>, Error> {
                $type::init(Place::boxed(), key)
            }

            /// Expands a key into a room of the caller. The errors are those of `from_key`.
            pub fn in_room(room: &'a mut KeyRoom<A>, key: &[u8]) -> Result<Self, Error> {
                Self::init(Place::Lent(room), key)
            }

            /// The same expanded key once more, without a copy of it: for instance for several streams.
            pub fn share(&self) -> $type<'_, A> {
                $type { place: self.place.share() }
            }

            pub(crate) fn raw(&self) -> *const sys::haechi_key {
                self.place.get()
            }

            /// Electronic codebook: passes each block through the cipher by itself, which hides nothing but single blocks.
            ///
            /// # Errors
            ///
            /// [`Error::Length`]: the text is not whole blocks.
            pub fn ecb<'t>(&self, text: impl Into<Text<'t>>) -> Result<(), Error> {
                // SAFETY: a text's pointers are valid for its length, and either equal or apart.
                text.into().pass(Ok(()), |out, input, len| unsafe { sys::haechi_ecb(self.raw(), out, input, len) })
            }

            /// [`ecb`](Self::ecb) on up to so many threads; 0 means as many as OpenMP chooses. There is one thread without the
            /// feature `openmp`.
            #[cfg(all(feature = "std", unix))]
            pub fn ecb_threads<'t>(&self, text: impl Into<Text<'t>>, threads: u16) -> Result<(), Error> {
                // SAFETY: as for ecb.
                text.into().pass(Ok(()), |out, input, len| unsafe {
                    sys::haechi_ecb_threads(self.raw(), out, input, len, threads.into())
                })
            }
        }

        #[cfg(feature = "alloc")]
        impl<A: Algorithm> Clone for $type<'_, A> {
            /// A shared key is shared with the clone; otherwise the clone has a box of its own.
            fn clone(&self) -> Self {
                Self { place: self.place.clone() }
            }
        }

        haechi_sys::on_hosts! {
            impl<A: Algorithm> $type<'_, A> {
                /// The name of the kernel that the key uses, like `"lea_x86_avx2"`.
                pub fn kernel_name(&self) -> &'static str {
                    // SAFETY: the key is there, and the name is a constant of the library.
                    let name = unsafe { core::ffi::CStr::from_ptr(sys::haechi_kernel_name(self.raw())) };
                    name.to_str().unwrap_or("?")
                }
            }
        }

        named!($type);
    };
}

/// `Debug` that shows no secret.
macro_rules! named {
    ($type:ident) => {
        impl<A: Algorithm> fmt::Debug for $type<'_, A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(concat!(stringify!($type))).field("algorithm", &A::NAME).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use named;

direction!(EncryptKey, forward);
direction!(DecryptKey, inverse);

impl<'a, A: Algorithm> BlockCipher<'a, A> {
    /// Expands a key into two boxes. The errors are those of [`EncryptKey::from_key`].
    #[cfg(feature = "alloc")]
    pub fn from_key(key: &[u8]) -> Result<BlockCipher<'static, A>, Error> {
        Ok(BlockCipher { encrypt: EncryptKey::from_key(key)?, decrypt: DecryptKey::from_key(key)? })
    }

    /// Expands a key into two rooms of the caller. The errors are those of [`EncryptKey::from_key`].
    pub fn in_rooms(rooms: &'a mut [KeyRoom<A>; 2], key: &[u8]) -> Result<Self, Error> {
        let [one, two] = rooms;
        Ok(Self { encrypt: EncryptKey::in_room(one, key)?, decrypt: DecryptKey::in_room(two, key)? })
    }

    /// The key for encryption.
    pub fn encryption(&self) -> &EncryptKey<'a, A> {
        &self.encrypt
    }

    /// The key for decryption.
    pub fn decryption(&self) -> &DecryptKey<'a, A> {
        &self.decrypt
    }
}

#[cfg(feature = "alloc")]
impl<A: Algorithm> Clone for BlockCipher<'_, A> {
    fn clone(&self) -> Self {
        Self { encrypt: self.encrypt.clone(), decrypt: self.decrypt.clone() }
    }
}

named!(BlockCipher);

/// Which of the last two blocks comes first in CBC with ciphertext stealing (addendum to SP 800-38A).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CbcCs {
    /// CBC-CS1: the order stays.
    Cs1 = 1,
    /// CBC-CS2: the blocks change places where the last one is incomplete.
    Cs2 = 2,
    /// CBC-CS3: the blocks change places always. Kerberos uses it.
    Cs3 = 3,
}

/// How many bytes the first `bits` bits take, if a buffer of `len` bytes is just as long.
fn whole_bytes(bits: usize, len: usize) -> Result<(), Error> {
    equal(len, bits.div_ceil(8))
}

impl<A: Algorithm> EncryptKey<'_, A> {
    /// CBC with ciphertext stealing for a whole message. The ciphertext is as long as the message. `iv` is one block and must
    /// be unpredictable.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: the text is shorter than a block, or `iv` is not one block.
    pub fn cbc_cts<'t>(&self, iv: &[u8], variant: CbcCs, text: impl Into<Text<'t>>) -> Result<(), Error> {
        // SAFETY: as for ecb, and the IV has a block.
        text.into().pass(equal(iv.len(), A::BLOCK_SIZE), |out, input, len| unsafe {
            sys::haechi_cbc_cts_encrypt(self.raw(), iv.as_ptr(), variant as u32, out, input, len)
        })
    }

    /// Cipher feedback bit by bit, for data that exists already: encrypts `bits` bits, the first of which is the most
    /// significant one of the first byte. The unused bits of the last byte of the output become 0. `iv` is one block, in which
    /// the call leaves the IV for the bits that follow.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: the text is longer or shorter than the bytes that hold so many bits, or `iv` is not one block.
    pub fn cfb1_encrypt<'t>(&self, iv: &mut [u8], text: impl Into<Text<'t>>, bits: usize) -> Result<(), Error> {
        let text = text.into();
        let conditions = equal(iv.len(), A::BLOCK_SIZE).and(whole_bytes(bits, text.len()));
        // SAFETY: the text holds so many bits, and the IV has a block.
        text.pass(conditions, |out, input, _| unsafe {
            sys::haechi_cfb1_encrypt(self.raw(), iv.as_mut_ptr(), out, input, bits)
        })
    }

    /// Decrypts what [`cfb1_encrypt`](Self::cfb1_encrypt) has encrypted.
    pub fn cfb1_decrypt<'t>(&self, iv: &mut [u8], text: impl Into<Text<'t>>, bits: usize) -> Result<(), Error> {
        let text = text.into();
        let conditions = equal(iv.len(), A::BLOCK_SIZE).and(whole_bytes(bits, text.len()));
        // SAFETY: the text holds so many bits, and the IV has a block.
        text.pass(conditions, |out, input, _| unsafe {
            sys::haechi_cfb1_decrypt(self.raw(), iv.as_mut_ptr(), out, input, bits)
        })
    }
}

impl<A: Algorithm> DecryptKey<'_, A> {
    /// Decrypts what [`EncryptKey::cbc_cts`] has encrypted, with the same errors.
    pub fn cbc_cts<'t>(&self, iv: &[u8], variant: CbcCs, text: impl Into<Text<'t>>) -> Result<(), Error> {
        // SAFETY: as for encryption.
        text.into().pass(equal(iv.len(), A::BLOCK_SIZE), |out, input, len| unsafe {
            sys::haechi_cbc_cts_decrypt(self.raw(), iv.as_ptr(), variant as u32, out, input, len)
        })
    }
}

/// How many bytes [`EncryptKey::kwp_wrap`] makes of a key of `len` bytes.
pub const fn kwp_size(len: usize) -> usize {
    sys::HAECHI_KWP_SIZE(len)
}

/// The room of an output, zeroed, if it has the right length; the error otherwise.
fn sized(out: &mut [u8], wanted: Option<usize>) -> Result<*mut c_void, Error> {
    out.fill(0);
    match wanted {
        Some(wanted) if wanted == out.len() => Ok(out.as_mut_ptr().cast()),
        _ => Err(Error::Length),
    }
}

/// Key wrap (SP 800-38F; RFC 3394, RFC 5649): encrypts and authenticates a key under a key-encryption key. There is no nonce, so
/// that equal keys give equal wrapped keys.
impl<A: Block128> EncryptKey<'_, A> {
    /// KW: wraps a key of 16 bytes or more, a multiple of 8, into `out`, which has 8 bytes more.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `key` cannot be such a key, or `out` has another length.
    pub fn kw_wrap(&self, key: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let place = sized(out, key.len().checked_add(8))?;
        // SAFETY: the output has 8 bytes more than the input.
        check(unsafe { sys::haechi_kw_wrap(self.raw(), place, key.as_ptr().cast(), key.len()) })
    }

    /// KWP: wraps a key of 1 to 2^32 - 1 bytes into `out`, which has [`kwp_size`]`(key.len())` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `key` is empty, or `out` has another length. [`Error::Limit`]: `key` is too long.
    pub fn kwp_wrap(&self, key: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let place = sized(out, Some(kwp_size(key.len())))?;
        // SAFETY: the output has the size that the header asks for.
        check(unsafe { sys::haechi_kwp_wrap(self.raw(), place, key.as_ptr().cast(), key.len()) })
    }
}

impl<A: Block128> DecryptKey<'_, A> {
    /// Unwraps a key that [`EncryptKey::kw_wrap`] has wrapped into `out`, which is 8 bytes shorter than `wrapped`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: `wrapped` cannot be a wrapped key, or `out` has another length. [`Error::Forged`]: this is not what was
    /// wrapped; `out` is zero.
    pub fn kw_unwrap(&self, wrapped: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let place = sized(out, wrapped.len().checked_sub(8))?;
        // SAFETY: the output has 8 bytes fewer than the input.
        check(unsafe { sys::haechi_kw_unwrap(self.raw(), place, wrapped.as_ptr().cast(), wrapped.len()) })
    }

    /// Unwraps a key that [`EncryptKey::kwp_wrap`] has wrapped into `out`, which is 8 bytes shorter than `wrapped`, and returns how
    /// many bytes of it are the key; the others are zero. The errors are those of [`kw_unwrap`](Self::kw_unwrap).
    pub fn kwp_unwrap(&self, wrapped: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let place = sized(out, wrapped.len().checked_sub(8))?;
        let mut length = 0;
        // SAFETY: the output has 8 bytes fewer than the input.
        let code =
            unsafe { sys::haechi_kwp_unwrap(self.raw(), place, &mut length, wrapped.as_ptr().cast(), wrapped.len()) };
        check(code).map(|()| length)
    }
}
