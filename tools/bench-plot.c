/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-plot: draws pictures of samples with gnuplot.
 */
#include <langinfo.h>
#include <locale.h>
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
#include "plot/plot.h"
#include "record/metric.h"
#include "record/stream_names.h"
#include "record/stream_options.h"
#include "stats/inference.h"
#include "sys/interrupt.h"
#include "sys/temp_file.h"
#include "text/near_name.h"
#include "text/units.h"

enum { SIZE_LIMIT = 16384 };

static struct {
	const char *x, *group, *output, *format, *title, *size, *theme, *log, *template,
	    *scale, *font, *slo;
	struct inference_opts inference;
	struct stream_options rows;
	struct opt_list mark, color;
	uint64_t tests;
	bool script, diff, follow, functions, data, growth;
} o = { .inference = INFERENCE_DEFAULTS, .theme = "light" };

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
	    "flame: write a table of functions instead of a picture"),
	OPT(0, "mark", &o.mark, "NAME=COMMIT",
	    "trend: draw a line with this name at a commit or time (repeatable)"),
	OPT(0, "tests", &o.tests, "N",
	    "trend: correct the p of changes for N series (the number drawn)"),
	OPT_HEADING("Output"),
	OPT('o', "output", &o.output, "FILE",
	    "write to a .svg, .png, .pdf, .html or .txt file (default: draw on the "
	    "terminal)"),
	OPT('F', "format", &o.format, "FORMAT",
	    "svg, png, pdf, html or txt (the suffix of FILE)"),
	OPT(0, "follow", &o.follow, NULL, "redraw on the terminal while rows arrive"),
	OPT(0, "script", &o.script, NULL,
	    "write the gnuplot script instead of the picture"),
	OPT(0, "data", &o.data, NULL, "embed the numbers and their places in an SVG"),
	OPT_HEADING("Appearance"),
	OPT(0, "title", &o.title, "TEXT", "title (made from the metric and columns)"),
	OPT(0, "size", &o.size, "W[xH]",
	    "size in pixels, or in characters for text (800 pixels wide)"),
	OPT(0, "font-size", &o.font, "PX", "size of the text in pixels (13)"),
	OPT(0, "scale", &o.scale, "N", "pixels of a PNG per pixel of --size (1)"),
	OPT(0, "color", &o.color, "NAME",
	    "series that gets the next color (repeatable; in order of appearance)"),
	OPT(0, "theme", &o.theme, "THEME",
	    "light, dark, or auto: that of the reader (light)"),
	OPT(0, "log", &o.log, "AXES",
	    "logarithmic axes: x, y, xy or none (depends on the values)"),
	OPT(0, "template", &o.template, "FILE", "draw with FILE (plots/KIND.gp)"),
	OPT_END,
};

enum { WORDS_MAX = 32 };
static struct opt_word words[WORDS_MAX + 1]; /* kinds, for help and completion */

static const char *const synopsis[] = { "KIND [options] [file...]", NULL };
static const char *const themes[] = { "light", "dark", "auto" };
static const char *const log_axes[] = { "x", "y", "xy", "none" };

static void plot_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	stream_options_values(k, option, file, files);
	if (strcmp(option, "x") == 0 || strcmp(option, "group") == 0)
		stream_names_columns(k, file, files);
	else if (strcmp(option, "theme") == 0)
		known_names_add_all(k, themes, sizeof(*themes), COUNT(themes));
	else if (strcmp(option, "log") == 0)
		known_names_add_all(k, log_axes, sizeof(*log_axes), COUNT(log_axes));
	else if (strcmp(option, "format") == 0)
		known_names_add_all(
		    k, gnuplot_formats, sizeof(*gnuplot_formats), gnuplot_formats_count);
}

static const struct opt_program program = {
	.values = plot_values,
	.name = "bench-plot",
	.synopsis = synopsis,
	.summary = "Draw pictures of samples.",
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

/* Pictures as other programs call them. */
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
		    &program, "no kind of picture given: use one of %s", names.ptr);
	if (access(name, F_OK) == 0)
		opt_usage_error(&program,
		    "'%s' is a file: name the kind of picture first, such as bench-plot "
		    "box %s",
		    name, name);
	unknown_name(&f, "unknown kind", text_of(name), &known);
	opt_usage_error(&program, "%s", f.text);
}

