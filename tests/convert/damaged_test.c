/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts files of other programs that were cut off, that have a field that is not known,
 * or after which a file of another format follows. The rows that the file still has must be
 * the same, or the file must be rejected with one line, or there must be a warning.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "base/intern.h"
#include "convert/format_pages.h"
#include "convert/from.h"
#include "io/gzip.h"
#include "sys/kernel_files.h"
#include "tests/convert/convert_one.h"
#include "tests/lib/tap.h"

/* The rows of a file, each of which is a text of the cells that are not empty. */
struct rows {
	struct intern set;
	size_t *times; /* by row */
	size_t count, cap;
};

/* A file of another program. */
struct fixture {
	char *name;
	struct buf text;
	struct rows rows; /* none: it cannot be read alone */
};

static struct format_pages pages;
static struct fixture *fixture;
static size_t fixtures, fixtures_cap;

/* The cells of a row that are not empty. */
struct cells {
	char **at;
	size_t count, cap;
};

static int add_cell(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct cells *row = ctx;
	struct text t;
	double x;

	(void)f;
	/* A file before it can have a part of its sample number and time, and JSON
	 * documents get runs if there are several. */
	if (text_begins(name, "zz") || text_is(name, "sample") || text_is(name, "time") ||
	    text_is(name, "run"))
		return 0;
	if (doc_number(v, &x))
		*VEC_ADD(row->at, row->count, row->cap) =
		    str_format("%.*s=%.17g\n", (int)name.len, name.ptr, x);
	else if (doc_text(v, &t) && t.len)
		*VEC_ADD(row->at, row->count, row->cap) =
		    str_format("%.*s=%.*s\n", (int)name.len, name.ptr, (int)t.len, t.ptr);
	return 0;
}

static int compare_cells(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Moves the cells to a text, in an order that does not depend on that of the columns. */
static void put_cells(struct cells *row, struct buf *b)
{
	if (row->count)
		qsort(row->at, row->count, sizeof(*row->at), compare_cells);
	for (size_t i = 0; i < row->count; i++) {
		buf_str(b, row->at[i]);
		free(row->at[i]);
	}
	row->count = 0;
}

/* Adds the rows of lines of JSON. */
static void rows_add(struct rows *rows, struct text lines)
{
	struct cells cells = { 0 };
	struct buf row = { 0 };
	struct text line;
	struct fault f;

	while (line_next(&lines, &line)) {
		struct json_t *doc = doc_read(line, "row", &f);
		size_t at;

		row.len = 0;
		doc_each(doc, add_cell, &cells, &f);
		put_cells(&cells, &row);
		at = intern_add(&rows->set, text_in(&row));
		if (at == rows->count)
			*VEC_ADD(rows->times, rows->count, rows->cap) = 0;
		rows->times[at]++;
		doc_free(doc);
	}
	free(cells.at);
	buf_free(&row);
}

static void rows_free(struct rows *rows)
{
	intern_free(&rows->set);
	free(rows->times);
}

/* Returns whether all rows of one file are among those of another, as often. */
static bool rows_within(const struct rows *some, const struct rows *all)
{
	for (size_t i = 0; i < some->count; i++) {
		long at = intern_find(&all->set, intern_text(&some->set, i));

		if (at < 0 || all->times[at] < some->times[i])
			return false;
	}
	return true;
}

/* The result of a conversion of a damaged file. */
struct result {
	struct rows rows;
	bool rejected, has_notes;
	const char *broken; /* a rule of convert_one() */
	struct fault message;
};

static struct result convert(const struct buf *b)
{
	const struct convert c = { .to = "json-lines", .pages = &pages };
	struct conversion conversion = { 0 };
	struct result r = { 0 };

	r.rejected = convert_one(&c, text_in(b), &conversion) < 0;
	if (!r.rejected)
		rows_add(&r.rows, text_in(&conversion.out));
	r.has_notes = conversion.has_notes;
	r.broken = conversion.broken;
	r.message = conversion.message;
	conversion_free(&conversion);
	return r;
}

/* Prints where a damaged file was read wrongly, the first few times. */
static void show(const struct fixture *x, const char *where, size_t at,
    const struct result *r, size_t *bad)
{
	if (++*bad < 4)
		printf("# %s: %s %zu: %zu different rows of %zu, %s\n", x->name, where, at,
		    r->rows.count, x->rows.count,
		    r->broken     ? r->broken
		    : r->rejected ? r->message.text
		                  : "no message");
}

/* Files of which the rows depend on the lines after them, so that a file that ends after a
 * line, where no reader can know that it was cut off, has other rows. */
static const char *const depends[] = {
	"gbench-console-aggregates.txt", /* after "x_mean" may be "x_median" */
	"hyperfine-parameters.csv",      /* parameters are in the name if commands differ */
	"llama-bench-ubatch.md",         /* the commit is after the table */
	"massif.out",                    /* the peak may be later */
	/* equal stacks are added up */
	"perf-script.txt",
	"perf-script-events.txt",
	"perf-script-fields.txt",
	"perf-script-inlined.txt",
	"perf-script-lines.txt",
	"perf-script-tracepoints.txt",
	"perf-script-unknown.txt",
};

/* Returns whether a row says that a run failed, as one without its statistics did. */
static bool have_failure(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct text row = intern_text(&rows->set, i);

		if (memmem(row.ptr, row.len, "status=failed", strlen("status=failed")))
			return true;
	}
	return false;
}

