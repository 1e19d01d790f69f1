# SPDX-License-Identifier: MIT
# LZ4 as Debian ships its source. TEXT_SIZE=bytes compresses a longer text.
TEXT_SIZE ?= 12000
LZ4 := $(BUILD)/sources/lz4
LZ4_SRC := $(addprefix $(LZ4)/lib/,lz4.c lz4hc.c)
APP_SRC := tests/workloads/lz4/lz4.c $(LZ4_SRC)
APP_CFLAGS := -DTEXT_SIZE=$(TEXT_SIZE) -I$(LZ4)/lib
APP_NEEDS := $(LZ4)/.fetched
$(LZ4_SRC): $(LZ4)/.fetched ;
include tests/workloads/seeded.mk
