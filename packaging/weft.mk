# SPDX-License-Identifier: MIT
# Adds Weft to a Makefile for Cortex-M firmware. Set what you choose, then include this file, last:
#
#     WEFT_SINK = ring                  ring (default): the last frames, in RAM; rtt: a debug probe reads them while it
#                                       runs; itm: the same by SWO; semihost: a file of the debugger or the emulator;
#                                       hook: weft_target_sink(), which is yours
#     WEFT_PROBES = mem                 paths; mem (default): loads and stores too; values: and what they move; edges:
#                                       for clang, with its own flags instead of the plugin (docs/ADOPTION.md)
#     WEFT_MACHINE = mps2-an385         the emulator's name of your board, for `weft capture`
#     include $(shell weft --share)/weft.mk
#
# It compiles the engine once, with your -m flags, into WEFT_BUILD, and adds to CFLAGS, CXXFLAGS and LDFLAGS: the
# compiler plugin, the folder of <weft/weft.h>, and the engine. Where the makefiles have no LDFLAGS it is LINKFLAGS,
# LINK_FLAGS, LD_FLAGS or LFLAGS; if your link takes another variable, add NAME += $(WEFT_LDFLAGS) at the end. The program
# is recorded from main on, without a change to it. What GCC links is sealed by a check sum, so that damage to the image
# is noticed. Where clang or a bare ld links,
# make `weft seal $@` the last line of that rule. More choices:
#
#     WEFT_START = main                 manual: you call weft_target_begin() and weft_target_end(); own: you call
#                                       weft_start() with a configuration of your own
#     WEFT_CODER = raw, loops, grammar  coder of the paths        WEFT_BUS = plain, bfcm      coder of the addresses
#     WEFT_DELIVERY = direct, ring      masked interrupts for an event, or a lock-free ring
#     WEFT_DERIVE = path, activation, none
#     WEFT_CLOCK = dwt HZ, systick HZ, hook     stamps of time: the core's cycle counter; SysTick, which stays the
#                                       program's; weft_target_clock(), which is yours. HZ: what it counts in a second
#     WEFT_STAMPS = 1024                paths between two stamps; 0: only at switches of context
#     WEFT_STAMP = *_Handler,main       functions whose entries and exits have stamps
#     WEFT_WORKER = 31 SPI3_IRQHandler  an interrupt that the program does not use, and its handler's name in the vector
#                                       table: what takes long is recorded there, so a task needs 200 bytes more stack
#                                       for the probes instead of 1,250, which the handlers' stack then needs. auto:
#                                       one that is free, found at the start (not on Cortex-M0; 1 KB of RAM)
#     WEFT_PROBES = inputs              only what a second execution of the program on the host needs (docs/RERUN.md):
#                                       WEFT_PLACES=1 comes with it
#     WEFT_INPUTS = 1                   with WEFT_PROBES=paths: also each volatile load and its value, so the recording
#                                       holds what the program read from devices
#     WEFT_PLACES = 1                   where each interrupt stands (weft_places), in functions that are named
#                                       *Handler, *_handler, *_isr or isr_*, or by the plugin's handlers=GLOB; not with
#                                       WEFT_DELIVERY=ring
#     WEFT_EXACT = 1                    with WEFT_PROBES=paths: loops of one path record each pass where it ends, not
#                                       all of them where the loop ends; so an interrupt in one is placed exactly
#     WEFT_PACK = auto, 0, 1            with WEFT_PROBES=paths: one record holds several paths of a function that loops.
#                                       auto (default): not with -O0, WEFT_EXACT=1 or another coder; 0: never; 1:
#                                       always, or the build fails; also with accesses, which costs less time and more
#                                       bytes
#     WEFT_INLINE = speed, size         size: the least text for the program's own code, by a call for each path, as with
#                                       WEFT_EXACT=1 and WEFT_PACK=0; speed (default): as these say
#     WEFT_PLUGIN_OPTIONS = exclude=GLOB ...    more options of the plugin; include=@FILE: a glob on each line of FILE
#     WEFT_DEFINES = -DWEFT_AUTO_FRAME=512 ...  sizes: `weft size APP.elf` lists them; -DWEFT_CONTROLS=1:
#                                       with weft_pause, filters, triggers, and the plugin's control=GLOB
#     WEFT_CPU = -mcpu=... -mthumb      where no variable, or more than one, names the processor
#     WEFT_LIBS = -lc -lgcc             where the link has -nostdlib: the engine calls memcpy, memmove, memset and memcmp.
#                                       It takes copies of its own, which no other code sees (by itself where LDFLAGS
#                                       has -nostdlib)
#     WEFT_SEAL = 1                     0: no seal, where a later rule changes the image
#     WEFT_BUILD = .weft                where the engine is made

