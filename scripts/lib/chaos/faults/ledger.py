"""What happens to the ledger's file."""

import contextlib
import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from basics import listing, wait_for
from faults.common import echoes, once_only, pages, verdict
from fleet import Desk, Fleet, SupervisedFleet, answer_of
from outcome import LeftOut, within
from site_under_test import CountingSite, Site

# What was under way when the aggregator was killed is settled by the next one.
MOST_FETCHED = 0.01


def full_disk(run):
    """The ledger's disk is full for a while."""
    with small_disk(run, "6m") as disk, Fleet(run.binary, run.folder, ledger=disk / "ledger.db") as fleet:
        count = 60_000
        producer = fleet.submitting("full", echoes(run.folder, count), "--kind", "echo")
        status = wait_for_health(fleet, "degraded")
        subprocess.run(["mount", "-o", "remount,size=512m", str(disk)], check=True)
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        passed, told = verdict(fleet.rows(batch, 300), count)
        health = fleet.status()["health"]
        return passed and health == "ok", f"{told}; it said '{status['reason']}', and {health} at the end"


def read_only_ledger(run):
    """The ledger's files may not be written for a while."""
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder) as fleet:
        count = run.size(20_000, 300_000)
        producer = fleet.submitting("read-only", pages(run.folder, site, count), "--kind", "title")
        files = [str(fleet.ledger), f"{fleet.ledger}-wal"]
        # Also processes that have them open already may not write to them.
        if not may("chattr", "+i", *files):
            producer.kill()
            raise LeftOut("only root on some file systems may make a file immutable")
        try:
            status = wait_for_health(fleet, "degraded")
            settled = sum(batch["settled"] for batch in status["batches"])
            run.pause(run.size(1, 60))
            later = fleet.status()
            stood = sum(batch["settled"] for batch in later["batches"]) == settled
        finally:
            subprocess.run(["chattr", "-i", *files], check=True)
        passed, told = verdict(rows := fleet.rows(answer_of(producer)["batch"], 300), count)
        once, found = once_only(site, rows)
        alive = fleet.aggregator.process.poll() is None
        health = fleet.status()["health"]
        return (
            passed and stood and alive and (later["health"], health) == ("degraded", "ok") and once,
            f"{told}; {found}; it said '{status['reason']}', and {health} at the end",
        )


def may(*words):
    """Runs a command that not every user may run, and that some machines lack."""
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True).returncode == 0


@contextlib.contextmanager
def small_disk(run, size):
    disk = run.folder / "disk"
    disk.mkdir()
    if not may("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)):
        raise LeftOut("only root may mount a small disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def wait_for_health(fleet, health):
    return wait_for(lambda: (status := fleet.status())["health"] == health and status, 60, lambda: f"not {health}: {fleet.status()}")


def locked_ledger(run):
    """Another process holds the ledger when the aggregator starts again."""
    site = Site(lambda path, agent: 1)
    with SupervisedFleet(run.binary, run.folder, "--fetchers", "2") as fleet:
        count = 100
        links = listing(run.folder, "locked", [f"{site.base}/{number}" for number in range(count)])
        batch = fleet.submit("locked", links, "--kind", "title")
        site.wait_for(20, 20)
        with open(fleet.ledger, "r+b") as file:
            os.kill(fleet.process_of("aggregator"), signal.SIGKILL)
            # The bytes that SQLite locks, given to a waiting process when their holder dies.
            fcntl.lockf(file, fcntl.LOCK_EX, 510, 0x4000_0002)
            fleet.wait_until_said("another aggregator or command is using it", 20)
            run.pause(run.size(3, 60))
            fcntl.lockf(file, fcntl.LOCK_UN, 510, 0x4000_0002)
        freed = time.monotonic()
        fleet.status()
        served = time.monotonic() - freed
        passed, told = verdict(fleet.rows(batch, 120), count)
        refused = fleet.said().count("another aggregator or command is using it")
    site.close()
    again = len(site.asked) - count
    few = again <= MOST_FETCHED * count
    return (
        passed and again >= 0 and within(served < 10 and few),
        f"{told}; refused {refused} times, served {served:.1f} s after, {again} fetched again",
    )


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
            passed and second.returncode == 69 and within(took < 2),
            f"{told}; the second was told '{refusal}'; served {took:.2f} s after a restart",
        )


def full_disk_tools(run):
    """The disk of the whole fleet has no byte left, and the commands that look and clear up work all the same."""
    with small_disk(run, "160m") as disk, Fleet(run.binary, disk) as fleet:
        count = run.size(2_000, 20_000)
        batch = fleet.submit("old", echoes(run.folder, count), "--kind", "echo")
        fleet.folder = run.folder
        passed, told = verdict(fleet.rows(batch, 60), count)
        unfinished = fleet.submit("open", echoes(run.folder, count), "--kind", "echo", "--at", "+1h")
        wait_for(lambda: fleet.status()["ledger"]["reserve"]["bytes"], 15, "no reserve")
        fill(disk / "filler")
        failed = []
        for words in (
            ["status"], ["results", batch], ["cancel", unfinished], ["ledger", "size"], ["doctor"], ["jobs"], ["batches"],
            ["ledger", "prune", "--batch", batch, "--unread"],
        ):
            ended = subprocess.run(
                [fleet.binary, *words, *fleet.way, "--wait", "10s"], capture_output=True, text=True, timeout=30
            )
            if ended.returncode not in (0, 1):
                failed.append(f"{' '.join(words)} ended with {ended.returncode}: {ended.stderr.strip()}")
        gone = not any(one["id"] == batch for one in fleet.status()["batches"])
        wait_for(lambda: cancelled_of(fleet, unfinished) == count, 15, "not cancelled")
        (disk / "filler").unlink()
        wait_for(lambda: fleet.status()["health"] == "ok" and fleet.status()["ledger"]["reserve"]["bytes"], 15, "not well")
        return passed and gone and not failed, "; ".join([told, f"pruned: {gone}", *failed])


def full_disk_restart(run):
    """A fleet is killed while its disk has no byte left. It starts again there, says what it needs, and goes on with it."""
    with small_disk(run, "160m") as disk, contextlib.ExitStack() as scope:
        desk = Desk(run.binary, disk)

        def command(*words):
            words = [desk.binary, *words, "--run-dir", str(desk.run_dir)]
            return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)

        scope.callback(command, "down")
        if command("up", "--detach").returncode:
            raise RuntimeError("it did not start")
        count = run.size(2_000, 20_000)
        batch = desk.submit("open", echoes(run.folder, count), "--kind", "echo", "--at", "+8s")
        desk.folder = run.folder
        process = int((desk.run_dir / "up.lock").read_text())
        workers = [file.name.split("-")[1] for file in desk.run_dir.glob("worker-*")]
        fill(disk / "filler")
        os.kill(process, signal.SIGKILL)
        wait_for(lambda: not any(Path(f"/proc/{worker}/exe").exists() for worker in workers), 15, "workers stayed")
        fill(disk / "more")
        again = command("up", "--detach")
        said = next((line for line in again.stderr.splitlines() if "no job runs yet" in line), again.stderr)
        status = desk.status()
        for name in ("filler", "more"):
            (disk / name).unlink()
        passed, told = verdict(desk.rows(batch, 60), count)
        wait_for(lambda: desk.status()["health"] == "ok", 15, "not well")
        well = again.returncode == command("down").returncode == 0 and "fault" in status["ledger"]
        return passed and well, f"{told}; it said '{said}'"


