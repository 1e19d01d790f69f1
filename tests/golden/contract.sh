#!/bin/bash
# SPDX-License-Identifier: MIT
# What the command promises, a sentence each: where results go, what --json has, which statuses, what is refused. Of
# `make test` the plain command runs; of `make test-long` that with the sanitizers.
. tests/lib/check.sh
weft=$PWD/build/host/weft
in_long && weft=$PWD/build/asan/weft
keys=$PWD/tests/golden/contract_keys.py

# says NAME STATUS WORDS COMMAND...: the status, nothing on standard output, and WORDS on standard error
says() {
    local name=$1 want=$2 words=$3 status
    shift 3
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    [ $status -eq "$want" ] && [ ! -s "$tmp/out" ] && grep -qF -- "$words" "$tmp/err" ||
        echo "# status $status: $(head -c 200 "$tmp/out") $(head -n 3 "$tmp/err")"
    verdict "$name" $status -eq "$want" -a ! -s "$tmp/out" -a "$(grep -cF -- "$words" "$tmp/err")" -gt 0
}
# prints NAME TEXT COMMAND...: status 0, and TEXT on standard output
prints() {
    local name=$1 text=$2 out status
    shift 2
    out=$("$@" 2>"$tmp/err" </dev/null)
    status=$?
    [ $status -eq 0 ] && [ "$out" = "$text" ] ||
        echo "# status $status: $(head -c 400 <<<"$out") $(head -n 3 "$tmp/err")"
    verdict "$name" $status -eq 0 -a "$out" = "$text"
}
# each NAME COMMAND...: runs COMMAND for each line of standard input, which it finds in $line; ok if all succeed.
# Lines that begin with + are for make test-long: commands that end in the same code as others.
each() {
    local name=$1 line failed=0 count=0
    shift
    while read -r line; do
        if [ "${line#+ }" != "$line" ] && ! in_long; then continue; fi
        line=${line#+ }
        count=$((count + 1))
        "$@" </dev/null || { failed=1 && echo "# $line"; }
    done
    verdict "$name ($count)" $failed -eq 0 -a $count -gt 0
}

build() { # NAME MAKE...
    cp "$(make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 "${@:2}" 2>>"$tmp/log" | tail -n 1)" \
        "$tmp/$1.elf"
}
build probes PROBES=mem
build full PROBES=none
cd "$tmp" || exit 1
{
    $weft capture probes.elf -o probes.weft
    $weft capture --full full.elf -o full.weft
    $weft wet build full.weft -o full.wet
    $weft merge --elf probes.elf --label device=a probes.weft -o probes.profile
    seq 1 9 >numbers
    echo 1 2 3 3 3 3 1 2 3 3 3 3 >tokens
    $weft grammar tokens >tokens.grammar
    $weft loops tokens --binary tokens.loops
    $weft model numbers >numbers.model
    $weft squeeze numbers -o numbers.squeezed
} >>log 2>&1

# ---- results go to standard output, all else to standard error ----

to_standard() { # the same as what is written to a disk, nothing added, and no file is named "-"
    local status
    $weft $line -o "$tmp/to.file" >/dev/null 2>&1
    status=$?
    $weft $line -o - >to.pipe 2>err
    [ $? -eq $status ] && cmp -s to.file to.pipe && [ ! -e ./- ] && { [ $status -eq 0 ] || [ $status -eq 3 ]; }
}
each 'with -o - a file goes to standard output, alone' to_standard <<'E2'
grammar tokens
model numbers
squeeze numbers
unsqueeze numbers.squeezed
merge --elf probes.elf --label device=a probes.weft
wet build full.weft --elf full.elf
report probes.weft
export --as csv probes.weft
export --as folded full.wet
export --as lcov probes.weft
E2
$weft loops tokens --binary - >to.pipe 2>err
verdict '--binary - of loops, too' $? -eq 0 -a "$(cmp to.pipe tokens.loops 2>&1)" = '' -a ! -e ./-
beside_json() {
    $weft $line --json >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ ! -e ./- ]
}
each '--json and -o - exclude each other: both would go to standard output' beside_json <<'E2'
grammar tokens -o -
loops tokens --binary -
model numbers -o -
squeeze numbers -o -
unsqueeze numbers.squeezed -o -
merge probes.weft -o -
wet build full.weft --elf full.elf -o -
rerun probes.weft -o -
report probes.weft -o -
export --as csv probes.weft -o -
capture --full full.elf -o -
E2
refused() {
    $weft $line >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ ! -e ./- ] && [ "$(grep -c '^weft' err)" -eq 1 ]
}
each 'what must be a file on a disk, or a folder, is refused' refused <<'E2'
export --as ctf probes.weft -o -
export --as sqlite probes.weft -o -
capture probes.elf -o -
capture --from-memory numbers -o -
capture --follow numbers -o -
merge --mpi numbers -o -
E2
cp numbers grown
$weft squeeze numbers -o /dev/stdout >>grown 2>err
verdict '/dev/stdout is standard output from where it stands' \
    "$(head -c "$(stat -c %s numbers)" grown | cmp - numbers 2>&1)" = '' -a \
    "$(tail -c +"$(($(stat -c %s numbers) + 1))" grown | cmp - numbers.squeezed 2>&1)" = ''
