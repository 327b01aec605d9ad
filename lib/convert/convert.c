/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion from one format to another; see convert.h.
 */
#include <errno.h>

#include "convert/convert.h"
#include "convert/from.h"
#include "convert/subject_values.h"
#include "convert/to.h"
#include "io/gzip.h"
#include "text/display_text.h"
#include "text/near_name.h"

/* The order is that in which formats are recognized. */
const struct format *const formats_known[] = {
	&format_table,
	&format_csv,
	&format_json,
	&format_json_lines,
	&format_hyperfine,
	&format_hyperfine_csv,
	&format_gbench,
	&format_pytest,
	&format_pyperf,
	&format_asv,
	&format_criterion,
	&format_llama,
	&format_llama_lines,
	&format_llama_csv,
	&format_perf_json,
	&format_perf,
	&format_go,
	&format_folded,
	&format_github_smaller,
	&format_github_bigger,
	&format_github_history,
	&format_bencher,
	&format_prometheus,
	&format_markdown,
};
const size_t formats_count = COUNT(formats_known);

static bool is_supported(const struct format *format, bool writes)
{
	return writes ? format->writer || format->write : format->read || format->copy;
}

void formats_names(struct known_names *k, bool writes)
{
	for (size_t i = 0; i < formats_count; i++)
		if (is_supported(formats_known[i], writes))
			known_names_add(k, text_of(formats_known[i]->name));
}

/* Returns the format of this name that can be written or read; NULL and the message if
 * there is none. */
static const struct format *format_find(const char *name, bool writes, struct fault *f)
{
	struct known_names known = { .advice = "see bench-convert --list" };

	for (size_t i = 0; i < formats_count; i++)
		if (is_supported(formats_known[i], writes) &&
		    strcmp(formats_known[i]->name, name) == 0)
			return formats_known[i];
	formats_names(&known, writes);
	unknown_name(f, writes ? "cannot write the format" : "cannot read the format",
	    text_of(name), &known);
	return NULL;
}

