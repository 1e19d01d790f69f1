# SPDX-License-Identifier: MIT
# Firmware: compiles core, port, a board and an application for the target.
#
#   build/fw/BOARD/libweft.a             core and port, never instrumented
#   build/fw/BOARD/libprobes_*.a         delivery: direct, ring; a black box: last, last32, last_packed
#   build/fw/BOARD/tests/*/NAME.elf      the unit tests of core, and the tests of the port
#   build/fw/BOARD/APP/VARIANT/app.elf   an application with probes; VARIANT names the options

CROSS := arm-none-eabi-
BOARD ?= mps2-an385
BOARDS := $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk))
include $(BOARDS:%=boards/%/board.mk)

# -O2, since the probes run all the time; -Os for what is large and gains little by -O2, but not the slower steps that
# -Os of all chooses (WEFT_SMALL, core/config.h). The same in weft.c, which is made of this list.
FW_SMALL := bfcm loopnest_push loopnest_terms recorder_frames recorder_init recorder_interval recorder_names \
    recorder_profile sequitur_pools sequitur_push sequitur_segment tre_bounds tre_nest tre_push tre_record
$(foreach module,$(FW_SMALL),$(eval FW_CFLAGS_core/$(module) := -Os -DWEFT_SMALL=0))
FW_CFLAGS := -std=gnu11 -O2 -g -mthumb -Wall -Wextra -Wshadow -Wundef -Wvla -Werror -I. -MMD -MP
FW_START := port/cortex-m/program/startup.c
FW_AUTO := port/cortex-m/program/autostart.c
# The user's choice of one, so not in the archive.
FW_PROBES := $(addprefix port/cortex-m/probes_,direct.c ring.c last.c last32.c last_packed.c)
FW_BOX := port/cortex-m/program/autobox.c
FW_SRC := $(filter-out $(FW_START) $(FW_AUTO) $(FW_BOX) $(FW_PROBES) %/check_target.c %/around_main.c,\
    $(wildcard core/*.c port/cortex-m/*.c \
    port/cortex-m/program/*.c))
FW_TESTS := $(wildcard tests/unit/test_*.c tests/target/test_*.c)
FW_LINK := -mthumb -nostartfiles -Wl,--build-id=sha1 -Wl,--no-warn-rwx-segments

# The archives and newlib need each other. $(1) is a board, $(2) the way of delivery: direct or ring.
FW_LIBS = -Wl,--start-group $(FW)/$(1)/libweft.a $(FW)/$(1)/libprobes_$(2).a -lc -lm -Wl,--end-group

# The core, and of the port what asks for no choice of a board, are the same on boards that give them the same flags:
# each takes the objects of the first of them, FW_CORE_*.
FW_SHARED := $(filter-out port/cortex-m/program/%,$(FW_SRC))
core_flags = $(strip $(BOARD_CPU_$(1)) $(filter-out -DBOARD_% -DWEFT_AUTO_% -DWEFT_EVENT_RING_%,$(BOARD_DEFINES_$(1))))
FW_IN_ORDER := mps2-an385 $(filter-out mps2-an385,$(BOARDS))
$(foreach b,$(FW_IN_ORDER),$(eval FW_CORE_$b := \
    $(firstword $(foreach f,$(FW_IN_ORDER),$(if $(subst <$(call core_flags,$f)>,,<$(call core_flags,$b)>),,$f)))))

define FW_BOARD
$(FW)/$(1)/obj/%.o: %.c boards/$(1)/board.mk port/port.mk
	$$(FOLDER)
	$$(NOW) $(CROSS)gcc $(FW_CFLAGS) $$(FW_CFLAGS_$$*) $(BOARD_CPU_$(1)) $(BOARD_DEFINES_$(1)) -c $$< -o $$@
.PRECIOUS: $(FW)/$(1)/obj/%.o
$(FW)/$(1)/libweft.a: $(patsubst %.c,$(FW)/$(FW_CORE_$(1))/obj/%.o,$(FW_SHARED)) \
    $(patsubst %.c,$(FW)/$(1)/obj/%.o,$(filter-out $(FW_SHARED),$(FW_SRC))) \
    $(patsubst %.c,$(FW)/$(1)/obj/%.o,$(or $(BOARD_SOURCE_$(1)),boards/$(1)/board.c)) \
    $(FW_START:%.c=$(FW)/$(1)/obj/%.o)
	@rm -f $$@
	$(CROSS)ar rcs $$@ $$(filter-out %/startup.o,$$^)
$(FW)/$(1)/libprobes_%.a: $(FW)/$(1)/obj/port/cortex-m/probes_%.o
	@rm -f $$@
	$(CROSS)ar rcs $$@ $$^
$(FW)/$(1)/obj/port/cortex-m/probes_last32.o: port/cortex-m/probes_last.c boards/$(1)/board.mk port/port.mk
	$$(FOLDER)
	$(CROSS)gcc $(FW_CFLAGS) -DWEFT_BLACKBOX_WIDE=1 $(BOARD_CPU_$(1)) $(BOARD_DEFINES_$(1)) -c $$< -o $$@
$(FW)/$(1)/tests/%.elf: $(FW)/$(1)/obj/tests/%.o $(FW)/$(1)/obj/tests/lib/check.o \
    $(FW)/$(1)/obj/port/cortex-m/program/check_target.o \
    $(FW)/$(1)/libweft.a $(FW)/$(1)/libprobes_direct.a linker/$(1).ld linker/sections.ld
	$$(FOLDER)
	$(CROSS)gcc $(BOARD_CPU_$(1)) $(FW_LINK) -T linker/$(1).ld $(FW)/$(1)/obj/$(FW_START:.c=.o) \
	    $$(filter %.o,$$^) $(call FW_LIBS,$(1),direct) --specs=nano.specs -o $$@
-include $$(if $$(or $$(HOST_D),$$(filter $(FW)/$(1)/%,$$(filter-out %/app.elf,$$(MAKECMDGOALS)))),\
    $$(wildcard $(addprefix $(FW)/$(FW_CORE_$(1))/obj/,core/*.d port/cortex-m/*.d) \
    $(addprefix $(FW)/$(1)/obj/,*/*.d */*/*.d */*/*/*.d)))
endef
# A build of firmware reads only what its board needs.
FW_BOARDS := $(foreach b,$(BOARDS),$(if $(or $(HOST_D),$(filter $(BOARD),$b),$(filter $(FW)/$b/%,$(MAKECMDGOALS))),$b))
$(foreach board,$(sort $(FW_BOARDS) $(foreach b,$(FW_BOARDS),$(FW_CORE_$b))),$(eval $(call FW_BOARD,$(board))))

# ---- one application -------------------------------------------------------------------------------------------

APP ?= jpeg
OPT ?= -O2
# none, paths, mem, values, last (a black box); or edges: compiled by clang, with its own flags instead of the plugin
# (docs/ADOPTION.md).
PROBES ?= mem
MODE ?= cut
CODER ?= raw
# plain, tre, bfcm or tre-bfcm; and plain or bfcm.
BUS ?= plain
VALUES ?= plain
# k of the k-slab forest (0: none), and 1 for the forest instead of the paths in order.
KSF ?= 0
KSF_ONLY ?= 0
# With KSF_ONLY=1: 1: a full forest stays as it is, and what it has no room for is counted as lost.
KSF_HOLDS ?= 0
SINK ?= semihost
DELIVERY ?= direct
# PROBES=last: a black box, with neither sink nor delivery. Plain or packed; bytes of its entries, a power of two if
# plain.
BOX ?= plain
BOX_SIZE ?= 4096
ORACLE ?= 0
# Clock: dwt, systick, timer, hook (the program's weft_target_clock) or none; empty: the board's, for frames alone. With
# one of the first four, stamps of time at each switch of context and every STAMPS paths (0: not by number; none: not at
# all), and at entry and exit of the functions that STAMP names: STAMP='*_Handler,main'
CLOCK ?=
STAMPS ?= $(if $(filter-out none,$(CLOCK)),1024,none)
STAMP ?=
# What is derived and not recorded: none, path or activation (head of tools/gcc/weft_gcc.cc). Where frames may be lost,
# a path.
DERIVE ?= $(if $(filter semihost,$(SINK)),activation,path)
# 1: loops of one path record each pass where it ends (`exact` in the head of tools/gcc/weft_gcc.cc).
EXACT ?= 0
# With paths alone, one record holds several paths of a function (`pack` there). auto: where it may be, with the raw
# coder, not at -O0 and not with EXACT=1; 0: not; 1: it must, or the build fails. With
# accesses only if it is 1.
PACK ?= auto
# What records cost: speed, as PACK and EXACT say; size: the least text, by a call for each path (`inline` there).
INLINE ?= speed
# 1: with PROBES=paths, also each volatile load and its value (`inputs` there): what came from outside.
INPUTS ?= 0
# 1: where each interrupt stands (port/cortex-m/places.h, and `handlers` there); not with DELIVERY=ring.
PLACES ?= $(if $(filter inputs,$(PROBES)),1,0)
# -I and -D of the application, from the project's folder: FLAGS='-Iinclude -DTRACE=1'
FLAGS ?=
# More flags for the recorder's set-up (port/cortex-m/program/autostart.c) and for the plugin, and a name for the
# result.
AUTO_CFLAGS ?=
PLUGIN_MORE ?=
VARIANT ?=

# A workload by name, else any C file or folder of C files. Folders from elsewhere get a number, since names may clash.
APP_PATH := $(patsubst %/,%,$(firstword $(wildcard tests/workloads/$(APP) tests/workloads/$(APP).c) $(APP)))
# build-firmware hands the name on: the check sum takes four processes.
ifneq ($(origin APP_NAME),command line)
APP_NAME := $(basename $(notdir $(APP_PATH)))
ifeq ($(filter tests/workloads/%,$(APP_PATH)),)
APP_NAME := $(APP_NAME)-$(shell printf %s '$(abspath $(APP_PATH))' | cksum | cut -d ' ' -f 1)
endif
endif
# What `inputs` is combined with: `inputs` or nothing; the probes that have accesses.
APP_INPUTS := $(if $(filter 1,$(INPUTS)),$(if $(filter paths,$(PROBES)),inputs))
APP_ACCESSES := $(filter mem values,$(PROBES))$(APP_INPUTS)
APP_VALUES := $(filter values,$(PROBES))$(APP_INPUTS)
APP_VARIANT := $(PROBES)$(APP_INPUTS:%=-%)$(if $(APP_ACCESSES),-$(DERIVE))-$(MODE)-$(CODER)$(BUS:plain=)
APP_VARIANT := $(APP_VARIANT)$(if $(filter bfcm,$(VALUES)),-vbfcm)-k$(KSF)$(if $(filter 1,$(KSF_ONLY)),only)
APP_VARIANT := $(APP_VARIANT)$(if $(filter 1,$(KSF_HOLDS)),-holds)
ifeq ($(PROBES),last)
APP_VARIANT := last-$(MODE)-$(BOX)-$(BOX_SIZE)$(OPT)$(if $(filter 1,$(ORACLE)),-oracle)$(VARIANT:%=-%)
else
APP_VARIANT := $(APP_VARIANT)-$(SINK)-$(DELIVERY)$(OPT)$(if $(filter 1,$(ORACLE)),-oracle)$(CLOCK:%=-%)
STAMP_KEY := $(if $(STAMP),-s$(shell printf %s '$(STAMP)' | cksum | cut -d ' ' -f 1))
PLACES_KEY := $(if $(filter 1,$(PLACES)),-places)
PACK_KEY := $(if $(filter 1,$(PACK)),-pack)$(if $(filter auto-paths-raw-speed,$(PACK)-$(PROBES)-$(CODER)-$(INLINE)),-packs)
PACK_KEY := $(PACK_KEY)$(if $(filter size,$(INLINE)),$(if $(filter-out none,$(PROBES)),-size))
APP_VARIANT := $(APP_VARIANT)$(if $(CLOCK),$(STAMPS))$(STAMP_KEY)$(if $(filter 1,$(EXACT)),-exact)$(PLACES_KEY)$(PACK_KEY)$(VARIANT:%=-%)
endif
APP_OUT := $(FW)/$(BOARD)/$(APP_NAME)/$(APP_VARIANT)
APP_OBJECTS := $(FW)/$(BOARD)/$(APP_NAME)/obj

# $(call one_of,VARIABLE,VALUES)
one_of = $(if $(filter $($(1)),$(2)),,$(error there is no $(1)=$($(1)); there are: $(2)))

# build-firmware, and a report of what it takes: the same program without probes shows what the probes add. The last
# line is the ELF's name.
.PHONY: sized-firmware
sized-firmware: $(BUILD)/host/weft
	@elf=$$($(MAKE) $(QUIET) build-firmware | tail -n 1); \
	if [ "$(PROBES)" != none ]; then \
	    plain=$$($(MAKE) $(QUIET) build-firmware PROBES=none ORACLE=0 | tail -n 1); \
	    $(BUILD)/host/weft size --without "$$plain" "$$elf"; \
	fi; \
	echo "$$elf"

KSF_NEEDS := KSF with DELIVERY=ring needs KSF_ONLY=1: a path in the ring may come after its activation
# An image with a black box takes one or the other (port/app.mk).
APP_PROBES = $(if $(filter last,$(PROBES)),$(if $(filter packed,$(BOX)),last_packed,last last32),$(DELIVERY))
# What the shell would take for something else.
APP_NOT := & ; ' " | < > * ? ! ` \ { } [ ] ( )
BUILD_FOLDERS = $(APP_OUT) $(APP_OBJECTS) $(FW)/$(FW_CORE_$(BOARD))
# `weft` seals what is linked; any will do.
.PHONY: build-firmware
build-firmware: $(if $(wildcard $(BUILD)/host/weft),,$(BUILD)/host/weft) $(if $(filter none edges,$(PROBES)),,$(filter %/weft_gcc.so,$(HOST_OUTPUTS)))
	$(call one_of,BOARD,$(BOARDS))$(call one_of,PROBES,none paths mem values last inputs edges)$(call one_of,MODE,cut span)
	$(call one_of,CODER,raw loops grammar)$(call one_of,BUS,plain tre bfcm tre-bfcm)
	$(call one_of,VALUES,plain bfcm)$(call one_of,DERIVE,none path activation)$(call one_of,BOX,plain packed)
	$(if $(CLOCK),$(call one_of,CLOCK,dwt systick timer hook none))
	$(call one_of,PLACES,0 1)$(if $(filter 1,$(PLACES)),$(call one_of,DELIVERY,direct)$(call one_of,PROBES,none paths mem values inputs))
	$(call one_of,INPUTS,0 1)$(if $(filter 1,$(INPUTS)),$(call one_of,PROBES,none paths inputs))
	$(if $(filter inputs,$(PROBES)),$(call one_of,DELIVERY,direct)$(call one_of,MODE,cut)$(call one_of,KSF,0)$(call one_of,PACK,auto 0))
	$(call one_of,EXACT,0 1)$(call one_of,PACK,auto 0 1)$(call one_of,INLINE,speed size)
	$(call one_of,SINK,semihost uart uartfifo ring rtt itm)$(call one_of,DELIVERY,direct ring)
	$(if $(word 2,$(APP))$(strip $(foreach character,$(APP_NOT),$(findstring $(character),$(APP)))),$(error APP=$(APP): \
	    names with spaces or any of $(APP_NOT) cannot be given))
	$(if $(wildcard $(APP_PATH)),,$(error no workload, C file or folder $(APP)))
	$(if $(and $(filter ring,$(DELIVERY)),$(filter-out 0,$(KSF)),$(filter-out 1,$(KSF_ONLY))),$(error $(KSF_NEEDS)))
	+@$(if $(word 3,$(wildcard $(BUILD_FOLDERS:%=%/.))),,mkdir -p $(BUILD_FOLDERS);) \
	flock $(FW)/$(FW_CORE_$(BOARD))/.lock $(MAKE) $(QUIET) 'APP_NAME=$(APP_NAME)' $(FW)/$(BOARD)/libweft.a \
	    $(APP_PROBES:%=$(FW)/$(BOARD)/libprobes_%.a) >&2; \
	flock $(APP_OBJECTS)/.lock $(MAKE) $(QUIET) 'APP_NAME=$(APP_NAME)' -f Makefile -f port/app.mk $(APP_OUT)/app.elf >&2; \
	echo $(APP_OUT)/app.elf

# ---- tests -----------------------------------------------------------------------------------------------------

# The tests of the port run on each board, those of the core on one board of each architecture; make test-long: on each.
# Of an M4 and an M7, the core uses what an M3 has, and of an M55 what an M33 has.
FW_LIKE_cortex-m4 := cortex-m3
FW_LIKE_cortex-m7 := cortex-m3
FW_LIKE_cortex-m55 := cortex-m33
cpu_of = $(foreach cpu,$(patsubst -mcpu=%,%,$(filter -mcpu=%,$(BOARD_CPU_$(1)))),$(or $(FW_LIKE_$(cpu)),$(cpu)))
FW_FIRST := # of each architecture
$(foreach b,mps2-an385 $(filter-out mps2-an385,$(BOARDS)),\
    $(if $(filter $(call cpu_of,$b),$(foreach f,$(FW_FIRST),$(call cpu_of,$f))),,$(eval FW_FIRST += $b)))
# $(call elfs,BOARDS,TESTS)
elfs = $(foreach board,$(1),$(patsubst %.c,$(FW)/$(board)/%.elf,$(filter $(2),$(FW_TESTS))))
FW_UNIT_QUICK := $(call elfs,mps2-an385,%)
FW_UNIT := $(call elfs,$(FW_FIRST),tests/unit/%) $(call elfs,$(BOARDS),tests/target/%)
FW_UNIT_LONG := $(call elfs,$(BOARDS),%)
run-tests: $(FW_UNIT)
run-long: $(FW_UNIT_LONG)
run-check: $(FW_UNIT_QUICK)
.PHONY: board-tests
board-tests: # their names, for tests/target/boards.sh
	@printf '%s\n' $(if $(WEFT_QUICK),$(FW_UNIT_QUICK),$(if $(WEFT_LONG),$(FW_UNIT_LONG),$(FW_UNIT)))

# ---- sizes -----------------------------------------------------------------------------------------------------

.PHONY: run-size
FW_ARCHIVES := libweft.a libprobes_direct.a libprobes_ring.a
run-size: $(foreach board,microbit mps2-an385 mps2-an505,$(addprefix $(FW)/$(board)/,$(FW_ARCHIVES)))
	@unset MAKEFLAGS; port/size.sh

# ---- demo ------------------------------------------------------------------------------------------------------

.PHONY: run-demo
run-demo: $(HOST_OUTPUTS)
	@unset MAKEFLAGS; port/demo.sh
