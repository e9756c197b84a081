"""How long `job` and `jobs` take with a million jobs in the ledger, what the index of links costs, and how large it is.

The jobs: one batch with half of them that no fetcher takes, one that is cancelled, one whose links are none, and echoes.
"""

import subprocess
import time

from basics import listing
from fleet import Fleet

ROUNDS = 20
HOSTS = 1_000
QUESTIONS = [
    ("by id", lambda found: ["job", found["id"]]),
    ("by link", lambda found: ["job", found["link"]]),
    ("by a link that it has not", lambda _: ["job", "http://none.test/"]),
    ("all", lambda _: ["jobs"]),
    ("ready", lambda _: ["jobs", "--state", "ready"]),
    ("failed", lambda _: ["jobs", "--state", "failed"]),
    ("done", lambda _: ["jobs", "--state", "done"]),
    ("cancelled", lambda _: ["jobs", "--state", "cancelled"]),
    ("of a host", lambda _: ["jobs", "--host", "host-7.test"]),
    ("of a host and state", lambda _: ["jobs", "--host", "host-7.test", "--state", "ready"]),
    ("of a rare kind", lambda _: ["jobs", "--kind", "decode"]),
    ("of a batch", lambda _: ["jobs", "--batch", "waiting"]),
    ("since 1 s", lambda _: ["jobs", "--since", "1s"]),
]


def submit(fleet, folder, name, lines, *options):
    file = listing(folder, name, lines)
    began = time.monotonic()
    fleet.submit(name, file, *options)
    seconds = time.monotonic() - began
    print(f"submitted {len(lines)} {name}: {seconds:.1f} s, {len(lines) / seconds:.0f} a second", flush=True)


def ask(fleet, words):
    command = [fleet.binary, words[0], *fleet.way, *words[1:], "--json"]
    return subprocess.run(command, capture_output=True, text=True)


def milliseconds(fleet, words):
    """The times of the whole command, sorted: start, question, answer and end."""
    times = []
    for _ in range(ROUNDS):
        began = time.monotonic()
        ask(fleet, words)
        times.append((time.monotonic() - began) * 1000)
    return sorted(times)


def measure(binary, folder, count=1_000_000):
    with Fleet(binary, folder / "fleet", fetchers=1, decoders=1) as fleet:
        submit(fleet, folder, "echoes", [f"echo:{number}" for number in range(count // 5)], "--kind", "echo")
        fleet.following("echoes", folder / "rows").wait()
        for worker in fleet.members[1:]:
            worker.kill()
        submit(fleet, folder, "broken", [f"no link {number}" for number in range(count // 10)])
        links = [f"http://host-{number % HOSTS}.test/page/{number}" for number in range(count * 7 // 10)]
        fifth = count // 5
        submit(fleet, folder, "cancelled", links[:fifth])
        fleet.ask("cancel", "cancelled")
        fleet.following("cancelled", folder / "rows").wait()
        submit(fleet, folder, "waiting", links[fifth:])
        size = sum(file.stat().st_size for file in fleet.run_dir.glob("ledger.db*"))
        print(f"{count} jobs, the ledger has {size / 1e6:.0f} MB", flush=True)
        first = ask(fleet, ["job", links[fifth]]).stdout.split('"id":"')[1].split('"')[0]
        found = {"id": first, "link": links[fifth]}
        nothing = milliseconds(fleet, ["status"])
        print(f"{'status':30}median {nothing[ROUNDS // 2]:6.1f} ms, maximum {nothing[-1]:6.1f} ms")
        for what, words in QUESTIONS:
            times = milliseconds(fleet, words(found))
            title = f"{words(found)[0]} {what}"
            print(f"{title:30}median {times[ROUNDS // 2]:6.1f} ms, maximum {times[-1]:6.1f} ms", flush=True)
