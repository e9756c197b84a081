"""A web site on loopback that can be slow, and remembers who asked when."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    def __init__(self, delay=lambda path, agent: 0.0):
        self.asked = []
        self.arrived = threading.Condition()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                agent = self.headers.get("User-Agent", "")
                with site.arrived:
                    site.asked.append((time.monotonic(), self.path, agent))
                    site.arrived.notify_all()
                time.sleep(delay(self.path, agent))
                body = f"<title>{self.path}</title>".encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html")
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
