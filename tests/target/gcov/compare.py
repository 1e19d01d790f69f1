# SPDX-License-Identifier: MIT
"""Holds weft coverage against gcov: compare.py PRINTED COVERAGE.json [KNOWN]

PRINTED is what dump.c printed, COVERAGE.json what `weft coverage --json` did. Prints what differs, and last
`lines SAME DIFFER branches SAME DIFFER ways GCOV WEFT`: lines that both count, lines with branches (of a switch each
case of gcov's is one of Weft's, since the compiler makes comparisons of it), and the ways out of branches in all."""
import collections, json, os, re, subprocess, sys, tempfile


def dumped(path):
    """The counters' files: name and bytes."""
    files, name = {}, None
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        if line.startswith("gcda "):
            name = line[5:]
            files[name] = ""
        elif name and re.fullmatch("[0-9a-f]+", line):
            files[name] += line
    return {name: bytes.fromhex(text) for name, text in files.items()}


def gcov_of(files):
    """Counts of lines, of ways out by line, and the lines of switches."""
    lines, ways, switches = collections.Counter(), collections.defaultdict(list), set()
    for name, data in files.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, os.path.basename(name))
            with open(copy, "wb") as out:
                out.write(data)
            os.symlink(os.path.abspath(name[:-2] + "no"), copy[:-2] + "no")
            out = subprocess.run(["arm-none-eabi-gcov", "-t", "-b", "-c", copy], capture_output=True, text=True)
            read(out.stdout, lines, ways, switches)
    return lines, ways, switches


def read(text, lines, ways, switches):
    place = source = None
    for line in text.split("\n"):
        at = re.match(r"\s*([^:]+):\s*(\d+):(.*)", line)
        way = re.match(r"branch\s+\d+ (?:never executed|taken (\d+))", line)
        if at and at.group(2) == "0":
            source = os.path.basename(at.group(3)[7:]) if at.group(3).startswith("Source:") else source
        elif at:
            place, count = (source, int(at.group(2))), at.group(1).strip().rstrip("*")
            if re.match(r"\s*switch\b", at.group(3)):
                switches.add(place)
            if count != "-":
                lines[place] += int(count) if count.isdigit() else 0
        elif way and place:
            ways[place].append(int(way.group(1) or 0))


def weft_of(path):
    lines, ways = collections.Counter(), collections.defaultdict(list)
    for f in json.load(open(path))["files"]:
        name = os.path.basename(f["file"])
        for line in f["lines"]:
            lines[name, line["line"]] += line["count"]
        for b in f["branches"]:
            taken = [b["taken"], b["not_taken"]] if b["ways"] == 2 else [b["taken"]]
            ways[name, b["line"]].extend(taken)
    return lines, ways


def agree(place, theirs, mine, switches):
    left = collections.Counter(theirs) - collections.Counter(mine)
    return not left and (place in switches or len(theirs) == len(mine))


def main():
    lines, ways, switches = gcov_of(dumped(sys.argv[1]))
    my_lines, my_ways = weft_of(sys.argv[2])
    both = [k for k in my_lines if k in lines]
    differ = [k for k in both if lines[k] != my_lines[k]]
    places = [k for k in ways if k in my_lines]
    others = [k for k in places if not agree(k, ways[k], my_ways.get(k, []), switches)]
    for k in differ:
        print("line", *k, "gcov", lines[k], "weft", my_lines[k])
    for k in others:
        print("branch", *k, "gcov", ways[k], "weft", my_ways.get(k))
    print("lines", len(both) - len(differ), len(differ), "branches", len(places) - len(others), len(others), "ways",
          sum(len(v) for k, v in ways.items() if k not in switches),
          sum(len(v) for k, v in my_ways.items() if k not in switches))


main()
