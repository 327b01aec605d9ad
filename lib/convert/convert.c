/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion from one format to another; see convert.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "convert/format_pages.h"
#include "convert/format_reader.h"
#include "convert/formats_priv.h"
#include "convert/from.h"
#include "convert/not_text.h"
#include "convert/to.h"
#include "io/gzip.h"
#include "io/json_documents.h"
#include "record/subject_samples.h"
#include "record/subject_values.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/utf8.h"

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

/* An input whose format is known. */
struct input {
	struct source s;
	const struct format *from;
	struct json_t *doc; /* NULL: not JSON */
	struct buf plain;   /* the text if it was compressed */
	char *own_name;     /* if it is one of the documents of a file; else NULL */
	bool in_directory;
	char run[17]; /* of its rows that have none; "": it is the only input */
};

struct inputs {
	struct input *input;
	size_t count, cap;
	const struct format *from; /* of all; NULL: recognized */
	const struct format *to;
	uint64_t unpacked; /* bytes of those that were compressed */
};

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
	rows->run = input->run[0] ? input->run : NULL;
	row_builder_clear(rows);
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
		if (rows->count != before || rows->no_rows || rows->filter)
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
    const struct output *o, struct fault *f)
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
    const struct output *o, struct fault *f)
{
	struct subject_values *t =
	    subject_values_open(&rows->schema, inputs->to->has_failures, o->notes, f);
	struct text_sink sink = { .out = o->out };
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
    const struct output *o, struct fault *f)
{
	struct subject_samples *t = subject_samples_open(&rows->schema, o->notes, f);
	struct text_sink sink = { .out = o->out };
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
    const struct source *s, const struct output *o, struct fault *f)
{
	if (!is_stream(to))
		return fault_set(f,
		    "%s: no table of measurements, so it cannot be written as %s", s->name,
		    to->name);
	return format_table.copy(s, c->filter, o->out,
	    to == &format_csv    ? o->render
	    : to == &format_json ? RENDER_JSON
	                         : RENDER_JSON_LINES,
	    f);
}

static int convert_all(const struct convert *c, const struct inputs *inputs, FILE *out,
    struct buf *notes, struct fault *f)
{
	struct output o = {
		.out = out, .name = inputs_name(inputs), .render = c->render, .notes = notes
	};
	const struct format *to = inputs->to;
	struct row_builder rows;
	int status;

	if (inputs->count == 1 && inputs->input[0].from->copy)
		return copy_table(c, to, &inputs->input[0].s, &o, f);
	row_builder_init(&rows);
	rows.filter = c->filter;
	rows.bench = c->bench;
	rows.no_extras = !is_stream(to) && !takes_extras(to);
	o.rows = &rows;
	status = learn_inputs(inputs, &rows, f);
	if (rows.failed && !is_stream(to) && !to->has_failures && !to->counts_failures)
		row_builder_note(&rows, "%s: %llu %s omitted: %s has no place for %s",
		    o.name, (unsigned long long)rows.failed,
		    plural(rows.failed, "row that failed or was not measured is",
		        "rows that failed or were not measured are"),
		    to->name, plural(rows.failed, "it", "them"));
	buf_text(notes, (struct text){ rows.notes.ptr, rows.notes.len });
	if (status == 0 && c->filter && !rows.no_rows)
		status = metric_filter_check(c->filter, f);
	if (status == 0 && rows.no_rows)
		status = inputs->count == 1 ? copy_table(c, to, &inputs->input[0].s, &o, f)
		                            : fault_set(f, "%s: no measurements", o.name);
	else if (status == 0 && !rows.count)
		status = inputs->count == 1
		             ? reject_empty(&inputs->input[0], f)
		             : fault_set(f, "no file in the directories has measurements");
	else if (status == 0)
		status = (to->writer          ? write_rows
		          : to->write_samples ? write_samples
		                              : write_subjects)(inputs, &rows, &o, f);
	row_builder_free(&rows);
	return status;
}

