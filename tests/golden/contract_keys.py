#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the keys that the command promises are in --json of each input: contract_keys.py WEFT, in the folder of
tests/golden/contract.sh. `a/b` is b of each element of a, `a.b` that of a."""
import json
import subprocess
import sys

keys = {
    "loops --json tokens": "length symbols loops depth nest",
    "loops --json --tree tokens": "length symbols loops depth nest",
    "grammar --json tokens": "length rules symbols grammar",
    "grammar --json -o out.file tokens": "length rules symbols grammar",
    "hot --json tokens": "subpaths subpaths/path subpaths/count subpaths/cost",
    "paths --json tokens": "paths paths/path paths/count",
    "model --json numbers": "accesses nests bytes exact nests/depth nests/accesses nests/coefficients nests/base "
                           "nests/upper nests/lower",
    "model --json probes.weft": "accesses nests bytes exact",
    "squeeze --json numbers -o out.file": "values bytes method context",
    "unsqueeze --json numbers.squeezed": "values bytes method context",
    "report --json probes.weft -o out.file": "bytes functions contexts lost",
    "report --json probes.profile -o out.file": "bytes functions contexts lost",
    "export --json --as csv probes.weft -o out.file": "format events total unit lost",
    "merge --json probes.weft -o out.file": "recordings skipped paths devices lost",
    "fleet top --json probes.profile": "paths paths/path paths/count paths/devices",
    "fleet uncovered --json probes.profile": "functions lines",
    "size --json probes.elf": "text probes engine ram",
    "wet slice --json full.wet --at main": "statements instances lines",
    "wet why --json full.wet --at main": "tree tree/time tree/place tree/value tree/from",
    "wet misses --json full.wet --model cortex-m7": "branches loads stores bytes_per_statement branches.executions "
                                                    "branches.misses",
    "wet build --json full.weft -o out.file": "statements bytes bytes_per_statement tier1_bytes",
}
for of in "probes.weft", "full.weft", "full.wet", "cut.weft --elf full.elf", "torn.weft --elf probes.elf":
    keys["functions --json " + of] = "unit total functions" + "".join(
        " functions/" + key for key in "name file line calls self inclusive min max stack".split())
    keys["coverage --json " + of] = "files files/file files/lines files/branches files/functions lines_hit lines_all"
    keys["stack --json " + of] = "stacks"
    keys["irq --json " + of] = "interrupts"
    keys["io --json " + of] = "accesses"
    keys["race --json " + of] = "races"
    other = of if of.startswith(("cut", "torn")) else "probes.weft" if of == "probes.weft" else "full.wet"
    keys["diff --json %s %s" % (of, other.split()[0])] = "equal common a b functions"
keys["diff --json cut.weft full.weft --elf full.elf"] = keys["diff --json probes.weft torn.weft --elf probes.elf"] = \
    "equal common a b functions"


def missing(value, key):
    head, sep, rest = key.partition("/")
    if sep:
        return any(missing(element, rest) for element in value[head] or ())
    for part in head.split("."):
        if part not in value:
            return True
        value = value[part]
    return False


wrong = []
for command, promised in keys.items():
    run = subprocess.run([sys.argv[1]] + command.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lacks = run.returncode not in (0, 3) and [run.stderr.decode()] or \
        [key for key in promised.split() if missing(json.loads(run.stdout), key)]
    wrong += ["# %s: %s" % (command, lacks)] * bool(lacks)
print("\n".join(wrong + [("not " if wrong else "") + "ok the keys of --json are there in each answer (%d)" % len(keys)]))
