/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads stacks and draws them; see flame_stream.h.
 */
#include <stdlib.h>

#include "base/paths.h"
#include "flame/flame_draw_priv.h"
#include "flame/flame_read_priv.h"
#include "flame/flame_stream.h"
#include "plot/gnuplot_run.h"

enum { WIDTH = 1200 };

static int share_text(const char *path, const char *own, struct buf *out, struct fault *f)
{
	return own ? file_read(own, out, f) : share_read(path, out, f);
}

/* A flame graph, and how it is drawn. */
struct drawing {
	const struct flame_plot *plot;
	const struct flame_words *words;
	const struct flame_opts *opts;
	const struct gnuplot_look *look;
	unsigned width;
	bool is_svg; /* an SVG, or a page with one */
};

/* Draws an SVG without gnuplot. */
static int draw_svg(struct buf *out, const struct drawing *p, struct fault *f)
{
	struct buf script = { 0 };
	const int status = share_read("plots/flame.js", &script, f);

	if (status == 0)
		flame_svg(out, p->plot, p->words,
		    &(struct flame_svg_opts){ .width = p->width,
		        .dark = p->look->dark,
		        .adaptive = p->look->adaptive,
		        .script = { script.ptr, script.len } });
	buf_free(&script);
	return status;
}

/* Makes a script of gnuplot, and runs it unless the script is wanted. */
static int draw_with_gnuplot(struct buf *out, const struct drawing *p, struct fault *f)
{
	const struct gnuplot_look *look = p->look;
	struct layout size = { .width = p->width,
		.height = flame_height(p->plot, p->words) };
	struct buf template = { 0 }, terminal = { 0 }, script = { 0 }, described = { 0 };
	int status = -1;

	if (gnuplot_check_size(&size, look, f) < 0 ||
	    share_text("plots/flame.gp", p->opts->template, &template, f) < 0)
		goto out;
	look->format->terminal(&terminal, &size, look);
	flame_script(p->opts->is_script ? out : &script, p->plot, p->words,
	    &(struct flame_script_opts){ .terminal = terminal.ptr,
	        .template = { template.ptr, template.len },
	        .width = p->width,
	        .dark = look->dark });
	status = 0;
	if (p->opts->is_script)
		goto out;
	status = gnuplot_run(text_in(&script), look, out, f);
	if (status == 0 && p->is_svg) {
		flame_describe(&described, p->plot, p->words);
		gnuplot_name_svg(out, p->words->title, described.ptr);
	}
out:
	buf_free(&described);
	buf_free(&script);
	buf_free(&terminal);
	buf_free(&template);
	return status;
}

static int draw_plot(struct buf *out, const struct drawing *p, struct fault *f)
{
	const struct gnuplot_look *look = p->look;

	if (look->format->text && !p->opts->is_script) {
		flame_text(out, p->plot, p->words,
		    &(struct flame_text_opts){
		        .width = p->width, .utf8 = look->utf8, .colors = look->colors });
		return 0;
	}
	if (p->is_svg && !p->opts->is_script && !p->opts->template)
		return draw_svg(out, p, f);
	return draw_with_gnuplot(out, p, f);
}

static bool is_count(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metrics_find(metrics, text_of(name));

	return metric && metric->is_count;
}

/* Appends the table of functions. */
static int put_functions(struct flame_drawn *out, const struct flame_reading *r,
    const struct flame_place_opts *place, const struct drawing *p, struct fault *f)
{
	size_t count;
	struct flame_function *function = flame_functions(r->flame, place, &count);
	int status = flame_table(&out->text, p->plot, p->words, p->opts->format,
	    &(struct flame_listed){ function, count, &out->functions_left_out }, f);

	free(function);
	return status;
}

/* Appends the graph, script or table of the stacks that were read. */
static int put_flame(
    struct flame_drawn *out, const struct flame_reading *r, struct fault *f)
{
	const struct flame_opts *opts = r->opts;
	const struct gnuplot_look *look = opts->look;
	unsigned width = opts->width ? opts->width : WIDTH;
	/* A quarter of a pixel, or half a character. */
	double least = (look->format->text ? 0.5 : 0.25) / width;
	struct flame_place_opts place = { least, is_count(opts->metrics, r->metric),
		opts->confidence };
	struct flame_plot plot;
	char *common = flame_reading_common(r);

	out->title = opts->title ? str_copy(opts->title) : flame_reading_title(r);
	struct flame_words words = { out->title, r->metric, r->unit,
		r->side_name[FLAME_OLD], r->side_name[FLAME_NEW], common, opts->confidence,
		r->failed };
	flame_place(r->flame, &place, &plot);
	struct drawing drawing = { &plot, &words, opts, look, width,
		look->format->page || strcmp(look->format->name, "svg") == 0 };
	int status = opts->functions ? put_functions(out, r, &place, &drawing, f)
	                             : draw_plot(&out->text, &drawing, f);
	flame_plot_free(&plot);
	free(common);
	return status;
}

int flame_draw(struct flame_drawn *out, const struct flame_opts *opts, struct fault *f)
{
	struct flame_reading r;
	int status = flame_read(&r, opts, f);

	*out = (struct flame_drawn){ .stacks_left_out = r.failed };
	if (status == 0)
		status = put_flame(out, &r, f);
	flame_reading_free(&r);
	return status;
}

void flame_drawn_free(struct flame_drawn *d)
{
	buf_free(&d->text);
	free(d->title);
}
