"""Lists to submit, and what is said of the rows."""

from fleet import charged_again, faults_of


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
