# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests, in directories by room: scripts (NAME.t) that test programs, and C programs (NAME_test.c) that
# test modules. All write TAP. ROOM=compare selects the tests of one room.

ROOM := *
UNIT_SRC := $(wildcard tests/$(ROOM)/*_test.c)
UNITS := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(UNIT_SRC)))
GPU_COMPILES := $(patsubst %,$(BUILD)/tests/gpu_compile-%,$(filter cuda hip,$(BACKENDS)))
SCRIPTS := $(wildcard tests/$(ROOM)/*.t)
# Not run under the sanitizers, because they run mostly code of other programs, or C code that other
# tests also run: examples of the manual, recipes, statistics in bulk, comparisons with other programs,
# compilers of kernels.
UNSANITIZED := tests/project/% tests/recipes/% tests/validation/% tests/plot/gallery.t tests/report/browser.t tests/flame/browser.t \
	tests/system/valgrind.t tests/convert/peers.t tests/convert/new_files.t tests/profile/vs_perf_record.t tests/stats/vs_r.t
TESTS := $(UNITS) $(if $(SANITIZE),$(filter-out $(UNSANITIZED),$(SCRIPTS)),$(if $(filter * device,$(ROOM)),$(GPU_COMPILES)) $(SCRIPTS))

# Programs that scripts run.
OP_CHECK := $(BUILD)/tests/op_check
OP_CHECK_SRC := $(wildcard tests/device/op_*.c)
SCRIPTED_SRC := tests/store/power_cut.c tests/store/corruption.c tests/validation/sequences.c \
	tests/validation/series.c tests/validation/families.c tests/validation/quantiles.c tests/device/engine_run.c tests/device/half_check.c \
	tests/translate/ref_passes.c tests/onnx/inferred_shapes.c
SCRIPTED := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(SCRIPTED_SRC)))
TEST_PROGRAMS := $(UNITS) $(OP_CHECK) $(SCRIPTED) $(GPU_COMPILES)
TEST_SRC := $(UNIT_SRC) $(OP_CHECK_SRC) $(SCRIPTED_SRC) tests/store/power_cut_vfs.c tests/store/corruption_kinds.c \
	tests/device/gpu_compile.c
# Plug-ins for tests; most are broken.
TEST_PLUGINS := $(patsubst tests/device/plugins/%.c,$(BUILD)/tests/plugins/backend-%.so, \
	$(wildcard tests/device/plugins/*.c))

# Fakes of CUDA's libraries, built without sanitizers because they switch stacks.
FAKE_CUDA := $(addprefix $(BUILD)/tests/fake_cuda/,libcuda.so.1 libnvidia-ml.so.1 libnvrtc.so.13 libcublas.so.13 \
	libcublasLt.so.13 libcudnn.so.9)
fake_libcuda.so.1_SRC := $(addprefix tests/device/fake_cuda/,driver.c fibers.c log.c memory.c stream.c)
fake_libnvidia-ml.so.1_SRC := tests/device/fake_cuda/nvml.c
fake_libnvrtc.so.13_SRC := tests/device/fake_cuda/compiler.c
fake_libcublas.so.13_SRC := $(addprefix tests/device/fake_cuda/,blas.c numbers.c)
fake_libcublasLt.so.13_SRC := $(addprefix tests/device/fake_cuda/,lt.c numbers.c)
fake_libcudnn.so.9_SRC := $(addprefix tests/device/fake_cuda/,dnn.c dnn_run.c numbers.c)
# Fakes of HIP's libraries, which call those of CUDA.
FAKE_HIP := $(addprefix $(BUILD)/tests/fake_hip/,libamdhip64.so.6 libhiprtc.so.6 librocblas.so.4)
fake_libamdhip64.so.6_SRC := tests/device/fake_hip/driver.c
fake_libhiprtc.so.6_SRC := tests/device/fake_hip/compiler.c
fake_librocblas.so.4_SRC := tests/device/fake_hip/blas.c
fake_libhiprtc.so.6_ON := libnvrtc.so.13
fake_librocblas.so.4_ON := libcublas.so.13

# Test programs look for ../share, which is $(BUILD)/share, so all are built in one directory.
object_of = $(filter %/$(1).o,$(call objects,$(UNIT_SRC) $(SCRIPTED_SRC)))
$(UNITS) $(SCRIPTED): $(BUILD)/tests/%: $$(call object_of,$$*) $(LIB)
$(BUILD)/tests/power_cut: $(call objects,tests/store/power_cut_vfs.c)
$(BUILD)/tests/corruption: $(call objects,tests/store/corruption_kinds.c)
$(BUILD)/tests/gpu_launch_test: $(call objects,$(GPU_SRC))
$(BUILD)/tests/library_test: $(call objects,$(LIBRARY_SRC))
$(BUILD)/tests/onnxruntime_profile_test: $(OBJ)/backends/engine/onnxruntime_profile.o
$(OP_CHECK): $(call objects,$(OP_CHECK_SRC)) $(LIB)
$(GPU_COMPILES): $(BUILD)/tests/gpu_compile-%: $(OBJ)/tests/device/gpu_compile.o $$(call objects,$$($$*_SRC))
$(TEST_PROGRAMS): LIBS = $(OUR_LIBS) -ldl
$(TEST_PROGRAMS):
	$(link)

$(TEST_PLUGINS): $(BUILD)/tests/plugins/backend-%.so: tests/device/plugins/%.c $(wildcard tests/device/plugins/*.h) \
		$(addprefix include/,$(HEADERS)) $(OBJ)/flags
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PLUGIN_CFLAGS) -shared -o $@ $<

$(FAKE_CUDA): $(BUILD)/tests/fake_cuda/%: $$(fake_$$*_SRC) $(wildcard tests/device/fake_cuda/*.h) \
		backends/gpu/cuda_abi.h backends/gpu/cuda_dnn_api.h $(OBJ)/flags
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(C) -Wno-missing-prototypes $(CPPFLAGS) -O2 -g -fPIC -fvisibility=hidden -shared -Wl,--no-as-needed,-soname,$* \
		-DFAKE_DIR='"$(abspath tests/device/fake_cuda)"' -o $@ $(fake_$*_SRC) \
		$(if $(filter libcuda%,$*),,$(BUILD)/tests/fake_cuda/libcuda.so.1) \
		$(if $(filter libcublas.%,$*),$(BUILD)/tests/fake_cuda/libcublasLt.so.13) -pthread -ldl -lm
$(filter-out %/libcuda.so.1,$(FAKE_CUDA)): $(BUILD)/tests/fake_cuda/libcuda.so.1
# as the real one does
$(BUILD)/tests/fake_cuda/libcublas.so.13: $(BUILD)/tests/fake_cuda/libcublasLt.so.13
$(FAKE_HIP): $(BUILD)/tests/fake_hip/%: $$(fake_$$*_SRC) $(FAKE_CUDA) backends/gpu/hip_abi.h
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(C) -Wno-missing-prototypes $(CPPFLAGS) -O2 -g -fPIC -fvisibility=hidden -shared -Wl,-soname,$* \
		-o $@ $(fake_$*_SRC) $(addprefix $(BUILD)/tests/fake_cuda/,libcuda.so.1 $(fake_$*_ON))

# A fake of ONNX Runtime.
FAKE_ORT := $(BUILD)/tests/fake_onnxruntime/libonnxruntime.so.1.17.0
$(FAKE_ORT): tests/device/fake_onnxruntime.c $(OBJ)/flags
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(C) -Wno-missing-prototypes $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -fPIC -shared -o $@ $<

# A directory for files that the tests fetch or compile only once.
TEST_CACHE := $(BUILD)/tests/cache
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -Wno-missing-field-initializers

.PHONY: check check-all check-pmu check-gpu tests fuzz soak peers perf engines evidence
check: deps-check ## run the tests (ROOM=compare: those of one room)
	@$(MAKE) tests

check-all: check ## run the tests, then those of C code under sanitizers
	@$(MAKE) tests BUILD=$(BUILD)/sanitized TEST_CACHE=$(BUILD)/tests/cache \
		SANITIZE='$(SANITIZERS)' CFLAGS='-O1 -g1 -fno-omit-frame-pointer'

tests: all $(TEST_PROGRAMS) $(TEST_PLUGINS) $(FAKE_CUDA) $(FAKE_HIP) $(FAKE_ORT) ## run the tests without installing packages
	@BUILD=$(BUILD) BENCH_TEST_CACHE=$(TEST_CACHE) SANITIZED=$(if $(SANITIZE),1) \
		sh tests/lib/run_all.sh $(TESTS)

check-pmu: deps-pmu ## count events on an emulated machine with a PMU
	@$(MAKE) all
	@BUILD=$(BUILD) PMU_GUEST=$(BUILD)/pmu \
		BENCH_REQUIRE="qemu-system-aarch64 aarch64-linux-gnu-gcc cpio $(BUILD)/pmu/vmlinuz" \
		prove tests/counters/pmu.t

check-gpu: ## run operations and models on the GPUs, if there are any
	@$(MAKE) all $(OP_CHECK)
	@BUILD=$(BUILD) BENCH_TEST_CACHE=$(TEST_CACHE) prove -v tests/device/gpu.t

# clang's libFuzzer, with the modules that each target needs.
FUZZ_RUNS ?= 1000000
FUZZ_CC := clang $(C) $(CPPFLAGS) -iquote . -iquote lib -iquote include -O1 -g -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=undefined -Wno-missing-field-initializers
FUZZ_OPTIONS := -runs=$(FUZZ_RUNS) -timeout=10 -artifact_prefix=$(BUILD)/fuzz/
FUZZ_LIBS := -pthread -lcsv -ljansson -lutf8proc -lRmath -lz -lm
FUZZ_SRC := tests/onnx/fuzz_read.c $(filter-out lib/onnx/onnx_write%,$(wildcard lib/onnx/*.c)) $(wildcard lib/protobuf/*.c) \
	$(wildcard lib/base/*.c lib/graph/*.c lib/translate/onnx_import*.c) $(addprefix lib/text/,units.c shortest.c unit_value.c utf8.c)
FUZZ_TEXTS_SRC := tests/text/fuzz_texts.c lib/store/pack.c lib/store/unpack.c \
	$(wildcard $(patsubst %,lib/%/*.c,base text stats io sys record load summary budget compare history))
FUZZ_SIDES_SRC := tests/compare/fuzz_sides.c $(wildcard lib/base/*.c lib/stats/*.c) $(patsubst %,lib/compare/two_sample%.c,_values _judge) lib/compare/two_sample.c
FUZZ_CONVERT := $(BUILD)/fuzz/convert
FUZZ_CONVERT_SRC := tests/convert/fuzz_mutator.c $(wildcard $(patsubst %,lib/%/*.c,base text stats io sys protobuf record convert inference console observe export))
fuzz: ## read FUZZ_RUNS random files per format under sanitizers
	@$(MAKE) all
	$(Q)mkdir -p $(addprefix $(BUILD)/fuzz/,onnx text text_seeds compare) $(FUZZ_CONVERT)
	$(call say,LD,$(BUILD)/fuzz/read)
	$(Q)$(FUZZ_CC) -o $(BUILD)/fuzz/read $(FUZZ_SRC) -pthread -lm
	$(call say,LD,$(FUZZ_CONVERT)/fuzz_*)
	$(Q)for target in fuzz_convert fuzz_page; do \
		$(FUZZ_CC) -fno-sanitize-coverage=trace-cmp -fsanitize-coverage-allowlist=tests/convert/fuzz_coverage.txt -o $(FUZZ_CONVERT)/$$target \
			tests/convert/$$target.c $(FUZZ_CONVERT_SRC) $(FUZZ_LIBS) || exit; done
	$(call say,LD,$(BUILD)/fuzz/texts)
	$(Q)$(FUZZ_CC) -o $(BUILD)/fuzz/texts $(FUZZ_TEXTS_SRC) $(FUZZ_LIBS)
	$(Q)awk -v dir=$(BUILD)/fuzz/text_seeds '{ printf "%s", $$0 >(dir "/" NR) }' tests/text/fuzz_texts.txt
	$(call say,LD,$(BUILD)/fuzz/sides)
	$(Q)$(FUZZ_CC) -o $(BUILD)/fuzz/sides $(FUZZ_SIDES_SRC) -pthread -lRmath -lm
	$(BUILD)/fuzz/sides $(FUZZ_OPTIONS) -runs=$$(($(FUZZ_RUNS) / 20)) -max_len=152 $(BUILD)/fuzz/compare
	$(BUILD)/fuzz/texts $(FUZZ_OPTIONS) -max_len=256 $(BUILD)/fuzz/text $(BUILD)/fuzz/text_seeds
	$(BUILD)/fuzz/read $(FUZZ_OPTIONS) -max_len=65536 $(BUILD)/fuzz/onnx tests/device/engine_models tests/fixtures/data/onnx
	@BUILD=$(BUILD) FUZZ_RUNS=$(FUZZ_RUNS) sh tests/convert/fuzz.sh $(FUZZ_CONVERT) $(FUZZ_FROM)

soak: ## test the database under many faults (ten minutes)
	@$(MAKE) all $(SCRIPTED)
	BUILD=$(BUILD) SOAK=1 prove --timer tests/store/crash.t

peers: deps-peers ## convert files that other benchmark programs write now
	@$(MAKE) all
	@BUILD=$(BUILD) BENCH_REQUIRE="/usr/bin/rustc /usr/bin/time /usr/include/catch2/catch.hpp fio python3 valgrind wrk" \
		sh tests/convert/peers_more.sh

perf: deps-perf ## print speed ratios to other benchmark programs
	@$(MAKE) all
	@for t in tests/perf/*.sh; do echo "== $$t"; BUILD=$(BUILD) sh $$t || exit 1; done

engines: deps-engines ## compare cpu with ONNX Runtime and OpenVINO (30 min)
	@$(MAKE) all
	@BUILD=$(BUILD) sh tests/perf/engines.sh

EVIDENCE := calibration power decisions until coverage quantiles diagnosis change growth
REPEATS ?= 10000
evidence: deps-evidence deps-engines ## test the statistics, and write docs/evidence.md
	@$(MAKE) all $(addprefix $(BUILD)/tests/,sequences series families quantiles)
	@PATH=$(BUILD)/bin:$$PATH BUILD=$(BUILD) REPEATS=$(REPEATS) nice sh tests/validation/page.sh $(EVIDENCE) >$(BUILD)/evidence.md
	@mv $(BUILD)/evidence.md docs/evidence.md
