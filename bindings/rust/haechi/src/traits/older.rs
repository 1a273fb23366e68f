// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `cipher` 0.4, `aead` 0.5 and `digest` 0.10.

#[cfg(feature = "alloc")]
use super::made;
use crate::algorithm::Algorithm;
use crate::{BlockCipher, DecryptKey, EncryptKey};
use crypto_common_0_1::{BlockSizeUser, KeySizeUser};
#[cfg(feature = "alloc")]
use crypto_common_0_1::{Key, KeyInit};

/// The sizes of a type, and its constructor for keys in boxes.
macro_rules! keyed {
    ($($type:ident)*) => { $(
        impl<A: Algorithm> KeySizeUser for $type<'_, A> {
            type KeySize = A::KeySize;
        }
        impl<A: Algorithm> BlockSizeUser for $type<'_, A> {
            type BlockSize = A::BlockSize;
        }
        #[cfg(feature = "alloc")]
        impl<A: Algorithm> KeyInit for $type<'static, A> {
            fn new(key: &Key<Self>) -> Self {
                made($type::from_key(key))
            }
        }
    )* };
}
keyed!(BlockCipher EncryptKey DecryptKey);

#[cfg(feature = "cipher-0-4")]
mod cipher {
    use crate::algorithm::Algorithm;
    use crate::text::Text;
    use crate::traits::{Batch, surely};
    use crate::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr, DecryptKey, EncryptKey, Ofb, Stream, StreamMode};
    use cipher_0_4::inout::{InOut, InOutBuf};
    use cipher_0_4::{
        Block, BlockBackend, BlockClosure, BlockDecrypt, BlockDecryptMut, BlockEncrypt, BlockEncryptMut, BlockSizeUser,
        InnerIvInit, Iv, IvSizeUser, IvState, ParBlocks, ParBlocksSizeUser, SeekNum, StreamCipher, StreamCipherError,
        StreamCipherSeek,
    };
    use crypto_common_0_1::InnerUser;

    /// A text of so many arrays of bytes, of which these pointers come from an InOut or an InOutBuf.
    fn text<'t, T>((input, out): (*const T, *mut T), count: usize) -> Text<'t> {
        // SAFETY: those types promise what Text does, and they live until the call is over for which this text is made.
        unsafe { Text::from_raw(input.cast(), out.cast(), count * size_of::<T>()) }
    }

    /// The three functions of a backend, by the one that takes any number of blocks. `Key` is a key and `Chain` a mode as
    /// the closures of these traits take them.
    macro_rules! backend {
        ($wrapper:ident, $type:ident, $call:ident) => {
            impl<A: Algorithm> BlockSizeUser for $wrapper<'_, $type<'_, A>> {
                type BlockSize = A::BlockSize;
            }
            impl<A: Algorithm> ParBlocksSizeUser for $wrapper<'_, $type<'_, A>> {
                type ParBlocksSize = Batch;
            }
            impl<A: Algorithm> BlockBackend for $wrapper<'_, $type<'_, A>> {
                fn proc_block(&mut self, block: InOut<'_, '_, Block<Self>>) {
                    surely(self.0.$call(text(block.into_raw(), 1)));
                }
                fn proc_par_blocks(&mut self, batch: InOut<'_, '_, ParBlocks<Self>>) {
                    surely(self.0.$call(text(batch.into_raw(), 1)));
                }
                fn proc_tail_blocks(&mut self, tail: InOutBuf<'_, '_, Block<Self>>) {
                    let count = tail.len();
                    surely(self.0.$call(text(tail.into_raw(), count)));
                }
            }
        };
    }

    struct Key<'k, T>(&'k T);
    struct Chain<'k, T>(&'k mut T);
    backend!(Key, EncryptKey, ecb);
    backend!(Key, DecryptKey, ecb);
    backend!(Chain, CbcEncryptor, encrypt);
    backend!(Chain, CbcDecryptor, decrypt);

    impl<A: Algorithm> cipher_0_4::BlockCipher for EncryptKey<'_, A> {}
    impl<A: Algorithm> cipher_0_4::BlockCipher for DecryptKey<'_, A> {}
    impl<A: Algorithm> cipher_0_4::BlockCipher for BlockCipher<'_, A> {}
    impl<A: Algorithm> BlockEncrypt for EncryptKey<'_, A> {
        fn encrypt_with_backend(&self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Key(self));
        }
    }
    impl<A: Algorithm> BlockDecrypt for DecryptKey<'_, A> {
        fn decrypt_with_backend(&self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Key(self));
        }
    }
    impl<A: Algorithm> BlockEncrypt for BlockCipher<'_, A> {
        fn encrypt_with_backend(&self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Key(self.encryption()));
        }
    }
    impl<A: Algorithm> BlockDecrypt for BlockCipher<'_, A> {
        fn decrypt_with_backend(&self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Key(self.decryption()));
        }
    }

    /// What both directions of CBC have: sizes, the constructor from key and IV, and the IV for the blocks that follow.
    macro_rules! cbc {
        ($type:ident, $key:ident) => {
            impl<A: Algorithm> BlockSizeUser for $type<'_, A> {
                type BlockSize = A::BlockSize;
            }
            impl<A: Algorithm> IvSizeUser for $type<'_, A> {
                type IvSize = A::BlockSize;
            }
            impl<'a, A: Algorithm> InnerUser for $type<'a, A> {
                type Inner = $key<'a, A>;
            }
            impl<'a, A: Algorithm> InnerIvInit for $type<'a, A> {
                fn inner_iv_init(key: $key<'a, A>, iv: &Iv<Self>) -> Self {
                    surely($type::new(key, iv))
                }
            }
            impl<A: Algorithm> IvState for $type<'_, A> {
                fn iv_state(&self) -> Iv<Self> {
                    Iv::<Self>::clone_from_slice(&self.iv[..A::BLOCK_SIZE])
                }
            }
        };
    }
    cbc!(CbcEncryptor, EncryptKey);
    cbc!(CbcDecryptor, DecryptKey);

    impl<A: Algorithm> BlockEncryptMut for CbcEncryptor<'_, A> {
        fn encrypt_with_backend_mut(&mut self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Chain(self));
        }
    }
    impl<A: Algorithm> BlockDecryptMut for CbcDecryptor<'_, A> {
        fn decrypt_with_backend_mut(&mut self, f: impl BlockClosure<BlockSize = A::BlockSize>) {
            f.call(&mut Chain(self));
        }
    }

    impl<A: Algorithm, M: StreamMode<A>> IvSizeUser for Stream<'_, A, M> {
        type IvSize = A::BlockSize;
    }
    impl<'a, A: Algorithm, M: StreamMode<A>> InnerUser for Stream<'a, A, M> {
        type Inner = EncryptKey<'a, A>;
    }
    impl<'a, A: Algorithm, M: StreamMode<A>> InnerIvInit for Stream<'a, A, M> {
        fn inner_iv_init(key: EncryptKey<'a, A>, iv: &Iv<Self>) -> Self {
            surely(Stream::new(key, iv))
        }
    }

    /// The key stream of these modes has no end: the counter wraps.
    macro_rules! stream {
        ($mode:ident) => {
            impl<A: Algorithm> StreamCipher for Stream<'_, A, $mode> {
                fn try_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) -> Result<(), StreamCipherError> {
                    let count = buffer.len();
                    surely(self.apply(text(buffer.into_raw(), count)));
                    Ok(())
                }
            }
        };
    }
    stream!(Ctr);
    stream!(Ofb);

    impl<A: Algorithm> StreamCipherSeek for Stream<'_, A, Ctr> {
        fn try_current_pos<T: SeekNum>(&self) -> Result<T, cipher_0_4::OverflowError> {
            // The trait counts the blocks that have begun, and the bytes of the last one that have been used, if any.
            let (position, size) = (self.position(), A::BLOCK_SIZE as u128);
            T::from_block_byte(position.div_ceil(size), (position % size) as u8, size as u8)
        }
        fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
            let (block, byte) = position.into_block_byte::<u128>(A::BLOCK_SIZE as u8).map_err(|_| StreamCipherError)?;
            let position = block.checked_mul(A::BLOCK_SIZE as u128).and_then(|bytes| bytes.checked_add(byte.into()));
            self.seek(position.ok_or(StreamCipherError)?).map_err(|_| StreamCipherError)
        }
    }
}