static bool is_listed(const struct fixture *x, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], x->name) == 0)
			return true;
	return false;
}

/* Cuts the file off at many places. */
static void cut_off(const struct fixture *x)
{
	size_t step = 1 + x->text.len / (TAP_SANITIZED ? 100 : 200), bad = 0;
	bool free_at_ends = is_listed(x, depends, COUNT(depends));

	if (strcmp(x->name, "csv.csv") == 0) /* a last line may be open (RFC 4180) */
		return;
	for (size_t at = 1; at < x->text.len; at += step) {
		struct buf part = { .ptr = x->text.ptr, .len = at };
		const char *here = x->text.ptr + at;
		bool at_end = here[-1] == '\n' || *here == '\n' || *here == '\r';
		struct result r = convert(&part);

		if (r.broken || (!r.rejected && !r.has_notes && !have_failure(&r.rows) &&
		                    !(at_end && free_at_ends) &&
		                    (!rows_within(&r.rows, &x->rows) ||
		                        (!at_end && !rows_within(&x->rows, &r.rows)))))
			show(x, "cut off at byte", at, &r, &bad);
		rows_free(&r.rows);
	}
	tap_ok(!bad, "bench-convert reads the same rows of %s cut off, or rejects it",
	    x->name);
}

/* Appends the text with something inserted. */
static void insert(struct buf *b, const struct buf *text, size_t at, const char *what)
{
	b->len = 0;
	buf_put(b, text->ptr, at);
	buf_str(b, what);
	buf_put(b, text->ptr + at, text->len - at);
}

/* Files with objects whose members have names that the user chose: each member is a
 * benchmark, a measure, a parameter or a factor, and no unknown field. */
static const char *const named[] = { "bencher.json", "bencher-memory.json",
	"bencher-parameters.json", "pytest-parameters.json", "json.json",
	"json-lines.jsonl" };

/* Checks a file with a field that is not known. */
static void check_field(
    const struct fixture *x, const struct buf *changed, size_t at, size_t *bad)
{
	struct result r = convert(changed);

	if (r.broken ||
	    (!is_listed(x, named, COUNT(named)) && !rows_within(&x->rows, &r.rows)))
		show(x, "a field at byte", at, &r, bad);
	rows_free(&r.rows);
}