/* Returns the format of --format or of the suffix of -o; the default is text, or SVG for a
 * script. */
static const struct gnuplot_format *format_of(void)
{
	const char *dot = o.output ? strrchr(o.output, '.') : NULL;
	const char *suffix = dot && !strchr(dot, '/') ? dot + 1 : "";
	const struct gnuplot_format *format;
	bool to_stdout = !o.output || strcmp(o.output, "-") == 0;

	if (o.script && gnuplot_format_find(suffix) && strcmp(suffix, "txt") != 0)
		opt_usage_error(&program,
		    "--script writes a script, not a picture such as '%s': use -o %.*s.gp, "
		    "and --format to choose what the script draws",
		    o.output, (int)(dot - o.output), o.output);
	if (o.script)
		suffix = "svg";
	else if (to_stdout)
		suffix = "txt";
	format = o.format ? opt_choice(&program, "--format", o.format, gnuplot_formats,
	                        sizeof(*gnuplot_formats), gnuplot_formats_count)
	                  : gnuplot_format_find(suffix);
	if (!format)
		opt_usage_error(&program,
		    "'%s' does not end in .svg, .png, .pdf, .html or .txt: use --format",
		    o.output);
	return format;
}

static enum log_choice log_of(char axis)
{
	const char *const *axes;

	if (!o.log)
		return LOG_AUTO;
	axes = opt_choice(
	    &program, "--log", o.log, log_axes, sizeof(*log_axes), COUNT(log_axes));
	return strcmp(*axes, "none") != 0 && strchr(*axes, axis) ? LOG_YES : LOG_NO;
}

/* Parses --size, such as "800x500", or "800" for a height as the picture needs. */
static void size_of(struct canvas *c)
{
	const char *times = strchr(o.size, 'x');
	char *width = times ? mem_text(o.size, (size_t)(times - o.size)) : str_copy(o.size);
	uint64_t w, h = 0;
	struct fault f;

	if (units_count(width, &w, &f) < 0 ||
	    (times && (units_count(times + 1, &h, &f) < 0 || !h)) || !w || w > SIZE_LIMIT ||
	    h > SIZE_LIMIT)
		opt_usage_error(&program,
		    "--size must be WIDTHxHEIGHT, such as 800x500, or a width, not '%s'",
		    o.size);
	c->width = (unsigned)w;
	c->height = times ? (unsigned)h : c->height;
	c->fixed = times;
	free(width);
}

/* Parses a number of --font-size or --scale. */
static double number_of(const char *name, const char *text, double least, double most)
{
	struct fault f;
	double x;

	if (units_number(text, &x, &f) < 0 || !(x >= least && x <= most))
		opt_usage_error(&program, "--%s must be a number from %g to %g, not '%s'",
		    name, least, most, text);
	return x;
}

/* Chooses the theme; --theme auto is for pictures that a browser shows. */
static void theme_of(struct gnuplot_look *look)
{
	bool is_svg = look->format->page || strcmp(look->format->name, "svg") == 0;
	const char *const *theme = opt_choice(
	    &program, "--theme", o.theme, themes, sizeof(*themes), COUNT(themes));

	look->dark = theme == &themes[1];
	look->adaptive = theme == &themes[2];
	if (look->adaptive && (!is_svg || o.script))
		opt_usage_error(&program, "--theme auto works only for svg and html");
}

static unsigned colours_here(void)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");

	if (o.output || o.script || !render_colour(stdout))
		return 0;
	return (more && *more) || (term && strstr(term, "256color")) ? 256 : 8;
}

static void choose_look(struct gnuplot_look *look, struct canvas *c)
{
	look->format = format_of();
	theme_of(look);
	if (o.font)
		c->font = number_of("font-size", o.font, 6, 72);
	if (o.scale)
		look->scale = number_of("scale", o.scale, 0.25, 8);
	if (o.scale && strcmp(look->format->name, "png") != 0)
		opt_usage_error(&program, "--scale works only for png");
	c->text = look->format->text;
	look->utf8 = true;
	if (c->text) {
		setlocale(LC_CTYPE, "");
		look->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
		look->colours = colours_here();
		plot_fit(c, STDOUT_FILENO);
	}
	c->utf8 = look->utf8;
	c->log_x = log_of('x');
	c->log_y = log_of('y');
	if (o.size)
		size_of(c);
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
		.format = o.output || !isatty(STDOUT_FILENO) ? RENDER_CSV : RENDER_TABLE,
		.is_script = o.script,
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
	if (drawn.stacks_left_out && o.functions) /* a picture counts them itself */
		message_warn("%zu stack%s of failed runs left out", drawn.stacks_left_out,
		    drawn.stacks_left_out == 1 ? "" : "s");
	buf_put(out, drawn.text.ptr, drawn.text.len);
	if (plot->look->format->page && !o.script && !o.functions)
		plot_page(out, drawn.title, plot->look);
	flame_drawn_free(&drawn);
}

