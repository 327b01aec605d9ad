/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what ab (ApacheBench) prints about a test of an HTTP server. A test begins with the
 * version, and has failed if it has no line "Requests per second:" or no request. ab rounds
 * most times to milliseconds. If there are several tests, those of one subject are its
 * samples.
 */
#include <math.h>
#include <stdlib.h>

#include "console/console_text.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A line with one value, which is multiplied by 10 to the power of the exponent, and by the
 * factor. */
static const struct line_kind {
	const char *label, *metric, *unit;
	int exponent;
	double factor;
} kinds[] = {
	{ "Time taken for tests:", "wall", "ns", 9, 1 },
	{ "Complete requests:", "requests", "1", 0, 1 },
	{ "Failed requests:", "failed_requests", "1", 0, 1 },
	{ "Write errors:", "write_errors", "1", 0, 1 },
	{ "Non-2xx responses:", "http_errors", "1", 0, 1 },
	{ "Requests per second:", "throughput", "1/s", 0, 1 },
	{ "Time per request:", "time_per_request", "ns", 6, 1 },
	{ "Transfer rate:", "bandwidth", "B/s", 0, 1024 },
};
enum { REQUESTS = 1, THROUGHPUT = 5 };

/* Lines of numbers: minimum, mean, standard deviation, median and maximum. */
static const struct {
	const char *label, *metric;
} time_kinds[] = {
	{ "Connect:", "connect" },
	{ "Processing:", "processing" },
	{ "Waiting:", "waiting" },
	{ "Total:", "latency" },
};
static const char *const statistics[] = { "_min", "", "_sd", "_median", "_max" };

/* The causes of failed requests, in one line. */
static const struct {
	const char *label, *metric;
} causes[] = {
	{ "(Connect:", "connect_errors" },
	{ "Receive:", "receive_errors" },
	{ "Length:", "length_errors" },
	{ "Exceptions:", "exceptions" },
};

enum { VALUES_MOST = 64 };

/* A value that a test has; NAN if ab rounded it to 0, or if there was no request. */
struct ab_value {
	const char *metric, *suffix;
	struct text percent; /* of a percentile, or "" */
	const char *unit;
	double value;
};

struct ab_test {
	struct text host, port, path, concurrency;
	struct text progress; /* a line that has a message if the test failed */
	bool encrypted, keeps_alive;
	struct ab_value value[VALUES_MOST];
	size_t values;
	double requests;
	bool complete;
};

static bool is_start(struct text line)
{
	static const char start[] = "This is ApacheBench, Version ";

	/* A message that is not a line may precede it, and in HTML, elements follow. */
	return memmem(line.ptr, line.len, start, strlen(start)) &&
	       !memmem(line.ptr, line.len, "<i>", 3);
}

static bool ab_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_start(line))
			return true;
	return false;
}

static void add_value(struct ab_test *t, struct ab_value value)
{
	if (t->values < VALUES_MOST)
		t->value[t->values++] = value;
}

/* Returns a number of milliseconds in ns; NAN if ab rounded it to 0, or if it is infinite.
 * Sets *valid to whether the text is a number at all. */
static double milliseconds(struct text word, bool *valid)
{
	double x;

	*valid = number_parse(word, &x);
	return *valid && x > 0 ? decimal_shift(x, 6) : NAN;
}

/* Returns the text after the label of a line, or one whose ptr is NULL. */
static struct text after_label(struct text line, const char *label)
{
	return text_begins(line, label) ? text_trim(text_after(line, strlen(label)))
	                                : (struct text){ 0 };
}

/* Returns whether a value is that of a division by no request or no time. */
static bool is_quotient_of_nothing(struct text word)
{
	return text_is(word, "inf") || text_is(word, "nan") || text_is(word, "-nan");
}

