/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of pytest-benchmark: each value of wall is a round, in seconds. The means
 * of other metrics become extra_info. The statistics are those that pytest-benchmark
 * computes of the same rounds (its class Stats).
 */
#include <math.h>
#include <stdlib.h>

#include "convert/to.h"
#include "record/row_builder.h"
#include "record/subject_groups.h"
#include "record/subject_samples.h"
#include "stats/stats.h"
#include "text/stamp.h"

static double median_of(const double *sorted, size_t n)
{
	return stats_quantile(sorted, n, 0.5);
}

/*
 * Fills in the first and third quartile: medians of the halves, or for odd numbers of
 * values method 3 of https://en.wikipedia.org/wiki/Quartile#Computing_methods.
 */
static void quartiles_find(const double *x, size_t n, double *q1, double *q3)
{
	size_t k = n / 4;

	if (n == 1) {
		*q1 = *q3 = x[0];
	} else if (n % 2 == 0) {
		*q1 = median_of(x, n / 2);
		*q3 = median_of(x + n / 2, n / 2);
	} else if (n % 4 == 1) {
		*q1 = 0.25 * x[k - 1] + 0.75 * x[k];
		*q3 = 0.75 * x[3 * k] + 0.25 * x[3 * k + 1];
	} else {
		*q1 = 0.75 * x[k] + 0.25 * x[k + 1];
		*q3 = 0.25 * x[3 * k + 1] + 0.75 * x[3 * k + 2];
	}
}

/* Returns how many values are outside of an interval. */
static size_t count_outside(const double *x, size_t n, double lo, double hi)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += x[i] < lo || x[i] > hi;
	return count;
}

static void put_stat(struct buf *out, const char *name, double x)
{
	buf_printf(out, "\"%s\": ", name);
	doc_put_number(out, x);
	buf_str(out, ", ");
}

static void put_data(struct buf *out, const double *x, size_t n)
{
	buf_str(out, "\"data\": [");
	for (size_t i = 0; i < n; i++) {
		buf_str(out, i ? ", " : "");
		doc_put_number(out, x[i]);
	}
	buf_str(out, "]");
}

/* Appends the statistics of n rounds, in their order. */
static void put_stats(struct buf *out, const double *rounds, size_t n, int64_t iterations)
{
	double *x = mem_resize(NULL, n, sizeof(*x));
	double mean = stats_mean(rounds, n), sd = n > 1 ? stats_sd(rounds, n, mean) : 0, q1,
	       q3, lo, hi;
	size_t outliers, beyond_sd = count_outside(rounds, n, mean - sd, mean + sd),
	                 low = 0, high = n - 1;

	memcpy(x, rounds, n * sizeof(*x));
	stats_sort(x, n);
	quartiles_find(x, n, &q1, &q3);
	lo = q1 - 1.5 * (q3 - q1);
	hi = q3 + 1.5 * (q3 - q1);
	while (low + 1 < n && x[low] < lo)
		low++;
	while (high && x[high] > hi)
		high--;
	outliers = count_outside(x, n, lo, hi);
	buf_str(out, "   \"stats\": {");
	put_stat(out, "min", x[0]);
	put_stat(out, "max", x[n - 1]);
	put_stat(out, "mean", mean);
	put_stat(out, "stddev", sd);
	buf_printf(out, "\"rounds\": %zu, ", n);
	put_stat(out, "median", median_of(x, n));
	put_stat(out, "iqr", q3 - q1);
	put_stat(out, "q1", q1);
	put_stat(out, "q3", q3);
	buf_printf(out,
	    "\"iqr_outliers\": %zu, \"stddev_outliers\": %zu, \"outliers\": \"%zu;%zu\", ",
	    outliers, beyond_sd, beyond_sd, outliers);
	put_stat(out, "ld15iqr", x[low]);
	put_stat(out, "hd15iqr", x[high]);
	/* pytest-benchmark writes 0 if there is no rate, and fails without a number. */
	put_stat(out, "ops", mean != 0 && isfinite(1 / mean) ? 1 / mean : 0);
	put_stat(out, "total", mean * (double)n);
	put_data(out, rounds, n);
	buf_printf(out, ", \"iterations\": %lld}", (long long)iterations);
	free(x);
}

/* Returns the iterations of all samples that enter statistics; 1 if they differ. */
static int64_t iterations_of(const struct metric_samples *m)
{
	int64_t all = ROW_NONE;

	for (size_t i = 0; i < m->count; i++) {
		int64_t own = m->sample[i].iterations;

		if (!subject_sample_counts(&m->sample[i]))
			continue;
		if (own < 1 || (all != ROW_NONE && own != all))
			return 1;
		all = own;
	}
	return all;
}

/* Appends the values of the parameters, joined by hyphens. */
static void put_id(const struct subject_samples *t, size_t group, struct buf *id)
{
	const struct schema *schema = groups_schema(t->groups);

	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = groups_cell(t->groups, group, i);

		if (!value.len)
			continue;
		buf_str(id, id->len ? "-" : "");
		buf_text(id, value);
	}
}

