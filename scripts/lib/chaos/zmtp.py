"""A peer that speaks ZeroMQ's protocol (ZMTP 3.0 without security) and sends what it likes."""

import socket

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
SOCKET_TYPE = b"\x0bSocket-Type\0\0\0\x04PUSH"
READY = b"\x05READY" + SOCKET_TYPE


class Pusher:
    """A PUSH socket on one connection. A reader that stops holds it up."""

    def __init__(self, address, seconds=20):
        self.socket = connected(address, seconds)
        self.socket.sendall(GREETING)
        self._read(len(GREETING))
        self.socket.sendall(bytes([4, len(READY)]) + READY)
        self._read(self._read(2)[1])

    def push(self, frames):
        """One part each, all in one go."""
        self.socket.sendall(b"".join(map(framed, frames)))

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, count):
        data = b""
        while len(data) < count:
            if not (more := self.socket.recv(count - len(data))):
                raise ConnectionError("the peer hung up while shaking hands")
            data += more
        return data


def connected(address, seconds):
    scheme, _, place = address.partition("://")
    if scheme == "ipc":
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(seconds)
        peer.connect(place)
        return peer
    host, _, port = place.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), seconds)


def framed(message):
    size = len(message)
    if size < 256:
        return bytes((0, size)) + message
    return b"\x02" + size.to_bytes(8, "big") + message
