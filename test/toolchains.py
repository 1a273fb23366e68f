# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The compilers that every file of src/ must satisfy."""

from bench.made.cache import tool

TOOLCHAINS = {
    "gcc": ["gcc", "-std=c99", "-O2"],
    "clang": [tool("clang"), "-std=c99", "-O2"],
    "avr": ["avr-gcc", "-std=c99", "-mmcu=atmega128", "-Os"],
    "avr2560": ["avr-gcc", "-std=c99", "-mmcu=atmega2560", "-O2"],
    "avr-no-mul": ["avr-gcc", "-std=c99", "-mmcu=attiny1634", "-Os"],
    "msp430": [tool("clang"), "--target=msp430", "-mmcu=msp430f1611", "-mhwmult=none", "-std=c99", "-Os", "-ffreestanding"],
    "cortex-m0": ["arm-none-eabi-gcc", "-std=c99", "-mcpu=cortex-m0", "-mthumb", "-Os", "-ffreestanding"],
    "cortex-m3": ["arm-none-eabi-gcc", "-std=c99", "-mcpu=cortex-m3", "-mthumb", "-O2", "-ffreestanding"],
    "cortex-m4": ["arm-none-eabi-gcc", "-std=c99", "-mcpu=cortex-m4", "-mthumb", "-O2", "-ffreestanding"],
    "xtensa": ["xtensa-lx106-elf-gcc", "-std=c99", "-Os", "-ffreestanding"],
    "xtensa-O2": ["xtensa-lx106-elf-gcc", "-std=c99", "-O2", "-ffreestanding"],
    "aarch64": ["aarch64-linux-gnu-gcc", "-std=c99", "-O2", "-march=armv8-a+crypto"],
    "aarch64-plain": ["aarch64-linux-gnu-gcc", "-std=c99", "-O2"],
    "armv7": ["arm-linux-gnueabihf-gcc", "-std=c99", "-O2"],
    "s390x": ["s390x-linux-gnu-gcc", "-std=c99", "-O3"],
}

NM = {"avr": "avr-nm", "avr2560": "avr-nm", "avr-no-mul": "avr-nm", "cortex-m0": "arm-none-eabi-nm",
      "cortex-m3": "arm-none-eabi-nm", "cortex-m4": "arm-none-eabi-nm", "s390x": "s390x-linux-gnu-nm",
      "xtensa": "xtensa-lx106-elf-nm", "xtensa-O2": "xtensa-lx106-elf-nm",
      "aarch64": "aarch64-linux-gnu-nm", "aarch64-plain": "aarch64-linux-gnu-nm",
      "armv7": "arm-linux-gnueabihf-nm"}  # fmt: skip

# The functions that compilers call by themselves: four of a C library, and helpers of libgcc where the machine lacks
# an instruction. And the functions of Linux that the library calls.
ANYWHERE = {"memcpy", "memset", "memmove", "memcmp"}
EMITTED = {
    "gcc": {"_GLOBAL_OFFSET_TABLE_"},
    "clang": {"_GLOBAL_OFFSET_TABLE_"},
    "avr": {"__do_copy_data", "__do_clear_bss"},
    "avr2560": {"__do_copy_data", "__do_clear_bss"},
    "avr-no-mul": {"__do_copy_data", "__do_clear_bss"},
    "aarch64-plain": {"getauxval"},  # asks for the CPU's features in core/features.c
    "armv7": {"getauxval", "_GLOBAL_OFFSET_TABLE_"},
}
