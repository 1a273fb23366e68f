# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A module for each kind of figures. MEASUREMENTS lists what they declare, in the order in which it is measured."""

from bench.measured import counter, drbg, host, kernels, modes, neon, rtl, threads

MEASUREMENTS = [
    kernels.KERNELS, modes.MODES, counter.WAYS, drbg.DRBG, neon.ESTIMATES, host.HOST, host.LENGTHS, threads.THREADS,
    rtl.IN_HARDWARE,
]  # fmt: skip
