#!/bin/bash
# SPDX-License-Identifier: MIT
# The recipes of docs/HARDWARE.md for OpenOCD and pyOCD, as they stand there but for addresses and ports: through a
# model of a debug probe (debug_probe.py) their own code halts, dumps and reads RTT in the emulator. The pyOCD of
# Debian 12 is too old for its recipes: the test says so.
. tests/lib/check.sh
export PATH=$PWD/build/host:$PATH
port=$((20000 + $$ % 20000))
while grep -qiE ":$(printf '(%04x|%04x)' $port $((port + 1))) " /proc/net/tcp; do port=$((port + 2)); done
cat >"$tmp/board.cfg" <<END
adapter driver remote_bitbang
remote_bitbang host $tmp/jtag
remote_bitbang port 0
transport select jtag
gdb_port $port
tcl_port disabled
telnet_port disabled
jtag newtap chip cpu -irlen 4 -expected-id 0x4ba00477
dap create chip.dap -chain-position chip.cpu
target create chip.cpu cortex_m -dap chip.dap
END
ring=$(make -s build-firmware APP=kernels PROBES=paths SINK=ring AUTO_CFLAGS=-DWEFT_AUTO_RING=16384 VARIANT=recipe | tail -n 1)
rtt=$(make -s build-firmware APP=kernels PROBES=paths SINK=rtt AUTO_CFLAGS=-DWEFT_AUTO_RTT_FLAGS=WEFT_RTT_WAIT VARIANT=wait | tail -n 1)

recipe() { # NAME: the commands of the document, for this image and this probe
    sed -n "/recipe: $1 -->/,/^\$/p" docs/HARDWARE.md | sed -n 's/^    //p' |
        sed "s/0x20000000/0x20040000/; s/9090/$((port + 1))/; s/localhost:3333/localhost:$port/
             s/^pyocd \([a-z]*\) -t TARGET/pyocd \1 -t cortex_m -u remote:127.0.0.1:$(cat "$tmp/probe" 2>/dev/null)/" >"$tmp/recipe.sh"
}
run() { (cd "$tmp" && timeout 120 bash "$@") >"$tmp/out" 2>&1 </dev/null; } # SCRIPT
begin() { # IMAGE
    rm -f "$tmp"/{stub,jtag,probe,ram.bin,app.*}
    cp "$1" "$tmp/app.elf"
    timeout 200 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S \
        -semihosting-config enable=on,target=native,arg=program -gdb "unix:$tmp/stub,server=on,wait=off" \
        -kernel "$1" >"$tmp/program" 2>&1 </dev/null &
    emulator=$!
    until [ -S "$tmp/stub" ] || ! kill -0 $emulator; do sleep 0.05; done
}
plug() { # CLIENT
    rm -f "$tmp"/{jtag,probe}
    python3 tests/target/debug_probe.py "$tmp/stub" "$1" "$tmp/$([ "$1" = openocd ] && echo jtag || echo probe)" &
    probe=$!
    until [ -e "$tmp/jtag" ] || [ -e "$tmp/probe" ] || ! kill -0 $probe; do sleep 0.05; done
}
serves() { # PORT PID: it listens there, before the program PID ends
    until grep -qi ":$(printf %04x "$1") .* 0A " /proc/net/tcp; do
        kill -0 "$2" 2>/dev/null || return 1
        sleep 0.1
    done
}
whole() { # NAME: app.weft holds all that was recorded
    weft info --json "$tmp/app.weft" >"$tmp/info" 2>&1
    [ $? -eq 0 ] && [ "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["events"])' "$tmp/info")" -eq "$events" ] &&
        echo "ok $1" || { sed 's/^/# /' "$tmp/out" "$tmp/info" | tail -n 20; echo "not ok $1"; }
}
by_gdb() { # NAME PID: the recipe for gdb, through the server of PID
    recipe 'gdb ring'
    serves $port "$2" && run recipe.sh
    kill "$2" 2>/dev/null
    wait "$2"
    whole "$1"
}

weft capture "$(make -s build-firmware APP=kernels PROBES=paths | tail -n 1)" -o "$tmp/app.weft" >"$tmp/out" 2>&1
events=$(weft info --json "$tmp/app.weft" | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"])')
verdict "there is something to record" "$events" -gt 10000

# The program has ended when the tools come, and stays there.
begin "$ring"
timeout 100 gdb-multiarch -batch -ex "target remote $tmp/stub" -ex 'break weft_target_done' -ex continue \
    -ex 'set var *(short *)$pc = 0xe7fe' -ex detach "$ring" >"$tmp/out" 2>&1
plug openocd
recipe 'openocd ring'
run recipe.sh
whole "OpenOCD halts the core and dumps the ring"
wait $probe
plug openocd
(cd "$tmp" && exec timeout 100 openocd -f board.cfg) >"$tmp/server" 2>&1 &
by_gdb "gdb, through OpenOCD" $!
wait $probe
if command -v pyocd >/dev/null; then
    plug pyocd
    recipe 'pyocd ring'
    run recipe.sh
    whole "pyOCD halts the core and dumps the ring"
    wait $probe
    plug pyocd
    (cd "$tmp" && exec timeout 100 pyocd gdbserver -u "remote:127.0.0.1:$(cat probe)" -t cortex_m -p $port) >"$tmp/server" 2>&1 &
    by_gdb "gdb, through pyOCD" $!
    wait $probe
else
    echo "# there is no command pyocd (Debian 13 has it): its recipes were not run"
fi
kill $emulator
wait $emulator

# The program waits for the reader of its channel, and ends.
begin "$rtt"
plug openocd
recipe 'openocd rtt'
{
    echo 'set -m'
    echo 'echo $$ >reader'
    cat "$tmp/recipe.sh"
} >"$tmp/reading.sh"
run reading.sh &
reading=$!
wait $emulator
kill $probe
pkill -KILL -P "$(cat "$tmp/reader")" -x openocd # else it goes on asking a probe that is gone; nc ends with it
wait $reading
whole "OpenOCD reads RTT while the program runs"
verdict "which was not disturbed" "$(grep -c '^kernels: checksum ' "$tmp/program")" -eq 1
