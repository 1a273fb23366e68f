// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where keys stand. A move in Rust copies bytes and leaves the old ones behind, so that no expanded key is ever inside an
//! object that moves: it is in a box, or in a room that the program lends.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::mem::{MaybeUninit, size_of};

/// The types of C that rooms hold.
///
/// # Safety
///
/// All bytes may be zero. What they point to are constants of the library, which every thread may read, and nothing points to
/// themselves. C changes them only where it is given a pointer to `mut`.
pub unsafe trait Content {}

/// A place for an expanded key or a generator, which a program without an allocator lends to an object.
///
/// The object borrows the room as long as it lives, so that the room cannot move meanwhile. When the object is dropped, it
/// zeroes the room. (A program that prevents this by `core::mem::forget` leaves the key where it is.)
///
/// ```
/// use haechi::{EncryptKey, KeyRoom, algorithm::Hight};
///
/// let mut room = KeyRoom::<Hight>::new();
/// let key = EncryptKey::<Hight>::in_room(&mut room, &[0; 16])?;
/// key.ecb(&mut [0; 8])?;
/// # Ok::<(), haechi::Error>(())
/// ```
#[repr(transparent)]
pub struct Room<T: Content>(T);

// SAFETY: Content promises what is needed. The pointers in it are those that keep the compiler from seeing this.
unsafe impl<T: Content> Send for Room<T> {}
unsafe impl<T: Content> Sync for Room<T> {}

impl<T: Content> Room<T> {
    /// An empty room, all zeros.
    pub const fn new() -> Self {
        // SAFETY: Content promises that all bytes may be zero.
        Self(unsafe { MaybeUninit::zeroed().assume_init() })
    }

    pub(crate) fn wipe(&mut self) {
        // SAFETY: the room is borrowed for writing, and may be zero.
        unsafe { haechi_sys::haechi_wipe((&raw mut self.0).cast(), size_of::<T>()) }
    }
}

impl<T: Content> Default for Room<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A room that an object owns, was lent, or shares with another object.
pub(crate) enum Place<'a, T: Content> {
    #[cfg(feature = "alloc")]
    Owned(Box<Room<T>>),
    Lent(&'a mut Room<T>),
    Shared(&'a Room<T>),
}

impl<T: Content> Place<'_, T> {
    #[cfg(feature = "alloc")]
    pub(crate) fn boxed() -> Self {
        Self::Owned(Box::default())
    }

    fn room(&self) -> &Room<T> {
        match self {
            #[cfg(feature = "alloc")]
            Self::Owned(room) => room,
            Self::Lent(room) => room,
            Self::Shared(room) => room,
        }
    }

    /// Its own room; none where it is shared.
    fn own_room(&mut self) -> Option<&mut Room<T>> {
        match self {
            #[cfg(feature = "alloc")]
            Self::Owned(room) => Some(room),
            Self::Lent(room) => Some(room),
            Self::Shared(_) => None,
        }
    }

    /// For C, which reads there.
    pub(crate) fn get<Head>(&self) -> *const Head {
        (&raw const self.room().0).cast()
    }

    /// For C, which writes there.
    pub(crate) fn get_mut<Head>(&mut self) -> *mut Head {
        let room = self.own_room().expect("an object that changes its room does not share it");
        (&raw mut room.0).cast()
    }

    pub(crate) fn share(&self) -> Place<'_, T> {
        Place::Shared(self.room())
    }
}

impl<T: Content> Drop for Place<'_, T> {
    fn drop(&mut self) {
        if let Some(room) = self.own_room() {
            room.wipe();
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Content + Copy> Clone for Place<'_, T> {
    fn clone(&self) -> Self {
        if let Self::Shared(room) = self {
            return Self::Shared(room);
        }
        let mut copy = Self::boxed();
        // SAFETY: both are rooms of this type, the new one is nobody else's, and nothing in a room points into it. The copy
        // goes from room to room, not by way of a variable.
        unsafe { core::ptr::copy_nonoverlapping(self.get::<T>(), copy.get_mut::<T>(), 1) };
        copy
    }
}
