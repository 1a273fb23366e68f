# The main commands.  Each target sets up what it needs, which takes no time if it is there.
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
#   make report [TARGET=avr] [CIPHER=HIGHT]   build, run, verify, measure; tables, plots, results/
#   make prove                               every kernel of microcontrollers against its specification, for all inputs
#   make prove TARGET=neon                   the same of kernels for AArch64; of one of them, for some numbers of blocks
#   make prove TARGET=armv7                  the same of kernels for ARMv7-A with NEON, in Arm and in Thumb state
#   make prove TARGET=x86                    the same of kernels for x86-64, as gcc and clang compile them
#   make prove TARGET=rtl                    every core in Verilog against the specification, for all keys and blocks
#   make test                                 a test of every claim: some 16 minutes on two cores, once set up
#   make test-quick                           a part of it: at most 2 minutes
#   make test-all                             every kernel, instruction, length and build: some hours
#   make telemetry                            the example from node to lake, with a simulated fleet
#   make install [PREFIX=/usr/local]          the library and the haechi command, below DESTDIR if that is set
PYTEST = .venv/bin/python -m pytest -n 2 --dist worksteal -q

PREFIX = /usr/local

.PHONY: report prove test test-quick test-all test-ci telemetry install clean
report:
	@python3 bench/setup.py report
	@.venv/bin/python -m bench report $(if $(TARGET),--target $(TARGET)) $(if $(CIPHER),--cipher $(CIPHER))

prove:
	@python3 bench/setup.py test
	@.venv/bin/python -m proof $(if $(TARGET),--target $(TARGET))

test:
	@python3 bench/setup.py test
	@$(PYTEST) -m "not slow" test bindings

test-quick:
	@python3 bench/setup.py test
	@$(PYTEST) -m "not slow and not full" test

test-all:
	@python3 bench/setup.py test
	@$(PYTEST) test bindings

# A part of the slow tests, for whoever wants more than make test and less than make test-all.
test-ci:
	@python3 bench/setup.py test
	@$(PYTEST) -m "slow and ci" test

# The example from node to lake: a simulated fleet, the gateway and the lake.
telemetry:
	@python3 bench/setup.py test
	@.venv/bin/python -m examples.telemetry

install:
	@cmake -S . -B build/install -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build build/install --parallel 2
	@cmake --install build/install

clean:
	rm -rf build
