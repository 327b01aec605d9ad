# benchutils. `make demo` installs what is needed, builds and shows; `make check` tests.
# Everything is listed by hand: a new file is one new word here.

VERSION = 0.1.0
PREFIX = /usr/local
DESTDIR =
BUILD = build
# One name however it is given: what was built knows its headers by it.
override BUILD := $(abspath $(BUILD))

CC = gcc
CFLAGS = -O2 -g
SANITIZE =
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes

# A driver that is there where libpq's header is; the library is loaded when it is used.
have = $(shell printf '%s\n' $(2) | $(CC) $(1) -E - >/dev/null 2>&1 && echo yes)
PQ_CFLAGS = $(shell pkg-config --cflags libpq 2>/dev/null)
PQ_OBJS = $(if $(call have,$(PQ_CFLAGS),'#include <libpq-fe.h>'),db_pq.o db_pq_schema.o pq.o pq_text.o,db_pq_none.o)

LIB_OBJS = \
	absence.o \
	adjust.o \
	ahead.o \
	arena.o \
	attend.o \
	axis.o \
	backends.o \
	base.o \
	batch.o \
	benchmark_lines.o \
	benchmarks.o \
	bootstrap.o \
	call.o \
	call_start.o \
	caller.o \
	caller_rows.o \
	carbon.o \
	ceiling.o \
	change.o \
	change_window.o \
	checksum.o \
	child.o \
	collect.o \
	commit_order.o \
	compare.o \
	compare_judge.o \
	compare_notes.o \
	compare_table.o \
	components.o \
	components_table.o \
	compute.o \
	compute_subject.o \
	contrast.o \
	convert.o \
	count.o \
	counter.o \
	counter_explain.o \
	counting.o \
	counting_user.o \
	db.o \
	db_file.o \
	$(PQ_OBJS) \
	db_sqlite.o \
	db_version.o \
	debug_file.o \
	debug_info.o \
	debug_signature.o \
	decimate.o \
	device_choice.o \
	devices.o \
	diagnose.o \
	diagnosis.o \
	dip.o \
	discover.o \
	dist.o \
	divide.o \
	draw.o \
	dtype.o \
	elf_file.o \
	elf_read.o \
	emit.o \
	ending.o \
	energy.o \
	engine.o \
	engine_load.o \
	event.o \
	event_pfm.o \
	event_probe.o \
	event_set.o \
	exact.o \
	extract.o \
	facet.o \
	factors.o \
	family.o \
	figure.o \
	figure_forest.o \
	figure_kinds.o \
	figure_roofline.o \
	figure_samples.o \
	figure_timeline.o \
	figure_trend.o \
	figure_words.o \
	fill.o \
	filter.o \
	fisher.o \
	fitness.o \
	flame.o \
	flame_judge.o \
	flame_place.o \
	flame_stream.o \
	flame_svg.o \
	flame_text.o \
	flame_words.o \
	floors.o \
	fold.o \
	follow.o \
	formula.o \
	frames.o \
	from.o \
	from_asv.o \
	from_criterion.o \
	from_csv.o \
	from_folded.o \
	from_gbench.o \
	from_go.o \
	from_hyperfine.o \
	from_llama.o \
	from_perf.o \
	from_pyperf.o \
	from_pytest.o \
	function.o \
	fuse.o \
	gate.o \
	gather.o \
	generate.o \
	geomean.o \
	gpu.o \
	graph.o \
	graph_check.o \
	graph_count.o \
	graph_prune.o \
	grid.o \
	group.o \
	health.o \
	heap.o \
	history.o \
	history_notes.o \
	history_range.o \
	history_table.o \
	host.o \
	host_cpu.o \
	host_power.o \
	host_read.o \
	host_stat.o \
	host_virtual.o \
	html.o \
	ident.o \
	idle.o \
	infer.o \
	intern.o \
	interrupt.o \
	jackknife.o \
	json_doc.o \
	keep_dir.o \
	keyed.o \
	kinds.o \
	label.o \
	latest.o \
	launch.o \
	layout.o \
	layout_axes.o \
	layout_names.o \
	ld_cache.o \
	library.o \
	linkage.o \
	live.o \
	live_counters.o \
	maps.o \
	markdown.o \
	markup.o \
	measure.o \
	measure_calls.o \
	merge.o \
	meta.o \
	meter.o \
	metric.o \
	model.o \
	model_build.o \
	model_expand.o \
	model_learn.o \
	model_list.o \
	model_words.o \
	model_words_dense.o \
	model_words_element.o \
	model_words_token.o \
	model_words_value.o \
	naming.o \
	native.o \
	nest.o \
	number_set.o \
	object_file.o \
	opt.o \
	pack.o \
	palette.o \
	parallel.o \
	peaks.o \
	perf_call.o \
	perf_record.o \
	placement.o \
	plan.o \
	plot.o \
	pmu.o \
	points.o \
	power.o \
	power_cap.o \
	power_idle.o \
	power_nvml.o \
	power_perf.o \
	power_pool.o \
	preset.o \
	procfs.o \
	profile.o \
	profile_rows.o \
	progress.o \
	record.o \
	redraw.o \
	ref.o \
	ref_attend.o \
	ref_element.o \
	ref_expert.o \
	ref_matrix.o \
	ref_move.o \
	ref_norm.o \
	ref_operand.o \
	ref_sequence.o \
	render.o \
	repeats.o \
	report.o \
	report_cut.o \
	report_items.o \
	report_parts.o \
	report_seen.o \
	report_verdicts.o \
	resample_pairs.o \
	resample_sides.o \
	rings.o \
	roster.o \
	rows.o \
	runner.o \
	sampler.o \
	schedule.o \
	script.o \
	select.o \
	selection.o \
	share.o \
	sheet.o \
	shift.o \
	sides.o \
	signature.o \
	since_change.o \
	spawn.o \
	speedup.o \
	stacks.o \
	stamp.o \
	stats.o \
	steady.o \
	store.o \
	store_add.o \
	store_check.o \
	store_chunks.o \
	store_export.o \
	store_merge.o \
	store_prune.o \
	store_series.o \
	store_spool.o \
	store_write.o \
	stream.o \
	stub.o \
	stub_plan.o \
	subject.o \
	subject_file.o \
	summary.o \
	symbol.o \
	symbolizer.o \
	tally.o \
	tensor_file.o \
	thresholds.o \
	to_csv.o \
	to_folded.o \
	to_gbench.o \
	to_go.o \
	to_hyperfine.o \
	to_markdown.o \
	to_prometheus.o \
	to_tracker.o \
	top.o \
	tracepoint.o \
	tree.o \
	units.o \
	unmangle.o \
	unpack.o \
	unwind.o \
	usage.o \
	verify.o \
	versions.o \
	watch.o \
	welch.o \
	whiten.o \
	words.o \
	workers.o

