/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tokens by request; see token_requests.h. The offsets t restore the order of the tokens if
 * the rows were sorted by metric. Under load, first_token has no offset, but a sample has
 * only one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "figure/token_requests.h"

struct token_event {
	double t_ns; /* NAN: none */
	double step_ns;
	bool first;
	size_t order; /* in the input */
};

struct token_sample {
	size_t subject;
	int64_t process, sample;
	struct token_event *event;
	size_t count, cap, firsts;
	bool failed, timed_out;
};

struct token_requests *token_requests_open(const struct schema *schema)
{
	static const char *const metric[] = { "metric", "unit" };
	static const char *const sample[] = { "run", "process", "sample", COLUMN_AA };
	struct token_requests *r = mem_zero(1, sizeof(*r));

	r->subjects = groups_open(schema,
	    &(struct group_by){ .provenance = true, .except = metric, .excepts = 2 });
	r->samples = groups_open(schema, &(struct group_by){ .provenance = true,
	                                     .except = metric,
	                                     .excepts = 2,
	                                     .also = sample,
	                                     .alsos = COUNT(sample) });
	return r;
}

static struct token_sample *sample_of(struct token_requests *r, const struct row *row)
{
	size_t i = groups_find(r->samples, row);

	if (i == r->known)
		*VEC_ADD(r->sample, r->known, r->sample_cap) =
		    (struct token_sample){ .subject = groups_find(r->subjects, row),
			    .process = row->process,
			    .sample = row->sample };
	return &r->sample[i];
}

static void note_failed(struct token_sample *s, const struct row *row)
{
	s->failed = true;
	s->timed_out = s->timed_out || text_is(row->cell[COL_STATUS], "timeout");
}

int token_requests_row(struct token_requests *r, const struct row *row, struct fault *f)
{
	struct text metric = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	bool first = text_is(metric, "first_token"), later = text_is(metric, "inter_token");
	struct token_sample *s;

	if (row->sample < 0 && row->sample != ROW_NONE)
		return 0;
	if (!row->ok &&
	    (first || later || text_is(metric, "latency") || text_is(metric, "wall")))
		note_failed(sample_of(r, row), row);
	if ((!first && !later) || !row->ok || !row->has_value)
		return 0;
	if (!text_is(unit, "ns"))
		return fault_set(f, "%s:%" PRIu64 ": %.*s is in '%.*s', not in ns",
		    row->file, row->line, (int)metric.len, metric.ptr, (int)unit.len,
		    unit.ptr);
	if (row->value < 0)
		return fault_set(f,
		    "%s, line %" PRIu64 ": %.*s is %g ns, but a time cannot be below 0",
		    row->file, row->line, (int)metric.len, metric.ptr, row->value);
	s = sample_of(r, row);
	s->firsts += first;
	*VEC_ADD(s->event, s->count, s->cap) =
	    (struct token_event){ row->t == ROW_NONE ? (double)NAN : (double)row->t,
		    row->value, first, s->count };
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct token_event *p = a, *q = b;

	if (p->t_ns != q->t_ns)
		return p->t_ns < q->t_ns ? -1 : 1;
	if (p->first != q->first)
		return p->first ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/* Sorts the events of a sample by time, if their times are known. */
static void order_events(struct token_sample *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct token_event *e = &s->event[i];

		if (e->first && s->firsts == 1)
			e->t_ns = -INFINITY;
		if (isnan(e->t_ns))
			return;
	}
	qsort(s->event, s->count, sizeof(*s->event), by_time);
}

/* Divides the tokens of a sample into requests. */
static void split_sample(struct token_requests *r, struct token_sample *s)
{
	struct token_times *request = NULL;
	size_t iteration = 0;

	if (s->count)
		order_events(s);
	for (size_t i = 0; i < s->count; i++) {
		if (s->event[i].first) {
			request = VEC_ADD(r->request, r->count, r->cap);
			*request = (struct token_times){ .subject = s->subject,
				.process = s->process,
				.sample = s->sample,
				.iteration = iteration++ };
		}
		if (request)
			*VEC_ADD(request->step_ns, request->tokens, request->cap) =
			    s->event[i].step_ns;
		else
			r->unplaced++;
	}
}

void token_requests_finish(struct token_requests *r)
{
	size_t subjects = groups_count(r->subjects);
	bool *generates = mem_zero(subjects, sizeof(*generates));

	for (size_t i = 0; i < r->known; i++)
		if (!r->sample[i].failed)
			split_sample(r, &r->sample[i]);
	for (size_t i = 0; i < r->count; i++)
		generates[r->request[i].subject] = true;
	for (size_t i = 0; i < r->known; i++) {
		bool counts = generates[r->sample[i].subject];

		r->failed += r->sample[i].failed && counts;
		r->timeouts += r->sample[i].timed_out && counts;
	}
	free(generates);
}

void token_requests_close(struct token_requests *r)
{
	for (size_t i = 0; i < r->known; i++)
		free(r->sample[i].event);
	for (size_t i = 0; i < r->count; i++)
		free(r->request[i].step_ns);
	groups_close(r->subjects);
	groups_close(r->samples);
	free(r->sample);
	free(r->request);
	free(r);
}
