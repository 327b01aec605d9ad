/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the rows that have a stack as folded stacks, one a line. They are written at the
 * end, after all rows are known to have the same metric.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/to.h"
#include "text/units.h"

struct writer {
	FILE *out;
	struct buf text;
	long stack, comm; /* column ids, or -1 */
	struct buf metric;
	uint64_t rows;
	bool refused;
};

static void *open_writer(const struct row_writer_opts *o, struct fault *f)
{
	struct writer *w;
	long stack = schema_find(&o->rows->schema, TEXT("stack"));

	if (stack < 0) {
		fault_set(f, "%s: no row has a stack", o->name);
		return NULL;
	}
	w = mem_zero(1, sizeof(*w));
	w->out = o->out->file;
	w->stack = stack;
	w->comm = schema_find(&o->rows->schema, TEXT("comm"));
	return w;
}

/* Appends a stack to a line, with its line ends replaced by spaces. */
static void put_line(struct buf *b, struct text t)
{
	if (!memchr(t.ptr, '\n', t.len) && !memchr(t.ptr, '\r', t.len)) {
		buf_text(b, t);
		return;
	}
	for (size_t i = 0; i < t.len; i++)
		buf_byte(b, t.ptr[i] == '\n' || t.ptr[i] == '\r' ? ' ' : t.ptr[i]);
}

static int put_row(void *writer, const struct row *row, struct fault *f)
{
	struct writer *w = writer;
	struct text stack = row->cell[w->stack], metric = row->cell[COL_METRIC];
	char text[NUMBER_TEXT_MAX];

	if (!stack.len || !row_counts(row))
		return 0;
	if (!w->rows++)
		buf_text(&w->metric, metric);
	w->refused = !text_equal(metric, text_in(&w->metric));
	if (w->refused)
		return fault_set(f,
		    "stacks of several metrics, such as %s and %.*s: choose one with "
		    "--metric",
		    w->metric.ptr, (int)metric.len, metric.ptr);
	if (w->comm >= 0 && row->cell[w->comm].len) {
		put_line(&w->text, row->cell[w->comm]);
		buf_byte(&w->text, ';');
	}
	put_line(&w->text, stack);
	buf_byte(&w->text, ' ');
	if (row->value == floor(row->value) && fabs(row->value) < 0x1p63)
		buf_printf(&w->text, "%lld", (long long)row->value);
	else
		buf_put(&w->text, text, number_print(text, row->value));
	buf_byte(&w->text, '\n');
	return 0;
}

static int close_writer(void *writer, struct fault *f)
{
	struct writer *w = writer;
	int status = 0;

	if (!w->rows)
		status = fault_set(f, "no successful row has a stack");
	else if (!w->refused &&
	         (fwrite(w->text.ptr, 1, w->text.len, w->out) != w->text.len ||
	             fflush(w->out) != 0))
		status = fault_set(f, "standard output");
	buf_free(&w->text);
	buf_free(&w->metric);
	free(w);
	return status;
}

const struct row_writer folded_writer = { open_writer, put_row, close_writer, NULL };
