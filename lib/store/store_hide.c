/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces strings that identify machines and users; see store_hide_priv.h. */
#include <stdlib.h>

#include "record/anonymize.h"
#include "record/factors.h"
#include "store/store_hide_priv.h"
#include "store/store_names_priv.h"

struct hidden_factors {
	struct anonymizer *names;
	struct factor *factor;
	size_t count, cap;
};

static struct text hide(struct store *s, struct text column, struct text cell)
{
	return anonymize_cell(s->names, column, TEXT(""), cell);
}

/* Unchanged strings of a factor live until this function returns, so they are copied. */
static void hide_factor(void *ctx, struct factor f)
{
	struct hidden_factors *h = ctx;
	struct text name = anonymize_column(h->names, f.name),
	            value = anonymize_cell(h->names, f.name, TEXT(""), f.value);

	*VEC_ADD(h->factor, h->count, h->cap) =
	    (struct factor){ text_of(mem_text(name.ptr, name.len)),
		    text_of(mem_text(value.ptr, value.len)) };
}

static struct text hide_factors(struct store *s, struct text json, struct buf *out)
{
	struct hidden_factors h = { .names = s->names };

	out->len = 0;
	/* Factors that cannot be read are left out. */
	if (factors_read(json, hide_factor, &h))
		factors_write(out, h.factor, h.count);
	for (size_t i = 0; i < h.count; i++) {
		free((char *)(uintptr_t)h.factor[i].name.ptr);
		free((char *)(uintptr_t)h.factor[i].value.ptr);
	}
	free(h.factor);
	return text_in(out);
}

struct store_point store_hide_point(
    struct store *s, struct store_point p, struct buf *factors)
{
	if (!s->names)
		return p;
	p.bench = anonymize_cell(s->names, TEXT("bench"), p.kind, p.bench);
	p.host = hide(s, TEXT("host"), p.host);
	p.env = hide(s, TEXT("env"), p.env);
	p.commit = hide(s, TEXT("commit"), p.commit);
	p.kind = hide(s, TEXT("kind"), p.kind);
	p.metric = hide(s, TEXT("metric"), p.metric);
	p.unit = hide(s, TEXT("unit"), p.unit);
	p.factors = hide_factors(s, p.factors, factors);
	return p;
}

struct store_point_run store_hide_run(struct store *s, struct store_point_run r)
{
	if (!s->names)
		return r;
	r.run = hide(s, TEXT("run"), r.run);
	r.at = hide(s, TEXT("time"), r.at);
	r.seal = hide(s, TEXT("seal"), r.seal);
	return r;
}

struct store_point_fact store_hide_fact(struct store *s, struct store_point_fact p)
{
	struct text fact = p.fact;

	if (!s->names)
		return p;
	p.env = hide(s, TEXT("env"), p.env);
	p.host = hide(s, TEXT("host"), p.host);
	p.at = hide(s, TEXT("time"), p.at);
	p.fact = anonymize_fact(s->names, fact);
	p.value = anonymize_fact_value(s->names, fact, p.value);
	return p;
}

struct text store_hide_commit(struct store *s, struct text commit)
{
	return s->names ? hide(s, TEXT("commit"), commit) : commit;
}

int store_points_anonymize(struct store *s, struct anonymizer *names, struct fault *f)
{
	const struct store_filter all = { 0 };

	if (store_learn_names(s, &all, names, f) < 0)
		return -1;
	s->names = names;
	return 0;
}