TOOLS = \
	bench-compare \
	bench-convert \
	bench-env \
	bench-list \
	bench-prof \
	bench-run \
	bench-stat \
	bench-plot \
	bench-report \
	bench-store

# A small static program that bench-run starts for commands, those that it starts for functions,
# kernels and models, which load them and so are dynamic, and all that is in them.
LIBEXEC = bench-call bench-compute bench-spawn
COUNTING_OBJS = counting.o counting_user.o live_counters.o
SPAWN_OBJS = tool-bench-spawn.o gang.o pin.o $(COUNTING_OBJS)
PROCESS_OBJS = call_process.o call_talk.o call_worker.o crew.o pin.o $(COUNTING_OBJS)
CALL_OBJS = tool-bench-call.o $(PROCESS_OBJS)
COMPUTE_OBJS = tool-bench-compute.o compute_run.o $(PROCESS_OBJS)

# The allocators that bench-prof and bench-run preload into what they measure.
ALLOCS_OBJS = allocs.o real.o
HEAP_OBJS = \
	blocks.o \
	heap.o \
	real.o \
	tally.o \
	trace.o

# The benchmarks of the suites in share/suites, from examples/functions.
BASICS_OBJS = \
	memory.o \
	sort.o

# The plugins of compute device families, each of files in backends/ with what it is linked
# with; built where what it needs is there: have_X is a line that compiles then.
BACKENDS =

