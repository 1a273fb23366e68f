// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RustCrypto's traits. There are two generations of them, whose arrays differ: `cipher` 0.4, `aead` 0.5 and `digest` 0.10 are of the older
//! one, `cipher` 0.5, `aead` 0.6 and `digest` 0.11 of the newer.

#[cfg(feature = "common-0-2")]
mod newer;
#[cfg(feature = "common-0-1")]
mod older;
mod rng;
#[cfg(feature = "zeroize")]
mod wiped;

/// How many blocks the traits hand over at once: enough for the widest kernel, and 1 KiB at most.
#[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5"))]
type Batch = typenum::U64;

/// The key that a trait's constructor makes, which has no error to return. The length of a key is part of its type there.
#[cfg(all(feature = "alloc", any(feature = "common-0-1", feature = "common-0-2")))]
fn made<T>(result: Result<T, crate::Error>) -> T {
    result.expect("this CPU can run a kernel of the build")
}

/// For lengths that types have checked already.
#[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5", feature = "digest-0-10", feature = "digest-0-11"))]
fn surely<T>(result: Result<T, crate::Error>) -> T {
    result.expect("lengths are those of the types")
}
