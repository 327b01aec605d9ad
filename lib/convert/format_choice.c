/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses formats: by name, or by recognizing a file; see format_choice_priv.h.
 */
#include "convert/format_choice_priv.h"
#include "convert/format_pages.h"
#include "convert/from.h"
#include "io/json_documents.h"
#include "io/json_rows.h"
#include "text/display_text.h"
#include "text/near_name.h"

const struct format *format_find(
    const char *name, bool writes, struct format_pages *pages, struct fault *f)
{
	struct known_names known = { .advice = "see bench-convert --list" };

	for (size_t i = 0; i < formats_count; i++) {
		const struct format *format = formats_known[i];

		if ((writes ? format_writes(format) : format_reads(format)) &&
		    strcmp(format->name, name) == 0)
			return format;
	}
	if (pages) {
		const struct format *format = NULL;

		if (format_pages_find(pages, name, &format, f) < 0 || format)
			return format;
	}
	formats_names(&known, writes);
	format_pages_names(pages, &known);
	unknown_name(f, writes ? "cannot write the format" : "cannot read the format",
	    text_of(name), &known);
	return NULL;
}

/* Returns whether a text can be JSON: it begins with a bracket, but not with the label
 * "[1,0]<stdout>:" of mpirun. */
static bool looks_like_json(struct text t)
{
	struct text first;

	while (t.len && memchr(" \t\r\n", t.ptr[0], 4)) {
		t.ptr++;
		t.len--;
	}
	first = text_until(&t, '<');
	return first.len && (first.ptr[0] == '{' || first.ptr[0] == '[') &&
	       !(text_begins(first, "[1,") && text_ends(first, "]") &&
	           text_begins(t, "std"));
}

static const struct format *recognize_format(
    const struct source *s, bool (*may)(const struct format *format))
{
	for (size_t i = 0; i < formats_count; i++)
		if (formats_known[i]->recognize && may(formats_known[i]) &&
		    formats_known[i]->recognize(s))
			return formats_known[i];
	return NULL;
}

/* Finds the format of a file among the known ones and then the pages; NULL if there is
 * none. Returns 0, or -1 and the message. */
static int recognize_any(const struct source *s, bool (*may)(const struct format *format),
    struct format_pages *pages, const struct format **format, struct fault *f)
{
	*format = recognize_format(s, may);
	return *format ? 0 : format_pages_recognize(pages, s, format, f);
}

static bool is_document(const struct format *format)
{
	return format->is_json;
}

static bool is_text(const struct format *format)
{
	return !format->is_json;
}

/*
 * Returns whether a file of this format can begin with a bracket: JSON lines, stacks with a
 * frame "[unknown]", and CSV with a column of such a name.
 */
static bool is_bracketed(const struct format *format)
{
	return format->is_json_lines || format->copy || format == &format_folded ||
	       format == &format_csv;
}

static bool has_rows(const struct format *format)
{
	return format->copy || format == &format_json || format == &format_json_lines;
}

/* Returns whether a file of this format, which has no rows of bench-csv(5) or other tables
 * of the programs, can begin with a bracket. */
static bool is_bracketed_foreign(const struct format *format)
{
	return is_bracketed(format) && !has_rows(format);
}

/* Returns whether a text that begins with a bracket can have a table of one of the
 * programs: it is CSV, or JSON that has the names of their columns. To parse its first row
 * to find out takes much memory if the row is a large file of another program. */
static bool may_have_rows(struct text t)
{
	static const char *const names[] = { "metric", "fact", "subject", "samples" };

	return !json_rows_detect(t, true) ||
	       json_documents_may_have(t, names, COUNT(names));
}

static bool is_binary(const struct format *format)
{
	return format->is_binary;
}

bool source_is_binary(const struct source *s)
{
	return recognize_format(s, is_binary) != NULL;
}

/* Returns what to do about a file of an unknown format. */
static const char *unknown_advice(struct text t)
{
	static const char object[] = "\"counter-value\" : ";

	if (memmem(t.ptr, t.len, object, strlen(object)))
		return "the output of perf stat -j must be alone in the file: run it with "
		       "-o";
	return "bench-convert --list lists the known ones; for other CSV, name a column of "
	       "values with -m";
}

