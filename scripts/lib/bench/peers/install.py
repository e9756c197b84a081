"""Installs the peers into a folder of their own, once: Python packages and Go from PyPI, the rest from Debian."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
ROOT = HERE.parents[3]
FOLDER = ROOT / ".build-peers"
# Where Debian keeps the sources of Go's packages.
GO_SOURCES = Path("/usr/share/gocode")


class Unavailable(Exception):
    """A peer that cannot be had here, and why."""


def command(*words, **environment):
    words = [str(word) for word in words]
    environment = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    try:
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Unavailable(f"there is no {words[0]}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "it says nothing").splitlines()[-1]
        raise Unavailable(f"{Path(words[0]).name} failed: {last}")
    return done.stdout


def is_newer(built: Path, *sources: Path):
    return built.exists() and all(source.stat().st_mtime < built.stat().st_mtime for source in sources)


def setup(*commands):
    command(ROOT / "scripts" / "setup", *commands)


def requirements(name: str) -> list[str]:
    return (PROGRAMS / "requirements" / f"{name}.txt").read_text().split()


def package(name: str, tool: str) -> Path:
    """A command of a Python package. Each peer has an environment of its own, so that their requirements do not clash."""
    setup("venv")
    wanted = requirements(name)
    key = hashlib.sha256("\n".join([sys.version, *wanted]).encode()).hexdigest()
    environment = FOLDER / name
    stamp = environment / "installed"
    if not stamp.exists() or stamp.read_text() != key:
        command(sys.executable, "-m", "venv", "--clear", environment)
        command(environment / "bin" / "pip", "install", "--quiet", "--only-binary", ":all:", *wanted)
        stamp.write_text(key)
    return environment / "bin" / tool


def go_program() -> Path:
    sources, built = sorted((PROGRAMS / "titles").glob("*.go")), FOLDER / "titles"
    if not is_newer(built, *sources):
        go = package("go", "go")
        setup("x-net")
        environment = {"GO111MODULE": "off", "GOPATH": GO_SOURCES, "GOCACHE": FOLDER / "go-cache", "GOTOOLCHAIN": "local"}
        command(go, "build", "-o", built, *sources, **environment)
    return built


def c_program(name: str, *libraries: str) -> Path:
    source, built = PROGRAMS / f"{name}.c", FOLDER / name
    if not is_newer(built, source):
        setup("cc")
        command("cc", "-O2", "-Wall", "-Wextra", "-o", built, source, *libraries)
    return built


def halyard() -> Path:
    """As scripts/halyard builds it, unless HALYARD_PROGRAM names another."""
    # Not for halyard itself, which would warn of it.
    if given := os.environ.pop("HALYARD_PROGRAM", None):
        return Path(given).absolute()
    subprocess.run([ROOT / "scripts" / "halyard", "--version"], check=True, stdout=sys.stderr)
    return ROOT / ".build" / "release" / "halyard"
