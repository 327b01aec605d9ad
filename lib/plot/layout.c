/*
 * Layout; see layout.h. Text is measured by counting characters, with a generous width for
 * each, and more for those that are wide in most fonts: a margin slightly too wide is
 * harmless, a cut label is not. Every row of text above the axes (title, subtitle, key) has
 * its own place, so that nothing can overlap.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/display_text.h"
#include "plot/layout.h"
#include "plot/layout_axes.h"
#include "plot/layout_names.h"
#include "plot/palette.h"
#include "text/units.h"

enum {
	PIXEL_WIDTH = 800,
	PIXEL_ROW = 20,
	LINE_PLOT_HEIGHT = 360,
	SUBTITLE_LINES = 3,
};

static struct placed *place(struct placed_list *list, char *text, double x, double y)
{
	struct placed *p = VEC_ADD(list->item, list->count, list->cap);

	*p = (struct placed){ text, x, y };
	return p;
}

static void placed_free(struct placed_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->item[i].text);
	free(list->item);
}

/* The columns that a text takes; in a picture some characters take more than one. */
static double columns_of(const char *s, bool picture)
{
	double columns = (double)label_width(text_of(s));

	for (; picture && *s; s++) {
		unsigned char c = (unsigned char)*s;

		columns += strchr("MWmw@%&<>+=#~^", c)   ? 0.7
		           : c >= 'A' && c <= 'Z'        ? 0.3
		           : c >= '0' && c <= '9'        ? 0.1
		           : c >= 0xe1 /* from U+1000 */ ? 0.8
		                                         : 0;
	}
	return columns;
}

static double widest(const struct placed_list *list, bool picture)
{
	double width = 0;

	for (size_t i = 0; i < list->count; i++)
		width = fmax(width, columns_of(list->item[i].text, picture));
	return width;
}

static void cut(struct placed_list *list, double width, bool utf8)
{
	char **text = mem_zero(list->count, sizeof(*text));

	for (size_t i = 0; i < list->count; i++)
		text[i] = list->item[i].text;
	labels_fit(text, list->count, width < 1 ? 1 : (size_t)width, utf8);
	for (size_t i = 0; i < list->count; i++)
		list->item[i].text = text[i];
	free(text);
}

/*
 * The series that have marks. A name keeps its colour from one picture to the next, unless
 * two names of a picture want the same.
 */
static void choose_colours(struct layout *l, const struct figure *fig)
{
	bool taken[PALETTE_SLOTS] = { false };

	l->series = mem_zero(fig->series_count, sizeof(*l->series));
	l->slot = mem_zero(fig->series_count, sizeof(*l->slot));
	for (size_t s = 0; s < fig->series_count; s++) {
		bool used = false;

		for (size_t i = 0; i < fig->marks; i++)
			used = used || fig->mark[i].series == s;
		for (size_t i = 0; i < fig->curves; i++)
			used = used || fig->curve[i].series == s;
		if (used)
			l->series[l->series_count++] = s;
	}
	for (size_t k = 0; k < l->series_count; k++) {
		const char *name = fig->series[l->series[k]];
		unsigned slot = palette_slot(text_of(name));

		if (l->series_count > PALETTE_SLOTS)
			slot = (unsigned)k;
		else if (!*name)
			slot = 0;
		else
			while (taken[slot])
				slot = (slot + 1) % PALETTE_SLOTS;
		taken[slot % PALETTE_SLOTS] = true;
		l->slot[k] = slot;
	}
}

/* "12.31 ms" for people. */
static char *quantity(double value, const char *unit, bool utf8)
{
	char text[64], *micro;

	units_print(text, sizeof(text), value, unit);
	micro = strstr(text, "µ");
	if (micro && !utf8) {
		*micro = 'u';
		memmove(micro + 1, micro + 2, strlen(micro + 2) + 1);
	}
	return str_copy(text);
}

