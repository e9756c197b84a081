"""Titles with the Python API of minet. usage: LINKS ROWS CONCURRENCY TIMEOUT-SECONDS"""

import json
import sys

from bs4 import SoupStrainer
from minet.encodings import infer_encoding
from minet.exceptions import RedirectError
from minet.executors import HTTPThreadPoolExecutor
from minet.scrape.soup import WonderfulSoup

TITLE = SoupStrainer("title")


def decode(response):
    """Its own `text()` takes every page for UTF-8, and to guess is slow, so that comes last."""
    if charset := response.encoding_from_headers:
        # By the standard of browsers, ISO-8859-1 means windows-1252.
        return response.body.decode("windows-1252" if charset.lower() in ("iso-8859-1", "latin1") else charset, "replace")
    try:
        return response.body.decode()
    except UnicodeDecodeError:
        return response.body.decode(infer_encoding(response.body) or "utf-8", "replace")


def read_title(link, url, response):
    if not response.is_html:
        return None
    title = WonderfulSoup(decode(response), "html.parser", parse_only=TITLE).find("title")
    return " ".join(title.get_text().split()) if title else None


def to_row(result, title):
    if result.response is not None:
        return {"link": result.item, "final": result.response.end_url, "status": result.response.status, "title": title}
    kind = "other"
    if isinstance(result.error, RedirectError):
        kind = "loop"
    elif "timeout" in result.error_code:
        kind = "dead"
    return {"link": result.item, "failure": kind, "message": repr(result.error)}


def main(links, rows, concurrency, timeout):
    workers = int(concurrency)
    with open(links) as source, open(rows, "w") as output, HTTPThreadPoolExecutor(workers, timeout=int(timeout)) as executor:
        results = executor.request(
            (line.rstrip("\n") for line in source),
            callback=read_title,
            throttle=0,
            domain_parallelism=workers,
            max_redirects=20,
            compressed=True,
            buffer_size=4 * workers,
        )
        for result, title in results:
            output.write(json.dumps(to_row(result, title), ensure_ascii=False) + "\n")


main(*sys.argv[1:])
