/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of go test -json -bench, and of go tool test2json: lines with an event
 * each. The events "output" have the text that go test prints without -json, in pieces,
 * such as half a line. Packages that are tested at the same time mix their events, so the
 * text of each package is joined before the reader of the format go reads it. Other lines,
 * such as messages of the compiler on standard error, are ignored.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "convert/from.h"

/* The output of each package, in the order in which they began. */
struct outputs {
	struct intern packages;
	struct package_output {
		struct buf text;
		bool ended; /* a last event says whether the package passed */
	} * at;             /* by package */
	size_t count, cap;
};

static void outputs_free(struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++)
		buf_free(&o->at[i].text);
	free(o->at);
	intern_free(&o->packages);
}

/* Returns whether a line is JSON, which is an event or of another program. */
static bool is_json_line(struct text line)
{
	line = text_trim(line);
	return text_begins(line, "{") || text_begins(line, "[");
}

static bool go_json_recognize(const struct source *s)
{
	static const char action[] = "\"Action\":\"";
	static const char *const others[] = { "\"Package\":\"", "\"ImportPath\":\"",
		"\"Test\":\"", "\"Output\":\"" };
	struct text rest = s->text, line;

	while (line_next(&rest, &line)) {
		if (!is_json_line(line))
			continue;
		if (!memmem(line.ptr, line.len, action, sizeof(action) - 1))
			return false;
		for (size_t i = 0; i < COUNT(others); i++)
			if (memmem(line.ptr, line.len, others[i], strlen(others[i])))
				return true;
		return false;
	}
	return false;
}

/* Adds an event to the output of its package, which test2json need not name. */
static void add_event(struct outputs *o, const struct json_t *event)
{
	struct text action = from_text(event, "Action"), output;
	struct package_output *package;
	size_t at;

	if (text_is(action, "output")) {
		at = intern_add(&o->packages, from_text(event, "Package"));
		if (at == o->count)
			*VEC_ADD(o->at, o->count, o->cap) = (struct package_output){ 0 };
		package = &o->at[at];
		package->ended = false;
		if (doc_text(doc_member(event, "Output"), &output))
			buf_text(&package->text, output);
	} else if (!doc_member(event, "Test") &&
	           (text_is(action, "pass") || text_is(action, "fail") ||
	               text_is(action, "skip"))) {
		long known = intern_find(&o->packages, from_text(event, "Package"));

		if (known >= 0)
			o->at[known].ended = true;
	}
}

static int add_line(
    struct outputs *o, struct text line, const char *name, size_t number, struct fault *f)
{
	char *place = str_format("%s:%zu", name, number);
	struct json_t *event = doc_read(line, place, f);
	int status = 0;

	free(place);
	if (!event)
		return -1;
	if (from_text(event, "Action").len)
		add_event(o, event);
	else
		status =
		    fault_set(f, "%s:%zu: not an event of go test -json", name, number);
	doc_free(event);
	return status;
}

/* Joins the outputs of all packages, without lines that have no end. */
static void join_outputs(
    const struct outputs *o, const char *name, struct buf *all, struct row_builder *out)
{
	for (size_t i = 0; i < o->count; i++) {
		struct text text = { o->at[i].text.ptr, o->at[i].text.len };
		struct text package = intern_text(&o->packages, i);

		while (text.len && text.ptr[text.len - 1] != '\n')
			text.len--;
		buf_text(all, text);
		if (!o->at[i].ended)
			row_builder_note(out,
			    "%s: the output of %.*s ends before its tests: the program was "
			    "interrupted, or the file was cut off",
			    name, package.len ? (int)package.len : 11,
			    package.len ? package.ptr : "the program");
	}
}

static int go_json_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct outputs outputs = { 0 };
	struct text rest = s->text, line;
	struct buf all = { 0 };
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++)
		if (is_json_line(line))
			status = add_line(&outputs, line, s->name, number, f);
	if (status == 0) {
		struct source text = { .name = s->name };

		join_outputs(&outputs, s->name, &all, out);
		text.text = text_in(&all);
		status = format_go.read(&text, out, f);
		row_builder_clear(out);
	}
	outputs_free(&outputs);
	buf_free(&all);
	return status;
}

const struct format format_go_json = { .name = "go-json",
	.meaning = "go test -json -bench",
	.is_json_lines = true,
	.may_be_mixed = true,
	.recognize = go_json_recognize,
	.read = go_json_read };
