/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exports the rows of the selected series as one table. The first pass collects the
 * factors, and the second pass writes the rows; both see the same state of the database.
 *
 * Rows are written by the time of their runs. If runs were added in this order, it is that
 * of the ids of the series, in which the database reads them without sorting. The first
 * pass over a whole database finds out.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/anonymize.h"
#include "record/factors.h"
#include "record/row_cell.h"
#include "store/store_chunks.h"
#include "store/store_names_priv.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/stamp.h"

enum { FLUSH_ROWS = 1 << 16 };

/*
 * The columns of benchmark_history that are columns of the stream, in the order of the
 * queries.
 */
static const enum column origin[] = { COL_RUN, COL_HOST, COL_ENV, COL_COMMIT, COL_KIND,
	COL_BENCH, COL_METRIC, COL_UNIT };
static const char select_factors[] = "SELECT factors FROM benchmark_history";
static const char select_all_factors[] =
    "SELECT factors, run_id, at FROM benchmark_history";
static const char select_series[] =
    "SELECT factors, run, host, env, commit_id, kind, bench, metric, unit, result_id,"
    " row_count FROM benchmark_history";
static const char select_end[] =
    "SELECT expected_rows, ended, host, env, commit_id, row_count FROM benchmark_runs"
    " WHERE run = $1 AND expected_rows IS NOT NULL";

struct store_exporting {
	struct store *store;
	struct store_output *out;
	struct schema schema;
	size_t *order;      /* column ids in the order of output */
	struct cell *cell;  /* by id */
	struct cell *line;  /* by position */
	struct buf factors; /* bytes of the factors of the series */
	bool foreign;       /* whether a factor has an invalid name */
	struct intern texts;
	struct pack_rows rows;
	struct render *render;
	uint64_t unflushed;
	struct query *run_end; /* query for the end mark of a run; NULL: write none */
	bool by_id;            /* the order of ids is that of runs */
	bool has_last; /* in the first pass, there was a series; its run and its time */
	int64_t last_run;
	struct buf last_at;
	struct buf run;        /* the current run */
	int64_t run_rows;      /* the number of rows of the current run that were written */
	uint64_t timeless; /* rows whose time was left empty, because it is no time ... */
	struct buf first_time; /* ... the first of these strings ... */
	struct buf first_run;  /* ... and its run */
};

static void learn_factor(void *ctx, struct factor f)
{
	struct store_exporting *e = ctx;

	schema_add(&e->schema, f.name);
}

static int bad_factors(const struct store_exporting *e, struct fault *f)
{
	return fault_set(f, "%s: the factors of a series are damaged", e->store->name);
}

/* Learns the names of factors that differ from the previous ones. */
static int learn_names(struct store_exporting *e, struct text factors, struct fault *f)
{
	if (text_equal(factors, text_in(&e->factors)))
		return 0;
	e->factors.len = 0;
	buf_text(&e->factors, factors);
	return factors_read(factors, learn_factor, e) ? 0 : bad_factors(e, f);
}

static int order_of_times(struct text a, struct text b)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	int order = len ? memcmp(a.ptr, b.ptr, len) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Notes whether a series follows the previous ones in the order of runs. */
static void note_order(struct store_exporting *e, int64_t run_id, struct text at)
{
	struct text last = text_in(&e->last_at);
	int order;

	if (e->has_last && run_id == e->last_run)
		return;
	order = e->has_last ? order_of_times(at, last) : 1;
	e->by_id = order > 0 || (order == 0 && run_id > e->last_run);
	e->has_last = true;
	e->last_run = run_id;
	e->last_at.len = 0;
	buf_text(&e->last_at, at);
}

/* Collects the factors of all series, in the order in which they were first added. */
static int learn_factors(
    struct store_exporting *e, const struct store_filter *filter, struct fault *f)
{
	struct query *q;
	int got;

	e->by_id = store_filter_is_empty(filter);
	q = e->by_id ? store_filter_query(e->store->db, filter, select_all_factors,
	                   "ORDER BY result_id", 1, f)
	             : store_filter_query(e->store->db, filter, select_factors,
	                   "GROUP BY factors ORDER BY min(result_id)", 1, f);
	got = q ? 1 : -1;
	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		if (learn_names(e, query_text(q, 0), f) < 0)
			got = -1;
		else if (e->by_id)
			note_order(e, query_integer(q, 1), query_text(q, 2));
	}
	query_close(q);
	return got;
}

