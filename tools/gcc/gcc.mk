# SPDX-License-Identifier: MIT
# The compiler plugin, build/host/weft_gcc.so, against the headers of the cross compiler. Options: head of
# tools/gcc/weft_gcc.cc.

GCC_PLUGIN := $(BUILD)/host/weft_gcc.so
# Compiled in two parts, each of half the files: nearly all of the time of one file goes to the compiler's headers.
GCC_PLUGIN_PARTS := $(addprefix $(BUILD)/host/tools/gcc/,part1.cc part2.cc)
GCC_PLUGIN_SRC := $(wildcard tools/gcc/*.cc)
GCC_PLUGIN_OBJ := $(GCC_PLUGIN_PARTS:.cc=.o) $(BUILD)/host/tools/gcc/ballarus.o
GCC_PLUGIN_HEADERS = $(shell arm-none-eabi-gcc -print-file-name=plugin)/include
# The compiler's headers are not ours to warn about; it is built without RTTI and exceptions.
GCC_PLUGIN_FLAGS = -std=gnu++17 -O2 -g1 -fPIC -fno-rtti -fno-exceptions -fvisibility=hidden -Wall -Wextra -Wno-literal-suffix \
    -Werror -I. -isystem $(GCC_PLUGIN_HEADERS) -MMD -MP

GCC_PLUGIN_FIRST := $(wordlist 1,12,$(GCC_PLUGIN_SRC))
gcc_plugin_part = printf '\#include "%s"\n' $(1) >$@.new; cmp -s $@.new $(@D)/$(2) || cp $@.new $(@D)/$(2)
# The folder, so that a file more or less is seen. A part that stays as it was is not compiled again.
$(BUILD)/host/tools/gcc/parts: tools/gcc
	$(FOLDER)
	@$(call gcc_plugin_part,$(GCC_PLUGIN_FIRST),part1.cc)
	@$(call gcc_plugin_part,$(filter-out $(GCC_PLUGIN_FIRST),$(GCC_PLUGIN_SRC)),part2.cc)
	@touch $@
$(GCC_PLUGIN_PARTS): $(BUILD)/host/tools/gcc/parts ;
$(GCC_PLUGIN_PARTS:.cc=.o): %.o: %.cc
	$(NOW) g++ $(GCC_PLUGIN_FLAGS) -c $< -o $@
$(BUILD)/host/tools/gcc/ballarus.o: tools/lib/image/ballarus.c
	$(FOLDER)
	$(HOST_CC) $(HOST_CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@
$(GCC_PLUGIN): $(GCC_PLUGIN_OBJ)
	g++ -shared $^ -o $@

HOST_OUTPUTS += $(GCC_PLUGIN)
-include $(GCC_PLUGIN_OBJ:.o=.d)
