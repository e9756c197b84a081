"""What all need that start programs and watch them."""

import socket
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


def wait_for(holds, seconds, trouble):
    """What `holds` returns once that is true; fails with the trouble, a text or what makes one, if it takes longer."""
    deadline = time.monotonic() + seconds
    while not (found := holds()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"{trouble() if callable(trouble) else trouble} within {seconds} s")
        time.sleep(0.05)
    return found


def listing(folder, name, lines):
    file = folder / f"{name}.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return file
