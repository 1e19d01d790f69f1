#!/bin/bash
# SPDX-License-Identifier: MIT
# The RTT sink: a reader that finds the control block by its id, as debug probes do, gets the whole trace while the
# program runs; without room and without waiting the losses are counted. The reader searches the 64 KB after the stack.
. tests/lib/check.sh
weft=build/host/weft

rtt() { # NAME PAUSE MAKE...: $tmp/NAME.weft, and $tmp/elf. PAUSE hostile: NAME_A.weft and NAME_B.weft
    local name=$1 pause=$2 emulator
    shift 2
    elf=$(make -s build-firmware APP=kernels PROBES=paths SINK=rtt "$@" | tail -n 1)
    rm -f "$tmp/stub"
    timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S \
        -semihosting-config enable=on,target=native,arg=program -gdb "unix:$tmp/stub,server=on,wait=off" \
        -kernel "$elf" >"$tmp/$name.out" 2>&1 </dev/null &
    emulator=$!
    until [ -S "$tmp/stub" ] || ! kill -0 $emulator; do sleep 0.05; done
    if [ "$pause" = hostile ]; then
        python3 tests/target/rtt_hostile.py "$tmp/stub" 0x20040000 0x20050000 "$tmp/${name}_A.weft" \
            "$tmp/${name}_B.weft" 1
    else
        python3 tests/target/rtt_reader.py "$tmp/stub" 0x20040000 0x20050000 "$pause" >"$tmp/$name.weft"
    fi
    kill $emulator 2>/dev/null
    wait $emulator 2>/dev/null
}

other=$(make -s build-firmware APP=kernels PROBES=paths DERIVE=path | tail -n 1)
$weft capture "$other" -o "$tmp/file.weft" 2>/dev/null
$weft dump "$tmp/file.weft" --events control | awk '$2 == "path" { print $3 }' >"$tmp/want"
rtt whole 0.002 AUTO_CFLAGS=-DWEFT_AUTO_RTT_FLAGS=WEFT_RTT_WAIT VARIANT=wait
$weft dump "$tmp/whole.weft" --elf "$elf" --events control >"$tmp/whole.txt"
verdict "what is read by RTT while it runs is whole" $? -eq 0
awk '$2 == "path" { print $3 }' "$tmp/whole.txt" | cmp - "$tmp/want" >&2
verdict "and is what semihosting gives" $? -eq 0
expect "weft capture says who reads RTT" 1 '' $weft capture "$elf" -o "$tmp/no.weft"

rtt slow 0.01 AUTO_CFLAGS=-DWEFT_AUTO_RTT=256 VARIANT=small
$weft info "$tmp/slow.weft" >"$tmp/slow.txt" 2>&1
verdict "a channel that is too small loses frames, and they are counted" $? -eq 3

# What a reader gets that comes late, stalls, stops in frames and shares the channel is a part of the truth, with gaps.
rtt torn hostile AUTO_CFLAGS='-DWEFT_AUTO_RTT=1024 -DWEFT_AUTO_FRAME=256' VARIANT=torn
for reader in A B; do
    $weft dump "$tmp/torn_$reader.weft" --elf "$elf" --events control >"$tmp/torn.txt" 2>"$tmp/torn.log"
    status=$?
    awk '$2 == "path" { print $3 }' "$tmp/torn.txt" >"$tmp/torn.paths"
    verdict "reader $reader of two that tear frames: gaps are said" $status -eq 3 -a \
        "$(grep -c ' gap: ' "$tmp/torn.log")" -ge 1
    verdict "and what it has is in the program's order" "$(awk 'NR == FNR { part[NR] = $1; parts = NR; next }
        at < parts && $1 == part[at + 1] { at++ } END { print (parts > 100 && at == parts) }' "$tmp/torn.paths" "$tmp/want")" -eq 1
done

# The recipe of docs/HARDWARE.md for a ring in RAM, as it stands there, against the emulator's stub.
ring=$(make -s build-firmware APP=kernels PROBES=paths SINK=ring AUTO_CFLAGS=-DWEFT_AUTO_RING=16384 VARIANT=recipe | tail -n 1)
cp "$ring" "$tmp/app.elf"
sed -n '/recipe: gdb ring/,/^$/p' docs/HARDWARE.md | sed -n 's/^    //p' >"$tmp/recipe.sh"
verdict "the document has the recipe" "$(grep -c . "$tmp/recipe.sh")" -ge 4
port=$((20000 + $$ % 20000))
sed -i "s/localhost:3333/localhost:$port/" "$tmp/recipe.sh"
qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S -gdb "tcp:127.0.0.1:$port,server=on,wait=off" \
    -semihosting-config enable=on,target=native,arg=program -kernel "$ring" >"$tmp/ring.out" 2>&1 </dev/null &
until grep -qi ":$(printf %04x $port) " /proc/net/tcp || ! kill -0 $!; do sleep 0.1; done
gdb-multiarch -batch -ex "target remote localhost:$port" -ex 'break weft_target_done' -ex continue -ex disconnect "$ring" >"$tmp/gdb.out" 2>&1
(cd "$tmp" && PATH=$OLDPWD/build/host:$PATH timeout 60 bash -e recipe.sh) >"$tmp/recipe.out" 2>&1
status=$?
[ $status -eq 3 ] || [ $status -eq 0 ] || sed 's/^/# /' "$tmp/recipe.out"
verdict "and its commands give the ring's frames" "$(grep -c '^  paths  *[1-9]' "$tmp/recipe.out")" -eq 1
kill %% 2>/dev/null
wait
