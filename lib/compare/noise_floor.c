/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Noise floors; see noise_floor.h. A place has gatherings for a, for b and for each commit.
 * Their statistics are computed when they are first needed.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "compare/duplicates.h"
#include "compare/noise_floor.h"
#include "record/collect.h"
#include "stats/dist.h"
#include "stats/stats.h"

enum { NONE = SIZE_MAX, LEAST_FREEDOM = 2 };
static const char dirty[] = "-dirty";

/* The tier of the values of each basis. Values of a higher tier vary more. */
static const enum tier tier_of[] = {
	[BASIS_NONE] = TIER_SAMPLE,
	[BASIS_BLOCK] = TIER_SAMPLE,
	[BASIS_SAMPLE] = TIER_SAMPLE,
	[BASIS_PROCESS] = TIER_PROCESS,
	[BASIS_PROCESS_PAIR] = TIER_PROCESS,
	[BASIS_RUN] = TIER_RUN,
	[BASIS_RUN_PAIR] = TIER_RUN,
	[BASIS_PAIR] = TIER_RUN,
};

struct place {
	size_t half[2]; /* gatherings of aa = a and b; NONE: none */
	size_t *code;   /* gatherings of runs of one commit */
	size_t codes, cap;
	bool known;   /* the following fields are computed */
	bool few;     /* the A/A has too few pairs for an interval */
	double aa;    /* largest |log ratio|; NAN: unknown */
	double pairs; /* number of blocks, processes or runs of the A/A */
	enum tier tier;
	double sd, freedom;
};

struct noise_floor {
	struct groups
	    *groups; /* for the collection, which distinguishes time series by subject */
	struct collect *collect;
	size_t gatherings;
	struct intern codes; /* (place, commit) -> index of `code` */
	size_t *code;        /* gatherings */
	size_t code_count, code_cap;
	struct buf key;
	struct place *place;
	size_t places;
};

struct noise_floor *noise_floor_open(const struct schema *schema)
{
	struct noise_floor *f = mem_zero(1, sizeof(*f));

	f->groups = groups_open(schema, &(struct group_by){ 0 });
	f->collect = collect_open(f->groups, COLLECT_IDENTITY | COLLECT_SAMPLES);
	return f;
}

static struct place *place_of(struct noise_floor *f, size_t number)
{
	if (number >= f->places) {
		size_t places = 2 * number + 8;

		f->place = mem_resize(f->place, places, sizeof(*f->place));
		while (f->places < places)
			f->place[f->places++] = (struct place){ .half = { NONE, NONE } };
	}
	return &f->place[number];
}

static void add_half(
    struct noise_floor *f, const struct row *row, size_t place, size_t which)
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

static void add_code(struct noise_floor *f, const struct row *row, size_t place)
{
	struct text commit = row->cell[COL_COMMIT];
	struct place *p = place_of(f, place);
	size_t number;

	if (is_dirty(commit))
		return;
	f->key.len = 0;
	buf_put(&f->key, &place, sizeof(place));
	buf_text(&f->key, commit);
	number = intern_add(&f->codes, text_in(&f->key));
	if (number == f->code_count) {
		*VEC_ADD(f->code, f->code_count, f->code_cap) = f->gatherings;
		*VEC_ADD(p->code, p->codes, p->cap) = f->gatherings++;
	}
	collect_into(f->collect, f->code[number], row);
}

void noise_floor_row(
    struct noise_floor *f, const struct row *row, size_t place, bool history)
{
	if (row->aa)
		add_half(f, row, place, row->aa == 'b');
	if (history)
		add_code(f, row, place);
}

void noise_floor_finish(struct noise_floor *f, bool one_subject)
{
	collect_finish(f->collect);
	for (size_t i = 0; one_subject && i < f->places; i++)
		for (size_t k = 0; k < COUNT(f->place[i].half); k++)
			if (f->place[i].half[k] != NONE)
				duplicates_drop(f->collect, f->place[i].half[k]);
}

/* A run, or a process of a run, with the location of its samples. */
struct cluster {
	uint32_t run;
	int64_t process;
	double value;
};

