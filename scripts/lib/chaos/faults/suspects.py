"""Jobs that a fetcher was on when it died: they hold up no others, and the one that kills is found."""

import math
import socket
import time

from basics import listing
from faults.common import pages, verdict
from faults.faulty import dying_of_one
from fleet import Fleet
from outcome import within
from site_under_test import CountingSite, Site

QUICK = 100
# What deaths of the fetcher may cost others.
MOST_SECONDS = 3


def suspects(run):
    """Deaths of the only fetcher, with silent links in flight and of one body."""
    told, passed = [], True
    for count in run.size([64], [5, 64, 256]):
        seconds, plain, wrong = silent_links(run, count)
        passed = passed and not wrong and within(seconds <= plain + MOST_SECONDS)
        said = f"{count} silent links: {QUICK} pages took {seconds:.1f} s, {plain:.1f} s without deaths"
        told.append("; ".join([said, *wrong]))
    well, found = deadly_body(run)
    return well and passed, "; ".join([*told, found])


def silent_links(run, count):
    """kill -9 of the only fetcher twice, 1.5 s apart. Returns how long the quick pages took with and without that, and
    what is wrong: pages without rows, or links that are suspects."""
    seconds, wrong = [], []
    for kills in [0, 2]:
        folder = run.folder / f"silent-{count}-{kills}"
        folder.mkdir()
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as silent, CountingSite(folder) as site:
            options = (("--concurrency", "512"),)
            with Fleet(run.binary, folder, fetchers=1, decoders=1, fetcher_options=options) as fleet:
                base = f"http://127.0.0.1:{silent.getsockname()[1]}"
                links = listing(folder, "silent", [f"{base}/{number}" for number in range(count)])
                fleet.submit("silent", links, "--kind", "title")
                run.pause(3)
                for _ in range(kills):
                    fleet.of("fetcher")[0].restart()
                    run.pause(1.5)
                began = time.monotonic()
                batch = fleet.submit("quick", pages(folder, site, QUICK), "--kind", "title")
                is_whole, rows = verdict(fleet.rows(batch, 60), QUICK)
                seconds.append(time.monotonic() - began)
                fleet.ask("ping")
                if not is_whole:
                    wrong.append(f"after {kills} deaths {rows}")
                if suspected := fleet.status()["suspects"]:
                    wrong.append(f"after {kills} deaths {suspected} links are suspects")
    return seconds[1], seconds[0], wrong


def deadly_body(run):
    """A body that each fetcher dies of, beside others that are as slow."""
    load = 32
    folder = run.folder / "deadly"
    folder.mkdir()
    site, options = Site(lambda path, agent: 0.3), ("--fetchers", "1", "--decoders", "1")
    passed, told, deaths = dying_of_one(run, folder, site, load, "kill fetched 1", *options)
    most = math.ceil(math.log2(load)) + 3
    return passed and deaths <= most, f"{told}; for a load of {load}, {most} deaths at most"
