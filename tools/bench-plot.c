/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-plot: draws plots of samples with gnuplot.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "flame/flame_stream.h"
#include "io/message.h"
#include "io/opt.h"
#include "load/slo.h"
#include "plot/figure_kinds.h"
#include "plot/follow.h"
#include "plot/forms.h"
#include "plot/look_options.h"
#include "plot/plot.h"
#include "record/metric.h"
#include "record/stream_names.h"
#include "record/stream_options.h"
#include "stats/inference.h"
#include "sys/interrupt.h"
#include "sys/temp_file.h"
#include "text/near_name.h"

static struct {
	const char *x, *group, *title, *template, *slo;
	struct look_options look;
	struct inference_opts inference;
	struct stream_options rows;
	struct opt_list mark, color;
	uint64_t tests;
	bool diff, follow, functions, data, growth;
} o = { .inference = INFERENCE_DEFAULTS, .look.theme = "light" };

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

static const struct opt_program program = {
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
		    &program, "no kind of plot given: use one of %s", names.ptr);
	if (access(name, F_OK) == 0)
		opt_usage_error(&program,
		    "'%s' is a file: name the kind of plot first, such as bench-plot "
		    "box %s",
		    name, name);
	unknown_name(&f, "unknown kind", text_of(name), &known);
	opt_usage_error(&program, "%s", f.text);
}

