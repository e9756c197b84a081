"""Breaks a fleet and waits for the alert that tells of it."""

import contextlib
import functools
import itertools
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "chaos"))
from basics import free_port, listing, wait_for  # noqa: E402
from fleet import Fleet, SupervisedFleet, slow_disk  # noqa: E402

RULES = Path("Deploy/prometheus/halyard.rules.yml")


def quick_rules(text):
    """The same rules with times that a test can wait for."""
    text = re.sub(r"for: \d+m", "for: 1s", text)
    text = re.sub(r"\[\d+m\]", "[20s]", text).replace("> 3600", "> 1").replace("> 100\n", "> 10\n")
    return text.replace("> 86400", "> 1").replace("< 1e9", "< 1e18")


class Prometheus:
    """Scrapes the port twice a second, and evaluates the rules as often."""

    def __init__(self, folder, port):
        self.address = f"127.0.0.1:{free_port()}"
        (folder / "rules.yml").write_text(quick_rules(RULES.read_text()))
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 500ms, scrape_timeout: 400ms, evaluation_interval: 500ms}\n"
            "rule_files: [rules.yml]\n"
            f'scrape_configs: [{{job_name: halyard, static_configs: [{{targets: ["127.0.0.1:{port}"]}}]}}]\n'
        )
        words = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
        with open(folder / "prometheus.log", "wb") as log:
            self.process = subprocess.Popen(
                [*words, f"--web.listen-address={self.address}"], stdout=subprocess.DEVNULL, stderr=log
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def fires(self, alert):
        alerts = json.loads(answer_at(f"{self.address}/api/v1/alerts") or '{"data": {"alerts": []}}')["data"]["alerts"]
        return any(one["labels"]["alertname"] == alert and one["state"] == "firing" for one in alerts)


def answer_at(address):
    try:
        with urllib.request.urlopen(f"http://{address}", timeout=5) as answer:
            return answer.read()
    except (urllib.error.URLError, ConnectionError):
        return None


def scrape(port, path="/metrics"):
    """What is served there, as soon as it is."""
    return wait_for(lambda: answer_at(f"127.0.0.1:{port}{path}"), 20, f"port {port} did not answer")


class Trial:
    """What a cause is made with: a fleet whose aggregator is scraped at `port`."""

    def __init__(self, binary, folder, scope):
        self.binary, self.folder, self.scope, self.port = binary, folder, scope, free_port()
        self.numbers = itertools.count()

    @functools.cached_property
    def fleet(self):
        return self.start()

    def start(self, **options):
        metrics = ["--metrics", str(self.port)]
        self.fleet = self.scope.enter_context(
            Fleet(self.binary, self.folder / "fleet", fetchers=1, decoders=1, aggregator_options=metrics, **options)
        )
        return self.fleet

    def submit(self, kind, lines):
        name = f"batch {next(self.numbers)}"
        return self.fleet.submit(name, listing(self.folder, name, lines), "--kind", kind)


# Each makes the cause of the alert that is called as it is, and may return what has to be done until that fires.


def down(trial):
    """It served its metrics before, so that it is its end that is seen."""
    aggregator = trial.fleet.aggregator
    scrape(trial.port)
    return aggregator.kill


def not_ready(trial):
    trial.fleet.of("decoder")[0].kill()


def jobs_wait(trial):
    trial.fleet.of("fetcher")[0].kill()
    trial.submit("unfurl", (f"http://127.0.0.1:9/{number}" for number in range(20)))


def jobs_fail(trial):
    hosts = itertools.cycle(range(250))
    return lambda: trial.submit("unfurl", [f"http://10.{next(hosts)}.0.1/{link}" for link in range(20)])


def slow_commits(trial):
    trial.start(prefix=slow_disk(trial.folder, 400))
    return lambda: trial.submit("echo", ["echo:1"])


def workers_restart(trial):
    (trial.folder / "fleet").mkdir()
    fleet = trial.scope.enter_context(SupervisedFleet(trial.binary, trial.folder / "fleet", "--metrics", str(trial.port)))
    scrape(trial.port)
    return lambda: subprocess.run(["kill", "-9", str(fleet.process_of("fetcher 1"))], stderr=subprocess.DEVNULL)


def refused_peers(trial):
    keys, stranger = trial.folder / "fleet-keys", trial.folder / "stranger.key"
    for words in (["-o", keys], ["--fleet-of", keys, "--role", "client", "-o", stranger]):
        subprocess.run([trial.binary, "keys", *words], check=True, stdout=subprocess.DEVNULL)
    address = f"tcp://127.0.0.1:{free_port()}"
    words = [trial.binary, "aggregator", "--run-dir", trial.folder / "run", "--listen", address, "--key", keys]
    aggregator = subprocess.Popen([*words, "--metrics", str(trial.port)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    trial.scope.callback(aggregator.wait)
    trial.scope.callback(aggregator.kill)
    scrape(trial.port)
    ask = [trial.binary, "ping", "--fleet", address, "--bind", "tcp://127.0.0.1:0", "--key", stranger, "--wait", "500ms"]
    return lambda: subprocess.run(ask, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def suspects(trial):
    """A server says the head of an answer, and nothing after it."""
    server = trial.scope.enter_context(socket.create_server(("127.0.0.1", 0)))
    server.settimeout(20)
    base = f"http://127.0.0.1:{server.getsockname()[1]}"
    trial.submit("title", [f"{base}/{number}" for number in range(8)])
    halves = [trial.scope.enter_context(server.accept()[0]) for _ in range(8)]
    for half in halves:
        half.recv(4096)
        half.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<title>")
    time.sleep(1)
    trial.fleet.of("fetcher")[0].restart()


def disk_full(trial):
    """Any disk has less room than the quick rule wants."""
    trial.start()


def hosts_given_up(trial):
    trial.submit("unfurl", (f"http://127.0.0.1:9/{number}" for number in range(200)))


def ledger_missing(trial):
    trial.fleet.ledger.unlink()


def ledger_lost(trial):
    trial.fleet.aggregator.kill()
    for file in trial.fleet.ledger.parent.glob("ledger.db*"):
        file.unlink()
    trial.fleet.aggregator.restart()


def paused(trial):
    trial.fleet.ask("pause", "--all")


def poisoned_jobs(trial):
    """No page of a test ends three workers, so the fleet shows that the series is there, and promtool what comes of it."""
    series = 'halyard_jobs_ended_total{kind="title",status="failed",error="poisoned"} 0'
    trial.start()
    assert series.encode() in scrape(trial.port), "no counter of poisoned jobs"
    test = trial.folder / "test.yml"
    test.write_text(
        f"""
rule_files: ["{RULES.resolve()}"]
tests:
  - interval: 1m
    input_series:
      - series: 'halyard_jobs_ended_total{{job="halyard", instance="a", error="poisoned"}}'
        values: "0 0 1 1"
    promql_expr_test:
      - expr: count(ALERTS{{alertname="HalyardPoisonedJobs", instance="a", alertstate="firing"}})
        eval_time: 3m
        exp_samples: [{{labels: "{{}}", value: 1}}]
"""
    )
    subprocess.run(["promtool", "test", "rules", test], check=True, stdout=subprocess.DEVNULL)


CAUSES = {
    "Halyard" + cause.__name__.title().replace("_", ""): cause
    for cause in (
        disk_full, hosts_given_up, ledger_missing, ledger_lost, paused, down, not_ready, jobs_wait, jobs_fail, slow_commits,
        workers_restart, refused_peers, suspects,
    )
}  # fmt: skip


def promtool(trial):
    """What promtool says of the rules, and of the metrics of each role."""
    subprocess.run(["promtool", "check", "rules", RULES], check=True, stdout=subprocess.DEVNULL)
    ports = {"aggregator": trial.port, "fetcher": free_port(), "decoder": free_port()}
    address = f"ipc://{trial.folder}/fleet/run/aggregator"
    trial.start(joining=lambda role: ["--fleet", address, "--metrics", str(ports[role])])
    for role, port in ports.items():
        text = scrape(port)
        subprocess.run(["promtool", "check", "metrics"], input=text, check=True, stdout=subprocess.DEVNULL)
        assert f'halyard_build_info{{role="{role}"'.encode() in text, role
        assert scrape(port, "/readyz") == b"ok\n", role


# These need no Prometheus.
CHECKS = {"promtool": promtool, "HalyardPoisonedJobs": poisoned_jobs}


def attempt(binary, name):
    with tempfile.TemporaryDirectory(prefix="halyard-") as folder, contextlib.ExitStack() as scope:
        trial = Trial(binary, Path(folder), scope)
        if name in CHECKS:
            return CHECKS[name](trial)
        during = CAUSES[name](trial) or (lambda: None)
        with Prometheus(trial.folder, trial.port) as prometheus:
            wait_for(lambda: (during(), prometheus.fires(name))[1], 60, "it did not fire")


def main():
    binary, *wanted = sys.argv[1:]
    named = {"promtool", *re.findall(r"alert: (\w+)", RULES.read_text())}
    if different := named ^ {*CHECKS, *CAUSES}:
        sys.exit(f"rules and causes differ: {sorted(different)}")
    names, failed = wanted or [*CHECKS, *CAUSES], 0
    for name in names:
        try:
            attempt(str(Path(binary).resolve()), name)
            print(f"fired     {name}" if name in CAUSES else f"accepted  {name}", flush=True)
        except (RuntimeError, AssertionError, OSError, subprocess.SubprocessError) as error:
            print(f"FAILED    {name}: {error}", flush=True)
            failed += 1
    print(f"{len(names) - failed} as expected, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
