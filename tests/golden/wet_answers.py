# SPDX-License-Identifier: MIT
# The whole run of a .wet file as `weft wet control`, `values` and `addresses` give it, in the words of wet_format.py.
#     wet_answers.py WEFT FILE
#     wet_answers.py WEFT FILE --misses   what `weft wet misses` gives, likewise
import json
import subprocess
import sys

weft, path = sys.argv[1:3]
REGISTERS = {"sp": 13, "lr": 14, "flags": 15}


def asked(*arguments):
    text = subprocess.run([weft, "wet", *arguments], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [json.loads(line) for line in text.splitlines()]


def names(values):
    numbered = {REGISTERS.get(name) or int(name[1:]): value for name, value in values.items()}
    return [f"r{n}={numbered[n]:x}" for n in sorted(numbered)]


if len(sys.argv) == 4:
    for line in sorted((line["t"], line["kind"], line["at"].get("address", 0)) for line in asked("misses", path, "--each")):
        print(*line)
    sys.exit()
run = asked("control", path)
moments = {} # address and time: words of the line, in the order of the run
for address in {line["address"] for line in run if "address" in line}:
    for line in asked("values", path, "--at", hex(address)):
        moments[address, line["t"]] = names(line["values"])
    for line in asked("addresses", path, "--at", hex(address)):
        moments[address, line["t"]] += [f"{a['kind']} {a['address']:x} {a['value']:x}" for a in line["accesses"]]
for line in run:
    if "address" in line:
        print(line["t"], f"{line['address']:x}", *moments[line["address"], line["t"]])
    else:
        print(line["t"], "exception", line["from"], line["to"])
