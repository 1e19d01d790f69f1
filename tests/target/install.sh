#!/bin/bash
# SPDX-License-Identifier: MIT
# What `make install` puts somewhere works there: firmware that knows nothing of Weft is traced by what its own Makefile
# or CMakeLists.txt includes, in C and in C++, and with LTO. Of the host library: library.sh; manual and completions:
# tests/golden/completion.sh. WEFT_LONG: engines with -O2 in each kind of build, -flto, and what repeats a build.
. tests/lib/check.sh
root=$PWD
log=$tmp/log
make -s install-built PREFIX=/usr DESTDIR="$tmp/root" >"$log" 2>&1 ||
    { sed 's/^/# /' "$log"; echo "not ok it installs"; exit; }
echo "ok it installs"
usr=$tmp/root/usr
# Below /usr the host has its headers there, too: firmware must not find them.
echo '#error "a header of the host"' >"$usr/include/stdint.h"
export PATH=$usr/bin:$PATH
cd "$tmp" || exit 1

# In a chroot without /proc a program cannot ask where its file is.
printf '%s\n' '#include <errno.h>' '#include <unistd.h>' 'ssize_t readlink(const char *path, char *to, size_t size)' \
    '{ (void)path; (void)to; (void)size; errno = ENOENT; return -1; }' | gcc -shared -fPIC -x c - -o no_proc.so
ln -s "$usr/bin/weft" linked
for started in weft ./linked "$usr/bin/weft" "${usr#"$tmp/"}/bin/weft"; do
    expect "without /proc it finds what is installed: started as ${started/*root/root}" 0 "$usr/share/weft" \
        env LD_PRELOAD="$tmp/no_proc.so" "$started" --share
done

# The firmware never ends. Where the machine is busy, a second is too short for it.
take() { # ELF OUT EVENTS COMMAND...: records longer and longer, until COMMAND is true; EVENTS has the events
    local elf=$1 out=$2 events=$3 seconds
    shift 3
    for seconds in 1 6 36; do
        weft capture "$elf" -o "$out" --timeout $seconds >"$log" 2>&1
        status=$?
        weft dump "$out" --elf "$elf" --events control >"$events" 2>>"$log"
        ! "$@" || break
    done
}
ran() { # FUNCTION...: all of them, by `dump`
    local function
    for function in "$@"; do
        grep -qE "^[0-9]+ (path|entry) .*\b$function\b" dump || return 1
    done
}
traced() { # NAME ELF WANTED-FUNCTION... (capture's exit status is in $status)
    local name=$1 elf=$2
    shift 2
    take "$elf" app.weft dump ran "$@"
    ran "$@" || { sed 's/^/# /' "$log"; echo "not ok $name: not all of $*"; return; }
    echo "ok $name"
}
# Optimising the engine takes five of the six seconds of a build. So it is done once, and with -flto.
plainly="WEFT_DEFINES = -O0 -g0"
engine=-O0 # where neither is asked for
! in_long || engine=-O2
foreign() { # FOLDER MAKEFILE-LINES...: a copy of the firmware, with these lines added
    rm -rf "$1"
    cp -r "$root/tests/target/foreign" "$1"
    printf '%s\n' "${@:2}" >>"$1/Makefile"
}

foreign c "$(sed -n '/^```make$/,/^```$/p' "$root/README.md" | grep -v '^```')"
make -s -C c OPT=-O2 >"$log" 2>&1 || sed 's/^/# /' "$log"
traced "its own Makefile, with the README's three lines" c/out/app.elf main filter SysTick_Handler
verdict "the ring forgot its oldest frames, and that is said" $status -eq 3
expect "it is sealed" 0 '' weft seal --check c/out/app.elf
# The same objects, linked for other addresses: only what `weft seal` puts into the image tells these two apart.
cp -a c moved
sed -i 's/\(RAM.*ORIGIN = \)0x20000000/\10x20001000/' moved/link.ld
rm moved/out/app.elf
make -s -C moved OPT=-O2 >"$log" 2>&1 || sed 's/^/# /' "$log"
expect "another link of the same objects is refused" 1 '' weft dump app.weft --elf moved/out/app.elf
arm-none-eabi-strip -g -o small.elf c/out/app.elf
expect "a stripped copy of its own is not" 3 '.*' weft info app.weft --elf small.elf
expect "nor does it matter to seal it again" 0 '' weft seal small.elf
expect "which leaves what is loaded as it was" 3 '.*' weft info app.weft --elf small.elf
verdict "the engine takes at most 15,300 bytes of flash" \
    "$(weft size c/out/app.elf 2>>"$log" | awk '$1 == "engine" { print $2 }')" -le 15300
