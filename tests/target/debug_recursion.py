#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: debug_recursion.py NAME WEFT X.wet APP.elf INSTANTS [SEED]

The real client goes out of calls, in both directions, at random instants of a program that calls itself. Which call is
open at an instant follows from the list of instructions that executed (`weft wet control`): a bl whose successor is
another address opens one, and it ends where the instruction after that bl executes at the same depth. `finish` must
stop after the call, `reverse-finish` at it, and `backtrace` must name the calls that are open."""
import json
import random
import re
import subprocess
import sys

name, weft, wet, elf, count = sys.argv[1:6]
random.seed(int(sys.argv[6]) if len(sys.argv) > 6 else 1)


def executed():
    """(time, place on its path, address, text) of each instruction."""
    text = subprocess.run([weft, "wet", "control", wet], stdout=subprocess.PIPE, check=True, text=True).stdout
    lines, last, place = [], None, 0
    for line in text.splitlines():
        step = json.loads(line)
        place = place + 1 if step["t"] == last else 0
        last = step["t"]
        lines.append((step["t"], place, step["address"], step["text"]))
    return lines


def functions():
    """Those of the program's own that are called again while they run, or by those."""
    text = subprocess.run(["arm-none-eabi-nm", "-S", elf], stdout=subprocess.PIPE, check=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[3] in ("twice", "even", "odd", "leaving"):
            found[fields[3]] = (int(fields[0], 16) & ~1, int(fields[1], 16))
    return found


def calls_of(steps):
    """For each step the calls that are open before it, as a linked list: (index of the bl, those before); None: none."""
    opened, now = [], None
    for i, (_, _, address, _) in enumerate(steps):
        if i and re.match(r"blx?\b", steps[i - 1][3]) and address != steps[i - 1][2] + 4:
            now = (i - 1, now)
        elif now and address == steps[now[0]][2] + 4:
            now = now[1]
        opened.append(now)
    return opened


def session(commands):
    script = "\n".join(["set pagination off", "set width 0", "set confirm off", "file " + elf,
                        "target remote | %s gdb %s --elf %s --stdio" % (weft, wet, elf)] + commands)
    run = subprocess.run(["gdb-multiarch", "-q", "-nx", "-batch", "-x", "/dev/stdin"], input=script,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return run.stdout


def asks(steps, chosen, command):
    """What gdb stands at after a command at each instant: (time, place), and the names of its backtrace before it."""
    commands = []
    for i in chosen:
        commands += ["monitor weft goto %d.%d" % steps[i][:2], "maintenance flush register-cache", "echo \\n@before\\n",
                     "backtrace", "echo \\n@go\\n", command, "echo \\n@after\\n", "monitor weft time"]
    found = []
    for part in session(commands).split("@before\n")[1:]:
        calls = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(", part.split("@go\n")[0], re.M)
        at = re.search(r"; (\d+)\.(\d+)  0x", part.split("@after\n")[-1])
        found.append(((int(at.group(1)), int(at.group(2))) if at else None, calls, part))
    return found


def check(what, wrong, total, first):
    print("%s debug_%s_%s" % ("ok" if total and not wrong else "not ok", name.replace("-", "_"), what))
    print("# %d of %d differ" % (wrong, total) + (": " + first if first else ""))


def main():
    steps, places = executed(), functions()
    opened = calls_of(steps)
    inside = [i for i, s in enumerate(steps) if any(a <= s[2] < a + size for a, size in places.values()) and opened[i]]
    chosen = sorted(random.sample(inside, min(int(count), len(inside))))
    names = {a: n for n, (a, _) in places.items()}
    for command in ("finish", "reverse-finish"):
        wrong, first, depth_wrong, depth_first = 0, "", 0, ""
        for i, (at, calls, text) in zip(chosen, asks(steps, chosen, command)):
            call = opened[i][0]
            after = next((k for k in range(i, len(steps)) if opened[k] == opened[call] and k > call and
                          steps[k][2] == steps[call][2] + 4), None)
            wanted = steps[call if command == "reverse-finish" else after][:2]
            if at != wanted:
                wrong += 1
                first = first or "at %d.%d to %s, not %s: %s" % (*steps[i][:2], at, wanted, text[-300:])
            expected, link = [], opened[i]
            while link and steps[link[0] + 1][2] in names:
                expected.append(names[steps[link[0] + 1][2]])
                link = link[1]
            if calls != expected + ["main"]:
                depth_wrong += 1
                depth_first = depth_first or "at %d.%d %s, not %s" % (*steps[i][:2], calls, expected)
        check("%s_leads_out_of_the_call_that_is_open" % command.replace("-", "_"), wrong, len(chosen), first)
    check("backtrace_names_each_call_that_is_open", depth_wrong, len(chosen), depth_first)


main()
