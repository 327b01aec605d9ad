/*
 * From groups to marks; see figure.h. What lies along x and what becomes series is chosen
 * in facet.c; here the values come together and the words are found.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/facet.h"
#include "plot/figure.h"
#include "text/display_text.h"
#include "plot/points.h"
#include "text/units.h"

enum { UNIT_WIDTH = 16 };

struct making {
	const struct figure_kind *kind;
	const struct figure_asked *asked;
	const struct figure_input *input;
	struct facet facet;
	struct figure *fig;
};

/* bench and kind explain themselves; other columns stand with their name. */
static void put_pair(const struct making *m, struct buf *b, size_t pick, size_t column)
{
	struct text t = facet_cell(&m->facet, pick, column);
	bool utf8 = m->asked->utf8;

	if (column != COL_BENCH && column != COL_KIND) {
		const char *name = groups_schema(m->facet.groups)->name[column];

		label_clean(b, text_of(name), utf8);
		buf_byte(b, '=');
	}
	if (t.len)
		label_clean(b, t, utf8);
	else
		buf_str(b, "none");
}

/* The values of some columns as one label; empty for no columns. */
static char *label_of(const struct making *m, size_t pick, const struct columns *c)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < c->count; i++) {
		if (!facet_cell(&m->facet, pick, c->id[i]).len && c->count > 1)
			continue;
		buf_str(&b, b.len ? ", " : "");
		put_pair(m, &b, pick, c->id[i]);
	}
	if (!b.len)
		buf_str(&b, c->count ? "none" : "");
	return b.ptr;
}

/*
 * The rank of each part: by number when the only column is numeric, else by appearance.
 */
static void rank_parts(
    const struct facet *fa, const struct columns *c, size_t *part, size_t parts)
{
	double *value;

	if (c->count != 1 || !facet_numeric(fa, c->id[0]))
		return;
	value = mem_zero(parts, sizeof(*value));
	for (size_t i = 0; i < fa->picks; i++)
		number_parse(facet_cell(fa, i, c->id[0]), &value[part[i]]);
	for (size_t i = 0; i < fa->picks; i++) {
		size_t rank = 0, own = part[i];

		for (size_t k = 0; k < parts; k++)
			rank +=
			    value[k] < value[own] || (value[k] == value[own] && k < own);
		part[i] = rank;
	}
	free(value);
}

static void add_values(struct mark *mark, const struct collected *c)
{
	mark->value = mem_resize(mark->value, mark->n + c->count, sizeof(*mark->value));
	if (c->count)
		memcpy(mark->value + mark->n, c->value, c->count * sizeof(*c->value));
	mark->n += c->count;
	mark->failed += c->failed;
}

static int by_lane(const void *a, const void *b)
{
	const struct mark *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->series > q->series) - (p->series < q->series);
}

static int by_series(const void *a, const void *b)
{
	const struct mark *p = a, *q = b;

	if (p->series != q->series)
		return p->series < q->series ? -1 : 1;
	return (p->x > q->x) - (p->x < q->x);
}

/* The marks of all picks, in order of first appearance. */
static void gather(struct making *m, const size_t *lane, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	struct columns both = { 0 };
	size_t *part = mem_zero(fa->picks, sizeof(*part));

	columns_add(&both, &fa->x);
	columns_add(&both, &fa->series);
	fig->marks = facet_partition(fa, &both, part);
	fig->mark = mem_zero(fig->marks, sizeof(*fig->mark));
	for (size_t i = 0; i < fa->picks; i++) {
		struct mark *mark = &fig->mark[part[i]];

		mark->series = series[i];
		mark->x = (double)lane[i];
		if (!m->kind->lanes && fa->x.count)
			number_parse(facet_cell(fa, i, fa->x.id[0]), &mark->x);
		else if (!mark->label)
			mark->label = label_of(m, i, &fa->x);
		if (!fig->series[series[i]])
			fig->series[series[i]] = label_of(m, i, &fa->series);
		add_values(mark, collect_group(m->input->collect, fa->pick[i]));
	}
	free(part);
	free(both.id);
}

/* The points of all picks of a series, in order; allocated. */
static struct point *points_in(
    const struct making *m, const size_t *of, size_t series, size_t *count, size_t *failed)
{
	struct point *all = NULL;

	*count = *failed = 0;
	for (size_t i = 0; i < m->facet.picks; i++) {
		size_t own, bad;
		const struct point *p;

		if (of[i] != series)
			continue;
		p = points_of(m->input->points, m->facet.pick[i], &own, &bad);
		*failed += bad;
		if (!own)
			continue;
		all = mem_resize(all, *count + own, sizeof(*all));
		memcpy(all + *count, p, own * sizeof(*all));
		*count += own;
	}
	points_sort(all, *count);
	return all;
}

