# SPDX-License-Identifier: MIT
# JPEG_SIZE="WIDTH HEIGHT" draws a larger picture; JPEG_TICKS=1 adds two interrupt handlers.
JPEG_SIZE ?= 96 64
JPEG_OUT := $(BUILD)/workloads/jpeg-$(subst $(empty) ,x,$(JPEG_SIZE))
APP_SRC := tests/workloads/jpeg/jpeg.c $(if $(filter 1,$(JPEG_TICKS)),tests/workloads/jpeg/ticks.c)
APP_CFLAGS := -isystem /usr/include/stb -I$(JPEG_OUT)
APP_NEEDS := $(JPEG_OUT)/picture.inc

# Another build may make the same file at this moment, so it is renamed when it is whole.
$(JPEG_OUT)/picture.inc: tests/workloads/jpeg/draw.c
	@mkdir -p $(@D)
	$(HOST_CC) -O2 -isystem /usr/include/stb $< -lm -o $(@D)/draw.$$$$ && \
	    $(@D)/draw.$$$$ $(JPEG_SIZE) >$(@D)/picture.$$$$ && rm $(@D)/draw.$$$$ && mv $(@D)/picture.$$$$ $@
