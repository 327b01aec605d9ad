/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion from one format to another; see convert.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/format_choice_priv.h"
#include "convert/format_pages.h"
#include "convert/format_reader.h"
#include "convert/from.h"
#include "convert/inputs_priv.h"
#include "convert/to.h"
#include "record/row_settings.h"
#include "record/subject_samples.h"
#include "record/subject_values.h"
#include "text/plural.h"

/* Returns whether a format has the columns of bench-csv(5). */
static bool is_stream(const struct format *format)
{
	return format == &format_csv || format == &format_json ||
	       format == &format_json_lines;
}

/* Returns whether a writer of subjects uses the extra columns of the readers. */
static bool takes_extras(const struct format *format)
{
	return format->write && format->has_failures;
}

static const char *inputs_name(const struct inputs *inputs)
{
	return inputs->count == 1 ? inputs->input[0].s.name : "the files";
}

static int read_input(const struct inputs *inputs, const struct input *input,
    struct row_builder *rows, struct fault *f)
{
	rows->extras = !is_stream(input->from)    ? ROW_EXTRAS_RENAME
	               : is_stream(inputs->to)    ? ROW_EXTRAS_KEEP
	               : takes_extras(inputs->to) ? ROW_EXTRAS_KNOWN
	                                          : ROW_EXTRAS_SKIP;
	rows->marks_missing = !is_stream(input->from);
	rows->run = input->run[0] && !row_settings_find(rows->settings, COL_RUN)
	                ? input->run
	                : NULL;
	row_builder_clear(rows);
	if (row_settings_begin(rows->settings, input->s.name, input->s.path, f) < 0)
		return -1;
	return input->from->read(&input->s, rows, f);
}

/* Sets the message about an input without measurements. */
static int reject_empty(const struct input *input, struct fault *f)
{
	return input->from->page ? format_page_no_rows(&input->s, f)
	                         : fault_set(f, "%s: no measurements in the format %s",
	                               input->s.name, input->from->name);
}

/* Reads all inputs for the first time. */
static int learn_inputs(
    const struct inputs *inputs, struct row_builder *rows, struct fault *f)
{
	size_t tables = 0, without = 0;
	const char *first = NULL;

	for (size_t i = 0; i < inputs->count; i++) {
		const struct input *input = &inputs->input[i];
		uint64_t before = rows->count;
		size_t noted = rows->notes.len;

		if (input->from->copy)
			return fault_set(f,
			    "%s: a table without measurements, which must be converted "
			    "alone",
			    input->s.name);
		rows->no_rows = false;
		if (read_input(inputs, input, rows, f) < 0)
			return -1;
		tables += rows->no_rows;
		if (rows->count != before || rows->no_rows || rows->filter ||
		    rows->conditions)
			continue;
		if (!input->in_directory)
			return reject_empty(input, f);
		if (rows->notes.len == noted && !without++)
			first = input->s.name;
	}
	if (without && rows->count)
		row_builder_note(rows,
		    "%zu %s in directories without measurements, first %s; skipped",
		    without, plural(without, "file", "files"), first);
	rows->no_rows = tables == inputs->count;
	return 0;
}

static int read_inputs(
    const struct inputs *inputs, struct row_builder *rows, struct fault *f)
{
	int status = 0;

	for (size_t i = 0; i < inputs->count && status == 0; i++)
		status = read_input(inputs, &inputs->input[i], rows, f);
	return status;
}

static int write_rows(const struct inputs *inputs, struct row_builder *rows,
    const struct row_writer_opts *o, struct fault *f)
{
	const struct row_writer *to = inputs->to->writer;
	void *writer = to->open(o, f);
	struct fault ignored;

	if (!writer)
		return -1;
	row_builder_again(rows, to->row, writer);
	rows->fact = to->fact;
	if (read_inputs(inputs, rows, f) < 0) {
		to->close(writer, &ignored);
		return -1;
	}
	return to->close(writer, f);
}

static int write_subjects(const struct inputs *inputs, struct row_builder *rows,
    const struct row_writer_opts *o, struct fault *f)
{
	struct subject_values *t =
	    subject_values_open(&rows->schema, inputs->to->has_failures, o->notes, f);
	struct text_sink sink = { .out = o->out->file };
	struct buf text = { 0 };
	int status;

	if (!t)
		return -1;
	t->counts_failures = inputs->to->counts_failures;
	t->sink = &sink;
	row_builder_again(rows, subject_values_row, t);
	status = read_inputs(inputs, rows, f);
	if (status == 0 && !t->count)
		status = fault_set(
		    f, "%s: no successful row has a value outside a time series", o->name);
	if (status == 0)
		status = inputs->to->write(t, &text, f);
	if (status == 0)
		status = text_sink_close(&sink, &text, f);
	buf_free(&text);
	subject_values_close(t);
	return status;
}

