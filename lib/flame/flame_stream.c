/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/paths.h"
#include "flame/flame_draw_priv.h"
#include "flame/flame_stream.h"
#include "plot/gnuplot_run.h"
#include "record/bench_csv.h"

enum { WIDTH = 1200, COMMON = 4 };

/* Columns that the subtitle shows if they are the same in all rows. */
static const char *const common[COMMON] = { "bench", "host", "commit", "comm" };

struct reading {
	const struct flame_opts *opts;
	struct bench_csv *stream;
	struct flame *flame;
	struct intern runs;
	char *metric, *unit;
	enum flame_side side; /* of the current file */
	char *side_name[FLAME_SIDES];
	size_t columns; /* of the schema at the last look_up */
	long stack, by, column[COMMON];
	char *text[COMMON]; /* the values of these columns */
	bool differ[COMMON];
	double sum[FLAME_SIDES];
	size_t failed; /* stacks of failed runs */
};

static void look_up(struct reading *r, const struct schema *schema)
{
	if (r->columns == schema->count)
		return;
	r->columns = schema->count;
	r->stack = schema_find(schema, text_of("stack"));
	r->by = r->opts->by ? schema_find(schema, text_of(r->opts->by)) : -1;
	for (size_t i = 0; i < COMMON; i++)
		r->column[i] = schema_find(schema, text_of(common[i]));
}

static void note_common(struct reading *r, const struct row *row)
{
	for (size_t i = 0; i < COMMON; i++) {
		if (r->differ[i] || r->column[i] < 0)
			continue;
		struct text t = row->cell[r->column[i]];

		if (!r->text[i])
			r->text[i] = mem_text(t.ptr, t.len);
		else if (!text_is(t, r->text[i]))
			r->differ[i] = true;
	}
}

/* Returns the side of a row by the column of opts->by; -1 and the message for a third
 * value. */
static int side_of(struct reading *r, const struct row *row, struct fault *f)
{
	struct text t = row->cell[r->by];

	for (int side = 0; side < FLAME_SIDES; side++) {
		if (!r->side_name[side])
			r->side_name[side] = mem_text(t.ptr, t.len);
		if (text_is(t, r->side_name[side]))
			return side;
	}
	return fault_set(f,
	    "%s has three values, '%s', '%s' and '%.*s', but a comparison needs two: "
	    "select "
	    "their rows, or draw each value alone",
	    r->opts->by, r->side_name[0], r->side_name[1], (int)t.len, t.ptr);
}

/* Returns whether a row has a stack of the metric that is drawn, which is that of the first
 * stack. */
static bool is_drawn(struct reading *r, const struct row *row)
{
	struct text metric = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];

	look_up(r, row->schema);
	if (r->stack < 0 || !row->cell[r->stack].len || (r->opts->by && r->by < 0) ||
	    (row->ok && !row_counts(row)))
		return false;
	if (!r->metric) {
		r->metric = mem_text(metric.ptr, metric.len);
		r->unit = mem_text(unit.ptr, unit.len);
	}
	return text_is(metric, r->metric);
}

/* Checks that a value can be added to the others of its side. Returns 0, or -1 and the
 * message. */
static int check_value(struct reading *r, const struct row *row, int side, struct fault *f)
{
	unsigned long long line = row->line;
	struct text unit = row->cell[COL_UNIT];

	if (row->value < 0)
		return fault_set(f,
		    "%s, line %llu: %s of a stack is %g, but the width of a "
		    "frame cannot be below 0",
		    row->file, line, r->metric, row->value);
	if (!text_is(unit, r->unit))
		return fault_set(f,
		    "%s, line %llu: metric %s has two units, '%s' and '%.*s', and their "
		    "sum has none",
		    row->file, line, r->metric, r->unit, (int)unit.len, unit.ptr);
	r->sum[side] += row->value;
	if (!isfinite(r->sum[side]))
		return fault_set(f, "%s, line %llu: the sum of %s is too large to draw",
		    row->file, line, r->metric);
	return 0;
}

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	struct reading *r = ctx;
	int side = (int)r->side;

	if (!is_drawn(r, row))
		return 0;
	if (!row->ok) {
		r->failed++;
		return 0;
	}
	if (r->opts->by)
		side = side_of(r, row, f);
	if (side < 0 || check_value(r, row, side, f) < 0)
		return -1;
	note_common(r, row);
	flame_add(r->flame, (enum flame_side)side,
	    (uint32_t)intern_add(&r->runs, row->cell[COL_RUN]), row->cell[r->stack],
	    row->value);
	return 0;
}

