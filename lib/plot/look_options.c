/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the options about the look of a plot; see look_options.h.
 */
#include <stdlib.h>
#include <string.h>

#include "io/terminal.h"
#include "plot/look_options.h"
#include "plot/plot.h"
#include "text/shell_words.h"
#include "text/units.h"

enum { SIZE_LIMIT = 16384 };

static const char *const themes[] = { "light", "dark", "auto" };
static const char *const log_axes[] = { "x", "y", "xy", "none" };

void look_options_values(struct known_names *k, const char *option)
{
	if (strcmp(option, "theme") == 0)
		known_names_add_all(k, themes, sizeof(*themes), COUNT(themes));
	else if (strcmp(option, "log") == 0)
		known_names_add_all(k, log_axes, sizeof(*log_axes), COUNT(log_axes));
	else if (strcmp(option, "format") == 0)
		known_names_add_all(
		    k, gnuplot_formats, sizeof(*gnuplot_formats), gnuplot_formats_count);
}

/* Exits because a script would have the name of an image, which ends in the suffix at dot.
 */
static void refuse_script_name(
    const struct opt_program *program, const char *output, const char *dot)
{
	char *script = str_format("%.*s.gp", (int)(dot - output), output);
	struct buf word = { 0 };

	shell_words_put(&word, script);
	opt_usage_error(program,
	    "--script writes a script, not an image such as '%s': use -o %s, and --format "
	    "to choose what the script draws",
	    output, word.ptr);
}

/* Returns the format of --format or of the suffix of -o; the default is text, or SVG for a
 * script. */
static const struct gnuplot_format *format_of(
    const struct look_options *o, const struct opt_program *program)
{
	const char *dot = o->output ? strrchr(o->output, '.') : NULL;
	const char *suffix = dot && !strchr(dot, '/') ? dot + 1 : "";
	const struct gnuplot_format *format;
	bool to_stdout = !o->output || strcmp(o->output, "-") == 0;

	if (o->script && gnuplot_format_find(suffix) && strcmp(suffix, "txt") != 0)
		refuse_script_name(program, o->output, dot);
	if (o->script)
		suffix = "svg";
	else if (to_stdout)
		suffix = "txt";
	format = o->format ? opt_choice(program, "--format", o->format, gnuplot_formats,
	                         sizeof(*gnuplot_formats), gnuplot_formats_count)
	                   : gnuplot_format_find(suffix);
	if (!format)
		opt_usage_error(program,
		    "'%s' does not end in .svg, .png, .pdf, .html or .txt: use --format",
		    o->output);
	return format;
}

static enum log_choice log_of(
    const struct look_options *o, const struct opt_program *program, char axis)
{
	const char *const *axes;

	if (!o->log)
		return LOG_AUTO;
	axes = opt_choice(
	    program, "--log", o->log, log_axes, sizeof(*log_axes), COUNT(log_axes));
	return strcmp(*axes, "none") != 0 && strchr(*axes, axis) ? LOG_YES : LOG_NO;
}

/* Parses --size, such as "800x500", or "800" for a height as the plot needs. */
static void size_of(
    const struct look_options *o, const struct opt_program *program, struct canvas *c)
{
	const char *times = strchr(o->size, 'x');
	char *width =
	    times ? mem_text(o->size, (size_t)(times - o->size)) : str_copy(o->size);
	uint64_t w, h = 0;
	struct fault f;

	if (units_count(width, &w, &f) < 0 ||
	    (times && (units_count(times + 1, &h, &f) < 0 || !h)) || !w || w > SIZE_LIMIT ||
	    h > SIZE_LIMIT)
		opt_usage_error(program,
		    "--size must be WIDTHxHEIGHT, such as 800x500, or a width, not '%s'",
		    o->size);
	c->width = (unsigned)w;
	c->height = times ? (unsigned)h : c->height;
	c->fixed = times;
	free(width);
}

/* Parses a number of --font-size or --scale. */
static double number_of(const struct opt_program *program, const char *name,
    const char *text, double least, double most)
{
	struct fault f;
	double x;

	if (units_number(text, &x, &f) < 0 || !(x >= least && x <= most))
		opt_usage_error(program, "--%s must be a number from %g to %g, not '%s'",
		    name, least, most, text);
	return x;
}

/* Chooses the theme; --theme auto is for plots that a browser shows. */
static void theme_of(const struct look_options *o, const struct opt_program *program,
    struct gnuplot_look *look)
{
	bool is_svg = look->format->page || strcmp(look->format->name, "svg") == 0;
	const char *const *theme = opt_choice(
	    program, "--theme", o->theme, themes, sizeof(*themes), COUNT(themes));

	look->dark = theme == &themes[1];
	look->adaptive = theme == &themes[2];
	if (look->adaptive && (!is_svg || o->script))
		opt_usage_error(program, "--theme auto works only for svg and html");
}

/* Returns the number of colors of the terminal, or 0. */
static unsigned colors_here(const struct look_options *o, FILE *terminal)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");

	if (o->output || o->script || !terminal_color(terminal))
		return 0;
	return (more && *more) || (term && strstr(term, "256color")) ? 256 : 8;
}

void look_options_apply(const struct look_options *o, const struct opt_program *program,
    FILE *terminal, struct gnuplot_look *look, struct canvas *c)
{
	look->format = format_of(o, program);
	theme_of(o, program, look);
	if (o->font)
		c->font = number_of(program, "font-size", o->font, 6, 72);
	if (o->scale)
		look->scale = number_of(program, "scale", o->scale, 0.25, 8);
	if (o->scale && strcmp(look->format->name, "png") != 0)
		opt_usage_error(program, "--scale works only for png");
	c->text = look->format->text;
	look->utf8 = true;
	if (c->text) {
		look->utf8 = terminal_utf8();
		look->colors = colors_here(o, terminal);
		plot_fit(c, fileno(terminal));
	}
	c->utf8 = look->utf8;
	c->log_x = log_of(o, program, 'x');
	c->log_y = log_of(o, program, 'y');
	if (o->size)
		size_of(o, program, c);
}
