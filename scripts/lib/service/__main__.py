"""Holds the service against programs that others wrote, and against its promises under load."""

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

from checks import Checks

# Each is in the module of its name.
KINDS = ["document", "http", "clients", "stampede", "proxies", "fleet", "slow", "rate", "uncached"]
# These names are those of other modules.
MODULES = {"http": "answers", "fleet": "storm"}
# They say figures of this machine, which only a person can judge while others use the machine.
ONLY_LONG = {"rate", "uncached"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.kinds) - set(KINDS):
        parser.error(f"there is no kind {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    program = str(Path(arguments.program).resolve())
    checks = Checks()
    for kind in arguments.kinds or KINDS:
        if arguments.quick and kind in ONLY_LONG and not arguments.kinds:
            continue
        with tempfile.TemporaryDirectory(prefix="halyard-") as folder:
            # Some of the servers run as another user when we are root.
            Path(folder).chmod(0o755)
            with checks.guard(kind):
                importlib.import_module(MODULES.get(kind, kind)).check(program, Path(folder), checks, arguments.quick)
    print(f"{checks.good} as expected, {checks.bad} not")
    return 1 if checks.bad or not checks.good else 0


sys.exit(main())