/* What stands to the right of a lane. */
static char *note_of(const struct layout *l, const struct figure *fig, const struct mark *m,
    const struct canvas *c)
{
	struct buf b = { 0 };
	char *median = quantity(m->s.median, fig->unit, c->utf8);
	bool bins = fig->kind->bins;

	if (m->note)
		buf_str(&b, m->note);
	else if (m->n && !bins)
		buf_str(&b, median);
	if (m->n && !fig->same_n)
		buf_printf(&b, "%sn = %zu", bins ? "" : ", ", m->n);
	if (m->n && bins) {
		size_t *count = bins_count(&l->bins, m), peak = 0;

		for (size_t k = 0; k < l->bins.count; k++)
			peak = count[k] > peak ? count[k] : peak;
		buf_printf(&b, "%speak %zu", b.len ? ", " : "", peak);
		free(count);
	}
	if (m->failed)
		buf_printf(&b, "%s%zu failed", m->n ? ", " : "", m->failed);
	if (!b.len)
		buf_str(&b, "no value");
	free(median);
	return b.ptr;
}

/* The lanes one below the other, a gap between categories of several; their names. */
static void stack_lanes(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double at = 1, gap = 0;

	for (size_t i = 0, end; i < fig->marks; i = end) {
		for (end = i + 1; end < fig->marks && fig->mark[end].x == fig->mark[i].x;)
			end++;
		if (end - i > 1)
			gap = c->text ? 1 : 0.5;
	}
	for (size_t i = 0, end; i < fig->marks; i = end) {
		at += i ? gap : 0;
		for (end = i; end < fig->marks && fig->mark[end].x == fig->mark[i].x; end++)
			l->at[end] = at++;
		place(&l->lane, str_copy(fig->mark[i].label), 0,
		    c->text ? l->at[i + (end - i - 1) / 2]
		            : (l->at[i] + l->at[end - 1]) / 2);
	}
	l->lane_from = c->text ? 0 : 0.3;
	l->lane_to = c->text ? at : at - 0.3;
}

/* How high a lane is: in pixels, or in rows of a terminal with `rows` of them to use. */
static double lane_pitch(
    const struct layout *l, const struct figure *fig, const struct canvas *c, double rows)
{
	bool bins = fig->kind->bins;

	if (!c->text)
		return bins ? (fig->marks == 1 ? 200 : 84) : l->series_count > 1 ? 24 : 34;
	double fit = floor(rows / l->lane_to);
	if (bins)
		return fit < 3 ? 3 : fit > 9 ? 9 : fit;
	return fit >= 2 && l->lane_to == (double)fig->marks + 1 ? 2 : 1;
}

/* The key's entries in rows below the subtitle; y counts rows. Returns how many rows. */
static double flow_key(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double x = l->column, width = l->width / l->column, y = 0;

	if (fig->kind->grid || (l->series_count < 2 && !*fig->series[l->series[0]]))
		return 0;
	for (size_t k = 0; k < l->series_count; k++)
		place(&l->key, str_copy(fig->series[l->series[k]]), 0, 0);
	cut(&l->key, fmin(60, width - 6), c->utf8);
	for (size_t k = 0; k < l->key.count; k++) {
		double own = columns_of(l->key.item[k].text, !c->text) + 4;

		if (k && x + (own - 2) * l->column > l->width) {
			x = l->column;
			y++;
		}
		l->key.item[k].x = x;
		l->key.item[k].y = y;
		x += own * l->column;
	}
	return y + 1;
}

static void wrap(struct layout *l, const struct figure *fig, bool utf8)
{
	char *line[SUBTITLE_LINES], **part;
	size_t width = (size_t)(l->width / l->column) - 2, n = 0;

	part = mem_zero(1 + fig->what.count + fig->held.count, sizeof(*part));
	if (fig->kind->grid)
		part[n++] = l->value_label;
	for (size_t i = 0; i < fig->what.count; i++)
		part[n++] = fig->what.text[i];
	for (size_t i = 0; i < fig->held.count; i++)
		part[n++] = fig->held.text[i];
	n = label_wrap(part, n, width, utf8, line, SUBTITLE_LINES);
	for (size_t i = 0; i < n; i++)
		*VEC_ADD(l->subtitle.text, l->subtitle.count, l->subtitle.cap) = line[i];
	free(part);
}

