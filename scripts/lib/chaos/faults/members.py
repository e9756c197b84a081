"""Fleets whose members change: other versions, more of them, fewer of them."""

import concurrent.futures

from faults.common import Twice, batches
from faults.pausing import Turns
from fleet import Fleet, SupervisedFleet, settled_fleet
from outcome import within
from site_under_test import CountingSite


def mixed_versions(run):
    """Workers of the next minor wire version with an aggregator of this one and the other way round, upgraded one by one under load."""
    def change(member):
        member.is_newer = not member.is_newer

    with CountingSite(run.folder) as site:
        turns = Turns(site)
        for round, newer in enumerate([("fetcher", "decoder"), ("aggregator",), ("fetcher",)] * run.size(1, 5)):
            folder = run.folder / f"fleet {round}"
            folder.mkdir()
            with Fleet(run.faulty, folder, newer=newer) as fleet:
                if wrong := misjudged(fleet, newer):
                    return False, f"round {round}: {wrong}"
                if wrong := turns.take(fleet, f"mixed {round}", run.size(15_000, 60_000), change):
                    return False, f"round {round}: {wrong}"
                fleet.wait_for_workers()
                swapped = {"aggregator", "fetcher", "decoder"}.difference(newer)
                if wrong := misjudged(fleet, swapped):
                    return False, f"round {round}, after the change: {wrong}"
        return turns.verdict()


def misjudged(fleet, newer):
    """What is wrong with the verdicts on members; empty when all work together as what they are."""
    workers = fleet.status()["workers"]
    wrong = [f"{one['role']} is {one['verdict']}: {one.get('differs')}" for one in workers if one["verdict"] != "compatible"]
    wrong += [
        f"{one['role']} writes {one['wire']}" for one in workers if (one["wire"] == "1.1") != (one["role"] in newer)
    ]
    return "; ".join(wrong)


def scale_under_load(run):
    """halyard scale, up and down, and kill -9 of a new decoder, while jobs run."""
    with CountingSite(run.folder) as site, SupervisedFleet(run.binary, run.folder) as fleet:
        times = []

        def change():
            for _ in range(run.size(1, 10)):
                for role, count in [("fetchers", 4), ("decoders", 3)]:
                    times.append(fleet.scale(role, count))
                fleet.kill("decoder 3")
                fleet.wait_for_size("decoders", 3)
                for role, count in [("fetchers", 1), ("decoders", 1)]:
                    times.append(fleet.scale(role, count))

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            changing = pool.submit(change)
            twice = Twice(site)
            jobs, wrong = batches(fleet, run.size(5_000, 20_000), changing.done, twice)
            changing.result()
        settled_fleet(fleet)
        # Outcomes that the killed decoder had queued for the aggregator die with it, and their pages were released.
        once, found = twice.verdict(most_fetched=0.01)
        told = "; ".join([f"{jobs} jobs, each with its row" if not wrong else f"{jobs} jobs", *wrong, found])
    return not wrong and once and within(max(times) <= 30), (
        f"{told}; {len(times)} changes, each in force after {min(times):.1f} to {max(times):.1f} s"
    )
