/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads mlperf_log_summary.txt of MLPerf LoadGen: lines "label : value" about one run of a
 * scenario. A run that broke a rule of the benchmark is INVALID, and its samples failed:
 * its values are real, but they are no result.
 */
#include <math.h>

#include "convert/from.h"
#include "text/units.h"

static const char title[] = "MLPerf Results Summary", parameters[] = "Test Parameters Used";

/* Returns whether a string begins with the title below a rule or, if LoadGen wrote no
 * results, as in the mode AccuracyOnly, with what it says about warnings and errors. */
static bool loadgen_recognize(const struct source *s)
{
	bool ruled = text_begins(s->text, "====");
	struct text rest = s->text, line;

	for (int i = 0; i < 4 && line_next(&rest, &line); i++) {
		line = text_trim(line);
		if (ruled ? text_is(line, title)
		          : text_ends(line, " encountered during test."))
			return true;
	}
	return false;
}

/* A label with a number, whose row is one of the metric. */
struct loadgen_label {
	const char *label, *metric, *unit;
};

static const struct loadgen_label labels[] = {
	{ "Samples per second", "throughput", "1/s" },
	{ "Completed samples per second", "throughput", "1/s" },
	{ "Scheduled samples per second", "offered_rate", "1/s" },
	{ "QPS w/ loadgen overhead", "throughput", "1/s" },
	{ "QPS w/o loadgen overhead", "throughput_net", "1/s" },
	{ "Mean latency (ns)", "latency", "ns" },
	{ "Min latency (ns)", "latency_min", "ns" },
	{ "Max latency (ns)", "latency_max", "ns" },
	{ "Tokens per second", "token_rate", "1/s" },
	{ "Completed tokens per second", "token_rate", "1/s" },
	{ "Mean First Token latency (ns)", "first_token", "ns" },
	{ "Min First Token latency (ns)", "first_token_min", "ns" },
	{ "Max First Token latency (ns)", "first_token_max", "ns" },
	{ "Mean Time per Output Token (ns)", "per_token", "ns" },
	{ "Min Time per Output Token (ns)", "per_token_min", "ns" },
	{ "Max Time per Output Token (ns)", "per_token_max", "ns" },
};

/* The ends of labels that begin with a percentile, such as "99.90 percentile ...". */
static const struct loadgen_label percentiles[] = {
	{ " percentile latency (ns)", "latency", "ns" },
	{ " percentile first token latency (ns)", "first_token", "ns" },
	{ " percentile time to output token (ns)", "per_token", "ns" },
};

/* A summary; strings that it lacks are empty. */
struct loadgen_summary {
	struct text sut, scenario, mode, result;
	size_t count;    /* of summaries */
	bool is_whole;   /* has the last section */
	bool has_errors; /* which the file of details describes */
};

/* Separates a line into the strings before and after its first colon. Returns whether it
 * has one. */
static bool split_line(struct text line, struct text *label, struct text *value)
{
	struct text rest = line;

	*label = text_trim(text_until(&rest, ':'));
	*value = text_trim(rest);
	return label->len < line.len;
}

static void read_summary(const struct source *s, struct loadgen_summary *out)
{
	struct text rest = s->text, line, label, value;

	while (line_next(&rest, &line)) {
		line = text_trim(line);
		out->count += text_is(line, title);
		out->is_whole |= text_is(line, parameters);
		out->has_errors |= text_ends(line, "encountered. See detailed log.") &&
		                   memmem(line.ptr, line.len, "ERROR", 5);
		if (!split_line(line, &label, &value))
			continue;
		if (text_is(label, "SUT name"))
			out->sut = value;
		else if (text_is(label, "Scenario"))
			out->scenario = value;
		else if (text_is(label, "Mode"))
			out->mode = value;
		else if (text_is(label, "Result is"))
			out->result = value;
	}
}

/* Returns whether a line after the title of the parameters is LoadGen's: a parameter such
 * as "min_duration (ms): 500", or about warnings and errors. */