/* Title, subtitle, key: the rows above the axes. */
static void head(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double row = 1, key_rows;

	l->title = str_copy(fig->title);
	labels_fit(&l->title, 1, (size_t)(l->width / l->column / (c->text ? 1 : 1.25)) - 2,
	    c->utf8);
	wrap(l, fig, c->utf8);
	row += (double)l->subtitle.count;
	key_rows = flow_key(l, fig, c);
	l->first_line = c->text ? 0 : l->row * 0.9;
	for (size_t k = 0; k < l->key.count; k++)
		l->key.item[k].y = l->first_line + (row + l->key.item[k].y) * l->row;
	l->top = l->first_line + (row + key_rows) * l->row;
	l->value_label_y = l->top;
	if (c->text && !fig->kind->lanes)
		l->top += 1;
}

/*
 * "threads=" where all names of the columns begin so: it stands once below them then. How
 * long it is.
 */
static size_t common_name(const struct layout *l, const struct figure *fig)
{
	const char *first = fig->series[l->series[0]], *equals = strchr(first, '=');
	size_t len = equals ? (size_t)(equals - first) + 1 : 0;

	for (size_t k = 1; k < l->series_count; k++)
		if (strncmp(fig->series[l->series[k]], first, len) != 0)
			return 0;
	for (size_t k = 0; k < l->series_count; k++)
		if (strstr(fig->series[l->series[k]], ", "))
			return 0;
	return len;
}

static void label_axes(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	l->x_label = str_copy(fig->kind->lanes ? "" : fig->x_name);
	if (fig->kind->grid) {
		size_t common = common_name(l, fig);

		free(l->value_label);
		l->value_label =
		    mem_text(fig->series[l->series[0]], common ? common - 1 : 0);
		return;
	}
	l->value_label = l->unit.text[0] ? str_format("%s (%s)", fig->metric, l->unit.text)
	                                 : str_copy(fig->metric);
	if (l->unnamed) {
		free(l->x_label);
		l->x_label = str_format("%s; %zu name%s no room", fig->x_name, l->unnamed,
		    l->unnamed == 1 ? " has" : "s have");
	}
	if (fig->kind->panels) {
		free(l->value_label);
		l->value_label = str_copy("");
		free(l->x_label);
		l->x_label = str_format("time (%s)", l->unit.text);
	}
	if (fig->kind->steps) {
		free(l->x_label);
		l->x_label = l->value_label;
		l->value_label = str_copy("share of the values");
	}
	if (fig->kind->bins) {
		struct axis_unit u =
		    axis_unit_for(l->bins.width * (1 + 1e-9), fig->unit, c->utf8);
		char *old = l->value_label;

		l->value_label = str_format("%s, in bins of %.6g%s%s", old,
		    l->bins.width / u.size, u.text[0] ? " " : "", u.text);
		free(old);
	}
}

static int lanes_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double plot, tail = c->text ? 2 : l->row * 2.6;

	stack_lanes(l, fig, c);
	cut(&l->lane, l->width / l->column * 0.4, c->utf8);
	l->left = fmin(
	    (widest(&l->lane, !c->text) + (c->text ? 1 : 2)) * l->column, l->width * 0.55);
	/* Bins first: the notes tell their peaks. The note's width is bounded, not known.
	 */
	l->right = l->width - 22 * l->column;
	if (layout_value_axis(l, fig, c, l->right - l->left, 7 * l->column, f) < 0)
		return -1;
	for (size_t i = 0; i < fig->marks; i++)
		place(&l->note, note_of(l, fig, &fig->mark[i], c), 0, l->at[i]);
	l->right = l->width - (widest(&l->note, false) + 3) * l->column;
	l->lane_pitch = lane_pitch(l, fig, c, l->height - l->top - tail - 1);
	if (c->text) {
		for (size_t i = 0; i < fig->marks; i++) {
			l->at[i] *= l->lane_pitch;
			l->note.item[i].y *= l->lane_pitch;
		}
		for (size_t i = 0; i < l->lane.count; i++)
			l->lane.item[i].y *= l->lane_pitch;
		l->lane_to *= l->lane_pitch;
	}
	plot = c->text ? l->lane_to : (l->lane_to - l->lane_from) * l->lane_pitch;
	if (c->text)
		l->height = l->top + plot + tail + 1;
	else if (!c->fixed)
		l->height = l->top + plot + tail;
	l->bottom = c->text ? l->top + plot : l->height - tail;
	return 0;
}