says 'an input is not written over by standard output' 2 'it would be written over' \
    bash -c "$weft grammar grown -o - >>grown"

# ---- options ----

each 'what does nothing beside --expand is refused' refused <<'E2'
grammar --expand tokens.grammar --lookahead 1
grammar --expand tokens.grammar --runs
grammar --expand tokens.grammar --json
grammar --expand tokens.grammar --context 0
grammar --expand tokens.grammar --function main
grammar --expand tokens.grammar --elf probes.elf
grammar --expand tokens.grammar -o out.file
loops --expand tokens.loops --json
loops --expand tokens.loops --tree
loops --expand tokens.loops --summary
loops --expand tokens.loops --min-share 1
loops --expand tokens.loops --greedy
loops --expand tokens.loops --window 16
loops --expand tokens.loops --depth 2
loops --expand tokens.loops --context 0
loops --expand tokens.loops --elf probes.elf
loops --expand tokens.loops --binary out.file
model --expand numbers.model --json
model --expand numbers.model --single
model --expand numbers.model --max-depth 2
model --expand numbers.model --time-limit 2
model --expand numbers.model --context 0
model --expand numbers.model --function main
model --expand numbers.model --elf probes.elf
model --expand numbers.model --summary
model --expand numbers.model --nests
model --expand numbers.model --top 3
model --expand numbers.model -o out.file
E2
each 'and so is what does nothing without another option, or with this input' refused <<'E2'
grammar --limit 3 numbers
loops --depth 2 numbers
loops --min-share 2 numbers
model --top 2 numbers
model --top 2 --json probes.weft
E2
each 'an option with one argument is given once' refused <<'E2'
loops --context a --context b probes.weft
loops --window 16 --window 32 numbers
grammar --format chars --format text numbers
grammar -o a --output b numbers
paths -k 1 -k 2 numbers
dump --elf full.elf --elf full.elf full.weft
capture --board a --machine b probes.elf -o out.file
info --recording 1 --recording 1 probes.weft
info --memory-limit 1000000000 --memory-limit 2000000000 probes.weft
wet control full.wet --from 1 --from 2
E2
each 'and what asks for two forms at once is refused' refused <<'E2'
wet values full.wet --at main --json --table
wet values full.wet --at main --json --plot
wet addresses full.wet --at main --table --plot
wet control full.wet --json --binary
wet control full.wet --summary
wet build full.weft --elf full.elf -o out.file --summary
diff --json --wet full.wet --wet full.wet full.weft full.weft
functions --tree --top 2 probes.weft
--version 1
--help loops loops
help loops loops
E2
prints 'but a flag may be repeated' "$($weft loops --json tokens)" $weft loops --json --json tokens

# ---- loops ----

printf '\351\351\377\351\377\200' >bytes
prints 'in --json a byte of chars is the character of that number, in nests as in grammars' \
    '{"length":6,"symbols":4,"loops":1,"depth":1,"nest":"'$'\u00e9(\u00e9\u00ff)^2\u0080''"}' \
    $weft loops --json --format chars bytes

