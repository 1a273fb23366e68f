// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Boxes of keys are zero when they go back to the allocator.

use haechi::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// How many large blocks this thread has given back while it watched, and how many of them held something.
    static BLOCKS: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

struct Watching;

// SAFETY: it does what System does, and looks at blocks before they go.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what System wants.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some((all, full)) = BLOCKS.get() {
            if layout.size() >= 64 {
                // SAFETY: the block has so many bytes, all of which alloc has zeroed at least.
                let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
                BLOCKS.set(Some((all + 1, full + usize::from(bytes.iter().any(|&byte| byte != 0)))));
            }
        }
        // SAFETY: the caller promises what System wants.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// How many large blocks went back to the allocator, and how many of them held something.
fn watch(run: impl FnOnce()) -> (usize, usize) {
    BLOCKS.set(Some((0, 0)));
    run();
    BLOCKS.replace(None).unwrap()
}

#[test]
fn boxes_are_wiped() {
    assert_eq!(watch(|| drop(vec![1u8; 100])), (1, 1), "the watch sees blocks that hold something");
    assert_eq!(watch(|| drop(Lea128Enc::from_key(&[1; 16]).unwrap())), (1, 0));
    assert_eq!(watch(|| drop(Hight::from_key(&[1; 16]).unwrap())), (2, 0));
    assert_eq!(watch(|| drop(Aria256Dec::from_key(&[1; 32]).unwrap().clone())), (2, 0));
    assert_eq!(watch(|| drop(Lea256Gcm::from_key(&[1; 32]).unwrap().clone())), (2, 0));
    assert_eq!(watch(|| drop(HightEax::from_key(&[1; 16]).unwrap())), (1, 0));
    let two_keys: [u8; 64] = core::array::from_fn(|i| i as u8);
    assert_eq!(watch(|| drop(XtsEncryptor::<algorithm::Aria256>::from_key(&two_keys).unwrap())), (1, 0));
    let options = DrbgOptions::default();
    assert_eq!(watch(|| drop(Drbg::<algorithm::Lea256>::new(options, &[1; 32], &[2; 16], b"").unwrap())), (1, 0));
    // Errors too, and keys that streams own.
    assert_eq!(watch(|| assert!(Lea128Enc::from_key(&[1; 15]).is_err())), (1, 0));
    assert_eq!(watch(|| drop(CtrStream::new(Lea128Enc::from_key(&[1; 16]).unwrap(), &[0; 16]).unwrap())), (1, 0));
    assert_eq!(watch(|| drop(CtrStream::new(Lea128Enc::from_key(&[1; 16]).unwrap(), &[0; 15]))), (1, 0));
    assert_eq!(watch(|| drop(Cmac::new(Lea128Enc::from_key(&[1; 16]).unwrap()))), (1, 0));
}
