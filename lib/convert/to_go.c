/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the text of Go's benchmarks for benchstat: one line for the values of each sample.
 * Spaces in names become underscores. A value that has no unit of Go gets its metric and
 * its unit as the unit. The factor pkg is a separate line before the lines that it applies
 * to, as go test writes it, so that names equal those of Go.
 */
#include <ctype.h>
#include <stdlib.h>

#include "convert/row_builder.h"
#include "convert/to.h"
#include "text/units.h"

struct writer {
	FILE *out;
	struct buf text;
	struct buf name, metric; /* of the current line, and its first metric */
	struct buf pkg;
	int64_t process, sample, iterations;
	uint64_t rows;
};

static void *open_writer(const struct output *o, struct fault *f)
{
	struct writer *w = mem_zero(1, sizeof(*w));

	(void)f;
	w->out = o->out;
	return w;
}

static void put_word(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		buf_byte(
		    b, (unsigned char)t.ptr[i] <= ' ' || t.ptr[i] == 0x7f ? '_' : t.ptr[i]);
}

static void put_name(struct buf *b, const struct row *row)
{
	const struct schema *schema = row->schema;
	struct text bench = row->cell[COL_BENCH];
	long procs = schema_find(schema, TEXT("procs")),
	     pkg = schema_find(schema, TEXT("pkg"));

	buf_str(b, "Benchmark");
	if (bench.len && !isupper((unsigned char)bench.ptr[0]) &&
	    !isdigit((unsigned char)bench.ptr[0]))
		buf_byte(b, '_');
	put_word(b, bench);
	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = row->cell[i];

		if (!value.len || (long)i == procs || (long)i == pkg)
			continue;
		buf_byte(b, '/');
		put_word(b, text_of(schema->name[i]));
		buf_byte(b, '=');
		put_word(b, value);
	}
	if (procs >= 0 && row->cell[procs].len) {
		buf_byte(b, '-');
		put_word(b, row->cell[procs]);
	}
}

static void put_value(struct buf *b, const struct row *row)
{
	static const struct {
		const char *metric, *unit, *gos;
		int exponent;
	} units[] = {
		{ "wall", "ns", "ns/op", 0 },
		{ "alloc_bytes", "B", "B/op", 0 },
		{ "alloc_calls", "1", "allocs/op", 0 },
		{ "bandwidth", "B/s", "MB/s", -6 },
	};
	struct text metric = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	char text[NUMBER_TEXT_MAX];

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(metric, units[i].metric) && text_is(unit, units[i].unit)) {
			double value = units[i].exponent
			                   ? decimal_shift(row->value, units[i].exponent)
			                   : row->value;

			buf_put(b, text, number_print(text, value));
			buf_printf(b, " %s", units[i].gos);
			return;
		}
	buf_put(b, text, number_print(text, row->value));
	buf_byte(b, ' ');
	put_word(b, metric);
	if (unit.len && !text_is(unit, "1")) {
		buf_byte(b, '-');
		put_word(b, unit);
	}
}

static bool is_same_text(struct buf *kept, struct text t)
{
	bool equal = text_equal((struct text){ kept->ptr, kept->len }, t);

	kept->len = 0;
	buf_put(kept, t.len ? t.ptr : "", t.len);
	return equal;
}

/* Begins a new line unless the row belongs to the sample of the current line.
 */
static void put_line(struct writer *w, const struct row *row)
{
	struct buf name = { 0 };
	struct text first = { w->metric.ptr, w->metric.len };
	long pkg = schema_find(row->schema, TEXT("pkg"));
	bool more, moved, renamed;

	put_name(&name, row);
	moved = !is_same_text(&w->pkg, pkg >= 0 ? row->cell[pkg] : TEXT(""));
	renamed = !is_same_text(&w->name, (struct text){ name.ptr, name.len });
	more = !moved && !renamed && w->rows && w->process == row->process &&
	       w->sample == row->sample && w->iterations == row->iterations &&
	       !text_equal(first, row->cell[COL_METRIC]);
	buf_free(&name);
	if (more)
		return;
	is_same_text(&w->metric, row->cell[COL_METRIC]);
	w->process = row->process;
	w->sample = row->sample;
	w->iterations = row->iterations;
	if (w->rows)
		buf_byte(&w->text, '\n');
	if (moved) {
		buf_str(&w->text, "pkg: ");
		put_word(&w->text, (struct text){ w->pkg.ptr, w->pkg.len });
		buf_byte(&w->text, '\n');
	}
	buf_text(&w->text, (struct text){ w->name.ptr, w->name.len });
	buf_printf(
	    &w->text, "\t%lld", row->iterations > 0 ? (long long)row->iterations : 1);
}

static int put_row(void *writer, const struct row *row, struct fault *f)
{
	struct writer *w = writer;

	if (!row_counts(row) || row->t != ROW_NONE)
		return 0;
	put_line(w, row);
	w->rows++;
	buf_byte(&w->text, '\t');
	put_value(&w->text, row);
	if (w->text.len < 1 << 16)
		return 0;
	if (fwrite(w->text.ptr, 1, w->text.len, w->out) != w->text.len)
		return fault_set(f, "standard output");
	w->text.len = 0;
	return 0;
}

static int close_writer(void *writer, struct fault *f)
{
	struct writer *w = writer;
	int status = 0;

	buf_byte(&w->text, '\n');
	if (!w->rows)
		status =
		    fault_set(f, "no successful row has a value outside a time series");
	else if (fwrite(w->text.ptr, 1, w->text.len, w->out) != w->text.len ||
	         fflush(w->out) != 0)
		status = fault_set(f, "standard output");
	buf_free(&w->text);
	buf_free(&w->name);
	buf_free(&w->metric);
	buf_free(&w->pkg);
	free(w);
	return status;
}

const struct row_writer go_writer = { open_writer, put_row, close_writer, NULL };
