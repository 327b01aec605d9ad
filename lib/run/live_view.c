/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the running summary of --live; see live_view.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/live_view.h"
#include "stats/stats.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/units.h"

enum {
	NAME_MOST = 28,  /* columns of a name */
	FIGURES = 38,    /* columns from the name to the scale */
	SCALE_LEAST = 16 /* a narrower scale is omitted */
};

/* The values drawn for a subject, in ns. */
struct shown {
	size_t n;
	double median, lo, hi; /* lo and hi are NAN if there is no interval */
	double p5, p95;
};

static struct shown shown_of(const struct live_subject *s, double confidence)
{
	struct shown out = { .n = s->count, NAN, NAN, NAN, NAN, NAN };
	double *copy = mem_zero(s->count + 1, sizeof(*copy));
	size_t lo, hi;

	for (size_t i = 0; i < s->count; i++)
		copy[i] = s->value[i] * s->scale;
	stats_sort(copy, s->count);
	if (s->count) {
		out.median = stats_quantile(copy, s->count, 0.5);
		out.p5 = stats_quantile(copy, s->count, 0.05);
		out.p95 = stats_quantile(copy, s->count, 0.95);
	}
	if (stats_median_ranks(s->count, confidence, &lo, &hi)) {
		out.lo = copy[lo - 1];
		out.hi = copy[hi - 1];
	}
	free(copy);
	return out;
}

/* Cuts the line that begins at start to this number of columns. */
static void cut_line(struct buf *b, size_t start, size_t columns)
{
	b->len = start +
	         display_prefix(text_after(text_in(b), start), columns);
}

static size_t place(double value, double least, double most, size_t columns)
{
	double part = most > least ? (value - least) / (most - least) : 0.5;

	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return (size_t)(part * (double)(columns - 1) + 0.5);
}

/*
 * Appends the scale, such as " ---==|=-----": the central nine tenths of the samples,
 * the interval, and the median.
 */
static void put_scale(
    struct buf *b, const struct shown *s, double least, double most, size_t columns)
{
	char *line = mem_zero(columns + 1, 1);

	memset(line, ' ', columns);
	for (size_t i = place(s->p5, least, most, columns);
	     i <= place(s->p95, least, most, columns); i++)
		line[i] = '-';
	for (size_t i = isnan(s->lo) ? columns : place(s->lo, least, most, columns);
	     i < columns && i <= place(s->hi, least, most, columns); i++)
		line[i] = '=';
	line[place(s->median, least, most, columns)] = '|';
	for (size_t i = columns; i > 0 && line[i - 1] == ' '; i--)
		line[i - 1] = '\0';
	buf_str(b, line);
	free(line);
}

static void put_figures(struct buf *b, const struct shown *s)
{
	char median[32] = "", half[32] = "";

	if (s->n)
		units_print(median, sizeof(median), s->median, "ns");
	if (!isnan(s->lo) && s->median > 0)
		snprintf(half, sizeof(half), "+-%.2g%%", 50 * (s->hi - s->lo) / s->median);
	buf_printf(b, "%7zu %13s %10s", s->n, median, half);
}

static size_t widest(char *const *name, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		size_t width = display_width(text_of(name[i]));

		most = width > most ? width : most;
	}
	return most;
}

/* Returns the names, cleaned and shortened, and the columns that they take. Where a scale
 * has no room anyway, they may take that room. */
static char **fit_names(
    const struct live_view *v, const struct live_subject *s, size_t count, size_t *columns)
{
	const size_t room = v->width > FIGURES + 1 ? v->width - FIGURES - 1 : 0;
	const size_t most =
	    room > NAME_MOST && room < NAME_MOST + SCALE_LEAST ? room : NAME_MOST;
	char **name = mem_zero(count + 1, sizeof(*name));

	for (size_t i = 0; i < count; i++) {
		struct buf clean = { 0 };

		display_text_clean(&clean, text_of(s[i].name));
		name[i] = mem_text(clean.ptr, clean.len);
		buf_free(&clean);
	}
	if (widest(name, count) > most)
		display_text_fit(name, count, most, false);
	*columns = widest(name, count);
	return name;
}

size_t live_draw(struct buf *b, const struct live_view *v, const struct live_subject *s,
    size_t count, size_t now)
{
	size_t lines = count < v->height ? count : v->height;
	size_t first = now > lines / 2 ? now - lines / 2 : 0;
	size_t names;
	char **name = fit_names(v, s, count, &names);
	size_t scale = v->width > names + FIGURES + 1 ? v->width - names - FIGURES - 1 : 0;
	struct shown *shown = mem_zero(count + 1, sizeof(*shown));
	double least = INFINITY, most = -INFINITY;

	if (first + lines > count)
		first = count - lines;
	for (size_t i = first; i < first + lines; i++) {
		shown[i] = shown_of(&s[i], v->confidence);
		least = fmin(least, shown[i].p5);
		most = fmax(most, shown[i].p95);
	}
	for (size_t i = first; i < first + lines; i++) {
		size_t start = b->len;

		buf_str(b, i == now ? "> " : s[i].wants ? "  " : ". ");
		display_put(b, text_of(name[i]), names);
		put_figures(b, &shown[i]);
		if (s[i].runs > s[i].count)
			buf_str(b, " !");
		else
			buf_str(b, "  ");
		if (scale >= SCALE_LEAST && shown[i].n)
			put_scale(b, &shown[i], least, most, scale - 2);
		cut_line(b, start, v->width ? v->width - 1 : 0);
		buf_str(b, "\n");
	}
	for (size_t i = 0; i < count; i++)
		free(name[i]);
	free(name);
	free(shown);
	return lines;
}
