"""The programs that are compared: where each comes from, how it is called, and how its rows are read."""

import json
from dataclasses import dataclass
from pathlib import Path

import install

# What rows may tell beside the status: the final URL, the title, the image of the card.
EVERYTHING = frozenset({"final", "title", "card"})


@dataclass
class Task:
    """A list of links, where the rows go, and how to fetch: the same for every program."""

    links: Path
    rows: Path
    concurrency: int
    timeout: int
    network: str


def rows_of(path: Path):
    """Of the programs that were written for this comparison."""
    with open(path) as file:
        return [json.loads(line) for line in file]


class Peer:
    """What all have in common: it gets one link in `one_in` of the list, and no more than `most` at a time."""

    one_in = 1
    most = 1 << 20


class Own(Peer):
    """A program in `programs` that takes LINKS ROWS CONCURRENCY TIMEOUT and writes rows of this comparison's own kind."""

    def __init__(self, tells, build, one_in=1):
        self.tells, self.build, self.one_in = frozenset(tells), build, one_in

    def install(self):
        self.what, self.words = self.build()

    def command(self, task: Task):
        return [*self.words, task.links, task.rows, str(task.concurrency), str(task.timeout)]

    def read(self, task: Task):
        return rows_of(task.rows)


def script(environment: str, name: str):
    return lambda: (required(environment), [install.package(environment, "python"), install.PROGRAMS / name])


def required(name):
    return ", ".join(install.requirements(name)).replace("==", " ")


def curl_version():
    return " ".join(install.command("curl", "--version").split()[:2])


class Halyard(Peer):
    tells = EVERYTHING

    def install(self):
        self.program = install.halyard()
        self.what = install.command(self.program, "--version").strip()

    def command(self, task: Task):
        # The others have no limit for one host, and try nothing twice.
        return [
            self.program, "title", "--input", task.links, "--output", task.rows, "--format", "jsonl", "--quiet", "--retries", "0",
            "--allow-address", f"{task.network}.0/24", "--timeout", f"{task.timeout}s",
            "--concurrency", str(task.concurrency), "--per-host", str(task.concurrency),
        ]  # fmt: skip

    failures = {"redirect_loop": "loop", "too_many_redirects": "loop", "timeout": "dead"}

    def read(self, task: Task):
        return [self.row(row) for row in rows_of(task.rows)]

    def row(self, row):
        found = {"link": row["input"], "final": row.get("url"), "status": row.get("http_status"), "title": row.get("title")}
        found["image"] = row.get("card", {}).get("image")
        # An answer of 404, and a PDF, are failures to find a title, which the status says already.
        if row["status"] != "ok" and not (row["error"]["kind"] in ("http_status", "not_html")):
            kind = row["error"]["kind"]
            found["failure"] = self.failures.get(kind, kind)
        return found


class Lychee(Peer):
    tells = frozenset({"final"})

    def install(self):
        self.program, self.what = install.package("lychee", "lychee"), required("lychee")

    def command(self, task: Task):
        return [
            self.program, "--format", "json", "--output", task.rows, "--no-progress", "-v", "--max-retries", "0",
            "--max-redirects", "20", "--timeout", str(task.timeout), "--max-concurrency", str(task.concurrency),
            "--host-concurrency", str(task.concurrency), "--host-request-interval", "0ms", task.links,
        ]  # fmt: skip

    def read(self, task: Task):
        report = json.loads(task.rows.read_text())
        maps = [report.get(name) or {} for name in ("success_map", "error_map", "timeout_map")]
        return [self.row(entry) for of_files in maps for entries in of_files.values() for entry in entries]

    def row(self, entry):
        status, hops = entry["status"], (entry.get("redirects") or {}).get("redirects")
        row = {"link": entry["url"], "status": status.get("code"), "final": hops[-1]["url"] if hops else entry["url"]}
        if row["status"] is None:
            row["failure"] = "dead" if "time" in json.dumps(status).lower() else "other"
        elif 300 <= row["status"] < 400:
            # What it says of a chain that is too long is the status of the last redirect that it followed.
            row["failure"] = "loop"
        return row


class Curl(Peer):
    tells = frozenset({"final"})
    # It refuses more at a time.
    most = 300

    def install(self):
        self.program, self.what = "curl", f"curl --parallel, {curl_version()}"

    def command(self, task: Task):
        settings = task.rows.with_suffix(".curl")
        lines = [
            "parallel", f"parallel-max = {task.concurrency}", "parallel-immediate", "location", "max-redirs = 20", "silent",
            f"max-time = {task.timeout}", 'header = "Accept-Encoding: gzip"',
            'write-out = "%{url}\\t%{url_effective}\\t%{http_code}\\t%{exitcode}\\n"',
        ]  # fmt: skip
        with open(task.links) as links:
            lines += [f'url = "{link.rstrip()}"\noutput = "/dev/null"' for link in links]
        settings.write_text("\n".join(lines) + "\n")
        return ["sh", "-c", 'exec "$0" --config "$1" >"$2"', self.program, settings, task.rows]

    def read(self, task: Task):
        failures = {"0": None, "47": "loop", "28": "dead"}
        rows = []
        for line in task.rows.read_text().splitlines():
            link, final, status, code = line.split("\t")
            rows.append({"link": link, "final": final, "status": int(status), "failure": failures.get(code, "other")})
        return rows


PEERS = {
    "go": Own(EVERYTHING, lambda: (f"net/http and x/net/html, {required('go')}", [install.go_program()])),
    "halyard": Halyard(),
    "c": Own({"final"}, lambda: (f"libcurl and epoll, {curl_version()}", [install.c_program("fetch", "-lcurl")])),
    "curl": Curl(),
    "lychee": Lychee(),
    "aiohttp": Own(EVERYTHING, script("aiohttp", "aiohttp_titles.py")),
    "scrapy": Own(EVERYTHING, script("scrapy", "scrapy_titles.py"), one_in=5),
    "minet": Own({"final", "title"}, script("minet", "minet_titles.py"), one_in=5),
}
