/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The units and times of programs that observe a machine; see observed.h.
 */
#include <math.h>

#include "observe/observed.h"
#include "text/units.h"

static const int64_t day_s = 24 * 3600, offset_max_s = 9000000000;

struct observed_lines observed_lines_of(const struct source *s)
{
	return (struct observed_lines){ .rest = s->text, .name = s->name };
}

bool observed_lines_next(struct observed_lines *lines, struct text *line)
{
	if (!line_next(&lines->rest, line))
		return false;
	lines->number++;
	return true;
}

int observed_lines_fault(
    const struct observed_lines *lines, const char *what, struct fault *f)
{
	return fault_set(f, "%s:%zu: %s", lines->name, lines->number, what);
}

/*
 * The names of the columns have the units: a kB is 1024 bytes, and a block has 512. Times
 * to wait are in ms.
 */
static const struct observed_rule column_rules[] = {
	{ "", "%", "", { "%", 1, 0 } },
	{ "", "kB_", "/s", { "B/s", 1024, 0 } },
	{ "", "MB_", "/s", { "B/s", 1024 * 1024, 0 } },
	{ "", "kB_", "", { "B", 1024, 0 } },
	{ "", "MB_", "", { "B", 1024 * 1024, 0 } },
	{ "", "", "kB/s", { "B/s", 1024, 0 } },
	{ "", "", "MB/s", { "B/s", 1024 * 1024, 0 } },
	{ "", "pgpgin/s", "", { "B/s", 1024, 0 } },
	{ "", "pgpgout/s", "", { "B/s", 1024, 0 } },
	{ "", "bread/s", "", { "B/s", 512, 0 } },
	{ "", "bwrtn/s", "", { "B/s", 512, 0 } },
	{ "", "bdscd/s", "", { "B/s", 512, 0 } },
	{ "", "", "/s", { "1/s", 1, 0 } },
	{ "", "kb", "", { "B", 1024, 0 } },
	{ "", "MBfs", "", { "B", 1024 * 1024, 0 } },
	{ "", "Ifree", "", { "1", 1, 0 } },
	{ "", "Iused", "", { "1", 1, 0 } },
	{ "", "VSZ", "", { "B", 1024, 0 } },
	{ "", "RSS", "", { "B", 1024, 0 } },
	{ "", "StkS", "", { "B", 1024, 0 } },
	{ "", "StkRef", "", { "B", 1024, 0 } },
	{ "", "MHz", "", { "Hz", 1, 6 } },
	{ "", "wghMHz", "", { "Hz", 1, 6 } },
	{ "", "", "await", { "ns", 1, 6 } },
	{ "", "", "-ms", { "ns", 1, 6 } },
	{ "", "", "areq-sz", { "B", 1024, 0 } },
	{ "", "aqu-sz", "", { "1", 1, 0 } },
	{ "", "", "tps", { "1/s", 1, 0 } },
	{ "", "brk", "", { "1/s", 1, 0 } },
	{ "", "rx_rps", "", { "1/s", 1, 0 } },
	{ "", "flw_lim", "", { "1/s", 1, 0 } },
	{ "", "blg_len", "", { "1", 1, 0 } },
	{ "", "runq-sz", "", { "1", 1, 0 } },
	{ "", "plist-sz", "", { "1", 1, 0 } },
	{ "", "ldavg-", "", { "1", 1, 0 } },
	{ "", "blocked", "", { "1", 1, 0 } },
	{ "", "dentunusd", "", { "1", 1, 0 } },
	{ "", "", "-nr", { "1", 1, 0 } },
	{ "", "", "sck", { "1", 1, 0 } },
	{ "", "", "6sck", { "1", 1, 0 } },
	{ "", "ip", "-frag", { "1", 1, 0 } },
	{ "", "tcp-tw", "", { "1", 1, 0 } },
	{ "", "threads", "", { "1", 1, 0 } },
	{ "", "", "", { "", 1, 0 } },
};

struct observed_unit observed_rule_find(
    const struct observed_rule *rules, struct text activity, struct text column)
{
	while ((*rules->activity && !text_is(activity, rules->activity)) ||
	       !text_begins(column, rules->prefix) || !text_ends(column, rules->suffix))
		rules++;
	return rules->unit;
}

struct observed_unit observed_column_unit(struct text column)
{
	return observed_rule_find(column_rules, TEXT(""), column);
}

/* Returns whether a column is a mean of the requests of an interval. It is printed as 0 if
 * there were none. */
static bool is_request_mean(struct text column)
{
	return text_ends(column, "await") || text_ends(column, "req-sz") ||
	       text_is(column, "avgrq-sz");
}

int observed_put(struct row_builder *out, struct text prefix, struct text column,
    struct observed_unit unit, double value, struct fault *f)
{
	double scaled = decimal_shift(value * unit.factor, unit.exponent);

	if (scaled == 0 && is_request_mean(column))
		scaled = NAN;
	row_builder_set(out, COL_STATUS, isfinite(scaled) ? TEXT("ok") : TEXT("skipped"));
	return row_builder_put(out,
	    text_of(arena_format(&out->texts, "%.*s:%.*s", (int)prefix.len, prefix.ptr,
	        (int)column.len, column.ptr)),
	    text_of(unit.unit), isfinite(scaled) ? scaled : NAN, f);
}

/* Removes a number of two digits, or of one, from a string. */
static bool take_digits(struct text *t, int64_t *number)
{
	size_t digits = 0;

	while (digits < t->len && t->ptr[digits] >= '0' && t->ptr[digits] <= '9')
		digits++;
	if (digits > 2 || !integer_parse((struct text){ t->ptr, digits }, number))
		return false;
	*t = text_after(*t, digits);
	return true;
}

/* Removes the word AM or PM, and changes the seconds by it. */
static void take_half(struct text *rest, int64_t *seconds)
{
	struct text after = *rest, word = line_word(&after);
	const int64_t half = day_s / 2;

	if (!text_is(word, "AM") && !text_is(word, "PM"))
		return;
	*seconds = *seconds % half + (text_is(word, "PM") ? half : 0);
	*rest = after;
}

bool observed_clock(struct text t, struct text *rest, int64_t *seconds)
{
	int64_t hour, minute, second = 0;

	if (!take_digits(&t, &hour) || !text_begins(t, ":"))
		return false;
	t = text_after(t, 1);
	if (!take_digits(&t, &minute))
		return false;
	if (text_begins(t, ":")) {
		t = text_after(t, 1);
		if (!take_digits(&t, &second))
			return false;
	}
	if (t.len || hour > 23 || minute > 59 || second > 60)
		return false;
	*seconds = (hour * 60 + minute) * 60 + second;
	take_half(rest, seconds);
	return true;
}

void observed_begin(struct observed_series *series, int64_t time_s)
{
	if (!series->has_begin)
		series->begin_s = time_s;
	series->has_begin = true;
}

int64_t observed_offset(const struct observed_series *series, int64_t time_s)
{
	int64_t offset_s;

	if (!series->has_begin ||
	    __builtin_sub_overflow(time_s, series->begin_s, &offset_s) || offset_s < 0 ||
	    offset_s > offset_max_s)
		return ROW_NONE;
	return offset_s * 1000000000;
}

int64_t observed_day_time(struct observed_days *days, int64_t clock_s)
{
	int64_t step_s = days->has_last ? clock_s - days->last_s : 0;

	if (step_s < -day_s / 2)
		days->midnight_s += day_s;
	else if (step_s > day_s / 2 && days->midnight_s)
		days->midnight_s -= day_s;
	days->has_last = true;
	days->last_s = clock_s;
	return days->midnight_s + clock_s;
}
