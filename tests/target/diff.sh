#!/bin/bash
# SPDX-License-Identifier: MIT
# weft diff: where two recordings part is where two dumps do, with probes and full; figures are those of weft functions;
# two builds are matched by function and line. make test-long: copies that the compiler made in full recordings, too.
. tests/lib/check.sh
weft=build/host/weft
asan=build/asan/weft
build() { # MAKE...
    make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 "$@" 2>"$tmp/log" | tail -n 1
}

against_dump() { # NAME EVENT ELF [--full]
    local name=$1 event=$2 elf=$3 side clock=4
    shift 3
    for side in a b; do # two speeds of the processor: interrupts come elsewhere, so the two differ
        $weft capture "$@" --icount $((clock++)) "$elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
        $weft dump --events control --elf "$elf" "$tmp/$side.weft" >"$tmp/$side.dump"
    done
    $weft diff --json --top 1000 --elf "$elf" "$tmp/a.weft" "$tmp/b.weft" >"$tmp/diff.json"
    python3 tests/target/inspect/parting.py "$tmp/a.dump" "$tmp/b.dump" "$tmp/diff.json" "$event" >"$tmp/result"
    sed 's/^/# /' "$tmp/result"
    verdict "$name: they part where the dumps do" "$(sed -n '1s/^same 5 part [1-5]$/yes/p' "$tmp/result")" = yes
    for side in a b; do
        $weft dump --events control --function main --elf "$elf" "$tmp/$side.weft" >"$tmp/$side.dump"
    done
    $weft diff --json --top 1000 --function main --elf "$elf" "$tmp/a.weft" "$tmp/b.weft" >"$tmp/main.json"
    verdict "$name: main alone parts where its dumps do, and only its figures are told" \
        "$(python3 tests/target/inspect/parting.py "$tmp/a.dump" "$tmp/b.dump" "$tmp/main.json" "$event" | sed -n 1p) $(
            python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))
print({f["name"] for f in d["functions"]} <= {"main"}, d["latencies"])' "$tmp/main.json")" = 'same 1 part 1 True []'
    expect "$name: no such function" 1 '' $weft diff --function nothing --elf "$elf" "$tmp/a.weft" "$tmp/b.weft"
    expect "$name: a recording is equal to itself" 0 '.*: the same [0-9]*.*no figure differs' \
        $asan diff --elf "$elf" "$tmp/a.weft" "$tmp/a.weft"
}

elf=$(build PROBES=paths)
against_dump probes path "$elf"
for side in a b; do
    $weft functions --json --elf "$elf" "$tmp/$side.weft" >"$tmp/$side.json"
done
verdict "figures are those of weft functions" "$(python3 - "$tmp" <<'END'
import json, sys
tmp = sys.argv[1]
rows = json.load(open(tmp + "/diff.json"))["functions"]
known = [{f["name"]: f for f in json.load(open("%s/%s.json" % (tmp, s)))["functions"]} for s in "ab"]
good = 0
for row in rows:
    for side, table in zip("ab", known):
        f = table.get(row["name"], {"calls": 0, "self": 0})
        good += (f["calls"], f["self"]) == (row[side]["calls"], row[side]["self"])
print(good == 2 * len(rows) > 0)
END
)" = True
size=$(stat -c %s "$tmp/a.weft")
head -c $((size - 40)) "$tmp/a.weft" >"$tmp/cut.weft"
expect "a cut recording: compared up to there, status 3" 3 '.*"equal":false.*' \
    $weft diff --json --elf "$elf" "$tmp/a.weft" "$tmp/cut.weft"
# What is missing is not where they part, and what came after it is not compared.
python3 - "$tmp/a.weft" "$tmp" <<'PY'
import sys
head, frames = (lambda file: (file[:6], file[6:].split(b'\0')))(open(sys.argv[1], 'rb').read())
for name, kept in ('begin', frames[:1] + frames[2:]), ('middle', frames[:2] + frames[3:]), ('end', frames[:-3]):
    open('%s/%s.weft' % (sys.argv[2], name), 'wb').write(head + b'\0'.join(kept) + b'\0')
PY
for part in begin middle end; do
    verdict "the $part is missing: they do not part there" "$($weft diff --json --elf "$elf" "$tmp/a.weft" \
        "$tmp/$part.weft" 2>/dev/null | python3 -c 'import json, sys
answer = json.load(sys.stdin)
print(answer["a"], answer["b"], answer["equal"], any(c["cut"] for c in answer["contexts"]))')" = \
        "None None False True"
done
cat "$tmp/a.weft" "$tmp/a.weft" >"$tmp/twice.weft"
expect "two recordings in one file: the second is more than the first" 0 \
    '{"equal":false,"unit":"paths","gaps":0,.*"b":{"path".*' $weft diff --json --elf "$elf" "$tmp/a.weft" "$tmp/twice.weft"