#[cfg(feature = "aead-0-5")]
mod aead {
    use crate::algorithm::{Algorithm, Length};
    use crate::{Aead, AeadMode};
    use aead_0_5::{AeadCore, AeadInPlace, Error, Nonce, Tag};
    use crypto_common_0_1::KeySizeUser;
    #[cfg(feature = "alloc")]
    use crypto_common_0_1::{Key, KeyInit};

    impl<A: Algorithm, M: AeadMode<A>, N, T> KeySizeUser for Aead<'_, A, M, N, T> {
        type KeySize = A::KeySize;
    }
    #[cfg(feature = "alloc")]
    impl<A: Algorithm, M: AeadMode<A>, N: Length, T: Length> KeyInit for Aead<'static, A, M, N, T> {
        fn new(key: &Key<Self>) -> Self {
            crate::traits::made(Aead::from_key(key))
        }
    }
    impl<A: Algorithm, M: AeadMode<A>, N: Length, T: Length> AeadCore for Aead<'_, A, M, N, T> {
        type NonceSize = N;
        type TagSize = T;
        type CiphertextOverhead = typenum::U0;
    }
    impl<A: Algorithm, M: AeadMode<A>, N: Length, T: Length> AeadInPlace for Aead<'_, A, M, N, T> {
        fn encrypt_in_place_detached(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: &mut [u8],
        ) -> Result<Tag<Self>, Error> {
            let mut tag = Tag::<Self>::default();
            self.seal(nonce, aad, buffer, &mut tag).map_err(|_| Error)?;
            Ok(tag)
        }
        fn decrypt_in_place_detached(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: &mut [u8],
            tag: &Tag<Self>,
        ) -> Result<(), Error> {
            self.open(nonce, aad, buffer, tag).map_err(|_| Error)
        }
    }
}

