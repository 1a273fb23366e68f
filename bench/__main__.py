# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m bench report [--target avr] [--cipher HIGHT]: builds, runs, verifies and measures; make calls it.
python -m bench render: writes pages, plots, documents and build/site anew from results/*.csv; measures nothing.

Exit code: 0, also where a tool is missing (the summary says what was left out); 1 if a build, a check or a measurement
fails or a file is not as it must be; 2 if the arguments are wrong.
"""

import argparse
import sys

from bench.declared.model import VARIANTS, BenchError, load_targets
from bench.measured import DOORS, TARGETS


def main() -> int:
    try:
        targets = load_targets() | TARGETS
        parser = argparse.ArgumentParser("python -m bench", description="The bench of Haechi.")
        commands = parser.add_subparsers(dest="command", required=True)
        report = commands.add_parser("report", help="measure, compare, write results/")
        report.add_argument("--target", choices=sorted(targets), help=f"this one only; without it, all but {', '.join(DOORS)}")
        report.add_argument("--cipher", choices=list(VARIANTS), help="likewise")
        commands.add_parser("render", help="write pages, plots and documents anew from results/*.csv; measure nothing")
        arguments = parser.parse_args()

        from bench.reported.report import report as run, show_render  # imports what draws: once the arguments are good

        if arguments.command == "render":
            show_render()
            return 0

        run(
            [arguments.target] if arguments.target else [name for name in targets if name not in DOORS],
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
