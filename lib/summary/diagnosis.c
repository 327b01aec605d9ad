/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings of all groups; see diagnosis.h.
 */
#include <math.h>
#include <stdlib.h>

#include "record/subject_groups.h"
#include "stats/infer.h"
#include "summary/diagnosis.h"
#include "summary/group_table.h"
#include "text/display_text.h"
#include "text/plural.h"

struct finding {
	size_t group;
	enum ailment ailment;
	struct symptom symptom;
	double p_adj;
};

struct diagnosis {
	const struct groups *groups;
	struct finding *finding;
	size_t count, cap;
	size_t checked, few; /* groups: with enough values for the checks, and with fewer */
};

/* A value and its position in time; index is its position in the input. */
struct timed_value {
	struct sample_id id;
	int64_t began;
	size_t index;
	double value;
};

/* The values of a group in order of time, divided into segments. */
struct ordered {
	struct timed_value *item;
	double *value;
	size_t *start;
	struct diagnosed d;
};

static int by_identity(const void *a, const void *b)
{
	const struct timed_value *x = a, *y = b;

	return sample_id_order(&x->id, &y->id);
}

static int by_time(const void *a, const void *b)
{
	const struct timed_value *x = a, *y = b;

	if (x->id.run != y->id.run)
		return x->id.run < y->id.run ? -1 : 1;
	if (x->id.process != y->id.process)
		return x->id.process < y->id.process ? -1 : 1;
	if (x->began != y->began)
		return x->began < y->began ? -1 : 1;
	if (x->id.sample != y->id.sample)
		return x->id.sample < y->id.sample ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Returns the values of a group with their identities, allocated. */
static struct timed_value *items_of(struct collect *c, size_t group)
{
	const struct collected *from = collect_group(c, group);
	struct timed_value *item = mem_resize(NULL, from->count + 1, sizeof(*item));

	collect_identify(c, group);
	for (size_t i = 0; i < from->count; i++)
		item[i] = (struct timed_value){ from->identity[i],
			from->began ? from->began[i] : ROW_NONE, i, from->value[i] };
	collect_forget(c, group);
	return item;
}

/* Divides the values into segments: processes, or runs if each process has only one sample.
 */
static void find_segments(struct ordered *o)
{
	size_t processes = 0, n = o->d.n;

	for (size_t i = 1; i < n; i++)
		processes += o->item[i].id.process != o->item[i - 1].id.process;
	for (size_t i = 0; i < n; i++) {
		const struct timed_value *now = &o->item[i], *last = now - (i > 0);

		if (i == 0 || now->id.run != last->id.run ||
		    (processes + 1 < n && now->id.process != last->id.process))
			o->start[o->d.starts++] = i;
	}
}

static void order(struct ordered *o, struct collect *c, size_t group)
{
	const struct collected *from = collect_group(c, group);

	*o = (struct ordered){ .item = items_of(c, group), .d.n = from->count };
	o->value = mem_resize(NULL, from->count + 1, sizeof(*o->value));
	o->start = mem_resize(NULL, from->count + 1, sizeof(*o->start));
	qsort(o->item, from->count, sizeof(*o->item), by_time);
	for (size_t i = 0; i < from->count; i++)
		o->value[i] = o->item[i].value;
	find_segments(o);
	o->d.value = o->value;
	o->d.start = o->start;
}

static void order_done(struct ordered *o)
{
	free(o->item);
	free(o->value);
	free(o->start);
}

static void add_finding(
    struct diagnosis *d, size_t group, enum ailment ailment, struct symptom s)
{
	if (s.certain || !isnan(s.p))
		*VEC_ADD(d->finding, d->count, d->cap) =
		    (struct finding){ group, ailment, s, NAN };
}

static bool is_time(struct text unit)
{
	return text_is(unit, "ns") || text_is(unit, "us") || text_is(unit, "ms") ||
	       text_is(unit, "s");
}

static void find_ailments(
    struct diagnosis *d, size_t group, const struct ordered *o, double alpha)
{
	const double *value = o->d.value;
	size_t n = o->d.n;

	add_finding(d, group, AILMENT_OUTLIERS, diagnose_outliers(value, n, alpha));
	add_finding(d, group, AILMENT_AUTOCORRELATION, diagnose_autocorrelation(&o->d));
	add_finding(d, group, AILMENT_DRIFT, diagnose_drift(&o->d));
	add_finding(d, group, AILMENT_MODES, diagnose_modes(value, n));
	if (is_time(groups_cell(d->groups, group, COL_UNIT)))
		add_finding(d, group, AILMENT_CLOCK, diagnose_clock(value, n));
}

/* Returns the values of another metric for the same samples, in the same order; NULL if it
 * lacks some of them. */
static double *companions(const struct ordered *o, struct collect *c, size_t group)
{
	const struct collected *other = collect_group(c, group);
	struct timed_value *item = items_of(c, group);
	double *value = mem_resize(NULL, o->d.n + 1, sizeof(*value));
	bool whole = true;

	qsort(item, other->count, sizeof(*item), by_identity);
	for (size_t i = 1; i < other->count; i++)
		whole &= by_identity(&item[i - 1], &item[i]) != 0;
	for (size_t i = 0; whole && i < o->d.n; i++) {
		const struct timed_value *at =
		    bsearch(&o->item[i], item, other->count, sizeof(*item), by_identity);

		whole = at;
		value[i] = at ? at->value : 0;
	}
	free(item);
	if (whole)
		return value;
	free(value);
	return NULL;
}

/* The groups of each subject. */
struct relatives {
	struct subject_groups by;
	uint32_t *subject; /* by group */
};

static void relate(struct relatives *r, const struct groups *g)
{
	size_t groups = groups_count(g);

	*r = (struct relatives){ .subject =
		                     mem_resize(NULL, groups + 1, sizeof(*r->subject)) };
	for (size_t i = 0; i < groups; i++)
		r->subject[i] = (uint32_t)subject_groups_add(&r->by, g);
}

static void relatives_free(struct relatives *r)
{
	subject_groups_free(&r->by);
	free(r->subject);
}

/* Returns the group of a subject with a metric, or SUBJECT_END. */
static uint32_t relative(
    const struct relatives *r, const struct groups *g, size_t group, const char *metric)
{
	uint32_t found = SUBJECT_END;

	for (uint32_t i = r->by.first[r->subject[group]]; i != SUBJECT_END;
	    i = r->by.next[i])
		if (text_is(groups_cell(g, i, COL_METRIC), metric))
			found = i;
	return found;
}

static void check_companions(struct diagnosis *d, const struct relatives *r, size_t group,
    const struct ordered *o, struct collect *c)
{
	if (!text_is(groups_cell(d->groups, group, COL_METRIC), "wall"))
		return;
	for (int a = 0; a < AILMENTS; a++) {
		const char *metric = ailments[a].metric;
		uint32_t other =
		    metric ? relative(r, d->groups, group, metric) : SUBJECT_END;
		double *value = other == SUBJECT_END ? NULL : companions(o, c, other);

		if (value)
			add_finding(
			    d, group, (enum ailment)a, diagnose_companion(&o->d, value));
		free(value);
	}
}

/* Keeps the checks that are findings. */
static void sift(struct diagnosis *d, double alpha)
{
	double *p = mem_resize(NULL, d->count + 1, sizeof(*p));
	size_t kept = 0;

	for (size_t i = 0; i < d->count; i++)
		p[i] = d->finding[i].symptom.p;
	infer_holm(p, d->count);
	for (size_t i = 0; i < d->count; i++) {
		if (!(p[i] < alpha || d->finding[i].symptom.certain))
			continue;
		d->finding[kept] = d->finding[i];
		d->finding[kept++].p_adj = p[i];
	}
	d->count = kept;
	free(p);
}

struct diagnosis *diagnosis_open(const struct groups *g, struct collect *c,
    const bool *wanted, const struct inference_opts *opts)
{
	double alpha = 1 - opts->confidence;
	struct diagnosis *d = mem_zero(1, sizeof(*d));
	struct relatives r;

	d->groups = g;
	relate(&r, g);
	for (size_t i = 0; i < groups_count(g); i++) {
		struct ordered o;

		if ((wanted && !wanted[i]) || collect_group(c, i)->several)
			continue;
		*(collect_group(c, i)->count < DIAGNOSE_LEAST ? &d->few : &d->checked) += 1;
		order(&o, c, i);
		find_ailments(d, i, &o, alpha);
		check_companions(d, &r, i, &o, c);
		order_done(&o);
	}
	sift(d, alpha);
	relatives_free(&r);
	return d;
}

size_t diagnosis_count(const struct diagnosis *d)
{
	return d->count;
}

size_t diagnosis_checked(const struct diagnosis *d)
{
	return d->checked;
}

void diagnosis_note(const struct diagnosis *d, struct buf *lines)
{
	if (!d->count && d->checked)
		buf_printf(lines, "no findings in %zu group%s\n", d->checked,
		    plural_s(d->checked));
	if (d->few)
		buf_printf(lines,
		    "%zu group%s fewer than %d values, too few to be checked\n", d->few,
		    plural(d->few, " has", "s have"), DIAGNOSE_LEAST);
}

static void put_meaning(struct buf *b, const struct finding *f)
{
	const struct ailment_type *type = &ailments[f->ailment];

	buf_str(b, type->meaning);
	if (type->before && !isnan(f->symptom.value))
		buf_printf(b, " (%s%.*f%s)", type->before, type->digits,
		    f->symptom.value * type->scale, type->after);
}

static void put_advice(struct buf *b, const struct finding *f)
{
	buf_printf(b, ": %s", ailments[f->ailment].advice);
}

int diagnosis_print(const struct diagnosis *d, const struct output *out)
{
	enum { FINDING, VALUE, P, P_ADJ, MEANING, ADVICE, COLUMNS };
	static const struct render_column columns[COLUMNS] = { { .name = "finding",
		                                                   .kept = true },
		{ .name = "value", .plain_only = true, .rank = 2 },
		{ .name = "p", .plain_only = true, .rank = 4 },
		{ .name = "p_adj", .rank = 3 },
		{ .name = "meaning", .rank = 1, .look = LOOK_PROSE },
		{ .name = "advice", .look = LOOK_PROSE } };
	struct group_table *rows = group_table_open(d->groups, out,
	    &(struct group_table_opts){ .column = columns, .columns = COLUMNS });

	for (size_t i = 0; i < d->count; i++) {
		const struct finding *f = &d->finding[i];
		struct buf meaning = { 0 };
		struct cell cell[COLUMNS] = { 0 };

		put_meaning(&meaning, f);
		cell[FINDING] = CELL_OF_TEXT(text_of(ailments[f->ailment].name));
		cell[VALUE] = CELL_OF_NUMBER(f->symptom.value);
		if (f->ailment == AILMENT_CLOCK)
			cell[VALUE].unit = group_table_unit;
		cell[P] = CELL_OF_NUMBER(f->symptom.p);
		cell[P_ADJ] = CELL_OF_NUMBER(f->p_adj);
		cell[MEANING] = CELL_OF_TEXT((text_in(&meaning)));
		cell[ADVICE] = CELL_OF_TEXT(text_of(ailments[f->ailment].advice));
		group_table_row(rows, f->group, cell);
		buf_free(&meaning);
	}
	return group_table_close(rows);
}

char *diagnosis_line(const struct diagnosis *d, size_t i)
{
	const struct finding *f = &d->finding[i];
	struct buf b = { 0 };
	size_t *id, keys = groups_columns(d->groups, &id);

	for (size_t k = 0; k < keys; k++) {
		struct text t = groups_cell(d->groups, f->group, id[k]);

		if (!t.len || id[k] == COL_UNIT || groups_constant(d->groups, id[k]))
			continue;
		buf_str(&b, b.len ? " " : "");
		if (id[k] != COL_BENCH && id[k] != COL_METRIC)
			buf_printf(&b, "%s=", groups_schema(d->groups)->name[id[k]]);
		display_text_clean(&b, t);
	}
	free(id);
	buf_str(&b, b.len ? ": " : "");
	put_meaning(&b, f);
	put_advice(&b, f);
	return b.ptr;
}

size_t diagnosis_group(const struct diagnosis *d, size_t i)
{
	return d->finding[i].group;
}

char *diagnosis_text(const struct diagnosis *d, size_t i, bool advice)
{
	struct buf b = { 0 };

	put_meaning(&b, &d->finding[i]);
	if (advice)
		put_advice(&b, &d->finding[i]);
	return b.ptr;
}

void diagnosis_close(struct diagnosis *d)
{
	if (d)
		free(d->finding);
	free(d);
}
