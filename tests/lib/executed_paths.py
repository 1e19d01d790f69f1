# SPDX-License-Identifier: MIT
"""A naive model of the paths of a full recording (tools/lib/profile/executed_paths.h). It knows the instructions from
objdump's listing, and the run from `weft dump`.

    weft dump --elf APP.elf RUN.weft | executed_paths.py APP.elf OUT

Writes OUT.stream, the number of each path in the order in which they ended; OUT.pairs, as `weft paths -k 2` counts them
(COUNT, tab, numbers, sorted); OUT.costs, the instructions of each path; OUT.main, the paths of main. Prints how many
paths there are, and how many different ones."""
import collections, re, subprocess, sys

LISTED = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(\S+)(?:\t(.*))?$")


def listing(elf):
    """Address -> size, kind of instruction, function; functions from nm, as objdump's labels are not only functions."""
    text = subprocess.run(["arm-none-eabi-nm", elf], capture_output=True, text=True, check=True).stdout
    starts = sorted((int(a, 16), name) for a, kind, name in (line.split() for line in text.splitlines()
                                                             if len(line.split()) == 3) if kind in "tTwW" and name[0] != "$")
    text = subprocess.run(["arm-none-eabi-objdump", "-d", elf], capture_output=True, text=True, check=True).stdout
    found, at, function = {}, 0, "?"
    for line in text.splitlines():
        m = LISTED.match(line)
        if not m:
            continue
        pc = int(m[1], 16)
        while at < len(starts) and starts[at][0] <= pc:
            function = starts[at]
            at += 1
        found[pc] = (len(m[2].replace(" ", "")) // 2, kind_of(m[3], m[4] or ""), function)
    return found


def kind_of(name, operands):
    """divides: may go elsewhere than on; call: and comes back."""
    base = name.split(".")[0]
    if re.fullmatch(r"blx?(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?", base) and base not in ("ble", "blt", "bls"):
        return "call"
    if base in ("tbb", "tbh", "cbz", "cbnz") or re.fullmatch(r"b(x?)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?", base):
        return "divides"
    if base.startswith(("pop", "ldm", "ldr", "mov", "add")) and re.search(r"\bpc\b", operands.split("@")[0]):
        target = operands.split(",")[0]
        if base.startswith(("pop", "ldm")) or target == "pc":
            return "divides"
    return "next"


class Activation:
    def __init__(self, function, back):
        self.function, self.back = function, back
        self.path, self.before = [], None


class Model:
    def __init__(self, code):
        self.code = code
        self.contexts = collections.defaultdict(list)  # context -> activations, the innermost last
        self.last, self.passed = {}, {}  # context -> address of the instruction that executed last, and if it passed
        self.numbers, self.stream, self.pairs = {}, [], collections.Counter()

    def end_path(self, a):
        number = self.numbers.setdefault(tuple(a.path), len(self.numbers))
        self.stream.append(number)
        self.pairs[(number,)] += 1
        if a.before is not None:
            self.pairs[(a.before, number)] += 1
        a.path, a.before = [], number

    def leave(self, context):
        a = self.contexts[context].pop()
        if a.path:
            self.end_path(a)

    def end_context(self, context):
        while self.contexts[context]:
            self.leave(context)
        self.last.pop(context, None)

    def follow(self, context, pc):
        """The activation that an instruction belongs to."""
        stack, last = self.contexts[context], self.last.get(context)
        function = self.code[pc][2]
        if last is None or not stack:
            stack.append(Activation(function, None))
            return
        size, kind, _ = self.code[last]
        kind = kind if self.passed.get(context) else "next"
        if kind == "call" and pc != last + size:
            stack.append(Activation(function, last + size))
            return
        returned = [i for i, a in enumerate(stack) if a.back == pc]
        if kind == "divides" and returned and returned[-1] > 0 and pc != last + size:
            while len(stack) > returned[-1]:
                self.leave(context)
        elif function != stack[-1].function:
            same = [i for i, a in enumerate(stack) if a.function == function]
            if same and function[0] != pc:  # back in a function further down, not where the call was
                while len(stack) > same[-1] + 1:
                    self.leave(context)
            else:
                back = stack[-1].back
                self.leave(context)
                stack.append(Activation(function, back))

    def step(self, context, pc, passed):
        self.follow(context, pc)
        a = self.contexts[context][-1]
        if a.path and pc <= a.path[-1]:
            self.end_path(a)
        a.path.append(pc)
        self.last[context], self.passed[context] = pc, passed


def ends(events):
    """The exceptions that took the place of the handler before them: that does not go on, but is entered again."""
    chained, following = set(), {}  # context -> what it does next
    for i in range(len(events) - 1, -1, -1):
        context, what, more = events[i]
        if what == "exception" and 0 < int(more[1]) < 512:  # threads have the numbers from 512 on
            before = int(more[1])
            if before == context or following.get(before, "exception") == "exception":
                chained.add(i)
        following[context] = what
    return chained


def main():
    code, out = listing(sys.argv[1]), sys.argv[2]
    model = Model(code)
    events = [line.split() for line in sys.stdin]
    events = [(int(w[0]), w[1], w[2:]) for w in events if w[1] in ("instruction", "skipped", "exception", "return")]
    ended = ends(events)
    for i, (context, what, more) in enumerate(events):
        if what in ("instruction", "skipped"):
            model.step(context, int(more[0], 16), what == "instruction")
        elif what == "return":
            model.end_context(int(more[1]))
        elif i in ended:
            model.end_context(int(more[1]))
    with open(out + ".stream", "w") as file:
        print(*model.stream, file=file)
    with open(out + ".pairs", "w") as file:
        for path, count in sorted(model.pairs.items()):
            print(count, " ".join(map(str, path)), sep="\t", file=file)
    with open(out + ".costs", "w") as file:
        for path in model.numbers:
            print(len(path), file=file)
    wanted = [n for path, n in model.numbers.items() if code[path[0]][2][1] == "main"]
    with open(out + ".main", "w") as file:
        print(*[n for n in model.stream if n in set(wanted)], file=file)
    print(len(model.stream), len(model.numbers))


if __name__ == "__main__":
    main()