verdict "and the emulator's own words do not stand beside it" "$(grep -c 'terminating on signal' "$log")" -eq 0
verdict "what was recorded last is not lost" "$(weft info app.weft 2>&1 | grep -c 'no end record')" -eq 0
sed '1i LD = link.ld' c/Makefile >c/Makefile.script
verdict "LD that names a linker script is not a linker" \
    "$(make -s -n -W Makefile -C c -f Makefile.script OPT=-O2 2>&1 | grep -c -e '-Wl,--wrap=main')" -eq 1
arm-none-eabi-objcopy -R .weft.board c/out/app.elf unnamed.elf
traced "an image that says nothing of Weft" unnamed.elf main filter
arm-none-eabi-strip -o stripped.elf -R .weft.board c/out/app.elf
expect "no symbols: refused" 1 '' weft capture stripped.elf -o x.weft
verdict "and what to keep is said" "$(grep -c 'it has no symbols' "$tmp/stderr")" -eq 1
foreign plain
make -s -C plain OPT=-O2 >"$log" 2>&1
expect "no probes: refused" 1 '' weft capture plain/out/app.elf -o x.weft
verdict "and how to add them is said" "$(grep -c 'weft --plugin' "$tmp/stderr")" -eq 1

if in_long; then
    foreign lto 'WEFT_SINK = semihost' 'WEFT_PROBES = values' 'WEFT_CODER = loops' 'WEFT_WORKER = 31 Spare_IRQHandler' \
        "include $usr/share/weft/weft.mk"
    make -s -C lto OPT='-O2 -flto' >"$log" 2>&1 || sed 's/^/# /' "$log"
    traced "with -flto, to a file, with values" "lto/out/app.elf" main SysTick_Handler
    verdict "all of it came out" $status -eq 0
    traced_values=$(weft dump app.weft --elf lto/out/app.elf --events values 2>/dev/null | grep -c ' value ')
    verdict "and values" "$traced_values" -gt 1000

    # The start-up too, and it runs no constructors: main is not wrapped, so nothing begins.
    foreign unwrapped 'WEFT_SINK = semihost' "$plainly" "include $usr/share/weft/weft.mk"
    sed -i '/for (.*__init_array_start/,+1d' unwrapped/startup.c
    make -s -C unwrapped OPT='-O2 -flto' >"$log" 2>&1 || sed 's/^/# /' "$log"
    expect "-flto for the start-up as well: refused" 1 '' weft capture unwrapped/out/app.elf -o x.weft --timeout 2
    verdict "and what to compile without is said" "$(grep -c 'compile it with -fno-lto' "$tmp/stderr")" -eq 1
fi

# A build that turns all warnings on.
strict="-mcpu=cortex-m3 -mthumb -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror"
for choice in 'AUTO=0' 'AUTO=1 -DWEFT_AUTO_WRAP=1' 'AUTO=1 -DWEFT_AUTO_SINK_RTT -DWEFT_AUTO_VALUES=1 -DWEFT_CONTROLS=1'; do
    expect "weft.c has no warnings: $choice" 0 '' \
        arm-none-eabi-gcc -std=c11 $strict -DWEFT_$choice -fsyntax-only "$usr/share/weft/weft.c"
done
printf '#include <weft/weft.h>\nvoid end(void);\nvoid end(void) { weft_stop(); }\n' >header.cpp
for standard in c++98 c++11 c++20; do
    expect "weft.h in $standard has none either" 0 '' \
        arm-none-eabi-g++ -std=$standard $strict "-I$usr/share/weft/include" -c header.cpp -o header.o
done