static bool is_parameter(struct text line)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_ ()";
	struct text label, value;

	line = text_trim(line);
	if (!line.len || text_begins(line, "====") || text_ends(line, "during test.") ||
	    text_ends(line, "See detailed log."))
		return true;
	if (!split_line(line, &label, &value))
		return false;
	for (size_t i = 0; i < label.len; i++)
		if (!memchr(allowed, label.ptr[i], sizeof(allowed) - 1))
			return false;
	return true;
}

/* Returns the metric of a percentile, such as latency_p99.9; NULL if the label has none. */
static const char *percentile_metric(
    struct row_builder *out, struct text label, const struct loadgen_label **row)
{
	char percent[NUMBER_TEXT_MAX];
	double x;

	for (size_t i = 0; i < COUNT(percentiles); i++) {
		struct text number = label;

		if (!text_ends(label, percentiles[i].label))
			continue;
		number.len -= strlen(percentiles[i].label);
		/* The line of the result is "90.0th percentile ...", and occurs again. */
		if (!number_parse(number, &x))
			return NULL;
		*row = &percentiles[i];
		return arena_format(&out->texts, "%s_p%.*s", percentiles[i].metric,
		    (int)number_print(percent, x), percent);
	}
	return NULL;
}

/* Adds the row of a line, if it has a metric. *seen has the labels that were read: LoadGen
 * writes the rate of tokens twice. */
static int put_line(
    struct row_builder *out, struct text line, uint32_t *seen, struct fault *f)
{
	const struct loadgen_label *row = NULL;
	const char *metric = NULL;
	struct text label, value;
	double x;

	if (!split_line(line, &label, &value) || !number_parse(value, &x))
		return 0;
	for (size_t i = 0; i < COUNT(labels) && !row; i++)
		if (text_is(label, labels[i].label)) {
			row = &labels[i];
			metric = *seen & 1u << i ? NULL : row->metric;
			*seen |= 1u << i;
		}
	if (!row)
		metric = percentile_metric(out, label, &row);
	if (!metric)
		return 0;
	return row_builder_put(out, text_of(metric), text_of(row->unit), x, f);
}

static int loadgen_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct loadgen_summary summary = { .count = 0 };
	struct text rest = s->text, line;
	uint32_t seen = 0;
	bool valid;

	read_summary(s, &summary);
	if (summary.count > 1)
		return fault_set(f,
		    "%s: %zu summaries of LoadGen in one file: convert each file "
		    "separately",
		    s->name, summary.count);
	if (summary.has_errors)
		row_builder_note(
		    out, "%s: LoadGen reports errors; see mlperf_log_detail.txt", s->name);
	if (!summary.count) {
		row_builder_note(out,
		    "%s: LoadGen wrote no results; did it only test accuracy?", s->name);
		return 0;
	}
	if (!summary.result.len || !summary.is_whole)
		return fault_set(f,
		    "%s: no %s: the file is cut off, or LoadGen did not measure", s->name,
		    summary.result.len ? "section \"Test Parameters Used\""
		                       : "line \"Result is\"");
	valid = text_is(summary.result, "VALID");
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
	row_builder_set(out, COL_BENCH, summary.sut);
	row_builder_factor(out, TEXT("scenario"), summary.scenario);
	row_builder_factor(out, TEXT("mode"), summary.mode);
	row_builder_set(out, COL_STATUS, valid ? TEXT("ok") : TEXT("failed"));
	out->row.sample = ROW_NONE;
	while (line_next(&rest, &line)) {
		if (text_is(text_trim(line), parameters))
			break;
		if (put_line(out, line, &seen, f) < 0)
			return -1;
	}
	while (line_next(&rest, &line))
		if (!is_parameter(line)) {
			row_builder_note(out,
			    "%s: lines at the end are not LoadGen's, and are not read: "
			    "'%.*s'",
			    s->name, (int)(line.len < 60 ? line.len : 60), line.ptr);
			break;
		}
	return 0;
}

const struct format format_loadgen = { .name = "loadgen",
	.meaning = "mlperf_log_summary.txt of MLPerf LoadGen",
	.recognize = loadgen_recognize,
	.read = loadgen_read };
