# SPDX-License-Identifier: MIT
# Fuzzing of the readers with afl++ (make fuzz), and the replay of the inputs that it found (tests/fuzz/readers.c).

FUZZ := $(BUILD)/fuzz
FUZZ_CC := afl-clang-fast
FUZZ_CFLAGS := -std=gnu11 -O1 -g -I. -MMD -MP -pthread -fsanitize=address,undefined -fno-sanitize-recover=all
COVER_CFLAGS := -std=gnu11 -O0 -g -I. -MMD -MP -pthread -fprofile-instr-generate -fcoverage-mapping
# What the linker replaces (tests/lib/unchecked.h, readers.c: what a command may take; the run of gdb, opened once;
# answers.h: an emulator's side of a connection).
READERS_WRAPPED := command_memory debug_run_open debug_run_close connect send poll read child_has_ended child_rest
READERS_WRAP := $(READERS_WRAPPED:%=-Wl,--wrap=%)
UNCHECKED_NAMES := weft_crc32 checksum_crc32 weft_sum_end weft_sum_of pthread_create mmap munmap ZSTD_compress \
    ZSTD_compressCCtx ZSTD_decompress ZSTD_decompressDCtx ZSTD_getFrameContentSize
UNCHECKED := $(UNCHECKED_NAMES:%=-Wl,--wrap=%)
READERS_SRC := tests/lib/readers.c tests/lib/readers_put.c tests/lib/answers.c tests/lib/unchecked.c
COMMAND_SRC := $(filter-out tools/weft/main.c,$(WEFT_SRC)) $(LIB_SRC)

# The program that afl++ runs.
FUZZ_OBJ := $(patsubst %.c,$(FUZZ)/%.o,$(COMMAND_SRC) $(READERS_SRC))
FUZZ_LINK = $(FUZZ_CC) $(filter-out -MMD -MP,$(FUZZ_CFLAGS)) $(UNCHECKED) $(READERS_WRAP)
$(FUZZ)/%.o: %.c
	$(FOLDER)
	@AFL_QUIET=1 $(FUZZ_CC) $(FUZZ_CFLAGS) -c $< -o $@
$(FUZZ)/readers: $(FUZZ_OBJ) $(FUZZ)/tests/fuzz/afl/afl.o
	@AFL_QUIET=1 $(FUZZ_LINK) $^ $(HOST_LIBS) -o $@
.PRECIOUS: $(FUZZ)/%.o
-include $(if $(HOST_D),$(FUZZ_OBJ:.o=.d))

# The same with a planted bug in each reader: a check that is left out (afl/plant.py).
PLANTED_SRC = $(shell python3 tests/fuzz/afl/plant.py $(1))
$(FUZZ)/plant/%/list: tests/fuzz/afl/plant.py $(WEFT_SRC) $(LIB_SRC)
	@python3 $< $* $(@D)
PLANTED := $(FUZZ)/planted $(FUZZ)/planted-more
$(PLANTED): $(FUZZ)/planted%: $(FUZZ_OBJ) $(FUZZ)/tests/fuzz/afl/afl.o $(FUZZ)/plant/planted%/list
$(PLANTED): bugs = $(call PLANTED_SRC,$(@F))
$(PLANTED):
	@AFL_QUIET=1 $(FUZZ_LINK) $(filter-out $(bugs:%.c=$(FUZZ)/%.o) %/list,$^) \
	    $(bugs:%=$(FUZZ)/plant/$(@F)/%) $(HOST_LIBS) -o $@

# The replay with counters of lines and branches.
COVER_OBJ := $(patsubst %.c,$(FUZZ)/cover/%.o,$(COMMAND_SRC) $(READERS_SRC) tests/fuzz/readers.c)
$(FUZZ)/cover/%.o: %.c
	$(FOLDER)
	@clang $(COVER_CFLAGS) -c $< -o $@
$(FUZZ)/cover/readers: $(COVER_OBJ)
	@clang $(COVER_CFLAGS) $(UNCHECKED) $(READERS_WRAP) $^ $(HOST_LIBS) -o $@
.PRECIOUS: $(FUZZ)/cover/%.o
-include $(if $(HOST_D),$(COVER_OBJ:.o=.d))

# SECONDS per reader and processor; READERS: some of them. Ends with status 1 where there is a finding.
FUZZ_READERS := container full wet squeezed model nest grammar profile image svd stream packets \
    arrivals messages memory answers
READERS ?= $(FUZZ_READERS)
.PHONY: run-fuzz run-fuzz-planted
run-fuzz: $(FUZZ)/readers $(FUZZ)/cover/readers
	@JOBS=$(JOBS) tests/fuzz/afl/run.sh $(or $(SECONDS),60) $(READERS)
# Each reader's fuzzer must find its bug, and those of containers and grammars another one.
run-fuzz-planted: $(PLANTED) $(FUZZ)/readers $(FUZZ)/cover/readers
	@JOBS=$(JOBS) tests/fuzz/afl/planted.sh planted $(or $(SECONDS),60) $(READERS)
	@JOBS=$(JOBS) tests/fuzz/afl/planted.sh planted-more $(or $(SECONDS),60) $(filter container grammar,$(READERS))

# With gcc's sanitizers: the command with check sums switched off, which makes the first inputs (afl/seeds.sh), and what
# turns recordings into such files.
ASAN_UNCHECKED := $(ASAN_T)/lib/unchecked.o $(BUILD)/asan/libweft.a
ASAN_COMMAND := $(patsubst %,$(BUILD)/asan/%,$(filter-out tools/weft/main.o,$(WEFT_OBJ)))
$(FUZZ)/weft: $(ASAN_COMMAND) $(BUILD)/asan/tools/weft/main.o $(ASAN_UNCHECKED)
	$(FOLDER)
	$(HOST_CC) $(ASAN) $(ASAN_LINK) $(UNCHECKED) $^ $(ASAN_LIBS) -o $@
$(FUZZ)/seal: $(ASAN_T)/fuzz/afl/seal.o $(ASAN_UNCHECKED)
	$(FOLDER)
	$(HOST_CC) $(ASAN) $(ASAN_LINK) $(UNCHECKED) $^ $(ASAN_LIBS) -o $@
# The replay (make test).
$(ASAN_T)/fuzz/readers: $(addprefix $(ASAN_T)/lib/,readers.o readers_put.o answers.o) $(ASAN_COMMAND) $(ASAN_UNCHECKED)
$(ASAN_T)/fuzz/readers $(ASAN_T)/fuzz/planted: HOST_LIBS += $(UNCHECKED) $(READERS_WRAP)

# Another compiler's view. gcc does not report the fields that {NULL} leaves out.
.PHONY: run-clang-host
run-clang-host:
	@clang $(filter-out -MMD -MP,$(HOST_CFLAGS)) -Wno-missing-field-initializers -fsyntax-only $(LIB_SRC) $(WEFT_SRC)
