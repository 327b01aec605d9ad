/*
 * What the processors did with their time, from the ticks in /proc/stat; proc_stat(5) names
 * its fields.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host.h"
#include "host_read.h"
#include "number_set.h"

struct ticks {
	double all, idle, steal;
};

/* The fields behind "cpu" or "cpu3". False when the text has no such line. */
static bool ticks_of(struct text stat, const char *cpu, struct ticks *out)
{
	enum { IDLE = 3, IOWAIT = 4, STEAL = 7, FIELDS };
	size_t len = strlen(cpu);
	const char *at = stat.ptr;

	*out = (struct ticks){ 0 };
	while (at && (strncmp(at, cpu, len) != 0 || at[len] != ' ')) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	at += len;
	for (int field = 0; field < FIELDS; field++) {
		char *end;
		double ticks = (double)strtoull(at, &end, 10);

		at = end;
		out->all += ticks;
		if (field == IDLE || field == IOWAIT)
			out->idle += ticks;
		if (field == STEAL)
			out->steal = ticks;
	}
	return true;
}

/* The hypervisor's share since boot, in per cent with two decimals. */
void read_steal(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf stat = { 0 };
	struct ticks t;

	(void)arg;
	if (tree_file(&s->tree, "proc/stat", &stat) &&
	    ticks_of((struct text){ stat.ptr, stat.len }, "cpu", &t) && t.all > 0)
		put_value(out, round(t.steal / t.all * 10000) / 100);
	buf_free(&stat);
}

size_t cpus_busy(struct text before, struct text after, bool *busy)
{
	struct ticks old, new;
	size_t count = 0;
	char cpu[32];

	for (const char *at = after.ptr; at && (at = strstr(at, "\ncpu")); at++) {
		unsigned long number = strtoul(at + 4, NULL, 10);

		snprintf(cpu, sizeof(cpu), "cpu%lu", number);
		if (number >= CPUS_MAX || !ticks_of(before, cpu, &old) ||
		    !ticks_of(after, cpu, &new))
			continue;
		busy[number] =
		    new.all > old.all && (new.idle - old.idle) * 2 < new.all - old.all;
		count += busy[number];
	}
	return count;
}

/* Mark the processors that share a core with a busy one and are not busy themselves. */
static void siblings_of(struct host_source *s, const bool *busy, bool *siblings)
{
	struct buf path = { 0 }, list = { 0 };

	for (unsigned i = 0; i < CPUS_MAX; i++) {
		if (!busy[i])
			continue;
		path.len = list.len = 0;
		buf_printf(
		    &path, "sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", i);
		if (tree_line(&s->tree, path.ptr, &list))
			cpu_list_parse((struct text){ list.ptr, list.len }, siblings);
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
	host_add(h, name, NULL, false, (struct text){ list.ptr, list.len });
	buf_free(&list);
}

int host_watch(struct host *h, const char *root, unsigned ms, struct fault *f)
{
	struct timespec pause = { ms / 1000, (long)(ms % 1000) * 1000000 };
	bool *busy = mem_zero(CPUS_MAX, sizeof(bool)),
	     *siblings = mem_zero(CPUS_MAX, sizeof(bool));
	struct buf before = { 0 }, after = { 0 };
	struct host_source s;
	int status = source_open(&s, root, f);

	if (status == 0 && tree_file(&s.tree, "proc/stat", &before)) {
		nanosleep(&pause, NULL);
		if (tree_file(&s.tree, "proc/stat", &after)) {
			cpus_busy((struct text){ before.ptr, before.len },
			    (struct text){ after.ptr, after.len }, busy);
			siblings_of(&s, busy, siblings);
			add_list(h, "busy_cpus", busy);
			add_list(h, "busy_siblings", siblings);
		}
	}
	if (status == 0)
		source_close(&s);
	free(busy);
	free(siblings);
	buf_free(&before);
	buf_free(&after);
	return status;
}
