"""What scripts/costs makes of figures that are off."""

import tempfile
import unittest
from pathlib import Path

import callgrind
import figures

MEASURED = {"instructions per title": 600_000, "allocations per title": 250.5}


def judged(made_with="Swift 6.3", **doctored):
    """The verdict on what was measured beside a file of recorded figures that were changed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "recorded"
        figures.write(made_with, MEASURED, file)
        for old, new in doctored.values():
            file.write_text(file.read_text().replace(old, new))
        return figures.judge(figures.read(file), MEASURED, "Swift 6.3")


class FigureTests(unittest.TestCase):
    def test_figures_as_recorded_pass(self):
        self.assertEqual(judged()[1], 0)

    def test_three_percent_pass(self):
        self.assertEqual(judged(figure=("600000", "583000"))[1], 0)
        self.assertEqual(judged(figure=("600000", "617000"))[1], 0)

    def test_a_figure_above_the_recorded_one_fails(self):
        text, code = judged(figure=("600000", "580000"))
        self.assertEqual(code, 1)
        self.assertRegex(text, r"instructions per title +580,000 +600,000 +\+3\.4 %\n")
        self.assertIn("above what is recorded: instructions per title. Find out why", text)

    def test_a_figure_below_the_recorded_one_fails_until_it_is_recorded(self):
        text, code = judged(figure=("250.5", "260"))
        self.assertEqual(code, 1)
        self.assertIn("below what is recorded: allocations per title. Run scripts/costs --write", text)

    def test_a_figure_that_is_not_recorded_fails(self):
        self.assertEqual(judged(figure=("allocations per title\t250.5\n", ""))[1], 1)

    def test_figures_of_another_compiler_are_shown_and_not_judged(self):
        text, code = judged("Swift 6.2", figure=("600000", "500000"))
        self.assertEqual(code, 0)
        self.assertIn("+20.0 %\n", text)
        self.assertTrue(text.endswith("\nnot judged: recorded with Swift 6.2; this is Swift 6.3\n"))


class CallgrindTests(unittest.TestCase):
    def test_calls_of_allocators_are_counted_and_those_of_others_not(self):
        lines = ["fn=(1) main", "16 3", "cfn=(2) malloc", "calls=2 0", "17 40", "cfn=(3) free", "calls=7 0", "18 1"]
        lines += ["fn=(3)", "9 1", "cfn=(2)", "calls=3 +4", "* 5", "cfn=(4) posix_memalign", "calls=1 0", "1 1", "", "totals: 90"]
        found = callgrind.counts(f"{line}\n" for line in lines)
        self.assertEqual((found["instructions"], found["allocations"]), (90, 6))

    def test_calls_of_a_function_are_added_up_but_for_those_of_its_own_general_form(self):
        row = "$s5Roles11RowComposerO3row2of_Says5UInt8VG8Pipeline3JobV_AA0B7OutcomeOtFZ"
        lines = ["fn=(1) main", f"cfn=(2) {row}", "calls=2 0", f"cfn=(3) {row}Tf4nnd_n", "calls=3 0", "fn=(2)", "cfn=(3)", "calls=2 0"]
        lines += ["fn=(3)", f"cfn=(4) {row}yAHzXEfU_TA", "calls=9 0"]
        self.assertEqual(callgrind.counts(f"{line}\n" for line in lines)["rows composed"], 5)


if __name__ == "__main__":
    unittest.main()