# ---- statuses ----

no_recording() {
    $weft $line >out 2>err
    [ $? -eq 1 ] && [ ! -s out ] && grep -q '^weft [a-z]*: numbers: byte 0: ' err
}
each 'a file that is no recording is bad input, whether its image is named or not: 1' no_recording <<'E2'
info numbers
dump numbers
functions numbers
functions --elf probes.elf numbers
coverage numbers
stack numbers
irq numbers
io numbers
race numbers
overview numbers
report numbers -o out.file
export --as csv numbers -o out.file
diff numbers numbers
rerun numbers -o out.file
wet build numbers -o out.file
E2
statuses() { # each line: STATUS COMMAND...
    local want=${line%% *}
    $weft ${line#* } >out 2>err
    [ $? -eq "$want" ] && { [ "$want" -eq 0 ] || grep -q '^weft [a-z]*: ' err; }
}
each 'a context or a function that is not there is of the input: 1' statuses <<'E2'
1 info --context none probes.weft
+ 1 info --function none --elf probes.elf probes.weft
1 dump --context none --elf probes.elf probes.weft
+ 1 dump --function none --elf probes.elf probes.weft
1 paths --context none probes.weft
+ 1 paths --function none --elf probes.elf probes.weft
1 hot --context none --elf probes.elf probes.weft
+ 1 loops --function none --elf probes.elf probes.weft
+ 1 grammar --context none --elf probes.elf probes.weft
1 model --function none probes.weft
+ 1 functions --context none probes.weft
1 functions --function none probes.weft
+ 1 coverage --context none probes.weft
1 stack --context none probes.weft
+ 1 irq --context none probes.weft
+ 1 io --function none probes.weft
1 race --context none probes.weft
+ 1 overview --function none probes.weft
1 report --context none probes.weft -o out.file
+ 1 export --as csv --function none probes.weft -o out.file
1 diff --context none probes.weft probes.weft
1 diff --function none probes.weft probes.weft
1 merge --context none --elf probes.elf probes.weft -o out.file
1 merge --function none --elf probes.elf probes.weft -o out.file
1 merge --context thread probes.profile -o out.file
1 rerun --context none probes.weft -o out.file
1 rerun --function none probes.weft -o out.file
E2
full_disk() {
    $weft $line >/dev/full 2>err
    [ $? -eq 4 ] && grep -q '^weft [a-z-]*: .*No space left on device' err
}
each 'a full disk is a failure of the host: 4' full_disk <<'E2'
--help
--version
--plugin
loops --help
loops tokens
grammar tokens
+ grammar --expand tokens.grammar
grammar tokens -o -
paths tokens
model numbers
+ squeeze numbers -o out.file
squeeze numbers -o -
+ unsqueeze numbers.squeezed
info probes.weft
dump probes.weft
+ overview probes.weft
functions probes.weft
+ coverage probes.weft
stack probes.weft
+ irq probes.weft
+ io probes.weft
+ race probes.weft
+ report probes.weft -o out.file
export --as csv probes.weft -o -
+ diff probes.weft probes.weft
merge probes.weft -o -
fleet top probes.profile
wet control full.wet
+ wet values full.wet --at main
+ wet slice full.wet --at main
wet why full.wet --at main
+ wet misses full.wet --model cortex-m7 --each
wet build full.weft --elf full.elf -o -
E2
closed() { # a pipe that nobody reads ends the command by its signal, and it says nothing of that
    ($weft $line 2>err
        echo $? >status) | true
    [ "$(<status)" -eq 141 ] && ! grep -q '^weft' err
}
each 'a pipe that is closed ends the command' closed <<'E2'
dump probes.weft
wet control full.wet
paths numbers
grammar --expand tokens.grammar
wet build full.weft --elf full.elf -o -
merge probes.weft -o -
E2
says 'help is of a command that there is' 2 "there is no command 'none'" $weft help none
prints 'weft help COMMAND is weft COMMAND --help' "$($weft loops --help)" $weft help loops
says 'a control character of the command line is not printed' 2 'no command '"'"'a\x1b[1m' $weft $'a\e[1m'

# ---- --context and --function, in each command that takes a container ----

alike() { # a profile of a part has the paths and figures of that part
    $weft merge --elf probes.elf $line probes.weft -o part.profile >log 2>&1 &&
        cmp -s <($weft paths -k 3 --elf probes.elf $line probes.weft) \
            <($weft paths -k 3 --elf probes.elf part.profile) &&
        $weft export --as csv --elf probes.elf $line probes.weft -o part.csv >>log 2>&1 &&
        $weft export --as csv --elf probes.elf part.profile -o merged.csv >>log 2>&1 && cmp -s part.csv merged.csv
}
each 'merge takes what is of a context or a function' alike <<'E2'
--context SysTick_Handler
--context thread
--function main
--function SysTick_Handler
--context thread --function main
E2
$weft merge --elf probes.elf probes.weft -o whole.profile >log 2>&1
$weft merge whole.profile part.profile -o both.profile >>log 2>&1
verdict 'and such a part is not summed up with whole runs' \
    "$($weft info --json both.profile | python3 -c 'import json, sys
print(sorted(group["labels"] for group in json.load(sys.stdin)["groups"]))')" = "['', 'context=thread,function=main']"
rerun() {
    local said
    said=$($weft rerun probes.weft -o rerun.weft --json $line 2>>log |
        sed 's/.*"chosen":{"instructions":\([0-9]*\),.*/\1/')
    [ "$said" -gt 0 ] && $weft info --elf probes.elf $line rerun.weft | grep -q " of .*: $said instructions"
}
each 'rerun counts it' rerun <<'E2'
--context thread
--function main
E2

# ---- paths ----

columns() {
    awk -F '\t' '{ print NF }' | sort -u | xargs
}
verdict 'paths prints COUNT, tab, path; places only of an image that is named' \
    "$($weft paths -k 2 probes.weft | columns) $($weft paths -k 2 full.wet | columns) $(
        $weft paths -k 2 full.weft | columns) $($weft paths -k 2 --elf probes.elf probes.weft | columns)" = '2 2 2 3'