/* Makes a message one line, whatever names it contains. */
static void flatten_message(struct fault *f)
{
	struct buf b = { 0 };

	display_text_clean(&b, text_of(f->text));
	fault_set(f, "%s", b.len ? b.ptr : "");
	buf_free(&b);
}

/* Sets the text of an input, decompressed and without a byte order mark. A small file can
 * decompress to very many bytes, so that there is a limit for all. */
static int input_set_text(struct input *input, struct inputs *inputs,
    const struct convert_input *in, struct fault *f)
{
	const uint64_t most = (uint64_t)1 << 30;
	struct text t = in->text;
	struct fault why;

	if (gzip_detect(t)) {
		if (gzip_get(&input->plain, t, most - inputs->unpacked, &why) < 0)
			return fault_set(f, "%s: %s", in->name, why.text);
		inputs->unpacked += input->plain.len;
		t = (struct text){ input->plain.ptr, input->plain.len };
	}
	input->s.text = utf8_skip_mark(t); /* which Windows programs write */
	return 0;
}

/* Returns whether the last line of a text has an end, or must be whole because it ends as
 * the program always ends its output. */
static bool ends_whole(const struct format *from, struct text t)
{
	const char *begin = memrchr(t.ptr, '\n', t.len);
	bool found = text_ends(t, "\n");
	char *line;

	if (found || !from->last_lines)
		return found;
	if (begin)
		t = text_skip(t, (size_t)(begin + 1 - t.ptr));
	line = mem_text(t.ptr, t.len);
	for (const char *const *glob = from->last_lines; *glob && !found; glob++)
		found = fnmatch(*glob, line, 0) == 0;
	free(line);
	return found;
}

/* Opens an input. Returns 0, or -1 and the message; *unknown says whether that is because
 * no format fits. The caller closes the input in any case. */
static int input_open_format(struct input *input, struct inputs *inputs,
    const struct convert *c, const struct convert_input *in, bool *unknown, struct fault *f)
{
	const char *reason;

	*input = (struct input){ .s = { .name = in->name,
		                     .path = in->path,
		                     .melt = c->melt,
		                     .melts = c->melts },
		.in_directory = in->in_directory };
	*unknown = false;
	if (in->fault)
		return fault_set(f, "%s", in->fault);
	if (input_set_text(input, inputs, in, f) < 0)
		return -1;
	*unknown = true;
	if (!input->s.text.len)
		return fault_set(f, "%s: the file is empty", in->name);
	reason = not_text_reason(input->s.text);
	if (reason)
		return fault_set(f, "%s: %s", in->name, reason);
	input->from =
	    source_open(&input->s, inputs->from, c->pages, &input->doc, unknown, f);
	if (!input->from)
		return -1;
	if (input->from->whole_lines && !ends_whole(input->from, input->s.text))
		return fault_set(f,
		    "%s: the last line has no end, so the file, whose format is %s, was "
		    "cut off (if it was not, append a newline)",
		    in->name, input->from->name);
	input->s.page = input->from->page;
	return 0;
}

static void input_free(struct input *input)
{
	if (input->doc)
		doc_free(input->doc);
	buf_free(&input->plain);
	free(input->own_name);
}

/* Frees the inputs from this position on. */
static void inputs_drop(struct inputs *inputs, size_t from)
{
	while (inputs->count > from)
		input_free(&inputs->input[--inputs->count]);
}

/* Adds each document of a file that has several ones, and which the caller no longer owns,
 * as an input. */
static int add_documents(struct inputs *inputs, const struct convert *c,
    const struct input *file, bool *unknown, struct fault *f)
{
	struct text rest = file->s.text, document;
	size_t count = 0;

	while (json_documents_next(&rest, &document)) {
		struct input *one = VEC_ADD(inputs->input, inputs->count, inputs->cap);

		*one = (struct input){ .s = file->s, .in_directory = file->in_directory };
		if (!count++)
			one->plain = file->plain;
		one->own_name = str_format("%s (document %zu)", file->s.name, count);
		one->s.name = one->own_name;
		one->s.text = document;
		one->from =
		    source_open(&one->s, inputs->from, c->pages, &one->doc, unknown, f);
		if (!one->from)
			return -1;
		one->s.page = one->from->page;
	}
	rest = text_until(&rest, '\n');
	if (rest.len)
		return fault_set(f, "%s: text after %zu JSON documents: '%.*s'",
		    file->s.name, count, rest.len > 20 ? 20 : (int)rest.len, rest.ptr);
	return 0;
}

