/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure of the requests per second that were offered, completed, and completed
 * within the service level; see figure_load.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/load_priv.h"
#include "stats/censored.h"
#include "text/plural.h"

static const struct {
	size_t metric;
	const char *name;
} bars[] = { { LOAD_OFFERED, "offered" }, { LOAD_THROUGHPUT, "completed" },
	{ LOAD_GOODPUT, "within the service level" } };

/* Returns the name of a lane: of the subject, if there are several, and its rate. */
static char *lane_name(
    const struct load_gathered *g, const struct group_labels *subjects, size_t place)
{
	const struct load_place *p = &g->place[place];
	struct buf b = { 0 };
	size_t i = 0;

	while (subjects->group[i] != p->subject)
		i++;
	char *subject = group_labels_text(subjects, i, NULL, true);

	buf_str(&b, subject);
	if (isfinite(p->rate))
		buf_printf(&b, "%s%.6g/s", b.len ? ", " : "", p->rate);
	if (p->saturated)
		buf_str(&b, " (saturated)");
	free(subject);
	return buf_detach(&b);
}

/* Periods that timed out, and bars whose medians are unknown for this reason. */
struct late_periods {
	size_t periods, bars;
};

/* Adds a bar for each rate of a place. */
static void add_bars(const struct load_gathered *g, struct figure *fig,
    const struct group_labels *subjects, size_t place, size_t *cap,
    struct late_periods *late)
{
	size_t failed = 0, timeouts = 0;

	for (size_t k = 0; k < COUNT(bars); k++) {
		const struct collected *c = load_rates(g, place, bars[k].metric);
		struct summary s;
		struct mark *m;

		if (c->missing->failed - c->missing->censored > failed)
			failed = c->missing->failed - c->missing->censored;
		if (c->missing->censored > timeouts)
			timeouts = c->missing->censored;
		censored_rates(c->value, c->count, c->missing->censored,
		    g->opts->inference.confidence, &s);
		late->bars += c->missing->censored && isnan(s.median);
		if (isnan(s.median))
			continue;
		m = VEC_ADD(fig->mark, fig->marks, *cap);
		*m =
		    (struct mark){ .series = k, .x = (double)place, .n = c->count, .s = s };
		m->label = lane_name(g, subjects, place);
		m->value = mem_zero(m->n, sizeof(*m->value));
		memcpy(m->value, c->value, m->n * sizeof(*m->value));
	}
	fig->failed += failed;
	late->periods += timeouts;
}

/* Describes what the bars show, and which values they lack. */
static void explain_bars(struct figure *fig, const struct late_periods *late)
{
	bool bounded = true;

	for (size_t i = 0; i < fig->marks; i++)
		bounded = bounded && isfinite(fig->mark[i].s.ci_lo);
	figure_say(fig, "%s",
	    bounded ? "median of the periods with its interval" : "median of the periods");
	if (late->periods)
		figure_say(
		    fig, "%zu timed out, counted as slower than the others", late->periods);
	if (late->bars)
		figure_say(fig, "%zu bar%s left out: the median timed out", late->bars,
		    plural_s(late->bars));
	figure_say_failed(fig);
}

static struct figure *goodput_make(void *ctx, struct fault *f)
{
	struct load_gathered *g = ctx;
	struct group_labels subjects = { .groups = g->subjects, .utf8 = g->opts->utf8 };
	struct late_periods late = { 0 };
	size_t cap = 0;

	if (load_order(g, f) < 0)
		return NULL;

	struct figure *fig = figure_open(g->kind);

	for (size_t i = 0; i < g->count; i++)
		if (!i || g->place[i].subject != g->place[i - 1].subject)
			*VEC_ADD(subjects.group, subjects.count, subjects.cap) =
			    g->place[i].subject;
	fig->series_count = COUNT(bars);
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	for (size_t k = 0; k < COUNT(bars); k++)
		fig->series[k] = str_copy(bars[k].name);
	for (size_t i = 0; i < g->count; i++)
		add_bars(g, fig, &subjects, i, &cap, &late);
	figure_set_title(fig, g->opts, str_copy("goodput by rate"));
	fig->metric = str_copy("requests per second");
	fig->unit = str_copy("");
	fig->x_name = str_copy("");
	explain_bars(fig, &late);
	figure_say_duplicates(fig, g->repeated);
	group_labels_held(&subjects, fig);
	fig->same_n = true;
	free(subjects.group);
	if (fig->marks && fig->marks <= FIGURE_LANES_MAX)
		return fig;
	if (fig->marks)
		fault_set(f, "%zu bars are too many for a plot", fig->marks);
	else
		fault_set(f, "no offered_rate or throughput to draw: measure under load, "
		             "such as with bench-run --rate 10,20,50");
	figure_free(fig);
	return NULL;
}

const struct figure_source figure_goodput = { load_open, load_row, load_excluded,
	goodput_make, load_close };
