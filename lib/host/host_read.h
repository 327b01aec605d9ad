/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The readers behind host.h, a function for each way in which a fact is found. A reader
 * puts the value into out, or nothing when it is not to be known. All paths are relative to
 * the source's root.
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
		struct buf name; /* as "1 Data" */
		double size_bytes;
	} cache[8];
	size_t caches;
	struct working_counters live; /* once they were tried */
	bool live_tried;
	struct buf openblas; /* its version and core, a line each, once read */
	bool openblas_asked;
	struct kernel_failure failure; /* of the files */
	char *refusal; /* of a library that did not answer, and why; NULL: none */
};

int host_source_open(struct host_source *s, const char *root, struct fault *f);
void host_source_close(struct host_source *s);
/*
 * Keeps the first failure of a source for host_explain. A changing fact that only root may
 * read is no failure: energy_access reports it, and the others are known to be missing.
 */
void host_keep_failure(struct host *h, const struct host_source *s);

typedef void host_reader(struct host_source *s, const char *arg, struct buf *out);

/*
 * Returns the value behind "key:" or "key=" in a text of lines; the keys are tried in turn,
 * "a|b". Empty when there is none.
 */
struct text host_key_value(struct text lines, const char *keys, char separator);
void host_put_value(struct buf *out, double x); /* as number_print */

/* Any file: arg is a path. */
host_reader host_read_line;   /* its first line */
host_reader host_read_chosen; /* the word in brackets */
host_reader host_read_list;   /* its first line, "none" when that is empty */
host_reader host_read_khz;    /* kHz as Hz */
/* The processor. */
host_reader host_read_cpuinfo; /* arg: keys of /proc/cpuinfo */
host_reader host_read_threads;
host_reader
    host_read_siblings; /* arg: the list of siblings: counts how many lists there are */
host_reader host_read_smt;
host_reader host_read_list_size; /* how many a list such as 0-3,8 names */
host_reader host_read_cache;     /* arg: level and type, as "1 Data" */
host_reader host_read_turbo;
host_reader
    host_read_policies; /* arg: a file of the frequency policies: its distinct lines */
host_reader host_read_mitigations;
host_reader host_read_frequency;
host_reader host_read_throttled;
host_reader host_read_temperature;
/* Time, from /proc/stat. */
host_reader host_read_steal;
/* The system. */
host_reader host_read_os;
host_reader host_read_hypervisor;
host_reader host_read_container;
host_reader host_read_memory_total;
host_reader host_read_meminfo; /* arg: a key of /proc/meminfo */
host_reader host_read_swap_used;
host_reader host_read_load;
host_reader host_read_allowed;
host_reader host_read_quota;
host_reader host_read_power_source;
host_reader host_read_energy_domains;
host_reader host_read_energy_access; /* the source, or "denied" */
/* System calls; nothing unless the source is live. */
host_reader host_read_arch;
host_reader host_read_page_size;
host_reader host_read_libc;
host_reader host_read_counters; /* arg: "all" or "dead" */
host_reader host_read_openblas; /* arg: "version" or "core" */

#endif
