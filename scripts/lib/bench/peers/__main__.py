"""Compares Halyard with other programs on the same links, in turns. scripts/bench tells how to use it."""

import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "chaos")]
import install  # noqa: E402
import judge  # noqa: E402
import links  # noqa: E402
import measure  # noqa: E402
import network  # noqa: E402
import pages  # noqa: E402
import report  # noqa: E402
import server  # noqa: E402
from basics import free_port  # noqa: E402
from peers import PEERS, Task  # noqa: E402

PAGES, FILES = 2000, 40


@dataclass
class Variant:
    """A site and how it is fetched. If `wide` is given, some programs run a second time with that concurrency."""

    hosts: int = 64
    dead: int = 0
    links: int = 20_000
    concurrency: int = 64
    timeout: int = 30
    round_trip: int = 0
    wide: int = 0


VARIANTS = {
    "many": Variant(),
    "one": Variant(hosts=1),
    "distant": Variant(concurrency=1024, round_trip=100, wide=10_000),
    "dead": Variant(dead=7, links=4_000, timeout=2),
}
WIDE = ("go", "halyard")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench peers", description=__doc__)
    parser.add_argument("variant", nargs="?", default="many", choices=VARIANTS)
    parser.add_argument("--rounds", type=int, default=5, help="how often each program runs (default 5)")
    parser.add_argument("--links", type=int, help="how many links there are (default 20,000, and 4,000 for dead)")
    parser.add_argument("--only", help=f"programs to compare, separated by commas: {', '.join(PEERS)}")
    parser.add_argument("--concurrency", type=int, help="links at a time (default 64, and 1,024 for distant)")
    parser.add_argument("--seed", type=int, default=1, help="choose another site and other links (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures of all rounds to FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the links, the truth and the last rows in FOLDER")
    parser.add_argument("--wrong", action="store_true", help="print the first wrong rows of each program")
    parser.add_argument("--server-cores", metavar="LIST", help="keep nginx on these processors, as taskset takes them")
    parser.add_argument("--client-cores", metavar="LIST", help="keep the programs on these processors")
    options = parser.parse_args()
    options.names = options.only.split(",") if options.only else list(PEERS)
    for name in options.names:
        if name not in PEERS:
            parser.error(f"there is no program '{name}'; there are {', '.join(PEERS)}")
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(names):
    """The programs that can be had, and why others cannot."""
    here, absent = {}, {}
    install.FOLDER.mkdir(exist_ok=True)
    for name in names:
        say(f"{name}: looking for it")
        try:
            PEERS[name].install()
            here[name] = PEERS[name]
        except install.Unavailable as error:
            absent[name] = str(error)
    return here, absent


def on(cores):
    return ["taskset", "--cpu-list", cores] if cores else []


class Bench:
    """One variant: a site, a list, and the programs in turns."""

    def __init__(self, options, folder: Path):
        self.options, self.folder, self.variant = options, folder, VARIANTS[options.variant]
        self.concurrency = options.concurrency or self.variant.concurrency

    def make(self, place):
        options, variant = self.options, self.variant
        found = pages.write_pages(self.folder / "pages", PAGES, options.seed)
        files = pages.write_files(self.folder / "pages", FILES, options.seed)
        self.site = links.Site(place.network, free_port(), variant.hosts, variant.dead)
        self.truths = links.make_links(self.site, found, files, options.links or variant.links, options.seed)
        links.write_links(self.folder, self.truths)

    def run(self, programs):
        """The runs of each program, by the name in the table."""
        turns = [(name, peer, self.concurrency) for name, peer in programs.items()]
        if self.variant.wide:
            turns += [(f"{name} {self.variant.wide}", programs[name], self.variant.wide) for name in WIDE if name in programs]
        runs = {name: [] for name, *_ in turns}
        with contextlib.ExitStack() as scope:
            place = network.Place()
            if self.variant.round_trip:
                place = scope.enter_context(network.distant(install.c_program("delay"), self.variant.round_trip))
            self.make(place)
            prefix = [*place.server, *on(self.options.server_cores)]
            self.server = scope.enter_context(server.Server(self.site, self.folder, prefix))
            scope.enter_context(network.dead_hosts([self.site.address(host) for host in self.site.dead], self.site.port))
            self.prefix = [*place.client, *on(self.options.client_cores)]
            for number in range(self.options.rounds):
                # Each round begins with another program, so that none always runs behind the same one.
                first = number % len(turns)
                for name, peer, concurrency in turns[first:] + turns[:first]:
                    run = self.measure(peer, name, concurrency)
                    runs[name].append(run)
                    took = f"{run.usage.wall:.2f} s, {run.rate:.0f} links/s"
                    say(f"round {number + 1}: {name}: {took}, {run.verdict.share:.2%} correct")
        return runs

    def measure(self, peer, name, concurrency):
        truths = self.truths[: max(1, len(self.truths) // peer.one_in)]
        base = self.folder / name.replace(" ", "-")
        listing = base.with_suffix(".links")
        listing.write_text("".join(f"{truth.link}\n" for truth in truths))
        rows = base.with_suffix(".rows")
        rows.unlink(missing_ok=True)
        task = Task(listing, rows, min(concurrency, peer.most), self.variant.timeout, self.site.network)
        words, said = [str(word) for word in self.prefix + peer.command(task)], base.with_suffix(".said")
        connections, requests = self.server.counts()
        usage = measure.run(words, said)
        after = self.server.counts()
        try:
            verdict = judge.judge(truths, peer.read(task), peer.tells)
        except (OSError, ValueError, KeyError) as error:
            say(said.read_text(errors="replace")[-2000:])
            raise SystemExit(f"{name} wrote no rows that can be read: {error!r}; exit code {usage.code}") from error
        # The second question is no request of the program.
        return report.Run(usage, verdict, after[0] - connections - 1, after[1] - requests - 1)


def main():
    options = arguments()
    # So that all scopes end, and with them nginx and the networks.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    programs, absent = installed(options.names)
    with tempfile.TemporaryDirectory(prefix="halyard-peers-") as name:
        folder = Path(name)
        # For nginx, whose workers are another user.
        folder.chmod(0o755)
        runs = Bench(options, folder).run(programs)
        if options.keep:
            keep(folder, options.keep)
    show(options, programs, absent, runs)


def keep(folder, target):
    target.mkdir(parents=True, exist_ok=True)
    for file in [folder / "links.txt", folder / "truth.jsonl", *folder.glob("*.rows")]:
        shutil.copy(file, target)


def show(options, programs, absent, runs):
    results = {}
    for name, of_program in runs.items():
        peer = programs[name.split()[0]]
        beside = runs.get(report.MEASURE)
        results[name] = {"what": peer.what, "tells": sorted(peer.tells), "median": report.summary(of_program, beside)}
        results[name]["rounds"] = report.as_json(of_program)
    print(f"{options.variant}: {len(os.sched_getaffinity(0))} processors, {options.rounds} rounds, each figure the median")
    print(report.table(results, absent))
    print("\n".join(f"{name}: {peer.what}" for name, peer in programs.items()))
    for name, of_program in runs.items() if options.wrong else ():
        for line in of_program[-1].verdict.wrong:
            print(f"{name}: {line}")
    if options.json:
        options.json.write_text(json.dumps({"variant": options.variant, "programs": results, "absent": absent}, indent=1) + "\n")


main()
