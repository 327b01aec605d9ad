/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the log of transactions that pgbench -l writes. A line has the client, the number
 * of the transaction, its latency in microseconds or why it has none, the number of the
 * script, and the time of its end in seconds and microseconds since 1970. Further fields
 * depend on options that the log does not name. Nor does it say what it is, so that it
 * is only read if the user names the format.
 */
#include <math.h>

#include "console/console_text.h"
#include "record/provenance.h"
#include "record/sample_counts.h"
#include "text/units.h"

enum { CLIENT, NUMBER, LATENCY, SCRIPT, SECONDS, MICROSECONDS, FIELDS, FIELDS_MOST = 8 };

static const int64_t us_ns = 1000, s_ns = 1000000000;

/* The words in place of a latency, and the status of the transaction. */
static const struct {
	const char *word, *status;
} reasons[] = {
	{ "skipped", "skipped" },
	{ "failed", "failed" },
	{ "serialization", "failed" },
	{ "deadlock", "failed" },
};

/* A line of the log. */
struct transaction {
	struct text field[FIELDS_MOST + 1];
	int64_t number[FIELDS];
	int64_t start_ns; /* since 1970 */
	const char *status;
};

/* Sets the latency, or why there is none. Returns whether a string is either. */
static bool parse_latency(struct text t, struct transaction *x)
{
	x->status = "ok";
	for (size_t i = 0; i < COUNT(reasons); i++)
		if (text_is(t, reasons[i].word)) {
			x->number[LATENCY] = ROW_NONE;
			x->status = reasons[i].status;
			return true;
		}
	return integer_parse(t, &x->number[LATENCY]) && x->number[LATENCY] >= 0 &&
	       x->number[LATENCY] <= INT64_MAX / us_ns;
}

/* Parses a line. Returns false if it is not one of the log. */
static bool parse_line(struct text line, struct transaction *x)
{
	size_t fields = 0;

	while (fields <= FIELDS_MOST && (x->field[fields] = line_word(&line)).len)
		fields++;
	if (fields < FIELDS || fields > FIELDS_MOST || !parse_latency(x->field[LATENCY], x))
		return false;
	for (size_t i = 0; i < FIELDS; i++)
		if (i != LATENCY &&
		    (!integer_parse(x->field[i], &x->number[i]) || x->number[i] < 0))
			return false;
	if (x->number[SECONDS] >= INT64_MAX / s_ns || x->number[MICROSECONDS] >= 1000000)
		return false;
	x->start_ns = x->number[SECONDS] * s_ns + x->number[MICROSECONDS] * us_ns -
	              (x->number[LATENCY] == ROW_NONE ? 0 : x->number[LATENCY] * us_ns);
	return x->start_ns >= 0;
}

/* Sets the time when a transaction began. */
static void set_time(struct row_builder *out, const struct transaction *x)
{
	char time[PROVENANCE_TIME_MAX];
	struct text t = { time, provenance_time(time, x->start_ns) };

	row_builder_set(out, COL_TIME, text_of(arena_text(&out->texts, t)));
}

static int put_transaction(struct row_builder *out, const struct transaction *x,
    struct sample_counts *counts, struct fault *f)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_factor(out, TEXT("script"), x->field[SCRIPT]);
	row_builder_set(out, COL_STATUS, text_of(x->status));
	if (x->number[LATENCY] == ROW_NONE)
		row_builder_extra(out, EXTRA_MESSAGE, x->field[LATENCY]);
	set_time(out, x);
	out->row.process = x->number[CLIENT];
	out->row.sample = sample_counts_next(counts, x->field[CLIENT]);
	/* 0 means that it was shorter than half a microsecond. */
	return row_builder_put(out, TEXT("latency"), TEXT("ns"),
	    x->number[LATENCY] > 0 ? (double)(x->number[LATENCY] * us_ns) : NAN, f);
}

static int pgbench_log_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct sample_counts counts = { 0 };
	struct text rest = s->text, line;
	struct transaction x;
	size_t number = 0;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		number++;
		if (!text_trim(line).len)
			continue;
		status = parse_line(line, &x)
		             ? put_transaction(out, &x, &counts, f)
		             : fault_set(f,
		                   "%s:%zu: not a transaction in the log of pgbench -l "
		                   "(--aggregate-interval is not read)",
		                   s->name, number);
	}
	sample_counts_free(&counts);
	return status;
}

const struct format format_pgbench_log = { .name = "pgbench-log",
	.meaning = "the log of transactions of pgbench (-l)",
	.whole_lines = true,
	.read = pgbench_log_read };
