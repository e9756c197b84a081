"""Gives a fleet a list of jobs, and tells what doing them took."""

import os
import time
from collections import defaultdict
from dataclasses import dataclass

from fleet import answer_of

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Spent:
    """Seconds of processor time."""

    user: float = 0
    system: float = 0

    @property
    def total(self):
        return self.user + self.system

    def __add__(self, other):
        return Spent(self.user + other.user, self.system + other.system)

    def __sub__(self, other):
        return Spent(self.user - other.user, self.system - other.system)


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
    aggregator: Spent
    reader: Spent


def spent_by(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return Spent(int(fields[11]) / TICKS, int(fields[12]) / TICKS)


def spent_by_roles(fleet):
    found = defaultdict(Spent)
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
    _, _, used = os.wait4(fleet.following(batch, file).pid, 0)
    seconds = time.monotonic() - began
    after = spent_by(fleet.aggregator.process)
    with open(file, "rb") as rows:
        count = sum(1 for _ in rows)
    return Reading(count, seconds, after - before, Spent(used.ru_utime, used.ru_stime))
