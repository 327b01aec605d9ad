/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of processors in /proc/stat; see cpu_ticks.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/cpu_ticks.h"
#include "text/number_set.h"

bool cpu_ticks_parse(struct text stat, const char *cpu, struct cpu_ticks *out)
{
	enum { IDLE = 3, IOWAIT = 4, STEAL = 7, FIELDS };
	size_t len = strlen(cpu);
	const char *at = stat.ptr;

	*out = (struct cpu_ticks){ 0 };
	while (at && (strncmp(at, cpu, len) != 0 || at[len] != ' ')) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	at += len;
	for (int field = 0; field < FIELDS; field++) {
		char *end;
		double ticks;

		at += strspn(at, " ");
		if (!isdigit((unsigned char)*at))
			return false;
		ticks = (double)strtoull(at, &end, 10);
		at = end;
		out->all += ticks;
		if (field == IDLE || field == IOWAIT)
			out->idle += ticks;
		if (field == STEAL)
			out->steal = ticks;
	}
	return true;
}

size_t cpus_busy(struct text before, struct text after, bool *busy)
{
	struct cpu_ticks old, new;
	size_t count = 0;
	char cpu[32];

	for (const char *at = after.ptr; at && (at = strstr(at, "\ncpu")); at++) {
		unsigned long number = strtoul(at + 4, NULL, 10);

		snprintf(cpu, sizeof(cpu), "cpu%lu", number);
		if (number >= CPUS_MAX || !cpu_ticks_parse(before, cpu, &old) ||
		    !cpu_ticks_parse(after, cpu, &new))
			continue;
		busy[number] =
		    new.all > old.all && (new.idle - old.idle) * 2 < new.all - old.all;
		count += busy[number];
	}
	return count;
}
