"""Where the site is and how far: loopback, or two networks with a slow cable between them; and hosts that answer nothing."""

import socket
import subprocess
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

# A range that RFC 2544 keeps for tests.
FAR = "198.18.1"
NEAR_ADDRESS = "198.18.0.1/16"


@dataclass
class Place:
    """The site's network, and what stands before the commands of client and server."""

    network: str = "127.0.1"
    client: tuple[str, ...] = ()
    server: tuple[str, ...] = ()


@contextmanager
def distant(program: Path, round_trip: int):
    """A client's network and a server's, and between them a program that holds each packet back. They end with the scope."""
    # It ends with its standard input.
    with subprocess.Popen([program, str(round_trip // 2)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cable:
        numbers = cable.stdout.readline().split()
        if not numbers:
            raise SystemExit("no networks can be made; that takes root, /dev/net/tun and a kernel that allows both")
        client, server = (("nsenter", f"--net=/proc/{cable.pid}/fd/{number}") for number in numbers)
        for prefix in (client, server):
            run(prefix, "ip link set lo up")
            run(prefix, "ip link set cable mtu 1500 txqueuelen 100000 up")
            # What one program's connections have met must not help or hinder those of the next.
            subprocess.run([*prefix, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save"], check=True)
        run(client, f"ip address add {NEAR_ADDRESS} dev cable")
        run(server, f"ip route add local {FAR}.0/24 dev lo")
        run(server, "ip route add default dev cable")
        yield Place(FAR, client, server)


def run(prefix, command):
    subprocess.run([*prefix, *command.split()], check=True)


@contextmanager
def dead_hosts(addresses: list[str], port: int):
    """Hosts that answer nothing: their sockets listen, their queues are full, so the kernel drops each new connection."""
    with ExitStack() as scope:
        for address in addresses:
            scope.enter_context(socket.create_server((address, port), backlog=0))
            is_full = False
            while not is_full:
                connection = scope.enter_context(socket.socket())
                connection.settimeout(0.3)
                try:
                    connection.connect((address, port))
                except TimeoutError:
                    is_full = True
        yield
