# SPDX-License-Identifier: Apache-2.0 OR MIT
"""configured.py MODULE PRJ_CONF OUT writes for ZephyrConfig.cmake where the module's CMakeLists.txt is, and its options.
Kconfiglib is the implementation of Kconfig from which Zephyr's own descends. A wrong option is an error, as in Zephyr."""

import sys
from pathlib import Path

import kconfiglib
import yaml

module, wanted, out = map(Path, sys.argv[1:])
build = yaml.safe_load((module / "zephyr/module.yml").read_text())["build"]
options = kconfiglib.Kconfig(str(module / build["kconfig"]), warn_to_stderr=False)
options.warn_assign_undef = True
options.load_config(str(wanted))
if options.warnings:
    sys.exit("\n".join(options.warnings))
lines = [f'set(MODULE_CMAKE "{module / build["cmake"]}")']
lines += [f'set(CONFIG_{s.name} "{s.str_value}")' for s in options.unique_defined_syms if s.str_value not in ("", "n")]
out.write_text("\n".join(lines) + "\n")
