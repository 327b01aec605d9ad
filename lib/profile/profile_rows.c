/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a profile as rows; see profile_rows.h.
 */
#include <math.h>
#include <stdlib.h>

#include "host/host.h"
#include "io/row_output.h"
#include "profile/profile_rows.h"
#include "record/provenance.h"
#include "record/record.h"

struct writer {
	const struct profile_rows *rows;
	struct schema schema;
	struct cell *cell, *out; /* by column id; and in the order of the columns */
	size_t *order;
	size_t stack, comm; /* column ids */
	uint64_t written;   /* number of rows */
	struct render *render;
};

static void set_cell(struct writer *w, size_t column, struct text text)
{
	w->cell[column] = CELL_OF_TEXT(text);
}

static void learn_columns(struct writer *w, const struct output *out)
{
	const struct profile_rows *p = w->rows;
	struct render_column *column;

	schema_init(&w->schema);
	for (size_t i = 0; i < p->labels; i++)
		schema_add(&w->schema, text_of(p->label[i].name));
	w->comm = schema_add(&w->schema, TEXT("comm"));
	w->stack = schema_add(&w->schema, TEXT("stack"));
	w->cell = mem_zero(w->schema.count, sizeof(*w->cell));
	w->out = mem_zero(w->schema.count, sizeof(*w->out));
	w->order = mem_zero(w->schema.count, sizeof(*w->order));
	schema_order(&w->schema, w->order);
	column = mem_zero(w->schema.count, sizeof(*column));
	for (size_t i = 0; i < w->schema.count; i++)
		column[i] = (struct render_column){ .name = w->schema.name[w->order[i]],
			.rank = column_rank(w->order[i]) };
	w->render = render_open(out, column, w->schema.count);
	free(column);
	for (size_t i = 0; i < p->labels; i++)
		set_cell(w, schema_add(&w->schema, text_of(p->label[i].name)),
		    text_of(p->label[i].value));
}

static void put_row(struct writer *w, const struct profile_metric *metric, double value)
{
	set_cell(w, COL_METRIC, text_of(metric->name));
	set_cell(w, COL_UNIT, text_of(metric->unit));
	w->cell[COL_VALUE] = CELL_OF_NUMBER(value);
	for (size_t i = 0; i < w->schema.count; i++)
		w->out[i] = w->cell[w->order[i]];
	render_row(w->render, w->out);
	w->written++;
}

/* Writes the last row, which describes the run and no stack. */
static void put_end_mark(struct writer *w)
{
	static const struct profile_metric mark = { END_MARK_METRIC, "1" };

	for (size_t i = 0; i < w->schema.count; i++)
		if (column_kind(i) != COLUMN_PROVENANCE)
			w->cell[i] = (struct cell){ .kind = CELL_EMPTY };
	set_cell(w, COL_STATUS, TEXT("ok"));
	put_row(w, &mark, (double)w->written);
}

static void put_stacks(struct writer *w, const struct stack_symbols *fold)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < fold->stacks.count; i++) {
		if (!stack_symbols_ends(fold, i))
			continue;
		text.len = 0;
		stack_symbols_text(fold, (uint32_t)i, false, &text);
		set_cell(w, w->stack, text_in(&text));
		set_cell(w, w->comm, stack_symbols_program(fold, (uint32_t)i));
		for (unsigned k = 0; k < fold->stacks.width; k++)
			put_row(w, &w->rows->metric[k],
			    (double)stacks_value(&fold->stacks, i, k));
	}
	buf_free(&text);
}

int profile_rows_print(const struct profile_rows *p, const struct stack_symbols *fold,
    const struct output *out, const char *name, struct fault *f)
{
	char run[PROVENANCE_RUN_MAX], time[PROVENANCE_TIME_MAX], env[HOST_HASH_SIZE],
	    host[HOST_NAME_SIZE];
	struct writer w = { .rows = p };
	struct host facts = { 0 };
	int status = host_read(&facts, "/", HOST_STABLE, f);

	if (status == 0) {
		learn_columns(&w, out);
		provenance_run(run);
		host_env_hash(&facts, env);
		host_explain(&facts, p->note);
		host_name(host);
		set_cell(&w, COL_RUN, text_of(run));
		set_cell(&w, COL_TIME,
		    (struct text){ time, provenance_time(time, p->begun_ns) });
		set_cell(&w, COL_HOST, text_of(host));
		set_cell(&w, COL_ENV, text_of(env));
		set_cell(&w, COL_COMMIT, text_of(p->commit));
		set_cell(&w, COL_KIND, TEXT("command"));
		set_cell(&w, COL_BENCH, text_of(p->bench));
		set_cell(&w, COL_SAMPLE, TEXT("0"));
		set_cell(&w, COL_ITERATIONS, TEXT("1"));
		set_cell(&w, COL_STATUS, text_of(p->status));
		put_stacks(&w, fold);
		set_cell(&w, w.stack, TEXT(""));
		set_cell(&w, w.comm, TEXT(""));
		if (isnan(p->lost))
			set_cell(&w, COL_STATUS, TEXT("skipped"));
		put_row(&w, p->lost_metric, p->lost);
		if (p->complete)
			put_end_mark(&w);
		status = render_close(w.render);
		if (status < 0)
			fault_errno(f, "%s", name);
		schema_free(&w.schema);
	}
	free(w.cell);
	free(w.out);
	free(w.order);
	host_free(&facts);
	return status;
}

int profile_folded_print(const struct stack_symbols *fold, unsigned which, FILE *out)
{
	struct row_output lines;
	int status;

	row_output_init(&lines, out);
	for (size_t i = 0; i < fold->stacks.count; i++) {
		uint64_t value = stacks_value(&fold->stacks, i, which);

		if (!value)
			continue;
		stack_symbols_text(fold, (uint32_t)i, fold->programs, &lines.bytes);
		buf_printf(&lines.bytes, " %llu\n", (unsigned long long)value);
		row_output_end_row(&lines);
	}
	status = row_output_flush(&lines);
	row_output_free(&lines);
	return status;
}