own_memory() { # FOLDER: what takes no library has these of its own
    cat >>"$1/main.c" <<'END'
void *memset(void *to, int value, unsigned size);
void *memcpy(void *to, const void *from, unsigned size);
void *memset(void *to, int value, unsigned size)
{
    for (volatile unsigned char *at = to; size--;)
        *at++ = value;
    return to;
}
void *memcpy(void *to, const void *from, unsigned size)
{
    const unsigned char *source = from;
    for (volatile unsigned char *at = to; size--;)
        *at++ = *source++;
    return to;
}
END
}
alone() { # FOLDER: linked by a bare ld, which finds no library
    sed -i 's/^LDFLAGS = .*/LD = $(PREFIX)ld\nLDFLAGS = -nostdlib -Tlink.ld --gc-sections/; s/$(or $(LINK),$(CC))/$(LD)/' \
        "$1/Makefile"
    own_memory "$1"
}
# It leaves by a request of its own: a debugger would see no end of it. What was recorded by then comes out.
for sink in ${WEFT_LONG:+ring} semihost; do
    foreign leaves "WEFT_SINK = $sink" 'WEFT_DEFINES = -O0 -g0 -DWEFT_AUTO_RING=65536' "include $usr/share/weft/weft.mk"
    [ $sink = ring ] || alone leaves
    make -s -C leaves OPT='-O2 -DLEAVE_AFTER=500' >"$log" 2>&1 || sed 's/^/# /' "$log"
    traced "a program that leaves by itself, sink $sink" leaves/out/app.elf main SysTick_Handler
    verdict "all of it came out" $status -eq 0
    verdict "up to its last sample" "$(weft dump app.weft --elf leaves/out/app.elf | grep -c ' entry filter')" -eq 500
done

# The same objects in another order are another image: numbers of paths are addresses.
cp leaves/out/app.elf ordered.elf
rm leaves/out/app.elf
make -s -C leaves OPT='-O2 -DLEAVE_AFTER=500' OBJECTS='out/startup.o out/filter.o out/main.o' >"$log" 2>&1 || sed 's/^/# /' "$log"
expect "another link order, no build id: its own recording is read" 0 '.*' weft dump app.weft --elf ordered.elf
expect "and that of the other order is refused" 1 '' weft dump app.weft --elf leaves/out/app.elf

# Makefiles in two folders, which include one file with the choices and then add flags of their own. And memory holds
# anything when the program starts.
foreign folders
(
    cd folders || exit
    mkdir sub
    mv filter.c sub
    sed -e '/^all:/,$d' -e 's/ filter.o//' Makefile >choices.mk
    printf '%s\n' 'WEFT_SINK = semihost' "$plainly" "include $usr/share/weft/weft.mk" >>choices.mk
    { printf '%s\n' 'include choices.mk' 'CFLAGS += -DLEAVE_AFTER=500' 'OBJECTS += sub/filter.o'
        sed -n '/^all:/,$p' Makefile
        printf 'sub/filter.o:\n\t$(MAKE) -C sub filter.o\n'; } >whole.mk
    mv whole.mk Makefile
    printf 'include ../choices.mk\nCFLAGS += -I..\nfilter.o: filter.c\n\t$(CC) -c $(CFLAGS) $< -o $@\n' >sub/Makefile
    sed -i 's/^    Reset_Handler,/    Power_On,/; s/^void Default_Handler(void);/&\nvoid Power_On(void);/' startup.c
    sed 1d power_on.c >>startup.c
)
make -s -C folders OPT=-O2 >"$log" 2>&1 || sed 's/^/# /' "$log"
traced "flags that are added after, and memory that is not clear at the start" folders/out/app.elf main filter
verdict "all of it came out" $status -eq 0
verdict "where make calls make, both have one engine" ! -e folders/sub/.weft
foreign manual 'WEFT_START = own' "include $usr/share/weft/weft.mk"
expect "a choice that there is not is refused" 2 '' make -s -C manual WEFT_SINK=usb
foreign hand
(cd hand && sed -n '/^    engine=/,/^    weft seal/p' "$root/docs/ADOPTION.md" | sed "s/ -O2 / $engine /" >steps &&
    . ./steps) >"$log" 2>&1 ||
    sed 's/^/# /' "$log"
traced "by hand, as docs/ADOPTION.md says" hand/app.elf main filter SysTick_Handler

