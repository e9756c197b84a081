"""Processes that stand still, are slow, or are asked to end."""

import statistics
import time

from faults.common import echoes, listing, verdict
from fleet import Fleet, settled_fleet
from site_under_test import Site


def stopped_worker(run):
    """SIGSTOP of a fetcher for one and a half times the time it has."""
    site = Site()
    with Fleet(run.binary, run.folder) as fleet:
        count = 200
        victim = fleet.of("fetcher")[0]
        for _ in range(run.size(1, 5)):
            file = listing(run.folder, "stopped", [f"{site.base}/{n}-{time.time()}" for n in range(count)])
            victim.pause()
            batch = fleet.submit(f"stopped {time.time()}", file, "--kind", "title")
            began = time.monotonic()
            rows = fleet.rows(batch, 60)
            took = time.monotonic() - began
            run.pause(max(0, 15 - took))
            victim.resume()
            settled_fleet(fleet)
        passed, told = verdict(rows, count)
        # Sooner, and the stopped one had no job.
        return passed and 5 < took < 15, f"{told}; all rows after {took:.1f} s"


def stopped_aggregator(run):
    """SIGSTOP of the aggregator under load."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(20_000, 200_000)
        producer = fleet.submitting("asleep", echoes(run.folder, count), "--kind", "echo")
        run.pause(0.3)
        fleet.aggregator.pause()
        run.pause(run.size(12, 30))
        fleet.aggregator.resume()
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        return verdict(fleet.rows(batch, 300), count)


def slow_worker(run):
    """A fetcher 50 times slower than its sibling."""
    site = Site(lambda path, agent: 0.5 if agent == "slow" else 0.01)
    options = [["--concurrency", "1", "--user-agent", name] for name in ["slow", "fast"]]
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
        passed and makespan <= 1.3 * ideal,
        f"{told}; {makespan:.2f} s for an ideal of {ideal:.2f} s, {slow} jobs went to the slow one",
    )


def drain(run):
    """SIGTERM of every worker in turn under load."""
    slowest = 0.0
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(50_000, 300_000)
        producer = fleet.submitting("drain", echoes(run.folder, count), "--kind", "echo")
        for _ in range(run.size(1, 12)):
            for member in fleet.members:
                slowest = max(slowest, member.drain(30))
                if member.process.returncode not in (0, 143):
                    return False, f"{member.role} ended with {member.process.returncode}"
                member.start()
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        passed, told = verdict(fleet.rows(batch, 300), count, 0)
        return passed, f"{told}; the slowest end took {slowest:.1f} s"
