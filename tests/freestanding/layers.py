# SPDX-License-Identifier: MIT
"""The dependency rule, read off the #include lines, the host sources and the symbols of objects. Prints ok and not ok.

    layers.py ROOT [calls [OBJECTS...]]

ROOT is the project's top folder. With `calls`, what sources and objects use, too; OBJECTS are folders of object files
laid out like the sources.
A source file and the header of the same name are one unit. From the ground up:
    core      base, config, format <- bytes <- the analyses, frame <- recorder (weft.h above it) <- hal <- port
              <- boards
    tools/lib the rooms, in the order of ROOMS; above them tools/weft, tools/gcc, tools/qemu
A unit uses what is below it; within a layer any unit may use any other, but never in a circle.
"""
import collections, glob, os, re, subprocess, sys

ROOMS = ("base squeeze image affine grammar emulator recording machine rerun profile fleet input loops misses wet "
         "inspect export report debug host").split()
LAYERS = ("core", "hal", "port", "boards", "tools")
BATCHED = ("tools/lib/", "tools/weft/")  # tools/batches.awk
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include "([^"]+)"', re.M)


def verdict(name, faults):
    for fault in faults:
        print("# " + fault)
    print(("not ok " if faults else "ok ") + name)


def sources(root):
    """Path from the root -> the project's headers that it includes."""
    found = {}
    for layer in LAYERS + ("tests",):
        for folder, _, names in os.walk(os.path.join(root, layer)):
            for name in names:
                if name.endswith((".c", ".h", ".cc")):
                    path = os.path.join(folder, name)
                    with open(path, errors="replace") as file:
                        found[os.path.relpath(path, root)] = INCLUDE.findall(file.read())
    return found


def module(path):
    """core/bfcm_word.h is a part of bfcm."""
    return os.path.basename(path).split(".")[0].split("_")[0]


def core_allows(path, header):
    own = module(path)
    if header.startswith("core/") and module(header) == own:
        return True
    if own in ("base", "config"):
        return header == "core/config.h"
    if own == "bytes":
        return header == "core/base.h"
    if own == "weft":
        return header.startswith("core/")
    if own == "recorder":
        return header.startswith(("core/", "hal/")) and header != "core/weft.h"
    return re.match(r"core/(base|config|format|bytes)\.h$", header) is not None


def tools_allow(path, header):
    if "/" not in header:
        return path.startswith("tools/gcc/")  # the compiler's own
    if header == "core/recorder.h" and path.startswith("tools/lib/"):
        return path.endswith("_write.c")  # readers know the format alone
    if not header.startswith("tools/lib/"):
        return header.startswith(("core/", "hal/", "port/host/")) or os.path.dirname(path) == os.path.dirname(header)
    if not path.startswith("tools/lib/"):
        return True
    here, there = path.split("/")[2], header.split("/")[2]
    return here in ROOMS and there in ROOMS and ROOMS.index(there) <= ROOMS.index(here)


def allowed(path, header):
    if header == "core/own.h":  # the mark of a source file of the target
        return path.endswith(".c") and path.startswith(("core/", "port/cortex-m/", "port/rtos/", "boards/"))
    if path == "port/cortex-m/program/check_target.c":
        return header.startswith("port/cortex-m/") or header == "tests/lib/check.h"
    below = {
        "core": core_allows,
        "hal": lambda p, h: h == "core/base.h" or h.startswith("hal/"),
        "port/host": lambda p, h: h.startswith(("core/", "hal/", "port/host/")),
        "port": lambda p, h: h.startswith(("core/", "hal/", "port/cortex-m/", "port/rtos/")) or h == "boards/board.h",
        "boards": lambda p, h: h.startswith(("hal/", "port/cortex-m/")) or h == "boards/board.h",
        "tools": tools_allow,
    }
    layer = "port/host" if path.startswith("port/host/") else path.split("/")[0]
    return below[layer](path, header)


def check_layers(files):
    for layer in LAYERS:
        mine = [p for p in sorted(files) if p.startswith(layer + "/")]
        faults = ["%s includes %s" % (p, h) for p in mine for h in files[p] if not allowed(p, h)]
        verdict("%s (%d files) keeps to the dependency rule" % (layer, len(mine)), faults if mine else ["no files"])


def check_rooms(root):
    faults = []
    for room in sorted(os.listdir(os.path.join(root, "tools/lib"))):
        header = os.path.join(root, "tools/lib", room, "room.h")
        if room not in ROOMS:
            faults.append("tools/lib/%s is not in the list of rooms (ROOMS in tests/freestanding/layers.py)" % room)
        if not os.path.exists(header):
            faults.append("tools/lib/%s/room.h is missing: what the room is for, what goes in, what comes out" % room)
        else:
            comment = re.search(r"/\*((?:(?!\*/).)*\n(?:(?!\*/).)*)\*/", open(header).read(), re.S)
            if not comment or not 5 <= comment[1].count("\n") + 1 <= 20:
                faults.append("tools/lib/%s/room.h has no comment of about ten lines" % room)
    verdict("every room says what it is for", faults)


def unit(path):
    return os.path.splitext(path)[0]


def include_edges(files):
    edges = {}
    for path in files:
        for header in files[path]:
            target = header if header in files else os.path.join(os.path.dirname(path), header)
            if target in files and unit(target) != unit(path):
                edges.setdefault(unit(path), {})[unit(target)] = "includes"
    return edges


