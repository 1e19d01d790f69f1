# SPDX-License-Identifier: MIT
# Installation, and packages made of it. What lies where after `make install PREFIX=P`:
#   P/bin/weft                        the command; it finds the rest beside itself
#   P/lib/weft/                       the two plugins, and what weft.mk links by
#   P/lib/libweft.{so,a}, pkgconfig/libweft.pc, P/include/weft/weft_host.h     the host library
#   P/include/weft/weft.h, rtos/      what firmware includes; for builds it is also in P/share/weft/include, alone:
#                                     P/include may be the host's own, whose headers firmware must not find
#   P/share/weft/                     the engine (weft.c), weft.mk, linker/, src/, and the folder as a Zephyr module, a
#                                     PlatformIO library and a CMSIS pack
#   P/lib/cmake/Weft/                 find_package(Weft)
#   P/share/man, bash-completion, zsh, fish

PREFIX ?= /usr/local
DESTDIR ?=
LIBDIR ?= lib
VERSION = $(shell sed -n 's/^\#define WEFT_VERSION_TEXT "\(.*\)"/\1/p' tools/lib/base/version.h)
SONAME := libweft.so.1
DIST := $(BUILD)/dist
MANUAL := $(BUILD)/manual
TARGET_SOURCES := $(wildcard core/*.[ch] hal/*.h port/cortex-m/*.[ch] port/cortex-m/program/*.[ch] port/rtos/*.h)

.PHONY: amalgamation install install-built deb cmsis-pack
amalgamation: $(DIST)/weft.c ## build/dist/weft.c and weft.h: the whole target engine as one pair of files
$(DIST)/weft.c: packaging/amalgamate.py port/port.mk tools/lib/base/version.h $(TARGET_SOURCES)
	@mkdir -p $(DIST)/rtos
	python3 -B packaging/amalgamate.py $(DIST) $(DIST)/rtos $(FW_SMALL)

$(MANUAL)/weft.bash: packaging/manual.py $(BUILD)/host/weft
	@mkdir -p $(MANUAL)
	python3 -B packaging/manual.py $(BUILD)/host/weft $(MANUAL)

# What the functions of weft_host.h need, as one object of the archive; as a shared one, only their names leave it.
$(BUILD)/host/lib/all.o: $(BUILD)/host/libweft.a
	$(FOLDER)
	ld -r --gc-sections $$(nm $< 2>/dev/null | sed -n 's/.* T \(weft_host_.*\)/-u \1/p') $< -o $@
$(BUILD)/host/lib/libweft.so: $(BUILD)/host/lib/all.o
	$(HOST_CC) -shared -Wl,-soname,$(SONAME) -Wl,--gc-sections -Wl,--no-undefined $< $(HOST_LIBS) -o $@
$(BUILD)/host/lib/libweft.a: $(BUILD)/host/lib/all.o
	objcopy --wildcard --keep-global-symbol 'weft_host_*' --strip-unneeded $< $(@D)/weft.o
	@rm -f $@
	ar rcs $@ $(@D)/weft.o

install: setup-build ## PREFIX=/usr/local DESTDIR=: the command, plugins, headers, engine, manual, completions
	$(AGAIN) install-built

P = $(DESTDIR)$(PREFIX)
L = $(P)/$(LIBDIR)
INSTALLED := $(HOST_OUTPUTS) $(DIST)/weft.c $(MANUAL)/weft.bash $(BUILD)/host/lib/libweft.so $(BUILD)/host/lib/libweft.a
install-built: $(INSTALLED)
	install -d $(P)/bin $(P)/lib/weft $(L)/pkgconfig $(L)/cmake/Weft $(P)/include/weft/rtos \
	    $(P)/share/weft/{linker,src,zephyr,rtos} $(P)/share/man/man1 $(P)/share/bash-completion/completions \
	    $(P)/share/zsh/vendor-completions $(P)/share/fish/vendor_completions.d $(P)/share/doc/weft
	install $(BUILD)/host/weft $(P)/bin/weft
	[ ! -e $(BUILD)/host/weft-mpi ] || install $(BUILD)/host/weft-mpi $(P)/lib/weft/weft-mpi
	install -m 644 $(BUILD)/host/weft_gcc.so $(BUILD)/host/weft_qemu.so $(P)/lib/weft
	install packaging/sealing_link $(P)/lib/weft/sealing_link
	install -m 644 $(BUILD)/host/lib/libweft.so $(L)/$(SONAME)
	ln -sf $(SONAME) $(L)/libweft.so
	install -m 644 $(BUILD)/host/lib/libweft.a $(L)/libweft.a
	install -m 644 tools/lib/host/weft_host.h $(P)/include/weft
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(HOST_LIBS)|' \
	    packaging/libweft.pc >$(L)/pkgconfig/libweft.pc
	sed 's|@VERSION@|$(VERSION)|' packaging/cmake/weft-config.cmake >$(L)/cmake/Weft/weft-config.cmake
	sed 's|@VERSION@|$(VERSION)|' packaging/cmake/weft-config-version.cmake >$(L)/cmake/Weft/weft-config-version.cmake
	install -m 644 $(DIST)/weft.c $(DIST)/weft.h packaging/weft.mk $(P)/share/weft
	ln -sf ../../share/weft/weft.h $(P)/include/weft/weft.h
	for header in $(DIST)/rtos/*.h; do [ ! -e "$$header" ] || install -m 644 "$$header" $(P)/share/weft/rtos; done
	for header in $(P)/share/weft/rtos/*.h; do \
	    [ ! -e "$$header" ] || ln -sf ../../../share/weft/rtos/$${header##*/} $(P)/include/weft/rtos; done
	install -d $(P)/share/weft/include/weft
	ln -sfn ../../weft.h $(P)/share/weft/include/weft/weft.h
	ln -sfn ../../rtos $(P)/share/weft/include/weft/rtos
	install -m 644 packaging/linker/*.ld $(P)/share/weft/linker
	cp -r packaging/zephyr/. $(P)/share/weft/zephyr
	sed 's|@VERSION@|$(VERSION)|' packaging/platformio/library.json >$(P)/share/weft/library.json
	install -m 644 packaging/platformio/weft_platformio.py $(P)/share/weft
	sed 's|@VERSION@|$(VERSION)|' packaging/cmsis/Weft.Weft.pdsc >$(P)/share/weft/Weft.Weft.pdsc
	for folder in core hal port/cortex-m port/cortex-m/program port/rtos boards linker; do \
	    [ ! -d $$folder ] || { install -d $(P)/share/weft/src/$$folder; \
	    find $$folder -maxdepth 1 -type f -name '*.[chl]*' ! -name check_target.c \
	    -exec install -m 644 {} $(P)/share/weft/src/$$folder \; ; }; \
	    done
	install -m 644 LICENSE README.md CHANGELOG.md docs/*.md $(P)/share/doc/weft
	install -m 644 $(MANUAL)/man1/*.1 $(P)/share/man/man1
	install -m 644 $(MANUAL)/weft.bash $(P)/share/bash-completion/completions/weft
	install -m 644 $(MANUAL)/_weft $(P)/share/zsh/vendor-completions/_weft
	install -m 644 $(MANUAL)/weft.fish $(P)/share/fish/vendor_completions.d/weft.fish

deb: setup-build ## build/dist/weft_VERSION_ARCH.deb: a Debian package of this machine's release
	$(AGAIN) built-deb
.PHONY: built-deb
built-deb: $(INSTALLED)
	packaging/debian/make $(VERSION) $(DIST)

cmsis-pack: $(DIST)/weft.c ## build/dist/Weft.Weft.VERSION.pack
	@rm -rf $(DIST)/pack && mkdir -p $(DIST)/pack
	cp $(DIST)/weft.c $(DIST)/weft.h LICENSE $(DIST)/pack
	sed 's|@VERSION@|$(VERSION)|' packaging/cmsis/Weft.Weft.pdsc >$(DIST)/pack/Weft.Weft.pdsc
	cd $(DIST)/pack && python3 -m zipfile -c ../Weft.Weft.$(VERSION).pack *
