"""Lists to submit, and what is said of the rows."""

import itertools
import time

from fleet import charged_again, faults_of

# One name is one batch, for ever.
numbers = itertools.count()


def listing(folder, name, lines):
    file = folder / f"{name}.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def echoes(folder, count):
    return listing(folder, "echoes", (f"echo:{number}" for number in range(count)))


def verdict(rows, expected, most_charged=None):
    wrong = faults_of(rows, expected)
    share = charged_again(rows)
    if most_charged is not None and share > most_charged:
        wrong.append(f"{most_charged:.0%} allowed")
    told = f"{len(rows)} rows of {expected} jobs, {share:.2%} charged again"
    return not wrong, told + "".join(f"; {fault}" for fault in wrong)


def batches(fleet, size, is_over, most_charged=None):
    """Echoes, a batch after another, and one more when it is over; returns how many there were and what is wrong."""
    jobs = 0
    while True:
        is_last = is_over()
        try:
            batch = fleet.submit(f"batch {next(numbers)}", echoes(fleet.folder, size), "--kind", "echo")
        except RuntimeError as error:
            return jobs, [str(error)]
        passed, told = verdict(fleet.rows(batch, 120), size, most_charged)
        if not passed and not is_last:
            # Whoever hears of no row for a minute gives up; when the trouble is over none may be missing.
            while not is_over():
                time.sleep(0.1)
            passed, told = verdict(fleet.rows(batch, 120), size, most_charged)
        jobs += size
        if is_last or not passed:
            return jobs, [] if passed else [told]
