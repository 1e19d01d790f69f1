# SPDX-License-Identifier: MIT
# Lua 5.4 as Debian ships its source, with a fixed seed for its hashes.
LUA := $(BUILD)/sources/lua5.4
LUA_OUT := $(BUILD)/workloads/lua
LUA_SRC := $(addprefix $(LUA)/src/,lapi.c lauxlib.c lbaselib.c lcode.c lcorolib.c lctype.c ldebug.c ldo.c ldump.c lfunc.c lgc.c \
    llex.c lmathlib.c lmem.c lobject.c lopcodes.c lparser.c lstate.c lstring.c lstrlib.c ltable.c ltablib.c ltm.c lundump.c lvm.c lzio.c)
APP_SRC := tests/workloads/lua/lua.c $(LUA_SRC)
APP_CFLAGS := -I$(LUA)/src -I$(LUA_OUT) '-Dluai_makeseed(L)=1'
APP_NEEDS := $(LUA)/.fetched $(LUA_OUT)/lua5.4-deb-multiarch.h
$(LUA_SRC): $(LUA)/.fetched ;

# Debian's build writes this header. It names a search path, which the workload does not use.
$(LUA_OUT)/lua5.4-deb-multiarch.h:
	@mkdir -p $(@D)
	echo '#define DEB_HOST_MULTIARCH "none"' >$@.$$$$ && mv $@.$$$$ $@
include tests/workloads/seeded.mk
