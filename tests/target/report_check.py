# SPDX-License-Identifier: MIT
"""What a page of `weft report` shows in a headless Chromium. Prints ok and not ok lines.

    report_check.py NAME PAGE REPORT.json FUNCTIONS.json [NAME ...]

REPORT.json is what `weft report --json` printed, FUNCTIONS.json what `weft functions --json` did.
"""
import json, os, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from browser import Browser  # noqa: E402

PICTURES = ("flame", "heat", "contexts")
# The plot of a picture, copied so that the page's own canvas is not read.
PIXELS = """const c = document.querySelector("#" + id + " canvas"), t = document.createElement("canvas");
    t.width = c.width; t.height = c.height;
    const g = t.getContext("2d", {willReadFrequently: true}); g.drawImage(c, 0, 0);
    const d = new Uint32Array(g.getImageData(150, 0, c.width - 150, c.height).data.buffer);"""
COLOURS = "(id => { " + PIXELS + "return new Set(d).size; })"
SNAPSHOT = "(id => { " + PIXELS + "let h = 0; for (const v of d) h = Math.imul(h, 31) + v | 0; return h; })"
TABLE = """[...document.querySelectorAll("#functions tbody tr")]
    .map(r => [...r.cells].map(c => c.textContent.trim()))"""
MARKS = """[...document.querySelectorAll('.picture .mark')].filter(m => !m.hidden).map(m => m.style.left)"""
TEXTS = """['flame-text', 'heat-text', 'contexts-text'].map(i => document.getElementById(i).textContent.length)"""
LABELS = """[...document.querySelectorAll('canvas')].every(c =>
    c.closest('[role=img]') && (c.closest('[role=img]').getAttribute('aria-label') || '').length > 9)"""


def verdict(name, good, *why):
    for w in why if not good else ():
        print("# " + str(w)[:400])
    print(("ok " if good else "not ok ") + name)


def state(page, key):
    return [page.run("document.getElementById('%s').dataset.%s" % (p, key)) for p in PICTURES]


def centre(page, picture, share):
    return page.run("(r => [r.left + 150 + (r.width - 150) * %f, r.top + Math.min(9, r.height / 2)])"
                    "(document.getElementById('%s').getBoundingClientRect())" % (share, picture))


def numbers(name, page, report, functions):
    figure = {k: page.run("document.getElementById('figure-%s').textContent" % k)
              for k in ("total", "functions", "contexts", "lost")}
    wanted = {k: "{:,}".format(report[k]) for k in figure}
    verdict(name + ": the figures are those of weft report --json", figure == wanted, figure, wanted)
    wanted = sorted((f["name"], "{:,}".format(f["self"]), "{:,}".format(f["inclusive"]), "{:,}".format(f["calls"]))
                    for f in functions["functions"])
    rows = sorted((r[0], r[1], r[3], r[4]) for r in page.run(TABLE))
    verdict(name + ": the functions are those of weft functions --json (%d)" % len(rows), rows == wanted,
            [r for r in rows if r not in wanted][:3], [w for w in wanted if w not in rows][:3])
    shown = page.run("document.getElementById('sentence').textContent")
    verdict(name + ": the sentence says the total", "{:,}".format(functions["total"]) in shown, shown)


def pointer(name, page):
    for picture in PICTURES:
        x, y = centre(page, picture, 0.43)
        page.run("document.getElementById('%s').scrollIntoView({block: 'center'})" % picture)
        x, y = centre(page, picture, 0.43)
        page.pointer("mouseMoved", x, y)
        marks = state(page, "mark")
        places = page.run(MARKS)
        verdict("%s: the pointer over %s marks the same moment in all three" % (name, picture),
                marks[0] is not None and len(set(marks)) == 1 and len(places) == 3 and len(set(places)) == 1,
                marks, places)
    said = page.run("document.getElementById('readout').textContent")
    at = "{:,}".format(int(marks[0]))
    rows = page.run(TABLE)
    named = at in said and any(r[0] in said for r in rows) and ":" in said
    verdict(name + ": and names function and line", named, said)


