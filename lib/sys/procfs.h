/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the kernel's files about a process and the machine; see proc(5). Pure.
 */
#ifndef SYS_PROCFS_H
#define SYS_PROCFS_H

#include "base/base.h"

/* Fields of /proc/PID/stat. */
struct procfs_stat {
	char state;
	uint64_t threads;
	uint64_t faults;       /* page faults, without those of children */
	uint64_t reaped_ticks; /* processor time of children that were waited for */
	uint64_t reaped_faults; /* page faults of these children */
	uint64_t start_ticks; /* when it began, after boot; distinguishes processes with one
	                         pid */
};
/* Parses /proc/PID/stat. The name of the command may contain any character. Returns false
 * if the file has another format. */
bool procfs_stat(struct text file, struct procfs_stat *out);

/*
 * Reads the resident pages in /proc/PID/statm. Returns false if the file cannot be parsed
 * or the number is 0, because a process that ends has released its memory.
 */
bool procfs_resident_pages(struct text file, uint64_t *pages);

/* Finds the number after "key:" at the start of a line, as in status, io and smaps_rollup.
 */
bool procfs_value(struct text file, const char *key, uint64_t *out);

/* Finds the number after "key " at the start of a line, as in stat and vmstat. */
bool procfs_count(struct text file, const char *key, uint64_t *out);

/* Removes the next number from a list separated by spaces. Returns false at its end. */
bool procfs_next(struct text *list, uint64_t *out);

#endif
