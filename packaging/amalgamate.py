# SPDX-License-Identifier: MIT
"""The target engine as one pair of files, weft.c and weft.h.

    amalgamate.py OUTPUT-FOLDER [RTOS-FOLDER [MODULE...]]

weft.h is what firmware includes: core, the sinks, weft_start and its kin. weft.c holds all of core and of the port but
for port/cortex-m/program, of which it takes what records a program with a start-up of its own. Names that are private
to several files get the file's name in front. RTOS-FOLDER gets the headers of port/rtos, which then include weft.h.
MODULEs of core are compiled for size, whatever the rest is compiled for.
"""
import glob, os, re, sys

PRIVATE = "context delivery_parts control_hooks controls_parts cortexm exclusive event_ring kpath_parts probes_parts cmsdk_timer".split()  # headers of the port for the port's own use
PROGRAM = "autostart around_main".split()  # of port/cortex-m/program
CHOICES = """/*
 * WEFT_AUTO=1            records the program from main to its end; WEFT_AUTO_... below choose sink, coder and sizes
 * WEFT_AUTO_WRAP=1       with the linker's --wrap=main; else call weft_target_begin() and weft_target_end()
 * WEFT_RING_DELIVERY=1   probes append to a lock-free ring (weft_poll drains it); else they record at once
 * WEFT_STAMPS=1          with stamps of time (weft_stamps_clock, weft_stamp); so it is where WEFT_AUTO_STAMPS is defined
 * WEFT_PLACES=1          with the places of interrupts (weft_places); so it is where WEFT_AUTO_PLACES is defined
 * WEFT_BLACKBOX=1        with the black box, for programs that were compiled with the plugin's probes=last;
 * WEFT_BLACKBOX_PACK=1   that which compresses
 * WEFT_CONTROLS=1        with filters, triggers and sampling (weft_filter_only, weft_trigger_arm; the plugin's control=)
 * WEFT_FAULT_HANDLER=1   with weft_fault_handler; the black box has it anyway
 * WEFT_EDGES=1           for sources compiled with -fsanitize-coverage=trace-pc -finstrument-functions, not the plugin
 * Without WEFT_AUTO the program calls weft_start() itself. */
#ifndef WEFT_AUTO
#define WEFT_AUTO 0
#endif
#ifndef WEFT_RING_DELIVERY
#define WEFT_RING_DELIVERY 0
#endif
#ifndef WEFT_CONTROLS
#define WEFT_CONTROLS 0
#endif
#define WEFT_LINKED 1
#ifndef WEFT_EDGES
#define WEFT_EDGES 0
#endif
#ifndef WEFT_STAMPS
#ifdef WEFT_AUTO_STAMPS
#define WEFT_STAMPS 1
#else
#define WEFT_STAMPS 0
#endif
#endif
#ifndef WEFT_PLACES
#ifdef WEFT_AUTO_PLACES
#define WEFT_PLACES 1
#else
#define WEFT_PLACES 0
#endif
#endif
#ifndef WEFT_BLACKBOX
#define WEFT_BLACKBOX 0
#endif
#ifndef WEFT_BLACKBOX_PACK
#define WEFT_BLACKBOX_PACK 0
#endif
#ifndef WEFT_FAULT_HANDLER
#define WEFT_FAULT_HANDLER WEFT_BLACKBOX
#endif
"""
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include ("([^"]+)"|<([^>]+)>)[^\n]*\n', re.M)
# Files of port/cortex-m that are not always compiled.
CONDITIONS = {"probes_direct": "!WEFT_RING_DELIVERY",
              "probes_ring": "WEFT_RING_DELIVERY", "probes_last": "WEFT_BLACKBOX && !WEFT_BLACKBOX_PACK",
              "probes_last_packed": "WEFT_BLACKBOX && WEFT_BLACKBOX_PACK", "blackbox": "WEFT_BLACKBOX",
              "fault": "WEFT_FAULT_HANDLER", "fault_frames": "WEFT_FAULT_HANDLER", "stamps": "WEFT_STAMPS",
              "places": "WEFT_PLACES", "places_none": "!WEFT_PLACES", "inputs": "WEFT_PLACES",
              "inputs_memory": "WEFT_PLACES", "compiler_edges": "WEFT_EDGES",
              **dict.fromkeys("activations controls_all filter hold left_out probes_kept probes_kept_loops "
                              "probes_kept_values trigger".split(), "WEFT_CONTROLS")}
OFTEN = ("core/bfcm_word.h", "core/bfcm_word_cost.h")  # included once for each width of words


def read(path):
    with open(path) as file:
        return file.read()


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def own_names(path):
    """Names at file scope that other files do not see: functions, objects, macros, enumerators, types."""
    text = without_comments(read(path))
    text = re.sub(r"__attribute__\(\(.*?\)\)(?=\s)", "", text)
    names = set(re.findall(r"^#define (\w+)", text, re.M))
    names |= set(re.findall(r"^\s*(?:static|INLINE) [^;={(\[]*?(\w+)\s*(?=[\[(;=])", text, re.M))
    for body, name in re.findall(r"^(?:typedef )?enum (?:\w+ )?\{(.*?)\}\s*(\w*)\s*;", text, re.M | re.S):
        names |= set(re.findall(r"(?:^|,)\s*(\w+)", body)) | {name}
    names |= {a or b for a, b in re.findall(r"^typedef (?:struct|union) (\w+) \{|^typedef [^({]*?(\w+);", text, re.M)}
    return {name for name in names if name and not re.match(r"(__)?weft_|WEFT_", name)}


