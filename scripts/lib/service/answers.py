"""One answer of each route as HTTP: httplint, promtool, and what caches make of it."""

import json
import re
import socket
import subprocess
import time
from types import SimpleNamespace
from urllib.parse import quote, urljoin, urlsplit

from httplint.cli.http_parser import HttpCliParser, modes
from httplint.note import levels
from httplint.status import STATUS_URI_TOO_LONG

from service import LOOPBACK, PATIENCE, Service, Site

CARD = '<!doctype html><title>A page</title><meta property="og:description" content="Words"><p>words'


def raw_answer(port, method, path, fields=(), body=b""):
    """The bytes of an answer whose connection ends with it."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close", *fields]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stream:
        stream.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        received = b""
        while chunk := stream.recv(1 << 16):
            received += chunk
    return received


class Linted(HttpCliParser):
    """What httplint notes of an answer."""

    def input_end(self, trailers):
        self.linter.finish_content(True, trailers)
        self.ended = True

    def input_error(self, err, close=True):
        raise AssertionError(f"httplint: {err.desc} {err.detail or ''}")

    @classmethod
    def bad_notes(cls, answer):
        parser = cls(SimpleNamespace(mode=modes.RESPONSE), time.time())
        parser.ended = False
        parser.handle_input(answer)
        assert parser.ended, "the answer does not end"
        notes = [each for note in parser.linter.notes for each in (note, *note.subnotes)]
        # That a target is too long is what we wanted to be told.
        return [f"{note.summary}" for note in notes if note.level is levels.BAD and not isinstance(note, STATUS_URI_TOO_LONG)]


def routes(site, document):
    """A request for each route of the document, for the pages for people, and for what goes wrong."""
    link = quote(f"{site}/page", safe="")
    queries = {"url": link, "kind": "timeout"}
    for path, operations in document["paths"].items():
        for method in operations:
            if method == "get":
                asked = path.replace("{kind}", queries["kind"])
                needs_link = any(parameter["name"] == "url" for parameter in operations[method].get("parameters", []))
                yield 200, "GET", f"{asked}?url={link}" if needs_link else asked, [], b""
            else:
                yield 200, method.upper(), path, ["Content-Type: text/plain"], f"{site}/page".encode()
    yield 200, "HEAD", f"/v1/preview?url={link}", [], b""
    yield 200, "GET", "/", [], b""
    yield 200, "GET", f"/?links={link}", [], b""
    yield 200, "POST", "/cards", ["Content-Type: text/plain"], f"{site}/page".encode()
    yield 202, "GET", f"/v1/preview?url={link}202&wait=0", [], b""
    yield 204, "OPTIONS", "/v1/preview", [], b""
    yield 400, "GET", "/v1/preview", [], b""
    yield 400, "GET", "/v1/preview", ["Folded: a", " b"], b""
    yield 400, "GET", "/v1/preview?url=&wait=0", [], b""
    yield 404, "GET", "/nothing", [], b""
    yield 404, "GET", "/nothing", ["Accept: text/html"], b""
    yield 405, "DELETE", "/v1/preview", [], b""
    yield 405, "GET", "/v1/previews", [], b""
    yield 413, "POST", "/v1/previews", ["Content-Type: text/plain"], b"a" * (512 << 10) + b"a"
    yield 414, "GET", f"/{'a' * 9000}", [], b""
    yield 415, "POST", "/v1/previews", ["Content-Type: text/csv"], b"a"
    yield 431, "GET", "/v1/preview", [f"Long: {'a' * 20_000}"], b""
    yield 501, "GET", f"/oembed?url={link}&format=xml", [], b""
    yield 502, "GET", f"/v1/preview?url={quote('http://127.0.0.1:9/', safe='')}", [], b""


def check(program, folder, checks, quick):
    site = Site(answer=lambda path: CARD)
    with Service(program, *LOOPBACK, "--allow-origin", "https://chat.example.org") as service:
        document = json.loads(service.get("/openapi.json").body)
        for status, method, path, fields, body in routes(site.base, document):
            shown = path.replace(quote(site.base, safe=""), "SITE")[:60]
            more = f" with {fields[0][:30]!r}" if fields and method == "GET" else ""
            with checks.check(f"http: {method} {shown}{more}: {status}, nothing bad in it"):
                lint(service.port, status, method, path, fields, body)
        check_assets(service, checks)
        check_caching(service, site, checks)
        check_problems(service, site, checks)
        check_tokens(program, folder, site, checks)
        with checks.check("http: promtool accepts the metrics"):
            metrics = service.get("/metrics").body
            end = subprocess.run(["promtool", "check", "metrics"], input=metrics, capture_output=True)
            assert end.returncode == 0 and not end.stderr, end.stderr.decode()
        with checks.check("http: the metrics count the answers about links, their times and the problems"):
            lines = metrics.decode().splitlines()
            for wanted in (
                r'halyard_preview_responses_total\{route="/v1/preview",status="200",cache="fresh"\}',
                r'halyard_preview_responses_total\{route="/v1/preview",status="502",cache="waited"\}',
                r'halyard_preview_seconds_count\{cache="waited"\}',
            ):
                assert any(re.fullmatch(wanted + " [1-9][0-9]*", line) for line in lines), f"nothing is counted in {wanted}"
    site.close()


def lint(port, status, method, path, fields, body):
    answer = raw_answer(port, method, path, fields, body)
    assert int(answer.split(b" ", 2)[1]) == status, answer[:600].decode("utf-8", "replace")
    if method == "HEAD":
        assert answer.endswith(b"\r\n\r\n"), "a HEAD has a body"
        # httplint would wait for it.
        answer = b"\r\n".join(line for line in answer.split(b"\r\n") if not line.lower().startswith(b"content-length"))
    bad = Linted.bad_notes(answer)
    assert not bad, "; ".join(bad) + "\n" + answer.split(b"\r\n\r\n")[0].decode()


def check_assets(service, checks):
    """What the page names."""
    page = service.get("/").body.decode()
    named = {part.split('"')[0] for mark in ('href="', 'src="') for part in page.split(mark)[1:]}
    for path in sorted(f"/{name}" for name in named if name.startswith("assets/")):
        with checks.check(f"http: GET {path}, nothing bad in it"):
            lint(service.port, 200, "GET", path, [], b"")


def check_problems(service, site, checks):
    with checks.check("http: a link that takes too long may be asked for again, as its problem says"):
        answer = service.preview(f"{site.base}/slow", "&timeout=0.001")
        told = json.loads(answer.body)
        assert (answer.status, told["kind"]) == (504, "deadline"), answer.body
        assert told["retryable"], f"'{told['detail']}', but retryable is false"
    with checks.check("http: the type of each problem is the address of its page, and its instance a URI"):
        faults = []
        for path in ("/nothing", "/v1/preview", "/oembed?url=a&format=xml", "/v1/previews", "/v1/preview?url=http://127.0.0.1:9/"):
            told = json.loads(service.get(path).body)
            page = urlsplit(urljoin(f"{service.address[:-1]}{path}", told["type"])).path
            if service.get(page).status != 200:
                faults.append(f"{path}: {told['type']} leads to nothing")
            # RFC 9562 has the form of what stands behind it.
            if told["instance"].startswith("urn:uuid:") and not is_uuid(told["instance"]):
                faults.append(f"{path}: {told['instance']} is no UUID")
        assert not faults, "; ".join(faults)


def is_uuid(text):
    return bool(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text))


def check_tokens(program, folder, site, checks):
    """Answers to those who have no token, or ask too much."""
    tokens = folder / "tokens"
    tokens.write_text("chat 0d3bcf2a9e6b47f1b2c4 rate=1\n")
    tokens.chmod(0o600)
    path = f"/v1/preview?url={quote(site.base + '/page', safe='')}"
    known = ["Authorization: Bearer 0d3bcf2a9e6b47f1b2c4"]
    with Service(program, *LOOPBACK, "--token-file", str(tokens)) as service:
        with checks.check("http: 401 without a token, nothing bad in it"):
            lint(service.port, 401, "GET", path, [], b"")
        with checks.check("http: 200 with a token is for its holder alone"):
            answer = service.get(path, {"Authorization": known[0].split(": ")[1]})
            assert answer.status == 200 and "private" in answer.getheader("Cache-Control"), answer.getheaders()
        with checks.check("http: 429 with Retry-After, nothing bad in it"):
            answers = [raw_answer(service.port, "GET", path, known) for _ in range(30)]
            refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 429 ")]
            assert refused and b"\r\nRetry-After: " in refused[0], [answer[:20] for answer in answers]
            assert not Linted.bad_notes(refused[0]), Linted.bad_notes(refused[0])


def check_caching(service, site, checks):
    with checks.check("http: a cache between counts the freshness that is left as the service does"):
        deadline = time.monotonic() + PATIENCE
        while int((answer := service.preview(f"{site.base}/aging")).getheader("Age")) < 2:
            assert time.monotonic() < deadline, "the answer does not age"
            time.sleep(0.1)
        lasts = int(answer.getheader("Cache-Control").split("max-age=")[1])
        left = int(answer.getheader("Cache-Status").split("ttl=")[1])
        # RFC 9111, 4.2: what is left is max-age less Age.
        counted = lasts - int(answer.getheader("Age"))
        assert abs(counted - left) <= 1, f"{counted} s by max-age={lasts} and Age, {left} s by Cache-Status"
    with checks.check("http: a page of an allowed origin is told that it may ask"):
        asked = {"Origin": "https://chat.example.org", "Access-Control-Request-Method": "POST"}
        answer = service.get("/v1/previews", asked, "OPTIONS")
        assert answer.getheader("Access-Control-Allow-Origin") == asked["Origin"], answer.getheaders()
        assert "POST" in answer.getheader("Access-Control-Allow-Methods") and answer.status == 204, answer.status
    with checks.check("http: an answer that depends on Origin says so to those who send none, too"):
        plain = service.preview(f"{site.base}/page")
        shared = service.get(f"/v1/preview?url={quote(site.base, safe='')}", {"Origin": "https://chat.example.org"})
        assert shared.getheader("Access-Control-Allow-Origin") == "https://chat.example.org"
        assert "Origin" in (plain.getheader("Vary") or ""), f"Vary: {plain.getheader('Vary')}"
    with checks.check("http: If-None-Match is answered with 304 and the same tag"):
        tag = service.preview(f"{site.base}/page").getheader("ETag")
        path = f"/v1/preview?url={quote(site.base + '/page', safe='')}"
        lint(service.port, 304, "GET", path, [f"If-None-Match: {tag}"], b"")
        again = service.get(path, {"If-None-Match": tag})
        assert (again.status, again.getheader("ETag"), again.body) == (304, tag, b""), again.status
