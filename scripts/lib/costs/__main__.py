"""Counts what a title, an echo, a page and a compressed page cost, and compares that with the recorded figures: also how often a
job is encoded, its link parsed by the aggregator, and its row composed."""

import argparse
import gzip
import json
import platform
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import callgrind  # noqa: E402
import figures  # noqa: E402
from title_site import TitleSite  # noqa: E402

# Each is counted in two runs of so many. Their difference has no start and no end of a program in it.
TITLES, ECHOES, PAGES, BODIES = (200, 1_000), (300, 1_500), (100, 600), (100, 600)
# Letters that are there for their frequency, so that words repeat as those of pages do.
LETTERS = "eeeettaaooiinnsshhrrdlcumwfgypbvk"
COMPRESSED_PAGE_BYTES = 20_000


def stripped(program, folder):
    """A copy without the debugging information, which valgrind 3.19 cannot read."""
    copy = folder / program.name
    subprocess.run(["strip", "--strip-debug", program, "-o", copy], check=True)
    return copy


def counted(*command, folder):
    """What a run of a benchmark took, and how many it says were done."""
    found, said = callgrind.run(command, folder)
    return found, int(said.split()[0])


def compressed_page(folder):
    """A file of a page as a server compresses it: words of a small vocabulary between elements. The same in every run."""
    chance = random.Random(1)
    words = ["".join(chance.choices(LETTERS, k=chance.randint(2, 10))) for _ in range(600)]
    page = ""
    while len(page) < COMPRESSED_PAGE_BYTES:
        page += f'<p class="{chance.choice(words)}">{" ".join(chance.choices(words, k=30))}.</p>\n'
    file = folder / "page.gz"
    file.write_bytes(gzip.compress(page[:COMPRESSED_PAGE_BYTES].encode(), 6, mtime=0))
    return file


def per_one(name, few, many, run):
    """The figures of one title, echo or page."""
    found = []
    for count in (few, many):
        counts, done = run(count)
        if done != count:
            raise SystemExit(f"only {done} of {count} {name}s were done")
        found.append(counts)
    less, more = found
    each = {what: (more[what] - less[what]) / (many - few) for what in more if more[what]}
    return {f"{what} per {name}": round(figure, 1) if figure < 1_000 else round(figure) for what, figure in each.items()}


def measure(build, folder):
    jobs, reading = (stripped(build / name, folder) for name in ["CostBench", "DecodeBench"])
    with TitleSite(folder) as site:
        found = per_one("title", *TITLES, lambda count: counted(jobs, "title", f"{site.base}/short", count, folder=folder))
    found |= per_one("echo", *ECHOES, lambda count: counted(jobs, "echo", folder / f"ledger-{count}.db", count, folder=folder))
    body = compressed_page(folder)
    found |= per_one("compressed page", *BODIES, lambda count: counted(jobs, "inflate", body, count, folder=folder))
    return found | per_one("page", *PAGES, lambda count: counted(reading, "--count", count, folder=folder))


def made_with(build):
    """What else the figures depend on."""
    known = json.loads(subprocess.run([build / "halyard", "version", "--json"], check=True, capture_output=True).stdout)
    used = known["libraries"]
    libraries = f"libcurl {used['libcurl']}, SQLite {used['sqlite']}, ISA-L {used['isa-l']}, glibc {platform.libc_ver()[1]}"
    return f"Swift {known['swift']} on {platform.machine()}, {libraries}"


def main():
    parser = argparse.ArgumentParser(prog="scripts/costs")
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="record what is counted")
    arguments = parser.parse_args()
    recorded = None if arguments.write else figures.read()
    with tempfile.TemporaryDirectory(prefix="halyard-costs-") as folder:
        measured = measure(arguments.build, Path(folder))
    if arguments.write:
        figures.write(made_with(arguments.build), measured)
        return 0
    text, code = figures.judge(recorded, measured, made_with(arguments.build))
    print(text, end="")
    return code


if __name__ == "__main__":
    sys.exit(main())