$weft irq --json --elf "$elf" "$tmp/a.weft" >"$tmp/once.json"
$weft irq --json --elf "$elf" "$tmp/twice.weft" >"$tmp/twice.json"
verdict "between two recordings is not an interval of an interrupt" "$(python3 - "$tmp/once.json" "$tmp/twice.json" <<'PY'
import json, sys
once, twice = ({i['number']: i for i in json.load(open(f))['interrupts']} for f in sys.argv[1:])
print(len(once) > 0, all(twice[n]['interval']['count'] == 2 * once[n]['interval']['count'] and
                         twice[n]['interval']['max'] == once[n]['interval']['max'] for n in once))
PY
)" = "True True"
cp "$tmp/a.weft" "$tmp/probes.weft"

mem=$(build PROBES=mem)
$weft capture --icount 0 "$elf" -o "$tmp/a.weft" >"$tmp/log" 2>&1
$weft capture --icount 0 "$mem" -o "$tmp/b.weft" >"$tmp/log" 2>&1
expect "two builds: matched by function and line" 0 '.*part after [0-9]* paths.*' \
    $weft diff --elf "$elf" --elf "$mem" "$tmp/a.weft" "$tmp/b.weft"
expect "--summary: names first, changes in percent" 0 \
    '.*functions *calls A, B *change *self A, B *change.main .*latencies .*' \
    $weft diff --summary --elf "$elf" --elf "$mem" "$tmp/a.weft" "$tmp/b.weft"
python3 -B tests/lib/columns.py 80 \
    $weft diff --elf "$elf" --elf "$mem" "$tmp/a.weft" "$tmp/b.weft" >"$tmp/screen"
verdict "on a terminal likewise, a screenful of its columns" "$(awk 'length > 80' "$tmp/screen" | wc -l)" -eq 0 -a \
    "$(wc -l <"$tmp/screen")" -le 50 -a "$(grep -c 'change$' "$tmp/screen")" -ge 4
one=$(make -s build-firmware APP=thermostat PROBES=paths PACK=0 2>"$tmp/log" | tail -n 1)
two=$(make -s build-firmware APP=thermostat PROBES=mem 2>"$tmp/log" | tail -n 1)
$weft capture "$one" -o "$tmp/a.weft" >"$tmp/log" 2>&1
$weft capture "$two" -o "$tmp/b.weft" >"$tmp/log" 2>&1
expect "two builds that do the same are equal" 0 '{"equal":true,"unit":"paths","gaps":0,"common":[1-9].*' \
    $weft diff --json --elf "$one" --elf "$two" "$tmp/a.weft" "$tmp/b.weft"

# Two files have a function of one name with a loop in the same line of it; in the other build they change roles.
for side in a b; do
    mkdir -p "$tmp/twins$side"
    for file in first second; do
        turns=$([ $side$file = afirst ] || [ $side$file = bsecond ] && echo 5 || echo 9)
        printf '%s\n' 'static int run(int n)' '{' '    int sum = 0;' '    for (int i = 0; i < n; i++)' \
            '        sum += i ^ n;' '    return sum;' '}' "int $file(void);" "int $file(void) { return run($turns); }" \
            >"$tmp/twins$side/$file.c"
    done
    printf '%s\n' 'int first(void);' 'int second(void);' 'int main(void) { return (first() + second()) == 1; }' \
        >"$tmp/twins$side/main.c"
done
one=$(make -s build-firmware APP="$tmp/twinsa" PROBES=paths OPT=-O0 2>"$tmp/log" | tail -n 1)
two=$(make -s build-firmware APP="$tmp/twinsb" PROBES=paths OPT=-O0 2>>"$tmp/log" | tail -n 1)
for how in --elf "--full --elf"; do
    full=${how%--elf}
    # shellcheck disable=SC2086 # words
    $weft capture $full "$one" -o "$tmp/a.weft" >"$tmp/log" 2>&1
    # shellcheck disable=SC2086 # words
    $weft capture $full "$two" -o "$tmp/b.weft" >"$tmp/log" 2>&1
    verdict "two functions of one name are two${full:+, in full recordings too}" "$($weft diff --json --elf "$one" --elf "$two" \
        "$tmp/a.weft" "$tmp/b.weft" | python3 -c 'import json, sys
print(*sorted((r["file"].split("/")[-1], int(r["a"]["turns"]), int(r["b"]["turns"]))
    for r in json.load(sys.stdin)["loops"] if r["name"] == "run"))')" = "('first.c', 5, 9) ('second.c', 9, 5)"
done

