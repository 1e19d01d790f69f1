# SPDX-License-Identifier: MIT
# A short run of the workload `interrupts`: `. tests/lib/interrupts.sh`, after tests/lib/check.sh, with $weft.
#   short MAKE...     prints the name of its image
#   short_full        makes $elf, without probes, its full recording $tmp/full.weft, and $tmp/dump of that
#   oracle WHAT       compares what `weft WHAT --json` says with the dump; the verdict is in $tmp/result
short() {
    make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 "$@" 2>"$tmp/log" | tail -n 1
}

short_full() {
    elf=$(short PROBES=none)
    $weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$elf" "$tmp/full.weft" >"$tmp/dump"
}

oracle() {
    $weft "$1" --json --elf "$elf" "$tmp/full.weft" >"$tmp/$1.json"
    python3 tests/target/inspect/oracle.py "$1" "$tmp/dump" "$tmp/$1.json" >"$tmp/result"
    sed 's/^/# /' "$tmp/result"
}