def cancelled_of(fleet, batch):
    return next(one["cancelled"] for one in fleet.status()["batches"] if one["id"] == batch)


def fill(path):
    """Writes until nothing more fits, in ever smaller pieces."""
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                pass


def removed_ledger(run):
    """The ledger's files are deleted under a running fleet, which says so; a backup of what is open brings all back."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(1_000, 20_000)
        batch = fleet.submit("kept", echoes(run.folder, count), "--kind", "echo")
        fleet.rows(batch, 60)
        for file in fleet.run_dir.glob("ledger.db*"):
            file.unlink()
        status = wait_for_health(fleet, "degraded")
        refused = fleet.submitting("lost", echoes(run.folder, 5), "--kind", "echo")
        refused.communicate(timeout=30)
        copy = run.folder / "saved.db"
        fleet.ask("ledger", "backup", str(copy), "--wait", "10s")
        fleet.aggregator.kill()
        fleet.aggregator.start()
        fleet.aggregator.wait_until_said("an empty one is begun", 15)
        fleet.aggregator.kill()
        for file in fleet.run_dir.glob("ledger.db*"):
            file.unlink()
        shutil.copy(copy, fleet.ledger)
        fleet.aggregator.start()
        passed, told = verdict(fleet.rows(batch, 60), count)
        said = "was removed" in status.get("reason", "")
        return passed and said and refused.returncode != 0, f"{told}; it said '{status['reason']}'"


def clock_jump(run):
    """The ledger was last in use by a clock that is eight days behind: nothing is old, and no retry is parked."""
    with Fleet(run.binary, run.folder, aggregator_options=("--keep-batches", "7d")) as fleet:
        count = run.size(1_000, 20_000)
        batch = fleet.submit("kept", echoes(run.folder, count), "--kind", "echo")
        fleet.rows(batch, 60)
        fleet.aggregator.kill()
        # As if the clock had jumped ahead between the two lives: all that the ledger knows is eight days old.
        shift(fleet.ledger, -8 * 86_400_000)
        fleet.aggregator.start()
        fleet.aggregator.wait_until_said("the clock was set", 15)
        wait_for(lambda: fleet.status()["uptime_ms"] > 4_000, 15, "not up for 4 s")
        return verdict(fleet.rows(batch, 60), count)


def shift(ledger, milliseconds):
    with contextlib.closing(sqlite3.connect(ledger)) as database, database:
        for place in ("batch.changed_at", "batch.submitted_at", "batch.first_submitted_at", "owner.renewed_at", "worker.seen_at"):
            table, column = place.split(".")
            database.execute(f"UPDATE {table} SET {column} = {column} + ?", (milliseconds,))
