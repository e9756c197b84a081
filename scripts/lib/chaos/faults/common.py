"""Lists to submit, and what is said of the rows."""

import itertools
import time

from basics import listing
from fleet import faults_of
from outcome import within

# One name is one batch, for ever.
numbers = itertools.count()


def echoes(folder, count):
    return listing(folder, "echoes", (f"echo:{number}" for number in range(count)))


def pages(folder, site, count):
    """Links that no other list has: equal ones under way at the same time are fetched once."""
    number = next(numbers)
    return listing(folder, f"pages {number}", (f"{site.base}/{number}/{page}" for page in range(count)))


def verdict(rows, expected):
    wrong = faults_of(rows, expected)
    return not wrong, "; ".join([f"{len(rows)} rows of {expected} jobs", *wrong])


class Twice:
    """Counts what was done twice: pages fetched again, and jobs that were charged another attempt for it. No job is
    ever blamed for an echo, so only titles tell."""

    def __init__(self, site):
        self.site = site
        self.jobs, self.charged = 0, 0

    def add(self, rows):
        self.jobs += len(rows)
        self.charged += sum(row["attempts"] > 1 for row in rows)

    def verdict(self, most_fetched=0, most_charged=0, held=0):
        """Shares of the jobs that are allowed, and to be fetched always `held`; the site is closed afterwards."""
        again = self.site.requests() - self.jobs
        wrong = [] if again >= 0 else ["some never fetched"]
        over = []
        for count, most, what in [
            (again, max(most_fetched * self.jobs, held), f"{most_fetched:.1%} may be fetched again"),
            (self.charged, most_charged * self.jobs, f"{most_charged:.1%} may be charged again"),
        ]:
            if count > most:
                over.append(what)
        told = [f"{again} fetched again, {self.charged} charged", *wrong, *over]
        return not wrong and within(not over), "; ".join(told)


def once_only(site, rows, **allowed):
    twice = Twice(site)
    twice.add(rows)
    return twice.verdict(**allowed)


def batches(fleet, size, is_over, twice=None):
    """A batch after another, and one more when it is over: titles where it is counted what is done twice, otherwise
    echoes. Returns how many jobs there were and what is wrong."""
    jobs = 0
    while True:
        is_last = is_over()
        kind, file = ("title", pages(fleet.folder, twice.site, size)) if twice else ("echo", echoes(fleet.folder, size))
        try:
            batch = fleet.submit(f"batch {next(numbers)}", file, "--kind", kind)
        except RuntimeError as error:
            return jobs, [str(error)]
        passed, told = verdict(rows := fleet.rows(batch, 120), size)
        if not passed and not is_last:
            # A client that hears of no row for a minute gives up; when the trouble is over none may be missing.
            while not is_over():
                time.sleep(0.1)
            passed, told = verdict(rows := fleet.rows(batch, 120), size)
        if twice:
            twice.add(rows)
        jobs += size
        if is_last or not passed:
            return jobs, [] if passed else [told]
