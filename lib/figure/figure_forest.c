/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure of ratios with their verdicts: each row of bench-compare's table is a lane. The
 * table is read from a file or computed from the samples of two sides.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compare/compare_table.h"
#include "figure/figure_forest.h"
#include "figure/group_labels.h"
#include "io/csv_reader.h"
#include "io/csv_table.h"
#include "record/bench_csv.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { COLUMNS_MAX = 256 };

/* The columns of the table that are drawn; the columns before metric are the subject. */
enum { METRIC, UNIT, RATIO, RATIO_LO, RATIO_HI, VERDICT, KNOWN };
static const char *const known[KNOWN] = { "metric", "unit", "ratio", "ratio_lo", "ratio_hi",
	"verdict" };

struct forest {
	const struct figure_opts *opts;
	char **name; /* names of columns; NULL before the header */
	size_t columns;
	size_t at[KNOWN];
	size_t primary; /* the column of rows that decide; SIZE_MAX: none */
	bool subject[COLUMNS_MAX];
	char **cell; /* in order of rows */
	size_t cells, cap;
};

static int take_header(struct forest *t, const struct csv_table *table, struct fault *f)
{
	if (table->columns > COLUMNS_MAX)
		return fault_set(f, "%s: more than %d columns", table->file, COLUMNS_MAX);
	t->name = mem_zero(table->columns, sizeof(*t->name));
	t->columns = table->columns;
	for (size_t i = 0; i < t->columns; i++)
		t->name[i] = str_copy(csv_table_name(table, i));
	csv_table_locate(table, known, KNOWN, t->at);
	csv_table_locate(table, (const char *const[]){ "primary" }, 1, &t->primary);
	for (size_t k = 0; k < KNOWN; k++)
		if (t->at[k] == SIZE_MAX)
			return fault_set(f,
			    "%s: no column %s: compare reads the output of "
			    "bench-compare, two files of samples, or samples with "
			    "the sides in the column of -g",
			    table->file, known[k]);
	for (size_t i = 0; i < t->at[METRIC]; i++)
		t->subject[i] = true;
	return 0;
}

/* Returns whether a row is drawn: one of the chosen metric, or else one that decides. */
static bool is_drawn(const struct forest *t, const struct csv_table *table)
{
	if (t->opts->filter)
		return metric_filter_selects(
		    t->opts->filter, csv_table_field(table, t->at[METRIC]));
	return t->primary == SIZE_MAX || csv_table_field(table, t->primary).len;
}

/* Returns whether a row repeats the header, as in joined tables. */
static bool is_header(const struct forest *t, const struct csv_table *table)
{
	for (size_t i = 0; i < csv_table_fields(table); i++)
		if (i >= t->columns || !text_is(csv_table_field(table, i), t->name[i]))
			return false;
	return csv_table_fields(table) == t->columns;
}

static int take_row(struct forest *t, const struct csv_table *table, struct fault *f)
{
	if (is_header(t, table))
		return 0;
	if (csv_table_fields(table) != t->columns)
		return csv_table_fault(table, f, "%zu field%s, but the header has %zu",
		    csv_table_fields(table), plural_s(csv_table_fields(table)), t->columns);
	if (!is_drawn(t, table))
		return 0;
	for (size_t i = 0; i < t->columns; i++)
		*VEC_ADD(t->cell, t->cells, t->cap) =
		    str_copy(csv_table_field(table, i).ptr);
	return 0;
}

/* Adds the rows of a file. The first file has the header, which others may repeat. Returns
 * 0, or -1 and the message. */
static int parse_file(struct forest *t, const char *file, struct text csv, struct fault *f)
{
	struct csv_table table = { 0 };
	int status = csv_table_open(&table, csv, file, f);

	if (status == 0 && table.columns)
		status = t->name ? take_row(t, &table, f) : take_header(t, &table, f);
	while (status == 0 && (status = csv_table_next(&table, f)) > 0)
		status = take_row(t, &table, f);
	csv_table_free(&table);
	return status;
}

/* Adds a row of samples to its side. */
static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return compare_row(*(struct compare **)ctx, row);
}

