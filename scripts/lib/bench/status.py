"""How long a fleet takes to answer `status`: with nothing to do, while it does many echoes, and on a slow disk."""

import json
import subprocess
import threading
import time

from basics import listing
from fleet import Fleet, answer_of, slow_disk

INTERVAL = 0.1
QUIET_SECONDS = 5
SYNC_MILLISECONDS = 500
ECHOES_ON_SLOW_DISK = 2_000


class Client:
    """One `halyard watch`, which asks again a tenth of a second after each answer."""

    def __init__(self, fleet):
        words = [fleet.binary, "watch", *fleet.way, "--json", "--every", "100ms", "--wait", "60s"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.reports = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.reports.append((time.monotonic(), json.loads(line)))

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def latencies(self):
        """Seconds, sorted. A slow answer also holds up the questions that would have followed it, which count too."""
        times = [moment for moment, _ in self.reports]
        found = []
        for earlier, later in zip(times, times[1:]):
            waited = max(0.0, later - earlier - INTERVAL)
            found += [waited - missed * INTERVAL for missed in range(1 + int(waited / INTERVAL))]
        return sorted(found)


def tell(name, found):
    def milliseconds(share):
        return found[min(len(found) - 1, int(len(found) * share))] * 1000

    print(
        f"{name}: {len(found)} questions, median {milliseconds(0.5):.1f} ms,"
        f" 95th percentile {milliseconds(0.95):.1f} ms, maximum {found[-1] * 1000:.1f} ms",
        flush=True,
    )


def measure_quiet(fleet):
    client = Client(fleet)
    time.sleep(QUIET_SECONDS)
    client.end()
    tell("quiet", client.latencies())


def measure_load(fleet, folder, count, name="under load"):
    file, rows = listing(folder, "list", (f"echo:{number}" for number in range(count))), folder / "rows"
    client = Client(fleet)
    began = time.monotonic()
    batch = answer_of(fleet.submitting("bench", file, "--kind", "echo"))["batch"]
    fleet.following(batch, rows).wait()
    seconds = time.monotonic() - began
    client.end()
    tell(f"{name}, {count} echoes in {seconds:.1f} s", client.latencies())
    with open(rows, "rb") as file:
        return sum(1 for _ in file) == count


def measure(binary, folder, count=50_000):
    with Fleet(binary, folder / "fleet", fetchers=1, decoders=1) as fleet:
        measure_quiet(fleet)
        whole = measure_load(fleet, folder, count)
    with Fleet(binary, folder / "slow", fetchers=1, decoders=1, prefix=slow_disk(folder, SYNC_MILLISECONDS)) as fleet:
        disk = f"where each sync takes {SYNC_MILLISECONDS} ms"
        return measure_load(fleet, folder, ECHOES_ON_SLOW_DISK, disk) and whole