# Vectors are made of plain loops: what they need of the compiler stands here.
OPENBLAS_CFLAGS = $(shell pkg-config --cflags openblas 2>/dev/null)
ifneq ($(call have,$(OPENBLAS_CFLAGS),'#include <cblas.h>'),)
BACKENDS += cpu
CPU_DNN = $(call have,,'#include <oneapi/dnnl/dnnl.h>')
endif
cpu_OBJS = \
	cpu.o \
	cpu_avx2.o \
	cpu_avx512.o \
	cpu_blas.o \
	cpu_convert.o \
	$(if $(CPU_DNN),cpu_dnn.o cpu_dnn_conv.o cpu_dnn_layout.o cpu_dnn_plan.o,cpu_dnn_none.o) \
	cpu_gemm.o \
	cpu_im2col.o \
	cpu_plain.o \
	cpu_probe.o \
	cpu_product.o
cpu_LIBS = $(shell pkg-config --libs openblas) $(if $(CPU_DNN),-ldnnl) -fopenmp
cpu_CFLAGS = $(OPENBLAS_CFLAGS) -fopenmp -O3 -fno-math-errno -fno-trapping-math \
	-ffp-contract=fast
# What opencl, cuda and hip share: one host source over three drivers.
GPU_OBJS = \
	gpu.o \
	gpu_cache.o \
	gpu_call.o \
	gpu_element.o \
	gpu_matrix.o \
	gpu_rows.o \
	gpu_sequence.o

ifeq ($(call have,,'#include <CL/cl.h>' '#include <clblast_c.h>'),yes)
BACKENDS += opencl
endif
opencl_OBJS = $(GPU_OBJS) opencl.o opencl_blas.o opencl_program.o
opencl_LIBS = -lclblast -lOpenCL

# Of these two only headers are needed: their libraries are loaded where there are some.
CUDA = $(patsubst %/include/cuda.h,%,$(firstword $(wildcard /usr/local/cuda/include/cuda.h \
	/usr/include/cuda.h)))
ifeq ($(call have,-I$(CUDA)/include,'#include <cuda.h>' '#include <cublas_v2.h>' '#include <nvrtc.h>'),yes)
BACKENDS += cuda
endif
cuda_OBJS = $(GPU_OBJS) cuda.o cudahip.o
$(BUILD)/obj/backend-cuda.o: BACKEND_CFLAGS = -isystem $(CUDA)/include

ifeq ($(call have,-D__HIP_PLATFORM_AMD__,'#include <hip/hip_runtime_api.h>'),yes)
BACKENDS += hip
endif
hip_OBJS = $(GPU_OBJS) cudahip.o hip.o

# Plugins for tests, nearly all of them broken.
TEST_BACKENDS = \
	crashing \
	hanging \
	misnamed \
	no_symbol \
	no_sync \
	other_abi \
	whole

# The sections of docs/evidence.md, scripts in tests/evidence.
EVIDENCE = \
	calibration \
	power \
	coverage \
	diagnosis \
	change

# C tests over the pure parts, one file each in tests/unit.
UNIT_TESTS = \
	backends \
	change \
	contrast \
	convert \
	core \
	diagnose \
	dtype \
	energy \
	engine \
	events \
	figure \
	functions \
	host \
	infer \
	live \
	meta \
	models \
	pack \
	palette \
	procfs \
	profile \
	ref \
	stats \
	units \
	words

# A program that the tests hold backends against ref with.
OP_CHECK_OBJS = op_cases.o op_check.o op_operand.o
# Another that gives tests/statistics.t resamples.
RESAMPLES_OBJS = resamples.o

