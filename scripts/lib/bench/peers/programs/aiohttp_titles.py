"""Titles and cards with aiohttp, uvloop and selectolax. usage: LINKS ROWS CONCURRENCY TIMEOUT-SECONDS"""

import asyncio
import codecs
import json
import re
import sys
from urllib.parse import urljoin

import aiohttp
import uvloop
from selectolax.lexbor import LexborHTMLParser

META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_:-]+)", re.I)
# What the labels mean by the standard of browsers.
BROWSER_CHARSETS = {"iso8859-1": "windows-1252", "ascii": "windows-1252", "shift_jis": "cp932"}


def decode(body, header):
    found = header or ((match := META_CHARSET.search(body, 0, 1024)) and match[1].decode()) or "utf-8"
    try:
        name = codecs.lookup(found).name
    except LookupError:
        name = "utf-8"
    return body.decode(BROWSER_CHARSETS.get(name, name), "replace")


def read_head(row, text):
    tree = LexborHTMLParser(text)
    if title := tree.css_first("title"):
        row["title"] = " ".join(title.text().split())
    for name in ("title", "description", "image"):
        if meta := tree.css_first(f'meta[property="og:{name}"]'):
            row.setdefault("card", {})[name] = meta.attributes.get("content")
    if image := row.get("card", {}).get("image"):
        row["image"] = urljoin(row["final"], image)


async def resolve(session, link):
    try:
        async with session.get(link) as response:
            row = {"link": link, "final": str(response.url), "status": response.status}
            body = await response.read()
            if response.content_type == "text/html":
                read_head(row, decode(body, response.charset))
            return row
    except aiohttp.TooManyRedirects as error:
        return {"link": link, "failure": "loop", "message": str(error)}
    except TimeoutError as error:
        return {"link": link, "failure": "dead", "message": str(error)}
    except aiohttp.ClientError as error:
        return {"link": link, "failure": "other", "message": str(error)}


async def work(session, links, output):
    for link in links:
        row = await resolve(session, link.rstrip("\n"))
        output.write(json.dumps(row, ensure_ascii=False) + "\n")


async def main(links, rows, concurrency, timeout):
    connector = aiohttp.TCPConnector(limit=int(concurrency), keepalive_timeout=300)
    limits = aiohttp.ClientTimeout(total=int(timeout))
    with open(links) as source, open(rows, "w") as output:
        async with aiohttp.ClientSession(connector=connector, timeout=limits, cookie_jar=aiohttp.DummyCookieJar()) as session:
            await asyncio.gather(*(work(session, source, output) for _ in range(int(concurrency))))


uvloop.run(main(*sys.argv[1:]))
