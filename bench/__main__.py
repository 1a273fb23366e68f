# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m bench report [--target avr] [--cipher HIGHT]: builds, runs, verifies and measures; make calls it.
python -m bench fixed --cipher LEA-128 --key HEX --nonce HEX: writes the include file of docs/fixed.md.

Exit code 0, also where a tool is missing (the summary says what was left out); 1 if a build, a check or a
measurement fails or a file is not as it must be; 2 for arguments that mean nothing.
"""

import argparse
import sys

from bench import fixed
from bench.declared.model import VARIANTS, BenchError, load_targets


def main() -> int:
    try:
        targets = load_targets()
        parser = argparse.ArgumentParser("python -m bench", description="The bench of Haechi.")
        commands = parser.add_subparsers(dest="command", required=True)
        report = commands.add_parser("report", help="measure, compare, write results/")
        report.add_argument("--target", choices=[*sorted(targets), "rtl"], help="this one only; all if not given")
        report.add_argument("--cipher", choices=list(VARIANTS), help="likewise")
        known = commands.add_parser("fixed", help="constants for counter mode on AVR, key and nonce being known")
        known.add_argument("--cipher", required=True, help="LEA-128 ... ARIA-256, HIGHT")
        known.add_argument("--key", required=True, type=bytes.fromhex, help="in hexadecimal")
        known.add_argument("--nonce", required=True, type=bytes.fromhex, help="the counter block but for its last byte")
        arguments = parser.parse_args()

        if arguments.command == "fixed":
            print(fixed.include(arguments.cipher, arguments.key, arguments.nonce), end="")
            return 0

        from bench.reported.report import report as run  # imports what draws: only once the arguments are good

        run(
            [arguments.target] if arguments.target else [*targets, "rtl"],
            [arguments.cipher] if arguments.cipher else list(VARIANTS),
        )
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
