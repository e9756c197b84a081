"""Halyard's own frames, gone wrong. Mutated ones have a wrong checksum; forged ones are sound and lie."""

from pathlib import Path

GOLDEN = Path(__file__).parents[3] / "Tests/PipelineTests/Golden"
HEADER_BYTES = 37
MESSAGE = 4
LENGTH = slice(5, 9)
CHECKSUM = slice(9, 13)
LANE_SEQUENCE = slice(13, 21)
SECRET = slice(21, 37)
MOST = b"\xff" * 8
BLOCK = 0x40

# Which field of a message is the token of its lease.
LEASE_FIELDS = {6: 2, 7: 2, 8: 2, 16: 2, 17: 1}
RESULT_MEMBERS = 12

# Who may send these may also stop a fleet, or give it work; keys and directories keep strangers out. The others only
# name jobs, leases, batches and workers that do not exist.
POWERFUL = ("drain", "hello", "job", "roster", "submit")


def golden():
    """Every golden frame by its name, each as the newest version writes it."""
    return {file.stem: bytes.fromhex(file.read_text()) for file in sorted(GOLDEN.glob("*/*.hex"))}


class Mutator:
    """An endless row of frames that are none: flipped bits, cut ends, two halves, noise."""

    def __init__(self, random):
        self.random = random
        self.sound = list(golden().values())
        self.known = set(self.sound)
        self.ways = [self._flipped, self._flipped, self._cut, self._spliced, self._noise]

    def frames(self, count):
        choice, found = self.random.choice, []
        while len(found) < count:
            frame = choice(self.ways)(choice(self.sound))
            if frame not in self.known:
                found.append(frame)
        return found

    def _flipped(self, frame):
        # Of the first bytes only some are looked at, whatever the checksum says.
        bit = 1 << self.random.randrange(8 * len(frame))
        return (int.from_bytes(frame, "little") ^ bit).to_bytes(len(frame), "little")

    def _cut(self, frame):
        return frame[: self.random.randrange(len(frame))]

    def _spliced(self, frame):
        place = self.random.randrange(len(frame))
        return frame[:place] + self.random.choice(self.sound)[place:]

    def _noise(self, frame):
        return self.random.randbytes(self.random.randrange(2 * len(frame)))


def forged():
    """Sound frames about nothing that exists, as they are and with the greatest numbers that fit."""
    frames = [frame for name, frame in golden().items() if not name.startswith(POWERFUL)]
    return frames + [greatest(frame) for frame in frames]


def greatest(frame):
    changed = bytearray(frame)
    for number, value in fields(frame):
        if number == LEASE_FIELDS.get(frame[MESSAGE]):
            changed[value.start : value.start + 8] = MOST
    changed[LANE_SEQUENCE] = MOST
    return sealed(changed)


def number(value):
    """Seven bits a byte."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(written) + bytes([value])


def block(field, value):
    return bytes([field | BLOCK]) + number(len(value)) + value


def fields(frame):
    """Of each field of a message its number, and where its value stands."""
    place = HEADER_BYTES
    while place < len(frame):
        key, (value, place) = frame[place], read_number(frame, place + 1)
        start, place = place, place + (value if key & BLOCK else 0)
        yield key & 0x3F, slice(start, place)


def read_number(frame, place):
    value, shift = 0, 0
    while True:
        byte, place = frame[place], place + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def spoken(frame, secret):
    """The same over a lane with this secret."""
    changed = bytearray(frame)
    changed[SECRET] = secret
    return sealed(changed)


def sealed(frame):
    """With the length and the checksum of what is in it now."""
    frame[LENGTH] = (len(frame) - HEADER_BYTES).to_bytes(4, "little")
    frame[CHECKSUM] = checksum(frame[: CHECKSUM.start] + frame[CHECKSUM.stop :])
    return bytes(frame)


def large_result(row_bytes):
    """A sound RESULT of a job that does not exist, with a long row."""
    frame = bytearray(greatest(golden()["result"]))
    number_of_last, members = list(fields(frame))[-1]
    assert number_of_last == RESULT_MEMBERS
    row = bytes(frame[members]) + b" " * row_bytes
    length = len(block(RESULT_MEMBERS, bytes(frame[members])))
    return sealed(frame[: len(frame) - length] + block(RESULT_MEMBERS, row))


def lies():
    """What a member of a fleet may say, and what is not so: also as another, and with the greatest numbers."""
    names = ("hello", "hello-program", "drain", "bye", "credit", "result", "result-failed", "result-continuation")
    names += ("give-back-peer", "give-back-peer-lost", "give-back-draining", "cancel-leases", "cancel-all", "host-slot-request")
    frames = [golden()[name] for name in names]
    return frames + [greatest(frame) for frame in frames]


def checksum(data):
    """CRC-32C."""
    state = 0xFFFFFFFF
    for byte in data:
        state = state >> 8 ^ CRC_TABLE[(state ^ byte) & 0xFF]
    return (state ^ 0xFFFFFFFF).to_bytes(4, "little")


def _remainder(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC_TABLE = [_remainder(byte) for byte in range(256)]
