"""What a second thread gives where the answers cost more than their server: JSON documents, compressed on disk already."""

import gzip
import json
import statistics
import subprocess
import time

from basics import listing
from fleet_load import run_to_end
from site_under_test import CountingSite

HOSTS = 64
ROUNDS = 5
ITEMS = 6_000


def document():
    items = [{"id": number, "name": f"Item {number}", "tags": ["one", "two"], "price": number / 7} for number in range(ITEMS)]
    return json.dumps({"items": items}).encode()


def run(binary, links, rows, count, threads):
    """Documents a second, and the processor time of the program and of the server for each in milliseconds."""
    words = [binary, "decode", "--input", links, "--output", rows, "--select", f"/items/{ITEMS - 1}/name", "--quiet"]
    began = time.monotonic()
    process = subprocess.Popen([*words, "--threads", str(threads), "--allow-address", "127.0.0.0/8"])
    code, spent, _ = run_to_end(process)
    seconds = time.monotonic() - began
    if code != 0:
        raise SystemExit(f"halyard decode ended with {code}")
    with open(rows, "rb") as file:
        read = sum(1 for row in file if f'"value":"Item {ITEMS - 1}"'.encode() in row)
    if read != count:
        raise SystemExit(f"{read} rows of {count} are right")
    return count / seconds, spent.total() * 1000 / count


def measure(binary, folder, count=1_000):
    # nginx's worker is another user when we are root.
    folder.chmod(0o755)
    body = document()
    (folder / "items.json.gz").write_bytes(gzip.compress(body, mtime=0))
    serving = f"root {folder}; gzip_static always; default_type application/json; location / {{ try_files /items.json =404; }}"
    (folder / "items.json").touch()
    with CountingSite(folder, locations=serving, hosts=HOSTS) as site:
        links = listing(folder, "links", (f"{site.bases[number % HOSTS]}/{number}" for number in range(count)))
        print(f"{count} documents of {len(body)} bytes over {HOSTS} hosts, {ROUNDS} rounds in turns; medians")
        found = {1: [], 2: []}
        for _ in range(ROUNDS):
            for threads, runs in found.items():
                runs.append(run(binary, links, folder / "rows", count, threads))
    for threads, runs in found.items():
        rate, cost = (statistics.median(values) for values in zip(*runs))
        print(f"--threads {threads}: {rate:.0f} a second, {cost:.2f} ms of processor time each")
    ratios = [two[0] / one[0] for one, two in zip(found[1], found[2])]
    print(f"ratio of the rates: {statistics.median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})")
