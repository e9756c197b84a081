"""The site whose titles scripts/bench and scripts/costs read: a page of 40 KB behind one redirect."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "chaos"))
from site_under_test import CountingSite  # noqa: E402

HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page to measure &amp; more</title>'
    '<meta property="og:title" content="A page to measure"><meta property="og:image" content="/image.png">'
    '<meta name="description" content="Forty kilobytes of text"><link rel="canonical" href="/page"></head><body>'
)
PAGE_BYTES = 40_200
PARAGRAPH = "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor."


class TitleSite(CountingSite):
    """Runs while the scope is open, and keeps its files in `folder`."""

    def __init__(self, folder, page_bytes=PAGE_BYTES):
        folder = Path(folder)
        # nginx's worker is another user when we are root.
        folder.chmod(0o755)
        (folder / "page.html").write_text(HEAD + PARAGRAPH * (page_bytes // len(PARAGRAPH)))
        super().__init__(
            folder,
            locations=f"root {folder}; location /short/ {{ return 301 /page/; }} location /page/ {{ try_files /page.html =404; }}",
        )

    def write_links(self, file, count):
        """A list of different links, each of which leads to the page."""
        # Line by line: a program's largest size is no less than that of the process that starts it.
        with open(file, "w") as links:
            links.writelines(f"{self.base}/short/{number}\n" for number in range(1, count + 1))
        return file


def count_titles(rows):
    """How many rows of a file are those of links that were read."""
    with open(rows, "rb") as file:
        return sum(1 for row in file if b'"status":"ok"' in row)
