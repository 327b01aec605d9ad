/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what benchmarks with Criterion.rs print under cargo bench: lines such as
 * "fib 10     time:   [211.63 ns 268.43 ns 321.10 ns]", which have an estimate between the
 * bounds of its confidence interval. Names of more than 23 bytes are on a line of their own
 * before. Lines "Benchmarking NAME ..." say what runs: a benchmark that has no other line
 * failed.
 */
#include <math.h>

#include "base/arena.h"
#include "console/console_text.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* An estimate and its confidence interval. */
struct criterion_estimate {
	struct text before; /* on the line, without blanks at its ends */
	struct text unit;
	double lower, value, upper;
};

/* Parses a line such as "NAME   time:   [1.0 ns 1.1 ns 1.2 ns]". Changes are lines with
 * numbers in percent, which are no such lines. */
static bool estimate_parse(
    struct text line, const char *label, struct criterion_estimate *e)
{
	double *numbers[] = { &e->lower, &e->value, &e->upper };
	size_t len = strlen(label);
	const char *at;

	line = text_trim(line);
	at = line.len ? memmem(line.ptr, line.len, label, len) : NULL;
	if (!at || !text_ends(line, "]"))
		return false;
	e->before = text_trim((struct text){ line.ptr, (size_t)(at - line.ptr) });
	line = (struct text){ at + len, (size_t)(line.ptr + line.len - at) - len - 1 };
	for (size_t i = 0; i < COUNT(numbers); i++) {
		struct text number = line_word(&line), unit = line_word(&line);

		if (!number_parse(number, numbers[i]) || !unit.len ||
		    (i && !text_equal(unit, e->unit)))
			return false;
		e->unit = unit;
	}
	return !text_trim(line).len;
}

static const char time_label[] = "time:   [", rate_label[] = "thrpt:  [";

static bool criterion_recognize(const struct source *s)
{
	struct text rest = s->text, line;
	struct arena texts = { 0 };
	struct criterion_estimate e;
	bool found = false;

	while (!found && line_next(&rest, &line))
		found = estimate_parse(console_plain(&texts, line), time_label, &e);
	arena_free(&texts);
	return found;
}

/* The units of Criterion.rs. Any other is that of a measurement which the user defined. */
static const struct criterion_unit {
	const char *unit, *metric, *ours;
	int exponent; /* of ten */
	double factor;
} units[] = {
	{ "ps", "wall", "ns", -3, 1 },
	{ "ns", "wall", "ns", 0, 1 },
	{ "\xc2\xb5s", "wall", "ns", 3, 1 },
	{ "ms", "wall", "ns", 6, 1 },
	{ "s", "wall", "ns", 9, 1 },
	{ "B/s", "bandwidth", "B/s", 0, 1 },
	{ "KiB/s", "bandwidth", "B/s", 0, 0x1p10 },
	{ "MiB/s", "bandwidth", "B/s", 0, 0x1p20 },
	{ "GiB/s", "bandwidth", "B/s", 0, 0x1p30 },
	{ "KB/s", "bandwidth", "B/s", 3, 1 },
	{ "MB/s", "bandwidth", "B/s", 6, 1 },
	{ "GB/s", "bandwidth", "B/s", 9, 1 },
	{ "elem/s", "throughput", "1/s", 0, 1 },
	{ "Kelem/s", "throughput", "1/s", 3, 1 },
	{ "Melem/s", "throughput", "1/s", 6, 1 },
	{ "Gelem/s", "throughput", "1/s", 9, 1 },
};

static int put_estimate(
    struct row_builder *out, const struct criterion_estimate *e, struct fault *f)
{
	const char *metric = "value";
	struct text unit = e->unit;
	double lower = e->lower, value = e->value, upper = e->upper;

