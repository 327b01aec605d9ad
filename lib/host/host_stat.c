/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches /proc/stat for a while: which processors are busy.
 */
#include <stdlib.h>
#include <time.h>

#include "host/host.h"
#include "host/host_read.h"
#include "sys/cpu_ticks.h"
#include "text/number_set.h"

/* Marks the processors that share a core with a busy one and are not busy themselves. */
static void siblings_of(struct host_source *s, const bool *busy, bool *siblings)
{
	struct buf path = { 0 }, list = { 0 };

	for (unsigned i = 0; i < CPUS_MAX; i++) {
		if (!busy[i])
			continue;
		path.len = list.len = 0;
		buf_printf(
		    &path, "sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", i);
		if (kernel_file_line(&s->files, path.ptr, &list))
			cpu_list_parse(text_in(&list), siblings);
	}
	for (unsigned i = 0; i < CPUS_MAX; i++)
		siblings[i] = siblings[i] && !busy[i];
	buf_free(&path);
	buf_free(&list);
}

static void add_list(struct host *h, const char *name, const bool *set)
{
	struct buf list = { 0 };

	cpu_list_put(&list, set);
	host_add(h, name, NULL, false, text_in(&list));
	buf_free(&list);
}

int host_watch(struct host *h, const char *root, unsigned ms, struct fault *f)
{
	struct timespec pause = { ms / 1000, (long)(ms % 1000) * 1000000 };
	bool *busy = mem_zero(CPUS_MAX, sizeof(bool)),
	     *siblings = mem_zero(CPUS_MAX, sizeof(bool));
	struct buf before = { 0 }, after = { 0 };
	struct host_source s;
	int status = host_source_open(&s, root, f);

	if (status == 0 && kernel_file_read(&s.files, "proc/stat", &before)) {
		nanosleep(&pause, NULL);
		if (kernel_file_read(&s.files, "proc/stat", &after)) {
			cpus_busy(text_in(&before),
			    text_in(&after), busy);
			siblings_of(&s, busy, siblings);
			add_list(h, "busy_cpus", busy);
			add_list(h, "busy_siblings", siblings);
		}
	}
	if (status == 0) {
		host_keep_failure(h, &s);
		host_source_close(&s);
	}
	free(busy);
	free(siblings);
	buf_free(&before);
	buf_free(&after);
	return status;
}
