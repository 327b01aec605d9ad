/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the text of Go's benchmarks for benchstat: one line for the values of each sample.
 * Spaces in names become underscores. A value that has no unit of Go gets its metric and
 * its unit as the unit. Seconds and bytes are written, except as ns/op: benchstat converts
 * "x-ns" to "x-sec" only if the value is not 0, and then takes the median of the rest. The
 * keys goos, goarch, pkg and cpu are separate lines before the lines that they apply to, as
 * go test writes them. A sample whose wall failed becomes the line of a benchmark that
 * failed or was skipped, which benchstat ignores.
 */
#include <ctype.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/row_builder.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { KEY_GOOS, KEY_GOARCH, KEY_PKG, KEY_CPU, KEYS };
static const char *const keys[KEYS] = { "goos", "goarch", "pkg", "cpu" };

struct writer {
	FILE *out;
	struct buf text;
	struct buf name, metric; /* of the current line, and its first metric */
	struct buf key[KEYS];    /* values that apply to the current line */
	int64_t process, sample, iterations;
	uint64_t lines;
	struct failure {
		struct buf name;
		int64_t process, sample;
		bool written;
		uint64_t others; /* rows of other metrics that failed */
	} failure;               /* the last sample that has one */
	uint64_t omitted;        /* failures that have no line */
	const char *source;
	struct buf *notes;
};

static void *open_writer(const struct row_writer_opts *o, struct fault *f)
{
	struct writer *w = mem_zero(1, sizeof(*w));

	(void)f;
	w->out = o->out->file;
	w->source = o->name;
	w->notes = o->notes;
	return w;
}

static void put_word(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		buf_byte(
		    b, (unsigned char)t.ptr[i] <= ' ' || t.ptr[i] == 0x7f ? '_' : t.ptr[i]);
}

/* Appends a string as one part of a name: slashes, which separate parts, become division
 * slashes. */
static void put_part(struct buf *b, struct text t)
{
	while (t.len) {
		struct text part = t;
		const char *slash = memchr(t.ptr, '/', t.len);

		if (slash)
			part.len = (size_t)(slash - t.ptr);
		put_word(b, part);
		buf_str(b, slash ? "\u2215" : "");
		part.len += slash != NULL;
		t = text_after(t, part.len);
	}
}

static void put_name(struct buf *b, const struct row *row)
{
	const struct schema *schema = row->schema;
	struct text bench = row->cell[COL_BENCH], kind = row->cell[COL_KIND];
	long procs = schema_find(schema, TEXT("procs")),
	     pkg = schema_find(schema, TEXT("pkg"));

	buf_str(b, "Benchmark");
	if (bench.len && !isupper((unsigned char)bench.ptr[0]) &&
	    !isdigit((unsigned char)bench.ptr[0]))
		buf_byte(b, '_');
	(!kind.len || text_is(kind, "function") ? put_word : put_part)(b, bench);
	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = row->cell[i];

		if (!value.len || (long)i == procs || (long)i == pkg)
			continue;
		buf_byte(b, '/');
		put_word(b, text_of(schema->name[i]));
		buf_byte(b, '=');
		put_part(b, value);
	}
	if (procs >= 0 && row->cell[procs].len) {
		buf_byte(b, '-');
		put_word(b, row->cell[procs]);
	}
}

static void put_value(struct buf *b, const struct row *row)
{
	static const struct {
		const char *metric, *unit, *gos;
	} units[] = {
		{ "wall", "ns", "ns/op" },
		{ "alloc_bytes", "B", "B/op" },
		{ "alloc_calls", "1", "allocs/op" },
		{ "bandwidth", "B/s", "B/s" },
	};
	struct text metric = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	bool is_ns = text_is(unit, "ns");
	char text[NUMBER_TEXT_MAX];

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(metric, units[i].metric) && text_is(unit, units[i].unit)) {
			buf_put(b, text, number_print(text, row->value));
			buf_printf(
			    b, " %s", is_ns && row->value == 0 ? "sec/op" : units[i].gos);
			return;
		}
	buf_put(b, text,
	    number_print(text, is_ns ? decimal_shift(row->value, -9) : row->value));
	buf_byte(b, ' ');
	put_word(b, metric);
	if (unit.len && !text_is(unit, "1")) {
		buf_byte(b, '-');
		put_word(b, is_ns ? TEXT("sec") : unit);
	}
}

static bool is_same_text(struct buf *kept, struct text t)
{
	bool equal = text_equal(text_in(kept), t);

	kept->len = 0;
	buf_put(kept, t.len ? t.ptr : "", t.len);
	return equal;
}

/* Splits an environment such as "linux/amd64 Some CPU", as from_go.c makes it; another one
 * sets no key. */
static void split_env(struct text env, struct text *key)
{
	struct text rest = env, first = text_until(&rest, ' '), arch = first;
	struct text os = text_until(&arch, '/');

	if (os.len == first.len)
		return;
	for (size_t i = 0; i < first.len; i++)
		if (!isalnum((unsigned char)first.ptr[i]) &&
		    first.ptr + i != os.ptr + os.len)
			return;
	key[KEY_GOOS] = os;
	key[KEY_GOARCH] = arch;
	key[KEY_CPU] = rest;
}

