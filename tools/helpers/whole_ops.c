/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures operations; see whole_ops.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_io.h"
#include "helper_worker.h"
#include "whole_ops.h"

enum { PASSES = 5, NAME_MAX_BYTES = 256, PART_NAME = 60 };

/* An operation, with its times in the passes so far. */
struct timed_op {
	char name[NAME_MAX_BYTES];
	double ns[PASSES];
	int passes;
};

/* All operations, in the order of the first pass. */
struct timed_ops {
	struct timed_op *op;
	size_t count, next; /* the next operation of this pass */
};

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the operation of this name, which is the next one in most cases. */
static struct timed_op *find_op(struct timed_ops *ops, const char *name)
{
	for (size_t i = 0; i < ops->count; i++) {
		struct timed_op *op = &ops->op[(ops->next + i) % ops->count];

		if (strcmp(op->name, name) == 0) {
			ops->next = (size_t)(op - ops->op) + 1;
			return op;
		}
	}
	ops->op = realloc(ops->op, (ops->count + 1) * sizeof(*ops->op));
	if (!ops->op)
		helper_give_up(HELPER_FAILED, "no memory");
	ops->op[ops->count] = (struct timed_op){ 0 };
	snprintf(ops->op[ops->count].name, NAME_MAX_BYTES, "%s", name);
	ops->next = ++ops->count;
	return &ops->op[ops->count - 1];
}

static void add_time(void *context, const char *node, const char *type, double ns)
{
	struct timed_op *op = find_op(context, node && *node ? node : type);

	if (op->passes < PASSES)
		op->ns[op->passes++] = ns;
}

void whole_ops_report(const struct backend_engine *engine, struct backend_model *m)
{
	struct timed_ops ops = { 0 };
	char why[BACKEND_WHY + 1] = "";

	for (int pass = 0; pass < PASSES; pass++) {
		int status =
		    engine->time_ops ? engine->time_ops(m, add_time, &ops, why) : 1;

		ops.next = 0;
		if (status != 0)
			helper_give_up(HELPER_FAILED, "--ops: %s",
			    status < 0 ? why : "the engine cannot measure operations");
	}
	for (size_t i = 0; i < ops.count; i++) {
		char part[sizeof(((struct helper_extra *)0)->part)];
		struct timed_op *op = &ops.op[i];

		qsort(op->ns, (size_t)op->passes, sizeof(double), by_time);
		snprintf(part, sizeof(part), "%03u %.*s", (unsigned)i, PART_NAME, op->name);
		helper_tell(METRIC_WALL, part, op->ns[op->passes / 2]);
	}
	free(ops.op);
}
