/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the request; see helper_request.h.
 */
#include <math.h>
#include <string.h>

#include "counters/counter_scale.h"
#include "helper/helper_request.h"
#include "text/units.h"

static void put_string(struct buf *b, const char *s)
{
	buf_put(b, s ? s : "", s ? strlen(s) + 1 : 1);
}

/* Appends the strings of a request, in the order of helper_proto.h. */
static void put_texts(struct buf *out, const struct helper_opts *g)
{
	put_string(out, g->object);
	put_string(out, g->symbol);
	put_string(out, g->set_up);
	put_string(out, g->tear_down);
	for (size_t i = 0; i < g->params; i++) {
		put_string(out, g->param[i].name);
		put_string(out, g->param[i].value);
	}
	for (size_t i = 0; i < g->job_texts; i++)
		put_string(out, g->job_text[i]);
}

static void put_events(struct buf *out, const struct counter_set *counters)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct wire_event e = counter_wire_event(&counters->counter[i]);

		buf_put(out, &e, sizeof(e));
	}
}

/* Appends the numbers of parameters; NAN for other values. */
static void put_numbers(struct buf *out, const struct binding *param, size_t params)
{
	for (size_t i = 0; i < params; i++) {
		struct helper_param p;
		struct fault ignored;

		if (units_number(param[i].value, &p.number, &ignored) < 0)
			p.number = NAN;
		buf_put(out, &p, sizeof(p));
	}
}

void helper_request_put(struct buf *out, const struct helper_opts *g)
{
	struct helper_request r = { .kind = g->kind,
		.threads = g->threads,
		.processes = g->processes,
		.pinned = g->cpus != NULL,
		.family = g->family,
		.events = (uint32_t)g->counters->count,
		.params = (uint32_t)g->params,
		.job_size = (uint32_t)g->job_size,
		.job_texts = (uint32_t)g->job_texts,
		.loaded = g->loaded,
		.generates = g->generates,
		.items = g->items,
		.bytes = g->bytes };
	struct buf texts = { 0 };

	put_texts(&texts, g);
	r.text_size = (uint32_t)texts.len;
	buf_put(out, &r, sizeof(r));
	put_events(out, g->counters);
	put_numbers(out, g->param, g->params);
	buf_put(out, g->job, g->job_size);
	buf_text(out, text_in(&texts));
	buf_free(&texts);
}
