#!/bin/bash
# SPDX-License-Identifier: MIT
# weft merge --list: what comes out depends on what is in the list, not on the order or on how many processes read it.
# Recordings that are there twice, with and without their frame of packs, alone and in a profile; and bad ones. `make
# test` reads every second order with one process and the others with four; `make test-long` each with both.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$PWD/$(make -s build-firmware APP=kernels PROBES=paths OPT=-O2 | tail -n 1)
other=$PWD/$(make -s build-firmware APP=thermostat PROBES=paths OPT=-O2 | tail -n 1)
cd "$tmp" || exit 1
$weft capture "$elf" -o whole.weft >/dev/null 2>&1
python3 - <<'P'
whole = open("whole.weft", "rb").read()
frames = [f + b"\0" for f in whole[6:].split(b"\0")[:-1]]
open("lost.weft", "wb").write(whole[:6] + b"".join(frames[:3] + frames[4:]))
open("gap.weft", "wb").write(whole[:6] + b"".join(frames[:5] + frames[6:]))
open("bare.weft", "wb").write(whole[:6] + b"".join(frames[:-1]))  # needs the image
open("bad.weft", "wb").write(b"\0WEFT\0" + frames[2][:9] + b"\0")
P
$weft capture "$other" -o other.weft >/dev/null 2>&1
cat whole.weft whole.weft >twice.weft
cat whole.weft lost.weft >both.weft
cat whole.weft other.weft >images.weft
$weft merge --elf "$elf" whole.weft lost.weft -o one.weft-profile >/dev/null 2>&1
$weft merge --elf "$elf" gap.weft lost.weft -o two.weft-profile >/dev/null 2>&1
$weft merge --elf "$elf" gap.weft -o three.weft-profile >/dev/null 2>&1

# ordered NAME STATUS RECORDINGS ELF INPUT...: all orders of a few inputs, and some of many
ordered() {
    local name=$1 status=$2 recordings=$3 image=$4
    shift 4
    python3 - "$weft" "$image" "$@" >results <<'P'
import hashlib, itertools, os, random, re, subprocess, sys
weft, elf, inputs = sys.argv[1], sys.argv[2], sys.argv[3:]
orders = list(itertools.permutations(inputs)) if len(inputs) < 4 else [
    random.Random(i).sample(inputs, len(inputs)) for i in range(8)]
for i, order in enumerate(orders):
    for jobs in ("1", "4") if os.environ.get("WEFT_LONG") or len(orders) < 3 else ("14"[i % 2],):
        open("list", "w").write("\n".join(order) + "\n")
        ran = subprocess.run([weft, "merge", "--jobs", jobs, "--list", "list", "--json", "-o", "out"] +
                             (["--elf", elf] if elf else []), capture_output=True, text=True)
        said = "".join(re.findall(r'"(?:recordings|skipped)":\d+', ran.stdout))
        done = hashlib.sha256(open("out", "rb").read()).hexdigest() if os.path.exists("out") else "none"
        print(ran.returncode, said, done)
        if os.path.exists("out"):
            os.remove("out")
P
    verdict "$name: one result" "$(sort -u results | wc -l)" -eq 1
    verdict "$name: status $status, $recordings recordings" \
        "$(sed -E 's/ "skipped.*//; s/"skipped.*//; s/ none$//; s/"recordings"://' results | sort -u)" = "$status $recordings"
}
ordered "a copy that cannot be read does not keep out a sound one" 3 1 '' whole.weft bare.weft bad.weft
ordered "with the image both are the same" 3 1 "$elf" whole.weft bare.weft
ordered "a recording that a profile holds is left out" 3 2 "$elf" whole.weft one.weft-profile
ordered "profiles that have nothing in common" 3 3 "$elf" one.weft-profile three.weft-profile lost.weft
ordered "profiles that have a recording in common are refused" 1 '' "$elf" one.weft-profile two.weft-profile whole.weft
ordered "many of them" 3 3 "$elf" whole.weft bare.weft whole.weft gap.weft lost.weft one.weft-profile bare.weft gap.weft bad.weft

# Each recording of a file counts by itself.
ordered "a file that holds a recording twice" 3 1 '' twice.weft
ordered "a file of two recordings, and one of them alone" 3 2 "$elf" both.weft whole.weft
ordered "recordings of a file, alone, and in a profile" 3 2 "$elf" both.weft one.weft-profile twice.weft
expect "a recording that is in a file twice is named" 1 '.*twice.weft: recording 2 of 2: it has been merged.*' \
    sh -c "$weft merge twice.weft -o out 2>&1"