static void check_follow(const struct figure_kind *kind, int files)
{
	if (!kind->source)
		opt_usage_error(&program, "--follow does not work for %s", kind->name);
	if (o.output || o.script || (o.format && strcmp(o.format, "txt") != 0))
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

/* Appends the picture or script to out. */
static void make(const struct plot_opts *plot, struct buf *out)
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
	status = plot_script(plot, fig, plot->template_path, o.script ? out : &script, &f);
	if (status == 0 && !o.script)
		status = plot_draw(
		    fig, plot->look, (struct text){ script.ptr, script.len }, out, &f);
	if (status == 0 && o.data)
		status = plot_data(plot, fig, out, &f);
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&script);
	figure_free(fig);
}

static void write_picture(struct text picture)
{
	struct fault f;

	if (!o.output || strcmp(o.output, "-") == 0) {
		if (fwrite(picture.ptr, 1, picture.len, stdout) != picture.len)
			exit(stdout_failed());
	} else if (temp_file_write(o.output, TEMP_FILE_OUTPUT, picture, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
}

/* Reports axes of --log that are not axes of numbers. */
static void note_log(const struct figure_kind *kind)
{
	const char *axes = figure_kind_log_axes(kind);

	if (!*axes)
		message_warn("--log has no effect on %s", kind->name);
	for (const char *axis = o.log; *axes && *axis; axis++)
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
	if (o.functions && (kind->form || o.script || o.format))
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
	if (!kind->form && (o.x || o.log))
		opt_usage_error(&program, "flame has no axes: omit -x and --log");
	if ((o.mark.count || o.tests) && kind->form != &form_trend)
		opt_usage_error(&program, "%s works only for trend",
		    o.mark.count ? "--mark" : "--tests");
	if (o.growth && (kind->form != &form_line || !kind->interval || kind->ratios))
		opt_usage_error(&program, "--growth works only for lines");
	if (o.follow)
		check_follow(kind, files);
	if ((log_of('x') == LOG_YES || log_of('y') == LOG_YES) && !opt_common.quiet)
		note_log(kind);
}

int main(int argc, char **argv)
{
	standard_files_open();

	struct gnuplot_look look = { 0 };
	struct canvas canvas = { 0 };
	struct figure_kind kind;
	struct metrics *metrics;
	struct buf out = { 0 };
	struct fault f;
	int first;

	name_words();
	first = opt_parse(&program, argc, argv);
	choose_kind(argv[first], &kind);
	check_options(&kind, argc - first - 1);
	choose_look(&look, &canvas);
	if (o.data && (o.script || strcmp(look.format->name, "svg") != 0))
		opt_usage_error(&program, "--data works only for svg, without --script");
	stream_options_open(&o.rows, &program);
	metrics = metrics_open(&f);
	if (!metrics)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	struct figure_opts figure = { .x = o.x,
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
		.slo = slo_of(&kind),
		.tests = (size_t)o.tests,
		.growth = o.growth,
		.inference = o.inference,
		.utf8 = look.utf8 };
	struct plot_opts plot = { .kind = &kind,
		.figure = &figure,
		.canvas = &canvas,
		.look = &look,
		.melt = o.rows.melt.item,
		.melts = o.rows.melt.count,
		.file = argv + first + 1,
		.files = (size_t)(argc - first - 1),
		.template_path = o.template };
	if (o.follow) {
		follow(&plot);
	} else {
		make(&plot, &out);
		write_picture((struct text){ out.ptr, out.len });
	}
	metrics_free(metrics);
	stream_options_close(&o.rows);
	buf_free(&out);
	free(o.mark.item);
	free(o.color.item);
	return stdout_close(STATUS_FINE);
}
