// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `cipher` 0.5, `aead` 0.6 and `digest` 0.11.

#[cfg(feature = "alloc")]
use super::made;
use crate::algorithm::Algorithm;
use crate::{BlockCipher, DecryptKey, EncryptKey};
use crypto_common_0_2::{BlockSizeUser, KeySizeUser};
#[cfg(feature = "alloc")]
use crypto_common_0_2::{Key, KeyInit};

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

#[cfg(feature = "cipher-0-5")]
mod cipher {
    use crate::algorithm::Algorithm;
    use crate::text::Text;
    use crate::traits::{Batch, surely};
    use crate::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr, DecryptKey, EncryptKey, Ofb, Stream, StreamMode};
    use cipher_0_5::inout::{InOut, InOutBuf};
    use cipher_0_5::{
        Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
        BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt,
        BlockModeEncBackend, BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InnerIvInit, Iv, IvSizeUser,
        IvState, OverflowError, ParBlocks, ParBlocksSizeUser, SeekNum, StreamCipher, StreamCipherError,
        StreamCipherSeek,
    };
    use crypto_common_0_2::InnerUser;

    /// A text of so many arrays of bytes, of which these pointers come from an InOut or an InOutBuf.
    fn text<'t, T>((input, out): (*const T, *mut T), count: usize) -> Text<'t> {
        // SAFETY: those types promise what Text does, and they live until the call is over for which this text is made.
        unsafe { Text::from_raw(input.cast(), out.cast(), count * size_of::<T>()) }
    }

    /// The three functions of a backend, by the one that takes any number of blocks.
    macro_rules! backend {
        ([$($mutable:ident)?], $trait:ident, $type:ident, $call:ident, $one:ident, $batch:ident, $tail:ident) => {
            impl<A: Algorithm> BlockSizeUser for Backend<'_, $type<'_, A>> {
                type BlockSize = A::BlockSize;
            }
            impl<A: Algorithm> ParBlocksSizeUser for Backend<'_, $type<'_, A>> {
                type ParBlocksSize = Batch;
            }
            impl<A: Algorithm> $trait for Backend<'_, $type<'_, A>> {
                fn $one(&$($mutable)? self, block: InOut<'_, '_, Block<Self>>) {
                    surely(self.0.$call(text(block.into_raw(), 1)));
                }
                fn $batch(&$($mutable)? self, batch: InOut<'_, '_, ParBlocks<Self>>) {
                    surely(self.0.$call(text(batch.into_raw(), 1)));
                }
                fn $tail(&$($mutable)? self, tail: InOutBuf<'_, '_, Block<Self>>) {
                    let count = tail.len();
                    surely(self.0.$call(text(tail.into_raw(), count)));
                }
            }
        };
    }

    /// A key as the closures of these traits take it.
    struct Backend<'k, T>(&'k T);
    backend!([], BlockCipherEncBackend, EncryptKey, ecb, encrypt_block, encrypt_par_blocks, encrypt_tail_blocks);
    backend!([], BlockCipherDecBackend, DecryptKey, ecb, decrypt_block, decrypt_par_blocks, decrypt_tail_blocks);

    impl<A: Algorithm> BlockCipherEncrypt for EncryptKey<'_, A> {
        fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = A::BlockSize>) {
            f.call(&Backend(self));
        }
    }
    impl<A: Algorithm> BlockCipherDecrypt for DecryptKey<'_, A> {
        fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = A::BlockSize>) {
            f.call(&Backend(self));
        }
    }
    impl<A: Algorithm> BlockCipherEncrypt for BlockCipher<'_, A> {
        fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = A::BlockSize>) {
            f.call(&Backend(self.encryption()));
        }
    }
    impl<A: Algorithm> BlockCipherDecrypt for BlockCipher<'_, A> {
        fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = A::BlockSize>) {
            f.call(&Backend(self.decryption()));
        }
    }

    // ---- Cipher block chaining.

    /// A chain is its own backend, behind a name that its users do not see.
    mod chain {
        use super::*;

        pub(super) struct Backend<'k, T>(pub(super) &'k mut T);
        backend!([mut], BlockModeEncBackend, CbcEncryptor, encrypt, encrypt_block, encrypt_par_blocks, encrypt_tail_blocks);
        backend!([mut], BlockModeDecBackend, CbcDecryptor, decrypt, decrypt_block, decrypt_par_blocks, decrypt_tail_blocks);
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
                    Iv::<Self>::from_fn(|i| self.iv[i])
                }
            }
        };
    }
    cbc!(CbcEncryptor, EncryptKey);
    cbc!(CbcDecryptor, DecryptKey);

    impl<A: Algorithm> BlockModeEncrypt for CbcEncryptor<'_, A> {
        fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = A::BlockSize>) {
            f.call(&mut chain::Backend(self));
        }
    }
    impl<A: Algorithm> BlockModeDecrypt for CbcDecryptor<'_, A> {
        fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = A::BlockSize>) {
            f.call(&mut chain::Backend(self));
        }
    }

    // ---- Streams.

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
                fn check_remaining(&self, _: usize) -> Result<(), StreamCipherError> {
                    Ok(())
                }
                fn unchecked_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) {
                    let count = buffer.len();
                    surely(self.apply(text(buffer.into_raw(), count)));
                }
                fn unchecked_write_keystream(&mut self, buffer: &mut [u8]) {
                    buffer.fill(0);
                    surely(self.apply(buffer));
                }
            }
        };
    }
    stream!(Ctr);
    stream!(Ofb);

    impl<A: Algorithm> StreamCipherSeek for Stream<'_, A, Ctr> {
        fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
            let (position, size) = (self.position(), A::BLOCK_SIZE as u128);
            // The trait counts the blocks that have begun, and the bytes of the last one that have been used.
            match (position.div_ceil(size), (position % size) as u8) {
                (0, _) => T::from_block_byte(0u128, size as u8, size as u8),
                (blocks, 0) => T::from_block_byte(blocks, size as u8, size as u8),
                (blocks, used) => T::from_block_byte(blocks, used, size as u8),
            }
        }
        fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
            let (block, byte) = position.into_block_byte::<u128>(A::BLOCK_SIZE as u8).map_err(|_| StreamCipherError)?;
            let position = block.checked_mul(A::BLOCK_SIZE as u128).and_then(|bytes| bytes.checked_add(byte.into()));
            self.seek(position.ok_or(StreamCipherError)?).map_err(|_| StreamCipherError)
        }
    }
}

