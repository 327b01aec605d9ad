# SPDX-License-Identifier: GPL-3.0-or-later
#
# benchutils. `make help` lists the targets.
#
# Sources are found by wildcard and objects mirror the tree below $(BUILD)/obj: a new file in
# a room, or a new program in tools/, needs no change here. The parts:
#   make/config.mk    results of pkg-config and compiler probes, kept in $(BUILD)/config.mk
#   make/backends.mk  plug-ins for families of devices
#   make/tests.mk     tests and the programs that they use
#   make/packages.mk  Debian's packages
#   make/install.mk   installing and uninstalling

VERSION := 0.1.0
PREFIX := /usr/local
DESTDIR :=
BUILD := build
# Absolute, because compiled-in paths and the tests' environment use it.
override BUILD := $(abspath $(BUILD))

CC := gcc
CFLAGS := -O2 -g
SANITIZE :=
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes

# All processors, unless another make already counts jobs.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory

Q := $(if $(V),,@)
quiet := $(findstring s,$(firstword -$(MAKEFLAGS)))
say = @$(if $(V)$(quiet),true,printf '  %-4s %s\n' $(1) $(2:$(CURDIR)/%=%))
OBJ := $(BUILD)/obj
objects = $(patsubst %.c,$(OBJ)/%.o,$(1))

all: ## build everything (the default)
include make/packages.mk make/config.mk

# The library: all rooms and the reference backend. Stand-ins replace the PostgreSQL driver and the
# decoders of pictures without the headers of their libraries.
LIB_WHOLE := $(wildcard lib/*/*.c backends/ref/*.c)
LIB_SRC := $(filter-out $(if $(PQ),%/db_pq_none.c,%/db_pq.c %/db_pq_schema.c $(wildcard lib/db/pq*.c)) \
	%/picture_jpeg$(if $(JPEG),_none).c %/picture_png$(if $(PNG),_none).c, \
	$(LIB_WHOLE))
LIB := $(BUILD)/libbench.a
# The programs, each with a main in tools/, and the helpers that bench-run starts.
HELPER_SRC := $(wildcard tools/helpers/*.c)
HELPER_MAIN := $(wildcard tools/helpers/bench-*.c)
HELPER_LIB := $(BUILD)/libhelpers.a
TOOL_SRC := $(wildcard tools/*.c)
# The options of the programs.
OPTION_SRC := $(wildcard tools/options/*.c)
OPTION_LIB := $(BUILD)/liboptions.a
TOOLS := $(TOOL_SRC:tools/%.c=%)
BINS := $(TOOLS:%=$(BUILD)/bin/%)
HELPERS := $(HELPER_MAIN:tools/helpers/%.c=$(BUILD)/libexec/benchutils/%)
# Allocators that are preloaded into measured processes.
ALLOCS := $(BUILD)/lib/benchutils/allocs.so
HEAP := $(BUILD)/lib/benchutils/heap.so
PRELOAD_SRC := $(wildcard tools/preload/*.c)
# Benchmarks of the suites in share/suites.
BASICS := $(BUILD)/lib/benchutils/basics.so
BASICS_SRC := share/examples/functions/memory.c share/examples/functions/sort.c
# Files that are read at run time.
SHARE := $(patsubst share/%,%,$(filter-out share/examples/% $(patsubst %/,%,$(wildcard share/*/)), \
	$(wildcard share/* share/*/*)))