cmake_build() { # FOLDER MAIN LINES..., compiled with $opt
    foreign "$1"
    printf '%s\n' "${@:3}" >>"$1/CMakeLists.txt"
    { cmake -S "$1" -B "$1/out" -DMAIN="$2" -DOPT=$opt -DWEFT_ENGINE_FLAGS=$opt -DCMAKE_PREFIX_PATH="$usr" && cmake --build "$1/out"; } >"$log" 2>&1 ||
        sed 's/^/# /' "$log"
}
opt=$engine
cmake_build cmake main.c 'find_package(Weft 0.1 REQUIRED)' 'weft_trace(app.elf MACHINE mps2-an385 LIBRARIES filter)'
traced "CMake, with a library" cmake/out/app.elf main filter SysTick_Handler
opt=-O0
if in_long; then
    # Behind an alias, an interface and another library, which knows it in turn.
    cmake_build all main.c 'add_library(outer STATIC filter.c)' 'add_library(inner INTERFACE)' \
        'add_library(all::filter ALIAS filter)' \
        'target_link_libraries(app.elf PRIVATE outer)' 'target_link_libraries(outer PRIVATE inner)' \
        'target_link_libraries(inner INTERFACE all::filter)' 'target_link_libraries(filter PRIVATE outer)' \
        'find_package(Weft REQUIRED)' 'weft_trace(app.elf SINK semihost LIBRARIES ALL)'
    verdict "CMake, with all libraries" "$(for library in outer filter; do
        arm-none-eabi-nm all/out/lib$library.a | grep -c ' U __weft_path$'
    done | xargs)" = "1 1"
fi
# clang, which loads no plugin of GCC's.
newlib=$(dirname "$(echo '#include <stdio.h>' | arm-none-eabi-gcc -M -x c - | tr ' ' '\n' | grep -m 1 '/stdio.h$')")
clang="clang --target=arm-none-eabi -fshort-enums -isystem $newlib"
foreign edges 'WEFT_PROBES = edges' "WEFT_DEFINES = $engine -DWEFT_AUTO_RING=65536" "include $usr/share/weft/weft.mk"
make -s -C edges OPT='-O2 -DLEAVE_AFTER=300' CC="$clang" LINK=arm-none-eabi-gcc >"$log" 2>&1 || sed 's/^/# /' "$log"
traced "clang, with its own flags for the plugin" edges/out/app.elf main filter SysTick_Handler
verdict "a program of clang's that leaves by itself: all of it came out" "$(grep -c ' entry filter' dump)" -eq 300
expect "and what only the plugin has is refused" 2 '' make -s -C edges WEFT_EXACT=1

foreign swo 'WEFT_SINK = itm' "$plainly" "include $usr/share/weft/weft.mk"
sed -i 's/LDFLAGS/LINKFLAGS/' swo/Makefile
# The processor stands in a variable that the rules name, not in CFLAGS. The link's options have another name. And no
# library is linked unasked.
sed -i 's/-nostartfiles/-nostdlib/; s/\bCPU\b/CORE/; s/\bMCU\b/ARCH_FLAGS/; s/^\(CFLAGS\|LINKFLAGS\) = $(ARCH_FLAGS)/\1 =/
    s/-c $(CFLAGS)/-c $(ARCH_FLAGS) $(CFLAGS)/; s/$(OBJECTS) $(LINKFLAGS)/$(OBJECTS) $(ARCH_FLAGS) $(LINKFLAGS)/' swo/Makefile
own_memory swo
make -s -C swo OPT=-O2 WEFT_SEAL=0 >"$log" 2>&1 || sed 's/^/# /' "$log"
expect "or not, where that is not wanted" 1 '' weft seal --check swo/out/app.elf
expect "SWO, which the emulator does not have" 1 '' weft capture swo/out/app.elf -o x.weft
verdict "and what reads it is said" "$(grep -c -- '--from-swo' "$tmp/stderr")" -eq 1
sed -i 's/^CORE = /OTHER = -mcpu=cortex-m0\n&/' swo/Makefile
expect "two processors in such variables" 2 '' make -s -C swo
verdict "and what to set is said" "$(grep -c 'WEFT_CPU = ' "$tmp/stderr")" -eq 1
if in_long; then
    cmake_build rtt main.c 'find_package(Weft REQUIRED)' 'weft_trace(app.elf SINK rtt PROBES mem)'
    verdict "CMake, to RTT" "$(arm-none-eabi-nm rtt/out/app.elf | grep -c ' _SEGGER_RTT$')" -eq 1
fi