/* Returns the name of a side: that of its file, with the directory if the other file has
 * the same name; allocated. Standard input and open descriptors have no names. */
static char *name_of_side(char *const *file, size_t side)
{
	static const char *const names[FLAME_SIDES] = { "old", "new" };
	const char *slash = strrchr(file[side], '/'), *other = strrchr(file[!side], '/');
	const char *name = slash ? slash + 1 : file[side];

	if (strcmp(file[side], "-") == 0 || strncmp(file[side], "/proc/", 6) == 0 ||
	    strncmp(file[side], "/dev/", 5) == 0)
		return str_copy(names[side]);
	return str_copy(
	    strcmp(name, other ? other + 1 : file[!side]) == 0 ? file[side] : name);
}

static int read_files(struct reading *r, char *const *file, size_t files, struct fault *f)
{
	if (!r->opts->diff)
		return bench_csv_read_all(r->stream, file, files, f);
	for (size_t i = 0; i < files; i++) {
		r->side = (enum flame_side)i;
		r->side_name[i] = name_of_side(file, i);
		if (bench_csv_read(r->stream, file[i], f) < 0)
			return -1;
	}
	return 0;
}

static int complain(const struct reading *r, struct fault *f)
{
	if (!r->metric && r->opts->by && r->by < 0)
		return schema_unknown(bench_csv_schema(r->stream),
		    "-g: no row with a stack has the column", text_of(r->opts->by), f);
	if (!r->metric)
		return fault_set(f,
		    "no row has a stack: draw the output of bench-prof, or folded "
		    "stacks converted with bench-convert");
	if (r->failed && !r->sum[FLAME_OLD] && !r->sum[FLAME_NEW])
		return fault_set(f,
		    "no values to draw: all %zu stacks are of failed runs (their status is "
		    "not ok)",
		    r->failed);
	if (r->opts->by && !r->side_name[FLAME_NEW])
		return fault_set(f, "%s has one value, '%s', but a comparison needs two",
		    r->opts->by, r->side_name[FLAME_OLD]);
	return fault_set(f, "one side has no stack with a value above 0");
}

/* Returns the columns that are the same in all rows, such as "bench sort, host a";
 * allocated. */
static char *held_of(const struct reading *r)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < COMMON; i++)
		if (r->text[i] && *r->text[i] && !r->differ[i])
			buf_printf(&b, "%s%s %s", b.len ? ", " : "", common[i], r->text[i]);
	return b.ptr ? b.ptr : str_copy("");
}

static char *title_of(const struct reading *r, bool both)
{
	const char *bench = r->text[0] && *r->text[0] && !r->differ[0] ? r->text[0] : NULL;

	if (both)
		return str_format("%s by stack: %s against %s", r->metric,
		    r->side_name[FLAME_NEW], r->side_name[FLAME_OLD]);
	return str_format(
	    "%s by stack%s%s", r->metric, bench ? " of " : "", bench ? bench : "");
}

static int share_text(const char *path, const char *own, struct buf *out, struct fault *f)
{
	return own ? file_read(own, out, f) : share_read(path, out, f);
}

/* A flame graph, and how it is drawn. */
struct painting {
	const struct flame_picture *picture;
	const struct flame_words *words;
	const struct flame_opts *opts;
	const struct gnuplot_look *look;
	unsigned width;
	bool is_svg; /* an SVG, or a page with one */
};

/* Draws an SVG without gnuplot. */
static int paint_svg(struct buf *out, const struct painting *p, struct fault *f)
{
	struct buf script = { 0 };
	const int status = share_read("plots/flame.js", &script, f);

	if (status == 0)
		flame_svg(out, p->picture, p->words,
		    &(struct flame_svg_opts){ .width = p->width,
		        .dark = p->look->dark,
		        .adaptive = p->look->adaptive,
		        .script = { script.ptr, script.len } });
	buf_free(&script);
	return status;
}