static void make_flame(const struct plot_opts *plot, struct buf *out)
{
	struct flame_opts flame = { .file = plot->file,
		.files = plot->files,
		.look = plot->look,
		.rows = &o.rows,
		.by = o.group,
		.title = o.title,
		.template = o.template,
		.diff = o.diff,
		.functions = o.functions,
		.format =
		    o.look.output || !isatty(STDOUT_FILENO) ? RENDER_CSV : RENDER_TABLE,
		.is_script = o.look.script,
		.confidence = o.inference.confidence,
		.width = plot->canvas->width,
		.metrics = plot->figure->metrics };
	struct flame_drawn drawn;
	struct fault f;

	if (flame_draw(&drawn, &flame, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (drawn.functions_left_out && !opt_common.quiet)
		message_warn("%zu functions with less than 0.1%% are omitted",
		    drawn.functions_left_out);
	if (drawn.stacks_left_out && o.functions) /* a plot counts them itself */
		message_warn("%zu stack%s of failed runs left out", drawn.stacks_left_out,
		    drawn.stacks_left_out == 1 ? "" : "s");
	buf_put(out, drawn.text.ptr, drawn.text.len);
	if (plot->look->format->page && !o.look.script && !o.functions)
		plot_page(out, drawn.title, plot->look);
	flame_drawn_free(&drawn);
}

static void check_follow(const struct figure_kind *kind, int files)
{
	if (!kind->source)
		opt_usage_error(&program, "--follow does not work for %s", kind->name);
	if (o.look.output || o.look.script ||
	    (o.look.format && strcmp(o.look.format, "txt") != 0))
		opt_usage_error(&program,
		    "--follow draws on the terminal: omit -o, --script and --format");
	if (files > 1)
		opt_usage_error(
		    &program, "--follow reads only one file, or standard input");
	if (!isatty(STDOUT_FILENO))
		opt_usage_error(&program, "--follow draws on a terminal, but standard "
		                          "output is not a terminal");
}

/* Draws until the input ends or a signal arrives, which then ends the program. */
static void follow(const struct plot_opts *plot)
{
	struct fault f;

	if (follow_draw(plot, STDOUT_FILENO, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (interrupt_seen())
		interrupt_end();
}

/* Appends the plot or script to out. */
static void make_plot(const struct plot_opts *plot, struct buf *out)
{
	struct buf script = { 0 };
	struct figure *fig;
	struct fault f;
	int status;

	if (!plot->kind->form) {
		make_flame(plot, out);
		return;
	}
	fig = plot_read(plot, &f);
	if (!fig)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	status =
	    plot_script(plot, fig, plot->template_path, o.look.script ? out : &script, &f);
	if (status == 0 && !o.look.script)
		status = plot_draw(
		    fig, plot->look, (struct text){ script.ptr, script.len }, out, &f);
	if (status == 0 && o.data)
		status = plot_data(plot, fig, out, &f);
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&script);
	figure_free(fig);
}

static void write_plot(struct text plot)
{
	struct fault f;

	if (!o.look.output || strcmp(o.look.output, "-") == 0) {
		if (fwrite(plot.ptr, 1, plot.len, stdout) != plot.len)
			exit(stdout_failed());
	} else if (temp_file_write(o.look.output, TEMP_FILE_OUTPUT, plot, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
}

/* Reports axes of --log that are not axes of numbers. */
static void note_log(const struct figure_kind *kind)
{
	const char *axes = figure_kind_log_axes(kind);

	if (!*axes)
		message_warn("--log has no effect on %s", kind->name);
	for (const char *axis = o.look.log; *axes && *axis; axis++)
		if (!strchr(axes, *axis))
			message_warn(
			    "--log %c has no effect on %s: its numbers are on axis %s",
			    *axis, kind->name, axes);
}

/* Parses --slo. Returns the limits, or NULL if there are none. */
static const struct slo *slo_of(const struct figure_kind *kind)
{
	static struct slo slo;
	struct fault f;

	if (!o.slo)
		return NULL;
	if (kind->form != &form_load && kind->form != &form_tokens)
		opt_usage_error(&program, "--slo works only for load, capacity and tokens");
	if (slo_parse(o.slo, &slo, &f) < 0)
		opt_usage_error(&program, "--slo: %s", f.text);
	return &slo;
}

static void check_options(const struct figure_kind *kind, int files)
{
	if (o.functions && (kind->form || o.look.script || o.look.format))
		opt_usage_error(&program, "--functions works only for flame, and cannot be "
		                          "combined with --script or --format");
	if (o.diff && kind->form)
		opt_usage_error(&program, "--diff works only for flame");
	if (o.diff && o.group)
		opt_usage_error(
		    &program, "--diff and -g both select the sides: use one of them");
	if (o.group && kind->own_series)
		opt_usage_error(&program,
		    "-g does not work for %s, which draws each subject separately: omit -g",
		    kind->name);
	if (!kind->form && (o.x || o.look.log))
		opt_usage_error(&program, "flame has no axes: omit -x and --log");
	if ((o.mark.count || o.tests) && kind->form != &form_trend)
		opt_usage_error(&program, "%s works only for trend",
		    o.mark.count ? "--mark" : "--tests");
	if (o.growth && (kind->form != &form_line || !kind->interval || kind->ratios))
		opt_usage_error(&program, "--growth works only for lines");
	if (o.follow)
		check_follow(kind, files);
}

/* Draws one kind of plot of the files. */
static void draw_kind(const struct figure_kind *kind, char *const *file, size_t files)
{
	struct gnuplot_look look = { 0 };
	struct canvas canvas = { 0 };
	struct buf out = { 0 };
	struct fault f;

	look_options_apply(&o.look, &program, stdout, &look, &canvas);
	if ((canvas.log_x == LOG_YES || canvas.log_y == LOG_YES) && !opt_common.quiet)
		note_log(kind);
	if (o.data && (o.look.script || strcmp(look.format->name, "svg") != 0))
		opt_usage_error(&program, "--data works only for svg, without --script");
	stream_options_open(&o.rows, &program);
	struct metrics *metrics = metrics_open(&f);
	if (!metrics)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	const struct figure_opts figure = { .x = o.x,
		.group = o.group,
		.filter = o.rows.filter,
		.conditions = o.rows.conditions,
		.title = o.title,
		.metrics = metrics,
		.log_x = canvas.log_x,
		.mark = o.mark.item,
		.marks = o.mark.count,
		.color = o.color.item,
		.colors = o.color.count,
		.slo = slo_of(kind),
		.tests = (size_t)o.tests,
		.growth = o.growth,
		.inference = o.inference,
		.utf8 = look.utf8 };
	const struct plot_opts plot = { .kind = kind,
		.figure = &figure,
		.canvas = &canvas,
		.look = &look,
		.melt = o.rows.melt.item,
		.melts = o.rows.melt.count,
		.file = file,
		.files = files,
		.template_path = o.template };
	if (o.follow) {
		follow(&plot);
	} else {
		make_plot(&plot, &out);
		write_plot((struct text){ out.ptr, out.len });
	}
	metrics_free(metrics);
	stream_options_close(&o.rows);
	buf_free(&out);
}

int main(int argc, char **argv)
{
	standard_files_open();

	struct figure_kind kind;
	int first;

	name_words();
	first = opt_parse(&program, argc, argv);
	choose_kind(argv[first], &kind);
	check_options(&kind, argc - first - 1);
	draw_kind(&kind, argv + first + 1, (size_t)(argc - first - 1));
	free(o.mark.item);
	free(o.color.item);
	return stdout_close(STATUS_FINE);
}
