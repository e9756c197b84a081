"""What is done with the ledger while jobs run."""

import os
import sqlite3
import subprocess

from basics import listing
from faults.common import echoes, numbers, verdict
from fleet import Fleet, answer_of

# Of what it was, when its jobs are deleted and their room is given back.
MOST_LEFT = 0.05


def backup_under_load(run):
    """Copies of the ledger while jobs run, some with the aggregator killed; each holds every acknowledged job."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(40_000, 400_000)
        producer = fleet.submitting("load", echoes(run.folder, count), "--kind", "echo")
        # The producer reads its list all the while.
        few = listing(run.folder, "few", (f"echo:{number}" for number in range(50)))
        copies, broken, wrong = 0, 0, []
        while copies < run.size(2, 8) or producer.poll() is None:
            settled = done(fleet)
            name = f"acknowledged {next(numbers)}"
            batch = fleet.submit(name, few, "--kind", "echo")
            copy = run.folder / f"copy {copies}.db"
            # The first two to the end, whatever the machine.
            kills = copies >= 2 and run.random.random() < 0.5
            if succeeds(fleet, "backup", str(copy), run=run, moment=(0, 0.3) if kills else None):
                wrong += faults_of_copy(fleet, copy, batch, 50, settled)
                copy.unlink()
            else:
                broken += 1
            copies += 1
        passed, told = verdict(fleet.rows(answer_of(producer)["batch"], 300), count)
        left = [name for name in os.listdir(fleet.run_dir) if ".copy-" in name]
        wrong += [f"{name} was left" for name in left]
        told = f"{told}; {copies - broken} copies, {broken} ended by a kill"
        return passed and not wrong, "; ".join([told, *wrong[:5]])


def succeeds(fleet, *words, run=None, moment=None):
    """Whether a command that cares for the ledger does; the aggregator is killed meanwhile when there is a moment for it."""
    command = subprocess.Popen(
        [fleet.binary, "ledger", *words, *fleet.way, "--wait", "60s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if moment:
        run.pause(run.random.uniform(*moment))
        fleet.aggregator.restart()
    _, said = command.communicate(timeout=600)
    if command.returncode == 0:
        return True
    # What was begun is not begun anew, and a copy that was whole and not yet taken is gone with its aggregator.
    if moment and ("restarted meanwhile" in said or "no copy at" in said):
        return False
    raise RuntimeError(f"{words[0]} ended with {command.returncode}: {said}")


def faults_of_copy(fleet, copy, batch, jobs, settled):
    """What is wrong with a copy that was asked for when that batch was acknowledged and so many jobs were settled."""
    check = subprocess.run(
        [fleet.binary, "ledger", "check", "--ledger", str(copy)], capture_output=True, text=True, timeout=120
    )
    wrong = [] if check.returncode == 0 else [f"check: {check.stdout}{check.stderr}"]
    database = sqlite3.connect(copy)
    id = bytes.fromhex(batch.replace("-", ""))
    held = database.execute("SELECT submitted FROM batch WHERE id = ?", (id,)).fetchone()
    if not held or held[0] != jobs:
        wrong.append(f"it has {held[0] if held else 0} of {jobs} acknowledged jobs")
    over = database.execute("SELECT sum(settled) FROM batch").fetchone()[0]
    if over < settled:
        wrong.append(f"it has {over} of {settled} settled jobs")
    database.close()
    return wrong


def done(fleet):
    """Settled jobs, as committed."""
    return sum(batch["settled"] for batch in fleet.status()["batches"])


def prune_under_load(run):
    """A batch is deleted and its room given back while another one runs and the aggregator is killed."""
    with Fleet(run.binary, run.folder) as fleet:
        count = run.size(60_000, 600_000)
        old = fleet.submit("old", echoes(run.folder, count), "--kind", "echo")
        passed, told = verdict(fleet.rows(old, 300), count)
        full = size(fleet)
        producer = fleet.submitting("new", echoes(run.folder, count), "--kind", "echo")
        kills = 0
        pruning, most = ("prune", "--batch", "old", "--unread"), run.size(1, 5)
        while not succeeds(fleet, *pruning, run=run, moment=(0.2, 1) if kills < most else None):
            kills += 1
        kills = min(kills + 1, most)
        fleet.ask("ledger", "compact", "--wait", "60s")
        rows = fleet.rows(answer_of(producer)["batch"], 300)
        again, found = verdict(rows, count)
        gone = not any(batch["id"] == old for batch in fleet.status()["batches"])
        checked = fleet.ask("ledger", "check", "--wait", "60s").strip()
        fleet.ask("ledger", "prune", "--batch", "new", "--unread", "--wait", "60s")
        fleet.ask("ledger", "compact", "--wait", "60s")
        left = size(fleet) / full
        return (
            passed and again and gone and checked == "the ledger is sound" and left < MOST_LEFT,
            f"{told}; {found} beside it; {kills} kills; {checked}; {full / 1e6:.0f} MB before, {left:.1%} after",
        )


def size(fleet):
    """Bytes of the ledger's files on the disk, without the reserve."""
    files = (file for file in fleet.run_dir.glob("ledger.db*") if not file.name.endswith("-reserve"))
    return sum(file.stat().st_size for file in files)