def zoom(name, page):
    before, pixels = state(page, "from"), [page.run(SNAPSHOT + "('%s')" % p) for p in PICTURES]
    x, y = centre(page, "flame", 0.5)
    page.run("document.getElementById('flame').scrollIntoView({block: 'center'})")
    x, y = centre(page, "flame", 0.5)
    page.pointer("mouseWheel", x, y, deltaX=0, deltaY=-600)
    page.frame()
    begin, end = state(page, "from"), state(page, "to")
    moved = [page.run(SNAPSHOT + "('%s')" % p) for p in PICTURES]
    verdict(name + ": the wheel zooms all three", len(set(begin)) == 1 and len(set(end)) == 1 and begin != before,
            before, begin, end)
    verdict(name + ": and they are drawn anew", all(a != b for a, b in zip(pixels, moved)), pixels, moved)
    page.pointer("mousePressed", x, y, button="left", clickCount=1)
    page.pointer("mouseMoved", x + 60, y, button="left", buttons=1)
    page.pointer("mouseReleased", x + 60, y, button="left", clickCount=1)
    panned = state(page, "from")
    earlier = len(set(panned)) == 1 and int(panned[0]) < int(begin[0])
    verdict(name + ": dragging moves all three", earlier, begin, panned)
    page.key("+")
    span = int(state(page, "to")[0]) - int(state(page, "from")[0])
    page.key("0")
    nearer = span < int(end[0]) - int(begin[0])
    verdict(name + ": the keys + and 0 zoom", nearer and state(page, "from") == before, span)
    was = state(page, "mark")
    page.key("ArrowRight")
    now = state(page, "mark")
    verdict(name + ": an arrow key moves the mark", len(set(now)) == 1 and was != now, was, now)


def exact(name, page, path):
    """The grammar of the run: what it stands for costs what the table says, and a narrow part is drawn from it."""
    with open(path) as file:
        text = file.read()
    begin = text.index('id="data">') + len('id="data">')
    data = json.JSONDecoder().raw_decode(text[begin:])[0]
    if "zoom" not in data:
        return
    terminals, rules = data["zoom"]["terminals"], data["zoom"]["rules"]
    uses, waiting = [0] * len(rules), [0] * len(rules)
    uses[0], ready, cost = 1, [0], {}
    for rule in rules:
        for symbol in rule[::2]:
            if symbol < 0:
                waiting[-1 - symbol] += 1
    while ready:  # a rule comes after all rules that use it
        r = ready.pop()
        for symbol, count in zip(rules[r][::2], rules[r][1::2]):
            if symbol < 0:
                uses[-1 - symbol] += uses[r] * count
                waiting[-1 - symbol] -= 1
                if not waiting[-1 - symbol]:
                    ready.append(-1 - symbol)
            else:
                node, _, each = terminals[3 * symbol:3 * symbol + 3]
                function = data["nodes"][node][1]
                cost[function] = cost.get(function, 0) + uses[r] * count * each
    wanted = {i: f[4] for i, f in enumerate(data["functions"]) if f[4]}
    verdict("%s: the grammar of the run (%d rules) gives each function its instructions" % (name, len(rules)),
            cost == wanted, cost, wanted)
    for _ in range(40):
        page.key("+")
    span = int(state(page, "to")[0]) - int(state(page, "from")[0])
    verdict(name + ": a narrow part is drawn from it", span < 100 and
            page.run("document.getElementById('flame').dataset.exact") == "yes", span)
    page.key("0")


def why(name, page):
    """The trees of --why: they unfold, and mark their moments."""
    inner = "document.querySelector('#why .tree details:not(.leaf):not([open])')"
    page.run(inner + ".id = 'folded'")
    before = page.run("document.querySelector('#folded > ul').checkVisibility()")
    page.run("document.querySelector('#folded > summary').click()")
    after = page.run("document.querySelector('#folded > ul').checkVisibility()")
    verdict(name + ": a click on a value unfolds what made it", not before and after, before, after)
    page.run("document.querySelector('#why .tree button').click()")
    page.frame()
    at, marks = page.run("document.querySelector('#why .tree button').textContent"), state(page, "mark")
    verdict(name + ": and its moment is marked in all three", {"{:,}".format(int(m)) for m in marks} == {at}, at, marks)


