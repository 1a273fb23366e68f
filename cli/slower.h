/* slower.h - how many times as long a file takes with HIGHT.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The number follows from results/host.csv: cycles per byte of EAX with HIGHT (whose CMAC takes one block at a time,
 * and its counter mode many) divided by those of GCM with LEA-256 or ARIA-256, whichever is slower; for the best
 * kernels and 1024 blocks, rounded down.  A test computes it again. */
#define HIGHT_FILES_ARE_SLOWER 50
