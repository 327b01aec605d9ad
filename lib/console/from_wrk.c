/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what wrk and wrk2 print about a test of an HTTP server: one block of lines, which
 * is a sample. Times have a unit of time, counts a prefix such as k, and sizes a prefix
 * that is a power of 1024.
 */
#include <math.h>

#include "convert/from.h"
#include "record/sample_counts.h"
#include "text/units.h"

enum value {
	LATENCY,
	LATENCY_SD,
	LATENCY_MAX,
	REQUESTS,
	WALL,
	THROUGHPUT,
	BANDWIDTH,
	SOCKET_ERRORS,
	HTTP_ERRORS,
	VALUES
};

static const struct {
	const char *metric, *unit;
} metrics[VALUES] = {
	[LATENCY] = { "latency", "ns" },
	[LATENCY_SD] = { "latency_sd", "ns" },
	[LATENCY_MAX] = { "latency_max", "ns" },
	[REQUESTS] = { "requests", "1" },
	[WALL] = { "wall", "ns" },
	[THROUGHPUT] = { "throughput", "1/s" },
	[BANDWIDTH] = { "bandwidth", "B/s" },
	[SOCKET_ERRORS] = { "socket_errors", "1" },
	[HTTP_ERRORS] = { "http_errors", "1" },
};

enum { PERCENTILES = 16 };

/* A test; values that it lacks are NAN. */
struct test {
	struct text url, threads, connections;
	double value[VALUES];
	struct percentile {
		struct text percent;
		double ns;
	} percentile[PERCENTILES];
	size_t percentiles;
};

struct suffix {
	const char *text;
	int exponent;  /* of ten */
	double factor; /* 0: none */
};
static const struct suffix times[] = { { "us", 3, 0 }, { "ms", 6, 0 }, { "s", 9, 0 },
	{ "m", 9, 60 }, { "h", 9, 3600 }, { NULL, 0, 0 } };
static const struct suffix sizes[] = { { "KB", 0, 0x1p10 }, { "MB", 0, 0x1p20 },
	{ "GB", 0, 0x1p30 }, { "TB", 0, 0x1p40 }, { "PB", 0, 0x1p50 }, { "B", 0, 0 },
	{ NULL, 0, 0 } };
static const struct suffix prefixes[] = { { "k", 3, 0 }, { "M", 6, 0 }, { "G", 9, 0 },
	{ "T", 12, 0 }, { "P", 15, 0 }, { "", 0, 0 }, { NULL, 0, 0 } };

/* Returns a number with one of these suffixes, scaled; NAN if it is not one. */
static double scaled(struct text t, const struct suffix *s)
{
	double x;

	while (s->text && !text_ends(t, s->text))
		s++;
	if (!s->text || !number_parse((struct text){ t.ptr, t.len - strlen(s->text) }, &x))
		return NAN;
	x = decimal_shift(x, s->exponent);
	return s->factor != 0 ? x * s->factor : x;
}

static bool is_start(struct text line, struct text *url)
{
	const char *at;

	if (!text_begins(line, "Running ") ||
	    !(at = memmem(line.ptr, line.len, " test @ ", 8)))
		return false;
	*url = text_trim((struct text){ at + 8, (size_t)(line.ptr + line.len - at) - 8 });
	return true;
}

static bool wrk_recognize(const struct source *s)
{
	struct text rest = s->text, line, url;

	while (line_next(&rest, &line))
		if (is_start(line, &url))
			return true;
	return false;
}

/* Reads a percentile of the latency: "99%   10.61ms", or of wrk2, "99.900%   12.15ms". */
static void read_percentile(struct test *t, struct text percent, struct text value)
{
	double ns = scaled(value, times), share;

	percent.len--;
	if (!number_parse(percent, &share))
		return;
	if (memchr(percent.ptr, '.', percent.len))
		while (percent.ptr[percent.len - 1] == '0' ||
		       percent.ptr[percent.len - 1] == '.')
			if (percent.ptr[--percent.len] == '.')
				break;
	if (isfinite(ns) && t->percentiles < PERCENTILES)
		t->percentile[t->percentiles++] = (struct percentile){ percent, ns };
}

/* Reads "787 requests in 1.00s, 143.72KB read". */
static void read_requests(struct test *t, struct text count, struct text rest)
{
	struct text wall;

	line_word(&rest);
	wall = line_word(&rest);
	if (text_ends(wall, ","))
		wall.len--;
	t->value[REQUESTS] = scaled(count, prefixes);
	t->value[WALL] = scaled(wall, times);
}

