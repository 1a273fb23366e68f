// SPDX-License-Identifier: Apache-2.0 OR MIT
use core::ffi::c_int;
use core::fmt;

/// Why a call failed. It has zeroed its output then, and has changed nothing else.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no such key: its length is wrong, or the halves of a key for XTS are equal.
    Key,
    /// The text is not whole blocks, input and output differ in length, or a nonce, an IV, a tag or entropy is too short or
    /// too long.
    Length,
    /// Tags differ: the message was forged or damaged, or the key is another one.
    Forged,
    /// The object cannot be used in this way, for instance because an earlier call on it failed.
    Use,
    /// The caller gives or asks for more than one call or one key allows.
    Limit,
    /// The generator needs fresh entropy first, or the operating system gave none.
    Reseed,
    /// This CPU can run no kernel of the build.
    Cpu,
    /// A self-test has failed: do not use what it tested.
    SelfTest,
    /// A code that this version of the crate does not know.
    Unknown,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Key => "there is no such key: its length is wrong, or its halves are equal",
            Error::Length => "a text, nonce, IV, tag or entropy has a length that is not possible here",
            Error::Forged => "this is not what was sealed, or the key is another one",
            Error::Use => "the object cannot be used in this way",
            Error::Limit => "more than one call or one key allows",
            Error::Reseed => "the generator needs fresh entropy",
            Error::Cpu => "this CPU can run no kernel of the build",
            Error::SelfTest => "a self-test has failed",
            Error::Unknown => "the library gave a code that is not known here",
        })
    }
}

impl core::error::Error for Error {}

/// What a code of the C library means.
pub(crate) fn check(code: c_int) -> Result<(), Error> {
    Err(match code {
        haechi_sys::HAECHI_OK => return Ok(()),
        haechi_sys::HAECHI_EKEY => Error::Key,
        haechi_sys::HAECHI_ELEN => Error::Length,
        haechi_sys::HAECHI_EAUTH => Error::Forged,
        haechi_sys::HAECHI_EUSE => Error::Use,
        haechi_sys::HAECHI_ELIMIT => Error::Limit,
        haechi_sys::HAECHI_ERESEED => Error::Reseed,
        haechi_sys::HAECHI_ECPU => Error::Cpu,
        haechi_sys::HAECHI_ETEST => Error::SelfTest,
        _ => Error::Unknown, // HAECHI_EROOM cannot come, because rooms are those of haechi.h
    })
}

/// `Error::Length` unless the lengths agree.
pub(crate) fn equal(length: usize, wanted: usize) -> Result<(), Error> {
    if length == wanted { Ok(()) } else { Err(Error::Length) }
}
