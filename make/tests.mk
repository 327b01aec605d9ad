# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests: shell scripts over the programs and C programs over the modules, all writing TAP.
# ROOM=compare takes the tests of one room.

UNIT_SRC := $(wildcard tests/unit/*.c)
UNITS := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)
GPU_COMPILES := $(patsubst %,$(BUILD)/tests/gpu_compile-%,$(filter cuda hip,$(BACKENDS)))
SCRIPTS := $(wildcard tests/*.t)
# Not C of ours, or not of what a sanitizer sees: left out of the sanitized half.
UNSANITIZED := $(addprefix tests/,docs.t install.t gallery.t layers.t ci.t cron.t slurm.t walk.t)
TESTS := $(UNITS) $(GPU_COMPILES) $(if $(SANITIZE),$(filter-out $(UNSANITIZED),$(SCRIPTS)),$(SCRIPTS))

# Programs that scripts run.
OP_CHECK := $(BUILD)/tests/op_check
OP_CHECK_SRC := $(wildcard tests/op_*.c)
RESAMPLES := $(BUILD)/tests/resamples
STORE_CUT := $(BUILD)/tests/store_cut
TEST_PROGRAMS := $(UNITS) $(OP_CHECK) $(RESAMPLES) $(STORE_CUT) $(GPU_COMPILES)
TEST_SRC := $(UNIT_SRC) $(OP_CHECK_SRC) tests/resamples.c tests/store_cut.c tests/gpu_compile.c
# Plug-ins for tests, nearly all of them broken.
TEST_PLUGIN_SRC := $(wildcard tests/backends/*.c)
TEST_PLUGINS := $(TEST_PLUGIN_SRC:tests/backends/%.c=$(BUILD)/tests/plugins/backend-%.so)

$(UNITS): $(BUILD)/tests/%: $(OBJ)/tests/unit/%.o $(LIB)
$(OP_CHECK): $(call objects,$(OP_CHECK_SRC)) $(LIB)
$(RESAMPLES): $(OBJ)/tests/resamples.o $(LIB)
$(STORE_CUT): $(OBJ)/tests/store_cut.o $(LIB)
$(GPU_COMPILES): $(BUILD)/tests/gpu_compile-%: $(OBJ)/tests/gpu_compile.o $$(call objects,$$($$*_SRC))
$(TEST_PROGRAMS): LIBS = $(OUR_LIBS) -ldl
$(TEST_PROGRAMS):
	$(link)

$(TEST_PLUGINS): $(BUILD)/tests/plugins/backend-%.so: tests/backends/%.c tests/backends/whole.h \
		include/bench-backend.h $(OBJ)/flags
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PLUGIN_CFLAGS) -shared -o $@ $<

# The folder of what the tests fetch and compile once.
TEST_CACHE := $(BUILD)/tests/cache
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined

.PHONY: check check-all check-pmu tests soak perf evidence
check: deps-check ## run the tests (ROOM=compare: those of one room)
	@$(MAKE) tests

check-all: check ## run the tests, then those of our C under the sanitizers
	@$(MAKE) tests BUILD=$(BUILD)/sanitized TEST_CACHE=$(BUILD)/tests/cache \
		SANITIZE='$(SANITIZERS)' CFLAGS='-O1 -g -fno-omit-frame-pointer'

tests: all $(TEST_PROGRAMS) $(TEST_PLUGINS) ## run the tests without installing what they need
	@BUILD=$(BUILD) BENCH_TEST_CACHE=$(TEST_CACHE) SANITIZED=$(if $(SANITIZE),1) \
		sh tests/run_all.sh $(TESTS)

check-pmu: deps-pmu ## run the counting programs on an emulated machine with a PMU
	@$(MAKE) all
	@sh tests/pmu/fetch.sh $(BUILD)/pmu
	@BUILD=$(BUILD) PMU_GUEST=$(BUILD)/pmu \
		BENCH_REQUIRE="qemu-system-aarch64 aarch64-linux-gnu-gcc cpio $(BUILD)/pmu/vmlinuz" \
		prove tests/pmu.t

soak: ## test the database under faults with full counts (ten minutes)
	@$(MAKE) all $(STORE_CUT)
	BUILD=$(BUILD) SOAK=1 prove --timer tests/store_crash.t

perf: deps-perf ## print speed ratios to the peers
	@$(MAKE) all
	@for t in tests/perf/*.sh; do echo "== $$t"; BUILD=$(BUILD) sh $$t || exit 1; done

EVIDENCE := calibration power coverage diagnosis change
evidence: deps-evidence ## try out what the statistics promise, and write docs/evidence.md
	@$(MAKE) all
	@PATH=$(BUILD)/bin:$$PATH BUILD=$(BUILD) sh tests/evidence/page.sh $(EVIDENCE) >$(BUILD)/evidence.md
	@mv $(BUILD)/evidence.md docs/evidence.md
