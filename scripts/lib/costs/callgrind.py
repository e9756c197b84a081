"""Runs a program in callgrind, and counts its instructions, its allocations, and how often it does what is to be done once."""

import os
import re
import subprocess
from collections import Counter
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
# The symbols of functions, specialised or not, without the closures in them.
ONCE = {
    "jobs encoded": re.compile(r"\$s8Pipeline9JobRecordO6encode\w*FZ(Tf\w+)?"),
    "rows composed": re.compile(r"\$s5Roles11RowComposerO3row2of_\w*FZ(Tf\w+)?"),
    "links placed": re.compile(r"\$s5Roles6IntakeO5place2of\w*FZ(Tf\w+)?"),
}


def counts(lines):
    """Instructions, allocations, and calls of what is in `ONCE`, in the lines that callgrind writes."""
    names, caller, called, instructions, calls = {}, None, None, 0, Counter()
    for line in lines:
        if line.startswith(("fn=", "cfn=")):
            # A name stands behind its number the first time only.
            number, name = re.fullmatch(r"c?fn=\((\d+)\)(?: (.*))?", line.rstrip("\n")).groups()
            called = names.setdefault(number, name)
            if line.startswith("fn="):
                caller = called
        elif line.startswith("calls="):
            calls[caller, called] += int(line[len("calls=") :].split()[0])
        elif line.startswith("totals:"):
            instructions = int(line.split()[1])
    return {
        "instructions": instructions,
        "allocations": sum(times for (_, name), times in calls.items() if name in ALLOCATORS),
        **{what: entered(symbol, calls) for what, symbol in ONCE.items()},
    }


def entered(symbol, calls):
    """How often others call what has the symbol. A general function that only leads to a specialised one is no other."""
    return sum(
        times for (caller, name), times in calls.items()
        if symbol.fullmatch(name or "") and not symbol.fullmatch(caller or "")
    )


def run(command, folder):
    """The counts of a whole run and what it printed."""
    file = Path(folder) / "callgrind.out"
    words = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={file}", *map(str, command)]
    ended = subprocess.run(words, env={**os.environ, **SETTINGS}, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    with open(file, errors="replace") as lines:
        return counts(lines), ended.stdout
