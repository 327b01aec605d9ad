/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-plot; see bench_plot.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_plot.h"
#include "plot/figure_kinds.h"
#include "plot/forms.h"
#include "record/stream_names.h"
#include "text/near_name.h"

static struct bench_plot_opts o = { .inference = INFERENCE_DEFAULTS,
	.look.theme = "light" };

static const struct opt opts[] = {
	OPT_HEADING("Data"),
	STREAM_FILTER(o.rows),
	OPT('y', "metric", &o.rows.metrics, "GLOB",
	    "draw only metrics whose names match (wall, or the only metric)"),
	OPT('x', "x", &o.x, "COLUMNS", "column of the x axis, or columns that name lanes"),
	OPT('g', "group", &o.group, "COLUMNS",
	    "columns that distinguish series (all that vary, except those of -x)"),
	OPT('C', "confidence", &o.inference.confidence, "PCT",
	    "confidence of the median's interval (95%)"),
	STREAM_MELT(o.rows),
	OPT(0, "growth", &o.growth, NULL,
	    "line: draw how the medians grow along x, as bench-stat --growth"),
	OPT(0, "slo", &o.slo, "LIMIT[,LIMIT...]",
	    "load, capacity, tokens: draw limits such as latency=50ms"),
	OPT(0, "diff", &o.diff, NULL, "flame: compare two files, old and new"),
	OPT(0, "functions", &o.functions, NULL,
	    "flame: write a table of functions instead of a plot"),
	OPT(0, "order", &o.order, "FILE",
	    "trend: order of the commits, oldest first (by time)"),
	OPT(0, "mark", &o.mark, "NAME=COMMIT",
	    "trend: draw a line with this name at a commit or time (repeatable)"),
	OPT(0, "tests", &o.tests, "N",
	    "trend: correct the p of changes for N series (the number drawn)"),
	OPT_HEADING("Output"),
	OPT('o', "output", &o.look.output, "FILE",
	    "write to a .svg, .png, .pdf, .html or .txt file (default: draw on the "
	    "terminal)"),
	OPT('F', "format", &o.look.format, "FORMAT",
	    "svg, png, pdf, html or txt (the suffix of FILE)"),
	OPT(0, "follow", &o.follow, NULL, "redraw on the terminal while rows arrive"),
	OPT(0, "script", &o.look.script, NULL,
	    "write the gnuplot script instead of the plot"),
	OPT(0, "data", &o.data, NULL, "embed the numbers and their places in an SVG"),
	OPT_HEADING("Appearance"),
	OPT(0, "title", &o.title, "TEXT", "title (made from the metric and columns)"),
	OPT(0, "size", &o.look.size, "W[xH]",
	    "size in pixels, or in characters for text (800 pixels wide)"),
	OPT(0, "font-size", &o.look.font, "PX", "size of the text in pixels (13)"),
	OPT(0, "scale", &o.look.scale, "N", "pixels of a PNG per pixel of --size (1)"),
	OPT(0, "color", &o.color, "NAME",
	    "series that gets the next color (repeatable; in order of appearance)"),
	OPT(0, "theme", &o.look.theme, "THEME",
	    "light, dark, or auto: that of the reader (light)"),
	OPT(0, "log", &o.look.log, "AXES",
	    "logarithmic axes: x, y, xy or none (depends on the values)"),
	OPT(0, "template", &o.template, "FILE", "draw with FILE (plots/KIND.gp)"),
	OPT_END,
};

enum { WORDS_MAX = 32 };
static struct opt_word words[WORDS_MAX + 1]; /* kinds, for help and completion */

static const char *const synopsis[] = { "KIND [options] [file...]", NULL };

static void plot_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	stream_options_values(k, option, file, files);
	if (strcmp(option, "x") == 0 || strcmp(option, "group") == 0)
		stream_names_columns(k, file, files);
	look_options_values(k, option);
}

const struct opt_program bench_plot = {
	.values = plot_values,
	.name = "bench-plot",
	.synopsis = synopsis,
	.summary = "Draw plots of samples.",
	.opts = opts,
	.words = words,
	.words_title = "Kinds and presets",
};

static void name_words(void)
{
	size_t n = 0;

	for (size_t i = 0; i < figure_kinds_count && n < WORDS_MAX; i++)
		words[n++] =
		    (struct opt_word){ figure_kinds[i].name, figure_kinds[i].meaning };
	for (size_t i = 0; i < figure_presets_count && n < WORDS_MAX; i++)
		words[n++] =
		    (struct opt_word){ figure_presets[i].name, figure_presets[i].meaning };
}

