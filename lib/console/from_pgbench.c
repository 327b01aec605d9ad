/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what pgbench prints: lines of progress, a summary, and statistics of scripts and of
 * their statements. A run whose clients were aborted, or that has no line "tps =", failed.
 * If there are several runs, those of one subject are its samples.
 */
#include <math.h>

#include "console/console_text.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A line of the summary, or of a script, and the metric of its value. */
static const struct line_kind {
	const char *label, *metric, *unit;
	int exponent;
	const char *ending; /* of the line; NULL: any */
} kinds[] = {
	{ "number of transactions actually processed:", "transactions", "1", 0, NULL },
	{ "number of failed transactions:", "failed_transactions", "1", 0, NULL },
	{ "number of serialization failures:", "serialization_failures", "1", 0, NULL },
	{ "number of deadlock failures:", "deadlock_failures", "1", 0, NULL },
	{ "number of transactions retried:", "retried_transactions", "1", 0, NULL },
	{ "total number of retries:", "retries", "1", 0, NULL },
	{ "number of transactions skipped:", "skipped_transactions", "1", 0, NULL },
	{ "number of transactions above the ", "late_transactions", "1", 0, NULL },
	{ "latency average =", "latency", "ns", 6, NULL },
	{ "latency stddev =", "latency_sd", "ns", 6, NULL },
	{ "initial connection time =", "initial_connection_time", "ns", 6, NULL },
	{ "average connection time =", "connection_time", "ns", 6, NULL },
	{ "tps =", "throughput_with_connections", "1/s", 0,
	    "(including connections establishing)" }, /* before version 14 */
	{ "tps =", "throughput", "1/s", 0, NULL },
};

static const struct {
	const char *label, *factor;
} settings[] = {
	{ "scaling factor: ", "scale" },
	{ "partition method: ", "partition_method" },
	{ "partitions: ", "partitions" },
	{ "query mode: ", "query_mode" },
	{ "number of clients: ", "clients" },
	{ "number of threads: ", "threads" },
	{ "maximum number of tries: ", "max_tries" },
};

/* The values of a line of progress: the word before or after each value. */
static const struct progress_kind {
	const char *before, *after, *metric, *unit;
	int exponent;
	bool is_latency; /* 0 if there was no transaction */
} progress_kinds[] = {
	{ NULL, "tps", "interval_throughput", "1/s", 0, false },
	{ "lat", NULL, "interval_latency", "ns", 6, true },
	{ "stddev", NULL, "interval_latency_sd", "ns", 6, true },
	{ NULL, "failed", "interval_failed_transactions", "1", 0, false },
	{ "lag", NULL, "interval_schedule_lag", "ns", 6, true },
	{ NULL, "skipped", "interval_skipped_transactions", "1", 0, false },
	{ NULL, "retried", "interval_retried_transactions", "1", 0, false },
	{ NULL, "retries", "interval_retries", "1", 0, false },
};

static const char type_label[] = "transaction type: ", error_label[] = "pgbench: error: ",
                  aborted_label[] = "pgbench: error: Run was aborted",
                  progress_label[] = "progress: ";

/* A run, which is read twice: first these, and then its rows. */
struct pg_run {
	struct text lines, type, error;
	struct text setting[COUNT(settings)];
	bool complete, aborted;
	int64_t sample;
};

struct pg_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;      /* before the run, and then within it */
	const struct pg_run *run;
	struct text script;   /* its name; "": none */
	int64_t scripts;      /* before and with this */
	int64_t position;     /* of the last statement */
	int statement_values; /* of a line; 0: no statements */
	int64_t transactions, failed;
	double first_stamp; /* of progress; NAN: none */
};

static bool is_banner(struct text line)
{
	return text_begins(line, "pgbench (");
}

/* Returns whether a line begins a run if none is open. */
static bool is_start(struct text line)
{
	return is_banner(line) || text_begins(line, type_label) ||
	       text_begins(line, error_label);
}