def module(path):
    """core/sequitur_parts.h and core/sequitur_push.c are parts of one."""
    return os.path.basename(path).split(".")[0].split("_")[0]


def renamed(path, text, clashing):
    """Names of the file, and of the private headers of its module. A name after . or -> is a member, and stays."""
    for owner, name in sorted(clashing):
        if owner == path or owner.endswith(".h") and module(owner) == module(path):
            prefix = os.path.splitext(os.path.basename(owner))[0]
            text = re.sub(r"(?<![\w.>\"])%s(?![\w\"])" % name, prefix + "_" + name, text)
    return text


class Output:
    def __init__(self, done=()):
        self.done, self.system, self.parts = set(done), [], []

    def text_of(self, path, clashing):
        """The text of a file, with the project's headers in place of their first include."""
        def take(match):
            if match[3]:
                if match[3] not in self.system:
                    self.system.append(match[3])
                return ""
            header = match[2]
            if header in self.done:
                return ""
            if header not in OFTEN:
                self.done.add(header)
            return self.text_of(header, clashing)
        text = renamed(path, read(path), clashing).replace("/* SPDX-License-Identifier: MIT */\n", "", 1)
        return "/* ---- %s ---- */\n%s\n" % (path, INCLUDE.sub(take, text).strip())

    def add(self, path, clashing=frozenset()):
        if path not in self.done:
            self.done.add(path)
            self.parts.append(self.text_of(path, clashing))

    def write(self, path, head, tail=""):
        text = head + "".join("#include <%s>\n" % name for name in sorted(self.system)) + "\n"
        with open(path, "w") as file:
            file.write(text + "\n".join(self.parts) + tail)


def sources():
    core = sorted(glob.glob("core/*.c"))
    port = sorted(glob.glob("port/cortex-m/*.c"))
    return core + port + ["port/cortex-m/program/%s.c" % name for name in PROGRAM]


def write_header(folder, head):
    header = Output()
    for path in ["core/weft.h", "core/recorder_bfcm.h"] + sorted(glob.glob("port/cortex-m/*.h")):
        if os.path.splitext(os.path.basename(path))[0] not in PRIVATE:
            header.add(path)
    header.add("port/cortex-m/program/runtime.h")
    guard = "#ifndef WEFT_H\n#define WEFT_H\n\n#pragma GCC system_header\n\n"
    header.write(folder + "/weft.h", head + guard, "\n#endif\n")
    return header.done


def alone(part):
    """What a source defines as a macro, the next ones do not see."""
    macros = re.findall(r"^#define (?!WEFT_)(\w+)", part, re.M)
    return part + "".join("#undef %s\n" % name for name in dict.fromkeys(macros))


def for_size(part):
    """The loss of time is small, that of flash is not. Where nothing is optimised, neither is this."""
    condition = "#if defined __OPTIMIZE__ && !defined __OPTIMIZE_SIZE__ && !defined __clang__\n"
    return (condition + '#pragma GCC push_options\n#pragma GCC optimize("Os")\n#endif\n' + part +
            condition + "#pragma GCC pop_options\n#endif\n")


def write_source(folder, head, done, small):
    files = sources()
    headers = sorted(set(glob.glob("core/*.h")) - set(OFTEN)) + ["port/cortex-m/%s.h" % name for name in PRIVATE]
    words = {path: set(re.findall(r"\w+", without_comments(read(path)))) for path in files + headers}
    clashing = {(path, name) for path in words for name in own_names(path)
                if any(name in words[other] for other in words if other != path)}
    source = Output(done | {"boards/board.h"})
    for path in headers:
        source.add(path, clashing)
    for path in files:
        source.add(path, clashing)
        source.parts[-1] = alone(source.parts[-1])
        if path in small:
            source.parts[-1] = for_size(source.parts[-1])
        if "/program/" in path:
            source.parts[-1] = "#if WEFT_AUTO\n%s#endif\n" % source.parts[-1]
        choice = re.match(r"port/cortex-m/(\w+)\.c", path)
        if choice and choice[1] in CONDITIONS:
            source.parts[-1] = "#if %s\n%s#endif\n" % (CONDITIONS[choice[1]], source.parts[-1])
    pedantic = '#pragma GCC diagnostic ignored "-Wpedantic"\n#pragma GCC diagnostic ignored "-Waddress"\n'
    source.write(folder + "/weft.c", head + CHOICES + pedantic + '#include "weft.h"\n\n')


def write_rtos(folder):
    for path in sorted(glob.glob("port/rtos/*.h")):
        text = INCLUDE.sub(lambda m: "" if os.path.exists(m[2] or "") and not m[2].startswith("port/rtos/") else m[0],
                           read(path))
        at = re.search(r"#define \w+_H\n", text).end()
        with open(os.path.join(folder, os.path.basename(path)), "w") as file:
            file.write(text[:at] + '\n#include "../weft.h"\n' + text[at:])


def main():
    folder = sys.argv[1]
    version = re.search(r'#define WEFT_VERSION_TEXT "([^"]+)"', read("tools/lib/base/version.h"))[1]
    head = ("/* SPDX-License-Identifier: MIT */\n"
            "/* Weft %s: the engine for Cortex-M firmware. Made by `make amalgamation`. */\n" % version)
    done = write_header(folder, head)
    small = ["core/%s.c" % module for module in sys.argv[3:]]
    missing = [path for path in small if not os.path.exists(path)]
    if missing:
        raise SystemExit("amalgamate.py: no such source: " + " ".join(missing))
    write_source(folder, head, done, small)
    if len(sys.argv) > 2:
        write_rtos(sys.argv[2])


main()