/* Plots as other programs call them. */
static const struct name_alias foreign[] = { { "scatter", "strip or line" },
	{ "points", "strip" }, { "violin", "box, strip or hist" }, { "density", "hist" },
	{ "distribution", "hist or ecdf" }, { "percentiles", "quantiles" },
	{ "tail", "quantiles" }, { "forest", "compare" }, { "history", "trend" },
	{ "scaling", "speedup" }, { "icicle", "flame" } };

static void choose_kind(const char *name, struct figure_kind *kind)
{
	struct known_names known = { .alias = foreign, .aliases = COUNT(foreign) };
	struct buf names = { 0 };
	struct fault f;

	if (name && figure_kind_choose(name, kind))
		return;
	for (size_t i = 0; words[i].name; i++) {
		buf_printf(&names, "%s%s", i ? ", " : "", words[i].name);
		known_names_add(&known, text_of(words[i].name));
	}
	if (!name)
		opt_usage_error(
		    &bench_plot, "no kind of plot given: use one of %s", names.ptr);
	if (access(name, F_OK) == 0)
		opt_usage_error(&bench_plot,
		    "'%s' is a file: name the kind of plot first, such as bench-plot "
		    "box %s",
		    name, name);
	unknown_name(&f, "unknown kind", text_of(name), &known);
	opt_usage_error(&bench_plot, "%s", f.text);
}

static void check_follow(const struct figure_kind *kind, int files)
{
	if (!kind->source)
		opt_usage_error(&bench_plot, "--follow does not work for %s", kind->name);
	if (o.look.output || o.look.script ||
	    (o.look.format && strcmp(o.look.format, "txt") != 0))
		opt_usage_error(&bench_plot,
		    "--follow draws on the terminal: omit -o, --script and --format");
	if (files > 1)
		opt_usage_error(
		    &bench_plot, "--follow reads only one file, or standard input");
	if (!isatty(STDOUT_FILENO))
		opt_usage_error(&bench_plot, "--follow draws on a terminal, but standard "
		                             "output is not a terminal");
}

/* Parses --slo. Returns the limits, or NULL if there are none. */
static const struct slo *slo_of(const struct figure_kind *kind)
{
	static struct slo slo;
	struct fault f;

	if (!o.slo)
		return NULL;
	if (kind->form != &form_load && kind->form != &form_tokens)
		opt_usage_error(
		    &bench_plot, "--slo works only for load, capacity and tokens");
	if (slo_parse(o.slo, &slo, &f) < 0)
		opt_usage_error(&bench_plot, "--slo: %s", f.text);
	return &slo;
}

static void check_options(const struct figure_kind *kind, int files)
{
	if (o.functions && (kind->form || o.look.script || o.look.format))
		opt_usage_error(&bench_plot,
		    "--functions works only for flame, and cannot be "
		    "combined with --script or --format");
	if (o.diff && kind->form)
		opt_usage_error(&bench_plot, "--diff works only for flame");
	if (o.diff && o.group)
		opt_usage_error(
		    &bench_plot, "--diff and -g both select the sides: use one of them");
	if (o.group && kind->own_series)
		opt_usage_error(&bench_plot,
		    "-g does not work for %s, which draws each subject separately: omit -g",
		    kind->name);
	if (!kind->form && (o.x || o.look.log))
		opt_usage_error(&bench_plot, "flame has no axes: omit -x and --log");
	if ((o.order || o.mark.count || o.tests) && kind->form != &form_trend)
		opt_usage_error(&bench_plot, "%s works only for trend",
		    o.order        ? "--order"
		    : o.mark.count ? "--mark"
		                   : "--tests");
	if (o.growth && (kind->form != &form_line || !kind->interval || kind->ratios))
		opt_usage_error(&bench_plot, "--growth works only for lines");
	if (o.follow)
		check_follow(kind, files);
}

const struct bench_plot_opts *bench_plot_opts_read(
    int argc, char **argv, struct bench_plot_plan *plan)
{
	int first;

	name_words();
	first = opt_parse(&bench_plot, argc, argv);
	choose_kind(argv[first], &plan->kind);
	plan->file = argv + first + 1;
	plan->files = (size_t)(argc - first - 1);
	check_options(&plan->kind, argc - first - 1);
	plan->slo = slo_of(&plan->kind);
	stream_options_open(&o.rows, &bench_plot);
	return &o;
}

void bench_plot_opts_free(void)
{
	stream_options_close(&o.rows);
	free(o.mark.item);
	free(o.color.item);
}
