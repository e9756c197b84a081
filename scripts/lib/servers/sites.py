"""The same site served by nginx, Apache httpd and Python, over HTTP/1.1 and HTTP/2, TLS and IPv6: the same rows."""

import re
import socket
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from basics import free_port, wait_for
from check import outcome, rows
from site_under_test import start_nginx

# Kind, path, and the row: outcome, status, final path, statuses of hops, title or value.
EXPECTED = {
    ("title", "/page.html"): ("ok", 200, "/page.html", [], "A page"),
    ("title", "/folder"): ("ok", 200, "/folder/", [301], "An index"),
    ("title", "/folder/"): ("ok", 200, "/folder/", [], "An index"),
    ("title", "/with%20space.html"): ("ok", 200, "/with%20space.html", [], "Spaces"),
    ("title", "/latin.html"): ("ok", 200, "/latin.html", [], "Café"),
    ("title", "/large.html"): ("ok", 200, "/large.html", [], "Large"),
    ("title", "/untitled.html"): ("missing_page_title", 200, "/untitled.html", [], None),
    ("title", "/missing.html"): ("http_status", 404, "/missing.html", [], None),
    ("title", "/picture.png"): ("ok", 200, "/picture.png", [], None),
    ("unfurl", "/large.html"): ("ok", 200, "/large.html", [], None),
    ("decode", "/data.json"): ("ok", 200, "/data.json", [], {"list": [1, 2.50]}),
    ("decode", "/broken.json"): ("data_parsing_failed", 200, "/broken.json", [], None),
}


def write_site(root):
    (root / "folder").mkdir(parents=True)
    pages = {
        "page.html": b"<!doctype html><title>A page</title>" + b"<p>words</p>" * 400,
        "folder/index.html": b"<!doctype html><title>An index</title>",
        "with space.html": b"<!doctype html><title>Spaces</title>",
        "latin.html": b"<!doctype html><meta charset=latin1><title>Caf\xe9</title>",
        "large.html": b"<!doctype html><title>Large</title>" + b"<p>words</p>" * 300_000,
        "untitled.html": b"<!doctype html><p>words",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(1000),
        "data.json": b'{"list":[1,2.50]}',
        "broken.json": b'{"list":[1,',
    }
    for name, content in pages.items():
        (root / name).write_bytes(content)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(folder):
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"
    words = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext {names}"
    subprocess.run([*words.split(), "-keyout", folder / "key", "-out", folder / "cert"], check=True, capture_output=True)


def serve_by_nginx(folder, plain, tls):
    return start_nginx(folder, f"""
types {{ text/html html; application/json json; image/png png; }}
gzip on; gzip_types application/json;
log_format protocol $server_protocol; access_log {folder}/protocols protocol;
server {{
  listen 127.0.0.1:{plain}; listen [::1]:{plain}; listen 127.0.0.1:{tls} ssl http2;
  ssl_certificate {folder}/cert; ssl_certificate_key {folder}/key; root {folder}/site;
}}""")


def start_apache(folder, plain, tls):
    modules = next(path for path in map(Path, ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules"]) if path.exists())
    names = ["mpm_event", "authz_core", "dir", "mime", "deflate", "filter", "ssl", "http2"]
    loads = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in names if (modules / f"mod_{name}.so").exists())
    settings = folder / "apache.conf"
    settings.write_text(f"""
{loads}
ServerRoot {folder}
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
Mutex sem
ServerName 127.0.0.1
User nobody
Listen 127.0.0.1:{plain}
Listen 127.0.0.1:{tls}
DocumentRoot {folder}/site
DirectoryIndex index.html
TypesConfig /dev/null
AddType text/html .html
AddType application/json .json
AddType image/png .png
AddOutputFilterByType DEFLATE text/html application/json
<VirtualHost 127.0.0.1:{tls}>
  SSLEngine on
  SSLCertificateFile {folder}/cert
  SSLCertificateKeyFile {folder}/key
  Protocols h2 http/1.1
</VirtualHost>""")
    return subprocess.Popen(["apache2", "-f", settings, "-D", "FOREGROUND"])


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".json": "application/json", ".png": "image/png"}

    def log_message(self, *_):
        pass


class PythonServer(ThreadingHTTPServer):
    def handle_error(self, *_):
        """Who has read enough hangs up."""


def told(row, base):
    """What of a row is the same for every server."""
    path = re.sub(f"^{re.escape(base)}", "", row.get("url", ""))
    title = row.get("title") if outcome(row) == "ok" else None
    return outcome(row), row.get("http_status"), path, [hop["status"] for hop in row.get("hops", [])], title or row.get("value")


def check(binary, folder, verdicts):
    # Apache serves it as nobody.
    folder.chmod(0o755)
    write_site(folder / "site")
    make_certificate(folder)
    ports = {name: free_port() for name in ["nginx", "nginx TLS", "Apache", "Apache TLS"]}
    servers = [serve_by_nginx(folder, ports["nginx"], ports["nginx TLS"]), start_apache(folder, ports["Apache"], ports["Apache TLS"])]
    python = PythonServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder / "site")))
    threading.Thread(target=python.serve_forever, daemon=True).start()
    try:
        for port in ports.values():
            wait_for(lambda: listens(port), 4, f"nothing listens on port {port}")
        trusting = ["--cacert", str(folder / "cert")]
        runs = [
            ("nginx", f"http://127.0.0.1:{ports['nginx']}", []),
            ("nginx over IPv6", f"http://[::1]:{ports['nginx']}", []),
            ("nginx, HTTP/2 over TLS", f"https://localhost:{ports['nginx TLS']}", trusting),
            ("nginx, HTTP/1.1 over TLS", f"https://localhost:{ports['nginx TLS']}", [*trusting, "--http1"]),
            ("nginx, any certificate", f"https://localhost:{ports['nginx TLS']}", ["--insecure"]),
            ("Apache", f"http://127.0.0.1:{ports['Apache']}", []),
            ("Apache, HTTP/2 over TLS", f"https://localhost:{ports['Apache TLS']}", trusting),
            ("Python", f"http://127.0.0.1:{python.server_port}", []),
        ]
        for name, base, options in runs:
            jobs = [(kind, base + path) for kind, path in EXPECTED]
            allowed = ["--allow-address", "127.0.0.0/8", "--allow-address", "::1", "--retries", "0"]
            found = dict(zip(EXPECTED, (told(row, base) for row in rows(binary, jobs, *allowed, *options))))
            verdicts.group(name, EXPECTED, found)
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    protocols = set((folder / "protocols").read_text().split())
    verdicts.add("nginx spoke", {"HTTP/1.1", "HTTP/2.0"}, protocols)
