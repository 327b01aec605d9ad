/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Axes and bins; see axis.h. gnuplot does not choose the tics, because the margins depend
 * on their widths and because text and images must show the same tics.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "figure/axis.h"
#include "stats/stats.h"
#include "text/units.h"

/* A scale is used for values from `from` on, and the last one also for smaller ones. */
struct scale {
	double from;
	const char *prefix;
	double size; /* the value that the prefix means; 0: `from` */
};

static const struct scale time_scales[] = { { 36e12, "h", 3600e9 }, { 600e9, "min", 60e9 },
	{ 1e9, "s", 0 }, { 1e6, "ms", 0 }, { 1e3, "µs", 0 }, { 1, "ns", 0 },
	{ 0, NULL, 0 } };
static const struct scale byte_scales[] = { { 0x1p40, "TiB", 0 }, { 0x1p30, "GiB", 0 },
	{ 0x1p20, "MiB", 0 }, { 1024, "KiB", 0 }, { 1, "B", 0 }, { 0, NULL, 0 } };
static const struct scale si_scales[] = { { 1e12, "T", 0 }, { 1e9, "G", 0 },
	{ 1e6, "M", 0 }, { 1e3, "k", 0 }, { 1, "", 0 }, { 1e-3, "m", 0 }, { 1e-6, "µ", 0 },
	{ 1e-9, "n", 0 }, { 0, NULL, 0 } };
static const struct scale rate_scales[] = { { 1e12, "T", 0 }, { 1e9, "G", 0 },
	{ 1e6, "M", 0 }, { 1e3, "k", 0 }, { 1, "1", 0 }, { 0, NULL, 0 } };
static const struct scale word_scales[] = { { 1e12, "trillion", 0 }, { 1e9, "billion", 0 },
	{ 1e6, "million", 0 }, { 1e4, "thousand", 1e3 }, { 1, "", 0 }, { 0, NULL, 0 } };

/* Returns the scale of a unit for an axis whose largest value this is, and sets *rest to
 * the part of the unit that follows the prefix. */
static const struct scale *scale_for(double largest, const char *unit, const char **rest)
{
	const struct scale *s = si_scales;

	*rest = "";
	if (strcmp(unit, "ns") == 0) {
		s = time_scales;
	} else if (strcmp(unit, "B") == 0) {
		s = byte_scales;
	} else if (strncmp(unit, "1/", 2) == 0) {
		s = rate_scales;
		*rest = unit + 1;
	} else if (!unit[0] || strcmp(unit, "1") == 0) {
		s = word_scales;
	} else {
		*rest = unit;
		if (!(largest > 0))
			largest = 1;
	}
	while (largest < s->from && s[1].prefix)
		s++;
	return s;
}

struct axis_unit axis_unit_for(double largest, const char *unit, bool utf8)
{
	struct axis_unit u = { .size = 1, .text = "%" };
	const char *rest;
	char *micro;

	if (strcmp(unit, "%") == 0)
		return u;
	const struct scale *s = scale_for(largest, unit, &rest);

	u.size = s->size > 0 ? s->size : s->from;
	snprintf(u.text, sizeof(u.text), "%s%s", s->prefix, rest);
	micro = strstr(u.text, "µ");
	if (micro && !utf8) {
		*micro = 'u';
		memmove(micro + 1, micro + 2, strlen(micro + 2) + 1);
	}
	return u;
}

/* Returns the least number of the form 1, 2 or 5 times a power of ten that is at least x.
 */
static double round_up(double x)
{
	double power = pow(10, floor(log10(x)));

	for (double step = 1; step < 10; step = step == 2 ? 5 : step * 2)
		if (x <= power * step * (1 + 1e-9))
			return power * step;
	return power * 10;
}

static void add_tic(struct axis *a, size_t *cap, double at, int decimals)
{
	struct tic *t = VEC_ADD(a->tic, a->tics, *cap);

	t->at = at;
	if (decimals >= 0)
		snprintf(t->text, sizeof(t->text), "%.*f", decimals, at);
	else
		snprintf(t->text, sizeof(t->text), "%.6g", at);
}

/* Returns whether the doubles between lo and hi are dense enough for tics and bins. */
static bool apart(double lo, double hi)
{
	return hi - lo > fmax(fabs(lo), fabs(hi)) * 1e-12;
}

/* Attempts to get two tics end at this number of wanted ones. */
enum { WANT_MOST = 12 };

struct axis axis_linear(double lo, double hi, bool from_zero, size_t want)
{
	struct axis a = { 0 };
	size_t cap = 0;
	double step, room;
	int decimals;

