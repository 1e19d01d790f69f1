#!/bin/bash
# SPDX-License-Identifier: MIT
# The PlatformIO script gives the compiler and the engine what its options say. PlatformIO is not there: objects that
# keep what they are given stand in for its environments.
. tests/lib/check.sh
cat >"$tmp/run.py" <<'P'
import sys

class Folder:
    abspath = "/usr/share/weft"
    def srcnode(self): return self

class Environment:
    def __init__(self, options): self.options, self.given = options, {}
    def GetProjectOption(self, name, default): return self.options.get(name, default)
    def Append(self, **what): self.given.update(what)

options = dict(word.split("=", 1) for word in sys.argv[2:])
project, own, sources = Environment(options), Environment({}), Environment({})
script = open(sys.argv[1]).read()
try:
    exec(script, {"Import": lambda *names: None, "env": own, "projenv": sources, "Dir": lambda name: Folder(),
                  "DefaultEnvironment": lambda: project})
except ValueError as error:
    sys.exit(str(error))
print("sources", *sources.given["CCFLAGS"])
print("link", *project.given["LINKFLAGS"])
print("engine", *own.given["CPPDEFINES"], *own.given["CCFLAGS"])
P
given() { # OPTION...
    python3 "$tmp/run.py" packaging/platformio/weft_platformio.py "$@"
}

python3 -c 'import json, sys; json.load(open(sys.argv[1]))' packaging/platformio/library.json
verdict "library.json is JSON" $? -eq 0
given >"$tmp/plain"
verdict "without options: accesses, to a ring" "$(sed -n 's/^engine //p' "$tmp/plain")" = \
    "WEFT_AUTO=1 WEFT_AUTO_WRAP=1 WEFT_AUTO_SINK_RING WEFT_AUTO_ACCESSES=1 WEFT_AUTO_VALUES=0"
plugin="-fplugin=/usr/lib/weft/weft_gcc.so -fplugin-arg-weft_gcc-probes=mem"
verdict "the plugin is beside the script, and compiles the project's sources" \
    "$(sed -n 's/^sources //p' "$tmp/plain")" = "$plugin -g"
verdict "at the link too, which seals the image, and main is wrapped" "$(sed -n 's/^link //p' "$tmp/plain")" = "$plugin -wrapper /usr/lib/weft/sealing_link -Wl,--wrap=main"
verdict "options are the engine's" "$(given custom_weft_probes=values custom_weft_sink=rtt "custom_weft_clock=dwt 168000000" \
    custom_weft_defines=-DWEFT_AUTO_RING=8192 | sed -n 's/^engine //p')" = \
    "WEFT_AUTO=1 WEFT_AUTO_WRAP=1 WEFT_AUTO_SINK_RTT WEFT_AUTO_ACCESSES=1 WEFT_AUTO_VALUES=1 WEFT_AUTO_CLOCK_DWT\
 WEFT_AUTO_STAMPS=1024 WEFT_AUTO_CLOCK_HZ=168000000 -DWEFT_AUTO_RING=8192"
verdict "inputs, with the places of interrupts; options of the plugin" \
    "$(given custom_weft_probes=inputs custom_weft_plugin_options='exclude=a handlers=b' |
        grep -o 'gcc-[a-z]*=*[a-z]* -g\|WEFT_AUTO_[APV].*\|link.*-wrapper' | sed 's/-fplugin=[^ ]* //' | xargs)" = \
    "gcc-handlers -g link -fplugin-arg-weft_gcc-probes=inputs -fplugin-arg-weft_gcc-exclude=a\
 -fplugin-arg-weft_gcc-handlers=b -fplugin-arg-weft_gcc-handlers -wrapper\
 WEFT_AUTO_ACCESSES=0 WEFT_AUTO_VALUES=0 WEFT_AUTO_PLACES=1"
expect "a sink that there is not is refused" 1 '' given custom_weft_sink=usb
verdict "an interrupt that is free, or one that is named" \
    "$(given custom_weft_worker=auto | grep -o 'WEFT_AUTO_WORKER=.')$(given custom_weft_worker='31 X' |
        grep -o 'WEFT_AUTO_IRQ.*')" = 'WEFT_AUTO_WORKER=1WEFT_AUTO_IRQ=31 WEFT_AUTO_IRQ_HANDLER=X'
expect "a number without a name is refused" 1 '' given custom_weft_worker=31
