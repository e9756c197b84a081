"""Processes that die at once."""

import statistics
import subprocess
import time

from basics import listing
from faults.common import echoes, verdict
from fleet import Fleet, answer_of, faults_of, settled_fleet
from outcome import MISSED, within
from site_under_test import CountingSite, Site


# Few at a time: what is under way when its fetcher dies is fetched again.
TRANSFERS = 4


def breath(run, every):
    """Seconds between two kills: in a short run among other tests a process still gets the time to start."""
    began = time.monotonic()
    subprocess.run([run.binary, "--version"], stdout=subprocess.DEVNULL, check=True)
    return max(every, 3 * (time.monotonic() - began)) if run.is_quick else every


def killing(run, pace, count, most_again):
    """kill -9 of a random process, the producer and the reader among them; each job is one GET."""
    options = [["--concurrency", str(TRANSFERS)]]
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder, fetcher_options=options) as fleet:
        file = listing(run.folder, "pages", (f"{site.base}/{number}" for number in range(count)))
        submission = ("kills", file, "--kind", "title")
        kills = dict.fromkeys(["aggregator", "fetcher", "decoder", "producer", "reader"], 0)
        began = time.monotonic()
        producer, reader, batch = fleet.submitting(*submission), None, None
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            if producer and producer.poll() is not None:
                if producer.returncode == 0:
                    batch = producer.stdout.read().split('"batch":"')[-1][:36]
                producer = None if batch else fleet.submitting(*submission)
            if batch and (reader is None or reader.poll() not in (None, 0)):
                reader = fleet.following(batch, run.folder / "kills.jsonl")
            if reader and reader.poll() == 0:
                break
            # A list that takes longer to submit than a producer lives would never be submitted, nor its rows be read.
            clients = {"producer": producer, "reader": reader}
            client = next((clients[name] for name in clients if clients[name] and kills[name] < 20), None)
            victim = run.random.choice([*fleet.members, client] if client else fleet.members)
            if victim is client:
                kills["producer" if client is producer else "reader"] += 1
                client.kill()
                client.wait()
            else:
                kills[victim.role] += 1
                victim.restart()
            if sum(kills.values()) % 10 == 1:
                pause = breath(run, pace)
            run.pause(pause)
        every = 1_000 * (time.monotonic() - began) / max(1, sum(kills.values()))
        rows = fleet.rows(batch, 120)
        settled_fleet(fleet)
        fleet.close()
        passed, told = verdict(rows, count)
        again = site.requests() - count
        told += f", {again / count:.2%} fetched again; one killed every {every:.0f} ms: "
        # Beside the transfers of killed fetchers, pages whose outcomes killed decoders had not sent yet.
        most = max(most_again * count, 1.25 * TRANSFERS * kills["fetcher"])
        return passed and again >= 0 and within(again < most), told + ", ".join(f"{count} × {role}" for role, count in kills.items())


def kill_slowly(run):
    """kill -9 of a random process every 80 ms."""
    return killing(run, 0.08, run.size(50_000, 300_000), 0.01)


def kill_fast(run):
    """kill -9 of a random process every 30 ms."""
    return killing(run, 0.03, run.size(4_000, 50_000), 0.05)


def kill_producer(run):
    """kill -9 of the producer while it submits, and the same command again."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(50_000, 300_000)
        file, kills = echoes(run.folder, count), run.size(10, 100)
        for kill in range(kills):
            producer = fleet.submitting("killed", file, "--kind", "echo")
            run.pause(run.random.uniform(0.01, 0.2))
            if producer.poll() is not None:
                return MISSED, f"a list of {count} is submitted before it can be killed for the {kill + 1}th time"
            producer.kill()
            producer.communicate()
        first = answer_of(fleet.submitting("killed", file, "--kind", "echo"))
        rows = fleet.rows(first["batch"], 120)
        again = answer_of(fleet.submitting("killed", file, "--kind", "echo"))
        same = again["batch"] == first["batch"] and again["new"] == 0
        passed, told = verdict(rows, count)
        return passed and same, f"{told}; killed {kills} times, {again['new']} of {again['jobs']} new at the end"


def rescue(run):
    """How soon a killed fetcher's jobs run elsewhere."""
    site = Site(lambda path, agent: 0.5)
    times = []
    with Fleet(run.binary, run.folder, decoders=1) as fleet:
        for round in range(run.size(10, 50)):
            already = len(site.asked)
            file = listing(run.folder, "rescue", [f"{site.base}/{round}/{number}" for number in range(8)])
            batch = fleet.submit(f"rescue {round}", file, "--kind", "title")
            site.wait_for(already + 8, 20)
            first = {path for _, path, _ in site.asked[already:]}
            victim = run.random.choice(fleet.of("fetcher"))
            killed = time.monotonic()
            victim.kill()
            rows = fleet.rows(batch, 60)
            victim.start()
            if wrong := faults_of(rows, 8):
                return False, f"round {round}: {', '.join(wrong)}"
            times += [1000 * (asked - killed) for asked, path, _ in site.asked[already + 8 :] if path in first]
            fleet.ask("ping", "--wait", "20s")
            fleet.wait_for_workers()
    site.close()
    if not times:
        return MISSED, "no job was on a killed fetcher"
    median = statistics.median(times)
    return within(median <= 50), f"{len(times)} jobs ran elsewhere after {median:.0f} ms (median), {max(times):.0f} ms at most"
