"""Runs the faults one after another and prints the verdicts."""

import argparse
import collections
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import faults
from outcome import LeftOut, judged


class Run:
    """What a fault may use."""

    def __init__(self, options, folder):
        self.binary, self.is_quick, self.folder = options.binary, options.quick, folder
        # The same program, with faults on demand.
        self.faulty = options.faulty or Path(options.binary).with_name("FaultyHalyard")
        self.random = random.Random(options.seed)

    def size(self, quick, full):
        return quick if self.is_quick else full

    def pause(self, seconds):
        threading.Event().wait(seconds)


def main():
    parser = argparse.ArgumentParser(prog="scripts/chaos")
    parser.add_argument("binary", help=argparse.SUPPRESS)
    parser.add_argument("--faulty", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="small numbers: six minutes")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--list", action="store_true", help="name the faults")
    parser.add_argument("fault", nargs="*", help="only these")
    options = parser.parse_intermixed_args()
    known = {fault.__name__.replace("_", "-"): fault for fault in faults.ALL}
    if options.list:
        for name, fault in known.items():
            print(f"{name:20} {fault.__doc__}")
        return
    if unknown := [name for name in options.fault if name not in known]:
        parser.error(f"there is no fault '{unknown[0]}'; see --list")
    print(f"seed {options.seed}", flush=True)
    verdicts = []

    def tell(*verdict):
        verdicts.append(verdict)
        print(line(*verdict), flush=True)

    for name in options.fault or known:
        try:
            outcome, seconds, told = judged(
                lambda: attempt(known[name], options), lambda outcome, *found: tell(outcome, name, *found)
            )
            tell(outcome, name, seconds, told)
        except LeftOut as why:
            tell("left out", name, 0, str(why))
    print()
    for verdict in verdicts:
        print(line(*verdict))
    counts = collections.Counter(outcome for outcome, *_ in verdicts)
    print(f"{counts['survived']} survived, {counts['FAILED']} not, {counts['left out']} left out")
    sys.exit(1 if counts["FAILED"] else 0)


def attempt(fault, options):
    """(passed, told, seconds) of a fault in a folder of its own, with the same seed each time."""
    with tempfile.TemporaryDirectory(prefix="halyard-") as folder:
        began = time.monotonic()
        try:
            passed, told = fault(Run(options, Path(folder)))
        except LeftOut:
            raise
        except Exception as error:  # A fault that cannot be carried out has not been survived.
            passed, told = False, f"{type(error).__name__}: {error}"
        if not passed:
            show_logs(Path(folder))
        return passed, told, time.monotonic() - began


def line(outcome, name, seconds, told):
    return f"{outcome:9} {name:20} {seconds:6.1f} s  {told}"


def show_logs(folder):
    for log in sorted(folder.glob("*.log")):
        for said in log.read_text(errors="replace").splitlines()[-5:]:
            print(f"  {log.stem}: {said}")


if __name__ == "__main__":
    main()
