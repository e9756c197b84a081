"""The nginx that serves the site on all its addresses, and what it counts."""

import re
import socket
from pathlib import Path

from links import Site
from pages import HEADER_CHARSETS
from site_under_test import start_nginx

MAIN = "worker_processes 2; worker_rlimit_nofile 20000;"


def configuration(site: Site, folder: Path) -> str:
    listens = "\n    ".join(f"listen {site.address(host)}:{site.port} backlog=4096;" for host in site.hosts)
    redirects = "\n    ".join(
        f"location ~ ^/{status}/(\\d+)/(.*)$ {{ return {status} http://{site.network}.$1:{site.port}/$2$is_args$args; }}"
        for status in (301, 302, 303, 307, 308)
    )
    charsets = "\n    ".join(
        f'location /{name}/ {{ types {{ }} default_type "text/html; charset={charset}"; }}'
        for name, charset in HEADER_CHARSETS.items()
        if charset
    )
    return f"""
  access_log off;
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  absolute_redirect off;
  keepalive_requests 100000000;
  keepalive_timeout 300s;
  open_file_cache max=20000;
  types {{ text/html html; application/pdf pdf; }}
  default_type text/html;
  server {{
    {listens}
    root {folder}/pages;
    error_page 404 500 /error.html;
    {redirects}
    {charsets}
    location ~ ^/here/(.*)$ {{ return 302 /$1$is_args$args; }}
    location /broken/ {{ return 500; }}
    location = /loop/a {{ return 302 /loop/b$is_args$args; }}
    location = /loop/b {{ return 302 /loop/a$is_args$args; }}
  }}
  server {{
    listen unix:{folder}/status.socket;
    location / {{ stub_status; }}
  }}
"""


class Server:
    """Runs while the scope is open. `prefix` are the words before the command, which choose its network and processors."""

    def __init__(self, site: Site, folder: Path, prefix: list[str]):
        self.site, self.folder, self.prefix = site, folder, prefix

    def __enter__(self):
        # It must not stay behind when this process is killed.
        prefix = [*self.prefix, "setpriv", "--pdeathsig", "TERM"]
        self.process = start_nginx(self.folder, configuration(self.site, self.folder), prefix, MAIN)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def counts(self) -> tuple[int, int]:
        """Connections and requests so far, this question included."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.folder / "status.socket"))
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            answer = connection.makefile().read()
        accepted, _, requests = re.search(r"(\d+) (\d+) (\d+)", answer.partition("\n\n")[2]).groups()
        return int(accepted), int(requests)