# What is read at run time, relative to share/.
SHARE = \
	blocks.csv \
	backends/common.cl \
	backends/element.cl \
	backends/expert.cl \
	backends/image.cl \
	backends/matrix.cl \
	backends/norm.cl \
	backends/prelude.cl \
	backends/prelude.cu \
	backends/sequence.cl \
	backends/stream.cl \
	carbon.csv \
	completions/_benchutils \
	completions/benchutils.bash \
	completions/benchutils.fish \
	events/branch.csv \
	events/cache.csv \
	events/cycles.csv \
	events/default.csv \
	events/fp.csv \
	events/tlb.csv \
	events/topdown.csv \
	kernels.csv \
	metrics.csv \
	models/bert-base-uncased.csv \
	models/bert-large-uncased.csv \
	models/clip-vit-base-patch32.csv \
	models/ddpm-cifar10.csv \
	models/distilbert-base-uncased.csv \
	models/dpr-bart.csv \
	models/gpt2.csv \
	models/mamba-130m.csv \
	models/mixtral-small.csv \
	models/resnet50.csv \
	models/sd15-unet.csv \
	models/switch-base-8.csv \
	models/t5-small.csv \
	models/vit-gpt2.csv \
	models/vit_b_16.csv \
	models/wav2vec2-base.csv \
	models/whisper-tiny.csv \
	plots/bar.gp \
	plots/box.gp \
	plots/compare.gp \
	plots/ecdf.gp \
	plots/flame.gp \
	plots/flame.js \
	plots/heat.gp \
	plots/hist.gp \
	plots/line.gp \
	plots/roofline.gp \
	plots/speedup.gp \
	plots/strip.gp \
	plots/style.gp \
	plots/timeline.gp \
	plots/trend.gp \
	report/report.css \
	report/report.js \
	schema.sql \
	suites/large.csv \
	suites/small.csv

# What people copy and change, relative to share/ and installed beside the documentation.
EXAMPLES = \
	ci/bench-ci.sh \
	ci/github-workflow.yml \
	ci/gitlab-ci.yml \
	cron/crontab \
	cron/nightly.conf \
	cron/nightly.sh \
	slurm/bench-fleet.sh \
	slurm/bench-node.sh \
	systemd/bench-nightly.service \
	systemd/bench-nightly.timer

MAN = \
	bench-convert.1 \
	bench-run.1 \
	bench.7 \
	bench.h.3 \
	bench-backend.7 \
	bench-compare.1 \
	bench-csv.5 \
	bench-env.1 \
	bench-events.7 \
	bench-fleet.7 \
	bench-list.1 \
	bench-model.5 \
	bench-plot.1 \
	bench-report.1 \
	bench-prof.1 \
	bench-stat.1 \
	bench-statistics.7 \
	bench-store.1 \
	bench-store.5

TESTS = \
	tests/backend.t \
	tests/batch.t \
	tests/browser.t \
	tests/agree.t \
	tests/ci.t \
	tests/compare.t \
	tests/convert.t \
	tests/cpu.t \
	tests/cron.t \
	tests/devices.t \
	tests/docs.t \
	tests/energy.t \
	tests/env.t \
	tests/events.t \
	tests/evidence.t \
	tests/examples.t \
	tests/flame.t \
	tests/follow.t \
	tests/functions.t \
	tests/gallery.t \
	tests/gate.t \
	tests/generate.t \
	tests/gpu.t \
	tests/heap.t \
	tests/history.t \
	tests/inject.t \
	tests/install.t \
	tests/interval.t \
	tests/isolation.t \
	tests/layers.t \
	tests/list.t \
	tests/manual.t \
	tests/models.t \
	tests/opencl.t \
	tests/opts.t \
	tests/peers.t \
	tests/pipeline.t \
	tests/plot.t \
	tests/pmu.t \
	tests/postgres.t \
	tests/prof.t \
	tests/report.t \
	tests/run.t \
	tests/slurm.t \
	tests/stat.t \
	tests/statistics.t \
	tests/store.t \
	tests/store_crash.t \
	tests/store_faults.t \
	tests/store_keep.t \
	tests/stream.t \
	tests/valgrind.t \
	tests/walk.t \
	tests/verdict.t \
	tests/workers.t

# What building and running need, and what only the tests need (Debian's names).
DEPS = gcc make pkg-config libc6-dev libcsv-dev libjansson-dev libsqlite3-dev libpq-dev libpfm4-dev \
	libelf-dev libdw-dev libiberty-dev libopenblas-dev libdnnl-dev \
	r-mathlib gnuplot-nox git ca-certificates bzip2 xz-utils zstd gzip \
	ocl-icd-opencl-dev opencl-c-headers libclblast-dev
DEPS_PMU = qemu-system-arm cpio gcc-aarch64-linux-gnu libc6-dev-arm64-cross
DEPS_CHECK = jq cmark-gfm perl procps mandoc shellcheck sqlite3 libxml2-utils linux-perf liblzma-dev g++ \
	zlib1g-dev
DEPS_CHECK_OPENCL = pocl-opencl-icd mesa-opencl-icd
DEPS_EVIDENCE = r-base-core
DEPS_PERF = g++ hyperfine libbenchmark-dev datamash miller sqlite3 linux-perf time python3-torch python3-scipy

