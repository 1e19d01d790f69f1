# SPDX-License-Identifier: MIT
# Firmware that differs in its control coder only: `. tests/lib/coder.sh`, from the top folder.
#   coder_elf OUT APP CODER [FLAG...]   the workload with path probes; CODER is raw, loops or grammar. Copies the ELF
#                                       file to OUT and the linker's map to OUT.map. The workload is compiled once, the
#                                       recorder's set-up for each coder. There are no packs: they would change the
#                                       paths of the raw coder alone.
coder_elf() {
    local out=$1 app=$2 coder=$3 elf
    shift 3
    elf=$(make -s build-firmware "APP=$app" PROBES=paths PACK=0 "CODER=$coder" VARIANT=coders AUTO_CFLAGS="$*" |
        tail -n 1)
    [ -n "$elf" ] && cp "$elf" "$out" && cp "${elf%.elf}.map" "$out.map"
}
