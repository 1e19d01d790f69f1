# SPDX-License-Identifier: MIT
"""host_faults.py WEFT SHIM INPUTS COMMANDS: the n-th allocation (and all after it), write, read, open, map or fork of
each command fails (tests/fault/host.commands). If the fault matters, the command ends with a message and a status that
is not 0. Its output file then holds what it held before, and no other file is left. If the fault does not matter, all
is as without it. Prints `ok` and `not ok` lines.

In the environment, HOST_FAULTS says which n are tried. all (also with WEFT_LONG): each. some: the first five, then ever
fewer. Otherwise: one for each command, for half of them an allocation, for the others another call; and a fork of those
that start processes. HOST_FAULTS_OF: only commands whose names match this pattern."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

FAULTS = {"write": ("write,pwrite64,writev", "ENOSPC", (4,)),
          "read": ("read,pread64", "EIO", (1, 4)),
          "open": ("openat", "EMFILE", (1, 4)),
          "map": ("mmap", "ENOMEM", (1, 4)),
          "fork": ("clone,clone3,fork,vfork", "EAGAIN", (4,))}
AMOUNT = os.environ.get("HOST_FAULTS") or ("all" if os.environ.get("WEFT_LONG") else "")
STRACE = ("strace", "-f", "--seccomp-bpf")
OLD = b"what stood there before\n"
SECONDS = 300  # a command that runs longer hangs

weft, shim, inputs, commands = sys.argv[1:5]


def read_table():
    """Name, arguments, standard input, whether it starts processes, and the file that OUT is at first."""
    for line in open(commands):
        name, colon, text = line.partition(": ")
        if line.startswith("#") or not colon:
            continue
        fork, before = False, None
        if name.startswith("fork "):
            fork, name = True, name[5:]
        if name.startswith("as "):
            _, before, name = name.split(" ", 2)
        text, _, stdin = text.partition("<")
        yield name, text.split(), stdin.strip() or os.devnull, fork, before


def content_of(path):
    if os.path.isdir(path):
        return {name: open(os.path.join(path, name), "rb").read() for name in os.listdir(path)}
    return open(path, "rb").read() if os.path.lexists(path) else None


def normal(text):
    return re.sub(rb"\d+\.\d+", b"", text)  # measured times differ between runs


class Command:
    def __init__(self, name, arguments, stdin, fork, before, base):
        self.name, self.arguments, self.stdin, self.fork, self.base = name, arguments, stdin, fork, base
        self.capture = arguments[0] == "capture"
        self.folder = tempfile.mkdtemp(dir=os.path.dirname(inputs))
        for file in os.listdir(inputs):
            os.link(os.path.join(inputs, file), os.path.join(self.folder, file))
        os.mkdir(os.path.join(self.folder, "tmp"))
        self.before = None
        if "OUT" in arguments and "ctf" not in arguments:
            self.before = open(os.path.join(inputs, before), "rb").read() if before else OLD
        self.known = set(os.listdir(self.folder)) | {"OUT"}
        self.chance = zlib.crc32(name.encode())
        self.tried = self.wrong = 0
        self.lines = []

    def output(self):
        return os.path.join(self.folder, "OUT")

    def forget(self):
        path = self.output()
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.remove(path)
        if self.before is not None:
            open(path, "wb").write(self.before)

    def run(self, *prefix, **more):
        """Status, standard output, standard error, what is in the output."""
        self.forget()
        env = dict(os.environ, TMPDIR=os.path.join(self.folder, "tmp"), **more)
        with open(os.path.join(self.folder, self.stdin)) as stdin:
            process = subprocess.Popen([*prefix, weft, *self.arguments], stdin=stdin, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=env, cwd=self.folder, start_new_session=True)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return -1, b"", b"it hangs", None
        made = content_of(self.output())
        if self.capture and made not in (None, self.before):  # times differ, so the recording is read instead
            status = subprocess.run([weft, "info", "OUT"], capture_output=True, cwd=self.folder).returncode
            made = status in (0, 3)
        return process.returncode, out, err, made

    def judge(self, kind, n, got, allowed):
        self.tried += 1
        status, out, err, made = got
        same = made == self.clean[3] and (self.capture and status in (0, 3) or
                                          status == self.clean[0] and normal(out) == normal(self.clean[1]))
        half = made != self.clean[3] and made != self.before
        clear = status in allowed and err.strip() and not half
        # A recording that is read as it comes keeps what came before the fault; the rest is a named gap. An unreadable
        # input of a list is a named gap, too.
        gap = status == 3 and (kind == "read" and err.strip() or b"left out: " in err)
        # libdw ends the process itself if its tables get no memory, after an assertion, which it cannot always print.
        asserts = b"Unexpected error." in err or b"dynamicsizehash" in err
        clear = clear or kind == "allocation" and status == -6 and asserts and not half
        # gdb, once it has replaced the command, has faults of its own (here it is `true`).
        clear = clear or self.name == "debug" and (err.startswith(b"true: ") or status == -11)
        left = [f for f in os.listdir(self.folder) if f not in self.known] + os.listdir(self.folder + "/tmp")
        if (same or clear or gap) and not left:
            return
        self.wrong += 1
        if self.wrong <= 5:
            what = "left behind: " + " ".join(left) if left else "the output is half or gone" if half else ""
            self.lines.append("# %s: %s %d: status %d, %s %s" % (
                self.name, kind, n, status, err[-300:].decode(errors="replace").strip().replace("\n", " | "), what))
        for name in left:
            os.remove(os.path.join(self.folder if os.path.lexists(self.folder + "/" + name) else self.folder + "/tmp",
                                   name))

    def numbers(self, kind, count):
        """The faults, of `count`, that are tried."""
        if AMOUNT == "all":
            return range(1, count + 1)
        if AMOUNT == "some":
            chosen, n = [], 1.0
            while n <= count:
                chosen += [int(n)] if int(n) not in chosen else []
                n = n + 1 if n < 5 else n * 1.8
            return chosen
        chance = zlib.crc32((kind + self.name).encode())
        kinds = ("write", "read", "open", "map")
        usual = kind in ("allocation", "fork") or kind == kinds[self.chance // 2 % 4] and self.chance % 2
        return [1 + chance % count] if count > 0 and usual else []

    def counts(self):
        """How often it makes each kind of call. The run is also the one without a fault."""
        log = os.path.join(self.folder, "tmp", "strace")
        traced = ",".join(names for names, _, _ in FAULTS.values())
        self.clean = self.run(*STRACE, "-o", log, "-e", "trace=" + traced)
        made = re.findall(r"^\d+ +(\w+)\(", open(log, errors="replace").read(), re.M)
        os.remove(log)
        return {kind: sum(call in names.split(",") for call in made) for kind, (names, _, _) in FAULTS.items()}

    def works(self):
        """Whether the run without a fault ended well."""
        if self.clean[0] in (0, 3):
            return True
        self.lines += ["# %s: status %d without a fault: %s" % (self.name, self.clean[0], self.clean[2][-300:])]
        self.wrong = 1
        return False

    def fail_calls(self):
        counts = self.counts()
        if not self.works():
            return
        for kind, (names, error, allowed) in FAULTS.items():
            if kind == "fork" and not self.fork:
                continue
            before = self.base[kind] - (kind == "write")  # without the loader's calls
            for n in self.numbers(kind, counts[kind] - before):
                inject = "inject=%s:error=%s:when=%d" % (names, error, before + n)
                self.judge(kind, n, self.run(*STRACE, "-o", "/dev/null", "-e", "trace=" + names, "-e", inject), allowed)

    def fail_allocations(self):
        counted = os.path.join(self.folder, "count")
        self.clean = self.run(LD_PRELOAD=shim, WEFT_COUNT_ALLOCS=counted)
        if not self.works():
            return
        count = int(open(counted).read())
        os.remove(counted)
        for n in self.numbers("allocation", count):
            self.judge("allocation", n, self.run(LD_PRELOAD=shim, WEFT_FAIL_ALLOC=str(n)), (1, 4))

    def all(self):
        if AMOUNT or self.fork or self.chance % 2:
            self.fail_calls()
        if AMOUNT or not self.tried and not self.wrong:
            self.fail_allocations()
        shutil.rmtree(self.folder)
        return self


def missing(names):
    """What the help names, but the table does not try."""
    def told(*words):
        return subprocess.run([weft, *words, "--help"], capture_output=True, text=True, check=True).stdout
    wanted = re.findall(r"^  ([a-z]+) +\S", told(), re.M)
    for command in "wet", "fleet":
        wanted += sorted(set(re.findall(r"^(?:usage:|      ) weft (%s \w+)" % command, told(command), re.M)))
    formats = told("export").partition("--as FORMAT:\n")[2].partition("\n  -o")[0]
    wanted += ["export " + name for name in re.findall(r"^    (\w+) ", formats, re.M)]
    return len(wanted), [w for w in wanted if not any(n == w or n.startswith(w + " ") for n in names)]


def main():
    table = list(read_table())
    wanted, absent = missing([" ".join(arguments[:1]) + " " + " ".join(arguments[1:2]) for _, arguments, *_ in table] +
                             ["export " + a[a.index("--as") + 1] for _, a, *_ in table if "--as" in a])
    for name in absent:
        print("# in no line of %s: %s" % (commands, name))
    print(("not ok" if absent or wanted < 40 else "ok") + " each command, and each format of export, is in the table")
    version = Command("", ["--version"], os.devnull, False, None, None)
    base = version.counts()
    shutil.rmtree(version.folder)
    wanted = re.compile(os.environ.get("HOST_FAULTS_OF", ""))
    all_of_them = [Command(*row, base) for row in table if wanted.search(row[0])]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("HOST_FAULTS_JOBS", "1"))) as pool:
        for c in pool.map(Command.all, all_of_them):
            print(*c.lines, "# %s: %d faults" % (c.name, c.tried), sep="\n")
            print("%s %s: each fault of the host is reported" % ("ok" if c.tried and not c.wrong else "not ok", c.name),
                  flush=True)


main()
