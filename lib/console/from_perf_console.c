/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what perf stat prints for people, on a terminal or with -o. A line of a count is
 *   [time] [place [processors]] count[ unit]  event [cgroup] [# metric] [( +- x%)] [(x%)]
 * where the last percentage is the share of time in which a multiplexed event was counted.
 * One space separates a unit from its count, and at least five an event. Counts have the
 * separators of the user's locale, and fractions of two digits, or of six in perf before
 * 4.20. Metrics are not read, because perf computes them from the counts. A line among the
 * counts that cannot be read is an error, so that no count is missing unseen.
 */
#include <math.h>

#include "console/console_text.h"
#include "console/locale_number.h"
#include "convert/perf_rows.h"
#include "text/units.h"

enum perf_place { OUTSIDE_COUNTS, AMONG_COUNTS, AMONG_INTERVALS, AFTER_COUNTS };

struct console_reading {
	struct perf_reading rows;
	struct arena texts;    /* of a line */
	struct arena names;    /* of commands */
	enum perf_place place; /* of the line */
	int64_t blocks;        /* of counts; the file may have several */
	unsigned seen;         /* of the block: bits of totals[] */
};

/* The lines after the counts of a block, which perf writes in seconds, and the events that
 * have the same metrics. */
static const struct {
	const char *words, *event;
} totals[] = { { " seconds time elapsed", "duration_time" },
	{ " seconds user", "user_time" }, { " seconds sys", "system_time" } };

static const char header_words[] = "Performance counter stats for ";

/* Returns whether a line is the header of counts. */
static bool is_header(struct text line)
{
	return text_begins(text_trim(line), header_words);
}

/* Returns whether a line is the header of counts in intervals:
 * "#           time             counts unit events". */
static bool is_interval_header(struct text line)
{
	return text_is(line_word(&line), "#") && text_is(line_word(&line), "time") &&
	       text_ends(text_trim(line), "counts unit events");
}

/* Removes a number from a line if its next word is one. Returns it as text with a decimal
 * point, or an empty string. */
static struct text take_number(struct console_reading *r, struct text *line, bool groups)
{
	struct text rest = *line, word = line_word(&rest), number = TEXT("");
	struct buf plain = { 0 };

	if (locale_number(word, groups, &plain)) {
		number =
		    text_of(arena_text(&r->texts, text_in(&plain)));
		*line = rest;
	}
	buf_free(&plain);
	return number;
}

/* Removes a count, or the reason why there is none, from a line. */
static struct text take_count(struct console_reading *r, struct text *line)
{
	static const char *const reasons[] = { "<not counted>", "<not supported>" };
	const struct text t = text_trim(*line);

	for (size_t i = 0; i < COUNT(reasons); i++)
		if (text_begins(t, reasons[i])) {
			*line = text_after(t, strlen(reasons[i]));
			return text_of(reasons[i]);
		}
	return take_number(r, line, true);
}

/* Parses a percentage, which may have a decimal comma. */
static double percentage(struct text t)
{
	struct buf plain = { 0 };
	double x = NAN;

	t = text_trim(t);
	t.len -= text_ends(t, "%");
	if (!locale_number(text_trim(t), false, &plain) ||
	    !number_parse(text_in(&plain), &x))
		x = NAN;
	buf_free(&plain);
	return x;
}

/* Removes percentages in brackets, such as "( +- 22.20% )" and "(45.01%)", from the end of
 * a line. */
static void take_percentages(struct text *line, struct perf_event *e)
{
	for (;;) {
		const struct text t = text_trim(*line);
		const char *open = NULL;
		struct text inner;

		if (text_ends(t, ")") || text_ends(t, "]"))
			open = memrchr(t.ptr, text_ends(t, ")") ? '(' : '[', t.len);
		if (!open)
			return;
		inner = text_after(t, (size_t)(open + 1 - t.ptr));
		inner.len--;
		inner = text_trim(inner);
		if (!text_ends(inner, "%"))
			return;
		if (text_begins(inner, "+-"))
			e->variance_pct = percentage(text_after(inner, 2));
		else
			e->running_pct = percentage(inner);
		line->len = (size_t)(open - line->ptr);
	}
}

/* Sets the unit of a clock, which perf 7 may omit if it is ns, and perf 3 if it is ms. */
static void set_clock_unit(struct perf_event *e)
{
	if (!e->unit.len &&
	    (text_begins(e->name, "task-clock") || text_begins(e->name, "cpu-clock")))
		e->unit = e->value.len && memchr(e->value.ptr, '.', e->value.len)
		              ? TEXT("msec")
		              : TEXT("ns");
}

/* Sets the unit, the event and the cgroup from the text after a count. Returns whether
 * there is an event. */
static bool split_names(struct text rest, struct perf_event *e)
{
	static const char old_unit[] = " (msec)";
	struct text last;

	if (rest.len > 1 && rest.ptr[0] == ' ' && rest.ptr[1] != ' ')
		e->unit = line_word(&rest);
	rest = text_trim(rest);
	if (text_ends(rest, old_unit)) {
		e->unit = TEXT("msec");
		rest.len -= strlen(old_unit);
	}
	e->name = line_word(&rest);
	if (!e->name.len) { /* perf 3 had no place for units */
		e->name = e->unit;
		e->unit = TEXT("");
	}
	last = line_word(&rest);
	if (last.len && last.ptr[0] == '[') {
		e->name.len = (size_t)(last.ptr + last.len - e->name.ptr);
		last = line_word(&rest);
	}
	e->cgroup = last;
	set_clock_unit(e);
	return e->name.len && (e->name.ptr[0] < '0' || e->name.ptr[0] > '9') &&
	       !text_trim(rest).len;
}

/* Returns the part of a line before its metric. The name of a thread, such as GC Thread#0,
 * may contain the sign of metrics, but not after a space. */
static struct text before_metric(struct text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '#' && (i == 0 || line.ptr[i - 1] == ' '))
			line.len = i;
	return line;
}

