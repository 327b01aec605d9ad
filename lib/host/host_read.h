/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The readers of facts for host.c. A reader appends the value of a fact to out, or nothing
 * if the machine does not provide the fact. All paths are relative to the root of the
 * source.
 */
#ifndef HOST_HOST_READ_H
#define HOST_HOST_READ_H

#include "host/host.h"
#include "sys/kernel_files.h"
#include "sys/working_counters.h"

struct host_source {
	struct kernel_files files;
	struct buf cpuinfo; /* the beginning of /proc/cpuinfo */
	struct host_cache {
		struct buf name; /* level and type, for example "1 Data" */
		double size_bytes;
	} cache[8];
	size_t caches;
	struct working_counters counters; /* valid if counters_tried is set */
	bool counters_tried;
	struct buf openblas; /* lines with version and core, if openblas_asked is set */
	bool openblas_asked;
	struct buf gpus; /* lines with facts of GPUs, if gpus_asked is set */
	bool gpus_asked;
	struct kernel_failure failure; /* first file that could not be read */
	char *refusal; /* library that could not be asked, and the reason; or NULL */
};

/* Opens the files below root and reads the beginning of /proc/cpuinfo. Returns 0 or -1. */
int host_source_open(struct host_source *s, const char *root, struct fault *f);
void host_source_close(struct host_source *s);
/*
 * Keeps the first failure of a source for host_explain. A fact that is not stable and that
 * only root may read is not a failure: energy_access reports energy counters that may not
 * be read.
 */
void host_keep_failure(struct host *h, const struct host_source *s);

typedef void host_reader(struct host_source *s, const char *arg, struct buf *out);

/*
 * Returns the value after "key:" or "key=" in a string of lines. keys are alternatives,
 * "a|b"; the first with a value is used. Returns an empty string if there is none.
 */
struct text host_key_value(struct text lines, const char *keys, char separator);
/* Appends a number as number_print does. */
void host_put_value(struct buf *out, double x);

/* Readers of any file: arg is the path. */
host_reader host_read_line;   /* the first line */
host_reader host_read_chosen; /* the word in brackets */
host_reader host_read_list;   /* the first line, or "none" if it is empty */
host_reader host_read_khz;    /* a number of kHz, converted to Hz */
/* Readers of facts about the processor. */
host_reader host_read_cpuinfo; /* arg: keys of /proc/cpuinfo */
host_reader host_read_threads;
host_reader host_read_siblings; /* arg: file with siblings; counts the groups of siblings */
host_reader host_read_smt;
host_reader host_read_list_size; /* size of a list such as 0-3,8 */
host_reader host_read_cache;     /* arg: level and type, as "1 Data" */
host_reader host_read_turbo;
host_reader host_read_policies; /* arg: file of the frequency policies; distinct lines */
host_reader host_read_mitigations;
host_reader host_read_frequency;
host_reader host_read_throttled;
host_reader host_read_temperature;
/* Readers of facts about the system. */
host_reader host_read_os;
host_reader host_read_hypervisor;
host_reader host_read_container;
host_reader host_read_steal;
host_reader host_read_memory_total;
host_reader host_read_meminfo; /* arg: a key of /proc/meminfo */
host_reader host_read_swap_used;
host_reader host_read_load;
host_reader host_read_allowed;
host_reader host_read_quota;
host_reader host_read_power_source;
host_reader host_read_energy_domains;
host_reader host_read_energy_access; /* the name of the source, or "denied" */
/* Reader of facts about GPUs: arg is the name of a fact. */
host_reader host_read_gpu;
/* Readers that ask the running system; they return nothing for a copied root. */
host_reader host_read_arch;
host_reader host_read_page_size;
host_reader host_read_libc;
host_reader host_read_counters; /* arg: "all" or "dead" */
host_reader host_read_openblas; /* arg: "version" or "core" */

#endif
