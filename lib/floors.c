/*
 * Noise floors; see floors.h. A place has gatherings of its own: a, b, and one for each
 * commit; what they say is computed when first asked for.
 */
#include <math.h>
#include <stdlib.h>

#include "collect.h"
#include "dist.h"
#include "floors.h"
#include "intern.h"
#include "stats.h"

enum { NONE = SIZE_MAX, LEAST_FREEDOM = 2 };
static const char dirty[] = "-dirty";

struct place {
	size_t half[2]; /* gatherings of aa = a and b; NONE: none */
	size_t *code;   /* gatherings of runs of one commit */
	size_t codes, cap;
	bool known; /* the rest is computed */
	double aa;  /* greatest |log ratio|; NAN: unknown */
	double sd, freedom;
};

struct floors {
	struct groups
	    *groups; /* only for the collection: time series tell subjects apart */
	struct collect *collect;
	size_t gatherings;
	struct intern codes; /* of place and commit, to a number in `code` */
	size_t *code;        /* its gathering */
	size_t code_count, code_cap;
	struct buf key;
	struct place *place;
	size_t places;
	struct bootstrap *bootstrap;
};

struct floors *floors_open(const struct schema *schema)
{
	struct floors *f = mem_zero(1, sizeof(*f));

	f->groups = groups_open(schema, &(struct group_by){ 0 });
	f->collect = collect_open(f->groups, COLLECT_IDENTITY);
	f->bootstrap = bootstrap_open();
	return f;
}

static struct place *place_of(struct floors *f, size_t number)
{
	if (number >= f->places) {
		size_t places = 2 * number + 8;

		f->place = mem_resize(f->place, places, sizeof(*f->place));
		while (f->places < places)
			f->place[f->places++] = (struct place){ .half = { NONE, NONE } };
	}
	return &f->place[number];
}

static void add_half(struct floors *f, const struct row *row, size_t place, size_t which)
{
	size_t *half = &place_of(f, place)->half[which];

	if (*half == NONE)
		*half = f->gatherings++;
	collect_into(f->collect, *half, row);
}

static bool is_dirty(struct text commit)
{
	size_t len = sizeof(dirty) - 1;

	return commit.len >= len && memcmp(commit.ptr + commit.len - len, dirty, len) == 0;
}

static void add_code(struct floors *f, const struct row *row, size_t place)
{
	struct text commit = row->cell[COL_COMMIT];
	struct place *p = place_of(f, place);
	size_t number;

	if (is_dirty(commit))
		return;
	f->key.len = 0;
	buf_put(&f->key, &place, sizeof(place));
	buf_text(&f->key, commit);
	number = intern_add(&f->codes, (struct text){ f->key.ptr, f->key.len });
	if (number == f->code_count) {
		*VEC_ADD(f->code, f->code_count, f->code_cap) = f->gatherings;
		*VEC_ADD(p->code, p->codes, p->cap) = f->gatherings++;
	}
	collect_into(f->collect, f->code[number], row);
}

void floors_row(struct floors *f, const struct row *row, size_t place, bool history)
{
	if (row->aa)
		add_half(f, row, place, row->aa == 'b');
	if (history)
		add_code(f, row, place);
}

void floors_finish(struct floors *f)
{
	collect_finish(f->collect);
}

static double measure_halves(
    struct floors *f, const struct place *p, const struct contrast_how *how)
{
	struct contrast aa;
	double bound;

	if (p->half[0] == NONE || p->half[1] == NONE)
		return NAN;
	contrast_measure(collect_group(f->collect, p->half[0]),
	    collect_group(f->collect, p->half[1]), how, f->bootstrap, &aa);
	bound = fabs(log(aa.ratio));
	if (aa.ratio_lo > 0 && aa.ratio_hi > 0)
		bound = fmax(bound, fmax(-log(aa.ratio_lo), log(aa.ratio_hi)));
	return isfinite(bound) ? bound : NAN;
}

struct run_value {
	uint32_t run;
	double value;
};

static int by_run(const void *a, const void *b)
{
	const struct run_value *x = a, *y = b;

	return (x->run > y->run) - (x->run < y->run);
}

/*
 * The logarithms of the locations of the runs of one commit: the sum of squares about their
 * mean is added to *squares, and one less than their number returned. A location that has
 * no logarithm is left out.
 */
static double add_runs(
    const struct collected *from, enum location location, double *squares)
{
	struct run_value *v = mem_resize(NULL, from->count + 1, sizeof(*v));
	double *value = mem_resize(NULL, from->count + 1, sizeof(*value));
	double *log_of = mem_resize(NULL, from->count + 1, sizeof(*log_of)), mean;
	size_t runs = 0;

	for (size_t i = 0; i < from->count; i++)
		v[i] = (struct run_value){ from->identity[i].run, from->value[i] };
	qsort(v, from->count, sizeof(*v), by_run);
	for (size_t i = 0, end; i < from->count; i = end) {
		for (end = i; end < from->count && v[end].run == v[i].run; end++)
			value[end - i] = v[end].value;
		stats_sort(value, end - i);
		mean = location_of(location, value, end - i);
		if (mean > 0)
			log_of[runs++] = log(mean);
	}
	mean = stats_mean(log_of, runs);
	for (size_t i = 0; i < runs; i++)
		*squares += (log_of[i] - mean) * (log_of[i] - mean);
	free(v);
	free(value);
	free(log_of);
	return runs ? (double)runs - 1 : 0;
}

static void learn(struct floors *f, struct place *p, const struct contrast_how *how)
{
	double squares = 0;

	p->known = true;
	p->aa = measure_halves(f, p, how);
	for (size_t i = 0; i < p->codes; i++)
		p->freedom += add_runs(
		    collect_group(f->collect, p->code[i]), how->location, &squares);
	p->sd = sqrt(squares / p->freedom);
}

double floors_margin(struct floors *f, size_t place, const struct contrast_how *how,
    enum basis basis, size_t old_runs, size_t new_runs)
{
	struct place *p;
	double bound;

	if (place >= f->places)
		return NAN;
	p = &f->place[place];
	if (!p->known)
		learn(f, p, how);
	bound = p->aa;
	if (p->freedom >= LEAST_FREEDOM && !basis_is_paired(basis) && old_runs && new_runs)
		bound = fmax(bound,
		    dist_student_quantile_above((1 - how->confidence) / 2, p->freedom) *
		        p->sd * sqrt(1 / (double)old_runs + 1 / (double)new_runs));
	return expm1(bound) + 0.0; /* not -0 */
}

void floors_close(struct floors *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->places; i++)
		free(f->place[i].code);
	free(f->place);
	free(f->code);
	intern_free(&f->codes);
	buf_free(&f->key);
	bootstrap_close(f->bootstrap);
	collect_close(f->collect);
	groups_close(f->groups);
	free(f);
}
