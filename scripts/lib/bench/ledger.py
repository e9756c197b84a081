"""What a fleet's ledger takes, and what its care costs the jobs beside it."""

import json
import subprocess
import time

from basics import listing
from fleet import Fleet
from fleet_load import watch

# Jobs of one measurement: some seconds, of which each kind of care takes longer.
SHARE = 10
ROUNDS = 2


def echoes(folder, count):
    return listing(folder, f"{count} echoes", (f"echo:{number}" for number in range(count)))


def run(fleet, name, file, count):
    """Jobs a second, from the first submission to the last outcome."""
    began = time.monotonic()
    producer = fleet.submitting(name, file, "--kind", "echo")
    watch(fleet, count)
    producer.wait()
    return count / (time.monotonic() - began)


def caring(fleet, *words):
    return subprocess.Popen(
        [fleet.binary, "ledger", *words, *fleet.way, "--wait", "60s", "--json"], stdout=subprocess.PIPE, text=True
    )


def size(fleet):
    return json.loads(fleet.ask("ledger", "size", "--json", "--wait", "60s"))


def disk(fleet):
    """Bytes of the ledger's files, the log among them."""
    return sum(file.stat().st_size for file in fleet.run_dir.glob("ledger.db*"))


def beside(fleet, file, count, names, words):
    """The job rate beside one kind of care, and how long that took."""
    began, care = time.monotonic(), caring(fleet, *words)
    rate = run(fleet, next(names), file, count)
    was_over = care.poll() is not None
    care.communicate()
    if care.returncode:
        raise RuntimeError(f"{words[0]} ended with {care.returncode}")
    return rate, time.monotonic() - began, was_over


def care(fleet, folder, count):
    names = (f"measured {number}" for number in range(1_000))
    rate = run(fleet, "big", echoes(folder, count), count)
    full, there = disk(fleet), size(fleet)
    parts = ", ".join(f"{part} {bytes / 1e6:.1f}" for part, bytes in there["parts"].items()
                      if part != "reserve" and bytes > 100_000)
    print(f"{count} echoes, {rate:.0f} a second, leave {full / 1e6:.1f} MB: {parts}")
    share = max(1, count // SHARE)
    file = echoes(folder, share)
    alone, kinds = [], {}
    backups = (str(folder / f"copy {number}.db") for number in range(1_000))
    for _ in range(ROUNDS):
        alone.append(run(fleet, next(names), file, share))
        kinds.setdefault("backup", []).append(beside(fleet, file, share, names, ["backup", next(backups)]))
    alone.append(run(fleet, next(names), file, share))
    kinds["prune"] = [beside(fleet, file, share, names, ["prune", "--batch", "big", "--unread"])]
    kinds["compact"] = [beside(fleet, file, share, names, ["compact"])]
    alone.append(run(fleet, next(names), file, share))
    usual = sum(alone) / len(alone)
    print(f"alone: {usual:.0f} echoes a second (from {min(alone):.0f} to {max(alone):.0f})")
    for kind, runs in kinds.items():
        rate = sum(each[0] for each in runs) / len(runs)
        note = ", over before them" if any(each[2] for each in runs) else ""
        seconds = sum(each[1] for each in runs) / len(runs)
        print(f"beside {kind}: {rate:.0f} echoes a second, {1 - rate / usual:+.1%} less; it took {seconds:.1f} s{note}")
    began = time.monotonic()
    caring(fleet, "prune", "--older-than", "0", "--unread").communicate()
    pruned = time.monotonic() - began
    caring(fleet, "compact").communicate()
    left = disk(fleet)
    print(f"the rest alone: pruned in {pruned:.1f} s, compacted in {time.monotonic() - began - pruned:.1f} s")
    print(f"after prune and compact: {left / 1e6:.1f} MB, {left / full:.1%} of {full / 1e6:.1f} MB")


def measure(binary, folder, count=1_000_000):
    with Fleet(binary, folder / "fleet", fetchers=1, decoders=1) as fleet:
        care(fleet, folder, count)
