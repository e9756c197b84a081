"""Programs that ask others for previews: consumers of oEmbed, and the clients of iframely by what they send and read."""

import json
from urllib.parse import quote

import micawber
import pyoembed

from service import LOOPBACK, Service, Site

TITLE, WORDS, AUTHOR = "Harbour & sea", "A page about both.", "Ada Example"


def page(site, service, path):
    discovered = f"{service}oembed?url={quote(site + path, safe='')}"
    return f"""<!doctype html><html lang="en"><title>{TITLE.replace("&", "&amp;")}</title>
      <meta property="og:title" content="{TITLE.replace("&", "&amp;")}">
      <meta property="og:description" content="{WORDS}"><meta name="author" content="{AUTHOR}">
      <meta property="og:site_name" content="Harbour"><link rel="icon" href="/icon.png" type="image/png">
      <meta property="og:image" content="{site}/sea.png"><meta property="og:image:type" content="image/png">
      <meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
      <meta name="twitter:image" content="{site}/sea.png">
      <link rel="alternate" type="application/json+oembed" href="{discovered.replace("&", "&amp;")}"><p>{path}"""


def check(program, folder, checks, quick):
    place = {}
    site = Site(answer=lambda path: page(site.base, place["service"], path))
    with Service(program, *LOOPBACK) as service:
        place["service"] = service.address
        check_oembed(service, site.base, checks)
        check_outline(service, site.base, checks)
        check_obsidian(service, site.base, checks)
    site.close()


def judge(found, site, link):
    """What every consumer reads of an oEmbed response of type link."""
    expected = {
        "type": "link", "version": "1.0", "title": TITLE, "author_name": AUTHOR, "provider_name": "Harbour",
        "thumbnail_url": f"{site}/sea.png", "thumbnail_width": 1200, "thumbnail_height": 630,
    }  # fmt: skip
    different = {name: found.get(name) for name in expected if found.get(name) != expected[name]}
    assert not different, f"{link}: {different}"


def check_oembed(service, site, checks):
    link = f"{site}/a?b=c&d=%C3%A4#e"
    with checks.check("clients: micawber asks /oembed"):
        judge(micawber.Provider(f"{service.address}oembed").request(link), site, link)
    with checks.check("clients: micawber finds the link in a text"):
        providers = micawber.ProviderRegistry()
        providers.register(rf"{site}/\S*", micawber.Provider(f"{service.address}api/oembed"))
        html = providers.parse_text(f"{site}/in-a-text")
        assert f'href="{site}/in-a-text"' in html and "Harbour &amp; sea" in html, html
    with checks.check("clients: micawber is told that there is nothing"):
        try:
            found = micawber.Provider(f"{service.address}oembed").request("http://127.0.0.1:9/")
        except micawber.ProviderException:
            found = None
        assert found is None, found
    with checks.check("clients: pyoembed finds /oembed by discovery"):
        judge(pyoembed.oEmbed(f"{site}/discovered"), site, "discovered")
        judge(pyoembed.oEmbed(f"{site}/small", maxwidth=2000, maxheight=1000), site, "small")


def check_outline(service, site, checks):
    """plugins/iframely/server/iframely.ts, with IFRAMELY_URL=http://…/api."""
    with checks.check("clients: Outline's request, and what it reads"):
        answer = service.get(f"/api/iframely?url={quote(site + '/a?b=c&d=e', safe='')}&api_key=any")
        data = json.loads(answer.body)
        assert answer.status == 200 and data["url"] == f"{site}/a?b=c&d=e", data
        assert (data["meta"]["title"], data["meta"]["description"]) == (TITLE, WORDS), data["meta"]
        assert data["links"]["thumbnail"][0]["href"] == f"{site}/sea.png", data["links"]
        assert data["links"]["icon"][0]["href"] == f"{site}/icon.png", data["links"]
    failing = {
        "a host that is dead": f"url={quote('http://127.0.0.1:9/', safe='')}",
        "no link": "",
        "a text that is no link": "url=%20",
        "a link that takes too long": f"url={quote(site + '/slow', safe='')}&timeout=0.001",
    }
    for name, query in failing.items():
        with checks.check(f"clients: Outline reads the error of {name} as iframely's"):
            answer = service.get(f"/api/iframely?{query}&api_key=any")
            error = json.loads(answer.body).get("error")
            assert error, f"{answer.status}: {answer.body.decode()}"
            assert error["code"] == answer.status and error["source"] == "iframely" and error["message"], error


def check_obsidian(service, site, checks):
    """Plugins such as Excalidraw's: the link is not encoded, and the list is flat."""
    with checks.check("clients: the request of Obsidian's plugins, and what they read"):
        data = json.loads(service.get(f"/iframely?url={site}/a?b=c&d=e").body)
        assert data["url"] == f"{site}/a?b=c&d=e", data
        assert data["meta"]["title"] == TITLE and "error" not in data, data
        assert len(data["links"]) > 0 and data["links"][0]["href"], data["links"]
    with checks.check("clients: the image for Twitter, which one of them looks for"):
        images = [each for each in data["links"] if each["type"].startswith("image") and "twitter" in each["rel"]]
        assert images and images[0]["href"] == f"{site}/sea.png", data["links"]
    with checks.check("clients: the same, grouped when it is asked for"):
        data = json.loads(service.get(f"/iframely?url={quote(site + '/a', safe='')}&group=true").body)
        assert data["links"]["thumbnail"][0]["href"] == f"{site}/sea.png", data["links"]
    with checks.check("clients: Obsidian's plugins are told of an error"):
        answer = service.get("/iframely?url=http://127.0.0.1:9/")
        assert "error" in json.loads(answer.body), answer.body
