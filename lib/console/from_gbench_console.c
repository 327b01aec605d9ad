/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table that Google Benchmark prints by default, and with
 * --benchmark_counters_tabular: a line for each repetition with its name, two times, the
 * number of iterations, counters and a label. As in its JSON, aggregates are ignored if the
 * table has repetitions. A benchmark can have a name such as "x_mean", so that the lines of
 * aggregates are known by the order of the first two: "x_mean", "x_median".
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "console/console_text.h"
#include "convert/name_parts.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A line of the table. */
struct gbench_line {
	struct text name, time, time_unit, cpu, cpu_unit;
	struct text counters; /* after the iterations: counters and label */
	struct text titles;   /* of the counters in a tabular table; else empty */
	struct text date;
	struct text message;   /* why there are no times */
	struct text aggregate; /* after "x_" in the name; empty: a repetition */
	const char *status;
	int64_t iterations;
};

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct arena texts; /* lines without colors */
	struct gbench_line *line;
	size_t count, cap;
	struct intern kept; /* names that have repetitions */
	struct sample_counts counts;
	struct text ambiguous; /* the first counter with a prefix of unknown base */
	bool has_binary;       /* prefixes such as Ki */
};

/* Returns whether a line is the title of a table, and sets the titles of its counters. */
static bool is_title(struct text line, struct text *titles)
{
	static const char *const words[] = { "Benchmark", "Time", "CPU", "Iterations" };

	if (!text_begins(line, words[0]))
		return false;
	for (size_t i = 0; i < COUNT(words); i++)
		if (!text_is(line_word(&line), words[i]))
			return false;
	*titles = text_trim(line);
	if (text_is(*titles, "UserCounters..."))
		*titles = TEXT("");
	return true;
}

static bool gbench_recognize(const struct source *s)
{
	struct text rest = s->text, line, titles;

	while (line_next(&rest, &line))
		if (is_title(line, &titles))
			return true;
	return false;
}

/* Returns the exponent of a unit of time to ns, or -1. */
static int time_exponent(struct text unit)
{
	static const struct {
		const char *unit;
		int exponent;
	} units[] = { { "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 } };

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit))
			return units[i].exponent;
	return -1;
}

/* Parses "4.95 ns  2.86 ns  23762241 ...". */
static bool times_parse(struct text t, struct gbench_line *l)
{
	double x;

	l->time = line_word(&t);
	l->time_unit = line_word(&t);
	l->cpu = line_word(&t);
	l->cpu_unit = line_word(&t);
	if (!number_parse(l->time, &x) || time_exponent(l->time_unit) < 0 ||
	    !number_parse(l->cpu, &x) || time_exponent(l->cpu_unit) < 0 ||
	    !integer_parse(line_word(&t), &l->iterations) || l->iterations < 0)
		return false;
	l->counters = text_trim(t);
	l->status = "ok";
	return true;
}

/* Parses "ERROR OCCURRED: 'no device'". */
static bool failure_parse(struct text t, struct gbench_line *l)
{
	static const struct {
		const char *label, *status;
	} ends[] = { { "ERROR OCCURRED: '", "failed" }, { "SKIPPED: '", "skipped" } };

	t = text_trim(t);
	for (size_t i = 0; i < COUNT(ends); i++) {
		size_t len = strlen(ends[i].label);

		if (t.len > len && text_begins(t, ends[i].label) && text_ends(t, "'")) {
			l->message = text_after(t, len);
			l->message.len--;
			l->status = ends[i].status;
			return true;
		}
	}
	return false;
}

/* Parses a line, whose name can have spaces. Lines of a complexity or in percent are no
 * such lines. */
static bool line_parse(struct text line, struct gbench_line *l)
{
	struct text rest = line;

	if (!line.len || line.ptr[0] == ' ')
		return false;
	while (line_word(&rest).len) {
		if (!times_parse(rest, l) && !failure_parse(rest, l))
			continue;
		l->name = text_trim((struct text){ line.ptr, line.len - rest.len });
		return true;
	}
	return false;
}

/* Finds the lines of all tables. The date is in the line before the one with the program's
 * name, if standard error is in the file. */