, := ,
WEFT_SHARE := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
weft_prefix := $(patsubst %/share/weft,%,$(WEFT_SHARE))
WEFT_SINK ?= ring
WEFT_PROBES ?= mem
WEFT_START ?= main
WEFT_CODER ?= raw
WEFT_BUS ?= plain
WEFT_DELIVERY ?= direct
WEFT_DERIVE ?= path
WEFT_EXACT ?= 0
WEFT_INPUTS ?= 0
WEFT_PLACES ?= 0
WEFT_SEAL ?= 1
# The makefiles' own variable for the options of the link.
weft_link := $(firstword $(foreach name,LDFLAGS LINKFLAGS LINK_FLAGS LD_FLAGS LFLAGS,\
    $(if $(filter file override,$(origin $(name))),$(name))) LDFLAGS)
WEFT_LIBS ?= $(if $(filter -nostdlib -nodefaultlibs,$($(weft_link))),-lc -lgcc)
WEFT_PACK ?= auto
WEFT_INLINE ?= speed
WEFT_CLOCK ?= none
WEFT_STAMPS ?= 1024
weft_clock := $(firstword $(WEFT_CLOCK))
weft_hz := $(word 2,$(WEFT_CLOCK))
WEFT_CC ?= $(if $(filter default,$(origin CC)),arm-none-eabi-gcc,$(CC))
WEFT_PLUGIN ?= $(weft_prefix)/lib/weft/weft_gcc.so
weft_edges := $(filter edges,$(WEFT_PROBES))
# clang needs its target, and the folder of newlib. What follows -isystem or -target is a word of its own.
weft_user := $(if $(weft_edges),$(filter-out -M% -W% -O% -g% -std=% -flto% -c,$(CPPFLAGS) $(CFLAGS)) -w)
# Where the usual variables do not name the processor, another one of the makefiles may: all that do are taken.
weft_m := $(filter -m%,$(CFLAGS) $(CPPFLAGS) $(CPU) $(MCU) $(ASFLAGS) $($(weft_link)))
weft_core = $(sort $(filter -mcpu=% -march=%,$(1)))
weft_raw = $(if $(filter file,$(origin $(1))),$(findstring -mcpu=,$(value $(1)))$(findstring -march=,$(value $(1))))
ifeq ($(WEFT_CPU)$(weft_edges)$(call weft_core,$(weft_m) $(CC)),)
weft_m := $(sort $(foreach name,$(filter-out weft_%,$(.VARIABLES)),$(if $(call weft_raw,$(name)),$(filter -m%,$($(name))))))
$(if $(filter-out 1,$(words $(call weft_core,$(weft_m)))),$(error weft.mk: which processor? Set \
    WEFT_CPU = -mcpu=... -mthumb, with all other -m flags. Found: $(or $(call weft_core,$(weft_m)),none)))
endif
WEFT_CPU ?= $(or $(weft_user),$(weft_m))
WEFT_TOOLS ?= $(if $(weft_edges),arm-none-eabi-,$(patsubst %gcc,%,$(lastword $(WEFT_CC))))

