/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the raw.csv of Criterion.rs: a row for each sample, with the time of all of its
 * iterations. It has the same values as sample.json and benchmark.json together.
 */
#include <math.h>

#include "convert/from.h"
#include "io/csv_table.h"
#include "text/units.h"

enum criterion_column {
	GROUP,
	FUNCTION,
	PARAMETER,
	AMOUNT,
	AMOUNT_TYPE,
	VALUE,
	UNIT,
	ITERATIONS,
	COLUMNS
};

static const char *const columns[COLUMNS] = {
	[GROUP] = "group",
	[FUNCTION] = "function",
	[PARAMETER] = "value",
	[AMOUNT] = "throughput_num",
	[AMOUNT_TYPE] = "throughput_type",
	[VALUE] = "sample_measured_value",
	[UNIT] = "unit",
	[ITERATIONS] = "iteration_count",
};

static bool criterion_csv_recognize(const struct source *s)
{
	return !s->doc && text_begins(s->text, "group,function,value,throughput_num,"
	                                       "throughput_type,sample_measured_value,");
}

struct reading {
	struct csv_table table;
	size_t at[COLUMNS];
	struct row_builder *out;
	struct text name[3]; /* group, function and parameter of the sample before */
	int64_t samples;     /* with this name */
};

static struct text field(const struct reading *r, enum criterion_column column)
{
	return csv_table_field(&r->table, r->at[column]);
}

static int field_number(
    const struct reading *r, enum criterion_column column, double *x, struct fault *f)
{
	struct text t = field(r, column);

	if (number_parse(t, x))
		return 0;
	return csv_table_fault(&r->table, f, "%s: '%.*s' is not a decimal number",
	    columns[column], t.len > 60 ? 60 : (int)t.len, t.ptr);
}

/* Sets the subject and the number of the sample. */
static void begin_sample(struct reading *r)
{
	struct row_builder *out = r->out;
	struct text group = field(r, GROUP), function = field(r, FUNCTION),
	            parameter = field(r, PARAMETER);
	bool is_same = text_equal(group, r->name[0]) && text_equal(function, r->name[1]) &&
	               text_equal(parameter, r->name[2]);

	r->samples = is_same ? r->samples + 1 : 0;
	r->name[0] = group;
	r->name[1] = function;
	r->name[2] = parameter;
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH,
	    function.len ? text_of(arena_format(&out->texts, "%.*s/%.*s", (int)group.len,
	                       group.ptr, (int)function.len, function.ptr))
	                 : group);
	if (parameter.len)
		row_builder_factor(out, TEXT("parameter"), parameter);
	out->row.sample = r->samples;
}

static int put_sample(struct reading *r, struct fault *f)
{
	bool is_time = text_is(field(r, UNIT), "ns"),
	     is_bytes = text_is(field(r, AMOUNT_TYPE), "bytes");
	double value, iterations, amount;

	if (csv_table_expect(&r->table, r->table.columns, f) < 0 ||
	    field_number(r, VALUE, &value, f) < 0 ||
	    field_number(r, ITERATIONS, &iterations, f) < 0)
		return -1;
	begin_sample(r);
	r->out->row.iterations =
	    iterations > 0 && iterations < 0x1p63 && iterations == floor(iterations)
	        ? (int64_t)iterations
	        : ROW_NONE;
	value = iterations > 0 ? value / iterations : NAN;
	if (row_builder_put(r->out, is_time ? TEXT("wall") : TEXT("value"), field(r, UNIT),
	        value, f) < 0)
		return -1;
	if (!field(r, AMOUNT).len || !is_time)
		return 0;
	if (field_number(r, AMOUNT, &amount, f) < 0)
		return -1;
	return row_builder_put(r->out, is_bytes ? TEXT("bandwidth") : TEXT("throughput"),
	    is_bytes ? TEXT("B/s") : TEXT("1/s"), value > 0 ? amount * 1e9 / value : NAN,
	    f);
}

static int criterion_csv_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .out = out };
	int status = csv_table_open(&r.table, s->text, s->name, f);

	if (status == 0)
		status = csv_table_require(&r.table, columns, COLUMNS, r.at, f);
	while (status == 0 && (status = csv_table_next(&r.table, f)) > 0)
		status = put_sample(&r, f);
	csv_table_free(&r.table);
	return status;
}

const struct format format_criterion_csv = { .name = "criterion-csv",
	.meaning = "Criterion.rs: raw.csv",
	.whole_lines = true,
	.recognize = criterion_csv_recognize,
	.read = criterion_csv_read };
