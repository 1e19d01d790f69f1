# SPDX-License-Identifier: MIT
"""PlatformIO: lib_deps = symlink://SHARE (SHARE is what `weft --share` prints). In platformio.ini:

    custom_weft_probes = paths | mem (default) | values
    custom_weft_sink = ring (default) | semihost | hook
    custom_weft_defines = -DWEFT_AUTO_RING=8192 ...
"""
import os

Import("env")  # noqa: F821  (the library's own environment)
share = os.path.realpath(Dir(".").srcnode().abspath)  # noqa: F821
plugin = os.path.join(share, "..", "..", "lib", "weft", "weft_gcc.so")
project = DefaultEnvironment()  # noqa: F821
probes = project.GetProjectOption("custom_weft_probes", "mem")
sink = project.GetProjectOption("custom_weft_sink", "ring")
defines = project.GetProjectOption("custom_weft_defines", "").split()

flags = ["-fplugin=" + os.path.normpath(plugin), "-fplugin-arg-weft_gcc-probes=" + probes]
project.Append(CCFLAGS=flags, LINKFLAGS=flags + ["-Wl,--wrap=main"])
env.Append(CPPDEFINES=["WEFT_AUTO=1", "WEFT_AUTO_WRAP=1", "WEFT_AUTO_SINK_" + sink.upper(),  # noqa: F821
                       "WEFT_AUTO_ACCESSES=%d" % (probes != "paths"), "WEFT_AUTO_VALUES=%d" % (probes == "values")],
           CCFLAGS=defines)
