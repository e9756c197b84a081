"""Runs one measurement in a folder of its own. scripts/bench tells which there are."""

import inspect
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "chaos"))
import echoes  # noqa: E402
import jobs  # noqa: E402
import ledger  # noqa: E402
import status  # noqa: E402
import threads  # noqa: E402
import titles  # noqa: E402

MEASUREMENTS = {
    "echoes": echoes.measure, "fleet": titles.fleets, "jobs": jobs.measure, "ledger": ledger.measure, "list": titles.links,
    "status": status.measure, "threads": threads.measure, "titles": titles.titles,
}  # fmt: skip

_, name, binary, *words = sys.argv
measure = MEASUREMENTS[name]
# Counts, or options of halyard.
takes_options = inspect.getfullargspec(measure).varargs
with tempfile.TemporaryDirectory(prefix="halyard-bench-") as folder:
    whole = measure(binary, Path(folder), *(words if takes_options else map(int, words)))
sys.exit(whole is False)