/* Writes the comparison of two files of samples, or of the sides in a column. */
static int compare_samples(const struct figure_opts *opts, char *const *file, size_t count,
    struct buf *csv, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct compare *compare;
	struct bench_csv *stream = bench_csv_open(&sink, &compare);
	struct compare_opts side_opts = { .by = opts->group,
		.inference = opts->inference,
		.threshold = 0.02,
		.all_decides = opts->filter,
		.warning = (double)NAN };
	struct compare_columns columns = { 0 };
	int status = compare_choose("ratio,ratio_lo,ratio_hi,verdict,primary", &columns, f);
	size_t len;
	FILE *out;

	bench_csv_select(stream, opts->filter, opts->conditions);
	compare = compare_open(bench_csv_schema(stream), &side_opts);
	for (size_t i = 0; i < count && status == 0; i++) {
		if (!side_opts.by)
			compare_side(compare, file[i]);
		status = bench_csv_read(stream, file[i], f);
	}
	if (status == 0)
		status = row_conditions_check(opts->conditions, f);
	if (status == 0)
		status = compare_finish(compare, opts->metrics, f);
	if (status == 0) {
		out = open_memstream(&csv->ptr, &len);
		if (!out ||
		    compare_print(compare, &columns, true, &OUTPUT_OF(out, RENDER_CSV)) < 0)
			status = fault_errno(f, "the comparison");
		if (out && fclose(out) != 0 && status == 0)
			status = fault_errno(f, "the comparison");
		csv->len = out ? len : 0;
	}
	free(columns.field);
	compare_close(compare);
	bench_csv_close(stream);
	return status;
}

/* Returns 1 if a record is the header of bench-compare's table. */
static int see_header(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	bool interval = false, verdict = false;

	(void)ctx;
	(void)line;
	(void)f;
	for (size_t i = 0; i < count; i++) {
		interval |= text_is(field[i], known[RATIO_LO]);
		verdict |= text_is(field[i], known[VERDICT]);
	}
	return interval && verdict;
}

/* Returns whether a string begins with the header of bench-compare's table. */
static bool is_table(struct text t)
{
	struct fault ignored;

	return csv_reader_first(t, see_header, NULL, &ignored) == 1;
}

static const char *forest_cell(const struct forest *t, size_t row, size_t column)
{
	return t->cell[row * t->columns + column];
}

/* Returns whether a row is a geometric mean, which has no subject. */
static bool is_mean(const struct forest *t, size_t row)
{
	return strcmp(forest_cell(t, row, t->at[VERDICT]), "geomean") == 0;
}

/* Returns whether a column is the same in all rows. */
static bool constant(const struct forest *t, size_t rows, size_t column)
{
	for (size_t i = 1; i < rows; i++)
		if (!is_mean(t, i) &&
		    strcmp(forest_cell(t, i, column), forest_cell(t, 0, column)) != 0)
			return false;
	return true;
}

static void put_pair(const struct forest *t, struct buf *b, size_t row, size_t column)
{
	if (*forest_cell(t, row, column))
		group_labels_put(b, t->name[column], text_of(forest_cell(t, row, column)),
		    t->opts->utf8);
}

static char *label_of(const struct forest *t, size_t rows, size_t row)
{
	struct buf b = { 0 };

	if (is_mean(t, row))
		buf_str(&b, "geometric mean");
	for (size_t c = 0; c < t->columns; c++)
		if (t->subject[c] && !constant(t, rows, c))
			put_pair(t, &b, row, c);
	for (size_t c = 0; c < t->columns && !b.len; c++)
		if (t->subject[c] && strcmp(t->name[c], "bench") == 0)
			put_pair(t, &b, row, c);
	if (!constant(t, rows, t->at[METRIC]) || !b.len)
		put_pair(t, &b, row, t->at[METRIC]);
	return buf_detach(&b);
}

static double number(const struct forest *t, size_t row, int which)
{
	double x;

	return number_parse(text_of(forest_cell(t, row, t->at[which])), &x) ? x : NAN;
}

/* Returns the series of a verdict: verdicts are series, so that they have a color and an
 * entry in the key. */
static size_t series_of(struct figure *fig, const char *verdict, bool utf8)
{
	struct buf b = { 0 };

	display_text_label(&b, text_of(*verdict ? verdict : "unknown"), utf8);
	for (size_t s = 0; s < fig->series_count; s++)
		if (strcmp(fig->series[s], b.ptr) == 0) {
			buf_free(&b);
			return s;
		}
	fig->series = mem_resize(fig->series, fig->series_count + 1, sizeof(*fig->series));
	fig->series[fig->series_count] = b.ptr;
	return fig->series_count++;
}

static void add_mark(struct figure *fig, const struct forest *t, size_t rows, size_t row)
{
	double ratio = number(t, row, RATIO), lo = number(t, row, RATIO_LO),
	       hi = number(t, row, RATIO_HI);
	const char *verdict = forest_cell(t, row, t->at[VERDICT]);
	struct mark *mark = &fig->mark[fig->marks++];

	*mark = (struct mark){ .series = series_of(fig, verdict, t->opts->utf8),
		.x = (double)row,
		.label = label_of(t, rows, row),
		.value = mem_zero(1, sizeof(double)),
		.n = isfinite(ratio) && ratio > 0,
		.s = { .n = 1,
		    .median = ratio,
		    .min = ratio,
		    .max = ratio,
		    .ci_lo = lo > 0 ? lo : NAN,
		    .ci_hi = hi } };
	mark->value[0] = ratio;
	if (!mark->n)
		mark->note = str_copy("no ratio");
	else
		mark->note =
		    str_format("%+.3g%% %s", (ratio - 1) * 100, fig->series[mark->series]);
}

