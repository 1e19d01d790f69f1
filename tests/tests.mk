# SPDX-License-Identifier: MIT
# Tests are programs that print `ok NAME` or `not ok NAME`, one line per test; tests/run adds them up.
#   tests/unit/test_*.c           small enough for a board; on the host with the sanitizers
#   tests/prop/prop_*.c           oracles and large random inputs, host only, optimised
#   tests/{fault,golden,fuzz}/*.c      host only, with the sanitizers
#   tests/*/*.sh                  what needs the command, the compiler or the emulator
#   tests/bench/bench_*.c, *.sh   figures, no verdict
# After the kind, a name says the room of tools/lib, or the module of core, that is tested: prop_affine_tiles.c,
# fault/recording_full.c, prop_ksf.c. Scripts have the name of the subcommand that they call.
# WEFT_QUICK in the environment asks for the quick subset, of bench for short runs; WEFT_LONG for what is repeated on
# larger inputs and programs.
#
# The budget of time, and how it is kept: docs/CONTRIBUTING.md.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
PROP_SRC := $(wildcard tests/prop/prop_*.c)
FAULT_SRC := $(wildcard tests/fault/*.c tests/golden/*.c tests/fuzz/*.c)
BENCH_SRC := $(wildcard tests/bench/bench_*.c)
CHECK_SRC := tests/lib/check.c tests/lib/check_host.c tests/lib/nas.c

# gold links a test in a third of the time of the usual linker.
TEST_LD := $(if $(HOST_D),$(if $(shell command -v ld.gold),-fuse-ld=gold))
$(BUILD)/asan/tests/%: $(BUILD)/asan/tests/%.o $(CHECK_SRC:%.c=$(BUILD)/asan/%.o) $(BUILD)/asan/libweft.a
	$(HOST_CC) $(TEST_LD) $(ASAN) $(ASAN_LINK) $(filter %.o,$^) $(filter %.a,$^) $(ASAN_LIBS) -o $@
$(BUILD)/host/tests/%: $(BUILD)/host/tests/%.o $(CHECK_SRC:%.c=$(BUILD)/host/%.o) $(BUILD)/host/libweft.a
	$(HOST_CC) $(TEST_LD) $(filter %.o,$^) $(filter %.a,$^) $(HOST_LIBS) -o $@

# With the sanitizers, except for the properties. The quick subset goes without, so that it needs one build of the
# library, and leaves out the replay of the fuzzer's inputs, which is about them.
CHECKED_TESTS := $(patsubst %.c,$(BUILD)/asan/%,$(UNIT_SRC) $(FAULT_SRC))
HOST_TESTS := $(CHECKED_TESTS) $(PROP_SRC:%.c=$(BUILD)/host/%)
QUICK_TESTS := $(filter-out %/fuzz/readers,$(HOST_TESTS:$(BUILD)/asan/%=$(BUILD)/host/%))
BENCHES := $(BENCH_SRC:%.c=$(BUILD)/host/%)
TEST_SCRIPTS := $(wildcard tests/golden/*.sh tests/fault/*.sh tests/freestanding/*.sh tests/target/*.sh)
# The longest first, so that no long one is left alone at the end.
TEST_SCRIPTS_LONGEST := $(addprefix tests/,target/install.sh freestanding/tidy.sh freestanding/misra.sh \
    $(addprefix target/,fleet.sh runs.sh oracle.sh report.sh rerun.sh rerun_inputs.sh) freestanding/small.sh \
    $(addprefix target/,debug.sh debug_contexts.sh schemas.sh race.sh gcc_plugin.sh capture.sh wet.sh whole_build.sh))
# The quick subset leaves out those that take more than ten seconds.
QUICK_NOT := $(addprefix tests/fault/,questions.sh frames.sh host.sh info_dump.sh memory.sh merge.sh paths.sh resealed.sh spliced.sh\
    wet.sh) $(addprefix tests/golden/,contract.sh formats.sh merge.sh seal.sh wet.sh) $(addprefix tests/freestanding/,misra.sh small.sh stack.sh)
QUICK_SCRIPTS := $(filter-out $(QUICK_NOT),\
    $(wildcard tests/golden/*.sh tests/fault/*.sh tests/freestanding/*.sh)) tests/target/boards.sh
QUICK_NEEDS := $(HOST_OUTPUTS)
# What scripts need beyond these is added by the fragments of the rooms.
TEST_NEEDS := $(HOST_OUTPUTS) $(BUILD)/asan/weft $(addprefix $(BUILD)/host/tests/target/,wet_check tre_check misses_check probes_check rerun_check places_check reads_check orders_check ranges_check)

# Packages that exported files are read with.
NPM := $(BUILD)/npm/node_modules/.package-lock.json
TEST_NEEDS += $(NPM)
$(NPM): tests/npm/package.json tests/npm/package-lock.json
	@mkdir -p $(BUILD)/npm
	@cp $^ $(BUILD)/npm
	@cd $(BUILD)/npm && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# The core alone, as small as it gets: tests/freestanding/core.sh and flash.sh look at it.
SMALL_FLAGS := -std=c11 -ffreestanding -nostdlib -mthumb -Os -ffunction-sections -fdata-sections -Wall -Wextra -Wshadow\
    -Wundef -Wvla -Werror -I.
define small_rule
$(BUILD)/small/$(1).a: $(patsubst core/%.c,$(BUILD)/small/$(1)/%.o,$(wildcard core/*.c))
	@rm -f $$@
	@arm-none-eabi-ar rcs $$@ $$^
$(BUILD)/small/$(1)/%.o: core/%.c
	$$(FOLDER)
	@arm-none-eabi-gcc $(SMALL_FLAGS) -mcpu=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach cpu,cortex-m0 cortex-m3 cortex-m33,$(eval $(call small_rule,$(cpu))))
SMALL := $(addprefix $(BUILD)/small/,cortex-m0.a cortex-m3.a)
TEST_NEEDS += $(SMALL)
QUICK_NEEDS += $(SMALL)

-include $(if $(HOST_D),$(wildcard $(BUILD)/*/tests/*/*.d $(BUILD)/small/*/*.d))

