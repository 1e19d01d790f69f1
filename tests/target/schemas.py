#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks JSON against schemas: schemas.py FOLDER < list

Each line of the list: the name of a schema in docs/schemas, a tab, a file with one JSON value, or one per line. Prints
`ok` or `not ok` for each. Then each schema is given what it must refuse: the last value of its files without its first
required key, and with a key that no schema has. Of values of the same shape, one is checked.
"""
import json
import sys

import jsonschema


def values(path):
    text = open(path).read()
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def shape(value):
    """Equal for values that a schema treats alike, except for what text says, unless it is a kind of something."""
    if isinstance(value, dict):
        return tuple((k, v if k in ("event", "kind") else shape(v)) for k, v in sorted(value.items()))
    if isinstance(value, list):
        return frozenset(map(shape, value))
    return type(value), not isinstance(value, str) and (value or 0) < 0


def problem(check, value):
    for error in check.iter_errors(value):
        return "/%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:200])
    return None


last = {}
for line in sys.stdin:
    name, path = line.rstrip("\n").split("\t")
    schema = json.load(open("%s/%s.json" % (sys.argv[1], name)))
    jsonschema.Draft7Validator.check_schema(schema)
    check = jsonschema.Draft7Validator(schema)
    all = values(path)
    found = next(filter(None, (problem(check, v) for v in {shape(v): v for v in all}.values())), None)
    if found or not all:
        print("# %s: %s" % (path, found or "it is empty"))
    print("%s %s: %d of %s" % ("ok" if all and not found else "not ok", name, len(all), path.split("/")[-1]))
    if all:
        last[name] = check, schema, all[-1]
refused = 0
for check, schema, value in last.values():
    less = {k: v for k, v in value.items() if k != schema["required"][0]}
    refused += bool(problem(check, less)) and bool(problem(check, dict(value, nobody_writes_this=1)))
print("%s each of %d schemas refuses what lacks a key, and a key that it does not know" %
      ("ok" if refused == len(last) else "not ok", len(last)))
