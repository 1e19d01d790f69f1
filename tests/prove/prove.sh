#!/bin/bash
# SPDX-License-Identifier: MIT
# Proves with Frama-C (WP with the checks of run-time errors, CVC4) that the byte layer of the core stays within its
# bounds: core/bytes.c with tests/prove/bytes.c, core/frame.c with tests/prove/frame.c; and the coders of runs and
# numbers in the recorder, with tests/prove/runs.c. The machine has 32 bits, as the
# target; what is proved is the code for parts without unaligned loads, with the small CRC table.
# Prints each goal that is not proved, and the number of goals. A goal may be left open where tests/prove/unproved has
# the reason. By hand: tests/prove/prove.sh [FUNCTION,...]
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WHY3CONFIG=$folder/why3.conf # so the user's own is not changed
for tool in frama-c why3 cvc4; do
    command -v $tool >/dev/null || { echo "make prove: $tool is missing (Debian: frama-c-base, why3, cvc4)" >&2; exit 1; }
done
why3 config detect >"$folder/provers" 2>&1
# Those of the recorder that have contracts.
runs=weft_put_run,weft_put_run_here,weft_put_other,slot_of,code_of,learn,put
runs=$runs,weft_recorder_sample,weft_recorder_path_done,weft_recorder_look_at_paths
runs=$runs,weft_recorder_look_at_paths_for_value,weft_recorder_value_here
runs=$runs,weft_slot_stride,weft_recorder_end_turn,weft_recorder_put_miss,weft_recorder_put_address
runs=$runs,weft_bfcm_coder_high,weft_bfcm_coder_long,weft_bfcm_coder_flag
status=0
# The axioms about bits in runs.c are facts about words: of those CVC4 knows more.
mask=$(printf '#include "core/recorder.h"\nWEFT_TURN_RUN\n' | gcc -E -P -I. - | tail -n 1)
sed "s/ RUN)/ #x$(printf '%08x' "${mask%u}"))/" tests/prove/bits.smt2 >"$folder/bits.smt2"
found=$(cvc4 --incremental "$folder/bits.smt2" | tr '\n' ' ')
if [ "$found" = 'unsat unsat unsat unsat ' ]; then
    echo "ok tests/prove/bits.smt2: 4 of 4 axioms about bits hold for all words"
else
    echo "not ok tests/prove/bits.smt2: $found"
    status=1
fi
for source in tests/prove/bytes.c tests/prove/frame.c tests/prove/runs.c; do
    functions=${1:-}
    [ $source != tests/prove/runs.c ] || functions=${1:-$runs}
    frama-c -wp -wp-rte -machdep gcc_x86_32 -cpp-extra-args="-I. -D__arm__ -DWEFT_CRC_BITS=4" -wp-prover cvc4 \
        -wp-timeout "${PROVE_SECONDS:-60}" ${functions:+-wp-fct "$functions"} $source >"$folder/log" 2>&1
    grep -E 'Goal .* : (Unknown|Timeout|Failed|Stepout)' "$folder/log" |
        sed -E 's/^\[wp\] \[[^]]*\] Goal typed_//; s/ \(.*//' >"$folder/open"
    listed=0
    while read -r goal _ how; do
        reason=$(sed -n "s/^$goal @ //p" tests/prove/unproved)
        echo "# not proved: $goal ($how)${reason:+: $reason}"
        [ -z "$reason" ] || listed=$((listed + 1))
    done <"$folder/open"
    goals=$(sed -nE 's/^\[wp\] Proved goals: +([0-9]+) \/ ([0-9]+).*/\1 \2/p' "$folder/log")
    read -r proved all <<<"$goals"
    if [ -n "${all:-}" ] && [ "$proved" = "$all" ]; then
        echo "ok $source: $proved of $all goals are proved"
    elif [ -n "${all:-}" ] && [ $((proved + listed)) = "$all" ]; then
        echo "ok $source: $proved of $all goals are proved, $listed are listed with the reason in tests/prove/unproved"
    else
        [ -n "${all:-}" ] || tail -n 5 "$folder/log" | sed 's/^/# /'
        echo "not ok $source: ${proved:-0} of ${all:-no} goals are proved"
        status=1
    fi
done
exit $status