weft_one_of = $(if $(filter $($(1)),$(2)),,$(error weft.mk: there is no $(1)=$($(1)); there are: $(2)))
$(call weft_one_of,WEFT_SINK,ring rtt itm semihost hook)$(call weft_one_of,WEFT_PROBES,paths mem values inputs edges)
$(call weft_one_of,WEFT_START,main manual own)$(call weft_one_of,WEFT_CODER,raw loops grammar)
$(call weft_one_of,WEFT_BUS,plain bfcm)$(call weft_one_of,WEFT_DELIVERY,direct ring)
$(call weft_one_of,WEFT_DERIVE,path activation none)$(call weft_one_of,WEFT_EXACT,0 1)$(call weft_one_of,WEFT_PACK,auto 0 1)
$(call weft_one_of,WEFT_INLINE,speed size)
$(call weft_one_of,weft_clock,none dwt systick hook)$(call weft_one_of,WEFT_SEAL,0 1)$(call weft_one_of,WEFT_INPUTS,0 1)
$(call weft_one_of,WEFT_PLACES,0 1)$(if $(filter 1,$(WEFT_PLACES)),$(if $(filter ring,$(WEFT_DELIVERY)),$(error weft.mk: \
    WEFT_PLACES needs WEFT_DELIVERY=direct)))
weft_counts := $(filter inputs,$(WEFT_PROBES))
weft_places := $(filter 1,$(WEFT_PLACES))$(weft_counts)
$(if $(weft_counts),$(if $(filter ring,$(WEFT_DELIVERY))$(WEFT_STAMP),$(error weft.mk: WEFT_PROBES=inputs needs \
    WEFT_DELIVERY=direct, and has no WEFT_STAMP)))
weft_inputs := $(filter 1,$(WEFT_INPUTS))
$(if $(weft_inputs),$(if $(filter paths,$(WEFT_PROBES)),,$(error weft.mk: WEFT_INPUTS needs WEFT_PROBES=paths)))
weft_auto := $(filter auto,$(strip $(WEFT_WORKER)))
$(if $(WEFT_WORKER),$(if $(weft_auto)$(filter 2,$(words $(WEFT_WORKER))),,$(error weft.mk: WEFT_WORKER is auto, or a \
    number and a name)))
$(if $(WEFT_STAMP),$(if $(filter none,$(weft_clock)),$(error weft.mk: WEFT_STAMP needs a WEFT_CLOCK)))
$(if $(weft_edges),$(if $(filter-out 0,$(WEFT_EXACT) $(WEFT_PLACES))$(WEFT_PLUGIN_OPTIONS)$(WEFT_STAMP),$(error weft.mk: \
    WEFT_EXACT WEFT_PLACES WEFT_PLUGIN_OPTIONS and WEFT_STAMP are of the plugin and not of WEFT_PROBES=edges)))

weft_upper = $(shell echo $(1) | tr a-z- A-Z_)
weft_defines = -DWEFT_AUTO=$(if $(filter own,$(WEFT_START)),0,1) \
    -DWEFT_AUTO_WRAP=$(if $(filter main,$(WEFT_START)),1,0) \
    -DWEFT_AUTO_SINK_$(call weft_upper,$(WEFT_SINK)) \
    -DWEFT_AUTO_ACCESSES=$(if $(filter-out paths inputs edges,$(WEFT_PROBES))$(weft_inputs),1,0) \
    -DWEFT_AUTO_VALUES=$(if $(filter values,$(WEFT_PROBES))$(weft_inputs),1,0) $(weft_inputs:%=-DWEFT_AUTO_INPUTS=1) \
    $(if $(weft_places),$(if $(filter own,$(WEFT_START)),-DWEFT_PLACES=1,-DWEFT_AUTO_PLACES=1)) \
    -DWEFT_AUTO_CODER_$(call weft_upper,$(WEFT_CODER)) \
    -DWEFT_AUTO_BUS_$(call weft_upper,$(WEFT_BUS)) -DWEFT_RING_DELIVERY=$(if $(filter ring,$(WEFT_DELIVERY)),1,0) \
    $(if $(filter none,$(weft_clock)),,-DWEFT_AUTO_CLOCK_$(call weft_upper,$(weft_clock)) \
    -DWEFT_AUTO_STAMPS=$(WEFT_STAMPS) $(weft_hz:%=-DWEFT_AUTO_CLOCK_HZ=%)) \
    $(if $(weft_auto),-DWEFT_AUTO_WORKER=1) \
    $(if $(word 2,$(WEFT_WORKER)),-DWEFT_AUTO_IRQ=$(word 1,$(WEFT_WORKER))) \
    $(if $(word 2,$(WEFT_WORKER)),-DWEFT_AUTO_IRQ_HANDLER=$(word 2,$(WEFT_WORKER))) \
    $(WEFT_MACHINE:%=-DWEFT_AUTO_MACHINE=%) $(weft_edges:%=-DWEFT_EDGES=1) $(WEFT_DEFINES)
