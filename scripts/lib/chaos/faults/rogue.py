"""Members that were taken over, and try to be more than they are while a batch runs."""

import json
import threading
import time

from faults.common import pages, verdict
from fleet import Fleet, answer_of
from rogue import DECODER, FETCH_OPTIONS, FETCHER, STATUS, Ear, Rogue, uuid_bytes
from site_under_test import CountingSite
from zmtp import Pusher

FORGED = b'"title":"forged\\n","url":"http://forged.test/"'
MEMBERS = [FORGED, b'"title":"a\n{}', b'"status":"ok","title":"forged"']
NEW_IDS_A_SECOND = 2_000
TOKENS = 400


class Attack(threading.Thread):
    """Says all that it must not, again and again, until it is told to stop."""

    def __init__(self, fleet, role, run_key=None):
        super().__init__(daemon=True)
        self.fleet, self.rogue = fleet, Rogue(role, run_key)
        self.over, self.sent, self.trouble = threading.Event(), 0, None
        self.ear = Ear(fleet.folder / "ear")
        self.victims = [uuid_bytes(worker["id"]) for worker in fleet.status()["workers"]]
        self.inboxes = [worker["address"] for worker in fleet.status()["workers"]]

    def run(self):
        try:
            with Pusher(self.fleet.address) as peer:
                peers = [Pusher(inbox) for inbox in self.inboxes]
                while not self.over.wait(0.05):
                    self._push(peer, self._impersonation() + self._forgeries() + self._strangers())
                    for other in peers:
                        self._push(other, self._orders())
        except OSError as error:
            self.trouble = str(error)

    def _push(self, peer, frames):
        peer.push(frames)
        self.sent += len(frames)

    def _impersonation(self):
        rogue = self.rogue
        frames = [rogue.hello("ipc:///nowhere", worker) for worker in self.victims]
        frames += [rogue.give_back(worker, reason) for worker in self.victims for reason in (1, 2)]
        return frames + [rogue.bye(worker) for worker in self.victims]

    def _forgeries(self):
        """Results of jobs that others hold, in their names and in its own."""
        found = json.loads("[" + ",".join(self.fleet.ask("jobs", "--json", "--limit", "50").splitlines()) + "]")
        jobs = [uuid_bytes(job["id"]) for job in found if "id" in job][:5]
        workers = [*self.victims[:1], self.rogue.worker]
        return [
            self.rogue.result(job, worker, token, members)
            for job in jobs for worker in workers for token in range(1, TOKENS, 40) for members in MEMBERS
        ]

    def _strangers(self):
        """Workers that are made up, and what only clients may say."""
        frames = []
        for _ in range(NEW_IDS_A_SECOND // 20):
            self.rogue.become_another()
            frames.append(self.rogue.hello("ipc:///nowhere"))
        if not self.rogue.run_key:
            frames += [self.rogue.says(name) for name in ("submit", "cancel-all", "drain")]
        return frames + [self.rogue.asks(question, self.ear.address) for question in (STATUS, FETCH_OPTIONS)]

    def _orders(self):
        """What only the aggregator and neighbours may say to a worker."""
        return [self.rogue.says(name) for name in ("job", "roster", "credit", "drain", "cancel-leases", "document")]


def taken_over_decoder(run):
    """A decoder that reads no file, as in its sandbox, tries to answer, to drain, to ask, to submit and to give orders."""
    return attacked(run, DECODER, has_key=False)


def rogue_fetcher(run):
    """A fetcher tries to speak for others and to fill the fleet with workers that are made up."""
    return attacked(run, FETCHER, has_key=True)


def attacked(run, role, has_key):
    with CountingSite(run.folder) as site, Fleet(run.binary, run.folder) as fleet:
        count = run.size(3_000, 60_000)
        quiet, _ = timed(fleet, "quiet", pages(run.folder, site, count))
        batches = len(fleet.status()["batches"])
        key = (fleet.run_dir / "run-key").read_bytes() if has_key else None
        attack = Attack(fleet, role, key)
        attack.start()
        took, rows = timed(fleet, "attacked", pages(run.folder, site, count))
        attack.over.set()
        attack.join()
        status = fleet.status()
        passed, told = verdict(rows, count)
        wrong = [attack.trouble] if attack.trouble else []
        if forged := sum("forged" in json.dumps(row) or row["status"] != "ok" for row in rows):
            wrong.append(f"{forged} rows forged or failed")
        if not sum(status["refused_messages"].values()):
            wrong.append("nothing was refused")
        if len(status["batches"]) != batches + 1:
            wrong.append("a batch was submitted by a decoder")
        if (attack.ear.calls > 0) != has_key:
            wrong.append(f"its questions were {'not ' if has_key else ''}answered")
        if took > 3 * quiet + 5:
            wrong.append(f"the batch took {took:.1f} s, and {quiet:.1f} s without the attack")
        if any(member.process.poll() is not None for member in fleet.members):
            wrong.append("a member died")
        told = f"{told}; {attack.sent} frames said in vain, {took:.1f} s instead of {quiet:.1f} s"
        return passed and not wrong, "; ".join([told, *wrong])


def timed(fleet, name, listing):
    began = time.monotonic()
    batch = answer_of(fleet.submitting(name, listing, "--kind", "title"))["batch"]
    rows = fleet.rows(batch, 120)
    return time.monotonic() - began, rows
