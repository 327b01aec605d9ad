/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the percentiles of HDR histograms as outputPercentileDistribution() of HdrHistogram
 * and hdr_percentiles_print() of HdrHistogram_c print them: a title, rows of percentiles,
 * and three lines in brackets. wrk2 prints the same among its own lines.
 */
#include <math.h>

#include "console/console_text.h"
#include "text/units.h"

/* A histogram that is being read; numbers that it lacks so far are NAN. */
struct hgrm {
	const char *name; /* of the file, for messages */
	size_t line;
	struct row_builder *out;
	bool open;
	/* The last row of percentiles: if others follow that are printed as the same
	 * percentile, only the last has this percentile. */
	double percent, value;
	double mean, sd, max, count;
	int64_t sample;
};

static bool is_title(struct text line)
{
	return text_is(line_word(&line), "Value") &&
	       text_is(line_word(&line), "Percentile") &&
	       text_is(line_word(&line), "TotalCount") &&
	       text_is(line_word(&line), "1/(1-Percentile)");
}

static bool hgrm_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line))
		if (is_title(line))
			return true;
	return false;
}

/* Returns the number after "label =" in a line such as "#[Max = 2.540, Total count = 10]",
 * or NAN. */
static double labeled_number(struct text line, const char *label)
{
	double x;

	line = text_after(line, 2);
	if (text_ends(line, "]"))
		line.len--;
	while (line.len) {
		struct text value = text_until(&line, ',');

		if (text_is(text_trim(text_until(&value, '=')), label))
			return number_parse(text_trim(value), &x) ? x : NAN;
	}
	return NAN;
}

static int put_percentile(struct hgrm *h, struct fault *f)
{
	char percent[NUMBER_TEXT_MAX], name[NUMBER_TEXT_MAX + 1];

	if (isnan(h->percent))
		return 0;
	snprintf(
	    name, sizeof(name), "p%.*s", (int)number_print(percent, h->percent), percent);
	return from_statistic(h->out, "value", name, TEXT(""), h->value, f);
}

/* Reads a row, which has a value, a percentile from 0 to 1, and a number of values. */
static int read_row(struct hgrm *h, double value, struct text rest, struct fault *f)
{
	double share, count;

	if (!number_parse(line_word(&rest), &share) || share < 0 || share > 1 ||
	    !number_parse(line_word(&rest), &count))
		return fault_set(f,
		    "%s:%zu: a row without percentile or count: the file is damaged",
		    h->name, h->line);
	share = decimal_shift(share, 2);
	if (share != h->percent && put_percentile(h, f) < 0)
		return -1;
	h->percent = share;
	h->value = value;
	return 0;
}

/* Adds the rows that the last lines are about. */
static int put_summary(struct hgrm *h, struct fault *f)
{
	struct row_builder *out = h->out;

	if (isnan(h->count))
		return fault_set(f,
		    "%s:%zu: a histogram without a total count: the file is damaged",
		    h->name, h->line);
	if (h->count == 0) {
		/* Its mean and maximum are printed as 0. */
		row_builder_set(out, COL_STATUS, TEXT("skipped"));
		return row_builder_put(out, TEXT("value"), TEXT(""), NAN, f);
	}
	if (put_percentile(h, f) < 0)
		return -1;
	out->row.iterations =
	    h->count > 0 && h->count < 0x1p63 ? (int64_t)h->count : ROW_NONE;
	if (row_builder_put(out, TEXT("value"), TEXT(""), h->mean, f) < 0 ||
	    from_statistic(out, "value", "sd", TEXT(""), h->sd, f) < 0)
		return -1;
	return from_statistic(out, "value", "max", TEXT(""), h->max, f);
}

static int hgrm_begin(struct hgrm *h, struct fault *f)
{
	if (h->open)
		return fault_set(f,
		    "%s:%zu: the histogram before this line is cut off: it has no line "
		    "\"#[Buckets\"",
		    h->name, h->line);
	row_builder_clear(h->out);
	row_builder_set(h->out, COL_STATUS, TEXT("ok"));
	h->out->row.sample = h->sample++;
	h->open = true;
	h->percent = h->mean = h->sd = h->max = h->count = NAN;
	return 0;
}

/* Reads a line after the title. */
static int read_line(struct hgrm *h, struct text line, struct fault *f)
{
	struct text rest = line;
	double x;

	if (text_begins(line, "#[Mean")) {
		h->mean = labeled_number(line, "Mean");
		h->sd = labeled_number(line, "StdDeviation");
	} else if (text_begins(line, "#[Max")) {
		h->max = labeled_number(line, "Max");
		h->count = labeled_number(line, "Total count");
		if (isnan(h->count)) {
			/* HdrHistogram_py does not scale the standard deviation. */
			h->count = labeled_number(line, "TotalCount");
			h->sd = NAN;
		}
	} else if (text_begins(line, "#[Buckets")) {
		h->open = false;
		return put_summary(h, f);
	} else if (number_parse(line_word(&rest), &x)) {
		return read_row(h, x, rest, f);
	}
	return 0;
}

static int hgrm_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct hgrm h = { .name = s->name, .out = out };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		h.line++;
		line = text_trim(line);
		if (is_title(line))
			status = hgrm_begin(&h, f);
		else if (h.open)
			status = read_line(&h, line, f);
	}
	if (status == 0 && h.open)
		status = fault_set(
		    f, "%s: a histogram has no line \"#[Buckets\": it is cut off", s->name);
	return status;
}

const struct format format_hgrm = { .name = "hgrm",
	.meaning = "percentiles of HDR histograms (.hgrm)",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = hgrm_recognize,
	.read = hgrm_read };