/* Reads a line with one value. Returns false if it should be a number and is not. */
static bool read_value(struct ab_test *t, const struct line_kind *k, struct text value)
{
	struct text word = line_word(&value);
	double x;

	if (text_ends(value, "across all concurrent requests)"))
		return true;
	if (is_quotient_of_nothing(word))
		x = NAN;
	else if (!number_parse(word, &x))
		return false;
	if (k == &kinds[REQUESTS])
		t->requests = x;
	t->complete |= k == &kinds[THROUGHPUT];
	add_value(t, (struct ab_value){ k->metric, "", TEXT(""), k->unit,
	                 decimal_shift(x, k->exponent) * k->factor });
	return true;
}

/* Reads the statistics of a time; ab -S omits the standard deviation and the
 * median. Returns whether the line has them. */
static bool read_times(struct ab_test *t, const char *metric, struct text line)
{
	static const size_t short_line[] = { 0, 1, 4 };
	double ns[COUNT(statistics)];
	size_t count = 0;
	bool valid = true;

	while (text_trim(line).len && count < COUNT(ns) && valid)
		ns[count++] = milliseconds(line_word(&line), &valid);
	if (!valid || (count != COUNT(ns) && count != COUNT(short_line)))
		return false;
	for (size_t i = 0; i < count; i++)
		add_value(t, (struct ab_value){ metric,
		                 statistics[count == COUNT(ns) ? i : short_line[i]],
		                 TEXT(""), "ns", ns[i] });
	return true;
}

/* Returns the metric of the cause that a word labels, or NULL. */
static const char *cause_metric(struct text word)
{
	for (size_t i = 0; i < COUNT(causes); i++)
		if (text_is(word, causes[i].label))
			return causes[i].metric;
	return NULL;
}

/* Reads "(Connect: 0, Receive: 0, Length: 26, Exceptions: 0)". */
static void read_causes(struct ab_test *t, struct text line)
{
	double x;

	for (struct text word = line_word(&line); word.len; word = line_word(&line)) {
		const char *metric = cause_metric(word);

		if (!metric)
			continue;
		word = line_word(&line);
		if (text_ends(word, ",") || text_ends(word, ")"))
			word.len--;
		if (number_parse(word, &x))
			add_value(t, (struct ab_value){ metric, "", TEXT(""), "1", x });
	}
}

/* Reads "  99%     23". The last, 100%, is the maximum. */
static void read_percentile(struct ab_test *t, struct text line)
{
	struct text percent = line_word(&line);
	double share, ns;
	bool valid;

	if (!text_ends(percent, "%"))
		return;
	percent.len--;
	ns = milliseconds(line_word(&line), &valid);
	if (valid && number_parse(percent, &share) && share < 100)
		add_value(t, (struct ab_value){ "latency", "_p", percent, "ns", ns });
}

/* Reads a line of a test. Returns false if it lacks a number. */
static bool read_line(struct ab_test *t, struct text line)
{
	struct {
		const char *label;
		struct text *value;
	} settings[] = { { "Server Hostname:", &t->host }, { "Server Port:", &t->port },
		{ "Document Path:", &t->path }, { "Concurrency Level:", &t->concurrency } };
	struct text value;

	line = text_trim(line);
	for (size_t i = 0; i < COUNT(settings); i++)
		if ((value = after_label(line, settings[i].label)).ptr)
			*settings[i].value = value;
	if (text_begins(line, "Benchmarking "))
		t->progress = line;
	t->encrypted |= text_begins(line, "SSL/TLS Protocol:");
	t->keeps_alive |= text_begins(line, "Keep-Alive requests:");
	for (size_t i = 0; i < COUNT(kinds); i++)
		if ((value = after_label(line, kinds[i].label)).ptr)
			return read_value(t, &kinds[i], value);
	for (size_t i = 0; i < COUNT(time_kinds); i++)
		if ((value = after_label(line, time_kinds[i].label)).ptr)
			return read_times(t, time_kinds[i].metric, value);
	if (text_begins(line, causes[0].label))
		read_causes(t, line);
	else
		read_percentile(t, line);
	return true;
}

