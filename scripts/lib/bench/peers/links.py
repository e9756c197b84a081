"""The list of links and the truth about each of them. The same for the same seed."""

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path

from pages import Page

# How often a link has no redirect, one, two and three.
HOPS = (0.25, 0.40, 0.22, 0.13)
STATUSES = {301: 0.40, 302: 0.30, 303: 0.05, 307: 0.05, 308: 0.05, "here": 0.15}
KINDS = {"page": 0.92, "file": 0.02, "gone": 0.04, "broken": 0.01, "loop": 0.01}


@dataclass
class Truth:
    """What a program should say of a link. `failure` is `loop` or `dead`; what else it says of those is not compared."""

    link: str
    final: str | None = None
    status: int | None = None
    title: str | None = None
    image: str | None = None
    failure: str | None = None


class Site:
    """Where the hosts are. A host is the last number of its address."""

    def __init__(self, network: str, port: int, hosts: int, dead: int = 0):
        self.network, self.port = network, port
        self.hosts = range(1, hosts + 1)
        self.dead = range(hosts + 1, hosts + dead + 1)

    def address(self, host):
        return f"{self.network}.{host}"

    def origin(self, host):
        return f"http://{self.address(host)}:{self.port}"


def make_links(site: Site, pages: list[Page], files: list[Page], count: int, seed: int) -> list[Truth]:
    choice = random.Random(f"links {seed}")
    dead_share = len(site.dead) / (len(site.hosts) + len(site.dead))
    links = []
    for number in range(count):
        if choice.random() < dead_share:
            links.append(Truth(f"{site.origin(choice.choice(site.dead))}/plain/1.html?n={number}", failure="dead"))
        else:
            links.append(make_link(site, pages, files, number, choice))
    return links


def make_link(site, pages, files, number, choice):
    kind = choice.choices(list(KINDS), KINDS.values())[0]
    start = host = choice.choice(site.hosts)
    chain = ""
    for _ in range(choice.choices(range(len(HOPS)), HOPS)[0]):
        status = choice.choices(list(STATUSES), STATUSES.values())[0]
        if status == "here":
            chain += "/here"
        else:
            host = choice.choice(site.hosts)
            chain += f"/{status}/{host}"
    page = choice.choice(files if kind == "file" else pages)
    path = {"gone": "/gone/page", "broken": "/broken/page", "loop": "/loop/a"}.get(kind, page.path)
    link = f"{site.origin(start)}{chain}{path}?n={number}"
    if kind == "loop":
        return Truth(link, failure="loop")
    final = f"{site.origin(host)}{path}?n={number}"
    if kind in ("gone", "broken"):
        return Truth(link, final, 404 if kind == "gone" else 500)
    image = site.origin(host) + page.image if page.image else None
    return Truth(link, final, 200, page.title, image)


def write_links(folder: Path, links: list[Truth]):
    (folder / "links.txt").write_text("".join(f"{truth.link}\n" for truth in links))
    with open(folder / "truth.jsonl", "w") as file:
        for truth in links:
            file.write(json.dumps(asdict(truth), ensure_ascii=False) + "\n")
