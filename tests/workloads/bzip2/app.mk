# SPDX-License-Identifier: MIT
# libbzip2 as Debian ships its source. TEXT_SIZE=bytes compresses a longer text.
TEXT_SIZE ?= 6000
BZIP2 := $(BUILD)/sources/bzip2
BZIP2_SRC := $(addprefix $(BZIP2)/,blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c)
APP_SRC := tests/workloads/bzip2/bzip2.c $(BZIP2_SRC)
APP_CFLAGS := -DBZ_NO_STDIO -DTEXT_SIZE=$(TEXT_SIZE) -I$(BZIP2)
APP_NEEDS := $(BZIP2)/.fetched
$(BZIP2_SRC): $(BZIP2)/.fetched ;
include tests/workloads/seeded.mk