def object_symbols(files, folder):
    """Of the objects in FOLDER: (unit, kind, symbol). An object whose source is gone is left out."""
    objects = []
    for path in glob.glob(folder + "/**/*.o", recursive=True):
        name = unit(os.path.relpath(path, folder))
        if name + ".c" in files and not name.startswith(("tests/", *BATCHED)):
            objects.append(path)
    if not objects:
        return [], 0
    listing = subprocess.run(["nm", "-A"] + objects, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    found = []
    for line in listing.splitlines():
        place, symbol = line.rsplit(" ", 1)
        name, kind = place.split(":", 1)[0], place.rsplit(" ", 1)[-1]
        found.append((unit(os.path.relpath(name, folder)), kind, symbol))
    return found, len(objects)


NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.S)
DEFINED = re.compile(r"^(?!typedef\b|extern\b|return\b|else\b|(?:struct|enum|union) \w+ \{)[A-Za-z_][\w \*]*?\b(\w+)"
                     r"(?:\((?:[^;{}])*\)\n\{|(?:\[[^\]]*\])*(?: =|;))", re.M)


def text_symbols(root, files):
    """The same of the sources that are compiled in batches, which have no objects of their own. What an inline function
    of a header uses is not seen as its caller's, but the caller includes that header."""
    texts = {path: NO_CODE.sub(" ", open(os.path.join(root, path), errors="replace").read()) for path in files
             if path.startswith(BATCHED)}
    headers = "\n".join(text for path, text in texts.items() if path.endswith(".h"))
    external = set(re.findall(r"^extern [^;]*?(\w+)(?:\[[^\]]*\])*;", headers, re.M))
    sources = {unit(path): text for path, text in texts.items() if path.endswith(".c")}
    own, defined = {name: set() for name in sources}, {}
    for name, text in sources.items():
        for match in DEFINED.finditer(text):
            own[name].add(match[1])
            known = match[0].endswith("{") or match[1] in external
            if known and not match[0].startswith("static ") and match[1] != "main":
                defined[match[1]] = name
    found = [(name, "T", symbol) for symbol, name in defined.items()]
    # Once more than their declaration: by an inline function of a header.
    found += [("a header", "U", symbol) for symbol, count in collections.Counter(re.findall(r"\w+", headers)).items()
              if symbol in defined and count > 1]
    for name, text in sources.items():
        for word in set(re.findall(r"(?<![.\w>])[A-Za-z_]\w*", text)) - own[name]:
            if word in defined:
                found.append((name, "U", word))
    return found, len(sources)


def call_edges(found):
    """Between the units of these symbols."""
    defined = {symbol: name for name, kind, symbol in found if kind in "TDBRCVW"}
    edges = {}
    for name, kind, symbol in found:
        if kind == "U" and name != "a header" and defined.get(symbol, name) != name:
            edges.setdefault(name, {})[defined[symbol]] = "uses " + symbol
    return edges


def check_used(root, files, found):
    """A function that other files could call is called by one. libweft's interface is for other programs."""
    used = {symbol for _, kind, symbol in found if kind == "U"}
    seen = {symbol: name for name, kind, symbol in found
            if kind == "T" and name.startswith("tools/lib/") and not symbol.startswith("weft_host_")}
    words = set()
    for path in files:
        if path.startswith("tests/"):
            with open(os.path.join(root, path), errors="replace") as file:
                words.update(re.findall(r"\w+", file.read()))
    left = sorted(set(seen) - used - words)
    verdict("each of %d functions of tools/lib is used by another file" % len(seen),
            ["%s: no other file uses %s" % (seen[symbol], symbol) for symbol in left])


def circles(edges):
    """The strongly connected parts of two units and more (Tarjan 1972), each with the edges within it."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in edges.get(node, {}):
            if target not in order:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], order[target])
        if low[node] == order[node]:
            part = stack[stack.index(node):]
            del stack[-len(part):]
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def check_circles(name, edges):
    faults = []
    for part in circles(edges):
        faults.append("circle: " + ", ".join(part))
        faults += ["    %s %s%s" % (a, why, "" if " " in why else " " + b) + (" of " + b if " " in why else "")
                   for a in part for b, why in sorted(edges[a].items()) if b in part]
    verdict(name, faults)


def main():
    root = sys.argv[1]
    files = sources(root)
    check_layers(files)
    check_rooms(root)
    edges = include_edges(files)
    check_circles("no circle in what %d files include" % len(files), edges)
    if sys.argv[2:3] != ["calls"]:
        return
    found, count = text_symbols(root, files)
    uses = [call_edges(found)]
    check_circles("no circle in what %d host sources use" % count, uses[0])
    check_used(root, files, found)
    for folder in sys.argv[3:]:
        found, count = object_symbols(files, folder)
        uses.append(call_edges(found))
        check_circles("no circle in what the %d objects of %s use" % (count, folder), uses[-1])
    for a, b, why in ((a, b, why) for part in uses for a, used in part.items() for b, why in used.items()):
        edges.setdefault(a, {}).setdefault(b, why)
    check_circles("no circle in what files include and use", edges)


if __name__ == "__main__":
    main()
