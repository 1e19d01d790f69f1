#!/bin/bash
# SPDX-License-Identifier: MIT
# Every subcommand that has --json has a schema in docs/schemas, and what it prints is as that says: of a recording with
# probes, of one with a gap, of a full recording and a whole execution trace. And what it prints for people is a
# screenful, within the terminal's width.
. tests/lib/check.sh
weft=build/host/weft
cat >"$tmp/small.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
static volatile uint32_t taken, table[64];
__attribute__((noinline)) static void a_name_that_is_longer_than_what_a_column_of_a_table_on_a_terminal_has_room_for(int i)
{
    table[i] += taken++;
}
void PendSV_Handler(void)
{
    for (int i = 0; i < 8; i++)
        a_name_that_is_longer_than_what_a_column_of_a_table_on_a_terminal_has_room_for(i);
}
int main(void)
{
    uint32_t all = 0;
    for (int i = 0; i < 16; i++) {
        ICSR = 1u << 28;
        for (int k = 0; k < 64; k++)
            all += table[k];
    }
    printf("%u\n", (unsigned)all);
    return 0;
}
C
elf=$(make -s build-firmware APP="$tmp/small.c" PROBES=values 2>"$tmp/log" | tail -n 1)
cd "$tmp" || exit 1
weft=$OLDPWD/$weft
case $elf in /*) ;; *) elf=$OLDPWD/$elf ;; esac

print() { # SCHEMA FILE COMMAND...: what the command prints, to be held against the schema
    local schema=$1 file=$2
    shift 2
    "$@" --json >"$file" 2>>errors
    status=$?
    printf '%s\t%s\n' "$schema" "$tmp/$file" >>list
    show "$@"
}

# The same for people, if the command knows summaries: the same status, at most 80 bytes a line, 50 lines (some: what a
# terminal of 24 lines shows). What is not, into `wide`.
declare -A has_summary
show() {
    local name=$2 lines=50
    [ "$2" = wet ] || [ "$2" = fleet ] && name="$2 $3"
    case $name in
    wet\ why | wet\ slice | wet\ misses) ;;
    wet*) return ;;
    *)
        [ -n "${has_summary[$2]:-}" ] || has_summary[$2]=$($weft $2 --help | grep -c -e --summary)
        [ "${has_summary[$2]}" -gt 0 ] || return
        ;;
    esac
    case $* in
    *" numbers" | *--each) return ;; # only a model of a recording has a schema
    *" diff --at "*) lines=80 ;;     # it prints more than a screenful
    *" hot "* | *" paths "* | *" loops "* | *" model "* | *" functions "* | *" coverage "*) lines=23 ;; # of 24
    esac
    COLUMNS=80 "$@" --summary >screen 2>>errors
    [ $? -eq $status ] || echo "$*: --summary has another status than --json, $status" >>wide
    awk -v name="$name" -v lines=$lines 'length > 80 { print name ": " $0 }
        END { if (NR > lines) print name ": " NR " lines" }' screen >>wide
    echo "$name" >>shown
}
print capture capture $weft capture "$elf" -o run.weft
print capture capture_full $weft capture --full "$elf" -o full.weft
head -c $(($(stat -c %s run.weft) * 2 / 3)) run.weft >cut.weft
print wet-build wet_build $weft wet build full.weft --elf "$elf" -o run.wet
print info-wet info_wet $weft info run.wet
print info-wet info_wet_main $weft info --function main --elf "$elf" run.wet
for in in run cut full; do
    print info info_$in $weft info $in.weft
    print info info_elf_$in $weft info --elf "$elf" $in.weft
    print dump dump_$in $weft dump --events control $in.weft
    for command in functions overview coverage stack irq io; do
        print $command ${command}_$in $weft $command --elf "$elf" $in.weft
    done
    print functions tree_$in $weft functions --tree --elf "$elf" $in.weft
    print export export_$in $weft export --as csv -o out --elf "$elf" $in.weft
    print report report_$in $weft report -o out.html --elf "$elf" $in.weft
done
for unit in instructions us; do
    print functions functions_$unit $weft functions --unit $unit --elf "$elf" run.weft
    print irq irq_$unit $weft irq --unit $unit --elf "$elf" run.weft
    print export export_$unit $weft export --unit $unit --as chrome -o out --elf "$elf" run.weft
done
for in in full.weft run.wet; do
    print paths paths_$in $weft paths -k 3 --elf "$elf" $in
    print hot hot_$in $weft hot --min-cost 5 --max-length 5 --elf "$elf" $in
    print loops loops_$in $weft loops --tree --elf "$elf" $in
    print grammar grammar_$in $weft grammar --elf "$elf" $in
    print model model_$in $weft model --elf "$elf" --function main $in
done
for in in run cut; do
    print dump dump_elf_$in $weft dump --elf "$elf" $in.weft
    print paths paths_$in $weft paths -k 3 --elf "$elf" $in.weft
    print hot hot_$in $weft hot --min-cost 5 --max-length 5 --elf "$elf" $in.weft
    print loops loops_$in $weft loops --tree --elf "$elf" $in.weft
    print grammar grammar_$in $weft grammar --elf "$elf" $in.weft
    print model model_$in $weft model --elf "$elf" $in.weft
done
print race race $weft race --elf "$elf" full.weft
print rerun rerun $weft rerun --elf "$elf" run.weft -o rerun.weft
print dump dump_rerun $weft dump --elf "$elf" rerun.weft
cd "$OLDPWD" || exit 1
placed=$(make -s build-firmware APP="$tmp/small.c" PROBES=paths PLACES=1 EXACT=1 2>"$tmp/log" | tail -n 1)
cd "$tmp" || exit 1
case $placed in /*) ;; *) placed=$OLDPWD/$placed ;; esac
$weft capture "$placed" -o placed.weft >/dev/null 2>>errors
print dump dump_placed $weft dump --elf "$placed" placed.weft
for label in old new; do
    print merge merge_$label $weft merge --elf "$elf" --label v=$label run.weft -o $label.weft-profile
done
print merge merge_both $weft merge old.weft-profile new.weft-profile -o both.weft-profile
print info-profile info_profile $weft info both.weft-profile
print export export_profile $weft export --as sqlite -o out --elf "$elf" both.weft-profile
print fleet-top fleet_top $weft fleet top both.weft-profile
print fleet-rare fleet_rare $weft fleet rare --fewer 3 both.weft-profile
print fleet-compare fleet_compare $weft fleet compare --before v=old --after v=new --all both.weft-profile
print fleet-uncovered fleet_uncovered $weft fleet uncovered both.weft-profile
print report-fleet report_fleet $weft report -o out.html both.weft-profile
print size size $weft size "$elf"
print diff diff_equal $weft diff --at --elf "$elf" run.weft run.weft
print diff diff_cut $weft diff --at --elf "$elf" run.weft cut.weft
print diff diff_full $weft diff --elf "$elf" full.weft full.weft
printf 'abababcabababcab' >letters
printf '1 2 3 4 5 6 100 200 300 1 2 3 4 5 6 9 9 9 9 9' >numbers
print paths paths_raw $weft paths -k 2 --format chars letters
seq 40 >forty
print paths paths_many $weft paths -k 2 forty
print hot hot_raw $weft hot --min-cost 3 --max-length 5 --format chars letters
print loops loops_raw $weft loops --tree --format chars letters
print loops loops_window $weft loops --window 16 numbers
print grammar grammar_raw $weft grammar --format chars letters
print grammar grammar_runs $weft grammar --runs numbers
print grammar grammar_file $weft grammar -o file numbers
print model model_raw $weft model numbers
print squeeze squeeze $weft squeeze numbers -o squeezed
print unsqueeze unsqueeze $weft unsqueeze squeezed
print wet-control wet_control $weft wet control run.wet --to 400
print wet-values wet_values $weft wet values run.wet --at PendSV_Handler
print wet-addresses wet_addresses $weft wet addresses run.wet --at PendSV_Handler
print wet-slice wet_slice $weft wet slice run.wet --at table
print wet-why wet_why $weft wet why run.wet --at table
print wet-misses wet_misses $weft wet misses run.wet --model cortex-m7
print wet-misses wet_misses_lines $weft wet misses run.wet --model stm32f4 --by line --at main
print wet-misses wet_misses_objects $weft wet misses run.wet --model stm32f1 --by object --top 3
print wet-misses-each wet_misses_each $weft wet misses run.wet --model stm32f1 --each
print wet-slice wet_forward $weft wet slice --forward run.wet --at main
cd "$OLDPWD" || exit 1
python3 tests/target/schemas.py docs/schemas <"$tmp/list"

verdict "summaries are a screenful, within the terminal's width ($(sort -u "$tmp/shown" | tr '\n' ' '))" \
    "$(sort -u "$tmp/shown" | wc -l)" -ge 19 -a ! -s "$tmp/wide"
sort -u "$tmp/wide" | head -n 20 | sed 's/^/# /'

# No subcommand, and no schema, is left out.
for command in $($weft --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    [ "$command" != wet ] && [ "$command" != fleet ] && $weft "$command" --help | grep -q -e --json && echo "$command"
done | sort >"$tmp/commands"
verdict 'each subcommand with --json has a schema' "$(wc -l <"$tmp/commands")" -gt 15 -a \
    "$(comm -23 "$tmp/commands" <(basename -s .json docs/schemas/*.json | sort) | shown)" = ''
verdict 'each schema was used' "$(basename -s .json docs/schemas/*.json | sort | comm -23 - <(cut -f 1 "$tmp/list" | sort -u) | shown)" = ''

python3 -B tests/lib/columns.py 80 $weft size "$elf" >"$tmp/screen"
verdict "size keeps within a terminal" "$(awk 'length > 80 { wide++ } END { print (NR > 3), wide + 0 }' "$tmp/screen")" = "1 0"