/* Where the points with the same x as this one end. */
static size_t same_x(const struct point *p, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && p[end].x == p[from].x)
		end++;
	return end;
}

/* The median at each x, in place of the values there, at the front of a copy; allocated. */
static struct point *medians(const struct point *all, size_t count, size_t *places)
{
	struct point *p = mem_zero(count, sizeof(*p));

	*places = 0;
	for (size_t i = 0, end; i < count; i = end) {
		end = same_x(all, i, count);
		size_t low = i + (end - i - 1) / 2, high = i + (end - i) / 2;

		p[(*places)++] = (struct point){ all[i].x,
			all[low].value + (all[high].value - all[low].value) / 2 };
	}
	return p;
}

/* A mark of each place that is left, with the values there. */
static void mark_places(struct figure *fig, size_t series, const struct point *all,
    size_t count, const struct point *place, size_t places, size_t *cap)
{
	for (size_t i = 0, k = 0, end; i < count && k < places; i = end) {
		struct mark *mark;

		end = same_x(all, i, count);
		if (all[i].x != place[k].x)
			continue;
		k++;
		mark = VEC_ADD(fig->mark, fig->marks, *cap);
		*mark = (struct mark){ .series = series, .x = all[i].x, .n = end - i };
		mark->value = mem_zero(mark->n, sizeof(*mark->value));
		for (size_t v = 0; v < mark->n; v++)
			mark->value[v] = all[i + v].value;
	}
}

/* Marks of points along x, of which those go that no picture would show. */
static void gather_points(struct making *m, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t cap = 0, columns = FIGURE_COLUMNS /
	                          (fig->series_count < 4 ? 1 : fig->series_count / 2);

	for (size_t s = 0; s < fig->series_count; s++) {
		size_t count, places, all_places, failed;
		struct point *all = points_in(m, series, s, &count, &failed),
		             *place = medians(all, count, &places);
		double *x = mem_zero(places, sizeof(*x));

		for (size_t i = 0; i < places; i++)
			x[i] = place[i].x;
		fig->geometric_x = m->asked->log_x == LOG_AUTO ? axis_geometric(x, places)
		                                               : m->asked->log_x == LOG_YES;
		free(x);
		all_places = places;
		places = decimate_line(
		    place, places, columns, fig->geometric_x && places && place[0].x > 0);
		fig->thinned = fig->thinned || places < all_places;
		mark_places(fig, s, all, count, place, places, &cap);
		fig->failed += failed;
		free(all);
		free(place);
	}
	for (size_t i = 0; i < fa->picks; i++)
		if (!fig->series[series[i]])
			fig->series[series[i]] = label_of(m, i, &fa->series);
}

/* A mark without values has a lane, where that is said, but no place on a line. */
static void drop_valueless(struct figure *fig)
{
	size_t kept = 0;

	for (size_t i = 0; i < fig->marks; i++)
		if (fig->mark[i].n)
			fig->mark[kept++] = fig->mark[i];
		else
			free(fig->mark[i].value);
	fig->marks = kept;
}

/* The mark of the same series with the least x that has values, or NULL. */
static const struct mark *least_of(const struct figure *fig, size_t series)
{
	const struct mark *least = NULL;

	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *mark = &fig->mark[i];

		if (mark->series == series && mark->n && (!least || mark->x < least->x))
			least = mark;
	}
	return least;
}

/*
 * How many times as good as at the least x of the series: times become ratios upside down,
 * rates as they are. The metric speedup is one already.
 */
static int make_ratios(struct making *m, struct fault *f)
{
	struct figure *fig = m->fig;
	struct text metric = facet_cell(&m->facet, 0, COL_METRIC),
	            unit = facet_cell(&m->facet, 0, COL_UNIT);
	bool higher = m->asked->metrics &&
	              metrics_better(m->asked->metrics, metric, unit) == BETTER_HIGHER;
	double *base, first = 0;
	bool same = true;

	fig->ideal = 1;
	if (text_is(metric, "speedup"))
		return 0;
	base = mem_zero(fig->series_count, sizeof(*base));
	for (size_t s = 0; s < fig->series_count; s++) {
		const struct mark *least = least_of(fig, s);

		if (!least)
			continue;
		stats_sort(least->value, least->n);
		base[s] = stats_quantile(least->value, least->n, 0.5);
		same = same && (!first || least->x == first);
		first = least->x;
	}
	fig->ideal = same && first > 0 ? 1 / first : 0;
	for (size_t i = 0; i < fig->marks; i++)
		for (size_t k = 0; k < fig->mark[i].n; k++) {
			double *value = &fig->mark[i].value[k],
			       own = base[fig->mark[i].series];

			if (*value <= 0 || own <= 0) {
				free(base);
				return fault_set(f,
				    "a speedup is made of values above 0, and there is %g",
				    *value <= 0 ? *value : own);
			}
			*value = higher ? *value / own : own / *value;
		}
	free(base);
	return 0;
}

