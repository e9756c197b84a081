"""The service in front of a fleet whose workers are killed all the time."""

import collections
import itertools
import os
import random
import signal
import threading
import time
from urllib.parse import quote

from service import CountingSite, Service, SupervisedFleet, problem_kind
from streams import Closed, Stream, Truncated, request

ASKERS = 16
QUICK, LONG = 300, 10_000
# A worker dies every second; at this rate some die during the quick run, too.
QUICK_RATE = 30


def check(program, folder, checks, quick):
    (folder / "site").mkdir()
    count = QUICK if quick else LONG
    with (
        CountingSite(folder / "site") as site,
        SupervisedFleet(program, folder, "--fetchers", "2", "--decoders", "2") as fleet,
        Service(program, "--fleet", str(fleet.run_dir)) as service,
    ):
        with checks.check(f"fleet: {count} previews while a worker is killed every second") as figures:
            figures.append(Storm(service, site.bases[0], fleet, count, quick).run())
        with checks.check("fleet: a preview when it is over"):
            answer = service.preview(f"{site.base}/after", "&timeout=30")
            assert answer.status == 200, answer.body


class Storm:
    """Asks for previews, each of another link, and kills workers meanwhile."""

    def __init__(self, service, site, fleet, count, quick):
        self.service, self.site, self.fleet, self.count, self.quick = service, site, fleet, count, quick
        self.numbers = iter(range(count))
        self.outcomes, self.faults, self.kills = collections.Counter(), [], 0
        self.lock, self.over = threading.Lock(), threading.Event()

    def run(self):
        askers = [threading.Thread(target=self.ask) for _ in range(ASKERS)]
        killer = threading.Thread(target=self.kill)
        self.began = time.monotonic()
        for thread in (*askers, killer):
            thread.start()
        for asker in askers:
            asker.join()
        self.over.set()
        killer.join()
        told = ", ".join(f"{number} {outcome}" for outcome, number in self.outcomes.most_common())
        told += f", {self.kills} killed, {time.monotonic() - self.began:.0f} s"
        assert not self.faults, f"{len(self.faults)} untyped of {told}: {self.faults[:5]}"
        assert self.outcomes.total() == self.count, told
        assert self.kills > 2 and self.outcomes["success"] * 2 > self.count, told
        return told

    def ask(self):
        stream = None
        while True:
            with self.lock:
                number = next(self.numbers, None)
            if number is None:
                return
            if self.quick:
                time.sleep(max(0, self.began + number / QUICK_RATE - time.monotonic()))
            link = f"{self.site}/page/{number}"
            try:
                stream = stream or Stream(self.service.port)
                stream.send(request("GET", f"/v1/preview?url={quote(link, safe='')}&timeout=30", "127.0.0.1"))
                status, _, body = stream.answer()
                outcome = "success" if status == 200 else problem_kind(status, body)
                assert status != 200 or f'"title":"/page/{number}"'.encode() in body, body
            except (Closed, Truncated, OSError, ValueError, AssertionError) as error:
                outcome, stream = "untyped", None
                self.faults.append(f"{link}: {error!r}")
            with self.lock:
                self.outcomes[outcome] += 1

    def kill(self):
        """One after the other, as long as there is something to do."""
        names = ["fetcher 1", "decoder 1", "fetcher 2", "decoder 2"]
        for name in itertools.cycle(random.sample(names, len(names))):
            if self.over.wait(1):
                return
            try:
                os.kill(self.fleet.process_of(name), signal.SIGKILL)
                self.kills += 1
            except ProcessLookupError:
                # It is being started again.
                pass
