"""Names that lead to forbidden places, to two places, elsewhere the second time, or nowhere: inside a network of its own.

That network leads to itself what is public elsewhere, so the program runs as its users run it.
"""

import collections
import ipaddress
import socket
import struct
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from check import Verdicts, outcome, rows

PUBLIC, OTHER, OWN, PRIVATE = "93.184.215.14", "93.184.215.15", "93.184.215.16", "10.66.0.1"
PUBLIC6, MAPPED = "2606:2800:21f:cb07::1", "::ffff:10.66.0.1"
# Routed, and swallowed.
HOLE = "9.9.9.9"

ANSWERS = {
    "public.test": [PUBLIC],
    "refusing.test": [OTHER],
    "own.test": [OWN],
    "private.test": [PRIVATE],
    "both.test": [PRIVATE, PUBLIC],
    "both-again.test": [PUBLIC, PRIVATE],
    "public6.test": [PUBLIC6],
    "both6.test": ["::1", PUBLIC],
    "mapped.test": [MAPPED],
    "hole.test": [HOLE],
    "empty.test": [],
}
# By turns: the first lookup is honest.
TURNING = {"turning.test": [[PUBLIC], [PRIVATE]], "turning-later.test": [[PUBLIC], [PRIVATE]]}

# Outcome and, where the message must tell it, some of its words.
EXPECTED = {
    "http://public.test/": ("ok", ""),
    "http://public6.test/": ("ok", ""),
    "http://both.test/": ("ok", ""),
    "http://both-again.test/": ("ok", ""),
    "http://both6.test/": ("ok", ""),
    "http://private.test/": ("blocked_address", "address 10.66.0.1 is refused (private)"),
    "http://own.test/": ("blocked_address", "address 93.184.215.16 is refused (this machine)"),
    "http://mapped.test/": ("blocked_address", "is refused (IPv4-mapped (private))"),
    "http://2130706433/": ("blocked_address", "address 127.0.0.1 is refused (loopback)"),
    "http://0x7f.1/": ("blocked_address", "address 127.0.0.1 is refused (loopback)"),
    "http://017700000001/": ("blocked_address", "address 127.0.0.1 is refused (loopback)"),
    "http://127.1/": ("blocked_address", "address 127.0.0.1 is refused (loopback)"),
    "http://[::ffff:127.0.0.1]/": ("blocked_address", "is refused (IPv4-mapped (loopback))"),
    "http://[::1]/": ("blocked_address", "address ::1 is refused (loopback)"),
    "http://public.test/to/private.test": ("blocked_address", "address 10.66.0.1 is refused (private)"),
    "http://turning.test/to/turning.test": ("ok", ""),
    "http://refusing.test/": ("connect", "cannot connect to refusing.test: Connection refused"),
    "http://8.8.8.8/": ("connect", "cannot connect to 8.8.8.8: Network is unreachable"),
    "http://hole.test/": ("timeout", "timed out after 5 s connecting"),
    "http://silent.test/": ("timeout", "timed out after 5 s looking up the name"),
    "http://nowhere.test/": ("dns", "no address for nowhere.test: there is no such name"),
    "http://empty.test/": ("dns", "no address for empty.test: there is no such name"),
    "http://failing.test/": ("dns", "no address for failing.test: Temporary failure in name resolution"),
}
# Which failures are worth another attempt.
ATTEMPTS = {"http://nowhere.test/": 1, "http://empty.test/": 1, "http://failing.test/": 2, "http://refusing.test/": 2, "http://private.test/": 1}


