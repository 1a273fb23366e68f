# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The data dictionary: what each column of results/*.csv means, and its unit."""

# Columns that mean the same in every file.
COLUMNS = {
    "cipher": "cipher and key size in bits: LEA-128 to ARIA-256, or HIGHT, whose key has 128 bits",
    "kernel": "name of the implementation, as its card has it",
    "operation": "eks and dks: the key schedules of encryption and decryption; enc, dec: encryption and decryption; "
    "keystream: counter mode without the XOR; ctr: counter mode; both: what a program needs that goes both ways; "
    "wrap: what a wrap of the counter's last byte adds, once in 256 blocks",
    "blocks": "blocks in one call",
    "bytes": "bytes of the message",
    "cycles": "cycles of the call, with the call and the return",
    "cpb": "cycles per byte: of the key for eks and dks, of the message for other operations",
    "code_bytes": "code of the routine with the constants that it needs in flash, in bytes, as the papers count it",
    "ram_bytes": "RAM in bytes: round keys, key or block, tables and stack, without the return address",
    "ram_with_return_bytes": "the same with the return address",
    "linked_code_bytes": "bytes of flash that the routine takes in a linked program, with all tables that it needs and "
    "their alignment",
    "linked_ram_bytes": "RAM in bytes with the return address, and with tables as the linker places them",
    "stack": "bytes of stack, without the return address",
    "stack_bytes": "bytes of stack, without the return address",
    "compiler": "what made the code: a compiler with its version and flags, or assembly",
    "counter": "how cycles were counted",
    "note": "remarks",
    "core": "name of the core",
    "instructions": "executed instructions",
    "mode": "mode of operation",
    "target": "the target, as bench/declared/targets names it",
}
# Columns of one file, by the file's name without its ending; * stands for the name of a target.
SPECIAL = {
    "*-modes": {
        "code_bytes": "bytes of code that the mode adds to a program that has the cipher and haechi_init",
        "code_with_cipher": "bytes of code of the mode, the cipher and haechi_init together",
        "ram_bytes": "RAM in bytes: key object, one block, what the mode keeps, and stack",
        "cycles": "cycles of one message of 1 KiB",
        "cpb": "cycles per byte of that message",
    },
    "*-choices": {
        "cycles": "cycles of one message of 1 KiB",
        "cpb": "cycles per byte of that message",
        "flash_bytes": "bytes of flash of a program that calls the mode: mode, kernel and what both need",
        "ram_bytes": "RAM in bytes without the stack: key object, what the mode keeps, and tables of the kernel",
        "stack_bytes": "bytes of stack of the deepest call, haechi_init among them",
        "chip": "the chip for which the program was compiled; cycles are counted as on the target's own chip",
        "default": "yes if a build for the chip takes this kernel where it names none",
    },
    "*-instructions": {
        "instructions": "instructions that a message of 1 KiB takes; they are no cycles",
        "ipb": "instructions per byte of that message",
        "flash_bytes": "bytes of flash of a program that calls the mode: mode, kernel and what both need",
        "ram_bytes": "RAM in bytes without the stack: key object, what the mode keeps, and tables of the kernel",
        "stack_bytes": "bytes of stack of the deepest call, haechi_init among them",
        "chip": "the chip for which the program was compiled",
        "default": "yes if a build for the chip takes this kernel where it names none",
    },
    "*-xt": {
        "cycles": "cycles on the core AVRxt, derived from a trace of the ATmega128",
        "cpb": "the same per byte: of the key for eks and dks, else of the block",
        "avre_cycles": "cycles of the same call on the ATmega128",
    },
    "*-processors": {
        "processor": "the core whose RTL counted the cycles, and its configuration",
        "isa": "the instruction set for which the kernel was assembled",
    },
    "*-ctr": {
        "way": "separately, apart, inside or fixed: how the kernel computes what does not change from block to block",
        "less": "per cent of cycles that the way saves compared with separately, for as many blocks",
        "ahead_from": "blocks in a call from which it is faster than as many single encryptions",
    },
    "*-drbg": {
        "operation": "df, first update, extract, update or whole: the part of CTR_DRBG",
        "bytes": "bytes of output, and for df and the updates bytes of key and V",
        "no_cache_cycles": "cycles when compiled with HAECHI_DRBG_NO_CACHE",
        "no_cache_cpb": "the same per byte",
        "plain_cycles": "cycles of a plain generator, reconstructed from published figures of earlier kernels",
        "plain_cpb": "the same per byte",
        "faster": "per cent of plain_cycles that ours saves",
        "published_faster": "per cent that the paper ARX20 reports over its own plain generator",
        "plain_from": "the published rows that plain_cycles comes from",
    },
    "felics": {
        "scenario": "1: CBC of 128 bytes with key schedules, encryption and decryption; 2: counter mode of 16 bytes with "
        "round keys in flash",
        "wrapper": "CBC and counter mode: C around the routine for one block, or assembly around the rounds",
        "code_bytes": "code of all routines of the scenario with their constants, and in scenario 2 the round keys",
        "linked_code_bytes": "the same with what the linker adds to align tables",
        "ram_data_bytes": "RAM without the stack: message, IV or counter, tables, and in scenario 1 key and round keys",
        "ram_bytes": "ram_data_bytes and stack_bytes together",
        "eks_cycles": "cycles of the key schedule",
        "enc_cycles": "cycles of encryption of the message",
        "dks_cycles": "cycles of the key schedule for decryption, 0 where it is the same",
        "dec_cycles": "cycles of decryption of the message",
        "cycles": "cycles of all calls of the scenario",
        "code_ratio": "code_bytes divided by the least published one",
        "ram_ratio": "ram_bytes divided by the least published one",
        "cycles_ratio": "cycles divided by the least published ones",
        "fom": "figure of merit: the sum of the three ratios; smaller is better",
    },
    "felics-arm": {
        "scenario": "1 or 2, as in felics.csv",
        "cipher": "as FELICS names it",
        "block_bits": "bits of a block",
        "key_bits": "bits of the key",
        "version": "that FELICS numbers; it has the best published figure of merit of its cipher",
        "options": "of the compiler, as published",
        "eks_cycles": "key schedule of encryption, in our model of a Cortex-M3; 0 where FELICS counts none",
        "enc_cycles": "CBC encryption of 128 bytes, or counter mode of 16, in our model",
        "dks_cycles": "key schedule of decryption, likewise",
        "dec_cycles": "CBC decryption of 128 bytes, likewise",
        "cycles": "of all calls together, in our model",
        "published_cycles": "the same as published, on a board that waits for its flash",
        "ratio": "published_cycles / cycles",
    },
    "felics-triathlon": {
        "scenario": "1 or 2, as in felics.csv",
        "cipher": "cipher; of FELICS with the bits of block and key",
        "side": "FELICS, or Haechi for ours",
        "wrapper": "CBC and counter mode: C around the routine for one block, or assembly around the rounds",
        "fom": "mean of the figures of merit on the three devices; ours has other cycles on Arm than the published ones",
        "avr": "least figure of merit on AVR",
        "msp430": "the same on MSP430",
        "armv7m": "the same on Arm: ours without waiting for flash, the published ones with it",
        "avr_rank": "place on AVR among the published ciphers",
        "msp430_rank": "the same on MSP430",
        "two_devices": "mean of the figures of merit on AVR and MSP430, where both sides are counted alike",
        "two_devices_rank": "place by two_devices among the published ciphers",
        "kernels": "our kernels on AVR, MSP430 and Arm",
    },
    "host": {
        "peers": "the other libraries that the kernel is compared with, with their versions",
        "cryptopp": "cycles of Crypto++ divided by ours",
        "openssl": "cycles of OpenSSL divided by ours",
        "botan": "cycles of Botan divided by ours",
    },
    "host-length": {
        "side": "a kernel, or another library with its version",
        "peer": "whether it is another library",
        "mode": "mode of operation; cbc-enc and cfb-enc encrypt, cbc-dec and cfb-dec decrypt, and all others encrypt; "
        "in cmac-kept the program keeps the subkey of CMAC, in gcm-new-key each call expands its key, and in ctr-c all sides run code without "
        "vectors",
        "cycles": "cycles of the call: the median",
        "cpb": "the same per byte",
        "lower_cpb": "the lower quartile of cpb; empty where quartiles were not measured",
        "upper_cpb": "the upper quartile of cpb",
        "note": "the processor, with the widest vectors that it computes with; and whether libgcrypt was among the other libraries",
    },
    "host-gateway": {
        "jobs": "messages in a call",
        "ns": "ns of CPU time for a message, with the expansion of its key, where one call takes all messages",
        "one_by_one_ns": "the same where each message and each key has a call of its own",
        "times": "one_by_one_ns divided by ns",
        "ghz": "core cycles per ns while this was measured: the median; empty where they cannot be counted",
    },
    "host-threads": {
        "threads": "threads that encrypt together",
        "mb_per_s": "millions of bytes a second",
        "speedup": "the rate divided by the rate of one thread",
        "of_memory": "the rate divided by the rate at which as many threads copy",
        "cores": "physical cores of the host",
    },
    "java": {
        "mode": "mode of operation: GCM and CTR encrypt, CBC decrypts",
        "algorithm": "cipher and mode, by its name in Java",
        "operation": "encrypt or decrypt",
        "side": "jdk: the JDK's own provider; bouncycastle: Bouncy Castle; haechi: ours",
        "bytes": "bytes of a message",
        "mb_per_s": "millions of bytes a second",
        "java": "the version of the virtual machine",
    },
    "neon": {
        "core": "the core whose model in llvm-mca gave the estimate",
        "operation": "enc, dec, or transposition: the conversion to the layout of the rounds and back, alone",
    },
    "openssl": {
        "way": "pieces: one message through EVP, brought in pieces of so many bytes; messages: messages of so many bytes "
        "through EVP, each with an IV and, of an AEAD, a tag; tls: records of TLS 1.2, sealed and opened; curl: a download "
        "by TLS 1.2; node: messages in Node",
        "algorithm": "the algorithm or suite, by OpenSSL's name",
        "operation": "enc, dec: encryption and decryption; both: one after the other",
        "side": "built-in: OpenSSL's own code; haechi: the provider",
        "bytes": "bytes of a piece, message, record or download",
        "mb_per_s": "millions of bytes a second of CPU time",
        "openssl": "the version of OpenSSL",
    },
    "proofs": {
        "chip": "the chip for which the program was made; a chip other than the target's has rows where its code is another one. Of neon "
        "and armv7: compiler, level of optimisation and, of armv7, the state of the processor. Of x86: the compiler and, of kernels in C and of GHASH, the level",
        "operation": "the routine that was proved",
        "lookups": "loads at addresses that depend on secrets, in one call",
        "tables": "the tables in which these loads are",
        "reads": "everything that the routine reads, besides registers",
        "writes": "everything that the routine writes, besides registers",
        "code": "digest of the machine code that was proved",
        "decided": "what the proof rests on: normal forms alone, a solver besides, which says which paths are possible, or an engine "
        "besides, which says which bits are equal; ctr_bytes: the proof of that function, to which the code jumps",
    },
    "python": {
        "way": "messages: a call for each message, under one key; columns: a call for a table of messages, each under a key of "
        "its own; loop: the same rows in a loop in Python; duckdb, spark: the same in these engines; keys: a column of "
        "wrapped keys becomes a table of keys",
        "algorithm": "the algorithm with its key size",
        "operation": "seal: encryption; open: verification and decryption",
        "side": "haechi: the package; cryptography: the package of that name; numpy, Arrow: what the columns are made of; "
        "none: a function in the place of ours that hands its rows back",
        "bytes": "bytes of a message, and in keys of a key",
        "rows": "rows of the table, 1 for single messages",
        "threads": "threads that work at once, or processors that Spark may use",
        "per_s": "messages a second: of CPU time for single messages, of time as a clock shows it for tables",
        "versions": "the versions of Python and of what takes part",
    },
    "telemetry-node": {
        "chip": "the microcontroller of the node",
        "cipher": "the cipher and mode for which the node is built",
        "flash": "bytes of the whole program with its drivers",
        "ram": "bytes of variables, and of the stack of sealing",
        "cycles": "cycles to seal a reading",
        "open_cycles": "cycles to verify a command",
        "microjoules": "energy of sealing: cycles times the current of the data sheet",
        "radio_microjoules": "energy of sending the frame by a CC2420 at 0 dBm, from its data sheet",
    },
    "telemetry-gateway": {
        "nodes": "nodes in the table of keys; frames are of any of them",
        "way": "jobs: haechi_open_jobs for a batch; one-by-one: haechi_open for each frame; openssl: the same with OpenSSL's AES",
        "stores": "1: every batch is stored in the database; 0: frames are checked and opened alone",
        "frames_per_s": "frames in a second of CPU time on one core: the median of several runs",
    },
    "rust": {
        "way": "ctr: messages in counter mode; gcm: messages sealed; blocks: encrypt_blocks",
        "algorithm": "the cipher",
        "side": "RustCrypto: its crates aria and aes; haechi: ours; RustCrypto over haechi: its mode over our cipher",
        "bytes": "bytes of a message",
        "mb_per_s": "millions of bytes a second of CPU time: the median of the rounds",
        "crates": "the versions of RustCrypto's crates",
    },
    "rtl-proofs": {
        "operation": "enc, dec: the direction in which the core was proved for all keys and blocks",
        "code": "digest of the Verilog that was proved, with its parameters",
    },
    "rtl": {
        "mode": "enc: the core encrypts; both: it encrypts and decrypts",
        "datapath_bits": "bits of the data path, a digit of the block",
        "library": "cell library; or the FPGA: ice40, ecp5 or xc7 (Xilinx 7 series)",
        "area_ge": "area in gate equivalents: that of the netlist divided by that of the smallest two-input NAND",
        "flipflops": "flip-flops in the netlist",
        "latency_cycles": "clocks from the first digit of a block that enters to the last that leaves",
        "energy_per_block_pj": "energy of a block in pJ, without wires and leakage",
        "fmax_mhz": "highest clock rate in MHz at which all timing checks hold with a propagated clock, without wires",
        "tool": "what mapped the core",
        "cells": "cells of the netlist, or in an iCE40 logic cells",
        "latches": "latches in the netlist",
        "period_cycles": "clocks from block to block",
        "energy_per_cycle_pj": "energy of a clock in pJ",
        "closed_area_ge": "area in gate equivalents with the buffers that fmax_mhz needs",
        "clock_buffers": "buffers of the clock tree",
        "fanout_buffers": "buffers behind other nets that drive many pins",
        "hold_buffers": "buffers before registers whose data would change too early",
        "luts": "look-up tables of the FPGA, with four inputs, or six in xc7",
        "made_of": "digest of the Verilog, of the cell library, of what the tools do with them and of their versions",
    },
}


def meaning(file: str, column: str) -> str:
    """What a column of results/<file>.csv means; empty where nobody says."""
    name, dash, kind = file.rpartition("-")
    special = SPECIAL.get(file) or SPECIAL.get(f"*{dash}{kind}" if name else "", {})
    return special.get(column) or COLUMNS.get(column, "")
