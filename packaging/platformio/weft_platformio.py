# SPDX-License-Identifier: MIT
"""PlatformIO: lib_deps = symlink://SHARE (SHARE is what `weft --share` prints). In platformio.ini:

    custom_weft_probes = paths | mem (default) | values | inputs
    custom_weft_sink = ring (default) | rtt | itm | semihost | hook
    custom_weft_clock = dwt HZ | systick HZ | hook
    custom_weft_stamps = 1024
    custom_weft_worker = auto | 31 SPI3_IRQHandler
    custom_weft_defines = -DWEFT_AUTO_RING=8192 ...
    custom_weft_plugin_options = exclude=GLOB ...
"""
import os

Import("env", "projenv")  # noqa: F821  (the library's own environment; that of the project's sources)
share = os.path.realpath(Dir(".").srcnode().abspath)  # noqa: F821
plugin = os.path.join(share, "..", "..", "lib", "weft", "weft_gcc.so")
project = DefaultEnvironment()  # noqa: F821  (that of the link)


def choice(name, default, words):
    """The words of an option, whose first is one of `words`."""
    chosen = project.GetProjectOption("custom_weft_" + name, default).split()
    if chosen[0] not in words:
        raise ValueError("there is no custom_weft_%s = %s; there are: %s" % (name, chosen[0], ", ".join(words)))
    return chosen


probes = choice("probes", "mem", ["paths", "mem", "values", "inputs"])[0]
sink = choice("sink", "ring", ["ring", "rtt", "itm", "semihost", "hook"])[0]
clock = choice("clock", "none", ["none", "dwt", "systick", "hook"])
defines = ["WEFT_AUTO=1", "WEFT_AUTO_WRAP=1", "WEFT_AUTO_SINK_" + sink.upper(),
           "WEFT_AUTO_ACCESSES=%d" % (probes in ("mem", "values")), "WEFT_AUTO_VALUES=%d" % (probes == "values")]
options = ["probes=" + probes] + project.GetProjectOption("custom_weft_plugin_options", "").split()
if probes == "inputs":  # and where interrupts come
    defines.append("WEFT_AUTO_PLACES=1")
    options.append("handlers")
if clock[0] != "none":
    defines += ["WEFT_AUTO_CLOCK_" + clock[0].upper(),
                "WEFT_AUTO_STAMPS=" + project.GetProjectOption("custom_weft_stamps", "1024")]
    defines += ["WEFT_AUTO_CLOCK_HZ=" + hz for hz in clock[1:]]

worker = project.GetProjectOption("custom_weft_worker", "").split()
if worker == ["auto"]:
    defines.append("WEFT_AUTO_WORKER=1")
elif len(worker) not in (0, 2):
    raise ValueError("custom_weft_worker is auto, or the number of an interrupt and its handler's name")
else:
    defines += ["%s=%s" % pair for pair in zip(("WEFT_AUTO_IRQ", "WEFT_AUTO_IRQ_HANDLER"), worker)]

flags = ["-fplugin=" + os.path.normpath(plugin)] + ["-fplugin-arg-weft_gcc-" + option for option in options]
projenv.Append(CCFLAGS=flags + ["-g"])  # noqa: F821
# The link seals the image, as with weft.mk. (An action after it is lost where the image exists already: PlatformIO adds it
# at once then, and SCons gives the image another builder later.)
seal = os.path.normpath(os.path.join(share, "..", "..", "lib", "weft", "sealing_link"))
project.Append(LINKFLAGS=flags + ["-wrapper", seal, "-Wl,--wrap=main"])
env.Append(CPPDEFINES=defines, CCFLAGS=project.GetProjectOption("custom_weft_defines", "").split())  # noqa: F821
