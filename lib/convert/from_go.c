/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of go test -bench, which benchstat also reads: lines "name iterations
 * value unit ...", and lines "key: value" that describe the lines after them. A benchmark
 * that failed has no such line, but "--- FAIL: name", perhaps after its name, or, if it
 * ended the program, "panic: ..." after its name. All other lines are ignored.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/sample_counts.h"
#include "text/units.h"

struct reading {
	struct row_builder *out;
	struct text pkg, goos, goarch, cpu;
	struct text started; /* the benchmark whose name alone was printed, or "" */
	struct text failed;  /* the last benchmark that failed, or "" */
	struct sample_counts counts;
};

static bool is_name(struct text t)
{
	return text_begins(t, "Benchmark") &&
	       !(t.len > 9 && t.ptr[9] >= 'a' && t.ptr[9] <= 'z');
}

/* Returns whether a string is a value of a result. Those that are no number, such as the
 * rate of no events, are NAN. */
static bool parse_value(struct text t, double *value)
{
	*value = NAN;
	return number_parse(t, value) || text_is(t, "NaN") || text_is(t, "+Inf") ||
	       text_is(t, "-Inf");
}

/* Returns whether a line is a result; if so, line becomes the text after the iterations. */
static bool is_result(struct text *line, struct text *name, int64_t *iterations)
{
	double x;
	struct text after;

	if (!text_begins(*line, "Benchmark"))
		return false;
	*name = line_word(line);
	if (!is_name(*name))
		return false;
	if (!integer_parse(line_word(line), iterations) || *iterations <= 0)
		return false;
	after = *line;
	return parse_value(line_word(&after), &x) && line_word(&after).len;
}

/* Returns whether a line that is no result says that a benchmark has none. */
static bool is_failure(
    struct reading *r, struct text line, struct text *name, struct text *status)
{
	static const struct {
		const char *begin, *status;
		bool has_name;
	} ends[] = { { "--- FAIL: ", "failed", true }, { "--- SKIP: ", "skipped", true },
		{ "panic: ", "failed", false }, { "fatal error: ", "failed", false } };
	struct text after = line, first = line_word(&after);

	if (is_name(first)) {
		r->started = first;
		line = text_trim(after);
	}
	for (size_t i = 0; i < COUNT(ends); i++)
		if (text_begins(line, ends[i].begin)) {
			line = text_after(line, strlen(ends[i].begin));
			*name = ends[i].has_name ? line_word(&line) : r->started;
			*status = text_of(ends[i].status);
			r->started = TEXT("");
			return is_name(*name);
		}
	return false;
}

static bool go_recognize(const struct source *s)
{
	struct text rest = s->text, line, name, status;
	struct reading r = { 0 };
	int64_t iterations;

	if (s->doc)
		return false;
	while (line_next(&rest, &line))
		if (is_result(&line, &name, &iterations) ||
		    is_failure(&r, line, &name, &status))
			return true;
	return false;
}

/* Returns the end of a name that has the number of processors, such as "-8", or "". */
static struct text procs_of(struct text name)
{
	size_t digits = name.len;

	while (digits && name.ptr[digits - 1] >= '0' && name.ptr[digits - 1] <= '9')
		digits--;
	return digits > 10 && digits < name.len && name.ptr[digits - 1] == '-'
	           ? text_after(name, digits - 1)
	           : TEXT("");
}

/* Returns the end of the names of all results that has the number of processors, or "" if
 * they differ. */
static struct text common_procs(struct text rest)
{
	struct text line, name, procs = TEXT("");
	int64_t iterations;

	for (bool first = true; line_next(&rest, &line);)
		if (is_result(&line, &name, &iterations)) {
			if (first)
				procs = procs_of(name);
			else if (!text_equal(procs, procs_of(name)))
				return TEXT("");
			first = false;
		}
	return procs;
}

static void learn_key(struct reading *r, struct text line)
{
	const struct {
		const char *key;
		struct text *to;
	} keys[] = { { "pkg:", &r->pkg }, { "goos:", &r->goos }, { "goarch:", &r->goarch },
		{ "cpu:", &r->cpu } };

	for (size_t i = 0; i < COUNT(keys); i++)
		if (text_begins(line, keys[i].key)) {
			size_t len = strlen(keys[i].key);

			*keys[i].to =
			    text_trim(text_after(line, len));
		}
}

/*
 * Sets the subject from a name such as "BenchmarkCopy/n=64/fast-8": parts with an equals
 * sign are factors, and -8 is the number of processors of the program.
 */
static void name_subject(struct reading *r, struct text name)
{
	struct row_builder *out = r->out;
	struct buf bench = { 0 };
	struct text rest = text_after(name, 9), procs = procs_of(name);

	if (procs.len) {
		row_builder_factor(out, TEXT("procs"), text_after(procs, 1));
		rest.len -= procs.len;
	}
	if (rest.len > 1 && rest.ptr[0] == '_')
		rest = text_after(rest, 1);
	for (bool first = true; rest.len; first = false) {
		struct text part = text_until(&rest, '/'), value = part;
		struct text key = text_until(&value, '=');

		if (!first && key.len && key.len < part.len) {
			row_builder_factor(
			    out, text_of(arena_text(&out->texts, key)), value);
			continue;
		}
		buf_str(&bench, first ? "" : "/");
		buf_text(&bench, part);
	}
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, text_in(&bench))));
	buf_free(&bench);
}

