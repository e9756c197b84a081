"""The service behind nginx, HAProxy, Caddy and Varnish, each as Deploy/proxies sets it up."""

import contextlib
import itertools
import json
import os
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote

import smuggling
from service import LOOPBACK, PATIENCE, CountingSite, Service, Site, await_port, free_port
from streams import Closed, Stream, Truncated, request

SETTINGS = Path(__file__).parents[3] / "Deploy" / "proxies"
HOST = "previews.example.org"
# A user's address, which the proxy tells the service.
USER = "127.0.0.2"
WRITERS, DEPTH = 3, 8
QUICK_SECONDS, LONG_SECONDS = 3, 60


def settings(name, folder, changes):
    """The file that users copy, with our ports in it."""
    text = (SETTINGS / name).read_text()
    for old, new in changes.items():
        assert old in text, f"Deploy/proxies/{name} has no '{old}' any more"
        text = text.replace(old, new)
    place = folder / name
    place.write_text(text)
    return place


def nginx(folder, port, service):
    part = settings("nginx.conf", folder, {"listen 80;": f"listen 127.0.0.1:{port};", "127.0.0.1:7780": service})
    folders = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    whole = folder / "whole.conf"
    whole.write_text(
        f"worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/errors; events {{ }}"
        f"http {{ {folders} access_log off; include {part}; }}"
    )
    return ["nginx", "-c", whole, "-p", folder, "-e", folder / "errors"]


def haproxy(folder, port, service):
    return ["haproxy", "-db", "-f", settings("haproxy.cfg", folder, {"bind :80": f"bind 127.0.0.1:{port}", "127.0.0.1:7780": service})]


def caddy(folder, port, service):
    # Without TLS, and without the port where it takes orders.
    changes = {f"{HOST} {{": f"{{\n\tadmin off\n}}\nhttp://{HOST}:{port} {{", "127.0.0.1:7780": service}
    return ["caddy", "run", "--adapter", "caddyfile", "--config", settings("Caddyfile", folder, changes)]


def varnish(folder, port, service):
    place = settings("default.vcl", folder, {'"7780"': f'"{service.rsplit(":", 1)[1]}"'})
    options = ["-a", f"127.0.0.1:{port}", "-n", folder / "state", "-s", "malloc,32m", "-p", "backend_idle_timeout=15"]
    return ["varnishd", "-F", "-f", place, *options]


PROXIES = {"no proxy": None, "nginx": nginx, "HAProxy": haproxy, "Caddy": caddy, "Varnish": varnish}


@contextlib.contextmanager
def running(name, folder, service):
    """The port to ask at."""
    if not PROXIES[name]:
        yield service.port
        return
    folder.mkdir()
    folder.chmod(0o755)
    port = free_port()
    words = PROXIES[name](folder, port, service.place)
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log, cwd=folder, env={**os.environ, "HOME": str(folder)})
    try:
        await_port(port)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def check(program, folder, checks, quick):
    log = folder / "access.log"
    own = ("--host-name", HOST, "--trusted-proxy", "127.0.0.1/32", "--access-log", str(log))
    (folder / "site").mkdir()
    with CountingSite(folder / "site") as site, Service(program, *LOOPBACK, *own) as service:
        for name in PROXIES:
            with checks.guard(f"proxies: {name}"), running(name, folder / name, service) as port:
                shown = f"proxies: {name}"
                with checks.check(f"{shown}: no request gets another's answer") as figures:
                    figures.append(Crossfire(port, site.base, name).run(QUICK_SECONDS if quick else LONG_SECONDS))
                with checks.check(f"{shown}: the service knows who asks"):
                    find_address(port, site.base, log, name)
                with checks.check(f"{shown}: several links come as they are known"):
                    read_as_they_come(port)
        with checks.check("proxies: the service is alive after it"):
            assert service.get("/healthz").status == 200
        check_socket(program, folder, site.base, checks)


def check_socket(program, folder, site, checks):
    """Over a Unix socket, only the proxy can tell who asks."""
    log, shown = folder / "socket.log", "proxies: HAProxy, over a Unix socket"
    own = ("--host-name", HOST, "--trusted-proxy", "unix", "--access-log", str(log))
    with Service(program, *LOOPBACK, *own, address=f"unix:{folder}/serve.sock") as service:
        with checks.guard(shown), running("HAProxy", folder / "socket", service) as port:
            with checks.check(f"{shown}: the service knows who asks"):
                find_address(port, site, log, "socket")