/* How bright a cell is: 0 for the least median, 1 for the greatest. */
static void shade_cells(struct layout *l, const struct figure *fig, bool utf8)
{
	double lo = INFINITY, hi = -INFINITY;
	bool logarithmic;

	for (size_t i = 0; i < fig->marks; i++)
		if (fig->mark[i].n) {
			lo = fmin(lo, fig->mark[i].s.median);
			hi = fmax(hi, fig->mark[i].s.median);
		}
	logarithmic = lo > 0 && hi / lo > 20;
	l->unit = axis_unit_for(fmax(fabs(lo), fabs(hi)), fig->unit, utf8);
	l->value_label = str_format("median %s%s%s%s, brighter is more", fig->metric,
	    l->unit.text[0] ? " (" : "", l->unit.text, l->unit.text[0] ? ")" : "");
	l->shade = mem_zero(fig->marks, sizeof(*l->shade));
	for (size_t i = 0; i < fig->marks; i++) {
		double v = fig->mark[i].s.median;

		l->shade[i] = !(hi > lo)    ? 0.5
		              : logarithmic ? log(v / lo) / log(hi / lo)
		                            : (v - lo) / (hi - lo);
	}
}

/* Lanes below each other, the columns side by side, their names below. */
static int grid_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = c->text ? 2 : l->row * 2.6, pitch = c->text ? 1 : 28, width;
	size_t last = 0, common = common_name(l, fig);
	struct placed_list names = { 0 };

	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *m = &fig->mark[i];

		last += i == 0 || m->x != fig->mark[i - 1].x;
		l->at[i] = (double)last;
		if (i == 0 || m->x != fig->mark[i - 1].x)
			place(&l->lane, str_copy(m->label), 0, l->at[i]);
	}
	cut(&l->lane, l->width / l->column * 0.4, c->utf8);
	l->left = fmin(
	    (widest(&l->lane, !c->text) + (c->text ? 1 : 2)) * l->column, l->width * 0.55);
	l->right = l->width - 2 * l->column;
	width = (l->right - l->left) / l->column / (double)l->series_count;
	if (c->text && width < 2)
		return fault_set(f, "%zu columns have no room in %g characters",
		    l->series_count, l->right - l->left);
	for (size_t k = 0; k < l->series_count; k++)
		place(&names, str_copy(fig->series[l->series[k]] + common), 0, 0);
	cut(&names, fmax(width - 1, 8), c->utf8);
	l->cell_columns = width;
	l->value = (struct axis){ .from = 0.5, .to = (double)l->series_count + 0.5 };
	l->value.tic = mem_zero(l->series_count, sizeof(*l->value.tic));
	double end = -1;
	for (size_t k = 0; k < names.count; k++) {
		double half = columns_of(names.item[k].text, !c->text) / 2 + 0.5,
		       middle = ((double)k + 0.5) * width;
		struct tic *t = &l->value.tic[l->value.tics];

		if (middle - half < end)
			continue;
		end = middle + half;
		t->at = (double)k + 1;
		snprintf(t->text, sizeof(t->text), "%s", names.item[k].text);
		l->value.tics++;
	}
	placed_free(&names);
	l->lane_pitch = pitch;
	l->lane_from = 0.5;
	l->lane_to = (double)last + 0.5;
	if (c->text)
		l->height = l->top + (double)last + tail + 2;
	else if (!c->fixed)
		l->height = l->top + (double)last * pitch + tail;
	l->bottom = c->text ? l->top + (double)last + 1 : l->height - tail;
	if (c->text) {
		l->lane_from = 0;
		l->lane_to = (double)last + 1;
	}
	return 0;
}

/* How much of a panel's height its curves have; above them is its name. */
static const double PANEL_SHARE = 0.8;

double panel_place(const struct layout *l, size_t panels, size_t panel, double value)
{
	return (double)(panels - 1 - panel) +
	       PANEL_SHARE * axis_place(&l->panel[panel], value);
}

