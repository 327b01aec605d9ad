/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anonymizes a stream; see anonymize_stream.h. */
#include <stdlib.h>

#include "io/csv_reader.h"
#include "record/anonymize_stream.h"
#include "record/bench_csv.h"

struct anonymizing {
	struct anonymizer *names;
	struct buf *out;
	size_t *order;  /* of the columns */
	size_t columns; /* of the current table of the output; 0: there is none */
	uint64_t table; /* of the input, to which it belongs */
	bool facts;     /* the current table has facts */
};

static int learn_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	for (size_t i = 0; i < row->schema->count; i++)
		if (row->cell[i].len)
			anonymizer_learn(ctx, text_of(row->schema->name[i]), row->cell[i]);
	return 0;
}

static int learn_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f)
{
	(void)f;
	(void)env;
	anonymizer_learn(ctx, fact, value);
	return 0;
}

static int read_stream(const struct bench_csv_sink *sink, void *ctx, const char *name,
    struct text stream, struct fault *f)
{
	struct bench_csv *reader = bench_csv_open(sink, ctx);
	int status = bench_csv_read_text(reader, name, stream, f);

	bench_csv_close(reader);
	return status;
}

int anonymizer_learn_stream(
    struct anonymizer *a, const char *name, struct text stream, struct fault *f)
{
	static const struct bench_csv_sink sink = {
		.row = learn_row, .end_mark = learn_row, .fact = learn_fact
	};

	return read_stream(&sink, a, name, stream, f);
}

static void put_field(struct buf *out, struct text t, size_t position)
{
	if (position)
		buf_byte(out, ',');
	csv_reader_put_field(out, t);
}

/* Begins a table that has the columns of a row. */
static void begin_rows(struct anonymizing *s, const struct row *row)
{
	const struct schema *schema = row->schema;

	s->order = mem_resize(s->order, schema->count, sizeof(*s->order));
	schema_order(schema, s->order);
	for (size_t i = 0; i < schema->count; i++)
		put_field(s->out,
		    anonymize_column(s->names, text_of(schema->name[s->order[i]])), i);
	buf_byte(s->out, '\n');
	s->columns = schema->count;
	s->table = row->table;
	s->facts = false;
}

static int put_row(void *ctx, const struct row *row, struct fault *f)
{
	struct anonymizing *s = ctx;

	(void)f;
	if (s->columns != row->schema->count || s->table != row->table || s->facts)
		begin_rows(s, row);
	for (size_t i = 0; i < s->columns; i++) {
		size_t id = s->order[i];

		put_field(s->out,
		    anonymize_cell(s->names, text_of(row->schema->name[id]),
		        row->cell[COL_KIND], row->cell[id]),
		    i);
	}
	buf_byte(s->out, '\n');
	return 0;
}

static int put_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f)
{
	struct anonymizing *s = ctx;

	(void)f;
	if (!s->facts)
		buf_str(s->out, "env,fact,value\n");
	s->facts = true;
	put_field(s->out, anonymize_cell(s->names, TEXT("env"), TEXT(""), env), 0);
	put_field(s->out, anonymize_fact(s->names, fact), 1);
	put_field(s->out, anonymize_fact_value(s->names, fact, value), 2);
	buf_byte(s->out, '\n');
	return 0;
}

int anonymize_stream(struct anonymizer *a, const char *name, struct text stream,
    struct buf *out, struct fault *f)
{
	static const struct bench_csv_sink sink = {
		.row = put_row, .end_mark = put_row, .fact = put_fact
	};
	struct anonymizing s = { .names = a, .out = out };
	int status;

	if (out->len && out->ptr[out->len - 1] != '\n')
		buf_byte(out, '\n');
	status = read_stream(&sink, &s, name, stream, f);
	free(s.order);
	return status;
}
