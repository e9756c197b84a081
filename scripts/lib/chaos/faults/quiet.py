"""No fault at all."""

import time

from faults.common import echoes, verdict
from fleet import Fleet


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
