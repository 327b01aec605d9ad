/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports operations; see whole_ops.h.
 */
#include <stdio.h>

#include "helper_io.h"
#include "helper_worker.h"
#include "whole_ops.h"

enum { NAME_SHOWN = 60 };

/* Reports an operation, by its number among all. */
static void report_op(void *context, const char *node, const char *type, double ns)
{
	unsigned *number = context;
	char part[sizeof(((struct helper_extra *)0)->part)];

	snprintf(part, sizeof(part), "%03u %.*s", (*number)++, NAME_SHOWN,
	    node && *node ? node : type);
	helper_tell(METRIC_WALL, part, ns);
}

void whole_ops_report(const struct backend_engine *engine, struct backend_model *m)
{
	char why[BACKEND_WHY + 1] = "";
	unsigned number = 0;
	int status = engine->time_ops ? engine->time_ops(m, report_op, &number, why) : 1;

	if (status != 0)
		helper_give_up(HELPER_FAILED, "--ops: %s",
		    status < 0 ? why : "the engine cannot measure operations");
}
