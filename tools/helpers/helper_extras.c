/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects further numbers for answers; see helper_extras.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "helper_extras.h"
#include "helper_io.h"
#include "helper_spans.h"

static struct {
	struct helper_extra *item;
	size_t count, cap;
} told;

void helper_tell(enum run_metric metric, const char *part, double value)
{
	struct helper_extra *e;

	if (told.count == told.cap) {
		told.cap = told.cap ? told.cap * 2 : 16;
		told.item = realloc(told.item, told.cap * sizeof(*told.item));
		if (!told.item)
			helper_give_up(HELPER_FAILED, "no memory");
	}
	e = &told.item[told.count++];
	*e = (struct helper_extra){ .metric = metric, .value = value };
	snprintf(e->part, sizeof(e->part), "%s", part ? part : "");
}

void helper_send_answer(struct helper_answer *a)
{
	a->extras = (uint32_t)told.count;
	a->spans = helper_spans_count();
	helper_send(a, sizeof(*a));
}

void helper_forget_extras(void)
{
	told.count = 0;
}

void helper_send_extras(void)
{
	helper_send(told.item, told.count * sizeof(*told.item));
	told.count = 0;
	helper_spans_send();
}