/* Adds an input, or the documents of one that has several ones. Returns 0, or -1 and the
 * message, with *unknown set as input_open_format() does. */
static int inputs_add(struct inputs *inputs, const struct convert *c,
    const struct convert_input *in, bool *unknown, struct buf *notes, struct fault *f)
{
	struct input input;

	if (input_open_format(&input, inputs, c, in, unknown, f) == 0) {
		if (!inputs->from)
			formats_note_others(&input.s, input.from, c->pages, notes);
		*VEC_ADD(inputs->input, inputs->count, inputs->cap) = input;
		return 0;
	}
	/* It is JSON, or so the user says, but not one document. */
	if (!*unknown && !input.from && !input.doc && json_documents_several(input.s.text))
		return add_documents(inputs, c, &input, unknown, f);
	input_free(&input);
	return -1;
}

/* Sets the run of each input to the hash of its contents. Notes inputs with the same
 * contents, because samples that occur twice make results look more certain. */
static void set_runs(struct inputs *inputs, struct buf *notes)
{
	enum { SAME_NOTED = 10 };
	size_t *first = mem_zero(inputs->count, sizeof(*first));
	struct intern runs = { 0 };
	size_t twice = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		struct input *input = &inputs->input[i];
		size_t different = runs.count, run;

		snprintf(input->run, sizeof(input->run), "%016llx",
		    (unsigned long long)text_hash(input->s.text, 0));
		run = intern_add(&runs, text_of(input->run));
		if (run == different) {
			first[run] = i;
			continue;
		}
		if (twice++ >= SAME_NOTED)
			continue;
		display_text_clean(notes, text_of(input->s.name));
		buf_str(notes, ": the same contents as ");
		display_text_clean(notes, text_of(inputs->input[first[run]].s.name));
		buf_str(notes, ", whose rows are therefore written twice\n");
	}
	if (twice > SAME_NOTED)
		buf_printf(notes, "more files with the same contents as others: %zu\n",
		    twice - SAME_NOTED);
	intern_free(&runs);
	free(first);
}

/* Opens all inputs. Those in directories that cannot be read are notes. */
static int inputs_open(struct inputs *inputs, const struct convert *c,
    const struct convert_input *in, size_t count, struct buf *notes, struct fault *f)
{
	const char *first = NULL;
	size_t skipped = 0;

	for (size_t i = 0; i < count; i++) {
		size_t before = inputs->count;
		bool unknown;

		if (inputs_add(inputs, c, &in[i], &unknown, notes, f) == 0)
			continue;
		inputs_drop(inputs, before);
		if (!in[i].in_directory)
			return -1;
		if (unknown && !skipped++)
			first = in[i].name;
		if (!unknown) {
			flatten_message(f);
			buf_printf(notes, "%s; skipped\n", f->text);
		}
	}
	if (inputs->count > 1)
		set_runs(inputs, notes);
	if (skipped) {
		buf_printf(notes, "%zu %s in directories of an unknown format, first ",
		    skipped, plural(skipped, "file", "files"));
		display_text_clean(notes, text_of(first));
		buf_str(notes, "; skipped\n");
	}
	return inputs->count ? 0
	                     : fault_set(f, "no file in the directories has a known format "
	                                    "(bench-convert --list lists the known ones)");
}

int convert_inputs(const struct convert *c, const struct convert_input *in, size_t count,
    FILE *out, struct buf *notes, struct fault *f)
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

		flatten_message(f);
		errno = error;
	}
	return status;
}
