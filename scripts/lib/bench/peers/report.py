"""What the rounds came to: medians, ratios beside Go, a table for people, and all of it as JSON."""

from dataclasses import asdict, dataclass
from statistics import median

from judge import Verdict
from measure import Usage

# The program that the others are compared with.
MEASURE = "go"


@dataclass
class Run:
    """One program in one round."""

    usage: Usage
    verdict: Verdict
    connections: int
    requests: int

    @property
    def rate(self):
        return self.verdict.links / self.usage.wall

    def figures(self):
        return {
            "links": self.verdict.links,
            "seconds": self.usage.wall,
            "links_per_second": self.rate,
            "cpu_seconds_per_1000": self.usage.processor / self.verdict.links * 1000,
            "memory_mb": self.usage.memory / 1e6,
            "requests_per_link": self.requests / self.verdict.links,
            "connections_per_request": self.connections / max(1, self.requests),
            "correct": self.verdict.share,
        }


def summary(runs: list[Run], beside: list[Run] | None):
    """Medians over the rounds. A ratio is the median of the ratios within rounds, because a machine's speed changes."""
    figures = [run.figures() for run in runs]
    found = {name: median(each[name] for each in figures) for name in figures[0]}
    # The worst round counts.
    found["correct"] = min(each["correct"] for each in figures)
    if beside:
        others = [run.figures() for run in beside]
        for name in ("links_per_second", "cpu_seconds_per_1000", "memory_mb"):
            found[f"{name}_beside_{MEASURE}"] = median(mine[name] / other[name] for mine, other in zip(figures, others))
    return found


COLUMNS = ("seconds", "links/s", "× Go", "CPU ms/link", "× Go", "MB", "× Go", "conn/request", "correct", "checked")


def cells(found, tells):
    def ratio(name):
        value = found.get(f"{name}_beside_{MEASURE}")
        return "" if value is None else f"{value:.2f}"

    checked = " ".join(["status", *(name for name in ("final", "title", "card") if name in tells)])
    # Not rounded up: what is not all says so.
    correct = int(found["correct"] * 10000) / 100
    return (
        f"{found['seconds']:.2f}", f"{found['links_per_second']:.0f}", ratio("links_per_second"),
        f"{found['cpu_seconds_per_1000']:.3f}", ratio("cpu_seconds_per_1000"), f"{found['memory_mb']:.0f}", ratio("memory_mb"),
        f"{found['connections_per_request']:.3f}", f"{correct:g} %", checked,
    )  # fmt: skip


def table(results: dict[str, dict], absent: dict[str, str]) -> str:
    rows = [("", *COLUMNS)] + [(name, *cells(found["median"], found["tells"])) for name, found in results.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    last = len(widths) - 1
    lines = []
    for row in rows:
        places = enumerate(zip(row, widths))
        padded = [cell.ljust(width) if column in (0, last) else cell.rjust(width) for column, (cell, width) in places]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines + [f"{name}: not measured: {reason}" for name, reason in absent.items()])


def as_json(runs: list[Run]):
    return [{**run.figures(), "usage": asdict(run.usage), "wrong": dict(run.verdict.reasons)} for run in runs]