bindir = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec/benchutils
libdir = $(PREFIX)/lib/benchutils
includedir = $(PREFIX)/include
sharedir = $(PREFIX)/share/benchutils
mandir = $(PREFIX)/share/man
docdir = $(PREFIX)/share/doc/benchutils
bashdir = $(PREFIX)/share/bash-completion/completions
zshdir = $(PREFIX)/share/zsh/site-functions
fishdir = $(PREFIX)/share/fish/vendor_completions.d

Q = $(if $(V),,@)
say = @$(if $(V),true,printf '  %-4s %s\n' $(1) $(2))

PKGS = jansson sqlite3 libRmath libelf libdw
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -DBENCH_VERSION='"$(VERSION)"' $(WARN) $(CFLAGS) $(SANITIZE) \
	-iquote lib -iquote include $(shell pkg-config --cflags $(PKGS)) $(PQ_CFLAGS)
ALL_LDFLAGS = $(LDFLAGS) $(SANITIZE) -Wl,--as-needed
LDLIBS = -lcsv -lpfm -liberty $(shell pkg-config --libs $(PKGS)) -lm

OBJ = $(BUILD)/obj
BINS = $(TOOLS:%=$(BUILD)/bin/%)
LIBEXECS = $(LIBEXEC:%=$(BUILD)/libexec/benchutils/%)
HEAP = $(BUILD)/lib/benchutils/heap.so
ALLOCS = $(BUILD)/lib/benchutils/allocs.so
BASICS = $(BUILD)/lib/benchutils/basics.so
SHARES = $(SHARE:%=$(BUILD)/share/benchutils/%)
PLUGINS = $(BACKENDS:%=$(BUILD)/lib/benchutils/backend-%.so)
UNITS = $(UNIT_TESTS:%=$(BUILD)/tests/%)
OP_CHECK = $(BUILD)/tests/op_check
RESAMPLES = $(BUILD)/tests/resamples
STORE_CUT = $(BUILD)/tests/store_cut
GPU_COMPILES = $(patsubst %,$(BUILD)/tests/gpu_compile-%,$(filter cuda hip,$(BACKENDS)))
TEST_PLUGINS = $(TEST_BACKENDS:%=$(BUILD)/tests/plugins/backend-%.so)
LIB = $(BUILD)/libbench.a

all: $(BINS) $(LIBEXECS) $(ALLOCS) $(HEAP) $(BASICS) $(PLUGINS) $(SHARES)

# Rebuild everything when the flags change.
$(OBJ)/flags: FORCE
	$(Q)mkdir -p $(OBJ)
	$(Q)echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cmp -s - $@ || \
		echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)' >$@

$(OBJ)/%.o: lib/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/tool-%.o: tools/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/unit-%.o: tests/unit/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/test-%.o: tests/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJS:%=$(OBJ)/%)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BINS): $(BUILD)/bin/%: $(OBJ)/tool-%.o $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

# Static, so that the commands it starts inherit next to no memory; see lib/spawn.h.
$(BUILD)/libexec/benchutils/bench-spawn: $(SPAWN_OBJS:%=$(OBJ)/%)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) $(if $(SANITIZE),,-static) -o $@ $^

$(BUILD)/libexec/benchutils/bench-call: $(CALL_OBJS:%=$(OBJ)/%)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -pthread -ldl

$(BUILD)/libexec/benchutils/bench-compute: $(COMPUTE_OBJS:%=$(OBJ)/%) $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS) -pthread -ldl

# Never sanitized, with its own frame pointers, and nothing visible but what it stands before.
$(OBJ)/preload-%.o: preload/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g -fno-omit-frame-pointer -fPIC \
		-fvisibility=hidden -fno-builtin -iquote lib -MMD -MP -c -o $@ $<

$(ALLOCS): $(ALLOCS_OBJS:%=$(OBJ)/preload-%)
$(HEAP): $(HEAP_OBJS:%=$(OBJ)/preload-%)
$(ALLOCS) $(HEAP):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,now -o $@ $^ -pthread -ldl

# What is measured is never sanitized, and always compiled alike.
$(OBJ)/example-%.o: examples/functions/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 $(WARN) -O2 -g -fPIC -I include -MMD -MP -c -o $@ $<

