# SPDX-License-Identifier: MIT
# A decoder of merged profiles, written from docs/FORMATS.md, section 12. Used by formats.py.
import json
import subprocess

from formats import Reader, wanted

LOW64 = (1 << 64) - 1
XXH = [11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261]


def rotated(value, by):
    return (value << by | value >> 64 - by) & LOW64


def xxh64(data):
    """With seed 0."""

    def turn(lane, word):
        return rotated(lane + word * XXH[1] & LOW64, 31) * XXH[0] & LOW64

    file, value = Reader(data), XXH[4]
    if len(data) >= 32:
        lanes = [XXH[0] + XXH[1] & LOW64, XXH[1], 0, -XXH[0] & LOW64]
        while file.left() >= 32:
            lanes = [turn(lane, file.fixed(8)) for lane in lanes]
        value = sum(rotated(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & LOW64
        for lane in lanes:
            value = ((value ^ turn(0, lane)) * XXH[0] + XXH[3]) & LOW64
    value = value + len(data) & LOW64
    while file.left() >= 8:
        value = (rotated(value ^ turn(0, file.fixed(8)), 27) * XXH[0] + XXH[3]) & LOW64
    if file.left() >= 4:
        value = (rotated(value ^ file.fixed(4) * XXH[0] & LOW64, 23) * XXH[1] + XXH[2]) & LOW64
    while file.left():
        value = rotated(value ^ file.byte() * XXH[4] & LOW64, 11) * XXH[0] & LOW64
    value = (value ^ value >> 33) * XXH[1] & LOW64
    value = (value ^ value >> 29) * XXH[2] & LOW64
    return value ^ value >> 32


def text(file):
    return file.bytes(file.varint())


def ascending(keys, what):
    wanted(all(a < b for a, b in zip(keys, keys[1:])), what + " are not in order")
    return keys


def table(file, fields):
    """Rows of a key, written as a difference, and numbers."""
    rows, key = [], 0
    for _ in range(file.varint()):
        key += file.varint()
        rows.append([key] + [file.varint() for _ in range(fields)])
    ascending([row[0] for row in rows], "keys")
    return rows


def loops(file):
    rows = []
    key = 0
    for _ in range(file.varint()):
        key += file.varint()
        total, least, most = (file.varint() for _ in range(3))
        bins = [(file.byte(), file.varint()) for _ in range(file.varint())]
        ascending([number for number, _ in bins], "bins")
        rows.append([key, sum(entries for _, entries in bins), total, least, most])
    ascending([row[0] for row in rows], "heads")
    return rows


def tree(file, chains, above=()):
    """Its nodes: the labels down to each, and numbers."""
    nodes, label = [], 0
    count = file.varint()
    for place in range(count):
        step = file.varint()
        wanted(place == 0 or step > 0, "labels are not in order")
        label += step
        values = [file.varint()]
        if chains or values[0]:
            values.append(file.varint())
        nodes.append((above + (label,), values))
        nodes += tree(file, chains, above + (label,))
    return nodes


TOTALS = "recordings priced streams paths lost gaps gapped unread deeper flat".split()


def group(file, sets, version):
    g = {"image": file.varint(), "k": file.varint(), "labels": text(file).decode()}
    g.update((name, file.varint()) for name in TOTALS)
    g["distinct"] = table(file, 4 + version)
    g["functions"] = table(file, 13)
    g["loops"] = loops(file)
    g["forest"] = tree(file, False) + tree(file, False)
    g["chains"] = tree(file, True)
    wanted(all(values[1] <= sets for _, values in g["forest"] if values[0]), "a node names no set")
    return g


def one_profile(file):
    start = file.at
    version = (file.bytes(7) == b"WEFTPRF") * file.byte()
    wanted(version in (1, 2), "it is not a merged profile")
    end = file.fixed(8) + file.at
    body = Reader(file.data[:end], file.at)
    file.at = end
    wanted(xxh64(file.data[start:end]) == file.fixed(8), "the digest is wrong")
    made = {kind: ascending([body.fixed(8) for _ in range(body.varint())], kind) for kind in ("recordings", "devices")}
    names = ascending([text(body) for _ in range(body.varint())], "names")
    wanted(all(xxh64(name) in made["devices"] for name in names), "a name is not that of a device")
    sets = []
    for _ in range(body.varint()):
        member, members = 0, []
        for _ in range(body.varint()):
            member += body.varint()
            members.append(member)
        sets.append(members)
        wanted(1 <= len(members) <= 16 and members[-1] < len(names), "a set has no or unknown members")
    ascending(sets, "sets")
    images = []
    for _ in range(body.varint()):
        images.append(text(body))
        method = body.byte()
        if method:
            size, digest, packed = body.varint(), body.fixed(8), text(body)
            wanted(method in (1, 2) and size // 64 <= len(packed), "descriptors are packed too far")
            if method == 2:
                packed = subprocess.run(["zstd", "-dc"], input=packed, stdout=subprocess.PIPE, check=True).stdout
            wanted(len(packed) == size and xxh64(packed) == digest, "descriptors are damaged")
    ascending([(len(image), image) for image in images], "images")
    groups = [group(body, len(sets), version) for _ in range(body.varint())]
    ascending([(g["image"], g["k"], g["labels"]) for g in groups], "groups")
    wanted(not body.left(), "something follows the groups")
    for g in groups:
        g["image"] = images[g["image"]].hex()
    return made, groups


def profile(data):
    made, groups = one_profile(Reader(data))
    result = {kind: len(made[kind]) for kind in made}
    result.update((key, sum(g[key] for g in groups)) for key in ("paths", "lost", "gaps"))
    keys = "image k labels recordings paths distinct lost gaps".split()
    result["groups"] = [{key: len(g[key]) if key == "distinct" else g[key] for key in keys} for g in groups]
    yield json.dumps(result, separators=(",", ":"))


def sequences(data):
    """A sequence was taken as often as the nodes say whose labels end with it."""
    (g,) = one_profile(Reader(data))[1]
    times = {}
    for labels, values in g["forest"]:
        for size in range(1, min(len(labels), g["k"]) + 1):
            times[labels[-size:]] = times.get(labels[-size:], 0) + values[0]
    for labels in sorted(labels for labels in times if times[labels]):
        yield "%d\t%s" % (times[labels], " ".join(map(str, labels)))


def tables(data):
    (g,) = one_profile(Reader(data))[1]
    for _, _, calls, own, more, estimated, inclusive, whole_sum, least, most, whole, *_ in g["functions"]:
        if calls or own:
            mean = whole_sum / (whole or 1)
            yield "function %d %d %d %d %d %d %d %.9g" % (calls, own, more, estimated, inclusive, least, most, mean)
    for row in g["loops"]:
        yield "loop %d %d %d %d" % tuple(row[1:])
    for labels, values in g["chains"]:
        if len(labels) > 1:
            yield "chain %d %d %d" % (len(labels) - 1, values[1], values[0])