static void panel_extent(const struct figure *fig, size_t panel, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < fig->curves; i++)
		for (size_t k = 0; fig->curve[i].panel == panel && k < fig->curve[i].count;
		     k++) {
			*lo = fmin(*lo, fig->curve[i].point[k].value);
			*hi = fmax(*hi, fig->curve[i].point[k].value);
		}
}

/* Panels below each other on one axis: each has its part of it, with tics of its own. */
static int panels_layout(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double tail = c->text ? 3 : l->row * 2.6, last = 0, widest_tic = 0, rows;
	size_t cap = 0;

	for (size_t i = 0; i < fig->curves; i++)
		if (fig->curve[i].count)
			last = fmax(last, fig->curve[i].point[fig->curve[i].count - 1].x);
	if (!c->text && !c->fixed)
		l->height =
		    l->top + (fig->panels == 1 ? 320 : 150) * (double)fig->panels + tail;
	l->bottom = l->height - tail;
	rows = (l->bottom - l->top) / (double)fig->panels / l->row;
	l->value = (struct axis){ .to = (double)fig->panels };
	l->panels = fig->panels;
	l->panel = mem_zero(fig->panels, sizeof(*l->panel));
	l->panel_unit = mem_zero(fig->panels, sizeof(*l->panel_unit));
	for (size_t p = 0; p < fig->panels; p++) {
		double lo, hi;

		panel_extent(fig, p, &lo, &hi);
		l->panel_unit[p] =
		    axis_unit_for(fmax(fabs(lo), fabs(hi)), fig->panel[p].unit, c->utf8);
		l->panel[p] = axis_linear(lo / l->panel_unit[p].size,
		    hi / l->panel_unit[p].size, true, (size_t)fmax(2, rows / 2));
		for (size_t i = 0; i < l->panel[p].tics; i++) {
			struct tic *t = VEC_ADD(l->value.tic, l->value.tics, cap);

			*t = l->panel[p].tic[i];
			t->at = panel_place(l, fig->panels, p, t->at);
			widest_tic = fmax(widest_tic, (double)strlen(t->text));
		}
		place(&l->name,
		    str_format("%s%s%s%s", fig->panel[p].shown,
		        l->panel_unit[p].text[0] ? " (" : "", l->panel_unit[p].text,
		        l->panel_unit[p].text[0] ? ")" : ""),
		    0, (double)(fig->panels - p) - (1 - PANEL_SHARE) / 2);
	}
	l->left = (widest_tic + 3) * l->column;
	l->right = l->width - 3 * l->column;
	l->unit = axis_unit_for(last, "ns", c->utf8);
	l->x_size = l->unit.size;
	l->x = axis_linear(0, last / l->x_size, true,
	    (size_t)fmax(2, (l->right - l->left) / l->column / 9));
	return 0;
}

/* The corners of a series' roof in the axes' units. Returns how many. */
size_t layout_roof(
    const struct layout *l, const struct figure_roof *roof, double x[3], double y[3])
{
	double peak = roof->flop_rate / l->unit.size,
	       slope = roof->bandwidth / l->unit.size;
	size_t n = 0;

	if (slope > 0) {
		x[n] = l->x.from;
		y[n++] = slope * l->x.from;
	}
	if (slope > 0 && peak > 0) {
		x[n] = peak / slope;
		y[n++] = peak;
	} else if (peak > 0) {
		x[n] = l->x.from;
		y[n++] = peak;
	}
	if (n) {
		x[n] = l->x.to;
		y[n] = peak > 0 ? peak : slope * l->x.to;
		n++;
	}
	return n;
}

static double at_x(const struct layout *l, double x)
{
	return l->left + axis_place(&l->x, x) * (l->right - l->left);
}

static double at_y(const struct layout *l, double y)
{
	return l->bottom - axis_place(&l->value, y) * (l->bottom - l->top);
}

/* What is named below the points: "peak 479 Gflop/s" and "58.1 GB/s" of each roof. */
static size_t name_roofs(struct layout *l, const struct figure *fig, const struct canvas *c,
    struct names_point *point, char **text)
{
	size_t n = 0;

