"""Runs one program and tells what it took."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 600


@dataclass
class Usage:
    """What one run took: seconds, processor seconds, bytes of its largest process, and its exit code."""

    wall: float
    processor: float
    memory: int
    code: int


def run(command: list, said: Path) -> Usage:
    """`said` gets what the program prints."""
    figures = said.with_suffix(".figures")
    # Not what wait4 says here: that counts this process too, from before the program took its place.
    measuring = ["/usr/bin/time", "--quiet", "--format", "%U %S %M", "--output", figures]
    with open(said, "wb") as output:
        began = time.monotonic()
        code = subprocess.run(
            [*measuring, "timeout", "--signal=KILL", str(PATIENCE), *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ).returncode
        wall = time.monotonic() - began
    user, system, memory = map(float, figures.read_text().split())
    return Usage(wall, user + system, int(memory) * 1024, code)
