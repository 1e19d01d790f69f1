# SPDX-License-Identifier: MIT
"""Time against the truth (tests/target/clock.sh).

    clock_check.py timer SEEN     what the board's timer said is the emulator's time. SEEN: of tests/target/clock_check.c
    clock_check.py truth CHROME BOUND SEEN   when each function was entered, as weft export tells it by the recording's
                                  clock, against the emulator. BOUND: microseconds that it may be wrong
    clock_check.py page FUNCTIONS TOTAL PAGE     a page of weft report has the times of weft functions --json, and its own
                                  time goes from 0 to TOTAL microseconds
    clock_check.py stamps DUMP    of a recording: each event whose value is the time lies between its neighbouring
                                  stamps, all with one and the same offset between both clocks
    clock_check.py moments DUMP   of weft dump --times: no path ended before the one that stands before it, and each ended
                                  between its neighbouring stamps, all with one and the same offset
    clock_check.py every N DUMP   the paths between two stamps
"""
import json, re, sys

TICK_NS = 40
STAMP_US = 0.2  # from a function's entry to its stamp


def timer(lines):
    low, high, count = -1 << 62, 1 << 62, 0
    for line in lines:
        word, value, now = line.split()
        ticks = ~int(value) & 0xffffffff if word == "load" else 0xffffffff
        if ticks != 0xffffffff:  # else it has not started yet
            # TICK_NS * ticks <= now + offset < TICK_NS * (ticks + 1)
            low, high = max(low, TICK_NS * ticks - int(now)), min(high, TICK_NS * (ticks + 1) - int(now))
            count += 1
    verdict = "same" if low < high and count > 300 else "differs"
    print("%s: %d readings, offset %d to %d ns" % (verdict, count, low, high))


def truth(chrome, bound, lines):
    entered, told = {}, {}
    for line in lines:
        word, name, now = line.split()
        if word == "entry":
            entered.setdefault(name, []).append(int(now) / 1000)
    for event in json.load(chrome)["traceEvents"]:
        if event["ph"] == "B":
            told.setdefault(event["name"], []).append(event["ts"])
    late = {}
    for name, times in told.items():
        real = next((entered[n] for n in entered if n.split(".")[0] == name.split(".")[0]), [])
        late[name] = [t - r for t, r in zip(times, real)] if len(real) == len(times) else [1e18]
    stamped = sorted(x for name in late if name.endswith("_Handler") for x in late[name])
    zero = stamped[len(stamped) // 2]
    exact = max(abs(x - zero) for x in stamped)
    worst = max(abs(x - zero) for times in late.values() for x in times)
    count = sum(len(times) for times in late.values())
    verdict = "true" if exact <= STAMP_US and worst <= bound + STAMP_US and count > 400 else "false"
    print("%s: %d entries, at most %.3f us from the truth; %d of stamped functions, %.3f us" %
          (verdict, count, worst, len(stamped), exact))


def page(functions, total, text):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text.read(), re.S)[1])
    clock, count, wrong = data["clock"], 0, 0
    times = {f[0]: (f[3], us) for f, us in zip(data["functions"], clock["functions"])}
    for f in json.load(functions)["functions"]:
        calls, us = times[f["name"]]
        count += 1
        wrong += [f["calls"], f["self"], f["inclusive"]] + [f[k] for k in ("min", "max") if k in f] != \
            [calls] + us[:3] + us[4:]
    if clock["total"] != total or clock["at"] != sorted(clock["at"]) or not total * 0.9 < clock["at"][-1] <= total:
        wrong += 1
    print("%s: %d functions, %d moments to %.3f us" % ("same" if count > 3 and not wrong else "differs", count,
                                                       len(clock["at"]), total))


def stamps(lines):
    low, high, last, count, waiting, widest = -1 << 62, 1 << 62, None, 0, [], 0
    for line in lines:
        match = re.match(r"\d+ (stamp time|event id 1) (\d+)", line)
        if not match:
            continue
        value = int(match[2])
        if match[1] == "stamp time":
            for time in waiting:
                high = min(high, value - time)
                count += 1
            widest = max(widest, value - last) if last is not None and waiting else widest
            last, waiting = value, []
        elif last is not None:
            low = max(low, last - value)
            waiting.append(value)
    print("%s: %d events, offset %d to %d ticks, stamps at most %d apart" %
          ("between" if low <= high and count > 300 else "outside", count, low, high, widest))


def every(most, lines):
    paths, counts = 0, []
    for line in lines:
        if " path " in line:
            paths += 1
        elif " stamp time " in line:
            counts.append(paths)
            paths = 0
    counts = sorted(counts) or [1 << 30]
    verdict = "near" if counts[-1] <= most else "far"
    print("%s: %d stamps, %d paths between at most" % (verdict, len(counts), counts[-1]))


def moments(lines):
    low, high, count, stamp, last, seen = -1 << 62, 1 << 62, 0, None, 0, []
    for line in lines:
        words = line.split()
        if words[1] == "stamp":
            stamp = TICK_NS * int(words[3])
            for moment in seen:  # moment + offset <= stamp
                high = min(high, stamp - moment)
            seen = []
        elif words[1] == "path":
            moment = int(words[words.index("time_ns") + 1])
            if moment < last:
                low = 1 << 62
            last = moment
            seen.append(moment)
            count += 1
            if stamp is not None:
                low = max(low, stamp - moment)
    verdict = "between" if low <= high + 2 and count > 300 else "outside"
    print("%s: %d paths, offset %d to %d ns" % (verdict, count, low, high))


with open(sys.argv[-1], errors="replace") as text:
    if sys.argv[1] == "timer":
        timer(text)
    elif sys.argv[1] == "truth":
        with open(sys.argv[2]) as exported:
            truth(exported, float(sys.argv[3]), text)
    elif sys.argv[1] == "page":
        with open(sys.argv[2]) as functions:
            page(functions, float(sys.argv[3]), text)
    elif sys.argv[1] == "stamps":
        stamps(text)
    elif sys.argv[1] == "moments":
        moments(text)
    else:
        every(2 * int(sys.argv[2]) + 512, text)  # a stamp waits for the end of a run
