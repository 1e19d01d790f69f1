#!/bin/bash
# SPDX-License-Identifier: MIT
# Bit-fields as places and as values, series of floats and numbers of 64 bits, locals that hide other names, and
# conditions of breakpoints in `weft dap`: what the program wrote follows from its source.
# make test-long: locals on a Cortex-M0, too.
. tests/lib/check.sh
weft=build/host/weft
cp "$(make -s build-firmware BOARD=mps2-an385 APP=tests/target/programs/members.c PROBES=none OPT=-O1 2>"$tmp/make" |
    tail -n 1)" "$tmp/members.elf" &&
    $weft capture --full --icount 0 "$tmp/members.elf" -o "$tmp/members.weft" >/dev/null 2>&1 &&
    $weft wet build "$tmp/members.weft" --elf "$tmp/members.elf" -o "$tmp/members.wet" >/dev/null

values() { # PLACE: what it was, except what the start-up code wrote
    $weft wet values "$tmp/members.wet" --elf "$tmp/members.elf" --at "$1" --table |
        awk '$3 == "set" || $3 == "main" { print $2 }' | xargs
}
last() { # PLACE: its last value
    values "$1" | awk '{ print $NF }'
}
fields=$(for field in low middle wide next; do last "all[1].$field"; done | xargs)
verdict values_a_bit_field_is_not_the_first_member "$fields" = '6 -6 4662 18'
verdict values_members_beside_bit_fields \
    "$(values 'all[1].first') $(values 'all[1].tag') $(values 'all[1].last')" = '1006 42 6 2006'
verdict values_why_of_a_bit_field_is_its_store \
    "$($weft wet why "$tmp/members.wet" --elf "$tmp/members.elf" --at 'all[1].next' | sed -n 2p | grep -c ' set (')" = 1

# REQUESTS...: the answers of a session that stands at the end of set() in its second call, one a line
say() {
    for message in '"launch","arguments":{"stopOnEntry":true}' '"configurationDone"' "$@" '"disconnect"'; do
        message='{"seq":1,"type":"request","command":'$message'}'
        printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message"
    done | timeout 60 $weft dap "$tmp/members.wet" 2>/dev/null | tr -d '\r' | grep '^{'
}
line=$(grep -n 'm->last = ' tests/target/programs/members.c | cut -d: -f1)
stop() { # CONDITION
    echo '"setBreakpoints","arguments":{"source":{"path":"tests/target/programs/members.c"},' \
        '"breakpoints":[{"line":'$line',"condition":"'"$1"'"}]}'
}
ask() { # EXPRESSION [CONTEXT]
    echo '"evaluate","arguments":{"context":"'${2:-watch}'","expression":"'"$1"'"}'
}
go='"continue","arguments":{"threadId":1}'
back='"reverseContinue","arguments":{"threadId":1}'
results() { grep -o '"result":"[^"\\]*' | cut -d'"' -f4 | xargs; }
end='"evaluate","arguments":{"context":"repl","expression":"weft goto end"}'
verdict values_dap_a_condition_is_heeded "$(say "$(stop 'i == 6')" "$go" "$(ask i)" | results)" = 6
verdict values_dap_and_backwards \
    "$(say "$end" "$(stop 'i <= 6 && in == 5')" "$back" "$(ask i)" "$back" "$(ask i)" | results |
    awk '{ print $(NF - 1), $NF }')" = '6 5'
verdict values_dap_a_condition_that_cannot_be_read_is_refused \
    "$(say "$(stop 'i +')" | grep -c '"verified":false.*a condition is')" = 1
verdict values_dap_bit_fields "$(say "$end" "$(ask 'all[1].low')" "$(ask 'all[1].middle')" "$(ask 'all[1].wide')" \
    "$(ask 'all[1].next')" | results | grep -c '6 -6 4662 18$')" = 1
say "$(stop 'i == 6')" "$go" "$(ask next hover)" >"$tmp/hover"
verdict values_dap_hover_explains_the_local_that_hides_a_variable \
    "$(grep -c '"result":"6000.n.*= 6000 .*set (' "$tmp/hover")" = 1
verdict values_dap_memory_is_asked_for_by_address \
    "$(say '"readMemory","arguments":{"memoryReference":"next","count":4}' | grep -c 'a memory reference is an address')" = 1
verdict values_dap_data_that_is_not_known_is_named \
    "$(say '"setDataBreakpoints","arguments":{"breakpoints":[{"dataId":"x"}]}' | grep -c 'no data of this run')" = 1

# Series of floats, doubles and large numbers: the numbers that the program stored.
cp "$(make -s build-firmware BOARD=mps2-an386 APP=tests/target/programs/numbers.c PROBES=none OPT=-O1 2>"$tmp/make" |
    tail -n 1)" "$tmp/numbers.elf" &&
    $weft capture --full --icount 0 "$tmp/numbers.elf" -o "$tmp/numbers.weft" >/dev/null 2>&1 &&
    $weft wet build "$tmp/numbers.weft" --elf "$tmp/numbers.elf" -o "$tmp/numbers.wet" >/dev/null
