/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the names; see stream_names.h.
 */
#include <stdlib.h>

#include "record/bench_csv.h"
#include "record/stream_names.h"

enum { ROWS_MOST = 10000 };

struct stream_names {
	struct intern columns, metrics;
	size_t rows;
};

static int add_names(void *ctx, const struct row *row, struct fault *f)
{
	struct stream_names *n = ctx;

	for (size_t id = 0; id < row->schema->count; id++)
		if (row->cell[id].len && column_kind(id) != COLUMN_MEASUREMENT &&
		    id != COL_METRIC && id != COL_UNIT)
			intern_add(&n->columns, text_of(row->schema->name[id]));
	intern_add(&n->metrics, row->cell[COL_METRIC]);
	return ++n->rows < ROWS_MOST ? 0 : fault_set(f, "enough rows");
}

static void read_names(struct stream_names *n, char *const *file, size_t files)
{
	static const struct bench_csv_sink sink = { .row = add_names };
	struct fault ignored;

	for (size_t i = 0; i < files; i++) {
		struct bench_csv *stream = bench_csv_open(&sink, n);

		bench_csv_read(stream, file[i], &ignored);
		bench_csv_close(stream);
	}
}

static void add_copies(struct known_names *k, const struct intern *names)
{
	for (size_t i = 0; i < names->count; i++) {
		struct text t = intern_text(names, i);

		known_names_add(k, text_of(mem_text(t.ptr, t.len)));
	}
}

void stream_names_columns(struct known_names *k, char *const *file, size_t files)
{
	struct stream_names n = { 0 };

	read_names(&n, file, files);
	add_copies(k, &n.columns);
	intern_free(&n.columns);
	intern_free(&n.metrics);
}

void stream_names_metrics(struct known_names *k, char *const *file, size_t files)
{
	struct stream_names n = { 0 };

	read_names(&n, file, files);
	add_copies(k, &n.metrics);
	intern_free(&n.columns);
	intern_free(&n.metrics);
}
