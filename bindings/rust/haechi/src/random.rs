// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::algorithm::Algorithm;
use crate::error::{Error, check};
use crate::key::named;
use crate::place::{Place, Room};
use core::fmt;
use core::marker::PhantomData;
use haechi_sys as sys;

/// Room for a generator, for programs without an allocator.
pub type DrbgRoom = Room<sys::haechi_drbg>;

/// How a [`Drbg`] uses entropy.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct DrbgOptions {
    /// The entropy is uniform; do without the derivation function.
    pub no_derivation_function: bool,
    /// Every read needs a reseed before it.
    pub prediction_resistance: bool,
}

impl DrbgOptions {
    fn flags(self) -> u32 {
        let if_set = |set: bool, flag: u32| if set { flag } else { 0 };
        if_set(self.no_derivation_function, sys::HAECHI_DRBG_NO_DF)
            | if_set(self.prediction_resistance, sys::HAECHI_DRBG_PREDICTION_RESISTANCE)
    }
}

/// CTR_DRBG (SP 800-90A, 10.2.1), a generator of random bytes from entropy that the caller provides.
///
/// Whoever knows its state can compute all later output, but no earlier one. It therefore stands in a box or a room, and there is no
/// `Clone`: a copy would give the same bytes again. Nobody has validated this library under FIPS 140 or KCMVP.
///
/// ```
/// use haechi::{Drbg, DrbgOptions, algorithm::Lea256};
///
/// # let (entropy, nonce) = ([1; 32], [2; 16]);
/// let mut generator = Drbg::<Lea256>::new(DrbgOptions::default(), &entropy, &nonce, b"this program")?;
/// let mut bytes = [0; 100];
/// generator.fill(&mut bytes)?;
/// # assert_ne!(bytes, [0; 100]);
/// # Ok::<(), haechi::Error>(())
/// ```
pub struct Drbg<'a, A: Algorithm> {
    place: Place<'a, sys::haechi_drbg>,
    cipher: PhantomData<A>,
}

impl<'a, A: Algorithm> Drbg<'a, A> {
    fn init(
        mut place: Place<'a, sys::haechi_drbg>,
        options: DrbgOptions,
        entropy: &[u8],
        nonce: &[u8],
        person: &[u8],
    ) -> Result<Self, Error> {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            let (entropy, entropylen) = (entropy.as_ptr().cast(), entropy.len());
            let (nonce, noncelen) = (nonce.as_ptr().cast(), nonce.len());
            let (person, personlen) = (person.as_ptr().cast(), person.len());
            let d = place.get_mut();
            sys::haechi_drbg_init(
                d,
                A::drbg(),
                options.flags(),
                entropy,
                entropylen,
                nonce,
                noncelen,
                person,
                personlen,
            )
        })?;
        Ok(Self { place, cipher: PhantomData })
    }

    /// Makes a generator in a box. The entropy must have at least as many bits of security as the key has bits. `person`
    /// distinguishes this generator from others and may be empty.
    ///
    /// With the derivation function, `entropy` is at least as long as the cipher's key, `nonce` at least half as long, and each input has
    /// at most 2^30 - 1 bytes. Without it, `entropy` is exactly as long as key and block together, `nonce` is empty, and `person`
    /// is at most that long.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]: entropy or nonce has a wrong length. [`Error::Limit`]: an input is too long.
    #[cfg(feature = "alloc")]
    pub fn new(options: DrbgOptions, entropy: &[u8], nonce: &[u8], person: &[u8]) -> Result<Drbg<'static, A>, Error> {
        Drbg::init(Place::boxed(), options, entropy, nonce, person)
    }

    /// Makes a generator in a room of the caller. Lengths and errors are those of `new`.
    pub fn in_room(
        room: &'a mut DrbgRoom,
        options: DrbgOptions,
        entropy: &[u8],
        nonce: &[u8],
        person: &[u8],
    ) -> Result<Self, Error> {
        Self::init(Place::Lent(room), options, entropy, nonce, person)
    }

    /// Takes fresh entropy, and additional input, which may be empty. Lengths and errors are those of [`in_room`](Self::in_room). On an
    /// error the state is as it was.
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), Error> {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            let (entropy, entropylen) = (entropy.as_ptr().cast(), entropy.len());
            sys::haechi_drbg_reseed(
                self.place.get_mut(),
                entropy,
                entropylen,
                additional.as_ptr().cast(),
                additional.len(),
            )
        })
    }

    /// Writes random bytes, as one request of the standard. Additional input may be empty.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`]: `out` has more than [`A::DRBG_REQUEST`](Algorithm::DRBG_REQUEST) bytes. [`Error::Reseed`]: the generator needs
    /// a reseed: after 2^32 - 2 reads, and before each read with prediction resistance. [`Error::Use`]: there is additional input
    /// with prediction resistance, where it goes to the reseed. `out` is zero then, and the state is as it was.
    pub fn read(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            let (to, len) = (out.as_mut_ptr().cast(), out.len());
            sys::haechi_drbg_read(self.place.get_mut(), to, len, additional.as_ptr().cast(), additional.len())
        })
    }

    /// Writes any number of random bytes, by as many requests as that takes. The errors are those of [`read`](Self::read), after which
    /// all of `out` is zero.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let done = out.chunks_mut(A::DRBG_REQUEST).try_for_each(|part| self.read(part, b""));
        if done.is_err() {
            out.fill(0);
        }
        done
    }

    /// Runs the health test of SP 800-90A, 11.3, on an instance of its own.
    ///
    /// # Errors
    ///
    /// [`Error::SelfTest`]: a check failed.
    pub fn self_test() -> Result<(), Error> {
        // SAFETY: the kind is a constant of the library.
        check(unsafe { sys::haechi_drbg_test(A::drbg()) })
    }
}

named!(Drbg);

/// Random bytes from CTR_DRBG over LEA-256, which the operating system seeds and reseeds.
///
/// Each thread has a generator of its own. After `fork`, parent and child give different bytes. Signal handlers must not use it.
/// Whoever restores a snapshot of a virtual machine, or starts several machines from one, calls [`reseed`](Self::reseed) in each of them
/// before any random bytes are taken.
///
/// ```
/// let mut key = [0; 32];
/// haechi::SystemRng.fill(&mut key)?;
/// # assert_ne!(key, [0; 32]);
/// # Ok::<(), haechi::Error>(())
/// ```
#[cfg(all(feature = "std", unix))]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRng;

#[cfg(all(feature = "std", unix))]
impl SystemRng {
    /// Writes any number of random bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Reseed`]: the system gave no entropy. `out` is zero then.
    pub fn fill(self, out: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the bytes are there.
        check(unsafe { sys::haechi_random(out.as_mut_ptr().cast(), out.len()) })
    }

    /// Reseeds the calling thread's generator at once, and every other thread's before its next byte.
    ///
    /// # Errors
    ///
    /// [`Error::Reseed`]: the system gave no entropy; each generator tries again before its next byte.
    pub fn reseed(self) -> Result<(), Error> {
        check(sys::haechi_random_reseed())
    }
}
