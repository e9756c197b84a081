"""Another user of the same machine, who was there first."""

import os
import subprocess

from faults.common import echoes, verdict
from fleet import Fleet, answer_of
from outcome import LeftOut

STRANGER = 65534


def plant(kind, path, target=""):
    """Whether the stranger could do it."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            os.umask(0)
            work(kind, path, target)
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def work(kind, path, target):
    match kind:
        case "directory":
            os.mkdir(path, 0o777)
        case "file":
            path.write_text(str(target))
        case "link":
            os.symlink(target, path)
        case "remove":
            os.unlink(path)


def hostile_user(run):
    """Another user plants directories, notes, locks, links, logs and parts, before a fleet and beside it."""
    if os.geteuid() != 0:
        raise LeftOut("only root can act for another user")
    os.chmod(run.folder, 0o711)
    shared = run.folder / "shared"
    shared.mkdir()
    os.chmod(shared, 0o1777)
    precious = run.folder / "precious"
    precious.write_text("precious")
    wrong = [what for what, refused in attacks(run, shared, precious) if not refused]
    if precious.read_text() != "precious":
        wrong.append("a file behind a link was written")
    tries, passed, told = beside_a_fleet(run, shared)
    return passed and not wrong, "; ".join([f"{told}; {tries} files planted in vain", *wrong])


def attacks(run, shared, precious):
    """What was planted, and whether the program refused it and named its owner."""

    def refuses(*words):
        end = subprocess.run([str(run.binary), *words], capture_output=True, text=True, timeout=60)
        return end.returncode in (65, 69) and f"belongs to user {STRANGER}" in end.stderr

    first = shared / "halyard-0"
    plant("directory", first)
    for command in ("up", "aggregator", "fetcher", "decoder"):
        yield f"{command} in a planted directory", refuses(command, "--run-dir", str(first / "fleet"))
    (first / "fleet").mkdir()
    yield "status of a planted directory", refuses("status", "--fleet", str(first / "fleet"))
    link = shared / "link"
    plant("link", link, run.folder)
    yield "up through a planted link", refuses("up", "--run-dir", str(link / "run"))
    for name in ("address", "up.lock", "fleet.end", "fleet.log"):
        # The directory was open to others once.
        home = run.folder / f"home of {name}"
        home.mkdir()
        os.chmod(home, 0o777)
        plant("link" if name == "fleet.log" else "file", home / name, precious)
        os.chmod(home, 0o700)
        yield f"up beside a planted {name}", refuses("up", "--check", "--run-dir", str(home))
    for name in ("jobs.db", "other.db-wal"):
        plant("file", shared / name)
        ledger = str(shared / name).removesuffix("-wal")
        yield f"a planted {name}", refuses("title", "no link", "--ledger", ledger)
    for kind, name in (("file", "rows.jsonl.part"), ("link", "more.jsonl.part"), ("link", "linked.jsonl")):
        plant(kind, shared / name, precious)
        output = str(shared / name).removesuffix(".part")
        yield f"rows beside a planted {name}", refuses("title", "no link", "-o", output)


def beside_a_fleet(run, shared):
    """A fleet works in the shared directory while the stranger tries what he can."""
    folder = shared / "own"
    folder.mkdir(mode=0o700)
    count = run.size(2_000, 20_000)
    with Fleet(run.binary, folder, fetchers=1, decoders=1) as fleet:
        producer = fleet.submitting("beside", echoes(run.folder, count), "--kind", "echo")
        targets = [fleet.run_dir / name for name in ("address", "aggregator", "aggregator.lock", "ledger.db-wal")]
        done = sum(plant(kind, path) for kind in ("file", "remove") for path in targets)
        passed, told = verdict(fleet.rows(answer_of(producer)["batch"], 120), count)
    return 2 * len(targets) - done, passed and not done, told