	if (from_zero) {
		lo = fmin(lo, 0);
		hi = fmax(hi, 0);
	}
	if (!apart(lo, hi)) {
		room = lo != 0 ? fabs(lo) * 0.1 : 1;
		hi += room;
		lo -= lo == 0 ? 0 : room;
	}
	room = (hi - lo) * 0.04;
	a.from = lo == 0 ? 0 : lo - room;
	a.to = hi == 0 ? 0 : hi + room;
	step = round_up((a.to - a.from) / (double)(want ? want : 1));
	decimals = (int)fmax(0, ceil(-log10(step) - 1e-9));
	decimals = fabs(a.to) > 1e15 || decimals > 15 ? -1 : decimals;
	for (double i = ceil(a.from / step - 1e-9); i * step <= a.to + step * 1e-9; i++)
		add_tic(&a, &cap, i == 0 ? 0 : i * step, decimals);
	if (a.tics < 2 && want < WANT_MOST) {
		axis_free(&a);
		return axis_linear(lo, hi, false, want + 1);
	}
	return a;
}

/* Replaces the tics of a logarithmic axis by those of a linear one, for a range in which
 * there are no two of 1, 2 and 5 times powers of ten. */
static void add_even_tics(struct axis *a, size_t *cap)
{
	enum { WANT = 6 };
	struct axis even = axis_linear(a->from, a->to, false, WANT);

	a->tics = 0;
	for (size_t i = 0; i < even.tics; i++)
		if (even.tic[i].at >= a->from && even.tic[i].at <= a->to)
			add_tic(a, cap, even.tic[i].at, -1);
	axis_free(&even);
}

struct axis axis_log(double lo, double hi)
{
	struct axis a = { .log = true };
	size_t cap = 0;
	double room = pow(hi / lo, 0.04), decades;
	int every;

	room = fmax(room, 1.05);
	a.from = lo / room;
	a.to = hi * room;
	decades = log10(a.to / a.from);
	every = (int)ceil(decades / 8);
	for (int e = (int)floor(log10(a.from)); pow(10, e) <= a.to; e++)
		for (double digit = 1; digit < 10; digit = digit == 2 ? 5 : digit * 2) {
			double at = digit * pow(10, e);

			if (at < a.from || at > a.to)
				continue;
			if (decades < 2 || (digit == 1 && e % every == 0))
				add_tic(&a, &cap, at, -1);
		}
	if (a.tics < 2)
		add_even_tics(&a, &cap);
	return a;
}

/* Steps between tics in seconds with the format of their times; larger steps are months. */
static const struct time_step {
	double step_s;
	const char *format;
} time_steps[] = { { 1, "%H:%M:%S" }, { 5, "%H:%M:%S" }, { 15, "%H:%M:%S" },
	{ 60, "%H:%M" }, { 300, "%H:%M" }, { 900, "%H:%M" }, { 3600, "%H:%M" },
	{ 10800, "%m-%d %Hh" }, { 21600, "%m-%d %Hh" }, { 43200, "%m-%d %Hh" },
	{ 86400, "%Y-%m-%d" }, { 172800, "%Y-%m-%d" }, { 604800, "%Y-%m-%d" },
	{ 1209600, "%Y-%m-%d" } };
static const int month_steps[] = { 1, 3, 6, 12, 24, 60, 120, 600, 1200 };

static void add_time(struct axis *a, size_t *cap, double at, const char *format)
{
	struct tic *t = VEC_ADD(a->tic, a->tics, *cap);
	time_t seconds = (time_t)at;
	struct tm tm;

	*t = (struct tic){ .at = at };
	if (gmtime_r(&seconds, &tm))
		strftime(t->text, sizeof(t->text), format, &tm);
}

static void add_months(struct axis *a, size_t *cap, double step_s)
{
	const double month_s = 2629800;
	size_t i = 0;
	time_t seconds = (time_t)a->from;
	struct tm tm;

	while (i + 1 < COUNT(month_steps) && month_steps[i] * month_s < step_s)
		i++;
	if (!gmtime_r(&seconds, &tm))
		return;
	int month = tm.tm_year * 12 + tm.tm_mon;
	for (month -= month % month_steps[i];; month += month_steps[i]) {
		struct tm first = {
			.tm_year = month / 12, .tm_mon = month % 12, .tm_mday = 1
		};
		double at = (double)timegm(&first);

		if (at > a->to)
			return;
		if (at >= a->from)
			add_time(a, cap, at, month_steps[i] % 12 ? "%Y-%m" : "%Y");
	}
}

struct axis axis_time(double lo, double hi, size_t want)
{
	struct axis a = { 0 };
	size_t cap = 0, i = 0;
	double room = fmax((hi - lo) * 0.04, 0.5), step;

	a.from = lo - room;
	a.to = hi + room;
	step = (a.to - a.from) / (double)(want ? want : 1);
	while (i < COUNT(time_steps) && time_steps[i].step_s < step)
		i++;
	if (i == COUNT(time_steps)) {
		add_months(&a, &cap, step);
		return a;
	}
	step = time_steps[i].step_s;
	for (double at = ceil(a.from / step) * step; at <= a.to; at += step)
		add_time(&a, &cap, at, time_steps[i].format);
	return a;
}

