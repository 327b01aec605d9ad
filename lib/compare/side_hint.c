/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the values of columns; see side_hint.h.
 */
#include <stdlib.h>

#include "compare/side_hint.h"
#include "record/bench_csv.h"
#include "text/shell_words.h"

enum { COLUMNS_MOST = 3, VALUES_MOST = 3, VALUE_BYTES = 30 };

/* The values of each column, by its id. */
struct side_values {
	struct intern *values;
	size_t columns, cap;
};

static int add_values(void *ctx, const struct row *row, struct fault *f)
{
	struct side_values *v = ctx;

	(void)f;
	while (v->columns < row->schema->count)
		*VEC_ADD(v->values, v->columns, v->cap) = (struct intern){ 0 };
	for (size_t id = 0; id < row->schema->count; id++)
		if (row->cell[id].len && v->values[id].count <= VALUES_MOST)
			intern_add(&v->values[id], row->cell[id]);
	return 0;
}

/* Appends a column and its first values. */
static void put_column(struct buf *b, const char *name, const struct intern *values)
{
	buf_str(b, "-b ");
	shell_words_put(b, name);
	buf_str(b, " (");
	for (size_t i = 0; i < values->count && i < VALUES_MOST; i++) {
		struct text t = intern_text(values, i);

		buf_printf(b, "%s%.*s%s", i ? ", " : "",
		    (int)(t.len < VALUE_BYTES ? t.len : VALUE_BYTES), t.ptr,
		    t.len < VALUE_BYTES ? "" : "...");
	}
	buf_str(b, values->count > VALUES_MOST ? ", ...)" : ")");
}

/* Appends the columns whose values can be sides: benchmarks and factors, or else those of
 * the provenance. */
static void put_columns(
    struct buf *b, const struct schema *schema, const struct side_values *v)
{
	static const size_t last[] = { COL_COMMIT, COL_HOST, COL_RUN };
	size_t found = 0;

	if (COL_BENCH < v->columns && v->values[COL_BENCH].count > 1 && ++found)
		put_column(b, schema->name[COL_BENCH], &v->values[COL_BENCH]);
	for (size_t id = COL_FACTORS; id < v->columns && found < COLUMNS_MOST; id++)
		if (v->values[id].count > 1) {
			buf_str(b, found++ ? ", " : "");
			put_column(b, schema->name[id], &v->values[id]);
		}
	for (size_t i = 0; i < COUNT(last) && !found; i++)
		if (last[i] < v->columns && v->values[last[i]].count > 1 && ++found)
			put_column(b, schema->name[last[i]], &v->values[last[i]]);
}

int side_hint(
    char *const *path, int files, const char *const *melt, size_t melts, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = add_values };
	struct side_values v = { 0 };
	struct bench_csv *stream;
	struct buf b = { 0 };

	if (files != 1)
		return fault_set(
		    f, "give two files, or one stream with -b COLUMN (%d given)", files);
	stream = bench_csv_open(&sink, &v);
	if (bench_csv_melt(stream, melt, melts, f) == 0 &&
	    bench_csv_read(stream, *path, f) == 0) {
		put_columns(&b, bench_csv_schema(stream), &v);
		fault_set(f, "%s is one file: give a second one to compare with%s%s", *path,
		    b.len ? ", or compare the values of a column: " : "",
		    b.len ? b.ptr : "");
	}
	for (size_t i = 0; i < v.columns; i++)
		intern_free(&v.values[i]);
	free(v.values);
	buf_free(&b);
	bench_csv_close(stream);
	return -1;
}
