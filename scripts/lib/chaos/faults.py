"""What is done to a fleet. Each fault returns what it found as (passed, one line)."""

import os
import socket
import statistics
import subprocess
import time

from fleet import Fleet, charged_again, descriptors, faults_of, settled_fleet
from site_under_test import CountingSite, Site


def listing(folder, name, lines):
    file = folder / f"{name}.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def echoes(folder, count):
    return listing(folder, "echoes", (f"echo:{number}" for number in range(count)))


def verdict(rows, expected, most_charged=None):
    wrong = faults_of(rows, expected)
    share = charged_again(rows)
    if most_charged is not None and share > most_charged:
        wrong.append(f"{most_charged:.0%} allowed")
    told = f"{len(rows)} rows of {expected} jobs, {share:.2%} charged again"
    return not wrong, told + "".join(f"; {fault}" for fault in wrong)


def quiet_run(run):
    """No faults: how fast durable echoes are."""
    count = run.size(20_000, 1_000_000)
    with Fleet(run.binary, run.folder, fetchers=1, decoders=1) as fleet:
        began = time.monotonic()
        batch = fleet.submit("quiet", echoes(run.folder, count), "--kind", "echo")
        rows = fleet.rows(batch, 600)
        rate = count / (time.monotonic() - began)
        passed, told = verdict(rows, count)
        return passed, f"{told}, {rate:.0f} a second from submission to the last row"


def killing(run, every, count, most_again):
    """kill -9 of a random process, the producer and the reader among them; each job is one GET."""
    # Few at a time: what is under way when its fetcher dies is fetched again.
    options = [["--concurrency", "4"]]
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder, fetcher_options=options) as fleet:
        file = listing(run.folder, "pages", (f"{site.base}/{number}" for number in range(count)))
        submission = ("kills", file, "--kind", "title")
        kills = dict.fromkeys(["aggregator", "fetcher", "decoder", "producer", "reader"], 0)
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
            # A list that takes longer to submit than a producer lives would never be submitted.
            client = producer if kills["producer"] < 20 else reader
            victim = run.random.choice([*fleet.members, client] if client else fleet.members)
            if victim is client:
                kills["producer" if client is producer else "reader"] += 1
                client.kill()
                client.wait()
            else:
                kills[victim.role] += 1
                victim.restart()
            run.pause(every)
        rows = fleet.rows(batch, 120)
        settled_fleet(fleet)
        fleet.close()
        passed, told = verdict(rows, count)
        again = site.requests() / count - 1
        told += f", {again:.2%} fetched again"
        return passed and again < most_again, told + "; killed " + ", ".join(f"{count} × {role}" for role, count in kills.items())


def kill_slowly(run):
    """kill -9 of a random process every 80 ms."""
    return killing(run, 0.08, run.size(50_000, 300_000), 0.01)


def kill_fast(run):
    """kill -9 of a random process every 30 ms."""
    return killing(run, 0.03, run.size(2_000, 50_000), 0.05)


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
        return False, "no job was on a killed fetcher"
    median = statistics.median(times)
    return median <= 50, f"{len(times)} jobs ran elsewhere after {median:.0f} ms (median), {max(times):.0f} ms at most"


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


def garbage(run):
    """Raw garbage and half-open connections on the aggregator's TCP port while jobs run."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Fleet(run.binary, run.folder, listen=f"tcp://127.0.0.1:{port}") as fleet:
        count = run.size(10_000, 100_000)
        producer = fleet.submitting("garbage", echoes(run.folder, count), "--kind", "echo")
        before = descriptors(fleet.aggregator)
        held = []
        for round in range(run.size(200, 2_000)):
            peer = socket.create_connection(("127.0.0.1", port))
            peer.sendall(run.random.randbytes(run.random.randrange(1, 2_000)))
            if round % 4 == 0 and len(held) < 50:
                held.append(peer)
            else:
                peer.close()
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        rows = fleet.rows(batch, 300)
        for peer in held:
            peer.close()
        passed, told = verdict(rows, count)
        alive = fleet.aggregator.process.poll() is None
        return passed and alive, f"{told}; {before} descriptors before, {descriptors(fleet.aggregator)} after"


def full_disk(run):
    """The ledger's disk is full for a while."""
    if os.geteuid() != 0:
        return True, "left out: only root may mount a small disk"
    disk = run.folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=True)
    try:
        with Fleet(run.binary, run.folder, ledger=disk / "ledger.db") as fleet:
            count = 60_000
            producer = fleet.submitting("full", echoes(run.folder, count), "--kind", "echo")
            deadline = time.monotonic() + 60
            while (status := fleet.status())["health"] != "degraded":
                if time.monotonic() > deadline:
                    return False, f"never degraded: {status}"
            subprocess.run(["mount", "-o", "remount,size=512m", str(disk)], check=True)
            batch = producer.communicate()[0].split('"batch":"')[-1][:36]
            passed, told = verdict(fleet.rows(batch, 300), count)
            health = fleet.status()["health"]
            return passed and health == "ok", f"{told}; it said '{status['reason']}', and {health} at the end"
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def second_aggregator(run):
    """A second aggregator on the same ledger, and a restart with many rows."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(50_000, 1_000_000)
        batch = fleet.submit("many", echoes(run.folder, count), "--kind", "echo")
        rows = fleet.rows(batch, 600)
        second = subprocess.run(
            [fleet.binary, "aggregator", "--run-dir", str(run.folder / "other"), "--ledger", str(fleet.ledger)],
            capture_output=True, text=True, timeout=20,
        )
        fleet.aggregator.kill()
        began = time.monotonic()
        fleet.aggregator.start()
        fleet.status()
        took = time.monotonic() - began
        passed, told = verdict(rows, count)
        refusal = second.stderr.strip().splitlines()[-1] if second.stderr.strip() else "nothing"
        return (
            passed and second.returncode == 69 and took < 2,
            f"{told}; the second was told '{refusal}'; served {took:.2f} s after a restart",
        )


ALL = [
    quiet_run, kill_slowly, kill_fast, rescue, stopped_worker, stopped_aggregator, slow_worker, drain, garbage,
    full_disk, second_aggregator,
]