NARROW = """[...document.querySelectorAll(":is(#calls, #stack, #interrupts, #registers) tbody td.name:last-child")]
    .filter(c => c.textContent.trim()).map(c => Math.round(c.getBoundingClientRect().right))
    .filter(right => right > innerWidth)"""
TITLES = """[...document.querySelectorAll(".walk h3 code")].map(t => t.textContent)"""


def narrow(name, page):
    """On a narrow screen no text of a chain is beside the screen."""
    page.size(400, 900)
    page.frame()
    outside = page.run(NARROW)
    width = page.run("document.documentElement.scrollWidth")
    verdict(name + ": a narrow screen shows each chain", not outside and width <= 400, outside[:5], width)
    named = page.run("document.querySelector('#flame').dataset.named")
    verdict(name + ": and a name in the first row of functions", named.split(",")[0] == "0", named)
    page.size(800, 600)
    page.frame()
    wide = page.run("(box => box.scrollWidth - box.clientWidth)(document.querySelector('#functions .scroll'))")
    verdict(name + ": 800 pixels are enough for the table of functions", wide <= 0, wide)
    page.size(1400, 900)
    page.frame()


def words(name, page):
    said = page.run("document.getElementById('sentence').textContent")
    verdict(name + ": the sentence names no function that does not matter", "(0." not in said, said)
    texts = page.run("[...document.querySelectorAll('.walk p, .loop > div')].map(p => p.textContent)")
    verdict(name + ": no text has a hole", not any(" ," in t or "  " in t for t in texts), texts)


def check(browser, name, path, report, functions):
    page = browser.open("file://" + os.path.abspath(path), 1400, 900)
    size = os.path.getsize(path)
    # Other work on the machine slows the page, so its processor time counts, too.
    seconds = min(page.seconds, page.used)
    verdict("%s: one file below 1 MB (%d bytes) that opens in less than a second" % (name, size),
            size < 1000000 and size == report["bytes"] and seconds < 1, page.seconds, page.used, report["bytes"])
    colours = {p: page.run(COLOURS + "('%s')" % p) for p in PICTURES}
    # An empty picture has a few colours, too: its ground, lines, and the letters' shades.
    verdict(name + ": no picture is empty", all(n > 5 for n in colours.values()), colours)
    texts, labels = page.run(TEXTS), page.run(LABELS)
    verdict(name + ": each picture has a text alternative", min(texts) > 40 and labels, texts, labels)
    numbers(name, page, report, functions)
    pointer(name, page)
    zoom(name, page)
    exact(name, page, path)
    if page.run("!!document.getElementById('why')"):
        why(name, page)
    titles = page.run(TITLES)
    verdict(name + ": walks have names", bool(titles) and not any(t.startswith("at 0x") for t in titles), titles)
    narrow(name, page)
    words(name, page)
    verdict(name + ": nothing in the console, nothing from the network", not page.errors, *page.errors[:3])
    page.close()


def says(arguments):
    """NAME PAGE ELEMENT TEXT...: what an element (a CSS selector) says."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Browser(folder) as browser:
        for name, path, element, wanted in zip(*[iter(arguments)] * 4):
            page = browser.open("file://" + os.path.abspath(path), 1400, 900)
            text = page.run("document.querySelector('%s').textContent" % element)
            verdict(name, wanted in text and not page.errors, text[:300], *page.errors[:3])
            page.close()


def main(arguments):
    if arguments[0] == "--says":
        return says(arguments[1:])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Browser(folder) as browser:
        for i in range(0, len(arguments), 4):
            name, path, report, functions = arguments[i:i + 4]
            with open(report) as a, open(functions) as b:
                check(browser, name, path, json.load(a), json.load(b))


main(sys.argv[1:])
