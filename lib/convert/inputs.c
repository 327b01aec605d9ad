/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens the inputs of a conversion; see inputs_priv.h.
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "convert/commit_dates.h"
#include "convert/format_choice_priv.h"
#include "convert/from.h"
#include "convert/inputs_priv.h"
#include "convert/not_text.h"
#include "io/gzip.h"
#include "io/json_documents.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/utf8.h"

void inputs_flatten_message(struct fault *f)
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
		t = text_in(&input->plain);
	}
	input->s.text = utf8_skip_mark(t); /* which Windows programs write */
	return 0;
}

/* Returns whether the last line of a file has an end, or must be whole because it ends as
 * the program always ends its output. */
static bool ends_whole(const struct format *from, struct text t)
{
	const char *begin = memrchr(t.ptr, '\n', t.len);
	bool found = text_ends(t, "\n");
	char *line;

	if (found || !from->last_lines)
		return found;
	if (begin)
		t = text_after(t, (size_t)(begin + 1 - t.ptr));
	line = mem_text(t.ptr, t.len);
	for (const char *const *glob = from->last_lines; *glob && !found; glob++)
		found = fnmatch(*glob, line, 0) == 0;
	free(line);
	return found;
}

/* Returns the number of lines before the first that begins with a bracket, and sets *rest
 * to the text from that line on, which is empty if there is none. */
static size_t lines_before_json(struct text t, struct text *rest)
{
	struct text line;
	size_t lines = 0;

	for (*rest = t; line_next(&t, &line); *rest = t, lines++)
		if (text_begins(line, "{") || text_begins(line, "["))
			return lines;
	return lines;
}

/*
 * Finds the format of an input, as source_open() does. If there is none, and JSON follows
 * the first lines, such as the notes that fio prints on standard output, that of the JSON,
 * unless each line is JSON by itself: the line before can contain one more.
 */
static const struct format *find_format(struct input *input, const struct format *from,
    struct format_pages *pages, bool *unknown, struct fault *f)
{
	const struct format *format =
	    source_open(&input->s, from, pages, &input->doc, unknown, f);
	const struct text whole = input->s.text;
	bool json_unknown;
	struct fault why = { .text = "" };

	if (format || input->doc || input->s.melts)
		return format;
	input->lines_before = lines_before_json(whole, &input->s.text);
	if (input->lines_before && input->s.text.len) {
		format =
		    source_open(&input->s, from, pages, &input->doc, &json_unknown, &why);
		if (format ? format->is_json
		           : (!input->doc && json_documents_several(input->s.text))) {
			*unknown = false;
			*f = why;
			return format;
		}
	}
	input->s.text = whole;
	input->lines_before = 0;
	return NULL;
}

/* Opens an input. Returns 0, or -1 and the message; *unknown says whether that is because
 * no format fits. The caller closes the input in any case. */
static int input_open_format(struct input *input, struct inputs *inputs,
    const struct convert *c, const struct convert_input *in, bool *unknown, struct fault *f)
{
	struct buf why = { 0 };

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
	if (!source_is_binary(&input->s) && not_text_explain(input->s.text, &why)) {
		fault_set(f, "%s: %s", in->name, why.ptr);
		buf_free(&why);
		return -1;
	}
	input->from = find_format(input, inputs->from, c->pages, unknown, f);
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

void inputs_drop(struct inputs *inputs, size_t from)
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
	int status = input_open_format(&input, inputs, c, in, unknown, f);

	if (input.lines_before) {
		display_text_clean(notes, text_of(in->name));
		buf_printf(notes, ": %zu %s before the JSON %s not read\n",
		    input.lines_before, plural(input.lines_before, "line", "lines"),
		    plural(input.lines_before, "is", "are"));
	}
	if (status == 0) {
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

int inputs_open(struct inputs *inputs, const struct convert *c,
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
			inputs_flatten_message(f);
			buf_printf(notes, "%s; skipped\n", f->text);
		}
	}
	if (inputs->count > 1)
		set_runs(inputs, notes);
	commit_dates_note(inputs, notes);
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
