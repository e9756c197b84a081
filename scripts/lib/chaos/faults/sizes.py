"""Texts as long as they may be, and longer."""

import threading

from basics import listing
from faults.common import verdict
from fleet import Fleet
from site_under_test import Site

# Around what texts, extensions of a frame, links, header blocks and lines may hold.
SIZES = [size + more for size in (2_048, 4_096, 8_192, 16_384, 20_480, 32_768, 65_536, 131_072) for more in (-64, -1, 0, 1, 64)]


class LongSite(Site):
    """What it answers, and how long that is, stands in the path: /KIND/SIZE/NUMBER."""

    def __init__(self):
        super().__init__(answer=self.page, headers=self.headers, status=self.status)

    def parts(self, path):
        kind, size, *_ = [*path.split("/")[1:3], "0"]
        return kind, int(size) if size.isdigit() else 0

    def status(self, path):
        return {"redirect": 302, "loop": 302, "gone": 404}.get(self.parts(path)[0], 200)

    def headers(self, path):
        kind, size = self.parts(path)
        return {
            "redirect": [("Location", f"/gone/{'r' * size}")],
            "loop": [("Location", f"{path.split('?')[0]}?{'l' * size}")],
            "header": [("X-Long", "h" * size)],
            "language": [("Content-Language", "l" * size)],
            "file": [("Content-Disposition", f'attachment; filename="{"f" * size}.html"')],
        }.get(kind, [])

    def page(self, path):
        kind, size = self.parts(path)
        title = "t" * size if kind == "title" else "short"
        card = f'<meta property="og:description" content="{"c" * size}">' if kind == "card" else ""
        return f"<title>{title}</title>{card}"


def lines(site, rounds):
    for number in range(rounds):
        for size in SIZES:
            for kind in ("redirect", "loop", "header", "language", "file", "title", "card"):
                yield f"{site.base}/{kind}/{size}/{number}"
            yield f"{site.base}/link/0/{number}/{'p' * size}"
            yield f"{site.base}/query/0/{number}?{'q' * size}"
            yield f"http://{number}.{'h' * size}.test/"
            yield f"http://10.0.0.1/{number}/{'refused' * (size // 7)}"


def sizes(run):
    """Links, redirects, headers, titles and failures around every limit of length, while members are killed."""
    site, rounds = LongSite(), run.size(1, 12)
    file = listing(run.folder, "long", lines(site, rounds))
    count = file.read_bytes().count(b"\n")
    with Fleet(run.binary, run.folder) as fleet:
        over, kills = threading.Event(), []

        def kill():
            while not over.wait(1 if run.is_quick else 0.3):
                victim = run.random.choice(fleet.members)
                victim.restart()
                kills.append(victim)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            rows = fleet.rows(fleet.submit("sizes", file, "--kind", "title"), 300)
        finally:
            over.set()
            killer.join()
        site.close()
        passed, told = verdict(rows, count)
        logs = "".join(log.read_text(errors="replace") for log in run.folder.glob("*.log"))
        if "tooLarge" in logs:
            passed, told = False, f"{told}; a message was too large to be sent"
        ended = sum(row["status"] == "ok" for row in rows)
        return passed, f"{told}; {ended} of them ok; {len(kills)} members killed"
