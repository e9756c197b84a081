"""Runs the checks and counts what was as expected."""

import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "chaos"))
from check import Verdicts  # noqa: E402
import names  # noqa: E402
import sites  # noqa: E402


def main():
    binary, *what = sys.argv[1:]
    if what == ["inside"]:
        return names.check(binary).exit()
    verdicts = Verdicts()
    if what != ["names"]:
        with tempfile.TemporaryDirectory(prefix="halyard-") as folder:
            sites.check(binary, Path(folder), verdicts)
    if what != ["sites"]:
        check_names(binary, verdicts)
    verdicts.exit()


def check_names(binary, verdicts):
    name = f"halyard-{uuid.uuid4().hex[:8]}"
    # `ip netns exec` puts it in the place of the machine's own.
    settings = Path("/etc/netns") / name
    try:
        subprocess.run(["ip", "netns", "add", name], check=True, capture_output=True)
        settings.mkdir(parents=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"names: left out, no network of its own can be made: {error}")
        return
    try:
        (settings / "resolv.conf").write_text("nameserver 127.0.0.1\n")
        (settings / "nsswitch.conf").write_text("hosts: files dns\n")
        words = ["ip", "netns", "exec", name, sys.executable, sys.argv[0], binary, "inside"]
        inside = subprocess.run(words, stdout=subprocess.PIPE, text=True)
        verdicts.take(inside.stdout)
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)
        for file in settings.iterdir():
            file.unlink()
        settings.rmdir()


main()
