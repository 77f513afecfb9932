"""Follows every link of a folder of pages that stays within it: the file is there, and so is the place in it.

Usage: links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Served by itself at the root of a site, whatever page is missing.
APART = {"404.html"}


class Page(HTMLParser):
    """The links of a page, and the places in it that links may name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.twice = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" or (tag == "a" and name == "name"):
                (self.twice.append(value) if value in self.places else self.places.add(value))


folder = Path(sys.argv[1]).resolve()
pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html")) if path.name not in APART}
count, faults = 0, []
for path, page in pages.items():
    faults += [f"{path.name}: two elements have the id {name}" for name in page.twice if path.name != "print.html"]
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        count += 1
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file():
            faults.append(f"{path.name}: {link} leads to no file")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
            faults.append(f"{path.name}: {link} leads to no place in its page")
for fault in faults:
    print(fault, file=sys.stderr)
print(f"links: {count} in {len(pages)} pages, {len(faults)} faults")
sys.exit(1 if faults or not count else 0)
