"""What comes in at inboxes and is no message, or lies."""

import itertools
import json
import random
import subprocess
import threading
import time
from types import SimpleNamespace

from basics import free_port, wait_for
from faults.common import batches, verdict
from fleet import Fleet, answer_of, descriptors, memory, settled_fleet
from frames import Mutator, forged, large_result, lies
from outcome import within
from zmtp import Pusher

BURST = 500
MOST_NEW_DESCRIPTORS = 40
MOST_NEW_MEGABYTES = 64
LARGE_ROW = 4 << 20
# Of 1 GiB pushed: what an inbox holds for its role, and what the role takes from it at once.
MOST_NEW_MEGABYTES_OF_LARGE_ROWS = 320


class Liar(threading.Thread):
    """A peer that pushes bursts of what is not so to one inbox."""

    def __init__(self, address, bursts, seconds_between=0.0):
        super().__init__(daemon=True)
        self.address, self.bursts, self.pause = address, bursts, seconds_between
        self.sent, self.trouble = 0, None

    def run(self):
        try:
            with Pusher(self.address, seconds=60) as peer:
                for burst in self.bursts:
                    peer.push(burst)
                    self.sent += len(burst)
                    time.sleep(self.pause)
        except OSError as error:
            self.trouble = f"{self.address}: {error}"


def beside(liars, fleet, size):
    """Batches while they lie; how many jobs there were, and what is wrong."""
    for liar in liars:
        liar.start()
    jobs, wrong = batches(fleet, size, lambda: not any(liar.is_alive() for liar in liars))
    for liar in liars:
        liar.join()
    return jobs, wrong + [liar.trouble for liar in liars if liar.trouble]


def mutated(count, seed):
    """Every burst ends with a frame that is sound and lies."""
    mutator, lies = Mutator(random.Random(seed)), itertools.cycle(forged())
    for _ in range(0, count, BURST):
        yield [*mutator.frames(BURST - 1), next(lies)]


class Clients:
    """A producer whose input goes on, and a reader that follows its batch, each with an inbox that others know."""

    NAME = "a batch that goes on"

    def __init__(self, fleet):
        self.fleet, self.jobs = fleet, 0
        over_tcp = fleet.address.startswith("tcp")
        self.inboxes = [
            f"tcp://127.0.0.1:{free_port()}" if over_tcp else f"ipc://{fleet.folder}/{role}"
            for role in ("producer", "reader")
        ]
        self.file = fleet.folder / "followed.jsonl"
        self.producer = fleet.submitting(
            self.NAME, "-", "--kind", "echo", "--bind", self.inboxes[0], stdin=subprocess.PIPE
        )
        self.submit(10)
        wait_for(lambda: fleet.status()["batches"], 20, "the producer submitted nothing")
        self.reader = fleet.following(self.NAME, self.file, "--bind", self.inboxes[1])
        self.members = [
            SimpleNamespace(role=role, process=process)
            for role, process in (("producer", self.producer), ("reader", self.reader))
        ]

    def submit(self, count):
        self.producer.stdin.writelines(f"echo:{self.jobs + number}\n" for number in range(count))
        self.producer.stdin.flush()
        self.jobs += count

    def verdict(self):
        """Once the flood is over: what is wrong with the batch, or with them."""
        if self.producer.poll() is not None:
            return ["the producer died"]
        self.submit(1_000)
        try:
            answer_of(self.producer)
            self.reader.wait(timeout=60)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [f"a client: {error}"]
        with open(self.file, "rb") as rows:
            passed, told = verdict([json.loads(row) for row in rows], self.jobs)
        return [] if passed else [f"the followed batch: {told}"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.process.kill()
            member.process.wait()


def flooded(run, name, listen, frames):
    """One fleet under frames; returns how many were sent, the jobs meanwhile, what is wrong, and which bounds are missed."""
    with Fleet(run.binary, run.folder / name, listen=listen) as fleet, Clients(fleet) as clients:
        size = run.size(1_000, 10_000)
        _, wrong = batches(fleet, size, lambda: True)
        members = [*fleet.members, *clients.members]
        processes = [member.process for member in members]
        before = [(descriptors(member), memory(member)) for member in members]
        inboxes = [fleet.address, *(worker["address"] for worker in fleet.status()["workers"]), *clients.inboxes]
        floods = [Liar(inbox, mutated(frames // len(inboxes), run.random.random())) for inbox in inboxes]
        jobs, lost = beside(floods, fleet, size)
        wrong += lost
        over = []
        for member, process, (files, megabytes) in zip(members, processes, before):
            if process.poll() is not None:
                wrong.append(f"a {member.role} died")
                continue
            if (more := descriptors(member) - files) > MOST_NEW_DESCRIPTORS:
                over.append(f"a {member.role} has {more} more descriptors")
            if (more := memory(member) - megabytes) > MOST_NEW_MEGABYTES:
                over.append(f"a {member.role} has {more:.0f} MB more")
        wrong += clients.verdict()
        if not wrong:
            settled_fleet(fleet)
        return sum(flood.sent for flood in floods), jobs, wrong, over


def frames(run):
    """Mutated and forged frames at the inboxes of all workers and of two clients while jobs run, over TCP and over Unix sockets."""
    each = run.size(100_000, 5_000_000)
    results = [flooded(run, "tcp", f"tcp://127.0.0.1:{free_port()}", each), flooded(run, "ipc", None, each)]
    sent, jobs = (sum(result[index] for result in results) for index in (0, 1))
    wrong, over = (results[0][index] + results[1][index] for index in (2, 3))
    told = [f"{sent} frames, {jobs} jobs meanwhile, each with its row", *wrong, *over]
    return not wrong and within(not over), "; ".join(told)


def lying_member(run):
    """A member that lies about all that it may say, and one that pushes large rows of jobs it does not hold, while jobs run."""
    with Fleet(run.binary, run.folder) as fleet:
        size = run.size(1_000, 10_000)
        _, wrong = batches(fleet, size, lambda: True)
        before = memory(fleet.aggregator)
        large = large_result(LARGE_ROW)
        liars = [
            Liar(fleet.address, itertools.repeat(lies(), run.size(300, 6_000)), 0.01),
            Liar(fleet.address, itertools.repeat([large], run.size(256, 1_024))),
        ]
        most = Most(lambda: memory(fleet.aggregator))
        jobs, lost = beside(liars, fleet, size)
        wrong += lost
        more = most.found() - before
        if not wrong:
            settled_fleet(fleet)
        told = f"{liars[0].sent} lies, {liars[1].sent} rows of {LARGE_ROW >> 20} MiB, at most {more:.0f} MB more, {jobs} jobs"
        lives = fleet.aggregator.process.poll() is None
        return not wrong and lives and within(more <= MOST_NEW_MEGABYTES_OF_LARGE_ROWS), "; ".join([told, *wrong])


class Most(threading.Thread):
    """Looks again and again, and remembers the most that it saw."""

    def __init__(self, look):
        super().__init__(daemon=True)
        self.look, self.most, self.over = look, 0, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.02):
            self.most = max(self.most, self.look())

    def found(self):
        self.over.set()
        self.join()
        return self.most
