/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens, describes and frees figures of all kinds; see figure.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_form.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { MARKS_TOLD = 24 };

struct figure *figure_open(const struct figure_kind *kind)
{
	struct figure *fig = mem_zero(1, kind->form->size);

	fig->kind = kind;
	fig->x_lo = fig->x_hi = fig->limit = NAN;
	return fig;
}

char *figure_label(struct text name, bool utf8)
{
	struct buf b = { 0 };

	display_text_label(&b, name, utf8);
	return buf_detach(&b);
}

void figure_set_title(struct figure *fig, const struct figure_opts *opts, char *otherwise)
{
	if (!opts->title) {
		fig->title = otherwise;
		return;
	}
	fig->title = figure_label(text_of(opts->title), opts->utf8);
	free(otherwise);
}

void lines_add(struct lines *l, char *text)
{
	*VEC_ADD(l->text, l->count, l->cap) = text;
}

void figure_say(struct figure *fig, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	lines_add(&fig->what, buf_detach(&b));
}

void figure_say_failed(struct figure *fig)
{
	if (fig->failed)
		figure_say(fig, "%zu failed, left out", fig->failed);
}

void figure_say_thinned(struct figure *fig)
{
	if (fig->thinned)
		figure_say(fig, "points that do not change the plot are left out");
}

void figure_say_duplicates(struct figure *fig, size_t repeated)
{
	if (repeated)
		figure_say(
		    fig, "%zu duplicate row%s left out", repeated, plural_s(repeated));
}

static bool is_named(const char *series, const char *name)
{
	const char *equals = strchr(series, '=');

	return strcmp(series, name) == 0 || (equals && strcmp(equals + 1, name) == 0);
}

void figure_color(struct figure *fig, const char *const *name, size_t count)
{
	size_t next = count;

	if (!count || !fig->series_count)
		return;
	free(fig->slot);
	fig->slot = mem_zero(fig->series_count, sizeof(*fig->slot));
	for (size_t s = 0; s < fig->series_count; s++) {
		size_t i = 0;

		while (i < count && !(fig->series[s] && is_named(fig->series[s], name[i])))
			i++;
		fig->slot[s] = (unsigned)(i < count ? i : next++);
	}
}

void mark_bound(struct mark *m, double bound)
{
	m->s.median = m->s.ci_lo = m->s.ci_hi = NAN;
	m->above.median = bound;
	m->limit = mem_zero(1, sizeof(*m->limit));
	m->limit[0] = bound;
	m->limits = 1;
	m->n--;
}

double figure_growth_at(const struct figure *fig, size_t series, double x)
{
	const struct growth *g = fig->growth ? &fig->growth[series] : NULL;

	if (!g || g->model < 0 || !(x > 0))
		return NAN;
	return g->constant +
	       (isnan(g->factor) ? 0 : g->factor * growth_models[g->model].of(x));
}

static void put_quantity(struct buf *b, double value, const char *unit)
{
	char text[64];

	buf_put(b, text, units_print(text, sizeof(text), value, unit));
}

static void put_mark(struct buf *b, const struct figure *fig, const struct mark *m)
{
	const char *series = fig->series[m->series];
	char x[NUMBER_TEXT_MAX];

	buf_str(b, series);
	if (m->label && *m->label)
		buf_printf(b, "%s%s", *series ? ", " : "", m->label);
	else if (!fig->kind->lanes && fig->x_form == X_NUMBER && !fig->kind->all_series) {
		number_print(x, m->x);
		buf_printf(b, "%s%s=%s", *series ? ", " : "", fig->x_name, x);
	}
	buf_str(b, ": ");
	if (m->limits && isnan(m->s.median))
		buf_str(b, m->below ? "below " : "above ");
	if (!mark_count(m))
		buf_str(b, "no value");
	else
		put_quantity(b, mark_median(m), fig->unit);
	if (isfinite(m->s.ci_lo) && isfinite(m->s.ci_hi)) {
		buf_str(b, " (");
		put_quantity(b, m->s.ci_lo, fig->unit);
		buf_str(b, " to ");
		put_quantity(b, m->s.ci_hi, fig->unit);
		buf_str(b, ")");
	}
	buf_str(b, "; ");
}

void figure_describe(const struct figure *fig, struct buf *b)
{
	buf_printf(b, "%s: %s.", fig->kind->name, fig->kind->meaning);
	for (size_t i = 0; i < fig->what.count; i++)
		buf_printf(b, "%s%s", i ? ", " : " ", fig->what.text[i]);
	for (size_t i = 0; i < fig->held.count; i++)
		buf_printf(b, "%s%s", i ? ", " : ". Constant: ", fig->held.text[i]);
	for (size_t i = 0; i < fig->origin.count; i++)
		buf_printf(b, "%s%s", i ? ", " : ". From: ", fig->origin.text[i]);
	buf_str(b, ". ");
	if (fig->kind->form->describe)
		fig->kind->form->describe(fig, b);
	for (size_t i = 0; i < fig->marks && i < MARKS_TOLD; i++)
		put_mark(b, fig, &fig->mark[i]);
	if (fig->marks > MARKS_TOLD)
		buf_printf(b, "and %zu more.", fig->marks - MARKS_TOLD);
}

void figure_add_gap(struct figure *fig, size_t series, double x, size_t *cap)
{
	struct mark gap = { .series = series, .x = x };
	size_t at = 0;

	stats_summarize(NULL, 0, 0.95, &gap.s);
	while (
	    at < fig->marks && (fig->mark[at].series < series ||
	                           (fig->mark[at].series == series && fig->mark[at].x < x)))
		at++;
	if (at < fig->marks && fig->mark[at].series == series && fig->mark[at].x == x)
		return;
	*VEC_ADD(fig->mark, fig->marks, *cap) = gap;
	memmove(
	    &fig->mark[at + 1], &fig->mark[at], (fig->marks - at - 1) * sizeof(*fig->mark));
	fig->mark[at] = gap;
}

void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->text[i]);
	free(l->text);
}

void mark_free(struct mark *m)
{
	free(m->label);
	free(m->note);
	free(m->value);
	free(m->limit);
	free(m->identity);
	free(m->limit_identity);
	quantile_series_close(m->ordered);
}

void figure_free(struct figure *fig)
{
	if (!fig)
		return;
	if (fig->kind->form->clear)
		fig->kind->form->clear(fig);
	for (size_t i = 0; i < fig->marks; i++)
		mark_free(&fig->mark[i]);
	for (size_t i = 0; i < fig->series_count; i++)
		free(fig->series[i]);
	lines_free(&fig->x_text);
	lines_free(&fig->what);
	lines_free(&fig->held);
	lines_free(&fig->origin);
	free(fig->growth);
	free(fig->mark);
	free(fig->series);
	free(fig->slot);
	free(fig->metric);
	free(fig->unit);
	free(fig->title);
	free(fig->x_name);
	free(fig);
}
