# SPDX-License-Identifier: MIT
"""What the page of a fleet shows in a headless Chromium. Prints ok and not ok lines.

    fleet_page_check.py PAGE RARE.json COMPARE.json

RARE.json and COMPARE.json are what `weft fleet rare --json` and `weft fleet compare --json` printed.
"""
import json, os, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from browser import Browser  # noqa: E402

ROWS = """[...document.querySelectorAll("#%s tbody tr")].filter(r => !r.hidden).map(r => [r.className,
    ...[...r.cells].map(c => c.textContent.trim())])"""
TYPE = """(f => { f.value = "%s"; f.dispatchEvent(new Event("input")); })(document.getElementById("filter"))"""


def verdict(name, good, *why):
    for w in why if not good else ():
        print("# " + str(w)[:400])
    print(("ok " if good else "not ok ") + name)


path, rare, compare = sys.argv[1], json.load(open(sys.argv[2])), json.load(open(sys.argv[3]))
with tempfile.TemporaryDirectory() as folder, Browser(folder) as browser:
    page = browser.open("file://" + os.path.abspath(path), 1200, 900)
    rows = page.run(ROWS % "rare")
    shown = sorted((int(r[3].replace(",", "")), int(r[2].replace(",", "")), r[4]) for r in rows)
    wanted = sorted((p["count"], p["instructions"], ", ".join(p["devices"])) for p in rare["paths"])
    verdict("the rare paths are those of weft fleet rare (%d)" % len(rows), shown == wanted, shown, wanted)
    rows = page.run(ROWS % "compare")
    shown = [(r[0], r[1], r[2]) for r in rows if r[0] in ("slower", "faster")]
    wanted = [(f["verdict"], "%.2f" % f["before"], "%.2f" % f["after"]) for f in compare["functions"]]
    verdict("what changed is that of weft fleet compare", shown == wanted and wanted, shown, wanted)
    verdict("the others are noise", any(r[0] == "noise" for r in rows), rows)
    at = [i for i, r in enumerate(rows) if r[0] == "slower"][0]
    verdict("below it stand its paths", rows[at + 1][0] == "of-path" and "filter" in rows[at + 1][6], rows[at + 1])
    colours = [page.run("getComputedStyle(document.querySelector('#compare tr.%s td')).color" % c)
               for c in ("slower", "noise")]
    verdict("noise has another colour", colours[0] != colours[1], colours)
    empty = page.run("[...document.querySelectorAll('main tbody')].filter(b => !b.rows.length).length")
    verdict("each table has rows, or says that it has none", empty == 0, empty)
    verdict("the lines that nobody ran", len(page.run(ROWS % "uncovered")) > 0)
    before = len(page.run(ROWS % "top"))
    page.run(TYPE % "ALARM")
    rows = page.run(ROWS % "top")
    verdict("the field leaves rows that have its text", 0 < len(rows) < before and
            all("alarm" in " ".join(r).lower() for r in rows), rows)
    page.run(TYPE % "")
    verdict("and all when it is empty", len(page.run(ROWS % "top")) == before)
    narrow = browser.open("file://" + os.path.abspath(path), 400, 800)
    verdict("no page is wider than its window",
            narrow.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
            narrow.run("document.documentElement.scrollWidth"))
    verdict("no errors, no requests", not page.errors and not narrow.errors, page.errors, narrow.errors)