weft_compile = $(WEFT_CC) $(WEFT_CPU) -std=gnu11 -O2 -g -ffunction-sections -fdata-sections \
    -I$(weft_prefix)/include/weft $(weft_defines)
# Lists in files: what they hold is a part of the flags.
weft_words = $(subst $(,), ,$(subst =, ,$(WEFT_PLUGIN_OPTIONS)))
weft_lists := $(foreach word,$(weft_words),$(patsubst @%,%,$(filter @%,$(word))))
weft_sum := $(if $(weft_lists),$(shell cat $(weft_lists) | cksum | cut -d ' ' -f 1))
weft_pack := $(if $(filter size,$(WEFT_INLINE)),inline=size) $(if $(filter 1,$(WEFT_PACK)),pack,$(if \
    $(filter auto-paths-raw-speed,$(WEFT_PACK)-$(WEFT_PROBES)-$(WEFT_CODER)-$(WEFT_INLINE)),pack=auto))
weft_plugin_flags = -fplugin=$(WEFT_PLUGIN) -fplugin-arg-weft_gcc-probes=$(WEFT_PROBES) \
    -fplugin-arg-weft_gcc-derive=$(WEFT_DERIVE) $(WEFT_STAMP:%=-fplugin-arg-weft_gcc-stamp='%') \
    $(if $(filter 1,$(WEFT_EXACT)),-fplugin-arg-weft_gcc-exact) \
    $(if $(weft_inputs),-fplugin-arg-weft_gcc-inputs) \
    $(if $(weft_places),-fplugin-arg-weft_gcc-handlers) \
    $(addprefix -fplugin-arg-weft_gcc-,$(weft_pack)) \
    $(addprefix -fplugin-arg-weft_gcc-,$(WEFT_PLUGIN_OPTIONS) $(weft_sum:%=lists=%))
weft_edge_flags := -fsanitize-coverage=trace-pc -finstrument-functions-after-inlining -fno-optimize-sibling-calls
WEFT_FLAGS = $(if $(weft_edges),$(weft_edge_flags),$(weft_plugin_flags))
# -flto compiles at the link, so the plugin stands there too. A bare ld takes no such flags.
weft_ld := $(if $(filter default undefined,$(origin LD)),,$(filter-out %.ld,$(filter %ld,$(LD))))
weft_seal = $(if $(filter 1,$(WEFT_SEAL)),-wrapper $(weft_prefix)/lib/weft/sealing_link)
WEFT_LDFLAGS = $(if $(weft_ld),$(if $(filter main,$(WEFT_START)),--wrap=main),\
    $(if $(weft_edges),,$(WEFT_FLAGS) $(weft_seal)) \
    $(if $(filter main,$(WEFT_START)),-Wl$(,)--wrap=main)) $(WEFT_BUILD)/weft.o

# Where a make calls another with the same choices in another folder, as NuttX's does, both have one engine.
weft_text = $(weft_compile) $(WEFT_START) $(WEFT_FLAGS)
weft_quoted = '$(subst ','\'',$(weft_text))'
weft_called := $(if $(WEFT_CALLER),$(shell printf '%s\n' $(weft_quoted) | cmp -s - $(WEFT_CALLER)/choices && echo same))
WEFT_BUILD ?= $(if $(weft_called),$(WEFT_CALLER),.weft)
export WEFT_CALLER := $(abspath $(WEFT_BUILD))

# What stands on the command line of make is added to, too. Else not by `override`: a makefile that includes this, and is
# included by others, may be followed by more of the same.
weft_add = $(eval $(if $(findstring command,$(origin $(1))),override )$(1) += $$($(2)))
weft_compiled := $(WEFT_FLAGS) -g -I$(WEFT_SHARE)/include
$(call weft_add,CFLAGS,weft_compiled)$(call weft_add,CXXFLAGS,weft_compiled)$(call weft_add,$(weft_link),WEFT_LDFLAGS)

