# SPDX-License-Identifier: GPL-3.0-or-later
#
# The Debian packages that building, running and some targets need.

DEPS := gcc make pkg-config libc6-dev libcsv-dev libjansson-dev libsqlite3-dev libpq-dev libpfm4-dev \
	libelf-dev libdw-dev libiberty-dev zlib1g-dev libutf8proc-dev libjpeg-dev libpng-dev libopenblas-dev libdnnl-dev \
	r-mathlib gnuplot-nox git ca-certificates bzip2 xz-utils zstd gzip \
	ocl-icd-opencl-dev opencl-c-headers libclblast-dev
DEPS_CHECK := jq cmark-gfm asciidoctor perl procps mandoc shellcheck sqlite3 libxml2-utils linux-perf liblzma-dev g++
DEPS_DEB := $(DEPS) binutils dpkg-dev
DEPS_PMU := qemu-system-arm cpio gcc-aarch64-linux-gnu libc6-dev-arm64-cross
DEPS_EVIDENCE := r-base-core
DEPS_ENGINES := python3 python3-venv
DEPS_PEERS := catch2 fio g++ python3 python3-scipy rustc time valgrind wrk
DEPS_PERF := g++ hyperfine libbenchmark-dev datamash miller sqlite3 linux-perf time python3-torch python3-scipy

DEPS_TARGETS := deps deps-check deps-deb deps-pmu deps-evidence deps-peers deps-perf deps-engines
.PHONY: $(DEPS_TARGETS)
deps: ## install the packages that building and running need
deps-check: ## also install the packages that the tests need
deps-deb: ## also install the packages that deb needs
deps-pmu: ## install what check-pmu needs, with a kernel
deps-evidence: ## install the packages that evidence needs
deps-peers: ## install the benchmark programs whose files peers reads
deps-perf: ## install the benchmark programs that perf compares with
deps-engines: ## install engines for the tests in build/venv (0.9 GB)
deps: PACKAGES := $(DEPS)
deps-check: PACKAGES := $(DEPS) $(DEPS_CHECK)
deps-deb: PACKAGES := $(DEPS_DEB)
deps-pmu: PACKAGES := $(DEPS) $(DEPS_CHECK) $(DEPS_PMU)
deps-evidence: PACKAGES := $(DEPS) $(DEPS_EVIDENCE)
deps-peers: PACKAGES := $(DEPS) $(DEPS_PEERS)
deps-perf: PACKAGES := $(DEPS) $(DEPS_PERF)
deps-engines: PACKAGES := $(DEPS_ENGINES)
$(DEPS_TARGETS):
	@sh make/packages.sh $(PACKAGES)
	@rm -f $(BUILD)/config.mk
	@$(if $(filter deps-engines,$@),sh make/engines.sh build/venv)
	@$(if $(filter deps-pmu,$@),sh tests/counters/qemu/fetch.sh $(BUILD)/pmu)