static int make_marks(struct making *m, struct fault *f)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t *lane = mem_zero(fa->picks, sizeof(*lane)),
	       *series = mem_zero(fa->picks, sizeof(*series)), values = 0;
	size_t lanes = facet_partition(fa, &fa->x, lane);
	int status = 0;

	fig->series_count = facet_partition(fa, &fa->series, series);
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	if (fig->series_count > FIGURE_SERIES_MAX)
		status =
		    fault_set(f, "%zu series are too many for a picture: choose with -g",
		        fig->series_count);
	else if (m->kind->lanes && lanes > FIGURE_LANES_MAX)
		status = fault_set(
		    f, "%zu lanes are too many for a picture: choose with -x", lanes);
	else {
		rank_parts(fa, &fa->series, series, fig->series_count);
		if (m->kind->lanes)
			rank_parts(fa, &fa->x, lane, lanes);
		if (m->input->points)
			gather_points(m, series);
		else
			gather(m, lane, series);
	}
	free(lane);
	free(series);
	if (status == 0 && m->kind->ratios)
		status = make_ratios(m, f);
	if (status < 0)
		return -1;
	for (size_t i = 0; i < fig->marks; i++) {
		struct mark *mark = &fig->mark[i];

		stats_summarise(mark->value, mark->n, m->asked->confidence, &mark->s);
		values += mark->n;
		fig->failed += mark->failed;
	}
	if (!m->kind->lanes)
		drop_valueless(fig);
	qsort(fig->mark, fig->marks, sizeof(*fig->mark),
	    m->kind->lanes ? by_lane : by_series);
	if (!values)
		return fault_set(f, "no values to draw (%zu failed)", fig->failed);
	return 0;
}

void lines_add(struct lines *l, char *text)
{
	*VEC_ADD(l->text, l->count, l->cap) = text;
}

/* What was drawn: which statistic, of how many, and what is missing. */
static void say_what(struct making *m)
{
	struct figure *fig = m->fig;
	size_t least = SIZE_MAX, most = 0, without = 0;

	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *mark = &fig->mark[i];

		least = mark->n < least ? mark->n : least;
		most = mark->n > most ? mark->n : most;
		without += mark->n && isnan(mark->s.ci_lo);
	}
	if (fig->kind->interval && !without)
		lines_add(&fig->what, str_format("median with its %.4g %% interval",
		                          m->asked->confidence * 100));
	else if (fig->kind->interval)
		lines_add(&fig->what,
		    str_format("median%s", without == fig->marks
		                               ? " (too few values for an interval)"
		                               : " with its interval where n allows one"));
	if (fig->kind->outliers)
		lines_add(&fig->what,
		    str_copy("median, quartiles, whiskers within 1.5 IQR, outliers"));
	if (fig->kind->dots)
		lines_add(&fig->what, str_copy("every value, and the median"));
	if (fig->kind->steps)
		lines_add(
		    &fig->what, str_copy("the share of the values that are not larger"));
	if (fig->kind->bins)
		lines_add(
		    &fig->what, str_copy("values by bin (Freedman-Diaconis), one scale"));
	if (fig->thinned)
		lines_add(&fig->what, str_copy("places that would look the same left out"));
	fig->same_n = least == most;
	if (fig->same_n)
		lines_add(&fig->what, str_format("n = %zu", most));
	else if (!fig->kind->lanes)
		lines_add(&fig->what, str_format("n = %zu to %zu", least, most));
	if (fig->failed)
		lines_add(&fig->what, str_format("%zu failed, left out", fig->failed));
}

/* What was the same everywhere, and what was pooled because it was not drawn apart. */
static void say_held(struct making *m)
{
	const struct facet *fa = &m->facet;
	struct columns drawn = { 0 }, pooled;

	columns_add(&drawn, &fa->x);
	columns_add(&drawn, &fa->series);
	pooled = facet_parting(fa, &drawn);
	for (size_t i = 0; i < pooled.count; i++) {
		struct buf b = { 0 };

		buf_str(&b, "pooled over ");
		label_clean(&b, text_of(groups_schema(fa->groups)->name[pooled.id[i]]),
		    m->asked->utf8);
		lines_add(&m->fig->held, b.ptr);
	}
	for (size_t i = 0; i < fa->all.count; i++) {
		struct columns one = { &fa->all.id[i], 1, 0 };
		struct buf b = { 0 };

		if (one.id[0] == COL_KIND || columns_hold(&drawn, one.id[0]) ||
		    facet_partition(fa, &one, NULL) > 1)
			continue;
		put_pair(m, &b, 0, one.id[0]);
		lines_add(&m->fig->held, b.ptr);
	}
	free(drawn.id);
	free(pooled.id);
}

