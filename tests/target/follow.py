# SPDX-License-Identifier: MIT
"""weft capture --follow, fed with a recording through pseudo-terminals, files and FIFOs, in pieces.

    follow.py WEFT RECORDING ELF FOLDER     prints `ok NAME` or `not ok NAME` lines
"""
import json, os, pty, random, re, signal, subprocess, sys, termios, threading, time

weft, recording, elf, folder = sys.argv[1:5]
data = open(recording, "rb").read()
frames = [i + 1 for i, byte in enumerate(data) if byte == 0]  # where frames end
random.seed(1)
device = os.path.join(folder, "device")


def verdict(name, good, *why):
    print("ok" if good else "not ok", name)
    if not good:
        for line in why:
            print("#", str(line)[:2000].replace("\n", "\n# "))


class Line:
    """A pseudo-terminal under the name of the device."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        new = device + ".new"
        os.symlink(os.ttyname(self.slave), new)
        os.rename(new, device)
        settings = termios.tcgetattr(self.slave)
        settings[1] &= ~termios.OPOST
        termios.tcsetattr(self.slave, termios.TCSANOW, settings)

    def opened(self):
        """Until the follower has it: then the slave is held by it alone."""
        os.close(self.slave)

    def close(self):
        os.close(self.master)


class Follower:
    def __init__(self, source, out, *options, terminal=False):
        self.out = os.path.join(folder, out)
        self.screen, self.slave = pty.openpty() if terminal else (None, None)
        self.process = subprocess.Popen(
            [weft, "capture", "--follow", source, "-o", self.out, "--json", "--timeout", "60", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.slave if terminal else subprocess.PIPE)
        self.said = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        source = self.screen if self.screen is not None else self.process.stderr.fileno()
        if self.slave is not None:
            os.close(self.slave)
        while True:
            try:
                got = os.read(source, 4096)
            except OSError:
                return
            if not got:
                return
            self.said += got

    def until(self, pattern):
        deadline = time.time() + 30
        while not re.search(pattern, self.said.decode("utf-8", "replace")):
            if time.time() > deadline or self.process.poll() is not None:
                return False
            time.sleep(0.01)
        return True

    def end(self, number=signal.SIGINT):
        if number:
            self.process.send_signal(number)
        result = self.process.stdout.read()
        self.status = self.process.wait(60)
        self.reader.join()
        self.text = self.said.decode("utf-8", "replace")
        self.json = json.loads(result) if result else {}
        self.file = open(self.out, "rb").read() if os.path.exists(self.out) else b""


def feed(write, text):
    at = 0
    while at < len(text):
        size = random.choice((1, 2, 7, 64, 300, 1000, 4000))
        write(text[at:at + size])
        at += size


def through_pty(line, text):
    feed(lambda piece: os.write(line.master, piece), text)


def info(path):
    run = subprocess.run([weft, "info", "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, json.loads(run.stdout) if run.stdout else {}


whole = info(recording)[1]

# 1. All of it, through a serial line, on a terminal.
line = Line()
f = Follower(device, "whole.weft", "--elf", elf, "--baud", "115200", terminal=True)
f.until("following")
line.opened()
through_pty(line, data)
seen = f.until(r"[1-9][0-9]* events, [0-9]+ bytes, [0-9.]+ kB/s, 0 lost, \w+ \w+\.[ch]:[0-9]+")
f.until("has ended")
f.end()
verdict("a recording that comes in pieces through a serial line is the same file", f.file == data, len(f.file), f.text)
verdict("a line of status says events, bytes, rate, losses, and the line that runs", seen, f.text)
verdict("no line of status is wider than the terminal", max(map(len, re.split("[\r\n]|\x1b\\[K", f.text))) <= 160)
verdict("Ctrl-C after the end is a clean end", f.status == 0 and f.json["ended"] and f.json["cuts"] == 0, f.json)
verdict("the totals are those of the recording", (f.json["events"], f.json["lost"]) == (whole["events"], 0), f.json)

# 2. Ctrl-C in the middle of a frame. The reader stays on the same line.
middle = frames[len(frames) // 2] + 40
last = max(end for end in frames if end <= middle)
f = Follower(device, "middle.weft", terminal=True)
f.until("following")
through_pty(line, data[:middle])
f.until(r" %d bytes, (.*\n?.*kB/s){3}" % last)
f.end()
verdict("Ctrl-C leaves the whole frames", f.status == 0 and f.file == data[:last], f.status, f.text)
verdict("and says what is left out, and that the recording had not ended", "40 bytes of it are left out" in f.text and
        "had not ended" in f.text and f.json["left_out"] == 40, f.text)

# 3. Joined in the middle.
f = Follower(device, "joined.weft")
f.until("following")
through_pty(line, data[frames[3] + 5:])
f.until("has ended")
f.end(signal.SIGTERM)
verdict("a recording that is joined in the middle is named so, and has a gap", f.status == 3 and
        "joined in the middle" in f.text and "cut in the middle" in f.text and f.json["lost"] > 0, f.status, f.text)
verdict("its frames are those that came", f.file == data[:6] + data[frames[4]:], len(f.file))

# 4. Cut between two frames, and connected again: nothing is lost. Then in the middle of a frame.
for name, first, second, status in (("between two frames", frames[4], frames[4], 0),
                                    ("in the middle of a frame", frames[4] + 9, frames[4] + 300, 3)):
    f = Follower(device, "cut.weft", "--until-end", terminal=True)
    f.until("following")
    through_pty(line, data[:first])
    f.until(r" %d bytes, (.*\n?.*kB/s){3}" % frames[4])  # what a terminal still held when it was closed is gone
    line.close()
    gone = f.until("is gone; waiting")
    line = Line()
    back = f.until("connected again after")
    line.opened()
    through_pty(line, data[second:])
    f.end(0)
    verdict("a line that is cut %s is waited for" % name, gone and back and f.status == status and
            f.json["cuts"] == 1 and f.json["recordings"] == 1, f.status, f.text)
    if status == 0:
        verdict("nothing is lost by that", f.file == data)
    else:
        verdict("what is lost by that is named", "frames are missing" in f.text and f.json["lost"] > 0 and
                f.json["left_out"] > 0, f.text)
line.close()

# 5. A file that grows, and is replaced.
grows = os.path.join(folder, "grows")
with open(grows, "wb", buffering=0) as out:
    f = Follower(grows, "grown.weft", "--elf", elf)
    feed(out.write, data[:frames[5] + 3])
    f.until("begins")
    feed(out.write, data[frames[5] + 3:])
    first = f.until("recording 1 has ended")
    os.rename(grows, grows + ".old")
    with open(grows, "wb") as again:
        again.write(data)
    second = f.until("recording 2 has ended")
f.end()
verdict("a file that grows is followed, and one in its place is another recording", first and second and
        f.status == 0 and f.file == data + data and f.json["recordings"] == 2, f.status, f.text)

# 6. A FIFO, with damage.
fifo = os.path.join(folder, "fifo")
os.mkfifo(fifo)
bad = bytearray(data)
bad[frames[6] + 30] ^= 0x55
f = Follower(fifo, "fifo.weft", "--until-end")
with open(fifo, "wb", buffering=0) as out:
    feed(out.write, bytes(bad))
f.end(0)
verdict("a damaged frame is named when it comes", f.status == 3 and "damaged bytes" in f.text and
        f.file == bytes(bad), f.status, f.text)

# 7. Standard input: noise without an end first, then a recording; memory is bounded.
f = Follower("-", "stdin.weft", "--memory-limit", "100000000")
f.process.stdin.write(b"x" * (40 << 20))
f.process.stdin.write(b"\0" + data)
f.process.stdin.close()
f.end(0)
verdict("what has no end is dropped, and the recording after it is whole", f.status == 0 and f.file == data and
        f.json["left_out"] >= 40 << 20, f.status, f.text[-500:])

# Its writer went away in the last frame.
f = Follower("-", "short.weft")
f.process.stdin.write(data[:-20])
f.process.stdin.close()
f.end(0)
verdict("a stream that ends before its recording has a gap", f.status == 3 and "no end record" in f.text, f.status,
        f.text[-500:])

# 8. Nothing, or something else.
f = Follower("-", "nothing.weft")
f.process.stdin.write(b"hello\0world\0")
f.process.stdin.close()
f.end(0)
verdict("where no frame comes nothing is written", f.status == 1 and not os.path.exists(f.out), f.status, f.text)
f = Follower(os.path.join(folder, "absent"), "nothing.weft")
f.end(0)
verdict("a source that is not there is an error", f.status == 1 and "absent" in f.text, f.status, f.text)
