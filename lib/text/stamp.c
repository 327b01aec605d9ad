/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times in RFC 3339; see stamp.h. strptime() has no fractions or offsets and is slow, and
 * each sample of a store is parsed here. Days are counted in a year that begins in March,
 * so that the leap day is the last (as in E. G. Richards, "Calendars", in the Explanatory
 * Supplement to the Astronomical Almanac, 3rd ed., section 15.11).
 */
#include "text/stamp.h"
#include "text/units.h"

#define NS_PER_S INT64_C(1000000000)
enum { DAY_S = 86400, DAYS_400_YEARS = 146097, DAYS_TO_1970 = 719468 };
enum { YEAR_FIRST = 1678, YEAR_LAST = 2261 };

struct cursor {
	const char *p, *end;
};

/* Parses a number of exactly this many digits. */
static bool take_digits(struct cursor *c, int count, int *out)
{
	int n = 0;

	if (c->end - c->p < count)
		return false;
	for (int i = 0; i < count; i++) {
		unsigned digit = (unsigned)(*c->p++ - '0');

		if (digit > 9)
			return false;
		n = n * 10 + (int)digit;
	}
	*out = n;
	return true;
}

static bool cursor_accept(struct cursor *c, char want)
{
	if (c->p == c->end || *c->p != want)
		return false;
	c->p++;
	return true;
}

static int month_days(int year, int month)
{
	static const char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* Returns the days since 1970-01-01. */
static int64_t days_of(int year, int month, int day)
{
	int y = month > 2 ? year : year - 1, m = (month + 9) % 12;

	return (int64_t)365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 -
	       DAYS_TO_1970;
}

static void date_of(int64_t days, int *year, int *month, int *day)
{
	int64_t d = days + DAYS_TO_1970, era = d / DAYS_400_YEARS,
	        in_era = d % DAYS_400_YEARS;
	int64_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int in_year = (int)(in_era - (365 * y + y / 4 - y / 100)),
	    m = (5 * in_year + 2) / 153;

	*day = in_year - (153 * m + 2) / 5 + 1;
	*month = m < 10 ? m + 3 : m - 9;
	*year = (int)(y + era * 400) + (*month <= 2);
}

/* Parses ".25" or nothing: sets the nanoseconds, rounded down, and the number of digits. */
static bool take_fraction(struct cursor *c, int *ns, int *digits)
{
	int unit = (int)NS_PER_S;

	*ns = *digits = 0;
	if (!cursor_accept(c, '.'))
		return true;
	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++, ++*digits) {
		unit /= 10;
		*ns += (*c->p - '0') * unit;
	}
	return *digits >= 1;
}

/* Parses "Z", "+02:00" or nothing. */
static bool take_zone(struct cursor *c, int *offset_s, bool *plain)
{
	int hours, minutes;
	bool west;

	*offset_s = 0;
	*plain = cursor_accept(c, 'Z');
	if (*plain || c->p == c->end || cursor_accept(c, 'z'))
		return true;
	west = *c->p == '-';
	if (!west && *c->p != '+')
		return false;
	c->p++;
	if (!take_digits(c, 2, &hours) || !cursor_accept(c, ':') ||
	    !take_digits(c, 2, &minutes) || hours > 23 || minutes > 59)
		return false;
	*offset_s = (hours * 60 + minutes) * (west ? -60 : 60);
	return true;
}

/* Parses "2026-01-31": sets the days since 1970-01-01. */
static bool take_date(struct cursor *c, int64_t *days)
{
	int year, month, day;

	if (!take_digits(c, 4, &year) || !cursor_accept(c, '-') ||
	    !take_digits(c, 2, &month) || !cursor_accept(c, '-') ||
	    !take_digits(c, 2, &day) || year < YEAR_FIRST || year > YEAR_LAST ||
	    month < 1 || month > 12 || day < 1 || day > month_days(year, month))
		return false;
	*days = days_of(year, month, day);
	return true;
}

/*
 * Parses "T12:00", "T12:00:00.25Z" and the like: sets the nanoseconds since midnight in
 * UTC, the number of digits of the fraction, and whether stamp_print would print it the
 * same.
 */
