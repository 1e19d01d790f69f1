#!/bin/bash
# SPDX-License-Identifier: MIT
# Steps of one context while others interrupt it, and the end of a handler: in `weft gdb`
# (tests/target/debug_contexts.py, and sessions of the real client) and in `weft dap`. make test-long: 250 instants,
# else 60.
. tests/lib/check.sh
weft=build/host/weft

built() { # NAME BOARD APP PROBES: $tmp/NAME.elf
    cp "$(make -s build-firmware BOARD=$2 APP=$3 PROBES=$4 2>"$tmp/make" | tail -n 1)" "$tmp/$1.elf"
}
recorded() { # NAME BOARD APP: $tmp/NAME.elf and .wet
    built $1 $2 $3 none && $weft capture --full --icount 0 "$tmp/$1.elf" -o "$tmp/$1.weft" >/dev/null 2>&1 &&
        $weft wet build "$tmp/$1.weft" --elf "$tmp/$1.elf" -o "$tmp/$1.wet" >/dev/null
}
recorded nested mps2-an386 tests/target/wet/nested.c
recorded blocks mps2-an385 tests/target/wet/blocks.c
recorded m0 microbit tests/target/programs/cleared.c
recorded stacks mps2-an386 tests/target/programs/two_stacks.c
built probes mps2-an386 tests/target/wet/nested.c values &&
    $weft capture --icount 0 "$tmp/probes.elf" -o "$tmp/probes.weft" >/dev/null 2>&1
python3 tests/target/debug_contexts.py $weft "$tmp/nested.wet" "$tmp/nested.elf" nested
python3 tests/target/debug_contexts.py $weft "$tmp/blocks.wet" "$tmp/blocks.elf" blocks
python3 tests/target/debug_contexts.py $weft "$tmp/m0.wet" "$tmp/m0.elf" m0
python3 tests/target/debug_contexts.py $weft "$tmp/probes.weft" "$tmp/probes.elf" probes

# MSP and PSP, and with them gdb's backtrace from a handler into what it interrupted.
python3 tests/target/debug_stacks.py $weft "$tmp/stacks.wet" "$tmp/stacks.elf"
cat >"$tmp/stacks.gdb" <<'GDB'
set pagination off
break look
continue
echo main\n
backtrace
continue
echo process\n
backtrace
continue
echo floats\n
backtrace
echo end\n
up 4
print kept
GDB
timeout 60 gdb-multiarch -q -nx -batch -ex "file $tmp/stacks.elf" \
    -ex "target remote | $weft gdb $tmp/stacks.wet --elf $tmp/stacks.elf --stdio" -x "$tmp/stacks.gdb" >"$tmp/seen" 2>&1
frames() { # FROM TO: the functions of the backtrace between two marks
    sed -n "/^$1\$/,/^$2\$/p" "$tmp/seen" | sed -n 's/^#[0-9]* .*\(look\|PendSV_Handler\|signal\|interrupt\|work\|process\|main\).*/\1/p' |
        tr '\n' ' '
}
verdict stacks_gdb_goes_from_a_handler_to_the_main_stack "$(frames main process)" = 'look PendSV_Handler signal interrupt main '
verdict stacks_gdb_goes_from_a_handler_to_the_process_stack "$(frames process floats)" = 'look PendSV_Handler signal interrupt work process main '
verdict stacks_gdb_goes_through_a_frame_with_floats "$(frames floats end)" = 'look PendSV_Handler signal interrupt work process main ' \
    -a "$(grep -cF '$1 = {0, 1, 0, 0, 0}' "$tmp/seen")" = 1

# The real client: next stays in its function for all of a run that is interrupted all the time.
sed "s/STEPS/$(in_long && echo 150 || echo 50)/" >"$tmp/steps.gdb" <<'GDB'
set pagination off
break main
continue
delete
set $n = 0
while $n < STEPS
  next
  set $n = $n + 1
end
while $n > 0
  reverse-next
  set $n = $n - 1