expect "a recording that a file does not have" 1 'weft merge: twice.weft: it holds 2 recordings; it has no recording 3' \
    sh -c "$weft merge --recording 3 twice.weft -o out 2>&1"
expect "a file with recordings of two images" 0 '2 recordings of 2 devices, .*; 2 images, .*' \
    $weft merge --elf "$elf" --elf "$other" images.weft -o images.weft-profile
$weft merge --elf "$elf" --elf "$other" other.weft whole.weft -o apart.weft-profile >/dev/null 2>&1
verdict "it gives the profile of its recordings in files of their own" "$(cmp images.weft-profile apart.weft-profile && echo same)" = same
$weft merge --recording 2 images.weft -o second.weft-profile >/dev/null 2>&1
$weft merge other.weft -o alone.weft-profile >/dev/null 2>&1
verdict "--recording takes one of them" "$(cmp second.weft-profile alone.weft-profile && echo same)" = same

# Recordings that were merged for sequences of different lengths answer a question as if all had the longest.
$weft merge --elf "$elf" -k 8 --label device=a whole.weft -o a8.weft-profile >/dev/null 2>&1
$weft merge --elf "$elf" -k 8 --label device=b lost.weft -o b8.weft-profile >/dev/null 2>&1
$weft merge --elf "$elf" -k 4 --label device=b lost.weft -o b4.weft-profile >/dev/null 2>&1
for question in "rare -k 1" "rare -k 2" "rare -k 4 --fewer 3" "top -k 3 --top 5000" "top -k 4 --top 5000"; do
    $weft fleet $question a8.weft-profile b8.weft-profile 2>/dev/null | sort >same
    $weft fleet $question a8.weft-profile b4.weft-profile 2>/dev/null | sort >mixed
    verdict "weft fleet $question with two lengths of sequences" "$(grep -c . same)" -gt 1 -a "$(cmp same mixed && echo same)" = same
done
expect "longer ones than some know are refused" 1 '.* shorter than -k: ask for a lower -k, choose .*' \
    sh -c "$weft fleet rare -k 5 a8.weft-profile b4.weft-profile 2>&1"
for k in 1 2 3 4; do
    $weft paths -k $k --elf "$elf" a8.weft-profile b8.weft-profile >same 2>/dev/null
    $weft paths -k $k --elf "$elf" a8.weft-profile b4.weft-profile >mixed 2>/dev/null
    $weft paths -k $k --elf "$elf" b4.weft-profile a8.weft-profile 2>/dev/null | cmp - mixed
    verdict "weft paths -k $k with two lengths of sequences" "$(grep -c . same)" -gt 1 -a "$(cmp same mixed && echo same)" = same
done
again='ask for -k 4, choose others by --label, or merge the recordings again with -k 5'
expect "weft paths says what to do about longer ones" 1 \
    "weft paths: b4.weft-profile: some of its recordings were merged for sequences of up to 4 paths only: $again" \
    sh -c "$weft paths -k 5 --elf '$elf' a8.weft-profile b4.weft-profile 2>&1"

# Recordings that were merged without their image: what they cost and called is not known, not nothing.
expect "weft paths says what to do without an image" 1 '.*only single paths are known: ask for -k 1, .* --elf APP.elf' \
    sh -c "$weft paths -k 2 --elf '$other' alone.weft-profile 2>&1"
for device in 1 2; do
    $weft merge --elf "$elf" --label device=$device,version=1 whole.weft -o before$device.weft-profile >/dev/null 2>&1
    $weft merge --label device=$device,version=2 whole.weft -o after$device.weft-profile >/dev/null 2>&1
    $weft merge --elf "$elf" --label device=2$device,version=2 whole.weft -o known$device.weft-profile >/dev/null 2>&1
done
sides="--before version=1 --after version=2"
verdict "no cost is printed where none is known" \
    "$($weft fleet top after1.weft-profile after2.weft-profile | awk 'NR == 2 {print $2}')" = -
expect "nothing is called gone where nothing is known" 0 '[^a-z]*before *after *change *p *instructions per call.0 of 0 .*' \
    sh -c "$weft fleet compare $sides before?.weft-profile after?.weft-profile | grep ."
$weft fleet compare $sides before?.weft-profile after?.weft-profile known?.weft-profile >few 2>said
verdict "recordings that do not count are reported" "$? $(grep -c '2 recordings were merged without their image' said)" = "3 1"