/* Returns whether a word ends in a hyphen and a number, such as that of a thread. */
static bool ends_in_thread(struct text word)
{
	size_t digits = word.len;

	while (digits && word.ptr[digits - 1] >= '0' && word.ptr[digits - 1] <= '9')
		digits--;
	return digits > 1 && digits < word.len && word.ptr[digits - 1] == '-';
}

/* Removes the rest of the name of a thread, which can have spaces, and its number from a
 * line. Returns whether there is one. */
static bool extend_thread(struct text *line, struct text *name)
{
	struct text rest = *line, word;

	while ((word = line_word(&rest)).len)
		if (ends_in_thread(word)) {
			name->len = (size_t)(word.ptr + word.len - name->ptr);
			*line = rest;
			return true;
		}
	return false;
}

/* Parses a line of a count. Returns whether it is one. */
static bool parse_count(struct console_reading *r, struct text line, struct perf_event *e)
{
	struct text number, rest;
	bool has_processors;

	*e = (struct perf_event){ .interval_s = NAN,
		.variance_pct = NAN,
		.runtime_ns = NAN,
		.running_pct = NAN };
	take_percentages(&line, e);
	line = before_metric(line);
	if (r->place == AMONG_INTERVALS) {
		number = take_number(r, &line, false);
		if (!number_parse(number, &e->interval_s))
			return false;
	}
	e->value = take_count(r, &line);
	if (!e->value.len) {
		e->place = line_word(&line);
		e->value = take_count(r, &line);
		if (!e->value.len && extend_thread(&line, &e->place))
			e->value = take_count(r, &line);
		rest = line;
		number = take_count(r, &rest);
		has_processors = number.len;
		if (has_processors) {
			e->value = number;
			line = rest;
		}
	}
	return e->value.len && split_names(line, e);
}

/* Returns whether a line has only a metric, such as "TopdownL1 # 10.3% tma_retiring". */
static bool is_metric(struct text line)
{
	struct text before = before_metric(line), word;

	if (before.len == line.len)
		return false;
	for (word = line_word(&before); word.len; word = line_word(&before))
		if ((word.ptr[0] >= '0' && word.ptr[0] <= '9') || word.ptr[0] == '<')
			return false;
	return true;
}

/* Removes the time of an interval, which has nine decimals, from a line. Returns whether
 * there is one; other lines are output of the measured program. */
static bool take_interval(struct console_reading *r, struct text *line)
{
	struct text time = take_number(r, line, false), decimals = time;

	text_until(&decimals, '.');
	return decimals.len == 9 && memchr(time.ptr, '.', time.len);
}

/* Returns the number of runs from a string such as " (3 runs):", or ROW_NONE. */
static int64_t run_count(struct text t)
{
	static const char words[] = " runs):";
	int64_t runs;

	t = text_trim(t);
	if (!text_begins(t, "(") || !text_ends(t, words))
		return ROW_NONE;
	t = text_after(t, 1);
	t.len -= strlen(words);
	return integer_parse(t, &runs) && runs > 0 ? runs : ROW_NONE;
}

/* Begins the counts that a header announces. */
static void begin_block(struct console_reading *r, struct text line)
{
	const char *end;

	r->place = AMONG_COUNTS;
	r->seen = 0;
	r->rows.bench = TEXT("");
	r->rows.iterations = ROW_NONE;
	if (r->blocks++ && r->rows.sample >= 0)
		r->rows.sample = r->blocks - 1;
	line = text_after(text_trim(line), strlen(header_words));
	end = memrchr(line.ptr, '\'', line.len);
	if (line.len && line.ptr[0] == '\'' && end > line.ptr &&
	    !text_begins(line, "'system wide'") && !text_begins(line, "'CPU(s) "))
		r->rows.bench = text_of(arena_text(&r->names,
		    (struct text){ line.ptr + 1, (size_t)(end - line.ptr - 1) }));
	if (end)
		r->rows.iterations =
		    run_count(text_after(line, (size_t)(end + 1 - line.ptr)));
}

/* Begins a table of intervals, which has no header with the command. A table of counts
 * before it is that of another run. */
