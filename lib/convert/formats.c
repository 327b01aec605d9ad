/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats, and the recognition of files; see convert.h and formats_priv.h.
 */
#include "convert/format_pages.h"
#include "convert/formats_priv.h"
#include "convert/from.h"
#include "convert/to.h"
#include "io/json_documents.h"
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
	&format_criterion_csv,
	&format_llama,
	&format_llama_lines,
	&format_llama_csv,
	&format_llama_sql,
	&format_llama_table,
	&format_onnxruntime,
	&format_pytorch,
	&format_vllm,
	&format_sglang,
	&format_perf_json,
	&format_perf,
	&format_go_json,
	&format_go,
	&format_libtest,
	&format_criterion_console,
	&format_gbench_console,
	&format_wrk,
	&format_ab,
	&format_ab_csv,
	&format_ab_gnuplot,
	&format_stress_ng,
	&format_stress_ng_yaml,
	&format_stream,
	&format_sysbench,
	&format_pgbench,
	&format_pgbench_log,
	&format_loadgen,
	&format_hgrm,
	&format_catch2,
	&format_callgrind,
	&format_cachegrind,
	&format_massif,
	&format_time,
	&format_perf_console,
	&format_folded,
	&format_github_smaller,
	&format_github_bigger,
	&format_github_history,
	&format_github_history_json,
	&format_bencher,
	&format_prometheus,
	&format_markdown,
	&format_asv_benchmarks,
	&format_openmetrics,
	&format_otlp,
};
const size_t formats_count = COUNT(formats_known);

bool format_reads(const struct format *format)
{
	return format->read || format->copy;
}

bool format_writes(const struct format *format)
{
	return format->writer || format->write || format->write_samples;
}

static bool is_supported(const struct format *format, bool writes)
{
	return writes ? format_writes(format) : format_reads(format);
}

void formats_names(struct known_names *k, bool writes)
{
	for (size_t i = 0; i < formats_count; i++)
		if (is_supported(formats_known[i], writes))
			known_names_add(k, text_of(formats_known[i]->name));
}

const struct format *format_find(
    const char *name, bool writes, struct format_pages *pages, struct fault *f)
{
	struct known_names known = { .advice = "see bench-convert --list" };

	for (size_t i = 0; i < formats_count; i++)
		if (is_supported(formats_known[i], writes) &&
		    strcmp(formats_known[i]->name, name) == 0)
			return formats_known[i];
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

static bool has_rows(const struct format *format)
{
	return format->copy || format == &format_json || format == &format_json_lines;
}

/* Returns whether a text of this format, which has no rows of bench-csv(5) or other tables
 * of the programs, can begin with a bracket. */
static bool is_bracketed_foreign(const struct format *format)
{
	return is_bracketed(format) && !has_rows(format);
}

/* Returns whether JSON can have a table of one of the programs. To parse its first row to
 * find out takes much memory if the row is a large file of another program. */
static bool may_have_rows(struct text t)
{
	static const char *const names[] = { "metric", "fact", "subject", "samples" };

	return json_documents_may_have(t, names, COUNT(names));
}

/* Returns what to do about a text of an unknown format. */
static const char *unknown_advice(struct text t)
{
	static const char object[] = "\"counter-value\" : ";

	if (memmem(t.ptr, t.len, object, strlen(object)))
		return "the output of perf stat -j must be alone in the file: run it with "
		       "-o";
	return "bench-convert --list lists the known ones; for other CSV, name a column of "
	       "values with -m";
}

const struct format *source_open(struct source *s, const struct format *from,
    struct format_pages *pages, struct json_t **doc, bool *unknown, struct fault *f)
{
	const struct format *format = from;

	*unknown = false;
	if (from && !from->is_json)
		return from;
	if (!from) {
		bool json = !s->melts && looks_like_json(s->text);

		format =
		    recognize_format(s, !json                    ? is_text
		                        : may_have_rows(s->text) ? is_bracketed
		                                                 : is_bracketed_foreign);
		if (format)
			return format;
		if (!json && format_pages_recognize(pages, s, &format, f) < 0)
			return NULL;
		if (format)
			return format;
		if (!json) {
			*unknown = true;
			fault_set(
			    f, "%s: unknown format (%s)", s->name, unknown_advice(s->text));
			return NULL;
		}
	}
	*doc = doc_read(s->text, s->name, f);
	if (!*doc)
		return NULL;
	s->doc = *doc;
	if (!format)
		format = recognize_format(s, is_document);
	if (!format && format_pages_recognize(pages, s, &format, f) < 0)
		return NULL;
	*unknown = !format;
	if (!format)
		fault_set(f,
		    "%s: JSON of an unknown format (bench-convert --list lists the known "
		    "ones)",
		    s->name);
	return format;
}

/* Returns whether a text ends in a JSON document that begins a line. */
static bool has_json_at_end(struct text t)
{
	struct text before = t, line;
	struct fault ignored;
	struct json_t *doc;

	while (line_next(&t, &line)) {
		line = line_trim(line);
		if (line.len && (line.ptr[0] == '{' || line.ptr[0] == '[')) {
			doc = doc_read(before, "", &ignored);
			if (doc)
				doc_free(doc);
			return doc != NULL;
		}
		before = t;
	}
	return false;
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
	if (has_json_at_end(s->text)) {
		display_text_clean(notes, text_of(s->name));
		buf_printf(notes,
		    ": lines of the format %s are read, but not the JSON after them\n",
		    from->name);
	}
}