static bool take_time(struct cursor *c, int64_t *ns, int *digits, bool *plain)
{
	bool with_t = cursor_accept(c, 'T'), with_seconds;
	int hour, minute, second = 0, fraction_ns = 0, offset_s;

	if ((!with_t && !cursor_accept(c, ' ') && !cursor_accept(c, 't')) ||
	    !take_digits(c, 2, &hour) || !cursor_accept(c, ':') ||
	    !take_digits(c, 2, &minute) || hour > 23 || minute > 59)
		return false;
	with_seconds = cursor_accept(c, ':');
	/* A leap second is counted as the first second of the next minute. */
	if (with_seconds && (!take_digits(c, 2, &second) || second > 60 ||
	                        !take_fraction(c, &fraction_ns, digits)))
		return false;
	if (!take_zone(c, &offset_s, plain))
		return false;
	*ns = (hour * 3600 + minute * 60 + second - offset_s) * NS_PER_S + fraction_ns;
	*plain = *plain && with_t && with_seconds && second < 60 && *digits <= 9;
	return true;
}

bool stamp_parse(struct text t, int64_t *ns, int *digits)
{
	struct cursor c = { t.ptr, t.ptr + t.len };
	int64_t days, time_ns = 0;
	bool plain = false;

	*digits = 0;
	if (!take_date(&c, &days) ||
	    (c.p < c.end && !take_time(&c, &time_ns, digits, &plain)) || c.p != c.end)
		return false;
	*ns = days * DAY_S * NS_PER_S + time_ns;
	if (!plain)
		*digits = STAMP_FOREIGN;
	return true;
}

static void put_digits(char *out, int count, int n)
{
	for (int i = count - 1; i >= 0; i--, n /= 10)
		out[i] = (char)('0' + n % 10);
}

size_t stamp_print(char out[STAMP_MAX], int64_t ns, int digits)
{
	int64_t seconds = ns / NS_PER_S, fraction = ns % NS_PER_S, days;
	int year, month, day, rest;
	size_t len = 19;

	if (fraction < 0) {
		fraction += NS_PER_S;
		seconds--;
	}
	days = seconds / DAY_S;
	rest = (int)(seconds % DAY_S);
	if (rest < 0) {
		rest += DAY_S;
		days--;
	}
	date_of(days, &year, &month, &day);
	put_digits(out, 4, year);
	put_digits(out + 5, 2, month);
	put_digits(out + 8, 2, day);
	put_digits(out + 11, 2, rest / 3600);
	put_digits(out + 14, 2, rest / 60 % 60);
	put_digits(out + 17, 2, rest % 60);
	out[4] = out[7] = '-';
	out[10] = 'T';
	out[13] = out[16] = ':';
	if (digits > 0) {
		char all[9];

		put_digits(all, 9, (int)fraction);
		out[len++] = '.';
		for (int i = 0; i < digits && i < 9; i++)
			out[len++] = all[i];
	}
	out[len++] = 'Z';
	out[len] = '\0';
	return len;
}

int stamp_age(const char *s, double *ns, struct fault *f)
{
	struct fault unused;

	if (number_parse(text_of(s), ns))
		return fault_set(f, "'%s' has no unit (for example 90d or 12h)", s);
	if (units_duration_ns(s, ns, &unused) < 0)
		return fault_set(f, "'%s' is not an age (for example 90d or 12h)", s);
	return 0;
}

int stamp_option(const char *s, int64_t now_ns, int64_t *ns, struct fault *f)
{
	struct fault unused;
	double ago_ns;
	int digits;

	if (stamp_parse(text_of(s), ns, &digits))
		return 0;
	/* A number alone is more likely a year than a number of seconds. */
	if (stamp_age(s, &ago_ns, &unused) < 0 || ago_ns >= (double)now_ns)
		return fault_set(f,
		    "'%s' is neither a date (2026-01-31, 2026-01-31T12:00:00Z) nor a time "
		    "ago (30d, 12h)",
		    s);
	*ns = now_ns - (int64_t)ago_ns;
	return 0;
}
