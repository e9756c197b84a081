"""Compares a program's rows with the truth, in what the program tells."""

from collections import Counter
from dataclasses import dataclass, field

from links import Truth


@dataclass
class Verdict:
    """How many links have one row and a correct one, and the first that do not, with what was wrong."""

    links: int
    correct: int = 0
    wrong: list[str] = field(default_factory=list)
    reasons: Counter = field(default_factory=Counter)

    @property
    def share(self):
        return self.correct / self.links


def same_text(one, other):
    """White space is not compared, so a no-break space counts as a space."""
    return (one or "").split() == (other or "").split()


def difference(truth: Truth, row: dict, tells: set[str]) -> str | None:
    """The first member of the row that is wrong, or None."""
    if truth.failure or row.get("failure"):
        return None if truth.failure == row.get("failure") else "failure"
    if "final" in tells and row.get("final") != truth.final:
        return "final"
    if row.get("status") != truth.status:
        return "status"
    # What the page of a 404 is called does not matter.
    if truth.status != 200:
        return None
    if "title" in tells and not same_text(row.get("title"), truth.title):
        return "title"
    if "card" in tells and (row.get("image") or None) != truth.image:
        return "card"
    return None


def judge(truths: list[Truth], rows, tells: set[str], most=5) -> Verdict:
    verdict = Verdict(len(truths))
    found = {}
    for row in rows:
        found.setdefault(row["link"], []).append(row)
    for truth in truths:
        given = found.get(truth.link, [])
        if len(given) != 1:
            reason = "no row" if not given else "several rows"
        else:
            reason = difference(truth, given[0], tells)
        if reason is None:
            verdict.correct += 1
            continue
        verdict.reasons[reason] += 1
        if len(verdict.wrong) < most:
            verdict.wrong.append(f"{reason}: expected {truth}, found {given[0] if given else None}")
    return verdict