# The Zephyr module, where stand-ins take the place of Zephyr.
zephyr_build() { # FOLDER CHOICE;... [EXTERNAL-VECTORS [DEFINES]]; it leaves by itself, but for the long one
    foreign "$1"
    sed -i "s/Spare_IRQHandler/weft_zephyr_worker/; s/\[16 + 31] = weft_zephyr_worker/${3:-&}/
        s/^void Default_Handler(void);/&\nvoid _isr_wrapper(void);\nvoid direct_handler(void);/" "$1/startup.c"
    sed -i 's|^  .ARM.attributes|  INCLUDE SECTIONS.ld\n&|' "$1/link.ld"
    {
        cmake -S "$root/tests/target/programs/zephyr" -B "$1/out" -DMODULE="$usr/share/weft/zephyr" \
            -DFOREIGN="$PWD/$1" -DKERNEL_DEFINES="${4:-}" -DOPT="${zephyr_opt:--O0;-DLEAVE_AFTER=500}" \
            -DCONFIG="NUM_IRQS=32;WEFT_FRAME_SIZE=1024;WEFT_SLOTS=128;WEFT_NAMES=32;$2" &&
            cmake --build "$1/out"
    } >"$log" 2>&1 || sed 's/^/# /' "$log"
    verdict "Zephyr, $1: the linker is told where all goes" "$(grep -cE 'orphan section .[.]?weft' "$log")" -eq 0
}
if in_long; then
    zephyr_opt=-O1
    zephyr_build module 'WEFT_SINK_RING;WEFT_RING_SIZE=16384'
    traced "Zephyr, the application alone" module/out/app.elf main filter SysTick_Handler
    verdict "image and identity are checked" "$(grep -c unchecked "$log")" -eq 0
fi
zephyr_build kernel 'USE_SWITCH;WEFT_SINK_SEMIHOST;WEFT_KERNEL;WEFT_PROBES_PATHS;WEFT_WORKER;WEFT_WORKER_IRQ=31'
traced "Zephyr, the kernel too" kernel/out/app.elf main filter SysTick_Handler
verdict "without loss" $status -eq 0
verdict "and where it changes stacks within a function, that file is left out" \
    "$(grep -c 'exclude-file=.*/kernel/sched\*\.c' kernel/out/CMakeFiles/app.dir/flags.make)" -gt 0
in_long || zephyr_opt=-O0 # and these run on
wrapped='[16 ... 22] = _isr_wrapper, [23] = direct_handler, [24 ... 47] = _isr_wrapper'
auto='TRACING_USER;GEN_SW_ISR_TABLE;WEFT_SINK_SEMIHOST;WEFT_WORKER_AUTO'
zephyr_build threads "$auto" "$wrapped"
traced "Zephyr, with an interrupt that it finds in the kernel's tables" threads/out/app.elf main filter
verdict "where the kernel says nothing of its threads, they are known" \
    "$(grep -oE ' context (first|second)' dump | sort -u)" = ' context second'
zephyr_build served "$auto" "$wrapped" FULL
expect "where each is served, on, or connected directly: nothing is recorded" 1 '' \
    weft capture served/out/app.elf -o x.weft --timeout 3
verdict "and why is said" "$(grep -c 'the recorder did not start: WEFT_WORKER' "$tmp/stderr")" -eq 1

cmake_build cpp main.cpp 'find_package(Weft REQUIRED)' 'weft_trace(app.elf SINK semihost WORKER auto)'
traced "C++, which ends" cpp/out/app.elf main
verdict "and its recording is whole" $status -eq 0
verdict "and an interrupt of its does what takes long" \
    "$(arm-none-eabi-nm cpp/out/app.elf | grep -c ' T weft_worker$')" -eq 1
if in_long; then
    cmake_build nobody main.cpp 'find_package(Weft REQUIRED)' 'weft_trace(app.elf SINK semihost WORKER 31 Missing_Handler)'
    expect "an interrupt that is not in the vector table: nothing is recorded" 1 '' weft capture nobody/out/app.elf -o x.weft
    verdict "and why is said" "$(grep -c 'the recorder did not start: WEFT_WORKER names' "$tmp/stderr")" -eq 1
fi

# Functions by a list in a file.
printf '# what is traced\nfil*r\n' >list
listed() { # NAME ELF
    take "$2" listed.weft events grep -q ' path ' events
    verdict "$1: a list in a file says which functions" "$(awk '$2 == "path" { print $4 }' events | sort -u)" = filter
}
foreign list_make 'WEFT_SINK = semihost' 'WEFT_PLUGIN_OPTIONS = include=@../list' "$plainly" \
    "include $usr/share/weft/weft.mk"
