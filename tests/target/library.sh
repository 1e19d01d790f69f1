#!/bin/bash
# SPDX-License-Identifier: MIT
# libweft gives another program the events that `weft dump` prints, all of them and in its order: those of the firmware
# itself, stamps, switches of context with their names, and gaps too, with the image and without; installed, by what
# pkg-config says, as a shared library and as an archive.
. tests/lib/check.sh
weft=build/host/weft
make -s install-built PREFIX=/usr DESTDIR="$tmp/root" >"$tmp/log" 2>&1
usr=$tmp/root/usr
export PKG_CONFIG_PATH=$usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/root LD_LIBRARY_PATH=$usr/lib
cat >"$tmp/reader.c" <<'C'
#include <inttypes.h>
#include <stdio.h>
#include <weft_host.h>

static const char *const kinds[] = {"",     "entry",   "exit", "block", "load", "store",
                                    "value", "path", "context", "gap", "event", "stamp"};

static void put(weft_host *trace, const weft_host_event *e)
{
    printf("%" PRIu32 " %s", e->context, kinds[e->kind]);
    if (e->kind == WEFT_HOST_ENTRY || e->kind == WEFT_HOST_EXIT)
        printf(" %s", e->function);
    else if (e->kind == WEFT_HOST_PATH)
        printf(" %" PRIu32, e->id);
    else if (e->kind == WEFT_HOST_LOAD || e->kind == WEFT_HOST_STORE)
        printf(" %" PRIu32 " %" PRIu32, e->address, e->size);
    else if (e->kind == WEFT_HOST_CONTEXT)
        printf(" %s", weft_host_context(trace, e->context));
    else if (e->kind == WEFT_HOST_STAMP)
        printf(" %" PRIu64, e->time);
    else if (e->kind == WEFT_HOST_EVENT)
        printf(" %" PRIu32 " %s", e->id, e->text ? e->text : "?");
    for (uint32_t i = 0; e->kind == WEFT_HOST_EVENT && i < e->number_count; i++)
        printf(" %" PRIu32, e->numbers[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    char message[300];
    weft_host *trace = weft_host_open(argv[1], argc > 2 ? argv[2] : NULL, message, sizeof message);
    if (!trace)
        return puts(message), 1;
    for (int round = 0; round < 2; round++) {
        for (weft_host_event e; weft_host_next(trace, &e) > 0;)
            if (round && e.kind != WEFT_HOST_BLOCK && e.kind != WEFT_HOST_VALUE)
                put(trace, &e);
        weft_host_rewind(trace);
    }
    weft_host_lost lost;
    weft_host_missing(trace, &lost);
    fprintf(stderr, "%" PRIu64 " Hz,%" PRIu64 "\n", weft_host_hz(trace), lost.gaps);
    if (weft_host_error(trace))
        puts(weft_host_error(trace));
    weft_host_close(trace);
    return 0;
}
C
flags="-std=gnu11 -Wall -Wextra -Werror"
gcc $flags "$tmp/reader.c" $(pkg-config --cflags --libs libweft) -o "$tmp/reader" &&
    gcc $flags "$tmp/reader.c" $(pkg-config --cflags libweft) "$usr/lib/libweft.a" \
        $(pkg-config --static --libs-only-l libweft | sed 's/-lweft//') -o "$tmp/static"
verdict "a program links with either" $? -eq 0
verdict "they export names of their own only" \
    "$(nm -D --defined-only "$usr/lib/libweft.so" | grep -vc weft_host_)$(nm -g --defined-only "$usr/lib/libweft.a" |
        grep ' [A-Z] ' | grep -vc weft_host_)" = 00
{ echo '#include <weft_host.h>'; echo 'int main() { return weft_host_api() != WEFT_HOST_API; }'; } >"$tmp/api.cpp"
g++ -Wall -Wextra -Werror "$tmp/api.cpp" $(pkg-config --cflags --libs libweft) -o "$tmp/api" && "$tmp/api"
verdict "so does one in C++" $? -eq 0
cat >"$tmp/dumped.py" <<'P'
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    kind = e.get("event")
    if kind in (None, "block", "value"):
        continue
    more = {"entry": ["function"], "exit": ["function"], "path": ["path"], "load": ["address", "size"],
            "store": ["address", "size"], "context": ["name"], "stamp": ["time"], "event": ["id"]}.get(kind, [])
    words = [e["context"], kind] + [e.get(key, "") for key in more]
    if kind == "event":
        words += [e.get("text", e.get("name", "?"))] + e["values"]
    print(*words)
P
same() { # NAME RECORDING [ELF]
    # Without an image weft dump says nothing of contexts that the firmware gave no name.
    "$tmp/reader" "${@:2}" 2>"$tmp/hz" | sed -E "s/ context ${3:+no }(thread mode|SysTick_Handler)\$/ context /" >"$tmp/read"
    $weft dump --json "$2" ${3:+--elf "$3"} 2>"$tmp/log" | python3 "$tmp/dumped.py" >"$tmp/want"
    diff "$tmp/want" "$tmp/read" | head -n 5 | sed 's/^/# /'
    verdict "$1: what weft dump prints" "$(cmp -s "$tmp/want" "$tmp/read" && wc -l <"$tmp/read")" -gt 1000
}
has() { grep -cE "$1" "$tmp/read"; }

program="APP=tests/target/programs/events.c CLOCK=timer STAMPS=64 VARIANT=library"
names=-DWEFT_AUTO_NAMES=16
elf=$(make -s build-firmware $program PROBES=mem AUTO_CFLAGS=$names | tail -n 1)
$weft capture "$elf" -o "$tmp/whole.weft" --icount 5 >"$tmp/log" 2>&1
same "with the image" "$tmp/whole.weft" "$elf"
verdict "its own events have their text and numbers" "$(has '^[0-9]+ event 7 level [0-9]+, [0-9]+ [0-9]+ [0-9]+$')" -eq 200
verdict "stamps are there" "$(has '^[0-9]+ stamp [0-9]+$')" -gt 50
verdict "contexts have their names" "$(has ' context (Rx|Tx|SysTick_Handler)$')" -gt 50
verdict "the clock's rate is given" "$(cat "$tmp/hz")" = "25000000 Hz,0"
verdict "the archive gives the same" "$("$tmp/static" "$tmp/whole.weft" "$elf" 2>/dev/null | cksum)" = "$(cksum <"$tmp/read")" -a \
    -s "$tmp/read"

elf=$(make -s build-firmware $program PROBES=paths PACK=0 SINK=ring \
    AUTO_CFLAGS="$names -DWEFT_AUTO_RING=8192 -DWEFT_AUTO_FRAME=512" | tail -n 1)
$weft capture "$elf" -o "$tmp/ring.weft" --icount 5 >"$tmp/log" 2>&1
verdict "a ring forgets" $? -eq 3
same "with the image, and a gap" "$tmp/ring.weft" "$elf"
verdict "there is one" "$(has ' gap$')" -gt 0
same "without the image" "$tmp/ring.weft"
verdict "gaps, events, stamps and names of tasks are there, too" "$(has ' gap$')" -gt 0 -a "$(has ' event 7 level ')" -gt 0 -a \
    "$(has ' stamp ')" -gt 0 -a "$(has ' context (Rx|Tx)$')" -gt 0

verdict "another image is refused" "$("$tmp/reader" "$tmp/whole.weft" "$elf" | grep -c image)" -eq 1
verdict "what is missing is counted" "$(cut -d , -f 2 "$tmp/hz")" -gt 0
$weft capture --full "$elf" -o "$tmp/full.weft" --icount 5 >"$tmp/log" 2>&1
verdict "a full recording is refused" "$("$tmp/reader" "$tmp/full.weft" "$elf" | grep -c 'full recording')" -eq 1
