"""Looks at the service's page with a browser, as its users do."""

import argparse
import http.server
import itertools
import re
import sys
import threading
from pathlib import Path
from urllib.parse import quote, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "service"))
from checks import Checks  # noqa: E402
from service import Service  # noqa: E402

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
HOSTILE = {
    "/script": "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">",
    "/override": "\u202egnp.exe\u202c \u2066behind",
    "/long": "endless " * 1250,
}


class HostileSite(http.server.BaseHTTPRequestHandler):
    """Pages whose titles attack the page that shows them, and one that attacks the service itself."""

    service = ""

    def do_GET(self):
        page = attack(self.service) if self.path == "/attack" else pages_title(self.path)
        body = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def pages_title(path):
    title = HOSTILE.get(path, path).replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return f'<!doctype html><meta property="og:title" content="{title}"><title>{title}</title><p>A page'


def attack(service):
    """Asks the service in a visitor's name, in each way that a page of another origin has."""
    return f"""<!doctype html><title>attack</title><body><script>
      const found = [];
      const note = (name, promise) => promise.then((text) => found.push(name + ": " + text), () => {{}});
      const link = encodeURIComponent("http://127.0.0.1:9/");
      const read = (answer) => answer.type === "opaque" ? Promise.reject() : answer.text();
      Promise.allSettled([
        note("get", fetch("{service}v1/preview?url=" + link).then(read)),
        note("post", fetch("{service}v1/previews", {{method: "POST", body: "http://127.0.0.1:9/"}}).then(read)),
        note("cards", fetch("{service}cards", {{method: "POST", body: "http://127.0.0.1:9/"}}).then(read)),
        note("explain", fetch("{service}explain?url=" + link).then(read)),
        note("metrics", fetch("{service}metrics").then(read)),
      ]).then(() => {{ document.title = found.length ? "read " + found.join("; ") : "nothing read"; }});
    </script>"""


class Watch:
    """What a page may not do while it is looked at."""

    def __init__(self, page, own):
        self.faults = []
        page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: self.requested(request, own))

    def requested(self, request, own):
        foreign = not request.url.startswith((own, "data:"))
        if foreign and request.resource_type != "image":
            self.faults.append(f"asked for {request.url}")

    def judge(self):
        assert not self.faults, "; ".join(self.faults)


def judge_form(page):
    """What holds of the page in every form, once nothing of it fades in any more."""
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})))")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, "the page scrolls to the side"


def look(browser, service, checks, pictures):
    """The page with three links, in each of its forms."""
    site = re.match(r"http://[^/]+/", service.first)[0]
    links = "\n".join([service.first, f"{site}pages/gbk", f"{site}missing"])
    for width, scheme, script in itertools.product(WIDTHS, SCHEMES, (True, False)):
        name = f"{width}-{scheme}-{'script' if script else 'plain'}"
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        page = context.new_page()
        watch = Watch(page, service.address)
        with checks.check(f"three links make three cards, {name}"):
            page.goto(service.address)
            page.get_by_label("Links", exact=True).fill(links)
            if script:
                page.keyboard.press("Control+Enter")
            else:
                page.get_by_role("button", name="Preview").click()
            expect(page.locator("#cards > *")).to_have_count(3, timeout=30_000)
            assert script == (page.url == service.address), f"the page is at {page.url}"
            if script:
                expect(page.locator("#cards[data-state=done]")).to_have_count(1, timeout=30_000)
                judge_form(page)
            watch.judge()
            if pictures:
                page.screenshot(path=f"{pictures}/{name}.png", full_page=True)
        with checks.check(f"why a link is shown as it is, {name}"):
            page.get_by_role("link", name="why").first.click()
            expect(page.get_by_role("heading", name="Why it is shown so")).to_be_visible(timeout=30_000)
            expect(page.locator("pre")).to_contain_text(f"1  GET {service.first}")
            expect(page.locator("pre")).to_contain_text("description: A log of weather, ships and lamp oil. (from og)")
            if script:
                judge_form(page)
            watch.judge()
            if pictures:
                page.screenshot(path=f"{pictures}/{name}-why.png", full_page=True)
            page.get_by_role("link", name="Preview a link").click()
            expect(page.locator("#cards > *")).to_have_count(1, timeout=30_000)
        context.close()


def use_keyboard(browser, service, checks):
    """Nothing but Tab, Enter and Space."""
    page = browser.new_page(forced_colors="active", reduced_motion="reduce")
    with checks.check("a card by keyboard alone, in forced colours"):
        page.goto(service.address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "links", "the field is not the first stop"
        page.keyboard.type(service.first)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#cards > *")).to_have_count(1, timeout=30_000)
        judge_form(page)
    page.close()


def show_hostile(browser, service, hostile, checks):
    """Titles of others are text, whatever is in them."""
    for script in (True, False):
        context = browser.new_context(java_script_enabled=script)
        page = context.new_page()
        watch = Watch(page, service.address)
        with checks.check(f"hostile titles are text, {'with' if script else 'without'} JavaScript"):
            links = [hostile + path for path in HOSTILE]
            page.goto(f"{service.address}?links={quote(chr(10).join(links))}")
            if script:
                page.keyboard.press("Control+Enter")
                page.get_by_label("Links", exact=True).press("Control+Enter")
            expect(page.locator("#cards > *")).to_have_count(3, timeout=30_000)
            assert page.title().startswith("Link previews"), page.title()
            assert page.locator("#cards script, #cards [onerror]").count() == 0, "markup of others is in the page"
            expect(page.locator("#cards")).to_contain_text("<script>")
            wide = script and page.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
            assert not wide, "the page scrolls to the side"
            for path, title in HOSTILE.items():
                page.goto(f"{service.address}explain?url={quote(hostile + path, safe='')}")
                assert page.title().startswith("Why"), page.title()
                assert page.locator("main script, main [onerror]").count() == 0, "markup of others is in the page"
                # Its end shows that all of it is there; what would turn text around is replaced.
                expect(page.locator("pre")).to_contain_text(re.sub("[\u202a-\u2069]", "\ufffd", title).strip()[-20:])
            watch.judge()
        context.close()


def be_attacked(browser, playwright, service, hostile, checks):
    """A page of another origin, and a name of its own that leads to the service."""
    page = browser.new_page()
    with checks.check("a page on another port reads nothing"):
        page.goto(f"{hostile}/attack")
        page.wait_for_function("document.title !== 'attack'", timeout=30_000)
        assert page.title() == "nothing read", page.title()
    page.close()
    port = urlsplit(service.address).port
    rebinding = launch(playwright, "--host-resolver-rules=MAP evil.test 127.0.0.1")
    page = rebinding.new_page()
    with checks.check("a name that leads to the service is refused"):
        answer = page.goto(f"http://evil.test:{port}/v1/preview?url={quote(service.first)}")
        assert answer.status == 403, answer.status
    rebinding.close()


def launch(playwright, *more):
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *more])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HostileSite)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    hostile = f"http://127.0.0.1:{site.server_port}"
    checks = Checks()
    allowed = ("--allow-address", f"127.0.0.1:{site.server_port}")
    with Service(arguments.program, "--demo") as service, Service(arguments.program, *allowed) as other:
        HostileSite.service = service.address
        with sync_playwright() as playwright:
            browser = launch(playwright)
            look(browser, service, checks, arguments.pictures)
            use_keyboard(browser, service, checks)
            show_hostile(browser, other, hostile, checks)
            be_attacked(browser, playwright, service, hostile, checks)
            browser.close()
    site.shutdown()
    print(f"{checks.good} as expected, {checks.bad} not")
    return 1 if checks.bad else 0


sys.exit(main())
