/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of perf stat -x and -j. A line of -x is
 *   [time,][place,[processors,]]value,unit,event,[cgroup,][variance%,]runtime,running%[,...]
 * where time is written by -I, place by -A, --per-socket and similar options, cgroup by -G
 * and --for-each-cgroup, and variance by -r (before the run time, unlike its manual says).
 * task-clock is rounded to 10 us, but its run time is the same number in ns. Headers of
 * groups and lines with only metrics have no event and are ignored: derived metrics are
 * computed again from counts, because those of perf 6.1 can be wrong. perf has already
 * scaled the values. perf follows the locale; numbers with a decimal comma are rejected,
 * because with -x, they cannot be distinguished from two fields. Commas between slashes
 * belong to the name of an event. Of -I --summary, the totals are other subjects than the
 * intervals. Lines of the measured program are ignored. A value that follows such a line
 * without a line feed is an error, because its first digits are unknown.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/perf_rows.h"
#include "text/units.h"

enum { FIELDS_MAX = 24 };
static const char colon_in_name[] = "a colon, which separates the fields, may be part of "
                                    "an event's name: run perf stat -x,";
static const char separator_in_name[] =
    "more fields than expected after the event: run perf stat -x with a separator that is "
    "not part of its name";
static const char value_in_line[] = "the value follows other text on its line: write the "
                                    "counts to a file with perf stat -o";

static bool is_number(struct text t)
{
	double x;

	return number_parse(t, &x);
}

static double percent(struct text t)
{
	double x;

	if (text_ends(t, "%"))
		t.len--;
	return number_parse(t, &x) ? x : NAN;
}

static bool is_value(struct text t)
{
	return is_number(t) || perf_comma_number(t) || text_begins(t, "<not ") ||
	       text_is(t, "nan") || text_is(t, "-nan") || text_is(t, "inf");
}

/*
 * Returns the name of an event that begins in field *at, and moves *at to the field after
 * it. "cpu/event=0x3c,umask=0x1/u" is one name even if commas separate the fields.
 */
static struct text whole_name(const struct text *field, size_t n, size_t *at)
{
	struct text name = field[(*at)++];
	const char *slash = name.len ? memchr(name.ptr, '/', name.len) : NULL;

	if (!slash || memchr(slash + 1, '/', name.len - (size_t)(slash + 1 - name.ptr)))
		return name;
	for (size_t i = *at; i < n; i++)
		if (field[i].len && memchr(field[i].ptr, '/', field[i].len)) {
			*at = i + 1;
			name.len = (size_t)(field[i].ptr - name.ptr) + field[i].len;
			return name;
		}
	return name;
}

/* Perf writes the percentage of the run time with two decimals. */
static bool is_percentage(struct text t)
{
	return is_number(t) && memchr(t.ptr, '.', t.len);
}

/* Returns the position of the run time in the fields from `at` on, which a variance may
 * precede, or 0 if there is none. */
static size_t runtime_at(const struct text *field, size_t n, size_t at)
{
	at += at < n && text_ends(field[at], "%");
	return at + 1 < n && is_number(field[at]) && is_percentage(field[at + 1]) ? at : 0;
}

/* Returns whether the field at a position is a percentage with a decimal comma, which may
 * have divided it into two fields, or the second half of a variance. */
static bool is_comma_percentage(const struct text *field, size_t n, size_t at)
{
	if (perf_comma_number(field[at]) ||
	    (field[at].len == 3 && text_ends(field[at], "%")))
		return true;
	return is_number(field[at]) && at + 1 < n && field[at + 1].len == 2 &&
	       is_number(field[at + 1]);
}

/* Sets the parts of an event that follow its name, from field `at` on. Returns whether they
 * are complete. */
static bool split_tail(const struct text *field, size_t n, size_t at, struct perf_event *e)
{
	if (!runtime_at(field, n, at) && runtime_at(field, n, at + 1))
		e->cgroup = field[at++];
	if (at < n && text_ends(field[at], "%"))
		e->variance_pct = percent(field[at++]);
	if (at + 1 >= n || !number_parse(field[at], &e->runtime_ns))
		return false;
	e->running_pct = percent(field[at + 1]);
	if (!field[at + 1].len || is_percentage(field[at + 1]))
		return true;
	e->reason = perf_decimal_comma;
	return is_comma_percentage(field, n, at + 1);
}

