/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots from rows; see plot.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "io/terminal.h"
#include "plot/gnuplot_run.h"
#include "plot/plot.h"
#include "plot/svg_data.h"
#include "record/bench_csv.h"
#include "svg/svg_theme.h"
#include "svg/svg_tidy.h"
#include "text/markup.h"

/* The receiver of a stream's rows. The source is opened after the stream, whose schema it
 * needs. */
struct feeding {
	const struct figure_source *source;
	struct metric_filter *filter; /* may be NULL */
	void *ctx;
};

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	const struct feeding *feeding = ctx;

	if (feeding->filter && !metric_filter_row(feeding->filter, row)) {
		if (feeding->source->excluded)
			feeding->source->excluded(feeding->ctx, row);
		return 0;
	}
	return feeding->source->row(feeding->ctx, row, f);
}

/* Reads rows from a string with a name, or from the files of the options. Returns the
 * figure, or NULL and the message. */
static struct figure *read_rows(const struct plot_opts *opts, const char *name,
    const struct text *text, bool *broken, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	const struct figure_kind *kind = opts->kind;
	struct feeding feeding = { .source = kind->source, .filter = opts->figure->filter };
	struct figure *fig = NULL;
	struct bench_csv *stream;
	int status;

	stream = bench_csv_open(&sink, &feeding);
	bench_csv_select(stream, NULL, opts->figure->conditions);
	feeding.ctx = kind->source->open(kind, bench_csv_schema(stream), opts->figure);
	status = bench_csv_melt(stream, opts->melt, opts->melts, f);
	if (status == 0 && text)
		status = bench_csv_read_text(stream, name, *text, f);
	else if (status == 0)
		status = bench_csv_read_all(stream, opts->file, opts->files, f);
	if (status == 0 && row_conditions_check(opts->figure->conditions, f) == 0 &&
	    (!opts->figure->filter || metric_filter_check(opts->figure->filter, f) == 0))
		fig = kind->source->make(feeding.ctx, f);
	*broken = status < 0;
	if (fig)
		figure_color(fig, opts->figure->color, opts->figure->colors);
	kind->source->close(feeding.ctx);
	bench_csv_close(stream);
	return fig;
}

struct figure *plot_read(const struct plot_opts *opts, struct fault *f)
{
	bool broken;

	if (opts->kind->read)
		return opts->kind->read(
		    opts->kind, opts->figure, opts->file, opts->files, f);
	return read_rows(opts, NULL, NULL, &broken, f);
}

struct figure *plot_read_text(const struct plot_opts *opts, const char *name,
    struct text rows, bool *broken, struct fault *f)
{
	return read_rows(opts, name, &rows, broken, f);
}

void plot_fit(struct canvas *c, int fd)
{
	struct terminal_size size = terminal_size(fd);

	c->width = size.columns < LAYOUT_TEXT_MAX ? size.columns : LAYOUT_TEXT_MAX;
	c->height = size.lines < LAYOUT_TEXT_MAX ? size.lines : LAYOUT_TEXT_MAX;
	c->height -= c->height > 1;
}

static int read_template(const char *name, struct buf *out, struct fault *f)
{
	char *path = str_format("plots/%s.gp", name);
	struct fault why;
	int status = share_read(path, out, &why);

	if (status < 0)
		fault_set(f, "the template %s", why.text);
	free(path);
	return status;
}

int plot_script(const struct plot_opts *opts, const struct figure *fig,
    const char *template_path, struct buf *script, struct fault *f)
{
	struct buf style = { 0 }, template = { 0 };
	struct layout l;
	struct fault why;
	int status = layout_make(&l, fig, opts->canvas, f);

	if (status == 0)
		status = gnuplot_check_size(&l, opts->look, f);
	if (status == 0)
		status = read_template("style", &style, f);
	if (status == 0 && !template_path)
		status = read_template(
		    fig->kind->template ? fig->kind->template : fig->kind->name, &template,
		    f);
	else if (status == 0 && file_read(template_path, &template, &why) < 0)
		status = fault_set(f, "--template %s", why.text);
	if (status == 0)
		gnuplot_script_write(script, fig, &l, opts->look,
		    text_in(&style),
		    text_in(&template));
	layout_free(&l);
	buf_free(&style);
	buf_free(&template);
	return status;
}

void plot_page(struct buf *svg, const char *title, const struct gnuplot_look *look)
{
	const char *element = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;
	struct buf page = { 0 };

	buf_str(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
	markup_text(&page, text_of(title));
	buf_printf(&page,
	    "</title>\n<style>body { margin: 1em; background: %s } svg { max-width: 100%%; "
	    "height: auto }</style>\n<body>\n%s</body>\n</html>\n",
	    look->adaptive ? "var(--xffffff,#ffffff)"
	    : look->dark   ? "#16191d"
	                   : "#ffffff",
	    element ? element : "");
	buf_free(svg);
	*svg = page;
}

int plot_draw(const struct figure *fig, const struct gnuplot_look *look, struct text script,
    struct buf *out, struct fault *f)
{
	struct buf described = { 0 };

	if (gnuplot_run(script, look, out, f) < 0)
		return -1;
	if (look->format->text) {
		gnuplot_tidy_text(out);
		return 0;
	}
	figure_describe(fig, &described);
	gnuplot_name_svg(out, fig->title, described.ptr ? described.ptr : "");
	if (look->format->page || strcmp(look->format->name, "svg") == 0)
		svg_tidy(out);
	if (look->adaptive)
		svg_theme(out);
	if (look->format->page)
		plot_page(out, fig->title, look);
	buf_free(&described);
	return 0;
}

int plot_data(const struct plot_opts *opts, const struct figure *fig, struct buf *out,
    struct fault *f)
{
	struct layout l;
	int status = layout_make(&l, fig, opts->canvas, f);

	if (status == 0)
		svg_data(out, fig, &l);
	layout_free(&l);
	return status;
}
