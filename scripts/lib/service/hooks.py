"""What schemathesis loads: links lead to our own site, so that nothing is asked of others and there are answers to look at."""

import os
from urllib.parse import quote

import schemathesis

SITE = os.environ["HALYARD_SITE"]
# What is left of a request's first line beside the other parameters.
ROOM = 6000
WHITE = " \t\n\v\f\r"


def aimed(link):
    """A link of our site that holds the text, unless that is none by the description."""
    if not isinstance(link, str) or len(link) > 8192 or link.startswith(SITE):
        return link
    text = link.strip(WHITE)
    if not text or set(text) & set("\0\r\n"):
        return link
    while len(quote(text, safe="")) > ROOM:
        text = text[: len(text) // 2].strip(WHITE)
    return f"{SITE}/{text}"


@schemathesis.hook
def before_call(context, case, kwargs):
    if isinstance(case.query, dict) and "url" in case.query:
        case.query["url"] = aimed(case.query["url"])
    if isinstance(case.body, list):
        case.body = [aimed(link) for link in case.body]
    elif isinstance(case.body, str):
        case.body = "\n".join(aimed(line.strip()) for line in case.body.split("\n"))