/* Adds members to each object that has some, or only one of them under sanitizers. */
static void add_members(const struct fixture *x, size_t *bad)
{
	static const char *const members[] = { ", \"zz\": 1", ", \"zz\": \"x\"",
		", \"zz\": null", ", \"zz\": [[1], {\"a\": 2}]",
		", \"zz\": {\"a\": {\"b\": []}}" };
	struct buf changed = { 0 };
	size_t apart = TAP_SANITIZED ? COUNT(members) : 1;
	bool quoted = false;
	char last = '{';

	for (size_t at = 0; at < x->text.len; at++) {
		char c = x->text.ptr[at];

		for (size_t i = at % apart;
		     c == '}' && !quoted && last != '{' && i < COUNT(members); i += apart) {
			insert(&changed, &x->text, at, members[i]);
			check_field(x, &changed, at, bad);
		}
		if (c == '\\' && quoted)
			at++;
		quoted ^= c == '"';
		last = c > ' ' ? c : last;
	}
	buf_free(&changed);
}

static size_t count_commas(struct text line)
{
	size_t commas = 0;
	bool quoted = false;

	for (size_t i = 0; i < line.len; i++) {
		quoted ^= line.ptr[i] == '"';
		commas += line.ptr[i] == ',' && !quoted;
	}
	return commas;
}

/* Adds a column to CSV; rows may be shorter than the header. */
static void add_column(const struct fixture *x, size_t *bad)
{
	struct text rest = { x->text.ptr, x->text.len }, line;
	struct buf changed = { 0 };
	size_t commas = 0;

	for (bool first = true; line_next(&rest, &line); first = false) {
		commas = first ? count_commas(line) : commas;
		buf_text(&changed, line);
		if (count_commas(line) == commas)
			buf_str(&changed, first ? ",zz" : ",x");
		buf_byte(&changed, '\n');
	}
	check_field(x, &changed, 0, bad);
	buf_free(&changed);
}

/* Adds a line after each line. */
static void add_lines(const struct fixture *x, const char *added, size_t *bad)
{
	struct buf changed = { 0 };

	for (size_t at = 1; at < x->text.len; at++)
		if (x->text.ptr[at - 1] == '\n') {
			insert(&changed, &x->text, at, added);
			check_field(x, &changed, at, bad);
		}
	buf_free(&changed);
}

/* Adds a field with the number 100 to a protocol buffer. */
static void add_number(const struct fixture *x, size_t *bad)
{
	struct buf changed = { 0 };

	insert(&changed, &x->text, x->text.len, "\xa0\x06\x01");
	check_field(x, &changed, x->text.len, bad);
	buf_free(&changed);
}

static void add_fields(const struct fixture *x)
{
	struct text name = text_of(x->name);
	struct text begin = text_trim(text_in(&x->text));
	size_t bad = 0;

	/* each line is a stack, a part of one, a count, a request, or a line of a table */
	if (text_begins(name, "folded") || text_begins(name, "perf-console") ||
	    text_begins(name, "perf-script") || text_ends(name, ".tsv") ||
	    text_begins(name, "sadf") || text_begins(name, "vmstat") ||
	    text_begins(name, "iostat") || text_begins(name, "gcc-time-report") ||
	    (text_begins(name, "sysstat") && text_ends(name, ".txt")))
		return;
	if (text_ends(name, ".csv"))
		add_column(x, &bad);
	else if (text_begins(name, "pprof"))
		add_number(x, &bad);
	else if (text_ends(name, ".jsonl") || text_begins(begin, "{") ||
	         text_begins(begin, "[") || text_begins(begin, "window."))
		add_members(x, &bad);
	else
		add_lines(x,
		    text_ends(name, ".xml")       ? "<zz a=\"1\"/>\n"
		    : text_begins(name, "massif") ? "zz=1\n"
		                                  : "zz: 1\n",
		    &bad);
	tap_ok(!bad, "bench-convert reads %s with fields that it does not know", x->name);
}

/*
 * Returns whether a file is recognized by how it begins. After lines of a format whose
 * lines may be among others, nobody can know that such a file begins.
 */