static size_t split_fields(struct text line, char separator, struct text *field)
{
	size_t n = 0;

	for (; n < FIELDS_MAX && line.len; n++)
		field[n] = text_trim(text_until(&line, separator));
	return n;
}

/* Sets the parts of an event whose value is in field `at`. Returns whether they are
 * complete. */
static bool split_event(const struct text *field, size_t n, size_t at, struct perf_event *e)
{
	*e = (struct perf_event){ .value = field[at],
		.unit = field[at + 1],
		.interval_s = NAN,
		.variance_pct = NAN,
		.reason = perf_comma_number(field[at]) ? perf_decimal_comma : NULL };
	for (size_t i = 0; i < at; i++)
		if (i == 0 && number_parse(field[0], &e->interval_s))
			continue;
		else if (i == 0 && text_is(field[0], "summary"))
			e->is_total = true;
		else if (!e->place.len && !is_number(field[i]))
			e->place = field[i];
	at += 2;
	e->name = whole_name(field, n, &at);
	return split_tail(field, n, at, e);
}

/* Returns whether fields are the unit and the name of an event. */
static bool are_names(const struct text *field)
{
	return !is_value(field[0]) && field[1].len && !is_value(field[1]);
}

/* Splits a line into the parts of an event. Returns whether the line reports one. */
static bool split_line(struct text line, char separator, struct perf_event *e)
{
	struct text field[FIELDS_MAX];
	size_t n = split_fields(line, separator, field), at = 0;

	while (at + 4 < n && !(is_value(field[at]) && are_names(field + at + 1)))
		at++;
	if (at + 4 >= n || at > 3 || !split_event(field, n, at, e))
		return false;
	if (separator == ':' && e->cgroup.len)
		e->reason = colon_in_name;
	return true;
}

static bool ends_in_digits(struct text t, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (i >= t.len || t.ptr[t.len - 1 - i] < '0' || t.ptr[t.len - 1 - i] > '9')
			return false;
	return true;
}

/* Returns whether a run time and a percentage follow the name of an event, which may have
 * been split, and a cgroup. */
static bool has_tail(const struct text *field, size_t n, size_t name)
{
	for (size_t at = name + 1; at + 1 < n && at <= name + 4; at++)
		if (ends_in_digits(field[at], 1) && runtime_at(field, n, at) == at)
			return true;
	return false;
}

/* Returns why a line that reports an event, or seems to, cannot be read; NULL: it can be.
 * Text before the first field ends in the time of an interval, or in a value. */
static const char *find_reason(struct text line, char separator, struct perf_event *e)
{
	struct text field[FIELDS_MAX];
	size_t n = split_fields(line, separator, field);

	if (split_line(line, separator, e))
		return ends_in_digits(e->place, 9) &&
		               memchr(e->place.ptr, '.', e->place.len)
		           ? value_in_line
		           : e->reason;
	for (size_t at = 0; at + 4 < n; at++)
		if ((ends_in_digits(field[at], 1) || text_ends(field[at], ">")) &&
		    are_names(field + at + 1) && has_tail(field, n, at + 2))
			return separator == ':'      ? colon_in_name
			       : is_value(field[at]) ? separator_in_name
			                             : value_in_line;
	return NULL;
}

/* Returns the separator of a line that reports an event, or NUL. */
static char line_separator(struct text line)
{
	static const char separators[] = ",;|\t:!";
	struct perf_event e;

	for (const char *s = separators; *s; s++)
		if (split_line(line, *s, &e))
			return *s;
	return '\0';
}

/* Returns the separator of the first line that reports an event, of the first lines with
 * content, or NUL. */
static char separator_of(struct text text, size_t lines)
{
	struct text line;
	char separator = '\0';

	for (; !separator && lines && line_next(&text, &line); lines--)
		if (perf_has_content(line))
			separator = line_separator(line);
	return separator;
}

static bool perf_recognize(const struct source *s)
{
	return !s->doc && separator_of(s->text, PERF_RECOGNIZED_LINES);
}

