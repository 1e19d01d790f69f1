# SPDX-License-Identifier: MIT
# The compiler plugin, build/host/weft_gcc.so, against the headers of the cross compiler. Options: head of
# tools/gcc/weft_gcc.cc.

GCC_PLUGIN := $(BUILD)/host/weft_gcc.so
GCC_PLUGIN_SRC := $(wildcard tools/gcc/*.cc)
GCC_PLUGIN_OBJ := $(GCC_PLUGIN_SRC:%.cc=$(BUILD)/host/%.o) $(BUILD)/host/tools/gcc/ballarus.o
GCC_PLUGIN_HEADERS = $(shell arm-none-eabi-gcc -print-file-name=plugin)/include
# The compiler's headers are not ours to warn about; it is built without RTTI and exceptions.
GCC_PLUGIN_FLAGS = -std=gnu++17 -O2 -g -fPIC -fno-rtti -fno-exceptions -fvisibility=hidden -Wall -Wextra -Wno-literal-suffix \
    -Werror -I. -isystem $(GCC_PLUGIN_HEADERS) -MMD -MP

$(BUILD)/host/tools/gcc/%.o: tools/gcc/%.cc
	@mkdir -p $(@D)
	$(NOW) g++ $(GCC_PLUGIN_FLAGS) -c $< -o $@
$(BUILD)/host/tools/gcc/ballarus.o: tools/lib/image/ballarus.c
	@mkdir -p $(@D)
	$(HOST_CC) $(HOST_CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@
$(GCC_PLUGIN): $(GCC_PLUGIN_OBJ)
	g++ -shared $^ -o $@

HOST_OUTPUTS += $(GCC_PLUGIN)
-include $(GCC_PLUGIN_OBJ:.o=.d)
