#!/bin/bash
# SPDX-License-Identifier: MIT
# An emulator that starts late, ends early or never starts, and a host without threads: weft capture waits as long as it
# must, and no longer.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
export WEFT_QEMU_PLUGIN=$PWD/build/host/weft_qemu.so
elf=tests/golden/wet/small.elf
gcc -shared -fPIC -O1 -o "$tmp/shim.so" tests/lib/alloc_faults.c

# emulator NAME: a program in the emulator's place, from standard input; the real one is $real.
real=$(command -v qemu-system-arm)
emulator() {
    mkdir -p "$tmp/$1"
    { printf '#!/bin/sh\ncase "$2" in *help) exec %s "$@" ;; esac\n' "$real"; cat; } >"$tmp/$1/qemu-system-arm"
    chmod 755 "$tmp/$1/qemu-system-arm"
}
emulator late <<END
sleep 8
exec $real "\$@"
END
emulator never <<'END'
exec sleep 1000
END
emulator early <<END
exec python3 $tmp/early.py "\$@"
END
cat >"$tmp/early.py" <<'END'
import re, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(re.search("path=([^ ]*/gdb)", " ".join(sys.argv)).group(1))
listening.listen()
client = listening.accept()[0]
while b"$D#" not in client.recv(1000): # wait until the program ends; it has not had its last answer
    client.send(b"+$S05#b8")
END

# The emulator's own writes fail while it lists its machines.
mkdir "$tmp/mute"
printf '#!/bin/sh\ncase "$2" in *help) exec %s "$@" >/dev/full 2>&1 ;; esac\nexec %s "$@"\n' "$real" "$real" \
    >"$tmp/mute/qemu-system-arm"
chmod 755 "$tmp/mute/qemu-system-arm"
expect "an emulator that cannot say which machines there are is run" 0 '[0-9]* events, .*' env PATH="$tmp/mute:$PATH" \
    $weft capture --full $elf -o "$tmp/mute.weft"
for machine in none-such 'mps2-an385,x' '-help' ''; do
    expect "there is no machine '$machine'" 2 '' $weft capture --full "--machine=$machine" $elf -o "$tmp/other.weft"
    verdict "which is said of '$machine'" "$(grep -c "the emulator has no machine '$machine'" "$tmp/stderr")" -eq 1
done

PATH=$tmp/late:$PATH $weft capture --full $elf -o "$tmp/late.weft" >"$tmp/late.out" 2>&1 &
late=$!
PATH=$tmp/never:$PATH timeout 100 $weft capture --full $elf -o "$tmp/never.weft" >"$tmp/never.out" 2>&1 &
never=$!

expect "a program that ends before the debugger is answered has run" 1 '' env PATH="$tmp/early:$PATH" $weft capture --full $elf -o "$tmp/early.weft"
verdict "and all that is wrong is that nothing came out" "$(cat "$tmp/stderr")" = "weft capture: no trace came out of machine 'mps2-an385': '$tmp/early.weft' is not written"
start=$SECONDS
expect "without threads the emulator is not run" 4 '' env LD_PRELOAD="$tmp/shim.so" WEFT_FAIL_THREADS=1 timeout 100 \
    build/host/weft capture --full $elf -o "$tmp/threads.weft"
verdict "and says why" "$(grep -c 'cannot run qemu-system-arm: Resource temporarily unavailable' "$tmp/stderr")" -eq 1
verdict "at once" $((SECONDS - start)) -lt 90
while [ -z "$(cat /proc/$never/task/$never/children)" ]; do sleep 0.1; done # timeout, then weft
weft_itself=$(tr -d ' ' </proc/$never/task/$never/children)
until [ -n "$(cat "/proc/$weft_itself/task/$weft_itself/children" 2>/dev/null)" ] || ! kill -0 $never 2>/dev/null; do sleep 0.1; done
sleep 1
kill -INT "$weft_itself"
wait $never
verdict "a signal ends an emulator that never starts" $? -eq 1 -a "$(grep -c 'interrupted' "$tmp/never.out")" -eq 1
wait $late
verdict "an emulator that starts late is waited for" $? -eq 0 -a -s "$tmp/late.weft"
verdict "no half output is left" "$(ls -A "$tmp" | grep -c 'part$')" -eq 0