/* Returns whether a line, before which there is a run, begins another. */
static bool ends_run(const struct pg_run *run, struct text line)
{
	if (is_banner(line))
		return true;
	if (text_begins(line, aborted_label))
		return false;
	return (run->type.len && text_begins(line, type_label)) ||
	       (run->complete &&
	           (text_begins(line, progress_label) || text_begins(line, error_label)));
}

/* Returns the value of a line that begins with the label. */
static bool after_label(struct text line, const char *label, struct text *value)
{
	if (!text_begins(line, label))
		return false;
	*value = text_trim(text_after(line, strlen(label)));
	return true;
}

/* Returns the number of transactions, if it is known how many there should have been and
 * fewer were processed, failed or skipped, because clients were aborted. */
static bool lack_transactions(struct text lines)
{
	struct text line, value;
	double sum = 0, x, all = 0;

	while (line_next(&lines, &line)) {
		if (after_label(line, kinds[0].label, &value)) {
			if (number_parse(text_until(&value, '/'), &x))
				sum += x;
			number_parse(value, &all);
		} else if (after_label(line, "number of failed transactions:", &value) ||
		           after_label(line, "number of transactions skipped:", &value)) {
			if (number_parse(line_word(&value), &x))
				sum += x;
		}
	}
	return sum < all;
}

/* Reads a line of a run for the first time. */
static void scan_line(struct pg_run *run, struct text line)
{
	struct text value;

	after_label(line, type_label, &run->type);
	for (size_t i = 0; i < COUNT(settings); i++)
		after_label(line, settings[i].label, &run->setting[i]);
	if (!run->error.len)
		after_label(line, error_label, &run->error);
	run->complete |= after_label(line, "tps =", &value);
	run->aborted |= text_begins(line, aborted_label);
}

/* Removes the next run and its lines from rest. Returns false if there is none. Sets
 * *skipped to the number of lines before it. */
static bool next_run(struct text *rest, struct pg_run *run, size_t *skipped)
{
	struct text before = *rest, line;
	bool open = false;

	*run = (struct pg_run){ 0 };
	*skipped = 0;
	for (; line_next(rest, &line); before = *rest) {
		if (!open && (is_start(line) || text_begins(line, progress_label))) {
			open = true;
			run->lines = before;
		} else if (!open) {
			++*skipped;
			continue;
		} else if (ends_run(run, line)) {
			*rest = before;
			break;
		}
		scan_line(run, line);
	}
	if (!open)
		return false;
	run->lines.len = (size_t)(rest->ptr - run->lines.ptr);
	run->aborted |= !run->complete || lack_transactions(run->lines);
	return true;
}

static void begin_row(struct pg_reading *r)
{
	const struct pg_run *run = r->run;

	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, r->script.len ? r->script : run->type);
	row_builder_set(r->out, COL_STATUS, run->aborted ? TEXT("failed") : TEXT("ok"));
	for (size_t i = 0; i < COUNT(settings); i++)
		if (run->setting[i].len)
			row_builder_factor(
			    r->out, text_of(settings[i].factor), run->setting[i]);
	if (r->script.len)
		row_builder_factor_number(r->out, TEXT("script"), (double)r->scripts);
	if (run->error.len)
		row_builder_extra(r->out, EXTRA_MESSAGE, run->error);
	r->out->row.sample = run->sample;
	r->out->row.iterations = ROW_NONE;
	r->out->row.t = ROW_NONE;
}

static int no_number(const struct pg_reading *r, struct fault *f)
{
	return fault_set(f, "%s:%zu: no number", r->name, r->line);
}

/* Returns a number of transactions, however large the text says that it is. */
static int64_t count_of(double x)
{
	return llround(fmin(fmax(x, 0), 1e15));
}

/* Adds a row of a value. */
static int put_value(
    struct pg_reading *r, const struct line_kind *k, struct text value, struct fault *f)
{
	bool with_failed = text_ends(value, "(including failures)");
	struct text word = line_word(&value);
	double x;

