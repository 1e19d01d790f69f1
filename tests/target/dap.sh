#!/bin/bash
# SPDX-License-Identifier: MIT
# Recorded runs in an editor: `weft dap` with VS Code's test client for debug adapters (tests/npm), over a whole
# execution trace and over a recording of probes.
. tests/lib/check.sh
weft=build/host/weft
built() { # NAME MAKE...: $tmp/NAME.elf
    local name=$1
    shift
    cp "$(make -s build-firmware BOARD=mps2-an385 APP=thermostat "$@" 2>"$tmp/make" | tail -n 1)" "$tmp/$name.elf"
}
built wet PROBES=none && $weft capture --full --icount 0 "$tmp/wet.elf" -o "$tmp/full" >/dev/null 2>&1 &&
    $weft wet build "$tmp/full" --elf "$tmp/wet.elf" -o "$tmp/wet.wet" >/dev/null 2>&1
built probes PROBES=values && $weft capture --icount 0 "$tmp/probes.elf" -o "$tmp/probes.weft" >/dev/null 2>&1
for run in wet.wet probes.weft; do
    NODE_PATH=build/npm/node_modules timeout 300 node tests/target/dap.js $weft "$tmp/$run" "$tmp/${run%.*}.elf" "${run%.*}" \
        2>"$tmp/errors" || echo "not ok dap: the session over $run ends with status $?"
done
cp "$(make -s build-firmware BOARD=mps2-an385 APP=tests/target/dap.cpp PROBES=none OPT=-O0 2>"$tmp/make" | tail -n 1)" \
    "$tmp/cpp.elf" && $weft capture --full --icount 0 "$tmp/cpp.elf" -o "$tmp/full" >/dev/null 2>&1 &&
    $weft wet build "$tmp/full" --elf "$tmp/cpp.elf" -o "$tmp/cpp.wet" >/dev/null 2>&1
NODE_PATH=build/npm/node_modules timeout 300 node tests/target/dap_cpp.js $weft "$tmp/cpp.wet" "$tmp/cpp.elf" \
    2>"$tmp/errors" || echo "not ok dap: the session over C++ ends with status $?"

# What is not a message ends the session; a command line that is wrong is refused.
printf 'Content-Length: 5\r\n\r\nhello' | $weft dap >"$tmp/out" 2>"$tmp/errors"
verdict dap_ends_at_what_is_not_a_message $? -eq 1 -a ! -s "$tmp/out"
printf 'Content-Length: 99999999999\r\n\r\n{}' | $weft dap >"$tmp/out" 2>"$tmp/errors"
verdict dap_ends_at_a_size_that_nobody_sends $? -eq 1 -a ! -s "$tmp/out"
message='{"seq":1,"type":"request","command":"threads"}'
printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message" | $weft dap >"$tmp/out"
verdict dap_refuses_questions_before_a_run_is_open "$(grep -c 'no run is open yet' "$tmp/out")" = 1
expect dap_takes_one_run 2 '' $weft dap a.wet b.wet

# A session over a run that cannot be opened does not end as if all were well; nor one over a run with gaps.
for message in '{"seq":1,"type":"request","command":"launch"}' '{"seq":2,"type":"request","command":"disconnect"}'; do
    printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message"
done >"$tmp/asked"
session() { # RUN
    $weft dap --elf "$tmp/probes.elf" "$1" <"$tmp/asked" >"$tmp/out" 2>"$tmp/errors"
}
head -c $(($(stat -c %s "$tmp/probes.weft") * 3 / 4)) "$tmp/probes.weft" >"$tmp/cut.weft"
session "$tmp/probes.weft"
verdict dap_ends_well_over_a_whole_run $? -eq 0
session "$tmp/none.weft"
verdict dap_says_that_a_run_cannot_be_opened $? -eq 1 -a "$(grep -c 'No such file' "$tmp/out")" = 1
session "$tmp/cut.weft"
verdict dap_says_that_a_run_has_gaps $? -eq 3
# What the host cannot do is not the file's fault. The command has one descriptor of its own.
(ulimit -n 4 && exec $weft dap --elf "$tmp/probes.elf" "$tmp/wet.wet") <"$tmp/asked" >"$tmp/out" 2>"$tmp/errors" 3<&-
verdict dap_says_that_the_host_failed $? -eq 4 -a "$(grep -l "Too many open" "$tmp/out" "$tmp/errors" | wc -l)" = 2

# Calls of a handler go on in what it interrupted, as gdb has them, and once: gdb ends at main.
cp "$(make -s build-firmware BOARD=mps2-an386 APP=tests/target/wet/nested.c PROBES=none 2>"$tmp/make" | tail -n 1)" \
    "$tmp/nested.elf" && $weft capture --full --icount 0 "$tmp/nested.elf" -o "$tmp/full" >/dev/null 2>&1 &&
    $weft wet build "$tmp/full" --elf "$tmp/nested.elf" -o "$tmp/nested.wet" >/dev/null 2>&1
python3 tests/target/dap_stack.py $weft "$tmp/nested.wet" "$tmp/nested.elf" PendSV_Handler 12 >"$tmp/stacks"
{ echo 'break PendSV_Handler'; for _ in $(seq 12); do printf 'continue\necho STACK\\n\nbacktrace\n'; done; } |
    timeout 60 $weft debug "$tmp/nested.wet" 2>&1 | awk '
        /STACK/ { if (line != "") print line; line = ""; on = 1 }
        /^(\(gdb\) )?#[0-9]+ / { on = 1; name = "" }
        on && match($0, /#[0-9]+ +(0x[0-9a-f]+ in )?[A-Za-z_0-9]+ \(/) { name = $0; sub(/.*#[0-9]+ +(0x[0-9a-f]+ in )?/, "", name); sub(/ .*/, "", name) }
        on && match($0, / at .*:[0-9]+$/) && name != "" { at = $0; sub(/.*:/, "", at); line = line (line == "" ? "" : " ") name ":" at; name = "" }
        END { print line }' >"$tmp/gdb_stacks"
# Its breakpoint is after the function's first instructions, so lines are compared from the second call on.
sed 's/\( main:[0-9]*\).*/\1/; s/:[0-9]*//' "$tmp/stacks" | diff - <(sed 's/:[0-9]*//' "$tmp/gdb_stacks") >"$tmp/differ"
verdict dap_calls_of_handlers_are_those_of_gdb "$(wc -l <"$tmp/gdb_stacks")" = 12 -a ! -s "$tmp/differ"
verdict dap_calls_of_handlers_are_listed_once "$(grep -c ' main:.* main:' "$tmp/stacks")" = 0 -a "$(grep -c ' main:' "$tmp/stacks")" = 12