static int read_lines(
    struct perf_reading *r, const struct source *s, char separator, struct fault *f)
{
	struct text rest = s->text, line;
	const char *reason;
	struct perf_event e;

	for (size_t number = 1; separator && line_next(&rest, &line); number++) {
		if (!perf_see_line(r, line))
			continue;
		reason = find_reason(line, separator, &e);
		if (reason)
			return fault_set(f, "%s:%zu: %s", s->name, number, reason);
		if (!split_line(line, separator, &e)) {
			if (line_separator(line))
				return fault_set(f,
				    "%s:%zu: a separator other than that of the lines "
				    "before: "
				    "convert the output of each perf separately",
				    s->name, number);
			continue;
		}
		if (perf_put_event(r, &e, f) < 0)
			return -1;
	}
	return 0;
}

static int perf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct perf_reading r = perf_begin(s, out);
	int status = read_lines(&r, s, separator_of(s->text, SIZE_MAX), f);

	perf_end(&r);
	return status;
}

static bool perf_recognize_json(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line))
		if (perf_has_content(line))
			return text_begins(line, "{\"") &&
			       (memmem(line.ptr, line.len, "\"counter-value\"", 15) ||
			           memmem(line.ptr, line.len, "\"metric-value\"", 14));
	return false;
}

/* Members that name the part of the machine. */
static const char *const places[] = { "cpu", "core", "cluster", "cache", "die", "socket",
	"node", "thread" };

/* Returns the text after the first occurrence of these words, or "". */
static struct text text_past(struct text t, const char *words)
{
	const char *at = memmem(t.ptr, t.len, words, strlen(words));

	if (!at)
		return TEXT("");
	at += strlen(words);
	return (struct text){ at, t.len - (size_t)(at - t.ptr) };
}

static int read_json_line(struct perf_reading *r, const struct source *s, struct text line,
    size_t number, struct fault *f)
{
	char *name = str_format("%s:%zu", s->name, number);
	struct json_t *doc = doc_read(line, name, f);
	struct perf_event e = { .interval_s = from_number(doc_member(doc, "interval"), 0),
		.variance_pct = from_number(doc_member(doc, "variance"), 0),
		.runtime_ns = from_number(doc_member(doc, "event-runtime"), 0),
		.running_pct = from_number(doc_member(doc, "pcnt-running"), 0),
		.cgroup = from_text(doc, "cgroup"),
		.value = from_text(doc, "counter-value"),
		.unit = from_text(doc, "unit"),
		.name = from_text(doc, "event") };
	struct text pct = text_past(line, "\"pcnt-running\" : ");
	int status = doc ? 0 : -1;

	if (!doc && perf_comma_number(text_until(&pct, ' ')))
		fault_set(f, "%s: %s", name, perf_decimal_comma);
	free(name);
	for (size_t i = 0; i < COUNT(places) && !e.place.len; i++)
		e.place = from_text(doc, places[i]);
	if (e.name.len && e.value.len)
		status = perf_put_event(r, &e, f);
	else if (doc &&
	         (doc_member(doc, "counter-value") || !doc_member(doc, "metric-value")))
		status =
		    fault_set(f, "%s:%zu: neither an event nor a metric of perf stat -j",
		        s->name, number);
	if (doc)
		doc_free(doc);
	return status;
}

static int perf_read_json(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	struct perf_reading r = perf_begin(s, out);
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++) {
		if (!perf_see_line(&r, line))
			continue;
		status = line.ptr[0] == '{'
		             ? read_json_line(&r, s, line, number, f)
		             : fault_set(f,
		                   "%s:%zu: not an object of perf stat -j, which must be "
		                   "alone in the file: run it with -o",
		                   s->name, number);
	}
	perf_end(&r);
	return status;
}

const struct format format_perf = { .name = "perf",
	.meaning = "perf stat -x",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = perf_recognize,
	.read = perf_read };
const struct format format_perf_json = { .name = "perf-json",
	.meaning = "perf stat -j",
	.is_json_lines = true,
	.recognize = perf_recognize_json,
	.read = perf_read_json };
