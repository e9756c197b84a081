"""A program that fails where it is told to: FaultyHalyard, which is halyard but for that."""

from basics import listing
from faults.common import Twice, once_only, pages, verdict
from fleet import Fleet, SupervisedFleet, answer_of, faults_of, settled_fleet
from site_under_test import CountingSite, Site

POINTS = [
    "received", "before-commit", "during-commit", "after-commit", "before-send", "during-send", "after-send",
]


def kill_at_points(run):
    """kill -9 of the aggregator at each named point of its loop."""
    count = 3_000
    with CountingSite(run.folder) as site, Fleet(run.faulty, run.folder) as fleet:

        def submitting():
            return fleet.submitting(f"points {len(batches)}", pages(run.folder, site, count), "--kind", "title")

        batches = []
        producer = submitting()
        kills = run.size(14, 200)
        for kill in range(kills):
            fleet.aggregator.kill()
            fleet.aggregator.start(f"kill {POINTS[kill % len(POINTS)]} {run.random.randrange(1, 25)}")
            fleet.aggregator.process.wait(timeout=60)
            if producer.poll() is not None:
                batches.append(answer_of(producer)["batch"])
                producer = submitting()
        fleet.aggregator.start()
        batches.append(answer_of(producer)["batch"])
        told = f"killed {kills} times at {len(POINTS)} points over {len(batches)} × {count} jobs"
        passed, found = every_batch(fleet, batches, count, Twice(site))
        return passed, f"{told}; {found}"


def every_batch(fleet, batches, count, twice):
    for batch in batches:
        rows = fleet.rows(batch, 120)
        if wrong := faults_of(rows, count):
            return False, f"batch {batch}: {', '.join(wrong)}"
        twice.add(rows)
    settled_fleet(fleet)
    return twice.verdict()


def denied_commits(run):
    """One commit of a hundred succeeds, and the aggregator is told that it failed."""
    with CountingSite(run.folder) as site, Fleet(run.faulty, run.folder) as fleet:
        fleet.aggregator.kill()
        fleet.aggregator.start(f"deny after-commit {run.size(10, 100)}")
        count = run.size(20_000, 300_000)
        batch = fleet.submit("denied", pages(run.folder, site, count), "--kind", "title")
        passed, told = verdict(rows := fleet.rows(batch, 300), count)
        settled_fleet(fleet)
        denied = fleet.aggregator.said().count("commit failed, trying again")
        once, found = once_only(site, rows)
        return passed and denied > 0 and once, f"{told}; {found}; {denied} commits were told as failed"


def stuck_worker(run):
    """A decoder stands still within a live process."""
    site = Site()
    mark = run.folder / "stuck"
    with SupervisedFleet(run.faulty, run.folder, "--decoders", "2", fault=f"hang reading 1 {mark}") as fleet:
        count = 40
        links = [f"{site.base}/{number}" for number in range(count - 1)] + [f"{site.base}/faulty"]
        batch = fleet.submit("stuck", listing(run.folder, "stuck", links), "--kind", "title")
        passed, told = verdict(fleet.rows(batch, 60), count)
        fleet.wait_until_said("ended with exit code 70", 20)
        said = [line for line in fleet.said().splitlines() if "stands still" in line]
        settled_fleet(fleet)
    site.close()
    return passed and mark.stat().st_size > 0 and len(said) == 1, f"{told}; it said '{''.join(said)}'"


def poisoned_page(run):
    """A page that each decoder dies of."""
    passed, told, deaths = dying_of_one(run, run.folder, Site(), 200, "kill reading 1", "--decoders", "2")
    # The first death says no more than which pages can have been it.
    return passed and 3 <= deaths <= 6, told


def dying_of_one(run, folder, site, count, fault, *options):
    """Titles of which one kills the worker that has it: whether that ends as poisoned and no other is charged for it, what is
    told, and how many workers died."""
    with SupervisedFleet(run.faulty, folder, *options, fault=fault) as fleet:
        links = [f"{site.base}/{number}" for number in range(count - 1)]
        links.insert(run.random.randrange(count), f"{site.base}/faulty")
        rows = fleet.rows(fleet.submit("deadly", listing(folder, "deadly", links), "--kind", "title"), 120)
        deaths = fleet.said().count("was killed by signal 9")
        settled_fleet(fleet)
    site.close()
    passed, told = verdict(rows, count)
    ends = {row["input"]: row.get("error", {}).get("kind") for row in rows if row["status"] != "ok"}
    charged = sum(row["attempts"] > 1 and not row["input"].endswith("/faulty") for row in rows)
    told += f"; {deaths} workers died, {charged} others were charged; it ended as {ends}"
    return passed and ends == {f"{site.base}/faulty": "poisoned"} and not charged, told, deaths