/* "speedup (of wall, beside threads=1)" */
static void say_ratios(const struct making *m, struct buf *metric)
{
	struct text name = facet_cell(&m->facet, 0, COL_METRIC);
	struct buf b = { 0 };

	if (text_is(name, "speedup"))
		return;
	metric->len = 0;
	buf_str(metric, "speedup");
	buf_str(&b, "ratios of ");
	label_clean(&b, name, m->asked->utf8);
	buf_str(&b, " to the median at the least ");
	label_clean(&b, text_of(groups_schema(m->facet.groups)->name[m->facet.x.id[0]]),
	    m->asked->utf8);
	lines_add(&m->fig->what, b.ptr);
}

/* "wall by bench, level". */
static void name_things(struct making *m)
{
	const struct facet *fa = &m->facet;
	const char *const *name = (const char *const *)groups_schema(fa->groups)->name;
	bool utf8 = m->asked->utf8;
	struct buf metric = { 0 }, unit = { 0 }, title = { 0 }, x = { 0 };
	struct columns drawn = { 0 };

	label_clean(&metric, facet_cell(fa, 0, COL_METRIC), utf8);
	if (m->kind->ratios)
		say_ratios(m, &metric);
	else
		label_clean(&unit, facet_cell(fa, 0, COL_UNIT), utf8);
	columns_add(&drawn, &fa->x);
	if (!m->kind->all_lanes)
		columns_add(&drawn, &fa->series);
	if (m->asked->title)
		label_clean(&title, text_of(m->asked->title), utf8);
	else
		buf_put(&title, metric.ptr, metric.len);
	for (size_t i = 0; i < drawn.count && !m->asked->title; i++) {
		buf_str(&title, i ? ", " : " by ");
		label_clean(&title, text_of(name[drawn.id[i]]), utf8);
	}
	if (fa->x.count)
		label_clean(&x, text_of(name[fa->x.id[0]]), utf8);
	free(drawn.id);
	m->fig->metric = metric.ptr;
	m->fig->unit = unit.ptr ? unit.ptr : str_copy("");
	labels_fit(&m->fig->unit, 1, UNIT_WIDTH, utf8);
	m->fig->title = title.ptr ? title.ptr : str_copy("");
	m->fig->x_name = x.ptr ? x.ptr : str_copy("");
}

struct figure *figure_make(const struct figure_kind *kind, const struct figure_asked *asked,
    const struct figure_input *input, struct fault *f)
{
	struct making m = { .kind = kind, .asked = asked, .input = input };
	struct facet_asked columns = { .metric = asked->metric,
		.x = asked->x,
		.group = asked->group,
		.prefer_metric = kind->metric,
		.prefer_x = kind->x,
		.numeric_x = !kind->lanes && !kind->all_series,
		.all_x = kind->all_lanes,
		.all_series = kind->all_series,
		.grid = kind->grid };

	m.fig = mem_zero(1, sizeof(*m.fig));
	m.fig->kind = kind;
	if (input->points) {
		columns.x = columns.prefer_x = NULL;
		columns.numeric_x = false;
		columns.all_series = true;
	}
	if (facet_choose(&m.facet, input->groups, &columns, f) < 0 ||
	    make_marks(&m, f) < 0) {
		figure_free(m.fig);
		m.fig = NULL;
	} else {
		if (input->points)
			columns_add(
			    &m.facet.x, &(struct columns){ &(size_t){ input->x }, 1, 0 });
		say_what(&m);
		say_held(&m);
		name_things(&m);
	}
	facet_free(&m.facet);
	return m.fig;
}

static void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->text[i]);
	free(l->text);
}

void figure_free(struct figure *fig)
{
	if (!fig)
		return;
	for (size_t i = 0; i < fig->marks; i++) {
		free(fig->mark[i].label);
		free(fig->mark[i].note);
		free(fig->mark[i].value);
	}
	for (size_t i = 0; i < fig->series_count; i++)
		free(fig->series[i]);
	for (size_t i = 0; i < fig->flags; i++)
		free(fig->flag[i].text);
	for (size_t i = 0; i < fig->panels; i++) {
		free(fig->panel[i].name);
		free(fig->panel[i].shown);
		free(fig->panel[i].unit);
	}
	for (size_t i = 0; i < fig->curves; i++)
		free(fig->curve[i].point);
	free(fig->change);
	free(fig->level);
	free(fig->flag);
	free(fig->panel);
	free(fig->curve);
	free(fig->roof);
	lines_free(&fig->x_text);
	lines_free(&fig->what);
	lines_free(&fig->held);
	free(fig->mark);
	free(fig->series);
	free(fig->metric);
	free(fig->unit);
	free(fig->title);
	free(fig->x_name);
	free(fig);
}