/* Replaces the text of a cell if it identifies a machine or its user. */
static void hide_cell(struct store_exporting *e, size_t id)
{
	struct cell *cell = &e->cell[id], *kind = &e->cell[COL_KIND];

	if (e->out->names && cell->kind == CELL_TEXT)
		cell->text = anonymize_cell(e->out->names, text_of(e->schema.name[id]),
		    kind->kind == CELL_TEXT ? kind->text : TEXT(""), cell->text);
}

static void hide_cells(struct store_exporting *e)
{
	for (size_t id = 0; id < e->schema.count; id++)
		hide_cell(e, id);
}

static void open_table(struct store_exporting *e)
{
	size_t all = e->schema.count;
	struct render_column *column = mem_zero(all, sizeof(*column));

	e->order = mem_zero(all, sizeof(*e->order));
	e->cell = mem_zero(all, sizeof(*e->cell));
	e->line = mem_zero(all, sizeof(*e->line));
	schema_order(&e->schema, e->order);
	for (size_t i = 0; i < all; i++) {
		const char *name = e->schema.name[e->order[i]];

		column[i] = (struct render_column){
			.name = e->out->names
			            ? anonymize_column(e->out->names, text_of(name)).ptr
			            : name,
			.plain_only = e->order[i] == COL_UNIT,
			.rank = column_rank(e->order[i]),
			.factor = column_rank(e->order[i]) > 0
		};
	}
	e->render = render_open(&e->out->to, column, all);
	free(column);
}

/*
 * Strings of the factors go into the buffer first; the cells are set once the buffer is
 * complete.
 */
static void put_factor(void *ctx, struct factor f)
{
	struct store_exporting *e = ctx;
	long id = schema_find(&e->schema, f.name);
	struct cell *cell;

	if (id < COL_FACTORS) { /* damaged: the index and the table disagree */
		e->foreign = true;
		return;
	}
	cell = &e->cell[id];
	*cell = CELL_OF_TEXT(((struct text){ NULL, f.value.len }));
	cell->number = (double)e->factors.len;
	buf_text(&e->factors, f.value);
}

static int set_factors(struct store_exporting *e, struct text json, struct fault *f)
{
	e->factors.len = 0;
	for (size_t id = COL_FACTORS; id < e->schema.count; id++)
		e->cell[id] = (struct cell){ .kind = CELL_EMPTY };
	if (!factors_read(json, put_factor, e) || e->foreign)
		return bad_factors(e, f);
	for (size_t id = COL_FACTORS; id < e->schema.count; id++)
		if (e->cell[id].kind == CELL_TEXT)
			e->cell[id].text.ptr = e->factors.ptr + (size_t)e->cell[id].number;
	return 0;
}

/*
 * Returns the cell of a time. Versions of bench-store that did not check the column stored
 * any string, which readers refuse: it is left empty and counted.
 */
static struct cell cell_of_time(struct store_exporting *e, struct text t)
{
	int64_t ns;
	int digits;

	if (!t.len || stamp_parse(t, &ns, &digits))
		return CELL_OF_TEXT(t);
	if (e->timeless++ == 0) {
		display_text_clean(&e->first_time, t);
		display_text_clean(&e->first_run, text_in(&e->run));
	}
	return (struct cell){ .kind = CELL_EMPTY };
}

static void warn_timeless(struct store_exporting *e)
{
	if (e->timeless && e->out->warnings)
		buf_printf(e->out->warnings,
		    "%s: exported %" PRIu64 " row%s with an empty time, because the text "
		    "there is not a time; the first is '%s' in run %s\n",
		    e->store->name, e->timeless, plural_s(e->timeless), e->first_time.ptr,
		    e->first_run.ptr);
	buf_free(&e->first_time);
	buf_free(&e->first_run);
}

