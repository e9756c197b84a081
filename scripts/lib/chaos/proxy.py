"""A TCP proxy that is a bad network."""

import collections
import contextlib
import socket
import struct
import threading
import time

RESET = struct.pack("ii", 1, 0)


class Weather:
    """What happens to all connections of some proxies, by chance."""

    def __init__(self, random, longest_hole, longest_calm):
        self.random, self.longest_hole, self.longest_calm = random, longest_hole, longest_calm
        self.flows = threading.Event()
        self.flows.set()
        self.lock = threading.Lock()
        self.connections = set()
        self.delay, self.crumbs = 0.0, 0
        self.happened = collections.Counter()

    def rage(self, seconds):
        """Every kind of trouble in turn, again and again for so long; then all is calm."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for trouble in self.random.sample(self.kinds, len(self.kinds)):
                self.happened[trouble.__name__.replace("_", " ")] += 1
                trouble()
                wait(self.random.uniform(0.1, 1) * self.longest_calm)
                self.delay, self.crumbs = 0.0, 0

    @property
    def kinds(self):
        return [self.reset, self.half_close, self.blackhole, self.reset, self.single_bytes, self.slowness]

    def reset(self):
        with self._silence(0.1):
            for connection in self._some():
                connection.reset()

    def half_close(self):
        for connection in self._some():
            connection.half_close(self.random.random() < 0.5)

    def blackhole(self):
        with self._silence(self.random.uniform(0.1, 1) * self.longest_hole):
            pass

    def single_bytes(self):
        self.crumbs = 300

    def slowness(self):
        self.delay = 0.03

    def __str__(self):
        return ", ".join(f"{count} × {kind}" for kind, count in sorted(self.happened.items()))

    @contextlib.contextmanager
    def _silence(self, seconds):
        """Whatever is sent meanwhile waits at the proxy."""
        self.flows.clear()
        wait(seconds)
        yield
        self.flows.set()

    def _some(self):
        with self.lock:
            return [connection for connection in self.connections if self.random.random() < 0.7]


class Proxy:
    """Passes on what comes in at `listener` to `place`, through sockets that `make_socket` makes."""

    def __init__(self, weather, listener, place, make_socket=socket.socket):
        self.weather, self.listener, self.place, self.make_socket = weather, listener, place, make_socket
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = self.make_socket()
            try:
                far.connect(self.place)
            except OSError:
                # Nothing listens there, so the client is turned away too.
                far.close()
                near.close()
                continue
            Connection(self.weather, near, far)


class Connection:
    def __init__(self, weather, near, far):
        self.weather, self.ends, self.is_cut = weather, (near, far), False
        for end in self.ends:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with weather.lock:
            weather.connections.add(self)
        pumps = [threading.Thread(target=self._pump, args=ways, daemon=True) for ways in [(near, far), (far, near)]]
        for pump in pumps:
            pump.start()
        threading.Thread(target=self._close_after, args=(pumps,), daemon=True).start()

    def reset(self):
        """What is on its way is lost."""
        self.is_cut = True
        for end in self.ends:
            quietly(end.setsockopt, socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            # Wakes the reading thread, so that the end is closed.
            quietly(end.shutdown, socket.SHUT_RD)

    def half_close(self, is_near):
        quietly(self.ends[0 if is_near else 1].shutdown, socket.SHUT_WR)

    def _pump(self, source, sink):
        try:
            while data := source.recv(65_536):
                self.weather.flows.wait()
                if self.is_cut:
                    break
                if self.weather.delay:
                    wait(self.weather.delay)
                crumbs = self.weather.crumbs
                for byte in data[:crumbs]:
                    sink.sendall(bytes([byte]))
                sink.sendall(data[crumbs:])
        except OSError:
            pass
        for end in (source, sink):
            quietly(end.shutdown, socket.SHUT_RD if end is source else socket.SHUT_WR)

    def _close_after(self, pumps):
        for pump in pumps:
            pump.join()
        with self.weather.lock:
            self.weather.connections.discard(self)
        for end in self.ends:
            end.close()


def listening(make_socket=socket.socket, port=0):
    listener = make_socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(128)
    return listener


def quietly(call, *arguments):
    try:
        call(*arguments)
    except OSError:
        pass


def wait(seconds):
    threading.Event().wait(seconds)