static int by_cluster(const void *a, const void *b)
{
	const struct cluster *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

/* Computes the clusters of samples, in order. Returns their number; *out is allocated. */
static size_t clusters_of(const struct collected *from, enum location location,
    bool processes, struct cluster **out)
{
	struct cluster *c = mem_resize(NULL, from->count + 1, sizeof(*c));
	double *value = mem_resize(NULL, from->count + 1, sizeof(*value));
	size_t count = 0;

	for (size_t i = 0; i < from->count; i++)
		c[i] = (struct cluster){ from->identity[i].run,
			processes ? from->identity[i].process : 0, from->value[i] };
	qsort(c, from->count, sizeof(*c), by_cluster);
	for (size_t i = 0, end; i < from->count; i = end) {
		struct cluster here = c[i];

		for (end = i; end < from->count && by_cluster(&here, &c[end]) == 0; end++)
			value[end - i] = c[end].value;
		stats_sort(value, end - i);
		here.value = location_of(location, value, end - i);
		c[count++] = here;
	}
	free(value);
	*out = c;
	return count;
}

/*
 * Returns the bound of the mean difference of two halves, in logarithms, from their
 * differences in each process or run; NAN if there are fewer than two.
 */
static double bound_clusters(const struct collected *a, const struct collected *b,
    const struct two_sample_opts *opts)
{
	struct cluster *x, *y;
	size_t nx = clusters_of(a, opts->location, true, &x), n = 0;
	size_t ny = clusters_of(b, opts->location, true, &y);
	double squares = 0;

	for (size_t i = 0, j = 0; i < nx && j < ny;) {
		int order = by_cluster(&x[i], &y[j]);

		if (order == 0 && x[i].value > 0 && y[j].value > 0) {
			squares += pow(log(y[j].value / x[i].value), 2);
			n++;
		}
		i += order <= 0;
		j += order >= 0;
	}
	free(x);
	free(y);
	return n < 2 ? (double)NAN
	             : dist_student_quantile_above(
	                   (1 - opts->inference.confidence) / 2, (double)n) *
	                   sqrt(squares) / (double)n;
}

static void measure_halves(
    struct noise_floor *f, struct place *p, const struct two_sample_opts *opts)
{
	const struct collected *a, *b;
	struct two_sample_opts of_runs = *opts;
	struct two_sample aa;

	p->aa = NAN;
	if (p->half[0] == NONE || p->half[1] == NONE)
		return;
	a = collect_group(f->collect, p->half[0]);
	b = collect_group(f->collect, p->half[1]);
	of_runs.pair_of_run = NULL; /* each pair has runs of its own */
	two_sample_measure(a, b, &of_runs, &aa);
	if (aa.ratio_lo > 0 && aa.ratio_hi > 0)
		p->aa =
		    fmax(fabs(log(aa.ratio)), fmax(-log(aa.ratio_lo), log(aa.ratio_hi)));
	p->aa = fmax(p->aa, bound_clusters(a, b, opts));
	if (!isfinite(p->aa))
		p->aa = NAN;
	p->few = isnan(p->aa) && aa.ratio > 0;
	p->pairs = (double)aa.n_old;
	p->tier = tier_of[aa.basis];
}

/*
 * Adds the sum of squares, about their mean, of the logarithms of the locations of the runs
 * of one commit to *squares. Returns their degrees of freedom, the number of runs minus 1.
 * Locations without a logarithm are left out.
 */
static double add_runs(
    const struct collected *from, enum location location, double *squares)
{
	struct cluster *run;
	size_t runs = clusters_of(from, location, false, &run), n = 0;
	double *log_of = mem_resize(NULL, runs + 1, sizeof(*log_of)), mean;

	for (size_t i = 0; i < runs; i++)
		if (run[i].value > 0)
			log_of[n++] = log(run[i].value);
	mean = stats_mean(log_of, n);
	for (size_t i = 0; i < n; i++)
		*squares += (log_of[i] - mean) * (log_of[i] - mean);
	free(run);
	free(log_of);
	return n ? (double)n - 1 : 0;
}

static void learn_floor(
    struct noise_floor *f, struct place *p, const struct two_sample_opts *opts)
{
	double squares = 0;

	p->known = true;
	measure_halves(f, p, opts);
	for (size_t i = 0; i < p->codes; i++)
		p->freedom += add_runs(
		    collect_group(f->collect, p->code[i]), opts->location, &squares);
	p->sd = sqrt(squares / p->freedom);
}

/* Returns the number of pairs of the A/A that correspond to a comparison: all of them if
 * the comparison is of a higher tier, 1 if it is of a lower tier. */
static double pairs_worth(const struct place *p, const struct two_sample *of)
{
	double values = (double)(of->n_old < of->n_new ? of->n_old : of->n_new);

	if (tier_of[of->basis] > p->tier)
		return p->pairs;
	return tier_of[of->basis] < p->tier ? 1 : values;
}

double noise_floor_margin(struct noise_floor *f, size_t place,
    const struct two_sample_opts *opts, const struct two_sample *of)
{
	bool runs = of->basis == BASIS_RUN;
	double bound, pairs;
	struct place *p;

	if (place >= f->places)
		return NAN;
	p = &f->place[place];
	if (!p->known)
		learn_floor(f, p, opts);
	pairs = pairs_worth(p, of);
	bound = p->aa;
	if (p->pairs > pairs)
		bound *= sqrt(p->pairs / pairs);
	if (p->freedom >= LEAST_FREEDOM && !basis_is_paired(of->basis))
		bound = fmax(bound, dist_student_quantile_above(
		                        (1 - opts->inference.confidence) / 2, p->freedom) *
		                        p->sd *
		                        sqrt(1 / (runs ? (double)of->n_old : 1) +
		                             1 / (runs ? (double)of->n_new : 1)));
	return expm1(bound) + 0.0; /* not -0 */
}

bool noise_floor_few(const struct noise_floor *f, size_t place)
{
	return place < f->places && f->place[place].few;
}

void noise_floor_close(struct noise_floor *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->places; i++)
		free(f->place[i].code);
	free(f->place);
	free(f->code);
	intern_free(&f->codes);
	buf_free(&f->key);
	collect_close(f->collect);
	groups_close(f->groups);
	free(f);
}
