"""Recipes that run while processes die, or are ended."""

import contextlib
import json
import subprocess
import time

from faults.killing import breath
from fleet import Fleet, settled_fleet
from outcome import MISSED, within
from site_under_test import CountingSite, Site

RECIPE = {
    "parameters": {"base": {"type": "url"}},
    "steps": {
        "root": {"call": "{+base}/root"},
        "branches": {"each": "$root", "call": "{+base}/branch/{input}"},
        "leaves": {"each": "$branches$[*][*]", "call": "{+base}/leaf/{input}"},
    },
    "output": "$leaves",
}

# Workers are heard at least so often, and hear what they are to let go of as soon as it is known.
BEAT = 1.0


@contextlib.contextmanager
def running(fleet, base, rows):
    """The process of `halyard run` in a fleet, which writes its one row into a file."""
    file = fleet.folder / "recipe.json"
    file.write_text(json.dumps(RECIPE))
    words = [fleet.binary, "run", str(file), "--param", f"base={base}", *fleet.way, "--wait", "60s"]
    with open(rows, "wb") as output:
        client = subprocess.Popen([*words, "--row", "--quiet"], stdout=output, stderr=subprocess.DEVNULL)
    try:
        yield client
    finally:
        client.kill()
        client.wait()


def tree(count, width=500):
    """What the root and its branches answer, by their paths: numbers up to the count are on the leaves."""
    branches = {f"/branch/{first // width}": list(range(first, first + width)) for first in range(0, count, width)}
    return {"/root": list(range(len(branches))), **branches}


def location(path, answer):
    return f"location = {path} {{ return 200 '{answer}'; }}"


def run_kills(run):
    """kill -9 of random processes while a recipe fans out."""
    count, rounds = 10_000, run.size(1, 10)
    kills = dict.fromkeys(["aggregator", "fetcher", "decoder"], 0)
    # Few at a time: what is under way when its fetcher dies is fetched again.
    options = [["--concurrency", "8"]]
    locations = "".join(location(path, json.dumps(answer)) for path, answer in tree(count).items())
    locations += "location ~ ^/leaf/(.*)$ { return 200 '$1'; }"
    with (
        CountingSite(run.folder, locations=locations) as site,
        Fleet(run.binary, run.folder, fetcher_options=options) as fleet,
    ):
        for number in range(rounds):
            rows = run.folder / "gathered.jsonl"
            with running(fleet, site.base, rows) as client:
                began = time.monotonic()
                pause = breath(run, 0.08)
                while client.poll() is None and time.monotonic() < began + 300:
                    victim = run.random.choice(fleet.members)
                    kills[victim.role] += 1
                    victim.restart()
                    run.pause(pause)
                if wrong := faults_of_gathered(fleet, client, rows, list(range(count))):
                    return False, f"round {number}: {wrong}"
        settled_fleet(fleet)
        fleet.close()
        again = site.requests() - rounds * (count + len(tree(count)))
        told = f"{rounds} × one row of {count} calls in exact order, {again / rounds / count:.2%} fetched again; "
        told += ", ".join(f"{number} × {role}" for role, number in kills.items())
        return again >= 0 and within(again < 0.05 * rounds * count and sum(kills.values()) >= 10 * rounds), told


def faults_of_gathered(fleet, client, file, expected):
    """What is wrong with how a run ended; nothing when all is well."""
    if client.poll() != 0:
        return f"it ended with {client.poll()}: {file.read_text()[:300]}"
    printed = [json.loads(line) for line in file.read_text().splitlines()]
    kept = fleet.rows(printed[0]["batch"], 60)
    if len(printed) != 1 or len(kept) != 1:
        return f"{len(printed)} rows were printed and {len(kept)} are kept"
    if printed[0]["value"] != expected or kept[0]["value"] != expected:
        return "what was gathered is not what was served, in its order"
    return None


def run_cancelled(run):
    """Cancels a recipe in the middle of a tree of 10,000 calls."""
    count, told, late, most = 10_000, [], 0, 0.0
    answers = tree(count)
    site = Site(
        # None waits as long as its neighbours, so that answers and new calls come all the time.
        lambda path, agent: run.random.uniform(0.02, 0.2) if "/leaf/" in path else 0,
        lambda path: json.dumps(answers.get(path, path.split("/")[-1])),
    )
    with Fleet(run.binary, run.folder) as fleet:
        for number in range(run.size(1, 10)):
            already = len(site.asked)
            rows = run.folder / "cancelled.jsonl"
            with running(fleet, site.base, rows) as client:
                site.wait_for(already + len(answers) + run.random.randrange(200, 4_000), 60)
                batch = next(batch["id"] for batch in fleet.status()["batches"] if batch["open"])
                began = time.monotonic()
                fleet.ask("cancel", batch, "--cause", "chaos")
                cancelled = time.monotonic()
                client.wait(timeout=30)
            run.pause(3 * BEAT)
            asked = [at for at, _, _ in site.asked[already:]]
            late += sum(at > cancelled + BEAT for at in asked)
            most = max(most, max(asked) - began)
            row = json.loads(rows.read_text())
            if row["status"] != "cancelled" or "chaos" not in row["error"]["message"] or "value" in row:
                return False, f"its row says {json.dumps(row)[:300]}"
            if len(asked) > count * 0.7:
                return MISSED, f"{len(asked)} calls were made: that is not the middle"
            settled_fleet(fleet)
            if held := sum(worker["held"] for worker in fleet.status()["workers"]):
                return False, f"workers hold {held} jobs"
            told.append(len(asked))
    site.close()
    return within(late == 0), (
        f"ended after {min(told)} to {max(told)} calls of {count + len(answers)}; the last one came"
        f" {1000 * most:.0f} ms after the order, {late} more than a heartbeat after it"
    )
