# SPDX-License-Identifier: MIT
# The inputs that tests/fault/host.commands names, in $tmp/in. After tests/lib/check.sh; $weft is the command.
mkdir "$tmp/in"
built() { # NAME MAKE...
    cp "$(make -s build-firmware "${@:2}" 2>/dev/null | tail -n 1)" "$tmp/in/$1"
}
built run.elf APP=adding SINK=uart PROBES=mem
built full.elf APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=none
built fleet.elf APP=tests/target/programs/fleet.c PROBES=paths
cp tests/target/inspect/timer.svd "$tmp/in"
cd "$tmp/in" || exit 1
$weft capture run.elf -o run.weft >/dev/null 2>&1
$weft capture --full run.elf -o small.weft >/dev/null 2>&1
$weft capture --full full.elf -o full.weft >/dev/null 2>&1
$weft wet build small.weft --elf run.elf -o run.wet >/dev/null 2>&1
arm-none-eabi-objcopy run.elf bare.elf # without its seal
for ((i = 0; i < 400; i++)); do echo $((i % 17 * 4 + i % 5)); done >numbers
for ((i = 0; i < 69; i++)); do echo $i $((i % 7)); done >costs
$weft grammar numbers >grammar.txt
$weft grammar --json numbers >grammar.json
$weft grammar numbers -o grammar.wpp
$weft squeeze numbers -o squeezed >/dev/null
for v in a b; do
    $weft merge --elf run.elf --label version=$v run.weft -o ${v}1.profile >/dev/null
done
for d in 1 2; do
    $weft capture fleet.elf --argument "fleet $d" -o device$d.weft >/dev/null 2>&1
    printf 'device%s.weft\tdevice=%s,version=%s\n' $d $d a $d $d b >>fleet
done
$weft merge --elf fleet.elf --list fleet -o both.profile >/dev/null
printf 'run.weft\tversion=c\na1.profile\n' >list
python3 - <<'P'
import json, struct
frames = open("run.weft", "rb").read()[6:]
size = len(frames) + 1000 # a ring, as in port/cortex-m/sinks.h, in a dump of memory
open("memory", "wb").write(bytes(512) + b"WEFTRING" + struct.pack("<4I", 1, size, 0, len(frames)) +
                           frames.ljust(size, b"\0") + bytes(512))
def packet(text):
    return "+$%s#%02x" % (text, sum(text.encode()) & 255)
asked = ["qSupported:swbreak+", "?", "g", "s", "g", "m20000000,40", "bs", "qRcmd,%s" % b"weft help".hex(),
         "qXfer:features:read:target.xml:0,fff", "D"]
open("packets", "w").write("".join(packet(text) for text in asked))
requests = [("initialize", {"adapterID": "weft", "linesStartAt1": True}), ("launch", {"stopOnEntry": True}),
            ("configurationDone", {}), ("threads", {}), ("stackTrace", {"threadId": 1}), ("next", {"threadId": 1}),
            ("evaluate", {"expression": "table"}), ("disconnect", {})]
with open("editor", "w") as out:
    for i, (command, arguments) in enumerate(requests):
        text = json.dumps({"seq": i + 1, "type": "request", "command": command, "arguments": arguments})
        out.write("Content-Length: %d\r\n\r\n%s" % (len(text), text))
P
cd "$OLDPWD" || exit 1
