# SPDX-License-Identifier: MIT
# The host library (core and tools/lib), the weft command, and the two plugins.

HOST_CC := gcc
# What a newer library warns of does not keep anybody from building Weft.
HOST_CFLAGS := -std=gnu11 -O2 -g1 -Wall -Wextra -Wshadow -Wundef -Wvla -Werror -Wno-error=deprecated-declarations \
    -I. -MMD -MP -pthread
HOST_LIBS := -ldw -lelf -lcapstone -lisl -ldivsufsort -lzstd -lyajl -lexpat -lsqlite3 -lz -lstdc++ -lm -pthread
# -Og: with the sanitizers -O2 takes twice as long to compile, and the tests run no faster for it. -g1 has the lines of
# a report, and takes a fifth less. What is not asked of the sanitizer of undefined behaviour takes a fifth of the time,
# and the address sanitizer sees what comes of it. At a fixed address, with the sanitizers inside, a command starts in
# two thirds of the time: scripts start it some thousand times. Capstone is inside for the same reason (thousands of
# relocations), if there is an archive of it.
ASAN := -Og -g1 -fno-pie -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow \
    -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN_LINK := -no-pie -static-libasan -static-libubsan
CAPSTONE = $(if $(filter /%,$(shell $(HOST_CC) -print-file-name=libcapstone.a)),-l:libcapstone.a,-lcapstone)
ASAN_LIBS = $(HOST_LIBS:-lcapstone=$(CAPSTONE))

LIB_SRC := $(wildcard core/*.c tools/lib/*/*.c)
WEFT_SRC := $(filter-out tools/weft/mpi_main.c tools/weft/mpi_reduce.c,$(wildcard tools/weft/*.c))

# The host sources are compiled in batches (tools/batches.awk), in less than half of the time. Compiled alone are: the
# core, whose objects tests replace; what is linked without the rest of its folder, or replaced by the linker
# (tests/fuzz/fuzz.mk). -Wno-shadow: in a batch an outer name may be that of another file. clang-tidy looks at each file
# by itself: it finds such names, and what is not included.
ALONE := $(filter core/%,$(LIB_SRC)) tools/lib/debug/run.c tools/lib/emulator/child.c \
    $(addprefix tools/weft/,main.c command.c options.c)
BATCHED := $(filter-out $(ALONE),$(LIB_SRC) $(WEFT_SRC))
BATCHES := $(BUILD)/batches
BATCH_HEADERS = $(wildcard core/*.h tools/*/*.h tools/lib/*/*.h)
# The folders, so that a file less is seen.
$(BATCHES)/list.mk: tools/batches.awk $(if $(HOST_D),$(BATCHED) $(BATCH_HEADERS) $(sort $(dir $(BATCHED))))
	@mkdir -p $(sort $(dir $(BATCHED:%=$(BATCHES)/%)))
	@awk -v most=12 -v out=$(BATCHES) -f $< $(BATCH_HEADERS) $(BATCHED) >$@.new
	@mv $@.new $@
-include $(BATCHES)/list.mk
BATCH_NAMES := $(patsubst BATCH_%,%,$(filter BATCH_tools/%,$(.VARIABLES)))
LIB_OBJ := $(patsubst %.c,%.o,$(filter $(ALONE),$(LIB_SRC))) \
    $(patsubst %,batches/%.o,$(filter tools/lib/%,$(BATCH_NAMES)))
WEFT_OBJ := $(patsubst %.c,%.o,$(filter $(ALONE),$(WEFT_SRC))) \
    $(patsubst %,batches/%.o,$(filter tools/weft/%,$(BATCH_NAMES)))

# Builds of the same host sources: build/host (as shipped), build/asan (for the tests), build/tsan (make data-races).
# The first becomes a shared library too (packaging/packaging.mk).
define HOST_BUILD
$(BUILD)/$(1)/flags: tools/tools.mk
	$$(FOLDER)
	@echo '$(HOST_CFLAGS) $(2)' | cmp -s - $$@ || echo '$(HOST_CFLAGS) $(2)' >$$@
$(BUILD)/$(1)/%.o: %.c $(BUILD)/$(1)/flags
	$$(FOLDER)
	$$(NOW) $(HOST_CC) $(HOST_CFLAGS) $(2) -c $$< -o $$@
$(BUILD)/$(1)/batches/%.o: $(BATCHES)/%.c $(BUILD)/$(1)/flags
	$$(FOLDER)
	$$(NOW) $(HOST_CC) $(HOST_CFLAGS) -Wno-shadow $(2) $$(FASTER) -c $$< -o $$@
.PRECIOUS: $(BUILD)/$(1)/%.o
$(BUILD)/$(1)/libweft.a: $(LIB_OBJ:%=$(BUILD)/$(1)/%)
	@rm -f $$@
	ar rcs $$@ $$^
$(BUILD)/$(1)/weft: $(WEFT_OBJ:%=$(BUILD)/$(1)/%) $(BUILD)/$(1)/libweft.a
	$(HOST_CC) $(2) $(3) $$^ $(or $(4),$(HOST_LIBS)) -o $$@
-include $(if $(HOST_D),$(patsubst %.o,$(BUILD)/$(1)/%.d,$(LIB_OBJ) $(WEFT_OBJ)))
endef
$(eval $(call HOST_BUILD,host,-fPIC -fvisibility=hidden -ffunction-sections -fdata-sections))
ifneq ($(HOST_D),)
$(eval $(call HOST_BUILD,asan,$(ASAN),$(ASAN_LINK),$$(ASAN_LIBS)))
$(eval $(call HOST_BUILD,tsan,-O1 -g1 -fsanitize=thread))
endif

# Searches for loop nests take a tenth less time, reading whole program path files a fifteenth. At this level GCC warns
# about a variable that is set.
$(patsubst %,$(BUILD)/host/batches/%.o,$(filter tools/lib/affine/% tools/lib/grammar/%,$(BATCH_NAMES))): \
    FASTER := -O3 -Wno-maybe-uninitialized

# The page of `weft report` is a part of the program.
$(foreach b,host asan tsan,$(patsubst %,$(BUILD)/$b/batches/%.o,$(filter tools/lib/report/%,$(BATCH_NAMES)))): \
    $(wildcard tools/lib/report/page/*)

HOST_OUTPUTS := $(BUILD)/host/weft

# weft-mpi, which weft becomes for `merge --mpi`: only where MPI is installed.
MPICC := $(firstword $(wildcard $(addsuffix /mpicc,$(subst :, ,$(PATH)))))
MPI_OBJ := $(addprefix $(BUILD)/host/tools/weft/,mpi_main.o mpi_reduce.o command.o options.o)
$(BUILD)/host/tools/weft/mpi_main.o $(BUILD)/host/tools/weft/mpi_reduce.o: $(BUILD)/host/%.o: %.c
	$(FOLDER)
	OMPI_CC="$(HOST_CC)" $(MPICC) $(HOST_CFLAGS) -c $< -o $@
$(BUILD)/host/weft-mpi: $(MPI_OBJ) $(BUILD)/host/libweft.a
	OMPI_CC="$(HOST_CC)" $(MPICC) $^ $(HOST_LIBS) -o $@
-include $(BUILD)/host/tools/weft/mpi_main.d $(BUILD)/host/tools/weft/mpi_reduce.d
ifneq ($(MPICC),)
HOST_OUTPUTS += $(BUILD)/host/weft-mpi
endif
-include tools/gcc/gcc.mk tools/qemu/qemu.mk

.PHONY: build-host
build-host: $(HOST_OUTPUTS)
	@[ ! -t 2 ] || printf '\r\033[K' >&2
