"""How verdicts on faults are made."""

import unittest

from outcome import MISSED, judged, within


class OutcomeTests(unittest.TestCase):
    def judge(self, *attempts):
        """The outcome of a fault that ends so, and so when it is tried again; and what was told before."""
        left, told = iter(attempts), []
        outcome, _, _ = judged(lambda: (next(left), "rows", 1.0), lambda *verdict: told.append(verdict))
        self.assertIsNone(next(left, None))
        return outcome, told

    def test_what_is_survived_is_tried_once(self):
        self.assertEqual(self.judge(True), ("survived", []))

    def test_a_loss_is_never_tried_again(self):
        self.assertEqual(self.judge(False), ("FAILED", []))

    def test_a_missed_bound_is_tried_once_more_and_both_are_told(self):
        self.assertEqual(self.judge(MISSED, True), ("survived", [("missed", 1.0, "rows")]))
        self.assertEqual(self.judge(MISSED, MISSED), ("FAILED", [("missed", 1.0, "rows")]))
        self.assertEqual(self.judge(MISSED, False), ("FAILED", [("missed", 1.0, "rows")]))

    def test_a_loss_comes_before_a_bound(self):
        self.assertIs(False and within(False), False)
        self.assertIs(True and within(False), MISSED)
        self.assertIs(True and within(True), True)


if __name__ == "__main__":
    unittest.main()