/* Returns whether a mark has an interval with only one end, because samples timed out. */
static bool any_open(const struct figure *fig)
{
	for (size_t i = 0; i < fig->marks; i++)
		if (fig->mark[i].n &&
		    isfinite(fig->mark[i].s.ci_lo) != isfinite(fig->mark[i].s.ci_hi))
			return true;
	return false;
}

static char *title_of(const struct forest *t, size_t rows)
{
	struct buf title = { 0 };

	if (constant(t, rows, t->at[METRIC])) {
		display_text_label(
		    &title, text_of(forest_cell(t, 0, t->at[METRIC])), t->opts->utf8);
		buf_str(&title, ": ");
	}
	buf_str(&title, "new against old");
	return buf_detach(&title);
}

static struct figure *figure_of(
    const struct figure_kind *kind, const struct forest *t, struct fault *f)
{
	size_t rows = t->columns ? t->cells / t->columns : 0, drawn = 0;
	struct figure *fig;

	if (!rows || rows > FIGURE_LANES_MAX) {
		if (rows)
			fault_set(f,
			    "%zu lanes are too many for a plot: select a metric "
			    "with -y, or fewer rows",
			    rows);
		else
			fault_set(f, "no rows, so there is nothing to draw");
		return NULL;
	}
	fig = figure_open(kind);
	fig->mark = mem_zero(rows, sizeof(*fig->mark));
	for (size_t i = 0; i < rows; i++) {
		add_mark(fig, t, rows, i);
		drawn += fig->mark[i].n;
	}
	if (!drawn) {
		fault_set(f, "no row has a ratio above 0");
		figure_free(fig);
		return NULL;
	}
	fig->metric = str_copy("new relative to old");
	fig->unit = str_copy("");
	fig->x_name = str_copy("");
	fig->same_n = true;
	fig->colors = COLORS_OF_VERDICTS;
	figure_set_title(fig, t->opts, title_of(t, rows));
	figure_say(fig, "change from old to new with its unadjusted interval");
	if (any_open(fig))
		figure_say(fig, "an interval up to the edge has no end there");
	for (size_t c = 0; c < t->columns; c++) {
		struct buf b = { 0 };

		if (t->subject[c] && rows > 1 && constant(t, rows, c))
			put_pair(t, &b, 0, c);
		if (b.ptr)
			group_labels_hold(fig, t->name[c], b.ptr);
	}
	return fig;
}

/* Compares the samples of two sides, and parses the table. Returns 0, or -1 and the
 * message.
 */
static int parse_comparison(
    struct forest *t, char *const *file, size_t count, struct fault *f)
{
	struct buf table = { 0 };
	int status = compare_samples(t->opts, file, count, &table, f);

	if (status == 0)
		status = parse_file(
		    t, "the comparison", text_in(&table), f);
	free(table.ptr);
	return status;
}

/* Returns whether these files have samples, not tables of verdicts, by the first file. */
static bool are_samples(
    const struct forest *t, char *const *file, size_t count, struct text contents)
{
	return (count == 2 || t->opts->group) && !is_table(contents) &&
	       strcmp(file[0], "-") != 0;
}

/* Reads tables, or the samples of two sides. Returns 0, or -1 and the message. */
static int read_forest(struct forest *t, char *const *file, size_t count, struct fault *f)
{
	bool compared = false;
	int status = 0;

	for (size_t i = 0; i < count && status == 0 && !compared; i++) {
		struct buf csv = { 0 };
		struct text contents;

		status = file_read(file[i], &csv, f);
		contents = text_in(&csv);
		compared = status == 0 && i == 0 && are_samples(t, file, count, contents);
		if (compared)
			status = parse_comparison(t, file, count, f);
		else if (status == 0 && t->opts->conditions)
			status = fault_set(f,
			    "%s: --filter selects samples, which a table of verdicts does "
			    "not have: give it to bench-compare",
			    file[i]);
		else if (status == 0)
			status = parse_file(t, file[i], contents, f);
		buf_free(&csv);
	}
	return status;
}

static void forest_free(struct forest *t)
{
	for (size_t i = 0; i < t->columns; i++)
		free(t->name[i]);
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->name);
	free(t->cell);
}

struct figure *figure_forest(const struct figure_kind *kind, const struct figure_opts *opts,
    char *const *file, size_t count, struct fault *f)
{
	static char standard_input[] = "-";
	static char *const input[] = { standard_input };
	struct forest t = { .opts = opts };
	struct figure *fig = NULL;
	int status = read_forest(&t, count ? file : input, count ? count : 1, f);

	if (status == 0 && opts->filter)
		status = metric_filter_check(opts->filter, f);
	if (status == 0)
		fig = figure_of(kind, &t, f);
	forest_free(&t);
	return fig;
}
