"""Where the site is and how far: loopback, or two networks with a slow cable between them; and hosts that answer nothing."""

import socket
import subprocess
from pathlib import Path

LOOPBACK = "127.0.1"
# A range that RFC 2544 keeps for tests.
FAR = "198.18.1"
NEAR_ADDRESS = "198.18.0.1/16"


class Loopback:
    """The network of this machine: nothing to make."""

    network = LOOPBACK
    client: list[str] = []
    server: list[str] = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Distant:
    """A client's network and a server's, and between them a program that holds each packet back. They end with the scope."""

    network = FAR

    def __init__(self, program: Path, round_trip: int):
        self.program, self.milliseconds = program, round_trip // 2

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program, str(self.milliseconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        said = self.process.stdout.readline().split()
        if not said:
            raise SystemExit("no networks can be made; that takes root, /dev/net/tun and a kernel that allows both")
        near, far = said
        self.client, self.server = (["nsenter", f"--net=/proc/{self.process.pid}/fd/{number}"] for number in (near, far))
        for prefix in (self.client, self.server):
            run(prefix, "ip link set lo up")
            run(prefix, "ip link set cable mtu 1500 txqueuelen 100000 up")
            # What one program's connections have met must not help or hinder those of the next.
            subprocess.run([*prefix, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save"], check=True)
        run(self.client, f"ip address add {NEAR_ADDRESS} dev cable")
        run(self.server, f"ip route add local {FAR}.0/24 dev lo")
        run(self.server, "ip route add default dev cable")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def run(prefix, command):
    subprocess.run([*prefix, *command.split()], check=True)


class DeadHosts:
    """Hosts that answer nothing: their sockets listen, their queues are full, so the kernel drops each new connection."""

    def __init__(self, addresses: list[str], port: int):
        self.addresses, self.port = addresses, port
        self.sockets = []

    def __enter__(self):
        for address in self.addresses:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((address, self.port))
            listener.listen(0)
            self.sockets.append(listener)
            self.fill(address)
        return self

    def fill(self, address):
        while True:
            connection = socket.socket()
            connection.settimeout(0.3)
            self.sockets.append(connection)
            try:
                connection.connect((address, self.port))
            except TimeoutError:
                return

    def __exit__(self, *_):
        for one in self.sockets:
            one.close()
