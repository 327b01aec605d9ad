/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what sysbench prints. A run begins with the version and ends with statistics, some
 * of which depend on the test; its name is not printed. A run without statistics failed.
 * If there are several runs, each is a sample.
 */
#include <math.h>

#include "console/console_text.h"
#include "text/units.h"

/* Where the value of a line is. */
enum place { AFTER_LABEL, IN_BRACKETS };

/* The lines of a section, which begin with their label; "" is what precedes the sections.
 * Values are multiplied by 10 to the power of the exponent, and by the factor. */
static const struct line_kind {
	const char *section, *label, *metric, *unit;
	enum place place;
	int exponent;
	double factor;
} kinds[] = {
	{ "CPU speed:", "events per second:", "throughput", "1/s", AFTER_LABEL, 0, 1 },
	{ "", "Total operations:", "throughput", "1/s", IN_BRACKETS, 0, 1 },
	{ "", "* MiB transferred", "bandwidth", "B/s", IN_BRACKETS, 0, 1048576 },
	{ "File operations:", "reads/s:", "read_ops_rate", "1/s", AFTER_LABEL, 0, 1 },
	{ "File operations:", "writes/s:", "write_ops_rate", "1/s", AFTER_LABEL, 0, 1 },
	{ "File operations:", "fsyncs/s:", "fsync_rate", "1/s", AFTER_LABEL, 0, 1 },
	{ "Throughput:", "read, MiB/s:", "read_bandwidth", "B/s", AFTER_LABEL, 0, 1048576 },
	{ "Throughput:", "written, MiB/s:", "write_bandwidth", "B/s", AFTER_LABEL, 0,
	    1048576 },
	{ "SQL statistics:", "transactions:", "throughput", "1/s", IN_BRACKETS, 0, 1 },
	{ "SQL statistics:", "queries:", "query_rate", "1/s", IN_BRACKETS, 0, 1 },
	{ "SQL statistics:", "ignored errors:", "ignored_errors", "1", AFTER_LABEL, 0, 1 },
	{ "SQL statistics:", "reconnects:", "reconnects", "1", AFTER_LABEL, 0, 1 },
	{ "General statistics:", "total time:", "wall", "ns", AFTER_LABEL, 9, 1 },
	{ "General statistics:", "total number of events:", "events", "1", AFTER_LABEL, 0,
	    1 },
	{ "Latency (ms):", "min:", "latency_min", "ns", AFTER_LABEL, 6, 1 },
	{ "Latency (ms):", "avg:", "latency", "ns", AFTER_LABEL, 6, 1 },
	{ "Latency (ms):", "max:", "latency_max", "ns", AFTER_LABEL, 6, 1 },
};

struct sysbench_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct arena texts;  /* of a line */
	const char *section; /* of kinds[], or another */
	struct text threads; /* of the run, or "" */
	int64_t runs, events;
	bool has_samples;
	bool complete; /* there is no run, or it has its statistics */
};

static bool is_start(struct text line)
{
	return text_begins(line, "sysbench ") &&
	       memmem(line.ptr, line.len, "(using ", strlen("(using "));
}

static void begin_row(struct sysbench_reading *r, bool failed)
{
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_STATUS, failed ? TEXT("failed") : TEXT("ok"));
	if (r->threads.len)
		row_builder_factor(r->out, TEXT("threads"), r->threads);
	r->out->row.sample = r->has_samples ? r->runs - 1 : ROW_NONE;
	r->out->row.iterations = ROW_NONE;
}

/* Ends a run. Returns 0, or -1 and the message. */
static int end_run(struct sysbench_reading *r, struct fault *f)
{
	if (r->complete)
		return 0;
	begin_row(r, true);
	return row_builder_put(r->out, TEXT("wall"), TEXT("ns"), NAN, f);
}

static int begin_run(struct sysbench_reading *r, struct fault *f)
{
	if (end_run(r, f) < 0)
		return -1;
	r->runs++;
	r->complete = false;
	r->section = "";
	r->threads = TEXT("");
	r->events = ROW_NONE;
	return 0;
}