/* Makes a script of gnuplot, and runs it unless the script is wanted. */
static int paint_with_gnuplot(struct buf *out, const struct painting *p, struct fault *f)
{
	const struct gnuplot_look *look = p->look;
	struct layout size = { .width = p->width,
		.height = flame_height(p->picture, p->words) };
	struct buf template = { 0 }, terminal = { 0 }, script = { 0 }, described = { 0 };
	int status = -1;

	if (gnuplot_check_size(&size, look, f) < 0 ||
	    share_text("plots/flame.gp", p->opts->template, &template, f) < 0)
		goto out;
	look->format->terminal(&terminal, &size, look);
	flame_script(p->opts->is_script ? out : &script, p->picture, p->words, terminal.ptr,
	    p->width, look->dark, (struct text){ template.ptr, template.len });
	status = 0;
	if (p->opts->is_script)
		goto out;
	status = gnuplot_run((struct text){ script.ptr, script.len }, look, out, f);
	if (status == 0 && p->is_svg) {
		flame_describe(&described, p->picture, p->words);
		gnuplot_name_svg(out, p->words->title, described.ptr);
	}
out:
	buf_free(&described);
	buf_free(&script);
	buf_free(&terminal);
	buf_free(&template);
	return status;
}

static int paint(struct buf *out, const struct painting *p, struct fault *f)
{
	const struct gnuplot_look *look = p->look;

	if (look->format->text && !p->opts->is_script) {
		flame_text(out, p->picture, p->words, p->width, look->utf8, look->colours);
		return 0;
	}
	if (p->is_svg && !p->opts->is_script && !p->opts->template)
		return paint_svg(out, p, f);
	return paint_with_gnuplot(out, p, f);
}

static bool is_count(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metrics_find(metrics, text_of(name));

	return metric && metric->is_count;
}

static int put_functions(struct buf *out, const struct reading *r,
    const struct flame_place_opts *place, const struct flame_picture *picture,
    const struct flame_words *words, size_t *hidden, struct fault *f)
{
	size_t count;
	struct flame_function *function = flame_functions(r->flame, place, &count);
	int status =
	    flame_table(out, picture, function, count, words, r->opts->format, hidden, f);

	free(function);
	return status;
}

static int finish(struct buf *out, struct reading *r, const struct gnuplot_look *look,
    char **title, size_t *hidden, struct fault *f)
{
	const struct flame_opts *opts = r->opts;
	bool both = opts->diff || opts->by;
	unsigned width = opts->width ? opts->width : WIDTH;
	/* A quarter of a pixel, or half a character. */
	double least = (look->format->text ? 0.5 : 0.25) / width;
	struct flame_place_opts place = { least, is_count(opts->metrics, r->metric),
		opts->confidence };
	struct flame_picture picture;
	char *held = held_of(r);

	*title = opts->title ? str_copy(opts->title) : title_of(r, both);
	struct flame_words words = { *title, r->metric, r->unit, r->side_name[FLAME_OLD],
		r->side_name[FLAME_NEW], held, opts->confidence, r->failed };
	flame_place(r->flame, &place, &picture);
	struct painting painting = { &picture, &words, opts, look, width,
		look->format->page || strcmp(look->format->name, "svg") == 0 };
	int status = opts->functions
	                 ? put_functions(out, r, &place, &picture, &words, hidden, f)
	                 : paint(out, &painting, f);
	flame_picture_free(&picture);
	free(held);
	return status;
}

int flame_draw(struct buf *out, const struct flame_opts *opts,
    const struct gnuplot_look *look, char *const *file, size_t files, char **title,
    struct flame_left_out *left_out, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct reading r = { .opts = opts,
		.flame = flame_open(),
		.side = opts->by || opts->diff ? FLAME_OLD : FLAME_NEW };
	int status = 0;

	*title = NULL;
	*left_out = (struct flame_left_out){ 0 };
	r.stream = bench_csv_open(&sink, &r);
	if (opts->diff && files != 2)
		status =
		    fault_set(f, "--diff needs two files, old and new, not %zu", files);
	if (status == 0)
		status = stream_options_apply(opts->rows, r.stream, f);
	if (status == 0)
		status = read_files(&r, file, files, f);
	if (status == 0)
		status = stream_options_check(opts->rows, f);
	if (status == 0 &&
	    (!r.metric || (opts->by && !r.side_name[FLAME_NEW]) || !flame_finish(r.flame)))
		status = complain(&r, f);
	if (status == 0)
		status = finish(out, &r, look, title, &left_out->functions, f);
	left_out->stacks = r.failed;
	flame_close(r.flame);
	bench_csv_close(r.stream);
	intern_free(&r.runs);
	for (size_t i = 0; i < COMMON; i++)
		free(r.text[i]);
	for (int side = 0; side < FLAME_SIDES; side++)
		free(r.side_name[side]);
	free(r.metric);
	free(r.unit);
	return status;
}
