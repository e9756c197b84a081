"""A fleet whose processes the caller may kill: whatever dies is started again."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from basics import wait_for


class Speaker:
    """What writes a log."""

    def said(self):
        return self.log.read_text()

    def wait_until_said(self, words, seconds):
        wait_for(lambda: words in self.said(), seconds, f"'{words}' was not said")


def environment(fault=None, is_newer=False):
    """What FaultyHalyard is told: what goes wrong, and to speak as the version before."""
    wishes = {"FAULTY_HALYARD": fault, "NEWER_HALYARD": "1.1" if is_newer else None}
    return {**os.environ, **{name: wish for name, wish in wishes.items() if wish}}


@contextlib.contextmanager
def closing_when_it_fails(fleet):
    try:
        yield
    except BaseException:
        fleet.close()
        raise


class Member(Speaker):
    """One worker process and how to start it again."""

    def __init__(self, role, command, log, is_newer=False):
        self.role, self.command, self.log, self.is_newer = role, command, log, is_newer
        self.process = None
        self.start()

    def start(self, fault=None):
        """The fault is for the program that has some, such as `kill after-commit 17`."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(fault, self.is_newer),
            )

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.kill()
        self.start()

    def drain(self, seconds):
        """Ends it the polite way; returns how long that took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(timeout=seconds)
        return time.monotonic() - began

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)


class Desk:
    """The commands that talk to a fleet."""

    def __init__(self, binary, folder, address=None):
        self.binary = str(Path(binary).resolve())
        self.folder = Path(folder)
        self.run_dir = self.folder / "run"
        self.ledger = self.run_dir / "ledger.db"
        self.address = address or f"ipc://{self.run_dir}/aggregator"
        # Over TCP without keys everyone who reaches it is trusted: here that is this machine.
        self.insecure = ["--insecure-transport"] if self.address.startswith("tcp") else []
        self.way = ["--fleet", self.address, *self.insecure]

    def ask(self, command, *options):
        """Runs a command against the fleet and returns what it printed."""
        words = [self.binary, command, *self.way, *options]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def status(self):
        """Also of a fleet that is not well, which the command's exit code says too."""
        words = [self.binary, "status", *self.way, "--json", "--wait", "20s"]
        return json.loads(subprocess.run(words, capture_output=True, text=True).stdout)

    def submitting(self, name, listing, *options, stdin=None):
        """The process that submits a list; killed and run again it submits nothing twice."""
        words = [self.binary, "submit", *self.way, "--wait", "60s", "--name", name, "--json", "--quiet"]
        return subprocess.Popen(
            [*words, "--input", str(listing), *options], stdin=stdin, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )

    def submit(self, name, listing, *options):
        return answer_of(self.submitting(name, listing, *options))["batch"]

    def following(self, batch, file, *options):
        with open(file, "wb") as rows:
            words = [self.binary, "results", batch, *self.way, "--wait", "60s"]
            return subprocess.Popen(
                [*words, "--follow", "--format", "jsonl", "--quiet", *options], stdout=rows, stderr=subprocess.DEVNULL
            )

    def rows(self, batch, seconds):
        """The rows of a batch once it is complete."""
        file = self.folder / "rows.jsonl"
        self.following(batch, file).wait(timeout=seconds)
        with open(file, "rb") as rows:
            return [json.loads(row) for row in rows]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Fleet(Desk):
    """Processes that the caller may kill, and starts again. `address` is what clients and workers dial, when that is not
    where the aggregator listens; `joining` tells what the workers of a role are told instead, `prefix` what stands
    before their commands, and `newer` which roles are of the next minor version, which takes the faulty program."""

    def __init__(
        self, binary, folder, fetchers=2, decoders=2, fetcher_options=((),), aggregator_options=(), ledger=None,
        listen=None, address=None, joining=None, prefix=lambda role: [], newer=(),
    ):
        super().__init__(binary, folder, address or listen)
        if ledger:
            self.ledger = Path(ledger)
        self.prefix, self.newer = prefix, newer
        joining = joining or self._joining
        shared = ["--allow-address", "127.0.0.0/8"]
        aggregator = ["--ledger", str(self.ledger), "--per-host", "1000", "--retries", "2"]
        aggregator += [*self.insecure, *aggregator_options]
        if listen:
            aggregator += ["--listen", listen]
        self.members = [self._member("aggregator", aggregator)]
        for index in range(fetchers):
            options = list(fetcher_options[index % len(fetcher_options)])
            self.members.append(self._member("fetcher", joining("fetcher") + self.insecure + shared + options))
        for _ in range(decoders):
            self.members.append(self._member("decoder", joining("decoder") + self.insecure))
        with closing_when_it_fails(self):
            self.ask("ping", "--wait", "20s")
            self.wait_for_workers()

    def _joining(self, _):
        bind = ["--bind", "tcp://127.0.0.1:0"] if self.address.startswith("tcp") else []
        return ["--fleet", self.address, *bind]

    def _member(self, role, options):
        self.folder.mkdir(exist_ok=True)
        command = [*self.prefix(role), self.binary, role, "--run-dir", str(self.run_dir), *options]
        return Member(role, command, self.folder / f"{role}.log", role in self.newer)

    @property
    def aggregator(self):
        return self.members[0]

    def of(self, role):
        return [member for member in self.members if member.role == role]

    def wait_for_workers(self):
        """Until every worker has spoken."""
        wait_for(lambda: len(self.status()["workers"]) == len(self.members) - 1, 20, "a worker did not come")

    def close(self):
        for member in reversed(self.members):
            try:
                member.resume()
                member.kill()
            except ProcessLookupError:
                pass


