"""What is done to a fleet. Each fault returns what it found as (passed, one line)."""

from faults.hostile import frames
from faults.killing import kill_fast, kill_slowly, rescue
from faults.ledger import full_disk, second_aggregator
from faults.network import garbage, link_down, proxied_aggregator, proxied_fetcher
from faults.pausing import drain, slow_worker, stopped_aggregator, stopped_worker
from faults.quiet import quiet_run

ALL = [
    quiet_run, kill_slowly, kill_fast, rescue, stopped_worker, stopped_aggregator, slow_worker, drain, garbage, frames,
    proxied_aggregator, proxied_fetcher, link_down, full_disk, second_aggregator,
]
