#!/bin/bash
# SPDX-License-Identifier: MIT
# Recorded runs in a debugger: `weft gdb` against the emulator's own gdb stub (tests/target/debug_truth.py; `make
# debug-truth` does more), and sessions with the real client.
# make test-long: twice the instants, more boards and programs.
. tests/lib/check.sh
weft=build/host/weft
gdb=gdb-multiarch
instants=$(in_long && echo 40 || echo 20)

recorded() { # NAME APP [BOARD [OPTION...]]: $tmp/NAME.elf and .wet
    cp "$(make -s build-firmware BOARD=${3:-mps2-an385} APP=$2 PROBES=none "${@:4}" 2>"$tmp/make" |
        tail -n 1)" "$tmp/$1.elf" &&
        $weft capture --full --icount "${icount:-0}" "$tmp/$1.elf" -o "$tmp/$1.weft" >/dev/null 2>&1 &&
        $weft wet build "$tmp/$1.weft" --elf "$tmp/$1.elf" -o "$tmp/$1.wet" >/dev/null
}
session() { # NAME ELF WET, commands on standard input: what gdb prints
    cat >"$tmp/$1.gdb"
    timeout 60 $gdb -q -nx -batch -ex 'set pagination off' -ex 'set width 0' -ex 'set confirm off' -ex "file $2" \
        -ex "target remote | $weft gdb $3 --elf $2 --stdio" -x "$tmp/$1.gdb" >"$tmp/$1.out" 2>"$tmp/$1.err"
}
says() { # NAME TEXT SESSION: what the session printed has a line with the text
    verdict "$1" "$(cat "$tmp/$3.out" "$tmp/$3.err" 2>/dev/null | grep -c -- "$2")" -gt 0
}

recorded thermostat thermostat
icount=4 recorded clock threads # so that SysTick comes often
recorded nested tests/target/wet/nested.c mps2-an386

python3 tests/target/debug_truth.py $weft "$tmp/thermostat.wet" "$tmp/thermostat.elf" mps2-an385 $instants 20
python3 tests/target/debug_truth.py $weft "$tmp/nested.wet" "$tmp/nested.elf" mps2-an386 $instants 10

if in_long; then
    # Vectors: what they write is recorded, although they are not decoded.
    recorded vectors tests/target/wet/ordered.c mps3-an547 OPT=-O3 2>"$tmp/note"
    python3 tests/target/debug_truth.py $weft "$tmp/vectors.wet" "$tmp/vectors.elf" mps3-an547 30 15
fi

# In the xPSR that it stacks, an ARMv8-M core marks that secure code had used floats.
for board in ${WEFT_LONG:+mps3-an547} mps2-an505; do
    recorded nested-$board tests/target/wet/nested.c $board
    python3 tests/target/debug_truth.py $weft "$tmp/nested-$board.wet" "$tmp/nested-$board.elf" $board $instants 10
done

# What an ARMv8.1-M core clears at an exception's entry, and what other cores leave; and a Cortex-M0.
for board in mps3-an547 microbit ${WEFT_LONG:+mps2-an505 mps2-an385}; do
    recorded cleared-$board tests/target/programs/cleared.c $board
    python3 tests/target/debug_truth.py $weft "$tmp/cleared-$board.wet" "$tmp/cleared-$board.elf" $board 30 20
done

# What it stacks within an IT block has the block's state.
recorded blocks tests/target/wet/blocks.c
read -r handlers within wrong < <(python3 tests/target/blocks_check.py $weft "$tmp/blocks.wet" "$tmp/blocks.elf")
verdict "debug_xPSR_stacked_within_IT_blocks_is_what_the_handler_loads" \
    "$within" -gt 30 -a "$wrong" -eq 0

python3 tests/target/debug_truth.py $weft tests/golden/wet/v3-tier2.wet tests/golden/wet/small.elf mps2-an385 60 20

# Nothing wrote FPSCR: what the core brings back from the frame of an exception is as little known.
session floats "$tmp/nested.elf" "$tmp/nested.wet" <<'GDB'
break deep if levels == 8
set $n = 0
while $n < 12
  continue
  info registers fpscr
  set $n = $n + 1