$(BASICS): $(BASICS_OBJS:%=$(OBJ)/example-%)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^

# A backend sees lib/backend.h and what it is an interface to, and shows one symbol.
$(cpu_OBJS:%=$(OBJ)/backend-%): BACKEND_CFLAGS = $(cpu_CFLAGS)
$(OBJ)/backend-%.o: backends/%.c $(OBJ)/flags
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(SANITIZE) -fPIC -fvisibility=hidden \
		-iquote lib $(BACKEND_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDEXPANSION:
$(PLUGINS): $(BUILD)/lib/benchutils/backend-%.so: $$(addprefix $(OBJ)/backend-,$$($$*_OBJS))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -o $@ $^ $($*_LIBS) -lm

$(UNITS): $(BUILD)/tests/%: $(OBJ)/unit-%.o $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

$(TEST_PLUGINS): $(BUILD)/tests/plugins/backend-%.so: tests/backends/%.c tests/backends/whole.h \
		lib/backend.h $(OBJ)/flags
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(SANITIZE) -fPIC -fvisibility=hidden \
		-iquote lib -shared -o $@ $<

# What is loaded is sanitized as this is, and finds the sanitizers in it.
$(OP_CHECK): $(OP_CHECK_OBJS:%=$(OBJ)/test-%) $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS) -ldl

$(RESAMPLES): $(RESAMPLES_OBJS:%=$(OBJ)/test-%) $(LIB)
$(STORE_CUT): $(OBJ)/test-store_cut.o $(LIB)
$(RESAMPLES) $(STORE_CUT):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

$(GPU_COMPILES): $(BUILD)/tests/gpu_compile-%: $(OBJ)/test-gpu_compile.o \
		$$(addprefix $(OBJ)/backend-,$$($$*_OBJS))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -ldl -lm

$(SHARES): $(BUILD)/share/benchutils/%: share/%
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

