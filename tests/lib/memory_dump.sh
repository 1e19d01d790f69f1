# SPDX-License-Identifier: MIT
# Sourced after tests/lib/check.sh, by tests of what a debugger finds in RAM.

# Runs $elf, whose first argument is NAME, with further WORDs. When it comes to FUNCTION, a debugger reads all of the
# RAM: $tmp/ram. What weft makes of that is $tmp/ram.weft, $tmp/text and, on standard error, $tmp/gaps; the rest is in
# $tmp/log, and what the program sent in $tmp/uart.
memory_dump() { # FUNCTION NAME WORD...
    local qemu function=$1 words=
    shift
    for word in "$@"; do words+=",arg=$word"; done
    rm -f "$tmp/gdb"
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$tmp/uart" -S \
        -gdb "unix:$tmp/gdb,server=on,wait=off" \
        -semihosting-config "enable=on,target=native$words" -kernel "$elf" >/dev/null 2>&1 </dev/null &
    qemu=$!
    until [ -S "$tmp/gdb" ] || ! kill -0 $qemu 2>/dev/null; do sleep 0.1; done
    timeout 60 gdb-multiarch -q -batch -ex "target remote $tmp/gdb" -ex "break $function" -ex continue \
        -ex "dump binary memory $tmp/ram 0x20000000 0x20080000" "$elf" >"$tmp/log" 2>&1 </dev/null
    kill $qemu 2>/dev/null
    wait $qemu 2>/dev/null
    $weft capture --from-memory "$tmp/ram" "$elf" -o "$tmp/ram.weft" >>"$tmp/log" 2>&1
    $weft dump --elf "$elf" --last 0 "$tmp/ram.weft" >"$tmp/text" 2>"$tmp/gaps"
}
