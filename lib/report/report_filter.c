/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters of rows; see report_filter.h. Rows are kept as CSV. A filter that shows all
 * subjects keeps its rows in the order of the input, and does not look at the subjects;
 * another keeps them by subject, so that it can show the largest. If there are more
 * subjects than it shows, it forgets the rows, and takes those of the chosen subjects from
 * the next pass.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "io/csv_reader.h"
#include "record/derived_columns.h"
#include "record/group.h"
#include "record/metric.h"
#include "report/report_filter.h"
#include "text/units.h"

/* A subject: its rows, and the line that it is a part of. */
struct lane {
	struct buf rows;
	double sum;
	size_t count, line;
};

/* A line, or a subject if there are no lines. */
struct line {
	double sum;
	size_t count;
	size_t head; /* its first lane */
	bool chosen;
};

struct report_filter {
	struct report_filter_opts opts;
	const struct schema *schema;
	struct groups *groups;
	const char **together, *along;
	struct lane *lane;
	size_t lanes, cap, rows;
	bool in_order;  /* all rows are in `all`, and there are no lanes */
	struct buf all; /* begins with the header */
	bool forgot;    /* there were more lanes than are shown */
	struct line *line, **order;
	size_t lines, shown;
};

static void put_header(const struct report_filter *c, struct buf *b)
{
	for (size_t id = 0; id < c->schema->count; id++) {
		if (id)
			buf_byte(b, ',');
		csv_reader_put_field(b, text_of(c->schema->name[id]));
	}
	buf_byte(b, '\n');
}

struct report_filter *report_filter_open(const struct schema *schema,
    const struct schema *coming, const struct report_filter_opts *opts)
{
	struct report_filter *c = mem_zero(1, sizeof(*c));

	c->opts = *opts;
	c->schema = schema;
	c->together = mem_zero(opts->togethers + 1, sizeof(*c->together));
	for (size_t i = 0; i < opts->togethers; i++)
		c->together[i] = opts->together[i];
	c->along = opts->along;
	c->groups = groups_open(coming, &(struct group_by){ .provenance = true,
	                                    .except = c->together,
	                                    .excepts = opts->togethers,
	                                    .also = &c->along,
	                                    .alsos = opts->along != NULL });
	c->in_order = opts->most == SIZE_MAX && !opts->along && !opts->by_size;
	put_header(c, &c->all);
	return c;
}

/* Appends a cell. Whole numbers of JSON may have a form that CSV does not allow. */
static void put_cell(struct buf *b, const struct row *row, size_t id)
{
	const int64_t whole[] = { row->process, row->sample, row->t, row->iterations };
	struct text cell = row->cell[id];
	int64_t same;

	if (id < COL_PROCESS || id > COL_ITERATIONS)
		csv_reader_put_field(b, cell);
	else if (integer_parse(cell, &same))
		buf_text(b, cell);
	else
		buf_printf(b, "%" PRId64, whole[id - COL_PROCESS]);
}

static void put_row(const struct report_filter *c, const struct row *row, struct buf *b)
{
	/* Columns of later tables are empty in this one. */
	for (size_t id = 0; id < c->schema->count; id++) {
		if (id)
			buf_byte(b, ',');
		if (id < row->schema->count && row->cell[id].len)
			put_cell(b, row, id);
	}
	buf_byte(b, '\n');
}

static bool is_or_any(struct text cell, const char *wanted)
{
	return !wanted || text_is(cell, wanted);
}

/* Returns whether the value of a row is the limit of a sample that timed out. */
static bool is_limit(const struct row *row)
{
	return text_is(row->cell[COL_STATUS], "timeout") &&
	       metric_has_limits(row->cell[COL_METRIC]) && row->has_value &&
	       row->value >= 0 && (row->sample >= 0 || row->sample == ROW_NONE);
}

static bool is_main(const struct report_filter_opts *opts, const struct row *row)
{
	const struct inventory_metric *m = inventory_metric_of(
	    opts->inventory, row->cell[COL_METRIC], inventory_is_model(row));

	return m && m->main;
}

static bool wants(const struct report_filter_opts *opts, const struct row *row)
{
	return (opts->failed || row_counts(row) || (opts->timeouts && is_limit(row))) &&
	       opts->kind[inventory_row_kind(row)] &&
	       is_or_any(row->cell[COL_METRIC], opts->metric) &&
	       is_or_any(row->cell[COL_BENCH], opts->bench) &&
	       (!opts->inventory || is_main(opts, row) != opts->others) &&
	       (!opts->models || inventory_is_model(row)) &&
	       (!opts->others_than_models || !inventory_is_model(row)) &&
	       (!opts->newest || newest_has(opts->newest, row));
}

static void forget_rows(struct report_filter *c)
{
	for (size_t i = 0; i < c->lanes; i++)
		buf_free(&c->lane[i].rows);
	c->forgot = true;
}

void report_filter_row(struct report_filter *c, const struct row *row)
{
	size_t i;

	if (!wants(&c->opts, row))
		return;
	c->rows++;
	if (c->in_order) {
		put_row(c, row, &c->all);
		return;
	}
	i = groups_find(c->groups, row);
	if (i == c->lanes) {
		*VEC_ADD(c->lane, c->lanes, c->cap) = (struct lane){ 0 };
		if (c->lanes > c->opts.most && !c->forgot)
			forget_rows(c);
	}
	if (row_counts(row) || is_limit(row)) {
		c->lane[i].sum += row->value;
		c->lane[i].count++;
	}
	if (!c->forgot)
		put_row(c, row, &c->lane[i].rows);
}

