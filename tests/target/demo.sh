#!/bin/bash
# SPDX-License-Identifier: MIT
# `make run`, as a user sees it: no command of the compiler but with V=1, one screen at 80 columns, each part on it, and
# each command that it offers runs as it stands. Its figures are those of the commands that say more.
. tests/lib/check.sh
weft=build/host/weft
trace=build/demo/jpeg.weft
unset MAKEFLAGS MAKELEVEL V # as from a shell: a make that another make calls prints its folder
own=FLAGS=-DSHOWN=1 # so that no other test makes these objects at the same time
touch tests/workloads/jpeg/ticks.c # so that something is compiled

on_terminal() { # COLUMNS COMMAND: what a terminal shows, without what was overwritten
    script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' | sed 's/.*\x1b\[K//'
}
is_of_compiler='(gcc|g\+\+|[^a-z]ar rcs|\.o( |$)|make\[)'

on_terminal 80 "LC_ALL=C.UTF-8 make run $own" >"$tmp/screen"
verdict 'make run prints no command of the compiler' "$(grep -cE "$is_of_compiler" "$tmp/screen")" = 0
verdict 'make run prints one screen' "$(wc -l <"$tmp/screen")" -ge 30 -a "$(wc -l <"$tmp/screen")" -le 52
verdict 'no line is wider than the terminal' \
    "$(python3 -c 'import sys; print(max(len(line.rstrip("\n")) for line in open(sys.argv[1], encoding="utf-8")))' "$tmp/screen")" -le 80
for part in FUNCTION 'CALL TREE' LOOP INTERRUPT NEXT; do
    verdict "the screen has the part $part" "$(grep -c "^$part" "$tmp/screen")" = 1
done
verdict 'shares are bars' "$(grep -c '^stbi__.* [0-9.]*% █' "$tmp/screen")" -ge 4

touch tests/workloads/jpeg/ticks.c
make run V=1 $own >"$tmp/loud" 2>"$tmp/commands"
verdict 'V=1 prints the commands' "$(grep -cE 'arm-none-eabi-gcc.* -c tests/workloads/jpeg/ticks.c' "$tmp/commands")" -ge 1
make run $own >"$tmp/plain" 2>"$tmp/errors"
verdict 'without a terminal there is no escape sequence, and nothing is said of building' \
    "$(grep -c $'\x1b' "$tmp/plain" "$tmp/errors" | grep -vc ':0$')" = 0 -a ! -s "$tmp/errors"
verdict 'the run repeats exactly' "$(sed -n '/^it says/,$p' "$tmp/loud")" = "$(cat "$tmp/plain")"

# What is offered runs.
sed -n '/^NEXT/,$s/^  //p' "$tmp/plain" >"$tmp/commands"
verdict 'there are commands to go on with' "$(wc -l <"$tmp/commands")" -ge 3
while read -r command; do
    bash -c "$command" >"$tmp/out" 2>"$tmp/errors"
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' "$tmp/errors"
    verdict "it runs as it stands: ${command%% #*}" $status -eq 0 -a -s "$tmp/out"
done <"$tmp/commands"

# The figures.
$weft overview --json "$trace" >"$tmp/overview.json"
$weft functions --json "$trace" >"$tmp/functions.json"
$weft irq --json "$trace" >"$tmp/irq.json"
$weft info --json "$trace" >"$tmp/info.json"
python3 - "$tmp" <<'END' >"$tmp/verdicts"
import json, sys
o, f, q, i = (json.load(open(sys.argv[1] + "/%s.json" % n)) for n in ("overview", "functions", "irq", "info"))
def verdict(name, good): print("ok" if good else "not ok", name)
few = lambda rows, keys: [[row[k] for k in keys] for row in rows]
keys = ("name", "calls", "self", "inclusive")
verdict("the functions are those of weft functions", o["total"] == f["total"] and few(o["functions"], keys) ==
        [row for row in few(f["functions"], keys) if row[1] or row[2]])
verdict("the interrupts are those of weft irq", [[r["name"], r["count"], r["max"]] for r in o["interrupts"]] ==
        [[r["name"], r["count"], r["time"]["max"]] for r in q["interrupts"]] and len(o["interrupts"]) == 2)
verdict("events and bytes are those of weft info", (o["events"], o["bytes"], o["lost"]) ==
        (i["events"], i["bytes"], 0))
sums = [r for r in o["loops"] if r["function"] == "main"]
verdict("the loop over all pixels goes round once for each of their bytes", len(sums) == 1 and
        (sums[0]["entered"], sums[0]["rounds"]) == (1, 96 * 64 * 3))
rows = [r for r in o["loops"] if r["function"] == "stbi__YCbCr_to_RGB_row"]
verdict("the loop over a row goes round once for each pixel", [(r["entered"], r["min"], r["max"]) for r in rows] ==
        [(64, 96, 96)])
END
cat "$tmp/verdicts"
verdict 'all figures were compared' "$(wc -l <"$tmp/verdicts")" = 5
