"""Runs a program in callgrind, and counts its instructions and its allocations."""

import os
import re
import subprocess
from pathlib import Path

# The baseline variants of the C library's functions. Otherwise it would pick those for the host's processor, of whose
# features valgrind shows the programs some.
FEATURES = [
    "AVX", "AVX2", "AVX_Fast_Unaligned_Load", "BMI1", "BMI2", "ERMS", "FMA", "FSRM", "Fast_Copy_Backward",
    "Fast_Unaligned_Copy", "Fast_Unaligned_Load", "LZCNT", "MOVBE", "POPCNT", "SSE4_1", "SSE4_2", "SSSE3",
]
SETTINGS = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join(f"-{feature}" for feature in FEATURES),
    # What is in a set comes in the same order in every run.
    "SWIFT_DETERMINISTIC_HASHING": "1",
}
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign"}


def counts(lines):
    """Instructions and allocations in the lines that callgrind writes."""
    names, called, instructions, allocations = {}, None, 0, 0
    for line in lines:
        if line.startswith(("fn=", "cfn=")):
            # A name stands behind its number the first time only.
            number, name = re.fullmatch(r"c?fn=\((\d+)\)(?: (.*))?", line.rstrip("\n")).groups()
            called = names.setdefault(number, name)
        elif line.startswith("calls=") and called in ALLOCATORS:
            allocations += int(line[len("calls=") :].split()[0])
        elif line.startswith("totals:"):
            instructions = int(line.split()[1])
    return instructions, allocations


def run(command, folder):
    """The counts of a whole run and what it printed."""
    file = Path(folder) / "callgrind.out"
    words = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={file}", *map(str, command)]
    ended = subprocess.run(words, env={**os.environ, **SETTINGS}, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    with open(file, errors="replace") as lines:
        return counts(lines), ended.stdout
