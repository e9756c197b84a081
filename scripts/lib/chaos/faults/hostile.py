"""What comes in at inboxes and is no message, or lies."""

import itertools
import random
import threading

from faults.common import batches
from fleet import Fleet, descriptors, memory, settled_fleet
from frames import Mutator, forged
from proxy import free_port
from zmtp import Pusher

BURST = 500
MOST_NEW_DESCRIPTORS = 40
MOST_NEW_MEGABYTES = 64


class Flood(threading.Thread):
    """One hostile peer of one inbox; every burst ends with a frame that is sound and lies."""

    def __init__(self, address, count, seed):
        super().__init__(daemon=True)
        self.address, self.count, self.seed = address, count, seed
        self.sent, self.trouble = 0, None

    def run(self):
        mutator, lies = Mutator(random.Random(self.seed)), itertools.cycle(forged())
        try:
            with Pusher(self.address) as peer:
                while self.sent < self.count:
                    peer.push([*mutator.frames(BURST - 1), next(lies)])
                    self.sent += BURST
        except OSError as error:
            self.trouble = f"{self.address}: {error}"


def flooded(run, name, listen, frames):
    """One fleet under frames; returns how many were sent and what is wrong."""
    with Fleet(run.binary, run.folder / name, listen=listen) as fleet:
        size = run.size(1_000, 10_000)
        _, wrong = batches(fleet, size, lambda: True)
        processes = [member.process for member in fleet.members]
        before = [(descriptors(member), memory(member)) for member in fleet.members]
        inboxes = [fleet.address, *(worker["address"] for worker in fleet.status()["workers"])]
        floods = [Flood(inbox, frames // len(inboxes), run.random.random()) for inbox in inboxes]
        for flood in floods:
            flood.start()
        jobs, lost = batches(fleet, size, lambda: not any(flood.is_alive() for flood in floods))
        for flood in floods:
            flood.join()
        wrong += lost + [flood.trouble for flood in floods if flood.trouble]
        for member, process, (files, megabytes) in zip(fleet.members, processes, before):
            if process.poll() is not None:
                wrong.append(f"a {member.role} died")
                continue
            if (more := descriptors(member) - files) > MOST_NEW_DESCRIPTORS:
                wrong.append(f"a {member.role} has {more} more descriptors")
            if (more := memory(member) - megabytes) > MOST_NEW_MEGABYTES:
                wrong.append(f"a {member.role} has {more:.0f} MB more")
        if not wrong:
            settled_fleet(fleet)
        return sum(flood.sent for flood in floods), jobs, wrong


def frames(run):
    """Mutated and forged frames at the inboxes of all workers while jobs run, over TCP and over Unix sockets."""
    each = run.size(100_000, 5_000_000)
    results = [flooded(run, "tcp", f"tcp://127.0.0.1:{free_port()}", each), flooded(run, "ipc", None, each)]
    sent, jobs = (sum(result[index] for result in results) for index in (0, 1))
    wrong = results[0][2] + results[1][2]
    return not wrong, "; ".join([f"{sent} frames, {jobs} jobs meanwhile, each with its row", *wrong])
