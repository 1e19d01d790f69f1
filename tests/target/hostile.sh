#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that asks more of the host than to print and to write its trace: it is refused, unless --trust grants it.
. tests/lib/check.sh
weft=$PWD/build/host/weft

mkdir "$tmp/app" "$tmp/run"
cat >"$tmp/app/main.c" <<END
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include "port/cortex-m/semihost.h"

static int ask(int operation, const void *argument)
{
    register int r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory", "cc");
    return r0;
}

static void try_open(const char *name, int mode)
{
    int handle = weft_semihost_open(name, mode);
    printf("open %s: %s\n", name, handle < 0 ? "refused" : "granted");
    if (handle >= 0)
        weft_semihost_close(handle);
}

int main(void)
{
    static const char run[] = "touch $tmp/run/owned";
    const uint32_t command[] = {(uintptr_t)run, sizeof run - 1};
    printf("system: %d\n", ask(0x12, command)); /* SYS_SYSTEM */
    try_open("/etc/passwd", 0);
    try_open("../x", 4);
    try_open("$tmp/run/made", 4);
    try_open("$tmp/run/there", 8);
    try_open(":tt", 4);
    printf("remove: %d\n", weft_semihost_remove("$tmp/run/there") ? 1 : 0);
    printf("rename: %d\n", weft_semihost_rename("$tmp/run/there", "$tmp/run/other") ? 1 : 0);
    char line[200];
    weft_semihost_command_line(line, sizeof line);
    printf("argument: %s\n", strstr(line, "hello") ? "seen" : "not seen");
    return 0;
}
END
firmware() { make -s build-firmware "APP=$tmp/app" "$@" 2>>"$tmp/build.log" | tail -n 1 | xargs -r realpath; }
elf=$(firmware PROBES=paths)
[ -n "$elf" ] || { cat "$tmp/build.log"; echo "not ok the hostile firmware was built"; exit; }
echo kept >"$tmp/run/there"

# what NAME: what the program said to it
said() { sed -n "s|^$1: ||p" "$tmp/printed"; }
for mode in "" --full; do
    (cd "$tmp/run" && timeout 60 $weft capture $mode "$elf" -o out.weft --argument hello) >"$tmp/out" 2>"$tmp/printed"
    verdict "the trace of firmware that asks for more is taken $mode" $? -eq 0
    verdict "the firmware ran to its end $mode" "$(said argument)" = seen
    verdict "no host command runs $mode" ! -e "$tmp/run/owned"
    for name in /etc/passwd ../x "$tmp/run/made" "$tmp/run/there"; do
        verdict "open of ${name##*/} is refused $mode" "$(said "open $name")" = refused
    done
    verdict "the console is granted $mode" "$(said 'open :tt')" = granted
    verdict "no file is made, changed or removed $mode" \
        "$(cat "$tmp/run/there")$(ls "$tmp/run" "$tmp" | grep -cE '^(made|x|other|trace.weft)$')" = kept0
    verdict "what was refused is said $mode" \
        "$(grep -c "note: refused to the program on this machine: run a program" "$tmp/printed")" = 1
done
(cd "$tmp/run" && timeout 60 $weft capture --trust "$elf" -o out.weft --argument hello) >"$tmp/out" 2>"$tmp/printed"
verdict "--trust grants commands" -e "$tmp/run/owned"
verdict "--trust grants files" "$(said 'open /etc/passwd')" = granted
verdict "--trust says nothing of refusals" "$(grep -c refused "$tmp/printed")" = 0

# A full disk, as a limit of the size of files: a clear error, status 4, and a file that decodes.
# Newer emulators begin with a file of nearly 1 MB in memory, so their limit and the recording have to be beyond that.
[ "$(qemu-system-arm --version | sed -nE 's/.*version ([0-9]+).*/\1/p')" -lt 8 ] && scale=1 || scale=50
kernels=$(make -s build-firmware APP=kernels PROBES=mem KERNELS_SCALE=$scale 2>/dev/null | tail -n 1)
cp "$kernels" "$tmp/kernels.elf" && kernels=$tmp/kernels.elf # the third case below replaces it
uart=$(make -s build-firmware APP=kernels PROBES=mem SINK=uart KERNELS_SCALE=$scale 2>/dev/null | tail -n 1)
full=$(make -s build-firmware APP=kernels PROBES=mem 2>/dev/null | tail -n 1)
limited() { (trap '' XFSZ && ulimit -f "$1" && shift && timeout 300 "$@"); }
for what in "semihost $kernels" "uart $uart" "full --full $full"; do
    name=${what%% *}
    # The limit leaves room for most of the recording: a program whose sink fails tries again at each event, which
    # takes long. Full recordings of one run differ by some kilobytes.
    $weft capture ${what#* } --timeout 250 -o "$tmp/whole.weft" >/dev/null 2>&1
    size=$(stat -c %s "$tmp/whole.weft")
    [ "$name" = full ] && size=$((size / 1100 - 1)) || size=$((size / 1024 - 3))
    limited $size $weft capture ${what#* } --timeout 250 -o "$tmp/limited.weft" >"$tmp/out" 2>"$tmp/printed"
    status=$?
    verdict "$name: a full disk is status 4" $status -eq 4
    verdict "$name: and nothing is said that the program did not ask for" "$(grep -c refused "$tmp/printed")" = 0
    verdict "$name: and says so" "$(grep -c "^weft capture: .*$tmp/limited.weft.*File too large" "$tmp/printed")" = 1
    $weft dump "$tmp/limited.weft" >"$tmp/dump" 2>/dev/null
    status=$?
    verdict "$name: what came before decodes, and says that it is cut" "$status" -eq 3 -a -s "$tmp/dump"
    rm -f "$tmp/limited.weft"
done

# Nor is it in this machine's network, where the board has a network controller.
elf=$(make -s build-firmware APP=tests/target/programs/network.c PROBES=none 2>/dev/null | tail -n 1)
heard() { # OPTION...: whether a connection came from the program
    python3 - "$weft" capture --timeout 60 --count "$tmp/count" "$@" "$elf" <<'END'
import socket, subprocess, sys
with socket.create_server(("127.0.0.1", 47011)) as server:
    ran = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    server.settimeout(1)
    try:
        server.accept()
        print("heard", end=" ")
    except socket.timeout:
        print("not heard", end=" ")
print("sent" if b"sent" in ran.stdout else ran.stdout)
END
}
verdict "a program that connects to this machine is not heard" "$(heard)" = 'not heard sent'
verdict "with --trust it is" "$(heard --trust)" = 'heard sent'