KERNELS := $(wildcard backends/gpu/kernels/*)
HEADERS := $(notdir $(wildcard include/*.h))
SHARES := $(SHARE:%=$(BUILD)/share/benchutils/%) \
	$(KERNELS:backends/gpu/kernels/%=$(BUILD)/share/benchutils/backends/%)

C := -std=c17 -D_GNU_SOURCE $(WARN)
OUR_CFLAGS := $(C) -DBENCH_VERSION='"$(VERSION)"' $(CPPFLAGS) $(CFLAGS) $(SANITIZE) \
	-iquote lib -iquote include -iquote . $(PKG_CFLAGS) $(PQ_CFLAGS) $(PICTURE_CFLAGS)
OUR_LDFLAGS := $(LDFLAGS) $(SANITIZE) -Wl,--as-needed
OUR_LIBS := -lcsv -liberty $(PKG_LIBS) $(PICTURE_LIBS) -lm

include make/backends.mk make/tests.mk make/install.mk

.PHONY: all
all: $(BINS) $(HELPERS) $(ALLOCS) $(HEAP) $(BASICS) $(PLUGINS) $(SHARES)

# A change of the flags rebuilds everything.
$(OBJ)/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '$(CC) $(OUR_CFLAGS) $(OUR_LDFLAGS)' | cmp -s - $@ || \
		printf '%s\n' '$(CC) $(OUR_CFLAGS) $(OUR_LDFLAGS)' >$@

# One rule compiles everything. The directory sets the flags; the longest pattern wins.
$(OBJ)/%.o: COMPILE = $(OUR_CFLAGS)
# Preloaded code is never sanitized, keeps its frame pointers, and shows only what it interposes.
$(OBJ)/tools/preload/%.o: COMPILE = $(C) $(CPPFLAGS) -O2 -g -fno-omit-frame-pointer -fPIC \
	-fvisibility=hidden -fno-builtin -iquote lib
# Benchmarks are never sanitized, and always compiled with the same flags.
$(OBJ)/share/examples/%.o: COMPILE = -std=c17 $(WARN) $(CPPFLAGS) -O2 -g -fPIC -I include
$(OBJ)/%.o: %.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(COMPILE) -MMD -MP -c -o $@ $<

# One rule links everything: LINK has the flags, LIBS the libraries.
define link
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o %.a,$^) $(LIBS)
endef
$(BUILD)/%: LINK = $(OUR_LDFLAGS)
$(BUILD)/%: LIBS = $(OUR_LIBS)

$(LIB): $(call objects,$(LIB_SRC))
$(HELPER_LIB): $(call objects,$(filter-out $(HELPER_MAIN),$(HELPER_SRC)))
$(OPTION_LIB): $(call objects,$(OPTION_SRC))
# Removing a source also rebuilds the archives, which would otherwise keep its object.
$(LIB) $(HELPER_LIB) $(OPTION_LIB): $(OBJ)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)
ARCHIVED_SRC := $(LIB_SRC) $(HELPER_SRC) $(OPTION_SRC)
$(OBJ)/sources: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(ARCHIVED_SRC) | cmp -s - $@ || printf '%s\n' $(ARCHIVED_SRC) >$@

$(BINS): $(BUILD)/bin/%: $(OBJ)/tools/%.o $(OPTION_LIB) $(LIB)
	$(link)
$(HELPERS): $(BUILD)/libexec/benchutils/%: $(OBJ)/tools/helpers/%.o $(HELPER_LIB) $(LIB)
	$(link)
$(BUILD)/libexec/benchutils/bench-call: LIBS = -pthread -ldl
$(BUILD)/libexec/benchutils/bench-compute: LIBS = $(OUR_LIBS) -pthread -ldl
# Static, so that the commands it starts inherit next to no memory; see lib/helper/spawn_client.h.
$(BUILD)/libexec/benchutils/bench-spawn: LINK = $(OUR_LDFLAGS) $(if $(SANITIZE),,-static)
$(BUILD)/libexec/benchutils/bench-spawn: LIBS =

$(ALLOCS): $(call objects,tools/preload/allocs.c tools/preload/real.c)
$(HEAP): $(call objects,$(filter-out tools/preload/allocs.c,$(PRELOAD_SRC)))
$(ALLOCS) $(HEAP): LINK = -shared -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,now
$(ALLOCS) $(HEAP): LIBS = -pthread -ldl
$(BASICS): $(call objects,$(BASICS_SRC))
$(BASICS): LINK = -shared
$(BASICS): LIBS =
$(ALLOCS) $(HEAP) $(BASICS):
	$(link)

$(BUILD)/share/benchutils/%: share/%
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@
$(BUILD)/share/benchutils/backends/%: backends/gpu/kernels/%
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

-include $(patsubst %.o,%.d,$(call objects,$(LIB_SRC) $(OPTION_SRC) $(TOOL_SRC) $(HELPER_SRC) $(PRELOAD_SRC) \
	$(BASICS_SRC) $(BACKEND_SRC) $(TEST_SRC)))

.PHONY: demo gallery record evidence clean help FORCE
demo: deps ## install packages, build, and measure real programs
	@$(MAKE) all
	@sh make/demo.sh $(BUILD)

GALLERY := docs
gallery: all ## draw docs/gallery.md (GALLERY=DIR: in DIR)
	@PATH=$(BUILD)/bin:$$PATH sh docs/gallery.sh $(GALLERY)

record: all ## measure the gallery's samples (quiet machine), and draw it
	@BUILD=$(BUILD) sh tests/fixtures/data/gallery/record.sh
	@$(MAKE) gallery

clean: ## remove the build directory
	rm -rf $(BUILD)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(filter %Makefile make/%,$(MAKEFILE_LIST)) | \
		while IFS='|' read -r target text; do printf '  make %-14s %s\n' "$$target" "$$text"; done
	@echo '  Variables: BUILD PREFIX DESTDIR CC CPPFLAGS CFLAGS LDFLAGS SANITIZE V=1 ROOM'

FORCE:
.SECONDARY:
