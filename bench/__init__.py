# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench: builds every kernel for every target, runs it, checks it, measures it.

Its rooms stand in the order in which data flows, and each imports only from those before it:

declared   reads and checks what is declared: targets, cards, papers, cores, known answers
made       builds programs and netlists, and counts what routines need; cache.py is the cache of all rooms
simulated  has the simulators of microcontrollers, and calls kernels in them
measured   has a module for each measurement; measurement.py says what one is, and keeps the rows of results/*.csv
reported   writes tables, pages and plots from these rows
"""