.PHONY: run-tests run-check run-bench run-debug-truth run-long
run-tests: $(HOST_TESTS) $(TEST_NEEDS)
	@JOBS=$(JOBS) tests/run $(TEST_SCRIPTS_LONGEST) $(HOST_TESTS) $(filter-out $(TEST_SCRIPTS_LONGEST),$(TEST_SCRIPTS))
run-check: $(QUICK_TESTS) $(QUICK_NEEDS)
	@WEFT_QUICK=1 WEFT_BUILD=host JOBS=$(JOBS) tests/run $(QUICK_TESTS) $(QUICK_SCRIPTS)
run-long: $(HOST_TESTS) $(TEST_NEEDS)
	@WEFT_LONG=1 JOBS=$(JOBS) tests/run $(TEST_SCRIPTS_LONGEST) $(HOST_TESTS) $(filter-out $(TEST_SCRIPTS_LONGEST),$(TEST_SCRIPTS))
run-debug-truth: $(HOST_OUTPUTS)
	@bash tests/truth/debug.sh
run-bench: $(BENCHES) $(TEST_NEEDS)
	@unset MAKEFLAGS; for bench in $(BENCHES) $(wildcard tests/bench/*.sh); do \
	    echo "== $$bench"; $$bench || echo "$$bench: ended with status $$?"; done

# Support code of single tests.
HOST_T := $(BUILD)/host/tests
ASAN_T := $(BUILD)/asan/tests
AFFINE_SOURCES := $(addprefix $(HOST_T)/lib/,sites.o tilings.o polybench_table.o polybench_blas.o polybench_products.o\
    polybench_solvers.o polybench_stencils.o polybench_tiled.o)
$(HOST_T)/prop/prop_affine_sources $(HOST_T)/prop/prop_affine_many $(HOST_T)/prop/prop_affine_pieces $(HOST_T)/prop/prop_affine_target $(HOST_T)/bench/bench_model: $(AFFINE_SOURCES)
$(HOST_T)/prop/prop_affine_target $(HOST_T)/target/tre_check: $(HOST_T)/lib/target_model.o
$(HOST_T)/target/tre_check: $(HOST_T)/lib/site_streams.o
$(HOST_T)/prop/prop_recorder $(HOST_T)/prop/prop_recorder_ksf $(HOST_T)/prop/prop_recorder_passes $(HOST_T)/prop/prop_recorder_packs \
    $(HOST_T)/prop/prop_recorder_rows \
    $(HOST_T)/bench/bench_replay: $(addprefix $(HOST_T)/lib/,model.o model_ranges.o)
$(foreach T,$(HOST_T) $(ASAN_T),\
    $(eval $(T)/fault/recording_container $(T)/fault/recording_losses $(T)/fault/recording_spliced $(T)/fuzz/recording_container: $(T)/lib/model.o $(T)/lib/model_ranges.o)\
    $(eval $(T)/golden/golden: $(T)/lib/replay_source.o $(T)/lib/faulty_sink.o)\
    $(eval $(T)/fault/fleet_profile: $(T)/lib/fleet_model.o))
$(HOST_T)/prop/prop_fleet_merge: $(HOST_T)/lib/fleet_model.o
$(HOST_T)/prop/prop_loops_nest: $(HOST_T)/lib/nest_oracle.o
$(HOST_T)/target/wet_check: $(addprefix $(HOST_T)/lib/,made_windows.o naive_text.o naive_floats.o naive_flags.o naive_reads.o naive_run.o naive_control.o naive_slices.o)
$(HOST_T)/target/rerun_check: $(HOST_T)/lib/program_run.o
$(HOST_T)/target/orders_check: $(addprefix $(HOST_T)/lib/,orders_walk.o orders_said.o)
$(HOST_T)/target/misses_check: $(HOST_T)/lib/naive_misses.o
$(HOST_T)/target/oracle_check: $(addprefix $(HOST_T)/lib/,oracle_seen.o oracle_honesty.o)
$(HOST_T)/prop/prop_loopnest: $(HOST_T)/lib/loop_model.o
$(HOST_T)/prop/prop_loopnest $(HOST_T)/prop/prop_loopnest_work: $(HOST_T)/lib/hostile.o
# The detector again, compiled so that it reports each basic block that it runs.
$(HOST_T)/prop/prop_loopnest_work: $(addprefix $(BUILD)/host/steps/core/,loopnest_push.o loopnest_terms.o)
$(BUILD)/host/steps/%.o: %.c
	$(FOLDER)
	$(HOST_CC) $(HOST_CFLAGS) -fsanitize-coverage=trace-pc -c $< -o $@
-include $(if $(HOST_D),$(wildcard $(BUILD)/host/steps/*/*.d))

