# SPDX-License-Identifier: MIT
# A decoder of the event ring, written from docs/FORMATS.md, section 2. It shares no code with Weft.
#     event_ring_format.py RING SLOTS        the events that wait, a line each: kind, context, id, data
#     event_ring_format.py RING SLOTS DUMP   whether a recording has them, as `weft dump --json` prints it: their paths
#                                            in a row, and their accesses among those of their context, in this order
import json
import struct
import sys

KINDS = "own", "path", "access", "value"


def events(ring, slots):
    _, last, head, tail = struct.unpack_from("<4I", ring)
    for count in range(tail, head):
        tag, number, data, high = struct.unpack_from("<4I", slots, 16 * (count & last))
        if not tag:
            continue # not written yet
        one, two, context = tag >> 30 & 1, tag >> 31, tag >> 2 & 0xFFFFFFF
        if one and two:
            yield "stamp", context, 0, (data, high)
        elif tag & 3 == 0:
            yield "own", context, number, (data, high)[:one + 2 * two]
        elif tag & 3 == 1:
            yield "pack" if two else "path", context, number, data if two else high if one else 1
        else:
            yield KINDS[tag & 3], context, number, data if tag & 3 == 2 else high << 32 | data


def check(found, dump):
    lines = [json.loads(line) for line in dump]
    paths = [(e["context"], e["path"]) for e in lines if e["event"] == "path"]
    wanted = [(context, number) for kind, context, number, times in found if kind == "path" for _ in range(times)]
    if not any(paths[at:at + len(wanted)] == wanted for at in range(len(paths) - len(wanted) + 1)):
        sys.exit("event_ring_format.py: the paths are not in the recording")
    accesses = [(e["context"], e["address"]) for e in lines if e["event"] in ("load", "store")]
    for context in {e[1] for e in found}:
        rest = iter(address for number, address in accesses if number == context)
        if not all(address in rest for kind, number, _, address in found if kind == "access" and number == context):
            sys.exit("event_ring_format.py: an access is not in the recording")
    count = sum(e[0] == "access" for e in found)
    print(len(wanted), "paths,", count, "accesses of", len({e[1] for e in found}), "contexts")


if __name__ == "__main__":
    content = [open(path, "rb").read() for path in sys.argv[1:3]]
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as opened:
            check(list(events(*content)), opened)
    else:
        for event in events(*content):
            print(*event)