/* Appends a line for each key whose value is not that of the current line. */
static void put_keys(struct writer *w, const struct row *row, struct buf *b)
{
	struct text key[KEYS] = { TEXT(""), TEXT(""), TEXT(""), TEXT("") };
	long pkg = schema_find(row->schema, TEXT("pkg"));

	split_env(row->cell[COL_ENV], key);
	if (pkg >= 0)
		key[KEY_PKG] = row->cell[pkg];
	for (size_t i = 0; i < KEYS; i++) {
		if (is_same_text(&w->key[i], key[i]))
			continue;
		buf_printf(b, "%s: ", keys[i]);
		for (size_t at = 0; at < key[i].len; at++)
			buf_byte(
			    b, (unsigned char)key[i].ptr[at] < ' ' ? ' ' : key[i].ptr[at]);
		buf_byte(b, '\n');
	}
}

/* Ends the current line, if there is one, and appends lines of keys. */
static void begin_line(struct writer *w, struct text key_lines)
{
	if (w->lines++)
		buf_byte(&w->text, '\n');
	buf_text(&w->text, key_lines);
}

/* Begins a new line unless the row belongs to the sample of the current line. */
static void put_line(struct writer *w, const struct row *row)
{
	struct buf name = { 0 }, moved = { 0 };
	struct text first = { w->metric.ptr, w->metric.len };
	bool more, renamed;

	put_name(&name, row);
	put_keys(w, row, &moved);
	renamed = !is_same_text(&w->name, text_in(&name));
	more = !moved.len && !renamed && first.len && w->process == row->process &&
	       w->sample == row->sample && w->iterations == row->iterations &&
	       !text_equal(first, row->cell[COL_METRIC]);
	if (!more) {
		is_same_text(&w->metric, row->cell[COL_METRIC]);
		w->process = row->process;
		w->sample = row->sample;
		w->iterations = row->iterations;
		begin_line(w, text_in(&moved));
		buf_text(&w->text, text_in(&w->name));
		buf_printf(&w->text, "\t%lld",
		    row->iterations > 0 ? (long long)row->iterations : 1);
	}
	buf_free(&name);
	buf_free(&moved);
}

/* Counts the failures of the last sample that has some, unless they have a line. */
static void count_omitted(struct writer *w)
{
	if (!w->failure.written)
		w->omitted += w->failure.others;
	w->failure.others = 0;
	w->failure.written = false;
}

/* Appends the line of a sample whose wall failed or was not measured. */
static void put_failure_line(struct writer *w, const struct row *row)
{
	struct buf moved = { 0 };
	bool failed = text_begins(row->cell[COL_STATUS], "failed") ||
	              text_is(row->cell[COL_STATUS], "timeout");

	put_keys(w, row, &moved);
	begin_line(w, text_in(&moved));
	buf_printf(&w->text, "--- %s: ", failed ? "FAIL" : "SKIP");
	buf_text(&w->text, text_in(&w->failure.name));
	w->metric.len = 0;
	buf_free(&moved);
}

/* Takes a row that is not ok. */
static void take_failure(struct writer *w, const struct row *row)
{
	struct failure *last = &w->failure;
	struct buf name = { 0 };

	put_name(&name, row);
	if (!is_same_text(&last->name, text_in(&name)) ||
	    last->process != row->process || last->sample != row->sample) {
		count_omitted(w);
		last->process = row->process;
		last->sample = row->sample;
	}
	if (text_is(row->cell[COL_METRIC], "wall") && !last->written) {
		put_failure_line(w, row);
		last->written = true;
	} else {
		last->others++;
	}
	buf_free(&name);
}

static int put_row(void *writer, const struct row *row, struct fault *f)
{
	struct writer *w = writer;
	bool is_warm_up = row->sample < 0 && row->sample != ROW_NONE;

	/* The rate of successes is no unit of a benchmark. */
	if (row->t != ROW_NONE || is_warm_up || text_is(row->cell[COL_METRIC], "ok"))
		return 0;
	if (!row->ok) {
		take_failure(w, row);
	} else if (row->has_value) {
		put_line(w, row);
		buf_byte(&w->text, '\t');
		put_value(&w->text, row);
	}
	if (w->text.len < 1 << 16)
		return 0;
	if (fwrite(w->text.ptr, 1, w->text.len, w->out) != w->text.len)
		return fault_set(f, "standard output");
	w->text.len = 0;
	return 0;
}

static void note_omitted(struct writer *w)
{
	display_text_clean(w->notes, text_of(w->source));
	buf_printf(w->notes, ": %llu %s omitted: go has no place for %s\n",
	    (unsigned long long)w->omitted,
	    plural(w->omitted,
	        "row of a metric other than wall that failed or was not measured is",
	        "rows of metrics other than wall that failed or were not measured are"),
	    plural(w->omitted, "it", "them"));
}

static int close_writer(void *writer, struct fault *f)
{
	struct writer *w = writer;
	int status = 0;

	count_omitted(w);
	if (w->omitted)
		note_omitted(w);
	buf_byte(&w->text, '\n');
	if (!w->lines)
		status =
		    fault_set(f, "no row outside a time series has a value or a failure");
	else if (fwrite(w->text.ptr, 1, w->text.len, w->out) != w->text.len ||
	         fflush(w->out) != 0)
		status = fault_set(f, "standard output");
	buf_free(&w->text);
	buf_free(&w->name);
	buf_free(&w->metric);
	buf_free(&w->failure.name);
	for (size_t i = 0; i < KEYS; i++)
		buf_free(&w->key[i]);
	free(w);
	return status;
}

const struct row_writer go_writer = { open_writer, put_row, close_writer, NULL };