verdict 'and so does --json' "$($weft paths -k 2 --json full.wet | grep -c '"places"') $(
    $weft paths -k 2 --json --elf full.elf full.wet | grep -c '"places"')" = '0 1'
verdict '--top 0 is all, by count' "$($weft paths --top 0 tokens | cut -f 1 | xargs)" = '8 2 2'

# ---- keys of --json ----

# Cut in its last frame, after a part that can be read.
python3 - <<'P'
import re
full, probes = (open(name, "rb").read() for name in ("full.weft", "probes.weft"))
ends = [m.end() for m in re.finditer(b"\0", full)]
open("cut.weft", "wb").write(full[:(ends[-2] + len(full)) // 2])
open("torn.weft", "wb").write(probes[:len(probes) * 2 // 3])
P
ends() {
    $weft $line >out 2>err
    [ $? -eq 3 ] && python3 -c 'import json
assert json.loads(open("out").readline().strip() or "{}")["end"] == "missing"'
}
for cut in cut:full torn:probes; do
    elf=${cut#*:}.elf cut=${cut%:*}.weft
    each "\"end\" says that the end of $cut is missing" ends < <(sed "s/\$/ --elf $elf $cut/" <<'E2'
+ paths --json
+ hot --json
loops --json
grammar --json
grammar --json -o out.file
+ model --json
+ functions --json
+ coverage --json
stack --json
irq --json
io --json
race --json
+ overview --json
info --json
+ export --as csv -o out.file --json
+ report -o out.file --json
E2
        echo "diff --json --elf $elf $cut $cut")
done
line='wet build --json cut.weft --elf full.elf -o out.file'
ends
verdict '"end" is in --json of wet build, too' $? -eq 0
python3 -B "$keys" $weft
prints 'functions --json --top N has the N costliest' 2 \
    bash -c "$weft functions --json --top 2 full.weft |
        python3 -c 'import json, sys; print(len(json.load(sys.stdin)[\"functions\"]))'"
