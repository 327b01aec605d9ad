/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what STREAM prints. The table of its kernels comes before the line that says
 * whether their results are right, so the rows of a run are kept until then. If there are
 * several runs, each is a sample.
 */
#include <math.h>
#include <stdlib.h>

#include "console/console_text.h"
#include "text/units.h"

/* The columns of the table after the name of the kernel. */
static const struct {
	const char *metric, *unit;
	int exponent;
	bool is_mean;
} columns[] = {
	{ "bandwidth_max", "B/s", 6, false },
	{ "wall", "ns", 9, true },
	{ "wall_min", "ns", 9, false },
	{ "wall_max", "ns", 9, false },
};

/* The words before a number that describes the run, and the factor that it becomes. */
static const struct {
	const char *words, *factor;
} settings[] = {
	{ "This system uses ", "element_bytes" },
	{ "Array size = ", "array_size" },
	{ "Number of Threads counted = ", "threads" },
};

struct stream_kernel {
	struct text name;
	double value[COUNT(columns)];
};

struct stream_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct stream_kernel *kernel; /* of the run */
	size_t kernels, cap;
	struct text setting[COUNT(settings)];
	int64_t executions, runs;
	bool has_samples, in_table, open; /* a run has no verdict yet */
};

static bool is_stream_start(struct text line)
{
	return text_begins(line, "STREAM version ");
}

static bool is_stream_table(struct text line)
{
	return text_begins(line, "Function ") &&
	       memmem(line.ptr, line.len, "Best Rate MB/s", strlen("Best Rate MB/s"));
}

/* Returns -1 and the message if the last run has no verdict. */
static int end_stream_run(const struct stream_reading *r, struct fault *f)
{
	return r->open ? fault_set(f,
	                     "%s: STREAM's output has no line that says whether its "
	                     "results are valid, so it was cut off",
	                     r->name)
	               : 0;
}

static int begin_stream_run(struct stream_reading *r, struct fault *f)
{
	if (end_stream_run(r, f) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(settings); i++)
		r->setting[i] = TEXT("");
	r->kernels = 0;
	r->executions = ROW_NONE;
	r->runs++;
	r->in_table = false;
	r->open = true;
	return 0;
}

/* Returns whether a line of the table has several words after a name. */
static bool is_kernel(struct text line)
{
	text_until(&line, ':');
	return line_word(&line).len && line_word(&line).len;
}

/* Reads a row of the table. A time that STREAM rounded to 0, and the rate that follows from
 * it, are missing. */
static int read_kernel(struct stream_reading *r, struct text line, struct fault *f)
{
	struct stream_kernel *k = VEC_ADD(r->kernel, r->kernels, r->cap);

	k->name = text_trim(text_until(&line, ':'));
	for (size_t i = 0; i < COUNT(columns); i++) {
		struct text word = line_word(&line);

		if (text_is(word, "inf") || text_is(word, "-nan") || text_is(word, "nan"))
			k->value[i] = NAN;
		else if (!number_parse(word, &k->value[i]))
			return fault_set(f, "%s:%zu: no number in the table of STREAM",
			    r->name, r->line);
		else if (k->value[i] == 0)
			k->value[i] = NAN;
	}
	return text_trim(line).len ? fault_set(f,
	                                 "%s:%zu: too many numbers in the table of "
	                                 "STREAM",
	                                 r->name, r->line)
	                           : 0;
}

/* Adds the rows of a run. */
static int put_kernels(struct stream_reading *r, bool valid, struct fault *f)
{
	struct row_builder *out = r->out;

	r->open = false;
	for (const struct stream_kernel *k = r->kernel; k < r->kernel + r->kernels; k++) {
		row_builder_clear(out);
		row_builder_set(out, COL_KIND, TEXT("command"));
		row_builder_set(out, COL_BENCH, k->name);
		row_builder_set(out, COL_STATUS, valid ? TEXT("ok") : TEXT("failed"));
		for (size_t i = 0; i < COUNT(settings); i++)
			if (r->setting[i].len)
				row_builder_factor(
				    out, text_of(settings[i].factor), r->setting[i]);
		out->row.sample = r->has_samples ? r->runs - 1 : ROW_NONE;
		for (size_t i = 0; i < COUNT(columns); i++) {
			out->row.iterations = columns[i].is_mean ? r->executions : ROW_NONE;
			if (row_builder_put(out, text_of(columns[i].metric),
			        text_of(columns[i].unit),
			        decimal_shift(k->value[i], columns[i].exponent), f) < 0)
				return -1;
		}
	}
	return 0;
}

/* Reads a line before or after the table. The first execution of a kernel is not in its
 * statistics. */
static int read_stream_line(struct stream_reading *r, struct text line, struct fault *f)
{
	static const char executed[] = "Each kernel will be executed ";
	int64_t count;

	for (size_t i = 0; i < COUNT(settings); i++)
		if (text_begins(line, settings[i].words)) {
			struct text rest = text_after(line, strlen(settings[i].words));

			r->setting[i] = line_word(&rest);
		}
	if (text_begins(line, executed)) {
		line = text_after(line, strlen(executed));
		if (integer_parse(line_word(&line), &count) && count > 1)
			r->executions = count - 1;
	}
	if (r->open && r->kernels && text_begins(line, "Solution Validates"))
		return put_kernels(r, true, f);
	if (r->open && r->kernels && text_begins(line, "Failed Validation"))
		return put_kernels(r, false, f);
	return 0;
}

static bool stream_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_stream_start(line))
			return true;
	return false;
}

static int read_stream_text(struct stream_reading *r, struct text rest, struct fault *f)
{
	struct text line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r->line++;
		r->in_table &= !text_begins(line, "---");
		if (is_stream_start(line))
			status = begin_stream_run(r, f);
		else if (r->in_table)
			status = is_kernel(line) ? read_kernel(r, line, f) : 0;
		else if (is_stream_table(line))
			r->in_table = r->open;
		else if (r->runs)
			status = read_stream_line(r, line, f);
	}
	return status == 0 ? end_stream_run(r, f) : status;
}

static int stream_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct stream_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line;
	size_t starts = 0;
	int status;

	while (line_next(&rest, &line))
		starts += is_stream_start(line);
	r.has_samples = starts > 1;
	status = read_stream_text(&r, s->text, f);
	free(r.kernel);
	return status;
}

const struct format format_stream = { .name = "stream",
	.meaning = "STREAM",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = stream_recognize,
	.read = stream_read };