#[cfg(feature = "aead-0-6")]
mod aead {
    use crate::algorithm::{Algorithm, Length};
    use crate::text::Text;
    use crate::{Aead, AeadMode};
    use aead_0_6::inout::InOutBuf;
    use aead_0_6::{AeadCore, AeadInOut, Error, Nonce, Tag, TagPosition};
    use crypto_common_0_2::KeySizeUser;
    #[cfg(feature = "alloc")]
    use crypto_common_0_2::{Key, KeyInit};

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
        const TAG_POSITION: TagPosition = TagPosition::Postfix;
    }

    fn text<'t>(buffer: InOutBuf<'_, 't, u8>) -> Text<'t> {
        let len = buffer.len();
        let (input, out) = buffer.into_raw();
        // SAFETY: an InOutBuf promises what Text does, and lives until the call is over for which this text is made.
        unsafe { Text::from_raw(input, out, len) }
    }

    impl<A: Algorithm, M: AeadMode<A>, N: Length, T: Length> AeadInOut for Aead<'_, A, M, N, T> {
        fn encrypt_inout_detached(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: InOutBuf<'_, '_, u8>,
        ) -> Result<Tag<Self>, Error> {
            let mut tag = Tag::<Self>::default();
            self.seal(nonce, aad, text(buffer), &mut tag).map_err(|_| Error)?;
            Ok(tag)
        }
        fn decrypt_inout_detached(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: InOutBuf<'_, '_, u8>,
            tag: &Tag<Self>,
        ) -> Result<(), Error> {
            self.open(nonce, aad, text(buffer), tag).map_err(|_| Error)
        }
    }
}

#[cfg(feature = "digest-0-11")]
mod mac {
    use crate::algorithm::Algorithm;
    use crate::traits::surely;
    use crate::{Cmac, EncryptKey};
    use crypto_common_0_2::{InnerInit, InnerUser};
    use digest_0_11::{FixedOutput, FixedOutputReset, MacMarker, Output, OutputSizeUser, Reset, Update};

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
