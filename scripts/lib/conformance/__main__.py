"""Counts the test cases of each line of cases.txt in the events of a test run, and compares them with the documentation's
table."""

import argparse
import collections
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
ARTICLE = HERE.parents[2] / "Sources/HalyardCLI/Halyard.docc/Reference/WhatTheWebDoes.md"
START, END = "<!-- conformance -->\n", "<!-- /conformance -->\n"


def areas():
    """Area → line → names of its tests."""
    found = {}
    for text in (HERE / "cases.txt").read_text().splitlines():
        indent = len(text) - len(text.lstrip())
        if not text or text.startswith("#"):
            continue
        if indent == 0:
            lines = found.setdefault(text, {})
        elif indent == 2:
            tests = lines.setdefault(text.strip(), [])
        else:
            tests.append(text.strip())
    return found


def ran(events):
    """Test → cases that passed; nothing for one that failed."""
    names, cases, passed, failed = {}, collections.Counter(), set(), set()
    for text in open(events, encoding="utf-8"):
        record = json.loads(text)
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            suite = payload["id"].split("/")[0].replace("`", "")
            names[payload["id"]] = f"{suite}/{payload.get('displayName', payload['name'])}"
        elif payload.get("kind") == "testCaseEnded":
            cases[payload["testID"]] += 1
        elif payload.get("kind") == "testEnded":
            passes = any(message["symbol"].startswith("pass") for message in payload["messages"])
            (passed if passes else failed).add(payload["testID"])
    return {names[test]: max(1, cases[test]) for test in passed - failed if test in names}


def table(counts):
    """The table, and the tests that did not pass."""
    rows, missing = ["| What the web does | Test cases |", "|---|---:|"], []
    for area, lines in areas().items():
        rows.append(f"| **{area}** | **{sum(counts.get(test, 0) for tests in lines.values() for test in tests)}** |")
        for line, tests in lines.items():
            missing += [test for test in tests if test not in counts]
            rows.append(f"| {line} | {sum(counts.get(test, 0) for test in tests)} |")
    return "".join(f"{row}\n" for row in rows), missing


def main():
    parser = argparse.ArgumentParser(prog="scripts/conformance")
    parser.add_argument("events")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text, missing = table(ran(options.events))
    for test in missing:
        print(f"conformance: no such test has passed: {test}", file=sys.stderr)
    if missing:
        sys.exit(1)
    before, _, rest = ARTICLE.read_text().partition(START)
    old, _, after = rest.partition(END)
    if options.write:
        ARTICLE.write_text(before + START + text + END + after)
    elif old != text:
        sys.exit(f"conformance: the counts differ from the table in {ARTICLE.name}; run scripts/conformance --write to update it")


main()