static void describe(struct reading *r, struct text name)
{
	struct row_builder *out = r->out;

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	if (r->pkg.len)
		row_builder_factor(out, TEXT("pkg"), r->pkg);
	if (r->goos.len || r->goarch.len || r->cpu.len)
		row_builder_set(out, COL_ENV,
		    text_of(arena_format(&out->texts, "%.*s/%.*s %.*s", (int)r->goos.len,
		        r->goos.ptr ? r->goos.ptr : "", (int)r->goarch.len,
		        r->goarch.ptr ? r->goarch.ptr : "", (int)r->cpu.len,
		        r->cpu.ptr ? r->cpu.ptr : "")));
	name_subject(r, name);
}

/* The units of Go, and the units that can follow a metric's name, such as "p99-ns". */
static const struct {
	const char *unit, *metric, *ours;
	int exponent;
} units[] = {
	{ "ns/op", "wall", "ns", 0 },
	{ "sec/op", "wall", "ns", 9 },
	{ "B/op", "alloc_bytes", "B", 0 },
	{ "allocs/op", "alloc_calls", "1", 0 },
	{ "MB/s", "bandwidth", "B/s", 6 },
	{ "B/s", "bandwidth", "B/s", 0 },
};
static const char *const suffixes[] = { "ns", "sec", "B", "J", "W", "B/s", "flop/s", "1/s",
	"Hz", "s", "g", "GHz", "flop", "%" };

static int put_value(
    struct row_builder *out, double value, struct text unit, struct fault *f)
{
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit))
			return row_builder_put(out, text_of(units[i].metric),
			    text_of(units[i].ours), decimal_shift(value, units[i].exponent),
			    f);
	for (size_t i = 0; i < COUNT(suffixes); i++) {
		size_t len = strlen(suffixes[i]);

		if (unit.len > len + 1 && unit.ptr[unit.len - len - 1] == '-' &&
		    text_ends(unit, suffixes[i])) {
			bool is_sec = strcmp(suffixes[i], "sec") == 0;

			return row_builder_put(out,
			    (struct text){ unit.ptr, unit.len - len - 1 },
			    is_sec ? TEXT("ns") : text_of(suffixes[i]),
			    is_sec ? decimal_shift(value, 9) : value, f);
		}
	}
	return row_builder_put(out, unit, TEXT("1"), value, f);
}

/* Returns the number of the sample: the number of earlier lines with the same name and
 * first unit, where seconds and nanoseconds are the same unit. */
static int64_t number_of(struct reading *r, struct text name, struct text unit)
{
	if (text_is(unit, "sec/op"))
		unit = TEXT("ns/op");

	char *key = str_format("%.*s %.*s %.*s", (int)r->pkg.len,
	    r->pkg.ptr ? r->pkg.ptr : "", (int)name.len, name.ptr, (int)unit.len, unit.ptr);
	int64_t number = sample_counts_next(&r->counts, text_of(key));

	free(key);
	return number;
}

static int put_result(struct reading *r, struct text name, int64_t iterations,
    struct text line, struct fault *f)
{
	bool first = true;

	describe(r, name);
	r->out->row.iterations = iterations;
	while (line.len) {
		struct text number = line_word(&line), unit = line_word(&line);
		double value;

		if (!unit.len || !parse_value(number, &value))
			return 0;
		if (first)
			r->out->row.sample = number_of(r, name, unit);
		first = false;
		if (put_value(r->out, value, unit, f) < 0)
			return -1;
	}
	return 0;
}

/* Adds the row of a benchmark without a result, except of one that only runs others, one
 * of which failed. If it failed at the beginning, its name lacks the number of processors
 * that the names of results have. */
static int put_failure(struct reading *r, struct text name, struct text status,
    struct text procs, struct fault *f)
{
	struct text inner = r->failed;
	char *whole;
	int result;

	if (inner.len > name.len && inner.ptr[name.len] == '/' &&
	    text_equal((struct text){ inner.ptr, name.len }, name))
		return 0;
	if (text_is(status, "failed"))
		r->failed = name;
	if (text_equal(procs_of(name), procs))
		procs = TEXT("");
	whole = str_format("%.*s%.*s", (int)name.len, name.ptr, (int)procs.len, procs.ptr);
	describe(r, text_of(whole));
	row_builder_set(r->out, COL_STATUS, status);
	r->out->row.sample = number_of(r, text_of(whole), TEXT("ns/op"));
	result = row_builder_put(r->out, TEXT("wall"), TEXT("ns"), NAN, f);
	free(whole);
	return result;
}

static int go_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .out = out };
	struct text rest = s->text, line, name, why;
	const struct text procs = common_procs(s->text);
	int64_t iterations;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		struct text whole = line;

		learn_key(&r, line);
		if (is_result(&line, &name, &iterations)) {
			r.started = TEXT("");
			status = put_result(&r, name, iterations, line, f);
		} else if (is_failure(&r, whole, &name, &why))
			status = put_failure(&r, name, why, procs, f);
	}
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_go = { .name = "go",
	.meaning = "go test -bench, for benchstat",
	.whole_lines = true,
	.last_lines =
	    (const char *const[]){ "ok  \t*\t*[0-9]s", "FAIL\t*\t*[0-9]s", "PASS", NULL },
	.may_be_mixed = true,
	.recognize = go_recognize,
	.read = go_read,
	.writer = &go_writer,
	.has_failures = true };
