"""HTTP by hand: requests as bytes, and the answers to many of them over one connection."""

import socket

PATIENCE = 60


class Closed(Exception):
    """The connection ended before an answer began."""


class Truncated(Exception):
    """The connection ended within an answer."""


class Stream:
    """A connection that reads one answer after the other."""

    def __init__(self, port, source="127.0.0.1", patience=PATIENCE):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience, source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            # What was answered before can still be read.
            pass

    def answer(self, method="GET"):
        """Status, fields by their names in lower case, body."""
        while not self.received:
            self.more()
        try:
            return self.begun_answer(method)
        except (Closed, ConnectionError) as error:
            raise Truncated(f"cut off: {error!r}") from error

    def begun_answer(self, method):
        while True:
            lines = self.until(b"\r\n\r\n").split("\r\n")
            status = int(lines[0].split(" ")[1])
            if status != 100:
                break
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if method == "HEAD" or status in (204, 304):
            return status, fields, b""
        if "chunked" in fields.get("transfer-encoding", ""):
            return status, fields, b"".join(self.chunks())
        if "content-length" in fields:
            return status, fields, self.exactly(int(fields["content-length"]))
        return status, fields, self.rest()

    def chunks(self):
        while size := int(self.until(b"\r\n").split(";")[0], 16):
            yield self.exactly(size)
            self.exactly(2)
        self.until(b"\r\n")

    def rest(self):
        """All until the connection ends, or nothing comes any more."""
        try:
            while True:
                self.more()
        except (Closed, OSError):
            data, self.received = self.received, b""
            return data

    def until(self, mark):
        while mark not in self.received:
            self.more()
        line, _, self.received = self.received.partition(mark)
        return line.decode("latin-1")

    def exactly(self, count):
        while len(self.received) < count:
            self.more()
        data, self.received = self.received[:count], self.received[count:]
        return data

    def more(self):
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise Closed()
        self.received += chunk

    def close(self):
        self.socket.close()


def request(method, target, host, fields=(), body=b"", chunked=False):
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", *fields]
    if chunked:
        lines.append("Transfer-Encoding: chunked")
        half = len(body) // 2
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:]) if part) + b"0\r\n\r\n"
    elif body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body
