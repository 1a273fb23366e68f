// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A fault that valgrind and AddressSanitizer must find, so that their silence about the other tests means something.

#[test]
#[ignore = "it fails on purpose; bindings/rust/test/test_rust.py runs it"]
fn planted_overflow() {
    let key = haechi::Lea128Enc::from_key(&[0; 16]).unwrap();
    let mut small = vec![0u8; 100];
    // SAFETY: there is none. The library writes 12 bytes beyond the end.
    let text = unsafe { core::slice::from_raw_parts_mut(small.as_mut_ptr(), 112) };
    key.ecb(text).unwrap();
}