-include $(wildcard $(OBJ)/*.d)

# Packages: installed by root or through sudo; otherwise the line to type is printed.
define install_packages
	@set -e; missing=; for p in $(1); do \
		dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || \
			missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	line="apt-get install -y -o DPkg::Lock::Timeout=600 --no-install-recommends$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; \
	elif command -v sudo >/dev/null; then sudo=sudo; \
	else echo "please run as root: $$line" >&2; exit 1; fi; \
	echo "installing:$$missing"; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq; \
	$$sudo env DEBIAN_FRONTEND=noninteractive $$line >/dev/null
endef

deps:
	$(call install_packages,$(DEPS))

deps-check: deps
	$(call install_packages,$(DEPS_CHECK))

deps-pmu: deps-check
	$(call install_packages,$(DEPS_PMU))

deps-evidence: deps
	$(call install_packages,$(DEPS_EVIDENCE))

deps-perf: deps
	$(call install_packages,$(DEPS_PERF))

demo: deps
	@$(MAKE) --no-print-directory all
	@sh examples/demo.sh $(BUILD)

# The tests over the build, then again over a build under the sanitizers.
check: deps-check
	@$(MAKE) --no-print-directory tests
	@$(MAKE) --no-print-directory tests BUILD=$(BUILD)/sanitized TEST_CACHE=$(BUILD)/tests/cache \
		SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined' \
		CFLAGS='-O1 -g -fno-omit-frame-pointer'

# Some tests wait for what other processes do, and a machine that is too busy fails them: what
# failed is run once more, alone, and only what fails then, too, is a failure.
tests: all $(UNITS) $(OP_CHECK) $(RESAMPLES) $(STORE_CUT) $(GPU_COMPILES) $(TEST_PLUGINS)
	@export BUILD=$(BUILD) BENCH_TEST_CACHE=$(or $(TEST_CACHE),$(BUILD)/tests/cache) \
		SANITIZED=$(if $(SANITIZE),1); \
	prove() { \
		command prove --statefile $(BUILD)/tests/state --exec 'sh tests/limited.sh' --timer \
			--directives --failures --comments "$$@"; \
	}; \
	prove --state=save -j2 $(UNITS) $(GPU_COMPILES) $(TESTS) || \
	{ echo 'A second try of what failed:' && prove --state=failed; }

# The programs on an emulated machine that has hardware counters.
check-pmu: deps-pmu
	@$(MAKE) --no-print-directory all
	@sh tests/pmu/fetch.sh $(BUILD)/pmu
	@BUILD=$(abspath $(BUILD)) PMU_GUEST=$(abspath $(BUILD))/pmu \
		BENCH_REQUIRE="qemu-system-aarch64 aarch64-linux-gnu-gcc cpio $(abspath $(BUILD))/pmu/vmlinuz" \
		prove tests/pmu.t

# Speed beside the peers: prints ratios, judges nothing.
perf: deps-perf
	@$(MAKE) --no-print-directory all
	@for t in tests/perf/*.sh; do echo "== $$t"; BUILD=$(abspath $(BUILD)) sh $$t || exit 1; done

# What the statistics promise, tried out: minutes. Needs R for the peers' tests.
evidence: deps-evidence
	@$(MAKE) --no-print-directory all
	@PATH=$(BUILD)/bin:$$PATH BUILD=$(BUILD) sh tests/evidence/page.sh $(EVIDENCE) >$(BUILD)/evidence.md
	@mkdir -p docs
	@mv $(BUILD)/evidence.md docs/evidence.md

# docs/gallery.md with its pictures, or into another folder: make gallery GALLERY=/tmp/g
GALLERY = docs
gallery: all
	@PATH=$(BUILD)/bin:$$PATH sh docs/gallery.sh $(GALLERY)

install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libexecdir) $(DESTDIR)$(libdir) $(DESTDIR)$(sharedir) \
		$(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man3 $(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man7
	install $(BINS) $(DESTDIR)$(bindir)
	install $(LIBEXECS) $(DESTDIR)$(libexecdir)
	install -m 644 $(ALLOCS) $(HEAP) $(BASICS) $(PLUGINS) $(DESTDIR)$(libdir)
	install -D -m 644 lib/backend.h $(DESTDIR)$(includedir)/bench-backend.h
	install -D -m 644 include/bench.h $(DESTDIR)$(includedir)/bench.h
	for f in $(SHARE); do install -D -m 644 share/$$f $(DESTDIR)$(sharedir)/$$f || exit 1; done
	for f in $(EXAMPLES); do \
		case $$f in *.sh) mode=755 ;; *) mode=644 ;; esac; \
		install -D -m $$mode share/$$f $(DESTDIR)$(docdir)/examples/$$f || exit 1; \
	done
	for m in $(MAN); do install -m 644 man/$$m $(DESTDIR)$(mandir)/man$${m##*.}/ || exit 1; done

	install -d $(DESTDIR)$(bashdir) $(DESTDIR)$(zshdir) $(DESTDIR)$(fishdir)
	for t in $(TOOLS); do \
		ln -sf ../../benchutils/completions/benchutils.bash $(DESTDIR)$(bashdir)/$$t; \
		ln -sf ../../benchutils/completions/benchutils.fish $(DESTDIR)$(fishdir)/$$t.fish; \
	done
	ln -sf ../../benchutils/completions/_benchutils $(DESTDIR)$(zshdir)/_benchutils

uninstall:
	rm -f $(TOOLS:%=$(DESTDIR)$(bindir)/%) $(TOOLS:%=$(DESTDIR)$(bashdir)/%) \
		$(TOOLS:%=$(DESTDIR)$(fishdir)/%.fish) $(DESTDIR)$(zshdir)/_benchutils
	rm -f $(DESTDIR)$(includedir)/bench.h $(DESTDIR)$(includedir)/bench-backend.h
	rm -rf $(DESTDIR)$(libexecdir) $(DESTDIR)$(libdir) $(DESTDIR)$(sharedir) $(DESTDIR)$(docdir)
	for m in $(MAN); do rm -f $(DESTDIR)$(mandir)/man$${m##*.}/$$m; done

clean:
	rm -rf $(BUILD)

# The tests of the database under faults, with all their counts; some ten minutes.
soak: all $(STORE_CUT)
	BUILD=$(BUILD) SOAK=1 prove --timer tests/store_crash.t

FORCE:
.PHONY: all deps deps-check deps-evidence deps-perf deps-pmu demo check check-pmu tests perf evidence \
	gallery soak install uninstall clean FORCE
.SECONDARY:
