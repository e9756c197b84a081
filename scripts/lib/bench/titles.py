"""Links that one process follows, and titles that fleets read, from an nginx of their own on loopback."""

import subprocess
import time
from collections import Counter
from dataclasses import dataclass

from fleet import Fleet
from fleet_load import load, read_rows, run_to_end
from title_site import PAGE_BYTES, TitleSite, count_titles

FLEETS = (1, 2)
# As the fleets have it, see Fleet.
LIKE_A_FLEET = ["--per-host", "1000", "--retries", "2"]


@dataclass
class Run:
    """What one process took for a list; memory is its largest size in KiB."""

    seconds: float
    spent: Counter
    memory: int
    rows: int
    ok: int


def in_one_process(binary, site, folder, command, count, options):
    rows = folder / "rows"
    words = [binary, command, "--input", site.write_links(folder / "links", count), "--output", rows, "--quiet"]
    began = time.monotonic()
    code, spent, memory = run_to_end(subprocess.Popen([*words, "--allow-address", "127.0.0.1", *options]))
    seconds = time.monotonic() - began
    if code != 0:
        raise SystemExit(f"halyard {command} ended with {code}")
    with open(rows, "rb") as file:
        written = sum(1 for _ in file)
    return Run(seconds, spent, memory, written, count_titles(rows))


def tell(run, count):
    print(
        f"{count} lines, {run.rows} rows, {run.ok} ok: {run.seconds:.1f} s, {count / run.seconds:.0f} a second,"
        f" {run.spent.total() * 1000 / count:.3f} CPU seconds per 1000, {run.memory / 1024:.0f} MB at most",
        flush=True,
    )
    return run.ok == count


def row(name, count, seconds, total, parts=()):
    def each(seconds):
        return f"{seconds * 1e6 / count:.0f}"

    cells = [f"{count / seconds:.0f}", each(total), *map(each, parts)]
    print(f"{name:14}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


def fleets(binary, folder, count=30_000, page_bytes=PAGE_BYTES):
    """One process beside fleets; whether each read every title."""
    with TitleSite(folder, page_bytes) as site:
        return compare(binary, site, folder, count, page_bytes)


def compare(binary, site, folder, count, page_bytes):
    print(f"{count} titles, each of a page of {page_bytes // 1000} KB behind a redirect; microseconds of processor time per title")
    print(f"{'':14}" + "".join(f"{name:>12}" for name in ["a second", "all", "aggregator", "fetchers", "decoders", "results"]))
    run = in_one_process(binary, site, folder, "title", count, LIKE_A_FLEET)
    row("one process", count, run.seconds, run.spent.total())
    whole = run.ok == count
    for workers in FLEETS:
        place, rows = folder / f"fleet-{workers}", folder / f"rows-{workers}"
        with Fleet(binary, place, fetchers=workers, decoders=workers) as fleet:
            done = load(fleet, site.write_links(folder / "links", count), count, "--kind", "title")
            read = read_rows(fleet, done.batch, rows)
        spent = [done.spent[role].total() for role in ("aggregator", "fetcher", "decoder")]
        results = (read.aggregator + read.reader).total()
        row(f"{workers}+{workers} workers", count, done.seconds, sum(spent) + results, [*spent, results])
        whole &= count_titles(rows) == count
    return whole


def titles(binary, folder, *options):
    return each(binary, folder, options, [("title", 60_000)])


def links(binary, folder, *options):
    return each(binary, folder, options, [("unfurl", 10_000), ("unfurl", 1_000_000)])


def each(binary, folder, options, runs):
    with TitleSite(folder) as site:
        return all([tell(in_one_process(binary, site, folder, *run, options), run[1]) for run in runs])
