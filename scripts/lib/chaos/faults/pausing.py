"""Processes that stand still, are slow, or are asked to end."""

import statistics
import time

from basics import listing
from faults.common import Twice, once_only, pages, verdict
from fleet import Fleet, answer_of, faults_of, settled_fleet
from outcome import MISSED, within
from site_under_test import CountingSite, Site


def stopped_worker(run):
    """SIGSTOP of half the workers for one and a half times the time they have."""
    site, pairs = Site(), run.size(1, 4)
    times, lost = [], []
    with Fleet(run.binary, run.folder, fetchers=2 * pairs, decoders=2 * pairs) as fleet:
        count = 200
        rounds = run.size(1, 13)
        for round in range(rounds):
            victims = [one for role in ("fetcher", "decoder") for one in run.random.sample(fleet.of(role), pairs)]
            for victim in victims:
                victim.pause()
            file = listing(run.folder, "stopped", [f"{site.base}/{round}/{number}" for number in range(count)])
            batch = fleet.submit(f"stopped {round}", file, "--kind", "title")
            began = time.monotonic()
            rows = fleet.rows(batch, 60)
            times.append(time.monotonic() - began)
            run.pause(max(0, 15 - times[-1]))
            for victim in victims:
                victim.resume()
            settled_fleet(fleet)
            fleet.wait_for_workers()
            lost += faults_of(fleet.rows(batch, 60), count)
    site.close()
    passed, told = verdict(rows, count)
    told += f"; {2 * pairs * rounds} stops, all rows after {min(times):.1f} to {max(times):.1f} s"
    told += "".join(f"; {fault}" for fault in lost)
    # Sooner, and the stopped ones had no job.
    return passed and not lost and within(min(times) > 5 and max(times) < 25), told


def stopped_aggregator(run):
    """SIGSTOP of the aggregator under load."""
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder) as fleet:
        count = run.size(20_000, 200_000)
        batch = fleet.submit("asleep", pages(run.folder, site, count), "--kind", "title")
        open_jobs = fleet.status()["jobs"]
        fleet.aggregator.pause()
        if not open_jobs["leased"]:
            return MISSED, f"nothing is under way when the aggregator is stopped: {open_jobs}"
        run.pause(run.size(12, 30))
        fleet.aggregator.resume()
        passed, told = verdict(rows := fleet.rows(batch, 300), count)
        # Longer than a worker may be silent: what was under way may go to others.
        once, found = once_only(site, rows, most_fetched=0.01)
        return passed and once, f"{told}; {found}"


def slow_worker(run):
    """A fetcher 50 times slower than its sibling."""
    # Each keeps its one connection; the first that comes is the slow one's.
    ports = {}

    def agent(handler):
        return ports.setdefault(handler.client_address[1], "fast" if ports else "slow")

    site = Site(lambda path, agent: 0.5 if agent == "slow" else 0.01, agent=agent)
    options = [["--concurrency", "1"]]
    with Fleet(run.binary, run.folder, decoders=1, fetcher_options=options) as fleet:
        count = run.size(300, 1_500)
        batch = fleet.submit(
            "slow", listing(run.folder, "slow", [f"{site.base}/{n}" for n in range(count)]), "--kind", "title"
        )
        rows = fleet.rows(batch, 300)
    busy = [at for at, _, _ in site.asked]
    fast = [at for at, _, agent in site.asked if agent == "fast"]
    pace = statistics.median(later - earlier for earlier, later in zip(fast, fast[1:]))
    ideal = count / (1 / pace + 1 / 0.5)
    makespan = busy[-1] - busy[0]
    passed, told = verdict(rows, count)
    slow = len(busy) - len(fast)
    return (
        passed and within(makespan <= 1.3 * ideal),
        f"{told}; {makespan:.2f} s for an ideal of {ideal:.2f} s, {slow} jobs went to the slow one",
    )


class Turns:
    """Ends all members of a fleet one after another, while the titles of a batch are read."""

    def __init__(self, site):
        self.twice, self.slowest, self.busy, self.ends = Twice(site), 0.0, 0, 0

    def take(self, fleet, name, count, change=lambda member: None):
        """Members are changed before they start again. Returns what is wrong."""
        producer = fleet.submitting(name, pages(fleet.folder, self.twice.site, count), "--kind", "title")
        for member in fleet.members:
            self.busy += producer.poll() is None or fleet.status()["jobs"]["leased"] > 0
            self.ends += 1
            self.slowest = max(self.slowest, member.drain(30))
            if member.process.returncode not in (0, 143):
                return f"{member.role} ended with {member.process.returncode}"
            change(member)
            member.start()
        rows = fleet.rows(answer_of(producer)["batch"], 300)
        self.twice.add(rows)
        passed, told = verdict(rows, count)
        return "" if passed else told

    def verdict(self):
        once, found = self.twice.verdict()
        told = f"{self.twice.jobs} rows; {found}; {self.ends} ends, {self.busy} of them under load"
        return once and within(self.busy > self.ends / 2), f"{told}, the slowest took {self.slowest:.1f} s"


def drain(run):
    """SIGTERM of every worker in turn under load."""
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder) as fleet:
        turns = Turns(site)
        for round in range(run.size(1, 10)):
            if wrong := turns.take(fleet, f"drain {round}", run.size(40_000, 200_000)):
                return False, f"round {round}: {wrong}"
        return turns.verdict()