class Crossfire:
    """Honest requests over a few connections, and beside them attempts to smuggle."""

    def __init__(self, port, site, name):
        self.port, self.site, self.proxy = port, site, name
        self.faults, self.answered, self.failed, self.attempts, self.again = [], 0, [], 0, 0
        self.until, self.over = 0, threading.Event()

    def run(self, seconds):
        self.until = time.monotonic() + seconds
        threads = [threading.Thread(target=self.ask_honestly, args=[number]) for number in range(WRITERS)]
        threads.append(threading.Thread(target=self.smuggle))
        for thread in threads:
            thread.start()
        threads[-1].join()
        self.over.set()
        for thread in threads:
            thread.join()
        told = f"{self.answered} answers beside {self.attempts} attempts"
        assert not self.faults, f"{len(self.faults)} faults in {told}: " + "\n".join(self.faults[:10])
        assert self.answered > 100, told
        # A proxy may lose a connection that the service has just closed.
        assert len(self.failed) * 100 <= self.answered, f"{len(self.failed)} failed of {told}: {self.failed[:5]}"
        return told + (f", {len(self.failed)} failed, {self.again} asked again" if self.failed or self.again else "")

    def link(self, mark):
        return f"{self.site}/{quote(self.proxy, safe='')}/{mark}"

    def honest(self, writer, number):
        """Method, bytes, and the link that the answer must be about. Some are kept by the service already."""
        link = self.link(f"honest-{writer}-{number if number % 2 else number % 32}-")
        target = f"/v1/preview?url={quote(link, safe='')}"
        match number % 10:
            case 3:
                return "HEAD", request("HEAD", target, HOST), link
            case 6:
                fields = ["Content-Type: text/plain"]
                return "POST", request("POST", "/v1/previews", HOST, fields, link.encode(), chunked=number % 20 == 6), link
            case _:
                return "GET", request("GET", target, HOST), link

    def ask_honestly(self, writer):
        numbers = itertools.count()
        stream, waiting = None, []
        while not self.over.is_set():
            waiting += [self.honest(writer, next(numbers)) for _ in range(DEPTH - len(waiting))]
            try:
                stream = stream or Stream(self.port)
                stream.send(b"".join(data for _, data, _ in waiting))
                while waiting:
                    self.judge(waiting[0], stream.answer(waiting[0][0]))
                    waiting.pop(0)
            except (Closed, ConnectionError):
                self.again += len(waiting)
                stream = None
            except Exception as error:  # noqa: BLE001
                self.faults.append(f"{waiting[0][2]}: {error!r}, {stream and stream.received[:200]!r}")
                stream, waiting = None, []
        if stream:
            stream.close()

    def judge(self, asked, answer):
        method, _, link = asked
        status, fields, body = answer
        self.answered += 1
        # Debian's Caddy, built with Go 1.19, loses an answer that comes before it has seen the end of the request's body.
        is_lost = self.proxy == "Caddy" and method == "POST" and not body
        if status != 200 or is_lost:
            self.failed.append(f"{method} {link}: {status} {body[:200]!r}")
        elif method != "HEAD" and f'"link":"{link}"'.encode() not in body:
            self.faults.append(f"{method} {link}: {body[:300]!r} with {fields}")
        if b"smuggled" in body:
            self.faults.append(f"{method} {link} got a smuggled answer: {body[:300]!r}")

    def smuggle(self):
        for turn in itertools.count():
            link = self.link(f"smuggled-{turn}")
            hidden = request("GET", f"/v1/preview?url={quote(link, safe='')}", HOST)
            for name, data in smuggling.attempts(HOST, hidden):
                # All of them once, however slow the machine is.
                if turn and time.monotonic() > self.until:
                    return
                self.attempts += 1
                try:
                    self.attempt(name, data, link)
                except OSError:
                    pass

    def attempt(self, name, data, link):
        """Its first answer is to the outer request, which asked for no link."""
        stream = Stream(self.port, patience=0.3)
        stream.send(data)
        try:
            _, _, body = stream.answer("HEAD" if data.startswith(b"HEAD") else "GET")
            if f'"link":"{link}"'.encode() in body and b'"n":' not in body:
                self.faults.append(f"{name}: the first answer is that of the second request: {body[:300]!r}")
        except (Closed, Truncated, ValueError, IndexError, TimeoutError):
            pass
        finally:
            stream.close()


def find_address(port, site, log, name):
    """A client can say what it likes; the proxy's word counts."""
    link = f"{site}/who-{quote(name)}"
    stream = Stream(port, source=USER)
    stream.send(request("GET", f"/v1/preview?url={quote(link, safe='')}", HOST, ["X-Forwarded-For: 203.0.113.9"]))
    assert stream.answer()[0] == 200
    stream.close()
    deadline = time.monotonic() + PATIENCE
    while not (lines := [line for line in log.read_text().splitlines() if quote(link, safe="") in line]):
        assert time.monotonic() < deadline, "the request is not in the log"
        time.sleep(0.05)
    client = json.loads(lines[0])["client"]
    assert client == USER, f"the log names {client}"


def read_as_they_come(port):
    """The second link's page comes when the first answer has been read."""
    released = threading.Event()
    site = Site(delay=lambda path, agent: 0 if path != "/late" or released.wait(PATIENCE) else 0)
    stream = Stream(port, patience=8)
    try:
        body = f"{site.base}/late\n{site.base}/soon".encode()
        stream.send(request("POST", "/v1/previews", HOST, ["Content-Type: text/plain"], body))
        head = stream.until(b"\r\n\r\n")
        assert head.startswith("HTTP/1.1 200 "), head
        try:
            stream.until(b"/soon")
        except TimeoutError:
            raise AssertionError("the first answer waits for the second") from None
        released.set()
        stream.until(b"/late")
    finally:
        released.set()
        stream.close()
        site.close()
