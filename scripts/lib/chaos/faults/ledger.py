"""What happens to the ledger's file."""

import os
import subprocess
import time

from faults.common import echoes, verdict
from fleet import Fleet


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