# A start-up that takes what is initialised from the end of .text.
sed 's/ AT(.*SIZEOF(.text))//; s/\(_edata = .*\) > RAM/\1 > RAM AT > FLASH/' list_make/old.ld >list_make/link.ld
make -s -C list_make OPT='-O2 -DSLEEP_AFTER=500' >"$log" 2>&1 || sed 's/^/# /' "$log"
listed "its own Makefile" list_make/out/app.elf
verdict "asleep for good with interrupts masked, its recording is brought to an end" \
    "$(weft info listed.weft 2>&1 | grep -c 'no end record')" -eq 0
echo main >list
make -s -C list_make OPT='-O2 -DSLEEP_AFTER=500' >"$log" 2>&1
verdict "and a list that changed asks for make clean" "$(grep -c 'the choices changed' "$log")" -eq 1
rm list_make/out/main.o
make -s -C list_make OPT='-O2 -DSLEEP_AFTER=500 -DNO_TICK' WEFT_PROBES=paths >"$log" 2>&1
verdict "again until it comes" "$(grep -c 'the choices changed' "$log")" -eq 1
weft capture list_make/out/app.elf -o asleep.weft --timeout 1 >"$log" 2>&1
verdict "where nothing wakes it, that is said" $? -eq 3 -a "$(grep -c 'no interrupt wakes the program' "$log")" -eq 1
verdict "what has probes for paths only, in an image with others, is not known to weft io and weft model" \
    "$({ weft io asleep.weft --elf list_make/out/app.elf; weft model asleep.weft --elf list_make/out/app.elf; } 2>&1 | grep -c 'stores of 1 of 2 functions')" -eq 2
make -s -C list_make clean all WEFT_SINK=ring >"$log" 2>&1
verdict "and clean all makes the engine, too" "$(grep -c 'the choices changed' "$log")" -eq 0 -a \
    "$(weft size list_make/out/app.elf | grep -c weft_trace_ring)" -eq 1
if in_long; then
    echo filter >list
    cmake_build list_cmake main.c 'find_package(Weft REQUIRED)' \
        'weft_trace(app.elf SINK semihost PLUGIN_OPTIONS include=@../list LIBRARIES filter)'
    listed "CMake" list_cmake/out/app.elf
fi

many_stamps() { # and an end, which a busy machine may not come to at once
    ! grep -q 'no end record' "$log" && [ "$(grep -c ' stamp time ' times)" -gt 20 ] &&
        [ "$(grep -c ' exit filter' times)" -gt 6 ]
}
stamped() { # NAME ELF: with a clock
    take "$2" timed.weft times many_stamps
    verdict "$1: stamps of time at 25 MHz, at entry and exit of filter too" "$(grep -c ' stamp time ' times)" -gt 20 -a \
        "$(weft info timed.weft 2>&1 | grep -c 'time base .* at 25000000 Hz')" -eq 1 -a \
        "$(grep -A1 ' exit filter' times | grep -c ' stamp time ')" -gt 5
}
foreign timed 'WEFT_SINK = semihost' 'WEFT_CLOCK = systick 25000000' 'WEFT_STAMP = filter' \
    'WEFT_WORKER = auto' "$plainly" "include $usr/share/weft/weft.mk"
grep -v '^ENTRY' timed/old.ld >timed/link.ld
sed -i 's/SysTick_Handler/tick_begins/' timed/main.c timed/startup.c
make -s -C timed OPT="-O2 -DTASK_STACK=600 -DSET_TABLE" >"$log" 2>&1 || sed 's/^/# /' "$log"
stamped "its own Makefile, and a linker script that puts .data where .text ends" timed/out/app.elf
# Without that interrupt nothing would be recorded (nobody, above).
verdict "an interrupt that is free is found, and does what takes long, also after main has set the vector table" \
    "$(arm-none-eabi-nm timed/out/app.elf | grep -c ' T weft_worker$')" -eq 1
verdict "on a small stack, with nothing below it: the recording ends on that of the handlers" \
    "$(weft info timed.weft 2>&1 | grep -c 'no end record')" -eq 0
expect "an interrupt without its handler's name is refused" 2 '' make -s -C timed WEFT_WORKER=31
verdict "handlers have their names in an image that names no entry" "$(grep -c ' context tick_begins ' times)" -gt 2 -a \
    "$(weft irq timed.weft --elf timed/out/app.elf 2>/dev/null | grep -c '^ *15  tick_begins ')" -eq 1
if in_long; then
    cmake_build cmake_timed main.c 'find_package(Weft REQUIRED)' \
        'weft_trace(app.elf SINK semihost CLOCK systick CLOCK_HZ 25000000 STAMP filter LIBRARIES filter)'
    stamped "CMake" cmake_timed/out/app.elf
