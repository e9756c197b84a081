"""What comes in by TCP."""

import socket

from faults.common import echoes, verdict
from fleet import Fleet, descriptors


def garbage(run):
    """Raw garbage and half-open connections on the aggregator's TCP port while jobs run."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Fleet(run.binary, run.folder, listen=f"tcp://127.0.0.1:{port}") as fleet:
        count = run.size(10_000, 100_000)
        producer = fleet.submitting("garbage", echoes(run.folder, count), "--kind", "echo")
        before = descriptors(fleet.aggregator)
        held = []
        for round in range(run.size(200, 2_000)):
            peer = socket.create_connection(("127.0.0.1", port))
            peer.sendall(run.random.randbytes(run.random.randrange(1, 2_000)))
            if round % 4 == 0 and len(held) < 50:
                held.append(peer)
            else:
                peer.close()
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        rows = fleet.rows(batch, 300)
        for peer in held:
            peer.close()
        passed, told = verdict(rows, count)
        alive = fleet.aggregator.process.poll() is None
        return passed and alive, f"{told}; {before} descriptors before, {descriptors(fleet.aggregator)} after"
