"""A network of its own for some of a fleet's processes."""

import ctypes
import itertools
import os
import socket
import subprocess

from outcome import LeftOut

CLONE_NEWNET = 0x40000000
numbers = itertools.count()


class Namespace:
    def __init__(self):
        self.name = f"halyard-{os.getpid()}-{next(numbers)}"
        try:
            ip("netns", "add", self.name)
        except FileNotFoundError as error:
            raise LeftOut("there is no command 'ip'") from error
        except subprocess.CalledProcessError as error:
            raise LeftOut(f"no network namespace can be made: {error.stderr.strip()}") from error
        self.ip("link", "set", "lo", "up")

    def ip(self, *words):
        ip("-n", self.name, *words)

    @property
    def prefix(self):
        """What stands before a command that is to run inside."""
        return ["ip", "netns", "exec", self.name]

    def socket(self):
        """A socket that lives inside, for a thread that does not."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as outside, open(f"/run/netns/{self.name}") as inside:
            enter(libc, inside)
            try:
                return socket.socket()
            finally:
                enter(libc, outside)

    def link_to_outside(self):
        """A cable; returns the addresses of its ends outside and inside."""
        number = os.getpid()
        here, self.cable = f"hy{number:x}a", f"hy{number:x}b"
        # A range that RFC 2544 keeps for tests.
        outside, inside = (f"198.18.{number % 256}.{end}" for end in (1, 2))
        try:
            ip("link", "add", here, "type", "veth", "peer", "name", self.cable, "netns", self.name)
            ip("addr", "add", f"{outside}/30", "dev", here)
            ip("link", "set", here, "up")
            self.ip("addr", "add", f"{inside}/30", "dev", self.cable)
            self.ip("link", "set", self.cable, "up")
        except subprocess.CalledProcessError as error:
            raise LeftOut(f"no virtual cable can be made: {error.stderr.strip()}") from error
        return outside, inside

    def set_link(self, state):
        self.ip("link", "set", self.cable, state)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The cable goes with the namespace.
        ip("netns", "del", self.name)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def enter(libc, namespace):
    if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise LeftOut(f"no network namespace can be entered: {os.strerror(ctypes.get_errno())}")
