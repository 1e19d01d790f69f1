# SPDX-License-Identifier: MIT
# Firmware that differs in its control coder only: `. tests/lib/coder.sh`, from the top folder.
#   coder_elf OUT APP CODER [FLAG...]   the workload with path probes; CODER is raw, loops or grammar. Copies the ELF
#                                       file to OUT and the linker's map to OUT.map. The workload is compiled once, the
#                                       recorder's set-up for each coder.
coder_elf() {
    local out=$1 app=$2 coder=$3 elf folder
    shift 3
    local flags="-UWEFT_AUTO_CODER_LOOPS -DWEFT_AUTO_CODER_${coder^^} $*"
    build() {
        make -s build-firmware "APP=$app" PROBES=paths CODER=loops VARIANT=coders AUTO_CFLAGS="$flags" | tail -n 1
    }
    elf=$(build) && [ -n "$elf" ] || return 1
    folder=$(dirname "$elf")
    rm -f "$folder/autostart.o" "$elf"
    elf=$(build) && cp "$elf" "$out" && cp "$folder/app.map" "$out.map"
}
