/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes result files of airspeed velocity, version 2, and the list of benchmarks that
 * belongs to them (benchmarks.json). A combination of parameters whose samples all failed
 * has the result null, as in files of asv; one that was skipped or not measured, NaN.
 */
#include <math.h>
#include <stdlib.h>

#include "export/asv_benchmarks.h"
#include "convert/to.h"
#include "record/row_builder.h"
#include "stats/stats.h"
#include "text/plural.h"
#include "text/python_text.h"

/* Appends a number, with the names of Python for what JSON cannot represent. */
static void put_number(struct buf *out, double x)
{
	if (isnan(x))
		buf_str(out, "NaN");
	else if (isinf(x))
		buf_str(out, x < 0 ? "-Infinity" : "Infinity");
	else
		doc_put_number(out, x);
}

static void put_parameters(const struct asv_benchmark *b, struct buf *out)
{
	buf_str(out, "[");
	for (size_t i = 0; i < b->parameters; i++) {
		buf_str(out, i ? ", [" : "[");
		for (size_t k = 0; k < b->parameter[i].values.count; k++) {
			struct buf repr = { 0 };

			buf_str(out, k ? ", " : "");
			python_put_repr(&repr, intern_text(&b->parameter[i].values, k),
			    &b->parameter[i].values);
			doc_put_text(out, text_in(&repr));
			buf_free(&repr);
		}
		buf_str(out, "]");
	}
	buf_str(out, "]");
}

/* The values of one combination. */
struct result {
	double *value, *sorted; /* in the order of the rows, and sorted */
	size_t count;
	bool is_summary;    /* the values are not samples */
	bool skipped;       /* no sample failed, or there are none */
	double number;      /* iterations of all values, or NAN */
	int64_t started_ns; /* or ROW_NONE */
};

static struct result result_of(
    const struct subject_samples *t, const struct asv_benchmark *b, size_t combination)
{
	struct result r = { .skipped = true, .number = NAN, .started_ns = ROW_NONE };
	size_t group = b->group[combination];
	const struct metric_samples *m;

	if (group == ASV_NO_GROUP)
		return r;
	m = &t->of[group];
	r.started_ns = m->sample[0].time_ns;
	r.count = subject_samples_values(t, group, &r.value);
	r.sorted = mem_resize(NULL, m->count, sizeof(*r.sorted));
	for (size_t i = 0; i < r.count; i++)
		r.sorted[i] = r.value[i] = decimal_shift(r.value[i], b->exponent);
	stats_sort(r.sorted, r.count);
	for (size_t i = 0, n = 0; i < m->count; i++) {
		const struct subject_sample *s = &m->sample[i];

		r.skipped &=
		    s->ok || text_is(intern_text(&t->statuses, s->status), "skipped");
		r.is_summary |= s->sample == ROW_NONE;
		if (subject_sample_counts(s) && s->iterations > 0)
			r.number = n++ == 0 || r.number == (double)s->iterations
			               ? (double)s->iterations
			               : NAN;
	}
	return r;
}

static void result_free(struct result *r)
{
	free(r->value);
	free(r->sorted);
}

static double confidence_bound(const struct result *r, bool upper)
{
	size_t lo, hi;

	if (!stats_median_ranks(r->count, 0.99, &lo, &hi))
		return upper ? INFINITY : -INFINITY;
	return r->sorted[(upper ? hi : lo) - 1];
}

/* Appends the samples, or null. */
static void put_samples(struct buf *out, const struct result *r)
{
	if (!r->count || r->is_summary) {
		buf_str(out, "null");
		return;
	}
	buf_str(out, "[");
	for (size_t i = 0; i < r->count; i++) {
		buf_str(out, i ? ", " : "");
		doc_put_number(out, r->value[i]);
	}
	buf_str(out, "]");
}

enum statistic_of { RESULT, CI_LO, CI_HI, Q_25, Q_75, NUMBER, REPEAT, SAMPLES, STATISTICS };

/* Appends one element of a column: a statistic of a combination. */
static void put_statistic(struct buf *out, const struct result *r, enum statistic_of which)
{
	if (which == SAMPLES) {
		put_samples(out, r);
	} else if (!r->count) {
		buf_str(out, which == RESULT && r->skipped ? "NaN" : "null");
	} else if (which == NUMBER) {
		doc_put_number(out, r->number);
	} else if (which == REPEAT) {
		buf_printf(out, "%zu", r->count);
	} else if (which == CI_LO || which == CI_HI) {
		put_number(out, confidence_bound(r, which == CI_HI));
	} else {
		put_number(out, stats_quantile(r->sorted, r->count,
		                    which == RESULT ? 0.5
		                    : which == Q_25 ? 0.25
		                                    : 0.75));
	}
}

