// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All objects zero what they hold of a key when they are dropped, with or without this feature. Here they tell it to generic code.

use crate::algorithm::{Algorithm, Block128};
use crate::pieces::{Opener, Sealer};
use crate::{
    Aead, AeadMode, BlockCipher, CbcDecryptor, CbcEncryptor, Cmac, DecryptKey, Drbg, EncryptKey, Stream, StreamMode,
    XtsDecryptor, XtsEncryptor,
};
use zeroize::ZeroizeOnDrop;

impl<A: Algorithm> ZeroizeOnDrop for EncryptKey<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for DecryptKey<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for BlockCipher<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for CbcEncryptor<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for CbcDecryptor<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for Cmac<'_, A> {}
impl<A: Algorithm> ZeroizeOnDrop for Drbg<'_, A> {}
impl<A: Algorithm, M: StreamMode<A>> ZeroizeOnDrop for Stream<'_, A, M> {}
impl<A: Algorithm, M: AeadMode<A>, N, T> ZeroizeOnDrop for Aead<'_, A, M, N, T> {}
impl<A: Algorithm, M: AeadMode<A>, N, T> ZeroizeOnDrop for Sealer<'_, A, M, N, T> {}
impl<A: Algorithm, M: AeadMode<A>, N, T> ZeroizeOnDrop for Opener<'_, A, M, N, T> {}
impl<A: Block128> ZeroizeOnDrop for XtsEncryptor<'_, A> {}
impl<A: Block128> ZeroizeOnDrop for XtsDecryptor<'_, A> {}
