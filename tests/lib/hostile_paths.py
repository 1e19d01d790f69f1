# SPDX-License-Identifier: MIT
"""hostile_paths.py WEFT INPUTS COMMANDS: each command of the table (tests/fault/host.commands) with a path in place of
each of its inputs and of its output that is not such a file. Prints a line for each kind of path.

An input is a pipe that somebody writes a word to, a folder, a device without an end, a file whose reads fail, nothing,
or a file that one may not read. An output is a full disk, a folder, in a folder that is not there, one of the inputs,
or a file that may not grow. A twentieth of the commands for each (a tenth
for an input), or with WEFT_LONG in the environment all."""
import concurrent.futures
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

weft, inputs, commands = sys.argv[1:4]
SECONDS = 30  # a command that runs longer hangs
MEMORY = 8 << 30
ROOM = 16  # bytes that a file may have which may not grow
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
INPUTS = ("pipe", "folder", "/dev/zero", "/dev/full", "/proc/self/mem", "nothing", "no/such", "locked")
OUTPUTS = ("/dev/full", "folder", "no/such", "an input", "no room")


def read_table():
    for line in open(commands):
        name, colon, text = line.partition(": ")
        if line.startswith("#") or not colon:
            continue
        before = None
        if name.startswith("as "):
            _, before, name = name.split(" ", 2)
        text, _, stdin = text.partition("<")
        yield name, text.split(), stdin.strip() or os.devnull, before


def limits(small):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if small:
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


def write_to(path, done):
    """A word for the first reader, and an end for each further one."""
    word = b"word\n"
    while not done.is_set():
        try:
            out = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            done.wait(0.01)
            continue
        try:
            os.write(out, word)
        except OSError:
            pass
        word = b""
        os.close(out)


def identity(path):
    about = os.stat(path)
    return about.st_ino, about.st_size, about.st_mtime_ns


whole = {file: identity(os.path.join(inputs, file)) for file in os.listdir(inputs)}


class Try:
    def __init__(self, kind, what, name, arguments, stdin, place, before):
        self.kind, self.what, self.name, self.stdin = kind, what, name, stdin
        self.folder = tempfile.mkdtemp(dir=os.path.dirname(inputs))
        self.files = os.listdir(inputs)
        self.arguments = list(arguments)
        for file in self.files:
            os.link(os.path.join(inputs, file), os.path.join(self.folder, file))
        if before:
            shutil.copy(os.path.join(inputs, before), os.path.join(self.folder, "OUT"))
        self.before = open(os.path.join(inputs, before), "rb").read() if before else None
        os.mkdir(os.path.join(self.folder, "folder"))
        os.mkdir(os.path.join(self.folder, "tmp"))
        if place is not None and what != "no room":
            self.arguments[place] = what
        self.known = set(self.files) | {"folder", "tmp", "OUT", "pipe", "locked"}

    def prepare(self):
        done = threading.Event()
        if self.what == "pipe":
            os.mkfifo(os.path.join(self.folder, "pipe"))
            threading.Thread(target=write_to, args=(os.path.join(self.folder, "pipe"), done), daemon=True).start()
        if self.what == "locked":
            open(os.path.join(self.folder, "locked"), "w").write("secret")
            os.chmod(os.path.join(self.folder, "locked"), 0)
            for path in self.folder, os.path.join(self.folder, "tmp"):
                os.chmod(path, 0o777)
        return done

    def run(self):
        done = self.prepare()
        prefix = NOBODY if self.what == "locked" and os.geteuid() == 0 else []
        env = dict(os.environ, TMPDIR=os.path.join(self.folder, "tmp"))
        with open(os.path.join(self.folder, self.stdin)) as stdin:
            process = subprocess.Popen([*prefix, weft, *self.arguments], stdin=stdin, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=env, cwd=self.folder, start_new_session=True,
                                       preexec_fn=lambda: limits(self.what == "no room"))
        try:
            _, said = process.communicate(timeout=SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            status, said = "it hangs", b""
        done.set()
        return status, said

    def output(self):
        path = os.path.join(self.folder, "OUT")
        return open(path, "rb").read() if os.path.isfile(path) else [] if os.path.isdir(path) else None

    def judge(self):
        """None, or what is wrong."""
        status, said = self.run()
        right = {"an input": (2,), "no room": (4,)}.get(self.what, (1, 2, 4))
        right = (4,) if self.kind == "output" and self.what == "/dev/full" and not self.before else right
        right += (0, 3) if self.what == "pipe" else ()  # a word is a stream
        changed = [f for f in self.files if identity(os.path.join(self.folder, f)) != whole[f]]
        left = [f for f in os.listdir(self.folder) if f not in self.known] + os.listdir(self.folder + "/tmp") + \
            os.listdir(self.folder + "/folder")
        half = status not in (0, 3) and self.output() != self.before
        wrong = ("status %s" % status if status not in right else "nothing is said" if status and not said.strip() else
                 "changed: %s" % changed if changed else "left behind: %s" % left if left else
                 "half an output" if half else None)
        shutil.rmtree(self.folder)
        text = said[-200:].decode(errors="replace").strip().replace("\n", " | ")
        return wrong and "%s: weft %s: %s, %s" % (self.name, " ".join(self.arguments), wrong, text)


def chosen(kind, what, name):
    part = 10 if what == "an input" else 20
    return bool(os.environ.get("WEFT_LONG")) or zlib.crc32((kind + what + name).encode()) % part == 0


def tries(kind, what):
    for name, arguments, stdin, before in read_table():
        places = [i for i, a in enumerate(arguments) if (a == "OUT") == (kind == "output") and
                  (a == "OUT" or os.path.exists(os.path.join(inputs, a)))]
        if kind == "input" and what not in ("pipe", "/dev/zero"):
            places = places[:1]  # what the others do to a second one is the same
        if what == "folder" and "ctf" in arguments and kind == "output" or not chosen(kind, what, name):
            continue
        for place in places:
            if kind == "input" and "--wet" in arguments and place > 3:
                continue  # read only where the runs differ
            if what != "an input":
                yield Try(kind, what, name, arguments, stdin, place, before)
            for i, other in enumerate(arguments):
                if what == "an input" and not before and i != place and os.path.exists(os.path.join(inputs, other)):
                    yield Try(kind, what, name, [other if k == place else a for k, a in enumerate(arguments)], stdin,
                              None, None)


def main():
    may = not subprocess.run([*NOBODY, weft, "--version"], capture_output=True, cwd=os.path.dirname(inputs)).returncode
    for kind, paths in ("input", INPUTS), ("output", OUTPUTS):
        for what in paths:
            if what == "locked" and os.geteuid() == 0 and not may:
                print("# left out: nobody else may run %s" % weft)
                continue
            count, wrong = 0, []
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                for said in pool.map(Try.judge, tries(kind, what)):
                    count += 1
                    wrong += [said] if said else []
            for said in wrong[:8]:
                print("#", said)
            print("%s %s as an %s: %d times" % ("not ok" if wrong or not count else "ok", what, kind, count), flush=True)


os.chmod(os.path.dirname(inputs), 0o755)
main()