/* Appends the means of the other metrics of a group's subject. */
static void put_extra(const struct subject_samples *t, size_t group, struct buf *out)
{
	struct intern names = { 0 };
	double *x;

	intern_add(&names, TEXT("wall"));
	buf_str(out, "   \"extra_info\": {");
	for (size_t i = t->by_subject.first[t->of[group].subject]; i != SUBJECT_END;
	     i = t->by_subject.next[i]) {
		struct text metric = subject_samples_cell(t, i, COL_METRIC);
		size_t n;

		if (intern_find(&names, metric) >= 0)
			continue;
		n = subject_samples_values(t, i, &x);
		if (n) {
			buf_str(out, names.count > 1 ? ", " : "");
			doc_put_text(out, metric);
			buf_str(out, ": ");
			doc_put_number(out, stats_mean(x, n));
			intern_add(&names, metric);
		}
		free(x);
	}
	buf_str(out, "},\n");
	intern_free(&names);
}

/* Appends the names of a benchmark and its parameters. */
static void put_names(
    const struct subject_samples *t, size_t group, struct intern *names, struct buf *out)
{
	struct buf name = { 0 }, id = { 0 }, parameters = { 0 };
	struct text bench = subject_samples_cell(t, group, COL_BENCH), last;

	put_id(t, group, &id);
	put_factors(t->groups, group, true, &parameters);
	buf_text(&name, bench.len ? bench : TEXT("unnamed"));
	if (id.len) {
		buf_printf(&id, "]");
		if (name.len <= id.len || name.ptr[name.len - id.len - 1] != '[' ||
		    memcmp(name.ptr + name.len - id.len, id.ptr, id.len) != 0)
			buf_printf(&name, "[%s", id.ptr);
		id.len--;
	}
	subject_name_unique(names, &name);
	last = text_in(&name);
	for (size_t i = 0; i + 1 < name.len && name.ptr[i] != '['; i++)
		if (name.ptr[i] == ':' && name.ptr[i + 1] == ':')
			last = text_after(text_in(&name), i + 2);
	buf_str(out, "   \"group\": null, \"name\": ");
	doc_put_text(out, last);
	buf_str(out, ", \"fullname\": ");
	doc_put_text(out, text_in(&name));
	buf_str(out, ",\n   \"params\": ");
	if (parameters.len)
		buf_printf(out, "{%s}", parameters.ptr);
	else
		buf_str(out, "null");
	buf_str(out, ", \"param\": ");
	if (id.len)
		doc_put_text(out, text_in(&id));
	else
		buf_str(out, "null");
	buf_str(out, ", \"options\": {},\n");
	buf_free(&name);
	buf_free(&id);
	buf_free(&parameters);
}

/* Appends the machine, the commit and the time of the last sample. */
static void put_session(const struct subject_samples *t, struct buf *out)
{
	struct text commit = subject_samples_cell(t, 0, COL_COMMIT);
	bool dirty =
	    commit.len > 6 && memcmp(commit.ptr + commit.len - 6, "-dirty", 6) == 0;
	int64_t last = ROW_NONE;
	char time[STAMP_MAX];

	if (dirty)
		commit.len -= 6;
	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < t->of[i].count; k++)
			if (t->of[i].sample[k].time_ns > last)
				last = t->of[i].sample[k].time_ns;
	buf_str(out, "{\"machine_info\": {\"node\": ");
	doc_put_text(out, subject_samples_cell(t, 0, COL_HOST));
	buf_str(out, "},\n \"commit_info\": {\"id\": ");
	doc_put_text(out, commit.len ? commit : TEXT("unversioned"));
	buf_printf(out, ", \"dirty\": %s},\n \"datetime\": ", dirty ? "true" : "false");
	if (last == ROW_NONE)
		buf_str(out, "null");
	else
		doc_put_text(out, (struct text){ time, stamp_print(time, last, 6) });
	buf_str(out, ",\n \"version\": \"5.3.1\",\n \"benchmarks\": [");
}

/* Appends the benchmark of a group of wall. Returns false if it has no values. */
static bool put_benchmark(
    const struct subject_samples *t, size_t group, struct intern *names, struct buf *out)
{
	double *rounds;
	size_t n = subject_samples_values(t, group, &rounds);

	if (n) {
		for (size_t i = 0; i < n; i++)
			rounds[i] = decimal_shift(rounds[i], -9);
		buf_str(out, names->count ? ",\n  {\n" : "\n  {\n");
		put_names(t, group, names, out);
		put_extra(t, group, out);
		put_stats(out, rounds, n, iterations_of(&t->of[group]));
		buf_str(out, "}");
		text_sink_take(t->sink, out);
	}
	free(rounds);
	return n;
}

int write_pytest(struct subject_samples *t, struct buf *out, struct fault *f)
{
	struct intern names = { 0 };
	bool some = false;

	if (subject_samples_single(t, "pytest-benchmark", f) < 0)
		return -1;
	put_session(t, out);
	for (size_t i = 0; i < t->count; i++)
		if (text_is(subject_samples_cell(t, i, COL_METRIC), "wall") &&
		    text_is(subject_samples_cell(t, i, COL_UNIT), "ns"))
			some |= put_benchmark(t, i, &names, out);
	buf_str(out, "\n ]}\n");
	intern_free(&names);
	return some ? 0
	            : fault_set(f, "no metric wall in ns, which a file of pytest-benchmark "
	                           "needs");
}
