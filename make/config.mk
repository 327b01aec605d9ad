# SPDX-License-Identifier: GPL-3.0-or-later
#
# Results of pkg-config and compiler probes, kept in $(BUILD)/config.mk. make/config.sh makes
# that file again when the compiler, the flags, pkg-config's directories or files, or this part of
# the Makefile change; `make deps` renews it in any case.

# Targets that start other makes, install packages, or only remove files.
UNCONFIGURED := clean help demo check check-all check-pmu check-gpu fuzz soak perf evidence uninstall $(DEPS_TARGETS)
ifneq ($(filter-out $(UNCONFIGURED),$(or $(MAKECMDGOALS),all)),)

CONFIG := $(BUILD)/config.mk
include $(CONFIG)
CONFIG_FLAGS := $(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(PKG_CONFIG) $(PKG_CONFIG_PATH) $(PKG_CONFIG_LIBDIR)
# Compared by content instead of age, so that a jump of the clock cannot cause an endless loop.
CONFIG_SEEN := $(strip $(CONFIG_FLAGS) $(shell stat -Lc %n@%Y $(CONFIG_WATCH) 2>/dev/null))
ifneq ($(CONFIG_SEEN),$(strip $(CONFIG_KNOWN)))
$(CONFIG): FORCE
endif
$(CONFIG): make/config.sh
	@mkdir -p $(@D)
	@CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' CONFIG_FLAGS='$(CONFIG_FLAGS)' sh make/config.sh >$@.new && mv $@.new $@
endif
