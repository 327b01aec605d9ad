/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the CSV of memray transform csv: allocations that existed at the peak of memory. A
 * stack has its innermost frame first, and bars between frames; a frame is a function, a
 * file and a line, with semicolons between them. The lines of a function are added up, so
 * that stacks remain comparable when the source changes.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "convert/from.h"
#include "convert/stack_names.h"
#include "io/csv_table.h"
#include "text/units.h"

static const char *const names[] = { "stack_trace", "size", "num_allocations" };

/* The metrics of the columns after that of the stack. */
static const struct {
	const char *metric, *unit;
} metrics[] = { { "peak_bytes", "B" }, { "peak_calls", "1" } };

static bool memray_csv_recognize(const struct source *s)
{
	struct text rest = s->text, line;
	struct csv_table table = { 0 };
	size_t at[COUNT(names)];
	struct fault ignored;
	bool found = false;

	if (s->doc || !line_next(&rest, &line))
		return false;
	if (csv_table_open(&table, line, s->name, &ignored) == 0)
		found = csv_table_column(&table, "allocator") >= 0 &&
		        csv_table_require(&table, names, COUNT(names), at, &ignored) == 0;
	csv_table_free(&table);
	return found;
}

/* Sums of the allocations that have the same stack. */
struct memray_sums {
	struct csv_table table;
	size_t at[COUNT(names)];
	struct intern stacks;
	double (*sum)[COUNT(metrics)]; /* by stack */
	size_t sums, cap;
	struct text *frame; /* of the current stack, the innermost first */
	size_t frames, frame_cap;
	struct buf stack, name;
};

/* Appends a frame: the function and, in parentheses, its file. */
static void put_frame(struct memray_sums *m, struct text frame)
{
	const struct text function = text_until(&frame, ';');
	const char *line = frame.len ? memrchr(frame.ptr, ';', frame.len) : NULL;

	m->name.len = 0;
	buf_text(&m->name, function);
	if (line) {
		buf_str(&m->name, " (");
		buf_text(&m->name, (struct text){ frame.ptr, (size_t)(line - frame.ptr) });
		buf_byte(&m->name, ')');
	}
	if (m->stack.len)
		buf_byte(&m->stack, ';');
	if (m->name.len)
		stack_put_function(&m->stack, text_in(&m->name));
	else
		stack_put_object(&m->stack, TEXT(""));
}

/* Builds the current stack, the outermost frame first. */
static void read_stack(struct memray_sums *m, struct text stack)
{
	m->frames = m->stack.len = 0;
	do
		*VEC_ADD(m->frame, m->frames, m->frame_cap) = text_until(&stack, '|');
	while (stack.len);
	for (size_t i = m->frames; i-- > 0;)
		put_frame(m, m->frame[i]);
}

/* Adds the numbers of the current row to its stack. */
static int add_row(struct memray_sums *m, struct fault *f)
{
	size_t number;

	if (csv_table_expect(&m->table, m->table.columns, f) < 0)
		return -1;
	read_stack(m, csv_table_field(&m->table, m->at[0]));
	number = intern_add(&m->stacks, text_in(&m->stack));
	if (number == m->sums)
		memset(VEC_ADD(m->sum, m->sums, m->cap), 0, sizeof(*m->sum));
	for (size_t i = 0; i < COUNT(metrics); i++) {
		const struct text field = csv_table_field(&m->table, m->at[i + 1]);
		int64_t x;

		if (!integer_parse(field, &x) || x < 0)
			return csv_table_fault(&m->table, f,
			    "%s is not a whole number: '%.*s'", names[i + 1],
			    (int)field.len, field.ptr);
		m->sum[number][i] += (double)x;
	}
	return 0;
}

static int put_stacks(const struct memray_sums *m, struct row_builder *out, struct fault *f)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	out->row.sample = 0;
	for (size_t i = 0; i < m->sums; i++) {
		row_builder_factor(out, TEXT("stack"), intern_text(&m->stacks, i));
		for (size_t k = 0; k < COUNT(metrics); k++)
			if (m->sum[i][k] > 0 &&
			    row_builder_put(out, text_of(metrics[k].metric),
			        text_of(metrics[k].unit), m->sum[i][k], f) < 0)
				return -1;
	}
	return 0;
}

static int memray_csv_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct memray_sums m = { .frame = NULL };
	int status = csv_table_open(&m.table, s->text, s->name, f);

	if (status == 0)
		status = csv_table_require(&m.table, names, COUNT(names), m.at, f);
	while (status == 0 && (status = csv_table_next(&m.table, f)) == 1)
		status = add_row(&m, f);
	if (status == 0)
		status = put_stacks(&m, out, f);
	csv_table_free(&m.table);
	intern_free(&m.stacks);
	free(m.sum);
	free(m.frame);
	buf_free(&m.stack);
	buf_free(&m.name);
	return status;
}

const struct format format_memray_csv = { .name = "memray-csv",
	.meaning = "CSV of memray transform csv, call stacks",
	.whole_lines = true,
	.recognize = memray_csv_recognize,
	.read = memray_csv_read };
