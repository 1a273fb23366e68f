/* slower.h - how much longer a file takes with HIGHT.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From results/host.csv: cycles per byte of EAX with HIGHT (its CMAC takes one block at a time, its counter mode many)
 * over those of GCM with LEA-256 or ARIA-256, whichever is more; the best kernels, 1024 blocks, rounded down.  A test
 * recomputes it. */
#define HIGHT_FILES_ARE_SLOWER 52
