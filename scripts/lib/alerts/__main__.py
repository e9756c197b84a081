"""Breaks a fleet and waits for the alert that tells of it."""

import contextlib
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "chaos"))
sys.path.insert(0, str(Path(__file__).parent.parent / "bench" / "peers"))
from fleet import Fleet, SupervisedFleet  # noqa: E402
from server import free_port  # noqa: E402

RULES = Path("Deploy/prometheus/halyard.rules.yml")


def quick_rules(text):
    """The same rules with times that a test can wait for."""
    text = re.sub(r"for: \d+m", "for: 1s", text)
    text = re.sub(r"\[\d+m\]", "[20s]", text).replace("> 3600", "> 1").replace("> 100\n", "> 10\n")
    return text.replace("> 86400", "> 1").replace("< 1e9", "< 1e18")


class Prometheus:
    """Scrapes the given ports twice a second, and evaluates the rules as often."""

    def __init__(self, folder, ports):
        self.folder, self.port = folder, free_port()
        (folder / "rules.yml").write_text(quick_rules(RULES.read_text()))
        targets = ", ".join(f'"127.0.0.1:{port}"' for port in ports)
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 500ms, scrape_timeout: 400ms, evaluation_interval: 500ms}\n"
            "rule_files: [rules.yml]\n"
            f"scrape_configs: [{{job_name: halyard, static_configs: [{{targets: [{targets}]}}]}}]\n"
        )

    def __enter__(self):
        self.process = subprocess.Popen(
            [
                "prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
                f"--web.listen-address=127.0.0.1:{self.port}",
            ],
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "prometheus.log", "wb"),
        )
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def firing(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/alerts", timeout=5) as answer:
                alerts = json.load(answer)["data"]["alerts"]
        except (urllib.error.URLError, ConnectionError):
            return set()
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def wait_for(self, alert, seconds=60, during=lambda: None):
        deadline = time.monotonic() + seconds
        while alert not in self.firing():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{alert} did not fire within {seconds} s")
            during()
            time.sleep(0.2)


def scrape(port, path="/metrics"):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return answer.read()


def wait_until_served(port, path="/metrics", seconds=20):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return scrape(port, path)
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class Trial:
    """A fleet whose aggregator is scraped, and a Prometheus that watches it."""

    def __init__(self, binary, folder, **options):
        self.folder, self.port = folder, free_port()
        metrics = ["--metrics", str(self.port)]
        more = options.pop("aggregator_options", [])
        self.scope = contextlib.ExitStack()
        self.fleet = self.scope.enter_context(
            Fleet(binary, folder / "fleet", fetchers=1, decoders=1, aggregator_options=[*metrics, *more], **options)
        )
        self.prometheus = self.scope.enter_context(Prometheus(folder, [self.port]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scope.close()

    def submit(self, name, lines, *options):
        listing = self.folder / f"{name}.list"
        listing.write_text("".join(f"{line}\n" for line in lines))
        return self.fleet.submit(name, listing, *options)


def down(binary, folder):
    with Trial(binary, folder) as trial:
        trial.fleet.aggregator.kill()
        trial.prometheus.wait_for("HalyardDown")


def not_ready(binary, folder):
    with Trial(binary, folder) as trial:
        for member in trial.fleet.of("decoder"):
            member.kill()
        trial.prometheus.wait_for("HalyardNotReady")


def jobs_wait(binary, folder):
    with Trial(binary, folder) as trial:
        for member in trial.fleet.of("fetcher"):
            member.kill()
        trial.submit("waiting", (f"http://127.0.0.1:9/{number}" for number in range(20)), "--kind", "unfurl")
        trial.prometheus.wait_for("HalyardJobsWait")


def jobs_fail(binary, folder):
    with Trial(binary, folder) as trial:
        numbers = iter(range(1_000))

        def fail():
            number = next(numbers)
            trial.submit(f"failing-{number}", (f"http://10.{number % 250}.0.1/{link}" for link in range(20)), "--kind", "unfurl")

        trial.prometheus.wait_for("HalyardJobsFail", during=fail)


def slow_commits(binary, folder):
    library = folder / "slow_disk.so"
    source = Path(__file__).parent.parent / "bench" / "slow_disk.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    slow = ["env", f"LD_PRELOAD={library}", "SLOW_DISK=400"]
    with Trial(binary, folder, prefix=lambda role: slow if role == "aggregator" else []) as trial:
        numbers = iter(range(1_000))
        trial.prometheus.wait_for(
            "HalyardSlowCommits", during=lambda: trial.submit(f"echo-{next(numbers)}", ["echo:1"], "--kind", "echo")
        )


def workers_restart(binary, folder):
    port = free_port()
    (folder / "fleet").mkdir()
    with SupervisedFleet(binary, folder / "fleet", "--metrics", str(port)) as fleet, Prometheus(folder, [port]) as prometheus:
        wait_until_served(port)

        def kill():
            subprocess.run(["kill", "-9", str(fleet.process_of("fetcher 1"))], stderr=subprocess.DEVNULL)

        prometheus.wait_for("HalyardWorkersRestart", during=kill)


def refused_peers(binary, folder):
    fleet, stranger = folder / "fleet-keys", folder / "stranger.key"
    for words in (["-o", fleet], ["--fleet-of", fleet, "--role", "client", "-o", stranger]):
        subprocess.run([binary, "keys", *words], check=True, stdout=subprocess.DEVNULL)
    port, address = free_port(), f"tcp://127.0.0.1:{free_port()}"
    words = [binary, "aggregator", "--run-dir", folder / "run", "--listen", address, "--key", fleet]
    ask = [binary, "ping", "--fleet", address, "--bind", "tcp://127.0.0.1:0", "--key", stranger, "--wait", "500ms"]
    aggregator = subprocess.Popen([*words, "--metrics", str(port)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_served(port)
        with Prometheus(folder, [port]) as prometheus:
            prometheus.wait_for(
                "HalyardRefusedPeers", during=lambda: subprocess.run(ask, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
    finally:
        aggregator.kill()
        aggregator.wait()


class HalfAnswer(http.server.BaseHTTPRequestHandler):
    """The head of an answer, and nothing after it."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>")
        self.server.is_over.wait(60)

    def log_message(self, *_):
        pass


def suspects(binary, folder):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), HalfAnswer) as site, Trial(binary, folder) as trial:
        site.is_over = threading.Event()
        threading.Thread(target=site.serve_forever, daemon=True).start()
        links = [f"http://127.0.0.1:{site.server_port}/{number}" for number in range(8)]
        try:
            trial.submit("halves", links, "--kind", "title")
            time.sleep(2)
            trial.fleet.of("fetcher")[0].restart()
            trial.prometheus.wait_for("HalyardSuspects")
        finally:
            site.is_over.set()
            site.shutdown()


def disk_full(binary, folder):
    """Any disk has less room than the quick rule wants."""
    with Trial(binary, folder) as trial:
        trial.prometheus.wait_for("HalyardDiskFull")


def hosts_given_up(binary, folder):
    with Trial(binary, folder) as trial:
        trial.submit("dead", (f"http://127.0.0.1:9/{number}" for number in range(200)), "--kind", "unfurl")
        trial.prometheus.wait_for("HalyardHostsGivenUp")


def ledger_missing(binary, folder):
    with Trial(binary, folder) as trial:
        trial.fleet.ledger.unlink()
        trial.prometheus.wait_for("HalyardLedgerMissing")


def ledger_lost(binary, folder):
    with Trial(binary, folder) as trial:
        trial.fleet.aggregator.kill()
        for file in trial.fleet.ledger.parent.glob("ledger.db*"):
            file.unlink()
        trial.fleet.aggregator.restart()
        trial.prometheus.wait_for("HalyardLedgerLost")


def paused(binary, folder):
    with Trial(binary, folder) as trial:
        trial.fleet.ask("pause", "--all")
        trial.prometheus.wait_for("HalyardPaused")


def poisoned(binary, folder):
    """No page of a test ends three workers, so the fleet shows that the series is there, and promtool what comes of it."""
    series = 'halyard_jobs_ended_total{kind="title",status="failed",error="poisoned"} 0'
    with Trial(binary, folder) as trial:
        assert series.encode() in wait_until_served(trial.port), "no counter of poisoned jobs"
    (folder / "test.yml").write_text(
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
    subprocess.run(["promtool", "test", "rules", folder / "test.yml"], check=True, stdout=subprocess.DEVNULL)


CAUSES = {
    "HalyardDiskFull": disk_full,
    "HalyardHostsGivenUp": hosts_given_up,
    "HalyardLedgerMissing": ledger_missing,
    "HalyardLedgerLost": ledger_lost,
    "HalyardPaused": paused,
    "HalyardPoisonedJobs": poisoned,
    "HalyardDown": down,
    "HalyardNotReady": not_ready,
    "HalyardJobsWait": jobs_wait,
    "HalyardJobsFail": jobs_fail,
    "HalyardSlowCommits": slow_commits,
    "HalyardWorkersRestart": workers_restart,
    "HalyardRefusedPeers": refused_peers,
    "HalyardSuspects": suspects,
}


def check_texts(binary, folder):
    """What promtool says of the rules, and of the metrics of each role."""
    subprocess.run(["promtool", "check", "rules", RULES], check=True, stdout=subprocess.DEVNULL)
    ports = {role: free_port() for role in ("aggregator", "fetcher", "decoder")}

    def metrics(role):
        return ["--metrics", str(ports[role])]

    with Fleet(
        binary, folder, fetchers=1, decoders=1, aggregator_options=metrics("aggregator"),
        joining=lambda role: ["--fleet", f"ipc://{folder}/run/aggregator", *metrics(role)],
    ) as fleet:  # fmt: skip
        fleet.ask("ping")
        for role, port in ports.items():
            text = scrape(port)
            subprocess.run(["promtool", "check", "metrics"], input=text, check=True, stdout=subprocess.DEVNULL)
            assert f'halyard_build_info{{role="{role}"'.encode() in text, role
            assert wait_until_served(port, "/readyz") == b"ok\n", role


def main():
    binary, *wanted = sys.argv[1:]
    binary = str(Path(binary).resolve())
    named = set(re.findall(r"alert: (\w+)", RULES.read_text()))
    if named != set(CAUSES):
        sys.exit(f"rules and causes differ: {sorted(named ^ set(CAUSES))}")
    failed = 0
    checks = {name: CAUSES[name] for name in wanted or CAUSES}
    if not wanted:
        checks = {"promtool": check_texts, **checks}
    for name, check in checks.items():
        with tempfile.TemporaryDirectory(prefix="halyard-") as folder:
            try:
                check(binary, Path(folder))
                print(f"fired     {name}" if name in CAUSES else f"accepted  {name}", flush=True)
            except (RuntimeError, AssertionError, OSError, subprocess.SubprocessError) as error:
                print(f"FAILED    {name}: {error}", flush=True)
                failed += 1
    print(f"{len(checks) - failed} as expected, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
