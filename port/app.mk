# SPDX-License-Identifier: MIT
# One application: included after the Makefile by build-firmware (port/port.mk). A folder's app.mk may set
#   APP_SRC      its files: .c, .cpp, .cc, .cxx, .S, .s (default: all below the folder)
#   APP_CFLAGS   more flags for the compiler
#   APP_CXXFLAGS more flags for C++ (default: no exceptions and no RTTI)
#   APP_LDLIBS   more flags for the linker
#   APP_NEEDS    files to be made before the first is compiled, with their rules
#   APP_STARTS   yes: the program calls weft_start itself

APP_CXX_FILES := %.cpp %.cc %.cxx
APP_FILE := $(filter %.c $(APP_CXX_FILES) %.S %.s,$(APP_PATH))
APP_SRC = $(or $(APP_FILE),$(sort $(shell find $(APP_PATH)/ -regex '.*\.\(c\|cpp\|cc\|cxx\|S\|s\)')))
APP_CXXFLAGS = -fno-exceptions -fno-rtti -fno-threadsafe-statics
# Objects are made again when it changes: it may set variables of single objects, which no check sum below sees.
APP_OWN := $(if $(APP_FILE),,$(wildcard $(APP_PATH)/app.mk))
-include $(APP_OWN)
APP_SRC := $(APP_SRC)

PLUGIN := $(BUILD)/host/weft_gcc.so
# At most this many paths per function. Fewer make shorter numbers: of all powers of two, 8192 gave the fewest
# instructions and bytes.
# Without accesses there is nothing to derive: the objects are the same, and so is their key.
PACK_ARG = $(if $(filter size,$(INLINE)),inline=size) $(if $(filter 1,$(PACK)),pack,$(if $(filter auto-paths-raw-speed,$(PACK)-$(PROBES)-$(CODER)-$(INLINE)),pack=auto))
PLUGIN_ARGS = mode=$(MODE) probes=$(PROBES) limit=8192 $(if $(APP_ACCESSES),derive=$(DERIVE)) $(APP_INPUTS) \
    $(if $(filter-out 0,$(KSF)),ksf) $(if $(filter 1,$(ORACLE)),oracle) $(if $(filter 1,$(EXACT)),exact) \
    $(PACK_ARG) $(if $(filter 1,$(PLACES)),handlers) \
    $(STAMP:%=stamp=%) $(PLUGIN_MORE)
# Lists in files that an option names (include=@FILE): what they hold is a part of the flags.
APP_COMMA := ,
APP_WORDS := $(subst $(APP_COMMA), ,$(subst =, ,$(PLUGIN_MORE)))
APP_LISTS := $(foreach word,$(APP_WORDS),$(patsubst @%,%,$(filter @%,$(word))))
PLUGIN_ARGS += $(if $(APP_LISTS),lists=$(shell cat $(APP_LISTS) | cksum | cut -d ' ' -f 1))
# Without the plugin: port/cortex-m/compiler_edges.c.
ifeq ($(PROBES),edges)
APP_PLUGIN = -fsanitize-coverage=trace-pc -finstrument-functions-after-inlining -fno-optimize-sibling-calls
else ifneq ($(PROBES),none)
APP_PLUGIN = -fplugin=$(abspath $(PLUGIN)) $(addprefix -fplugin-arg-weft_gcc-,$(PLUGIN_ARGS))
APP_PLUGIN_FILE := $(PLUGIN)
endif

