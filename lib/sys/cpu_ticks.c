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

/* Reads the fields of a line after its name. Returns false if there are too few. */
static bool read_ticks(const char *at, struct cpu_ticks *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	double ticks[FIELDS];

	for (int field = 0; field < FIELDS; field++) {
		char *end;

		at += strspn(at, " ");
		if (!isdigit((unsigned char)*at))
			return false;
		ticks[field] = (double)strtoull(at, &end, 10);
		at = end;
	}
	*out = (struct cpu_ticks){ .user = ticks[USER] + ticks[NICE],
		.system = ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ],
		.iowait = ticks[IOWAIT],
		.idle = ticks[IDLE] + ticks[IOWAIT],
		.steal = ticks[STEAL] };
	out->all = out->user + out->system + out->idle + out->steal;
	return true;
}

bool cpu_ticks_parse(struct text stat, const char *cpu, struct cpu_ticks *out)
{
	size_t len = strlen(cpu);
	const char *at = stat.ptr;

	*out = (struct cpu_ticks){ 0 };
	while (at && (strncmp(at, cpu, len) != 0 || at[len] != ' ')) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at && read_ticks(at + len, out);
}

bool cpu_ticks_next(struct text *stat, unsigned *number, struct cpu_ticks *out)
{
	const char *line = stat->ptr, *end = stat->ptr + stat->len;

	while (line && line < end) {
		const char *next = strchr(line, '\n');
		unsigned long found = CPUS_MAX;
		char *rest = NULL;

		if (strncmp(line, "cpu", 3) == 0 && isdigit((unsigned char)line[3]))
			found = strtoul(line + 3, &rest, 10);
		line = next ? next + 1 : end;
		*stat = (struct text){ line, (size_t)(end - line) };
		if (found < CPUS_MAX && read_ticks(rest, out)) {
			*number = (unsigned)found;
			return true;
		}
	}
	return false;
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
