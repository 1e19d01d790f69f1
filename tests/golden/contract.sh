#!/bin/bash
# SPDX-License-Identifier: MIT
# What the command promises, a sentence each: where results go, what --json has, which statuses, what is refused. Of
# `make test` the plain command runs; of `make test-long` that with the sanitizers.
. tests/lib/check.sh
weft=$PWD/build/host/weft
in_long && weft=$PWD/build/asan/weft
plugin=$PWD/build/host/weft

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
# each NAME COMMAND...: runs COMMAND for each line of standard input, which it finds in $line; ok if all succeed
each() {
    local name=$1 line failed=0 count=0
    shift
    while read -r line; do
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
    [ $? -eq 2 ] && [ ! -s out ] && [ ! -e ./- ] && [ "$(grep -c '^weft ' err)" -eq 1 ]
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
prints 'but a flag may be repeated' "$($weft loops --json tokens)" $weft loops --json --json tokens

# ---- loops ----

printf '\351\351\377\351\377\200' >bytes
prints 'in --json a byte of chars is the character of that number, in nests as in grammars' \
    '{"length":6,"symbols":4,"loops":1,"depth":1,"nest":"'$'\u00e9(\u00e9\u00ff)^2\u0080''"}' \
    $weft loops --json --format chars bytes
