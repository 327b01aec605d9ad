/*
 * perf_event_open(2) for counters that count a whole processor or package, as those of a
 * recorded tree too: there the count stands as text in
 * perf/type-TYPE/config-CONFIG/cpu-CPU below the root (numbers in decimal), and a file that
 * may not be read is a counter that may not be opened.
 */
#ifndef PERF_CALL_H
#define PERF_CALL_H

#include "sys/kernel_files.h"

/* A descriptor, or -1 and errno. */
int perf_call_open(const struct kernel_files *t, uint32_t type, uint64_t config, int cpu);
bool perf_call_read(const struct kernel_files *t, int fd, uint64_t *count);

#endif
