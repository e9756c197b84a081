"""How many durable echoes a fleet of one fetcher and one decoder does, and what they cost."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "chaos"))
from fleet import Fleet  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) / TICKS, int(fields[12]) / TICKS


def usage(fleet):
    return {member.role: processor_seconds(member.process) for member in fleet.members}


def messages(status):
    """What the aggregator and the workers have taken from their inboxes."""
    return status["messages"] + sum(worker["messages"] for worker in status["workers"])


def watch(fleet, count):
    """Samples of when and how many jobs were settled, until all are."""
    samples = []
    while not samples or samples[-1][1] < count:
        time.sleep(0.2)
        batches = fleet.status()["batches"]
        samples.append((time.monotonic(), batches[0]["settled"] if batches else 0))
    return samples


def steady_rate(samples, count):
    """Jobs a second between a tenth and nine tenths of them."""
    inner = [sample for sample in samples if count * 0.1 <= sample[1] <= count * 0.9]
    if len(inner) < 2:
        return None
    (start, first), (end, last) = inner[0], inner[-1]
    return (last - first) / (end - start)


def settled_messages(fleet):
    """Once the workers' last HELLOs have come: one is sent every two seconds."""
    time.sleep(2.5)
    return messages(fleet.status())


def read_rows(fleet, batch, file):
    began = time.monotonic()
    before = processor_seconds(fleet.aggregator.process)
    _, _, used = os.wait4(fleet.following(batch, file).pid, 0)
    seconds = time.monotonic() - began
    after = processor_seconds(fleet.aggregator.process)
    with open(file, "rb") as rows:
        count = sum(1 for _ in rows)
    print(
        f"reading {count} rows: {seconds:.2f} s, {count / seconds:.0f} a second; processor seconds:"
        f" aggregator {sum(after) - sum(before):.2f}, reader {used.ru_utime + used.ru_stime:.2f}"
    )
    return count


def measure(fleet, folder, count):
    listing = folder / "list"
    listing.write_text("".join(f"echo:{number}\n" for number in range(count)))
    before, first = usage(fleet), fleet.status()
    began = time.monotonic()
    submitting = fleet.submitting("bench", listing, "--kind", "echo")
    samples = watch(fleet, count)
    seconds, after, last = samples[-1][0] - began, usage(fleet), fleet.status()
    said, _ = submitting.communicate()
    rate, commits = steady_rate(samples, count), last["commits"] - first["commits"]
    print(f"{count} echoes: {seconds:.2f} s, {count / seconds:.0f} a second from the first submission to the last outcome")
    if rate:
        print(f"steady rate, between a tenth and nine tenths of them: {rate:.0f} a second")
    taken = settled_messages(fleet) - messages(first)
    print(f"messages per job: {taken / count:.3f}, all that fetcher, decoder and aggregator took")
    print(f"commits: {commits / seconds:.0f} a second, {count / commits:.0f} jobs in each")
    for role, (user, system) in after.items():
        user, system = user - before[role][0], system - before[role][1]
        print(f"{role}: {(user + system) / count * 1e6:.1f} us of processor time per job, {system / (user + system):.0%} in the kernel")
    batch = json.loads(said.splitlines()[-1])["batch"]
    return read_rows(fleet, batch, folder / "rows") == count


def restart(fleet, count):
    """How long a killed aggregator takes to answer again, with all those jobs in its ledger."""
    began = time.monotonic()
    fleet.aggregator.restart()
    fleet.ask("ping", "--wait", "20s")
    print(f"restart after kill -9 with {count} jobs in the ledger: an echo is back after {time.monotonic() - began:.2f} s")


def main():
    binary, count = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="halyard-bench-") as folder:
        with Fleet(binary, Path(folder) / "fleet", fetchers=1, decoders=1) as fleet:
            whole = measure(fleet, Path(folder), count)
            restart(fleet, count)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
