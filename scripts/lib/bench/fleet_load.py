"""Gives a fleet a list of jobs, and tells what doing them took."""

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass

from fleet import answer_of

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What a fleet did with one list: seconds from the first submission to the last outcome, what each role spent, and the
    fleet's status before and after."""

    batch: str
    count: int
    seconds: float
    samples: list
    spent: dict
    first: dict
    last: dict

    @property
    def steady_rate(self):
        """Jobs a second between a tenth and nine tenths of them."""
        inner = [sample for sample in self.samples if self.count * 0.1 <= sample[1] <= self.count * 0.9]
        if len(inner) < 2:
            return None
        (start, first), (end, last) = inner[0], inner[-1]
        return (last - first) / (end - start)


@dataclass
class Reading:
    """What it took to read a batch's rows."""

    count: int
    seconds: float
    aggregator: Counter
    reader: Counter


def run_to_end(process):
    """Its exit code, what it spent, and its largest size in KiB."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, Counter(user=used.ru_utime, system=used.ru_stime), used.ru_maxrss


def spent_by(process):
    """Seconds of processor time."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return Counter(user=int(fields[11]) / TICKS, system=int(fields[12]) / TICKS)


def spent_by_roles(fleet):
    found = defaultdict(Counter)
    for member in fleet.members:
        found[member.role] += spent_by(member.process)
    return found


def watch(fleet, count):
    """Samples of when and how many jobs were settled, until all are."""
    samples = []
    while not samples or samples[-1][1] < count:
        time.sleep(0.2)
        batches = fleet.status()["batches"]
        samples.append((time.monotonic(), batches[0]["settled"] if batches else 0))
    return samples


def load(fleet, listing, count, *options):
    before, first = spent_by_roles(fleet), fleet.status()
    began = time.monotonic()
    submitting = fleet.submitting("bench", listing, *options)
    samples = watch(fleet, count)
    after, last = spent_by_roles(fleet), fleet.status()
    spent = {role: after[role] - before[role] for role in after}
    return Load(answer_of(submitting)["batch"], count, samples[-1][0] - began, samples, spent, first, last)


def read_rows(fleet, batch, file):
    began = time.monotonic()
    before = spent_by(fleet.aggregator.process)
    _, reader, _ = run_to_end(fleet.following(batch, file))
    seconds = time.monotonic() - began
    after = spent_by(fleet.aggregator.process)
    with open(file, "rb") as rows:
        count = sum(1 for _ in rows)
    return Reading(count, seconds, after - before, reader)
