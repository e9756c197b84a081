"""A member that was taken over: it speaks the wire, knows its own secret, and tries to speak for others."""

import hashlib
import os
import socket
import struct
import threading
import time
import uuid

from frames import block, golden, sealed, spoken

FETCHER, DECODER = 3, 4
HELLO, RESULT, GIVE_BACK, BYE, ASK = 1, 8, 10, 13, 18
STATUS, FETCH_OPTIONS = b"status", b"fetch-options"
WORKER_ID = 1
WORD = 2**64 - 1


def hashed(purpose, *words):
    """The first two words of the hash that ids and secrets follow from."""
    block = struct.pack("<5Q", purpose, *words, *[0] * (4 - len(words)))
    return struct.unpack("<2Q", hashlib.blake2s(block).digest()[:16])


def keyed(high, low, word):
    """SipHash-2-4 of one word."""
    one, two = low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D
    three, four = low ^ 0x6C7967656E657261, high ^ 0x7465646279746573

    def turned(value, count):
        return (value << count | value >> 64 - count) & WORD

    def turn(one, two, three, four):
        one, three = one + two & WORD, three + four & WORD
        two, four, one = turned(two, 13) ^ one, turned(four, 16) ^ three, turned(one, 32)
        one, three = one + four & WORD, three + two & WORD
        return one, turned(two, 17) ^ three, turned(three, 32), turned(four, 21) ^ one

    for part in (word, 8 << 56):
        four ^= part
        for _ in range(2):
            one, two, three, four = turn(one, two, three, four)
        one ^= part
    three ^= 0xFF
    for _ in range(4):
        one, two, three, four = turn(one, two, three, four)
    return one ^ two ^ three ^ four


class Rogue:
    """One worker id after the other, each proven by a secret of its own."""

    def __init__(self, role, run_key=None):
        self.role, self.run_key = role, run_key
        self.become_another()

    def become_another(self):
        high, low = struct.unpack("<2Q", os.urandom(16))
        if self.run_key:
            low = keyed(*struct.unpack(">2Q", self.run_key), high)
        self.secret = struct.pack("<2Q", high, low)
        now = int(time.time() * 1_000) << 16 | 0x7000
        first, second = hashed(WORKER_ID, high, low, now)
        self.worker = struct.pack(">2Q", now | first & 0xFFF, 1 << 63 | second & (1 << 62) - 1)

    def hello(self, address, worker=None):
        return self.frame(
            HELLO, block(1, worker or self.worker), bytes([2, self.role]), block(3, b"here"), block(4, address.encode())
        )

    def result(self, job, worker, token, members):
        lease = struct.pack("<Q", token) + os.urandom(8)
        return self.frame(RESULT, block(1, job), block(2, lease), bytes([3, 1]), block(4, worker), block(12, members))

    def give_back(self, worker, reason=1):
        return self.frame(GIVE_BACK, block(1, worker), bytes([2, reason]))

    def bye(self, worker):
        return self.frame(BYE, block(1, worker))

    def asks(self, question, address):
        fields = block(1, address.encode()), block(2, os.urandom(16)), block(3, question), block(5, b"{}")
        return self.frame(ASK, *fields)

    def says(self, name):
        """A golden frame as this member's."""
        return spoken(golden()[name], self.secret)

    def frame(self, message, *fields):
        # The newest minor version, then room for length, checksum and the lane's sequence.
        head = struct.pack("<HBBB16x", 0x5948, 1, 1, message)
        return sealed(bytearray(head + self.secret + b"".join(fields)))


class Ear(threading.Thread):
    """Where answers would come, which counts who connects."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.address, self.calls = f"ipc://{path}", 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        self.start()

    def run(self):
        while True:
            peer, _ = self.socket.accept()
            self.calls += 1
            peer.close()


def uuid_bytes(words):
    return uuid.UUID(words).bytes
