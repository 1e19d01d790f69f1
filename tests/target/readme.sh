#!/bin/bash
# SPDX-License-Identifier: MIT
# The README's commands, copied out of it and run as they stand, in a folder of their own where the project is seen,
# print what the README says; times and addresses of constants may be others, and with another compiler than GCC 12 the
# instructions.
. tests/lib/check.sh
root=$PWD
export PATH=$root/build/host:$PATH
mkdir "$tmp/there"
ln -s "$root"/* "$tmp/there"
rm "$tmp/there/build" "$tmp/there/tests"
cp -r tests "$tmp/there" # sources are shown only if they lie below the folder
mkdir "$tmp/there/build"
ln -s "$root"/build/* "$tmp/there/build"
cd "$tmp/there" || exit 1

machine=
[ "$(arm-none-eabi-gcc -dumpversion | cut -d . -f 1)" = 12 ] || machine='/^ *[0-9]+ .* = .*0x/d;'
likened() { # the part of a text that is compared
    sed -E "$machine"'/^$/d; /^ *\.\.\. \(more/d; s/^ *[0-9]+ /TIME /; s/\[0x[0-9a-f]{8}\].*/[ADDRESS]/; s/ +$//'
}

# Each line `$ COMMAND` of a block, and what stands below it up to the next one.
commands=0
while IFS= read -r command; do
    commands=$((commands + 1))
    awk -v want=$commands '/^    \$ / { n++; on = n == want; next }
                           !/^    / && !/^$/ { on = 0 }
                           on { print substr($0, 5) }' "$root/README.md" | likened >"$tmp/said"
    bash -c "$command" >"$tmp/printed" 2>"$tmp/errors"
    status=$?
    cat "$tmp/errors" >>"$tmp/printed"
    likened <"$tmp/printed" >"$tmp/likened"
    if [ $status -ne 0 ]; then
        sed 's/^/# /' "$tmp/errors"
        echo "not ok README: $command"
    elif grep -vxFf "$tmp/likened" "$tmp/said" | sed 's/^/# not printed: /' | grep .; then
        echo "not ok README: $command"
    else
        echo "ok README: $command"
    fi
done < <(sed -n 's/^    \$ //p' "$root/README.md")
verdict "the README has commands" $commands -ge 4

# The other commands, as they stand: with files of the names that they have there. What no test has is a device.
mkdir -p path/to
ln -s "$PWD/tests/workloads/thermostat" path/to/sources
built() { # NAME MAKE...
    cp "$(make -s build-firmware "${@:2}" 2>>"$tmp/log" | tail -n 1)" "$1"
}
built jpeg.elf APP=jpeg OPT=-O2
built app.elf APP=kernels SINK=ring AUTO_CFLAGS=-DWEFT_AUTO_RING=16384 VARIANT=recipe PROBES=mem
weft capture jpeg.elf -o jpeg.weft >"$tmp/log" 2>&1
elf=app.elf
weft=weft
. tests/lib/memory_dump.sh
memory_dump weft_target_done program
cp "$tmp/ram" ram.bin
others=0
while IFS= read -r command; do
    others=$((others + 1))
    bash -c "$command" >"$tmp/printed" 2>"$tmp/errors" </dev/null
    status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || sed 's/^/# /' "$tmp/errors"
    verdict "README: ${command%%  *}" $status -eq 0 -o $status -eq 3
done < <({
    sed -nE 's/^    ((weft|make firmware) .*)/\1/p' "$root/README.md" | grep -v -e 'dump, info ' -e /dev/ttyUSB0
    sed -n '/^| question/,/^$/p' "$root/README.md" | grep -oE '`weft [^`]*app\.weft[^`]*`' | tr -d '`'
})
verdict "and these are all that there are" $others -ge 12
