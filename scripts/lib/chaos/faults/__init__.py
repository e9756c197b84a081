"""What is done to a fleet. Each fault returns what it found as (passed, one line); see `outcome` for what only
misses a bound."""

from faults.care import backup_under_load, prune_under_load
from faults.faulty import denied_commits, kill_at_points, poisoned_page, stuck_worker
from faults.hostile import frames, lying_member
from faults.killing import kill_fast, kill_producer, kill_slowly, rescue
from faults.ledger import (
    clock_jump, full_disk, full_disk_restart, full_disk_tools, locked_ledger, read_only_ledger, removed_ledger,
    second_aggregator,
)
from faults.members import mixed_versions, scale_under_load
from faults.network import garbage, link_down, proxied_aggregator, proxied_fetcher
from faults.pausing import drain, slow_worker, stopped_aggregator, stopped_worker
from faults.quiet import quiet_run
from faults.rogue import rogue_fetcher, taken_over_decoder
from faults.running import run_cancelled, run_kills
from faults.sharing import shares
from faults.sizes import sizes
from faults.stranger import hostile_user
from faults.suspects import suspects

ALL = [
    quiet_run, kill_slowly, kill_fast, kill_producer, kill_at_points, denied_commits, rescue, stopped_worker,
    stopped_aggregator, stuck_worker, poisoned_page, suspects, slow_worker, drain, shares, garbage, frames, lying_member,
    taken_over_decoder, rogue_fetcher,
    proxied_aggregator, proxied_fetcher, link_down, full_disk, read_only_ledger, locked_ledger, second_aggregator,
    clock_jump, full_disk_tools, full_disk_restart, removed_ledger, mixed_versions, scale_under_load, run_kills, run_cancelled,
    hostile_user, sizes, backup_under_load, prune_under_load,
]