end
GDB
verdict debug_a_float_register_that_nothing_wrote_is_not_known "$(grep -c '^fpscr *<unavailable>' "$tmp/floats.out")" = 12

# From the wrong set point back to the strcpy that wrote over a sensor's offset.
session story "$tmp/thermostat.elf" "$tmp/thermostat.wet" <<'GDB'
break control
monitor weft goto end
maintenance flush register-cache
print set_point
watch set_point
reverse-continue
monitor weft time
delete
print sensors[2]
watch sensors[2].offset
reverse-continue
backtrace
reverse-continue
backtrace
up
info locals
GDB
says debug_the_wrong_value_is_there '^\$1 = -4846' story
says debug_a_name_stands_in_the_sensor '^\$2 = {name = "livingro", offset = 28015' story
says debug_the_last_writer_of_the_offset_is_strcpy '^#0 .*strcpy' story
says debug_it_was_called_for_a_sensor '^#[12] .*thermostat.c:60$' story

# Questions of the run, asked in gdb.
session questions "$tmp/thermostat.elf" "$tmp/thermostat.wet" <<'GDB'
monitor weft goto end
monitor weft why set_point
monitor weft last-write sensors[2].offset
monitor weft first-write heating
monitor weft find 28015
monitor weft calls strcpy
monitor weft slice set_point
monitor weft goto 99999999
monitor weft why nosuch
monitor weft last-write
monitor weft calls heating
monitor weft last-write strcpy@call#3
monitor weft last-write strcpy@call#5
monitor weft
print $r0 = 3
GDB
says debug_why_leads_to_the_strcpy 'called from *main (thermostat.c:60)' questions
says debug_last_write_is_the_letter_m '(1) = 109 (0x6d)' questions
says debug_first_write_is_that_of_the_start_up_code 'Reset_Handler  str' questions
says debug_find_finds_no_store_of_a_half_made_number '^stored 0 times' questions
says debug_calls_lists_every_call '^4 calls' questions
says debug_slice_counts '^[0-9]* statements, [0-9]* instances' questions
says debug_goto_takes_a_time_of_the_run '^goto takes a time from 1 to' questions
says debug_a_place_that_is_none_is_named "^'nosuch' is not a " questions
says debug_a_question_without_a_place_says_what_it_takes '^monitor weft last-write PLACE' questions
says debug_the_third_call_is_not_the_last "^$(sed -n '/^4 calls/{n;n;n;s/ .*//p;q}' "$tmp/questions.out" "$tmp/questions.err")  .*strcpy" questions
says debug_there_is_no_fifth_call '^there are 4 instances, not 5' questions
says debug_registers_cannot_be_written 'the run is over: registers and memory cannot be changed' questions
says debug_without_a_question_there_is_help '^monitor weft last-write PLACE' questions
printf 'weft goto end\nreverse-stepi\nweft time\nset var set_point = 1\nprint $r0 = 3\nquit\n' |
    timeout 60 $weft debug "$tmp/thermostat.wet" >"$tmp/started.out" 2>&1
says debug_says_that_memory_cannot_be_written 'Writing to memory is not allowed' started
says debug_says_that_registers_cannot_be_written 'Writing to registers is not allowed' started
says debug_starts_gdb_itself '^(gdb) time [0-9]* of [0-9]*;' started

# Places of `weft wet`: what it prints is understood, and what the debug information names.
place() { # NAME PLACE PATTERN: of the last instance's values and accesses
    { $weft wet values "$tmp/thermostat.wet" --elf "$tmp/thermostat.elf" --at "$2" | tail -n 1
      $weft wet addresses "$tmp/thermostat.wet" --elf "$tmp/thermostat.elf" --at "$2" | tail -n 1; } >"$tmp/place" 2>&1
    verdict "place_$1" "$(grep -c -- "$3" "$tmp/place")" -gt 0
}
place member 'sensors[2].offset' '"size":1,"kind":"store","value":109,"object":"sensors","offset":33'
place element_of_an_array 'sensors[3].name[1]' '"value":1819042152,"object":"sensors","offset":36'
place object_and_offset sensors+33 '"value":109,"object":"sensors","offset":33'
address=$(nm "$tmp/thermostat.elf" | awk '$3 == "set_point" { print "0x" $1 }')
place data_address "$address" '"value":4294962450,"object":"set_point"'
place register r4 '"values":{"r4":'
place local_in_a_register main:warmest '"values":{"r[0-9]*":30136}'
place call 'strcpy@call#3' '"n":3,.*"function":"strcpy"'
place function_and_offset main+0 '"function":"main"'
expect place_element_that_is_not_there 1 '' $weft wet values "$tmp/thermostat.wet" --elf "$tmp/thermostat.elf" \
    --at 'sensors[4].offset'