static int write_samples(const struct inputs *inputs, struct row_builder *rows,
    const struct row_writer_opts *o, struct fault *f)
{
	struct subject_samples *t = subject_samples_open(&rows->schema, o->notes, f);
	struct text_sink sink = { .out = o->out->file };
	struct buf text = { 0 };
	int status;

	if (!t)
		return -1;
	t->sink = &sink;
	row_builder_again(rows, subject_samples_row, t);
	status = read_inputs(inputs, rows, f);
	if (status == 0)
		status = inputs->to->write_samples(t, &text, f);
	if (status == 0)
		status = text_sink_close(&sink, &text, f);
	buf_free(&text);
	subject_samples_close(t);
	return status;
}

/* Copies a table that has no measurements. */
static int copy_table(const struct convert *c, const struct format *to,
    const struct source *s, const struct row_writer_opts *o, struct fault *f)
{
	if (!is_stream(to))
		return fault_set(f,
		    "%s: no table of measurements, so it cannot be written as %s", s->name,
		    to->name);
	if (c->conditions)
		return fault_set(f,
		    "%s: --filter selects rows of measurements, which this table does not "
		    "have: filter its input instead",
		    s->name);
	if (c->settings && c->settings->count)
		return fault_set(f,
		    "%s: --set sets columns of measurements, which this table does not "
		    "have: set them in its input instead",
		    s->name);
	struct output out = *o->out;

	if (to != &format_csv)
		out.format = to == &format_json ? RENDER_JSON : RENDER_JSON_LINES;
	return format_table.copy(s, c->filter, &out, f);
}

/* Notes the rows of failures that the format has no place for. */
static void note_omitted(
    const struct format *to, const char *name, struct row_builder *rows)
{
	if (!rows->failed || is_stream(to) || to->has_failures || to->counts_failures)
		return;
	row_builder_note(rows, "%s: %llu %s omitted: %s has no place for %s", name,
	    (unsigned long long)rows->failed,
	    plural(rows->failed, "row that failed or was not measured is",
	        "rows that failed or were not measured are"),
	    to->name, plural(rows->failed, "it", "them"));
}

/* Writes inputs that were read once. Returns 0, or -1 and the message. */
static int write_inputs(const struct convert *c, const struct inputs *inputs,
    struct row_builder *rows, const struct row_writer_opts *o, struct fault *f)
{
	const struct input *only = inputs->count == 1 ? &inputs->input[0] : NULL;

	if (rows->no_rows)
		return only ? copy_table(c, inputs->to, &only->s, o, f)
		            : fault_set(f, "%s: no measurements", o->name);
	if (row_conditions_check(c->conditions, f) < 0 ||
	    (c->filter && metric_filter_check(c->filter, f) < 0))
		return -1;
	if (!rows->count)
		return only ? reject_empty(only, f)
		            : fault_set(f, "no file in the directories has measurements");
	if (inputs->to->writer)
		return write_rows(inputs, rows, o, f);
	return inputs->to->write_samples ? write_samples(inputs, rows, o, f)
	                                 : write_subjects(inputs, rows, o, f);
}

static int convert_all(const struct convert *c, const struct inputs *inputs,
    const struct output *out, struct buf *notes, struct fault *f)
{
	struct row_writer_opts o = {
		.out = out, .name = inputs_name(inputs), .notes = notes
	};
	const struct format *to = inputs->to;
	struct row_builder rows;
	int status;

	if (inputs->count == 1 && inputs->input[0].from->copy)
		return copy_table(c, to, &inputs->input[0].s, &o, f);
	row_builder_init(&rows);
	rows.filter = c->filter;
	rows.conditions = c->conditions;
	rows.settings = c->settings;
	rows.bench = c->bench ? c->bench : row_settings_find(c->settings, COL_BENCH);
	rows.no_extras = !is_stream(to) && !takes_extras(to);
	o.rows = &rows;
	status = learn_inputs(inputs, &rows, f);
	note_omitted(to, o.name, &rows);
	buf_text(notes, text_in(&rows.notes));
	if (status == 0)
		status = write_inputs(c, inputs, &rows, &o, f);
	row_builder_free(&rows);
	return status;
}

int convert_inputs(const struct convert *c, const struct convert_input *in, size_t count,
    const struct output *out, struct buf *notes, struct fault *f)
{
	struct inputs inputs = { .to = format_find(c->to ? c->to : "csv", true, NULL, f) };
	int status = inputs.to ? 0 : -1;

	if (status == 0 && c->from) {
		inputs.from = format_find(c->from, false, c->pages, f);
		status = inputs.from ? 0 : -1;
	}
	if (status == 0) {
		status = inputs_open(&inputs, c, in, count, notes, f);
		format_pages_note(c->pages, notes);
	}
	if (status == 0)
		status = convert_all(c, &inputs, out, notes, f);
	inputs_drop(&inputs, 0);
	free(inputs.input);
	if (status < 0) {
		int error = errno;

		inputs_flatten_message(f);
		errno = error;
	}
	return status;
}
