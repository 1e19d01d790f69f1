# SPDX-License-Identifier: MIT
"""Holds weft coverage against gcov: compare.py PRINTED COVERAGE.json [KNOWN...]

PRINTED is what dump.c printed, COVERAGE.json what `weft coverage --json` did. Prints what differs, and last
`lines SAME DIFFER branches SAME DIFFER ways GCOV WEFT`: lines that both count, lines with branches, and the ways out of
branches in all.

KNOWN are places, FILE:LINE, or `any`, where what gcov prints is not what ran: it prints one thing, its own counters say another
(graph.py), and that is what Weft must say. They are not counted, but for those that are given and do not differ so:
- A line in several functions (inlined, or in a macro), or in several blocks of one. gcov counts blocks that end on it
  anywhere; where one does, those that only hold it do not count. So a line that ran has 0, or less than it ran.
- A label before a loop: gcov counts the loop's first block, so each turn counts as one of the label.
- The branch of a block of several files (of an inlined function) is printed at a line of each of them."""
import collections, json, os, re, subprocess, sys, tempfile

import graph


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
    """Counts of lines, and of ways out by line."""
    lines, ways = collections.Counter(), collections.defaultdict(list)
    for name, data in files.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, os.path.basename(name))
            with open(copy, "wb") as out:
                out.write(data)
            os.symlink(os.path.abspath(name[:-2] + "no"), copy[:-2] + "no")
            out = subprocess.run(["arm-none-eabi-gcov", "-t", "-b", "-c", copy], capture_output=True, text=True)
            read(out.stdout, lines, ways)
    return lines, ways


def read(text, lines, ways):
    place = source = None
    for line in text.split("\n"):
        at = re.match(r"\s*([^:]+):\s*(\d+):(.*)", line)
        way = re.match(r"branch\s+\d+ (?:never executed|taken (\d+))", line)
        if at and at.group(2) == "0":
            source = os.path.basename(at.group(3)[7:]) if at.group(3).startswith("Source:") else source
        elif at:
            place, count = (source, int(at.group(2))), at.group(1).strip().rstrip("*")
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


class Own:
    """What gcov's own counters say."""

    def __init__(self, files):
        self.functions = [f for name, data in files.items() for f in graph.functions(name[:-2] + "no", data)]

    def reason(self, place, mine):
        """Why what Weft says of a place is right; None."""
        counts = [f.count(place) for f in self.functions]
        if None not in counts and sum(counts) == mine:
            return "function by function it is " + str(mine)
        if sum(f.entered(place) for f in self.functions) == mine:
            return "control came to the label that often"
        return None

    def reason_of_ways(self, place, ways):
        counted = sorted(n for f in self.functions for n in f.ways(place))
        if counted == sorted(ways):
            return "the other ways are those of another line's block"
        if len(counted) > len(ways) == 2 and sum(counted) == sum(ways):
            return "a switch whose comparisons have no place"
        return None


def main():
    files, known = dumped(sys.argv[1]), set(sys.argv[3:])
    lines, ways = gcov_of(files)
    my_lines, my_ways = weft_of(sys.argv[2])
    own = Own(files) if known else None
    both = [k for k in my_lines if k in lines]
    places = [k for k in ways if k in my_lines]
    differ = {k: "line" for k in both if lines[k] != my_lines[k]}
    others = {k: "branch" for k in places if sorted(ways[k]) != sorted(my_ways.get(k, []))}
    for found, theirs, mine in ((differ, lines, my_lines), (others, ways, my_ways)):
        for k in list(found):
            name = k[0] + ":" + str(k[1])
            why = None
            if name in known or "any" in known:
                why = own.reason(k, mine[k]) if found is differ else own.reason_of_ways(k, mine.get(k, []))
            print(found[k], name, "gcov", theirs[k], "weft", mine.get(k), "" if why is None else "known: " + why)
            if why is not None:
                del found[k]
                known.discard(name)
    known.discard("any")
    for name in known:
        print("no difference that is known so:", name)
    print("lines", len(both) - len(differ), len(differ) + len(known), "branches", len(places) - len(others),
          len(others), "ways", sum(len(v) for v in ways.values()), sum(len(v) for v in my_ways.values()))


main()
