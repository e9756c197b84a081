"""What every check needs: running the program, and counting verdicts."""

import json
import re
import subprocess
import sys


def rows(binary, jobs, *options):
    """Runs (kind, url) jobs; the rows come in their order."""
    lines = "".join(json.dumps({"kind": kind, "url": url}) + "\n" for kind, url in jobs)
    words = [binary, "title", "-", "--input-format", "jsonl", "--ordered", "--quiet", *options]
    end = subprocess.run(words, input=lines, stdout=subprocess.PIPE, text=True, timeout=60)
    return [json.loads(line) for line in end.stdout.splitlines()]


def outcome(row):
    return row["error"]["kind"] if row["status"] == "failed" else row["status"]


class Verdicts:
    def __init__(self):
        self.good = self.bad = 0

    def add(self, name, expected, found):
        if expected == found:
            self.good += 1
        else:
            self.bad += 1
            print(f"  {name}: expected {expected}\n  {' ' * len(name)}  but found {found}")

    def group(self, name, expected, found):
        """One line for a list of things."""
        before = self.bad
        for key in expected:
            self.add(f"{name} {key}", expected[key], found.get(key))
        print(f"{name:28} {len(expected) - (self.bad - before)} of {len(expected)} as expected", flush=True)

    def take(self, output):
        """The verdicts of another process, whose last line counts them."""
        *lines, last = output.splitlines() or [""]
        print("\n".join(lines))
        counts = re.fullmatch(r"(\d+) as expected, (\d+) not", last)
        self.good += int(counts[1]) if counts else 0
        self.bad += int(counts[2]) if counts else 1

    def exit(self):
        print(f"{self.good} as expected, {self.bad} not", flush=True)
        sys.exit(1 if self.bad or not self.good else 0)
