"""What comes in by TCP, and what does not."""

import socket
import threading
import time

from basics import free_port
from faults.common import Twice, batches, echoes, verdict
from fleet import Fleet, descriptors, settled_fleet
from namespace import Namespace
from outcome import within
from proxy import Proxy, Weather, listening
from site_under_test import CountingSite

# Shares of the jobs that may be done again. A million jobs in all were measured without one, with the machine busy.
MOST_FETCHED = 0.005
MOST_CHARGED = 0.001
# A lane that is cut once too long costs what its fetcher holds, which is a large share of a short run.
MOST_HELD = 256
# The library drops a peer that does not shake hands within 5 s.
LONGEST_HALF_OPEN = 15


def garbage(run):
    """Raw garbage and half-open connections on the aggregator's TCP port while jobs run."""
    port = free_port()
    with Fleet(run.binary, run.folder, listen=f"tcp://127.0.0.1:{port}") as fleet:
        count = run.size(10_000, 100_000)
        producer = fleet.submitting("garbage", echoes(run.folder, count), "--kind", "echo")
        before = descriptors(fleet.aggregator)
        held = []
        for round in range(run.size(200, 2_000)):
            peer = socket.create_connection(("127.0.0.1", port))
            if round % 4 == 0 and len(held) < 50:
                held.append(peer)
                continue
            peer.sendall(run.random.randbytes(run.random.randrange(1, 2_000)))
            peer.close()
        batch = producer.communicate()[0].split('"batch":"')[-1][:36]
        passed, told = verdict(fleet.rows(batch, 300), count)
        deadline = time.monotonic() + LONGEST_HALF_OPEN
        while (after := descriptors(fleet.aggregator)) > before and time.monotonic() < deadline:
            time.sleep(0.1)
        for peer in held:
            peer.close()
        told += f"; {before} descriptors before, {after} when {len(held)} that said nothing were dropped"
        return passed and fleet.aggregator.process.poll() is None and within(after <= before), told


def proxied_aggregator(run):
    """A bad network on every lane to the aggregator: resets, half-closes, silence, single bytes, delay."""
    port, weather = free_port(), weather_of(run)
    listener = listening()
    address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
    proxy = Proxy(weather, listener, ("127.0.0.1", port))
    with (
        CountingSite(run.folder) as site,
        Fleet(run.binary, run.folder, listen=f"tcp://127.0.0.1:{port}", address=address) as fleet,
    ):
        found = raged(run, fleet, site, weather)
    proxy.close()
    return found


def proxied_fetcher(run):
    """A bad network on all lanes of a fetcher, those to the decoders and from them among them."""
    weather, ports = weather_of(run), [free_port() for _ in range(4)]
    aggregator, fetcher, *decoders = ports
    left = iter(decoders)

    def joining(role):
        own = fetcher if role == "fetcher" else next(left)
        return ["--fleet", f"tcp://127.0.0.1:{aggregator}", "--bind", f"tcp://127.0.0.1:{own}"]

    with Namespace() as inside, CountingSite(run.folder, inside.prefix) as site:
        # Its loopback is another: what it dials there comes to a proxy, and the other way round.
        proxies = [Proxy(weather, listening(port=fetcher), ("127.0.0.1", fetcher), inside.socket)]
        for port in [aggregator, *decoders]:
            proxies.append(Proxy(weather, listening(inside.socket, port), ("127.0.0.1", port)))
        with Fleet(
            run.binary, run.folder, fetchers=1, listen=f"tcp://127.0.0.1:{aggregator}", joining=joining,
            prefix=lambda role: inside.prefix if role == "fetcher" else [],
        ) as fleet:
            found = raged(run, fleet, site, weather)
        for proxy in proxies:
            proxy.close()
        return found


def weather_of(run):
    return Weather(run.random, run.size(1, 12), run.size(0.3, 3))


def raged(run, fleet, site, weather):
    """Bad weather while jobs run."""
    rage = threading.Thread(target=weather.rage, args=[run.size(4, 90)])
    rage.start()
    twice = Twice(site)
    jobs, wrong = batches(fleet, run.size(5_000, 20_000), lambda: not rage.is_alive(), twice)
    rage.join()
    settled_fleet(fleet)
    few, found = twice.verdict(MOST_FETCHED, MOST_CHARGED, MOST_HELD)
    return not wrong and few, "; ".join([f"{jobs} jobs, each with its row, {found}; {weather}", *wrong])


def link_down(run):
    """A fetcher's cable is pulled for seconds, and plugged in again."""
    port, times = free_port(), run.size([3], [3, 3, 3, 15])
    with Namespace() as inside, CountingSite(run.folder, inside.prefix) as site:
        here, there = inside.link_to_outside()

        def joining(role):
            own = there if role == "fetcher" else here
            return ["--fleet", f"tcp://{here}:{port}", "--bind", f"tcp://{own}:0"]

        with Fleet(
            run.binary, run.folder, fetchers=1, listen=f"tcp://*:{port}", joining=joining,
            address=f"tcp://127.0.0.1:{port}",
            prefix=lambda role: inside.prefix if role == "fetcher" else [],
        ) as fleet:
            pulling = threading.Thread(target=pull, args=(run, inside, times))
            pulling.start()
            twice = Twice(site)
            jobs, wrong = batches(fleet, run.size(2_000, 20_000), lambda: not pulling.is_alive(), twice)
            pulling.join()
            settled_fleet(fleet)
        few, found = twice.verdict(MOST_FETCHED, MOST_CHARGED, MOST_HELD)
        return not wrong and few, "; ".join([f"{jobs} jobs, each with its row, {found}; down for {times} s", *wrong])


def pull(run, inside, times):
    for seconds in times:
        run.pause(0.3)
        inside.set_link("down")
        run.pause(seconds)
        inside.set_link("up")
