"""The recorded figures, and how measured ones compare with them."""

from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"
HEADER = "cost\tcount"
# Percent. Runs differ by a fifth of one.
TOLERANCE = 3.0
# scripts/check shows the line that begins with this.
NOT_JUDGED = "not judged:"


def read(file=RECORDED):
    """What the figures were made with, and the figures by their names."""
    made_with, header, *lines = Path(file).read_text().splitlines()
    if header != HEADER:
        raise SystemExit(f"{file}: its second line is not '{HEADER}'; record it anew with scripts/costs --write")
    return made_with.removeprefix("# "), {name: float(figure) for name, figure in (line.split("\t") for line in lines)}


def write(made_with, figures, file=RECORDED):
    lines = [f"# {made_with}", HEADER, *(f"{name}\t{figure:.10g}" for name, figure in figures.items())]
    Path(file).write_text("".join(f"{line}\n" for line in lines))


def compare(recorded, measured):
    """The table, the names of the figures that rose too far, and of those that fell too far. A figure that only one side
    has is among the risen ones."""
    rows, risen, fallen = [("", "recorded", "measured", "change")], [], []
    for name in dict.fromkeys([*recorded, *measured]):
        before, now = recorded.get(name), measured.get(name)
        if before is None or now is None:
            risen.append(name)
            change = "new" if before is None else "gone"
        else:
            percent = (now - before) / before * 100
            if percent > TOLERANCE:
                risen.append(name)
            elif percent < -TOLERANCE:
                fallen.append(name)
            change = f"{percent:+.1f} %"
        rows.append((name, shown(before), shown(now), change))
    return "".join(f"{name:32}{before:>12}{now:>12}{change:>10}\n" for name, before, now, change in rows), risen, fallen


def shown(figure):
    if figure is None:
        return "-"
    return f"{figure:,.1f}" if figure < 1_000 else f"{figure:,.0f}"


def judge(recorded, measured, made_with):
    """What to print, and the exit code. `recorded` is what `read` returns. Figures of another compiler or other libraries
    say nothing about a change, so they are only shown."""
    recorded_with, figures = recorded
    text, risen, fallen = compare(figures, measured)
    if recorded_with != made_with:
        return text + f"{NOT_JUDGED} recorded with {recorded_with}; this is {made_with}\n", 0
    if risen:
        text += (
            f"More than {TOLERANCE:g} % above what is recorded: {', '.join(risen)}. Find out why with callgrind_annotate; if"
            " it is worth that, run scripts/costs --write and commit the figures with the change.\n"
        )
    if fallen:
        text += (
            f"More than {TOLERANCE:g} % below what is recorded: {', '.join(fallen)}. Run scripts/costs --write and commit the"
            " figures with the change, so that they stay low.\n"
        )
    return text, int(bool(risen or fallen))
