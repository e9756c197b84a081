"""A thousand slow or idle clients of each kind, and whether honest ones are answered beside them."""

import asyncio
import contextlib
import resource
import socket
import subprocess
import time
from urllib.parse import quote

from service import LOOPBACK, CountingSite, Service
from streams import request

CROWD = 1000
BEYOND = 1100
RATE = 200
# Rounds with a crowd of their own, and seconds of each: a head may take ten.
QUICK, LONG = (1, 4), (8, 8)
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
    rounds, seconds = QUICK if quick else LONG
    (folder / "site").mkdir()
    with CountingSite(folder / "site") as site, Service(program, *LOOPBACK) as service:
        ask = Honest(service.port, site.base)
        for kind, options in KINDS.items():
            with checks.check(f"slow: {CROWD} slow {kind} beside {RATE} previews a second") as figures:
                figures += [ask.beside(slow_clients(service, options), seconds, quick) for _ in range(rounds)]
        with checks.check(f"slow: {CROWD} idle connections beside {RATE} previews a second") as figures:
            figures += [ask.beside(idle_clients(service), seconds, quick) for _ in range(rounds)]
        with checks.check(f"slow: {CROWD} of each kind at once beside {RATE} previews a second") as figures:
            figures += [ask.beside(all_kinds(service), seconds, quick) for _ in range(rounds)]
        with checks.check("slow: more half heads than connections are allowed give way to bursts of honest clients") as figures:
            figures.append(bursts(service))
        with checks.check("slow: the service is alive after it"):
            assert service.get("/healthz").status == 200


def slow_clients(service, options):
    """slowhttptest, once it has connected them all; ends when it is asked to."""
    target = f"{service.address}v1/previews" if "-B" in options else f"{service.address}openapi.json"
    words = ["slowhttptest", "-c", str(CROWD), "-r", str(CROWD), "-l", "600", "-u", target, *options]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_connections(service.port, CROWD * 9 // 10)
        yield
    finally:
        process.terminate()
        process.wait()


def all_kinds(service):
    crowds = [slow_clients(service, options) for options in KINDS.values()] + [idle_clients(service)]
    try:
        for crowd in crowds:
            next(crowd)
        yield
    finally:
        for crowd in crowds:
            crowd.close()


def idle_clients(service):
    streams = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(CROWD)]
    try:
        yield
    finally:
        for stream in streams:
            stream.close()


def bursts(service, count=50, size=8):
    """Honest clients connect together before they ask, which must not make them the ones to go."""
    slow = [half_head(service.port) for _ in range(BEYOND)]
    refused = 0
    for _ in range(count):
        honest = [socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) for _ in range(size)]
        for stream in honest:
            # The answer tells whether it was taken.
            with contextlib.suppress(OSError):
                stream.sendall(request("GET", "/healthz", "127.0.0.1", ["Connection: close"]))
        for stream in honest:
            with stream:
                refused += not first_bytes(stream).startswith(b"HTTP/1.1 200 ")
    for stream in slow:
        stream.close()
    assert not refused, f"{refused} of {count * size} were not answered"
    return f"{count * size} answered"


def half_head(port):
    """Behind a whole request, whose answer tells that both have been read."""
    stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    stream.sendall(request("GET", "/healthz", "127.0.0.1") + b"GET /healthz HTTP/1.1\r\nX: ")
    assert first_bytes(stream), "a slow client had no answer to its first request"
    return stream


def first_bytes(stream):
    try:
        return stream.recv(1 << 12)
    except OSError:
        return b""


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
            assert times, f"none of {whole} was answered: {faults[:3]}"
            late = times[len(times) * 99 // 100]
            told = f"{len(times)} of {whole} answered, 99 % in {late * 1000:.0f} ms"
            assert not faults and len(times) == whole, f"{told}; {len(faults)} faults: {faults[:3]}"
            # Whatever else a busy machine does is in these times.
            assert quick or late < BOUND, told
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