static void put_row(struct store_exporting *e, const struct pack_row *row)
{
	char time[STAMP_MAX];

	e->cell[COL_PROCESS] = row_cell_integer(row->process);
	e->cell[COL_SAMPLE] = row_cell_integer(row->sample);
	e->cell[COL_T] = row_cell_integer(row->t);
	e->cell[COL_ITERATIONS] = row_cell_integer(row->iterations);
	e->cell[COL_TIME] = row->time_form == PACK_TIME_TEXT
	                        ? cell_of_time(e, pack_time_text(row, &e->texts, time))
	                        : CELL_OF_TEXT(pack_time_text(row, &e->texts, time));
	e->cell[COL_STATUS] = CELL_OF_TEXT(intern_text(&e->texts, row->status));
	hide_cell(e, COL_TIME);
	hide_cell(e, COL_STATUS);
	e->cell[COL_VALUE] = CELL_OF_NUMBER(row->value);
	e->cell[COL_VALUE].unit = e->cell[COL_UNIT].text.ptr;
	e->cell[COL_RUNNING_PCT] = CELL_OF_NUMBER(row->running_pct);
	for (size_t i = 0; i < e->schema.count; i++)
		e->line[i] = e->cell[e->order[i]];
	render_row(e->render, e->line);
	e->out->printed = true;
}

/* Detects a closed pipe before all rows were read. */
static int flush_some(struct store_exporting *e, size_t rows, struct fault *f)
{
	e->unflushed += rows;
	if (e->unflushed < FLUSH_ROWS)
		return 0;
	e->unflushed = 0;
	if (render_flush(e->render) == 0)
		return 0;
	e->out->error = errno;
	return fault_errno(f, "standard output");
}

/* Sets the cells of an end mark from a row of run_end. */
static void set_end_mark(struct store_exporting *e)
{
	static const enum column columns[] = { COL_TIME, COL_HOST, COL_ENV, COL_COMMIT };

	for (size_t i = 0; i < e->schema.count; i++)
		e->cell[i] = (struct cell){ .kind = CELL_EMPTY };
	e->cell[COL_RUN] = CELL_OF_TEXT((text_in(&e->run)));
	for (size_t i = 0; i < COUNT(columns); i++)
		e->cell[columns[i]] = CELL_OF_TEXT(query_text(e->run_end, (int)i + 1));
	e->cell[COL_TIME] = cell_of_time(e, e->cell[COL_TIME].text);
	e->cell[COL_METRIC] = CELL_OF_TEXT(TEXT(END_MARK_METRIC));
	e->cell[COL_UNIT] = CELL_OF_TEXT(TEXT("1"));
	e->cell[COL_VALUE] = CELL_OF_INTEGER(query_integer(e->run_end, 0));
	e->cell[COL_STATUS] = CELL_OF_TEXT(TEXT("ok"));
	hide_cells(e);
}

/* Writes the end mark of the current run, if it has one and all its rows were written. A
 * run without an end mark is then known to be cut, unless rows were selected, in which case
 * no run gets one. */
static int end_run(struct store_exporting *e, struct fault *f)
{
	int got;

	if (!e->run.len || !e->run_end)
		return 0;
	query_bind_text(e->run_end, 1, text_in(&e->run));
	got = query_next(e->run_end, f);
	if (got > 0 && query_integer(e->run_end, 5) == e->run_rows) {
		set_end_mark(e);
		for (size_t i = 0; i < e->schema.count; i++)
			e->line[i] = e->cell[e->order[i]];
		render_row(e->render, e->line);
	}
	query_rewind(e->run_end);
	return got < 0 ? -1 : 0;
}

/* Ends the current run if the next series belongs to another run. */
static int begin_run(struct store_exporting *e, struct text run, struct fault *f)
{
	if (text_equal(run, text_in(&e->run)))
		return 0;
	if (end_run(e, f) < 0)
		return -1;
	e->run.len = 0;
	e->run_rows = 0;
	buf_text(&e->run, run);
	return 0;
}

static int put_series(struct store_exporting *e, struct query *series,
    struct store_chunks *chunks, struct fault *f)
{
	int64_t rows = 0;
	int got;

	if (begin_run(e, query_text(series, 1), f) < 0)
		return -1;

