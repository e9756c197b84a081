"""What is done to a fleet. Each fault returns what it found as (passed, one line); see `outcome` for what only
misses a bound."""

from faults import (
    care, faulty, hostile, killing, ledger, members, network, pausing, quiet, rogue, running, sharing, sizes, stranger,
    suspects,
)

ALL = [
    quiet.quiet_run, killing.kill_slowly, killing.kill_fast, killing.kill_producer, faulty.kill_at_points,
    faulty.denied_commits, killing.rescue, pausing.stopped_worker, pausing.stopped_aggregator, faulty.stuck_worker,
    faulty.poisoned_page, suspects.suspects, pausing.slow_worker, pausing.drain, sharing.shares, network.garbage,
    hostile.frames, hostile.lying_member, rogue.taken_over_decoder, rogue.rogue_fetcher, network.proxied_aggregator,
    network.proxied_fetcher, network.link_down, ledger.full_disk, ledger.read_only_ledger, ledger.locked_ledger,
    ledger.second_aggregator, ledger.clock_jump, ledger.full_disk_tools, ledger.full_disk_restart, ledger.removed_ledger,
    members.mixed_versions, members.scale_under_load, running.run_kills, running.run_cancelled, stranger.hostile_user,
    sizes.sizes, care.backup_under_load, care.prune_under_load,
]
