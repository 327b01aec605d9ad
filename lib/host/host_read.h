/*
 * The readers behind host.h, a function for each way in which a fact is found. A reader
 * puts the value into out, or nothing when it is not to be known. All paths are relative to
 * the source's root.
 */
#ifndef HOST_READ_H
#define HOST_READ_H

#include "sys/working_counters.h"
#include "sys/kernel_files.h"

struct host_source {
	struct tree tree;
	struct buf cpuinfo; /* the beginning of /proc/cpuinfo */
	struct host_cache {
		struct buf sort; /* as "1 Data" */
		double size_bytes;
	} cache[8];
	size_t caches;
	struct live_counters live; /* once they were tried */
	bool live_tried;
};

int source_open(struct host_source *s, const char *root, struct fault *f);
void source_close(struct host_source *s);

typedef void host_reader(struct host_source *s, const char *arg, struct buf *out);

/*
 * The value behind "key:" or "key=" in a text of lines; the keys are tried in turn, "a|b".
 * Empty when there is none.
 */
struct text key_value(struct text lines, const char *keys, char separator);
void put_value(struct buf *out, double x); /* as number_print */

/* Any file: arg is a path. */
host_reader read_line;   /* its first line */
host_reader read_chosen; /* the word in brackets */
host_reader read_list;   /* its first line, "none" when that is empty */
host_reader read_khz;    /* kHz as Hz */
/* The processor. */
host_reader read_cpuinfo; /* arg: keys of /proc/cpuinfo */
host_reader read_threads;
host_reader read_siblings; /* arg: the list of siblings: counts how many lists there are */
host_reader read_smt;
host_reader read_list_size; /* how many a list such as 0-3,8 names */
host_reader read_cache;     /* arg: level and type, as "1 Data" */
host_reader read_turbo;
host_reader read_policies; /* arg: a file of the frequency policies: its distinct lines */
host_reader read_mitigations;
host_reader read_frequency;
host_reader read_throttled;
host_reader read_temperature;
/* Time, from /proc/stat. */
host_reader read_steal;
/* The system. */
host_reader read_os;
host_reader read_hypervisor;
host_reader read_container;
host_reader read_memory_total;
host_reader read_meminfo; /* arg: a key of /proc/meminfo */
host_reader read_swap_used;
host_reader read_load;
host_reader read_allowed;
host_reader read_quota;
host_reader read_power_source;
host_reader read_energy_domains;
host_reader read_energy_access; /* the source, or "denied" */
/* System calls; nothing unless the source is live. */
host_reader read_arch;
host_reader read_page_size;
host_reader read_libc;
host_reader read_counters; /* arg: "all" or "dead" */
host_reader read_openblas; /* arg: "version" or "core" */

#endif
