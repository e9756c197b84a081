"""Batches that share a fleet by their terms."""

import time

from basics import listing
from faults.common import verdict
from fleet import Fleet
from outcome import within
from site_under_test import Site

DELAY = 0.2
WEIGHTS = {"low": 1, "middle": 4, "high": 10}
AT_MOST, RATE = 3, 5


def shares(run):
    """Weights, limits, pauses and an urgent ten, while the aggregator is killed."""
    slow, sites = Site(lambda *_: 2.0), [Site(lambda *_: DELAY) for _ in range(16)]
    options = [["--concurrency", "24"]]
    with Fleet(run.binary, run.folder, fetcher_options=options, aggregator_options=["--per-host", "8"]) as fleet:
        desk = Sharing(run, fleet, sites)
        desk.submit("slow", run.size(2_000, 50_000), [slow], "--priority", "10")
        for name, weight in WEIGHTS.items():
            desk.submit(name, run.size(8_000, 40_000), sites, "--priority", str(weight))
        desk.submit("narrow", 2_000, sites, "--priority", "1000", "--at-most", str(AT_MOST))
        desk.submit("even", 2_000, sites, "--priority", "1000", "--rate", f"{RATE}/s")
        run.pause(3)
        desk.measure(run.size(12, 60))
        desk.urgent()
        fleet.aggregator.restart()
        fleet.ask("ping", "--wait", "20s")
        run.pause(3)
        desk.measure(run.size(12, 60))
        desk.urgent()
        desk.pause("low")
        desk.limits()
        passed, told = desk.rows()
    for site in [slow, *sites]:
        site.close()
    return passed and not desk.wrong and within(not desk.over), "; ".join([told, *desk.told, *desk.wrong, *desk.over])


class Sharing:
    def __init__(self, run, fleet, sites):
        self.run, self.fleet, self.sites = run, fleet, sites
        self.batches, self.told = {}, []
        # What must never be, and what only its pace misses.
        self.wrong, self.over = [], []

    def submit(self, name, count, sites, *options):
        links = (f"{sites[n % len(sites)].base}/{name}/{n}" for n in range(count))
        batch = self.fleet.submit(name, listing(self.run.folder, name, links), "--kind", "title", *options)
        self.batches[name] = (batch, count)

    def asked(self, name):
        """When the sites were asked for links of a batch."""
        return sorted(at for site in self.sites for at, path, _ in list(site.asked) if path.startswith(f"/{name}/"))

    def measure(self, seconds):
        """Shares of what the sites are asked beside the weights."""
        began = time.monotonic()
        self.run.pause(seconds)
        ended = time.monotonic()
        counts = {name: sum(began <= at < ended for at in self.asked(name)) for name in WEIGHTS}
        total, weights = sum(counts.values()), sum(WEIGHTS.values())
        self.told.append(" ".join(
            f"{name} {counts[name] / max(total, 1):.1%} for {weight / weights:.1%}" for name, weight in WEIGHTS.items()
        ))
        for name, weight in WEIGHTS.items():
            asked = total * weight / weights
            if abs(counts[name] - asked) > max(0.05 * asked, 4):
                self.over.append(f"{name} has {counts[name]} of {asked:.0f} starts")

    def urgent(self):
        """Ten links beside all others: sooner than one fetch of them and a second."""
        name = f"urgent{len(self.told)}"
        began = time.monotonic()
        self.submit(name, 10, self.sites, "--priority", "1000")
        submitted = time.monotonic() - began
        while len(self.asked(name)) < 10 and time.monotonic() < began + 20:
            time.sleep(0.01)
        started = len(self.asked(name))
        if started < 10:
            self.over.append(f"{started} of the ten started within 20 s")
        last = (self.asked(name) or [began + 20])[-1] - began
        self.told.append(f"the ten started after {last:.2f} s, {submitted:.2f} s of them to submit")
        if last - submitted > DELAY + 1:
            self.over.append("the ten had to wait")

    def pause(self, name):
        """A paused batch asks for nothing, also after its aggregator was killed."""
        self.fleet.ask("pause", self.batches[name][0])
        self.run.pause(2 * DELAY)
        before = len(self.asked(name))
        self.fleet.aggregator.restart()
        self.fleet.ask("ping", "--wait", "20s")
        self.run.pause(3)
        if more := len(self.asked(name)) - before:
            self.wrong.append(f"{more} jobs started while their batch was paused")
        self.fleet.ask("resume", self.batches[name][0])
        self.run.pause(2)
        if len(self.asked(name)) == before:
            self.wrong.append("nothing started when the batch was resumed")

    def limits(self):
        """What the sites saw at once, or in any second; a restart and a slow connection may add one."""
        times = self.asked("narrow")
        narrow = max(sum(at <= other < at + DELAY for other in times) for at in times)
        times = self.asked("even")
        even = max(sum(at <= other < at + 1 for other in times) for at in times)
        self.told.append(f"at most {narrow} of {AT_MOST} at once, {even} of {RATE} in a second")
        if narrow > AT_MOST:
            self.over.append("more were in progress than --at-most")
        if even > RATE + 1:
            self.over.append("more started in a second than --rate")

    def rows(self):
        """Every job has one row, when what is open is cancelled."""
        for batch, _ in self.batches.values():
            self.fleet.ask("cancel", batch, "--wait", "20s")
        rows, jobs, passed = 0, 0, True
        for name, (batch, count) in self.batches.items():
            whole, told = verdict(got := self.fleet.rows(batch, 120), count)
            rows, jobs, passed = rows + len(got), jobs + count, passed and whole
            if not whole:
                self.wrong.append(f"{name}: {told}")
        return passed, f"{rows} rows of {jobs} jobs"
