"""The service's own description: whether it is valid, and whether the service keeps to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import openapi_spec_validator

from service import LOOPBACK, Service, Site

LONG, QUICK = 600, 25
# The quick run asks the same each time.
SEED = 1


def card(path):
    return f'<!doctype html><title>{path}</title><meta property="og:title" content="A page at {path}"><p>words'


def check(program, folder, checks, quick):
    site = Site(answer=card)
    with Service(program, *LOOPBACK) as service:
        with checks.check("document: openapi-spec-validator accepts it"):
            openapi_spec_validator.validate(json.loads(service.get("/openapi.json").body))
        with checks.check("document: schemathesis finds nothing") as figures:
            document = f"{service.address}openapi.json"
            figures.append(fuzz(document, service.address, site.base, folder, QUICK if quick else LONG, SEED if quick else None))
        with checks.check("document: the service is alive after it"):
            assert service.get("/healthz").status == 200
    site.close()


def fuzz(document, address, site, folder, seconds, seed=None):
    """Returns the line that counts its cases."""
    here = Path(__file__).parent.resolve()
    words = [Path(sys.executable).parent / "st", "--config-file", here / "schemathesis.toml", "run"]
    words += [document, "--url", address, "--checks", "all", "--max-time", str(seconds), "--workers", "2", "--no-color"]
    words += ["--generation-database", "none", *(["--seed", str(seed)] if seed else [])]
    end = subprocess.run(
        words,
        cwd=folder,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(here),
            "HALYARD_SITE": site,
        },
        capture_output=True,
        text=True,
        timeout=2 * seconds + 120,
    )
    found = end.stdout.partition("= FAILURES =")[2] or end.stdout + end.stderr
    assert end.returncode == 0, "\n".join(line[:300] for line in found.splitlines() if line.strip("= "))
    return next((line.strip() for line in end.stdout.splitlines() if "generated" in line), "cases not counted")
