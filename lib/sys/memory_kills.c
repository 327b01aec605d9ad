/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See memory_kills.h. The kernel counts a killed process in its own group, and in version
 * 2 also in the groups above; so the innermost group that has the number counts.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sys/control_group.h"
#include "sys/memory_kills.h"
#include "text/plural.h"
#include "text/units.h"

/* Version 1 has this limit, rounded down to a page, if there is none. */
static const double no_limit = 9.2e18;

struct reading {
	struct memory_kills *out;
	bool has_group;
};

static double group_limit(const struct kernel_files *files, const char *group)
{
	struct buf line = { 0 };
	double limit = 0;

	if ((control_group_line(files, group, "memory.max", &line) ||
	        control_group_line(files, group, "memory.limit_in_bytes", &line)) &&
	    isdigit((unsigned char)line.ptr[0]))
		limit = strtod(line.ptr, NULL);
	buf_free(&line);
	return limit < no_limit ? limit : 0;
}

static bool read_group(void *ctx, const struct kernel_files *files, const char *group)
{
	struct reading *r = ctx;
	const double limit = group_limit(files, group);

	if (limit > 0 && (r->out->limit <= 0 || limit < r->out->limit))
		r->out->limit = limit;
	r->has_group = r->has_group ||
	               control_group_count(
	                   files, group, "memory.events", "oom_kill", &r->out->group) ||
	               control_group_count(
	                   files, group, "memory.oom_control", "oom_kill", &r->out->group);
	return true;
}

void memory_kills(const struct kernel_files *files, struct memory_kills *out)
{
	struct reading r = { .out = out };

	*out = (struct memory_kills){ 0 };
	control_groups_each(files, "memory", read_group, &r);
	control_group_count(files, "proc", "vmstat", "oom_kill", &out->machine);
}

void memory_kills_explain(
    const struct memory_kills *before, const struct memory_kills *after, struct buf *line)
{
	const bool here = after->group > before->group;
	uint64_t killed = 0;
	char limit[32];

	if (here)
		killed = after->group - before->group;
	else if (after->machine > before->machine)
		killed = after->machine - before->machine;
	if (!killed)
		return;
	buf_printf(line,
	    "the kernel killed %" PRIu64 " process%s of the %s for lack of memory", killed,
	    plural(killed, "", "es"), here ? "control group" : "machine");
	if (here && after->limit > 0) {
		units_print(limit, sizeof(limit), after->limit, "B");
		buf_printf(line, ", of which the group may use %s", limit);
	}
	buf_str(line, here ? "; samples that failed with SIGKILL may be among them\n"
	                   : ", perhaps samples, which then failed with SIGKILL\n");
}
