"""How many durable echoes a fleet of one fetcher and one decoder does, and what they cost."""

import time

from basics import listing
from fleet import Fleet
from fleet_load import load, read_rows


def messages(status):
    """What the aggregator and the workers have taken from their inboxes."""
    return status["messages"] + sum(worker["messages"] for worker in status["workers"])


def settled_messages(fleet):
    """Once the workers' last HELLOs have come: one is sent every two seconds."""
    time.sleep(2.5)
    return messages(fleet.status())


def run(fleet, folder, count):
    done = load(fleet, listing(folder, "list", (f"echo:{number}" for number in range(count))), count, "--kind", "echo")
    seconds, rate, commits = done.seconds, done.steady_rate, done.last["commits"] - done.first["commits"]
    print(f"{count} echoes: {seconds:.2f} s, {count / seconds:.0f} a second from the first submission to the last outcome")
    if rate:
        print(f"steady rate, between a tenth and nine tenths of them: {rate:.0f} a second")
    taken = settled_messages(fleet) - messages(done.first)
    print(f"messages per job: {taken / count:.3f}, all that fetcher, decoder and aggregator took")
    print(f"commits: {commits / seconds:.0f} a second, {count / commits:.0f} jobs in each")
    for role, spent in done.spent.items():
        each, share = spent.total() / count * 1e6, spent["system"] / spent.total()
        print(f"{role}: {each:.1f} us of processor time per job, {share:.0%} in the kernel")
    read = read_rows(fleet, done.batch, folder / "rows")
    print(
        f"reading {read.count} rows: {read.seconds:.2f} s, {read.count / read.seconds:.0f} a second; processor seconds:"
        f" aggregator {read.aggregator.total():.2f}, reader {read.reader.total():.2f}"
    )
    return read.count == count


def restart(fleet, count):
    """How long a killed aggregator takes to answer again, with all those jobs in its ledger."""
    began = time.monotonic()
    fleet.aggregator.restart()
    fleet.ask("ping", "--wait", "20s")
    print(f"restart after kill -9 with {count} jobs in the ledger: an echo is back after {time.monotonic() - began:.2f} s")


def measure(binary, folder, count=200_000):
    with Fleet(binary, folder / "fleet", fetchers=1, decoders=1) as fleet:
        whole = run(fleet, folder, count)
        restart(fleet, count)
    return whole
