// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::error::{Error, check, equal};
use core::ffi::{c_int, c_void};
use core::marker::PhantomData;

/// A text and the place for what becomes of it: one buffer, which a call overwrites, or two of the same length.
///
/// Functions take whatever converts into it: `&mut [u8]`, `&mut [u8; N]`, `&mut Vec<u8>`, or a pair `(&[u8], &mut [u8])` of input
/// and output. Where the lengths of a pair differ, the call zeroes the output and returns [`Error::Length`].
///
/// ```
/// # use haechi::Lea128Enc;
/// let key = Lea128Enc::from_key(&[7; 16])?;
/// let text = *b"Sixteen letters.";
/// let (mut in_place, mut apart) = (text, [0; 16]);
/// key.ecb(&mut in_place)?;
/// key.ecb((&text[..], &mut apart[..]))?;
/// assert_eq!(in_place, apart);
/// # Ok::<(), haechi::Error>(())
/// ```
#[derive(Debug)]
pub struct Text<'a> {
    /// One buffer stays one pointer to C, since two references to it could not be alive at the same time.
    input: *const u8,
    input_len: usize,
    out: *mut u8,
    len: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> From<&'a mut [u8]> for Text<'a> {
    fn from(both: &'a mut [u8]) -> Self {
        let (out, len) = (both.as_mut_ptr(), both.len());
        Self { input: out, input_len: len, out, len, borrowed: PhantomData }
    }
}

impl<'a, const N: usize> From<&'a mut [u8; N]> for Text<'a> {
    fn from(both: &'a mut [u8; N]) -> Self {
        both.as_mut_slice().into()
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a mut alloc::vec::Vec<u8>> for Text<'a> {
    fn from(both: &'a mut alloc::vec::Vec<u8>) -> Self {
        both.as_mut_slice().into()
    }
}

impl<'a> From<(&'a [u8], &'a mut [u8])> for Text<'a> {
    fn from((input, out): (&'a [u8], &'a mut [u8])) -> Self {
        let (input, input_len) = (input.as_ptr(), input.len());
        Self { input, input_len, out: out.as_mut_ptr(), len: out.len(), borrowed: PhantomData }
    }
}

impl Text<'_> {
    /// A text from raw parts.
    ///
    /// # Safety
    ///
    /// `len` bytes can be read at `input` and written at `out` as long as the text lives, and nobody else uses the latter. The
    /// two are equal or do not overlap.
    #[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5", feature = "aead-0-6"))]
    pub(crate) unsafe fn from_raw(input: *const u8, out: *mut u8, len: usize) -> Self {
        Self { input, input_len: len, out, len, borrowed: PhantomData }
    }

    /// How many bytes the output has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn input(&self) -> *const c_void {
        self.input.cast()
    }

    pub(crate) fn out(&self) -> *mut c_void {
        self.out.cast()
    }

    /// Whether input and output have the same length.
    pub(crate) fn is_even(&self) -> Result<(), Error> {
        equal(self.input_len, self.len)
    }

    /// Calls C with output, input and length if the caller's conditions hold; if they do not, zeroes the output, as C does
    /// on errors.
    pub(crate) fn pass(
        self,
        conditions: Result<(), Error>,
        call: impl FnOnce(*mut c_void, *const c_void, usize) -> c_int,
    ) -> Result<(), Error> {
        match self.is_even().and(conditions) {
            Ok(()) => check(call(self.out(), self.input(), self.len)),
            Err(error) => {
                // SAFETY: these bytes are borrowed for writing.
                unsafe { self.out.write_bytes(0, self.len) };
                Err(error)
            }
        }
    }
}
