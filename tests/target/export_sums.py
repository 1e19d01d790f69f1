#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an exported file says, for tests/target/export.sh: export_sums.py FORMAT FILE...; prints a line.

speedscope  the sum of its weights, and its name
schema      "valid", if the first file is as the schema in the second one wants
chrome      calls, last time, gaps, lost paths, if each begin has its end
perfetto    of protoc's text: calls, instructions of all contexts, events lost, "stack" if it has such counters
ctf         of babeltrace2's text: calls, last time, gaps
drcov       blocks, bytes, "same" if these are the instructions at the addresses in the second file
jumps       of callgrind: rows, jumps, and how many rows differ from those that follow from each executed instruction
            (weft dump's, in the second file) and the disassembly of the third
ways        of callgrind: lines whose choices were made as often as the second file (lcov) counts their branches, and
            lines where they were made more often. Fewer may be: a way that leads to no line is not a jump
"""
import collections
import json
import re
import struct
import subprocess
import sys


def speedscope(path):
    data, total = json.load(open(path)), 0
    frames = len(data["shared"]["frames"])
    for p in data["profiles"]:
        assert p["type"] == "sampled" and p["unit"] == "none" and len(p["samples"]) == len(p["weights"])
        assert all(0 <= f < frames for s in p["samples"] for f in s) and sum(p["weights"]) == p["endValue"]
        total += p["endValue"]
    print(total, data["name"])


def schema(path, other):
    import jsonschema
    jsonschema.Draft7Validator(json.load(open(other))).validate(json.load(open(path)))
    print("valid")


def chrome(path):
    data, stacks, begins, gaps, last = json.load(open(path)), {}, 0, 0, 0
    names = {}
    for e in data["traceEvents"]:
        if e["ph"] == "M":
            names[e["tid"]] = e["args"]["name"]
            continue
        assert e["ts"] >= last and (e["ph"] == "i" or e["tid"] in names)
        last = e["ts"]
        stack = stacks.setdefault(e["tid"], [])
        if e["ph"] == "B":
            stack.append(e["name"])
            begins += 1
        elif e["ph"] == "E":
            assert stack.pop() == e["name"]
        else:
            gaps += 1
    assert not any(stacks.values())
    print(begins, last, gaps, data["otherData"]["lost_paths"])


def perfetto(_):
    names, tracks, depth, values, begins, last = {}, {}, {}, {}, 0, 0
    packet = []
    for line in sys.stdin:
        line = line.rstrip()
        if line != "}":
            packet.append(line.strip())
            continue
        assert packet[0] == "packet {" and not any(re.match(r"\d+:", x) for x in packet), packet
        fields = dict(x.split(": ", 1) for x in packet if ": " in x)
        if "track_descriptor {" in packet:
            uuid = next(x for x in packet if x.startswith("uuid"))
            tracks[uuid.split()[1]] = next((x for x in packet if x.startswith(("name: ", "thread_name: "))), "")
        for i, x in enumerate(packet):
            if x == "event_names {":
                names[packet[i + 1].split()[1]] = packet[i + 2]
        if "track_event {" in packet:
            begins += fields["type"] == "SLICE_BEGIN"
            track, time = fields["track_uuid"], int(fields["timestamp"])
            assert track in tracks or fields["type"] == "INSTANT"
            assert time >= last
            last = time
            if fields["type"] == "SLICE_BEGIN":
                assert fields["name_iid"] in names
                depth[track] = depth.get(track, 0) + 1
            elif fields["type"] == "SLICE_END":
                depth[track] -= 1
                assert depth[track] >= 0
            elif fields["type"] == "COUNTER":
                values[track] = int(fields["counter_value"])
        packet = []
    assert not any(depth.values())
    total = sum(v for t, v in values.items() if tracks[t] == 'name: "instructions"')
    lost = sum(v for t, v in values.items() if tracks[t].startswith('name: "events lost'))
    print(begins, total, lost, "stack" if any(tracks[t] == 'name: "stack"' for t in values) else "")


def ctf(_):
    calls, gaps, last, stacks = 0, 0, 0, {}
    for line in sys.stdin:
        at = re.match(r"\[(\d+):(\d+):(\d+)\.(\d{9})\] \(\S+\) (\w+): \{(.*)\}$", line)
        assert at, line
        hours, minutes, seconds, nanoseconds = map(int, at.groups()[:4])
        last = ((hours * 60 + minutes) * 60 + seconds) * 1000000000 + nanoseconds
        what = re.findall(r'"([^"]*)"', at.group(6))
        if at.group(5) == "enter":
            calls += 1
            stacks.setdefault(what[0], []).append(what[1])
        elif at.group(5) == "leave":
            assert stacks[what[0]].pop() == what[1]
        else:
            gaps += 1
    assert not any(stacks.values())
    print(calls, last, gaps)


def drcov(path, executed):
    data = open(path, "rb").read()
    head, _, rest = data.partition(b"BB Table: ")
    assert head.startswith(b"DRCOV VERSION: 2\nDRCOV FLAVOR: ")
    assert b"\nModule Table: version 2, count 1\nColumns: id, base, end, entry, checksum, timestamp, path\n" in head
    base = int(head.split(b"path\n")[1].split(b",")[1], 16)
    count, _, blocks = rest.partition(b" bbs\n")
    assert len(blocks) == 8 * int(count)
    covered, total = set(), 0
    for start, size, module in struct.iter_unpack("<IHH", blocks):
        assert module == 0 and size
        covered.update(range(base + start, base + start + size, 2))
        total += size
    ran = {int(x, 16) for x in open(executed)}
    # Each executed instruction is in a block. Blocks hold nothing else but second halves of long instructions.
    same = ran <= covered and all(a in ran or a - 2 in ran for a in covered) and 2 * len(covered) == total
    print(int(count), total, "same" if same else "differ")


def callgrind_jumps(path):
    """(function, from, to): [how often, of how many]; 0: not a choice."""
    file = to_file = function = jump = None
    found = {}
    for line in open(path):
        key, _, value = line.rstrip("\n").partition("=")
        if key in ("fl", "fi"):
            file = value
        elif key == "fn":
            function = value
        elif key == "jfi":
            to_file = value
        elif key in ("jump", "jcnd"):
            count, to = value.split()
            jump = [int(x) for x in (count.split("/") + ["0"])[:2]], to
        elif jump:
            at = function, f"{file}:{key.strip()}", f"{to_file or file}:{jump[1]}"
            assert (at, jump[0][1] > 0) not in found and re.fullmatch(r"\d+", key.strip())
            assert not jump[0][1] or jump[0][0] <= jump[0][1]
            found[at, jump[0][1] > 0] = jump[0]
            jump = to_file = None
    assert jump is None
    return found


def jumps(path, dumped, elf):
    branch = {}
    listing = subprocess.run(["arm-none-eabi-objdump", "-d", elf], capture_output=True, text=True).stdout
    for line in listing.splitlines():
        at = re.match(r" *([0-9a-f]+):\t((?:[0-9a-f]{4} ?)+)\s*\t(\S+\t.*)", line)
        # On a Cortex-M0, GCC jumps by bl in large functions, and by mov through tables.
        if at and re.match(r"b(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(\.[nw])?\t|cbn?z\t|tb[bh]\t"
                           r"|bl\t.*<[^>]*\+0x|(mov|add)(\.w)?\tpc, |ldr(\.w)?\tpc, \[pc", at[3]):
            branch[int(at[1], 16)] = 2 * len(at[2].split())
    before, counts = {}, collections.Counter()
    for line in open(dumped):
        field = line.split()
        if field[1] not in ("instruction", "skipped"):
            continue
        context, pc = field[0], int(field[2], 16)
        last = before.get(context)
        if last and last[0] in branch and last[1] == field[3] and pc != last[0] + branch[last[0]]:
            counts[field[3], last[2], field[4]] += 1
        before[context] = pc, field[3], field[4]
    ours = collections.Counter()
    for (at, _), (count, _) in callgrind_jumps(path).items():
        ours[at] += count
    print(len(ours), sum(ours.values()), sum(counts[k] != ours[k] for k in counts.keys() | ours.keys()))


def ways(path, lcov):
    ours, theirs, file = collections.Counter(), collections.Counter(), ""
    for (at, choice), (count, _) in callgrind_jumps(path).items():
        ours[at[1]] += count if choice else 0
    for line in open(lcov):
        key, _, value = line.rstrip("\n").partition(":")
        if key == "SF":
            file = value
        elif key == "BRDA" and not value.endswith("-"):
            theirs[f"{file}:{value.split(',')[0]}"] += int(value.split(",")[3])
    print(sum(ours[k] == n for k, n in theirs.items()), sum(n > theirs[k] for k, n in ours.items()))


globals()[sys.argv[1]](*sys.argv[2:])
