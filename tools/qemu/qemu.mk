# SPDX-License-Identifier: MIT
# weft_qemu.so: the emulator plugin.

QEMU_SRC := $(wildcard tools/qemu/*.c) tools/lib/machine/thumb.c tools/lib/machine/writes.c \
    core/bytes.c core/bytes_read.c core/bytes_seal.c core/frame.c core/frame_open.c
QEMU_OBJ := $(QEMU_SRC:%.c=$(BUILD)/qemu/%.o)

$(BUILD)/qemu/%.o: %.c
	$(FOLDER)
	$(NOW) $(HOST_CC) $(HOST_CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@
$(BUILD)/host/weft_qemu.so: $(QEMU_OBJ)
	$(FOLDER)
	$(HOST_CC) -shared $^ -lzstd -ldl -pthread -o $@
-include $(if $(HOST_D),$(QEMU_OBJ:.o=.d))

HOST_OUTPUTS += $(BUILD)/host/weft_qemu.so

QEMU_CHECKS := $(BUILD)/host/tests/target/lines_check $(BUILD)/asan/tests/target/full_check $(BUILD)/host/tests/target/full_check $(BUILD)/host/tests/target/oracle_check $(BUILD)/host/tests/target/profiles_check $(BUILD)/host/tests/target/costs_check \
    $(BUILD)/host/tests/target/without_probes
run-tests run-long: $(QEMU_CHECKS)
run-bench: $(QEMU_CHECKS)

.PHONY: honesty run-honesty overhead run-overhead
overhead: setup ## print what the probes cost: instructions with over without, bytes per event
	$(AGAIN) run-overhead
run-overhead: $(HOST_OUTPUTS)
	@unset MAKEFLAGS; tests/bench/overhead.sh
honesty: setup ## print which announced accesses the machine code made, and how
	$(AGAIN) run-honesty
run-honesty: $(HOST_OUTPUTS) $(QEMU_CHECKS)
	@unset MAKEFLAGS; tests/bench/honesty.sh