	for (size_t k = 0; k < l->series_count; k++) {
		const struct figure_roof *roof = &fig->roof[l->series[k]];
		double x[3], y[3];
		size_t corners = layout_roof(l, roof, x, y);

		if (!corners)
			continue;
		if (roof->flop_rate > 0) {
			text[n] = quantity(roof->flop_rate, "flop/s", c->utf8);
			point[n++] = (struct names_point){ .x = l->right - 10 * l->column,
				.y = at_y(l, y[corners - 1]) - l->row * 0.7 };
		}
		if (roof->bandwidth > 0) {
			double middle = exp((log(x[0]) + log(x[1])) / 2);

			text[n] = quantity(roof->bandwidth, "B/s", c->utf8);
			point[n++] =
			    (struct names_point){ .x = at_x(l, middle) - 6 * l->column,
				    .y = at_y(l, roof->bandwidth / l->unit.size * middle) -
				         l->row * 0.7 };
		}
	}
	return n;
}

/* The names of points and roofs, where they cover nothing. */
static void place_names(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	size_t most = fig->marks + 2 * l->series_count, n = 0, lines = 0;
	struct names_point *point = mem_zero(most, sizeof(*point));
	struct names_line *line = mem_zero(2 * l->series_count, sizeof(*line));
	char **text = mem_zero(most, sizeof(*text));

	for (size_t k = 0; k < l->series_count; k++) {
		double x[3], y[3];
		size_t corners = layout_roof(l, &fig->roof[l->series[k]], x, y);

		for (size_t i = 0; i + 1 < corners; i++)
			line[lines++] = (struct names_line){ at_x(l, x[i]), at_y(l, y[i]),
				at_x(l, x[i + 1]), at_y(l, y[i + 1]) };
	}
	n = name_roofs(l, fig, c, point, text);
	for (size_t i = 0; i < fig->marks; i++, n++) {
		point[n] = (struct names_point){ .x = at_x(l, fig->mark[i].x),
			.y = at_y(l, fig->mark[i].s.median / l->unit.size) };
		text[n] = str_copy(fig->mark[i].label);
	}
	labels_fit(text, n, 34, c->utf8);
	for (size_t i = 0; i < n; i++)
		point[i].width = columns_of(text[i], !c->text) * (c->text ? 1 : 0.9);
	names_place(point, n,
	    &(struct names_room){
	        l->left, l->right, l->top, l->bottom, l->column, l->row, line, lines });
	for (size_t i = 0; i < n; i++)
		if (point[i].shown)
			place(&l->name, text[i], point[i].name_x, point[i].name_y);
		else {
			l->unnamed++;
			free(text[i]);
		}
	free(point);
	free(line);
	free(text);
}

/* Both axes are logarithmic, and hold all points and roofs where they bend. */
static int roofs_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = c->text ? 3 : l->row * 2.6, x_lo = INFINITY, x_hi = 0, lo = INFINITY,
	       hi = 0;

	if (!c->text && !c->fixed)
		l->height = l->top + LINE_PLOT_HEIGHT * 1.2 + tail;
	l->bottom = l->height - tail;
	l->right = l->width - 3 * l->column;
	for (size_t i = 0; i < fig->marks; i++) {
		const struct figure_roof *roof = &fig->roof[fig->mark[i].series];
		double ridge = roof->bandwidth > 0 && roof->flop_rate > 0
		                   ? roof->flop_rate / roof->bandwidth
		                   : fig->mark[i].x;

		l->at[i] = fig->mark[i].x;
		x_lo = fmin(x_lo, fmin(fig->mark[i].x, ridge));
		x_hi = fmax(x_hi, fmax(fig->mark[i].x, ridge));
		lo = fmin(lo, fig->mark[i].s.median);
		hi = fmax(hi, fmax(fig->mark[i].s.median, roof->flop_rate));
	}
	if (x_hi > 1e150 || x_lo < 1e-150 || hi > 1e150 || lo < 1e-150)
		return fault_set(f, "values from %g to %g are too far for an axis", lo, hi);
	l->unit = axis_unit_for(hi, fig->unit, c->utf8);
	l->x = axis_log(x_lo / 3, x_hi * 3);
	l->value = axis_log(lo / 2 / l->unit.size, hi * 1.6 / l->unit.size);
	for (size_t i = 0; i < l->value.tics; i++)
		l->left =
		    fmax(l->left, ((double)strlen(l->value.tic[i].text) + 2) * l->column +
		                      (c->text ? 0 : l->row * 1.3));
	place_names(l, fig, c);
	return 0;
}

