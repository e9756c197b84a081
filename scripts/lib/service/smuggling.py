"""Requests with a second one inside, in each of the ways that were published: two servers in a row may not see different ends."""


def attempts(host, hidden):
    """Names, and bytes that a client sends at once. `hidden` is the request inside."""
    for kind, inner in (("whole", hidden), ("open", hidden[:-2] + b"X-Rest: ")):
        for name, head, body in bodies(inner):
            lines = ["POST /v1/previews HTTP/1.1", f"Host: {host}", "Content-Type: text/plain", *head]
            yield f"{name}, {kind}", "\r\n".join([*lines, "", ""]).encode("latin-1") + body
        for name, data in heads(host, inner):
            yield f"{name}, {kind}", data


def bodies(inner):
    """What tells how long a body is, and a body of which one server believes the one and one the other."""
    length, ended = len(inner), b"0\r\n\r\n" + inner
    whole = b"%x\r\n%s\r\n0\r\n\r\n" % (length, inner)
    coded = [
        "Transfer-Encoding: chunked", "Transfer-Encoding : chunked", "Transfer-Encoding:\tchunked",
        "Transfer-Encoding:chunked", "transfer-encoding: CHUNKED", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity, chunked", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: \x0bchunked", "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked\x00",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "X: a\r\n Transfer-Encoding: chunked",
        "Transfer-Encoding:\r\n chunked", "X: a\nTransfer-Encoding: chunked", "X: a\rTransfer-Encoding: chunked",
        "Transfer_Encoding: chunked", "Transfer-Encoding\x00: chunked",
    ]  # fmt: skip
    for line in coded:
        yield f"Content-Length and {line!r}", [f"Content-Length: {len(ended)}", line], ended
        yield f"{line!r} and a short Content-Length", [line, "Content-Length: 4"], whole
    for line in (
        f"Content-Length: 0\r\nContent-Length: {length}", f"Content-Length: {length}\r\nContent-Length: 0",
        f"Content-Length: 0, {length}", f"Content-Length: +{length}", f"Content-Length : {length}",
        f"Content-Length: {length}\x00", f"Content-Length: 0x{length:x}", f"Content-Length: -{length}",
        f"X: a\r\n Content-Length: {length}", f"Content-Length:\r\n {length}", f"Content-Length: {length:040d}",
        f"Content-Length: {length}\nContent-Length: 0", f"Content_Length: {length}",
    ):  # fmt: skip
        yield f"{line.replace(str(length), 'N')!r}", [line], inner
    yield from chunked(inner, length)
    yield "Expect: 100-continue", [f"Content-Length: {length}", "Expect: 100-continue"], inner
    yield "a Content-Length that is right", [f"Content-Length: {length}"], inner


def chunked(inner, length):
    """Chunks that end where not all agree."""
    for name, body in (
        ("an extension with a bare LF", b"1;a\nb\r\na\r\n0\r\n\r\n" + inner),
        ("an extension that is long", b"1;" + b"a" * 5000 + b"\r\na\r\n0\r\n\r\n" + inner),
        ("an extension with a NUL", b"1;\x00\r\na\r\n0\r\n\r\n" + inner),
        ("an extension in quotes with CRLF", b'1;a="\r\n0\r\n\r\n' + inner + b'"\r\na\r\n0\r\n\r\n'),
        ("a size with 0x", b"0x1\r\na\r\n0\r\n\r\n" + inner),
        ("a size with a sign", b"+1\r\na\r\n0\r\n\r\n" + inner),
        ("a size of less than nothing", b"-1\r\n" + inner),
        ("a size of 2^64", b"10000000000000000\r\n" + inner),
        ("a size of 2^64 and one", b"10000000000000001\r\na\r\n0\r\n\r\n" + inner),
        ("a size with a space", b"1 \r\na\r\n0\r\n\r\n" + inner),
        ("a size with a bare LF", b"1\na\n0\n\n" + inner),
        ("a size with a bare CR", b"1\ra\r0\r\r" + inner),
        ("a chunk that is longer than it says", b"1\r\nab\r\n0\r\n\r\n" + inner),
        ("no CRLF behind a chunk", b"1\r\na0\r\n\r\n" + inner),
        ("a bare LF behind the last", b"1\r\na\r\n0\r\n\n" + inner),
        ("a trailer with Content-Length", b"1\r\na\r\n0\r\nContent-Length: %d\r\n\r\n" % length + inner),
        ("a trailer that is folded", b"1\r\na\r\n0\r\nX: a\r\n b\r\n\r\n" + inner),
    ):
        yield f"chunks: {name}", ["Transfer-Encoding: chunked"], body


def heads(host, inner):
    """Other methods and versions, and heads that end where not all agree."""
    length = b"%d" % len(inner)
    name = host.encode()
    yield "GET with a body", b"GET /healthz HTTP/1.1\r\nHost: " + name + b"\r\nContent-Length: " + length + b"\r\n\r\n" + inner
    yield "HEAD with a body", b"HEAD /healthz HTTP/1.1\r\nHost: " + name + b"\r\nContent-Length: " + length + b"\r\n\r\n" + inner
    yield "OPTIONS with a body", b"OPTIONS / HTTP/1.1\r\nHost: " + name + b"\r\nContent-Length: " + length + b"\r\n\r\n" + inner
    yield "a head of bare LF", b"GET /healthz HTTP/1.1\nHost: " + name + b"\n\n" + inner
    yield "a head that ends with bare LF", b"GET /healthz HTTP/1.1\r\nHost: " + name + b"\r\n\n" + inner
    yield "a head of bare CR", b"GET /healthz HTTP/1.1\rHost: " + name + b"\r\r" + inner
    yield "a target with CRLF", b"GET /healthz?\r\n\r\n" + inner
    yield "HTTP/1.0 kept alive, chunked", (
        b"POST /v1/previews HTTP/1.0\r\nHost: " + name + b"\r\nConnection: keep-alive\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner
    )
    yield "HTTP/0.9", b"GET /healthz\r\n" + inner
    yield "two Hosts", b"GET /healthz HTTP/1.1\r\nHost: " + name + b"\r\nHost: other.example\r\n\r\n" + inner
    yield "an absolute target", b"GET http://other.example/healthz HTTP/1.1\r\nHost: " + name + b"\r\n\r\n" + inner
    yield "Connection names Content-Length", (
        b"POST /v1/previews HTTP/1.1\r\nHost: " + name + b"\r\nConnection: content-length\r\nContent-Length: "
        + length + b"\r\n\r\n" + inner
    )  # fmt: skip
    yield "an upgrade that is refused", (
        b"GET /healthz HTTP/1.1\r\nHost: " + name + b"\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n" + inner
    )