# The port on the host, with a simulated core.
SIMULATED := context.o event_ring.o delivery_arrive.o delivery_own.o delivery_record.o weft_target.o weft_event.o\
    flush.o controls.o left_out.o filter.o trigger.o hold.o activations.o probes_paths.o probes_accesses.o probes_kept.o
SIMULATED_FLAGS := -include tests/lib/simulated_core.h -DWEFT_STOP_TRIES=3
define SIMULATED_RULES
$(BUILD)/$(1)/simulated/%.o: %.c tests/lib/simulated_core.h $(BUILD)/$(1)/flags
	$$(FOLDER)
	$(HOST_CC) $(HOST_CFLAGS) $(2) $(SIMULATED_FLAGS) -c $$< -o $$@
$(BUILD)/$(1)/tests/fault/port_controls $(BUILD)/$(1)/tests/fault/port_controls_ring: \
    $(addprefix $(BUILD)/$(1)/tests/lib/,controlled.o orders_walk.o orders_said.o) $(SIMULATED:%=$(BUILD)/$(1)/simulated/port/cortex-m/%)
$(BUILD)/$(1)/tests/fault/port_controls: $(BUILD)/$(1)/simulated/port/cortex-m/probes_direct.o
$(BUILD)/$(1)/tests/fault/port_controls_ring: $(BUILD)/$(1)/simulated/port/cortex-m/probes_ring.o
-include $(if $(HOST_D),$(wildcard $(BUILD)/$(1)/simulated/port/cortex-m/*.d))
endef
$(eval $(call SIMULATED_RULES,host,))
$(eval $(call SIMULATED_RULES,asan,$(ASAN)))

# clang-tidy over core and the host sources, by folders: one process for those of its files that changed. An object file
# is made again when a header of it changes, so the stamps follow the objects. The analyzer takes two thirds of the
# time: the quick subset leaves it out, and `make test` takes it for the core.
TIDY_SRC := $(LIB_SRC) $(WEFT_SRC) $(filter tools/qemu/%,$(QEMU_SRC))
TIDY := $(if $(WEFT_QUICK),quick,$(if $(WEFT_LONG),long,done))
TIDY_FLAGS = $(if $(or $(filter quick,$(TIDY)),$(and $(filter done,$(TIDY)),$(filter-out core,$(1)))),--checks=-clang-analyzer-*)
TIDY_FOLDERS := $(patsubst %/,%,$(sort $(dir $(TIDY_SRC))))
.PHONY: run-tidy
run-tidy: $(TIDY_FOLDERS:%=$(BUILD)/tidy/%/$(TIDY))
# Objects of folder $(1), and the sources of objects $(1).
tidy_objects = $(addprefix $(BUILD)/,$(if $(filter tools/qemu,$(1)),$(patsubst %.c,qemu/%.o,$(wildcard $(1)/*.c)),\
    $(foreach object,$(LIB_OBJ) $(WEFT_OBJ),$(if $(filter $(1)/,$(patsubst batches/%,%,$(dir $(object)))),host/$(object)))))
tidy_sources = $(foreach name,$(patsubst %.o,%,$(patsubst $(BUILD)/qemu/%,%,$(patsubst $(BUILD)/host/%,%,$(1)))),\
    $(if $(filter batches/%,$(name)),$(BATCH_$(name:batches/%=%)),$(name).c))
define TIDY_FOLDER
$(BUILD)/tidy/$(1)/$(TIDY): $(call tidy_objects,$(1)) .clang-tidy
	$$(FOLDER)
	@clang-tidy --quiet $(TIDY_FLAGS) $$(call tidy_sources,$$(filter %.o,$$(if $$(filter .clang-tidy,$$?),$$^,$$?))) \
	    -- -Wshadow 2>/dev/null
	@touch $$@
endef
$(foreach folder,$(TIDY_FOLDERS),$(eval $(call TIDY_FOLDER,$(folder))))