static int line_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = c->text ? 3 : l->row * 2.6;
	size_t width = 0;

	if (!c->text && !c->fixed)
		l->height = l->top + LINE_PLOT_HEIGHT + tail;
	l->bottom = l->height - tail;
	l->left = 8 * l->column;
	l->right = l->width - 3 * l->column;
	for (size_t i = 0; i < fig->marks; i++)
		l->at[i] = fig->mark[i].x;
	if (fig->kind->steps) {
		struct canvas flat = *c;

		flat.log_y = c->log_x;
		if (layout_value_axis(l, fig, &flat, l->right - l->left, 9 * l->column, f) <
		    0)
			return -1;
		l->x = l->value;
		l->value = axis_linear(0, 1, true, c->text ? 4 : 5);
	} else if (layout_x_axis(l, fig, c, f) < 0 ||
	           layout_value_axis(
	               l, fig, c, l->bottom - l->top, l->row * (c->text ? 4 : 2.2), f) < 0)
		return -1;
	for (size_t i = 0; i < l->value.tics; i++) {
		size_t own = label_width(text_of(l->value.tic[i].text));

		width = own > width ? own : width;
	}
	l->left = ((double)width + 2) * l->column + (c->text ? 0 : l->row * 1.3);
	return 0;
}

int layout_make(struct layout *l, const struct figure *fig, const struct canvas *canvas,
    struct fault *f)
{
	const struct canvas *c = canvas;
	int status;

	*l = (struct layout){ .column = c->text ? 1 : 7.8,
		.row = c->text ? 1 : PIXEL_ROW,
		.width = c->width ? c->width : PIXEL_WIDTH,
		.height = c->height };
	l->at = mem_zero(fig->marks, sizeof(*l->at));
	if (l->width < 40 * l->column)
		return fault_set(f, "a picture %g wide is too narrow: %g at least",
		    l->width, 40 * l->column);
	choose_colours(l, fig);
	if (fig->kind->grid)
		shade_cells(l, fig, c->utf8);
	head(l, fig, c);
	status = fig->kind->grid     ? grid_layout(l, fig, c, f)
	         : fig->kind->panels ? panels_layout(l, fig, c)
	         : fig->kind->roofs  ? roofs_layout(l, fig, c, f)
	         : fig->kind->lanes  ? lanes_layout(l, fig, c, f)
	                             : line_layout(l, fig, c, f);
	if (status < 0)
		return -1;
	if (l->bottom - l->top < (fig->kind->lanes ? 1 : 3) * l->row ||
	    l->right - l->left < 10 * l->column)
		return fault_set(f,
		    "a picture of %g by %g has no room for all of this: make "
		    "it larger or show less",
		    l->width, l->height);
	if (c->text && fmax(l->width, l->height) > LAYOUT_TEXT_MAX)
		return fault_set(f,
		    "a text of %g by %g is too large for gnuplot (%d at most): show less "
		    "or "
		    "draw a picture",
		    l->width, l->height, LAYOUT_TEXT_MAX);
	label_axes(l, fig, c);
	return 0;
}

void layout_free(struct layout *l)
{
	for (size_t i = 0; i < l->subtitle.count; i++)
		free(l->subtitle.text[i]);
	free(l->subtitle.text);
	placed_free(&l->lane);
	placed_free(&l->note);
	placed_free(&l->key);
	placed_free(&l->name);
	for (size_t i = 0; l->panel && i < l->panels; i++)
		axis_free(&l->panel[i]);
	free(l->panel);
	free(l->panel_unit);
	axis_free(&l->value);
	axis_free(&l->x);
	free(l->title);
	free(l->value_label);
	free(l->x_label);
	free(l->at);
	free(l->series);
	free(l->slot);
	free(l->shade);
}
