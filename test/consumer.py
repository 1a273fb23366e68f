# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The smallest project that uses an installed library: the tests of packages and of `make install` build it."""

import native

PROJECT = native.ROOT / "packaging/conan/test_package"
PROGRAM = PROJECT / "main.c"
PRINTS = "d8e643e5729fce23\n"  # a block of a test vector of HIGHT