/* Appends the row of a benchmark: its statistics by column, each for all combinations. */
static void put_benchmark(
    const struct subject_samples *t, const struct asv_benchmark *b, struct buf *out)
{
	struct buf column[STATISTICS] = { 0 };
	int64_t started_ns = ROW_NONE;

	for (size_t i = 0; i < b->combinations; i++) {
		struct result r = result_of(t, b, i);

		for (size_t k = 0; k < STATISTICS; k++) {
			buf_str(&column[k], i ? ", " : "");
			put_statistic(&column[k], &r, (enum statistic_of)k);
		}
		if (r.started_ns != ROW_NONE &&
		    (started_ns == ROW_NONE || r.started_ns < started_ns))
			started_ns = r.started_ns;
		result_free(&r);
	}
	doc_put_text(out, text_of(b->name));
	buf_printf(out, ": [[%s], ", column[RESULT].ptr);
	put_parameters(b, out);
	buf_str(out, ", null, ");
	if (started_ns == ROW_NONE)
		buf_str(out, "null");
	else
		buf_printf(out, "%lld", (long long)(started_ns / 1000000));
	buf_str(out, ", null");
	for (size_t k = CI_LO; k < STATISTICS; k++)
		buf_printf(out, ", [%s]", column[k].ptr);
	buf_str(out, "]");
	for (size_t k = 0; k < STATISTICS; k++)
		buf_free(&column[k]);
}

/* Returns the earliest time of all rows in ms since 1970; 0 if none has a time. */
static long long earliest_ms(const struct subject_samples *t)
{
	int64_t ns = ROW_NONE;

	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < t->of[i].count; k++) {
			int64_t own = t->of[i].sample[k].time_ns;

			if (own != ROW_NONE && (ns == ROW_NONE || own < ns))
				ns = own;
		}
	return ns == ROW_NONE ? 0 : (long long)(ns / 1000000);
}

static void put_member(
    struct buf *out, const char *name, struct text t, const char *missing)
{
	buf_printf(out, "\"%s\": ", name);
	doc_put_text(out, t.len ? t : text_of(missing));
	buf_str(out, ", ");
}

/* Notes how many samples are lost because their combination has a result. */
static void note_lost(struct subject_samples *t)
{
	unsigned long long lost = 0;

	for (size_t i = 0; i < t->count; i++) {
		double *x;
		size_t n = subject_samples_values(t, i, &x);

		for (size_t k = 0; n && k < t->of[i].count; k++)
			lost += !t->of[i].sample[k].ok;
		free(x);
	}
	if (lost)
		subject_samples_note(t,
		    "%llu %s omitted: asv has a place for failures only if all samples of "
		    "a benchmark failed",
		    lost, plural(lost, "row that failed is", "rows that failed are"));
}

int write_asv(struct subject_samples *t, struct buf *out, struct fault *f)
{
	struct text commit = subject_samples_cell(t, 0, COL_COMMIT);
	struct asv_benchmarks all = { 0 };
	int status = subject_samples_single(t, "asv", f);

	if (status == 0 && !commit.len)
		status = fault_set(f, "no commit, which a file of asv needs");
	if (status == 0)
		status = asv_benchmarks_find(t, &all, f);
	if (status == 0) {
		buf_str(out, "{");
		put_member(out, "commit_hash", commit, "");
		put_member(
		    out, "env_name", subject_samples_cell(t, 0, COL_ENV), "benchutils");
		buf_printf(out, "\"date\": %lld, \"params\": {", earliest_ms(t));
		put_member(out, "machine", subject_samples_cell(t, 0, COL_HOST), "unknown");
		buf_str(out,
		    "\"python\": \"\"}, \"python\": \"\", \"requirements\": {}, "
		    "\"env_vars\": {},\n \"result_columns\": [\"result\", \"params\", "
		    "\"version\", \"started_at\", \"duration\", \"stats_ci_99_a\", "
		    "\"stats_ci_99_b\", \"stats_q_25\", \"stats_q_75\", \"stats_number\", "
		    "\"stats_repeat\", \"samples\"],\n \"results\": {");
		for (size_t i = 0; i < all.count; i++) {
			buf_str(out, i ? ",\n  " : "\n  ");
			put_benchmark(t, &all.of[i], out);
		}
		note_lost(t);
		buf_str(out, "\n }, \"durations\": {}, \"version\": 2}\n");
	}
	asv_benchmarks_free(&all);
	return status;
}

static int write_benchmarks(struct subject_samples *t, struct buf *out, struct fault *f)
{
	struct asv_benchmarks all = { 0 };
	int status = asv_benchmarks_find(t, &all, f);

	buf_str(out, "{");
	for (size_t i = 0; status == 0 && i < all.count; i++) {
		const struct asv_benchmark *b = &all.of[i];

		buf_str(out, "\n  ");
		doc_put_text(out, text_of(b->name));
		buf_str(out, ": {");
		put_member(out, "name", text_of(b->name), "");
		put_member(out, "type", text_of(b->type), "");
		put_member(out, "unit",
		    b->unit ? text_of(b->unit)
		            : subject_samples_cell(t, b->first, COL_UNIT),
		    "unit");
		buf_str(out, "\"code\": \"\", \"version\": null, \"param_names\": [");
		for (size_t k = 0; k < b->parameters; k++) {
			buf_str(out, k ? ", " : "");
			doc_put_text(out,
			    text_of(
			        groups_schema(t->groups)->name[b->parameter[k].column]));
		}
		buf_str(out, "], \"params\": ");
		put_parameters(b, out);
		buf_str(out, "},");
	}
	buf_str(out, "\n  \"version\": 2}\n");
	asv_benchmarks_free(&all);
	return status;
}

const struct format format_asv_benchmarks = { .name = "asv-benchmarks",
	.meaning = "benchmarks.json of airspeed velocity, version 2",
	.write_samples = write_benchmarks,
	.has_failures = true };