/* Returns the text after the label of a line, or an empty string whose ptr is NULL. */
static struct text after_label(struct text line, const char *label)
{
	double ignored;

	if (label[0] == '*') { /* a number precedes it */
		struct text number = line_word(&line);

		label++;
		return number_parse(number, &ignored) && text_begins(line, label)
		           ? text_after(line, strlen(label))
		           : (struct text){ 0 };
	}
	return text_begins(line, label) ? text_after(line, strlen(label))
	                                : (struct text){ 0 };
}

/* Adds a row of a value. A latency of 0.00 ms is only known to be shorter than sysbench can
 * print, so that it is missing. Returns 0, or -1 and the message. */
static int put_value(struct sysbench_reading *r, const char *metric, const char *unit,
    struct text value, int exponent, double factor, struct fault *f)
{
	struct text word;
	double x;

	value = text_trim(value);
	word = line_word(&value);
	if (text_ends(word, "s"))
		word.len--;
	if (!number_parse(word, &x))
		return fault_set(f, "%s:%zu: no number", r->name, r->line);
	if (strcmp(metric, "events") == 0)
		integer_parse(word, &r->events);
	if (x == 0 && strcmp(r->section, "Latency (ms):") == 0)
		x = NAN;
	begin_row(r, false);
	if (strcmp(metric, "latency") == 0)
		r->out->row.iterations = r->events;
	r->complete |= strcmp(metric, "wall") == 0;
	return row_builder_put(
	    r->out, text_of(metric), text_of(unit), decimal_shift(x, exponent) * factor, f);
}

/* Reads a line such as "95th percentile: 4.25". Sets *found to whether it is one. */
static int read_percentile(
    struct sysbench_reading *r, struct text line, bool *found, struct fault *f)
{
	static const char words[] = "th percentile:";
	const char *at = memmem(line.ptr, line.len, words, strlen(words));
	double ignored;

	*found = at && strcmp(r->section, "Latency (ms):") == 0 &&
	         number_parse((struct text){ line.ptr, (size_t)(at - line.ptr) }, &ignored);
	if (!*found)
		return 0;
	const char *metric =
	    arena_format(&r->texts, "latency_p%.*s", (int)(at - line.ptr), line.ptr);

	return put_value(r, metric, "ns",
	    text_after(line, (size_t)(at + strlen(words) - line.ptr)), 6, 1, f);
}

/* Reads a line of a run. */
static int read_line(struct sysbench_reading *r, struct text line, struct fault *f)
{
	static const char threads[] = "Number of threads: ";
	bool found;

	if (text_begins(line, threads)) {
		r->threads = text_after(line, strlen(threads));
		return 0;
	}
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_is(line, kinds[i].section)) {
			r->section = kinds[i].section;
			return 0;
		}
	if (read_percentile(r, line, &found, f) < 0 || found)
		return found ? 0 : -1;
	for (const struct line_kind *k = kinds; k < kinds + COUNT(kinds); k++) {
		struct text value = after_label(line, k->label);

		if (!value.ptr || strcmp(k->section, r->section) != 0)
			continue;
		if (k->place == IN_BRACKETS)
			text_until(&value, '(');
		return put_value(r, k->metric, k->unit, value, k->exponent, k->factor, f);
	}
	return 0;
}

static bool sysbench_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_start(line))
			return true;
	return false;
}

static int sysbench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct sysbench_reading r = { .out = out, .name = s->name, .complete = true };
	struct text rest = s->text, line;
	size_t starts = 0;
	int status = 0;

	while (line_next(&rest, &line))
		starts += is_start(line);
	r.has_samples = starts > 1;
	rest = s->text;
	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		if (is_start(line))
			status = begin_run(&r, f);
		else if (r.runs)
			status = read_line(&r, text_trim(line), f);
		arena_free(&r.texts);
	}
	return status == 0 ? end_run(&r, f) : status;
}

const struct format format_sysbench = { .name = "sysbench",
	.meaning = "sysbench",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = sysbench_recognize,
	.read = sysbench_read };