#[cfg(feature = "digest-0-10")]
mod mac {
    use crate::algorithm::Algorithm;
    use crate::traits::surely;
    use crate::{Cmac, EncryptKey};
    use crypto_common_0_1::{InnerInit, InnerUser};
    use digest_0_10::{FixedOutput, FixedOutputReset, MacMarker, Output, OutputSizeUser, Reset, Update};

    impl<A: Algorithm> MacMarker for Cmac<'_, A> {}
    impl<'a, A: Algorithm> InnerUser for Cmac<'a, A> {
        type Inner = EncryptKey<'a, A>;
    }
    impl<'a, A: Algorithm> InnerInit for Cmac<'a, A> {
        fn inner_init(key: EncryptKey<'a, A>) -> Self {
            Cmac::new(key)
        }
    }
    impl<A: Algorithm> OutputSizeUser for Cmac<'_, A> {
        type OutputSize = A::BlockSize;
    }
    impl<A: Algorithm> Update for Cmac<'_, A> {
        fn update(&mut self, data: &[u8]) {
            surely(Cmac::update(self, data));
        }
    }
    impl<A: Algorithm> Reset for Cmac<'_, A> {
        fn reset(&mut self) {
            self.restart();
        }
    }
    impl<A: Algorithm> FixedOutput for Cmac<'_, A> {
        fn finalize_into(mut self, out: &mut Output<Self>) {
            surely(self.tag(out));
        }
    }
    impl<A: Algorithm> FixedOutputReset for Cmac<'_, A> {
        fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
            surely(self.tag(out));
        }
    }
}
