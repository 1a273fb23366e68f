/* x86_64.h - which builds have the kernels for x86-64: one text for the kernels and the ladders.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compilers that know gcc's attributes and intrinsics, and no build for small machines, as haechi.h decides. */
#ifndef HAECHI_X86_64_H
#define HAECHI_X86_64_H

#if defined(__x86_64__) && defined(__GNUC__) && (!defined(HAECHI_MICRO) || !HAECHI_MICRO)
#define HAECHI_X86_64 1
#endif

#endif
