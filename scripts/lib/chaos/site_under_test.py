"""Web sites on loopback."""

import subprocess
import threading
import time
from pathlib import Path
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from basics import free_port, wait_for


def start_nginx(folder, http, prefix=(), main="worker_processes 1;", errors="stderr"):
    """nginx with these settings in its files' section for HTTP and at their start; it listens when this returns."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/temporary; " for kind in kinds)
    settings, number = Path(folder) / "nginx.conf", Path(folder) / "nginx.pid"
    settings.write_text(
        f"{main} daemon off; pid {number}; error_log {errors} crit; events {{ worker_connections 16384; }}"
        f"http {{ {folders} {http} }}"
    )
    process = subprocess.Popen([*prefix, "nginx", "-c", settings, "-p", folder, "-e", errors])
    wait_for(lambda: number.exists() or process.poll() is not None, 10, "nginx did not listen")
    if process.poll() is not None:
        raise RuntimeError(f"nginx ended with {process.returncode}")
    return process


class CountingSite:
    """nginx on loopback, which counts what it is asked."""

    def __init__(self, folder, prefix=(), locations="location / { return 200 '<title>$uri</title>'; }", hosts=1):
        """`prefix` stands before the command, as one that runs it in another network; `hosts` are addresses of loopback."""
        port = free_port()
        self.bases = [f"http://127.0.0.{host + 1}:{port}" for host in range(hosts)]
        self.base = self.bases[0]
        listens = "".join(f"listen {base.removeprefix('http://')} backlog=4096; " for base in self.bases)
        self.log = Path(folder) / "requests.count"
        self.process = start_nginx(
            folder,
            f"log_format one '1'; access_log {self.log} one buffer=64k flush=1s;"
            "keepalive_requests 1000000; default_type text/html;"
            f"server {{ {listens}{locations} }}",
            prefix, errors="/dev/null",
        )

    def requests(self):
        """How many requests came in all; it takes none afterwards."""
        self.process.terminate()
        self.process.wait()
        return self.log.read_bytes().count(b"\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Site:
    """A site that can be slow, and remembers who asked when."""

    def __init__(
        self, delay=lambda path, agent: 0.0, answer=lambda path: f"<title>{path}</title>",
        agent=lambda handler: handler.headers.get("User-Agent", ""), headers=lambda path: [], status=lambda path: 200,
    ):
        """`agent` tells from a request who asks."""
        self.asked = []
        name = agent
        self.arrived = threading.Condition()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                agent = name(self)
                with site.arrived:
                    site.asked.append((time.monotonic(), self.path, agent))
                    site.arrived.notify_all()
                time.sleep(delay(self.path, agent))
                body = answer(self.path).encode()
                try:
                    self.send_response(status(self.path))
                    self.send_header("Content-Type", "text/html")
                    for field in headers(self.path):
                        self.send_header(*field)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 1024
            daemon_threads = True

            def handle_error(self, *_):
                """A peer that was killed is what this is about."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, count, seconds):
        """Waits until so many requests have come in all."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: len(self.asked) >= count, seconds):
                raise RuntimeError(f"only {len(self.asked)} of {count} requests came within {seconds} s")

    def close(self):
        self.server.shutdown()
        self.server.server_close()