expect place_local_that_is_not_there 1 '' $weft wet values "$tmp/thermostat.wet" --elf "$tmp/thermostat.elf" --at main:nosuch
verdict place_and_says_that_the_function_has_no_such_local "$(grep -c 'main:nosuch.* nor a local of that function' "$tmp/stderr")" = 1

# Locals in the frame: what the function stores there. Without optimisation all are.
cp "$(make -s build-firmware BOARD=mps2-an385 APP=thermostat PROBES=none OPT=-O0 2>"$tmp/make" | tail -n 1)" "$tmp/plain.elf" &&
    $weft capture --full --icount 0 "$tmp/plain.elf" -o "$tmp/plain.weft" >/dev/null 2>&1 &&
    $weft wet build "$tmp/plain.weft" --elf "$tmp/plain.elf" -o "$tmp/plain.wet" >/dev/null 2>&1
series() { $weft wet "$1" "$tmp/plain.wet" --elf "$tmp/plain.elf" --at "$2" "$3" 2>/dev/null; }
series values main:time --table | awk 'NR > 1 { print $2 }' >"$tmp/times"
verdict place_local_in_the_frame_counts_up "$(wc -l <"$tmp/times")" -eq 201 -a "$(seq 0 200 | cmp - "$tmp/times" 2>&1)" = ''
verdict place_local_in_the_frame_of_another_function "$(series values control:warmest --table | tail -n 1 | awk '{ print $2 }')" = 30136
verdict series_of_an_object_written_in_parts "$(series values 'sensors[2].offset' --table | awk 'NR > 1 { print $2 }' |
    tail -n 2 | tr '\n' ' ')" = '111 28015 '
verdict series_of_addresses "$(series addresses strcpy --table | sed -n 1p | tr -s ' ')" = ' time address where'
series values set_point --plot >"$tmp/plot"
verdict series_plot_has_its_axes "$(sed -n 1p "$tmp/plot" | grep -c '^ *[0-9]* |')" = 1 -a "$(grep -c '|' "$tmp/plot")" = 16 -a \
    "$(tail -n 1 "$tmp/plot" | grep -c '^ *time  *[0-9][0-9]*  *[0-9][0-9]*$')" = 1
verdict series_plot_shows_the_fall_at_its_end "$(sed -n 16p "$tmp/plot" | grep -c '[*:]$')" = 1
expect series_is_one_or_the_other 2 '' $weft wet values "$tmp/plain.wet" --at set_point --table --plot

# What came from outside is marked: the host's answer, what the host wrote, a device register by its name.
call=$($weft wet control "$tmp/thermostat.wet" | grep -m 1 'bkpt #0xab' | sed 's/.*"address":\([0-9]*\).*/\1/')
verdict why_names_the_hosts_answer \
    "$($weft wet why "$tmp/thermostat.wet" --at "$call" | grep -c "from outside: the host's answer to SYS_GET_CMDLINE")" = 1
