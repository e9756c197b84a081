"""How many kept previews a second beside what nginx serves of a file: turn by turn, because the machine is never the same."""

import re
import statistics
import subprocess
from urllib.parse import quote

from service import LOOPBACK, Service, Site, await_port, free_port

BYTES = 1200
QUICK, LONG = (3, 3), (9, 10)
# Of nginx's own.
LEAST_RATE, MOST_TIME = 0.4, 3.0
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3}


def check(program, folder, checks, quick):
    turns, seconds = QUICK if quick else LONG
    words = "x" * (BYTES - 500)
    site = Site(answer=lambda path: f'<!doctype html><title>{path}</title><meta name="description" content="{words}">')
    with Service(program, *LOOPBACK, "--access-log", str(folder / "access.log")) as service:
        own = f"{service.address}v1/preview?url={quote(site.base + '/page', safe='')}"
        answer = service.preview(f"{site.base}/page").body
        port, nginx = start_nginx(folder, answer)
        try:
            pairs = []
            for _ in range(turns):
                pairs.append((measure(own, seconds), measure(f"http://127.0.0.1:{port}/page.json", seconds)))
                (rate, late), (other, others) = pairs[-1]
                print(f"      {rate:8.0f} beside {other:8.0f} a second, 99 % in {late:.2f} beside {others:.2f} ms", flush=True)
        finally:
            nginx.terminate()
            nginx.wait()
    site.close()
    rates = statistics.median(ours[0] / theirs[0] for ours, theirs in pairs)
    times = statistics.median(ours[1] / theirs[1] for ours, theirs in pairs)
    with checks.check(f"rate: kept previews of {len(answer)} bytes: {rates:.2f} of nginx's rate, at least {LEAST_RATE}"):
        assert rates >= LEAST_RATE, "it is less"
    with checks.check(f"rate: 99 % of them in {times:.2f} of nginx's time, at most {MOST_TIME}"):
        assert times <= MOST_TIME, "it is more"


def start_nginx(folder, answer):
    """One worker, with an access log, that serves the same bytes."""
    (folder / "page.json").write_bytes(answer)
    port = free_port()
    folders = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (folder / "rate.conf").write_text(
        f"worker_processes 1; daemon off; pid {folder}/pid; error_log stderr crit; events {{ }}"
        f"http {{ {folders} types {{ application/json json; }} access_log {folder}/nginx.log; keepalive_requests 10000000;"
        f"server {{ listen 127.0.0.1:{port}; root {folder}; }} }}"
    )
    process = subprocess.Popen(["nginx", "-c", folder / "rate.conf", "-p", folder, "-e", "stderr"])
    await_port(port)
    return port, process


def measure(address, seconds):
    """Answers a second, and the time of 99 % of them in milliseconds."""
    words = ["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency", address]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in said and "Socket errors" not in said, said
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", said).groups()
    return rate, float(number) * UNITS[unit]
