"""Previews that are not kept beside the rate of `title` for the same pages: turn by turn, because the machine is never the same."""

import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from service import LOOPBACK, Service

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from title_site import TitleSite, count_titles  # noqa: E402

QUICK, LONG = (1, 10_000), (5, 30_000)
LEAST_RATE = 0.9
AT_A_TIME = 64
OPTIONS = (*LOOPBACK, "--per-host", str(AT_A_TIME))
# A connection that asks for one link after another.
SCRIPT = """
local number = {first}
request = function()
  number = number + 1
  return wrk.format("GET", "/v1/preview?url={base}%2Fshort%2F" .. number)
end
"""


def check(program, folder, checks, quick):
    turns, count = QUICK if quick else LONG
    pairs = []
    with TitleSite(folder) as site, Service(program, *OPTIONS) as service:
        for turn in range(turns):
            titles = title_rate(program, folder, site, count)
            pairs.append((preview_rate(folder, site, service, turn, count / titles), titles))
            print("      {:8.0f} previews beside {:8.0f} titles a second".format(*pairs[-1]), flush=True)
    rate = statistics.median(ours / theirs for ours, theirs in pairs)
    with checks.check(f"uncached: previews of other links each: {rate:.2f} of the rate of title, at least {LEAST_RATE}"):
        assert rate >= LEAST_RATE, "it is less"


def title_rate(program, folder, site, count):
    links, rows = site.write_links(folder / "links", count), folder / "rows"
    began = time.monotonic()
    subprocess.run([program, "title", "--input", links, "-o", rows, "--quiet", *OPTIONS], check=True)
    seconds = time.monotonic() - began
    assert count_titles(rows) == count, "some titles were not read"
    return count / seconds


def preview_rate(folder, site, service, turn, seconds):
    script = folder / "links.lua"
    script.write_text(SCRIPT.format(first=(turn + 1) * 10_000_000, base=quote(site.base, safe="")))
    words = ["wrk", "-t1", f"-c{AT_A_TIME}", f"-d{max(2, round(seconds))}s", "-s", script, service.address]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in said and "Socket errors" not in said, said
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
