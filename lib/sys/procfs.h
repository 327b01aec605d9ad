/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel's files about a process say; see proc(5). Pure: texts in, numbers out.
 */
#ifndef SYS_PROCFS_H
#define SYS_PROCFS_H

#include "base/base.h"

/* Of /proc/PID/stat, whatever stands in the name of the command. */
struct procfs_stat {
	char state;
	uint64_t threads;
	uint64_t reaped_ticks; /* processor time of children that were waited for */
	uint64_t start_ticks;  /* when it began, after boot: tells two with one pid apart */
};
bool procfs_stat(struct text file, struct procfs_stat *out);

/*
 * Reads the resident pages of /proc/PID/statm. Returns false when the process has given up
 * its memory, as all do while they end, or the file cannot be read: 0 pages are not a
 * value.
 */
bool procfs_resident_pages(struct text file, uint64_t *pages);

/* Finds the number after "key:" at the start of a line, as in status, io and smaps_rollup.
 */
bool procfs_value(struct text file, const char *key, uint64_t *out);

/* Takes the next number off a list that spaces separate. Returns false at its end. */
bool procfs_next(struct text *list, uint64_t *out);

#endif
