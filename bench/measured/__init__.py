# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A module for each kind of figures. MEASUREMENTS lists what they declare, in the order in which it is measured, and
TARGETS the targets that are no chip, for which bench/declared/targets has no file. DOORS lists those of them that are
measured only when they are named: the bindings and the example, which need programs that nothing else needs."""

from bench.measured import avrxt, choices, counter, drbg, felics, felics_arm, gateway, host, java, kernels, lengths, modes, neon, openssl, processors, python, rtl, rust, telemetry, threads

MEASUREMENTS = [
    kernels.KERNELS, modes.MODES, choices.CHOICES, choices.COUNTED, processors.ON_PROCESSORS, counter.WAYS, avrxt.AVRXT, drbg.DRBG, neon.ESTIMATES, host.HOST, lengths.LENGTHS, threads.THREADS,
    gateway.GATEWAY, openssl.PROVIDER, python.PACKAGE, java.PROVIDER, rust.CRATE, rtl.IN_HARDWARE, felics.SCENARIOS, felics.TRIATHLON,
    felics_arm.PUBLISHED_ON_ARM, telemetry.NODE, telemetry.GATEWAY,
]  # fmt: skip
TARGETS = {target.name: target for target in (openssl.TARGET, python.TARGET, java.TARGET, rust.TARGET, rtl.TARGET, felics.TARGET, telemetry.TARGET)}
DOORS = ["openssl", "python", "java", "rust", "telemetry"]
