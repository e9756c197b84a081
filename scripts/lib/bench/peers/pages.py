"""The files of the site: pages of 8 to 120 KB in seven spellings of four charsets, and a few PDFs. The same for the same seed."""

import gzip
import html
import random
from dataclasses import dataclass
from pathlib import Path

LATIN = "harbour café garçon straße lamp keeper über señor notes tide naïve rowing storm crème fjörd rope sail oil".split()
CYRILLIC = "гавань маяк заметки смотритель шторм парус канат лодка прилив погода масло".split()
JAPANESE = "灯台 港 日記 天気 船 嵐 帆 ロープ 潮 信号 島 海岸 風 霧 ランプ 油".split()

# Folder, words, charset of the file, charset in the header, charset in a meta element, share.
SPELLINGS = (
    ("plain", LATIN + JAPANESE, "utf-8", None, "utf-8", 0.45),
    ("utf8", LATIN + CYRILLIC, "utf-8", "utf-8", "utf-8", 0.25),
    ("cyrillic", CYRILLIC, "windows-1251", "windows-1251", None, 0.05),
    ("cyrillic-meta", CYRILLIC, "windows-1251", None, "windows-1251", 0.05),
    ("japanese", JAPANESE, "shift_jis", "Shift_JIS", None, 0.05),
    ("japanese-meta", JAPANESE, "shift_jis", None, "Shift_JIS", 0.05),
    # By the standard of browsers, ISO-8859-1 means windows-1252.
    ("latin", LATIN, "windows-1252", "ISO-8859-1", None, 0.05),
    ("latin-meta", LATIN, "windows-1252", None, "ISO-8859-1", 0.05),
)
HEADER_CHARSETS = {folder: header for folder, _, _, header, _, _ in SPELLINGS}

# In a page's source, and what it stands for.
MARKS = (
    ("&amp;", "&"),
    ("&mdash;", "—"),
    ("&#8217;s", "’s"),
    ("&quot;oil&quot;", '"oil"'),
    ("caf&eacute;", "café"),
    ("&#x2026;", "…"),
)
GAPS = (" ", " ", " ", "\n      ", "\t", "  ")
SMALLEST, LARGEST = 8 << 10, 120 << 10


@dataclass
class Page:
    """A file of the site, and what a program should find in it."""

    path: str
    title: str | None
    image: str | None


def write_pages(root: Path, count: int, seed: int) -> list[Page]:
    choice = random.Random(f"pages {seed}")
    paragraphs = {
        folder: [encoded(paragraph(words, choice), charset) for _ in range(200)] for folder, words, charset, *_ in SPELLINGS
    }
    for folder in paragraphs:
        (root / folder).mkdir(parents=True)
    shares = [share for *_, share in SPELLINGS]
    return [
        write_page(root, number, choice.choices(SPELLINGS, shares)[0], paragraphs, choice) for number in range(count)
    ]


def write_page(root, number, spelling, paragraphs, choice):
    folder, words, charset, _, meta, _ = spelling
    source, title = make_title(words, choice)
    image = f"/images/{number}.png" if choice.random() < 0.7 else None
    parts = [encoded(head(source, title, image, meta, words, choice), charset)]
    # As many small pages as large ones on a scale of ratios, which comes to 41 KB on average.
    size = SMALLEST * (LARGEST / SMALLEST) ** choice.random()
    length = len(parts[0])
    while length < size:
        parts.append(choice.choice(paragraphs[folder]))
        length += len(parts[-1])
    content = b"".join([*parts, b"</body></html>\n"])
    file = root / folder / f"{number}.html"
    file.write_bytes(content)
    if choice.random() < 1 / 3:
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(content, 6, mtime=0))
    return Page(f"/{folder}/{file.name}", title, image)


def encoded(text, charset):
    return text.encode(charset, "xmlcharrefreplace") + b"\n"


def make_title(words, choice):
    """Its source in a page, and its text once read."""
    pairs = [(word, word) for word in choice.choices(words, k=choice.randint(3, 10))]
    if choice.random() < 0.5:
        pairs.insert(choice.randrange(len(pairs)), choice.choice(MARKS))
    if words is LATIN and choice.random() < 0.5:
        pairs.append(("“quoted”", "“quoted”"))
    source = pairs[0][0] + "".join(choice.choice(GAPS) + source for source, _ in pairs[1:])
    if choice.random() < 0.2:
        source = f"\n    {source}\n  "
    return source, " ".join(text for _, text in pairs)


def head(source, title, image, meta, words, choice):
    lines = ['<!doctype html>\n<html lang="en">\n<head>']
    if meta:
        lines.append(
            choice.choice(
                [f'<meta charset="{meta}">', f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">']
            )
        )
    lines.append('<meta name="viewport" content="width=device-width, initial-scale=1">')
    if choice.random() < 0.05:
        lines.append("<!-- <title>An old title</title> -->")
    if choice.random() < 0.05:
        lines.append('<script>document.note = "<title>No title</title>";</script>')
    lines += [f'<link rel="stylesheet" href="/style/{number}.css">' for number in range(choice.randint(0, 6))]
    titles = [f"<title>{source}</title>"]
    card = []
    if image:
        card += [
            f'<meta property="og:title" content="{html.escape(title)}">',
            f'<meta property="og:description" content="{" ".join(choice.choices(words, k=20))}">',
            f'<meta property="og:image" content="{image}">',
            '<meta property="og:type" content="article">',
        ]
    lines += card + titles if choice.random() < 0.3 else titles + card
    lines.append(f"<style>{'.box { margin: 0 auto; padding: 1em } ' * choice.randint(0, 100)}</style>")
    lines.append("</head>\n<body>")
    return "\n".join(lines)


def paragraph(words, choice):
    texts = [" ".join(choice.choices(words, k=choice.randint(5, 40))) for _ in range(choice.randint(1, 4))]
    link = f'<a class="more" href="/plain/{choice.randrange(1000)}.html">{choice.choice(words)}</a>'
    image = '<img src="/images/x.png" alt="">'
    return f'<div class="box"><p>{"</p><p>".join(texts)} {link} &amp; {choice.choice(words)}</p>{image}</div>'


def write_files(root: Path, count: int, seed: int) -> list[Page]:
    """PDFs of 30 to 100 KB, without a title that any of the programs reads; and the page of all errors."""
    choice = random.Random(f"files {seed}")
    (root / "error.html").write_text(f"<!doctype html><title>An error</title>{paragraph(LATIN, choice) * 8}")
    (root / "files").mkdir()
    pages = []
    for number in range(count):
        content = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + choice.randbytes(choice.randint(30_000, 100_000)) + b"\n%%EOF\n"
        (root / "files" / f"{number}.pdf").write_bytes(content)
        pages.append(Page(f"/files/{number}.pdf", None, None))
    return pages
