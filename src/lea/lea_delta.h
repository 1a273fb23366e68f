/* lea_delta.h - the constants delta of the LEA standard for assembly on any machine.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_LEA_DELTA_H
#define HAECHI_LEA_DELTA_H

/* .Ldelta = delta_n <<< r, at assembly time. */
.macro delta n, r
    .Ln = 0
    .irp d, 0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec, 0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957
    .if .Ln == \n
    .Ldelta = ((\d<<((\r)&31))|(\d>>((32-(\r))&31)))&0xffffffff
    .endif
    .Ln = .Ln+1
    .endr
.endm

#endif