/* Adds up "connect 0, read 0, write 0, timeout 5". */
static void read_errors(struct test *t, struct text line)
{
	double sum = 0, x;

	while (text_trim(line).len) {
		struct text part = text_until(&line, ',');

		line_word(&part);
		if (number_parse(text_trim(part), &x))
			sum += x;
	}
	t->value[SOCKET_ERRORS] = sum;
}

static void read_line(struct test *t, struct text line)
{
	static const struct {
		const char *label;
		enum value value;
		const struct suffix *suffixes;
	} labels[] = {
		{ "Requests/sec:", THROUGHPUT, prefixes },
		{ "Transfer/sec:", BANDWIDTH, sizes },
		{ "Non-2xx or 3xx responses:", HTTP_ERRORS, prefixes },
	};
	struct text rest = text_trim(line), first;

	for (size_t i = 0; i < COUNT(labels); i++)
		if (text_begins(rest, labels[i].label)) {
			size_t len = strlen(labels[i].label);

			t->value[labels[i].value] = scaled(
			    text_trim(text_after(rest, len)),
			    labels[i].suffixes);
			return;
		}
	first = line_word(&rest);
	if (text_is(first, "Latency")) {
		/* Not the title "Latency Distribution" */
		for (enum value v = LATENCY; v <= LATENCY_MAX && isnan(t->value[v]); v++)
			t->value[v] = scaled(line_word(&rest), times);
	} else if (text_is(first, "Socket")) {
		line_word(&rest);
		read_errors(t, rest);
	} else if (text_ends(first, "%")) {
		read_percentile(t, first, text_trim(rest));
	} else {
		struct text second = line_word(&rest);

		if (text_is(second, "requests")) {
			read_requests(t, first, rest);
		} else if (text_is(second, "threads")) {
			t->threads = first;
			line_word(&rest);
			t->connections = line_word(&rest);
		}
	}
}

static int put_latency(struct row_builder *out, const struct test *t, struct fault *f)
{
	for (size_t i = 0; i < t->percentiles; i++) {
		const struct percentile *p = &t->percentile[i];

		if (row_builder_put(out,
		        text_of(arena_format(&out->texts, "latency_p%.*s",
		            (int)p->percent.len, p->percent.ptr)),
		        TEXT("ns"), p->ns, f) < 0)
			return -1;
	}
	return 0;
}

static int put_test(
    struct row_builder *out, const struct test *t, int64_t sample, struct fault *f)
{
	/* Without a request, wrk prints 0 as all latencies. */
	bool failed = !(t->value[REQUESTS] > 0);

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, t->url);
	row_builder_factor(out, TEXT("threads"), t->threads);
	row_builder_factor(out, TEXT("connections"), t->connections);
	row_builder_set(out, COL_STATUS, failed ? TEXT("failed") : TEXT("ok"));
	out->row.sample = sample;
	for (enum value v = 0; v < VALUES; v++) {
		bool missing = failed && v <= LATENCY_MAX;

		if ((missing && v == LATENCY) || (!missing && !isnan(t->value[v])))
			if (row_builder_put(out, text_of(metrics[v].metric),
			        text_of(metrics[v].unit), missing ? NAN : t->value[v],
			        f) < 0)
				return -1;
	}
	return failed ? 0 : put_latency(out, t, f);
}

static const struct test no_test = {
	.value = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
};

/* Returns the number of earlier tests with the same subject. */
static int64_t number_of(struct sample_counts *counts, const struct test *t)
{
	struct buf name = { 0 };
	int64_t number;

	buf_text(&name, t->threads);
	buf_byte(&name, ' ');
	buf_text(&name, t->connections);
	buf_byte(&name, ' ');
	buf_text(&name, t->url);
	number = sample_counts_next(counts, text_in(&name));
	buf_free(&name);
	return number;
}

static int wrk_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line, url;
	struct sample_counts counts = { 0 };
	struct test t = no_test;
	bool open = false;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		if (is_start(line, &url)) {
			if (open)
				break;
			t = no_test;
			t.url = url;
			open = true;
			continue;
		}
		if (!open)
			continue;
		read_line(&t, line);
		if (text_begins(line, "Transfer/sec:")) {
			status = put_test(out, &t, number_of(&counts, &t), f);
			open = false;
		}
	}
	if (status == 0 && open)
		status = fault_set(
		    f, "%s: a test has no line \"Transfer/sec:\": it is cut off", s->name);
	sample_counts_free(&counts);
	return status;
}

const struct format format_wrk = { .name = "wrk",
	.meaning = "wrk and wrk2",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "Transfer/sec: *[0-9]B",
	    "Transfer/sec: *[0-9][KMGT]B", NULL },
	.may_be_mixed = true,
	.recognize = wrk_recognize,
	.read = wrk_read };