cat >"$tmp/systick.svd" <<'SVD'
<device><name>M</name><peripherals><peripheral><name>SYST</name><baseAddress>0xE000E010</baseAddress><registers>
<register><name>CSR</name><addressOffset>0</addressOffset><size>32</size></register>
<register><name>CVR</name><addressOffset>8</addressOffset><size>32</size></register>
</registers></peripheral></peripherals></device>
SVD
$weft wet why "$tmp/clock.wet" --at latest --svd "$tmp/systick.svd" --lines 200 >"$tmp/why"
verdict why_names_a_device_register "$(grep -c 'from outside: SYST.CVR at \[0xe000e018\]' "$tmp/why")" -gt 0
cat >"$tmp/devices.gdb" <<'GDB'
weft goto end
weft why latest
GDB
timeout 60 $weft debug "$tmp/clock.wet" --svd "$tmp/systick.svd" <"$tmp/devices.gdb" >"$tmp/devices.out" 2>"$tmp/devices.err"
says debug_why_names_a_device_register 'from outside: SYST.CVR' devices
for message in '"launch","arguments":{"svd":"'"$tmp/systick.svd"'"}' '"configurationDone"' \
    '"evaluate","arguments":{"context":"repl","expression":"weft goto end"}' \
    '"evaluate","arguments":{"context":"repl","expression":"weft why latest"}' '"disconnect"'; do
    message='{"seq":1,"type":"request","command":'$message'}'
    printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message"
done | timeout 60 $weft dap "$tmp/clock.wet" >"$tmp/dap.out" 2>"$tmp/dap.err"
says dap_why_names_a_device_register 'from outside: SYST.CVR' dap
# A handler that interrupted a thread on the process stack: its calls go on in the thread, which is the outermost.
for message in '"launch","arguments":{}' '"setFunctionBreakpoints","arguments":{"breakpoints":[{"name":"PendSV_Handler"}]}' \
    '"configurationDone"' '"continue","arguments":{"threadId":1}' '"stackTrace","arguments":{"threadId":4110}' \
    '"disconnect"'; do
    message='{"seq":1,"type":"request","command":'$message'}'
    printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message"
