#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the --json of several commands on one recording against each other, for tests/target/figures.sh:
figures.py WORKLOAD RECORDING FOLDER. RECORDING: run (with probes), gap (the same with damaged frames) or full. FOLDER
has a file for each command, and `statuses`, a line for each: its name and its exit status. Prints `ok` or `not ok` for
each figure."""
import json
import os
import sys

workload, kind, folder = sys.argv[1:]
said = {}
for name in os.listdir(folder):
    if name != "statuses":
        text = open(os.path.join(folder, name)).read()
        said[name.strip("_")] = json.loads(text) if text else {}
statuses = [line.split() for line in open(os.path.join(folder, "statuses"))]
exports = {name: data for name, data in said.items() if name.startswith("export")}
info, functions, overview, coverage = (said[name] for name in ("info", "functions", "overview", "coverage"))
report = next(data for name, data in said.items() if name.startswith("report"))
paths = next((data for name, data in said.items() if name.startswith("paths")), None)


def agree(what, figures):
    """figures: by who says it"""
    right = len(set(figures.values())) == 1
    if not right:
        print("# %s" % figures)
    print("%s %s, %s: %s: %d say %s" % ("ok" if right else "not ok", workload, kind, what, len(figures),
                                        sorted(map(str, set(figures.values())))[0]))


def of_exports(key, leave=()):
    return {name: data.get(key) for name, data in exports.items() if not any(f in name for f in leave)}


agree("exit status", dict(statuses))
agree("instructions", {"functions": functions["total"], "their self": sum(f["self"] for f in functions["functions"]),
                       "overview": overview["total"], "its self": sum(f["self"] for f in overview["functions"]),
                       "report": report["total"], **of_exports("total", ["lcov"])})
agree("calls", {"functions": sum(f["calls"] for f in functions["functions"]),
                "overview": sum(f["calls"] for f in overview["functions"])})
agree("events", {"info": info["events"], "overview": overview["events"]})
agree("events lost", {"info": info["lost"], "overview": overview["lost"]})
agree("lines that ran", {"coverage": coverage["lines_hit"], **of_exports("total", [
    f for f in ("folded", "callgrind", "pprof", "speedscope", "perfetto", "chrome", "ctf", "csv", "sqlite")])})
agree("paths lost", {"info": info["paths"]["lost"], "functions": functions["lost"], "coverage": coverage["lost"],
                     "report": report["lost"], **of_exports("lost")})
if paths:
    agree("paths", {"info": info["paths"]["recorded"], "coverage": coverage["paths"],
                    "paths": sum(p["count"] for p in paths["paths"])})
if kind == "full":
    agree("instructions recorded", {"functions": functions["total"], "coverage": coverage["instructions"]})
if kind == "gap":
    print("%s %s, %s: the gap lost paths" % ("ok" if info["paths"]["lost"] else "not ok", workload, kind))
else:
    entered = {(f["name"], f["line"]): f["count"] for file in coverage["files"] for f in file["functions"]}
    both = [f for f in functions["functions"] if (f["name"], f["line"]) in entered]
    agree("calls of functions that functions and coverage both have", {
        "functions": tuple((f["name"], f["calls"]) for f in both),
        "coverage": tuple((f["name"], entered[f["name"], f["line"]]) for f in both)})