	if (!number_parse(text_until(&word, '/'), &x))
		return no_number(r, f);
	if (k == &kinds[0])
		r->transactions = count_of(x);
	else if (k == &kinds[1])
		r->failed = count_of(x);
	begin_row(r);
	if (strcmp(k->metric, "latency") == 0)
		r->out->row.iterations = r->transactions + (with_failed ? r->failed : 0);
	return row_builder_put(
	    r->out, text_of(k->metric), text_of(k->unit), decimal_shift(x, k->exponent), f);
}

/* Reads "rate limit schedule lag: avg 0.245 (max 4.222) ms". */
static int read_lag(struct pg_reading *r, struct text value, struct fault *f)
{
	static const struct line_kind lags[] = {
		{ "avg", "schedule_lag", "ns", 6, NULL },
		{ "(max", "schedule_lag_max", "ns", 6, NULL },
	};

	for (size_t i = 0; i < COUNT(lags); i++) {
		struct text word;

		if (!text_is(line_word(&value), lags[i].label))
			return no_number(r, f);
		word = line_word(&value);
		if (text_ends(word, ")"))
			word.len--;
		if (put_value(r, &lags[i], word, f) < 0)
			return -1;
	}
	return 0;
}

/* Reads " - 32 transactions (80.0% of total, tps = 2996.535256)". */
static int read_share(struct pg_reading *r, struct text line, struct fault *f)
{
	static const struct line_kind rate = { "", "throughput", "1/s", 0, NULL };

	if (put_value(r, &kinds[0], line, f) < 0)
		return -1;
	text_until(&line, '=');
	if (text_ends(line, ")"))
		line.len--;
	return put_value(r, &rate, line, f);
}

/* Reads the latency of a statement and how often it failed and was repeated. */
static int read_statement(struct pg_reading *r, struct text line, struct fault *f)
{
	static const char *const counts[] = { "failures", "retries" };
	double value[1 + COUNT(counts)];

	for (int i = 0; i < r->statement_values; i++)
		if (!number_parse(line_word(&line), &value[i]))
			return 0;
	begin_row(r);
	row_builder_factor_number(r->out, TEXT("position"), (double)++r->position);
	row_builder_factor(r->out, TEXT("statement"), text_trim(line));
	/* Of 0.000 ms is only known that they are fewer than pgbench can print. */
	if (row_builder_put(r->out, TEXT("latency"), TEXT("ns"),
	        value[0] > 0 ? decimal_shift(value[0], 6) : NAN, f) < 0)
		return -1;
	for (int i = 1; i < r->statement_values; i++)
		if (row_builder_put(
		        r->out, text_of(counts[i - 1]), TEXT("1"), value[i], f) < 0)
			return -1;
	return 0;
}

static struct text without_comma(struct text word)
{
	word.len -= text_ends(word, ",");
	return word;
}

/* Returns the kind of a number in a line of progress by the words around it, or NULL. */
static const struct progress_kind *find_progress(struct text before, struct text after)
{
	for (size_t i = 0; i < COUNT(progress_kinds); i++) {
		const struct progress_kind *k = &progress_kinds[i];

		if (k->before ? text_is(before, k->before) : text_is(after, k->after))
			return k;
	}
	return NULL;
}

/* Begins the row of a line of progress at its time: since the start or, with
 * --progress-timestamp, since 1970. */
static void begin_progress(struct pg_reading *r, double t)
{
	if (t >= 1e9) {
		if (isnan(r->first_stamp))
			r->first_stamp = t;
		t -= r->first_stamp;
	}
	begin_row(r);
	r->out->row.t = llround(fmin(fmax(t, 0), 1e9) * 1e9);
}

/* Reads "progress: 1.0 s, 94.0 tps, lat 2.129 ms stddev 1.706, 0 failed, lag 0.230 ms, 0
 * skipped". */
static int read_progress(struct pg_reading *r, struct text line, struct fault *f)
{
	struct text word = line_word(&line), before = TEXT("");
	double t, x, rate = NAN;

	if (!number_parse(word, &t))
		return no_number(r, f);
	line_word(&line);
	begin_progress(r, t);
	for (word = line_word(&line); word.len; before = word, word = line_word(&line)) {
		struct text rest = line;
		const struct progress_kind *k =
		    find_progress(before, without_comma(line_word(&rest)));

		if (!k)
			continue;
		if (!number_parse(without_comma(word), &x))
			return no_number(r, f);
		if (k == progress_kinds)
			rate = x;
		x = k->is_latency && rate == 0 ? NAN : decimal_shift(x, k->exponent);
		if (row_builder_put(r->out, text_of(k->metric), text_of(k->unit), x, f) < 0)
			return -1;
	}
	return 0;
}

