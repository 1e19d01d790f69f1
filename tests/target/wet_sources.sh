#!/bin/bash
# SPDX-License-Identifier: MIT
# Source lines of `weft wet why`: from files that the user has named by a folder, never from what a program's debug
# information says; and nothing that it says reaches the terminal raw.
. tests/lib/check.sh
weft=$PWD/build/host/weft

mkdir -p "$tmp/app" "$tmp/here/inside" "$tmp/moved/deep"
escape=$(printf '\033[31mred')
cat >"$tmp/app/main.c" <<END
volatile int one, two, three, four, five, six, seven, red;
int main(void)
{
#line 1 "/etc/passwd"
    one = 1;
#line 1 "/dev/zero"
    two = 2;
#line 1 "$tmp/here/fifo"
    three = 3;
#line 1 "$tmp/here/link.c"
    four = 4;
#line 1 "../$escape.c"
    five = 5;
#line 2 "$tmp/here/inside/good.c"
    six = 6;
#line 2 "src/deep/relative.c"
    seven = 7;
    return 0;
}
END
printf 'first\n    six = "\033[31m";\t/* shown */\n' >"$tmp/here/inside/good.c"
printf 'first\nseven = 7; /* moved */\n' >"$tmp/moved/deep/relative.c"
echo secret >"$tmp/secret.c"
ln -s ../secret.c "$tmp/here/link.c"
mkfifo "$tmp/here/fifo"
elf=$(make -s build-firmware "APP=$tmp/app" PROBES=none OPT=-O0 2>"$tmp/build.log" | tail -n 1 | xargs -r realpath)
[ -n "$elf" ] || { cat "$tmp/build.log"; echo "not ok the program was built"; exit; }
$weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" >/dev/null

# why NAME OPTION...: the line of the store to an object, in the folder $tmp/here
why() { (cd "$tmp/here" && timeout 10 $weft wet why "$tmp/x.wet" --at "$@") 2>&1 | grep -a " $1 = "; }
verdict a_regular_file_elsewhere_is_not_opened "$(why one | grep -c '|')" = 0
verdict not_even_where_the_user_names_its_folder_but_as_that "$(why one --source-dir /etc | grep -c '| root')" -ge 1
verdict a_device_is_not_opened "$(why two --source-dir / | grep -c 'two = 2')" -ge 1
verdict a_fifo_is_not_waited_for "$(why three | grep -c 'three = 3')" -ge 1
verdict a_link_that_leads_out_is_refused "$(why four | grep -c secret)" = 0
verdict but_not_where_its_target_is_in_the_named_folder "$(why four --source-dir "$tmp" | grep -c '| secret')" -ge 1
verdict a_file_below_the_current_folder_is_shown "$(why six | grep -ac 'good.c:2.*| six = ')" -ge 1
verdict a_source_line_is_shown_without_its_escapes "$(why six | grep -acF '\x1b[31m"; /* shown */')" -ge 1
verdict a_relative_path_is_found_by_its_last_parts "$(why seven --source-dir "$tmp/moved" | grep -c '| seven = 7; /\* moved \*/')" -ge 1
verdict and_not_without_a_folder "$(why seven | grep -c '|')" = 0
verdict a_name_is_shown_without_its_escapes "$(why five | grep -acF '\x1b[31mred')" -ge 1
for query in "why --at five" "slice --at five" "slice --at five --json" "control"; do
    verdict "no escape sequence comes out of wet ${query%% *}" "$($weft wet ${query%% *} "$tmp/x.wet" $(cut -s -d ' ' -f 2- <<<"$query") 2>&1 | grep -ac "$(printf '\033')")" = 0
done
for events in "" --json; do
    verdict "no escape sequence comes out of dump $events" "$($weft dump "$tmp/full.weft" --elf "$elf" $events | grep -ac "$(printf '\033')")" = 0
done
expect a_folder_that_is_not_there 2 '' $weft wet why "$tmp/x.wet" --at six --source-dir "$tmp/nothing"
