# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench: builds every kernel for every target, runs it, checks it, measures it.

Its rooms stand in the order in which data flows, and each imports only from those before it:

declared   targets, cards, papers, cores, known answers: read and validated
made       programs, netlists and what routines of them need, behind a cache
simulated  the simulators of microcontrollers, and how a kernel is called in one
measured   a module for each measurement: the rows of results/*.csv
reported   tables, pages and plots from these rows
"""