/* Begins the statements of a script if a line is their title. */
static bool begin_statements(struct pg_reading *r, struct text line)
{
	if (!text_begins(line, "statement latencies in milliseconds"))
		return false;
	r->position = 0;
	r->statement_values = text_ends(line, "retries:")    ? 3
	                      : text_ends(line, "failures:") ? 2
	                                                     : 1;
	return true;
}

/* Begins a script if a line is its title: "SQL script 1: <builtin: select only>". */
static bool begin_script(struct pg_reading *r, struct text line)
{
	if (!text_begins(line, "SQL script "))
		return false;
	text_until(&line, ':');
	r->script = text_trim(line);
	r->scripts++;
	r->statement_values = 0;
	r->transactions = r->failed = 0;
	return true;
}

static int read_line(struct pg_reading *r, struct text line, struct fault *f)
{
	struct text value;

	if (after_label(line, progress_label, &value))
		return read_progress(r, value, f);
	if (begin_script(r, line))
		return 0;
	line = text_trim(line);
	if (text_begins(line, "- "))
		line = text_after(line, 2);
	if (begin_statements(r, line))
		return 0;
	if (r->statement_values)
		return read_statement(r, line, f);
	if (after_label(line, "rate limit schedule lag:", &value))
		return read_lag(r, value, f);
	for (const struct line_kind *k = kinds; k < kinds + COUNT(kinds); k++)
		if (after_label(line, k->label, &value) &&
		    (!k->ending || text_ends(value, k->ending))) {
			if (strcmp(k->metric, "late_transactions") == 0)
				text_until(&value, ':');
			return put_value(r, k, text_trim(value), f);
		}
	value = line;
	line_word(&value);
	return text_begins(text_trim(value), "transactions (") ? read_share(r, line, f) : 0;
}

static int put_run(struct pg_reading *r, struct fault *f)
{
	struct text rest = r->run->lines, line;

	r->script = TEXT("");
	r->scripts = r->statement_values = 0;
	r->transactions = r->failed = 0;
	r->first_stamp = NAN;
	while (line_next(&rest, &line)) {
		r->line++;
		if (read_line(r, line, f) < 0)
			return -1;
	}
	if (r->run->complete)
		return 0;
	begin_row(r);
	return row_builder_put(r->out, TEXT("throughput"), TEXT("1/s"), NAN, f);
}

/* Returns the number of earlier runs of the same subject. */
static int64_t number_of(struct sample_counts *counts, const struct pg_run *run)
{
	struct buf name = { 0 };
	int64_t number;

	buf_text(&name, run->type);
	for (size_t i = 0; i < COUNT(settings); i++) {
		buf_byte(&name, '\n');
		buf_text(&name, run->setting[i]);
	}
	number = sample_counts_next(counts, text_in(&name));
	buf_free(&name);
	return number;
}

static bool pgbench_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_start(line))
			return true;
	return false;
}

static int pgbench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct pg_reading r = { .out = out, .name = s->name };
	struct sample_counts counts = { 0 };
	struct text rest = s->text;
	struct pg_run run;
	size_t skipped, runs = 0;
	int status = 0;

	while (next_run(&rest, &run, &skipped))
		runs++;
	rest = s->text;
	r.run = &run;
	while (status == 0 && next_run(&rest, &run, &skipped)) {
		run.sample = runs > 1 ? number_of(&counts, &run) : ROW_NONE;
		r.line += skipped;
		status = put_run(&r, f);
	}
	sample_counts_free(&counts);
	return status;
}

const struct format format_pgbench = { .name = "pgbench",
	.meaning = "pgbench",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = pgbench_recognize,
	.read = pgbench_read };
