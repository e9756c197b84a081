"""Equal requests at a time make one fetch, and a host that is dead is not asked with every message."""

import selectors
import socket
import threading
import time
from urllib.parse import quote

from service import LOOPBACK, PATIENCE, Service, Site, free_port, problem_kind

CROWD = 500
# How long a failure that may pass is kept.
MINUTE = 60


class ClosingServer:
    """Takes connections and closes them at once."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.tries = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.tries += 1
            connection.close()

    def close(self):
        self.listener.close()


def check(program, folder, checks, quick):
    released = threading.Event()
    # The page comes when all have asked.
    site = Site(
        delay=lambda path, agent: 0 if released.wait(PATIENCE) else 0,
        answer=lambda path: f"<!doctype html><title>The page {path}</title>",
    )
    with Service(program, *LOOPBACK) as service:
        crowd(service, site, released, checks)
        dead_host(service, checks, quick)
    site.close()


def crowd(service, site, released, checks):
    with checks.check(f"stampede: {CROWD} simultaneous requests for one link make one GET") as figures:
        request = f"GET /v1/preview?url={quote(site.base + '/one', safe='')} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        streams = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(CROWD)]
        for stream in streams:
            stream.sendall(request.encode())
        site.wait_for(1, PATIENCE)
        # It reads its connections in turn, so the others have been read when this one is answered.
        assert service.counter("halyard_preview_fetches ") == 1, "there is not one fetch under way"
        released.set()
        answers = read_all(streams)
        whole = sum(1 for answer in answers if answer.startswith(b"HTTP/1.1 200 ") and b'"The page /one"' in answer)
        assert whole == CROWD, f"{whole} of {CROWD} were answered; one that was not: " + str(
            next(answer[:400] for answer in answers if b'"The page /one"' not in answer)
        )
        assert len(site.asked) == 1, f"the site was asked {len(site.asked)} times"
        figures.append(f"{CROWD} answers")


def read_all(streams):
    """What came over each stream until it was closed."""
    received = {stream: b"" for stream in streams}
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            selector.register(stream, selectors.EVENT_READ)
        deadline = time.monotonic() + PATIENCE
        while selector.get_map() and time.monotonic() < deadline:
            for key, _ in selector.select(1):
                try:
                    chunk = key.fileobj.recv(1 << 16)
                except OSError:
                    chunk = b""
                received[key.fileobj] += chunk
                if not chunk:
                    selector.unregister(key.fileobj)
    for stream in streams:
        stream.close()
    return list(received.values())


def dead_host(service, checks, quick):
    def ask(link):
        answer = service.preview(link)
        return answer.status, problem_kind(answer.status, answer.body), answer.getheader("Cache-Status")

    closing = ClosingServer()
    began = time.monotonic()
    with checks.check("stampede: a server that closes at once is tried once a minute") as figures:
        first, second = ask(f"{closing.base}/"), ask(f"{closing.base}/")
        assert first[:2] == second[:2] and first[0] == 502, (first, second)
        assert closing.tries == 1, f"{closing.tries} tries"
        assert time.monotonic() < began + MINUTE, "the minute is over"
        figures.append(f"{first[1]}; {second[2]}")
    with checks.check("stampede: a port that refuses is tried once a minute") as figures:
        link = f"http://127.0.0.1:{free_port()}/"
        fetched = service.counter("halyard_preview_fetches_total")
        first, second = ask(link), ask(link)
        assert first[:2] == second[:2] and first[0] == 502, (first, second)
        fetched = service.counter("halyard_preview_fetches_total") - fetched
        assert fetched == 1, f"{fetched} fetches"
        figures.append(f"{first[1]}; {second[2]}")
    if not quick:
        with checks.check("stampede: and again after the minute"):
            time.sleep(max(0, began + MINUTE + 5 - time.monotonic()))
            ask(f"{closing.base}/")
            assert closing.tries == 2, f"{closing.tries} tries"
    closing.close()