bool report_filter_forgot(const struct report_filter *c)
{
	return c->forgot;
}

void report_filter_again(struct report_filter *c, const struct row *row)
{
	struct lane *l;

	if (!c->forgot || !wants(&c->opts, row))
		return;
	l = &c->lane[groups_find(c->groups, row)];
	if (c->line[l->line].chosen)
		put_row(c, row, &l->rows);
}

/* Numbers the lines of the lanes: lanes that differ only in x, and in columns that it
 * determines, form one line. Numbers are in the order of the lanes. */
static size_t *lines_of(const struct report_filter *c)
{
	size_t *column, columns = groups_columns(c->groups, &column);
	long x = schema_find(groups_schema(c->groups), text_of(c->along));
	size_t *all = mem_zero(c->lanes + 1, sizeof(*all)),
	       *line = mem_zero(c->lanes + 1, sizeof(*line));
	bool *derived = mem_zero(columns + 1, sizeof(*derived));
	struct intern seen = { 0 };
	struct buf key = { 0 };

	for (size_t i = 0; i < c->lanes; i++)
		all[i] = i;
	derived_columns_find(c->groups,
	    &(struct derived_opts){ .group = all,
	        .groups = c->lanes,
	        .x = (size_t)x,
	        .column = column,
	        .columns = columns },
	    derived);
	for (size_t i = 0; i < c->lanes; i++) {
		key.len = 0;
		for (size_t k = 0; k < columns; k++)
			if (column[k] != (size_t)x && !derived[k]) {
				struct text t = groups_cell(c->groups, i, column[k]);

				buf_put(&key, &t.len, sizeof(t.len));
				buf_text(&key, t);
			}
		line[i] = intern_add(&seen, text_in(&key));
	}
	intern_free(&seen);
	buf_free(&key);
	free(derived);
	free(column);
	free(all);
	return line;
}

static void join_lanes(struct report_filter *c)
{
	size_t *line = c->opts.along && c->lanes ? lines_of(c) : NULL;

	c->line = mem_zero(c->lanes + 1, sizeof(*c->line));
	for (size_t i = 0; i < c->lanes; i++) {
		struct lane *from = &c->lane[i];
		struct line *into;

		from->line = line ? line[i] : i;
		into = &c->line[from->line];
		if (from->line == c->lines) {
			c->lines++;
			into->head = i;
		}
		into->sum += from->sum;
		into->count += from->count;
		if (c->opts.weight) {
			into->sum = c->opts.weight(c->opts.weight_ctx, c->groups, i);
			into->count = 1;
		}
	}
	free(line);
}

static double mean(const struct line *l)
{
	return l->count ? l->sum / (double)l->count : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a, *y = *(struct line *const *)b;

	return x < y ? -1 : x > y;
}

static int by_mean(const void *a, const void *b)
{
	double p = mean(*(struct line *const *)a), q = mean(*(struct line *const *)b);

	return p != q ? (p < q ? 1 : -1) : by_place(a, b);
}

void report_filter_finish(struct report_filter *c)
{
	join_lanes(c);
	c->order = mem_zero(c->lines + 1, sizeof(struct line *));
	c->shown = c->lines < c->opts.most ? c->lines : c->opts.most;
	for (size_t i = 0; i < c->lines; i++)
		c->order[i] = &c->line[i];
	qsort(c->order, c->lines, sizeof(*c->order), by_mean);
	if (!c->opts.by_size)
		qsort(c->order, c->shown, sizeof(*c->order), by_place);
	for (size_t i = 0; i < c->shown; i++)
		c->order[i]->chosen = true;
}

/* Moves the rows of a lane to the end of a buffer. */
static void move_rows(struct lane *from, struct buf *into)
{
	buf_put(into, from->rows.ptr, from->rows.len);
	buf_free(&from->rows);
}

static void free_lanes(struct report_filter *c)
{
	for (size_t i = 0; c->lane && i < c->lanes; i++)
		buf_free(&c->lane[i].rows);
	free(c->lane);
	free(c->line);
	free(c->order);
	groups_close(c->groups);
	c->lane = NULL;
	c->line = NULL;
	c->order = NULL;
	c->groups = NULL;
}

void report_filter_take(struct report_filter *c, struct buf *b)
{
	for (size_t i = 0; i < c->lanes; i++) {
		struct lane *head = &c->lane[c->line[c->lane[i].line].head];

		if (head != &c->lane[i])
			move_rows(&c->lane[i], &head->rows);
	}
	for (size_t i = 0; i < c->shown; i++)
		move_rows(&c->lane[c->order[i]->head], &c->all);
	free_lanes(c);
	*b = c->all;
	c->all = (struct buf){ 0 };
}

size_t report_filter_subjects(const struct report_filter *c)
{
	return c->lines;
}

size_t report_filter_rows(const struct report_filter *c)
{
	return c->rows;
}

size_t report_filter_left_out(const struct report_filter *c)
{
	return c->lines - c->shown;
}

const char *report_filter_weight(const struct report_filter *c)
{
	return c->opts.weight_name ? c->opts.weight_name : "values";
}

bool report_filter_is_along(const struct report_filter *c)
{
	return c->along;
}

void report_filter_close(struct report_filter *c)
{
	free_lanes(c);
	buf_free(&c->all);
	free(c->together);
	free(c);
}