static bool looks_like_json(struct text t)
{
	while (t.len && memchr(" \t\r\n", t.ptr[0], 4)) {
		t.ptr++;
		t.len--;
	}
	return t.len && (t.ptr[0] == '{' || t.ptr[0] == '[');
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

static bool is_document(const struct format *format)
{
	return format->is_json;
}

static bool is_text(const struct format *format)
{
	return !format->is_json;
}

/*
 * Returns whether a text of this format can begin with a bracket: JSON lines, stacks with a
 * frame "[unknown]", and CSV with a column of such a name.
 */
static bool is_bracketed(const struct format *format)
{
	return format->is_json_lines || format->copy || format == &format_folded ||
	       format == &format_csv;
}

/* Returns the format of the source, or NULL and the message. Sets *doc if it is JSON; the
 * caller frees it. */
static const struct format *source_open(
    struct source *s, const struct convert *c, struct json_t **doc, struct fault *f)
{
	const struct format *format = NULL;

	if (c->from) {
		format = format_find(c->from, false, f);
		if (!format || !format->is_json)
			return format;
	} else {
		bool json = !s->melts && looks_like_json(s->text);

		format = recognize_format(s, json ? is_bracketed : is_text);
		if (format)
			return format;
		if (!json) {
			fault_set(f,
			    "%s: unknown format (bench-convert --list lists the known "
			    "ones; for other CSV, name a column of values with -m)",
			    s->name);
			return NULL;
		}
	}
	*doc = doc_read(s->text, s->name, f);
	if (!*doc)
		return NULL;
	s->doc = *doc;
	if (!format)
		format = recognize_format(s, is_document);
	if (!format)
		fault_set(f,
		    "%s: JSON of an unknown format (bench-convert --list lists the known "
		    "ones)",
		    s->name);
	return format;
}

static int write_rows(const struct format *from, const struct format *to,
    const struct source *s, struct row_builder *rows, const struct output *o,
    struct buf *notes, struct fault *f)
{
	void *writer = to->writer->open(o, f);
	struct fault ignored;

	(void)notes;
	if (!writer)
		return -1;
	row_builder_again(rows, to->writer->row, writer);
	rows->fact = to->writer->fact;
	if (from->read(s, rows, f) < 0) {
		to->writer->close(writer, &ignored);
		return -1;
	}
	return to->writer->close(writer, f);
}

static int write_subjects(const struct format *from, const struct format *to,
    const struct source *s, struct row_builder *rows, const struct output *o,
    struct buf *notes, struct fault *f)
{
	struct subject_values *t =
	    subject_values_open(&rows->schema, to->has_failures, notes, f);
	struct buf text = { 0 };
	int status;

	if (!t)
		return -1;
	t->counts_failures = to->counts_failures;
	row_builder_again(rows, subject_values_row, t);
	status = from->read(s, rows, f);
	if (status == 0 && !t->count)
		status = fault_set(
		    f, "%s: no successful row has a value outside a time series", s->name);
	if (status == 0)
		status = to->write(t, &text, f);
	if (status == 0 &&
	    (fwrite(text.ptr, 1, text.len, o->out) != text.len || fflush(o->out) != 0))
		status = fault_set(f, "standard output");
	buf_free(&text);
	subject_values_close(t);
	return status;
}

/* Returns whether a format has the columns of bench-csv(5). */
static bool is_stream(const struct format *format)
{
	return format == &format_csv || format == &format_json ||
	       format == &format_json_lines;
}

/* Copies a table that has no measurements. */
static int copy_table(const struct convert *c, const struct format *to,
    const struct source *s, const struct output *o, struct fault *f)
{
	if (!is_stream(to))
		return fault_set(f,
		    "%s: no table of measurements in the input, which cannot become %s",
		    s->name, to->name);
	return format_table.copy(s, c->filter, o->out,
	    to == &format_csv    ? o->render
	    : to == &format_json ? RENDER_JSON
	                         : RENDER_JSON_LINES,
	    f);
}

static int convert(const struct convert *c, const struct format *from,
    const struct format *to, const struct source *s, FILE *out, struct buf *notes,
    struct fault *f)
{
	struct output o = { .out = out, .name = s->name, .render = c->render };
	struct row_builder rows;
	int status;

	if (from->copy)
		return copy_table(c, to, s, &o, f);
	row_builder_init(&rows);
	rows.filter = c->filter;
	rows.bench = c->bench;
	rows.no_extras = !is_stream(to) && !to->has_failures;
	if (is_stream(from))
		rows.extras = is_stream(to)      ? ROW_EXTRAS_KEEP
		              : to->has_failures ? ROW_EXTRAS_KNOWN
		                                 : ROW_EXTRAS_SKIP;
	row_builder_clear(&rows);
	o.rows = &rows;
	status = from->read(s, &rows, f);
	if (rows.failed && !is_stream(to) && !to->has_failures && !to->counts_failures)
		row_builder_note(&rows,
		    "%s: %llu rows that failed or were not measured are omitted: %s has no "
		    "place "
		    "for them",
		    s->name, (unsigned long long)rows.failed, to->name);
	buf_text(notes, (struct text){ rows.notes.ptr, rows.notes.len });
	if (status == 0 && c->filter && !rows.no_rows)
		status = metric_filter_check(c->filter, f);
	if (status == 0 && rows.no_rows)
		status = copy_table(c, to, s, &o, f);
	else if (status == 0 && !rows.count)
		status = fault_set(f, "%s: no measurements in the file, whose format is %s",
		    s->name, from->name);
	if (status == 0 && !rows.no_rows)
		status = (to->writer ? write_rows : write_subjects)(
		    from, to, s, &rows, &o, notes, f);
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

/* Converts a text that is not compressed, as convert_text() does. */
static int convert_plain(const struct convert *c, const char *name, struct text t,
    FILE *out, struct buf *notes, struct fault *f)
{
	const struct format *to = format_find(c->to ? c->to : "csv", true, f), *from;
	struct source s = {
		.name = name, .path = c->path, .text = t, .melt = c->melt, .melts = c->melts
	};
	struct json_t *doc = NULL;
	int status = -1;

	if (!to)
		return -1;
	if (text_begins(
	        t, "\xef\xbb\xbf")) /* a byte order mark, as Windows programs write it */
		t = s.text = (struct text){ t.ptr + 3, t.len - 3 };
	if (!t.len)
		fault_set(f, "%s: the file is empty", name);
	else if (memchr(t.ptr, '\0', t.len))
		fault_set(f, "%s: not a text file, because it has a NUL byte", name);
	else if ((from = source_open(&s, c, &doc, f)))
		status = convert(c, from, to, &s, out, notes, f);
	if (doc)
		doc_free(doc);
	return status;
}

int convert_text(const struct convert *c, const char *name, struct text t, FILE *out,
    struct buf *notes, struct fault *f)
{
	const uint64_t most = (uint64_t)1 << 30;
	struct buf plain = { 0 };
	struct fault why;
	int status;

	if (!gzip_detect(t))
		status = convert_plain(c, name, t, out, notes, f);
	else if (gzip_get(&plain, t, most, &why) < 0)
		status = fault_set(f, "%s: %s", name, why.text);
	else
		status = convert_plain(
		    c, name, (struct text){ plain.ptr, plain.len }, out, notes, f);
	if (status < 0) {
		int error = errno;

		flatten_message(f);
		errno = error;
	}
	buf_free(&plain);
	return status;
}