class Names:
    """A name server that answers what the tables say."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.asked = collections.Counter()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            question, sender = self.socket.recvfrom(512)
            if reply := self.reply(question):
                self.socket.sendto(reply, sender)

    def reply(self, packet):
        labels, at = [], 12
        while size := packet[at]:
            labels.append(packet[at + 1 : at + 1 + size].decode())
            at += 1 + size
        name, (kind,) = ".".join(labels).lower(), struct.unpack(">H", packet[at + 1 : at + 3])
        if name == "silent.test":
            return None
        code = 2 if name == "failing.test" else 0 if name in ANSWERS or name in TURNING else 3
        version = {1: 4, 28: 6}.get(kind)
        found = [address for address in self.addresses(name, kind) if ipaddress.ip_address(address).version == version]
        records = b"".join(
            struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(data)) + data
            for data in (ipaddress.ip_address(address).packed for address in found)
        )
        return packet[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(found), 0, 0) + packet[12 : at + 5] + records

    def addresses(self, name, kind):
        if name not in TURNING:
            return ANSWERS.get(name, [])
        self.asked[name, kind] += 1
        return TURNING[name][min(self.asked[name, kind], len(TURNING[name])) - 1]


class Site:
    """Counts its connections; `/to/NAME` leads to NAME, over a connection of its own."""

    def __init__(self, address):
        site = self
        self.connections = 0

        class Handler(BaseHTTPRequestHandler):
            def setup(self):
                site.connections += 1
                super().setup()

            def do_GET(self):
                _, path, *rest = self.path.split("/")
                self.send_response(302 if path == "to" else 200)
                if path == "to":
                    self.send_header("Location", f"http://{rest[0]}/")
                self.send_header("Content-Type", "text/html")
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(b"<title>Here</title>")

            def log_message(self, *_):
                pass

        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        kind = type("Server", (ThreadingHTTPServer,), {"address_family": family})
        threading.Thread(target=kind((address, 80), Handler).serve_forever, daemon=True).start()


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def make_network():
    ip("link set lo up")
    for address in [f"{OWN}/32", f"{PRIVATE}/32"]:
        ip(f"addr add {address} dev lo")
    # They are nobody's here, and answered all the same.
    for address in [f"{PUBLIC}/32", f"{OTHER}/32", f"{PUBLIC6}/128"]:
        ip(f"route add local {address} dev lo")
    Path("/proc/sys/net/ipv6/ip_nonlocal_bind").write_text("1")
    ip("link add hole type veth peer name bottom")
    ip("link set bottom up")
    ip("link set hole up")
    ip(f"route add {HOLE}/32 dev hole src {OWN}")
    ip(f"neigh add {HOLE} lladdr 02:00:00:00:00:01 dev hole nud permanent")


def check(binary):
    make_network()
    Names()
    sites = {address: Site(address) for address in [PUBLIC, PUBLIC6, PRIVATE, "127.0.0.1", "::1"]}
    proxy = Site("127.0.0.2")
    verdicts = Verdicts()
    through = ["--proxy", "http://127.0.0.2:80", "--retries", "0"]
    with ThreadPoolExecutor() as pool:
        links = [("title", link) for link in EXPECTED]
        once = pool.submit(rows, binary, links, "--retries", "0")
        twice = pool.submit(rows, binary, [("title", link) for link in ATTEMPTS], "--retries", "1")
        refused = ["private.test", "both.test", "mapped.test", "127.1", "nowhere.test"]
        proxied = pool.submit(rows, binary, [("title", f"http://{name}/") for name in ["public.test", *refused]], *through)
        late = lambda: [rows(binary, [("title", "http://turning-later.test/")], "--retries", "0")[0] for _ in range(2)]
        turned = pool.submit(late)
    found = {row["input"]: (outcome(row), row.get("error", {}).get("message", "")) for row in once.result()}
    shown = {link: (kind, words if words in found[link][1] else found[link][1]) for link, (kind, words) in EXPECTED.items()}
    verdicts.group("names", EXPECTED, {link: (found[link][0], shown[link][1]) for link in EXPECTED})
    slowest = max(row["ms"] for row in once.result())
    verdicts.group("time limits", {"of 5 s kept within": True}, {"of 5 s kept within": slowest < 5_250})
    verdicts.group("attempts", ATTEMPTS, {row["input"]: row["attempts"] for row in twice.result()})
    verdicts.group("a name that turns", {1: "ok", 2: "blocked_address"}, dict(enumerate(map(outcome, turned.result()), 1)))
    kinds = {name: "dns" if name == "nowhere.test" else "blocked_address" for name in refused}
    named = {row["input"].split("/")[2]: outcome(row) for row in proxied.result()}
    verdicts.group("through a proxy", {"public.test": "ok", **kinds}, named)
    verdicts.group("the proxy was asked for", {"names": 1}, {"names": proxy.connections})
    allowed = rows(binary, [("title", "http://127.1/"), ("title", "http://[::1]/")], "--allow-address", "127.0.0.0/8", "--retries", "0")
    counts = {address: site.connections for address, site in sites.items()}
    verdicts.group("allowed by name", {0: "ok", 1: "blocked_address"}, dict(enumerate(map(outcome, allowed))))
    verdicts.group("connections", {PRIVATE: 0, "::1": 0, "127.0.0.1": 1, "any": True}, {**counts, "any": counts[PUBLIC] > 5})
    return verdicts