done | timeout 60 $weft dap "$tmp/clock.wet" >"$tmp/dap.out" 2>"$tmp/dap.err"
verdict dap_calls_go_from_a_handler_into_the_thread_that_it_interrupted \
    "$(grep -o '"stackFrames":.*' "$tmp/dap.out" | grep -o '"id":[0-9]*,"name":"[^"]*"' | cut -d'"' -f6 | xargs)" = \
    'PendSV_Handler work thread'
expect debug_refuses_what_is_no_svd_file 1 '' $weft gdb "$tmp/clock.wet" --svd tests/target/debug.sh --stdio
expect why_refuses_what_is_no_svd_file 1 '' $weft wet why "$tmp/clock.wet" --at latest --svd tests/target/debug.sh

# Reads that are several stretches of windows apart, each of them met on both ways; their rounds follow from the source.
recorded stretches tests/target/wet/stretches.c
session stretches "$tmp/stretches.elf" "$tmp/stretches.wet" <<'GDB'
rwatch rare
monitor weft goto end
maintenance flush register-cache
set $n = 0
while $n < 22
  if $n < 11
    reverse-continue
  else
    continue
  end
  printf "in round %u\n", round_number
  set $n = $n + 1
end
continue
GDB
verdict debug_meets_each_read_of_a_word_that_is_read_rarely "$(grep '^in round' "$tmp/stretches.out" | awk '{ print $3 }' | xargs)" = \
    "$({ seq 99735 -9973 5; seq 5 9973 99735; } | xargs)"
says debug_after_its_last_read_comes_the_end 'No more reverse-execution history\|Reached end of recorded history' stretches

# Both ends; steps that undo each other; what is not known is named.
session ends tests/golden/wet/small.elf tests/golden/wet/v3-tier2.wet <<'GDB'
info registers r4
reverse-stepi
stepi
stepi
reverse-stepi
reverse-stepi
print $pc
break *tick
continue
backtrace 2
info threads
reverse-stepi
print $xpsr & 0x1ff
delete
continue
continue
print $pc
x/1xw 0x20000f00
GDB
says debug_a_register_is_not_known 'r4 *<unavailable>' ends
says debug_the_beginning_is_an_end 'No more reverse-execution history\|Reached end of recorded history' ends # since gdb 15
says debug_steps_undo_each_other '^\$1 = .* 0x40' ends
verdict debug_memory_is_not_known "$(grep -c 'Cannot access memory at address 0x20000f00' "$tmp/ends.err")" = 1
says debug_a_handler_is_named 'SysTick (tick)' ends
says debug_the_thread_waits 'thread 1 (Reset_Handler)' ends
says debug_a_step_back_leaves_the_handler '^\$2 = 0' ends

# A recording of probes, as a board sends it: each instant is an instruction that the emulator executed, in order, and
# what the probes announced is what the emulator's memory held where the path ended.
probed() { # NAME MAKE...: $tmp/NAME-probes.elf and .weft, and whether they agree with the emulator
    local name=$1
    shift
    cp "$(make -s build-firmware BOARD=mps2-an385 "$@" 2>"$tmp/make" | tail -n 1)" "$tmp/$name-probes.elf" &&
        $weft capture --icount 0 "$tmp/$name-probes.elf" -o "$tmp/$name-probes.weft" >/dev/null 2>&1 &&
        $weft capture --full --icount 0 "$tmp/$name-probes.elf" -o "$tmp/full" >/dev/null 2>&1
    build/host/tests/target/probes_check "$tmp/$name-probes.elf" "$tmp/$name-probes.weft" "$tmp/full" >"$tmp/probed"
    echo "# $name: $(cat "$tmp/probed")"
    verdict "debug_each_instant_of_the_probes_of_${name}_is_what_the_emulator_executed" "$(awk -F '[= ]' '
        { print ($4 > 10000 && $6 == 0 && $8 * 100 <= $2 && ($8 || !$12) && $14 && $16 == 0 && $18) }' "$tmp/probed")" = 1
}
probed thermostat APP=thermostat PROBES=values
probed vectors BOARD=mps3-an547 APP=tests/target/wet/ordered.c OPT=-O3 PROBES=values
if [ -n "${WEFT_LONG:-}" ]; then
    probed kernels APP=kernels PROBES=values
    probed jpeg APP=jpeg PROBES=values
    probed interrupts APP=interrupts PROBES=values
    bash tests/truth/debug.sh
fi
cat >"$tmp/probes.gdb" <<'GDB'
break sensor_init
continue
backtrace
finish
info registers r4
reverse-next
weft goto end
print set_point
x/1xw 0x20000000
weft last-write set_point
weft first-write sensors[1].filtered
weft calls strcpy
weft calls sensor_init
weft find 2000
weft goto 99999999
delete
watch set_point
reverse-continue
weft stack
continue
continue
weft goto start
delete
watch sensors[2].offset
continue
continue
continue
weft goto end
reverse-continue
weft why set_point
GDB
timeout 60 $weft debug "$tmp/thermostat-probes.weft" --elf "$tmp/thermostat-probes.elf" <"$tmp/probes.gdb" >"$tmp/probes.out" 2>&1
says debug_probes_know_the_calls '^#1  0x[0-9a-f]* in main () at .*thermostat.c:58' probes
says debug_probes_go_out_of_a_function '58.*sensor_init(&sensors\[0\]' probes
says debug_probes_know_no_register 'r4 *<unavailable>' probes
says debug_probes_know_what_was_announced '\$1 = -4846' probes
says debug_probes_know_no_other_memory 'Cannot access memory at address 0x20000000' probes
says debug_probes_tell_the_last_write '(4) = 4294962450 (0xffffed12)' probes
says debug_probes_tell_the_first_write '(2) = 2000 (0x7d0)' probes
says debug_probes_list_calls '^4 calls' probes
says debug_probes_name_a_function_without_probes "'strcpy' is not a function that was called" probes
says debug_probes_find_values '^(gdb) stored [1-9][0-9]* times' probes
says debug_probes_stop_at_a_watchpoint 'New value = <unreadable>' probes
# sensor_init sets the offset, its strcpy overwrites it, and what it is then is known where it is read.
verdict debug_probes_know_what_strcpy_wrote_when_it_is_read "$(grep -x 'New value = [^-].*' "$tmp/probes.out" | sed -n '/= 3$/,$p' | tail -n 4 | tr '\n' ' ')" = \
    'New value = 3 New value = <unreadable> New value = 28015 New value = 3 '
says debug_probes_go_back_to_the_strcpy '^23[[:space:]]*strcpy(sensor->name, name)' probes
says debug_probes_send_why_to_a_whole_trace 'it needs a whole execution trace' probes
says debug_probes_begin_and_end 'No more reverse-execution history\|Reached end of recorded history' probes
# A function that the caller does not announce: its store is met where its value is read, and until then it is not known
# what is there.
probed unannounced APP=thermostat PROBES=values FLAGS=-fno-builtin-strcpy
cat >"$tmp/stale.gdb" <<'GDB'
watch sensors[2].offset
continue
continue
weft goto 15.0
print sensors[2].offset
weft goto end
weft last-write sensors[2].offset
GDB
stale=$($gdb -q -nx -batch -ex 'output/x &sensors[2].offset' "$tmp/unannounced-probes.elf")
timeout 60 $weft debug "$tmp/unannounced-probes.weft" --elf "$tmp/unannounced-probes.elf" <"$tmp/stale.gdb" >"$tmp/stale.out" 2>&1
says debug_probes_stop_where_a_store_without_a_probe_is_read '^New value = 28015' stale
says debug_probes_know_no_value_that_turns_out_to_be_stale "Cannot access memory at address $stale" stale
says debug_probes_tell_of_a_store_without_a_probe 'read here: code without probes stored it after' stale
expect debug_without_probes_is_refused 1 '' $weft gdb "$tmp/thermostat.weft" --elf "$tmp/thermostat.elf" --stdio
verdict debug_and_a_full_recording_is_sent_to_wet_build "$(grep -c 'first .weft wet build' "$tmp/stderr")" = 1
head -c 4000 "$tmp/thermostat-probes.weft" >"$tmp/cut.weft"
expect debug_of_a_cut_recording_ends_with_status_3 3 '' $weft gdb "$tmp/cut.weft" --elf "$tmp/thermostat-probes.elf" --stdio

# A client that waited for long sends its packet again: one answer.
printf '$?#3f$?#3f' | $weft gdb "$tmp/thermostat-probes.weft" --elf "$tmp/thermostat-probes.elf" --stdio >"$tmp/again" 2>/dev/null
verdict debug_a_packet_that_came_again_is_answered_once "$(grep -o 'T05' "$tmp/again" | wc -l)" = 1

# What the server refuses, and where it listens.
for port in 4294967296 ' 5' 65536; do
    expect "debug_listens_at_no_port_$port" 2 '' timeout 10 $weft gdb tests/golden/wet/v3-tier2.wet \
        --elf tests/golden/wet/small.elf --listen "127.0.0.1:$port"
done
expect debug_without_an_image_is_a_usage_error 2 '' $weft gdb tests/golden/wet/v3-tier2.wet
expect debug_of_an_older_version_is_refused 1 '' $weft gdb tests/golden/wet/v2-tier2.wet --elf tests/golden/wet/small.elf
expect debug_with_another_program_is_refused 1 '' $weft gdb tests/golden/wet/v3-tier2.wet --elf "$tmp/thermostat.elf" --stdio
verdict debug_and_says_which_instruction "$(grep -c 'is not the program that was recorded' "$tmp/stderr")" = 1
$weft gdb tests/golden/wet/v3-tier2.wet --elf tests/golden/wet/small.elf --listen :0 2>"$tmp/listening" &
server=$!
for _ in $(seq 50); do [ -s "$tmp/listening" ] && break; sleep 0.1; done
verdict debug_listens_on_the_loopback_address "$(sed 's/[0-9]*$//' "$tmp/listening")" = "weft gdb: listening at 127.0.0.1:"
port=$(sed 's/.*://' "$tmp/listening")
for client in 1 2; do
    timeout 20 $gdb -q -nx -batch -ex "file tests/golden/wet/small.elf" -ex "target remote :$port" -ex 'print $pc' \
        2>/dev/null | grep '^\$1'
done >"$tmp/clients"
verdict debug_serves_one_client_after_another "$(sort "$tmp/clients" | uniq -c | awk '{ print $1 }')" = 2
kill $server
wait $server 2>/dev/null || true # its status is that of the signal