char *axis_time_label(const struct axis *a, double from)
{
	time_t seconds = (time_t)from;
	char date[16];
	struct tm tm;
	bool has_year = a->tics && a->tic[0].text[2] != ':' && a->tic[0].text[2] != '-';

	if (has_year || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		return str_copy("time (UTC)");
	return str_format("time since %s (UTC)", date);
}

double axis_place(const struct axis *a, double x)
{
	return a->log ? log(x / a->from) / log(a->to / a->from)
	              : (x - a->from) / (a->to - a->from);
}

double axis_value(const struct axis *a, double place)
{
	return a->log ? a->from * pow(a->to / a->from, place)
	              : a->from + (a->to - a->from) * place;
}

void axis_number(char *text, size_t size, double x)
{
	static const struct scale large[] = { { 1e12, "T", 0 }, { 1e9, "G", 0 },
		{ 1e6, "M", 0 }, { 1e3, "k", 0 }, { 0, NULL, 0 } };
	char number[NUMBER_TEXT_MAX];
	size_t len = number_print(number, x), sign = x < 0;

	if (fabs(x) < 1e4 || fabs(x) >= 1e15) {
		snprintf(text, size, "%.*s", (int)len, number);
		return;
	}
	for (const struct scale *s = large; s->prefix; s++)
		if (fabs(x) >= s->from && fmod(fabs(x) * 10, s->from) == 0) {
			snprintf(text, size, "%.6g%s", x / s->from, s->prefix);
			return;
		}
	if (strspn(number + sign, "0123456789") != len - sign) {
		snprintf(text, size, "%.*s", (int)len, number);
		return;
	}
	for (size_t i = 0, at = 0; i < len && at + 2 < size; i++) {
		if (i > sign && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = number[i];
		text[at] = '\0';
	}
}

void axis_tics_at(struct axis *a, const double *x, size_t n, size_t character_room)
{
	size_t cap = 0;
	double free_from = -INFINITY;

	free(a->tic);
	a->tic = NULL;
	a->tics = 0;
	for (size_t i = 0; i < n; i++) {
		char text[NUMBER_TEXT_MAX + 16];

		axis_number(text, sizeof(text), x[i]);
		double half = (double)strlen(text) / 2 + 1,
		       at = axis_place(a, x[i]) * (double)character_room;

		if (at - half < free_from)
			continue;
		free_from = at + half;
		*VEC_ADD(a->tic, a->tics, cap) = (struct tic){ .at = x[i] };
		snprintf(a->tic[a->tics - 1].text, sizeof(a->tic->text), "%.31s", text);
	}
}

void axis_free(struct axis *a)
{
	free(a->tic);
	*a = (struct axis){ 0 };
}

/* Returns the standard deviation of the steps between values divided by their mean. */
static double unevenness(const double *x, size_t n, bool logs)
{
	double sum = 0, squares = 0, steps = (double)(n - 1);

	for (size_t i = 1; i < n; i++) {
		double step = logs ? log(x[i] / x[i - 1]) : x[i] - x[i - 1];

		sum += step;
		squares += step * step;
	}
	return sqrt(fmax(0, squares / steps - (sum / steps) * (sum / steps))) /
	       (sum / steps);
}

bool axis_geometric(const double *x, size_t n)
{
	return n >= 3 && x[0] > 0 && x[n - 1] / x[0] >= 8 &&
	       unevenness(x, n, true) < unevenness(x, n, false);
}

double bins_width(const double *sorted, size_t n)
{
	double iqr, range;

	if (n < 2)
		return 0;
	iqr = stats_quantile(sorted, n, 0.75) - stats_quantile(sorted, n, 0.25);
	range = sorted[n - 1] - sorted[0];
	return iqr > 0 ? 2 * iqr / cbrt((double)n) : range / (ceil(log2((double)n)) + 1);
}

struct bins bins_cover(double lo, double hi, double width, size_t max)
{
	struct bins b;

	if (!apart(lo, hi))
		return (struct bins){ .first = lo - (lo != 0 ? fabs(lo) * 0.005 : 0.5),
			.width = lo != 0 ? fabs(lo) * 0.01 : 1,
			.count = 1 };
	width = round_up(fmax(width, (hi - lo) / (double)max));
	do {
		double first = floor(lo / width + 1e-9);

		b = (struct bins){ .first = first * width,
			.width = width,
			.count = (size_t)(floor(hi / width - 1e-9) - first) + 1 };
		width = round_up(width * 1.5);
	} while (b.count > max && max > 1);
	return b;
}

double bins_edge(const struct bins *b, size_t bin)
{
	double edge = b->first + (double)bin * b->width;

	return b->log ? pow(10, edge) : edge;
}

size_t bins_find(const struct bins *b, double x)
{
	double at = floor(((b->log ? log10(x) : x) - b->first) / b->width + 1e-9);

	return at < 0 ? 0 : at >= (double)b->count ? b->count - 1 : (size_t)at;
}