/* Sets the columns of a test. */
static void set_columns(struct row_builder *out, const struct ab_test *t)
{
	bool failed = !t->complete || !(t->requests > 0);

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_STATUS, failed ? TEXT("failed") : TEXT("ok"));
	if (t->host.len)
		row_builder_set(out, COL_BENCH,
		    text_of(arena_format(&out->texts, "http%s://%.*s:%.*s%.*s",
		        t->encrypted ? "s" : "", (int)t->host.len, t->host.ptr,
		        (int)t->port.len, t->port.ptr, (int)t->path.len, t->path.ptr)));
	if (t->concurrency.len)
		row_builder_factor(out, TEXT("concurrency"), t->concurrency);
	if (t->keeps_alive)
		row_builder_factor(out, TEXT("keep_alive"), TEXT("true"));
	if (failed && t->progress.len)
		row_builder_extra(out, EXTRA_MESSAGE, t->progress);
}

/* Adds the rows of a test. If it failed, its times mean nothing. */
static int put_test(
    struct row_builder *out, const struct ab_test *t, int64_t sample, struct fault *f)
{
	bool has_requests = t->requests > 0;

	set_columns(out, t);
	out->row.sample = sample;
	for (size_t i = 0; i < t->values; i++) {
		const struct ab_value *v = &t->value[i];
		const char *name = arena_format(&out->texts, "%s%s%.*s", v->metric,
		    v->suffix, (int)v->percent.len, v->percent.ptr);
		bool is_mean = strcmp(name, "latency") == 0 && has_requests;

		out->row.iterations = is_mean ? llround(fmin(t->requests, 1e15)) : ROW_NONE;
		if (row_builder_put(out, text_of(name), text_of(v->unit), v->value, f) < 0)
			return -1;
	}
	out->row.iterations = ROW_NONE;
	return t->complete ? 0
	                   : row_builder_put(out, TEXT("throughput"), TEXT("1/s"), NAN, f);
}

/* Returns the number of earlier tests of the same subject. */
static int64_t number_of(struct sample_counts *counts, const struct ab_test *t)
{
	char *name = str_format("%.*s %.*s %.*s %.*s %d %d", (int)t->concurrency.len,
	    t->concurrency.ptr, (int)t->host.len, t->host.ptr, (int)t->port.len,
	    t->port.ptr, (int)t->path.len, t->path.ptr, t->encrypted, t->keeps_alive);
	int64_t number = sample_counts_next(counts, text_of(name));

	free(name);
	return number;
}

static const struct ab_test no_test = { .host = TEXT(""),
	.port = TEXT(""),
	.path = TEXT(""),
	.concurrency = TEXT(""),
	.progress = TEXT(""),
	.requests = NAN };

static int ab_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct sample_counts counts = { 0 };
	struct text rest = s->text, line;
	struct ab_test t = no_test;
	size_t starts = 0, number = 0, tests = 0;
	int status = 0;

	while (line_next(&rest, &line))
		starts += is_start(line);
	rest = s->text;
	while (status == 0 && line_next(&rest, &line)) {
		number++;
		if (is_start(line)) {
			if (tests++)
				status = put_test(out, &t,
				    starts > 1 ? number_of(&counts, &t) : ROW_NONE, f);
			t = no_test;
		} else if (tests && !read_line(&t, line)) {
			status = fault_set(f, "%s:%zu: no number", s->name, number);
		}
	}
	if (status == 0 && tests)
		status =
		    put_test(out, &t, starts > 1 ? number_of(&counts, &t) : ROW_NONE, f);
	sample_counts_free(&counts);
	return status;
}

const struct format format_ab = { .name = "ab",
	.meaning = "ab (ApacheBench)",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "Benchmarking *(be patient)...*", NULL },
	.may_be_mixed = true,
	.recognize = ab_recognize,
	.read = ab_read };
