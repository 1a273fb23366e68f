/* slower.h - how many times as long a file takes with HIGHT.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The number follows from results/host.csv and results/host-gateway.csv.  EAX with HIGHT takes the time of one block
 * after another, for its CMAC, and that of counter mode; 16 messages side by side take a part of it, and a file has up
 * to 32 chunks side by side.  This is divided by the time of GCM with LEA-256 or ARIA-256, whichever is slower; for the
 * best kernels of one processor and 1024 blocks, rounded down.  A test computes it again. */
#define HIGHT_FILES_ARE_SLOWER 4