none=$(build PROBES=none)
against_dump full instruction "$none" --full
# The flags come from the named register's values in both runs: the next values that the dumps have for it before.
expect "the value that made the branch go the other way" 0 '.*since r[0-9]* is [0-9]* .* in A and [0-9]* .* in B.*' \
    $weft diff --elf "$none" "$tmp/a.weft" "$tmp/b.weft"
expect "--at shows what stands around" 0 '.* A   0x[0-9a-f]* .* B   0x[0-9a-f]* .*' \
    $weft diff --at --elf "$none" "$tmp/a.weft" "$tmp/b.weft"
for side in a b; do
    $weft wet build "$tmp/$side.weft" --elf "$none" -o "$tmp/$side.wet" >"$tmp/log" 2>&1
done
expect "--wet tells how the value came about, on both sides" 0 '.*how it came about in A:.*how it came about in B:.*' \
    $weft diff --wet "$tmp/a.wet" --wet "$tmp/b.wet" --elf "$none" "$tmp/a.weft" "$tmp/b.weft"
expect "--context takes one" 0 'IRQ20_Handler.*' \
    $weft diff --context IRQ20_Handler --elf "$none" "$tmp/a.weft" "$tmp/b.weft"
expect "a full recording and one with probes: bad input" 1 '' \
    $weft diff --elf "$none" --elf "$elf" "$tmp/a.weft" "$tmp/probes.weft"
expect "another image is refused" 1 '' $weft diff --elf "$elf" "$tmp/a.weft" "$tmp/b.weft"
expect "one recording: the command line is wrong" 2 '' $weft diff --elf "$none" "$tmp/a.weft"
expect "no image: the command line is wrong" 2 '' $weft diff "$tmp/a.weft" "$tmp/b.weft"

# Two builds of which one loops longer, and has its code elsewhere.
for side in a b; do
    mkdir "$tmp/$side"
    limit=5 more=
    [ $side = b ] && limit=7 more='int more(int x) { return sum * x; } '
    printf '%s\n' "volatile int limit = $limit;" 'static volatile int sum;' "${more}int main(void)" '{' \
        '    for (int i = 0; i < limit; i++)' '        sum += i;' '    return 0;' '}' >"$tmp/$side/limit.c"
    built=$(make -s build-firmware "APP=$tmp/$side/limit.c" PROBES=none 2>"$tmp/log" | tail -n 1)
    cp "$built" "$tmp/$side.elf"
    rm -rf "$(dirname "$(dirname "$built")")"
    $weft capture --full "$tmp/$side.elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
    $weft wet build "$tmp/$side.weft" --elf "$tmp/$side.elf" -o "$tmp/$side.wet" >"$tmp/log" 2>&1
done
elves=(--elf "$tmp/a.elf" --elf "$tmp/b.elf")
expect "two builds: the value that made the branch go the other way" 0 \
    '.*since r[0-9]* is 5 (0x5) in A, at 0x[0-9a-f]*  limit.c:5, and r[0-9]* is 7 (0x7) in B, at 0x.*limit.c:5.*' \
    $asan diff "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft"
expect "two builds: how that value came about, on both sides" 0 '.*in A:.*limit = 5 .*in B:.*limit = 7 .*' \
    $weft diff --wet "$tmp/a.wet" --wet "$tmp/b.wet" "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft"

# A conditional instruction decides without a branch. What stands on two lines is not a common cause.
cat >"$tmp/clamped.c" <<'C'
volatile int sum, limits[] = {9, 9, LIMIT, 9};
__attribute__((noinline)) int clamped(int value, int limit)
{
    int n = value;
    if (n > limit)
        n = limit;
    return n;
}
#ifdef MORE
__attribute__((used)) int more(int n)
{
    return n * sum;
}
#endif
int main(void)
{
    for (int i = 0; i < 4; i++)
        sum += clamped(7, limits[i]);
    return 0;
}
C
for side in a b; do
    flags=-DLIMIT=8
    [ $side = a ] || flags='-DLIMIT=5 -DMORE'
    built=$(make -s build-firmware "APP=$tmp/clamped.c" PROBES=none VARIANT=$side FLAGS="$flags" 2>"$tmp/log" | tail -n 1)
    cp "$built" "$tmp/$side.elf"
    $weft capture --full "$tmp/$side.elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
done
expect "two builds: the value that decided whether an instruction was skipped" 0 \
    '.*since r1 is 8 (0x8) in A, at 0x[0-9a-f]*  clamped.c:[0-9]*, and r1 is 5 (0x5) in B, at 0x.*clamped.c:.*' \
    $asan diff "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft"