class SupervisedFleet(Desk, Speaker):
    """A fleet that `halyard up` keeps running."""

    def __init__(self, binary, folder, *options, fault=None):
        super().__init__(binary, folder)
        self.log = self.folder / "up.log"
        words = [self.binary, "up", "--run-dir", str(self.run_dir), *options]
        with open(self.log, "ab") as log:
            self.up = subprocess.Popen(
                [*words, "--", "--allow-address", "127.0.0.0/8", "--per-host", "1000", "--retries", "2"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(fault),
            )
        with closing_when_it_fails(self):
            self.ask("ping", "--wait", "20s")

    def process_of(self, name):
        """The newest process of a worker such as `decoder 1`."""
        return int(self.said().split(f" {name} runs as process ")[-1].split("\n")[0])

    def scale(self, role, count):
        """Returns how long it took until so many were at work."""
        began = time.monotonic()
        words = [self.binary, "scale", role, str(count), "--run-dir", str(self.run_dir), "--wait", "20s"]
        subprocess.run(words, check=True, capture_output=True)
        self.wait_for_size(role, count)
        return time.monotonic() - began

    def wait_for_size(self, role, count):
        def is_so():
            status = self.status()
            there = [one["verdict"] for one in status["workers"] if f"{one['role']}s" == role]
            return there == ["compatible"] * count and status.get("wanted", {}).get(role) == count

        wait_for(is_so, 40, f"there were not {count} {role}")

    def kill(self, name):
        os.kill(self.process_of(name), signal.SIGKILL)
        self.wait_until_said(f"{name} was killed by signal 9", 20)

    def close(self):
        # Its workers see the end of their standard input.
        self.up.kill()
        self.up.wait()


def slow_disk(folder, milliseconds):
    """The `prefix` of a fleet in which each sync of the aggregator takes so much longer."""
    library, source = folder / "slow_disk.so", Path(__file__).parent.parent / "bench/slow_disk.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O", "-o", library, source, "-ldl"], check=True)
    words = ["env", f"LD_PRELOAD={library}", f"SLOW_DISK={milliseconds}"]
    return lambda role: words if role == "aggregator" else []


def answer_of(producer):
    """What a producer says at its end."""
    said, _ = producer.communicate()
    if producer.returncode != 0:
        raise RuntimeError(f"submit ended with {producer.returncode}")
    return json.loads(said.splitlines()[-1])


def faults_of(rows, expected):
    """What is wrong with a batch's rows; empty when all is well."""
    ids = {row["id"] for row in rows}
    ordinals = {row["ordinal"] for row in rows}
    wrong = []
    if len(rows) - len(ids):
        wrong.append(f"{len(rows) - len(ids)} doubled")
    if missing := expected - len(ordinals & set(range(expected))):
        wrong.append(f"{missing} lost")
    if strangers := len(ordinals - set(range(expected))):
        wrong.append(f"{strangers} that were not submitted")
    return wrong


def settled_fleet(fleet, seconds=30):
    """Waits until no lease is left; raises when that does not come."""
    def is_settled():
        jobs = fleet.status()["jobs"]
        return jobs["leased"] == jobs["ready"] == 0

    wait_for(is_settled, seconds, lambda: f"leases are left: {fleet.status()['jobs']}")


def descriptors(member):
    return len(os.listdir(f"/proc/{member.process.pid}/fd"))


def memory(member):
    """Resident megabytes."""
    with open(f"/proc/{member.process.pid}/statm") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
