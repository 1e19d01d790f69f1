# SPDX-License-Identifier: MIT
# The n-th allocation (and all after it), write, read, open, map or fork of a command fails: the first ones, then ever
# fewer; each n with HOST_FAULTS=all in the environment. Then it ends with a message and a status that is not 0, and
# leaves no output behind as if it were whole; or the fault did not matter, and everything is as without it.
#     host_faults.py WEFT SHIM FOLDER NAME [-o OUTPUT] -- ARGUMENT...       prints `ok` and `not ok` lines
import os
import re
import subprocess
import sys

FAULTS = {"write": ("write,pwrite64,writev", "ENOSPC", (4,)),
          "read": ("read,pread64", "EIO", (1, 4)),
          "open": ("openat", "EMFILE", (1, 4)),
          "map": ("mmap", "ENOMEM", (1, 4)),
          "fork": ("clone,clone3,fork,vfork", "EAGAIN", (4,))}
FIRST, STEP = (10**9, 1) if os.environ.get("HOST_FAULTS") == "all" else (5, 1.8)

weft, shim, folder, name = sys.argv[1:5]
dashes = sys.argv.index("--")
arguments = sys.argv[dashes + 1:]
outputs = [a for a in sys.argv[5:dashes] if a != "-o"]


def forget():
    for path in outputs:
        if os.path.lexists(path):
            os.remove(path)


def run(command, **more):
    """Status, standard output, standard error, what is in the outputs."""
    forget()
    env = dict(os.environ, **more)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return -1, b"", b"it hangs", []
    files = [open(path, "rb").read() if os.path.exists(path) else None for path in outputs]
    if name == "capture":  # no two recordings have the same times; one that is there must be read
        files = [f and subprocess.run([weft, "info", path], capture_output=True).returncode in (0, 3)
                 for f, path in zip(files, outputs)]
    return process.returncode, out, err, files


def normal(text):
    return re.sub(rb"\d+\.\d+", b"", text)  # times


def numbers(count):
    n, last = 1.0, 0
    while n <= count:
        if int(n) != last:
            last = int(n)
            yield last
        n = n + 1 if n < FIRST else n * STEP


def calls_of(kind, command):
    log = os.path.join(folder, "strace")
    subprocess.run(["strace", "-f", "-o", log, "-e", "trace=" + FAULTS[kind][0]] + command, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return sum(bool(re.match(r"\d+ +\w+\(", line)) for line in open(log, errors="replace"))


tried = wrong = 0
clean = run([weft] + arguments)
assert clean[0] in (0, 3), clean


def judge(kind, n, got, allowed):
    global tried, wrong
    tried += 1
    status, out, err, files = got
    same = files == clean[3] and (name == "capture" and status in (0, 3) or
                                  status == clean[0] and normal(out) == normal(clean[1]))
    half = any(have is not None and have != want for have, want in zip(files, clean[3]))
    clear = status in allowed and err.strip() and not half
    left = [f for f in os.listdir(folder) if f.startswith(".weft") or f.endswith(".tmp")]
    # Of a recording that is read as it comes, what stood before is the result, and the rest a named gap.
    gap = status == 3 and kind == "read" and err.strip()
    if not (same or clear or gap) or left:
        wrong += 1
        if wrong <= 5:
            print("# %s: %s %d: status %d, %s, %s" % (name, kind, n, status, err[-200:].decode(errors="replace"),
                                                    "half an output" if half else left))
    return same


for kind, (calls, error, allowed) in FAULTS.items():
    if kind == "fork" and name != "capture":
        continue
    before = calls_of(kind, [weft, "--version"])  # the loader's
    before -= kind == "write"
    count = calls_of(kind, [weft] + arguments)
    for n in numbers(count - before):
        inject = "inject=%s:error=%s:when=%d" % (calls, error, before + n)
        judge(kind, n, run(["strace", "-f", "-o", "/dev/null", "-e", inject, weft] + arguments), allowed)

counted = os.path.join(folder, "allocations")
run([weft] + arguments, LD_PRELOAD=shim, WEFT_COUNT_ALLOCS=counted)
for n in numbers(int(open(counted).read())):
    judge("allocation", n, run([weft] + arguments, LD_PRELOAD=shim, WEFT_FAIL_ALLOC=str(n)), (1, 4))
forget()
print("# %s: %d faults" % (name, tried))
print(("ok" if wrong == 0 and tried else "not ok") + " %s: each fault of the host is reported" % name)
