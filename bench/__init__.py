# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench: builds every kernel for every target, runs it, checks it, measures it.

model.py    targets, cards and papers: what is declared, validated
build.py    toolchains behind a cache of content hashes
elf.py      sizes: what a routine needs in flash and in RAM
machine.py  what a simulator's front end offers; simavr.py is the one for AVR, armv7m.py for Cortex-M
cortexm3.py the timing model of the Cortex-M3
measure.py  cycles, code and RAM of every kernel on a target: the rows of results/<target>.csv
"""