	for (size_t i = 0; i < COUNT(origin); i++)
		e->cell[origin[i]] = CELL_OF_TEXT(query_text(series, (int)i + 1));
	if (set_factors(e, query_text(series, 0), f) < 0)
		return -1;
	/* Those of the last row of the previous series are no longer valid. */
	e->cell[COL_TIME] = e->cell[COL_STATUS] = (struct cell){ .kind = CELL_EMPTY };
	hide_cells(e);
	store_chunks_begin(chunks, query_integer(series, COUNT(origin) + 1));
	while ((got = store_chunks_next(chunks, f)) > 0) {
		e->rows.count = 0;
		if (pack_decode(chunks->data, &e->texts, &e->rows, f) < 0)
			return fault_prefix(f, "%s", e->store->name);
		for (size_t i = 0; i < e->rows.count; i++)
			put_row(e, &e->rows.row[i]);
		rows += (int64_t)e->rows.count;
		if (flush_some(e, e->rows.count, f) < 0)
			return -1;
	}
	e->run_rows += rows;
	if (got == 0 && rows != query_integer(series, COUNT(origin) + 2))
		return fault_set(f,
		    "%s: damaged: a series has only %" PRId64 " of its %" PRId64 " samples",
		    e->store->name, rows, query_integer(series, COUNT(origin) + 2));
	return got;
}

static int put_all(
    struct store_exporting *e, const struct store_filter *filter, struct fault *f)
{
	struct store_chunks chunks = { 0 };
	struct query *series;
	bool marks = store_filter_is_of_runs(filter);
	int got = -1;

	series = store_filter_query(e->store->db, filter, select_series,
	    e->by_id ? "ORDER BY result_id" : "ORDER BY at, run_id, result_id", 1, f);
	if (series && marks)
		e->run_end = db_query(e->store->db, select_end, f);
	if (series && (e->run_end || !marks) &&
	    store_chunks_open(&chunks, e->store, f) == 0) {
		query_many(series);
		store_chunks_read_ahead(&chunks);
		open_table(e);
		while ((got = query_next(series, f)) > 0)
			if (put_series(e, series, &chunks, f) < 0) {
				got = -1;
				break;
			}
		if (got == 0)
			got = end_run(e, f);
	}
	store_chunks_close(&chunks);
	query_close(e->run_end);
	query_close(series);
	return got;
}

int store_export(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f)
{
	struct store_exporting e = { .store = s, .out = out };
	struct fault late;
	int status = db_begin_reading(s->db, f);

	schema_init(&e.schema);
	if (status == 0) {
		status = learn_factors(&e, filter, f);
		if (status == 0 && out->names)
			status = store_learn_names(s, filter, out->names, f);
		status = status == 0 ? put_all(&e, filter, f) : status;
		db_rollback(s->db);
	}
	if (e.render && store_printed(e.render, out, status == 0 ? f : &late) < 0)
		status = -1;
	warn_timeless(&e);
	schema_free(&e.schema);
	intern_free(&e.texts);
	buf_free(&e.factors);
	buf_free(&e.last_at);
	buf_free(&e.run);
	free(e.rows.row);
	free(e.order);
	free(e.cell);
	free(e.line);
	return status;
}

/* Prints the facts of a query with replacements. */
static int print_hidden_facts(struct query *q, struct store_output *out, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "env" },
		{ .name = "fact" }, { .name = "value" } };
	struct anonymizer *names = out->names;
	struct render *r = NULL;
	struct fault late;
	int got;

	query_many(q);
	while ((got = query_next(q, f)) > 0) {
		struct text fact = query_text(q, 1);

		if (!r)
			r = render_open(&out->to, columns, COUNT(columns));
		render_row(
		    r, (struct cell[]){ CELL_OF_TEXT(anonymize_cell(names, TEXT("env"),
		                            TEXT(""), query_text(q, 0))),
		           CELL_OF_TEXT(anonymize_fact(names, fact)),
		           CELL_OF_TEXT(
		               anonymize_fact_value(names, fact, query_text(q, 2))) });
	}
	out->printed |= r != NULL;
	if (!r && got == 0)
		r = render_open(&out->to, columns, COUNT(columns));
	if (r && store_printed(r, out, got == 0 ? f : &late) < 0)
		got = -1;
	return got;
}

int store_export_facts(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f)
{
	bool all = store_filter_is_empty(filter);
	struct query *q = store_filter_query(s->db, filter,
	    all ? "SELECT env, fact, value FROM hardware_info"
	        : "SELECT env, fact, value FROM hardware_info WHERE env IN"
	          " (SELECT env FROM benchmark_history",
	    all ? "ORDER BY env, fact" : ") ORDER BY env, fact", 1, f);
	int status = -1;

	if (q && !out->names)
		status = store_print(q, out, f);
	else if (q && store_learn_names(s, filter, out->names, f) == 0)
		status = print_hidden_facts(q, out, f);
	query_close(q);
	return status;
}
