"""Runs one program and tells what it took."""

import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# Looks at the memory of all processes so often, in seconds.
INTERVAL = 0.02
PATIENCE = 600


@dataclass
class Usage:
    """What one run took: seconds, processor seconds and bytes of all its processes, and its exit code."""

    wall: float
    processor: float
    memory: int
    code: int


def descendants(process: int):
    """The process and all below it."""
    yield process
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            for child in Path(f"/proc/{process}/task/{task}/children").read_text().split():
                yield from descendants(int(child))
    except OSError:
        return


def peak(process: int) -> int:
    """The largest size so far of a process that still runs, in KiB."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


class Watch(threading.Thread):
    """Adds up the peaks of all processes that a program ever had."""

    def __init__(self, process: int):
        super().__init__(daemon=True)
        self.process, self.peaks, self.ended = process, {}, threading.Event()
        self.began = time.monotonic()

    def run(self):
        while not self.ended.wait(INTERVAL):
            for process in descendants(self.process):
                self.peaks[process] = max(peak(process), self.peaks.get(process, 0))
            if time.monotonic() - self.began > PATIENCE:
                os.killpg(self.process, signal.SIGKILL)

    def total(self):
        self.ended.set()
        self.join()
        return sum(self.peaks.values())


def run(command: list, environment: dict[str, str], said: Path) -> Usage:
    """`said` gets what the program prints."""
    with open(said, "wb") as output:
        began = time.monotonic()
        program = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=output, process_group=0
        )
        watch = Watch(program.pid)
        watch.start()
        try:
            # Left as a zombie, so that the group's number stays its own.
            os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
            wall = time.monotonic() - began
        finally:
            # With what it has left behind, which would take time from the next program.
            os.killpg(program.pid, signal.SIGKILL)
        _, status, used = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    # Not what wait4 says of memory: that counts this process too, from before the program took its place.
    return Usage(wall, used.ru_utime + used.ru_stime, watch.total() * 1024, program.returncode)