APP_INCLUDE := -I$(if $(APP_FILE),$(dir $(APP_PATH)),$(APP_PATH)) $(FLAGS)
# Of a file: the compiler, and the flags of its language. Assembler text gets no probes.
app_compiler = $(if $(filter $(APP_CXX_FILES),$(1)),$(APP_CXX) -std=gnu++17 $(APP_CXXFLAGS),$(app_gcc))
app_gcc = $(APP_CC)$(if $(filter %.c,$(1)), -std=gnu11)
ifeq ($(PROBES),edges)
# The C library is newlib, as the linker is GCC's.
HASH := \#
NEWLIB = $(dir $(shell echo '$(HASH)include <stdio.h>' | $(CROSS)gcc -M -x c - | tr ' ' '\n' | grep -m 1 '/stdio.h$$'))
CLANG = --target=arm-none-eabi -fshort-enums -fdebug-compilation-dir=. -isystem $(NEWLIB)
APP_CC = clang $(CLANG)
APP_CXX = clang++ $(CLANG)
else
APP_CC := $(CROSS)gcc
APP_CXX := $(CROSS)g++
endif
# The library of C++ takes 1.6 GB and is seldom needed, so set-up does not install it.
ifneq ($(filter $(APP_CXX_FILES),$(APP_SRC)),)
APP_CXX_LIB := $(if $(filter /%,$(shell $(CROSS)gcc -print-file-name=libstdc++.a)),-lstdc++)
ifeq ($(APP_CXX_LIB),)
$(warning no library of C++ here: for <cstdio>, new and the like install libstdc++-arm-none-eabi-newlib)
endif
endif
APP_FLAGS = $(OPT) -g -mthumb $(BOARD_CPU_$(BOARD)) $(BOARD_DEFINES_$(BOARD)) $(APP_INCLUDE) -I. -MMD -MP

# The recorder, started before main: not instrumented, as all of port.
AUTO_NAMES := $(SINK) $(CODER) $(BUS) $(VALUES) $(CLOCK)
UPPER := a.A b.B c.C d.D e.E f.F g.G h.H i.I j.J k.K l.L m.M n.N o.O p.P q.Q r.R s.S t.T u.U v.V w.W x.X y.Y z.Z -._
$(foreach pair,$(UPPER),\
    $(eval AUTO_NAMES := $(subst $(basename $(pair)),$(patsubst .%,%,$(suffix $(pair))),$(AUTO_NAMES))))
AUTO_DEFINES := -DWEFT_AUTO_BOARD=$(BOARD) -DWEFT_AUTO_ACCESSES=$(if $(APP_ACCESSES),1,0) \
    -DWEFT_AUTO_VALUES=$(if $(APP_VALUES),1,0) -DWEFT_AUTO_INPUTS=$(if $(APP_INPUTS),1,0) \
    $(if $(filter 1,$(PLACES)),-DWEFT_AUTO_PLACES=1) -DWEFT_AUTO_KSF=$(KSF) -DWEFT_AUTO_KSF_ONLY=$(KSF_ONLY) \
    -DWEFT_AUTO_KSF_HOLDS=$(KSF_HOLDS) \
    -DWEFT_AUTO_SINK_$(word 1,$(AUTO_NAMES)) -DWEFT_AUTO_CODER_$(word 2,$(AUTO_NAMES)) \
    -DWEFT_AUTO_BUS_$(word 3,$(AUTO_NAMES)) \
    $(if $(CLOCK),-DWEFT_AUTO_CLOCK_$(word 5,$(AUTO_NAMES))) \
    $(if $(filter-out none,$(STAMPS)),-DWEFT_AUTO_STAMPS=$(STAMPS)) \
    -DWEFT_AUTO_VALUES_$(word 4,$(AUTO_NAMES)) $(BOARD_DEFINES_$(BOARD)) \
    $(if $(filter last,$(PROBES)),-DWEFT_BLACKBOX_SIZE=$(BOX_SIZE)) $(AUTO_CFLAGS)

# Objects are shared by all variants whose flags are the same, and the recorder's set-up by all programs: a folder's
# name is a check sum of them.
APP_COMPILE := $(APP_FLAGS) $(APP_CXXFLAGS) $(APP_CFLAGS) $(APP_PLUGIN)
AUTO_COMPILE := $(FW_CFLAGS) $(BOARD_CPU_$(BOARD)) $(AUTO_DEFINES)
quoted = '$(subst ','\'',$(1))'
KEYS := $(shell cksum <<<$(call quoted,$(APP_COMPILE)); cksum <<<$(call quoted,$(AUTO_COMPILE)))
APP_KEY := $(word 1,$(KEYS))
AUTO_KEY := $(word 3,$(KEYS))
APP_OBJ := $(APP_SRC:%=$(APP_OBJECTS)/$(PROBES)$(OPT)-$(APP_KEY)/%.o)

