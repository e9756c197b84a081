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
from outcome import LeftOut


class Run:
    """What a fault may use."""

    def __init__(self, binary, is_quick, seed, folder):
        self.binary, self.is_quick, self.folder = binary, is_quick, folder
        # The same program, with faults on demand.
        self.faulty = Path(binary).with_name("FaultyHalyard")
        self.random = random.Random(seed)

    def size(self, quick, full):
        return quick if self.is_quick else full

    def pause(self, seconds):
        threading.Event().wait(seconds)


def main():
    parser = argparse.ArgumentParser(prog="scripts/chaos")
    parser.add_argument("binary", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="small numbers: four minutes")
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
    for name in options.fault or known:
        with tempfile.TemporaryDirectory(prefix="halyard-") as folder:
            began = time.monotonic()
            try:
                passed, told = known[name](Run(options.binary, options.quick, options.seed, Path(folder)))
                outcome = "survived" if passed else "FAILED"
            except LeftOut as why:
                outcome, told = "left out", str(why)
            except Exception as error:  # A fault that cannot be carried out has not been survived.
                outcome, told = "FAILED", f"{type(error).__name__}: {error}"
            verdicts.append((outcome, name, time.monotonic() - began, told))
            if outcome == "FAILED":
                show_logs(Path(folder))
        print(line(*verdicts[-1]), flush=True)
    print()
    for verdict in verdicts:
        print(line(*verdict))
    counts = collections.Counter(outcome for outcome, *_ in verdicts)
    print(f"{counts['survived']} survived, {counts['FAILED']} not, {counts['left out']} left out")
    sys.exit(1 if counts["FAILED"] else 0)


def line(outcome, name, seconds, told):
    return f"{outcome:9} {name:20} {seconds:6.1f} s  {told}"


def show_logs(folder):
    for log in sorted(folder.glob("*.log")):
        for said in log.read_text(errors="replace").splitlines()[-5:]:
            print(f"  {log.stem}: {said}")


if __name__ == "__main__":
    main()
