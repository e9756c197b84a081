"""Counting what is as expected."""

import contextlib
import traceback


class Checks:
    """Counts what is as expected, and tells the rest."""

    def __init__(self):
        self.good = self.bad = 0

    @contextlib.contextmanager
    def check(self, name):
        """`with checks.check(…) as figures`: what is appended to `figures` stands behind the name."""
        figures = []
        try:
            yield figures
            print(f"ok    {name}{''.join(f', {figure}' for figure in figures)}", flush=True)
            self.good += 1
        except Exception as error:  # noqa: BLE001
            self.fail(name, error)

    @contextlib.contextmanager
    def guard(self, name):
        """What is around checks: it counts only when it fails."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            self.fail(name, error)

    def fail(self, name, error):
        told = str(error) or "".join(traceback.format_exception(error))
        print(f"NOT   {name}: {told[:12_000]}", flush=True)
        self.bad += 1
