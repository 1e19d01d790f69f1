# SPDX-License-Identifier: MIT
# zlib as Debian ships its source. TEXT_SIZE=bytes compresses a longer text, ROUNDS=n n texts.
TEXT_SIZE ?= 12000
ROUNDS ?= 1
ZLIB := $(BUILD)/sources/zlib
ZLIB_SRC := $(addprefix $(ZLIB)/,adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
APP_SRC := tests/workloads/zlib/zlib.c $(ZLIB_SRC)
APP_CFLAGS := -DTEXT_SIZE=$(TEXT_SIZE) -DROUNDS=$(ROUNDS) -I$(ZLIB)
APP_NEEDS := $(ZLIB)/.fetched
$(ZLIB_SRC): $(ZLIB)/.fetched ;
include tests/workloads/seeded.mk