# The same where the loop is one line, or the code of the line is skipped without a branch.
for what in 'for (int i = 0; i < limit; i++) sum += i;' 'for (int i = 0; i < 9; i++) { step(i); }'; do
    for side in a b; do
        limit=5
        [ $side = b ] && limit=7
        printf '%s\n' "static volatile int limit = $limit, sum, table[16];" \
            '__attribute__((noinline)) static void step(int i)' '{' '    if (i > limit)' '        sum++;' \
            '    table[i & 15] += i;' '}' 'int main(void)' '{' "    $what" '    step(0);' '    return 0;' '}' >"$tmp/line.c"
        built=$(make -s build-firmware "APP=$tmp/line.c" OPT=-O2 VARIANT=$side PROBES=none 2>"$tmp/log" | tail -n 1)
        cp "$built" "$tmp/$side.elf"
        rm -rf "$(dirname "$built")"
        $weft capture --full "$tmp/$side.elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
    done
    verdict "two builds part in: $what" "$($weft diff --json "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft" | grep -c '^{"equal":false')" = 1
done

# Two builds of which one has a copy of a function, with GCC's own name, in place of it.
cat >"$tmp/copied.c" <<'C'
static volatile int sum;
static __attribute__((noinline)) int stow(int what, int kind)
{
    for (int i = 0; i < kind; i++)
        sum += what;
    return sum;
}
int main(void)
{
    for (int i = 0; i < 9; i++)
        stow(i, 4);
    return 0;
}
C
for probes in ${WEFT_LONG:+none} paths; do
    for side in a b; do
        flags=()
        [ $side = a ] || flags=(VARIANT=plain 'FLAGS=-fno-ipa-cp -fno-ipa-sra')
        cp "$(make -s build-firmware "APP=$tmp/copied.c" OPT=-O2 PROBES=$probes "${flags[@]}" 2>"$tmp/log" | tail -n 1)" "$tmp/$side.elf"
        $weft capture $([ $probes = paths ] || echo --full) "$tmp/$side.elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
    done
    $weft diff --json --top 100 "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft" >"$tmp/copied.json"
    verdict "probes $probes: a copy that the compiler made is matched with its function" "$(
        arm-none-eabi-nm "$tmp/a.elf" | grep -c ' stow\.constprop\.0') $(arm-none-eabi-nm "$tmp/b.elf" | grep -c ' stow$') $(
        python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
rows = [f for f in d["functions"] if f["name"].startswith("stow")]
print(sum(f["a"]["calls"] != f["b"]["calls"] for f in rows))' "$tmp/copied.json")" = '1 1 0'
    expect "probes $probes: and --function takes both" 0 '.*' \
        $weft diff --function stow --json "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft"
done

# Machine code also jumps back to a common end, or to another function. And loops end in the middle.
cat >"$tmp/turns.c" <<'C'
volatile unsigned sum, table[16];
__attribute__((noinline)) void sort_out(unsigned i, unsigned v)
{
    if (v & 1)
        table[i & 15] = v;
    else if (v & 2)
        table[i & 15] += v;
    switch (v & 7) {
    case 0: sum = 1; break;
    case 3: sum = 2; break;
    case 5: sum += 3; break;
    default: break;
    }
}
__attribute__((noinline)) unsigned halve(unsigned n)
{
    unsigned turns = 0;
    while (1) {
        if (n < 4)
            break;
        sum += n;
        n /= 2;
        turns++;
        if (n == 50)
            break;
    }
    return turns;
}
int main(void)
{
    for (unsigned i = 0; i < 200; i++) {
        sum += halve(i);
        sort_out(i, sum);
    }
    return 0;
}
C
for side in a b; do
    level=-O0
    [ $side = a ] || level=-O2
    built=$(make -s build-firmware "APP=$tmp/turns.c" PROBES=none OPT=$level VARIANT=$side 2>"$tmp/log" | tail -n 1)
    cp "$built" "$tmp/$side.elf"
    $weft capture --full "$tmp/$side.elf" -o "$tmp/$side.weft" >"$tmp/log" 2>&1
done
$weft diff --json --top 100 "${elves[@]}" "$tmp/a.weft" "$tmp/b.weft" >"$tmp/turns.json"
verdict "loops are what loops in the source, entered as often as there" "$(python3 -c 'import json, sys
rows = json.load(open(sys.argv[1]))["loops"]
print([(r["name"], *(int(r[s]["entered"]) for s in "ab")) for r in rows if r["name"] in ("sort_out", "halve")])
' "$tmp/turns.json")" = "[('halve', 200, 200)]"
for side in a b; do
    $weft export --as sqlite -o "$tmp/$side.db" --elf "$tmp/$side.elf" "$tmp/$side.weft" >"$tmp/log"
    sqlite3 -separator ' ' "$tmp/$side.db" \
        "SELECT function, entered, turns FROM loops WHERE function IN ('sort_out', 'halve', 'main') ORDER BY function"
done >"$tmp/loops"
verdict "and in the table loops of a database" "$(xargs <"$tmp/loops")" = \
    'halve 200 938 main 1 200 halve 200 938 main 1 199'
