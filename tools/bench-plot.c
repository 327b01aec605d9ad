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
#include "options/bench_plot.h"
#include "plot/figure_kinds.h"
#include "plot/follow.h"
#include "record/foreign_input.h"
#include "record/metric.h"
#include "sys/interrupt.h"
#include "sys/temp_file.h"
#include "text/plural.h"

static const struct bench_plot_opts *o;
static struct bench_plot_plan plan;

static void make_flame(const struct plot_opts *plot, struct buf *out)
{
	struct flame_opts flame = { .file = plot->file,
		.files = plot->files,
		.look = plot->look,
		.rows = &o->rows,
		.by = o->group,
		.title = o->title,
		.template = o->template,
		.diff = o->diff,
		.functions = o->functions,
		.format =
		    o->look.output || !isatty(STDOUT_FILENO) ? RENDER_CSV : RENDER_TABLE,
		.is_script = o->look.script,
		.confidence = o->inference.confidence,
		.width = plot->canvas->width,
		.metrics = plot->figure->metrics };
	struct flame_drawn drawn;
	struct fault f;

	if (flame_draw(&drawn, &flame, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (drawn.functions_left_out && !opt_common.quiet)
		message_warn("%zu function%s with less than 0.1%% omitted",
		    drawn.functions_left_out, plural_s(drawn.functions_left_out));
	if (drawn.stacks_left_out && o->functions) /* a plot counts them itself */
		message_warn("%zu stack%s of failed runs left out", drawn.stacks_left_out,
		    plural_s(drawn.stacks_left_out));
	buf_put(out, drawn.text.ptr, drawn.text.len);
	if (plot->look->format->page && !o->look.script && !o->functions)
		plot_page(out, drawn.title, plot->look);
	flame_drawn_free(&drawn);
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
	    plot_script(plot, fig, plot->template_path, o->look.script ? out : &script, &f);
	if (status == 0 && !o->look.script)
		status = plot_draw(
		    fig, plot->look, text_in(&script), out, &f);
	if (status == 0 && o->data)
		status = plot_data(plot, fig, out, &f);
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&script);
	figure_free(fig);
}

static void write_plot(struct text plot)
{
	struct fault f;

	if (!o->look.output || strcmp(o->look.output, "-") == 0) {
		if (fwrite(plot.ptr, 1, plot.len, stdout) != plot.len)
			exit(stdout_failed());
	} else if (temp_file_write(o->look.output, TEMP_FILE_OUTPUT, plot, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
}

/* Reports axes of --log that are not axes of numbers. */
static void note_log(const struct figure_kind *kind)
{
	const char *axes = figure_kind_log_axes(kind);

	if (!*axes)
		message_warn("--log has no effect on %s", kind->name);
	for (const char *axis = o->look.log; *axes && *axis; axis++)
		if (!strchr(axes, *axis))
			message_warn(
			    "--log %c has no effect on %s: its numbers are on axis %s",
			    *axis, kind->name, axes);
}

/* Ends the program if the look that the options choose has no effect, or no numbers. */
static void check_look(const struct gnuplot_look *look, const struct canvas *canvas)
{
	if ((canvas->log_x == LOG_YES || canvas->log_y == LOG_YES) && !opt_common.quiet)
		note_log(&plan.kind);
	if (o->data && (o->look.script || strcmp(look->format->name, "svg") != 0))
		opt_usage_error(&bench_plot, "--data works only for svg, without --script");
}

/* Draws one kind of plot of the files. */
static void draw_kind(void)
{
	struct gnuplot_look look = { 0 };
	struct canvas canvas = { 0 };
	struct buf out = { 0 };
	struct fault f;

	look_options_apply(&o->look, &bench_plot, stdout, &look, &canvas);
	check_look(&look, &canvas);
	struct metrics *metrics = metrics_open(&f);
	if (!metrics)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	const struct figure_opts figure = { .x = o->x,
		.group = o->group,
		.filter = o->rows.filter,
		.conditions = o->rows.conditions,
		.title = o->title,
		.metrics = metrics,
		.log_x = canvas.log_x,
		.order = o->order,
		.mark = o->mark.item,
		.marks = o->mark.count,
		.color = o->color.item,
		.colors = o->color.count,
		.slo = plan.slo,
		.tests = (size_t)o->tests,
		.growth = o->growth,
		.inference = o->inference,
		.utf8 = look.utf8 };
	const struct plot_opts plot = { .kind = &plan.kind,
		.figure = &figure,
		.canvas = &canvas,
		.look = &look,
		.melt = o->rows.melt.item,
		.melts = o->rows.melt.count,
		.file = plan.file,
		.files = plan.files,
		.template_path = o->template };
	if (o->follow) {
		follow(&plot);
	} else {
		make_plot(&plot, &out);
		write_plot(text_in(&out));
	}
	metrics_free(metrics);
	buf_free(&out);
}

int main(int argc, char **argv)
{
	standard_files_open();

	foreign_input_arguments(argc, argv);
	o = bench_plot_opts_read(argc, argv, &plan);
	draw_kind();
	bench_plot_opts_free();
	return stdout_close(STATUS_FINE);
}
