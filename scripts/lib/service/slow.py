"""A thousand slow or idle clients of each kind, and whether honest ones are answered beside them."""

import asyncio
import resource
import socket
import subprocess
import time
from urllib.parse import quote

from service import LOOPBACK, CountingSite, Service
from streams import request

CROWD = 1000
RATE = 200
QUICK_SECONDS, LONG_SECONDS = 4, 60
# Of answers in a hundred: how soon, on a machine that does nothing else.
BOUND = 1.0
PATIENCE = 30
KINDS = {
    "heads": ["-H", "-i", "5"],
    "bodies": ["-B", "-i", "5", "-t", "POST", "-f", "text/plain"],
    "readers": ["-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3"],
}


def check(program, folder, checks, quick):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    seconds = QUICK_SECONDS if quick else LONG_SECONDS
    (folder / "site").mkdir()
    with CountingSite(folder / "site") as site, Service(program, *LOOPBACK) as service:
        ask = Honest(service.port, site.base)
        for kind, options in KINDS.items():
            with checks.check(f"slow: {CROWD} slow {kind} beside {RATE} previews a second") as figures:
                figures.append(ask.beside(slow_clients(service, options, seconds), seconds, quick))
        with checks.check(f"slow: {CROWD} idle connections beside {RATE} previews a second") as figures:
            figures.append(ask.beside(idle_clients(service), seconds, quick))
        with checks.check("slow: the service is alive after it"):
            assert service.get("/healthz").status == 200


def slow_clients(service, options, seconds):
    """slowhttptest, once it has connected them all; ends when it is asked to."""
    target = f"{service.address}v1/previews" if "-B" in options else f"{service.address}openapi.json"
    words = ["slowhttptest", "-c", str(CROWD), "-r", str(CROWD), "-l", str(3 * seconds + 30), "-u", target, *options]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_connections(service.port, CROWD * 9 // 10)
        yield
    finally:
        process.terminate()
        process.wait()


def idle_clients(service):
    streams = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(CROWD)]
    try:
        yield
    finally:
        for stream in streams:
            stream.close()


def wait_for_connections(port, count):
    """Until so many clients have connected, whatever the service has done with them since."""
    deadline = time.monotonic() + PATIENCE
    local, most = f":{port:04X}", 0
    while most < count:
        with open("/proc/net/tcp") as table:
            most = max(most, sum(1 for line in table if line.split()[2].endswith(local)))
        assert time.monotonic() < deadline, f"only {most} slow clients connected"
        time.sleep(0.02)


class Honest:
    """Clients that come at a steady rate, each over a connection of its own; one of eight asks for a link that is not kept."""

    def __init__(self, port, site):
        self.port, self.site, self.number = port, site, 0

    def beside(self, crowd, seconds, quick):
        """Runs while the crowd is there; returns how it went."""
        for _ in crowd:
            times, faults = asyncio.run(self.ask_steadily(seconds))
            times.sort()
            whole = seconds * RATE
            told = f"{len(times)} of {whole} answered, 99 % in {times[len(times) * 99 // 100] * 1000:.0f} ms" if times else "none answered"
            assert not faults and len(times) == whole, f"{told}; {len(faults)} faults: {faults[:3]}"
            # Whatever else a busy machine does is in these times.
            assert quick or times[len(times) * 99 // 100] < BOUND, told
            return told

    async def ask_steadily(self, seconds):
        times, faults, began = [], [], time.monotonic()

        async def ask(due, link):
            await asyncio.sleep(due - time.monotonic())
            try:
                body = await asyncio.wait_for(self.answer(link), PATIENCE)
                assert f'"link":"{link}"'.encode() in body, body[:300]
                times.append(time.monotonic() - due)
            except (AssertionError, OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                faults.append(f"{link}: {error!r}")

        asked = []
        for turn in range(seconds * RATE):
            self.number += 1
            link = f"{self.site}/{'new' if turn % 8 == 0 else 'kept'}/{self.number if turn % 8 == 0 else turn % 64}"
            asked.append(ask(began + turn / RATE, link))
        await asyncio.gather(*asked)
        return times, faults

    async def answer(self, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            target = f"/v1/preview?url={quote(link, safe='')}"
            writer.write(request("GET", target, "127.0.0.1", ["Connection: close"]))
            return await reader.read(-1)
        finally:
            writer.close()