$(APP_OBJECTS)/$(PROBES)$(OPT)-$(APP_KEY)/%.o: % boards/$(BOARD)/board.mk $(APP_OWN) $(APP_NEEDS) $(APP_PLUGIN_FILE)
	$(FOLDER)
	$(NOW) $(call app_compiler,$<) $(APP_FLAGS) $(APP_CFLAGS) $(if $(filter %.c $(APP_CXX_FILES),$<),$(APP_PLUGIN)) -c $< -o $@

# Others may make it, too: it takes its name when it is whole.
AUTO_OBJ := $(FW)/$(BOARD)/auto/$(AUTO_KEY)/$(if $(filter last,$(PROBES)),autobox,autostart).o
TRACED := $(if $(filter none,$(PROBES))$(APP_STARTS),,$(AUTO_OBJ))
$(AUTO_OBJ): $(if $(filter last,$(PROBES)),$(FW_BOX),$(FW_AUTO)) boards/$(BOARD)/board.mk
	$(FOLDER)
	new=$(@:.o=).$$$$ && $(CROSS)gcc $(AUTO_COMPILE) -MT $@ -MF $$new.d -c $< -o $$new.o && \
	    mv $$new.d $(@:.o=.d) && mv $$new.o $@

# All that decides what is compiled and linked: a file that changes when its text does. What depends on it is made
# again.
APP_CHOICES = $(APP_COMPILE) | $(AUTO_COMPILE) | \
    $(APP_OBJ) $(TRACED) $(APP_LDLIBS) $(APP_CXX_LIB) $(FW_LINK) $(BOARD_SPECS_$(BOARD))
.PHONY: FORCE
$(APP_OUT)/choices: $(if $(subst <$(strip $(APP_CHOICES))>,,<$(strip $(file <$(APP_OUT)/choices))>),FORCE)
	$(file >$@,$(APP_CHOICES))

APP_SINK = $(if $(filter none,$(PROBES)),none,$(if $(filter last,$(PROBES)),box,$(SINK)))
# Read by `weft capture`: how this image is run and where its trace comes out.
$(APP_OUT)/board.s: $(APP_OUT)/choices
	$(FOLDER)
	@{ echo '.section .weft.board,"",%progbits'; \
	   for line in board=$(BOARD) machine=$(BOARD) sink=$(APP_SINK) ring=weft_trace_ring \
	     done=weft_target_done probes=$(PROBES) mode=$(MODE) coder=$(CODER) ksf=$(KSF) delivery=$(DELIVERY) \
	     oracle=$(ORACLE); \
	   do echo ".ascii \"$$line\\n\""; done; } >$@

# The image takes its name when it is whole: what reads an older one meanwhile goes on with that.
APP_LINK = $(CROSS)gcc $(BOARD_CPU_$(BOARD)) $(FW_LINK) -T linker/$(BOARD).ld \
    $(FW)/$(BOARD)/obj/$(FW_START:.c=.o) $(filter %.o %.s,$^) $(APP_LDLIBS) $(APP_CXX_LIB) -Wl,-Map=$(APP_OUT)/app.map \
    $(call FW_LIBS,$(BOARD),$(1)) $(BOARD_SPECS_$(BOARD)) -o $@.new && mv $@.new $@
# Whether 16 bits hold each path of an image with a black box (core/blackbox.h).
APP_PATHS_FIT = [ "$$($(CROSS)size -A $@ | awk '$$1 == ".weft.paths" { print $$2 }')" -le 65533 ]
$(APP_OUT)/app.elf: $(APP_OUT)/choices $(APP_OBJ) $(TRACED) $(APP_OUT)/board.s $(FW)/$(BOARD)/libweft.a \
    linker/$(BOARD).ld linker/sections.ld
	$(call APP_LINK,$(firstword $(APP_PROBES)))
	$(if $(filter last32,$(APP_PROBES)),@$(APP_PATHS_FIT) || { $(call APP_LINK,last32); })
	$(BUILD)/host/weft seal $@

-include $(APP_OBJ:.o=.d) $(AUTO_OBJ:.o=.d)

# Sources of Debian packages: SOME/FILE of PACKAGE is build/sources/PACKAGE/SOME/FILE.
$(BUILD)/sources/%/.fetched:
	tests/workloads/fetch $*