# Where the program's own link does not drop what is not called, only what may be called is kept of the engine.
# `ready.mk` is empty. It is included, so make brings it, and with it the engine, up to date before anything else.
weft_controls := $(filter -DWEFT_CONTROLS=1 -DWEFT_CONTROLS,$(WEFT_DEFINES))
weft_entries := __weft_(path|loop|loop_path|packed|packed_full|access|value|value64|mark|derived|stamp|last|enter|handler|input|input_piece|laps|kept_.*)
weft_entries := $(weft_entries)|__wrap_main|__sanitizer_cov_.*|__cyg_profile_func_.*|weft_poll
weft_entries := $(weft_entries)$(if $(filter ksf%,$(WEFT_PLUGIN_OPTIONS)),|__weft_kpath|__weft_kpath_exit)
weft_entries := $(weft_entries)$(addprefix |,$(word 2,$(WEFT_WORKER)))
weft_entries := $(weft_entries)$(if $(filter systick,$(weft_clock)),|weft_systick_tick)
weft_entries := $(weft_entries)|weft_(start|stop|stop_for_good|places|check|input_memory|check_memory|thread_[a-z_]*|stamp|names?|event[0-9a-z_]*|target_.*)
weft_entries := $(weft_entries)$(if $(weft_controls),|weft_(pause|resume|filter_.*|trigger_.*|controls_poll.*))
# Such a program's linker script may know .text, but not .text.NAME.
weft_merged = $(foreach name,text rodata data bss,'.$(name) : { *(.$(name) .$(name).*) }')
weft_whole = $(or $(filter own,$(WEFT_START)),$(findstring --gc-sections,$($(weft_link))))
weft_part = $(if $(weft_edges),$(WEFT_TOOLS)gcc $(filter -m%,$(WEFT_CPU)),$(WEFT_CC) $(WEFT_CPU)) -r -nostdlib
weft_names = $(WEFT_TOOLS)nm -g --defined-only -f posix $(@D)/all.o
# `cleaned` and `changed`: files that say what came last, a clean or a change of the choices.
weft_clean := clean distclean mrproper
ifeq ($(weft_called),)
$(if $(filter $(weft_clean),$(MAKECMDGOALS)),$(shell cd $(WEFT_BUILD) 2>/dev/null && : >cleaned && rm -f changed))
ifneq ($(or $(filter-out $(weft_clean) help,$(MAKECMDGOALS)),$(if $(MAKECMDGOALS),,all)),)
weft_goal := $(.DEFAULT_GOAL)
-include $(WEFT_BUILD)/ready.mk
$(WEFT_BUILD)/ready.mk: $(WEFT_SHARE)/weft.mk $(WEFT_BUILD)/choices
	@mkdir -p $(@D)
	@$(weft_compile) -c $(WEFT_SHARE)/weft.c -o $(@D)/all.o
	@printf '%s\n' 'SECTIONS {' $(weft_merged) '}' >$(@D)/merge.ld
	@$(weft_part) $(if $(weft_whole),,-Wl$(,)--gc-sections -T $(@D)/merge.ld \
	    $$($(weft_names) | awk '$$1 ~ /^($(weft_entries))$$/ && $$2 == "T" { print "-Wl,-u," $$1 }')) \
	    $(@D)/all.o $(WEFT_LIBS) -o $(@D)/weft.o
	@$(if $(WEFT_LIBS),$(weft_names) | cut -d ' ' -f 1 >$(@D)/names && \
	    $(WEFT_TOOLS)objcopy --keep-global-symbols=$(@D)/names $(@D)/weft.o)
	@: >$@
.PHONY: weft-choices
$(WEFT_BUILD)/choices: weft-choices
	@mkdir -p $(@D)
	@new=$@.$$$$; printf '%s\n' $(weft_quoted) >$$new; if cmp -s $$new $@; then rm $$new; else \
	    [ ! -e $@ ] || [ -e $(@D)/cleaned ] || : >$(@D)/changed; mv $$new $@; \
	fi
	@rm -f $(@D)/cleaned; [ ! -e $(@D)/changed ] || [ -n '$(MAKE_RESTARTS)' ] || \
	    echo 'weft.mk: the choices changed: make clean, so that all is compiled and linked with them (or delete' \
	    'what was compiled, and $(@D))' >&2
.DEFAULT_GOAL := $(weft_goal)
endif
endif
