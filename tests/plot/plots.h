/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers of the C tests that make the scripts of plots from rows in memory, and extract
 * their parts.
 */
#ifndef TESTS_PLOT_PLOTS_H
#define TESTS_PLOT_PLOTS_H

#include <math.h>
#include <stdlib.h>

#include "plot/figure_kinds.h"
#include "plot/plot.h"
#include "record/metric_filter.h"
#include "tests/lib/tap.h"

static struct metrics *metrics;

/* The options of a plot, except its kind and rows. */
struct request {
	const char *x, *group, *metric, *title;
	const char *mark[2], *color[2];
	const char *format; /* NULL: svg */
	enum log_choice log_x, log_y;
};

/* Returns the script without style and template, allocated, or the message of a failure. */
static inline char *draw(const char *kind_name, const struct buf *csv, struct request r)
{
	struct gnuplot_look look = { .utf8 = true,
		.format = gnuplot_format_find(r.format ? r.format : "svg") };
	struct canvas canvas = { .text = look.format->text,
		.width = look.format->text ? 80 : 0,
		.height = look.format->text ? 23 : 0,
		.utf8 = true,
		.log_x = r.log_x,
		.log_y = r.log_y };
	struct fault f = { 0 };
	struct metric_filter *filter =
	    r.metric ? metric_filter_open(&r.metric, 1, &f) : NULL;
	struct figure_opts opts = { .x = r.x,
		.group = r.group,
		.filter = filter,
		.title = r.title,
		.metrics = metrics,
		.inference = INFERENCE_DEFAULTS,
		.mark = r.mark,
		.marks = (size_t)(r.mark[0] != NULL) + (r.mark[1] != NULL),
		.color = r.color,
		.colors = (size_t)(r.color[0] != NULL) + (r.color[1] != NULL),
		.log_x = r.log_x,
		.utf8 = true };
	struct figure_kind kind;
	struct plot_opts plot = { .kind = &kind, .figure = &opts };
	struct layout layout = { 0 };
	struct buf script = { 0 };
	struct figure *fig = NULL;
	bool broken;

	if (figure_kind_choose(kind_name, &kind))
		fig = plot_read_text(
		    &plot, "rows", text_in(csv), &broken, &f);
	if (fig && layout_make(&layout, fig, &canvas, &f) == 0)
		gnuplot_script_write(&script, fig, &layout, &look, TEXT(""), TEXT(""));
	if (fig)
		layout_free(&layout);
	figure_free(fig);
	metric_filter_close(filter);
	return script.ptr ? script.ptr : str_copy(f.text);
}

/* Returns the lines of a data block, without comments and blank lines; allocated. */
static inline char *block(const char *script, const char *name)
{
	char *begin = str_format("\n$%s << EOD\n", name);
	const char *at = strstr(script, begin), *end = at ? strstr(at, "\nEOD\n") : NULL;
	struct buf b = { 0 };

	at = at ? at + strlen(begin) : NULL;
	for (size_t len; at && at <= end; at += len + 1) {
		len = strcspn(at, "\n");
		if (len && *at != '#')
			buf_printf(&b, "%s%.*s", b.len ? "\n" : "", (int)len, at);
	}
	free(begin);
	return b.ptr ? b.ptr : str_copy("");
}

static inline size_t count_lines(const char *text)
{
	size_t n = *text != '\0';

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Returns one column of the lines of a block, counted from 1, as "1 2 3"; allocated. */
static inline char *column(const char *script, const char *name, int number, double factor)
{
	char *lines = block(script, name), *rest = lines;
	struct buf b = { 0 };

	for (char *line; (line = strsep(&rest, "\n"));) {
		char *field = NULL;

		for (int i = 0; i < number; i++)
			field = strsep(&line, " ");
		if (field && *field)
			buf_printf(
			    &b, "%s%.4g", b.len ? " " : "", strtod(field, NULL) * factor);
	}
	free(lines);
	return b.ptr ? b.ptr : str_copy("");
}

/* Returns whether a text is a line of the script's block of texts. */
static inline bool says(const char *script, const char *text)
{
	char *line = str_format("\n>%s\n", text);
	bool is = strstr(script, line);

	free(line);
	return is;
}

/* Returns how many lines of the script begin with start. */
static inline size_t begin_with(const char *script, const char *start)
{
	size_t n = 0;

	for (const char *at = script; (at = strstr(at, start)); at++)
		n += at == script || at[-1] == '\n';
	return n;
}

/* Returns the value of a variable of the script, or NAN. */
static inline double value_of(const char *script, const char *name)
{
	char *begin = str_format("\n%s = ", name);
	const char *at = strstr(script, begin);
	double value = at ? strtod(at + strlen(begin), NULL) : (double)NAN;

	free(begin);
	return value;
}

static inline void block_is(
    const char *script, const char *name, const char *want, const char *what)
{
	char *got = block(script, name);

	tap_text(got, want, what);
	free(got);
}

static inline void column_is(const char *script, const char *name, int number,
    double factor, const char *want, const char *what)
{
	char *got = column(script, name, number, factor);

	tap_text(got, want, what);
	free(got);
}

static inline void refuses(char *message, const char *why, const char *what)
{
	if (!tap_ok(strstr(message, why), "%s", what))
		printf("# got: %s\n", message);
	free(message);
}

static inline bool plots_begin(void)
{
	struct fault f;

	metrics = metrics_open(&f);
	if (!metrics)
		printf("Bail out! %s\n", f.text);
	return metrics;
}

static inline void plots_end(void)
{
	metrics_free(metrics);
}

#endif
