"""The service under test, and the sites that it fetches from."""

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, unquote

sys.path.insert(0, str(Path(__file__).parent.parent / "chaos"))
from basics import free_port  # noqa: E402, F401
from fleet import SupervisedFleet  # noqa: E402, F401
from site_under_test import CountingSite, Site  # noqa: E402, F401

PATIENCE = 60
LOOPBACK = ("--allow-address", "127.0.0.0/8")


class Service:
    """`halyard serve`, and the link that it says to try."""

    def __init__(self, program, *more, address="127.0.0.1:0"):
        self.process = subprocess.Popen(
            [program, "serve", "--http", address, *more], stderr=subprocess.PIPE, text=True
        )
        if address.startswith("unix:"):
            self.place = "unix@" + address.removeprefix("unix:")
            await_place(address.removeprefix("unix:"), socket.AF_UNIX)
            return
        said, self.address, self.first = [], None, None
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"previews are served at (http://\S+/)", line):
                self.address = found[1]
            if found := re.search(r"try http://\S+\?links=(\S+)", line):
                self.first = unquote(found[1])
            if self.address and (self.first or "--demo" not in more):
                break
        else:
            raise RuntimeError(f"the service did not start: {''.join(said)}")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.port = int(self.address.rstrip("/").rsplit(":", 1)[1])
        self.place = f"127.0.0.1:{self.port}"

    def get(self, path, fields=None, method="GET", body=None):
        """A whole answer, over a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body=body, headers=fields or {})
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def preview(self, link, more=""):
        return self.get(f"/v1/preview?url={quote(link, safe='')}{more}")

    def counter(self, name):
        """The sum of a counter in its metrics."""
        text = self.get("/metrics").body.decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)


def problem_kind(status, body):
    """The kind of an answer that is a typed problem; else it fails."""
    told = json.loads(body)
    assert told.get("status") == status and told.get("kind") and told.get("type"), f"{status}: {body[:300]!r}"
    return told["kind"]


def await_port(port):
    await_place(("127.0.0.1", port), socket.AF_INET)


def await_place(place, family):
    """Until something listens there."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with socket.socket(family) as probe:
                probe.connect(place)
            return
        except (ConnectionRefusedError, FileNotFoundError):
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing listens at {place}") from None
            time.sleep(0.02)