	for (size_t i = 0; i < COUNT(units); i++) {
		const struct criterion_unit *u = &units[i];

		if (!text_is(e->unit, u->unit))
			continue;
		metric = u->metric;
		unit = text_of(u->ours);
		lower = decimal_shift(lower, u->exponent) * u->factor;
		value = decimal_shift(value, u->exponent) * u->factor;
		upper = decimal_shift(upper, u->exponent) * u->factor;
	}
	if (row_builder_put(out, text_of(metric), unit, value, f) < 0 ||
	    from_statistic(out, metric, "lower", unit, lower, f) < 0)
		return -1;
	return from_statistic(out, metric, "upper", unit, upper, f);
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct arena texts;          /* lines without colors */
	struct sample_counts counts; /* for numbering the samples */
	struct text running;         /* the benchmark without a result so far; or empty */
	struct text previous;        /* line */
	bool has_result;             /* before this line, for its throughput */
};

static void begin_result(struct reading *r, struct text name, const char *status)
{
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("function"));
	row_builder_set(r->out, COL_BENCH, name);
	row_builder_set(r->out, COL_STATUS, text_of(status));
	r->out->row.sample = sample_counts_next(&r->counts, name);
	r->running = TEXT("");
}

/* Adds a row for the benchmark that runs, if there is one, because it has no result. */
static int put_failure(struct reading *r, struct fault *f)
{
	if (!r->running.len)
		return 0;
	row_builder_note(r->out,
	    "%s: '%.*s' has no result: the benchmark failed, or the file is cut off",
	    r->source->name, (int)r->running.len, r->running.ptr);
	begin_result(r, r->running, "failed");
	return row_builder_put(r->out, TEXT("wall"), TEXT("ns"), NAN, f);
}

/* Reads a line about the benchmark that runs, whose name is before what it does. */
static int read_progress(struct reading *r, struct text name, struct fault *f)
{
	static const char *const actions[] = { ": Profiling for ", ": Warming up for ",
		": Collecting ", ": Analyzing", ": Complete (Analysis Disabled)" };
	bool complete = text_ends(name, actions[4]);

	for (size_t i = 0; i < COUNT(actions); i++) {
		size_t len = strlen(actions[i]);
		const char *at = memmem(name.ptr, name.len, actions[i], len);

		if (at)
			name.len = (size_t)(at - name.ptr);
	}
	if (!text_equal(name, r->running) && put_failure(r, f) < 0)
		return -1;
	r->running = complete ? TEXT("") : name;
	return 0;
}

static int read_time(
    struct reading *r, const struct criterion_estimate *e, size_t number, struct fault *f)
{
	struct text name = e->before;

	if (!name.len)
		name = r->running.len ? r->running : r->previous;
	if (!name.len)
		return fault_set(f, "%s:%zu: a time without the name of a benchmark",
		    r->source->name, number);
	begin_result(r, name, "ok");
	r->has_result = true;
	return put_estimate(r->out, e, f);
}

static int read_line(struct reading *r, struct text line, size_t number, struct fault *f)
{
	static const char progress[] = "Benchmarking ";
	struct criterion_estimate e;

	if (text_begins(line, progress) && line.len > strlen(progress)) {
		r->has_result = false;
		return read_progress(r, text_after(line, strlen(progress)), f);
	}
	if (estimate_parse(line, time_label, &e))
		return read_time(r, &e, number, f);
	if (r->has_result && estimate_parse(line, rate_label, &e) && !e.before.len)
		return put_estimate(r->out, &e, f);
	return 0;
}

static int criterion_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out };
	struct text rest = s->text, line;
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++) {
		line = console_plain(&r.texts, line);
		status = read_line(&r, line, number, f);
		r.previous = text_trim(line);
	}
	if (status == 0)
		status = put_failure(&r, f);
	sample_counts_free(&r.counts);
	arena_free(&r.texts);
	return status;
}

const struct format format_criterion_console = { .name = "criterion-console",
	.meaning = "cargo bench with Criterion.rs",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = criterion_recognize,
	.read = criterion_read };