fi

for kernel in zephyr threadx; do
    printf '#include <weft/rtos/%s.h>\nvoid begin(void);\nvoid begin(void) { weft_%s_begin(); }\n' $kernel $kernel >hooks.c
    expect "hooks of $kernel compile from where they are installed" 0 '' arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Wall \
        -Wextra -Werror -I "$usr/share/weft/include" -I "$root/tests/target/programs/$kernel" -c hooks.c -o hooks.o
    hooks=$(arm-none-eabi-nm hooks.o | awk '$2 == "T" && $3 != "begin" { print $3 }')
    sed 's/^void begin(void);/extern "C" &/' hooks.c >hooks.cpp
    expect "and as C++" 0 '' arm-none-eabi-g++ -mcpu=cortex-m4 -mthumb -Wall -Wextra -Werror \
        -I "$usr/share/weft/include" -I "$root/tests/target/programs/$kernel" -c hooks.cpp -o hooks.o
    verdict "where the kernel finds the same hooks" "$(arm-none-eabi-nm hooks.o |
        awk '$2 == "T" && $3 != "begin" { print $3 }')" = "$hooks"
done

# The engine as two files, with nothing else.
printf '%s\n' '#include <weft/weft.h>' 'WEFT_RECORDER_DEF(trace, 512, 64, 0);' \
    'int main() { return weft_start(&trace, &trace_config); }' >own.cpp
arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb -Wall -Wextra -Werror -I "$usr/share/weft/include" -c own.cpp -o own.o 2>"$log" &&
    arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -O0 -Wall -Wextra -Werror -c "$usr/share/weft/weft.c" -o weft.o \
        2>>"$log" &&
    arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -nostartfiles -Wl,--gc-sections -e main own.o weft.o -o own.elf \
        2>>"$log"
linked=$?
[ $linked -eq 0 ] || sed 's/^/# /' "$log"
verdict "C++ links with weft.c" $linked -eq 0
echo "int main(void) { return 0; }" >pic.c
expect "position-independent code is refused" 1 "" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -fpic -c pic.c -o pic.o \
    "-fplugin=$(weft --plugin)"
verdict "and why is said" "$(grep -c "no position-independent code" "$tmp/stderr")" -eq 1

# Sampling and pauses, whether the program's link drops what is not called or not. Calls that do nothing without places.
for link in ${WEFT_LONG:+drops} keeps; do
    foreign $link 'WEFT_SINK = semihost' 'WEFT_PLUGIN_OPTIONS = control=filter include=filter' \
        'WEFT_DEFINES = -O0 -g0 -DWEFT_CONTROLS=1' "include $usr/share/weft/weft.mk"
    sed -i 's|^#include "filter.h"|&\n#include <weft/weft.h>\nWEFT_FUNCTION(filter);|
        s|^    SYST_RVR = |    weft_function_filter.keep = 10;\n    weft_pause();\n    weft_resume();\n    weft_check();\n\
    weft_check_memory(\&weft_function_filter, 4);\n    weft_input_memory(\&weft_function_filter, 4);\n&|' $link/main.c
    if [ $link = keeps ]; then # all, and its linker script knows no .text.NAME
        sed -i -E 's/ -Wl,--gc-sections//; s/ -fdata-sections -ffunction-sections//; s/ \*\(\.(text|data|bss)\*\)//' \
            keeps/Makefile keeps/link.ld
    fi
    make -s -C $link OPT=-O1 >"$log" 2>&1 || sed 's/^/# /' "$log"
    take $link/out/app.elf controlled.weft events grep -q ' path ' events
    verdict "a link that $link the rest: one activation in 10, and a pause" $status -eq 3 -a \
        "$(grep -c 'only one activation in 10' "$log")" -ge 1 -a "$(grep -c 'recording was paused' "$log")" -ge 1
done
verdict "the engine goes where a linker script without wildcards puts .text, .data and .bss" \
    "$(arm-none-eabi-objdump -h keeps/out/app.elf | grep -cE ' \.(text|data|bss)\.(weft|trace|auto|_*weft)')" -eq 0
verdict "weft size counts the probes of such functions" "$(weft size --json keeps/out/app.elf 2>/dev/null |
    grep -cE '"calls":\{"paths":[1-9][0-9]*,"accesses":[1-9]')" -eq 1