static bool is_known_by_begin(const struct fixture *x)
{
	struct text name = text_of(x->name);

	return text_ends(name, ".csv") || text_ends(name, ".tsv") ||
	       text_ends(name, ".jsonl") || text_ends(name, ".xml") ||
	       text_ends(name, ".out") || text_begins(name, "folded") ||
	       text_begins(name, "github-data") || text_begins(name, "loadgen");
}

/* Appends every eighth other file, beginning with another one for each fixture; some are
 * of the same format. A stack can be any text, so that folded stacks before lines of
 * another format cannot be recognized. */
static void append_others(const struct fixture *x)
{
	struct buf both = { 0 };
	size_t bad = 0;

	if (text_begins(text_of(x->name), "folded"))
		return;
	for (size_t i = (size_t)(x - fixture) % 8; i < fixtures; i += 8) {
		const struct fixture *y = &fixture[i];
		struct result r;

		if (y == x)
			continue;
		both.len = 0;
		buf_put(&both, x->text.ptr, x->text.len);
		buf_put(&both, y->text.ptr, y->text.len);
		r = convert(&both);
		if (r.broken ||
		    (!r.rejected && !r.has_notes &&
		        !(rows_within(&x->rows, &r.rows) &&
		            (is_known_by_begin(y) || rows_within(&y->rows, &r.rows))))) {
			printf("# followed by %s\n", y->name);
			show(x, "followed by file", i, &r, &bad);
		}
		rows_free(&r.rows);
	}
	buf_free(&both);
	tap_ok(!bad,
	    "bench-convert reads %s and a file after it, or rejects them, or warns",
	    x->name);
}

/* Adds a file, whose text it takes. */
static void add_fixture(const char *name, struct buf text)
{
	struct fixture x = { .name = str_copy(name), .text = text };

	x.rows = convert(&x.text).rows;
	*VEC_ADD(fixture, fixtures, fixtures_cap) = x;
}

static void load(const char *directory)
{
	char **name;
	size_t count = dir_names(directory, &name);

	for (size_t i = 0; i < count; i++) {
		char *path = str_format("%s/%s", directory, name[i]);
		struct buf packed = { 0 }, text = { 0 };
		struct fault f;

		if (strcmp(name[i], "README") != 0 && file_read(path, &packed, &f) == 0) {
			struct text t = { packed.ptr, packed.len };

			if (!gzip_detect(t) || gzip_get(&text, t, SIZE_MAX, &f) < 0)
				buf_text(&text, t);
			add_fixture(name[i], text);
		}
		free(path);
		buf_free(&packed);
	}
	dir_names_free(name, count);
}

/* Adds files of formats of which there are none, because bench-convert writes them. */
static void add_written(void)
{
	static const struct {
		const char *format, *name;
	} written[] = { { "csv", "csv.csv" }, { "json", "json.json" },
		{ "json-lines", "json-lines.jsonl" }, { "github-smaller", "github.json" } };
	struct buf from = { 0 };
	struct fault f;

	tap_ok(file_read("tests/fixtures/data/convert/hyperfine.json", &from, &f) == 0,
	    "there is a file to be written in other formats");
	for (size_t i = 0; i < COUNT(written); i++) {
		const struct convert c = { .to = written[i].format };
		struct conversion r = { 0 };

		convert_one(&c, text_in(&from), &r);
		add_fixture(written[i].name, r.out);
	}
	buf_free(&from);
}

int main(void)
{
	struct fault f;

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	tap_ok(format_pages_load(&pages, &f) == 0, "the pages of formats can be loaded");
	load("tests/fixtures/data/convert");
	load("tests/fixtures/data/formats");
	add_written();
	for (size_t i = 0; i < fixtures; i++)
		if (fixture[i].rows.count) {
			cut_off(&fixture[i]);
			add_fields(&fixture[i]);
			append_others(&fixture[i]);
		}
	return tap_end();
}
