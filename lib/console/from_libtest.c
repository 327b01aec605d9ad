/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what benchmarks with the attribute #[bench] print under cargo bench: lines such as
 * "test sort ... bench: 70,974.48 ns/iter (+/- 48,509.29) = 30 MB/s". Each line is a
 * sample, because the program prints one for a whole benchmark.
 */
#include <math.h>

#include "convert/from.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A line of a benchmark; values that it lacks are NAN. */
struct result {
	struct text name;
	double median_ns, range_ns, bandwidth;
	bool failed;
};

/* Parses a number with commas between its groups of three digits. Returns NAN if it is not
 * one. */
static double grouped_number(struct text t)
{
	char digits[64];
	size_t len = 0;
	double x;

	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] == ',')
			continue;
		if (len == sizeof(digits))
			return NAN;
		digits[len++] = t.ptr[i];
	}
	return number_parse((struct text){ digits, len }, &x) ? x : NAN;
}

/* Removes the text before a separator, and the separator, from rest. Returns that text
 * without blanks at its ends, or an empty string if the separator is not there. */
static struct text take_before(struct text *rest, const char *separator)
{
	const char *at =
	    rest->len ? memmem(rest->ptr, rest->len, separator, strlen(separator)) : NULL;
	struct text t = { rest->ptr, at ? (size_t)(at - rest->ptr) : 0 };

	if (!at)
		return TEXT("");
	rest->len -= t.len + strlen(separator);
	rest->ptr = at + strlen(separator);
	return text_trim(t);
}

static bool result_parse(struct text line, struct result *r)
{
	*r = (struct result){ .median_ns = NAN, .range_ns = NAN, .bandwidth = NAN };
	if (!text_begins(line, "test "))
		return false;
	line = text_trim(text_after(line, 5));
	r->name = take_before(&line, " ... ");
	if (!r->name.len)
		return false;
	line = text_trim(line);
	r->failed = text_is(line, "FAILED");
	if (r->failed)
		return true;
	if (!text_begins(line, "bench:"))
		return false;
	line = text_after(line, 6);
	r->median_ns = grouped_number(take_before(&line, " ns/iter (+/- "));
	r->range_ns = grouped_number(take_before(&line, ")"));
	take_before(&line, "=");
	if (text_ends(line, " MB/s"))
		r->bandwidth =
		    decimal_shift(grouped_number(take_before(&line, " MB/s")), 6);
	return !isnan(r->median_ns);
}

static bool libtest_recognize(const struct source *s)
{
	struct text rest = s->text, line;
	struct result r;

	while (line_next(&rest, &line))
		if (result_parse(line, &r) && !r.failed)
			return true;
	return false;
}

struct reading {
	struct row_builder *out;
	struct sample_counts counts;
};

static int put_result(struct reading *r, const struct result *result, struct fault *f)
{
	struct row_builder *out = r->out;

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH, result->name);
	row_builder_set(out, COL_STATUS, result->failed ? TEXT("failed") : TEXT("ok"));
	out->row.sample = sample_counts_next(&r->counts, result->name);
	if (row_builder_put(out, TEXT("wall"), TEXT("ns"), result->median_ns, f) < 0)
		return -1;
	if (from_statistic(out, "wall", "range", TEXT("ns"), result->range_ns, f) < 0)
		return -1;
	if (isnan(result->bandwidth))
		return 0;
	return row_builder_put(out, TEXT("bandwidth"), TEXT("B/s"), result->bandwidth, f);
}

static int libtest_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .out = out };
	struct text rest = s->text, line;
	struct result result;
	int status = 0;

	while (status == 0 && line_next(&rest, &line))
		if (result_parse(line, &result))
			status = put_result(&r, &result, f);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_libtest = { .name = "libtest",
	.meaning = "cargo bench with #[bench]",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "test result: *; finished in *[0-9]s", NULL },
	.may_be_mixed = true,
	.recognize = libtest_recognize,
	.read = libtest_read };