static void find_lines(struct reading *r)
{
	struct text rest = r->source->text, line, before = TEXT(""), titles,
	            date = TEXT("");
	bool open = false;

	while (line_next(&rest, &line)) {
		struct gbench_line l = { 0 };

		line = console_plain(&r->texts, line);
		if (text_begins(line, "Running "))
			date = text_trim(before);
		before = line;
		if (is_title(line, &titles)) {
			open = true;
			continue;
		}
		if (!open || !line_parse(line, &l))
			continue;
		l.titles = titles;
		l.date = date;
		*VEC_ADD(r->line, r->count, r->cap) = l;
	}
}

static bool follows(struct text name, struct text base, const char *suffix)
{
	return name.len == base.len + strlen(suffix) &&
	       memcmp(name.ptr, base.ptr, base.len) == 0 && text_ends(name, suffix);
}

/* Finds out which lines are aggregates, and of what. */
static void find_aggregates(struct reading *r)
{
	static const char mean[] = "_mean";
	struct text base = TEXT("");

	for (size_t i = 0; i < r->count; i++) {
		struct text name = r->line[i].name, start = name;

		start.len -= text_ends(name, mean) ? strlen(mean) : 0;
		if (start.len < name.len && i + 1 < r->count &&
		    follows(r->line[i + 1].name, start, "_median"))
			base = start;
		if (base.len && name.len > base.len + 1 && name.ptr[base.len] == '_' &&
		    memcmp(name.ptr, base.ptr, base.len) == 0) {
			r->line[i].aggregate = text_after(name, base.len + 1);
			r->line[i].name = base;
		} else {
			base = TEXT("");
			intern_add(&r->kept, name);
		}
	}
}

/* Adds a row for a value of a line, whose metric can have the name of an aggregate. */
static int put_value(struct reading *r, const struct gbench_line *l, struct text metric,
    struct text unit, double x, struct fault *f)
{
	struct text aggregate = l->aggregate;

	if (text_is(aggregate, "stddev"))
		aggregate = TEXT("sd");
	if (aggregate.len && !text_is(aggregate, "mean"))
		metric = text_of(arena_format(&r->out->texts, "%.*s_%.*s", (int)metric.len,
		    metric.ptr, (int)aggregate.len, aggregate.ptr));
	return row_builder_put(r->out, metric, unit, x, f);
}

static int put_time(struct reading *r, const struct gbench_line *l, struct text metric,
    struct text time, struct text unit, struct fault *f)
{
	double x = NAN;

	number_parse(time, &x);
	return put_value(
	    r, l, metric, TEXT("ns"), decimal_shift(x, time_exponent(unit)), f);
}

/* A counter as it is printed: "297.251k/s", "3.90625Ki", "3.36416us", "12.5". */
struct gbench_counter {
	double value;
	int prefix; /* its exponent of 1000 or 1024 */
	bool is_binary, is_rate, is_time;
};

static bool counter_parse(struct text t, struct gbench_counter *c)
{
	static const char big[] = "kMGTPEZY", small[] = "munpfazy";
	const char *at;

	*c = (struct gbench_counter){ .is_rate = text_ends(t, "/s") };
	c->is_time = !c->is_rate && text_ends(t, "s");
	t.len -= c->is_rate ? 2 : c->is_time;
	c->is_binary = text_ends(t, "i");
	t.len -= c->is_binary;
	if (t.len && t.ptr[t.len - 1]) {
		char prefix = t.ptr[t.len - 1];

		at = strchr(big, prefix == 'K' ? 'k' : prefix);
		c->prefix = at ? (int)(at - big) + 1 : 0;
		if (!at && (at = strchr(small, prefix)))
			c->prefix = -(int)(at - small) - 1;
		t.len -= at != NULL;
	}
	if (number_parse(t, &c->value))
		return true;
	c->value = NAN;
	return text_is(t, "nan") || text_is(t, "-nan") || text_is(t, "inf") ||
	       text_is(t, "-inf");
}