end
break SysTick_Handler
continue
finish
info threads
reverse-stepi
GDB
timeout 60 gdb-multiarch -q -nx -batch -ex "file $tmp/nested.elf" \
    -ex "target remote | $weft gdb $tmp/nested.wet --elf $tmp/nested.elf --stdio" -x "$tmp/steps.gdb" >"$tmp/steps" 2>&1
grep -n 'Breakpoint 2' "$tmp/steps" | head -n 1 | cut -d: -f1 >"$tmp/line"
verdict contexts_gdb_next_stops_in_no_handler "$(head -n "$(cat "$tmp/line")" "$tmp/steps" | grep -c 'SIGTRAP')" = 0
verdict contexts_gdb_finish_goes_out_of_a_handler "$(grep -c "^Thread .* stopped.$" "$tmp/steps")" -ge 1 -a \
    "$(grep -c "^\* .*(runs) .*\bdeep " "$tmp/steps")" = 1 -a "$(grep -c FPCCR "$tmp/steps")" = 0

# A breakpoint of the user's own stands where a handler returns to: its condition holds, and a finish ends there.
cat >"$tmp/own.gdb" <<'GDB'
set pagination off
break PendSV_Handler
continue
finish
set $back = $pc
reverse-continue
break *$back if ticks == 99999
echo finish\n
finish
delete 1
reverse-continue
break PendSV_Handler
continue
delete 3
echo condition\n
continue
delete
reverse-continue
break *$back
break PendSV_Handler
continue
continue
echo plain\n
GDB
timeout 60 gdb-multiarch -q -nx -batch -ex "file $tmp/nested.elf" \
    -ex "target remote | $weft gdb $tmp/nested.wet --elf $tmp/nested.elf --stdio" -x "$tmp/own.gdb" >"$tmp/own" 2>&1
between() { # FROM TO: lines of the session
    sed -n "/^$1/,/^$2/p" "$tmp/own"
}
verdict contexts_gdb_finish_ends_at_a_breakpoint_with_a_condition \
    "$(between finish condition | grep -c '^Thread 1 .*stopped.$')" = 1
verdict contexts_gdb_a_breakpoint_where_a_handler_returns_to_keeps_its_condition \
    "$(between condition Breakpoint | grep -c '^Thread 1 .*stopped.$')" = 0 -a \
    "$(between condition Breakpoint | grep -c '^No more reverse-execution history\|^Reached end of recorded history')" = 2
verdict contexts_gdb_and_its_number "$(grep -c '^Thread 1 .*hit Breakpoint 4' "$tmp/own")" = 1

# The same in an editor: out of a handler, by stepOut and by its last line.
say() { # REQUESTS...: the session's answers, over the nested handlers
    for message in '"launch","arguments":{"stopOnEntry":true}' '"configurationDone"' \
        '"setFunctionBreakpoints","arguments":{"breakpoints":[{"name":"SysTick_Handler"}]}' \
        '"continue","arguments":{"threadId":1}' '"setFunctionBreakpoints","arguments":{"breakpoints":[]}' "$@" \
        '"evaluate","arguments":{"context":"repl","expression":"weft time"}' '"disconnect"'; do
        message='{"seq":1,"type":"request","command":'$message'}'
        printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message"
    done | timeout 60 $weft dap "$tmp/nested.wet" 2>/dev/null | tr '{' '\n' | grep -o '"result":"time .*'
}
verdict contexts_dap_steps_out_of_a_handler "$(say '"stepOut","arguments":{"threadId":1}' | grep -c ' deep ')" = 1
time=$(say | awk '{ print $2 }')
last=$($weft wet control "$tmp/nested.wet" --from "$time" --to "$time" | grep -c '"text"')
goto() { # PLACE
    echo '"evaluate","arguments":{"context":"repl","expression":"weft goto '$1'"}'
}
verdict contexts_dap_a_handlers_last_line_leads_to_what_it_interrupted \
    "$(say "$(goto "$time.$((last - 1))")" '"next","arguments":{"threadId":1}' | grep -c ' deep ')" = 1
verdict contexts_dap_and_so_does_a_step_back_from_its_first_one \
    "$(say "$(goto "$time.0")" '"stepBack","arguments":{"threadId":1}' | grep -c ' deep ')" = 1