series() { # PLACE OPTION
    $weft wet values "$tmp/numbers.wet" --elf "$tmp/numbers.elf" --at "$1" "$2"
}
held() { # PLACE
    series "$1" --table | awk '$3 == "store" || $3 == "main" { print $2 }' | xargs
}
verdict values_of_a_float "$(held single)" = '21.5 -0.25 1e+09 0.1'
verdict values_of_a_double "$(held real)" = '2 -0.1 12345.678 6.5e+20'
verdict values_of_an_unsigned_number_of_64_bits "$(held large)" = '18446744073709551615 3 9223372036854775808'
verdict values_of_a_signed_number_of_64_bits "$(held 'wide[1]')" = -5000000000
verdict values_of_one_instance_are_read_alike "$(series 'halves[1]#2' --table | awk 'NR == 2 { print $2 }')" = 65535
series single --plot >"$tmp/plot"
verdict values_plot_of_a_float "$(awk -F '|' 'NF > 1 && $1 + 0 { print $1 + 0 }' "$tmp/plot" | xargs)" = \
    '1000000000 666667000 333333000 -0.25'
verdict values_plot_of_a_float_has_the_largest_at_the_top "$(head -n 1 "$tmp/plot" | grep -c '\*')" = 1

# Locals in registers and frames are shown as their types say, too: both halves, the right one of a pair.
for board in mps2-an385 ${WEFT_LONG:+microbit}; do
    cp "$(make -s build-firmware BOARD=$board APP=tests/target/programs/locals.c PROBES=none OPT=-O2 2>"$tmp/make" |
        tail -n 1)" "$tmp/locals.elf" &&
        $weft capture --full --icount 0 "$tmp/locals.elf" -o "$tmp/locals.weft" >/dev/null 2>&1 &&
        $weft wet build "$tmp/locals.weft" --elf "$tmp/locals.elf" -o "$tmp/locals.wet" >/dev/null
    name=${board//-/_}
    local_values() { # FUNCTION:LOCAL: all that is known
        $weft wet values "$tmp/locals.wet" --elf "$tmp/locals.elf" --at "$1" --table 2>&1 |
            awk 'BEGIN { last = "" } NR > 1 && $2 != "?" && $3 != "Reset_Handler" && $2 != last { print last = $2 }' | xargs
    }
    verdict "values_of_locals_of_64_bits_on_$name" "$(local_values wide:number)" = '-22 8589934570'
    verdict "values_of_a_local_double_and_float_on_$name" \
        "$(local_values real:twice) $(local_values real:half)" = '1.5 3 0.75'
    verdict "values_of_unsigned_locals_on_$name" \
        "$(local_values wide:large) $(local_values kept:held)" = '4294967280 2147483681 99 2147483945'
    verdict "values_of_each_of_two_locals_on_$name" "$(local_values pair:first) $(local_values pair:second)" = '12 -22'
    verdict "values_of_arrays_are_those_of_their_elements_on_$name" \
        "$(local_values reals) $(local_values numbers)" = '10 40 160 0 -1 -2'
    $weft wet why "$tmp/locals.wet" --elf "$tmp/locals.elf" --at pair:second >"$tmp/why"
    verdict "why_of_one_of_two_locals_is_not_that_of_both_on_$name" \
        "$(grep -c 'from less' "$tmp/why")" -gt 0 -a "$(grep -c 'from eleven' "$tmp/why")" = 0
done

# What the function stores by an index or a pointer may be the local's. That is said, and where there is nothing else.
cat >"$tmp/index.c" <<'C'
volatile int count = 3;
__attribute__((noinline)) int sum(void)
{
    volatile int held[4] = {0}, plain = count;
    for (int i = 0; i < count; i++)
        held[i] = i + plain;
    return held[2];
}
int main(void)
{
    return sum() != 5;
}
C
elf=$(make -s build-firmware APP="$tmp/index.c" PROBES=none OPT=-O0 2>"$tmp/make" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/index.weft" >/dev/null 2>&1
$weft wet build "$tmp/index.weft" --elf "$elf" -o "$tmp/index.wet" >/dev/null
$weft wet values "$tmp/index.wet" --elf "$elf" --at sum:plain --table >"$tmp/out" 2>"$tmp/err"
verdict values_of_a_local_say_what_may_be_missing "$? $(grep -c 'from an index or a pointer' "$tmp/err")" = '0 1'
$weft wet values "$tmp/index.wet" --elf "$elf" --at main:nothing --table >"$tmp/out" 2>"$tmp/err"
verdict values_of_no_local_do_not "$? $(grep -c 'an index or a pointer' "$tmp/err")" = '1 0'
