// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generators fail where they need entropy, so that they are `TryRng` of `rand_core` 0.10 and `TryRngCore` of 0.9. `UnwrapErr` of that crate makes
//! a generator that panics instead, which `RngCore` of 0.6 does at once.

#[cfg(any(feature = "rand-core-0-6", feature = "rand-core-0-9", feature = "rand-core-0-10"))]
mod generators {
    use crate::{Algorithm, Drbg};

    /// Declares the traits of a type, whose `fill` writes random bytes.
    macro_rules! generator {
        ([$($parameters:tt)*], $type:ty) => {
            #[cfg(feature = "rand-core-0-10")]
            impl<$($parameters)*> rand_core_0_10::TryRng for $type {
                type Error = crate::Error;
                fn try_next_u32(&mut self) -> Result<u32, crate::Error> {
                    let mut bytes = [0; 4];
                    self.fill(&mut bytes)?;
                    Ok(u32::from_le_bytes(bytes))
                }
                fn try_next_u64(&mut self) -> Result<u64, crate::Error> {
                    let mut bytes = [0; 8];
                    self.fill(&mut bytes)?;
                    Ok(u64::from_le_bytes(bytes))
                }
                fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), crate::Error> {
                    self.fill(out)
                }
            }
            #[cfg(feature = "rand-core-0-10")]
            impl<$($parameters)*> rand_core_0_10::TryCryptoRng for $type {}

            #[cfg(feature = "rand-core-0-9")]
            impl<$($parameters)*> rand_core_0_9::TryRngCore for $type {
                type Error = crate::Error;
                fn try_next_u32(&mut self) -> Result<u32, crate::Error> {
                    let mut bytes = [0; 4];
                    self.fill(&mut bytes)?;
                    Ok(u32::from_le_bytes(bytes))
                }
                fn try_next_u64(&mut self) -> Result<u64, crate::Error> {
                    let mut bytes = [0; 8];
                    self.fill(&mut bytes)?;
                    Ok(u64::from_le_bytes(bytes))
                }
                fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), crate::Error> {
                    self.fill(out)
                }
            }
            #[cfg(feature = "rand-core-0-9")]
            impl<$($parameters)*> rand_core_0_9::TryCryptoRng for $type {}

            /// The functions without `try` panic where the generator needs entropy.
            #[cfg(feature = "rand-core-0-6")]
            impl<$($parameters)*> rand_core_0_6::RngCore for $type {
                fn next_u32(&mut self) -> u32 {
                    rand_core_0_6::impls::next_u32_via_fill(self)
                }
                fn next_u64(&mut self) -> u64 {
                    rand_core_0_6::impls::next_u64_via_fill(self)
                }
                fn fill_bytes(&mut self, out: &mut [u8]) {
                    self.fill(out).expect("the generator has entropy");
                }
                fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
                    // The crate reserves codes from CUSTOM_START on for others.
                    let code = rand_core_0_6::Error::CUSTOM_START.saturating_add(1);
                    let error = core::num::NonZeroU32::new(code).expect("it is above 0");
                    self.fill(out).map_err(|_| error.into())
                }
            }
            #[cfg(feature = "rand-core-0-6")]
            impl<$($parameters)*> rand_core_0_6::CryptoRng for $type {}
        };
    }

    generator!([A: Algorithm], Drbg<'_, A>);
    #[cfg(all(feature = "std", unix))]
    generator!([], crate::SystemRng);
}