static int put_counter(struct reading *r, const struct gbench_line *l, struct text name,
    const struct gbench_counter *c, struct fault *f)
{
	bool is_bytes = text_is(name, "bytes_per_second"),
	     is_items = text_is(name, "items_per_second");
	struct text unit = is_bytes     ? TEXT("B/s")
	                   : c->is_rate ? TEXT("1/s")
	                   : c->is_time ? TEXT("ns")
	                                : TEXT("1");
	double x = c->value;

	r->has_binary |= c->is_binary;
	if (c->prefix > 0 && !c->is_binary && !is_bytes && !is_items && !r->ambiguous.len)
		r->ambiguous = name;
	x = c->is_binary || is_bytes ? ldexp(x, 10 * c->prefix)
	                             : decimal_shift(x, 3 * c->prefix);
	if (c->is_time)
		x = decimal_shift(x, 9);
	return put_value(r, l,
	    is_bytes   ? TEXT("bandwidth")
	    : is_items ? TEXT("throughput")
	               : name,
	    unit, x, f);
}

/* Removes the next counter, and its name, from the text after the iterations. Returns
 * false at the label. */
static bool next_counter(
    struct text *rest, struct text *titles, struct text *name, struct gbench_counter *c)
{
	struct text after = *rest, value = line_word(&after);

	if (titles->len) {
		*name = line_word(titles);
	} else {
		*name = text_until(&value, '=');
		if (!name->len)
			return false;
	}
	if (!counter_parse(value, c))
		return false;
	*rest = after;
	return true;
}

static int put_counters(struct reading *r, const struct gbench_line *l, struct fault *f)
{
	struct text rest = l->counters, titles = l->titles, name;
	bool is_tabular = titles.len > 0;
	struct gbench_counter c;

	while (rest.len && (!is_tabular || titles.len) &&
	       next_counter(&rest, &titles, &name, &c))
		if (put_counter(r, l, name, &c, f) < 0)
			return -1;
	return 0;
}

/* Returns the text after the counters of a line. */
static struct text label_of(const struct gbench_line *l)
{
	struct text rest = l->counters, titles = l->titles, name;
	bool is_tabular = titles.len > 0;
	struct gbench_counter c;

	while (rest.len && (!is_tabular || titles.len) &&
	       next_counter(&rest, &titles, &name, &c))
		;
	return text_trim(rest);
}

static int put_line(struct reading *r, const struct gbench_line *l, struct fault *f)
{
	struct row_builder *out = r->out;
	struct text label = label_of(l);
	bool shorter;

	if (l->aggregate.len && intern_find(&r->kept, l->name) >= 0)
		return 0;
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	from_time(out, l->date);
	shorter = name_parts_set(out, l->name, gbench_settings);
	if (label.len)
		row_builder_factor(out, TEXT("label"), label);
	if (label.len || shorter)
		row_builder_extra(out, EXTRA_NAME, l->name);
	row_builder_set(out, COL_STATUS, text_of(l->status));
	if (!l->aggregate.len) {
		out->row.sample = sample_counts_next(&r->counts, l->name);
		out->row.iterations = l->message.ptr ? ROW_NONE : l->iterations;
	}
	if (l->message.ptr) {
		if (l->message.len)
			row_builder_extra(out, EXTRA_MESSAGE, l->message);
		return row_builder_put(out, TEXT("wall"), TEXT("ns"), NAN, f);
	}
	if (put_time(r, l, TEXT("wall"), l->time, l->time_unit, f) < 0 ||
	    put_time(r, l, TEXT("cpu_time"), l->cpu, l->cpu_unit, f) < 0)
		return -1;
	return put_counters(r, l, f);
}

static int gbench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out };
	int status = 0;

	find_lines(&r);
	find_aggregates(&r);
	for (size_t i = 0; i < r.count && status == 0; i++)
		status = put_line(&r, &r.line[i], f);
	if (status == 0 && r.ambiguous.len && !r.has_binary)
		row_builder_note(out,
		    "%s: '%.*s': prefixes of counters are read as powers of 1000, but some "
		    "versions of Google Benchmark print powers of 1024 in the same way",
		    s->name, (int)r.ambiguous.len, r.ambiguous.ptr);
	free(r.line);
	intern_free(&r.kept);
	sample_counts_free(&r.counts);
	arena_free(&r.texts);
	return status;
}

const struct format format_gbench_console = { .name = "gbench-console",
	.meaning = "the table that Google Benchmark prints",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = gbench_recognize,
	.read = gbench_read };