static void begin_intervals(struct console_reading *r)
{
	if (r->place == AMONG_COUNTS || r->place == AFTER_COUNTS) {
		r->rows.bench = TEXT("");
		r->rows.iterations = ROW_NONE;
		if (r->rows.has_rows)
			r->rows.started[0] = '\0';
	}
	r->place = AMONG_INTERVALS;
}

/* Adds the rows of an event. With -r, perf 6.1 writes the last duration_time, not the mean,
 * which is in a line after the counts. */
static int put_event(struct console_reading *r, const struct perf_event *e, struct fault *f)
{
	if (r->rows.iterations > 1 && text_is(e->name, totals[0].event))
		return 0;
	for (size_t i = 0; i < COUNT(totals); i++)
		if (text_is(e->name, totals[i].event))
			r->seen |= 1U << i;
	return perf_put_event(&r->rows, e, f);
}

/* Adds a row of wall time in seconds, or of another total. Returns 0, or -1 and the
 * message. */
static int put_seconds(struct console_reading *r, const char *event, double s,
    double variance_pct, struct fault *f)
{
	char ns[NUMBER_TEXT_MAX];
	const size_t len = number_print(ns, decimal_shift(s, 9));
	const struct perf_event e = { .value = { ns, len },
		.unit = TEXT("ns"),
		.name = text_of(event),
		.interval_s = NAN,
		.variance_pct = variance_pct,
		.runtime_ns = NAN,
		.running_pct = NAN };

	return perf_put_event(&r->rows, &e, f);
}

/* Reads a line such as "0.0042 +- 0.0022 seconds time elapsed ( +- 52.19% )". Sets *found
 * to whether it is one. */
static int read_total(
    struct console_reading *r, struct text line, bool *found, struct fault *f)
{
	struct perf_event e = { .variance_pct = NAN };
	struct text number, ignored;
	double s;

	*found = false;
	take_percentages(&line, &e);
	line = text_trim(line);
	for (size_t i = 0; i < COUNT(totals) && !*found; i++) {
		if (!text_ends(line, totals[i].words))
			continue;
		line.len -= strlen(totals[i].words);
		number = take_number(r, &line, false);
		ignored = line;
		if (text_is(line_word(&ignored), "+-") &&
		    take_number(r, &ignored, false).len) {
			if (isnan(e.variance_pct))
				return fault_set(
				    f, "%s: the last line is cut off", r->rows.name);
			line = ignored;
		}
		*found = number_parse(number, &s) && !text_trim(line).len;
		if (!*found)
			break;
		r->place = AFTER_COUNTS;
		if (!(r->seen & 1U << i))
			return put_seconds(r, totals[i].event, s, e.variance_pct, f);
	}
	return 0;
}

/* Returns whether a line is of the table of all runs: "0.00524 (+0.00101) ####". */
static bool is_table_row(struct console_reading *r, struct text line)
{
	return take_number(r, &line, false).len && text_begins(text_trim(line), "(");
}

/* Reads a line that is not empty and not a comment. */
static int read_line(
    struct console_reading *r, struct text line, size_t number, struct fault *f)
{
	struct perf_event e;
	bool found;

	if (is_header(line)) {
		begin_block(r, line);
		return 0;
	}
	if (r->place == OUTSIDE_COUNTS)
		return 0;
	if (r->place != AMONG_INTERVALS) {
		if (read_total(r, line, &found, f) < 0 || found)
			return found ? 0 : -1;
		if (r->place == AFTER_COUNTS || is_table_row(r, line))
			return 0;
	}
	if (parse_count(r, line, &e))
		return put_event(r, &e, f);
	if (r->place == AMONG_INTERVALS && !take_interval(r, &line))
		return 0;
	if (is_metric(line))
		return 0;
	return fault_set(f,
	    "%s:%zu: not a line of counts of perf stat that can be read: run it with -x, "
	    "or "
	    "-j and -o",
	    r->rows.name, number);
}

static bool perf_console_recognize(const struct source *s)
{
	struct arena texts = { 0 };
	struct text rest = s->text, line;
	bool found = false;

	while (!found && line_next(&rest, &line)) {
		line = console_plain(&texts, line);
		found = is_header(line) || is_interval_header(line);
	}
	arena_free(&texts);
	return !s->doc && found;
}

static int perf_console_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct console_reading r = { .rows = perf_begin(s, out) };
	struct text rest = s->text, line;
	size_t headers = 0;
	int status = 0;

	while (line_next(&rest, &line))
		headers += is_header(line);
	r.rows.sample = headers > 1 ? 0 : ROW_NONE;
	r.rows.knows_runs = true;
	rest = s->text;
	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++) {
		line = console_plain(&r.texts, line);
		if (is_interval_header(line))
			begin_intervals(&r);
		else if (perf_see_line(&r.rows, line))
			status = read_line(&r, line, number, f);
		arena_free(&r.texts);
	}
	arena_free(&r.names);
	perf_end(&r.rows);
	return status;
}

const struct format format_perf_console = { .name = "perf-console",
	.meaning = "perf stat",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "* seconds time elapsed*", "* seconds user",
	    "* seconds sys", NULL },
	.may_be_mixed = true,
	.recognize = perf_console_recognize,
	.read = perf_console_read };