/*
 * Returns the format that the user names, or NULL and the message if only another one
 * recognizes the file: its members or columns can have the same names with other units.
 * (Pages reject such files by themselves.)
 */
static const struct format *named_format(const struct source *s, const struct format *from,
    struct format_pages *pages, struct fault *f)
{
	const struct format *other;

	if (!from->recognize || from->copy || from->recognize(s))
		return from;
	if (recognize_any(s, from->is_json ? is_document : is_text, pages, &other, f) < 0)
		return NULL;
	if (!other || other->copy)
		return from;
	fault_set(
	    f, "%s: the format is %s, not %s: omit -f", s->name, other->name, from->name);
	return NULL;
}

const struct format *source_open(struct source *s, const struct format *from,
    struct format_pages *pages, struct json_t **doc, bool *unknown, struct fault *f)
{
	const bool json = from ? from->is_json : !s->melts && looks_like_json(s->text);
	const struct format *format;

	*unknown = false;
	if (json && !from) {
		/* Some formats that begin with a bracket are read without a document. */
		format = recognize_format(
		    s, may_have_rows(s->text) ? is_bracketed : is_bracketed_foreign);
		if (format)
			return format;
	}
	if (json) {
		*doc = doc_read(s->text, s->name, f);
		if (!*doc)
			return NULL;
		s->doc = *doc;
	}
	if (from)
		return named_format(s, from, pages, f);
	if (recognize_any(s, json ? is_document : is_text, pages, &format, f) < 0)
		return NULL;
	*unknown = !format;
	if (!format && json)
		fault_set(f,
		    "%s: JSON of an unknown format (bench-convert --list lists the known "
		    "ones)",
		    s->name);
	else if (!format)
		fault_set(f, "%s: unknown format (%s)", s->name, unknown_advice(s->text));
	return format;
}

/* Returns whether a line can begin a JSON document, unlike "[Run 1]: ...". */
static bool may_begin_json(struct text line)
{
	static const char next[] = "{}[]\"-0123456789tfn";

	line = text_trim(line);
	if (!line.len || (line.ptr[0] != '{' && line.ptr[0] != '['))
		return false;
	line = text_trim(text_after(line, 1));
	return !line.len || memchr(next, line.ptr[0], strlen(next));
}

/* Returns whether a file ends in a JSON document that begins a line. */
static bool has_json_at_end(struct text t)
{
	enum { TRIES = 64 };
	struct text before = t, line;
	struct fault ignored;
	struct json_t *doc = NULL;

	for (int tries = 0; !doc && tries < TRIES && line_next(&t, &line); before = t)
		if (may_begin_json(line)) {
			doc = doc_read(before, "", &ignored);
			tries++;
		}
	if (doc)
		doc_free(doc);
	return doc != NULL;
}

/* Appends a note about another format, or page of a format, that recognizes an input. */
static void note_format(const struct source *s, const struct format *from,
    const struct format *other, struct buf *notes)
{
	display_text_clean(notes, text_of(s->name));
	buf_printf(notes,
	    ": lines of the format %s are read, but not those of the format %s (-f %s "
	    "reads "
	    "them)\n",
	    from->name, other->name, other->name);
}

void formats_note_others(const struct source *s, const struct format *from,
    struct format_pages *pages, struct buf *notes)
{
	const struct format *page = NULL;
	struct fault ignored;

	if (!from->may_be_mixed)
		return;
	for (size_t i = 0; i < formats_count; i++) {
		const struct format *other = formats_known[i];

		if (other != from && other->recognize && !other->is_json &&
		    other->recognize(s))
			note_format(s, from, other, notes);
	}
	if (format_pages_recognize(pages, s, &page, &ignored) == 0 && page)
		note_format(s, from, page, notes);
	if (!from->is_json_lines && has_json_at_end(s->text)) {
		display_text_clean(notes, text_of(s->name));
		buf_printf(notes,
		    ": lines of the format %s are read, but not the JSON after them\n",
		    from->name);
	}
}
